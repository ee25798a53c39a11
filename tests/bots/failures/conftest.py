"""Capsules are sealed with a key of their own."""

from pathlib import Path

import pytest

from machine.folders import STATE_DIR


@pytest.fixture(autouse=True)
def own_state(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of an account that has written no capsule yet."""
    folder = tmp_path_factory.mktemp("state")
    monkeypatch.setenv(STATE_DIR, str(folder))
    return folder
