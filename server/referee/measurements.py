"""What the shell measures of connections, for the referee to read: it asks nobody else about the network. Pure."""

from __future__ import annotations

import math
from typing import Final, Protocol


class Measurements(Protocol):
    """What is known of each connection, by its number; reading it changes nothing."""

    def lag_ms(self, connection: int, /) -> int:
        """The round trip that was measured last; 0 before the first, or of a connection that is gone."""
        ...

    def address_of(self, connection: int, /) -> str | None:
        """The address that a connection counts for; None if it counts for none."""
        ...

    def unheard_since(self, connection: int, /) -> float:
        """When the first message was read that the referee has not heard yet; infinite if there is none."""
        ...

    def sign_of_life(self, connection: int, now: float, /) -> float:
        """When a connection gave its last sign of life; `now` if nobody can tell."""
        ...

    def unread(self, connection: int, /) -> int:
        """How many bytes wait for a connection that it has yet to read."""
        ...


class Unmeasured:
    """Measurements where there is no network."""

    def lag_ms(self, _connection: int, /) -> int:
        """Nothing was measured."""
        return 0

    def address_of(self, _connection: int, /) -> str | None:
        """No connection counts for an address."""
        return None

    def unheard_since(self, _connection: int, /) -> float:
        """Every message is heard at once."""
        return math.inf

    def sign_of_life(self, _connection: int, now: float, /) -> float:
        """Whoever is connected is there."""
        return now

    def unread(self, _connection: int, /) -> int:
        """Everybody reads at once."""
        return 0


UNMEASURED: Final = Unmeasured()
