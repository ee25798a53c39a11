"""Bots: programs that choose moves, and the process that brings one to a server."""
