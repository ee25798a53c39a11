"""The folder of a league: its log, the season folded from it, who writes it, and whether it is whole."""
