"""Properties of all games on random lines of play, and the slow oracle's opinion of each position on the way."""

import copy
import pickle

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games import (
    Game,
    IllegalMove,
    Morpion,
    Othello,
    Position,
    Puissance4,
    Reason,
    RulesError,
    Seat,
    Termination,
    parse,
)
from games.othello import FLIPS_NOTHING
from games.puissance4 import COLUMN_FULL
from tests.games.boards import Rows, notation, rows_of
from tests.games.oracles import oracle
from tests.games.strategies import games, lines_of_play, othellos, positions


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_oracle_agrees_on_every_position(data: st.DataObject) -> None:
    game = data.draw(games())
    slow = oracle(game)
    position = game.start()
    for move in [*data.draw(lines_of_play(game)), None]:
        assert rows_of(game, position) == slow.rows()
        assert position.to_move == slow.to_move
        assert position.passed == slow.passed
        assert list(position.legal_moves()) == slow.legal()
        expected, outcome = slow.result(), position.outcome()
        if expected is None:
            assert outcome is None
        else:
            assert outcome is not None
            assert (outcome.winner, outcome.score, set(outcome.cells)) == expected
            assert len(outcome.cells) == len(expected[2])
            assert position.score() == outcome.score
        if move is not None:
            slow.play(move)
            position = position.play(move)


@settings(max_examples=200, deadline=None)
@given(othellos(), st.data())
def test_oracle_agrees_on_any_othello_board(game: Game, data: st.DataObject) -> None:
    """Boards that no game reaches: passes, full and one-coloured boards, discs anywhere."""
    size = game.width
    cells = st.sampled_from(data.draw(st.sampled_from(([0, 1, 2], [1, 2], [0, 1], [0, 1, 1, 1, 2, 2]))))
    rows = data.draw(st.lists(st.lists(cells, min_size=size, max_size=size), min_size=size, max_size=size))
    mover = data.draw(st.sampled_from(Seat))
    slow = oracle(game)
    slow.rows()[:] = [row.copy() for row in rows]
    slow.to_move = mover
    position = game.position(notation(rows, mover))
    if not slow.legal():
        slow.to_move = 3 - slow.to_move
        if slow.legal():
            assert position.passed is mover
        else:
            slow.to_move = mover
    assert position.to_move == slow.to_move
    assert list(position.legal_moves()) == slow.legal()
    for move in position.legal_moves():
        branch = copy.deepcopy(slow)
        branch.play(move)
        child = position.play(move)
        assert rows_of(game, child) == branch.rows()
        assert (child.to_move, child.passed) == (branch.to_move, branch.passed)


@settings(deadline=None)
@given(positions())
def test_notation_round_trip(drawn: tuple[Game, list[str], Position]) -> None:
    game, _, position = drawn
    again = game.position(position.notation)
    assert again == position
    assert hash(again) == hash(position)
    assert again.outcome() == position.outcome()
    assert again.legal_moves() == position.legal_moves()
    assert position.notation in repr(position)


@settings(deadline=None)
@given(positions())
def test_transcript_round_trip(drawn: tuple[Game, list[str], Position]) -> None:
    game, moves, _ = drawn
    text = game.format_transcript(moves)
    assert game.parse_transcript(text) == tuple(moves)
    assert game.parse_transcript(text.upper()) == tuple(moves)
    if len(moves) > 1 or game.width < 10:
        for separator in (" ", ", ", ","):
            assert game.parse_transcript(separator.join(moves)) == tuple(moves)


@settings(deadline=None)
@given(positions())
def test_a_position_never_changes(drawn: tuple[Game, list[str], Position]) -> None:
    _, _, position = drawn
    before = (position.notation, hash(position), position.legal_moves(), position.outcome())
    for move in position.legal_moves():
        position.play(move)
    with pytest.raises(IllegalMove):
        position.play("z99")
    assert (position.notation, hash(position), position.legal_moves(), position.outcome()) == before
    with pytest.raises(AttributeError):
        position.to_move = Seat.FIRST  # type: ignore[misc]
    with pytest.raises(AttributeError):
        position.anything = 1  # type: ignore[attr-defined]
    assert copy.deepcopy(position) == position
    assert pickle.loads(pickle.dumps(position)) == position


def reason_of(game: Game, position: Position, move: str) -> str:
    """Why a move that names a place of the board is refused, told from the drawn board."""
    if position.outcome():
        return Reason.GAME_OVER
    if isinstance(game, Puissance4):
        return COLUMN_FULL.code
    x, y = "abcdefghij".index(move[0]), int(move[1:]) - 1
    return Reason.OCCUPIED if position.cell(x, y) else FLIPS_NOTHING.code


@settings(deadline=None)
@given(positions())
def test_legal_means_playable(drawn: tuple[Game, list[str], Position]) -> None:
    game, _, position = drawn
    if isinstance(game, Puissance4):
        places = [str(x + 1) for x in range(game.width)]
    else:
        places = [f"{'abcdefghij'[x]}{y + 1}" for y in range(game.height) for x in range(game.width)]
    assert set(position.legal_moves()) <= set(places)
    for move in places:
        if move in position.legal_moves():
            x, y = game.move_cell(position, move)
            assert position.cell(x, y) is None
            assert position.play(move).cell(x, y) is position.to_move
            assert game.parse_move(move) == move
        else:
            with pytest.raises(IllegalMove) as refused:
                position.play(move)
            assert refused.value.move == move
            assert refused.value.reason is reason_of(game, position, move)


