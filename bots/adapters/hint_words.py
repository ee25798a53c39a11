"""What a pupil is told of a likely mistake; `bots.adapters.pupils.hints` finds it."""

from collections.abc import Mapping, Sequence
from typing import Final

from locales import N_, _

_HINTS: Final[Mapping[str, str]] = {
    "changed": N_(
        "{0} changes the board that it is given. A match goes on with a copy, but its own search then sees another "
        "board: copy it first (copy.deepcopy), or undo each move."
    ),
    "swapped": N_("{0} would be legal: are x and y, or line and column, swapped?"),
    "from_one": N_("{0} would be legal: is it counted from 1 where 0 is the first?"),
    "from_zero": N_("{0} would be legal: is it counted from 0 where 1 is the first?"),
    "other_colour": N_("That would be a legal move of the other colour: it plays for {0} here."),
    "no_return": N_("None is what a function gives that ends without return: does one way through it lack it?"),
    "uncalled": N_("{0} is a function that is named and not called: ( ) are missing after it."),
    "uncalled_condition": N_("{0} is a function that is named and not called, which is always true: write {0}()."),
    "survives": N_("{0} still has its value of an earlier game of this process: set it anew when a game begins."),
    "too_deep": N_(
        "{0} calls itself with {1} up to {2}: each level more takes several times as long. Look less far ahead, or cut "
        "branches (alpha-beta)."
    ),
    "parameters": N_("write its first line as def {0}: because it is called with these values, in this order."),
    "unnamed": N_("{0} is not asked: call it choose(position), and return one of position.legal_moves()."),
    "unnamed_rows": N_(
        "{0} is not asked: call it choose_from({1}, moves). It is given the rows of the board (0, 1 and 2), who plays "
        "(1 or 2) and the legal moves, and returns one of them."
    ),
    "no_function": N_("it has no function that returns a move: begin it with def choose(position):"),
    "asked_above": N_("give {0} a value in the file itself, instead of asking for it."),
    "lower_word": N_("{0} begins with a capital: in Python this word is written {1}."),
    "spelled": N_("{0} is not {1}: for Python, capitals and _ count. Write {1}."),
    "meant": N_("{0} is not known: is {1} meant?"),
    "misnamed": N_("{0} is not asked: is {1} meant?"),
    "foreign": N_("{0} is written {1} in Python."),
    "in_class": N_("{0} stands in the class {1}, where nobody asks it: it has to stand outside of all classes."),
    "unimported": N_("{0} has to be imported: write import {0} on the first line."),
    "same_depth": N_("{0} calls itself without making {1} smaller: so it never comes to an end."),
}
"""By the first part of a hint; {0}, {1} ... are what follows."""


def hint_lines(hints: Sequence[Sequence[str]]) -> list[str]:
    """A line for each hint."""
    return [_("Perhaps: {hint}").format(hint=_(_HINTS[key]).format(*given)) for key, *given in hints if key in _HINTS]
