"""What readers are used to, in a real browser: colours that are forced, warnings, a finger, sleep, both languages."""

from __future__ import annotations

import re
from collections.abc import Generator

import pytest
from playwright.sync_api import expect

from tests.faults.serving import Serving, serving
from tests.page.browser import HOST, Reader, Room, alternating, needs_browser

pytestmark = [pytest.mark.slow, needs_browser, pytest.mark.timeout(240)]

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}

VIEWS = (
    "/", "/local/othello", "/explore/breakthrough", "/replay/puissance4?moves=4453", "/review/morpion?moves=b2+a1",
    "/exercises", "/watch", "/wall", "/l/aaaaaaaaaaaa", "/j/nowhere", "/m/nowhere", "/m/x#seat=abcdefghijklmnopqrstuv",
)  # fmt: skip
"""An address of each view."""


@pytest.fixture(scope="module")
def server() -> Generator[Serving]:
    with serving("--host-name", HOST, "--house-bots", "random", "--review") as found:
        yield found


def pair(room: Room, game: str, *, clock: str = "none", still: bool = False) -> tuple[Reader, Reader]:
    """Two who have begun to play; still: the time of the first is the test's."""
    ann, bob = room.reader(), room.reader()
    if still:
        ann.page.clock.install()
    where = ann.go().create(game, clock=clock)
    bob.go(where).click("join")
    ann.page.wait_for_selector(".cell[aria-disabled=false]")
    return ann, bob


def test_forced_colours_leave_the_discs_and_mark_what_is_chosen(room: Room) -> None:
    ann = room.reader(forced_colors="active").go()
    assert ann.page.evaluate("matchMedia('(forced-colors: active)').matches")
    outline = "chip => getComputedStyle(chip).outlineStyle"
    assert ann.page.eval_on_selector(".chip input:checked + span", outline) == "solid"
    assert ann.page.eval_on_selector(".chip input:not(:checked) + span", outline) == "none"
    ann.go("/replay/puissance4?moves=4453")
    ann.page.wait_for_selector(".disc")
    fills = ann.page.eval_on_selector_all(".disc", "discs => discs.map(disc => getComputedStyle(disc).fill)")
    assert len(set(fills)) == 2


def test_a_clock_warns_once_and_again_only_after_it_has_recovered(room: Room) -> None:
    ann, bob = pair(room, "morpion", clock="5+3", still=True)
    page = ann.page
    page.evaluate(
        "() => { window.heard = []; const speech = document.getElementById('speech');"
        " new MutationObserver(() => heard.push(speech.textContent)).observe(speech, {childList: true}); }"
    )
    warnings = "heard.filter(text => text.startsWith('Little time')).length"

    def passes(seconds: int) -> int:
        """Time passes for this browser alone; how often it has warned."""
        page.clock.run_for(1000 * seconds)
        return int(page.evaluate(warnings))

    assert passes(200) == 0
    page.clock.run_for(70_000)
    page.wait_for_function(f"{warnings} === 1")
    assert page.locator(".clock.low").count() == 1
    assert passes(5) == 1
    bob.click("give-time")  # with the event comes what the server knows: five minutes are left
    page.wait_for_selector(".clock.low", state="detached")
    assert passes(1) == 1
    assert passes(290) == 2


def test_a_finger_drags_a_piece_and_a_column(room: Room) -> None:
    for game, start, end, holds in (("breakthrough", "a2", "b3", "b3"), ("puissance4", "a6", "d5", "d1")):
        ann = room.reader(**PHONE).go(f"/local/{game}")
        ann.page.wait_for_selector(".cell[aria-disabled=false]")
        places = []
        for square in (start, end):
            box = ann.page.locator(f".cell[data-square={square}]").bounding_box()
            assert box is not None
            places.append((box["x"] + box["width"] / 2, box["y"] + box["height"] / 2))
        (x, y), (to_x, to_y) = places
        finger = ann.page.context.new_cdp_session(ann.page)
        finger.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]})
        for part in (0.25, 0.5, 0.75, 1):
            point = {"x": x + (to_x - x) * part, "y": y + (to_y - y) * part}
            finger.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": [point]})
        finger.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
        ann.page.wait_for_selector(f".cell[data-square={holds}][data-holds=X]")
        assert ann.page.locator(".moves li").count() == 1


