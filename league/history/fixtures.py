"""The pairings of a league: all that are written down, those still to be played, and the games of the others. Pure."""

from collections.abc import Callable, Collection, Container, Mapping, Sequence
from dataclasses import replace

from league.config import LeagueBot
from league.history.entrants import SeasonError
from league.pairing.schedule import Forfeit, Pairing, Schedule
from league.played import Job, Played
from league.results import Result
from locales import _


class Fixtures:
    """What is to be played in a league, and what was.

    schedule: all pairings and byes. waiting: the pairings that are not played yet, by their ids, in their order.
    games: all that were played and count; results: theirs; done: how many pairings those are.
    """

    def __init__(self) -> None:
        self.schedule = Schedule()
        self.waiting: dict[str, Pairing] = {}
        self.games: list[Played] = []
        self.results: list[Result] = []
        self.done = 0
        self._closed: list[Forfeit] = []  # of rounds that are over
        self._replayed: dict[str, tuple[str, ...]] = {}  # by pairing: those for whose sake a game is played again

    def add(self, more: Schedule) -> None:
        """More pairings are written down."""
        self.schedule += more
        self.waiting.update((pairing.id, pairing) for pairing in more.pairings)

    def close_round(self, forfeits: list[Forfeit]) -> None:
        """Closes the pairings that were not played because a player had left: the next round begins without them."""
        self._closed = forfeits
        self.waiting.clear()

    def take(self, games: Sequence[Played]) -> None:
        """A pairing was played: all its games. Raises SeasonError."""
        pairing = games[0].pairing
        self._check_waits(pairing)
        del self.waiting[pairing]
        self.done += 1
        self.games += games
        self.results += [game.result() for game in games]

    def replay(self, pairing: str, name: str) -> None:
        """A game of a pairing is played again, since this player was cut off for too long. Raises SeasonError."""
        self._check_waits(pairing)
        self._replayed[pairing] = (*self._replayed.get(pairing, ()), name)

    def _check_waits(self, pairing: str) -> None:
        if pairing not in self.waiting:
            raise SeasonError(_("pairing {pairing} was not to be played").format(pairing=pairing))

    def due(self, bots: Mapping[str, LeagueBot], out: Container[str], running: Collection[str], room: int) -> list[Job]:
        """Up to `room` pairings of bots that are not `out`; those that are `running` are being played already."""
        jobs: list[Job] = []
        for pairing in self.waiting.values():
            if len(jobs) >= room:
                break
            if pairing.id not in running and pairing.first not in out and pairing.second not in out:
                players = (bots[pairing.first], bots[pairing.second])
                replayed = self._replayed.get(pairing.id, ())
                jobs.append(Job(pairing.id, players, pairing.opening, pairing.seed, replayed=replayed))
        return jobs

    def forfeits(self, out: Collection[str]) -> list[Forfeit]:
        """The pairings that one of the two won because the other has left."""
        forfeits = list(self._closed)
        for pairing in self.waiting.values() if out else ():
            one, two = pairing.first, pairing.second
            if (one in out) != (two in out):
                winner, loser = (two, one) if one in out else (one, two)
                forfeits.append(Forfeit(pairing.id, winner, loser))
        return forfeits

    def rename(self, called: Callable[[str], str]) -> None:
        """Every bot has always been called what `called` makes of its name."""
        self.schedule = Schedule(
            tuple(replace(one, first=called(one.first), second=called(one.second)) for one in self.schedule.pairings),
            tuple(replace(bye, player=called(bye.player)) for bye in self.schedule.byes),
        )
        self._replayed = {key: tuple(called(name) for name in names) for key, names in self._replayed.items()}
        renamed = {pairing.id: pairing for pairing in self.schedule.pairings}
        self.waiting = {pairing: renamed[pairing] for pairing in self.waiting}
        self._closed = [replace(one, winner=called(one.winner), loser=called(one.loser)) for one in self._closed]
        self.recount([replace(game, first=called(game.first), second=called(game.second)) for game in self.games])

    def remove(self, name: str) -> None:
        """A bot plays no more: what was planned for it stands in the schedule, but is not played."""
        self.waiting = {
            key: pairing for key, pairing in self.waiting.items() if name not in (pairing.first, pairing.second)
        }
        self._closed = [one for one in self._closed if name not in (one.winner, one.loser)]

    def recount(self, games: Sequence[Played]) -> None:
        """Replaces the games that were played, and recomputes what is derived from them."""
        self.games = list(games)
        self.results = [game.result() for game in games]
        self.done = len({game.pairing for game in games})
