"""A game of tests: seeds in pits, which nobody holds. Moves are letters, stores are the score, and it may go round.

A pit of one's own row is sown to the right below, to the left above. If the last seed makes a pit of the other row two
or three, they are taken. The game ends when somebody can't move, and when a position comes again.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

from games.base import (
    Colours,
    Ending,
    IllegalMove,
    Labels,
    Look,
    Measure,
    Option,
    Outcome,
    Position,
    Profile,
    Reason,
    Refusal,
    RulesError,
    Seat,
    Term,
    Words,
)
from games.coordinates import LETTERS
from games.counts import SIGNS, counted
from games.options import Rules

EMPTY_PIT = Refusal("empty_pit", Words("Pit {move} is empty.", "La case {move} est vide."))
SEED, SEEDS = Words("seed", "graine"), Words("seeds", "graines")
Pits = tuple[int, ...]


@dataclass(frozen=True)
class SowingPosition:
    """The pits in the order of sowing, from first's left; the stores; the positions since the last seed was taken."""

    game: Sowing
    pits: Pits
    stores: tuple[int, int]
    to_move: Seat
    past: frozenset[tuple[Pits, Seat]] = frozenset()

    @property
    def passed(self) -> Seat | None:
        """Nobody passes."""
        return None

    @property
    def notation(self) -> str:
        past = sorted(f"{self.game.write(pits)}{'xo'[seat - 1]}" for pits, seat in self.past)
        return " ".join((self.game.write(self.pits), "XO"[self.to_move - 1], "{}-{}".format(*self.stores), *past))

    def cell(self, x: int, y: int) -> Seat | None:
        """Nobody's."""
        self.game.pit(x, y)
        return None

    @cached_property
    def repeated(self) -> bool:
        return (self.pits, self.to_move) in self.past

    @cached_property
    def moves(self) -> tuple[str, ...]:
        row = 1 if self.to_move is Seat.FIRST else 0
        sown = (LETTERS[x] for x in range(self.game.width) if self.pits[self.game.pit(x, row)])
        return () if self.repeated else tuple(sown)

    def legal_moves(self) -> tuple[str, ...]:
        return self.moves

    def play(self, move: str) -> SowingPosition:
        if move not in self.moves:
            raise IllegalMove(move, self._refusal(move))
        pits, size, at = list(self.pits), len(self.pits), self.game.pit(*_cell(move, self.to_move))
        seeds, pits[at] = pits[at], 0
        for at in range(at + 1, at + 1 + seeds):  # noqa: B020 - from the pit on
            pits[at % size] += 1
        is_other = (at % size < self.game.width) is not (self.to_move is Seat.FIRST)
        taken = pits[at % size] if is_other and pits[at % size] in (2, 3) else 0
        if not taken:
            past = self.past | {(self.pits, self.to_move)}
            return SowingPosition(self.game, tuple(pits), self.stores, self.to_move.other, past)
        pits[at % size] = 0
        first, second = self.stores
        stores = (first + taken, second) if self.to_move is Seat.FIRST else (first, second + taken)
        return SowingPosition(self.game, tuple(pits), stores, self.to_move.other)

    def _refusal(self, move: str) -> str:
        try:
            if self.game.parse_move(move) != move:
                return Reason.NOT_A_MOVE
        except IllegalMove as error:
            return error.reason
        return EMPTY_PIT.code if self.moves else Reason.GAME_OVER

    def score(self) -> tuple[int, int]:
        return self.stores

    def outcome(self) -> Outcome | None:
        if self.moves:
            return None
        first, second = self.stores
        winner = None if first == second else Seat.FIRST if first > second else Seat.SECOND
        return Outcome(winner, "round" if self.repeated else "no_move", self.stores)


def _cell(move: str, seat: Seat) -> tuple[int, int]:
    return LETTERS.index(move), 1 if seat is Seat.FIRST else 0


def _terms(position: SowingPosition, seat: Seat) -> tuple[Term, ...]:
    mine, theirs = position.stores if seat is Seat.FIRST else position.stores[::-1]
    return (Term(Words("seeds taken", "graines prises"), mine, theirs),)


