"""Pupils' files with mistakes that are common, and what is guessed of each."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Mistake:
    """A file that fails at its first move: `hint` is what it is told."""

    source: str
    hint: str
    game: str = "othello"
    moves: tuple[str, ...] = ()


MISTAKES = {
    "x and y of coup_joueur": Mistake(
        "def coup_joueur(config, joueur): return (6, 4)",
        "(4, 6) would be legal: are x and y, or line",
        moves=("d3", "c5"),
    ),
    "line and column of jeuIA": Mistake(
        "def jeuIA(grille, couleur): return [3, 5, []]",
        "(5, 3) would be legal: are x and y, or line and column,",
        moves=("d3", "c5"),
    ),
    "column and line of dfs_play": Mistake(
        "def dfs_play(grid, player): return (0, 1)", "(1, 0) would be legal: are x and y,", "morpion", ("b1",)
    ),
    "a column from 0": Mistake(
        "def coup_joueur(config, joueur): return 0",
        "1 would be legal: is it counted from 0 where 1 is the first?",
        "puissance4",
    ),
    "a pair from 0": Mistake(
        "def coup_joueur(config, joueur): return (2, 3)", "(3, 4) would be legal: is it counted from 0 where 1 is the"
    ),
    "a column from 1": Mistake(
        "class Player:\n    def nextMove(self, b): return b.width",
        "6 would be legal: is it counted from 1 where 0 is the first?",
        "puissance4",
    ),
    "a line from 1": Mistake(
        "def jeuIA(grille, couleur): return [3, 4, [[3, 3]]]", "(2, 3) would be legal: is it counted from 1 where 0 is"
    ),
    "a square from 1": Mistake(
        "def minimax_search(game, state): return 1, (3, 3)",
        "(1, (2, 2)) would be legal: is it counted from 1",
        "morpion",
    ),
    "a method in the answer": Mistake(
        """
        class Player:
            def coup(self): return 3
            def nextMove(self, b): return self.coup
        """,
        "coup is a function that is named and not called: ( ) are missing after it.",
        "puissance4",
    ),
    "a function in a pair": Mistake(
        """
        def colonne(): return 4
        def coup_joueur(config, joueur): return (colonne, 3)
        """,
        "colonne is a function that is named and not called",
    ),
    "a function as the answer": Mistake(
        """
        def meilleur(): return [2, 3, []]
        def jeuIA(grille, couleur): return meilleur
        """,
        "meilleur is a function that is named and not called",
    ),
    "no return": Mistake(
        "def jeuIA(grille, couleur): coup = [2, 3, []]", "None is what a function gives that ends without"
    ),
    "a return on one way only": Mistake(
        """
        def coup_joueur(config, joueur):
            if joueur == 2:
                return (4, 3)
        """,
        "None is what a function gives that ends without",
    ),
    "a helper without return": Mistake(
        """
        def meilleure(b): b.width - 1
        class Player:
            def nextMove(self, b): return meilleure(b)
        """,
        "None is what a function gives that ends without",
        "puissance4",
    ),
    "always black": Mistake(
        "def coup_joueur(config, joueur): return (6, 5)",
        "That would be a legal move of the other colour: it plays for 2",
        moves=("d3",),
    ),
    "the other colour's moves": Mistake(
        "def jeuIA(grille, couleur): return [2, 4, []]",
        "That would be a legal move of the other colour: it plays for 1",
    ),
    "the colours exchanged": Mistake(
        """
        def coup_joueur(config, joueur):
            adversaire = 3 - joueur
            return (5, 3) if adversaire == 2 else (4, 3)
        """,
        "That would be a legal move of the other colour: it plays for 1",
    ),
    "a search that spoils the board": Mistake(
        """
        def jeuIA(grille, couleur):
            grille[2][3] = couleur
            return [0, 0, []]
        """,
        "jeuIA changes the board that it is given. A match goes on with a copy",
    ),
    "discs that are not taken out again": Mistake(
        """
        class Player:
            def __init__(self, ox): self.ox = ox
            def nextMove(self, b):
                b.addMove(3, self.ox)
                return 9
        """,
        "Player.nextMove changes the board that it is given",
        "puissance4",
    ),
    "a state that is played on": Mistake(
        """
        def strategy(game, state):
            state[2, 2] = 'X'
            return (0, 0)
        """,
        "strategy changes the board that it is given",
        "morpion",
        ("a1",),
    ),
}

SLOW = {
    "depth": """
        def minimax(grille, depth):
            if depth == 0:
                return 0
            return max(minimax(grille, depth - 1) for coup in range(30))
        def jeuIA(grille, couleur): return minimax(grille, 9)
    """,
    "profondeur": """
        def mini(g, profondeur):
            return 0 if profondeur == 0 else min([maxi(g, profondeur - 1) for _ in range(30)])
        def maxi(g, profondeur):
            return 0 if profondeur == 0 else max([mini(g, profondeur - 1) for _ in range(30)])
        def jeuIA(grille, couleur): return mini(grille, 9)
    """,
    "ply": """
        class IA:
            def chercher(self, g, ply):
                v = 0
                if ply > 0:
                    for i in range(40):
                        v += self.chercher(g, ply - 1)
                return v
        def jeuIA(grille, couleur): return IA().chercher(grille, 9)
    """,
}
