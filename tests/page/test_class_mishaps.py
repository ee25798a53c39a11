"""What goes wrong in a class, or comes at the wrong moment: refusals, reloads, shared computers, odd names."""

from __future__ import annotations

import re
from collections.abc import Generator
from typing import Any

import pytest
from msgspec.structs import replace
from playwright.sync_api import Page, expect

from school.messages import (
    Allowed,
    Announce,
    Game,
    Games,
    GetGames,
    League,
    News,
    PupilRow,
    Question,
    Refused,
    Reply,
    Submit,
    Turn,
    Work,
)
from tests.faults.serving import Serving, serving
from tests.page.browser import HOST, PATIENCE_MS, Reader, Room, needs_browser
from tests.page.class_host import CODES, SECRET, FakeClass
from tests.page.programs import Program

pytestmark = [pytest.mark.slow, needs_browser, pytest.mark.timeout(240)]

expect.set_options(timeout=PATIENCE_MS)

AT = 1_790_000_000_000
GAME = Game(12, 1, "puissance4", 1, "Zoé", 0, "rules", ("4", "1", "4", "1", "5", "1", "3", "1"), judged=True)


@pytest.fixture
def server() -> Generator[Serving]:
    """One for each test: a name that plays, or is invited, is free only when its session is over."""
    with serving("--host-name", HOST, "--organiser", SECRET) as found:
        yield found


def pupil(room: Room, fake: FakeClass, name: str = "Élodie", /) -> Reader:
    """A pupil with their card, called as on the roster."""
    reader = room.reader()
    reader.go(f"/class/{fake.code}#{CODES[name]}").page.wait_for_selector(".hall:visible")
    is_called(reader, name)
    return reader


def is_called(reader: Reader, name: str) -> None:
    """Waits until the server calls them so; another computer may have the name still."""
    expect(reader.page.locator(".me")).to_have_text(re.compile(f"^{name}( 2)?$"))


def teacher(room: Room, fake: FakeClass) -> Reader:
    """The teacher at the desk."""
    reader = room.reader().go(f"/desk/{fake.code}")
    reader.page.fill("[name=secret]", SECRET)
    reader.click("enter-desk")
    reader.page.wait_for_selector(".roll-table [data-name=Tom]")
    return reader


def follow(page: Page, address: str) -> None:
    """Uses a link within the page: nothing is loaded again."""
    page.evaluate(
        """(href) => {
        const anchor = document.body.appendChild(Object.assign(document.createElement("a"), { href }));
        anchor.click();
        anchor.remove();
        }""",
        address,
    )


# ---------------------------------------------------------------------------------------------------- whose page it is


def test_the_next_at_a_computer_sees_nothing_of_the_one_before(room: Room, fake: FakeClass) -> None:
    kid = pupil(room, fake)
    page = kid.page
    fake.letter(GetGames)
    fake.tell(Games((GAME,)), "Élodie")
    fake.change("Élodie", news=News("Five minutes!", AT))
    page.wait_for_selector("[data-game='12']")
    page.click(".hand-form summary")
    page.fill(".hand-form textarea", "my secret")
    kid.click("forget-me")
    fake.halls["Tom"] = replace(fake.halls["Tom"], news=News("Five minutes!", AT))
    page.fill("[name=personal]", CODES["Tom"])
    kid.click("enter-class")
    expect(page.locator("h1").first).to_have_text("Seconde 4 · Tom")
    is_called(kid, "Tom")
    expect(page.locator(".class-news")).to_contain_text("Five minutes!")
    assert page.input_value(".hand-form textarea") == ""
    assert fake.letter(GetGames, "Tom")
    assert page.locator("[data-game]").count() == 0


def test_a_card_at_a_computer_that_keeps_another_code_puts_nobody_out(room: Room, fake: FakeClass) -> None:
    shared, tom = pupil(room, fake, "Tom"), pupil(room, fake, "Tom")
    shared.page.wait_for_selector("[data-action=here]")
    shared.go("/local/morpion")
    shared.page.evaluate("sessionStorage.clear()")
    shared.page.reload()
    shared.page.wait_for_selector(".me:not(:empty)")
    follow(shared.page, f"/class/{fake.code}#{CODES['Élodie']}")
    expect(shared.page.locator("h1").first).to_have_text("Seconde 4 · Élodie")
    fake.tell(News("Everybody?", AT))
    expect(tom.page.locator(".class-news")).to_contain_text("Everybody?")
    assert tom.page.locator("[data-action=here]").count() == 0


