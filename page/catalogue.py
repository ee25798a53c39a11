"""What a page has to know of each game to offer it and to draw its board: all of it is in the game's own file. Pure."""

from __future__ import annotations

import json
from typing import Any

from games import GAMES
from games.base import Ending, Game, Option, Words


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
        "counts": look.counts is not None,
        "colours": [colours.cell, colours.first, colours.second, colours.hole],
        "endings": {ending.code: _ending(ending) for ending in profile.endings},
    }


def _option(option: Option) -> dict[str, Any]:
    return {
        "name": option.name,
        "label": _words(option.label or Words(option.name, option.name)),
        "default": option.default,
        "choices": option.choices,
        "values": [_words(words) for words in option.values],
    }


def _ending(ending: Ending) -> dict[str, Any]:
    return {
        "won": _words(ending.won),
        "drawn": None if ending.drawn is None else _words(ending.drawn),
        "level": None if ending.level is None else _words(ending.level),
    }


def _words(words: Words) -> dict[str, str]:
    return {"en": words.english, "fr": words.french}
