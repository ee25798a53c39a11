"""`arbitre bot check` as its users type it."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import arbitre
from bots.check.check_cli import _program
from bots.check.checks import CHECKS, QUICK, is_hopeless
from bots.check.judging import Finding, Status
from games import GAMES
from tests import in_process

ROOT = Path(__file__).resolve().parents[3]
FAULTY = Path(__file__).with_name("faulty.py")


def check(*arguments: str) -> subprocess.CompletedProcess[str]:
    return in_process.run("bot", "check", *arguments, folder=ROOT)


def test_a_bot_of_ours_passes_everything() -> None:
    command = [sys.executable, "-P", "-m", "arbitre", "bot", "check", "random", "--full", "--json", "--seed", "1"]
    result = subprocess.run(command, cwd=ROOT, capture_output=True, encoding="utf-8", timeout=240, check=False)
    found = json.loads(result.stdout)
    assert result.returncode == 0, result.stdout
    assert found["passed"]
    assert {one["check"]: one["text"] for one in found["checks"] if one["status"] != "ok"} == {}
    assert len(found["checks"]) == 13 + len(GAMES)
    assert found["bot"] == "random"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("bot", "options"),
    [
        ("first", ()),
        ("minimax:depth=2", ()),
        ("lookahead:ply=1", ()),
        ("dfs", ("--game", "morpion")),  # in the others it looks far
        pytest.param("dfs", (), marks=pytest.mark.thorough),
    ],
)
def test_the_bots_of_class_pass_everything(bot: str, options: tuple[str, ...]) -> None:
    found = json.loads(check(bot, "--full", "--json", "--seed", "1", *options).stdout)
    assert {one["check"]: one["text"] for one in found["checks"] if one["status"] == "failed"} == {}


def test_the_list_fits_eighty_columns() -> None:
    names = ("start", "passes", "time", "reconnect", "late", "stop")
    chosen = [word for name in names for word in ("--only", name)]
    result = check("minimax:depth=2", "--seed", "3", *chosen, "--lang", "fr")
    assert result.returncode == 0, result.stdout
    lines = result.stdout.splitlines()
    assert len(lines) == len(names) + 1
    assert all(line.startswith("✓ bon ") for line in lines[:-1])
    assert lines[-1].startswith("6 contrôles\u00a0: tous bons.")
    assert max(map(len, lines)) <= 80
    assert result.stderr == "Contrôle de minimax:depth=2 (graine 3) ...\n"


def test_a_failure_shows_all_that_helps_and_shows_it_once() -> None:
    command = f"{sys.executable} {FAULTY} crash {{url}} clumsy"
    result = check(
        "--command", command, "--game", "morpion:width=4", "--only", "morpion", "--only", "late", "--seed", "1"
    )
    assert result.returncode == 1
    lines = result.stdout.splitlines()
    ended = ["its process ended in a match of Tic-tac-toe", "(width=4)"]
    assert [line[28:] for line in lines[:2]] == ended
    assert lines[0].startswith("✗ FAILED  morpion")
    for part in ("Asked for: ", "moves so far: ", "legal moves: ", '      > {"type":"move",'):
        assert part in result.stdout
    assert result.stdout.count("      division by zero") == 1
    assert [line[28:] for line in lines[-4:-2]] == ended
    assert lines[-4].startswith("✗ FAILED  late messages")
    assert lines[-2] == "    as before; to see it: --only late"
    assert lines[-1].startswith("2 checks failed, 0 are good. (")


def test_the_quick_part_is_what_is_asked_for_and_tells_of_the_rest() -> None:
    result = check("random", "--game", "morpion:width=4", "--seed", "1")
    assert result.returncode == 0, result.stdout
    lines = result.stdout.splitlines()
    assert [line[10:].split("  ")[0] for line in lines[:-2]] == ["start-up", *GAMES, "legal moves"]
    assert lines[-1] == f"That was the quick part. {len(CHECKS) - len(QUICK)} more checks: --full"


def test_it_stops_early_when_it_is_hopeless(tmp_path: Path) -> None:
    """A pupil's file that prints, and fails in each of its games: the cause comes first, what it prints last."""
    broken = tmp_path / "broken.py"
    broken.write_text("def jeuIA(g, c):\n    print('x\\n' * 99)\n    return g[9]\n", encoding="utf-8")
    result = check(str(broken), "--full", "--seed", "1")
    assert result.returncode == 1
    said = result.stdout
    assert (
        said.splitlines()[-1]
        == f"{len(CHECKS) - 1 - len(GAMES)} checks are left out: they would fail alike. Repair this first."
    )
    order = ("The index goes past the end of the list", "broken.py, line 3, in jeuIA:", "It was asked to play", "| x")
    assert sorted(order, key=said.index) == list(order)


