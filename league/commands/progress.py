"""Shows a league while it is played: a live table in a terminal, a line a game elsewhere."""

import time
from collections.abc import Callable
from types import TracebackType
from typing import Self

from rich.console import Console
from rich.live import Live
from rich.text import Text

from games.base import Game
from league.history.season import Season
from league.played import Played
from league.report.duel_text import end_of
from league.report.score_text import EVERY, leaders, running
from league.report.table_text import heading, render, repeats
from locales import _, decimal, ngettext
from terminal.text import clean
from terminal.timeleft import NowAndThen, Pace, time_left

EVERY_S = 0.5
"""The table is redrawn at most this often."""


class LiveTable:
    """A table that stays in its place, as a context manager; `show` is called after each change.

    replaced: another table follows on the same screen, so this one is erased unless an exception ends it.
    """

    def __init__(
        self, console: Console, clock: Callable[[], float] = time.monotonic, *, replaced: bool = False
    ) -> None:
        self._replaced = replaced
        self._live = Live(console=console, auto_refresh=False)
        self._console = console
        self._clock = clock
        self._pace: Pace | None = None
        self._drawing = Pace(clock())
        self._shown_at = float("-inf")

    def __enter__(self) -> Self:
        """Takes its place."""
        self._live.__enter__()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._live.transient = self._replaced and kind is None
        self._live.__exit__(kind, error, trace)

    def begin(self, season: Season) -> None:
        """What was played before is in the table."""
        self.show(season)

    def show(self, season: Season) -> None:
        """Shows the table, unless that was done just before."""
        now, games = self._clock(), len(season.games)
        self._pace = self._pace or Pace(now, games)
        self._pace.note(now, games)
        if now - self._shown_at < EVERY_S and not season.finished:
            return
        self._shown_at = now
        left = seconds_left(self._pace, now, season)
        width, height = self._console.size
        shown = render(season, season.standings(), width=width, height=height, seconds_left=left)
        self._live.update(shown, refresh=True)

    def drawing(self, done: int, count: int) -> None:
        """Says how many openings are drawn, where that takes a while."""
        now = self._clock()
        self._drawing.note(now, done)
        if done < count and now - self._shown_at >= EVERY_S:
            self._shown_at = now
            self._live.update(Text(drawn(self._drawing, now, done, count)), refresh=True)


class Lines:
    """A line for each game that was played, and now and then how far the league is; `say` prints it."""

    def __init__(self, say: Callable[[str], None], clock: Callable[[], float] = time.monotonic) -> None:
        self._say = say
        self._clock = clock
        self._told = 0
        self._pace: Pace | None = None
        self._drawing = Pace(clock())
        self._due = NowAndThen(clock())
        self._warned = False

    def __enter__(self) -> Self:
        """Needs nothing."""
        return self

    def __exit__(self, *error: object) -> None:
        """Leaves nothing."""

    def begin(self, season: Season) -> None:
        """Says in a line what was played before."""
        self._told = count = len(season.games)
        if count and not season.finished:
            text = ngettext(
                "{count} game was played before: {score}", "{count} games were played before: {score}", count
            )
            self._say(text.format(count=count, score=score_line(season)))

    def show(self, season: Season) -> None:
        """Tells what is new."""
        now, games = self._clock(), len(season.games)
        self._pace = self._pace or Pace(now, games)
        self._pace.note(now, games)
        if not self._warned and (warnings := repeats(season)):
            self._warned = True
            self._say(warnings[0])
        for number, game in enumerate(season.games[self._told :], self._told + 1):
            self._say(f"{number:>5}  {line(season.league.rules, game)}")
            for said in last_words(game):
                self._say(f"{'':>5}    {said}")
        if games // EVERY > self._told // EVERY and not season.finished:
            self._say(f"{'':>5}  {score_line(season)}")
        self._told = games
        if games and not season.finished and self._due.is_due(now):
            self._say(f"{'':>5}  {heading(season, seconds_left(self._pace, now, season))}")

    def drawing(self, done: int, count: int) -> None:
        """Says now and then how many openings are drawn, if that takes a while."""
        now = self._clock()
        self._drawing.note(now, done)
        if done < count and self._due.is_due(now):
            self._say(drawn(self._drawing, now, done, count))


def drawn(pace: Pace, now: float, done: int, count: int) -> str:
    """How far the drawing of the openings is."""
    said = _("Drawing openings: {done} of {count}").format(done=done, count=count)
    left = pace.left(now, count - done)
    return said if left is None else f"{said}, {time_left(left)}"


def seconds_left(pace: Pace, now: float, season: Season) -> float | None:
    """How long the rest takes; None if that can't be known."""
    games = season.games_left
    return None if games is None or season.finished else pace.left(now, games)


def score_line(season: Season) -> str:
    """The score so far: for two bots the lead and the test, for more the points of those who are ahead."""
    score, verdict = season.score, season.verdict
    if score is None:
        return leaders(season.points())
    made = running(list(season.bots), score)
    if verdict is None:
        return made
    return f"{made}, LLR {decimal(verdict.llr, 2)} [{decimal(verdict.lower, 2)}; {decimal(verdict.upper, 2)}]"


def last_words(game: Played) -> list[str]:
    """Of a game that was lost by a failure: how the bot failed, and the command that shows it again; else nothing."""
    said = [clean(text.strip()) for text in game.detail.splitlines() if text.strip()] if game.faulty else []
    return [said[0], said[-1]] if len(said) > 1 else said


def line(rules: Game, game: Played) -> str:
    """One game: who won, and how."""
    reason = end_of(rules, game)
    if game.winner is None:
        result = _("{first} - {second}: draw ({reason})")
    else:
        result = _("{first} - {second}: {winner} wins ({reason})")
    winner = {1: game.first, 2: game.second, None: ""}[game.winner]
    return result.format(first=game.first, second=game.second, winner=winner, reason=reason)
