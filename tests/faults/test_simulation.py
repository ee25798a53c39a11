"""Real clients and the real server in virtual time, with seeded faults; see tests/faults/simulation/world.py.

Rows 1, 2, 5, 6, 10 to 13, 27 and 43 of docs/reliability.md, all of them at once.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.faults.simulation.world import replay

ROOT = Path(__file__).parents[2]
SEEDS = 2000
PORTIONS = 20
USUAL, SLOW = 1, 4
"""Portions in the usual run, and up to which they are slow; the rest is for `-m thorough`."""


def marks(portion: int) -> list[pytest.MarkDecorator]:
    return [] if portion < USUAL else [pytest.mark.slow if portion < SLOW else pytest.mark.thorough]


@pytest.mark.parametrize("portion", [pytest.param(n, marks=marks(n)) for n in range(PORTIONS)])
def test_whatever_fails_the_promise_holds(portion: int) -> None:
    size = SEEDS // PORTIONS
    worlds = [replay(seed) for seed in range(portion * size, (portion + 1) * size)]
    assert sum(world.crashes for world in worlds) > size / 2
    assert sum(len(player.acknowledged) for world in worlds for player in world.players) > 10 * size


def test_a_seed_is_the_same_world_in_every_process() -> None:
    program = "from tests.faults.simulation.world import replay; print([replay(seed).digest() for seed in range(20)])"
    heard = {
        subprocess.run(
            [sys.executable, "-c", program], cwd=ROOT, env={**os.environ, "PYTHONHASHSEED": str(number)},
            check=True, capture_output=True, text=True, timeout=60,
        ).stdout
        for number in (1, 2)
    }  # fmt: skip
    assert len(heard) == 1
