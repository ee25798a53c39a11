"""A bot that speaks the protocol itself: any legal move, in every game and in as many matches as it is invited to.

pip install websockets;  python3 bot_in_40_lines.py ws://127.0.0.1:8765 [NAME]
"""

import asyncio
import itertools
import json
import random
import sys
from typing import Any

from websockets.asyncio.client import connect
from websockets.typing import Subprotocol

URL = sys.argv[1] if len(sys.argv) > 1 else "ws://127.0.0.1:8765"
NAME = sys.argv[2] if len(sys.argv) > 2 else "forty lines"


async def play() -> None:
    """Plays until the server goes."""
    ids = itertools.count(1)  # each message has an id of ours, which the server's ok or error repeats
    async with connect(URL, subprotocols=[Subprotocol("arbitre.v1")], compression=None) as server:

        async def send(kind: str, /, **fields: Any) -> None:
            await server.send(json.dumps({"type": kind, "id": next(ids), **fields}))

        await send("hello", protocol=1, client="forty-lines", kind="bot", name=NAME)
        async for text in server:
            message = json.loads(text)
            if message["type"] == "welcome":
                print("ready", message["name"], flush=True)
            elif message["type"] == "invitation":
                await send("join", match=message["match"])
            elif message["type"] == "your_turn":
                move = random.choice(message["legal"])
                await send("move", match=message["match"], ply=message["ply"], move=move)
            elif message["type"] == "error":
                print(message["code"], message["message"], file=sys.stderr)


asyncio.run(play())
