"""hatch_build.py: what goes into the wheel, and that no import of a bare name of ours is left in it."""

import ast
import tomllib
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from hatch_build import CHECKED_WITH, MODULES, RewriteError, assemble, rewrite
from machine.namespace import PACKAGES

ROOT = Path(__file__).parents[2]
OURS = {*PACKAGES, *MODULES}


def settings() -> dict[str, Any]:
    tools: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]
    return tools


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("assembled") / "arbitre"
    assemble(ROOT, PACKAGES, folder)
    return folder


def imports(path: Path) -> Iterator[tuple[int, str]]:
    """Line and name of all that a module imports, in whatever function."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0
            yield from ((node.lineno, f"{node.module}.{alias.name}") for alias in node.names)


@pytest.mark.parametrize(
    ("text", "rewritten"),
    [
        ("import games\n", "from arbitre import games\n"),
        ("import games as g  # why\n", "from arbitre import games as g  # why\n"),
        ("import games.base as b\n", "from arbitre.games import base as b\n"),
        ("from games import A, B\n", "from arbitre.games import A, B\n"),
        ("from bots.base import (\n    A,\n    B,\n)\n", "from arbitre.bots.base import (\n    A,\n    B,\n)\n"),
        ("def f():\n    from server import x\n", "def f():\n    from arbitre.server import x\n"),
        ("é = 'é'; import games\n", "é = 'é'; from arbitre import games\n"),
        ("if run:\n    import run\n", "if run:\n    from arbitre import run\n"),
        ('import gamesome\nfrom botsy import games\nx = "import games"\n', None),
        ('"""\nfrom games import x\n"""\nimport json\n', None),
    ],
)
def test_rewriting(text: str, rewritten: str | None) -> None:
    assert rewrite(text, OURS, "a.py") == (rewritten or text)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("import games.base\n", "a.py:1: write `from games import base`"),
        ("\nimport games, bots\n", "a.py:2: import one module of ours a line"),
        ("import json, games\n", "a.py:1: import one module of ours a line"),
        ("from  games import base\n", "a.py:1: write it with single spaces, on one line"),
    ],
)
def test_what_is_not_rewritten_is_refused(text: str, sentence: str) -> None:
    with pytest.raises(RewriteError) as caught:
        rewrite(text, OURS, "a.py")
    assert str(caught.value) == sentence


@pytest.mark.slow
def test_no_import_of_a_bare_name_is_left(package: Path) -> None:
    found = [(path, line, name) for path in sorted(package.rglob("*.py")) for line, name in imports(path)]
    assert [(path, line, name) for path, line, name in found if name.partition(".")[0] in OURS] == []
    ours = [(path, line, name.split(".")[1:]) for path, line, name in found if name.partition(".")[0] == "arbitre"]
    assert len(ours) > 1000
    for path, line, parts in ours:
        place = package.joinpath(*parts[:-1])
        modules = (place / "__init__.py", place.with_suffix(".py"), place / parts[-1] / "__init__.py")
        assert parts[0] in MODULES or any(module.exists() for module in modules), f"{path}:{line}: {parts}"


def test_lines_keep_their_numbers(package: Path) -> None:
    for path in package.rglob("*.py"):
        source = ROOT / path.relative_to(package)
        if source.exists():
            assert path.read_text(encoding="utf-8").count("\n") == source.read_text(encoding="utf-8").count("\n"), path


@pytest.mark.slow
def test_modules_are_named_as_texts_in_one_place_only() -> None:
    """`machine.modules` knows the full names; who imports or starts a module by its name asks it."""
    found = set[str]()
    for path in (path for package in PACKAGES for path in (ROOT / package).rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            name = node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else None
            if name in {"import_module", "run_module"} or (isinstance(node, ast.Constant) and node.value == "-m"):
                found.add(path.relative_to(ROOT).as_posix())
    assert found == {"machine/modules.py"}


def test_every_list_of_our_packages_is_the_same() -> None:
    tools = settings()
    folders = tools["hatch"]["build"]["targets"]["wheel"]["hooks"]["custom"]["folders"]
    assert folders == list(PACKAGES) == sorted(tools["importlinter"]["root_packages"])
    assert set(folders) <= set(tools["coverage"]["run"]["source"])
    assert set(folders) <= set(tools["ruff"]["lint"]["isort"]["known-first-party"])


@pytest.mark.slow
def test_the_wheel_holds_one_package_and_all_its_files(wheel: Path, package: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
    assert {name.partition("/")[0].partition("-")[0] for name in names} == {"arbitre"}
    held = {name for name in names if name.startswith("arbitre/")}
    assert held == {path.relative_to(package.parent).as_posix() for path in package.rglob("*") if path.is_file()}
    sources = {path for name in PACKAGES for path in (ROOT / name).rglob("*") if path.is_file()}
    all_of_it = {path.relative_to(ROOT).as_posix() for path in sources if "__pycache__" not in path.parts}
    kept = {name for name in all_of_it if not name.startswith(CHECKED_WITH)}
    assert held == {*(f"arbitre/{name}" for name in kept), "arbitre/__init__.py", "arbitre/__main__.py"}
