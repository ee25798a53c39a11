"""What `run.py test` sets for the tests, and what its --quick leaves out."""

from __future__ import annotations

import os
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


def test_what_is_left_out_exists_and_is_named_by_the_help() -> None:
    for name in quick.LEFT_OUT:
        assert quick.is_left_out(quick.TESTS / name), name
        assert (quick.TESTS / name).exists(), name
        assert name in quick.HELP
    assert not quick.is_left_out(quick.TESTS / "games")
    assert not quick.is_left_out(ROOT / "faults")
