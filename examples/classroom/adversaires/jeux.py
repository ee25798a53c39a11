"""Jeux avec adversaires : `Game` et `Board`, le tic-tac-toe, le Puissance 4 et les algorithmes qui y jouent.

Pour jouer : `python jeux.py`. Comme bot : `arbitre bot jeux.py` (la fonction `strategy`).
"""

import math
import random
from collections import defaultdict

infinity = math.inf


class Game:
    """Un jeu : `initial` est son premier état ; un état connaît le joueur dont c'est le tour, `to_move`."""

    initial = None

    def actions(self, state):
        """Les coups permis."""
        raise NotImplementedError

    def result(self, state, move):
        """L'état après `move`."""
        raise NotImplementedError

    def is_terminal(self, state):
        """Vrai si la partie est finie."""
        return not self.actions(state)

    def utility(self, state, player):
        """Ce que l'état final vaut pour `player`."""
        raise NotImplementedError

    def process_human_input(self, text):
        """Le coup que quelqu'un a tapé."""
        raise NotImplementedError


class Board(defaultdict):
    """Un plateau : un dictionnaire {(x, y): 'X' ou 'O'}, (0, 0) en haut à gauche, et le joueur `to_move`.

    >>> b = Board(width=3, height=3, to_move='X')
    >>> b[1, 1], b[3, 0]
    ('.', '#')
    >>> print(b.new({(0, 0): 'X', (1, 1): 'O'}, to_move='X'))
    X . .
    . O .
    . . .
    <BLANKLINE>
    """

    empty = "."
    off = "#"

    def __init__(self, width=8, height=8, to_move=None, **kwds):
        super().__init__()
        self.__dict__.update(width=width, height=height, to_move=to_move, **kwds)

    def new(self, changes, **kwds):
        """Une copie où quelques cases ont changé ; `kwds` sont ses attributs, par exemple to_move."""
        board = Board(width=self.width, height=self.height, **kwds)
        board.update(self)
        board.update(changes)
        return board

    def __missing__(self, loc):
        x, y = loc
        return self.empty if 0 <= x < self.width and 0 <= y < self.height else self.off

    def __hash__(self):
        return hash((tuple(sorted(self.items())), self.to_move))

    def __repr__(self):
        lignes = (" ".join(self[x, y] for x in range(self.width)) for y in range(self.height))
        return "\n".join(lignes) + "\n"


class TicTacToe(Game):
    """Le tic-tac-toe sur `height` x `width` cases, `k` marques alignées gagnent ; 'X' commence."""

    def __init__(self, height=3, width=3, k=3):
        self.k = k
        self.squares = [(x, y) for y in range(height) for x in range(width)]
        self.initial = Board(height=height, width=width, to_move="X", utility=0)

    def actions(self, board):
        """Les cases vides.

        >>> game = TicTacToe()
        >>> game.actions(game.initial)[:4]
        [(0, 0), (1, 0), (2, 0), (0, 1)]
        """
        return [square for square in self.squares if board[square] == board.empty]

    def result(self, board, square):
        """Le plateau où le joueur dont c'est le tour a joué sur `square`, et où c'est à l'autre.

        `utility` y est la valeur pour 'X'.

        >>> game = TicTacToe()
        >>> board = game.result(game.initial, (1, 1))
        >>> board.to_move, board[1, 1], board.utility
        ('O', 'X', 0)
        """
        player = board.to_move
        new_board = board.new({square: player}, to_move="O" if player == "X" else "X", utility=0)
        if k_in_row(new_board, player, square, self.k):
            new_board.utility = 1 if player == "X" else -1
        return new_board

    def utility(self, board, player):
        """1 si `player` a gagné, -1 s'il a perdu, sinon 0."""
        return board.utility if player == "X" else -board.utility

    def is_terminal(self, board):
        """Vrai si quelqu'un a gagné ou s'il n'y a plus de case vide."""
        return board.utility != 0 or len(board) == len(self.squares)

    def process_human_input(self, text):
        """La case de « x,y »."""
        x, y = text.split(",")
        return int(x), int(y)


class ConnectFour(TicTacToe):
    """Le Puissance 4 : un tic-tac-toe où l'on joue dans la case vide la plus basse d'une colonne."""

    def __init__(self):
        super().__init__(width=7, height=6, k=4)

    def actions(self, board):
        """La case vide la plus basse de chaque colonne.

        >>> game = ConnectFour()
        >>> game.actions(game.result(game.initial, (3, 5)))
        [(3, 4), (0, 5), (1, 5), (2, 5), (4, 5), (5, 5), (6, 5)]
        """
        return [(x, y) for x, y in super().actions(board) if board[x, y + 1] != board.empty]


