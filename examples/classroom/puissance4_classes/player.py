"""Puissance 4, deuxième partie : la classe `Player`, qui regarde quelques coups en avant.

Pour jouer : `python player.py`. Comme bot : `arbitre bot player.py`.
"""

import random

from board import Board


class Player:
    """Un joueur.

    ox : son jeton, 'X' ou 'O'. tbt : que faire de colonnes également bonnes, 'LEFT', 'RIGHT' ou 'RANDOM'.
    ply : combien de coups il regarde.
    """

    def __init__(self, ox, tbt, ply):
        self.ox = ox
        self.tbt = tbt
        self.ply = ply

    def __repr__(self):
        """Les trois caractéristiques du joueur.

        >>> Player('O', 'RANDOM', 0)
        Player for O
          with tiebreak: RANDOM
          and ply == 0
        """
        return f"Player for {self.ox}\n  with tiebreak: {self.tbt}\n  and ply == {self.ply}"

    def oppCh(self):
        """Le jeton de l'adversaire.

        >>> Player('X', 'LEFT', 3).oppCh()
        'O'
        >>> Player('O', 'LEFT', 0).oppCh()
        'X'
        """
        return "O" if self.ox == "X" else "X"

    def scoreBoard(self, b):
        """100.0 si le plateau est gagné, 0.0 s'il est perdu, sinon 50.0.

        >>> b = Board(7, 6)
        >>> b.setBoard('01020305')
        >>> Player('X', 'LEFT', 0).scoreBoard(b)
        100.0
        >>> Player('O', 'LEFT', 0).scoreBoard(b)
        0.0
        >>> Player('O', 'LEFT', 0).scoreBoard(Board(7, 6))
        50.0
        """
        if b.winsFor(self.ox):
            return 100.0
        return 0.0 if b.winsFor(self.oppCh()) else 50.0

    def tiebreakMove(self, scores):
        """La colonne du plus grand score, choisie selon `tbt` s'il y en a plusieurs.

        >>> scores = [0, 0, 50, 0, 50, 50, 0]
        >>> Player('X', 'LEFT', 1).tiebreakMove(scores)
        2
        >>> Player('X', 'RIGHT', 1).tiebreakMove(scores)
        5
        >>> Player('X', 'RANDOM', 1).tiebreakMove([50, 100, 100, 50, 50, 100, 50]) in [1, 2, 5]
        True
        """
        maxIndices = [col for col, score in enumerate(scores) if score == max(scores)]
        if self.tbt == "LEFT":
            return maxIndices[0]
        if self.tbt == "RIGHT":
            return maxIndices[-1]
        return random.choice(maxIndices)

    def scoresFor(self, b):
        """Le score de chaque colonne pour `self` : -1.0 si elle est pleine, sinon 0.0, 50.0 ou 100.0.

        >>> b = Board(7, 6)
        >>> b.setBoard('1211244445')
        >>> Player('X', 'LEFT', 0).scoresFor(b)
        [50.0, 50.0, 50.0, 50.0, 50.0, 50.0, 50.0]
        >>> Player('O', 'LEFT', 1).scoresFor(b)
        [50.0, 50.0, 50.0, 100.0, 50.0, 50.0, 50.0]
        >>> Player('X', 'LEFT', 2).scoresFor(b)
        [0.0, 0.0, 0.0, 50.0, 0.0, 0.0, 0.0]
        >>> Player('X', 'LEFT', 3).scoresFor(b)
        [0.0, 0.0, 0.0, 100.0, 0.0, 0.0, 0.0]
        >>> Player('O', 'LEFT', 3).scoresFor(b)
        [50.0, 50.0, 50.0, 100.0, 50.0, 50.0, 50.0]
        >>> Player('O', 'LEFT', 4).scoresFor(b)
        [0.0, 0.0, 0.0, 100.0, 0.0, 0.0, 0.0]
        """
        scores = [50.0] * b.width
        fini = self.scoreBoard(b) != 50.0
        for col in range(b.width):
            if not b.allowsMove(col):
                scores[col] = -1.0
            elif fini or self.ply == 0:
                scores[col] = self.scoreBoard(b)
            else:
                b.addMove(col, self.ox)
                scores[col] = self.scoreAfter(b)
                b.delMove(col)
        return scores

    def scoreAfter(self, b):
        """Le score d'un plateau où `self` vient de jouer : ce que l'adversaire y gagne, `self` le perd."""
        score = self.scoreBoard(b)
        if score != 50.0 or self.ply == 1 or b.isFull():
            return score
        adversaire = Player(self.oppCh(), self.tbt, self.ply - 1)
        return 100.0 - max(adversaire.scoresFor(b))

    def nextMove(self, b):
        """La colonne où jouer.

        >>> b = Board(7, 6)
        >>> b.setBoard('1211244445')
        >>> Player('X', 'LEFT', 1).nextMove(b)
        0
        >>> Player('X', 'RIGHT', 1).nextMove(b)
        6
        >>> [Player('X', tbt, 2).nextMove(b) for tbt in ('LEFT', 'RIGHT', 'RANDOM')]
        [3, 3, 3]
        """
        return self.tiebreakMove(self.scoresFor(b))


if __name__ == "__main__":
    adversaires = {
        "1": "human",
        "2": Player("O", "RANDOM", 0),
        "3": Player("O", "RANDOM", 2),
        "4": Player("O", "RANDOM", 4),
    }
    choix = ""
    while choix not in adversaires:
        choix = input("Contre 1. un humain 2. le hasard 3. Player, 2 coups 4. Player, 4 coups : ")
    Board(7, 6).playGame("human", adversaires[choix])
