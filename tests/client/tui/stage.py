"""Screens without a terminal, and a server that a test plays: what people see and press, and what the server hears."""

from __future__ import annotations

import random
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from functools import partial
from typing import TypeVar

from textual.pilot import Pilot

from client.connection import Client
from client.errors import ClientError
from client.people.settings import Preferences
from client.people.sitting import PersonalSession, Sitting
from client.tui.app import ArbitreApp
from client.tui.screens.match import MatchScreen
from client.tui.screens.sitting import sit
from client.tui.widgets.board import Board
from protocol.messages import ClientMessage, Ok, Player, ServerMessage, Snapshot
from protocol.values import Clock
from tests.client.fakes import FakeServer, FakeWire
from view.match import MatchView

Message = TypeVar("Message", bound=ClientMessage)

ADA, BOB = Player("Ada", "human"), Player("Bob", "human")
LOOKS = 400


def snapshot(game: str = "morpion", moves: tuple[str, ...] = (), **fields: object) -> Snapshot:
    """A match in which Ada has the first seat, and reads."""
    known: dict[str, object] = {
        "match": "m",
        "seq": 1,
        "game": game,
        "status": "playing",
        "players": (ADA, BOB),
        "seat": 1,
        "moves": moves,
        "ply": len(moves),
        "to_move": 1 + len(moves) % 2,
        "legal": (),
    }
    return Snapshot(**{**known, **fields})  # type: ignore[arg-type]  # what a test says


class Clockwork:
    """The client's clock: it goes on when the test says so."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


class Sitter:
    """Somebody at a program of the full screen, of which they see what it shows."""

    def __init__(self, app: ArbitreApp, pilot: Pilot[str]) -> None:
        self.app, self.pilot = app, pilot

    def text(self) -> str:
        """What stands on the screen."""
        return seen(self.app)

    async def press(self, *keys: str) -> None:
        await self.pilot.press(*keys)
        await self.pilot.pause()

    async def clicks(self, text: str) -> None:
        """Clicks where `text` stands."""
        lines = self.text().split("\n")
        row = next(number for number, line in enumerate(lines) if text in line)
        await self.pilot.click(offset=(lines[row].index(text), row))

    async def sees(self, *texts: str) -> None:
        for text in texts:
            await until(self.pilot, partial(self._has, text), self.text)

    async def sees_no(self, *texts: str) -> None:
        for text in texts:
            await until(self.pilot, partial(self._lacks, text), self.text)

    def _has(self, text: str) -> bool:
        return text in self.text()

    def _lacks(self, text: str) -> bool:
        return text not in self.text()


class Stage(Sitter):
    """A screen that runs; `wire` is the server's end of its connection, `left` what came of leaving."""

    left: list[str | ClientError]

    def __init__(
        self, app: ArbitreApp, pilot: Pilot[str], server: FakeServer, wire: FakeWire, clock: Clockwork
    ) -> None:
        super().__init__(app, pilot)
        self.server, self.wire, self.clock = server, wire, clock

    @property
    def screen(self) -> MatchScreen:
        assert isinstance(self.app.screen, MatchScreen)
        return self.app.screen

    @property
    def board(self) -> Board:
        return self.screen.board

    @property
    def view(self) -> MatchView:
        view = self.screen.view
        assert view is not None
        return view

    async def says(self, *messages: ServerMessage) -> None:
        self.wire.say(*messages)
        await self.pilot.pause()

    async def hears(self, kind: type[Message], *, ok: bool = True) -> Message:
        """The next request, which has to be of this kind; it is granted unless the test answers itself."""
        (message,) = await self.wire.hear()
        assert isinstance(message, kind), message
        if ok:
            self.wire.say(Ok(message.id))
        await self.pilot.pause()
        return message


def seen(app: ArbitreApp) -> str:
    """What stands on the screen, line by line."""
    strips = app.screen._compositor.render_strips()
    return "\n".join("".join(segment.text for segment in strip) for strip in strips)


async def until(pilot: Pilot[str], holds: Callable[[], bool], what: Callable[[], str] = str) -> None:
    """Waits for something to become true."""
    for _look in range(LOOKS):
        if holds():
            return
        await pilot.pause(0.01)
    raise AssertionError(what())


@asynccontextmanager
async def match(
    told: Snapshot, *more: ServerMessage, size: tuple[int, int] = (80, 24), lines: tuple[str, ...] = (), **chosen: bool
) -> AsyncGenerator[Stage]:
    """The screen of a match that the test's server tells of. chosen: fields of Preferences, and ascii_only."""
    server = FakeServer()
    ascii_only = chosen.pop("ascii_only", False)
    clock = Clockwork()
    client = Client(
        "ws://t:1", name="Ada", kind="human", patience_s=900, rng=random.Random(1), dial=server.dial, clock=clock
    )
    async with client:
        wire = await server.wire()
        wire.say(told, *more)
        app = ArbitreApp(preferences=Preferences(name="Ada", **chosen), ascii_only=ascii_only)  # type: ignore[arg-type]
        sitting = Sitting(PersonalSession(client, on_own_server=False, lasts=True), told.match, lines)
        left: list[str | ClientError] = []

        async def first() -> None:
            try:
                left.append(await sit(app, sitting))
            except ClientError as error:
                left.append(error)

        app.first = first
        async with app.run_test(size=size) as pilot:
            await until(pilot, lambda: isinstance(app.screen, MatchScreen) and app.focused is not None)
            stage = Stage(app, pilot, server, wire, clock)
            stage.left = left
            yield stage


@asynccontextmanager
async def shown(
    show: Callable[[ArbitreApp], Awaitable[object]], *, size: tuple[int, int] = (80, 24), name: str = "Ada"
) -> AsyncGenerator[tuple[ArbitreApp, Pilot[str]]]:
    """A program that shows what `show` shows."""
    app = ArbitreApp(preferences=Preferences(name=name))

    async def first() -> None:
        await show(app)

    app.first = first
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        yield app, pilot


CLOCK = Clock(initial_ms=300_000, increment_ms=3000)
