"""A whole server without sockets: an App, lines to it, and guests at their other ends who keep what they hear."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable, Sequence
from functools import partial
from itertools import count
from typing import TypeVar

from protocol.bounds import Kind
from protocol.codec import decode_server, encode
from protocol.messages import (
    ClientMessage,
    Clock,
    Create,
    Error,
    Hello,
    Join,
    MakeMove,
    MatchEvent,
    Moved,
    Ok,
    ServerBase,
    ServerMessage,
    Snapshot,
    Welcome,
)
from server.app import App, OpenStore
from server.match.terms import Timeouts
from server.referee.referee import Referee
from server.referee.settings import Settings
from tests.server.lines import Line

M = TypeVar("M", bound=ServerBase)

PATIENCE_S = 20.0
EVER = 1e6
TIMEOUTS = Timeouts(absence=10, abandonment=40, waiting=100)

_secrets = count(1)
"""Tokens are never the same twice, also after a restart."""


class Hall:
    """A running server. `end` is what a crash leaves: nothing.

    skipped: seconds that were left out, in which nothing happened. dead: whether the process is gone.
    """

    def __init__(
        self,
        open_store: OpenStore | None = None,
        *,
        settings: Settings | None = None,
        seed: int = 1,
        wall_ms: Callable[[], int] = lambda: 0,
    ) -> None:
        make_referee = partial(
            Referee, settings or Settings(TIMEOUTS), random.Random(seed), lambda: f"secret{next(_secrets)}", wall_ms
        )
        self.skipped = 0.0
        self.dead = False
        self.app = App(make_referee, open_store=open_store)
        fair = self.app.fair
        self.app.fair = lambda monotonic: fair(monotonic) + self.skipped
        self.app._beat()
        self._lines: list[Line] = []

    def enter(self, line: Line) -> None:
        """A connection whose handshake is done."""
        self._lines.append(line)
        line.enter(self.app, self.app.admission)

    def hear(self, line: Line, frame: bytes) -> None:
        """A frame that a client sent."""
        if not self.dead:
            line.say(frame)

    async def passes(self, seconds: float) -> None:
        """So much of the players' time goes by at once, and the timer goes off."""
        self.skipped += seconds
        self.app._tick()
        await asyncio.sleep(0)

    def end(self) -> None:
        """The process is gone: no timer, no connection, nothing that was not committed."""
        for handle in (self.app._timer, self.app._heart):
            if handle is not None:
                handle.cancel()
        self.dead = True
        for line in self._lines:
            line.leave_alone()
            line.cut()

    async def stop(self) -> None:
        """An end in which the store still writes what it has; connections end without a word."""
        self.end()
        self.app.delivery.flush()
        if self.app.store is not None:
            await asyncio.to_thread(self.app.store.close)


class Guest:
    """Somebody with a session."""

    def __init__(self, name: str, kind: Kind = "human") -> None:
        self.name = name
        self.kind: Kind = kind
        self.token: str | None = None
        self.organiser: str | None = None
        self.messages: list[ServerMessage] = []
        self.frames = 0
        self.patience = PATIENCE_S
        self.closed: list[int] = []
        self._ids = count(1)
        self._changed = asyncio.Event()

    async def come(self, hall: Hall, *, seen: dict[str, int] | None = None) -> None:
        """Connects and says hello, with the token if there is one; forgets what was heard before."""
        self.messages = []
        self.closed = []
        self.hall = hall
        self.line = Line(self._hear, self._closed)
        hall.enter(self.line)
        hello = Hello(
            next(self._ids), 1, "test", self.kind, self.name, self.token, batch=True, seen=seen or {},
            organiser=self.organiser,
        )  # fmt: skip
        await self.ok(hello)
        self.token = self.last(Welcome).token

    def go(self) -> None:
        """The connection ends."""
        self.line.lose()

    def say(self, message: ClientMessage) -> None:
        """Sends, and waits for nothing."""
        self.hall.hear(self.line, encode(message))

    async def ask(self, message: ClientMessage) -> Ok | Error:
        """Sends, and waits for the answer."""
        self.say(message)
        await self.until(lambda: bool(self._answers(message.id)))
        (answer,) = self._answers(message.id)
        return answer

    async def ok(self, message: ClientMessage) -> Ok:
        """Asks for what is granted."""
        answer = await self.ask(message)
        assert isinstance(answer, Ok), answer
        return answer

    async def refused(self, message: ClientMessage) -> str:
        """Asks for what is refused; returns the code."""
        answer = await self.ask(message)
        assert isinstance(answer, Error), answer
        return answer.code

    def number(self) -> int:
        return next(self._ids)

    async def until(self, condition: Callable[[], bool]) -> None:
        """Waits until something that was heard makes the condition true."""
        async with asyncio.timeout(self.patience):
            while not condition():
                self._changed.clear()
                await self._changed.wait()

    async def open(
        self, game: str = "morpion", clock: Clock | None = None, *, public: bool = True, invite: Sequence[str] = ()
    ) -> Ok:
        """Opens a match and takes its first seat."""
        return await self.ok(Create(self.number(), game, clock, public, "first", invite=tuple(invite)))

    async def join(self, opened: Ok) -> str:
        """Takes a seat of a match that was opened; returns its id."""
        assert isinstance(opened.match, str)
        code = opened.code if isinstance(opened.code, str) else None
        await self.ok(Join(self.number(), None if code else opened.match, code))
        return opened.match

    async def move(self, match: str, ply: int, move: str) -> Moved:
        """Makes a move; returns the event."""
        await self.ok(MakeMove(self.number(), match, ply, move))
        await self.until(lambda: any(event.ply == ply for event in self.all(Moved)))
        return self.last(Moved)

    def all(self, kind: type[M]) -> list[M]:
        """What was heard, of one type."""
        return [message for message in self.messages if isinstance(message, kind)]

    def last(self, kind: type[M]) -> M:
        """The last message of a type."""
        return self.all(kind)[-1]

    def snapshot(self, match: str) -> Snapshot:
        """The last snapshot of a match."""
        return [snapshot for snapshot in self.all(Snapshot) if snapshot.match == match][-1]

    def seqs(self, match: str) -> list[int]:
        """The numbers of the events of a match, as they were heard."""
        return [message.seq for message in self.messages if isinstance(message, MatchEvent) and message.match == match]

    def _answers(self, request: int) -> list[Ok | Error]:
        return [message for message in self.messages if isinstance(message, Ok | Error) and message.id == request]

    def _hear(self, frame: bytes) -> None:
        self.frames += 1
        self.messages += decode_server(frame)
        self._changed.set()

    def _closed(self, code: int) -> None:
        self.closed.append(code)
        self._changed.set()


async def pair(
    hall: Hall, game: str = "morpion", clock: Clock | None = None, kind: Kind = "human"
) -> tuple[Guest, Guest, str]:
    """Two players in a match that has begun; the first moves first."""
    ada, bob = Guest("Ada", kind), Guest("Bob", kind)
    await ada.come(hall)
    await bob.come(hall)
    return ada, bob, await bob.join(await ada.open(game, clock))
