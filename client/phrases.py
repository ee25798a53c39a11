"""The protocol's codes in words: why a move or a request is refused, how a match ended, what was offered. Pure."""

from __future__ import annotations

import math
from typing import assert_never

from client.board import clean
from client.errors import Refused, Untrusted
from client.session import MatchView
from games.base import Reason, Seat, ending_words
from locales import N_, _, endings, say
from protocol.bounds import OfferKind, SeatNumber
from protocol.errors import ErrorCode
from protocol.messages import Result
from protocol.values import RULED, ending_of

_MOVE_REFUSED = {
    Reason.NOT_A_MOVE: N_("“{move}” is not a move here."),
    Reason.OFF_BOARD: N_("{move} is not on the board."),
    Reason.OCCUPIED: N_("{move} is taken already."),
    Reason.FLIPS_NOTHING: N_("{move} would turn over no disc: every move must turn over at least one."),
    Reason.FORBIDDEN: N_("The rules don't allow {move} here."),
    Reason.COLUMN_FULL: N_("Column {move} is full."),
    Reason.GAME_OVER: N_("The game is over."),
}

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
    ErrorCode.SEAT_TAKEN: N_("Both seats of this match are taken; you may watch it."),
    ErrorCode.BAD_RULES: N_("The server does not know this game or this clock."),
    ErrorCode.BAD_NAME: N_("This name can't be used: letters of one script, digits and spaces, 24 at most."),
    ErrorCode.NAME_TAKEN: N_("Somebody there has this name, or one that looks like it."),
    ErrorCode.BAD_TOKEN: N_("The server has forgotten your earlier session: type the same command again."),
    ErrorCode.UNSUPPORTED_PROTOCOL: N_("The server speaks another version of the protocol: update Arbitre."),
    ErrorCode.SHUTTING_DOWN: N_("The server is closing."),
    ErrorCode.SERVER_FULL: N_("The server is full: try again later."),
    ErrorCode.KICKED: N_("An organiser has sent you away."),
    ErrorCode.PAUSED: N_("The game is paused."),
    ErrorCode.PASSWORD_REQUIRED: N_("This server asks for a password: give the right one in ARBITRE_PASSWORD."),
}


_LONGEST_WAIT_MS = 60_000
"""What a server may ask somebody to wait; a longer time is not ours, and not repeated."""

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


def move_refused(move: str, reason: Reason) -> str:
    """Why `move` can't be played."""
    return _(_MOVE_REFUSED[reason]).format(move=clean(move))


def refused(refusal: Refused, move: str = "") -> str:
    """What the server refused, and why; `move` is what was tried, if it was a move."""
    if refusal.code == ErrorCode.ILLEGAL_MOVE.value:
        why = refusal.data.get("why")
        reason = next((reason for reason in Reason if reason.value == why), Reason.NOT_A_MOVE)
        return move_refused(move, reason)
    wait_ms = refusal.retry_after_ms or 0
    if refusal.code == ErrorCode.RATE_LIMITED.value and 0 < wait_ms <= _LONGEST_WAIT_MS:
        return _("Not so fast: try again in {seconds} s.").format(seconds=math.ceil(wait_ms / 1000))
    for code, text in _REFUSED.items():
        if refusal.code == code.value:
            return _(text)
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


def unreadable(what: str) -> str:
    """That the server says what can't be read, or can't be; `what` names the message, for who runs the server."""
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


def offered(what: OfferKind, name: str, *, asked: bool) -> str:
    """That the player called `name` offers something; `asked` if the reader is to answer."""
    match what:
        case "draw":
            text = _("{name} offers a draw.")
        case "takeback":
            text = _("{name} asks to take a move back.")
        case "rematch":
            text = _("{name} wants a rematch.")
        case _:
            assert_never(what)
    said = text.format(name=name)
    answer = _("Type yes or no.")
    return f"{said} {answer}" if asked else said


def ended(view: MatchView, result: Result) -> list[str]:
    """How the match ended, from where its reader sits; then the score, if the game counts."""
    lines = [_verdict(view, result)]
    counts = view.game.profile.look.counts
    if counts is not None and result.reason in RULED:
        first, second = result.score
        what = say(counts[1]).capitalize()
        lines.append(_("{what}: {first} to {second}.").format(what=what, first=first, second=second))
        if result.tournament_score is not None and result.tournament_score != result.score:
            first, second = result.tournament_score
            lines.append(
                _("Tournament score (empty squares to the winner): {first} to {second}.").format(
                    first=first, second=second
                )
            )
    return lines


def _verdict(view: MatchView, result: Result) -> str:
    if result.declined == "busy":
        return _("The invitation was declined: whoever was invited plays as many matches as they can. Try again later.")
    if result.winner is None:
        return _by_the_rules(view, result) or endings.nobody_won(result.reason)
    why = _why(view, result, result.winner)
    if view.seat is not None:
        who = _("You win") if view.seat == result.winner else _("You lose")
    else:
        who = _("{name} wins").format(name=name_of(view, result.winner))
    return _("{who}: {why}.").format(who=who, why=why)


def _why(view: MatchView, result: Result, winner: SeatNumber) -> str:
    loser = name_of(view, Seat(winner).other)
    match result.reason:
        case "resign" if view.seat == 3 - winner:
            return _("you resigned")
        case "timeout" if view.seat == 3 - winner:
            return _("you ran out of time")
        case reason if reason in RULED:
            return _by_the_rules(view, result) or endings.by_the_rules()
        case _:
            return endings.lost_by(result.reason, loser)


def _by_the_rules(view: MatchView, result: Result) -> str:
    """What the game says of how its rules ended it; "" if they did not, or not as this version of the game knows."""
    code = ending_of(result.reason, result.ending)
    words = None if code is None else ending_words(view.game, code, result.winner, result.score)
    return say(words) if words is not None else ""


def name_of(view: MatchView, seat: SeatNumber | Seat) -> str:
    """The name of who sits on `seat`, safe to show."""
    player = view.player(Seat(seat))
    return clean(player.name) if player is not None else _("(free seat)")
