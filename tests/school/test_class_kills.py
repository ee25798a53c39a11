"""The command as a teacher runs it: killed amid a league, and opened again."""

from __future__ import annotations

import asyncio
import re
import signal
import subprocess
import sys
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

import pytest

from client.connection import Client
from league.history.log import load
from league.history.season import Season
from protocol.messages import Enter, Invitation, Join, ListMatches
from school.config import Classroom, Pupil, write_class
from school.folder import keep_codes, read_door
from school.messages import Arrive, Begin, Desk, Finish, Hall, Look, Pupils
from tests.league.test_gathering import ARBITRE, started
from tests.school.pages import FIRST, Page, over

pytestmark = [pytest.mark.asyncio, pytest.mark.slow, pytest.mark.skipif(sys.platform == "win32", reason="signals")]

_DESK = re.compile(r"http://127\.0\.0\.1:(\d+)/desk/([A-Z]{6})$")
_SECRET = re.compile(r"secret: (\w+)")


class Teacher:
    """The command, and what it has printed."""

    def __init__(self, folder: Path, stack: ExitStack) -> None:
        self._folder = folder
        self._stack = stack
        self._port = "0"
        self.secret = self.door = ""
        self.process: subprocess.Popen[str]

    def open(self) -> None:
        words = ["class", "open", "class", "--host", "127.0.0.1", "--port", self._port, "--no-house-bots", "--no-mdns"]
        self.process = self._stack.enter_context(started([*ARBITRE, "--lang", "en", *words], self._folder))
        assert self.process.stderr is not None
        for line in self.process.stderr:
            if found := _DESK.search(line.strip()):
                self._port, self.door = found[1], found[2]
            if found := _SECRET.search(line):
                self.secret = found[1]
                return
        raise AssertionError("it never opened")

    @property
    def url(self) -> str:
        return f"ws://127.0.0.1:{self._port}"

    async def desk(self, number: int) -> Page:
        client = Client(self.url, name=f"teacher {number}", kind="human", organiser=self.secret)
        page = Page(await client.__aenter__(), self.door)
        await page.ask(Look(), Pupils)
        return page

    async def pupil(self, name: str, code: str) -> Page:
        page = Page(await Client(self.url, name=name, kind="human").__aenter__(), self.door)
        await self.enter(page, code)
        return page

    async def enter(self, page: Page, code: str) -> None:
        """As the page in the browser does whenever it is connected anew."""
        await page.client.request(Enter, code=self.door, personal=code)
        await page.ask(Arrive(), Hall)


def games(folder: Path) -> int:
    return len(Season.of(load(folder / "leagues" / "01")).games)


def beyond(count: int) -> Callable[[Desk], bool]:
    """Whether so many games of the league that runs are over."""
    return lambda desk: desk.league is not None and desk.league.played >= count


async def test_a_teacher_whose_machine_dies_goes_on(tmp_path: Path) -> None:
    folder = tmp_path / "class"
    folder.mkdir()
    room = Classroom("2nde 4", "morpion", "5s", tuple(map(Pupil, ("Léa", "Tom", "Zoé"))))
    (folder / "class.toml").write_text(write_class(room), encoding="utf-8")
    codes = keep_codes(folder, room.names)
    with ExitStack() as stack:
        teacher = Teacher(tmp_path, stack)
        teacher.open()
        first = (teacher.door, teacher.secret)
        pages = [await teacher.pupil(name, code) for name, code in codes.items()]
        for page in pages:
            await page.hand_in(FIRST)
        for page in pages:
            await page.hall(lambda hall: hall.works and hall.works[0].check == "works")
        desk = await teacher.desk(1)
        await desk.write(Begin("bots", format="round_robin", rounds=40))
        await desk.desk(beyond(4))
        for number, kill in enumerate((signal.SIGKILL, signal.SIGINT), 2):
            teacher.process.send_signal(kill)
            await asyncio.to_thread(teacher.process.wait, 30)
            done = games(folder)
            teacher.open()
            assert (teacher.door, teacher.secret) == first
            desk = await teacher.desk(number)
            await desk.desk(beyond(done + 4))
        await desk.write(Finish())
        await desk.desk(over)
        assert not [game for game in Season.of(load(folder / "leagues" / "01")).games if game.faulty]
        for private in ("codes.json", "secret", "door.json", "journal.jsonl", "host.json"):
            assert (folder / private).stat().st_mode & 0o077 == 0
        door = read_door(folder)
        assert door is not None
        assert door.code == teacher.door
        for page in (*pages, desk):
            await page.close()


async def test_games_that_were_played_when_the_class_closed_are_ended_and_played_again(tmp_path: Path) -> None:
    folder = tmp_path / "class"
    folder.mkdir()
    room = Classroom("2nde 4", "morpion", "5s", tuple(map(Pupil, ("Léa", "Tom"))))
    (folder / "class.toml").write_text(write_class(room), encoding="utf-8")
    codes = keep_codes(folder, room.names)
    with ExitStack() as stack:
        teacher = Teacher(tmp_path, stack)
        teacher.open()
        pages = [await teacher.pupil(name, code) for name, code in codes.items()]
        desk = await teacher.desk(1)
        await desk.write(Begin("people", format="round_robin"))
        before = {"", await sat_down(pages, {""})}
        for number, kill in enumerate((signal.SIGINT, signal.SIGKILL), 2):
            teacher.process.send_signal(kill)
            await asyncio.to_thread(teacher.process.wait, 30)
            teacher.open()
            desk = await teacher.desk(number)
            for page, code in zip(pages, codes.values(), strict=True):
                await teacher.enter(page, code)
            after = await sat_down(pages, before)
            assert await played(desk, after) == {after}
            before.add(after)
        for page in (*pages, desk):
            await page.close()


async def sat_down(pages: list[Page], before: set[str]) -> str:
    """The match that both were invited to after those before, once they have joined it."""
    found = ""
    for page in pages:
        async with asyncio.timeout(60):
            while not (new := [invited(one) for one in page.others if invited(one) not in before]):
                page.news.clear()
                await page.news.wait()
        found = new[-1]
        await page.client.request(Join, match=found)
    return found


def invited(message: object) -> str:
    """The match of an invitation."""
    return message.match if isinstance(message, Invitation) else ""


async def played(page: Page, match: str) -> set[str]:
    """The matches that are played, once one of them is."""
    async with asyncio.timeout(60):
        while True:
            found = {each.match for each in (await page.client.ask(ListMatches)).matches if each.status == "playing"}
            if match in found:
                return found
            await asyncio.sleep(0.05)
