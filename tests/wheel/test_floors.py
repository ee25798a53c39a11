"""The lowest versions that pyproject.toml allows: what is installed with them plays, serves and ranks.

Needs the network.
"""

import re
import subprocess
import sys
import tomllib
import venv
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from tests.once import once
from tests.wheel.installed import Installed

ROOT = Path(__file__).parents[2]
UV = (sys.executable, "-m", "uv", "pip")
LEAGUE = """
[league]
name = "floors"
game = "morpion"
games_per_pair = 2
[[bot]]
name = "Ada"
run = "strong"
[[bot]]
name = "Bob"
run = "random"
"""

SEARCH = """
import sys
from arbitre.bots.search import compiled
assert compiled.load("morpion") is not None
assert compiled.is_ready("morpion")
"""
"""Compiles with the lowest numba, and writes an object file with the lowest llvmlite."""


def project() -> dict[str, Any]:
    found: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return found


def floors() -> list[str]:
    found: list[str] = [*project()["dependencies"]]
    for extra in project()["optional-dependencies"].values():
        found += extra
    return found


@pytest.mark.parametrize("text", floors())
def test_every_dependency_has_a_floor_and_no_ceiling(text: str) -> None:
    assert re.fullmatch(r"[a-z-]+>=[0-9.]+", text)


@pytest.fixture(scope="module")
def lowest(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Installed:
    """The wheel, with the lowest versions of all that it asks for by itself, extras included."""
    return once(tmp_path_factory, "lowest", partial(install_lowest, wheel))


def install_lowest(wheel: Path, folder: Path) -> Installed:
    pins, python = folder / "pins.txt", folder / "bin" / "python"
    venv.create(folder, symlinks=True, with_pip=False)
    resolving = ("--resolution", "lowest-direct", "--all-extras", "--python", str(python), "--system-certs", "--quiet")
    call(*UV, "compile", str(ROOT / "pyproject.toml"), *resolving, "-o", str(pins))
    for text in floors():
        assert re.search(rf"^{text.replace('>=', '==')}", pins.read_text(encoding="utf-8"), re.MULTILINE)
    call(*UV, "install", "--quiet", "--system-certs", "--python", str(python), "-r", str(pins))
    call(*UV, "install", "--quiet", "--offline", "--no-deps", "--python", str(python), str(wheel))
    return Installed(python, folder)


def call(*command: str) -> None:
    done = subprocess.run(command, cwd=ROOT, capture_output=True, encoding="utf-8", timeout=500, check=False)
    assert done.returncode == 0, done.stderr


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("match", "minimax", "random", "--game", "morpion"), 0),
        (("bot", "check", "random", "--only", "morpion"), 0),  # a server, and a bot over it
        (("league", "run", "floors.toml"), 0),
        (("league", "run", "floors.toml", "--sign", "key.pem"), 0),
        (("league", "run", "floors.toml", "--cluster", "local"), 0),
        (("--help",), 0),
        (("pley",), 2),
        (("serve", "--prot", "1"), 2),
    ],
    ids=lambda value: "-".join(value[:2]) if isinstance(value, tuple) else "",
)
def test_with_the_lowest_versions(words: tuple[str, ...], code: int, lowest: Installed, tmp_path: Path) -> None:
    (tmp_path / "floors.toml").write_text(LEAGUE, encoding="utf-8")
    done = lowest.arbitre(tmp_path, *words)
    assert done.returncode == code, done.stdout + done.stderr
    assert "Internal error" not in done.stderr


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_the_figures_of_a_server_with_the_lowest_versions(lowest: Installed, tmp_path: Path) -> None:
    done = lowest.run(tmp_path, "-c", "import arbitre.server.web.metrics; " + SEARCH)
    assert done.returncode == 0, done.stderr
