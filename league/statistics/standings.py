"""The table of a league, derived from its results and nothing else. Pure.

Order: points, then the tie-breaks of the format, then more wins (byes and forfeits are wins), then the name.
Tie-breaks, each in points: - direct encounter: what those who are level made against each other, if all of them have
met - Buchholz (Swiss): the sum of the opponents' points, once for each pair of games; for pairs that count without
games (byes and forfeits), one's own points as often - Sonneborn-Berger: for each opponent, what was made against it,
times its points A forfeit counts as two games won in the points, direct encounter and Sonneborn-Berger. It is no game,
and does not count for ratings. In a Swiss, Buchholz comes first; elsewhere there is none. A table `by_rating`, for
players who met different opponents or a different number of them, has ratings in place of points. In a knockout, those
who came further rank higher.
"""

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby, pairwise
from typing import Final, Literal

from league.pupils.lists import plain
from league.results import FAULTS, Result, pairs
from league.statistics.comparable import rate_alone
from league.statistics.ratings import NONE, SPREAD, Ratings, rate

PAIR: Final = 4
"""Half points of a pair of games."""

BUCHHOLZ: Final = "buchholz"
"""The tie-break that comes first in a Swiss, among `Row.tie_breaks`."""

DIRECT: Final = "direct"
"""The tie-break that comes first elsewhere: the games against each other."""


@dataclass(slots=True)
class Tally:
    """Games won, drawn and lost."""

    wins: int = 0
    draws: int = 0
    losses: int = 0

    def add(self, halves: int) -> None:
        """Counts a game in which 0, 1 or 2 half points were made."""
        self.wins += halves == 2
        self.draws += halves == 1
        self.losses += halves == 0

    @property
    def games(self) -> int:
        """All of them."""
        return self.wins + self.draws + self.losses

    @property
    def halves(self) -> int:
        """The points in half points."""
        return 2 * self.wins + self.draws

    def as_json(self) -> dict[str, object]:
        """The figures, and the points that they are worth."""
        return {"wins": self.wins, "draws": self.draws, "losses": self.losses, "points": _points(self.halves)}


@dataclass(slots=True)
class Row:
    """One player. rating and error in Elo; seconds: time used; faults: how many defeats by reason.

    as_first, as_second: what was made on each seat. against: the same by opponent. tie_breaks: by name, in points.
    bye_halves: half points without games. forfeits: those of them that are from forfeits, by opponent; 0 where it won.
    """

    name: str
    rank: int = field(init=False)
    rating: float = field(init=False)
    error: float = field(init=False)
    bye_halves: int = 0
    forfeits: dict[str, int] = field(default_factory=dict)
    seconds: float = 0.0
    as_first: Tally = field(default_factory=Tally)
    as_second: Tally = field(default_factory=Tally)
    against: dict[str, Tally] = field(default_factory=dict)
    faults: dict[str, int] = field(default_factory=dict)
    tie_breaks: dict[str, float] = field(default_factory=dict)

    @property
    def total(self) -> Tally:
        """Both seats together."""
        one, two = self.as_first, self.as_second
        return Tally(one.wins + two.wins, one.draws + two.draws, one.losses + two.losses)

    @property
    def halves(self) -> int:
        """All points, those of byes and forfeits too, in half points."""
        return self.total.halves + self.bye_halves

    @property
    def is_rated(self) -> bool:
        """Whether the rating says anything: not before the first game, unless it is held fast."""
        return self.total.games > 0 or self.error == 0

    def as_json(self) -> dict[str, object]:
        """The row as programs read it; `score` is points a game, null before the first. A rating may be null."""
        total = self.total
        return {
            "rank": self.rank,
            "name": self.name,
            "rating": round(self.rating, 2) if self.is_rated and math.isfinite(self.rating) else None,
            "error": round(self.error, 2) if self.is_rated and math.isfinite(self.error) else None,
            "games": total.games,
            "wins": total.wins,
            "draws": total.draws,
            "losses": total.losses,
            "points": _points(self.halves),
            "bye_points": _points(self.bye_halves),
            "score": round(total.halves / 2 / total.games, 4) if total.games else None,
            "as_first": self.as_first.as_json(),
            "as_second": self.as_second.as_json(),
            "faults": dict(sorted(self.faults.items())),
            "seconds": round(self.seconds, 3),
            "tie_breaks": self.tie_breaks,
        }


@dataclass(frozen=True, slots=True)
class Standings:
    """The rows, the first first, and the fit from which their ratings are."""

    rows: list[Row]
    ratings: Ratings

    def as_json(self, league: str, played: int, planned: int | None, *, finished: bool) -> dict[str, object]:
        """What `league standings --json` prints: played and planned are games, planned is null in an endless league.

        crosstable[i][j] is what row i made against row j, los[i][j] the likelihood that i is stronger; the diagonals
        are null. first_player_advantage is in Elo, with half its 95 % interval; first_player_score is points a game.
        """
        firsts = [row.as_first for row in self.rows]
        games, halves = sum(tally.games for tally in firsts), sum(tally.halves for tally in firsts)
        names = [row.name for row in self.rows]
        return {
            "league": league,
            "finished": finished,
            "played": played,
            "planned": planned,
            "rows": [row.as_json() for row in self.rows],
            "crosstable": [
                [None if one.name == two else one.against.get(two, Tally()).as_json() for two in names]
                for one in self.rows
            ],
            "los": [
                [round(likely, 6) if (likely := self.ratings.los[one].get(two)) is not None else None for two in names]
                for one in names
            ],
            "first_player_advantage": round(self.ratings.advantage, 2),
            "first_player_advantage_error": round(self.ratings.advantage_error, 2),
            "first_player_score": round(halves / 2 / games, 4) if games else None,
        }


