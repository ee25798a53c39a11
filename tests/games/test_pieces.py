"""Games whose cells hold more than one usual piece of each seat: kings, and a cell that nobody can take."""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import chain
from pathlib import Path

import pytest

import games
from bots.adapters.pupils.interfaces.base import Situation
from bots.adapters.pupils.interfaces.native import ChooseFrom
from bots.adapters.stdio import rows
from bots.base import parse_bot
from bots.explain.reading import read_position
from bots.explain.svg import draw_svg
from bots.explain.traces import explain
from client.tui.drawing.layout import MAX_SIZE, layout_of
from client.tui.drawing.palette import CONTRAST, DARK, Theme
from client.tui.drawing.picture import Scene, draw
from games import Game, Seat
from games.coordinates import LETTERS, Grid
from games.perft import perft
from league.config import League
from league.history.season import Season
from league.played import Played
from league.report.report_page import page
from page import catalogue
from server.match import boards
from server.referee.concealed import occupied, symmetries
from terminal.board import Style, draw_board
from tests.conformance import test_games as conformance
from tests.games.checkers import Checkers, Holed
from tests.league.fakes import league
from tests.league.report.pages import data_of

GAME = Checkers(6)
KINGS = GAME.position("------ -K-k-- X----- ------ -----O ------".replace(" ", "") + " X q3")
BOTH: Sequence[Game] = (GAME, Holed())


