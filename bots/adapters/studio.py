"""What runs in a browser, in the studio of the page: loads a pupil's file, asks it for moves, says what is wrong.

A worker of the page (`page/app/studio/worker.js`) starts an interpreter, gives it our sources, and calls `begin`. What
goes to and fro is JSON; sentences are in the reader's language, the same as those of `bots.adapters.wording` elsewhere.
Standard library only, as all that it imports.
"""

import ast
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Final

import games
from bots.adapters import wording
from bots.adapters.pupils.facts import Moved, Question, Setup, Trouble, fault_of
from bots.adapters.pupils.host import FileRunner
from bots.adapters.pupils.inline import Clock, InlineStage
from bots.adapters.pupils.patience import thinking_s
from bots.adapters.pupils.trouble import Sources
from games.base import Game, Position, position_after
from locales import N_, _, set_language

_WINDOWS: Final = N_(
    "{module} opens no window here: what draws in it has no effect. To see your game, play it on the page; to see the "
    "window, run the file with Python on a computer."
)
_AT_ONCE: Final = N_(
    "{module} starts nothing here: a browser runs one thing at a time. Call the function itself, without a thread."
)

_LIBRARY: Final = N_(
    "{module} is not there in the browser. A file that is handed in has it if it is installed where the class plays: "
    "its check says so. To try the file here, write it without {module}."
)

_ABSENT: Final[Mapping[str, str]] = {
    "tkinter": _WINDOWS,
    "turtle": _WINDOWS,
    "pygame": _WINDOWS,
    "threading": _AT_ONCE,
    "_thread": _AT_ONCE,
    "multiprocessing": _AT_ONCE,
    "concurrent": _AT_ONCE,
    **dict.fromkeys(("numpy", "scipy", "pandas", "matplotlib", "numba", "torch"), _LIBRARY),
}
"""Module that does not work in a browser -> a sentence that says why, and what to do instead."""

_HARMLESS: Final = ("hint", "magic", "demo", "chosen")
"""The kinds of trouble that are no errors."""


class Studio:
    """One file, in one interpreter. clock: interrupts it. show: told what the file prints."""

    def __init__(self, clock: Clock, show: Callable[[str], object]) -> None:
        self._make_stage: Callable[[Sources], InlineStage] = partial(InlineStage, clock=clock, show=show)
        self._host: FileRunner | None = None
        self._name = ""

    def open(self, fields: str) -> str:
        """Loads the file: `path`, `choice`, `load_s` and `language`; returns what it found, and what is wrong."""
        asked = json.loads(fields)
        set_language(asked["language"])
        path = Path(asked["path"])
        self._name = path.name
        host = self._host = FileRunner(Setup(str(path), asked["choice"], asked["load_s"]), self._make_stage)
        opened = host.load()
        marks = [self._mark(text, line, "note") for line, text in _absent(host.tree)]
        if isinstance(opened, Trouble):
            return _answer(marks=[self._told(opened), *marks])
        return _answer(
            ready=True,
            function=opened.function,
            interface=opened.interface,
            plays=opened.plays,
            late=wording.explain(Trouble("slow", function=opened.function), self._name),
            marks=[*map(self._told, opened.notices), *marks],
        )

    def ask(self, fields: str) -> str:
        """The file's move after the `moves` of a `game`, in the time of `clock`; or its fault, and why."""
        asked = json.loads(fields)
        assert self._host is not None
        game = games.parse(asked["game"])
        position = position_after(game, asked["moves"])
        within_s = thinking_s(asked["clock"].get("remaining_ms"), asked["move_s"])
        moves = tuple(asked["moves"])
        seed = f"{asked['seed']}:{len(moves)}"
        response = self._host.answer(Question(game.spec, position.notation, within_s, moves, seed, asked["clock"]))
        if isinstance(response, Moved):
            said = [notice for notice in response.notices if notice.kind != "printed"]  # the page shows prints itself
            return _answer(move=response.move, marks=[self._told(notice, game, position) for notice in said])
        return _answer(fault=fault_of(response), marks=[self._told(response, game, position)])

    def _told(self, trouble: Trouble, game: Game | None = None, position: Position | None = None) -> dict[str, Any]:
        """A trouble as the page shows it."""
        kind = "note" if trouble.kind in _HARMLESS else "error"
        text = wording.explain(trouble, self._name, game, position, in_command=False)
        return self._mark(text, trouble.place.line, kind, trouble.place.cell)

    def _mark(self, text: str, line: int, kind: str, cell: int = 0) -> dict[str, Any]:
        return {"text": text, "line": line, "cell": cell, "kind": kind}


def begin(clock: Clock, show: Callable[[str], object]) -> Studio:
    """Called once by the worker. clock: interrupts the interpreter. show: shows what the file prints."""
    return Studio(clock, show)


def _answer(marks: Sequence[Mapping[str, Any]], **fields: Any) -> str:
    return json.dumps({**fields, "marks": marks})


def libraries(tree: ast.Module) -> list[str]:
    """The libraries that a file imports, and that may be installed elsewhere but are never there in a browser."""
    return [name for _line, name in _imported(tree) if _ABSENT[name] is _LIBRARY]


def _absent(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """The lines that import modules of `_ABSENT`, each module once, with its sentence."""
    for line, name in _imported(tree):
        yield line, _(_ABSENT[name]).format(module=name)


def _imported(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """The modules of `_ABSENT` that are imported, each once, with the line."""
    seen: set[str] = set()
    for node in ast.walk(tree):
        names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        if isinstance(node, ast.ImportFrom) and node.level == 0:
            names = [node.module or ""]
        for name in (name.partition(".")[0] for name in names):
            if name in _ABSENT and name not in seen:
                seen.add(name)
                yield getattr(node, "lineno", 0), name
