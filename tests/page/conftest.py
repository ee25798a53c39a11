"""What tests of the page share."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.page.studio import install


@pytest.fixture(scope="session")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a user's data in which the studio is installed; one for all workers of pytest."""
    base = tmp_path_factory.getbasetemp()
    shared = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "studio"
    install(shared)
    return shared
