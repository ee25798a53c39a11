"""The rows of `benchmarks.search` about the clock: no game lost on it, and how soon a search stops and answers.

These need the clock on the wall, so other work on the machine makes the figures worse, never better.
"""

from __future__ import annotations

import asyncio
import hashlib
import os
import random
import statistics
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import AsyncExitStack

from websockets.asyncio.server import ServerConnection

from benchmarks._measure import BenchError, Row, progress
from bots.base import Bot, Budget, parse_bot
from bots.check.interference import RelayEntry
from bots.check.relay import Relay
from bots.timing import move_time
from client.connection import Client
from games import Position, Seat, parse
from league.duel import Duel, DuelPlan
from league.executors.local_server import READY, START_S, LocalServerError, arbitre, serving
from processes.child import ChildError
from protocol.messages import Clock, Create, Resign

ON_TIME = (("othello", 0.34), ("puissance4", 0.33), ("morpion:width=10,height=10,k=5", 0.33))
"""What is played, and which share of the games."""

OPPONENT = "human:level=9"
"""Uses its clock as `strong` does, and varies the games."""

CLOCK = Clock(initial_ms=1000, increment_ms=10)
_A_BATCH = 25
"""So many games are played by the same processes."""


def row(work: str, measured: str, against: str, aim: str, *, reached: bool) -> Row:
    """One line of the table."""
    return {"work": work, "measured": measured, "against": against, "aim": aim, "reached": "yes" if reached else "no"}


def on_time_row(games: int) -> Row:
    """Games at 1s+0.01s between bot processes, over a real server, as many at once as the machine has cores."""
    reasons = asyncio.run(_play_all(games))
    lost = reasons["timeout"]
    others = ", ".join(f"{count} {reason}" for reason, count in sorted(reasons.items()) if reason != "timeout")
    load = f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores"
    work = f"{games} games at 1s+0.01s, {len(ON_TIME)} games mixed"
    return row(work, f"{lost} lost on time; {others}; {load}", OPPONENT, "0 lost on time", reached=lost == 0)


async def _play_all(games: int) -> Counter[str]:
    """The reasons for which the games ended; those that `OPPONENT` loses on time count as such too."""
    batches = [
        (spec, min(_A_BATCH, wanted - start))
        for spec, share in ON_TIME
        for wanted in (max(1, round(games * share)),)
        for start in range(0, wanted, _A_BATCH)
    ]
    reasons: Counter[str] = Counter()

    async def lane() -> None:
        while batches:
            spec, count = batches.pop()
            reasons.update(await _play(spec, count, seed=str(len(batches))))
            progress(f"{sum(reasons.values())} games over, {reasons['timeout']} lost on time")

    try:
        async with asyncio.TaskGroup() as lanes:
            for _ in range(os.cpu_count() or 1):
                lanes.create_task(lane())
    except* LocalServerError as errors:
        raise BenchError(str(errors.exceptions[0])) from errors
    return reasons


async def _play(spec: str, games: int, seed: str) -> Counter[str]:
    bots = ("strong", OPPONENT)
    plan = DuelPlan(parse(spec), bots, games, CLOCK)
    async with Duel(plan, seed) as duel:
        return Counter([record.reason async for record in duel.records()])


# ----------------------------------------------------------------------------------------------------------- deadlines

UNSOLVED = {"othello": 20, "puissance4:width=8,height=6": 8, "morpion:width=10,height=10,k=5": 6}
"""Rules -> the random plies after which nothing is found to the end in a tenth of a second, so that searches are
stopped."""

_SHORTEST_MS, _LONGEST_MS = 40, 120


def stop_rows(stops: int) -> Iterator[Row]:
    """What `strong` still does when it is told to stop, in CPU time; and on the clock, how late its deadlines end it.

    The clock also shows how long the system lets it wait, and so does a bare timer, in turns with it.
    """
    for spec, plies in UNSOLVED.items():
        rng, work, late, bare = random.Random(1), list[float](), list[float](), list[float]()
        bot = _strong(spec)
        bot.choose(_after(spec, plies, rng), Budget(_LONGEST_MS, move_ms=_LONGEST_MS))
        while len(late) < stops:
            move_ms = rng.randint(_SHORTEST_MS, _LONGEST_MS)
            budget, position = Budget(move_ms, move_ms=move_ms), _after(spec, plies, rng)
            limits = move_time(budget, 1)
            assert limits is not None
            began = time.perf_counter()
            bot.choose(position, budget)
            over_ms = 1000 * (time.perf_counter() - began - limits.most_s)
            if over_ms > -1:  # else it was done before
                late.append(over_ms)
                bare.append(_bare_timer_ms(limits.most_s))
                work.append(_work_after_stop_ms(spec, position, limits.most_s))
        measured = f"{_spread(work)} of CPU time; on the clock {_spread(late)}"
        against = f"a bare timer: {_spread(bare)}"
        yield row(f"{stops} stops, {spec.partition(':')[0]}", measured, against, "5 ms", reached=_p99(work) <= 5)


