"""What a bot is checked on: a server, a relay, the bot's process, and an opponent.

Errors: BotGone                    the bot has left, or can't be reached, where it should wait for a match
        ChildError, ClientError    the server does not come up, or is gone
"""

import asyncio
import os
import random
import signal
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass
from types import TracebackType
from typing import Self

import games
from bots.check.interference import Interference
from bots.check.judging import CheckedMatch, Evidence, Finding, MatchTrouble, exchange, refusals
from bots.check.opponent import Opponent, Wish
from bots.check.relay import Relay
from bots.check.steering import Steer, wander
from client.connection import Client
from client.errors import Refused
from games.base import Game, Seat
from locales import _
from machine import modules
from processes.child import TRUST_THIS_MACHINE, Child, ChildError
from protocol.errors import ErrorCode
from protocol.messages import Clock
from terminal.phrases import title_of

Serve = Callable[[], AbstractAsyncContextManager[str]]
"""Starts a server and gives its address; the server is gone after."""


_LAST_WORDS_S = 2.0
_LATE_WORDS_S = 4.0
"""How long we wait for a bot that has failed in a match to say why, after the match."""

_LOOK_S = 0.05


@dataclass(frozen=True, slots=True)
class Program:
    """The bot as a process: `command` with "{url}" where the address goes; `name` is what messages call it.

    ready: whether it prints a line "ready NAME" on its stdout, as `arbitre bot` does.
    """

    command: tuple[str, ...]
    name: str
    ready: bool = False

    def child(self, url: str, polite_s: float) -> Child:
        """The process, not yet started, for the server at `url`; `polite_s` is what it has to leave when asked to."""
        command = [word.replace("{url}", url) for word in self.command]
        return Child(command, name=self.name, polite_s=polite_s)


@asynccontextmanager
async def private_server() -> AsyncGenerator[str]:
    """A server on a free port of this machine that keeps nothing; raises ChildError."""
    command = modules.command("serve", "--host", "127.0.0.1", "--port", "0", *TRUST_THIS_MACHINE)
    async with Child(command, name=_("The server")) as server:
        yield await server.address(Patience().start_s)


@dataclass(frozen=True, slots=True)
class Patience:
    """How long, in seconds, to wait for a bot: to say hello, to join a match, to come back, to leave."""

    start_s: float = 20.0
    join_s: float = 15.0
    back_s: float = 10.0
    leave_s: float = 2.0


class BotGone(Exception):  # noqa: N818 - what happened; never leaves this package
    """The bot is not there any more, though no match was going on; the message is a finding."""


