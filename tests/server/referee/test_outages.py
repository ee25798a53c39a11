"""A player who is cut off: the clock stands from the last sign of life, within bounds, and nobody gains by it."""

from __future__ import annotations

import random
from typing import Literal, TypeVar

import pytest

from games import Seat, parse
from protocol.messages import (
    Claim,
    Clock,
    Create,
    Error,
    Finished,
    Join,
    MakeMove,
    Moved,
    Network,
    Player,
    Presence,
    Report,
    ServerBase,
    YourTurn,
)
from protocol.records import GameRecord, chain
from server.match.clock import LAG_CAP_MS, LAG_GAIN_MS
from server.match.match import Match
from server.match.terms import MatchContext, MatchRules, Timeouts
from server.records.verification import verify
from server.referee.liveness import BEAT_S, MOST_LAG_S, SILENT_S
from tests.server.desk import Desk, User

M = TypeVar("M", bound=ServerBase)

TEN = Clock(10_000, 100)
PAUSE = Network("pause", 120_000)
CELLS = ("a1", "a2", "c2", "b1", "b3", "a3", "c1", "c3")
"""A game after b2, in which nobody makes a line."""

NOTICED_S = SILENT_S + 2 * BEAT_S


class Links(Desk):
    """A desk whose connections go silent and come back; whoever is silent acknowledges nothing."""

    def __init__(self) -> None:
        super().__init__()
        self.lag_ms: dict[int, int] = {}
        self.measured.lags = self.lag_ms
        self.cut = self.measured.signs

    def pull(self, user: User) -> None:
        """The cable: nothing arrives any more."""
        self.cut[user.connection] = self.now

    def plug(self, user: User) -> None:
        """What was sent meanwhile arrives now."""
        self.cut.pop(user.connection, None)

    def match(self, match: str) -> Match:
        return self.referee.lobby.find(match).match

    def arranged(
        self, network: Network | None = PAUSE, clock: Clock | None = TEN, kind: Literal["human", "bot"] = "bot"
    ) -> tuple[User, User, User, str]:
        """Somebody who opened a match of two others, the two, and the match, in which the second is to move."""
        host, one, two = self.user("host"), self.user("one", kind), self.user("two", kind)
        names = ("one", "two")
        create = Create(
            self.request_id(), "morpion", clock, seat="first", play=False, invite=names, follow=False, network=network
        )
        match = host.ok(create).match
        assert isinstance(match, str)
        for user in (one, two):
            user.ok(Join(self.request_id(), match))
        one.play(match, "b2", start=0)
        return host, one, two, match


class Probing(Links):
    """A desk that notes which connections are probed."""

    def __init__(self) -> None:
        super().__init__()
        self.probes: list[int] = []

    def probed(self, connection: int) -> None:
        self.probes.append(connection)


class Answering(Links):
    """A desk of which nothing is known but when somebody answered a ping."""

    def __init__(self) -> None:
        super().__init__()
        self.cut.update(dict.fromkeys(range(1, 10), 0.0))

    def probed(self, connection: int) -> None:
        self.cut[connection] = self.now


def heard(desk: Desk, user: User, kind: type[M]) -> list[M]:
    return [message for message in desk.received[user.connection] if isinstance(message, kind)]


def last(desk: Desk, user: User, kind: type[M]) -> M:
    return heard(desk, user, kind)[-1]


def left(desk: Links, match: str) -> tuple[int, int]:
    clocks = desk.match(match).clocks(desk.now)
    assert clocks is not None
    return clocks


