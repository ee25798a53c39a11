"""Who is heard next when more has arrived than can be heard at once: addresses take turns, and at each its peers.

A peer gets a small slice of work a turn, so that one frame of hundreds of requests, or a flood from hundreds of
connections, holds nobody else up: the event loop goes round between the slices, and whoever has little to say is heard
at once, without waiting here. Among the peers of an address, newcomers get a first, smaller slice before those that had
one (as new flows do in fq_codel, RFC 8290), so that a single request does not wait behind its neighbours' many. All
newcomers together get no more work than the others.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from typing import Final

from server.connections.peer import Peer
from server.ratelimit import AddressMeter

BUDGET_SECONDS: Final = 0.003
"""Work in one turn of the loop: how long somebody who has little to say may have to wait for it."""


SLICE_UNITS: Final = 10.0
"""Work that is done for one peer in its turn."""

FIRST_UNITS: Final = 1.0
"""Work that is done for a peer that has just come: a single request."""


class FairQueue:
    """The peers that wait to be heard. act: does some units of work for a peer; returns whether there is more."""

    def __init__(self, act: Callable[[Peer, float], bool]) -> None:
        self._act = act
        self._loop = asyncio.get_running_loop()
        self._addresses: deque[AddressMeter] = deque()
        self._lines: dict[AddressMeter, _Line] = {}
        self._scheduled = False

    def wait(self, peer: Peer) -> None:
        """Puts a peer at the end of its address's line; it must not stand there already."""
        self._line(peer.address).came.append(peer)
        if not self._scheduled:
            self._scheduled = True
            self._loop.call_soon(self._run)

    def _run(self) -> None:
        end = self._loop.time() + BUDGET_SECONDS
        try:
            while self._addresses:
                self._slice()
                if self._loop.time() >= end:
                    break
        finally:  # even if one slice raises, the others get theirs
            self._scheduled = bool(self._addresses)
            if self._scheduled:
                self._loop.call_soon(self._run)

    def _slice(self) -> None:
        """One peer of the next address; both go to the end of their lines, if there is more."""
        address = self._addresses[0]
        self._addresses.rotate(-1)
        line = self._lines[address]
        peer, units = line.next()
        if not (line.came or line.stayed):
            del self._lines[address]
            self._addresses.pop()
        if self._act(peer, units):
            self._line(address).stayed.append(peer)

    def _line(self, address: AddressMeter) -> _Line:
        line = self._lines.get(address)
        if line is None:
            self._lines[address] = line = _Line()
            self._addresses.append(address)
        return line


class _Line:
    """The peers of an address that wait: who has just come, and who has had a slice."""

    __slots__ = ("_ahead", "came", "stayed")

    def __init__(self) -> None:
        self.came: deque[Peer] = deque()
        self.stayed: deque[Peer] = deque()
        self._ahead = 0.0

    def next(self) -> tuple[Peer, float]:
        """Whose turn it is, and for how much work."""
        if self.came and (self._ahead < SLICE_UNITS or not self.stayed):
            self._ahead += FIRST_UNITS
            return self.came.popleft(), FIRST_UNITS
        self._ahead = 0.0
        return self.stayed.popleft(), SLICE_UNITS
