"""Openings: different, legal, balanced when asked, and the same for the same seed."""

from collections.abc import Iterable
from typing import ClassVar

import pytest

import games
from games import Position
from games.base import Profile, position_after
from games.puissance4 import Puissance4Position
from league.config import usual_for
from league.pairing.balance import balance_of
from league.pairing.openings import (
    Census,
    Openings,
    OpeningsError,
    Symmetries,
    listed,
    openings,
    two_ply,
    usual_plies,
)

GAMES = ["othello", "othello:size=6", "puissance4", "morpion", "morpion:width=5,height=4,k=4", "breakthrough"]


def no_file(path: str) -> Iterable[str]:
    raise AssertionError(path)


def make(text: str, spec: str, seed: str = "7") -> Openings:
    return openings(text, games.parse(spec), seed, read=no_file)


def position(spec: str, moves: Iterable[str]) -> Position:
    return position_after(games.parse(spec), moves)


# Morpion: the classes of two marks under eight symmetries. Puissance 4: of 49, only 4-4 is its own mirror image, so
# (49 + 1) / 2. Othello: perpendicular, diagonal, parallel.
@pytest.mark.parametrize(
    ("spec", "count"),
    [("morpion", 12), ("puissance4", 25), ("othello", 3), ("othello:size=6", 3), ("puissance4:width=6,height=6", 18)],
)
def test_two_ply_openings_up_to_symmetry(spec: str, count: int) -> None:
    assert len(two_ply(games.parse(spec))) == count


@pytest.mark.parametrize("spec", GAMES)
def test_random_openings_differ_and_come_again_with_their_seed(spec: str) -> None:
    game = games.parse(spec)
    one, two = make("random:plies=4", spec), make("random:plies=4", spec)
    picked = [one.pick(number) for number in range(15)]
    assert picked == list(reversed([two.pick(number) for number in reversed(range(15))]))
    assert picked != [make("random:plies=4", spec, "8").pick(number) for number in range(15)]
    canonical = Symmetries(game).canonical
    assert len({canonical(position(spec, moves)) for moves in picked}) == 15
    assert all(len(moves) == 4 and position(spec, moves).outcome() is None for moves in picked)


OF_TWENTY_BOTS = 190
FEWER = {
    "morpion": 29,
    "morpion:width=4,height=3,k=3": 120,
    "othello:size=4": 98,
    "breakthrough:size=4": 187,
}
"""How many openings there are on small boards, of which a third of a game makes no more."""


@pytest.mark.parametrize("spec", [board for kind in games.GAMES.values() for board in (kind.id, *kind.profile.boards)])
def test_the_usual_openings_are_enough_for_a_round_robin_of_twenty(spec: str) -> None:
    game = games.parse(spec)
    some = openings(usual_for(spec)["openings"], game, "7", read=no_file, balanced=balance_of(game))
    census = Census(game)
    census.take([some.pick(number) for number in range(OF_TWENTY_BOTS)])
    assert census.different == FEWER.get(spec, OF_TWENTY_BOTS)


def test_the_usual_openings_are_no_deeper_than_they_must_be() -> None:
    """Each random move may be a mistake. Counted by hand: 1, 3, 14 and 60 positions after so many moves of Othello."""
    othello = games.parse("othello")
    assert [usual_plies(othello, least) for least in (1, 3, 4, 14, 15, 60)] == [1, 2, 3, 3, 4, 4]
    assert usual_plies(games.parse("morpion"), 10_000) == 3, "a third of its game"
    assert usual_plies(games.parse("morpion:width=2,height=2,k=2"), 10) == 1


class Booked(games.Othello):
    profile: ClassVar[Profile] = games.Othello.profile._replace(openings="two-ply")


def test_a_game_may_have_usual_openings_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(games, "parse", lambda _text: Booked())
    assert usual_for("booked")["openings"] == "two-ply"
    assert usual_for("booked", tested=True)["openings"] == "random:plies=7"


def test_a_board_that_is_not_square_has_four_symmetries() -> None:
    spec = "morpion:width=4,height=3,k=3"
    canonical = Symmetries(games.parse(spec)).canonical
    assert len({canonical(position(spec, (corner,))) for corner in ("a1", "d1", "a3", "d3")}) == 1


