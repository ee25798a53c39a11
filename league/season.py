"""The state of a league, folded from its log: what is planned, what was played, who is out, and what comes next. Pure.

Entries of the log, by their kind:
    begun      league: as `League.as_dict` writes it; openings: the lines of the file of openings, if there is one;
               home: the folder that the bots' files are named from
    planned    pairings, byes: what `league.schedule.extend` added
    played     games: those of one pairing, all of them
    opened     code: with which bots of others enter
    joined     bot: an entry as in the league file
    left       name, reason: "suspended" after too many faults in a row, "withdrawn" by whoever runs the league
    finished   nothing more is to be played
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

from league.config import Entry as Bot
from league.config import League
from league.elo import Pairs
from league.log import Entry
from league.openings import Balanced, Openings, openings
from league.played import Job, Played
from league.results import Result
from league.schedule import Bye, Format, Pairing, Schedule, extend
from league.sprt import Decision, Verdict, judge
from league.standings import Standings, standings
from locales import _

SUSPENDED: Final = "suspended"
WITHDRAWN: Final = "withdrawn"


class SeasonError(Exception):
    """A log whose entries don't make a league; the message says which does not fit."""


def begin(league: League, opening_lines: Sequence[str], home: Path) -> Entry:
    """The first entry of a league's log; the bots' files are looked for in `home`."""
    return Entry("begun", {"league": league.as_dict(), "openings": list(opening_lines), "home": str(home)})


