"""Programs that read a position as one line and write a move as one line, in any language.

    othello 8 8 0 1 29750 ......../......../......../...OX.../...XO.../......../......../........ 4 d3 c4 f5 e6

The fields: game, width, height, how many in line win (0 in Othello), the player to move (1 or 2), the milliseconds that
are left (-1 without a clock), the rows from the top (X player 1, O player 2, . empty) with / between them, the number
of legal moves, the legal moves. The answer is one of these moves, or "resign". The program has nothing to remember.

It may write "ready" as soon as it is. A match begins at that line, or when the program is at rest.
"""

from typing import ClassVar

from bots.adapters.program import Context, Question, program_family
from bots.adapters.pupils.patience import Deadline
from bots.base import RESIGN, Budget, MatchHistory
from games.base import Game, Position, option_values
from games.frame import rows_of
from locales import _

READY = "ready"
"""What a program may write when it has started, so that nobody has to guess."""


def rows(game: Game, position: Position) -> list[str]:
    """The board, rows from the top: X player 1, O player 2, . empty, or the sign of a `Piece`."""
    return [row.replace("-", ".") for row in rows_of(game, position)]


def question_line(game: Game, position: Position, budget: Budget) -> str:
    """The line that asks for a move."""
    left_ms = -1 if budget.remaining_ms is None else budget.remaining_ms
    in_line = option_values(game).get("k", 0)
    legal = position.legal_moves()
    numbers = (game.width, game.height, in_line, int(position.to_move), left_ms)
    return " ".join((game.id, *map(str, numbers), "/".join(rows(game, position)), str(len(legal)), *legal))


class Stdio:
    """The protocol."""

    leaves: ClassVar[bool] = False
    greets: ClassVar[bool] = False

    def __init__(self, context: Context) -> None:
        self._context = context

    def greet(self, deadline: Deadline) -> None:
        """Waits until the program has started, as far as that shows: it may be silent until it is asked."""
        self._context.lines.settle(deadline)

    def ask(self, question: Question) -> str:
        """The program's move; empty lines, and those that say that it is ready, are ignored."""
        context, position = self._context, question.position
        context.lines.send(question_line(context.game, position, question.budget))
        while (answer := context.lines.receive(question.deadline).strip()).lower() in ("", READY):
            pass
        return RESIGN if answer.lower() == RESIGN else context.read_move(position, answer)

    def farewell(self, history: MatchHistory) -> str | None:
        """None: the program sees the end of its input."""
        del history
        return None


FAMILY = program_family(
    "stdio", lambda: _("a program that reads a position and writes a move, one line each"), "./my_bot", Stdio
)
