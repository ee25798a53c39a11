"""The command `arbitre find`."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import click

from locales import _
from locales.folding import echo

if TYPE_CHECKING:
    from client.people.discovery import Found

NONE_FOUND = 1
"""The exit code if nobody announces a server."""


@click.command(
    "find",
    help=_(
        "List the servers that are announced on your network (mDNS), and the public games that wait for a player there."
        "\n\nA server that is not listed may still be there: play takes its address."
    ),
)
@click.option("--json", "as_json", is_flag=True, help=_("Print one JSON object for each server."))
def find_command(*, as_json: bool) -> int:
    """Looks around once."""
    from processes import stopping

    found = stopping.run(_search(as_json=as_json), stopping.ALL_BUT_CTRL_C, within_s=stopping.AT_MOST_S)
    return 0 if found else NONE_FOUND


async def _search(*, as_json: bool) -> bool:
    """Shows each server as it is found; returns whether there was any."""
    from client.people.choosing import unreachable
    from client.people.discovery import discover

    found = []
    async for server in discover():
        found.append(server)
        for line in [json.dumps(as_object(server), ensure_ascii=False)] if as_json else _lines(server):
            click.echo(line)
    if not found and not as_json:
        echo(_("Nobody announces a server on your network."), err=True)
    elif not as_json and any(server.glance is None for server in found):
        echo(unreachable(), err=True)
    return bool(found)


def _lines(server: Found) -> list[str]:
    from client.people.choosing import heading, open_game, open_games
    from client.people.seating import command

    lines = [heading(server)]
    if server.glance is not None:
        lines.append(f"  {command('play', server.url)}")
    return lines + [f"    {open_game(match, server.now_ms)}" for match in open_games(server)]


def as_object(server: Found) -> dict[str, Any]:
    """What programs are told of a server. matches: as in the protocol's lists; null where it does not say."""
    from msgspec import to_builtins

    glance = server.glance
    lobby = None if glance is None else glance.lobby
    return {
        "name": server.name,
        "url": server.url,
        "reachable": glance is not None,
        "rtt_ms": None if glance is None else glance.rtt_ms,
        "password": server.password,
        "version": None if lobby is None else lobby.version,
        "server_time_ms": None if lobby is None else lobby.server_time_ms,
        "matches": None if lobby is None else to_builtins(lobby.matches),
    }
