"""Programs as bots: how they are written, what is said when they can't be run, and whole games through a server."""

import json
import random
import re
import shlex
import shutil
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest

import arbitre
import games
from bots.adapters.program import GAME_FOLDERS, find_program, read_command
from bots.base import ADAPTERS, UNLIMITED, Bot, BotFaultError, BotSpecError, MatchHistory, load_family, parse_bot
from games.base import Game, Seat
from processes.launch_options import LaunchOptions
from protocol.messages import Result
from tests.bots.adapters.processes import match, play_match

IMPATIENT = LaunchOptions(polite_s=0.05)
HAS_RHINO = any(shutil.which("gtp-rhino", path=folder) for folder in (None, *GAME_FOLDERS))


class TestSpec:
    @pytest.mark.parametrize("text", ["stdio:./my bot", "stdio-json:node 'my bot.js'", "gtp:gtp-rhino -l 1,2"])
    def test_its_text_reads_back(self, text: str) -> None:
        assert parse_bot(text).spec == text

    def test_a_command_is_split_as_a_shell_does(self) -> None:
        assert read_command("node 'my bot.js' -l \"a b\" c\\ d") == ("node", "my bot.js", "-l", "a b", "c d")

    @pytest.mark.parametrize(
        ("text", "sentence"),
        [
            ("gtp:", "gtp needs a command after the colon: gtp:gtp-rhino."),
            ("stdio", "stdio needs a command after the colon: stdio:./my_bot."),
            ("stdio:node 'my bot.js", 'The quotes of "node \'my bot.js" do not match.'),
            ("stdio-json:''", "There is no program in \"''\"."),
            ("nboard:nothere -x", "There is no program 'nothere': install it, or give its path (./nothere)."),
            ("stdio:./nothere", "There is no program './nothere', or it may not be executed (chmod +x)."),
        ],
    )
    def test_what_can_not_be_run_is_said_before_it_connects(
        self, text: str, sentence: str, capsys: pytest.CaptureFixture[str]
    ) -> None:
        assert arbitre.main(["--lang", "en", "bot", text, "ws://localhost:1"]) == 2
        captured = capsys.readouterr()
        assert captured.err.splitlines()[-1] == f"Error: {sentence}"
        assert captured.out == ""

    def test_a_folder_is_no_program(self, tmp_path: Path) -> None:
        with pytest.raises(BotSpecError):
            find_program(str(tmp_path))

    @pytest.mark.parametrize(
        ("text", "name"),
        [
            ("stdio:python3.11 /home/ada/bot.py", "bot.py"),
            ("gtp:/usr/games/gtp-rhino --level=1", "gtp-rhino --level=1"),
            ("stdio:java -jar bots/Bot.jar", "java -jar Bot.jar"),
            ("nboard:./a_very_long_name_of_an_engine", "a_very_long_name_of_an_e"),
            ("stdio:./-", "stdio"),
        ],
    )
    def test_it_has_a_short_name(self, text: str, name: str) -> None:
        assert parse_bot(text).name(24) == name

    @pytest.mark.parametrize(
        ("bot", "plays", "refuses"),
        [
            ("gtp", ["othello", "othello:size=10", "morpion", "puissance4"], ["morpion:width=5", "puissance4:k=5"]),
            ("nboard", ["othello", "othello:tie=last_mover"], ["othello:size=6", "morpion", "puissance4"]),
            ("stdio", ["othello:size=10,tie=last_mover", "morpion:width=10,k=5", "puissance4:k=5"], []),
            ("stdio-json", ["othello:size=10,tie=last_mover", "morpion:width=10,k=5", "puissance4:k=5"], []),
        ],
    )
    def test_which_games_a_protocol_can_say(self, bot: str, plays: list[str], refuses: list[str]) -> None:
        spec = parse_bot(f"{bot}:x")
        for rules in plays:
            spec.check(games.parse(rules))
        for rules in refuses:
            with pytest.raises(BotSpecError, match=bot):
                spec.check(games.parse(rules))

    @pytest.mark.parametrize("name", ADAPTERS)
    def test_the_help_of_bot_lists_every_adapter(self, name: str, capsys: pytest.CaptureFixture[str]) -> None:
        assert arbitre.main(["--lang", "en", "bot", "--help"]) == 0
        assert f"{name}:" in capsys.readouterr().out
        assert load_family(name).summary()


FAULTY = """
import sys
for number, line in enumerate(sys.stdin):
    if number == 1:
        {fault}
    print(line.split()[8], flush=True)
"""


