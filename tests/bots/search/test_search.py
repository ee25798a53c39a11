"""Alpha-beta and lookahead against plain searches written from their definitions, from any position of any game."""

import random
from collections.abc import Callable, Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import games
from bots.base import UNLIMITED, Budget, Thought
from bots.classroom.lookahead import Lookahead
from bots.classroom.minimax import Minimax
from bots.search.alphabeta import WIN
from bots.search.evaluation import EVALUATIONS, Evaluation, make_evaluation
from bots.search.kernels import make_kernel, masks_of, move_names, seat_masks
from games import Game, Position, Seat

SPECS = [
    "othello",
    "othello:size=4",
    "othello:size=4,tie=last_mover",
    "othello:size=6",
    "puissance4",
    "puissance4:width=5,height=4,k=3",
    "puissance4:width=1,height=4,k=2",
    "morpion",
    "morpion:width=4,height=3,k=3",
    "morpion:width=5,height=5,k=4",
]


@st.composite
def reachable(draw: st.DrawFn) -> tuple[Game, Position]:
    """A game and a position of it in which somebody has to move."""
    game = games.parse(draw(st.sampled_from(SPECS)))
    position = game.start()
    for choice in draw(st.lists(st.integers(0, 1000), max_size=60)):
        moves = position.legal_moves()
        after = position.play(moves[choice % len(moves)])
        if after.outcome() is not None:
            break
        position = after
    return game, position


def value_of(position: Position, evaluation: Evaluation, us: Seat, depth: int, ply: int) -> int:
    """Plain minimax for `us`, on positions."""
    outcome = position.outcome()
    if outcome is not None:
        sign = 0 if outcome.winner is None else 1 if outcome.winner is us else -1
        return sign * (WIN - ply)
    if depth == 0:
        return evaluation(*seat_masks(position, us))
    best = max if position.to_move is us else min
    moves = position.legal_moves()
    return best(value_of(position.play(move), evaluation, us, depth - 1, ply + 1) for move in moves)


@settings(max_examples=150, deadline=None)
@given(reachable(), st.integers(1, 3), st.data())
def test_alpha_beta_is_minimax(where: tuple[Game, Position], depth: int, data: st.DataObject) -> None:
    game, position = where
    name = data.draw(st.sampled_from(EVALUATIONS[game.id]))
    evaluation, us = make_evaluation(name, game), position.to_move
    values = {move: value_of(position.play(move), evaluation, us, depth - 1, 1) for move in position.legal_moves()}
    bot = Minimax(game, random.Random(0), depth=depth, evaluation=name, tiebreak="first")
    line = bot.think(position, UNLIMITED)
    assert line.value == max(values.values())
    assert bot.choose(position, UNLIMITED) == max(values, key=values.__getitem__)  # max takes the first of equals


@settings(max_examples=50, deadline=None)
@given(reachable(), st.integers(1, 3))
def test_the_line_that_is_expected_can_be_played(where: tuple[Game, Position], depth: int) -> None:
    game, position = where
    thoughts: list[Thought] = []
    bot = Minimax(game, random.Random(0), depth=depth, evaluation=EVALUATIONS[game.id][0], tiebreak="first")
    bot.on_thought = thoughts.append
    move = bot.choose(position, UNLIMITED)
    assert thoughts[-1].pv[0] == move
    assert thoughts[-1].nodes >= 0
    for expected in thoughts[-1].pv:
        position = position.play(expected)


@settings(max_examples=50, deadline=None)
@given(reachable(), st.integers(0, 1000))
def test_a_random_tiebreak_plays_a_best_move(where: tuple[Game, Position], seed: int) -> None:
    game, position = where
    evaluation, us = make_evaluation(EVALUATIONS[game.id][0], game), position.to_move
    values = {move: value_of(position.play(move), evaluation, us, 1, 1) for move in position.legal_moves()}
    bot = Minimax(game, random.Random(seed), depth=2, evaluation=EVALUATIONS[game.id][0], tiebreak="random")
    assert values[bot.choose(position, UNLIMITED)] == max(values.values())


def scores_of(position: Position, ply: int) -> dict[str, int]:
    """The scores of the Puissance 4 document, from its description, for any game."""
    scores: dict[str, int] = {}
    for move in position.legal_moves():
        after = position.play(move)
        outcome = after.outcome()
        if ply == 0:
            scores[move] = 50
        elif outcome is not None:
            scores[move] = 50 if outcome.winner is None else 100 if outcome.winner is position.to_move else 0
        elif ply == 1:
            scores[move] = 50
        else:
            best = max(scores_of(after, ply - 1).values())
            scores[move] = best if after.to_move is position.to_move else 100 - best
    return scores


