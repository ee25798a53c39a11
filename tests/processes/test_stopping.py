"""Row 116 of the fault table: a signal at any moment of a program's life, which sends them to itself there."""

import inspect
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from processes import stopping

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = """
import asyncio, atexit, os, signal, sys, threading, time
from processes import stopping
stopping.handle_signals()

def hit(moment):
    if moment == MOMENT:
        os.kill(os.getpid(), NUMBER)
        os.kill(os.getpid(), NUMBER)  # whoever insists changes nothing

async def drain():
    try:
        await asyncio.sleep(60)
    finally:
        hit("the loop is closed")

async def work():
    hit("the work begins")
    kept = asyncio.create_task(drain())
    await asyncio.sleep(0)
    hit("the work ends")
    if MOMENT == "at work":
        asyncio.get_running_loop().call_soon(hit, MOMENT)
        try:
            await asyncio.sleep(60)
        finally:
            print("tidied", flush=True)

class Policy(asyncio.DefaultEventLoopPolicy):
    def new_event_loop(self):
        hit("no loop yet")
        return super().new_event_loop()

def wait_for_nothing():
    time.sleep(0.05)  # until Python waits for this thread
    hit("Python waits for threads")
    time.sleep(60)

asyncio.set_event_loop_policy(Policy())
code = 7
try:
    hit("before")
    stopping.run(work())
    hit("after")
except stopping.Stopped as stopped:
    assert stopped.number == NUMBER
    hit("after")
    code = 1
if MOMENT == "Python waits for threads":
    threading.Thread(target=wait_for_nothing).start()
atexit.register(lambda: hit("Python ends"))
stopping.leave_with(code)
hit("over")
sys.exit(code)
"""

STOPS = ("before", "no loop yet", "the work begins", "at work", "the work ends", "the loop is closed", "after")
TOO_LATE = ("over", "Python waits for threads", "Python ends")


def call(program: str, folder: Path = ROOT, *words: str) -> tuple[int, str, str]:
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", program, *words], cwd=folder, timeout=100, check=False,
        env={**os.environ, "PYTHONPATH": str(ROOT)}, capture_output=True, encoding="utf-8",
    )  # fmt: skip
    return done.returncode, done.stdout, done.stderr


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
@pytest.mark.parametrize("moment", [*STOPS, *TOO_LATE])
def test_no_signal_kills(moment: str, number: int) -> None:
    """What the program says of itself is its exit code: 1 if it was stopped, 7 if its work was done."""
    code, said, complained = call(f"MOMENT, NUMBER = {moment!r}, {int(number)}\n{PROGRAM}")
    assert (code, complained) == (1 if moment in STOPS else 7, "")
    assert said == ("tidied\n" if moment == "at work" else "")


@pytest.mark.parametrize("moment", ["at work", "before", "over"])
def test_a_hang_up_that_nohup_ignores_stops_nothing(moment: str) -> None:
    ignore = "import signal; signal.signal(signal.SIGHUP, signal.SIG_IGN)"
    quick = PROGRAM.replace("asyncio.sleep(60)", "asyncio.sleep(0.01)")
    code, said, complained = call(f"{ignore}\nMOMENT, NUMBER = {moment!r}, {int(signal.SIGHUP)}\n{quick}")
    assert (code, complained) == (7, "")
    assert said == ("tidied\n" if moment == "at work" else "")


def test_a_command_leaves_the_collector_little_to_look_through() -> None:
    """Neither while it is imported, nor when Python ends: what it holds then is frozen."""
    program = """
import atexit, gc, runpy, sys
before = gc.get_stats()[0]["collections"]
atexit.register(lambda: print(gc.get_stats()[0]["collections"] - before, gc.get_freeze_count(), file=sys.stderr))
sys.argv = ["arbitre", "bot", "--help"]
runpy.run_module("arbitre", run_name="__main__", alter_sys=True)
"""
    code, _said, complained = call(program)
    collections, frozen = map(int, complained.split())
    assert (code, collections < 10, frozen > 10_000) == (0, True, True), complained


def test_who_ends_late_is_ended() -> None:
    program = """
import signal, time
from processes import stopping
stopping.TIDY_S = 0.05
stopping.handle_signals()
try:
    signal.raise_signal(signal.SIGTERM)
finally:
    while True:
        time.sleep(60)
"""
    assert call(program)[0] == 128 + signal.SIGTERM


def test_work_that_never_began_is_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    async def never() -> None:
        raise AssertionError

    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    work = never()
    monkeypatch.setattr(stopping, "_run", interrupted)
    with pytest.raises(KeyboardInterrupt):
        stopping.run(work)
    assert inspect.getcoroutinestate(work) == inspect.CORO_CLOSED