class Rig:
    """An async context manager for server, relay, bot and opponent. The bot starts with the first `ready`.

    clock: the time control of the matches. only: the one game that is checked; one_board: on no board but that. serve:
    starts a server.
    """

    def __init__(
        self,
        program: Program,
        clock: Clock,
        seed: str,
        *,
        only: Game | None = None,
        one_board: bool = False,
        patience: Patience = Patience(),
        serve: Serve = private_server,
    ) -> None:
        self.program = program
        self.clock = clock
        self.only = only
        self.one_board = only is not None and (one_board or only.spec != only.id)
        self.patience = patience
        self.start_s = 0.0
        self._serve = serve
        self._seed = seed
        self._rng = random.Random(f"check {seed}")
        self._stack = AsyncExitStack()
        self._accepted: dict[str, bool] = {}
        self._is_ready = False
        self._said_before = ""
        self.relay: Relay
        self.child: Child

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._stack.aclose()

    async def ready(self) -> Finding | None:
        """A bot that is connected and has no match, started anew on a new server if need be; what failed if it is not.

        Raises ChildError, ClientError if there is no server.
        """
        if self._is_ready and self.child.exit_code is None and self.relay.welcomed.is_set():
            self.relay.forget()
            self._said_before = self.child.stderr
            return None
        self._is_ready = False
        await self._stack.aclose()
        self._stack = AsyncExitStack()
        url = await self._stack.enter_async_context(self._serve())
        self.relay = await self._stack.enter_async_context(Relay(url))
        self.child = self.program.child(self.relay.url, self.patience.leave_s)
        self._said_before = ""
        began = _now()
        try:
            await self._stack.enter_async_context(self.child)
            await self._welcomed()
        except ChildError as error:
            return self.failed(str(error))
        self.start_s = self.relay.log[0].at - began
        client = await self._stack.enter_async_context(Client(url, name="check", kind="bot", patience_s=1.0))
        self.opponent = Opponent(client, self.relay.name, self._rng)
        self._is_ready = True
        return None

    async def _welcomed(self) -> None:
        """Waits until the bot has a session, and has said that it is ready if it does so; raises ChildError."""
        exited = asyncio.create_task(self.child.wait())
        welcomed = asyncio.create_task(self.relay.welcomed.wait())
        refused = asyncio.create_task(self.relay.refused.wait())
        waited = (exited, welcomed, refused)
        try:
            await asyncio.wait(waited, timeout=self.patience.start_s, return_when=asyncio.FIRST_COMPLETED)
            if not welcomed.done():
                raise ChildError(self._why_not_welcomed(), self.child.stderr)
        finally:
            for task in waited:
                task.cancel()
            await asyncio.gather(*waited, return_exceptions=True)
        if self.program.ready:
            await self.child.first_line(self.patience.start_s)

    def _why_not_welcomed(self) -> str:
        for refusal in refusals(self.relay.log):
            return _("its hello was refused: {code} ({said})").format(
                code=refusal.get("code"), said=refusal.get("message")
            )
        if self.child.exit_code is not None:
            return _("its process ended at once, with code {code}").format(code=self.child.exit_code)
        if not self.relay.log:
            return _("no hello came within {seconds:g} s").format(seconds=self.patience.start_s)
        return _("no welcome came in answer to its first message")

    # -- matches

    async def accepts(self, spec: str) -> bool:
        """Whether the bot plays this game: it is invited, and the match called off. Raises BotGone, ClientError."""
        if spec not in self._accepted:
            wish = Wish(games.parse(spec), Seat.SECOND, None)
            await self._invite([wish])
            trouble = await self._until_over(starts_only=True, longest_s=self.patience.join_s)
            (played,) = await self.opponent.give_up("stuck")
            if trouble in ("exited", "away"):
                raise BotGone(await self._how_it_left(spec))
            self._accepted[spec] = played.trouble not in ("declined", "absent")
            self.relay.forget()
        return self._accepted[spec]

    async def first_accepted(self, specs: Sequence[str]) -> Game | None:
        """The first of these games that the bot plays and that is to be checked; None if there is none."""
        for game in self.wanted(specs):
            if await self.accepts(game.spec):
                return game
        return None

    def wanted(self, specs: Sequence[str]) -> list[Game]:
        """Those of these games that are to be checked: all of them, or those that `only` names."""
        found = [games.parse(spec) for spec in specs]
        if self.only is None:
            return found
        if self.one_board:
            return [self.only]
        return [game for game in found if game.id == self.only.id]

    def wish(self, game: Game, seat: Seat, steer: Steer = wander, *, times: int = 1, talkative: bool = False) -> Wish:
        """A match under the clock of this run; `times` multiplies its times, for matches that are played at once."""
        clock = Clock(self.clock.initial_ms * times, self.clock.increment_ms * times, self.clock.move_ms * times)
        return Wish(game, seat, clock, steer, talkative)

    async def play(self, wishes: Sequence[Wish], interference: Interference | None = None) -> list[CheckedMatch]:
        """Plays the matches at once; each ends, by the rules or with its trouble. Raises BotGone, ClientError.

        A bot that left one unfinished, or that may still be thinking about one, is started anew for the next check.
        """
        if interference is not None:
            self.relay.interference = interference
        await self._invite(wishes)
        trouble = await self._until_over(starts_only=True, longest_s=self.patience.join_s)
        if trouble is None:
            trouble = await self._until_over(longest_s=sum(_longest_s(wish) for wish in wishes))
        played = self.opponent.played() if trouble is None else await self.opponent.give_up(trouble)
        self._is_ready = trouble is None and not any(match.timed_out for match in played)
        if any(match.broke for match in played):
            await self._hear_out()
        return played

    async def _hear_out(self) -> None:
        """Waits until the bot has written something about its failure to stderr, and then falls silent."""
        end, before, heard = _now() + _LATE_WORDS_S, self._said_before, ""
        while _now() < end and self.child.exit_code is None:
            heard, last = self.child.stderr, heard
            if heard != before and heard == last:
                return
            await asyncio.sleep(_LOOK_S)

    async def _invite(self, wishes: Sequence[Wish]) -> None:
        try:
            await self.opponent.invite(wishes)
        except Refused as refused:
            if refused.code != ErrorCode.NO_SUCH_PLAYER.value:
                raise
            raise BotGone(await self._how_it_left(wishes[0].game.spec)) from refused

    async def _how_it_left(self, game: str) -> str:
        with suppress(TimeoutError):  # a connection ends before its process does
            async with asyncio.timeout(_LAST_WORDS_S):
                await self.child.wait()
        if self.child.exit_code is not None:
            return _("its process ended when it was invited to {game}").format(game=title_of(game))
        return _("its connection was lost when it was invited to {game}").format(game=title_of(game))

    async def _until_over(self, *, starts_only: bool = False, longest_s: float) -> MatchTrouble | None:
        """Follows the matches until they are over, or have begun; returns the trouble that prevented it, if any."""
        follow = asyncio.create_task(self.opponent.follow(starts_only=starts_only))
        exited = asyncio.create_task(self.child.wait())
        away = asyncio.create_task(self.relay.away(self.patience.back_s))
        try:
            await asyncio.wait((follow, exited, away), timeout=longest_s, return_when=asyncio.FIRST_COMPLETED)
            if follow.done():
                follow.result()
                return None
            if exited.done():
                return "exited"
            return "away" if away.done() else "stuck"
        finally:
            for task in (follow, exited, away):
                task.cancel()
            await asyncio.gather(follow, exited, away, return_exceptions=True)

    # -- findings

    def failed(self, text: str, played: CheckedMatch | None = None) -> Finding:
        """A failure, with what shows it."""
        match = played.match if played is not None else None
        said = self.child.stderr.removeprefix(self._said_before)
        return Finding("failed", text, Evidence(played, exchange(self.relay.log, match), said))

    async def ask_to_leave(self) -> float | None:
        """Asks the bot to leave (SIGTERM): the seconds that it took, None if it had to be killed."""
        began = _now()
        self._is_ready = False
        with suppress(ProcessLookupError):
            os.kill(self.child.pid, signal.SIGTERM)
        try:
            async with asyncio.timeout(self.patience.leave_s):
                await self.child.wait()
        except TimeoutError:
            return None
        return _now() - began

    def left_behind(self) -> bool:
        """Whether processes of its group are still there after it has left."""
        try:
            os.killpg(self.child.pid, 0)
        except (ProcessLookupError, PermissionError):
            return False
        return True


def _now() -> float:
    return asyncio.get_running_loop().time()


def _longest_s(wish: Wish) -> float:
    """Longer than a match can last by its clock: one that lasts longer hangs."""
    assert wish.clock is not None
    moves = wish.game.longest
    clock = wish.clock
    return 30 + (2 * clock.initial_ms + moves * (clock.increment_ms + clock.move_ms)) / 1000
