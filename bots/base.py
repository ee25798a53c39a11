"""What a bot is, and the table of those that Arbitre brings.

A bot is one object for one seat of one match: `choose(position, budget)` gives a move. A family (a name in `BOTS`)
makes them from options that are written `name:key=value,...`; only the module of the family asked for is imported.

Families whose bots are programs of others (a pupil's file, an engine) stand in `ADAPTERS`: what follows the colon is
one text there, the file or the command, and `LaunchOptions` says how such a program is run.

Errors: BotError
        |-- BotSpecError    a bot that can't be read: unknown name, option or value, or a game that it does not play
        |-- NotReadyError   a program that did not come up in time; nobody has asked it for a move yet
        `-- BotFaultError        a decision that failed; says how the match ends for it
"""

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import ClassVar, Literal, NamedTuple, Protocol

from bots.budget import UNLIMITED as UNLIMITED
from bots.budget import Budget as Budget
from bots.diary import Diary
from games.base import Game, Position, Seat
from locales import _
from machine import modules
from processes.launch_options import LaunchOptions
from protocol.messages import Result

BOTS: Mapping[str, str] = {
    "first": "bots.classroom.first",
    "random": "bots.classroom.random_bot",
    "lookahead": "bots.classroom.lookahead",
    "minimax": "bots.classroom.minimax",
    "strong": "bots.strong.strong",
    "perfect": "bots.strong.perfect",
    "human": "bots.strong.human",
    "dfs": "bots.classroom.dfs",
    "bfs": "bots.classroom.bfs",
    "minimax_search": "bots.classroom.minimax_search",
}
"""Name of a family -> the module that defines it as `FAMILY`."""


ADAPTERS: Mapping[str, str] = {
    "python": "bots.adapters.python_file",
    "stdio": "bots.adapters.stdio",
    "stdio-json": "bots.adapters.stdio_json",
    "gtp": "bots.adapters.gtp",
    "nboard": "bots.adapters.nboard",
}
"""The same for programs that were not written for Arbitre; such a family has one option, the text after the colon."""

FILE_ENDINGS = (".py", ".ipynb", ".txt")
"""The endings of files that are bots without any change: a text with such an ending names a file."""

FILE_FAMILY = "python"
"""The family in `ADAPTERS` of a bot that is written as the name of a file or a folder: `my_bot.py#play`, `my_bot/`."""

Fault = Literal["crash", "illegal", "timeout"]
"""How a bot fails: it ends or raises or breaks its protocol; plays no legal move; or does not answer in time."""


class BotError(Exception):
    """Base of all errors of this package; the message is a sentence for the user."""


class BotSpecError(BotError):
    """A bot that can't be read or made."""


class SupervisorLostError(BotSpecError):
    """The supervisor or sandbox of a program is gone, and the program is not known to be at fault."""


class BotLoadError(BotSpecError):
    """A program of somebody else that exists and fails to load.

    trouble, stderr: as of BotFaultError.
    """

    def __init__(self, message: str, *, trouble: object = None, stderr: str = "") -> None:
        super().__init__(message)
        self.trouble = trouble
        self.stderr = stderr


class NotReadyError(BotError):
    """A program that was not ready in time, before its match began."""


class BotFaultError(BotError):
    """A decision that failed: the message is some lines for the bot's author, `reason` is what the match ends with.

    exchange: the last lines between us and its process, "> " before ours and "< " before its own.
    stderr: what that process said last.
    is_ours: whether what failed is a process of Arbitre that stands between us and the program, as far as is known.
    trouble: what the adapter of a pupil's file knows of it (`bots.adapters.pupils.facts.Trouble`), None for others.
    """

    trouble: object = None

    def __init__(
        self, reason: Fault, message: str, *, exchange: Sequence[str] = (), stderr: str = "", is_ours: bool = False
    ) -> None:
        super().__init__(message)
        self.reason: Fault = reason
        self.exchange = tuple(exchange)
        self.stderr = stderr
        self.is_ours = is_ours


@dataclass(frozen=True, slots=True)
class Thought:
    """What a bot sees while it thinks: `score` from its own side after `depth` plies, `pv` the expected moves.

    exact: whether the sign of `score` is what the position is worth, won, drawn (0) or lost, and no opinion.
    """

    depth: int
    score: float
    pv: tuple[str, ...]
    nodes: int
    exact: bool = False


