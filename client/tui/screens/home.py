"""What the menu leads to: each entry asks what it has to know, finds or starts a server, and shows the match."""

from __future__ import annotations

import os
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from dataclasses import dataclass
from typing import Any, TypeVar

from client import address, explanations
from client.errors import ClientError, HelloRefused
from client.people.seating import Wish
from client.people.settings import THEMES, proper_name
from client.people.sitting import Options, Sitting, account_name, look_on, sit_down, spectate
from client.tui.app import ArbitreApp
from client.tui.screens.around import games_to_join, games_to_watch
from client.tui.screens.join import JoinScreen
from client.tui.screens.menu import MenuEntry, MenuScreen
from client.tui.screens.waiting import patiently
from client.tui.widgets import choices
from client.tui.widgets.forms import FormScreen, Option, Row
from games import parse
from locales import N_, _
from machine.variables import PASSWORD
from processes.child import ChildError
from protocol.errors import ErrorCode

T = TypeVar("T")

Seated = Callable[[AsyncExitStack], Awaitable[Sitting | None]]
"""Finds a match, None if the reader would rather not; what it starts for that lasts as long as the stack."""


@dataclass(frozen=True, slots=True)
class Destination:
    """What an entry of the menu leads to. enter: does it, and returns what to tell in the menu then, or ""."""

    name: str
    label: str
    meaning: str
    enter: Callable[[ArbitreApp], Awaitable[str]]


async def stay_home(app: ArbitreApp) -> str:
    """Shows the menu and what it leads to until the reader leaves."""
    if not app.preferences.name:
        await _ask_name(app)
    notice, chosen = "", ""
    while True:
        entries = [MenuEntry(one.name, _(one.label), _(one.meaning)) for one in DESTINATIONS]
        found = await app.show(MenuScreen(app.preferences.name, entries, notice=notice, chosen=chosen))
        destination = next((one for one in DESTINATIONS if one.name == found), None)
        if destination is None:
            return ""
        notice, chosen = await destination.enter(app), destination.name


async def play_on(app: ArbitreApp, seated: Seated) -> str:
    """Finds a match and shows it until the reader leaves; what to tell them then, or why there is none."""
    from client.tui.screens.sitting import sit

    return await _enter(app, seated, lambda sitting: sit(app, sitting))


async def _enter(
    app: ArbitreApp, arrive: Callable[[AsyncExitStack], Awaitable[T | None]], show: Callable[[T], Awaitable[str]]
) -> str:
    """Shows what `arrive` finds, and keeps it open meanwhile; returns what to tell then, or what went wrong.

    A server that asks for a password is given the one that the reader types.
    """
    text = _("One moment ...")
    while True:
        async with AsyncExitStack() as stack:
            try:
                there = await patiently(app, text, arrive(stack))
                return "" if there is None else await show(there)
            except HelloRefused as refused:
                if refused.code != ErrorCode.PASSWORD_REQUIRED.value or not await _ask_password(app):
                    return explanations.explain(refused)
            except (ClientError, ChildError) as error:
                return explanations.explain(error) if isinstance(error, ClientError) else str(error)


async def _ask(app: ArbitreApp, title: str, rows: list[Row], begin: str, trouble: str = "") -> dict[str, Any] | None:
    return await app.show(FormScreen(title, rows, begin=begin, trouble=trouble, changed=choices.adapt_board))


async def _ask_name(app: ArbitreApp) -> None:
    row = Row("name", _("Your name"), text=proper_name(account_name()))
    values = await _ask(app, _("What are you called? Others see this name."), [row], _("Good"))
    app.prefer(name=proper_name(values["name"] if values else "") or account_name())


async def _ask_password(app: ArbitreApp) -> bool:
    trouble = _("That is not the password.") if os.environ.get(PASSWORD) else ""
    row = Row("password", _("Password"), hint=_("of the server"))
    values = await _ask(app, _("This server asks for a password."), [row], _("Go in"), trouble)
    if values is not None:
        os.environ[PASSWORD] = values["password"]
    return values is not None


