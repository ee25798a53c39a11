"""Watching in a real browser: leagues, walls, several boards, and what bots think."""

from __future__ import annotations

import re
from collections.abc import Generator
from contextlib import ExitStack
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from tests.faults.serving import Serving, serving
from tests.page.browser import HOST, Room, needs_browser
from tests.page.programs import Pair, Program, table

pytestmark = [pytest.mark.slow, needs_browser]

HOSTILE = "<img src=x onerror=a()>"
KEY = "k" * 24
AGAINST: list[list[float | None]] = [[None, 1.5, 2], [0.5, None, None], [0, None, None]]
ROWS = table(("Élodie", 1, 3.5, 4), (HOSTILE, 2, 0.5, 2), ("Tom", 3, 0, 2), against=AGAINST)
GAMES: list[dict[str, Any]] = [
    {"number": 1, "first": "Élodie", "second": HOSTILE, "winner": 1, "reason": "line", "moves": "b2 a1 c1 b1 a3"},
    {"number": 2, "first": HOSTILE, "second": "Élodie", "winner": None, "reason": "full", "moves": "a1 b2"},
    {"number": 3, "first": "Élodie", "second": "Tom", "winner": 1, "reason": "timeout", "moves": ""},
]


@pytest.fixture
def server() -> Generator[Serving]:
    with serving("--host-name", HOST) as found:
        yield found


class Stage:
    """A league on a server, with two bots that play a game of it."""

    def __init__(self, port: int, stack: ExitStack) -> None:
        self.host = stack.enter_context(Program(port, "Host", "human"))
        one, two = (stack.enter_context(Program(port, name)) for name in ("Bot one", "Bot two"))
        self.pair = Pair(one, two)
        self.id = ""

    def show(self, state: str = "running", **more: Any) -> None:
        """Tells how the league stands; for fields that it does not name, as before."""
        running = [{"match": self.pair.match, "first": "Élodie", "second": "Tom"}] if self.pair.match else []
        said = {"title": f"Seconde {HOSTILE}", "game": "morpion", "rows": ROWS, "played": 3, "planned": 6}
        self.id = self.host.ask("show", key=KEY, state=state, **{**said, "playing": running, **more})["league"]


@pytest.fixture
def stage(server: Serving) -> Generator[Stage]:
    with ExitStack() as stack:
        found = Stage(server.port, stack)
        found.pair.begin()
        found.show(games=GAMES)
        yield found


def cells(page: Page, table_: str) -> list[list[str]]:
    return [row.locator("th, td").all_inner_texts() for row in page.locator(f"{table_} tbody tr").all()]


def is_accessible(page: Page) -> bool:
    found = Axe().run(page).response["violations"]
    serious = [violation for violation in found if violation["impact"] in ("serious", "critical")]
    assert serious == [], [(one["id"], [node["html"] for node in one["nodes"]][:3]) for one in serious]
    return True


def test_a_league_is_found_in_the_lobby_and_seen_live_to_its_end(room: Room, stage: Stage) -> None:
    eve = room.reader()
    page = eve.go().page
    page.wait_for_selector("[data-action=league]")
    eve.click("league")
    page.wait_for_url(f"**/l/{stage.id}")
    page.wait_for_selector(".scores")
    assert page.eval_on_selector(".scores .points", "cell => getComputedStyle(cell).display") == "table-cell"
    assert page.inner_text("h1") == f"Seconde {HOSTILE}"
    assert eve.status == "3 of 6 games played."
    assert cells(page, ".scores:not(.cross)") == [
        ["1", "Élodie", "3.5", "4", "1350 ±\u00a0151"],
        ["2", HOSTILE, "0.5", "2", "1050 ±\u00a0151"],
        ["3", "Tom", "0", "2", "1000 ±\u00a0151"],
    ]
    assert cells(page, ".cross") == [
        ["1", "Élodie", "·", "1.5", "2"],
        ["2", HOSTILE, "0.5", "·", ""],
        ["3", "Tom", "0", "", "·"],
    ]
    assert page.locator(".plot .dot").count() == 3
    assert page.locator("img").count() == 0
    assert page.locator(".tile .name").all_inner_texts() == ["Élodie", "Tom"]
    stage.pair.play("b2", "a1")
    page.wait_for_selector(".small-board .sign >> nth=1")
    ended = {"number": 4, "first": "Élodie", "second": "Tom", "winner": 2, "reason": "line", "moves": "b2 a1 c1"}
    stage.show("finished", games=[ended], played=4, playing=[])
    page.wait_for_selector("[role=status]:has-text('Over. Games played: 4.')")
    assert page.locator(".tile:visible").count() == 0
    rows = page.locator(".games li")
    assert rows.nth(0).inner_text().split("\n")[0] == "4. Élodie – Tom 0–1"
    assert "Tom ran out of time" in rows.nth(1).inner_text()
    stage.show("finished", playing=[], rows=[{**row, "buchholz": 4.5} for row in ROWS], ties="buchholz")
    page.wait_for_selector(".scores caption:has-text('Buchholz')")
    assert [line[3] for line in cells(page, ".scores:not(.cross)")] == ["4.5", "4.5", "4.5"]
    assert page.inner_text(".scores thead >> nth=0").split() == ["#", "Name", "Points", "Buchholz", "Games", "Elo"]
    page.click(".games [data-number='1']")
    page.wait_for_url("**/replay/morpion?moves=b2%20a1%20c1%20b1%20a3**")
    page.go_back()
    page.wait_for_selector(".games li")


