"""A bot in one line a move, for all games: completes a line or stops one, else takes the best cell.

In a game whose moves are no single cells it takes the first.

Against another:  arbitre match --game othello "stdio:python3 examples/stdio/bot.py" random
On a server:      arbitre bot "stdio:python3 examples/stdio/bot.py" URL
"""

import sys


def cell(move: str, rows: list[str]) -> tuple[int, int]:
    """Column and row of a move, from 0, row 0 on top; a bare number is a column, in which a disc falls."""
    if move.isdigit():
        x = int(move) - 1
        return x, max(y for y, row in enumerate(rows) if row[x] == ".")
    return ord(move[0]) - ord("a"), int(move[1:]) - 1


def line(rows: list[str], x: int, y: int, disc: str) -> int:
    """How long the longest line through (x, y) is once `disc` lies there."""
    longest = 1
    for dx, dy in ((1, 0), (0, 1), (1, 1), (1, -1)):
        length = 1
        for way in (1, -1):
            i, j = x + way * dx, y + way * dy
            while 0 <= i < len(rows[0]) and 0 <= j < len(rows) and rows[j][i] == disc:
                length, i, j = length + 1, i + way * dx, j + way * dy
        longest = max(longest, length)
    return longest


def value(game: str, in_line: int, me: str, rows: list[str], move: str) -> float:
    """What a move is worth."""
    if game not in ("othello", "puissance4", "morpion"):
        return 0
    x, y = cell(move, rows)
    from_side, from_top = min(x, len(rows[0]) - 1 - x), min(y, len(rows) - 1 - y)
    if game == "othello":  # corners are good, the cells next to them bad
        return {0: 100, 1: -20, 2: -50}.get(from_side + from_top, 0) if max(from_side, from_top) < 2 else 0
    wins, stops = (line(rows, x, y, disc) >= in_line for disc in (me, "XO"[me == "X"]))
    return 100 * wins + 50 * stops + from_side + from_top


for question in sys.stdin:
    game, width, height, in_line, player, milliseconds, board, count, *moves = question.split()
    rows, me = board.split("/"), "XO"[int(player) - 1]
    print(max(moves, key=lambda move: value(game, int(in_line), me, rows, move)), flush=True)
