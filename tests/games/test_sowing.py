"""A game whose cells nobody holds: its counts and its stores stand wherever a position is shown."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

import games
from bots.adapters.pupils.interfaces.base import Situation
from bots.adapters.pupils.interfaces.native import ChooseFrom
from bots.base import parse_bot
from bots.explain.reading import read_position
from bots.explain.svg import draw_svg
from bots.explain.text import WIDTH, draw_text
from bots.explain.traces import explain
from client.people.recorded import Recorded
from client.people.replaying import in_words
from client.tui.drawing.layout import layout_of, least_size
from client.tui.drawing.palette import DARK, Theme
from client.tui.drawing.picture import Scene, draw
from games.base import position_after
from games.counts import SIGNS, counted
from games.frame import board_of
from league.config import League
from league.history.season import Season
from league.played import Played
from league.report.report_page import page
from locales import set_language
from page import catalogue
from terminal.board import Style, draw_board, draw_position
from tests.conformance import test_games as conformance
from tests.games.sowing import SEED, SEEDS, Sowing
from tests.league.fakes import league
from tests.league.report.pages import data_of

GAME = Sowing()
MOVES = GAME.parse_transcript("bcdbbaadcfbdaedded")
MANY = GAME.position("1-C-345B7-12 X 5-0 444444444444x")


@pytest.fixture(autouse=True)
def known(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let it stand in the table of games."""
    table = {**games.GAMES, "sowing": Sowing}
    for module in (games, catalogue, conformance):
        monkeypatch.setattr(module, "GAMES", table)


@pytest.mark.parametrize("spec", ["sowing", "sowing:pits=3,seeds=2"])
@pytest.mark.parametrize("seed", range(3))
def test_it_keeps_what_every_game_keeps(spec: str, seed: int) -> None:
    game = games.parse(spec)
    conformance.test_start(game)
    conformance.test_line_of_play(game, seed)
    conformance.test_cells_are_the_notation(game, seed)
    conformance.test_pieces_are_told_apart(game)
    conformance.test_transcript(game, seed)
    conformance.test_an_explained_position_is_read_back(game, seed)
    conformance.test_nonsense_is_refused(game)
    conformance.test_refusals_have_words(game, seed)
    conformance.test_moves_are_told_apart(game, seed)


def test_every_count_has_a_sign() -> None:
    pieces = counted(len(SIGNS) - 1, SEED, SEEDS)
    assert [piece.sign for piece in pieces] == list(SIGNS[1:])
    assert [piece.drawn for piece in pieces] == [str(count) for count in range(1, len(SIGNS))]
    assert (pieces[0].name.english, pieces[11].name.french) == ("1 seed", "12 graines")
    assert not set(SIGNS) & set("XOxo")


def test_a_terminal_writes_numbers() -> None:
    assert draw_board(GAME, MANY, Style(), marked={(2, 0), (5, 1)}) == [
        "2  1  ·[12] ·  3  4",
        "1  5 11  7  ·  1[ 2]",
        "   a  b  c  d  e  f",
    ]
    set_language("fr")
    assert draw_position(GAME, MANY, Style(ascii=True))[-1] == "X 5 graines   O 0 graine"


@pytest.mark.parametrize("theme", [DARK, None])
@pytest.mark.parametrize("ascii_only", [False, True])
@pytest.mark.parametrize("size", [2, 3, 4])
def test_the_full_screen_writes_them_at_every_size(theme: Theme | None, size: int, ascii_only: bool) -> None:
    layout = layout_of(GAME, 200, 2 * size + 1)
    assert (layout.size, layout.fits) == (size, True)
    lines = draw(Scene(GAME, MANY, last=frozenset({(2, 0)})), layout, theme, ascii_only=ascii_only)
    texts = ["".join(span.text for span in line) for line in lines]
    assert {len(text) for text in texts[:-1]} == {layout.width}
    numbers = [int(number) for text in texts for number in re.findall(r"[0-9]+", text)]
    assert numbers == [2, 1, 12, 3, 4, 1, 5, 11, 7, 1, 2] or size > 2
    assert {11, 12} <= set(numbers)


def test_cells_are_never_too_small_for_them() -> None:
    assert least_size(GAME) == 2
    assert not layout_of(GAME, 20, 3).fits
    assert layout_of(GAME, 20, 3).size == 2
    assert layout_of(games.parse("morpion"), 7, 3).size == least_size(games.parse("morpion")) == 1


def test_programs_get_numbers() -> None:
    assert board_of(GAME, MANY) == [[1, 0, 12, 0, 3, 4], [5, 11, 7, 0, 1, 2]]
    heard: list[object] = []
    ChooseFrom("choose_from", lambda *told: heard.extend(told)).ask(Situation(GAME, MANY))
    assert heard == [board_of(GAME, MANY), 1, ["a", "b", "c", "e", "f"]]


def test_the_page_is_told_of_them() -> None:
    told = json.loads(catalogue.described())["sowing"]
    assert told["pieces"]["C"] == {"seat": 0, "glyph": "12", "name": {"en": "12 seeds", "fr": "12 graines"}}
    assert (told["counts"], told["row"]) == (True, "[a-z]")


def test_an_explanation_says_the_stores() -> None:
    explanation = explain(GAME, MANY, parse_bot("minimax:depth=2"))
    lines = draw_text(explanation, Style(), 40)
    assert lines[3:5] == ["  ■ 5 seeds   □ 0 seeds", "  To move: ■ 5-0 444444444444x"]
    assert (
        draw_svg(explanation, 40).count('font-size="17" font-weight="bold" text-anchor="start" fill="#1a1a1a">5<') > 1
    )


def test_a_long_history_is_read_back() -> None:
    position = position_after(GAME, MOVES[:10])
    for style in (Style(), Style(ascii=True)):
        lines = draw_text(explain(GAME, position, parse_bot("minimax:depth=1")), style, 40)
        assert max(map(len, lines)) <= WIDTH
        assert read_position(GAME, "\n".join(lines)) == position


def test_a_game_in_words_says_the_stores() -> None:
    assert "■ 2 seeds   □ 3 seeds" in in_words(Recorded(GAME, MOVES, ("Ada", "Bob")), 18, Style())


def test_the_page_of_a_league_counts(tmp_path: Path) -> None:
    season = Season(League("T", "sowing", league(2).bots, seed="1", openings="none"), [], tmp_path)
    season.games.append(Played("1.1.1", 1, "Ada", "Bob", MOVES, 1, "resign", (0, 0)))
    data = data_of(page(season, {}))
    assert ["", "12"] in data["kinds"]
    (game,) = data["games"]
    assert len(game["scores"]) == len(MOVES) + 1
    assert game["scores"][0] == [0, 0]
    assert game["scores"][-1] == [2, 3]
