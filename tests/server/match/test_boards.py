"""Boards for clients that know no rules: what is told is what the rules give, to whoever asked and nobody else."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import UNSET

from games import GAMES, Game, Position, parse
from protocol.messages import Answer, Boards, Create, Drawn, Error, Hello, Join, Offer, Sync, Watch, YourTurn
from protocol.values import Diagram, Result
from server.match.boards import boards_of
from tests.cores import plain_core
from tests.server.desk import Desk, User, take_turns

SPECS = [spec for game in GAMES.values() for spec in (game.id, *game.profile.boards)]


@st.composite
def played(draw: st.DrawFn) -> tuple[Game, list[str], list[Position]]:
    """A game, the moves of a part of it, and the positions that they lead through."""
    game = parse(draw(st.sampled_from(SPECS)))
    positions, moves = [game.start()], list[str]()
    for choice in draw(st.lists(st.integers(0, 10**6), max_size=30)):
        legal = positions[-1].legal_moves()
        if not legal:
            break
        moves.append(legal[choice % len(legal)])
        positions.append(positions[-1].play(moves[-1]))
    return game, moves, positions


@given(played(), st.integers(0, 40))
def test_boards_are_those_of_the_rules(game: tuple[Game, list[str], list[Position]], since: int) -> None:
    rules, moves, positions = game
    boards, last = boards_of(rules, moves, since)
    assert last == positions[-1]
    assert [board.ply for board in boards] == list(range(since, len(moves) + 1))
    for board in boards:
        position = positions[board.ply]
        assert "".join(board.rows) == position.notation.split(" ")[0]
        assert (board.to_move, board.score) == (position.to_move, position.score())
        assert tuple(board.moves) == (position.legal_moves() if board is boards[-1] else ())
        for move, cells in board.moves.items():
            assert cells == rules.move_cells(position, move)
        before = positions[board.ply - 1]
        assert board.cells == (rules.move_cells(before, moves[board.ply - 1]) if board.ply else ())
        assert (board.mover, board.passed) == (before.to_move if board.ply else None, position.passed)


def test_who_had_to_pass_is_said() -> None:
    boards, _last = boards_of(parse("othello:size=4"), ("b1", "c1", "d3", "a1"), 3)
    assert [(board.mover, board.passed, board.to_move) for board in boards] == [(1, None, 2), (2, 1, 2)]


def seeing(desk: Desk, name: str) -> User:
    """Somebody who wants to be told how boards look."""
    user = User(desk, name)
    desk.ask(user.connection, Hello(desk.request_id(), 1, "page", "human", name, boards=True))
    return user


def board(user: User) -> Diagram:
    """The one board of the last step."""
    (drawn,) = user.said(Drawn)
    return drawn.board


def test_who_asked_is_told_and_nobody_else() -> None:
    desk = Desk()
    one, two = seeing(desk, "Ada"), desk.user("Bob")
    match = desk.seat(one, two, "puissance4")
    eve, dan = seeing(desk, "Eve"), desk.user("Dan")
    eve.ok(Watch(desk.request_id(), match))
    assert board(eve).ply == 0
    dan.watch(match)
    for ply, move in enumerate("4453"):
        take = (two if ply % 2 else one).play
        take(match, move, start=ply)
        assert board(one) == board(eve) == boards_of(parse("puissance4"), "4453"[: ply + 1], ply + 1).boards[0]
        assert two.said(Drawn) == dan.said(Drawn) == []
    order = [type(message) for message in desk.said_to(one.connection)]
    assert order.index(Drawn) < order.index(YourTurn)


def test_a_takeback_and_a_return_are_drawn_anew() -> None:
    desk = Desk()
    one, two = seeing(desk, "Ada"), desk.user("Bob")
    match = desk.seat(one, two)
    take_turns(one, two, match, ("b2", "a1"))
    one.ok(Offer(desk.request_id(), match, "takeback"))
    two.ok(Answer(desk.request_id(), match, "takeback", accept=True))
    assert (board(one).ply, board(one).rows) == (0, ("---", "---", "---"))
    one.play(match, "c3", start=0)
    one.ok(Sync(desk.request_id(), match, 3))
    assert board(one).rows == ("---", "---", "--X")


@plain_core
def test_a_board_is_told_without_playing_the_game_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """Else each look at a long game, and each of its moves, costs as much as the game."""
    desk = Desk()
    one, two = seeing(desk, "Ada"), desk.user("Bob")
    match = desk.seat(one, two)
    take_turns(one, two, match, ("b2", "a1", "a2", "b1"))
    one.ok(Offer(desk.request_id(), match, "takeback"))
    two.ok(Answer(desk.request_id(), match, "takeback", accept=True))
    assert board(one).cells == ((0, 0),), "of the last move that is left"

    kind, played = type(desk.referee.lobby.find(match).match.position), set[str]()
    play = kind.play

    def plays(position: Position, move: str) -> Position:
        played.add(position.notation)
        return play(position, move)

    monkeypatch.setattr(kind, "play", plays)
    one.ok(Sync(desk.request_id(), match, 3))
    assert (board(one).ply, board(one).cells) == (2, ((0, 0),))
    assert parse("morpion").start().notation not in played


def test_a_move_that_the_rules_refuse_is_named() -> None:
    desk = Desk()
    user = desk.user("Ada")
    refused = user.ask(Boards(desk.request_id(), "morpion", ("b2", "b2")))
    assert isinstance(refused, Error)
    assert refused.code == "illegal_move"
    assert isinstance(refused.data, dict)
    assert (refused.data["ply"], refused.data["why"]) == (1, "occupied")
    assert user.refused(Boards(desk.request_id(), "go")) == "bad_rules"
    answer = user.ok(Boards(desk.request_id(), "morpion", ("b2",), 5))
    assert answer.boards == ()


def test_the_request_tells_how_the_game_ended_once_it_did() -> None:
    desk = Desk()
    one = desk.user("Ann")
    won = ["a1", "a2", "b1", "b2", "c1"]
    assert one.ok(Boards(desk.request_id(), "morpion", tuple(won[:-1]))).result is UNSET
    result = one.ok(Boards(desk.request_id(), "morpion", tuple(won))).result
    assert isinstance(result, Result)
    assert (result.winner, result.reason, sorted(result.cells)) == (1, "line", [(0, 0), (1, 0), (2, 0)])


def test_the_opening_is_seen_by_who_waited_for_an_opponent() -> None:
    """A bot of the house takes its seat after the match was opened: the moves of the opening are played then."""
    desk = Desk()
    ada, bob = User(desk, "Ada"), desk.user("Bob")
    ada.ok(Hello(desk.request_id(), 1, "test", "human", "Ada", boards=True))
    opened = ada.ok(Create(desk.request_id(), "puissance4", seat="first", opening=("4", "4")))
    assert isinstance(opened.match, str)
    bob.ok(Join(desk.request_id(), opened.match))
    (drawn,) = ada.said(Drawn)
    assert (drawn.board.ply, drawn.board.rows[-2:]) == (2, ("---O---", "---X---"))
    assert not bob.said(Drawn)
