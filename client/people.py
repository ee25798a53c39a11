"""What `arbitre play` and `arbitre watch` do: a server, a name, a seat, an opponent, then the match."""

from __future__ import annotations

import getpass
import os
import sys
from contextlib import AsyncExitStack
from dataclasses import dataclass

from client import address
from client.arrival import arrive
from client.connection import Client
from client.errors import HelloRefused, ServerGone, Unreadable
from client.hosting import HostedServer
from client.identity import NAMESAKES, namesake
from client.plain import PlainMatch
from client.seating import Seating, Wish, enter, find_match, find_seat
from locales import _
from processes.child import READY_S, TRUST_THIS_MACHINE, ChildError, Command
from protocol.errors import ErrorCode
from protocol.messages import Leave, Watch
from terminal.board import Style, clean
from terminal.lines import open_terminal

HERE_PATIENCE_S = 0.5
"""How long to look for a server on this machine."""

RETURN_S = 900.0
"""How long people wait for a server that is away: its host may have gone for a coffee."""

OWN_RETURN_S = 10.0
"""The same for a server of ours that is not started again."""


@dataclass(frozen=True, slots=True)
class Options:
    """What the command line says besides the match; `host_port` None unless a server is to be started here."""

    url: str | None = None
    name: str | None = None
    against: str | None = None
    host_port: int | None = None
    ascii: bool = False
    stay: bool = False


@dataclass(frozen=True, slots=True)
class _Place:
    """A session. `own`: on a server of ours, `lasts`: the server that the same command finds next still knows it."""

    client: Client
    own: bool
    lasts: bool
    server: HostedServer | None = None


async def play(options: Options, wish: Wish) -> int:
    """Plays until the person leaves; raises ClientError."""
    async with AsyncExitStack() as stack:
        notes: list[str] = []
        place = await _take_place(stack, options, notes)
        client, opponent = place.client, None
        if options.against is not None:
            opponent = await stack.enter_async_context(
                Command(["bot", options.against, client.url, "--rematch", "--resume", *_bot_game(wish)])
            )
        seating = await find_seat(client, wish, opponent, alone=place.own)
        seating = Seating(seating.match, (*notes, *seating.lines))
        await _at_the_table(client, options, seating, returns=place.lasts, server=place.server)
    return 0


async def watch(options: Options, match: str | None) -> int:
    """Shows a match to its end, by default the only public one; raises ClientError."""
    url = options.url or address.LOCAL
    for number in range(1, NAMESAKES):
        name = namesake(options.name or _("spectator"), number)
        client = Client(url, name=name, kind="human", patience_s=RETURN_S)
        try:
            await _watch(client, options, match)
        except HelloRefused as refused:
            if refused.code != ErrorCode.NAME_TAKEN.value:
                raise
        else:
            return 0
    return 1


async def _watch(client: Client, options: Options, match: str | None) -> None:
    async with client:
        match = match or await find_match(client)
        ok = await enter(client, Watch, match)
        if not isinstance(ok.match, str):
            raise Unreadable("ok: field `match` is missing")
        await _at_the_table(client, options, Seating(ok.match), watched=match)
        client.send(Leave, match=ok.match)


async def _at_the_table(
    client: Client,
    options: Options,
    seating: Seating,
    *,
    watched: str | None = None,
    returns: bool = True,
    server: HostedServer | None = None,
) -> None:
    style = Style(ascii=options.ascii, colour=sys.stdout.isatty() and not os.environ.get("NO_COLOR"))
    with open_terminal() as terminal:
        terminal.show(*seating.lines)
        if server is not None:
            server.tell = terminal.show
        match = PlainMatch(client, terminal, style, seating.match, stay=options.stay, watched=watched, returns=returns)
        await match.run()


async def _arrive(
    stack: AsyncExitStack,
    url: str,
    options: Options,
    notes: list[str],
    *,
    patience_s: float = 5.0,
    return_s: float = RETURN_S,
) -> Client:
    """A session under the wished name, or under that of a namesake, and a note that says so."""
    wished = options.name or account_name()
    client, number, _wished = await stack.enter_async_context(
        arrive(url, wished, "human", patience_s=patience_s, return_s=return_s)
    )
    if number > 1:
        here = clean(client.name)
        notes.append(
            _("The name {wished}, or one that looks like it, is in use: here you are {name}.").format(
                wished=wished, name=here
            )
        )
    return client


async def _take_place(stack: AsyncExitStack, options: Options, notes: list[str]) -> _Place:
    """At the address that was given, else on this machine; a game against a bot needs no server: it brings its own."""
    if options.host_port is not None:
        return await _host(stack, options, options.host_port, notes)
    if options.url is not None:
        return _Place(await _arrive(stack, options.url, options, notes), own=False, lasts=True)
    try:
        client = await _arrive(stack, address.LOCAL, options, notes, patience_s=HERE_PATIENCE_S)
    except ServerGone:
        if options.against is None:
            raise
    else:
        return _Place(client, own=False, lasts=True)
    server = await stack.enter_async_context(
        Command(["serve", "--host", "127.0.0.1", "--port", "0", *TRUST_THIS_MACHINE])
    )
    client = await _arrive(stack, await server.address(READY_S), options, notes, return_s=OWN_RETURN_S)
    return _Place(client, own=True, lasts=False)


async def _host(stack: AsyncExitStack, options: Options, port: int, notes: list[str]) -> _Place:
    """On a server that is started for this machine and its network; one that runs there already does as well."""
    try:
        server = await stack.enter_async_context(HostedServer(port))
    except ChildError as failed:
        notes.append(_("A server runs here already: you join it."))
        try:
            client = await _arrive(stack, f"ws://127.0.0.1:{port}", options, notes, patience_s=HERE_PATIENCE_S)
        except ServerGone:
            raise failed from None
        return _Place(client, own=False, lasts=True)
    notes.append(_("You host this server as long as you play."))
    return_s = RETURN_S if port else OWN_RETURN_S
    client = await _arrive(stack, server.address, options, notes, return_s=return_s)
    return _Place(client, own=True, lasts=port != 0, server=server)


def account_name() -> str:
    """The name of the person's account on this machine."""
    try:
        return getpass.getuser()
    except (OSError, KeyError, ImportError):
        return _("player")


def _bot_game(wish: Wish) -> list[str]:
    return [] if wish.game is None else ["--game", wish.game]
