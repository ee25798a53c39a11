"""The layers and the pure core of docs/architecture.md, held by import-linter (contracts: pyproject.toml)."""

import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

from locales import update
from machine import namespace

ROOT = Path(__file__).parents[1]
LINT = "import sys; from importlinter.cli import lint_imports_command; lint_imports_command(['--no-cache'])"


def settings() -> dict[str, Any]:
    tools = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]
    linter: dict[str, Any] = tools["importlinter"]
    return linter


@pytest.fixture
def sources(tmp_path: Path) -> Path:
    """Return a copy of the packages, which a test may spoil. A module that is not written yet stands there empty."""
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    linter = settings()
    for name in linter["root_packages"]:
        folder = tmp_path / name
        if (ROOT / name).exists():
            shutil.copytree(ROOT / name, folder, ignore=shutil.ignore_patterns("__pycache__", "web", "*.mo"))
        folder.mkdir(exist_ok=True)
        (folder / "__init__.py").touch()
    for contract in linter["contracts"]:
        for module in contract.get("source_modules", []):
            if "." in module:
                (tmp_path / module.replace(".", "/")).with_suffix(".py").touch()
    return tmp_path


def lint(folder: Path) -> tuple[int, str]:
    done = subprocess.run([sys.executable, "-c", LINT], cwd=folder, capture_output=True, encoding="utf-8", check=False)
    return done.returncode, done.stdout + done.stderr


def test_the_contracts_hold(sources: Path) -> None:
    code, output = lint(sources)
    assert code == 0, output


@pytest.mark.parametrize(
    ("module", "line", "contract"),
    [
        ("server/match.py", "import time", "The core decides"),
        ("client/session.py", "import asyncio", "The core decides"),
        ("games/base.py", "import msgspec", "games needs only"),
        ("protocol/codec.py", "import socket", "games and protocol decide"),
        ("server/match.py", "import client", "The server knows nothing"),
        ("games/base.py", "import protocol", "Imports point inwards"),
        ("bots/base.py", "import league", "Imports point inwards"),
        ("locales/__init__.py", "import games", "Imports point inwards"),
        ("bots/base.py", "import arbitre", "Nothing imports the command line"),
    ],
)
def test_a_forbidden_import_breaks_its_contract(sources: Path, module: str, line: str, contract: str) -> None:
    path = sources / module
    path.write_text((path.read_text(encoding="utf-8") if path.exists() else "") + f"\n{line}\n", encoding="utf-8")
    code, output = lint(sources)
    assert code == 1, output
    broken = [row for row in output.splitlines() if " BROKEN" in row]
    assert any(row.startswith(contract) for row in broken), output


PAGE = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("path", sorted(set(re.findall(r"`([\w/-]+(?:\.py|\.toml|/))`", PAGE))))
def test_what_the_page_names_is_there(path: str) -> None:
    assert (ROOT / path).exists()


def test_every_floor_is_on_the_page() -> None:
    """With the number that its place among the layers gives it."""
    layers = [re.split(r" *\| *", layer) for layer in settings()["contracts"][0]["layers"]]
    told = {name: int(floor) for floor, name in re.findall(r"^\| (\d) \| `(\w+)` \|", PAGE, re.MULTILINE)}
    assert told == {name: 8 - place for place, layer in enumerate(layers) for name in layer}


def test_every_table_of_packages_has_all() -> None:
    """Whose texts are translated, whose names are free for others, and what is installed."""
    tools = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]
    installed = tools["hatch"]["build"]["targets"]["wheel"]["hooks"]["custom"]["folders"]
    for table in (update.PACKAGES, namespace.PACKAGES, installed):
        assert sorted(table) == sorted(settings()["root_packages"])
