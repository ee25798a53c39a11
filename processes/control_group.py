"""A control group (cgroup) for one program: the system itself bounds the memory of all that it starts. Linux only.

Part of the supervisor: standard library only. A group counts what no process shows: shared memory that nobody has
mapped, the buffers and the bookkeeping of the kernel. A group is made where we may make one: as root, and in a session
whose groups were given to its user (`systemd-run --user --scope`); in version 2 beside our own group or above, in
version 1 below.

Sources: cgroups(7), Documentation/admin-guide/cgroup-v2.rst and cgroup-v1/memory.rst of Linux.
"""

import os
import time
from collections.abc import Iterator
from contextlib import suppress

SLACK_BYTES = 16 << 20
"""Added to the limit of the program: room for its sandbox, and to let the supervisor act before the group does."""

REMOVE_S = 1.0
"""How long the last process may take to leave the group."""

PREFIX = "arbitre-"
"""What our groups are called, before the number of their supervisor."""

_COUNTS = {1: "memory.oom_control", 2: "memory.events"}
_LIMITS = {1: "memory.limit_in_bytes", 2: "memory.max"}


class ControlGroup:
    """A group that was made, as the `folder` in which the system shows it; version 1 or 2."""

    def __init__(self, folder: str, version: int) -> None:
        self.folder = folder
        self._version = version

    def enter(self) -> None:
        """Moves this process into the group, with all that it will start."""
        with suppress(OSError):  # then only the supervisor bounds the memory
            _write(f"{self.folder}/cgroup.procs", "0")

    def bound(self, memory: int) -> bool:
        """Bounds the memory of the group, in bytes; returns whether that was possible."""
        try:
            _write(f"{self.folder}/{_LIMITS[self._version]}", str(memory))
        except OSError:
            return False
        with suppress(OSError):  # not every system counts what it swaps out
            if self._version == 1:
                _write(f"{self.folder}/memory.memsw.limit_in_bytes", str(memory))
            else:
                _write(f"{self.folder}/memory.swap.max", "0")
        with suppress(OSError):
            if self._version == 2:
                _write(f"{self.folder}/memory.oom.group", "1")
        return True

    def was_exceeded(self) -> bool:
        """Whether the system has ended a process of the group because the group had no memory left."""
        lines = _read(f"{self.folder}/{_COUNTS[self._version]}").splitlines()
        return any(line.startswith("oom_kill ") and line != "oom_kill 0" for line in lines)

    def remove(self) -> None:
        """Removes the group as soon as its last process has left; gives up after REMOVE_S."""
        end = time.monotonic() + REMOVE_S
        while time.monotonic() < end:
            try:
                os.rmdir(self.folder)
            except FileNotFoundError:
                return
            except OSError:
                time.sleep(0.01)
            else:
                return


def create_group(
    memory: int, mounts: str = "/proc/self/mountinfo", ours: str = "/proc/self/cgroup"
) -> ControlGroup | None:
    """A new group whose processes have at most `memory` bytes and a little, None where we may not make one.

    mounts, ours: what the system tells of its file systems, and of the groups that we are in.
    """
    for parent, version in _parents(_read(mounts), _read(ours)):
        _sweep(parent)
        group = ControlGroup(f"{parent}/{PREFIX}{os.getpid()}", version)
        try:
            os.mkdir(group.folder)
        except OSError:
            continue
        if group.bound(memory + SLACK_BYTES):
            return group
        group.remove()
    return None


def _parents(mounts: str, ours: str) -> Iterator[tuple[str, int]]:
    """The groups in which one of ours might be made, with the version, the nearest first."""
    places: dict[int, str] = {}
    for line in mounts.splitlines():
        before, _dash, after = line.partition(" - ")
        kind, _source, *options = after.split() or ("", "")
        if kind == "cgroup2":
            places[2] = before.split()[4]
        elif kind == "cgroup" and options and "memory" in options[-1].split(","):
            places[1] = before.split()[4]
    for line in ours.splitlines():
        _number, controllers, path = line.split(":", 2)
        if not controllers and 2 in places:
            while True:
                folder = places[2] + path.rstrip("/")
                if "memory" in _read(f"{folder}/cgroup.subtree_control").split():
                    yield folder, 2
                if not path.strip("/"):
                    break
                path = os.path.dirname(path)
        elif "memory" in controllers.split(",") and 1 in places:
            yield places[1] + path.rstrip("/"), 1


def _sweep(parent: str) -> None:
    """Removes the empty groups of supervisors that were killed."""
    with suppress(OSError):
        for name in os.listdir(parent):
            supervisor = name.removeprefix(PREFIX)
            if name.startswith(PREFIX) and not os.path.exists(f"/proc/{supervisor}"):
                with suppress(OSError):
                    os.rmdir(f"{parent}/{name}")


def _read(path: str) -> str:
    """What the system says in one of its files; nothing if it is not there."""
    with suppress(OSError), open(path, encoding="utf-8", errors="replace") as stream:
        return stream.read()
    return ""


def _write(path: str, text: str) -> None:
    with open(path, "w", encoding="ascii") as stream:
        stream.write(text)
