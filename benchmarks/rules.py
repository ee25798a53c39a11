"""How fast the rules are: perft and random playouts against open_spiel called from Python, in CPU time.

    python3 run.py bench rules
    python3 run.py bench rules --rounds 21 --games othello

perft: the leaves of the same tree; both stop one ply above the leaves, where counting moves is enough, and the counts
have to be equal. open_spiel (C++) walks with `child`, or where it can undo moves (tic_tac_toe only) with
`apply_action`/`undo_action` if that is found to be faster; Arbitre with `games.perft.perft`.

playouts: as many games of uniformly random moves from the start; Arbitre with `games.perft.playout`, open_spiel with
`legal_actions` and `apply_action`. Both draw with the same random numbers, from the same distribution of games.

replay: the same random games, drawn beforehand, move by move through what every position offers (`legal_moves` and
`play` against `legal_actions` and `apply_action`); the same plies and as many legal moves at each. Othello's passes,
which Arbitre's positions make by themselves, are actions in open_spiel.

A ratio is open_spiel's time divided by Arbitre's in one round, the two taking turns in one process: 1.0 is as fast,
more is faster. open_spiel's games are called connect_four and tic_tac_toe.
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from importlib import import_module
from typing import Any

from benchmarks import _measure
from benchmarks._measure import BenchError, Spread
from games import parse as parse_game
from games.perft import perft, playout


@dataclass(frozen=True, slots=True)
class Case:
    """What is done with one game; sizes make each measurement last some tenths of a second."""

    game: str
    peer: str
    depth: int
    small_depth: int
    playouts: int
    undo: bool = False

    def reduced(self) -> Case:
        """Much less work: to see that it runs."""
        return replace(self, depth=self.small_depth, playouts=20)


CASES = (
    Case("othello", "othello", 7, 4, 200),
    Case("puissance4", "connect_four", 7, 4, 800),
    Case("morpion", "tic_tac_toe", 9, 4, 4000, undo=True),
)


State = Any
"""A state of open_spiel, which brings no types."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """One thing done by both; `amount` is the leaves, games or plies, and times are seconds."""

    game: str
    what: str
    amount: int
    unit: str
    open_spiel: Spread
    arbitre: Spread
    ratio: Spread


Work = Callable[[], object]


def perft_by_child(state: State, depth: int) -> int:
    """Leaves, with a new state for each move."""
    if state.is_terminal():
        return 1
    actions = state.legal_actions()
    if depth == 1:
        return len(actions)
    total = 0
    for action in actions:
        total += perft_by_child(state.child(action), depth - 1)
    return total


def perft_by_undo(state: State, depth: int) -> int:
    """Leaves, with one state that goes back and forth."""
    if state.is_terminal():
        return 1
    actions = state.legal_actions()
    if depth == 1:
        return len(actions)
    player = state.current_player()
    total = 0
    for action in actions:
        state.apply_action(action)
        total += perft_by_undo(state, depth - 1)
        state.undo_action(player, action)
    return total


def play_randomly(state: State, draw: Callable[[], float]) -> None:
    """One game of uniformly random moves."""
    while not state.is_terminal():
        actions = state.legal_actions()
        state.apply_action(actions[int(draw() * len(actions))])


# -------------------------------------------------------------------------------------------------------------- replay


@dataclass(frozen=True, slots=True)
class Drawn:
    """Random games: as moves for Arbitre, as actions for open_spiel, and the legal moves that both must find in all."""

    moves: tuple[tuple[str, ...], ...]
    actions: tuple[tuple[int, ...], ...]
    plies: int
    choices: int


def draw_both(case: Case, start: Callable[[], State]) -> Drawn:
    """Plays random games in both at once; raises BenchError where their legal moves differ."""
    rng = random.Random(f"replay:{case.game}")
    games, mirrored, choices = [], [], 0
    for _ in range(case.playouts):
        position, state, moves, actions = parse_game(case.game).start(), start(), list[str](), list[int]()
        while legal := position.legal_moves():
            if position.passed is not None:
                actions += state.legal_actions()
                state.apply_action(actions[-1])
            offered = sorted(state.legal_actions())
            if len(offered) != len(legal):
                raise BenchError(f"{case.game}: legal moves differ after {' '.join(moves)}")
            chosen = rng.randrange(len(legal))
            moves.append(legal[chosen])
            actions.append(offered[chosen])  # both count rows from the top, columns from the left
            position = position.play(moves[-1])
            state.apply_action(actions[-1])
            choices += len(legal)
        if not state.is_terminal():
            raise BenchError(f"{case.game}: only one of the two sees the end after {' '.join(moves)}")
        games.append(tuple(moves))
        mirrored.append(tuple(actions))
    return Drawn(tuple(games), tuple(mirrored), sum(map(len, games)), choices)


def replay_moves(case: Case, drawn: Drawn) -> int:
    """Plays the games through the public interface of Arbitre's positions; returns the legal moves found."""
    found = 0
    first = parse_game(case.game).start()
    for moves in drawn.moves:
        position = first
        for move in moves:
            found += len(position.legal_moves())
            position = position.play(move)
    return found