@pytest.mark.slow
def test_a_file_that_hangs_tells_its_line(tmp_path: Path) -> None:
    hangs = tmp_path / "hangs.py"
    hangs.write_text("def dfs_play(grid, player):\n    while True:\n        pass\n", encoding="utf-8")
    result = check(str(hangs), "--game", "morpion", "--clock", "2s", "--seed", "1")
    assert result.returncode == 1
    assert "dfs_play is still busy, and its time is up. Is this an endless loop?" in result.stdout
    assert "hangs.py, line " in result.stdout
    assert "dfs_play may return here: (0, 0)" in result.stdout


@pytest.mark.parametrize(
    ("statuses", "names", "hopeless"),
    [
        ("f", 2, False),
        ("ff", 3, True),
        ("ss", 3, False),
        ("sf", 2, True),
        ("of", 2, False),
        ("ffo", 3, False),
        ("", 0, False),
    ],
)
def test_when_it_is_hopeless(statuses: str, names: int, hopeless: bool) -> None:
    words: dict[str, Status] = {"f": "failed", "o": "ok", "s": "skipped"}
    played = {game: Finding(words[sign], "") for game, sign in zip(GAMES, statuses, strict=False)}
    assert is_hopeless(played, list(GAMES)[:names]) is hopeless


def test_a_file_that_is_no_bot_fails_at_the_start(tmp_path: Path) -> None:
    broken = tmp_path / "broken.py"
    broken.write_text("print('half a program'\n", encoding="utf-8")
    result = check("--command", f"{sys.executable} {broken} {{url}}", "--json")
    assert result.returncode == 1
    (found,) = json.loads(result.stdout)["checks"]
    assert (found["check"], found["status"]) == ("start", "failed")
    assert "SyntaxError" in found["stderr"]


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ([], "Name one bot: BOT, or --command for a program that speaks the protocol itself."),
        (["random", "--command", "x {url}"], "Name one bot: BOT, or --command for a program that "),
        (["--command", "x"], "--command needs {url} where the address goes: --command 'python3 my_bot.py {url}'."),
        (["--command", "x {url}", "--sandbox"], "--sandbox is for a BOT that Arbitre starts, not for --command."),
        (["random", "--sandbox"], "--sandbox is for programs of others, as stdio:CMD or my_bot.py; random is a bot"),
        (["--command", "'x {url}"], "--command needs {url} where the address goes: "),
        (["rndom"], "There is no bot called 'rndom'. "),
        (["random", "--game", "chess"], f"the games are {', '.join(GAMES)}, not 'chess'"),
        (["random", "--only", "speed"], "There is no check called 'speed'. The checks are: start, othello, "),
        (["random", "--only", "time", "--skip", "time"], "No check is left: --only and --skip name the same ones."),
        (["random", "--clock", "none"], "Invalid value for --clock: 'none' is no clock for a check: write 10s+0.1s,"),
    ],
)
def test_wrong_arguments(arguments: list[str], sentence: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert arbitre.main(["--lang", "en", "bot", "check", *arguments]) == 2
    assert capsys.readouterr().err.splitlines()[-1].startswith(f"Error: {sentence}")


@pytest.mark.skipif(sys.platform == "win32", reason="signals to a group are POSIX")
def test_interrupted_it_leaves_nothing_behind() -> None:
    command = [sys.executable, "-P", "-m", "arbitre", "bot", "check", "random"]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, start_new_session=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline().startswith("✓ ok      start-up")
        started = children(process.pid)
        os.killpg(process.pid, signal.SIGINT)
        assert process.wait(timeout=20) == 130
    assert len(started) == 2
    deadline = time.monotonic() + 5
    while alive := [pid for pid in started if Path(f"/proc/{pid}").exists()]:
        assert time.monotonic() < deadline, alive


def children(pid: int) -> list[str]:
    """The processes that `pid` has started."""
    return Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii").split()


def test_the_sandbox_is_the_one_of_the_bot_command(tmp_path: Path) -> None:
    file = tmp_path / "my_bot.py"
    file.write_text("def choose(position): return position.legal_moves()[0]\n", encoding="utf-8")
    command = _program(str(file), None, None, "7", sandbox=True).command
    assert command[-6:] == ("bot", str(file), "{url}", "--seed", "7", "--sandbox")
    assert "--sandbox" not in _program(str(file), None, None, "7", sandbox=False).command


@pytest.mark.slow
def test_an_engine_of_one_board_is_checked_on_that_board(tmp_path: Path) -> None:
    engine = tmp_path / "engine.py"
    engine.write_text(
        "import sys\n"
        "for line in sys.stdin:\n"
        "    if line.split()[1:3] != ['8', '8']: sys.exit('8x8 only')\n"
        "    print(line.split()[-1], flush=True)\n"
    )
    words = [f"stdio:{sys.executable} {engine}", "--only", "othello", "--only", "legal", "--json", "--seed", "1"]
    for game, passes in (("othello:size=8", True), ("othello", False)):
        assert json.loads(check(*words, "--game", game).stdout)["passed"] is passes
