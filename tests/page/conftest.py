"""What tests of the page share: one browser for all that a process runs, and one installation of the studio."""

from __future__ import annotations

import os
from collections.abc import Generator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.page.browser import browsing
from tests.page.studio import install


@pytest.fixture(scope="session")
def browser() -> Generator[Browser]:
    """A browser without a screen; each reader has a context of their own in it."""
    with browsing() as found:
        yield found


@pytest.fixture(scope="session")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a user's data in which the studio is installed; one for all workers of pytest."""
    base = tmp_path_factory.getbasetemp()
    shared = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "studio"
    install(shared)
    return shared
