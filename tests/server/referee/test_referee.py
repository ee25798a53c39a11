"""What the referee does around a match: audiences, invitations, reconnects, memory."""

import pytest

from protocol.messages import (
    Abort,
    Answer,
    Chat,
    Claim,
    Clock,
    Create,
    Decline,
    Error,
    Finished,
    Hello,
    Join,
    Leave,
    ListMatches,
    MakeMove,
    Moved,
    Murmur,
    Offer,
    Ok,
    Presence,
    Rematched,
    Report,
    Resign,
    Said,
    SeatClock,
    Seated,
    Snapshot,
    Started,
    Sync,
    Thinking,
    Thought,
    Watch,
    Welcome,
    YourTurn,
)
from tests.server.desk import WIN, Desk, User, invited, take_turns


@pytest.fixture
def desk() -> Desk:
    return Desk()


class TestSeats:
    def test_a_match_starts_when_both_seats_are_filled(self, desk: Desk) -> None:
        first, second, match = desk.pair()
        assert second.snapshot().status == "playing"
        assert second.snapshot().seat == 2
        told = desk.received[first.connection]
        assert [type(message) for message in told[-3:]] == [Seated, Started, YourTurn]
        assert isinstance(told[-1], YourTurn)
        assert told[-1].match == match

    def test_the_answer_to_a_join_comes_before_its_events_even_for_a_spectator(self, desk: Desk) -> None:
        host, guest = desk.user("host"), desk.user("guest")
        opened = host.ok(Create(desk.request_id(), "morpion"))
        assert isinstance(opened.match, str)
        guest.watch(opened.match)
        guest.ok(Join(desk.request_id(), opened.match))
        assert [type(message) for message in desk.said_to(guest.connection)][:2] == [Ok, Snapshot]

    def test_nobody_holds_both_seats(self, desk: Desk) -> None:
        host = desk.user("host")
        opened = host.ok(Create(desk.request_id(), "morpion"))
        assert isinstance(opened.match, str)
        host.ok(Join(desk.request_id(), opened.match))
        assert host.snapshot().status == "waiting"

    def test_a_seat_is_kept_for_the_one_invited(self, desk: Desk) -> None:
        host, guest, other = desk.user("host"), desk.user("guest"), desk.user("other")
        match = invited(desk, guest, by=host, play=True)
        assert other.refused(Join(desk.request_id(), match)) == "seat_taken"
        guest.ok(Join(desk.request_id(), match))
        assert guest.snapshot().seat == 2

    def test_the_organiser_seats_others_in_order(self, desk: Desk) -> None:
        host, one, two = desk.user("host"), desk.user("one"), desk.user("two")
        match = invited(desk, one, two, by=host)
        two.ok(Join(desk.request_id(), match))
        assert two.snapshot().seat == 2
        one.ok(Join(desk.request_id(), match))
        assert one.snapshot().seat == 1
        assert host.said(Started)

    @pytest.mark.parametrize(
        ("game", "clock"),
        [
            ("chess", None),
            ("morpion:k=99", None),
            ("morpion", Clock()),
            ("morpion", Clock(increment_ms=5)),
            ("morpion", Clock(initial_ms=5, move_ms=5)),
            ("morpion", Clock(increment_ms=5, move_ms=5)),
            ("morpion", Clock(5, second=SeatClock())),
            ("morpion", Clock(5, second=SeatClock(move_ms=5))),
            ("morpion", Clock(move_ms=5, second=SeatClock(5))),
        ],
    )
    def test_rules_that_make_no_sense_are_refused(self, desk: Desk, game: str, clock: Clock | None) -> None:
        assert desk.user("host").refused(Create(1, game, clock)) == "bad_rules"

    def test_invitations_that_make_no_sense_are_refused(self, desk: Desk) -> None:
        host, guest = desk.user("host"), desk.user("guest")
        gone = desk.user("gone")
        gone.drop()
        cases = {
            ("host",): "bad_message",
            ("nobody",): "no_such_player",
            ("gone",): "no_such_player",
            ("guest", "GUEST"): "bad_message",
        }
        for names, code in cases.items():
            assert host.refused(Create(desk.request_id(), "morpion", play=False, invite=names)) == code
        never = desk.ask(host.connection, Create(desk.request_id(), "morpion", play=False, invite=("gone", "never")))
        assert isinstance(never, Error)
        assert never.data == {"absent": ["gone", "never"]}
        third = desk.user("third").name
        assert host.refused(Create(desk.request_id(), "morpion", invite=(guest.name, third))) == "bad_message"

    def test_matches_are_bounded_in_all_and_for_one_user(self, desk: Desk) -> None:
        desk.settings(max_own=2, max_matches=3)
        host, other = desk.user("host"), desk.user("other")
        for _ in range(2):
            host.ok(Create(desk.request_id(), "morpion"))
        assert host.refused(Create(desk.request_id(), "morpion")) == "server_full"
        opened = other.ok(Create(desk.request_id(), "morpion"))
        assert other.refused(Create(desk.request_id(), "morpion")) == "server_full"
        assert isinstance(opened.match, str)
        other.ok(Abort(desk.request_id(), opened.match))
        other.ok(Create(desk.request_id(), "morpion"))

    def test_an_organiser_is_bounded_as_well(self, desk: Desk) -> None:
        desk.settings(max_own=2)
        host = desk.user("host")
        for _ in range(2):
            host.ok(Create(desk.request_id(), "morpion", play=False))
        assert host.refused(Create(desk.request_id(), "morpion", play=False)) == "server_full"


