"""The smallest league: two bots play some games against each other, seats swapped after each.

Errors: DuelError (an ArenaError)    the games can't go on, and no player is to blame
        `-- DeclinedError            a bot has declined an invitation
"""

import asyncio
from collections.abc import AsyncIterator
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from client.errors import ClientError, Refused, ServerGone
from games.base import Game, Seat
from league.places.arena import Arena, ArenaError
from locales import _
from protocol.bounds import SeatNumber
from protocol.errors import ErrorCode
from protocol.messages import Clock, Create, Finished, Result, Started
from view.match import MatchView

JOIN_S = 60.0
"""How long bots may take to accept an invitation: programs of others wait for their turn to start."""

BUSY_TRIES = 5
"""How many games in a row a bot may have no room for; it says so after it has waited for room itself."""

EXIT_S = 5.0
"""How long we wait to hear that a bot which is not connected any more has ended."""


class DuelError(ArenaError):
    """The duel is broken off."""


class DeclinedError(DuelError):
    """A bot does not play this game after all; it has said why."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What is to be played: `games` games, the first named bot starts the first; `at_once` of them at the same time."""

    game: Game
    bots: tuple[str, str]
    games: int = 1
    clock: Clock | None = None
    at_once: int = 1

    def seats(self, number: int) -> tuple[int, int]:
        """Which bot (0 or 1) sits on which seat in game `number`, counted from 1."""
        return (0, 1) if number % 2 else (1, 0)


@dataclass(frozen=True, slots=True)
class GameRecord:
    """One game that is over. `seats` are the bots (0 or 1) in the order of the seats, `winner` a seat or None."""

    number: int
    game: str
    seats: tuple[int, int]
    bots: tuple[str, str]
    moves: tuple[str, ...]
    winner: int | None
    score: tuple[int, int]
    reason: str
    seconds: float
    ending: str | None = None

    def as_json(self) -> dict[str, object]:
        """What `match --json` prints: `game` is the game's id, `rules` its whole specification."""
        return {
            "number": self.number,
            "game": self.game.partition(":")[0],
            "rules": self.game,
            "bots": list(self.bots),
            "moves": list(self.moves),
            "winner": self.winner,
            "score": list(self.score),
            "reason": self.reason,
            **({} if self.ending is None else {"ending": self.ending}),
            "plies": len(self.moves),
            "seconds": round(self.seconds, 3),
        }


@dataclass(frozen=True, slots=True)
class _Exit:
    """A bot process ended by itself."""

    bot: int


_Event = str | _Exit | ClientError
"""A match that is over, a bot that is gone, or the end of the server or of our connection to it."""


