"""`arbitre admin` against a real server: what each word does to a match that is being played."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from collections.abc import AsyncGenerator, Iterator
from contextlib import asynccontextmanager
from itertools import count
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from client.commands.admin_cli import admin_command
from client.connection import Client
from machine.variables import ORGANISER
from protocol.messages import Create, Finished, Join, MakeMove, Paused, Resumed

SECRET = "who-knows-this-directs-matches"
NUMBERS = count()
ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    command = [sys.executable, "-P", "-m", "arbitre", "serve", "--host", "127.0.0.1", "--port", "0"]
    environment = {**os.environ, ORGANISER: SECRET}
    with subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            yield process.stdout.readline().strip().removeprefix("listening on ")
        finally:
            process.terminate()


@asynccontextmanager
async def playing(url: str) -> AsyncGenerator[tuple[Client, Client, str]]:
    """Two players in a private match of morpion that has begun."""
    number = next(NUMBERS)
    ada, bob = (Client(url, name=f"{name} {number}", kind="human") for name in ("Ada", "Bob"))
    async with ada, bob:
        opened = await ada.request(Create, game="morpion", public=False, seat="first")
        assert isinstance(opened.match, str)
        assert isinstance(opened.code, str)
        await bob.request(Join, code=opened.code)
        yield ada, bob, opened.match


async def admin(*words: str, secret: str | None = SECRET) -> Result:
    """What the command says, run beside the players."""
    return await asyncio.to_thread(CliRunner().invoke, admin_command, words, env={ORGANISER: secret})


async def heard(client: Client, kind: type[object]) -> object:
    async with asyncio.timeout(5):
        async for message in client.messages():
            if isinstance(message, kind):
                return message
    raise AssertionError("the client was closed")


async def test_private_matches_are_listed_too(url: str) -> None:
    async with playing(url) as (_, _, match):
        listed = await admin("list", url)
        assert listed.exit_code == 0
        assert [match, "morpion"] == listed.stdout.split()[:2]


async def test_pause_and_resume(url: str) -> None:
    async with playing(url) as (ada, bob, match):
        assert (await admin("pause", match, url)).exit_code == 0
        await heard(bob, Paused)
        assert (await admin("resume", match, url)).exit_code == 0
        await heard(bob, Resumed)
        await ada.request(MakeMove, match=match, ply=0, move="b2")


@pytest.mark.parametrize(("word", "winner"), [("1", 1), ("2", 2), ("draw", None)])
async def test_adjudicate(url: str, word: str, winner: int | None) -> None:
    async with playing(url) as (ada, _, match):
        assert (await admin("adjudicate", match, word, url)).exit_code == 0
        finished = await heard(ada, Finished)
        assert isinstance(finished, Finished)
        assert (finished.result.reason, finished.result.winner) == ("adjudicated", winner)


async def test_terminate(url: str) -> None:
    async with playing(url) as (ada, _, match):
        assert (await admin("terminate", match, url)).exit_code == 0
        finished = await heard(ada, Finished)
        assert isinstance(finished, Finished)
        assert finished.result.reason == "aborted"


async def test_kick(url: str) -> None:
    async with playing(url) as (ada, bob, _):
        assert (await admin("kick", bob.name, url)).exit_code == 0
        finished = await heard(ada, Finished)
        assert isinstance(finished, Finished)
        assert finished.result.winner == 1


@pytest.mark.parametrize(
    ("words", "secret", "code", "said"),
    [
        (("kick", "Nobody"), SECRET, 1, "nobody of that name"),
        (("pause", "zzzz"), SECRET, 1, "no such match"),
        (("list",), "a-wrong-secret-of-some-length", 1, "does not hold the organisers' secret"),
        (("list",), None, 2, ORGANISER),
        (("adjudicate", "zzzz", "3"), SECRET, 2, "WINNER"),
    ],
)
async def test_what_can_not_be_is_one_sentence(
    url: str, words: tuple[str, ...], secret: str | None, code: int, said: str
) -> None:
    done = await admin(*words, url, secret=secret)
    assert done.exit_code == code
    assert said in done.stderr
    assert "Traceback" not in done.output
