"""Finds the games and positions that letters name.

Errors: LetterError    there is none; the writer of the letter is told why
"""

from __future__ import annotations

from collections.abc import Sequence

import games
from games.base import Game, GameError, Position
from locales import _, phrase
from school.core import LetterError
from terminal.phrases import game_title


def rules_of(spec: str) -> Game:
    """The game with this specification; raises LetterError."""
    try:
        return games.parse(spec)
    except games.RulesError as error:
        raise LetterError("bad_position", phrase(error.phrase)) from error


def position_after(game: Game, moves: Sequence[str]) -> Position:
    """A position in which somebody is to move; raises LetterError."""
    position = game.start()
    try:
        for move in moves:
            position = position.play(move)
    except GameError as error:
        text = _("These moves lead nowhere by the rules of {game}.").format(game=game_title(game))
        raise LetterError("bad_position", text) from error
    if position.outcome() is not None:
        raise LetterError("bad_position", _("In this position the game is over already."))
    return position
