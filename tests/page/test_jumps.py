"""Moves that jump on from cell to cell, in a real browser: what clicks and keys play, what is marked and named."""

from __future__ import annotations

import json
from collections.abc import Generator

import pytest

from tests.faults.serving import Serving, serving
from tests.page.browser import HOST, Reader, Room, needs_browser
from tests.page.dragging import drag
from tests.presses import CROWNED, FORK, SIZE, STOPS, TABLE, TWINS, hands

pytestmark = [pytest.mark.slow, needs_browser]

BOARD = """
async (size) => {
  const { BoardView } = await import("/app/board.js");
  const colours = ["#2e7d4f", "#111111", "#f7f7f2", "transparent", ""];
  const about = { labels: "from_below", signs: "", helps: false, colours, pieces: {}, names: {} };
  const play = (move, by) => Object.assign(window, { played: move, by });
  const board = new BoardView(about, { play, t: (key) => key });
  let ply = 0;
  window.lay = (moves) => {
    window.played = "";
    board.show({ ply: ply++, rows: Array(size).fill("-".repeat(size)), moves }, { playable: true });
  };
  document.querySelector("main").replaceChildren(board.element, board.choices);
}
"""
"""A board without pieces, on which any moves can be laid."""


@pytest.fixture(scope="module")
def server() -> Generator[Serving]:
    with serving("--host-name", HOST) as found:
        yield found


@pytest.fixture
def ann(room: Room) -> Reader:
    """Somebody before such a board."""
    found = room.reader().go()
    found.page.evaluate(BOARD, SIZE)
    return found


def lay(reader: Reader, moves: str) -> None:
    """Begins anew, with these legal moves."""
    reader.page.evaluate(f"lay({json.dumps(hands(moves))})")


def press(reader: Reader, *squares: str) -> str:
    """What the last one of these clicks plays; those before it play nothing."""
    for square in squares:
        assert reader.page.evaluate("played") == ""
        reader.page.click(f".cell[data-square={square}]")
    return str(reader.page.evaluate("played"))


def squares(reader: Reader, selector: str) -> list[str]:
    """The names of cells."""
    found = reader.page.locator(selector)
    return sorted(found.evaluate_all("cells => cells.map(cell => cell.dataset.square)"))


def choices(reader: Reader) -> list[str]:
    """The moves that are offered by name."""
    found: list[str] = reader.page.locator("[data-action=choose]").evaluate_all(
        "all => all.map(one => one.dataset.move)"
    )
    return found


def test_each_press_goes_on_with_the_moves_that_fit(ann: Reader) -> None:
    for row in TABLE:
        lay(ann, row.moves)
        assert press(ann, *row.presses.split()) == row.played, row
        assert squares(ann, ".cell.from") == squares(ann, ".cell[aria-pressed=true]") == row.held.split(), row
        assert squares(ann, ".cell.open") == row.marked.split(), row
        if not row.played:
            assert choices(ann) == row.named.split(), row


def test_a_cell_names_its_move_only_if_it_plays_it(ann: Reader) -> None:
    for moves, pressed, cells in (
        (TWINS, "c1", {"a3": "c1a3c5", "c5": None, "e3": "c1e3c5"}),
        (FORK, "c1", {"c5": "c1e3c5", "e3": None, "g5": "c1e3g5"}),
        (STOPS, "c1 e3", {"e3": "c1e3", "g5": "c1e3g5"}),
    ):
        lay(ann, moves)
        assert press(ann, *pressed.split()) == ""
        named = {square: ann.page.get_attribute(f".cell[data-square={square}]", "data-move") for square in cells}
        assert named == cells
        assert set(squares(ann, ".cell[aria-disabled=false]")) == {*cells, *pressed.split()}


def test_a_name_plays_its_move(ann: Reader) -> None:
    lay(ann, CROWNED)
    assert press(ann, "c7", "c8") == ""
    ann.page.click("[data-move=c7c8n]")
    assert ann.page.evaluate("played") == "c7c8n"
    assert choices(ann) == []
    lay(ann, f"pass {CROWNED}")
    assert choices(ann) == ["pass"]
    ann.page.focus(".cell[data-square=c8]")
    for key in ("ArrowDown", "Enter", "ArrowUp", "Enter"):
        ann.page.keyboard.press(key)
    assert ann.page.evaluate("document.activeElement.dataset.move") == "c7c8q"
    ann.page.keyboard.press("Tab")
    ann.page.keyboard.press("Enter")
    assert ann.page.evaluate("played") == "c7c8n"


