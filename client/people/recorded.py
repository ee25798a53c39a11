"""Games out of a file, to look at: our records (jsonl), GGF, the text that `export` writes, transcripts.

What `arbitre import` reads strictly is read generously here: a game is whatever its rules can play.

Errors: RecordedError    a file without a game that can be shown
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Final

import msgspec

import games
from games import GAMES, Game, GameError, ggf
from games.base import Position, position_after
from locales import _
from locales.system import reason
from protocol.values import Player, Result
from terminal.text import clean

MAX_BYTES: Final = 32 << 20
"""The most bytes of a file that is read here."""

MAX_GAMES: Final = 5000
"""Games of a file that are listed."""

_MOVES: Final = re.compile(r"\s*\d+ \w+\s?:")
_KIND: Final = re.compile(r" \(\w+\)$")
_PLAYERS: Final = 3
"""At least this many lines stand before the moves if the players are named."""


class RecordedError(Exception):
    """A file that can't be shown; says why in a sentence."""


@dataclass(frozen=True, slots=True)
class Recorded:
    """A game to be looked at: its rules, its moves from the start, who played it ("" if that is not known).

    result: as the record says it; None where only the rules can tell. match: its id, "" if it has none. opened_ms: its
    date, in milliseconds since 1970; 0 if that is not known.
    """

    game: Game
    moves: tuple[str, ...]
    names: tuple[str, str] = ("", "")
    result: Result | None = None
    match: str = ""
    opened_ms: int = 0

    def position(self, ply: int) -> Position:
        """The position after `ply` moves."""
        return position_after(self.game, self.moves[:ply])


class _Line(msgspec.Struct, frozen=True):
    """The fields of a line of jsonl that are read."""

    game: str
    moves: tuple[str, ...]
    players: tuple[Player | None, Player | None] = (None, None)
    result: Result | None = None
    match: str = ""
    opened_ms: int = 0


_line: Final = msgspec.json.Decoder(_Line)


def read_recorded(path: Path) -> list[Recorded]:
    """The games of a file, in its order; raises RecordedError."""
    try:
        if path.stat().st_size > MAX_BYTES:
            raise RecordedError(
                _("{file} is too large to be shown: {most} MB at most.").format(file=path.name, most=MAX_BYTES >> 20)
            )
        text = path.read_bytes().decode("utf-8-sig", "replace")
    except OSError as error:
        raise RecordedError(_("{file} can't be read: {reason}.").format(file=path, reason=reason(error))) from error
    found = list(islice(games_of(text), MAX_GAMES))
    if not found:
        raise RecordedError(
            _("{file} has no game in it that can be shown: it takes jsonl, GGF, text, or moves.").format(file=path.name)
        )
    return found


def games_of(text: str) -> Iterator[Recorded]:
    """The games in the text of a file; anything else in it is skipped."""
    if text.lstrip().startswith("{"):
        yield from _shown(map(_of_line, text.splitlines()))
    elif "(;" in text:
        yield from _shown(map(_of_ggf, _ggf_bodies(text)))
    elif any(map(_MOVES.match, text.splitlines())):
        yield from _shown(map(_of_text, text.split("\n\n")))
    else:
        yield from _shown(of_transcript(line) for line in text.splitlines() if line and not line.startswith("#"))


def of_transcript(text: str) -> Recorded | None:
    """A game of which only the moves are known, under rules that allow all of them.

    If several rules do, those are preferred that end the game there; among these, those of a usual board.
    """
    takers = []
    for game in _known():
        try:
            moves = game.parse_transcript(text)
        except GameError:
            continue
        if moves and (recorded := played(game, moves)) is not None:
            takers.append(recorded)
    over = [one for one in takers if position_after(one.game, one.moves).outcome() is not None]
    return next(iter(over or takers), None)


def _known() -> Iterator[Game]:
    """The games on their usual boards, then on the others that they list."""
    yield from (make() for make in GAMES.values())
    for make in GAMES.values():
        yield from map(games.parse, (*make.profile.boards, *make.profile.sizes))


def played(
    game: Game, moves: Iterable[str], names: tuple[str, str] = ("", ""), result: Result | None = None
) -> Recorded | None:
    """A game whose moves are legal; None if they are not."""
    known = tuple(moves)
    try:
        position_after(game, known)
    except GameError:
        return None
    return Recorded(game, known, names, result)


def _shown(found: Iterable[Recorded | None]) -> Iterator[Recorded]:
    return (one for one in found if one is not None)


def _of_line(line: str) -> Recorded | None:
    try:
        told = _line.decode(line)
        first, second = (clean(player.name) if player is not None else "" for player in told.players)
        found = played(games.parse(told.game), told.moves, (first, second), told.result)
        return None if found is None else replace(found, match=clean(told.match), opened_ms=told.opened_ms)
    except (msgspec.MsgspecError, GameError, RecursionError):
        return None


def _ggf_bodies(text: str) -> Iterator[str]:
    """What stands between "(;" and ";)", without what was begun and not ended; each character is read once."""
    for begun in text.split("(;")[1:]:
        body, end, _rest = begun.partition(";)")
        if end:
            yield body


def _of_ggf(body: str) -> Recorded | None:
    try:
        found = ggf.read(body)
    except GameError:
        return None
    if found is None:
        return None
    game, moves, (first, second) = found
    return played(game, moves, (clean(first), clean(second)))


def _of_text(block: str) -> Recorded | None:
    """A game as `export` writes it for people, in whatever language: the lines before the moves name the players."""
    lines = [line.strip() for line in block.splitlines() if line.strip()]
    at = next((number for number, line in enumerate(lines) if _MOVES.match(line)), None)
    spec = next((value for line in lines if (value := _value(line)) and _is_game(value)), None)
    if at is None or spec is None:
        return None
    first, second = ("", "") if at < _PLAYERS else (_name(lines[at - 2]), _name(lines[at - 1]))
    game = games.parse(spec)
    try:
        return played(game, game.parse_transcript(_value(lines[at])), (first, second))
    except GameError:
        return None


def _value(line: str) -> str:
    return line.partition(":")[2].strip()


def _name(line: str) -> str:
    return clean(_KIND.sub("", _value(line)))


def _is_game(text: str) -> bool:
    try:
        games.parse(text)
    except GameError:
        return False
    return True
