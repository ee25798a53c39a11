"""What is imported and not used costs a start nothing, and is there when it is used."""

from __future__ import annotations

import importlib
import subprocess
import sys
from types import ModuleType
from typing import Any

import pytest

from machine.modules import command
from machine.postponed import UNUSED, postpone

NAME = "xmlrpc.client"


@pytest.fixture
def stand_in(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """What an import gives at first."""
    monkeypatch.delitem(sys.modules, NAME, raising=False)
    monkeypatch.delattr("xmlrpc.client", raising=False)
    postpone(NAME)
    found = importlib.import_module(NAME)
    assert "Transport" not in vars(found)
    assert not hasattr(found, "__file__")
    assert sys.modules[NAME] is found
    return found


def test_it_is_loaded_when_something_is_asked_of_it(stand_in: Any) -> None:
    transport = stand_in.Transport
    loaded = importlib.import_module(NAME)
    assert loaded is not stand_in
    assert (loaded.Transport, sys.modules["xmlrpc"].client) == (transport, loaded)
    assert stand_in.ServerProxy is loaded.ServerProxy
    with pytest.raises(AttributeError, match="nothing"):
        _ = stand_in.nothing


def test_it_is_loaded_when_something_is_imported_from_it(stand_in: ModuleType) -> None:
    from xmlrpc.client import Transport

    assert Transport is vars(sys.modules[NAME])["Transport"]
    assert sys.modules[NAME] is not stand_in


def test_what_is_loaded_stays() -> None:
    loaded = importlib.import_module(NAME)
    postpone(NAME)
    assert sys.modules[NAME] is loaded


def test_a_client_starts_without_it() -> None:
    start, *words = command("watch", "ws://127.0.0.1:1")
    done = subprocess.run([start, "-X", "importtime", *words], capture_output=True, text=True, check=False, timeout=60)
    loaded = {line.rpartition("|")[2].strip() for line in done.stderr.splitlines() if line.startswith("import time:")}
    assert "websockets.version" in loaded
    assert not loaded & {UNUSED, "email.message"}
