"""Takes a place at a match, to play or to watch: a server, a name there, a seat, an opponent if one is wanted."""

from __future__ import annotations

import getpass
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from dataclasses import dataclass, replace

from client import address
from client.arrival import arrive
from client.connection import Client
from client.errors import HelloRefused, ServerGone, Unreadable
from client.identity import NAMESAKES, namesake
from client.people import settings
from client.people.choosing import Chooser
from client.people.hosting import HostedServer
from client.people.seating import Wish, enter, find_match, find_seat
from locales import _
from processes.child import READY_S, TRUST_THIS_MACHINE, ChildError, Command
from protocol.errors import ErrorCode
from protocol.messages import Watch
from terminal.text import clean

HERE_PATIENCE_S = 0.5
"""How long to look for a server on this machine."""

RETURN_S = 900.0
"""How long people wait for a server that is away: its host may have gone for a coffee."""

OWN_RETURN_S = 10.0
"""The same for a server of ours that is not started again."""


@dataclass(frozen=True, slots=True)
class Options:
    """What is asked for besides the match; `host_port` None unless a server is to be started here.

    full: on the full screen instead of line by line.
    """

    url: str | None = None
    name: str | None = None
    against: str | None = None
    host_port: int | None = None
    ascii: bool = False
    stay: bool = False
    full: bool = False
    mdns: bool = True
    chooser: Chooser | None = None


@dataclass(frozen=True, slots=True)
class PersonalSession:
    """A person's session on a server. lasts: whether the same command finds the server again later.

    on_own_server: whether we started that; server: it, if others on the network may come. join: the match that was
    chosen with the server.
    """

    client: Client
    on_own_server: bool
    lasts: bool
    server: HostedServer | None = None
    join: str | None = None


@dataclass(frozen=True, slots=True)
class Sitting:
    """A match, and whose session sees it. lines: what to tell its player first. watched: see PlainMatch.

    page: where others join it in a browser, if they can. leave: ends the session, and all that was started for it.
    """

    session: PersonalSession
    match: str
    lines: tuple[str, ...] = ()
    watched: str | None = None
    page: str | None = None
    leave: Callable[[], Awaitable[None]] | None = None


async def sit_down(stack: AsyncExitStack, options: Options, wish: Wish) -> Sitting | None:
    """A seat, and an opponent if one was asked for; both last as long as `stack`. Raises ClientError, ChildError.

    None if the chooser was asked for a server, and its person would rather leave.
    """
    notes: list[str] = []
    session = await _open_session(stack, options, wish, notes)
    if session is None:
        return None
    client, opponent = session.client, None
    wish = wish if session.join is None else replace(wish, join=session.join)
    if options.against is not None:
        opponent = await stack.enter_async_context(
            Command(["bot", options.against, client.url, "--rematch", "--resume", *_bot_game(wish)])
        )
    seating = await find_seat(client, wish, opponent, alone=session.on_own_server)
    return Sitting(session, seating.match, (*notes, *seating.lines), page=seating.page, leave=stack.aclose)


async def look_on(stack: AsyncExitStack, options: Options, match: str | None) -> Sitting:
    """A session that watches a match, by default the only public one; raises ClientError."""
    client = await spectate(stack, options)
    match = match or await find_match(client)
    ok = await enter(client, Watch, match)
    if not isinstance(ok.match, str):
        raise Unreadable("ok: field `match` is missing")
    return Sitting(PersonalSession(client, on_own_server=False, lasts=True), ok.match, watched=match)


async def spectate(stack: AsyncExitStack, options: Options) -> Client:
    """A session of somebody who only watches, under the wished name or that of a namesake; raises ClientError."""
    url = options.url or address.LOCAL
    number = 1
    while True:
        name = namesake(options.name or settings.read().name or _("spectator"), number)
        client = Client(url, name=name, kind="human", patience_s=RETURN_S)
        try:
            return await stack.enter_async_context(client)
        except HelloRefused as refused:
            number += 1
            if refused.code != ErrorCode.NAME_TAKEN.value or number == NAMESAKES:
                raise


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
    wished = options.name or usual_name()
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


async def _open_session(
    stack: AsyncExitStack, options: Options, wish: Wish, notes: list[str]
) -> PersonalSession | None:
    """A session at the given address, else on this machine, else on a server that the person chooses.

    None if they would rather leave. For a game against a bot, a server is started if there is none on this machine.
    """
    if options.host_port is not None:
        return await _host(stack, options, options.host_port, notes)
    if options.url is not None:
        return PersonalSession(await _arrive(stack, options.url, options, notes), on_own_server=False, lasts=True)
    try:
        client = await _arrive(stack, address.LOCAL, options, notes, patience_s=HERE_PATIENCE_S)
    except ServerGone as gone:
        if options.against is None:
            return await _choose(stack, options, wish, notes, gone)
    else:
        return PersonalSession(client, on_own_server=False, lasts=True)
    server = await stack.enter_async_context(
        Command(["serve", "--host", "127.0.0.1", "--port", "0", *TRUST_THIS_MACHINE])
    )
    client = await _arrive(stack, await server.address(READY_S), options, notes, return_s=OWN_RETURN_S)
    return PersonalSession(client, on_own_server=True, lasts=False)


async def _choose(
    stack: AsyncExitStack, options: Options, wish: Wish, notes: list[str], gone: ServerGone
) -> PersonalSession | None:
    """A session on a server of the network around us; None if the person leaves. Raises ClientError."""
    if options.chooser is None:
        raise gone
    bound = wish.join is not None or wish.invite is not None
    choice = await options.chooser.choose(wish.game, bound=bound, otherwise=gone)
    if choice is None:
        return None
    client = await _arrive(stack, choice.url, options, notes)
    return PersonalSession(client, on_own_server=False, lasts=True, join=choice.join)


async def _host(stack: AsyncExitStack, options: Options, port: int, notes: list[str]) -> PersonalSession:
    """A session on a server that is started for this machine and its network, or on one that runs there already."""
    try:
        server = await stack.enter_async_context(HostedServer(port, mdns=options.mdns))
    except ChildError as failed:
        notes.append(_("A server runs here already: you join it."))
        try:
            client = await _arrive(stack, f"ws://127.0.0.1:{port}", options, notes, patience_s=HERE_PATIENCE_S)
        except ServerGone:
            raise failed from None
        return PersonalSession(client, on_own_server=False, lasts=True)
    notes.append(_("You host this server as long as you play."))
    return_s = RETURN_S if port else OWN_RETURN_S
    client = await _arrive(stack, server.address, options, notes, return_s=return_s)
    return PersonalSession(client, on_own_server=True, lasts=port != 0, server=server)


def usual_name() -> str:
    """The name of a person who gives none: the one from the menu, else the one of their account."""
    return settings.read().name or account_name()


def account_name() -> str:
    """The name of the person's account on this machine."""
    try:
        return getpass.getuser()
    except (OSError, KeyError, ImportError):
        return _("player")


def _bot_game(wish: Wish) -> list[str]:
    return [] if wish.game is None else ["--game", wish.game]
