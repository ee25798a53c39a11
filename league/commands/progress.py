"""What is seen of a league while it is played: a live table in a terminal, a line a pairing elsewhere."""

import time
from collections.abc import Callable
from types import TracebackType
from typing import Self

from rich.console import Console
from rich.live import Live

from league.duel_text import REASONS
from league.played import Played
from league.season import Season
from league.table_text import render
from locales import _

EVERY_S = 0.5
"""How often the table is made anew."""


class LiveTable:
    """A table that stays in its place, as a context manager; `show` is called after each change.

    replaced: another table follows it on the same screen: it goes when it ends well, so that nobody sees it twice.
    """

    def __init__(
        self, console: Console, clock: Callable[[], float] = time.monotonic, *, replaced: bool = False
    ) -> None:
        self._replaced = replaced
        self._live = Live(console=console, auto_refresh=False)
        self._console = console
        self._clock = clock
        self._began = clock()
        self._games_before: int | None = None
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

    def show(self, season: Season) -> None:
        """Shows the table, unless that was done just before."""
        if self._games_before is None:
            self._games_before = len(season.games)
        now = self._clock()
        if now - self._shown_at < EVERY_S and not season.finished:
            return
        self._shown_at = now
        left = seconds_left(len(season.games) - self._games_before, season, now - self._began)
        width, height = self._console.size
        shown = render(season, season.standings(), width=width, height=height, seconds_left=left)
        self._live.update(shown, refresh=True)


class Lines:
    """A line for each pairing that was played; `say` prints it."""

    def __init__(self, say: Callable[[str], None]) -> None:
        self._say = say
        self._told = 0

    def __enter__(self) -> Self:
        """Needs nothing."""
        return self

    def __exit__(self, *error: object) -> None:
        """Leaves nothing."""

    def show(self, season: Season) -> None:
        """Tells what is new."""
        for number, game in enumerate(season.games[self._told :], self._told + 1):
            self._say(f"{number:>5}  {line(game)}")
        self._told = len(season.games)


def seconds_left(games: int, season: Season, seconds: float) -> float | None:
    """How long the rest takes at the rate of these games; None if that can't be known."""
    if games < 1 or season.planned is None or season.finished:
        return None
    return (season.planned - len(season.games)) * seconds / games


def line(game: Played) -> str:
    """One game: who won, and how."""
    reason = _(REASONS[game.reason])
    if game.winner is None:
        result = _("{first} - {second}: draw ({reason})")
    else:
        result = _("{first} - {second}: {winner} wins ({reason})")
    winner = {1: game.first, 2: game.second, None: ""}[game.winner]
    return result.format(first=game.first, second=game.second, winner=winner, reason=reason)
