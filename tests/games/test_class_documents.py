"""What the class documents say about the rules, as tests; each names its document. Facts only: boards and numbers.

Documents: 000_f36bc23e995ed4a7 (Othello, Puissance 4), 001_9af9f924fa63f882 (Othello), 002_177ad5cba4f15bca
(Puissance 4), 003_0af8c295efa069a6 (morpion), 004_b5552201a93ea9e6 (morpion, Puissance 4).
"""

import pytest

from games import IllegalMove, Morpion, Othello, Puissance4, Reason, Seat, Termination
from games.othello import FLIPS_NOTHING, OthelloPosition
from tests.games.boards import Rows, drawn, notation, place, played, rows_of
from tests.games.published import OTHELLO_GAMES

OTHELLO = Othello()
PUISSANCE4 = Puissance4()
MORPION = Morpion()
BLACK, WHITE = Seat.FIRST, Seat.SECOND

START = """
· · · · · · · ·
· · · · · · · ·
· · · · · · · ·
· · · □ ■ · · ·
· · · ■ □ · · ·
· · · · · · · ·
· · · · · · · ·
· · · · · · · ·
"""

AFTER_C4 = START.replace("· · · □ ■", "· · ■ ■ ■")

DIRECTIONS = START.replace("· · · ■ □ · · ·\n· · · · · · · ·", "· · · ■ □ · · ·\n· · □ · · ■ · ·")


def othello(text: str, to_move: Seat) -> OthelloPosition:
    return OTHELLO.position(notation(drawn(text), to_move))


def xy(position: OthelloPosition) -> list[tuple[int, int]]:
    """The legal moves as the documents write them: (x, y) from 1."""
    grid = OTHELLO.board.grid
    cells = [grid.places[grid.bit_of[move]] for move in position.legal_moves()]
    return [(x + 1, y + 1) for x, y in cells]


