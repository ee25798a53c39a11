"""Machines of their own and the cables between them: network namespaces on one bridge (Linux, root, iproute2).

A cable that is pulled gives no FIN and no RST, only silence, and neither end is told.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from types import TracebackType
from typing import Self

SERVER = "10.231.78.1"
"""The address of the machine in the middle."""

_BRIDGE = "room"


class NoNetworkError(Exception):
    """Network namespaces are not to be had here; the message says why."""


class Network:
    """One machine in the middle and `players` around it, as a context manager. Entering raises NoNetworkError."""

    def __init__(self, players: int) -> None:
        self.server = f"arbitre-m{os.getpid()}"
        self.players = [f"arbitre-p{os.getpid()}-{number}" for number in range(players)]

    def __enter__(self) -> Self:
        """Builds it, all cables plugged in."""
        if os.geteuid() != 0 or shutil.which("ip") is None:
            raise NoNetworkError("network namespaces need root and iproute2 here")
        try:
            self._build()
        except subprocess.CalledProcessError as error:
            self._remove()
            raise NoNetworkError(f"no network namespaces here: {error.stderr.decode().strip()}") from error
        except BaseException:
            self._remove()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._remove()

    def within(self, player: int | None) -> tuple[str, ...]:
        """What stands before a command that runs on a player's machine, or (None) on the one in the middle."""
        return ("ip", "netns", "exec", self.server if player is None else self.players[player])

    def plug(self, player: int, *, plugged: bool) -> None:
        """Pulls a player's cable, or plugs it in again."""
        _ip("-n", self.players[player], "link", "set", "cable", "up" if plugged else "down")

    def _build(self) -> None:
        for name in (self.server, *self.players):
            _ip("netns", "add", name)
            _ip("-n", name, "link", "set", "lo", "up")
        _ip("-n", self.server, "link", "add", _BRIDGE, "type", "bridge")
        _ip("-n", self.server, "addr", "add", f"{SERVER}/24", "dev", _BRIDGE)
        _ip("-n", self.server, "link", "set", _BRIDGE, "up")
        for number, name in enumerate(self.players):
            end = f"end{number}"
            _ip("-n", self.server, "link", "add", end, "type", "veth", "peer", "name", "cable", "netns", name)
            # A port of a switch has no address of its own: what is sent to one of IPv6 there arrives nowhere.
            _ip("-n", self.server, "link", "set", end, "addrgenmode", "none")
            _ip("-n", self.server, "link", "set", end, "master", _BRIDGE, "up")
            _ip("-n", name, "addr", "add", f"10.231.78.{number + 10}/24", "dev", "cable")
            _ip("-n", name, "link", "set", "cable", "up")

    def _remove(self) -> None:
        for name in (self.server, *self.players):
            subprocess.run(["ip", "netns", "del", name], check=False, capture_output=True)


def _ip(*words: str) -> None:
    subprocess.run(["ip", *words], check=True, capture_output=True)
