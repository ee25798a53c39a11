"""What one connection may cost the server."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Bounds:
    """What one connection may cost; times in seconds, sizes in bytes.

    backlog, send: how much may wait for a peer that does not read, and for how long.
    linger: how long what nobody waits for (the acknowledgement of a move) may wait for company in its frame, at least
    half as long. linger_bot: the same for a bot, which sees nothing of it.
    open: how long the handshakes may take. hello: how long a new connection may stay silent after them.
    close: how long a closing handshake may take.
    """

    backlog: int = 1 << 20
    high_water: int = 1 << 16
    send: float = 10.0
    linger: float = 0.01
    linger_bot: float = 0.04
    hello: float = 10.0
    open: float = 10.0
    close: float = 5.0
    ping_interval: float = 5.0
    ping_timeout: float = 5.0
