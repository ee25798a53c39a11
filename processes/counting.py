"""Measures a tree of processes: memory of every kind that the system shows, processor time, threads. Linux only.

Part of the supervisor: standard library only. Memory is what is written and can't be thrown away: anonymous memory,
also what was swapped out, page tables, shared memory, files in memory (tmpfs, memfd), and the buffers of sockets and
pipes.

Nothing is charged twice. A page that several processes have is theirs in parts (PSS), and shared memory that is both
mapped and in a file counts as the larger of the two sums. The system takes long to find these parts, so they are read
only if the plain sum over all processes is above the limit.

Sources: proc_pid_status(5), proc_pid_smaps(5), proc_sysvipc(5), tmpfs(5).
"""

import functools
import os
import stat
from collections.abc import Iterator, Sequence
from contextlib import suppress

SOCKET_BYTES = 208 << 10
PIPE_BYTES = 64 << 10
"""What the system lets wait in a socket and a pipe, by default; that is what each counts."""

FILE_BYTES = 1 << 10
"""What the system needs for each file and folder in memory, even for an empty one."""

PRIVATE = ("/tmp", "/dev/shm")  # noqa: S108 - those of a sandbox
"""Where a sandbox has file systems in memory of its own."""

_BUSY = frozenset("RD")
"""The states of a thread that has something to do: runnable, or waiting for a disk (proc_pid_stat(5))."""

_IN_MEMORY = frozenset({"tmpfs", "ramfs", "devtmpfs"})


class Activity:
    """What some processes do at a moment: the clock ticks that their threads have used, and whether one is busy.

    busy: a thread that runs, waits for a processor, or waits for a disk.
    """

    def __init__(self, ticks: int, *, busy: bool) -> None:
        self.ticks = ticks
        self.busy = busy


class Usage:
    """What a process shows of itself: bytes, threads, and seconds of processor time with that of its dead children.

    own: memory that is no file's and not shared on purpose. tables: what the system needs to find its pages.
    shared: pages of files in memory and of shared memory that it has mapped and touched.
    """

    def __init__(self, own: int = 0, tables: int = 0, shared: int = 0, threads: int = 0, cpu_s: float = 0.0) -> None:
        self.own = own
        self.tables = tables
        self.shared = shared
        self.threads = threads
        self.cpu_s = cpu_s


def descendants(root: int) -> list[int]:
    """The processes below `root`, parents before children; Linux only, elsewhere none."""
    found: list[int] = []
    queue = [root]
    for pid in queue:  # it grows meanwhile
        below: list[int] = []
        with suppress(OSError):  # it has ended
            for thread in os.listdir(f"/proc/{pid}/task"):
                with open(f"/proc/{pid}/task/{thread}/children", encoding="ascii") as stream:
                    below += map(int, stream.read().split())
        found += below
        queue += below
    return found


def usage(pid: int) -> Usage:
    """What the process shows; nothing if it has ended."""
    try:
        told = dict(_fields(f"/proc/{pid}/status"))
        with open(f"/proc/{pid}/stat", encoding="utf-8", errors="replace") as stream:
            ticks = sum(map(int, stream.read().rpartition(")")[2].split()[11:15]))
    except OSError:
        return Usage()
    return Usage(
        own=(told.get("RssAnon", 0) + told.get("VmSwap", 0)) << 10,
        tables=(told.get("VmPTE", 0) + told.get("HugetlbPages", 0)) << 10,
        shared=told.get("RssShmem", 0) << 10,
        threads=told.get("Threads", 0),
        cpu_s=ticks / os.sysconf("SC_CLK_TCK"),
    )


def activity(tree: Sequence[int]) -> Activity:
    """What these processes do now; those that have ended do nothing."""
    ticks, busy = 0, False
    for pid in tree:
        with suppress(OSError):
            for thread in os.listdir(f"/proc/{pid}/task"):
                with open(f"/proc/{pid}/task/{thread}/stat", encoding="utf-8", errors="replace") as stream:
                    told = stream.read().rpartition(")")[2].split()
                ticks += int(told[11]) + int(told[12])
                busy = busy or told[0] in _BUSY
    return Activity(ticks, busy=busy)


