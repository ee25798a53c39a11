"""The TOML file that describes a league: it is checked key by key, and errors name the line. Pure.

Errors: ConfigError    a file that can't be used; the message is a sentence for the user
"""

import functools
import re
import tomllib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any, Final

import games
from games.base import Game
from league.pairing.openings import usual_plies
from league.pairing.schedule import Format, Plan
from league.roster import LONGEST, SHORTEST, is_code
from league.statistics.sprt import Model, Sprt, SprtError
from locales import _, phrase
from locales.harmless import plain
from processes.launch_options import LEAST_PATIENCE_S, MOST_PATIENCE_S, LaunchOptions, launch_options_of, size_of
from protocol.bounds import MAX_NAME
from protocol.errors import ProtocolError
from protocol.messages import Clock, Network
from protocol.timing import ClockError, parse_clock
from protocol.values import clocks_of
from server.names.lookalikes import looks
from server.names.text import display_name

_OPENINGS: Final = 1000
_TESTED_OPENINGS: Final = 3000
"""How many different openings a league is to have, where nobody chooses them, and a test, which plays more games."""

MAX_ROSTER: Final = 256
"""The most names on a roster: the server's limit."""

MOST_BOTS: Final = 1000
"""The most bots in a file: each meets each."""

MOST_BYTES: Final = 1 << 20
"""How long the file may be."""

MOST_LETTERS: Final = 4000
"""The most characters of a text in it, which may be a path or a command."""

_MOST_DOTS: Final = 1000
"""The most dots in a line: what a key with more of them takes to read grows with their square."""


class ConfigError(Exception):
    """A league that can't be played as it is described."""


@dataclass(frozen=True, slots=True)
class LeagueBot:
    """A bot of the league: its `name` in the table, what `arbitre bot` is to `run`, and its rating if that is fixed.

    run: empty for a bot of somebody else, which connects by itself (`league open`).
    clock: its own time control, of the same kind as the league's (time odds); empty for that of the league.
    python, many_games, ponder: as in `processes.launch_options.LaunchOptions`, for a program that is not Arbitre's;
    None as its bot.toml says.
    """

    name: str
    run: str = ""
    anchor: float | None = None
    python: str = ""
    many_games: bool | None = None
    ponder: bool | None = None
    clock: str = ""

    def as_dict(self) -> dict[str, object]:
        """The bot in types that JSON has, without its own clock and the fields of its process if it has none."""
        data: dict[str, object] = {"name": self.name, "run": self.run, "anchor": self.anchor}
        said = {
            "clock": self.clock or None,
            "python": self.python or None,
            "many_games": self.many_games,
            "ponder": self.ponder,
        }
        return data | {key: value for key, value in said.items() if value is not None}


