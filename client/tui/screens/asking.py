"""What waits for the reader's answer in a match: a question of ours, an offer, a win to claim. Pure, except for texts.

It has a place of its own on the screen, so that nothing moves under the mouse when an offer comes.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from client.tui.widgets.buttons import Key
from client.tui.widgets.pointer import Pointer
from games.frame import move_name
from locales import N_, _, say
from protocol.bounds import OfferKind
from terminal.phrases import name_of
from view.match import MatchView

_OFFERS: dict[OfferKind, str] = {
    "draw": N_("{name} offers a draw."),
    "takeback": N_("{name} asks to take a move back."),
    "rematch": N_("{name} wants a rematch."),
}
_OWN: dict[OfferKind, str] = {
    "draw": N_("You offer a draw."),
    "takeback": N_("You ask to take your move back."),
    "rematch": N_("You want a rematch."),
}


class Question(NamedTuple):
    """What is asked, and the keys that answer; `yes` and `no` are actions of the screen.

    chooses: whether it takes a line, and its keys all others.
    """

    text: str
    keys: tuple[Key, ...]
    chooses: bool = False


NOTHING = Question("", ())


def yes_or_no(text: str, yes: str, no: str) -> Question:
    """A question with two answers."""
    return Question(text, (Key("y", yes, "yes"), Key("x", no, "no")))


def which_move(pointer: Pointer, beside: Question = NOTHING) -> Question:
    """The moves that are chosen by name: those that have the cells that were pressed, or no cell.

    beside: what else is asked; it waits while somebody chooses among moves that they have begun.
    """
    game, position = pointer.game, pointer.position
    keys = [
        Key(key, say(move_name(game, position, move)), f"choose({key!r})") for key, move in pointer.choice_keys.items()
    ]
    if beside is not NOTHING and not pointer.pressed:
        return Question(beside.text, (*keys, *beside.keys))
    if not keys:
        return beside
    return Question(_("Which one?") if pointer.pressed else _("Or:"), tuple(keys), chooses=True)


def question_of(view: MatchView, now: float) -> Question:
    """What the reader of a match may answer now: the most urgent of several."""
    offers = sorted(view.offers.items(), key=lambda offer: offer[1] == view.seat)
    for what, seat in offers:
        if view.seat is None:
            return Question(_(_OFFERS[what]).format(name=name_of(view, seat)), ())
        if seat == view.seat:
            return Question(_(_OWN[what]), (Key("x", _("Withdraw"), "no"),))
        return yes_or_no(_(_OFFERS[what]).format(name=name_of(view, seat)), _("Accept"), _("Decline"))
    return _absence(view, now)


def _absence(view: MatchView, now: float) -> Question:
    """Whether the reader may claim the win from an absent opponent, or in how long."""
    if view.seat is None or view.status != "playing" or view.claimable_at is None:
        return NOTHING
    name, seconds = name_of(view, view.seat.other), math.ceil(view.claimable_at - now)
    if seconds > 0:
        return Question(
            _("{name} is away. In {seconds} s you may claim the win.").format(name=name, seconds=seconds), ()
        )
    return Question(_("{name} is still away.").format(name=name), (Key("y", _("Claim the win"), "claim"),))
