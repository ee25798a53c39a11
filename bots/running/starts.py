"""How many programs of others a bot process runs at once, and how many of them start at a time.

Starting a program takes processor time: if two hundred start together on two cores, none of them is ready in time.
So only as many start at a time as there are cores. The wait is on nobody's clock, since a bot takes its seat only when
its program is ready. And no more programs are started than the machine has room for.
"""

import asyncio
import os
from collections import deque
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

from machine.memory import available_bytes

PROGRAMS_A_CORE = 16
"""Programs at once, for each core: most of them wait for their opponents."""

PROGRAM_BYTES = 48 << 20
"""Memory of a small program with its supervisor; a Python file and its supervisor were measured at 25 MB."""

WAIT_S = 20.0
"""How long an invitation waits for a place and for its turn to start; then it is declined as `busy`."""


def cores() -> int:
    """The cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return max(1, len(os.sched_getaffinity(0)))
    return os.cpu_count() or 1


def usual_places() -> int:
    """How many programs at once this machine has room for now, at least one."""
    room = available_bytes()
    by_memory = PROGRAMS_A_CORE * cores() if room is None else room // PROGRAM_BYTES
    return max(1, min(PROGRAMS_A_CORE * cores(), by_memory))


class Starts:
    """The places of one bot process for programs, and their queue to start; both first come, first served.

    places: how many programs run at once. at_a_time: how many start at the same time.
    """

    def __init__(self, places: int, at_a_time: int) -> None:
        self.places = places
        self._taken = 0
        self._waiting: deque[asyncio.Future[None]] = deque()
        self._starting = asyncio.Semaphore(at_a_time)

    async def take_place(self) -> None:
        """Waits until there is a place, and takes it; `leave_place` gives it back."""
        if self._taken < self.places and not self._waiting:
            self._taken += 1
            return
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append(turn)
        try:
            await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():  # the place came at the same moment
                self.leave_place()
            elif turn in self._waiting:  # else a place came free at the same moment, and it was passed over
                self._waiting.remove(turn)
            raise

    def hold_place(self) -> None:
        """Takes a place whether there is one or not: for a seat that the bot has already."""
        self._taken += 1

    def leave_place(self) -> None:
        """A program has ended: whoever has waited longest may go on."""
        self._taken -= 1
        while self._waiting and self._taken < self.places:
            turn = self._waiting.popleft()
            if not turn.done():
                turn.set_result(None)
                self._taken += 1

    @asynccontextmanager
    async def turn(self) -> AsyncGenerator[None]:
        """Waits for the turn to start, and has it while the block runs."""
        async with self._starting:
            yield
