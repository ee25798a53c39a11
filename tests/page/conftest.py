"""One browser for the tests of the page that a process runs on end: each reader has a context of their own in it."""

from __future__ import annotations

from contextlib import ExitStack

import pytest
from playwright.sync_api import Browser

from tests.page.browser import browsing

_held = ExitStack()
_browsers: list[Browser] = []


@pytest.fixture
def browser() -> Browser:
    """A browser without a screen; the one that is there, if there is one."""
    if not _browsers:
        _browsers.append(_held.enter_context(browsing()))
    return _browsers[0]


@pytest.hookimpl(trylast=True)
def pytest_runtest_teardown(item: pytest.Item, nextitem: pytest.Item | None) -> None:
    """Close it after the last that wants it: while it is driven, no test of this process can run an event loop."""
    if nextitem is None or "browser" not in getattr(nextitem, "fixturenames", ()):
        _browsers.clear()
        _held.close()
