"""The door to the compiled searches: without numba, where the machine code goes, what a user hears of compiling."""

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from bots.commands.warmup_cli import warmup_command
from bots.search import compiled, object_files
from machine import memory

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


def _cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-1])


def _empty(path: Path) -> None:
    path.write_bytes(b"")


def _of_another(path: Path) -> None:
    object_files.write(path.with_name("another.code"), {})
    path.with_name("another.code").replace(path)


def _of_the_old_shape(path: Path) -> None:
    path.write_bytes(b"code without a first line")


@needs_numba
@pytest.mark.usefixtures("one_module")
@pytest.mark.parametrize("spoil", [_cut, _empty, _of_another, _of_the_old_shape])
def test_a_file_that_is_damaged_or_of_something_else_is_made_anew(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, spoil: Callable[[Path], None]
) -> None:
    compiled.load("chess")
    (path,) = (tmp_path / "cache").glob("chess*.code")
    good = path.read_bytes()
    spoil(path)
    assert not compiled.is_ready("chess")
    monkeypatch.setattr(compiled, "_loaded", {})
    said: list[str] = []
    compiled.prepare(["chess"], said.append)
    assert len(said) == 1
    assert path.read_bytes() == good
    assert compiled.is_ready("chess")


@needs_numba
@pytest.mark.usefixtures("one_module")
def test_a_file_without_end_is_not_looked_at(tmp_path: Path) -> None:
    compiled.load("chess")
    (path,) = (tmp_path / "cache").glob("chess*.code")
    with path.open("ab") as stream:
        stream.truncate(1 << 40)  # a hole, which takes no room
    assert not compiled.is_ready("chess")


def test_without_numba_nothing_is_ready(without_numba: None) -> None:
    assert not compiled.is_ready("othello")


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


PREPARING = """
from bots.search import compiled
compiled.memory.available_bytes = lambda: 1 << 40
compiled.COMPILED = {"chess": "bots.timing", "draughts": "bots.budget"}
compiled.SECONDS = {"chess": 1, "draughts": 1}
load = compiled.load
compiled.load = lambda game, **options: load(game, **options) and print(game, flush=True)
compiled.prepare(["chess", "draughts"])
"""
"""Compiles two modules, which takes no time, and says which one is loaded."""


def _environment(tmp_path: Path) -> dict[str, str]:
    (tmp_path / "slow_to_compile.py").write_text(COMPILING, encoding="utf-8")
    paths = os.pathsep.join((str(tmp_path), str(Path(__file__).parents[3])))
    return {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path / "cache"), "PYTHONPATH": paths}


@needs_numba
@pytest.mark.slow
def test_of_processes_that_start_together_one_compiles_and_the_others_load(tmp_path: Path) -> None:
    environment, command = _environment(tmp_path), [sys.executable, "-c", STARTING]
    together = [subprocess.Popen(command, env=environment, stderr=subprocess.PIPE, text=True) for _ in range(3)]
    for process in together:
        _, errors = process.communicate(timeout=60)
        assert process.returncode == 0, errors
    assert len(list((tmp_path / "cache").glob("compiled by *"))) == 1


@needs_numba
@pytest.mark.skipif(sys.platform == "win32", reason="locked by flock")
def test_while_another_process_compiles_one_module_the_others_are_compiled(tmp_path: Path) -> None:
    import fcntl

    cache = tmp_path / "cache"
    cache.mkdir()
    with (cache / "chess.lock").open("ab") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        process = subprocess.Popen(
            [sys.executable, "-c", PREPARING], env=_environment(tmp_path), stdout=subprocess.PIPE, text=True
        )
        assert process.stdout is not None
        assert process.stdout.readline() == "draughts\n"
        assert not list(cache.glob("chess*.code"))
    rest, _ = process.communicate(timeout=60)
    assert rest.split() == ["chess", "draughts"]
    assert len(list(cache.glob("*.code"))) == 2


@needs_numba
@pytest.mark.parametrize(
    ("available", "names"), [(None, {"chess.lock"}), (1 << 40, {"chess.lock"}), (1 << 28, {"lock"})]
)
def test_where_memory_is_short_one_process_at_a_time_compiles(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, available: int | None, names: set[str]
) -> None:
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(compiled, "COMPILED", {"chess": "bots.timing"})
    monkeypatch.setattr(compiled, "_loaded", {})
    monkeypatch.setattr(compiled, "is_available", lambda: True)
    monkeypatch.setattr(memory, "available_bytes", lambda: available)
    assert compiled.load("chess") is not None
    assert {path.name for path in tmp_path.glob("*lock")} == names
