"""What the screens "join" and "watch" list: the server of this machine, then servers announced on the network."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from urllib.parse import urlsplit

from client import address
from client.people.choosing import MOST_GAMES, heading, left_game, left_games, open_game, open_games, unreachable
from client.people.discovery import Found, discover
from client.people.glance import look
from client.tui.screens.join import Line, Target
from locales import _
from machine.networks import own_addresses
from protocol.messages import MatchSummary
from terminal.phrases import title_of
from terminal.text import clean


async def games_to_join() -> AsyncIterator[Line]:
    """Yields a line for each server, and one for each game there that waits for a player."""
    async for server in _servers():
        yield Line(heading(server), None)
        left, waiting = left_games(server), open_games(server)[:MOST_GAMES]
        for match in left:
            yield Line(f"  {left_game(match)}", Target(server.url, match.match))
        for match in waiting:
            yield Line(f"  {open_game(match, server.now_ms)}", Target(server.url, match.match))
        if server.glance is None:
            yield Line(f"  {unreachable()}", None)
        elif not (waiting or left):
            yield Line("  " + _("nobody waits: open a game there"), Target(server.url))


async def games_to_watch() -> AsyncIterator[Line]:
    """Yields a line for each server, and one for each public game that is played there."""
    async for server in _servers():
        yield Line(heading(server), None)
        for match in _played(server):
            names = " - ".join("?" if player is None else clean(player.name) for player in match.players)
            yield Line(f"  {title_of(match.game)}: {names}", Target(server.url, match.match))


def _played(server: Found) -> Iterator[MatchSummary]:
    lobby = None if server.glance is None else server.glance.lobby
    for match in () if lobby is None else lobby.matches:
        if match.status in ("playing", "paused"):
            yield match


async def _servers() -> AsyncIterator[Found]:
    """The server of this machine, then those announced on the network; this machine's own announcement is left out."""
    here = await look(address.LOCAL)
    own = set[str]()
    if here is not None and here.lobby is not None:
        yield Found(_("this machine"), address.LOCAL, here, here.lobby.password)
        own = {str(one.ip) for one in own_addresses()}
    async for found in discover():
        place = urlsplit(found.url)
        if place.port != address.DEFAULT_PORT or place.hostname not in own:  # else it was told already
            yield found