class Season:
    """A league as far as it was played.

    bots: by name, in the order of their seeding. out: who does not play any more, and why. games: all that were played.
    """

    def __init__(
        self,
        league: League,
        opening_lines: Sequence[str] = (),
        home: Path | None = None,
    ) -> None:
        self.league = league
        self.home = home
        self._opening_lines = opening_lines
        self.bots: dict[str, Bot] = {bot.name: bot for bot in league.bots}
        self.out: dict[str, str] = {}
        self.schedule = Schedule()
        self.games: list[Played] = []
        self.finished = False
        self.code = ""
        self._plan = league.plan
        self.balanced_by(None)
        self._done = 0
        self._faults: dict[str, int] = {}
        self._results: list[Result] = []
        self._made = [0] * 5  # in a test of two: pairs in which the first one made 0 to 4 half points
        self._waiting: dict[str, Pairing] = {}

    @classmethod
    def of(cls, entries: Iterable[Entry]) -> "Season":
        """The season that the entries of a log make; raises SeasonError."""
        entries = iter(entries)
        first = next(entries, None)
        if first is None or first.kind != "begun":
            raise SeasonError(_("the log does not begin with a league"))
        data = first.data
        season = cls(League.from_dict(data["league"]), data["openings"], Path(data["home"]))
        for entry in entries:
            season.take(entry)
        return season

    def balanced_by(self, balanced: Balanced | None) -> None:
        """Random openings that are still to be drawn have to pass `balanced`. Raises OpeningsError."""
        league, lines = self.league, self._opening_lines
        self._openings: Openings = openings(
            league.openings, league.rules, league.seed, read=lambda _path: lines, balanced=balanced
        )

    # ------------------------------------------------------------------------------------------------------- the fold

    def take(self, entry: Entry) -> None:
        """Applies one entry; raises SeasonError."""
        data = entry.data
        if self.finished:
            raise SeasonError(_("there is a line after the end: {kind}").format(kind=entry.kind))
        match entry.kind:
            case "planned":
                self._planned(data)
            case "played":
                self._played([Played.from_dict(game) for game in data["games"]])
            case "joined":
                self.bots[data["bot"]["name"]] = Bot(**data["bot"])
            case "left":
                self.out[data["name"]] = data["reason"]
            case "opened":
                self.code = data["code"]
            case "finished":
                self.finished = True
            case _:
                raise SeasonError(_("no line is of the kind {kind}").format(kind=entry.kind))

    def _planned(self, data: Mapping[str, Any]) -> None:
        pairings = tuple(Pairing.from_dict(pairing) for pairing in data["pairings"])
        self.schedule += Schedule(pairings, tuple(Bye(**bye) for bye in data["byes"]))
        self._waiting.update((pairing.id, pairing) for pairing in pairings)

    def _played(self, games: Sequence[Played]) -> None:
        pairing = games[0].pairing
        if self._waiting.pop(pairing, None) is None:
            raise SeasonError(_("pairing {pairing} was not to be played").format(pairing=pairing))
        self._done += 1
        self.games += games
        self._results += [game.result() for game in games]
        if self.league.sprt:
            first = self.league.bots[0].name
            results = [game.result() for game in games]
            self._made[sum(one.halves if one.first == first else 2 - one.halves for one in results)] += 1
        for game in games:
            for name in (game.first, game.second):
                self._faults[name] = self._faults.get(name, 0) + 1 if game.faulty == name else 0

    # ------------------------------------------------------------------------------------------------- what comes next

    def due(self, running: Collection[str], room: int) -> list[Job]:
        """Up to `room` pairings that can be played now; `running` are being played already."""
        jobs: list[Job] = []
        if self.is_decided:
            return jobs
        for pairing in self._waiting.values():
            if len(jobs) >= room:
                break
            if pairing.id not in running and not self.out.keys() & {pairing.first, pairing.second}:
                players = (self.bots[pairing.first], self.bots[pairing.second])
                jobs.append(Job(pairing.id, players, pairing.opening, pairing.seed))
        return jobs

    def entry_for(self, games: Sequence[Played]) -> Entry:
        """The entry that says that a pairing was played."""
        return Entry("played", {"games": [game.as_dict() for game in games]})

    def suspensions(self) -> list[Entry]:
        """The entries for bots that have failed too often in a row."""
        return [
            Entry("left", {"name": name, "reason": SUSPENDED})
            for name, faults in self._faults.items()
            if faults >= self.league.faults and name not in self.out
        ]

    def following(self) -> Entry:
        """The entry for what comes when nothing is due and nothing is being played. Raises OpeningsError."""
        if self.is_decided:
            return Entry("finished", {})
        more = extend(self._plan, list(self.bots), self.schedule, self._results, self._openings, set(self.out))
        if not more.pairings and not more.byes:
            return Entry("finished", {})
        return Entry(
            "planned",
            {"pairings": [pairing.as_dict() for pairing in more.pairings], "byes": [asdict(bye) for bye in more.byes]},
        )

    def joining(self, bot: Bot) -> Entry:
        """The entry for a bot that comes late."""
        return Entry("joined", {"bot": asdict(bot)})

    def leaving(self, name: str) -> Entry:
        """The entry for a bot that is withdrawn."""
        return Entry("left", {"name": name, "reason": WITHDRAWN})

    # ------------------------------------------------------------------------------------------------------- the table

    @property
    def verdict(self) -> Verdict | None:
        """What the test of a league with two bots says, from the first one's side; None without a test."""
        test = self.league.test
        return None if test is None else judge(test, Pairs(*self._made))

    @property
    def is_decided(self) -> bool:
        """Whether the test has ended the league."""
        verdict = self.verdict
        return verdict is not None and verdict.decision is not Decision.CONTINUE

    @property
    def planned(self) -> int | None:
        """How many games there are in all, as far as that is known; None for an endless ladder."""
        if self.finished:
            return len(self.games)
        pairings = self._plan.pairings_of(len(self.bots) - len(self.out))
        if pairings is None:
            return None
        written = self._done + len(self.due((), len(self._waiting)))
        whole = self._plan.format in (Format.ROUND_ROBIN, Format.GAUNTLET) and bool(self.schedule.pairings)
        return 2 * (written if whole else max(pairings, written))

    def standings(self) -> Standings:
        """The table."""
        byes: dict[str, int] = {}
        if self._plan.format is Format.SWISS:
            for bye in self.schedule.byes:
                byes[bye.player] = byes.get(bye.player, 0) + 2 * self._plan.games_per_pair
        anchors = {bot.name: bot.anchor for bot in self.bots.values() if bot.anchor is not None}
        return standings(
            self._results,
            players=self.bots,
            byes=byes,
            anchors=anchors,
            swiss=self._plan.format is Format.SWISS,
            by_rating=self._plan.format is Format.LADDER,
        )

    def as_json(self) -> dict[str, object]:
        """What `league standings --json` prints."""
        table = self.standings().as_json(self.league.name, len(self.games), self.planned, finished=self.finished)
        verdict = self.verdict
        return {**table, "out": dict(self.out), **({} if verdict is None else {"sprt": verdict.as_json()})}