class TestOthelloIn000:
    """000_f36bc23e995ed4a7.txt, first and second part."""

    def test_initial_board(self) -> None:
        start = OTHELLO.start()
        assert rows_of(OTHELLO, start) == drawn(START)
        assert start.to_move is BLACK
        assert [row for row in rows_of(OTHELLO, start) if any(row)] == [
            [0, 0, 0, 2, 1, 0, 0, 0],
            [0, 0, 0, 1, 2, 0, 0, 0],
        ]

    @pytest.mark.parametrize(
        ("case", "direction", "player", "valid"),
        [
            ((3, 4), (1, 0), BLACK, True),
            ((3, 3), (1, 1), WHITE, False),
            ((3, 3), (1, 1), BLACK, True),
            ((6, 3), (-1, 1), WHITE, True),
            ((6, 4), (-1, 0), WHITE, True),
            ((8, 8), (0, 1), WHITE, False),
        ],
    )
    def test_flips_in_a_direction(
        self, case: tuple[int, int], direction: tuple[int, int], player: Seat, *, valid: bool
    ) -> None:
        position = othello(DIRECTIONS, player)
        assert position.to_move is player
        (x, y), (dx, dy) = case, direction
        board = OTHELLO.board
        flipped = board.flips(position.own, position.opponent, board.grid.bit(x - 1, y - 1))
        next_cell = (x - 1 + dx, y - 1 + dy)
        assert (next_cell in board.grid.cells(flipped)) is valid

    def test_who_can_move(self) -> None:
        assert OTHELLO.start().legal_moves()
        full_of_black = OTHELLO.position("X" * 64 + " O")
        assert full_of_black.legal_moves() == ()
        assert full_of_black.to_move is WHITE

    def test_game_over(self) -> None:
        assert OTHELLO.start().outcome() is None
        assert OTHELLO.position("X" * 64 + " X").outcome() is not None

    def test_valid_moves(self) -> None:
        black, white = othello(START, BLACK), othello(START, WHITE)
        assert OTHELLO.parse_move("3,4") in black.legal_moves()
        assert OTHELLO.parse_move("3,4") not in white.legal_moves()
        with pytest.raises(IllegalMove) as refused:
            white.play("c4")
        assert refused.value.reason == FLIPS_NOTHING.code
        assert OTHELLO.parse_move("6,4") in white.legal_moves()

    def test_boards_after_moves(self) -> None:
        after = OTHELLO.start().play(OTHELLO.parse_move("3,4"))
        assert rows_of(OTHELLO, after) == drawn(AFTER_C4)
        after_c3 = drawn(AFTER_C4.replace("■ ■ ■", "■ □ ■"))
        after_c3[2][2] = 2
        assert rows_of(OTHELLO, after.play("c3")) == after_c3

    def test_a_move_that_flips_nothing_changes_nothing(self) -> None:
        after = OTHELLO.start().play("c4")
        with pytest.raises(IllegalMove) as refused:
            after.play(OTHELLO.parse_move("6,3"))
        assert refused.value.reason == FLIPS_NOTHING.code
        assert rows_of(OTHELLO, after) == drawn(AFTER_C4)

    def test_two_directions_at_once(self) -> None:
        after_c3 = OTHELLO.start().play("c4").play("c3")
        both = place(OTHELLO, rows_of(OTHELLO, after_c3), WHITE).play("c5")
        assert rows_of(OTHELLO, both) == drawn(
            """
            · · · · · · · ·
            · · · · · · · ·
            · · □ · · · · ·
            · · □ □ ■ · · ·
            · · □ □ □ · · ·
            · · · · · · · ·
            · · · · · · · ·
            · · · · · · · ·
            """
        )

    def test_middle_game_move(self) -> None:
        board = """
            · · · · · · · ·
            · ■ · · ■ · · ·
            · · ■ ■ ■ ■ · ·
            · · ■ □ ■ ■ · ·
            □ ■ □ □ ■ ■ ■ ·
            ■ · ■ □ ■ ■ ■ ■
            · · □ □ · · ■ ·
            · · · · · · · ·
            """
        after = othello(board, WHITE).play("b6")
        assert rows_of(OTHELLO, after) == drawn(board.replace("■ · ■ □ ■ ■ ■ ■", "■ □ □ □ ■ ■ ■ ■"))

    def test_counts_and_result(self) -> None:
        start = OTHELLO.start()
        assert start.score()[0] == 2
        assert start.score()[0] == start.score()[1]
        black, white = start.play("c4").score()
        assert black > white

    def test_game_against_the_computer(self) -> None:
        """The second board is as printed. The third is printed with b5 alone turned: a2 to a5 are left as they were,
        though they too are enclosed, by a6 and a1, which the document's own rules turn.
        """
        before = """
            ■ ■ □ □ ■ □ · □
            □ ■ □ □ □ ■ □ ·
            □ ■ □ □ ■ □ ■ ·
            □ □ ■ □ □ ■ □ □
            □ □ □ □ □ □ □ □
            · □ · ■ ■ □ · ·
            · ■ □ □ □ □ · ·
            · ■ ■ ■ ■ ■ ■ ■
            """
        after_white = before.replace("· □ · ■ ■ □ · ·", "· □ □ □ □ □ · ·")
        white = othello(before, WHITE).play(OTHELLO.parse_move("(3, 6)"))
        assert rows_of(OTHELLO, white) == drawn(after_white)
        black = white.play(OTHELLO.parse_move("1,6"))
        after_black = drawn(after_white)
        after_black[5][0] = after_black[4][1] = 1
        left = {(x, y) for y in range(8) for x in range(8) if black.cell(x, y) != (after_black[y][x] or None)}
        assert left == {(0, 1), (0, 2), (0, 3), (0, 4)}

    def test_legal_moves_in_order(self) -> None:
        assert xy(OTHELLO.start()) == [(4, 3), (3, 4), (6, 5), (5, 6)]

    def test_boards_that_may_follow(self) -> None:
        start = OTHELLO.start()
        changes = {
            "d3": {(3, 2): 1, (3, 3): 1},
            "c4": {(2, 3): 1, (3, 3): 1},
            "f5": {(5, 4): 1, (4, 4): 1},
            "e6": {(4, 5): 1, (4, 4): 1},
        }
        assert start.legal_moves() == tuple(changes)
        for move, cells in changes.items():
            expected = drawn(START)
            for (x, y), disc in cells.items():
                expected[y][x] = disc
            assert rows_of(OTHELLO, start.play(move)) == expected


