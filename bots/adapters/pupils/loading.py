"""Loads a pupil's file or notebook, in any encoding, with the modules of its folder, and as far as it runs.

A file that asks the keyboard, fails or takes too long at its top level has often defined all that is needed before (as
when a game or a test starts at its end). So what it has defined is kept, and the trouble is reported. Demos (`parts`)
share a short time; the code after a stopped demo is still run, and so are a notebook's cells after one that failed.
"""

import ast
import builtins
import re
import sys
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from importlib.machinery import EXTENSION_SUFFIXES, ExtensionFileLoader, FileFinder, ModuleSpec, SourceFileLoader
from importlib.util import spec_from_file_location
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any, cast

from bots.adapters.pupils import exports, neighbours, notebooks, writing
from bots.adapters.pupils.facts import Kind, Location, Trouble, clip
from bots.adapters.pupils.parts import NOT_PYTHON, Cut, Part, cut
from bots.adapters.pupils.stage import AwaitsKeyboard, Done, Outcome, Raised, Slow, Stage
from bots.adapters.pupils.trouble import Sources, decode
from locales.system import reason

_LIBRARIES = "site-packages"
"""The folder of libraries in an interpreter. If the bot's folder has one, these files are not the bot's own."""

DEMO_CPU_S = 0.5
"""The processor time that the demos of a file have together; elapsed time would depend on what else is running."""

DEMO_SHARE = 0.5
"""The share of the time for loading that demos may take, also those that only sleep."""

Modules = Mapping[str, Mapping[str, object]]
"""Name of a module -> its names."""


@dataclass(frozen=True, slots=True)
class Supplies:
    """The names and modules that a file is given.

    names: makes, from the file's syntax tree, the names that are in its namespace before it runs.
    instead: modules that it gets even if others of that name are installed. missing: modules that it gets only if
    there are no others.
    """

    names: Callable[[ast.Module], Mapping[str, object]]
    instead: Modules
    missing: Modules


