"""Bots that are far away: what the network takes is kept back, so that nobody who keeps to his budget loses on time."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass

import pytest

from bots.base import Budget
from bots.running.latency import Latency, leave_for
from bots.strong.human import _at_most
from bots.timing import move_time, share_s
from games import Seat
from protocol.messages import Clock
from server.match.clock import MatchClock

OVERHEAD_MS = 20
"""How much longer than planned a search takes: it looks at the time now and then."""


def strong_s(budget: Budget, empties: int) -> float:
    """The most that `bots.strong.strong` takes for a move of Othello."""
    planned = move_time(budget, max(0, empties - 16) // 2 + 3)
    assert planned is not None
    return planned.most_s


def human_s(budget: Budget, empties: int) -> float:
    return (_at_most(budget, 1.0, empties // 2 + 1).remaining_ms or 0) / 1000


def perfect_s(budget: Budget, empties: int) -> float:
    planned = move_time(budget, min((empties + 1) // 2, 6))
    assert planned is not None
    return min(planned.most_s, 5.0)


def class_s(budget: Budget, empties: int) -> float:
    del empties
    return share_s(budget) or 0.0


BOTS: dict[str, tuple[Callable[[Budget, int], float], int]] = {
    "strong": (strong_s, 60),
    "human": (human_s, 60),
    "perfect": (perfect_s, 42),
    "minimax": (class_s, 60),
}
"""What a bot takes for a move, and the empty cells of its game at the start."""


@dataclass
class Way:
    """A network: the round trip, how much it varies, and how often something has to be sent again."""

    rtt_ms: float
    jitter_ms: float = 0.0
    lost: float = 0.0

    def draw(self, rng: random.Random) -> float:
        again = 200 + self.rtt_ms if rng.random() < self.lost else 0.0
        return max(0.0, self.rtt_ms + rng.uniform(-self.jitter_ms, self.jitter_ms) + again)


def thought_ms(bot: str, control: Clock, way: Way, seed: int, *, forgiven: bool, kept: bool = True) -> float | None:
    """How long a bot thinks in a whole game, always as long as it may; None if its flag falls."""
    rng, clock, latency = random.Random(seed), MatchClock(control), Latency()
    seconds, cells = BOTS[bot]
    now, thought = 0.0, 0.0
    for empties in range(cells, 0, -2):
        clock.start(Seat.FIRST, now)
        allowance_ms = clock.allowance(Seat.FIRST, int(way.rtt_ms)) if forgiven else 0
        clock.allow(allowance_ms)
        latency.told(int(way.rtt_ms))
        budget = Budget(
            clock.left(now)[0], control.increment_ms, control.move_ms or None, 0, int(way.rtt_ms), allowance_ms
        )
        told = leave_for(latency, budget, (empties + 1) // 2) if kept else budget
        think_ms = 1000 * seconds(told, empties) + OVERHEAD_MS * rng.random()
        now += (way.draw(rng) + think_ms) / 1000
        if now >= clock.flag_time():
            return None
        clocks, charged, lag = clock.if_pressed(now)
        clock.press(Seat.FIRST, clocks, lag)
        latency.measured(charged + lag - think_ms)
        thought += think_ms
    return thought


@pytest.mark.parametrize("forgiven", [False, True])
@pytest.mark.parametrize(
    "way", [Way(80), Way(200), Way(40, 15), Way(80, 40, 0.02), Way(150, 50, 0.02)], ids=lambda way: str(way.rtt_ms)
)
@pytest.mark.parametrize("bot", BOTS)
def test_nobody_far_away_loses_on_time(bot: str, way: Way, forgiven: bool) -> None:
    for seed in range(50):
        thought = thought_ms(bot, Clock(5000, 50), way, seed, forgiven=forgiven)
        assert thought is not None, seed


@pytest.mark.parametrize("control", [Clock(move_ms=500), Clock(10_000, 100), Clock(60_000)])
@pytest.mark.parametrize("bot", BOTS)
def test_nor_with_other_clocks(bot: str, control: Clock) -> None:
    for seed in range(50):
        assert thought_ms(bot, control, Way(80, 20), seed, forgiven=False) is not None, seed


def test_without_it_strong_lost_every_game() -> None:
    """Which shows that the simulation is one of what happened."""
    games = [thought_ms("strong", Clock(5000, 50), Way(80), seed, forgiven=False, kept=False) for seed in range(20)]
    assert games.count(None) > 10


@pytest.mark.parametrize("control", [Clock(5000, 50), Clock(60_000, 1000), Clock(move_ms=500)])
@pytest.mark.parametrize("bot", BOTS)
def test_on_this_machine_it_thinks_as_long_as_ever(bot: str, control: Clock) -> None:
    for seed in range(5):
        near = thought_ms(bot, control, Way(0.4, 0.4), seed, forgiven=False)
        always = thought_ms(bot, control, Way(0.4, 0.4), seed, forgiven=False, kept=False)
        assert near is not None
        assert always is not None
        assert near > 0.98 * always


def test_what_is_given_back_may_be_thought() -> None:
    charged = thought_ms("strong", Clock(5000, 50), Way(80), 1, forgiven=False)
    forgiven = thought_ms("strong", Clock(5000, 50), Way(80), 1, forgiven=True)
    assert charged is not None
    assert forgiven is not None
    assert forgiven > charged + 1000


class TestLatency:
    def test_what_the_server_says_counts_until_something_was_measured(self) -> None:
        latency = Latency()
        latency.told(80)
        assert (latency.mean_ms, latency.jitter_ms) == (80, 160)
        latency.measured(40)
        latency.told(80)
        assert (latency.mean_ms, latency.jitter_ms) == (40, 80)

    def test_it_is_smoothed_as_in_rfc_6298(self) -> None:
        latency = Latency()
        latency.measured(100)
        latency.measured(180)
        assert (latency.mean_ms, latency.jitter_ms) == (110, 4 * (0.75 * 50 + 0.25 * 80))

    def test_an_outage_teaches_nothing(self) -> None:
        latency = Latency()
        latency.measured(60_000)
        assert latency.mean_ms == 0

    def test_no_clock_no_margin(self) -> None:
        latency = Latency()
        latency.measured(100)
        assert leave_for(latency, Budget(), 30) == Budget()

    def test_an_answer_is_waited_for_until_the_flag(self) -> None:
        latency = Latency()
        latency.measured(100)
        told = leave_for(latency, Budget(5000, 50), 10)
        assert told.remaining_ms == 5000 - 300 - 9 * (100 + 20 - 50) - 3 * 300
        assert (told.increment_ms, told.until_flag_ms) == (0, 5000)
        assert Budget(1000).until_flag_ms == 1000

    @pytest.mark.parametrize("hiccup_ms", [100, 700, 4000])
    @pytest.mark.parametrize("at", [0, 1, 10])
    def test_a_hiccup_of_this_machine_costs_little_and_is_soon_forgotten(self, hiccup_ms: float, at: int) -> None:
        """It was charged once; before, the next moves had up to 0.7 s less than the clock showed, and more."""
        latency, kept = Latency(is_here=True), list[int]()
        for move in range(20):
            latency.told(1)
            told = leave_for(latency, Budget(10_000, 100), 30)
            assert told.remaining_ms is not None
            kept.append(10_000 - told.remaining_ms)
            latency.measured(hiccup_ms if move == at else 1.0)
        assert max(kept) <= 70
        assert max(kept[at + 4 :]) <= 20
        assert kept[-1] <= 10

    @pytest.mark.parametrize("is_here", [False, True])
    def test_a_way_that_is_long_stays_so_behind_a_tunnel(self, *, is_here: bool) -> None:
        latency = Latency(is_here=is_here)
        for ms in (80, 90, 300, 85, 80):
            latency.told(80)
            latency.measured(ms)
        told = leave_for(latency, Budget(10_000, 100), 30)
        assert told.remaining_ms is not None
        assert told.remaining_ms < 9000

    def test_a_machine_that_is_always_late_is_no_hiccup(self) -> None:
        latency = Latency(is_here=True)
        for _move in range(20):
            latency.measured(60)
        assert latency.mean_ms == 60
        assert not latency.is_near


def test_on_one_machine_nothing_is_kept_for_lost_packets_while_it_is_busy() -> None:
    """Several late answers raise the mean above what counts as near; the shortest still shows that it is next door."""
    latency = Latency(is_here=True)
    for ms in (1.0, *[100.0] * 5):
        latency.measured(ms)
    assert latency.mean_ms > 5
    assert latency.is_near
