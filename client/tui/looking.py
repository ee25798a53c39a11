"""Looking back through a match while it goes on, or after it. Pure."""

from __future__ import annotations

from games.base import Position
from games.frame import Cell
from view.match import MatchView


class Looking:
    """The position on the board: after `at` moves, None for the present one. plays: whether it advances by itself."""

    def __init__(self) -> None:
        self.at: int | None = None
        self.plays = False

    def reset(self) -> None:
        """Looks at the present position."""
        self.at, self.plays = None, False

    def look(self, view: MatchView, ply: int) -> None:
        """Looks at the position after `ply` moves; the last one, and all beyond, is the present."""
        self.at = None if ply >= view.ply else max(0, ply)

    def step(self, view: MatchView, by: int) -> None:
        """Goes `by` moves on (back if it is negative), and stops there."""
        self.plays = False
        self.look(view, (view.ply if self.at is None else self.at) + by)

    def toggle(self, view: MatchView) -> None:
        """Starts to show one position after the other, from the first if the present one is shown; or stops that."""
        self.plays = not self.plays and view.ply > 0
        if self.plays and self.at is None:
            self.look(view, 0)

    def tick(self, view: MatchView) -> bool:
        """Shows the next position if it advances by itself; returns whether it did."""
        if not self.plays or self.at is None:
            return False
        self.look(view, self.at + 1)
        self.plays = self.at is not None
        return True

    def shown(self, view: MatchView) -> tuple[Position, frozenset[Cell]]:
        """The position that is looked at, and the cells of its last move."""
        if self.at is None:
            return view.position, frozenset(view.last_cells)
        position, last = view.game.start(), frozenset[Cell]()
        for move in view.moves[: self.at]:
            last = frozenset(view.game.move_cells(position, move))
            position = position.play(move)
        return position, last