def test_a_league_that_is_not_shown_yet_comes_by_itself(room: Room, stage: Stage) -> None:
    eve = room.reader(locale="fr-FR")
    eve.page.goto(f"{eve.url}/l/aaaaaaaaaaaa")
    eve.page.wait_for_selector("[role=status]:has-text('Aucune ligue')")
    assert is_accessible(eve.page)
    eve.page.goto(f"{eve.url}/l/{stage.id}")
    eve.page.wait_for_selector(".scores")
    assert "3,5" in eve.page.inner_text(".scores >> nth=0")


def test_names_are_hidden_on_request_everywhere(room: Room, stage: Stage) -> None:
    eve = room.reader()
    page = eve.go(f"/l/{stage.id}").page
    page.wait_for_selector(".scores")
    eve.click("names")
    page.wait_for_selector(".scores :text('Bot 3')")
    assert not re.search("Élodie|Tom|lt;img", page.inner_html(".columns"))
    eve.click("wall")
    page.wait_for_selector(".wall .tile .name:has-text('Bot')")
    assert "names=no" in page.url
    assert not re.search("Élodie|Tom", page.inner_text(".wall"))


@pytest.mark.parametrize("size", [(1920, 1080), (1024, 768)])
def test_a_wall_is_large_has_nothing_to_click_and_ends_with_a_podium(
    room: Room, stage: Stage, size: tuple[int, int]
) -> None:
    width, height = size
    eve = room.reader(viewport={"width": width, "height": height})
    page = eve.page
    page.goto(f"{eve.url}/l/{stage.id}?wall")
    page.wait_for_selector(".wall .tile .small-board")
    assert page.locator("button:visible, a:visible, input:visible").count() == 0
    assert is_accessible(page)
    for what in (".wall .scores th", ".tile .name", ".wall-status"):
        assert page.eval_on_selector(what, "one => parseFloat(getComputedStyle(one).fontSize)") >= height / 50
    whole = "document.documentElement"
    fits = f"() => {whole}.scrollHeight <= innerHeight && {whole}.scrollWidth <= innerWidth"
    assert page.evaluate(fits)
    stage.show("finished", playing=[])
    page.wait_for_selector(".podium .place1")
    assert page.locator(".step-name").all_inner_texts() == [HOSTILE, "Élodie", "Tom"]
    assert page.evaluate(fits)
    assert is_accessible(page)


@pytest.mark.parametrize(
    ("ranks", "stand", "more"),
    [
        ((1, 2, 3, 3), "2133", None),
        ((1, 2, 2, 4), "221", None),
        ((1, 1, 1, 4), "111", None),
        ((1,) * 8, "11111", "and 3 more"),
        ((1, 2), "21", None),
    ],
)
def test_nobody_who_shares_a_place_is_left_off_the_podium(
    room: Room, stage: Stage, ranks: tuple[int, ...], stand: str, more: str | None
) -> None:
    names = [f"Maximilien-{number}" for number, _rank in enumerate(ranks)]
    places = zip(names, ranks, strict=True)
    rows = table(*((name, rank, 9.0 - rank, 9) for name, rank in places), against=[[None] * len(ranks)] * len(ranks))
    page = room.reader(viewport={"width": 1024, "height": 768}).page
    stage.show("finished", rows=rows, playing=[])
    page.goto(f"{room.reader().url}/l/{stage.id}?wall")
    page.wait_for_selector(".podium .place1")
    assert "".join(page.locator(".step-block").all_inner_texts()) == stand
    assert len(set(page.locator(".step-name").all_inner_texts())) == len(stand)
    assert page.locator(".step-more").all_inner_texts() == ([] if more is None else [more])
    whole = "document.documentElement"
    assert page.evaluate(f"() => {whole}.scrollHeight <= innerHeight && {whole}.scrollWidth <= innerWidth")


