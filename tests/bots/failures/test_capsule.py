"""Failure capsules: whole after a round trip, refused when they make no sense, few, and asked again by a command."""

import json
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

import arbitre
from bots.base import BotFaultError, Budget
from bots.failures import capsule, seal
from bots.failures.capsule import Capsule
from processes.launch_options import LaunchOptions
from protocol import VERSION

ANSWERS = "import sys\nfor line in sys.stdin: print({answer!r}, flush=True)\n"
SECOND = "import sys\nfor n, line in enumerate(sys.stdin): print(line.split()[-1] if n == 0 else 'z9', flush=True)\n"


def make(**changes: Any) -> Capsule:
    """A bot that had to answer a1 as the second player of a morpion."""
    whole = Capsule(
        arbitre=VERSION,
        date="2026-11-21T15:00:00.000001+00:00",
        bot="random",
        launch=LaunchOptions(polite_s=0.05),
        folder="/nowhere",
        game="morpion",
        match="m1",
        seat=2,
        moves=("b2",),
        position="----X---- O",
        clocks=(60_000, 59_000),
        budget=Budget(remaining_ms=59_000, increment_ms=10, opponent_ms=60_000),
        seed="7",
        match_seed="3",
        reason="crash",
        message="it broke",
        exchange=("> x", "< y"),
        stderr="Traceback",
    )
    return msgspec.structs.replace(whole, **changes)


def program(folder: Path, code: str) -> str:
    (folder / "bot.py").write_text(code)
    return f"stdio:{sys.executable} bot.py"


def replay(path: Path, *options: str) -> int:
    return arbitre.main(["--lang", "en", "bot", "replay", str(path), *options])


def test_it_comes_back_as_it_was_written(tmp_path: Path) -> None:
    path = capsule.write(make(), tmp_path / "new" / "folder")
    assert capsule.read(path) == make()
    assert json.loads(path.read_text())["format"] == capsule.FORMAT
    assert path.name == "20261121T150000.000001Z-m1-1.json"


