"""What a class waits for: the document's 4-ply scoresFor, the start of a bot, a hundred matches at once; and a class.

    python3 run.py bench classroom
    python3 run.py bench classroom --only scores
    python3 run.py bench classroom --only class --small

scores: scoresFor of the Puissance 4 document on its own position, for O and 4 plies, by `lookahead` and by the
document's algorithm in plain Python (objects, recursion, nothing left out), in one run and in turns. CPU time.
start: a bot process from its start to its hello, for each family that needs nothing but Python: CPU time, and the time
on the clock, which on a busy machine is longer. Bytecode is there, as it is after any first start.
matches: one `random` process and a hundred matches that are all under way before the second move of any is played.
class: a class of thirty, with --small of six, from its list to its marks (`_class_day`): a day without accidents, and
one in which it is stopped, frozen, cut off and opened again, whose table has to be the same. Only if it is asked for.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from websockets.sync.server import ServerConnection, serve
from websockets.typing import Subprotocol

from benchmarks import _measure
from benchmarks._measure import ARBITRE, BenchError, Row, Spread, cpu_seconds, listening, python
from bots.classroom.lookahead import Lookahead
from client.connection import Client
from games import Puissance4
from protocol import SUBPROTOCOL
from protocol.messages import Create, Finished, MakeMove, YourTurn

AIM_RATIO, AIM_START_S = 200, 0.35
COLUMNS = "1211244445"
"""The moves of the document's position; O is asked, though it would be X's turn, as there."""

FAMILIES = ("random", "first", "minimax", "lookahead", "dfs", "bfs")


class Board:
    """The document's board: rows of ' ', 'X' and 'O'."""

    def __init__(self, width: int, height: int) -> None:
        self.width = width
        self.height = height
        self.data = [[" "] * width for _row in range(height)]

    def add_move(self, column: int, ox: str) -> None:
        """A disc falls into a column."""
        row = max(row for row in range(self.height) if self.data[row][column] == " ")
        self.data[row][column] = ox

    def del_move(self, column: int) -> None:
        """The highest disc of a column goes."""
        row = min(row for row in range(self.height) if self.data[row][column] != " ")
        self.data[row][column] = " "

    def allows_move(self, column: int) -> bool:
        """Whether a column has room."""
        return 0 <= column < self.width and self.data[0][column] == " "

    def is_full(self) -> bool:
        """Whether no column has room."""
        return not any(self.allows_move(column) for column in range(self.width))

    def wins_for(self, ox: str) -> bool:
        """Whether four of `ox` stand in a line: every cell in turn, every direction."""
        for row in range(self.height):
            for column in range(self.width):
                for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
                    cells = [(row + step * down, column + step * right) for step in range(4)]
                    if all(0 <= y < self.height and 0 <= x < self.width and self.data[y][x] == ox for y, x in cells):
                        return True
        return False


class Player:
    """The document's player: a sign and how far it looks."""

    def __init__(self, ox: str, ply: int) -> None:
        self.ox = ox
        self.ply = ply

    def opponent(self) -> str:
        """The other sign."""
        return "O" if self.ox == "X" else "X"

    def score_board(self, board: Board) -> float:
        """100 for a board that is won, 0 for one that is lost, else 50."""
        if board.wins_for(self.ox):
            return 100.0
        return 0.0 if board.wins_for(self.opponent()) else 50.0

    def scores_for(self, board: Board) -> list[float]:
        """The score of each column, step by step as the document describes it."""
        scores = [50.0] * board.width
        for column in range(board.width):
            if not board.allows_move(column):
                scores[column] = -1.0
            elif board.wins_for(self.ox) or board.wins_for(self.opponent()) or self.ply == 0:
                scores[column] = self.score_board(board)
            else:
                board.add_move(column, self.ox)
                if board.wins_for(self.ox) or board.is_full() or self.ply == 1:
                    scores[column] = self.score_board(board)
                else:
                    other = Player(self.opponent(), self.ply - 1)
                    scores[column] = 100.0 - max(other.scores_for(board))
                board.del_move(column)
        return scores


