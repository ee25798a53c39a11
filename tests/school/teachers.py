"""The command `class open` as a teacher runs it, with pages of pupils and the desk."""

from __future__ import annotations

import asyncio
import re
import subprocess
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path

from client.connection import Client
from league.history.log import load
from league.history.season import Season
from protocol.messages import Enter
from school.config import Classroom, Pupil, write_class
from school.folder import keep_codes
from school.messages import Arrive, Desk, Hall, Look, Pupils
from tests.league.processes import ARBITRE, started
from tests.school.pages import PATIENCE_S, Page

_DESK = re.compile(r"http://127\.0\.0\.1:(\d+)/desk/([A-Z]{6})$")
_SECRET = re.compile(r"secret: (\w+)")


class Teacher:
    """The command, and what it has printed."""

    def __init__(self, folder: Path, stack: ExitStack) -> None:
        self._folder = folder
        self._stack = stack
        self._port = "0"
        self.secret = self.code = ""
        self.process: subprocess.Popen[str]

    def open(self) -> None:
        words = ["class", "open", "class", "--host", "127.0.0.1", "--port", self._port, "--no-house-bots", "--no-mdns"]
        self.process = self._stack.enter_context(started([*ARBITRE, "--lang", "en", *words], self._folder))
        assert self.process.stderr is not None
        for line in self.process.stderr:
            if found := _DESK.search(line.strip()):
                self._port, self.code = found[1], found[2]
            if found := _SECRET.search(line):
                self.secret = found[1]
                return
        raise AssertionError("it never opened")

    @property
    def url(self) -> str:
        return f"ws://127.0.0.1:{self._port}"

    async def desk(self, number: int) -> Page:
        client = Client(self.url, name=f"teacher {number}", kind="human", organiser=self.secret)
        page = Page(await client.__aenter__(), self.code)
        await page.ask(Look(), Pupils)
        return page

    async def pupil(self, name: str, code: str) -> Page:
        page = Page(await Client(self.url, name=name, kind="human").__aenter__(), self.code)
        await self.enter(page, code)
        return page

    async def enter(self, page: Page, code: str) -> None:
        """As the page in the browser does whenever it is connected anew."""
        await page.client.request(Enter, code=self.code, personal=code)
        await page.ask(Arrive(), Hall)

    async def said(self, text: str) -> str:
        """The next line in the terminal that has this text."""
        stream = self.process.stderr
        assert stream is not None
        async with asyncio.timeout(PATIENCE_S):
            while text not in (line := await asyncio.to_thread(stream.readline)):
                assert line, "the class is over"
        return line


def class_in(folder: Path, names: Sequence[str]) -> dict[str, str]:
    """Makes the folder of a class; the codes of its pupils."""
    folder.mkdir()
    room = Classroom("2nde 4", "morpion", "5s", tuple(map(Pupil, names)))
    (folder / "class.toml").write_text(write_class(room), encoding="utf-8")
    return keep_codes(folder, room.names)


def games(folder: Path) -> int:
    """How many games of the first league are kept."""
    return len(Season.of(load(folder / "leagues" / "01")).games)


def beyond(count: int) -> Callable[[Desk], bool]:
    """Whether so many games of the league that runs are over."""
    return lambda desk: desk.league is not None and desk.league.played >= count
