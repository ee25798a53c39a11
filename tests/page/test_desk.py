"""The desk and the wall of a class in real browsers, against a class that says what the test wants."""

from __future__ import annotations

from collections.abc import Generator
from pathlib import Path

import pytest
from msgspec.structs import replace
from playwright.sync_api import Page, expect

from school.messages import (
    Admit,
    Announce,
    Ask,
    Begin,
    Cards,
    Export,
    Finish,
    Freeze,
    GetCards,
    GetExport,
    GetSimilar,
    GetSource,
    Give,
    Halt,
    Handout,
    Hide,
    Merge,
    Pair,
    Question,
    Refused,
    Remove,
    Rename,
    Return,
    Reveal,
    Similar,
    Simul,
    Source,
    Submissions,
    Turn,
    Work,
)
from tests.faults.serving import Serving, serving
from tests.page.browser import HOST, PATIENCE_MS, Room, needs_browser
from tests.page.class_host import CODES, SECRET, FakeClass
from tests.page.class_readers import AT, FAULT, HOSTILE, LEAGUE, teacher
from tests.page.programs import Pair as Two
from tests.page.programs import Program, table

pytestmark = [pytest.mark.slow, needs_browser, pytest.mark.timeout(240)]

expect.set_options(timeout=PATIENCE_MS)


@pytest.fixture(scope="module")
def server() -> Generator[Serving]:
    with serving("--host-name", HOST, "--organiser", SECRET) as found:
        yield found


def test_the_secret_is_asked_for_and_stays_in_the_tab(room: Room, fake: FakeClass) -> None:
    prof = room.reader().go(f"/desk/{fake.code}")
    page = prof.page
    page.fill("[name=secret]", "guess")
    prof.click("enter-desk")
    expect(page.locator("[role=status]").first).to_contain_text("That is not the secret.")
    page.fill("[name=secret]", SECRET)
    prof.click("enter-desk")
    page.wait_for_selector(".roll-table")
    page.reload()
    page.wait_for_selector(".roll-table")
    assert SECRET not in page.evaluate("JSON.stringify(localStorage)")
    assert SECRET not in page.url
    prof.click("lock")
    page.wait_for_selector("[name=secret]")
    assert SECRET not in page.evaluate("JSON.stringify(sessionStorage)")
    page.reload()
    page.wait_for_selector("[name=secret]")


def test_the_desk_says_who_is_here_and_what_fails(room: Room, fake: FakeClass) -> None:
    prof = teacher(room, fake)
    page = prof.page
    fake.change_place("Tom", here=True, work=Work(2, "bot.py", AT, "fails", 3, 12, FAULT), versions=2, bot="file")
    fake.change_place("Zoé", here=True, work=Work(1, "bot.py", AT, "works", 12, 12), points=2.5, rating=1100, error=40)
    expect(page.locator("[role=status]").first).to_have_text(
        "Here: 2 of 3. Programs: 1 work, 1 fail, 0 wait, 1 to come."
    )
    row = page.locator("tr[data-name=Tom]")
    expect(row).to_contain_text("cell 3, line 12: The column 7 does not exist.")
    page.select_option("[name=order]", "trouble")
    expect(page.locator(".roll-table tbody tr").first).to_have_attribute("data-name", "Tom")
    page.click("[data-action='fault-Tom']")
    expect(page.locator(".dialog.pupil")).to_contain_text(HOSTILE)
    prof.click("source")
    assert fake.letter(GetSource) == GetSource("Tom", 2)
    prof.click("return")
    page.fill(".return-form [name=text]", "Look at line 12.")
    prof.click("return-send")
    assert fake.letter(Return) == Return("Tom", 2, "Look at line 12.")
    fake.change_place("Tom", work=Work(3, "bot.py", AT, "works", 12, 12))
    expect(page.locator(".dialog.pupil")).to_contain_text("Version 3")  # it follows
    prof.click("rename-pupil")
    page.fill(".name-form [name=name]", "Thomas")
    prof.click("name-send")
    assert fake.letter(Rename) == Rename("Tom", "Thomas")
    page.click("[data-action=pupil-Zoé]")
    prof.click("merge")
    page.select_option("[name=who]", "Élodie")
    prof.click("who-send")
    assert fake.letter(Merge) == Merge("Zoé", "Élodie")
    page.click("[data-action=pupil-Zoé]")
    prof.click("remove")
    assert fake.letter(Remove) == Remove("Zoé")
    fake.change_place("Zoé", removed=True)
    page.click("[data-action=pupil-Zoé]")
    prof.click("admit-again")
    assert fake.letter(Admit).name == "Zoé"
    fake.tell(Refused("rename", "bad_name", "Thomas is there already."), "")
    expect(page.locator(".desk > .trouble")).to_have_text("Thomas is there already.")


