"""What runs in the interpreter of a pupil, from Python 3.8 on and under Pyodide, needs nothing but Python itself."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.bots.adapters.interpreters import interpreters

ROOT = Path(__file__).parents[3]
OURS = {path.parent.name for path in ROOT.glob("*/__init__.py")}
ROOTS = ("machine.namespace", *(f"bots.adapters.pupils.{name}" for name in ("older", "host", "tracing", "debugger")))
"""What such a process begins with."""

NEWER = {
    "ast": {"unparse"},
    "contextlib": {"aclosing", "chdir"},
    "enum": {"EnumCheck", "FlagBoundary", "ReprEnum", "global_enum", "member", "nonmember", "verify"},
    "functools": {"Placeholder", "cache"},
    "inspect": {"get_annotations"},
    "itertools": {"batched", "pairwise"},
    "math": {"cbrt", "exp2", "fma", "lcm", "nextafter", "sumprod", "ulp"},
    "operator": {"call", "is_none", "is_not_none"},
    "os": {"pidfd_open", "process_cpu_count", "waitstatus_to_exitcode"},
    "random": {"binomialvariate", "randbytes"},
    "sys": {"activate_stack_trampoline", "exception", "monitoring", "orig_argv", "stdlib_module_names"},
    "threading": {"gettrace", "settrace_all_threads", "setprofile_all_threads"},
    "types": {"CapsuleType", "EllipsisType", "GenericAlias", "NoneType", "NotImplementedType", "UnionType"},
    "typing": {
        "Annotated", "Concatenate", "LiteralString", "Never", "NotRequired", "ParamSpec", "ReadOnly", "Required",
        "TypeAlias", "TypeAliasType", "TypeGuard", "TypeIs", "TypeVarTuple", "Unpack", "assert_never", "assert_type",
        "dataclass_transform", "get_overloads", "is_typeddict", "override", "reveal_type",
    },
}  # fmt: skip
"""What Python 3.8 has not, by module; `older` brings typing.Self and enum.StrEnum."""

NEW_MODULES = {"annotationlib", "compression", "concurrent.interpreters", "graphlib", "string.templatelib", "tomllib"}
NEW_METHODS = {
    "add_note", "co_positions", "co_qualname", "hardlink_to", "is_relative_to", "randbytes", "removeprefix",
    "removesuffix", "with_segments", "with_stem",
}  # fmt: skip
NEW_WORDS = {"key": ("bisect", "bisect_left", "bisect_right", "insort"), "eval_str": ("signature",)}
"""Arguments that Python 3.8 has not, with the functions that would take them."""


def needed(node: ast.AST) -> Iterator[ast.AST]:
    """The nodes of a module that run in any version: what is for types, or asks for a version first, is left out."""
    if isinstance(node, ast.If) and ast.unparse(node.test).startswith(("TYPE_CHECKING", "sys.version_info")):
        for other in node.orelse:
            yield from needed(other)
        return
    yield node
    for child in ast.iter_child_nodes(node):
        yield from needed(child)


def imports(tree: ast.Module) -> Iterator[tuple[str, str]]:
    """Each module that is imported, and the name that is taken of it, if one is."""
    for node in needed(tree):
        if isinstance(node, ast.Import):
            yield from ((alias.name, "") for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from ((node.module or "", alias.name) for alias in node.names)


def file_of(module: str) -> Path | None:
    place = ROOT.joinpath(*module.split("."))
    return next((path for path in (place / "__init__.py", place.with_suffix(".py")) if path.is_file()), None)


def closure() -> dict[str, ast.Module]:
    """Every module of ours that the process of a pupil's file may import, with its tree for Python 3.8."""
    found: dict[str, ast.Module] = {}
    ahead = list(ROOTS)
    while ahead:
        parts = ahead.pop().split(".")
        for name in (".".join(parts[:length]) for length in range(1, len(parts) + 1)):
            path = file_of(name)
            if path is None or name in found:
                continue
            found[name] = ast.parse(path.read_text(encoding="utf-8"), str(path), feature_version=(3, 8))
            ours = [pair for pair in imports(found[name]) if pair[0].partition(".")[0] in OURS]
            ahead += [module for pair in ours for module in (pair[0], ".".join(pair))]
    return found


MODULES = closure()


def test_what_is_tried_here_is_what_runs_there() -> None:
    program = (
        "import sys; from bots.adapters.pupils import host, tracing, debugger; import bots.budget\n"
        "print(*(name for name in sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, cwd=ROOT)
    ours = {name for name in done.stdout.split() if name.partition(".")[0] in OURS}
    assert ours <= MODULES.keys()
    assert "bots.adapters.pupils.hints" in ours


@pytest.mark.parametrize("name", sorted(MODULES))
def test_it_imports_only_the_standard_library_and_what_does_so_too(name: str) -> None:
    for module, _name in imports(MODULES[name]):
        top = module.partition(".")[0]
        assert top in OURS or top in sys.stdlib_module_names, f"{name} imports {module}"
        assert module not in NEW_MODULES, f"{name} imports {module}, which Python 3.8 has not"


@pytest.mark.parametrize("name", sorted(MODULES))
def test_it_takes_nothing_that_python_3_8_has_not(name: str) -> None:
    taken = {pair for pair in imports(MODULES[name]) if pair[1] in NEWER.get(pair[0], set())}
    assert taken == set(), name
    for node in needed(MODULES[name]):
        if isinstance(node, ast.Attribute):
            of = node.value.id if isinstance(node.value, ast.Name) else ""
            assert node.attr not in NEWER.get(of, set()) | NEW_METHODS, f"{name}, line {node.lineno}"
        if isinstance(node, ast.Call):
            function = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            words = {word.arg for word in node.keywords if function in NEW_WORDS.get(word.arg or "", ())}
            assert words == set(), f"{name}, line {node.lineno}"


@pytest.mark.parametrize(
    "source", ["from functools import cache", "import math\nmath.lcm(2, 3)", "a.removeprefix('b')"]
)
def test_what_is_newer_is_noticed(source: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(MODULES, "made", ast.parse(source))
    with pytest.raises(AssertionError):
        test_it_takes_nothing_that_python_3_8_has_not("made")


TAKEN = """
import ast, importlib, json, sys
sys.path[:] = [place for place in sys.path if place]
own = {"__name__": "namespace"}
exec(open(sys.argv[1] + "/machine/namespace.py").read(), own)
finder = own["seclude"](sys.argv[1])
from arbitre.bots.adapters.pupils.older import prepare
prepare(finder)
missing = []
for module, names in json.loads(sys.argv[2]).items():
    here = vars(importlib.import_module("arbitre." + module))
    for of, name in names:
        if hasattr(here.get(of), "__spec__") and not hasattr(here[of], name):
            missing.append([module, of, name])
print(json.dumps(missing))
"""


@pytest.mark.parametrize(("python", "version"), interpreters())
@pytest.mark.slow
def test_each_interpreter_has_all_that_is_taken_of_its_modules(python: str, version: tuple[int, int]) -> None:
    names = {
        module: sorted(
            {
                (node.value.id, node.attr)
                for node in needed(tree)
                if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name)
            }
        )
        for module, tree in MODULES.items()
        if module not in {"bots.adapters.pupils.older", "machine.namespace"}
    }
    done = subprocess.run(
        [python, "-c", TAKEN, str(ROOT), json.dumps(names)], capture_output=True, text=True, check=False, timeout=120
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == [], version
