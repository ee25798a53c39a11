"""The option `--page` of the commands that play a league here, and the lines that say where its page is."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from locales import _

if TYPE_CHECKING:
    from league.executors.local import Showcase

LOOPBACK: Final = "127.0.0.1"
ANY: Final = "0.0.0.0"  # noqa: S104 - where it is asked for, so that others on the network may look, too

HostAndPort = tuple[str, int]
"""Host and port of a server."""


def _read(_context: click.Context, _option: click.Parameter, given: str | None) -> HostAndPort | None:
    """The host and port that `--page` names."""
    if given is None:
        return None
    host, _colon, port = given.rpartition(":")
    if not port.isdecimal() or int(port) > 65535:
        raise click.BadParameter(_("give a port, 8765, or with an address to listen on, 0.0.0.0:8765."))
    return host or LOOPBACK, int(port)


def page_option(command: Callable[..., Any]) -> Callable[..., Any]:
    """Adds `--page` to a command that plays a league here."""
    return click.option(
        "--page",
        metavar=_("[HOST:]PORT"),
        callback=_read,
        help=_("Show the league in browsers on this machine, on this port; with 0.0.0.0:PORT on the network, too."),
    )(command)


def written(page: HostAndPort) -> str:
    """A host and port as `--page` takes them."""
    host, port = page
    return str(port) if host == LOOPBACK else f"{host}:{port}"


def page_lines(url: str, league: str) -> Sequence[str]:
    """Where browsers see a league that the server at `url` shows."""
    page = f"{_http(url)}/l/{league}"
    return [_("It is shown here, and for a projector at the second address:"), f"  {page}", f"  {page}?wall"]


def showcase_for(folder: Path, page: HostAndPort, *, stays: bool) -> Showcase:
    """Where the league in `folder` is shown while it is played here; says its address once.

    stays: whether its page stays after the last game, until somebody stops the program.
    """
    from league.executors.local import Showcase
    from league.executors.local_server import say_once
    from league.showing import Showing, kept_key
    from machine.networks import lan_address

    say = say_once()
    showing = Showing(kept_key(folder), say, stays=stays)

    def opened(url: str) -> None:
        lan = lan_address() if page[0] == ANY else None
        for line in page_lines(url if lan is None else url.replace(LOOPBACK, lan), showing.id):
            say(line)

    return Showcase(page, showing, opened)


def _http(url: str) -> str:
    """The address of a server's page by that of its WebSocket."""
    scheme, _slashes, rest = url.partition("://")
    where = rest.partition("#")[0].partition("/")[0]
    return f"{'https' if scheme == 'wss' else 'http'}://{where}"
