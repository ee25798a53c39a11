"""What the bots of other programs share: the command, the child process, and the way from a question to a legal move.

A protocol is a `Talk`: it asks over `Lines` (an `Engine`, or a script in the tests) and knows nothing of processes.
"""

import math
import random
import re
import shlex
import shutil
import time
from collections.abc import Callable, Hashable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, Protocol, runtime_checkable

import click

from bots.adapters import lasting
from bots.adapters.engine import Engine, move_deadline_s
from bots.base import (
    BaseBot,
    Bot,
    BotFaultError,
    BotSpecError,
    Budget,
    Course,
    Family,
    Fault,
    Listener,
    NotReadyError,
    Option,
    Options,
    Thought,
    plays_everything,
)
from games.base import Game, IllegalMove, Position, Seat
from locales import _
from processes.care import Care
from terminal.phrases import move_refused

GAME_FOLDERS = ("/usr/games", "/usr/local/games")
"""Where systems keep game programs, also those whose administrators have not got them in their PATH."""


CPU_SHARE = 0.25
"""How much of its processor time a program may have been waited for to be given another game."""

EXCHANGE_LINES = 4
EXCHANGE_CHARACTERS = 160
"""How much of the conversation stands in the message of a fault."""

_INTERPRETER = re.compile(r"(python|pypy|node|deno|bun|ruby|perl|lua|php|bash|sh|java)[\d.]*(\.exe)?")
"""Programs whose name says nothing of the bot that they run."""


class Lines(Protocol):
    """A program as a protocol sees it; see `Engine` for what each does and raises."""

    def send(self, line: str) -> None:
        """Writes a line."""
        ...

    def receive(self, within_s: float) -> str:
        """The next line."""
        ...

    def fault(self, reason: Fault, message: str) -> BotFaultError:
        """An error with the exchange and the stderr."""
        ...


MAX_SCORE = 1e9
MAX_DEPTH = 10_000
MAX_NODES = 2**53 - 1
"""What protocol 1 lets a thought say."""


def bounded_thought(depth: int, score: float, line: Sequence[str], nodes: int) -> Thought:
    """What a program says that it thinks, cut to what may be passed on: a program is no worse for a wild figure."""
    score = min(MAX_SCORE, max(-MAX_SCORE, score)) if math.isfinite(score) else 0.0
    moves = tuple(move for move in line if 1 <= len(move) <= 4)
    return Thought(max(0, min(depth, MAX_DEPTH)), score, moves, max(0, min(nodes, MAX_NODES)))


