"""Programs that play one game after another in one process, and think in the opponent's time; by default neither."""

import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from bots.adapters import lasting
from bots.base import UNLIMITED, BotFaultError, BotSpecError, MatchHistory, parse_bot
from games import parse
from tests.bots.adapters.files import write
from tests.bots.adapters.matches import make, play, spec_of

pytestmark = pytest.mark.slow

COUNTS = """
    GAMES = []
    ASKED = 0

    def choose(position):
        global ASKED
        ASKED += 1
        if len(GAMES) >= 3:
            raise ValueError(f"{ASKED} {GAMES}")
        return position.legal_moves()[len(GAMES)]

    def finished(position, seat, winner):
        assert position.outcome() is not None
        GAMES.append((int(seat), winner and int(winner)))
"""
STDIO = """
import sys
for n, line in enumerate(sys.stdin):
    print(line.split()[8:][0 if n < 3 else 1], flush=True)
"""
JSON = """
import json, sys
over = turns = 0
for line in sys.stdin:
    told = json.loads(line)
    over += told["type"] == "finished"
    turns += told["type"] == "opponents_turn"
    if told["type"] == "opponents_turn":
        assert told["seat"] == 1 and told["ply"] == len(told["moves"]) and "legal" not in told
        print('{"depth": 1}', flush=True)
    if told["type"] == "your_turn":
        sys.stderr.write(f"{over} {turns}\\n")
        print(json.dumps({"move": told["legal"][over]}), flush=True)
"""


@pytest.fixture(autouse=True)
def nothing_rests() -> Iterator[None]:
    """Processes rest as long as ours lives, which also runs the tests that look at everything below it."""
    yield
    for runs in lasting._resting.values():
        for run in runs:
            run.engine.close()
    lasting._resting.clear()


def test_its_modules_stay_as_they_are(tmp_path: Path) -> None:
    spec = spec_of(write(tmp_path, COUNTS), many_games=True)
    firsts = [play(spec, number, opponent=number)[0] for number in range(3)]
    assert firsts == ["a1", "b1", "c1"]
    with pytest.raises(BotFaultError, match=r"ValueError: [0-9]+ \[\(1, (1|2|None)\), \(1, "):
        play(spec, 4)
    assert play(spec, 5)[0] == "a1", "after a fault it starts anew"


def test_by_default_each_game_has_a_new_process(tmp_path: Path) -> None:
    spec = spec_of(write(tmp_path, COUNTS))
    assert [play(spec, number)[0] for number in range(4)] == ["a1"] * 4


def test_a_process_plays_one_game_at_a_time(tmp_path: Path) -> None:
    spec = spec_of(write(tmp_path, COUNTS), many_games=True)
    first, second = make(spec), make(spec)
    start = parse("morpion").start()
    try:
        assert first.choose(start, UNLIMITED) == second.choose(start, UNLIMITED) == "a1"
        assert first.diary is not second.diary
    finally:
        first.close()
        second.close()


def test_a_match_that_ends_nowhere_ends_the_process(tmp_path: Path) -> None:
    spec = spec_of(write(tmp_path, COUNTS), many_games=True)
    bot = make(spec)
    bot.choose(parse("morpion").start(), UNLIMITED)
    bot.close()
    assert lasting.take(bot._key) is None  # type: ignore[attr-defined]  # whether it rests is not told otherwise


