"""What one connection may cost the server."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Bounds:
    """What one connection may cost; times in seconds, sizes in bytes.

    backlog, send: how much may wait for a peer that does not read, and for how long.
    unheard: once so much waits, for the store or for the peer to read, nothing more that it asks for is heard; what
    others say to it may still come to `backlog`.
    linger: how long a message that nobody waits for (such as the acknowledgement of a move) may wait to share a frame;
    it waits at least half of that. linger_bot: the same for a bot, to which the delay does not show.
    open: how long the handshakes may take. hello: how long a new connection may stay silent after them.
    close: how long a closing handshake may take.
    """

    backlog: int = 1 << 20
    high_water: int = 1 << 16
    unheard: int = 1 << 17
    send: float = 10.0
    linger: float = 0.01
    linger_bot: float = 0.04
    hello: float = 10.0
    open: float = 10.0
    close: float = 5.0
    ping_interval: float = 5.0
    ping_timeout: float = 5.0
