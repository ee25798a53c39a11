"""Pupils' files, unchanged: `my_othello.py`, `my_othello.py#jeuIA`, `my_othello.py#my_function=coup_joueur`.

The file runs in a process of its own (`pupils.host`), a new one for each match. What it defines decides how it is
asked; docs/class-files.md lists the interfaces. After `#` stands the function to use, and after `=` the interface that
it has, if its name does not say so.
"""

import random
import re
import sys
from functools import lru_cache
from pathlib import Path
from typing import ClassVar

import click

from bots.adapters.engine import Engine
from bots.adapters.pupils.facts import Moved, Place, Question, Ready, Report, Trouble, read_report, write
from bots.adapters.pupils.interfaces import ROLES
from bots.adapters.wording import explain
from bots.base import (
    FILE_FAMILY,
    BaseBot,
    BotFaultError,
    BotSpecError,
    Budget,
    Care,
    Family,
    Fault,
    Option,
    Options,
)
from games.base import Game, Position, Seat
from locales import _

_ROOT = Path(__file__).resolve().parents[2]
_NEEDED = tuple(_ROOT / package for package in ("bots", "games", "locales", "protocol"))
_START = "import sys; sys.path.append({root!r}); from bots.adapters.pupils.host import main; main()"

LOAD_SHARE = 0.5
"""How much of the time that a process has to start its file may take to be loaded; then what it defined counts."""

_MARGIN_S = 0.05
"""How long before its clock runs out a file is stopped: time enough to say where it was."""

_GRACE_S = 2.0
"""How much longer its process may take to say so."""

_FAULTS: dict[str, Fault] = {"slow": "timeout", "wrong": "illegal", "illegal": "illegal"}
_TRACE = re.compile(r'File "(?P<file>.+)", line (?P<line>[0-9]+) in (?P<function>.+)')

_TOLD: set[tuple[Path, str]] = set()
"""Of which file this process has told what: once, not in every match."""


class PythonFile(BaseBot):
    """One match of a pupil's file; `seed` is all the chance of its module `random`."""

    waits: ClassVar[bool] = True

    def __init__(self, game: Game, text: str, care: Care, seed: str) -> None:
        super().__init__()
        self._game = game
        self._path, self._choice = split(text)
        self._care = care
        self._seed = seed
        self._engine = make_engine(self._path, self._choice, care)
        self._opened = False
        self._failure: BotFaultError | None = None

    def get_ready(self) -> None:
        """Starts the process and loads the file."""
        if self._opened:
            return
        self._opened = True
        try:
            open_file(self._engine, self._path, self._care)
        except BotFaultError as error:
            self._engine.close()
            self._failure = error

    def choose(self, position: Position, budget: Budget) -> str:
        """The file's move; raises BotFaultError, whose message shows the position."""
        self.get_ready()
        if self._failure is not None:
            raise self._failure
        try:
            return self._ask(position, budget)
        except BotFaultError:
            self._engine.close()
            raise

    def close(self) -> None:
        """The match is over: its process ends."""
        self._engine.close()

    def _ask(self, position: Position, budget: Budget) -> str:
        within_s = self._care.move_s
        if budget.remaining_ms is not None:
            within_s = max(_MARGIN_S, budget.remaining_ms / 1000 - _MARGIN_S)
        moves = self.course.moves
        question = Question(
            game=self._game.spec,
            position=position.notation,
            within_s=within_s,
            moves=moves,
            seed=f"{self._seed}:{len(moves)}",
            clock={name: getattr(budget, name) for name in ("remaining_ms", "increment_ms", "move_ms", "opponent_ms")},
        )
        self._engine.send(write(question))
        try:
            report = receive(self._engine, within_s + _GRACE_S)
        except BotFaultError as error:
            raise self._say_where(error, position) from error
        match report:
            case Moved(move):
                for notice in report.notices:
                    self._tell(notice, position)
                return move
            case Trouble():
                text = explain(report, self._path.name, self._game, position)
                raise self._engine.fault(_FAULTS.get(report.kind, "crash"), text)
            case Ready():
                raise AssertionError(report)

    def _say_where(self, error: BotFaultError, position: Position) -> BotFaultError:
        """The same fault with the file's line, if its process could only leave a trace of it on stderr."""
        trace = _TRACE.search(error.stderr) if error.reason == "timeout" else None
        if trace is None:
            return error
        place = Place(Path(trace["file"]).name, int(trace["line"]), function=trace["function"])
        text = explain(Trouble("slow", place, function=trace["function"]), self._path.name, self._game, position)
        return self._engine.fault("timeout", text)

    def _tell(self, notice: Trouble, position: Position) -> None:
        if (self._path, notice.kind) not in _TOLD:
            _TOLD.add((self._path, notice.kind))
            click.echo(explain(notice, self._path.name, self._game, position), err=True)


