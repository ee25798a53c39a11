"""The studio in a real browser: pupils write bots, which play there; also files that hang, ask, or are no Python."""

from __future__ import annotations

import json
import time
from collections.abc import Generator
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, FilePayload, expect

from tests.faults.serving import Serving, serving
from tests.page.browser import HOST, Reader, Room, needs_browser
from tests.page.looks import LOOKS, is_fine, reader
from tests.page.studio import READY_MS, Computers

pytestmark = [pytest.mark.slow, needs_browser, pytest.mark.timeout(600)]

FIRST = "def choose(position):\n    return position.legal_moves()[0]\n"


@pytest.fixture(scope="module")
def server(installed: Path) -> Generator[Serving]:
    with serving(
        "--host-name", HOST, "--house-bots", "random,first", environment={"XDG_DATA_HOME": str(installed)}
    ) as found:
        yield found


@pytest.fixture
def room(browser: Browser, server: Serving) -> Generator[Room]:
    with Computers(browser, server.port) as found:
        yield found


@pytest.fixture(scope="module")
def bare() -> Generator[Serving]:
    """A server without a studio."""
    with serving("--host-name", HOST) as found:
        yield found


def enter(reader: Reader, query: str = "") -> Reader:
    """Opens the studio, and waits until Python is ready."""
    reader.go(f"/studio{query}")
    reader.page.wait_for_selector("[data-editor]", timeout=READY_MS)
    reader.page.wait_for_selector("[role=status]:text-matches('is ready|est prêt')", timeout=READY_MS)
    return reader


PASTE = """(element, text) => {
  const clipboardData = new DataTransfer();
  clipboardData.setData("text/plain", text);
  element.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
}"""


def write(reader: Reader, source: str) -> None:
    """Replaces what is in the editor, by pasting it."""
    editor = reader.page.locator("[data-editor]")
    editor.click()
    reader.page.keyboard.press("Control+a")
    reader.page.keyboard.press("Delete")
    if source:
        editor.evaluate(PASTE, source)
        first = json.dumps(source.split("\n", maxsplit=1)[0], ensure_ascii=False)
        reader.page.wait_for_selector(f"[data-editor]:has-text({first})")


def picked(name: str, body: bytes) -> FilePayload:
    """A file of the reader's computer."""
    return {"name": name, "mimeType": "", "buffer": body}


def choose(reader: Reader, game: str, rival: str = "random", seconds: int = 10) -> None:
    """What is to be played."""
    reader.page.select_option("[name=game]", game)
    reader.page.wait_for_selector(f"[name=rival] option[value='{rival}']", state="attached")
    reader.page.select_option("[name=rival]", rival)
    reader.page.select_option("[name=time]", str(seconds))


def said(reader: Reader, text: str, timeout: int = READY_MS) -> None:
    """Waits until that stands below the editor."""
    reader.page.wait_for_selector(f".console :text({json.dumps(text, ensure_ascii=False)})", timeout=timeout)


def until_over(reader: Reader) -> str:
    """Waits for the end of the match; how it ended."""
    found = "wins|draw|Draw|gagne|nulle"
    reader.page.wait_for_selector(f".studio > [role=status]:text-matches('{found}')", timeout=READY_MS)
    return reader.page.inner_text(".studio > [role=status]")


def test_without_it_the_page_says_what_to_type(browser: Browser, bare: Serving) -> None:
    with Room(browser, bare.port) as room:
        ann = room.reader(locale="fr-FR").go("/studio")
        ann.page.wait_for_selector("code:has-text('studio install')")
        assert "Python n’est pas installé sur ce serveur" in ann.status
        ann.click("look-again")
        ann.page.wait_for_selector("code:has-text('studio install')")


def test_a_bot_is_written_and_plays_a_whole_game(room: Room) -> None:
    ann = enter(room.reader())
    write(ann, "")
    for line in ("def choose(position):", 'print("I think")', "return position.legal_moves()[0]"):
        ann.page.keyboard.type(line)
        ann.page.keyboard.press("Enter")
    assert "    print" in ann.page.locator("[data-editor]").inner_text()  # the editor has indented what was typed
    choose(ann, "morpion", "first")
    ann.click("run")
    said(ann, "I think")
    assert ann.page.get_attribute(".place .status", "aria-live") == "off"  # or its end would be read aloud twice
    assert "bot wins" in until_over(ann)
    assert ann.page.locator(".place .board").count() == 1


