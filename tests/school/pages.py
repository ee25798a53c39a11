"""A class that is open in this process, with a server of its own, and pages that write to it over the network."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from pathlib import Path
from typing import Any, TypeVar

from msgspec import json as msgjson

from client.connection import Client
from protocol.messages import Enter, Invitation, Join, ListMatches, MakeMove, Told, Write, YourTurn
from school.config import Classroom, Pupil
from school.folder import keep_codes, read_entrance
from school.journal import Journal
from school.messages import Arrive, ClassLetter, Desk, Hall, Look, PupilRow, Pupils, Refused, Submit
from school.opening import Opened, open_class
from school.opening import ServerOptions as Where
from school.parts.handing_in import in_parts
from school.state import ClassState

T = TypeVar("T")
PATIENCE_S = 90.0

_letters = msgjson.Decoder(ClassLetter)
_encode = msgjson.Encoder().encode

FIRST = "def choose(position):\n    return position.legal_moves()[0]\n"
LAST = "def choose(position):\n    return position.legal_moves()[-1]\n"


class Page:
    """A page of somebody: what it was told, and the last of each kind."""

    patience_s = PATIENCE_S

    def __init__(self, client: Client, code: str) -> None:
        self.client = client
        self.code = code
        self.heard: list[Any] = []
        self.others: list[Any] = []
        self.places: dict[str, PupilRow] = {}
        self.news = asyncio.Event()
        self._task = asyncio.create_task(self._listen())
        self._task.add_done_callback(lambda task: None if task.cancelled() else task.exception())

    async def _listen(self) -> None:
        async for message in self.client.messages():
            if isinstance(message, Told):
                self._told(_letters.decode(message.text))
            else:
                self.hear(message)
            self.news.set()

    def _told(self, letter: ClassLetter) -> None:
        self.heard.append(letter)
        if isinstance(letter, Pupils):
            known = {} if letter.again else self.places
            self.places = {**known, **{place.name: place for place in letter.pupils}}

    def hear(self, message: Any) -> None:
        """Takes in what the server itself says."""
        self.others.append(message)

    async def write(self, letter: Any) -> None:
        """Writes a letter."""
        await self.client.request(Write, code=self.code, text=_encode(letter).decode())

    async def play_along(self) -> None:
        """Takes what it is invited to, and plays the first move that is legal."""
        done = 0
        while True:
            others, done = self.others[done:], len(self.others)
            for message in others:
                if isinstance(message, Invitation):
                    self.client.send(Join, match=message.match)
                elif isinstance(message, YourTurn):
                    self.client.send(MakeMove, match=message.match, ply=message.ply, move=message.legal[0])
            self.news.clear()
            if len(self.others) == done:
                await self.news.wait()

    async def until(self, kind: type[T], holds: Callable[[T], object] = lambda _letter: True, since: int = 0) -> T:
        """The first letter of a kind, among those that came after `since` others, of which something holds."""
        async with asyncio.timeout(self.patience_s):
            at = since
            while True:
                for letter in self.heard[at:]:
                    if isinstance(letter, kind) and holds(letter):
                        return letter
                at = len(self.heard)
                self.news.clear()
                await self.news.wait()

    async def ask(self, letter: Any, kind: type[T], holds: Callable[[T], object] = lambda _letter: True) -> T:
        """What is told of that kind after a letter."""
        since = len(self.heard)
        await self.write(letter)
        return await self.until(kind, holds, since)

    async def hall(self, holds: Callable[[Hall], object] = lambda _hall: True) -> Hall:
        """The first hall of which something holds, from the last on."""
        last = max((at for at, letter in enumerate(self.heard) if isinstance(letter, Hall)), default=0)
        return await self.until(Hall, holds, last)

    async def desk(self, holds: Callable[[Desk], object] = lambda _desk: True) -> Desk:
        """As `hall`, for the desk."""
        last = max((at for at, letter in enumerate(self.heard) if isinstance(letter, Desk)), default=0)
        return await self.until(Desk, holds, last)

    async def place(self, name: str, holds: Callable[[PupilRow], object]) -> PupilRow:
        """How a pupil stands, once something holds of that."""
        await self.until_places(lambda places: name in places and holds(places[name]))
        return self.places[name]

    async def until_places(self, hold: Callable[[Mapping[str, PupilRow]], object]) -> None:
        """Waits until something holds of all that the desk knows of pupils."""
        async with asyncio.timeout(self.patience_s):
            while not hold(self.places):
                self.news.clear()
                await self.news.wait()

    async def playing(self) -> set[str]:
        """The matches that are played now, for whoever directs them."""
        listed = (await self.client.ask(ListMatches)).matches
        assert isinstance(listed, tuple)
        return {match.match for match in listed if match.status == "playing"}

    async def hand_in(self, text: str, file: str = "bot.py") -> None:
        """Hands a program in."""
        parts = in_parts(text)
        for number, part in enumerate(parts):
            await self.write(Submit(file, number, len(parts), part))

    async def close(self) -> None:
        """Goes away."""
        self._task.cancel()
        with suppress(asyncio.CancelledError):
            await self._task
        await self.client.close()


async def refused(page: Page, letter: object) -> str:
    """The code with which a letter is refused."""
    return (await page.ask(letter, Refused)).code


def over(desk: Desk) -> bool:
    """Whether the last league is over."""
    return desk.league is not None and desk.league.state == "finished"


class Class:
    """A class in a folder, open in this process."""

    def __init__(self, folder: Path, names: Sequence[str], game: str = "morpion", clock: str = "10s+0.1s") -> None:
        self.folder = folder
        self.classroom = Classroom("2nde 4", game, clock, tuple(Pupil(name) for name in names))
        self.said: list[str] = []
        self.opened: Opened
        self._stack = AsyncExitStack()
        self._task: asyncio.Task[None] | None = None
        self.runs = True
        self.review = False
        self._pages = 0

    @property
    def codes(self) -> dict[str, str]:
        """The personal codes."""
        return keep_codes(self.folder, self.classroom.names)

    async def open(self) -> None:
        """Opens it, or opens it again."""
        from processes.sandbox import obstacle

        ready: asyncio.Future[Opened] = asyncio.get_running_loop().create_future()

        async def work() -> None:
            with Journal(self.folder) as journal:
                names = dict.fromkeys(self.classroom.names)
                codes = keep_codes(self.folder, ClassState.of(names, journal.events).doors)
                await open_class(
                    self.folder, self.classroom, journal, codes, read_entrance(self.folder),
                    Where("127.0.0.1", 0, house=False, review=self.review), sandbox=obstacle() is None, runs=self.runs,
                    reached=lambda url: url, say=self.said.append, ready=ready.set_result,
                )  # fmt: skip

        self._task = asyncio.create_task(work())
        either: set[asyncio.Future[Any]] = {self._task, ready}
        await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)
        if self._task.done():
            self._task.result()
        self.opened = ready.result()

    @property
    def url(self) -> str:
        """Of its server."""
        return self.opened.entrance.address.replace("http", "ws", 1)

    async def page(self, name: str, code: str | None = None) -> Page:
        """The page of a pupil, who has come in."""
        self._pages += 1
        client = Client(self.url, name=f"page {self._pages} of {name}"[:24], kind="human")
        await self._stack.enter_async_context(client)
        await client.request(Enter, code=self.opened.entrance.code, personal=code or self.codes[name])
        page = Page(client, self.opened.entrance.code)
        await page.ask(Arrive(), Hall)
        return page

    async def teacher(self) -> Page:
        """The desk."""
        client = Client(self.url, name="teacher", kind="human", organiser=self.opened.secret)
        await self._stack.enter_async_context(client)
        page = Page(client, self.opened.entrance.code)
        await page.ask(Look(), Pupils)
        return page

    async def close(self) -> None:
        """As Ctrl-C does."""
        if self._task is not None:
            self._task.cancel()
            with suppress(asyncio.CancelledError):
                await self._task
            self._task = None

    async def end(self) -> None:
        """Closes it, and all pages."""
        with suppress(Exception):
            await self._stack.aclose()
        await self.close()


async def programs(room: Class, *texts: str) -> list[Page]:
    """Pupils who have handed in programs that were checked."""
    pages = []
    for name, text in zip(room.classroom.names, texts, strict=True):
        page = await room.page(name)
        await page.hand_in(text)
        await page.hall(lambda hall: hall.works and hall.works[0].check in ("works", "fails"))
        pages.append(page)
    return pages


@asynccontextmanager
async def opened(folder: Path, names: Sequence[str], **more: Any) -> AsyncGenerator[Class]:
    """An open class."""
    there = Class(folder, names, **{key: more[key] for key in more if key in ("game", "clock")})
    there.review, there.runs = more.get("review", False), more.get("runs", True)
    try:
        await there.open()
        yield there
    finally:
        await there.end()
