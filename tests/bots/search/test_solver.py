"""The exact solvers: against published scores, against plain searches, and against the results of m,n,k games.

tests/data/README.md says where the scores of Puissance 4 and the results of m,n,k games come from.
"""

import json
import os
import random
import subprocess
import sys
import threading
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

import pytest

import games
from bots.base import Budget, parse_bot
from bots.search import compiled
from bots.search.line_search import LineSearch
from bots.search.morpion import MorpionSolver
from bots.search.puissance4 import Puissance4Solver
from bots.search.solver import OutOfTimeError, Solver, limited, make_solver, solve
from bots.strong.perfect import Perfect
from games import Game, Morpion, Position, Puissance4, Seat
from games.base import position_after
from tests.games.published import MnkResult, mnk_results, puissance4_scores

ROOT = Path(__file__).parents[3]
needs_numba = pytest.mark.skipif(not compiled.is_available(), reason="numba is not installed")
SCORES = puissance4_scores()


@lru_cache(maxsize=8)
def solver_of(spec: str) -> Solver:
    solver = make_solver(games.parse(spec), 64)
    assert solver is not None
    return solver


def after(game: Game, transcript: str) -> Position:
    return position_after(game, game.parse_transcript(transcript))


@needs_numba
@pytest.mark.parametrize(
    ("name", "lines"),
    [("L3_R1", 24), ("L2_R1", 24), ("L2_R2", 20), ("L1_R1", 20), ("L1_R2", 3)]
    + [pytest.param(name, n, marks=pytest.mark.slow) for name, n in (("L1_R2", 20), ("L1_R3", 2))]
    + [pytest.param("L1_R3", 20, marks=[pytest.mark.thorough, pytest.mark.timeout(600)])],
)
def test_scores_are_those_that_were_published(name: str, lines: int) -> None:
    solver = solver_of("puissance4")
    assert len(SCORES[name]) >= lines
    for moves, score in SCORES[name][:lines]:
        assert solver.score(after(Puissance4(), moves)) == score, moves


def late_positions(game: Game, count: int, left: int, seed: int) -> Iterator[Position]:
    """Random positions that are not over, with at most `left` empty cells."""
    rng = random.Random(seed)
    while count:
        position = game.start()
        while position.outcome() is None:
            if len(position.notation.split()[0].replace("X", "").replace("O", "")) <= left:
                yield position
                count -= 1
                break
            position = position.play(rng.choice(position.legal_moves()))


@needs_numba
@pytest.mark.parametrize(
    ("spec", "count", "left"),
    [
        ("puissance4", 300, 9),
        pytest.param("puissance4", 1000, 11, marks=pytest.mark.slow),
        ("puissance4:width=5,height=5", 200, 9),
        ("puissance4:width=9,height=5", 100, 8),
        ("morpion:width=4,height=4,k=4", 200, 6),
        ("morpion:width=5,height=4,k=3", 300, 8),
        ("morpion:width=5,height=5,k=5", 150, 6),
        ("morpion:width=7,height=6,k=5", 150, 6),
    ],
)
@pytest.mark.slow
def test_machine_code_and_plain_python_agree(spec: str, count: int, left: int) -> None:
    game = games.parse(spec)
    fast = solver_of(spec)
    plain: Solver
    if isinstance(game, Puissance4):
        plain = Puissance4Solver(game, LineSearch(game))
    else:
        assert isinstance(game, Morpion)
        plain = MorpionSolver(game, LineSearch(game))
    for position in late_positions(game, count, left, seed=len(spec)):
        value = plain.score(position)
        assert fast.score(position) == value, position.notation
        found = fast.best(position)
        assert found.exact
        assert found.score == value
        assert -plain.score(position.play(found.move)) == value, position.notation


@pytest.mark.parametrize(
    "known",
    [pytest.param(known, marks=pytest.mark.slow) if known[:3] == (5, 5, 5) else known for known in mnk_results()],
    ids=lambda known: "-".join(map(str, known[:3])),
)
@needs_numba
def test_mnk_games_end_as_is_known(known: MnkResult) -> None:
    game = Morpion(known.width, known.height, known.in_line)
    assert solver_of(game.spec).score(game.start()) == known.first_wins


