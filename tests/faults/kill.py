"""Killing a server at random moments under load: what it acknowledged is there, once, when it is started again.

Players are real clients of `client.connection`; the server is a process of its own, as people start it, killed with
SIGKILL and started again on the same file and port. Every cycle some games are under way, and some end.
"""

from __future__ import annotations

import asyncio
import random
import sys
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from client.connection import Client
from client.errors import ClientError, ConnectionLost, Refused
from protocol.messages import Clock, Create, Finished, Join, MakeMove, MatchEvent, Moved, YourTurn
from server.records.archive import check
from server.referee.stored import StoredMatch
from server.store.reading import read_matches
from tests.ports import free_port

ROOT = Path(__file__).parents[2]
START_S = 20.0
CLOCK = Clock(120_000, 0)

GAMES = ("morpion:width=5,height=5,k=4", "othello:size=6", "puissance4")


class BrokenPromiseError(AssertionError):
    """Something that was acknowledged is not in the record, or stands there twice."""


@dataclass
class Tally:
    """What happened in a run. downtimes: seconds from a kill until the server listens again."""

    kills: int = 0
    acknowledged: int = 0
    matches: int = 0
    finished: int = 0
    resumed: int = 0
    downtimes: list[float] = field(default_factory=list)


class Server:
    """The server's process; each start is a new one on the same port and file."""

    def __init__(self, path: Path, durability: str) -> None:
        self.port = free_port()
        self._command = (
            sys.executable, "-m", "arbitre", "serve", "--host", "127.0.0.1", "--port", str(self.port),
            "--no-house-bots", "--db", str(path), "--durability", durability,
        )  # fmt: skip
        self._process: asyncio.subprocess.Process | None = None

    async def start(self) -> None:
        """Returns once it listens."""
        self._process = process = await asyncio.create_subprocess_exec(
            *self._command, cwd=ROOT, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE
        )
        assert process.stdout is not None
        assert process.stderr is not None
        async with asyncio.timeout(START_S):
            line = await process.stdout.readline()
        if not line:
            raise BrokenPromiseError(f"the server does not start: {(await process.stderr.read()).decode()}")

    async def kill(self) -> None:
        """As the system would: without a word."""
        if self._process is not None and self._process.returncode is None:
            self._process.kill()
            await self._process.communicate()


class Pair:
    """Two clients who play one game after another."""

    def __init__(self, url: str, number: int, seed: int, tally: Tally) -> None:
        self._rng = random.Random(f"{seed}/{number}")
        self._url = url
        self._number = number
        self._tally = tally
        self._over = False
        self.acknowledged: Counter[tuple[str, int, str]] = Counter()
        self.heard: dict[tuple[str, int], MatchEvent] = {}

    async def play(self, stop: asyncio.Event) -> None:
        """Plays until `stop` is set, and then the running game to its end."""
        names = (f"ada {self._number}", f"bob {self._number}")
        first, second = (
            Client(self._url, name=name, kind="bot", patience_s=120, first_patience_s=START_S) for name in names
        )
        async with first, second:
            listeners = [asyncio.create_task(self._listen(client)) for client in (first, second)]
            try:
                while not stop.is_set():
                    await self._game(first, second, listeners)
                    first, second = second, first
            finally:
                for listener in listeners:
                    listener.cancel()
                await asyncio.gather(*listeners, return_exceptions=True)

    async def _game(self, first: Client, second: Client, listeners: list[asyncio.Task[None]]) -> None:
        self._finished: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._match = ""
        while not self._match:
            with suppress(ConnectionLost):
                opened = await first.request(Create, game=self._rng.choice(GAMES), clock=CLOCK, seat="first")
                assert isinstance(opened.match, str)
                self._match = opened.match
        await second.request(Join, match=self._match)
        self._tally.matches += 1
        await asyncio.wait([self._finished, *listeners], return_when=asyncio.FIRST_COMPLETED)
        for listener in listeners:
            if listener.done():
                listener.result()
        self._tally.finished += 1

    async def _listen(self, client: Client) -> None:
        moving: set[asyncio.Task[None]] = set()
        async for message in client.messages():
            if isinstance(message, YourTurn):
                task = asyncio.create_task(self._move(client, message))
                moving.add(task)
                task.add_done_callback(moving.discard)
            elif isinstance(message, MatchEvent):
                known = self.heard.setdefault((message.match, message.seq), message)
                if known != message:
                    raise BrokenPromiseError(f"two events with one number: {known} and {message}")
                if isinstance(message, Finished) and message.match == self._match and not self._finished.done():
                    self._finished.set_result(None)

    async def _move(self, client: Client, turn: YourTurn) -> None:
        move = self._rng.choice(turn.legal)
        try:
            await client.request(MakeMove, match=turn.match, ply=turn.ply, move=move)
        except Refused:
            return  # the turn was asked for again after a reconnect, and answered meanwhile
        except ClientError:
            return
        self.acknowledged[turn.match, turn.ply, move] += 1
        self._tally.acknowledged += 1


async def kill_again_and_again(
    path: Path, *, kills: int, pairs: int, seed: int, durability: str = "process", up_s: float = 0.4
) -> Tally:
    """Plays, kills the server `kills` times and checks the record; raises BrokenPromiseError."""
    tally, rng = Tally(), random.Random(seed)
    server = Server(path, durability)
    await server.start()
    stop = asyncio.Event()
    playing = [Pair(f"ws://127.0.0.1:{server.port}", number, seed, tally) for number in range(pairs)]
    tasks = [asyncio.create_task(pair.play(stop)) for pair in playing]
    try:
        for _ in range(kills):
            before = tally.acknowledged
            async with asyncio.timeout(60):
                while tally.acknowledged < before + pairs:  # they are all back, or enough of them are
                    await asyncio.sleep(0.01)
                    _raise_failures(tasks)
            await asyncio.sleep(rng.uniform(0, up_s))
            began = asyncio.get_running_loop().time()
            await server.kill()
            tally.kills += 1
            await server.start()
            tally.downtimes.append(asyncio.get_running_loop().time() - began)
        stop.set()
        async with asyncio.timeout(120):
            await asyncio.gather(*tasks)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await server.kill()
    _check(path, playing)
    return tally


def _raise_failures(tasks: list[asyncio.Task[None]]) -> None:
    for task in tasks:
        if task.done():
            task.result()


def _check(path: Path, playing: list[Pair]) -> None:
    kept = {match.id: match for match in read_matches(str(path))}
    for pair in playing:
        for (match, seq), event in pair.heard.items():
            found = kept[match].events[seq - 1 : seq]
            if found != (event,):
                raise BrokenPromiseError(f"somebody heard {event}, the record has {found}")
        for (match, ply, move), times in pair.acknowledged.items():
            moves = [event for event in kept[match].events if isinstance(event, Moved) and event.ply == ply]
            if [event.move for event in moves] != [move]:
                raise BrokenPromiseError(
                    f"{match}: {move} was acknowledged {times} times as ply {ply}, there is {moves}"
                )
    for stored in kept.values():
        _check_record(stored)


def _check_record(match: StoredMatch) -> None:
    """The numbers without a gap, the clocks that add up, the rules: as `arbitre verify`; and nobody lost on time."""
    if [event.seq for event in match.events] != list(range(1, len(match.events) + 1)):
        raise BrokenPromiseError(f"{match.id}: a gap in {[event.seq for event in match.events]}")
    if problems := check(match):
        raise BrokenPromiseError(f"{match.id}: {problems}")
    if match.result is not None and match.result.reason not in ("line", "discs", "full", "aborted"):
        raise BrokenPromiseError(f"{match.id} ended by {match.result.reason}")