class TestSilence:
    """The connection is not closed: a link that is back within seconds."""

    @pytest.mark.parametrize("seconds", [2.0, 10.0, 90.0])
    def test_a_blackout_costs_what_was_used_before_it(self, seconds: float) -> None:
        desk = Links()
        _, one, two, match = desk.arranged()
        desk.wait(1)
        desk.pull(two)
        desk.wait(seconds)
        gone = last(desk, one, Presence)
        assert (gone.present, gone.used_ms, gone.clocks) == (False, 1000, (10_100, 9000))
        desk.plug(two)
        two.play(match, "a1", start=1)
        (moved,) = two.said(Moved)
        assert (moved.used_ms, moved.clocks) == (0, (10_100, 9100))
        assert desk.match(match).used_ms == [0, 1000]

    def test_who_is_back_is_asked_again_and_his_time_runs_from_then_on(self) -> None:
        desk = Links()
        _, _, two, match = desk.arranged()
        desk.pull(two)
        desk.wait(10)
        desk.plug(two)
        desk.wait(BEAT_S)
        turn = last(desk, two, YourTurn)
        assert turn.deadline_ms == 10_000
        desk.wait(3)
        assert 7000 <= left(desk, match)[1] <= 7000 + 1000 * BEAT_S

    def test_a_flag_does_not_fall_before_it_is_known_that_its_player_is_there(self) -> None:
        desk = Links()
        _, _, two, match = desk.arranged()
        desk.wait(9.8)
        desk.pull(two)
        desk.wait(60)
        assert desk.match(match).result is None
        desk.plug(two)
        two.play(match, "a1", start=1)
        assert left(desk, match)[1] == 300, "0.2 s were left, and a move brings 0.1 s"

    def test_a_flag_falls_in_time_for_who_is_there(self) -> None:
        desk = Links()
        _, one, _, match = desk.arranged()
        desk.wait(10.001)
        result = desk.match(match).result
        assert result is not None
        assert (result.reason, result.winner) == ("timeout", 1)
        assert last(desk, one, Finished).result == result

    def test_what_was_said_after_the_flag_is_too_late_for_who_was_there(self) -> None:
        desk = Links()
        _, _, two, match = desk.arranged()
        desk.wait(9.9)
        desk.now += 0.2  # before the timer goes off
        assert two.refused(MakeMove(desk.request_id(), match, 1, "a1")) == "game_over"

    def test_a_move_that_comes_first_after_a_cut_over_the_flag_counts(self) -> None:
        desk = Links()
        _, _, two, match = desk.arranged()
        desk.wait(9.5)
        desk.pull(two)
        desk.wait(BEAT_S + SILENT_S + 0.1 - BEAT_S)
        desk.now += BEAT_S + 0.2  # nobody has looked since
        desk.plug(two)
        two.play(match, "a1", start=1)
        assert desk.match(match).result is None

    def test_short_silence_is_no_outage(self) -> None:
        desk = Links()
        _, one, two, match = desk.arranged()
        desk.pull(two)
        desk.wait(SILENT_S - 0.1)
        desk.plug(two)
        desk.wait(2)
        assert not heard(desk, one, Presence)
        assert left(desk, match)[1] == 10_000 - round(1000 * (SILENT_S - 0.1 + 2))

    def test_who_is_far_away_is_waited_for_longer_within_bounds(self) -> None:
        desk = Links()
        _, one, two, _ = desk.arranged()
        desk.lag_ms[two.connection] = 60_000
        desk.pull(two)
        desk.wait(SILENT_S + MOST_LAG_S - 0.1)
        assert not heard(desk, one, Presence)
        desk.wait(2 * BEAT_S)
        assert not last(desk, one, Presence).present

    def test_who_said_nothing_while_he_had_nothing_to_say_is_there(self) -> None:
        """Where nothing but answers to pings tells of somebody, and the last one is old when his turn begins."""
        desk = Answering()
        _, one, two, match = desk.arranged()
        desk.wait(4)
        two.play(match, "a1", start=1)
        desk.wait(3)
        assert not heard(desk, two, Presence)
        assert left(desk, match)[0] == 7100
        one.play(match, "a2", start=2)
        two.drop()
        assert left(desk, match)[1] == 6100, "nothing of the turn that has just begun"

    def test_nobody_is_looked_after_who_does_not_think(self) -> None:
        desk = Links()
        _, one, two, match = desk.arranged()
        desk.pull(one)
        desk.wait(5)
        assert not heard(desk, two, Presence)
        two.ok(MakeMove(desk.request_id(), match, 1, "a1"))
        desk.wait(NOTICED_S)
        gone = last(desk, two, Presence)
        assert (gone.present, gone.used_ms) == (False, 0), "his turn began while he was away"