class TestReport:
    """Who arranges a match of others without following it hears of its end, whatever happens."""

    def arranged(self, desk: Desk, clock: Clock | None = None) -> tuple[User, User, User, str]:
        host, one, two = (desk.user(name) for name in ("host", "one", "two"))
        names = (one.name, two.name)
        create = Create(desk.request_id(), "morpion", clock, seat="first", play=False, invite=names, follow=False)
        opened = host.ok(create)
        assert isinstance(opened.match, str)
        return host, one, two, opened.match

    def test_the_end_is_all_that_the_organiser_hears(self, desk: Desk) -> None:
        host, one, two, match = self.arranged(desk, Clock(60_000))
        one.ok(Join(desk.request_id(), match))
        two.ok(Join(desk.request_id(), match))
        desk.wait(1.0)
        take_turns(one, two, match, WIN)
        (report,) = desk.said_to(host.connection)
        assert isinstance(report, Report)
        assert (report.match, report.moves, report.result.winner) == (match, WIN, 1)
        assert [player.name for player in report.players if player] == ["one", "two"]
        moved = [event for event in desk.received[one.connection] if isinstance(event, Moved)]
        assert report.used_ms == (sum(event.used_ms for event in moved), 0) == (1000, 0)
        assert report.move_ms == tuple(event.used_ms for event in moved) == (1000, 0, 0, 0, 0)

    def test_a_move_that_was_not_made_any_more_has_taken_its_time(self, desk: Desk) -> None:
        """The time of a flag that fell was in no report, so leagues wrote down that the loser had hardly thought."""
        host, one, two, match = self.arranged(desk, Clock(10_000))
        one.ok(Join(desk.request_id(), match))
        two.ok(Join(desk.request_id(), match))
        desk.wait(1.0)
        take_turns(one, two, match, WIN[:1])
        desk.wait(10.0)
        (report,) = (told for told in desk.said_to(host.connection) if isinstance(told, Report))
        assert (report.result.reason, report.result.winner) == ("timeout", 1)
        assert report.used_ms == (1000, 10_000)

    def test_it_says_who_did_not_come(self, desk: Desk) -> None:
        host, one, _two, match = self.arranged(desk)
        one.ok(Join(desk.request_id(), match))
        host.ok(Abort(desk.request_id(), match))
        (report,) = host.said(Report)
        assert report.result.reason == "aborted"
        assert [player and player.name for player in report.players] == ["one", None]

    def test_it_says_who_would_not_play(self, desk: Desk) -> None:
        """The second may say no before the first has sat down."""
        host, _one, two, match = self.arranged(desk)
        two.ok(Decline(desk.request_id(), match))
        (report,) = host.said(Report)
        assert (report.players, report.declined, report.result.refused_by) == ((None, None), 2, 2)

    def test_who_calls_it_off_before_it_has_begun_has_declined_as_well(self, desk: Desk) -> None:
        host, one, _two, match = self.arranged(desk)
        one.ok(Join(desk.request_id(), match))
        one.ok(Abort(desk.request_id(), match))
        assert [(report.declined, report.result.refused_by) for report in host.said(Report)] == [(1, None)]

    def test_a_report_that_was_lost_is_said_again(self, desk: Desk) -> None:
        host, one, two, match = self.arranged(desk)
        one.ok(Join(desk.request_id(), match))
        two.ok(Join(desk.request_id(), match))
        host.drop()
        take_turns(one, two, match, WIN)
        host.back()
        assert not host.said(Report)
        host.ok(Sync(desk.request_id(), match))
        assert [report.moves for report in host.said(Report)] == [WIN]

    def test_while_it_is_on_the_organiser_may_ask_how_it_stands_and_others_may_not(self, desk: Desk) -> None:
        host, one, two, match = self.arranged(desk)
        one.ok(Join(desk.request_id(), match))
        assert two.refused(Sync(desk.request_id(), match)) == "not_allowed"
        host.ok(Sync(desk.request_id(), match))
        assert host.snapshot().status == "waiting"

    def test_who_watches_after_all_misses_nothing_either(self, desk: Desk) -> None:
        host, one, two, match = self.arranged(desk)
        host.watch(match)
        one.ok(Join(desk.request_id(), match))
        host.drop()
        two.ok(Decline(desk.request_id(), match))
        host.back({match: 1})
        assert [event.result.reason for event in host.said(Finished)] == ["aborted"]
        assert [report.match for report in host.said(Report)] == [match]

    def test_a_creator_who_plays_or_follows_gets_none(self, desk: Desk) -> None:
        host, guest = desk.user("host"), desk.user("guest")
        opened = host.ok(Create(desk.request_id(), "morpion", seat="first", follow=False))
        assert isinstance(opened.match, str)
        guest.ok(Join(desk.request_id(), opened.match))
        take_turns(host, guest, opened.match, WIN)
        assert host.said(Finished)
        assert not host.said(Report)


