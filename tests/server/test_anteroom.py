"""Who is served before the hello, who waits and who makes room, at times that the tests choose."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.anteroom import EARLY, ENDED_A_TICK, PATIENCE_TICKS, ROOM_AFTER_S, SERVED, Anteroom, Guest, Stage
from server.ratelimit import AddressMeter, Rates


class Room:
    """An anteroom with two turns an address and three in all, and who was started and dropped in it."""

    def __init__(self, first: Stage = Stage.WEBSOCKET) -> None:
        self.anteroom = Anteroom(first, turns=3, of_address=2)
        self.started: list[Guest] = []

    def guest(self, meter: AddressMeter, since: float = 0.0, *, speaks: bool = True) -> Guest:
        guest = Guest("192.0.2.7", meter, lambda: self.started.append(guest), lambda: None, since)
        self.anteroom.enter(guest)
        if speaks:
            self.anteroom.spoke(guest)
        return guest

    def served(self) -> int:
        return sum(self.anteroom.counts[stage] for stage in SERVED)


def address(*, trusted: bool = False) -> AddressMeter:
    return AddressMeter(Rates(), trusted=trusted)


class TestTurns:
    def test_silence_takes_none(self) -> None:
        room, one = Room(), address()
        for _ in range(1000):
            room.guest(one, speaks=False)
        assert room.guest(address()) in room.started
        assert room.anteroom.counts[Stage.SILENT] == 1000

    @pytest.mark.parametrize("first", [Stage.TLS, Stage.WEBSOCKET])
    def test_an_address_has_its_share_and_all_together_too(self, first: Stage) -> None:
        room, one, other = Room(first), address(), address()
        guests = [room.guest(one) for _ in range(4)] + [room.guest(other) for _ in range(3)]
        assert room.started == [*guests[:2], guests[4]]
        assert [guest.stage for guest in room.started] == [first] * 3
        assert room.anteroom.counts[Stage.QUEUED] == 4

    def test_who_said_hello_gives_the_turn_to_the_next(self) -> None:
        room, one = Room(), address()
        first, second, third, fourth = (room.guest(one) for _ in range(4))
        for stage in (Stage.HELLO, Stage.IN):
            assert third not in room.started
            room.anteroom.proceed(first, stage)
        assert third in room.started
        room.anteroom.proceed(second, Stage.HELD)
        assert fourth in room.started
        assert room.anteroom.held(one) == 1

    def test_addresses_take_turns(self) -> None:
        room, one, other = Room(), address(), address()
        crowd = [room.guest(one) for _ in range(20)]
        room.guest(address())
        alone = room.guest(other)
        assert alone not in room.started
        room.anteroom.proceed(crowd[0], Stage.GONE)
        room.anteroom.proceed(crowd[1], Stage.GONE)
        assert alone in room.started

    def test_the_trusted_neither_wait_nor_count(self) -> None:
        room, own = Room(), address(trusted=True)
        guests = [room.guest(own) for _ in range(50)]
        assert room.started == guests
        assert room.guest(address()) in room.started

    def test_who_has_gone_is_passed_over(self) -> None:
        room, one = Room(), address()
        guests = [room.guest(one) for _ in range(5)]
        room.anteroom.proceed(guests[2], Stage.GONE)
        room.anteroom.proceed(guests[3], Stage.GONE)
        room.anteroom.proceed(guests[0], Stage.GONE)
        assert room.started[-1] is guests[4]


class TestPatience:
    def test_a_turn_without_end_ends_when_somebody_waits(self) -> None:
        room, one = Room(), address()
        slow = [room.guest(one) for _ in range(2)]
        for _ in range(100):
            assert not room.anteroom.is_waited
        good = room.guest(one)
        late: list[Guest] = []
        for _ in range(PATIENCE_TICKS + 1):
            assert not late
            assert room.anteroom.is_waited
            late = room.anteroom.tick()
        assert late == slow
        for guest in late:
            room.anteroom.proceed(guest, Stage.GONE)
        assert good in room.started
        assert not room.anteroom.is_waited

    def test_those_of_other_addresses_go_on(self) -> None:
        room, one, other = Room(), address(), address()
        elsewhere = room.guest(other)
        for _ in range(2):
            room.guest(one)
        room.anteroom.proceed(elsewhere, Stage.IN)
        elsewhere = room.guest(other)
        room.anteroom.proceed(room.started[0], Stage.IN)
        for _ in range(3):
            room.guest(one)
        assert all(elsewhere not in room.anteroom.tick() for _ in range(2 * PATIENCE_TICKS)) or room.served() == 3

    def test_few_end_at_once(self) -> None:
        anteroom, one = Anteroom(turns=100, of_address=100), address()
        for _ in range(150):
            guest = Guest("192.0.2.7", one, lambda: None, lambda: None, 0.0)
            anteroom.enter(guest)
            anteroom.spoke(guest)
        ended = [len(anteroom.tick()) for _ in range(PATIENCE_TICKS + 1)]
        assert ended == [0] * PATIENCE_TICKS + [ENDED_A_TICK]


class TestRoom:
    def test_the_oldest_makes_room_but_nobody_who_has_hardly_come(self) -> None:
        room, one, other = Room(), address(), address()
        first, second = room.guest(one, 10.0, speaks=False), room.guest(one, 10.5)
        room.guest(other, 5.0)
        assert room.anteroom.oldest(one, 10.9) is None
        assert room.anteroom.oldest(one, 10.0 + ROOM_AFTER_S) is first
        room.anteroom.proceed(first, Stage.GONE)
        assert room.anteroom.oldest(one, 20.0) is second
        room.anteroom.proceed(second, Stage.IN)
        assert room.anteroom.oldest(one, 20.0) is None

    def test_of_all_it_is_the_oldest_of_all(self) -> None:
        room = Room()
        first = room.guest(address(), 1.0)
        room.guest(address(), 2.0)
        assert room.anteroom.oldest(None, 9.0) is first


@given(st.integers(0, 10_000), st.integers(10, 300))
def test_whatever_happens_the_bounds_hold_and_nobody_is_forgotten(seed: int, steps: int) -> None:
    rng, room = random.Random(seed), Room()
    meters = [address() for _ in range(4)]
    alive: list[Guest] = []
    for _ in range(steps):
        match rng.randrange(5):
            case 0 | 1:
                alive.append(room.guest(rng.choice(meters), speaks=rng.random() < 0.8))
            case 2 if alive:
                room.anteroom.spoke(rng.choice(alive))
            case 3 if served := [guest for guest in alive if guest.stage in SERVED]:
                stages = (Stage.WEBSOCKET, Stage.HELLO, Stage.HELD, Stage.LEAVING, Stage.IN)
                room.anteroom.proceed(rng.choice(served), rng.choice(stages))
            case _:
                if alive:
                    room.anteroom.proceed(alive.pop(rng.randrange(len(alive))), Stage.GONE)
        assert room.served() <= 3
        assert all(sum(g.meter is meter and g.stage in SERVED for g in alive) <= 2 for meter in meters)
        for stage in (*EARLY, Stage.IN):
            assert room.anteroom.counts[stage] == sum(guest.stage is stage for guest in alive)
    for guest in alive:
        room.anteroom.proceed(guest, Stage.GONE)
    assert not room.anteroom.is_waited
    assert not room.anteroom._addresses
    assert not room.anteroom._early
    assert not room.anteroom._served


def test_everybody_who_speaks_gets_a_turn_in_the_end() -> None:
    room, meters = Room(), [address() for _ in range(3)]
    guests = [room.guest(meter) for meter in meters for _ in range(30)]
    for guest in guests:
        assert guest in room.started or room.anteroom.is_waited
        room.anteroom.proceed(next(g for g in room.started if g.stage in SERVED), Stage.IN)
    assert set(room.started) == set(guests)
