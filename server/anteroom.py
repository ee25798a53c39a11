"""Connections that have not said `hello` yet: who of them is served now, who waits, and who makes room. Pure.

Whoever has not shown who it is may cost little. A connection is silent at first and costs next to nothing; once it has
said something it needs a turn, which it keeps until its `hello` is done: TLS, the WebSocket handshake and a session are
what costs memory and processor time. Turns are bounded over all and for each address; the rest waits, unread, and
addresses are served in rotation. While somebody waits, a turn that brings nothing ends: so a crowd that holds its turns
without using them delays the well-behaved behind the same address, and does not keep them out.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from enum import Enum
from typing import Final

from server.ratelimit import AddressMeter

TURNS: Final = 512
TURNS_OF_ADDRESS: Final = 64
"""Connections that are served at once before their `hello`. With TLS each costs about 60 KB."""

TICK_S: Final = 0.1
PATIENCE_TICKS: Final = 5
"""How long a turn lasts, at most, while others wait; in ticks, so that a stall of the server is nobody's fault."""

ENDED_A_TICK: Final = 16
"""Turns that end, and so begin, in one tick: the handshakes of those who follow don't all come at once."""

ROOM_AFTER_S: Final = 1.0
"""A connection that has not said `hello` for so long makes room for a new one when there is none left."""


class Stage(Enum):
    """How far a connection is; the values are those of the metric."""

    SILENT = "silent"
    QUEUED = "queued"
    TLS = "tls"
    WEBSOCKET = "websocket"
    HELLO = "hello"
    HELD = "held"
    LEAVING = "leaving"
    IN = "in"
    GONE = "gone"


SERVED: Final = frozenset((Stage.TLS, Stage.WEBSOCKET, Stage.HELLO))
"""The stages that need a turn."""

EARLY: Final = (
    Stage.SILENT, Stage.QUEUED, Stage.TLS, Stage.WEBSOCKET, Stage.HELLO, Stage.HELD, Stage.LEAVING,
)  # fmt: skip
"""The stages before a session; held: a wrong secret, whose answer waits; leaving: it was answered, and closes."""


class Guest:
    """A connection from the moment when it was accepted.

    start: called when its turn comes, with the stage that begins. drop: cuts it off. since: when it was accepted.
    """

    __slots__ = ("drop", "host", "meter", "since", "stage", "start", "ticks")

    def __init__(
        self, host: str, meter: AddressMeter, start: Callable[[], None], drop: Callable[[], None], since: float
    ) -> None:
        self.host = host
        self.meter = meter
        self.start = start
        self.drop = drop
        self.since = since
        self.stage = Stage.SILENT
        self.ticks = 0


class _Address:
    """The guests of one address: those that wait, how many have a turn, how many are held, and all, oldest first."""

    __slots__ = ("early", "held", "queue", "turns")

    def __init__(self) -> None:
        self.queue: deque[Guest] = deque()
        self.turns = 0
        self.held = 0
        self.early: dict[Guest, None] = {}


