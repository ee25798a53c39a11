"""Les règles de Puissance 4 pour `main.py`, sur le modèle d'`Othello.py`.

Une configuration est une liste de 6 lignes de 7 entiers, celle du haut d'abord : 0 vide, 1 noir, 2 blanc.
Un coup est le numéro d'une colonne, compté à partir de 1.
"""

import copy
import random

VIDE = 0
JOUEUR_NOIR = 1
JOUEUR_BLANC = 2
NOMS = {JOUEUR_NOIR: "JOUEUR_NOIR", JOUEUR_BLANC: "JOUEUR_BLANC"}
SIGNES = "\u00b7■□"
LARGEUR, HAUTEUR = 7, 6
PROFONDEUR = 2
"""Combien de coups l'ordinateur regarde après le sien."""

ALIGNEMENTS = [
    [(x + pas * dx, y + pas * dy) for pas in range(4)]
    for x in range(LARGEUR)
    for y in range(HAUTEUR)
    for dx, dy in ((1, 0), (0, 1), (1, 1), (-1, 1))
    if 0 <= x + 3 * dx < LARGEUR and y + 3 * dy < HAUTEUR
]
"""Les 69 groupes de quatre cases alignées : des couples (x, y) comptés à partir de 0."""


def creer_config_init():
    """La grille vide.

    >>> creer_config_init() == [[0] * 7 for _ in range(6)]
    True
    """
    return [[VIDE] * LARGEUR for _ in range(HAUTEUR)]


def afficher_config(configuration):
    """Affiche la grille.

    >>> afficher_config(incrementer_config(creer_config_init(), 2, JOUEUR_NOIR))  # doctest: +NORMALIZE_WHITESPACE
      1 2 3 4 5 6 7
      · · · · · · ·
      · · · · · · ·
      · · · · · · ·
      · · · · · · ·
      · · · · · · ·
      · ■ · · · · ·
    """
    print(" ", *range(1, LARGEUR + 1))
    for ligne in configuration:
        print(end="  ")
        for contenu in ligne:
            print(SIGNES[contenu], end=" ")
        print()


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
    """
    return 3 - joueur


def creer_liste_coups_possibles(config, joueur):
    """Les colonnes qui ne sont pas pleines : les mêmes pour les deux joueurs.

    >>> creer_liste_coups_possibles(creer_config_init(), JOUEUR_NOIR)
    [1, 2, 3, 4, 5, 6, 7]
    """
    del joueur
    return [colonne for colonne in range(1, LARGEUR + 1) if config[0][colonne - 1] == VIDE]


def est_coup_possible(configuration, joueur):
    """Vrai s'il reste une colonne.

    >>> est_coup_possible(creer_config_init(), JOUEUR_BLANC)
    True
    """
    return creer_liste_coups_possibles(configuration, joueur) != []


def a_aligne(config, joueur):
    """Vrai si `joueur` a quatre pions alignés.

    >>> a_aligne([[0] * 7] * 5 + [[2, 1, 1, 1, 1, 0, 0]], JOUEUR_NOIR)
    True
    """
    return any(all(config[y][x] == joueur for x, y in alignement) for alignement in ALIGNEMENTS)


def est_jeu_fini(configuration):
    """Vrai si un joueur a aligné quatre pions, ou si la grille est pleine.

    >>> est_jeu_fini(creer_config_init())
    False
    """
    return VIDE not in configuration[0] or any(a_aligne(configuration, joueur) for joueur in NOMS)


def coup_joueur(config, joueur):
    """Demande une colonne à une personne, jusqu'à ce que le coup soit permis."""
    while True:
        saisie = input("A vous de jouer, donnez la colonne choisie : ")
        if saisie.strip().isdecimal() and int(saisie) in creer_liste_coups_possibles(config, joueur):
            return int(saisie)


def coup_aleatoire(config, joueur):
    """Un coup tiré au hasard."""
    coups = creer_liste_coups_possibles(config, joueur)
    return coups[random.randint(0, len(coups) - 1)]


def incrementer_config(configuration, colonne, joueur):
    """Fait tomber un pion de `joueur` dans une colonne de la configuration elle-même, et la renvoie.

    >>> config = incrementer_config(creer_config_init(), 2, JOUEUR_NOIR)
    >>> incrementer_config(config, 2, JOUEUR_BLANC)[4:]
    [[0, 2, 0, 0, 0, 0, 0], [0, 1, 0, 0, 0, 0, 0]]
    """
    for ligne in reversed(configuration):
        if ligne[colonne - 1] == VIDE:
            ligne[colonne - 1] = joueur
            break
    return configuration


def creer_liste_configs_suivantes(config, joueur):
    """Les configurations après chacun des coups de `joueur`, dans l'ordre de ces coups.

    >>> len(creer_liste_configs_suivantes(creer_config_init(), JOUEUR_NOIR))
    7
    """
    return [
        incrementer_config(copy.deepcopy(config), coup, joueur) for coup in creer_liste_coups_possibles(config, joueur)
    ]


def afficher_fin(config, joueur):
    """Affiche le résultat ; `joueur` est celui dont ce serait le tour.

    >>> afficher_fin([[0] * 7] * 5 + [[2, 1, 1, 1, 1, 0, 0]], JOUEUR_BLANC)
    ====================
    Le gagnant est JOUEUR_NOIR
    ====================
    """
    gagnant = incrementer_joueur(joueur)  # celui qui vient de jouer
    print("=" * 20)
    print(f"Le gagnant est {NOMS[gagnant]}" if a_aligne(config, gagnant) else "  Egalité ")
    print("=" * 20)


def evaluation(config, joueur):
    """Ce que vaut une configuration pour `joueur` : ses alignements encore ouverts moins ceux de l'adversaire.

    Un alignement où un seul joueur a des pions vaut 1, 10, 100 ou 10000 pour 1, 2, 3 ou 4 pions.

    >>> evaluation(creer_config_init(), JOUEUR_NOIR)
    0
    >>> evaluation(incrementer_config(creer_config_init(), 4, JOUEUR_NOIR), JOUEUR_BLANC)
    -7
    """
    total = 0
    for alignement in ALIGNEMENTS:
        contenus = [config[y][x] for x, y in alignement]
        miens, siens = contenus.count(joueur), contenus.count(incrementer_joueur(joueur))
        if siens == 0:
            total += (0, 1, 10, 100, 10000)[miens]
        elif miens == 0:
            total -= (0, 1, 10, 100, 10000)[siens]
    return total


def coef_joueur(joueur):
    """Le signe de l'évaluation : 1 pour les noirs, -1 pour les blancs."""
    return 1 if joueur == JOUEUR_NOIR else -1


if __name__ == "__main__":
    import doctest

    doctest.testmod()