class TestPuissance4In000:
    """000_f36bc23e995ed4a7.txt, third part: a game of columns 2 1 3 1 3 1 4 1 that the second player wins."""

    def test_every_board_of_the_game(self) -> None:
        position = PUISSANCE4.start()
        assert rows_of(PUISSANCE4, position) == [[0] * 7 for _ in range(6)]
        columns: dict[int, list[int]] = {x: [] for x in range(7)}
        player = 1
        for move in ("2", "1", "3", "1", "3", "1", "4", "1"):
            assert position.outcome() is None
            position = position.play(PUISSANCE4.parse_move(move))
            columns[int(move) - 1].append(player)
            player = 3 - player
            shown = rows_of(PUISSANCE4, position)
            assert [[row[x] for row in reversed(shown) if row[x]] for x in range(7)] == list(columns.values())
        assert rows_of(PUISSANCE4, position) == drawn(
            """
            · · · · · · ·
            · · · · · · ·
            □ · · · · · ·
            □ · · · · · ·
            □ · ■ · · · ·
            □ ■ ■ ■ · · ·
            """
        )
        outcome = position.outcome()
        assert outcome is not None
        assert outcome.winner is WHITE
        assert outcome.cells == ((0, 2), (0, 3), (0, 4), (0, 5))


class TestOthelloIn001:
    """001_9af9f924fa63f882.txt."""

    def test_initial_discs(self) -> None:
        start = OTHELLO.start()
        held = {move: start.cell(*OTHELLO.board.grid.places[bit]) for move, bit in OTHELLO.board.grid.bit_of.items()}
        assert {move for move, seat in held.items() if seat is BLACK} == {"e4", "d5"}
        assert {move for move, seat in held.items() if seat is WHITE} == {"d4", "e5"}

    def test_a_tie_goes_to_the_last_to_place_a_disc(self) -> None:
        drawn_game, *_ = OTHELLO_GAMES["wthor-1983-36"]
        other_rule = Othello(tie="last_mover")
        last = played(other_rule, drawn_game).outcome()
        plain = played(OTHELLO, drawn_game).outcome()
        assert last is not None
        assert plain is not None
        assert (last.score, last.winner) == ((32, 32), WHITE)
        assert (plain.score, plain.winner) == ((32, 32), None)