class Anteroom:
    """All guests before their `hello`. first: the stage with which a turn begins, TLS or WEBSOCKET."""

    def __init__(
        self, first: Stage = Stage.WEBSOCKET, *, turns: int = TURNS, of_address: int = TURNS_OF_ADDRESS
    ) -> None:
        self.first = first
        self.counts: dict[Stage, int] = dict.fromkeys(Stage, 0)
        self._turns = turns
        self._of_address = of_address
        self._early: dict[Guest, None] = {}
        self._served: dict[Guest, None] = {}
        self._addresses: dict[AddressMeter, _Address] = {}
        self._waiting: dict[AddressMeter, None] = {}

    def __iter__(self) -> Iterator[Guest]:
        return iter(tuple(self._early))

    @property
    def is_waited(self) -> bool:
        """Whether somebody waits for a turn; then `tick` wants to be called every TICK_S seconds."""
        return bool(self._waiting)

    def enter(self, guest: Guest) -> None:
        """A connection was accepted."""
        self.counts[Stage.SILENT] += 1
        self._early[guest] = None
        self._addresses.setdefault(guest.meter, _Address()).early[guest] = None

    def spoke(self, guest: Guest) -> None:
        """Its first bytes are here: it is served now, or waits for its turn. Trusted addresses never wait."""
        if guest.stage is not Stage.SILENT:
            return
        if guest.meter.trusted or (self._is_free(guest.meter) and not self._waiting):
            self._start(guest)
            return
        self._move(guest, Stage.QUEUED)
        self._addresses[guest.meter].queue.append(guest)
        self._waiting[guest.meter] = None
        self._serve()

    def proceed(self, guest: Guest, stage: Stage) -> None:
        """It came to a later stage."""
        if guest.stage is Stage.GONE:
            return
        had = guest in self._served
        self._move(guest, stage)
        if stage in (Stage.IN, Stage.GONE):
            self._forget(guest)
        if had and stage not in SERVED:
            del self._served[guest]
            if (address := self._addresses.get(guest.meter)) is not None:
                address.turns -= 1
        self._tidy(guest.meter)
        if had and stage not in SERVED:
            self._serve()

    def held(self, meter: AddressMeter) -> int:
        """How many of an address are held."""
        address = self._addresses.get(meter)
        return 0 if address is None else address.held

    def oldest(self, meter: AddressMeter | None, now: float) -> Guest | None:
        """Who makes room for a newcomer: the oldest guest (of an address), unless it has hardly come itself."""
        address = None if meter is None else self._addresses.get(meter)
        guests = self._early if meter is None else () if address is None else address.early
        first = next(iter(guests), None)
        return first if first is not None and now - first.since >= ROOM_AFTER_S else None

    def tick(self) -> list[Guest]:
        """Those whose turn is over because others wait: to be dropped."""
        full = len(self._served) >= self._turns
        late: list[Guest] = []
        for guest in self._served:
            if not full and guest.meter not in self._waiting:
                continue
            guest.ticks += 1
            if guest.ticks > PATIENCE_TICKS and len(late) < ENDED_A_TICK:
                late.append(guest)
        return late

    def _is_free(self, meter: AddressMeter) -> bool:
        return len(self._served) < self._turns and self._addresses[meter].turns < self._of_address

    def _serve(self) -> None:
        """Gives the free turns to those who wait, an address after the other."""
        while ready := self._next():
            self._start(ready)

    def _next(self) -> Guest | None:
        """The first who waits and may be served now; its address goes behind the others."""
        for meter in tuple(self._waiting):
            queue = self._addresses[meter].queue
            while queue and queue[0].stage is not Stage.QUEUED:
                queue.popleft()  # it has gone meanwhile
            if queue and not self._is_free(meter):
                continue
            del self._waiting[meter]
            if queue:
                guest = queue.popleft()
                if queue:
                    self._waiting[meter] = None
                return guest
        return None

    def _start(self, guest: Guest) -> None:
        self._move(guest, self.first)
        if not guest.meter.trusted:
            self._served[guest] = None
            self._addresses[guest.meter].turns += 1
        guest.start()

    def _move(self, guest: Guest, stage: Stage) -> None:
        address = self._addresses.get(guest.meter)
        if address is not None:
            address.held += (stage is Stage.HELD) - (guest.stage is Stage.HELD)
        self.counts[guest.stage] -= 1
        self.counts[stage] += 1
        guest.stage = stage

    def _forget(self, guest: Guest) -> None:
        self._early.pop(guest, None)
        if (address := self._addresses.get(guest.meter)) is not None:
            address.early.pop(guest, None)

    def _tidy(self, meter: AddressMeter) -> None:
        address = self._addresses.get(meter)
        if address is not None and not address.early and not address.turns:
            self._waiting.pop(meter, None)
            del self._addresses[meter]
