"""Time controls as people write them: "5m+3s", "10s+0.1s", "2s/move", "none"."""

from __future__ import annotations

import re

from protocol.messages import Clock, SeatClock

_UNITS_MS = {"h": 3_600_000, "m": 60_000, "s": 1000, "ms": 1}
_DURATION = re.compile(r"(\d{1,6}(?:\.\d{1,3})?)(ms|h|m|s)", re.ASCII)
_DAY_MS = 24 * 3_600_000


class ClockError(ValueError):
    """A time control that can't be read."""


def parse_clock(text: str) -> Clock | None:
    """The time control that `text` writes, None for "none"; raises ClockError."""
    written = text.strip().lower().replace(" ", "")
    if written == "none":
        return None
    if written.endswith("/move"):
        clock = Clock(move_ms=_duration_ms(written.removesuffix("/move"), text))
    else:
        base, plus, increment = written.partition("+")
        clock = Clock(initial_ms=_duration_ms(base, text), increment_ms=_duration_ms(increment, text) if plus else 0)
    if not (0 < clock.initial_ms + clock.move_ms <= _DAY_MS and clock.increment_ms <= _UNITS_MS["h"]):
        raise ClockError(text)
    return clock


def format_clock(clock: SeatClock | None) -> str:
    """`clock` as `parse_clock` reads it; "5m, 1m" if the seats have others."""
    if clock is None:
        return "none"
    if isinstance(clock, Clock) and clock.second is not None:
        return ", ".join(map(format_clock, clock.seats))
    if clock.move_ms:
        return f"{_format_ms(clock.move_ms)}/move"
    return _format_ms(clock.initial_ms) + (f"+{_format_ms(clock.increment_ms)}" if clock.increment_ms else "")


def _duration_ms(written: str, whole: str) -> int:
    """The milliseconds of "5m", "1h30m" or "0.1s"."""
    total, end = 0.0, 0
    for part in _DURATION.finditer(written):
        if part.start() != end:
            break
        total, end = total + float(part[1]) * _UNITS_MS[part[2]], part.end()
    if not written or end != len(written):
        raise ClockError(whole)
    return round(total)


def _format_ms(ms: int) -> str:
    if ms == 0:
        return "0s"
    for unit, size in (("h", 3_600_000), ("m", 60_000)):
        if ms % size == 0:
            return f"{ms // size}{unit}"
    return f"{ms / 1000:.3f}".rstrip("0").rstrip(".") + "s"
