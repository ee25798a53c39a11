"""The smallest league: two bots play some games against each other, seats swapped after each.

Games are played as in a league on this machine (`league.executors.local`): the same failures are nobody's fault, and
such games are replayed. A duel has no log, and a problem that its user can fix ends it with a sentence.

Errors: DuelError (an LocalServerError)    the games can't go on, and no player is to blame
        `-- GameDeclinedError        a bot has declined an invitation
"""

import asyncio
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from bots.base import is_foreign, parse_bot
from bots.running.starts import usual_places
from client.identity import namesake
from games.base import Game
from league.config import League, LeagueBot
from league.executors.base import DeclinedError, ExecutorError, VoidError, played_again
from league.executors.local import TRIES, LocalExecutor
from league.executors.local_server import LocalServerError, say_once
from league.executors.resource import Resource
from league.pairing.openings import Openings, OpeningsError
from league.played import DuelGame, Job, Played
from locales import _
from processes.launch_options import LaunchOptions
from protocol.bounds import MAX_NAME
from protocol.messages import Clock
from protocol.timing import format_clock


class DuelError(LocalServerError):
    """The duel is broken off."""


class GameDeclinedError(DuelError):
    """A bot does not play this game after all; it has said why."""


@dataclass(frozen=True, slots=True)
class DuelPlan:
    """What is to be played: `games` games, `at_once` of them at the same time; the first named bot starts the first.

    openings: two games in a row, with seats swapped, begin from the same; None where all begin at the start.
    called: the names that the user gave the bots; None where they are called after what they are.
    odds: the clocks of bots that have one of their own, by name.
    """

    game: Game
    bots: tuple[str, str]
    games: int = 1
    clock: Clock | None = None
    at_once: int = 1
    openings: Openings | None = None
    called: tuple[str, str] | None = None
    odds: Mapping[str, str] = field(default_factory=dict)

    def seats(self, number: int) -> tuple[int, int]:
        """Which bot (0 or 1) sits on which seat in game `number`, counted from 1."""
        return (0, 1) if number % 2 else (1, 0)

    @property
    def names(self) -> tuple[str, str]:
        """What the bots are called, each by a name of its own: as they were typed, as far as that is short."""
        if self.called is not None:
            return self.called
        one, two = (
            bot if not is_foreign(bot) and len(bot) <= MAX_NAME else parse_bot(bot).name(MAX_NAME) for bot in self.bots
        )
        return one, (two if one.casefold() != two.casefold() else namesake(two, 2))

    @property
    def room(self) -> int:
        """How many games are played at once; with programs that are not ours, no more than the machine has room for."""
        return min(self.at_once, usual_places()) if any(map(is_foreign, self.bots)) else self.at_once


class Duel(Resource):
    """Plays a plan, as an async context manager; `records` gives the games in their order.

    Entering raises DuelError. conversations: as of `LocalExecutor`.
    """

    def __init__(
        self, plan: DuelPlan, seed: str, launch: LaunchOptions | None = None, conversations: Path | None = None
    ) -> None:
        super().__init__()
        self.plan = plan
        self._seed = seed
        self._bots = tuple(
            LeagueBot(name, bot, clock=plan.odds.get(name, "")) for name, bot in zip(plan.names, plan.bots, strict=True)
        )
        self.league = League(
            name="match", game=plan.game.spec, bots=self._bots, clock=format_clock(plan.clock), seed=seed,
            at_once=plan.room, sandbox=launch is not None and launch.sandbox,
        )  # fmt: skip
        self._executor = LocalExecutor(self.league, launch=launch, is_strict=True, conversations=conversations)
        self._say = say_once()
        self._drawing = asyncio.Lock()

    def _meaning(self, error: BaseException) -> Exception | None:
        return self._broken_off(error) if isinstance(error, ExecutorError) else None

    async def _start(self) -> None:
        await self._stack.enter_async_context(self._executor)

    @property
    def words(self) -> Mapping[str, str]:
        """The end of what each bot said on its stderr, by its name: why one resigned, or how it crashed."""
        return self._executor.words

    async def records(self) -> AsyncIterator[DuelGame]:
        """The games in their order, each as soon as it and those before it are over; raises DuelError."""
        begun, given = 0, 0
        running: dict[asyncio.Task[DuelGame], int] = {}
        done: dict[int, DuelGame] = {}
        try:
            while given < self.plan.games:
                while begun < self.plan.games and len(running) < self._executor.room:
                    begun += 1
                    running[asyncio.create_task(self._game(begun))] = begun
                over, _running = await asyncio.wait(running, return_when=asyncio.FIRST_COMPLETED)
                done.update((running.pop(task), task.result()) for task in over)
                while given + 1 in done:
                    given += 1
                    yield done.pop(given)
        except ExecutorError as error:
            raise self._broken_off(error) from error
        finally:
            for task in running:
                task.cancel()
            await asyncio.gather(*running, return_exceptions=True)

    async def _game(self, number: int) -> DuelGame:
        """Plays a game; while it ends without a result, it is replayed, `TRIES` games in all. Raises ExecutorError."""
        one, two = self.plan.seats(number)
        opening = await self._opening((number - 1) // 2)
        job = Job(str(number), (self._bots[one], self._bots[two]), opening, f"{self._seed}:{number}", games=1)
        for _try in range(1, TRIES):
            try:
                (played,) = await self._executor.play(job)
            except VoidError as error:
                self._say(played_again(error))
            else:
                return self._record(number, played)
        (played,) = await self._executor.play(job)
        return self._record(number, played)

    async def _opening(self, pair: int) -> tuple[str, ...]:
        """The opening of pair number `pair`, from 0. It may take long to find one, so a thread does it."""
        if self.plan.openings is None:
            return ()
        async with self._drawing:
            try:
                return await asyncio.to_thread(self.plan.openings.pick, pair)
            except OpeningsError as error:
                raise ExecutorError(str(error)) from error

    def _record(self, number: int, played: Played) -> DuelGame:
        first, second = self.plan.seats(number)
        # A bot in a sandbox that does not even sit down has failed, whatever it does instead.
        is_unseated = played.reason == "abandoned" and len(played.moves) == played.opening
        return DuelGame(
            number=number,
            game=self.plan.game.spec,
            seats=(first, second),
            bots=(self.plan.bots[first], self.plan.bots[second]),
            names=self.plan.called and (self.plan.called[first], self.plan.called[second]),
            moves=played.moves,
            winner=played.winner,
            score=played.score,
            reason="crash" if is_unseated else played.reason,
            seconds=None if self.plan.clock is None else sum(played.seconds),
            ending=played.ending(self.plan.game),
            opening=played.opening,
            move_ms=played.move_ms,
            date_ms=played.date_ms,
            clocks=self._clocks(first, second),
            seed=self._seed,
        )

    def _clocks(self, first: int, second: int) -> tuple[str, str] | None:
        """The clocks of these two bots; None if both have the same."""
        if not self.plan.odds:
            return None
        one, two = (self.plan.odds.get(self.plan.names[bot], self.league.clock) for bot in (first, second))
        return one, two

    def _broken_off(self, error: BaseException) -> DuelError:
        """What a user is told, with the last words of the process that is to blame."""
        if isinstance(error, DeclinedError):
            return GameDeclinedError(str(error))
        if (server := self._executor.server) is not None and server.exit_code is not None:
            reason = _("its process ended with code {code}").format(code=server.exit_code)
            return DuelError(_("The server is gone: {reason}.").format(reason=reason), server.stderr)
        return DuelError(str(error), getattr(error.__cause__, "stderr", ""))
