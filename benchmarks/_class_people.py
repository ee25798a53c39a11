"""Who takes part in a simulated class: pages of pupils and teacher, bots as a browser has them, a counted network."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Self, TypeVar

import msgspec

from client.connection import Client
from client.errors import ClientError
from protocol.messages import Enter, Invitation, Join, MakeMove, Told, Welcome, Write, YourTurn
from school.handing_in import in_parts
from school.messages import Arrive, ClassLetter, Look, Place, Pupils, Submit

T = TypeVar("T")
PATIENCE_S = 600.0

_letters = msgspec.json.Decoder(ClassLetter)
_encode = msgspec.json.Encoder().encode


class Network:
    """What lies between the class and its pupils: every byte is counted, and all of it can be cut at once."""

    def __init__(self, port: int) -> None:
        self.up = self.down = 0
        self.cuts = 0
        self._port = port
        self._server: asyncio.Server | None = None
        self._open: set[asyncio.StreamWriter] = set()

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._accept, "127.0.0.1", 0)
        return self

    async def __aexit__(self, *_: object) -> None:
        assert self._server is not None
        self._server.close()
        self.cut()

    @property
    def url(self) -> str:
        """Of the class's server, for whoever is on this network."""
        assert self._server is not None
        return f"ws://127.0.0.1:{self._server.sockets[0].getsockname()[1]}"

    def cut(self) -> None:
        """All connections break."""
        self.cuts += 1
        for writer in self._open:
            writer.transport.abort()

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            there, out = await asyncio.open_connection("127.0.0.1", self._port)
        except OSError:
            writer.transport.abort()
            return
        self._open |= {writer, out}
        try:
            await asyncio.gather(self._carry(reader, out, is_up=True), self._carry(there, writer, is_up=False))
        finally:
            self._open -= {writer, out}

    async def _carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, *, is_up: bool) -> None:
        with suppress(OSError):
            while data := await reader.read(1 << 16):
                if is_up:
                    self.up += len(data)
                else:
                    self.down += len(data)
                writer.write(data)
                await writer.drain()
        writer.transport.abort()


class Page:
    """A page of the class: of a pupil by their personal code, or the desk by the teacher's secret."""

    def __init__(self, url: str, door: str, name: str, *, personal: str = "", secret: str | None = None) -> None:
        self.heard: list[Any] = []
        self.places: dict[str, Place] = {}
        self._door = door
        self._personal = personal
        self._client = Client(url, name=name, kind="human", organiser=secret, patience_s=PATIENCE_S)
        self._news = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    async def open(self) -> Self:
        """Loads it."""
        await self._client.__aenter__()
        self._task = asyncio.create_task(self._listen())
        await self._come()
        return self

    async def _come(self) -> None:
        """As the page does after each connection."""
        if self._personal:
            await self._client.request(Enter, code=self._door, personal=self._personal)
        await self.write(Arrive() if self._personal else Look())

    async def _listen(self) -> None:
        async for message in self._client.messages():
            if isinstance(message, Told):
                letter = _letters.decode(message.text)
                self.heard.append(letter)
                if isinstance(letter, Pupils):
                    known = {} if letter.again else self.places
                    self.places = {**known, **{place.name: place for place in letter.pupils}}
            elif isinstance(message, Welcome):
                self._coming = asyncio.create_task(self._come_back())
            self._news.set()

    async def _come_back(self) -> None:
        """Until the class is back, too: its server may be there before."""
        while True:
            with suppress(ClientError):
                return await self._come()
            await asyncio.sleep(0.5)

    async def write(self, letter: Any) -> None:
        """Writes a letter."""
        await self._client.request(Write, code=self._door, text=_encode(letter).decode())

    async def ask(self, request: Any, **fields: Any) -> Any:
        """Asks the server itself."""
        return await self._client.request(request, **fields)

    async def until(self, kind: type[T], holds: Callable[[T], object], since: int = 0) -> T:
        """The first letter of a kind after `since` others of which something holds."""
        async with asyncio.timeout(PATIENCE_S):
            at = since
            while True:
                for letter in self.heard[at:]:
                    if isinstance(letter, kind) and holds(letter):
                        return letter
                at = len(self.heard)
                self._news.clear()
                await self._news.wait()

    async def until_places(self, hold: Callable[[dict[str, Place]], object]) -> None:
        """Waits until something holds of all that the desk knows of pupils."""
        async with asyncio.timeout(PATIENCE_S):
            while not hold(self.places):
                self._news.clear()
                await self._news.wait()

    async def hand_in(self, text: str, file: str) -> None:
        """Hands a program in."""
        parts = in_parts(text)
        for number, part in enumerate(parts):
            await self.write(Submit(file, number, len(parts), part))

    async def close(self) -> None:
        """Leaves."""
        if self._task is not None:
            self._task.cancel()
            with suppress(asyncio.CancelledError):
                await self._task
        await self._client.close()


class StudioBot:
    """A bot in a browser, by what it sends: each move is chosen by `choose` among the legal ones."""

    def __init__(self, url: str, code: str, personal: str, name: str, choose: Callable[[list[str]], str]) -> None:
        self._client = Client(url, name=name, kind="bot", patience_s=PATIENCE_S)
        self._code, self._personal, self._choose = code, personal, choose
        self._tasks: set[asyncio.Task[None]] = set()

    async def open(self) -> Self:
        """Comes and enters."""
        await self._client.__aenter__()
        self._spawn(self._enter())
        self._spawn(self._play())
        return self

    def _spawn(self, work: Any) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _enter(self) -> None:
        while True:
            with suppress(ClientError):
                await self._client.request(Enter, code=self._code, personal=self._personal)
                return
            await asyncio.sleep(0.5)

    async def _play(self) -> None:
        async for message in self._client.messages():
            match message:
                case Welcome():
                    self._spawn(self._enter())
                case Invitation():
                    self._client.send(Join, match=message.match)
                case YourTurn():
                    move = self._choose(list(message.legal))
                    self._client.send(MakeMove, match=message.match, ply=message.ply, move=move)
                case _:
                    pass

    async def close(self) -> None:
        """Goes."""
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._client.close()
