"""A loop that is stuck is noticed, and a process that was asked to stop ends, whatever it does."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from server.watchdog import Watchdog

ROOT = Path(__file__).parents[2]

STUCK = """
    import server.watchdog as watchdog
    from server.app import App
    from arbitre import main

    watchdog.STUCK_SECONDS, watchdog.GRACE_SECONDS = 0.5, 1.5
    beats = 0
    beat = App._beat

    def stuck(self):
        global beats
        beat(self)
        beats += 1
        while beats > 5:
            pass

    if {stuck}:
        App._beat = stuck
    main(["serve", "--host", "127.0.0.1", "--port", "0"])
"""


def serving(*, stuck: bool) -> subprocess.Popen[str]:
    code = textwrap.dedent(STUCK).format(stuck=stuck)
    environment = {**os.environ, "ARBITRE_LANG": "en"}
    return subprocess.Popen(
        [sys.executable, "-c", code],
        cwd=ROOT,
        env=environment,
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )


@pytest.mark.skipif(os.name != "posix", reason="sends signals")
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_stuck_loop_is_named_and_ended(number: signal.Signals) -> None:
    with serving(stuck=True) as server:
        assert server.stdout is not None
        assert server.stderr is not None
        assert server.stdout.readline().startswith("listening on ")
        said = server.stderr.readline()
        assert "has done nothing else for" in said
        assert "stuck <" in said
        server.send_signal(number)
        _, rest = server.communicate(timeout=20)
    assert server.returncode == 1
    assert "did not stop in time" in rest


@pytest.mark.skipif(os.name != "posix", reason="sends signals")
def test_a_healthy_server_stops_politely() -> None:
    with serving(stuck=False) as server:
        assert server.stdout is not None
        assert server.stdout.readline().startswith("listening on ")
        server.terminate()
        _, said = server.communicate(timeout=20)
    assert (server.returncode, said) == (0, "closing\n")


def test_who_insists_is_obeyed_at_once() -> None:
    ended: list[int] = []
    watchdog = Watchdog(end=ended.append)
    watchdog.stopping()
    assert not ended
    watchdog.stopping()
    assert ended == [1]