def test_a_class_that_is_closed_is_waited_for(room: Room, fake: FakeClass) -> None:
    kid = pupil(room, fake)
    fake.ask("dismiss", code=fake.code)
    expect(kid.page.locator("[role=status]").first).to_contain_text("There is no class at this address")
    fake.code = fake.ask("host", roster=[])["code"]


def test_a_game_is_asked_for_without_a_code(room: Room, fake: FakeClass) -> None:
    kid = room.reader().go("/local/morpion")
    follow(kid.page, f"/class/{fake.code}?game=3")
    kid.page.wait_for_selector("[name=personal]")


# ------------------------------------------------------------------------------------------------ wherever one is in it


def test_a_page_that_is_loaded_again_is_still_in_the_class(room: Room, server: Serving, fake: FakeClass) -> None:
    kid = pupil(room, fake)
    page = kid.page
    kid.click("settings")
    with Program(server.port, "Stranger") as stranger:
        two = [kid.name, "Stranger"]
        made = fake.ask("create", game="morpion", play=False, invite=two, seat="first")
        stranger.ask("join", match=made["match"])
        page.wait_for_url(f"**/m/{made['match']}")
        expect(page.locator("dialog")).to_have_count(0)  # what was open would stand before the board
        page.reload()
        expect(page.locator(".class-bar [data-action=to-class]")).to_be_visible()
        fake.tell(News("Five minutes!", AT))
        expect(page.locator(".class-news")).to_contain_text("Five minutes!")
        again = fake.ask("create", game="morpion", play=False, invite=two, seat="first")
        page.wait_for_url(f"**/m/{again['match']}")
    prof = teacher(room, fake)
    prof.go("/local/morpion").click("to-class")
    prof.page.wait_for_selector(".roll-table")


def test_an_invitation_that_came_before_the_class_is_taken(room: Room, server: Serving, fake: FakeClass) -> None:
    kid = pupil(room, fake)
    kid.page.evaluate("sessionStorage.clear()")
    kid.go("/local/morpion")
    match = fake.ask("create", game="morpion", play=False, invite=[kid.name], seat="first")["match"]
    kid.page.wait_for_selector("[data-action=accept-invitation]")
    follow(kid.page, f"/class/{fake.code}")
    kid.page.wait_for_url(f"**/m/{match}")
    assert server.child.poll() is None


def test_the_way_back_is_there_at_once_and_keeps_the_focus(room: Room, fake: FakeClass) -> None:
    kid = pupil(room, fake)
    follow(kid.page, "/explore/morpion")
    kid.page.wait_for_selector(".cell")
    back = kid.page.locator("[data-action=to-class]")
    expect(back).to_be_visible()
    back.focus()
    fake.change("Élodie", halted=True)
    expect(kid.page.locator(".class-halted")).to_be_visible()
    expect(back).to_be_focused()
    kid.click("language")
    expect(back).to_have_text("Retour à la classe")


def test_who_looks_elsewhere_is_told_of_a_question_until_it_is_answered(room: Room, fake: FakeClass) -> None:
    kid = pupil(room, fake)
    asked = kid.page.locator(".class-way strong")
    question = Question(4, "puissance4")
    fake.change("Élodie", question=question)
    kid.page.wait_for_selector(".asked .cell")
    expect(asked).to_have_count(0)
    follow(kid.page, "/explore/morpion")
    expect(asked).to_have_text("A question is waiting for you.")
    kid.click("language")
    expect(asked).to_have_text("Une question vous attend.")
    fake.change("Élodie", mine="4")
    expect(asked).to_have_count(0)
    fake.change("Élodie", question=replace(question, number=5), mine=None)
    expect(asked).to_be_visible()
    fake.change("Élodie", question=replace(question, counts={"4": 2}, verdict="4 wins."))
    expect(asked).to_have_count(0)


