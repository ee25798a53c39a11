"""A day of a simulated class, on real processes: it hands in, plays a league, and meets with accidents.

Pupils are of three kinds: in a browser (their moves come over the network; here without the browser), with a file on a
machine of their own (`arbitre bot`), or with a file that they handed in. Of the last, one crashes, one never ends, one
gives itself for somebody else, one leaves and returns. With accidents the teacher pauses, freezes, stops the class with
Ctrl-C and opens it again, the network is cut, and the result is announced. All programs always do the same in the same
position, and all games begin with the same opening: so the table has to be that of a day without accidents.
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import AsyncExitStack, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import IO, TYPE_CHECKING, Final

from benchmarks._class_people import PATIENCE_S, BrowserBot, Network, Page, StudioBot
from benchmarks._measure import BenchError, Row, progress, python
from client.errors import ClientError
from league.history.log import load
from league.history.season import Season
from page.studio import installation
from protocol.messages import Clock
from school.exporting import league_folder
from school.folder import Entrance, read_entrance
from school.messages import Announce, Begin, Desk, Freeze, Hall, Halt, News, PupilRow
from tests.page.browser import FLAGS, chromium
from tests.ports import free_port

if TYPE_CHECKING:
    from playwright.async_api import Browser

GAME, OPENING = "morpion", ("b2",)
LOOK_S = 0.5
LONGEST_S = 3600.0
SAID = "Here is the table."

Standing = tuple[float, tuple[tuple[str, int], ...]]
"""Points and faults of a pupil."""


@dataclass(frozen=True, slots=True)
class Size:
    """How many pupils of each kind; of `uploads` the first three and the last are special.

    real: how many of the browsers are chromium with the studio; the others only send what such a page sends.
    clock: of each game. A program that hangs costs it; one that waits for a core on a busy machine must not.
    """

    browsers: int
    files: int
    uploads: int
    clock: Clock
    real: int = 0

    @property
    def pupils(self) -> int:
        """All of them."""
        return self.browsers + self.files + self.uploads


SMALL: Final = Size(1, 1, 4, Clock(initial_ms=4000))
WHOLE: Final = Size(15, 10, 5, Clock(initial_ms=8000))


def with_chromium(size: Size, real: int) -> Size:
    """As `size`, with so many real browsers: Python in them is slower, and so many of them wait for a core."""
    if real <= 0:
        return size
    if chromium() is None:
        raise BenchError("there is no chromium here: install it (Debian, Ubuntu: sudo apt install chromium)")
    if installation.usable() is None:
        raise BenchError("the studio is not installed; type: python3 run.py studio install")
    return replace(size, browsers=max(size.browsers, real), real=real, clock=Clock(initial_ms=20_000))


@dataclass(slots=True)
class Report:
    """What a day came to. cpu: seconds of the class's processes; up, down: bytes between it and its pupils."""

    table: dict[str, Standing] = field(default_factory=dict)
    versions: dict[str, int] = field(default_factory=dict)
    games: int = 0
    seconds: float = 0.0
    cpu: float = 0.0
    up: int = 0
    down: int = 0
    marks: str = ""


def program(number: int, *, crashes: bool = False, hangs: bool = False) -> str:
    """A pupil's file."""
    lines = ["def choose(position):", "    moves = position.legal_moves()"]
    if crashes:
        lines += ["    if len(moves) == 4:", "        return moves[99]"]
    if hangs:
        # In one game of a small class, in some of a whole one: each costs a clock, and a core all that time.
        lines += ["    while len(moves) == 5 and not {'b1', 'c1'} & set(moves):", "        pass"]
    return "\n".join([*lines, f"    return moves[({number} * 7 + len(moves)) % len(moves)]", ""])


def chooser(number: int) -> Callable[[list[str]], str]:
    """What `program` does, in a browser."""
    return lambda moves: moves[(number * 7 + len(moves)) % len(moves)]


