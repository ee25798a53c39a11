"""A class at the end of what there is: a page that reads nothing, a disk that is full before it opens, and while."""

from __future__ import annotations

import asyncio
import json
import os
import resource
import socket
import subprocess
import sys
from collections.abc import AsyncGenerator
from contextlib import ExitStack, asynccontextmanager, suppress
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed
from websockets.typing import Subprotocol

from client.connection import Client
from protocol.messages import Enter
from school.messages import Announce, Arrive, Begin, GetVersion, Hall, News, Refused, Source, Submit
from tests.disks import fill, small_disk
from tests.league.processes import ARBITRE, ROOT
from tests.school.pages import FIRST, LAST, PATIENCE_S, Class, Page, opened, refused
from tests.school.teachers import Teacher, beyond, class_in, games

pytestmark = [
    pytest.mark.asyncio,
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform != "linux", reason="disks and limits of Linux"),
]

LONG = FIRST + "# " + "x" * 250_000
ASKED = 160
QUIET_S = 3.0
"""How often somebody asks for a long program and reads none of it: 40 MB."""

MOST_GROWN = 16 << 20


class Deaf:
    """A page of a pupil that writes, and reads nothing of what it is told once it is in."""

    def __init__(self, way: ClientConnection, code: str) -> None:
        self._way = way
        self._code = code
        self._numbers = count(1)

    @classmethod
    @asynccontextmanager
    async def entered(cls, room: Class, name: str) -> AsyncGenerator[Deaf]:
        """Comes in with a personal code, over a connection that holds little."""
        narrow = socket.socket()
        narrow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        narrow.connect(("127.0.0.1", int(room.url.rsplit(":", 1)[1].strip("/"))))
        way = await connect(
            room.url, sock=narrow, subprotocols=[Subprotocol("arbitre.v1")], compression=None, max_queue=1,
            ping_interval=None,
        )  # fmt: skip
        try:
            page = cls(way, room.opened.entrance.code)
            await page.ask("hello", protocol=1, client="test", kind="human", name="deaf")
            await page.ask("enter", code=page._code, personal=room.codes[name])
            yield page
        finally:
            way.transport.abort()  # a closing handshake would be waited for

    async def ask(self, what: str, **fields: object) -> None:
        """Asks the server for what it grants."""
        await self._way.send(json.dumps({"type": what, "id": next(self._numbers), **fields}))
        wanted = "welcome" if what == "hello" else "ok"
        while json.loads(await self._way.recv())["type"] != wanted:
            pass

    async def write(self, text: str) -> None:
        """Writes a letter, whatever becomes of it."""
        await self._way.send(json.dumps({"type": "write", "id": next(self._numbers), "code": self._code, "text": text}))

    async def rest(self) -> int:
        """Reads after all, until nothing more comes; how many characters came."""
        heard = 0
        with suppress(ConnectionClosed, TimeoutError):
            while True:
                heard += len(await asyncio.wait_for(self._way.recv(), QUIET_S))
        return heard


def memory_of_server() -> int:
    """What the server of the class that is open in this process takes now."""
    lists = Path("/proc/self/task").glob("*/children")
    children = [Path("/proc", pid) for one in lists for pid in one.read_text().split()]
    (server,) = [child for child in children if b"\0serve\0" in (child / "cmdline").read_bytes()]
    lines = (server / "status").read_text().splitlines()
    return next(int(line.split()[1]) << 10 for line in lines if line.startswith("VmRSS:"))


async def refused_in_the_end(page: Page, letter: Any) -> str:
    """The code with which a letter is refused, once it does not come too soon after the one before."""
    async with asyncio.timeout(PATIENCE_S):
        while True:
            if (code := await refused(page, letter)) != "not_now":
                return code
            await asyncio.sleep(0.5)


async def comes_again(room: Class, name: str) -> Page:
    """The page of a pupil who has taken much: the class hears them once others have had their share."""
    client = await Client(room.url, name="again", kind="human").__aenter__()
    await client.request(Enter, code=room.opened.entrance.code, personal=room.codes[name])
    page = Page(client, room.opened.entrance.code)
    while not any(isinstance(letter, Hall) for letter in page.heard):
        await page.write(Arrive())
        await asyncio.sleep(0.5)
    return page


async def test_a_page_that_never_reads_holds_nobody_up_and_costs_no_memory(tmp_path: Path) -> None:
    async with opened(tmp_path, ("Léa", "Tom")) as room:
        desk, lea, tom = await room.teacher(), await room.page("Léa"), await room.page("Tom")
        await lea.hand_in(LONG)
        await lea.hall(lambda hall: hall.works and hall.works[0].check == "works")
        before = memory_of_server()
        async with Deaf.entered(room, "Léa") as deaf:
            for number in range(ASKED):
                with suppress(ConnectionClosed):  # it may be cut off by now
                    await deaf.write('{"type":"get_version","version":1}')
                if number % 20 == 0:
                    assert (await tom.ask(Arrive(), Hall)).name == "Tom"
            await desk.write(Announce("Bonjour"))
            assert (await tom.until(News)).text == "Bonjour"
            assert memory_of_server() - before < MOST_GROWN
            assert await deaf.rest() < ASKED * len(LONG) / 2
        again = await comes_again(room, "Léa")
        told = await again.ask(GetVersion(1), Source, lambda source: source.part == source.parts - 1)
        assert LONG.endswith(told.text)
        await again.close()


