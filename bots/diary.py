"""The questions that one bot process was asked, game by game: another process can be asked the same."""

from collections import deque
from collections.abc import Sequence
from typing import Final, Literal

from msgspec import Struct
from msgspec.structs import replace

from bots.budget import UNLIMITED, Budget
from protocol.messages import Result

MAX_ASKED: Final = 3000
"""How many questions are kept: some hundred games; beyond, the first games are left out."""


class BotQuestion(Struct, frozen=True, omit_defaults=True):
    """One question, asked after `moves`, which spaces separate; to_ponder: whether the opponent was to move."""

    moves: str
    budget: Budget = UNLIMITED
    to_ponder: bool = False


class AskedMatch(Struct, frozen=True, kw_only=True):
    """The questions of one match, in their order.

    match_seed: together with the seed of the process, the source of all randomness of the bot.
    result, moves: how the match ended, if it has, and all its moves, separated by spaces.
    """

    game: str
    match: str
    seat: Literal[1, 2]
    match_seed: str
    asked: tuple[BotQuestion, ...] = ()
    result: Result | None = None
    moves: str = ""


class Diary:
    """The questions of all matches of a process, one match after the other.

    forgotten: how many games at the beginning are no longer kept.
    """

    def __init__(self) -> None:
        self.forgotten = 0
        self._over: deque[AskedMatch] = deque()
        self._now: AskedMatch | None = None
        self._asked: list[BotQuestion] = []
        self._count = 0

    def is_of(self, match: str) -> bool:
        """Whether `match` is the current one."""
        return self._now is not None and self._now.match == match

    def begin(self, match: AskedMatch) -> None:
        """Begins a match, unless it is the current one."""
        if not self.is_of(match.match):
            self.end()
            self._now = match

    def note(self, moves: Sequence[str], budget: Budget = UNLIMITED, *, to_ponder: bool = False) -> None:
        """Records a question after these moves that the bot answered well."""
        self._asked.append(BotQuestion(" ".join(moves), budget, to_ponder))
        self._count += 1

    def end(self) -> None:
        """The match is over."""
        if self._now is not None:
            self._over.append(replace(self._now, asked=tuple(self._asked)))
        self._now, self._asked = None, []
        while self._count > MAX_ASKED and len(self._over) > 1:
            self._count -= len(self._over.popleft().asked)
            self.forgotten += 1

    def result(self, result: Result, moves: Sequence[str]) -> None:
        """Ends the match with its result."""
        if self._now is not None:
            self._now = replace(self._now, result=result, moves=" ".join(moves))
            self.end()

    def games(self) -> tuple[AskedMatch, ...]:
        """All that is kept, the match that is being played last."""
        return (*self._over, *(() if self._now is None else (replace(self._now, asked=tuple(self._asked)),)))
