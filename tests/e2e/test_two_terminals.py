"""Two people on two terminals, and one who watches: real processes, a real server, pseudo-terminals.

Each game is played to its end; in its middle the second player's client is killed (SIGKILL) and started again with the
same command, which brings it back to its seat.
"""

import contextlib
import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.ports import free_port
from tests.programs import LineScreen

pexpect: Any = pytest.importorskip("pexpect", reason="pexpect needs a POSIX terminal")

ROOT = Path(__file__).parents[2]
ARBITRE = str(ROOT / "arbitre.py")
PATIENCE_S = 20

# The moves, and why the game ends.
GAMES = {
    "othello:size=4": ("c4 d4 d3 b4 a4 d2 b1 a1 d1 a3 a2 c1", "more discs"),
    "puissance4": ("4 4 3 3 2 2 1", "4 in a line"),
    "morpion": ("b2 a1 3,1 b3 1,3", "3 in a line"),
}


class Screen(LineScreen):
    """A client on a pseudo-terminal of 80 columns."""

    def __init__(self, home: Path, *arguments: str) -> None:
        self._arguments = (*arguments, "--plain") if arguments[0] in ("play", "watch") else arguments
        self._environment = {
            **dict.fromkeys(("ARBITRE_LANG", "LANGUAGE"), "en"),
            "ARBITRE_STATE_DIR": str(home),
            "HOME": str(home),
            "PATH": "/usr/bin:/bin",
            "TERM": "xterm",
            "LANG": "C.UTF-8",
            "NO_COLOR": "1",
        }
        self.start()

    def start(self) -> None:
        self.child = pexpect.spawn(
            sys.executable,
            [ARBITRE, *self._arguments],
            env=self._environment,
            encoding="utf-8",
            timeout=PATIENCE_S,
            dimensions=(40, 80),
        )

    def kill(self) -> None:
        self.child.kill(signal.SIGKILL)
        self.child.wait()
        self.child.close()

    def ends(self) -> int | None:
        self.child.expect(pexpect.EOF)
        self.child.close()
        status: int | None = self.child.exitstatus
        return status