def test_a_phone_that_slept_finds_its_game_again(room: Room) -> None:
    ann, bob = pair(room, "morpion", still=True)
    page = ann.page
    # The connection is dead, which nobody has told the browser; then the page comes out of its cache.
    page.evaluate("() => { window.dead = WebSocket.prototype.send; WebSocket.prototype.send = () => undefined; }")
    page.evaluate("window.dispatchEvent(new PageTransitionEvent('pageshow', {persisted: true}))")
    page.evaluate("() => { WebSocket.prototype.send = window.dead; }")
    with page.expect_websocket():
        page.clock.run_for(5000)
    page.wait_for_selector("#banner[hidden]", state="attached")
    ann.move("b2")
    bob.see_ply(1)


def test_after_a_lost_connection_the_clocks_are_the_server_s(room: Room) -> None:
    ann, bob = room.reader(), room.reader()
    for reader in (ann, bob):
        reader.page.clock.install()
    bob.go(ann.go().create("morpion", clock="5+3")).click("join")
    ann.move("b2")
    bob.see_ply(1)
    for reader in (bob, ann):  # who is to move, and who waits
        page = reader.page
        page.clock.run_for(60_000)  # in this browser alone
        expect(page.locator(".clock[data-seat='2']")).to_contain_text("3:5")
        page.evaluate("() => { window.dead = WebSocket.prototype.send; WebSocket.prototype.send = () => undefined; }")
        page.evaluate("window.dispatchEvent(new PageTransitionEvent('pageshow', {persisted: true}))")
        page.evaluate("() => { WebSocket.prototype.send = window.dead; }")
        with page.expect_websocket():
            page.clock.run_for(5000)
        expect(page.locator(".clock[data-seat='2']")).to_contain_text("4:5")


def test_a_move_that_a_frozen_network_swallows_is_played_when_it_is_back(room: Room) -> None:
    ann, bob = pair(room, "morpion")
    page = ann.page
    page.clock.install()
    page.evaluate("() => { window.frozen = WebSocket.prototype.send; WebSocket.prototype.send = () => undefined; }")
    page.locator(".cell[data-move='b2']").first.click()
    page.evaluate("() => { WebSocket.prototype.send = window.frozen; }")
    with page.expect_websocket():
        page.clock.run_for(6000)  # within which the page notices it
    page.clock.resume()
    bob.see_ply(1)
    bob.move("a1")
    ann.see_ply(2)
    assert page.inner_text(".detail") == ""
    page.clock.install()
    page.evaluate("() => { WebSocket.prototype.send = () => undefined; }")
    page.fill("[name=text]", "Well played")
    ann.click("chat")
    page.evaluate("() => { WebSocket.prototype.send = window.frozen; }")
    with page.expect_websocket():
        page.clock.run_for(6000)
    page.clock.resume()
    page.wait_for_selector(".detail:has-text('The connection was lost before that arrived: try again.')")


def test_who_goes_to_another_site_and_back_has_lost_nothing(room: Room) -> None:
    ann, bob = pair(room, "morpion")
    ann.move("b2")
    bob.move("a1")
    ann.see_ply(2)
    ann.page.goto("about:blank")
    ann.page.go_back()
    ann.see_ply(2)
    ann.move("c1")
    bob.see_ply(3)


def test_each_view_speaks_both_languages(room: Room) -> None:
    said = dict[str, list[str]]()
    for language in ("en", "fr"):
        ann = room.reader()
        for view in VIEWS:
            path, hash_, end = view.partition("#")
            ann.page.goto(f"{ann.url}{path}{'&' if '?' in path else '?'}lang={language}{hash_}{end}")
            ann.page.wait_for_selector("#view :is(.board .cell, .lobby, [role=status]:not(:has-text('...')))")
            assert ann.page.get_attribute("html", "lang") == language
            texts = ann.page.locator("#view :is(h1, h2, button[data-action], [role=status], legend)").all_inner_texts()
            said[f"{language} {view}"] = texts
    names = re.compile("Othello|Puissance|Morpion|Breakthrough|Elo|Animation|Points|Arbitre|Guest|Anonyme")
    for view in VIEWS:
        both = set(said[f"en {view}"]) & set(said[f"fr {view}"])
        assert not {text for text in both if re.search("[A-Za-z]{4}", text) and not names.match(text)}, view


