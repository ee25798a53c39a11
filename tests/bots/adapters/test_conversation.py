"""The file of what is said with a program of others: what stands in it, and that it costs nobody a game."""

import json
import random
import shlex
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

import arbitre
import games
from bots.adapters import conversation, lasting
from bots.adapters.conversation import Conversation, file_name
from bots.base import UNLIMITED, BotFaultError, MatchHistory, parse_bot
from games import Seat
from processes.launch_options import LaunchOptions
from protocol.messages import Result
from tests.bots.adapters.processes import play_match

MORPION = games.parse("morpion")
ANSWERS = """
import sys
for line in sys.stdin:
    print("asked", file=sys.stderr, flush=True)
    print(line.split()[8], flush=True)
"""


class Clock:
    """A clock that goes on by an eighth of a second with each look."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        self.now += 0.125
        return self.now


def begun(folder: Path, clock: Callable[[], float] | None = None) -> tuple[Conversation, Path]:
    path = folder / "one.log"
    return Conversation(path, "engine", clock or Clock()), path


def written(path: Path) -> list[str]:
    """The lines but the first, which has the date."""
    return path.read_text(encoding="utf-8").splitlines()[1:]


def said(path: Path) -> list[str]:
    """The lines without their times and the first."""
    return [line[11:] for line in written(path)]


class TestFile:
    def test_each_line_has_its_time_and_its_side(self, tmp_path: Path) -> None:
        file, path = begun(tmp_path)
        file.sent("genmove b")
        file.received(b"= D3\r")
        file.received(b"")
        file.received(b"\xff\xc3\xa9")
        file.note(match="k3v9", seat=1)
        first = path.read_text(encoding="utf-8").splitlines()[0]
        assert first.startswith("     0.125 # ")
        assert json.loads(first[13:])["program"] == "engine"
        assert written(path) == [
            "     0.250 > genmove b",
            "     0.375 < = D3",
            "     0.500 <",
            "     0.625 < \\xffé",
            '     0.750 # {"match": "k3v9", "seat": 1}',
        ]
        file.close()

    def test_what_it_prints_comes_in_pieces(self, tmp_path: Path) -> None:
        file, path = begun(tmp_path)
        for chunk in (b"depth", b" 4\ndepth 5\n", b"Segmentation", b""):
            file.printed(chunk)
        assert said(path) == ["! depth 4", "! depth 5", "! Segmentation"]
        file.close()

    def test_it_is_bounded(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(conversation, "LINE_CHARACTERS", 20)
        monkeypatch.setattr(conversation, "FILE_CHARACTERS", 300)
        file, path = begun(tmp_path)
        file.printed(b"y" * 30)
        for _line in range(20):
            file.sent("x" * 1000)
        lines = written(path)
        assert lines[0].endswith("! " + "y" * 20 + " ...")
        assert lines[1].endswith("> " + "x" * 20 + " ...")
        assert lines[-1] == "..."
        assert lines.count("...") == 1
        assert path.stat().st_size <= 310
        file.note(winner=1)
        assert written(path) == lines
        file.close()

    def test_after_its_end_only_what_we_know_is_added(self, tmp_path: Path) -> None:
        file, path = begun(tmp_path)
        file.close()
        file.received(b"late")
        file.note(winner=2)
        assert said(path) == ['# {"winner": 2}']

    def test_a_disk_that_fails_ends_it_in_silence(self, tmp_path: Path) -> None:
        folder = tmp_path / "gone"
        folder.mkdir()
        file, path = begun(folder)
        file.close()
        path.unlink()
        folder.rmdir()
        file.note(winner=2)
        file.note(winner=2)

    def test_its_name_tells_the_program_and_its_game(self) -> None:
        name = file_name("l'été: ./new", "R1.2/3")
        assert name.endswith("Z-l_été_._new-R1.2_3.log")
        assert len(file_name("x" * 200, "y" * 200)) < 130


def program(folder: Path, code: str, name: str, *, many_games: bool = False) -> LaunchOptions:
    (folder / "bot.py").write_text(code)
    return LaunchOptions(polite_s=0.05, conversation=str(folder / name), many_games=many_games)


def play_two_moves(folder: Path, launch: LaunchOptions, match: str) -> None:
    spec = parse_bot(f"stdio:{shlex.join([sys.executable, str(folder / 'bot.py')])}").with_launch_options(launch)
    bot = spec.make(MORPION, Seat.FIRST, random.Random(1))
    position = MORPION.start()
    try:
        bot.get_ready()
        for moves in ((), ("a1", "b2")):
            bot.history = MatchHistory(match, moves)
            position = MORPION.start()
            for move in moves:
                position = position.play(move)
            bot.choose(position, UNLIMITED)
        bot.history = MatchHistory(match, (), Result(1, "line", (1, 0)))
    finally:
        bot.close()


def wait_for(path: Path, line: str) -> None:
    """What a program wrote to its stderr is read by a thread, which may be behind when the match is over."""
    end = time.monotonic() + 10.0
    while line not in said(path):
        assert time.monotonic() < end, said(path)
        time.sleep(0.01)


class TestPrograms:
    def test_all_that_is_said_in_a_match(self, tmp_path: Path) -> None:
        play_two_moves(tmp_path, program(tmp_path, ANSWERS, "one.log"), "m1")
        lines = said(tmp_path / "one.log")
        assert [line for line in lines if line[0] in "><#"][:6] == [
            '# {"match": "m1", "seat": 1}',
            "> morpion 3 3 3 1 -1 .../.../... 9 a1 b1 c1 a2 b2 c2 a3 b3 c3",
            "< a1",
            "> morpion 3 3 3 1 -1 X../.O./... 7 b1 c1 a2 c2 a3 b3 c3",
            "< b1",
            '# {"winner": 1, "reason": "line", "score": [1, 0]}',
        ]
        wait_for(tmp_path / "one.log", "! asked")

    def test_a_fault_stands_there_and_how_the_match_ended(self, tmp_path: Path) -> None:
        with pytest.raises(BotFaultError):
            play_two_moves(tmp_path, program(tmp_path, "input(); print('a1'); input(); print('z9')", "one.log"), "m1")
        assert [line for line in said(tmp_path / "one.log") if line.startswith('# {"fault": "illegal", "message": ')]

    def test_a_program_that_plays_many_games_has_a_file_for_each(self, tmp_path: Path) -> None:
        try:
            for number in (1, 2):
                play_two_moves(tmp_path, program(tmp_path, ANSWERS, f"{number}.log", many_games=True), f"m{number}")
            for number in (1, 2):
                lines = said(tmp_path / f"{number}.log")
                assert [line for line in lines if "match" in line] == [f'# {{"match": "m{number}", "seat": 1}}']
                assert [line for line in lines if line.startswith("< ")] == ["< a1", "< b1"]
        finally:
            runs = [run for runs in lasting._resting.values() for run in runs]
            assert len(runs) == 1, "its process is the same, though its file is another"
            for run in runs:
                run.engine.close()
            lasting._resting.clear()

    def test_a_file_that_can_not_be_written_costs_no_match(self, tmp_path: Path) -> None:
        play_two_moves(tmp_path, program(tmp_path, ANSWERS, "nowhere/one.log"), "m1")
        assert not (tmp_path / "nowhere").exists()


class TestCommands:
    @pytest.mark.slow
    def test_a_match_writes_a_file_for_each_program_and_game(self, tmp_path: Path) -> None:
        (tmp_path / "bot.py").write_text(ANSWERS)
        logs = tmp_path / "logs"
        bot = f"stdio:{shlex.join([sys.executable, str(tmp_path / 'bot.py')])}"
        play_match(
            "--game",
            "morpion",
            f"new={bot}",
            f"old={bot}",
            "--games",
            "2",
            "--seed",
            "s",
            "--log-conversation",
            str(logs),
        )
        names = sorted(path.name.partition("-")[2] for path in logs.iterdir())
        assert names == ["new-1.1.log", "new-2.1.log", "old-1.1.log", "old-2.1.log"]
        for path in logs.iterdir():
            assert [line for line in said(path) if line.startswith('# {"winner": ')]

    @pytest.mark.parametrize(
        "words",
        [
            ["bot", "random", "ws://localhost:1"],
            ["match", "--game", "morpion", "random", "first"],
            ["league", "run", "--game", "morpion", "random", "first"],
        ],
    )
    def test_where_no_program_plays_there_is_nothing_to_write(
        self, words: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        monkeypatch.chdir(tmp_path)
        assert arbitre.main(["--lang", "en", *words, "--log-conversation", "logs"]) == 2
        assert "(stdio:, stdio-json:, gtp:, nboard:), and here is none." in " ".join(capsys.readouterr().err.split())
        assert list(tmp_path.iterdir()) == []

    def test_a_folder_that_can_not_be_written_is_said_first(
        self, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        (tmp_path / "file").touch()
        bot = f"stdio:{sys.executable}"
        folder = str(tmp_path / "file" / "logs")
        assert arbitre.main(["--lang", "en", "match", "--game", "morpion", bot, bot, "--log-conversation", folder]) == 1
        assert "can't be written" in capsys.readouterr().err

    def test_it_does_not_go_with_a_cluster(self, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        words = ["league", "run", "--game", "morpion", "random", f"stdio:{sys.executable}", "--cluster", "local"]
        folder = str(tmp_path / "league")
        assert arbitre.main(["--lang", "en", *words, "--dir", folder, "--log-conversation", str(tmp_path / "x")]) == 2
        assert "it does not go with --cluster" in capsys.readouterr().err
        assert list(tmp_path.iterdir()) == []
