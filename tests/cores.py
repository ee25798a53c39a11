"""What tests know of the core that they run with: the plain one, or with `run.py test --compiled` the compiled one."""

from types import GetSetDescriptorType, MemberDescriptorType

import pytest

from machine import core

plain_core = pytest.mark.skipif(
    core.state() is core.State.COMPILED,
    reason="it puts something of its own in the place of a method or constant; compiled code does not look there",
)
"""For tests that patch the core, or stand in for its classes."""


def held_by(kind: type) -> list[str]:
    """What objects of a class of the core hold, private or not: its slots, of which compiled classes keep no list."""
    return [name for name, held in vars(kind).items() if isinstance(held, MemberDescriptorType | GetSetDescriptorType)]
