"""How users come, go and come back, what is forgotten of them, and how a server takes its leave."""

import pytest
from msgspec import UNSET

from games import Seat
from protocol.errors import ErrorCode, ProtocolError
from protocol.messages import (
    Abort,
    Adjudicate,
    Answer,
    Chat,
    Clock,
    Closing,
    Create,
    Enter,
    Error,
    Finished,
    FollowLobby,
    Hello,
    HostLeague,
    Invitation,
    Join,
    Leave,
    ListMatches,
    MakeMove,
    Moved,
    Offer,
    Ok,
    Pause,
    Paused,
    Presence,
    Resign,
    Resume,
    Said,
    ShowLeague,
    Snapshot,
    Sync,
    Watch,
    Welcome,
    YourTurn,
)
from server.match.terms import Status, Timeouts
from server.referee.lobby import ABORTED_KEPT
from server.referee.outgoing import REPLACED
from server.referee.settings import Access, Settings
from tests.server.desk import SECRET, WIN, Desk, User, invited, take_turns


@pytest.fixture
def desk() -> Desk:
    return Desk()


class TestReconnect:
    def test_what_was_missed_is_sent_and_the_turn_again_with_the_time_left(self, desk: Desk) -> None:
        first, second, match = desk.pair(clock=Clock(60_000))
        first.play(match, "a1", start=0)
        seen = second.said(Moved)[0].seq
        second.drop()
        desk.now += 3
        first.ok(Chat(desk.request_id(), match, "still there?"))
        second.back(seen={match: seen})
        told = desk.said_to(second.connection)
        assert [type(message) for message in told] == [Welcome, Ok, Presence, Said, Presence, YourTurn]
        assert second.said(YourTurn)[0].deadline_ms == 57_000
        assert first.said(Presence)[0].present

    @pytest.mark.parametrize("seq", [0, 10**6])
    def test_a_history_that_is_not_held_becomes_a_snapshot(
        self, desk: Desk, seq: int, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("server.match.history.HELD", 2)
        first, _, match = desk.pair()
        first.drop()
        first.back(seen={match: seq})
        assert first.snapshot().seq == desk.referee.lobby.find(match).match.history.seq

    def test_the_newest_socket_wins_and_the_old_one_is_heard_no_more(self, desk: Desk) -> None:
        first, second, match = desk.pair()
        old = first.connection
        first.back(seen={match: 0})
        assert desk.closed == {old: REPLACED}
        assert not second.said(Presence), "for the others he was never away"
        answer = desk.ask(old, MakeMove(desk.request_id(), match, 0, "a1"))
        assert getattr(answer, "code", "") == "hello_required"
        desk.drop(old)
        assert not second.said(Presence)
        first.play(match, "a1", start=0)
        assert second.said(Moved)

    def test_a_wrong_token_has_no_side_effect(self, desk: Desk) -> None:
        first, second, match = desk.pair()
        assert first.token is not None
        first.drop()
        for token in ("", first.token[:-1], f"{first.token}x", first.token.replace("s1", "s2"), "s999.x", "\u00e9"):
            thief = User(desk, first.name)
            thief.token = token
            with pytest.raises(AssertionError, match="bad_token"):
                thief.hello()
            assert not second.said(Presence)
        assert not desk.referee.lobby.find(match).match.players[Seat.FIRST].present
        first.back()
        assert second.said(Presence)[0].present

    def test_who_has_left_a_match_is_told_nothing_of_it(self, desk: Desk) -> None:
        _, _, match = desk.pair()
        viewer = desk.user("Eve")
        viewer.watch(match)
        viewer.ok(Leave(desk.request_id(), match))
        viewer.drop()
        viewer.back()
        assert viewer.said(Snapshot) == []
        viewer.watch(match)
        viewer.drop()
        viewer.back()
        assert viewer.snapshot().match == match

    def test_who_was_invited_and_has_left_a_private_match_is_a_stranger(self, desk: Desk) -> None:
        host, ada, bob = desk.user("Host"), desk.user("Ada"), desk.user("Bob")
        wish = Create(desk.request_id(), "morpion", None, False, "first", play=False, invite=("Ada", "Bob"))
        match = str(host.ok(wish).match)
        for user in (ada, bob):
            user.ok(Join(desk.request_id(), match))
        ada.ok(Resign(desk.request_id(), match))
        ada.ok(Leave(desk.request_id(), match))
        assert ada.refused(Watch(desk.request_id(), match)) == "no_such_match"
        bob.ok(Sync(desk.request_id(), match, 0))

    def test_invitations_come_again(self, desk: Desk) -> None:
        host, guest = desk.user("host"), desk.user("guest")
        match = invited(desk, guest, by=host, play=True)
        assert [invitation.match for invitation in guest.said(Invitation)] == [match]
        guest.drop()
        guest.back()
        assert [invitation.match for invitation in guest.said(Invitation)] == [match]
        guest.ok(Join(desk.request_id(), match))
        guest.drop()
        guest.back()
        assert not guest.said(Invitation)

    def test_no_invitation_outlives_its_match(self, desk: Desk) -> None:
        host, guest = desk.user("host"), desk.user("guest")
        match = invited(desk, guest, by=host, play=True)
        host.ok(Abort(desk.request_id(), match))
        guest.back()
        assert not guest.said(Invitation)

    def test_an_end_that_was_missed_is_told_even_if_the_old_socket_seemed_alive(self, desk: Desk) -> None:
        first, second, match = desk.pair()
        desk.now += 5
        second.ok(Resign(desk.request_id(), match))
        desk.now += 5
        first.back()
        assert first.snapshot().status == "finished"
        desk.now += 5
        first.drop()
        desk.now += 5
        first.back()
        assert not first.said(Snapshot), "an end that was told is not told again"

    def test_whoever_comes_back_finds_what_is_due_settled(self, desk: Desk) -> None:
        first, _, match = desk.pair(clock=Clock(1000))
        desk.now += 2
        first.back()
        assert first.snapshot().status == "finished"
        assert not first.said(YourTurn)
        assert first.snapshot().match == match

    def test_a_flag_falls_also_of_who_took_over_before_he_was_asked(self, desk: Desk) -> None:
        desk.handing = False
        first, second, _ = desk.pair(clock=Clock(60_000))
        first.back()
        desk.wait(59)
        assert not second.said(Finished)
        desk.wait(2)
        assert [end.result.reason for end in second.said(Finished)] == ["timeout"]


class TestMemory:
    """What a server that runs for months must not gather."""

    def test_finished_matches_leave_the_heap(self, desk: Desk) -> None:
        first, second = desk.user("first"), desk.user("second")
        for _ in range(3000):
            match = desk.seat(first, second, clock=Clock(60_000))
            first.ok(Resign(desk.request_id(), match))
        assert len(desk.referee._due) < 2000

    def test_a_player_who_comes_and_goes_leaves_no_deadlines(self, desk: Desk) -> None:
        _, second, _ = desk.pair(clock=Clock(24 * 3_600_000))
        for _ in range(1500):
            second.drop()
            second.back(seen={})
            desk.wait(11)
        assert len(desk.referee._due) < 1100

    def test_only_so_many_finished_matches_are_held(self) -> None:
        desk = Desk()
        desk.referee.lobby._finished_kept = 3
        first, second, viewer = desk.user("first"), desk.user("second"), desk.user("viewer")
        for _ in range(10):
            match = desk.seat(first, second, public=False)
            viewer.ok(Watch(desk.request_id(), code=desk.referee.lobby.find(match).code))
            first.ok(Resign(desk.request_id(), match))
        referee = desk.referee
        assert len(list(referee.lobby.tables())) == len(referee.lobby._by_code) == 3
        for session in referee.sessions:
            assert len(session.seats) + len(session.watching) == 3

    def test_matches_that_were_called_off_push_no_others_out(self, desk: Desk) -> None:
        first, second, match = desk.pair()
        first.ok(Resign(desk.request_id(), match))
        for _ in range(2 * ABORTED_KEPT):
            first.ok(Abort(desk.request_id(), desk.seat(first, second)))
        tables = list(desk.referee.lobby.tables())
        assert len(tables) == ABORTED_KEPT + 1
        assert tables[0].match.id == match
        assert len(desk.referee.lobby) == 0

    def test_forgetting_a_match_while_its_player_comes_and_goes(self) -> None:
        desk = Desk()
        desk.referee.lobby._finished_kept = 1
        first, second = desk.user("first"), desk.user("second")
        for _ in range(3):
            desk.seat(first, second, clock=Clock(1000))
        desk.now += 2
        first.drop()
        assert len(list(desk.referee.lobby.tables())) == 1

    def test_sessions_are_forgotten(self, desk: Desk) -> None:
        first, second, match = desk.pair()
        viewer = desk.user("viewer")
        viewer.watch(match)
        for _ in range(3):
            for user in (first, second, viewer):
                user.drop()
                user.back()
        for user in (first, second, viewer):
            user.drop()
        desk.wait(1000)
        referee = desk.referee
        assert list(referee.sessions) == []
        assert referee.sessions._by_key == {}
        assert referee.sessions._by_connection == {}
        assert not referee.sessions._leaving
        assert not referee.lobby.find(match).viewers
        assert referee._due == []

    def test_a_session_outlives_its_connection_while_it_plays(self) -> None:
        desk = Desk(Settings(timeouts=Timeouts(absence=10, abandonment=40, waiting=100)))
        first, _, match = desk.pair()
        first.drop()
        desk.wait(2000)
        first.back()
        assert first.snapshot().match == match
        first.ok(Resign(desk.request_id(), match))
        first.drop()
        desk.wait(700)
        with pytest.raises(AssertionError, match="bad_token"):
            first.back()

    def test_invitations_are_forgotten_with_their_match(self, desk: Desk) -> None:
        host, guest = desk.user("host"), desk.user("guest")
        for _ in range(5):
            match = invited(desk, guest, by=host, play=True)
            host.ok(Abort(desk.request_id(), match))
        session = desk.referee.sessions.named("guest")
        assert session is not None
        assert not session.invitations


class TestConnections:
    def test_hello_comes_first_and_once(self, desk: Desk) -> None:
        connection = desk.connect()
        answer = desk.ask(connection, ListMatches(1))
        assert getattr(answer, "code", "") == "hello_required"
        user = desk.user("somebody")
        with pytest.raises(AssertionError, match="already_said_hello"):
            user.hello()

    def test_another_protocol_is_refused_for_good(self, desk: Desk) -> None:

        connection = desk.connect()
        answer = desk.ask(connection, Hello(1, 2, "test", "bot", "x"))
        assert getattr(answer, "code", "") == "unsupported_protocol"
        assert desk.closed == {connection: 1008}

    def test_what_cannot_be_read_is_answered_with_its_number(self, desk: Desk) -> None:
        user = desk.user("somebody")
        desk.spoil(user.connection, ProtocolError(ErrorCode.BAD_MESSAGE, "x" * 5000, request=17))
        (error,) = desk.said_to(user.connection)
        assert getattr(error, "id", None) == 17

    def test_shutdown_tells_everyone_connected(self, desk: Desk) -> None:
        first, second, _ = desk.pair()
        second.drop()
        desk.perform(desk.referee.shutdown(5000, desk.now))
        assert {reader for reader, _ in desk.step} == {first.connection}
        assert first.said(Paused)[0].stopping
        assert first.said(Closing)[0].retry_after_ms == 5000

    @pytest.mark.parametrize("back", [5000, None])
    def test_nothing_begins_while_the_server_stops(self, desk: Desk, back: int | None) -> None:
        """Who comes then would hear no `closing`, and a match would start whose clock nobody sees."""
        host, guest, third = desk.user("host"), desk.user("guest"), desk.user("third")
        over = desk.seat(host, guest)
        host.ok(Resign(desk.request_id(), over))
        host.ok(Offer(desk.request_id(), over, "rematch"))
        waiting = host.ok(Create(desk.request_id(), "morpion", seat="first")).match
        assert isinstance(waiting, str)
        arranged = invited(desk, guest, third, by=host)
        guest.ok(Join(desk.request_id(), arranged))
        late = desk.connect()
        desk.perform(desk.referee.shutdown(back, desk.now))
        for one, request in (
            (third, Create(desk.request_id(), "morpion")),
            (third, Join(desk.request_id(), waiting)),
            (third, Join(desk.request_id(), arranged)),
            (guest, HostLeague(desk.request_id())),
            (guest, Enter(desk.request_id(), "BATOMI")),
            (guest, Offer(desk.request_id(), over, "rematch")),
            (guest, Answer(desk.request_id(), over, "rematch", accept=True)),
        ):
            answer = one.ask(request)
            assert isinstance(answer, Error)
            assert (answer.code, answer.retry_after_ms) == ("shutting_down", UNSET if back is None else back)
        answer = desk.ask(late, Hello(1, 1, "test", "bot", "late"))
        assert (getattr(answer, "code", ""), desk.closed) == ("shutting_down", {})
        tables = desk.referee.lobby.tables()
        assert sorted(table.match.status.value for table in tables) == ["finished", "waiting", "waiting"]
        third.ok(Watch(desk.request_id(), waiting))

    @pytest.mark.parametrize("paused", [False, True], ids=["suspended", "paused before"])
    def test_an_organiser_lets_nothing_go_on_after_the_shutdown(self, desk: Desk, *, paused: bool) -> None:
        _, _, match = desk.pair(clock=Clock(1000))
        boss = desk.user("boss")
        session = desk.referee.sessions.named("boss")
        assert session is not None
        session.directs = True
        if paused:
            boss.ok(Pause(desk.request_id(), match))
        desk.perform(desk.referee.shutdown(5000, desk.now))
        for request in (Resume(desk.request_id(), match), Pause(desk.request_id(), match)):
            assert boss.refused(request) == "shutting_down"
        assert desk.referee.lobby.find(match).match.status is Status.PAUSED
        desk.wait(100)
        boss.ok(Adjudicate(desk.request_id(), match, 1))

    def test_tokens_reach_nobody_else(self, desk: Desk) -> None:
        first, second, match = desk.pair()
        take_turns(first, second, match, WIN)
        for messages in desk.received.values():
            assert sum(SECRET in repr(message) for message in messages) == 1

    def test_the_list_shows_public_matches_and_who_is_here(self, desk: Desk) -> None:
        first, second, match = desk.pair()
        desk.pair(game="othello:size=4")
        gone = desk.user("gone")
        gone.drop()
        listed = first.ok(ListMatches(desk.request_id(), "morpion"))
        assert isinstance(listed.matches, tuple)
        assert [summary.match for summary in listed.matches] == [match]
        assert isinstance(listed.players, tuple)
        names = {player.name for player in listed.players}
        assert {first.name, second.name} <= names
        assert "gone" not in names


class TestUnattached:
    """Who may be asked to make room for a newcomer."""

    @staticmethod
    def is_unattached(user: User) -> bool:
        session = user.desk.referee.sessions.at(user.connection)
        assert session is not None
        return session.is_unattached()

    def test_who_looks_on_and_who_has_played_is(self, desk: Desk) -> None:
        first, second, match = desk.pair()
        onlooker = desk.user("Onlooker")
        onlooker.watch(match)
        onlooker.ok(FollowLobby(desk.request_id()))
        assert [self.is_unattached(user) for user in (first, second, onlooker)] == [False, False, True]
        first.ok(Resign(desk.request_id(), match))
        assert all(map(self.is_unattached, (first, second, onlooker)))

    def test_who_opened_a_match_or_is_invited_to_one_is_not(self, desk: Desk) -> None:
        host, guest = desk.user("Host"), desk.user("Guest")
        match = invited(desk, guest, by=host)
        assert not self.is_unattached(host)
        assert not self.is_unattached(guest)
        host.ok(Abort(desk.request_id(), match))
        assert self.is_unattached(host)
        assert self.is_unattached(guest)

    def test_who_hosts_enters_or_shows_a_league_is_not(self, desk: Desk) -> None:
        host, entrant, shower = desk.user("Host"), desk.user("Entrant", "bot"), desk.user("Shower")
        code = host.ok(HostLeague(desk.request_id())).code
        entrant.ok(Enter(desk.request_id(), code or ""))
        shower.ok(ShowLeague(desk.request_id(), "k" * 22, "Autumn", "morpion", "running"))
        assert not any(map(self.is_unattached, (host, entrant, shower)))

    def test_who_has_an_office_is_not(self) -> None:
        desk = Desk(Settings(access=Access(organiser="boss", service="house")))
        chief, bots = desk.connect(), desk.connect()
        desk.ask(chief, Hello(desk.request_id(), 1, "test", "human", "Chief", organiser="boss"))
        desk.ask(bots, Hello(desk.request_id(), 1, "test", "bot", "house", service="house", serves="bots"))
        sessions = [desk.referee.sessions.at(connection) for connection in (chief, bots)]
        assert [session is not None and session.is_unattached() for session in sessions] == [False, False]


def test_a_snapshot_tells_whether_somebody_else_has_arranged_the_match(desk: Desk) -> None:
    chief, guest, other = desk.user("Chief"), desk.user("Guest"), desk.user("Other")
    match = invited(desk, guest, other, by=chief)
    guest.ok(Join(desk.request_id(), match))
    assert guest.snapshot().arranged
    first, _, _ = desk.pair()
    first.drop()
    first.back()
    assert not first.snapshot().arranged
