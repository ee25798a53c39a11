"""Starts a server for its host, and restarts it on the same port if it dies."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from types import TracebackType
from typing import Self

from locales import _
from processes.child import READY_S, ChildError, Command, Restarts

RESTARTS = 5
WITHIN_S = 60.0
"""A server that was started again RESTARTS times within WITHIN_S seconds is given up when it ends once more."""

PAUSE_S = 1.0
"""The pause after a server did not start, before the next attempt: its port may be taken for a moment."""


class HostedServer:
    """`arbitre serve` as an async context manager: on port `port` of this machine, for its network too.

    What was played there is kept by the database of the port, so a server that is started again knows the matches.
    With port 0 there is no such database, and nothing is started again.

    mdns: whether it is announced on the network; not with port 0 either.
    address: where it listens. tell: hears a sentence when the server has ended. Entering raises ChildError.
    """

    def __init__(self, port: int, *, mdns: bool = True) -> None:
        self.address = ""
        self.tell: Callable[[str], None] = lambda _line: None
        self._port = port
        self._words = () if mdns else ("--no-mdns",)
        self._child = self._server()
        self._restarts = Restarts(RESTARTS, WITHIN_S)
        self._watching: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Self:
        try:
            await self._child.start()
            self.address = await self._child.address(READY_S)
        except BaseException:
            await self._child.stop()
            raise
        if self._port:
            self._watching = asyncio.create_task(self._watch())
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._watching is not None:
            self._watching.cancel()
            await asyncio.wait([self._watching])
        await self._child.stop()

    def _server(self) -> Command:
        return Command(["serve", "--port", str(self._port), *self._words])

    async def _watch(self) -> None:
        """Starts the server again each time that it ends, until it has ended too often."""
        while True:
            await self._child.wait()
            await self._child.stop()  # what it may have left behind
            if not self._restarts.again(asyncio.get_running_loop().time()):
                self.tell(_("The server keeps ending and is not started again: leave with quit."))
                return
            self.tell(_("The server has ended. It is being started again ..."))
            self._child = self._server()
            await self._child.start()
            with suppress(ChildError):  # it has ended, too
                await self._child.address(READY_S)
                continue
            await asyncio.sleep(PAUSE_S)
