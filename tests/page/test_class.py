"""A class in real browsers, against a class that says what the test wants: pupils, and what all can read."""

from __future__ import annotations

import json
import re
from collections.abc import Generator
from pathlib import Path

import pytest
from msgspec.structs import replace
from playwright.sync_api import expect

from school.messages import (
    Climb,
    Face,
    Game,
    Games,
    GetGames,
    GetPrints,
    GetVersion,
    Handout,
    News,
    Prints,
    Question,
    Refused,
    Reply,
    Source,
    Work,
)
from tests.faults.serving import Serving, serving
from tests.page.browser import HOST, PATIENCE_MS, Room, needs_browser
from tests.page.class_host import CODES, LADDER, SECRET, FakeClass
from tests.page.class_readers import AT, FAULT, HOSTILE, LEAGUE, PHONE, is_accessible, pupil, teacher
from tests.page.programs import Program

pytestmark = [pytest.mark.slow, needs_browser, pytest.mark.timeout(240)]

expect.set_options(timeout=PATIENCE_MS)


@pytest.fixture(scope="module")
def server() -> Generator[Serving]:
    with serving("--host-name", HOST, "--organiser", SECRET) as found:
        yield found


def test_a_code_is_asked_for_kept_and_forgotten(room: Room, fake: FakeClass) -> None:
    kid = room.reader().go(f"/class/{fake.code.lower()}")
    page = kid.page
    expect(page.locator("[role=status]").first).to_have_text("Who are you?")
    page.fill("[name=personal]", "wrong code")
    kid.click("enter-class")
    expect(page.locator("[role=status]").first).to_contain_text("not one of this class")
    page.fill("[name=personal]", "bada fira")
    kid.click("enter-class")
    expect(page.locator("h1").first).to_have_text("Seconde 4 · Élodie")
    expect(page.locator(".me")).to_have_text("Élodie")  # matches show the name of the roster
    kid.go(f"/class/{fake.code}")
    expect(page.locator("h1").first).to_have_text("Seconde 4 · Élodie")
    kid.click("forget-me")
    page.wait_for_selector("[name=personal]")
    kid.go(f"/class/{fake.code}").page.wait_for_selector("[name=personal]")
    assert CODES["Élodie"] not in page.evaluate("JSON.stringify({...localStorage, ...sessionStorage})")


def test_a_code_in_the_wrong_field_is_told_where_it_goes(room: Room, fake: FakeClass) -> None:
    kid = room.reader().go("/")
    page, trouble = kid.page, kid.page.locator(".create .trouble")
    for typed, said in (
        ("bada-fira", "Eight letters are the code of a card: it goes on the page of your class"),
        ("badaf", "The code of a game has six letters."),
        (
            fake.code.lower(),
            f"There is no such game, or it is over and forgotten. If that is the code of a class: /class/{fake.code}",
        ),
    ):
        page.fill("[name=code]", typed)
        kid.click("join-code")
        expect(trouble).to_contain_text(said)
    kid.click("try-class")
    page.fill("[name=personal]", "batomi")
    kid.click("enter-class")
    expect(page.locator("[role=status]").first).to_contain_text("Here goes the code of your card: eight letters.")


def test_the_class_gives_the_name_and_who_asks_for_another_stays_in(room: Room, fake: FakeClass) -> None:
    kid = pupil(room, fake)
    page = kid.page
    kid.click("rename")
    expect(page.locator("dialog")).to_contain_text("called as on the list of the class: Élodie")
    kid.click("close")
    expect(page.locator("dialog")).to_have_count(0)
    expect(page.locator("[data-action=rename]")).to_be_focused()
    expect(page.locator(".hall")).to_be_visible()
    kid.click("rename")
    kid.click("not-me")
    page.wait_for_selector("[name=personal]")
    kid.click("rename")  # and who is nobody here chooses again
    page.wait_for_selector("[name=name]")


def test_a_card_enters_by_itself_and_its_code_leaves_the_address(room: Room, fake: FakeClass) -> None:
    page = pupil(room, fake).page
    own = page.locator("details code")  # how a program enters from their own computer
    assert own.text_content() == f"python3 run.py bot my_bot.py {HOST}:{fake.port} --league BOTSAB-{CODES['Élodie']}"
    assert page.url.endswith(f"/class/{fake.code}")
    assert page.evaluate("history.length") <= 2  # nor can somebody step back to it


