"""Servers without a network: pairs of peers in memory, and a real referee whose frames a test may lose."""

import asyncio
import random
from collections.abc import Callable, Sequence

from client.wire import Unreachable, WireClosed
from protocol import codec
from protocol.messages import ClientMessage, Hello, Limits, ServerMessage, Welcome
from server.referee.effects import Send
from server.referee.referee import Referee
from server.referee.settings import Settings

LIMITS = Limits(max_frame_bytes=1 << 16, max_batch=512, max_chat=300, max_matches=100, absence_ms=60_000)

LONG_S = 1000.0
"""Virtual seconds after which what should have happened is missed."""


def welcome(token: str = "s1.secret", name: str = "Ada", *, resumed: bool = False) -> Welcome:
    return Welcome(1, "s1", token, name, (), LIMITS, ("othello",), 0, resumed)


class FakeWire:
    """The client's end of a connection in memory; the test holds the other end: `hear`, `say`, `drop`."""

    def __init__(self) -> None:
        self._out: asyncio.Queue[bytes] = asyncio.Queue()
        self._in: asyncio.Queue[bytes | WireClosed] = asyncio.Queue()
        self.closed = False
        self.stalled = False

    def write(self, frame: bytes) -> bool:
        if not self.stalled:
            self._out.put_nowait(frame)
        return not self.stalled

    async def send(self, frame: bytes) -> None:
        if self.stalled:
            await asyncio.Event().wait()
        self._out.put_nowait(frame)

    async def receive(self) -> str | bytes:
        item = await self._in.get()
        if isinstance(item, WireClosed):
            raise item
        return item

    async def listen(self, hear: Callable[[str | bytes], None]) -> WireClosed:
        try:
            while True:
                hear(await self.receive())
        except WireClosed as closed:
            return closed

    async def close(self) -> None:
        self.abort()

    def abort(self) -> None:
        self.closed = True
        self.drop()

    # the server's end

    async def hear(self) -> list[ClientMessage]:
        """The messages of the next frame of the client."""
        messages = codec.decode_client(await asyncio.wait_for(self._out.get(), LONG_S))
        return [message for message in messages if not isinstance(message, Exception)]

    def heard_nothing(self) -> bool:
        return self._out.empty()

    def say(self, *messages: ServerMessage) -> None:
        """One frame."""
        self._in.put_nowait(codec.encode_batch(messages))

    def say_raw(self, text: str) -> None:
        """One frame, whatever is in it."""
        self._in.put_nowait(text.encode())

    def drop(self, code: int = 1006, reason: str = "") -> None:
        self._in.put_nowait(WireClosed(code, reason))


class FakeServer:
    """Answers each dial: with a wire, with a failure that was announced, or by staying silent."""

    def __init__(self) -> None:
        self.dials: list[float] = []
        self.hellos: list[Hello] = []
        self.failures: list[Exception] = []
        self.answers: list[Sequence[ServerMessage]] = []
        self.down = False
        self._wires: asyncio.Queue[FakeWire] = asyncio.Queue()

    async def dial(self, url: str) -> FakeWire:
        self.dials.append(asyncio.get_running_loop().time())
        if self.down:
            raise Unreachable("connection refused")
        if self.failures:
            raise self.failures.pop(0)
        wire = FakeWire()
        self._task = asyncio.create_task(self._greet(wire))
        return wire

    async def wire(self) -> FakeWire:
        """The next connection that said hello."""
        return await asyncio.wait_for(self._wires.get(), LONG_S)

    async def _greet(self, wire: FakeWire) -> None:
        (hello,) = await wire.hear()
        assert isinstance(hello, Hello)
        self.hellos.append(hello)
        wire.say(*(self.answers.pop(0) if self.answers else (welcome(resumed=hello.token is not None),)))
        self._wires.put_nowait(wire)


class RefereeInMemory:
    """The real referee at a time that the test sets; `inbox` collects what each connection would get."""

    def __init__(self, seed: int) -> None:
        tokens = iter(range(10**6))
        self.referee = Referee(Settings(), random.Random(seed), lambda: f"secret{next(tokens)}", lambda: 0)
        self.now = 0.0
        self.inbox: dict[int, list[ServerMessage]] = {}

    def receive(self, connection: int, message: ClientMessage) -> list[ServerMessage]:
        """Gives the message to the referee; returns what the same connection gets, which is in its inbox as well."""
        self.now += 1.0
        before = len(self.inbox.setdefault(connection, []))
        self._deliver(self.referee.receive(connection, message, self.now))
        return self.inbox[connection][before:]

    def disconnect(self, connection: int) -> None:
        self.now += 1.0
        self._deliver(self.referee.disconnect(connection, self.now))

    def _deliver(self, effects: Sequence[object]) -> None:
        for effect in effects:
            if isinstance(effect, Send):
                for connection in effect.connections:
                    self.inbox.setdefault(connection, []).append(effect.message)
