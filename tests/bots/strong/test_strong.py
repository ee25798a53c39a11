"""The bot `strong`: exact at the end, in time, off the event loop, and the same with the plain engine."""

import asyncio
import json
import os
import random
import subprocess
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

import games
from bots.base import UNLIMITED, Budget, Thought, parse_bot
from bots.running.worker import Job, Worker
from bots.search import compiled
from bots.search.othello import BOARD, Alarm, Line, OthelloEngine, Thinker, exact_value, make_engine, play
from bots.search.plain_othello import PlainOthello
from bots.strong.othello_player import OthelloPlayer
from bots.timing import RESERVE_MS, MoveTime, move_time
from games import Seat
from games.base import Position
from games.othello import Othello
from tests.bots.search.othello_positions import Masks, positions

ROOT = Path(__file__).resolve().parents[3]
PATIENCE_S = 60


def position_of(masks: Masks) -> Position:
    own, other = masks
    cells = "".join("X" if own >> cell & 1 else "O" if other >> cell & 1 else "-" for cell in range(64))
    return games.parse("othello").position(f"{cells} X")


def strong(depth: int = 60) -> OthelloPlayer:
    game = games.parse("othello")
    assert isinstance(game, Othello)
    return OthelloPlayer(game, make_engine(12), depth)


# ---------------------------------------------------------------------------------------------------------- thinking


def test_the_end_is_played_without_an_error() -> None:
    engine = make_engine(12)
    for masks in positions(11, 25, range(6, 13)):
        line = Thinker(engine).think(*masks, 60, None)
        if line.depth == 1:
            assert BOARD.legal(*masks).bit_count() == 1, "the only move needs no thought"
            continue
        assert line.exact
        assert line.value == exact_value(engine, *masks)
        assert -exact_value(engine, *play(*masks, line.bits[0])) == line.value


def test_thoughts_grow_deeper_and_their_moves_can_be_played() -> None:
    thoughts: list[Thought] = []
    bot = strong(8)
    bot.on_thought = thoughts.append
    for masks in positions(12, 6, range(14, 45)):
        thoughts.clear()
        position = position_of(masks)
        move = bot.choose(position, UNLIMITED)
        assert [thought.depth for thought in thoughts] == list(range(1, 9))
        assert thoughts[-1].pv[0] == move
        assert [thought.nodes for thought in thoughts] == sorted(thought.nodes for thought in thoughts)
        for expected in thoughts[-1].pv:
            position = position.play(expected)


@pytest.mark.parametrize("depth", [1, 2, 3])
def test_the_plain_engine_chooses_the_same_moves(depth: int) -> None:
    for masks in positions(13, 12 // depth, range(4, 50)):
        fast, plain = Thinker(make_engine(12)), Thinker(PlainOthello())
        lines = fast.think(*masks, depth, None), plain.think(*masks, depth, None)
        assert lines[0].bits[0] == lines[1].bits[0]
        assert lines[0].value == lines[1].value


def test_without_numba_the_plain_engine_plays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiled, "load", lambda game: None)
    assert isinstance(make_engine(12), PlainOthello)
    bot = parse_bot("strong:depth=2").make(games.parse("othello"), Seat.FIRST, random.Random(1))
    assert bot.choose(games.parse("othello").start(), UNLIMITED) in ("d3", "c4", "f5", "e6")


@pytest.mark.parametrize("nodes", [1, 3000])
@pytest.mark.parametrize(
    "spec", ["othello", "othello:size=6", "puissance4", "morpion:width=6,height=6,k=4", "breakthrough:size=5"]
)
def test_with_a_bound_on_its_nodes_time_plays_no_part(spec: str, nodes: int) -> None:
    """So engines can be compared on a machine that is busy: each game is the same however long a move takes."""

    def played(pause: Callable[[], None]) -> tuple[list[str], list[Thought]]:
        position, moves, thoughts = games.parse(spec).start(), list[str](), list[Thought]()
        bot = parse_bot(f"strong:nodes={nodes}").make(games.parse(spec), Seat.FIRST, random.Random(1))

        def listen(thought: Thought) -> None:
            thoughts.append(thought)
            pause()

        bot.on_thought = listen
        while position.outcome() is None and len(moves) < 12:
            moves.append(bot.choose(position, UNLIMITED))
            position = position.play(moves[-1])
        bot.close()
        return moves, thoughts

    def linger() -> None:
        assert sum(range(20_000))

    moves, thoughts = played(lambda: None)
    assert (moves, thoughts) == played(linger)
    first_depth = 60
    assert max(thought.nodes for thought in thoughts) <= nodes + 256 + first_depth
    if nodes > 1:
        assert max(thought.nodes for thought in thoughts) > nodes // 3
        assert max(thought.depth for thought in thoughts) > 1


