"""What a reader can do in a match beside moving: a table of actions with their keys, in the order on the screen."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from client.tui.widgets.buttons import Key
from locales import N_, _
from protocol.bounds import MAX_OPENING
from view.match import MatchView


class Reader(NamedTuple):
    """How the reader sees a match. together: both players sit at this screen. away: the server can't be reached."""

    view: MatchView
    together: bool = False
    away: bool = False

    @property
    def plays(self) -> bool:
        """Whether the reader has a seat."""
        return self.together or self.view.seat is not None

    @property
    def runs(self) -> bool:
        """Whether the reader plays, and the game is not over."""
        return self.plays and self.view.status == "playing"

    @property
    def has_moved(self) -> bool:
        """Whether the reader has made a move that can be taken back."""
        seat = 1 if self.view.seat is None else self.view.seat
        return self.runs and self.view.ply >= seat

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self.view.status == "finished"

    @property
    def rematches(self) -> bool:
        """Whether the reader may ask for a rematch."""
        return self.plays and self.is_over and not self.away and self.view.next is None and all(self.view.players)


def _always(_reader: Reader) -> bool:
    return True


def _never(_reader: Reader) -> bool:
    return False


class Deed(NamedTuple):
    """An action of the screen: its key, its label, its name, and when it is offered.

    kept: when its place is kept meanwhile, so that keys don't move while somebody reaches for one with the mouse.
    """

    key: str
    label: str
    action: str
    shown: Callable[[Reader], bool]
    kept: Callable[[Reader], bool] = _never


def _may_take_over(reader: Reader) -> bool:
    over = reader.view.status in ("waiting", "finished")
    return reader.away and reader.view.seat is not None and not over and reader.view.ply <= MAX_OPENING


def _has_board(reader: Reader) -> bool:
    return reader.view.status != "waiting"


def _may_give(reader: Reader) -> bool:
    view = reader.view
    return reader.runs and not view.arranged and view.clock is not None and view.clock.initial_ms > 0


DEEDS = (
    Deed("F1", N_("Help"), "help", _always),
    Deed("F2", N_("Take back"), "takeback", lambda reader: reader.has_moved, lambda reader: reader.runs),
    Deed("F2", N_("Rematch"), "rematch", lambda reader: reader.rematches),
    Deed("F3", N_("Draw"), "draw", lambda reader: reader.runs and reader.view.ply > 1, lambda reader: reader.runs),
    Deed("F3", N_("Save"), "save", lambda reader: reader.is_over and reader.view.ply > 0),
    Deed("F4", N_("Resign"), "resign", lambda reader: reader.runs),
    Deed("F5", N_("Turn"), "flip", _has_board),
    Deed("F7", N_("Talk"), "talk", lambda reader: not reader.together and _has_board(reader)),
    Deed("F8", N_("+15 s"), "give", _may_give),
    Deed("F9", N_("Host it here"), "take_over", _may_take_over),
    Deed("F9", N_("Review"), "review", lambda reader: reader.is_over and reader.view.ply > 0),
    Deed("Esc", N_("Leave"), "leave", _always),
)
"""Two deeds may share a key if they are never offered at the same time."""


def keys_of(reader: Reader) -> list[Key]:
    """The keys that do something now, and those that soon will."""
    return [
        Key(deed.key, _(deed.label), deed.action, is_ready=shown)
        for deed in DEEDS
        if (shown := deed.shown(reader)) or deed.kept(reader)
    ]


def allows(reader: Reader, action: str) -> bool:
    """Whether an action does something now."""
    return any(deed.action == action and deed.shown(reader) for deed in DEEDS)