async def test_a_disk_that_gets_full_stops_nothing_for_good(tmp_path: Path) -> None:
    with small_disk(tmp_path / "disk", 64 << 20) as disk, ExitStack() as stack:
        teacher, pages, desk = await playing(disk, stack)
        lea = pages[0]
        fill(disk / "filled", leave=8 << 20)
        assert "nearly full" in await teacher.said("nearly full")
        told = await desk.until(Refused, is_disk)
        assert "nearly full" in told.text
        assert await refused_in_the_end(lea, Submit("b.py", 0, 1, LAST)) == "disk"
        await desk.write(Announce("Still here"))  # what the desk does is kept as long as it can be
        assert (await lea.until(News)).text == "Still here"
        kept = (disk / "class" / "journal.jsonl").read_bytes()
        fill(disk / "really")
        since = len(desk.heard)
        later = asyncio.create_task(desk.write(Announce("Later")))
        marks = tmp_path / "marks.csv"
        done = await asyncio.to_thread(arbitre, disk, "export", "class", "-o", str(marks))
        assert done.returncode == 0, done.stderr
        assert "Léa" in marks.read_text(encoding="utf-8")
        assert teacher.process.poll() is None
        played = games(disk / "class")
        for name in ("really", "filled"):
            (disk / name).unlink()
        await teacher.said("room on the disk again")
        await later
        await desk.until(object, lambda letter: is_disk(letter) or getattr(letter, "said", "") == "Later", since)
        await desk.desk(beyond(played + 2))
        assert (disk / "class" / "journal.jsonl").read_bytes().startswith(kept)
        for page in (*pages, desk):
            await page.close()


async def test_a_league_that_can_t_be_kept_waits_and_goes_on(tmp_path: Path) -> None:
    with ExitStack() as stack:
        teacher, pages, desk = await playing(tmp_path, stack)
        folder, pid = tmp_path / "class", teacher.process.pid
        _soft, hard = resource.prlimit(pid, resource.RLIMIT_FSIZE)
        resource.prlimit(pid, resource.RLIMIT_FSIZE, (0, hard))  # from now on it writes no file
        assert "File too large" in await teacher.said("The league waits")
        told = await desk.until(Refused, lambda refused: "The league waits" in refused.text)
        assert told.code == "disk"
        kept, done = (folder / "journal.jsonl").read_bytes(), games(folder)
        assert "File too large" in (await desk.ask(Announce("Bonjour"), Refused)).text
        assert await refused_in_the_end(pages[0], Submit("b.py", 0, 1, LAST)) == "disk"
        assert (folder / "journal.jsonl").read_bytes() == kept
        resource.prlimit(pid, resource.RLIMIT_FSIZE, (hard, hard))
        await desk.desk(beyond(done + 4))
        await desk.write(Announce("Bonjour"))
        assert (await pages[1].until(News)).text == "Bonjour"
        assert (folder / "journal.jsonl").read_bytes().startswith(kept)
        for page in (*pages, desk):
            await page.close()


def is_disk(letter: object) -> bool:
    """Whether it says that something can't be kept."""
    return isinstance(letter, Refused) and letter.code == "disk"


def arbitre(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Runs `arbitre class WORDS` to its end."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.run(
        [*ARBITRE, "--lang", "en", "class", *words], cwd=folder, env=environment, capture_output=True, text=True,
        timeout=120, check=False,
    )  # fmt: skip


async def playing(folder: Path, stack: ExitStack) -> tuple[Teacher, list[Page], Page]:
    """A class in which a league of programs is under way: its command, two pupils, and the desk."""
    codes = class_in(folder / "class", ("Léa", "Tom"))
    teacher = Teacher(folder, stack)
    teacher.open()
    pages = [await teacher.pupil(name, code) for name, code in codes.items()]
    for page in pages:
        await page.hand_in(FIRST)
        await page.hall(lambda hall: hall.works and hall.works[0].check == "works")
    desk = await teacher.desk(1)
    await desk.write(Begin("bots", format="round_robin", rounds=100))
    await desk.desk(beyond(2))
    return teacher, pages, desk


@pytest.mark.parametrize("left", [0, 1 << 12, 1 << 16])
async def test_a_class_on_a_full_disk_says_so_and_opens_once_there_is_room(tmp_path: Path, left: int) -> None:
    with small_disk(tmp_path / "disk", 48 << 20) as disk, ExitStack() as stack:
        class_in(disk / "class", ("Léa", "Tom"))
        fill(disk / "filled", left)
        words = ("open", "class", "--host", "127.0.0.1", "--port", "0", "--no-mdns")
        done = await asyncio.to_thread(arbitre, disk, *words)
        assert done.returncode == 1
        assert "No space left on device" in done.stderr or "disk is full" in done.stderr
        assert "Traceback" not in done.stderr
        (disk / "filled").unlink()
        teacher = Teacher(disk, stack)
        teacher.open()
        desk = await teacher.desk(1)
        assert (await desk.desk()).open
        await desk.close()
