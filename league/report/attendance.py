"""The lines for the organiser of an open league about who comes and goes: absences, returns, refusals. Pure.

Short absences are left out: whoever is back within ten seconds was not away. Absences of several bots share a line, and
repeated attempts at a name are reported now and then, with their number. Lines have 80 columns where names allow it.
"""

import shlex
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Protocol

from locales import _, ngettext
from terminal.columns import columns

AWAY_TOLD_S: Final = 10.0
"""From when on somebody counts as away."""

QUIET_S: Final = 60.0
"""Seconds until an absence or a refusal of the same name is reported again: links that flap are no news."""

RTT_S: Final = 2.0
"""How long a return waits to be told until its round trip is measured."""

NAMES_SHOWN: Final = 3
"""How many names a line about absences has; the others are counted."""

REFUSALS: Final = 6
REFUSALS_EVERY_S: Final = 10.0
"""Refusals that are reported at once; from then on, one in REFUSALS_EVERY_S seconds."""


class Comer(Protocol):
    """A bot to report: connected or not since `since` (monotonic seconds); the round trip in milliseconds, if known."""

    present: bool
    since: float
    rtt_ms: int | None


@dataclass(slots=True)
class _Absence:
    since: float
    is_told: bool = False


@dataclass(slots=True)
class _Wish:
    """A refused name: how often since the last report, the last origin, and the earliest time of the next report."""

    count: int = 0
    origin: str | None = None
    told_from: float = 0.0
    is_new: bool = True


class Attendance:
    """Remembers who was there; `look` says what is new. how: the command that gives a name free, without the name."""

    def __init__(self, how: str) -> None:
        self._how = how
        self._absences: dict[str, _Absence] = {}
        self._told_at: dict[str, float] = {}
        self._wishes: dict[str, _Wish] = {}
        self._room, self._room_at = float(REFUSALS), 0.0

    def refused(self, name: str, count: int, origin: str | None) -> None:
        """Somebody wanted a name that is not theirs, `count` times."""
        wish = self._wishes.setdefault(name, _Wish())
        wish.count += count
        wish.origin = origin or wish.origin

    def look(self, comers: Mapping[str, Comer], barred: Collection[str], now: float) -> list[str]:
        """The lines about what is new at `now`, by the clock of `since`; those in `barred` are not told of."""
        known = {name: comer for name, comer in comers.items() if name not in barred}
        return [*self._returns(known, now), *self._new_absences(known, now), *self._new_refusals(now)]

    def _returns(self, comers: Mapping[str, Comer], now: float) -> list[str]:
        lines = []
        for name in list(self._absences):
            comer, absence = comers.get(name), self._absences[name]
            if comer is None or (comer.present and not absence.is_told):
                del self._absences[name]
            elif comer.present and (comer.rtt_ms is not None or now - comer.since >= RTT_S):
                del self._absences[name]
                seconds = round(comer.since - absence.since)
                if comer.rtt_ms is None:
                    text = ngettext("{name} is back after {count} s.", "{name} is back after {count} s.", seconds)
                else:
                    text = ngettext(
                        "{name} is back after {count} s, round trip {rtt} ms.",
                        "{name} is back after {count} s, round trip {rtt} ms.",
                        seconds,
                    )
                lines.append(text.format(name=name, count=seconds, rtt=comer.rtt_ms))
        return lines

    def _new_absences(self, comers: Mapping[str, Comer], now: float) -> list[str]:
        gone = []
        for name, comer in comers.items():
            if comer.present:
                continue
            absence = self._absences.setdefault(name, _Absence(comer.since))
            quiet = name in self._told_at and now - self._told_at[name] < QUIET_S
            if not absence.is_told and not quiet and now - absence.since >= AWAY_TOLD_S:
                absence.is_told = True
                self._told_at[name] = now
                gone.append((name, round(now - absence.since)))
        if not gone:
            return []
        seconds = max(seconds for _name, seconds in gone)
        names = ", ".join(name for name, _seconds in gone[:NAMES_SHOWN])
        if len(gone) > NAMES_SHOWN:
            others = len(gone) - NAMES_SHOWN
            text = ngettext("{names} and {count} other", "{names} and {count} others", others)
            names = text.format(names=names, count=others)
        return [_("{names}: away for {seconds} s.").format(names=names, seconds=seconds)]

    def _new_refusals(self, now: float) -> list[str]:
        self._room = min(float(REFUSALS), self._room + (now - self._room_at) / REFUSALS_EVERY_S)
        self._room_at = now
        lines: list[str] = []
        for name, wish in self._wishes.items():
            if not wish.count or now < wish.told_from or self._room < 1.0:
                continue
            self._room -= 1.0
            lines.append(_refusal(name, wish))
            if wish.is_new:
                hint = _("  To give them the name: {command}")
                lines.append(hint.format(command=f"{self._how} {shlex.quote(name)}"))
            wish.count, wish.is_new, wish.told_from = 0, False, now + QUIET_S
        return lines


def _refusal(name: str, wish: _Wish) -> str:
    if wish.origin is None:
        text = ngettext(
            "{name}: refused to somebody without the key.",
            "{name}: refused to somebody without the key, {count} times.",
            wish.count,
        )
    else:
        text = ngettext(
            "{name}: refused without the key, from {origin}.",
            "{name}: refused without the key {count} times, from {origin}.",
            wish.count,
        )
    return text.format(name=name, count=wish.count, origin=wish.origin)


def attendance_table(comers: Mapping[str, Comer], barred: Collection[str], now: float) -> Sequence[str]:
    """Who has entered, in the order in which they came: with the round trip, or for how long they are away."""
    rows = [(_("Name"), _("Round trip"), "")]
    for name, comer in comers.items():
        if name in barred:
            continue
        rtt = "" if comer.rtt_ms is None or not comer.present else _("{rtt} ms").format(rtt=comer.rtt_ms)
        state = _("here") if comer.present else _("away for {seconds} s").format(seconds=round(now - comer.since))
        rows.append((name, rtt, state))
    return columns(rows) if len(rows) > 1 else [_("Nobody is here yet.")]
