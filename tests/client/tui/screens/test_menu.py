"""The menu and what it leads to: each screen by its keys, what it asks of a server, and how it is left."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from typing import Any

import pytest
from textual.widgets import Input

from client.errors import HelloRefused, NoServer
from client.people.seating import Wish
from client.people.settings import Preferences, read, write
from client.people.sitting import Options, Sitting
from client.tui.app import ArbitreApp
from client.tui.screens import home
from client.tui.screens.home import DESTINATIONS, stay_home
from client.tui.screens.join import JoinScreen, Line, Target, read_target
from client.tui.screens.match import MatchScreen
from client.tui.screens.menu import MenuScreen
from client.tui.widgets.choices import CLOCKS, board_options
from client.tui.widgets.forms import Choice, FormScreen
from games import GAMES
from machine.variables import PASSWORD
from protocol.messages import Error
from protocol.timing import parse_clock
from tests.client.tui.stage import seen, shown, until


@pytest.fixture
def wanted(monkeypatch: pytest.MonkeyPatch) -> list[tuple[Options, Any]]:
    """What the menu asked for, of servers that never answer."""
    asked: list[tuple[Options, Any]] = []

    async def ask(_stack: AsyncExitStack, options: Options, wish: Any) -> Sitting:
        asked.append((options, wish))
        raise NoServer("ws://192.0.2.1:8765", "refused")

    monkeypatch.setattr(home, "sit_down", ask)
    monkeypatch.setattr(home, "look_on", ask)
    return asked


def entry(name: str) -> list[str]:
    """The keys that lead through an entry of the menu."""
    return ["down"] * [one.name for one in DESTINATIONS].index(name) + ["enter"]


async def test_the_first_start_asks_the_name_once_and_then_the_menu_greets() -> None:
    write(Preferences())
    async with shown(stay_home, name="") as (app, pilot):
        await until(pilot, lambda: isinstance(app.screen, FormScreen))
        await pilot.press("ctrl+u", *"Zoé", "enter")
        await until(pilot, lambda: isinstance(app.screen, MenuScreen))
        await until(pilot, lambda: "Arbitre: board games, Zoé" in seen(app))
        assert read().name == "Zoé"
        assert "Esc  Quit" in seen(app)
        await pilot.press("escape")


@pytest.mark.parametrize("name", [one.name for one in DESTINATIONS])
async def test_every_screen_names_its_way_out_and_takes_it(name: str) -> None:
    async with shown(stay_home) as (app, pilot):
        await until(pilot, lambda: isinstance(app.screen, MenuScreen))
        await pilot.press(*entry(name))
        await until(pilot, lambda: not isinstance(app.screen, MenuScreen))
        await until(pilot, lambda: "Esc  Back" in seen(app))
        before = seen(app)
        await pilot.press("f1")
        await until(pilot, lambda: seen(app) != before)
        await pilot.press("escape")
        await until(pilot, lambda: isinstance(app.screen, MenuScreen))
        await pilot.press("escape")


async def test_a_bot_is_chosen_by_level_and_what_is_wrong_is_said_in_the_menu(
    wanted: list[tuple[Options, Any]],
) -> None:
    async with shown(stay_home) as (app, pilot):
        await until(pilot, lambda: isinstance(app.screen, MenuScreen))
        await pilot.press(*entry("bot"))
        await until(pilot, lambda: isinstance(app.focused, Choice))
        await pilot.press("7", "down", "down", "right", "down", "down", "right", "down", "left", "enter")
        await until(pilot, lambda: isinstance(app.screen, MenuScreen))
        ((options, wish),) = wanted
        assert (options.against, options.name) == ("human:level=7", "Ada")
        assert wish == Wish(game=list(GAMES)[1], clock=parse_clock(CLOCKS[-1]), seat="first")
        await until(pilot, lambda: "No server answers at ws://192.0.2.1:8765" in seen(app))
        assert app.screen.query_one("#entries").highlighted == 0  # type: ignore[attr-defined]


async def test_a_password_is_asked_for_until_it_is_right(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(PASSWORD, "")
    tried: list[str | None] = []

    async def ask(_stack: AsyncExitStack, _options: Options, _wish: Any) -> Sitting:
        tried.append(os.environ.get(PASSWORD))
        if tried[-1] != "good":
            raise HelloRefused(Error("password_required", "no"))
        raise NoServer("ws://192.0.2.1:8765", "refused")

    monkeypatch.setattr(home, "sit_down", ask)
    async with shown(stay_home) as (app, pilot):
        await until(pilot, lambda: isinstance(app.screen, MenuScreen))
        await pilot.press(*entry("host"))
        await until(pilot, lambda: isinstance(app.focused, Choice))
        await pilot.press("enter")
        for typed, before in (("bad", "This server asks for a password."), ("good", "That is not the password.")):
            await until(pilot, lambda before=before: before in seen(app) and isinstance(app.focused, Input))  # type: ignore[misc]
            await pilot.press(*typed, "enter")
        await until(pilot, lambda: "No server answers" in seen(app))
    assert tried == ["", "bad", "good"]


async def test_boards_follow_the_game(wanted: list[tuple[Options, Any]]) -> None:
    name = list(GAMES)[2]
    async with shown(stay_home) as (app, pilot):
        await until(pilot, lambda: isinstance(app.screen, MenuScreen))
        await pilot.press(*entry("host"))
        await until(pilot, lambda: isinstance(app.focused, Choice))
        await pilot.press("right", "right", "down", "right", "enter")
        await until(pilot, lambda: bool(wanted))
        ((options, wish),) = wanted
        assert wish.game == board_options(name)[1].value
        assert options.host_port is not None
        assert not wish.private


async def test_two_at_one_screen_play_and_come_back_to_the_menu() -> None:
    async with shown(stay_home) as (app, pilot):
        await until(pilot, lambda: isinstance(app.screen, MenuScreen))
        await pilot.press(*entry("together"))
        await until(pilot, lambda: isinstance(app.screen, FormScreen))
        await pilot.press("tab", "tab", "right", "right", "enter")
        await until(pilot, lambda: isinstance(app.screen, MatchScreen))
        for key in ("enter", "left", "enter", "up", "enter"):
            await pilot.press(key)
        await until(pilot, lambda: "Player 2 is to move." in seen(app))
        await pilot.press("f3")
        await until(pilot, lambda: "Do you both agree to a draw?" in seen(app))
        await pilot.press("y")
        await until(pilot, lambda: "Draw by agreement." in seen(app))
        await pilot.press("f2")
        await until(pilot, lambda: "Player 2 is to move." in seen(app))
        await pilot.press("q", "q")
        await until(pilot, lambda: isinstance(app.screen, MenuScreen))


async def test_settings_are_kept_and_shown_at_once() -> None:
    async with shown(stay_home) as (app, pilot):
        await until(pilot, lambda: isinstance(app.screen, MenuScreen))
        await pilot.press(*entry("settings"))
        await until(pilot, lambda: isinstance(app.screen, FormScreen))
        await pilot.press("tab", "right", "tab", "right", "tab", "left", "enter")
        await until(pilot, lambda: isinstance(app.screen, MenuScreen))
        assert read() == Preferences("Ada", "light", hints=False, bell=True)
        assert app.theme == "light"


@pytest.mark.parametrize(
    ("typed", "target"),
    [
        ("192.168.1.7", Target("ws://192.168.1.7:8765")),
        ("192.168.1.7:9000 ABCDEF", Target("ws://192.168.1.7:9000", "ABCDEF")),
        ("abcdef", Target("ws://127.0.0.1:8765", "abcdef")),
        ("arbitre://192.168.1.7:9000/ABCDEF", Target("ws://192.168.1.7:9000", "ABCDEF")),
    ],
)
def test_what_a_host_gives_is_understood(typed: str, target: Target) -> None:
    assert read_target(typed) == target


async def test_joining_by_what_was_typed_and_a_mistake_is_said(wanted: list[tuple[Options, Any]]) -> None:
    async with shown(stay_home) as (app, pilot):
        await until(pilot, lambda: isinstance(app.screen, MenuScreen))
        await pilot.press(*entry("join"))
        await until(pilot, lambda: isinstance(app.screen, JoinScreen))
        await pilot.press(*"http://", "enter")
        await until(pilot, lambda: "an address is a host and a port" in seen(app))
        await pilot.press("ctrl+u", *"192.0.2.9 QWERTY", "enter")
        await until(pilot, lambda: bool(wanted))
        ((options, wish),) = wanted
        assert (options.url, wish.join) == ("ws://192.0.2.9:8765", "QWERTY")


async def test_who_hosts_only_later_is_found_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("client.tui.screens.join.AGAIN_S", 0.01)
    hosts: list[str] = []

    async def found() -> AsyncIterator[Line]:
        for name in hosts:
            yield Line(f"{name} waits", Target(f"ws://{name}:1"))

    chosen: list[Target | None] = []

    async def show(app: ArbitreApp) -> None:
        target = await app.show(JoinScreen(watches=False, finder=found))
        chosen.append(target)

    async with shown(show) as (app, pilot):
        await until(pilot, lambda: "Nobody is found yet." in seen(app))
        hosts.append("ada")
        await until(pilot, lambda: "ada waits" in seen(app))
        await pilot.press("down")
        hosts.insert(0, "zoe")
        await until(pilot, lambda: "zoe waits" in seen(app))
        await pilot.press("enter")
        await until(pilot, lambda: bool(chosen))
    assert chosen == [Target("ws://ada:1")]


async def test_what_is_found_around_us_is_listed_as_it_comes_and_chosen() -> None:
    chosen: list[Target | None] = []

    async def found() -> AsyncIterator[Line]:
        yield Line("ada-laptop (192.0.2.7, 3 ms)", None)
        yield Line("  [b]morpion: Ada waits", Target("ws://192.0.2.7:8765", "m1"))

    async def show(app: ArbitreApp) -> None:
        target = await app.show(JoinScreen(watches=False, finder=found))
        chosen.append(target)

    async with shown(show) as (app, pilot):
        await until(pilot, lambda: "Found on your network:" in seen(app))
        assert "[b]morpion: Ada waits" in seen(app)
        await pilot.press("down", "enter")
        await until(pilot, lambda: bool(chosen))
    assert chosen == [Target("ws://192.0.2.7:8765", "m1")]


def test_a_game_with_one_option_is_offered_on_all_its_boards() -> None:
    assert [option.value for option in board_options("breakthrough")] == [
        "breakthrough", *(f"breakthrough:size={size}" for size in (4, 5, 7, 8)),
    ]  # fmt: skip
    assert [option.value for option in board_options("puissance4")][:2] == [
        "puissance4", "puissance4:width=5,height=4,k=3",
    ]  # fmt: skip
