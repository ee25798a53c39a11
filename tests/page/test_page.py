"""The page in a real browser: whole games by clicks, keys and touch, watching, links, accidents, both languages."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Generator

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Route

from games import GAMES, parse
from page import catalogue
from tests.faults.serving import Serving, serving
from tests.page.browser import HOST, Reader, Room, alternating, needs_browser
from tests.page.programs import Program

pytestmark = [pytest.mark.slow, needs_browser]

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
HOSTILE = "<img src=x onerror=alert(1)>"


@pytest.fixture
def server() -> Generator[Serving]:
    with serving("--host-name", HOST) as found:
        yield found


def a_game(spec: str, seed: int) -> list[str]:
    """The moves of a random game."""
    position, moves, chance = parse(spec).start(), list[str](), random.Random(seed)
    while legal := position.legal_moves():
        moves.append(chance.choice(legal))
        position = position.play(moves[-1])
    return moves


@pytest.mark.parametrize("game", GAMES)
def test_two_play_a_whole_game_and_a_third_watches(room: Room, game: str) -> None:
    ann, bob, eve = room.reader(), room.reader(**PHONE), room.reader()
    where = ann.go().create(game)
    bob.go().click("join")
    eve.go(where)
    moves = min((a_game(game, seed) for seed in range(20)), key=len)
    position = parse(game).start()
    for ply, move in enumerate(moves, 1):
        mover = ann if position.to_move == 1 else bob
        mover.move(move)
        position = position.play(move)
        for reader in (ann, bob, eve):
            reader.see_ply(ply)
    outcome = position.outcome()
    assert outcome is not None
    for reader in (ann, bob, eve):
        reader.page.wait_for_selector("[data-action=replay]")
        assert ("Draw" in reader.status) == (outcome.winner is None)
        holds = reader.page.locator(".cell").evaluate_all("cells => cells.map(cell => cell.dataset.holds).join('')")
        assert holds == position.notation.split(" ")[0]
        assert reader.page.locator(".cell.won").count() == len(outcome.cells)


def test_a_game_by_keys_alone(room: Room) -> None:
    ann, bob = room.reader(), room.reader()
    ann.go().create("morpion")
    bob.go().click("join")
    for mover, steps in zip(alternating(ann, bob), ("", "R", "D", "DR", "DD"), strict=False):
        page = mover.page
        page.wait_for_selector(".cell[aria-disabled=false]")
        page.focus(".cell[data-square=a1]")
        for step in steps:
            page.keyboard.press({"R": "ArrowRight", "D": "ArrowDown"}[step])
        page.keyboard.press("Enter")
    for reader in (ann, bob):
        reader.page.wait_for_selector("[data-action=rematch]")
        assert f"{ann.name} wins: 3 in a line." in reader.status


def test_each_move_is_announced(room: Room) -> None:
    ann, bob = room.reader(), room.reader(locale="fr-FR")
    ann.go().create("puissance4")
    bob.go().click("join")
    ann.move("4")
    bob.page.wait_for_selector(".cell[aria-disabled=false]")
    assert bob.status == f"{ann.name}\u00a0: 4. À vous de jouer."
    assert bob.page.get_attribute("html", "lang") == "fr"
    bob.page.fill("[name=move]", "4")
    bob.click("play-typed")
    ann.page.wait_for_selector(".cell[aria-disabled=false]")
    assert ann.status == f"{bob.name}: 4. Your turn."
    ann.page.fill("[name=move]", "9")
    ann.click("play-typed")
    ann.page.wait_for_selector(".detail:not(:empty)")
    assert ann.page.inner_text(".detail") == "That is off the board."
    ann.page.fill("[name=move]", "zz")
    ann.click("play-typed")
    ann.page.wait_for_selector(".detail:has-text('write one as 1.')")


def test_a_game_says_in_its_own_words_why_a_move_is_refused(room: Room) -> None:
    ann, bob = room.reader(), room.reader(locale="fr-FR")
    ann.go().create("othello")
    bob.go().click("join")
    ann.page.wait_for_selector(".cell[aria-disabled=false]")
    ann.page.fill("[name=move]", "a1")
    ann.click("play-typed")
    ann.page.wait_for_selector(".detail:not(:empty)")
    assert ann.page.inner_text(".detail") == "a1 would turn over no disc: every move must turn over at least one."
    ann.move("d3")
    bob.page.wait_for_selector(".cell[aria-disabled=false]")
    bob.page.fill("[name=move]", "h8")
    bob.click("play-typed")
    bob.page.wait_for_selector(".detail:not(:empty)")
    said = bob.page.inner_text(".detail")
    assert said == "h8 ne retournerait aucun pion\u00a0: chaque coup doit en retourner au moins un."


def test_who_joins_by_a_link_sits_before_their_own_pieces(room: Room) -> None:
    ann, bob = room.reader(), room.reader()
    bob.go(ann.go().create("breakthrough"))
    bob.click("join")
    ann.move("a2a3")
    bob.page.wait_for_selector(".cell[aria-disabled=false]")
    own, other = (bob.page.locator(f"[data-square={square}]").bounding_box() for square in ("a6", "a1"))
    assert own is not None
    assert other is not None
    assert own["y"] > other["y"]
    bob.page.keyboard.press("f")
    turned = bob.page.locator("[data-square=a6]").bounding_box()
    assert turned is not None
    assert turned["y"] == other["y"]


def test_one_s_own_games_come_first_in_the_lobby(room: Room) -> None:
    ann, bob, eve = room.reader(), room.reader(), room.reader()
    mine = ann.go().create("morpion").rpartition("/")[2]
    bob.go().create("morpion")
    eve.go().create("morpion")
    ann.go()
    ann.page.wait_for_function("document.querySelectorAll('[data-match]').length >= 3")
    first = ann.page.locator("[data-match]").first
    assert (first.get_attribute("data-match"), first.get_attribute("data-action")) == (mine, "back")
    name = eve.name
    eve.leave()
    ann.page.wait_for_selector(f".list li:last-child:has-text('{name} (away)')")


@pytest.mark.parametrize("view", ["review", "replay", "explore"])
def test_a_game_from_a_link_that_breaks_the_rules_is_told_in_its_own_words(room: Room, view: str) -> None:
    ann = room.reader().go(f"/{view}/othello?moves=f5a1")
    ann.page.get_by_text("a1 would turn over no disc").first.wait_for()


def test_a_refusal_that_nobody_knows_is_a_plain_one(room: Room) -> None:
    ann = room.reader().go()
    said = ann.page.evaluate(
        """async () => {
          const { refusalText, speaker } = await import("/app/texts.js");
          const { refusedMove } = await import("/app/players.js");
          const error = (why) => ({ code: "illegal_move", data: { why } });
          const about = { refusals: {}, options: [] };
          return ["of_tomorrow", "constructor", "occupied"].map((why) =>
            refusedMove(error(why), "othello", ["a1"], about, "en") || refusalText(error(why), speaker("en")));
        }"""
    )
    assert said == ["The rules don’t allow that.", "The rules don’t allow that.", "That square is taken."]


def test_a_private_link_leads_to_the_game_and_later_to_a_sentence(room: Room) -> None:
    ann, bob, eve = room.reader(), room.reader(), room.reader()
    ann.go().create("morpion", private=True)
    link = ann.page.input_value(".share input").removeprefix(ann.url)
    assert re.fullmatch(r"/j/[\w-]{22}", link)
    bob.go(link)
    bob.page.wait_for_selector(".board .cell")
    assert link not in bob.page.url
    ann.page.wait_for_selector(".cell[aria-disabled=false]")
    eve.go(link)
    eve.page.wait_for_selector(".board .cell")  # both seats are taken: they watch
    assert eve.page.locator(".cell[aria-disabled=false]").count() == 0
    ann.page.go_back()
    ann.page.wait_for_selector(".create")
    ann.page.go_forward()
    ann.page.wait_for_selector(".cell[aria-disabled=false]")
    eve.go("/j/" + "x" * 22)
    eve.page.wait_for_selector(".status:has-text('nowhere')")


def test_an_open_game_is_joined_from_its_own_address(room: Room) -> None:
    ann, bob = room.reader(), room.reader()
    where = ann.go().create("morpion")
    assert ann.page.input_value(".share input") == ann.url + where
    bob.go(where).click("join")
    ann.move("b2")
    bob.move("a1")


def test_the_address_in_a_qr_code_is_in_capitals(room: Room) -> None:
    ann, bob, cleo, dan = (room.reader() for _ in range(4))
    bob.go(ann.go().create("morpion").upper()).click("join")
    ann.move("b2")
    cleo.go().create("morpion", private=True)
    dan.go(f"/J/{cleo.page.inner_text('.share .code')}")
    dan.page.wait_for_selector(".board .cell")
    cleo.page.wait_for_selector(".cell[aria-disabled=false]")


def test_offers_takebacks_resignation_and_rematch(room: Room) -> None:
    ann, bob = room.reader(), room.reader()
    ann.go().create("othello", clock="5+3")
    bob.go().click("join")
    for mover, move in zip(alternating(ann, bob), ("d3", "c3", "c4"), strict=False):
        mover.move(move)
    bob.page.wait_for_selector(".cell[aria-disabled=false]")
    bob.click("takeback")
    bob.click("cancel")
    bob.click("takeback")
    bob.click("confirm-takeback")
    ann.click("accept")
    bob.page.wait_for_selector(".moves li:nth-child(2)", state="detached")
    bob.move("c3")
    ann.click("offer-draw")
    ann.page.wait_for_selector(".sure:has-text('Offer a draw?')")
    assert bob.page.locator("[data-action=accept]").count() == 0
    ann.click("confirm-draw")
    told = bob.page.locator(".detail.offered[role=alert]")
    told.filter(has_text=f"{ann.name} offers a draw.").wait_for()
    assert told.evaluate("told => getComputedStyle(told).opacity") == "0", "the offer itself is in sight"
    bob.page.set_viewport_size({"width": 360, "height": 640})
    bob.page.evaluate("scrollTo(0, 0)")
    assert told.evaluate("told => getComputedStyle(told).opacity") == "1"
    assert told.evaluate("told => told.getBoundingClientRect().bottom <= innerHeight"), "without scrolling"
    bob.click("decline")
    told.wait_for(state="detached")
    ann.page.wait_for_selector(".detail:has-text('refuses a draw')")
    ann.page.wait_for_selector("[data-action=withdraw]", state="detached")
    ann.click("resign")
    ann.click("cancel")
    ann.click("resign")
    ann.click("confirm-resign")
    bob.page.wait_for_selector("[data-action=rematch]")
    assert bob.status == f"{bob.name} wins: {ann.name} resigned."
    before = ann.page.url
    ann.click("rematch")
    bob.click("accept")
    for reader in (ann, bob):
        reader.page.wait_for_url(lambda url: url != before)
        reader.page.wait_for_selector("[data-action=abort]")


def test_no_view_is_a_dead_end(room: Room) -> None:
    ann = room.reader().go("/m/zzzzzzzz")
    ann.page.wait_for_selector(".card:has-text('There is no such game')")
    assert ann.page.locator("main input").count() == 0, "nothing to type into a match that is not there"
    for path in ("/m/zzzzzzzz", "/exercises"):
        ann.go(path).click("leave")
        ann.page.wait_for_selector(".lobby")
    ann.click("exercises")
    ann.page.wait_for_selector(".status:has-text('None yet')")


def test_on_a_phone_who_waits_stands_above_the_form(room: Room) -> None:
    ann = room.reader()
    bob = room.reader(viewport={"width": 390, "height": 844}).go()
    ann.go().create("morpion")
    bob.page.wait_for_selector(".first [data-action=join]")
    form, waits = (bob.page.locator(each).bounding_box() for each in (".lobby .create", ".lobby .first"))
    assert form is not None
    assert waits is not None
    assert waits["y"] < form["y"]


def test_time_is_given_and_its_clock_rises_at_once(room: Room) -> None:
    ann, bob = room.reader(), room.reader(locale="fr-FR", **PHONE)
    where = ann.go().create("morpion", clock="5+3")
    bob.go().click("join")
    eve = room.reader().go(where)
    ann.move("b2")
    bob.page.wait_for_selector(".cell[aria-disabled=false]")
    assert bob.page.get_attribute("[data-action=give-time]", "aria-label") == "+15 s pour votre adversaire"
    for giver, given in ((ann, 2), (bob, 1)):
        for _ in range(5):
            giver.click("give-time")
        for reader in (ann, bob, eve):
            reader.page.wait_for_selector(f".clock[data-seat='{given}']:has-text('6:')")
    assert bob.page.locator(f"text={ann.name} vous donne 15 s de plus.").count() == 1
    assert not eve.page.locator("[data-action=give-time]").count()


def test_a_server_that_dies_and_comes_back_loses_nothing(browser: Browser, tmp_path: object) -> None:
    keeping = ("--host-name", HOST, "--db", f"{tmp_path}/games.db")
    with serving(*keeping) as first:
        room = Room(browser, first.port)
        ann, bob = room.reader(), room.reader()
        ann.go().create("puissance4")
        bob.go().click("join")
        ann.move("4")
        bob.move("4")
        ann.see_ply(2)
        first.child.kill()
        for reader in (ann, bob):
            reader.page.wait_for_selector(".banner .wait")
    with room, serving(*keeping, "--port", str(first.port)):
        ann.page.wait_for_selector("#banner[hidden]", state="attached")
        ann.move("4")
        bob.page.wait_for_selector("#banner[hidden]", state="attached")
        bob.see_ply(3)
        bob.move("1")
        ann.see_ply(4)


def test_a_reload_comes_back_to_the_seat_and_the_newest_tab_plays(room: Room) -> None:
    ann, bob = room.reader(), room.reader()
    where = ann.go().create("morpion")
    bob.go().click("join")
    ann.page.reload()
    ann.move("b2")
    older, ann.page = ann.page, ann.open()
    ann.go(where)
    older.wait_for_selector("[data-action=play-here]")
    bob.move("a1")
    ann.move("c1")
    older.click("[data-action=play-here]")
    older.wait_for_selector(".moves li:nth-child(3)")
    ann.page.wait_for_selector("[data-action=play-here]")


def test_what_others_write_is_never_markup(room: Room) -> None:
    ann, bob = room.reader(), room.reader()
    ann.go().create("morpion")
    bob.go().click("join")
    ann.page.wait_for_selector(".cell[aria-disabled=false]")
    ann.page.fill("[name=text]", HOSTILE)
    ann.click("chat")
    bob.page.wait_for_selector(".talk li")
    assert HOSTILE in bob.page.inner_text(".talk")
    assert bob.page.locator(".talk img").count() == 0
    bob.go("/m/%3Cimg%20src%3Dx%3E")
    bob.page.wait_for_selector(".status:has-text('no such game')")
    bob.go("/replay/othello?moves=" + "zz")
    bob.page.wait_for_selector(".status:has-text('1. ')")
    bob.go("/replay/nothing")
    bob.page.wait_for_selector(".status:has-text('nothing at this address')")


def test_a_replay_walks_from_an_address(room: Room) -> None:
    ann = room.reader().go("/replay/puissance4?moves=4453#2")
    ann.page.wait_for_selector(".cell[data-holds=X]")
    assert ann.status == "Move 2 of 4"
    assert ann.page.locator(".cell[data-holds=X]").count() == 1
    ann.click("next")
    assert ann.page.locator(".cell[data-holds=X]").count() == 2
    ann.page.keyboard.press("End")
    assert ann.status == "Move 4 of 4"
    assert ann.page.url.endswith("/replay/puissance4?moves=4453#4")
    ann.go("/replay/breakthrough?moves=b2b3e5e4")  # from where to where, twice
    ann.page.wait_for_selector(".cell[data-square=e4][data-holds=O]")
    assert ann.page.locator(".moves li").all_inner_texts() == ["b2b3", "e5e4"]


@pytest.mark.parametrize(
    ("language", "colours"),
    [
        ("en", "light"),
        ("fr", "dark"),  # colours know nothing of languages
        pytest.param("en", "dark", marks=pytest.mark.thorough),
        pytest.param("fr", "light", marks=pytest.mark.thorough),
    ],
)
def test_every_view_is_accessible(room: Room, language: str, colours: str) -> None:
    ann, bob = room.reader(color_scheme=colours), room.reader(color_scheme=colours, **PHONE)
    where = ann.go(f"/?lang={language}").create("othello", clock="5+3")
    bob.go("/?lang=fr")
    views: list[tuple[Reader, str | None]] = [(bob, None)]
    bob.click("join")
    ann.move("d3")
    views += [(ann, None), (bob, where), (ann, "/"), (ann, "/replay/breakthrough?moves=a2a3"), (ann, "/j/nowhere")]
    for reader, path in views:
        if path is not None:
            reader.go(path)
        reader.page.wait_for_selector("#view :is(.board .cell, .create, .card)")
        found = Axe().run(reader.page, options={"runOnly": ["wcag2a", "wcag2aa"]})
        assert [(one["id"], one["nodes"][0]["html"][:200]) for one in found.response["violations"]] == []


@pytest.mark.parametrize(("language", "line"), [("en", "Delayed by 2 s"), ("fr", "Avec 2 s de retard")])
def test_a_spectator_reads_how_late_it_is(browser: Browser, language: str, line: str) -> None:
    with serving("--host-name", HOST, "--delay", "2s") as found, Room(browser, found.port) as room:
        ada, bob = room.reader(), room.reader()
        ada.go()
        path = ada.create("morpion")
        bob.go(path)
        bob.click("join")
        ada.move("a1")
        bob.see_ply(1)
        assert bob.page.get_by_text("Delayed").count() == 0
        watcher = room.reader(locale=language)
        watcher.go(path)
        watcher.page.get_by_text(line).wait_for()
        watcher.see_ply(1)
        assert not room.complaints()


@pytest.mark.parametrize("language", ["en", "fr"])
def test_a_piece_that_is_not_the_usual_one_is_drawn_and_named(room: Room, language: str) -> None:
    """A game's own file describes it; here the second seat's discs of Othello are given out as kings."""
    ann = room.reader(locale=language)

    def described(route: Route) -> None:
        games = json.loads(catalogue.described())
        king = {"seat": 2, "glyph": "♕", "name": {"en": "king", "fr": "dame"}}
        games["othello"] |= {"pieces": {"O": king}, "colours": [*games["othello"]["colours"][:4], "#123456"]}
        route.fulfill(json=games)

    ann.page.route("**/app/games.json", described)
    ann.go("/replay/othello?moves=f5#1")
    d4 = ann.page.locator("[data-square=d4]")
    assert d4.locator(".letter").text_content() == "♕"
    assert (
        d4.get_attribute("aria-label") == {"en": "d4, king, second player", "fr": "d4, dame, second joueur"}[language]
    )
    assert ann.page.locator("[data-square=f5] .letter").count() == 0
    assert ann.page.locator(".board > path[fill='#123456']").count() == 1


def test_a_refused_invitation_is_told_as_refused(room: Room) -> None:
    ann, bob = room.reader().go(), room.reader(locale="fr-FR").go()
    with Program(room.port, "organiser", "human") as host:
        match = host.ask("create", game="morpion", play=False, invite=[ann.name, bob.name], seat="first")["match"]
        ann.page.wait_for_selector("[data-action=accept-invitation]")
        ann.click("accept-invitation")
        ann.page.wait_for_url(f"**/m/{match}")
        bob.click("decline-invitation")
        ann.page.wait_for_selector("[role=status]:text-matches('The invitation was refused: no game')")
