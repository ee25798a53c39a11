"""Pupils' files, unchanged: `my_bot.py`, `my_bot.py#jeuIA`, `my_bot/`, `my_bot.py#my_function=coup_joueur`.

The file runs in a process of its own (`pupils.host`), a new one for each match unless the bot plays many games in one
process. Its names decide how it is asked: docs/class-files.md lists the interfaces. After `#` comes the function to
use, and after `=` its interface, if its name does not tell. A folder is a package (`bots.adapters.settings`).
"""

import compileall
import json
import random
import re
import sys
import threading
import time
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, replace
from functools import cache, lru_cache
from pathlib import Path
from typing import ClassVar

import click

from bots.adapters import dumps, lasting, wording
from bots.adapters.engine import Engine
from bots.adapters.pupils.facts import (
    Moved,
    Over,
    Ponder,
    Question,
    Ready,
    Response,
    Rested,
    Setup,
    Stop,
    Stopped,
    Trouble,
    fault_of,
    read_response,
    write,
)
from bots.adapters.pupils.interfaces import ANY_GAME, ROLES
from bots.adapters.pupils.patience import Deadline, thinking_s
from bots.adapters.settings import FileSettings, read_settings, split
from bots.base import (
    FILE_FAMILY,
    UNLIMITED,
    BaseBot,
    BotFaultError,
    BotLoadError,
    BotSpecError,
    Budget,
    Family,
    NotReadyError,
    Option,
    Options,
    SupervisorLostError,
    folder_written,
)
from games.base import Game, GameError, Position, Seat, position_after
from locales import _
from machine import modules
from processes.launch_options import LaunchOptions

NEEDED = tuple(modules.FOLDER / package for package in ("bots", "games", "locales", "machine", "processes"))
"""What the process of a file must be able to read besides the file or folder and the interpreter."""

_OLDEST = (3, 8)
_START = (
    "import sys; {hello}sys.path[:] = [place for place in sys.path if place]; "
    "own = {{'__name__': 'namespace'}}; exec(open({namespace!r}).read(), own); finder = own['seclude']({folder!r}); "
    "from arbitre.bots.adapters.pupils.older import prepare; prepare(finder); "
    "from arbitre.bots.adapters.pupils.{module} import main; main()"
)
_HELLO = "sys.stdout.write('python %d %d\\n' % sys.version_info[:2]); sys.stdout.flush(); "
"""This and `_START` parse on any Python, so that one that is too old at least tells its version."""

HOST = "host"
"""The module of `bots.adapters.pupils` that runs a file in a match."""

TRACING = "tracing"
"""The module that runs a file and records its calls."""

LOAD_SHARE = 0.5
"""The share of the starting time that loading may take; after that the file is used as far as it has been loaded."""

LOADED_AT_MOST = 3
"""How often we try to load a file whose supervisor dies meanwhile, which is no fault of the file."""

CPU_SHARE = 0.5
"""A process gets another game only while it has used less than this share of its processor time limit."""

STOP_S = 2.0
"""How long we wait for a file to stop pondering; its process interrupts it long before that."""

_GRACE_S = 2.0
"""How much longer than a move may take we wait for the response of the process."""

_TOLD: set[tuple[Path, str]] = set()
"""The notices that this process has already shown, by file: each is shown once, not in every match."""

_STOPPED: set[Path] = set()
"""The files whose demos were stopped in this process: they are not begun again in each match."""