class TestAbort:
    def test_only_those_who_play_and_the_organiser_may_abort(self, desk: Desk) -> None:
        host, stranger, one, two = (desk.user(name) for name in ("host", "stranger", "one", "two"))
        match = invited(desk, one, two, by=host)
        stranger.watch(match)
        assert stranger.refused(Abort(desk.request_id(), match)) == "not_allowed"
        one.ok(Join(desk.request_id(), match))
        host.ok(Abort(desk.request_id(), match))
        assert [event.result.reason for event in one.said(Finished)] == ["aborted"]

    def test_the_organiser_does_not_abort_a_game_that_is_on(self, desk: Desk) -> None:
        host, one, two = (desk.user(name) for name in ("host", "one", "two"))
        match = invited(desk, one, two, by=host)
        one.ok(Join(desk.request_id(), match))
        two.ok(Join(desk.request_id(), match))
        assert host.refused(Abort(desk.request_id(), match)) == "not_allowed"

    def test_players_do_not_abort_what_somebody_else_has_arranged(self, desk: Desk) -> None:
        host, one, two = (desk.user(name) for name in ("host", "one", "two"))
        match = invited(desk, one, two, by=host)
        one.ok(Join(desk.request_id(), match))
        two.ok(Join(desk.request_id(), match))
        for player in (one, two):
            assert player.refused(Abort(desk.request_id(), match)) == "not_allowed"
        one.ok(Resign(desk.request_id(), match))
        assert one.refused(Abort(desk.request_id(), match)) == "game_over"

    def test_who_declines_aborts_and_who_is_not_invited_does_not(self, desk: Desk) -> None:
        host, guest, other = desk.user("host"), desk.user("guest"), desk.user("other")
        match = invited(desk, guest, by=host, play=True)
        assert other.refused(Decline(desk.request_id(), match)) == "not_allowed"
        guest.ok(Decline(desk.request_id(), match))
        assert [event.result.reason for event in host.said(Finished)] == ["aborted"]
        guest.ok(Decline(desk.request_id(), match))
        assert not host.said(Finished)
        assert guest.refused(Join(desk.request_id(), match)) == "game_over"


