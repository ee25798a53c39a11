"""Runs a league to its end: asks the season what is due, has an executor play it, logs the results."""

import asyncio
import time
from collections.abc import Callable, Sequence

from league.executors.base import Executor, ExecutorError, OpenExecutor, RunError, played_again, sentence
from league.history.entrants import SeasonError
from league.history.inbox import Answer, Inbox
from league.history.log import Log, LogEntry
from league.history.season import Season
from league.pairing.balance import balance_of
from league.pairing.drawing import KeptAnswers
from league.pairing.openings import OpeningsError
from league.played import Job, Played
from locales import _
from locales.system import reason

EXECUTORS_IN_A_ROW = 3
"""How many executors in a row may fail before a pairing is finished."""

EXECUTORS_IN_ALL = 20
"""How many may fail in one run, whatever is finished between: a losing program might end the server each time."""

_TURN_S = 0.05
"""How long openings are drawn before other tasks get a turn."""

LINES_SHOWN = 8
"""How many lines are shown of the output of a bot that does not play at all."""

LOOK_S = 1.0
"""How often the organiser's rulings are read, at least."""


class Ledger:
    """The season of a log, and all that is written into it; the caller holds the lease and the log.

    tell: called after each change of the season. drawing: hears how many openings are drawn, and of how many.
    """

    def __init__(
        self,
        log: Log,
        tell: Callable[[Season], None] | None = None,
        drawing: Callable[[int, int], None] | None = None,
    ) -> None:
        self.season = Season.of(log.entries)
        league = self.season.league
        balanced = balance_of(league.rules)
        if balanced is not None:
            balanced = KeptAnswers(
                log.path.parent, balanced, rules=league.rules.spec, openings=league.openings, seed=league.seed
            )
        self.season.balanced_by(balanced)
        self._drawing = drawing or (lambda _done, _of: None)
        self._log = log
        self._inbox = Inbox(log.path.parent)
        self._inbox.clear()
        self._tell = tell or (lambda _season: None)

    def _note(self, entries: list[LogEntry]) -> None:
        """Logs entries and applies them: only what is on the disk counts."""
        try:
            self._log.append(*entries)
        except OSError as error:
            raise RunError(
                _("The league's log can't be written ({reason}): what is there is kept.").format(reason=reason(error))
            ) from error
        for entry in entries:
            self.season.take(entry)
        self._tell(self.season)

    async def _draw(self) -> None:
        """Draws the openings that the schedule needs, in advance and with pauses, so that other tasks get a turn."""
        count = self.season.openings_ahead
        turn = time.monotonic()
        for number in range(count):
            try:
                self.season.draw(number)
            except OpeningsError as error:
                raise RunError(str(error)) from error
            if time.monotonic() - turn >= _TURN_S:
                self._drawing(number + 1, count)
                await asyncio.sleep(0)
                turn = time.monotonic()
        self._drawing(count, count)

    def _heed(self) -> None:
        """Logs the organiser's rulings that arrived meanwhile, and answers them."""
        for asked in self._inbox.take():
            try:
                entry = self.season.ruling(asked.kind, asked.data)
            except SeasonError as error:
                answer = Answer(None, str(error))
            except (KeyError, TypeError, AttributeError):  # a file of somebody else, or of another version
                answer = Answer(None, _("The process that runs this league does not know what that means."))
            else:
                self._note([entry])
                answer = Answer(entry.data)
            self._inbox.answer(asked, answer)

    def _note_played(self, pairings: Sequence[tuple[Played, ...]]) -> None:
        """Logs pairings, except those that were annulled while they were played."""
        self._note([self.season.entry_for(games) for games in pairings if self.season.awaits(games[0].pairing)])

    def _note_consequences(self) -> None:
        """Logs what follows from the games: after games, and at the start, since a crash may have come between."""
        if not self.season.finished:
            self._note(self.season.consequences())


