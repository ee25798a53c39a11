"""Puissance 4, première partie : la classe `Board`, un plateau sur lequel des personnes ou des `Player` jouent.

Pour jouer : `python board.py`.
"""


class Board:
    """Un plateau de `width` colonnes et `height` lignes, numérotées à partir de 0, la ligne 0 en haut.

    data[ligne][colonne] vaut 'X', 'O' ou ' ' ; 'X' commence.
    """

    def __init__(self, width=7, height=6):
        self.width = width
        self.height = height
        self.data = []
        self.clear()

    def __repr__(self):
        """Le plateau en caractères.

        >>> b = Board(7, 6)
        >>> b.setBoard('1211244445')
        >>> b
        | | | | | | | |
        | | | | | | | |
        | | | | |X| | |
        | |O| | |O| | |
        | |X|X| |X| | |
        | |X|O| |O|O| |
        ---------------
         0 1 2 3 4 5 6
        """
        lignes = ["|" + "|".join(ligne) + "|" for ligne in self.data]
        numeros = "".join(f" {colonne % 10}" for colonne in range(self.width))
        return "\n".join([*lignes, "-" * (2 * self.width + 1), numeros])

    def clear(self):
        """Vide le plateau."""
        self.data = [[" "] * self.width for _ in range(self.height)]

    def addMove(self, col, ox):
        """Fait tomber le jeton `ox` dans la colonne `col`.

        >>> b = Board(2, 2)
        >>> b.addMove(1, 'X')
        >>> b.addMove(1, 'O')
        >>> b.data
        [[' ', 'O'], [' ', 'X']]
        """
        for ligne in reversed(self.data):
            if ligne[col] == " ":
                ligne[col] = ox
                return

    def delMove(self, col):
        """Retire le jeton du haut de la colonne `col`, s'il y en a un.

        >>> b = Board(2, 2)
        >>> b.setBoard('110')
        >>> b.delMove(1)
        >>> b.data
        [[' ', ' '], ['X', 'X']]
        """
        for ligne in self.data:
            if ligne[col] != " ":
                ligne[col] = " "
                return

    def setBoard(self, moveString):
        """Joue une suite de colonnes, 'X' d'abord, sur un plateau vide."""
        self.clear()
        for numero, colonne in enumerate(moveString):
            self.addMove(int(colonne), "XO"[numero % 2])

    def allowsMove(self, col):
        """Vrai si `col` est une colonne qui n'est pas pleine.

        >>> b = Board(2, 2)
        >>> b.setBoard('00')
        >>> [b.allowsMove(col) for col in (-1, 0, 1, 2)]
        [False, False, True, False]
        """
        return 0 <= col < self.width and self.data[0][col] == " "

    def isFull(self):
        """Vrai si aucune colonne n'accepte plus de jeton.

        >>> b = Board(2, 2)
        >>> b.isFull()
        False
        >>> b.setBoard('0011')
        >>> b.isFull()
        True
        """
        return " " not in self.data[0]

    def winsFor(self, ox):
        """Vrai si `ox` a quatre jetons alignés.

        >>> b = Board(7, 6)
        >>> b.setBoard('01020305')
        >>> b.winsFor('X'), b.winsFor('O')
        (True, False)
        """
        for ligne in range(self.height):
            for col in range(self.width):
                for dl, dc in ((0, 1), (1, 0), (1, 1), (1, -1)):
                    if self._aligne(ligne, col, dl, dc, ox):
                        return True
        return False

    def _aligne(self, ligne, col, dl, dc, ox):
        """Vrai si les quatre cases à partir de (ligne, col), de pas (dl, dc), portent `ox`."""
        if ligne + 3 * dl >= self.height or not 0 <= col + 3 * dc < self.width:
            return False
        return all(self.data[ligne + pas * dl][col + pas * dc] == ox for pas in range(4))

    def playGame(self, px, po):
        """Joue une partie ; px et po sont des `Player`, ou 'human' pour une personne."""
        self.clear()
        joueurs = {"X": px, "O": po}
        ox = "X"
        print(self, end="\n\n")
        while True:
            col = self._ask(ox) if joueurs[ox] == "human" else joueurs[ox].nextMove(self)
            self.addMove(col, ox)
            print(self, end="\n\n")
            if self.winsFor(ox):
                print(f"{ox} wins!")
                return
            if self.isFull():
                print("It's a draw!")
                return
            ox = "O" if ox == "X" else "X"

    def hostGame(self):
        """Joue une partie entre deux personnes."""
        self.playGame("human", "human")

    def _ask(self, ox):
        """Demande une colonne à une personne, jusqu'à ce qu'elle soit permise."""
        while True:
            saisie = input(f"{ox}'s choice: ")
            if saisie.strip().isdecimal() and self.allowsMove(int(saisie)):
                return int(saisie)


if __name__ == "__main__":
    Board().hostGame()
