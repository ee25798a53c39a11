"""What people play now stays theirs: who asks for a position of it is refused, by whatever way it was reached."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from types import SimpleNamespace
from typing import cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games import GAMES, Game, Position, parse
from protocol.bounds import Kind
from protocol.messages import Answer, Create, Join, Offer, Resign, SeatLink
from server.referee import concealed
from server.referee.concealed import (
    AHEAD,
    BEHIND,
    LEAST_PLY,
    MOST_GIVEN_AWAY,
    MOST_ORIGINS,
    RESTING_SECONDS,
    Concealed,
    Line,
    images_of,
    occupied,
    parts_of,
    symmetries,
)
from server.referee.measurements import UNMEASURED
from server.referee.sessions import Session
from server.referee.settings import Settings
from server.referee.table import Table
from tests.cores import plain_core
from tests.server.desk import Desk, User, take_turns

SPECS = ["othello", "puissance4", "morpion:width=5,height=5,k=4", "breakthrough"]

OPENING = ("4", "4", "3", "5", "4", "2")


def path_of(game: Game, moves: Sequence[str]) -> list[Position]:
    path = [game.start()]
    for move in moves:
        path.append(path[-1].play(move))
    return path


def playing(spec: str, moves: Sequence[str], kinds: tuple[Kind, Kind] = ("human", "human")) -> tuple[Desk, User, User]:
    """A desk at which two play, after some moves."""
    desk = Desk()
    first, second = desk.user("Ada", kinds[0]), desk.user("Bob", kinds[1])
    opened = first.ok(Create(desk.request_id(), spec, seat="first"))
    assert isinstance(opened.match, str)
    second.ok(Join(desk.request_id(), opened.match))
    game, seats = parse(spec), {1: first, 2: second}
    position = game.start()
    for ply, move in enumerate(moves):
        seats[position.to_move].play(opened.match, move, start=ply)
        position = position.play(move)
    return desk, first, second


def is_refused(desk: Desk, session: Session, spec: str, moves: Sequence[str]) -> bool:
    game = parse(spec)
    return desk.referee.concealed.conceals(session, Line(game, path_of(game, moves)), desk.now)


def session_of(desk: Desk, user: User) -> Session:
    session = desk.referee.sessions.at(user.connection)
    assert session is not None
    return session


def is_played(desk: Desk, spec: str, moves: Sequence[str]) -> bool:
    """Whether somebody who doesn't play is refused, at the address of the players."""
    stranger = Session("s0", "Zoe", "human", b"")
    stranger.connection = 0
    return is_refused(desk, stranger, spec, moves)


def at_random(game: Game, seed: int, count: int) -> list[str]:
    rng, position, moves = random.Random(seed), game.start(), list[str]()
    while position.outcome() is None and len(moves) < count:
        moves.append(rng.choice(position.legal_moves()))
        position = position.play(moves[-1])
    return moves


@settings(max_examples=40, deadline=None)
@given(st.sampled_from(SPECS), st.integers(0, 10**6), st.integers(LEAST_PLY, 20), st.integers(0, 12))
def test_nobody_gets_a_line_that_leads_through_the_position(spec: str, seed: int, ply: int, further: int) -> None:
    game = parse(spec)
    moves = at_random(game, seed, ply)
    if path_of(game, moves)[-1].outcome() is not None:
        return
    desk, *_ = playing(spec, moves)
    longer = [*moves]
    position = path_of(game, moves)[-1]
    for _step in range(further):
        if position.outcome() is not None:
            break
        longer.append(position.legal_moves()[0])
        position = position.play(longer[-1])
    assert is_played(desk, spec, longer)
    for fewer in range(1, BEHIND + 1):
        assert is_played(desk, spec, moves[:-fewer])


