"""Les règles d'Othello pour `main.py`.

Une configuration est une liste de 8 lignes de 8 entiers : 0 pour une case vide, 1 pour un pion noir, 2 pour un blanc.
Une case est un couple (x, y) compté à partir de 1 : son contenu est config[y - 1][x - 1].
"""

import copy
import random

VIDE = 0
JOUEUR_NOIR = 1
JOUEUR_BLANC = 2
NOMS = {JOUEUR_NOIR: "JOUEUR_NOIR", JOUEUR_BLANC: "JOUEUR_BLANC"}
SIGNES = "\u00b7■□"
TAILLE = 8
DIRECTIONS = [(dx, dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1) if (dx, dy) != (0, 0)]
PROFONDEUR = 1
"""Combien de coups l'ordinateur regarde après le sien."""


# --- le plateau


def creer_config_init():
    """La configuration du début de partie.

    >>> creer_config_init()[3]
    [0, 0, 0, 2, 1, 0, 0, 0]
    >>> creer_config_init()[4]
    [0, 0, 0, 1, 2, 0, 0, 0]
    >>> sum(map(sum, creer_config_init()))
    6
    """
    config = [[VIDE] * TAILLE for _ in range(TAILLE)]
    config[3][3] = config[4][4] = JOUEUR_BLANC
    config[3][4] = config[4][3] = JOUEUR_NOIR
    return config


def afficher_config(configuration):
    """Affiche le plateau.

    >>> afficher_config(creer_config_init())  # doctest: +NORMALIZE_WHITESPACE
      1 2 3 4 5 6 7 8
    1 · · · · · · · ·
    2 · · · · · · · ·
    3 · · · · · · · ·
    4 · · · □ ■ · · ·
    5 · · · ■ □ · · ·
    6 · · · · · · · ·
    7 · · · · · · · ·
    8 · · · · · · · ·
    """
    print(" ", *range(1, TAILLE + 1))
    for y, ligne in enumerate(configuration, 1):
        print(y, end=" ")
        for contenu in ligne:
            print(SIGNES[contenu], end=" ")
        print()


def lire(config, case):
    """Le contenu d'une case, ou None hors du plateau."""
    x, y = case
    return config[y - 1][x - 1] if 1 <= x <= TAILLE and 1 <= y <= TAILLE else None


def toutes_les_cases():
    """Les cases, ligne par ligne."""
    return [(x, y) for y in range(1, TAILLE + 1) for x in range(1, TAILLE + 1)]


# --- les joueurs


def choisir_premier_joueur():
    """Le joueur qui débute.

    >>> choisir_premier_joueur()
    1
    """
    return JOUEUR_NOIR


def incrementer_joueur(joueur):
    """L'autre joueur.

    >>> incrementer_joueur(JOUEUR_NOIR)
    2
    >>> incrementer_joueur(JOUEUR_BLANC)
    1
    """
    return 3 - joueur


# --- les coups


def pions_encadres(config, case, direction, joueur):
    """Les cases que `joueur` retourne dans une direction s'il joue sur `case`."""
    dx, dy = direction
    x, y = case[0] + dx, case[1] + dy
    encadres = []
    while lire(config, (x, y)) == incrementer_joueur(joueur):
        encadres.append((x, y))
        x, y = x + dx, y + dy
    return encadres if lire(config, (x, y)) == joueur else []


def test_dir_valide(jeu, case, direction, joueur):
    """Vrai si `joueur` retourne au moins un pion dans cette direction.

    >>> config = creer_config_init()
    >>> config[5][2], config[5][5] = JOUEUR_BLANC, JOUEUR_NOIR
    >>> test_dir_valide(config, (3, 4), (1, 0), JOUEUR_NOIR)
    True
    >>> test_dir_valide(config, (3, 3), (1, 1), JOUEUR_BLANC)
    False
    >>> test_dir_valide(config, (3, 3), (1, 1), JOUEUR_NOIR)
    True
    >>> test_dir_valide(config, (6, 3), (-1, 1), JOUEUR_BLANC)
    True
    >>> test_dir_valide(config, (6, 4), (-1, 0), JOUEUR_BLANC)
    True
    >>> test_dir_valide(config, (8, 8), (0, 1), JOUEUR_BLANC)
    False
    """
    return pions_encadres(jeu, case, direction, joueur) != []


def verif_coup_valide(configuration, case, joueur):
    """Vrai si `joueur` a le droit de jouer sur `case`.

    >>> s = creer_config_init()
    >>> verif_coup_valide(s, (3, 4), JOUEUR_NOIR)
    True
    >>> verif_coup_valide(s, (3, 4), JOUEUR_BLANC)
    False
    """
    if lire(configuration, case) != VIDE:
        return False
    return any(test_dir_valide(configuration, case, direction, joueur) for direction in DIRECTIONS)


def creer_liste_coups_possibles(config, joueur):
    """Les cases où `joueur` a le droit de jouer, ligne par ligne.

    >>> creer_liste_coups_possibles(creer_config_init(), JOUEUR_NOIR)
    [(4, 3), (3, 4), (6, 5), (5, 6)]
    """
    return [case for case in toutes_les_cases() if verif_coup_valide(config, case, joueur)]


