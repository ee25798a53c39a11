"""A machine that stands still for a while: nobody loses by it."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from contextlib import suppress
from pathlib import Path

import pytest

from machine import modules
from processes.counting import descendants

STILL_S = 1.6
"""With what it thinks longer than a move may take, and shorter than what has a hanging file write its traceback."""

SLOW = """\
import pathlib, time

def choose(position):
    pathlib.Path("asked").touch()
    for _step in range(10):
        time.sleep(0.1)
    return position.legal_moves()[0]
"""


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(signal, "SIGSTOP"), reason="processes can't be stopped here")
def test_a_program_loses_no_time_while_all_stands_still(tmp_path: Path) -> None:
    """Server, bots and the pupil's program are stopped together, in the middle of a move."""
    (tmp_path / "slow.py").write_text(SLOW, encoding="utf-8")
    options = ("--game", "morpion:width=2,height=2,k=2", "--games", "1", "--clock", "2s/move", "--json")
    command = modules.command("match", "slow.py", "first", *options)
    with subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, text=True) as match:
        until = time.monotonic() + 60
        while not (tmp_path / "asked").exists():
            assert time.monotonic() < until
            time.sleep(0.01)
        stopped = [match.pid, *descendants(match.pid)]
        for pid in stopped:
            os.kill(pid, signal.SIGSTOP)
        time.sleep(STILL_S)
        for pid in stopped:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGCONT)
        said, _ = match.communicate(timeout=60)
    assert '"reason": "line"' in said or '"detail": "line"' in said, said
