"""Each check against a bot that has just the fault which the check is for, and against one that has none."""

import re
import sys
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from itertools import count
from pathlib import Path

import pytest

import games
from bots.check.checks import CHECKS, SIZES, run
from bots.check.judging import Finding
from bots.check.rig import Patience, Program, Rig
from protocol.messages import Clock

pytestmark = pytest.mark.slow

FAULTY = Path(__file__).with_name("faulty.py")
NUMBERS = count()
SHORT = Clock(initial_ms=200, increment_ms=20)
LONG = Clock(initial_ms=20_000, increment_ms=200)

CASES = [
    ("start", "start", "its process ended at once, with code 3"),
    ("no-hello", "start", "no hello came within 1 s"),
    ("bad-name", "start", "its hello was refused: bad_name (a name has 1 to 24 characters)"),
    ("no-join", "start", "it accepts no invitation to morpion"),
    ("crash", "morpion", "its process ended in a match of Tic-tac-toe"),
    ("passes", "passes", "its process ended in a match of Othello (size=4)"),
    ("last-move", "last-move", "its process ended in a match of Tic-tac-toe"),
    ("sizes", "sizes", "its process ended when it was invited to Othello (size="),
    ("one-match", "at-once", "its time ran out at move"),
    ("illegal", "legal", "the server refused a message: illegal_move (illegal move 'z9': "),
    ("slow", "time", "its time ran out at move"),
    ("ends-with-connection", "reconnect", "its process ended in a match of Connect Four"),
    ("no-return", "reconnect", "its connection was lost and it did not come back"),
    ("no-token", "reconnect", "its time ran out at move 1"),
    ("duplicates", "duplicates", "its process ended in a match of Connect Four"),
    ("late", "late", "its process ended in a match of Connect Four"),
    ("newer", "newer", "its process ended in a match of Connect Four"),
    ("talk", "talk", "its process ended in a match of Connect Four"),
    ("stays", "stop", "it was still there 0.5 s after SIGTERM"),
    ("leaves-a-child", "stop", "it left, but processes that it had started stayed"),
]


CLOCKS = {"one-match": SHORT, "slow": SHORT, "no-token": SHORT}
"""Faults that the clock shows; the others have time enough."""

PATIENCE = {
    "no-hello": Patience(start_s=1.0),
    "no-join": Patience(join_s=0.5),
    "no-return": Patience(back_s=0.5),
    "stays": Patience(leave_s=0.5),
}
"""Faults that patience shows."""


def rig(fault: str, server: str, game: str | None = None) -> Rig:
    @asynccontextmanager
    async def serve() -> AsyncGenerator[str]:
        yield server

    program = Program((sys.executable, str(FAULTY), fault, "{url}", f"{fault} {next(NUMBERS)}"), fault)
    only = games.parse(game) if game is not None else None
    clock, patience = CLOCKS.get(fault, LONG), PATIENCE.get(fault, Patience())
    return Rig(program, clock, "1", only=only, patience=patience, serve=serve)


async def findings(bench: Rig, *names: str) -> dict[str, Finding]:
    async with bench:
        return {name: finding async for name, finding in run(bench, names)}


async def test_a_bot_without_faults_passes_all(server: str) -> None:
    found = await findings(rig("none", server), *CHECKS)
    assert {name: one.text for name, one in found.items() if one.status != "ok"} == {}
    assert list(found) == list(CHECKS)
    assert re.fullmatch(r"[1-9]\d* of its own, [1-9]\d* of its opponent in \d+ games", found["passes"].text)
    assert re.fullmatch(r"it ended [1-9]\d* of ([4-9]|\d\d) games, and went on", found["last-move"].text)
    assert found["reconnect"].text.startswith("it came back 3 times, after at most ")
    assert found["sizes"].text == f"{len(SIZES)} of {len(SIZES)} boards"


@pytest.mark.parametrize(("fault", "check", "text"), CASES, ids=[case[0] for case in CASES])
async def test_a_bot_with_a_fault(server: str, fault: str, check: str, text: str) -> None:
    found = (await findings(rig(fault, server, "morpion" if check == "start" else None), check))[check]
    assert found.status == "failed"
    assert found.text.startswith(text)
