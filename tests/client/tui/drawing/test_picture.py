"""Boards as characters: whatever the game, the size and the terminal, each cell is where a click finds it."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from client.tui.drawing.layout import BARE, MAX_SIZE, BoardLayout, layout_of
from client.tui.drawing.palette import CONTRAST, DARK, LIGHT, Theme
from client.tui.drawing.picture import Scene, draw
from games import GAMES, parse
from games.base import Game, Position, position_after
from games.frame import Cell, cell_name, signs_of
from tests.games.sowing import Sowing

SPECS = [spec for name, game in GAMES.items() for spec in (name, *game.profile.boards, *game.profile.sizes)]
THEMES: list[Theme | None] = [DARK, LIGHT, CONTRAST, None]


def played(game: Game, plies: int, seed: int) -> Position:
    rng, position = random.Random(seed), game.start()
    for _ply in range(plies):
        if not (legal := position.legal_moves()):
            break
        position = position.play(rng.choice(legal))
    return position


def cells_of(game: Game) -> list[Cell]:
    return [(x, y) for y in range(game.height) for x in range(game.width)]


@given(
    spec=st.sampled_from(SPECS),
    width=st.integers(1, 220),
    height=st.integers(1, 70),
    turned=st.booleans(),
    bare=st.booleans(),
)
@pytest.mark.slow
def test_each_cell_is_drawn_where_it_is_found(spec: str, width: int, height: int, turned: bool, bare: bool) -> None:
    game = parse(spec)
    layout = layout_of(game, width, height, turned=turned, bare=bare)
    if layout.fits:
        assert layout.width <= width
        assert layout.height <= height
    assert 1 <= layout.size <= MAX_SIZE
    for cell in cells_of(game):
        x, y = layout.corner(cell)
        assert layout.cell_at(x, y) == cell
        assert layout.cell_at(x + 2 * layout.size - 1, y + layout.size - 1) == cell
    found = {layout.cell_at(x, y) for x in range(-1, layout.width + 1) for y in range(-1, layout.height + 1)}
    assert found == {None, *cells_of(game)}


@settings(deadline=None)
@given(
    spec=st.sampled_from(SPECS),
    size=st.sampled_from([(19, 9), (40, 14), (80, 22), (150, 58)]),
    plies=st.integers(0, 40),
    seed=st.integers(0, 99),
    theme=st.sampled_from(THEMES),
    ascii_only=st.booleans(),
)
def test_a_picture_fills_its_plan_and_keeps_to_what_the_terminal_can(
    spec: str, size: tuple[int, int], plies: int, seed: int, theme: Theme | None, ascii_only: bool
) -> None:
    game = parse(spec)
    position = played(game, plies, seed)
    layout = layout_of(game, *size)
    some = frozenset(random.Random(seed).sample(cells_of(game), min(4, len(cells_of(game)))))
    scene = Scene(game, position, last=some, open_cells=some, cursor=(0, 0), chosen=(0, 0))
    lines = draw(scene, layout, theme, ascii_only=ascii_only)
    assert [sum(len(span.text) for span in line) for line in lines] == [layout.width] * layout.height
    inks = {span.ink for line in lines for span in line}
    if theme is None:
        assert not any(ink.fg or ink.bg for ink in inks)
        if ascii_only:
            assert "".join(span.text for line in lines for span in line).isascii()


def drawing(spec: str, moves: str, size: tuple[int, int], **marks: frozenset[Cell]) -> list[str]:
    game = parse(spec)
    position = position_after(game, moves.split())
    lines = draw(Scene(game, position, **marks), layout_of(game, *size), None)  # type: ignore[arg-type]
    return ["".join(span.text for span in line).rstrip() for line in lines]


def test_without_colours_small_boards_look_as_in_class() -> None:
    assert drawing("othello:size=4", "", (20, 6), last=frozenset({(1, 1)}), open_cells=frozenset({(0, 1)})) == [
        "   1 2 3 4",
        "1  · · · ·",
        "2  +[□]■ ·",
        "3  · ■ □ ·",
        "4  · · · ·",
        "   a b c d",
    ]


def test_without_colours_a_piece_that_may_be_taken_stands_in_braces() -> None:
    marks = {"chosen": (1, 1), "open_cells": frozenset({(2, 1), (1, 0)})}
    assert drawing("othello:size=4", "", (20, 6), **marks)[1:3] == ["1  · + · ·", "2  ·<□{■}·"]  # type: ignore[arg-type]


def test_without_colours_a_piece_of_second_is_a_box() -> None:
    assert drawing("othello:size=4", "", (24, 10))[3:7] == [
        "2  ·   ╭╮  ▄▄  ·",
        "       ╰╯  ▀▀",
        "3  ·   ▄▄  ╭╮  ·",
        "       ▀▀  ╰╯",
    ]


def test_labels_that_say_nothing_new_give_way_to_larger_cells_and_all_do_at_last() -> None:
    game = parse("othello")
    assert layout_of(game, 80, 18).frame.top
    assert layout_of(game, 80, 17) == BoardLayout(8, 8, 2, layout_of(game, 80, 17).frame)
    assert layout_of(game, 80, 17).frame.top == ()
    assert layout_of(game, 80, 8).frame == BARE
    assert not layout_of(game, 80, 7).fits


@pytest.mark.parametrize("theme", [DARK, LIGHT, CONTRAST])
@pytest.mark.parametrize("game", [*map(parse, GAMES), Sowing()], ids=lambda game: game.id)
def test_every_mark_and_every_piece_differ_on_the_screen(game: Game, theme: Theme) -> None:
    """Of a game without owners, what lies on cells differs as pieces do."""
    position = played(game, 3, 1)
    layout = layout_of(game, 150, 50)
    found: dict[str, Cell] = {}
    for cell, sign in zip(cells_of(game), signs_of(position), strict=True):
        found.setdefault(sign, cell)
    one, other = found.get("X"), found.get("O")
    assert len(found) > 1

    def looks(cell: Cell, **marks: object) -> tuple[object, ...]:
        lines = draw(Scene(game, position, **marks), layout, theme)  # type: ignore[arg-type]
        left, top = layout.corner(cell)
        drawn = [[(letter, span.ink) for span in line for letter in span.text] for line in lines]
        return tuple(
            letter for line in drawn[top : top + layout.size] for letter in line[left : left + 2 * layout.size]
        )

    pictures = [looks(cell) for cell in found.values()]
    for mark in ("last", "won"):
        pictures += [looks(cell, **{mark: frozenset({cell})}) for cell in found.values()]
    free = [cell for cell in found.values() if position.cell(*cell) is None]
    pictures += [looks(cell, open_cells=frozenset({cell})) for cell in free]
    first = one or next(iter(found.values()))
    pictures += [looks(first, cursor=first), looks(first, chosen=first)]
    if one and other:
        pictures.append(looks(other, chosen=one, open_cells=frozenset({other})))
    assert len(set(pictures)) == len(pictures)
    if one:
        assert looks(one, open_cells=frozenset({one})) == looks(one)  # every piece that may move would be marked


@pytest.mark.parametrize("game", [*map(parse, SPECS), Sowing()], ids=lambda game: game.spec)
def test_a_board_from_the_other_side_has_the_same_names_at_its_cells(game: Game) -> None:
    here, there = layout_of(game, 150, 50), layout_of(game, 150, 50, turned=True)
    start = game.start()
    names = [cell_name(game, cells[0]) for cells in (game.move_cells(start, _any(game)),) if len(cells) == 1]
    for cell in cells_of(game):
        assert there.place(there.place(cell)) == cell
        assert names != [_any(game)] or game.parse_move(cell_name(game, cell))  # where a move is the name of a cell
    assert {here.corner(cell) for cell in cells_of(game)} == {there.corner(cell) for cell in cells_of(game)}


def _any(game: Game) -> str:
    return game.start().legal_moves()[0]
