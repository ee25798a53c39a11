"""Breakthrough: the rules again, slowly and on lists; counts from there; and what is known of the game."""

from collections.abc import Iterator
from random import Random

import pytest

from games import Breakthrough, IllegalMove, Reason, RulesError, Seat, parse
from games.breakthrough import BLOCKED, NO_PAWN_OF_YOURS, NO_STEP, ONTO_YOURS, pawns
from games.perft import perft, perft_by_moves

SIZES = range(4, 9)


class Slow:
    """A game in progress: rows from the bottom, 1 and 2 for the pawns, 0 for an empty cell."""

    def __init__(self, size: int) -> None:
        self.size, self.to_move = size, 1
        self.rows = [[1 if y < 2 else 2 if y >= size - 2 else 0 for _ in range(size)] for y in range(size)]

    def moves(self) -> Iterator[tuple[int, int, int, int]]:
        """Column and row, from where and to where."""
        if self.winner() is not None:
            return
        forward = 1 if self.to_move == 1 else -1
        for y in range(self.size):
            for x in range(self.size):
                if self.rows[y][x] != self.to_move or not 0 <= y + forward < self.size:
                    continue
                for x2 in (x - 1, x, x + 1):
                    if 0 <= x2 < self.size:
                        there = self.rows[y + forward][x2]
                        if there == 0 or (there != self.to_move and x2 != x):
                            yield x, y, x2, y + forward

    def after(self, move: tuple[int, int, int, int]) -> "Slow":
        """The game one move later."""
        x, y, x2, y2 = move
        copy = Slow(self.size)
        copy.rows = [row.copy() for row in self.rows]
        copy.rows[y][x], copy.rows[y2][x2] = 0, self.to_move
        copy.to_move = 3 - self.to_move
        return copy

    def winner(self) -> int | None:
        """1 or 2; None while the game goes on."""
        pawns = [cell for row in self.rows for cell in row]
        if 1 in self.rows[-1] or 2 not in pawns:
            return 1
        return 2 if 2 in self.rows[0] or 1 not in pawns else None

    def leaves(self, depth: int) -> int:
        """Perft."""
        if depth == 0 or self.winner() is not None:
            return 1
        return sum(self.after(move).leaves(depth - 1) for move in self.moves())


def named(move: tuple[int, int, int, int]) -> str:
    x, y, x2, y2 = move
    return f"{'abcdefgh'[x]}{y + 1}{'abcdefgh'[x2]}{y2 + 1}"


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.slow
def test_it_counts_what_the_slow_rules_count(size: int) -> None:
    start = Breakthrough(size).start()
    for depth in range(4):
        assert perft(start, depth) == Slow(size).leaves(depth)
    if size == 4:  # here games end within six plies
        assert [perft(start, depth) for depth in (5, 6)] == [Slow(4).leaves(depth) for depth in (5, 6)]
        assert perft(start, 6) == perft_by_moves(start, 6)


@pytest.mark.parametrize("size", SIZES)
def test_every_game_is_as_the_slow_rules_play_it_and_none_is_drawn(size: int) -> None:
    for seed in range(40):
        random, game, slow = Random(seed), Breakthrough(size), Slow(size)
        position, plies = game.start(), 0
        while position.outcome() is None:
            legal = {named(move): move for move in slow.moves()}
            assert set(position.legal_moves()) == set(legal)
            assert legal, "who has a pawn has a move"
            move = random.choice(sorted(legal))
            position, slow, plies = position.play(move), slow.after(legal[move]), plies + 1
            assert position.to_move == slow.to_move
            cells = [[position.cell(x, size - 1 - y) or 0 for x in range(size)] for y in range(size)]
            assert cells == slow.rows
        outcome = position.outcome()
        assert outcome is not None
        assert outcome.winner == slow.winner()
        assert outcome.score == ((1, 0) if outcome.winner is Seat.FIRST else (0, 1))
        assert plies <= game.longest


@pytest.mark.parametrize("size", SIZES)
def test_the_longest_game_takes_every_pawn_to_the_row_before_the_last_and_one_of_them_on(size: int) -> None:
    start = Breakthrough(size).start()
    ways = {Seat.FIRST: lambda y: y - 1, Seat.SECOND: lambda y: size - 2 - y}
    pawns = [(seat, y) for y in range(size) for x in range(size) if (seat := start.cell(x, y)) is not None]
    assert Breakthrough(size).longest == sum(ways[seat](y) for seat, y in pawns) + 1


def test_a_pawn_on_the_far_row_wins_and_its_cell_is_told() -> None:
    before = Breakthrough(4).position("----O-X----O---- X")
    outcome = before.play("c3d4").outcome()
    assert outcome is not None
    assert (outcome.winner, outcome.termination, outcome.cells) == (Seat.FIRST, "goal", ((3, 0),))


def test_the_last_pawn_that_is_captured_ends_it() -> None:
    outcome = Breakthrough(4).position("-----O----X----- X").play("c2b3").outcome()
    assert outcome is not None
    assert (outcome.winner, outcome.termination, outcome.cells) == (Seat.FIRST, "captured", ())


