"""The pure view: whatever gets lost on the way, after asking again it is the view of someone who saw everything."""

import dataclasses
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from client.errors import ViewError
from client.session import MAX_LEFT, Session
from games import Seat
from protocol.messages import (
    Answer,
    Chat,
    ClientMessage,
    Create,
    Hello,
    Join,
    MakeMove,
    Moved,
    Offer,
    Ok,
    Resign,
    Snapshot,
    Started,
    Sync,
    Watch,
)
from tests.client.fakes import RefereeInMemory
from view.match import Applied, MatchView

ADA, BOB, EVE, TOM = 1, 2, 3, 4
WHAT_SNAPSHOTS_DO_NOT_HOLD = {"chat", "next", "claimable_at", "viewers"}
GAMES = ["othello:size=4", "othello", "puissance4", "morpion", "morpion:width=4,height=4,k=3", "breakthrough:size=4"]


def seated(game: str, seed: int) -> tuple[RefereeInMemory, str]:
    """A referee with a match between Ada and Bob that Eve and Tom watch."""
    referee = RefereeInMemory(seed)
    for connection, name in ((ADA, "Ada"), (BOB, "Bob"), (EVE, "Eve"), (TOM, "Tom")):
        referee.receive(connection, Hello(1, 1, "test", "human", name, batch=True))
    match = next(m.match for m in referee.receive(ADA, Create(2, game, seat="first")) if isinstance(m, Ok))
    assert isinstance(match, str)
    for connection in (EVE, TOM):
        referee.receive(connection, Watch(2, match))
    referee.receive(BOB, Join(2, match))
    return referee, match


def act(referee: RefereeInMemory, match: str, rng: random.Random, number: int) -> None:
    """Something that players do, mostly moves."""
    table = referee.referee.lobby.find(match)
    mover = ADA if table.match.to_move is Seat.FIRST else BOB
    other = ADA + BOB - mover
    legal = table.match.position.legal_moves()
    what = rng.choice(("move", "move", "move", "offer", "answer", "chat", "drop", "resign"))
    message: ClientMessage | None = None
    if what == "move" and legal:
        message = MakeMove(number, match, table.match.ply, rng.choice(legal))
    elif what == "offer":
        message = Offer(number, match, rng.choice(("draw", "takeback", "rematch")))
    elif what == "answer":
        message = Answer(number, match, rng.choice(("draw", "takeback", "takeback")), accept=rng.random() < 0.7)
    elif what == "chat":
        message = Chat(number, match, "hello")
    elif what == "resign" and rng.random() < 0.1:
        message = Resign(number, match)
    if message is not None:
        referee.receive(mover if rng.random() < 0.6 else other, message)


def essence(view: MatchView) -> dict[str, object]:
    fields = {field.name: getattr(view, field.name) for field in dataclasses.fields(view)}
    return {name: value for name, value in fields.items() if name not in WHAT_SNAPSHOTS_DO_NOT_HOLD}


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(GAMES), st.integers(0, 2**32), st.integers(1, 80), st.floats(0, 0.9))
def test_any_losses_and_resyncs_give_the_same_view(game: str, seed: int, steps: int, loss: float) -> None:
    rng = random.Random(seed)
    referee, match = seated(game, seed)
    sure, lossy = Session(), Session()
    read = {EVE: 0, TOM: 0}

    def deliver(connection: int, session: Session, *, losing: bool) -> None:
        while read[connection] < len(referee.inbox[connection]):
            message = referee.inbox[connection][read[connection]]
            read[connection] += 1
            if losing and not isinstance(message, Snapshot) and rng.random() < loss:
                continue
            if session.apply(message, 0.0) is Applied.GAP:
                referee.receive(connection, Sync(99, match, session.seq(match)))

    for number in range(steps):
        act(referee, match, rng, number + 10)
        deliver(EVE, sure, losing=False)
        deliver(TOM, lossy, losing=True)
    referee.receive(TOM, Sync(99, match, lossy.seq(match)))
    deliver(TOM, lossy, losing=False)
    assert essence(lossy.matches[match]) == essence(sure.matches[match])


@given(st.sampled_from(GAMES), st.integers(0, 2**32))
@settings(max_examples=30, deadline=None)
def test_the_view_agrees_with_the_referee(game: str, seed: int) -> None:
    rng = random.Random(seed)
    referee, match = seated(game, seed)
    for number in range(60):
        act(referee, match, rng, number + 10)
    session = Session()
    for message in referee.inbox[BOB]:
        session.apply(message, 0.0)
    truth, view = referee.referee.lobby.find(match).match, session.matches[match]
    assert (view.position, view.moves, view.result) == (truth.position, tuple(truth.moves), truth.result)
    assert (view.seat, view.status, view.offers) == (Seat.SECOND, truth.status.value, truth.offers)
    assert view.seq == truth.history.seq


def test_an_unknown_game_is_an_error() -> None:
    with pytest.raises(ViewError):
        Session().apply(Snapshot("m", 1, "go", "waiting", (None, None), 1, (), 0, 1, ()), 0.0)


def test_a_match_that_was_left_is_not_asked_for() -> None:
    session = Session()
    assert session.apply(Started("m", 2, 1), 0.0) is Applied.GAP
    session.forget("m")
    assert session.apply(Started("m", 2, 1), 0.0) is Applied.DUPLICATE
    assert session.seen() == {}


def test_what_was_left_long_ago_takes_no_memory() -> None:
    session = Session()
    for number in range(MAX_LEFT + 10):
        session.forget(f"m{number}")
    assert len(session._left) == MAX_LEFT
    assert session.apply(Started(f"m{MAX_LEFT + 9}", 2, 1), 0.0) is Applied.DUPLICATE


def test_a_move_that_our_rules_refuse_is_an_error_of_the_client() -> None:
    session = Session()
    session.apply(Snapshot("m", 1, "othello", "waiting", (None, None), 1, (), 0, 1, ()), 0.0)
    session.apply(Started("m", 2, 1), 0.0)
    with pytest.raises(ViewError):
        session.apply(Moved("m", 3, 0, 1, "a1", 2), 0.0)
