"""What people type: moves, transcripts, specifications, notations; and the exact reason of what is refused."""

import pytest

from games import GAMES, Game, IllegalMove, Morpion, Othello, Puissance4, Reason, RulesError, Seat, parse
from games.base import quote
from games.othello import FLIPS_NOTHING, OthelloPosition
from games.puissance4 import COLUMN_FULL
from tests.games.boards import played

OTHELLO = Othello()
PUISSANCE4 = Puissance4()
MORPION = Morpion()
LARGE = Morpion(width=10, height=10, k=5)


@pytest.mark.parametrize(
    ("game", "text", "move"),
    [
        (OTHELLO, "d3", "d3"),
        (OTHELLO, " D3 ", "d3"),
        (OTHELLO, "4,3", "d3"),
        (OTHELLO, "(4, 3)", "d3"),
        (OTHELLO, "8 , 8", "h8"),
        (OTHELLO, "d03", "d3"),
        (LARGE, "J10", "j10"),
        (LARGE, "10,1", "j1"),
        (MORPION, "3,1", "c1"),
        (PUISSANCE4, "4", "4"),
        (PUISSANCE4, " 7 ", "7"),
        (PUISSANCE4, "4,3", "4"),
        (PUISSANCE4, "(4, 3)", "4"),
        (Puissance4(width=10), "10", "10"),
    ],
)
def test_typed_move(game: Game, text: str, move: str) -> None:
    assert game.parse_move(text) == move


@pytest.mark.parametrize(
    ("game", "text", "reason"),
    [
        (OTHELLO, "", Reason.NOT_A_MOVE),
        (OTHELLO, "d", Reason.NOT_A_MOVE),
        (OTHELLO, "33", Reason.NOT_A_MOVE),
        (OTHELLO, "d3d3", Reason.NOT_A_MOVE),
        (OTHELLO, "d٣", Reason.NOT_A_MOVE),
        (OTHELLO, "3;4", Reason.NOT_A_MOVE),
        (OTHELLO, "i1", Reason.OFF_BOARD),
        (OTHELLO, "z1", Reason.OFF_BOARD),
        (OTHELLO, "a9", Reason.OFF_BOARD),
        (OTHELLO, "a0", Reason.OFF_BOARD),
        (OTHELLO, "0,1", Reason.OFF_BOARD),
        (OTHELLO, "-1,1", Reason.OFF_BOARD),
        (OTHELLO, "a" + "9" * 5000, Reason.OFF_BOARD),
        (OTHELLO, "1," + "9" * 5000, Reason.OFF_BOARD),
        (MORPION, "d1", Reason.OFF_BOARD),
        (PUISSANCE4, "8", Reason.OFF_BOARD),
        (PUISSANCE4, "0", Reason.OFF_BOARD),
        (PUISSANCE4, "-1", Reason.OFF_BOARD),
        (PUISSANCE4, "a1", Reason.NOT_A_MOVE),
        (PUISSANCE4, "4,", Reason.NOT_A_MOVE),
        (PUISSANCE4, "4 3", Reason.NOT_A_MOVE),
    ],
)
def test_typed_nonsense(game: Game, text: str, reason: Reason) -> None:
    with pytest.raises(IllegalMove) as refused:
        game.parse_move(text)
    assert refused.value.reason is reason
    assert refused.value.move == text
    with pytest.raises(IllegalMove) as refused:
        game.start().play(text)
    assert refused.value.reason is reason


@pytest.mark.parametrize(
    ("game", "transcript", "move", "reason"),
    [
        (OTHELLO, "", "d4", Reason.OCCUPIED),
        (OTHELLO, "", "a1", FLIPS_NOTHING.code),
        (OTHELLO, "", "e3", FLIPS_NOTHING.code),
        (OTHELLO, "", "D3", Reason.NOT_A_MOVE),
        (OTHELLO, "", "4,3", Reason.NOT_A_MOVE),
        (PUISSANCE4, "333333", "3", COLUMN_FULL.code),
        (PUISSANCE4, "1213141", "1", Reason.GAME_OVER),
        (PUISSANCE4, "1213141", "9", Reason.OFF_BOARD),
        (PUISSANCE4, "", " 4", Reason.NOT_A_MOVE),
        (MORPION, "b2", "b2", Reason.OCCUPIED),
        (MORPION, "a1b1a2b2a3", "c3", Reason.GAME_OVER),
        (MORPION, "a1b1a2b2a3", "b1", Reason.GAME_OVER),
        (MORPION, "a1b1a2b2a3", "d1", Reason.OFF_BOARD),
    ],
)
def test_refused_move(game: Game, transcript: str, move: str, reason: str) -> None:
    position = played(game, transcript)
    with pytest.raises(IllegalMove) as refused:
        position.play(move)
    assert (refused.value.move, refused.value.reason) == (move, reason)
    with pytest.raises(IllegalMove):
        game.move_cell(position, move)