def test_escape_lets_go_among_the_names_and_gives_the_focus_back(ann: Reader) -> None:
    lay(ann, CROWNED)
    ann.page.focus(".cell[data-square=a8]")
    for key in ("ArrowRight", "ArrowRight", "ArrowDown", "Enter", "ArrowUp", "Enter"):
        ann.page.keyboard.press(key)
    assert ann.page.evaluate("document.activeElement.dataset.move") == "c7c8q"
    ann.page.keyboard.press("Escape")
    assert (choices(ann), squares(ann, ".cell.from")) == ([], [])
    assert ann.page.evaluate("document.activeElement.dataset.square") == "c8"
    for key in ("ArrowDown", "Enter", "ArrowUp", "Enter", "Enter"):
        ann.page.keyboard.press(key)
    assert ann.page.evaluate("played") == "c7c8q"
    assert ann.page.evaluate("document.activeElement.dataset.square") == "c8"


def test_a_name_that_is_tapped_is_a_tap(room: Room) -> None:
    """So that who wants taps to be confirmed is asked."""
    ann = room.reader(has_touch=True).go()
    ann.page.evaluate(BOARD, SIZE)
    lay(ann, "pass c4")
    ann.page.tap("[data-move=pass]")
    assert ann.page.evaluate("[played, by]") == ["pass", "touch"]


def test_in_a_game_of_columns_any_cell_of_one_asks(ann: Reader) -> None:
    ann.page.evaluate(
        """async (size) => {
          const { BoardView } = await import("/app/board.js");
          const colours = ["", "", "", "transparent", ""];
          const about = { labels: "columns", signs: "", helps: false, colours, pieces: {},
            names: { a: { en: "push", fr: "pousser" }, b: { en: "drop", fr: "lâcher" } } };
          const t = (key) => (key === "inLanguage" ? "en" : key);
          const board = new BoardView(about, { play: (move) => { window.played = move; }, t });
          const moves = { "1a": [[0, 3]], "1b": [[0, 3]], "2": [[1, 3]] };
          board.show({ ply: 0, rows: Array(4).fill("--"), moves }, { playable: true });
          document.querySelector("main").replaceChildren(board.element, board.choices);
        }""",
        SIZE,
    )
    ann.page.click(".cell[data-square=a4]")
    assert ann.page.locator("[data-action=choose]").all_inner_texts() == ["push", "drop"]
    ann.page.click("[data-move='1b']")
    assert ann.page.evaluate("played") == "1b"


def test_what_leads_nowhere_lets_all_go(ann: Reader) -> None:
    lay(ann, FORK)
    assert press(ann, "c1", "e3") == ""
    ann.page.click(".cell[data-square=h8]", force=True)
    assert squares(ann, ".cell.from") == []
    ann.page.click(".cell[data-square=g5]", force=True)
    assert ann.page.evaluate("played") == ""


def test_keys_go_from_cell_to_cell_and_escape_lets_all_go(ann: Reader) -> None:
    lay(ann, "a8b8c8 a8b8b7")
    ann.page.focus(".cell[data-square=a8]")
    for key, held, played in (
        ("Enter", ["a8"], ""), ("ArrowRight", ["a8"], ""), ("Space", ["a8", "b8"], ""), ("Escape", [], ""),
        ("ArrowLeft", [], ""), ("Enter", ["a8"], ""), ("ArrowRight", ["a8"], ""), ("Enter", ["a8", "b8"], ""),
        ("ArrowDown", ["a8", "b8"], ""), ("Enter", [], "a8b8b7"),
    ):  # fmt: skip
        ann.page.keyboard.press(key)
        assert squares(ann, ".cell.from") == held
        assert ann.page.evaluate("played") == played


def test_a_drag_to_an_end_of_several_moves_only_narrows(ann: Reader) -> None:
    lay(ann, f"{TWINS} c1e3g5")
    drag(ann, "c1", "c5")
    assert squares(ann, ".cell.from") == ["c1", "c5"]
    assert press(ann, "e3") == "c1e3c5"
    lay(ann, TWINS)
    drag(ann, "c1", "a3")
    assert ann.page.evaluate("played") == "c1a3c5"