def standings(  # noqa: PLR0913 - one keyword for each thing in which formats differ
    results: Iterable[Result],
    *,
    players: Iterable[str] = (),
    byes: Mapping[str, int] | None = None,
    forfeits: Iterable[tuple[str, str]] = (),
    anchors: Mapping[str, float] | None = None,
    swiss: bool = False,
    by_rating: bool = False,
    stages: Mapping[str, int] | None = None,
    order_effect: bool = True,
    spread: float | None = SPREAD,
) -> Standings:
    """The table of `results`.

    players: those who may have no game yet. byes: half points that players had for byes. forfeits: winner and loser of
    each pairing that counts without games; both are among the players. anchors: ratings that stay as they are.
    stages: how far each came, in a knockout. order_effect: whether the ratings allow for an advantage of who begins.
    spread: the prior's standard deviation of a rating, None for no prior: some are infinite then, or unknown (nan).
    """
    results = list(results)
    rows: dict[str, Row] = {}
    for name in (*players, *(name for result in results for name in (result.first, result.second)), *(byes or ())):
        rows.setdefault(name, Row(name))
    for name, halves in (byes or {}).items():
        rows[name].bye_halves = halves
    for winner, loser in forfeits:
        rows[winner].bye_halves += PAIR
        rows[winner].forfeits[loser] = rows[winner].forfeits.get(loser, 0) + PAIR
        rows[loser].forfeits.setdefault(winner, 0)
    for result in results:
        _take(rows, result)
    order_spread = SPREAD if order_effect else NONE
    if spread is None:
        ratings = rate_alone(results, players=rows, anchors=anchors, order_spread=order_spread)
    else:
        ratings = rate(results, players=rows, anchors=anchors, spread=spread, order_spread=order_spread)
    for name, row in rows.items():
        row.rating, row.error = ratings.ratings[name], ratings.errors[name]
    _break_ties(rows, results, swiss=swiss)
    return Standings(_ranked(list(rows.values()), by_rating=by_rating, stages=stages or {}), ratings)


def _take(rows: Mapping[str, Row], result: Result) -> None:
    """Counts one game for both players."""
    first, second = rows[result.first], rows[result.second]
    for row, other, seat, halves, used in (
        (first, second, first.as_first, result.halves, result.seconds[0]),
        (second, first, second.as_second, 2 - result.halves, result.seconds[1]),
    ):
        seat.add(halves)
        row.against.setdefault(other.name, Tally()).add(halves)
        row.seconds += used
        if halves == 0 and result.reason in FAULTS:
            row.faults[result.reason] = row.faults.get(result.reason, 0) + 1


def _break_ties(rows: Mapping[str, Row], results: Sequence[Result], *, swiss: bool) -> None:
    """Writes the tie-breaks into the rows, in the order in which they decide."""
    level: dict[int, list[Row]] = {}
    for row in rows.values():
        level.setdefault(row.halves, []).append(row)
    opponents: dict[str, list[str]] = {name: [] for name in rows}
    for pair in pairs(results):
        opponents[pair[0].first].append(pair[0].second)
        opponents[pair[0].second].append(pair[0].first)
    for row in rows.values():
        direct = _direct(row, level[row.halves])
        berger = sum(made * rows[other].halves for other, made in _made(row).items()) / 4
        if swiss:
            own = row.halves * (row.bye_halves // PAIR)
            buchholz = (sum(rows[other].halves for other in opponents[row.name]) + own) / 2
            row.tie_breaks = {BUCHHOLZ: buchholz, DIRECT: direct, "sonneborn_berger": berger}
        else:
            row.tie_breaks = {DIRECT: direct, "sonneborn_berger": berger}


def ties(rows: Sequence[Row]) -> Literal["buchholz", "direct"] | None:
    """The tie-break that comes first in this table, if tie-breaks put anybody in order; else None."""
    by_points = all(one.halves >= other.halves for one, other in pairwise(rows))
    if not by_points or not any(one.halves == other.halves and one.rank < other.rank for one, other in pairwise(rows)):
        return None
    return BUCHHOLZ if BUCHHOLZ in rows[0].tie_breaks else DIRECT


def _direct(row: Row, level: Collection[Row]) -> float:
    """The points against those who are level, 0 unless all of them have met."""
    names = {other.name for other in level}
    if any(names - {other.name} - _made(other).keys() for other in level):
        return 0.0
    return sum(made for other, made in _made(row).items() if other in names) / 2


def _made(row: Row) -> dict[str, int]:
    """What a player made against each that counts as met, in half points."""
    made = dict(row.forfeits)
    for other, tally in row.against.items():
        made[other] = made.get(other, 0) + tally.halves
    return made


def _ranked(rows: list[Row], *, by_rating: bool, stages: Mapping[str, int]) -> list[Row]:
    """The rows in order, their ranks written: who is level in everything but the name shares a rank."""

    def merit(row: Row) -> tuple[float, ...]:
        main = (-math.inf if math.isnan(row.rating) else round(row.rating, 6)) if by_rating else row.halves
        ties = (-value for value in row.tie_breaks.values())
        return (-stages.get(row.name, 0), -main, *ties, -row.total.wins - row.bye_halves // 2)

    ranked: list[Row] = []
    for _merit, level in groupby(sorted(rows, key=lambda row: (merit(row), plain(row.name), row.name)), key=merit):
        rank = len(ranked) + 1
        for row in level:
            row.rank = rank
            ranked.append(row)
    return ranked


def _points(halves: int) -> float:
    return halves / 2
