"""A client's errors in words: what the server refused, why there is no connection. Pure, except for the language."""

from __future__ import annotations

import math
from collections.abc import Mapping

from client.errors import (
    BadAnswer,
    ClientError,
    ConnectionLost,
    Garbled,
    HungUp,
    Kicked,
    NoProgress,
    NoServer,
    NotArbitre,
    Refused,
    Replaced,
    ServerFull,
    ServerGone,
    Silent,
    TurnedAway,
    Unreadable,
    Untrusted,
    ViewError,
)
from games.base import Game
from locales import N_, _
from machine.modules import program
from protocol.bounds import MAX_NAME
from protocol.errors import ErrorCode
from terminal.refusals import move_refused
from terminal.text import clean

_REFUSED = {
    ErrorCode.NOT_STARTED: N_("The game has not begun: the second player is still missing."),
    ErrorCode.NOT_YOUR_TURN: N_("It is not your turn."),
    ErrorCode.STALE_PLY: N_("The game went on in the meantime: look at the board again."),
    ErrorCode.GAME_OVER: N_("The game is over."),
    ErrorCode.NOT_OVER: N_("The game is not over yet."),
    ErrorCode.NOTHING_OFFERED: N_("There is no offer to answer."),
    ErrorCode.NOT_ALLOWED: N_("That is not possible now."),
    ErrorCode.TOO_EARLY: N_("It is too early for that: your opponent may still come back."),
    ErrorCode.TOO_LATE: N_("It is too late for that."),
    ErrorCode.TOO_LARGE: N_("That is too long."),
    ErrorCode.RATE_LIMITED: N_("Not so fast: the server asks you to slow down."),
    ErrorCode.NO_SUCH_MATCH: N_(
        "There is no such match: check its code or link. Or it is over, or somebody has the seat."
    ),
    ErrorCode.NO_SUCH_PLAYER: N_("Your opponent has left."),
    ErrorCode.NO_SUCH_LEAGUE: N_("There is no league with this code: check it."),
    ErrorCode.BAD_CODE: N_("This league asks for a personal code, and this is none of its: look at your card."),
    ErrorCode.NOT_YOURS: N_(
        "In this league the name belongs to somebody else. Choose another with --name; or, if it is yours, give the "
        "key that you entered with first (--key FILE), or ask whoever runs the league to give the name free."
    ),
    ErrorCode.OUT_OF_LEAGUE: N_("You are no longer in the league."),
    ErrorCode.HOST_AWAY: N_("Whoever runs this is away for a moment: try again."),
    ErrorCode.SWITCHED_OFF: N_("That is switched off on this server for now."),
    ErrorCode.SEAT_TAKEN: N_("Both seats of this match are taken; you may watch it."),
    ErrorCode.BAD_RULES: N_("The server does not know this game or this clock."),
    ErrorCode.BAD_NAME: N_("This name can't be used: letters of one script, digits and spaces, {most} at most."),
    ErrorCode.NAME_TAKEN: N_("Somebody there has this name, or one that looks like it."),
    ErrorCode.BAD_TOKEN: N_("The server has forgotten your earlier session: type the same command again."),
    ErrorCode.UNSUPPORTED_PROTOCOL: N_("The server speaks another version of the protocol: update Arbitre."),
    ErrorCode.SHUTTING_DOWN: N_("The server is closing."),
    ErrorCode.SERVER_FULL: N_("The server is full: try again later."),
    ErrorCode.HOUSE_BUSY: N_(
        "The bots of the house are all busy: end a game with one of them, or try again in a moment."
    ),
    ErrorCode.KICKED: N_("An organiser has sent you away."),
    ErrorCode.NO_SERVICE: N_("The server has nobody for that at the moment."),
    ErrorCode.BEING_PLAYED: N_("You or a neighbour may be playing this: ask again when the game is over."),
    ErrorCode.PAUSED: N_("The game is paused."),
    ErrorCode.PASSWORD_REQUIRED: N_("This server asks for a password: give the right one in ARBITRE_PASSWORD."),
}

