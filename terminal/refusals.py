"""Why the rules refuse a move, in words; without the protocol, so that it is there in a browser too. Pure."""

from __future__ import annotations

from games.base import Reason
from locales import N_, _
from terminal.text import clean

_MOVE_REFUSED = {
    Reason.NOT_A_MOVE: N_("“{move}” is not a move here."),
    Reason.OFF_BOARD: N_("{move} is not on the board."),
    Reason.OCCUPIED: N_("{move} is taken already."),
    Reason.FLIPS_NOTHING: N_("{move} would turn over no disc: every move must turn over at least one."),
    Reason.FORBIDDEN: N_("The rules don't allow {move} here."),
    Reason.COLUMN_FULL: N_("Column {move} is full."),
    Reason.GAME_OVER: N_("The game is over."),
}


def move_refused(move: str, reason: Reason) -> str:
    """Why `move` can't be played."""
    return _(_MOVE_REFUSED[reason]).format(move=clean(move))
