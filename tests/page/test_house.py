"""Against the computer, in a browser: one click begins, another level, and on from any position."""

from __future__ import annotations

from collections.abc import Generator

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from tests.faults.serving import Serving, serving
from tests.page.browser import HOST, Reader, Room, needs_browser

pytestmark = [pytest.mark.slow, needs_browser]

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
BOTS = "human:level=1..2,minimax:depth=2,random"


@pytest.fixture(scope="module")
def server() -> Generator[Serving]:
    with serving("--host-name", HOST, "--house-bots", BOTS) as found:
        yield found


def choose(reader: Reader, name: str) -> None:
    reader.page.locator(f'input[name=house][value="{name}"] + span:visible').click()


def play_to_the_end(reader: Reader) -> None:
    """Clicks a cell whenever one may be played."""
    over, played = reader.page.locator("[data-action=rematch]"), reader.page.locator(".moves li")
    for _ in range(9):
        reader.page.wait_for_selector("[data-move], [data-action=rematch]")
        if over.count():
            return
        before = played.count()
        reader.page.locator("[data-move]").first.click()
        reader.see_ply(before + 1)
    over.wait_for()


def test_a_game_against_the_house_takes_one_click_and_another_level_one_more(room: Room) -> None:
    ann = room.reader().go()
    ann.page.wait_for_selector("[data-action=play-house]:visible")
    ann.page.select_option("select[name=game]", "morpion")
    choose(ann, "random")
    ann.click("play-house")
    play_to_the_end(ann)
    ann.click("another-level")
    choose(ann, "human:level=2")
    before = ann.page.url
    ann.page.click(".challenge [data-action=play-house]")
    ann.page.wait_for_url(lambda url: url != before)
    ann.page.wait_for_selector(".name:has-text('Level 2')")
    ann.page.goto(f"{ann.url}/watch?m={ann.page.url.rpartition('/')[2]}")
    ann.page.wait_for_selector(".tile .name:has-text('Level 2')")


def test_a_replay_is_played_on_from_where_it_stands(room: Room) -> None:
    ann = room.reader(**PHONE).go("/replay/puissance4?moves=4453#3")
    ann.click("play-from")
    choose(ann, "random")
    ann.page.click(".challenge [data-action=play-house]")
    ann.page.wait_for_url("**/m/*")
    ann.page.wait_for_selector("[data-move]")
    ann.see_ply(3)


@pytest.mark.parametrize("language", ["en", "fr"])
def test_what_the_house_shows_is_accessible(room: Room, language: str) -> None:
    ann = room.reader(color_scheme="dark").go(f"/?lang={language}")
    ann.page.wait_for_selector("[data-action=play-house]:visible")
    ann.page.click("summary")
    for path in ("", f"/replay/puissance4?moves=4453&lang={language}#2"):
        if path:
            ann.go(path).click("play-from")
            ann.page.wait_for_selector(".challenge:visible")
        found = Axe().run(ann.page, options={"runOnly": ["wcag2a", "wcag2aa"]})
        assert [(one["id"], one["nodes"][0]["html"][:200]) for one in found.response["violations"]] == []


def test_the_bots_of_the_house_have_names_in_the_readers_language(room: Room) -> None:
    ann = room.reader().go("/?lang=fr")
    ann.page.wait_for_selector("[data-action=play-house]:visible")
    ann.page.click("summary")
    ann.page.select_option("select[name=game]", "morpion")
    for name, called in (("minimax:depth=2", "minimax (2 coups)"), ("random", "Hasard")):
        expect(ann.page.locator(f'input[name=house][value="{name}"]')).to_have_accessible_name(called)
    choose(ann, "random")
    ann.click("play-house")
    ann.page.wait_for_selector(".name:has-text('Hasard')")