class PupilFile:
    """One file, which `load` runs once; `module` then holds what it defined.

    package: the folder that the file belongs to, as a package of its name; None for a file that stands alone.
    demos: whether its demos are begun.
    outcome: how the run ended. tree: the statements of the file. in_cells: whether it has cells; if one of them is
    broken, the others are used.
    """

    def __init__(
        self, path: Path, stage: Stage, sources: Sources, package: Path | None = None, *, demos: bool = True
    ) -> None:
        self.path = path
        self._demo_cpu_s = DEMO_CPU_S if demos else 0.0
        self.outcome: Outcome = Done(None)
        self.tree = ast.Module([], [])
        self.in_cells = False
        self._package = package
        self._stage = stage
        self._sources = sources
        self.module = ModuleType(path.stem)
        self._name = "" if package is None else _package_name(package)
        if package is not None:
            self.module = ModuleType(self._name if path.stem == "__init__" else f"{self._name}.{path.stem}")

    def load(self, within_s: float, supplies: Supplies, wanted: Collection[str] = ()) -> "list[Trouble]":
        """Runs the file; returns what stopped it or parts of it, or what was left out.

        wanted: names that may be asked for later.
        """
        name = str(self.path)
        try:
            text, starts, troubles = self._read(name)
            whole = cut(text, name, starts, wanted)
        except OSError as error:
            return [Trouble("unreadable", detail=reason(error), loading=True)]
        except notebooks.NotebookError as error:
            return [Trouble("notebook", error=error.fault, detail=clip(error.detail), loading=True)]
        except NOT_PYTHON as error:
            return [self._not_python(error)]
        self.in_cells = bool(starts)
        troubles += map(self._not_python, whole.broken)
        self.tree = whole.tree
        own = self._open_folder(supplies)
        namespace: dict[str, Any] = self.module.__dict__
        namespace.update(supplies.names(whole.tree), __file__=name, __builtins__=builtins)  # and not ours

        def enter() -> None:
            if self._package is not None:
                self._enter_package(self._package)
            known = f"{neighbours.PACKAGE}.{self.path.stem}" if self.path.stem in own else self.path.stem
            sys.modules.setdefault(known, self.module)

        return troubles + self._run(whole, enter, within_s, goes_on=bool(starts))

    def _read(self, name: str) -> "tuple[str, Sequence[int], list[Trouble]]":
        """The text of the file, the first lines of its cells, and what was left out. Raises OSError, NotebookError."""
        if self.path.suffix.lower() != notebooks.SUFFIX:
            text = decode(self.path.read_bytes())
            book = exports.read(text) if exports.is_export(text) else notebooks.Notebook(text, ())
            self._sources.add(name, self._shown(name), text)
            return book.text, book.starts, self._left(name, book)
        with self.path.open("rb") as stream:
            book = notebooks.read(stream.read(notebooks.LARGEST + 1))
        self._sources.add(name, self._shown(name), book.text, book.starts)
        return book.text, book.starts, self._left(name, book)

    def _left(self, name: str, book: notebooks.Notebook) -> "list[Trouble]":
        if book.left is None:
            return []
        place = self._sources.place(name, book.left.line)
        return [Trouble("magic", place, detail=clip(book.left.text), count=book.left.count)]

    def _run(self, whole: Cut, enter: Callable[[], object], within_s: float, *, goes_on: bool) -> "list[Trouble]":
        """Runs `enter`, then the parts; goes_on: whether to go on after a part that failed."""
        end, demo_s, demo_cpu_s = time.monotonic() + within_s, within_s * DEMO_SHARE, self._demo_cpu_s
        found = [trouble] if (trouble := self._perform(enter, within_s)) is not None else []
        for part in () if found and not goes_on else whole.parts:
            began, began_cpu = time.monotonic(), time.process_time()
            if part.is_demo and min(demo_s, demo_cpu_s) <= 0:
                continue
            left_s = min(demo_s, end - began) if part.is_demo else end - began
            trouble = self._perform(partial(exec, part.code, vars(self.module)), left_s, part, demo_cpu_s)
            if part.is_demo:
                demo_s -= time.monotonic() - began
                demo_cpu_s -= time.process_time() - began_cpu
            if trouble is None:
                continue
            found.append(trouble)
            if trouble.error == "unstoppable" or not (goes_on or (part.is_demo and trouble.kind in ("demo", "asked"))):
                break
        return found

    def _perform(
        self, work: Callable[[], object], within_s: float, part: "Part | None" = None, cpu_s: float = DEMO_CPU_S
    ) -> Trouble | None:
        """Runs a part of the file; returns what went wrong. cpu_s: the processor time that a demo has."""
        is_demo = part is not None and part.is_demo
        self.outcome = self._stage.run(work, within_s, cpu_s if is_demo else None)
        return self._trouble(self.outcome, is_demo=is_demo)

    def companions(self) -> list[ModuleType]:
        """The modules from the same folder that the file has imported by name, in the order of its names."""
        found = [value for value in vars(self.module).values() if isinstance(value, ModuleType)]
        return [module for module in found if self._sources.holds(str(getattr(module, "__file__", "")))]

    def _enter_package(self, package: Path) -> None:
        """Makes the file a module of its folder's package; the package's __init__.py runs first, as in Python."""
        name, init = self._name, package / "__init__.py"
        whole = self.module if self.path == init else ModuleType(name)
        self._place(whole, init, [str(package)])
        if self.path == init:
            return
        if init.is_file():
            vars(whole).update(__file__=str(init), __builtins__=builtins)
            exec(self._loader(name, str(init)).get_code(name), vars(whole))  # noqa: S102 - as above
        self._place(self.module, self.path)
        setattr(whole, self.path.stem, self.module)

    def _place(self, module: ModuleType, path: Path, inside: "list[str] | None" = None) -> None:
        """Registers a module as that of the file `path`; inside: for a package, the folders of its modules."""
        name = module.__name__
        loader = self._loader(name, str(path))
        spec = spec_from_file_location(name, path, loader=loader, submodule_search_locations=inside)
        vars(module).update(__spec__=spec, __loader__=loader, __package__=self._name)
        if inside is not None:
            vars(module)["__path__"] = inside
        sys.modules[name] = module

    def _loader(self, name: str, path: str) -> "_Loader":
        return _Loader(name, path, self._sources, self._shown)

    def _shown(self, path: str) -> str:
        """The name to show for one of the author's files; in a package it has its folders before it."""
        if self._package is None or self._package not in Path(path).parents:  # a link leads elsewhere
            return Path(path).name
        return Path(path).relative_to(self._package).as_posix()

    def _open_folder(self, supplies: Supplies) -> Collection[str]:
        """Lets the file import its neighbours; returns those that have names of Python's own modules.

        Our modules hide none of them, since ours are all below the one name `arbitre` (`machine.namespace`).
        """
        top = self._package or self.path.parent
        folder, own = str(top), neighbours.find_names(top)

        def find_in(place: str) -> FileFinder:
            path = Path(place)
            is_theirs = path == top or (
                self._package in path.parents
                and _LIBRARIES not in path.parts
                and not path.relative_to(top).parts[0].startswith(".")
            )
            if not is_theirs:
                raise ImportError
            loaders: Any = (ExtensionFileLoader, EXTENSION_SUFFIXES), (self._loader, [".py"])
            return _Finder(place, *loaders, hidden=own if path == top else ())

        sys.path_hooks.insert(0, find_in)
        sys.path_importer_cache.pop(folder, None)
        sys.path.insert(0, folder)
        sys.meta_path.insert(0, _Supplied(supplies.instead))
        sys.meta_path.append(_Supplied(supplies.missing))
        if own:
            neighbours.put_first(own, top, self._name or neighbours.PACKAGE, self._sources)
        return own

    def _not_python(self, error: Exception) -> Trouble:
        if not isinstance(error, SyntaxError):
            return Trouble(
                "syntax", Location(self._shown(str(self.path))), type(error).__name__, str(error), loading=True
            )
        found = self._sources.describe(error)
        return replace(found, kind="syntax", loading=True)

    def _trouble(self, outcome: Outcome, *, is_demo: bool) -> Trouble | None:
        if isinstance(outcome, Raised):
            return replace(self._sources.describe(outcome.error), loading=True)
        if isinstance(outcome, AwaitsKeyboard):
            place = outcome.place
            likely = () if place.cell else writing.of_keyboard(self.tree, place.line)
            return Trouble("asked", place, detail=outcome.prompt, hints=likely, loading=True)
        if isinstance(outcome, Slow):
            stopped = self._stage.stop(outcome)
            kind: Kind = "demo" if is_demo and stopped else "slow"
            return Trouble(kind, outcome.place, loading=True, error="" if stopped else "unstoppable")
        return None


