"""Where a server keeps what it is to remember."""

from __future__ import annotations

from pathlib import Path

from machine import folders

DEFAULT_PORT = 8765
"""The default port of a server."""


def default_database(port: int = DEFAULT_PORT) -> Path:
    """The database of the server on `port` unless it is told another: in the user's data folder, made when needed."""
    name = "arbitre.sqlite" if port == DEFAULT_PORT else f"arbitre-{port}.sqlite"
    return folders.data() / name