@dataclass(frozen=True, slots=True)
class League:
    """What is played, and how. `clock` and `game` are as written; `rules` and `time` read them.

    rounds, challengers, games_per_pair: as in `league.pairing.schedule.Plan`; games_per_pair is 2 if it is None.
    outage, outage_s, lag: what a game of an open league does about the network (see `protocol.values.Network`).
    sprt: "elo0=0,elo1=10", perhaps with model, alpha and beta: two bots play until this test is decided, without an end
    if neither games_per_pair nor rounds is given.
    concurrency: pairings at once, each with processes of its own. at_once: how many games, of different pairings, one
    process plays at the same time.
    faults: how many in a row suspend a bot.
    sandbox, memory, patience: how programs that are not Arbitre's are run; `launch` reads them.
    ponder: whether bots may think in their opponents' time; both share this machine's processors.
    roster: of an open league, who may enter, each with a personal code; empty if all may who know the league's code.
    codes: those personal codes that the file gives, by name; they are written nowhere else.
    """

    name: str
    game: str
    bots: tuple[LeagueBot, ...]
    format: str = "round-robin"
    games_per_pair: int | None = None
    rounds: int | None = None
    challengers: int = 1
    clock: str = "10s+0.1s"
    openings: str = "random:plies=2"
    seed: str = "1"
    concurrency: int = 1
    at_once: int = 1
    faults: int = 3
    sandbox: bool = False
    memory: str = ""
    patience: float | None = None
    ponder: bool = False
    outage: str = "pause"
    outage_s: int = 120
    lag: str = "charged"
    sprt: str = ""
    roster: tuple[str, ...] = ()
    codes: Mapping[str, str] = field(default_factory=dict, repr=False, compare=False)

    @property
    def test(self) -> Sprt | None:
        """The test that ends a league of two bots, if there is one; raises ConfigError."""
        return _read_test(self.sprt) if self.sprt else None

    @property
    def rules(self) -> Game:
        """The game that is played."""
        return games.parse(self.game)

    @property
    def time(self) -> Clock | None:
        """The clock of each game between bots that have none of their own, None without one."""
        return parse_clock(self.clock)

    def time_of(self, first: LeagueBot, second: LeagueBot) -> Clock | None:
        """The clock of a game between these two bots, in the order of their seats."""
        one, two = (parse_clock(bot.clock or self.clock) for bot in (first, second))
        return None if one is None or two is None else clocks_of(one, two)

    def clocks(self, bots: Iterable[LeagueBot]) -> str:
        """All clocks as people read them: "10s+0.1s (old: 5s+0.05s)"; bots: as they are called now."""
        odds = [_("{name}: {clock}").format(name=bot.name, clock=bot.clock) for bot in bots if bot.clock]
        return f"{self.clock} ({', '.join(odds)})" if odds else self.clock

    @property
    def network(self) -> Network:
        """What a game does about the network, if its bots are elsewhere."""
        return Network(
            "pause" if self.outage == "pause" else "clock",
            self.outage_s * 1000,
            "forgiven" if self.lag == "forgiven" else "charged",
        )

    @property
    def plan(self) -> Plan:
        """How it is to be played."""
        is_endless = bool(self.sprt) and self.games_per_pair is None and self.rounds is None
        return Plan(
            Format(self.format),
            self.seed,
            self.games_per_pair or 2,
            self.rounds,
            self.challengers,
            is_endless=is_endless,
        )

    @property
    def launch(self) -> LaunchOptions:
        """How programs that are not Arbitre's are run."""
        memory = size_of(self.memory) if self.memory else None
        return launch_options_of(sandbox=self.sandbox, memory=memory, patience=self.patience)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the bots in the order of the file."""
        return tuple(bot.name for bot in self.bots)

    def check(self) -> None:
        """Raises ConfigError, ClockError or ValueError if something of it can't be read; for one from a log."""
        _read = self.test, self.rules, self.time, self.plan
        for bot in self.bots:
            check_odds(bot, self.time)

    def as_dict(self) -> dict[str, object]:
        """The league in types that JSON has; `from_dict` reads it back. Without the codes: a log may be published."""
        data: dict[str, object] = {item.name: getattr(self, item.name) for item in fields(self) if item.name != "codes"}
        data["roster"] = list(self.roster)
        data["bots"] = [bot.as_dict() for bot in self.bots]
        if not self.ponder:
            del data["ponder"]
        return data

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> "League":
        """The league that `as_dict` wrote."""
        bots, roster = tuple(LeagueBot(**bot) for bot in data["bots"]), tuple(data.get("roster", ()))
        values: dict[str, Any] = {"outage": "clock", **data, "bots": bots, "roster": roster}  # older logs lack the key
        return cls(**values)


def usual_for(game: str, *, tested: bool = False) -> dict[str, Any]:
    """A game's default openings and clock for leagues; empty if `game` is not a valid game.

    tested: whether a test decides. It assumes independent games, so it has more openings, of which few repeat.
    """
    try:
        rules = games.parse(game)
    except games.RulesError:
        return {}
    drawn = f"random:plies={_plies(rules.spec, _TESTED_OPENINGS if tested else _OPENINGS)}"
    openings = drawn if tested else rules.profile.openings or drawn
    return {"openings": openings, "clock": rules.profile.league_clock}


@functools.cache
def _plies(game: str, least: int) -> int:
    return usual_plies(games.parse(game), least)


@dataclass(frozen=True, slots=True)
class Key:
    """A key of the file: what its value must be, in words and as a test."""

    wanted: Callable[[], str]
    fits: Callable[[Any], bool]


def _number(low: int, high: int) -> Key:
    return Key(
        lambda: _("a number from {low} to {high}").format(low=low, high=high),
        lambda value: type(value) is int and low <= value <= high,
    )


def _word(*words: str) -> Key:
    return Key(lambda: _("one of {words}").format(words=", ".join(words)), lambda value: value in words)


def _is_text(value: object) -> bool:
    """Whether it is a line that can be seen, so without surrogates, no longer than any path or command."""
    return isinstance(value, str) and len(value) <= MOST_LETTERS and plain(value) == value


TEXT = Key(
    lambda: _("a text in quotes, of at most {count} characters that can be seen").format(count=MOST_LETTERS),
    lambda value: _is_text(value) and bool(value.strip()),
)
_NAME = Key(TEXT.wanted, lambda value: isinstance(value, str) and bool(value.strip()))
"""What `checked_name` judges."""

