"""A bot that speaks the protocol itself and has the one fault that it is told: faulty.py FAULT URL NAME.

Without its fault ("none") it does all that a bot has to do.
"""

import asyncio
import json
import os
import random
import signal
import subprocess
import sys
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed
from websockets.typing import Subprotocol

FAULT, URL, NAME = sys.argv[1:4]
KNOWN = {"ok", "error", "snapshot", "your_turn", "moved", "passed", "finished", "seated", "started", "presence"}


@dataclass
class YourTurn:
    """Exactly the fields of today."""

    type: str
    match: str
    ply: int
    legal: list[str]
    clocks: list[int] | None = None
    deadline_ms: int | None = None


class Bot:
    """One session, and what it knows of each match."""

    def __init__(self) -> None:
        self.id = 0
        self.token: str | None = None
        self.seen: dict[str, int] = {}
        self.answered: dict[str, tuple[int, str]] = {}
        self.latest = ""
        self.mine = False

    async def send(self, server: ClientConnection, kind: str, /, **fields: Any) -> None:
        self.id += 1
        await server.send(json.dumps({"type": kind, "id": self.id, **fields}))

    async def session(self) -> None:
        """One connection, from hello to its end."""
        protocols = None if FAULT == "no-subprotocol" else [Subprotocol("arbitre.v1")]
        async with connect(URL, subprotocols=protocols, compression=None, proxy=None) as server:
            if FAULT != "no-hello":
                known = {"token": self.token, "seen": self.seen} if self.token else {}
                name = "" if FAULT == "bad-name" else NAME
                await self.send(server, "hello", protocol=1, client="faulty", kind="bot", name=name, **known)
            async for text in server:
                read = json.loads(text)
                for message in read if isinstance(read, list) else [read]:
                    await self.receive(server, message)

    async def receive(self, server: ClientConnection, message: dict[str, Any]) -> None:
        match, kind = message.get("match", ""), message["type"]
        if "seq" in message:
            self.seen[match] = message["seq"]
        if kind == "welcome":
            self.token = None if FAULT == "no-token" else message["token"]
        elif kind == "invitation" and FAULT == "no-join":
            pass
        elif kind == "invitation" and FAULT == "no-sizes" and ":" in message["game"]:
            await self.send(server, "decline", match=match)
        elif kind == "invitation":
            self.latest = match
            await self.send(server, "join", match=match)
        elif kind == "your_turn":
            await self.turn(server, match, message)
        elif kind == "snapshot" and FAULT == "sizes" and ":" in message["game"]:
            fail("only boards of the usual size")
        elif kind == "moved":
            self.mine = message["ply"] == self.answered.get(match, (-1, ""))[0]
        elif kind == "finished" and FAULT == "last-move" and self.mine and message["result"]["reason"] != "resign":
            fail("who has won?")
        elif FAULT == "talk" and kind not in KNOWN:
            fail(f"KeyError: {kind!r}")

    async def turn(self, server: ClientConnection, match: str, message: dict[str, Any]) -> None:
        """Answers, once a ply; the same again if it is asked again."""
        ply, legal = message["ply"], message["legal"]
        before, move = self.answered.get(match, (-1, ""))
        if FAULT == "newer":
            YourTurn(**message)
        if FAULT == "duplicates" and ply == before:
            fail("asked twice")
        if FAULT == "late" and ply < before:
            fail("that was long ago")
        if FAULT == "passes" and before >= 0 and (ply - before) % 2:
            fail("it is not my turn")
        if FAULT == "crash" and ply >= 4:
            fail("division by zero")
        if FAULT == "slow" and ply >= 2:
            await asyncio.sleep(0.6)
        if ply < before:
            return
        if FAULT == "illegal" and ply >= 4:
            await self.send(server, "move", match=match, ply=ply, move="z9")
        move = move if ply == before else random.choice(legal)
        self.answered[match] = (ply, move)
        await self.send(server, "move", match=self.latest if FAULT == "one-match" else match, ply=ply, move=move)


def fail(words: str) -> None:
    sys.stderr.write(f"{words}\n")
    sys.stderr.flush()
    os._exit(3)


async def play() -> None:
    bot = Bot()
    while True:
        with suppress(ConnectionClosed, OSError):
            await bot.session()
        if FAULT == "no-return":
            await asyncio.sleep(60)
        if FAULT == "ends-with-connection":
            fail("the connection is lost")
        await asyncio.sleep(0.05)


if FAULT == "start":
    fail("ImportError: no module named 'numpy'")
if FAULT == "stays":
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
if FAULT == "leaves-a-child":
    subprocess.Popen(["sleep", "60"])
asyncio.run(play())
