"""A bot that speaks the protocol itself: any legal move, in every game, in as many matches as it is invited to.

pip install websockets;  python3 bot_in_40_lines.py ws://127.0.0.1:8765 NAME
"""

import json
import random
import sys
import time
from contextlib import suppress

from websockets import Subprotocol, WebSocketException
from websockets.sync.client import connect

url, name = sys.argv[1:] if len(sys.argv) == 3 else sys.exit(__doc__)
number, token, tries, inside = 0, None, 0, False  # the token brings us back to our seats
while True:
    with suppress(OSError, WebSocketException), connect(url, subprotocols=[Subprotocol("arbitre.v1")]) as server:
        say = {"type": "hello", "protocol": 1, "client": "forty-lines", "kind": "bot", "name": name, "token": token}
        server.send(json.dumps({"id": number, **say}))  # each has an id of ours, which its ok or error repeats
        for told in map(json.loads, server):
            number, say = number + 1, {}
            if told["type"] == "welcome":
                token, tries, inside = told["token"], 0, True
            elif told["type"] == "invitation":
                say = {"type": "join", "match": told["match"]}
            elif told["type"] == "your_turn":
                say = {"type": "move", "match": told["match"], "ply": told["ply"], "move": random.choice(told["legal"])}
            elif told["type"] in ("error", "closing") and "retry_after_ms" not in told:
                if told.get("fatal") or not inside or told["type"] == "closing":
                    sys.exit(f"Refused: {told.get('message', 'the server has closed')}.")
                print(told["message"], file=sys.stderr)
            elif told["type"] == "error" and not inside:
                break
            if say:
                server.send(json.dumps({"id": number, **say}))
    tries, inside = tries + 1, False
    if not token or tries > 20:
        sys.exit("The server can't be reached any more.")
    time.sleep(min(0.05 * 2**tries, 5))  # soon, then less and less often
