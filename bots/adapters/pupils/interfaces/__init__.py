"""The interfaces of the class documents, in the order in which a file is asked for them, and what they are supplied."""

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
"""In the order in which they are looked for in a file: the most particular names first. The first one found is used."""

ANY_GAME: Final = (Choose, ChooseFrom)
"""Those that play every game; the others are of the documents, and of the games that these are about."""

ROLES: Final = tuple(interface.name for interface in INTERFACES)
"""What may stand after the = of FILE#FUNCTION=INTERFACE."""

NAMES: Final = tuple(name for interface in INTERFACES for name in interface.known)
"""Every name that is known by itself, best first."""


def find_interfaces(defined: Defined) -> list[Interface]:
    """The interfaces of a file, best first."""
    found = (interface.find(defined) for interface in INTERFACES)
    return [interface for interface in found if interface is not None]


def supply(tree: ast.Module) -> Mapping[str, object]:
    """What a file may use without defining it: classes of the document whose functions it has."""
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
"""Name of a module -> its names, for modules that no file is given, wherever they are installed."""

MISSING: Final[Mapping[str, Mapping[str, object]]] = {name: {"Board": board.Board} for name in _BOARDS}
"""The same for modules that a file imports and that do not stand beside it."""
