"""The rules again, slowly: two-dimensional lists, cell by cell, sharing nothing with the code under test but `Seat`.

`result()` is None while the game goes on, then the winner, the score and the winning cells.
"""

from typing import Protocol

from games import Game, Morpion, Othello, Puissance4, Seat

Result = tuple[Seat | None, tuple[int, int], set[tuple[int, int]]]
LETTERS = "abcdefghij"
COMPASS = ((1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1))


class Oracle(Protocol):
    """One game in progress."""

    to_move: int
    passed: int | None

    def legal(self) -> list[str]: ...
    def play(self, move: str) -> None: ...
    def rows(self) -> list[list[int]]: ...
    def result(self) -> Result | None: ...


class OthelloOracle:
    """Othello by walking from each cell in each direction."""

    def __init__(self, size: int, tie: str) -> None:
        self.size, self.tie = size, tie
        self.board = [[0] * size for _ in range(size)]
        middle = size // 2
        self.board[middle - 1][middle - 1] = self.board[middle][middle] = 2
        self.board[middle - 1][middle] = self.board[middle][middle - 1] = 1
        self.to_move = 1
        self.last = 0
        self.passed: int | None = None

    def rows(self) -> list[list[int]]:
        return self.board

    def _flipped(self, x: int, y: int, player: int) -> list[tuple[int, int]]:
        if self.board[y][x]:
            return []
        flipped = []
        for dx, dy in COMPASS:
            line = []
            i, j = x + dx, y + dy
            while 0 <= i < self.size and 0 <= j < self.size and self.board[j][i] == 3 - player:
                line.append((i, j))
                i, j = i + dx, j + dy
            if 0 <= i < self.size and 0 <= j < self.size and self.board[j][i] == player:
                flipped += line
        return flipped

    def _moves(self, player: int) -> list[str]:
        cells = [(x, y) for y in range(self.size) for x in range(self.size)]
        return [f"{LETTERS[x]}{y + 1}" for x, y in cells if self._flipped(x, y, player)]

    def legal(self) -> list[str]:
        return self._moves(self.to_move)

    def play(self, move: str) -> None:
        x, y = LETTERS.index(move[0]), int(move[1:]) - 1
        flipped = self._flipped(x, y, self.to_move)
        assert flipped
        for i, j in [(x, y), *flipped]:
            self.board[j][i] = self.to_move
        self.last = self.to_move
        self.to_move = 3 - self.to_move
        self.passed = None
        if not self._moves(self.to_move) and self._moves(3 - self.to_move):
            self.passed = self.to_move
            self.to_move = 3 - self.to_move

    def result(self) -> Result | None:
        if self._moves(1) or self._moves(2):
            return None
        black = sum(row.count(1) for row in self.board)
        white = sum(row.count(2) for row in self.board)
        if black == white:
            winner = Seat(self.last) if self.tie == "last_mover" else None
        else:
            winner = Seat.FIRST if black > white else Seat.SECOND
        return winner, (black, white), set()


class LineOracle:
    """Puissance 4 (`falls`) and morpion by looking at every line of k cells on the board."""

    def __init__(self, width: int, height: int, k: int, *, falls: bool) -> None:
        self.width, self.height, self.falls = width, height, falls
        self.board = [[0] * width for _ in range(height)]
        self.to_move = 1
        self.passed: int | None = None
        self.lines = []
        for y in range(height):
            for x in range(width):
                for dx, dy in ((1, 0), (0, 1), (1, 1), (1, -1)):
                    line = [(x + step * dx, y + step * dy) for step in range(k)]
                    if all(0 <= i < width and 0 <= j < height for i, j in line):
                        self.lines.append(line)

    def rows(self) -> list[list[int]]:
        return self.board

    def legal(self) -> list[str]:
        if self.result():
            return []
        if self.falls:
            return [str(x + 1) for x in range(self.width) if not self.board[0][x]]
        empty = [(x, y) for y in range(self.height) for x in range(self.width) if not self.board[y][x]]
        return [f"{LETTERS[x]}{y + 1}" for x, y in empty]

    def play(self, move: str) -> None:
        if self.falls:
            x = int(move) - 1
            y = max(j for j in range(self.height) if not self.board[j][x])
        else:
            x, y = LETTERS.index(move[0]), int(move[1:]) - 1
        assert not self.board[y][x]
        self.board[y][x] = self.to_move
        self.to_move = 3 - self.to_move

    def result(self) -> Result | None:
        for player in (1, 2):
            won = [line for line in self.lines if all(self.board[y][x] == player for x, y in line)]
            if won:
                return Seat(player), (int(player == 1), int(player == 2)), {cell for line in won for cell in line}
        return None if any(0 in row for row in self.board) else (None, (0, 0), set())


def oracle(game: Game) -> Oracle:
    """The slow twin of a game's initial position."""
    match game:
        case Othello():
            return OthelloOracle(game.size, game.tie)
        case Puissance4():
            return LineOracle(game.width, game.height, game.k, falls=True)
        case Morpion():
            return LineOracle(game.width, game.height, game.k, falls=False)
        case _:
            raise NotImplementedError(game.id)