def test_the_address_keeps_its_class_while_somebody_looks_at_moves(room: Room, server: Serving) -> None:
    ann, bob = room.reader(), room.reader()
    where = ann.go().create("morpion")
    bob.go(where).click("join")
    ann.move("b2")
    bob.go(f"{where}?class=ABCDEF").see_ply(1)
    bob.page.click(".moves li:nth-child(1) >> *")
    bob.page.keyboard.press("Home")
    bob.page.wait_for_url("**#0")
    expect(bob.page.locator("[role=status]").first).to_contain_text(
        "You look at move 0 of 1; End or » returns. Your turn."
    )
    bob.page.keyboard.press("End")
    expect(bob.page.locator("[role=status]").first).not_to_contain_text("You look at")
    bob.page.wait_for_url(f"**{where}?class=ABCDEF")
    assert server.child.poll() is None


# ------------------------------------------------------------------------------------------------------------ refusals


def test_a_lost_connection_is_no_longer_told_when_it_is_back(room: Room, fake: FakeClass) -> None:
    page = pupil(room, fake).page
    trouble = page.locator(".hall .trouble").first
    page.evaluate(
        "() => { self.sends = WebSocket.prototype.send; WebSocket.prototype.send = () => { throw new Error('off'); }; }"
    )
    page.set_input_files("#hand-file", {"name": "a.py", "mimeType": "text/plain", "buffer": b"x = 1"})
    expect(trouble).to_have_text("No connection at the moment.")
    page.evaluate("() => { WebSocket.prototype.send = self.sends; }")
    fake.change("Élodie", open=True, until=4_000_000_000_000)
    expect(trouble).to_have_text("The connection is back: hand it in again.")
    page.set_input_files("#hand-file", {"name": "a.py", "mimeType": "text/plain", "buffer": b"x = 1"})
    expect(trouble).to_have_text("")
    fake.letter(Submit)


def test_what_is_refused_is_said_where_it_was_asked(
    room: Room, fake: FakeClass, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fake, "_take", lambda _who, _letter: None)
    kid = pupil(room, fake)
    page = kid.page
    page.set_input_files("#hand-file", {"name": "a.py", "mimeType": "text/plain", "buffer": b"x = 1"})
    expect(page.locator(".hand-status")).to_have_text("a.py is handed in.")
    fake.letter(Submit)
    fake.change("Élodie", team="Reds")  # what else is told meanwhile does not undo that
    expect(page.locator("main")).to_contain_text("Reds")
    assert page.locator(".hand-status").text_content() == "a.py is handed in."
    fake.tell(Refused("submit", "not_now", "Wait some seconds."), "Élodie")
    expect(page.locator(".hall .trouble")).to_have_text("Wait some seconds.")
    expect(page.locator(".hand-status")).to_have_text("Hand your program in: it is checked at once.")
    fake.change("Élodie", question=Question(4, "puissance4"), works=(Work(1, "a.py", AT, "works", 1, 1),))
    page.locator(".asked .cell[data-move='3']").first.click()
    fake.letter(Reply)
    fake.tell(Refused("reply", "closed", "It is over."), "Élodie")
    expect(page.locator(".asked-status")).to_have_text("It is over.")
    kid.click("climb")
    fake.tell(Refused("climb", "not_now", "One after the other."), "Élodie")
    expect(page.locator(".ladder").locator("xpath=..")).to_contain_text("One after the other.")
    expect(page.locator(".hall .trouble")).to_have_text("Wait some seconds.")


def test_the_board_of_a_question_goes_with_it(room: Room, fake: FakeClass) -> None:
    kid = pupil(room, fake)
    fake.change("Élodie", question=Question(4, "puissance4"))
    kid.page.wait_for_selector(".asked .cell[data-move='3']")
    fake.change("Élodie", question=Question(5, "puissance4", ("9",)))  # of which nobody can draw a board
    expect(kid.page.locator(".asked .cell")).to_have_count(0)


def test_a_file_that_cannot_be_read_is_said_so(room: Room, fake: FakeClass) -> None:
    page = pupil(room, fake).page
    # As of a folder that was dropped.
    page.evaluate("() => { File.prototype.arrayBuffer = () => Promise.reject(new Error('gone')); }")
    page.set_input_files("#hand-file", {"name": "a.py", "mimeType": "text/plain", "buffer": b"x = 1"})
    expect(page.locator(".hall .trouble").first).to_have_text(
        "a.py can\N{RIGHT SINGLE QUOTATION MARK}t be read: choose it again."
    )


