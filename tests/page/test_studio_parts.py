"""Parts of the studio in a real browser, without Python: files, what is to be played, the class beside them."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

import pytest
from playwright.sync_api import Browser

from tests.faults.serving import Serving, serving
from tests.page.browser import HOST, Reader, Room, needs_browser

pytestmark = [pytest.mark.slow, needs_browser, pytest.mark.timeout(240)]

FOLDER = """
const { Folder } = await import("/app/studio/folder.js");
const { speaker } = await import("/app/studio/texts.js");
const t = speaker("en");
const folder = new Folder(t, "en", () => undefined);
document.body.append(folder.element);
"""

LESSON = (
    FOLDER
    + """
const { Lesson } = await import("/app/studio/lesson.js");
const { TEXTS } = await import("/app/class/texts.js");
const asked = [];
const code = "ABCDEF";
const page = {
  t: (key) => TEXTS[key]?.[0] ?? key, ears: new Set(), language: "en", matches: new Map(), me: () => "Zoe",
  who: { invitations: new Map(), paint() {} }, refusal: String, go() {}, connection: { open: true, renew() {} },
  ask: async (type, fields) => {
    const letter = type === "write" ? JSON.parse(fields.text) : { type };
    asked.push(letter);
    if (globalThis.refuses) throw new Error("offline");
    return {};
  },
};
localStorage.setItem("arbitre.class.ABCDEF", "BADAFIRA");
const tell = (letter) => { for (const ear of page.ears) ear({ type: "told", code, text: JSON.stringify(letter) }); };
const hall = { type: "hall", title: "C", name: "Zoe", game: "morpion", bots: "BOTSAB", now: Date.now() };
const rest = () => new Promise((resolve) => void setTimeout(resolve, 50));
const lesson = new Lesson(page, code, folder, () => undefined, () => undefined);
folder.opened = () => lesson.changed();
await rest();
tell(hall);
const kinds = (kind) => asked.filter(({ type }) => type === kind).map(({ file, text }) => [file, text]);
"""
)


@pytest.fixture(scope="module")
def server() -> Generator[Serving]:
    with serving("--host-name", HOST) as found:
        yield found


@pytest.fixture
def ann(browser: Browser, server: Serving) -> Generator[Reader]:
    with Room(browser, server.port) as room:
        yield room.reader().go("/local/morpion")


def run(reader: Reader, script: str) -> Any:
    """What a script makes of the page's modules."""
    return reader.page.evaluate(f"async () => {{ {script} }}")


def afresh(reader: Reader) -> None:
    """The page as in a browser that keeps nothing yet."""
    reader.page.evaluate("localStorage.clear(); sessionStorage.clear()")
    reader.page.reload()


def test_a_file_from_elsewhere_takes_the_place_of_no_other(ann: Reader) -> None:
    found = run(
        ann,
        FOLDER
        + """
        folder.change({ text: "mine" });
        folder.bring("my_bot.py", "theirs");
        folder.bring("my_bot2.py", "theirs");
        folder.bring("my_bot.py", "others");
        return folder.drafts.map(({ name, text }) => [name, text]).sort();
        """,
    )
    assert found == [["my_bot.py", "mine"], ["my_bot2.py", "theirs"], ["my_bot3.py", "others"]]


def test_what_is_too_long_to_be_kept_loses_nothing_by_another_name(ann: Reader) -> None:
    found = run(
        ann,
        FOLDER
        + """
        folder.change({ text: "short" });
        folder.keep();
        folder.change({ text: "x".repeat(100_001) });
        folder.name.value = "other.py";
        folder.rename();
        return JSON.parse(localStorage.getItem("arbitre.studio.drafts")).map(({ name, text }) => [name, text]);
        """,
    )
    assert found == [["my_bot.py", "short"]]


