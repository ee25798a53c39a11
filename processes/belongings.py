"""Finds the files that belong to a bot: the part of its folder that a sandbox shows.

A bot that has a folder of its own sees all of it. Where others' files lie in the same folder, as thirty pupils' do, it
sees its own file, what that imports, and what has the same name: lea.py, lea.json, lea/. A folder is shared if

- it is a folder of everything (the home folder, /tmp), or something lies in it that is `apart`: another bot of the same
  contest, a league's file or log;
- something lies in it that looks like a league's, or like a key (`_PRIVATE`);
- the program is in Python, and there are Python files beside it which it does not import. But a file called main.py or
  bot.py, or named like its folder, has that folder to itself.

A bot that is written as a folder (`my_bot/`) sees all of it, except what is `apart` or private.
"""

import os
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from machine import folders
from machine.files import beginning

SYSTEM: Final = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/nix/store", "/gnu/store")

MOST_FILES = 1000
MOST_BYTES = 1 << 20
"""How many files of a bot are read to see what they import, and how much of each."""

_PYTHON = ".py"
_BOTS: Final = (_PYTHON, ".ipynb")
"""The files of pupils, of which each is a bot."""

_EXPORT: Final = (".txt", re.compile(rb"^In ?\[", re.MULTILINE))
"""For notebooks that were exported as text: their suffix, and a pattern that tells them from tables of numbers."""

_MAIN: Final = frozenset({"main", "__main__", "bot"})
_BESIDE: Final = re.compile(r"(test_.*|.*_test|conftest|setup|__init__)\.py")
"""Python files of which each project has some, and that no program imports."""

_PRIVATE: Final = re.compile(
    r"codes\.json|host(-[0-9a-f]+)?\.json|league\.jsonl|\.env|id_(rsa|dsa|ecdsa|ed25519)|.*\.(key|pem|p12|pfx)"
)
_OF_LEAGUE: Final = ("league.jsonl", "codes.json", "host.json")
_LEAGUE: Final = re.compile(rb"^\s*\[league\]", re.MULTILINE)
INTERPRETER: Final = re.compile(r"(python|pypy|node|deno|bun|ruby|perl|lua|php|bash|sh|java)[\d.]*(\.exe)?")
"""The names of interpreters: what a command runs is named by the word after them."""

_IMPORTS: Final = re.compile(
    r"^[^#\n]*?\b(?:from\s+(?P<of>\.*[\w.]*)\s+import\s+\(?(?P<names>[\w\s,]*)"
    r"|import\s+(?P<modules>[\w.]+(?:[ \t,]+[\w.]+)*))",
    re.MULTILINE,
)


class Belongings(NamedTuple):
    """The files and folders of a bot; `hidden`: files beside one of them that are not shown."""

    shown: tuple[Path, ...]
    hidden: tuple[Path, ...]


def belongings(command: Sequence[str], place: Path, apart: Sequence[Path] = (), own: Path | None = None) -> Belongings:
    """What belongs to the program that `command` runs in the folder `place`; apart: paths that don't.

    own: a folder that is the program, all of it, whatever its files are called.
    """
    named = [path for path in _named(command, place) if not is_system(path)]
    others = [path for path in apart if path not in named and path != own]
    shown: list[Path] = [] if own is None else _all_of(own, others)
    hidden: list[Path] = []
    for path in named:
        if own is not None and path.is_relative_to(own):
            continue
        seen = _whole_or_part(path, others)
        shown += seen
        if path.parent not in seen:
            hidden += [entry for entry in _entries(path.parent) if entry not in seen]
    return Belongings(tuple(shown), tuple(entry for entry in hidden if entry not in shown))


def files_in(words: Sequence[str], place: Path) -> list[Path]:
    """The files that a command line in `place` names, without the interpreter and the system's own.

    words: the program first, as in `belongings`.
    """
    if words and INTERPRETER.fullmatch(Path(words[0]).name):
        words = ("", *words[1:])
    return [path for path in _named(words, place) if not is_system(path)]


def is_system(path: Path) -> bool:
    """Whether it is among the system's programs and libraries, which every sandbox shows."""
    return any(path.is_relative_to(folder) for folder in SYSTEM)


def shows_too_much(folder: Path, apart: Sequence[Path] = ()) -> bool:
    """Whether `folder` holds a user's secrets, a folder that everybody shares (/tmp), or something `apart`."""
    home, temporary = folders.home(), folders.temporary()
    private = (
        *(() if home is None else (home / ".ssh",)),
        folders.state(),
        folders.data(),
        folders.config(),
        *(() if temporary is None else (temporary / "others",)),
        Path("/etc/shadow"),
        Path("/var/tmp/others"),  # noqa: S108 - nothing is written there
        *apart,
    )
    real = folder.resolve()
    return any(path.is_relative_to(folder) or path.is_relative_to(real) for path in private)


