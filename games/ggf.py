"""Othello games in GGF, the Generic Game Format of the GGS server, as a text. Pure; the caller adds names and dates.

    (;GM[Othello]PC[Arbitre]PB[Ada]PW[Bea]RE[+2.000]TY[8]BO[8 ---...--- *]B[d3//1.250]W[c3//0.800]...;)

A move is a cell, an evaluation and the seconds that it took, both of which may be missing; passes are written. Source:
https://www.skatgame.net/mburo/ggsa/ggf
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import TypeGuard

from games.base import Game, Position, Seat
from games.othello import Othello

COLOURS = {"B": Seat.FIRST, "W": Seat.SECOND}
"""The property of a move -> who plays it."""

_LETTER = {seat: letter for letter, seat in COLOURS.items()}
_CELLS = str.maketrans("XO", "*O")
_PROPERTY = re.compile(r"([A-Za-z]{1,8})\s*\[([^\]]*)\]")
_SIDES = {str(size): size for size in range(4, 11, 2)}
_BRACKETS = str.maketrans("[];", "(),")


def writes(game: Game) -> TypeGuard[Othello]:
    """Whether games of this kind can be written."""
    return isinstance(game, Othello)


def write(
    game: Othello,
    moves: Sequence[str],
    properties: Iterable[tuple[str, str]] = (),
    seconds: Sequence[float | None] = (),
) -> str:
    """The game of `moves` from the start; raises IllegalMove.

    properties: names and values to stand before the board, in their order.
    seconds: what each move took, if that is known.
    """
    return "".join(
        (
            "(;GM[Othello]PC[Arbitre]",
            *(f"{name}[{value.translate(_BRACKETS)}]" for name, value in properties),
            f"TY[{game.size}]BO[{board(game)}]",
            *_moves(game.start(), moves, seconds),
            ";)",
        )
    )


def read(body: str) -> tuple[Othello, tuple[str, ...], tuple[str, str]] | None:
    """The rules, the moves and the names of what stands between "(;" and ";)"; None for boards that we don't have.

    Other properties are ignored, and nothing checks that the moves are legal. Raises IllegalMove for unreadable ones.
    """
    closed = body[: body.rfind("]") + 1]  # else each "[" behind it would be looked through to the end
    properties = [(name.upper(), value) for name, value in _PROPERTY.findall(closed)]
    known = dict(properties)
    side = _SIDES.get(known.get("TY", "8"))
    if side is None:
        return None
    game = Othello(size=side)
    words = (value.partition("/")[0].strip() for name, value in properties if name in COLOURS)
    moves = tuple(game.parse_move(word) for word in words if word.lower()[:2] not in ("pa", "--"))
    return game, moves, (known.get("PB", ""), known.get("PW", ""))


def board(game: Othello) -> str:
    """The position that a game starts from, as BO writes it: the size, the rows from the top, who moves."""
    cells, _, _ = game.start().notation.translate(_CELLS).partition(" ")
    rows = (cells[start : start + game.size] for start in range(0, game.cells, game.size))
    return f"{game.size} {' '.join(rows)} *"


def _moves(position: Position, moves: Sequence[str], seconds: Sequence[float | None]) -> Iterator[str]:
    for ply, move in enumerate(moves):
        took = seconds[ply] if ply < len(seconds) else None
        yield f"{_LETTER[position.to_move]}[{move}{'' if took is None else f'//{took:.3f}'}]"
        position = position.play(move)
        if position.passed is not None:
            yield f"{_LETTER[position.passed]}[PA]"