class PythonFile(BaseBot):
    """One match of a pupil's file; `seed` decides all random numbers of its module `random`."""

    waits: ClassVar[bool] = True
    explains: ClassVar[bool] = True

    def __init__(self, game: Game, text: str, launch: LaunchOptions, seed: str, seat: Seat = Seat.FIRST) -> None:
        super().__init__()
        self._game = game
        self._seat = seat
        self._settings = read_settings(text, launch)
        self._launch = launch
        self._seed = seed
        self._key = (text, str(Path.cwd()), launch)
        self._run: lasting.Run | None = None
        self._can_ponder = False
        self._pondering = False
        self._failure: BotFaultError | None = None
        self._lock = threading.Lock()
        self._is_busy = self._is_closed = False

    @property
    def ponders(self) -> bool:
        """Whether the file may think in the opponent's time, and defines how."""
        return self._settings.ponder

    @property
    def printed(self) -> str:
        """The end of what the file's process has written to its standard error by now: prints go there, too."""
        if self._run is None:
            return ""
        self._run.engine.hear_out()
        return dumps.printed(self._run.engine.stderr)

    def get_ready(self) -> None:
        """Starts a process and loads the file, or takes a process that rests after an earlier game."""
        if self._run is not None:
            return
        with self._at_work():
            self._begin()
            if self._failure is not None and self._failure.reason == "timeout":
                raise NotReadyError(str(self._failure)) from self._failure

    def choose(self, position: Position, budget: Budget) -> str:
        """The file's move; raises BotFaultError, whose message shows the position."""
        with self._at_work():
            engine = self._begin()
            if self._failure is not None:
                raise self._failure
            try:
                return self._ask(engine, position, self._stop_pondering(engine, position, budget))
            except BotFaultError as error:
                error.stderr = dumps.printed(error.stderr)
                self._failure = error
                engine.close()
                raise

    def ponder(self, position: Position) -> None:
        """Tells the file that the opponent is to move."""
        with self._at_work():
            if self._run is None or self._is_closed or self._failure is not None or not self._can_ponder:
                return
            engine, moves = self._run.engine, self.history.moves
            request = Ponder(self._game.spec, position.notation, moves, f"{self._seed}:{len(moves)}")
            try:
                self._stop_pondering(engine, position, UNLIMITED)
                engine.send(write(request))
                self._pondering = True
            except BotFaultError as error:
                self._failure = error
                engine.close()

    def close(self) -> None:
        """Ends the process after a match, or lets it rest if it plays many games."""
        with self._lock:
            is_first, self._is_closed = not self._is_closed, True
            if self._is_busy and not self._settings.many_games and self._run is not None:
                self._run.engine.close()
            if self._is_busy or not is_first:
                return
        self._let_go()

    @contextmanager
    def _at_work(self) -> Generator[None]:
        """Marks the process as busy; a `close` that comes meanwhile takes effect at the end."""
        with self._lock:
            self._is_busy = True
        try:
            yield
        finally:
            with self._lock:
                self._is_busy = False
                is_closed = self._is_closed
            if is_closed:
                self._let_go()

    def _begin(self) -> Engine:
        """The process of this match; if it did not start, `_failure` has the error."""
        if self._run is not None:
            return self._run.engine
        run = lasting.take(self._key) if self._settings.many_games else None
        if run is None:
            run = lasting.Run(make_engine(self._settings, self._launch))
        with self._lock:
            self._run, self.diary = run, run.diary
            if self._is_closed and not self._settings.many_games:
                run.engine.close()
        try:
            if not run.engine.is_alive:
                run.ponders = open_file(run.engine, self._settings, self._launch).ponders
            self._can_ponder = self._settings.ponder and run.ponders
        except BotFaultError as error:
            run.engine.close()
            self._failure = error
        return run.engine

    def _let_go(self) -> None:
        run, self._run = self._run, None
        if run is None:
            return
        is_sound = self._failure is None and self.history.result is not None and run.engine.is_alive
        if self._settings.many_games and is_sound:
            lasting.rest(self._key, run, lambda: self._settle(run.engine))
        else:
            run.engine.close()

    def _settle(self, engine: Engine) -> bool:
        """Tells the file how its match ended; returns whether the process may play another one."""
        result = self.history.result
        assert result is not None
        try:
            position = position_after(self._game, self.history.moves)
            engine.send(write(Over(self._game.spec, position.notation, int(self._seat), result.winner)))
            response = receive(engine, lasting.REST_S)
            while isinstance(response, (Moved, Stopped)):  # it was still thinking when the match ended
                response = receive(engine, lasting.REST_S)
        except (BotFaultError, GameError):
            return False
        if not isinstance(response, Rested):
            return False
        if response.trouble is not None:
            click.echo(wording.explain(response.trouble, self._settings.name), err=True)
            return False
        return response.cpu_s < self._launch.cpu_s * CPU_SHARE

    def _stop_pondering(self, engine: Engine, position: Position, budget: Budget) -> Budget:
        """Stops pondering; returns what is left of the budget. Raises BotFaultError if that fails, or pondering did."""
        if not self._pondering:
            return budget
        self._pondering = False
        began = time.monotonic()
        engine.send(write(Stop()))
        try:
            response = receive(engine, STOP_S)
        except BotFaultError as error:
            if error.reason != "timeout":
                raise
            trouble = Trouble("endless", function="ponder")
            text = wording.explain(trouble, self._settings.name, self._game, position)
            raise engine.fault("timeout", text) from error
        if isinstance(response, Stopped) and response.trouble is not None:
            text = wording.explain(response.trouble, self._settings.name, self._game, position)
            raise engine.fault(fault_of(response.trouble), text)
        if budget.remaining_ms is None:
            return budget
        spent_ms = round((time.monotonic() - began) * 1000)
        flag_ms = None if budget.flag_ms is None else max(0, budget.flag_ms - spent_ms)
        return replace(budget, remaining_ms=max(0, budget.remaining_ms - spent_ms), flag_ms=flag_ms)

    def _ask(self, engine: Engine, position: Position, budget: Budget) -> str:
        question = make_question(self._game, position, self.history.moves, budget, self._launch, self._seed)
        engine.send(write(question))
        try:
            response = receive(engine, question.within_s + _GRACE_S)
        except BotFaultError as error:
            raise self._say_where(engine, error, position) from error
        if isinstance(response, Moved):
            for notice in response.notices:
                self._tell(notice, position)
            return response.move
        if not isinstance(response, Trouble):
            raise engine.fault("crash", _("what runs the file answered nonsense: {line}").format(line=response))
        text = wording.explain(response, self._settings.name, self._game, position)
        raise _of(response, engine.fault(fault_of(response), text))

    def _say_where(self, engine: Engine, error: BotFaultError, position: Position) -> BotFaultError:
        """The same fault with the line of the file, if the process could only write a traceback to its stderr."""
        place = dumps.place(error.stderr, self._settings.file) if error.reason == "timeout" else None
        if place is None:
            return error
        trouble = Trouble("slow", place, function=place.function or self._settings.name)
        text = wording.explain(trouble, self._settings.name, self._game, position)
        return _of(trouble, engine.fault("timeout", text))

    def _tell(self, notice: Trouble, position: Position) -> None:
        key = (self._settings.file, f"{notice.kind} {notice.hints}")
        if key not in _TOLD and not self._launch.quiet:
            _TOLD.add(key)
            click.echo(wording.explain(notice, self._settings.name, self._game, position), err=True)


