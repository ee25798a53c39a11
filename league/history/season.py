"""The state of a league, folded from its log: what is planned, what was played, who is out, and what comes next. Pure.

Entries of the log, by their kind:
    begun      league: as `League.as_dict` writes it; openings: the lines of the file of openings, if there is one;
               home: the folder that the bots' files are named from
    planned    pairings, byes: what `league.pairing.schedule.extend` added
    played     games: those of one pairing, all of them
    replayed   pairing, number, name, seconds: a game that is played again, since this player was cut off for so long
    opened     code: the one with which bots of others enter
    joined     bot: an entry as in the league file
    left       name, reason: "suspended" after too many faults in a row, "withdrawn" by the organiser
    returned   name: a bot that was withdrawn takes part again
    kicked     name: may play no more; annul: its games don't count either, and it is not in the table
    renamed    old, new: the same bot, under another name from the first game on
    merged     name, into: two bots that are one; the games of the first count for the second
    freed      name, doors: whoever enters under one of these names next has it, whatever key they show
    decided    decision: what the test of two says, for good; pairings that are being played may still end
    extended   rounds: how many there are to be in all; after the end, the league goes on
    finished   nothing more is to be played; the organiser may still make one of the four rulings above,
               or extend it
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any, Final

from games.base import Game, GameError, IllegalMove
from league.config import ConfigError, League, LeagueBot, check_odds
from league.history import shapes
from league.history.entrants import Entrants, SeasonError
from league.history.fixtures import Fixtures
from league.history.log import LogEntry
from league.pairing.openings import Balanced, Census, Openings, OpeningsError, openings
from league.pairing.schedule import BLOCK, Bye, Forfeit, Format, Pairing, Schedule, extend, stages
from league.played import Job, Played
from league.statistics.elo import Pairs
from league.statistics.score import Score
from league.statistics.sprt import Decision, Verdict, judge
from league.statistics.standings import PAIR, Standings, standings
from locales import _
from terminal.text import clean

SUSPENDED: Final = "suspended"
WITHDRAWN: Final = "withdrawn"
KICKED: Final = "kicked"

NONSENSE: Final = (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError)
"""The errors that a line raises if its content does not belong in a league's log."""

RULINGS: Final = ("kicked", "renamed", "merged", "freed")
"""The kinds of entries by which the organiser corrects a league."""

EXTENDED: Final = "extended"
"""The kind of an entry by which a league gets more rounds, also after its end."""

MOST_ROUNDS: Final = 1000


def begin(league: League, opening_lines: Sequence[str], home: Path) -> LogEntry:
    """The first entry of a league's log; the bots' files are looked for in `home`."""
    return LogEntry("begun", {"league": league.as_dict(), "openings": list(opening_lines), "home": str(home)})