def test_the_desk_runs_a_league(room: Room, fake: FakeClass) -> None:
    prof = teacher(room, fake)
    page = prof.page
    prof.click("begin")
    page.check("[name=what][value=people]", force=True)
    page.check("[name=graded][value=graded]", force=True)
    page.check("[name=clock][value='3+2']", force=True)
    page.check("[name=format][value=swiss]", force=True)
    page.fill("[name=rounds]", "4")
    page.fill("[name=opening]", "9")
    prof.click("begin-league")
    expect(page.locator(".league-form .trouble")).not_to_be_empty()  # no such column
    page.fill("[name=opening]", "4 4")
    prof.click("begin-league")
    begin = fake.letter(Begin)
    assert (begin.what, begin.game, begin.format, begin.rounds) == ("people", "puissance4", "swiss", 4)
    assert (begin.graded, begin.opening, begin.hidden) == (True, ("4", "4"), False)
    assert begin.clock is not None
    assert (begin.clock.initial_ms, begin.clock.increment_ms) == (180_000, 2000)
    fake.change_desk(league=LEAGUE)
    expect(page.locator("[data-action=begin]")).to_be_disabled()
    for action, letter in (("halt", Halt(halted=True)), ("freeze", Freeze(frozen=True)), ("hide", Hide(hidden=True))):
        prof.click(action)
        assert fake.letter(type(letter)) == letter
    fake.change_desk(league=replace(LEAGUE, frozen=True), halted=True)
    expect(page.locator("[data-action=freeze]")).to_have_text("Announce the table")
    prof.click("halt")
    assert fake.letter(Halt) == Halt(halted=False)
    prof.click("finish")
    prof.click("sure")
    assert fake.letter(Finish) == Finish()


def test_the_desk_opens_and_closes_says_and_switches(room: Room, fake: FakeClass) -> None:
    prof = teacher(room, fake, timezone_id="Europe/Paris")
    page = prof.page
    prof.click("submissions")
    assert fake.letter(Submissions) == Submissions(open=False)
    page.fill("[name=until]", "23:59")
    prof.click("until")
    until = fake.letter(Submissions)
    assert until.open
    assert page.evaluate(f"new Date({until.until}).toTimeString().slice(0, 5)") == "23:59"
    prof.click("announce")
    page.fill(".announce-form [name=text]", "Five\nminutes!")
    prof.click("announce-send")
    assert fake.letter(Announce) == Announce("Five minutes!")
    prof.click("switches")
    page.uncheck("[name=switch-chat]")
    assert fake.letter(Turn) == Turn(chat=False)
    page.keyboard.press("Escape")
    for action, kind in (("cards", GetCards), ("marks", GetExport), ("similar", GetSimilar)):
        prof.click(action)
        fake.letter(kind)
    fake.tell(Similar((Pair("Tom", "Zoé", 0.83),), ("Élodie",)), "")
    expect(page.locator(".dialog.similar")).to_contain_text("83%")
    page.keyboard.press("Escape")
    fake.tell(Export(0, 2, "Nom;Points\r\n"), "")
    fake.tell(Export(1, 2, "Élodie;2,5\r\n"), "")
    with page.expect_download() as download:
        prof.click("download")
    assert Path(download.value.path()).read_bytes() == "\ufeffNom;Points\r\nÉlodie;2,5\r\n".encode()
    page.keyboard.press("Escape")
    fake.tell(Cards("http://192.168.1.5:8765/class/ABCDEF#", dict(reversed(CODES.items()))), "")
    expect(page.locator(".dialog.cards .code-card strong")).to_have_text(["Élodie", "Tom", "Zoé"])
    expect(page.locator(".dialog.cards .nowrap").first).to_have_text("/class/ABCDEF")
    page.evaluate("window.print = () => {}")
    prof.click("print")
    page.emulate_media(media="print")
    expect(page.locator(".print-cards .code-card").first).to_be_visible()
    expect(page.locator(".desk")).to_be_hidden()


