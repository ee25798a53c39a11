"""The modules of a bot's folder that have names of Python's own modules: `random.py`, `queue.py`, `types.py` ...

A file of that folder that says `import random` gets its neighbour, as it would if Python ran it directly. Our modules,
and the libraries that the file uses, get Python's own. So the neighbours are kept in a package, and `import` depends on
the file that asks. No file can replace a module that is built in or that Python needs to start (`sys`, `time`, `os`).
"""

import builtins
import os
import sys
from collections.abc import Collection
from pathlib import Path
from types import ModuleType
from typing import Any, cast

from bots.adapters.pupils.trouble import Sources

PACKAGE = "_beside"
"""The package below which they are kept if the folder is no package itself."""

_STARTED: Collection[str] = (
    "abc", "codecs", "encodings", "genericpath", "importlib", "io", "ntpath", "os", "posixpath", "site", "stat",
)  # fmt: skip
"""The modules that are imported while Python starts, and are not built in."""

_IMPORT = builtins.__import__


def names_of_python() -> frozenset[str]:
    """The names of all modules in the running Python's own library."""
    known = getattr(sys, "stdlib_module_names", None)  # from Python 3.10 on
    if known is None:
        library = Path(os.__file__).parent
        places = (library, *library.glob("lib-dynload"))
        known = [path.name.partition(".")[0] for place in places for path in place.iterdir()]
    return frozenset(known).union(sys.builtin_module_names)


def find_names(folder: Path) -> frozenset[str]:
    """The names of the modules and packages in a folder that may replace modules of Python's own library."""
    there = {path.stem for path in folder.glob("*.py")}
    there.update(path.parent.name for path in folder.glob("*/__init__.py"))
    return frozenset(there & names_of_python()).difference(sys.builtin_module_names, _STARTED)


def put_first(names: Collection[str], folder: Path, package: str, sources: Sources) -> None:
    """Lets the files of `sources` import the modules `names` from their folder; keeps these below `package`."""
    if package not in sys.modules:
        whole = ModuleType(package)
        vars(whole)["__path__"] = [str(folder)]
        sys.modules[package] = whole

    def find(name: str, globals_: Any = None, locals_: Any = None, parts: Any = (), level: int = 0) -> Any:
        top = name.partition(".")[0]
        asker = str((globals_ or {}).get("__file__", ""))
        # A random.py that says `import random` means Python's: what else could it need?
        if level or top not in names or not sources.holds(asker) or asker == str(folder / f"{top}.py"):
            return _IMPORT(name, globals_, locals_, parts, level)
        found = _IMPORT(f"{package}.{name}", globals_, locals_, parts, 0)
        return found if parts else sys.modules[f"{package}.{top}"]

    builtins.__import__ = cast("Any", find)  # its parameters have other names, but Python passes them by position
