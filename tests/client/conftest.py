"""What these tests start from."""

import asyncio

import pytest


@pytest.fixture(autouse=True, scope="session")
def no_forgotten_loop() -> None:
    """Keep pytest-asyncio from making an event loop, as it looks for the one before its own, that nobody closes."""
    asyncio.set_event_loop(None)
