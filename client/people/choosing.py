"""Where to play, when no server was named and none is on this machine: what was found on the network, and a choice.

Only a person chooses; a program is told what there is, and how to name it.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from client import address
from client.errors import AddressError, ClientError
from client.identity import names_kept
from client.people.discovery import Found, discover
from client.people.seating import command, is_code
from locales import _
from machine.modules import program
from protocol.messages import MatchSummary
from terminal.lines import ask
from terminal.phrases import clock_text, title_of
from terminal.text import clean

LEAVE: Final = ("q", "quit", "quitter")

MOST_GAMES: Final = 5
"""Games of one server that are listed."""


@dataclass(frozen=True, slots=True)
class Choice:
    """A server, and the match to join there: a code, a link or an id; None for whichever waits, or a new one."""

    url: str
    join: str | None = None


@dataclass(frozen=True, slots=True)
class Menu:
    """What was found, as lines; the choices have the numbers from 1."""

    lines: tuple[str, ...]
    choices: tuple[Choice, ...]


class Chooser:
    """Asks where to play, once: after a question for the password, the first choice still stands."""

    def __init__(self, *, looks: bool = True) -> None:
        self._looks = looks
        self._chosen: Choice | None = None

    async def choose(self, game: str | None, *, bound: bool, otherwise: ClientError) -> Choice | None:
        """Where to play; None if the person would rather leave.

        game: what they want to play. bound: whether the match is already given. Raises ClientError always for a
        program, and `otherwise` if there is nothing to choose from.
        """
        if self._chosen is None:
            if not self._looks:
                raise otherwise
            person = sys.stdin.isatty()
            _say([_("There is no server on this machine. Looking on your network ...")], to_person=person)
            self._chosen = await (_ask(game, bound=bound) if person else _tell(game, otherwise, bound=bound))
        return self._chosen


async def _ask(game: str | None, *, bound: bool) -> Choice | None:
    """Shows what is found until a choice is made."""
    while True:
        made = menu([found async for found in discover()], game, bound=bound)
        lines = [*made.lines] or [
            _("Nobody announces a server there. To start one here and play:\n  {command}").format(
                command=f"{program()} play --host-here"
            )
        ]
        _say(lines, to_person=True)
        while True:
            typed = await ask(
                _("Type a number, or the address that a host has told you; Enter looks again, q leaves.")
                if made.choices
                else _("Type the address that a host has told you; Enter looks again, q leaves.")
            )
            if typed is None or typed.strip().lower() in LEAVE:
                return None
            if not typed.strip():
                break
            try:
                return take(typed, made.choices)
            except AddressError as error:
                _say([str(error)], to_person=True)


async def _tell(game: str | None, otherwise: ClientError, *, bound: bool) -> Choice:
    """Tells a program what servers there are. Always raises ClientError."""
    made = menu([found async for found in discover()], game, bound=bound)
    if not made.lines:
        raise otherwise
    lines = [_("No server was named. On your network there is:"), *made.lines]
    if made.choices:
        first = made.choices[0]
        join = f" --join {first.join}" if first.join else ""
        lines.append(_("To play there:\n  {command}").format(command=command("play", first.url) + join))
    raise ClientError("\n".join(lines))


def take(typed: str, choices: Sequence[Choice]) -> Choice:
    """What somebody typed: a number of the menu, an address, or one and a code; raises AddressError.

    A code alone, in capitals as it is shown, belongs to the only server that was found; small letters may name a host.
    """
    text = typed.strip()
    if text.isascii() and text.isdigit() and len(text) < 4:
        if not 1 <= int(text) <= len(choices):
            raise AddressError(_("{number} is none of the numbers.").format(number=text))
        return choices[int(text) - 1]
    where, _space, code = text.partition(" ")
    if not code and is_code(where) and where.isupper():
        servers = list(dict.fromkeys(choice.url for choice in choices))
        if len(servers) == 1:
            return Choice(servers[0], where)
        raise AddressError(
            _("Which server? Type its address before the code, as 192.168.1.7:8765 {code}.").format(code=where)
        )
    if code and is_code(code.strip()):
        return Choice(address.parse(where), code.strip())
    place, join = address.split_invitation(text)
    return Choice(address.parse(place), join)


def menu(found: Sequence[Found], game: str | None = None, *, bound: bool = False) -> Menu:
    """The servers, each with the games that wait there; those that can't be reached stand last, with what helps.

    game: the only one that is wanted. bound: whether the match is already given, so that only a server is chosen.
    """
    lines: list[str] = []
    choices: list[Choice] = []

    def offer(choice: Choice, text: str) -> None:
        choices.append(choice)
        lines.append(f"  {len(choices):>2}  {text}")

    for server in sorted((one for one in found if one.glance is not None), key=lambda one: one.name):
        lines.append(heading(server))
        left = () if bound else left_games(server)
        for match in left:
            offer(Choice(server.url, match.match), left_game(match))
        waiting = () if bound else open_games(server, game)[:MOST_GAMES]
        for match in waiting:
            offer(Choice(server.url, match.match), open_game(match, server.now_ms))
        if not (waiting or left):
            offer(Choice(server.url), _("play there") if bound else _("nobody waits: open a game there"))
    away = sorted((one for one in found if one.glance is None), key=lambda one: one.name)
    lines += [heading(server) for server in away]
    if away:
        lines.append(unreachable())
    return Menu(tuple(lines), tuple(choices))


def heading(server: Found) -> str:
    """The line of a server: its name, its address, its round trip."""
    place = address.short(address.split_pin(server.url)[0])
    if server.glance is None:
        return _("{name} ({address}): found, but not reachable").format(name=server.name, address=place)
    text = _("{name} ({address}, {ms} ms)").format(name=server.name, address=place, ms=server.glance.rtt_ms)
    return _("{server}, with a password").format(server=text) if server.password else text


def open_games(server: Found, game: str | None = None) -> tuple[MatchSummary, ...]:
    """The games of a server that wait for a player."""
    lobby = None if server.glance is None else server.glance.lobby
    matches = () if lobby is None else lobby.matches
    return tuple(
        one for one in matches if one.status == "waiting" and game in (None, one.game, one.game.partition(":")[0])
    )


def left_games(server: Found) -> tuple[MatchSummary, ...]:
    """The public games of a server in which somebody from here has a seat, and is not connected."""
    lobby = None if server.glance is None else server.glance.lobby
    matches = () if lobby is None else lobby.matches
    names = names_kept(server.url) if matches else frozenset[str]()
    return tuple(
        match
        for match in matches
        if match.status in ("playing", "paused")
        and any(player is not None and not player.present and player.name in names for player in match.players)
    )


def left_game(match: MatchSummary) -> str:
    """A game that somebody from here has left, and can go on with."""
    names = " - ".join("?" if player is None else clean(player.name) for player in match.players)
    return _("your game goes on: {game}, {names}").format(game=title_of(match.game), names=names)


def open_game(match: MatchSummary, now_ms: int) -> str:
    """A game that waits: which, how long it is, who waits, since when."""
    names = ", ".join(clean(player.name) for player in match.players if player is not None) or "?"
    what = title_of(match.game)
    if match.clock is not None:
        what = f"{what}, {clock_text(match.clock)}"
    age_ms = now_ms - match.opened_ms
    if not match.opened_ms or age_ms < 0:
        return _("{game}: {name} waits").format(game=what, name=names)
    return _("{game}: {name} has been waiting for {time}").format(game=what, name=names, time=spell_age(age_ms))


def spell_age(age_ms: int) -> str:
    """How long ago something was: 20 s, 5 min, 3 h."""
    seconds = age_ms // 1000
    if seconds < 60:
        return _("{count} s").format(count=seconds)
    if seconds < 3600:
        return _("{count} min").format(count=seconds // 60)
    return _("{count} h").format(count=seconds // 3600)


def unreachable() -> str:
    """Advice for a network on which machines see each other's announcements, but can't connect."""
    return _(
        "Found, but not reachable: this network may keep its guests apart, or a firewall there lets nobody in. What "
        "helps: a cable, a hotspot of a phone for both, another of you as the host; or let the port in there."
    )


def _say(lines: Sequence[str], *, to_person: bool) -> None:
    from locales.folding import fold_for

    stream = sys.stdout if to_person else sys.stderr
    stream.write("".join(f"{fold_for(stream, line)}\n" for line in lines))
    stream.flush()
