"""What Arbitre's modules are called, and how one of them starts as a process: in a checkout, and installed.

In a checkout `games`, `server` and the others are folders beside each other, and are imported by these names. What is
installed is the one package `arbitre`, which holds them (`hatch_build.py`). Never write the name of one of our modules
as a string without `full_name` or `load`: they know which of the two it is.
"""

import sys
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Final

PREFIX: Final = __name__.removesuffix("machine.modules")
"""What stands before the names of our modules: nothing in a checkout, "arbitre." in what is installed."""

FOLDER: Final = Path(__file__).resolve().parents[1]
"""The folder of `games`, `server` and the others."""

IS_CHECKOUT: Final = (FOLDER / "arbitre.py").exists()
"""Whether this is the repository, and not what is installed of it."""

HOME: Final = FOLDER if IS_CHECKOUT else FOLDER.parent
"""The folder that has to be on `sys.path` where our modules are imported by their full names."""

_START: Final = (
    "import sys; sys.path[{place}:{place}] = [{home!r}]; "
    "from {prefix}machine import core; core.use(); "
    "from runpy import run_module; run_module({name!r}, run_name='__main__', alter_sys=True)"
)


def full_name(name: str) -> str:
    """The name by which the module `name` ("games.base") is imported here."""
    return PREFIX + name


def load(name: str) -> ModuleType:
    """The module `name` ("games.base"), imported if it is not yet."""
    return import_module(full_name(name))


def program() -> str:
    """How people call Arbitre here: from its folder, or installed."""
    return "python3 run.py" if IS_CHECKOUT else "arbitre"


def command(*words: str) -> list[str]:
    """The command that runs `arbitre WORDS` in a process of its own."""
    return module_command("arbitre", *words)


def module_command(name: str, *words: str) -> list[str]:
    """The command that runs the module `name` with its arguments in a process of its own, whatever folder it is in.

    It does not find us by a variable such as PYTHONPATH: programs of others that it starts would inherit the variable
    and see our modules.
    """
    full = name if IS_CHECKOUT or name == "arbitre" else f"arbitre.{name}"
    place = 0 if IS_CHECKOUT else "len(sys.path)"  # first in a checkout: another `games` may be installed
    return [sys.executable, "-P", "-c", _START.format(place=place, home=str(HOME), prefix=PREFIX, name=full), *words]
