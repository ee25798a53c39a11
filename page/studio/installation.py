"""What `arbitre studio install` keeps in the user's data folder: Python for browsers, and the editor.

    studio/installed.json       which folder counts; written last, so that a half installation is never used
    studio/<HASH>/manifest.json what is in the folder
    studio/<HASH>/<file>        as it is served: compressed already, where that helps

A reader of this trusts nothing but the table `FILES`: names in the manifest never become paths.
"""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Mapping
from importlib.resources import files as resources
from pathlib import Path
from typing import Any, Final, NamedTuple

from machine import folders
from machine.files import replace_private
from machine.modules import full_name

FILES: Final[Mapping[str, str]] = {
    "pyodide.mjs": "text/javascript; charset=utf-8",
    "pyodide.asm.mjs": "text/javascript; charset=utf-8",
    "pyodide.asm.wasm": "application/wasm",
    "python_stdlib.zip": "application/zip",
    "pyodide-lock.json": "application/json",
    "editor.js": "text/javascript; charset=utf-8",
}
"""What is served of an installation, with its media type."""

PACKED: Final = frozenset({"python_stdlib.zip"})
"""What is compressed by itself; the others are kept with gzip."""

PINS: Final = ("package.json", "package-lock.json")
"""What npm reads: versions and hashes of all packages, and no address of anybody."""

LARGEST: Final = 1 << 26
"""Bytes of a file that is read; the largest has some 9 MB, and 3 MB as it is kept."""

_POINTER: Final = "installed.json"
_MANIFEST: Final = "manifest.json"


class Installed(NamedTuple):
    """An installation. name: of its folder, a hash of all that is in it; versions: of the packages that users know."""

    folder: Path
    name: str
    lock: str
    sizes: Mapping[str, int]
    versions: Mapping[str, str]

    @property
    def is_current(self) -> bool:
        """Whether it is of the packages that this Arbitre wants."""
        return self.lock == lock_hash()

    @property
    def is_whole(self) -> bool:
        """Whether all files are there, with their sizes, none of them too large to be read."""
        return self.sizes.keys() == FILES.keys() and all(
            path.is_file() and path.stat().st_size == self.sizes[path.name] <= LARGEST
            for path in (self.folder / name for name in FILES)
        )


def place() -> Path:
    """The folder of all installations; it may not exist yet."""
    return folders.data() / "studio"


def packages() -> Mapping[str, bytes]:
    """The files that tell npm what to bring, by their names, and the script that says what the editor consists of."""
    folder = resources(full_name("page")) / "studio" / "packages"
    return {name: (folder / name).read_bytes() for name in (*PINS, "editor.mjs")}


def lock_hash() -> str:
    """A hash of the packages that this Arbitre wants."""
    whole = hashlib.sha256()
    for body in packages().values():
        whole.update(hashlib.sha256(body).digest())
    return whole.hexdigest()[:32]


def read() -> Installed | None:
    """What is installed, also if it is of another Arbitre; None if there is nothing, or nothing that can be read."""
    try:
        name = _load(place() / _POINTER)["folder"]
        if not (isinstance(name, str) and name.isalnum()):
            return None
        folder = place() / name
        found = _load(folder / _MANIFEST)
        sizes = {str(key): int(value) for key, value in found["sizes"].items()}
        versions = {str(key): str(value) for key, value in found["versions"].items()}
        return Installed(folder, name, str(found["lock"]), sizes, versions)
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None


def usable() -> Installed | None:
    """What is installed, if it is whole and of this Arbitre."""
    found = read()
    try:
        return found if found is not None and found.is_current and found.is_whole else None
    except OSError:
        return None


def stamp() -> tuple[int, int]:
    """Changes when something is installed or removed; costs one look at the disk."""
    try:
        found = (place() / _POINTER).stat()
    except OSError:
        return (0, 0)
    return (found.st_mtime_ns, found.st_ino)


def adopt(draft: Path, versions: Mapping[str, str]) -> Installed:
    """Makes the files in the folder `draft` the installation, and removes all earlier ones; raises OSError."""
    whole = hashlib.sha256()
    for name in sorted(FILES):
        whole.update(name.encode() + hashlib.sha256((draft / name).read_bytes()).digest())
    name = whole.hexdigest()[:32]
    sizes = {file: (draft / file).stat().st_size for file in FILES}
    manifest = {"lock": lock_hash(), "sizes": sizes, "versions": dict(versions)}
    (draft / _MANIFEST).write_text(json.dumps(manifest, indent=1) + "\n", encoding="utf-8")
    folder = place() / name
    if folder.exists():  # the same files, perhaps not whole: nobody reads them before they are pointed at
        shutil.rmtree(folder)
    draft.rename(folder)
    replace_private(place() / _POINTER, json.dumps({"folder": name}) + "\n")
    for other in place().iterdir():
        if other.is_dir() and other.name.isalnum() and other != folder:
            shutil.rmtree(other, ignore_errors=True)
    return Installed(folder, name, lock_hash(), sizes, versions)


def remove() -> bool:
    """Removes all that is installed; returns whether there was something. Raises OSError."""
    if not place().exists():
        return False
    (place() / _POINTER).unlink(missing_ok=True)
    shutil.rmtree(place())
    return True


def _load(path: Path) -> dict[str, Any]:
    with path.open("rb") as stream:
        found = json.loads(stream.read(1 << 16))
    if not isinstance(found, dict):
        raise TypeError
    return found
