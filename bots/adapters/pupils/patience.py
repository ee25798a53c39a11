"""How long a file may think about one move, by its clock."""

MARGIN_S = 0.05
_MARGIN = 0.03
_LONGEST_MARGIN_S = 0.5
"""How long before its clock runs out a file is stopped, so that there is time to say at which line: the share _MARGIN
of the time left, but from MARGIN_S to _LONGEST_MARGIN_S. That is less than a server takes a bot's word for
(docs/decisions.md)."""


def thinking_s(left_ms: "int | None", move_s: float) -> float:
    """The seconds for a move. left_ms: the time until the flag falls, None without a clock; then it is `move_s`."""
    if left_ms is None:
        return move_s
    left_s = left_ms / 1000
    return max(MARGIN_S, left_s - min(_LONGEST_MARGIN_S, max(MARGIN_S, left_s * _MARGIN)))
