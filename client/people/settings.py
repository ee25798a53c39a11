"""What a person has chosen on the full screen, kept in their folder of settings: JSON, read with suspicion."""

from __future__ import annotations

import json
import os
import tempfile
from contextlib import suppress
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path
from typing import Any, Final

from machine import folders
from protocol.bounds import MAX_NAME
from terminal.text import clean

THEMES: Final = ("dark", "light", "contrast")


@dataclass(frozen=True, slots=True)
class Preferences:
    """name: "" until somebody says it. hints: whether legal moves are shown. bell: whether the terminal rings.

    keep: whether games that are over are kept on this computer.
    """

    name: str = ""
    theme: str = THEMES[0]
    hints: bool = True
    bell: bool = False
    keep: bool = True


def read() -> Preferences:
    """The kept preferences; defaults for those that are missing or can't be read."""
    try:
        kept = json.loads(_file().read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return Preferences()
    return _checked(kept) if isinstance(kept, dict) else Preferences()


def write(preferences: Preferences) -> None:
    """Keeps `preferences`, in one step; without a folder that can be written they hold for this time only."""
    file = _file()
    with suppress(OSError):
        file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        handle, draft = tempfile.mkstemp(dir=file.parent, prefix=".settings")
        with os.fdopen(handle, "w", encoding="utf-8") as out:
            json.dump(asdict(preferences), out, ensure_ascii=False)
        Path(draft).replace(file)


def proper_name(text: str) -> str:
    """A name that a server would accept, as far as that is known here."""
    return clean(text).strip()[:MAX_NAME].rstrip()


def _checked(kept: dict[str, Any]) -> Preferences:
    usual = Preferences()
    known = {
        field.name: kept[field.name]
        for field in fields(Preferences)
        if type(kept.get(field.name)) is type(getattr(usual, field.name))
    }
    found = replace(usual, **known)
    theme = found.theme if found.theme in THEMES else usual.theme
    return replace(found, name=proper_name(found.name), theme=theme)


def _file() -> Path:
    return folders.config() / "settings.json"
