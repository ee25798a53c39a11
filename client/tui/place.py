"""A session on a server that screens share: one task reads the client's messages, any number of listeners hear them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from types import TracebackType
from typing import Self

from client.connection import Client, Incoming
from client.errors import ClientError
from view.match import MatchView

Listener = Callable[[Incoming | ClientError], None]
"""Gets each message after it is folded into the views; at the end, the error that ended the session."""


class Place:
    """Reads `client` while it is entered. ended: why the session is over, None while it lives."""

    def __init__(self, client: Client) -> None:
        self.client = client
        self.ended: ClientError | None = None
        self._listeners: list[Listener] = []
        self._task: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Self:
        self._task = asyncio.create_task(self._read())
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._task is not None:
            self._task.cancel()
            with suppress(asyncio.CancelledError):
                await self._task

    def listen(self, listener: Listener) -> None:
        """From now on `listener` hears what happens; at once, if the session is over."""
        self._listeners.append(listener)
        if self.ended is not None:
            listener(self.ended)

    async def seen(self, match: str) -> MatchView:
        """The view of a match, as soon as the server has told of it; raises what ends the session before."""
        told = asyncio.Event()
        self.listen(listener := lambda _message: told.set())
        try:
            while (view := self.client.session.matches.get(match)) is None:
                await told.wait()
                told.clear()
                if self.ended is not None:
                    raise self.ended
        finally:
            self.leave(listener)
        return view

    def leave(self, listener: Listener) -> None:
        """`listener` hears nothing any more."""
        if listener in self._listeners:
            self._listeners.remove(listener)

    async def _read(self) -> None:
        try:
            async for message in self.client.messages():
                self._tell(message)
        except ClientError as error:
            self.ended = error
            self._tell(error)

    def _tell(self, message: Incoming | ClientError) -> None:
        for listener in tuple(self._listeners):
            listener(message)
