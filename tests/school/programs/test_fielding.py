"""Which programs of a class a league waits for."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any, cast

from games import parse
from school.core import Core
from school.programs.fielding import AGAIN_S, Fielded, Fielding
from school.programs.pupil_files import PupilFiles
from school.state import PupilState


def fielding(*names: str, here: frozenset[str] = frozenset()) -> Fielding:
    """A class of pupils who have handed in a program each; `here`: whose program has come."""
    work = SimpleNamespace(check="works", passed=True, version=1)
    pupils = {name: cast(PupilState, SimpleNamespace(removed=False, works=[work])) for name in names}
    room: Any = SimpleNamespace(is_here=here.__contains__, guests={})
    core: Any = SimpleNamespace(
        state=SimpleNamespace(pupils=pupils), bots=room, classroom=SimpleNamespace(rules=parse("othello"))
    )
    return Fielding(cast(Core, core), cast(PupilFiles, None))


async def test_a_program_that_is_being_started_is_waited_for() -> None:
    """The first round of a Swiss was planned without those whose start had begun a second before."""
    found = fielding("Léa", "Tom", "Zoé", here=frozenset({"Zoé"}))
    soon = asyncio.get_running_loop().time() + AGAIN_S
    for name in ("Léa", "Tom"):
        found._not_before[name] = soon
    found.fielded["Léa"] = Fielded("Léa", 1, task=asyncio.ensure_future(asyncio.Event().wait()))  # type: ignore[arg-type]
    found.fielded["Tom"] = Fielded("Tom", 1, task=asyncio.ensure_future(asyncio.sleep(0)))
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    assert found.expected() == ["Léa"], "Tom's could not be run, and is left alone for a while"
    task = found.fielded["Léa"].task
    assert task is not None
    task.cancel()
