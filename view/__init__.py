"""A match as its players and spectators see it: the server's messages, folded. Pure."""
