"""A bot as a process of its own: a hundred matches on its one connection, and no more imports than it needs."""

import asyncio
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from client.connection import Client
from protocol.messages import Create, Finished, MakeMove, YourTurn

ROOT = Path(__file__).resolve().parents[3]
MATCHES = 100
PATIENCE_S = 60

HEAVY = ("numpy", "numba", "rich", "textual", "sqlite3", "zeroconf", "distributed", "server", "league", "xml")
"""What no plain bot needs; each would cost more than all that it does need."""

MOST_MODULES = 350
"""Of the standard library, of websockets, msgspec and click, and ours; 318 when this was written."""


@pytest.fixture
def random_bot(server: str) -> Iterator[str]:
    """The name of a `random` process on the server."""
    command = [sys.executable, "-P", "-m", "arbitre", "bot", "random", server, "--name", "hundred", "--seed", "1"]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            yield process.stdout.readline().strip().removeprefix("ready ")
        finally:
            process.terminate()


async def test_a_hundred_matches_are_under_way_at_once_and_none_is_lost(server: str, random_bot: str) -> None:
    """No first move is made before it is our turn in all of them."""
    waiting: list[YourTurn] = []
    results: dict[str, str] = {}
    async with asyncio.timeout(PATIENCE_S), Client(server, name="class", kind="human") as client:
        for number in range(MATCHES):
            game = ("morpion", "othello:size=4", "puissance4:width=4,height=4")[number % 3]
            await client.request(Create, game=game, seat="first", invite=(random_bot,))
        begun = False
        async for message in client.messages():
            if isinstance(message, YourTurn):
                waiting.append(message)
                begun = begun or len({turn.match for turn in waiting}) == MATCHES
            elif isinstance(message, Finished):
                assert begun
                results[message.match] = message.result.reason
                if len(results) == MATCHES:
                    break
            while begun and waiting:
                turn = waiting.pop()
                client.send(MakeMove, match=turn.match, ply=turn.ply, move=turn.legal[0])
    assert len(results) == MATCHES
    assert set(results.values()) <= {"line", "full", "discs"}


PROBE = f"""
import sys
import arbitre
assert arbitre.main(["bot", sys.argv[1], "ws://"]) == 2
import bots.base
bots.base.load_family(sys.argv[1])
import bots.running.process, bots.running.runner
print(len(sys.modules), *(name for name in {HEAVY!r} if name in sys.modules))
"""


@pytest.mark.parametrize("name", ["random", "minimax", "lookahead", "dfs"])
def test_a_plain_bot_imports_what_it_needs(name: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", PROBE, name], cwd=ROOT, capture_output=True, check=True, text=True, timeout=60
    )
    count, *heavy = done.stdout.split()
    assert heavy == []
    assert int(count) <= MOST_MODULES