def test_what_a_new_file_holds_plays(room: Room) -> None:
    ann = enter(room.reader(locale="fr-FR"))
    assert "def choisir_parmi(plateau, joueur, coups):" in ann.page.inner_text("[data-editor]")
    choose(ann, "morpion", "first")
    ann.click("run")
    said(ann, "Coups permis :")
    until_over(ann)


def test_it_plays_against_itself_with_ctrl_enter_in_french(room: Room) -> None:
    ann = enter(room.reader(locale="fr-FR"))
    write(ann, FIRST)
    choose(ann, "puissance4", "")
    ann.page.locator("[data-editor]").click()
    ann.page.keyboard.press("Control+Enter")
    until_over(ann)


def test_a_loop_without_end_loses_on_time_at_its_line_and_the_next_run_is_quick(room: Room) -> None:
    ann = enter(room.reader())
    write(ann, "def choose(position):\n    n = 0\n    while True:\n        n += 1\n")
    choose(ann, "morpion", "first", 2)
    ann.click("run")
    said(ann, "Is this an endless loop?")
    assert "ran out of time" in until_over(ann)
    ann.page.wait_for_selector(".cm-lint-marker-error")
    write(ann, FIRST)
    ann.click("run")
    ann.page.wait_for_selector(".moves li:nth-child(2)", timeout=READY_MS)


FULL = """
def choose(position):
    kept = []
    while True:
        if len(kept) < 10000:
            kept.append([0] * 10000)
""".lstrip()
"""On a slow machine it takes 400 MB before its time is up, and on a fast one not all that there is."""


def test_a_loop_that_fills_the_memory_is_told_as_memory(room: Room) -> None:
    ann = enter(room.reader())
    write(ann, FULL)
    choose(ann, "morpion", "first", 2)
    ann.click("run")
    said(ann, "choose fills the memory")
    assert "ran out of time" in until_over(ann)


def test_what_no_interrupt_ends_is_ended_with_its_worker(room: Room) -> None:
    ann = enter(room.reader())
    write(ann, "def choose(position):\n    return str(sum(range(10 ** 13)))\n")
    choose(ann, "morpion", "first", 1)
    ann.click("run")
    said(ann, "Is this an endless loop?")
    assert "ran out of time" in until_over(ann)


@pytest.mark.parametrize(
    ("source", "sentence"),
    [
        ("def choose(position:\n    return 1\n", "Une parenthèse ou un crochet est ouvert et jamais fermé"),
        ("def choose(position): return input('Coup ? ')\n", "Un bot n’a pas de clavier"),
        ("import turtle\ndef choose(position): return 'a1'\n", "turtle n’ouvre pas de fenêtre ici"),
        ("import tkinter\ndef choose(position): return 'a1'\n", "tkinter n’ouvre pas de fenêtre ici"),
        (
            "import threading\ndef choose(position): threading.Thread(target=print).start()\n",
            "threading ne démarre rien ici",
        ),
        ("import numpy\ndef choose(position): return 'a1'\n", "Il n’y a pas de module"),
        ("import numpy\ndef choose(position): return 'a1'\n", "numpy n’existe pas dans le navigateur"),
        ("def mon_bot(plateau): return 3\n", "ne définit aucune des fonctions"),
    ],
)
def test_what_is_wrong_is_said_in_the_pupils_language(room: Room, source: str, sentence: str) -> None:
    ann = enter(room.reader(locale="fr-FR"))
    write(ann, source)
    choose(ann, "morpion", "")
    ann.click("run")
    said(ann, sentence.split("’", maxsplit=1)[0])
    assert sentence in ann.page.inner_text(".console").replace("\u00a0", " ")


@pytest.mark.parametrize("look", ["light", "narrow"])
def test_what_comes_of_a_run_is_in_sight(room: Room, look: str) -> None:
    ann = enter(reader(room, look, "en-GB"))
    error = ann.page.locator(".console .error").first
    for source, sight in (
        ("def choose(position):\n    print('hello')\n    return position.legal_moves()[0]\n", ".console .said"),
        ("def choose(position):\n    return moves[0]\n", ".console .error"),
        ("def choose(position:\n    return 1\n", ".console .error"),
    ):
        write(ann, source)
        choose(ann, "othello", "first")
        ann.click("run")
        ann.page.wait_for_selector(sight, state="attached", timeout=READY_MS)
        is_board = look == "narrow" and sight.endswith(".said")
        expect(ann.page.locator(".place .board" if is_board else ".console")).to_be_in_viewport(ratio=0.98)
    assert error.evaluate(
        "one => one.getBoundingClientRect().top >= one.closest('.console').getBoundingClientRect().top"
    )


