"""Un jeu à deux joueurs : le déroulement d'une partie et l'algorithme du min-max, les mêmes pour tous les jeux.

Le module `jeu` apporte les règles. Pour jouer : `python main.py`. Comme bot : `arbitre bot main.py`.
"""

import copy

import Othello as jeu

JOUEUR_NOIR = 1
JOUEUR_BLANC = 2


def jouer(coups):
    """Joue une partie ; coups[joueur](config, joueur) donne le coup d'un joueur."""
    config = jeu.creer_config_init()
    joueur_courant = jeu.choisir_premier_joueur()
    jeu.afficher_config(config)
    while not jeu.est_jeu_fini(config):
        if jeu.est_coup_possible(config, joueur_courant):
            coup = coups[joueur_courant](config, joueur_courant)
            if coups[joueur_courant] != jeu.coup_joueur:
                print("Coup choisi par l'ordinateur : ", coup)
            config = jeu.incrementer_config(config, coup, joueur_courant)
            jeu.afficher_config(config)
        joueur_courant = jeu.incrementer_joueur(joueur_courant)
    jeu.afficher_fin(config, joueur_courant)


def min_max(config, profondeur, joueur):
    """La valeur d'une configuration où c'est à `joueur` : les noirs la veulent grande, les blancs petite.

    profondeur : combien de coups on regarde encore.
    """
    if jeu.est_jeu_fini(config) or profondeur == 0:
        return jeu.evaluation(config, joueur) * jeu.coef_joueur(joueur)
    adversaire = jeu.incrementer_joueur(joueur)
    suivantes = jeu.creer_liste_configs_suivantes(config, joueur)
    if not suivantes:  # il passe son tour
        return min_max(config, profondeur - 1, adversaire)
    valeurs = [min_max(suivante, profondeur - 1, adversaire) for suivante in suivantes]
    return max(valeurs) if joueur == JOUEUR_NOIR else min(valeurs)


def coup_ordinateur(config, joueur):
    """Le coup dont la configuration suivante a la meilleure valeur pour `joueur`."""

    def valeur(coup):
        suivante = jeu.incrementer_config(copy.deepcopy(config), coup, joueur)
        return min_max(suivante, jeu.PROFONDEUR, jeu.incrementer_joueur(joueur))

    meilleur = max if joueur == JOUEUR_NOIR else min
    return meilleur(jeu.creer_liste_coups_possibles(config, joueur), key=valeur)


ADVERSAIRES = {"1": jeu.coup_joueur, "2": coup_ordinateur, "3": jeu.coup_aleatoire}

if __name__ == "__main__":
    choix = ""
    while choix not in ADVERSAIRES:
        choix = input("1. Jeu contre un humain 2. Jeu contre l'ordinateur 3. Jeu contre le hasard : ")
    jouer({JOUEUR_NOIR: jeu.coup_joueur, JOUEUR_BLANC: ADVERSAIRES[choix]})