@settings(max_examples=150, deadline=None)
@given(reachable(), st.integers(0, 4))
def test_lookahead_scores_are_those_of_the_plain_algorithm(where: tuple[Game, Position], ply: int) -> None:
    game, position = where
    if len(position.legal_moves()) > 7:
        ply = min(ply, 2)
    bot = Lookahead(game, random.Random(0), ply=ply, tiebreak="left")
    scores = bot.scores_for(position)
    expected = scores_of(position, ply)
    columns = [str(x + 1) for x in range(game.width)]
    cells = [f"{chr(97 + x)}{y + 1}" for y in range(game.height) for x in range(game.width)]
    places = columns if game.id == "puissance4" else cells
    assert scores == [expected.get(place, -1) for place in places]


@settings(max_examples=100, deadline=None)
@given(reachable())
def test_kernels_agree_with_the_rules(where: tuple[Game, Position]) -> None:
    game, position = where
    kernel, names = make_kernel(game), move_names(game)
    assert kernel is not None
    own, other = masks_of(position)
    legal = kernel.legal(own, other)
    bits = [bit for bit in names if bit & legal]
    assert {names[bit] for bit in bits} == set(position.legal_moves())
    assert len(bits) == legal.bit_count()
    assert sum(kernel.groups) & legal == legal
    for bit in bits:
        after = position.play(names[bit])
        assert kernel.play(own, other, bit) == seat_masks(after, position.to_move)
        outcome = after.outcome()
        won_by_line = game.id != "othello" and outcome is not None and outcome.winner is position.to_move
        assert bool(kernel.winning(own, bit)) == won_by_line


def test_a_quicker_win_is_preferred_and_a_loss_put_off() -> None:
    game = games.parse("morpion")
    bot = Minimax(game, random.Random(0), depth=9, evaluation="lines", tiebreak="first")
    win_now = game.position("XX-OO---- X")
    assert bot.think(win_now, UNLIMITED).value == WIN - 1
    assert bot.choose(win_now, UNLIMITED) == "c1"
    lost = game.position("X-X-O---X O")
    assert bot.think(lost, UNLIMITED).value == -(WIN - 2) or bot.choose(lost, UNLIMITED) == "b1"


def test_depth_counts_the_moves_that_are_looked_at() -> None:
    """At depth 1 the opponent's reply is not seen, at depth 2 it is."""
    game = games.parse("puissance4")
    position = game.position("-" * 35 + "OOO-XX- X")
    values = [
        Minimax(game, random.Random(0), depth=depth, evaluation="lines", tiebreak="first").choose(position, UNLIMITED)
        for depth in (2, 3)
    ]
    assert values == ["4", "4"]


def ticking(step_s: float) -> Callable[[], float]:
    """A clock that advances at each look."""

    def ticks() -> Iterator[float]:
        now = 0.0
        while True:
            yield now
            now += step_s

    return ticks().__next__


@pytest.mark.parametrize("spec", ["othello", "puissance4", "morpion:width=10,height=10,k=5"])
def test_the_clock_bounds_the_depth_and_a_move_always_comes(spec: str) -> None:
    game = games.parse(spec)
    thoughts: list[Thought] = []
    bot = Minimax(
        game,
        random.Random(0),
        depth=20,
        evaluation=EVALUATIONS[game.id][0],
        tiebreak="first",
        clock=ticking(0.01),
    )
    bot.on_thought = thoughts.append
    position = game.start()
    assert bot.choose(position, Budget(remaining_ms=1000)) in position.legal_moves()
    assert 1 <= len(thoughts) < 20
    assert bot.choose(position, Budget(remaining_ms=0)) in position.legal_moves()


def test_with_time_enough_the_clock_changes_nothing() -> None:
    game = games.parse("othello")
    bot = Minimax(game, random.Random(0), depth=3, evaluation="positional", tiebreak="first", clock=lambda: 0.0)
    position = game.start()
    for _ in range(20):
        move = bot.choose(position, UNLIMITED)
        assert bot.choose(position, Budget(remaining_ms=60_000, increment_ms=1000)) == move
        assert bot.choose(position, Budget(remaining_ms=60_000, move_ms=60_000)) == move
        position = position.play(move)
