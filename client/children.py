"""The server and the bots that a person's client starts as processes of its own, and never leaves behind.

Errors: ChildFailed (a ClientError)    a child that ended before it was ready; the message ends with what it said
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from contextlib import suppress

from client import stopping
from client.errors import ClientError
from client.process import Process
from locales import _
from machine import modules

LEAVE_S = 5.0
SPARE_S = 1.0
READY_S = 90.0
"""How long a child may take to be ready: usual is a third of a second, but some bots compile their search first."""
USAGE = 2
"""The exit code of a command whose arguments are wrong."""

TRUST_THIS_MACHINE = ("--trust", "127.0.0.1", "--trust", "::1")
"""Words for a server that a command starts for itself: all who connect are its own."""

_LISTENING = "listening on "


class ChildFailed(ClientError):  # noqa: N818 - what happened
    """A child ended before it was ready; `usage` if that was for what its user typed."""

    def __init__(self, message: str, *, usage: bool = False) -> None:
        super().__init__(message)
        self.usage = usage


class Child(Process):
    """`arbitre ARGUMENTS` as a process, as an async context manager."""

    def __init__(self, arguments: Sequence[str]) -> None:
        super().__init__(modules.command(*arguments), polite_s=LEAVE_S, hear=_pass_on)
        self._arguments = arguments

    async def stop(self) -> None:
        """As for every process; whoever was asked to end lets it leave politely first."""
        stopping.postpone(self._polite_s + SPARE_S)
        await super().stop()

    async def first_line(self) -> str:
        """The first line that the child prints; the rest is read and dropped. Raises ChildFailed."""
        with suppress(TimeoutError):
            if (line := await self.opening(READY_S)) is not None:
                return line
        raise self._failure()

    def _failure(self) -> ChildFailed:
        """The error that tells what the child said last: of an Arbitre command, why it failed, in a sentence."""
        said = [line.strip() for line in self.stderr.splitlines() if line.strip()]
        words = said[-1] if said else _("no reason given")
        reason = words.removeprefix(_("Error: {message}").format(message=""))
        if reason != words:
            return ChildFailed(reason, usage=self.exit_code == USAGE)
        return ChildFailed(_("{command} ended: {words}").format(command=f"arbitre {self._arguments[0]}", words=words))


def _pass_on(line: str) -> None:
    sys.stderr.write(f"{line}\n")
    sys.stderr.flush()


async def server_address(server: Child) -> str:
    """Where the server that `arbitre serve` started listens; raises ChildFailed."""
    line = await server.first_line()
    if not line.startswith(_LISTENING):
        raise ChildFailed(line)
    return line.removeprefix(_LISTENING)
