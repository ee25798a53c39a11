"""Shows values of a pupil's program, bounded in text and time, and without running code of theirs.

A board is found in the forms that programs of class have: rows of 0, 1, 2 or "X", "O"; one list or text of all cells; a
dictionary of cells; an object that holds one of these; a position of ours.
"""

from collections.abc import Sequence
from itertools import islice
from typing import Any

from bots.adapters.pupils.calls import LONGEST
from games.base import Game, Position

_SIGNS: "dict[Any, str]" = {
    **dict.fromkeys((0, None, "", " ", ".", "-", "_", "·", "0"), "-"),
    **dict.fromkeys((1, "X", "x", "1", "■"), "X"),
    **dict.fromkeys((2, -1, "O", "o", "2", "□"), "O"),
}
_ITEMS = 6
_DEEP = 3
_ATTRIBUTES = 20
_INSIDE = 2
"""How many levels of nested objects are opened to find a board."""


class Boards:
    """Finds the boards of a game in values."""

    def __init__(self, game: Game, position: Position) -> None:
        self._width, self._height = game.width, game.height
        self._kind = type(position)

    def cells(self, value: Any, inside: int = _INSIDE) -> str:
        """The cells of the board that a value is or holds, rows from the top; "" if there is none."""
        if isinstance(value, self._kind):
            return value.notation.split(" ")[0]
        if type(value).__module__ == "numpy" and hasattr(value, "tolist"):
            value = value.tolist()
        if isinstance(value, (list, tuple, str)):
            return self._of_rows(value)
        found = self._of_cells(value) if isinstance(value, dict) else ""
        attributes = getattr(value, "__dict__", None)
        if found or not inside or not isinstance(attributes, dict) or isinstance(value, type):
            return found
        for each in list(attributes.values())[:_ATTRIBUTES]:
            if found := self.cells(each, inside - 1):
                return found
        return ""

    def _of_rows(self, value: Sequence[Any]) -> str:
        rows = [row.tolist() if type(row).__module__ == "numpy" else row for row in value[: self._height + 1]]
        if len(value) == self._height and all(
            isinstance(row, (list, tuple, str)) and len(row) == self._width for row in rows
        ):
            return self._signs([cell for row in rows for cell in row])
        return self._signs(value) if len(value) == self._width * self._height > 1 else ""

    def _of_cells(self, value: "dict[Any, Any]") -> str:
        """The cells of a dictionary {(x, y): sign}; an empty one is a board only if it has an attribute `width`."""
        if len(value) > self._width * self._height or not (value or "width" in getattr(value, "__dict__", ())):
            return ""
        signs: list[Any] = [0] * (self._width * self._height)
        for key, sign in dict.items(value):
            if not (isinstance(key, tuple) and len(key) == 2 and all(type(part) is int for part in key)):
                return ""
            x, y = key
            if not (0 <= x < self._width and 0 <= y < self._height):
                return ""
            signs[y * self._width + x] = sign
        return self._signs(signs)

    @staticmethod
    def _signs(cells: Sequence[Any]) -> str:
        known = [_SIGNS.get(cell) if type(cell) in (int, str, type(None)) else None for cell in cells]
        return "" if None in known else "".join(map(str, known))


def brief(value: Any, deep: int = _DEEP) -> str:
    """A value as a short text."""
    kind = type(value)
    if kind in (bool, int, float, type(None)):
        text = repr(value) if kind is not int or abs(value) < 10**LONGEST else "…"
    elif kind is str:
        text = repr(value[:LONGEST])
    elif kind in (list, tuple, set, frozenset):
        left, right = ("[", "]") if kind is list else ("(", ")") if kind is tuple else ("{", "}")
        items = [brief(item, deep - 1) for item in islice(value, _ITEMS)] if deep else ["…"]
        more = ", …" if deep and len(value) > _ITEMS else "," if kind is tuple and len(value) == 1 else ""
        text = f"{left}{', '.join(items) if value else ''}{more}{right}"
    elif kind is dict:
        text = "{…}" if value else "{}"
    else:
        text = f"<{kind.__name__}>"
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"


def number_in(value: Any) -> "float | None":
    """The number that a value is, or has before something else, as in (value, move)."""
    if type(value) in (list, tuple) and 2 <= len(value) <= 3:
        value = value[0]
    is_number = type(value) is float or (type(value) is int and abs(value) < 10**15)
    return value if is_number else None