@pytest.mark.parametrize(
    ("spec", "moves", "value"),
    [
        ("morpion", "", 0),
        ("morpion:width=4,height=3,k=3", "", 1),
        ("puissance4", "2252576253462244111563365343671351441", -1),  # the first line of L3_R1
        ("puissance4:width=4,height=4,k=3", "", 4),
    ],
)
def test_without_numba_the_values_are_the_same(
    spec: str, moves: str, value: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(compiled, "find_spec", lambda name: None)
    game = games.parse(spec)
    solver = make_solver(game)
    assert solver is not None
    assert solver.score(after(game, moves)) == value


def test_every_move_of_a_position_has_its_value() -> None:
    solution = solve(solver_of("morpion"), after(Morpion(), "b2"))
    assert solution.exact
    assert solution.value == 0
    assert set(solution.best) == {"a1", "c1", "a3", "c3"}, "only a corner draws against the centre"
    assert {solution.moves[edge] for edge in ("b1", "a2", "c2", "b3")} == {-1}


def test_a_game_that_is_over_has_a_value_and_no_moves() -> None:
    won = after(Puissance4(), "4142434")  # X has four in column 4: his fourth disc
    solution = solve(solver_of("puissance4"), won)
    assert (solution.value, solution.best, dict(solution.moves)) == (-(22 - 4), (), {})
    drawn = after(Morpion(), "a1 b2 c3 b1 b3 a3 c1 c2 a2")
    assert solve(solver_of("morpion"), drawn).value == 0


@needs_numba
def test_a_search_that_is_out_of_time_says_so_and_knows_nothing_wrong() -> None:
    solver = make_solver(Puissance4(), 8)
    assert solver is not None
    with limited(solver, 0.02), pytest.raises(OutOfTimeError):
        solver.score(Puissance4().start())
    stopped = solver.nodes
    assert solver.score(after(Puissance4(), "32164625")) == 11  # the first line of L1_R1
    assert solver.nodes > stopped, "it searches again after a stop"
    solution = solve(solver, Puissance4().start(), 0.02)
    assert (solution.value, solution.best, solution.exact) == (None, (), False)


@needs_numba
def test_what_is_known_when_the_time_is_up_is_played() -> None:
    solver = make_solver(Puissance4(), 8)
    assert solver is not None
    position = after(Puissance4(), "44")
    with limited(solver, 0.02):
        found = solver.best(position)
    assert not found.exact
    assert found.move in position.legal_moves()


def test_perfect_wins_as_early_and_loses_as_late_as_can_be() -> None:
    game = Puissance4()
    position = after(game, "5554224333234511764415115")  # 4 for the side to move: the first line of L2_R1
    bot, value = Perfect(game), 4
    while position.outcome() is None:
        assert solver_of("puissance4").score(position) == value
        position = position.play(bot.choose(position, Budget()))
        value = -value
    assert value == -4, "the second player has won"
    assert sum(cell == "O" for cell in position.notation.split()[0]) == 22 - 4, "with the disc that the score says"


def test_perfect_draws_morpion_against_itself_and_never_loses_to_chance() -> None:
    game = Morpion()
    rng = random.Random(3)
    for number in range(60):
        seat = Seat(1 + number % 2)
        bot = parse_bot("perfect").make(game, seat, rng)
        position: Position = game.start()
        while position.outcome() is None:
            mine = position.to_move is seat or number >= 50
            move = bot.choose(position, Budget()) if mine else rng.choice(position.legal_moves())
            position = position.play(move)
        outcome = position.outcome()
        assert outcome is not None
        assert outcome.winner is not seat.other
        assert number < 50 or outcome.winner is None


@needs_numba
def test_other_threads_run_while_it_searches() -> None:
    """Were the interpreter's lock held, nobody could stop a search that takes a minute."""
    solver = make_solver(Puissance4(), 8)
    assert solver is not None
    ended: list[bool] = []

    def search() -> None:
        with pytest.raises(OutOfTimeError):
            solver.score(Puissance4().start())
        ended.append(True)

    thread = threading.Thread(target=search)
    thread.start()
    before = solver.nodes
    while solver.nodes <= before + 10_000:
        assert thread.is_alive()
    solver.stop()
    thread.join(timeout=30)
    assert ended == [True]


@needs_numba
@pytest.mark.timeout(400)
@pytest.mark.parametrize(
    ("game", "moves", "value"),
    [
        ("puissance4", "32164625", 11),
        ("morpion:width=5,height=4,k=4", "c2", 0),
    ],
)
@pytest.mark.slow
def test_machine_code_works_cold_and_warm(game: str, moves: str, value: int, tmp_path: Path) -> None:
    """A process that compiles, and one that takes what it left: a wrong type would crash only the second."""
    kept = []
    for _ in range(2):
        done = subprocess.run(
            [sys.executable, "-m", "arbitre", "solve", game, moves, "--memory", "8", "--json"],
            cwd=ROOT,
            env={**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)},
            capture_output=True,
            text=True,
            check=False,
            timeout=180,
        )
        assert done.returncode == 0, done.stderr
        assert json.loads(done.stdout)["value"] == value
        kept.append({path: path.stat().st_mtime_ns for path in tmp_path.rglob("*.code")})
    assert kept[0], "the first process keeps its machine code"
    assert kept[0] == kept[1], "the second finds all of it"


@pytest.mark.slow
@pytest.mark.timeout(600)
@needs_numba
def test_perfect_wins_every_game_as_first_against_random() -> None:
    game, rng = Puissance4(), random.Random(20)
    for _ in range(20):
        bot, position = Perfect(game, longest_s=60), game.start()
        while position.outcome() is None:
            mine = position.to_move is Seat.FIRST
            position = position.play(bot.choose(position, Budget()) if mine else rng.choice(position.legal_moves()))
        outcome = position.outcome()
        assert outcome is not None
        assert outcome.winner is Seat.FIRST


@pytest.mark.slow
@pytest.mark.timeout(900)
@needs_numba
def test_perfect_never_gives_away_what_it_has_as_second_against_minimax() -> None:
    game, judge = Puissance4(), make_solver(Puissance4(), 256)
    assert judge is not None
    for seed in range(5):
        bot = Perfect(game, longest_s=60)  # a busy machine gives it little of five seconds
        opponent = parse_bot("minimax:depth=4,tiebreak=random").make(game, Seat.FIRST, random.Random(seed))
        position: Position = game.start()
        while position.outcome() is None:
            if position.to_move is Seat.FIRST:
                position = position.play(opponent.choose(position, Budget()))
                continue
            after_move = position.play(bot.choose(position, Budget()))
            if position.notation.count("-") <= 33:  # before that the book's own tests look
                assert -judge.score(after_move) == judge.score(position), position.notation
            position = after_move
