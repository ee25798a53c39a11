"""Makers: books and weights, which Arbitre carries as data, and the compiled core. Not installed."""
