"""How fast and how strong the searches are, against published values and against peers from PyPI.

    python3 run.py bench search
    python3 run.py bench search othello-perft othello-endgames
    python3 run.py bench search --list

Each row is one line of the table: what was done, what was measured, against what, the aim, and whether it was reached.
Times are CPU time and node counts are exact, so other work on the machine disturbs little; peers take turns in one run.
The published positions are those of tests/data, a sample of each set.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))  # before benchmarks/league.py, which a script here would import

from benchmarks import _measure, _search_clock, _search_lines, _search_othello, _search_puissance4
from benchmarks._measure import BenchError, Row


@dataclass(frozen=True)
class Amount:
    """How much is done: positions of a kind, games against each peer, the depth of the searches that are compared, the
    lines of each published set of Puissance 4.
    """

    positions: int = 40
    games: int = 100
    depth: int = 10
    lines: int = 24


SMALL = Amount(positions=2, games=2, depth=5, lines=3)
"""Much less work: to see that it runs."""

ROWS: Mapping[str, Callable[[Amount], Iterable[Row]]] = {
    "puissance4-scores": lambda amount: [_search_puissance4.score_row(amount.lines)],
    "puissance4-peer": lambda amount: _search_puissance4.peer_rows(amount.lines),
    "puissance4-empty": lambda _amount: [_search_puissance4.empty_row()],
    "morpion-mnk": lambda _amount: [_search_puissance4.mnk_row()],
    "othello-perft": lambda _amount: [_search_othello.perft_row()],
    "othello-endgames": lambda _amount: [_search_othello.endgame_row()],
    "othello-exact": lambda amount: _search_othello.exact_rows(amount.positions),
    "othello-depth": lambda amount: [_search_othello.depth_row(max(1, amount.positions // 4), amount.depth)],
    "othello-choice": lambda _amount: [_search_othello.choice_row()],
    "othello-games": lambda amount: _search_othello.game_rows(amount.games),
    "othello-rhino": lambda amount: [_search_othello.rhino_row(amount.games)],
    "perfect-second": lambda amount: [_search_lines.second_row(amount.games)],
    "threats": lambda amount: _search_lines.threats_rows(amount.games),
    "stop": lambda amount: _search_clock.stop_rows(5 * amount.positions),
    "responsive": lambda amount: _search_clock.responsive_rows(amount.positions // 2),
    "on-time": lambda amount: [_search_clock.on_time_row(amount.games)],
}
"""What may be asked for -> the rows that it makes."""


def main(arguments: Sequence[str]) -> None:
    """Measures and prints."""
    parser = argparse.ArgumentParser(prog="python3 run.py bench search", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("rows", nargs="*", metavar="ROW", help="what to measure; everything by default")
    parser.add_argument("--list", action="store_true", help="say what there is to measure")
    parser.add_argument("--games", type=int, default=Amount.games, help="games against each peer")
    parser.add_argument("--lines", type=int, default=Amount.lines, help="lines of each published set at most")
    parser.add_argument("--small", action="store_true", help="much less work: to see that it runs")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--markdown", action="store_true", help="print the table for docs/performance.md")
    options = parser.parse_args(arguments)
    if options.list:
        print("\n".join(ROWS))
        return
    if unknown := [name for name in options.rows if name not in ROWS]:
        parser.error(f"there is no row called {unknown[0]}; there are: {', '.join(ROWS)}")
    if options.games < 2 or options.games % 2:
        parser.error("--games is even and at least 2: each opening is played from both sides")
    if options.lines < 1:
        parser.error("--lines is at least 1")
    amount = SMALL if options.small else Amount(games=options.games, lines=options.lines)
    table = [line for name in options.rows or ROWS for line in _measured(name, amount)]
    if options.json:
        _measure.print_json({"machine": _measure.machine(), "rows": table})
        return
    if not options.markdown:
        print(f"CPU time. {_measure.machine()}.")
    _measure.show(table, markdown=options.markdown)


def _measured(name: str, amount: Amount) -> list[Row]:
    """The rows of `name`; one that says why where they can't be measured here."""
    found: list[Row] = []
    try:
        for line in ROWS[name](amount):
            _measure.progress(f"{name}: {line['work']}: {line['measured']}")
            found.append(line)
    except BenchError as error:
        found.append({"work": name, "measured": str(error), "against": "", "aim": "", "reached": "not measured"})
    return found


if __name__ == "__main__":
    _measure.run_main(main)
