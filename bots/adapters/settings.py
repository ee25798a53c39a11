"""How a bot in Python is run: from its file or folder, and by what the folder says in its `bot.toml`.

    python = ".venv/bin/python"    an interpreter of its own
    many_games = true              its process plays one game after another
    ponder = true                  it thinks in the opponent's time
    start = 20                     how many seconds it may take to start
    file = "main.py"               which file of the folder is the bot; bot.py if the key is missing

All keys are optional. `LaunchOptions` override them: the organiser decides, not the author. A file that stands alone
has no bot.toml; for it, an organiser can set the same in `LaunchOptions`.

Errors: BotSpecError    the folder or its bot.toml can't be used; the message is a sentence for its author
"""

import os
import re
import shutil
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from bots.base import FILE_ENDINGS, BotSpecError
from locales import N_, _
from locales.harmless import plain
from locales.system import reason
from machine.files import read_bounded
from processes.launch_options import LaunchOptions

NAME: Final = "bot.toml"
MAIN: Final = "bot.py"
START_S: Final = 10.0
MOST_BYTES: Final = 1 << 13
"""How long a bot.toml may be; what some keys of TOML take to read grows with the square of their length."""
LONGEST_START_S: Final = 25.0
"""The largest value of `start`: a league waits little longer for a bot that it has invited."""


@dataclass(frozen=True, slots=True)
class FileSettings:
    """What is to be run, and how.

    file: the file that is loaded; choice: the FUNCTION=INTERFACE that the user names. folder: the folder, if the bot is
    one. python: the interpreter, "" for Arbitre's own. start_s: how long the bot says that its start takes, or None.
    """

    file: Path
    choice: str = ""
    folder: Path | None = None
    python: str = ""
    many_games: bool = False
    ponder: bool = False
    start_s: float | None = None

    @property
    def name(self) -> str:
        """What messages call it."""
        return plain(self.file.name if self.folder is None else f"{self.folder.name}/")

    def may_start_s(self, launch: LaunchOptions) -> float:
        """How long the bot may take to start: its own `start_s`, scaled as `launch` scales the usual time."""
        return launch.start_s if self.start_s is None else self.start_s * max(1.0, launch.start_s / START_S)


@dataclass(frozen=True, slots=True)
class _Key:
    """A key of bot.toml: what its value must be, in words and as a function that checks it."""

    wanted: str
    fits: Callable[[Any], bool]


def _is_name(value: object) -> bool:
    return isinstance(value, str) and bool(value.strip()) and value.isprintable()


_YES_OR_NO = _Key(N_("true or false"), lambda value: isinstance(value, bool))
_KEYS: Final[Mapping[str, _Key]] = {
    "python": _Key(N_('a path or a program in quotes: ".venv/bin/python", "python3.12"'), _is_name),
    "many_games": _YES_OR_NO,
    "ponder": _YES_OR_NO,
    "start": _Key(
        N_("a number of seconds from 1 to 25"),
        lambda value: type(value) in (int, float) and 1 <= value <= LONGEST_START_S,
    ),
    "file": _Key(
        N_('a file of the folder in quotes: "main.py"'),
        lambda value: _is_name(value) and value.endswith(FILE_ENDINGS) and "/" not in value,
    ),
}


def split(text: str) -> tuple[Path, str]:
    """Splits the name of a bot into file or folder, and choice: "my.py#f=coup_joueur" -> my.py, "f=coup_joueur"."""
    file, _mark, choice = (text, "", "") if Path(text).exists() else text.partition("#")
    return Path(file).expanduser().absolute(), choice


def read_settings(text: str, launch: LaunchOptions) -> FileSettings:
    """How the bot with the name `text` is run; raises BotSpecError."""
    path, choice = split(text)
    if not path.is_dir():
        if text.partition("#")[0].endswith(("/", "\\")):
            raise BotSpecError(_("There is no folder {folder}.").format(folder=text.partition("#")[0]))
        return _with_care(FileSettings(path, choice, python=_interpreter(launch.python, Path.cwd())), launch)
    path = Path(os.path.normpath(path))
    said = _read(path / NAME)
    file = path / said.get("file", MAIN)
    if not file.is_file():
        raise BotSpecError(_no_file(path, file, said))
    settings = FileSettings(
        file,
        choice,
        folder=path,
        python=_interpreter(launch.python, Path.cwd()) or _interpreter(said.get("python", ""), path),
        many_games=said.get("many_games", False),
        ponder=said.get("ponder", False),
        start_s=said.get("start"),
    )
    return _with_care(settings, launch)