Listener = Callable[[Thought], None] | None
"""Whom a bot tells of its thoughts."""

RESIGN = "resign"
"""What `choose` returns to give the game up."""


class MatchHistory(NamedTuple):
    """The match so far, for bots that must know more than a position: its id, its moves, at the end its result.

    Passes are not among the moves; after a takeback there are fewer than before.
    """

    match: str = ""
    moves: tuple[str, ...] = ()
    result: Result | None = None


class Bot(Protocol):
    """One player of one match.

    instant: whether `choose` answers at once; if not, it runs on a thread, so that the connection stays alive.
    waits: whether `choose` waits for another process more than it computes; each match then has a thread of its own.
    explains: whether it says where it was when its flag fell, if it gets a moment more.
    on_thought: whom to tell of a thought, called on the thread of `choose`; None if nobody listens.
    history: how the match came to the position; set before each `choose`, and with the result before `close`.
    diary: the questions that it was asked, recorded by the caller; for a program that plays many games, also those of
    its earlier matches.
    """

    instant: ClassVar[bool]
    waits: ClassVar[bool]
    explains: ClassVar[bool]
    on_thought: Listener
    history: MatchHistory
    diary: Diary

    def get_ready(self) -> None:
        """Prepares what takes time, before the match and its clock. Bots with `waits` do it on the thread of `choose`.

        The call is optional, and `choose` reports what goes wrong here, with two exceptions. A program that turns out
        not to play this game raises BotSpecError: the invitation is declined. One that did not come up in time raises
        NotReadyError: it is made anew, and tried once more.
        """
        ...

    def choose(self, position: Position, budget: Budget) -> str:
        """A legal move of `position`, in which it is this bot's turn and the game is not over; or RESIGN.

        Raises BotFaultError.
        """
        ...

    @property
    def ponders(self) -> bool:
        """Whether the bot is told when the opponent is to move."""
        ...

    def ponder(self, position: Position) -> None:
        """Told, on the thread of `choose`, that the opponent is to move in `position`. Returns at once; never raises.

        What it thinks from then on ends by itself when `choose` is called. `history` is that of `position`.
        """
        ...

    def close(self) -> None:
        """Releases the bot's resources after the match. Returns at once, even while `choose` still runs."""
        ...


class BaseBot:
    """The defaults that most bots share; a subclass defines `choose`."""

    instant: ClassVar[bool] = False
    waits: ClassVar[bool] = False
    explains: ClassVar[bool] = False

    def __init__(self) -> None:
        self.on_thought: Listener = None
        self.history = MatchHistory()
        self.diary = Diary()

    def think_aloud(self, thought: Thought) -> None:
        """Tells a thought to whoever listens."""
        if self.on_thought is not None:
            self.on_thought(thought)

    def get_ready(self) -> None:
        """Does nothing: the bot needs no preparation."""

    @property
    def ponders(self) -> bool:
        """Returns False: the bot does not think in the opponent's time."""
        return False

    def ponder(self, position: Position) -> None:
        """Does nothing."""

    def close(self) -> None:
        """Does nothing: the bot holds no resources."""


def _accepts_everything(text: str) -> None:
    del text


@dataclass(frozen=True, slots=True)
class Option:
    """One option of a family: its `values` are a range of integers or the words that it may be; None for any text.

    accept: for an option that takes any text, raises BotSpecError if the text can't be used: there is no such program.
    """

    name: str
    values: range | tuple[str, ...] | None
    default: int | str | None
    summary: Callable[[], str]
    accept: Callable[[str], None] = _accepts_everything

    def parse(self, text: str) -> int | str:
        """The value that `text` writes; raises BotSpecError."""
        if self.values is None:
            self.accept(text)
            return text
        if isinstance(self.values, tuple):
            if text in self.values:
                return text
        elif text.isascii() and text.isdigit() and len(text) < 10 and int(text) in self.values:
            return int(text)
        raise BotSpecError(
            _("{option} must be {values}, not {text!r}.").format(option=self.name, values=self.describe(), text=text)
        )

    def describe(self) -> str:
        """What may be written: "0 to 8", "left, right or random"."""
        if self.values is None:
            return _("any text")
        if isinstance(self.values, range):
            return _("a number from {low} to {high}").format(low=self.values[0], high=self.values[-1])
        return _("{several} or {last}").format(several=", ".join(self.values[:-1]), last=self.values[-1])


