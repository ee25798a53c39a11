"""Boards as text: the look of the class material, marks that keep cells aligned."""

import pytest

import games
import locales
from client.session import Session
from games import GAMES
from games.base import position_after
from protocol.messages import Player, Result, Snapshot
from terminal.board import Style, draw_board, draw_match, format_clock, helpful_cells
from terminal.phrases import ended
from terminal.text import cells_wide, clean
from view.match import MatchView

PLAIN = Style()

BREAKTHROUGH = """
  4 □ □ □ □
  3[■]□ □ □
  2 ■[·]■ ■
  1 ■ ■ ■ ■
    a b c d
"""
"""Rows from the bottom, as in chess; a move is from where to where."""

CLASS_START = """
  1 2 3 4 5 6 7 8
1 · · · · · · · ·
2 · · · · · · · ·
3 · · · · · · · ·
4 · · · □ ■ · · ·
5 · · · ■ □ · · ·
6 · · · · · · · ·
7 · · · · · · · ·
8 · · · · · · · ·
"""
"""`afficher_config(creer_config_init())` of the Othello document for class, without the blanks at line ends."""


def after(spec: str, *moves: str) -> tuple[games.Game, games.Position]:
    game = games.parse(spec)
    position = position_after(game, moves)
    return game, position


def view(
    spec: str, *moves: str, seat: int | None = 1, result: Result | None = None, names: str = "Ada Bob"
) -> MatchView:
    _game, position = after(spec, *moves)
    first, second = names.split(" ")
    session = Session()
    session.apply(
        Snapshot(
            match="m",
            seq=1,
            game=spec,
            status="finished" if result else "playing",
            players=(Player(first, "human"), Player(second, "bot")),
            seat=None if seat is None else (1 if seat == 1 else 2),
            moves=moves,
            ply=len(moves),
            to_move=1 if position.to_move == 1 else 2,
            legal=position.legal_moves(),
            clocks=(300_000, 9_840),
            result=result,
        ),
        0.0,
    )
    return session.matches["m"]


def test_the_start_of_othello_is_drawn_as_in_class_with_letters_below() -> None:
    lines = draw_board(*after("othello"), PLAIN)
    assert "\n".join(lines[:-1]) == CLASS_START.strip("\n")
    assert lines[-1] == "  a b c d e f g h"


def test_puissance4_has_numbers_on_top_only() -> None:
    lines = draw_board(*after("puissance4", "4", "4"), PLAIN, marked=[(3, 4)])
    assert lines[0] == "  1 2 3 4 5 6 7"
    assert lines[1:5] == ["  · · · · · · ·"] * 4
    assert lines[5:] == ["  · · ·[□]· · ·", "  · · · ■ · · ·"]


def test_ascii_has_no_other_characters() -> None:
    lines = draw_board(*after("morpion", "b2", "a1"), Style(ascii=True), marked=[(0, 0)])
    assert lines == ["  1 2 3", "1[O]. .", "2 . X .", "3 . . .", "  a b c"]


def test_a_winning_line_stands_in_brackets_as_one() -> None:
    row = Result(1, "line", (1, 0), cells=((0, 0), (1, 0), (2, 0)))
    assert "  1[■ ■ ■]" in draw_match(view("morpion", "a1", "a2", "b1", "b2", "c1", result=row), 0.0, PLAIN)
    falling = Result(1, "line", (1, 0), cells=((0, 0), (1, 1), (2, 2)))
    lines = draw_match(view("morpion", "a1", "a2", "b2", "b1", "c3", result=falling), 0.0, PLAIN)
    assert lines[-4:-1] == ["  1[■]□ ·", "  2 □[■]·", "  3 · ·[■]"]


def test_players_clocks_and_discs_stand_above_and_the_legal_moves_on_the_board() -> None:
    lines = draw_match(view("othello"), 1.0, PLAIN)
    assert lines[0] == "> ■ Ada (you)    2 discs   4:59"
    assert lines[1] == "  □ Bob (bot)    2 discs   9.8"
    assert sum(line.count("+") for line in lines) == 4
    assert sum(line.count("+") for line in draw_match(view("othello", seat=2), 0.0, PLAIN)) == 0


