"""The opening book of Puissance 4: what is in it is right, as solving shows, and the perfect player finds it."""

import random
from pathlib import Path

import pytest

from bots.base import UNLIMITED, Thought
from bots.search import book
from bots.search.solver import make_solver
from bots.strong.perfect import Perfect
from games import Position, Puissance4
from games.base import position_after
from tools import make_book

GAME = Puissance4()


def after(moves: str) -> Position:
    return position_after(GAME, moves)


@pytest.mark.parametrize(
    ("moves", "score"),
    [("", 1), ("1", 2), ("2", 1), ("3", 0), ("4", -1), ("5", 0), ("6", 1), ("7", 2)],
)
def test_the_first_moves_are_worth_what_everybody_knows(moves: str, score: int) -> None:
    """The scores of the seven first moves from the empty board: -2 -1 0 1 0 -1 -2 for who plays them."""
    entry = book.look_up(after(moves))
    assert entry is not None
    assert entry.score == score
    assert entry.move in after(moves).legal_moves()


def test_a_mirror_image_has_the_mirrored_move() -> None:
    for moves in ("1", "2", "3"):
        here, there = book.look_up(after(moves)), book.look_up(after(str(8 - int(moves))))
        assert here is not None
        assert there is not None
        assert (int(here.move), here.score) == (8 - int(there.move), there.score)


def test_what_the_book_does_not_have_it_does_not_invent() -> None:
    assert book.look_up(after("111111")) is None
    assert book.look_up(after("12345671234567")) is None
    assert not book.is_for(Puissance4(7, 7, 4))


def test_words_are_in_order_and_each_position_stands_there_once() -> None:
    words = list(book.read())
    assert words == sorted(words)
    assert len({word >> 9 for word in words}) == len(words)


def sample(count: int) -> list[tuple[Position, book.BookEntry]]:
    """Positions of the book at its last plies, each on a way that the book itself goes."""
    rng, found = random.Random(7), dict[int, tuple[Position, book.BookEntry]]()
    for _ in range(2000):
        position, booked = GAME.start(), rng.randrange(2)
        entry, last = book.look_up(position), None
        for ply in range(book.PLIES + 1):
            if ply % 2 == booked:
                entry = book.look_up(position)
                if entry is None:
                    break
                last = position, entry
                position = position.play(entry.move)
            else:
                position = position.play(rng.choice(position.legal_moves()))
            if position.outcome() is not None:
                break
        if last is not None:
            found[book.key_of(last[0])[0]] = last
    deepest = sorted(found.values(), key=lambda each: each[0].notation.count("-"))
    return deepest[:count]


def test_whatever_the_opponent_plays_the_perfect_player_is_in_the_book() -> None:
    """Every turn of its own up to ply PLIES, as first and as second player."""
    met = set[int]()
    for booked in (0, 1):
        layer = [GAME.start()]
        for ply in range(book.PLIES + 1):
            if ply % 2 == booked:
                met |= {book.key_of(position)[0] for position in layer}
                layer = [position.play(book.look_up(position).move) for position in layer]  # type: ignore[union-attr]
            else:
                layer = list(make_book.replies(layer))
    assert met <= {word >> 9 for word in book.read()}


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_entries_are_what_solving_gives() -> None:
    solver = make_solver(GAME, 512)
    assert solver is not None
    for position, entry in sample(20):
        assert solver.score(position) == entry.score, position.notation
        assert -solver.score(position.play(entry.move)) == entry.score, position.notation


def test_the_perfect_player_plays_from_the_book_at_once_and_says_why() -> None:
    thoughts: list[Thought] = []
    bot = Perfect(GAME)
    bot.on_thought = thoughts.append
    assert bot.choose(GAME.start(), UNLIMITED) == "4"
    assert [(thought.score, thought.pv, thought.nodes) for thought in thoughts] == [(1, ("4",), 0)]


def test_a_journal_that_was_cut_off_is_read_as_far_as_it_goes(tmp_path: Path) -> None:
    journal = tmp_path / "journal.txt"
    journal.write_text("0 4 1 .\n128 3 1 .\n163", encoding="ascii")
    assert make_book.read_journal(journal) == {0: ("4", 1), 128: ("3", 1)}
