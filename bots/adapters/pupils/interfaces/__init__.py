"""The interfaces of the class documents, in the order in which a file is asked for them, and what they are supplied."""

import ast
from collections.abc import Mapping, Sequence
from typing import Final

from bots.adapters.pupils.interfaces.base import Defined, Interface
from bots.adapters.pupils.interfaces.grids import CoupJoueur, GridPlay, JeuIA
from bots.adapters.pupils.interfaces.native import Choose

INTERFACES: Final[Sequence[type[CoupJoueur] | type[JeuIA] | type[GridPlay] | type[Choose]]] = (
    CoupJoueur,
    JeuIA,
    GridPlay,
    Choose,
)
"""In the order in which they are looked for in a file: the most particular names first. The first one found is used."""

ROLES: Final = tuple(interface.name for interface in INTERFACES)
"""What may stand after the = of FILE#FUNCTION=INTERFACE."""

NAMES: Final = tuple(name for interface in INTERFACES for name in interface.known)
"""Every name that is known by itself, best first."""


def find_interface(defined: Defined) -> Interface | None:
    """The interface of a file."""
    for interface in INTERFACES:
        found = interface.find(defined)
        if found is not None:
            return found
    return None


def supply(tree: ast.Module) -> Mapping[str, object]:
    """What a file may use without defining it."""
    del tree
    return {}


MODULES: Final[Mapping[str, Mapping[str, object]]] = {}
"""Name of a module -> its names, for files that come without it."""
