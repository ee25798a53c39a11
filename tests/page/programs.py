"""Programs beside the browsers: who shows a league, and bots that play as a test says."""

from __future__ import annotations

import itertools
import json
from contextlib import ExitStack
from types import TracebackType
from typing import Any, Self

from websockets.sync.client import connect
from websockets.typing import Subprotocol


class Program:
    """A program on a server; it hears nothing but answers."""

    def __init__(self, port: int, name: str, kind: str = "bot") -> None:
        self.name = name
        self._kind = kind
        self._stack = ExitStack()
        self._way = connect(f"ws://127.0.0.1:{port}/", subprotocols=[Subprotocol("arbitre.v1")], ping_interval=None)
        self._numbers = itertools.count(1)

    def ask(self, what: str, **fields: Any) -> dict[str, Any]:
        """Asks for what is granted; returns the `ok`."""
        number = next(self._numbers)
        self._socket.send(json.dumps({"type": what, "id": number, **fields}))
        while True:
            told: dict[str, Any] = json.loads(self._socket.recv(timeout=30))
            if told.get("id") == number:
                assert told["type"] == "ok", told
                return told

    def __enter__(self) -> Self:
        self._socket = self._stack.enter_context(self._way)
        self.ask("hello", protocol=1, client="test", kind=self._kind, name=self.name)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stack.close()


class Pair:
    """Two programs, and one match of theirs after the other."""

    def __init__(self, one: Program, two: Program) -> None:
        self.one, self.two = one, two
        self.match = ""
        self.ply = 0

    def begin(self, game: str = "morpion", clock: dict[str, Any] | None = None) -> str:
        """Begins a match, which `one` begins; returns its id. clock: as in `create`."""
        self.match = self.one.ask("create", game=game, seat="first", clock=clock)["match"]
        self.two.ask("join", match=self.match)
        self.ply = 0
        return self.match

    def play(self, *moves: str) -> None:
        """Makes moves, in turn."""
        for move in moves:
            (self.two if self.ply % 2 else self.one).ask("move", match=self.match, ply=self.ply, move=move)
            self.ply += 1


def table(*rows: tuple[str, int, float, int], against: list[list[float | None]]) -> list[dict[str, Any]]:
    """The rows of a league: name, rank, points and games, with ratings."""
    return [
        {"name": name, "rank": rank, "points": points, "played": played, "rating": 1000 + 100 * points, "error": 150.5}
        | {"against": made}
        for (name, rank, points, played), made in zip(rows, against, strict=True)
    ]
