"""The database: the only modules that speak SQL."""
