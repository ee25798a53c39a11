"""A game of tests: fences between posts. Moves are edges, who closes a field plays again, and the second may swap.

The board has a cell for each post, each place of a fence and each field. A move is the cell of a fence. While the
second seat has no field and the first has one, the second may take that over instead: "swap". More fields win.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import ClassVar

from games.base import (
    Ending,
    IllegalMove,
    Look,
    Measure,
    MoveName,
    Option,
    Outcome,
    Piece,
    Position,
    Profile,
    Reason,
    Refusal,
    RulesError,
    Seat,
    Words,
    position_after,
    quote,
)
from games.coordinates import Grid, split_cells
from games.options import Rules

SWAP = "swap"
NO_FENCE = Refusal("no_fence", Words("{move} lies not between two posts.", "{move} n’est pas entre deux poteaux."))
NO_SWAP = Refusal("no_swap", Words("You can’t swap now.", "Vous ne pouvez pas échanger maintenant."))
POST = Piece("P", Words("post", "poteau"), None, "+")
FENCE = Piece("F", Words("fence", "clôture"), None, "#")
FIELD = Piece("G", Words("open field", "champ ouvert"), None, "~")


@dataclass(frozen=True)
class FencingPosition:
    """The places that have a fence, the fields of each seat, and whose turn it is."""

    game: Fencing
    built: int
    fields: tuple[int, int]
    to_move: Seat

    @property
    def passed(self) -> Seat | None:
        """Nobody passes: who closes a field moves again."""
        return None

    @property
    def notation(self) -> str:
        game, (first, second) = self.game, self.fields
        signs = {"P": game.posts, "F": self.built, "G": sum(game.sides) & ~(first | second)}
        return game.grid.write(first, second, self.to_move, signs)

    def cell(self, x: int, y: int) -> Seat | None:
        bit = self.game.grid.bit(x, y)
        return next((seat for seat in Seat if self.fields[seat - 1] & bit), None)

    @property
    def may_swap(self) -> bool:
        return self.to_move is Seat.SECOND and self.score() == (1, 0) and self.built != self.game.places

    def legal_moves(self) -> tuple[str, ...]:
        grid, free = self.game.grid, self.game.places & ~self.built
        names = tuple(grid.name_of[bit] for bit in grid.bits if bit & free)
        return (*names, SWAP) if self.may_swap else names

    def play(self, move: str) -> FencingPosition:
        first, second = self.fields
        if move == SWAP and self.may_swap:
            return FencingPosition(self.game, self.built, (second, first), Seat.FIRST)
        bit = self.game.grid.bit_of.get(move, 0)
        if not bit & self.game.places & ~self.built:
            raise IllegalMove(move, self._refusal(move))
        built = self.built | bit
        closed = sum(plot for plot, around in self.game.sides.items() if around & bit and not around & ~built)
        fields = (first | closed, second) if self.to_move is Seat.FIRST else (first, second | closed)
        return FencingPosition(self.game, built, fields, self.to_move if closed else self.to_move.other)

    def _refusal(self, move: str) -> str:
        if move != SWAP and (reason := self.game.grid.refusal(move)):
            return reason
        if self.built == self.game.places:
            return Reason.GAME_OVER
        if move == SWAP:
            return NO_SWAP.code
        return Reason.OCCUPIED if self.game.grid.bit_of[move] & self.built else NO_FENCE.code

    def score(self) -> tuple[int, int]:
        first, second = self.fields
        return first.bit_count(), second.bit_count()

    def outcome(self) -> Outcome | None:
        if self.built != self.game.places:
            return None
        first, second = self.score()
        winner = None if first == second else Seat.FIRST if first > second else Seat.SECOND
        return Outcome(winner, "fenced", (first, second))


def lead(position: FencingPosition, seat: Seat) -> int:
    """How many fields `seat` has more."""
    own, other = position.score() if seat is Seat.FIRST else position.score()[::-1]
    return own - other


@dataclass(frozen=True)
class Fencing(Rules):
    """The rules, on `fields` x 1 fields."""

    id: ClassVar[str] = "fencing"
    options: ClassVar[tuple[Option, ...]] = (Option("fields", 3, (2, 3, 4), "fields"),)
    guide: ClassVar[str] = "A move is the place of a fence.\n"
    profile: ClassVar[Profile] = Profile(
        endings=(Ending("fenced", won=Words("more fields", "plus de champs"), drawn=Words("As many.", "Autant.")),),
        refusals=(NO_FENCE, NO_SWAP),
        move_names=(MoveName(SWAP, Words("Swap", "Échanger")),),
        look=Look(counts=(Words("field", "champ"), Words("fields", "champs")), pieces=(POST, FENCE, FIELD)),
        boards=("fencing:fields=2",),
        measures=(Measure("lead", lead),),
        moves_again=True,
    )

    fields: int = 3
    grid: Grid = field(init=False, repr=False, compare=False)
    posts: int = field(init=False, repr=False, compare=False)
    places: int = field(init=False, repr=False, compare=False)
    sides: dict[int, int] = field(init=False, repr=False, compare=False)
    """Each field with the places around it."""

    def __post_init__(self) -> None:
        self.check_options()
        grid = Grid(self.width, self.height, tuple(1 << cell for cell in range(self.width * self.height)))
        masks = {(odd_x, odd_y): 0 for odd_x in (0, 1) for odd_y in (0, 1)}
        for bit, (x, y) in grid.places.items():
            masks[x % 2, y % 2] |= bit
        around = (1, self.width)
        sides = {bit: sum(bit << by | bit >> by for by in around) for bit in grid.bits if bit & masks[1, 1]}
        values = {"grid": grid, "posts": masks[0, 0], "places": masks[0, 1] | masks[1, 0], "sides": sides}
        for name, value in values.items():
            object.__setattr__(self, name, value)

    @property
    def width(self) -> int:
        return 2 * self.fields + 1

    @property
    def height(self) -> int:
        return 3

    @property
    def longest(self) -> int:
        """A fence in each place, and a swap."""
        return self.places.bit_count() + 1

    def start(self) -> FencingPosition:
        return FencingPosition(self, 0, (0, 0), Seat.FIRST)

    def position(self, notation: str) -> FencingPosition:
        masks, to_move = self.grid.read_signs(notation, "PFG")
        found = FencingPosition(self, masks["F"], (masks["X"], masks["O"]), to_move)
        if found.notation != notation.strip():
            raise RulesError("no such position: {notation}", notation=quote(notation))
        return found

    def parse_move(self, text: str) -> str:
        return SWAP if text.strip().lower() == SWAP else self.grid.parse_cell(text)

    def move_cell(self, position: Position, move: str) -> tuple[int, int]:
        return self.move_cells(position, move)[-1]

    def move_cells(self, position: Position, move: str) -> tuple[tuple[int, int], ...]:
        position.play(move)
        return () if move == SWAP else (self.grid.places[self.grid.bit_of[move]],)

    def parse_transcript(self, text: str) -> tuple[str, ...]:
        moves = tuple(self.parse_move(word) for word in split_cells(text, SWAP, move="b1"))
        position_after(self, moves)
        return moves

    def format_transcript(self, moves: Sequence[str]) -> str:
        return " ".join(moves)
