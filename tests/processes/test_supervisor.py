"""Row 133: a program that turns on its supervisor. In the sandbox it finds none; without, what is left is ended."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from bots.adapters.engine import Engine
from bots.adapters.pupils.patience import Deadline
from bots.base import BotFaultError
from processes.counting import descendants
from processes.launch_options import LaunchOptions
from processes.supervised import _start
from tests.processes.bubblewrap import need_bubblewrap

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")

SOON_S = 10.0


def start(folder: Path, code: str, *, sandbox: bool = False) -> Engine:
    folder.mkdir(exist_ok=True)
    (folder / "main.py").write_text("import ctypes, os, signal, sys, time\n" + code)
    engine = Engine(
        [sys.executable, str(folder / "main.py")], name="engine", launch=LaunchOptions(sandbox=sandbox, polite_s=0.05)
    )
    engine.start()
    return engine


def left_of(folder: Path) -> list[int]:
    """The processes that have the program in their command line."""
    found: list[int] = []
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            found += [int(entry.name)] if str(folder) in (entry / "cmdline").read_text(errors="replace") else []
        except OSError:
            continue
    return found


def soon_none_of(folder: Path) -> bool:
    end = time.monotonic() + SOON_S
    while (left := left_of(folder)) and time.monotonic() < end:
        time.sleep(0.02)
    return not left


CHILDREN = "\nfor _ in range(3):\n    if os.fork() == 0: time.sleep(600)\n"


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGSTOP])
@pytest.mark.parametrize("outlives", [False, True])
def test_who_stops_its_supervisor_ends_with_the_match(number: int, tmp_path: Path, *, outlives: bool) -> None:
    free = "ctypes.CDLL(None).prctl(1, 0)" if outlives else ""
    code = f"{free}{CHILDREN}print('up', flush=True); os.kill(os.getppid(), {number}); time.sleep(600)"
    engine = start(tmp_path / "bot", code)
    assert engine.receive(Deadline(SOON_S)) == "up"
    with pytest.raises(BotFaultError):
        engine.receive(Deadline(0.3))
    engine.close()
    assert soon_none_of(tmp_path / "bot"), left_of(tmp_path / "bot")


def test_nobody_looks_into_the_supervisor(tmp_path: Path) -> None:
    engine = start(tmp_path / "bot", "print('up', flush=True); time.sleep(600)")
    assert engine.receive(Deadline(SOON_S)) == "up"
    supervisor = next(
        pid for pid in descendants(os.getpid()) if str(tmp_path) in Path(f"/proc/{pid}/cmdline").read_text()
    )
    assert Path(f"/proc/{supervisor}/mem").stat().st_uid == 0, "what is not dumpable belongs to root"
    if os.getuid() != 0:
        with pytest.raises(PermissionError):
            Path(f"/proc/{supervisor}/mem").read_bytes()
    engine.close()
    assert soon_none_of(tmp_path / "bot")


@pytest.mark.parametrize("sandbox", [False, True])
def test_a_killed_supervisor_takes_the_program_with_it(tmp_path: Path, *, sandbox: bool) -> None:
    if sandbox:
        need_bubblewrap()
    engine = start(tmp_path / "bot", f"{CHILDREN}print('up', flush=True); time.sleep(600)", sandbox=sandbox)
    assert engine.receive(Deadline(SOON_S)) == "up"
    assert engine._supervised is not None
    os.kill(engine._supervised._process.pid, signal.SIGKILL)  # type: ignore[attr-defined]  # it is the supervisor of POSIX
    with pytest.raises(BotFaultError):
        engine.receive(Deadline(1.0))
    engine.close()
    assert soon_none_of(tmp_path / "bot"), left_of(tmp_path / "bot")


def test_in_the_sandbox_there_is_no_supervisor_to_be_found(tmp_path: Path) -> None:
    need_bubblewrap()
    code = "print(sum(name.isdigit() for name in os.listdir('/proc')), os.getppid(), flush=True); time.sleep(600)"
    engine = start(tmp_path / "bot", code, sandbox=True)
    assert engine.receive(Deadline(SOON_S)) == "2 1", "the first process of the namespace, and itself"
    engine.close()
    assert soon_none_of(tmp_path / "bot")


def test_it_starts_with_little() -> None:
    code = _start().replace("main(sys.argv[1:])", "print(*sys.modules)")
    done = subprocess.run([sys.executable, "-I", "-S", "-c", code], capture_output=True, encoding="utf-8", check=True)
    loaded = set(done.stdout.split())
    assert "processes.supervisor" in loaded
    assert not loaded & {"json", "pathlib", "re", "typing"}