def test_all_boards_stand_on_one_page_which_fills_with_new_games(room: Room, server: Serving) -> None:
    with ExitStack() as stack:
        pairs = [
            Pair(*(stack.enter_context(Program(server.port, f"{name} {number}")) for name in ("Ada", "Bob")))
            for number in range(3)
        ]
        ids = [pair.begin(game) for pair, game in zip(pairs, ("othello", "puissance4", "breakthrough"), strict=True)]
        eve, one = room.reader(), room.reader(viewport={"width": 390, "height": 844})
        eve.go().page.wait_for_selector("[data-action=watch-all]:visible")
        eve.click("watch-all")
        eve.page.wait_for_selector(".tile >> nth=2")
        assert eve.status == "3 games."
        assert is_accessible(eve.page)
        pairs[1].play("4", "4")
        eve.page.wait_for_selector(f"[data-match='{ids[1]}'] .disc >> nth=1")
        one.go(f"/watch?m={ids[1]},{ids[0]}").page.wait_for_selector(".tile >> nth=1")
        assert one.page.locator(".tile").count() == 2
        pairs[0].one.ask("resign", match=ids[0])
        eve.page.wait_for_selector(f"[data-match='{ids[0]}'] :text('resigned')")
        fourth = pairs[0].begin("morpion")
        eve.page.wait_for_selector(f"[data-match='{fourth}'] .small-board")
        eve.page.wait_for_selector(f"[data-match='{ids[0]}']", state="detached")
        eve.page.click(f".tile[data-match='{ids[1]}']")
        eve.page.wait_for_url(f"**/m/{ids[1]}")
        eve.see_ply(2)
        one.page.goto(f"{one.url}/wall?m={ids[1]}")
        one.page.wait_for_selector(".wall .tile .small-board")


def test_what_each_has_stands_at_every_board(room: Room, server: Serving) -> None:
    """Where a game counts: beside the names of a tile, and below a board that has no players beside it."""
    ann, eve = room.reader().go(), room.reader()
    address = ann.create("othello")
    eve.page.goto(f"{eve.url}/wall?m={address.rsplit('/', 1)[1]}")
    eve.page.wait_for_selector(".small-player .score:not(:empty)")
    assert eve.page.locator(".small-player .score").all_inner_texts() == ["2", "2"]
    for view in ("replay", "review"):
        eve.go(f"/{view}/othello?moves=f5d6")
        eve.page.wait_for_selector(".counted .score")
        assert eve.page.locator(".counted .score").all_inner_texts() == ["3", "3"]
    eve.go("/replay/morpion?moves=b2a1").page.wait_for_selector(".board")
    assert eve.page.locator(".counted .score").count() == 0


def test_unequal_times_are_those_of_their_seats(room: Room, server: Serving) -> None:
    """The rule is written whole, each clock runs by its own, and little time is an eighth of one's own."""
    with Program(server.port, "Ann") as ann, Program(server.port, "Bob") as bob:
        pair = Pair(ann, bob)
        match = pair.begin(clock={"initial_ms": 480_000, "increment_ms": 1000, "second": {"initial_ms": 40_000}})
        eve = room.reader()
        page = eve.go().page
        expect(page.locator(f"li:has([data-match='{match}'])")).to_contain_text("8 min + 1 s, 40 s")
        page.clock.install()
        eve.go(f"/m/{match}")
        expect(page.locator(".walk")).to_contain_text("8 min + 1 s, 40 s")
        pair.play("b2")
        expect(page.locator(".clock[data-seat='1']")).to_have_text(re.compile("^(7:5|8:0)"))
        expect(page.locator(".clock[data-seat='2']")).to_have_text(re.compile("^0:3"))
        assert page.locator(".clock.low").count() == 0, "40 s are not little for who had no more"
        page.clock.run_for(32_000)
        expect(page.locator(".clock.low")).to_have_attribute("data-seat", "2")


def test_who_watches_bots_sees_what_each_thinks(room: Room, server: Serving) -> None:
    with (
        Program(server.port, "Ada") as ada,
        Program(server.port, "<b>Bob</b>") as bob,
    ):
        pair = Pair(ada, bob)
        match = pair.begin()
        eve = room.reader()
        page = eve.go(f"/m/{match}").page
        page.wait_for_selector(".board .cell")
        assert page.locator(".thinking:visible").count() == 0
        ada.ask("thinking", match=match, ply=0, depth=5, score=1.5, pv=["b2", "a1"])
        page.wait_for_selector(".mind[data-seat='1']:has-text('+1.5')")
        assert "depth 5 · b2 a1" in page.inner_text(".mind[data-seat='1']")
        pair.play("b2")
        bob.ask("thinking", match=match, ply=1, depth=8, score=-1.0, exact=True)
        page.wait_for_selector(".mind[data-seat='2']:has-text('losing')")
        assert "exact" in page.inner_text(".mind[data-seat='2']")
        shares = page.eval_on_selector_all(".scale", "all => all.map(one => one.style.getPropertyValue('--share'))")
        assert [float(share) for share in shares] == [0.75, 1.0]
        assert page.locator(".course").count() == 2
        assert is_accessible(page)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_league_is_accessible_in_both_languages(room: Room, stage: Stage, scheme: str) -> None:
    for language in ("fr", "en"):
        eve = room.reader(color_scheme=scheme, viewport={"width": 390, "height": 844})
        eve.go(f"/l/{stage.id}?lang={language}").page.wait_for_selector(".scores")
        assert eve.page.get_attribute("html", "lang") == language
        assert is_accessible(eve.page)
        assert eve.page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
