"""The connections that have shaken hands, and what is measured of them."""

from __future__ import annotations

import math
from collections.abc import Iterator

from server.connections.peer import Peer
from server.ratelimit import address_key


class Peers:
    """Peers by the numbers of their connections; iterating gives the peers. The `Measurements` of the referee."""

    __slots__ = ("_by_number",)

    def __init__(self) -> None:
        self._by_number: dict[int, Peer] = {}

    def __len__(self) -> int:
        """How many there are."""
        return len(self._by_number)

    def __iter__(self) -> Iterator[Peer]:
        """The peers, in the order in which they came."""
        return iter(self._by_number.values())

    def __contains__(self, connection: int) -> bool:
        """Whether a connection is still there."""
        return connection in self._by_number

    def at(self, connection: int) -> Peer | None:
        """The peer of a connection; None once it is gone."""
        return self._by_number.get(connection)

    def enter(self, peer: Peer) -> None:
        """A peer has its number."""
        self._by_number[peer.number] = peer

    def leave(self, peer: Peer) -> None:
        """The connection of a peer is over."""
        del self._by_number[peer.number]

    def lag_ms(self, connection: int) -> int:
        """The round trip that the last ping measured, 1 if it is shorter; 0 before the first."""
        peer = self._by_number.get(connection)
        return 0 if peer is None else peer.lag_ms

    def address_of(self, connection: int) -> str | None:
        """The address that a connection counts for; None for one that is trusted, or gone."""
        peer = self._by_number.get(connection)
        return None if peer is None or peer.address.trusted else address_key(peer.host)

    def unheard_since(self, connection: int) -> float:
        """When a peer that waits in the queue was read; infinite for others, and for one that waits until it reads."""
        peer = self._by_number.get(connection)
        return math.inf if peer is None or not peer.queued or (peer.stuck and peer.paused) else peer.heard_at

    def sign_of_life(self, connection: int, now: float) -> float:
        """When something was read, or the machine at the other end acknowledged something."""
        peer = self._by_number.get(connection)
        if peer is None or not peer.is_read():
            return now
        return max(peer.alive_at, now - peer.silent_s())

    def unread(self, connection: int) -> int:
        """What waits in our memory; a transport holds little beside it."""
        peer = self._by_number.get(connection)
        return 0 if peer is None else peer.waiting