def test_a_code_that_is_used_elsewhere_can_go_on_here(room: Room, fake: FakeClass) -> None:
    one = pupil(room, fake)
    two = pupil(room, fake)
    one.page.wait_for_selector("[data-action=here]")
    expect(two.page.locator(".hall")).to_be_visible()
    one.click("here")
    two.page.wait_for_selector("[data-action=here]")
    expect(one.page.locator(".hall")).to_be_visible()


def test_there_is_no_class_and_then_there_is(room: Room, fake: FakeClass) -> None:
    kid = room.reader().go("/class/ABCDEF#BADAFIRA")
    expect(kid.page.locator("[role=status]").first).to_contain_text("There is no class at this address")
    assert kid.go("/class/nonsense").page.locator(".status").inner_text() == "There is nothing at this address."
    assert fake.code


def test_a_notebook_is_handed_in_without_what_it_showed(room: Room, fake: FakeClass) -> None:
    kid = pupil(room, fake)
    picture = {"output_type": "display_data", "data": {"image/png": "A" * 300_000}}
    cell = {"cell_type": "code", "source": ["def choose(board):\n", "    return 3\n"], "outputs": [picture]}
    notebook = json.dumps({"cells": [cell | {"execution_count": 4}], "nbformat": 4}).encode()
    kid.page.set_input_files("#hand-file", {"name": "bot.ipynb", "mimeType": "text/plain", "buffer": notebook})
    expect(kid.page.locator("[data-version='1']")).to_contain_text("waits for its check")
    assert json.loads(fake.source("Élodie"))["cells"][0] == cell | {"outputs": [], "execution_count": None}


def test_a_long_program_is_handed_in_whole_and_a_longer_one_is_not(room: Room, fake: FakeClass) -> None:
    kid = pupil(room, fake)
    text = "# é\u2028\U0001f600\n" * 20_000  # in parts, of which each fits
    kid.page.set_input_files("#hand-file", {"name": "long.py", "mimeType": "text/plain", "buffer": text.encode()})
    kid.page.wait_for_selector("[data-version='1']", timeout=90_000)
    assert fake.source("Élodie") == text
    for name, content, said in (
        ("a.py", b"x" * 256_001, "too large"),
        ("a.txt", b"x", "no Python file"),
        ("a.ipynb", b"{", "can\N{RIGHT SINGLE QUOTATION MARK}t be read"),
        ("a.py", b" \n", "is empty"),
    ):
        kid.page.set_input_files("#hand-file", {"name": name, "mimeType": "text/plain", "buffer": content})
        expect(kid.page.locator(".hall .trouble").first).to_contain_text(said)
    fake.tell(Refused("submit", "closed", "Handing in is closed."), "Élodie")
    expect(kid.page.locator(".hall .trouble").first).to_have_text("Handing in is closed.")


def test_a_pasted_text_is_handed_in_by_keys(room: Room, fake: FakeClass) -> None:
    page = pupil(room, fake).page
    page.focus(".hand-form summary")
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    page.keyboard.type("def f(): pass")
    page.keyboard.press("Tab")
    page.keyboard.press("Control+A")
    page.keyboard.type("mien.py")
    page.keyboard.press("Enter")
    expect(page.locator("[data-version='1']")).to_contain_text("mien.py")
    assert fake.source("Élodie") == "def f(): pass"


def test_versions_tell_what_is_wrong_and_what_the_teacher_says(room: Room, fake: FakeClass) -> None:
    kid = pupil(room, fake)
    works = (
        Work(1, "a.py", AT, "works", 12, 12, note="It imports numpy."),
        Work(2, "b.py", AT, "fails", 3, 12, FAULT, "Look at line 12."),
    )
    fake.change("Élodie", works=works, open=False)
    newest = kid.page.locator("[data-version='2']")
    text = newest.inner_text()
    order = (
        "given back 3/12",
        "Look at line 12.",
        FAULT.what,
        "cell 3, line 12: return 7",
        HOSTILE,
        "- - -",
        "printed",
    )
    places = [text.find(part) for part in order]
    assert sorted(places) == places, text
    assert -1 not in places, text
    assert kid.page.locator("img").count() == 0
    expect(kid.page.locator(".hand-form")).to_be_hidden()
    expect(kid.page.locator(".hand-status")).to_contain_text("closed")
    fake.change("Élodie", works=(replace(works[0], comment="Bravo!"), works[1]), open=False)
    expect(kid.page.locator("[data-version='1']")).to_contain_text("Bravo!")
    expect(kid.page.locator("[data-version='1'] .check")).to_contain_text("works 12/12")
    kid.click("see-2")
    assert fake.letter(GetVersion).version == 2
    fake.tell(Source("Élodie", 2, "b.py", 0, 2, "print(1)\n"), "Élodie")
    fake.tell(Source("Élodie", 2, "b.py", 1, 2, HOSTILE), "Élodie")
    expect(kid.page.locator("pre.source")).to_have_text(f"print(1)\n{HOSTILE}")
    with kid.page.expect_download() as download:
        kid.click("download")
    assert Path(download.value.path()).read_text(encoding="utf-8") == f"print(1)\n{HOSTILE}"
    kid.page.keyboard.press("Escape")
    fake.change("Élodie", works=(works[0],), open=True, plays=1)
    expect(kid.page.locator("[data-version='1']")).to_contain_text("It imports numpy.")
    kid.click("climb")
    fake.letter(Climb)
    kid.click("face-1")
    fake.letter(Face)


