"""The state of a league, folded from its log: what is planned, what was played, who is out, and what comes next. Pure.

Entries of the log, by their kind:
    begun      league: as `League.as_dict` writes it; openings: the lines of the file of openings, if there is one;
               home: the folder that the bots' files are named from
    planned    pairings, byes: what `league.schedule.extend` added
    played     games: those of one pairing, all of them
    opened     code: with which bots of others enter
    joined     bot: an entry as in the league file
    left       name, reason: "suspended" after too many faults in a row, "withdrawn" by whoever runs the league
    returned   name: a bot that was withdrawn takes part again
    decided    decision: what the test of two says, for good; pairings that are being played may still end
    finished   nothing more is to be played
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any, Final

from league.config import Entry as Bot
from league.config import League
from league.elo import Pairs
from league.log import Entry
from league.openings import Balanced, Openings, openings
from league.played import Job, Played
from league.results import Result
from league.schedule import Bye, Forfeit, Format, Pairing, Schedule, extend, stages
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
        self._decision: tuple[Decision, Pairs] | None = None
        self._waiting: dict[str, Pairing] = {}
        self._closed: list[Forfeit] = []

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
            case "returned":
                if not self.may_return(data["name"]):
                    raise SeasonError(_("{name} can't return").format(name=data["name"]))
                del self.out[data["name"]]
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
        more = Schedule(pairings, tuple(Bye(**bye) for bye in data["byes"]))
        if not self._is_written_whole and more.last > self.schedule.last:
            self._close_round()
        self.schedule += more
        self._waiting.update((pairing.id, pairing) for pairing in pairings)

    def _close_round(self) -> None:
        """What was not played before the next round, because somebody had left, never is."""
        self._closed = self._forfeits()
        self._waiting.clear()

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

    def consequences(self) -> list[Entry]:
        """The entries for what the games so far bring about: bots that failed too often in a row, a test's decision."""
        suspended = [
            Entry("left", {"name": name, "reason": SUSPENDED})
            for name, faults in self._faults.items()
            if faults >= self.league.faults and name not in self.out
        ]
        verdict = self.verdict
        if verdict is None or self.is_decided or verdict.decision is Decision.CONTINUE:
            return suspended
        return [*suspended, Entry("decided", {"decision": verdict.decision.value})]

    def following(self) -> Entry:
        """The entry for what comes when nothing is due and nothing is being played. Raises OpeningsError."""
        if self.is_decided:
            return Entry("finished", {})
        more = extend(
            self._plan, list(self.bots), self.schedule, self._results, self._openings, set(self.out), self._forfeits()
        )
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

    def may_return(self, name: str) -> bool:
        """Whether a bot was withdrawn and can take part again: a knockout that went on without it is over for it."""
        if self.out.get(name) != WITHDRAWN:
            return False
        return self._plan.format is not Format.KNOCKOUT or name in self.schedule.players_of(self.schedule.last)

    def returning(self, name: str) -> Entry:
        """The entry for a bot that takes part again."""
        return Entry("returned", {"name": name})

    # ------------------------------------------------------------------------------------------------------- the table

    @property
    def verdict(self) -> Verdict | None:
        """What the test of a league with two bots says, from the first one's side; None without a test.

        Once it is decided it stays as it was then, whatever the pairings that were still being played came to.
        """
        test = self.league.test
        if test is None:
            return None
        if self._decision is None:
            return judge(test, Pairs(*self._made))
        decision, made = self._decision
        return replace(judge(test, made), decision=decision)

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
        forfeits = list(self._closed)
        for pairing in self._waiting.values() if self.out else ():
            one, two = pairing.first, pairing.second
            if (one in self.out) != (two in self.out):
                winner, loser = (two, one) if one in self.out else (one, two)
                forfeits.append(Forfeit(pairing.id, winner, loser))
        return forfeits

    @property
    def goes_on(self) -> bool:
        """Whether the schedule can be written ahead while it is played: that of a test without an end."""
        return self._plan.is_endless and not self.is_decided and not self.out

    @property
    def planned(self) -> int | None:
        """How many games there are in all, as far as that is known; None for an endless ladder."""
        if self.finished:
            return len(self.games)
        pairings = self._plan.pairings_of(len(self.bots) - len(self.out))
        if pairings is None:
            return None
        written = self._done + len(self.due((), len(self._waiting)))
        return 2 * (written if self._is_written_whole and self.schedule.pairings else max(pairings, written))

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
            forfeits=[(forfeit.winner, forfeit.loser) for forfeit in self._forfeits()],
            anchors=anchors,
            swiss=self._plan.format is Format.SWISS,
            by_rating=self._plan.format is Format.LADDER,
            stages=self._stages(),
        )

    def _stages(self) -> Mapping[str, int] | None:
        if self._plan.format is not Format.KNOCKOUT:
            return None
        return stages(self._plan, list(self.bots), self.schedule, self._results, set(self.out))

    def as_json(self) -> dict[str, object]:
        """What `league standings --json` prints."""
        table = self.standings().as_json(self.league.name, len(self.games), self.planned, finished=self.finished)
        verdict = self.verdict
        return {**table, "out": dict(self.out), **({} if verdict is None else {"sprt": verdict.as_json()})}
