"""The commands about bots: `bot`, `perft`, `solve`, `warmup`, `bot new`."""
