"""The colours of a board in a terminal: those that its game names, fitted to a theme. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from games.base import Look

CSS_INK = "currentColor"
"""With this colour a game says that its pieces have the colour of text."""


class Ink(NamedTuple):
    """How characters are written; colours as #rrggbb, None for those of the terminal."""

    fg: str | None = None
    bg: str | None = None
    bold: bool = False
    reverse: bool = False


@dataclass(frozen=True, slots=True)
class Theme:
    """What a theme adds to a game's own colours.

    paper: the ground of boards whose pieces are signs. signs: the two signs. cursor, last, won, chosen, taken: the
    ground of marked cells. label: what stands around the board. contrast: whether every ground is paper, and pieces
    are dark, whatever the game says.
    """

    paper: str
    signs: tuple[str, str]
    cursor: str
    last: str
    won: str
    chosen: str
    taken: str
    label: str
    contrast: bool = False


DARK = Theme(
    paper="#27303a",
    signs=("#ffb454", "#59c2ff"),
    cursor="#e8b923",
    last="#7a8f2a",
    won="#d7408c",
    chosen="#2f86d6",
    taken="#c8553d",
    label="#8a949e",
)
LIGHT = Theme(
    paper="#e6e9ed",
    signs=("#b3410e", "#0b5fa5"),
    cursor="#f2b705",
    last="#b5c64c",
    won="#e0569b",
    chosen="#5aa7ee",
    taken="#f08a6e",
    label="#5c6670",
)
CONTRAST = Theme(
    paper="#ffffff",
    signs=("#000000", "#0000c8"),
    cursor="#ffd800",
    last="#9fe8ff",
    won="#ff7ad1",
    chosen="#8fd16a",
    taken="#ffa64d",
    label="#ffffff",
    contrast=True,
)


class TerminalColours(NamedTuple):
    """The colours of one board: both shades of its ground, the pieces, the inside of a ring, an empty hole."""

    ground: tuple[str, str]
    pieces: tuple[str, str]
    inner: str
    hole: str | None
    hint: str


@lru_cache(maxsize=64)
def colours_of(look: Look, theme: Theme) -> TerminalColours:
    """The colours of a board with this look, in a theme."""
    own = look.colours
    cell = theme.paper if look.signs or theme.contrast else own.cell
    first = theme.signs[0] if own.first == CSS_INK else own.first
    second = theme.signs[1] if own.second == CSS_INK else own.second
    if theme.contrast:
        first = blend(first, "#000000", 0.35)
        second = theme.signs[1] if look.signs else blend(second, "#000000", 0.75)
    shade = "#000000" if brightness(cell) > 0.35 else "#ffffff"
    chequered = "" if look.signs or theme.contrast else own.other
    ground = (cell, chequered or blend(cell, shade, 0.10 if theme.contrast else 0.07))
    inner = own.second if theme.contrast and own.second != CSS_INK else blend(second, cell, 0.55)
    hole = None if own.hole == "transparent" or theme.contrast else own.hole
    return TerminalColours(ground, (first, second), inner, hole, blend(cell, shade, 0.3))


@lru_cache(maxsize=512)
def blend(one: str, other: str, share: float) -> str:
    """`one` mixed with `other`, whose part in it is `share`."""
    mixed = (round(a + (b - a) * share) for a, b in zip(_parts(one), _parts(other), strict=True))
    return "#" + "".join(f"{part:02x}" for part in mixed)


def brightness(colour: str) -> float:
    """How light a colour is to people, from 0 to 1."""
    red, green, blue = _parts(colour)
    return (0.299 * red + 0.587 * green + 0.114 * blue) / 255


def _parts(colour: str) -> tuple[int, int, int]:
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)
