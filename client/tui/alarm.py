"""When to warn that little time is left. Pure."""

from __future__ import annotations

from protocol.messages import SeatClock

_MOST_MS, _LEAST_MS = 60_000, 10_000


def warn_under(clock: SeatClock | None) -> float:
    """Below how many milliseconds little time is left: an eighth of the initial time, at least 10 s, at most 60 s."""
    whole = clock.initial_ms if clock is not None else 0
    return min(_MOST_MS, max(_LEAST_MS, whole / 8))


class Alarm:
    """Rings once when little time is left, and again only after it has clearly recovered."""

    def __init__(self) -> None:
        self._armed = True

    def rings(self, left_ms: float, under_ms: float) -> bool:
        """Whether to warn now."""
        if left_ms >= under_ms * 1.5:
            self._armed = True
        if not self._armed or left_ms >= under_ms:
            return False
        self._armed = False
        return True
