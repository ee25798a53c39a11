"""Spectators see what people play late: never sooner than the delay, in the end all of it, after a restart too."""

from __future__ import annotations

import pytest
from click import UsageError
from hypothesis import given, settings
from hypothesis import strategies as st

from games import Seat, parse
from protocol.messages import (
    Abort,
    Answer,
    Chat,
    Clock,
    Create,
    Drawn,
    Finished,
    FollowLobby,
    Hello,
    Join,
    Leave,
    ListMatches,
    LobbyChanged,
    MakeMove,
    MatchEvent,
    MatchSummary,
    Moved,
    Murmur,
    Offer,
    Ok,
    Pause,
    Paused,
    Presence,
    Rematched,
    Resign,
    Review,
    Said,
    Seated,
    ServerMessage,
    Snapshot,
    Started,
    Sync,
    Watch,
    Welcome,
)
from server.commands.serving_cli import delay_seconds
from server.match.fold import MatchState
from server.match.terms import MatchContext, MatchRules, Timeouts
from server.referee.effects import EventHappened
from server.referee.settings import Access, Settings
from server.referee.stored import StoredMatch
from tests.server.desk import WIN, Desk, User, take_turns

DELAY_S = 30.0

BEFORE = DELAY_S - 0.5

TIMEOUTS = Timeouts(absence=100, abandonment=400, waiting=1000, left_waiting=200)


def late_desk(now: float = 0.0) -> Desk:
    return Desk(Settings(TIMEOUTS, access=Access(organiser="of all"), delay_ms=30_000), now=now)


def events_of(messages: list[ServerMessage], match: str) -> list[MatchEvent]:
    return [m for m in messages if isinstance(m, MatchEvent) and m.match == match]


def told(desk: Desk, user: User, match: str) -> list[MatchEvent]:
    return events_of(desk.received[user.connection], match)


def changes_of(desk: Desk, user: User, match: str, status: str) -> bool:
    """Whether who follows the lobby was told of a match with this status."""
    changes = [m for m in desk.received[user.connection] if isinstance(m, LobbyChanged)]
    return any(line.match == match and line.status == status for change in changes for line in change.matches)


def listed(desk: Desk, user: User) -> tuple[MatchSummary, ...]:
    matches = user.ok(ListMatches(desk.request_id())).matches
    assert isinstance(matches, tuple)
    return matches


