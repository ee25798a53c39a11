"""The rows of `benchmarks.search` that play games of lines: what forced wins are worth, and `perfect` as second."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator

from benchmarks._measure import Row, progress
from bots.base import Bot, Budget, parse_bot
from bots.line_player import MorpionPlayer
from bots.search.kernels import LineKernel, bits_in
from bots.search.solver import Solver, make_solver
from bots.search.tactics import Tactics, View
from games import Morpion, Position, Puissance4, Seat
from games.base import Game

GOMOKU = Morpion(10, 10, 5)
MOVE = Budget(remaining_ms=100, move_ms=100)
_OPENING = 4
_PERFECT_OPENINGS = (4, 6, 8)
"""Plies that a game of `perfect` begins with: it is the second player's, and `minimax` moves."""

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


def opening(game: Game, plies: int, rng: random.Random) -> Position:
    """A position after so many random moves in which the game goes on."""
    while True:
        position = game.start()
        for _ in range(plies):
            if position.outcome() is None:
                position = position.play(rng.choice(position.legal_moves()))
        if position.outcome() is None:
            return position


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


def second_row(games: int) -> Row:
    """Puissance 4 from random openings that are drawn or won for the second player, whose every move is checked."""
    game, rng, checker = Puissance4(), random.Random(1), make_solver(Puissance4(), 512)
    assert checker is not None
    results, moves, errors = {"won": 0, "drawn": 0, "lost": 0}, 0, 0
    for number in range(games):
        start = _opening_for_second(game, rng, checker)
        result, played, wrong = _play_second(game, start, checker)
        results[result] += 1
        moves, errors = moves + played, errors + wrong
        progress(f"perfect as second: game {number + 1} of {games}, {errors} errors in {moves} moves, {results}")
    counted = ", ".join(f"{count} {word}" for word, count in results.items())
    measured = f"{counted}; {errors} errors in {moves} moves"
    work = f"perfect as second, {games} openings"
    return row(work, measured, "minimax:depth=6", "0 lost, 0 errors", reached=not errors and not results["lost"])


def _opening_for_second(game: Puissance4, rng: random.Random, checker: Solver) -> Position:
    """A random opening in which the first player moves and can't win."""
    while True:
        position = opening(game, rng.choice(_PERFECT_OPENINGS), rng)
        if checker.score(position) <= 0:
            return position


def _play_second(game: Puissance4, position: Position, checker: Solver) -> tuple[str, int, int]:
    """The result for `perfect`, its moves, and those that made a win a draw, or a draw a loss."""
    perfect, minimax = named("perfect", game)(Seat.SECOND), named("minimax:depth=6", game)(Seat.FIRST)
    moves = errors = 0
    while (outcome := position.outcome()) is None:
        bot = perfect if position.to_move is Seat.SECOND else minimax
        before = _sign(checker.score(position)) if bot is perfect else 0
        position = position.play(bot.choose(position, Budget()))
        if bot is perfect:
            moves += 1
            errors += -_sign(checker.score(position)) < before
    if outcome.winner is None:
        return "drawn", moves, errors
    return "won" if outcome.winner is Seat.SECOND else "lost", moves, errors


def _sign(score: int) -> int:
    return (score > 0) - (score < 0)
