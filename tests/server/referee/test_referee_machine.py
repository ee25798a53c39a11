"""Random clients, games, clocks, drops and times against the referee, step by step beside the model of model.py.

A failing run prints the steps; they replay as plain Python. What is compared: world.py.
"""

from __future__ import annotations

import math
from typing import Any, Literal

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule, run_state_machine_as_test

from protocol.bounds import OfferKind
from protocol.errors import ErrorCode, ProtocolError
from protocol.messages import (
    Chat,
    Claim,
    Clock,
    Create,
    Decline,
    Error,
    FollowLobby,
    Leave,
    ListMatches,
    MakeMove,
    Ok,
    Resign,
    SeatClock,
    Sync,
    Thinking,
)
from tests.server.actions import Actions
from tests.server.model import THOUGHTS, TICKS
from tests.server.world import Board

GAMES = (
    "morpion",
    "morpion:width=2,height=2,k=2",
    "othello:size=4",
    "othello:size=4,tie=last_mover",
    "puissance4:width=4,height=4,k=3",
)
CLOCKS = (
    None, None, Clock(1000), Clock(1500, 250), Clock(60_000), Clock(move_ms=750), Clock(1, 1),
    Clock(1500, 250, second=SeatClock(700, 20)), Clock(move_ms=750, second=SeatClock(move_ms=200)),
)  # fmt: skip
PAUSES = (0, 0, 0, 1, TICKS // 1000, TICKS // 8, TICKS // 2 + 1)
OFFERS: tuple[OfferKind, ...] = ("draw", "takeback", "rematch")

anyone = st.integers(0, 3)
any_player = st.integers(0, 9)
any_match = st.sampled_from((0, 0, 0, 0, 0, 1, 1, 2, 7))
pauses = st.sampled_from(PAUSES)
offers = st.sampled_from(OFFERS)


class RefereeMachine(Actions, RuleBasedStateMachine):
    """Each rule is one or more steps of the world."""

    @initialize(game=st.sampled_from(GAMES), clock=st.sampled_from(CLOCKS), public=st.booleans())
    def arrive(self, game: str, clock: Clock | None, public: bool) -> None:
        for client in self.world.clients:
            self.world.greet(client, client.name)
        self.starts(0, game, clock, public=public)

    @rule(who=anyone, game=st.sampled_from(GAMES), clock=st.sampled_from(CLOCKS), public=st.booleans())
    def start(self, who: int, game: str, clock: Clock | None, public: bool) -> None:
        self.starts(who, game, clock, public=public)

    # ------------------------------------------------------------------------------------------------- coming and going

    @rule(who=anyone, typed=st.sampled_from(("", "upper", "wide")))
    def hello(self, who: int, typed: str) -> None:
        client = self.world.clients[who]
        if client.connection is None or typed:
            names = {"": client.name, "upper": client.name.upper(), "wide": chr(ord(client.name[0]) + 0xFEE0)}
            self.world.greet(client, names[typed] + (client.name[1:] if typed == "wide" else ""))

    @rule(who=any_player, which=any_match, pause=pauses, seen=st.sampled_from(("right", "stale", "absurd", "nothing")))
    def blink(self, who: int, which: int, pause: int, seen: str) -> None:
        """A connection is lost and found again, as in a poor Wi-Fi; or found before it was lost."""
        client = self.actor(who, self.sheet(which))
        if client is not None and client.token is not None:
            if who % 2:
                self.world.drop(client)
            self.world.pass_time(pause)
            self.world.resume(client, client.token, seen)

    @rule()
    def all_back(self) -> None:
        for client in self.world.clients:
            if client.connection is None and client.person is not None and client.token is not None:
                self.world.resume(client, client.token, "right")
            if client.connection is None:
                self.world.greet(client, client.name)

    @rule(who=anyone, pause=pauses)
    def drop(self, who: int, pause: int) -> None:
        self.world.pass_time(pause)
        self.world.drop(self.world.clients[who])

    @rule(who=anyone, pause=pauses, seen=st.sampled_from(("right", "right", "stale", "absurd", "nothing")))
    def resume(self, who: int, pause: int, seen: str) -> None:
        client = self.world.clients[who]
        self.world.pass_time(pause)
        if client.token is not None:
            self.world.resume(client, client.token, seen)

    @rule(who=anyone, pause=pauses)
    def resume_without_the_welcome(self, who: int, pause: int) -> None:
        """The welcome with the new token got lost: the one that was shown opens the session again."""
        client = self.world.clients[who]
        self.world.pass_time(pause)
        if client.shown is not None:
            self.world.resume(client, client.shown, "right")

    @rule(who=anyone)
    def resume_with_an_old_token(self, who: int) -> None:
        client = self.world.clients[who]
        old = client.shown
        if old is not None and client.token is not None:
            self.world.resume(client, client.token, "right")
            self.world.resume(client, old, "right")

    @rule(who=anyone, other=anyone, spoiled=st.sampled_from(("other", "cut", "", "s1.", "longer")))
    def resume_wrongly(self, who: int, other: int, spoiled: str) -> None:
        client, token = self.world.clients[who], self.world.clients[who].token or "s1.x"
        stolen = (self.world.clients[other].token or "").partition(".")[2]
        wrong = {"other": f"{token.partition('.')[0]}.{stolen}", "cut": token[:-1], "longer": token + "1"}
        if wrong.get(spoiled, spoiled) not in (client.token, client.shown):
            self.world.resume(client, wrong.get(spoiled, spoiled), "right")

    @rule(which=st.integers(0, 3), ends=st.booleans())
    def ghost(self, which: int, ends: bool) -> None:
        """An old connection speaks, or ends: nobody notices."""
        world = self.world
        if not world.ghosts:
            return
        connection = world.ghosts[which % len(world.ghosts)]
        before = world.digest()
        if ends:
            world.ghosts.remove(connection)
            world.desk.drop(connection)
            assert not world.desk.step
        else:
            sheet = self.sheet(which)
            message = MakeMove(world.desk.request_id(), "nosuch" if sheet is None else sheet.id, 0, "a1")
            answer = world.desk.ask(connection, message)
            assert isinstance(answer, Error)
            assert answer.code == "hello_required"
        assert world.digest() == before
        world.tick()

    # ------------------------------------------------------------------------------------------------------------- time

    @rule(seconds=st.sampled_from((1, 3, 9, 10, 11, 41, 101, 301)))
    def wait(self, seconds: int) -> None:
        self.world.pass_time(seconds * TICKS)
        self.world.tick()

    @rule(which=any_match, early=st.integers(-1, 1), ticks=st.booleans())
    def aim(self, which: int, early: int, ticks: bool) -> None:
        """Goes to the very time of a flag or of another end, or one tick beside it; the timer may be late."""
        sheet = self.sheet(which)
        due = [] if sheet is None else list(sheet.deadlines().values())
        if due:
            self.world.pass_time(max(0, math.ceil(min(due)) - early - self.world.ticks))
            if ticks:
                self.world.tick()

    # -------------------------------------------------------------------------------------------------------- the lobby

    @rule(
        who=anyone,
        game=st.sampled_from((*GAMES, *GAMES, "chess")),
        clock=st.sampled_from((*CLOCKS, Clock())),
        public=st.booleans(),
        seat=st.sampled_from(("first", "second", "random")),
        play=st.sampled_from((True, True, False)),
        follow=st.sampled_from((True, True, False)),
        guests=st.lists(st.integers(0, 4), max_size=2),
    )
    def create(
        self,
        who: int,
        game: str,
        clock: Clock | None,
        public: bool,
        seat: Literal["first", "second", "random"],
        play: bool,
        follow: bool,
        guests: list[int],
    ) -> None:
        self.creates(who, Create(0, game, clock, public, seat, play, follow=follow), guests)

    @rule(
        who=anyone,
        which=any_match,
        by=st.sampled_from(("id", "id", "code", "link", "both")),
        pause=pauses,
        watch=st.booleans(),
    )
    def enter(self, who: int, which: int, by: str, pause: int, watch: bool) -> None:
        self.enters(who, which, by, pause, watch=watch)

    @rule(who=anyone, which=any_match, pause=pauses)
    def decline(self, who: int, which: int, pause: int) -> None:
        client, sheet = self.client(who), self.sheet(which)
        if client is None:
            return

        def expected() -> str:
            assert client.person is not None
            if sheet is None or client.person not in sheet.invited.values():
                return self.stranger(sheet, client.person)
            return "ok" if sheet.status == "finished" else sheet.abort(self.world.ticks)

        self.world.pass_time(pause)
        self.ask(client, Decline(self.world.desk.request_id(), "nosuch" if sheet is None else sheet.id), expected)

    @rule(who=anyone, which=any_match)
    def leave(self, who: int, which: int) -> None:
        client, sheet = self.client(who), self.sheet(which)
        if client is None or client.person is None:
            return
        person = client.person

        def expected() -> str:
            if sheet is None or not sheet.is_known_to(person):
                return "no_such_match"
            seat = sheet.seat_of(person)
            if seat is not None and sheet.status != "finished":
                return "not_allowed"
            sheet.viewers.discard(person)
            if seat is not None:
                del sheet.seats[seat]
            return "ok"

        self.ask(client, Leave(self.world.desk.request_id(), "nosuch" if sheet is None else sheet.id), expected)

    @rule(
        who=anyone,
        game=st.sampled_from((None, "morpion", "othello:size=4", "chess")),
        limit=st.sampled_from((1, 2, 100)),
    )
    def list_matches(self, who: int, game: str | None, limit: int) -> None:
        client = self.client(who)
        if client is None:
            return
        found: list[str] = []
        after: int | None = None
        while True:
            request = ListMatches(self.world.desk.request_id(), game, after, limit)
            answer = self.ask(client, request, lambda: "unknown_game" if game == "chess" else "ok")
            if isinstance(answer, Error):
                return
            assert len(answer.matches or ()) <= limit
            found += [summary.match for summary in answer.matches or ()]
            assert isinstance(answer.players, tuple) == (after is None)
            if after is None:
                here = {person.name for person in self.world.people.values() if person.connection is not None}
                assert {player.name for player in answer.players or ()} == here
            if not isinstance(answer.more, int):
                break
            after = answer.more
        assert found == self.world.listed(game)

    @rule(who=anyone, game=st.sampled_from((None, None, "morpion", "othello:size=4", "chess")), follow=st.booleans())
    def follow_lobby(self, who: int, game: str | None, follow: bool) -> None:
        """From now on the client's list is to be the model's, once a quarter of a second has passed."""
        client = self.client(who)
        if client is None:
            return
        request = FollowLobby(self.world.desk.request_id(), game, follow)

        def granted(answer: Ok) -> None:
            client.lobby = Board(game, answer) if follow else None

        self.ask(client, request, lambda: "unknown_game" if game == "chess" and follow else "ok", granted)

    @rule(who=anyone, which=any_match, pause=pauses, back=st.sampled_from((0, 1, 5, 10**6, -5)))
    def sync(self, who: int, which: int, pause: int, back: int) -> None:
        client, sheet = self.client(who), self.sheet(which)
        if client is None or client.person is None:
            return
        person = client.person

        def expected() -> str:
            seen = sheet is not None and (sheet.sees(person) or sheet.reports_to(person))
            return "ok" if seen else self.stranger(sheet, person)

        self.world.pass_time(pause)
        view = client.views.get("" if sheet is None else sheet.id)
        seq = max(0, (0 if view is None else view.seq) - back)
        if view is not None or sheet is None or not sheet.sees(person):
            self.ask(client, Sync(self.world.desk.request_id(), "nosuch" if sheet is None else sheet.id, seq), expected)

    # ---------------------------------------------------------------------------------------------------------- players

    @rule(which=st.integers(0, 4), choice=st.integers(0, 99), pause=pauses, plies=st.integers(1, 8))
    def play(self, which: int, choice: int, pause: int, plies: int) -> None:
        """The right players make legal moves."""
        self.plays(which, choice, pause, plies)

    @rule(choice=st.integers(0, 99), pause=pauses)
    def play_on(self, choice: int, pause: int) -> None:
        self.plays(0, choice, pause, 2)

    @rule(
        who=any_player,
        which=any_match,
        pause=pauses,
        ply=st.integers(-2, 2),
        move=st.sampled_from(("a1", "b2", "1", "4", "z9", "", "99")),
    )
    def move_anyhow(self, who: int, which: int, pause: int, ply: int, move: str) -> None:
        sheet = self.sheet(which)
        client = self.actor(who, sheet)
        if client is not None and sheet is not None:
            self.move_as(client, sheet, max(0, sheet.ply + ply), move, pause)

    @rule(which=st.integers(0, 4), back=st.integers(1, 4), same=st.booleans())
    def move_again(self, which: int, back: int, same: bool) -> None:
        """The same move for the same ply, as after a lost answer; or another one for it."""
        sheet = self.sheet(which)
        if sheet is None or sheet.ply < back:
            return
        seat, move = sheet.moves[-back]
        who = self.who_is(sheet.seats.get(seat))
        client = None if who is None else self.client(who)
        if client is not None:
            self.move_as(client, sheet, sheet.ply - back, move if same else "zz", 0)

    @rule(who=any_player, which=any_match, pause=pauses)
    def resign(self, who: int, which: int, pause: int) -> None:
        self.player(who, which, pause, Resign, lambda sheet, seat: sheet.resign(seat, self.world.ticks))

    @rule(who=any_player, which=any_match, pause=pauses)
    def claim(self, who: int, which: int, pause: int) -> None:
        self.player(who, which, pause, Claim, lambda sheet, seat: sheet.claim(seat, self.world.ticks))

    @rule(which=st.integers(0, 4), late=st.sampled_from((-1, 0, 1)))
    def claim_in_time(self, which: int, late: int) -> None:
        """Claims at the very time from which it is allowed, or one tick beside it."""
        self.claims_in_time(which, late)

    @rule(who=any_player, which=any_match, pause=pauses)
    def abort(self, who: int, which: int, pause: int) -> None:
        self.aborts(who, which, pause)

    @rule(who=any_player, which=any_match, what=offers, pause=pauses)
    def offer(self, who: int, which: int, what: OfferKind, pause: int) -> None:
        self.offers(who, which, what, pause)

    @rule(who=any_player, which=any_match, what=offers, accept=st.booleans(), pause=pauses)
    def answer(self, who: int, which: int, what: OfferKind, accept: bool, pause: int) -> None:
        self.answers(who, which, what, pause, accept=accept)

    # Some things happen only in a certain order; each of these rules is a few steps that go together.

    @rule(which=st.integers(0, 2), what=offers, plies=st.integers(1, 2), pause=pauses)
    def offer_and_play(self, which: int, what: OfferKind, plies: int, pause: int) -> None:
        """An offer lapses, or stands, when one side moves."""
        self.plays(which, 0, pause, 2)
        self.offers(4, which, what, 0)
        self.plays(which, 1, pause, plies)

    @rule(who=any_player, plies=st.integers(0, 3))
    def abort_early(self, who: int, plies: int) -> None:
        self.starts(0, "othello:size=4", None, public=True)
        self.plays(0, 0, 0, plies)
        self.aborts(who, 0, 0)

    @rule(first=st.booleans(), late=st.sampled_from((-1, 0, 1)))
    def vanish(self, first: bool, late: int) -> None:
        sheet = self.sheet(0)
        who = None if sheet is None else self.who_is(sheet.seats.get(1 if first else 2))
        if who is not None:
            self.world.drop(self.world.clients[who])
            self.claims_in_time(0, late)

    @rule(public=st.booleans())
    def play_again(self, public: bool) -> None:
        """A match, its rematch, and those who watched."""
        self.starts(0, "morpion", None, public=public)
        self.player(4, 0, 0, Resign, lambda sheet, seat: sheet.resign(seat, self.world.ticks))
        self.offers(4, 0, "rematch", 0)
        self.answers(7, 0, "rematch", 0, accept=True)
        for who in (2, 3):
            self.enters(who, 0, "id", 0, watch=True)

    @rule(which=st.integers(0, 2), what=offers, then=st.sampled_from(("accept", "decline", "offer")), pause=pauses)
    def offer_and_answer(self, which: int, what: OfferKind, then: str, pause: int) -> None:
        sheet = self.sheet(which)
        first, second = (self.who_is(None if sheet is None else sheet.seats.get(seat)) for seat in (1, 2))
        if first is not None and second is not None:
            self.plays(which, 0, pause, 3)
            self.offers(first, which, what, pause)
            if then == "offer":
                self.offers(second, which, what, pause)
            else:
                self.answers(second, which, what, pause, accept=then == "accept")
            self.plays(which, 1, pause, 2)

    # ------------------------------------------------------------------------------------------------------------- talk

    @rule(who=anyone, which=any_match, pause=pauses)
    def chat(self, who: int, which: int, pause: int) -> None:
        client, sheet = self.client(who), self.sheet(which)
        if client is None or client.person is None:
            return
        person = client.person

        def expected() -> str:
            return "ok" if sheet is not None and sheet.sees(person) else self.stranger(sheet, person)

        self.world.pass_time(pause)
        self.ask(client, Chat(self.world.desk.request_id(), "nosuch" if sheet is None else sheet.id, "hm"), expected)

    @rule(who=any_player, which=any_match, pause=pauses)
    def think(self, who: int, which: int, pause: int) -> None:
        self.thinks(who, which, pause)

    @rule(who=any_player)
    def think_too_much(self, who: int) -> None:
        for _ in range(THOUGHTS + 1):
            self.thinks(who, 0, 0)

    def thinks(self, who: int, which: int, pause: int) -> None:
        self.player(
            who, which, pause, lambda request, match: Thinking(request, match, 0), lambda sheet, seat: sheet.think(seat)
        )

    @rule(who=anyone, numbered=st.booleans())
    def babble(self, who: int, numbered: bool) -> None:
        """A frame that can't be read is answered, and changes nothing."""
        client, world = self.client(who), self.world
        if client is None or client.connection is None:
            return
        before = world.digest()
        request: dict[str, Any] = {"request": 7} if numbered else {}
        world.desk.spoil(client.connection, ProtocolError(ErrorCode.BAD_MESSAGE, "what?", **request))
        ((connection, error),) = world.desk.step
        assert connection == client.connection
        assert isinstance(error, Error)
        assert (error.id == 7) == numbered
        assert world.digest() == before
        world.tick()

    def teardown(self) -> None:
        """When everybody is gone, every match ends by the rules."""
        world = self.world
        for client in world.clients:
            world.drop(client)
        world.desk.wait(200)
        assert len(world.desk.referee.lobby) == 0


TestReferee = RefereeMachine.TestCase
TestReferee.settings = settings(
    max_examples=80,
    stateful_step_count=40,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
    print_blob=True,
)


@pytest.mark.timeout(1800)
@pytest.mark.parametrize(
    "examples", [pytest.param(30, marks=pytest.mark.slow), pytest.param(1500, marks=pytest.mark.thorough)]
)
def test_long_games_and_many(examples: int) -> None:
    """The same, several times as long and more often."""
    run_state_machine_as_test(
        RefereeMachine, settings=settings(TestReferee.settings, max_examples=examples, stateful_step_count=150)
    )
