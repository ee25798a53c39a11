"""The algorithms of the class documents, transcribed from their words and pseudo-code: the oracle of the bots.

Written on plain lists, one rule after the other, as slow as the documents are. What a document leaves open is decided
as the docstrings of `bots/search/documents.py`, `bots/classroom/dfs.py` and `bots/classroom/bfs.py` say. Players are 1
and 2, cells 0 when empty; a cell is (line, column), 0-based.
"""

from collections import deque
from collections.abc import Callable

Grid = list[list[int]]
Cell = tuple[int, int]
INFINITY = 10**9

# -- Othello (000_f36bc23e995ed4a7.txt and 001_9af9f924fa63f882.txt)

DIRECTIONS = [(dy, dx) for dy in (-1, 0, 1) for dx in (-1, 0, 1) if dy or dx]


def flips(grid: Grid, line: int, col: int, player: int) -> list[Cell]:
    """The discs that a disc of `player` would turn over."""
    found: list[Cell] = []
    for dy, dx in DIRECTIONS:
        run: list[Cell] = []
        y, x = line + dy, col + dx
        while 0 <= y < len(grid) and 0 <= x < len(grid) and grid[y][x] == 3 - player:
            run.append((y, x))
            y, x = y + dy, x + dx
        if 0 <= y < len(grid) and 0 <= x < len(grid) and grid[y][x] == player:
            found += run
    return found


def moves(grid: Grid, player: int) -> list[Cell]:
    cells = [(y, x) for y in range(len(grid)) for x in range(len(grid)) if grid[y][x] == 0]
    return [(y, x) for y, x in cells if flips(grid, y, x, player)]


def after(grid: Grid, cell: Cell, player: int) -> Grid:
    copy = [list(row) for row in grid]
    for y, x in [cell, *flips(grid, *cell, player)]:
        copy[y][x] = player
    return copy


def over(grid: Grid) -> bool:
    return not moves(grid, 1) and not moves(grid, 2)


def score_of_black(grid: Grid) -> int:
    return sum(row.count(1) - row.count(2) for row in grid)


def evaluation(grid: Grid, player: int) -> int:
    """1000 in a corner, -500 next to one, 300 on the rest of the rim, for the discs of `player`."""
    last, total = len(grid) - 1, 0
    for y, row in enumerate(grid):
        for x, cell in enumerate(row):
            if cell != player:
                continue
            from_side, from_top = min(x, last - x), min(y, last - y)
            if (from_side, from_top) == (0, 0):
                total += 1000
            elif from_side < 2 and from_top < 2:
                total -= 500
            elif from_side == 0 or from_top == 0:
                total += 300
    return total


def min_max(grid: Grid, depth: int, player: int, human: int) -> int:
    """The Othello document; its human is JOUEUR_NOIR, who takes the smallest value."""
    if over(grid) or depth == 0:
        return evaluation(grid, player) * (1 if player == human else -1)
    following = [after(grid, cell, player) for cell in moves(grid, player)] or [grid]
    values = [min_max(child, depth - 1, 3 - player, human) for child in following]
    return min(values) if player == human else max(values)


def coup_joueur(grid: Grid, computer: int, depth: int) -> tuple[int, Cell]:
    """The computer's move: the first with the largest value."""
    human = 3 - computer
    values = {cell: min_max(after(grid, cell, computer), depth - 1, human, human) for cell in moves(grid, computer)}
    best = max(values, key=values.__getitem__)
    return values[best], best


def minimax(grid: Grid, colour: int, depth: int, score: Callable[[Grid], int]) -> tuple[int, Cell | None]:
    """The worksheet no. 23: (v, coup), black takes the largest score."""
    if depth <= 0 or over(grid):
        return score(grid), None
    cells = moves(grid, colour)
    if not cells:
        return minimax(grid, 3 - colour, depth - 1, score)[0], None
    best: tuple[int, Cell | None] | None = None
    for cell in cells:
        value, _ = minimax(after(grid, cell, colour), 3 - colour, depth - 1, score)
        if best is None or (value > best[0] if colour == 1 else value < best[0]):
            best = value, cell
    assert best is not None
    return best


# -- morpion (003_0af8c295efa069a6.txt), for any board and length of line