_YES_OR_NO = Key(lambda: _("true or false"), lambda value: isinstance(value, bool))
_SEED = Key(lambda: _("a number, or a text in quotes"), lambda value: type(value) is int or _is_text(value))
_RATING = Key(lambda: _("a number"), lambda value: type(value) in (int, float) and abs(value) < 100_000)

_LEAGUE_KEYS: Final[Mapping[str, Key]] = {
    "name": TEXT,
    "game": TEXT,
    "format": _word(*(item.value for item in Format)),
    "challengers": _number(1, 1000),
    "games_per_pair": Key(
        lambda: _("an even number: each opening is played with both colours"),
        lambda value: type(value) is int and value > 0 and value % 2 == 0 and value <= 100_000,
    ),
    "rounds": _number(1, 1000),
    "clock": TEXT,
    "openings": TEXT,
    "seed": _SEED,
    "concurrency": _number(1, 256),
    "at_once": _number(1, 500),
    "faults": _number(1, 1000),
    "sandbox": _YES_OR_NO,
    "memory": Key(
        lambda: _('a size from 16M to 16384G, in quotes: "512M" or "2G"'),
        lambda value: isinstance(value, str) and size_of(value) is not None,
    ),
    "patience": Key(
        lambda: _("a number of seconds from 0.1 to 86400"),
        lambda value: type(value) in (int, float) and LEAST_PATIENCE_S <= value <= MOST_PATIENCE_S,
    ),
    "ponder": _YES_OR_NO,
    "outage": _word("pause", "clock"),
    "outage_s": _number(1, 3600),
    "lag": _word("charged", "forgiven"),
    "sprt": TEXT,
}
_ROSTER_KEYS: Final[Mapping[str, Key]] = {
    "names": Key(
        lambda: _('a list of names: ["Ada", "Bob"]'),
        lambda value: isinstance(value, list) and 0 < len(value) <= MAX_ROSTER and all(map(TEXT.fits, value)),
    ),
    "codes": Key(
        lambda: _('true, or a code for each name, of {low} to {high} letters: {{"Ada" = "bidule"}}').format(
            low=SHORTEST, high=LONGEST
        ),
        lambda value: value is True or (isinstance(value, dict) and all(map(is_code, value.values()))),
    ),
}
_BOT_KEYS: Final[Mapping[str, Key]] = {
    "name": _NAME,
    "run": TEXT,
    "anchor": _RATING,
    "clock": TEXT,
    "python": TEXT,
    "many_games": _YES_OR_NO,
    "ponder": _YES_OR_NO,
}


_SECOND: Final = ("overwrite", "twice", "Duplicate")
"""Words of Python's messages about a duplicate key or section."""


@dataclass(frozen=True, slots=True)
class Source:
    """The text of the file, to find the line of a key."""

    text: str
    path: str

    def line(self, key: str, table: str, number: int = 1) -> int:
        """The line of `key` in the `number`th table called `table` ("[league]", "[[bot]]"), else that table's line."""
        seen, found = 0, 1
        for place, line in enumerate(self.text.splitlines(), 1):
            text = line.strip()
            if text.startswith("["):
                seen += text.startswith(table)
                if seen == number and text.startswith(table):
                    found = place
            elif seen == number and re.match(rf"[\"']?{re.escape(key)}[\"']?\s*=", text):
                return place
        return found

    def parsed(self) -> dict[str, Any]:
        """What the file says; raises ConfigError."""
        for number, text in enumerate(self.text.splitlines(), 1):
            if text.count(".") > _MOST_DOTS:
                raise self.error(number, _("this line is too long: write a list in several lines."))
        try:
            return tomllib.loads(self.text)
        except tomllib.TOMLDecodeError as error:
            found = re.search(r"line (\d+)", str(error))
            line = int(found[1]) if found else len(self.text.splitlines())
            is_second = any(word in str(error) for word in _SECOND)
            said = _('this is not TOML: a key is written as name = "value".')
            raise self.error(line, _("this stands in the file already.") if is_second else said) from error
        except (RecursionError, ValueError) as error:  # Python itself reads no number of thousands of digits
            raise self.error(1, _("too many brackets stand in each other here, or a number is too long.")) from error

    def error(self, line: int, message: str) -> ConfigError:
        """An error that names the file and the line."""
        return ConfigError(_("{path}, line {line}: {message}").format(path=self.path, line=line, message=message))


