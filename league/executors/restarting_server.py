"""The server of an open league: if its process dies, it is started again.

It takes the same address and the same database, so that those who were connected come back to where they were.
"""

import asyncio
from collections.abc import Callable, Sequence
from contextlib import AsyncExitStack
from types import TracebackType
from typing import Final, Self
from urllib.parse import urlsplit

from league.executors.local import end
from league.executors.local_server import serving
from locales import _
from processes.child import Child, ChildError, Restarts

AT_MOST: Final = 3
"""How often the server is restarted within WITHIN_S: one that dies more often would not last, either."""

WITHIN_S: Final = 60.0

TRY_S: Final = 0.5
"""Seconds between two attempts at the first start."""


class RestartingServer:
    """As an async context manager; entering raises ChildError. The arguments are those of `serving`.

    url: its address, which stays. tell: is called with a sentence at each restart. patience: for how many seconds the
    first start is retried: the server of a process that was killed before us may hold the address for a while.
    """

    def __init__(
        self,
        host: str,
        port: int,
        *,
        secret: str,
        options: Sequence[str] = (),
        house: Sequence[str] = ("--no-house-bots",),
        tell: Callable[[str], None],
        patience: float = 0.0,
    ) -> None:
        self.url = ""
        self._host_and_port = (host, port)
        self._secret = secret
        self._options = options
        self._house = house
        self._tell = tell
        self._patience = patience
        self._stack = AsyncExitStack()
        self._restarts = Restarts(AT_MOST, WITHIN_S)

    async def __aenter__(self) -> Self:
        """Starts it, and has it watched."""
        try:
            self._child = await self._begin()
        except BaseException:
            await self._stack.aclose()
            raise
        self._host_and_port = (self._host_and_port[0], urlsplit(self.url).port or self._host_and_port[1])
        self._watching = asyncio.create_task(self._watch())
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await end(self._watching)  # first, or the server would be restarted when it stops
        await self._stack.aclose()

    def kill(self) -> None:
        """Kills the server, as a crash would: its clients wait for it to come back, instead of leaving."""
        self._watching.cancel()
        self._child.kill()

    async def _begin(self) -> Child:
        """The first start, tried again while the earlier server may still be there; raises ChildError."""
        now = asyncio.get_running_loop().time
        until, told = now() + self._patience, False
        while True:
            try:
                return await self._start()
            except ChildError:
                if now() >= until:
                    raise
            if not told:
                self._tell(_("The server can't start yet; perhaps the one before is still ending: trying again ..."))
                told = True
            await asyncio.sleep(TRY_S)

    async def _start(self) -> Child:
        server = serving(*self._host_and_port, secret=self._secret, options=self._options, house=self._house)
        child, self.url = await self._stack.enter_async_context(server)
        return child

    async def _watch(self) -> None:
        """Restarts the server when it dies; gives up if that does not help, and then its clients give up, too."""
        while True:
            code = await self._child.wait()
            if not self._restarts.again(asyncio.get_running_loop().time()):
                return
            text = _("The server's process has ended with code {code}: it is started again. Nobody loses by that.")
            self._tell(text.format(code=code))
            try:
                self._child = await self._start()
            except ChildError as error:
                self._tell(str(error))
                return
