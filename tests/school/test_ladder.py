"""The ladder of badges: whose game is played when."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any, cast

import pytest

from school.parts import ladder
from school.parts.ladder import MOST_LOOKS, Ladder, Try
from school.programs.examining import Climbed


async def test_checks_without_an_end_keep_nobody_from_climbing(monkeypatch: pytest.MonkeyPatch) -> None:
    """One pupil hands in one slow version after another: the others' games are played beside the checks, one by one."""
    looks, played = 0, list[tuple[str, int]]()

    def is_busy() -> bool:
        nonlocal looks
        looks += 1
        return True

    async def play(_ladder: Ladder, one: Try) -> Climbed:
        played.append((one.name, looks))
        if len(played) == 3:
            raise asyncio.CancelledError
        return Climbed(1.0)

    core: Any = SimpleNamespace(
        state=SimpleNamespace(halted=False, pupil=lambda _name: object()), changed=asyncio.Event()
    )
    monkeypatch.setattr(ladder, "LOOK_S", 0)
    monkeypatch.setattr(Ladder, "_play", play)
    climbing = Ladder(core, cast(Any, None), is_busy)
    climbing._tries.extend(Try(name, 1, "any", 0) for name in ("Ann", "Bob"))
    with pytest.raises(asyncio.CancelledError):
        await climbing.run()
    assert played == [("Ann", MOST_LOOKS), ("Bob", 2 * MOST_LOOKS), ("Ann", 3 * MOST_LOOKS)]
