"""What `pyproject.toml` says to import-linter: the packages, their layers, and what may import what."""

import tomllib
from pathlib import Path
from typing import Any


def settings() -> dict[str, Any]:
    """The settings of import-linter."""
    path = Path(__file__).parents[1] / "pyproject.toml"
    tools = tomllib.loads(path.read_text(encoding="utf-8"))["tool"]
    linter: dict[str, Any] = tools["importlinter"]
    return linter