def test_a_disc_falls() -> None:
    position = played(PUISSANCE4, "4453")
    assert PUISSANCE4.move_cell(position, "4") == (3, 3)
    assert PUISSANCE4.move_cell(position, "7") == (6, 5)


@pytest.mark.parametrize(
    ("game", "text", "moves"),
    [
        (OTHELLO, "", ()),
        (OTHELLO, "f5d6c3", ("f5", "d6", "c3")),
        (OTHELLO, " F5, d6  C3\n", ("f5", "d6", "c3")),
        (PUISSANCE4, "4453", ("4", "4", "5", "3")),
        (PUISSANCE4, "4, 4 5,3", ("4", "4", "5", "3")),
        (Puissance4(width=10), "10 1 10", ("10", "1", "10")),
        (Puissance4(width=10), "10", ("10",)),
        (Puissance4(width=9), "91", ("9", "1")),
        (MORPION, "b2 a1", ("b2", "a1")),
        (MORPION, "b2a1", ("b2", "a1")),
        (LARGE, "a10j1a1", ("a10", "j1", "a1")),
    ],
)
def test_transcript(game: Game, text: str, moves: tuple[str, ...]) -> None:
    assert game.parse_transcript(text) == moves


@pytest.mark.parametrize(
    ("game", "moves", "text"),
    [
        (OTHELLO, ["f5", "d6"], "f5d6"),
        (PUISSANCE4, ["4", "4", "5"], "445"),
        (Puissance4(width=10), ["10", "1"], "10 1"),
        (MORPION, ["b2", "a1"], "b2 a1"),
        (MORPION, [], ""),
    ],
)
def test_written_transcript(game: Game, moves: list[str], text: str) -> None:
    assert game.format_transcript(moves) == text


@pytest.mark.parametrize(
    ("game", "text", "error"),
    [
        (OTHELLO, "f5f5", IllegalMove),
        (OTHELLO, "f5i9", IllegalMove),
        (OTHELLO, "f5 pass d6", RulesError),
        (OTHELLO, "f5!", RulesError),
        (OTHELLO, "f", RulesError),
        (PUISSANCE4, "48", IllegalMove),
        (PUISSANCE4, "4a", IllegalMove),
        (PUISSANCE4, "12131415", IllegalMove),
        (MORPION, "b2b2", IllegalMove),
        (MORPION, "b2 22", RulesError),
    ],
)
def test_transcript_that_is_none(game: Game, text: str, error: type[Exception]) -> None:
    with pytest.raises(error):
        game.parse_transcript(text)


class TestPass:
    """On 4x4 somebody has to pass soon: the shortest game with a pass, found by search, passes written in every way."""

    game = Othello(size=4)

    def first_pass(self) -> tuple[str, ...]:
        layer: dict[tuple[str, ...], OthelloPosition] = {(): self.game.start()}
        while True:
            longer: dict[tuple[str, ...], OthelloPosition] = {}
            for moves, position in layer.items():
                for move in position.legal_moves():
                    child = position.play(move)
                    if child.passed:
                        return (*moves, move)
                    longer[*moves, move] = child
            layer = longer

    def test_the_position_passes_by_itself(self) -> None:
        moves = self.first_pass()
        position = self.game.start()
        for move in moves[:-1]:
            position = position.play(move)
            assert position.passed is None
        mover = position.to_move
        position = position.play(moves[-1])
        assert position.passed is mover.other
        assert position.to_move is mover
        assert position.outcome() is None

    @pytest.mark.parametrize("word", ["pa", "PASS", " -- ", "ps", ",pass,"])
    def test_written_pass(self, word: str) -> None:
        moves = self.first_pass()
        text = "".join(moves)
        assert self.game.parse_transcript(text + word) == moves
        assert self.game.format_transcript(moves) == text
        with pytest.raises(RulesError, match="pass"):
            self.game.parse_transcript(word + text)

    def test_equality_forgets_the_pass(self) -> None:
        position = played(self.game, "".join(self.first_pass()))
        read = self.game.position(position.notation)
        assert read.passed is None
        assert read == position
        assert hash(read) == hash(position)

    def test_a_position_whose_mover_must_pass(self) -> None:
        position = self.game.position("XO-------------- O")
        assert position.passed is Seat.SECOND
        assert position.to_move is Seat.FIRST
        assert position.legal_moves() == ("c1",)


