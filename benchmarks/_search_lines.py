"""The rows of `benchmarks.search` that play games of lines: what forced wins are worth, and `perfect` as second."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from benchmarks._measure import Row, progress
from benchmarks._openings import opening
from bots.base import UNLIMITED, Bot, Budget, parse_bot
from bots.search.kernels import LineKernel, bits_in
from bots.search.solver import Solver, make_solver
from bots.search.tactics import Tactics, View
from bots.strong.line_player import MorpionPlayer
from bots.strong.perfect import Perfect
from games import Morpion, Position, Puissance4, Seat
from games.base import Game

GOMOKU = Morpion(10, 10, 5)
MOVE = Budget(remaining_ms=100, move_ms=100)
_OPENING = 4
_PERFECT_OPENINGS = (6, 8)
"""Plies that a game of `perfect` begins with, most of them not in its book; then `minimax` moves."""

_PATIENCE_S = 60.0
"""What a move of `perfect` may take on the clock, so that it gets its CPU time on a busy machine too."""

MakeBot = Callable[[Seat], Bot]


def row(work: str, measured: str, against: str, aim: str, *, reached: bool) -> Row:
    """One line of the table."""
    return {"work": work, "measured": measured, "against": against, "aim": aim, "reached": "yes" if reached else "no"}


class Untaught(Tactics):
    """The search of open lines alone: it sees no forced win of either side."""

    def __init__(self, game: Morpion) -> None:
        super().__init__(game)
        self._lines = LineKernel(game)

    def look(self, own: int, other: int, seconds: float) -> View:
        """All moves."""
        del seconds
        return View(0, tuple(bits_in(self._lines.legal(own, other), self._lines.groups)))


def named(bot: str, game: Game) -> MakeBot:
    """Makes a bot by its name."""
    return lambda seat: parse_bot(bot).make(game, seat, random.Random(1))


def threats_rows(games: int) -> Iterator[Row]:
    """`strong` at five in a line, each opening played from both sides: without its forced wins, and against minimax."""
    opponents: tuple[tuple[str, MakeBot], ...] = (
        ("the same without forced wins", lambda _seat: MorpionPlayer(GOMOKU, Untaught(GOMOKU))),
        ("minimax", named("minimax", GOMOKU)),
    )
    for name, opponent in opponents:
        points = 0.0
        for game in range(games):
            start = opening(GOMOKU, _OPENING, random.Random(game // 2))
            points += _points(start, Seat.FIRST if game % 2 == 0 else Seat.SECOND, opponent)
            progress(f"{GOMOKU.spec}: game {game + 1} of {games} against {name}, {points} points")
        work = "10x10, five in a line, 0.1 s a move"
        yield row(work, f"{points / games:.0%} of {games} games", name, "", reached=points * 2 > games)


def _points(position: Position, ours: Seat, opponent: MakeBot) -> float:
    """What `strong` gets for one game: 1, a half or 0."""
    players = {ours: named("strong", GOMOKU)(ours), ours.other: opponent(ours.other)}
    while (outcome := position.outcome()) is None:
        position = position.play(players[position.to_move].choose(position, MOVE))
    for bot in players.values():
        bot.close()
    return 0.5 if outcome.winner is None else float(outcome.winner is ours)


@dataclass(slots=True)
class Record:
    """What became of the games of `perfect`: their results, its moves, its errors, and the CPU seconds of its longest.

    An error makes a win a draw, or a draw a loss.
    """

    won: int = 0
    drawn: int = 0
    lost: int = 0
    moves: int = 0
    errors: int = 0
    most_s: float = 0.0

    def __str__(self) -> str:
        results = f"{self.won} won, {self.drawn} drawn, {self.lost} lost"
        return f"{results}; {self.errors} errors in {self.moves} moves of at most {self.most_s:.1f} s CPU"


def second_row(games: int) -> Row:
    """Puissance 4 from random openings that are drawn or won for the second player, whose every move is checked."""
    game, rng, checker, record = Puissance4(), random.Random(1), make_solver(Puissance4(), 512), Record()
    assert checker is not None
    for number in range(games):
        _play_second(game, _opening_for_second(game, rng, checker), checker, record)
        progress(f"perfect as second: game {number + 1} of {games}: {record}")
    reached = not record.errors and not record.lost and record.most_s <= 5
    aim = "0 lost, 0 errors, 5 s"
    return row(f"perfect as second, {games} openings", str(record), "minimax:depth=6", aim, reached=reached)


def _opening_for_second(game: Puissance4, rng: random.Random, checker: Solver) -> Position:
    """A random opening in which the first player moves and can't win."""
    while True:
        position = opening(game, rng.choice(_PERFECT_OPENINGS), rng)
        if checker.score(position) <= 0:
            return position


def _play_second(game: Puissance4, position: Position, checker: Solver, record: Record) -> None:
    perfect, minimax = Perfect(game, longest_s=_PATIENCE_S), named("minimax:depth=6", game)(Seat.FIRST)
    while (outcome := position.outcome()) is None:
        if position.to_move is Seat.FIRST:
            position = position.play(minimax.choose(position, UNLIMITED))
            continue
        before, began = _sign(checker.score(position)), time.process_time()
        position = position.play(perfect.choose(position, UNLIMITED))
        record.most_s = max(record.most_s, time.process_time() - began)
        record.moves += 1
        record.errors += -_sign(checker.score(position)) < before
    record.won += outcome.winner is Seat.SECOND
    record.drawn += outcome.winner is None
    record.lost += outcome.winner is Seat.FIRST


def _sign(score: int) -> int:
    return (score > 0) - (score < 0)