class LeagueRunner(Ledger):
    """Plays what a log still lacks, with the executors that `open_executor` makes.

    say: is told, in a sentence, of an executor that has failed and is opened again.
    """

    def __init__(
        self,
        log: Log,
        open_executor: OpenExecutor,
        tell: Callable[[Season], None] | None = None,
        drawing: Callable[[int, int], None] | None = None,
        *,
        say: Callable[[str], None] | None = None,
    ) -> None:
        super().__init__(log, tell, drawing)
        self._open_executor = open_executor
        self._say = say or (lambda _text: None)
        self._at_failures: list[set[str]] = []  # for each executor that failed, who was playing then
        self._have_moved: set[str] = set()  # in this run

    async def run(self) -> None:
        """Plays until the league is finished; raises RunError. Cancelled, it leaves no process behind."""
        self._note_consequences()
        await self._draw()
        failures = in_all = 0
        while not self.season.finished:
            played = len(self.season.games)
            try:
                async with self._open_executor(self.season.league, self.season.home) as executor:
                    await self._play(executor)
            except ExecutorError as error:
                failures = failures + 1 if len(self.season.games) == played else 1
                in_all += 1
                if failures == EXECUTORS_IN_A_ROW:
                    raise RunError(_("The league stops: {reason}").format(reason=error)) from error
                if in_all == EXECUTORS_IN_ALL:
                    raise RunError(self._stopped(error)) from error
                self._say(played_again(error))

    def _stopped(self, error: ExecutorError) -> str:
        text = _("The league stops: what its games are played on has failed {count} times. The last time: {reason}")
        said = text.format(count=EXECUTORS_IN_ALL, reason=sentence(str(error)))
        always = set[str].intersection(*self._at_failures) if self._at_failures else set()
        if not always:
            return said
        text = _("Each time these were playing: {names}. A program outside a sandbox can end what it likes.")
        return f"{said} {text.format(names=', '.join(sorted(always)))}"

    def _never_moved(self, pairings: Sequence[tuple[Played, ...]]) -> list[tuple[Played, ...]]:
        """The pairings that count for nobody: bots on which the league hangs have failed in all games, unmoved.

        Of two that can't start, each fails where it is asked first. Once a bot has made a move in this run, its
        failures are those of a bot that plays.
        """
        rules = self.season.league.rules
        for game in (game for games in pairings for game in games):
            self._have_moved |= game.movers(rules)
        return [games for games in pairings if self._is_idle(games)]

    def _is_idle(self, games: tuple[Played, ...]) -> bool:
        names = {game.faulty for game in games}
        return all(name and name not in self._have_moved and self.season.hangs_on(name) for name in names)

    async def _play(self, executor: Executor) -> None:
        running: dict[asyncio.Task[tuple[Played, ...]], Job] = {}
        try:
            while not self.season.finished:
                self._heed()
                room = executor.room - len(running)
                due = self.season.due(frozenset(job.pairing for job in running.values()), room)
                if (not running and not due) or (self.season.goes_on and len(due) < room):
                    self._note([self.season.following()])
                    continue
                for job in due:
                    running[asyncio.create_task(executor.play(job))] = job
                playing = {entry.name for job in running.values() for entry in job.players}
                done, _pending = await asyncio.wait(running, timeout=LOOK_S, return_when=asyncio.FIRST_COMPLETED)
                for task in done:
                    del running[task]
                played = [task.result() for task in done if task.exception() is None]
                idle = self._never_moved(played)
                self._note_played([games for games in played if games not in idle])
                self._note_consequences()
                if idle:
                    raise RunError(_does_not_play(idle[0]))
                if any(isinstance(task.exception(), ExecutorError) for task in done):
                    self._at_failures.append(playing)
                for task in done:
                    task.result()
        finally:
            for task in running:
                task.cancel()
            await asyncio.gather(*running, return_exceptions=True)


def _does_not_play(games: tuple[Played, ...]) -> str:
    """Why the league stops: bots that it needs have made no move; with the last words of each."""
    text = _("{name} does not play: it has failed in each game before its first move. These games don't count.")
    failed = {game.faulty: game.detail.strip().splitlines()[:LINES_SHOWN] for game in reversed(games)}
    return "\n".join("\n  ".join((text.format(name=name), *said)) for name, said in reversed(failed.items()))
