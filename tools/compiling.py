"""Compiles the core with mypyc: the modules of `CORE`, all together, into extensions that `machine.core` finds.

    python3 run.py compile             the core of this checkout, unless it is compiled as it is
    python3 run.py compile --remove    plain modules again

mypyc takes the sources as they are. What was compiled stands below `.venv/compiled`, each build in a folder of its own;
the last builds stay, for processes that run with them. `hatch_build.py` calls `build` for a wheel of one platform.

Errors: CompileError    mypy, mypyc or the C compiler refuses
"""

import argparse
import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path
from typing import Final

from machine import core, modules
from machine.core import GROUP, MANIFEST, Manifest, path_of, read_manifest, source_of

CORE: Final = (
    "client.link",
    "client.outbox",
    "client.session",
    "protocol.codec",
    "protocol.weights",
    "server.admission.admission",
    "server.app",
    "server.connections.delivery",
    "server.connections.fair_queue",
    "server.connections.link",
    "server.connections.peer",
    "server.connections.peers",
    "server.fairtime",
    "server.match.absences",
    "server.match.clock",
    "server.match.fold",
    "server.match.history",
    "server.match.match",
    "server.match.outage",
    "server.match.terms",
    "server.match.transitions",
    "server.ratelimit",
    "server.referee.concealed",
    "server.referee.delaying",
    "server.referee.house",
    "server.referee.hub",
    "server.referee.listing",
    "server.referee.liveness",
    "server.referee.lobby",
    "server.referee.outgoing",
    "server.referee.presence",
    "server.referee.quotas",
    "server.referee.referee",
    "server.referee.requests.arranging",
    "server.referee.requests.offers",
    "server.referee.requests.play",
    "server.referee.sessions",
    "server.referee.table",
    "view.match",
)
"""What is compiled. docs/decisions.md says what is not, and why."""

BUILDS_KEPT: Final = 2
"""Processes that began with the build before this one may still import modules of it."""

_COMPILER: Final = """
import os, sys
from mypyc.build import mypycify
from setuptools import Distribution
from setuptools.command.build_ext import build_ext

work, group, *paths = sys.argv[1:]
options = ["--config-file=", "--explicit-package-bases", "--follow-imports=silent", "--cache-dir=" + os.devnull]
extensions = mypycify(options + paths, opt_level="1", debug_level="0", target_dir=work + "/c", group_name=group)
if os.name == "posix":  # Python's own flags ask for warnings: they take as long as the rest, and tell nothing of ours
    for extension in extensions:
        extension.extra_compile_args.append("-Wno-all")
command = build_ext(Distribution({"name": group, "ext_modules": extensions}))
command.build_lib, command.build_temp, command.parallel = work + "/built", work + "/objects", os.cpu_count()
command.finalize_options()
command.run()
"""
"""What runs in a process of its own: mypyc leaves with `sys.exit` and prints where it likes."""


class CompileError(Exception):
    """The core was not compiled; the message holds what the compilers said."""


def manifest_of(package: Path) -> Manifest:
    """The manifest of a build of the sources below `package`; its folder's name is a hash of all that decides on it."""
    sources = {name: source_of(path_of(package, name)) for name in CORE}
    digest = hashlib.sha256(sys.version.encode())
    for path in (Path(__file__), *(path_of(package, name) for name in CORE)):
        digest.update(path.read_bytes())
    return Manifest(EXTENSION_SUFFIXES[0], digest.hexdigest()[:16], sources)


def build(package: Path, base: Path, into: Path, *, relative: bool) -> None:
    """Compiles the modules below `package` into `into`; raises CompileError.

    base: the folder from which they are imported: `package`, or the one above if its own name comes first.
    relative: let tracebacks name the sources from `base` on, for they will be elsewhere.
    """
    manifest = manifest_of(package)
    if not (into / manifest.build).is_dir():
        into.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix="work-", dir=into) as work:
            paths = [path_of(package, name) for name in CORE]
            _compile(base, Path(work), [path.relative_to(base) if relative else path for path in paths])
            built = Path(work) / "built"
            prefix = package.relative_to(base)
            for child in (built / prefix).iterdir() if prefix.parts else ():
                child.rename(built / child.name)  # files are called as in the manifest, without the prefix
            built.rename(into / manifest.build)
    written = into / f"{MANIFEST}.new"
    written.write_text(manifest.text(), encoding="utf-8", newline="\n")
    written.replace(into / MANIFEST)


def _compile(base: Path, work: Path, paths: Sequence[Path]) -> None:
    variables = {**os.environ, "MYPYPATH": str(base)}
    done = subprocess.run(
        [sys.executable, "-c", _COMPILER, str(work), GROUP, *map(str, paths)],
        cwd=base, env=variables, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        encoding="utf-8", errors="replace", check=False,
    )  # fmt: skip
    if done.returncode != 0:
        raise CompileError(done.stdout.strip())


def forget_builds(into: Path, *, but: int) -> None:
    """Removes all builds but the newest ones."""
    builds = sorted((path for path in into.iterdir() if path.is_dir()), key=lambda path: path.stat().st_mtime)
    for path in builds[: len(builds) - but]:
        shutil.rmtree(path, ignore_errors=True)


def main(arguments: Sequence[str]) -> int:
    """Compiles the core of this checkout, or removes it; returns the exit code."""
    parser = argparse.ArgumentParser(prog="python3 run.py compile", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--remove", action="store_true", help="let plain modules run again")
    options = parser.parse_args(arguments)
    into = core.folder()
    if options.remove:
        shutil.rmtree(into, ignore_errors=True)
        return 0
    known = read_manifest(into)
    if known is not None and known == manifest_of(modules.FOLDER):
        return 0
    try:
        build(modules.FOLDER, modules.FOLDER, into, relative=False)
    except CompileError as error:
        sys.stderr.write(f"{error}\n")
        return 1
    forget_builds(into, but=BUILDS_KEPT)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
