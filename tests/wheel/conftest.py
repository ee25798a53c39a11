"""Arbitre as a wheel installs it, in an environment where other packages have the names of ours."""

import subprocess
import sys
import sysconfig
import venv
from functools import partial
from pathlib import Path

import pytest

from machine.namespace import PACKAGES
from tests.once import once
from tests.wheel.installed import Installed

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="session")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built from the sources as they are."""
    return once(tmp_path_factory, "wheel", _build)


def _build(folder: Path) -> Path:
    _call("-m", "hatchling", "build", "-t", "wheel", "-d", str(folder))
    (built,) = folder.glob("arbitre-*.whl")
    return built


@pytest.fixture(scope="session")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Installed:
    """An environment that holds it, and after it, so that no network is needed, the libraries of the running one."""
    return once(tmp_path_factory, "environment", partial(_install, wheel))


def _install(wheel: Path, folder: Path) -> Installed:
    venv.create(folder, symlinks=True, with_pip=False)
    python = folder / "bin" / "python"
    packages = Path(sysconfig.get_path("purelib", "venv", vars={"base": str(folder), "platbase": str(folder)}))
    for name in PACKAGES:
        (packages / name).mkdir()
        (packages / name / "__init__.py").write_text("raise ImportError('a rival')\n", encoding="utf-8")
    for name in ("damage", "run", "saying"):
        (packages / f"{name}.py").write_text("raise ImportError('a rival')\n", encoding="utf-8")
    _call("-m", "uv", "pip", "install", "--quiet", "--offline", "--no-deps", "--python", str(python), str(wheel))
    (packages / "libraries.pth").write_text(sysconfig.get_path("purelib") + "\n", encoding="utf-8")
    return Installed(python, packages)


def _call(*words: str) -> None:
    done = subprocess.run([sys.executable, *words], cwd=ROOT, capture_output=True, encoding="utf-8", check=False)
    assert done.returncode == 0, done.stderr
