"""Bots of the house: one process that holds them all, each under a name of its own."""
