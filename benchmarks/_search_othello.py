"""The rows of `benchmarks.search` that are about Othello: perft, exact ends, depth and speed, games against peers.

Times are CPU time. Where a search has a time for a move, it gets that much CPU time of this process, so that other work
on the machine does not weaken it; peers that know only the clock on the wall get theirs there.
"""

from __future__ import annotations

import random
import re
import statistics
import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any, Protocol

from benchmarks._measure import BenchError, Row, progress
from bots.adapters.program import find_program
from bots.base import UNLIMITED, Bot, BotSpecError, MatchHistory, parse_bot
from bots.search import compiled
from bots.search.othello import BOARD, Line, Thinker, exact_value, play, proven_value
from bots.timing import MoveTime
from games import Othello, Position, RulesError, Seat
from tests.games.published import othello_ends, othello_games

Masks = tuple[int, int]
START: Masks = (1 << 28 | 1 << 35, 1 << 27 | 1 << 36)
TABLE_BITS = 18
MOVE_S = 0.1

OPENING = 8
RHINO, RHINO_LEVEL = "gtp-rhino", 3

MATRIX = [
    [100, -20, 10, 5, 5, 10, -20, 100],
    [-20, -50, -2, -2, -2, -2, -50, -20],
    [10, -2, -1, -1, -1, -1, -2, 10],
    [5, -2, -1, -1, -1, -1, -2, 5],
    [5, -2, -1, -1, -1, -1, -2, 5],
    [10, -2, -1, -1, -1, -1, -2, 10],
    [-20, -50, -2, -2, -2, -2, -50, -20],
    [100, -20, 10, 5, 5, 10, -20, 100],
]
"""The worth of each cell for rust-reversi's AlphaBeta, which brings no numbers of its own: corners good, cells beside
them bad, as in most textbooks."""


def make_engine(bits: int = TABLE_BITS) -> Any:
    """A compiled engine; raises BenchError without numba."""
    fast = compiled.load("othello")
    if fast is None:
        raise BenchError("numba is not installed: python3 run.py bench search")
    return fast.FastOthello(bits)


def peer() -> Any:
    """rust-reversi; raises BenchError without it."""
    try:
        return import_module("rust_reversi")
    except ImportError as error:
        raise BenchError("rust-reversi is not installed: python3 run.py bench search") from error


def row(work: str, measured: str, against: str, aim: str, *, reached: bool) -> Row:
    """One line of the table."""
    return {"work": work, "measured": measured, "against": against, "aim": aim, "reached": "yes" if reached else "no"}


# ------------------------------------------------------------------------------------------------------------- data


def empties_of(masks: Masks) -> int:
    """The empty cells."""
    return 64 - (masks[0] | masks[1]).bit_count()


def from_games(empties: int, count: int) -> list[Masks]:
    """Positions with so many empty cells out of tournament games (WTHOR), in which the seat to move has a choice."""
    names = (re.findall("[a-h][1-8]", game.moves) for game in othello_games())
    found = [masks for moves in names for masks in _position(moves, empties)]
    return random.Random(empties).sample(found, min(count, len(found)))


def _position(moves: list[str], empties: int) -> list[Masks]:
    """The position of a game with so many empty cells, if it comes to one with a choice."""
    position = Othello().start()
    try:
        for move in moves:
            if empties_of((position.own, position.opponent)) == empties:
                return [(position.own, position.opponent)] if len(position.legal_moves()) > 1 else []
            position = position.play(move)
    except RulesError:  # a game that was typed in wrongly
        pass
    return []


# ------------------------------------------------------------------------------------------------------------- speed


def perft_row() -> Row:
    """Leaves a second."""
    fast = compiled.load("othello")
    if fast is None:
        raise BenchError("numba is not installed: python3 run.py bench search")
    rates = []
    for _ in range(5):
        began = time.process_time()
        leaves = fast.perft(*START, 10)
        rates.append(leaves / (time.process_time() - began) / 1e6)
        if leaves != 24_571_284:
            raise BenchError(f"perft 10 is 24571284, not {leaves}")
    rate = statistics.median(rates)
    return row("perft 10", f"{rate:.0f} M leaves/s", "", "150 M leaves/s", reached=rate >= 150)


