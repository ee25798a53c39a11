"""What every test starts from: English texts, and folders of its own instead of the user's."""

import asyncio
import gc
import os
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings
from looptime._internal import plugin as looptime_plugin

from locales import set_language
from machine import core, networks
from server import memory
from tests import quick, spreading

# Which core is tested is said: the plain one, or with `run.py test --compiled` the other. Children hear it as well.
if os.environ.setdefault(core.VARIABLE, "plain") != "plain":
    core.use()
    if core.state() is not core.State.COMPILED:
        raise pytest.UsageError("the compiled core does not run here: `python3 run.py compile` makes it")

# Collecting makes a million things and drops few: looking through them meanwhile takes a fifth of its time.
gc.disable()

# No example has a deadline: how long it takes says something of the machine's other work only.
settings.register_profile("arbitre", deadline=None)
settings.load_profile("arbitre")

# No test says anything on the network of the machine that it runs on; those of networks make their own.
os.environ.setdefault(networks.VARIABLE, "off")

# pytest-asyncio asks for a current loop before each async test, and Python 3.11 makes one that nobody closes, unless it
# was told that there is none.
asyncio.set_event_loop(None)

# Whoever starts the tests with nohup has hang-ups ignored, which commands respect and tests send.
if hasattr(signal, "SIGHUP") and signal.getsignal(signal.SIGHUP) is signal.SIG_IGN:
    signal.signal(signal.SIGHUP, signal.SIG_DFL)
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # as a shell does for what it starts in the background
    signal.signal(signal.SIGINT, signal.default_int_handler)


def _remembering(decide: Callable[[Any, Any], bool]) -> Callable[[Any, Any], bool]:
    known: dict[tuple[str, str], bool] = {}

    def remembered(fixture: Any, request: Any) -> bool:
        key = fixture.func.__module__, fixture.argname
        if key not in known:
            known[key] = decide(fixture, request)
        return known[key]

    return remembered


# Whenever a fixture is set up, looptime looks through all of pytest-asyncio to see whether it makes a loop: a fifth of
# what pytest does for a test. The answer depends on the fixture's module and name alone.
_LOOKS = "_should_patch"
setattr(looptime_plugin, _LOOKS, _remembering(getattr(looptime_plugin, _LOOKS)))


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add --quick; its help names what it leaves out."""
    parser.addoption("--quick", action="store_true", help=quick.HELP)


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """With --quick, leave out what takes long."""
    return (config.getoption("--quick") and quick.is_left_out(collection_path)) or None


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Where several processes share the tests, let each begin with slow ones. (Which of them run is decided by now.)"""
    worker = getattr(config, "workerinput", None)
    if worker is not None:
        items[:] = spreading.in_order(items, worker["workercount"])


class _Collecting:
    """The module `gc` for servers in the tests' process: nothing is frozen or thawed but by `pytest_collection_finish`.

    A server looks through all there is when it starts, which takes 0.3 s with eight thousand collected tests.
    """

    def __getattr__(self, name: str) -> Any:
        return getattr(gc, name)

    def freeze(self) -> None:
        """Leave things as they are."""

    def unfreeze(self) -> None:
        """Leave things as they are."""


_COLLECTOR = "gc"
"""What the server calls Python's collector."""


def pytest_collection_finish() -> None:
    """Let the collector work from now on, and never look at what pytest has collected."""
    gc.collect()
    gc.freeze()
    gc.enable()
    setattr(memory, _COLLECTOR, _Collecting())


@pytest.fixture(autouse=True, scope="session")
def own_folders(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Keep the user's settings, sessions and games out of the tests, and the tests' out of the user's."""
    patch = pytest.MonkeyPatch()
    home = tmp_path_factory.mktemp("home")
    for kind in ("CONFIG", "DATA", "STATE", "RUNTIME"):
        patch.setenv(f"XDG_{kind}_{'DIR' if kind == 'RUNTIME' else 'HOME'}", str(home / kind.lower()))


@pytest.fixture(autouse=True)
def english(monkeypatch: pytest.MonkeyPatch) -> None:
    """Speak English whatever the machine speaks; a test that sets a language leaves no trace of it."""
    for name in ("ARBITRE_LANG", "LANGUAGE"):
        monkeypatch.setenv(name, "en")
    set_language("en")
