"""The full screen in a real terminal: its start, and a key until the screen is drawn again, with one board and many.

    python3 run.py bench tui
    python3 run.py bench tui --starts 15 --keys 200 --boards 30

Each program runs on a pseudo-terminal that pyte reads. The start is that of `arbitre` until its menu stands there, less
that of the interpreter alone, in turns. A key moves the cursor: on a board of Othello against a bot that waits, and on
a wall of so many boards of which some move all the time; it ends when what it changed is on the screen.
"""

from __future__ import annotations

import argparse
import asyncio
import math
import os
import random
import statistics
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Generator, Sequence
from contextlib import AsyncExitStack, contextmanager
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

import pexpect

from benchmarks import _measure
from benchmarks._measure import BenchError
from client.connection import Client
from client.people.settings import Preferences
from client.tui.place import Place
from protocol.messages import Create, Join, MakeMove
from tests.e2e.screens import KEYS, FullScreen
from view.match import MatchView

START_S, MEDIAN_MS, P99_MS = 0.5, 50.0, 150.0
"""What is aimed at."""

PATIENCE_S = 40.0
PAUSE_S = 0.03
"""Between a screen that is drawn and the next key."""

WINDOW = {"columns": 200, "lines": 60}
SETTINGS = "arbitre"


@contextmanager
def full_screen(*arguments: str, **size: Any) -> Generator[FullScreen]:
    """`arbitre ARGUMENTS` in a home whose owner has a name."""
    with tempfile.TemporaryDirectory() as home:
        config = Path(home) / ".config" / SETTINGS
        config.mkdir(parents=True)
        (config / "settings.json").write_text(f'{{"name": "Ada", "theme": "{Preferences().theme}"}}', encoding="utf-8")
        screen = FullScreen(Path(home), *arguments, COLORTERM="truecolor", **size)
        try:
            yield screen
        finally:
            screen.close()


def start_of_menu() -> float:
    """Seconds until the menu stands there."""
    began = time.perf_counter()
    with full_screen() as screen:
        wait_for(screen, lambda: any("Esc" in line for line in screen.screen.display))
        return time.perf_counter() - began


def start_of_python() -> float:
    """Seconds until the interpreter alone has said something."""
    began = time.perf_counter()
    child: Any = pexpect.spawn(sys.executable, ["-c", "print('here')"], timeout=PATIENCE_S)
    child.expect("here")
    took = time.perf_counter() - began
    child.close(force=True)
    return took


def wait_for(screen: FullScreen, holds: Callable[[], bool]) -> None:
    """Reads what the program writes until something holds; raises BenchError."""
    deadline = time.perf_counter() + PATIENCE_S
    while not holds():
        try:
            screen.feed(screen.child.read_nonblocking(65536, timeout=0.25))
        except pexpect.TIMEOUT:
            pass
        except pexpect.EOF:
            raise BenchError("the program ended") from None
        if time.perf_counter() > deadline:
            raise BenchError("the screen does not show what it should:\n" + "\n".join(screen.screen.display))


def keys_to_redraws(screen: FullScreen, marked: Callable[[], object], times: int) -> list[float]:
    """Milliseconds from each of so many keys until what is marked on the screen is another."""
    took: list[float] = []
    for number in range(times):
        settle = time.perf_counter() + PAUSE_S
        wait_for(screen, lambda settle=settle: time.perf_counter() > settle)  # type: ignore[misc]  # bound at once
        before = marked()
        began = time.perf_counter()
        screen.child.send(KEYS["left" if number % 2 else "right"])
        wait_for(screen, lambda before=before: marked() != before)  # type: ignore[misc]
        took.append((time.perf_counter() - began) * 1000)
    return took


def cells_like(screen: FullScreen, **look: object) -> frozenset[tuple[int, int]]:
    """The characters of the screen that look so."""
    return frozenset(
        (x, y)
        for y, line in screen.screen.buffer.items()
        for x, cell in line.items()
        if all(getattr(cell, name) == value for name, value in look.items())
    )


def on_a_board(url: str, times: int) -> list[float]:
    """Keys on the board of a match."""
    with full_screen("play", url, "--game", "othello", "--against", "random", "--first") as screen:
        wait_for(screen, lambda: any("Your turn" in line for line in screen.screen.display))
        return keys_to_redraws(screen, lambda: cells_like(screen, bg="e8b923"), times)