class TestASpectator:
    def test_sees_each_move_when_it_is_so_old(self) -> None:
        desk = late_desk()
        first, second, match = desk.pair(clock=Clock(600_000))
        desk.wait(DELAY_S)
        late = desk.user("Late")
        late.watch(match)
        assert late.snapshot().status == "playing"
        assert late.snapshot().delay_ms == 30_000
        first.play(match, "a1", start=0)
        assert first.said(Moved)
        assert second.said(Moved)
        desk.wait(BEFORE)
        assert not told(desk, late, match)
        desk.wait(1)
        (moved,) = told(desk, late, match)
        assert isinstance(moved, Moved)
        assert moved.move == "a1"

    def test_of_a_game_that_just_began_sees_nobody_yet(self) -> None:
        desk = late_desk()
        first, second, match = desk.pair()
        take_turns(first, second, match, WIN[:2])
        late = desk.user("Late")
        late.watch(match)
        seen = late.snapshot()
        assert (seen.seq, seen.moves, seen.players, seen.status) == (0, (), (None, None), "waiting")
        desk.wait(DELAY_S)
        late.ok(Sync(desk.request_id(), match, 0))
        assert late.snapshot().moves == WIN[:2]

    def test_is_told_the_end_late_and_meanwhile_finds_it_nowhere(self) -> None:
        desk = late_desk()
        first, second, match = desk.pair()
        desk.wait(DELAY_S)
        late = desk.user("Late")
        late.ok(FollowLobby(desk.request_id()))
        late.watch(match)
        take_turns(first, second, match, WIN)
        assert first.said(Finished)
        desk.wait(BEFORE)
        (line,) = listed(desk, late)
        assert (line.status, line.ply) == ("playing", 0)
        assert late.refused(Join(desk.request_id(), match)) == "seat_taken"
        assert late.refused(Review(desk.request_id(), match=match)) == "not_over"
        late.ok(Sync(desk.request_id(), match, 0))
        assert late.snapshot().moves == ()
        late.back(seen={match: 3})
        assert late.said(Welcome)[0].matches == (match,)
        heard = desk.received[late.connection]
        assert not any(isinstance(m, Finished | Moved) for m in heard)
        late.ok(FollowLobby(desk.request_id()))
        desk.wait(2)
        assert [type(event) for event in told(desk, late, match)] == [Moved] * 5 + [Finished]
        assert any(isinstance(m, LobbyChanged) and match in m.gone for m in heard)
        assert listed(desk, late) == ()
        assert late.refused(Join(desk.request_id(), match)) == "game_over"

    def test_follows_the_lobby_without_hearing_of_the_end(self) -> None:
        desk = late_desk()
        first, second, match = desk.pair()
        desk.wait(DELAY_S)
        late = desk.user("Late")
        late.ok(FollowLobby(desk.request_id()))
        desk.wait(1)
        desk.received.clear()
        take_turns(first, second, match, WIN)
        desk.wait(BEFORE)
        changes = [m for m in desk.received[late.connection] if isinstance(m, LobbyChanged)]
        assert not any(match in change.gone for change in changes)
        assert all(line.ply == 0 for change in changes for line in change.matches)

    def test_hears_of_a_rematch_when_they_know_the_end(self) -> None:
        desk = late_desk()
        first, second, match = desk.pair()
        desk.wait(DELAY_S)
        late, boss = desk.user("Late"), User(desk, "Boss")
        assert isinstance(desk.ask(boss.connection, Hello(1, 1, "test", "human", "Boss", organiser="of all")), Ok)
        for user in (late, boss):
            user.ok(FollowLobby(desk.request_id()))
        take_turns(first, second, match, WIN)
        for user in (first, second):
            user.ok(Offer(desk.request_id(), match, "rematch"))
        (rematched,) = first.said(Rematched)
        again = rematched.next
        desk.wait(BEFORE)
        assert [line.match for line in listed(desk, late)] == [match]
        assert [line.match for line in desk.referee.listing.glance()] == [match]
        assert not changes_of(desk, late, again, "playing")
        assert {line.match for line in listed(desk, boss)} == {match, again}
        assert changes_of(desk, boss, again, "playing")
        desk.wait(2)
        assert [line.match for line in listed(desk, late)] == [again]
        assert changes_of(desk, late, again, "playing")
        second.ok(Resign(desk.request_id(), again))
        desk.wait(DELAY_S + 1)
        assert listed(desk, late) == listed(desk, boss) == ()

    def test_finds_nothing_of_matches_that_the_server_has_forgotten(self) -> None:
        desk = late_desk()
        desk.referee.lobby._finished_kept = 2
        first, second, match = desk.pair()
        late = desk.user("Late")
        late.ok(FollowLobby(desk.request_id()))
        first.ok(Abort(desk.request_id(), match))
        desk.wait(1)
        for _ in range(3):
            first.ok(Abort(desk.request_id(), desk.seat(first, second)))
        assert match not in [line.match for line in listed(desk, late)]
        desk.wait(DELAY_S + 1)
        assert listed(desk, late) == ()
        changes = [m for m in desk.received[late.connection] if isinstance(m, LobbyChanged)]
        assert any(match in change.gone for change in changes)

    def test_who_was_away_at_the_end_is_told_of_it(self) -> None:
        desk = late_desk()
        first, second, match = desk.pair()
        desk.wait(DELAY_S)
        late = desk.user("Late")
        late.watch(match)
        take_turns(first, second, match, WIN)
        desk.wait(DELAY_S - 10)
        late.drop()
        desk.wait(20)
        late.back()
        assert late.snapshot().status == "finished"

    def test_gets_boards_as_late(self) -> None:
        desk = late_desk()
        first, _second, match = desk.pair()
        connection = desk.connect()
        desk.ask(connection, Hello(desk.request_id(), 1, "test", "human", "Boards", boards=True))
        desk.ask(connection, Watch(desk.request_id(), match))
        first.play(match, "a1", start=0)
        desk.wait(BEFORE)
        assert all(m.board.ply == 0 for m in desk.received[connection] if isinstance(m, Drawn))
        desk.wait(1)
        assert [m.board.ply for m in desk.received[connection] if isinstance(m, Drawn)] == [0, 1]

    def test_hears_players_late_and_spectators_at_once(self) -> None:
        desk = late_desk()
        first, _second, match = desk.pair()
        one, other = desk.user("One"), desk.user("Other")
        one.watch(match)
        other.watch(match)
        first.ok(Chat(desk.request_id(), match, "my plan"))
        assert not one.said(Said)
        one.ok(Chat(desk.request_id(), match, "hello"))
        assert other.said(Murmur)
        desk.wait(DELAY_S)
        assert any(isinstance(event, Said) for event in told(desk, one, match))

    def test_has_the_clocks_of_then(self) -> None:
        desk = late_desk()
        first, second, match = desk.pair(clock=Clock(600_000))
        first.play(match, "a1", start=0)
        desk.wait(10)
        second.play(match, "a2", start=1)
        desk.wait(DELAY_S)
        late = desk.user("Late")
        late.watch(match)
        assert late.snapshot().clocks == (600_000, 590_000)


