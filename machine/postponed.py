"""A module of Python that a library imports and hardly ever uses is loaded when somebody asks it for something.

`websockets` imports `importlib.metadata`, and with it the parser of e-mail, to learn its version if it is no
release: that takes 9 ms of the 115 of a processor that a bot needs to start.
"""

import sys
from importlib import import_module
from types import ModuleType
from typing import Any, Final

UNUSED: Final = "importlib.metadata"
"""What is imported and not used at each start of a client or server."""


class _StandIn(ModuleType):
    """Stands where the module is to be, and brings it when something of it is asked for."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") and name != "__path__":  # what tools look for in every module there is
            raise AttributeError(name)
        if sys.modules.get(self.__name__) is self:
            del sys.modules[self.__name__]
        return getattr(import_module(self.__name__), name)


def postpone(name: str = UNUSED) -> None:
    """Lets the next `import` of a package's module load nothing yet, unless it is loaded already."""
    if name not in sys.modules:
        package, _dot, own = name.rpartition(".")
        sys.modules[name] = _StandIn(name)
        setattr(import_module(package), own, sys.modules[name])
