"""What the system tells of the other end: it acknowledges, whatever the program there does."""

from __future__ import annotations

import math
import socket
import sys
import time
from collections.abc import Iterator

import pytest

from server.connections.tcp_info import silent_s


@pytest.fixture
def link() -> Iterator[tuple[socket.socket, socket.socket]]:
    """The two ends of a connection; nobody reads at the second."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        one = socket.create_connection(server.getsockname())
        two, _ = server.accept()
        with one, two:
            yield one, two


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="TCP_INFO is Linux's")
def test_a_program_that_reads_nothing_is_there_all_the_same(link: tuple[socket.socket, socket.socket]) -> None:
    one, _idle = link
    one.sendall(b"?")
    time.sleep(0.3)
    before = silent_s(one)
    one.sendall(b"?")
    deadline = time.monotonic() + 5
    while silent_s(one) >= before:
        assert time.monotonic() < deadline, "nothing was acknowledged"
        time.sleep(0.01)
    assert before >= 0.2


def test_where_nothing_is_known_what_is_read_counts() -> None:
    assert silent_s(None) == math.inf


@pytest.mark.skipif(sys.platform == "win32", reason="socket pairs are of another family there")
def test_what_is_no_tcp_tells_nothing() -> None:
    one, two = socket.socketpair()
    with one, two:
        assert silent_s(one) == math.inf
