"""Othello engines that speak the NBoard protocol, version 2, as Edax and NTest do.

Source: https://www.orbanova.com/nboard/ and NTest's instructions/Protocol.htm. Before the game changes, we send `ping`
and read until `pong`: all that the engine still says of the position before is then read, and dropped.

NBoard has no clock, only a depth. The depth follows from the time that a move may take, a share of what is left on the
clock (see `DEPTHS`). After a move that took longer than its share, it is lowered by two for the rest of the match.
"""

import math
import re
import time
from collections.abc import Callable
from typing import ClassVar

from bots.adapters.program import Context, Question, bounded_thought, program_family
from bots.adapters.pupils.patience import Deadline
from bots.base import BotSpecError, Budget, MatchHistory, Options
from games import ggf
from games.base import Game, position_after
from games.othello import Othello
from locales import _
from terminal.phrases import game_title

DEPTHS = ((0.05, 2), (0.2, 4), (0.5, 8), (2.0, 10), (5.0, 14), (15.0, 18), (math.inf, 20))
"""Pairs of the most seconds that a move may take, and the depth then. It is for the midgame: engines search endgames
deeper."""

UNTIMED_DEPTH = 12
"""The depth without a clock."""

LOWEST_DEPTH = 1

_PASSES = ("PA", "PASS", "--")
_MOVES = re.compile(r"[A-Ha-h][1-8]|PA|pa")


class NBoard:
    """The protocol. It remembers the moves that the engine knows, and sends only new ones; `clock` is monotonic."""

    leaves: ClassVar[bool] = True
    greets: ClassVar[bool] = True

    def __init__(self, context: Context, clock: Callable[[], float] = time.monotonic) -> None:
        assert isinstance(context.game, Othello), "the family's check has refused it"
        self._context = context
        self._game = context.game
        self._clock = clock
        self._pings = 0
        self._depth: int | None = None
        self._lowered = 0
        self._told: tuple[str, ...] | None = None
        self._nodes = 0

    def greet(self, deadline: Deadline) -> None:
        """Starts the protocol; the engine is ready when it answers."""
        self._context.lines.send("nboard 2")
        self._ping(deadline)

    def ask(self, question: Question) -> str:
        """Brings the engine to the position and lets it move."""
        began = self._clock()
        self._ping(question.deadline)
        self._follow(question.history.moves)
        share_s = _share_s(question)
        self._set_depth(share_s)
        self._context.lines.send("go")
        self._nodes = 0
        answer = self._search(question)
        if share_s is not None and self._clock() - began > share_s:
            self._lowered += 2
        if answer.upper() in _PASSES:
            raise self._context.illegal(answer, _("it passes, but it has a move."))
        return self._context.read_move(question.position, answer)

    def farewell(self, history: MatchHistory) -> str | None:
        """The command that ends Edax and NTest; other engines end when their input does."""
        del history
        return "quit"

    # -- the game

    def _follow(self, moves: tuple[str, ...]) -> None:
        """Sends the moves that the engine does not know yet; the whole game at first, or if some were taken back."""
        told = self._told
        if told is None or moves[: len(told)] != told:
            players = [("PB", "black"), ("PW", "white"), ("RE", "?")]
            self._context.lines.send(f"set game {ggf.write(self._game, moves, players)}")
        else:
            self._move(told, moves[len(told) :])
        self._told = moves

    def _move(self, told: tuple[str, ...], news: tuple[str, ...]) -> None:
        position = position_after(self._game, told)
        for move in news:
            self._context.lines.send(f"move {move.upper()}")
            position = position.play(move)
            if position.passed is not None:
                self._context.lines.send("move PA")

    def _set_depth(self, share_s: float | None) -> None:
        depth = UNTIMED_DEPTH
        if share_s is not None:
            depth = next(depth for limit_s, depth in DEPTHS if share_s <= limit_s)
        depth = max(LOWEST_DEPTH, depth - self._lowered)
        if depth != self._depth:
            self._depth = depth
            self._context.lines.send(f"set depth {depth}")

    # -- the lines

    def _ping(self, deadline: Deadline) -> None:
        self._pings += 1
        self._context.lines.send(f"ping {self._pings}")
        while self._context.lines.receive(deadline).split() != ["pong", str(self._pings)]:
            pass

    def _search(self, question: Question) -> str:
        """The move of the line `=== d6 -1.00 0.0` or `=== d6/-1.00/0.0`; passes the engine's thoughts on until then."""
        while True:
            line = self._context.lines.receive(question.deadline)
            match re.split(r"[\s/]+", line.strip()):
                case ["===", move, *_rest] if move:
                    return move
                case ["===", *_rest]:
                    text = _("{name} answered {answer!r}, which is not like {example!r}")
                    text = text.format(name=self._context.name, answer=line[:200], example="=== d6 -1.00 0.0")
                    raise self._context.lines.fault("crash", text)
                case ["nodestats", nodes, *_rest]:
                    self._nodes = round(_number(nodes) or 0)
                case ["search" | "book", line_of_play, score, _games, depth, *_rest]:
                    self._think(question, line_of_play, _number(score), _number(depth))
                case _:
                    pass

    def _think(self, question: Question, line: str, score: float | None, depth: float | None) -> None:
        if question.listener is None or score is None or depth is None:
            return
        moves = tuple(move.lower() for move in _MOVES.findall(line) if move.upper() not in _PASSES)
        question.listener(bounded_thought(int(depth), score, moves, self._nodes))


def _number(text: str) -> float | None:
    """The number that starts `text` ("12", "-1.00", "100%"), None if there is none."""
    found = re.match(r"[+-]?\d{1,15}(\.\d{0,9})?", text)
    return None if found is None else float(found[0])


def _share_s(question: Question) -> float | None:
    """The seconds that a move may take: half of a fixed time for each move, else a share of what the clock leaves."""
    budget: Budget = question.budget
    if budget.remaining_ms is None:
        return None
    if budget.move_ms is not None:
        return budget.remaining_ms / 2000
    cells = question.position.notation.partition(" ")[0].count("-")
    moves = max(1, cells // 2)
    return min(budget.remaining_ms / (moves + 2) + budget.increment_ms * 0.8, budget.remaining_ms * 0.4) / 1000


def _check(game: Game, options: Options) -> None:
    del options
    if not isinstance(game, Othello) or game.size != 8:
        raise BotSpecError(_("nboard plays Othello on 8x8, not {game}.").format(game=game_title(game)))


FAMILY = program_family(
    "nboard",
    lambda: _("an Othello engine that speaks the NBoard protocol, version 2"),
    "mEdax -nboard",
    NBoard,
    check=_check,
)