def _ahead(position: SowingPosition, seat: Seat) -> int:
    return sum(term.worth for term in _terms(position, seat))


@dataclass(frozen=True, slots=True)
class Sowing(Rules):
    """`pits` on each side, with `seeds` in each."""

    id: ClassVar[str] = "sowing"
    options: ClassVar[tuple[Option, ...]] = (
        Option("pits", 6, tuple(range(2, 9)), "pits of each side"),
        Option("seeds", 4, (1, 2, 3, 4), "seeds in each pit"),
    )
    guide: ClassVar[str] = "A move is the letter of a pit.\n"
    profile: ClassVar[Profile] = Profile(
        endings=(
            Ending("no_move", Words("more seeds", "plus de graines"), Words("no move is left", "aucun coup possible")),
            Ending("round", Words("more seeds", "plus de graines"), Words("it goes round", "la partie tourne en rond")),
        ),
        refusals=(EMPTY_PIT,),
        title=Words("Sowing", "Semailles"),
        look=Look(
            labels=Labels.FROM_BELOW,
            counts=(SEED, SEEDS),
            colours=Colours("#a9713f", "#3b2412", "#f3e3c3", hole="#7c4f28"),
            pieces=counted(57, SEED, SEEDS),
        ),
        measures=(Measure("ahead", _ahead, 1, _terms),),
    )

    pits: int = 6
    seeds: int = 4

    def __post_init__(self) -> None:
        self.check_options()

    @property
    def width(self) -> int:
        return self.pits

    @property
    def height(self) -> int:
        return 2

    @property
    def longest(self) -> int:
        """Far more than random games have; some take thousands."""
        return 10_000

    @property
    def usual(self) -> int:
        return 40

    def pit(self, x: int, y: int) -> int:
        """The number of the pit of a cell, in the order of sowing."""
        if not (0 <= x < self.pits and 0 <= y < 2):
            raise IndexError(f"no cell {x}, {y}")
        return x if y else 2 * self.pits - 1 - x

    def write(self, pits: Pits) -> str:
        """The cells of a notation."""
        return "".join(SIGNS[count] for count in (*reversed(pits[self.pits :]), *pits[: self.pits]))

    def _read(self, cells: str) -> Pits:
        if len(cells) != 2 * self.pits or set(cells) - set(SIGNS):
            raise RulesError("a position is {count} counts", count=2 * self.pits)
        counts = [SIGNS.index(sign) for sign in cells]
        return (*counts[self.pits :], *reversed(counts[: self.pits]))

    def start(self) -> SowingPosition:
        return SowingPosition(self, (self.seeds,) * (2 * self.pits), (0, 0), Seat.FIRST)

    def position(self, notation: str) -> SowingPosition:
        cells, mover, stores, *past = (*notation.split(), "", "", "")[: max(3, len(notation.split()))]
        if mover not in ("X", "O") or not re.fullmatch("[0-9]{1,2}-[0-9]{1,2}", stores):
            raise RulesError("behind the cells stand X or O, and the stores such as 0-0")
        first, second = map(int, stores.split("-"))
        before = frozenset((self._read(item[:-1]), Seat("xo".index(item[-1]) + 1)) for item in past)
        return SowingPosition(self, self._read(cells), (first, second), Seat("XO".index(mover) + 1), before)

    def parse_move(self, text: str) -> str:
        typed = text.strip().lower()
        if not re.fullmatch("[a-z]", typed):
            raise IllegalMove(text, Reason.NOT_A_MOVE)
        if LETTERS.index(typed) >= self.pits:
            raise IllegalMove(text, Reason.OFF_BOARD)
        return typed

    def move_cell(self, position: Position, move: str) -> tuple[int, int]:
        if move not in position.legal_moves():
            position.play(move)
        return _cell(move, position.to_move)

    def parse_transcript(self, text: str) -> tuple[str, ...]:
        position, moves = self.start(), list[str]()
        for word in re.sub(r"[\s,]+", "", text):
            moves.append(self.parse_move(word))
            position = position.play(moves[-1])
        return tuple(moves)

    def format_transcript(self, moves: Sequence[str]) -> str:
        return "".join(moves)