JSON_BOT = """
import json, sys
for line in sys.stdin:
    asked = json.loads(line)
    if asked["type"] == "your_turn":
        print(json.dumps({{"depth": 1, "score": 0.5}}))
        print(json.dumps({{"move": asked["legal"][-1], "pv": asked["legal"][-1:]}}))
    else:
        with open({told!r}, "a") as told:
            told.write(line)
"""


def make_bot(game: Game, folder: Path, code: str, launch: LaunchOptions = IMPATIENT) -> Bot:
    """A bot that is a Python program of this code, called bot.py."""
    program = folder / "bot.py"
    program.write_text(code)
    command = shlex.join([sys.executable, str(program)])
    return parse_bot(f"stdio:{command}").with_launch_options(launch).make(game, Seat.FIRST, random.Random(1))


class TestFaults:
    """What the author of a program reads when it has failed, once it has played a move."""

    @pytest.mark.parametrize(
        ("fault", "reason", "told"),
        [
            ("print('a1'); break", "illegal", ["bot.py answered 'a1': a1 is taken already", "< a1"]),
            ("sys.exit(3)", "crash", ["bot.py ended, with code 3"]),
            ("print('x' * 100_000); continue", "crash", ["bot.py wrote a line of more than 64 KiB", "< ..."]),
        ],
    )
    def test_what_was_said_before_it(self, fault: str, reason: str, told: list[str], tmp_path: Path) -> None:
        game = games.parse("morpion")
        player = make_bot(game, tmp_path, FAULTY.format(fault=fault))
        assert player.choose(game.start(), UNLIMITED) == "a1"
        with pytest.raises(BotFaultError) as caught:
            player.choose(game.start().play("a1").play("b1"), UNLIMITED)
        player.close()
        assert caught.value.reason == reason
        lines = [line.strip() for line in str(caught.value).splitlines()]
        assert lines[1:4] == ["> morpion 3 3 3 1 -1 .../.../... 9 a1 b1 c1 a2 b2 c2 a3 b3 c3", "< a1", lines[3]]
        assert lines[3].startswith("> morpion 3 3 3 1 -1 XO./.../... 7 ")
        assert [lines[0], *lines[4:]] == told

    @pytest.mark.slow
    def test_in_a_match_with_its_stderr(self, tmp_path: Path) -> None:
        program = tmp_path / "bot.py"
        program.write_text(FAULTY.format(fault="raise KeyError('lost')"))
        records, said = play_match("--game", "morpion", f"stdio:{sys.executable} {program}", "first", "--seed", "1")
        assert [(record["winner"], record["reason"]) for record in records] == [(2, "crash")]
        for words in ("bot.py ended, with code 1", "> morpion 3 3 3 1 ", "| KeyError: 'lost'", "it loses this match"):
            assert words in said
        assert 'File "<' not in said, "no traceback of ours"

    @pytest.mark.slow
    def test_to_resign_is_none(self, tmp_path: Path) -> None:
        program = tmp_path / "bot.py"
        program.write_text(FAULTY.format(fault="print('RESIGN'); break"))
        records, said = play_match("--game", "morpion", f"stdio:{sys.executable} {program}", "first", "--seed", "1")
        assert [(record["winner"], record["reason"]) for record in records] == [(2, "resign")]
        assert said == ""

    @pytest.mark.slow
    def test_a_program_that_keeps_its_lines_to_itself_is_told_what_that_may_be(self, tmp_path: Path) -> None:
        program = tmp_path / "bot.py"
        program.write_text("import sys\nfor line in sys.stdin: sys.stdout.write('b2')")
        records, said = play_match("--game", "morpion", f"stdio:{sys.executable} {program}", "first", "--clock", "0.3s")
        assert [(record["winner"], record["reason"]) for record in records] == [(2, "timeout")]
        assert "bot.py has not answered once. Does it end each line, and flush it" in said

    def test_without_a_clock_the_patience_ends_and_says_the_same(self, tmp_path: Path) -> None:
        game = games.parse("morpion")
        player = make_bot(game, tmp_path, "input(); input()", LaunchOptions(move_s=0.05, polite_s=0.05))
        with pytest.raises(BotFaultError, match="has not answered once") as caught:
            player.choose(game.start(), UNLIMITED)
        player.close()
        assert caught.value.reason == "timeout"

    @pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells the processor time")
    def test_who_is_out_of_time_is_told_whether_it_computed(self, tmp_path: Path) -> None:
        """An engine that waits for something has lost its time in another way than one that thinks for too long."""
        game = games.parse("morpion")
        asked = tmp_path / "asked"
        code = f"import time; input(); print('a1', flush=True); input(); open({str(asked)!r}, 'w'); time.sleep(60)"
        player = make_bot(game, tmp_path, code)
        assert player.choose(game.start(), UNLIMITED) == "a1"
        faults: list[BotFaultError] = []

        def ask() -> None:
            with pytest.raises(BotFaultError) as caught:
                player.choose(game.start(), UNLIMITED)
            faults.append(caught.value)

        asking = threading.Thread(target=ask)
        asking.start()
        while not asked.exists():
            time.sleep(0.001)
        player.history = MatchHistory("m", (), Result(2, "timeout", (0, 0)))
        player.close()
        asking.join()
        (fault,) = faults
        assert fault.reason == "timeout"
        said = [line.strip() for line in str(fault).splitlines()]
        assert said[0] == "bot.py did not answer before its time was over"
        times = r"its process was waited for during \d\.\d s in all, and used 0\.\d s of processor time"
        assert re.fullmatch(times, said[1])
        assert said[-1].startswith("> morpion 3 3 3 1 -1 ")

    def test_a_python_program_need_not_flush(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.delenv("PYTHONUNBUFFERED", raising=False)
        game = games.parse("morpion")
        player = make_bot(game, tmp_path, "import sys\nfor line in sys.stdin: print(line.split()[8])")
        assert player.choose(game.start(), UNLIMITED) == "a1"
        player.close()


class TestEngines:
    @pytest.mark.skipif(not HAS_RHINO, reason="gtp-rhino is not installed: apt-get install grhino")
    @pytest.mark.slow
    def test_rhino_beats_random_in_most_games_and_breaks_no_rule(self) -> None:
        bots = ["gtp:gtp-rhino --level=1", "random"]
        records = match("--game", "othello", *bots, "--games", "4", "--seed", "7", "--clock", "1m")
        assert [record["reason"] for record in records] == ["discs"] * 4
        won = [record for record in records if record["winner"] == record["bots"].index(bots[0]) + 1]
        assert len(won) >= 3

    @pytest.mark.skipif(not HAS_RHINO, reason="gtp-rhino is not installed: apt-get install grhino")
    def test_rhino_says_that_it_plays_on_eight_by_eight_only(self) -> None:
        game = games.parse("othello:size=6")
        player = parse_bot("gtp:gtp-rhino").with_launch_options(IMPATIENT).make(game, Seat.FIRST, random.Random(1))
        with pytest.raises(BotSpecError, match=r"does not play Othello \(size=6\): it says 'unacceptable size'"):
            player.get_ready()
        with pytest.raises(BotFaultError, match="unacceptable size"):
            player.choose(game.start(), UNLIMITED)
        player.close()

    @pytest.mark.slow
    def test_a_game_that_an_engine_does_not_play_is_said_at_the_end_of_the_match(
        self, tmp_path: Path, capfd: pytest.CaptureFixture[str]
    ) -> None:
        engine = tmp_path / "engine.py"
        engine.write_text("import sys\nfor line in sys.stdin: print('= 2\\n')")
        bot = f"gtp:{sys.executable} {engine}"
        assert arbitre.main(["--lang", "en", "match", "--game", "morpion", bot, "first"]) == 1
        said = capfd.readouterr().err.splitlines()
        assert said[-1] == "Error: A bot declined to play Tic-tac-toe."
        assert "  engine.py does not say that it plays Tic-tac-toe: only an engine with list_games can." in said

    @pytest.mark.slow
    def test_a_json_program_is_told_how_each_match_ended(self, tmp_path: Path) -> None:
        """Of the last match it may not have the time to write it down: the run is over then."""
        program, told = tmp_path / "bot.py", tmp_path / "told"
        program.write_text(JSON_BOT.format(told=str(told)))
        records = match("--game", "puissance4", f"stdio-json:{sys.executable} {program}", "random", "--games", "2")
        heard = [json.loads(line) for line in told.read_text().splitlines()]
        assert len(heard) >= 1
        for said, record in zip(heard, records, strict=False):
            assert {name: said[name] for name in ("type", "seat")} == {"type": "finished", "seat": record["number"]}
            for name in ("winner", "reason", "score", "moves"):
                assert said[name] == record[name]

    @pytest.mark.slow
    def test_an_nboard_engine_plays_whole_games_with_passes(self) -> None:
        engine = f"nboard:{sys.executable} {Path(__file__).with_name('nboard_engine.py')}"
        records = match("--game", "othello", engine, "random", "--games", "2", "--seed", "3")
        assert [record["reason"] for record in records] == ["discs"] * 2
        assert any(is_passed(record) for record in records), "else the seed should change: a pass is to be told"


def is_passed(record: dict[str, Any]) -> bool:
    position = games.parse(record["rules"]).start()
    passes = 0
    for move in record["moves"]:
        position = position.play(move)
        passes += position.passed is not None
    return passes > 0
