"""A network in memory between real clients and an App: late, torn and half-open connections, drawn from a seed."""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from collections.abc import Callable

from client.wire import Unreachable, Wire, WireClosed
from protocol import codec
from protocol.errors import ProtocolError
from protocol.messages import Error, Ok
from tests.server.hall import Hall
from tests.server.lines import Line

NOTICED_S = (5.0, 11.0)
"""How long each end takes to notice that the other one is silent for ever: pings every 5 s, 5 s to answer."""


class Network:
    """All connections. hall: the server that listens now, None while it is down. calm: no more faults."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.hall: Hall | None = None
        self.calm = False
        self.slow_until = 0.0
        self.connections: list[Connection] = []

    def latency(self) -> float:
        """Of one frame, in seconds; mostly short."""
        if self.calm:
            return 0.001
        slow = asyncio.get_running_loop().time() < self.slow_until
        return self.rng.expovariate(1 / (0.8 if slow else 0.02))

    async def dial(self, url: str) -> Wire:
        """What a client calls to connect."""
        await asyncio.sleep(self.latency())
        if self.hall is None:
            raise Unreachable("connection refused")
        if not self.calm and self.rng.random() < 0.05:
            raise Unreachable("lost on the way")
        connection = Connection(self, self.hall)
        self.connections.append(connection)
        return connection

    def alive(self) -> list[Connection]:
        """The connections that nothing has happened to."""
        return [connection for connection in self.connections if connection.is_whole()]


class Connection:
    """Both ends of a connection: the client's Wire is this object, the server's end is `line`.

    Frames arrive in order, each way. asked, answered: the requests that reached the server over it and their answers.
    """

    def __init__(self, network: Network, hall: Hall) -> None:
        self._network = network
        self._loop = asyncio.get_running_loop()
        self._hall = hall
        self._incoming: asyncio.Queue[bytes | WireClosed] = asyncio.Queue()
        self._arrives = {"up": 0.0, "down": 0.0}
        self._silent = False
        self._client_gone = False
        self.asked: Counter[int] = Counter()
        self.answered: Counter[int] = Counter()
        self.line = Line(self._down, self._server_ended)
        self.line.takes(2 * network.latency())
        hall.enter(self.line)

    def is_whole(self) -> bool:
        return not (self._silent or self._client_gone) and self.line.is_open and not self._hall.dead

    # the client's end

    def write(self, frame: bytes) -> bool:
        """Never at once: what is sent goes the way on which things fail."""
        return False

    async def send(self, frame: bytes) -> None:
        if self._client_gone:
            raise WireClosed
        if not self._silent:
            self._after("up", lambda: self._reach(frame))

    async def receive(self) -> str | bytes:
        item = await self._incoming.get()
        if isinstance(item, WireClosed):
            self._incoming.put_nowait(item)
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
        """What was sent before may still arrive: then the end comes after it."""
        if not self._client_gone:
            self._client_gone = True
            self._incoming.put_nowait(WireClosed())
            if not self._silent:
                self._after("up", self.line.lose)

    # faults

    def break_off(self) -> None:
        """Both ends hear of it, each in its own time; what was under way is lost."""
        self._silence()
        self._loop.call_later(self._network.latency(), self.line.lose)
        self._loop.call_later(self._network.latency(), self._client_hears_end, 1006)

    def fall_silent(self) -> None:
        """Nothing passes any more, and nobody is told: half-open."""
        self._silence()
        rng = self._network.rng
        self._loop.call_later(rng.uniform(*NOTICED_S), self.line.lose)
        self._loop.call_later(rng.uniform(*NOTICED_S), self._client_hears_end, 1006)

    def _silence(self) -> None:
        self._silent = True
        self.line.cut_off_at = self._loop.time()

    # the server's end

    def _reach(self, frame: bytes) -> None:
        if self._silent or not self.line.is_open or self._hall.dead or self.line.peer.closing is not None:
            return
        for message in codec.decode_client(frame):
            assert not isinstance(message, ProtocolError), message
            self.asked[message.id] += 1
        self._hall.hear(self.line, frame)

    def _down(self, frame: bytes) -> None:
        for message in codec.decode_server(frame):
            if isinstance(message, Ok | Error) and isinstance(message.id, int):
                self.answered[message.id] += 1
        if not (self._silent or self._client_gone):
            self._after("down", lambda: None if self._silent else self._incoming.put_nowait(frame))

    def _server_ended(self, code: int) -> None:
        if not self._silent:
            self._after("down", lambda: self._client_hears_end(code))

    def _client_hears_end(self, code: int) -> None:
        if not self._client_gone:
            self._client_gone = True
            self._incoming.put_nowait(WireClosed(code))

    def _after(self, way: str, what: Callable[[], object]) -> None:
        at = max(self._arrives[way], self._loop.time() + self._network.latency())
        self._arrives[way] = at + 1e-6  # timers of one moment have no order
        self._loop.call_at(at, what)
