"""One match as a bot plays it: late answers are dropped, lost ones sent again. The thread is the test's own hand."""

import asyncio
import random
from collections.abc import Callable
from typing import Any, cast

import pytest

import games
from bots.base import RESIGN, BaseBot, Bot, BotFaultError, BotSpec, Budget, Family, MatchHistory, Options, Thought
from bots.failures.capsule import Capsule, describe
from bots.running import match_player
from bots.running.match_player import MatchPlayer, MatchPlayerContext
from bots.running.starts import Starts
from bots.running.worker import Job, Worker
from client.connection import Client
from games.base import Game, Position, Seat
from protocol.messages import Clock, MakeMove, Moved, Result, SeatClock, Thinking, YourTurn
from tests.games.remembering import Counted
from view.match import MatchView


class Sent:
    """Takes the place of a connection: keeps what is sent."""

    def __init__(self) -> None:
        self.messages: list[Any] = []

    def send(self, make: Callable[..., Any], **fields: Any) -> int:
        self.messages.append(make(len(self.messages), **fields))
        return len(self.messages)

    send_along = send


class Hand:
    """Takes the place of the thread: the test runs a job when it likes."""

    def __init__(self) -> None:
        self.jobs: list[Job] = []

    def submit(self, job: Job) -> None:
        self.jobs.append(job)

    def run(self, index: int = -1) -> None:
        job = self.jobs.pop(index)
        if job.is_wanted():
            job.done(job.compute())


class Last(BaseBot):
    """Plays the last legal move, and remembers its budgets; gives up where the match is called "lost"."""

    def __init__(self, budgets: list[Budget]) -> None:
        super().__init__()
        self._budgets = budgets

    def choose(self, position: Position, budget: Budget) -> str:
        self._budgets.append(budget)
        if self.history.match == "lost":
            return RESIGN
        if self.on_thought is not None:
            self.on_thought(Thought(1, 2.0, (position.legal_moves()[-1],), 3))
        return position.legal_moves()[-1]


class Table:
    """A match of morpion in which the bot has the first seat, with all that it does laid open."""

    def __init__(self) -> None:
        self.sent, self.hand, self.failures = Sent(), Hand(), list[Capsule]()
        self.given_up: list[tuple[str, str]] = []
        self.bots: list[Bot] = []
        self.budgets: list[Budget] = []

        def make(game: Game, seat: Seat, rng: random.Random, options: Options) -> Bot:
            del game, seat, rng, options
            self.bots.append(Last(self.budgets))
            return self.bots[-1]

        spec = BotSpec(Family("last", lambda: "", make))
        client, worker = cast("Client", self.sent), cast("Worker", self.hand)
        context = MatchPlayerContext(
            client,
            worker,
            spec,
            "1",
            fail=self.failures.append,
            give_up=lambda match, why: self.given_up.append((match, why)),
            starts=Starts(1, 1),
        )
        self.latency = context.latency
        self.work = MatchPlayer(context, 1)
        game = games.parse("morpion")
        self.view = MatchView("m", game, game.start(), seat=Seat.FIRST, status="playing")

    def ask(self, *, clocks: tuple[int, int] | None = None) -> None:
        legal = self.view.position.legal_moves()
        left = None if clocks is None else clocks[0]
        self.work.ask(YourTurn("m", self.view.ply, legal, clocks, left))
        self.work.answer(self.view)

    def play(self, *moves: str) -> None:
        for move in moves:
            self.view.position = self.view.position.play(move)
            self.view.moves = (*self.view.moves, move)

    def moves(self) -> list[tuple[int, str]]:
        return [(message.ply, message.move) for message in self.sent.messages if isinstance(message, MakeMove)]


async def test_an_answer_goes_out_with_what_the_bot_saw() -> None:
    table = Table()
    table.ask()
    assert table.moves() == []
    job = table.hand.jobs.pop()
    result = job.compute()
    await asyncio.sleep(0)  # the thought comes over from the thread
    job.done(result)
    thinking, move = table.sent.messages
    assert isinstance(thinking, Thinking)
    assert (thinking.ply, thinking.depth, thinking.score, thinking.nodes) == (0, 1, 2.0, 3)
    assert thinking.pv == (move.move,)
    assert table.moves() == [(0, "c3")]


