"""TP 23 : Othello et l'algorithme minimax, dans un terminal.

Une grille est une liste de 8 lignes de 8 entiers : 0 vide, 1 noir (le premier joueur), 2 blanc. Lignes et colonnes sont
numérotées de 0 à 7. Un coup est une liste [i, j, r] : la case (i, j), et r la liste des cases [k, l] retournées.
Pour jouer : `python TP23.py`. Comme bot : `arbitre bot TP23.py`.
"""

import random

PROFONDEUR = 3
DIRECTIONS = [(di, dj) for di in (-1, 0, 1) for dj in (-1, 0, 1) if (di, dj) != (0, 0)]


def initiale():
    """La grille du début : les noirs en e4 et d5, les blancs en d4 et e5.

    >>> initiale()[3], initiale()[4]
    ([0, 0, 0, 2, 1, 0, 0, 0], [0, 0, 0, 1, 2, 0, 0, 0])
    """
    grille = [[0] * 8 for _ in range(8)]
    grille[3][3] = grille[4][4] = 2
    grille[3][4] = grille[4][3] = 1
    return grille


def retournements(grille, couleur, i, j):
    """Les cases que `couleur` retourne en jouant en (i, j)."""
    r = []
    for di, dj in DIRECTIONS:
        k, l = i + di, j + dj
        encadres = []
        while 0 <= k < 8 and 0 <= l < 8 and grille[k][l] == 3 - couleur:
            encadres.append([k, l])
            k, l = k + di, l + dj
        if 0 <= k < 8 and 0 <= l < 8 and grille[k][l] == couleur:
            r += encadres
    return r


def coups(grille, couleur):
    """Les coups de `couleur`, ligne par ligne.

    >>> coups(initiale(), 1)
    [[2, 3, [[3, 3]]], [3, 2, [[3, 3]]], [4, 5, [[4, 4]]], [5, 4, [[4, 4]]]]
    """
    possibles = [[i, j, retournements(grille, couleur, i, j)] for i in range(8) for j in range(8) if grille[i][j] == 0]
    return [coup for coup in possibles if coup[2]]


def fini(grille):
    """Question 1 : vrai si aucun des deux joueurs ne peut jouer.

    >>> fini(initiale())
    False
    >>> fini([[1] * 8 for _ in range(8)])
    True
    """
    return not coups(grille, 1) and not coups(grille, 2)


def jeuStupide(grille, couleur):
    """Question 2 : le premier coup possible, ou None.

    >>> jeuStupide(initiale(), 1)
    [2, 3, [[3, 3]]]
    """
    possibles = coups(grille, couleur)
    return possibles[0] if possibles else None


def jeuHasard(grille, couleur):
    """Un coup possible tiré au hasard, ou None."""
    possibles = coups(grille, couleur)
    return random.choice(possibles) if possibles else None


def scoreNoir(grille):
    """Question 3 : le nombre de pions noirs moins le nombre de pions blancs.

    >>> grille = initiale()
    >>> scoreNoir(grille)
    0
    >>> jouer(grille, 1, jeuStupide(grille, 1))
    >>> scoreNoir(grille)
    3
    """
    return sum(ligne.count(1) - ligne.count(2) for ligne in grille)


def jouer(grille, couleur, coup):
    """Question 4 : pose le pion et retourne ceux qu'il encadre, dans la grille elle-même."""
    i, j, r = coup
    for k, l in [[i, j], *r]:
        grille[k][l] = couleur


def dejouer(grille, couleur, coup):
    """Question 4 : annule `jouer`.

    >>> grille = initiale()
    >>> coup = jeuStupide(grille, 1)
    >>> jouer(grille, 1, coup)
    >>> dejouer(grille, 1, coup)
    >>> grille == initiale()
    True
    """
    i, j, r = coup
    grille[i][j] = 0
    for k, l in r:
        grille[k][l] = 3 - couleur


def estimation(grille):
    """Question 7 : scoreNoir, où une case du bord compte 5 et un coin 25.

    >>> estimation(initiale())
    0
    """
    poids = (0, 1, -1)
    bonus = sum(
        poids[grille[i][j]] * (24 if i in (0, 7) and j in (0, 7) else 4)
        for i in range(8)
        for j in range(8)
        if i in (0, 7) or j in (0, 7)
    )
    return scoreNoir(grille) + bonus


def minimax(grille, couleur, prof):
    """Question 5 : le couple (v, coup) de la valeur estimée et du meilleur coup ; les noirs veulent v grand.

    Qui ne peut pas jouer passe son tour : le coup est alors None.

    >>> minimax(initiale(), 1, 0)
    (0, None)
    >>> minimax(initiale(), 1, 1)
    (3, [2, 3, [[3, 3]]])
    >>> minimax(initiale(), 1, 2)[0]
    0
    """
    if prof <= 0:
        return estimation(grille), None
    possibles = coups(grille, couleur)
    if not possibles:
        if fini(grille):
            return estimation(grille), None
        return minimax(grille, 3 - couleur, prof - 1)[0], None
    valeurs = []
    for coup in possibles:
        jouer(grille, couleur, coup)
        valeurs.append(minimax(grille, 3 - couleur, prof - 1)[0])
        dejouer(grille, couleur, coup)
    v = max(valeurs) if couleur == 1 else min(valeurs)
    return v, possibles[valeurs.index(v)]


def jeuIA(grille, couleur):
    """Question 6 : le coup que minimax considère comme le meilleur, ou None.

    >>> jeuIA(initiale(), 1) in coups(initiale(), 1)
    True
    """
    return minimax(grille, couleur, PROFONDEUR)[1]


# --- une partie dans un terminal, à la place de l'interface graphique


def afficher(grille):
    """Affiche la grille, colonnes a à h et lignes 1 à 8."""
    print("  a b c d e f g h")
    for i, ligne in enumerate(grille):
        print(i + 1, *("·■□"[case] for case in ligne))


def jeuHumain(grille, couleur):
    """Demande un coup comme « d3 », jusqu'à ce qu'il soit permis ; None s'il n'y en a pas."""
    permis = {"abcdefgh"[coup[1]] + str(coup[0] + 1): coup for coup in coups(grille, couleur)}
    saisie = ""
    while permis and saisie not in permis:
        saisie = input(f"{'Noir' if couleur == 1 else 'Blanc'}, votre coup ({' '.join(permis)}) : ").strip().lower()
    return permis.get(saisie)


def partie(noir, blanc):
    """Joue une partie et renvoie le score des noirs ; à égalité, c'est le dernier à avoir posé un pion qui gagne."""
    grille, couleur, dernier = initiale(), 1, 0
    afficher(grille)
    while not fini(grille):
        coup = (noir if couleur == 1 else blanc)(grille, couleur)
        if coup is None:
            print("Noir passe." if couleur == 1 else "Blanc passe.")
        else:
            jouer(grille, couleur, coup)
            dernier = couleur
            afficher(grille)
        couleur = 3 - couleur
    score = scoreNoir(grille)
    gagnant = dernier if score == 0 else 1 if score > 0 else 2
    print(f"Les {'noirs' if gagnant == 1 else 'blancs'} gagnent ({score:+}).")
    return score


if __name__ == "__main__":
    adversaires = {"1": jeuHumain, "2": jeuHasard, "3": jeuStupide, "4": jeuIA}
    choix = ""
    while choix not in adversaires:
        choix = input("Contre 1. un humain 2. le hasard 3. l'I.A. stupide 4. l'I.A. : ")
    partie(jeuHumain, adversaires[choix])