def test_the_editor_speaks_french_and_is_dark_on_a_dark_page(room: Room) -> None:
    filtered = "element => getComputedStyle(element).filter"
    ann = enter(room.reader(locale="fr-FR", color_scheme="dark"))
    assert ann.page.locator(".cm-scroller").evaluate(filtered).startswith("invert(1)")
    ann.page.click("[data-editor]")
    ann.page.keyboard.press("Control+f")
    panel = ann.page.locator(".cm-search")
    panel.wait_for()
    words = panel.evaluate("panel => [...panel.querySelectorAll('button, label')].map(one => one.textContent.trim())")
    assert words[:3] == ["suivant", "précédent", "tout"]
    assert not {"next", "previous", "all", "match case", "regexp", "by word", "replace", "replace all"} & set(words)
    light = enter(room.reader())
    assert light.page.locator(".cm-scroller").evaluate(filtered) == "none"


def test_the_code_of_a_card_in_the_first_field_is_told_where_it_goes(room: Room) -> None:
    ann = enter(room.reader())
    ann.page.click("summary")
    status = ann.page.locator(".studio > [role=status]")
    for action in ("enter-league", "join-match"):
        ann.page.fill("[name=code]", "DUME-RILO")
        ann.click(action)
        expect(status).to_contain_text("it goes in the second field")
        ann.page.fill("[name=code]", "BATO")
        ann.click(action)
        expect(status).to_have_text("The code of a game has six letters.")
    write(ann, FIRST)
    ann.page.fill("[name=code]", "BATOMI-DUMERILO")  # as a class writes both for a terminal
    ann.click("enter-league")
    expect(status).to_have_text("No league is shown here at the moment.", timeout=READY_MS)


def test_drafts_are_kept_imported_and_saved(room: Room, tmp_path: Path) -> None:
    ann = enter(room.reader(locale="en-GB", accept_downloads=True))
    notebook = {
        "cells": [
            {"cell_type": "markdown", "source": ["# Title"]},
            {"cell_type": "code", "source": ["%matplotlib inline\n", "x = 1"]},
            {"cell_type": "code", "source": "def choose(position):\n    return position.legal_moves()[0]"},
        ],
        "nbformat": 4,
    }
    path = tmp_path / "Mon carnet.ipynb"
    path.write_text(json.dumps(notebook), encoding="utf-8")
    ann.page.set_input_files("[data-action=pick]", str(path))
    ann.page.wait_for_selector("[name=draft] option[value='Mon_carnet.py']", state="attached")
    ann.page.wait_for_selector(".folder :text('Kept in this browser.')")
    with ann.page.expect_download() as saved:
        ann.click("save-py")
    text = Path(saved.value.path()).read_text(encoding="utf-8")
    assert text.startswith("# %%\n# %matplotlib inline\nx = 1\n\n# %%\ndef choose")
    with ann.page.expect_download() as saved:
        ann.click("save-ipynb")
    cells = json.loads(Path(saved.value.path()).read_text(encoding="utf-8"))["cells"]
    assert ["".join(cell["source"]).split("\n")[-1] for cell in cells] == [
        "x = 1",
        "    return position.legal_moves()[0]",
    ]
    ann.page.reload()
    ann.page.wait_for_selector("[data-editor]:has-text('matplotlib')")
    ann.page.fill("[name=draft-name]", "../été 1.py")
    ann.page.locator("[name=draft-name]").blur()
    ann.page.wait_for_selector("[name=draft] option[value='été_1.py']", state="attached")
    ann.page.set_input_files("[data-action=pick]", files=[picked("x.ipynb", b"{")])
    ann.page.wait_for_selector(".folder [role=alert]:has-text('x.ipynb is no notebook')")
    ann.page.set_input_files("[data-action=pick]", files=[picked("x.py", b"#" * 200_000)])
    ann.page.wait_for_selector(".folder [role=alert]:has-text('too long')")
    ann.click("erase-all")
    ann.click("erase-all")
    ann.page.wait_for_selector("[name=draft] option[value='my_bot.py']", state="attached")
    assert ann.page.locator("[name=draft] option").count() == 1