@dataclass(frozen=True, slots=True)
class Options:
    """The values of a family's options, defaults included; `launch` is for programs that are not ours."""

    values: Mapping[str, int | str | None]
    launch: LaunchOptions = LaunchOptions()

    def number(self, name: str) -> int:
        """The value of an option whose values are a range."""
        value = self.values[name]
        assert isinstance(value, int)
        return value

    def word(self, name: str) -> str | None:
        """The value of an option whose values are words; None if it was not said and has no default."""
        value = self.values[name]
        assert value is None or isinstance(value, str)
        return value


Maker = Callable[[Game, Seat, random.Random, Options], Bot]


def plays_everything(game: Game, options: Options) -> None:
    """Accepts every game: the check of families without restrictions."""
    del game, options


def _needs_nothing(options: Options) -> None:
    del options


def _compiles_nothing(options: Options, game: Game | None) -> Sequence[str]:
    del options, game
    return ()


@dataclass(frozen=True, slots=True)
class Family:
    """Bots of one kind: what they are called, their options, and how to make one.

    make: the bot for one seat of one match.
    check: raises BotSpecError if these options don't suit this game.
    prepare: called once, before the bot connects. Raises BotSpecError if it can't be run.
    compiles: the names in `bots.search.compiled.COMPILED` that a bot with these options needs for a game; if that is
    None, for all games that it may play.
    title: what to call a bot with these options where names are short; by default what was written.
    """

    name: str
    summary: Callable[[], str]
    make: Maker
    options: Sequence[Option] = ()
    check: Callable[[Game, Options], None] = plays_everything
    prepare: Callable[[Options], None] = _needs_nothing
    compiles: Callable[[Options, Game | None], Sequence[str]] = _compiles_nothing
    title: Callable[[Options], str] | None = None


@dataclass(frozen=True)
class BotSpec:
    """A family with its options: what `parse_bot` reads."""

    family: Family
    given: Mapping[str, int | str] = field(default_factory=dict[str, int | str])
    launch: LaunchOptions = LaunchOptions()

    @cached_property
    def options(self) -> Options:
        """Every option with its value."""
        values = {option.name: self.given.get(option.name, option.default) for option in self.family.options}
        return Options(values, self.launch)

    @property
    def is_foreign(self) -> bool:
        """Whether it is a program that is not Arbitre's own."""
        return self.family.name in ADAPTERS

    def with_launch_options(self, launch: LaunchOptions) -> "BotSpec":
        """The same bot with other launch options."""
        return replace(self, launch=launch)

    @property
    def spec(self) -> str:
        """The shortest text that `parse_bot` reads as this bot: options in the family's order, defaults left out."""
        if self.is_foreign:
            (text,) = self.given.values()
            return str(text) if self.family.name == FILE_FAMILY else f"{self.family.name}:{text}"
        said = [
            f"{option.name}={self.given[option.name]}"
            for option in self.family.options
            if option.name in self.given and self.given[option.name] != option.default
        ]
        return f"{self.family.name}:{','.join(said)}" if said else self.family.name

    def name(self, longest: int) -> str:
        """A short name: the spec or an abbreviation ("minimax:2,discs"), at most `longest` characters."""
        if self.family.title is not None:
            return self.family.title(self.options)[:longest]
        if len(self.spec) <= longest:
            return self.spec
        values = ",".join(item.partition("=")[2] for item in self.spec.partition(":")[2].split(","))
        return f"{self.family.name}:{values}"[:longest]

    def check(self, game: Game) -> None:
        """Raises BotSpecError if this bot can't play `game`."""
        self.family.check(game, self.options)

    def prepare(self, game: Game | None = None, say: Callable[[str], None] | None = None) -> None:
        """Checks that the bot can run, before it connects. Raises BotSpecError.

        game: the only one that it will play. say: is told, in a line, what takes seconds, if something does.
        """
        self.family.prepare(self.options)
        if wanted := self.family.compiles(self.options, game):
            modules.load("bots.search.compiled").prepare(wanted, say)

    def make(self, game: Game, seat: Seat, rng: random.Random) -> Bot:
        """A new bot for one seat of one match; `rng` is its only source of randomness. Raises BotSpecError."""
        self.check(game)
        return self.family.make(game, seat, rng, self.options)


