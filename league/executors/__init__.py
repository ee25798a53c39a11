"""Executors: they play a league's pairings on this machine, on a cluster, or with bots of others."""
