"""What is drawn anew while somebody presses, reads or selects it, in real browsers."""

from __future__ import annotations

from collections.abc import Callable, Generator
from typing import Any

import pytest
from playwright.sync_api import ElementHandle, Locator, Page, expect

from school.messages import League, Rung, Work
from tests.faults.serving import Serving, serving
from tests.page.browser import HOST, PATIENCE_MS, Room, needs_browser
from tests.page.class_host import SECRET, FakeClass
from tests.page.class_readers import AT, FAULT, pupil, teacher
from tests.page.programs import table

pytestmark = [pytest.mark.slow, needs_browser]

expect.set_options(timeout=PATIENCE_MS)


@pytest.fixture(scope="module")
def server() -> Generator[Serving]:
    with serving("--host-name", HOST, "--organiser", SECRET) as found:
        yield found


def press(control: Locator) -> None:
    """Puts the button of the mouse down on a control, and leaves it there."""
    box = control.bounding_box()
    assert box is not None
    control.page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    control.page.mouse.down()


def is_same(kept: ElementHandle, found: Locator) -> bool:
    """Whether an element still stands where another look finds it."""
    return bool(found.evaluate("(found, kept) => found === kept && kept.isConnected", kept))


def handle(found: Locator) -> ElementHandle:
    element = found.element_handle()
    assert element is not None
    return element


def test_a_press_on_join_is_not_lost_when_another_game_is_opened(room: Room) -> None:
    ann, bob, eve = room.reader(), room.reader(), room.reader()
    wanted = ann.go().create("morpion")
    with bob.page.expect_websocket() as socket:
        bob.go()
    join = bob.page.locator("[data-action=join]")
    eve.go()
    join.wait_for()
    press(join)
    with socket.value.expect_event("framereceived", lambda text: "puissance4" in str(text)):
        eve.create("puissance4")
    assert join.count() == 1, "what arrives waits for the end of the press"
    bob.page.mouse.up()
    bob.page.wait_for_url(f"**{wanted}")


def test_a_press_holds_nothing_up_for_long(room: Room) -> None:
    ann, bob = room.reader(), room.reader()
    ann.go().create("morpion")
    bob.go()
    join = bob.page.locator("[data-action=join]").first
    join.wait_for()
    before = bob.page.locator("[data-action=join]").count()
    press(join)
    room.reader().go().create("puissance4")
    expect(bob.page.locator("[data-action=join]")).to_have_count(before + 1)


def test_a_row_of_the_lobby_keeps_its_focus_and_what_is_selected(room: Room) -> None:
    ann, bob, eve = room.reader(), room.reader(), room.reader()
    where = ann.go().create("morpion").rpartition("/")[2]
    bob.go()
    join = bob.page.locator(f"[data-match='{where}']")
    join.focus()
    row = handle(bob.page.locator(f"li:has([data-match='{where}'])"))
    row.evaluate("row => getSelection().selectAllChildren(row.querySelector('strong'))")
    other = eve.go().create("puissance4").rpartition("/")[2]
    bob.page.wait_for_selector(f"[data-match='{other}']")
    expect(join).to_be_focused()
    assert is_same(row, bob.page.locator(f"li:has([data-match='{where}'])"))
    assert bob.page.evaluate("String(getSelection())") == row.evaluate("row => row.querySelector('strong').textContent")
    ann.leave()  # the row itself changes: the focus stays in it
    bob.page.wait_for_selector(f"li:has([data-match='{where}']):has-text('away')")
    expect(join).to_be_focused()


ORDERS = ["abc", "xabc", "bca", "cba", "ac", "abcx", "axbc", "bac", "", "aab", "xyz", "cab", "abc"]


def test_rows_that_stay_are_the_same_ones_in_any_order(room: Room) -> None:
    found = (
        room.reader()
        .go()
        .page.evaluate(
            """async (orders) => {
          const { h, keep } = await import("/app/dom.js");
          const list = h("ul");
          const draw = (order) => keep(list, ...[...order].map((name) => h("li", name)));
          return orders.map((order) => {
            draw("abc");
            const before = [...list.children];
            draw(order);
            const kept = before.filter((row) => row.parentNode === list && order.includes(row.textContent));
            return [list.textContent, kept.length];
          });
        }""",
            ORDERS,
        )
    )
    assert found == [[order, len(set(order) & set("abc"))] for order in ORDERS]