_LONGEST_WAIT_MS = 60_000
"""The longest wait that people are told; Arbitre's own servers never ask for more."""

_SHOWN = 200
"""Characters of what a server said that are shown."""

_DISTRUST = {
    "self-signed certificate": N_("it has signed it itself"),
    "self signed certificate": N_("it has signed it itself"),
    "certificate has expired": N_("it has expired"),
    "Hostname mismatch": N_("it is for another address"),
    "IP address mismatch": N_("it is for another address"),
    "unable to get local issuer": N_("nobody known here has signed it"),
}
"""How OpenSSL's reasons begin (x509_txt.c) -> ours."""

_SAID: Mapping[type, str] = {
    Silent: N_("The server takes the connection and does not answer: check the address, or try again later."),
    HungUp: N_(
        "What answers at this address hangs up at once. The address of a server that encrypts starts with "
        "wss://, that of one that does not with ws://."
    ),
    TurnedAway: N_("The server ends each connection before it lets anybody in ({how})."),
    NoProgress: N_("The server lets us in and hangs up at once, again and again ({how})."),
    ServerFull: N_("The server is full: try again later."),
    BadAnswer: N_("What answers at this address is not an Arbitre server ({how})."),
    NotArbitre: N_("What answers at this address is not an Arbitre server."),
    ServerGone: N_("The server is gone."),
    ConnectionLost: N_("The connection broke before the answer came: see whether it was done."),
    Kicked: N_("An organiser has sent you away."),
    Replaced: N_("This session goes on in another window or on another machine."),
}
"""What is said of an error, or of one more general."""


def explain(error: ClientError) -> str:
    """One sentence for the user: what went wrong."""
    match error:
        case Refused():
            return refused(error)
        case NoServer():
            return _(
                "No server answers at {address}: check the address. To start one here and play:\n  {command}"
            ).format(address=error.url, command=f"{program()} play --host-here")
        case Untrusted():
            return untrusted(error)
        case Unreadable() | Garbled() | ViewError():
            return _unreadable(str(error))
        case _:
            pass
    for kind in type(error).__mro__:
        if kind in _SAID:
            return _(_SAID[kind]).format(how=clean(str(error)))
    return "\n".join(map(clean, str(error).splitlines()))


def refused(refusal: Refused, move: str = "", game: Game | None = None) -> str:
    """What the server refused, and why; `move` of `game` is what was tried, if it was a move."""
    if refusal.code == ErrorCode.ILLEGAL_MOVE.value:
        return move_refused(game, move, str(refusal.data.get("why")))
    wait_ms = refusal.retry_after_ms or 0
    if refusal.code == ErrorCode.RATE_LIMITED.value and 0 < wait_ms <= _LONGEST_WAIT_MS:
        return _("Not so fast: try again in {seconds} s.").format(seconds=math.ceil(wait_ms / 1000))
    for code, text in _REFUSED.items():
        if refusal.code == code.value:
            return _(text).format(most=MAX_NAME)
    return _("The server refuses that ({code}).").format(code=clean(refusal.code))


def untrusted(error: Untrusted) -> str:
    """Why the server's certificate is not accepted, and what can be done."""
    if error.pinned:
        return _(
            "The certificate of this server is not the one in the address: it has a new one, or somebody else answers. "
            "Ask whoever runs the server for its address."
        )
    return _(
        "This machine does not trust the certificate of the server ({reason}). If you know whose it is, take the "
        "address with #sha256=... that the server shows."
    ).format(reason=_distrust(str(error)))


def _unreadable(what: str) -> str:
    """The sentence for a message that can't be read or makes no sense; `what` names it for the server's operator."""
    return _(
        "The server says something that can't be read ({what}). It may be of a later version: update Arbitre, or tell "
        "whoever runs the server."
    ).format(what=clean(what)[:_SHOWN])


def _distrust(reason: str) -> str:
    """OpenSSL's reason in the reader's language, as far as it is one of the usual ones."""
    for start, text in _DISTRUST.items():
        if reason.startswith(start):
            return _(text)
    return clean(reason)
