"""Parcours du graphe des parties, en profondeur et en largeur.

Les deux cherchent une suite de coups au bout de laquelle `player` gagne, comme si l'adversaire y aidait : c'est leur
faiblesse. Comme bot : `arbitre bot dfs_bfs.py`, ou `arbitre bot dfs_bfs.py#bfs_play`.
"""

from collections import deque

from tic_tac_toe_grid import check_win, get_free_cells, play


def dfs_play(grid, player):
    """Le premier coup d'une suite gagnante pour `player`, trouvée en profondeur ; None s'il n'y en a pas."""
    for line, col in get_free_cells(grid):
        if dfs_play_aux(play(grid, line, col, player), player % 2 + 1, player):
            return line, col
    return None


def dfs_play_aux(grid, player, us):
    """Vrai si une suite de coups, à partir du tour de `player`, fait gagner `us`."""
    winner = check_win(grid)
    if winner != 0:
        return winner == us
    return any(dfs_play_aux(play(grid, line, col, player), player % 2 + 1, us) for line, col in get_free_cells(grid))


def bfs_play(grid, player):
    """Le premier coup d'une suite gagnante pour `player`, une des plus courtes ; None s'il n'y en a pas."""
    queue = deque((play(grid, line, col, player), player % 2 + 1, (line, col)) for line, col in get_free_cells(grid))
    while queue:
        grid, turn, first = queue.popleft()
        winner = check_win(grid)
        if winner == player:
            return first
        if winner == 0:
            for line, col in get_free_cells(grid):
                queue.append((play(grid, line, col, turn), turn % 2 + 1, first))
    return None


assert bfs_play([[1, 1, 0], [2, 2, 0], [0, 0, 0]], 1) == (0, 2)
assert bfs_play([[1, 1, 0], [2, 2, 0], [0, 0, 0]], 2) == (1, 2)
assert dfs_play([[1, 1, 0], [2, 2, 0], [1, 2, 0]], 1) == (0, 2)
assert dfs_play([[1, 2, 1], [1, 2, 2], [2, 1, 0]], 1) is None
assert bfs_play([[1, 2, 1], [1, 2, 2], [2, 1, 0]], 1) is None
