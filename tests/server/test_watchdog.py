"""A loop that is stuck is noticed, and a process that was asked to stop ends, whatever it does."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
import threading
from collections.abc import Callable, Generator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from server.watchdog import Watchdog

ROOT = Path(__file__).parents[2]
ENDED_S = 30.0
"""Far more than what is shown here takes."""

STUCK = """
    import server.watchdog as watchdog
    from server.app import App
    from arbitre import main

    if {stuck}:
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


@contextmanager
def serving(*, stuck: bool) -> Generator[subprocess.Popen[str]]:
    """A server, which is killed if it still runs at the end, or after ENDED_S."""
    code = textwrap.dedent(STUCK).format(stuck=stuck)
    environment = {**os.environ, "ARBITRE_LANG": "en"}
    with subprocess.Popen(
        [sys.executable, "-c", code],
        cwd=ROOT,
        env=environment,
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as server:
        killer = threading.Timer(ENDED_S, server.kill)
        killer.start()
        try:
            yield server
        finally:
            killer.cancel()
            server.kill()


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="sends signals")
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
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
@pytest.mark.parametrize("name", ["SIGTERM", "SIGINT", "SIGHUP"])
@pytest.mark.slow
def test_a_healthy_server_stops_politely(name: str) -> None:
    with serving(stuck=False) as server:
        assert server.stdout is not None
        assert server.stdout.readline().startswith("listening on ")
        assert server.stderr is not None
        server.send_signal(getattr(signal, name))
        assert server.stderr.readline() == "closing\n"
        if name == "SIGHUP":  # whoever closes a terminal hangs up twice: that is no insisting
            server.send_signal(signal.SIGHUP)
        _, said = server.communicate(timeout=20)
    assert (server.returncode, said) == (0, "")


@pytest.mark.skipif(os.name != "posix", reason="sends signals")
@pytest.mark.slow
def test_a_server_outlives_a_hang_up_that_nohup_ignores() -> None:
    with ExitStack() as stack:
        before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
        try:
            server = stack.enter_context(serving(stuck=False))
        finally:
            signal.signal(signal.SIGHUP, before)
        assert server.stdout is not None
        assert server.stdout.readline().startswith("listening on ")
        server.send_signal(signal.SIGHUP)
        with pytest.raises(subprocess.TimeoutExpired):
            server.wait(1.0)
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


class Looks(threading.Event):
    """Stands for the watchdog's pauses: each takes what `script` says, and beats if it says so."""

    def __init__(self, clock: Clock, script: Sequence[tuple[float, bool]]) -> None:
        super().__init__()
        self.clock, self.script = clock, list(script)
        self.beat: Callable[[], None] = lambda: None

    def wait(self, timeout: float | None = None) -> bool:
        if not self.script:
            return True
        seconds, beats = self.script.pop(0)
        self.clock.now += seconds
        if beats:
            self.beat()
        return False


class Clock:
    now = 1000.0

    def monotonic(self) -> float:
        return self.now


@pytest.mark.parametrize(
    ("script", "said"),
    [
        ([(1.0, True)] * 10, []),
        ([(1.0, False)] * 10, [3.0, 5.0, 9.0]),
        ([(1.5, False), (1.5, False), (1.0, True), (1.5, False), (1.5, False)], [3.0, 3.0]),
    ],
    ids=["it turns", "it stands", "it stands twice"],
)
def test_a_loop_that_stands_is_told_again_after_twice_as_long(
    script: Sequence[tuple[float, bool]], said: Sequence[float], monkeypatch: pytest.MonkeyPatch
) -> None:
    clock, told = Clock(), list[float]()
    monkeypatch.setattr("server.watchdog.time", clock)
    monkeypatch.setattr("server.watchdog.note", lambda _event, seconds, place: told.append(seconds))
    watchdog = Watchdog()
    looks = Looks(clock, script)
    looks.beat = watchdog.beat
    watchdog._closed = looks
    watchdog._watch()
    assert told == said
