"""Decides whether to reconnect again, by how the earlier connections ended. Pure.

Errors: NoProgress, Unreadable    the error of a client that gives up after too many attempts
"""

from __future__ import annotations

from client.errors import ClientError, NoProgress, Unreadable

STEADY_S = 5.0
"""A connection that held this long was good: after it the delays start small again."""

FRUITLESS = 8
"""Connections in a row that were let in and ended at once, with nothing exchanged, after which a client gives up."""

MISREAD = 3
"""Connections in a row that ended by something that could not be read, after which a client gives up."""


class Progress:
    """Counts how many of the latest connections in a row were `fruitless`, and how many were `misread`."""

    def __init__(self) -> None:
        self.fruitless = 0
        self.misread = 0

    def ended(self, how: str, lasted_s: float, *, useful: bool, unreadable: bool) -> ClientError | None:
        """Notes the end of a connection that was let in; returns the error to give up with, if it is time.

        useful: whether a request was answered or a match went on. unreadable: whether a message could not be read.
        """
        if unreadable:
            return self.misunderstood(how)
        self.misread = 0
        self.fruitless = 0 if useful or lasted_s >= STEADY_S else self.fruitless + 1
        return NoProgress(how) if self.fruitless >= FRUITLESS else None

    def misunderstood(self, how: str) -> ClientError | None:
        """Notes an answer that could not be read; returns the error to give up with, if it is time."""
        self.misread += 1
        return Unreadable(how) if self.misread >= MISREAD else None
