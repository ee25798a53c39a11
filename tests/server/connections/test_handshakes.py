"""Who is served before the hello, who waits and who makes room, at times that the tests choose."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.connections.handshakes import (
    EARLY,
    ENDED_A_TICK,
    PATIENCE_TICKS,
    ROOM_AFTER_S,
    SERVED,
    Handshake,
    Handshakes,
    Stage,
)
from server.ratelimit import AddressMeter, Rates


class Room:
    """Handshakes with two slots an address and three in all, and who was started and dropped in it."""

    def __init__(self, first: Stage = Stage.WEBSOCKET) -> None:
        self.handshakes = Handshakes(first, slots=3, of_address=2)
        self.started: list[Handshake] = []

    def handshake(self, meter: AddressMeter, since: float = 0.0, *, speaks: bool = True) -> Handshake:
        handshake = Handshake("192.0.2.7", meter, lambda: self.started.append(handshake), lambda: None, since)
        self.handshakes.enter(handshake)
        if speaks:
            self.handshakes.spoke(handshake)
        return handshake

    def served(self) -> int:
        return sum(self.handshakes.counts[stage] for stage in SERVED)


def address(*, trusted: bool = False) -> AddressMeter:
    return AddressMeter(Rates(), trusted=trusted)


class TestTurns:
    def test_silence_takes_none(self) -> None:
        room, one = Room(), address()
        for _ in range(1000):
            room.handshake(one, speaks=False)
        assert room.handshake(address()) in room.started
        assert room.handshakes.counts[Stage.SILENT] == 1000

    @pytest.mark.parametrize("first", [Stage.TLS, Stage.WEBSOCKET])
    def test_an_address_has_its_share_and_all_together_too(self, first: Stage) -> None:
        room, one, other = Room(first), address(), address()
        handshakes = [room.handshake(one) for _ in range(4)] + [room.handshake(other) for _ in range(3)]
        assert room.started == [*handshakes[:2], handshakes[4]]
        assert [handshake.stage for handshake in room.started] == [first] * 3
        assert room.handshakes.counts[Stage.QUEUED] == 4

    def test_who_said_hello_gives_the_turn_to_the_next(self) -> None:
        room, one = Room(), address()
        first, second, third, fourth = (room.handshake(one) for _ in range(4))
        for stage in (Stage.HELLO, Stage.IN):
            assert third not in room.started
            room.handshakes.proceed(first, stage)
        assert third in room.started
        room.handshakes.proceed(second, Stage.HELD)
        assert fourth in room.started
        assert room.handshakes.held(one) == 1

    def test_addresses_take_turns(self) -> None:
        room, one, other = Room(), address(), address()
        crowd = [room.handshake(one) for _ in range(20)]
        room.handshake(address())
        alone = room.handshake(other)
        assert alone not in room.started
        room.handshakes.proceed(crowd[0], Stage.GONE)
        room.handshakes.proceed(crowd[1], Stage.GONE)
        assert alone in room.started

    def test_the_trusted_neither_wait_nor_count(self) -> None:
        room, own = Room(), address(trusted=True)
        handshakes = [room.handshake(own) for _ in range(50)]
        assert room.started == handshakes
        assert room.handshake(address()) in room.started

    def test_who_has_gone_is_passed_over(self) -> None:
        room, one = Room(), address()
        handshakes = [room.handshake(one) for _ in range(5)]
        room.handshakes.proceed(handshakes[2], Stage.GONE)
        room.handshakes.proceed(handshakes[3], Stage.GONE)
        room.handshakes.proceed(handshakes[0], Stage.GONE)
        assert room.started[-1] is handshakes[4]


class TestPatience:
    def test_a_turn_without_end_ends_when_somebody_waits(self) -> None:
        room, one = Room(), address()
        slow = [room.handshake(one) for _ in range(2)]
        for _ in range(100):
            assert not room.handshakes.is_waited
        good = room.handshake(one)
        late: list[Handshake] = []
        for _ in range(PATIENCE_TICKS + 1):
            assert not late
            assert room.handshakes.is_waited
            late = room.handshakes.tick()
        assert late == slow
        for handshake in late:
            room.handshakes.proceed(handshake, Stage.GONE)
        assert good in room.started
        assert not room.handshakes.is_waited

    def test_those_of_other_addresses_go_on(self) -> None:
        room, one, other = Room(), address(), address()
        elsewhere = room.handshake(other)
        for _ in range(2):
            room.handshake(one)
        room.handshakes.proceed(elsewhere, Stage.IN)
        elsewhere = room.handshake(other)
        room.handshakes.proceed(room.started[0], Stage.IN)
        for _ in range(3):
            room.handshake(one)
        assert all(elsewhere not in room.handshakes.tick() for _ in range(2 * PATIENCE_TICKS)) or room.served() == 3

    def test_few_end_at_once(self) -> None:
        handshakes, one = Handshakes(slots=100, of_address=100), address()
        for _ in range(150):
            handshake = Handshake("192.0.2.7", one, lambda: None, lambda: None, 0.0)
            handshakes.enter(handshake)
            handshakes.spoke(handshake)
        ended = [len(handshakes.tick()) for _ in range(PATIENCE_TICKS + 1)]
        assert ended == [0] * PATIENCE_TICKS + [ENDED_A_TICK]


class TestRoom:
    def test_the_oldest_makes_room_but_nobody_who_has_hardly_come(self) -> None:
        room, one, other = Room(), address(), address()
        first, second = room.handshake(one, 10.0, speaks=False), room.handshake(one, 10.5)
        room.handshake(other, 5.0)
        assert room.handshakes.oldest(one, 10.9) is None
        assert room.handshakes.oldest(one, 10.0 + ROOM_AFTER_S) is first
        room.handshakes.proceed(first, Stage.GONE)
        assert room.handshakes.oldest(one, 20.0) is second
        room.handshakes.proceed(second, Stage.IN)
        assert room.handshakes.oldest(one, 20.0) is None

    def test_of_all_it_is_the_oldest_of_all(self) -> None:
        room = Room()
        first = room.handshake(address(), 1.0)
        room.handshake(address(), 2.0)
        assert room.handshakes.oldest(None, 9.0) is first


@given(st.integers(0, 10_000), st.integers(10, 300))
def test_whatever_happens_the_bounds_hold_and_nobody_is_forgotten(seed: int, steps: int) -> None:
    rng, room = random.Random(seed), Room()
    meters = [address() for _ in range(4)]
    alive: list[Handshake] = []
    for _ in range(steps):
        match rng.randrange(5):
            case 0 | 1:
                alive.append(room.handshake(rng.choice(meters), speaks=rng.random() < 0.8))
            case 2 if alive:
                room.handshakes.spoke(rng.choice(alive))
            case 3 if served := [handshake for handshake in alive if handshake.stage in SERVED]:
                stages = (Stage.WEBSOCKET, Stage.HELLO, Stage.HELD, Stage.LEAVING, Stage.IN)
                room.handshakes.proceed(rng.choice(served), rng.choice(stages))
            case _:
                if alive:
                    room.handshakes.proceed(alive.pop(rng.randrange(len(alive))), Stage.GONE)
        assert room.served() <= 3
        assert all(sum(g.meter is meter and g.stage in SERVED for g in alive) <= 2 for meter in meters)
        for stage in (*EARLY, Stage.IN):
            assert room.handshakes.counts[stage] == sum(handshake.stage is stage for handshake in alive)
    for handshake in alive:
        room.handshakes.proceed(handshake, Stage.GONE)
    assert not room.handshakes.is_waited
    assert not room.handshakes._addresses
    assert not room.handshakes._early
    assert not room.handshakes._served


def test_everybody_who_speaks_gets_a_turn_in_the_end() -> None:
    room, meters = Room(), [address() for _ in range(3)]
    handshakes = [room.handshake(meter) for meter in meters for _ in range(30)]
    for handshake in handshakes:
        assert handshake in room.started or room.handshakes.is_waited
        room.handshakes.proceed(next(g for g in room.started if g.stage in SERVED), Stage.IN)
    assert set(room.started) == set(handshakes)