def test_what_the_teacher_gives_can_be_read_and_kept(room: Room, fake: FakeClass) -> None:
    kid = pupil(room, fake)
    expect(kid.page.locator("[data-action=see-given]")).to_have_count(0)
    fake.change("Élodie", given=Handout("tp.py", AT))
    kid.click("see-given")
    assert fake.letter(GetVersion).version == 0
    fake.tell(Source("Élodie", 0, "tp.py", 0, 1, "print(1)\n"), "Élodie")
    expect(kid.page.locator(".dialog h2")).to_have_text("tp.py")
    with kid.page.expect_download() as download:
        kid.click("download")
    assert download.value.suggested_filename == "tp.py"


def test_how_a_program_failed_stands_in_its_game_and_on_the_ladder(room: Room, fake: FakeClass) -> None:
    kid = pupil(room, fake)
    page = kid.page
    fake.letter(GetGames)
    works = (Work(1, "a.py", AT, "works", 5, 5), Work(2, "a.py", AT + 60_000, "fails", 1, 5, FAULT))
    fake.change("Élodie", works=works, plays=1)
    expect(page.locator("[data-version='1'] .plays")).to_have_text("plays in leagues and for badges")
    expect(page.locator("[data-version='2'] .plays")).to_have_count(0)
    expect(page.locator("[data-action='face-1']")).to_be_visible()  # the version that plays, not the newest
    fake.change("Élodie", plays=2)
    expect(page.locator("[data-version='2'] .plays")).to_have_text("plays in leagues")
    expect(page.locator("[data-action^='face-']")).to_have_count(0)
    fake.change("Élodie", plays=1)
    fake.change("Élodie", works=(replace(works[0], faced=FAULT), works[1]))
    expect(page.locator("[data-version='1'] .own-fault")).to_contain_text("It failed against you")
    expect(page.locator("[data-version='1'] .fault")).to_contain_text("cell 3, line 12: return 7")
    fake.change("Élodie", works=works)
    expect(page.locator("[data-version='1'] .own-fault")).to_have_count(0)
    game = Game(12, 1, "puissance4", 2, "Tom", 0, "crash", ("4", "1", "4"), version=1)
    others = (replace(game, game=11, made=1), replace(game, game=10, reason="rules"))
    fake.tell(Games((game, *others)), "Élodie")
    expect(page.locator("[data-game='12']")).to_contain_text("by an error of your program")
    expect(page.locator("[data-game='11']")).to_contain_text("by an error of the other program")
    assert page.locator("[data-action=failure]").count() == 1
    fake.change("Élodie", ladder=(replace(LADDER[0], state="next", fault=FAULT, version=2),))
    expect(page.locator(".rung.next")).to_contain_text("version 2 (")
    expect(page.locator(".rung .fault")).to_contain_text("cell 3, line 12: return 7")
    kid.click("failure")
    fake.letter(GetGames)
    fake.tell(Games((game,)), "Élodie")
    assert fake.letter(GetPrints).game == 12
    fake.tell(Prints(12, (), FAULT), "Élodie")
    expect(page.locator(".own-fault")).to_contain_text(FAULT.what)
    expect(page.locator(".own-fault")).to_contain_text("cell 3, line 12: return 7")
    expect(page.locator(".side")).to_contain_text("Lost against Tom · second · by an error of your program")
    expect(page.locator(".side")).to_contain_text("version 1 (")
    expect(page.locator(".moves [aria-current]")).to_have_text("4")


