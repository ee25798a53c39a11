"""What tests know of the core that they run with: the plain one, or with `run.py test --compiled` the compiled one."""

import pytest

from machine import core

plain_core = pytest.mark.skipif(
    core.state() is core.State.COMPILED,
    reason="it puts something of its own in the place of a method or constant; compiled code does not look there",
)
"""For tests that patch the core, or stand in for its classes."""
