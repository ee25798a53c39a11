"""Reads a position as documents and programs write it: one line of cells, lists of 0, 1, 2, or a board drawn in text.

    ---------------------------OX------XO--------------------------- X  our notation: X moves
    [[0, 0, 0], [0, 1, 0], [0, 2, 0]]                                   lists of rows, as programs print them
    X--/-O-/---                                                         rows, with / or a space between them
    1 · · · □ ■ · · ·                                                   rows with or without numbers
    | |X|O| |                                                           rows of cells between bars
    To move: ■                                                          below a board that we have drawn

Pure. Errors: RulesError    it is no position of the game; the phrase says what to write
"""

import re
from collections.abc import Iterator
from itertools import chain, takewhile

from games.base import Game, Position, RulesError, Seat, quote, with_side
from games.frame import frame_of

LONGEST = 20_000
"""No drawn board has more characters, with what stands below it."""

_MOVER = re.compile(r"(?P<cells>.*?)\s+(?P<mover>[XO])", re.DOTALL | re.IGNORECASE)
_MARKS = re.compile(r"[\[\]]")
_BELOW = re.compile(r"[^:]*: (?P<mover>\S+)(?P<rest>.*)")
_SIGNS = {
    **dict.fromkeys("-.·_0 ", "-"),
    **dict.fromkeys("Xx■●1", "X"),
    **dict.fromkeys("Oo□○2", "O"),
}
_SEATS = {**dict.fromkeys(("x", "1", "first"), Seat.FIRST), **dict.fromkeys(("o", "2", "second"), Seat.SECOND)}

SIDES = tuple(_SEATS)
"""The words for a side to move."""


def read_position(game: Game, text: str, side: str | None = None) -> Position:
    """The position that `text` shows; `side`, one of SIDES, is to move. Raises RulesError.

    If neither says who moves, it is the seat whose turn it would be without any pass since the start.
    """
    if len(text) > LONGEST:
        raise _refused(game, text)
    stripped = text.strip("\r\n")
    found = _whole(game, stripped)
    if found is None:
        cells, rest = _ours(game, stripped)
        cells = cells or _listed(game, stripped) or _drawn(game, stripped)
        if len(cells) != game.width * game.height:
            raise _refused(game, text)
        found = game.position(f"{cells} {rest or _next(game, cells)}")
    return found if side is None else with_side(game, found, seat_of(side))


def seat_of(side: str) -> Seat:
    """The seat that one of SIDES names."""
    return _SEATS[side]


def _whole(game: Game, text: str) -> Position | None:
    """The position of a line in the game's own notation, None if the text is no such line."""
    words = text.partition("%")[0].partition(";")[0].split()
    known = _signs(game)
    cells = "".join(known.get(sign, sign) if sign.isalnum() else sign for sign in "".join(words[:1]))
    line = " ".join([cells, *(word.upper() for word in words[1:2]), *words[2:]])  # what it remembers is as it writes it
    if not _MOVER.match(line) or len(line.split(" ")[0]) != game.width * game.height:
        return None
    return game.position(line)


def _signs(game: Game) -> dict[str, str]:
    """What a cell may be written as -> how a notation writes it."""
    pieces = game.profile.look.pieces
    return _SIGNS | _glyphs(game, ascii_only=False) | {piece.sign: piece.sign for piece in pieces}


def _glyphs(game: Game, *, ascii_only: bool) -> dict[str, str]:
    """What our boards show in a cell -> how a notation writes it."""
    look = game.profile.look
    signs = ("-", "X", "O", *(piece.sign for piece in look.pieces))
    return {look.cell(sign, ascii_only=ascii_only): sign for sign in signs}


def _ours(game: Game, text: str) -> tuple[str, str]:
    """The cells of a board that we have drawn, and what stands below it of who moves; "" for what is not there.

    Its labels say where the cells are, which may be numbers, too.
    """
    frame = frame_of(game)
    lines = [_MARKS.sub(" ", line).split() for line in text.splitlines()]
    for ascii_only in (False, True):
        known = _glyphs(game, ascii_only=ascii_only)
        for first in range(bool(frame.top), len(lines) - game.height + 1):
            rows = lines[first : first + game.height]
            if frame.top and "".join(lines[first - 1]) != "".join(frame.top):  # "9" and "10" touch each other
                continue
            if frame.left:
                if any(row[:1] != [label] for row, label in zip(rows, frame.left, strict=True)):
                    continue
                rows = [row[1:] for row in rows]
            if all(len(row) == game.width and known.keys() >= set(row) for row in rows):
                return "".join(known[glyph] for row in rows for glyph in row), _told(
                    lines[first + game.height :], _signs(game) | known
                )
    return "", ""


def _told(lines: list[list[str]], known: dict[str, str]) -> str:
    """Who is to move, and what a position remembers beside its cells, as a notation says it."""
    below = " ".join(chain.from_iterable(takewhile(bool, lines)))
    found = _BELOW.search(below)
    mover = known.get(found["mover"]) if found else None
    return f"{mover}{found['rest']}" if found and mover in ("X", "O") else ""


def _listed(game: Game, text: str) -> str:
    """The cells of lists of rows, "" if it is none."""
    known = {sign: cell for sign, cell in _signs(game).items() if sign not in " _·"}
    packed = re.sub(r"' '|\" \"", "0", text.strip())
    if not (packed.startswith("[") and packed.endswith("]")) or set(packed) - set(known) - set("[](),'\" \t\r\n"):
        return ""
    return "".join(known[sign] for sign in packed if sign in known)


def _drawn(game: Game, text: str) -> str:
    """The cells of a drawn board, or of a line of cells alone; what is no row of the board is passed over."""
    alone, known = text.strip(), _signs(game)
    if len(alone) == game.width * game.height and not set(alone) - set(known):
        return "".join(known[sign] for sign in alone)
    rows = re.split(r"[\s/]+", alone)
    if len(rows) == game.height and all(len(row) == game.width and not set(row) - set(known) for row in rows):
        return "".join(known[sign] for sign in "".join(rows))
    return "".join(row for line in text.splitlines() for row in _row(game, line))


def _row(game: Game, line: str) -> Iterator[str]:
    """The cells of a line, if they are as many as the board has columns."""
    packed, known = line.strip(), _signs(game)
    if "|" in line:
        signs = [sign.strip() or " " for sign in line.strip().strip("|").split("|")]
    elif len(packed) == game.width and not set(packed) - set(known):
        signs = list(packed)
    else:
        signs = line.split()
        if len(signs) == game.width + 1 and signs[0].isdigit():
            signs = signs[1:]
        if all(sign.isdigit() for sign in signs) and signs == [str(number + 1) for number in range(game.width)]:
            return
    if len(signs) == game.width and all(sign in known for sign in signs):
        yield "".join(known[sign] for sign in signs)


def _next(game: Game, cells: str) -> str:
    """Who moves on a board if nobody has passed."""
    start = game.start().notation.split(" ")[0]
    played = sum(cell != "-" for cell in cells) - sum(cell != "-" for cell in start)
    return "XO"[played % 2]


def _refused(game: Game, text: str) -> RulesError:
    return RulesError(
        "a position of {game} is {height} rows of {width} cells (X, O, -; or 1, 2, 0), or one line of them, not {text}",
        game=game.spec,
        height=game.height,
        width=game.width,
        text=quote(" ".join(text.split())),
    )
