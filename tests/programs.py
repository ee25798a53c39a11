"""Programs in a terminal that a test has started: what they print line by line, and their end."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import pytest

pexpect: Any = pytest.importorskip("pexpect", reason="pexpect needs a POSIX terminal")


def leave(child: Any) -> None:
    """Ends the program of a `pexpect.spawn`, whatever it does, and waits until it is gone.

    pexpect itself gives up on it a tenth of a second after it was killed, which a busy machine may well take.
    """
    with suppress(pexpect.ExceptionPexpect):
        child.close(force=True)
    child.ptyproc.wait()


class LineScreen:
    """A program that prints line by line, on a pseudo-terminal: `child` is a `pexpect.spawn`."""

    child: Any

    def sees(self, *texts: str) -> str:
        """Waits for each text in turn; returns what the last one matched."""
        for text in texts:
            self.child.expect(text)
        return str(self.child.match.group(0))

    def types(self, line: str) -> None:
        self.child.send(f"{line}\r")

    def close(self) -> None:
        """Ends it whatever it does."""
        leave(self.child)
