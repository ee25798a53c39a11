"""What the reader points at on a board, by cursor, mouse or typing, and the move that this makes. Pure.

A move takes one cell or two. With two, the first press takes a piece up, and the second sets it down; where a move of
one cell begins there, too, a second press on the cell plays that. In games that label only columns, any cell of a
column stands for the move there, and the number of a column plays it at once.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from client.tui.drawing.plan import cell_name
from games.base import Game, Labels, Position
from games.frame import Cell

_STEPS = {"left": (-1, 0), "right": (1, 0), "up": (0, -1), "down": (0, 1)}


@dataclass(frozen=True, slots=True)
class Choice:
    """A move that was chosen: what it is called, as a person would type it; the rules say whether it may be played."""

    move: str


@dataclass(slots=True)
class Pointer:
    """Where the cursor stands, which piece is taken up (`chosen`), and what was typed since the last move.

    hands: the legal moves of the position with the cells that they are about.
    """

    game: Game
    position: Position
    cursor: Cell = (0, 0)
    chosen: Cell | None = None
    typed: str = ""
    hands: dict[str, tuple[Cell, ...]] = field(default_factory=dict)
    _cells: dict[str, Cell] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        cells = ((x, y) for y in range(self.game.height) for x in range(self.game.width))
        self._cells = {cell_name(self.game, cell): cell for cell in cells}
        self.cursor = (self.game.width // 2, self.game.height // 2)
        self.look_at(self.position)

    @property
    def by_columns(self) -> bool:
        """Whether a move is a column."""
        return self.game.profile.look.labels is Labels.COLUMNS

    @property
    def takes_two(self) -> bool:
        """Whether moves go from one cell to another."""
        return any(len(cells) > 1 for cells in self.hands.values())

    def look_at(self, position: Position) -> None:
        """Another position is on the board: what was begun is forgotten, the cursor stays."""
        self.position = position
        self.chosen, self.typed = None, ""
        moves = position.legal_moves()
        self.hands = {move: self.game.move_cells(position, move) for move in moves}

    @property
    def targets(self) -> frozenset[Cell]:
        """Where the next press leads somewhere: cells that take a move, or pieces that have one."""
        if self.chosen is not None:
            return frozenset(cells[-1] for cells in self.hands.values() if cells[0] == self.chosen)
        return frozenset(cells[0] for cells in self.hands.values())

    @property
    def shown(self) -> Cell:
        """Where the cursor is drawn: in a game of columns, where its piece would come to lie."""
        if self.by_columns:
            x = self.cursor[0]
            return next((cells[-1] for cells in self.hands.values() if cells[-1][0] == x), (x, 0))
        return self.cursor

    def step(self, direction: str, *, turned: bool = False) -> None:
        """Moves the cursor by one cell, as the reader sees the board; it stops at the edge."""
        dx, dy = _STEPS[direction]
        if turned:
            dx, dy = -dx, dy if self.by_columns else -dy
        x, y = self.cursor
        self.cursor = (min(max(x + dx, 0), self.game.width - 1), min(max(y + dy, 0), self.game.height - 1))
        self.typed = ""

    def point(self, cell: Cell) -> Choice | None:
        """Presses a cell with the mouse."""
        self.cursor = cell
        return self.press()

    def press(self) -> Choice | None:
        """Plays at the cursor: the move that was chosen, None if a piece was taken up or let go."""
        typed, self.typed = self.typed, ""
        cell, chosen = self.shown, self.chosen
        if self.takes_two and typed not in self._cells:
            start, end = self._pair(typed) or (None, None)
            if start is not None and end is not None:
                return Choice(self._move(start, end) or typed)
        if chosen is not None:
            move = self._move(chosen, cell)
            if move is not None or cell == chosen:
                self.chosen = None
                return None if move is None else Choice(move)
        if self._begins_a_pair(cell):
            self.chosen = cell
            return None
        begun = "" if chosen is None else self._name(chosen)
        return Choice(self._move(cell, cell) or begun + self._name(cell))

    def type(self, character: str) -> Choice | None:
        """Takes a character of a move: the number of a column plays it, the name of a cell moves the cursor there.

        Two names in a row also take up the piece of the first. A character that can't go on begins a new name.
        """
        if self.by_columns:
            if not character.isdigit() or character == "0":
                return None
            self.cursor = (min(int(character), self.game.width) - 1, self.cursor[1])
            return Choice(character)
        for text in (self.typed + character, character):
            if self._follows(text.lower()):
                self.typed = text.lower()
                return None
        return None

    def erase(self) -> None:
        """Takes back what was typed, or lets the piece go."""
        self.typed, self.chosen = self.typed[:-1], None

    def continues(self, character: str) -> bool:
        """Whether a character goes on with what was typed."""
        text = (self.typed + character).lower()
        return bool(self.typed) and (self._is_begun(text) or self._pair(text) is not None)

    def _follows(self, text: str) -> bool:
        """Whether `text` is a cell, two of them, or the beginning of that; the cursor goes along."""
        if text in self._cells:
            self.cursor, self.chosen = self._cells[text], None
            return True
        if self._is_begun(text):
            return True
        pair = self._pair(text)
        if pair is None:
            return False
        start, end = pair
        self.chosen = start if self._begins_a_pair(start) else None
        self.cursor = end or self.cursor
        return True

    def _pair(self, text: str) -> tuple[Cell, Cell | None] | None:
        """The two cells that `text` names in a row, the second None if it is not whole; None if it names no two."""
        if not self.takes_two:
            return None
        for name, start in self._cells.items():
            rest = text.removeprefix(name)
            if rest not in ("", text) and self._is_begun(rest):
                return start, self._cells.get(rest)
        return None

    def _is_begun(self, text: str) -> bool:
        return any(name.startswith(text) for name in self._cells)

    def _begins_a_pair(self, cell: Cell) -> bool:
        return any(cells[0] == cell != cells[-1] for cells in self.hands.values())

    def _move(self, start: Cell, end: Cell) -> str | None:
        """The legal move from one cell to another; of one cell, if both are the same."""
        return next((move for move, cells in self.hands.items() if (cells[0], cells[-1]) == (start, end)), None)

    def _name(self, cell: Cell) -> str:
        return cell_name(self.game, cell)
