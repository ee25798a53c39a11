"""A class in every look, and by keys alone, in real browsers, against a class that says what the test wants."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any, Final

import pytest
from msgspec.structs import replace
from playwright.sync_api import Browser, Page, expect

from locales import set_language
from school.cards import as_page, cards
from school.messages import Cards, Climb, Fault, Handout, League, News, Question, Rung, Work
from tests.faults.serving import Serving, serving
from tests.page.browser import HOST, PATIENCE_MS, Reader, Room, needs_browser
from tests.page.class_host import CODES, SECRET, FakeClass
from tests.page.looks import LOOKS, is_fine, reader
from tests.page.programs import Program, table

pytestmark = [pytest.mark.slow, needs_browser, pytest.mark.timeout(240)]

expect.set_options(timeout=PATIENCE_MS)

AT: Final = 1_790_000_000_000
FAULT: Final = Fault(
    "The index goes past the end of the list (IndexError: list index out of range)", 12, 3, "return moves[len(moves)]",
    "  1 2 3 4 5 6 7\n" + "\n".join(f"{row} . . . . . . ." for row in range(1, 7)), "Perhaps columns begin at 1.",
    "7 moves",
)  # fmt: skip
WORKS: Final = (
    Work(1, "my_long_name_of_a_program.py", AT, "works", 5, 5),
    Work(2, "b.py", AT, "fails", 3, 5, FAULT, "See line 12."),
)
ASKED: Final = Question(1, "puissance4", ("4", "4"), 9, {"5": 6, "1": 2, "3": 1}, ("4",), "The first side wins.")
LEAGUE: Final = League(1, "bots", "puissance4", "running", graded=True, played=3, planned=6, teams=(("Groupe 1", 2.5),))

IN_FRENCH: Final = ("narrow", "zoomed", "forced")
CASES: Final = [
    pytest.param(look, locale, marks=() if (look in IN_FRENCH) == (locale == "fr-FR") else pytest.mark.thorough)
    for look in LOOKS
    for locale in ("en-GB", "fr-FR")
]
"""Each look in one language, where there is little room in the longer one; the other one is for thorough runs."""


@pytest.fixture(scope="module")
def server() -> Generator[Serving]:
    with serving("--host-name", HOST, "--organiser", SECRET) as found:
        yield found


def pupil(found: Reader, fake: FakeClass, name: str = "Élodie") -> Page:
    """Lets a pupil in, by their card."""
    found.go(f"/class/{fake.code}#{CODES[name]}").page.wait_for_selector(".hall:visible")
    return found.page


def desk(found: Reader, fake: FakeClass) -> Page:
    """Lets the teacher in."""
    found.go(f"/desk/{fake.code}").page.fill("[name=secret]", SECRET)
    found.click("enter-desk")
    found.page.wait_for_selector(".roll-table [data-name=Tom]")
    return found.page


@pytest.mark.parametrize(("look", "locale"), CASES)
def test_a_pupils_page_is_whole_in_every_look(room: Room, fake: FakeClass, look: str, locale: str) -> None:
    more = {"works": WORKS, "question": ASKED, "mine": "5", "league": LEAGUE, "team": "Groupe 1", "halted": True,
            "given": Handout("a_long_name_of_a_file_to_begin_with.ipynb", AT),
            "news": News("Five minutes are left: hand in your best version!", AT)}  # fmt: skip
    fake.halls["Élodie"] = replace(fake.halls["Élodie"], **more)
    page = pupil(reader(room, look, locale), fake)
    page.wait_for_selector(".class-news:visible")
    page.wait_for_selector(".bars")
    for summary in page.locator("summary:visible").all():
        summary.click()
    is_fine(page)


@pytest.mark.parametrize(("look", "locale"), CASES)
def test_the_desk_is_whole_in_every_look(room: Room, fake: FakeClass, look: str, locale: str) -> None:
    for name, work in zip(CODES, WORKS, strict=False):
        more = {"points": 1.5, "rating": 1012, "error": 200, "bot": "file", "answered": "5", "team": "Groupe 1"}
        fake.places[name] = replace(fake.places[name], here=True, work=work, versions=2, **more)
    given = Handout("a_long_name_of_a_file_to_begin_with.ipynb", AT)
    past = (replace(LEAGUE, state="finished"),)
    fake.desk = replace(fake.desk, question=ASKED, league=LEAGUE, past=past, given=given)
    page = desk(reader(room, look, locale), fake)
    page.wait_for_selector(".desk .bars")
    is_fine(page)
    fake.tell(Cards("http://192.168.1.5:8765/class/ABCDEF#", dict(CODES)), "")
    page.wait_for_selector(".dialog.cards")
    is_fine(page)
    if look == "light":  # what the window is for stands out, not the way out of it
        close = page.locator(".dialog.cards > [data-action=close]")
        assert close.evaluate("one => getComputedStyle(one).backgroundColor") == "rgba(0, 0, 0, 0)"
    page.keyboard.press("Escape")
    fake.change_desk(league=None)
    for action in ("begin", "pupil-Tom", "switches", "simul"):
        page.click(f"[data-action={action}]")
        is_fine(page)
        page.keyboard.press("Escape")
    page.click("[data-action=ask]")
    page.wait_for_selector(".setup .cell[data-move]")
    is_fine(page)


@pytest.mark.parametrize(("look", "locale"), CASES)
def test_the_wall_is_whole_in_every_look(room: Room, fake: FakeClass, look: str, locale: str) -> None:
    found = reader(room, look, locale)
    page = desk(found, fake)
    page.goto(f"{found.url}/desk/{fake.code}?wall")
    page.wait_for_selector(".wall-code")
    is_fine(page)
    fake.change_desk(question=ASKED)
    page.wait_for_selector(".bars")
    page.wait_for_selector(".asked .disc")
    is_fine(page)
    names = ("Maximilien-Alexandre Gu.", "Marie-Élisabeth", "Zoé", "Tom")
    rows = table(*((name, 1 if n < 2 else n + 1, 3.5, 4) for n, name in enumerate(names)), against=[[None] * 4] * 4)
    shown = {"key": "k" * 24, "title": "L", "game": "puissance4", "rows": rows, "played": 8, "planned": 8}
    league = replace(LEAGUE, state="finished", id=fake.ask("show", state="finished", playing=[], **shown)["league"])
    fake.change_desk(question=None, league=league, said="Five minutes are left: hand in your best version!")
    page.wait_for_selector(".podium .step")
    tops = page.evaluate("[...document.querySelectorAll('.step-name')].map((one) => one.getBoundingClientRect().top)")
    said = page.evaluate("document.querySelector('.class-wall > .wall-status').getBoundingClientRect().bottom")
    assert min(tops) >= said - 1
    tall = page.evaluate("[...document.querySelectorAll('.step-block')].map((one) => one.clientHeight)")
    assert tall[0] == tall[1] > tall[2]  # who shares a place stands as high
    is_fine(page)


def focused(page: Page) -> str:
    """The action of the control that has the focus, or its element."""
    found: str = page.evaluate("document.activeElement.dataset.action ?? document.activeElement.localName")
    return found


def test_keys_alone_lead_in_and_keep_their_place(room: Room, fake: FakeClass) -> None:
    found = room.reader().go(f"/desk/{fake.code}")
    page = found.page
    expect(page.locator("[name=secret]")).to_be_focused()
    page.keyboard.type(SECRET)
    page.keyboard.press("Enter")
    expect(page.locator("main")).to_be_focused()
    page.wait_for_selector(".roll-table [data-name=Tom]")
    page.keyboard.press("Tab")
    assert focused(page) == "halt"
    fake.change_place("Tom", here=True, work=WORKS[1])
    page.focus("[data-action=fault-Tom]")
    page.keyboard.press("Enter")
    fake.change_place("Tom", badges=1)  # paints the list anew
    expect(page.locator(".dialog")).to_contain_text("badges: 1")
    page.keyboard.press("Escape")
    expect(page.locator("[data-action=fault-Tom]")).to_be_focused()
    page.focus("[data-action=ask]")
    page.keyboard.press("Enter")
    expect(page.locator(".setup [name=game]")).to_be_focused()
    page.click("[data-action=setup-close]")
    expect(page.locator("[data-action=ask]")).to_be_focused()


def test_a_control_that_goes_leaves_its_place_to_the_keys(room: Room, fake: FakeClass) -> None:
    fake.halls["Tom"] = replace(fake.halls["Tom"], works=WORKS[:1])
    page = room.reader().go(f"/class/{fake.code}").page
    expect(page.locator("[name=personal]")).to_be_focused()
    page.keyboard.type(CODES["Tom"])
    page.keyboard.press("Enter")
    page.wait_for_selector("[data-action=climb]")
    expect(page.locator("main")).to_be_focused()
    page.focus("[data-action=climb]")
    page.keyboard.press("Enter")
    fake.letter(Climb)
    running = Rung("first", "first move", "running", 1.5, 2, 4)
    fake.change("Tom", ladder=(running,))
    expect(page.locator(".rung.running")).to_contain_text("1.5 after 2 of 4 games")
    expect(page.locator("section:has(.ladder)")).to_be_focused()
    page.keyboard.press("Shift+Tab")
    assert focused(page) == "see-1"


def test_the_way_back_to_the_desk_is_there_at_once(room: Room, server: Serving, fake: FakeClass) -> None:
    found = room.reader()
    page = desk(found, fake)
    with Program(server.port, "Tom") as tom:
        match = fake.ask("create", game="morpion", play=False, invite=[found.name, "Tom"], seat="second")["match"]
        tom.ask("join", match=match)
        page.wait_for_selector(f".desk .tile[data-match='{match}'] .field")
        page.click(f".tile[data-match='{match}']")
        expect(page.locator("[data-action=to-class]")).to_be_visible()


def test_cards_can_be_scanned_in_colours_that_the_system_forces(browser: Browser) -> None:
    set_language("en")
    made = as_page("2nde 4", cards({"Zoé": "RAPIDOLU"}, "http://192.168.1.5:8765", "ABCDEF"))
    page = browser.new_page(forced_colors="active", color_scheme="dark")
    page.set_content(made)
    ground = page.evaluate("getComputedStyle(document.querySelector('svg')).backgroundColor")
    page.close()
    assert ground == "rgb(255, 255, 255)"


MANY: Final = ("Tom", "Zoé", *(f"Élève {number}" for number in range(1, 28)), "Élodie")


def league_of_many(fake: FakeClass) -> League:
    """A league of thirty, in which Tom leads and Élodie is last."""
    rows = table(*((name, at + 1, 30 - at, 12) for at, name in enumerate(MANY)), against=[[] for _ in MANY])
    shown = fake.ask(
        "show", key="m" * 24, state="running", title="L", game="puissance4", rows=rows, played=9, planned=435
    )
    return replace(LEAGUE, id=shown["league"])


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("Tom", [*MANY[:3], "…"]),
        ("Élodie", [*MANY[:3], "…", *MANY[27:]]),
    ],
)
def test_of_a_long_table_a_pupil_sees_who_leads_and_who_is_near(
    room: Room, fake: FakeClass, name: str, told: list[str]
) -> None:
    fake.halls[name] = replace(fake.halls[name], league=league_of_many(fake))
    page = pupil(reader(room, "narrow", "fr-FR"), fake, name)
    mine = page.locator(".scores tr[aria-current]")
    expect(mine).to_have_count(1)
    assert mine.get_attribute("data-name") == name
    rows = page.locator(".scores:not(.teams) tbody tr")
    assert [row.locator("th, td[colspan]").inner_text() for row in rows.all()] == told
    assert mine.evaluate("row => getComputedStyle(row.firstChild).boxShadow") != "none"
    is_fine(page)


def test_the_desk_shows_all_of_its_columns_beside_a_question(room: Room, fake: FakeClass) -> None:
    fake.desk = replace(fake.desk, league=league_of_many(fake), question=Question(1, "puissance4"))
    for number, name in enumerate(fake.places):
        fault = FAULT if number == 1 else None
        work = Work(2, "puissance4_ia.py", AT, ("works", "fails", "running")[number], 3, 12, fault)
        fake.places[name] = replace(
            fake.places[name], team="Groupe 1", work=work, bot=("own", "unfit", "file")[number], points=12.5,
            rating=1302, error=188, answered="4", faults=2,
        )  # fmt: skip
    page = desk(reader(room, "light", "fr-FR"), fake)
    page.wait_for_selector(".roll-table th:nth-child(9)")
    assert page.locator(".roll .wide").evaluate("one => one.scrollWidth <= one.clientWidth")
    tags = page.locator(".work-cell .tag")
    right = "one.getBoundingClientRect().right"
    ends = tags.evaluate_all(f"all => all.map(one => [{right}, one.closest('td').{right.removeprefix('one.')}])")
    assert len(ends) == 3
    assert all(end < cell for end, cell in ends)
    is_fine(page)


@pytest.mark.parametrize("is_played", [False, True])
def test_a_pupil_takes_one_line_of_the_desk(room: Room, fake: FakeClass, *, is_played: bool) -> None:
    more: dict[str, Any] = {"points": 12.5, "rating": 1302, "error": 188} if is_played else {}
    for number, name in enumerate(fake.places):
        fault = FAULT if number == 1 else None
        work = Work(2, "puissance4_ia.py", AT, ("works", "fails", "running")[number], 3, 5, fault)
        bot = ("own", "unfit", "file")[number]
        fake.places[name] = replace(fake.places[name], team="Groupe 1", work=work, bot=bot, **more)
    page = desk(room.reader(viewport={"width": 1280, "height": 800}, locale="fr-FR"), fake)
    heights = page.locator(".roll-table tbody tr").evaluate_all("all => all.map(one => one.offsetHeight)")
    assert len(heights) == len(CODES)
    assert max(heights) <= 44, "half of thirty are in sight"


def test_below_the_line_of_the_class_ones_own_clock_is_in_sight(room: Room, server: Serving, fake: FakeClass) -> None:
    found = room.reader(viewport={"width": 1366, "height": 650})
    page = desk(found, fake)
    with Program(server.port, "Thomas") as thomas:
        match = fake.ask("create", game="othello", play=False, invite=[found.name, "Thomas"], seat="first")["match"]
        thomas.ask("join", match=match)
        page.click(f".tile[data-match='{match}']")
        page.wait_for_selector("[data-action=to-class]")
        bottom = page.locator(".player").last.evaluate("one => one.getBoundingClientRect().bottom")
    assert bottom <= 650
