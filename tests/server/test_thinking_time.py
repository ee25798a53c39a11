"""Clocks charge thinking, and nothing else: from the moment when a player was asked to when his frame was read."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from games import Seat, parse
from protocol.messages import (
    Chat,
    Claim,
    Clock,
    Create,
    Error,
    Finished,
    MakeMove,
    Moved,
    Network,
    Ok,
    Paused,
    Player,
    Presence,
    Resumed,
    Snapshot,
    Sync,
    YourTurn,
)
from server.match.match import Match
from server.match.terms import MatchContext, MatchRules, Status, Timeouts
from server.referee.effects import Effect
from tests.cores import plain_core
from tests.faults.simulation.virtual import run
from tests.server.desk import Desk, User
from tests.server.hall import Guest, Hall, pair
from tests.server.stores import hall_with_slow_store

SECOND = Clock(1_000)
TEN = Clock(10_000)


class Slow(Desk):
    """A desk whose `your_turn` stay on the way until `hand` is called; `measured` says what connections have said."""

    def __init__(self) -> None:
        super().__init__()
        self.on_the_way: list[tuple[int, YourTurn]] = []
        self.holds = False

    def perform(self, effects: Iterable[Effect]) -> None:
        handed = self.referee.handed
        if self.holds:
            self.referee.handed = lambda *_: False  # type: ignore[method-assign]
        try:
            super().perform(effects)
        finally:
            self.referee.handed = handed  # type: ignore[method-assign]
        self.on_the_way += [(reader, m) for reader, m in self.step if isinstance(m, YourTurn)]

    def hand(self) -> None:
        """All that is on the way arrives."""
        for reader, turn in self.on_the_way:
            self.referee.handed(reader, turn.match, turn.ply, self.now)
        self.on_the_way.clear()

    def match(self, match: str) -> Match:
        return self.referee.lobby.find(match).match

    def says(self, user: User, message: MakeMove | Chat | Claim, *, heard: float) -> Ok | Error:
        """A message that was read at `heard`, and is heard now."""
        self.perform(self.referee.receive(user.connection, message, self.now, heard))
        (answer,) = [m for m in user.desk.said_to(user.connection) if isinstance(m, Ok | Error)]
        return answer


def begun(clock: Clock = TEN) -> tuple[Slow, User, User, str]:
    """A match whose first move was made at once; the second player is about to be asked."""
    desk = Slow()
    first, second, match = desk.pair("morpion", clock)
    desk.holds = True
    first.play(match, "a1", start=0)
    return desk, first, second, match


def moved(user: User) -> Moved:
    (found,) = user.said(Moved)
    return found


@plain_core
class TestHeld:
    def test_no_time_runs_before_the_player_was_asked(self) -> None:
        desk, _, second, match = begun()
        desk.wait(60)
        assert desk.match(match).clocks(desk.now) == (10_000, 10_000)
        desk.hand()
        desk.wait(3)
        second.play(match, "b1", start=1)
        event = moved(second)
        assert (event.used_ms, event.stall_ms, event.clocks) == (3000, 60_000, (10_000, 7_000))

    def test_the_flag_falls_from_then_on(self) -> None:
        desk, first, _, match = begun()
        desk.wait(60)
        desk.hand()
        desk.wait(9.999)
        assert desk.match(match).result is None
        desk.wait(0.002)
        assert first.said(Finished)[0].result.reason == "timeout"

    def test_who_answers_before_he_was_asked_has_used_nothing(self) -> None:
        desk, _, second, match = begun()
        desk.wait(5)
        second.play(match, "b1", start=1)
        assert moved(second).used_ms == 0

    def test_asking_again_gives_nothing_back(self) -> None:
        desk, _, second, match = begun()
        desk.hand()
        for _ in range(4):
            desk.wait(1)
            second.ok(Sync(desk.request_id(), match, 0))
        desk.hand()
        second.play(match, "b1", start=1)
        assert moved(second).used_ms == 4000

    @pytest.mark.parametrize("way", ["drops", "is replaced"])
    def test_what_is_never_handed_over_runs_from_the_end_of_its_connection(self, way: str) -> None:
        desk, _, second, match = begun()
        desk.wait(5)
        if way == "drops":
            second.drop()
            desk.on_the_way.clear()
            desk.wait(2)
            second.back()
        else:
            second.back()
            desk.on_the_way = []
            desk.wait(2)
        assert desk.match(match).clocks(desk.now) == (10_000, 8_000)
        desk.hand()
        second.play(match, "b1", start=1)
        assert moved(second).used_ms == 2000

    def test_who_is_away_when_his_turn_begins_gains_no_time(self) -> None:
        desk = Slow()
        first, second, match = desk.pair("morpion", TEN)
        second.drop()
        first.play(match, "a1", start=0)
        desk.wait(6)
        second.back()
        second.play(match, "b1", start=1)
        assert moved(second).used_ms == 6000

    def test_an_old_question_starts_nothing(self) -> None:
        desk, first, second, match = begun()
        old = list(desk.on_the_way)
        desk.hand()
        second.play(match, "b1", start=1)
        first.play(match, "a2", start=2)
        desk.on_the_way = old
        desk.hand()
        desk.wait(5)
        assert desk.match(match).clocks(desk.now) == (10_000, 10_000)

    @given(st.lists(st.tuples(st.floats(0, 20), st.floats(0, 3)), min_size=1, max_size=5))
    @pytest.mark.slow
    def test_all_time_is_thinking_or_stall(self, turns: list[tuple[float, float]]) -> None:
        desk = Slow()
        users = desk.pair("morpion", Clock(60_000))
        match = users[2]
        desk.holds = True
        used = [0, 0]
        desk.hand()
        for ply, ((wait, think), move) in enumerate(zip(turns, ("a1", "b1", "a2", "c1", "b2"), strict=False)):
            began = desk.now
            if ply:
                desk.wait(wait)
                desk.hand()
            desk.wait(think)
            user = users[ply % 2]
            user.play(match, move, start=ply)  # type: ignore[union-attr]
            event = moved(user)  # type: ignore[arg-type]
            used[ply % 2] += event.used_ms
            assert event.used_ms == pytest.approx(1000 * think, abs=1.01)
            assert event.used_ms + event.stall_ms == pytest.approx(1000 * (desk.now - began), abs=2.02)
            assert event.clocks == (60_000 - used[0], 60_000 - used[1])


@plain_core
class TestHeard:
    def test_a_frame_that_was_read_before_the_flag_counts(self) -> None:
        desk, first, second, match = begun(SECOND)
        desk.hand()
        desk.measured.unheard[second.connection] = desk.now + 0.9
        began = desk.now
        desk.wait(1.2)
        assert desk.match(match).result is None
        assert first.refused(Claim(desk.request_id(), match)) == "not_allowed", "nor by what others ask meanwhile"
        answer = desk.says(second, MakeMove(desk.request_id(), match, 1, "b1"), heard=began + 0.9)
        assert isinstance(answer, Ok)
        assert moved(second).used_ms == 900
        assert desk.match(match).clocks(desk.now) == (1000, 100)

    def test_a_frame_that_was_read_after_the_flag_does_not(self) -> None:
        desk, _, second, match = begun(SECOND)
        desk.hand()
        desk.measured.unheard[second.connection] = desk.now + 1.05
        desk.wait(1.01)
        assert desk.match(match).status is Status.FINISHED

    def test_nor_does_one_that_is_heard_before_the_timer(self) -> None:
        desk, _, second, match = begun(SECOND)
        desk.hand()
        began = desk.now
        desk.now += 1.2
        answer = desk.says(second, MakeMove(desk.request_id(), match, 1, "b1"), heard=began + 1.0)
        assert isinstance(answer, Error)
        assert desk.match(match).result is not None

    def test_a_frame_that_is_heard_late_counts_from_when_it_was_read(self) -> None:
        desk, _, second, match = begun(SECOND)
        desk.hand()
        began = desk.now
        desk.now += 1.2  # no timer went off
        answer = desk.says(second, MakeMove(desk.request_id(), match, 1, "b1"), heard=began + 0.9)
        assert isinstance(answer, Ok)
        assert moved(second).used_ms == 900

    def test_what_was_said_before_the_move_does_not_let_the_flag_fall(self) -> None:
        """A frame of two messages, of which the second is the move."""
        desk, _, second, match = begun(SECOND)
        desk.hand()
        heard = desk.measured.unheard[second.connection] = desk.now + 0.5
        desk.wait(1.5)
        assert isinstance(desk.says(second, Chat(desk.request_id(), match, "wait"), heard=heard), Ok)
        assert isinstance(desk.says(second, MakeMove(desk.request_id(), match, 1, "b1"), heard=heard), Ok)

    def test_a_timer_that_is_late_settles_all_that_is_due(self) -> None:
        """An absence and a flag fell due before it went off: both happen, in their order."""
        desk = Desk()
        first, second, match = desk.pair("morpion", Clock(15_000))
        first.drop()
        desk.now += 20
        desk.tick()
        (finished,) = second.said(Finished)
        assert (finished.result.reason, finished.result.winner) == ("timeout", 2)
        assert [presence.claimable_ms for presence in second.said(Presence)] == [0]
        assert desk.referee.lobby.find(match).match.status is Status.FINISHED

    def test_who_had_nothing_to_say_after_all_has_lost(self) -> None:
        desk, _, second, match = begun(SECOND)
        desk.hand()
        desk.measured.unheard[second.connection] = desk.now + 0.5
        desk.wait(3)
        assert desk.match(match).result is None
        desk.measured.unheard.clear()
        desk.wait(0.02)
        assert desk.match(match).result is not None


# -------------------------------------------------------------------------------------------------- on a slow disk


class Program(Guest):
    """Answers each `your_turn` at once with its first legal move."""

    def __init__(self, name: str) -> None:
        super().__init__(name, "bot")
        self.answered: set[int] = set()

    def _hear(self, frame: bytes) -> None:
        super()._hear(frame)
        for turn in self.all(YourTurn):
            if turn.ply not in self.answered:
                self.answered.add(turn.ply)
                move = MakeMove(self.number(), turn.match, turn.ply, turn.legal[0])
                asyncio.get_running_loop().call_soon(self.say, move)


@pytest.mark.parametrize("seconds", [0.06, 0.15])
def test_two_programs_that_answer_at_once_play_to_the_end_on_a_slow_disk(seconds: float) -> None:
    """Row 110."""

    async def scene() -> None:
        hall, disk = hall_with_slow_store()
        ada, bob = Program("Ada"), Program("Bob")
        await ada.come(hall)
        await bob.come(hall)
        disk.seconds = seconds
        await bob.join(await ada.open("othello", SECOND))
        await ada.until(lambda: bool(ada.all(Finished)))
        assert ada.last(Finished).result.reason == "discs"
        events = ada.all(Moved)
        assert len(events) >= 50
        assert max(event.used_ms for event in events) <= 5
        assert min(event.stall_ms for event in events[1:]) >= seconds * 1000 - 1
        hall.end()

    run(scene())


def test_a_person_on_a_slow_disk_is_charged_from_when_he_was_asked() -> None:
    async def scene() -> None:
        hall, disk = hall_with_slow_store()
        ada, bob, match = await pair(hall, "morpion", TEN)
        disk.seconds = 0.1
        await ada.move(match, 0, "a1")
        await bob.until(lambda: bool(bob.all(YourTurn)))
        await asyncio.sleep(2)
        event = await bob.move(match, 1, "b1")
        assert event.used_ms == pytest.approx(2000, abs=15)
        assert event.stall_ms >= 99
        hall.end()

    run(scene())


def test_a_connection_that_ends_after_a_silence_is_charged_up_to_its_last_sign_of_life() -> None:
    """A silence that is too short to be noticed, and then an end: as when the system gives a connection up."""

    async def scene() -> None:
        hall = Hall()
        ada, bob = Guest("Ada"), Guest("Bob")
        await ada.come(hall)
        await bob.come(hall)
        opened = await ada.ok(Create(ada.number(), "morpion", TEN, True, "first", network=Network("pause")))
        match = await bob.join(opened)
        await ada.until(lambda: bool(ada.all(YourTurn)))
        await asyncio.sleep(0.2)
        ada.line.cut_off_at = asyncio.get_running_loop().time()
        await asyncio.sleep(0.9)
        assert not bob.all(Presence)
        ada.go()
        await bob.until(lambda: bool(bob.all(Presence)))
        left = bob.last(Presence)
        assert (left.match, left.seat, left.present) == (match, 1, False)
        assert left.used_ms == pytest.approx(200, abs=15)
        hall.end()

    run(scene())


# -------------------------------------------------------------------------------------------------------- a polite stop


class TestStop:
    def stopped(self, thought: float) -> tuple[Match, Match]:
        """A match that was stopped when its first player had thought for so long, and what came back of it."""
        context = MatchContext(Timeouts(absence=10, abandonment=40))
        before = Match("m", MatchRules(parse("morpion"), TEN), context, 0.0)
        for seat, name in ((Seat.FIRST, "Ada"), (Seat.SECOND, "Bob")):
            before.sit(seat, Player(name, "human"), 0.0)
        before.suspend(thought)
        after = Match("m", MatchRules(parse("morpion"), TEN), MatchContext(context.timeouts), 0.0)
        events = before.history.since(0)
        assert events is not None
        after.restore(events, 1000.0)
        after.reopen(1000.0)
        return before, after

    @given(st.integers(0, 9_999), st.integers(0, 9_999))
    @example(3_599, 6_401)
    def test_a_stop_gains_no_time(self, before_ms: int, after_ms: int) -> None:
        """What was used before the stop and after it adds up; the time between is nobody's."""
        thought = before_ms / 1000
        stopped, match = self.stopped(thought)
        assert stopped.clocks(500.0) == match.clocks(1000.0)
        assert match.clocks(1000.0) == (10_000 - int(thought * 1000), 10_000)
        match.presence(Seat.FIRST, present=True, now=1005.0)
        assert match.status is Status.PLAYING
        now, kept = 1005.0 + after_ms / 1000, 10_000 - int(thought * 1000)
        left = match.clocks(now)
        assert left is not None
        has_fallen = now >= 1005.0 + kept / 1000  # floats round: nothing is left if and only if the flag has fallen
        assert left[0] == (0 if has_fallen else max(1, kept - int((now - 1005.0) * 1000)))

    def test_what_is_said_of_it(self) -> None:
        before, after = self.stopped(3.0)
        events = after.history.since(0)
        assert events is not None
        (paused,) = [event for event in events if isinstance(event, Paused)]
        assert (paused.stopping, paused.used_ms, paused.clocks) == (True, 3000, (7000, 10_000))
        assert isinstance(events[-1], Resumed)
        absences = [event for event in events if isinstance(event, Presence)]
        assert [(event.present, event.claimable_ms) for event in absences] == [(False, 10_000)] * 2
        assert before.status is Status.PAUSED

    @pytest.mark.parametrize(("status", "wait"), [("playing", 10_000), ("paused", None), ("waiting", None)])
    def test_who_was_there_is_away_and_may_be_awaited_only_in_play(self, status: str, wait: int | None) -> None:
        before = Match("m", MatchRules(parse("morpion"), TEN), MatchContext(Timeouts(absence=10)), 0.0)
        before.sit(Seat.FIRST, Player("Ada", "human"), 0.0)
        if status != "waiting":
            before.sit(Seat.SECOND, Player("Bob", "human"), 0.0)
        if status == "paused":
            before.pause(1.0)
        after = Match("m", MatchRules(parse("morpion"), TEN), MatchContext(Timeouts(absence=10)), 0.0)
        after.restore(before.history.since(0) or (), 100.0)
        assert after.status.value == status
        away = [event for event in after.reopen(100.0) if isinstance(event, Presence)]
        assert [event.claimable_ms for event in away] == [wait] * (1 if status == "waiting" else 2)
        assert not any(event.present for event in away)

    def test_what_waits_paused_or_is_over_is_not_touched(self) -> None:
        desk = Desk()
        first, _, match = desk.pair("morpion", TEN)
        waiting = first.ok(Chat(desk.request_id(), match, "bye"))
        assert isinstance(waiting, Ok)
        table = desk.referee.lobby.find(match)
        table.match.pause(desk.now)
        count = table.match.history.seq
        assert table.match.suspend(desk.now) == ()
        table.match.terminate(desk.now)
        assert table.match.suspend(desk.now) == ()
        assert table.match.history.seq == count + 1

    def test_who_moves_while_the_server_stops_is_told_so(self) -> None:
        desk = Desk()
        first, _, match = desk.pair("morpion", TEN)
        desk.perform(desk.referee.shutdown(1000, desk.now))
        answer = first.ask(MakeMove(desk.request_id(), match, 0, "a1"))
        assert isinstance(answer, Error)
        assert answer.code == "paused"
        assert "stops" in answer.message
        first.ok(Sync(desk.request_id(), match, 0))
        assert first.said(Snapshot)[0].clocks == (10_000, 10_000)