class TestPuissance4In002:
    """002_177ad5cba4f15bca.txt; its columns count from 0."""

    WON = """
        | | | | | | | |
        | | | | | | | |
        |X| | | | | | |
        |X| | | | | | |
        |X| | | | | | |
        |X|O|O|O| |O| |
        """

    def test_won_board(self) -> None:
        """The board of '01020305', whose last disc falls after the win."""
        position = place(PUISSANCE4, drawn(self.WON))
        outcome = position.outcome()
        assert outcome is not None
        assert outcome.winner is Seat.FIRST
        assert outcome.cells == ((0, 2), (0, 3), (0, 4), (0, 5))
        before = played(PUISSANCE4, "1213141")
        assert before.outcome() == outcome
        with pytest.raises(IllegalMove) as refused:
            before.play("6")
        assert refused.value.reason is Reason.GAME_OVER

    def test_open_board(self) -> None:
        """The board of '1211244445': nobody has won, the first player is to move, every column is open."""
        board = """
            | | | | | | | |
            | | | | | | | |
            | | | | |X| | |
            | |O| | |O| | |
            | |X|X| |X| | |
            | |X|O| |O|O| |
            """
        position = played(PUISSANCE4, "2322355556")
        assert rows_of(PUISSANCE4, position) == drawn(board)
        assert position.outcome() is None
        assert position.to_move is Seat.FIRST
        assert position.legal_moves() == ("1", "2", "3", "4", "5", "6", "7")

    def test_column_3_wins_for_the_second_player(self) -> None:
        """A look-ahead of one ply finds column 3 (from 0) for O, if it were O's turn."""
        position = played(PUISSANCE4, "2322355556")
        turned = place(PUISSANCE4, rows_of(PUISSANCE4, position), Seat.SECOND)
        winning = []
        for move in turned.legal_moves():
            outcome = turned.play(move).outcome()
            if outcome and outcome.winner is Seat.SECOND:
                winning.append(move)
        assert winning == ["4"]

    @pytest.mark.parametrize(
        ("transcript", "winner", "board"),
        [
            (
                "1111112222223333334",
                Seat.FIRST,
                """
                |O|O|O| | | | |
                |X|X|X| | | | |
                |O|O|O| | | | |
                |X|X|X| | | | |
                |O|O|O| | | | |
                |X|X|X|X| | | |
                """,
            ),
            (
                "111111222222334",
                Seat.FIRST,
                """
                |O|O| | | | | |
                |X|X| | | | | |
                |O|O| | | | | |
                |X|X| | | | | |
                |O|O|O| | | | |
                |X|X|X|X| | | |
                """,
            ),
            (
                "11111122222234333334544445555566666677",
                Seat.SECOND,
                """
                |O|O|X|X|O|O| |
                |X|X|O|O|X|X| |
                |O|O|X|X|O|O| |
                |X|X|O|O|X|X| |
                |O|O|X|O|O|O|O|
                |X|X|X|O|X|X|X|
                """,
            ),
        ],
        ids=["example 1", "example 2", "example 3"],
    )
    def test_games_to_their_end(self, transcript: str, winner: Seat, board: str) -> None:
        position = played(PUISSANCE4, transcript)
        assert rows_of(PUISSANCE4, position) == drawn(board)
        outcome = position.outcome()
        assert outcome is not None
        assert outcome.winner is winner
        assert outcome.termination is Termination.LINE


class TestMorpionIn003:
    """003_0af8c295efa069a6.txt; its cells are (line, column) from 0."""

    def test_empty_grid(self) -> None:
        assert rows_of(MORPION, MORPION.start()) == [[0, 0, 0], [0, 0, 0], [0, 0, 0]]

    def test_play(self) -> None:
        one = MORPION.start().play("b2")
        assert rows_of(MORPION, one) == [[0, 0, 0], [0, 1, 0], [0, 0, 0]]
        assert rows_of(MORPION, one.play("c2")) == [[0, 0, 0], [0, 1, 2], [0, 0, 0]]

    def test_refused(self) -> None:
        one = MORPION.start().play("b2")
        with pytest.raises(IllegalMove) as occupied:
            one.play("b2")
        assert occupied.value.reason is Reason.OCCUPIED
        with pytest.raises(IllegalMove) as right:
            one.play("d2")
        assert right.value.reason is Reason.OFF_BOARD
        with pytest.raises(IllegalMove) as above:
            MORPION.parse_move("1,0")
        assert above.value.reason is Reason.OFF_BOARD
        assert rows_of(MORPION, one) == [[0, 0, 0], [0, 1, 0], [0, 0, 0]]

    @pytest.mark.parametrize(
        ("grid", "free"),
        [
            ([[0, 0, 0], [0, 0, 0], [0, 0, 0]], [(line, column) for line in range(3) for column in range(3)]),
            ([[1, 2, 0], [1, 0, 2], [0, 2, 1]], [(0, 2), (1, 1), (2, 0)]),
            ([[1, 2, 2], [1, 1, 2], [2, 2, 1]], []),
        ],
    )
    def test_free_cells(self, grid: Rows, free: list[tuple[int, int]]) -> None:
        position = place(MORPION, grid)
        cells = [MORPION.move_cell(position, move) for move in position.legal_moves()]
        assert [(y, x) for x, y in cells] == free

    @pytest.mark.parametrize(
        ("grid", "winner"),
        [
            ([[0, 0, 0], [0, 0, 0], [0, 0, 0]], 0),
            ([[1, 2, 0], [0, 1, 2], [2, 0, 1]], 1),
            ([[2, 2, 2], [1, 1, 2], [2, 1, 1]], 2),
            ([[2, 1, 2], [1, 1, 2], [2, 1, 1]], 1),
            ([[2, 1, 2], [1, 2, 2], [2, 1, 1]], 2),
        ],
    )
    @pytest.mark.parametrize("to_move", list(Seat))
    def test_winner(self, grid: Rows, winner: int, to_move: Seat) -> None:
        outcome = place(MORPION, grid, to_move).outcome()
        assert (outcome.winner if outcome else 0) == winner