def k_in_row(board, player, square, k):
    """Vrai si `player` a `k` marques alignées qui passent par `square`."""

    def longueur(dx, dy):
        x, y = square
        n = 0
        while board[x, y] == player:
            n, x, y = n + 1, x + dx, y + dy
        return n

    return any(longueur(dx, dy) + longueur(-dx, -dy) > k for dx, dy in ((1, 0), (0, 1), (1, 1), (1, -1)))


# --- les algorithmes


def minimax_search(game, state):
    """Question 1 : le couple (valeur, coup) du joueur dont c'est le tour, en regardant toutes les suites.

    >>> game = TicTacToe()
    >>> state = game.initial
    >>> for move in [(1, 1), (0, 0), (0, 1), (2, 1), (1, 0)]:
    ...     state = game.result(state, move)
    >>> minimax_search(game, state)
    (0, (1, 2))
    """
    player = state.to_move

    def max_value(state):
        if game.is_terminal(state):
            return game.utility(state, player), None
        best_value, best_action = -infinity, None
        for action in game.actions(state):
            value, _ = min_value(game.result(state, action))
            if value > best_value:
                best_value, best_action = value, action
        return best_value, best_action

    def min_value(state):
        if game.is_terminal(state):
            return game.utility(state, player), None
        best_value, best_action = infinity, None
        for action in game.actions(state):
            value, _ = max_value(game.result(state, action))
            if value < best_value:
                best_value, best_action = value, action
        return best_value, best_action

    return max_value(state)


def limited_search(game, state, depth=4):
    """Comme minimax_search, mais en s'arrêtant après `depth` coups, et sans regarder ce qui ne peut plus rien changer.

    Un état où l'on s'arrête avant la fin vaut 0 ; gagner plus tôt vaut mieux.

    >>> game = ConnectFour()
    >>> state = game.initial
    >>> for column in [3, 0, 3, 0, 3]:
    ...     state = game.result(state, min((y, (x, y)) for x, y in game.actions(state) if x == column)[1])
    >>> limited_search(game, state)[1]
    (3, 2)
    """

    def value(state, depth, alpha, beta):
        """La valeur de l'état pour celui dont c'est le tour, et son meilleur coup."""
        if depth == 0 or game.is_terminal(state):
            return game.utility(state, state.to_move) * (1 + depth), None
        best_action = None
        for action in game.actions(state):
            found = -value(game.result(state, action), depth - 1, -beta, -alpha)[0]
            if found > alpha:
                alpha, best_action = found, action
            if alpha >= beta:
                break
        return alpha, best_action

    best_value, best_action = value(state, depth, -infinity, infinity)
    return best_value, best_action


# --- les joueurs


def player(search_algorithm):
    """Un joueur qui suit un algorithme de recherche."""
    return lambda game, state: search_algorithm(game, state)[1]


strategy = player(limited_search)
"""Le joueur que l'on envoie sur un serveur : assez rapide pour les deux jeux."""


def random_player(game, state):
    """Un joueur qui joue au hasard."""
    return random.choice(game.actions(state))


def human_player(game, state):
    """Question 2 : un joueur qui demande son coup à une personne, jusqu'à ce qu'il soit permis."""
    print(state)
    while True:
        try:
            move = game.process_human_input(input(f"{state.to_move}, x,y : "))
        except ValueError:
            continue
        if move in game.actions(state):
            return move


def play_game(game, strategies, verbose=False):
    """Joue une partie et renvoie son dernier état ; strategies[joueur](game, state) donne un coup.

    >>> premier = lambda game, state: game.actions(state)[0]
    >>> final = play_game(TicTacToe(), {'X': premier, 'O': premier})
    >>> final.utility
    1
    """
    state = game.initial
    while not game.is_terminal(state):
        mover = state.to_move
        move = strategies[mover](game, state)
        state = game.result(state, move)
        if verbose:
            print("Player", mover, "move:", move)
            print(state)
    return state


if __name__ == "__main__":
    jeux = {"1": TicTacToe, "2": ConnectFour}
    adversaires = {"1": human_player, "2": random_player, "3": strategy}
    jeu = adversaire = ""
    while jeu not in jeux:
        jeu = input("1. Tic-tac-toe 2. Puissance 4 : ")
    while adversaire not in adversaires:
        adversaire = input("Contre 1. un humain 2. le hasard 3. l'algorithme : ")
    final = play_game(jeux[jeu](), {"X": human_player, "O": adversaires[adversaire]}, verbose=True)
    print({1: "X gagne.", -1: "O gagne.", 0: "Match nul."}[final.utility])
