"""Sitting down at a match: the screen and the session that it is on, and where both go when the server is gone."""

from __future__ import annotations

from contextlib import AsyncExitStack
from typing import TYPE_CHECKING, Literal
from urllib.parse import urlsplit

from client.address import DEFAULT_PORT
from client.connection import Client
from client.people import Options, Sitting, sit_down
from client.seating import Wish
from client.shared import SharedTable
from client.table import ServerTable
from client.tui.inviting import Invitation
from client.tui.match import MatchScreen
from client.tui.place import Place
from games.base import Game, Seat
from view.match import MatchView

if TYPE_CHECKING:
    from client.tui.app import ArbitreApp

WEB_PORTS = (80, 443)
"""Where no server of a user may listen."""


async def sit(app: ArbitreApp, sitting: Sitting) -> str:
    """Shows a match on a server until its reader leaves; what to tell them then. Raises what ended the session."""
    client, match = sitting.place.client, sitting.match
    table = ServerTable(client, match, watched=sitting.watched, returns=sitting.place.lasts)
    async with Place(client) as place:
        game = (await place.seen(match)).game
        screen = MatchScreen(table, game, place, Invitation(sitting.lines, sitting.page))
        if sitting.place.server is not None:
            screen.hosts, sitting.place.server.tell = True, screen.tell
        said = await app.show(screen)
        if screen.takes_over and table.view is not None:
            if sitting.leave is not None:
                await sitting.leave()
            return await _take_over(app, client, table.view)
        if place.ended is not None and not table.is_over:
            raise place.ended
        return said or ""


async def sit_together(app: ArbitreApp, game: Game, names: tuple[str, str]) -> None:
    """Shows a match of two at this screen until they leave."""
    table = SharedTable(game, names)
    screen = MatchScreen(table, game)
    table.tell = screen.hear
    await app.show(screen)


async def _take_over(app: ArbitreApp, client: Client, view: MatchView) -> str:
    """Plays on from where a match stands whose server is gone, on one that is started here, on the same port."""
    assert view.seat is not None
    seat: Literal["first", "second"] = "first" if view.seat is Seat.FIRST else "second"
    wish = Wish(game=view.game.spec, clock=view.clock, seat=seat, opening=view.moves)
    port = urlsplit(client.url).port
    async with AsyncExitStack() as stack:
        options = Options(name=client.name, host_port=DEFAULT_PORT if port in (None, *WEB_PORTS) else port)
        sitting = await sit_down(stack, options, wish)
        return "" if sitting is None else await sit(app, sitting)