def test_whom_to_play_against_is_what_somebody_chose(ann: Reader) -> None:
    found = run(
        ann,
        """
        const { Wishes } = await import("/app/studio/wishes.js");
        const { speaker } = await import("/app/studio/texts.js");
        const page = { t: (key) => key, games: { morpion: {} }, titleOf: String, me: () => "Zoe" };
        const make = () => {
          const made = new Wishes(page, speaker("en"), {});
          document.body.append(made.element);
          return made;
        };
        const bot = (name) => ({ name, house: true, kind: "bot" });
        const one = make();
        one.show([]);
        const alone = one.note.textContent;
        one.keep();
        one.show([bot("first"), bot("random")]);
        const before = one.rival.value;
        one.rival.value = "";
        one.rival.dispatchEvent(new Event("change"));
        one.show([bot("first"), bot("random"), bot("minimax")]);
        const after = one.rival.value;
        const two = make();
        two.show([bot("first"), bot("random")]);
        return [alone, one.note.textContent, before, after, two.rival.value];
        """,
    )
    assert found == ["No bot of the house is here: your bot plays against itself.", "", "random", "", ""]


def test_a_look_at_the_studio_takes_no_copy_of_the_class_away(ann: Reader) -> None:
    found = run(ann, LESSON + "lesson.close(); await rest(); return kinds('draft');")
    assert found == []
    script = """
    folder.change({ text: "mine" });
    lesson.changed();
    lesson.close();
    await rest();
    return kinds("draft");
    """
    afresh(ann)
    assert run(ann, LESSON + script) == [["my_bot.py", "mine"]]


def test_what_could_not_be_sent_is_sent_when_the_class_is_back_and_by_no_closed_view(ann: Reader) -> None:
    script = """
    folder.change({ text: "mine" });
    globalThis.refuses = true;
    lesson.changed();
    await lesson.send();
    const first = kinds("draft").length;
    const isDue = lesson.isDue;
    lesson.close();
    await lesson.send();
    const timer = lesson.timer;
    lesson.changed();
    return [first, isDue, timer === lesson.timer];
    """
    assert run(ann, LESSON + script) == [1, True, True]
    afresh(ann)
    script = """
    lesson.pupil.become("away");
    folder.change({ text: "mine" });
    lesson.changed();
    await lesson.send();
    const before = kinds("draft");
    clearTimeout(lesson.timer);
    lesson.timer = undefined;
    lesson.pupil.become("in");
    return [before, lesson.timer !== undefined];
    """
    assert run(ann, LESSON + script) == [[], True]


def test_one_click_hands_in_once_and_what_was_closed_opens_again(ann: Reader) -> None:
    script = """
    lesson.hand.click();
    lesson.hand.click();
    await rest();
    tell({ ...hall, open: false });
    const closed = lesson.status.textContent;
    tell({ ...hall, open: true });
    const open = lesson.status.textContent;
    folder.change({ text: " " });
    lesson.hand.click();
    return [kinds("submit").length, closed === TEXTS.handClosed[0], open, lesson.status.textContent];
    """
    assert run(ann, LESSON + script) == [1, True, "", "This file is empty."]


@pytest.mark.parametrize("newer", [True, False])
def test_what_was_changed_on_two_devices_is_kept_twice(ann: Reader, newer: bool) -> None:
    """Else whoever writes last erases what was written on the other device."""
    script = """
    const drafted = (text, at) => tell({ type: "drafted", file: "my_bot.py", at, part: 0, parts: 1, text });
    drafted("base", Date.now() + 1000);
    folder.change({ text: "mine" });
    folder.keep();
    drafted("base", Date.now() + 2000); // which is what ours was made of
    const still = folder.draft.text;
    drafted("theirs", Date.now() + (NEWER ? 3000 : -3000));
    return [still, folder.draft.name, Object.fromEntries(folder.drafts.map(({ name, text }) => [name, text]))];
    """
    still, name, kept = run(ann, LESSON + script.replace("NEWER", str(newer).lower()))
    assert (still, name) == ("mine", "my_bot.py")
    shown, other = ("theirs", "mine") if newer else ("mine", "theirs")
    assert kept == {"my_bot.py": shown, "my_bot2.py": other}