def read_league(text: str, path: str) -> League:
    """The league that `text` describes; `path` is what to call the file. Raises ConfigError.

    Whether the bots can run is not checked here: the code that starts them does that.
    """
    source = Source(text, path)
    data = source.parsed()
    for key in data:
        if key not in ("league", "bot", "roster"):
            raise source.error(
                source.line(key, f"[{key}", 1),
                _("there is no section {key}; there are [league], [[bot]] and [roster].").format(key=key),
            )
    league = checked_table(source, data.get("league"), "[league]", 1, _LEAGUE_KEYS, ("name", "game"))
    rows = data.get("bot", [])
    if not isinstance(rows, list):
        raise source.error(source.line("bot", "[bot", 1), _("write [[bot]], with two brackets, above each bot."))
    if len(rows) > MOST_BOTS:
        message = _("{count} bots are too many: a league has at most {most}.")
        raise source.error(source.line("", "[[bot]]", MOST_BOTS + 1), message.format(count=len(rows), most=MOST_BOTS))
    bots = tuple(_bot(source, row, number) for number, row in enumerate(rows, 1))
    values: dict[str, Any] = {
        **usual_for(str(league["game"]), tested="sprt" in league),
        **league,
        "seed": str(league.get("seed", "1")),
        "bots": bots,
    }
    if "roster" in data:
        if bots:
            message = _("who is on a roster comes from elsewhere: leave out [[bot]], or the roster.")
            raise source.error(source.line("", "[roster]", 1), message)
        values["roster"], values["codes"] = _roster(source, data["roster"])
    return check_league(League(**values), source)


def check_league(league: League, source: Source | None = None) -> League:
    """`league`, if its parts fit together; raises ConfigError."""
    source = source or Source("", _("the command line"))

    def wrong(key: str, message: str, table: str = "[league]", number: int = 1) -> ConfigError:
        return source.error(source.line(key, table, number), message) if source.text else ConfigError(message)

    try:
        _rules = league.rules
    except games.RulesError as error:
        raise wrong("game", phrase(error.phrase)) from error
    try:
        time = read_clock(league.clock)
    except ConfigError as error:
        raise wrong("clock", str(error)) from error
    try:
        test = league.test
    except ConfigError as error:
        raise wrong("sprt", str(error)) from error
    if test is not None and len(league.bots) != 2:
        raise wrong("sprt", _("a test (sprt) is for two bots."))
    if test is not None and league.format != Format.ROUND_ROBIN.value:
        raise wrong("format", _("a test (sprt) is a round robin: leave out the format."))
    seen: set[str] = set()
    for number, bot in enumerate(league.bots, 1):
        if not seen.isdisjoint(looks(bot.name)):
            message = _("two bots are called {name}, or look like it: give each a name of its own.")
            raise wrong("name", message.format(name=bot.name), "[[bot]]", number)
        seen.update(looks(bot.name))
        try:
            check_odds(bot, time)
        except ConfigError as error:
            raise wrong("clock", str(error), "[[bot]]", number) from error
    return league


def read_clock(text: str) -> Clock | None:
    """The clock that `text` writes; raises ConfigError."""
    try:
        return parse_clock(text)
    except ClockError as error:
        message = _("{text!r} is no clock: write 5m+3s, 10s+0.1s, 2s/move or none.").format(text=text)
        raise ConfigError(message) from error


def check_odds(bot: LeagueBot, time: Clock | None) -> None:
    """Raises ConfigError if the bot's own clock is none, or of another kind than `time`, that of the others."""
    own = read_clock(bot.clock) if bot.clock else time
    kinds = {None if clock is None else bool(clock.move_ms) for clock in (own, time)}
    if len(kinds) > 1:
        message = _(
            "the clock of {name} must be of the kind of the others': a time for the game (10s+0.1s), or for each move "
            "(2s/move)."
        )
        raise ConfigError(message.format(name=bot.name))


def wrong_bot(text: str, path: str, number: int, message: str) -> ConfigError:
    """The error for the `number`th bot of the file, with its line, if the code that starts bots can't run it."""
    source = Source(text, path)
    return source.error(source.line("run", "[[bot]]", number), message)


def presentable(wished: str, otherwise: str) -> str:
    """`wished` as a name that servers take, cut to their length; `otherwise` if they would refuse it."""
    try:
        return display_name(wished[:MAX_NAME])
    except ProtocolError:
        return otherwise