def interpreter_of(folder: Path) -> str:
    """The interpreter in a folder's bot.toml, as written; "" if it names none or can't be read."""
    try:
        return str(_read(folder / NAME).get("python", ""))
    except BotSpecError:
        return ""


def _with_care(settings: FileSettings, launch: LaunchOptions) -> FileSettings:
    """The settings after the organiser's choices, which override the bot's."""
    return FileSettings(
        settings.file,
        settings.choice,
        settings.folder,
        settings.python,
        many_games=settings.many_games if launch.many_games is None else launch.many_games,
        ponder=settings.ponder if launch.ponder is None else launch.ponder,
        start_s=settings.start_s,
    )


def _interpreter(written: str, place: Path) -> str:
    """The path of an interpreter: an installed program, or a file below `place`. Raises BotSpecError."""
    if not written:
        return ""
    is_path = "/" in written or "\\" in written
    named = str(place / Path(written).expanduser()) if is_path else written
    found = shutil.which(named)
    if found is not None:
        return found
    if is_path and Path(named).is_file():
        text = _("The interpreter {python} may not be executed (chmod +x).")
    elif is_path:
        text = _("There is no interpreter {python}. To make one: {command}")
    else:
        text = _("There is no interpreter {python}: install it, or give its path (.venv/bin/python).")
    folder = Path(named).parent.parent
    raise BotSpecError(text.format(python=named, command=f"python3 -m venv {folder}"))


def _no_file(folder: Path, file: Path, said: Mapping[str, Any]) -> str:
    if "file" in said:
        return _("{place} names {file}, which is not in the folder.").format(
            place=f"{folder.name}/{NAME}", file=said["file"]
        )
    others = sorted(path.name for ending in FILE_ENDINGS for path in folder.glob(f"*{ending}"))
    if not others:
        return _("The folder {folder} has no {file}: that is where Arbitre looks for the bot.").format(
            folder=folder, file=file.name
        )
    choices = [name for name in others if not name.startswith("test_")] or others
    best = next(
        (name for name in ("main.py", "__main__.py", f"{folder.name}.py", "__init__.py") if name in choices), ""
    )
    return _(
        "The folder {folder} has no {file}: that is where Arbitre looks for the bot. If it is in another file, name "
        "that in {place}: {example}"
    ).format(folder=folder, file=file.name, place=f"{folder.name}/{NAME}", example=f'file = "{best or choices[0]}"')


def _read(path: Path) -> Mapping[str, Any]:
    """The keys and values of a bot.toml; empty if there is no such file. Raises BotSpecError."""
    shown = f"{path.parent.name}/{path.name}"
    try:
        text = read_bounded(path, MOST_BYTES).decode("utf-8-sig").replace("\r\n", "\n")
    except FileNotFoundError:
        return {}
    except UnicodeDecodeError as error:
        raise BotSpecError(_("{file} is not in UTF-8.").format(file=shown)) from error
    except OSError as error:
        raise BotSpecError(_("{file} can't be read: {reason}.").format(file=shown, reason=reason(error))) from error

    def wrong(line: int, message: str) -> BotSpecError:
        return BotSpecError(_("{path}, line {line}: {message}").format(path=shown, line=line, message=message))

    try:
        said = tomllib.loads(text)
    except (ValueError, RecursionError) as error:  # a number of thousands of digits is none to Python
        found = re.search(r"line (\d+)", str(error))
        line = int(found[1]) if found else len(text.splitlines())
        raise wrong(line, _('this is not TOML: a key is written as name = "value".')) from error
    for key, value in said.items():
        line = _line_of(key, text)
        if key not in _KEYS:
            known = ", ".join(_KEYS)
            raise wrong(line, _("there is no key {key}; there are {known}.").format(key=key, known=known))
        if not _KEYS[key].fits(value):
            raise wrong(line, _("{key} must be {wanted}.").format(key=key, wanted=_(_KEYS[key].wanted)))
    return said


def _line_of(key: str, text: str) -> int:
    """The number of the line, from 1, on which a key or a section is written."""
    for number, line in enumerate(text.splitlines(), 1):
        if re.match(rf"\s*\[*\s*[\"']?{re.escape(key)}[\"']?\s*[=.\]]", line):
            return number
    return 1
