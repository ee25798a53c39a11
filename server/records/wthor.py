"""WTHOR, the database of tournament games of the Federation Francaise d'Othello, read. Pure.

Little endian. A header of 16 bytes: the date of the file (century, year, month, day), games (uint32), a number for the
files of names (uint16), the year of the games (uint16), board size (0 or 8), type (1: solitaires), depth, one byte that
is not used. Then 68 bytes a game: tournament, black, white (uint16, numbers of lines in the files of names), black's
discs with the empty squares to the winner, the same with best play, and 60 moves as 10 * row + column, 0 for none.
Passes are not written. Files of names (.JOU) have the same header, then 20 bytes a name.
Source: https://www.ffothello.org/wthor/Format_WThor.pdf
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from typing import BinaryIO, Final

from games import Othello
from server.records.compose import Claim, FoundGame, ImportRefusal, RefusedError

_HEADER: Final = struct.Struct("<4BIHHBBBx")
_GAME: Final = struct.Struct("<HHHBB60s")
_NAME: Final = 20
_CELLS: Final = 64
_OTHELLO: Final = Othello()


def read(stream: BinaryIO, names: Sequence[str] = ()) -> Iterator[tuple[int, FoundGame | RefusedError]]:
    """The games of a file, numbered from 1; in place of one that can't be taken stands its refusal.

    names: who the players are; without it they are called by their numbers. Raises RefusedError for a file that is not
    WTHOR or holds no games of Othello.
    """
    header = stream.read(_HEADER.size)
    if len(header) < _HEADER.size:
        raise RefusedError(ImportRefusal.UNREADABLE, "WTHOR")
    _, _, month, day, count, _, year, size, kind, _ = _HEADER.unpack(header)
    if month > 12 or day > 31 or year > 9999 or size not in (0, 8, 10):
        raise RefusedError(ImportRefusal.UNREADABLE, "WTHOR")
    if size == 10 or kind == 1:
        raise RefusedError(ImportRefusal.VARIANT, "10x10" if size == 10 else "solitaires")
    date_ms = _start_of(year)
    for number in range(1, count + 1):
        game = stream.read(_GAME.size)
        if len(game) < _GAME.size:
            yield number, RefusedError(ImportRefusal.TRUNCATED, f"{number - 1}/{count}")
            return
        try:
            yield number, _game(game, date_ms, names)
        except RefusedError as refusal:
            yield number, refusal
    if stream.read(1):
        yield count + 1, RefusedError(ImportRefusal.UNREADABLE, f"> {count}")


def read_names(stream: BinaryIO) -> list[str]:
    """The names of a .JOU file, in order."""
    stream.read(_HEADER.size)
    names: list[str] = []
    while len(name := stream.read(_NAME)) == _NAME:
        names.append(name.partition(b"\0")[0].decode("latin-1").strip())
    return names


def _game(content: bytes, date_ms: int, names: Sequence[str]) -> FoundGame:
    _, black, white, discs, _, squares = _GAME.unpack(content)
    played = squares.rstrip(b"\0")
    if discs > _CELLS:
        raise RefusedError(ImportRefusal.UNREADABLE, f"{discs} > {_CELLS}")
    moves = tuple(_cell(square, ply) for ply, square in enumerate(played))
    return FoundGame(_OTHELLO, (_name(black, names), _name(white, names)), date_ms, moves, Claim(2 * discs - _CELLS))


def _cell(square: int, ply: int) -> str:
    row, column = divmod(square, 10)
    if not (1 <= row <= 8 and 1 <= column <= 8):
        raise RefusedError(ImportRefusal.MOVE, f"{ply + 1}. {square}")
    return f"{'abcdefgh'[column - 1]}{row}"


def _name(number: int, names: Sequence[str]) -> str:
    return names[number] if number < len(names) and names[number] else f"WTHOR {number}"


def _start_of(year: int) -> int:
    """The first moment of a year in milliseconds since 1970; 0 if there is no year."""
    return int(datetime(year, 1, 1, tzinfo=UTC).timestamp()) * 1000 if year else 0
