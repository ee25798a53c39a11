"""The versions of Python that this machine has."""

import os
import shutil
import subprocess
from pathlib import Path


def interpreters() -> list[tuple[str, tuple[int, int]]]:
    """Every Python from 3.8 on that this machine has under its usual name, or as a version of pyenv, and starts."""
    versions = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    found: list[tuple[str, tuple[int, int]]] = []
    for minor in range(8, 16):
        installed = sorted(map(str, versions.glob(f"3.{minor}.*/bin/python")))
        path = next(iter(installed), None) or shutil.which(f"python3.{minor}")
        if path and subprocess.run([path, "-c", "0"], capture_output=True, check=False).returncode == 0:
            found.append((path, (3, minor)))
    return found