class TestGamesIn004:
    """004_b5552201a93ea9e6.txt; its moves are (x, y) from 0."""

    FIRST_GAME = ((0, 0), (1, 2), (0, 2), (1, 1), (2, 2), (0, 1), (2, 0), (2, 1))
    FIRST_BOARDS = (
        "X.. ... ...",
        "X.. ... .O.",
        "X.. ... XO.",
        "X.. .O. XO.",
        "X.. .O. XOX",
        "X.. OO. XOX",
        "X.X OO. XOX",
        "X.X OOO XOX",
    )
    SECOND_GAME = ((2, 2), (1, 1), (0, 2), (1, 2), (0, 0), (0, 1), (2, 0), (2, 1))
    SECOND_BOARDS = (
        "... ... ..X",
        "... .O. ..X",
        "... .O. X.X",
        "... .O. XOX",
        "X.. .O. XOX",
        "X.. OO. XOX",
        "X.X OO. XOX",
        "X.X OOO XOX",
    )

    @pytest.mark.parametrize(
        ("cells", "boards"),
        [(FIRST_GAME, FIRST_BOARDS), (SECOND_GAME, SECOND_BOARDS)],
        ids=["two random players", "random against minimax"],
    )
    def test_printed_games(self, cells: tuple[tuple[int, int], ...], boards: tuple[str, ...]) -> None:
        position = MORPION.start()
        for (x, y), board in zip(cells, boards, strict=True):
            assert position.outcome() is None
            position = position.play(MORPION.parse_move(f"{x + 1},{y + 1}"))
            assert rows_of(MORPION, position) == drawn(board.replace(" ", "\n"))
        outcome = position.outcome()
        assert outcome is not None
        assert outcome.winner is Seat.SECOND
        assert outcome.cells == ((0, 1), (1, 1), (2, 1))

    def test_game_against_a_person(self) -> None:
        """Printed before each of the person's moves, and at its end: a draw."""
        boards = ("... X.. ...", "... XO. .X.", "X.. XO. .XO", "X.X XO. OXO", "XOX XOX OXO")
        moves = ["a2", "b2b3", "c3a1", "a3c1", "b1c2"]
        position = MORPION.start()
        for pair, board in zip(moves, boards, strict=True):
            for move in (pair[at : at + 2] for at in range(0, len(pair), 2)):
                position = position.play(move)
            assert rows_of(MORPION, position) == drawn(board.replace(" ", "\n"))
        outcome = position.outcome()
        assert outcome is not None
        assert (outcome.winner, outcome.termination) == (None, Termination.FULL)

    def test_sizes(self) -> None:
        assert (MORPION.width, MORPION.height, MORPION.k) == (3, 3, 3)
        assert (PUISSANCE4.width, PUISSANCE4.height, PUISSANCE4.k) == (7, 6, 4)
