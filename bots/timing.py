"""How much of a clock one move may take."""

from bots.base import Budget

_MOVES_TO_PLAN_FOR = 20
"""The share of the remaining time that a move may take, as a divisor."""


def share_s(budget: Budget) -> float | None:
    """The seconds that a move may take; None without a clock."""
    if budget.remaining_ms is None:
        return None
    if budget.move_ms is not None:
        return budget.remaining_ms * 0.5 / 1000
    share = budget.remaining_ms / _MOVES_TO_PLAN_FOR + budget.increment_ms * 0.8
    return min(share, budget.remaining_ms * 0.4) / 1000
