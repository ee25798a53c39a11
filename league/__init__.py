"""Contests between bots: real processes that play on a real server over loopback, like everyone else."""
