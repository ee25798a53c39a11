"""The Swiss system: everybody meets opponents with about the same score, and nobody twice. Pure.

Close to FIDE's Dutch system (Handbook C.04.3), as one minimum-cost matching of all players, not bracket by bracket. The
criteria, each above all that follow:
1. nobody meets an opponent again, or has a second bye (without an alternative: as few as possible)
2. with an odd number, the bye goes to one of the lowest score
3. nobody starts three times more often than not, or the reverse
4. opponents have the same score: the squares of the differences are least
5. both can have the colour that is due to them, the more so the more it is due
6. who floated down (up) in the last round does not again
7. the upper half of a score group meets the lower half in order; the lowest float down, to the highest of the next
There is always a pairing, with any history, withdrawals and late joiners.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import combinations

from league.pairing.matching import cheapest
from league.pairing.pairings import Encounter, Round

_BASE = 10**9
"""More than what all pairs together can cost by one criterion."""


@dataclass(frozen=True, slots=True)
class SwissPlayer:
    """A player before a round.

    halves: points so far in half points, byes among them. opponents: the names, None for a bye. starts: for each
    encounter, whether the player was first. floated: 1 if the last opponent had more points, -1 if fewer, else 0.
    """

    name: str
    halves: int = 0
    opponents: tuple[str | None, ...] = ()
    starts: tuple[bool, ...] = ()
    floated: int = 0

    @property
    def balance(self) -> int:
        """How many times more the player was first than second."""
        return 2 * sum(self.starts) - len(self.starts)

    @property
    def due(self) -> int:
        """What is due: 1 to be first, -1 to be second, 0 nothing; doubled or more when it is overdue."""
        if self.balance:
            return -2 * self.balance
        return (-1 if self.starts[-1] else 1) if self.starts else 0


@dataclass(frozen=True, slots=True)
class Rank:
    """Where a player stands in its score group: 0-based, of how many."""

    index: int
    size: int


def swiss(players: Sequence[SwissPlayer]) -> Round:
    """The next round. `players` are in the order of their seeding."""
    ranked = sorted(players, key=lambda player: -player.halves)  # stable: seeding decides among equals
    places = _places(ranked)
    size = len(ranked) + len(ranked) % 2
    costs = [[0] * size for _row in range(size)]
    for (one, upper), (two, lower) in combinations(enumerate(ranked), 2):
        costs[one][two] = costs[two][one] = _cost(upper, lower, places)
    if size > len(ranked):
        for one, player in enumerate(ranked):
            costs[one][-1] = costs[-1][one] = _bye_cost(player, one, ranked)
    mates = cheapest(costs)
    byes = tuple(player.name for one, player in enumerate(ranked) if mates[one] == len(ranked))
    boards = [(ranked[one], ranked[two]) for one, two in enumerate(mates) if one < two < len(ranked)]
    return Round(tuple(_seated(*pair, board) for board, pair in enumerate(boards)), byes)


def _places(ranked: Sequence[SwissPlayer]) -> Mapping[str, Rank]:
    groups: dict[int, list[str]] = {}
    for player in ranked:
        groups.setdefault(player.halves, []).append(player.name)
    return {name: Rank(index, len(group)) for group in groups.values() for index, name in enumerate(group)}


def _cost(upper: SwissPlayer, lower: SwissPlayer, places: Mapping[str, Rank]) -> int:
    """The criteria 1 to 7 for one pair, as digits of one number."""
    gap = upper.halves - lower.halves
    above, below = places[upper.name], places[lower.name]
    lopsided = min(upper.balance, lower.balance) >= 2 or max(upper.balance, lower.balance) <= -2
    clash = max(0, min(upper.due, lower.due), -max(upper.due, lower.due)) ** 2  # of the same sign: the lesser one
    again = (upper.floated < 0 < gap) + (lower.floated > 0 < gap)
    if gap:
        order = (above.size - 1 - above.index) ** 2 + below.index**2
    else:
        order = (below.index - above.index - above.size // 2) ** 2
    rematches = upper.opponents.count(lower.name)
    return rematches * _BASE**6 + _number(lopsided, gap**2, clash, again, order)  # criterion 2 is about byes


def _bye_cost(player: SwissPlayer, rank: int, ranked: Sequence[SwissPlayer]) -> int:
    """The same for the free place: criterion 2, and the lowest in rank among those of the lowest score."""
    again, above = player.opponents.count(None), player.halves - ranked[-1].halves
    return _number(again, above) * _BASE**5 + (len(ranked) - rank) ** 2


def _number(*digits: int) -> int:
    return reduce(lambda number, digit: number * _BASE + digit, digits)


def _seated(upper: SwissPlayer, lower: SwissPlayer, board: int) -> Encounter:
    """Decides who starts: the player to whom that is more `due`.

    If it is equally due, the one who was second where they last differed; if they never did, the board number decides.
    """
    first = upper.due > lower.due
    if upper.due == lower.due:
        first = board % 2 == 0
        for mine, theirs in zip(reversed(upper.starts), reversed(lower.starts), strict=False):
            if mine != theirs:
                first = theirs
                break
    return Encounter(upper.name, lower.name) if first else Encounter(lower.name, upper.name)
