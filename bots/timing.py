"""How long a bot may think about a move: pure arithmetic on its clock. Milliseconds come in, seconds go out."""

from dataclasses import dataclass

from bots.base import Budget

RESERVE_MS = 200
"""The part of a clock for the whole game that is never spent: a busy machine may answer this much too late."""

DEEPEST = 60
"""The default depth of a player: as deep as its time allows."""

_MOVE_RESERVE_MS = 60

_MOST_SHARES = 3
"""How many times its share of the clock a difficult move may take."""

MOVES_TO_PLAN_FOR = 20
"""The moves that a clock is shared among where nobody knows how long the game will be."""


@dataclass(frozen=True, slots=True)
class MoveTime:
    """The seconds after which no deeper search begins, and those after which the one that runs is stopped."""

    enough_s: float
    most_s: float


WITHOUT_CLOCK = MoveTime(1.0, 1.0)
"""What a strong player takes for a move where there is no clock and no depth was asked for."""


def move_time(budget: Budget, moves: int) -> MoveTime | None:
    """The time for one of the `moves` (at least 1) that this side still has to think about; None without a clock.

    Of a clock for each move all but a tenth and 5 ms is used, or all but 60 ms if that is less. Of a clock for the game
    each move gets the same share, with most of the increment. A difficult move gets up to three times that, but never
    more than a third of what is left, with half of the increment.
    """
    assert moves > 0
    if budget.remaining_ms is None:
        return None
    if budget.move_ms is not None:
        usable_ms = budget.remaining_ms - min(_MOVE_RESERVE_MS, 5 + budget.remaining_ms / 10)
        return MoveTime(max(0.0, usable_ms) / 1000, max(0.0, usable_ms) / 1000)
    usable_ms = max(0, budget.remaining_ms - RESERVE_MS)
    share_ms = usable_ms / moves + 0.7 * budget.increment_ms
    most_ms = min(_MOST_SHARES * share_ms, usable_ms / 3 + 0.5 * budget.increment_ms, usable_ms)
    return MoveTime(min(share_ms * 0.6, most_ms) / 1000, most_ms / 1000)


def share_s(budget: Budget) -> float | None:
    """The seconds for one move of an algorithm of class; None without a clock.

    Such an algorithm reads the clock less often than our own searches and stops where it is, so it uses only half of a
    clock for each move.
    """
    if budget.remaining_ms is None:
        return None
    if budget.move_ms is not None:
        return budget.remaining_ms * 0.5 / 1000
    share = budget.remaining_ms / MOVES_TO_PLAN_FOR + budget.increment_ms * 0.8
    return min(share, budget.remaining_ms * 0.4) / 1000
