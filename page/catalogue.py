"""What a page has to know of each game to offer it and to draw its board: all of it is in the game's own file. Pure."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from random import Random
from typing import Any, Final

from games import GAMES
from games.base import Ending, Game, Option, Piece, Words

_MOST_PLIES: Final = 200
"""The plies of the games that are played to see how moves are written: they must not delay a server's start."""

_COLUMN: Final = "[1-9]"
_CELL: Final = "[a-z][0-9]+"
_LETTER: Final = "[a-z]"


def described() -> bytes:
    """The games of the registry as JSON, for `/app/games.json`."""
    return json.dumps(
        {name: _described(kind()) for name, kind in GAMES.items()}, ensure_ascii=False, separators=(",", ":")
    ).encode()


def _described(game: Game) -> dict[str, Any]:
    profile = game.profile
    look, colours = profile.look, profile.look.colours
    return {
        "title": _words(profile.title or Words(game.id, game.id)),
        "options": [_option(option) for option in game.options],
        "labels": look.labels.value,
        "signs": look.ascii_glyphs[1:] if look.signs else "",
        "helps": look.helps,
        "row": row_of(game),
        "counts": look.counts is not None,
        "colours": [colours.cell, colours.first, colours.second, colours.hole, colours.other, colours.sign],
        "pieces": {piece.sign: _piece(piece) for piece in look.pieces},
        "endings": {ending.code: _ending(ending) for ending in profile.endings},
        "names": {name.text: _words(name.words) for name in profile.move_names},
        "refusals": {refusal.code: _words(refusal.words) for refusal in profile.refusals},
    }


def row_of(game: Game) -> str:
    """The pattern of one move where moves stand in a row; "" if they are not all alike, as c1 and c1d1.

    Other words, such as a pass, can't stand in a row, and say nothing; but where a move is one letter, they could be
    taken for a row.
    """
    moves = set(_moves(game))
    patterns = {pattern for move in moves if (pattern := _pattern(move))}
    if _LETTER in patterns and any(
        len(word) > 1 for word in (*moves, *(name.text for name in game.profile.move_names))
    ):
        return ""
    return patterns.pop() if len(patterns) == 1 else ""


def _moves(game: Game) -> Iterator[str]:
    """The legal moves in the positions of random games: later moves may be written otherwise than the first ones."""
    chance, position = Random(1), game.start()
    for _ in range(_MOST_PLIES):
        if not (legal := position.legal_moves()):
            position = game.start()
            continue
        yield from legal
        position = position.play(chance.choice(legal))


def _pattern(move: str) -> str:
    """The pattern of all moves written like `move`: a column, a letter, or a number of cells; "" for other words."""
    for pattern in (_COLUMN, _LETTER):
        if re.fullmatch(pattern, move):
            return pattern
    cells = re.findall(_CELL, move)
    if not cells:
        return ""
    return re.sub(_CELL, lambda _cell: _CELL, move)


def _option(option: Option) -> dict[str, Any]:
    return {
        "name": option.name,
        "label": _words(option.label or Words(option.name, option.name)),
        "default": option.default,
        "choices": option.choices,
        "values": [_words(words) for words in option.values],
    }


def _piece(piece: Piece) -> dict[str, Any]:
    return {"seat": int(piece.seat or 0), "glyph": piece.drawn, "name": _words(piece.name)}


def _ending(ending: Ending) -> dict[str, Any]:
    return {
        "won": _words(ending.won),
        "drawn": None if ending.drawn is None else _words(ending.drawn),
        "level": None if ending.level is None else _words(ending.level),
    }


def _words(words: Words) -> dict[str, str]:
    return {"en": words.english, "fr": words.french}
