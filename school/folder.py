"""The folder of a class: the file that describes it, codes, and where its pages are. What is wrong ends the command.

What is in it:
    class.toml    title, game and pupils (`school.config`)
    codes.json    personal codes by name (`league.roster`), private
    door.json     with which codes and under which address the class was opened, private
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Final

import click
import msgspec
from msgspec import Struct

from league.config import ConfigError
from league.roster import CLASS, RosterError, keep_more
from locales import _
from locales.system import concerning, reason
from machine.files import replace_private
from school import journal
from school.config import MOST_BYTES, Classroom, read_class
from school.journal import JournalError
from school.state import ClassState

CONFIG: Final = CLASS
DOOR: Final = "door.json"


class Entrance(Struct, frozen=True):
    """How a class that was opened is entered: `code` by people, `bots` by programs; address: of the pages, "http://...".

    All stay as they are when the class is opened again; the address changes with the network.
    """

    code: str
    bots: str
    address: str


def located(path: Path) -> Path:
    """The folder of a class, given the path of the folder or of the file in it."""
    folder = path if path.is_dir() else path.parent
    if (folder / CONFIG).is_file() and (path.is_dir() or path.name == CONFIG):
        return folder
    text = _("There is no class in {folder}: give the folder that 'class new' made.")
    raise click.UsageError(text.format(folder=path))


def load_class(folder: Path) -> Classroom:
    """The class in `folder`."""
    path = folder / CONFIG
    try:
        with path.open("rb") as stream:
            data = stream.read(MOST_BYTES + 1)
        if len(data) > MOST_BYTES:
            raise click.ClickException(_("{path} is too long for the file of a class.").format(path=path))
        return read_class(data.decode("utf-8-sig"), str(path))
    except OSError as error:
        raise click.ClickException(concerning(path, reason(error))) from error
    except UnicodeDecodeError as error:
        raise click.ClickException(_("{path} is no text in UTF-8: save it as UTF-8.").format(path=path)) from error
    except ConfigError as error:
        raise click.ClickException(str(error)) from error


def load_state(folder: Path, classroom: Classroom) -> ClassState:
    """How the class in `folder` stands, also while it is open."""
    try:
        return ClassState.of(classroom.teams, journal.load(folder))
    except JournalError as error:
        raise click.ClickException(str(error)) from error
    except OSError as error:
        raise click.ClickException(f"{folder}: {reason(error)}") from error


def keep_codes(folder: Path, names: Iterable[str]) -> dict[str, str]:
    """The personal codes of these pupils, drawn where there is none; nobody who has a code loses it."""
    try:
        return keep_more(folder, names)
    except RosterError as error:
        raise click.ClickException(str(error)) from error


def read_entrance(folder: Path) -> Entrance | None:
    """How the class is entered, None before it was opened."""
    path = folder / DOOR
    try:
        return msgspec.json.decode(path.read_bytes(), type=Entrance)
    except FileNotFoundError:
        return None
    except (OSError, msgspec.MsgspecError, UnicodeDecodeError) as error:
        why = reason(error) if isinstance(error, OSError) else _("it is not as it was written")
        text = _("{path} can't be used: {reason}. Without it, 'class open' draws new codes for the door.")
        raise click.ClickException(text.format(path=path, reason=why)) from error


def keep_entrance(folder: Path, entrance: Entrance) -> None:
    """Writes how the class is entered; raises OSError."""
    replace_private(folder / DOOR, msgspec.json.encode(entrance).decode())
