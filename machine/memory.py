"""The memory that this machine has left for us, also where a container or a limit gives less than there is."""

import sys
from pathlib import Path

_CGROUP = Path("/sys/fs/cgroup")
_MEMINFO = Path("/proc/meminfo")
_STATUS = Path("/proc/self/statm")


def available_bytes() -> int | None:
    """The memory that this process and its children may still take, in bytes; None where the system does not tell.

    The least of what the machine has, what its control group may use (Linux, both versions), and what RLIMIT_DATA
    leaves to this process.
    """
    found = [size for size in (_of_machine(), _of_group(), _of_limit("RLIMIT_DATA", 5)) if size is not None]
    return max(0, min(found)) if found else None


def addresses_left() -> int | None:
    """The bytes of addresses that RLIMIT_AS leaves to this process; None without such a limit."""
    return _of_limit("RLIMIT_AS", 0)


def _of_machine() -> int | None:
    try:
        lines = _MEMINFO.read_text(encoding="ascii").splitlines()
        return next(int(line.split()[1]) << 10 for line in lines if line.startswith("MemAvailable:"))
    except (OSError, ValueError, StopIteration):
        return None


def _of_group() -> int | None:
    """What is left below the limits of the control groups that we are in, those around it included."""
    left: list[int] = []
    for folder, most, used in _groups():
        try:
            limit = (folder / most).read_text(encoding="ascii").strip()
            if limit.isdigit():
                left.append(int(limit) - int((folder / used).read_text(encoding="ascii")) + _cached(folder))
        except (OSError, ValueError):
            continue
    return min(left, default=None)


def _groups() -> list[tuple[Path, str, str]]:
    """The folders of our control groups, inner ones first, with the names of their limit and of what is used."""
    try:
        lines = Path("/proc/self/cgroup").read_text(encoding="utf-8").splitlines()
    except OSError:
        return []
    found: list[tuple[Path, str, str]] = []
    for line in lines:
        _number, controllers, name = line.split(":", 2)
        if not controllers:
            top, names = _CGROUP, ("memory.max", "memory.current")
        elif "memory" in controllers.split(","):
            top, names = _CGROUP / "memory", ("memory.limit_in_bytes", "memory.usage_in_bytes")
        else:
            continue
        inner = top / name.lstrip("/")
        found += [(folder, *names) for folder in (inner, *inner.parents) if folder.is_relative_to(top)]
    return found


def _cached(folder: Path) -> int:
    """What a control group uses for files that can be read again."""
    try:
        lines = (folder / "memory.stat").read_text(encoding="ascii").splitlines()
        return next(int(line.split()[1]) for line in lines if line.startswith("inactive_file "))
    except (OSError, ValueError, StopIteration):
        return 0


def _of_limit(name: str, column: int) -> int | None:
    """What a limit of this process leaves; `column` of proc_pid_statm(5) is what it has used of it, in pages."""
    if sys.platform == "win32":
        return None
    import resource

    limit = resource.getrlimit(getattr(resource, name))[0]
    if limit == resource.RLIM_INFINITY:
        return None
    try:
        used = int(_STATUS.read_text(encoding="ascii").split()[column])
    except (OSError, ValueError):
        return None
    return max(0, limit - used * resource.getpagesize())
