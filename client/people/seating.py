"""Finding a seat: the one that was left, a code, a match that waits for a player, or a new match."""

from __future__ import annotations

import shlex
import socket
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal
from urllib.parse import urlsplit

from client import address
from client.connection import Client
from client.errors import ClientError, Refused, Unreadable
from games import USUAL
from locales import _
from machine.modules import program
from machine.networks import lan_address
from protocol.errors import ErrorCode
from protocol.messages import Clock, Create, Join, ListMatches, MatchSummary, Ok, Watch
from terminal.text import clean

if TYPE_CHECKING:
    from processes.child import Command

CODE_LENGTH, LINK_LENGTH = 6, 22

_PAGES = 20
"""Pages of matches that are looked through for one that waits."""

_READY = "ready "

_HERE_S = 0.2
"""How long a connection within this machine may take."""

_TRIED = 20
"""At most this many waiting matches are tried, one after the other."""


@dataclass(frozen=True, slots=True)
class Wish:
    """What a person asked for; `game` None means whichever match waits, else the usual one.

    opening: moves that are on the board of a new match, which then is made in any case.
    """

    game: str | None = None
    join: str | None = None
    invite: str | None = None
    clock: Clock | None = None
    seat: Literal["first", "second", "random"] = "random"
    private: bool = False
    opening: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Seating:
    """The match that was found or made, and what to tell its player. page: its short address for a browser."""

    match: str
    lines: tuple[str, ...] = ()
    page: str | None = None


async def find_seat(client: Client, wish: Wish, opponent: Command | None, *, alone: bool = False) -> Seating:
    """A seat, as wished; raises Refused, ChildError. `alone`: nobody else can have a match on this server yet."""
    held = tuple[str, ...]() if wish.opening else seats_held(client)
    if wish.join is not None or held:
        ok = await enter(client, Join, wish.join or held[-1])
        return Seating(_match(ok), (_("You are back in your match."),) if ok.match in held else ())
    invited = wish.invite
    if opponent is not None:
        from processes.child import READY_S

        invited = (await opponent.first_line(READY_S)).removeprefix(_READY)
    if invited is not None:
        return await _invite(client, wish, invited)
    if not (wish.private or wish.opening) and (waiting := await _join_waiting(client, wish)) is not None:
        return Seating(waiting)
    ok = await client.ask(
        Create,
        game=wish.game or USUAL,
        clock=wish.clock,
        public=not wish.private,
        seat=wish.seat,
        opening=wish.opening,
    )
    return _opened(client, ok, alone=alone)


def _opened(client: Client, ok: Ok, *, alone: bool) -> Seating:
    """A new match, and how others come to it."""
    code = ok.code if isinstance(ok.code, str) else None
    there = elsewhere(client.url)
    lines = how_to_join(client.url, code or ("" if alone else _match(ok)))
    if isinstance(ok.link, str):
        lines += [
            _("Or send this invitation, to be typed in the folder of Arbitre:"),
            f"  {command('play', there, ok.link)}",
        ]
    if code is not None:
        lines += [_("In one word, for any field that takes an address:"), f"  {address.own_link(there, code)}"]
    welcome = client.session.welcome
    if welcome is None or "boards" not in welcome.features:  # then it has no page that draws them
        return Seating(_match(ok), tuple(lines))
    view = f"/j/{ok.link}" if isinstance(ok.link, str) else f"/m/{_match(ok)}"
    lines += [_("Or in a browser, without Arbitre:"), f"  {address.page_of(there, view)}"]
    return Seating(_match(ok), tuple(lines), address.page_of(there, view if code is None else f"/j/{code}"))


async def listed(client: Client, game: str | None, pages: int = _PAGES) -> AsyncIterator[MatchSummary]:
    """The public matches of a game, or of all games, the newest first: those on the first `pages` pages."""
    after: int | None = None
    for _page in range(pages):
        page = await client.ask(ListMatches, game=game, after=after)
        for summary in page.matches if isinstance(page.matches, tuple) else ():
            yield summary
        if not isinstance(page.more, int):
            return
        after = page.more


async def find_match(client: Client) -> str:
    """The public match that is not over; raises ClientError, which lists them if there are several."""
    found = [summary async for summary in listed(client, None, pages=1) if summary.status != "finished"]
    if len(found) == 1:
        return found[0].match
    if not found:
        raise ClientError(
            _("There is no public match there now. A private one is watched with its code:\n  {command} CODE").format(
                command=command("watch", client.url)
            )
        )
    rows = [_("There are several matches; watch one of them:")]
    for summary in found:
        names = " - ".join(clean(player.name) if player is not None else "?" for player in summary.players)
        rows.append(f"  {command('watch', client.url)} {clean(summary.match)}   {clean(summary.game)}, {names}")
    raise ClientError("\n".join(rows))


