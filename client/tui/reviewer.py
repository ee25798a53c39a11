"""Asks for reviews: from the server of the match, or from a server that is started on this computer."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from contextlib import AsyncExitStack
from types import TracebackType
from typing import Self

from client.connection import Client, Incoming
from client.errors import ClientError, Refused
from client.tui.place import Place
from games.base import Game
from processes.child import READY_S, TRUST_THIS_MACHINE, Command
from protocol.errors import ErrorCode
from protocol.messages import Ok, Review, Reviewed, Welcome

Listener = Callable[[Reviewed | ClientError], None]

_SERVE = ("serve", "--host", "127.0.0.1", "--port", "0", "--review", "--no-house-bots", *TRUST_THIS_MACHINE)


AGAIN_S = 0.25


class Reviewer:
    """Asks for one review at a time. A context manager: on exit, it stops the server that it has started.

    place: the session on the server that is asked first, None for this computer at once.
    """

    def __init__(self, place: Place | None = None) -> None:
        self._place = place
        self._own = False
        self._stack = AsyncExitStack()
        self._game: tuple[str, tuple[str, ...]] | None = None
        self._listener: Listener | None = None
        self._ticket: str | None = None
        self._early: list[Reviewed] = []

    @property
    def is_here(self) -> bool:
        """Whether reviews are made on this computer."""
        return self._place is None or self._own

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.leave()
        await self._stack.aclose()

    def stay_here(self) -> None:
        """Makes the next review on this computer."""
        self.leave()
        self._place = None

    async def ask(self, game: Game, moves: Sequence[str], listener: Listener) -> None:
        """Asks for the review of a game; `listener` hears what is known of it. Raises ClientError, ChildError."""
        self.leave()
        if self._place is None:
            self._place, self._own = await self._start(), True
        self._game, self._listener = (game.spec, tuple(moves)), listener
        self._early.clear()
        self._place.listen(self._hear)
        ok = await self._asked(self._place.client, game.spec, tuple(moves))
        self._ticket = ok.ticket if isinstance(ok.ticket, str) else ""
        for told in self._early:
            self._hear(told)

    async def _asked(self, client: Client, spec: str, moves: tuple[str, ...]) -> Ok:
        """Returns the server's answer. A server of ours is asked until its review service is up."""
        until = client.now() + READY_S
        while True:
            try:
                return await client.ask(Review, game=spec, moves=moves)
            except Refused as refused:
                if refused.code != ErrorCode.NO_SERVICE.value or not self._own or client.now() > until:
                    raise
            await asyncio.sleep(AGAIN_S)

    def leave(self) -> None:
        """Stops waiting for the review."""
        if self._place is not None and self._game is not None:
            spec, moves = self._game
            self._place.leave(self._hear)
            self._place.client.send(Review, game=spec, moves=moves, follow=False)
        self._game = self._listener = self._ticket = None

    def _hear(self, message: Incoming | ClientError) -> None:
        if self._listener is None:
            return
        match message:
            case ClientError():
                self._listener(message)
            case Reviewed() if self._ticket is None:
                self._early.append(message)
            case Reviewed() if message.ticket == self._ticket:
                self._listener(message)
            case Welcome() if self._place is not None and self._game is not None:
                spec, moves = self._game  # what was asked for ends with the connection
                self._place.client.send(Review, game=spec, moves=moves)
            case _:
                pass

    async def _start(self) -> Place:
        server = await self._stack.enter_async_context(Command(_SERVE))
        address = await server.address(READY_S)
        client = await self._stack.enter_async_context(Client(address, name="Reader", kind="human"))
        return await self._stack.enter_async_context(Place(client))
