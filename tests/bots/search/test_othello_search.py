"""The compiled search for Othello against its reference in plain Python, and both against published values."""

import random
from typing import Any

import pytest

import games
from bots.search import compiled
from bots.search.othello import BOARD, OthelloEngine, bits_of, exact_value, play, proven_value
from bots.search.othello_edges import stable, stable_edges
from bots.search.othello_patterns import evaluate, layout, number, stage_weights, twins
from bots.search.plain_othello import PlainOthello
from games.perft import perft
from tests.bots.search.othello_positions import START, Masks, positions, random_game
from tests.games.published import OthelloEnd, othello_ends

fast_othello: Any = compiled.load("othello")
if fast_othello is None:
    pytest.skip("numba is not installed", allow_module_level=True)

FAR = 10_000


@pytest.fixture(scope="module")
def engine() -> OthelloEngine:
    return fast_othello.FastOthello(14)  # type: ignore[no-any-return]


def turned(masks: Masks, symmetry: int) -> Masks:
    """The position after one of the eight symmetries of the board."""

    def turn(mask: int) -> int:
        found = 0
        for cell in range(64):
            if mask >> cell & 1:
                x, y = cell % 8, cell // 8
                x, y = (y, x) if symmetry & 4 else (x, y)
                found |= 1 << (7 - x if symmetry & 1 else x) + 8 * (7 - y if symmetry & 2 else y)
        return found

    return turn(masks[0]), turn(masks[1])


# ------------------------------------------------------------------------------------------------------------- rules


@pytest.mark.parametrize(("depth", "leaves"), [(1, 4), (6, 8200), (9, 3_005_288), (10, 24_571_284)])
def test_perft(depth: int, leaves: int) -> None:
    """Published counts, a pass being a ply (OEIS A124004)."""
    assert fast_othello.perft(*START, depth) == leaves


def test_moves_and_flips_are_those_of_the_rules() -> None:
    """Three plies from anywhere, where the reference counts one by one."""
    game = games.parse("othello")
    for own, other in positions(1, 400, range(61)):
        signed = fast_othello.to_signed(own), fast_othello.to_signed(other)
        assert fast_othello.legal_cells(*signed) & (1 << 64) - 1 == BOARD.legal(own, other)
        cells = "".join("X" if own >> cell & 1 else "O" if other >> cell & 1 else "-" for cell in range(64))
        assert fast_othello.perft(*signed, 3) == perft(game.position(f"{cells} X"), 3)


# ------------------------------------------------------------------------------------------------------ stable discs


def test_stable_discs_are_never_flipped() -> None:
    """Move by move: what is stable before a move still lies there after it, and is stable then."""
    for seed in range(60):
        for own, other in random_game(random.Random(seed)):
            ours, theirs = fast_othello.stable(own, other), fast_othello.stable(other, own)
            assert not ours & ~own
            assert not theirs & ~other
            for bit in bits_of(BOARD.legal(own, other)):
                other_after, own_after = play(own, other, bit)
                assert not ours & ~fast_othello.stable(own_after, other_after)
                assert not theirs & ~fast_othello.stable(other_after, own_after)


def test_a_filled_board_and_a_corner_are_stable() -> None:
    full = (1 << 64) - 1
    assert fast_othello.stable(full, 0) == full
    assert fast_othello.stable(1, 2) == 1
    assert fast_othello.stable(2, 4) == 0


def test_stable_edges() -> None:
    assert stable(0b11, 0) == 0b11
    assert stable(0b110, 0) == 0
    assert stable(0b10101010, 0b01010101) == 0xFF
    assert stable_edges()[0b11 << 8] == 0b11


# -------------------------------------------------------------------------------------------------------- evaluation


def test_patterns_cover_the_board_evenly() -> None:
    """Every symmetry moves every place of a pattern to another of its places."""
    places = {frozenset(feature.cells) for feature in layout().features}
    assert len(layout().features) == len(places) == 46
    for symmetry in range(8):
        moved = {frozenset(bit_to(symmetry, cell) for cell in cells) for cells in places}
        assert moved == places