class TestLost:
    """The connection is closed, and another comes."""

    def test_the_clock_stands_from_the_last_sign_of_life(self) -> None:
        desk = Links()
        _, one, two, match = desk.arranged()
        desk.wait(1.5)
        desk.pull(two)
        desk.wait(0.5)
        two.drop()
        desk.wait(30)
        assert left(desk, match) == (10_100, 8500)
        two.back()
        assert two.said(YourTurn)[0].deadline_ms == 8500
        desk.wait(1)
        two.play(match, "a1", start=1)
        assert two.said(Moved)[0].used_ms == 1000
        back = last(desk, one, Presence)
        assert (back.present, back.waits_ms) == (True, 120_000 - 30_500)

    def test_a_silent_connection_that_has_gone_is_probed_no_more(self) -> None:
        desk = Probing()
        _, _, two, _ = desk.arranged()
        desk.pull(two)
        desk.wait(NOTICED_S)
        gone = two.connection
        two.drop()
        assert gone in desk.probes
        desk.probes.clear()
        desk.wait(10 * BEAT_S)
        assert gone not in desk.probes

    def test_a_newer_connection_finds_the_clock_standing_before_that_was_noticed(self) -> None:
        desk = Links()
        _, _, two, match = desk.arranged()
        desk.wait(2)
        desk.pull(two)
        desk.now += 1.9  # before anybody looks
        two.back()
        assert left(desk, match) == (10_100, 8000)

    def test_a_turn_that_begins_while_its_player_is_away_stands_from_its_beginning(self) -> None:
        desk = Links()
        _, one, two, match = desk.arranged()
        one.drop()
        desk.wait(5)
        two.play(match, "a1", start=1)
        desk.wait(60)
        assert left(desk, match)[0] == 10_100
        one.back()
        desk.wait(1)
        assert left(desk, match)[0] == 9100

    def test_a_flag_that_was_due_while_he_was_cut_off_does_not_fall_when_it_is_noticed(self) -> None:
        desk = Links()
        _, _, two, match = desk.arranged()
        desk.wait(9.5)
        desk.cut[two.connection] = desk.now
        desk.now += 0.7
        two.drop()
        assert desk.match(match).result is None
        assert left(desk, match)[1] == 500

    def test_a_flag_that_was_due_before_the_last_sign_of_life_falls(self) -> None:
        desk = Links()
        _, _, two, match = desk.arranged()
        desk.wait(9.5)
        desk.now += 0.7
        two.drop()
        result = desk.match(match).result
        assert result is not None
        assert result.reason == "timeout"

    def test_nothing_is_claimed_meanwhile(self) -> None:
        desk = Links()
        _, one, two, match = desk.arranged()
        two.drop()
        desk.wait(60)
        answer = one.ask(Claim(desk.request_id(), match))
        assert isinstance(answer, Error)
        assert (answer.code, answer.retry_after_ms) == ("too_early", 60_000)