class Morpion:
    """The functions of the morpion document for lines of `k`."""

    def __init__(self, width: int, height: int, k: int) -> None:
        self.lines = [
            [(y + step * dy, x + step * dx) for step in range(k)]
            for y in range(height)
            for x in range(width)
            for dy, dx in ((0, 1), (1, 0), (1, 1), (1, -1))
            if 0 <= x + (k - 1) * dx < width and y + (k - 1) * dy < height
        ]

    def check_win(self, grid: Grid) -> int:
        for line in self.lines:
            held = {grid[y][x] for y, x in line}
            if held in ({1}, {2}):
                return held.pop()
        return 0

    def heuristic(self, grid: Grid, player: int) -> int:
        opened = [{grid[y][x] for y, x in line} for line in self.lines]
        return sum(3 - player not in held for held in opened) - sum(player not in held for held in opened)

    def free(self, grid: Grid) -> list[Cell]:
        return [(y, x) for y, row in enumerate(grid) for x, cell in enumerate(row) if cell == 0]

    def play(self, grid: Grid, cell: Cell, player: int) -> Grid:
        copy = [list(row) for row in grid]
        copy[cell[0]][cell[1]] = player
        return copy

    def wins(self, grid: Grid, cell: Cell, player: int) -> bool:
        """Whether `cell` completes a line of `player`; one that was there before does not count."""
        now = self.play(grid, cell, player)
        return any(cell in line and {now[y][x] for y, x in line} == {player} for line in self.lines)

    def min_max_play(self, grid: Grid, player: int, depth: int) -> Cell | None:
        val_max, coup = -INFINITY, None
        for cell in self.free(grid):
            if self.wins(grid, cell, player):
                return cell
            score = self.mini(self.play(grid, cell, player), player, depth - 2)
            if score > val_max:
                val_max, coup = score, cell
        return coup

    def mini(self, grid: Grid, player: int, depth: int) -> int:
        cells = self.free(grid)
        if not cells:
            return self.heuristic(grid, player)
        val_mini = INFINITY
        for cell in cells:
            if self.wins(grid, cell, 3 - player):
                return -INFINITY
            val_mini = min(val_mini, self.maxi(self.play(grid, cell, 3 - player), player, depth))
        return val_mini

    def maxi(self, grid: Grid, player: int, depth: int) -> int:
        cells = self.free(grid)
        if not cells or depth == 0:
            return self.heuristic(grid, player)
        val_max = -INFINITY
        for cell in cells:
            val_max = max(val_max, self.mini(self.play(grid, cell, player), player, depth - 2))
        return val_max

    def dfs_play(self, grid: Grid, player: int, *, slip: bool) -> Cell | None:
        for cell in self.free(grid):
            if self.dfs_play_aux(self.play(grid, cell, player), player % 2 + 1, player, slip=slip):
                return cell
        return None

    def dfs_play_aux(self, grid: Grid, player: int, us: int, *, slip: bool) -> bool:
        winner = self.check_win(grid)
        if winner != 0:
            return winner == us
        for cell in self.free(grid):
            handed_on = player if slip else us
            if self.dfs_play_aux(self.play(grid, cell, player), player % 2 + 1, handed_on, slip=slip):
                return True
        return False

    def bfs_play(self, grid: Grid, player: int) -> Cell | None:
        queue = deque((self.play(grid, cell, player), player % 2 + 1, cell) for cell in self.free(grid))
        while queue:
            found, mover, first = queue.popleft()
            winner = self.check_win(found)
            if winner == player:
                return first
            if winner == 0:
                queue.extend((self.play(found, cell, mover), mover % 2 + 1, first) for cell in self.free(found))
        return None

    def minimax_search(self, grid: Grid, player: int) -> tuple[int, Cell | None]:
        """004_b5552201a93ea9e6.txt, written as negamax: 1 for a win of `player`, -1 for a loss."""
        winner = self.check_win(grid)
        if winner != 0:
            return (1 if winner == player else -1), None
        best: tuple[int, Cell | None] = (-INFINITY, None)
        for cell in self.free(grid):
            value = -self.minimax_search(self.play(grid, cell, player), 3 - player)[0]
            if value > best[0]:
                best = value, cell
        return best if best[1] is not None else (0, None)
