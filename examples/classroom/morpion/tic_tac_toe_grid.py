"""Les opérations de base sur une grille de morpion : 3x3 entiers, 0 pour une case vide, 1 et 2 pour les joueurs."""

from copy import deepcopy

LINES = [
    *([(line, col) for col in range(3)] for line in range(3)),
    *([(line, col) for line in range(3)] for col in range(3)),
    [(i, i) for i in range(3)],
    [(i, 2 - i) for i in range(3)],
]
"""Les huit alignements : trois lignes, trois colonnes, deux diagonales."""


def get_empty_grid():
    """Une grille vide."""
    return [[0, 0, 0], [0, 0, 0], [0, 0, 0]]


def play(grid, line, col, player):
    """Une nouvelle grille où `player` a joué en (line, col), ou None si ce n'est pas permis."""
    if (line, col) not in get_free_cells(grid):
        return None
    new_grid = deepcopy(grid)
    new_grid[line][col] = player
    return new_grid


def get_free_cells(grid):
    """Les cases libres, des couples (ligne, colonne)."""
    return [(line, col) for line in range(3) for col in range(3) if grid[line][col] == 0]


def check_win(grid):
    """Le joueur qui a un alignement, ou 0."""
    for cells in LINES:
        players = {grid[line][col] for line, col in cells}
        if players in ({1}, {2}):
            return players.pop()
    return 0


assert get_empty_grid() == [[0, 0, 0], [0, 0, 0], [0, 0, 0]]

assert play([[0, 0, 0], [0, 0, 0], [0, 0, 0]], 1, 1, 1) == [[0, 0, 0], [0, 1, 0], [0, 0, 0]]
assert play([[0, 0, 0], [0, 1, 0], [0, 0, 0]], 1, 2, 2) == [[0, 0, 0], [0, 1, 2], [0, 0, 0]]
assert play([[0, 0, 0], [0, 1, 0], [0, 0, 0]], 1, 1, 2) is None
assert play([[0, 0, 0], [0, 1, 0], [0, 0, 0]], 1, 3, 1) is None
assert play([[0, 0, 0], [0, 1, 0], [0, 0, 0]], -1, 0, 2) is None

assert len(get_free_cells([[0, 0, 0], [0, 0, 0], [0, 0, 0]])) == 9
assert get_free_cells([[1, 2, 0], [1, 0, 2], [0, 2, 1]]) == [(0, 2), (1, 1), (2, 0)]
assert get_free_cells([[1, 2, 2], [1, 1, 2], [2, 2, 1]]) == []

assert check_win([[0, 0, 0], [0, 0, 0], [0, 0, 0]]) == 0
assert check_win([[1, 2, 0], [0, 1, 2], [2, 0, 1]]) == 1
assert check_win([[2, 2, 2], [1, 1, 2], [2, 1, 1]]) == 2
assert check_win([[2, 1, 2], [1, 1, 2], [2, 1, 1]]) == 1
assert check_win([[2, 1, 2], [1, 2, 2], [2, 1, 1]]) == 2