class Deadline:
    """A moment `seconds` from now; `clock` is monotonic."""

    def __init__(self, seconds: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._at = clock() + seconds

    @property
    def left_s(self) -> float:
        """The seconds until then, never negative."""
        return max(0.0, self._at - self._clock())


@dataclass(frozen=True, slots=True)
class Question:
    """One decision that a program is asked for.

    deadline: when its answer must have come, as far as we are concerned.
    listener: whom to tell of its thoughts.
    """

    position: Position
    course: Course
    budget: Budget
    deadline: Deadline
    listener: Listener = None


class Talk(Protocol):
    """A protocol in one match with one run of a program.

    leaves: whether the program ends with the last line that it gets.
    """

    leaves: ClassVar[bool]

    def greet(self, deadline: Deadline) -> None:
        """Says hello to a program that has just started.

        Raises BotFaultError; BotSpecError if the program says that it does not play this game.
        """
        ...

    def ask(self, question: Question) -> str:
        """A legal move, or RESIGN; raises BotFaultError."""
        ...

    def farewell(self, course: Course) -> str | None:
        """The last line that the program gets, if the protocol has one; `course` says how the match ended."""
        ...


@runtime_checkable
class Ponders(Protocol):
    """A protocol that can say that the opponent is to move."""

    def opponents_turn(self, position: Position, course: Course) -> None:
        """Says so; raises BotFaultError."""
        ...


@dataclass(frozen=True, slots=True)
class Context:
    """What a talk is about: the game, the program's lines, and what messages call it."""

    game: Game
    lines: Lines
    name: str

    def read_move(self, position: Position, answer: str) -> str:
        """The legal move that a program wrote; raises BotFaultError with the reason if it is none."""
        try:
            move = self.game.parse_move(answer)
            position.play(move)
        except IllegalMove as error:
            raise self.illegal(answer, move_refused(error.move.strip(), error.reason)) from error
        return move

    def illegal(self, answer: str, why: str) -> BotFaultError:
        """The fault of an answer that is no legal move; `why` is a sentence."""
        text = _("{name} answered {answer!r}: {why}").format(name=self.name, answer=answer[:200], why=why)
        return self.lines.fault("illegal", text.removesuffix("."))


class Wire:
    """The lines of the process that plays a match: a new one, or one that has played before."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine

    def send(self, line: str) -> None:
        """Writes a line."""
        self.engine.send(line)

    def receive(self, within_s: float) -> str:
        """The next line."""
        return self.engine.receive(within_s)

    def fault(self, reason: Fault, message: str) -> BotFaultError:
        """An error with the exchange and the stderr."""
        return self.engine.fault(reason, message)


class ProgramBot(BaseBot):
    """A program in one match: it starts before the match, and ends with it, unless it plays many, or at a fault.

    key: what tells its processes from those of others.
    """

    waits: ClassVar[bool] = True

    def __init__(self, wire: Wire, talk: Talk, care: Care, name: str, key: Hashable = None) -> None:
        super().__init__()
        self._name = name
        self._wire = wire
        self._run = lasting.Run(wire.engine, self.diary)
        self._talk = talk
        self._care = care
        self._key = (key, care)
        self._greeted = False
        self._waits_for_answer = False
        self._is_silent = True
        self._is_closed = self._pondering = False
        self._fault: BotFaultError | None = None

    def get_ready(self) -> None:
        """Starts the program and greets it."""
        if self._greeted:
            return
        self._greeted = True
        try:
            if self._care.many_games and (run := lasting.take(self._key)) is not None:
                self._run, self._wire.engine, self.diary = run, run.engine, run.diary
                self._engine.pass_over()
            else:
                self._engine.start()
            if self._is_closed:  # while it started
                self._engine.close()
            self._talk.greet(Deadline(self._care.start_s))
        except BotFaultError as error:
            self._engine.close()
            self._fault = error
            if error.reason == "timeout":
                raise NotReadyError(str(error)) from error
        except BotSpecError as error:
            self._engine.close()
            self._fault = self._engine.fault("crash", str(error).removesuffix("."))
            raise

    @property
    def ponders(self) -> bool:
        """Whether it is to be told when the opponent is to move."""
        return bool(self._care.ponder) and isinstance(self._talk, Ponders)

    def ponder(self, position: Position) -> None:
        """Tells the program that the opponent is to move; whether it still lives shows when it is asked."""
        if isinstance(self._talk, Ponders) and self._greeted and self._engine.is_alive:
            with suppress(BotFaultError):
                self._talk.opponents_turn(position, self.course)
                self._pondering = True

    @property
    def _engine(self) -> Engine:
        return self._wire.engine

    def choose(self, position: Position, budget: Budget) -> str:
        """What the program answers."""
        if self._pondering:  # what it wrote meanwhile answers nothing
            self._pondering = False
            self._engine.pass_over()
        self._waits_for_answer, began = True, time.monotonic()
        try:
            answer = self._ask(position, budget)
        except BotFaultError as error:
            self._waits_for_answer = False
            self._engine.close()
            hint = [self._hint()] if error.reason == "timeout" and self._is_silent else []
            text = "\n  ".join((str(error), *hint, *_last_exchange(error)))
            raise BotFaultError(
                error.reason, text, exchange=error.exchange, stderr=error.stderr, is_ours=error.is_ours
            ) from error
        finally:
            self._run.waited_s += time.monotonic() - began
        self._waits_for_answer = self._is_silent = False
        return answer

    def _ask(self, position: Position, budget: Budget) -> str:
        deadline = Deadline(move_deadline_s(budget, self._care))
        with suppress(BotSpecError, NotReadyError):  # it is a fault by now: the seat is taken
            self.get_ready()
        if self._fault is not None:
            raise self._fault
        return self._talk.ask(Question(position, self.course, budget, deadline, self.on_thought))

    def close(self) -> None:
        """Tells the program, if its protocol can, and lets it go."""
        result = self.course.result
        if result is not None and result.reason == "timeout" and self._waits_for_answer and self._is_silent:
            click.echo(self._hint(), err=True)
        self._is_closed = True
        farewell, run = self._talk.farewell(self.course), self._run
        is_sound = result is not None and self._fault is None and not self._waits_for_answer and run.engine.is_alive
        if self._care.many_games and is_sound:
            lasting.rest(self._key, run, lambda: self._settle(run, farewell))
        else:
            run.engine.close(farewell)

    def _settle(self, run: lasting.Run, farewell: str | None) -> bool:
        """Says what the protocol says between two games; whether the program may play another one."""
        if farewell is not None and not self._talk.leaves:
            try:
                run.engine.send(farewell)
            except BotFaultError:
                return False
        return run.waited_s < self._care.cpu_s * CPU_SHARE

    def _hint(self) -> str:
        """The usual reason for a program that never answers."""
        return _("{name} has not answered once. Does it end each line, and flush it (flush=True, fflush)?").format(
            name=self._name
        )


def _last_exchange(error: BotFaultError) -> Iterator[str]:
    """The last lines of the conversation, from a line of ours on."""
    lines = error.exchange[-EXCHANGE_LINES:]
    if lines and lines[0].startswith("<"):
        lines = lines[1:]
    return (line[:EXCHANGE_CHARACTERS] for line in lines)


def read_command(text: str) -> tuple[str, ...]:
    """The words of a command line as a shell would split it; raises BotSpecError."""
    try:
        words = tuple(shlex.split(text))
    except ValueError as error:
        raise BotSpecError(_("The quotes of {command!r} do not match.").format(command=text)) from error
    if not words or not words[0]:
        raise BotSpecError(_("There is no program in {command!r}.").format(command=text))
    return words


def find_program(word: str) -> str:
    """The path of the program that a command line names first; raises BotSpecError if there is none."""
    is_path = "/" in word or "\\" in word
    for folder in (None,) if is_path else (None, *GAME_FOLDERS):
        if (path := shutil.which(word, path=folder)) is not None:
            return path
    text = _("There is no program {program!r}: install it, or give its path (./{program}).")
    if is_path:
        text = _("There is no program {program!r}, or it may not be executed (chmod +x).")
    raise BotSpecError(text.format(program=word))


def program_family(
    name: str,
    summary: Callable[[], str],
    example: str,
    talk: Callable[[Context], Talk],
    check: Callable[[Game, Options], None] = plays_everything,
) -> Family:
    """The family of the programs that speak one protocol: `name:COMMAND`."""

    def title(options: Options) -> str:
        return _title(_command(options)) or name

    def make(game: Game, seat: Seat, rng: random.Random, options: Options) -> Bot:
        del seat, rng
        program, *arguments = _command(options)
        wire = Wire(Engine((find_program(program), *arguments), name=title(options), care=options.care))
        key = (name, game, options.word("command"), str(Path.cwd()))
        return ProgramBot(wire, talk(Context(game, wire, title(options))), options.care, title(options), key)

    def prepare(options: Options) -> None:
        find_program(_command(options)[0])
        if options.care.python:
            raise BotSpecError(_("An interpreter is for a bot in Python: my_bot.py, my_bot/."))
        if options.care.ponder and not hasattr(talk, "opponents_turn"):
            raise BotSpecError(_("The protocol {name} can't say that the opponent is to move.").format(name=name))

    return Family(
        name=name,
        summary=summary,
        make=make,
        options=(Option("command", None, example, lambda: _("command"), accept=_accept),),
        check=check,
        prepare=prepare,
        title=title,
    )


def _accept(text: str) -> None:
    read_command(text)


def _title(words: tuple[str, ...]) -> str:
    """The command without folders, and without the interpreter of a script: "bot.py", "gtp-rhino --level=1"."""
    names = [word if word.startswith("-") else Path(word).name for word in words]
    if len(names) > 1 and _INTERPRETER.fullmatch(names[0]) and not names[1].startswith("-"):
        names = names[1:]
    title = " ".join(names)
    return title if any(character.isalnum() for character in title) else ""


def _command(options: Options) -> tuple[str, ...]:
    text = options.word("command")
    assert text is not None, "parse_bot asks for it"
    return read_command(text)