class TestBound:
    def test_who_stays_away_ends_the_match_without_a_result(self) -> None:
        desk = Links()
        host, _, two, match = desk.arranged()
        desk.wait(1)
        two.drop()
        desk.wait(119.9)
        assert desk.match(match).result is None
        desk.wait(0.2)
        report = last(desk, host, Report)
        assert (report.result.winner, report.result.reason, report.result.away) == (None, "aborted", 2)
        assert report.away_ms == (0, 120_000)

    def test_a_link_that_comes_and_goes_uses_the_same_time_up(self) -> None:
        desk = Links()
        host, _, two, match = desk.arranged(clock=Clock(600_000))
        for _ in range(11):
            desk.pull(two)
            desk.wait(10)
            desk.plug(two)
            desk.wait(1)
        assert desk.match(match).result is None
        desk.pull(two)
        desk.wait(15)
        report = last(desk, host, Report)
        assert report.result.away == 2
        assert sum(report.away_ms) == 120_000

    def test_each_seat_has_its_own_time(self) -> None:
        desk = Links()
        _, one, two, match = desk.arranged()
        two.drop()
        desk.wait(100)
        two.back()
        two.play(match, "a1", start=1)
        one.drop()
        desk.wait(100)
        assert desk.match(match).result is None

    def test_if_both_stay_away_it_is_nobodys(self) -> None:
        desk = Links()
        _, one, two, match = desk.arranged()
        one.drop()
        two.drop()
        desk.wait(119)
        assert desk.match(match).result is None, "longer than the server waits for two who left elsewhere"
        desk.wait(2)
        result = desk.match(match).result
        assert result is not None
        assert (result.reason, result.winner, result.away) == ("abandoned", None, None)

    def test_without_a_clock_it_is_waited_for_as_long(self) -> None:
        desk = Links()
        _, _, two, match = desk.arranged(clock=None)
        two.drop()
        desk.wait(119)
        assert desk.match(match).result is None
        desk.wait(2)
        result = desk.match(match).result
        assert result is not None
        assert result.away == 2

    def test_a_clock_that_runs_in_an_outage_is_claimed_after_the_time_that_was_said(self) -> None:
        desk = Links()
        _, one, two, match = desk.arranged(Network("clock", 30_000), Clock(600_000))
        two.drop()
        desk.wait(20)
        assert one.refused(Claim(desk.request_id(), match)) == "too_early"
        desk.wait(10)
        one.ok(Claim(desk.request_id(), match))
        result = desk.match(match).result
        assert result is not None
        assert (result.reason, result.winner) == ("abandoned", 1)

    def test_without_a_word_of_the_network_all_is_as_before(self) -> None:
        desk = Links()
        _, one, two, match = desk.arranged(None)
        two.drop()
        desk.wait(9)
        assert left(desk, match)[1] == 1000
        assert one.refused(Claim(desk.request_id(), match)) == "too_early"
        desk.wait(1.1)
        result = desk.match(match).result
        assert result is not None
        assert result.reason == "timeout"

    def test_who_drops_out_after_the_flag_has_lost_on_time(self) -> None:
        """The timer may be late: what was due is settled first."""
        desk = Links()
        _, one, two, match = desk.arranged(None)
        desk.now += 20
        two.drop()
        result = desk.match(match).result
        assert result is not None
        assert (result.reason, result.winner) == ("timeout", 1)
        assert one.said(Presence) == []


class TestLag:
    def moves(self, network: Network | None, lag_ms: int, count: int = 3) -> list[Moved]:
        desk = Links()
        _, one, two, match = desk.arranged(network, Clock(60_000))
        desk.lag_ms.update(dict.fromkeys((one.connection, two.connection), lag_ms))
        heard: list[Moved] = []
        cells = CELLS
        for ply, cell in enumerate(cells[: 2 * count + 1], 1):
            desk.wait(0.5)
            mover = two if ply % 2 else one
            mover.play(match, cell, start=ply)
            heard += [moved for moved in mover.said(Moved) if ply > 2]
        return heard

    def test_what_was_not_measured_yet_when_a_move_was_asked_for_is_given_back_with_it(self) -> None:
        desk = Links()
        one, two, match = desk.pair("morpion", Clock(60_000))
        one.play(match, "b2", start=0)
        desk.lag_ms[two.connection] = 300
        desk.wait(1)
        two.play(match, "a1", start=1)
        (moved,) = two.said(Moved)
        assert (moved.used_ms, moved.lag_ms) == (700, 300)

    def test_programs_get_back_what_the_network_takes_where_the_match_says_so(self) -> None:
        assert next(moved.lag_ms for moved in self.moves(Network(lag="forgiven"), 80, 2)) == 80

    def test_who_delays_his_answers_gains_no_more_than_the_quota(self) -> None:
        gained = [moved.lag_ms for moved in self.moves(Network(lag="forgiven"), 60_000)]
        assert sum(gained) <= 2 * (LAG_CAP_MS + LAG_GAIN_MS * len(gained))

    @pytest.mark.parametrize("network", [None, Network(), PAUSE])
    def test_elsewhere_they_get_nothing_and_know_it(self, network: Network | None) -> None:
        assert not any(moved.lag_ms for moved in self.moves(network, 80))
        desk = Links()
        _, one, two, match = desk.arranged(network)
        desk.lag_ms[one.connection] = 80
        two.play(match, "a1", start=1)
        turn = last(desk, one, YourTurn)
        assert (turn.rtt_ms, turn.allowance_ms) == (80, 0)

    def test_they_know_what_they_get(self) -> None:
        desk = Links()
        _, one, two, match = desk.arranged(Network(lag="forgiven"))
        desk.lag_ms[one.connection] = 1800
        two.play(match, "a1", start=1)
        turn = last(desk, one, YourTurn)
        assert (turn.rtt_ms, turn.allowance_ms) == (1800, LAG_CAP_MS)

    def test_what_is_given_back_before_a_cut_is_not_given_back_after_it(self) -> None:
        desk = Links()
        _, _, two, match = desk.arranged(Network("pause", 600_000, "forgiven"), Clock(60_000))
        desk.measured.lags = dict.fromkeys(range(1, 20), 900)
        for _ in range(5):
            two.drop()
            two.back()
            desk.wait(2)
        two.drop()
        given = 10_000 - (60_000 - left(desk, match)[1])
        assert 900 <= given <= LAG_CAP_MS


