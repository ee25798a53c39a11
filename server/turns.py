"""Who is heard next when more has arrived than can be heard at once: addresses take turns, and at each its peers.

A peer gets a small slice of work a turn, so that one frame of hundreds of requests, or a flood from hundreds of
connections, holds nobody else up: the event loop goes round between the slices, and whoever has little to say is heard
at once, without waiting here.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable

from server.peer import Peer
from server.ratelimit import AddressMeter

BUDGET_SECONDS = 0.003
"""Work in one turn of the loop: how long somebody who has little to say may have to wait for it."""


class Turns:
    """The peers that wait to be heard. act: does a slice of work for a peer; says whether there is more of it."""

    def __init__(self, act: Callable[[Peer], bool]) -> None:
        self._act = act
        self._loop = asyncio.get_running_loop()
        self._addresses: deque[AddressMeter] = deque()
        self._peers: dict[AddressMeter, deque[Peer]] = {}
        self._scheduled = False

    def wait(self, peer: Peer) -> None:
        """Puts a peer at the end of its address's line; it must not stand there already."""
        self._line(peer.address).append(peer)
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
        finally:  # whatever one slice brings about, the others get theirs
            self._scheduled = bool(self._addresses)
            if self._scheduled:
                self._loop.call_soon(self._run)

    def _slice(self) -> None:
        """One peer of the next address; both go to the end of their lines, if there is more."""
        address = self._addresses[0]
        self._addresses.rotate(-1)
        line = self._peers[address]
        peer = line.popleft()
        if not line:
            del self._peers[address]
            self._addresses.pop()
        if self._act(peer):
            self._line(address).append(peer)

    def _line(self, address: AddressMeter) -> deque[Peer]:
        line = self._peers.get(address)
        if line is None:
            self._peers[address] = line = deque()
            self._addresses.append(address)
        return line
