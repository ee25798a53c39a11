"""The searches that know a game by its positions alone: against those on masks, against their definition, by facts."""

import inspect
import random
import sys

import pytest

import games
from bots.base import UNLIMITED, Bot, parse_bot
from bots.classroom.dfs import Walker
from bots.classroom.lookahead import Lookahead
from bots.classroom.minimax import Minimax
from bots.classroom.on_positions import PositionLookahead, PositionMinimax, PositionSearchToTheEnd, PositionWalker
from bots.explain.traces import explain
from bots.explain.tree import Kind, Node
from bots.search.alphabeta import WIN
from bots.search.evaluation import make_evaluation
from bots.search.kernels import seat_masks
from bots.search.positions import PositionSearch, PositionSolver, Worth, made, measure_of
from bots.search.solver import OutOfTimeError, make_solver, solve
from games import Breakthrough, Game, Position, Seat
from games.base import Measure
from league.pairing.openings import Symmetries

MASKED = ["morpion:width=4,height=3,k=3", "puissance4:width=5,height=4,k=3", "othello:size=4"]


def some_positions(game: Game, count: int, plies: int) -> list[Position]:
    found: list[Position] = []
    rng = random.Random(game.spec)
    while len(found) < count:
        position = game.start()
        for _ply in range(rng.randrange(plies)):
            if position.outcome() is None:
                position = position.play(rng.choice(position.legal_moves()))
        if position.outcome() is None:
            found.append(position)
    return found


def plain_minimax(position: Position, depth: int, ply: int, us: Seat, worth: Worth) -> int:
    """The definition: no cuts and no table. For `us`."""
    outcome = position.outcome()
    if outcome is not None:
        return 0 if outcome.winner is None else WIN - ply if outcome.winner is us else ply - WIN
    if depth == 0:
        return worth(position, us)
    values = [plain_minimax(position.play(move), depth - 1, ply + 1, us, worth) for move in position.legal_moves()]
    return max(values) if position.to_move is us else min(values)


@pytest.mark.parametrize("depth", [1, 2, 3])
def test_alpha_beta_with_its_table_has_the_values_of_plain_minimax(depth: int) -> None:
    game = Breakthrough(5)
    worth = measure_of(game).worth
    for position in some_positions(game, 8, 24):
        us = position.to_move
        search = PositionSearch(us, worth)
        line = search.run(position, position.legal_moves(), range(1, depth + 1))
        values = {
            move: plain_minimax(position.play(move), line.depth - 1, 1, us, worth) for move in position.legal_moves()
        }
        assert line.value == max(values.values())
        assert line.moves[0] == max(values, key=lambda move: values[move]), "the first of equal moves"


@pytest.mark.parametrize("spec", MASKED)
def test_minimax_plays_as_it_does_on_masks(spec: str, monkeypatch: pytest.MonkeyPatch) -> None:
    game = games.parse(spec)
    name = "discs" if game.id == "othello" else "lines"
    on_masks = make_evaluation(name, game)
    measure = Measure(name, lambda position, seat: on_masks(*seat_masks(position, seat)))
    monkeypatch.setattr(type(game), "profile", game.profile._replace(measures=(measure,)))
    for position in some_positions(game, 12, 8):
        fast = Minimax(game, random.Random(1), depth=3, evaluation=name, tiebreak="first")
        slow = PositionMinimax(game, random.Random(1), depth=3)
        assert slow.choose(position, UNLIMITED) == fast.choose(position, UNLIMITED)


@pytest.mark.parametrize("spec", MASKED)
@pytest.mark.parametrize("ply", [0, 1, 2, 3])
def test_lookahead_plays_as_it_does_on_masks(spec: str, ply: int) -> None:
    game = games.parse(spec)
    for position in some_positions(game, 12, 9):
        for tiebreak in ("left", "right"):
            fast = Lookahead(game, random.Random(1), ply=ply, tiebreak=tiebreak)
            slow = PositionLookahead(random.Random(1), ply=ply, tiebreak=tiebreak)
            assert set(slow.scores_for(position).values()) == set(fast.scores_for(position)) - {-1}
            if game.id != "puissance4" or tiebreak == "left":
                assert slow.choose(position, UNLIMITED) == fast.choose(position, UNLIMITED)


@pytest.mark.parametrize("spec", MASKED)
@pytest.mark.parametrize("breadth_first", [False, True])
def test_walks_end_where_they_do_on_masks(spec: str, *, breadth_first: bool) -> None:
    game = games.parse(spec)
    for position in some_positions(game, 8, 9):
        fast: Bot = Walker(game, breadth_first=breadth_first, positions=4000)
        slow: Bot = PositionWalker(breadth_first=breadth_first, positions=4000)
        assert slow.choose(position, UNLIMITED) == fast.choose(position, UNLIMITED)


