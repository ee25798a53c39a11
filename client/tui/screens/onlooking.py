"""What onlookers do: look around on a server, watch one match or many, follow a league, look through games.

Each of these shows screens until the reader leaves, and returns what is to be told then, or "".
"""

from __future__ import annotations

import asyncio

from client import explanations
from client.connection import Client
from client.errors import ClientError
from client.people.controller import OnlineController
from client.people.keeping import kept
from client.people.recorded import Recorded, RecordedError, read_recorded
from client.tui.app import ArbitreApp
from client.tui.place import Place
from client.tui.screens.league import LeagueScreen
from client.tui.screens.library import FileScreen, GamesScreen
from client.tui.screens.live import Goal, LiveScreen
from client.tui.screens.match import MatchScreen
from client.tui.screens.review import look_through
from client.tui.screens.wall import WallScreen
from protocol.messages import Leave, Watch


async def look_around(app: ArbitreApp, client: Client) -> str:
    """Shows what is played on the server of `client`."""
    async with Place(client) as place:
        notice = ""
        while (goal := await app.show(LiveScreen(place, notice=notice))) is not None:
            notice = await _reach(app, place, goal)
        return "" if place.ended is None else explanations.explain(place.ended)


async def _reach(app: ArbitreApp, place: Place, goal: Goal) -> str:
    match goal.what:
        case "wall":
            return await watch_many(app, place)
        case "league":
            return await follow_league(app, place, goal.which)
        case "match":
            return await watch_one(app, place, goal.which)


async def watch_one(app: ArbitreApp, place: Place, match: str) -> str:
    """Watches a match."""
    client = place.client
    try:
        await client.ask(Watch, match=match)
        view = await place.seen(match)
    except ClientError as error:
        return explanations.explain(error)
    controller = OnlineController(client, match, watched=match)
    said = await app.show(MatchScreen(controller, view.game, place))
    client.session.forget(match)
    client.send(Leave, match=match)
    return said or ""


async def watch_many(app: ArbitreApp, place: Place) -> str:
    """Watches all boards at once, and those that the reader chooses one by one."""
    while (match := await app.show(WallScreen(place))) is not None:
        if said := await watch_one(app, place, match):
            return said
    return ""


async def follow_league(app: ArbitreApp, place: Place, league: str) -> str:
    """Follows a league; its games are watched, or looked through."""
    while (chosen := await app.show(LeagueScreen(place, league))) is not None:
        if isinstance(chosen, Recorded):
            await look_through(app, chosen, place)
        elif said := await watch_one(app, place, chosen):
            return said
    return ""


async def open_file(app: ArbitreApp) -> str:
    """Shows games that are kept here, or out of a file."""
    trouble, typed, at = "", "", 0
    while True:
        screen = FileScreen(await asyncio.to_thread(kept), typed, trouble, at)
        if (wanted := await app.show(screen)) is None:
            return ""
        trouble, typed, at = "", "", screen.at
        if isinstance(wanted, Recorded):
            await look_through(app, wanted, at=0)
            continue
        typed = str(wanted)
        try:
            found = await asyncio.to_thread(read_recorded, wanted)
        except RecordedError as error:
            trouble = str(error)
            continue
        await choose_game(app, wanted.name, found)


async def choose_game(app: ArbitreApp, title: str, found: list[Recorded], at: int = 0) -> str:
    """Shows one game after the other, as the reader chooses them; the only one at once. at: moves on its board."""
    if len(found) == 1:
        await look_through(app, found[0], at=min(at, len(found[0].moves)))
        return ""
    chosen: int | None = 0
    while (chosen := await app.show(GamesScreen(title, found, chosen or 0))) is not None:
        await look_through(app, found[chosen], at=min(at, len(found[chosen].moves)))
    return ""
