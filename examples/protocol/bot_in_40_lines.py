"""A bot that speaks the protocol itself: any legal move, in every game, in as many matches as it is invited to.

pip install websockets;  python3 bot_in_40_lines.py ws://127.0.0.1:8765 NAME
"""

import asyncio
import itertools
import json
import random
import sys

import websockets

ids = itertools.count(1)  # each message has an id of ours, which the server's ok or error repeats


async def say(server: websockets.ClientConnection, kind: str, /, **fields: object) -> None:
    """Send one message."""
    await server.send(json.dumps({"type": kind, "id": next(ids), **fields}))


async def play(url: str, name: str) -> None:
    """Play until the server goes."""
    async with websockets.connect(url, subprotocols=[websockets.Subprotocol("arbitre.v1")]) as server:
        await say(server, "hello", protocol=1, client="forty-lines", kind="bot", name=name)
        async for text in server:
            told = json.loads(text)
            if told["type"] == "invitation":
                await say(server, "join", match=told["match"])
            elif told["type"] == "your_turn":
                await say(server, "move", match=told["match"], ply=told["ply"], move=random.choice(told["legal"]))
            elif told["type"] in ("welcome", "error"):
                print(told.get("message", "ready"), file=sys.stderr)


try:
    asyncio.run(play(*sys.argv[1:3]))
except (OSError, websockets.WebSocketException) as error:
    sys.exit(f"The server can't be reached any more: {error}")
