"""What all adapters for programs share: the command, the child process, and the way from a question to a legal move.

A protocol is a `Talk`. It talks over `Lines` (an `Engine`, or a script in the tests) and knows nothing of processes.
"""

import math
import random
import shlex
import shutil
import time
from collections.abc import Callable, Hashable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import ClassVar, Protocol, runtime_checkable

from bots.adapters import lasting
from bots.adapters.conversation import Conversation
from bots.adapters.engine import Engine, move_deadline_s
from bots.adapters.pupils.patience import Deadline
from bots.base import (
    BaseBot,
    Bot,
    BotFaultError,
    BotSpecError,
    Budget,
    Family,
    Fault,
    Listener,
    MatchHistory,
    NotReadyError,
    Option,
    Options,
    Thought,
    plays_everything,
)
from games.base import Game, IllegalMove, Position, Seat
from locales import _, decimal
from processes.belongings import INTERPRETER
from processes.launch_options import LaunchOptions
from terminal.refusals import move_refused

GAME_FOLDERS = ("/usr/games", "/usr/local/games")
"""Where systems keep game programs. An administrator's PATH often leaves these folders out."""


CPU_SHARE = 0.25
"""A program gets another game only while all its answers took less than this share of its processor time limit."""

EXCHANGE_LINES = 4
EXCHANGE_CHARACTERS = 160
"""How much of the conversation the message of a fault shows: how many lines, and how much of each."""


class Lines(Protocol):
    """A program as a protocol sees it; see `Engine` for what each does and raises."""

    def send(self, line: str) -> None:
        """Writes a line."""
        ...

    def receive(self, deadline: Deadline) -> str:
        """The next line."""
        ...

    def settle(self, deadline: Deadline) -> None:
        """Waits until the program is at rest, or has said something."""
        ...

    def fault(self, reason: Fault, message: str) -> BotFaultError:
        """An error with the exchange and the stderr."""
        ...


MAX_SCORE = 1e9
MAX_DEPTH = 10_000
MAX_NODES = 2**53 - 1
"""The most nodes that protocol 1 allows in a thought."""


def bounded_thought(depth: int, score: float, line: Sequence[str], nodes: int) -> Thought:
    """The thought that a program reports, cut to the bounds of the protocol; a figure out of bounds is no fault."""
    score = min(MAX_SCORE, max(-MAX_SCORE, score)) if math.isfinite(score) else 0.0
    moves = tuple(move for move in line if 1 <= len(move) <= 4)
    return Thought(max(0, min(depth, MAX_DEPTH)), score, moves, max(0, min(nodes, MAX_NODES)))


@dataclass(frozen=True, slots=True)
class Question:
    """One decision that a program is asked for.

    deadline: how long we wait for the answer.
    listener: is told of the program's thoughts.
    """

    position: Position
    history: MatchHistory
    budget: Budget
    deadline: Deadline
    listener: Listener = None


class Talk(Protocol):
    """A protocol in one match with one run of a program.

    leaves: whether the line of `farewell` ends the program. greets: whether `greet` waits until the program has
    answered, so that its start is over before its clock runs.
    """

    leaves: ClassVar[bool]
    greets: ClassVar[bool]

    def greet(self, deadline: Deadline) -> None:
        """Opens the conversation with a program that has just started.

        Raises BotFaultError; BotSpecError if the program says that it does not play this game.
        """
        ...

    def ask(self, question: Question) -> str:
        """Asks for a move; returns a legal one, or RESIGN. Raises BotFaultError."""
        ...

    def farewell(self, history: MatchHistory) -> str | None:
        """The last line for the program, None if the protocol has none; `history` says how the match ended."""
        ...


@runtime_checkable
class Ponders(Protocol):
    """A protocol that can tell a program that the opponent is to move."""

    def opponents_turn(self, position: Position, history: MatchHistory) -> None:
        """Tells the program that the opponent is to move in `position`; raises BotFaultError."""
        ...


@dataclass(frozen=True, slots=True)
class Context:
    """What a talk needs: the game, the program's lines, and the name that messages use."""

    game: Game
    lines: Lines
    name: str

    def read_move(self, position: Position, answer: str) -> str:
        """The legal move that `answer` names; raises BotFaultError with the reason if it names none."""
        try:
            move = self.game.parse_move(answer)
            position.play(move)
        except IllegalMove as error:
            raise self.illegal(answer, move_refused(self.game, error.move.strip(), error.reason)) from error
        return move

    def illegal(self, answer: str, why: str) -> BotFaultError:
        """The fault of an answer that is no legal move; `why` is a sentence."""
        text = _("{name} answered {answer!r}: {why}").format(name=self.name, answer=answer[:200], why=why)
        return self.lines.fault("illegal", text.removesuffix("."))