def load_family(name: str) -> Family:
    """The family called `name`, a key of `BOTS` or `ADAPTERS`."""
    family = modules.load(BOTS.get(name) or ADAPTERS[name]).FAMILY
    assert isinstance(family, Family)
    assert family.name == name
    return family


def split_bot(text: str) -> tuple[str, str, str]:
    """Splits `text` into the family, the colon and the rest. The family need not exist."""
    name, colon, written = text.strip().partition(":")
    if text.strip().partition("#")[0].endswith((*FILE_ENDINGS, "/", "\\")) and name not in ADAPTERS:
        return FILE_FAMILY, ":", text.strip()
    return name, colon, written


def is_program(text: str) -> bool:
    """Whether `text` names a program that speaks one of the protocols of `ADAPTERS`; a pupil's file speaks none."""
    return split_bot(text)[0] in ADAPTERS and split_bot(text)[0] != FILE_FAMILY


def is_foreign(text: str) -> bool:
    """Whether `text` names a program that is not Arbitre's. Its file need not exist."""
    return split_bot(text)[0] in ADAPTERS


def _unknown(name: str) -> str:
    from difflib import get_close_matches  # it is not needed before somebody errs

    said = _("There is no bot called {name!r}. The bots are: {bots}.").format(name=name, bots=", ".join(sorted(BOTS)))
    alike = [name + ending for ending in FILE_ENDINGS if name and Path(name + ending).is_file()]
    if alike := alike or get_close_matches(name, BOTS, 1):
        said += " " + _("Did you mean {bot}?").format(bot=alike[0])
    return said


def folder_written(name: str) -> str:
    """A sentence about a folder that is named without the slash that makes it a bot."""
    return _("{name} is a folder. As a bot it is written {written}").format(name=name, written=f"{name}/")


def parse_bot(text: str) -> BotSpec:
    """The bot that `text` writes ("random", "minimax:depth=4", "my_bot.py", "gtp:gtp-rhino"); raises BotSpecError."""
    name, colon, written = split_bot(text)
    if name in ADAPTERS:
        return _parse_adapter(load_family(name), written)
    if name not in BOTS:
        if text.strip() and Path(text.strip()).is_dir():
            raise BotSpecError(folder_written(text.strip()))
        raise BotSpecError(_unknown(name))
    family = load_family(name)
    if colon and not written:
        raise BotSpecError(_("Nothing follows the colon of {text!r}. Example: minimax:depth=4.").format(text=text))
    given: dict[str, int | str] = {}
    for item in written.split(",") if written else ():
        option, value = _parse_item(family, item)
        if option.name in given:
            raise BotSpecError(_("{option} is written twice in {text!r}.").format(option=option.name, text=text))
        given[option.name] = value
    return BotSpec(family, given)


def _parse_adapter(family: Family, written: str) -> BotSpec:
    (option,) = family.options
    if not written.strip():
        raise BotSpecError(
            _("{bot} needs a {what} after the colon: {bot}:{example}.").format(
                bot=family.name, what=option.summary(), example=option.default
            )
        )
    return BotSpec(family, {option.name: option.parse(written.strip())})


def _parse_item(family: Family, item: str) -> tuple[Option, int | str]:
    key, equals, value = (part.strip() for part in item.partition("="))
    for option in family.options:
        if option.name == key:
            if not equals:
                raise BotSpecError(_("{option} needs a value: {option}=...").format(option=key))
            return option, option.parse(value)
    if not family.options:
        raise BotSpecError(_("{bot} has no options, so not {option!r}.").format(bot=family.name, option=key))
    known = ", ".join(option.name for option in family.options)
    raise BotSpecError(
        _("{bot} has no option {option!r}. Its options are: {known}.").format(bot=family.name, option=key, known=known)
    )