def takes_more(limit: int, tree: Sequence[int], usages: Sequence[Usage], inside: int | None) -> bool:
    """Whether the processes of `tree` together have more than `limit` bytes.

    usages: what each shows. inside: a process in their sandbox, whose file systems in memory are theirs alone; None
    without a sandbox.
    """
    files, buffers = _opened(tree, frozenset() if inside is not None else _memory_devices())
    files += _segments(tree) if inside is None else _private(inside)
    rest = buffers + sum(each.tables for each in usages)
    if rest + files + sum(each.own + each.shared for each in usages) <= limit:
        return False
    parts = [_parts(pid, each) for pid, each in zip(tree, usages, strict=True)]
    return rest + sum(own for own, _ in parts) + max(files, sum(shared for _, shared in parts)) > limit


def _fields(path: str) -> Iterator[tuple[str, int]]:
    """The numeric fields of a file such as /proc/PID/status."""
    with open(path, encoding="utf-8", errors="replace") as stream:
        for line in stream:
            name, _colon, value = line.partition(":")
            words = value.split()
            if words and words[0].isdecimal():
                yield name, int(words[0])


def _parts(pid: int, shown: Usage) -> tuple[int, int]:
    """The part of `own` and `shared` of this process (PSS); all of both if the system does not let us read it."""
    try:
        told = dict(_fields(f"/proc/{pid}/smaps_rollup"))
        own, shared = told["Pss_Anon"] + told.get("SwapPss", 0), told["Pss_Shmem"]
    except (OSError, KeyError):
        return shown.own, shown.shared
    return own << 10, shared << 10


def _opened(tree: Sequence[int], devices: frozenset[int]) -> tuple[int, int]:
    """The bytes of the files in memory that are open for writing, and those that sockets and pipes may hold.

    devices: the file systems in memory; files without a name (memfd) are counted in any case.
    """
    files: dict[tuple[int, int], int] = {}
    buffers: dict[str, int] = {}
    for pid in tree:
        folder = f"/proc/{pid}/fd"
        with suppress(OSError):
            for number in os.listdir(folder):
                with suppress(OSError):
                    link = os.readlink(f"{folder}/{number}")
                    if link.startswith(("socket:", "pipe:")):
                        buffers[link] = SOCKET_BYTES if link[0] == "s" else PIPE_BYTES
                    elif link.startswith("/") and (devices or link.startswith("/memfd:")):
                        found = os.stat(f"{folder}/{number}")
                        is_ours = link.startswith("/memfd:") or found.st_dev in devices
                        if is_ours and os.lstat(f"{folder}/{number}").st_mode & stat.S_IWUSR:
                            files[found.st_dev, found.st_ino] = found.st_blocks * 512
    return sum(files.values()), sum(buffers.values())


def _private(inside: int) -> int:
    """The bytes in the sandbox's file systems in memory; 0 before they are mounted."""
    held = 0
    for name in PRIVATE:
        with suppress(OSError):
            path = f"/proc/{inside}/root{name}"
            if os.stat(path).st_dev != os.stat(name).st_dev:
                told = os.statvfs(path)
                held += (told.f_blocks - told.f_bfree) * told.f_frsize + (told.f_files - told.f_ffree) * FILE_BYTES
    return held


@functools.cache
def _memory_devices() -> frozenset[int]:
    """The devices of the file systems in memory that we see."""
    found: set[int] = set()
    with suppress(OSError), open("/proc/self/mountinfo", encoding="utf-8", errors="replace") as stream:
        for line in stream:
            before, _dash, after = line.partition(" - ")
            if after.partition(" ")[0] in _IN_MEMORY:
                major, _colon, minor = before.split()[2].partition(":")
                found.add(os.makedev(int(major), int(minor)))
    return frozenset(found)


def _segments(tree: Sequence[int]) -> int:
    """The bytes of the System V shared memory that these processes have made or used last."""
    held, ours = 0, frozenset(tree)
    with suppress(OSError, ValueError, KeyError), open("/proc/sysvipc/shm", encoding="ascii") as stream:
        names = stream.readline().split()
        for line in stream:
            row = dict(zip(names, line.split(), strict=False))
            if int(row["cpid"]) in ours or int(row["lpid"]) in ours:
                held += int(row["rss"]) + int(row["swap"])
    return held