def test_who_let_it_play_from_elsewhere_is_told_where_the_error_stands(room: Room, fake: FakeClass) -> None:
    kid = pupil(room, fake)
    fake.letter(GetGames)
    game = Game(12, 1, "puissance4", 2, "Tom", 0, "crash", ("4", "1", "4"))
    kid.page.goto(f"{kid.url}/class/{fake.code}?game=12")
    fake.letter(GetGames)
    fake.tell(Games((game,)), "Élodie")
    fake.letter(GetPrints)
    expect(kid.page.locator(".own-fault")).to_be_empty()
    fake.tell(Prints(12), "Élodie")
    expect(kid.page.locator(".own-fault")).to_contain_text("It ran on your computer or in the studio")


def test_my_games_lead_to_a_replay_with_mistake_and_prints(room: Room, fake: FakeClass) -> None:
    kid = pupil(room, fake)
    page = kid.page
    fake.letter(GetGames)
    game = Game(12, 1, "puissance4", 1, HOSTILE, 0, "rules", ("4", "1", "4", "1", "5", "1", "3", "1"), 4, judged=True)
    fake.tell(Games((game, replace(game, game=11, made=1, mistake=None, judged=False)), more=True), "Élodie")
    expect(page.locator("[data-game='12']")).to_contain_text("Lost")
    expect(page.locator("[data-game='11']")).to_contain_text("looking for mistakes")
    assert fake.letter(GetGames).before == 12  # whether they are known by now
    page.click("[data-game='12'] [data-action=mistake]")
    assert fake.letter(GetGames).before == 13
    fake.tell(Games((game,)), "Élodie")
    assert fake.letter(GetPrints).game == 12
    fake.tell(Prints(12, ((0, "begins"), (4, f"score 5\n{HOSTILE}"))), "Élodie")
    expect(page.locator(".prints .current")).to_contain_text("score 5")
    expect(page.locator(".moves [aria-current]")).to_have_text("5")
    page.keyboard.press("ArrowLeft")
    expect(page.locator(".prints .current")).to_have_count(0)
    page.click(".prints [data-action=ply-0]")
    expect(page.locator(".prints .current")).to_contain_text("begins")
    assert page.locator("img").count() == 0
    kid.click("to-class")
    expect(page.locator(".hall")).to_be_visible()


def test_a_question_is_answered_on_the_board_and_then_shown(room: Room, fake: FakeClass) -> None:
    kid = pupil(room, fake)
    question = Question(4, "puissance4", ("4", "4"), answered=1)
    fake.change("Élodie", question=question)
    kid.page.locator(".asked .cell[data-move='3']").first.click()
    assert fake.letter(Reply) == Reply(4, "3")
    expect(kid.page.locator(".asked-status")).to_contain_text("Your move: 3")
    expect(kid.page.locator(".asked-line .mark.seat1")).to_be_visible()
    fake.change("Élodie", question=question, mine="3")
    kid.page.locator(".asked .cell[data-move='3']").first.click()  # the same
    kid.page.locator(".asked .cell[data-move='5']").first.click()  # another one
    assert fake.letter(Reply).move == "5"
    shown = replace(question, answered=3, counts={"5": 2, "1": 1}, best=("4",), verdict="4 wins.")
    fake.change("Élodie", question=shown)
    expect(kid.page.locator(".bars tr")).to_have_count(3)
    assert [" ".join(row.split()) for row in kid.page.locator(".bars tr").all_inner_texts()] == [
        "5 2 yours", "1 1", "★ 4 0 best move",
    ]  # fmt: skip
    expect(kid.page.locator(".verdict-said")).to_have_text("4 wins.")
    assert kid.page.locator(".asked .cell[data-move]").count() == 0
    fake.change("Élodie", question=None)
    expect(kid.page.locator(".asked")).to_be_hidden()


