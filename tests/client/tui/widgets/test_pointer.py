"""Cursor, mouse and typing: every legal move of every game can be made by each of them."""

import random
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from client.tui.widgets.pointer import ChosenMove, Pointer, _typing
from games import GAMES, IllegalMove, parse
from games.base import Labels, Position
from games.frame import Cell
from tests.games.sowing import EMPTY_PIT, Sowing
from tests.presses import FORK, SIZE, TABLE, TWINS, Pressed, hands

SPECS = [spec for name, game in GAMES.items() for spec in (name, *game.profile.boards)]


def somewhere(spec: str, plies: int, seed: int) -> Pointer:
    game, rng = parse(spec), random.Random(seed)
    position = game.start()
    for _ply in range(plies):
        after = position.play(rng.choice(position.legal_moves()))
        if after.outcome() is not None:
            break
        position = after
    return Pointer(game, position)


def is_made(pointer: Pointer, move: str, choice: ChosenMove | None) -> bool:
    """Whether pressing a move's cells plays it; or offers it by name, where other moves have the same cells."""
    is_alone = list(pointer.hands.values()).count(pointer.hands[move]) == 1
    return choice == ChosenMove(move) if is_alone else choice is None and move in pointer.choices


@given(spec=st.sampled_from(SPECS), plies=st.integers(0, 20), seed=st.integers(0, 50))
def test_every_legal_move_can_be_clicked(spec: str, plies: int, seed: int) -> None:
    pointer = somewhere(spec, plies, seed)
    for move in pointer.position.legal_moves():
        pointer.look_at(pointer.position)
        *starts, end = pointer.game.move_cells(pointer.position, move)
        for cell in starts:
            assert pointer.point(cell) is None
            assert pointer.chosen == cell
        assert is_made(pointer, move, pointer.point(end))


@given(spec=st.sampled_from(SPECS), plies=st.integers(0, 20), seed=st.integers(0, 50), turned=st.booleans())
def test_every_legal_move_can_be_reached_by_arrows(spec: str, plies: int, seed: int, turned: bool) -> None:
    pointer = somewhere(spec, plies, seed)
    for move in pointer.position.legal_moves():
        pointer.look_at(pointer.position)
        choice = None
        for x, y in pointer.game.move_cells(pointer.position, move):
            for _step in range(40):
                across, down = x - pointer.cursor[0], y - pointer.cursor[1]
                if turned:
                    across, down = -across, down if pointer.by_columns else -down
                if across:
                    pointer.step("right" if across > 0 else "left", turned=turned)
                elif down and not pointer.by_columns:
                    pointer.step("down" if down > 0 else "up", turned=turned)
            choice = pointer.press()
        assert is_made(pointer, move, choice)


@given(spec=st.sampled_from(SPECS), plies=st.integers(0, 20), seed=st.integers(0, 50))
@pytest.mark.slow
def test_every_legal_move_can_be_typed(spec: str, plies: int, seed: int) -> None:
    pointer = somewhere(spec, plies, seed)
    for move in pointer.position.legal_moves():
        pointer.look_at(pointer.position)
        choices = [pointer.type(character) for character in move]
        assert (choices[-1] or pointer.press()) == ChosenMove(move)


def test_a_cell_that_is_typed_moves_the_cursor_and_ten_follows_one() -> None:
    pointer = Pointer(parse("othello:size=10"), parse("othello:size=10").start())
    pointer.type("C")
    assert pointer.typed == "c"
    pointer.type("1")
    assert (pointer.cursor, pointer.typed) == ((2, 0), "c1")
    pointer.type("0")
    assert (pointer.cursor, pointer.typed) == ((2, 9), "c10")
    pointer.type("b")
    assert pointer.typed == "b"
    pointer.erase()
    assert pointer.typed == ""


def test_a_number_of_a_column_plays_at_once_and_letters_mean_nothing_there() -> None:
    pointer = Pointer(parse("puissance4"), parse("puissance4").start())
    assert pointer.type("7") == ChosenMove("7")
    assert pointer.cursor[0] == 6
    assert pointer.type("0") is None
    assert pointer.type("a") is None


def test_the_cursor_of_a_column_stands_where_the_piece_would_fall() -> None:
    game = parse("puissance4")
    pointer = Pointer(game, game.start().play("4"))
    assert pointer.shown == (3, 4)
    for _ply in range(5):
        pointer.look_at(pointer.position.play("4"))
    assert pointer.shown == (3, 0)


