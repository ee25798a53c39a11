"""Processes that play a league, and what a test sees of it."""

import os
import subprocess
import sys
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
ARBITRE = [sys.executable, "-P", "-m", "arbitre"]


def played(folder: Path) -> bool:
    """Whether a pairing of the league in `folder` is over."""
    path = folder / "league.jsonl"
    return path.exists() and '"kind":"played"' in path.read_text(encoding="utf-8")


@contextmanager
def started(command: list[str], folder: Path, stdout: int = subprocess.DEVNULL) -> Generator[subprocess.Popen[str]]:
    """The process of a command; it is killed at the end."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    with subprocess.Popen(
        command, cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=stdout,
        stderr=subprocess.PIPE, text=True,
    ) as process:  # fmt: skip
        try:
            yield process
        finally:
            process.kill()