class Lesson:
    """A class in `folder`, from its list to its marks. Raises BenchError."""

    def __init__(self, folder: Path, size: Size, *, accidents: bool) -> None:
        self.folder = folder / "class"
        self.report = Report()
        self._size = size
        self._has_accidents = accidents
        self._names = [f"Pupil {chr(65 + at // 26)}{chr(97 + at % 26)}" for at in range(size.pupils)]
        self._port = free_port()
        self._class: subprocess.Popen[bytes] | None = None
        self._log: IO[bytes] = (folder / "log.txt").open("ab")
        self._bots: list[subprocess.Popen[bytes]] = []
        self._pages: dict[str, Page] = {}
        self._stack = AsyncExitStack()
        self._net = Network(self._port)
        self._codes: dict[str, str] = {}
        self._entrance = Entrance("", "", "")
        self._loaded = 0
        self._chromium: Browser | None = None
        self._desk: Page

    async def run(self) -> Report:
        """The whole day."""
        began = time.monotonic()
        try:
            async with self._stack, self._net:
                await self._open_first()
                await self._come()
                await self._league()
                self._arbitre("export", str(self.folder), "-o", str(self.folder / "marks.csv"))
                self.report.marks = (self.folder / "marks.csv").read_text(encoding="utf-8-sig")
                self.report.up, self.report.down = self._net.up, self._net.down
                self.report.versions = {name: place.versions for name, place in self._desk.places.items()}
        except (TimeoutError, ClientError) as error:
            raise self._trouble(f"the class came to a halt ({type(error).__name__})") from error
        finally:
            for bot in self._bots:
                bot.kill()
                bot.wait()
            await self._stop()
            self._log.close()
        season = self._season()
        rows = season.standings().rows
        self.report.table = {row.name: (row.halves / 2, tuple(sorted(row.faults.items()))) for row in rows}
        self.report.games, self.report.seconds = len(season.games), time.monotonic() - began
        return self.report

    # -------------------------------------------------------------------------------------------------- the processes

    def _arbitre(self, *words: str) -> None:
        command = python("-m", "arbitre", "--lang", "en", "class", *words)
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            raise BenchError(f"class {words[0]}: {done.stderr}")

    def _trouble(self, text: str) -> BenchError:
        self._log.flush()
        last = Path(self._log.name).read_text(encoding="utf-8", errors="replace").splitlines()[-8:]
        return BenchError("\n  ".join((text, *last)))

    async def _open_first(self) -> None:
        listed = self.folder.with_suffix(".csv")
        listed.write_text("\n".join(self._names), encoding="utf-8")
        self._arbitre("new", str(listed), "--game", GAME)
        self._codes = json.loads((self.folder / "codes.json").read_text(encoding="utf-8"))
        await self._open()

    async def _open(self) -> None:
        """Opens the class, for the first time or again, and waits until one can come."""
        words = ("class", "open", str(self.folder), "--host", "127.0.0.1", "--port", str(self._port), "--no-mdns")
        sandbox = () if _has_sandbox() else ("--trust-programs",)
        self._class = subprocess.Popen(  # noqa: ASYNC220 - it outlives this call, and is waited for with its usage
            python("-m", "arbitre", "--lang", "en", *words, "--no-house-bots", *sandbox),
            stdout=self._log, stderr=subprocess.PIPE, env={**os.environ, "ARBITRE_LAN": "off"}, start_new_session=True,
        )  # fmt: skip
        stderr = self._class.stderr
        assert stderr is not None
        async with asyncio.timeout(PATIENCE_S):
            while b"class is open" not in (line := await asyncio.to_thread(stderr.readline)):
                self._log.write(line)
                if not line:
                    raise self._trouble("the class does not open")
        self._draining = asyncio.create_task(asyncio.to_thread(self._drain, stderr))
        entrance = read_entrance(self.folder)
        assert entrance is not None
        if self._entrance.code and entrance.code != self._entrance.code:
            raise BenchError("the class has another door after it was opened again")
        self._entrance = entrance

    def _drain(self, stderr: IO[bytes]) -> None:
        with suppress(ValueError):
            for line in stderr:
                self._log.write(line)

    async def _stop(self) -> None:
        """Ctrl-C; what its processes used is added up."""
        process, self._class = self._class, None
        if process is None:
            return
        process.send_signal(signal.SIGINT)
        waited = asyncio.to_thread(os.wait4, process.pid, 0)
        try:
            _pid, status, used = await asyncio.wait_for(waited, 120)
        except TimeoutError:
            process.kill()
            raise BenchError("the class does not end at Ctrl-C") from None
        process.returncode = os.waitstatus_to_exitcode(status)
        self.report.cpu += used.ru_utime + used.ru_stime
        await self._draining
        if process.returncode != 0:
            raise self._trouble(f"the class ended with {process.returncode}")

    # ----------------------------------------------------------------------------------------------------- the people

    async def _come(self) -> None:
        """Everybody comes; who hands a program in does so; the others' bots enter."""
        secret = (self.folder / "secret").read_text(encoding="utf-8").strip()
        self._desk = await self._page("teacher", secret=secret)
        for name in self._names:
            self._pages[name] = await self._page(name, personal=self._codes[name])
        browsers, files = self._size.browsers, self._size.browsers + self._size.files
        for number, name in enumerate(self._names):
            if number < self._size.real:
                await self._browser_bot(number, name)
            elif number < browsers:
                await self._studio(number, name)
            elif number < files:
                self._own_machine(number, name)
            else:
                await self._upload(number, name, number - files)
        await self._desk.until_places(self._all_are_ready)

    async def _page(self, name: str, *, personal: str = "", secret: str | None = None) -> Page:
        self._loaded += 1  # who loads the page again is somebody else to the server
        called = f"{name} {self._loaded}"
        page = await Page.load(self._net.url, self._entrance.code, called, personal=personal, secret=secret)
        self._stack.push_async_callback(page.close)
        return page

    async def _studio(self, number: int, name: str) -> None:
        bot = StudioBot(self._net.url, self._entrance.bots, self._codes[name], f"studio {number}", chooser(number))
        self._stack.push_async_callback((await bot.open()).close)

    async def _browser_bot(self, number: int, name: str) -> None:
        """As `_studio`, in a chromium with the studio."""
        from playwright.async_api import async_playwright

        if self._chromium is None:
            driver = await self._stack.enter_async_context(async_playwright())
            self._chromium = await driver.chromium.launch(executable_path=chromium(), args=list(FLAGS))
            self._stack.push_async_callback(self._chromium.close)
        bot = BrowserBot(self._chromium, self._net.url, self._entrance.bots, self._codes[name], program(number))
        self._stack.push_async_callback((await bot.open()).close)

    def _own_machine(self, number: int, name: str) -> None:
        file = self.folder.parent / f"bot{number}.py"
        file.write_text(program(number), encoding="utf-8")
        enter = ("--league", f"{self._entrance.bots}-{self._codes[name]}")
        command = python("-m", "arbitre", "--lang", "en", "bot", str(file), self._net.url, *enter)
        self._bots.append(subprocess.Popen(command, stdout=self._log, stderr=self._log, start_new_session=True))

    async def _upload(self, number: int, name: str, kind: int) -> None:
        """Of those who hand in the first crashes, the second hangs, the third says that it is somebody else."""
        other = self._names[0]
        file = f"../{other}/v1_bot.py" if kind == 2 else "bot.py"
        await self._pages[name].hand_in(program(number, crashes=kind == 0, hangs=kind == 1), file)

    def _all_are_ready(self, places: Mapping[str, PupilRow]) -> bool:
        if len(places) < self._size.pupils:
            return False
        uploads = self._names[self._size.browsers + self._size.files :]
        for name, place in places.items():
            if name in uploads:
                if place.work is None or place.work.check in ("waiting", "running"):
                    return False
            elif place.bot != "own":
                return False
        return True

    # ----------------------------------------------------------------------------------------------------- the league

    async def _league(self) -> None:
        await self._desk.write(
            Begin("bots", game=GAME, format="round_robin", clock=self._size.clock, graded=True, opening=OPENING)
        )
        planned = self._size.pupils * (self._size.pupils - 1)
        if self._has_accidents:
            for part, accident in enumerate((self._pause, self._freeze, self._cut, self._stop_and_go_on), 1):
                await self._until_played(planned * part // 6)
                progress(f"{accident.__name__.strip('_').replace('_', ' ')}: after {len(self._season().games)} games")
                await accident()
            await self._until_played(planned * 5 // 6)
            await self._announce()
        await self._until_played(planned)
        await self._desk.until(Desk, lambda desk: desk.league is not None and desk.league.state == "finished")

    def _season(self) -> Season:
        return Season.of(load(league_folder(self.folder, 1)))

    async def _until_played(self, count: int) -> None:
        """Looks into the league's log: what the desk says may be frozen."""
        log = league_folder(self.folder, 1) / "league.jsonl"
        await _until(lambda: log.exists() and log.stat().st_size > 0)
        await _until(lambda: len(self._season().games) >= count)

    async def _pause(self) -> None:
        """Nothing moves, then all goes on."""
        since = len(self._desk.heard)
        await self._desk.write(Halt(halted=True))
        await self._desk.until(Desk, lambda desk: desk.halted, since)
        async with asyncio.timeout(PATIENCE_S):
            while await self._desk.playing():  # noqa: ASYNC110 - the server is asked anew
                await asyncio.sleep(LOOK_S)
        await self._desk.write(Halt(halted=False))

    async def _freeze(self) -> None:
        since = len(self._desk.heard)
        await self._desk.write(Freeze(frozen=True))
        await self._desk.until(Desk, lambda desk: desk.league is not None and desk.league.frozen, since)

    async def _cut(self) -> None:
        """The network is gone for a moment; one pupil leaves, and comes again."""
        self._net.cut()
        name = self._names[-1]
        await self._pages[name].close()
        self._pages[name] = await self._page(name, personal=self._codes[name])
        await self._pages[name].until(Hall, lambda hall: hall.name == name)

    async def _stop_and_go_on(self) -> None:
        await self._stop()
        since = len(self._desk.heard)  # the desk may be there again before `_open` has returned, and hear no more
        await self._open()
        await self._desk.until(Desk, lambda desk: desk.league is not None and desk.league.frozen, since)

    async def _announce(self) -> None:
        """The table is shown again, and everybody hears of it."""
        since = len(self._desk.heard)
        await self._desk.write(Freeze(frozen=False))
        await self._desk.write(Announce(SAID))
        await self._desk.until(Desk, lambda desk: desk.said == SAID, since)
        for page in self._pages.values():
            await page.until(News, lambda news: news.text == SAID)


async def _until(holds: Callable[[], bool]) -> None:
    """Looks again and again at what other processes write."""
    async with asyncio.timeout(LONGEST_S):
        while not holds():  # noqa: ASYNC110 - no event comes from a file
            await asyncio.sleep(LOOK_S)


def _has_sandbox() -> bool:
    from processes.sandbox import obstacle

    return obstacle() is None


def compare(folder: Path, size: Size) -> list[Report]:
    """A day without accidents, and one with them; raises BenchError if they don't come to the same."""
    reports: list[Report] = []
    for accidents in (False, True):
        place = folder / ("accidents" if accidents else "calm")
        place.mkdir()
        reports.append(asyncio.run(Lesson(place, size, accidents=accidents).run()))
        _check(reports[-1], size)
    calm, wild = reports
    if calm.table != wild.table:
        differ = {name: (calm.table.get(name), row) for name, row in wild.table.items() if calm.table.get(name) != row}
        raise BenchError(f"the tables differ: {differ}")
    return reports


def _check(report: Report, size: Size) -> None:
    """That everybody is there with what they handed in, and nobody failed who should not; raises BenchError."""
    uploads = list(report.versions.values())[-size.uploads :]
    if (
        len(report.table) != size.pupils
        or sum(report.versions.values()) != size.uploads
        or uploads != [1] * size.uploads
    ):
        raise BenchError("somebody is missing from the table, or has what another has handed in")
    failed = {reason for _points, faults in report.table.values() for reason, _count in faults}
    if failed != {"crash", "timeout"} or sum(bool(faults) for _points, faults in report.table.values()) != 2:
        raise BenchError(f"one program was to crash and one to hang: {report.table}")


def rows(reports: Sequence[Report], size: Size) -> list[Row]:
    """What is printed of both days."""
    return [
        {
            "day": day,
            "pupils": size.pupils,
            "games": report.games,
            "clock s": f"{report.seconds:.0f}",
            "CPU s of the class": f"{report.cpu:.0f}",
            "kB to it": f"{report.up / 1000:.0f}",
            "kB from it": f"{report.down / 1000:.0f}",
        }
        for day, report in zip(("calm", "with accidents"), reports, strict=True)
    ]
