"""Shows a match and its session, and takes the match over when its server is gone."""

from __future__ import annotations

from contextlib import AsyncExitStack
from dataclasses import replace
from typing import Literal
from urllib.parse import urlsplit

from client.address import DEFAULT_PORT
from client.connection import Client
from client.people.controller import OnlineController
from client.people.hot_seat import HotSeatController
from client.people.seating import Wish
from client.people.sitting import Options, Sitting, sit_down
from client.tui.app import ArbitreApp
from client.tui.place import Place
from client.tui.screens.inviting import Invitation
from client.tui.screens.match import MatchScreen
from client.tui.screens.waiting import patiently
from games.base import Game, Seat
from locales import _
from processes.child import ChildError
from view.match import MatchView

WEB_PORTS = (80, 443)
"""Ports that a user's own server can't listen on; a takeover then uses the usual port."""


async def sit(app: ArbitreApp, sitting: Sitting) -> str:
    """Shows a match on a server until its reader leaves; returns what to tell them. Raises what ended the session."""
    client, match = sitting.session.client, sitting.match
    controller = OnlineController(client, match, watched=sitting.watched, returns=sitting.session.lasts)
    async with Place(client) as place:
        game = (await place.seen(match)).game
        screen = MatchScreen(controller, game, place, Invitation(sitting.lines, sitting.page))
        if sitting.session.server is not None:
            screen.hosts, sitting.session.server.tell = True, screen.tell
        said = await app.show(screen)
        if screen.takes_over and controller.view is not None:
            if sitting.leave is not None:
                await sitting.leave()
            return await _take_over(app, client, controller.view)
        if place.ended is not None and not controller.is_over:
            raise place.ended
        return said or ""


async def sit_together(app: ArbitreApp, game: Game, names: tuple[str, str]) -> None:
    """Shows a match of two at this screen until they leave."""
    controller = HotSeatController(game, names)
    screen = MatchScreen(controller, game)
    controller.tell = screen.hear
    await app.show(screen)


async def _take_over(app: ArbitreApp, client: Client, view: MatchView) -> str:
    """Goes on with a match whose server is gone: starts a server here, on the same port or else on any.

    The match is set up from its moves (MAX_OPENING at most); clocks begin anew, talk and standing offers are lost.
    """
    assert view.seat is not None
    seat: Literal["first", "second"] = "first" if view.seat is Seat.FIRST else "second"
    wish = Wish(game=view.game.spec, clock=view.clock, seat=seat, opening=view.moves)
    port = urlsplit(client.url).port
    async with AsyncExitStack() as stack:
        options = Options(name=client.name, host_port=DEFAULT_PORT if port in (None, *WEB_PORTS) else port)
        try:
            seated = await patiently(app, _("Starting a server here ..."), sit_down(stack, options, wish))
        except ChildError:  # another program may have the port
            free = replace(options, host_port=0)
            seated = await patiently(app, _("Starting a server here ..."), sit_down(stack, free, wish))
        return "" if seated is None else await sit(app, seated)