class TestNotation:
    def test_start(self) -> None:
        assert OTHELLO.start().notation == "-" * 27 + "OX" + "-" * 6 + "XO" + "-" * 27 + " X"
        assert PUISSANCE4.start().notation == "-" * 42 + " X"
        assert played(MORPION, "b2 a3").notation == "----X-O-- X"
        assert played(PUISSANCE4, "4").notation == "-" * 38 + "X--- O"

    @pytest.mark.parametrize(
        "text",
        ["", "---------", "--------- x", "---------  X", "-------- X", "---------- X", "----Z---- X", "--------- X X"],
    )
    def test_refused(self, text: str) -> None:
        with pytest.raises(RulesError, match="9 cells"):
            MORPION.position(text)

    def test_a_disc_in_the_air(self) -> None:
        with pytest.raises(RulesError, match="hangs"):
            PUISSANCE4.position("-" * 28 + "X" + "-" * 13 + " O")

    def test_cells_outside_the_board(self) -> None:
        for game in (OTHELLO, PUISSANCE4, MORPION):
            for x, y in ((-1, 0), (0, -1), (game.width, 0), (0, game.height)):
                with pytest.raises(IndexError):
                    game.start().cell(x, y)


class TestSpecification:
    @pytest.mark.parametrize(
        ("spec", "game"),
        [
            ("othello", OTHELLO),
            ("othello:size=6", Othello(size=6)),
            ("othello:tie=last_mover,size=10", Othello(size=10, tie="last_mover")),
            (" morpion:width=5, height=5 ,k=4 ", Morpion(5, 5, 4)),
            ("puissance4:width=7", PUISSANCE4),
        ],
    )
    def test_read(self, spec: str, game: Game) -> None:
        assert parse(spec) == game

    @pytest.mark.parametrize(
        ("game", "spec"),
        [
            (OTHELLO, "othello"),
            (Othello(size=10, tie="last_mover"), "othello:size=10,tie=last_mover"),
            (Morpion(5, 5, 4), "morpion:width=5,height=5,k=4"),
            (Puissance4(k=5), "puissance4:k=5"),
        ],
    )
    def test_written(self, game: Game, spec: str) -> None:
        assert game.spec == spec

    @pytest.mark.parametrize(
        ("spec", "message"),
        [
            ("", f"the games are {', '.join(GAMES)}, not ''"),
            ("chess", f"the games are {', '.join(GAMES)}, not 'chess'"),
            ("Othello", "not 'Othello'"),
            ("x" * 1000, "not 'xxxx"),
            ("othello:", "othello has the options size, tie"),
            ("othello:colour=1", "othello has the options size, tie"),
            ("othello:size", "othello has the options size, tie"),
            ("othello:size=7", "size must be 4, 6, 8 or 10, not '7'"),
            ("othello:size=08", "size must be 4, 6, 8 or 10, not '08'"),
            ("othello:size=", "size must be 4, 6, 8 or 10, not ''"),
            ("othello:size=6,size=6", "size is given twice"),
            ("othello:tie=black", "tie must be draw or last_mover, not 'black'"),
            ("puissance4:width=11", "width must be 1 to 10, not '11'"),
            ("morpion:height=0", "height must be 1 to 10, not '0'"),
            ("morpion:k=1", "k must be 2 to 10, not '1'"),
            ("morpion:k=4", "k must be 2 to 3 on this board, not 4"),
            ("puissance4:width=3,height=3", "k must be 2 to 3 on this board, not 4"),
            ("morpion:width=2,height=1", "k must be 2 on this board, not 3"),
            ("morpion:width=1,height=1,k=2", "1 x 1 has no line"),
        ],
    )
    def test_refused(self, spec: str, message: str) -> None:
        with pytest.raises(RulesError) as refused:
            parse(spec)
        assert message in str(refused.value)
        assert len(str(refused.value)) < 200

    def test_options_of_the_wrong_type(self) -> None:
        for make in (lambda: Othello(size=True), lambda: Othello(size="8"), lambda: Morpion(k=3.0)):  # type: ignore[arg-type]
            with pytest.raises(RulesError):
                make()

    def test_every_game_has_its_id(self) -> None:
        assert {name: game.id for name, game in GAMES.items()} == {name: name for name in GAMES}


@pytest.mark.parametrize(("length", "shown"), [(39, 39), (40, 40), (41, 40), (400, 40)])
def test_what_is_quoted_is_cut_after_forty_characters(length: int, shown: int) -> None:
    cut = "..." if length > shown else ""
    assert quote("a" * length) == f"'{'a' * shown}{cut}'"
    assert quote("\x1b") == "'\\x1b'"
