"""Jouer au morpion dans un terminal : `python play_tic_tac_toe.py`."""

import random

from ai import min_max_play
from dfs_bfs import bfs_play, dfs_play
from tic_tac_toe_grid import check_win, get_empty_grid, get_free_cells, play

NAMES = ".XO"


def show(grid):
    """Affiche la grille, lignes et colonnes numérotées à partir de 0."""
    print("  0 1 2")
    for line, cells in enumerate(grid):
        print(line, *(NAMES[cell] for cell in cells))


def human(grid, player):
    """Demande une case à une personne, jusqu'à ce qu'elle soit libre."""
    while True:
        answer = input(f"{NAMES[player]}, ligne,colonne : ")
        try:
            line, col = map(int, answer.split(","))
        except ValueError:
            continue
        if (line, col) in get_free_cells(grid):
            return line, col


def at_random(grid, player):
    """Une case libre au hasard."""
    del player
    return random.choice(get_free_cells(grid))


def searching(search):
    """Un joueur qui cherche une suite gagnante, et joue la première case libre s'il n'y en a pas."""
    return lambda grid, player: search(grid, player) or get_free_cells(grid)[0]


def min_max(grid, player):
    """Un joueur qui regarde quatre coups."""
    return min_max_play(grid, player, 4)


OPPONENTS = {"1": human, "2": at_random, "3": searching(dfs_play), "4": searching(bfs_play), "5": min_max}


def play_game(first, second):
    """Joue une partie et renvoie le gagnant, 0 pour un match nul."""
    grid, player = get_empty_grid(), 1
    show(grid)
    while check_win(grid) == 0 and get_free_cells(grid):
        line, col = (first if player == 1 else second)(grid, player)
        grid = play(grid, line, col, player)
        show(grid)
        player = player % 2 + 1
    winner = check_win(grid)
    print(f"{NAMES[winner]} gagne." if winner else "Match nul.")
    return winner


if __name__ == "__main__":
    choice = ""
    while choice not in OPPONENTS:
        choice = input("Contre 1. un humain 2. le hasard 3. dfs 4. bfs 5. min_max : ")
    play_game(human, OPPONENTS[choice])
