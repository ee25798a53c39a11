"""An installed Arbitre, as tests use it."""

import os
import subprocess
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Installed:
    """An environment: its interpreter, and the folder of its packages."""

    python: Path
    packages: Path

    def arbitre(self, folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
        """Runs the command that was installed."""
        return self._run(folder, str(self.python.with_name("arbitre")), *words)

    def run(self, folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
        """Runs the interpreter."""
        return self._run(folder, str(self.python), *words)

    def _run(self, folder: Path, *command: str) -> subprocess.CompletedProcess[str]:
        variables = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
        return subprocess.run(
            command, cwd=folder, env=variables, capture_output=True, encoding="utf-8", timeout=400, check=False,
            stdin=subprocess.DEVNULL,
        )  # fmt: skip