def test_pupils_who_share_a_computer_have_files_of_their_own(ann: Reader) -> None:
    """Else the next pupil would read what the one before has written, and hand it in."""
    script = """
    const files = () => [folder.draft.text, folder.drafts.map(({ name }) => name).sort()];
    const sits = (name) => tell({ ...hall, name, door: name });
    folder.change({ text: "outside" });
    sits("Zoe"); // amid a word
    const begins = folder.isFresh(folder.draft);
    lesson.found.querySelector("button").click();
    folder.change({ text: "zoe's" });
    folder.keep();
    const zoes = files();
    sits("Tom");
    const toms = [folder.isFresh(folder.draft), folder.drafts.length, lesson.found.textContent, lesson.isDue];
    tell({ ...hall, name: "Zoé", door: "Zoe" });
    const renamed = files();
    return [begins, zoes, toms, renamed, lesson.found.textContent, localStorage.getItem("arbitre.owner.ABCDEF")];
    """
    begins, zoes, toms, renamed, offered, owner = run(ann, LESSON + script)
    offer = "Take over what was written here outside the class: my_bot.py"
    assert begins
    assert zoes == ["zoe's", ["my_bot.py"]]
    assert toms == [True, 0, offer, False]
    assert (renamed, owner) == (zoes, "ABCDEF.Zoe")
    assert offered == offer  # since Zoe has changed it


def test_a_computer_that_forgets_a_card_forgets_whose_files_are_open(ann: Reader) -> None:
    script = """
    tell({ ...hall, door: "Zoe" });
    lesson.pupil.forget();
    return [localStorage.getItem("arbitre.class.ABCDEF"), localStorage.getItem("arbitre.owner.ABCDEF")];
    """
    assert run(ann, LESSON + script) == [None, None]


def test_a_full_browser_drops_the_files_of_who_has_been_away_for_longest(ann: Reader) -> None:
    script = """
    const { Drafts } = await import("/app/studio/drafts.js");
    const long = (name, size = 100_000) => ({ name, text: "x".repeat(size), game: "", changed: 0 });
    const pupils = Array.from({ length: 60 }, (_, number) => new Drafts(`ABCDEF.${number}`));
    for (const [number, drafts] of pupils.entries()) drafts.save({ ...long("my_bot.py"), changed: number });
    const left = pupils.map((drafts) => drafts.load().length);
    return [left.at(-1), left[0], left.indexOf(1) === left.lastIndexOf(0) + 1];
    """
    assert run(ann, FOLDER + script) == [1, 0, True]


def test_two_tabs_of_a_browser_write_one_file_together(ann: Reader) -> None:
    script = """
    const kept = () => JSON.parse(localStorage.getItem("arbitre.studio.drafts"));
    const other = (text) => {
      localStorage.setItem("arbitre.studio.drafts", JSON.stringify([{ ...kept()[0], text }]));
      window.dispatchEvent(new StorageEvent("storage", { key: "arbitre.studio.drafts" }));
      return folder.draft.text;
    };
    folder.change({ text: "first" });
    folder.keep();
    const seen = other("second");
    folder.change({ text: "being written" });
    const held = other("third");
    window.dispatchEvent(new PageTransitionEvent("pagehide"));
    const left = kept()[0].text;
    folder.close();
    return [seen, held, left];
    """
    assert run(ann, FOLDER + script) == ["second", "being written", "being written"]


def test_the_name_of_a_copy_is_a_name_of_a_file(ann: Reader) -> None:
    script = """
    tell({ type: "drafted", file: "../a b.py", at: Date.now() + 1e6, part: 0, parts: 1, text: "theirs" });
    return folder.draft.name;
    """
    assert run(ann, LESSON + script) == "a_b.py"