def test_a_cell_without_a_move_is_still_chosen_for_the_rules_to_refuse() -> None:
    pointer = Pointer(parse("othello"), parse("othello").start())
    assert pointer.point((3, 3)) == ChosenMove("d4")


def test_a_piece_is_let_go_by_a_second_press_and_changed_by_pressing_another() -> None:
    game = next(game() for game in GAMES.values() if game.profile.look.labels is Labels.FROM_BELOW)
    pointer = Pointer(game, game.start())
    one, other = sorted(pointer.targets)[:2]
    pointer.point(one)
    assert pointer.targets.isdisjoint({one})
    pointer.point(other)
    assert pointer.chosen == other
    assert pointer.point(other) is None
    assert not pointer.targets.isdisjoint({one})
    empty = next((x, y) for y in range(game.height) for x in range(game.width) if game.start().cell(x, y) is None)
    choice = pointer.point(empty)
    assert choice is not None
    with pytest.raises(Exception, match="illegal move"):
        game.parse_move(choice.move)


def test_a_pair_that_is_typed_is_tried_as_it_stands() -> None:
    pointer = Pointer(parse("breakthrough"), parse("breakthrough").start())
    for text in ("a6a5", "a3a4", "a2a4"):  # the other's pawn, no pawn, too far
        for character in text:
            assert pointer.type(character) is None
        assert pointer.typed == text
        assert pointer.press() == ChosenMove(text)


class Mixed(Pointer):
    """Moves of one cell and of two from the same cell, as in Kayles."""

    def look_at(self, position: Position) -> None:
        super().look_at(position)
        self.hands = {"a1": ((0, 5),), "a1b1": ((0, 5), (1, 5)), "c1": ((2, 5),)}


def test_a_move_of_one_cell_is_a_second_press_where_one_of_two_begins() -> None:
    pointer = Mixed(parse("breakthrough"), parse("breakthrough").start())
    assert pointer.point((0, 5)) is None
    assert pointer.targets >= {(1, 5)}
    assert pointer.point((0, 5)) == ChosenMove("a1")
    assert pointer.point((0, 5)) is None
    assert pointer.point((1, 5)) == ChosenMove("a1b1")
    assert pointer.point((2, 5)) == ChosenMove("c1")
    pointer.type("a")
    pointer.type("1")
    pointer.press()
    assert pointer.press() == ChosenMove("a1")


@pytest.mark.parametrize("character", ["²", "٣", "0", "x"])
def test_what_is_no_column_plays_nothing(character: str) -> None:
    """A key of French keyboards writes a digit that is no number."""
    game = parse("puissance4")
    assert Pointer(game, game.start()).type(character) is None


@pytest.mark.parametrize("character", ["8", "9"])
def test_a_column_that_is_not_there_is_for_the_rules_to_refuse(character: str) -> None:
    game = parse("puissance4")
    assert Pointer(game, game.start()).type(character) == ChosenMove(character)


def jumping(moves: str) -> Pointer:
    """Before a board with these legal moves, which jump on from cell to cell."""
    game = parse(f"breakthrough:size={SIZE}")
    pointer = Pointer(game, game.start())
    pointer.hands = hands(moves)
    return pointer


def cells_of(squares: str) -> list[Cell]:
    return [hands(square)[square][0] for square in squares.split()]


def typed(pointer: Pointer, text: str) -> ChosenMove | None:
    """What a text plays with Enter."""
    assert [pointer.type(character) for character in text] == [None] * len(text)
    assert pointer.typed == text
    return pointer.press()


@pytest.mark.parametrize("row", TABLE, ids=lambda row: f"{row.moves}: {row.presses}")
def test_each_press_goes_on_with_the_moves_that_fit(row: Pressed) -> None:
    pointer = jumping(row.moves)
    *before, last = cells_of(row.presses)
    assert [pointer.point(cell) for cell in before] == [None] * len(before)
    assert pointer.point(last) == (ChosenMove(row.played) if row.played else None)
    if not row.played:
        assert list(pointer.pressed) == cells_of(row.held)
        assert list(pointer.choices) == row.named.split()
    if row.held:
        assert pointer.targets == set(cells_of(row.marked))