class Duel:
    """Plays a plan in an arena that is up; `records` gives the games in their order."""

    def __init__(self, plan: Plan, arena: Arena) -> None:
        self._plan = plan
        self._arena = arena
        self._events: asyncio.Queue[_Event] = asyncio.Queue()
        self._open: dict[str, int] = {}
        self._began: dict[str, float] = {}
        self._done: dict[int, GameRecord] = {}
        self._dead: set[int] = set(arena.failed)
        self._created = 0
        self._again: list[int] = []
        self._room = plan.at_once
        self._busy = 0

    async def records(self) -> AsyncIterator[GameRecord]:
        """The games in their order, each as soon as it and those before it are over; raises DuelError."""
        tasks = [asyncio.create_task(self._read())]
        tasks += [asyncio.create_task(self._watch_child(bot)) for bot in range(len(self._arena.children))]
        tasks.append(asyncio.create_task(self._watch_server()))
        given = 0
        try:
            while given < self._plan.games:
                await self._fill()
                while given + 1 in self._done:
                    given += 1
                    yield self._done.pop(given)
                if given < self._plan.games and not self._dead:
                    self._take(await self._next_event())
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def _fill(self) -> None:
        """Opens matches until enough are played at once; without one of the bots, all that is left is forfeit."""
        while self._is_due() and (len(self._open) < self._room or self._dead):
            number = self._again[0] if self._again else self._created + 1
            if not self._dead:
                await self._create(number)
            else:
                self._done[number] = self._crashed(number, None, self._dead)
                self._count(number)

    def _is_due(self) -> bool:
        return bool(self._again) or self._created < self._plan.games

    def _count(self, number: int) -> None:
        """A game was opened, or is lost: it is not due any more."""
        if number in self._again:
            self._again.remove(number)
        else:
            self._created = number

    async def _create(self, number: int) -> None:
        first, second = self._plan.seats(number)
        names = (self._arena.names[first], self._arena.names[second])
        spec, clock = self._plan.game.spec, self._plan.clock
        try:
            answer = await self._arena.client.request(
                Create, game=spec, clock=clock, seat="first", play=False, invite=names
            )
        except Refused as refused:
            if refused.code != ErrorCode.NO_SUCH_PLAYER.value:
                raise DuelError(_("The server refused a match: {reason}.").format(reason=refused.message)) from refused
            await self._expect_exit()
            return
        except ClientError as error:
            raise self._server_gone(error) from error
        assert isinstance(answer.match, str)
        self._open[answer.match] = number
        self._count(number)
        self._finish_if_over(answer.match)

    async def _expect_exit(self) -> None:
        """A bot is not connected: either its process has ended, or something is wrong that is not its fault."""
        try:
            async with asyncio.timeout(EXIT_S):
                while not self._dead:
                    self._take(await self._events.get())
        except TimeoutError:
            raise DuelError(_("A bot lost its connection and did not come back.")) from None

    async def _next_event(self) -> _Event:
        views = self._arena.client.session.matches
        waiting = any(match not in views or views[match].status == "waiting" for match in self._open)
        try:
            async with asyncio.timeout(JOIN_S if waiting else None):
                return await self._events.get()
        except TimeoutError:
            for match, number in self._open.items():
                if match in views and (absent := self._absent(views[match], number)):
                    return _Exit(min(absent))
            raise DuelError(_("A bot did not take its seat within {seconds:g} s.").format(seconds=JOIN_S)) from None

    def _absent(self, view: MatchView, number: int) -> set[int]:
        """The bots that did not take their seats, if they are such as may do what they like, at their own cost."""
        seats = zip(Seat, self._plan.seats(number), strict=True)
        return {bot for seat, bot in seats if view.player(seat) is None and self._arena.may_fail(bot)}

    def _take(self, event: _Event) -> None:
        match event:
            case str():
                self._finish_if_over(event)
            case _Exit():
                self._bot_died(event.bot)
            case ClientError():
                raise self._server_gone(event)

    def _finish_if_over(self, match: str) -> None:
        view = self._arena.client.session.matches.get(match)
        if match in self._open and view is not None and view.result is not None:
            if view.result.declined is not None and self._busy < BUSY_TRIES:  # fewer games at once, and this one later
                self._busy += 1
                self._again.append(self._open.pop(match))
                self._room = max(1, len(self._open))
                return
            self._busy = 0
            number = self._open.pop(match)
            began = self._began.pop(match, self._arena.client.now())
            if view.result.reason == "aborted":  # bots abort nothing that has begun
                if not (absent := self._absent(view, number)):
                    raise DeclinedError(_("A bot declined to play {game}.").format(game=view.game.spec))
                self._done[number] = self._crashed(number, None, absent)
            else:
                self._done[number] = self._record(number, view, view.result, self._arena.client.now() - began)
            self._arena.client.session.forget(match)

    def _bot_died(self, bot: int) -> None:
        """The games that run are lost by the bot that is gone."""
        self._dead.add(bot)
        for match, number in self._open.items():
            self._done[number] = self._crashed(number, self._arena.client.session.matches.get(match), self._dead)
        self._open.clear()

    def _record(self, number: int, view: MatchView, result: Result, seconds: float) -> GameRecord:
        first, second = self._plan.seats(number)
        return GameRecord(
            number=number,
            game=view.game.spec,
            seats=(first, second),
            bots=(self._plan.bots[first], self._plan.bots[second]),
            moves=view.moves,
            winner=result.winner,
            score=result.score,
            reason=result.reason,
            seconds=seconds,
            ending=result.ending,
        )

    def _crashed(self, number: int, view: MatchView | None, failed: AbstractSet[int]) -> GameRecord:
        """The record of a game that is lost by who has failed, by the first of two, as far as it was played."""
        if view is None:
            view = MatchView("", self._plan.game, self._plan.game.start())
        if view.result is not None:
            return self._record(number, view, view.result, 0.0)
        winner: SeatNumber = 2 if self._plan.seats(number)[0] in failed else 1
        began = self._began.get(view.match, self._arena.client.now())
        result = Result(winner=winner, reason="crash", score=view.position.score())
        return self._record(number, view, result, self._arena.client.now() - began)

    def _server_gone(self, error: ClientError) -> DuelError:
        reason = _("The server is gone: {reason}.").format(reason=error)
        return DuelError(reason, self._arena.server.stderr)

    async def _read(self) -> None:
        client = self._arena.client
        try:
            async for message in client.messages():
                match message:
                    case Started():
                        self._began[message.match] = client.now()
                    case Finished():
                        self._events.put_nowait(message.match)
                    case _:
                        pass
        except ClientError as error:
            self._events.put_nowait(error)

    async def _watch_server(self) -> None:
        code = await self._arena.server.wait()
        self._events.put_nowait(ServerGone(_("its process ended with code {code}").format(code=code)))

    async def _watch_child(self, bot: int) -> None:
        await self._arena.children[bot].wait()
        self._events.put_nowait(_Exit(bot))
