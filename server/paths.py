"""Where a server keeps what it is to remember."""

from __future__ import annotations

from pathlib import Path

import platformdirs


def default_database() -> Path:
    """The database of a server that was told no other: in the user's data folder, which need not exist yet."""
    return platformdirs.user_data_path("arbitre", appauthor=False) / "arbitre.sqlite"