def split(text: str) -> tuple[Path, str]:
    """The file and what is chosen in it: "my.py#f=coup_joueur" -> my.py, "f=coup_joueur"."""
    file, _mark, choice = (text, "", "") if Path(text).exists() else text.partition("#")
    return Path(file).expanduser().absolute(), choice


def make_engine(path: Path, choice: str, care: Care) -> Engine:
    """The process of a file, not yet started."""
    command = [sys.executable, "-P", "-B", "-X", "utf8", "-c", _START.format(root=str(_ROOT))]
    load_s = care.start_s * LOAD_SHARE
    return Engine(
        [*command, str(path), choice, str(load_s)], name=path.name, care=care, folder=path.parent, readable=_NEEDED
    )


def open_file(engine: Engine, path: Path, care: Care) -> Ready:
    """Starts the process and waits until it has loaded the file; raises BotFaultError."""
    engine.start()
    report = receive(engine, care.start_s)
    if isinstance(report, Trouble):
        raise engine.fault("crash", explain(report, path.name))
    assert isinstance(report, Ready)
    return report


def receive(engine: Engine, within_s: float) -> Report:
    """The next report; raises BotFaultError, also if it is none."""
    line = engine.receive(within_s)
    try:
        return read_report(line)
    except ValueError as error:
        raise engine.fault("crash", _("what runs the file answered nonsense: {line}").format(line=line)) from error


@lru_cache(maxsize=64)
def inspect(text: str, care: Care) -> Ready:
    """What the file is and plays, found out by loading it once; raises BotSpecError."""
    path, choice = split(text)
    engine = make_engine(path, choice, care)
    try:
        return open_file(engine, path, care)
    except BotFaultError as error:
        raise BotSpecError(str(error)) from error
    finally:
        engine.close()


def _accept(text: str) -> None:
    path, choice = split(text)
    if path.is_dir():
        raise BotSpecError(_("{file} is a folder; name a file in it.").format(file=text))
    if not path.exists():
        raise BotSpecError(_("There is no file {file}.").format(file=text.partition("#")[0]))
    role = choice.partition("=")[2]
    if role and role not in ROLES:
        raise BotSpecError(
            _("There is no interface {role!r}. The interfaces are: {roles}.").format(role=role, roles=", ".join(ROLES))
        )


def _prepare(options: Options) -> None:
    text = str(options.values["file"])
    ready = inspect(text, options.care)
    for notice in ready.notices:
        click.echo(explain(notice, split(text)[0].name), err=True)


def _check(game: Game, options: Options) -> None:
    text = str(options.values["file"])
    ready = inspect(text, options.care)
    needed = ready.plays.get(game.id)
    if needed is not None and all(getattr(game, option) == value for option, value in needed.items()):
        return
    played = ", ".join(
        f"{name}:{','.join(f'{option}={value}' for option, value in fixed.items())}".rstrip(":")
        for name, fixed in ready.plays.items()
    )
    raise BotSpecError(
        _("{file} is asked by its {function}, for {played} only, not for {game}.").format(
            file=split(text)[0].name, function=ready.function, played=played, game=game.spec
        )
    )


def _make(game: Game, seat: Seat, rng: random.Random, options: Options) -> PythonFile:
    del seat
    return PythonFile(game, str(options.values["file"]), options.care, str(rng.getrandbits(64)))


def _title(options: Options) -> str:
    """The file's name, or its folder's for a main.py: that is what thirty pupils' main.py differ by."""
    path = split(str(options.values["file"]))[0]
    return path.stem if path.stem != "main" else path.parent.name or path.stem


FAMILY = Family(
    name=FILE_FAMILY,
    summary=lambda: _("a file from class or of your own, unchanged; written as its name, my_othello.py"),
    make=_make,
    options=(Option("file", None, "my_othello.py", lambda: _("Python file"), _accept),),
    check=_check,
    prepare=_prepare,
    title=_title,
)