def replay_actions(start: Callable[[], State], drawn: Drawn) -> int:
    """The same with open_spiel; a pass is one action among no other."""
    found = 0
    for actions in drawn.actions:
        state = start()
        for action in actions:
            found += len(state.legal_actions())
            state.apply_action(action)
    return found


# ---------------------------------------------------------------------------------------------------------- comparison


def seconds_of(work: Work) -> float:
    """The CPU time of one call."""
    before = time.process_time()
    work()
    return time.process_time() - before


def compare(ours: Work, theirs: Work, rounds: int) -> tuple[Spread, Spread, Spread]:
    """open_spiel's times, Arbitre's and their ratios; who goes first alternates."""
    open_spiel: list[float] = []
    arbitre: list[float] = []
    seconds_of(ours)
    for number in range(rounds):
        for own in (number % 2 == 0, number % 2 != 0):
            (arbitre if own else open_spiel).append(seconds_of(ours if own else theirs))
    ratios = [peer / own for peer, own in zip(open_spiel, arbitre, strict=True)]
    return Spread.of(open_spiel), Spread.of(arbitre), Spread.of(ratios)


def compare_case(case: Case, load_game: Callable[[str], Any], rounds: int) -> list[Comparison]:
    """Everything about one game."""
    start: Callable[[], State] = load_game(case.peer).new_initial_state
    first = parse_game(case.game).start()
    leaves = perft(first, case.depth)
    ways = (perft_by_child, perft_by_undo) if case.undo else (perft_by_child,)
    if any(way(start(), case.depth) != leaves for way in ways):
        raise BenchError(f"{case.game}: the counts at depth {case.depth} differ")
    walk = min(ways, key=lambda way: seconds_of(lambda: way(start(), case.depth)))
    drawn = draw_both(case, start)
    if replay_moves(case, drawn) != drawn.choices:
        raise BenchError(f"{case.game}: a replay finds other moves")
    rng = random.Random(1)

    def play_ours() -> None:
        for _ in range(case.playouts):
            playout(first, rng)

    def play_theirs() -> None:
        for _ in range(case.playouts):
            play_randomly(start(), rng.random)

    works: tuple[tuple[str, int, str, Work, Work], ...] = (
        (f"perft {case.depth}", leaves, "leaves", lambda: perft(first, case.depth), lambda: walk(start(), case.depth)),
        ("playouts", case.playouts, "games", play_ours, play_theirs),
        ("replay", drawn.plies, "plies", lambda: replay_moves(case, drawn), lambda: replay_actions(start, drawn)),
    )
    comparisons = []
    for what, amount, unit, ours, theirs in works:
        comparisons.append(Comparison(case.game, what, amount, unit, *compare(ours, theirs, rounds)))
        _measure.progress(f"{case.game}, {what}: ratio {comparisons[-1].ratio.median:.2f}")
    return comparisons


def row_of(comparison: Comparison) -> dict[str, object]:
    """What is printed of a comparison."""
    ratio = comparison.ratio
    each = 1e6 / comparison.amount
    return {
        "game": comparison.game,
        "what": comparison.what,
        "amount": f"{comparison.amount} {comparison.unit}",
        "open_spiel us each": f"{comparison.open_spiel.median * each:.3f}",
        "Arbitre us each": f"{comparison.arbitre.median * each:.3f}",
        "ratio": f"{ratio.median:.2f}",
        "min..max": f"{ratio.low:.2f}..{ratio.high:.2f}",
        "aim": "1.00",
    }


def main(arguments: Sequence[str]) -> None:
    """Measures and prints."""
    parser = argparse.ArgumentParser(prog="python3 run.py bench rules", description=(__doc__ or "").splitlines()[0])
    names = [case.game for case in CASES]
    parser.add_argument("--games", nargs="+", choices=names, default=names)
    parser.add_argument("--rounds", type=int, default=9, help="rounds of each comparison")
    parser.add_argument("--small", action="store_true", help="much less work: to see that it runs")
    parser.add_argument("--json", action="store_true", help="print every figure of every round")
    parser.add_argument("--markdown", action="store_true", help="print the table for docs/performance.md")
    options = parser.parse_args(arguments)
    if options.rounds < 1:
        parser.error("--rounds is at least 1")
    try:
        pyspiel: Any = import_module("pyspiel")  # by name: the linters run without the benchmarks' requirements
    except ImportError as error:
        raise BenchError(
            "open_spiel is not installed (there is none for Windows): python3 run.py bench rules"
        ) from error
    chosen = [case.reduced() if options.small else case for case in CASES if case.game in options.games]
    comparisons = [found for case in chosen for found in compare_case(case, pyspiel.load_game, options.rounds)]
    if options.json:
        _measure.print_json({"machine": _measure.machine(), "comparisons": comparisons})
        return
    if not options.markdown:
        print(f"CPU time; ratio: how many times as fast as open_spiel. {_measure.machine()}.")
    _measure.show([row_of(comparison) for comparison in comparisons], markdown=options.markdown)


if __name__ == "__main__":
    _measure.run_main(main)
