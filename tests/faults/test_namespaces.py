"""A cable that is pulled: no FIN, no RST, only silence. Network namespaces make one (Linux, root, iproute2)."""

from __future__ import annotations

import ctypes
import itertools
import json
import os
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Subprotocol

from tests.faults.serving import serving

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not sys.platform.startswith("linux"), reason="network namespaces are Linux's"),
]

ADDRESS = "10.231.77.1"
NOTICED_S = 12.0
_CLONE_NEWNET = 0x40000000


class Cable:
    """Two machines and the cable between them: the server's namespace, and a player's."""

    def __init__(self) -> None:
        self.server = f"arbitre-s{os.getpid()}"
        self.player = f"arbitre-p{os.getpid()}"

    def plug(self, state: str) -> None:
        """`up` or `down`: the player's end, so that the server is told nothing."""
        ip("-n", self.player, "link", "set", "cable", state)

    def dial(self, namespace: str, port: int) -> socket.socket:
        """A connection from a namespace: a socket belongs to the one that its thread was in."""

        def from_within() -> socket.socket:
            with Path(f"/run/netns/{namespace}").open("rb") as entry:
                if ctypes.CDLL(None, use_errno=True).setns(entry.fileno(), _CLONE_NEWNET):
                    raise OSError(ctypes.get_errno(), "setns")
            return socket.create_connection((ADDRESS, port), timeout=20)

        with ThreadPoolExecutor(1) as pool:
            return pool.submit(from_within).result()


def ip(*arguments: str) -> None:
    subprocess.run(["ip", *arguments], check=True, capture_output=True)


@pytest.fixture
def cable() -> Iterator[Cable]:
    if os.geteuid() != 0 or shutil.which("ip") is None:
        pytest.skip("network namespaces need root and iproute2 here")
    pair = Cable()
    try:
        try:
            for namespace in (pair.server, pair.player):
                ip("netns", "add", namespace)
                ip("-n", namespace, "link", "set", "lo", "up")
            ip("-n", pair.server, "link", "add", "cable", "type", "veth", "peer", "name", "cable", "netns", pair.player)
        except subprocess.CalledProcessError as error:
            pytest.skip(f"this machine allows no network namespaces: {error.stderr.decode().strip()}")
        ip("-n", pair.server, "addr", "add", f"{ADDRESS}/24", "dev", "cable")
        ip("-n", pair.player, "addr", "add", "10.231.77.2/24", "dev", "cable")
        ip("-n", pair.server, "link", "set", "cable", "up")
        pair.plug("up")
        yield pair
    finally:
        for namespace in (pair.server, pair.player):
            subprocess.run(["ip", "netns", "del", namespace], check=False, capture_output=True)


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