def test_the_desk_shows_what_holds_and_loses_no_text(room: Room, fake: FakeClass) -> None:
    prof = teacher(room, fake)
    page = prof.page
    fake.change_desk(allowed=Allowed(chat=False), title="Seconde 5")
    expect(page.locator("h1").first).to_have_text("Seconde 5")
    prof.click("switches")
    expect(page.locator("[name=switch-chat]")).not_to_be_checked()
    fake.leave()
    page.locator("[name=switch-hints]").click()
    expect(page.locator(".desk > .trouble")).not_to_be_empty()
    expect(page.locator("[name=switch-hints]")).to_be_checked()
    page.keyboard.press("Escape")
    prof.click("announce")
    page.fill(".announce-form [name=text]", "Five minutes!")
    prof.click("announce-send")
    expect(page.locator(".announce-form .trouble")).to_have_text("It was not sent. Try again.")
    fake.come_back()
    prof.click("announce-send")
    assert fake.letter(Announce) == Announce("Five minutes!")
    expect(page.locator("dialog")).to_have_count(0)
    prof.click("switches")
    page.uncheck("[name=switch-hints]")
    assert fake.letter(Turn) == Turn(hints=False)


# --------------------------------------------------------------------------------------------------------- odd moments


def test_a_name_with_quotes_keeps_the_focus(room: Room, fake: FakeClass) -> None:
    name = 'Jo "B" \\'
    fake.places[name] = PupilRow(name)
    prof = teacher(room, fake)
    prof.page.get_by_role("button", name=name).focus()
    fake.change_place(name, here=True, versions=2)
    expect(prof.page.locator("[role=status]").first).to_contain_text("Here: 1 of 4.")
    expect(prof.page.get_by_role("button", name=name)).to_be_focused()


def test_the_wall_projects_a_question_after_a_league(room: Room, fake: FakeClass) -> None:
    prof = teacher(room, fake)
    with prof.page.expect_popup() as popup:
        prof.click("to-wall")
    wall = popup.value
    shown: dict[str, Any] = {"key": "k" * 24, "title": "L", "game": "morpion", "rows": [], "played": 0, "planned": 6}
    number = fake.ask("show", state="running", playing=[], **shown)["league"]
    fake.change_desk(league=League(1, "bots", "morpion", "running", id=number))
    wall.wait_for_selector(".class-wall .wall")
    fake.change_desk(question=Question(1, "puissance4", ("4",)))
    wall.wait_for_selector(".class-wall .asked .board")
    assert wall.locator("html.projects.class-projects").count() == 1


def test_a_replay_counts_no_moves_before_it_has_its_boards(room: Room, fake: FakeClass) -> None:
    kid = pupil(room, fake)
    page = kid.page
    page.evaluate(
        """() => {
        window.seen = [];
        new MutationObserver(() => window.seen.push(document.querySelector("main [role=status]")?.textContent ?? ""))
          .observe(document.body, { subtree: true, childList: true, characterData: true });
        }"""
    )
    follow(page, f"/class/{fake.code}?game=12")
    while fake.letter(GetGames).before != 13:
        pass
    fake.tell(Games((GAME,)), "Élodie")
    expect(page.locator("main [role=status]")).to_contain_text("8")
    assert not [text for text in page.evaluate("window.seen") if "-1" in text]


def test_a_name_that_somebody_else_has_gets_a_number_and_keeps_it(room: Room, server: Serving, fake: FakeClass) -> None:
    with Program(server.port, "Élodie"):
        page = pupil(room, fake).page
        for _again in range(3):
            expect(page.locator(".me")).to_have_text("Élodie 2")
            expect(page.get_by_text("taken")).to_have_count(0)
            page.reload()
            expect(page.locator("h1").first).to_have_text("Seconde 4 · Élodie")


def test_a_class_that_is_away_comes_back_by_itself(room: Room, fake: FakeClass, server: Serving) -> None:
    kid = pupil(room, fake)
    fake.change("Élodie", league=League(1, "bots", "puissance4", "running", teams=(("A", 2.5), ("B", 1))))
    expect(kid.page.locator(".teams")).to_contain_text("2.5")
    fake.leave()
    kid.page.reload()
    expect(kid.page.locator("[role=status]").first).to_contain_text("does not answer")
    fake.come_back()
    expect(kid.page.locator("h1").first).to_have_text("Seconde 4 · Élodie")
    assert server.child.poll() is None
