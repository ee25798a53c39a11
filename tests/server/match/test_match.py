"""Every transition of a match, every refusal with its code, and the fold: events of any played match make it again."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Sequence

import click
import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

import arbitre
from games import Seat, parse
from protocol.bounds import OfferKind, ResultReason
from protocol.errors import ErrorCode, ProtocolError
from protocol.messages import (
    Clock,
    Declined,
    Finished,
    GaveTime,
    MatchEvent,
    Moved,
    Offered,
    Passed,
    Player,
    Presence,
    Rematched,
    Said,
    Seated,
    Started,
    TookBack,
)
from protocol.records import GameRecord, chain
from server.commands.serving_cli import seconds
from server.match.clock import OUT_OF_TIME_MS, Stalls
from server.match.match import Match
from server.match.terms import GIVEN_MS, MAX_GIFTS, MatchContext, MatchRules, Status, Timeouts, seat_number
from server.records.verification import Flaw, verify

ONE, TWO = Seat.FIRST, Seat.SECOND
TIMEOUTS = Timeouts(absence=10, abandonment=40, waiting=100)
OFFERS: tuple[OfferKind, ...] = ("draw", "takeback", "rematch")


def waiting(game: str = "morpion", clock: Clock | None = None) -> Match:
    match = Match("m", MatchRules(parse(game), clock), MatchContext(TIMEOUTS), 0.0)
    match.sit(ONE, Player("one", "human"), 0.0)
    return match


def playing(*moves: str, game: str = "morpion", clock: Clock | None = None) -> Match:
    match = waiting(game, clock)
    match.sit(TWO, Player("two", "bot"), 0.0)
    for move in moves:
        match.move(match.to_move, match.ply, move, 0.0)
    return match


def finished(*moves: str) -> Match:
    match = playing(*moves)
    match.resign(ONE, 0.0)
    return match


def state(match: Match) -> object:
    return (
        match.status,
        match.players,
        match.position,
        match.moves,
        match.movers,
        match.offers,
        match.result,
        match.history.seq,
        None if match.clock is None else match.clock.recorded(),
        match._absences.since.keys(),
        match._absences.told,
    )


def names(events: Sequence[MatchEvent]) -> list[type]:
    return [type(event) for event in events]


class TestTransitions:
    def test_seats_fill_and_the_game_starts(self) -> None:
        match = Match("m", MatchRules(parse("morpion"), Clock(1000)), MatchContext(TIMEOUTS), 0.0)
        assert names(match.sit(TWO, Player("two", "bot"), 0.0)) == [Seated]
        assert match.clocks(0.5) == (1000, 1000)
        assert names(match.sit(ONE, Player("one", "human"), 1.0)) == [Seated, Started]
        assert match.clocks(1.5) == (500, 1000)

    def test_a_line_ends_the_game(self) -> None:
        match = playing("a1", "a2", "b1", "b2")
        moved, over = match.move(ONE, 4, "c1", 0.0)
        assert isinstance(moved, Moved)
        assert isinstance(over, Finished)
        assert (over.result.winner, over.result.reason) == (1, "line")
        assert over.result.cells == ((0, 0), (1, 0), (2, 0))

    def test_a_pass_is_announced(self) -> None:
        rng = random.Random(1)
        for _ in range(50):
            match = playing(game="othello:size=4")
            while match.status is Status.PLAYING:
                seat = match.to_move
                events = match.move(seat, match.ply, rng.choice(match.position.legal_moves()), 0.0)
                passes = [event for event in events if isinstance(event, Passed)]
                if match.result is None and match.to_move is seat:
                    assert [event.seat for event in passes] == [seat.other]
                    return
        pytest.fail("nobody had to pass")

    def test_the_same_move_again_is_done_already(self) -> None:
        match = playing("a1", "b2")
        before = state(match)
        assert match.move(ONE, 0, "a1", 0.0) == ()
        assert match.move(TWO, 1, "b2", 0.0) == ()
        assert state(match) == before

    def test_the_same_column_twice_is_two_moves(self) -> None:
        match = playing("4", "4", game="puissance4")
        assert match.moves == ["4", "4"]

    def test_resigning(self) -> None:
        (over,) = playing().resign(TWO, 0.0)
        assert isinstance(over, Finished)
        assert (over.result.winner, over.result.reason) == (1, "resign")

    def test_a_draw_is_agreed(self) -> None:
        match = playing("a1")
        assert names(match.offer(ONE, "draw", 0.0)) == [Offered]
        assert match.offer(ONE, "draw", 0.0) == ()
        (over,) = match.offer(TWO, "draw", 0.0)
        assert isinstance(over, Finished)
        assert (over.result.winner, over.result.reason) == (None, "agreement")

    def test_two_acceptances_make_one_result(self) -> None:
        match = playing("a1")
        match.offer(ONE, "draw", 0.0)
        match.answer(TWO, "draw", accept=True, now=0.0)
        with pytest.raises(ProtocolError, match="nothing_offered"):
            match.answer(TWO, "draw", accept=True, now=0.0)

    def test_a_draw_offer_stands_until_the_opponent_moves(self) -> None:
        match = playing()
        match.offer(ONE, "draw", 0.0)
        match.move(ONE, 0, "a1", 0.0)
        assert match.offers == {"draw": ONE}
        match.move(TWO, 1, "b1", 0.0)
        assert match.offers == {}

    def test_offers_are_declined_and_withdrawn(self) -> None:
        match = playing("a1", "b1")
        for seat in (ONE, TWO):
            match.offer(ONE, "takeback", 0.0)
            assert names(match.answer(seat, "takeback", accept=False, now=0.0)) == [Declined]
            assert match.offers == {}

    def test_a_takeback_undoes_the_askers_last_move_and_what_followed(self) -> None:
        match = playing("a1", "b1", "c1", "a2")
        match.offer(ONE, "takeback", 0.0)
        (event,) = match.answer(TWO, "takeback", accept=True, now=0.0)
        assert isinstance(event, TookBack)
        assert event.ply == 2
        assert match.moves == ["a1", "b1"]
        assert match.to_move is ONE

    def test_a_takeback_request_ends_with_the_next_move(self) -> None:
        match = playing("a1")
        match.offer(ONE, "takeback", 0.0)
        match.move(TWO, 1, "b1", 0.0)
        assert match.offers == {}

    def test_time_that_was_used_is_not_given_back(self) -> None:
        match = playing(clock=Clock(10_000, 1000))
        match.move(ONE, 0, "a1", 2.0)
        match.offer(ONE, "takeback", 3.0)
        match.answer(TWO, "takeback", accept=True, now=5.0)
        assert match.clocks(5.0) == (9000, 7000)
        assert match.deadline() == 14.0

    def test_given_time_counts_at_once_and_is_all_used_by_who_got_it(self) -> None:
        match = playing("a1", clock=Clock(10_000, 1000))
        (given,) = match.give_time(ONE, 4.0)
        assert isinstance(given, GaveTime)
        assert (given.seat, given.added_ms, given.clocks) == (1, GIVEN_MS, (11_000, 6_000 + GIVEN_MS))
        assert match.clocks(5.0) == (11_000, 5_000 + GIVEN_MS)
        assert match.deadline() == 25.0
        (other,) = match.give_time(TWO, 5.0)
        assert isinstance(other, GaveTime)
        assert other.clocks == (11_000 + GIVEN_MS, 5_000 + GIVEN_MS)
        moved, *_ = match.move(TWO, 1, "b1", 24.0)
        assert isinstance(moved, Moved)
        assert (moved.clocks, moved.used_ms) == ((11_000 + GIVEN_MS, 2_000), 24_000)

    def test_given_time_saves_no_flag_that_fell(self) -> None:
        match = playing("a1", clock=Clock(10_000))
        match.give_time(ONE, 9.0)
        assert match.tick(24.9) == ()
        assert names(match.tick(25.0)) == [Finished]
        with pytest.raises(ProtocolError) as refused:
            match.give_time(ONE, 25.0)
        assert refused.value.code is ErrorCode.GAME_OVER

    def test_time_is_given_so_often_and_no_more_also_after_a_restart(self) -> None:
        match = playing("a1", clock=Clock(10_000))
        for _ in range(MAX_GIFTS):
            match.give_time(ONE, 1.0)
        again = Match("m", MatchRules(parse("morpion"), Clock(10_000)), MatchContext(TIMEOUTS), 0.0)
        again.restore(match.history.since(0) or (), 1.0)
        assert again.clocks(1.0) == (10_000, 10_000 + MAX_GIFTS * GIVEN_MS) == again.clock.recorded()  # type: ignore[union-attr]  # it has one
        for each in (match, again):
            before = state(each)
            with pytest.raises(ProtocolError, match="that is all"):
                each.give_time(ONE, 1.0)
            assert state(each) == before
            assert names(each.give_time(TWO, 1.0)) == [GaveTime]

    def test_a_pause_and_a_takeback_keep_what_was_given(self) -> None:
        match = playing("a1", clock=Clock(10_000))
        match.give_time(ONE, 4.0)
        match.pause(5.0)
        assert match.clocks(9.0) == (10_000, 5_000 + GIVEN_MS)
        match.resume(9.0)
        match.offer(ONE, "takeback", 10.0)
        match.answer(TWO, "takeback", accept=True, now=10.0)
        assert match.clocks(10.0) == (10_000, 4_000 + GIVEN_MS)

    @pytest.mark.parametrize("clock", [None, Clock(move_ms=5000)])
    def test_no_time_is_given_where_no_clock_is_for_the_game(self, clock: Clock | None) -> None:
        with pytest.raises(ProtocolError) as refused:
            playing("a1", clock=clock).give_time(ONE, 1.0)
        assert refused.value.code is ErrorCode.NOT_ALLOWED

    def test_a_takeback_leaves_each_move_its_whole_time(self) -> None:
        match = playing(clock=Clock(move_ms=10_000))
        match.move(ONE, 0, "a1", 2.0)
        match.offer(ONE, "takeback", 3.0)
        match.answer(TWO, "takeback", accept=True, now=8.0)
        assert match.clocks(8.0) == (10_000, 10_000)
        match.move(ONE, 0, "a1", 9.0)
        assert match.deadline() == 19.0

    @pytest.mark.parametrize("plies", [0, 1])
    def test_aborting_before_the_second_move(self, plies: int) -> None:
        (over,) = playing(*("a1", "b1")[:plies]).abort(0.0)
        assert isinstance(over, Finished)
        assert (over.result.winner, over.result.reason) == (None, "aborted")

    def test_absence_is_told_claimable_and_told_again_after_a_return(self) -> None:
        match = playing("a1")
        for start in (0.0, 50.0):
            (gone,) = match.presence(ONE, present=False, now=start)
            assert isinstance(gone, Presence)
            assert gone.claimable_ms == 10_000
            assert match.deadline() == start + 10
            assert match.tick(start + 9.9) == ()
            (may,) = match.tick(start + 10)
            assert isinstance(may, Presence)
            assert may.claimable_ms == 0
            assert match.deadline() == math.inf
            assert names(match.presence(ONE, present=True, now=start + 20)) == [Presence]
        assert match.presence(ONE, present=True, now=80.0) == ()

    def test_claiming(self) -> None:
        match = playing("a1")
        match.presence(TWO, present=False, now=0.0)
        with pytest.raises(ProtocolError, match="too_early") as refusal:
            match.claim(ONE, 9.5)
        assert refusal.value.retry_after_ms == 500
        (over,) = match.claim(ONE, 10.0)
        assert isinstance(over, Finished)
        assert (over.result.winner, over.result.reason) == (1, "abandoned")

    def test_the_flag_goes_before_an_absence_of_the_same_time(self) -> None:
        match = playing(clock=Clock(40_000))
        for seat in (ONE, TWO):
            match.presence(seat, present=False, now=0.0)
        (over,) = match.tick(40.0)
        assert isinstance(over, Finished)
        assert over.result.reason == "timeout"

    def test_talk_goes_on_after_the_end(self) -> None:
        assert names(finished().say(ONE, "well played", 0.0)) == [Said]

    def test_a_rematch_is_announced_once(self) -> None:
        match = finished()
        match.offer(ONE, "rematch", 0.0)
        assert match.answer(TWO, "rematch", accept=True, now=0.0) == ()
        assert names(match.rematched("next", 0.0)) == [Rematched]
        assert match.offers == {}

    def test_presence_is_no_event_of_a_match_that_is_over(self) -> None:
        assert finished().presence(ONE, present=False, now=0.0) == ()


Act = Callable[[Match], object]

REFUSALS: list[tuple[str, Callable[[], Match], Act, ErrorCode]] = [
    ("sit on a taken seat", waiting, lambda m: m.sit(ONE, Player("x", "bot"), 0.0), ErrorCode.SEAT_TAKEN),
    ("sit in a full match", playing, lambda m: m.sit(TWO, Player("x", "bot"), 0.0), ErrorCode.SEAT_TAKEN),
    ("move while waiting", waiting, lambda m: m.move(ONE, 0, "a1", 0.0), ErrorCode.NOT_STARTED),
    ("move out of turn", playing, lambda m: m.move(TWO, 0, "a1", 0.0), ErrorCode.NOT_YOUR_TURN),
    ("move for a later ply", playing, lambda m: m.move(ONE, 1, "a1", 0.0), ErrorCode.STALE_PLY),
    ("another move", lambda: playing("a1"), lambda m: m.move(ONE, 0, "b1", 0.0), ErrorCode.STALE_PLY),
    ("the opponent's move", lambda: playing("a1"), lambda m: m.move(TWO, 0, "a1", 0.0), ErrorCode.STALE_PLY),
    ("move after the end", finished, lambda m: m.move(ONE, 0, "a1", 0.0), ErrorCode.GAME_OVER),
    ("play nonsense", playing, lambda m: m.move(ONE, 0, "z9", 0.0), ErrorCode.ILLEGAL_MOVE),
    ("play on a disc", lambda: playing("a1"), lambda m: m.move(TWO, 1, "a1", 0.0), ErrorCode.ILLEGAL_MOVE),
    ("resign while waiting", waiting, lambda m: m.resign(ONE, 0.0), ErrorCode.NOT_STARTED),
    ("resign twice", finished, lambda m: m.resign(ONE, 0.0), ErrorCode.GAME_OVER),
    ("offer a draw while waiting", waiting, lambda m: m.offer(ONE, "draw", 0.0), ErrorCode.NOT_STARTED),
    ("offer a draw after the end", finished, lambda m: m.offer(ONE, "draw", 0.0), ErrorCode.GAME_OVER),
    ("take nothing back", lambda: playing("a1"), lambda m: m.offer(TWO, "takeback", 0.0), ErrorCode.NOT_ALLOWED),
    ("a rematch in the game", playing, lambda m: m.offer(ONE, "rematch", 0.0), ErrorCode.NOT_OVER),
    ("accept no offer", playing, lambda m: m.answer(ONE, "draw", accept=True, now=0.0), ErrorCode.NOTHING_OFFERED),
    ("decline no offer", playing, lambda m: m.answer(ONE, "draw", accept=False, now=0.0), ErrorCode.NOTHING_OFFERED),
    ("abort after two moves", lambda: playing("a1", "b1"), lambda m: m.abort(0.0), ErrorCode.TOO_LATE),
    ("abort after the end", finished, lambda m: m.abort(0.0), ErrorCode.GAME_OVER),
    ("claim while waiting", waiting, lambda m: m.claim(ONE, 0.0), ErrorCode.NOT_STARTED),
    ("claim from one who is here", playing, lambda m: m.claim(ONE, 0.0), ErrorCode.NOT_ALLOWED),
    ("claim after the end", finished, lambda m: m.claim(ONE, 0.0), ErrorCode.GAME_OVER),
]


@pytest.mark.parametrize(("make", "act", "code"), [case[1:] for case in REFUSALS], ids=[case[0] for case in REFUSALS])
def test_a_refusal_has_its_code_and_changes_nothing(make: Callable[[], Match], act: Act, code: ErrorCode) -> None:
    match = make()
    before = state(match)
    with pytest.raises(ProtocolError) as refusal:
        act(match)
    assert refusal.value.code is code
    assert state(match) == before


def test_one_may_not_accept_ones_own_offer() -> None:
    match = playing("a1")
    match.offer(ONE, "draw", 0.0)
    with pytest.raises(ProtocolError, match="nothing_offered"):
        match.answer(ONE, "draw", accept=True, now=0.0)


def test_an_illegal_move_is_explained() -> None:
    with pytest.raises(ProtocolError) as refusal:
        playing("a1").move(TWO, 1, "a1", 0.0)
    assert refusal.value.data == {"why": "occupied", "legal": ["b1", "c1", "a2", "b2", "c2", "a3", "b3", "c3"]}


ACTS: list[Callable[[Match, Seat, random.Random, float], object]] = [
    lambda m, s, r, t: m.move(m.to_move, m.ply, r.choice(m.position.legal_moves() or ("a1",)), t),
    lambda m, s, r, t: m.move(m.to_move, m.ply, r.choice(m.position.legal_moves() or ("a1",)), t),
    lambda m, s, r, t: m.offer(s, r.choice(OFFERS), t),
    lambda m, s, r, t: m.answer(s, r.choice(OFFERS), accept=r.random() < 0.5, now=t),
    lambda m, s, r, t: m.presence(s, present=r.random() < 0.5, now=t),
    lambda m, s, r, t: m.tick(t),
    lambda m, s, r, t: m.say(s, "hm", t),
    lambda m, s, r, t: m.resign(s, t) if r.random() < 0.05 else None,
    lambda m, s, r, t: m.claim(s, t),
]


@given(
    game=st.sampled_from(("morpion", "othello:size=4", "puissance4:width=4,height=4,k=3")),
    clock=st.sampled_from((None, Clock(20_000), Clock(5_000, 700), Clock(move_ms=4_000))),
    seed=st.integers(0, 2**32),
    steps=st.integers(0, 60),
)
def test_the_events_of_a_match_make_it_again(game: str, clock: Clock | None, seed: int, steps: int) -> None:
    rng = random.Random(seed)
    match = playing(game=game, clock=clock)
    now = 0.0
    for _ in range(steps):
        now += rng.choice((0, 0.1, 1, 7))
        match.tick(now)
        try:
            rng.choice(ACTS)(match, rng.choice((ONE, TWO)), rng, now)
        except ProtocolError:
            continue
    again = Match("m", MatchRules(parse(game), clock), MatchContext(TIMEOUTS), 0.0)
    events = match.history.since(0)
    assert events is not None
    again.restore(events, now)
    assert state(again) == state(match)
    if clock is not None and match.clock is not None and match.status is Status.PLAYING:
        left = match.clock.recorded()[match.to_move - 1]
        assert again.clocks(now + 0.5) is not None
        assert again.clock is not None
        assert again.clock.flag_time() == now + left / 1000


def test_a_referee_waits_as_long_as_the_command_says() -> None:
    group = arbitre.build()
    command = group.get_command(click.Context(group), "serve")
    assert command is not None
    said = {option.name: str(option.default) for option in command.params}
    assert (seconds(said["absence"]), seconds(said["abandonment"])) == (Timeouts().absence, Timeouts().abandonment)


class TestOpening:
    def begun(self, clock: Clock | None = None) -> Match:
        match = Match("m", MatchRules(parse("othello"), clock, ("f5", "d6", "c3")), MatchContext(TIMEOUTS), 0.0)
        match.sit(ONE, Player("one", "human"), 0.0)
        match.sit(TWO, Player("two", "bot"), 5.0)
        return match

    def test_it_is_on_the_board_before_anybody_thinks(self) -> None:
        match = self.begun(Clock(60_000, 1000))
        assert match.moves == ["f5", "d6", "c3"]
        assert match.position == parse("othello").start().play("f5").play("d6").play("c3")
        assert match.to_move is TWO
        assert match.clocks(9.0) == (60_000, 56_000)
        openers = [event for event in match.history.since(0) or () if isinstance(event, Moved)]
        assert [(event.move, event.opening, event.clocks) for event in openers] == [
            (move, True, (60_000, 60_000)) for move in ("f5", "d6", "c3")
        ]

    def test_a_pass_in_it_is_told(self) -> None:
        match = Match(
            "m", MatchRules(parse("othello:size=4"), opening=("b1", "c1", "d3", "a1")), MatchContext(TIMEOUTS), 0.0
        )
        match.sit(ONE, Player("one", "human"), 0.0)
        events = match.sit(TWO, Player("two", "bot"), 0.0)
        assert [type(event) for event in events] == [Seated, Started, Moved, Moved, Moved, Moved, Passed]
        assert isinstance(events[-1], Passed)
        assert (events[-1].ply, events[-1].seat, match.to_move) == (4, 1, TWO)

    def test_it_is_nobodys_to_take_back_and_no_move_towards_an_abort(self) -> None:
        match = self.begun()
        for seat in (ONE, TWO):
            with pytest.raises(ProtocolError, match="no move to take back"):
                match.offer(seat, "takeback", 6.0)
        match.move(TWO, 3, match.position.legal_moves()[0], 6.0)
        with pytest.raises(ProtocolError, match="no move to take back"):
            match.offer(ONE, "takeback", 6.0)
        match.offer(TWO, "takeback", 6.0)
        match.answer(ONE, "takeback", accept=True, now=6.0)
        assert match.moves == ["f5", "d6", "c3"]
        match.move(TWO, 3, match.position.legal_moves()[0], 6.0)
        match.abort(7.0)

    @pytest.mark.parametrize("seed", range(20))
    def test_the_record_of_a_match_with_an_opening_verifies(self, seed: int) -> None:
        match = self.begun(Clock(60_000, 1000))
        rng = random.Random(seed)
        now = 5.0
        while match.result is None:
            now += rng.random()
            match.move(match.to_move, match.ply, rng.choice(match.position.legal_moves()), now)
        events = tuple(match.history.since(0) or ())
        link = chain("m", "othello", match.time_control, events)
        record = GameRecord("m", "othello", match.time_control, True, 0, events, (0,) * len(events), link)
        assert verify(record) == []
        late = [msgspec.structs.replace(e, opening=True) if isinstance(e, Moved) and e.ply == 5 else e for e in events]
        forged = GameRecord("m", "othello", match.time_control, True, 0, tuple(late), (0,) * len(events), link)
        assert {problem.flaw for problem in verify(forged)} >= {Flaw.PLACE, Flaw.CLOCK, Flaw.CHAIN}


def test_an_absence_that_may_be_claimed_begins_anew_after_a_pause() -> None:
    match = playing("a1")
    match.presence(TWO, present=False, now=0.0)
    for begun in (0.0, 50.0):
        assert match.deadline() == begun + TIMEOUTS.absence
        (told,) = match.tick(begun + TIMEOUTS.absence)
        assert isinstance(told, Presence)
        assert (told.seat, told.claimable_ms) == (2, 0)
        match.pause(20.0)
        match.resume(50.0)
    with pytest.raises(ProtocolError, match="may still come back"):
        match.claim(ONE, 59.0)


class TestFaults:
    @pytest.mark.parametrize("reason", ["illegal", "crash", "timeout"])
    def test_a_program_says_what_happened_to_it(self, reason: ResultReason) -> None:
        match = playing("a1", "b1")
        match.resign(ONE, 0.0, reason)
        assert match.result is not None
        assert (match.result.reason, match.result.winner) == (reason, 2)

    @pytest.mark.parametrize(
        ("clock", "seat", "now", "reason"),
        [
            (Clock(60_000), ONE, 59.95, "timeout"),
            (Clock(60_000), ONE, 60.0 - OUT_OF_TIME_MS / 1000, "timeout"),
            (Clock(60_000), ONE, 58.5, "crash"),
            (Clock(60_000), TWO, 59.95, "crash"),
            (Clock(move_ms=800), ONE, 0.0, "timeout"),
            (None, ONE, 59.95, "timeout"),
            (None, TWO, 59.95, "crash"),
        ],
    )
    def test_out_of_time_is_who_is_to_move_and_has_next_to_none_left(
        self, clock: Clock | None, seat: Seat, now: float, reason: ResultReason
    ) -> None:
        match = playing("a1", "b1", clock=clock)
        match.resign(seat, now, "timeout")
        assert match.result is not None
        assert (match.result.reason, match.result.winner) == (reason, seat_number(seat.other))

    @pytest.mark.parametrize(("given_back_ms", "reason"), [(1000, "timeout"), (999, "crash")])
    @pytest.mark.parametrize("how", ["stall", "lag"])
    def test_what_the_server_gives_back_is_not_held_against_a_program(
        self, how: str, given_back_ms: int, reason: ResultReason
    ) -> None:
        stalls = Stalls()
        match = Match("m", MatchRules(parse("morpion"), Clock(60_000)), MatchContext(TIMEOUTS, stalls=stalls), 0.0)
        for seat, name in ((ONE, "one"), (TWO, "two")):
            match.sit(seat, Player(name, "bot"), 0.0)
        for move in ("a1", "b1"):
            match.move(match.to_move, match.ply, move, 0.0)
        if how == "stall":
            stalls.total += given_back_ms / 1000
        else:
            assert match.clock is not None
            match.clock.allow(given_back_ms)
        left_ms = OUT_OF_TIME_MS + 1000
        (event,) = match.resign(ONE, 60.0 - (left_ms - (given_back_ms if how == "lag" else 0)) / 1000, "timeout")
        assert isinstance(event, Finished)
        assert event.clocks is not None
        assert (event.result.reason, event.clocks[0]) == (reason, left_ms)
        events = match.history.since(0)
        assert events is not None
        link = chain("m", "morpion", match.time_control, events)
        record = GameRecord("m", "morpion", match.time_control, True, 0, tuple(events), (0,) * len(events), link)
        assert verify(record) == []