def est_coup_possible(configuration, joueur):
    """Vrai si `joueur` a au moins un coup.

    >>> est_coup_possible(creer_config_init(), JOUEUR_NOIR)
    True
    >>> est_coup_possible([[1 for _ in range(8)] for _ in range(8)], JOUEUR_BLANC)
    False
    """
    return any(verif_coup_valide(configuration, case, joueur) for case in toutes_les_cases())


def est_jeu_fini(configuration):
    """Vrai si aucun des deux joueurs n'a de coup.

    >>> est_jeu_fini(creer_config_init())
    False
    >>> est_jeu_fini([[1 for _ in range(8)] for _ in range(8)])
    True
    """
    return not any(est_coup_possible(configuration, joueur) for joueur in NOMS)


def coup_joueur(config, joueur):
    """Demande son coup à une personne, jusqu'à ce qu'il soit permis."""
    while True:
        saisie = input(f"Au {NOMS[joueur]} de jouer, donner la case choisie au format x,y : ")
        try:
            x, y = saisie.split(",")
            case = int(x), int(y)
        except ValueError:
            continue
        if verif_coup_valide(config, case, joueur):
            return case


def coup_aleatoire(config, joueur):
    """Un coup tiré au hasard."""
    coups = creer_liste_coups_possibles(config, joueur)
    return coups[random.randint(0, len(coups) - 1)]


def incrementer_config(configuration, case, joueur):
    """Joue sur `case` dans la configuration elle-même, et la renvoie ; un coup interdit ne change rien.

    >>> s = incrementer_config(creer_config_init(), (3, 4), JOUEUR_NOIR)
    >>> s[3]
    [0, 0, 1, 1, 1, 0, 0, 0]
    >>> avant = copy.deepcopy(s)
    >>> incrementer_config(s, (6, 3), JOUEUR_NOIR) == avant
    True
    """
    if not verif_coup_valide(configuration, case, joueur):
        return configuration
    a_changer = [case]
    for direction in DIRECTIONS:
        a_changer += pions_encadres(configuration, case, direction, joueur)
    for x, y in a_changer:
        configuration[y - 1][x - 1] = joueur
    return configuration


def creer_liste_configs_suivantes(config, joueur):
    """Les configurations après chacun des coups de `joueur`, dans l'ordre de ces coups.

    >>> [suivante[2][3] for suivante in creer_liste_configs_suivantes(creer_config_init(), JOUEUR_NOIR)]
    [1, 0, 0, 0]
    """
    return [
        incrementer_config(copy.deepcopy(config), coup, joueur) for coup in creer_liste_coups_possibles(config, joueur)
    ]


# --- la fin de la partie


def compte_pions(config, joueur):
    """Combien de pions `joueur` a sur le plateau.

    >>> compte_pions(creer_config_init(), JOUEUR_NOIR)
    2
    """
    return sum(ligne.count(joueur) for ligne in config)


def afficher_fin(config, joueur):
    """Affiche le résultat ; `joueur` est celui dont ce serait le tour.

    >>> s = creer_config_init()
    >>> afficher_fin(s, JOUEUR_NOIR)  # doctest: +NORMALIZE_WHITESPACE
    ====================
      Egalité
    ====================
    >>> afficher_fin(incrementer_config(s, (3, 4), JOUEUR_NOIR), JOUEUR_NOIR)
    ====================
    Le gagnant est JOUEUR_NOIR
    ====================
    """
    del joueur  # à Othello, seul le nombre de pions compte
    noirs, blancs = compte_pions(config, JOUEUR_NOIR), compte_pions(config, JOUEUR_BLANC)
    print("=" * 20)
    if noirs == blancs:
        print("  Egalité ")
    else:
        print("Le gagnant est", NOMS[JOUEUR_NOIR if noirs > blancs else JOUEUR_BLANC])
    print("=" * 20)


# --- pour l'algorithme du min-max


def gain(case):
    """Ce que vaut une case : 1000 dans un coin, -500 à côté d'un coin, 300 ailleurs au bord, 0 à l'intérieur."""
    x, y = (min(coordonnee, TAILLE + 1 - coordonnee) for coordonnee in case)
    if (x, y) == (1, 1):
        return 1000
    if x <= 2 and y <= 2:
        return -500
    return 300 if 1 in (x, y) else 0


def evaluation(config, joueur):
    """La somme des gains des cases que `joueur` occupe.

    >>> config = creer_config_init()
    >>> config[0] = [1, 1, 2, 1, 0, 0, 0, 0]
    >>> config[1][2] = config[2][2] = config[2][3] = config[5][2] = JOUEUR_BLANC
    >>> config[5][5] = JOUEUR_NOIR
    >>> evaluation(config, JOUEUR_NOIR)
    800
    """
    return sum(gain(case) for case in toutes_les_cases() if lire(config, case) == joueur)


def coef_joueur(joueur):
    """Le signe de l'évaluation : 1 pour les noirs, -1 pour les blancs."""
    return 1 if joueur == JOUEUR_NOIR else -1


if __name__ == "__main__":
    import doctest

    doctest.testmod()
