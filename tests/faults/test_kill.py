"""Row 42 (and 2): kill -9 under load, again and again; what was acknowledged is there, once, and games go on."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.faults.kill import Tally, kill_again_and_again

PAIRS = 8


async def killed(path: Path, kills: int, seed: int, durability: str = "process") -> Tally:
    tally = await kill_again_and_again(path, kills=kills, pairs=PAIRS, seed=seed, durability=durability)
    assert tally.kills == kills
    assert tally.acknowledged >= PAIRS * kills
    assert tally.finished == tally.matches
    return tally


@pytest.mark.slow
async def test_a_killed_server_has_all_that_it_acknowledged(tmp_path: Path) -> None:
    await killed(tmp_path / "arbitre.sqlite", 15, seed=1)


@pytest.mark.timeout(600)
@pytest.mark.parametrize(
    ("durability", "kills"),
    [
        pytest.param("power", 6, marks=pytest.mark.slow),
        pytest.param("power", 50, marks=pytest.mark.thorough),
        pytest.param("process", 50, marks=pytest.mark.thorough),
    ],
)
async def test_more_kills(tmp_path: Path, durability: str, kills: int) -> None:
    await killed(tmp_path / "arbitre.sqlite", kills, seed=2, durability=durability)
