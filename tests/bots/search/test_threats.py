"""Forced wins in morpion: found where people see them, proven by all replies, the same in machine code and Python."""

import os
import random
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import games
from bots.search import compiled
from bots.search.evaluation import line_worth, make_shapes_evaluation
from bots.search.threats import FastThreats, PlainThreats, Threats, make_threats
from games.morpion import Morpion, MorpionPosition

needs_numba = pytest.mark.skipif(not compiled.is_available(), reason="numba is not installed")
GOMOKU = "morpion:width=10,height=10,k=5"


def board(spec: str) -> Morpion:
    game = games.parse(spec)
    assert isinstance(game, Morpion)
    return game


def masks(game: Morpion, own: str, other: str) -> tuple[int, int]:
    first, second = (sum(game.board.grid.bit_of[cell] for cell in cells.split()) for cells in (own, other))
    return first, second


def random_positions(game: Morpion, count: int, seed: int) -> Iterator[MorpionPosition]:
    rng = random.Random(seed)
    while count:
        position = game.start()
        for _ in range(rng.randrange(4, game.width * game.height * 2 // 3)):
            if position.outcome() is None:
                position = position.play(rng.choice(position.legal_moves()))
        if position.outcome() is None:
            yield position
            count -= 1


PROBLEMS = [
    # an open three beside the border: the four threatens at one end only, the other four makes two
    (GOMOKU, "d4 e4 f4", "a1 b7", 0, {"c4", "g4"}),
    # a four that has to be stopped makes three in the other line, and the next move four at both ends
    (GOMOKU, "b5 c5 d5 e3 e4", "a5 a10 j1 j3", 0, {"e5"}),
    # three in a row after two fours: the first forces, the last threatens in two places
    (GOMOKU, "a5 b5 c5 e2 e3 f6 g7", "j10 i8 a10 c9 h3", 0, {"d5", "e5"}),
    # two threes that cross: no four at all, and no reply stops both
    (GOMOKU, "d5 e5 f3 f4", "a1 j10 a10", 1, {"f5"}),
    ("morpion:width=7,height=7,k=4", "c4 d4", "a1 g7", 0, {"b4", "e4"}),
]


@pytest.mark.parametrize(("spec", "own", "other", "depth", "firsts"), PROBLEMS)
@pytest.mark.parametrize("make", [make_threats, PlainThreats], ids=["fast", "plain"])
def test_wins_that_people_see_are_found(
    make: type[PlainThreats], spec: str, own: str, other: str, depth: int, firsts: set[str]
) -> None:
    game = board(spec)
    position = masks(game, own, other)
    found = make(game).winning(*position, depth)
    assert game.board.grid.name_of.get(found) in firsts
    assert not depth or not make(game).winning(*position, depth - 1)


def test_there_is_none_where_the_opponent_wins_first() -> None:
    """The same open three is of no use to who has to stop a four, or two."""
    game = board(GOMOKU)
    for other in ("a9 b9 c9 d9", "b9 c9 d9 e9"):
        assert not make_threats(game).winning(*masks(game, "d4 e4 f4", other), 0)


@needs_numba
@pytest.mark.parametrize(
    ("spec", "depth", "count"),
    [
        (GOMOKU, 0, 100),
        ("morpion:width=7,height=7,k=4", 0, 100),
        ("morpion:width=9,height=4,k=3", 0, 50),
        ("morpion:width=6,height=6,k=4", 1, 15),
        ("morpion:width=5,height=5,k=4", 2, 15),
    ],
)
def test_machine_code_and_plain_python_agree(spec: str, depth: int, count: int) -> None:
    game = board(spec)
    fast, plain, answers = make_threats(game), PlainThreats(game), set[bool]()
    assert isinstance(fast, FastThreats)
    worth = make_shapes_evaluation(game)
    for position in random_positions(game, count, 1):
        found = fast.winning(position.own, position.opponent, depth)
        assert bool(found) == bool(plain.winning(position.own, position.opponent, depth)), position.notation
        assert fast.worth(position.own, position.opponent) == worth(position.own, position.opponent)
        answers.add(bool(found))
    assert answers == {False, True}


def proves(threats: Threats, position: MorpionPosition, depth: int) -> bool:
    """Whether playing on as `threats` says wins against every reply, as the rules of the game see it."""
    found = threats.winning(position.own, position.opponent, depth)
    if not found:
        return False
    after = position.play_bit(found)
    if after.outcome() is not None:
        return after.winner is position.to_move
    replies = [after.play(move) for move in after.legal_moves()]
    if any(reply.winner is not None for reply in replies):
        return False  # the win was too slow
    return bool(replies) and all(proves(threats, reply, depth) for reply in replies)


@pytest.mark.parametrize(
    ("spec", "depth", "count"),
    [
        ("morpion:width=5,height=5,k=4", 0, 40),
        ("morpion:width=4,height=5,k=3", 1, 30),
        ("morpion:width=5,height=5,k=4", 1, 12),
    ],
)
def test_a_win_that_is_found_wins_against_every_reply(spec: str, depth: int, count: int) -> None:
    """Against any reply at all, not only those that the search takes for forced."""
    game = board(spec)
    threats, won = make_threats(game), 0
    for position in random_positions(game, count, 2):
        if threats.winning(position.own, position.opponent, depth):
            assert proves(threats, position, depth), position.notation
            won += 1
    assert won > 5


@needs_numba
@pytest.mark.parametrize("depth", [0, 1])
@pytest.mark.slow
def test_safe_moves_are_those_after_which_the_opponent_has_no_win(depth: int) -> None:
    game = board("morpion:width=6,height=6,k=4")
    fast, plain, left = make_threats(game), PlainThreats(game), set[bool]()
    for position in random_positions(game, 5, 3):
        own, other = position.own, position.opponent
        moves = [game.board.grid.bit_of[move] for move in position.legal_moves()][:8]
        safe = fast.safe(own, other, depth, moves)
        assert safe == [bit for bit in moves if not plain.winning(other, own | bit, depth)]
        left |= {bit in safe for bit in moves}
    assert left == {False, True}


@pytest.mark.parametrize("make", [make_threats, PlainThreats], ids=["fast", "plain"])
def test_a_search_that_is_stopped_finds_nothing_and_goes_on_later(make: type[PlainThreats]) -> None:
    game = board(GOMOKU)
    threats, position = make(game), masks(game, "d4 e4 f4", "a1 b7")
    threats.stop()
    assert not threats.winning(*position, 0)
    assert threats.stopped
    threats.resume()
    threats.allow(1)
    assert not threats.winning(*position, 0), "two positions are needed"
    threats.allow()
    assert threats.winning(*position, 0)


def test_a_line_is_worth_five_times_as_much_with_each_disc() -> None:
    assert [line_worth(count, 4) for count in range(5)] == [0, 1, 5, 25, 125]


def plain_value(game: Morpion, own: int, other: int, depth: int, ply: int) -> int:
    """What `FastThreats.values` should say where every move is looked at: minimax as its docstring tells it."""
    threats = make_threats(game)
    assert isinstance(threats, FastThreats)
    position = MorpionPosition.build(game, own, other, game.start().to_move)
    children = {bit: position.play_bit(bit) for bit in game.board.grid.places if bit & position.legal_mask()}
    if any(child.winner is not None for child in children.values()):
        return threats.win - ply - 1
    if not children:
        return 0
    waiting = MorpionPosition.build(game, other, own, game.start().to_move)
    dangers = [bit for bit in children if waiting.play_bit(bit).winner is not None]
    if len(dangers) > 1:
        return ply + 2 - threats.win
    if depth <= 0 and not dangers:
        return threats.worth(own, other)
    cost = 0 if dangers else 1
    return max(-plain_value(game, other, own | bit, depth - cost, ply + 1) for bit in dangers or children)


@needs_numba
def test_values_are_those_of_minimax_where_the_search_leaves_nothing_out() -> None:
    """A board with no more cells than the search looks at."""
    game = board("morpion:width=4,height=3,k=3")
    threats = make_threats(game)
    assert isinstance(threats, FastThreats)
    for position in random_positions(game, 10, 4):
        own, other = position.own, position.opponent
        moves = [game.board.grid.bit_of[move] for move in position.legal_moves()]
        values = threats.values(own, other, 2, moves)
        expected = {
            bit: -plain_value(game, other, own | bit, 1, 1) for bit in moves if not position.play_bit(bit).winner
        }
        if len(expected) == len(moves):
            assert max(values.values()) == max(expected.values()), position.notation


ASKING = """
import games
from bots.search.threats import make_threats
game = games.parse("morpion:width=10,height=10,k=5")
own, other = (sum(game.board.grid.bit_of[cell] for cell in cells.split()) for cells in ("d5 e5 f3 f4", "a1 j10 a10"))
threats = make_threats(game)
print(threats.winning(own, other, 1), sorted(threats.values(own, other, 3, list(game.board.grid.places)[4:8]).items()))
"""


@pytest.mark.slow
@needs_numba
def test_a_cold_and_a_warm_start_find_the_same(tmp_path: Path) -> None:
    """A function that calls itself may work when it is compiled, and crash when it is loaded."""
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path), "PYTHONPATH": str(Path(__file__).parents[3])}
    command = [sys.executable, "-c", ASKING]
    cold, warm = (
        subprocess.run(command, env=environment, capture_output=True, text=True, check=True, timeout=120).stdout
        for _ in range(2)
    )
    assert cold == warm
    assert cold.startswith(str(1 << 4 * 11 + 5))
