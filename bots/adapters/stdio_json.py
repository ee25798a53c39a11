"""Programs that read and write JSON objects, one on each line: the position, with all that is known of the match.

    {"type":"your_turn","match":"m1","game":"othello","options":{"size":8,"tie":"draw"},"width":8,"height":8,"seat":1,
     "ply":0,"moves":[],"board":["........",...],"legal":["d3","c4","f5","e6"],"clock":{"left_ms":29750,...}}

is answered by {"move":"d3"}, and the program may add its thoughts: "depth", "score" (positive is good for it), "pv"
(moves), "nodes". An object with a depth and no move is a thought before the answer. At the end of the match it is told:
{"type":"finished","match":"m1","seat":1,"winner":1,"reason":"discs","score":[40,24],"moves":[...]}.

A program may write {"type":"ready"} as soon as it is. A match begins at that line, or when the program is at rest.
"""

from typing import ClassVar

import msgspec
from msgspec import Struct

from bots.adapters.program import Context, Question, bounded_thought, program_family
from bots.adapters.pupils.patience import Deadline
from bots.adapters.stdio import rows
from bots.base import RESIGN, MatchHistory, Thought
from games.base import Position, Seat, option_values
from locales import _
from protocol import wording


class ClockTold(Struct, frozen=True):
    """The clock of the player to move, in milliseconds.

    left_ms: the time left for the rest of the game, or for this move if `move_ms` is set.
    increment_ms: the time that each move adds.
    move_ms: the time for each move, null if the time control is another one.
    opponent_ms: the time that the opponent has left.
    """

    left_ms: int
    increment_ms: int
    move_ms: int | None
    opponent_ms: int | None


class YourTurn(Struct, frozen=True, tag="your_turn"):
    """Asks for a move; `moves` are those of the match so far, without passes; `clock` is null if the match has none."""

    match: str
    game: str
    options: dict[str, int | str]
    width: int
    height: int
    seat: int
    ply: int
    moves: tuple[str, ...]
    board: list[str]
    legal: tuple[str, ...]
    clock: ClockTold | None


class OpponentsTurn(Struct, frozen=True, tag="opponents_turn"):
    """Tells a program that thinks in the opponent's time that the opponent is to move; it does not answer."""

    match: str
    game: str
    options: dict[str, int | str]
    width: int
    height: int
    seat: int
    ply: int
    moves: tuple[str, ...]
    board: list[str]


class Finished(Struct, frozen=True, tag="finished", omit_defaults=True):
    """Says how the match ended. Then the program's input ends, unless it plays many games."""

    match: str
    seat: int
    winner: int | None
    reason: str
    score: tuple[int, int]
    moves: tuple[str, ...]
    ending: str | None = None


class Answer(Struct, frozen=True):
    """What a program writes: a move, or a thought before it. Unknown fields are ignored."""

    move: str | None = None
    depth: int | None = None
    score: float = 0.0
    pv: tuple[str, ...] = ()
    nodes: int = 0

    @property
    def thought(self) -> Thought | None:
        """What the program says about its search, None if it says nothing."""
        return None if self.depth is None else bounded_thought(self.depth, self.score, self.pv, self.nodes)


_ANSWER: msgspec.json.Decoder[Answer] = msgspec.json.Decoder(Answer)


class StdioJson:
    """The protocol."""

    leaves: ClassVar[bool] = False
    greets: ClassVar[bool] = False

    def __init__(self, context: Context) -> None:
        self._context = context
        self._seat: Seat | None = None

    def greet(self, deadline: Deadline) -> None:
        """Waits until the program has started, as far as that shows: it may be silent until it is asked."""
        self._context.lines.settle(deadline)

    def ask(self, question: Question) -> str:
        """The program's move; passes its thoughts on."""
        self._seat = question.position.to_move
        self._context.lines.send(msgspec.json.encode(self._your_turn(question)).decode())
        while True:
            answer = self._receive(question.deadline)
            if question.listener is not None and answer.thought is not None:
                question.listener(answer.thought)
            if answer.move is not None:
                break
        if answer.move.strip().lower() == RESIGN:
            return RESIGN
        return self._context.read_move(question.position, answer.move)

    def opponents_turn(self, position: Position, history: MatchHistory) -> None:
        """Tells the program that the opponent is to move."""
        game, self._seat = self._context.game, position.to_move.other
        told = OpponentsTurn(
            match=history.match,
            game=game.id,
            options=option_values(game),
            width=game.width,
            height=game.height,
            seat=int(self._seat),
            ply=len(history.moves),
            moves=history.moves,
            board=rows(game, position),
        )
        self._context.lines.send(msgspec.json.encode(told).decode())

    def farewell(self, history: MatchHistory) -> str | None:
        """The line that says how the match ended; None without a result, or if the program took no part."""
        if self._seat is None or history.result is None:
            return None
        result = history.result
        seat = int(self._seat)
        told = Finished(history.match, seat, result.winner, result.reason, result.score, history.moves, result.ending)
        return msgspec.json.encode(told).decode()

    def _your_turn(self, question: Question) -> YourTurn:
        game, position, history, budget = self._context.game, question.position, question.history, question.budget
        clock = None
        if budget.remaining_ms is not None:
            clock = ClockTold(budget.remaining_ms, budget.increment_ms, budget.move_ms, budget.opponent_ms)
        return YourTurn(
            match=history.match,
            game=game.id,
            options=option_values(game),
            width=game.width,
            height=game.height,
            seat=int(position.to_move),
            ply=len(history.moves),
            moves=history.moves,
            board=rows(game, position),
            legal=position.legal_moves(),
            clock=clock,
        )

    def _receive(self, deadline: Deadline) -> Answer:
        while not (line := self._context.lines.receive(deadline).strip()):
            pass
        try:
            return _ANSWER.decode(line)
        except (msgspec.MsgspecError, RecursionError) as error:
            text = _("{name} answered {answer!r}, which is not like {example}: {detail}")
            detail = wording.sentence(error, Answer)
            text = text.format(name=self._context.name, answer=line[:200], example='{"move": "d3"}', detail=detail)
            raise self._context.lines.fault("crash", text) from error


FAMILY = program_family(
    "stdio-json", lambda: _("a program that reads and writes JSON objects, one a line"), "./my_bot", StdioJson
)
