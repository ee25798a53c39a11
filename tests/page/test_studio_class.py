"""The studio opened from a class: handing in, the class's copy of a draft, the leagues of the programs."""

from __future__ import annotations

import re
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from playwright.sync_api import Browser, expect

from protocol.values import personal_hash
from school.messages import Draft, Drafted, Fault, Forget, GetDraft, Submit, Work
from tests.faults.serving import Serving, serving
from tests.page.browser import HOST, Reader, Room, needs_browser
from tests.page.class_host import CODES, SECRET, FakeClass
from tests.page.studio import READY_MS, Computers

pytestmark = [pytest.mark.slow, needs_browser, pytest.mark.timeout(600)]

NEWER = "def choose(position):\n    return position.legal_moves()[-1]  # written elsewhere\n"


@pytest.fixture(scope="module")
def server(installed: Path) -> Generator[Serving]:
    with serving(
        "--host-name", HOST, "--organiser", SECRET, environment={"XDG_DATA_HOME": str(installed)}
    ) as found:  # fmt: skip
        yield found


@pytest.fixture
def room(browser: Browser, server: Serving) -> Generator[Room]:
    with Computers(browser, server.port) as found:
        yield found


def attend(room: Room, fake: FakeClass, name: str = "Élodie", **options: Any) -> Reader:
    """A pupil in the studio, who has come by their card and the class's page."""
    reader = room.reader(**options)
    reader.go(f"/class/{fake.code}#{CODES[name]}").page.wait_for_selector(".hall:visible")
    expect(reader.page.locator(".me")).to_have_text(re.compile(f"^{name}( 2)?$"))
    reader.page.click("[data-action=studio]")
    reader.page.wait_for_selector("[data-action=hand-in]:enabled", timeout=READY_MS)
    return reader


def source_of(reader: Reader) -> str:
    """The text in the editor."""
    return reader.page.inner_text("[data-editor]")


def test_what_is_written_is_handed_in_and_judged(room: Room, fake: FakeClass) -> None:
    kid = attend(room, fake)
    kid.click("hand-in")
    letter = fake.letter(Submit, "Élodie")
    assert (letter.file, letter.part, letter.parts) == ("my_bot.py", 0, 1)
    assert "def choose(position):" in letter.text
    expect(kid.page.locator("body")).to_contain_text("my_bot.py is handed in.")
    fault = Fault("The index goes past the end of the list.", 3)
    fake.change("Élodie", works=(Work(1, "my_bot.py", 1_790_000_000_000, "fails", 1, 5, fault),))
    expect(kid.page.locator(".studio")).to_contain_text("The index goes past the end of the list.")
    fake.change("Élodie", open=False)
    expect(kid.page.locator("[data-action=hand-in]")).to_be_disabled()


def test_a_new_file_plays_the_game_of_the_class(room: Room, fake: FakeClass) -> None:
    kid = attend(room, fake)
    expect(kid.page.locator("[name=game]")).to_have_value("puissance4")
    expect(kid.page.locator("[data-action=enter-leagues]")).to_have_text("Play in the class’s leagues")
    kid.page.select_option("[name=game]", "morpion")  # the file is for this one from now on
    fake.change("Élodie", team="Group 1")
    kid.page.reload()
    kid.page.wait_for_selector("[data-action=hand-in]:enabled", timeout=READY_MS)
    expect(kid.page.locator("[name=game]")).to_have_value("morpion")


def test_a_long_position_moves_nothing_out_of_a_phone(room: Room, fake: FakeClass) -> None:
    fault = Fault("It fails.", 3, position="It was asked to play the first side (1) in this place here:\n  1 2 3")
    fake.halls["Tom"] = replace(fake.halls["Tom"], works=(Work(1, "b.py", 1_790_000_000_000, "fails", 1, 5, fault),))
    kid = attend(room, fake, "Tom", viewport={"width": 390, "height": 844})
    kid.page.wait_for_selector(".studio .fault pre")
    ends = kid.page.locator(".studio .card").evaluate_all("all => all.map(one => one.getBoundingClientRect().right)")
    assert max(ends) <= 390 - 8
    assert len(set(ends)) == 1


def test_the_newer_copy_wins_and_says_so(room: Room, fake: FakeClass) -> None:
    kid = attend(room, fake)
    fake.letter(GetDraft, "Élodie")
    future = 4_000_000_000_000
    fake.tell(Drafted("my_bot.py", future, 0, 1, NEWER), "Élodie")
    expect(kid.page.locator("body")).to_contain_text("my_bot.py was newer on your teacher’s computer")
    assert "written elsewhere" in source_of(kid)
    fake.tell(Drafted("my_bot.py", 1_000, 0, 1, "print('old')\n"), "Élodie")
    fake.tell(Drafted("other.py", future, 0, 1, "# another file\n"), "Élodie")
    kid.page.wait_for_selector("[name=draft] option[value='other.py']", state="attached")
    kid.page.select_option("[name=draft]", "my_bot.py")
    assert "written elsewhere" in source_of(kid)


def test_the_class_keeps_a_copy_until_it_is_erased(room: Room, fake: FakeClass) -> None:
    kid = attend(room, fake)
    kid.page.wait_for_selector(".studio > [role=status]:text-matches('is ready')", timeout=READY_MS)
    kid.page.click("[data-editor]")
    kid.page.keyboard.type("# changed\n")
    letter = fake.letter(Draft, "Élodie")
    assert (letter.file, letter.part, letter.parts) == ("my_bot.py", 0, 1)
    assert "# changed" in letter.text
    kid.click("erase-all")
    expect(kid.page.locator("[data-action=erase-all]")).to_have_text(re.compile("and your teacher’s copy"))
    kid.click("erase-all")
    fake.letter(Forget, "Élodie")


def test_one_click_enters_the_leagues_of_the_class(room: Room, fake: FakeClass) -> None:
    code = fake.ask("host", roster=[])["code"]
    roster = [{"name": name, "hash": personal_hash(code, personal)} for name, personal in CODES.items()]
    fake.ask("host", code=code, roster=roster)
    kid = attend(room, fake)
    fake.change("Élodie", bots=code)
    kid.page.wait_for_selector(".studio > [role=status]:text-matches('is ready')", timeout=READY_MS)
    kid.click("enter-leagues")
    kid.page.wait_for_selector(".studio > [role=status]:text-matches('is in the league')", timeout=READY_MS)
    kid.page.click(".class-bar [data-action=to-class]")
    kid.page.wait_for_selector(".hall:visible")