def compare_scores(rounds: int, repeats: int) -> Row:
    """The document's CPU time for one call, ours, and their ratio; who goes first alternates. Raises BenchError."""
    board, position = Board(7, 6), Puissance4().start()
    for number, column in enumerate(COLUMNS):
        board.add_move(int(column), "XO"[number % 2])
        position = position.play(str(int(column) + 1))
    position = Puissance4().position(f"{position.notation[:-1]}O")
    document, ours = Player("O", 4), Lookahead(Puissance4(), random.Random(0), ply=4, tiebreak="left")
    if document.scores_for(board) != ours.scores_for(position):
        raise BenchError("the scores differ: this would compare two different things")

    def theirs() -> float:
        return _cpu_of(lambda: document.scores_for(board), 1)

    def mine() -> float:
        return _cpu_of(lambda: ours.scores_for(position), repeats)

    measured: list[tuple[float, float]] = []
    for number in range(rounds):
        if number % 2:
            own = mine()
            measured.append((theirs(), own))
        else:
            measured.append((theirs(), mine()))
    ratio = Spread.of([peer / own for peer, own in measured])
    return {
        "document ms": f"{Spread.of([peer for peer, _own in measured]).median * 1e3:.0f}",
        "lookahead ms": f"{Spread.of([own for _peer, own in measured]).median * 1e3:.3f}",
        "ratio": f"{ratio.median:.0f}",
        "min..max": f"{ratio.low:.0f}..{ratio.high:.0f}",
        "aim": AIM_RATIO,
        "rounds": rounds,
    }


def _cpu_of(work: Callable[[], object], repeats: int) -> float:
    before = time.process_time()
    for _ in range(repeats):
        work()
    return (time.process_time() - before) / repeats


def measure_start(family: str, rounds: int, cache: str) -> Row:
    """CPU time and time on the clock from the start of a bot process to its hello, after one that is not counted."""
    hellos: list[tuple[float, float]] = []
    children: list[subprocess.Popen[bytes]] = []

    def heard(connection: ServerConnection) -> None:
        if "hello" not in str(connection.recv(timeout=30)):
            raise BenchError(f"{family} does not begin with a hello")
        hellos.append((cpu_seconds(children[-1].pid), time.monotonic()))

    wall: list[float] = []
    with serve(heard, "127.0.0.1", 0, subprotocols=[Subprotocol(SUBPROTOCOL)]) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        url = f"ws://127.0.0.1:{server.socket.getsockname()[1]}"
        for number in range(rounds + 1):
            began = time.monotonic()
            with started(python("-m", "arbitre", "bot", family, url), cache) as child:
                children.append(child)
                while len(hellos) <= number and time.monotonic() - began < 30:
                    time.sleep(0.005)
            if len(hellos) <= number:
                raise BenchError(f"no hello of {family} came")
            wall.append(hellos[-1][1] - began)
        server.shutdown()
    cpu = Spread.of([seconds for seconds, _at in hellos[1:]])
    return {
        "bot": family,
        "CPU s": f"{cpu.median:.3f}",
        "min..max": f"{cpu.low:.3f}..{cpu.high:.3f}",
        "clock s": f"{Spread.of(wall[1:]).median:.3f}",
        "aim": AIM_START_S,
        "rounds": rounds,
    }


@contextmanager
def started(command: Sequence[str], cache: str) -> Generator[subprocess.Popen[bytes]]:
    """A process that keeps its bytecode in `cache`, ended afterwards."""
    environment = {**os.environ, "PYTHONPYCACHEPREFIX": cache, "PYTHONPATH": str(Path(__file__).parents[1])}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    child = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    try:
        yield child
    finally:
        child.kill()
        child.wait()
        assert child.stdout is not None
        child.stdout.close()


