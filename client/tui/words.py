"""The sentences around a board: which match it is, what is wrong with the connection, what happened, who is to move."""

from __future__ import annotations

import math

from client import explanations
from client.errors import ClientError, ConnectionLost, Refused
from client.people.controller import MatchController
from games.base import Game, Labels
from locales import _, ngettext
from terminal import phrases
from terminal.text import clean
from view.match import MatchView


def title(view: MatchView, at: int | None, unread: int) -> str:
    """The match in a line: its game and clock, who looks on, what was said, which position is looked at."""
    parts = [phrases.game_title(view.game)]
    if view.clock is not None:
        parts.append(phrases.clock_text(view.clock))
    if view.viewers:
        parts.append(ngettext("{count} watching", "{count} watching", view.viewers).format(count=view.viewers))
    if view.delay_ms:
        parts.append(late(view.delay_ms))
    if unread:
        parts.append(ngettext("{count} new message", "{count} new messages", unread).format(count=unread))
    if at is not None:
        parts.append(_("move {ply} of {count}").format(ply=at, count=view.ply))
    return " " + " | ".join(parts)


def late(delay_ms: int) -> str:
    """By how much the spectators' view of a match is delayed."""
    return _("seen {seconds} s late").format(seconds=round(delay_ms / 1000))


def banner(controller: MatchController, ended: ClientError | None) -> str:
    """What is wrong with the connection, and for how long we try to reconnect; "" if nothing is wrong."""
    if ended is not None:
        return " " + clean(explanations.explain(ended).partition("\n")[0])
    if not controller.away:
        return ""
    if controller.view is not None and controller.view.result is not None:
        return " " + _("The server is gone. The game is over: you can still save or review it.")
    left = controller.until - controller.now()
    if math.isinf(left):
        return " " + _("The connection is lost. Trying to come back ...")
    minutes, seconds = divmod(max(0, round(left)), 60)
    if controller.closing is not None:
        text = _("The host has stopped the server. Waiting for it: {left}")
    else:
        text = _("The connection is lost. Trying to come back: {left}")
    return " " + text.format(left=f"{minutes}:{seconds:02}")


def first_words(view: MatchView | None) -> str:
    """The first status of a match that has already begun: its last move."""
    if view is None or view.status == "waiting" or not view.moves:
        return ""
    return _("Last move: {move}.").format(move=view.moves[-1])


def status(view: MatchView, told: str, *, together: bool, typed: str, holds: bool) -> str:
    """What happened last, and whose turn it is. typed: of a move; holds: whether a piece is taken up."""
    if view.result is not None:
        return "\n".join(phrases.ended(view, view.result))
    if view.status == "waiting":
        return _("Waiting for the other player.")
    if view.status == "paused":
        return _("The clocks stand still.")
    if holds and (view.my_turn or together):
        turn = _("Where to? Enter sets it down.")
    elif typed and (view.my_turn or together):
        turn = _("{typed}: Enter plays it.").format(typed=typed)
    elif view.my_turn:
        turn = _("Your turn.") if view.ply > 1 else how_to_move(view.game)
    else:
        turn = _("{name} is to move.").format(name=phrases.name_of(view, view.to_move))
    return f"{told}\n{turn}" if told else turn


def how_to_move(game: Game) -> str:
    """That it is the reader's turn, for their first move: with the keys that play."""
    if game.profile.look.labels is Labels.COLUMNS:
        return _("Your turn. 1 to {last} play, or a click.").format(last=min(game.width, 9))
    return _("Your turn. Arrows and Enter play, or a click.")


def refusal(error: ClientError, move: str = "", game: Game | None = None) -> str:
    """Why something was not done; `move` of `game` is what was tried, if it was a move."""
    if isinstance(error, Refused):
        return explanations.refused(error, move, game)
    if isinstance(error, ConnectionLost):
        return _("The connection broke before the answer came: see whether it was done.")
    return clean(explanations.explain(error))
