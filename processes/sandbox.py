"""The sandbox: a foreign program in bubblewrap (`bwrap`), which makes namespaces of its own for it.

Inside there is no network, no other process, no variable of ours, and of the files only: the system's programs and
libraries, what the program is installed with, and what belongs to it (`processes.belongings`), all read-only; /tmp and
/dev/shm are private, small, and gone at the end. System calls that take memory elsewhere are refused
(`processes.calls`).

bubblewrap may be missing, or forbidden by the system (user namespaces switched off): `obstacle` says so in words.
Source of the options: bwrap(1), bubblewrap 0.8.
"""

import functools
import os
import shutil
import subprocess
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from locales import _
from processes.belongings import SYSTEM, belongings, is_system, shows_too_much
from processes.calls import refusing
from processes.counting import PRIVATE
from processes.supervisor import FILTER

WRAPPERS = 2
"""How many processes of bubblewrap stand above the program: the one that watches and the first of the namespace."""

TMP_BYTES = 64 << 20
"""How much the private /tmp holds, and the private /dev/shm."""

CHECK_S = 10.0

_BWRAP = "bwrap"
_SYSTEM_FILES = ("/etc/alternatives", "/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d")
_JAVA = "java-*"
"""In /etc: Debian keeps there what Java reads at its start, and links to it from /usr."""

_VARIABLES = frozenset({"PATH", "LANG", "LANGUAGE", "TZ", "ARBITRE_LANG"})
_ISOLATION = ("--unshare-all", "--die-with-parent", "--new-session", "--cap-drop", "ALL", "--hostname", "arbitre")


@functools.cache
def obstacle() -> str | None:
    """Why there is no sandbox on this machine, None if there is one; tried once in a process."""
    if sys.platform != "linux" or shutil.which(_BWRAP) is None:
        return _("the program bubblewrap (bwrap) is not installed")
    said = _try()
    return None if said is None else _("bubblewrap does not work here ({reason})").format(reason=said)


def _try() -> str | None:
    """The reason why no sandbox can be made; None if one can."""
    reading, writing = os.pipe()
    try:
        os.write(writing, refused_calls())
        os.close(writing)
        command = wrap(["true"], calls_at=reading)
        tried = subprocess.run(
            command, stdin=subprocess.DEVNULL, capture_output=True, timeout=CHECK_S, check=False, pass_fds=[reading]
        )
    except (OSError, subprocess.SubprocessError) as error:
        return str(error)
    finally:
        os.close(reading)
    if tried.returncode == 0:
        return None
    said = tried.stderr.decode(errors="replace").strip().splitlines()
    return said[-1] if said else str(tried.returncode)


def refused_calls() -> bytes:
    """The filter of system calls that a sandbox is given; empty where none is known for this machine."""
    return refusing() or b""


def wrap(
    command: Sequence[str],
    *,
    folder: Path | None = None,
    readable: Sequence[Path] = (),
    apart: Sequence[Path] = (),
    own: Path | None = None,
    calls_at: int = FILTER,
) -> list[str]:
    """The command that runs `command` in a sandbox, in `folder` (by default where we are).

    readable: files and folders that it needs besides its own. apart: what it may not see, whatever lies beside it.
    own: a folder that is the program (see `processes.belongings`).
    calls_at: the file descriptor from which `refused_calls` are to be read.
    """
    place = Path(folder or Path.cwd()).absolute()
    arguments = [_BWRAP, *_ISOLATION, *_no_namespaces(), "--proc", "/proc", "--dev", "/dev"]
    if refused_calls():
        arguments += ["--seccomp", str(calls_at)]
    for name in PRIVATE:
        arguments += [*(("--size", str(TMP_BYTES)) if _knows("--size") else ()), "--tmpfs", name]
    arguments += ["--remount-ro", "/dev", "--dir", str(place)]
    for name in (*SYSTEM, *_SYSTEM_FILES, *map(str, Path("/etc").glob(_JAVA))):
        path = Path(name)
        if path.is_symlink():
            arguments += ["--symlink", str(path.readlink()), name]
        elif path.exists():
            arguments += ["--ro-bind", name, name]
    shown = [path.absolute() for path in readable]
    shown += [*_installed_with(command[0], place, apart), *belongings(command, place, apart, own).shown]
    for path in _outermost(shown):
        arguments += ["--ro-bind", str(path), str(path)]
    return [*arguments, "--remount-ro", "/", "--chdir", str(place), "--", *command]


def environment(given: Mapping[str, str]) -> dict[str, str]:
    """The variables that a program in the sandbox sees: some of those `given`, and a HOME of its own."""
    seen = {name: value for name, value in given.items() if name in _VARIABLES or name.startswith("LC_")}
    return {**seen, "HOME": "/tmp"}  # noqa: S108 - of its own


@functools.cache
def _knows(option: str) -> bool:
    """Whether this bubblewrap has the option: --size came with 0.7, --disable-userns with 0.8."""
    told = subprocess.run([_BWRAP, "--help"], stdin=subprocess.DEVNULL, capture_output=True, timeout=10, check=False)
    return option.encode() in told.stdout + told.stderr


@functools.cache
def _no_namespaces() -> tuple[str, ...]:
    """The options that forbid further user namespaces inside, where they work: not where bubblewrap is setuid root."""
    wanted = ("--unshare-user", "--disable-userns")
    if not _knows("--disable-userns"):
        return ()
    command = [_BWRAP, "--unshare-all", *wanted, "--ro-bind", "/", "/", "--proc", "/proc", "true"]
    try:
        tried = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, timeout=CHECK_S, check=False)
    except (OSError, subprocess.SubprocessError):
        return ()
    return wanted if tried.returncode == 0 else ()


def _installed_with(program: str, place: Path, apart: Sequence[Path]) -> list[Path]:
    """Where a program that is not the system's has its libraries: for .../bin/x all of ..., at both ends of its links.

    Version managers (pyenv, asdf) put scripts into .../shims that look for the program in all of ... .
    """
    name = str(place / program) if "/" in program else shutil.which(program)
    if name is None:
        return []
    path, found = Path(os.path.normpath(name)), list[Path]()
    for end in (path, path.resolve()):
        if not is_system(end):
            found.append(end)
            if end.parent.name in {"bin", "shims"} and not shows_too_much(end.parent.parent, apart):
                found.append(end.parent.parent)
    if path.resolve() == Path(sys.executable).resolve():
        found += [prefix for prefix in map(Path, (sys.prefix, sys.base_prefix)) if not is_system(prefix)]
    return found


def _outermost(paths: Iterable[Path]) -> list[Path]:
    """These paths without those that lie below another of them."""
    kept: list[Path] = []
    for path in sorted(set(paths)):
        if not any(path.is_relative_to(other) for other in kept):
            kept.append(path)
    return kept
