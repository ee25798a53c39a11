"""Searches of game trees: on positions of any game, on bit masks, and compiled ones."""
