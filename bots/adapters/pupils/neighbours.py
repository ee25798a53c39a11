"""The modules of a bot's folder that are called as modules of Python: `random.py`, `queue.py`, `types.py` ...

Who runs a file of that folder gets these when it says `import random`, as Python alone would have it. Nobody else does:
neither we nor the libraries that it uses. So they are kept below another name, and `import` looks at who asks. What an
interpreter has in it, or needs to start (`sys`, `time`, `os`), can't be replaced by a file anywhere.
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
"""Below which they are kept, where the folder is no package itself."""

_STARTED: Collection[str] = (
    "abc", "codecs", "encodings", "genericpath", "importlib", "io", "ntpath", "os", "posixpath", "site", "stat",
)  # fmt: skip
"""What has been imported when Python has started, and is not built in."""

_IMPORT = builtins.__import__


def names_of_python() -> frozenset[str]:
    """The modules of the running Python's own library."""
    known = getattr(sys, "stdlib_module_names", None)  # from Python 3.10 on
    if known is None:
        library = Path(os.__file__).parent
        places = (library, *library.glob("lib-dynload"))
        known = [path.name.partition(".")[0] for place in places for path in place.iterdir()]
    return frozenset(known).union(sys.builtin_module_names)


def find_names(folder: Path) -> frozenset[str]:
    """The names of Python's own modules that modules and packages in a folder have as well, and may have."""
    there = {path.stem for path in folder.glob("*.py")}
    there.update(path.parent.name for path in folder.glob("*/__init__.py"))
    return frozenset(there & names_of_python()).difference(sys.builtin_module_names, _STARTED)


def put_first(names: Collection[str], folder: Path, package: str, sources: Sources) -> None:
    """From now on files of `sources` get the modules `names` of their folder; these are kept below `package`."""
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

    builtins.__import__ = cast("Any", find)  # its parameters are called otherwise; they are given by place
