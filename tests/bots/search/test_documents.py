"""The figures of the class documents, each against our own bots. Facts only; no code of theirs."""

import random

import pytest

import games
from bots.base import UNLIMITED, parse_bot
from bots.classroom.lookahead import Lookahead
from bots.search.evaluation import discs, make_lines_evaluation, make_positional
from bots.search.kernels import seat_masks
from games import Morpion, Othello, Position, Puissance4, Seat
from tests.bots.search.boards import of_columns, of_rows
from tests.bots.search.documents import COLUMNS_002, EXAMPLES

OTHELLO_000 = [
    [1, 1, 2, 1, 0, 0, 0, 0],
    [0, 0, 2, 0, 0, 0, 0, 0],
    [0, 0, 2, 2, 0, 0, 0, 0],
    [0, 0, 0, 2, 1, 0, 0, 0],
    [0, 0, 0, 1, 2, 0, 0, 0],
    [0, 0, 2, 0, 0, 1, 0, 0],
    [0, 0, 0, 0, 0, 0, 0, 0],
    [0, 0, 0, 0, 0, 0, 0, 0],
]


def player(tiebreak: str, ply: int) -> Lookahead:
    return Lookahead(Puissance4(), random.Random(2), ply=ply, tiebreak=tiebreak)


def play_out(spec: str, first: str, second: str) -> Position:
    game = games.parse(spec)
    bots = {
        Seat.FIRST: parse_bot(first).make(game, Seat.FIRST, random.Random(1)),
        Seat.SECOND: parse_bot(second).make(game, Seat.SECOND, random.Random(2)),
    }
    position = game.start()
    while position.outcome() is None:
        position = position.play(bots[position.to_move].choose(position, UNLIMITED))
    return position


def test_positional_evaluation() -> None:
    """000_f36bc23e995ed4a7.txt: evaluation(config, JOUEUR_NOIR) is 800."""
    position = of_rows(Othello(), OTHELLO_000)
    assert make_positional(Othello())(*seat_masks(position, Seat.FIRST)) == 800


def test_gains_are_not_cumulative() -> None:
    """000_f36bc23e995ed4a7.txt: a corner is worth 1000, not 1300; (1,2), (2,2), (2,1) -500; the rest of an edge 300."""
    cells = make_positional(Othello())
    grid = Othello().board.grid
    table = [[cells(grid.bit(x, y), 0) for x in range(8)] for y in range(8)]
    rim = [1000, -500, 300, 300, 300, 300, -500, 1000]
    second = [-500, -500, 0, 0, 0, 0, -500, -500]
    inner = [300, 0, 0, 0, 0, 0, 0, 300]
    assert table == [rim, second, inner, inner, inner, inner, second, rim]


def test_disc_difference() -> None:
    """001_9af9f924fa63f882.txt, question 3: black discs less white discs, positive when black leads."""
    position = of_rows(Othello(), OTHELLO_000)
    assert discs(*seat_masks(position, Seat.FIRST)) == 6 - 7
    assert discs(*seat_masks(position, Seat.SECOND)) == 7 - 6
    after = Othello().start().play("d3")
    assert discs(*seat_masks(after, Seat.FIRST)) == 4 - 1


@pytest.mark.parametrize(
    ("rows", "seat", "value"),
    [
        ([[0, 0, 0], [0, 1, 0], [0, 0, 0]], Seat.FIRST, 4),
        ([[2, 0, 0], [0, 1, 0], [0, 0, 0]], Seat.SECOND, -1),
        ([[1, 0, 0], [1, 0, 0], [0, 0, 2]], Seat.FIRST, 1),
    ],
)
def test_open_lines_heuristic(rows: list[list[int]], seat: Seat, value: int) -> None:
    """003_0af8c295efa069a6.txt: heuristic(grid, player), the two assertions and the worked example."""
    game = Morpion()
    assert make_lines_evaluation(game)(*seat_masks(of_rows(game, rows), seat)) == value


def test_open_lines_of_the_worked_example() -> None:
    """003_0af8c295efa069a6.txt: 2 rows, 2 columns, 1 diagonal are open to X; 1, 2 and 1 to O."""
    game = Morpion()
    own, other = seat_masks(of_rows(game, [[1, 0, 0], [1, 0, 0], [0, 0, 2]]), Seat.FIRST)
    everywhere = make_lines_evaluation(game)
    assert everywhere(0, other) == (2 + 2 + 1) - 8
    assert everywhere(own, 0) == 8 - (1 + 2 + 1)


