"""A real server in a process of its own, as people start it, and what it costs."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

ROOT = Path(__file__).parents[2]


class Serving:
    """A running server."""

    def __init__(self, child: subprocess.Popen[str], port: int) -> None:
        self.child = child
        self.port = port
        self._lines: list[str] = []
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    @property
    def said(self) -> str:
        """What it wrote on standard error up to now; read all the time, for a full pipe would stop it."""
        return "".join(self._lines)

    def _read(self) -> None:
        assert self.child.stderr is not None
        self._lines.extend(self.child.stderr)

    def memory(self, field: str = "VmRSS") -> int:
        """Bytes in memory now (VmRSS) or at the worst moment (VmHWM)."""
        lines = Path(f"/proc/{self.child.pid}/status").read_text(encoding="utf-8").splitlines()
        return next(int(line.split()[1]) * 1024 for line in lines if line.startswith(field))

    def processor_seconds(self) -> float:
        """The processor time that it used up to now."""
        fields = Path(f"/proc/{self.child.pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def sockets(self) -> int:
        """How many sockets it holds."""
        number = 0
        for entry in Path(f"/proc/{self.child.pid}/fd").iterdir():
            with suppress(FileNotFoundError):  # closed meanwhile
                number += str(entry.readlink()).startswith("socket:")
        return number

    def stop(self) -> str:
        """Ends it as a signal does; returns all that it wrote on standard error, which may hold no traceback."""
        if self.child.poll() is None:
            self.child.send_signal(signal.SIGTERM)
            try:
                self.child.wait(30)
            except subprocess.TimeoutExpired:
                self.child.kill()
                raise
        self._reader.join(30)
        return self.said

    def close(self) -> None:
        """Lets its output go."""
        self._reader.join(30)
        assert self.child.stderr is not None
        self.child.stderr.close()


@contextmanager
def serving(
    *options: str,
    host: str = "127.0.0.1",
    prefix: Sequence[str] = (),
    environment: Mapping[str, str] | None = None,
    program: str = "arbitre",
    **bounds: float,
) -> Generator[Serving]:
    """A server on a free port. `bounds`: fields of `Bounds` (of connections); `prefix` stands before the command.

    program: the module that is run as Arbitre.
    """
    child = subprocess.Popen(
        [*prefix, sys.executable, "-m", program, "serve", "--host", host, "--port", "0",
         "--bounds", json.dumps(bounds), *options],
        cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        env={**os.environ, "ARBITRE_LANG": "en", **(environment or {})},
    )  # fmt: skip
    assert child.stdout is not None
    line = child.stdout.readline()
    server = Serving(child, int(line.partition("#")[0].rpartition(":")[2]) if line else 0)
    try:
        assert line, server.stop()
        yield server
        said = server.stop()
        assert "Traceback" not in said, said
    finally:
        if child.poll() is None:
            child.kill()
            child.wait()
        child.stdout.close()
        server.close()
