"""What `run.py test` sets for the tests, and what its --quick leaves out."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

import pytest

import bootstrap
from tests import quick

ROOT = Path(__file__).parents[1]


def test_where_bytecode_may_not_stand_beside_its_sources_the_tests_keep_it_in_venv(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    monkeypatch.setattr(bootstrap, "BYTECODE", str(tmp_path))
    monkeypatch.setattr(bootstrap, "replace", lambda _: 0)
    monkeypatch.setenv("PYTHONPYCACHEPREFIX", "theirs")
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "")
    bootstrap.test([])
    assert os.environ["PYTHONPYCACHEPREFIX"] == "theirs"
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")
    bootstrap.test([])
    assert "PYTHONDONTWRITEBYTECODE" not in os.environ
    assert os.environ["PYTHONPYCACHEPREFIX"] == str(tmp_path)


@pytest.mark.parametrize("root", ["/elsewhere/arbitre", "{tmp}/clones/arbitre", "{tmp}/arbitre"])
def test_of_bytecode_in_the_folder_of_temporary_files_only_our_own_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, root: str
) -> None:
    temporary = str(tmp_path / "tmp")
    root = root.format(tmp=temporary)
    kept = tmp_path / "bytecode"
    monkeypatch.setattr(tempfile, "tempdir", temporary)
    monkeypatch.setattr(bootstrap, "BYTECODE", str(kept))
    monkeypatch.setattr(bootstrap, "ROOT", root)
    ours, theirs = Path(f"{kept}{root}/tests"), Path(f"{kept}{temporary}/pytest-of-ann/arbitre")
    bootstrap.forget_bytecode_of_temporary_files()  # there is none yet
    for folder in (ours, theirs):
        folder.mkdir(parents=True)
        (folder / "one.pyc").touch()
    bootstrap.forget_bytecode_of_temporary_files()
    assert (ours / "one.pyc").exists()
    assert not theirs.exists()
    assert not theirs.parent.exists()


def test_what_is_left_out_exists_and_is_named_by_the_help() -> None:
    for name in quick.LEFT_OUT:
        assert quick.is_left_out(quick.TESTS / name), name
        assert (quick.TESTS / name).exists(), name
        assert name in quick.HELP
    assert not quick.is_left_out(quick.TESTS / "games")
    assert not quick.is_left_out(ROOT / "faults")