class TestWhoSeesWhat:
    def test_a_private_match_is_entered_with_its_code_only(self, desk: Desk) -> None:
        first, second, match = desk.pair(public=False)
        stranger = desk.user("stranger")
        for message in (Join(90, match), Watch(90, match), Sync(90, match)):
            assert stranger.refused(message) == "no_such_match"
        assert stranger.refused(Join(91, code="XXXX")) == "no_such_match"
        assert stranger.refused(Join(92)) == "bad_message"
        listed = stranger.ok(ListMatches(93))
        assert listed.matches == ()
        code = desk.referee.lobby.find(match).code
        stranger.ok(Watch(94, code=code and code.lower()))
        assert stranger.snapshot().code == code
        assert first.name != second.name

    def test_a_spectator_plays_no_part(self, desk: Desk) -> None:
        first, _, match = desk.pair()
        viewer = desk.user("viewer")
        viewer.watch(match)
        before = desk.referee.lobby.find(match).match.history.seq
        for request in (MakeMove(90, match, 0, "a1"), Resign(91, match), Offer(92, match, "draw"), Claim(93, match)):
            assert viewer.refused(request) == "not_allowed"
        assert desk.referee.lobby.find(match).match.history.seq == before
        first.ok(MakeMove(94, match, 0, "a1"))

    def test_a_name_that_looks_like_another_is_taken(self, desk: Desk) -> None:
        desk.user("Ada")
        for name in ("ada", "\uff21\uff24\uff21", " Ada "):
            hello = Hello(desk.request_id(), 1, "test", "human", name)
            refused = desk.ask(desk.connect(), hello)
            assert isinstance(refused, Error)
            assert refused.code == "name_taken"

    def test_thoughts_reach_spectators_only(self, desk: Desk) -> None:
        first, second, match = desk.pair(kind="bot")
        viewer = desk.user("viewer")
        viewer.watch(match)
        first.ok(Thinking(desk.request_id(), match, 0, pv=("a1",)))
        assert [thought.seat for thought in viewer.said(Thought)] == [1]
        assert not second.said(Thought)
        assert not first.said(Thought)
        assert viewer.refused(Thinking(desk.request_id(), match, 0)) == "not_allowed"

    def test_spectators_talk_among_themselves_and_players_to_all(self, desk: Desk) -> None:
        first, second, match = desk.pair()
        one, two, stranger = desk.user("one"), desk.user("two"), desk.user("stranger")
        one.watch(match)
        two.watch(match)
        one.ok(Chat(desk.request_id(), match, "hm"))
        assert {reader for reader, said in desk.step if isinstance(said, Murmur)} == {one.connection, two.connection}
        first.ok(Chat(desk.request_id(), match, "hello\x1b[2J"))
        readers = {reader for reader, said in desk.step if isinstance(said, Said)}
        assert readers == {user.connection for user in (first, second, one, two)}
        assert two.said(Said)[0].text == "hello[2J"
        assert stranger.refused(Chat(desk.request_id(), match, "me too")) == "not_allowed"

    def test_who_left_hears_nothing_more(self, desk: Desk) -> None:
        first, _, match = desk.pair()
        viewer = desk.user("viewer")
        viewer.watch(match)
        assert first.refused(Leave(desk.request_id(), match)) == "not_allowed"
        viewer.ok(Leave(desk.request_id(), match))
        first.ok(MakeMove(desk.request_id(), match, 0, "a1"))
        assert not desk.said_to(viewer.connection)

    def test_spectators_of_a_private_match_follow_its_rematch(self, desk: Desk) -> None:
        first, second, match = desk.pair(public=False)
        viewer, stranger = desk.user("viewer"), desk.user("stranger")
        viewer.ok(Watch(desk.request_id(), code=desk.referee.lobby.find(match).code))
        take_turns(first, second, match, WIN)
        first.ok(Offer(desk.request_id(), match, "rematch"))
        second.ok(Answer(desk.request_id(), match, "rematch", accept=True))
        following = viewer.said(Rematched)[0].next
        assert stranger.refused(Watch(desk.request_id(), following)) == "no_such_match"
        viewer.ok(Watch(desk.request_id(), following))
        assert viewer.snapshot().status == "playing"


