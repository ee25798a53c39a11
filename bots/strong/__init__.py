"""The strong players, the exact one, and the opponent for people that plays at ten levels."""
