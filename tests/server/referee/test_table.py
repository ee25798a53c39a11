"""A table and the sessions around it: who is told what, and when, whoever comes, goes or changes places."""

from __future__ import annotations

import random
from collections.abc import Iterable

import pytest

from games import Seat, parse
from protocol.messages import Answer, Clock, Offer, Player
from server.match.late import Late
from server.match.match import Match
from server.match.terms import MatchContext, MatchRules
from server.referee.sessions import Session, Sessions
from server.referee.table import Table
from tests.server.desk import Desk

DELAY_MS = 30_000


def people(count: int) -> tuple[Sessions, list[Session]]:
    """Sessions that are connected, by the numbers from 1."""
    sessions = Sessions(lambda: "t")
    made = [sessions.open(f"n{'abcdefgh'[number]}", "human")[0] for number in range(count)]
    for number, session in enumerate(made, 1):
        sessions.connect(session, number, 0.0, batch=False, boards=number % 2 == 0)
    return sessions, made


def table(*, late: bool = False) -> Table:
    match = Match("m", MatchRules(parse("morpion"), Clock(60_000)), MatchContext(), 0.0)
    made = Table(match, public=True, opened_ms=0)
    if late:
        made.late = Late(match, MatchContext(), DELAY_MS, 0.0)
        made.late.holds = True
    return made


def numbers(sessions: Iterable[Session]) -> set[int]:
    """Their connections."""
    return {session.connection for session in sessions if session.connection is not None}


@pytest.mark.parametrize("late", [False, True])
@pytest.mark.parametrize("seed", range(20))
def test_those_are_told_who_are_around_at_that_time(seed: int, *, late: bool) -> None:
    rng, made = random.Random(seed), table(late=late)
    sessions, everyone = people(6)
    for step in range(40):
        one = rng.choice(everyone)
        plays = one in made.sessions.values()
        match rng.randrange(6):
            case 0 | 1 if not plays:
                made.watch(one)
            case 2 if not plays:
                made.leave(one)
            case 3:
                made.set_creator(one)
            case 4:
                if one.connection is None:
                    sessions.connect(one, 100 + step, 0.0, batch=False, boards=rng.random() < 0.5)
                else:
                    sessions.disconnect(one.connection, 0.0)
                made.changed()
            case 5 if not plays:
                seat = rng.choice(list(Seat))
                if seat in made.sessions:
                    made.hand_over(seat, one)
                else:
                    made.seat(one, seat)
            case _:
                pass
        around = made.viewers.union(made.sessions.values())
        far = {session for session in around if made.is_delayed_for(session)}
        assert sorted(made.audience()) == sorted(numbers(around - far))
        assert sorted(made.onlookers()) == sorted(numbers(s for s in around - far if s.boards))
        assert sorted(made.delayed_connections()) == sorted(numbers(far))
        assert sorted(made.delayed_connections(boards=True)) == sorted(numbers(s for s in far if s.boards))
        assert sorted(made.everybody()) == sorted(numbers(around))
        assert sorted(made.spectators()) == sorted(numbers(made.viewers.difference(made.sessions.values())))
        for session in everyone:
            assert ("m" in session.seats) == ("m" in session.playing) == (session in made.sessions.values())
            assert ("m" in session.watching) == (session in made.viewers)


def test_who_sees_a_match_late_is_told_its_end_late() -> None:
    made = table(late=True)
    _sessions, (player, maker, watcher) = people(3)
    made.seat(player, Seat.FIRST)
    made.set_creator(maker)
    for session in (maker, watcher):
        made.watch(session)
    made.finished_at = 100.0
    assert [made.told_end(session) for session in (player, maker, watcher)] == [100.0, 100.0, 130.0]


def test_whoever_hands_a_seat_over_plays_no_more_and_watches() -> None:
    made = table()
    _sessions, (one, other) = people(2)
    made.match.sit(Seat.FIRST, Player(one.name, "human"), 0.0)
    made.seat(one, Seat.FIRST)
    made.set_creator(one)
    assert made.hand_over(Seat.FIRST, other) is one
    assert (one.playing, one.seats, one.watching, one.created) == (set(), {}, {"m"}, set())
    assert (other.playing, other.seats, other.created) == ({"m"}, {"m": Seat.FIRST}, {"m"})
    assert made.creator is other


def test_a_draw_that_is_agreed_on_ends_the_match_for_the_lobby_too() -> None:
    for answers in (False, True):
        desk = Desk()
        one, two, match = desk.pair()
        one.play(match, "a1", start=0)
        one.ok(Offer(desk.request_id(), match, "draw"))
        if answers:
            two.ok(Answer(desk.request_id(), match, "draw", accept=True))
        else:
            two.ok(Offer(desk.request_id(), match, "draw"))
        lobby = desk.referee.lobby
        assert (len(lobby), lobby.find(match).finished_at) == (0, desk.now)


def test_nothing_waits_to_be_handed_over_where_there_is_no_clock_or_no_match() -> None:
    desk = Desk()
    one, _two, match = desk.pair()
    assert not desk.referee.handed(one.connection, match, 0, desk.now)
    assert not desk.referee.handed(one.connection, "nothing", 0, desk.now)
