"""Figures from results: standings, ratings, Elo, sequential tests."""
