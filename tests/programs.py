"""Programs in a terminal that a test has started: their end."""

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
