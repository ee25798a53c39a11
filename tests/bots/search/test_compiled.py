"""The door to the compiled searches: without numba, where the machine code goes, what a user hears of compiling."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from bots.commands.cli import warmup_command
from bots.search import compiled

needs_numba = pytest.mark.skipif(not compiled.is_available(), reason="numba is not installed")


@pytest.fixture(autouse=True)
def fresh() -> Iterator[None]:
    compiled.cache_folder.cache_clear()
    yield
    compiled.cache_folder.cache_clear()


@pytest.fixture
def without_numba(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiled, "find_spec", lambda name: None)


def test_without_numba_there_is_nothing_to_load(without_numba: None) -> None:
    assert not compiled.is_available()
    assert all(compiled.load(game) is None for game in ("puissance4", "othello", "morpion"))
    compiled.prepare(["puissance4", "othello"])


def test_warmup_without_numba_says_what_to_install(without_numba: None) -> None:
    done = CliRunner().invoke(warmup_command)
    assert done.exit_code == 1
    assert "pip install numba" in done.output


def test_the_machine_code_goes_where_the_user_says(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "own"))
    assert compiled.cache_folder() == tmp_path / "own"


@pytest.mark.skipif(sys.platform != "linux", reason="the cache folder of Linux")
def test_else_into_the_cache_folder_of_the_user(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("NUMBA_CACHE_DIR", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    folder = compiled.cache_folder()
    assert folder is not None
    assert folder.is_dir()
    assert folder.is_relative_to(tmp_path / "arbitre" / "compiled")


@pytest.mark.skipif(sys.platform != "linux", reason="the cache folder of Linux")
def test_where_few_versions_are_kept(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("NUMBA_CACHE_DIR", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    for number in range(9):
        (tmp_path / "arbitre" / "compiled" / f"old{number}").mkdir(parents=True)
    folder = compiled.cache_folder()
    assert folder is not None
    assert folder.is_dir()
    assert len(list(folder.parent.iterdir())) == 5


@pytest.mark.skipif(sys.platform != "linux", reason="the cache folder of Linux")
def test_or_into_one_that_goes_with_the_process(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("NUMBA_CACHE_DIR", raising=False)
    (tmp_path / "arbitre").write_text("in the way", encoding="utf-8")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    folder = compiled.cache_folder()
    assert folder is not None
    assert folder.is_dir()
    assert not folder.is_relative_to(tmp_path)


@pytest.fixture
def one_module(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """One module to compile, which takes no time, and a cache folder that is empty."""
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setattr(compiled, "COMPILED", {"chess": "bots.timing"})
    monkeypatch.setattr(compiled, "SECONDS", {"chess": 41})
    monkeypatch.setattr(compiled, "_loaded", {})


@needs_numba
@pytest.mark.usefixtures("one_module")
def test_a_user_is_told_once_what_takes_so_long() -> None:
    said: list[str] = []
    assert not compiled.is_ready("chess")
    compiled.prepare(["chess"], said.append)
    assert len(said) == 1
    assert "41 s" in said[0]
    assert compiled.is_ready("chess")
    compiled.prepare(["chess"], said.append)
    assert len(said) == 1


@needs_numba
@pytest.mark.usefixtures("one_module")
def test_another_source_is_compiled_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    compiled.load("chess")
    monkeypatch.setattr(compiled, "_digest", lambda: "another")
    assert not compiled.is_ready("chess")


@needs_numba
@pytest.mark.usefixtures("one_module")
def test_another_numba_compiles_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    compiled.load("chess")
    monkeypatch.setattr(compiled, "_maker", lambda: "another")
    assert not compiled.is_ready("chess")


@needs_numba
def test_a_folder_that_cannot_be_written_is_no_obstacle(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "file" / "cache"))
    monkeypatch.setattr(compiled, "COMPILED", {"chess": "bots.timing"})
    assert compiled.load("chess") is not None
    folder = compiled.cache_folder()
    assert folder is not None
    assert not folder.is_relative_to(tmp_path)


COMPILING = """
import os, sys, time
cache = os.environ["NUMBA_CACHE_DIR"]
if not any(name.endswith(".code") for name in os.listdir(cache)):  # else it is there, and need only be loaded
    open(os.path.join(cache, f"compiled by {os.getpid()}"), "x").close()
    until = time.process_time() + 0.1
    while time.process_time() < until:
        pass
"""

STARTING = """
from bots.search import compiled
compiled.COMPILED = {"chess": "slow_to_compile"}
compiled.load("chess")
"""


@needs_numba
def test_of_processes_that_start_together_one_compiles_and_the_others_load(tmp_path: Path) -> None:
    (tmp_path / "slow_to_compile.py").write_text(COMPILING, encoding="utf-8")
    paths = os.pathsep.join((str(tmp_path), str(Path(__file__).parents[3])))
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path / "cache"), "PYTHONPATH": paths}
    command = [sys.executable, "-c", STARTING]
    together = [subprocess.Popen(command, env=environment, stderr=subprocess.PIPE, text=True) for _ in range(3)]
    for process in together:
        _, errors = process.communicate(timeout=60)
        assert process.returncode == 0, errors
    assert len(list((tmp_path / "cache").glob("compiled by *"))) == 1
