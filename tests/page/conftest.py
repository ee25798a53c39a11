"""One browser for all tests of the page that a process runs: each reader has a context of their own in it."""

from collections.abc import Generator

import pytest
from playwright.sync_api import Browser

from tests.page.browser import browsing


@pytest.fixture(scope="session")
def browser() -> Generator[Browser]:
    """A browser without a screen."""
    with browsing() as found:
        yield found