async def test_a_late_answer_is_dropped_by_ply() -> None:
    table = Table()
    table.ask()
    late = table.hand.jobs.pop()
    result = late.compute()
    table.play("a1", "b1")
    late.done(result)
    assert table.moves() == []
    table.ask()
    table.hand.run()
    assert table.moves() == [(2, "c3")]


async def test_an_answer_from_before_a_takeback_is_dropped_at_the_same_ply() -> None:
    table = Table()
    table.ask()
    late = table.hand.jobs.pop()
    result = late.compute()
    table.work.forget_turn()
    table.ask()
    late.done(result)
    assert table.moves() == []
    table.hand.run()
    assert table.moves() == [(0, "c3")]


async def test_a_job_that_nobody_waits_for_is_not_started() -> None:
    table = Table()
    table.ask()
    table.view.status, table.view.result = "finished", Result(winner=2, reason="resign", score=(0, 0))
    table.hand.run()
    assert table.budgets == []
    assert table.moves() == []


async def test_asked_again_it_thinks_once_and_repeats_its_answer() -> None:
    table = Table()
    table.ask()
    table.ask()  # a reconnect while it thinks
    assert len(table.hand.jobs) == 1
    table.hand.run()
    table.ask()  # a reconnect after its answer was lost
    assert table.hand.jobs == []
    assert table.moves() == [(0, "c3"), (0, "c3")]


async def test_a_question_that_runs_ahead_of_the_events_waits_for_them() -> None:
    table = Table()
    legal = table.view.position.legal_moves()
    table.work.ask(YourTurn("m", 2, legal))
    table.work.answer(table.view)
    assert table.hand.jobs == []
    table.play("a1", "b1")
    table.work.answer(table.view)
    table.hand.run()
    assert table.moves() == [(2, "c3")]


async def test_the_budget_is_what_the_server_says() -> None:
    table = Table()
    table.view.clock = Clock(initial_ms=60_000, increment_ms=500)
    table.ask(clocks=(40_000, 30_000))
    table.hand.run()
    (budget,) = table.budgets
    assert budget.remaining_ms is not None
    assert 39_000 < budget.remaining_ms <= 40_000
    assert (budget.increment_ms, budget.move_ms, budget.opponent_ms) == (500, None, 30_000)
    odds = Table()
    odds.play("a1")
    odds.view.seat, odds.view.clock = Seat.SECOND, Clock(60_000, 500, second=SeatClock(9_000, 40))
    odds.ask(clocks=(40_000, 30_000))
    odds.hand.run()
    assert (odds.budgets[0].increment_ms, odds.budgets[0].opponent_ms) == (40, 40_000)
    unlimited = Table()
    unlimited.ask()
    unlimited.hand.run()
    assert unlimited.budgets == [Budget()]


async def test_what_a_move_costs_beyond_its_thoughts_is_kept_back_from_the_next() -> None:
    table = Table()
    table.view.clock = Clock(initial_ms=60_000, increment_ms=500)
    table.ask(clocks=(40_000, 30_000))
    table.hand.run()
    table.work.moved(Moved("m", 1, 0, 1, "a1", 2, (39_000, 30_000), used_ms=9_000))  # not what was sent
    table.work.moved(Moved("m", 1, 0, 1, "c3", 2, (39_800, 30_000), used_ms=700, lag_ms=100))
    assert 700 < table.latency.mean_ms <= 800
    table.play("c3", "a1")
    table.ask(clocks=(40_000, 30_000))
    table.hand.run()
    first, second = table.budgets
    assert first.flag_ms is None
    assert (second.increment_ms, second.flag_ms) == (0, second.until_flag_ms)
    assert second.remaining_ms is not None
    assert second.remaining_ms < 40_000 - 2000


