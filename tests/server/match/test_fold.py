"""A match is the fold of its events: whatever happens, its events alone lead to the same state, event by event."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games import Seat, parse
from protocol.bounds import OfferKind
from protocol.errors import ProtocolError
from protocol.messages import Clock, MatchEvent, Moved, Network, Player, Presence, SeatClock
from server.match.absences import Absences
from server.match.clock import MatchClock
from server.match.fold import MatchState
from server.match.history import History
from server.match.match import Match
from server.match.outage import Outage
from server.match.terms import MAX_OFFERS, MatchContext, MatchRules, Status, Timeouts
from tests.cores import held_by

ONE, TWO = Seat.FIRST, Seat.SECOND
OFFERS: tuple[OfferKind, ...] = ("draw", "takeback", "rematch")
PARTS = (MatchState, MatchClock, Absences, Outage, History)


def whole(thing: object) -> object:
    """All that an object of the core holds, private or not."""
    if not isinstance(thing, PARTS):
        return thing
    kind = next(kind for kind in PARTS if isinstance(thing, kind))
    shared = ("game", "_stalls", "_journal")
    return {name: whole(getattr(thing, name)) for name in held_by(kind) if name not in shared}


class Twins:
    """A match that is played, and one that only hears of its events; both are told what was measured."""

    def __init__(self, rng: random.Random, game: str, clock: Clock | None, network: Network | None) -> None:
        self.rng = rng
        self.now = 1.0
        opening = ("a1", "b1") if game == "morpion" and rng.random() < 0.3 else ()
        around = Timeouts(absence=10, abandonment=40, waiting=100)
        self.live = Match("m", MatchRules(parse(game), clock, opening, network), MatchContext(around), 0.0)
        self.told = Match("m", MatchRules(parse(game), clock, opening, network), MatchContext(around), 0.0)

    def happened(self, events: Sequence[MatchEvent]) -> None:
        for event in events:
            self.told.apply(event, self.now)
        assert whole(self.told) == whole(self.live)

    def measured(self) -> None:
        """The player to move is asked, over a network that takes some time."""
        lag_ms = self.rng.choice((0, 30, 400, 5000))
        for match in (self.live, self.told):
            match.hold()
            match.begin(match.ply, self.now, lag_ms)
            match.allow(ONE, 20)

    def restart(self) -> None:
        """The server was away; the twin hears of that, too."""
        if self.live.status is not Status.FINISHED:
            self.told.interrupt()
            self.happened(self.live.reopen(self.now))

    def move(self) -> None:
        match = self.live
        if not match.players[match.to_move].present:  # who is away says nothing
            return
        move = self.rng.choice(match.position.legal_moves() or ("a1",))
        self.happened(match.move(match.to_move, match.ply, move, self.now))

    def act(self) -> None:
        """Something that a player, an organiser or the server does."""
        match, rng, now = self.live, self.rng, self.now
        seat, flag = rng.choice((ONE, TWO)), rng.random() < 0.5
        acts: tuple[Callable[[], Sequence[MatchEvent]], ...] = (
            lambda: match.offer(seat, rng.choice(OFFERS), now),
            lambda: match.answer(seat, rng.choice(OFFERS), accept=flag, now=now),
            lambda: match.presence(seat, present=flag, now=now, since=now - rng.choice((0, 0.5, 3))),
            lambda: match.say(seat, "hm", now),
            lambda: match.claim(seat, now),
            lambda: match.pause(now),
            lambda: match.resume(now),
            lambda: match.suspend(now),
            lambda: match.resign(seat, now) if rng.random() < 0.1 else (),
            lambda: match.adjudicate(rng.choice((ONE, None)), now) if rng.random() < 0.1 else (),
            lambda: match.rematched("next", now) if match.status is Status.FINISHED else (),
        )
        self.happened(rng.choice(acts)())


ODDS = Clock(5_000, 700, second=SeatClock(2_000, 100))


@given(
    game=st.sampled_from(("morpion", "othello:size=4", "puissance4:width=4,height=4,k=3")),
    clock=st.sampled_from((None, Clock(20_000), Clock(5_000, 700), Clock(move_ms=4_000), ODDS)),
    network=st.sampled_from((None, Network(), Network(outage="pause", most_ms=8_000))),
    seed=st.integers(0, 2**32),
    steps=st.integers(0, 60),
)
def test_the_fold_of_its_events_is_the_match_after_each_of_them(
    game: str, clock: Clock | None, network: Network | None, seed: int, steps: int
) -> None:
    twins = Twins(random.Random(seed), game, clock, network)
    rng = twins.rng
    for seat in (ONE, TWO):
        twins.happened(twins.live.sit(seat, Player(f"{seat:d}", "human"), twins.now))
    for _ in range(steps):
        twins.now += rng.choice((0, 0.1, 1, 7))
        twins.happened(twins.live.tick(twins.now))
        try:
            rng.choice((twins.move, twins.move, twins.measured, twins.act, twins.act, twins.restart))()
        except ProtocolError:
            twins.happened(())


def test_what_players_get_back_for_the_network_is_known_from_the_record() -> None:
    match = Match("m", MatchRules(parse("morpion"), Clock(60_000)), MatchContext(), 0.0)
    for seat in (ONE, TWO):
        match.sit(seat, Player(f"{seat:d}", "human"), 0.0)
    match.hold()
    match.begin(0, 0.0, 700)
    match.move(ONE, 0, "a1", 1.0)
    again = Match("m", MatchRules(parse("morpion"), Clock(60_000)), MatchContext(), 0.0)
    again.restore(match.history.since(0) or (), 9.0)
    assert again.clock is not None
    assert again.clock.allowance(ONE, 5000) == 400
    assert again.clock.allowance(TWO, 5000) == 1000


def test_a_clock_that_waited_for_its_player_after_a_restart_waits_once() -> None:
    """Whoever leaves again, and comes back, pays for the time between."""
    match = Match("m", MatchRules(parse("morpion"), Clock(60_000)), MatchContext(), 0.0)
    for seat in (ONE, TWO):
        match.sit(seat, Player(f"{seat:d}", "human"), 0.0)
    match.reopen(10.0)
    left = match.clocks(15.0)
    assert left == match.clocks(12.0)
    assert left is not None
    match.presence(ONE, present=True, now=15.0)
    match.presence(ONE, present=False, now=16.0)
    match.presence(ONE, present=True, now=18.0)
    assert match.clocks(20.0) == (left[0] - 5000, left[1])


def test_a_move_without_a_clock_takes_and_gives_back_nothing() -> None:
    match = Match("m", MatchRules(parse("morpion")), MatchContext(), 0.0)
    for seat in (ONE, TWO):
        match.sit(seat, Player(f"{seat:d}", "human"), 0.0)
    (moved,) = match.move(ONE, 0, "a1", 3.0)
    assert isinstance(moved, Moved)
    assert (moved.clocks, moved.used_ms, moved.lag_ms) == (None, 0, 0)


def test_each_move_is_told_with_what_was_charged_for_it() -> None:
    """A pause in the middle of a move divides no time between moves; one that is taken back counts for its player."""
    match = Match("m", MatchRules(parse("morpion"), Clock(60_000)), MatchContext(), 0.0)
    for seat in (ONE, TWO):
        match.sit(seat, Player(f"{seat:d}", "human"), 0.0)
    match.move(ONE, 0, "a1", 1.0)
    match.pause(3.0)
    match.resume(50.0)
    match.move(TWO, 1, "b2", 50.5)
    assert match.move_times() == (1000, 2500)
    match.offer(TWO, "takeback", 51.0)
    match.answer(ONE, "takeback", accept=True, now=51.0)
    assert match.move_times() == (1000,)
    match.move(TWO, 1, "c3", 51.25)
    assert match.move_times() == (1000, 2750)
    bare = Match("m", MatchRules(parse("morpion"), opening=("a1",)), MatchContext(), 0.0)
    assert bare.move_times() == ()


def test_with_each_move_players_may_offer_anew() -> None:
    match = Match("m", MatchRules(parse("morpion")), MatchContext(), 0.0)
    for seat in (ONE, TWO):
        match.sit(seat, Player(f"{seat:d}", "human"), 0.0)
    for ply, move in enumerate(("a1", "a2", "b1")):
        for seat in (ONE, TWO):
            for _ in range(MAX_OFFERS):
                match.offer(seat, "draw", 0.0)
                match.answer(seat.other, "draw", accept=False, now=0.0)
            with pytest.raises(ProtocolError, match="enough was offered"):
                match.offer(seat, "draw", 0.0)
        match.move(match.to_move, ply, move, 0.0)


def test_who_was_gone_for_longer_than_a_clock_may_stand_has_nothing_left_of_that() -> None:
    """Known late: the last sign of life was 15 seconds ago."""
    rules = MatchRules(parse("morpion"), Clock(60_000), network=Network(outage="pause", most_ms=8_000))
    match = Match("m", rules, MatchContext(), 0.0)
    for seat in (ONE, TWO):
        match.sit(seat, Player(f"{seat:d}", "human"), 0.0)
    (gone,) = match.presence(ONE, present=False, now=20.0, since=5.0)
    assert isinstance(gone, Presence)
    assert (gone.waits_ms, gone.used_ms) == (0, 5000)