def of_options(league: League, given: Mapping[str, Any]) -> League:
    """`league` with the keys of [league] that the command line gives; raises ConfigError."""
    for key, value in given.items():
        if not _LEAGUE_KEYS[key].fits(value):
            option = "--games" if key == "games_per_pair" else f"--{key}"
            raise ConfigError(_("{key} must be {wanted}.").format(key=option, wanted=_LEAGUE_KEYS[key].wanted()))
    usual = usual_for(league.game)
    if given.get("sprt") and league.openings == usual.get("openings"):  # nobody has chosen any
        league = replace(league, openings=usual_for(league.game, tested=True)["openings"])
    return check_league(replace(league, **given))


def _read_test(text: str) -> Sprt:
    values: dict[str, str] = {}
    for item in text.split(","):
        key, _equals, value = (part.strip() for part in item.partition("="))
        values[key] = value
    wrong = ConfigError(
        _("{text!r} is no test: write elo0=0,elo1=10, perhaps with alpha=, beta=, model=normalized.").format(text=text)
    )
    try:
        numbers = {key: float(values.pop(key)) for key in ("elo0", "elo1", "alpha", "beta") if key in values}
        model = Model(values.pop("model", "logistic"))
    except ValueError as error:
        raise wrong from error
    if values or not {"elo0", "elo1"} <= numbers.keys() or model.value.startswith("bayesian"):
        raise wrong
    try:
        return Sprt(model=model, **numbers)
    except SprtError as error:
        raise ConfigError(str(error)) from error


def checked_table(
    source: Source, data: object, table: str, number: int, keys: Mapping[str, Key], needed: tuple[str, ...]
) -> dict[str, Any]:
    """The `number`th table called `table`, whose values are as `keys` want them; raises ConfigError."""
    if not isinstance(data, dict):
        raise source.error(1, _("the section {table} is missing.").format(table=table))
    for key, value in data.items():
        line = source.line(key, table, number)
        if key not in keys:
            known = ", ".join(keys)
            message = _("there is no key {key} in {table}; there are {known}.").format(
                key=key, table=table, known=known
            )
            raise source.error(line, message)
        if not keys[key].fits(value):
            raise source.error(line, _("{key} must be {wanted}.").format(key=key, wanted=keys[key].wanted()))
    for key in needed:
        if key not in data:
            message = _("{table} needs a {key}.").format(table=table, key=key)
            raise source.error(source.line("", table, number), message)
    return data


def _bot(source: Source, row: object, number: int) -> LeagueBot:
    data = checked_table(source, row, "[[bot]]", number, _BOT_KEYS, ("name",))
    try:
        name = checked_name(data["name"])
    except ConfigError as error:
        raise source.error(source.line("name", "[[bot]]", number), str(error)) from error
    anchor = data.get("anchor")
    return LeagueBot(
        name,
        data.get("run", "").strip(),
        None if anchor is None else float(anchor),
        data.get("python", "").strip(),
        data.get("many_games"),
        data.get("ponder"),
        data.get("clock", ""),
    )


def checked_name(typed: str) -> str:
    """A name as it stands in the table; raises ConfigError."""
    name = typed.strip()
    if len(name) > MAX_NAME:
        raise ConfigError(_("the name of a bot has at most {count} characters.").format(count=MAX_NAME))
    try:
        return display_name(name)
    except ProtocolError as error:
        raise ConfigError(
            _("the name of a bot has a letter or a digit, letters of one script, and nothing that can't be seen.")
        ) from error


def _roster(source: Source, section: object) -> tuple[tuple[str, ...], dict[str, str]]:
    """The names on the roster, and the personal codes that stand there."""
    data = checked_table(source, section, "[roster]", 1, _ROSTER_KEYS, ())
    codes = data["codes"] if isinstance(data.get("codes"), dict) else {}
    typed = data.get("names", list(codes))

    def wrong(key: str, message: str) -> ConfigError:
        return source.error(source.line(key, "[roster]", 1), message)

    try:
        names = tuple(map(checked_name, typed))
        codes = {checked_name(name): code.upper() for name, code in codes.items()}
    except ConfigError as error:
        raise wrong("names" if "names" in data else "codes", str(error)) from error
    if not names:
        raise wrong("names", _("a roster has names: {example}").format(example='names = ["Ada", "Bob"]'))
    for number, name in enumerate(names):
        if name.casefold() in (other.casefold() for other in names[:number]):
            raise wrong("names", _("two bots are called {name}: give each a name of its own.").format(name=name))
    if unknown := [name for name in codes if name not in names]:
        raise wrong("codes", _("{name} has a code, but is not on the roster.").format(name=unknown[0]))
    if len(set(codes.values())) < len(codes):
        raise wrong("codes", _("two names have the same personal code."))
    return names, codes
