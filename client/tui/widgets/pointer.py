"""What the reader points at on a board, by cursor, mouse or typing, and the move that this makes. Pure.

A move takes one cell or more. With more, the first press takes a piece up; each press after it names the next cell of
the move, or its last one. If one move alone fits what was pressed, it is played; if several do, the next press chooses
among them. A second press on a cell plays the move that ends there, or lets the piece go. What cells don't tell is
chosen by name: moves that have the same cells, once these were pressed, and moves that have none. In games that label
only columns, any cell of a column stands for the move there, and the number of a column plays it at once.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

from games.base import Game, GameError, IllegalMove, Labels, Position, Reason, Seat
from games.coordinates import LETTERS
from games.frame import Cell, cell_name

CHOICE_KEYS = "123456789"
COLUMN_CHOICE_KEYS = "abcdefg"
"""What chooses by name, in games where a number plays a column: letters that mean nothing else in a match."""

_STEPS = {"left": (-1, 0), "right": (1, 0), "up": (0, -1), "down": (0, 1)}


class _Typing(NamedTuple):
    """How cells of a board are typed in a row.

    row: "b2b3", "b2-b3", "b2xc". begins: where a cell begins behind another. between: a sign between two cells; not x
    where that is a column.
    """

    row: re.Pattern[str]
    begins: re.Pattern[str]
    between: re.Pattern[str]


@lru_cache
def _typing(width: int) -> _Typing:
    letters = LETTERS[:width]
    signs = "[-]" if "x" in letters else "[-x]"
    row = re.compile(rf"(?:[{letters}][0-9]+{signs}?)*(?:[{letters}][0-9]*)?")
    return _Typing(row, re.compile(rf"(?<=[0-9])(?=[{letters}])"), re.compile(signs))


@dataclass(frozen=True, slots=True)
class ChosenMove:
    """A move that was chosen: what it is called, as a person would type it; the rules say whether it may be played."""

    move: str


@dataclass(slots=True)
class Pointer:
    """Where the cursor stands, which cells of a move were `pressed`, and what was typed since the last move.

    hands: the legal moves of the position with the cells that they are about. _seen: the same of a seat's moves in all
    positions so far, the first of the game among them.
    """

    game: Game
    position: Position
    cursor: Cell = (0, 0)
    pressed: tuple[Cell, ...] = ()
    typed: str = ""
    hands: dict[str, tuple[Cell, ...]] = field(default_factory=dict)
    _cells: dict[str, Cell] = field(init=False, repr=False)
    _seen: dict[tuple[Seat, tuple[Cell, ...]], str] = field(default_factory=dict, repr=False)

    def __post_init__(self) -> None:
        cells = ((x, y) for y in range(self.game.height) for x in range(self.game.width))
        self._cells = {cell_name(self.game, cell): cell for cell in cells}
        self.cursor = (self.game.width // 2, self.game.height // 2)
        start, shown = self.game.start(), self.position
        for position in (start, *map(start.play, start.legal_moves()[:1]), shown):
            self.look_at(position)

    @property
    def by_columns(self) -> bool:
        """Whether a move is a column."""
        return self.game.profile.look.labels is Labels.COLUMNS

    @property
    def chosen(self) -> Cell | None:
        """The piece that is taken up, or the cell that was pressed last on its way."""
        return self.pressed[-1] if self.pressed else None

    def look_at(self, position: Position) -> None:
        """Another position is on the board: what was begun is forgotten, the cursor stays."""
        self.position = position
        self.pressed, self.typed = (), ""
        moves = position.legal_moves()
        self.hands = {move: self.game.move_cells(position, move) for move in moves}
        self._seen |= {(position.to_move, cells): move for move, cells in self.hands.items()}

    @property
    def targets(self) -> frozenset[Cell]:
        """Where the next press leads somewhere: cells that take a move, or pieces that have one."""
        if not self.pressed:
            return frozenset(cells[0] for cells in self.hands.values() if cells)
        named = {cell for move, so_far in self._fits(self.pressed).items() for cell in self.hands[move][so_far:][:1]}
        named |= {self.hands[move][-1] for move in self._fits(self.pressed) if self.hands[move]}
        return frozenset(cell for cell in named if self._only(self.pressed, cell) or self._leads(self.pressed, cell))

    @property
    def choices(self) -> tuple[str, ...]:
        """The moves to be chosen by name: several that were pressed to their last cell, or those that have no cell."""
        whole = [move for move, so_far in self._fits(self.pressed).items() if so_far == len(self.hands[move])]
        return tuple(whole) if len(whole) > 1 or not self.pressed else ()

    @property
    def choice_keys(self) -> dict[str, str]:
        """The key that chooses each of the moves to be chosen by name, as far as there are keys."""
        if self.typed:
            return {}
        return dict(zip(COLUMN_CHOICE_KEYS if self.by_columns else CHOICE_KEYS, self.choices, strict=False))

    @property
    def shown(self) -> Cell:
        """Where the cursor is drawn: in a game of columns, where its piece would come to lie."""
        if self.by_columns:
            x = self.cursor[0]
            return next((cells[-1] for cells in self.hands.values() if cells and cells[-1][0] == x), (x, 0))
        return self.cursor

    def step(self, direction: str, *, turned: bool = False) -> None:
        """Moves the cursor by one cell, as the reader sees the board; it stops at the edge."""
        dx, dy = _STEPS[direction]
        if turned:
            dx, dy = -dx, dy if self.by_columns else -dy
        x, y = self.cursor
        self.cursor = (min(max(x + dx, 0), self.game.width - 1), min(max(y + dy, 0), self.game.height - 1))
        self.typed = ""

    def point(self, cell: Cell) -> ChosenMove | None:
        """Presses a cell with the mouse."""
        self.cursor = cell
        return self.press()

    def press(self) -> ChosenMove | None:
        """Plays at the cursor: the move that was chosen, None if a cell was only pressed, or all let go."""
        typed, self.typed = self.typed, ""
        if self._is_spelt(typed):
            return ChosenMove(self._written(typed) or typed)
        *before, last = self._named(typed) or (None,)
        starts = tuple(cell for cell in before if cell is not None)
        if last is None and typed and not starts:  # part of the name of a cell, or a move that looks like it
            return ChosenMove(self._written(typed) or typed)
        move = self._written(typed)
        if move is not None and list(self.hands.values()).count(self.hands[move]) > 1:  # its cells don't tell it
            return ChosenMove(move)
        if last is None or not starts:
            return self._press(self.shown)
        move = move or self._only(starts, last)
        if move is None and self._leads(starts, last):
            self.pressed = (*starts, last)
            return None
        return ChosenMove(move or typed)

    def _press(self, cell: Cell) -> ChosenMove | None:
        begun = self.pressed
        if cell in begun and not self._only(begun, cell) and not self._leads(begun, cell):
            self.pressed = ()
            return None
        for start in (begun, ()):
            if move := self._only(start, cell):
                self.pressed = () if start else begun
                return ChosenMove(move)
            if self._leads(start, cell):
                self.pressed = (*start, cell)
                return None
        return ChosenMove(self._meant((*begun, cell)))

    def _meant(self, cells: tuple[Cell, ...]) -> str:
        """What presses mean that no legal move fits: for the rules to refuse, with what they say of that move."""
        named = "".join(map(self._name, cells))
        try:
            self.game.parse_move(named)
        except IllegalMove as refused:
            if refused.reason == Reason.NOT_A_MOVE:  # moves have other names than cells
                return self._seen.get((self.position.to_move, cells), named)
        return named

    def type(self, character: str) -> ChosenMove | None:
        """Takes a character of a move: the number of a column plays it, the name of a cell moves the cursor there.

        Several names in a row, with - or x between them or not, also press all but the last. A character that can't go
        on begins a new name.
        """
        if self.by_columns:
            if character not in "123456789":
                return None
            if int(character) > self.game.width:
                return ChosenMove(character)  # for the rules to refuse
            self.cursor = (int(character) - 1, self.cursor[1])
            return ChosenMove(character) if character in self.hands or not self._fits((self.shown,)) else self.press()
        for text in (self.typed + character, character):
            if self._follows(text.lower()):
                self.typed = text.lower()
                return None
        return None

    def erase(self) -> None:
        """Takes back what was typed, or lets the piece go."""
        self.typed, self.pressed = self.typed[:-1], ()

    def continues(self, character: str) -> bool:
        """Whether a character goes on with what was typed."""
        text = (self.typed + character).lower()
        return bool(self.typed) and (self._is_begun(text) or bool(self._named(text)) or self._is_spelt(text))

    def _follows(self, text: str) -> bool:
        """Whether `text` is a cell, several of them, or the beginning of that; the cursor goes along."""
        if text in self._cells:
            self.cursor, self.pressed = self._cells[text], ()
            return True
        if self._is_begun(text) or self._is_spelt(text):
            return True
        *before, last = self._named(text) or (None,)
        if not before:
            return False
        starts = tuple(cell for cell in before if cell is not None)
        self.pressed = starts if any(len(self.hands[move]) > 1 for move in self._fits(starts)) else ()
        self.cursor = last or self.cursor
        return True

    def _named(self, text: str) -> list[Cell | None]:
        """The cells that `text` names in a row, the last None if it is not whole; none if no move has so many."""
        typing = _typing(self.game.width)
        words = typing.between.sub(" ", typing.begins.sub(" ", text)).split(" ")
        longest = max(map(len, self.hands.values()), default=0)
        whole = all(word in self._cells for word in words[:-1])
        if not typing.row.fullmatch(text) or len(words) > longest or not whole or not self._is_begun(words[-1]):
            return []
        return [self._cells.get(word) for word in words]

    def _is_spelt(self, text: str) -> bool:
        """Whether `text` begins a legal move with more in it than cells: "e7e8q"."""
        between = _typing(self.game.width).between
        if not text or text in self._cells or self._named(text) or between.match(text[-1]):
            return False
        squeezed = between.sub("", text)
        return any(move.lower().startswith(squeezed) for move in self.hands)

    def _is_begun(self, text: str) -> bool:
        return any(name.startswith(text) for name in self._cells)

    def _written(self, text: str) -> str | None:
        """The legal move that `text` is, as the game reads it."""
        for written in (text, _typing(self.game.width).between.sub("", text)):
            with suppress(GameError):
                if (move := self.game.parse_move(written)) in self.hands:
                    return move
            for move in self.hands:
                if move.lower() == written:
                    return move
        return None

    def _fits(self, pressed: Sequence[Cell]) -> dict[str, int]:
        """The legal moves that presses may mean, each with how many of its cells they name one by one."""
        reached = {move: _reached(cells, pressed) for move, cells in self.hands.items()}
        return {move: so_far for move, so_far in reached.items() if so_far is not None}

    def _only(self, pressed: tuple[Cell, ...], cell: Cell) -> str | None:
        """The move that a press on `cell` plays after others: the one that ended there already, or that alone fits."""
        fits, before = self._fits((*pressed, cell)), self._fits(pressed)
        found = [move for move in fits if before[move] == len(self.hands[move])] or list(fits)
        if len(found) != 1 or not (pressed or len(self.hands[found[0]]) == 1):
            return None
        return found[0]

    def _leads(self, pressed: tuple[Cell, ...], cell: Cell) -> bool:
        """Whether moves fit a press on `cell` after others, and it is a new one or says more."""
        fits, before = self._fits((*pressed, cell)), self._fits(pressed)
        is_chosen_by_name = all(before[move] == len(self.hands[move]) for move in fits)
        return bool(fits) and (cell not in pressed or (fits != before and not is_chosen_by_name))

    def _name(self, cell: Cell) -> str:
        return cell_name(self.game, cell)


def _reached(cells: Sequence[Cell], pressed: Sequence[Cell]) -> int | None:
    """How many of a move's cells were pressed one by one; None if a press is not the next of them, nor the last."""
    count = 0
    for cell in pressed:
        if count < len(cells) and cells[count] == cell:
            count += 1
        elif not count or cells[-1] != cell:
            return None
    return count