async def test_a_move_that_was_asked_for_twice_tells_nothing_of_the_network() -> None:
    table = Table()
    table.view.clock = Clock(initial_ms=60_000)
    table.ask(clocks=(40_000, 30_000))
    table.hand.run()
    table.ask(clocks=(40_000, 30_000))
    table.work.moved(Moved("m", 1, 0, 1, "c3", 2, (39_800, 30_000), used_ms=700))
    assert table.latency.mean_ms == 0


async def test_a_failure_is_told_once_with_the_position() -> None:
    table = Table()
    table.ask()
    table.hand.jobs.pop().done(RuntimeError("out of ideas"))
    table.ask()
    assert table.hand.jobs == []
    (failed,) = table.failures
    assert table.given_up == [("m", "crash"), ("m", "crash")]  # the first may have been lost, or refused
    assert (failed.reason, failed.message) == ("crash", "last failed: RuntimeError: out of ideas")
    assert (failed.seat, failed.moves, failed.position) == (1, (), "--------- X")
    assert "legal moves: a1 b1 c1" in "\n".join(describe(failed))


class HandClock:
    """Takes the place of the module `time`: the test moves its hand."""

    def __init__(self) -> None:
        self.now = 100.0

    def monotonic(self) -> float:
        return self.now


@pytest.mark.parametrize(
    ("began_s", "late_s", "told"),
    [
        (
            0.0,
            1.02,
            ["its clock had 1.00 s when the server asked; it was told 1.00 s; 1.02 s later its time was over"],
        ),
        (
            0.2,
            0.7,
            [
                "its clock had 1.00 s when the server asked; it was told 0.80 s; 0.70 s later its time was over",
                "0.30 s of it passed before the question arrived: the network was slow, or this machine busy",
            ],
        ),
    ],
)
async def test_what_went_wrong_is_told_of_a_match_that_is_lost_on_time(
    monkeypatch: pytest.MonkeyPatch, began_s: float, late_s: float, told: list[str]
) -> None:
    """Whether its bot took the time, or something on the way."""
    clock = HandClock()
    monkeypatch.setattr(match_player, "time", clock)
    table = Table()
    table.view.clock = Clock(initial_ms=1000)
    table.ask(clocks=(1000, 500))
    clock.now += began_s
    job = table.hand.jobs.pop()
    job.compute()
    clock.now += late_s - began_s
    table.view.status, table.view.result = "finished", Result(winner=2, reason="timeout", score=(0, 0))
    table.work.close(table.view)
    settled = table.work.settled
    assert settled is not None
    assert (table.failures, settled.is_set()) == ([], False)
    job.done(BotFaultError("crash", "the match is over", exchange=["> go"], stderr="thinking"))
    (failed,) = table.failures
    said = failed.message.splitlines()
    assert (failed.reason, said[0]) == ("timeout", "last did not answer before its time was over")
    assert [line.strip() for line in said[1:]] == told
    assert (failed.exchange, failed.stderr, failed.clocks) == (("> go",), "thinking", (1000, 500))
    assert failed.budget.remaining_ms is not None
    assert (settled.is_set(), table.moves()) == (True, [])


async def test_who_has_given_up_for_want_of_time_has_told_everything() -> None:
    table = Table()
    table.ask()
    table.hand.jobs.pop().done(BotFaultError("timeout", "it did not answer"))
    table.view.status, table.view.result = "finished", Result(winner=2, reason="timeout", score=(0, 0))
    table.work.close(table.view)
    assert table.work.settled is None
    assert [failed.reason for failed in table.failures] == ["timeout"]


@pytest.mark.parametrize("result", [Result(winner=1, reason="timeout", score=(0, 0)), None])
async def test_a_match_that_is_not_lost_on_time_leaves_nothing_to_tell(result: Result | None) -> None:
    table = Table()
    table.ask()
    job = table.hand.jobs.pop()
    table.view.status, table.view.result = "finished", result
    table.work.close(table.view)
    job.done("a1")
    assert (table.failures, table.work.settled) == ([], None)


async def test_a_bot_that_gives_up_is_asked_no_more_and_has_not_failed() -> None:
    table = Table()
    table.view.match = "lost"
    table.ask()
    table.hand.run()
    assert table.given_up == [("lost", "resign")]
    table.ask()
    assert table.given_up == [("lost", "resign"), ("lost", "resign")]
    assert (table.failures, table.moves(), table.hand.jobs) == ([], [], [])


