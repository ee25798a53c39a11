"""One name for all of Arbitre's modules, where they lie in a checkout as well: `from arbitre import games`.

The author of a bot imports `arbitre.games` and nothing else of ours, and has every other name for their own modules.
What is installed is called so already. In a checkout our modules import each other as `games` or `bots`; here they are
loaded once more, as `arbitre.games`, and get an `import` of their own that takes these names for ours. So two modules
`games` may be in one process: ours never asks for theirs, and theirs never meets ours.

This module imports only what starts fast, and parses on Python 3.8: the process of a pupil's file begins with it.
"""

from __future__ import annotations

import builtins
import os
import sys
from importlib.machinery import ModuleSpec, SourceFileLoader
from typing import Any

NAME = "arbitre"

PACKAGES = (
    "bots",
    "client",
    "games",
    "league",
    "locales",
    "machine",
    "page",
    "processes",
    "protocol",
    "school",
    "server",
    "services",
    "terminal",
    "view",
)
"""Our packages: all that is found below `NAME`."""


class Loader(SourceFileLoader):
    """Loads a module of ours that imports others of ours, whatever else has their names."""

    def exec_module(self, module: Any) -> None:
        """Runs the module, with its own `import`."""
        vars(module)["__builtins__"] = _BUILTINS
        super().exec_module(module)


class Finder:
    """Finds the modules below `NAME` in a folder.

    loader: the class that loads them; Python older than 3.10 needs another one (`bots.adapters.pupils.older`).
    """

    def __init__(self, folder: str) -> None:
        self.folder = folder
        self.loader: Any = Loader

    def find_spec(self, fullname: str, path: object = None, target: object = None) -> ModuleSpec | None:
        """As `importlib` asks it."""
        del path, target
        top, _, inside = fullname.partition(".")
        if top != NAME or (inside and inside.partition(".")[0] not in PACKAGES):
            return None
        if not inside:
            whole = ModuleSpec(NAME, None, is_package=True)
            whole.submodule_search_locations = [self.folder]
            return whole
        place = os.path.join(self.folder, *inside.split("."))  # noqa: PTH118 - pathlib would take a tenth of the start
        package = os.path.join(place, "__init__.py")  # noqa: PTH118
        if os.path.isfile(package):  # noqa: PTH113
            return self._spec(fullname, package, [place])
        return self._spec(fullname, f"{place}.py", None) if os.path.isfile(f"{place}.py") else None  # noqa: PTH113

    def _spec(self, fullname: str, path: str, places: list[str] | None) -> ModuleSpec:
        spec = ModuleSpec(fullname, self.loader(fullname, path), origin=path, is_package=places is not None)
        if places is not None:
            spec.submodule_search_locations = places
        spec.has_location = True
        return spec


def open_namespace(folder: str) -> Finder:
    """Lets this process import `arbitre.games` and the others from a folder; returns what finds them."""
    finder = Finder(folder)
    sys.meta_path.insert(0, finder)
    return finder


def seclude(folder: str) -> Finder:
    """As `open_namespace`, for a process that runs the code of others; also takes our folder off `sys.path`."""
    real = os.path.realpath(folder)
    sys.path[:] = [place for place in sys.path if os.path.realpath(place) != real]
    return open_namespace(folder)


def _import(name: str, globals_: Any = None, locals_: Any = None, names: Any = (), level: int = 0) -> Any:
    """What `import` does in a module of ours."""
    top = name.partition(".")[0]
    if level or top not in PACKAGES:
        return builtins.__import__(name, globals_, locals_, names, level)
    found = builtins.__import__(f"{NAME}.{name}", globals_, locals_, names, 0)
    return found if names else sys.modules[f"{NAME}.{top}"]


_BUILTINS = {**vars(builtins), "__import__": _import}