def endgame_row() -> Row:
    """FFO 40 to 43: errors and time with all that helps; nodes a second of the exact search alone, on FFO 40."""
    problems = [end for end in othello_ends() if 40 <= end.problem <= 43]
    errors, times = 0, list[float]()
    for end in problems:
        engine, began = make_engine(), time.process_time()
        errors += proven_value(engine, *end.masks) != end.value
        times.append(time.process_time() - began)
    engine, began = make_engine(), time.process_time()
    errors += exact_value(engine, *problems[0].masks) != problems[0].value
    speed = engine.nodes / (time.process_time() - began) / 1e6
    each = ", ".join(f"{seconds:.2f}" for seconds in times)
    measured = f"{errors} errors; {each} s; {speed:.0f} M nodes/s"
    reached = not errors and times[0] <= 1.5 and speed >= 25
    return row("FFO 40 to 43", measured, "published scores", "0 errors; 40 in 1.5 s; 25 M nodes/s", reached=reached)


def exact_rows(count: int) -> Iterator[Row]:
    """The mean time to solve positions of tournament games."""
    for empties, aim in ((16, 0.05), (18, 0.25), (20, 1.5)):
        engine, times = make_engine(), []
        for masks in from_games(empties, count):
            engine.forget()
            began = time.process_time()
            proven_value(engine, *masks)
            times.append(time.process_time() - began)
        measured = f"{statistics.mean(times):.3f} s (worst {max(times):.2f} of {len(times)})"
        yield row(f"exact, {empties} empties", measured, "", f"{aim} s", reached=statistics.mean(times) <= aim)


def depth_row(count: int, depth: int) -> Row:
    """The time to search positions after 20 plies, without probes, in turns with rust-reversi's AlphaBeta."""
    rust, engine = peer(), make_engine()
    evaluators = {"matrix": rust.MatrixEvaluator(MATRIX), "pieces": rust.PieceEvaluator()}
    ours, theirs = 0.0, dict.fromkeys(evaluators, 0.0)
    for masks in from_games(40, count):
        engine.forget()
        began = time.process_time()
        Thinker(engine).think(*masks, depth, None)
        ours += time.process_time() - began
        for name, evaluator in evaluators.items():
            board, search = rust_board(rust, masks), rust.AlphaBetaSearch(evaluator, depth, 1 << 20)
            began = time.process_time()
            search.get_move(board)
            theirs[name] += time.process_time() - began
    ratios = {name: seconds / ours for name, seconds in theirs.items()}
    measured = f"{ours / count * 1000:.0f} ms; " + ", ".join(f"{ratio:.0f} x {name}" for name, ratio in ratios.items())
    reached = min(ratios.values()) >= 5
    return row(f"depth {depth} after 20 plies", measured, "rust-reversi AlphaBeta", "5 x as fast", reached=reached)


def rust_board(rust: Any, masks: Masks) -> Any:
    """The same position for rust-reversi."""
    cells = "".join("X" if masks[0] >> cell & 1 else "O" if masks[1] >> cell & 1 else "-" for cell in range(64))
    board = rust.Board()
    board.set_board_str(cells, rust.Turn.BLACK)
    return board


# ------------------------------------------------------------------------------------------------------------- moves


def think(engine: Any, masks: Masks, seconds: float = MOVE_S) -> Line:
    """What `strong` finds with so much CPU time for a move."""
    found: list[Line] = []
    thinker = Thinker(engine, time.process_time)

    def search() -> None:
        found.append(thinker.think(*masks, 60, MoveTime(seconds, 3600)))

    began, thread = time.process_time(), threading.Thread(target=search)
    thread.start()
    while thread.is_alive():
        thread.join(0.001)
        if time.process_time() - began > seconds:
            engine.stop()
    return found[0]


def choice_row() -> Row:
    """What the moves chosen at 20 to 24 empty cells lose against the best ones."""
    losses, engine = list[int](), make_engine()
    for end in othello_ends():
        if 20 <= end.empties <= 24:
            engine.forget()
            move = BOARD.grid.name_of[think(engine, end.masks).bits[0]]
            losses.append(end.value - end.scores[move])
    best = losses.count(0)
    measured = f"{statistics.mean(losses):.2f} discs; {best} of {len(losses)} best"
    reached = statistics.mean(losses) < 0.5
    return row(f"move at 20 to 24 empties, {MOVE_S} s", measured, "published scores", "0.5 discs", reached=reached)


