"""Where a file hangs of which no Python code can run: its own line is found, and the dump is not among its prints."""

from __future__ import annotations

from pathlib import Path

import pytest

from bots.adapters import dumps
from bots.adapters.pupils.facts import Location, Trouble
from processes.launch_options import LaunchOptions
from tests.bots.adapters.files import fault, write

DUMP = """one move
Timeout (0:00:01)!
Thread 0x00007fa8 (most recent call first):
  File "/lib/python3.11/re/__init__.py", line 166 in match
  File "{file}", line 3 in cherche_\\xe9
  File "/arbitre/bots/adapters/pupils/host.py", line 327 in <lambda>

Thread 0x00007fa9 (most recent call first):
  File "/arbitre/bots/adapters/pupils/stage.py", line 149 in run
"""
HANGS = """
import re

def choose(position):
    print("I think")
    re.match(r"(a+)+$", "a" * 60 + "b")
"""


@pytest.fixture
def pupil(tmp_path: Path) -> Path:
    folder = tmp_path / "Anaïs"
    folder.mkdir()
    return Path(write(folder, "import re\n\nre.match('é', '')\n"))


def test_a_line_of_the_file_is_told_rather_than_one_of_a_library(pupil: Path) -> None:
    """An accent in the path is escaped in a dump."""
    told = DUMP.format(file=str(pupil).replace("ï", "\\xef"))
    assert dumps.place(told, pupil) == Location("pupil.py", 3, "re.match('é', '')", "cherche_é")


def test_a_library_is_told_if_no_line_of_the_file_is_there(pupil: Path) -> None:
    assert dumps.place(DUMP.format(file="/elsewhere.py"), pupil) == Location("__init__.py", 166, "", "match")
    assert dumps.place("one move", pupil) is None


def test_a_dump_is_no_print(pupil: Path) -> None:
    assert dumps.printed(DUMP.format(file=pupil)) == "one move"
    assert dumps.printed("Thread 5\nTimeout!") == "Thread 5\nTimeout!"


@pytest.mark.slow
def test_an_author_reads_their_own_line_and_their_own_prints(tmp_path: Path) -> None:
    (tmp_path / "Anaïs").mkdir()
    error = fault(write(tmp_path / "Anaïs", HANGS), "othello", launch=LaunchOptions(start_s=8.0, move_s=0.5))
    assert isinstance(error.trouble, Trouble)
    assert error.trouble.place == Location("pupil.py", 6, 're.match(r"(a+)+$", "a" * 60 + "b")', "choose")
    assert error.stderr == "I think"
