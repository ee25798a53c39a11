"""Makers: books, weights and tables that Arbitre carries as data, screenshots, the compiled core. Not installed."""
