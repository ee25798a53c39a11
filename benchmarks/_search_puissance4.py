"""The rows of `bench search` about Puissance 4 and morpion: published scores, bitbully (PyPI), and known results."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from importlib import import_module
from types import ModuleType
from typing import Any

from benchmarks._measure import BenchError, Row
from bots.search import compiled
from bots.search.puissance4 import FastSearch, Puissance4Solver
from bots.search.solver import make_solver
from games import Morpion, Position, Puissance4
from tests.games.published import mnk_results, puissance4_scores

SETS = ("L3_R1", "L2_R1", "L2_R2", "L1_R1", "L1_R2", "L1_R3")
"""Pascal Pons' sets, by stage of the game and moves that are left: from the easiest to the hardest."""

BEGIN_AND_MIDDLE = ("L2_R1", "L2_R2", "L1_R1", "L1_R2", "L1_R3")
_ALTERNATED = 10
_MEGABYTES = 64


def row(work: str, measured: str, against: str, aim: str, *, reached: bool) -> Row:
    """One line of the table."""
    return {"work": work, "measured": measured, "against": against, "aim": aim, "reached": "yes" if reached else "no"}


def published(name: str) -> Sequence[tuple[str, int]]:
    """The moves and the score of each line of a set, of which tests/data has a sample."""
    return puissance4_scores()[name]


def position_of(moves: str) -> Position:
    """The position after these columns."""
    position = Puissance4().start()
    for move in moves:
        position = position.play(move)
    return position


def solver_module() -> ModuleType:
    """The compiled module; raises BenchError without numba."""
    fast = compiled.load("puissance4")
    if fast is None:
        raise BenchError("numba is not installed: python3 run.py bench search")
    return fast


def solver(megabytes: int) -> Puissance4Solver:
    """A solver whose table is empty; raises BenchError without numba."""
    return Puissance4Solver(Puissance4(), FastSearch(Puissance4(), solver_module(), megabytes))


def score_row(most: int) -> Row:
    """Every line of every set, or `most` of each."""
    errors = lines = 0
    seconds, one = 0.0, solver(512)
    for name in SETS:
        for moves, score in published(name)[:most]:
            position = position_of(moves)
            began = time.process_time()
            errors += one.score(position) != score
            seconds += time.process_time() - began
            lines += 1
    measured = f"{errors} errors in {lines} lines, {seconds:.1f} s CPU, {one.nodes / 1e6:.0f} M nodes"
    return row("Puissance 4, published scores", measured, "Pons", "0 errors", reached=errors == 0)


def peer_rows(most: int) -> Iterator[Row]:
    """The mean time of each set, both in turn, some positions at a time; each with an empty table for each position."""
    bitbully = _bitbully()
    theirs, ours = bitbully.BitBullyCore(), FastSearch(Puissance4(), solver_module(), _MEGABYTES)
    for name in BEGIN_AND_MIDDLE:
        lines = published(name)[:most]
        own, other, nodes = 0.0, 0.0, 0
        for start in range(0, len(lines), _ALTERNATED):
            some = lines[start : start + _ALTERNATED]
            for us in (start // _ALTERNATED % 2 == 0, start // _ALTERNATED % 2 != 0):
                if us:
                    seconds, searched = _our_time(ours, some)
                    own, nodes = own + seconds, nodes + searched
                else:
                    other += _their_time(bitbully, theirs, some)
        ratio, each = own / other, 1000 / len(lines)
        yield row(
            f"Puissance 4, {name}, {len(lines)} positions",
            f"{ratio:.2f} x: {own * each:.3f} ms each, {nodes // len(lines)} nodes",
            f"bitbully {other * each:.3f} ms",
            "1.0 x",
            reached=ratio <= 1,
        )


def _bitbully() -> Any:
    try:
        return import_module("bitbully").bitbully_core
    except ImportError as error:
        raise BenchError("bitbully is not installed: python3 run.py bench search") from error


def _our_time(search: FastSearch, lines: Sequence[tuple[str, int]]) -> tuple[float, int]:
    """CPU seconds and nodes for these positions."""
    seconds, nodes, one = 0.0, 0, Puissance4Solver(Puissance4(), search)
    for moves, score in lines:
        position = position_of(moves)
        search.forget()
        began = time.process_time()
        found = one.score(position)
        seconds += time.process_time() - began
        nodes += one.nodes
        if found != score:
            raise BenchError(f"{moves} is worth {score}, not {found}")
    return seconds, nodes


def _their_time(bitbully: Any, theirs: Any, lines: Sequence[tuple[str, int]]) -> float:
    """CPU seconds of bitbully for these positions."""
    seconds = 0.0
    for moves, _ in lines:
        board = bitbully.BoardCore()
        board.setBoard([int(move) - 1 for move in moves])
        theirs.resetTranspositionTable()
        began = time.process_time()
        theirs.mtdf(board, 0)
        seconds += time.process_time() - began
    return seconds


def empty_row() -> Row:
    """The empty board, without the book."""
    one = solver(512)
    began = time.process_time()
    score = one.score(Puissance4().start())
    seconds = time.process_time() - began
    measured = f"score {score}, {seconds:.0f} s CPU, {one.nodes / 1e6:.0f} M nodes, {one.nodes / seconds / 1e6:.0f} M/s"
    work = "Puissance 4, empty board, no book, 512 MB"
    return row(work, measured, "22 - 21 = 1", "240 s CPU", reached=score == 1 and seconds <= 240)


def mnk_row() -> Row:
    """The m,n,k games whose results are known here."""
    known = mnk_results()
    errors = nodes = 0
    began = time.process_time()
    for width, height, in_line, first_wins in known:
        game = Morpion(width, height, in_line)
        one = make_solver(game)
        assert one is not None
        errors += one.score(game.start()) != first_wins
        nodes += one.nodes
    seconds = time.process_time() - began
    measured = f"{errors} errors in {len(known)}, {seconds:.1f} s CPU, {nodes / 1e6:.1f} M nodes"
    return row("morpion, m,n,k from the start", measured, "known results", "0 errors", reached=errors == 0)
