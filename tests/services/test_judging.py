"""The judge against oracles of its own: values found by plain enumeration, a blunder that all see.

No time is measured: what has to be exact here is exact in any time, or the limits are lifted.
"""

from __future__ import annotations

import random
import re

import pytest

from games import parse
from games.base import Position, Seat
from protocol import guide
from protocol.messages import Judged
from services.judging import GRADES, Judge, Times, Worth, chance_of, grade_of

PATIENT = Times(60.0, 60.0, 60.0, 60.0, 0.02, 0.01)
LOST = ("b2", "a2", "a1", "c3", "b1", "c1", "b3")
"""In morpion the second player must answer the centre in a corner."""


KNOWN: dict[str, int] = {}


def value(position: Position) -> int:
    """1, 0 or -1 for the first player: every game played to its end."""
    key = f"{position!r}"
    if key not in KNOWN:
        outcome = position.outcome()
        if outcome is not None:
            KNOWN[key] = 0 if outcome.winner is None else 1 if outcome.winner is Seat.FIRST else -1
        else:
            best = max if position.to_move is Seat.FIRST else min
            KNOWN[key] = best(value(position.play(move)) for move in position.legal_moves())
    return KNOWN[key]


def judged(spec: str, moves: tuple[str, ...]) -> dict[int, Judged]:
    return {step.ply: step for step in Judge(parse(spec), PATIENT).judge(moves)}


def a_game(spec: str, seed: int) -> tuple[str, ...]:
    chance, position, moves = random.Random(seed), parse(spec).start(), list[str]()
    while legal := position.legal_moves():
        moves.append(chance.choice(legal))
        position = position.play(moves[-1])
    return tuple(moves)


@pytest.mark.parametrize("spec", ["morpion", "puissance4:width=4,height=4,k=3", "othello:size=4"])
@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.slow
def test_small_games_are_judged_as_enumeration_does(spec: str, seed: int) -> None:
    moves = a_game(spec, seed)
    steps, position = judged(spec, moves), parse(spec).start()
    assert sorted(steps) == list(range(len(moves) + 1))
    for ply, move in enumerate((*moves, None)):
        step, worth = steps[ply], value(position)
        assert (step.exact, step.chance) == (True, 500 + 500 * worth)
        assert step.value is not None
        assert (step.value > 0) - (step.value < 0) == worth
        if move is None:
            assert (step.grade, step.best) == (None, ())
            break
        for best in step.best:
            assert value(position.play(best)) == worth
        after = position.play(move)
        if value(after) != worth:
            assert step.grade == "blunder"
            assert move not in step.best
        else:
            assert step.grade in ("best", "good")
        position = after


def test_the_last_position_is_told_first() -> None:
    plies = [step.ply for step in Judge(parse("morpion"), PATIENT).judge(LOST)]
    assert plies == list(range(len(LOST), -1, -1))


def test_a_known_blunder_is_graded_so_and_the_better_line_is_told() -> None:
    step = judged("morpion", LOST)[1]
    assert step.grade == "blunder"
    assert set(step.best) == {"a1", "c1", "a3", "c3"}
    assert step.line[0] == step.best[0]


def test_what_no_solver_reaches_is_an_opinion() -> None:
    hurried = Times(0.02, 0.02, 0.02, 0.02, 0.02, 0.02)
    steps = {step.ply: step for step in Judge(parse("breakthrough"), hurried).judge(("c2c3", "c5c4"))}
    for step in steps.values():
        assert (step.exact, step.value) == (False, None)
        assert 0 < step.chance < 1000
    assert steps[0].best
    assert steps[0].grade is not None


def test_the_protocol_tells_the_grades_that_are_given() -> None:
    told = dict(re.findall(r"^\| `(\w+)` \| (\d+) or more", guide.MATCHES, re.MULTILINE))
    assert told == {grade: str(least) for least, grade in GRADES if least}
    assert f"| `good` | less than {min(least for least, _ in GRADES if least)} |" in guide.MATCHES


def test_grades_by_what_was_given_away() -> None:
    def worth(chance: int, value: int | None = None) -> Worth:
        return Worth(Seat.FIRST, chance, value=value, best=("a",))

    for least, grade in GRADES:
        assert grade_of(worth(900), worth(900 - max(least, 1)), "b") == grade
    assert grade_of(worth(500), worth(520), "b") == "best"
    assert grade_of(worth(900), worth(100), "a") == "best", "an opinion of its own choice"
    assert grade_of(worth(1000, 8), worth(1000, 2), "b") == "good"
    assert grade_of(worth(500), Worth(Seat.SECOND, 400), "b") == "best", "what is theirs is not ours"


def test_chances_grow_with_the_score() -> None:
    chances = [chance_of(score, 6.0) for score in (-1_000_000, -12, -6, 0, 6, 12, 1_000_000)]
    assert chances == sorted(chances)
    assert (chances[0], chances[3], chances[-1]) == (0, 500, 1000)
    assert 700 <= chances[4] <= 760
