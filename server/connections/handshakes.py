"""Connections that have not said `hello` yet: who of them is served now, who waits, and who makes room. Pure.

A client that has not said who it is may cost little. A silent connection costs next to nothing. Once it has said
something it needs a slot until its `hello` is done, for TLS, the WebSocket handshake and a session cost memory and
processor time. Slots are bounded, in all and for each address; the other connections wait, unread, and addresses take
turns. While others wait, a slot that is kept too long is taken back. So connections that occupy slots without using
them delay well-behaved clients at the same address, but don't keep them out.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from enum import Enum
from typing import Final

from server.ratelimit import AddressMeter

SLOTS: Final = 512
SLOTS_OF_ADDRESS: Final = 64
"""Connections that are served at once before their `hello`. With TLS each costs about 60 KB."""

TICK_S: Final = 0.1
PATIENCE_TICKS: Final = 5
"""How long a slot is kept, at most, while others wait; in ticks, so that a stall of the server is nobody's fault."""

ENDED_A_TICK: Final = 16
"""Slots that are taken back in one tick, so that the next handshakes don't all begin at once."""

ROOM_AFTER_S: Final = 1.0
"""A connection that has not said `hello` within this time may be cut off to make room for a new one."""


class Stage(Enum):
    """How far a connection is; the values are those of the metric."""

    SILENT = "silent"
    QUEUED = "queued"
    TLS = "tls"
    WEBSOCKET = "websocket"
    HELLO = "hello"
    HELD = "held"
    LEAVING = "leaving"
    READING = "reading"
    IN = "in"
    GONE = "gone"


SERVED: Final = frozenset((Stage.TLS, Stage.WEBSOCKET, Stage.HELLO))
"""The stages that need a slot."""

EARLY: Final = (
    Stage.SILENT, Stage.QUEUED, Stage.TLS, Stage.WEBSOCKET, Stage.HELLO, Stage.HELD, Stage.LEAVING, Stage.READING,
)  # fmt: skip
"""The stages before a session; held: a wrong secret, whose answer waits; leaving: it was answered, and closes;
reading: it asked for a long file, and reads it."""


class Handshake:
    """A connection on its way from being accepted to its `hello`, and what is known of it until its end.

    start: called when it gets a slot. drop: cuts it off. since: when it was accepted.
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
    """What one address has: those that wait, how many have a slot, how many are held, and all, oldest first."""

    __slots__ = ("early", "held", "queue", "slots")

    def __init__(self) -> None:
        self.queue: deque[Handshake] = deque()
        self.slots = 0
        self.held = 0
        self.early: dict[Handshake, None] = {}


class Handshakes:
    """All connections before their `hello`. first: the stage that a slot begins with, TLS or WEBSOCKET."""

    def __init__(
        self, first: Stage = Stage.WEBSOCKET, *, slots: int = SLOTS, of_address: int = SLOTS_OF_ADDRESS
    ) -> None:
        self.first = first
        self.counts: dict[Stage, int] = dict.fromkeys(Stage, 0)
        self._slots = slots
        self._of_address = of_address
        self._early: dict[Handshake, None] = {}
        self._served: dict[Handshake, None] = {}
        self._addresses: dict[AddressMeter, _Address] = {}
        self._waiting: dict[AddressMeter, None] = {}

    def __iter__(self) -> Iterator[Handshake]:
        return iter(tuple(self._early))

    @property
    def is_waited(self) -> bool:
        """Whether somebody waits for a slot; then `tick` wants to be called every TICK_S seconds."""
        return bool(self._waiting)

    def enter(self, handshake: Handshake) -> None:
        """A connection was accepted."""
        self.counts[Stage.SILENT] += 1
        self._early[handshake] = None
        self._addresses.setdefault(handshake.meter, _Address()).early[handshake] = None

    def spoke(self, handshake: Handshake) -> None:
        """The first bytes of a connection are here. It gets a slot now or waits; trusted addresses never wait."""
        if handshake.stage is not Stage.SILENT:
            return
        if handshake.meter.trusted or (self._is_free(handshake.meter) and not self._waiting):
            self._start(handshake)
            return
        self._move(handshake, Stage.QUEUED)
        self._addresses[handshake.meter].queue.append(handshake)
        self._waiting[handshake.meter] = None
        self._serve()

    def proceed(self, handshake: Handshake, stage: Stage) -> None:
        """A connection has come to a later stage."""
        if handshake.stage is Stage.GONE:
            return
        had = handshake in self._served
        self._move(handshake, stage)
        if stage in (Stage.IN, Stage.GONE):
            self._forget(handshake)
        if had and stage not in SERVED:
            del self._served[handshake]
            if (address := self._addresses.get(handshake.meter)) is not None:
                address.slots -= 1
        self._tidy(handshake.meter)
        if had and stage not in SERVED:
            self._serve()

    def held(self, meter: AddressMeter) -> int:
        """How many of an address are held."""
        address = self._addresses.get(meter)
        return 0 if address is None else address.held

    def oldest(self, meter: AddressMeter | None, now: float) -> Handshake | None:
        """The oldest connection (of an address), which makes room for a newcomer; None if it is too new itself."""
        address = None if meter is None else self._addresses.get(meter)
        handshakes = self._early if meter is None else () if address is None else address.early
        first = next(iter(handshakes), None)
        return first if first is not None and now - first.since >= ROOM_AFTER_S else None

    def tick(self) -> list[Handshake]:
        """The connections that lose their slots because others wait; the caller drops them."""
        full = len(self._served) >= self._slots
        late: list[Handshake] = []
        for handshake in self._served:
            if not full and handshake.meter not in self._waiting:
                continue
            handshake.ticks += 1
            if handshake.ticks > PATIENCE_TICKS and len(late) < ENDED_A_TICK:
                late.append(handshake)
        return late

    def _is_free(self, meter: AddressMeter) -> bool:
        return len(self._served) < self._slots and self._addresses[meter].slots < self._of_address

    def _serve(self) -> None:
        """Gives the free slots to those who wait, an address after the other."""
        while ready := self._next():
            self._start(ready)

    def _next(self) -> Handshake | None:
        """The first who waits and may be served now; its address goes behind the others."""
        for meter in tuple(self._waiting):
            queue = self._addresses[meter].queue
            while queue and queue[0].stage is not Stage.QUEUED:
                queue.popleft()  # it has gone meanwhile
            if queue and not self._is_free(meter):
                continue
            del self._waiting[meter]
            if queue:
                handshake = queue.popleft()
                if queue:
                    self._waiting[meter] = None
                return handshake
        return None

    def _start(self, handshake: Handshake) -> None:
        self._move(handshake, self.first)
        if not handshake.meter.trusted:
            self._served[handshake] = None
            self._addresses[handshake.meter].slots += 1
        handshake.start()

    def _move(self, handshake: Handshake, stage: Stage) -> None:
        address = self._addresses.get(handshake.meter)
        if address is not None:
            address.held += (stage is Stage.HELD) - (handshake.stage is Stage.HELD)
        self.counts[handshake.stage] -= 1
        self.counts[stage] += 1
        handshake.stage = stage

    def _forget(self, handshake: Handshake) -> None:
        self._early.pop(handshake, None)
        if (address := self._addresses.get(handshake.meter)) is not None:
            address.early.pop(handshake, None)

    def _tidy(self, meter: AddressMeter) -> None:
        address = self._addresses.get(meter)
        if address is not None and not address.early and not address.slots:
            self._waiting.pop(meter, None)
            del self._addresses[meter]