def test_the_desk_gives_all_a_file(room: Room, fake: FakeClass, tmp_path: Path) -> None:
    prof = teacher(room, fake)
    pick = prof.page.locator(".desk [data-action=pick]")
    expect(prof.page.locator(".given")).to_have_text("No file to begin with.")
    (tmp_path / "tp.ipynb").write_text("no notebook")
    pick.set_input_files(tmp_path / "tp.ipynb")
    expect(prof.page.locator(".trouble")).to_contain_text("This notebook can’t be read")
    text = f"# début {'x' * 16_000}\n"
    (tmp_path / "tp.py").write_text(text, encoding="latin-1")
    pick.set_input_files(tmp_path / "tp.py")
    parts = [fake.letter(Give), fake.letter(Give)]
    assert [(part.file, part.part, part.parts) for part in parts] == [("tp.py", 0, 2), ("tp.py", 1, 2)]
    assert "".join(part.text for part in parts) == text
    expect(prof.page.locator(".trouble")).to_have_text("")
    fake.change_desk(given=Handout("tp.py", AT))
    expect(prof.page.locator(".given")).to_contain_text("All are given tp.py")


def test_the_desk_shows_a_draft_and_a_code(room: Room, fake: FakeClass) -> None:
    prof = teacher(room, fake)
    window = prof.page.locator(".dialog").last
    prof.click("pupil-Tom")
    prof.click("draft")
    assert fake.letter(GetSource) == GetSource("Tom", 0)
    fake.tell(Refused("get_source", "no_pupil", "Tom has written nothing in the studio yet."), "")
    expect(window).to_contain_text("Tom has written nothing")
    prof.page.keyboard.press("Escape")
    prof.click("draft")
    fake.tell(Source("Tom", 0, "bot.py", 0, 1, HOSTILE), "")
    expect(window.locator("h2")).to_have_text("Tom · studio · bot.py")
    expect(window.locator("pre.source")).to_have_text(HOSTILE)
    prof.page.keyboard.press("Escape")
    prof.click("card")
    assert fake.letter(GetCards) == GetCards("Tom")
    fake.tell(Cards("http://192.168.1.5:8765/class/ABCDEF#", {"Tom": CODES["Tom"]}), "")
    expect(window.locator(".code-card .code")).to_have_text(CODES["Tom"])
    expect(prof.page.locator(".dialog")).to_have_count(1)


def test_what_is_refused_is_said_in_sight(room: Room, fake: FakeClass) -> None:
    prof = teacher(room, fake, viewport={"width": 1280, "height": 400})
    prof.page.locator(".roll-table [data-name=Zoé]").scroll_into_view_if_needed()
    prof.page.mouse.wheel(0, 2000)
    expect(prof.page.locator(".desk-tools")).not_to_be_in_viewport()
    fake.tell(Refused("rename", "bad_name", "Somebody in this class is called Zoé."), "")
    expect(prof.page.locator(".trouble")).to_be_in_viewport(ratio=1)