def bit_to(symmetry: int, cell: int) -> int:
    mask, _ = turned((1 << cell, 0), symmetry)
    return mask.bit_length() - 1


def test_symmetric_positions_are_worth_the_same(engine: OthelloEngine) -> None:
    for masks in positions(2, 100, range(8, 56)):
        values = {engine.search(*turned(masks, symmetry), 0, -FAR, FAR) for symmetry in range(8)}
        assert len(values) == 1


def test_twins_are_equal_weights() -> None:
    first = twins()
    for stage in (0, 7, 14):
        weights = stage_weights(stage)
        assert all(weights[place] == weights[twin] for place, twin in enumerate(first))
    assert number(1, 2, (0, 1, 2)) == 1 - 3


def test_the_evaluation_is_that_of_the_reference(engine: OthelloEngine) -> None:
    for own, other in positions(3, 600, range(1, 60)):
        expected = evaluate(own, other, BOARD.legal(own, other), BOARD.legal(other, own))
        assert engine.search(own, other, 0, -FAR, FAR) == expected


# ------------------------------------------------------------------------------------------------------------ search


@pytest.mark.parametrize("depth", [1, 2, 3])
def test_search_finds_the_values_of_the_reference(engine: OthelloEngine, depth: int) -> None:
    """Whatever the table has seen before, and on the right side of any window."""
    plain, rng = PlainOthello(), random.Random(depth)
    for own, other in positions(4, 90 // depth**2, range(1, 58)):
        value = plain.search(own, other, depth, -FAR, FAR)
        assert engine.search(own, other, depth, -FAR, FAR) == value
        alpha = value + rng.randrange(-300, 300)
        assert (engine.search(own, other, depth, alpha, alpha + 1) > alpha) == (value > alpha)


def test_deep_searches_agree_with_a_null_window_at_a_time(engine: OthelloEngine) -> None:
    for own, other in positions(5, 12, range(20, 50)):
        value = engine.search(own, other, 7, -FAR, FAR)
        engine.forget()
        assert engine.search(own, other, 7, value - 1, value) >= value
        assert engine.search(own, other, 7, value, value + 1) <= value


# ----------------------------------------------------------------------------------------------------------- endgame


@pytest.mark.parametrize(("empties", "count"), [(range(1, 5), 1500), (range(5, 7), 250), (range(7, 9), 60)])
def test_exact_values_are_those_of_the_reference(engine: OthelloEngine, empties: range, count: int) -> None:
    plain = PlainOthello()
    for own, other in positions(6, count, empties):
        value = exact_value(engine, own, other)
        assert plain.at_least(own, other, value - 1) >= value
        assert plain.at_least(own, other, value) <= value
        assert value % 2 == 0


def test_exact_values_do_not_depend_on_what_was_asked_before(engine: OthelloEngine) -> None:
    """Each answer is a bound on the side that was asked about, with a table full of other answers and an empty one."""
    for own, other in positions(7, 40, range(9, 13)):
        value = exact_value(engine, own, other)
        for alpha in range(-64, 64, 7):
            answer = engine.at_least(own, other, alpha)
            assert (answer > alpha) == (value > alpha)
            assert answer <= value if answer > alpha else answer >= value
        engine.forget()
        assert exact_value(engine, own, other, 20.0) == value


FFO = [end for end in othello_ends() if end.problem in (1, 8, 20)]


@pytest.mark.parametrize("end", FFO, ids=lambda end: end.problem)
def test_published_endgames(engine: OthelloEngine, end: OthelloEnd) -> None:
    assert exact_value(engine, *end.masks) == end.value


def test_every_move_of_a_published_endgame(engine: OthelloEngine) -> None:
    for end in othello_ends()[:8]:
        values = {bit: -proven_value(engine, *play(*end.masks, bit)) for bit in bits_of(BOARD.legal(*end.masks))}
        assert {BOARD.grid.name_of[bit]: value for bit, value in values.items()} == end.scores


@pytest.mark.slow
def test_all_published_endgames_within_reach() -> None:
    engine = fast_othello.FastOthello(18)
    for end in othello_ends():
        if end.empties <= 23:
            assert proven_value(engine, *end.masks) == end.value
