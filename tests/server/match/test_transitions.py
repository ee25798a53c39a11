"""The two tables of a match: they are whole, and every method of a match does what they say, in every state."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import get_args

import pytest
from msgspec.structs import replace

from games import Seat, parse
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
    Paused,
    Player,
    Presence,
    Rematched,
    Result,
    Resumed,
    Said,
    Seated,
    Started,
    TookBack,
)
from server.match.match import Match
from server.match.terms import MatchContext, MatchRules, Status
from server.match.transitions import EVENTS, REQUESTS, Request, refusal

ONE, TWO = Seat.FIRST, Seat.SECOND
ALL = get_args(MatchEvent)

ASK: dict[Request, Callable[[Match], Sequence[MatchEvent]]] = {
    "sit": lambda m: m.sit(TWO, Player("two", "bot"), 2.0),
    "move": lambda m: m.move(m.to_move, m.ply, "c3", 2.0),
    "resign": lambda m: m.resign(ONE, 2.0),
    "offer a draw": lambda m: m.offer(ONE, "draw", 2.0),
    "offer a takeback": lambda m: m.offer(ONE, "takeback", 2.0),
    "offer a rematch": lambda m: m.offer(ONE, "rematch", 2.0),
    "answer": lambda m: m.answer(TWO, "rematch" if m.result else "draw", accept=False, now=2.0),
    "give time": lambda m: m.give_time(ONE, 2.0),
    "abort": lambda m: m.abort(2.0),
    "claim": lambda m: m.claim(ONE, 99.0),
    "say": lambda m: m.say(ONE, "hm", 2.0),
    "presence": lambda m: m.presence(ONE, present=False, now=2.0),
    "pause": lambda m: m.pause(2.0),
    "resume": lambda m: m.resume(2.0),
    "adjudicate": lambda m: m.adjudicate(ONE, 2.0),
    "terminate": lambda m: m.terminate(2.0),
    "suspend": lambda m: m.suspend(2.0),
}
"""Each request, made so that nothing but the state of the match can be against it."""


def match_in(status: Status, request: Request) -> Match:
    """A match of one move in a state, with what `request` needs: an offer, an opponent who is away."""
    match = Match("m", MatchRules(parse("morpion"), Clock(600_000)), MatchContext(), 0.0)
    match.sit(ONE, Player("one", "human"), 0.0)
    if status is Status.WAITING:
        return match
    match.sit(TWO, Player("two", "bot"), 0.0)
    match.move(ONE, 0, "a1", 1.0)
    if request == "claim":
        match.presence(TWO, present=False, now=1.0)
    if request == "answer" and status is not Status.FINISHED:
        match.offer(ONE, "draw", 1.0)
    if status is Status.PAUSED:
        match.pause(1.0)
    if status is Status.FINISHED:
        match.resign(TWO, 1.0)
        if request == "answer":
            match.offer(ONE, "rematch", 1.0)
    return match


@pytest.mark.parametrize("request_", ASK)
@pytest.mark.parametrize("status", Status)
def test_every_request_does_in_every_state_what_the_table_says(status: Status, request_: Request) -> None:
    match = match_in(status, request_)
    seq = match.history.seq
    assert match.status is status
    verdict = REQUESTS[status][request_]
    if isinstance(verdict, ErrorCode):
        with pytest.raises(ProtocolError) as refused:
            ASK[request_](match)
        assert refused.value.code is verdict
    else:
        assert bool(ASK[request_](match)) is verdict
    assert (match.history.seq > seq) is (verdict is True)


def test_the_table_of_requests_is_whole() -> None:
    assert list(REQUESTS) == list(Status)
    assert all(set(row) == set(get_args(Request)) == set(ASK) for row in REQUESTS.values())


def test_every_refusal_of_the_table_has_words() -> None:
    codes = {verdict for row in REQUESTS.values() for verdict in row.values() if isinstance(verdict, ErrorCode)}
    assert all(refusal(code).message for code in codes)
    assert refusal(ErrorCode.PAUSED).message != refusal(ErrorCode.PAUSED, stopping=True).message
    assert refusal(ErrorCode.GAME_OVER).message == refusal(ErrorCode.GAME_OVER, stopping=True).message


EXAMPLES: dict[type, MatchEvent] = {
    type(event): event
    for event in (
        Seated("m", 0, 2, Player("two", "bot")),
        Started("m", 0, 1, (5, 5)),
        Moved("m", 0, 1, 2, "c3", 1, (5, 5)),
        Passed("m", 0, 1, 2),
        Paused("m", 0, (5, 5)),
        Resumed("m", 0, 2, (5, 5)),
        TookBack("m", 0, 0, 1, 1, (5, 5)),
        Offered("m", 0, "draw", 1),
        Declined("m", 0, "draw", 1),
        GaveTime("m", 0, 1, 5, (5, 10)),
        Presence("m", 0, 1, False),
        Said("m", 0, 1, "hm"),
        Finished("m", 0, Result(1, "resign", (0, 0)), (5, 5)),
        Rematched("m", 0, "next"),
    )
}


def test_each_status_is_reached_and_every_event_leads_somewhere() -> None:
    assert list(EVENTS) == list(Status)
    assert set(EXAMPLES) == set(ALL) == {kind for row in EVENTS.values() for kind in row}
    assert {after for row in EVENTS.values() for after in row.values()} == set(Status)
    assert set(EVENTS[Status.FINISHED].values()) == {Status.FINISHED}


@pytest.mark.parametrize("kind", ALL)
@pytest.mark.parametrize("status", Status)
def test_an_event_leads_where_the_table_says_or_can_not_happen(status: Status, kind: type[MatchEvent]) -> None:
    match = match_in(status, "say")
    event = replace(EXAMPLES[kind], seq=match.history.seq + 1)
    if (after := EVENTS[status].get(kind)) is None:
        with pytest.raises(ValueError, match=f"{kind.__name__} can't happen in a match that is {status.value}"):
            match.apply(event, 2.0)
        assert match.history.seq == event.seq - 1
        return
    match.apply(event, 2.0)
    assert match.status is after
    assert match.history.seq == event.seq