class TestRematch:
    def test_seats_are_swapped(self, desk: Desk) -> None:
        first, second, match = desk.pair()
        assert first.refused(Offer(desk.request_id(), match, "rematch")) == "not_over"
        take_turns(first, second, match, WIN)
        first.ok(Offer(desk.request_id(), match, "rematch"))
        second.ok(Offer(desk.request_id(), match, "rematch"))
        assert second.said(Rematched)[0].next == second.snapshot().match
        assert second.snapshot().seat == 1
        assert [turn.match for turn in second.said(YourTurn)] == [second.snapshot().match]

    def test_a_server_that_takes_time_odds_says_so(self, desk: Desk) -> None:
        """An older one refuses the field, which it does not know: whoever offers it asks `features` first."""
        user = desk.user("Ada")
        assert "time_odds" in user.said(Welcome)[0].features
        user.ok(Create(desk.request_id(), "morpion", Clock(60_000, second=SeatClock(20_000))))

    def test_players_keep_their_clocks(self, desk: Desk) -> None:
        first, second, match = desk.pair(clock=Clock(60_000, 1000, second=SeatClock(20_000)))
        assert second.snapshot().clocks == (60_000, 20_000)
        take_turns(first, second, match, WIN)
        first.ok(Offer(desk.request_id(), match, "rematch"))
        second.ok(Answer(desk.request_id(), match, "rematch", accept=True))
        assert second.snapshot().clock == Clock(20_000, second=SeatClock(60_000, 1000))
        assert second.snapshot().clocks == (20_000, 60_000)

    @pytest.mark.parametrize("full", [{"max_matches": 0}, {"max_own": 0}])
    def test_no_room_for_a_rematch_is_one_refusal_that_changes_nothing(self, desk: Desk, full: dict[str, int]) -> None:
        first, second, match = desk.pair()
        take_turns(first, second, match, WIN)
        first.ok(Offer(desk.request_id(), match, "rematch"))
        before = desk.referee.settings
        desk.settings(**full)
        assert second.refused(Answer(desk.request_id(), match, "rematch", accept=True)) == "server_full"
        assert second.refused(Offer(desk.request_id(), match, "rematch")) == "server_full"
        desk.referee.settings = before
        second.ok(Answer(desk.request_id(), match, "rematch", accept=True))

    def test_nobody_plays_again_with_one_who_left(self, desk: Desk) -> None:
        first, second, match = desk.pair()
        take_turns(first, second, match, WIN)
        first.ok(Offer(desk.request_id(), match, "rematch"))
        first.ok(Leave(desk.request_id(), match))
        assert second.refused(Answer(desk.request_id(), match, "rematch", accept=True)) == "no_such_player"

    def test_nobody_plays_again_with_one_who_is_away(self, desk: Desk) -> None:
        first, second, match = desk.pair()
        take_turns(first, second, match, WIN)
        first.ok(Offer(desk.request_id(), match, "rematch"))
        first.drop()
        assert second.refused(Answer(desk.request_id(), match, "rematch", accept=True)) == "no_such_player"


class TestTime:
    def test_the_flag_falls_at_its_time_and_beats_a_move_made_then(self, desk: Desk) -> None:
        first, second, match = desk.pair(clock=Clock(1000))
        desk.now += 1
        assert first.refused(MakeMove(desk.request_id(), match, 0, "a1")) == "game_over"
        assert second.said(Finished)[0].result.winner == 2
        assert second.said(Finished)[0].clocks == (0, 1000)

    def test_a_match_that_is_lost_on_time_is_not_called_off_any_more(self, desk: Desk) -> None:
        first, second, match = desk.pair(clock=Clock(1000))
        desk.now += 1
        assert first.refused(Abort(desk.request_id(), match)) == "game_over"
        assert second.said(Finished)[0].result.reason == "timeout"

    def test_a_move_made_before_the_flag_counts(self, desk: Desk) -> None:
        first, second, match = desk.pair(clock=Clock(1000))
        desk.now += 0.9999999
        first.ok(MakeMove(desk.request_id(), match, 0, "a1"))
        assert second.said(Moved)[0].clocks == (1, 1000)

    def test_an_absence_may_be_claimed_after_its_time(self, desk: Desk) -> None:
        first, second, match = desk.pair()
        assert second.refused(Claim(desk.request_id(), match)) == "not_allowed"
        first.drop()
        assert second.said(Presence)[0].claimable_ms == 10_000
        assert second.refused(Claim(desk.request_id(), match)) == "too_early"
        desk.wait(10)
        assert second.said(Presence)[0].claimable_ms == 0
        second.ok(Claim(desk.request_id(), match))
        assert second.said(Finished)[0].result.winner == 2

    def test_the_timer_never_spins(self) -> None:
        """The time at which an absence may be claimed is a float: however it rounds, the tick at that time does it."""
        for step in range(300):
            desk = Desk(now=1000 + step * 0.1)
            first, second, match = desk.pair()
            first.drop()
            desk.wait(11)
            second.ok(Claim(desk.request_id(), match))

    def test_a_match_that_both_left_ends(self, desk: Desk) -> None:
        first, second, match = desk.pair()
        viewer = desk.user("viewer")
        viewer.watch(match)
        first.drop()
        second.drop()
        desk.wait(40)
        assert viewer.said(Finished)[0].result.reason == "abandoned"
        assert viewer.said(Finished)[0].result.winner is None

    def test_what_fell_due_first_is_decided_first(self, desk: Desk) -> None:
        first, second, match = desk.pair(clock=Clock(50_000))
        viewer = desk.user("viewer")
        viewer.watch(match)
        first.drop()
        second.drop()
        desk.now += 60
        desk.tick()
        assert viewer.said(Finished)[0].result.reason == "abandoned"

    def test_a_match_that_nobody_joins_is_aborted(self, desk: Desk) -> None:
        host = desk.user("host")
        host.ok(Create(desk.request_id(), "morpion"))
        desk.wait(100)
        assert host.said(Finished)[0].result.reason == "aborted"

    def test_a_match_that_its_creator_left_is_aborted(self, desk: Desk) -> None:
        host, viewer = desk.user("host"), desk.user("viewer")
        opened = host.ok(Create(desk.request_id(), "morpion"))
        assert isinstance(opened.match, str)
        viewer.watch(opened.match)
        host.drop()
        desk.wait(19)
        assert not viewer.said(Finished)
        desk.wait(1)
        assert viewer.said(Finished)[0].result.reason == "aborted"

    def test_a_match_for_others_goes_with_its_creator(self, desk: Desk) -> None:
        host, viewer = desk.user("host"), desk.user("viewer")
        opened = host.ok(Create(desk.request_id(), "morpion", play=False))
        assert isinstance(opened.match, str)
        viewer.watch(opened.match)
        host.drop()
        desk.wait(19)
        host.back()
        host.drop()
        desk.wait(19)
        assert not viewer.said(Finished)
        desk.wait(1)
        assert viewer.said(Finished)[0].result.reason == "aborted"


