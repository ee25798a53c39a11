"""The interfaces of the class documents, in the order in which we look for them, and what files are supplied with."""

import ast
import math
from collections.abc import Mapping, Sequence
from typing import Final

from bots.adapters.pupils.interfaces.base import Defined, Interface
from bots.adapters.pupils.interfaces.grids import CoupJoueur, GridPlay, JeuIA
from bots.adapters.pupils.interfaces.native import Choose, ChooseFrom
from bots.adapters.pupils.interfaces.players import METHOD, Player
from bots.adapters.pupils.interfaces.searches import Search, Strategy
from bots.adapters.pupils.supplied import adversarial, board, windows

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


def find_interfaces(defined: Defined) -> list[Interface]:
    """The interfaces of a file, best first."""
    found = (interface.find(defined) for interface in INTERFACES)
    return [interface for interface in found if interface is not None]


def supply(tree: ast.Module) -> Mapping[str, object]:
    """The names that a file may use without defining them: classes of the document whose functions it defines."""
    functions = {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}
    if METHOD in functions:
        return {"Board": board.Board}
    if functions.intersection((*Strategy.known, *Search.known)):
        return {**{name: getattr(adversarial, name) for name in _ADVERSARIAL}, "infinity": math.inf}
    return {}


_ADVERSARIAL = ("Game", "State", "Board", "TicTacToe", "ConnectFour", "k_in_row")
_BOARDS = ("board", "Board", "puissance4", "Puissance4")
_WINDOWS = ("tkinter", "tkinter.font", "tkinter.messagebox", "tkinter.simpledialog", "tkinter.ttk", "turtle")

INSTEAD: Final[Mapping[str, Mapping[str, object]]] = {name: windows.names() for name in _WINDOWS}
"""Name of a module -> its names: stand-ins that files get even where the module is installed."""

MISSING: Final[Mapping[str, Mapping[str, object]]] = {name: {"Board": board.Board} for name in _BOARDS}
"""Name of a module -> its names: modules that files get only if they have none of that name."""
