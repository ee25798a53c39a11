"""A real server for the tests that need one: a process on a free port, shared by the tests of a module."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    """The address of a server on which an absent player may be claimed against after 0.2 s."""
    command = [sys.executable, "-m", "arbitre", "serve", "--host", "127.0.0.1", "--port", "0", "--absence", "0.2s"]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            yield process.stdout.readline().strip().removeprefix("listening on ")
        finally:
            process.terminate()