class TestOpening:
    def test_both_find_it_on_the_board(self, desk: Desk) -> None:
        first, second = desk.user("Ada"), desk.user("Bob")
        opened = first.ok(Create(desk.request_id(), "puissance4", seat="first", opening=("4", "4", "3")))
        assert isinstance(opened.match, str)
        second.ok(Join(desk.request_id(), opened.match))
        assert second.snapshot().moves == ("4", "4", "3")
        assert [turn.ply for turn in second.said(YourTurn)] == [3]
        assert first.refused(MakeMove(desk.request_id(), opened.match, 3, "1")) == "not_your_turn"
        second.ok(MakeMove(desk.request_id(), opened.match, 3, "1"))

    @pytest.mark.parametrize("opening", [("9",), ("1",) * 7, ("1", "2", "1", "2", "1", "2", "1")])
    def test_one_that_can_not_be_played_or_ends_the_game_is_refused(self, desk: Desk, opening: tuple[str, ...]) -> None:
        user = desk.user("Ada")
        assert user.refused(Create(desk.request_id(), "puissance4", opening=opening)) == "bad_rules"
        assert len(desk.referee.lobby) == 0

    def test_a_rematch_begins_with_it_too(self, desk: Desk) -> None:
        first, second = desk.user("Ada"), desk.user("Bob")
        opened = first.ok(Create(desk.request_id(), "puissance4", seat="first", opening=("4",)))
        assert isinstance(opened.match, str)
        second.ok(Join(desk.request_id(), opened.match))
        second.ok(Resign(desk.request_id(), opened.match))
        first.ok(Offer(desk.request_id(), opened.match, "rematch"))
        second.ok(Offer(desk.request_id(), opened.match, "rematch"))
        assert second.snapshot().moves == ("4",)


def test_who_moves_at_another_ply_is_shown_the_match_and_nobody_else_is() -> None:
    desk = Desk()
    first, second, match = desk.pair()
    first.ok(MakeMove(desk.request_id(), match, 0, "b2"))
    assert second.refused(MakeMove(desk.request_id(), match, 3, "a1")) == "stale_ply"
    assert second.snapshot().moves == ("b2",)
    assert not first.said(Snapshot)
    assert second.refused(MakeMove(desk.request_id(), match, 1, "b2")) == "illegal_move"
    assert not second.said(Snapshot)
    assert first.refused(MakeMove(desk.request_id(), match, 1, "a1")) == "not_your_turn"
    assert not first.said(Snapshot)
