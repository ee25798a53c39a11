"""A game of tests: morpion whose positions remember how many moves were made, and write it, "n3", behind who moves."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Self

from games.base import RulesError, Seat
from games.morpion import Morpion, MorpionPosition


class CountedPosition(MorpionPosition):
    """A position that knows how many moves led to it."""

    __slots__ = ("count",)

    count: int

    def play(self, move: str) -> Self:
        child = super().play(move)
        child.count = self.count + 1
        return child

    @property
    def notation(self) -> str:
        return f"{super().notation} n{self.count}"


@dataclass(frozen=True, slots=True)
class Counted(Morpion):
    """Its games are far shorter than the most moves that they may have."""

    id: ClassVar[str] = "counted"

    @property
    def longest(self) -> int:
        return 5000

    def start(self) -> CountedPosition:
        return self._at("--------- X", 0)

    def position(self, notation: str) -> CountedPosition:
        cells, mover, remembered = (*notation.split(" ", 2), "", "")[:3]
        if not (remembered.startswith("n") and remembered[1:].isdecimal()):
            raise RulesError("a count of moves is n and a number")
        return self._at(f"{cells} {mover}", int(remembered[1:]))

    def _at(self, notation: str, count: int) -> CountedPosition:
        first, second, mover = self.board.grid.read(notation)
        position = CountedPosition.build(self, first, second, Seat(mover))
        position.count = count
        return position