@pytest.mark.parametrize("between", ["", "-", "x"])
def test_a_move_of_many_cells_can_be_typed(between: str) -> None:
    for row in TABLE:
        for move, cells in hands(row.moves).items():
            text = between.join(re.findall("[a-h][1-8]", move))
            if len(cells) > 1:
                assert typed(jumping(row.moves), text + move.removeprefix(text.replace(between, ""))) == ChosenMove(
                    move
                )


def test_cells_that_are_typed_fit_moves_as_presses_do() -> None:
    assert typed(jumping(FORK), "c1g5") == ChosenMove("c1e3g5")
    pointer = jumping(TWINS)
    assert typed(pointer, "c1-c5") is None
    assert list(pointer.pressed) == cells_of("c1 c5")
    assert pointer.point(*cells_of("e3")) == ChosenMove("c1e3c5")
    assert typed(jumping(TWINS), "c1c5g7") == ChosenMove("c1c5g7")  # for the rules to refuse
    for character in "c1-e3-c":
        pointer.type(character)
    assert (pointer.typed, list(pointer.pressed)) == ("c1-e3-c", cells_of("c1 e3"))
    pointer.type("-")
    assert pointer.typed == "c1-e3-c"


def test_what_leads_nowhere_is_refused_with_all_that_was_pressed() -> None:
    pointer = jumping(FORK)
    choices = [pointer.point(cell) for cell in cells_of("c1 e3 h8")]
    assert choices == [None, None, ChosenMove("c1e3h8")]


def test_signs_between_cells_are_typed_only_where_a_cell_may_follow() -> None:
    pointer = Pointer(parse("othello"), parse("othello").start())
    pointer.type("c")
    pointer.type("4")
    assert not pointer.continues("-")
    pawns = Pointer(parse("breakthrough"), parse("breakthrough").start())
    assert not pawns.continues("x")
    for text in ("a2-b3", "a2xb3"):
        assert typed(pawns, text) == ChosenMove("a2b3")
        pawns.look_at(pawns.position)
    for character in "a2a3":
        pawns.type(character)
    assert not pawns.continues("-")


@pytest.mark.parametrize(("width", "cells"), [(10, ["c3", "d4"]), (26, ["c3", "xd4"])])
def test_x_is_no_sign_where_it_is_a_column(width: int, cells: list[str]) -> None:
    typing = _typing(width)
    assert typing.between.sub(" ", typing.begins.sub(" ", "c3xd4")).split() == cells
    assert typing.row.fullmatch("c3-d4")
    assert bool(typing.row.fullmatch("c3x4")) == (width == 26)


def test_a_move_of_one_letter_is_played_as_it_was_typed() -> None:
    """As in games that name pits or files: not where the cursor happens to stand."""
    game = parse("othello")
    pointer = Pointer(game, game.start())
    pointer.hands = {"d": ((3, 2),), "c4": ((2, 3),)}
    pointer.cursor = (2, 3)
    assert pointer.type("d") is None
    assert pointer.press() == ChosenMove("d")
    assert pointer.type("e") is None
    assert pointer.press() == ChosenMove("e")  # for the rules to refuse
    assert pointer.press() == ChosenMove("c4")


def test_a_press_on_a_cell_whose_move_has_another_name_is_refused_as_that_move() -> None:
    game = Sowing()
    position = game.start().play("a").play("b")
    pointer = Pointer(game, position)
    assert pointer.point((0, 1)) == ChosenMove("a")  # it is empty no more
    pointer.look_at(position.play("c").play("d"))
    assert pointer.point((2, 1)) == ChosenMove("c")
    assert pointer.point((2, 0)) == ChosenMove("c2")  # the other row: c below is not meant
    with pytest.raises(IllegalMove) as refused:
        pointer.position.play("c")
    assert refused.value.reason == EMPTY_PIT.code
    pointer.look_at(game.start().play("a"))
    assert pointer.point((5, 0)) == ChosenMove("f")


def test_a_typed_name_tells_moves_with_the_same_cells_apart() -> None:
    """As b1 and b2 of Nim do: so many from heap b, which stands on the cell b1."""
    pointer = Pointer(Sowing(), Sowing().start())
    pointer.hands = {"b1": ((1, 1),), "b9": ((1, 1),), "c1": ((2, 1),)}
    for move in pointer.hands:
        for character in move:
            assert pointer.type(character) is None
        assert pointer.press() == ChosenMove(move)
    assert pointer.point((1, 1)) is None
    assert pointer.choices == ("b1", "b9")
