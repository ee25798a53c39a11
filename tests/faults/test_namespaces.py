"""A cable that is pulled: no FIN, no RST, only silence. Network namespaces make one (Linux, root, iproute2)."""

from __future__ import annotations

import itertools
import json
import socket
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any

import pytest
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Subprotocol

from tests.faults.cables import ADDRESS, Cable, laid
from tests.faults.serving import serving

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not sys.platform.startswith("linux"), reason="network namespaces are Linux's"),
]

NOTICED_S = 12.0


@pytest.fixture
def cable() -> Iterator[Cable]:
    with laid() as found:
        yield found


class Client:
    """A well-behaved client: pings are answered in the background."""

    def __init__(self, stack: ExitStack, link: socket.socket, port: int, name: str, **fields: object) -> None:
        dialled = connect(
            f"ws://{ADDRESS}:{port}", sock=link, subprotocols=[Subprotocol("arbitre.v1")], compression=None,
            ping_interval=None, close_timeout=0.1,
        )  # fmt: skip
        self.socket: ClientConnection = stack.enter_context(dialled)
        self._numbers = itertools.count(2)
        self._say(type="hello", id=1, protocol=1, client="raw", kind="bot", name=name, **fields)
        self.welcome = self.hear("welcome")

    def hear(self, kind: str, **fields: object) -> dict[str, Any]:
        """The next message of a type, with these values."""
        deadline = time.monotonic() + 30
        while True:
            message: dict[str, Any] = json.loads(self.socket.recv(timeout=deadline - time.monotonic()))
            if message["type"] == kind and fields.items() <= message.items():
                return message

    def ask(self, **fields: object) -> dict[str, Any]:
        """A request and its answer."""
        number = next(self._numbers)
        self._say(id=number, **fields)
        return self.hear("ok", id=number)

    def _say(self, **fields: object) -> None:
        self.socket.send(json.dumps(fields))


def test_a_pulled_cable_is_noticed_and_the_player_comes_back(cable: Cable) -> None:
    within = ("ip", "netns", "exec", cable.server)
    with serving(host=ADDRESS, prefix=within) as server, ExitStack() as stack:
        one = Client(stack, cable.dial(cable.server, server.port), server.port, "one")
        two = Client(stack, cable.dial(cable.player, server.port), server.port, "two")
        match = one.ask(type="create", game="morpion", seat="first")["match"]
        two.ask(type="join", match=match)
        one.ask(type="move", match=match, ply=0, move="b2")
        two.hear("your_turn")
        time.sleep(1)  # the last acknowledgement is on its way back; then the silence begins
        cable.plug("down")
        pulled = time.monotonic()
        one.hear("presence", present=False)
        assert time.monotonic() - pulled < NOTICED_S
        cable.plug("up")
        again = cable.dial(cable.player, server.port)
        back = Client(stack, again, server.port, "two", token=two.welcome["token"])
        assert back.welcome["matches"] == [match]
        assert back.hear("snapshot")["moves"] == ["b2"]
        one.hear("presence", seat=2)
        back.ask(type="move", match=match, ply=1, move="a1")
        assert one.hear("moved", ply=1)["move"] == "a1"