def seats_held(client: Client) -> tuple[str, ...]:
    """The matches that an earlier run of this program left."""
    welcome = client.session.welcome
    return welcome.matches if welcome is not None and welcome.resumed else ()


def how_to_join(url: str, which: str) -> list[str]:
    """What the other player types, here and on the network; `which` is a code or a match, "" for the one that waits."""
    join = f" --join {shlex.quote(clean(which))}" if which else ""
    if not _is_local(url):
        lines = [_("Waiting for the other player, who types:"), f"  {command('play', url)}{join}"]
        return [*lines, *_in_the_menu(url, which)]
    lines = [_("Waiting for the other player, who types on this machine:"), f"  {command('play', url)}{join}"]
    there = elsewhere(url)
    if there != url:
        lines += [_("or on another machine of your network:"), f"  {command('play', there)}{join}"]
    return [*lines, *_in_the_menu(there, which)]


def _in_the_menu(url: str, which: str) -> list[str]:
    """What is typed by those who have the menu before them."""
    where = f"{address.short(url)} {clean(which)}" if which else address.short(url)
    return [_("or in the menu, under “Join a game”:"), f"  {where}"]


def elsewhere(url: str) -> str:
    """The address at which other machines reach the server at `url`; `url` itself if they can't.

    That is so if it listens on this machine only, or if this machine is on no network.
    """
    lan = lan_address() if _is_local(url) else None
    if lan is None or not _listens(lan, urlsplit(url).port):
        return url
    return url.replace("127.0.0.1", lan).replace("localhost", lan)


def command(name: str, url: str, link: str | None = None) -> str:
    """The command line that starts `name` for the server at `url`, or for a match there, as it is typed here."""
    where = address.short(url) if link is None else address.with_invitation(url, link)
    return f"{program()} {name} {shlex.quote(where)}"


def _listens(host: str, port: int | None) -> bool:
    """Whether something takes connections there; `host` is an address of this machine, so the answer comes at once."""
    try:
        with socket.create_connection((host, port or 0), timeout=_HERE_S):
            return True
    except OSError:
        return False


async def enter(client: Client, make: type[Join | Watch], which: str) -> Ok:
    """Joins or watches by code, link or match id, whichever `which` looks like; raises Refused."""
    return await client.ask(make, **named(which))


def is_code(which: str) -> bool:
    """Whether this may be the code of a match."""
    return len(which) == CODE_LENGTH and which.isascii() and which.isalpha()


def named(which: str) -> dict[str, str]:
    """The field of `join` and `watch` that `which` is for: a code, a link or a match id."""
    if is_code(which):
        return {"code": which}
    if len(which) == LINK_LENGTH:
        return {"link": which}
    return {"match": which.lower()}


async def _join_waiting(client: Client, wish: Wish) -> str | None:
    """The first public match of that game with a free seat; if others are faster, the next one is tried."""
    tried = 0
    async for summary in listed(client, wish.game):
        if tried == _TRIED:
            break
        if summary.status != "waiting" or (wish.clock is not None and summary.clock != wish.clock):
            continue
        tried += 1
        try:
            return _match(await client.ask(Join, match=summary.match))
        except Refused as refusal:
            if refusal.code not in (ErrorCode.SEAT_TAKEN.value, ErrorCode.NO_SUCH_MATCH.value):
                raise
    return None


async def _invite(client: Client, wish: Wish, name: str) -> Seating:
    """A new match with the player who is connected as `name`."""
    game = wish.game or USUAL
    try:
        ok = await client.ask(
            Create, game=game, clock=wish.clock, public=not wish.private, seat=wish.seat, invite=(name,)
        )
    except Refused as refusal:
        if refusal.code != ErrorCode.NO_SUCH_PLAYER.value:
            raise
        raise ClientError(_("Nobody there is called {name}.").format(name=clean(name))) from refusal
    return Seating(_match(ok), (_("You play against {name}.").format(name=clean(name)),))


def _match(ok: Ok) -> str:
    if not isinstance(ok.match, str):
        raise Unreadable("ok: field `match` is missing")
    return ok.match


def _is_local(url: str) -> bool:
    return any(f"//{host}:" in url for host in ("127.0.0.1", "localhost", "[::1]"))