class Season(Entrants):
    """A league as far as it was played."""

    def __init__(
        self,
        league: League,
        opening_lines: Sequence[str] = (),
        home: Path | None = None,
    ) -> None:
        super().__init__(league)
        self.home = home
        self._opening_lines = opening_lines
        self._fixtures = Fixtures()
        self.finished = False
        self.code = ""
        self._plan = league.plan
        self.balanced_by(None)
        self._written = Census(league.rules)
        self._drawn = Census(league.rules)
        self._faults: dict[str, int] = {}
        self._made = [0] * 5  # in a test of two: pairs in which the first one made 0 to 4 half points
        self._decision: tuple[Decision, Pairs] | None = None

    @classmethod
    def of(cls, entries: Iterable[LogEntry]) -> "Season":
        """The season that the entries of a log make; raises SeasonError."""
        entries = iter(entries)
        first = next(entries, None)
        if first is None or first.kind != "begun":
            raise SeasonError(_("the log does not begin with a league"))
        number = 1
        try:
            shapes.check(first)
            data = first.data
            season = cls(League.from_dict(data["league"]), data["openings"], Path(data["home"]))
            season.league.check()
            for number, entry in enumerate(entries, 2):  # noqa: B007 - read where it fails
                season.take(entry)
        except (SeasonError, ConfigError, OpeningsError, GameError) as error:
            raise SeasonError(_("line {line}: {problem}").format(line=number, problem=clean(str(error)))) from error
        except NONSENSE as error:
            raise SeasonError(
                _("line {line}: {problem}").format(line=number, problem=_("this can't be understood"))
            ) from error
        return season

    @property
    def schedule(self) -> Schedule:
        """All pairings and byes."""
        return self._fixtures.schedule

    @property
    def games(self) -> list[Played]:
        """All games that were played and count."""
        return self._fixtures.games

    def balanced_by(self, balanced: Balanced | None) -> None:
        """Sets the check `balanced` that random openings must pass from now on. Raises OpeningsError."""
        league, lines = self.league, self._opening_lines
        self._openings: Openings = openings(
            league.openings, league.rules, league.seed, read=lambda _path: lines, balanced=balanced
        )

    @property
    def openings_ahead(self) -> int:
        """How many openings the schedule needs in all, as far as that is known; 0 if it needs no more."""
        if self.finished or self.is_decided or len(self.bots) < 2:
            return 0
        written, each = len(self.schedule.pairings), self._plan.games_per_pair // 2
        planned = self._plan.pairings_of(len(self.bots))
        if planned is None:
            rounds = BLOCK if self._plan.is_endless else 1
            return written + rounds * each * (len(self.bots) // 2)
        return planned if planned > written else 0

    def draw(self, number: int) -> None:
        """Draws the openings up to that of pairing `number`, from 0, ahead of `following`. Raises OpeningsError."""
        self._openings.pick(number)

    @property
    def repeats(self) -> tuple[int, int] | None:
        """How many openings are different, and how many there are, if some repeat though none should; else None."""
        if self.league.openings.strip() == "none":
            return None
        self._written.take([pairing.opening for pairing in self.schedule.pairings[self._written.total :]])
        self._drawn.take(self._openings.made[self._drawn.total :])
        census = max(self._written, self._drawn, key=lambda each: each.total)
        return (census.different, census.total) if census.different < census.total else None

    # ------------------------------------------------------------------------------------------------------- the fold

    def take(self, entry: LogEntry) -> None:
        """Applies one entry; raises SeasonError."""
        shapes.check(entry)
        data = entry.data
        if self.finished and entry.kind not in (*RULINGS, EXTENDED):
            raise SeasonError(_("there is a line after the end: {kind}").format(kind=entry.kind))
        match entry.kind:
            case "planned":
                self._planned(data)
            case "played":
                self._played([Played.from_dict(game) for game in data["games"]])
            case "replayed":
                self._fixtures.replay(data["pairing"], data["name"])
            case "joined":
                bot = LeagueBot(**data["bot"])
                check_odds(bot, self.league.time)
                self.bots[bot.name] = bot
            case "left":
                self.out[data["name"]] = data["reason"]
            case "returned":
                self._return(data["name"])
            case kind if kind in (*RULINGS, EXTENDED):
                self._rule(entry)
            case "decided":
                self._decision = (Decision(data["decision"]), Pairs(*self._made))
            case "opened":
                self.code = data["code"]
            case "finished":
                self.finished = True
            case _:
                raise SeasonError(_("no line is of the kind {kind}").format(kind=entry.kind))

    def _planned(self, data: Mapping[str, Any]) -> None:
        pairings = tuple(Pairing.from_dict(pairing) for pairing in data["pairings"])
        for opening in {pairing.opening for pairing in pairings}:
            _play(self.league.rules, opening)
        more = Schedule(pairings, tuple(Bye(**bye) for bye in data["byes"]))
        if not self._is_written_whole and more.last > self.schedule.last:
            self._fixtures.close_round(self._forfeits())
        self._fixtures.add(more)

    def _played(self, games: Sequence[Played]) -> None:
        self._fixtures.take(games)
        if self.league.sprt:
            first = self.league.bots[0].name
            self._made[sum(game.result().halves_of(first) for game in games)] += 1
        for game in games:
            for name in (game.first, game.second):
                self._faults[name] = self._faults.get(name, 0) + 1 if game.faulty == name else 0

    def _extend(self, rounds: int) -> None:
        self._check_extension(rounds)
        self.league = replace(self.league, rounds=rounds)
        self._plan = self.league.plan
        self.finished = False

    def _return(self, name: str) -> None:
        if not self.may_return(name):
            raise SeasonError(_("{name} can't return").format(name=name))
        del self.out[name]

    def _rule(self, entry: LogEntry) -> None:
        """Applies what whoever runs the league has decided."""
        data = entry.data
        match entry.kind:
            case "kicked":
                self._check_kick(data["name"], annul=data["annul"])
                self._kick(data["name"], annul=data["annul"])
            case "renamed":
                self._check_rename(data["old"], data["new"])
                self._rename(data["old"], data["new"])
            case "extended":
                self._extend(data["rounds"])
            case "freed":
                self._check_free(data["name"])
                self.freed.append(tuple(data["doors"]))
            case "merged":
                self._check_merge(data["name"], data["into"])
                self._merge(data["name"], data["into"])
            case kind:
                raise AssertionError(kind)

    def _kick(self, name: str, *, annul: bool) -> None:
        self.barred[name] = annul
        if annul:
            self._remove(name)
            self._fixtures.recount([game for game in self.games if name not in (game.first, game.second)])
        elif name in self.bots:
            self.out[name] = KICKED

    def _rename(self, old: str, new: str) -> None:
        """Renames a bot in the whole season, as if it had always had its new name."""

        def called(name: str) -> str:
            return new if name == old else name

        self._remember(old, new)
        self.bots = {called(name): replace(bot, name=called(name)) for name, bot in self.bots.items()}
        self.league = replace(self.league, bots=tuple(replace(bot, name=called(bot.name)) for bot in self.league.bots))
        for table in (self.out, self.barred, self._faults):
            _move(table, old, new)
        self._fixtures.rename(called)

    def _merge(self, name: str, into: str) -> None:
        names = list(self.bots)
        better = min((name, into), key=names.index)
        ordered = [into if one == better else one for one in names if one == better or one not in (name, into)]
        bots = self.bots
        self._remove(name)
        self.bots = {one: bots[one] for one in ordered}
        self.barred.pop(name, None)
        self._remember(name, into)
        games = [game for game in self.games if {game.first, game.second} != {name, into}]
        self._fixtures.recount(
            [replace(game, first=self.called(game.first), second=self.called(game.second)) for game in games]
        )

    def _remove(self, name: str) -> None:
        """A bot is no longer one of the league's."""
        for table in (self.bots, self.out, self._faults):
            table.pop(name, None)
        self._fixtures.remove(name)

    # ----------------------------------------------------------------------------------- what whoever runs it decides

    def kicking(self, name: str, *, annul: bool) -> LogEntry:
        """The entry for a bot that may play no more; raises SeasonError."""
        self._check_kick(name, annul=annul)
        return LogEntry("kicked", {"name": name, "annul": annul})

    def renaming(self, old: str, new: str) -> LogEntry:
        """The entry for a bot that has another name from now on; raises SeasonError."""
        self._check_rename(old, new)
        return LogEntry("renamed", {"old": old, "new": new})

    def merging(self, name: str, into: str) -> LogEntry:
        """The entry that makes one bot of two; raises SeasonError."""
        self._check_merge(name, into)
        return LogEntry("merged", {"name": name, "into": into})

    def freeing(self, name: str) -> LogEntry:
        """The entry for a name that belongs to nobody any more; raises SeasonError."""
        self._check_free(name)
        return LogEntry(
            "freed", {"name": name, "doors": [name, *(old for old in self.aliases if self.called(old) == name)]}
        )

    def ruling(self, kind: str, data: Mapping[str, Any]) -> LogEntry:
        """The entry for a decision, with names as somebody has typed them; raises SeasonError, KeyError, TypeError."""
        match kind:
            case "kicked":
                return self.kicking(self.find(data["name"]), annul=bool(data["annul"]))
            case "renamed":
                return self.renaming(self.find(data["old"]), " ".join(data["new"].split()))
            case "merged":
                return self.merging(self.find(data["name"]), self.find(data["into"]))
            case "freed":
                return self.freeing(self.find(data["name"]))
            case _:
                raise KeyError(kind)

    def _check_kick(self, name: str, *, annul: bool) -> None:
        if name in self.barred and (self.barred[name] or not annul):
            raise SeasonError(_("{name} was kicked already.").format(name=name))
        self._check_known(name)
        if annul:
            self._check_games_may_go()

    def _check_merge(self, name: str, into: str) -> None:
        for one in (name, into):
            if one not in self.bots:
                raise SeasonError(_("Nobody in this league is called {name}.").format(name=one))
        if name == into:
            raise SeasonError(_("{name} is one already.").format(name=name))
        self._check_games_may_go()

    def _check_games_may_go(self) -> None:
        """Raises SeasonError if what comes next depends on every single game that was played."""
        if self.league.sprt:
            raise SeasonError(_("A test of two needs both of them, and all their games."))
        if self._plan.format is Format.KNOCKOUT and self.schedule.pairings:
            raise SeasonError(
                _("A knockout that has begun keeps its games: kick the bot without --annul, and the others go through.")
            )

    # ------------------------------------------------------------------------------------------------- what comes next

    def due(self, running: Collection[str], room: int) -> list[Job]:
        """Up to `room` pairings that can be played now; `running` are being played already."""
        return [] if self.is_decided else self._fixtures.due(self.bots, self.out, running, room)

    def hangs_on(self, name: str) -> bool:
        """Whether nothing can be played without this bot: it is one of two, or the last challenger of a gauntlet."""
        here = [bot for bot in self.bots if bot not in self.out and bot != name]
        if self._plan.format is Format.GAUNTLET:
            challengers = list(self.bots)[: self._plan.challengers]
            return name in challengers and not set(challengers).intersection(here)
        return len(here) < 2

    @property
    def broken_off(self) -> str | None:
        """The suspended bot without which the rest of the league can't be played; None if there is none."""
        if not self.finished or self.is_decided:
            return None
        return next((name for name, why in self.out.items() if why == SUSPENDED and self.hangs_on(name)), None)

    def awaits(self, pairing: str) -> bool:
        """Whether a pairing is still to be played: one that is being played may have been annulled meanwhile."""
        return pairing in self._fixtures.waiting

    def entry_for(self, games: Sequence[Played]) -> LogEntry:
        """The entry that says that a pairing was played, under the names that count by now."""
        named = [replace(game, first=self.called(game.first), second=self.called(game.second)) for game in games]
        return LogEntry("played", {"games": [game.as_dict() for game in named]})

    def replaying(self, pairing: str, number: int, name: str, seconds: float) -> LogEntry:
        """The entry for a game of a pairing that is played again, since `name` was cut off for too long."""
        data = {"pairing": pairing, "number": number, "name": self.called(name), "seconds": seconds}
        return LogEntry("replayed", data)

    def consequences(self) -> list[LogEntry]:
        """The entries that follow from the games so far: bots suspended for failures in a row, a test's decision."""
        suspended = [
            LogEntry("left", {"name": name, "reason": SUSPENDED})
            for name, faults in self._faults.items()
            if faults >= self.league.faults and name not in self.out
        ]
        verdict = self.verdict
        if verdict is None or self.is_decided or verdict.decision is Decision.CONTINUE:
            return suspended
        return [*suspended, LogEntry("decided", {"decision": verdict.decision.value})]

    def following(self) -> LogEntry:
        """What comes next, once nothing is due or being played: more pairings, or the end. Raises OpeningsError."""
        if self.is_decided:
            return LogEntry("finished", {})
        more = extend(
            self._plan,
            list(self.bots),
            self.schedule,
            self._fixtures.results,
            self._openings,
            set(self.out),
            self._forfeits(),
        )
        if not more.pairings and not more.byes:
            return LogEntry("finished", {})
        return LogEntry(
            "planned",
            {"pairings": [pairing.as_dict() for pairing in more.pairings], "byes": [asdict(bye) for bye in more.byes]},
        )

    def extending(self, rounds: int) -> LogEntry:
        """The entry for a league that is to have so many rounds in all; raises SeasonError."""
        self._check_extension(rounds)
        return LogEntry(EXTENDED, {"rounds": rounds})

    def _check_extension(self, rounds: int) -> None:
        if self.is_decided:
            raise SeasonError(_("The test is decided, so more games would not count."))
        if self.broken_off is not None or len(self.bots) - len(self.out) < 2:
            raise SeasonError(_("There are not two bots left that play."))
        planned = None if self._plan.format is Format.KNOCKOUT else self._plan.rounds_of(len(self.bots))
        if planned is None:
            raise SeasonError(_("This league has no number of rounds that could grow."))
        if not planned < rounds <= MOST_ROUNDS:
            text = _("This league has {planned} rounds: the new number is larger than that, and at most {most}.")
            raise SeasonError(text.format(planned=planned, most=MOST_ROUNDS))

    def joining(self, bot: LeagueBot) -> LogEntry:
        """The entry for a bot that comes late."""
        return LogEntry("joined", {"bot": asdict(bot)})

    def leaving(self, name: str) -> LogEntry:
        """The entry for a bot that is withdrawn."""
        return LogEntry("left", {"name": name, "reason": WITHDRAWN})

    def may_return(self, name: str) -> bool:
        """Whether a bot was withdrawn and can take part again: a knockout that went on without it is over for it."""
        if self.out.get(name) != WITHDRAWN:
            return False
        return self._plan.format is not Format.KNOCKOUT or name in self.schedule.players_of(self.schedule.last)

    def returning(self, name: str) -> LogEntry:
        """The entry for a bot that takes part again."""
        return LogEntry("returned", {"name": name})

    # ------------------------------------------------------------------------------------------------------- the table

    @property
    def verdict(self) -> Verdict | None:
        """What the test of a league with two bots says, from the first one's side; None without a test.

        Once decided, it stays the same, whatever the results of the pairings that were still being played.
        """
        test = self.league.test
        if test is None:
            return None
        if self._decision is None:
            return judge(test, Pairs(*self._made))
        decision, made = self._decision
        return replace(judge(test, made), decision=decision)

    @property
    def score(self) -> Score | None:
        """What the first of two bots has made against the other; None where there are more, or fewer."""
        return Score.of(self._fixtures.results, next(iter(self.bots))) if len(self.bots) == 2 else None

    @property
    def is_decided(self) -> bool:
        """Whether the test has ended the league."""
        return self._decision is not None

    @property
    def _is_written_whole(self) -> bool:
        return self._plan.format in (Format.ROUND_ROBIN, Format.GAUNTLET)

    def _forfeits(self) -> list[Forfeit]:
        """The pairings that one of the two won because the other has left; none where points decide nothing."""
        if self.league.sprt or self._plan.format in (Format.KNOCKOUT, Format.LADDER):
            return []
        return self._fixtures.forfeits(self.out)

    @property
    def forfeits(self) -> int:
        """How many games count as won without having been played."""
        return 2 * len(self._forfeits())

    @property
    def games_left(self) -> float | None:
        """How many games are still to come: by the plan, or on average until the test is decided; None if unknown."""
        if self.finished or self.is_decided:
            return 0
        planned, verdict = self.planned, self.verdict
        left = None if planned is None else max(planned - len(self.games), 0)
        expected = None if verdict is None else verdict.expected_games
        return min((each for each in (left, expected) if each is not None), default=None)

    @property
    def goes_on(self) -> bool:
        """Whether the schedule is extended while it is played: in an endless test, undecided and with both bots in."""
        return self._plan.is_endless and not self.is_decided and not self.out

    @property
    def planned(self) -> int | None:
        """How many games there are in all, as far as that is known; None for an endless ladder."""
        if self.finished:
            return len(self.games)
        pairings = self._plan.pairings_of(len(self.bots) - len(self.out))
        if pairings is None:
            return None
        written = self._fixtures.done + len(self.due((), len(self._fixtures.waiting)))
        return 2 * (written if self._is_written_whole and self.schedule.pairings else max(pairings, written))

    def is_anchored(self, name: str) -> bool:
        """Whether the rating of a bot was given, and stays."""
        return name in self.bots and self.bots[name].anchor is not None

    def standings(self) -> Standings:
        """The table."""
        byes = self._byes()
        anchors = {bot.name: bot.anchor for bot in self.bots.values() if bot.anchor is not None}
        return standings(
            self._fixtures.results,
            players=self.bots,
            byes=byes,
            forfeits=[(forfeit.winner, forfeit.loser) for forfeit in self._forfeits()],
            anchors=anchors,
            swiss=self._plan.format is Format.SWISS,
            by_rating=self._plan.format is Format.LADDER,
            stages=self._stages(),
        )

    def points(self) -> dict[str, float]:
        """What each player has made, as the table counts it: those of byes and forfeits, too."""
        made = {name: halves / 2 for name, halves in self._byes().items()}
        for forfeit in self._forfeits():
            made[forfeit.winner] = made.get(forfeit.winner, 0.0) + PAIR / 2
        for result in self._fixtures.results:
            for name, halves in ((result.first, result.halves), (result.second, 2 - result.halves)):
                made[name] = made.get(name, 0.0) + halves / 2
        return made

    def _byes(self) -> dict[str, int]:
        """The half points of byes, by player; only a Swiss has such."""
        made: dict[str, int] = {}
        if self._plan.format is Format.SWISS:
            for bye in self.schedule.byes:
                if bye.player in self.bots:
                    made[bye.player] = made.get(bye.player, 0) + 2 * self._plan.games_per_pair
        return made

    def _stages(self) -> Mapping[str, int] | None:
        if self._plan.format is not Format.KNOCKOUT:
            return None
        return stages(self._plan, list(self.bots), self.schedule, self._fixtures.results, set(self.out))

    def as_json(self) -> dict[str, object]:
        """What `league standings --json` prints."""
        table = self.standings().as_json(self.league.name, len(self.games), self.planned, finished=self.finished)
        verdict = self.verdict
        kicked = {"kicked": dict(self.barred)} if self.barred else {}
        pairs = {} if self.score is None else {"pairs": list(self.score.pairs.counts)}
        tested = {} if verdict is None else {"sprt": verdict.as_json()}
        odds = {name: bot.clock for name, bot in self.bots.items() if bot.clock}
        clocks = {"clock": self.league.clock, "clocks": odds} if odds else {}
        return {**table, **pairs, "out": dict(self.out), **kicked, **tested, **clocks}


def _play(game: Game, opening: Sequence[str]) -> None:
    position = game.start()
    for move in opening:
        try:
            position = position.play(move)
        except IllegalMove as error:
            raise SeasonError(_("the rules don't allow an opening")) from error


def _move(table: dict[str, Any], old: str, new: str) -> None:
    """Renames a key; its place does not matter."""
    if old in table:
        table[new] = table.pop(old)