class Opponent(Protocol):
    """A peer. name: what the table calls it."""

    name: str

    def choose(self, masks: Masks, moves: Sequence[str]) -> int:
        """The bit of its move, after these moves from the start."""
        ...


@dataclass(slots=True)
class RustOpponent:
    """A search of rust-reversi, which gets the time of a move on the clock."""

    name: str
    rust: Any
    search: Any

    def choose(self, masks: Masks, moves: Sequence[str]) -> int:
        """See Opponent."""
        del moves
        cell = self.search.get_move_with_timeout(rust_board(self.rust, masks), round(MOVE_S * 1000))
        return 1 << int(cell)


@dataclass(slots=True)
class BotOpponent:
    """A bot; for an engine that knows levels instead of such times, `seconds` tells what its moves took."""

    name: str
    bot: Bot
    seconds: float = 0.0
    count: int = 0

    def choose(self, masks: Masks, moves: Sequence[str]) -> int:
        """See Opponent."""
        del masks
        position: Position = Othello().start()
        for move in moves:
            position = position.play(move)
        self.bot.history = MatchHistory(moves=tuple(moves))
        began = time.monotonic()
        bit = BOARD.grid.bit_of[self.bot.choose(position, UNLIMITED)]
        self.seconds, self.count = self.seconds + time.monotonic() - began, self.count + 1
        return bit


def game_rows(games: int) -> Iterator[Row]:
    """Games against rust-reversi at the same time for a move."""
    rust = peer()
    matrix = rust.MatrixEvaluator(MATRIX)
    for opponent in (
        RustOpponent("rust-reversi AlphaBeta", rust, rust.AlphaBetaSearch(matrix, 60, 1 << 20)),
        RustOpponent("rust-reversi Mcts", rust, rust.MctsSearch(1 << 30, 1.4, 5)),
    ):
        yield _row_against(opponent, games)


def rhino_row(games: int) -> Row:
    """Games against GRhino at the level whose moves take as long as ours; raises BenchError without it."""
    try:
        program = find_program(RHINO)
    except BotSpecError as error:
        raise BenchError(str(error)) from error
    spec = parse_bot(f"gtp:{program} --level={RHINO_LEVEL}")
    opponent = BotOpponent(f"gtp-rhino, level {RHINO_LEVEL}", spec.make(Othello(), Seat.FIRST, random.Random(0)))
    try:
        found = _row_against(opponent, games)
    finally:
        opponent.bot.close()
    each = f"{opponent.name}, {opponent.seconds / max(1, opponent.count):.2f} s a move"
    return {**found, "against": each}


def _row_against(opponent: Opponent, games: int) -> Row:
    """Games from random openings of 8 plies, each played twice with the seats swapped."""
    points, discs = 0.0, list[int]()
    for game in range(games):
        lead = play_game(opponent, random.Random(game // 2), ours_first=game % 2 == 0)
        points += (lead > 0) + (lead == 0) / 2
        discs.append(lead)
        progress(f"{opponent.name}: game {game + 1} of {games}, {lead:+} discs, {points} points")
    share = points / games
    measured = f"{share:.0%} of {games} games; {statistics.mean(discs):+.0f} discs"
    return row(f"games, {MOVE_S} s a move", measured, opponent.name, "95 %", reached=share >= 0.95)


def play_game(opponent: Opponent, rng: random.Random, *, ours_first: bool) -> int:
    """Our lead in discs at the end of one game."""
    engine, masks, first, moves = make_engine(16), START, True, list[str]()
    while True:
        if not BOARD.legal(*masks):
            masks, first = (masks[1], masks[0]), not first
            if not BOARD.legal(*masks):
                lead = masks[0].bit_count() - masks[1].bit_count()
                return lead if first == ours_first else -lead
        if len(moves) < OPENING:
            bit = rng.choice([1 << cell for cell in range(64) if BOARD.legal(*masks) >> cell & 1])
        elif first == ours_first:
            bit = think(engine, masks).bits[0]
        else:
            bit = opponent.choose(masks, moves)
        moves.append(BOARD.grid.name_of[bit])
        masks, first = play(*masks, bit), not first
