"""The connections that have shaken hands, and what is measured of them."""

from __future__ import annotations

import math

from server.gate import address_key
from server.peer import Peer


class Peers(dict[int, Peer]):
    """Peers by the numbers of their connections. They are the `Measurements` of the referee."""

    def lag_ms(self, connection: int) -> int:
        """The round trip that the last ping measured, 1 if it is shorter; 0 before the first."""
        peer = self.get(connection)
        return 0 if peer is None else peer.lag_ms

    def origin_of(self, connection: int) -> str | None:
        """The address that a connection counts for; None for one that is trusted, or gone."""
        peer = self.get(connection)
        return None if peer is None or peer.address.trusted else address_key(peer.host)

    def unheard_since(self, connection: int) -> float:
        """When a peer that waits in the queue was read."""
        peer = self.get(connection)
        return math.inf if peer is None or not peer.queued else peer.heard_at

    def sign_of_life(self, connection: int, now: float) -> float:
        """When something was read, or the machine at the other end acknowledged something."""
        peer = self.get(connection)
        if peer is None or not peer.is_read():
            return now
        return max(peer.alive_at, now - peer.silent_s())

    def unread(self, connection: int) -> int:
        """What waits in our memory; a transport holds little beside it."""
        peer = self.get(connection)
        return 0 if peer is None else peer.waiting
