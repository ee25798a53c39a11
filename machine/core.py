"""The compiled core: pure modules as extensions of C, made of the same sources by `run.py compile` or a wheel's build.

The extensions lie apart from the sources: in a checkout in `.venv/compiled`, in a wheel in `arbitre/compiled`. `use`
lets this process import them in place of the sources, all of them or none: if a source is not what was compiled any
more, or the extensions don't fit this Python, the plain modules run. `ARBITRE_CORE=plain` asks for these.

The manifest tells what was compiled. Its first line has the suffix of the extensions and the folder of this build; then
comes one line for each module: its name, and of its source the size, the time of its last change, and the SHA-256.
"""

import os
import sys
from collections.abc import Sequence
from enum import Enum
from importlib.machinery import EXTENSION_SUFFIXES, ExtensionFileLoader, ModuleSpec
from pathlib import Path
from types import ModuleType
from typing import Final, NamedTuple

from machine import modules

VARIABLE: Final = "ARBITRE_CORE"
"""The environment variable that says `plain` where the compiled core is not to run."""

GROUP: Final = "arbitre_core"
"""What the compiler calls all modules together."""

LIBRARY: Final = f"{GROUP}__mypyc"
"""The extension that holds the code of them all; each module's own only opens it."""

MANIFEST: Final = "manifest"


class State(Enum):
    """Which core runs in this process."""

    PLAIN = "plain"
    COMPILED = "compiled"
    OUTDATED = "outdated"
    """The plain one runs, since the compiled one is of other sources or for another Python."""


class Source(NamedTuple):
    """A source as it was when it was compiled."""

    size: int
    changed_ns: int
    sha256: str


class Manifest(NamedTuple):
    """What was compiled: the suffix of the extensions, the folder of the build, and each module's source."""

    suffix: str
    build: str
    sources: dict[str, Source]

    def text(self) -> str:
        """The manifest as its file holds it."""
        lines = [
            f"{self.suffix} {self.build}",
            *(f"{name} {' '.join(map(str, s))}" for name, s in self.sources.items()),
        ]
        return "\n".join(lines) + "\n"


def read_manifest(folder: Path) -> Manifest | None:
    """The manifest in `folder`; None if nothing was compiled there. Raises ValueError if it is damaged."""
    try:
        text = (folder / MANIFEST).read_text(encoding="utf-8")
    except OSError:
        return None
    first, *lines = text.splitlines()
    suffix, build = first.split(" ")
    sources: dict[str, Source] = {}
    for line in lines:
        name, size, changed, digest = line.split(" ")
        sources[name] = Source(int(size), int(changed), digest)
    return Manifest(suffix, build, sources)


def source_of(path: Path) -> Source:
    """A source as it is now."""
    import hashlib

    content = path.read_bytes()
    return Source(len(content), path.stat().st_mtime_ns, hashlib.sha256(content).hexdigest())


def path_of(root: Path, name: str) -> Path:
    """Where the source of the module `name` ("games.base") is below `root`."""
    return root.joinpath(*name.split(".")).with_suffix(".py")


def is_unchanged(path: Path, source: Source) -> bool:
    """Tell whether a source is what was compiled; its content decides where its time does not."""
    try:
        found = path.stat()
        if found.st_size != source.size:
            return False
        return found.st_mtime_ns == source.changed_ns or source_of(path).sha256 == source.sha256
    except OSError:
        return False


class Finder:
    """Finds the extensions of one build, if all sources below `root` still are what was compiled.

    It decides when the first of its modules is asked for, once for the process: that costs a look at every source.
    """

    def __init__(self, root: Path, folder: Path, manifest: Manifest) -> None:
        self.state: State | None = None
        self._root = root
        self._folder = folder / manifest.build
        self._manifest = manifest
        self._names = {modules.full_name(name): name for name in manifest.sources}

    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """As `importlib` asks it."""
        del target
        if fullname == LIBRARY:
            return self._spec(LIBRARY, LIBRARY)
        name = self._names.get(fullname)
        if name is None or not self._is_ours(name, path) or self.decide() is not State.COMPILED:
            return None
        return self._spec(fullname, name)

    def decide(self) -> State:
        """Which core runs, from now on."""
        if self.state is None:
            self.state = State.COMPILED if self._is_current() and self._is_loadable() else State.OUTDATED
        return self.state

    def _is_ours(self, name: str, places: Sequence[str] | None) -> bool:
        """Tell whether a package is ours, and not somebody's that is called like it."""
        package = os.path.realpath(path_of(self._root, name).parent)
        return any(os.path.realpath(place) == package for place in places or ())

    def _is_current(self) -> bool:
        if self._manifest.suffix != EXTENSION_SUFFIXES[0]:
            return False
        return all(is_unchanged(path_of(self._root, name), was) for name, was in self._manifest.sources.items())

    def _is_loadable(self) -> bool:
        try:
            __import__(LIBRARY)
        except ImportError:  # of another C library, or damaged
            return False
        return True

    def _spec(self, fullname: str, name: str) -> ModuleSpec:
        place = str(self._folder.joinpath(*name.split("."))) + self._manifest.suffix
        spec = ModuleSpec(fullname, ExtensionFileLoader(fullname, place), origin=place)
        spec.has_location = True
        return spec


def folder() -> Path:
    """Where the compiled core is, if there is one."""
    return modules.FOLDER / (".venv/compiled" if modules.IS_CHECKOUT else "compiled")


def use() -> None:
    """Let this process import the compiled core, if there is one; to be called before any of it is imported."""
    if os.environ.get(VARIABLE) == "plain" or _installed() is not None:
        return
    try:
        manifest = read_manifest(folder())
    except ValueError:
        return
    if manifest is not None and not any(modules.full_name(name) in sys.modules for name in manifest.sources):
        sys.meta_path.insert(0, Finder(modules.FOLDER, folder(), manifest))


def state() -> State:
    """Which core runs in this process."""
    finder = _installed()
    return State.PLAIN if finder is None else finder.decide()


def _installed() -> Finder | None:
    return next((finder for finder in sys.meta_path if isinstance(finder, Finder)), None)