@pytest.mark.parametrize("make", [lambda: make_engine(12), PlainOthello])
def test_a_search_ends_at_its_bound_within_a_depth_too(make: Callable[[], OthelloEngine]) -> None:
    """It keeps the best of the moves that it has finished there, as a search does that is stopped by time."""
    (masks,) = positions(21, 1, range(30, 40))
    engine = make()
    line = Thinker(engine).think(*masks, 60, None, nodes=700)
    assert engine.nodes == 700
    assert engine.stopped
    assert line.nodes <= 700
    assert not Thinker(engine).think(*masks, 2, None).exact, "the next question has no bound"
    assert not engine.stopped


def test_an_end_beyond_its_nodes_is_not_begun() -> None:
    (masks,) = positions(22, 1, range(20, 21))
    told: list[Line] = []
    Thinker(make_engine(12)).think(*masks, 60, None, told.append, nodes=20_000)
    assert 8 < max(line.depth for line in told) < 20


# --------------------------------------------------------------------------------------------------------- stopping


class Hasty(PlainOthello):
    """Is stopped as soon as it searches deeper than `depth`."""

    def __init__(self, depth: int) -> None:
        super().__init__()
        self._depth = depth

    def search(self, own: int, other: int, depth: int, alpha: int, beta: int) -> int:
        if depth > self._depth:
            self.stop()
        return super().search(own, other, depth, alpha, beta)


def test_a_search_that_is_stopped_answers_with_what_it_knew() -> None:
    (masks,) = positions(14, 1, range(30, 40))
    known = Thinker(PlainOthello()).think(*masks, 2, None)
    told: list[Line] = []
    assert Thinker(Hasty(1)).think(*masks, 60, None, told.append).bits[0] == known.bits[0]
    assert [line.depth for line in told] == [1, 2]


def test_a_stopped_engine_searches_no_further() -> None:
    engine = make_engine(12)
    (masks,) = positions(15, 1, range(40, 41))
    engine.stop()
    engine.search(*masks, 40, -10_000, 10_000)
    engine.at_least(*masks, 0)
    assert engine.nodes < 64
    engine.resume()
    assert not engine.stopped


def test_closing_ends_the_search_that_runs_and_every_later_one() -> None:
    bot = strong()
    position = games.parse("othello").start()
    began = threading.Event()
    bot.on_thought = lambda thought: began.set()
    searching = threading.Thread(target=bot.choose, args=(position, Budget(move_ms=600_000, remaining_ms=600_000)))
    searching.start()
    assert began.wait(PATIENCE_S)
    bot.close()
    searching.join(PATIENCE_S)
    assert not searching.is_alive()
    assert bot.choose(position, UNLIMITED) in position.legal_moves()


def test_an_alarm_that_was_left_does_not_ring() -> None:
    rung: list[int] = []
    alarm = Alarm(0.0, lambda: rung.append(1))
    with alarm:
        pass
    heard = len(rung)
    alarm._fire()
    assert len(rung) == heard


async def test_the_event_loop_goes_on_while_it_searches() -> None:
    """A connection answers pings and hears of a resignation: the loop turns many times within one long search."""
    make_engine(12)
    bot, worker, done = strong(), Worker(), asyncio.Event()
    position, moves, turns = games.parse("othello").start(), list[str | Exception](), 0

    def finish(move: str | Exception) -> None:
        moves.append(move)
        done.set()

    worker.submit(Job(lambda: bot.choose(position, Budget(move_ms=400, remaining_ms=400)), finish, lambda: True))
    while not done.is_set():
        await asyncio.sleep(0)
        turns += 1
    worker.close()
    assert moves[0] in position.legal_moves()
    assert turns > 100