@pytest.mark.parametrize("spec", ["morpion", "othello:size=4"])
def test_the_solver_agrees_with_those_of_the_games(spec: str) -> None:
    game = games.parse(spec)
    ours, theirs = PositionSolver(game, 8), make_solver(game, 8)
    assert theirs is not None
    for position in some_positions(game, 6, 9):
        value = theirs.score(position)
        sign = (value > 0) - (value < 0)
        assert ours.score(position) == sign
        assert [ours.is_above(position, bound) for bound in (-2, -1, 0, 1)] == [sign > b for b in (-2, -1, 0, 1)]


def slow_wins(position: Position, known: dict[str, bool]) -> bool:
    """Whether the side to move wins a game without draws: by definition, each notation once."""
    if position.notation not in known:
        known[position.notation] = any(
            outcome.winner is position.to_move if (outcome := after.outcome()) else not slow_wins(after, known)
            for after in map(position.play, position.legal_moves())
        )
    return known[position.notation]


@pytest.mark.slow
def test_breakthrough_of_four_is_won_by_the_second_seat() -> None:
    start = Breakthrough(4).start()
    assert not slow_wins(start, {})
    solution = solve(PositionSolver(Breakthrough(4), 64), start)
    assert solution.exact
    assert (solution.value, set(solution.moves.values())) == (-1, {-1})
    known: dict[str, bool] = {}
    for position in some_positions(Breakthrough(4), 20, 8):
        assert PositionSolver(Breakthrough(4), 1).score(position) == (1 if slow_wins(position, known) else -1)


def test_a_solver_that_is_stopped_knows_only_what_it_knew() -> None:
    solver = PositionSolver(Breakthrough(), 8)
    solver.stop()
    with pytest.raises(OutOfTimeError):
        solver.score(Breakthrough().start())
    assert not solver.best(Breakthrough().start()).exact
    solver.resume()
    assert solver.score(Breakthrough().position("O---------------------------X------- O")) == -1


def test_to_the_end_takes_the_first_of_the_best_moves() -> None:
    game = Breakthrough(4)
    solver = PositionSolver(game, 8)
    for position in some_positions(game, 10, 8):
        move = PositionSearchToTheEnd(game).choose(position, UNLIMITED)
        assert move == solve(solver, position).best[0]


def test_a_search_that_is_late_keeps_the_last_depth_that_it_finished() -> None:
    game = Breakthrough()
    calls = iter(range(10_000))
    search = PositionSearch(Seat.FIRST, measure_of(game).worth, lambda: next(calls) > 3)
    line = search.run(game.start(), game.start().legal_moves(), range(1, 20))
    assert 1 <= line.depth < 6
    assert line.moves[0] in game.start().legal_moves()


def test_a_game_without_a_measure_is_valued_by_its_score() -> None:
    assert measure_of(games.parse("morpion")).worth is made
    assert made(games.parse("othello").start().play("d3"), Seat.FIRST) == 3


def children(node: Node) -> dict[str, Node]:
    return {child.move: child for child in node.children}


@pytest.mark.parametrize("style", ["alphabeta", "plain"])
def test_minimax_is_explained_as_it_plays(style: str) -> None:
    game, bot = Breakthrough(4), parse_bot(f"minimax:depth=3,style={style}")
    for position in some_positions(game, 6, 8):
        explanation = explain(game, position, bot)
        assert explanation.move == bot.make(game, position.to_move, random.Random(1)).choose(position, UNLIMITED)
        worth, root = measure_of(game).worth, explanation.root
        assert root.value == plain_minimax(position, 3, 0, position.to_move, worth)
        assert all(node.kind is not Kind.REPLIES or node.children for node in root.walk())
        assert (explanation.unseen == 0) or style == "alphabeta"
        for move, child in children(root).items():
            value = plain_minimax(position.play(move), 2, 1, position.to_move, worth)
            assert child.value is not None
            exact = {"exact": child.value == value, "at_most": child.value >= value, "at_least": child.value <= value}
            assert exact[child.bound.value]


def test_walks_are_explained_as_they_play() -> None:
    game = Breakthrough(4)
    for name in ("dfs", "bfs"):
        for position in some_positions(game, 3, 8):
            bot = parse_bot(f"{name}:positions=100000")
            move = bot.make(game, position.to_move, random.Random(1)).choose(position, UNLIMITED)
            assert explain(game, position, bot).move == move


def test_the_mirror_is_breakthroughs_only_symmetry() -> None:
    symmetries, start = Symmetries(Breakthrough()), Breakthrough().start()
    assert symmetries.canonical(start.play("a2a3")) == symmetries.canonical(start.play("f2f3"))
    assert symmetries.canonical(start.play("a2a3")) != symmetries.canonical(start.play("b2b3"))


def test_a_game_longer_than_the_stack_is_not_solved() -> None:
    """As one that goes round in circles: there is no answer in time, and no traceback."""
    game = Breakthrough()
    solver = PositionSolver(game, 8)
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(60 + len(inspect.stack()))
    try:
        with pytest.raises(OutOfTimeError):
            solver.score(game.start())
        found = solver.best(game.start())
    finally:
        sys.setrecursionlimit(limit)
    assert not found.exact
    assert found.move in game.start().legal_moves()
