"""The key with which a user of this machine enters leagues: a secret in a file that only they can read.

A league lets the same key in again under the same name, from whatever session, process or machine; see docs/leagues.md.
It stands beside the tokens, where bots in a sandbox can't read it. One key serves a user's account for any number of
names, leagues and servers. A server learns the key that it is shown, so a separate key (`--key`) is for servers of
people whom the user does not trust.

Errors: KeyFileError    the file can't be used; the message is a sentence for the user
"""

from __future__ import annotations

import os
import re
import secrets
import tempfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Final

from client.errors import ClientError
from client.identity import state_folder
from locales import _
from locales.system import reason

NAME: Final = "league-key"
"""The file beside the folder with the tokens."""

BYTES: Final = 24
"""Random bytes in a key: 192 bits, 32 characters."""

_KEY = re.compile(r"[A-Za-z0-9_-]{22,64}")
_LARGEST = 1024


class KeyFileError(ClientError):
    """A file with a key can't be read or made."""


def kept_key(file: Path | None, tell: Callable[[str], None]) -> str:
    """The key in `file`, or of this account; one that is not there yet is made. Raises KeyFileError.

    If the account has no place for one, `tell` is told in a sentence, and the key is valid for this run only. A file
    that was named must exist, or it must be possible to make it.
    """
    try:
        path = file or state_folder() / NAME
        return _read(path) or _make(path)
    except (OSError, RuntimeError) as error:  # RuntimeError: this account has no home
        why = reason(error) if isinstance(error, OSError) else str(error)
        if file is not None:
            text = _("The key in {path} can't be used: {reason}.")
            raise KeyFileError(text.format(path=file, reason=why)) from error
        tell(
            _(
                "No key can be kept here ({reason}): this bot can't take its place in the league again once it has "
                "ended. --key FILE says where to keep one."
            ).format(reason=why)
        )
        return _drawn()


def _drawn() -> str:
    return secrets.token_urlsafe(BYTES)


def _read(path: Path) -> str | None:
    """The key in a file, None if there is no file; raises OSError and KeyFileError."""
    if path.exists() and not path.is_file():
        raise KeyFileError(_("{path} is no file that a key can be read from.").format(path=path))
    try:
        with path.open("rb") as stream:
            text = stream.read(_LARGEST).decode("ascii", errors="replace").strip()
    except FileNotFoundError:
        return None
    if _KEY.fullmatch(text) is None:
        sentence = _("There is no key in {path}: move the file away for a new one, or take another with --key FILE.")
        raise KeyFileError(sentence.format(path=path))
    return text


def _make(path: Path) -> str:
    """Writes a new key in one step, for its owner alone; an existing key wins. Raises OSError."""
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    handle, draft = tempfile.mkstemp(dir=path.parent, prefix=".key")  # made with 0600
    try:
        with os.fdopen(handle, "w", encoding="ascii") as out:
            out.write(f"{_drawn()}\n")
            out.flush()
            os.fsync(out.fileno())
        _name(Path(draft), path)
    finally:
        with suppress(OSError):
            Path(draft).unlink()
    key = _read(path)
    assert key is not None
    return key


def _name(draft: Path, path: Path) -> None:
    """Gives a file its name, unless another has that by now; raises OSError."""
    try:
        os.link(draft, path)
    except FileExistsError:
        pass
    except OSError:  # a file system without links
        if not path.exists():
            draft.replace(path)
