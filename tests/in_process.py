"""A command of Arbitre in the process of the tests: a process of its own takes a quarter of a second to start."""

from __future__ import annotations

import io
import subprocess
from contextlib import chdir, redirect_stderr, redirect_stdout
from pathlib import Path

import pytest

import arbitre


def run(*words: str, folder: Path, **environ: str) -> subprocess.CompletedProcess[str]:
    """Runs `arbitre WORDS` in a folder; gives its exit code and what it said. Its children are processes as ever."""
    said, told = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True) for _ in range(2))
    with pytest.MonkeyPatch.context() as patch, chdir(folder), redirect_stdout(said), redirect_stderr(told):
        for name, value in environ.items():
            patch.setenv(name, value)
        code = arbitre.main(words)
    return subprocess.CompletedProcess(words, code, *(stream.buffer.getvalue().decode() for stream in (said, told)))