def test_a_file_imports_another_draft(room: Room) -> None:
    ann = enter(room.reader())
    files = {"outils.py": b"def premier(coups):\n    return coups[0]\n", "bot.py": b"from outils import premier\n\n"}
    files["bot.py"] += b"def choose(position):\n    return premier(position.legal_moves())\n"
    for name, body in files.items():
        ann.page.set_input_files("[data-action=pick]", files=[picked(name, body)])
        ann.page.wait_for_selector(f"[name=draft] option[value='{name}']", state="attached")
    choose(ann, "morpion")
    ann.click("check")
    ann.page.wait_for_selector(".studio > [role=status]:has-text('bot.py is ready: choose is asked')", timeout=READY_MS)


def test_it_takes_a_seat_by_a_code_and_plays_somebody(room: Room) -> None:
    ann, bea = enter(room.reader()), room.reader().go()
    bea.create("morpion", private=True)
    code = bea.page.inner_text(".share .code")
    write(ann, FIRST)
    ann.page.select_option("[name=game]", "morpion")
    ann.page.click("summary:has-text('Take a seat')")
    ann.page.fill("[name=code]", code.strip().lower())
    ann.click("join-match")
    bea.move("c3")
    bea.page.wait_for_selector(".moves li:nth-child(2)", timeout=READY_MS)
    assert "is in the match" in ann.page.inner_text(".studio > [role=status]")


def test_nobody_is_left_out(room: Room) -> None:
    """axe-core, in both languages and on a phone."""
    for options in ({"locale": "fr-FR"}, {"viewport": {"width": 390, "height": 844}, "color_scheme": "dark"}):
        ann = enter(room.reader(**options))
        found = Axe().run(ann.page)
        assert found.response["violations"] == []
        width = ann.page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        assert width <= 0


@pytest.mark.parametrize(
    "look",
    [
        pytest.param(look, marks=() if look in ("dark", "contrast", "narrow") else pytest.mark.thorough)
        for look in LOOKS
    ],
)
def test_it_is_whole_in_every_look(room: Room, look: str) -> None:
    ann = enter(reader(room, look, "fr-FR" if look in ("narrow", "contrast") else "en-GB"))
    write(ann, "def choose(position):\n    return 1 / 0\n")
    choose(ann, "morpion", "first")
    ann.click("run")
    ann.page.wait_for_selector(".console .error", timeout=READY_MS)
    is_fine(ann.page)


IS_KEPT = """() => new Promise((resolve) => {
  const asked = indexedDB.open("arbitre.studio");
  asked.onsuccess = () => {
    const count = asked.result.transaction("snapshots").objectStore("snapshots").count();
    count.onsuccess = () => { asked.result.close(); resolve(count.result > 0); };
  };
})"""


def test_the_next_opening_begins_where_python_had_started(browser: Browser, server: Serving) -> None:
    with Room(browser, server.port) as room:  # a computer where nobody sat before
        ann = enter(room.reader())
        assert ann.page.get_attribute(".studio > [role=status]", "data-quick") == "false"
        until = time.monotonic() + READY_MS / 1000
        while not ann.page.evaluate(IS_KEPT):  # the browser keeps it when it has time; who leaves before starts anew
            assert time.monotonic() < until, "no snapshot was kept"
            ann.page.wait_for_timeout(100)
        enter(ann)
        assert ann.page.get_attribute(".studio > [role=status]", "data-quick") == "true"
        write(ann, FIRST)
        choose(ann, "morpion")
        ann.click("run")
        until_over(ann)


def test_a_slow_tablet_plays_minimax(room: Room) -> None:
    ann = enter(room.reader())
    ann.page.context.new_cdp_session(ann.page).send("Emulation.setCPUThrottlingRate", {"rate": 4})
    classroom = Path(__file__).parents[2] / "examples" / "classroom" / "tp23" / "TP23.py"
    source = picked("TP23.py", classroom.read_bytes())
    ann.page.set_input_files("[data-action=pick]", files=[source])
    ann.page.wait_for_selector("[name=draft] option[value='TP23.py']", state="attached")
    choose(ann, "othello", "first", 5)
    ann.click("run")
    ann.page.wait_for_selector(".moves li:nth-child(6)", timeout=READY_MS)