@settings(deadline=None)
@given(positions())
def test_masks_say_what_moves_say(drawn: tuple[Game, list[str], Position]) -> None:
    _, _, position = drawn
    assert isinstance(position.game, Othello | Puissance4 | Morpion)  # type: ignore[attr-defined]
    grid = position.game.board.grid  # type: ignore[attr-defined]
    assert position.own == (position.first if position.to_move is Seat.FIRST else position.second)  # type: ignore[attr-defined]
    assert position.opponent == (position.second if position.to_move is Seat.FIRST else position.first)  # type: ignore[attr-defined]
    mask = position.legal_mask()  # type: ignore[attr-defined]
    cells = [position.game.move_cell(position, move) for move in position.legal_moves()]  # type: ignore[attr-defined]
    assert set(grid.cells(mask)) == set(cells)
    for move, (x, y) in zip(position.legal_moves(), cells, strict=True):
        assert position.play_bit(grid.bit(x, y)) == position.play(move)  # type: ignore[attr-defined]


def mirrored(rows: Rows) -> Rows:
    return [row[::-1] for row in rows]


@settings(deadline=None)
@given(positions())
def test_mirrored_positions_have_mirrored_moves(drawn: tuple[Game, list[str], Position]) -> None:
    game, _, position = drawn
    mirror = game.position(notation(mirrored(rows_of(game, position)), position.to_move))
    there = {game.move_cell(position, move) for move in position.legal_moves()}
    here = {game.move_cell(mirror, move) for move in mirror.legal_moves()}
    assert here == {(game.width - 1 - x, y) for x, y in there}
    outcome, other = position.outcome(), mirror.outcome()
    assert (outcome is None) == (other is None)
    if outcome and other:
        assert (outcome.winner, outcome.score) == (other.winner, other.score)
        assert set(other.cells) == {(game.width - 1 - x, y) for x, y in outcome.cells}


@settings(deadline=None)
@given(othellos(), st.data())
def test_turned_othello_positions_have_turned_moves(game: Game, data: st.DataObject) -> None:
    position = game.start()
    for move in data.draw(lines_of_play(game)):
        position = position.play(move)
    rows = rows_of(game, position)
    turned = game.position(notation([list(column) for column in zip(*rows, strict=True)], position.to_move))
    cells = {game.move_cell(position, move) for move in position.legal_moves()}
    assert {game.move_cell(turned, move) for move in turned.legal_moves()} == {(y, x) for x, y in cells}


@settings(deadline=None)
@given(positions())
def test_an_outcome_adds_up(drawn: tuple[Game, list[str], Position]) -> None:
    game, _, position = drawn
    outcome = position.outcome()
    assert (outcome is None) == bool(position.legal_moves())
    if outcome is None:
        return
    assert (outcome.termination is Termination.LINE) == bool(outcome.cells)
    assert (outcome.tournament_score is not None) == (outcome.termination is Termination.DISCS)
    if outcome.tournament_score:
        assert sum(outcome.tournament_score) == game.width * game.height
    for x, y in outcome.cells:
        assert position.cell(x, y) is outcome.winner


@given(games(), games())
def test_games_are_equal_when_their_options_are(one: Game, other: Game) -> None:
    assert (one == other) == (one.spec == other.spec)
    assert (one.start() == other.start()) == (one == other)
    if one == other:
        assert hash(one) == hash(other)
        assert hash(one.start()) == hash(other.start())


SPECS = st.one_of(
    st.text(max_size=60),
    st.lists(
        st.sampled_from(["othello", "morpion", "puissance4", ":", ",", "=", "k", "size", "tie", "8", "-1", "٣"])
    ).map("".join),
)


@given(SPECS)
def test_parse_raises_only_rules_errors(text: str) -> None:
    try:
        game = parse(text)
    except RulesError:
        return
    assert parse(game.spec) == game


@given(games(), st.one_of(st.text(max_size=60), st.text("abj 0189,xXoO-()pa\t", max_size=60)))
def test_reading_raises_only_game_errors(game: Game, text: str) -> None:
    try:
        move = game.parse_move(text)
    except IllegalMove as error:
        refused = (error.reason, error.move)
        expected = [(Reason.NOT_A_MOVE, text), (Reason.OFF_BOARD, text)]
        assert refused in expected
    else:
        assert game.parse_move(move) == move
    try:
        moves = game.parse_transcript(text)
    except (IllegalMove, RulesError):
        pass
    else:
        assert game.parse_transcript(game.format_transcript(moves)) == moves
    with pytest.raises(IllegalMove):
        game.start().play(f"{text}?")
    try:
        position = game.position(text)
    except RulesError:
        pass
    else:
        assert game.position(position.notation) == position