BOT = """
const { Connection } = await import("/app/connection.js");
Connection.prototype.connect = () => undefined;
const { Bot } = await import("/app/studio/bot.js");
const rest = () => new Promise((resolve) => void setTimeout(resolve, 20));
const asked = [];
const pool = {
  warm() {},
  take() {
    return {
      open: async () => ({ ready: true, marks: [], plays: { morpion: {} } }),
      ask: (question) => new Promise((answer) => void asked.push({ question, answer })),
      end() {},
    };
  },
};
const hooks = { file: () => ({}), marks() {}, said() {}, told() {}, changed() {}, out() {} };
const bot = new Bot(pool, "Zoe", hooks, "");
const said = [];
bot.way.ask = async (type, fields) => {
  said.push([type, fields.move ?? fields.reason]);
  if (bot.paused) throw new Error("paused");
  return {};
};
bot.views.set("m", { status: "playing", seat: 1, moves: [], game: "morpion", clock: { initial_ms: 9000 }, seq: 0 });
const turn = async (ms) => {
  bot.paused = false;
  bot.hear("m", { type: "your_turn", match: "m", ply: 0, legal: ["a1"], clocks: [ms, 9000], deadline_ms: ms });
  await rest();
};
const timeout = { fault: "timeout", marks: [] };
await turn(4000);
bot.paused = true;
"""


def test_what_a_bot_decides_while_its_match_is_paused_is_said_again(ann: Reader) -> None:
    for answer, said in (("{ move: 'a1' }", ["move", "a1"]), ("{ fault: 'crash' }", ["resign", "crash"])):
        script = f"asked[0].answer({{ marks: [], ...{answer} }}); await rest(); await turn(3000); return said;"
        assert run(ann, BOT + script) == [said, said]


def test_a_file_that_is_stopped_while_its_clock_stands_is_asked_anew(ann: Reader) -> None:
    early = "asked[0].answer(timeout); await rest(); await turn(3000);"
    late = "await turn(3000); asked[0].answer(timeout); await rest();"
    for stopped, before in ((early, [["resign", "timeout"]]), (late, [])):
        script = """
        asked[1].answer({ move: "a1", marks: [] });
        await rest();
        return [said, asked.length, asked[1].question.clock.remaining_ms];
        """
        said, count, left_ms = run(ann, BOT + stopped + script)
        assert (said, count) == ([*before, ["move", "a1"]], 2)
        assert 2000 < left_ms <= 3000


GIVES = """
const gives = (at, file = "tp.py", text = "given") => {
  tell({ ...hall, given: { file, at } });
  return () => tell({ type: "source", name: "Zoe", version: 0, file, part: 0, parts: 1, text });
};
const asks = () => asked.filter(({ type, version }) => type === "get_version" && version === 0).length;
const mine = () => Object.fromEntries(folder.drafts.map(({ name, text }) => [name, text]));
"""


def test_who_has_written_nothing_begins_with_what_the_teacher_gives(ann: Reader) -> None:
    script = """
    const come = gives(1);
    tell({ type: "drafted" });
    await rest();
    come();
    return [asks(), folder.draft.name, folder.draft.text];
    """
    assert run(ann, LESSON + GIVES + script) == [1, "tp.py", "given"]
    ann.page.reload()
    script = "gives(1); tell({ type: 'drafted' }); await rest(); return asks();"
    assert run(ann, LESSON + GIVES + script) == 0, "it was opened before"


def test_what_the_teacher_gives_takes_the_place_of_nothing(ann: Reader) -> None:
    script = """
    folder.add({ name: "tp.py", text: "mine", game: "", changed: 1 });
    const come = gives(2);
    tell({ type: "drafted" });
    await rest();
    const before = [asks(), folder.draft.text];
    const open = lesson.given.querySelector("button");
    const isNew = open.classList.contains("primary");
    open.click();
    await rest();
    come();
    tell({ ...hall, given: { file: "tp.py", at: 2 } });
    return [...before, isNew, asks(), lesson.given.querySelector("button").classList.contains("primary"), mine()];
    """
    afresh(ann)
    kept = {"tp.py": "mine", "tp2.py": "given"}
    assert run(ann, LESSON + GIVES + script) == [0, "mine", True, 1, False, kept]


def test_a_notebook_that_the_teacher_gives_becomes_python(ann: Reader) -> None:
    notebook = '{"cells": [{"cell_type": "code", "source": "a = 1"}]}'
    script = f"gives(3, 'tp.ipynb', {notebook!r})(); return [folder.draft.name, folder.draft.text];"
    afresh(ann)
    assert run(ann, LESSON + GIVES + script) == ["tp.py", "# %%\na = 1\n"]
