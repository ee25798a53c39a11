"""A player's machine and the server's, with a cable between them that can be pulled: `Network` for one player."""

from __future__ import annotations

import ctypes
import socket
from collections.abc import Generator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from tests.faults.network import SERVER, Network, NoNetworkError

ADDRESS = SERVER
"""Of the server's end."""

_CLONE_NEWNET = 0x40000000


class Cable:
    """Two machines and the cable between them: the server's namespace, and a player's."""

    def __init__(self, network: Network) -> None:
        self.server = network.server
        (self.player,) = network.players
        self._network = network

    def plug(self, state: str) -> None:
        """`up` or `down`: the player's end, so that the server is told nothing."""
        self._network.plug(0, plugged=state == "up")

    def dial(self, namespace: str, port: int) -> socket.socket:
        """A connection from a namespace: a socket belongs to the one that its thread was in."""

        def from_within() -> socket.socket:
            with Path(f"/run/netns/{namespace}").open("rb") as entry:
                if ctypes.CDLL(None, use_errno=True).setns(entry.fileno(), _CLONE_NEWNET):
                    raise OSError(ctypes.get_errno(), "setns")
            return socket.create_connection((ADDRESS, port), timeout=20)

        with ThreadPoolExecutor(1) as pool:
            return pool.submit(from_within).result()


@contextmanager
def laid() -> Generator[Cable]:
    """A cable that is plugged in; skips the test where that can't be."""
    with ExitStack() as stack:
        try:
            network = stack.enter_context(Network(1))
        except NoNetworkError as why:
            pytest.skip(str(why))
        yield Cable(network)