@settings(max_examples=30, deadline=None)
@given(st.sampled_from(["othello", "puissance4", "morpion:width=5,height=5,k=4"]), st.integers(0, 10**6))
def test_a_mirror_image_hides_nothing(spec: str, seed: int) -> None:
    """The same game turned or mirrored: each of its cells is that of a symmetry."""
    game = parse(spec)
    moves = at_random(game, seed, 6)
    desk, *_ = playing(spec, moves)
    position, images = game.start(), [list[str]() for _ in symmetries(spec)]
    for move in moves:
        x, y = game.move_cell(position, move)
        for cells, image in zip(symmetries(spec), images, strict=True):
            to = cells[y * game.width + x]
            target = (to % game.width, to // game.width)
            now = path_of(game, image)[-1]
            image.append(next(each for each in now.legal_moves() if game.move_cell(now, each) == target))
        position = position.play(move)
    assert len(images) == {"othello": 4, "puissance4": 2}.get(game.id, 8)
    for image in images:
        assert is_played(desk, spec, image)


def test_moves_that_are_added_hide_nothing() -> None:
    desk, *_ = playing("puissance4", OPENING)
    assert is_played(desk, "puissance4", ("1", *OPENING, "7"))
    assert is_played(desk, "puissance4", ("1", "7", "1", *OPENING))
    assert not is_played(desk, "puissance4", ("1", "7", "1", "7", *OPENING)), f"more than {AHEAD} moves more"


def test_other_games_and_other_lines_are_free() -> None:
    desk, *_ = playing("puissance4", OPENING)
    assert not is_played(desk, "puissance4", ("1", "1", "2", "7", "7", "1", "1", "6"))
    assert not is_played(desk, "puissance4:width=8", OPENING)
    assert not is_played(desk, "puissance4", OPENING[:-3]), "long before"


def test_openings_are_free_but_for_those_who_play_them() -> None:
    desk, ada, _bob = playing("puissance4", OPENING[:3])
    eve = desk.user("Eve")
    assert is_refused(desk, session_of(desk, ada), "puissance4", OPENING)
    assert not is_refused(desk, session_of(desk, eve), "puissance4", OPENING)
    assert not is_played(desk, "puissance4", OPENING)


def test_bots_among_themselves_hide_nothing() -> None:
    desk, *_ = playing("puissance4", OPENING, ("bot", "bot"))
    assert not is_played(desk, "puissance4", OPENING)
    desk, *_ = playing("puissance4", OPENING, ("bot", "human"))
    assert is_played(desk, "puissance4", OPENING)


def test_what_is_over_or_taken_back_is_free() -> None:
    desk = Desk()
    first, second, match = desk.pair("puissance4")
    take_turns(first, second, match, ("1", "2", "1", "2", "1", "2"))
    assert is_played(desk, "puissance4", ("1", "2", "1", "2", "1", "2"))
    first.play(match, "1", start=6)
    assert not is_played(desk, "puissance4", ("1", "2", "1", "2", "1", "2"))


def test_symmetries_keep_the_number_of_cells() -> None:
    for game in map(parse, GAMES):
        assert symmetries(game.id)[0] == tuple(range(game.width * game.height))
        for cells in symmetries(game.id):
            assert sorted(cells) == list(range(game.width * game.height))
        assert occupied(game.start()).bit_count() == len(game.start().notation.split(" ")[0].replace("-", ""))


def test_the_same_board_under_other_rules_hides_nothing() -> None:
    moves = at_random(parse("othello"), 5, 12)
    desk, *_ = playing("othello", moves)
    assert is_played(desk, "othello:tie=last_mover", moves)
    desk, *_ = playing("puissance4:k=5", OPENING)
    assert is_played(desk, "puissance4", OPENING)


def test_bits_are_cells_and_parts_share_them_out() -> None:
    for spec in (*SPECS, "morpion:width=7,height=4,k=4"):
        game = parse(spec)
        position = path_of(game, at_random(game, 3, 9))[-1]
        cells = [(x, y) for y in range(game.height) for x in range(game.width)]
        taken = {n for n, (x, y) in enumerate(cells) if position.cell(x, y) is not None}
        assert occupied(position) == sum(1 << n for n in taken)
        turned = {sum(1 << to for at, to in enumerate(one) if at in taken) for one in symmetries(spec)}
        assert set(images_of(game, position)) == turned
        assert sum(parts_of(spec)) == (1 << len(cells)) - 1
        assert all(part.bit_count() for part in parts_of(spec))


def test_nothing_is_kept_of_matches_that_are_over() -> None:
    desk, ada, bob = playing("puissance4", OPENING)
    (match,) = desk.referee.concealed._matches
    ada.ok(Resign(desk.request_id(), match))
    assert not desk.referee.concealed._matches
    assert not desk.referee.concealed._near
    assert not is_played(desk, "puissance4", OPENING)
    bob.ok(Offer(desk.request_id(), match, "rematch"))
    ada.ok(Answer(desk.request_id(), match, "rematch", accept=True))
    assert len(desk.referee.concealed._matches) == 1


def between(spec: str, *, public: bool, delay_ms: int = 0) -> tuple[Desk, list[User], str]:
    """Ada and Bob play at one address; Eve is at the same one, Max at another."""
    desk = Desk(Settings(delay_ms=delay_ms))
    users = [desk.user(name) for name in ("Ada", "Bob", "Eve", "Max")]
    desk.measured.origins = {user.connection: "192.0.2.1" for user in users[:3]} | {users[3].connection: "192.0.2.9"}
    return desk, users, desk.seat(users[0], users[1], spec, public=public)


@pytest.mark.parametrize("public", [True, False])
def test_it_is_refused_to_who_plays_and_to_their_address_and_to_nobody_else(*, public: bool) -> None:
    """Elsewhere a refusal would tell what a private match is about, or keep a common position from everybody."""
    desk, (ada, bob, eve, other), match = between("puissance4", public=public)
    take_turns(ada, bob, match, OPENING)
    for user in (ada, bob, eve):
        assert is_refused(desk, session_of(desk, user), "puissance4", OPENING)
    assert not is_refused(desk, session_of(desk, other), "puissance4", OPENING)
    assert not is_refused(desk, session_of(desk, eve), "puissance4", ("1", "1", "2", "7", "7", "1", "1", "6"))


@pytest.mark.parametrize(("public", "delay_ms"), [(False, 0), (True, 30_000)])
def test_a_neighbour_learns_little_of_a_match_that_not_everybody_may_see(*, public: bool, delay_ms: int) -> None:
    desk, (ada, bob, eve, other), match = between("puissance4", public=public, delay_ms=delay_ms)
    position, told = parse("puissance4").start(), 0
    for ply, move in enumerate(("4", "4", "3", "5", "4", "2", "7", "1", "1")):
        (ada, bob)[ply % 2].play(match, move, start=ply)
        position = position.play(move)
        moves = ("4", "4", "3", "5", "4", "2", "7", "1", "1")[: ply + 1]
        far = ("1", "1", "1", "7", "7", "7", "6", "6", "6")[: ply + 1]
        if ply + 1 >= LEAST_PLY:
            told += is_refused(desk, session_of(desk, eve), "puissance4", moves)
            is_all = is_refused(desk, session_of(desk, eve), "puissance4", far)
            assert is_all == (told >= MOST_GIVEN_AWAY), "the answer is the same whatever is asked"
            assert is_refused(desk, session_of(desk, eve), "puissance4", ()) == is_all
            assert not is_refused(desk, session_of(desk, other), "puissance4", moves)
            assert not is_refused(desk, session_of(desk, eve), "morpion", ())
    ada.ok(Resign(desk.request_id(), match))
    assert not is_refused(desk, session_of(desk, eve), "puissance4", ())
    assert not desk.referee.concealed._near


def test_asking_again_or_being_the_player_gives_nothing_away() -> None:
    desk, (ada, bob, eve, _), match = between("puissance4", public=False)
    take_turns(ada, bob, match, OPENING)
    for _again in range(5):
        assert is_refused(desk, session_of(desk, eve), "puissance4", OPENING)
    ada.play(match, "6", start=len(OPENING))
    assert is_refused(desk, session_of(desk, ada), "puissance4", (*OPENING, "6"))
    assert not is_refused(desk, session_of(desk, eve), "puissance4", ("1", "1", "1", "7", "7", "7", "6", "6", "6"))


def test_who_rests_in_a_position_keeps_it_from_nobody_but_themselves() -> None:
    desk, (ada, bob, eve, _), match = between("puissance4", public=True)
    take_turns(ada, bob, match, OPENING)
    desk.now += RESTING_SECONDS + 1
    assert not is_refused(desk, session_of(desk, eve), "puissance4", OPENING)
    assert is_refused(desk, session_of(desk, ada), "puissance4", OPENING)


def test_a_player_who_comes_from_elsewhere_hides_from_both_addresses() -> None:
    desk, (ada, bob, eve, other), match = between("puissance4", public=True)
    take_turns(ada, bob, match, OPENING)
    assert not is_refused(desk, session_of(desk, other), "puissance4", OPENING)
    for number in range(MOST_ORIGINS + 2):
        ada.drop()
        assert is_refused(desk, session_of(desk, eve), "puissance4", OPENING), "also while its player is away"
        ada.connection = desk.connect()
        origin = f"198.51.100.{number}" if number else "192.0.2.9"
        desk.measured.origins = {**desk.measured.origins, ada.connection: origin}
        ada.hello()
        assert is_refused(desk, session_of(desk, other), "puissance4", OPENING) == (number < MOST_ORIGINS - 1)
    assert len(desk.referee.concealed._near) == MOST_ORIGINS


def test_who_goes_on_elsewhere_by_a_link_hides_the_match_from_that_address_too() -> None:
    desk, (ada, bob, eve, other), match = between("puissance4", public=True)
    take_turns(ada, bob, match, OPENING)
    link = ada.ok(SeatLink(desk.request_id(), match)).link
    phone = desk.user("phone")
    desk.measured.origins = {**desk.measured.origins, phone.connection: "192.0.2.9"}
    phone.ok(Join(desk.request_id(), link=str(link)))
    for user in (eve, other, phone):
        assert is_refused(desk, session_of(desk, user), "puissance4", OPENING)


class Leaping:
    """A game of one row, as far as positions are compared: a piece may capture several in passing."""

    spec, id, width, height = "leaping", "leaping", 12, 1

    def start(self) -> Standing:
        return Standing("X-O-O-O----- X")

    def move_cells(self, _position: object, _move: str) -> tuple[tuple[int, int], ...]:
        return (0, 0), (8, 0)


@dataclass(frozen=True)
class Standing:
    notation: str

    def cell(self, x: int, _y: int) -> str:
        return self.notation[x]

    def legal_moves(self) -> tuple[str, ...]:
        return ("a1i1",)


@plain_core
def test_what_a_move_captures_in_passing_does_not_hide_the_line_before_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(concealed, "parse", lambda _spec: Leaping())
    before, after = Standing("X-O-O-O----- X"), Standing("--------X--- O")
    assert (occupied(cast(Position, before)) ^ occupied(cast(Position, after))).bit_count() == 5
    game, kept = cast(Game, Leaping()), Concealed(UNMEASURED)
    session = Session("s0", "Zoe", "human", b"")
    session.connection = 0
    match = SimpleNamespace(id="m", game=game, position=before, ply=LEAST_PLY)
    table = cast(
        Table,
        SimpleNamespace(match=match, public=True, late=None, sessions={1: session}, has_person=lambda: True),
    )
    line = Line(game, [cast(Position, before)] * (LEAST_PLY + 1))
    kept.enter(table, 0)
    match.position, match.ply = after, LEAST_PLY + 1
    kept.moved(table, 1)
    assert kept.conceals(session, line, 1)
    kept.leave(table)
    assert not kept.conceals(session, line, 1)