@pytest.fixture
def server() -> Iterator[str]:
    """The address of a server of our own."""
    with subprocess.Popen(
        [sys.executable, ARBITRE, "serve", "--host", "127.0.0.1", "--port", "0"],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as process:
        assert process.stdout is not None
        line = process.stdout.readline()
        assert line.startswith("listening on ws://127.0.0.1:"), line
        yield line.split()[-1]
        process.terminate()
        process.wait(PATIENCE_S)


@pytest.mark.parametrize(
    "game", [pytest.param(game, marks=pytest.mark.slow if n else ()) for n, game in enumerate(GAMES)]
)
def test_two_people_play_one_is_killed_and_comes_back_and_one_watches(
    server: str, screens: list[Screen], tmp_path: Path, game: str
) -> None:
    ada = Screen(tmp_path, "play", server, "--name", "Ada", "--game", game, "--first", "--clock", "5m+3s")
    screens.append(ada)
    code = ada.sees(r"--join (\w+)").split()[-1]
    which = [] if game == "morpion" else [code]
    eve = Screen(tmp_path, "watch", server, *which, "--name", "Eve")
    screens.append(eve)
    bob = Screen(tmp_path, "play", server, "--name", "Bob", "--join", code)
    screens.append(bob)
    bob.sees("Ada plays ■ and begins. You play □")
    eve.sees("Ada plays ■ and begins. Bob plays □")
    ada.sees("You play ■ and begin")

    moves, verdict = GAMES[game][0].split(), GAMES[game][1]
    for ply, move in enumerate(moves):
        mover, other = (ada, bob) if ply % 2 == 0 else (bob, ada)
        mover.sees("Your move")
        mover.types(move)
        mover.sees("You play ")
        other.sees("(Ada|Bob) plays ")
        eve.sees("(Ada|Bob) plays ")
        if ply == 2:
            bob.sees("Your move")
            bob.kill()
            ada.sees("Bob has lost the connection")
            bob.start()
            bob.sees("You are back in your match", "You play □")
            ada.sees("Bob is back")
    winner = "Bob" if game.startswith("othello") else "Ada"
    for screen, name in ((ada, "Ada"), (bob, "Bob")):
        screen.sees(f"You {'win' if name == winner else 'lose'}: {re.escape(verdict)}")
        screen.sees("Type rematch")
        screen.types("quit")
        assert screen.ends() == 0
    eve.sees(f"{winner} wins: ")
    assert eve.ends() == 0


def test_against_a_bot_the_same_command_goes_on_after_a_kill(
    server: str, screens: list[Screen], tmp_path: Path
) -> None:
    ada = Screen(tmp_path, "play", server, "--name", "Ada", "--game", "morpion", "--against", "first", "--first")
    screens.append(ada)
    ada.sees("You play ■ and begin", "Your move")
    ada.types("c3")
    ada.sees("first plays a1", "Your move")
    ada.kill()
    ada.start()
    ada.sees("You are back in your match", "Your move")
    ada.types("c2")
    ada.sees("first plays b1", "Your move")
    ada.types("c1")
    ada.sees("You win: 3 in a line")
    ada.types("quit")
    assert ada.ends() == 0


def test_a_bot_that_is_connected_is_invited_by_its_name(server: str, screens: list[Screen], tmp_path: Path) -> None:
    screens.append(bot := Screen(tmp_path, "bot", "first", server, "--name", "Max"))
    bot.sees("Max is here.")
    screens.append(ada := Screen(tmp_path, "play", server, "--name", "Ada", "--invite", "max", "--game", "morpion"))
    ada.sees("You play against max", "Match", "Your move")
    screens.append(eve := Screen(tmp_path, "play", server, "--name", "Eve", "--invite", "max", "--game", "othello"))
    eve.sees("You play against max", "Match")
    screens.append(guest := Screen(tmp_path, "watch", server))
    guest.sees("There are several matches", r"\r\n  .* watch .*Max.*\r\n  .* watch .*Max.*\r\n")
    assert guest.ends() == 1
    ada.types("quit")
    assert ada.ends() == 0
    screens.append(bob := Screen(tmp_path, "play", server, "--name", "Bob", "--invite", "Moritz"))
    bob.sees("Error: Nobody there is called Moritz.")
    assert bob.ends() == 1


@pytest.mark.slow
def test_a_host_who_is_killed_leaves_no_server_and_finds_the_game_again(screens: list[Screen], tmp_path: Path) -> None:
    port = str(free_port())
    ada = Screen(tmp_path, "play", "--host-here", "--port", port, "--name", "Ada", "--game", "morpion", "--first")
    screens.append(ada)
    ada.sees("You host this server", rf"play 127.0.0.1:{port}\r\n")
    bob = Screen(tmp_path, "play", f"127.0.0.1:{port}", "--name", "Bob")
    screens.append(bob)
    bob.sees("Ada plays ■ and begins", "Ada is to move")
    ada.sees("Your move")
    ada.kill()
    bob.sees("The connection is lost. Trying to come back")
    ada.start()
    ada.sees("You host this server", "You are back in your match", "Your move")
    bob.sees("The connection is back")
    ada.types("b2")
    bob.sees("Ada plays b2", "Your move")
    bob.types("a1")
    ada.sees("Bob plays a1", "Your move")
    eve = Screen(tmp_path, "play", f"127.0.0.1:{port}", "--name", "Eve", "--against", "first")
    screens.append(eve)
    eve.sees("Your move")
    eve.types("resign")
    eve.sees("You lose: you resigned")
    ada.child.sendintr()
    ada.sees("Your seat is kept for a while")
    assert ada.ends() == 130
    bob.sees("The host has stopped the server. Waiting for it to come back")
    bob.types("quit")
    assert bob.ends() == 0
    eve.sees("The host has stopped the server")
    eve.types("quit")
    assert eve.ends() == 0


def server_of(screen: Screen) -> int:
    """The process id of the server that this host's client started."""
    deadline = time.monotonic() + PATIENCE_S
    while time.monotonic() < deadline:
        children = Path(f"/proc/{screen.child.pid}/task/{screen.child.pid}/children").read_text(encoding="ascii")
        for pid in map(int, children.split()):
            with contextlib.suppress(OSError):
                if b"serve" in Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0"):
                    return pid
        time.sleep(0.05)
    raise AssertionError("no server")


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells of children")
def test_a_host_s_server_that_dies_is_started_again_and_the_match_goes_on(
    screens: list[Screen], tmp_path: Path
) -> None:
    port = str(free_port())
    ada = Screen(tmp_path, "play", "--host-here", "--port", port, "--name", "Ada", "--game", "morpion", "--first")
    screens.append(ada)
    ada.sees("You host this server", rf"play 127.0.0.1:{port}\r\n")
    bob = Screen(tmp_path, "play", f"127.0.0.1:{port}", "--name", "Bob")
    screens.append(bob)
    ada.sees("Your move")
    ada.types("b2")
    bob.sees("Ada plays b2", "Your move")
    first = server_of(ada)
    os.kill(first, signal.SIGKILL)
    bob.sees("The connection is lost. Trying to come back")
    ada.sees("The server has ended. It is being started again")
    ada.sees("The connection is back")
    bob.sees("The connection is back", "Your move")
    assert server_of(ada) != first
    bob.types("a1")
    ada.sees("Bob plays a1", "Your move")
    ada.types("a3")
    bob.sees("Ada plays a3", "Your move")
    for screen in (bob, ada):
        screen.types("quit")
        screen.sees("Your seat is kept for a while")
        assert screen.ends() == 0
    with pytest.raises(OSError, match=r".*"), socket.create_connection(("127.0.0.1", int(port)), 1):
        pass