def test_openings_begin_again_when_none_is_left() -> None:
    some = make("two-ply", "othello")
    picked = [some.pick(number) for number in range(7)]
    assert picked[:3] == picked[3:6]
    assert len(set(picked)) == 3
    few = make("random:plies=1", "othello")
    assert all(len(few.pick(number)) == 1 for number in range(3))
    assert make("none", "othello").pick(5) == ()


def test_a_check_refuses_what_is_not_balanced() -> None:
    def balanced(reached: Position) -> bool:
        return reached.score()[0] == reached.score()[1]

    some = openings("random:plies=3", games.parse("othello"), "1", read=no_file, balanced=balanced)
    with pytest.raises(OpeningsError, match="No balanced opening of 3 moves"):
        some.pick(0)
    some = openings("random:plies=4", games.parse("othello"), "1", read=no_file, balanced=balanced)
    for number in range(5):
        first, second = position("othello", some.pick(number)).score()
        assert first == second


def test_a_check_is_asked_once_about_each_position_and_what_it_refuses_never_comes() -> None:
    """Also when all that it lets through were given out, and begin again."""
    canonical = Symmetries(games.parse("morpion")).canonical
    corner = canonical(position("morpion", ["a1"]))
    asked: list[str] = []

    def balanced(reached: Position) -> bool:
        asked.append(canonical(reached))
        return asked[-1] != corner

    some = openings("random:plies=1", games.parse("morpion"), "1", read=no_file, balanced=balanced)
    given = [canonical(position("morpion", some.pick(number))) for number in range(30)]
    assert corner not in given
    assert all(given[number] != given[number + 1] for number in range(0, 30, 2)), "two, and then both again"
    assert asked.count(corner) == 1


def test_the_order_of_two_ply_openings_is_the_seeds() -> None:
    orders = {seed: [make("two-ply", "puissance4", seed).pick(number) for number in range(25)] for seed in "78"}
    assert sorted(orders["7"]) == sorted(orders["8"]) == sorted(two_ply(games.parse("puissance4")))
    assert orders["7"] != orders["8"]


class Begun(games.Puissance4):
    """A game that starts with a disc on the floor: upside down it would hang in the air."""

    def start(self) -> Puissance4Position:
        return self.position("-----" + "--X-- O")


def test_what_turns_the_start_into_no_position_is_no_symmetry() -> None:
    canonical = Symmetries(game := Begun(width=5, height=2)).canonical
    texts = (
        "X----O-X-- O",
        "----X--X-O O",
        "O----X-X-- O",
    )  # the second mirrors the first, the last has it upside down
    one, mirrored, turned = (canonical(game.position(text)) for text in texts)
    assert one == mirrored != turned


def test_openings_of_the_most_moves_that_may_be_asked_for() -> None:
    assert len(make("random:plies=30", "othello").pick(0)) == 30


@pytest.mark.parametrize("text", ["random", "random:plies=0", "random:plies=x", "random:plies=31", "random:depth=4"])
def test_what_is_no_opening_is_refused(text: str) -> None:
    with pytest.raises(OpeningsError, match="Openings are none, two-ply, random:plies=N"):
        make(text, "othello")


def test_a_file_of_openings() -> None:
    lines = ["# perpendicular and diagonal", "", "f5f6  # the one", "  f5d6", "F5 f4"]
    game = games.parse("othello")
    asked: list[str] = []

    def read(path: str) -> list[str]:
        asked.append(path)
        return lines

    some = openings("my openings.txt", game, "1", read=read)
    assert asked == ["my openings.txt"]
    assert [some.pick(number) for number in range(4)] == [("f5", "f6"), ("f5", "d6"), ("f5", "f4"), ("f5", "f6")]


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (["4", "9"], "Line 2"),
        (["1111111"], "Line 1"),
        (["4", "# x", "1212121"], "Line 3: this game is over"),
        (["# nothing"], "There is no opening in the file"),
    ],
)
def test_a_file_with_a_mistake_is_refused_with_its_line(lines: list[str], message: str) -> None:
    with pytest.raises(OpeningsError, match=message):
        listed(games.parse("puissance4"), lines)