@pytest.mark.parametrize(
    ("to_move", "ply", "scores"),
    [
        ("X", 0, [50, 50, 50, 50, 50, 50, 50]),
        ("O", 1, [50, 50, 50, 100, 50, 50, 50]),
        ("X", 2, [0, 0, 0, 50, 0, 0, 0]),
        ("X", 3, [0, 0, 0, 100, 0, 0, 0]),
        ("O", 3, [50, 50, 50, 100, 50, 50, 50]),
        ("O", 4, [0, 0, 0, 100, 0, 0, 0]),
    ],
)
def test_scores_for(to_move: str, ply: int, scores: list[int]) -> None:
    """002_177ad5cba4f15bca.txt: scoresFor on setBoard('1211244445')."""
    position = of_columns(Puissance4(), COLUMNS_002, to_move)
    assert player("left", ply).scores_for(position) == scores


@pytest.mark.parametrize(("to_move", "score"), [("X", 100), ("O", 0)])
def test_score_of_a_board_that_is_won(to_move: str, score: int) -> None:
    """002_177ad5cba4f15bca.txt: scoreBoard after '01020305' is 100 for X and 0 for O, whatever they would play."""
    position = of_columns(Puissance4(), "0102030", to_move)
    assert player("left", 3).scores_for(position) == [score] * 7


def test_score_of_an_empty_board() -> None:
    """002_177ad5cba4f15bca.txt: nothing is decided on an empty board."""
    assert player("left", 0).scores_for(Puissance4().start()) == [50] * 7


def test_a_full_column_scores_minus_one() -> None:
    """002_177ad5cba4f15bca.txt: -1 stands for a column that is full."""
    position = of_columns(Puissance4(), "222222", "X")
    assert player("left", 2).scores_for(position) == [50, 50, -1, 50, 50, 50, 50]


@pytest.mark.parametrize(("tiebreak", "index"), [("left", 2), ("right", 5)])
def test_tiebreak_move(tiebreak: str, index: int) -> None:
    """002_177ad5cba4f15bca.txt: tiebreakMove([0, 0, 50, 0, 50, 50, 0])."""
    assert player(tiebreak, 1).tiebreak_move([0, 0, 50, 0, 50, 50, 0]) == index


def test_a_random_tiebreak_takes_each_of_the_best() -> None:
    """002_177ad5cba4f15bca.txt: RANDOM picks among the best of [50, 100, 100, 50, 50, 100, 50]: 1, 2 and 5."""
    chooser = player("random", 1)
    assert {chooser.tiebreak_move([50, 100, 100, 50, 50, 100, 50]) for _ in range(100)} == {1, 2, 5}


@pytest.mark.parametrize(
    ("tiebreak", "ply", "column"),
    [("left", 1, 0), ("right", 1, 6), ("left", 2, 3), ("right", 2, 3), ("random", 2, 3)],
)
def test_next_move(tiebreak: str, ply: int, column: int) -> None:
    """002_177ad5cba4f15bca.txt: nextMove for X on setBoard('1211244445'), 0-based columns."""
    position = of_columns(Puissance4(), COLUMNS_002, "X")
    assert player(tiebreak, ply).choose(position, UNLIMITED) == str(column + 1)


@pytest.mark.parametrize(("first", "second", "winner", "rows"), EXAMPLES)
def test_play_game(first: int, second: int, winner: Seat, rows: list[str]) -> None:
    """002_177ad5cba4f15bca.txt: the three games of playGame with LEFT, their last boards and winners."""
    position = play_out("puissance4", f"lookahead:ply={first},tiebreak=left", f"lookahead:ply={second},tiebreak=left")
    outcome = position.outcome()
    assert outcome is not None
    assert outcome.winner is winner
    assert position.notation.split()[0] == "".join(rows)


def test_first_is_the_first_legal_move() -> None:
    """001_9af9f924fa63f882.txt, question 2 (jeuStupide), and the legal moves of 000_f36bc23e995ed4a7.txt."""
    bot = parse_bot("first").make(Othello(), Seat.FIRST, random.Random(0))
    assert bot.choose(Othello().start(), UNLIMITED) == "d3"