# ------------------------------------------------------------------------------------------------------------ clocks


@pytest.mark.parametrize("increment_ms", [0, 10, 2000])
@pytest.mark.parametrize("remaining_ms", [0, 30, 100, 1000, 60_000, 3_600_000])
@pytest.mark.parametrize("moves", [1, 2, 30])
def test_a_plan_never_takes_what_is_not_there(remaining_ms: int, increment_ms: int, moves: int) -> None:
    found = move_time(Budget(remaining_ms, increment_ms), moves)
    assert found is not None
    assert 0 <= found.enough_s <= found.most_s <= max(0, remaining_ms - RESERVE_MS) / 1000


def test_a_whole_game_fits_into_any_clock() -> None:
    """Even if every move takes all that it may, and some milliseconds more on a slow machine."""
    for base, increment, lag in ((1000, 10, 8), (1000, 0, 1), (60_000, 1000, 50), (300_000, 0, 30)):
        left = float(base)
        for moves in range(30, 0, -1):
            found = move_time(Budget(int(left), increment), moves)
            assert found is not None
            left -= found.most_s * 1000 + lag
            assert left > 0
            left += increment


def test_a_clock_for_each_move_is_used_and_kept() -> None:
    found = move_time(Budget(100, move_ms=100), 20)
    assert found is not None
    assert 0.07 < found.enough_s <= found.most_s < 0.1
    assert move_time(UNLIMITED, 20) is None
    assert move_time(Budget(0, move_ms=100), 20) == MoveTime(0.0, 0.0)


# -------------------------------------------------------------------------------------------------------- processes

START = """
import json, games
from bots.base import UNLIMITED, parse_bot
from games import Seat
import random
spec = parse_bot("strong:depth=10")
spec.prepare()
game = games.parse("othello")
bot = spec.make(game, Seat.FIRST, random.Random(1))
thoughts = []
bot.on_thought = lambda thought: thoughts.append([thought.depth, thought.score, thought.pv, thought.nodes])
position = game.start()
for move in ("f5", "d6", "c3", "d3", "c4"):
    position = position.play(move)
print(json.dumps([bot.choose(position, UNLIMITED), thoughts]))
"""


@pytest.mark.slow
def test_a_cold_and_a_warm_start_find_the_same(tmp_path: Path) -> None:
    """The first process compiles, the second loads what the first has left, and compiles nothing."""
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)}
    answers, files = [], []
    for _ in range(2):
        run = subprocess.run(
            [sys.executable, "-c", START],
            cwd=ROOT,
            env=environment,
            capture_output=True,
            text=True,
            check=True,
            timeout=120,
        )
        answers.append(json.loads(run.stdout))
        files.append({path: path.stat().st_mtime_ns for path in tmp_path.rglob("*.code")})
    assert answers[0] == answers[1]
    assert files[0]
    assert files[0] == files[1]


@pytest.mark.thorough  # a real clock of a second: beside other tests it measures these
def test_no_game_is_lost_on_time() -> None:
    """What is planned is tested above, without a clock.

    A command for 1,000: arbitre match --game othello strong random --games 1000 --clock 1s+0.01s --json.
    """
    command = ["match", "--game", "othello", "strong", "random", "--games", "6", "--clock", "1s+0.01s", "--json"]
    with subprocess.Popen(
        [sys.executable, "-m", "arbitre", *command], cwd=ROOT, stdout=subprocess.PIPE, text=True
    ) as match:
        with suppress(PermissionError):  # its clock is not to pay for the tests beside it
            os.setpriority(os.PRIO_PROCESS, match.pid, -15)
        played, _nothing = match.communicate(timeout=110)
    assert match.returncode == 0
    records = [json.loads(line) for line in played.splitlines()]
    assert len(records) == 6
    for record in records:
        assert record["reason"] == "discs"
        assert record["bots"][record["winner"] - 1] == "strong"
