"""Processes: children of Arbitre, programs of others within their bounds, and how this one is stopped."""