@pytest.mark.parametrize("spec", [*GAMES, "othello:size=10", "othello:size=4", "morpion:width=10,height=10,k=5"])
def test_every_board_fits_80_columns_and_keeps_its_cells_aligned(spec: str) -> None:
    game, position = after(spec)
    marked = [(x, y) for x in range(game.width) for y in range(game.height) if (x * 7 + y * 3) % 5 == 0]
    open_cells = helpful_cells(game, position)
    label = 1 if spec == "puissance4" else len(str(game.height))
    column = game.profile.look.widest + 1
    plain = draw_board(game, position, PLAIN)
    for line, bare in zip(draw_board(game, position, PLAIN, marked=marked, open_cells=open_cells), plain, strict=True):
        assert len(line) <= 80
        for at in range(column - 1):  # what stands between two cells may be brackets
            shown = line[label + 1 + at :: column].replace("+", "·").rstrip("]")
            assert shown == bare[label + 1 + at :: column]


def test_legal_moves_are_marked_where_they_say_something() -> None:
    assert len(helpful_cells(*after("othello"))) == 4
    assert helpful_cells(*after("morpion")) == helpful_cells(*after("puissance4")) == ()


def test_colours_change_no_character() -> None:
    import re

    plain = draw_match(view("othello", "d3"), 0.0, PLAIN)
    coloured = draw_match(view("othello", "d3"), 0.0, Style(colour=True))
    assert [re.sub(r"\x1b\[[0-9;]*m", "", line) for line in coloured] == plain
    assert coloured != plain


@pytest.mark.parametrize(
    ("typed", "shown"),
    [
        ("Ada\x1b[2J", "Ada[2J"),
        ("a\u202eb\u2066c", "abc"),
        ("a\nb\tc", "a b c"),
        ("\x00\x9b31m", "31m"),
        ("é 中", "é 中"),
    ],
)
def test_what_others_write_can_not_move_the_cursor(typed: str, shown: str) -> None:
    assert clean(typed) == shown


@pytest.mark.parametrize(
    ("ms", "shown"), [(0, "0.0"), (9_999, "9.9"), (10_000, "0:10"), (61_500, "1:01"), (3_723_000, "1:02:03")]
)
def test_clocks(ms: int, shown: str) -> None:
    assert format_clock(ms) == shown


def test_clocks_have_a_decimal_comma_in_french() -> None:
    locales.set_language("fr")
    try:
        assert format_clock(9_800) == "9,8"
    finally:
        locales.set_language("en")


def test_names_of_other_scripts_keep_the_columns() -> None:
    lines = draw_match(view("othello", names="中文 Bob"), 0.0, PLAIN)
    assert cells_wide(lines[0]) == cells_wide(lines[1]) + 1


def test_a_game_says_how_its_board_is_labelled_and_a_move_shows_both_its_cells() -> None:
    seen = view("breakthrough:size=4", "b2a3")
    assert "\n".join(draw_match(seen, 0.0, PLAIN)[3:]) == BREAKTHROUGH.strip("\n")


def test_an_ending_is_told_in_the_words_of_the_game_and_an_unknown_one_as_such() -> None:
    goal = Result(1, "rules", (1, 0), ending="goal")
    assert ended(view("breakthrough", result=goal), goal) == ["You win: a pawn on the last row."]
    newer = Result(1, "rules", (1, 0), ending="something_new")
    assert ended(view("breakthrough", seat=2, result=newer), newer) == ["You lose: by the rules of the game."]
    captured = Result(1, "rules", (1, 0), ending="captured")
    assert ended(view("breakthrough", seat=2, result=captured), captured) == ["You lose: you have no pawn left."]
    assert ended(view("breakthrough", seat=1, result=captured), captured) == ["You win: no pawn left to the opponent."]
    nobody = Result(None, "rules", (0, 0), ending="something_new")
    assert ended(view("breakthrough", result=nobody), nobody) == ["Draw."]