@pytest.fixture(autouse=True)
def known(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let them stand in the table of games."""
    table = {**games.GAMES, "checkers": Checkers, "holed": Holed}
    for module in (games, catalogue, conformance):
        monkeypatch.setattr(module, "GAMES", table)


@pytest.mark.parametrize(("depth", "leaves"), list(enumerate((1, 7, 49, 302, 1469, 7361))))
def test_the_rules_of_draughts(depth: int, leaves: int) -> None:
    """The published counts of English draughts from its start."""
    assert perft(Checkers(8).start(), depth) == leaves


@pytest.mark.parametrize("game", BOTH, ids=lambda game: game.id)
@pytest.mark.parametrize("seed", range(3))
def test_they_keep_what_every_game_keeps(game: Game, seed: int) -> None:
    conformance.test_start(game)
    conformance.test_line_of_play(game, seed)
    conformance.test_cells_are_the_notation(game, seed)
    conformance.test_pieces_are_told_apart(game)
    conformance.test_nonsense_is_refused(game)
    conformance.test_refusals_have_words(game, seed)


def test_a_grid_reads_and_writes_them() -> None:
    grid = Grid(12, 2, tuple(1 << cell for cell in range(24)))
    notation = grid.write(0b111, 0b11000, Seat.SECOND, {"K": 0b10, "B": 1 << 23})
    assert notation == "XKXOO------------------B O"
    masks, to_move = grid.read_signs(notation, "KB")
    assert (masks, to_move) == ({"X": 0b101, "O": 0b11000, "K": 0b10, "B": 1 << 23}, Seat.SECOND)
    assert grid.parse_cell("l2") == grid.names[-1] == f"{LETTERS[11]}2"


def test_a_terminal_draws_them() -> None:
    assert draw_board(GAME, KINGS, Style())[1] == "5 · ♛ · ♕ · ·"
    assert draw_board(GAME, KINGS, Style(ascii=True))[1] == "5 . K . k . ."
    assert draw_board(BOTH[1], BOTH[1].start(), Style(ascii=True))[2] == "2 . B ."


@pytest.mark.parametrize("theme", [DARK, CONTRAST, None], ids=["dark", "contrast", "plain"])
@pytest.mark.parametrize("size", range(1, 6))
@pytest.mark.parametrize("ascii_only", [False, True])
def test_the_full_screen_draws_them_at_every_size(theme: Theme | None, size: int, ascii_only: bool) -> None:
    if theme is not None and ascii_only:
        return
    layout = layout_of(GAME, 200, 6 * size + 2)
    assert layout.size == size <= MAX_SIZE
    usual = GAME.position(KINGS.notation.upper().replace("K-K", "X-O").replace("Q", "q"))
    drawn = draw(Scene(GAME, KINGS, last=frozenset({(1, 1)})), layout, theme, ascii_only=ascii_only)
    before = draw(Scene(GAME, usual, last=frozenset({(1, 1)})), layout, theme, ascii_only=ascii_only)
    texts = ["".join(span.text for span in line) for line in drawn]
    for king in "Kk" if ascii_only else "♛♕":
        assert "".join(texts).count(king) == 1
    assert [len(text) for text in texts] == [len("".join(span.text for span in line)) for line in before]


def test_a_cell_that_nobody_holds_is_drawn() -> None:
    game = BOTH[1]
    for theme in (DARK, None):
        spans = chain(*draw(Scene(game, game.start()), layout_of(game, 80, 20), theme))
        assert "".join(span.text for span in spans).count("▒") == 1


def test_positions_with_them_are_read() -> None:
    for text in (
        KINGS.notation,
        f"{'-' * 7}K-k--x{'-' * 16}o{'-' * 6} x q3",
        "\n".join(draw_board(GAME, KINGS, Style())[:6]),
        "\n".join(draw_board(GAME, KINGS, Style(ascii=True))[:6]),
        str(Situation(GAME, KINGS).pieces),
        "------/-K-k--/X-----/------/-----O/------",
    ):
        assert read_position(GAME, text, "first").notation.split(" ")[0] == KINGS.cells, text


def test_programs_are_told_of_them() -> None:
    assert rows(GAME, KINGS)[1:3] == [".K.k..", "X....."]
    heard: list[list[list[int | str]]] = []
    ChooseFrom("choose_from", lambda board, *_others: heard.append(board)).ask(Situation(GAME, KINGS))
    assert (heard[0][1], heard[0][4]) == ([0, "K", 0, "k", 0, 0], [0, 0, 0, 0, 0, 2])


def test_the_page_is_told_of_them() -> None:
    diagram = boards.draw(GAME, KINGS, 0)
    assert diagram.rows[1:3] == ("-K-k--", "X-----")
    told = json.loads(catalogue.described())
    assert told["checkers"]["pieces"]["k"] == {"seat": 2, "glyph": "♕", "name": {"en": "king", "fr": "dame"}}
    assert told["holed"]["pieces"]["B"]["seat"] == 0
    assert told["othello"]["pieces"] == {}


def test_a_board_with_them_is_concealed_while_it_is_played() -> None:
    assert occupied(KINGS) == 1 << 7 | 1 << 9 | 1 << 12 | 1 << 29
    assert len(symmetries("checkers")) == 1


def test_a_tree_shows_them() -> None:
    drawing = draw_svg(explain(GAME, KINGS, parse_bot("minimax:depth=1")), 60)
    boards_drawn = drawing.count(">♕<")
    assert boards_drawn > 1
    assert drawing.count(">♛<") == boards_drawn


def test_the_page_of_a_league_replays_them(tmp_path: Path) -> None:
    line = conformance.line_of_play(GAME, 2)
    moves = tuple(move for _position, move in line)
    end = line[-1][0].play(moves[-1])
    assert "k" in "".join(position.notation for position, _move in line)
    season = Season(League("T", "checkers", league(2).bots, seed="1", openings="none"), [], tmp_path)
    season.games.append(Played("1.1.1", 1, "Ada", "Bob", moves, 1, "resign", (0, 0)))
    data = data_of(page(season, {}))
    assert data["kinds"] == [["", ""], ["one", ""], ["two", ""], ["one", "♛"], ["two", "♕"]]
    cells = [0] * 36
    for change in chain(data["start"], *data["games"][0]["changes"]):
        cells[change % 36] = change // 36
    assert "".join("-XOKk"[kind] for kind in cells) == end.notation.split(" ")[0]
