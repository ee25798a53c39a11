"""A server on which others play, as a test arranges it: what onlookers see of it, and what they ask."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from typing import Any, TypeVar

from textual.pilot import Pilot

import games
from client.connection import Client
from client.people.settings import Preferences
from client.tui.app import ArbitreApp
from client.tui.place import Place
from client.tui.screens.onlooking import look_around
from games.base import position_after
from protocol.errors import ErrorCode
from protocol.messages import (
    ClientMessage,
    Error,
    FollowLeague,
    FollowLobby,
    LeagueChanged,
    LeagueGame,
    LeagueSummary,
    LobbyChanged,
    MatchSummary,
    Moved,
    Ok,
    Player,
    Review,
    Reviewed,
    Scoreboard,
    ServerMessage,
    Snapshot,
    Watch,
)
from protocol.values import Clock, Judged
from tests.client.fakes import FakeServer, FakeWire
from tests.client.tui.stage import Clockwork, Sitter, until

Message = TypeVar("Message", bound=ClientMessage)

LEAGUE = "abcdefghijkl"
TICKET = "ticket"
NAMES = ("Ada", "Bob", "Chloé", "Driss", "Élodie", "Farid", "Gwen", "Hugo")


def board(match: str, game: str = "othello", moves: str = "", **fields: Any) -> Snapshot:
    """A match of two people, as its spectators see it. moves: as a transcript."""
    rules = games.parse(game)
    played = rules.parse_transcript(moves) if moves else ()
    position = position_after(rules, played)
    number = sum(map(ord, match))
    players = (Player(NAMES[number % 8], "human"), Player(NAMES[(number + 3) % 8], "human"))
    known: dict[str, Any] = {
        "match": match,
        "seq": 3,
        "game": game,
        "status": "playing",
        "players": players,
        "seat": None,
        "moves": played,
        "ply": len(played),
        "to_move": int(position.to_move),
        "legal": position.legal_moves(),
        "clock": Clock(initial_ms=300_000, increment_ms=3000),
        "clocks": (298_000, 241_000),
    }
    return Snapshot(**{**known, **fields})


def summary(shown: Snapshot) -> MatchSummary:
    """A match as the lobby lists it."""
    return MatchSummary(shown.match, shown.game, shown.status, shown.players, shown.clock, shown.ply, shown.viewers)


class Hall:
    """Answers what onlookers ask; `heard` is all that they asked. scoreboard: of the league that is shown, if any.

    judged: what its reviews say. refusal: the code with which reviews are refused instead.
    """

    def __init__(
        self,
        *boards: Snapshot,
        scoreboard: Scoreboard | None = None,
        played: tuple[LeagueGame, ...] = (),
        judged: tuple[Judged, ...] = (),
        refusal: ErrorCode | None = None,
    ) -> None:
        self.server = FakeServer()
        self.boards = {board.match: board for board in boards}
        self.scoreboard, self.played, self.judged, self.refusal = scoreboard, played, judged, refusal
        self.heard: list[ClientMessage] = []
        self.wire: FakeWire | None = None

    async def open(self) -> None:
        """Takes one connection after the other, and answers."""
        async with asyncio.TaskGroup() as answering:
            while True:
                self.wire = await self.server.wire()
                answering.create_task(self._answer(self.wire))

    async def _answer(self, wire: FakeWire) -> None:
        while not wire.closed:
            for message in await wire.hear():
                self.heard.append(message)
                wire.say(*self._answers(message))

    def _answers(self, message: ClientMessage) -> list[ServerMessage]:
        match message:
            case FollowLobby(follow=True):
                shown = tuple(summary(board) for board in reversed(self.boards.values()))
                return [Ok(message.id, matches=shown, players=(), leagues=self._leagues())]
            case Watch() if message.match in self.boards:
                return [self.boards[message.match], Ok(message.id, match=message.match)]
            case Watch():
                return [_refused(message, ErrorCode.NO_SUCH_MATCH)]
            case FollowLeague(follow=True) if self.scoreboard is not None:
                return [Ok(message.id, scoreboard=self.scoreboard, games=self.played)]
            case FollowLeague(follow=True):
                return [_refused(message, ErrorCode.NO_SUCH_LEAGUE)]
            case Review(follow=True) if self.refusal is not None:
                return [_refused(message, self.refusal)]
            case Review(follow=True):
                told = Reviewed(TICKET, "done" if self.judged else "queued", steps=self.judged)
                return [Ok(message.id, ticket=TICKET), told]
            case _:
                return [Ok(message.id)]

    def _leagues(self) -> tuple[LeagueSummary, ...]:
        board = self.scoreboard
        if board is None:
            return ()
        return (LeagueSummary(LEAGUE, board.host, board.title, board.game, board.state, len(board.rows)),)


def _refused(message: ClientMessage, code: ErrorCode) -> Error:
    return Error(code.value, "as the test says", id=message.id)


class Visit(Sitter):
    """An onlooker's screens, and the hall that they see."""

    def __init__(self, app: ArbitreApp, pilot: Pilot[str], hall: Hall, clock: Clockwork) -> None:
        super().__init__(app, pilot)
        self.hall, self.clock = hall, clock

    async def says(self, *messages: ServerMessage) -> None:
        assert self.hall.wire is not None
        self.hall.wire.say(*messages)
        await self.pilot.pause()

    async def moves(self, match: str, move: str) -> None:
        """A player moves."""
        before = self.hall.boards[match]
        after = board(match, before.game, " ".join((*before.moves, move)), seq=before.seq + 1)
        self.hall.boards[match] = after
        seat = before.to_move
        await self.says(Moved(match, after.seq, before.ply, seat, move, after.to_move, clocks=after.clocks))

    async def begins(self, *boards: Snapshot, gone: tuple[str, ...] = ()) -> None:
        """Matches begin, and others are over."""
        self.hall.boards |= {board.match: board for board in boards}
        for match in gone:
            del self.hall.boards[match]
        await self.says(LobbyChanged(tuple(map(summary, boards)), gone))

    async def stands(self, scoreboard: Scoreboard, *over: LeagueGame) -> None:
        """The league goes on."""
        self.hall.scoreboard = scoreboard
        await self.says(LeagueChanged(LEAGUE, scoreboard, over))

    async def asked(self, kind: type[Message], **fields: object) -> Message:
        """The last request of this kind with these fields, as soon as there is one."""
        await until(self.pilot, lambda: bool(self.all_asked(kind, **fields)), lambda: str(self.hall.heard))
        return self.all_asked(kind, **fields)[-1]

    def all_asked(self, kind: type[Message], **fields: object) -> list[Message]:
        return [
            message
            for message in self.hall.heard
            if isinstance(message, kind) and all(getattr(message, name) == value for name, value in fields.items())
        ]


@asynccontextmanager
async def visit(
    hall: Hall,
    show: Callable[[ArbitreApp, Client], Awaitable[object]] = look_around,
    *,
    size: tuple[int, int] = (80, 24),
    ascii_only: bool = False,
    theme: str = "dark",
) -> AsyncGenerator[Visit]:
    """A person who looks around in `hall`."""
    clock = Clockwork()
    opening = asyncio.create_task(hall.open())
    dial = hall.server.dial
    client = Client("ws://t:1", name="Zoé", kind="human", patience_s=900, rng=random.Random(1), dial=dial, clock=clock)
    try:
        async with client:
            app = ArbitreApp(preferences=Preferences(name="Zoé", theme=theme), ascii_only=ascii_only)

            async def first() -> None:
                await show(app, client)

            app.first = first
            async with app.run_test(size=size) as pilot:
                await pilot.pause()
                yield Visit(app, pilot, hall, clock)
    finally:
        opening.cancel()
        with suppress(asyncio.CancelledError):
            await opening


async def in_place(client: Client, show: Callable[[Place], Awaitable[object]]) -> None:
    """Shows something that needs a session."""
    async with Place(client) as place:
        await show(place)
