"""Comforts of the page in a real browser: settings, keys, dragging, commands, two at one screen, sharing."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections.abc import Generator, Mapping
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe

from tests.faults.serving import Serving, serving
from tests.page.browser import HOST, Reader, Room, alternating, needs_browser
from tests.page.dragging import centre, drag

pytestmark = [pytest.mark.slow, needs_browser]

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}


@pytest.fixture(scope="module")
def server() -> Generator[Serving]:
    with serving("--host-name", HOST) as found:
        yield found


def choose(reader: Reader, setting: str, value: str) -> None:
    """Changes a setting."""
    reader.click("settings")
    reader.page.check(f"[name=set-{setting}][value={value}]", force=True)
    reader.click("close")


def pair(
    room: Room, game: str, *, clock: str = "none", first: Mapping[str, object] | None = None
) -> tuple[Reader, Reader]:
    """Two who have begun to play; the first to move comes first."""
    ann, bob = room.reader(**(first or {})), room.reader()
    where = ann.go().create(game, clock=clock)
    bob.go(where).click("join")
    ann.page.wait_for_selector(".cell[aria-disabled=false]")
    return ann, bob


def local(room: Room, game: str, moves: str = "") -> Reader:
    """Somebody with a board on their screen."""
    ann = room.reader().go(f"/local/{game}?moves={moves}")
    ann.page.wait_for_selector(".cell[aria-disabled=false], [data-action=replay]")
    return ann


def ask(reader: Reader, text: str) -> str:
    """What the field for moves answers."""
    reader.page.fill("[name=move]", text)
    reader.click("play-typed")
    reader.page.wait_for_selector(".reply:not(:empty)")
    return reader.page.inner_text(".reply")


def test_settings_hold_at_once_and_after_a_reload(room: Room) -> None:
    ann = local(room, "othello")
    root = ann.page.locator("html")
    for setting, value in (("theme", "contrast"), ("coordinates", "off"), ("hints", "off"), ("animation", "off")):
        choose(ann, setting, value)
        assert root.get_attribute(f"data-{setting}") == value
    assert ann.page.locator(".label").first.is_hidden()
    assert ann.page.locator(".cell.target .hint").first.evaluate("hint => getComputedStyle(hint).opacity") == "0"
    ann.page.reload()
    ann.page.wait_for_selector(".cell.target")
    assert root.get_attribute("data-theme") == "contrast"
    assert ann.page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(0, 0, 0)"


@pytest.mark.parametrize("kept", ['{"theme":"<b>","sound":7,"__proto__":{"hints":"off"}}', "[1]", "{", '"x"', "null"])
def test_what_was_kept_is_not_believed(room: Room, kept: str) -> None:
    ann = room.reader().go()
    ann.page.evaluate("kept => localStorage.setItem('arbitre.settings', kept)", kept)
    ann.page.evaluate("kept => localStorage.setItem('arbitre.local', kept)", kept)
    ann.go("/local/morpion")
    ann.page.wait_for_selector(".cell[aria-disabled=false]")
    assert ann.page.get_attribute("html", "data-theme") == "system"
    assert ann.page.get_attribute("html", "data-hints") == "on"
    assert ann.page.input_value("[name=name1]") == ""


MARKS = """
() => Object.fromEntries([...document.querySelectorAll(".cell")].map((cell) => {
  const hint = cell.querySelector(".hint");
  const drawn = [...hint.children].map((part) => getComputedStyle(part)).filter(({ display }) => display !== "none");
  const colours = drawn.map(({ fill, stroke }) => (fill === "none" ? stroke : fill));
  return [cell.dataset.square, [Number(getComputedStyle(hint).opacity), ...colours]];
}).filter(([, [opacity]]) => opacity > 0))
"""
"""The cells that are marked as open: how strongly, and in which colours, the outer one first."""


def light(colour: str) -> float:
    """How light a colour is, as WCAG counts it."""
    shares = [int(part) / 255 for part in re.findall(r"\d+", colour)]
    linear = [share / 12.92 if share <= 0.03928 else ((share + 0.055) / 1.055) ** 2.4 for share in shares]
    return sum(weight * share for weight, share in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


@pytest.mark.parametrize("theme", ["light", "dark", "contrast"])
def test_where_a_piece_may_go_is_marked_and_a_capture_by_a_ring_of_two_colours(room: Room, theme: str) -> None:
    ann = local(room, "breakthrough", "c2c3 d5d4 a2a3")
    choose(ann, "theme", theme)
    assert ann.page.evaluate(MARKS) == {}  # nearly every pawn has a move
    ann.page.click(".cell[data-square=d4]")
    marks = ann.page.evaluate(MARKS)
    assert {square: len(colours) for square, (_, *colours) in marks.items()} == {"c3": 2, "d3": 1, "e3": 1}
    opacity, outer, inner = marks["c3"]
    assert opacity >= 0.9
    assert (light(inner) + 0.05) / (light(outer) + 0.05) > 7  # so one of them shows on any colour
    choose(ann, "hints", "off")
    assert ann.page.evaluate(MARKS) == {}


def test_a_piece_is_dragged_to_where_it_goes(room: Room) -> None:
    ann = local(room, "breakthrough")
    drag(ann, "a2", "a5")  # not a move: nothing happens, and nothing stays picked up
    assert ann.page.locator(".cell.from, .ghost").count() == 0
    drag(ann, "a2", "b3")
    ann.page.wait_for_selector(".cell[data-square=b3][data-holds=X]")
    assert ann.page.locator(".moves li").count() == 1


PINS = """
async () => {
  const { BoardView } = await import("/app/board.js");
  const colours = ["#2e7d4f", "#111111", "#f7f7f2", "transparent", ""];
  const about = { labels: "cells", signs: "", helps: true, colours, pieces: {} };
  const cells = { a: [0, 0], b: [1, 0], c: [2, 0], d: [3, 0] };
  const moves = Object.fromEntries(["a1", "b1", "c1", "a1b1", "b1c1", "d1c1"].map((move) =>
    [move, [...move.replaceAll("1", "")].map((letter) => cells[letter])]));
  const board = new BoardView(about, { play: (move) => { window.played = move; }, t: (key) => key });
  window.lay = (ply = 0) => { window.played = ""; board.show({ ply, rows: ["----"], moves }, { playable: true }); };
  document.querySelector("main").replaceChildren(board.element);
}
"""
"""A board with moves of one cell and of two: those of c1 are its own alone, d1 has none of its own."""


def pins(room: Room) -> Reader:
    """Somebody before such a board."""
    ann = room.reader().go()
    ann.page.evaluate(PINS)
    ann.page.evaluate("lay()")
    return ann


def played(reader: Reader, *squares: str) -> str:
    """What the last one of these clicks plays; those before it play nothing."""
    page = reader.page
    page.evaluate("lay(window.ply = (window.ply ?? 0) + 1)")  # a position of its own
    for square in squares:
        assert page.evaluate("played") == ""
        page.click(f".cell[data-square={square}]")
    return str(page.evaluate("played"))


def test_a_cell_where_a_move_of_two_begins_is_taken_up_first(room: Room) -> None:
    ann = pins(room)
    assert played(ann, "a1") == ""
    assert ann.page.get_attribute(".cell.from[aria-pressed=true]", "data-square") == "a1"
    assert played(ann, "a1", "a1") == "a1"
    assert played(ann, "a1", "b1") == "a1b1"  # rather than to begin there anew
    assert played(ann, "c1") == "c1"
    assert played(ann, "a1", "c1") == "c1"
    assert played(ann, "d1", "d1") == ""
    assert ann.page.locator(".cell.from").count() == 0
    assert played(ann, "d1", "a1") == ""
    assert ann.page.get_attribute(".cell.from", "data-square") == "a1"
    ann.page.evaluate("lay(0)")  # another position
    assert ann.page.locator(".cell.from").count() == 0


def test_keys_take_a_cell_up_and_play_it(room: Room) -> None:
    ann = pins(room)
    page = ann.page
    page.focus(".cell[data-square=a1]")
    pressed = ("Enter", "Enter", "Enter", "Escape", "Space", "ArrowRight", "Enter")
    for key, move, held in zip(pressed, ("", "a1", "", "", "", "", "a1b1"), (1, 0, 1, 0, 1, 1, 0), strict=True):
        page.keyboard.press(key)
        assert page.evaluate("played") == move
        assert page.locator(".cell.from").count() == held
        if move:
            page.evaluate("lay()")


def test_a_drag_plays_only_what_begins_where_it_does(room: Room) -> None:
    ann = pins(room)
    drag(ann, "a1", "c1")
    assert ann.page.evaluate("played") == ""
    assert ann.page.locator(".cell.from, .ghost").count() == 0
    drag(ann, "a1", "b1")
    assert ann.page.evaluate("played") == "a1b1"


def test_a_disc_falls_in_the_column_over_which_it_is_let_go(room: Room) -> None:
    ann = local(room, "puissance4")
    mouse = ann.page.mouse
    mouse.move(*centre(ann, "a6"))
    mouse.down()
    mouse.move(*centre(ann, "d4"), steps=4)
    assert ann.page.get_attribute(".cell.lands", "data-square") == "d1"
    mouse.up()
    ann.page.wait_for_selector(".cell[data-square=d1][data-holds=X]")
    assert ann.page.inner_text(".moves") == "4"


STILL = """
() => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(".falls { animation-play-state: paused; }");
  document.adoptedStyleSheets = [sheet];
}
"""
"""Discs that fall stand still from now on."""

FALLEN = "ms => { document.getAnimations()[0].currentTime = ms; }"
"""Where one is after so many milliseconds of its fall."""


@pytest.mark.parametrize(("pressed", "lifted"), [(0, 57), (57, 140)])
def test_a_disc_that_falls_past_takes_no_press(room: Room, pressed: int, lifted: int) -> None:
    ann = local(room, "puissance4")
    page, top = ann.page, centre(ann, "d6")
    page.evaluate(STILL)
    ann.move("4")
    page.wait_for_selector(".cell[data-square=d1] .falls")
    page.mouse.move(*top)
    page.evaluate(FALLEN, pressed)
    page.mouse.down()
    page.evaluate(FALLEN, lifted)
    page.mouse.up()
    page.wait_for_selector(".cell[data-square=d2][data-holds=O]")


def slip(reader: Reader, square: str, far: int) -> None:
    """Presses just inside the lower edge of a cell, and lifts below it."""
    box = reader.page.locator(f".cell[data-square={square}] .field").bounding_box()
    assert box is not None
    x, y, mouse = box["x"] + box["width"] / 2, box["y"] + box["height"] - 2, reader.page.mouse
    mouse.move(x, y)
    mouse.down()
    mouse.move(x, y + far, steps=3)
    mouse.up()


@pytest.mark.parametrize(
    ("game", "square", "then"),
    [("puissance4", "d5", "[data-square=d1][data-holds=X]"), ("othello", "d3", "[data-square=d3][data-holds=X]"),
     ("breakthrough", "b2", "[data-square=b2][aria-pressed]")],
)  # fmt: skip
def test_a_press_that_slips_over_the_edge_of_its_cell_is_a_click(room: Room, game: str, square: str, then: str) -> None:
    ann = local(room, game)
    slip(ann, square, 5)
    ann.page.wait_for_selector(f".cell{then}")


def test_a_press_that_goes_further_is_no_click(room: Room) -> None:
    ann = local(room, "othello")
    slip(ann, "d3", 20)
    ann.move("c4")
    ann.page.wait_for_selector(".cell[data-square=c4][data-holds=X]")
    assert ann.page.inner_text(".moves") == "c4"


def test_keys_walk_through_the_moves_unless_the_board_has_them(room: Room) -> None:
    ann, bob = pair(room, "morpion", clock="5+3")
    for mover, move in zip(alternating(ann, bob), ("b2", "a1", "c1"), strict=False):
        mover.move(move)
    for reader in (ann, bob):
        reader.see_ply(3)
    page = bob.page
    page.focus("main")
    for key, current in (("ArrowLeft", "a1"), ("Home", None), ("ArrowRight", "b2"), ("End", "c1")):
        page.keyboard.press(key)
        page.wait_for_selector(
            f".moves [aria-current]:text-is('{current}')" if current else ".moves:not(:has([aria-current]))"
        )
    page.focus(".cell[tabindex='0']")
    page.keyboard.press("ArrowLeft")
    assert page.inner_text(".moves [aria-current]") == "c1"
    assert page.locator("#speech").inner_text() == "Edge of the board."
    page.fill("[name=text]", "fz")
    assert page.locator("html.zen").count() == 0


def test_f_turns_board_names_and_clocks_and_z_hides_the_rest(room: Room) -> None:
    ann, _bob = pair(room, "othello", clock="5+3")
    page = ann.page
    page.focus("main")
    below, corner = page.locator(".player").last, centre(ann, "a1")
    assert ann.name in below.inner_text()
    page.keyboard.press("f")
    assert ann.name not in below.inner_text()
    assert centre(ann, "a1") != corner
    assert page.locator(".player").first.locator("[data-seat='1']").count() == 1
    page.keyboard.press("z")
    assert page.locator(".top").is_hidden()
    assert page.locator(".talk").is_hidden()
    assert page.locator(".status").is_visible()
    page.keyboard.press("Escape")
    assert page.locator(".top").is_visible()


def test_a_touch_is_confirmed_if_the_reader_wants_it(room: Room) -> None:
    ann, bob = pair(room, "puissance4", first=PHONE)
    choose(ann, "confirm", "touch")
    ann.page.locator(".cell[data-square=c3]").tap()
    ann.page.wait_for_selector(".sure:has-text('Play 3?')")
    ann.click("cancel")
    assert ann.page.locator(".cell.pending").count() == 0
    ann.page.locator(".cell[data-square=c3]").tap()
    ann.page.wait_for_selector(".cell.pending[data-square=c1]")
    assert bob.page.locator(".moves li").count() == 0
    ann.click("confirm-move")
    bob.see_ply(1)
    bob.move("3")  # a mouse is asked nothing


def test_sounds_are_off_until_they_are_wanted(room: Room) -> None:
    ann, bob = pair(room, "morpion")
    bob.page.evaluate(
        "() => { window.tones = 0; const start = OscillatorNode.prototype.start;"
        " OscillatorNode.prototype.start = function (...at) { window.tones++; return start.apply(this, at); }; }"
    )
    ann.move("b2")
    bob.see_ply(1)
    assert bob.page.evaluate("window.tones") == 0
    choose(bob, "sound", "on")
    before = bob.page.evaluate("window.tones")
    bob.move("a1")
    ann.move("c1")
    bob.see_ply(3)
    assert bob.page.evaluate("window.tones") == before + 1


def test_the_field_answers_those_who_hear_the_page(room: Room) -> None:
    ann, bob = pair(room, "othello", clock="5+3")
    ann.move("d3")
    bob.page.wait_for_selector(".cell[aria-disabled=false]")
    assert ask(bob, "?").startswith("Type a move, or: c clocks")
    assert re.fullmatch(r"Guest \d+: [45]:\d\d\. Guest \d+: [45]:\d\d\.", ask(bob, "c"))
    assert ask(bob, "l") == "Move 1: d3."
    assert ask(bob, "m") == "Possible: c3, e3, c5."
    assert ask(bob, "r 4") == "Row 4: d first player, e first player."
    assert ask(bob, "k d") == "Column d: 3 first player, 4 first player, 5 first player."
    first = ask(bob, "r 99")
    assert first == "There is no such row."
    assert bob.page.locator(".reply").evaluate("reply => reply.textContent") == first
    ask(bob, "r 99")
    assert bob.page.locator(".reply").evaluate("reply => reply.textContent") == first + "\u00a0"  # heard again
    bob.page.fill("[name=move]", "C-3")
    bob.click("play-typed")
    ann.page.wait_for_selector(".cell[aria-disabled=false]")
    assert ann.status == f"{bob.name}: c3. Your turn."


def test_each_move_of_a_game_is_heard(room: Room) -> None:
    ann, bob = pair(room, "puissance4")
    names = (ann.name, bob.name)
    for reader in (ann, bob):
        reader.page.evaluate(
            "() => { window.heard = []; const region = document.querySelector('[role=status]');"
            " const watcher = new MutationObserver(() => heard.push(region.textContent));"
            " watcher.observe(region, {childList: true, characterData: true, subtree: true}); }"
        )
    for ply, mover in zip(range(7), alternating(ann, bob), strict=False):
        mover.move("12"[ply % 2])
        for reader in (ann, bob):
            reader.see_ply(ply + 1)
    for reader in (ann, bob):
        reader.page.wait_for_selector("[data-action=rematch]")
    heard = [reader.page.evaluate("window.heard") for reader in (ann, bob)]
    end = f"{names[0]} wins: 4 in a line."
    assert heard[0] == [*[f"{names[1]} to move.", f"{names[1]}: 2. Your turn."] * 3, end]
    assert heard[1] == [*[f"{names[0]}: 1. Your turn.", f"{names[0]} to move."] * 3, end]


def test_two_play_at_one_screen(room: Room) -> None:
    ann = local(room, "morpion")
    ann.page.fill("[name=name1]", "<b>Zoé</b>")
    for move in ("a1", "b2", "a2", "b3"):
        ann.move(move)
        ann.page.wait_for_selector(f".moves [aria-current]:text-is('{move}')")
    assert ann.status == "Move 4: b3. <b>Zoé</b> to move."
    ann.click("undo")
    ann.move("c3")
    ann.page.wait_for_selector(".moves [aria-current]:text-is('c3')")
    ann.move("a3")
    ann.page.wait_for_selector("[data-action=replay]")
    assert ann.status == "<b>Zoé</b> wins: 3 in a line."
    assert ann.page.locator(".cell.won").count() == 3
    assert ann.page.url.endswith("/local/morpion?moves=a1%20b2%20a2%20c3%20a3")
    ann.page.reload()
    ann.page.wait_for_selector("[data-action=replay]")
    assert ann.page.input_value("[name=name1]") == "<b>Zoé</b>"
    ann.click("again")
    ann.page.wait_for_selector(".cell[aria-disabled=false]")
    assert ann.page.locator(".moves li").count() == 0


def test_positions_are_explored_and_branch(room: Room) -> None:
    ann = room.reader().go("/explore/puissance4?moves=4453#2")
    ann.page.wait_for_selector(".cell[aria-disabled=false]")
    assert ann.page.locator(".cell[data-holds=X]").count() == 1
    ann.move("1")
    ann.page.wait_for_selector(".moves li:nth-child(4)", state="detached")
    assert ann.page.url.endswith("/explore/puissance4?moves=4%204%201")
    ann.page.focus("main")
    ann.page.keyboard.press("ArrowLeft")
    ann.move("2")
    ann.page.wait_for_selector(".moves li:nth-child(3):has-text('2')")
    ann.go("/explore/othello?moves=zz")
    ann.page.wait_for_selector(".detail:not(:empty)")


@pytest.mark.parametrize(
    ("game", "squares", "said"),
    [
        ("othello", ["a1"], "a1 would turn over no disc"),
        ("morpion?moves=b2", ["b2"], "That square is taken."),
        ("breakthrough", ["d4"], "No move of yours begins here."),
        ("breakthrough", ["a2", "d4"], "a2d4"),
    ],
)
def test_a_press_that_makes_no_move_is_told_why(room: Room, game: str, squares: list[str], said: str) -> None:
    ann = room.reader().go(f"/local/{game}")
    ann.page.wait_for_selector(".cell[aria-disabled=false]")
    for square in squares:
        ann.page.click(f".cell[data-square={square}]", force=True)
    ann.page.wait_for_selector(f".detail:has-text('{said}')")


def test_a_press_that_makes_no_move_is_told_in_a_match_and_nothing_else_happens(room: Room) -> None:
    ann, bob = room.reader(locale="fr-FR").go(), room.reader()
    bob.go(ann.create("othello")).click("join")
    ann.page.wait_for_selector(".cell[aria-disabled=false]")
    ann.page.click(".cell[data-square=a1]", force=True)
    ann.page.wait_for_selector(".detail:has-text('a1 ne retourne')")
    ann.move("d3")
    bob.see_ply(1)
    ann.page.wait_for_selector(".detail:empty", state="attached")


def test_a_board_on_one_screen_outlives_the_connection(room: Room) -> None:
    ann = local(room, "morpion")
    ann.move("b2")
    ann.page.wait_for_selector(".cell[data-holds=X]")
    ann.page.evaluate("() => { WebSocket.prototype.send = () => { throw new Error('offline'); }; }")
    ann.page.click(".cell[data-square=a1]")
    ann.page.reload()
    ann.page.wait_for_selector(".cell[data-holds=X]")
    ann.move("a1")
    ann.page.wait_for_selector(".cell[data-holds=O]")


def test_a_position_is_shared_as_a_link_a_picture_and_an_animation(room: Room, tmp_path: Path) -> None:
    ann = room.reader().go("/replay/puissance4?moves=4453#3")
    ann.page.wait_for_selector(".cell[data-holds=X]")
    ann.click("share")
    ann.page.wait_for_selector("[data-action=animation]")
    assert ann.page.input_value(".share input") == ann.url + "/replay/puissance4?moves=4%204%205%203#3"
    ann.click("copy-link")  # plain HTTP has no clipboard
    ann.page.wait_for_selector(".copied .faint:not(:empty)")
    for action, moving in (("picture", 0), ("animation", 4)):
        with ann.page.expect_download() as waiting:
            ann.click(action)
        path = tmp_path / waiting.value.suggested_filename
        waiting.value.save_as(path)
        root = ET.parse(path).getroot()
        tag = "{http://www.w3.org/2000/svg}"
        assert root.tag == f"{tag}svg"
        discs = [
            one
            for one in root.iter(f"{tag}circle")
            if one.get("fill") in {"#e5433a", "#ffd23f"} or one.get("r") == "24"
        ]
        assert len(discs) - 42 == 3 + (1 if moving else 0)
        assert len(list(root.iter(f"{tag}animate"))) == 2 * moving


def test_a_link_to_ones_seat_goes_on_elsewhere_once(room: Room) -> None:
    ann, bob = pair(room, "morpion")
    ann.click("comeback")
    link = ann.page.input_value(".comeback input")
    ann.click("close")
    path, _, secret = link.removeprefix(ann.url).partition("#seat=")
    assert re.fullmatch(r"[\w-]{22}", secret)
    kept = ann.page.evaluate("JSON.parse(localStorage.getItem('arbitre.session')).token")
    assert secret not in kept
    phone = room.reader(**PHONE)
    phone.page.goto(link)
    phone.page.wait_for_selector("[data-action=take-seat]")
    assert phone.page.url == phone.url + path  # the secret has left the address
    assert phone.page.evaluate("JSON.stringify([history.state, location.hash])") == '[null,""]'
    phone.page.wait_for_selector(".me:not(:empty)")
    phone.click("take-seat")
    phone.move("b2")
    bob.see_ply(1)
    ann.see_ply(1)
    assert phone.name != ann.name, "a seat is taken over, not who has it"
    bob.move("a1")
    ann.page.wait_for_selector(".moves li >> nth=1")
    assert ann.page.locator(".cell[aria-disabled=false], [data-action=resign]").count() == 0
    for reader in (room.reader(), ann):
        reader.page.goto("about:blank")
        reader.page.goto(link)
        reader.page.wait_for_selector(".me:not(:empty)")
        reader.click("take-seat")
        reader.page.wait_for_selector(".trouble:has-text('no more')")
    phone.page.reload()
    phone.move("c1")
    bob.see_ply(3)


def test_going_back_is_never_a_move_nor_a_lost_game(room: Room) -> None:
    ann, bob = pair(room, "morpion")
    ann.move("b2")
    bob.move("a1")
    ann.see_ply(2)
    ann.page.focus("main")
    ann.page.keyboard.press("ArrowLeft")  # walking leaves nothing in the history
    ann.page.keyboard.press("ArrowLeft")
    ann.page.go_back()
    ann.page.wait_for_selector(".create")
    ann.page.wait_for_selector("[data-action=back]")
    ann.page.go_forward()
    ann.page.wait_for_selector(".moves li:nth-child(2)")
    assert bob.page.locator(".moves li").count() == 2
    ann.page.keyboard.press("End")
    ann.move("c1")
    bob.see_ply(3)


@pytest.mark.parametrize("width", [1280, 390])
def test_large_text_overlaps_nothing(room: Room, width: int) -> None:
    ann = room.reader(viewport={"width": width, "height": 844})
    match = ann.go().create("othello", clock="5+3")
    replays = ("/local/othello?moves=d3c3c4", "/replay/puissance4?moves=4453", "/review/puissance4?moves=4453")
    for path in (match, "/", *replays):
        ann.go(path)
        ann.page.wait_for_selector("#view :is(.board .cell, .create)")
        ann.page.evaluate("document.documentElement.style.setProperty('font-size', '200%')")
        assert ann.page.evaluate("document.documentElement.scrollWidth") <= width, path
        cut = ann.page.evaluate(
            "() => [...document.querySelectorAll('button, .chip span, .name, .status')].filter(one => one.offsetWidth"
            " && (one.scrollWidth > one.clientWidth + 2)).map(one => one.textContent)"
        )
        assert cut == [], path


@pytest.mark.parametrize("theme", ["light", "contrast"])
def test_the_new_views_are_accessible(room: Room, theme: str) -> None:
    ann = room.reader()
    ann.go()
    ann.page.evaluate("theme => localStorage.setItem('arbitre.settings', JSON.stringify({theme}))", theme)
    for path, action in (
        ("/local/puissance4?moves=4453", None), ("/explore/breakthrough", None), ("/", "settings"),
        ("/replay/othello?moves=d3c3c4", "share"), ("/embed/replay/othello?moves=d3c3c4", None),
        ("/m/x#seat=abcdefghijklmnopqrstuv", None),
    ):  # fmt: skip
        ann.page.goto(ann.url + path)
        ann.page.wait_for_selector("#view :is(.board .cell, .create, .card)")
        if action:
            ann.click(action)
            ann.page.wait_for_selector("dialog")
        found = Axe().run(ann.page, options={"runOnly": ["wcag2a", "wcag2aa"]})
        assert [(one["id"], one["nodes"][0]["html"][:200]) for one in found.response["violations"]] == [], path