def test_the_desk_asks_a_question_and_plays_a_simul(room: Room, server: Serving, fake: FakeClass) -> None:
    prof = teacher(room, fake)
    page = prof.page
    prof.click("ask")
    page.locator(".setup .cell[data-move='4']").first.click()
    page.locator(".setup .cell[data-square='4f'] .piece > *, .setup .cell[data-holds=X]").first.wait_for()
    page.locator(".setup .cell[data-move='1']").first.click()
    page.wait_for_selector(".setup .cell[data-holds=O]")
    assert page.url.endswith(f"/desk/{fake.code}")
    prof.click("ask-this")
    assert fake.letter(Ask) == Ask("puissance4", ("4", "1"))
    expect(page.locator(".setup")).to_have_count(0)
    fake.change_desk(question=Question(1, "puissance4", ("4", "1"), answered=2))
    prof.click("reveal")
    assert fake.letter(Reveal) == Reveal()
    prof.click("question-over")
    assert fake.letter(Reveal) == Reveal(over=True)
    fake.change_desk(question=None)
    for name in ("Tom", "Zoé"):
        fake.change_place(name, here=True)
    prof.click("simul")
    prof.click("begin-simul")
    assert set(fake.letter(Simul).names) == {"Tom", "Zoé"}
    with Program(server.port, "Tom") as tom, Program(server.port, "Zoé") as zoe:
        matches = []
        for other in (tom, zoe):
            made = fake.ask("create", game="morpion", play=False, invite=[prof.name, other.name], seat="first")
            other.ask("join", match=made["match"])
            matches.append(made["match"])
        expect(page.locator(".desk .tile")).to_have_count(2)
        prof.click("next-board")  # also from the desk
        page.wait_for_url(f"**/m/{matches[0]}")
        expect(page.locator("[data-action=to-class]")).to_be_visible()  # before anybody has moved
        prof.move("b2")
        expect(page.locator("[data-action=next-board]")).to_contain_text("Zoé")
        prof.click("next-board")
        page.wait_for_url(f"**/m/{matches[1]}")
        prof.click("to-class")
        page.wait_for_selector(".desk .tile")


def test_the_wall_follows_the_class(room: Room, server: Serving, fake: FakeClass) -> None:
    prof = teacher(room, fake)
    with prof.page.expect_popup() as popup:
        prof.click("to-wall")
    wall = popup.value
    wall.set_viewport_size({"width": 1920, "height": 1080})
    expect(wall.locator(".wall-code")).to_have_text(fake.code)  # it asks for no secret
    fake.change_place("Tom", here=True)
    expect(wall.locator(".wall-names")).to_have_text("Tom")
    fits(wall)
    fake.change_desk(question=Question(1, "puissance4", ("4", "4"), counts={"5": 4}, best=("4",), verdict="4 wins."))
    expect(wall.locator(".bars tr")).to_have_count(2)
    expect(wall.locator(".asked .piece .disc").first).to_be_visible()
    fits(wall)
    rows = table(("Élodie", 1, 3.5, 4), ("Tom", 2, 1.5, 2), against=[[None, 1.5], [0.5, None]])
    with Program(server.port, "b1") as one, Program(server.port, "b2") as two:
        pair = Two(one, two)
        shown = {"key": "k" * 24, "title": "L", "game": "morpion", "rows": rows, "played": 3, "planned": 6}
        playing = [{"match": pair.begin(), "first": "Élodie", "second": "Tom"}]
        league = replace(LEAGUE, id=fake.ask("show", state="running", playing=playing, **shown)["league"])
        fake.change_desk(question=None, league=league)
        expect(wall.locator(".tile .name")).to_have_text(["Élodie", "Tom"])
        expect(wall.locator(".wall-scores")).to_contain_text("Élodie")
        fits(wall)
        fake.change_desk(league=replace(league, frozen=True), halted=True, said="Five minutes!")
        expect(wall.locator(".wall-frozen")).to_be_visible()
        expect(wall.locator(".wall-scores")).to_be_hidden()
        expect(wall.locator(".class-wall")).to_contain_text("Five minutes!")
        fits(wall)
        fake.change_desk(league=replace(league, hidden=True), halted=False, said=None)
        expect(wall.locator(".wall-scores")).to_contain_text("Bot")
        expect(wall.locator(".class-wall")).not_to_contain_text("Élodie")
        fake.ask("show", state="finished", playing=[], **shown)
        fake.change_desk(league=replace(league, state="finished"))
        expect(wall.locator(".step-name")).to_have_text(["Tom", "Élodie"])
        fits(wall)


def fits(wall: Page) -> None:
    """Nothing is to be scrolled on a wall."""
    bottoms = wall.evaluate(
        """[...document.querySelectorAll(".class-wall, .class-wall *")].filter((one) => one.checkVisibility())
        .map((one) => one.getBoundingClientRect().bottom)"""
    )
    assert max(bottoms) <= 1081
    assert wall.evaluate("document.documentElement.scrollWidth") <= 1920
