"""What tests of the page share: one browser while a process runs them, who sits before it, the studio installed once.

Each module has a fixture `server` of its own.
"""

from __future__ import annotations

from collections.abc import Generator
from contextlib import ExitStack
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.faults.serving import Serving
from tests.once import once
from tests.page.browser import Room, browsing
from tests.page.class_host import FakeClass
from tests.page.studio import install

_held = ExitStack()
_browsers: list[Browser] = []


@pytest.fixture
def browser() -> Browser:
    """A browser without a screen; each reader has a context of their own in it."""
    if not _browsers:
        _browsers.append(_held.enter_context(browsing()))
    return _browsers[0]


@pytest.hookimpl(trylast=True)
def pytest_runtest_teardown(item: pytest.Item, nextitem: pytest.Item | None) -> None:
    """Close it after the last that wants it: while it is driven, no test of this process can run an event loop."""
    if nextitem is None or "browser" not in getattr(nextitem, "fixturenames", ()):
        _browsers.clear()
        _held.close()


@pytest.fixture
def room(browser: Browser, server: Serving) -> Generator[Room]:
    """Readers of the server's page."""
    with Room(browser, server.port) as found:
        yield found


@pytest.fixture
def fake(server: Serving) -> Generator[FakeClass]:
    """A class on the server, which a test lets say what it likes."""
    with FakeClass(server.port) as found:
        yield found


@pytest.fixture(scope="session")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a user's data in which the studio is installed; one for all workers of pytest."""
    return once(tmp_path_factory, "studio", install)
