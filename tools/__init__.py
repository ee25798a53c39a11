"""Makers of what Arbitre carries as data: books and weights. Not installed."""
