"""Who takes part in a simulated class: pages of pupils and teacher, bots as a browser has them, a counted network."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Self

from client.connection import Client
from client.errors import ClientError
from protocol.messages import Enter, Invitation, Join, MakeMove, Welcome, YourTurn
from school.messages import Arrive, Look
from tests.school import pages

if TYPE_CHECKING:
    from playwright.async_api import Browser, BrowserContext

PATIENCE_S = 600.0
AGAIN_S = 0.5


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


class Page(pages.Page):
    """A page of the class: of a pupil by their personal code, or of the desk; it comes back with its connection."""

    patience_s = PATIENCE_S

    def __init__(self, client: Client, door: str, personal: str) -> None:
        super().__init__(client, door)
        self._personal = personal
        self._coming: asyncio.Task[None] | None = None

    @classmethod
    async def load(cls, url: str, door: str, name: str, *, personal: str = "", secret: str | None = None) -> Self:
        """Loads it; secret: of the teacher."""
        client = Client(url, name=name, kind="human", organiser=secret, patience_s=PATIENCE_S)
        page = cls(await client.__aenter__(), door, personal)
        await page.come()
        return page

    async def come(self) -> None:
        """As the page does after each connection."""
        if self._personal:
            await self.client.request(Enter, code=self.code, personal=self._personal)
        await self.write(Arrive() if self._personal else Look())

    def hear(self, message: Any) -> None:
        """With a new connection it comes in again."""
        if isinstance(message, Welcome):
            self._coming = asyncio.create_task(until_done(self.come))


async def until_done(work: Callable[[], Awaitable[object]]) -> None:
    """Tries until it is done: a server may be there before its class is."""
    while True:
        with suppress(ClientError):
            await work()
            return
        await asyncio.sleep(AGAIN_S)  # nobody says when the class is back


class StudioBot:
    """A bot in a browser, by what it sends: each move is chosen by `choose` among the legal ones."""

    def __init__(self, url: str, code: str, personal: str, name: str, choose: Callable[[list[str]], str]) -> None:
        self._client = Client(url, name=name, kind="bot", patience_s=PATIENCE_S)
        self._code, self._personal, self._choose = code, personal, choose
        self._tasks: set[asyncio.Task[None]] = set()

    async def open(self) -> Self:
        """Comes and enters."""
        await self._client.__aenter__()
        self._spawn(until_done(self._enter))
        self._spawn(self._play())
        return self

    def _spawn(self, work: Any) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _enter(self) -> None:
        await self._client.request(Enter, code=self._code, personal=self._personal)

    async def _play(self) -> None:
        async for message in self._client.messages():
            match message:
                case Welcome():
                    self._spawn(until_done(self._enter))
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


class BrowserBot:
    """A bot on the studio's page, in a tab of chromium: `source` is written there, and enters the bots' code."""

    def __init__(self, browser: Browser, url: str, code: str, personal: str, source: str) -> None:
        self._browser = browser
        self._url = f"http{url.removeprefix('ws')}"
        self._code, self._personal, self._source = code, personal, source
        self._context: BrowserContext | None = None

    async def open(self) -> Self:
        """Opens the studio, waits for Python, writes, and enters."""
        self._context = await self._browser.new_context(locale="en-GB")
        page = await self._context.new_page()
        page.set_default_timeout(1000 * PATIENCE_S)
        await page.goto(f"{self._url}/studio")
        await page.wait_for_selector("[role=status]:text-matches('is ready')")
        await page.locator("[data-editor]").click()
        await page.keyboard.press("Control+a")
        await page.keyboard.insert_text(self._source)
        await page.locator("details.card:has([name=personal]) summary").click()
        await page.fill("[name=code]", self._code)
        await page.fill("[name=personal]", self._personal)
        await page.click("[data-action=enter-league]")
        await page.wait_for_selector("[role=status]:text-matches('is in the league')")
        return self

    async def close(self) -> None:
        """Closes the tab."""
        if self._context is not None:
            with suppress(Exception):
                await self._context.close()
