"""A world from a seed: a server with its disk, players, a network, and what goes wrong; then what must hold."""

from __future__ import annotations

import asyncio
import hashlib
import random
from itertools import count

from protocol.messages import Clock, Finished, MatchEvent, Moved, Presence, Started, TookBack
from protocol.messages import Network as NetworkRule
from server.records.archive import check
from server.referee.settings import Settings
from server.referee.stored import StoredMatch
from server.store.reading import read_all
from tests.faults.simulation.disk import Disk, SimulatedStore
from tests.faults.simulation.network import Network
from tests.faults.simulation.players import Game, Player
from tests.faults.simulation.virtual import run, virtual_loop
from tests.server.hall import TIMEOUTS, Hall

END_S = 2000.0
"""Virtual seconds after which every match must long be over."""

SPECS = ("morpion", "morpion:width=4,height=4,k=3", "puissance4:width=5,height=4", "othello:size=4")
CLOCKS = (None, Clock(20_000, 500), Clock(move_ms=8_000))
NETWORKS = (None, NetworkRule("pause", 60_000), NetworkRule("pause", 20_000, "forgiven"), NetworkRule("clock", 15_000))


class FaultFoundError(AssertionError):
    """What does not hold in the world of a seed, and the command that plays it again."""


class World:
    """Everything that happens; `complaints` is what must not."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)
        self.complaints: list[str] = []
        self.network = Network(random.Random(self.rng.random()))
        self.disk = Disk(random.Random(self.rng.random()))
        self.events: dict[tuple[str, int], MatchEvent] = {}
        self.crashes = 0
        self._digest = ""
        self.loop = virtual_loop()
        self._numbers = count(seed)
        self.players: list[Player] = []
        for pair in range(self.rng.randint(1, 3)):
            game = Game(self.rng.choice(SPECS), self.rng.choice(CLOCKS), self.rng.choice(NETWORKS))
            for name in ("ada", "bob"):
                rng = random.Random(self.rng.random())
                self.players.append(Player(self, f"{name} {pair}", game, rng, opens=name == "ada"))

    def complain(self, what: str) -> None:
        self.complaints.append(f"at {self.loop.time():.3f}: {what}")

    def heard(self, who: str, event: MatchEvent) -> None:
        """Somebody was told of an event: everybody is told the same, and so is the disk."""
        known = self.events.setdefault((event.match, event.seq), event)
        if known != event:
            self.complain(f"{who} heard {event}, somebody else {known}")

    def digest(self) -> str:
        """A hash over all that was recorded, and when."""
        return self._digest

    def is_over(self, match: str) -> bool:
        """Whether the record says so."""
        query = "SELECT count(*) FROM results WHERE match = ?"
        return bool(self.disk.database.execute(query, (match,)).fetchone()[0])

    async def live(self) -> None:
        """From the first dial to the last match's end."""
        self._start()
        chaos = self.loop.create_task(self._chaos())
        try:
            async with asyncio.timeout(END_S):
                await asyncio.gather(chaos, *(player.live() for player in self.players))
                while self._open():  # noqa: ASYNC110 - what a disk holds sets no event
                    await asyncio.sleep(5)
        except TimeoutError:
            self.complain(f"not over: {self._open()}, players {[player.done for player in self.players]}")
        chaos.cancel()
        await asyncio.sleep(1)
        self._check()
        rows = self.disk.database.execute("SELECT match, seq, payload, wall_ms FROM events ORDER BY match, seq")
        self._digest = hashlib.sha256(repr(rows.fetchall()).encode()).hexdigest()
        if self.network.hall is not None:
            self.network.hall.end()
        await asyncio.sleep(0)
        self.disk.database.close()

    # -------------------------------------------------------------------------------------------------- what happens

    def _start(self) -> None:
        self.network.hall = Hall(
            self.disk.store,
            settings=Settings(TIMEOUTS),
            seed=next(self._numbers),
            wall_ms=lambda: round(self.loop.time() * 1000),
        )

    def _crash(self) -> None:
        hall, self.network.hall = self.network.hall, None
        if hall is not None:
            assert isinstance(hall.app.store, SimulatedStore)
            hall.app.store.die()
            hall.end()
            self.crashes += 1

    async def _chaos(self) -> None:
        rng, until = self.rng, self.rng.uniform(5, 40)
        while self.loop.time() < until:
            await asyncio.sleep(rng.expovariate(1 / 1.5))
            await rng.choices(
                (self._break, self._silence, self._stall, self._fill_disk, self._slow, self._restart),
                (35, 15, 15, 10, 10, 15),
            )[0]()
        self.network.calm = True
        self.disk.full = False
        self.disk.busy = 0.004

    async def _break(self) -> None:
        if alive := self.network.alive():
            self.rng.choice(alive).break_off()

    async def _silence(self) -> None:
        if alive := self.network.alive():
            self.rng.choice(alive).fall_silent()

    async def _stall(self) -> None:
        self.loop.stall(self.rng.uniform(0.02, 2))

    async def _fill_disk(self) -> None:
        self.disk.full = True
        await asyncio.sleep(self.rng.uniform(0.1, 6))
        if self.rng.random() < 0.3:
            self._crash()
        self.disk.full = False
        if self.network.hall is None:
            await asyncio.sleep(self.rng.uniform(0.1, 3))
            self._start()

    async def _slow(self) -> None:
        self.disk.busy = self.rng.choice((0.004, 0.05, 1.0))
        self.network.slow_until = self.loop.time() + self.rng.uniform(0, 5)

    async def _restart(self) -> None:
        self._crash()
        await asyncio.sleep(self.rng.uniform(0.05, 8))
        self._start()

    def _open(self) -> list[str]:
        query = "SELECT id FROM matches WHERE id NOT IN (SELECT match FROM results)"
        return [match for (match,) in self.disk.database.execute(query)]

    # ---------------------------------------------------------------------------------------------------- what holds

    def _check(self) -> None:
        kept = {match.id: match for match in read_all(self.disk.database)}
        for (match, seq), event in self.events.items():
            found = kept[match].events[seq - 1 : seq] if match in kept else ()
            if found != (event,):
                self.complain(f"somebody heard {event}, the record has {found}")
        for player in self.players:
            for match, ply, move in player.acknowledged:
                self._check_move(kept.get(match), ply, move)
        for stored in kept.values():
            self._check_record(stored)
        self._check_answers()

    def _check_move(self, match: StoredMatch | None, ply: int, move: str) -> None:
        events = () if match is None else match.events
        made = [event for event in events if isinstance(event, Moved) and (event.ply, event.move) == (ply, move)]
        undone = sum(isinstance(event, TookBack) and event.ply <= ply for event in events)
        if not 1 <= len(made) <= 1 + undone:
            self.complain(f"{move} was acknowledged as ply {ply} and is in the record {len(made)} times")

    def _check_record(self, match: StoredMatch) -> None:
        if [event.seq for event in match.events] != list(range(1, len(match.events) + 1)):
            self.complain(f"{match.id}: a gap in {[event.seq for event in match.events]}")
        if problems := check(match):
            self.complain(f"{match.id}: {problems}")
        self._check_times(match)

    def _check_times(self, match: StoredMatch) -> None:
        """No player is charged for more than what passed since the clock was started; dates are virtual here."""
        began: int | None = None
        spent = 0
        for event, wall in zip(match.events, match.wall_ms, strict=True):
            if isinstance(event, Moved | Finished | Presence) and began is not None and match.clock is not None:
                spent += event.used_ms + event.lag_ms + event.stall_ms
                if spent > wall - began + 2:
                    self.complain(f"{match.id}: {spent} ms charged of {wall - began}: {event}")
            if isinstance(event, Moved | Started | TookBack):
                began, spent = wall, 0

    def _check_answers(self) -> None:
        for connection in self.network.connections:
            twice = [number for number, times in connection.answered.items() if times > connection.asked[number]]
            if twice:
                self.complain(f"answered more often than asked: {twice}")
            if connection.is_whole() and connection.asked != connection.answered:
                self.complain(f"asked {connection.asked}, answered {connection.answered}")


def replay(seed: int) -> World:
    """Lives the world of a seed; raises FaultFoundError."""
    worlds: list[World] = []

    async def main() -> None:
        worlds.append(World(seed))
        await worlds[0].live()

    try:
        run(main())
    except FaultFoundError:
        raise
    except Exception as error:
        raise FaultFoundError(_command(seed, [repr(error)])) from error
    if worlds[0].complaints:
        raise FaultFoundError(_command(seed, worlds[0].complaints))
    return worlds[0]


def _command(seed: int, complaints: list[str]) -> str:
    return "\n".join((f"python3 run.py bench simulation --seed {seed}", *complaints))
