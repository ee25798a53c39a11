"""Players of a simulated world: real clients, and people who start their program again when it gives up."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Coroutine
from typing import TYPE_CHECKING, Any

from client.connection import Client
from client.errors import ClientError, HelloRefused, Refused
from protocol.bounds import Kind
from protocol.errors import ErrorCode
from protocol.messages import (
    Answer,
    Claim,
    Clock,
    Create,
    Finished,
    Join,
    MakeMove,
    MatchEvent,
    Network,
    Offer,
    Offered,
    Presence,
    Snapshot,
    Welcome,
    YourTurn,
)

if TYPE_CHECKING:
    from tests.faults.simulation.world import World

UNANSWERED_S = 200.0
"""A request that is open for so long, reconnects and restarts included, was forgotten."""


class Game:
    """What two players agree on: the match becomes known when its first player has opened it."""

    def __init__(self, spec: str, clock: Clock | None, network: Network | None) -> None:
        self.spec = spec
        self.clock = clock
        self.network = network
        self.match: asyncio.Future[str] = asyncio.get_running_loop().create_future()


class Player:
    """One of two; `acknowledged` are the moves for which there was an `ok`."""

    def __init__(self, world: World, name: str, game: Game, rng: random.Random, *, opens: bool) -> None:
        self.acknowledged: list[tuple[str, int, str]] = []
        self.done = False
        self._world = world
        self._name = name
        self._game = game
        self._rng = rng
        self._opens = opens
        self._kind: Kind = rng.choice(("human", "bot"))
        self._token: str | None = None
        self._tasks: set[asyncio.Task[None]] = set()

    async def live(self) -> None:
        """Plays the match to its end, with as many programs and connections as that takes."""
        while not self.done:
            client = Client(
                "sim", name=self._name, kind=self._kind, token=self._token, patience_s=120, first_patience_s=60,
                rng=random.Random(self._rng.random()), dial=self._world.network.dial,
            )  # fmt: skip
            client.on_token = self._keep
            try:
                async with client:
                    await self._follow(client)
            except HelloRefused as refused:
                self._refused(refused)
            except ClientError:
                pass
            finally:
                for task in tuple(self._tasks):
                    task.cancel()
                await asyncio.gather(*self._tasks, return_exceptions=True)
            await asyncio.sleep(self._rng.uniform(0.1, 2))

    def _keep(self, token: str) -> None:
        self._token = token

    def _refused(self, refused: HelloRefused) -> None:
        if refused.code == ErrorCode.NAME_TAKEN.value and self._token is None:
            self._name += "'"  # its first welcome got lost with the token
        elif refused.code == ErrorCode.BAD_TOKEN.value and self._game.match.done() and self._is_over():
            self.done = True
        else:
            self._world.complain(f"{self._name} lost its session: {refused}")
            self.done = True

    def _is_over(self) -> bool:
        return self._world.is_over(self._game.match.result())

    async def _follow(self, client: Client) -> None:
        welcome = client.session.welcome
        assert welcome is not None
        self._welcomed(welcome)
        self._spawn(self._begin(client, welcome))
        async for message in client.messages():
            match message:
                case Welcome():
                    self._welcomed(message)
                case YourTurn():
                    self._spawn(self._move(client, message))
                case Presence(present=False, claimable_ms=0):
                    self._spawn(self._ask(client, Claim, match=message.match))
                case Offered() if self._seat(client, message.match) not in (None, message.seat):
                    accept = self._rng.random() < 0.5
                    self._spawn(self._ask(client, Answer, match=message.match, what=message.what, accept=accept))
                case _:
                    pass
            if isinstance(message, MatchEvent):
                self._world.heard(self._name, message)
            if isinstance(message, Finished) or (isinstance(message, Snapshot) and message.status == "finished"):
                self.done = self.done or (self._game.match.done() and message.match == self._game.match.result())
            if self.done:
                return

    def _seat(self, client: Client, match: str) -> int | None:
        view = client.session.matches.get(match)
        return None if view is None else view.seat

    def _welcomed(self, welcome: Welcome) -> None:
        """A match that ended while this player was away may not be held any more."""
        if self._game.match.done() and self._game.match.result() not in welcome.matches and self._is_over():
            self.done = True

    async def _begin(self, client: Client, welcome: Welcome) -> None:
        game = self._game
        while self._opens and not game.match.done():
            latest = client.session.welcome or welcome
            if latest.matches:
                game.match.set_result(latest.matches[0])  # opened, but the answer was lost
                return
            opened = await self._answered(
                client, Create, game=game.spec, clock=game.clock, network=game.network, seat="first"
            )
            if isinstance(opened, str) and not game.match.done():
                game.match.set_result(opened)
            await asyncio.sleep(1)
        if not self._opens:
            match = await asyncio.shield(game.match)
            if await self._answered(client, Join, match=match) is None and self._is_over():
                self.done = True
                await client.close()

    async def _move(self, client: Client, turn: YourTurn) -> None:
        rng = self._rng
        move = rng.choice(turn.legal)
        await asyncio.sleep(rng.expovariate(1 / 0.3))
        if rng.random() < 0.05:
            self._spawn(self._ask(client, Offer, match=turn.match, what=rng.choice(("draw", "takeback"))))
        if rng.random() < 0.1:  # impatience: the same move twice
            client.send(MakeMove, match=turn.match, ply=turn.ply, move=move)
        if await self._answered(client, MakeMove, match=turn.match, ply=turn.ply, move=move) is not None:
            self.acknowledged.append((turn.match, turn.ply, move))

    async def _ask(self, client: Client, make: Any, **fields: object) -> None:
        await self._answered(client, make, **fields)

    async def _answered(self, client: Client, make: Any, **fields: object) -> str | bool | None:
        """The match of the `ok`, or True; None if it was refused or got lost."""
        try:
            async with asyncio.timeout(UNANSWERED_S):
                ok = await client.request(make, **fields)
        except TimeoutError:
            self._world.complain(f"{self._name}: no answer to {make.__name__} {fields}")
            return None
        except (Refused, ClientError):
            return None
        return ok.match if isinstance(ok.match, str) else True

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