def test_straight_ahead_nothing_is_captured() -> None:
    position = Breakthrough(4).position("-----O---X------ X")
    assert position.legal_moves() == ("b2a3", "b2c3")
    with pytest.raises(IllegalMove) as refused:
        position.play("b2b3")
    assert refused.value.reason == BLOCKED.code


@pytest.mark.parametrize(
    ("move", "why"),
    [
        ("b2b3", BLOCKED.code),  # a pawn of the opponent
        ("b1b2", ONTO_YOURS.code),
        ("b1c2", ONTO_YOURS.code),
        ("b2b1", NO_STEP.code),
        ("b2b4", NO_STEP.code),
        ("b2d3", NO_STEP.code),
        ("b3b4", NO_PAWN_OF_YOURS.code),  # that of the opponent
        ("a4a3", NO_PAWN_OF_YOURS.code),
        ("a4d1", NO_PAWN_OF_YOURS.code),
        ("b2b5", Reason.OFF_BOARD),
        ("b2", Reason.NOT_A_MOVE),
        ("B2A3", Reason.NOT_A_MOVE),
    ],
)
def test_a_refusal_says_which_rule_it_was(move: str, why: str) -> None:
    """By what stands on the board: the first seat has b2, b1 and c2, the second b3."""
    position = Breakthrough(4).position("-----O---XX--X-- X")
    with pytest.raises(IllegalMove) as refused:
        position.play(move)
    assert refused.value.reason == why


def test_after_the_end_nothing_else_is_said() -> None:
    with pytest.raises(IllegalMove) as refused:
        Breakthrough(4).position("X------------O-- O").play("b1b2")
    assert refused.value.reason is Reason.GAME_OVER


@pytest.mark.parametrize("text", ["a2b3", "A2B3", " a2-b3 ", "a2xb3", "a2 b3"])
def test_a_move_may_be_typed_in_several_ways(text: str) -> None:
    assert Breakthrough().parse_move(text) == "a2b3"


def test_a_transcript_may_be_written_in_several_ways() -> None:
    moves = ("a2a3", "b5b4", "a3b4")
    for text in ("a2a3 b5b4 a3b4", "a2-a3, b5-b4, a3xb4", "A2A3B5B4A3B4"):
        assert Breakthrough().parse_transcript(text) == moves
    with pytest.raises(RulesError):
        Breakthrough().parse_transcript("a2a3 hello")


def test_a_board_without_pawns_is_no_position() -> None:
    with pytest.raises(RulesError, match="no pawn"):
        parse("breakthrough:size=4").position("---------------- X")


@pytest.mark.parametrize(
    ("cells", "winner"), [("---- ---- ---- X---", 1), ("O--- ---- ---- ----", 2), ("---- -X-- ---- ----", 1)]
)
def test_a_board_with_pawns_of_one_seat_is_over(cells: str, winner: int) -> None:
    outcome = parse("breakthrough:size=4").position(f"{cells.replace(' ', '')} X").outcome()
    assert outcome is not None
    assert outcome.winner == winner


def test_the_usual_board_has_no_options_in_its_name() -> None:
    assert Breakthrough().spec == parse("breakthrough").spec == "breakthrough"
    assert parse("breakthrough:size=5").spec == "breakthrough:size=5"
    (size,) = Breakthrough.options
    assert size.default == Breakthrough().size == 6


def test_what_its_measures_count_is_counted_again() -> None:
    """Ten for each pawn more, and the rows that the pawns have gone, in random games."""
    for seed in range(20):
        rng, position, slow = Random(seed), Breakthrough().start(), Slow(6)
        while moves := sorted(slow.moves()):
            rows = [(y, x) for y in range(6) for x in range(6)]
            mine = [y for y, x in rows if slow.rows[y][x] == 1]
            theirs = [5 - y for y, x in rows if slow.rows[y][x] == 2]
            worth = 10 * (len(mine) - len(theirs)) + sum(mine) - sum(theirs)
            assert (pawns(position, Seat.FIRST), pawns(position, Seat.SECOND)) == (worth, -worth)
            move = rng.choice(moves)
            position, slow = position.play(named(move)), slow.after(move)


@pytest.mark.parametrize("text", ["a1a7", "a6a7", "f2g3", "g2f3", "a0a1"])
def test_a_move_over_the_edge_is_off_the_board(text: str) -> None:
    """Whether its column or its row is too large."""
    with pytest.raises(IllegalMove) as refused:
        Breakthrough().parse_move(text)
    assert refused.value.reason is Reason.OFF_BOARD


@pytest.mark.parametrize("move", ["a2a4", "a2a3x", "a1a2", "a5a4"])
def test_cells_are_told_of_legal_moves_alone(move: str) -> None:
    """A step onto an own pawn, one of the other seat and two rows at once have cells, too."""
    game = parse("breakthrough")
    position = game.start()
    assert game.move_cells(position, "a2a3") == ((0, 4), (0, 3))
    with pytest.raises(IllegalMove):
        game.move_cells(position, move)
