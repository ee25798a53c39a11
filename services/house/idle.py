"""Finds games in which nobody moves any more: a bot resigns them, because others wait for their places. Pure."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from view.match import MatchView

IDLE_S: Final = 1200.0
"""How long a bot of the house waits, without a clock, for the move of an opponent who is connected: somebody who plays
elsewhere on the page stays connected. An opponent who is away loses sooner, by a claim.
"""


class Idle:
    """Since when each match of a bot has waited for its opponent."""

    def __init__(self) -> None:
        self._since: dict[str, tuple[int, float]] = {}

    def look(self, views: Iterable[MatchView], now: float) -> list[str]:
        """The matches that have waited for too long; to be called every now and then."""
        waiting = {view.match: view.ply for view in views if _waits(view)}
        self._since = {
            match: self._since[match] if self._since.get(match, (-1, 0.0))[0] == ply else (ply, now)
            for match, ply in waiting.items()
        }
        return [match for match, (_, since) in self._since.items() if now - since >= IDLE_S]


def _waits(view: MatchView) -> bool:
    return view.status == "playing" and view.seat is not None and view.clock is None and not view.my_turn
