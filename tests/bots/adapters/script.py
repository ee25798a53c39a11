"""A program that follows a script: what it must be sent ("> ..."), and what it then writes ("< ...")."""

from collections import deque

from bots.adapters.program import Context, Question, Talk
from bots.adapters.pupils.patience import Deadline
from bots.base import UNLIMITED, BotFaultError, Budget, Fault, MatchHistory, Thought
from games.base import Game, Position, position_after


class Script:
    """Takes the place of an `Engine`; fails if it is sent anything else than its script says.

    It writes as soon as it may, whether or not that is read. Where it has nothing to write it does not answer.
    """

    def __init__(self, text: str) -> None:
        lines = (line.strip() for line in text.splitlines() if line.strip())
        self._lines = deque((line[0], line[2:]) for line in lines)
        self._unread: deque[str] = deque()
        self._exchange: list[str] = []
        self.was_waited_for = False
        self._write()

    def send(self, line: str) -> None:
        assert self._lines, f"the script ends before {line!r}"
        direction, expected = self._lines.popleft()
        assert (direction, expected) == (">", line)
        self._exchange.append(f"> {line}")
        self._write()

    def receive(self, deadline: Deadline) -> str:
        assert deadline.left_s > 0
        if not self._unread:
            raise self.fault("timeout", "no answer")
        line = self._unread.popleft()
        self._exchange.append(f"< {line}")
        return line

    def settle(self, deadline: Deadline) -> None:
        assert deadline.left_s > 0
        self.was_waited_for = True

    def fault(self, reason: Fault, message: str) -> BotFaultError:
        return BotFaultError(reason, message, exchange=self._exchange)

    def _write(self) -> None:
        while self._lines and self._lines[0][0] == "<":
            self._unread.append(self._lines.popleft()[1].encode().decode("unicode_escape"))

    @property
    def is_over(self) -> bool:
        return not self._lines


def context(game: Game, text: str) -> tuple[Context, Script]:
    script = Script(text)
    return Context(game, script, "engine"), script


def after(game: Game, *moves: str) -> Position:
    return position_after(game, moves)


def ask(
    talk: Talk, game: Game, moves: str = "", *, budget: Budget = UNLIMITED, thoughts: list[Thought] | None = None
) -> str:
    """The answer to a question after these moves, with a minute to answer in."""
    history = MatchHistory("m1", tuple(moves.split()))
    listener = None if thoughts is None else thoughts.append
    return talk.ask(Question(after(game, *history.moves), history, budget, Deadline(60), listener))
