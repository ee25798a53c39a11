"""Time that is fair: the server's own stalls and pauses are charged to nobody, people's networks within bounds."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.messages import Clock, Finished, Moved, YourTurn
from server.fairtime import FairTime
from server.match.clock import LAG_CAP_MS, LAG_GAIN_MS, Stalls
from server.referee.settings import Settings
from tests.faults.simulation.virtual import run, virtual_loop
from tests.server.hall import EVER, TIMEOUTS, Hall, pair
from tests.server.stores import hall_with_slow_store

CLOCK = Clock(10_000, 0)


# ------------------------------------------------------------------------------------------------------------- alone


def test_time_that_nothing_disturbs_is_the_monotonic_one() -> None:
    stalls = Stalls()
    fair = FairTime(100.0, stalls)
    for step in range(1, 50):
        now = 100.0 + step * fair.beat * 1.3  # a little late, as timers are
        fair.beaten(now)
        assert fair.at(now) == now
    assert stalls.total == 0


@pytest.mark.parametrize("asked_by", ["beaten", "at"])
def test_a_stall_is_left_out_whoever_notices_it(asked_by: str) -> None:
    stalls = Stalls()
    fair = FairTime(0.95, stalls)
    fair.beaten(1.0)
    getattr(fair, asked_by)(1.6)
    assert stalls.total == pytest.approx(0.6 - fair.beat)
    assert fair.at(1.6) == pytest.approx(1.0 + fair.beat)
    assert fair.at(1.65) == pytest.approx(1.05 + fair.beat)
    assert fair.monotonic(fair.at(1.65)) == pytest.approx(1.65)


def test_a_frozen_time_stands_and_goes_on_where_it_stood() -> None:
    fair = FairTime(0.0, Stalls())
    fair.freeze(0.05)
    assert {fair.at(now) for now in (0.06, 1.0, 500.0)} == {0.05}
    fair.beaten(400.0)
    fair.freeze(450.0)  # more trouble
    fair.thaw(500.0)
    assert fair.at(500.02) == pytest.approx(0.07)
    fair.thaw(500.03)
    assert fair.at(500.03) == pytest.approx(0.08)


def test_while_it_is_frozen_what_passes_counts_as_lost_already() -> None:
    stalls = Stalls()
    fair = FairTime(0.0, stalls)
    fair.freeze(0.05)
    fair.at(2.05)
    assert stalls.total == pytest.approx(2.0)


@given(st.floats(0, 1e6), st.floats(0, 1e4))
def test_a_timer_is_never_early(deadline: float, stalled: float) -> None:
    stalls = Stalls()
    stalls.total = stalled
    fair = FairTime(deadline + stalled, stalls)
    assert fair.at(fair.monotonic(deadline)) >= deadline


# --------------------------------------------------------------------------------------------------------- in a match


def test_a_stall_of_the_loop_is_measured_and_charged_to_nobody() -> None:
    """Row 11."""

    async def scene() -> None:
        hall = Hall()
        ada, _bob, match = await pair(hall, "morpion", CLOCK)
        await asyncio.sleep(1.0)
        virtual_loop().call_soon(virtual_loop().stall, 0.5)
        await asyncio.sleep(0)
        moved = await ada.move(match, 0, "a1")
        assert 390 <= moved.stall_ms <= 500
        assert 1000 <= moved.used_ms <= 1000 + 500 - moved.stall_ms + 11
        hall.end()

    run(scene())


def test_a_stall_longer_than_what_is_left_lets_no_flag_fall() -> None:
    async def scene() -> None:
        hall = Hall()
        ada, bob, match = await pair(hall, "morpion", CLOCK)
        virtual_loop().call_soon(virtual_loop().stall, 60.0)
        await asyncio.sleep(1.0)
        assert not ada.all(Finished)
        await ada.move(match, 0, "a1")
        assert bob.last(YourTurn).clocks is not None
        await asyncio.sleep(9.8)
        assert not bob.all(Finished)
        await asyncio.sleep(0.3)
        finished = bob.last(Finished)
        assert (finished.result.reason, finished.used_ms) == ("timeout", 10_000)
        hall.end()

    run(scene())


def test_the_wall_clock_plays_no_part() -> None:
    """Row 10: an hour forwards and a day back."""

    async def scene() -> None:
        wall = [10**12]
        hall = Hall(wall_ms=lambda: wall[0])
        ada, bob, match = await pair(hall, "morpion", CLOCK)
        for ply, (guest, move, jump) in enumerate(((ada, "a1", 3_600_000), (bob, "b1", -86_400_000), (ada, "a2", 0))):
            wall[0] += jump
            await asyncio.sleep(0.5)
            assert (await guest.move(match, ply, move)).used_ms == pytest.approx(500, abs=15)
        hall.end()

    run(scene())


def test_used_and_stalled_and_lag_add_up_with_the_clocks() -> None:
    async def scene() -> None:
        hall = Hall()
        rule = Clock(10_000, 500)
        ada, bob, match = await pair(hall, "morpion", rule)
        left = [10_000, 10_000]
        for ply, move in enumerate(("a1", "b1", "a2", "b2", "a3")):
            guest = bob if ply % 2 else ada
            guest.line.takes(0.15)
            began = virtual_loop().time()
            await asyncio.sleep(0.3 * ply)
            virtual_loop().stall(0.3 * (ply % 3))
            moved = await guest.move(match, ply, move)
            left[ply % 2] += 500 - moved.used_ms
            assert moved.clocks == tuple(left)
            spent = moved.used_ms + moved.lag_ms + moved.stall_ms
            assert spent == pytest.approx((virtual_loop().time() - began) * 1000, abs=25)
        hall.end()

    run(scene())


# ----------------------------------------------------------------------------------------------------- nothing is kept


def test_on_a_full_disk_nothing_is_acknowledged_and_no_clock_runs() -> None:
    """Row 43."""

    async def scene() -> None:
        hall, disk = hall_with_slow_store()
        ada, bob, match = await pair(hall, "morpion", CLOCK)
        disk.full = True
        ada.patience = EVER
        asked = asyncio.ensure_future(ada.move(match, 0, "a1"))
        await asyncio.sleep(100)
        assert not asked.done()
        assert not bob.all(Moved)
        assert not bob.all(Finished)
        disk.full = False
        disk.write()
        moved = await asked
        assert moved.used_ms < 50
        await bob.until(lambda: bool(bob.all(YourTurn)))
        assert bob.last(YourTurn).deadline_ms == 10_000
        await asyncio.sleep(1)
        assert (await bob.move(match, 1, "b1")).used_ms == pytest.approx(1000, abs=20)
        await asyncio.sleep(10.1)
        assert ada.last(Finished).result.reason == "timeout"
        hall.end()

    run(scene())


def test_what_is_said_while_the_disk_is_full_waits_its_turn() -> None:
    async def scene() -> None:
        hall, disk = hall_with_slow_store()
        ada, bob, match = await pair(hall, "morpion", CLOCK)
        disk.full = True
        moves = [asyncio.ensure_future(ada.move(match, 0, "a1"))]
        await asyncio.sleep(5)
        moves.append(asyncio.ensure_future(bob.move(match, 1, "b1")))
        await asyncio.sleep(5)
        disk.full = False
        disk.write()
        for moved in await asyncio.gather(*moves):
            assert moved.used_ms < 50
        assert ada.seqs(match) == sorted(ada.seqs(match))
        hall.end()

    run(scene())


def test_a_slow_disk_is_not_charged_to_the_next_player() -> None:
    """Row 44: a locked file shows no error for a while; what waits for the store has not been asked to move yet."""

    async def scene() -> None:
        hall, disk = hall_with_slow_store()
        ada, bob, match = await pair(hall, "morpion", CLOCK)
        disk.seconds = 4.0
        await ada.move(match, 0, "a1")
        disk.seconds = 0.002
        assert (await bob.move(match, 1, "b1")).used_ms < 500
        hall.end()

    run(scene())


# ----------------------------------------------------------------------------------------------------- lag compensation


async def duel(
    latency: float, pauses: Sequence[float], *, settings: Settings | None = None, kind: str = "human"
) -> list[Moved]:
    """The first player's moves once his network is known, each after a pause; his round trip is `latency` seconds."""
    hall = Hall(settings=settings)
    ada, bob, match = await pair(hall, "puissance4", CLOCK, "bot" if kind == "bot" else "human")
    ada.line.takes(latency)
    heard: list[Moved] = []
    columns = "1233221"
    for turn, pause in enumerate((0.0, 0.0, *pauses)):
        await asyncio.sleep(pause)
        moved = await ada.move(match, 2 * turn, columns[turn % 7])
        heard.append(moved)
        await bob.move(match, 2 * turn + 1, columns[turn % 7])
    hall.end()
    return heard[2:]


def lags(latency: float, pauses: Sequence[float], **options: object) -> list[int]:
    async def main() -> list[int]:
        return [moved.lag_ms for moved in await duel(latency, pauses, **options)]  # type: ignore[arg-type]

    return run(main())


def test_people_get_back_what_the_network_takes_and_not_more() -> None:
    assert lags(0.08, [0.5, 0.5, 0.5]) == [80, 80, 80]


def test_nobody_gets_back_more_than_he_used() -> None:
    assert lags(0.08, [0.01, 0.5])[0] < 40


def test_what_is_given_back_has_a_quota_that_grows_with_each_move() -> None:
    assert lags(0.6, [2.0, 2.0, 2.0]) == [600, LAG_CAP_MS - 600 + LAG_GAIN_MS, LAG_GAIN_MS]


def test_the_quota_has_a_cap() -> None:
    assert lags(5.0, [2.0, 2.0])[0] == LAG_CAP_MS


def test_programs_get_nothing_back() -> None:
    assert lags(0.08, [0.5, 0.5], kind="bot") == [0, 0]


def test_an_operator_may_switch_it_off() -> None:
    assert lags(0.08, [0.5, 0.5], settings=Settings(TIMEOUTS, lag_compensation=False)) == [0, 0]
