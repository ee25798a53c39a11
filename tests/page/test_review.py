"""Reviews in a real browser: one grows, shows the better line, asks for it first; mistakes come back as exercises."""

from __future__ import annotations

from collections.abc import Generator, Sequence

import pytest
from axe_playwright_python.sync_playwright import Axe

from bots.base import parse_bot
from bots.explain.sheets import steps_of
from bots.explain.traces import explain
from games import parse
from games.base import position_after
from tests.faults.serving import Serving, serving
from tests.page.browser import HOST, Reader, Room, alternating, needs_browser

pytestmark = [pytest.mark.slow, needs_browser]

LOST = ("b2", "a2", "a1", "c3", "b1", "c1", "b3")
"""A game of morpion; the second player's first move loses, as its values show."""

REVIEW = f"/review/morpion?moves={'%20'.join(LOST)}&seat=2"


@pytest.fixture(scope="module")
def server() -> Generator[Serving]:
    with serving("--host-name", HOST, "--review") as found:
        yield found


def reviewed(reader: Reader) -> Reader:
    """The reader, once the review is complete; while the service that makes it is not there yet, they ask again."""
    again = reader.page.locator("[data-action=again]:visible")
    for _ in range(120):
        reader.page.wait_for_selector("progress", state="hidden", timeout=120_000)
        if not again.count():
            break
        again.click()
        reader.page.wait_for_timeout(500)
    reader.page.wait_for_selector(".judged .blunder")
    return reader


def says(reader: Reader, text: str) -> None:
    reader.page.wait_for_selector(f".verdict:has-text('{text}')")


def serious(reader: Reader) -> list[str]:
    results = Axe().run(reader.page).response["violations"]
    return [each["id"] for each in results if each["impact"] in {"serious", "critical"}]


def test_two_play_and_the_loser_reviews_and_finds_the_better_move(room: Room) -> None:
    ann, bob = room.reader(), room.reader()
    ann.go().create("morpion")
    bob.go().click("join")
    for mover, move in zip(alternating(ann, bob), LOST, strict=False):
        mover.move(move)
    bob.click("review")
    reviewed(bob)
    assert "seat=2" in bob.page.url
    assert bob.page.locator(".judged .blunder").count() == 1
    bob.page.click("[data-action=turning-point]")
    says(bob, "2. a2: blunder. You had something better: find it.")
    bob.page.click(".verdict [data-action=find]")
    says(bob, "Second player: a2 was played.")
    bob.page.click(".cell[data-move=b1]")
    says(bob, "b1 is not good enough.")
    bob.click("hint")
    bob.page.wait_for_selector(".cell.hinted")
    bob.page.click(".cell[data-move=c3]")
    says(bob, "c3")
    assert bob.page.locator(".cell[data-square=c3][data-holds=O]").count() == 1
    bob.click("back-to-game")
    says(bob, "Better: ")
    bob.page.click(".verdict [data-action=show-me]")
    says(bob, "Better: ")
    assert bob.page.locator(".cell[data-holds=O]").count() == 1, "the first move of the better line"
    bob.click("next")
    bob.click("back-to-game")


def test_a_review_is_walked_by_keys_and_axe_is_content(room: Room) -> None:
    reader = reviewed(room.reader().go(REVIEW))
    reader.page.focus("[data-action=graph]")
    reader.page.keyboard.press("Home")
    reader.page.keyboard.press("ArrowRight")
    assert reader.page.get_attribute("[data-action=graph]", "aria-valuenow") == "1"
    assert reader.page.url.endswith("#1")
    assert "A draw with best play (proven)." in reader.page.inner_text(".verdict")
    reader.page.keyboard.press("ArrowRight")
    assert "first player wins" in (reader.page.get_attribute("[data-action=graph]", "aria-valuetext") or "")
    assert serious(reader) == []
    reader.click("explain")
    reader.page.wait_for_selector(".explanation [data-action=unfold]")
    assert serious(reader) == []


def test_a_tree_is_unfolded_by_clicks(room: Room) -> None:
    reader = reviewed(room.reader().go(REVIEW + "#3"))
    reader.click("explain")
    nodes = reader.page.locator(".explanation [data-action=unfold]")
    nodes.nth(1).wait_for()
    top = reader.page.locator(".explanation h2").bounding_box()
    height = reader.page.evaluate("innerHeight")
    assert top is not None
    assert 0 <= top["y"] < height, "what was asked for comes into view"
    before = reader.page.locator(".explanation .node").count()
    nodes.nth(1).click()
    reader.page.wait_for_selector(".explanation .tree .tree .tree .node")
    assert reader.page.locator(".explanation .node").count() > before
    reader.page.check("[name=depth][value='3']", force=True)
    reader.page.wait_for_selector(".explanation .node >> nth=1")


