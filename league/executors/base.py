"""What plays the pairings of a league, and how it fails. Pure.

Errors: ExecutorError    the server or the machine failed: nobody is to blame, what was being played is played again
        VoidError     the same for a single game: the executor goes on with others
        CutOffError   a VoidError: a player was cut off from the server for longer than a game waits
        ReplacedError a VoidError: a player entered the league anew, from elsewhere
        DeclinedError a bot does not play the game, and its user is told so at once
        RunError      the league can't go on now; what was played is kept, and `league resume` goes on
"""

from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Protocol

from league.config import League
from league.played import Job, Played
from locales import _


class ExecutorError(Exception):
    """The games can't go on here, and no player is to blame; the message is a sentence for the user."""


class VoidError(ExecutorError):
    """A game without a result that is nobody's fault: it is played again; the executor goes on."""


class CutOffError(VoidError):
    """A game without a result, since `name` stayed away for `seconds`: it is played again, once for each player."""

    def __init__(self, message: str, *, name: str, pairing: str, number: int, seconds: float) -> None:
        super().__init__(message)
        self.name, self.pairing, self.number, self.seconds = name, pairing, number, seconds


class ReplacedError(VoidError):
    """A game without a result, since the players of `seats` have entered the league anew before it began."""

    def __init__(self, message: str, *, seats: Sequence[int]) -> None:
        super().__init__(message)
        self.seats = seats


class DeclinedError(ExecutorError):
    """A bot does not play this game after all; it has said why."""


class RunError(Exception):
    """The league stops for now; the message is a sentence for the user."""


class Executor(Protocol):
    """Plays pairings: on one machine, or on many."""

    @property
    def room(self) -> int:
        """How many pairings may be played at once now, at least one."""
        ...

    async def play(self, job: Job) -> tuple[Played, ...]:
        """The games of a pairing; raises ExecutorError."""
        ...


OpenExecutor = Callable[[League, Path | None], AbstractAsyncContextManager[Executor]]
"""Makes an executor for a league whose bots' files are in a folder, as a context; entering it raises ExecutorError."""


def sentence(text: str) -> str:
    """`text`, with a full stop if it ends without punctuation."""
    return text if text.endswith((".", "!", "?")) else f"{text}."


def played_again(error: ExecutorError) -> str:
    """What a user is told of games without a result."""
    text = _("{reason} Nobody has lost by that: what was being played is played again.")
    return text.format(reason=sentence(str(error)))