def record_of(match: Match) -> GameRecord:
    events = match.history.since(0)
    assert events is not None
    closed = None if match.result is None else chain(match.id, match.game.spec, match.time_control, tuple(events))
    return GameRecord(match.id, match.game.spec, match.time_control, True, 0, tuple(events), (0,) * len(events), closed)


@pytest.mark.parametrize("seed", range(40))
def test_whatever_comes_and_goes_no_time_is_lost_or_gained_and_the_record_is_sound(seed: int) -> None:
    """Random cuts, returns and restarts: each seat is charged for the time that it was there, to a beat."""
    rng = random.Random(seed)
    desk = Links()
    _, one, two, match = desk.arranged(Network("pause", 60_000), Clock(120_000))
    users = {Seat.FIRST: one, Seat.SECOND: two}
    there = dict.fromkeys(users, True)
    cells = CELLS
    present = {Seat.FIRST: 0.0, Seat.SECOND: 0.0}
    tolerance = {Seat.FIRST: 0.1, Seat.SECOND: 0.1}
    for _ in range(60):
        played = desk.match(match)
        if played.result is not None:
            break
        mover = played.to_move
        seconds = rng.choice([0.3, 1.5, 4.0])
        desk.wait(seconds)
        if there[mover]:
            present[mover] += seconds
        what = rng.random()
        seat = rng.choice(list(users))
        if what < 0.25 and there[seat]:
            desk.pull(users[seat])
            if rng.random() < 0.5:
                users[seat].drop()
            there[seat] = False
        elif what < 0.7 and not there[seat]:
            if users[seat].connection in desk.open:
                desk.plug(users[seat])
            else:
                users[seat].back()
            there[seat] = True
            tolerance[seat] += NOTICED_S
        elif there[mover]:
            users[mover].ask(MakeMove(desk.request_id(), match, played.ply, cells[played.ply - 1]))
    ended = desk.match(match)
    clocks = ended.clocks(desk.now)
    assert clocks is not None
    for place in users:
        assert abs(120 - clocks[place - 1] / 1000 - present[place]) <= tolerance[place]
    assert ended.outage.away_ms[0] <= 60_000
    assert ended.outage.away_ms[1] <= 60_000
    assert verify(record_of(ended)) == []


def test_what_was_used_up_survives_a_restart() -> None:
    context = MatchContext(Timeouts())
    match = Match("m", MatchRules(parse("morpion"), TEN, network=Network("pause", 60_000)), context, 0.0)
    for seat in Seat:
        match.sit(seat, Player(f"p{seat}", "bot"), 0.0)
    match.presence(Seat.FIRST, present=False, now=3.0, since=1.0)
    match.presence(Seat.FIRST, present=True, now=41.0)
    events = match.history.since(0)
    assert events is not None
    again = Match(
        "m", MatchRules(parse("morpion"), TEN, network=Network("pause", 60_000)), MatchContext(Timeouts()), 100.0
    )
    again.restore(events, 100.0)
    again.reopen(100.0)
    assert again.outage.left_ms(Seat.FIRST, 100.0) == 20_000
    assert again.clocks(110.0) == (9000, 10_000)
    again.presence(Seat.FIRST, present=True, now=115.0)
    assert again.outage.left_ms(Seat.FIRST, 115.0) == 5_000
    assert again.clocks(116.0) == (8000, 10_000)
