"""What the supervisor counts, with real processes and no control group: it has to be enough by itself."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import pytest

from processes.counting import Activity, Usage, activity, descendants, takes_more, usage

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells")

MIB = 1 << 20
SOON_S = 10.0
START = "import ctypes, mmap, os, socket, sys, time\n"
END = "\nprint('up', flush=True); sys.stdin.read()"


@contextmanager
def running(code: str) -> Generator[list[int]]:
    """The processes of a program that has done what `code` says."""
    command = [sys.executable, "-c", START + code + END]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            assert process.stdout.readline() == b"up\n"
            yield [process.pid, *descendants(process.pid)]
        finally:
            process.stdin.close()


def held_by(tree: list[int]) -> int:
    """The MiB that the processes have, as `takes_more` sees it."""
    usages = [usage(pid) for pid in tree]
    low, high = 0, 4096
    while low < high:
        middle = (low + high) // 2
        low, high = (middle + 1, high) if takes_more(middle * MIB, tree, usages, None) else (low, middle)
    return low


SEGMENT = """
C = ctypes.CDLL(None)
C.shmat.restype = ctypes.c_void_p
number = C.shmget(0, 50 << 20, 0o1600)
ctypes.memset(C.shmat(number, None, 0), 1, 50 << 20)
C.shmctl(number, 0, None)
"""
TABLES = """
held = [mmap.mmap(-1, 1 << 30, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS, prot=mmap.PROT_READ) for _ in range(20)]
for each in held: [each[place] for place in range(0, 1 << 30, 2 << 20)]
"""


@pytest.mark.parametrize(
    ("code", "more"),
    [
        ("held = b'x' * (50 << 20)", 50),
        ("held = mmap.mmap(-1, 50 << 20); held.write(bytes(50 << 20))", 50),
        ("held = os.memfd_create('x'); os.write(held, bytes(50 << 20))", 50),
        ("held = open('/dev/shm/' + NAME, 'wb'); held.write(bytes(50 << 20)); held.flush(); os.unlink(held.name)", 50),
        (SEGMENT, 50),
        ("held = [socket.socketpair() for _ in range(100)]", 40),
        ("held = [os.pipe() for _ in range(400)]", 25),
        (TABLES, 40),
    ],
    ids=["heap", "shared", "memfd", "open and unlinked", "segment", "sockets", "pipes", "page tables"],
)  # fmt: skip
def test_it_is_counted_once(code: str, more: int) -> None:
    with running("pass") as tree:
        before = held_by(tree)
    with running(f"NAME = 'arbitre-counts-{os.getpid()}'\n{code}") as tree:
        assert abs(held_by(tree) - before - more) <= 0.2 * more


def test_pages_that_processes_share_are_counted_once() -> None:
    forked = "held = b'x' * (50 << 20)\nfor _ in range(6):\n    if os.fork() == 0: time.sleep(60); os._exit(0)\n"
    with running(forked) as tree:
        assert len(tree) == 7
        assert 50 <= held_by(tree) <= 120
        for pid in tree[1:]:
            os.kill(pid, 9)


def test_what_is_only_read_is_not_counted(tmp_path: Path) -> None:
    name = Path(f"/dev/shm/arbitre-reads-{os.getpid()}")
    name.write_bytes(bytes(50 * MIB))
    try:
        with running(f"held = open('{name}', 'rb')") as tree:
            assert held_by(tree) < 40
    finally:
        name.unlink()


def test_a_thread_that_computes_shows() -> None:
    end = time.monotonic() + SOON_S
    with running("pass") as tree:
        while activity(tree).busy:  # it has said so, and is about to read
            assert time.monotonic() < end
    spinning = "import threading\ndef spin():\n    while True: pass\nthreading.Thread(target=spin, daemon=True).start()"
    with running(spinning) as tree:
        before = activity(tree)
        while not (now := activity(tree)).busy or now.ticks <= before.ticks:
            assert time.monotonic() < end


def test_a_process_that_is_gone_uses_nothing() -> None:
    with subprocess.Popen([sys.executable, "-c", ""]) as process:
        pass
    assert vars(usage(process.pid)) == vars(Usage())
    assert vars(activity([process.pid])) == vars(Activity(0, busy=False))
    assert not takes_more(1, [process.pid], [Usage()], process.pid)