async def test_what_a_bot_decides_while_its_match_is_paused_is_said_when_it_goes_on() -> None:
    table = Table()
    table.ask()
    table.view.status = "paused"
    table.hand.run()
    table.work.answer(table.view)
    assert table.moves() == []
    table.view.status = "playing"
    table.ask()
    assert (table.moves(), table.hand.jobs) == ([(0, "c3")], [])


@pytest.mark.parametrize(
    ("result", "why"),
    [(RESIGN, "resign"), (RuntimeError("out of ideas"), "crash"), ("e9", "illegal")],
)
async def test_a_match_that_is_given_up_while_it_is_paused_is_lost_when_it_goes_on(
    result: str | Exception, why: str
) -> None:
    table = Table()
    table.ask()
    table.view.status = "paused"
    table.hand.jobs.pop().done(result)
    assert (table.given_up, table.failures) == ([], [])
    table.view.status = "playing"
    table.ask()
    assert table.given_up == [("m", why)]
    assert len(table.failures) == (why != "resign")


async def test_a_match_that_is_paused_before_the_bot_begins_to_think_is_thought_about() -> None:
    table = Table()
    table.ask()
    table.view.status = "paused"
    job = table.hand.jobs.pop()
    assert job.is_wanted()
    table.view.status = "playing"
    table.ask()
    job.done(job.compute())
    assert table.moves() == [(0, "c3")]


@pytest.mark.parametrize("late", [False, True])
async def test_a_bot_that_is_stopped_for_being_slow_while_its_clock_stands_is_asked_anew(*, late: bool) -> None:
    """Its time ran out by its own watch alone: it is asked anew with what the clock has left."""
    table = Table()
    table.view.clock = Clock(initial_ms=60_000)
    table.ask(clocks=(4000, 30_000))
    (job,) = table.hand.jobs
    table.view.status = "paused"
    if not late:
        job.done(BotFaultError("timeout", "it is still busy"))
    table.view.status = "playing"
    table.ask(clocks=(3000, 30_000))
    if late:
        job.done(BotFaultError("timeout", "it is still busy"))
    table.hand.run()
    (budget,) = table.budgets
    assert budget.remaining_ms is not None
    assert 2000 < budget.remaining_ms <= 3000
    assert (table.moves(), table.given_up, table.failures) == ([(0, "c3")], [], [])


async def test_a_bot_that_is_slow_without_a_pause_has_lost_on_time() -> None:
    table = Table()
    table.ask()
    table.hand.jobs.pop().done(BotFaultError("timeout", "it is still busy"))
    assert table.given_up == [("m", "timeout")]


async def test_after_a_takeback_a_bot_that_has_given_up_is_asked_again() -> None:
    table = Table()
    table.ask()
    table.hand.jobs.pop().done(RuntimeError("out of ideas"))
    table.work.forget_turn()
    table.ask()
    table.hand.run()
    assert table.moves() == [(0, "c3")]


async def test_a_bot_knows_the_course_of_its_match_and_how_it_ended() -> None:
    table = Table()
    table.play("a1", "b1")
    table.ask()
    table.hand.run()
    (bot,) = table.bots
    assert bot.history == MatchHistory("m", ("a1", "b1"))
    table.play("c3")
    table.view.result = Result(1, "resign", (0, 0))
    table.work.close(table.view)
    assert bot.history == MatchHistory("m", ("a1", "b1", "c3"), Result(1, "resign", (0, 0)))


@pytest.mark.parametrize(
    ("game", "ply", "left"),
    [(Counted(), 0, 5), (Counted(), 8, 1), (Counted(), 400, 1), (games.parse("othello"), 0, 32)],
)
def test_a_bot_shares_its_time_out_over_a_usual_game(game: Game, ply: int, left: int) -> None:
    """And over a quarter of one where the game lasts longer, however long it may be."""
    view = MatchView("m", game, game.start(), moves=("a1",) * ply)
    assert match_player._moves_left(view) == left
