"""What `arbitre play` and `arbitre watch` do: a server, a name, a seat, an opponent, then the match."""

from __future__ import annotations

import getpass
import os
import sys
from contextlib import AsyncExitStack
from dataclasses import dataclass

from client import address
from client.board import Style
from client.children import Child, ChildFailed, server_address
from client.connection import Client
from client.errors import HelloRefused, ServerGone
from client.identity import NAMESAKES, Identity, namesake
from client.plain import PlainMatch
from client.seating import Seating, Wish, find_seat, seats_held
from client.terminal import open_terminal
from locales import _
from protocol.errors import ErrorCode
from protocol.messages import Leave, Watch

HERE_PATIENCE_S = 0.5
"""How long to look for a server on this machine."""


@dataclass(frozen=True, slots=True)
class Options:
    """What the command line says besides the match; `host_port` None unless a server is to be started here."""

    url: str | None = None
    name: str | None = None
    against: str | None = None
    host_port: int | None = None
    ascii: bool = False
    stay: bool = False


async def play(options: Options, wish: Wish) -> int:
    """Plays until the person leaves; raises ClientError."""
    async with AsyncExitStack() as stack:
        notes: list[str] = []
        if options.host_port is not None:
            url = await _host(stack, options.host_port, notes)
            client = await _arrive(stack, url, options, notes)
        else:
            client = await _arrive_or_host(stack, options, notes)
        opponent = None
        if options.against is not None and not seats_held(client):
            opponent = await stack.enter_async_context(
                Child(["bot", options.against, client.url, "--rematch", *_bot_game(wish)])
            )
        seating = await find_seat(client, wish, opponent)
        returns = options.host_port is None and (options.url is not None or client.url == address.LOCAL)
        seating = Seating(seating.match, (*notes, *seating.lines))
        await _at_the_table(client, options, seating, watching=False, returns=returns)
    return 0


async def watch(options: Options, match: str) -> int:
    """Shows a match to its end; raises ClientError."""
    url = options.url or address.LOCAL
    for number in range(1, NAMESAKES):
        client = Client(url, name=namesake(options.name or _("spectator"), number), kind="human")
        try:
            await _watch(client, options, match)
        except HelloRefused as refused:
            if refused.code != ErrorCode.NAME_TAKEN.value:
                raise
        else:
            return 0
    return 1


async def _watch(client: Client, options: Options, match: str) -> None:
    is_code = len(match) == 4 and match.isalpha()
    async with client:
        ok = await (client.request(Watch, code=match) if is_code else client.request(Watch, match=match.lower()))
        assert isinstance(ok.match, str)
        await _at_the_table(client, options, Seating(ok.match), watching=True)
        await client.request(Leave, match=ok.match)


async def _at_the_table(
    client: Client, options: Options, seating: Seating, *, watching: bool, returns: bool = True
) -> None:
    style = Style(ascii=options.ascii, colour=sys.stdout.isatty() and not os.environ.get("NO_COLOR"))
    with open_terminal() as terminal:
        terminal.show(*seating.lines)
        match = PlainMatch(
            client, terminal, style, seating.match, stay=options.stay, leave_at_end=watching, returns=returns
        )
        await match.run()


async def _arrive(
    stack: AsyncExitStack, url: str, options: Options, notes: list[str], *, patience_s: float = 5.0
) -> Client:
    """A session under the wished name, or under that of a namesake; an earlier session is taken up again."""
    wished = options.name or account_name()
    for number in range(1, NAMESAKES):
        identity = Identity(url, namesake(wished, number))
        if not identity.take():
            continue
        try:
            client = await _open(stack, identity, url, patience_s)
        except HelloRefused as refused:
            identity.release()
            if refused.code != ErrorCode.NAME_TAKEN.value:
                raise
            continue
        except BaseException:
            identity.release()
            raise
        stack.callback(identity.release)
        if number > 1:
            notes.append(_("The name {wished} is in use: here you are {name}.").format(wished=wished, name=client.name))
        return client
    raise ServerGone(_("too many players are called {name}: choose another --name").format(name=wished))


async def _open(stack: AsyncExitStack, identity: Identity, url: str, patience_s: float) -> Client:
    """The session of `identity`; a token that the server has forgotten is forgotten here, too."""
    while True:
        client = Client(url, name=identity.name, kind="human", token=identity.token, first_patience_s=patience_s)
        client.on_token = identity.keep
        try:
            await stack.enter_async_context(client)
        except HelloRefused as refused:
            if refused.code != ErrorCode.BAD_TOKEN.value or identity.token is None:
                raise
            identity.keep(None)
            continue
        return client


async def _arrive_or_host(stack: AsyncExitStack, options: Options, notes: list[str]) -> Client:
    """At the address that was given, else on this machine; a game against a bot needs no server: it brings its own."""
    if options.url is not None:
        return await _arrive(stack, options.url, options, notes)
    try:
        return await _arrive(stack, address.LOCAL, options, notes, patience_s=HERE_PATIENCE_S)
    except ServerGone:
        if options.against is None:
            raise
    server = await stack.enter_async_context(Child(["serve", "--host", "127.0.0.1", "--port", "0"]))
    return await _arrive(stack, await server_address(server), options, notes)


async def _host(stack: AsyncExitStack, port: int, notes: list[str]) -> str:
    """Starts a server for this machine and its network; one that runs there already does as well."""
    server = await stack.enter_async_context(Child(["serve", "--port", str(port)]))
    try:
        url = await server_address(server)
    except ChildFailed as failed:
        url = f"ws://127.0.0.1:{port}"
        try:
            async with Client(url, name=namesake(_("spectator"), os.getpid()), kind="human", first_patience_s=0.5):
                pass
        except ServerGone:
            raise failed from None
        notes.append(_("A server runs here already: you join it."))
        return url
    notes.append(_("You host this server as long as you play."))
    return url


def account_name() -> str:
    """The name of the person's account on this machine."""
    try:
        return getpass.getuser()
    except (OSError, KeyError, ImportError):
        return _("player")


def _bot_game(wish: Wish) -> list[str]:
    return [] if wish.game is None else ["--game", wish.game]
