"""The page in chromium, on loopback: first paint, a click or a key until the board is drawn again, bytes of its files.

    python3 run.py bench page
    python3 run.py bench page --loads 40 --games 5

First paint is the browser's own mark, each time in a fresh profile. A key is one of the replay, which draws what it
has; a click is a move of a match, which goes to the server and back. Both end with the frame that shows the board.
"""

from __future__ import annotations

import argparse
import math
import random
import statistics
import sys
from collections.abc import Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from playwright.sync_api import Browser

from benchmarks import _measure
from benchmarks._measure import BenchError
from games import parse
from page.files import FILES, site
from tests.faults.serving import serving
from tests.page.browser import HOST, Reader, browsing, chromium

GAME = "othello"
PAINT_MS, REDRAW_MS, BYTES = 500.0, 50.0, 200_000
"""What is aimed at."""

WATCH = """
window.took = [];
let since = null;
const begin = (event) => { since = event.timeStamp; };
for (const kind of ["click", "keydown"]) addEventListener(kind, begin, true);
new MutationObserver(() => {
  if (since === null) return;
  const began = since;
  since = null;
  requestAnimationFrame(() => setTimeout(() => window.took.push(performance.now() - began)));
}).observe(document, { subtree: true, attributeFilter: ["data-holds"] });
"""
"""Notes how long each click or key takes until the frame is drawn in which a cell holds something else."""

WAIT = """
(number) => new Promise((done) => {
  const look = () => (window.took.length >= number ? done() : setTimeout(look, 1));
  look();
})
"""


def paints(browser: Browser, port: int, times: int) -> list[float]:
    """Milliseconds to the first paint of a text, of each visit."""
    found: list[float] = []
    for _ in range(times):
        reader = Reader(browser, port)
        reader.go()
        entries = reader.page.evaluate("performance.getEntriesByName('first-contentful-paint').map((e) => e.startTime)")
        found += entries
        reader.leave()
    return found


def a_game(seed: int) -> list[str]:
    """The moves of a random game."""
    position, moves, chance = parse(GAME).start(), list[str](), random.Random(seed)
    while legal := position.legal_moves():
        moves.append(chance.choice(legal))
        position = position.play(moves[-1])
    return moves


def keys(browser: Browser, port: int, games: int) -> list[float]:
    """Milliseconds from a key of a replay to the board that it shows."""
    found: list[float] = []
    reader = Reader(browser, port)
    for seed in range(games):
        moves = a_game(seed)
        reader.go(f"/replay/{GAME}?moves={'+'.join(moves)}#0")
        reader.page.wait_for_selector(".board .cell")
        reader.page.evaluate(WATCH)
        for number in range(1, len(moves) + 1):
            reader.page.keyboard.press("ArrowRight")
            reader.page.evaluate(WAIT, number)
        found += reader.page.evaluate("window.took")
    reader.leave()
    return found


def clicks(browser: Browser, port: int, games: int) -> list[float]:
    """Milliseconds from a click on a cell to the board after that move, as the mover sees it."""
    found: list[float] = []
    for seed in range(games):
        ann, bob = Reader(browser, port), Reader(browser, port)
        ann.go().create(GAME)
        bob.go().click("join")
        position = parse(GAME).start()
        for reader in (ann, bob):
            reader.page.wait_for_selector(".board .cell[data-holds]")
            reader.page.evaluate(WATCH)
        for move in a_game(seed):
            mover = ann if position.to_move == 1 else bob
            mover.move(move)
            position = position.play(move)
        for reader in (ann, bob):
            reader.page.wait_for_selector("[data-action=replay]")
            found += reader.page.evaluate("window.took")
            reader.leave()
    return found


def row(what: str, found: Sequence[float], aim: float) -> dict[str, object]:
    """A line of the table."""
    ordered = sorted(found)
    p99 = ordered[math.ceil(0.99 * len(ordered)) - 1]
    return {
        "what": what, "times": len(ordered), "median ms": f"{statistics.median(ordered):.1f}", "p99 ms": f"{p99:.1f}",
        "aim ms": f"{aim:g}",
    }  # fmt: skip


def size() -> int:
    """Bytes of all files of the page as they are served, uncompressed."""
    served = [file for name in FILES if (file := site().find(f"/app/{name}")) is not None]
    return sum(len(file.body) for file in (*served, site().document))


def main(arguments: Sequence[str]) -> None:
    """Measures and prints."""
    parser = argparse.ArgumentParser(prog="python3 run.py bench page", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--loads", type=int, default=20, help="visits, each in a fresh profile")
    parser.add_argument("--games", type=int, default=3, help="games that are replayed, and played")
    options = parser.parse_args(arguments)
    if chromium() is None:
        raise BenchError("there is no chromium here: install it (Debian, Ubuntu: sudo apt install chromium)")
    with serving("--host-name", HOST) as server, browsing() as browser:
        rows = [
            row("first paint", paints(browser, server.port, options.loads), PAINT_MS),
            row("key to redraw", keys(browser, server.port, options.games), REDRAW_MS),
            row("click to redraw", clicks(browser, server.port, options.games), REDRAW_MS),
        ]
    _measure.show(rows, markdown=True)
    sys.stdout.write(f"{size()} bytes in {len(FILES) + 1} files; aim: below {BYTES}\n")


if __name__ == "__main__":
    _measure.run_main(main)