class Wire:
    """The lines of the process that plays a match; the process may be a new one, or have played before."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine

    def send(self, line: str) -> None:
        """Writes a line."""
        self.engine.send(line)

    def receive(self, deadline: Deadline) -> str:
        """The next line."""
        return self.engine.receive(deadline)

    def settle(self, deadline: Deadline) -> None:
        """Waits until the program is at rest, or has said something."""
        self.engine.settle(deadline)

    def fault(self, reason: Fault, message: str) -> BotFaultError:
        """An error with the exchange and the stderr."""
        return self.engine.fault(reason, message)


class ProgramBot(BaseBot):
    """A program in one match. It starts before the match, and ends after it or at a fault.

    A program that plays many games rests after a match instead; a later match may begin with it.

    key: identifies the program, so that a later match finds its resting process.
    """

    waits: ClassVar[bool] = True

    def __init__(self, wire: Wire, talk: Talk, launch: LaunchOptions, name: str, key: Hashable = None) -> None:
        super().__init__()
        self._name = name
        self._wire = wire
        self._run = lasting.Run(wire.engine, self.diary)
        self._talk = talk
        self._launch = launch
        self._key = (key, replace(launch, conversation=""))
        self._conversation: Conversation | None = None
        self._greeted = False
        self._waits_for_answer = False
        self._is_silent = True
        self._is_closed = self._pondering = False
        self._asked_at = 0.0
        self._late: list[str] | None = None
        self._fault: BotFaultError | None = None

    def get_ready(self) -> None:
        """Starts the program and greets it."""
        if self._greeted:
            return
        self._greeted = True
        try:
            run = lasting.take(self._key) if self._launch.many_games else None
            if run is not None:
                self._run, self._wire.engine, self.diary = run, run.engine, run.diary
                self._engine.pass_over()
            self._begin_conversation()
            if run is None:
                self._engine.start()
            if self._is_closed:  # another thread closed it meanwhile
                self._engine.close()
            self._talk.greet(Deadline(self._launch.start_s))
        except BotFaultError as error:
            self._engine.close()
            self._fault = error
            if error.reason == "timeout":
                raise NotReadyError(str(error)) from error
        except BotSpecError as error:
            self._engine.close()
            self._fault = self._engine.fault("crash", str(error).removesuffix("."))
            raise

    def _begin_conversation(self) -> None:
        """Begins the file of what is said in this match, if there is to be one; a full disk costs the file only."""
        if self._launch.conversation:
            with suppress(OSError):
                self._conversation = Conversation(Path(self._launch.conversation), self._name)
        self._engine.write_into(self._conversation)

    def _note(self, **facts: object) -> None:
        if self._conversation is not None:
            self._conversation.note(**facts)

    @property
    def ponders(self) -> bool:
        """Whether the program wants to be told when the opponent is to move."""
        return bool(self._launch.ponder) and isinstance(self._talk, Ponders)

    def ponder(self, position: Position) -> None:
        """Tells the program that the opponent is to move. A fault here is dropped: the next question shows it again."""
        if isinstance(self._talk, Ponders) and self._greeted and self._engine.is_alive:
            with suppress(BotFaultError):
                self._talk.opponents_turn(position, self.history)
                self._pondering = True

    @property
    def _engine(self) -> Engine:
        return self._wire.engine

    def choose(self, position: Position, budget: Budget) -> str:
        """The program's move; raises BotFaultError."""
        if self._pondering:  # what it has written since then answers no question
            self._pondering = False
            self._engine.pass_over()
        self._waits_for_answer, self._asked_at = True, time.monotonic()
        try:
            answer = self._ask(position, budget)
        except BotFaultError as error:
            self._waits_for_answer = False
            self._note(fault=error.reason, message=str(error))
            reason, said = error.reason, [str(error)]
            if self._late is not None:
                reason, said = "timeout", self._late
            elif reason == "timeout":
                said += self._of_time()
            self._engine.close()
            text = "\n  ".join((*said, *_last_exchange(error)))
            raise BotFaultError(
                reason, text, exchange=error.exchange, stderr=error.stderr, is_ours=error.is_ours
            ) from error
        finally:
            self._run.waited_s += time.monotonic() - self._asked_at
        self._waits_for_answer = self._is_silent = False
        return answer

    def _ask(self, position: Position, budget: Budget) -> str:
        deadline = Deadline(move_deadline_s(budget, self._launch))
        with suppress(BotSpecError, NotReadyError):  # the match has begun, so raise the fault instead
            self.get_ready()
        if self._fault is not None:
            raise self._fault
        if self._is_silent:
            self._note(match=self.history.match, seat=int(position.to_move))
        return self._talk.ask(Question(position, self.history, budget, deadline, self.on_thought))

    def close(self) -> None:
        """Tells the program that the match is over, if its protocol can; then ends it, or lets it rest."""
        result = self.history.result
        if result is not None and result.reason == "timeout" and self._waits_for_answer:
            self._late = [_("{bot} did not answer before its time was over").format(bot=self._name), *self._of_time()]
        if result is not None:
            self._note(winner=result.winner, reason=result.reason, score=result.score)
        self._is_closed = True
        farewell, run = self._talk.farewell(self.history), self._run
        is_sound = result is not None and self._fault is None and not self._waits_for_answer and run.engine.is_alive
        if self._launch.many_games and is_sound:
            lasting.rest(self._key, run, lambda: self._settle(run, farewell))
        else:
            run.engine.close(farewell)

    def _settle(self, run: lasting.Run, farewell: str | None) -> bool:
        """Sends the last line of a game, unless it would end the program; returns whether it may play another game."""
        if farewell is not None and not self._talk.leaves:
            try:
                run.engine.send(farewell)
            except BotFaultError:
                return False
        return run.waited_s < self._launch.cpu_s * CPU_SHARE

    def _of_time(self) -> list[str]:
        """What is known of a program that has not answered in time: whether it computes, and why it may be silent."""
        said = [self._hint()] if self._is_silent else []
        if (cpu_s := self._engine.cpu_s) is not None:
            waited_s = self._run.waited_s + time.monotonic() - self._asked_at
            text = _("its process was waited for during {waited} s in all, and used {used} s of processor time")
            said.append(text.format(waited=decimal(waited_s, 1), used=decimal(cpu_s, 1)))
        return said

    def _hint(self) -> str:
        """The usual reason why a program never answers."""
        text = _(
            "{name} has not answered once. Does it end each line, and flush it (flush=True, fflush)? Or does it take "
            "long to start? What its start still takes when it is asked is on its clock."
        )
        if self._talk.greets:
            text = _("{name} has not answered once. Does it end each line, and flush it (flush=True, fflush)?")
        return text.format(name=self._name)


