"""Organisers: pause, resume, adjudicate, terminate, kick. Players can't, and time is exact."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games import Seat, parse
from protocol.errors import ErrorCode, ProtocolError
from protocol.messages import (
    Abort,
    Adjudicate,
    Answer,
    Chat,
    Claim,
    ClientMessage,
    Clock,
    Create,
    Error,
    Finished,
    Hello,
    Join,
    Kick,
    ListMatches,
    MakeMove,
    Moved,
    Offer,
    Ok,
    Pause,
    Paused,
    Player,
    Resign,
    Resume,
    Resumed,
    Terminate,
    Watch,
    YourTurn,
)
from protocol.records import GameRecord, chain
from server.match.match import Match
from server.match.terms import MatchContext, MatchRules, Status, Timeouts
from server.records.verification import verify
from server.referee.outgoing import KICKED
from server.referee.settings import Access, Settings
from tests.server.desk import Desk, User, take_turns

SECRET = "for organisers"
MINUTE = Clock(initial_ms=60_000)


@pytest.fixture
def desk() -> Desk:
    return Desk(Settings(timeouts=Timeouts(absence=10, abandonment=40, waiting=100), access=Access(organiser=SECRET)))


@pytest.fixture
def boss(desk: Desk) -> User:
    user = User(desk, "Boss")
    said = desk.ask(user.connection, Hello(desk.request_id(), 1, "test", "human", "Boss", organiser=SECRET))
    assert isinstance(said, Ok)
    return user


def requests(desk: Desk, match: str, name: str) -> list[ClientMessage]:
    number = desk.request_id
    return [Pause(number(), match), Resume(number(), match), Adjudicate(number(), match, 1), Terminate(number(), match),
            Kick(number(), name)]  # fmt: skip


class TestWhoMay:
    def test_players_and_strangers_may_not(self, desk: Desk) -> None:
        first, second, match = desk.pair(clock=MINUTE)
        stranger = desk.user("Eve")
        seq = desk.referee.lobby.find(match).match.history.seq
        for user in (first, second, stranger):
            for request in requests(desk, match, first.name):
                assert user.refused(request) == "not_allowed"
        assert desk.referee.lobby.find(match).match.history.seq == seq
        assert desk.referee.sessions.named(first.name) is not None

    def test_nor_may_the_one_who_opened_the_match(self, desk: Desk) -> None:
        user = desk.user("Ada")
        match = user.ok(Create(desk.request_id(), "morpion")).match
        assert isinstance(match, str)
        assert user.refused(Terminate(desk.request_id(), match)) == "not_allowed"

    def test_organisers_see_private_matches(self, desk: Desk, boss: User) -> None:
        first, _, match = desk.pair(public=False)
        listed = boss.ok(ListMatches(desk.request_id())).matches
        assert isinstance(listed, tuple)
        assert [summary.match for summary in listed] == [match]
        assert first.ok(ListMatches(desk.request_id())).matches == ()


class TestPause:
    def test_no_clock_runs_and_what_was_used_stays_used(self, desk: Desk, boss: User) -> None:
        first, second, match = desk.pair(clock=MINUTE)
        desk.now += 5
        boss.ok(Pause(desk.request_id(), match))
        (paused,) = second.said(Paused)
        assert (paused.clocks, paused.used_ms) == ((55_000, 60_000), 5000)
        desk.wait(3600)
        assert desk.referee.lobby.find(match).match.clocks(desk.now) == (55_000, 60_000)
        boss.ok(Resume(desk.request_id(), match))
        (resumed,) = second.said(Resumed)
        assert (resumed.clocks, resumed.to_move, resumed.seq) == ((55_000, 60_000), 1, paused.seq + 1)
        (turn,) = first.said(YourTurn)
        assert turn.deadline_ms == 55_000
        assert second.said(YourTurn) == []
        desk.wait(54.999)
        assert desk.referee.lobby.find(match).is_playing()
        desk.wait(0.001)
        assert [m.result.reason for m in desk.received[second.connection] if isinstance(m, Finished)] == ["timeout"]

    def test_nothing_of_the_game_happens_meanwhile(self, desk: Desk, boss: User) -> None:
        first, second, match = desk.pair(clock=MINUTE)
        take_turns(first, second, match, ["a1", "b2"])
        second.ok(Offer(desk.request_id(), match, "draw"))
        boss.ok(Pause(desk.request_id(), match))
        number = desk.request_id
        for request in (
            MakeMove(number(), match, 2, "c3"), Resign(number(), match), Offer(number(), match, "takeback"),
            Answer(number(), match, "draw", True), Answer(number(), match, "draw", False), Claim(number(), match),
        ):  # fmt: skip
            assert first.refused(request) == "paused"
        assert first.refused(Abort(number(), match)) == "too_late"
        first.ok(MakeMove(number(), match, 0, "a1"))
        first.ok(Chat(number(), match, "un café ?"))
        boss.ok(Resume(number(), match))
        first.ok(MakeMove(number(), match, 2, "c3"))

    def test_twice_is_once(self, desk: Desk, boss: User) -> None:
        first, _, match = desk.pair(clock=MINUTE)
        for request in (Pause, Pause, Resume, Resume):
            boss.ok(request(desk.request_id(), match))
        found = [type(m) for m in desk.received[first.connection] if isinstance(m, Paused | Resumed)]
        assert found == [Paused, Resumed]

    def test_who_comes_back_finds_it_paused(self, desk: Desk, boss: User) -> None:
        first, second, match = desk.pair(clock=MINUTE)
        boss.ok(Pause(desk.request_id(), match))
        first.drop()
        first.back()
        assert first.snapshot().status == "paused"
        assert first.snapshot().legal == ()
        assert first.said(YourTurn) == []
        second.drop()
        first.drop()
        desk.wait(10_000)
        boss.ok(Watch(desk.request_id(), match))
        assert boss.snapshot().status == "paused"

    def test_an_absence_begins_anew(self, desk: Desk, boss: User) -> None:
        first, second, match = desk.pair()
        second.drop()
        boss.ok(Pause(desk.request_id(), match))
        desk.wait(100)
        boss.ok(Resume(desk.request_id(), match))
        assert first.refused(Claim(desk.request_id(), match)) == "too_early"
        desk.wait(10)
        first.ok(Claim(desk.request_id(), match))

    def test_only_what_runs_is_paused(self, desk: Desk, boss: User) -> None:
        first, second, match = desk.pair()
        waiting = first.ok(Create(desk.request_id(), "morpion")).match
        assert isinstance(waiting, str)
        assert boss.refused(Pause(desk.request_id(), waiting)) == "not_started"
        assert boss.refused(Resume(desk.request_id(), waiting)) == "not_started"
        take_turns(first, second, match, ["a1", "a2", "b1", "b2", "c1"])
        assert boss.refused(Pause(desk.request_id(), match)) == "game_over"
        assert boss.refused(Resume(desk.request_id(), match)) == "game_over"
        assert boss.refused(Pause(desk.request_id(), "nosuch")) == "no_such_match"

    @given(st.lists(st.tuples(st.booleans(), st.integers(0, 5000)), max_size=20))
    def test_the_time_of_play_is_all_that_counts(self, steps: list[tuple[bool, int]]) -> None:
        match, now, played = _started(), 0.0, 0.0
        for pause, ticks in steps:
            if pause:
                match.pause(now)
            else:
                match.resume(now)
            now += ticks / 1024
            played += 0 if pause else ticks / 1024
        left = match.clocks(now)
        assert left is not None
        assert abs(left[0] - (3_600_000 - played * 1000)) <= len(steps) + 1
        events = match.history.since(0)
        assert events is not None
        assert [event.seq for event in events] == list(range(1, len(events) + 1))
        restored = Match("m", MatchRules(parse("morpion"), Clock(3_600_000)), MatchContext(), now)
        restored.restore(events, now)
        assert (restored.status, restored.moves) == (match.status, match.moves)


class TestDecisions:
    @pytest.mark.parametrize("winner", [1, 2, None])
    @pytest.mark.parametrize("paused", [True, False])
    def test_a_match_is_adjudicated(self, desk: Desk, boss: User, winner: int | None, *, paused: bool) -> None:
        first, _, match = desk.pair(clock=MINUTE)
        if paused:
            boss.ok(Pause(desk.request_id(), match))
        boss.ok(Adjudicate(desk.request_id(), match, winner))  # type: ignore[arg-type]  # the parameters are seats
        (over,) = first.said(Finished)
        assert (over.result.winner, over.result.reason) == (winner, "adjudicated")
        assert boss.refused(Adjudicate(desk.request_id(), match, 1)) == "game_over"

    def test_it_is_terminated_however_far_it_came(self, desk: Desk, boss: User) -> None:
        first, second, match = desk.pair()
        take_turns(first, second, match, ["a1", "a2", "b1"])
        boss.ok(Terminate(desk.request_id(), match))
        (over,) = first.said(Finished)
        assert (over.result.winner, over.result.reason) == (None, "aborted")
        waiting = first.ok(Create(desk.request_id(), "morpion")).match
        assert isinstance(waiting, str)
        assert boss.refused(Adjudicate(desk.request_id(), waiting, 1)) == "not_started"
        boss.ok(Terminate(desk.request_id(), waiting))
        assert boss.refused(Terminate(desk.request_id(), waiting)) == "game_over"


class TestKick:
    def test_he_is_gone_and_his_games_are_his_opponents(self, desk: Desk, boss: User) -> None:
        first, second, _ = desk.pair(clock=MINUTE)
        waiting = first.ok(Create(desk.request_id(), "morpion")).match
        assert isinstance(waiting, str)
        boss.ok(Kick(desk.request_id(), first.name.upper()))
        (over,) = second.said(Finished)
        assert (over.result.winner, over.result.reason) == (2, "adjudicated")
        assert not desk.referee.lobby.find(waiting).is_open()
        (error,) = first.said(Error)
        assert (error.code, error.fatal) == ("kicked", True)
        assert desk.closed[first.connection] == KICKED
        desk.drop(first.connection)
        returns = Hello(desk.request_id(), 1, "test", "human", first.name, first.token)
        answer = desk.ask(desk.connect(), returns)
        assert isinstance(answer, Error)
        assert answer.code == "bad_token"

    def test_nothing_more_is_said_to_him(self, desk: Desk, boss: User) -> None:
        first, second, match = desk.pair()
        eve = desk.user("Eve")
        eve.watch(match)
        boss.ok(Kick(desk.request_id(), "Eve"))
        heard = len(desk.received[eve.connection])
        first.ok(MakeMove(desk.request_id(), match, 0, "a1"))
        second.ok(Chat(desk.request_id(), match, "?"))
        assert len(desk.received[eve.connection]) == heard
        desk.wait(10_000)

    def test_who_is_away_may_be_sent_away_too(self, desk: Desk, boss: User) -> None:
        first, _, match = desk.pair()
        first.drop()
        boss.ok(Kick(desk.request_id(), first.name))
        assert not desk.referee.lobby.find(match).is_open()
        assert desk.referee.sessions.named(first.name) is None
        assert boss.refused(Kick(desk.request_id(), first.name)) == "no_such_player"
        assert boss.refused(Kick(desk.request_id(), "Boss")) == "no_such_player"

    def test_matches_that_he_arranged_for_others_go_on(self, desk: Desk, boss: User) -> None:
        arranger, one, two = desk.user("Cleo"), desk.user("Ada"), desk.user("Bob")
        match = arranger.ok(Create(desk.request_id(), "morpion", play=False)).match
        assert isinstance(match, str)
        one.ok(Join(desk.request_id(), match))
        two.ok(Join(desk.request_id(), match))
        boss.ok(Kick(desk.request_id(), "Cleo"))
        assert desk.referee.lobby.find(match).is_playing()


def _started() -> Match:
    match = Match("m", MatchRules(parse("morpion"), Clock(3_600_000)), MatchContext(), 0.0)
    for seat in Seat:
        match.sit(seat, Player(f"p{seat}", "human"), 0.0)
    assert match.status is Status.PLAYING
    return match


def test_a_paused_match_takes_no_move_whoever_asks() -> None:
    match = _started()
    match.pause(1.0)
    with pytest.raises(ProtocolError) as refused:
        match.move(Seat.FIRST, 0, "a1", 2.0)
    assert refused.value.code is ErrorCode.PAUSED


def test_a_record_with_a_pause_is_by_the_rules() -> None:
    match = _started()
    match.move(Seat.FIRST, 0, "a1", 1.0)
    match.pause(4.0)
    match.resume(20.0)
    match.move(Seat.SECOND, 1, "b2", 21.0)
    match.pause(30.0)
    match.adjudicate(Seat.SECOND, 40.0)
    events = tuple(match.history.since(0) or ())
    assert [event.clocks for event in events if isinstance(event, Moved | Finished)] == [
        (3_599_000, 3_600_000), (3_599_000, 3_596_000), (3_590_000, 3_596_000),
    ]  # fmt: skip
    clock = Clock(3_600_000)
    walls = (0,) * len(events)
    record = GameRecord("m", "morpion", clock, True, 0, events, walls, chain("m", "morpion", clock, events))
    assert verify(record) == []
