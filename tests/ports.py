"""Ports for servers that have to listen where they did before."""

from __future__ import annotations

import socket


def free_port() -> int:
    """A port of the loopback that nobody has now."""
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port: int = probe.getsockname()[1]
        return port