def test_one_that_fails_between_two_games_starts_anew(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = """
        ASKED = []
        def choose(position):
            ASKED.append(1)
            return position.legal_moves()[0 if len(ASKED) < 4 else 1]
        def finished(position, seat, winner):
            1 / 0
    """
    spec = spec_of(write(tmp_path, source), many_games=True)
    assert [play(spec, number)[0] for number in (1, 2)] == ["a1", "a1"]
    assert "(ZeroDivisionError: division by zero)\npupil.py, line 7, in finished:" in capsys.readouterr().err


def test_processor_time_is_counted_over_all_its_games(tmp_path: Path) -> None:
    spec = spec_of(write(tmp_path, COUNTS), many_games=True, cpu_s=1.0)
    spin = "\nimport time\nclass Spin:\n    while time.process_time() < 0.7: pass\n"  # in a class, it is no demo
    Path(spec.spec).write_text(Path(spec.spec).read_text() + spin)
    assert [play(spec, number)[0] for number in (1, 2)] == ["a1", "a1"], "half of it is for the next game"


def test_programs_by_lines_and_by_json(tmp_path: Path) -> None:
    (tmp_path / "lines.py").write_text(STDIO)
    lines = spec_of(f"stdio:{sys.executable} {tmp_path}/lines.py", many_games=True)
    assert [play(lines, number)[0] for number in (1, 2)] == ["a1", "b1"]
    (tmp_path / "json.txt").write_text(JSON)
    objects = spec_of(f"stdio-json:{sys.executable} {tmp_path}/json.txt", many_games=True, ponder=True)
    assert [play(objects, number)[0] for number in (1, 2, 3)] == ["a1", "b1", "c1"]
    assert play(spec_of(f"stdio-json:{sys.executable} {tmp_path}/json.txt"), 1)[0] == "a1"


def test_only_what_can_be_told_ponders(tmp_path: Path) -> None:
    with pytest.raises(BotSpecError, match="The protocol gtp can't say that the opponent is to move"):
        spec_of("gtp:sh", ponder=True).prepare()
    with pytest.raises(BotSpecError, match=r"pupil\.py defines no function ponder\(position\)"):
        spec_of(write(tmp_path, COUNTS), ponder=True).prepare()
    assert not make(parse_bot(write(tmp_path, COUNTS))).ponders


PONDERS = """
    import time
    SEEN = []

    def choose(position):
        assert len(SEEN) == 0 or SEEN[-1].to_move != position.to_move
        return position.legal_moves()[min(len(SEEN), 1)]

    def ponder(position{more}):
        SEEN.append(position)
        {loop}
"""


def ponder_once(bot_file: str, seconds: float = 0.2) -> tuple[str, float]:
    """Lets the bot move, ponder, and move again: that move, and how long it took."""
    bot, position = make(spec_of(bot_file, ponder=True)), parse("morpion").start()
    try:
        first = bot.choose(position, UNLIMITED)
        position = position.play(first)
        bot.history = MatchHistory("m", (first,))
        bot.ponder(position)
        time.sleep(seconds)  # a real process thinks meanwhile
        bot.history = MatchHistory("m", (first, "c3"))
        began = time.monotonic()
        return bot.choose(position.play("c3"), UNLIMITED), time.monotonic() - began
    finally:
        bot.close()


@pytest.mark.parametrize(
    ("more", "loop"),
    [
        ("", "while True: position.legal_moves()"),
        (", stop", "while not stop(): pass"),
        (", stop", "while True: position.legal_moves()"),
        ("", "return"),
    ],
)
def test_pondering_ends_with_the_opponents_move(tmp_path: Path, more: str, loop: str) -> None:
    move, seconds = ponder_once(write(tmp_path, PONDERS.format(more=more, loop=loop)))
    assert move == "c1", "it saw one position"
    assert seconds < 3


@pytest.mark.parametrize(
    ("loop", "reason", "said"),
    [
        ("1 / 0", "crash", "A number is divided by zero (ZeroDivisionError: "),
        ("input('? ')", "crash", "asks the keyboard"),
        ("sum(iter(int, 1))", "timeout", "ponder still thinks after the opponent has moved"),
    ],
)
def test_pondering_that_goes_wrong_is_a_fault(tmp_path: Path, loop: str, reason: str, said: str) -> None:
    began = time.monotonic()
    with pytest.raises(BotFaultError) as caught:
        ponder_once(write(tmp_path, PONDERS.format(more="", loop=loop)))
    assert (caught.value.reason, said in str(caught.value)) == (reason, True), str(caught.value)
    assert time.monotonic() - began < 12
