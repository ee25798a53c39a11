"""Searching the tree of a game on bare masks: what makes the bots that compute fast."""