def _of(trouble: Trouble, error: BotFaultError) -> BotFaultError:
    """The error, with what it is about."""
    error.trouble = trouble
    return error


def make_question(
    game: Game, position: Position, moves: tuple[str, ...], budget: Budget, launch: LaunchOptions, seed: str
) -> Question:
    """The question for a position; `seed` is that of the match."""
    within_s = thinking_s(budget.until_flag_ms, launch.move_s)
    clock = {name: getattr(budget, name) for name in ("remaining_ms", "increment_ms", "move_ms", "opponent_ms")}
    return Question(game.spec, position.notation, within_s, moves, f"{seed}:{len(moves)}", clock)


def command_of(settings: FileSettings, launch: LaunchOptions, module: str = HOST) -> list[str]:
    """The command that runs a file by `module` of `bots.adapters.pupils`."""
    start_s = settings.may_start_s(launch)
    folder = "" if settings.folder is None else str(settings.folder)
    demos = settings.file not in _STOPPED
    setup = Setup(str(settings.file), settings.choice, start_s * LOAD_SHARE, folder, demos)
    flags = ("-B", "-X", "utf8") if settings.python else ("-P", "-B", "-X", "utf8")
    namespace = str(modules.FOLDER / "machine" / "namespace.py")
    hello = _HELLO if module in (HOST, TRACING) else ""
    start = _START.format(hello=hello, namespace=namespace, folder=str(modules.FOLDER), module=module)
    return [settings.python or sys.executable, *flags, "-c", start, json.dumps(asdict(setup)), str(settings.file)]


@cache
def compile_once() -> None:
    """Compiles what the processes of files import, unless it is compiled as it is.

    Those processes write no bytecode, so that pupils' folders stay as they are: each would compile it again.
    """
    if not sys.dont_write_bytecode:
        for path in (modules.FOLDER / "bots" / "adapters" / "pupils").rglob("*.py"):
            compileall.compile_file(path, quiet=2)  # where it may not be written, nothing is


def make_engine(settings: FileSettings, launch: LaunchOptions, module: str = HOST) -> Engine:
    """The process of a file, not yet started."""
    compile_once()
    return Engine(
        command_of(settings, launch, module),
        name=settings.name,
        launch=launch,
        folder=settings.folder or settings.file.parent,
        readable=NEEDED,
        own=settings.folder,
    )


def open_file(engine: Engine, settings: FileSettings, launch: LaunchOptions) -> Ready:
    """Starts the process and waits until it has loaded the file; raises BotFaultError."""
    engine.start()
    deadline = Deadline(settings.may_start_s(launch))
    _check_version(engine, settings, deadline)
    response = receive(engine, deadline)
    if isinstance(response, Trouble):
        raise _of(response, engine.fault("crash", wording.explain(response, settings.name)))
    if not isinstance(response, Ready):
        raise engine.fault("crash", _("what runs the file answered nonsense: {line}").format(line=response))
    if any(notice.kind == "demo" for notice in response.notices):
        _STOPPED.add(settings.file)
    return response