def on_a_wall(url: str, boards: int, times: int) -> list[float]:
    """Keys on a wall."""
    with full_screen("watch", url, **WINDOW) as screen:
        wait_for(screen, lambda: any(f"{boards} games" in line for line in screen.screen.display))
        screen.child.send("w")
        wait_for(screen, lambda: any(f"{boards} boards" in line for line in screen.screen.display))
        wait_for(screen, lambda: bool(cells_like(screen, reverse=True)))
        return keys_to_redraws(screen, lambda: names_marked(screen), times)


def names_marked(screen: FullScreen) -> frozenset[tuple[int, int]]:
    """The reversed characters above the line of keys: those of the board that is chosen."""
    return frozenset((x, y) for x, y in cells_like(screen, reverse=True) if y < WINDOW["lines"] - 1)


class Crowd:
    """Two sessions on a server that play `boards` games against each other, a move in each `pace` seconds."""

    def __init__(self, url: str, boards: int, pace: float) -> None:
        self._url, self._boards, self._pace = url, boards, pace
        self._ready = threading.Event()
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=lambda: asyncio.run(self._play()), daemon=True)

    def __enter__(self) -> None:
        self._thread.start()
        if not self._ready.wait(PATIENCE_S):
            raise BenchError("the games for the wall don't begin")

    def __exit__(self, *_error: object) -> None:
        self._stopped.set()
        self._thread.join(PATIENCE_S)

    async def _play(self) -> None:
        rng = random.Random(1)
        async with AsyncExitStack() as stack:
            players: list[Place] = []
            for name in ("Bea", "Cyd"):
                client = await stack.enter_async_context(Client(self._url, name=name, kind="bot"))
                players.append(await stack.enter_async_context(Place(client)))
            running = [await _open(*players) for _ in range(self._boards)]
            self._ready.set()
            while not self._stopped.is_set():
                await asyncio.sleep(self._pace)
                number = rng.randrange(len(running))
                if not await _move(players, running[number], rng):
                    running[number] = await _open(*players)


async def _open(first: Place, second: Place) -> MatchView:
    ok = await first.client.ask(Create, game="othello", seat="first")
    assert isinstance(ok.match, str)
    await second.client.ask(Join, match=ok.match)
    await second.seen(ok.match)
    return await first.seen(ok.match)


async def _move(players: Sequence[Place], view: MatchView, rng: random.Random) -> bool:
    """Plays a move; False if the game is over."""
    if view.status == "finished":
        return False
    if view.status == "playing":
        move = rng.choice(view.position.legal_moves())
        await players[view.to_move - 1].client.ask(MakeMove, match=view.match, ply=view.ply, move=move)
    return True


def row_of(what: str, took: Sequence[float]) -> dict[str, str]:
    """What is printed of many keys; milliseconds."""
    ordered = sorted(took)
    return {
        "a key": what,
        "median ms": f"{statistics.median(ordered):.1f}",
        "p99 ms": f"{ordered[math.ceil(0.99 * len(ordered)) - 1]:.1f}",
        "keys": str(len(ordered)),
        "aim": f"< {MEDIAN_MS:.0f}, p99 < {P99_MS:.0f}",
    }


def main(arguments: Sequence[str]) -> None:
    """Measures and prints."""
    parser = argparse.ArgumentParser(prog="python3 run.py bench tui", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--starts", type=int, default=11)
    parser.add_argument("--keys", type=int, default=200)
    parser.add_argument("--boards", type=int, default=30)
    parser.add_argument("--pace", type=float, default=0.1, help="seconds from one move on the wall to the next")
    options = parser.parse_args(arguments)
    os.environ.pop("NO_COLOR", None)
    with _measure.listening(_measure.ARBITRE) as server:
        url = f"127.0.0.1:{server.port}"
        with Crowd(f"ws://{url}", options.boards, options.pace):
            wall = row_of(f"on a wall of {options.boards}", on_a_wall(url, options.boards, options.keys))
        _measure.progress("many boards")
        rows = [row_of("on a board", on_a_board(url, options.keys)), wall]
    _measure.progress("one board")
    alone, menu = [], []
    for _turn in range(options.starts):
        alone.append(start_of_python())
        menu.append(start_of_menu())
    _measure.show(rows, markdown=True)
    whole, bare = statistics.median(menu), statistics.median(alone)
    sys.stdout.write(
        f"\nstart until the menu: {whole:.2f} s, the interpreter alone {bare:.2f} s: "
        f"{whole - bare:.2f} s more (aim < {START_S})\n"
    )


if __name__ == "__main__":
    _measure.run_main(main)