def test_only_the_newest_stay_and_nothing_else_is_touched(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(capsule, "KEPT", 3)
    (tmp_path / "notes.json").write_text("mine")
    for second in range(5):
        capsule.write(make(date=f"2026-11-21T15:00:0{second}.000000+00:00"), tmp_path)
    names = sorted(path.name for path in tmp_path.iterdir())
    assert names == [*(f"20261121T15000{second}.000000Z-m1-1.json" for second in (2, 3, 4)), "notes.json"]


@given(st.integers(0, 500))
def test_surplus(count: int) -> None:
    names = [f"20261121T150000.{number:06}Z-m-0.json" for number in range(count)]
    assert capsule.surplus([*reversed(names), "x"]) == names[: max(0, count - capsule.KEPT)]


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"", "bad.json is no failure capsule."),
        (b"[1]", "bad.json is no failure capsule."),
        (b'{"format": 1}', "bad.json is no failure capsule."),
        (b"\xff", "bad.json is no failure capsule."),
        (b"[" * 100_000, "bad.json is no failure capsule."),
        (b'{"format": 2}', "bad.json is a capsule of format 2; this Arbitre reads format 1."),
        (msgspec.json.encode(make(game="chess")), "The capsule is of a game that there is not: chess."),
        (msgspec.json.encode(make(moves=("b2", "b2"))), "The moves of the capsule can't be played."),
        (msgspec.json.encode(make(moves=("a1",))), "The moves of the capsule don't lead to its position."),
        (msgspec.json.encode(make(seat=1)), "The moves of the capsule don't lead to its position."),
    ],
)
def test_files_that_make_no_sense(
    content: bytes, sentence: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "bad.json"
    path.write_bytes(content)
    assert replay(path) == 1
    assert capsys.readouterr() == ("", f"Error: {sentence}\n")


def test_what_is_shown_of_it() -> None:
    assert capsule.describe(make(stderr="1\n\n\x1b[31m2\n")) == [
        "it broke",
        "match m1, morpion, move 2: ----X---- O",
        "legal moves: a1 b1 c1 a2 c2 a3 b3 c3",
        "it wrote:",
        "| 1",
        "| [31m2",
    ]
    assert capsule.describe(make(stderr="\n".join("1234567890")))[3:6] == ["it wrote last:", "| 3", "| 4"]
    assert len(capsule.describe(make(stderr="x" * 1000))[4]) < 130


def test_kinds_of_failure() -> None:
    assert capsule.failure("b", BotFaultError("timeout", "slow")) == ("timeout", "slow")
    assert capsule.failure("b", ValueError("no")) == ("crash", "b failed: ValueError: no")
    assert capsule.failure("b", ValueError("\ud800")) == ("crash", "b failed: ValueError: ?")
    assert capsule.failure("b", BotFaultError("crash", "\ud800")) == ("crash", "?")
    assert capsule.failure("b", "\ud800") == ("illegal", r"b played '\ud800', which is not a legal move")
    assert capsule.failure("b", "z9") == ("illegal", "b played 'z9', which is not a legal move")


def test_a_bot_that_plays_now(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert replay(capsule.write(make(bot="first"), tmp_path)) == 0
    out = capsys.readouterr().out
    assert "then: it broke (crash)" in out
    assert "now: a1, after 0.0" in out
    assert "2 · ■ ·" in out


def test_the_same_chance(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = capsule.write(make(), tmp_path)
    moves = []
    for _ in range(3):
        assert replay(path, "--json") == 0
        moves.append(json.loads(capsys.readouterr().out)["now"]["move"])
    assert len(set(moves)) == 1
    others = set[str]()
    for seed in range(20):
        assert replay(capsule.write(make(match_seed=str(seed), match=f"s{seed}"), tmp_path), "--json") == 0
        others.add(json.loads(capsys.readouterr().out)["now"]["move"])
    assert len(others) > 1


def test_a_program_that_fails_again(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    bot = program(tmp_path, "import sys; sys.stdin.readline(); sys.exit('no idea')")
    path = capsule.write(seal.sealed(make(bot=bot, folder=str(tmp_path))), tmp_path)
    assert replay(path) == 1
    out = capsys.readouterr().out
    assert "ended, with code 1 (crash), after" in out
    assert "The last lines:\n  > morpion 3 3 3 2 59000 .../.X./... 8 a1" in out
    assert out.endswith("Its stderr:\n  no idea\n")
    assert replay(path, "--bot", "first") == 0
    assert replay(path, "--bot", "fist") == 2


def test_a_bot_with_a_memory(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    bot = program(tmp_path, SECOND)
    late = make(bot=bot, folder=str(tmp_path), moves=("b2", "a1", "c3"), position="O---X---X O")
    path = capsule.write(seal.sealed(late), tmp_path)
    assert replay(path) == 1  # asked for that alone it answers well, so all before is asked by itself
    said = capsys.readouterr()
    assert "Asked for that alone, it plays b3. Now with all that it was asked before: 1 decision ..." in said.err
    assert "asked again for its 1 decision before, in 1 match\n" in said.out
    assert replay(path, "--whole", "--json") == 1
    now = json.loads(capsys.readouterr().out.splitlines()[-1])["now"]
    assert (now["reason"], now["exchange"][-1], now["asked_before"]) == ("illegal", "< z9", 1)


def test_what_somebody_else_has_written_runs_nothing_unasked(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], own_state: Path
) -> None:
    """A pupil may give a teacher any file."""
    trace = tmp_path / "trace"
    theirs = make(bot=program(tmp_path, f"open({str(trace)!r}, 'w')"), folder=str(tmp_path), message="\x1b[2Jgone")
    ours = seal.sealed(theirs)
    changed = msgspec.structs.replace(ours, message="mended")
    paths = [capsule.write(theirs, tmp_path / "theirs"), capsule.write(changed, tmp_path / "changed")]
    for path in paths:
        assert replay(path) == 1
        assert "It makes your computer run:\n  stdio:" in (said := capsys.readouterr().err)
        assert "add --trust" in said
        assert not trace.exists()
    assert replay(paths[0], "--bot", "first") == 0  # asks nothing of theirs
    interpreter = tmp_path / "python"
    interpreter.write_text(f"#!/bin/sh\ntouch {trace}\n")
    interpreter.chmod(0o755)
    launch = replace(theirs.launch, python=str(interpreter))
    path = capsule.write(msgspec.structs.replace(theirs, launch=launch), tmp_path / "interpreter")
    mine = tmp_path / "mine.py"
    mine.write_text("def choose(position):\n    return position.legal_moves()[0]\n")
    assert replay(path, "--bot", str(mine)) == 0  # ours, by an interpreter of ours
    assert not trace.exists()
    assert replay(capsule.write(ours, tmp_path / "ours")) == 1
    trace.unlink()
    assert replay(paths[0], "--trust") == 1
    assert trace.exists()
    assert "\x1b" not in capsys.readouterr().out
    (own_state / "capsules.key").write_text("lost")
    assert not seal.is_own(ours)


def test_a_capsule_of_others_is_a_file_of_bounded_length(tmp_path: Path) -> None:
    (tmp_path / "zero.json").symlink_to("/dev/zero")
    with pytest.raises(capsule.CapsuleError, match="a pipe or a device, not a file"):
        capsule.read(tmp_path / "zero.json")