def _check_version(engine: Engine, settings: FileSettings, deadline: Deadline) -> None:
    """Raises BotFaultError if the interpreter is no Python, or one that is too old."""
    try:
        line = engine.receive(deadline)
    except BotFaultError as error:
        if not settings.python or error.is_ours:
            raise
        said = error.stderr.splitlines()[-1:] or [str(error)]
        text = _("{python} does not start as Python does: {said}").format(python=settings.python, said=said[0])
        raise engine.fault(error.reason, text) from error
    found = re.fullmatch(r"python ([0-9]+) ([0-9]+)", line)
    if found is None:
        raise engine.fault("crash", _("{python} is no Python interpreter.").format(python=settings.python))
    if (int(found[1]), int(found[2])) < _OLDEST:
        text = _("{python} is Python {version}; a bot needs Python {oldest} or newer.")
        version, oldest = f"{found[1]}.{found[2]}", ".".join(map(str, _OLDEST))
        raise engine.fault("crash", text.format(python=settings.python, version=version, oldest=oldest))


def receive(engine: Engine, within: "float | Deadline") -> Response:
    """The next response, within so many seconds; raises BotFaultError, also if the line is none."""
    line = engine.receive(within if isinstance(within, Deadline) else Deadline(within))
    try:
        return read_response(line)
    except ValueError as error:
        raise engine.fault("crash", _("what runs the file answered nonsense: {line}").format(line=line)) from error


@dataclass(frozen=True, slots=True)
class _Looked:
    """The key of a cached look at a file; `timeless` is `launch` without its times, which don't change the result."""

    text: str
    timeless: LaunchOptions
    launch: LaunchOptions = field(compare=False)


def inspect(text: str, launch: LaunchOptions) -> Ready:
    """Loads the file to find its interface and its games; only once in the life of our process.

    Raises BotSpecError, BotLoadError if it fails when it is loaded, and SupervisorLostError.
    """
    return _look(_Looked(text, replace(launch, start_s=0.0, move_s=0.0), launch))


@lru_cache(maxsize=64)
def _look(looked: _Looked) -> Ready:
    text, launch = looked.text, looked.launch
    settings = read_settings(text, launch)
    left = LOADED_AT_MOST
    while True:
        engine = make_engine(settings, launch)
        try:
            return open_file(engine, settings, launch)
        except BotFaultError as error:
            left -= 1
            if not error.is_ours:
                text = "\n  ".join((str(error), *error.stderr.splitlines()[-1:]))
                raise BotLoadError(text, trouble=error.trouble, stderr=error.stderr) from error
            if left == 0:
                raise SupervisorLostError(str(error)) from error
        finally:
            engine.close()


def _accept(text: str) -> None:
    path, choice = split(text)
    is_folder = text.partition("#")[0].endswith(("/", "\\"))
    if path.is_dir() and not is_folder:
        raise BotSpecError(folder_written(text))
    if not path.exists() and not is_folder:
        raise BotSpecError(_("There is no file {file}.").format(file=text.partition("#")[0]))
    role = choice.partition("=")[2]
    if role and role not in ROLES:
        raise BotSpecError(
            _("There is no interface {role!r}. The interfaces are: {roles}.").format(role=role, roles=", ".join(ROLES))
        )


def _prepare(options: Options) -> None:
    text = str(options.values["file"])
    ready, settings = inspect(text, options.launch), read_settings(text, options.launch)
    for notice in () if options.launch.quiet else ready.notices:
        click.echo(wording.explain(notice, settings.name), err=True)
    if settings.ponder and not ready.ponders:
        text = _("{name} is to think in the opponent's time, but {file} defines no function ponder(position).")
        raise BotSpecError(text.format(name=settings.name, file=settings.file.name))


def _check(game: Game, options: Options) -> None:
    text = str(options.values["file"])
    ready = inspect(text, options.launch)
    needed = ready.plays.get(game.id)
    if needed is not None and all(getattr(game, option) == value for option, value in needed.items()):
        return
    played = ", ".join(
        f"{name}:{','.join(f'{option}={value}' for option, value in fixed.items())}".rstrip(":")
        for name, fixed in ready.plays.items()
    )
    said = _("{file} is asked by its {function}, for {played} only, not for {game}.").format(
        file=read_settings(text, options.launch).name, function=ready.function, played=played, game=game.spec
    )
    known = ", ".join(interface.name for interface in ANY_GAME)
    raise BotSpecError(said + " " + _("What plays every game: {interfaces}.").format(interfaces=known))


def _make(game: Game, seat: Seat, rng: random.Random, options: Options) -> PythonFile:
    return PythonFile(game, str(options.values["file"]), options.launch, str(rng.getrandbits(64)), seat)


def _title(options: Options) -> str:
    """The file's name; for a main.py its folder's name, since thirty pupils may all have a main.py."""
    path = split(str(options.values["file"]))[0]
    if path.is_dir():
        return path.name
    return path.stem if path.stem != "main" else path.parent.name or path.stem


FAMILY = Family(
    name=FILE_FAMILY,
    summary=lambda: _("a file from class or of your own, unchanged; written as its name, my_bot.py"),
    make=_make,
    options=(Option("file", None, "my_bot.py", lambda: _("Python file"), _accept),),
    check=_check,
    prepare=_prepare,
    title=_title,
)