def test_an_unknown_address_says_so_and_leads_back(room: Room) -> None:
    ann = room.reader(locale="fr-FR")
    answer = ann.page.goto(f"{ann.url}/nothing/here")
    assert answer is not None
    assert answer.status == 404
    ann.page.wait_for_selector(".status:has-text('Il n’y a rien à cette adresse.')")
    ann.click("home")
    ann.page.wait_for_selector(".lobby")
    assert ann.page.url == f"{ann.url}/"
    ann.wrong[:] = [text for text in ann.wrong if "404" not in text]  # which the browser says of any such page


def test_a_refused_review_is_asked_for_again(room: Room) -> None:
    ann, bob, eve = room.reader(), room.reader(), room.reader()
    ann.go().create("morpion")
    bob.go().click("join")
    moves = ("b2", "a2", "a1", "c3", "b1")
    for ply, (mover, move) in enumerate(zip(alternating(ann, bob), moves, strict=False), 1):
        mover.move(move)
        mover.see_ply(ply)
    eve.go("/review/morpion?moves=" + "%20".join(moves))
    eve.page.wait_for_selector(".status:has-text('may be playing this')")
    eve.click("previous")
    assert eve.page.locator("progress").is_hidden()
    bob.click("resign")
    bob.click("confirm-resign")
    bob.page.wait_for_selector("[data-action=rematch]")
    eve.click("again")
    eve.page.wait_for_selector(".status:has-text('The review is complete.')", timeout=90_000)
    assert eve.page.locator("[data-action=again]").is_hidden()


def test_time_is_given_twenty_times_and_then_no_more(room: Room) -> None:
    ann, bob = pair(room, "morpion", clock="5+3")
    give = ann.page.locator("[data-action=give-time]")
    for count in range(20):
        minutes, seconds = divmod(300 + 15 * (count + 1), 60)
        give.click()
        bob.page.wait_for_function(
            "least => { const [m, s] = document.querySelector(\".clock[data-seat='2']\").textContent.split(':');"
            " return 60 * m + +s >= least; }",
            arg=60 * minutes + seconds - 1,
        )
    ann.page.wait_for_selector("[data-action=give-time]:disabled")
    ann.page.reload()  # the new page finds out when it is refused
    give.click()
    ann.page.wait_for_selector("[data-action=give-time]:disabled")
    assert ann.page.inner_text(".detail") == "That is not possible in this game."


def test_a_bot_of_the_house_gives_a_rematch_and_plays_on_from_any_position(room: Room) -> None:
    ann = room.reader().go()
    ann.page.wait_for_selector("[data-action=play-house]:visible")
    ann.page.select_option("select[name=game]", "morpion")
    ann.page.check("[name=seat][value=first]", force=True)
    ann.page.check("[name=clock][value=none]", force=True)
    ann.click("play-house")
    for ply in (0, 2):
        ann.page.wait_for_selector(".cell[aria-disabled=false]")
        ann.page.locator(".cell[data-move]").first.click()
        ann.see_ply(ply + 1)
    ann.page.wait_for_selector(".cell[aria-disabled=false]")
    ann.click("resign")
    ann.click("confirm-resign")
    before = ann.page.url
    ann.click("rematch")
    ann.page.wait_for_url(lambda url: url != before)
    ann.page.wait_for_selector(".cell[aria-disabled=false]")
    ann.click("abort")
    ann.page.goto(before)
    ann.page.wait_for_selector(".moves li >> nth=3")
    ann.click("previous")
    ann.click("play-from")
    ann.page.locator('.challenge input[value="random"] + span').click()
    ann.page.click(".challenge [data-action=play-house]")
    ann.page.wait_for_url(lambda url: url != before and "/m/" in url)
    ann.page.wait_for_selector(".cell[aria-disabled=false]")
    assert ann.page.locator(".moves li").count() >= 3