def _strong(spec: str) -> Bot:
    return parse_bot("strong").make(parse(spec), Seat.FIRST, random.Random(1))


def _work_after_stop_ms(spec: str, position: Position, seconds: float) -> float:
    """The CPU time of this process between telling a search to stop and its return."""
    bot, endless = _strong(spec), Budget(3_600_000, move_ms=3_600_000)
    searching = threading.Thread(target=bot.choose, args=(position, endless))
    searching.start()
    time.sleep(seconds)
    began = time.process_time()
    bot.close()
    searching.join()
    return 1000 * (time.process_time() - began)


def _bare_timer_ms(seconds: float) -> float:
    """How late a thread's timer ends a loop of hashing, which lets the interpreter's lock go as searches do."""
    over = threading.Event()
    timer = threading.Timer(seconds, over.set)
    began = time.perf_counter()
    timer.start()
    while not over.is_set():
        hashlib.pbkdf2_hmac("sha256", b"", b"", 100)
    return 1000 * (time.perf_counter() - began - seconds)


def _after(spec: str, plies: int, rng: random.Random) -> Position:
    while True:
        position = parse(spec).start()
        for _ in range(plies):
            if position.outcome() is None:
                position = position.play(rng.choice(position.legal_moves()))
        if position.outcome() is None and len(position.legal_moves()) > 1:
            return position


def _p99(values: list[float]) -> float:
    return sorted(values)[int(0.99 * (len(values) - 1))]


def _spread(values: list[float]) -> str:
    return f"p50 {statistics.median(values):.1f}, p99 {_p99(values):.1f}, max {max(values):.1f} ms"


# -------------------------------------------------------------------------------------------------------------- answers

_PINGS = 10
_BETWEEN_S = 0.03
_SEARCHING_S = 0.15


class Door(Relay):
    """A relay that can ask the bot for a pong, and hears it leave a match."""

    bot: ServerConnection

    def __init__(self, server_url: str) -> None:
        super().__init__(server_url)
        self.left = asyncio.Event()

    async def _relay(self, bot: ServerConnection) -> None:
        self.bot = bot
        await super()._relay(bot)

    def _write_down(self, entry: RelayEntry) -> None:
        super()._write_down(entry)
        if entry.what == "bot" and any(message.get("type") == "leave" for message in entry.frame.messages):
            self.left.set()


def responsive_rows(rounds: int) -> Iterator[Row]:
    """How soon the process of `strong` answers a ping, and a resignation by leaving, while it searches."""
    for spec, plies in UNSOLVED.items():
        try:
            pings, leaves, idle = asyncio.run(_ask(spec, plies, rounds))
        except ChildError as error:
            raise BenchError(str(error)) from error
        for what, values, against in (("ping", pings, f"when idle: {_spread(idle)}"), ("resign", leaves, "")):
            work = f"{len(values)} answers to a {what}, {spec.partition(':')[0]}"
            yield row(work, _spread(values), against, "50 ms", reached=_p99(values) <= 50)


async def _ask(spec: str, plies: int, rounds: int) -> tuple[list[float], list[float], list[float]]:
    """Milliseconds from a ping to its pong, from a resignation to the bot's leave, and to a pong when it is idle."""
    rng, pings, leaves, idle = random.Random(1), list[float](), list[float](), list[float]()
    async with AsyncExitStack() as stack:
        _, url = await stack.enter_async_context(serving())
        door = await stack.enter_async_context(Door(url))
        child = await stack.enter_async_context(arbitre("bot", "strong", door.url, "--game", spec, name="strong"))
        name = (await child.first_line(START_S)).removeprefix(READY)
        client = await stack.enter_async_context(Client(url, name="bench", kind="human"))
        for _ in range(rounds):
            moves = _played(spec, plies, rng)
            match = (
                await client.request(Create, game=spec, seat="second", invite=(name,), opening=moves, public=False)
            ).match
            assert isinstance(match, str)
            await asyncio.sleep(_SEARCHING_S)
            await _ping(door, pings)
            door.left.clear()
            began = time.perf_counter()
            await client.request(Resign, match=match)
            await door.left.wait()
            leaves.append(1000 * (time.perf_counter() - began))
            await _ping(door, idle)
    return pings, leaves, idle


async def _ping(door: Door, times: list[float]) -> None:
    for _ in range(_PINGS):
        times.append(1000 * await (await door.bot.ping()))
        await asyncio.sleep(_BETWEEN_S)


def _played(spec: str, plies: int, rng: random.Random) -> tuple[str, ...]:
    """Random moves after which the first player is to move, with a choice and without a win at once."""
    while True:
        position, moves = parse(spec).start(), list[str]()
        while len(moves) < plies and position.outcome() is None:
            moves.append(rng.choice(position.legal_moves()))
            position = position.play(moves[-1])
        after = [position.play(move).outcome() for move in position.legal_moves()]
        if len(after) > 1 and position.to_move is Seat.FIRST and not any(after):
            return tuple(moves)