def _named(command: Sequence[str], place: Path) -> Iterator[Path]:
    """The files that the words of a command name; the program is one of them only if it is written with a path."""
    for number, word in enumerate(command):
        if word and (number or "/" in word):
            path = Path(os.path.normpath(place / Path(word).expanduser()))
            if _is_file(path):
                yield path


def _all_of(folder: Path, apart: Sequence[Path]) -> list[Path]:
    """The folder itself, or the entries in it that may be seen if something in it is `apart` or private."""
    if not shows_too_much(folder, apart) and not any(map(_is_private, _entries(folder))):
        return [folder]
    shown: list[Path] = []
    for entry in _entries(folder):
        if entry in apart or _is_private(entry):
            continue
        if shows_too_much(entry, apart) and entry.is_dir() and not entry.is_symlink():
            shown += _all_of(entry, apart)
        elif _is_inside(entry, folder, apart):
            shown.append(entry)
    return shown


def _whole_or_part(path: Path, apart: Sequence[Path]) -> list[Path]:
    """The folder of a file, if it is the bot's own, else what of it belongs to the bot."""
    folder = path.parent
    if not shows_too_much(folder, apart) and not any(map(_is_private, _entries(folder))):
        if not _is_bot(path) or path.stem in {*_MAIN, folder.name}:
            return [folder]
        imported = _imported(path, ())
        others = (entry for entry in _entries(folder) if not _BESIDE.fullmatch(entry.name) and _is_bot(entry))
        if all(entry == path or entry in imported for entry in others):
            return [folder]
    alike = (entry for entry in _entries(folder) if entry.name == path.stem or entry.name.startswith(f"{path.stem}."))
    own = [path, *(entry for entry in alike if entry != path and _is_inside(entry, folder, apart))]
    return [*own, *(_imported(path, apart) if _is_bot(path) else ())]


def _is_bot(entry: Path) -> bool:
    """Whether the file may be a pupil's bot: Python, a notebook, or a notebook exported as text."""
    ending, heading = _EXPORT
    return entry.suffix in _BOTS or (entry.suffix == ending and heading.search(_beginning(entry)) is not None)


def _imported(path: Path, apart: Sequence[Path]) -> list[Path]:
    """The modules and packages in the folder of a Python file that it imports, and what those import, if not `apart`.

    They are looked for in its text: what is not written as an import is not found.
    """
    folder, found, queue = path.parent, list[Path](), [path]
    for source in queue:  # it grows meanwhile
        for name in _modules(source):
            for entry in (folder / f"{name}{_PYTHON}", folder / name):
                fits = entry not in found and entry != path and entry.exists() and _is_inside(entry, folder, apart)
                if fits and len(queue) < MOST_FILES:
                    found.append(entry)
                    queue += [entry] if entry.is_file() else _sources(entry)
    return found


def _sources(package: Path) -> list[Path]:
    """The Python files of a package, some at least."""
    found: list[Path] = []
    for place, _folders, names in os.walk(package):
        found += [Path(place) / name for name in names if name.endswith(_PYTHON)]
        if len(found) > MOST_FILES:
            break
    return found[:MOST_FILES]


def _modules(source: Path) -> set[str]:
    """The first part of the name of each module that a Python file imports."""
    data = _beginning(source)
    try:
        text = data.decode()
    except UnicodeDecodeError:
        text = data.decode("latin-1")
    if source.suffix != _PYTHON:  # in a notebook, lines are texts of JSON, perhaps all of them in one line
        text = re.sub(r'\\n|"', "\n", text)
    written: list[str] = []
    for match in _IMPORTS.finditer(text):
        of, names, modules = match["of"] or "", match["names"] or "", match["modules"] or ""
        written += [of.lstrip(".")] if of.strip(".") else re.findall(r"\w+", names)
        written += re.findall(r"[\w.]+", modules)
    return {name.partition(".")[0] for name in written if name}


def _beginning(file: Path) -> bytes:
    """What a file begins with; nothing if it can't be read."""
    try:
        return beginning(file, MOST_BYTES)
    except OSError:
        return b""


def _is_inside(entry: Path, folder: Path, apart: Sequence[Path]) -> bool:
    """Whether the path is in the folder without a link to elsewhere, and holds nothing `apart` and no secret."""
    real = entry.resolve()
    return real.is_relative_to(folder.resolve()) and not any(
        shows_too_much(path, apart) or _is_private(path) for path in (entry, real)
    )


def _is_private(entry: Path) -> bool:
    """Whether the path is a league's file or folder, or looks like a key."""
    if _PRIVATE.fullmatch(entry.name) or any((entry / name).exists() for name in _OF_LEAGUE):
        return True
    if entry.suffix != ".toml":
        return False
    try:
        return _LEAGUE.search(beginning(entry, MOST_BYTES)) is not None
    except OSError:
        return True


def _entries(folder: Path) -> list[Path]:
    try:
        return sorted(folder.iterdir())
    except OSError:
        return []


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except (OSError, ValueError):  # a name that is too long, for one
        return False