async def play_bot(app: ArbitreApp) -> str:
    """Plays against a bot that is started for it."""
    rows = [choices.level_row(), choices.algorithm_row(), *choices.game_rows(), choices.seat_row(), choices.clock_row()]
    values = await _ask(app, _("Play a bot"), rows, _("Play"))
    if values is None:
        return ""
    options = Options(name=app.preferences.name, against=values["algorithm"] or values["level"])
    return await play_on(app, lambda stack: sit_down(stack, options, choices.wish_of(values)))


async def play_together(app: ArbitreApp) -> str:
    """Plays with somebody at this screen."""
    from client.tui.screens.sitting import sit_together

    rows = [
        Row("first", _("Begins"), text=app.preferences.name),
        Row("second", _("Plays second"), text=_("Player 2")),
        *choices.game_rows(),
    ]
    values = await _ask(app, _("Two at this screen"), rows, _("Play"))
    if values is None:
        return ""
    names = (proper_name(values["first"]) or _("Player 1"), proper_name(values["second"]) or _("Player 2"))
    await sit_together(app, parse(values["board"]), names)
    return ""


async def host(app: ArbitreApp) -> str:
    """Starts a server here and waits for somebody."""
    who = Row("private", _("Who may join"), (Option(_("anybody"), False), Option(_("who knows the code"), True)))
    rows = [*choices.game_rows(), choices.clock_row("5m+3s"), choices.seat_row(), who]
    values = await _ask(app, _("Host a game on your network"), rows, _("Host"))
    if values is None:
        return ""
    wish = choices.wish_of(values, private=values["private"])
    options = Options(name=app.preferences.name, host_port=address.DEFAULT_PORT)
    return await play_on(app, lambda stack: sit_down(stack, options, wish))


async def join(app: ArbitreApp) -> str:
    """Joins a match: by what somebody gave the reader, or from the list of what is found."""
    target = await app.show(JoinScreen(watches=False, finder=games_to_join))
    if target is None:
        return ""
    options = Options(url=target.url, name=app.preferences.name)
    return await play_on(app, lambda stack: sit_down(stack, options, Wish(join=target.match)))


async def watch(app: ArbitreApp) -> str:
    """Watches one match of others, or looks around on their server."""
    target = await app.show(JoinScreen(watches=True, finder=games_to_watch))
    if target is None:
        return ""
    options = Options(url=target.url, name=app.preferences.name)
    if target.match is None:
        from client.tui.screens.onlooking import look_around

        return await _enter(app, lambda stack: spectate(stack, options), lambda client: look_around(app, client))
    return await play_on(app, lambda stack: look_on(stack, options, target.match))


async def replay(app: ArbitreApp) -> str:
    """Looks through games that are over."""
    from client.tui.screens.onlooking import open_file

    return await open_file(app)


async def change_settings(app: ArbitreApp) -> str:
    """Name, colours, help on the board, sound."""
    chosen = app.preferences
    themes = (Option(_("dark"), THEMES[0]), Option(_("light"), THEMES[1]), Option(_("high contrast"), THEMES[2]))
    on_off = (Option(_("on"), True), Option(_("off"), False))
    rows = [
        Row("name", _("Your name"), text=chosen.name),
        Row("theme", _("Colours"), themes, THEMES.index(chosen.theme)),
        Row("hints", _("Show legal moves"), on_off, not chosen.hints),
        Row("bell", _("Bell"), on_off, not chosen.bell),
        Row("keep", _("Keep my games"), on_off, not chosen.keep),
    ]
    values = await _ask(app, _("Settings"), rows, _("Keep"))
    if values is not None:
        app.prefer(**{**values, "name": proper_name(values["name"]) or chosen.name})
    return ""


DESTINATIONS = (
    Destination("bot", N_("Play a bot"), N_("ten levels, and the algorithms of class"), play_bot),
    Destination("together", N_("Two at this screen"), N_("with somebody beside you"), play_together),
    Destination("host", N_("Host a game"), N_("others on your network join you"), host),
    Destination("join", N_("Join a game"), N_("by an address, a link or a code"), join),
    Destination("watch", N_("Watch"), N_("games and leagues of others, one or many at once"), watch),
    Destination("replay", N_("Replays and review"), N_("your games, and those of files, move by move"), replay),
    Destination("settings", N_("Settings"), N_("name, colours, sound"), change_settings),
)
"""The menu, in its order."""
