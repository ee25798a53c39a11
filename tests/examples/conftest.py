"""The examples are tried on the same server as the bots."""

from tests.bots.conftest import server

__all__ = ["server"]
