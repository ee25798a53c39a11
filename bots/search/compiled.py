"""The door to the compiled searches: whether they are here, where their machine code is kept, how to make it ready.

A compiled module (a value of `COMPILED`) is Python whose functions numba turns into machine code when the module is
imported: importing it compiles, or loads what an earlier process compiled. So nobody imports one at the top of a
module; `load` does it for those who need it, and gives None where numba is missing. The functions of such a module are
made by `bots.search.machine`, the only module that imports numba.

The machine code is kept in the user's cache folder, in a subfolder named after a hash of the sources: numba itself does
not notice that a function which another one calls has changed. NUMBA_CACHE_DIR, where it is set, comes first.
"""

import atexit
import hashlib
import os
import shutil
import tempfile
from collections.abc import Iterable, Mapping
from functools import lru_cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Any

COMPILED: Mapping[str, str] = {
    "othello": "bots.search.fast_othello",
    "puissance4": "bots.search.fast_puissance4",
    "morpion": "bots.search.fast_morpion",
}
"""What there is to compile, by the id of its game -> the module that does it when it is imported."""

_VERSIONS_KEPT = 4


def is_available() -> bool:
    """Whether numba is installed; it is not imported for the answer."""
    return find_spec("numba") is not None


def load(game: str) -> ModuleType | None:
    """The compiled module for the game with this id, ready to be called; None without numba or without such a module.

    Takes milliseconds once it is in the cache, and seconds before.
    """
    if game not in COMPILED or not is_available():
        return None
    return import_module(COMPILED[game])


def prepare(games: Iterable[str] = COMPILED) -> None:
    """Compiles ahead for the games with these ids: what a bot does before it joins a match."""
    for game in games:
        load(game)


@lru_cache(maxsize=1)
def cache_folder() -> Path:
    """The folder of the machine code, which exists; one that goes with this process if the user's can't be written."""
    given = os.environ.get("NUMBA_CACHE_DIR")
    if given:
        return Path(given)
    from platformdirs import user_cache_path

    folder = user_cache_path("arbitre", appauthor=False) / "compiled" / _digest()
    try:
        if not folder.exists():
            _forget_old(folder.parent)
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return folder
    except OSError:
        own = tempfile.mkdtemp(prefix="arbitre-compiled-")
        atexit.register(shutil.rmtree, own, ignore_errors=True)
        return Path(own)


def _forget_old(folder: Path) -> None:
    """Removes the machine code of all but the latest versions: each change of a source makes a new folder."""
    if folder.is_dir():
        for old in sorted(folder.iterdir(), key=lambda each: each.stat().st_mtime)[:-_VERSIONS_KEPT]:
            shutil.rmtree(old, ignore_errors=True)


def _digest() -> str:
    """A hash of the sources that machine code is made from: all of this folder, since they use each other."""
    digest = hashlib.sha256()
    for path in sorted(Path(__file__).parent.glob("*.py")):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


STOP, NODES = 0, 1
"""The first words of every search's memory: not 0 ends the search; the positions that it entered."""


class Memory:
    """The words of a compiled search, and what Python code reads and writes there while it runs."""

    def __init__(self, words: Any) -> None:
        self.words = words

    @property
    def nodes(self) -> int:
        """Positions entered since the words were zeros."""
        return int(self.words[NODES])

    @property
    def stopped(self) -> bool:
        """Whether the search was told to stop."""
        return bool(self.words[STOP])

    def set_stopped(self, *, stopped: bool) -> None:
        """Stops the search from any thread, or lets it run again."""
        self.words[STOP] = stopped