def test_a_game_of_the_class_opens_by_itself_and_leads_back(room: Room, server: Serving, fake: FakeClass) -> None:
    kid = pupil(room, fake)
    with Program(server.port, "Stranger") as stranger:
        stranger.ask("create", game="morpion", invite=["Élodie"])
        kid.page.wait_for_selector("[data-action=accept-invitation]")  # of others they are asked
        assert "/class/" in kid.page.url
        match = fake.ask("create", game="morpion", play=False, invite=["Élodie", "Stranger"], seat="first")["match"]
        stranger.ask("join", match=match)
        kid.page.wait_for_url(f"**/m/{match}")
        expect(kid.page.locator("main")).to_be_focused()
        expect(kid.page.locator("[data-action=resign]")).to_be_visible()
        kid.page.go_back()
        kid.click("my-game")  # who has left it finds the way back
        kid.page.wait_for_url(f"**/m/{match}")
        kid.page.goto(f"{kid.url}/class/{fake.code}")  # also when the page is loaded again
        kid.click("my-game")
        kid.page.wait_for_url(f"**/m/{match}")
        # Players can't ask that of a match that somebody else has arranged.
        expect(kid.page.locator("[data-action=abort], [data-action=comeback]")).to_have_count(0)
        fake.tell(News(f"Five minutes! {HOSTILE}", AT))
        expect(kid.page.locator(".class-news")).to_contain_text(f"Five minutes! {HOSTILE}")
        kid.click("news-read")
        expect(kid.page.locator(".class-news")).to_be_hidden()
        fake.change(
            "Élodie", news=News("Five minutes!", AT)
        )  # it is told again to those who come in, and not to others
        fake.change("Élodie", news=News("One minute!", AT + 1))
        expect(kid.page.locator(".class-news")).to_contain_text("One minute!")
        kid.click("news-read")
        fake.change("Élodie", halted=True)
        fake.ask("pause", match=match)
        expect(kid.page.locator(".class-bar")).to_contain_text("All games are paused.")
        fake.ask("adjudicate", match=match, winner=1)
        kid.page.wait_for_url(f"**/class/{fake.code}")
        expect(kid.page.locator("h1").first).to_have_text("Seconde 4 · Élodie")


def test_what_is_switched_off_is_nowhere_on_the_page(room: Room, server: Serving, fake: FakeClass) -> None:
    ann, bob = room.reader(), room.reader()
    where = ann.go().create("morpion")
    bob.go(where).click("join")
    ann.page.wait_for_selector("[data-action=takeback]")
    prof = teacher(room, fake)
    try:
        fake.ask("switch", chat=False, takebacks=False, values=False)
        for action in ("takeback", "chat"):
            expect(ann.page.locator(f"[data-action={action}]:visible")).to_have_count(0)
        ann.go("/replay/morpion?moves=b2+a1").page.wait_for_selector(".moves li")
        expect(ann.page.locator("[data-action=review]")).to_be_hidden()
        ann.go("/explore/morpion").page.wait_for_selector("[data-action=flip]")
        expect(ann.page.locator("[data-action=explain]")).to_have_count(0)
        prof.go("/explore/morpion").page.wait_for_selector("[data-action=explain]")  # the teacher may
    finally:
        fake.ask("switch", chat=True, takebacks=True, values=True)
    expect(ann.page.locator("[data-action=explain]")).to_be_visible()
    expect(bob.page.locator("[data-action=takeback]")).to_be_visible()


@pytest.mark.parametrize("language", ["en-GB", "fr-FR"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_everything_can_be_read_and_heard(room: Room, fake: FakeClass, language: str, scheme: str) -> None:
    works = (
        Work(1, "a.py", AT, "works", 12, 12, note="It imports numpy."),
        Work(2, "b.py", AT, "fails", 3, 12, FAULT, "Hm."),
    )
    question = Question(1, "puissance4", ("4",), counts={"5": 4}, best=("4",), verdict="4.")
    fake.halls["Élodie"] = replace(fake.halls["Élodie"], works=works, league=LEAGUE, question=question, mine="5")
    kid = pupil(room, fake, locale=language, color_scheme=scheme, **PHONE)
    fake.tell(News("!", AT))
    kid.page.wait_for_selector(".class-news:visible")
    kid.page.wait_for_selector(".bars")
    assert kid.page.evaluate("document.documentElement.scrollWidth") <= 360
    assert is_accessible(kid.page)
    prof = teacher(room, fake, locale=language, color_scheme=scheme)
    fake.change_place("Tom", here=True, work=works[1], points=1, bot="own")
    fake.change_desk(league=LEAGUE, question=question)
    prof.page.wait_for_selector(".desk .bars")
    assert is_accessible(prof.page)
    for action in ("simul", "announce", "switches", "pupil-Tom"):
        prof.page.click(f"[data-action='{action}']")
        assert is_accessible(prof.page)
        prof.page.keyboard.press("Escape")
    assert not re.search(
        r"\b(class|desk|check|rung|bot|is)_\w+|\{\w+\}", kid.page.inner_text("body") + prof.page.inner_text("body")
    )
