"""An executor whose games are decided by a coin, and leagues for it."""

import asyncio
import random
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import Self

from league.config import League, LeagueBot
from league.executors.base import ExecutorError
from league.history.log import Log
from league.history.season import Season, begin
from league.played import Job, Played
from league.runner import LeagueRunner
from tests.league.moves import game_of

STRENGTHS = {"Ada": 3.0, "Bob": 2.0, "Cleo": 1.0, "Dan": 0.5, "Eve": 0.2}


def league(size: int = 4, **changes: object) -> League:
    """A league of morpion among the first of STRENGTHS."""
    values: dict[str, object] = {"name": "Test", "game": "morpion", "seed": "3", "openings": "two-ply", **changes}
    return League(bots=tuple(LeagueBot(name, "random") for name in tuple(STRENGTHS)[:size]), **values)  # type: ignore[arg-type]


class CoinExecutor:
    """Plays without a server: who wins is decided by the pairing's seed alone. `before` may raise or wait."""

    def __init__(self, before: Callable[[Job], None] | None = None) -> None:
        self.before = before or (lambda _job: None)
        self.jobs: list[str] = []
        self.running = self.most = 0
        self.room = 1

    def __call__(self, league: League, _home: Path | None) -> Self:
        """Opens it."""
        self.room = league.concurrency * league.at_once
        return self

    async def __aenter__(self) -> Self:
        """Is always ready."""
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Leaves nothing."""

    async def play(self, job: Job) -> tuple[Played, ...]:
        """Two games."""
        self.running += 1
        self.most = max(self.most, self.running)
        try:
            await asyncio.sleep(0)
            self.before(job)
        finally:
            self.running -= 1
        self.jobs.append(job.pairing)
        return tuple(play(job, number) for number in (1, 2))


def play(job: Job, number: int) -> Played:
    """A whole game of morpion by the rules, in which the stronger one finds more of his wins."""
    first, second = job.seats(number)
    rng = random.Random(f"{job.seed}:{number}")
    moves, winner, reason, score = game_of(
        rng, job.opening, (STRENGTHS.get(first.name, 1.0), STRENGTHS.get(second.name, 1.0))
    )
    return Played(
        job.pairing, number, first.name, second.name, moves, winner, reason, score, len(job.opening), (0.5, 0.25)
    )


def failing(times: int) -> Callable[[Job], None]:
    """Fails the first `times` pairings as a server does that dies."""
    left = [times]

    def before(_job: Job) -> None:
        if left[0]:
            left[0] -= 1
            raise ExecutorError("the server is gone")

    return before


def run(
    folder: Path, executor: CoinExecutor, new: League | None = None, tell: Callable[[Season], None] | None = None
) -> Season:
    """Plays the league in `folder` to its end: a new one, or what is left of it."""
    folder.mkdir(exist_ok=True)
    with Log(folder) as log:
        if new is not None:
            log.append(begin(new, [], folder))
        runner = LeagueRunner(log, executor, tell)
        asyncio.run(runner.run())
        return runner.season


class FaultyExecutor(CoinExecutor):
    """Where Bob crashes in every game."""

    async def play(self, job: Job) -> tuple[Played, ...]:
        return tuple(self.spoil(game) for game in await super().play(job))

    def spoil(self, game: Played) -> Played:
        if "Bob" not in (game.first, game.second):
            return game
        moves = game.moves[: game.opening]
        return replace(game, moves=moves, winner=2 if game.first == "Bob" else 1, reason="crash", score=(0, 0))
