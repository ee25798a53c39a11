"""What of .venv is damaged, as far as its files tell. Standard library only: run.py and arbitre.py ask it.

A folder that is gone is noticed at each start, by one look at the folder above. A file that is broken is looked for
when a command has failed for no other reason that we know.
"""

import os

FOUND = "ARBITRE_DAMAGED"
"""The variable by which arbitre.py tells run.py what it found."""
REPAIRED = "ARBITRE_REPAIRED"
"""The variable by which run.py tells arbitre.py that it has been repaired: once is enough."""


def site_packages(venv: str) -> str:
    """Return the folder in `venv` where packages are."""
    import sysconfig

    return sysconfig.get_path("purelib", "venv", vars={"base": venv, "platbase": venv, "installed_base": venv})


def list_entries(venv: str) -> str:
    """Return what later starts look for: the packages' folder, then what is in it, one a line."""
    site = site_packages(venv)
    names = os.listdir(site) if os.path.isdir(site) else []
    return "\n".join((site, *sorted(name for name in names if not name.endswith((".dist-info", "__pycache__")))))


def first_gone(entries: str) -> "str | None":
    """Return the first of these entries that is not there any more."""
    site, _, names = entries.partition("\n")
    if not names:
        return None
    try:
        gone = set(names.split("\n")).difference(os.listdir(site))
    except OSError:
        return os.path.basename(site)
    return min(gone) if gone else None


def first_broken(venv: str) -> "str | None":
    """Return a file of a package that is gone, or has another size than its package says; None if there is none."""
    import csv

    site = site_packages(venv)
    for name in sorted(os.listdir(site)):
        record = os.path.join(site, name, "RECORD")
        if name.endswith(".dist-info") and os.path.exists(record):
            with open(record, encoding="utf-8", newline="") as stream:
                for path, _, size in csv.reader(stream):
                    # Commands lie outside, and installers rewrite their first line.
                    if size and not path.startswith("..") and not _has_size(os.path.join(site, path), int(size)):
                        return path
    return None


def _has_size(path: str, size: int) -> bool:
    return os.path.isfile(path) and os.path.getsize(path) == size
