"""What is made once for all processes that run the tests together, not once in each."""

from __future__ import annotations

import os
import pickle
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import pytest

T = TypeVar("T")


def once(factory: pytest.TempPathFactory, name: str, make: Callable[[Path], T]) -> T:
    """What `make` makes in a folder of its own; whoever comes first makes it, and the others get a copy.

    It has to be something that pickles; what fails is tried again by whoever comes next.
    """
    if sys.platform == "win32" or "PYTEST_XDIST_WORKER" not in os.environ:
        return make(factory.mktemp(name))
    import fcntl

    shared = factory.getbasetemp().parent  # the folder of the run, in which each process has its own
    with (shared / f"{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        kept = shared / f"{name}.pickle"
        if not kept.exists():
            made = make(factory.mktemp(name))
            kept.write_bytes(pickle.dumps(made))
        found: T = pickle.loads(kept.read_bytes())
        return found
