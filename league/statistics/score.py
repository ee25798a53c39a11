"""What one of two players has made against the other: games, and pairs of games. Pure."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

from league.results import FAULTS, Result, pairs
from league.statistics.elo import Games, Pairs


@dataclass(frozen=True, slots=True)
class Score:
    """A contest of two from one player's side.

    pairs: those of whose games both are over. failed: how many games the player, and the other one, lost by a failure.
    """

    games: Games
    pairs: Pairs
    failed: tuple[int, int] = (0, 0)

    @classmethod
    def of(cls, results: Sequence[Result], name: str) -> Self:
        """What `name` has made in the results of two."""
        made = Counter(result.halves_of(name) for result in results)
        whole = (group for group in pairs(results) if len(group) == 2)
        both = Counter(sum(result.halves_of(name) for result in group) for group in whole)
        lost = Counter(result.halves_of(name) for result in results if result.winner and result.reason in FAULTS)
        return cls(
            Games(made[2], made[1], made[0]), Pairs(both[0], both[1], both[2], both[3], both[4]), (lost[0], lost[2])
        )
