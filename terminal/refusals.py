"""Why the rules refuse a move, in words; without the protocol, so that it is there in a browser too. Pure."""

from __future__ import annotations

from games.base import Game, Reason, refusal_words
from locales import N_, _, say
from terminal.text import clean

_MOVE_REFUSED: dict[str, str] = {
    Reason.NOT_A_MOVE: N_("“{move}” is not a move here."),
    Reason.OFF_BOARD: N_("{move} is not on the board."),
    Reason.OCCUPIED: N_("{move} is taken already."),
    Reason.FORBIDDEN: N_("The rules don't allow {move} here."),
    Reason.GAME_OVER: N_("The game is over."),
}


def move_refused(game: Game | None, move: str, reason: str) -> str:
    """Why `move` can't be played in `game`, if that is known; by the code of a refusal, perhaps of a newer server."""
    if game is not None and (own := refusal_words(game, reason, clean(move))):
        return say(own)
    return _(_MOVE_REFUSED.get(reason) or _MOVE_REFUSED[Reason.FORBIDDEN]).format(move=clean(move))