def _last_exchange(error: BotFaultError) -> Iterator[str]:
    """The last lines of the conversation; they begin with a line of ours."""
    lines = error.exchange[-EXCHANGE_LINES:]
    if lines and lines[0].startswith("<"):
        lines = lines[1:]
    return (line[:EXCHANGE_CHARACTERS] for line in lines)


def read_command(text: str) -> tuple[str, ...]:
    """Splits a command line into words as a shell does; raises BotSpecError."""
    try:
        words = tuple(shlex.split(text))
    except ValueError as error:
        raise BotSpecError(_("The quotes of {command!r} do not match.").format(command=text)) from error
    if not words or not words[0]:
        raise BotSpecError(_("There is no program in {command!r}.").format(command=text))
    return words


def find_program(word: str) -> str:
    """The path of the program that `word`, the first of a command line, names; raises BotSpecError if there is none."""
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
    """The family of all programs that speak one protocol: `name:COMMAND`."""

    def title(options: Options) -> str:
        return _title(_command(options)) or name

    def make(game: Game, seat: Seat, rng: random.Random, options: Options) -> Bot:
        del seat, rng
        program, *arguments = _command(options)
        wire = Wire(Engine((find_program(program), *arguments), name=title(options), launch=options.launch))
        key = (name, game, options.word("command"), str(Path.cwd()))
        return ProgramBot(wire, talk(Context(game, wire, title(options))), options.launch, title(options), key)

    def prepare(options: Options) -> None:
        find_program(_command(options)[0])
        if options.launch.python:
            raise BotSpecError(_("An interpreter is for a bot in Python: my_bot.py, my_bot/."))
        if options.launch.ponder and not hasattr(talk, "opponents_turn"):
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
    """The command without folders and without the interpreter: "bot.py", "gtp-rhino --level=1"."""
    names = [word if word.startswith("-") else Path(word).name for word in words]
    if len(names) > 1 and INTERPRETER.fullmatch(names[0]) and not names[1].startswith("-"):
        names = names[1:]
    title = " ".join(names)
    return title if any(character.isalnum() for character in title) else ""


def _command(options: Options) -> tuple[str, ...]:
    text = options.word("command")
    assert text is not None, "parse_bot asks for it"
    return read_command(text)