class TestTooMuch:
    def test_of_a_match_that_floods_the_whole_is_told_after_its_end(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("server.referee.delaying.MOST_OF_MATCH", 4)
        desk = late_desk()
        first, second, match = desk.pair()
        late = desk.user("Late")
        late.watch(match)
        take_turns(first, second, match, WIN)
        desk.wait(BEFORE)
        assert not told(desk, late, match)
        assert [line.status for line in listed(desk, late)] == ["playing"]
        desk.wait(1)
        assert [event.seq for event in told(desk, late, match)] == [1, 2, 3, 4]
        final = desk.received[late.connection][-1]
        assert isinstance(final, Snapshot)
        assert final.moves == WIN
        assert listed(desk, late) == ()

    def test_much_that_is_due_is_told_bit_by_bit(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("server.referee.delaying.TOLD_AT_ONCE", 2)
        desk = late_desk()
        first, second, match = desk.pair()
        late = desk.user("Late")
        late.watch(match)
        take_turns(first, second, match, WIN)
        desk.now += DELAY_S + 1
        desk.tick()
        assert len(late.said(Seated)) == 2
        assert desk.referee.next_deadline() <= desk.now
        desk.wait(0)
        assert len(told(desk, late, match)) == 9


class TestNobodyElseWaits:
    def test_bots_are_watched_as_they_play(self) -> None:
        desk = late_desk()
        first, second = desk.user("A", "bot"), desk.user("B", "bot")
        watcher = desk.user("W")
        opened = first.ok(Create(desk.request_id(), "morpion", seat="first"))
        match = opened.match
        assert isinstance(match, str)
        watcher.watch(match)
        assert watcher.snapshot().players[0] is not None
        second.ok(Join(desk.request_id(), match))
        assert [type(event) for event in told(desk, watcher, match)] == [Seated, Started]
        take_turns(first, second, match, WIN)
        assert watcher.said(Finished)
        assert listed(desk, watcher) == ()

    def test_a_person_against_a_bot_is_late_from_the_seat_on(self) -> None:
        desk = late_desk()
        first, second = desk.user("A", "bot"), desk.user("B")
        watcher = desk.user("W")
        match = first.ok(Create(desk.request_id(), "morpion", seat="first")).match
        assert isinstance(match, str)
        watcher.watch(match)
        second.ok(Join(desk.request_id(), match))
        assert not told(desk, watcher, match)
        assert watcher.snapshot().delay_ms == 30_000
        assert watcher.snapshot().players[1] is None
        desk.wait(DELAY_S)
        assert [event.seq for event in told(desk, watcher, match)] == [2, 3]

    def test_who_arranged_the_match_follows_it(self) -> None:
        desk = late_desk()
        host, first, second = desk.user("Host"), desk.user("Ada"), desk.user("Bob")
        opened = host.ok(Create(desk.request_id(), "morpion", seat="first", play=False, invite=("Ada", "Bob")))
        assert isinstance(opened.match, str)
        first.ok(Join(desk.request_id(), opened.match))
        second.ok(Join(desk.request_id(), opened.match))
        first.play(opened.match, "a1", start=0)
        assert host.said(Moved)

    def test_organisers_see_what_they_direct(self) -> None:
        desk = late_desk()
        first, _second, match = desk.pair()
        connection = desk.connect()
        desk.ask(connection, Hello(desk.request_id(), 1, "test", "human", "Chief", organiser="of all"))
        desk.ask(connection, Watch(desk.request_id(), match))
        first.play(match, "a1", start=0)
        assert any(isinstance(m, Moved) for m in desk.said_to(connection))
        late = desk.user("Late")
        late.ok(FollowLobby(desk.request_id()))
        desk.wait(1)
        desk.received.clear()
        desk.ask(connection, Pause(desk.request_id(), match))
        assert any(isinstance(m, Paused) for m in desk.said_to(connection))
        desk.wait(DELAY_S - 2)
        assert not changes_of(desk, late, match, "paused")
        desk.wait(3)
        assert changes_of(desk, late, match, "paused")

    def test_a_match_that_never_began_is_gone_at_once(self) -> None:
        desk = late_desk()
        first, late = desk.user("Ada"), desk.user("Late")
        match = first.ok(Create(desk.request_id(), "morpion")).match
        assert isinstance(match, str)
        first.ok(Abort(desk.request_id(), match))
        assert listed(desk, late) == ()
        assert late.refused(Join(desk.request_id(), match)) == "game_over"

    def test_who_played_has_heard_of_the_end_at_once(self) -> None:
        """So whoever left after it needs no board of that match."""
        desk = late_desk()
        first, second, match = desk.pair()
        desk.wait(DELAY_S)
        take_turns(first, second, match, WIN)
        desk.wait(1)
        first.drop()
        desk.wait(1)
        first.back()
        assert not first.said(Snapshot)


def restarted(desk: Desk, match: str, walls: list[int]) -> Desk:
    """A new server with what the one before kept; walls: when each event was recorded, before now, in milliseconds."""
    events = tuple(r.event for r in desk.records if isinstance(r, EventHappened) and r.event.match == match)
    again = late_desk(now=1000)
    kept = StoredMatch(match, "morpion", None, True, None, 0, {}, events, tuple(walls), None)
    again.perform(again.referee.restore([], [kept], again.now))
    return again


class TestAfterARestart:
    def test_spectators_see_what_was_the_delay_ago(self) -> None:
        desk = late_desk()
        first, second, match = desk.pair()
        take_turns(first, second, match, WIN[:2])
        desk = restarted(desk, match, [-90_000, -80_000, -70_000, -60_000, -20_000])
        late = desk.user("Late")
        late.watch(match)
        assert late.snapshot().moves == WIN[:1]
        assert late.snapshot().players[0] is not None
        desk.wait(9)
        assert not told(desk, late, match)
        desk.wait(2)
        (moved,) = told(desk, late, match)
        assert isinstance(moved, Moved)
        desk.wait(DELAY_S)
        assert [type(event) for event in told(desk, late, match)] == [Moved, Presence, Presence]

    def test_of_a_game_that_is_over_the_end_is_still_to_come(self) -> None:
        desk = late_desk()
        first, second, match = desk.pair()
        take_turns(first, second, match, WIN)
        desk = restarted(desk, match, [-90_000] * 8 + [-10_000])
        late = desk.user("Late")
        assert [line.status for line in listed(desk, late)] == ["playing"]
        late.watch(match)
        assert late.snapshot().result is None
        desk.wait(21)
        assert [type(event) for event in told(desk, late, match)] == [Finished]
        assert listed(desk, late) == ()

    def test_a_date_that_was_changed_makes_nobody_wait_longer(self) -> None:
        desk = late_desk()
        first, second, match = desk.pair()
        take_turns(first, second, match, WIN[:2])
        desk = restarted(desk, match, [-90_000, -80_000, 10**9, -70_000, -60_000])
        late = desk.user("Late")
        late.watch(match)
        assert late.snapshot().seq == 2
        desk.wait(DELAY_S)
        late.ok(Sync(desk.request_id(), match, 0))
        assert late.snapshot().moves == WIN[:2]

    def test_bots_are_watched_as_they_play(self) -> None:
        desk = late_desk()
        first, second, match = desk.pair(kind="bot")
        take_turns(first, second, match, WIN[:2])
        desk = restarted(desk, match, [-5_000] * 5)
        late = desk.user("Late")
        late.watch(match)
        assert late.snapshot().moves == WIN[:2]
        assert late.snapshot().delay_ms == 0


def folded(events: list[MatchEvent], match: str) -> MatchState:
    state = MatchState(match, MatchRules(parse("morpion")), MatchContext(), 0)
    state.restore(events, 0)
    return state


STEPS = st.lists(
    st.tuples(
        st.sampled_from(["move", "move", "move", "say", "offer", "answer", "resign", "watch", "sync", "drop", "leave"]),
        st.integers(0, 20),
        st.sampled_from([0.0, 0.3, 7.0, 29.9, 30.0]),
    ),
    max_size=40,
)


@settings(max_examples=60, deadline=None)
@given(STEPS)
def test_whatever_happens_a_spectator_knows_a_prefix_of_what_was(steps: list[tuple[str, int, float]]) -> None:
    """What was told is what had happened so long ago, no more; when all is over and told, it is the whole."""
    desk = late_desk()
    first, second, match = desk.pair()
    late = desk.user("Late")
    happened: list[tuple[float, MatchEvent]] = []
    for what, number, pause in (*steps, ("watch", 0, 31.0)):
        table = desk.referee.lobby.find(match)
        player = (first, second)[number % 2]
        mover = (first, second)[table.match.to_move - 1]
        kept = [record.event for record in desk.records if isinstance(record, EventHappened)]
        happened += [(desk.now, event) for event in kept[len(happened) :]]
        legal = table.match.position.legal_moves()
        if what == "move" and legal:
            desk.ask(mover.connection, MakeMove(desk.request_id(), match, table.match.ply, legal[number % len(legal)]))
        elif what == "say":
            player.ask(Chat(desk.request_id(), match, "hello"))
        elif what == "offer":
            player.ask(Offer(desk.request_id(), match, ("draw", "takeback")[number % 3 > 0]))
        elif what == "answer":
            player.ask(Answer(desk.request_id(), match, ("draw", "takeback")[number % 3 > 0], accept=number % 2 > 0))
        elif what == "resign" and number == 0:
            player.ask(Resign(desk.request_id(), match))
        elif what == "watch":
            late.watch(match)
        elif what == "sync":
            late.ask(Sync(desk.request_id(), match, number))
        elif what == "leave":
            late.ask(Leave(desk.request_id(), match))
        elif what == "drop":
            player.drop()
            player.back()
        kept = [record.event for record in desk.records if isinstance(record, EventHappened)]
        happened += [(desk.now, event) for event in kept[len(happened) :]]
        desk.wait(pause)
        check_told(desk, late, match, happened)
    shown = desk.referee.lobby.find(match).late
    assert shown is not None
    told_now = [event for when, event in happened if when <= desk.now - DELAY_S]
    assert shown.match.history.seq == len(told_now)


def check_told(desk: Desk, late: User, match: str, happened: list[tuple[float, MatchEvent]]) -> None:
    """Everything that `late` got until now was old enough, and says what was then."""
    old = [event for when, event in happened if when <= desk.now - DELAY_S + 1e-9]
    for message in desk.received[late.connection]:
        if isinstance(message, Snapshot):
            assert message.seq <= len(old)
            state = folded(old[: message.seq], match)
            assert (message.moves, message.result) == (tuple(state.moves), state.result)
            assert (message.status, message.players[0]) == (state.status.value, state.players.get(Seat.FIRST))
        elif isinstance(message, MatchEvent):
            assert message.seq <= len(old)
            assert message == old[message.seq - 1]
    desk.received[late.connection].clear()


@pytest.mark.parametrize(("typed", "seconds"), [("0", 0), ("0s", 0), ("30s", 30), ("2m", 120), ("10m", 600)])
def test_the_option_is_a_time(typed: str, seconds: float) -> None:
    assert delay_seconds(typed) == seconds


@pytest.mark.parametrize("typed", ["601s", "11m", "-1", "much", "", "5m+3s", "inf"])
def test_the_option_is_no_other(typed: str) -> None:
    with pytest.raises(UsageError):
        delay_seconds(typed)
