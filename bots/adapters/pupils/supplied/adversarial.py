"""The classes of the document on games with adversaries: `Game`, `Board`, `TicTacToe`, `ConnectFour`, named as there.

A state is a `Board`: a dictionary of {(x, y): "X" or "O"}, (0, 0) top left, that knows who is `to_move`.
"""

from collections import defaultdict
from collections.abc import Collection, Mapping
from typing import Any

Square = tuple[int, int]


class State:
    """Anything that knows who is to move."""

    to_move: str


class Game:
    """What the algorithms ask of a game; `initial` is its first state."""

    initial: Any

    def actions(self, state: Any) -> Collection[Any]:
        """The moves that are allowed."""
        raise NotImplementedError

    def result(self, state: Any, move: Any) -> Any:
        """The state after `move`."""
        raise NotImplementedError

    def is_terminal(self, state: Any) -> bool:
        """Whether the game is over."""
        return not self.actions(state)

    def utility(self, state: Any, player: str) -> float:
        """The value of a terminal state for `player`."""
        raise NotImplementedError


class Board(defaultdict[Square, str], State):
    """A board; cells without a mark are `empty`, cells outside the board are `off`."""

    empty = "."
    off = "#"

    def __init__(self, width: int = 8, height: int = 8, to_move: str | None = None, **others: Any) -> None:
        super().__init__()
        self.__dict__.update(width=width, height=height, to_move=to_move, **others)

    def new(self, changes: Mapping[Square, str], **others: Any) -> "Board":
        """A copy with some cells changed; `others` are the attributes of the copy."""
        board = Board(width=self.width, height=self.height, **others)
        board.update(self)
        board.update(changes)
        return board

    width: int
    height: int

    def __missing__(self, square: Square) -> str:
        x, y = square
        return self.empty if 0 <= x < self.width and 0 <= y < self.height else self.off

    def __hash__(self) -> int:  # type: ignore[override]  # dictionaries have no hash, but states are keys of tables
        return hash((frozenset(self.items()), self.to_move))

    def __repr__(self) -> str:
        rows = (" ".join(self[x, y] for x in range(self.width)) for y in range(self.height))
        return "\n".join(rows) + "\n"


class TicTacToe(Game):
    """Morpion on `height` x `width` cells, `k` in a line win; "X" begins."""

    def __init__(self, height: int = 3, width: int = 3, k: int = 3) -> None:
        self.k = k
        self.squares = [(x, y) for y in range(height) for x in range(width)]
        self.initial = Board(height=height, width=width, to_move="X", utility=0)

    def actions(self, state: Board) -> list[Square]:
        """The empty cells."""
        return [square for square in self.squares if state[square] == state.empty]

    def result(self, state: Board, move: Square) -> Board:
        """The board after the player to move has marked `move`; the other player is to move."""
        return state.new({move: state.to_move}, to_move="O" if state.to_move == "X" else "X", utility=0)

    def utility(self, state: Board, player: str) -> int:
        """1 if `player` has won, -1 if the other has, else 0."""
        for mark in "XO":
            if self._has_won(state, mark):
                return 1 if mark == player else -1
        return 0

    def is_terminal(self, state: Board) -> bool:
        """Whether somebody has won, or no cell is empty."""
        return len(state) == len(self.squares) or self._has_won(state, "X") or self._has_won(state, "O")

    def _has_won(self, board: Board, player: str) -> bool:
        return any(k_in_row(board, player, square, self.k) for square in board)


class ConnectFour(TicTacToe):
    """Puissance 4: marks fall to the lowest empty cell of their column."""

    def __init__(self) -> None:
        super().__init__(width=7, height=6, k=4)

    def actions(self, state: Board) -> list[Square]:
        """The lowest empty cell of each column."""
        return [(x, y) for x, y in super().actions(state) if state[x, y + 1] != state.empty]


def k_in_row(board: Board, player: str, square: Square, k: int) -> bool:
    """Whether `player` has `k` marks in a line through `square`."""
    return any(
        _run(board, player, square, (dx, dy)) + _run(board, player, square, (-dx, -dy)) > k
        for dx, dy in ((1, 0), (0, 1), (1, 1), (1, -1))
    )


def _run(board: Board, player: str, square: Square, step: Square) -> int:
    """How many marks of `player` there are in a row from `square` on, in steps of `step`; `square` counts."""
    (x, y), (dx, dy) = square, step
    length = 0
    while board[x, y] == player:
        length, x, y = length + 1, x + dx, y + dy
    return length
