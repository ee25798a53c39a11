"""What tests on terminals share: screens that are closed after the test, whatever became of it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

import pytest


class Closing(Protocol):
    """A program on a terminal."""

    def close(self) -> None:
        """Ends it whatever it does."""
        ...


@pytest.fixture
def screens() -> Iterator[list[Closing]]:
    """Those that the test has opened."""
    opened: list[Closing] = []
    yield opened
    for screen in opened:
        screen.close()