def test_a_row_that_goes_to_the_end_moves_no_other(room: Room) -> None:
    moved = (
        room.reader()
        .go()
        .page.evaluate(
            """async () => {
          const { h, keep } = await import("/app/dom.js");
          const list = h("ul");
          document.querySelector("main").append(list);
          const draw = (order) => keep(list, ...[...order].map((name) => h("li", h("button", name))));
          draw("abcd");
          list.children[2].firstChild.focus();
          const seen = [];
          const gone = (one) => one.removedNodes.forEach((row) => seen.push(row.textContent));
          new MutationObserver((all) => all.forEach(gone)).observe(list, { childList: true });
          draw("bcda");
          await Promise.resolve();
          return [seen.join(""), document.activeElement.textContent];
        }"""
        )
    )
    assert moved == ["a", "c"]


def show(fake: FakeClass, *rows: tuple[str, int, float, int]) -> str:
    """Tells how the league of a class stands."""
    made = table(*rows, against=[[] for _ in rows])
    said: dict[str, Any] = {"title": "L", "game": "puissance4", "rows": made, "played": 0, "planned": 6}
    told = fake.ask("show", key="r" * 24, state="running", **said)
    return str(told["league"])


def test_what_a_pupil_reads_stays_where_only_something_else_changes(room: Room, fake: FakeClass) -> None:
    number = show(fake, ("Élodie", 1, 1, 1), ("Tom", 2, 0, 1))
    works = (Work(1, "old.py", AT, "fails", 3, 12, FAULT), Work(2, "bot.py", AT, "works", 12, 12))
    tom = pupil(room, fake, "Tom")
    fake.change("Tom", works=works, league=League(1, "bots", "puissance4", "running", id=number))
    rows: list[Callable[[Page], Locator]] = [
        lambda page: page.locator("tr[data-name=Tom]"),
        lambda page: page.locator("li[data-version='1']"),
        lambda page: page.locator("li[data-badge=random]"),
    ]
    kept = [handle(row(tom.page)) for row in rows]
    tom.page.locator("li[data-version='1'] > details > summary").click()
    show(fake, ("Tom", 1, 2, 2), ("Élodie", 2, 1, 2))
    expect(tom.page.locator("tr[data-name=Tom] .points")).to_have_text("2")
    show(fake, ("Tom", 1, 2, 2), ("Zoé", 2, 1, 3), ("Élodie", 3, 1, 2))
    stays = handle(rows[0](tom.page))
    expect(tom.page.locator("tr[data-name=Zoé]")).to_have_count(1)
    assert is_same(stays, rows[0](tom.page))
    ladder = (*fake.halls["Tom"].ladder[:1], Rung("first", "premier coup", "running", 1, 1, 4))
    fake.change("Tom", works=(*works, Work(3, "new.py", AT)), ladder=ladder)
    tom.page.wait_for_selector("li[data-version='3']")
    for before, row in zip(kept[1:], rows[1:], strict=True):
        assert is_same(before, row(tom.page))
    assert tom.page.locator("li[data-version='1'] > details[open]").count() == 1


def test_the_desk_keeps_what_a_teacher_reads_and_has_unfolded(room: Room, fake: FakeClass) -> None:
    prof = teacher(room, fake)
    past = (League(1, "bots", "puissance4", "finished", played=3),)
    fake.change_desk(league=League(2, "bots", "puissance4", "running", played=1, planned=6), past=past)
    page = prof.page
    page.locator("details summary").click()
    row, code = handle(page.locator("tr[data-name=Zoé]")), handle(page.locator(".head .code"))
    fake.change_place("Tom", here=True)
    fake.change_desk(league=League(2, "bots", "puissance4", "running", played=2, planned=6))
    expect(page.locator(".desk")).to_contain_text("2 of 6")
    expect(page.locator("tr[data-name=Tom]")).to_have_class("here")
    assert page.locator("details[open]").count() == 1
    assert is_same(row, page.locator("tr[data-name=Zoé]"))
    assert is_same(code, page.locator(".head .code"))


def test_the_talk_of_a_match_stays_selected(room: Room) -> None:
    ann, bob = room.reader(), room.reader()
    ann.go("/").create("morpion")
    bob.go(ann.page.url.removeprefix(ann.url))
    bob.click("join")
    lines = []
    for reader, text in ((ann, "hello"), (bob, "good luck")):
        reader.page.fill("[name=text]", text)
        reader.click("chat")
        ann.page.wait_for_selector(f".talk li:has-text('{text}')")
        lines.append(handle(ann.page.locator(".talk li").first))
    line = lines[0]
    assert is_same(line, ann.page.locator(".talk li").first)
