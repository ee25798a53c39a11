"""Where the games of a league are played: a server of our own, bots as processes, and who arranges their matches.

Errors: VenueError    the server or the machine failed: nobody is to blame, what was being played is played again
"""

import asyncio
import secrets
from collections.abc import Sequence
from contextlib import AsyncExitStack, suppress
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from bots.supervisor import Child, ChildError
from client.admin_cli import ORGANISER
from client.connection import Client
from client.errors import ClientError, Refused, ServerGone
from client.session import MatchView
from games.base import Seat
from league.arena import ABSENCE, LISTENING, START_S, arbitre
from league.config import League
from league.played import Job, Played
from league.stable import BotProcess, Stable, StartError
from locales import _
from protocol.errors import ErrorCode
from protocol.messages import Create, Finished, Leave, Moved, Result, Terminate

JOIN_S = 30.0
"""How long the bots may take to accept an invitation."""

BACK_S = 5.0
"""How long a bot that is not connected may take to come back before it has failed."""

_RETRY_S = 0.05


class VenueError(Exception):
    """The games can't go on here, and no player is to blame; the message is a sentence for the user."""


class Venue:
    """A server and bots on this machine, as an async context manager; `play` may be called many times at once."""

    def __init__(self, league: League, home: Path | None = None) -> None:
        """Bots' files are looked for in `home`, by default in the present folder."""
        self._league = league
        self._home = home
        self._stack = AsyncExitStack()
        self._finished: dict[str, asyncio.Future[Result | None]] = {}
        self._used_ms: dict[str, list[int]] = {}
        self._failure: ClientError | None = None

    async def __aenter__(self) -> Self:
        """Starts the server; raises VenueError and leaves nothing behind."""
        try:
            await self._start()
        except BaseException as error:
            await self._stack.aclose()
            if isinstance(error, ClientError | ChildError | OSError):
                raise VenueError(str(error)) from error
            raise
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._stack.aclose()

    async def _start(self) -> None:
        secret = secrets.token_hex(16)
        words = ("serve", "--host", "127.0.0.1", "--port", "0", "--absence", ABSENCE)
        server = arbitre(*words, name=_("The server"), environment={ORGANISER: secret})
        await self._stack.enter_async_context(server)
        url = (await server.first_line(START_S)).removeprefix(LISTENING)
        client = Client(url, name="organiser", kind="human", patience_s=5, organiser=secret)
        self._client = await self._stack.enter_async_context(client)
        league = self._league
        self._stable = await self._stack.enter_async_context(
            Stable(
                url, seed=league.seed, at_once=league.at_once, width=league.concurrency, folder=self._home,
                sandbox=league.sandbox,
            )
        )  # fmt: skip
        for task in (asyncio.create_task(self._read()), asyncio.create_task(self._watch(server))):
            self._stack.push_async_callback(_end, task)

    async def play(self, job: Job) -> tuple[Played, ...]:
        """The games of a pairing, one after the other; raises VenueError."""
        return tuple([await self._game(job, number) for number in range(1, job.games + 1)])

    async def _game(self, job: Job, number: int) -> Played:
        processes: list[BotProcess] = []
        sound = [True, True]
        game = None
        try:
            for seat, entry in enumerate(job.seats(number), 1):
                try:
                    processes.append(await self._stable.take(entry))
                except StartError as error:
                    return self._failed(job, number, seat, "crash", str(error))
            game = await self._match(job, number, processes)
            if game.faulty is not None:
                sound[0 if game.winner == 2 else 1] = game.reason == "illegal"
            return game
        finally:
            if game is None:
                sound = [False, False]
            for process, is_sound in zip(processes, sound, strict=False):
                await self._stable.give_back(process, sound=is_sound)

    async def _match(self, job: Job, number: int, processes: list[BotProcess]) -> Played:
        """Arranges a match of two processes and waits for its end, or for that of one of the processes."""
        match = await self._create(job, number, processes)
        if isinstance(match, Played):
            return match
        over = self._finished.setdefault(match, asyncio.get_running_loop().create_future())
        any_of: set[asyncio.Future[Any]] = {over, *(process.ended for process in processes)}
        views = self._client.session.matches
        try:
            done, _pending = await asyncio.wait(any_of, timeout=JOIN_S, return_when=asyncio.FIRST_COMPLETED)
            if not done and views[match].status != "waiting":
                done, _pending = await asyncio.wait(any_of, return_when=asyncio.FIRST_COMPLETED)
            if not done:
                await self._terminate(match)
                return self._missing(job, number, views[match])
            if not over.done():
                seat = next(seat for seat, process in enumerate(processes, 1) if process.ended.done())
                await self._terminate(match)
                return self._failed(job, number, seat, "crash", _last_words(processes[seat - 1]), views.get(match))
            result = over.result()
            if result is None:
                raise self._gone()
            if result.reason == "aborted":  # one of them has declined
                return self._missing(job, number, views[match])
            return self._played(job, number, views[match], result, processes)
        finally:
            self._forget(match)

    async def _create(self, job: Job, number: int, processes: list[BotProcess]) -> str | Played:
        """The match's id; or the game as lost by the bot that is not there."""
        names = (processes[0].name, processes[1].name)
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
                    raise VenueError(
                        _("The server refused a match: {reason}.").format(reason=refused.message)
                    ) from refused
                for seat, process in enumerate(processes, 1):
                    if process.ended.done() or (loop.time() > until and repr(process.name) in refused.message):
                        return self._failed(job, number, seat, "crash", _last_words(process))
                await asyncio.sleep(_RETRY_S)
            except ClientError as error:
                raise self._gone(error) from error
            else:
                assert isinstance(answer.match, str)
                return answer.match

    def _missing(self, job: Job, number: int, view: MatchView) -> Played:
        """The game as lost by the seat that was never taken."""
        seat = 1 if view.player(Seat.FIRST) is None else 2
        return self._failed(job, number, seat, "abandoned", _("it did not take its seat"))

    def _played(
        self, job: Job, number: int, view: MatchView, result: Result, processes: Sequence[BotProcess]
    ) -> Played:
        first, second = job.seats(number)
        used = self._used_ms.get(view.match, [0, 0])
        game = Played(
            job.pairing, number, first.name, second.name, view.moves, result.winner, result.reason, result.score,
            len(job.opening), (used[0] / 1000, used[1] / 1000),
        )  # fmt: skip
        if game.faulty is None:
            return game
        return replace(game, detail=_last_words(processes[0 if game.faulty == first.name else 1]))

    def _failed(
        self, job: Job, number: int, seat: int, reason: str, detail: str, view: MatchView | None = None
    ) -> Played:
        """The game as lost by `seat`, as far as it was played."""
        first, second = job.seats(number)
        moves = job.opening if view is None else view.moves
        score = self._league.rules.start().score() if view is None else view.position.score()
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

    def _gone(self, error: ClientError | None = None) -> VenueError:
        return VenueError(_("The server is gone: {reason}.").format(reason=error or self._failure or "?"))

    # ------------------------------------------------------------------------------------------------ what is heard

    async def _read(self) -> None:
        try:
            async for message in self._client.messages():
                match message:
                    case Moved() if message.used_ms:
                        self._used_ms.setdefault(message.match, [0, 0])[message.seat - 1] += message.used_ms
                    case Finished():
                        self._settle(message.match, message.result)
                    case _:
                        pass
        except ClientError as error:
            self._fail(error)

    async def _watch(self, server: Child) -> None:
        code = await server.wait()
        self._fail(ServerGone(_("its process ended with code {code}").format(code=code)))

    def _settle(self, match: str, result: Result | None) -> None:
        future = self._finished.setdefault(match, asyncio.get_running_loop().create_future())
        if not future.done():
            future.set_result(result)

    def _fail(self, error: ClientError) -> None:
        self._failure = self._failure or error
        for match in tuple(self._finished):
            self._settle(match, None)


async def _end(task: "asyncio.Task[None]") -> None:
    task.cancel()
    with suppress(asyncio.CancelledError):
        await task


def _last_words(process: BotProcess) -> str:
    return "\n".join(process.child.stderr.splitlines()[-20:])
