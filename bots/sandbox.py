"""The sandbox: a foreign program in bubblewrap (`bwrap`), which makes namespaces of its own for it.

Inside there is no network, no other process, no variable of ours, and of the files only: the system's programs and
libraries, what the program is installed with, and its own folder, all read-only; /tmp is private, small, and gone at
the end. Its own folder is that of the files which its command names; where that is a folder of everything (the home
folder, /tmp), only these files.

bubblewrap may be missing, or forbidden by the system (user namespaces switched off): `obstacle` says so in words.
Source of the options: bwrap(1), bubblewrap 0.8.
"""

import functools
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import platformdirs

from client.identity import state_folder
from locales import _

WRAPPERS = 2
"""How many processes of bubblewrap stand above the program: the one that watches and the first of the namespace."""

TMP_BYTES = 64 << 20
"""How much the private /tmp holds."""

CHECK_S = 10.0

_BWRAP = "bwrap"
_SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/nix/store", "/gnu/store")
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
    try:
        tried = subprocess.run(
            wrap(["true"]), stdin=subprocess.DEVNULL, capture_output=True, timeout=CHECK_S, check=False
        )
    except (OSError, subprocess.SubprocessError) as error:
        return str(error)
    if tried.returncode == 0:
        return None
    said = tried.stderr.decode(errors="replace").strip().splitlines()
    return _("bubblewrap does not work here ({reason})").format(reason=said[-1] if said else tried.returncode)


def wrap(command: Sequence[str], *, folder: Path | None = None, readable: Sequence[Path] = ()) -> list[str]:
    """The command that runs `command` in a sandbox, in `folder` (by default where we are).

    readable: files and folders that it needs besides its own.
    """
    place = Path(folder or Path.cwd()).absolute()
    arguments = [_BWRAP, *_ISOLATION, "--proc", "/proc", "--dev", "/dev"]
    if _has_size():
        arguments += ["--size", str(TMP_BYTES)]
    arguments += ["--tmpfs", "/tmp", "--dir", str(place)]  # noqa: S108 - of its own
    for name in (*_SYSTEM, *_SYSTEM_FILES, *map(str, Path("/etc").glob(_JAVA))):
        path = Path(name)
        if path.is_symlink():
            arguments += ["--symlink", str(path.readlink()), name]
        elif path.exists():
            arguments += ["--ro-bind", name, name]
    own = _own_files(command, place)
    if folder is not None and not _shows_too_much(place):
        own.append(place)
    for path in _outermost([*_installed_with(command[0], place), *own, *(path.absolute() for path in readable)]):
        arguments += ["--ro-bind", str(path), str(path)]
    return [*arguments, "--remount-ro", "/", "--chdir", str(place), "--", *command]


def environment(given: Mapping[str, str]) -> dict[str, str]:
    """What of the variables `given` a program in the sandbox sees."""
    seen = {name: value for name, value in given.items() if name in _VARIABLES or name.startswith("LC_")}
    return {**seen, "HOME": "/tmp"}  # noqa: S108 - of its own


@functools.cache
def _has_size() -> bool:
    """Whether this bubblewrap can bound a file system in memory (0.7 and later)."""
    told = subprocess.run([_BWRAP, "--help"], stdin=subprocess.DEVNULL, capture_output=True, timeout=10, check=False)
    return b"--size" in told.stdout + told.stderr


def _own_files(command: Sequence[str], place: Path) -> list[Path]:
    """The folders of the files that the command names, or only the files where such a folder would show too much."""
    found: list[Path] = []
    for word in command[1:] if "/" not in command[0] else command:
        path = Path(os.path.normpath(place / word))
        if _is_file(path) and not _is_system(path):
            found.append(path if _shows_too_much(path.parent) else path.parent)
    return found


def _installed_with(program: str, place: Path) -> list[Path]:
    """Where a program that is not the system's has its libraries: for .../bin/x all of ..., at both ends of its links.

    Version managers (pyenv, asdf) put scripts into .../shims that look for the program in all of ... .
    """
    name = str(place / program) if "/" in program else shutil.which(program)
    if name is None:
        return []
    path, found = Path(os.path.normpath(name)), list[Path]()
    for end in (path, path.resolve()):
        if not _is_system(end):
            found.append(end)
            if end.parent.name in {"bin", "shims"} and not _shows_too_much(end.parent.parent):
                found.append(end.parent.parent)
    if path.resolve() == Path(sys.executable).resolve():
        found += [prefix for prefix in map(Path, (sys.prefix, sys.base_prefix)) if not _is_system(prefix)]
    return found


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except OSError:  # a name that is too long, for one
        return False


def _is_system(path: Path) -> bool:
    return any(path.is_relative_to(folder) for folder in _SYSTEM)


def _shows_too_much(folder: Path) -> bool:
    """Whether somebody's secrets, or the files of everybody, lie below `folder`."""
    private = (
        Path.home() / ".ssh",
        state_folder(),
        platformdirs.user_data_path("arbitre", appauthor=False),
        platformdirs.user_config_path("arbitre", appauthor=False),
        Path(tempfile.gettempdir()) / "others",
        Path("/etc/shadow"),
        Path("/var/tmp/others"),  # noqa: S108 - nothing is written there
    )
    return any(path.is_relative_to(folder) or path.is_relative_to(folder.resolve()) for path in private)


def _outermost(paths: Iterable[Path]) -> list[Path]:
    """These paths without those that lie below another of them."""
    kept: list[Path] = []
    for path in sorted(set(paths)):
        if not any(path.is_relative_to(other) for other in kept):
            kept.append(path)
    return kept
