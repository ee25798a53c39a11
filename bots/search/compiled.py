"""The compiled searches: whether they can be used, where their machine code is kept, how to compile it.

A compiled module (a value of `COMPILED`) is Python whose functions become machine code when the module is imported:
numba compiles them, which takes seconds, or they are read from the object file that an earlier process wrote, which
takes milliseconds. So nobody imports one at the top of a module; `load` does it for those who need it, and gives None
where numba is missing.

One process compiles a module: others that want it compile what else they want, or wait, and read what it wrote. Where
memory is short, one process at a time compiles.

Object files are kept in the user's cache folder, in a subfolder named after a hash of the sources. NUMBA_CACHE_DIR,
where it is set, comes first.
"""

import atexit
import hashlib
import os
import platform
import shutil
import sys
import tempfile
import threading
from collections.abc import Callable, Generator, Iterable, Mapping
from contextlib import contextmanager, suppress
from functools import lru_cache
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import IO, Any

from bots.search.accelerators import ACCELERATORS
from locales import _
from machine import folders, locks, memory, modules

COMPILED: Mapping[str, str] = {
    **{name: each.compiled for name, each in ACCELERATORS.items()},
    "threats": "bots.search.fast_threats",
}
"""Id of a game, or name of a search -> the module that is compiled when it is imported."""

SECONDS: Mapping[str, int] = {**{name: each.seconds for name, each in ACCELERATORS.items()}, "threats": 3}
"""About how long each takes to compile, on a machine that does nothing else: what a user is told."""

_VERSIONS_KEPT = 4


COLD_BYTES, WARM_BYTES = 320 << 20, 120 << 20
"""Memory that compiling takes, and reading what was compiled: measured at 263 and 75 MB, all modules together."""

ADDRESSES = 640 << 20
"""Address space that either takes: 480 MB were measured."""


def is_installed() -> bool:
    """Whether numba is installed; it is not imported for the answer."""
    return find_spec("numba") is not None


def is_available() -> bool:
    """Whether numba is installed, and this process has memory for it; it is not imported for the answer."""
    return is_installed() and _has_room()


@lru_cache(maxsize=1)
def _has_room() -> bool:
    """Whether the machine code fits into memory; asked once, since LLVM ends a process that has too little.

    What is loaded stays: the answer may not change while a match is played.
    """
    if "numba" in sys.modules:
        return True
    return fits_memory(is_ready=all(map(is_ready, COMPILED)))


def fits_memory(*, is_ready: bool) -> bool:
    """Whether there is memory to compile everything, or to load what is ready; what can't be known is no obstacle."""
    needed = WARM_BYTES if is_ready else COLD_BYTES
    available = memory.available_bytes()
    return (available is None or available >= needed) and _has_addresses()


def _has_addresses() -> bool:
    """Whether there is address space for LLVM, which can't even be imported without it."""
    left = memory.addresses_left()
    return left is None or left >= ADDRESSES


_importing = threading.RLock()
_loaded: dict[str, ModuleType] = {}


def load(game: str, *, wait: bool = True) -> ModuleType | None:
    """The compiled module with this name in COMPILED, ready to be called; None without numba or without such a module.

    Takes milliseconds once there is an object file, and seconds before. wait: whether to wait for another process that
    compiles it; if not, raises BlockingIOError.
    """
    if game not in COMPILED or not is_available():
        return None
    if game in _loaded:
        return _loaded[game]
    try:
        with _importing:
            module = _read(game)
            if module is None:
                with _one_at_a_time(game, wait=wait):
                    module = _read(game) or _compile(game)
    except (MemoryError, ImportError):  # libraries also raise ImportError when memory is short
        return None
    _loaded[game] = module
    return module


def _read(game: str) -> ModuleType | None:
    """The module with the code of its object file; None if there is none for this processor."""
    from bots.search import machine, object_files

    file = _file(game)
    if file is None:
        return None
    try:
        code = object_files.read(file)
    except (OSError, object_files.ObjectFileError):
        return None
    with machine.reading(code):
        return modules.load(COMPILED[game])


def _compile(game: str) -> ModuleType:
    """The module, compiled; the next process finds its object file, if it can be written."""
    from bots.search import machine, object_files

    with machine.recording() as made:
        module = modules.load(COMPILED[game])
    if (file := _file(game)) is not None:
        with suppress(OSError):
            object_files.write(file, made)
    return module