async def play_at_once(url: str, name: str, matches: int) -> int:
    """Plays `matches` games of morpion against the bot `name`, none before all have started; how many ended by rule."""
    by_rule = finished = 0
    waiting: list[YourTurn] = []
    async with Client(url, name="class", kind="bot") as client:
        for _ in range(matches):
            await client.request(Create, game="morpion", seat="first", invite=(name,))
        async for message in client.messages():
            if isinstance(message, YourTurn):
                waiting.append(message)
            if len(waiting) == matches or finished or (waiting and waiting[-1].ply > 0):
                for turn in waiting:
                    client.send(MakeMove, match=turn.match, ply=turn.ply, move=turn.legal[0])
                waiting.clear()
            if isinstance(message, Finished):
                finished += 1
                by_rule += message.result.reason in ("line", "full")
                if finished == matches:
                    return by_rule
    raise BenchError("the server went away")


def measure_matches(matches: int, cache: str) -> Row:
    """Raises BenchError if a match is lost."""
    with listening([*ARBITRE, "--db", ":memory:"]) as server:
        url = f"ws://127.0.0.1:{server.port}"
        with started(python("-m", "arbitre", "bot", "random", url, "--seed", "1"), cache) as child:
            assert child.stdout is not None
            name = child.stdout.readline().decode().strip().removeprefix("ready ")
            before, began = cpu_seconds(child.pid), time.monotonic()
            by_rule = asyncio.run(asyncio.wait_for(play_at_once(url, name, matches), 120))
            seconds, cpu = time.monotonic() - began, cpu_seconds(child.pid) - before
    if by_rule != matches:
        raise BenchError(f"{matches - by_rule} of {matches} matches did not come to an end by the rules")
    return {
        "matches at once": matches,
        "ended by the rules": by_rule,
        "clock s": f"{seconds:.2f}",
        "CPU s of the bot": f"{cpu:.2f}",
    }


def measure_class(real: int, *, small: bool) -> list[Row]:
    """A class with and without accidents; what it has left stays where the days differ, or one goes wrong.

    real: how many of its browsers are real ones.
    """
    from benchmarks import _class_day

    size = _class_day.with_chromium(_class_day.SMALL if small else _class_day.WHOLE, real)
    folder = Path(tempfile.mkdtemp())
    try:
        found = _class_day.rows(_class_day.compare(folder, size), size)
    except BenchError as error:
        raise BenchError(f"{error}\n  what is left of both days: {folder}") from error
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise
    shutil.rmtree(folder)
    return found


def main(arguments: Sequence[str]) -> None:
    """Measures and prints."""
    parser = argparse.ArgumentParser(prog="python3 run.py bench classroom", description=(__doc__ or "").splitlines()[0])
    parts = ("scores", "start", "matches")
    parser.add_argument("--only", nargs="+", choices=(*parts, "class"), default=parts)
    parser.add_argument("--small", action="store_true", help="a class of six, not of thirty")
    parser.add_argument("--chromium", type=int, default=0, help="so many of its browsers are real, with the studio")
    parser.add_argument("--bots", nargs="+", choices=FAMILIES, default=FAMILIES, help="whose start is measured")
    parser.add_argument("--rounds", type=int, default=5, help="rounds of each comparison, starts of each bot")
    parser.add_argument("--matches", type=int, default=100)
    parser.add_argument("--json", action="store_true", help="print one JSON document")
    parser.add_argument("--markdown", action="store_true", help="print the tables for docs/performance.md")
    options = parser.parse_args(arguments)
    if options.rounds < 1 or options.matches < 1:
        parser.error("--rounds and --matches are at least 1")
    tables: dict[str, list[Row]] = {}
    with tempfile.TemporaryDirectory() as cache:
        if "scores" in options.only:
            tables["scores"] = [compare_scores(options.rounds, 200)]
        if "start" in options.only:
            tables["start"] = []
            for family in options.bots:
                tables["start"].append(measure_start(family, options.rounds, cache))
                _measure.progress(f"{family}: {tables['start'][-1]['CPU s']} s of CPU time")
        if "matches" in options.only:
            tables["matches"] = [measure_matches(options.matches, cache)]
        if "class" in options.only:
            tables["class"] = measure_class(options.chromium, small=options.small)
    if options.json:
        _measure.print_json({"machine": _measure.machine(), **tables})
        return
    if not options.markdown:
        print(f"{_measure.machine()}.")
    for rows in tables.values():
        print()
        _measure.show(rows, markdown=options.markdown)


if __name__ == "__main__":
    _measure.run_main(main)
