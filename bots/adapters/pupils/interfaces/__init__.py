"""The interfaces of the class documents, in the order in which we look for them, and what files are supplied with."""

import ast
import math
from collections.abc import Mapping, Sequence
from typing import Final

from bots.adapters.pupils.interfaces.base import Defined, Interface, fold
from bots.adapters.pupils.interfaces.grids import CoupJoueur, GridPlay, JeuIA
from bots.adapters.pupils.interfaces.native import Choose, ChooseFrom
from bots.adapters.pupils.interfaces.players import METHOD, Player
from bots.adapters.pupils.interfaces.searches import Search, Strategy
from bots.adapters.pupils.supplied import adversarial, board, notebook_names, windows

Kind = (
    type[CoupJoueur]
    | type[JeuIA]
    | type[Player]
    | type[GridPlay]
    | type[Choose]
    | type[ChooseFrom]
    | type[Strategy]
    | type[Search]
)

INTERFACES: Final[Sequence[Kind]] = (CoupJoueur, JeuIA, Player, GridPlay, Choose, ChooseFrom, Strategy, Search)
"""In the order in which we look for them in a file: the most specific names first. The first one found is used."""

ANY_GAME: Final = (Choose, ChooseFrom)
"""The interfaces that play every game; each of the others plays the games of its document."""

ROLES: Final = tuple(interface.name for interface in INTERFACES)
"""The names that may stand after the = of FILE#FUNCTION=INTERFACE."""

NAMES: Final = tuple(name for interface in INTERFACES for name in interface.known)
"""All names of functions and classes that tell their interface, best first."""


METHODS: Final = ("addMove", "allowsMove", "delMove", "isFull", "winsFor", "winFor", "is_terminal", "clear")
"""Methods that files use without defining them."""


def find_interfaces(defined: Defined) -> list[Interface]:
    """The interfaces of a file, best first."""
    found = (interface.find(defined) for interface in INTERFACES)
    return [interface for interface in found if interface is not None]


def others(names: Mapping[str, object], chosen: str) -> Sequence[str]:
    """The functions of a file, besides the one that was chosen, that could be asked for a move as well."""
    known = {fold(name) for name in NAMES}
    # A `player` that is no class makes strategies of searches; it can't be asked itself.
    found = [
        name
        for name, value in names.items()
        if callable(value) and fold(name) in known and (fold(name) != "player" or isinstance(value, type))
    ]
    return [name for name in found if chosen not in (name, f"{name}.{METHOD}", f"player({name})")]


def supply(tree: ast.Module) -> Mapping[str, object]:
    """The names that a file may use without defining them: classes of the document whose functions it defines."""
    nodes = list(ast.walk(tree))
    functions = {node.name for node in nodes if isinstance(node, ast.FunctionDef)}
    read = {node.id for node in nodes if isinstance(node, ast.Name)}
    given: dict[str, object] = {name: value for name, value in notebook_names.BUILT_IN.items() if name in read}
    if METHOD in functions:
        given["Board"] = board.Board
    elif functions.intersection((*Strategy.known, *Search.known)):
        given.update({name: getattr(adversarial, name) for name in _ADVERSARIAL}, infinity=math.inf)
    return given


_ADVERSARIAL = ("Game", "State", "Board", "TicTacToe", "ConnectFour", "k_in_row")
_BOARDS = ("board", "Board", "puissance4", "Puissance4")
_NOTEBOOKS = ("IPython", "IPython.core", "IPython.core.display", "IPython.display")
_WINDOWS = ("tkinter", "tkinter.font", "tkinter.messagebox", "tkinter.simpledialog", "tkinter.ttk", "turtle")

INSTEAD: Final[Mapping[str, Mapping[str, object]]] = {name: windows.names() for name in _WINDOWS}
"""Name of a module -> its names: stand-ins that files get even where the module is installed."""

MISSING: Final[Mapping[str, Mapping[str, object]]] = {
    **{name: {"Board": board.Board} for name in _BOARDS},
    **dict.fromkeys(_NOTEBOOKS, notebook_names.MODULE),
}
"""Name of a module -> its names: modules that files get only if they have none of that name."""
