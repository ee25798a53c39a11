"""A review as a client folds it: grades, turning points, the better line, and what is said of all that."""

import pytest

import games
from client.people.reviewing import GameReview
from games.base import Seat
from protocol.messages import Reviewed
from protocol.values import Judged

MOVES = ("4", "4", "3", "1", "2")


def review(*steps: Judged, status: str = "done", **fields: object) -> GameReview:
    found = GameReview(games.parse("puissance4"), MOVES)
    found.begin()
    found.take(Reviewed("t", status, steps=steps, **fields))  # type: ignore[arg-type]
    return found


STEPS = (
    Judged(0, 500, grade="best"),
    Judged(1, 500, grade="good"),
    Judged(2, 520, best=("5",), grade="inaccuracy"),
    Judged(3, 600, best=("5", "2"), line=("5", "6", "8"), grade="blunder"),
    Judged(4, 1000, True, 9, ("5",), grade="mistake"),
    Judged(5, 1000, True, 9),
)


def test_turning_points_are_the_worst_in_their_order() -> None:
    assert review(*STEPS).turning_points() == [3, 4]
    assert review(*STEPS).turning_points(1) == [3]


def test_each_move_has_its_word_and_sign() -> None:
    found = review(*STEPS)
    assert [found.sign(ply) for ply in range(5)] == ["", "", "?!", "??", "?"]
    assert found.graded(3) == "4. 1: blunder"
    assert review().graded(3) == "4. 1"
    assert found.counts(Seat.FIRST) == "1 ?!  1 ?  0 ??"
    assert found.counts(Seat.SECOND) == "0 ?!  0 ?  1 ??"


def test_the_better_line_goes_as_far_as_the_rules_take_it() -> None:
    found = review(*STEPS)
    assert found.better(3) == ("5", "2")
    assert found.line(3) == ("5", "6")
    assert found.better(0) == found.line(0) == ()


@pytest.mark.parametrize(
    ("step", "said"),
    [
        (Judged(0, 351), "First player: 35 % (opinion)"),
        (Judged(0, 500, True), "A draw with best play (proven)."),
        (Judged(0, 1000, True), "The first player wins (proven)."),
        (Judged(0, 0, True), "The second player wins (proven)."),
    ],
)
def test_what_is_proven_and_what_is_thought_are_told_apart(step: Judged, said: str) -> None:
    assert review(step).worth(0) == said
    assert review(step).worth(1) == ""


@pytest.mark.parametrize(
    ("status", "fields", "said"),
    [
        ("queued", {"place": 2}, "In the queue: 2 before this one."),
        ("queued", {}, "The review begins ..."),
        ("running", {}, "0 of 6 positions judged, from the end on."),
        ("done", {}, "The review is complete."),
        ("failed", {"why": "being_played"}, "You or a neighbour may be playing this: ask again when the game is over."),
        ("failed", {"why": "no_service"}, "The server has nobody for that at the moment."),
    ],
)
def test_a_review_says_how_far_it_is(status: str, fields: dict[str, object], said: str) -> None:
    assert review(status=status, **fields).status() == said


def test_what_a_server_says_beyond_the_game_is_nothing() -> None:
    assert review(Judged(77, 500)).steps == {}
