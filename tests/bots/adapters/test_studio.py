"""What asks a pupil's file in a browser, tried under CPython: the same stage without threads, the same JSON."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import textwrap
import zipfile
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest

import games
from page.studio.sources import sources

ALARM = """
import json, signal, sys
class Clock:
    def start(self, seconds): signal.setitimer(signal.ITIMER_REAL, max(seconds, 1e-3))
    def stop(self): signal.setitimer(signal.ITIMER_REAL, 0)
    def used(self): return 0
signal.signal(signal.SIGALRM, lambda number, frame: signal.raise_signal(signal.SIGINT))
out = sys.stdout
own = {"__name__": "namespace"}
exec(open(sys.argv[1] + "/machine/namespace.py").read(), own)
own["seclude"](sys.argv[1])
from arbitre.bots.adapters import studio
said = []
made = studio.begin(Clock(), said.append)
opened = made.open(json.dumps({"path": sys.argv[2], "choice": "", "load_s": 4, "language": sys.argv[4]}))
print(opened, file=out)
if json.loads(opened).get("ready"):
    fields = {"game": sys.argv[3], "moves": [], "seed": "1", "move_s": float(sys.argv[5]), "clock": {}}
    print(made.ask(json.dumps(fields)), file=out)
print(json.dumps("".join(said)), file=out)
print(json.dumps([name for name in ("msgspec", "click", "websockets") if name in sys.modules]), file=out)
"""
"""A program as the worker is one, whose clock is the system's."""

needs_alarms = pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="this system has no timers that interrupt")


@pytest.fixture(scope="session")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sources that a browser gets, laid out: nothing else of ours is there."""
    folder = tmp_path_factory.mktemp("archive")
    with zipfile.ZipFile(BytesIO(sources().body)) as found:
        found.extractall(folder)
    return folder


def run(archive: Path, folder: Path, text: str, game: str, language: str = "en", move_s: float = 8.0) -> list[Any]:
    """What is told of the file, of its move if it is asked, what it printed, and which libraries were imported."""
    (folder / "bot.py").write_text(textwrap.dedent(text), encoding="utf-8")
    words = [str(archive), str(folder / "bot.py"), game, language, str(move_s)]
    done = subprocess.run(
        [sys.executable, "-I", "-c", ALARM, *words], capture_output=True, encoding="utf-8", timeout=60, check=False
    )
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


@needs_alarms
class TestInOneThread:
    def test_a_file_plays_and_what_it_prints_is_shown(self, archive: Path, tmp_path: Path) -> None:
        source = """
        def choose(position):
            print("hello")
            return position.legal_moves()[2]
        """
        opened, answered, said, bad = run(archive, tmp_path, source, "othello")
        assert (opened["ready"], opened["function"], opened["marks"]) == (True, "choose", [])
        assert set(opened["plays"]) == set(games.GAMES)
        assert answered == {"move": "f5", "marks": []}
        assert said == "hello\n"
        assert bad == []

    def test_a_loop_is_interrupted_whatever_it_catches_and_its_line_is_told(
        self, archive: Path, tmp_path: Path
    ) -> None:
        source = """
        def choose(position):
            n = 0
            while True:
                try:
                    n += 1
                except BaseException:
                    n = 0
        """
        _, answered, *_ = run(archive, tmp_path, source, "morpion", "fr", 0.5)
        assert answered["fault"] == "timeout"
        assert answered["marks"][0]["line"] in range(4, 9)
        assert answered["marks"][0]["text"].startswith("choose est encore occupée, et son temps est écoulé.")

    def test_the_keyboard_is_told_and_not_waited_for(self, archive: Path, tmp_path: Path) -> None:
        source = """
        def choose(position):
            return input("Your move? ")
        """
        _, answered, *_ = run(archive, tmp_path, source, "morpion")
        assert answered["fault"] == "crash"
        assert answered["marks"][0]["text"].startswith("The file asks the keyboard (“Your move?”).")

    def test_the_keyboard_at_the_top_leaves_what_was_defined(self, archive: Path, tmp_path: Path) -> None:
        source = """
        def choose(position): return "b2"
        n = int(input("?"))
        """
        opened, answered, *_ = run(archive, tmp_path, source, "morpion")
        assert opened["ready"]
        assert [mark["line"] for mark in opened["marks"]] == [3]
        assert answered["move"] == "b2"

    def test_a_search_that_is_too_deep_is_named(self, archive: Path, tmp_path: Path) -> None:
        source = """
        def minimax(grid, depth):
            return max([minimax(grid, depth - 1) for _ in range(30)]) if depth else 0
        def choose(position): return minimax(position, 9)
        """
        _, answered, *_ = run(archive, tmp_path, source, "morpion", move_s=0.5)
        assert "minimax calls itself with depth up to 9" in answered["marks"][0]["text"]

    @pytest.mark.parametrize(
        ("module", "said"),
        [
            ("turtle", "turtle opens no window here"),
            ("tkinter", "tkinter opens no window here"),
            ("threading", "threading starts nothing here"),
            ("concurrent.futures", "concurrent starts nothing here"),
        ],
    )
    def test_what_a_browser_has_not_gets_a_sentence(
        self, archive: Path, tmp_path: Path, module: str, said: str
    ) -> None:
        opened, *_ = run(archive, tmp_path, f"import {module}\ndef choose(position): return 'b2'", "morpion")
        assert [(mark["line"], mark["kind"]) for mark in opened["marks"]] == [(1, "note")]
        assert opened["marks"][0]["text"].startswith(said)

    def test_a_file_that_is_no_python_is_marked_at_its_line(self, archive: Path, tmp_path: Path) -> None:
        opened, *_ = run(archive, tmp_path, "x = 1\ndef choose(position:\n", "morpion")
        assert "ready" not in opened
        assert [(mark["line"], mark["kind"]) for mark in opened["marks"]] == [(2, "error")]


def test_the_archive_is_the_same_again_and_holds_no_more_than_is_needed() -> None:
    with zipfile.ZipFile(BytesIO(sources().body)) as found:
        names = set(found.namelist())
    assert "games/othello.py" in names
    assert "locales/fr/LC_MESSAGES/arbitre.mo" in names
    assert not any(name.startswith(("server/", "protocol/", "client/", "bots/search/")) for name in names)
    sources.cache_clear()
    again = sources()
    sources.cache_clear()
    assert again == sources()
    assert len(again.body) < 300_000
