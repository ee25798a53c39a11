"""Reads a pupil's file in: whatever its encoding, with the modules of its own folder, and as far as it goes.

A file that asks the keyboard, fails or takes too long at its top level has often defined all that is needed by then
(a game that starts by itself, a test at its end): what it had defined is kept, and the trouble is told.
"""

import ast
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib.machinery import FileFinder, ModuleSpec, SourceFileLoader
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any, cast

from bots.adapters.pupils.facts import Place, Trouble
from bots.adapters.pupils.stage import Asked, Done, Outcome, Raised, Slow, Stage
from bots.adapters.pupils.trouble import Sources, decode
from locales.system import reason

_OURS = ("bots", "client", "games", "league", "locales", "protocol", "server")
_ROOT = Path(__file__).resolve().parents[3]

Modules = Mapping[str, Mapping[str, object]]
"""Name of a module -> its names."""


@dataclass(frozen=True, slots=True)
class Supplies:
    """What a file is given.

    names: those that stand in its namespace from the start, seen from its text.
    instead: modules that it gets wherever others of that name are installed. missing: those that it gets if there are
    none.
    """

    names: Callable[[ast.Module], Mapping[str, object]]
    instead: Modules
    missing: Modules


class PupilFile:
    """One file, which `load` runs once; `module` then holds what it defined."""

    def __init__(self, path: Path, stage: Stage, sources: Sources) -> None:
        self.path = path
        self.module = ModuleType(path.stem)
        self._stage = stage
        self._sources = sources

    def load(self, within_s: float, supplies: Supplies) -> Trouble | None:
        """Runs the file; what stopped it, if it did not come to its end."""
        try:
            text = decode(self.path.read_bytes())
        except OSError as error:
            return Trouble("unreadable", detail=reason(error), loading=True)
        name = str(self.path)
        self._sources.add(name, self.path.name, text)
        try:
            tree = ast.parse(text, name)
            code = compile(tree, name, "exec", dont_inherit=True)
        except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
            return self._not_python(error)
        self._open_folder(supplies)
        namespace: dict[str, Any] = self.module.__dict__
        namespace.update(supplies.names(tree), __file__=name)
        if self.path.stem not in sys.modules:
            sys.modules[self.path.stem] = self.module
        return self._trouble(self._stage.run(lambda: exec(code, namespace), within_s))  # noqa: S102 - what we are for

    def companions(self) -> list[ModuleType]:
        """The modules from the same folder that the file has imported by name, in the order of its names."""
        found = [value for value in vars(self.module).values() if isinstance(value, ModuleType)]
        return [module for module in found if self._sources.holds(str(getattr(module, "__file__", "")))]

    def _open_folder(self, supplies: Supplies) -> None:
        """Lets the file import its neighbours; they come before our packages, should one be called like these."""
        folder = str(self.path.parent)
        sources = self._sources

        def loader(name: str, path: str) -> "_Loader":
            return _Loader(name, path, sources)

        sys.path_importer_cache[folder] = FileFinder(folder, (loader, [".py"]))  # type: ignore[arg-type]  # any callable
        sys.path[:] = [folder, *(entry for entry in sys.path if Path(entry) != _ROOT), str(_ROOT)]
        sys.meta_path.insert(0, _Supplied(supplies.instead))
        sys.meta_path.append(_Supplied(supplies.missing))
        if self.path.parent == _ROOT:
            return
        for package in _OURS:
            if (self.path.parent / package).exists() or (self.path.parent / f"{package}.py").exists():
                for name in [name for name in sys.modules if name.partition(".")[0] == package]:
                    del sys.modules[name]

    def _not_python(self, error: Exception) -> Trouble:
        if not isinstance(error, SyntaxError):
            return Trouble("syntax", Place(self.path.name), type(error).__name__, str(error), loading=True)
        found = self._sources.describe(error)
        return Trouble("syntax", found.place, found.error, found.detail, loading=True)

    def _trouble(self, outcome: Outcome) -> Trouble | None:
        match outcome:
            case Done():
                return None
            case Raised(error):
                found = self._sources.describe(error)
                return Trouble(found.kind, found.place, found.error, found.detail, loading=True)
            case Asked(place, prompt):
                return Trouble("asked", place, detail=prompt, loading=True)
            case Slow(place):
                stopped = self._stage.stop(outcome)
                return Trouble("slow", place, loading=True, error="" if stopped else "unstoppable")


class _Loader(SourceFileLoader):
    """Reads a neighbour of the file as the file itself is read, and leaves no compiled copy behind."""

    def __init__(self, name: str, path: str, sources: Sources) -> None:
        super().__init__(name, path)
        self._sources = sources

    def get_code(self, fullname: str) -> CodeType:
        del fullname
        text = decode(self.get_data(self.path))
        self._sources.add(self.path, Path(self.path).name, text)
        return compile(text, self.path, "exec", dont_inherit=True)


class _Supplied:
    """Finds the modules that a file is given."""

    def __init__(self, modules: Modules) -> None:
        self._modules = modules

    def find_spec(self, fullname: str, path: object, target: object = None) -> ModuleSpec | None:
        del path, target
        if fullname not in self._modules:
            return None
        return ModuleSpec(fullname, cast("Any", self), is_package=True)  # the base class costs 10 ms to import

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        del spec
        return None

    def exec_module(self, module: ModuleType) -> None:
        vars(module).update(self._modules[module.__name__])
