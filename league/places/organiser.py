"""Arranges the games of a league on a server and waits for their ends: the organiser's connection, without any bots."""

import asyncio
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any, Protocol

from client.connection import Client, Incoming
from client.errors import ClientError, Refused
from client.session import MatchView
from games.base import Seat
from league.config import League
from league.places.base import VenueError
from league.played import Job, Played
from locales import _
from protocol.errors import ErrorCode
from protocol.messages import Create, Finished, Leave, Moved, Result, Terminate

JOIN_S = 30.0
"""How long the bots may take to accept an invitation."""

BACK_S = 5.0
"""How long a bot that is not connected may take to come back before it has failed."""

_RETRY_S = 0.05


class Contestant(Protocol):
    """A bot on the server. ended: is done when the bot is gone for good; last_words: what it said then."""

    name: str
    ended: "asyncio.Future[Any]"

    @property
    def last_words(self) -> str:
        """Some lines for the bot's author, perhaps none."""
        ...


class Organiser:
    """Plays single games of `league` over `client`, who directs matches; `listen` hears of every message.

    `run` reads the connection and is to be running meanwhile.
    """

    def __init__(self, client: Client, league: League, listen: Callable[[Incoming], None] | None = None) -> None:
        self._client = client
        self._league = league
        self._listen = listen
        self._finished: dict[str, asyncio.Future[Result | None]] = {}
        self._used_ms: dict[str, list[int]] = {}
        self._failure: ClientError | None = None

    async def run(self) -> None:
        """Reads until the connection is gone for good."""
        try:
            async for message in self._client.messages():
                match message:
                    case Moved() if message.used_ms:
                        self._used_ms.setdefault(message.match, [0, 0])[message.seat - 1] += message.used_ms
                    case Finished():
                        self._settle(message.match, message.result)
                    case _:
                        pass
                if self._listen is not None:
                    self._listen(message)
        except ClientError as error:
            self.fail(error)

    def fail(self, error: ClientError) -> None:
        """The server is gone: every game that is being played ends with VenueError."""
        self._failure = self._failure or error
        for match in tuple(self._finished):
            self._settle(match, None)

    async def play(self, job: Job, number: int, contestants: Sequence[Contestant]) -> Played:
        """Game `number` of a pairing, between two contestants in the order of their seats. Raises VenueError."""
        match = await self._create(job, number, contestants)
        if isinstance(match, Played):
            return match
        over = self._finished.setdefault(match, asyncio.get_running_loop().create_future())
        any_of: set[asyncio.Future[Any]] = {over, *(contestant.ended for contestant in contestants)}
        views = self._client.session.matches
        try:
            done, _pending = await asyncio.wait(any_of, timeout=JOIN_S, return_when=asyncio.FIRST_COMPLETED)
            if not done and views[match].status != "waiting":
                done, _pending = await asyncio.wait(any_of, return_when=asyncio.FIRST_COMPLETED)
            if not done:
                await self._terminate(match)
                return self._missing(job, number, views[match])
            if not over.done():
                seat = next(seat for seat, contestant in enumerate(contestants, 1) if contestant.ended.done())
                await self._terminate(match)
                return self.failed(job, number, seat, "crash", contestants[seat - 1].last_words, views.get(match))
            result = over.result()
            if result is None:
                raise self._gone()
            if result.reason == "aborted":  # one of them has declined
                return self._missing(job, number, views[match])
            return self._played(job, number, views[match], result, contestants)
        finally:
            self._forget(match)

    async def _create(self, job: Job, number: int, contestants: Sequence[Contestant]) -> str | Played:
        """The match's id; or the game as lost by the bot that is not there."""
        names = (contestants[0].name, contestants[1].name)
        loop = asyncio.get_running_loop()
        until = loop.time() + BACK_S
        while True:
            try:
                answer = await self._client.request(
                    Create, game=self._league.game, clock=self._league.time, seat="first", play=False,
                    invite=names, opening=job.opening, seed=f"{job.seed}:{number}",
                )  # fmt: skip
            except Refused as refused:
                if refused.code != ErrorCode.NO_SUCH_PLAYER.value:
                    reason = _("The server refused a match: {reason}.").format(reason=refused.message)
                    raise VenueError(reason) from refused
                for seat, contestant in enumerate(contestants, 1):
                    if contestant.ended.done():
                        return self.failed(job, number, seat, "crash", contestant.last_words)
                    if loop.time() > until and repr(contestant.name) in str(refused):
                        return self.failed(job, number, seat, "abandoned", _("it is not connected"))
                await asyncio.sleep(_RETRY_S)
            except ClientError as error:
                raise self._gone(error) from error
            else:
                assert isinstance(answer.match, str)
                return answer.match

    def _missing(self, job: Job, number: int, view: MatchView) -> Played:
        """The game as lost by the seat that was never taken."""
        seat = 1 if view.player(Seat.FIRST) is None else 2
        return self.failed(job, number, seat, "abandoned", _("it did not take its seat"))

    def _played(
        self, job: Job, number: int, view: MatchView, result: Result, contestants: Sequence[Contestant]
    ) -> Played:
        first, second = job.seats(number)
        used = self._used_ms.get(view.match, [0, 0])
        game = Played(
            job.pairing, number, first.name, second.name, view.moves, result.winner, result.reason, result.score,
            len(job.opening), (used[0] / 1000, used[1] / 1000),
        )  # fmt: skip
        if game.faulty is None:
            return game
        return replace(game, detail=contestants[0 if game.faulty == first.name else 1].last_words)

    def failed(
        self, job: Job, number: int, seat: int, reason: str, detail: str, view: MatchView | None = None
    ) -> Played:
        """The game as lost by `seat`, as far as it was played."""
        first, second = job.seats(number)
        position = self._league.rules.start()
        for move in job.opening:
            position = position.play(move)
        moves = job.opening if view is None else view.moves
        score = position.score() if view is None else view.position.score()
        return Played(
            job.pairing, number, first.name, second.name, moves, 3 - seat, reason, score, len(job.opening),
            detail=detail,
        )  # fmt: skip

    async def _terminate(self, match: str) -> None:
        with suppress(ClientError):
            await self._client.request(Terminate, match=match)

    def _forget(self, match: str) -> None:
        self._finished.pop(match, None)
        self._used_ms.pop(match, None)
        with suppress(ClientError):
            self._client.send(Leave, match=match)
        self._client.session.forget(match)

    def _settle(self, match: str, result: Result | None) -> None:
        future = self._finished.setdefault(match, asyncio.get_running_loop().create_future())
        if not future.done():
            future.set_result(result)

    def _gone(self, error: ClientError | None = None) -> VenueError:
        return VenueError(_("The server is gone: {reason}.").format(reason=error or self._failure or "?"))
