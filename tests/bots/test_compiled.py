"""The door to the compiled searches: what it does where numba is missing, and where the machine code goes."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from bots.cli import warmup_command
from bots.search import compiled


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
    assert folder.is_dir()
    assert folder.is_relative_to(tmp_path / "arbitre" / "compiled")


@pytest.mark.skipif(sys.platform != "linux", reason="the cache folder of Linux")
def test_where_few_versions_are_kept(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("NUMBA_CACHE_DIR", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    for number in range(9):
        (tmp_path / "arbitre" / "compiled" / f"old{number}").mkdir(parents=True)
    folder = compiled.cache_folder()
    assert folder.is_dir()
    assert len(list(folder.parent.iterdir())) == 5


@pytest.mark.skipif(sys.platform != "linux", reason="the cache folder of Linux")
def test_or_into_one_that_goes_with_the_process(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("NUMBA_CACHE_DIR", raising=False)
    (tmp_path / "arbitre").write_text("in the way", encoding="utf-8")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    folder = compiled.cache_folder()
    assert folder.is_dir()
    assert not folder.is_relative_to(tmp_path)
