"""L'algorithme min_max avec l'heuristique des alignements ouverts. Comme bot : `arbitre bot ai.py`."""

from math import inf

from tic_tac_toe_grid import LINES, check_win, get_free_cells, play


def open_lines(grid, player):
    """Combien d'alignements sont sans marque de l'adversaire et pas encore pleins."""
    count = 0
    for cells in LINES:
        marks = [grid[line][col] for line, col in cells]
        if player % 2 + 1 not in marks and 0 in marks:
            count += 1
    return count


def heuristic(grid, player):
    """Les alignements ouverts de `player` moins ceux de son adversaire."""
    return open_lines(grid, player) - open_lines(grid, player % 2 + 1)


def min_max_play(grid, player, depth):
    """Le meilleur coup de `player` en regardant `depth` coups ; le premier possible si tous perdent."""
    cells = get_free_cells(grid)
    val_max, best = -inf, cells[0]
    for line, col in cells:
        new_grid = play(grid, line, col, player)
        if check_win(new_grid) == player:
            return line, col
        score = mini_min_max(new_grid, player, depth - 2)
        if score > val_max:
            val_max, best = score, (line, col)
    return best


def mini_min_max(grid, player, depth):
    """La valeur d'une grille où c'est à l'adversaire : le pire qu'il puisse faire à `player`."""
    cells = get_free_cells(grid)
    if not cells:
        return heuristic(grid, player)
    opponent = player % 2 + 1
    values = []
    for line, col in cells:
        new_grid = play(grid, line, col, opponent)
        if check_win(new_grid) == opponent:
            return -inf
        values.append(maxi_min_max(new_grid, player, depth))
    return min(values)


def maxi_min_max(grid, player, depth):
    """La valeur d'une grille où c'est à `player` : le mieux qu'il puisse faire, en regardant encore `depth` coups."""
    cells = get_free_cells(grid)
    if not cells or depth <= 0:
        return heuristic(grid, player)
    values = []
    for line, col in cells:
        new_grid = play(grid, line, col, player)
        if check_win(new_grid) == player:
            return inf
        values.append(mini_min_max(new_grid, player, depth - 2))
    return max(values)


assert heuristic([[0, 0, 0], [0, 1, 0], [0, 0, 0]], 1) == 4
assert heuristic([[2, 0, 0], [0, 1, 0], [0, 0, 0]], 2) == -1
assert heuristic([[1, 0, 0], [1, 0, 0], [0, 0, 2]], 1) == 1
assert min_max_play([[0, 0, 0], [0, 0, 0], [0, 0, 0]], 1, 2) == (1, 1)
assert min_max_play([[1, 1, 0], [2, 2, 0], [0, 0, 0]], 2, 2) == (1, 2)
assert min_max_play([[1, 1, 0], [0, 2, 0], [0, 0, 0]], 2, 2) == (0, 2)
