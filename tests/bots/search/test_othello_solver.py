"""`arbitre solve othello`: published ends, small boards, time that is up, and warm answers line by line."""

import json

import pytest
from click.testing import CliRunner

import games
from bots.commands.solve_cli import solve_command
from bots.search.othello_solver import OthelloSolver, make_solver
from bots.search.solver import OutOfTimeError, limited, solve
from games.base import Position
from games.othello import Othello
from tests.games.published import othello_ends

FFO_20 = next(end for end in othello_ends() if end.problem == 20)


def solver_of(spec: str) -> OthelloSolver:
    game = games.parse(spec)
    assert isinstance(game, Othello)
    return make_solver(game, 8)


def test_every_move_of_a_published_end() -> None:
    solution = solve(solver_of("othello"), games.parse("othello").position(FFO_20.notation))
    assert solution.exact
    assert solution.value == 6
    assert solution.best == ("h5",)
    assert solution.moves == FFO_20.scores


def test_published_positions_through_the_rules() -> None:
    """Side to move, passes and names of moves as the rules have them."""
    solver, game = solver_of("othello"), games.parse("othello")
    for end in othello_ends()[:3]:
        assert solve(solver, game.position(end.notation)).moves == end.scores


def test_a_game_that_is_over_is_worth_what_it_brought() -> None:
    for spec, cells in (("othello", "X" * 40 + "-" * 24), ("othello:size=4", "X" * 10 + "-" * 6)):
        position = games.parse(spec).position(f"{cells} X")
        assert solver_of(spec).score(position) == len(cells)


def worst_case(position: Position) -> int:
    """Plain minimax on positions, in discs for the seat to move."""
    outcome = position.outcome()
    if outcome is not None:
        first, second = outcome.tournament_score or (0, 0)
        return first - second if position.to_move == 1 else second - first
    values = []
    for move in position.legal_moves():
        after = position.play(move)
        values.append(worst_case(after) * (1 if after.to_move is position.to_move else -1))
    return max(values)


def test_a_small_board_by_plain_minimax() -> None:
    game = games.parse("othello:size=4")
    position = game.start()
    for move in ("a2", "a1", "c1", "d1"):
        if move in position.legal_moves():
            position = position.play(move)
    assert solver_of("othello:size=4").score(position) == worst_case(position)


def test_time_that_is_up_says_so() -> None:
    solver, start = solver_of("othello"), games.parse("othello").start()
    solution = solve(solver, start, seconds=0.05)
    assert not solution.exact
    assert solution.value is None
    with limited(solver, 0.01), pytest.raises(OutOfTimeError):
        solver.score(start)


def test_the_best_move_is_heard_of_as_it_is_found() -> None:
    told: list[int] = []
    found = solver_of("othello").best(
        games.parse("othello").position(FFO_20.notation), lambda each: told.append(each.depth)
    )
    assert (found.move, found.score, found.exact) == ("h5", 6, True)
    assert told == sorted(told)


def test_lines_are_answered_one_by_one() -> None:
    lines = f"{FFO_20.notation}; H5:+6;\n{FFO_20.notation}\nnonsense\n"
    done = CliRunner().invoke(solve_command, ["othello", "--position", "-", "--memory", "8"], input=lines)
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert [answer.get("value") for answer in answers[:2]] == [6, 6]
    assert answers[0]["moves"] == FFO_20.scores
    assert answers[0]["best"] == ["h5"]
    assert answers[0]["exact"] is True
    assert done.exit_code == 1
