"""TAB in a shell: the script is read by a real bash, which asks a real Arbitre."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import arbitre
from client.commands import completion
from client.people.glance import Glance
from protocol.values import LobbyPage, MatchSummary

ROOT = Path(__file__).parents[3]
PRESS = """
. {script}
COMP_LINE={line!r}; COMP_POINT=${{#COMP_LINE}}; COMP_WORDS=({line}); COMPREPLY=()
_arbitre_completion
printf '%s\\n' "${{COMPREPLY[@]}}"
"""

needs_bash = pytest.mark.skipif(shutil.which("bash") is None, reason="there is no bash here")


@pytest.fixture(scope="module")
def script(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What bash is to read."""
    path = tmp_path_factory.mktemp("completion") / "arbitre.bash"
    done = subprocess.run(
        [sys.executable, str(ROOT / "arbitre.py"), "--show-completion", "bash"], capture_output=True, check=True
    )
    path.write_bytes(done.stdout)
    return path


@needs_bash
@pytest.mark.parametrize(
    ("line", "offered"),
    [
        ("arbitre pl", ["play"]),
        ("arbitre play --game o", ["othello"]),
        pytest.param("arbitre play --against minimax:depth=3,e", ["3,eval="], marks=pytest.mark.slow),
        pytest.param("arbitre play --game othello:", ["size=", "tie="], marks=pytest.mark.slow),
        pytest.param("arbitre match hum", ["human"], marks=pytest.mark.slow),
        pytest.param("arbitre league resu", ["resume"], marks=pytest.mark.slow),
        pytest.param("arbitre nothing like", [""], marks=pytest.mark.slow),
    ],
)
def test_bash_offers_what_fits(script: Path, line: str, offered: list[str]) -> None:
    done = subprocess.run(
        ["bash", "--norc", "-c", PRESS.format(script=script, line=line)], capture_output=True, encoding="utf-8",
        env={**os.environ, "ARBITRE_LANG": "en"}, check=False,
    )  # fmt: skip
    assert done.stdout.splitlines() == offered
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_script_is_printed_and_it_is_said_where_it_goes(shell: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert arbitre.main(["--lang", "en", "--show-completion", shell]) == 0
    said = capsys.readouterr()
    assert f"{arbitre.COMPLETE}={shell}_complete" in said.out
    assert "arbitre.py" in said.out  # in a checkout there is no program called arbitre
    assert completion.PLACES[shell] in said.err
    if shutil.which(shell) is not None:
        subprocess.run([shell, "-n"], input=said.out, encoding="utf-8", check=True)


def test_without_a_shell_it_is_that_of_the_account(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("SHELL", "/usr/bin/fish")
    assert arbitre.main(["--lang", "en", "--show-completion"]) == 0
    assert "fish_complete" in capsys.readouterr().out
    monkeypatch.setenv("SHELL", "/bin/tcsh")
    assert arbitre.main(["--lang", "en", "--show-completion"]) == 2


def test_the_names_of_commands_import_none_of_them() -> None:
    code = (
        "import sys, arbitre\n"
        "try:\n    arbitre.main(['x'])\nexcept SystemExit:\n    pass\n"
        "sys.exit('client.commands.play_cli' in sys.modules or 'bots.base' in sys.modules)"
    )
    told = {arbitre.COMPLETE: "bash_complete", "COMP_WORDS": "arbitre p", "COMP_CWORD": "p"}
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, env={**os.environ, **told}, capture_output=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert b"play" in done.stdout


@pytest.mark.parametrize(
    ("typed", "offered"),
    [
        ("minimax:", ["minimax:depth=", "minimax:eval="]),
        ("lookahead:tiebreak=", [f"lookahead:tiebreak={word}" for word in ("left", "right", "random")]),
        ("nobody:", []),
    ],
)
def test_options_of_bots(typed: str, offered: list[str]) -> None:
    found = [word for word, _what in completion.bots(typed)]
    assert found[: len(offered)] == offered
    assert bool(found) == bool(offered)


def test_an_option_that_is_there_is_not_offered_again() -> None:
    assert [word for word, _what in completion.games("othello:size=6,")] == ["othello:size=6,tie="]


def test_matches_of_the_server_here(monkeypatch: pytest.MonkeyPatch) -> None:
    lobby = LobbyPage(1, "0.1.0", 0, matches=(MatchSummary("88bc4zxj", "morpion", "playing", (None, None)),))

    async def look(_url: str, _within_s: float) -> Glance | None:
        return Glance(1, lobby)

    monkeypatch.setattr(completion, "look", look)
    assert completion.matches("") == [("88bc4zxj", "morpion")]


def test_no_server_no_matches(monkeypatch: pytest.MonkeyPatch) -> None:
    async def look(_url: str, _within_s: float) -> Glance | None:
        return None

    monkeypatch.setattr(completion, "look", look)
    assert completion.matches("") == []