def _package_name(folder: Path) -> str:
    """The name of a folder's package: the folder's name, changed if it is no identifier or is taken by a module."""
    name = re.sub(r"\W", "_", folder.name) or "_"
    is_inside = (folder / f"{name}.py").exists() or (folder / name).exists()
    is_taken = is_inside or name in sys.modules or name in neighbours.names_of_python()
    return f"{name}_" if is_taken or name[0].isdigit() else name


class _Finder(FileFinder):
    """Finds the modules of a folder, except by a full name that is `hidden`; below a package's name it finds all."""

    def __init__(self, path: str, *loaders: Any, hidden: Collection[str]) -> None:
        super().__init__(path, *loaders)
        self._hidden = hidden

    def find_spec(self, fullname: str, target: "ModuleType | None" = None) -> "ModuleSpec | None":
        return None if fullname in self._hidden else super().find_spec(fullname, target)


class _Loader(SourceFileLoader):
    """Loads a neighbour of the file in the same way as the file, and writes no compiled copy."""

    def __init__(self, name: str, path: str, sources: Sources, shown: Callable[[str], str]) -> None:
        super().__init__(name, path)
        self._sources = sources
        self._shown = shown

    def get_code(self, fullname: str) -> CodeType:
        del fullname
        text = decode(self.get_data(self.path))
        self._sources.add(self.path, self._shown(self.path), text)
        return compile(text, self.path, "exec", dont_inherit=True)


class _Supplied:
    """Finds the modules that files are supplied with."""

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