def is_ready(game: str) -> bool:
    """Whether the module with this name in COMPILED was compiled on this machine, so that it need only be loaded."""
    if not is_installed() or not ("llvmlite" in sys.modules or _has_addresses()):
        return False
    from bots.search import object_files

    file = _file(game)
    return file is not None and object_files.is_whole(file)


def prepare(games: Iterable[str] = COMPILED, say: Callable[[str], None] | None = None) -> None:
    """Gets ready the modules with these names in COMPILED: what a bot does before it joins a match.

    say: is told, in a line for the user, that this takes long, or that there is too little memory.
    """
    wanted = tuple(games)
    if wanted and say is not None and is_installed() and not is_available():
        say(_("This machine has too little memory for the fast search: it searches in plain Python and sees less far."))
    cold = [game for game in wanted if not is_ready(game)]
    if cold and say is not None and is_available():
        seconds = sum(SECONDS[game] for game in cold)
        say(_("Compiling the fast search: only this first time, about {seconds} s ...").format(seconds=seconds))
    for game in cold:
        with suppress(BlockingIOError):  # somebody else compiles it, and there may be more to do
            load(game, wait=False)
    for game in wanted:
        load(game)


@lru_cache(maxsize=1)
def cache_folder() -> Path | None:
    """The folder of the machine code, which exists: the user's, or one for this process if that can't be written.

    None if no folder can be made: then each process compiles for itself, and keeps nothing.
    """
    given = os.environ.get("NUMBA_CACHE_DIR")
    folder = Path(given) if given else folders.cache() / "compiled" / _digest()
    try:
        if not given and not folder.exists():
            _forget_old(folder.parent)
        folder.mkdir(parents=True, exist_ok=True)
        _try_to_write(folder)
    except OSError:
        return _passing_folder()
    return folder


def _try_to_write(folder: Path) -> None:
    """Raises OSError if no file can be made there."""
    with tempfile.TemporaryFile(dir=folder):
        pass


def _passing_folder() -> Path | None:
    """A folder that is gone at the end of this process."""
    try:
        own = tempfile.mkdtemp(prefix="arbitre-compiled-")
    except OSError:
        return None
    atexit.register(shutil.rmtree, own, ignore_errors=True)
    return Path(own)


def _forget_old(folder: Path) -> None:
    """Removes the machine code of all but the latest versions: each change of a source makes a new folder."""
    if folder.is_dir():
        for old in sorted(folder.iterdir(), key=lambda each: each.stat().st_mtime)[:-_VERSIONS_KEPT]:
            shutil.rmtree(old, ignore_errors=True)


def _file(game: str) -> Path | None:
    """The object file of a module: for these sources, this numba, this machine."""
    folder = cache_folder()
    return None if folder is None else folder / f"{game}-{_digest()}-{_maker()}.code"


@lru_cache(maxsize=1)
def _maker() -> str:
    """A hash of what machine code depends on besides the sources: when it changes, the code is compiled again."""
    facts = (metadata.version("numba"), metadata.version("llvmlite"), sys.version, platform.node())
    return hashlib.sha256("\n".join(facts).encode()).hexdigest()[:16]


@contextmanager
def _one_at_a_time(game: str, *, wait: bool) -> Generator[None]:
    """Waits until no other process of this machine compiles this module into the same folder, or raises
    BlockingIOError. Where files can't be locked, each compiles for itself: object files are written in one step.
    """
    try:
        stream = _lock_file(game)
    except OSError:
        yield
        return
    with stream:  # closing it gives the lock back
        try:
            locks.lock(stream.fileno(), wait=wait)
        except OSError as error:
            if isinstance(error, BlockingIOError) and not wait:
                raise
        yield


def _lock_file(game: str) -> IO[bytes]:
    """The file that a process locks to compile a module: one for all modules if memory is short. Raises OSError."""
    folder = cache_folder()
    if folder is None:
        raise FileNotFoundError
    available = memory.available_bytes()
    is_short = available is not None and available < COLD_BYTES * len(COMPILED)
    return (folder / ("lock" if is_short else f"{game}.lock")).open("ab")


@lru_cache(maxsize=1)
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