def rising_in_files(spec: str, moves: Sequence[str]) -> list[str]:
    """The moves to each node of a tree, in the order of `explain --steps`."""
    game = parse(spec)
    position = position_after(game, moves)
    root = explain(game, position, parse_bot("minimax:depth=2")).root
    paths = {root: "this position", **{node: node.move for node in root.children}}
    paths |= {low: f"{node.move} {low.move}" for node in root.children for low in node.children}
    return [paths[node] for node in steps_of(root, set(root.walk()))]


def test_values_rise_step_by_step_in_the_order_of_the_files(room: Room) -> None:
    reader = room.reader(reduced_motion="no-preference").go(f"/explore/morpion?moves={'%20'.join(LOST[:4])}#4")
    page = reader.page
    reader.click("explain")
    page.locator(".explanation [data-action=unfold]").nth(1).wait_for()
    for folded in page.query_selector_all(".explanation [aria-expanded=false]"):
        folded.click()
    page.wait_for_selector(".explanation [aria-expanded=false]", state="detached")
    whole = page.locator(".explanation .value").all_inner_texts()
    expected = rising_in_files("morpion", LOST[:4])
    assert len(expected) == len(whole) > 6
    reader.click("step")
    said = [page.inner_text(".explanation [role=status]")]
    assert page.locator(".explanation .value").all_inner_texts().count("?") == len(whole) - 1
    assert page.locator(".explanation .tag:visible").count() == 0, "the choice is not given away"
    page.click("h1")
    for _ in expected[1:]:
        page.keyboard.press("s")
        said.append(page.inner_text(".explanation [role=status]"))
    assert [text.split(": ")[1].split(",")[0] for text in said] == expected
    assert said[-1].startswith(f"Step {len(expected)} of {len(expected)}: this position, MAX ")
    assert page.locator(".explanation .value").all_inner_texts() == whole
    page.keyboard.press("Shift+S")
    assert page.locator(".explanation .value").first.inner_text() == "?", "that of the position is the last one"
    assert page.locator(".explanation .value").all_inner_texts()[1:] == whole[1:]
    assert serious(reader) == []
    page.keyboard.press("Escape")
    assert page.locator(".explanation .value").all_inner_texts() == whole


def test_a_value_moves_up_only_for_who_likes_that(room: Room) -> None:
    for motion in ("no-preference", "reduce"):
        reader = room.reader(reduced_motion=motion).go(f"/explore/morpion?moves={'%20'.join(LOST[:4])}#4")
        reader.click("explain")
        reader.page.locator(".explanation [data-action=unfold]").nth(1).wait_for()
        reader.page.evaluate(
            "() => { window.moved = 0; const animate = Element.prototype.animate;"
            " Element.prototype.animate = function (...given) { window.moved++; return animate.apply(this, given); } }"
        )
        for _ in range(reader.page.locator(".explanation .value").count()):
            reader.click("step")
        assert reader.page.evaluate("window.moved") == (1 if motion == "no-preference" else 0)


def test_mistakes_come_back_as_exercises_in_french(room: Room) -> None:
    reader = reviewed(room.reader(locale="fr-FR", viewport={"width": 390, "height": 844}).go(REVIEW))
    reader.click("exercises")
    reader.page.wait_for_selector(".cell[data-move]")
    assert "1 à faire maintenant, 1 en tout" in reader.page.inner_text(".heading")
    assert serious(reader) == []
    reader.page.click(".cell[data-move=c3]")
    reader.page.wait_for_selector(".heading:has-text('0 à faire maintenant, 1 en tout')")
    reader.click("next-exercise")
    reader.page.wait_for_selector(".status:has-text('Rien à faire maintenant')")
    reader.click("forget-exercises")
    reader.click("forget-exercises")
    reader.page.wait_for_selector(".status:has-text('Pas encore')")


def test_who_plays_gets_no_review_of_it(room: Room) -> None:
    ann, bob, eve = room.reader(), room.reader(), room.reader()
    ann.go().create("morpion")
    bob.go().click("join")
    for ply, (mover, move) in enumerate(zip(alternating(ann, bob), LOST[:5], strict=False), 1):
        mover.move(move)
        mover.see_ply(ply)
    eve.go(REVIEW)
    eve.page.wait_for_selector(".status:has-text('may be playing this')")
