"""Full screens on real terminals: whole games by keys and by mouse, resized meanwhile; servers that go and come."""

from __future__ import annotations

import contextlib
import re
import signal
import subprocess
import sys
from collections.abc import Generator
from pathlib import Path

import pytest

if sys.platform == "win32":
    pytest.skip("pseudo-terminals are POSIX", allow_module_level=True)

from games import parse
from games.frame import cell_name
from tests.e2e.screens import GIVEN_BACK, MOUSE_OFF, MOUSE_ON, PATIENCE_S, ROOT, SCREEN_OF_ITS_OWN, FullScreen
from tests.ports import free_port

pytestmark = pytest.mark.slow

SIZES = [(40, 16), (80, 24), (200, 60)]
MORPION = ["b2", "a1", "c1", "b3", "a3"]
OTHELLO = ["c4", "d4", "d3", "b4", "a4", "d2", "b1", "a1", "d1", "a3", "a2", "c1"]


@contextlib.contextmanager
def serving(port: int, home: Path) -> Generator[subprocess.Popen[str]]:
    """A server of our own on a port, with the database of that port."""
    with subprocess.Popen(
        [
            sys.executable,
            str(ROOT / "arbitre.py"),
            "serve",
            "--host",
            "127.0.0.1",
            "--port",
            str(port),
            "--db",
            str(home / "games.sqlite"),
            "--no-house-bots",
            "--no-review",
        ],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline().startswith("listening on")
        try:
            yield process
        finally:
            process.kill()
            process.wait(PATIENCE_S)


@pytest.fixture
def port() -> int:
    return free_port()


def spot(screen: FullScreen, spec: str, cell: tuple[int, int]) -> tuple[int, int]:
    """Where the label of its column and that of its row cross: found on the screen, not computed from its layout."""
    shown = screen.look().split("\n")
    name = cell_name(parse(spec), cell)
    letters = list("abcdefghij"[: parse(spec).width])
    below = next(line for line in reversed(shown) if re.match(r" *" + r" +".join(letters), line))
    rows = [number for number, text in enumerate(shown) if re.match(rf" *{name[1:]} ", text[:8])]
    line = next(number for number in rows if not re.match(r" *1 +2 +3", shown[number]))
    return below.index(name[0]), line


@pytest.mark.parametrize("size", SIZES)
def test_a_whole_game_by_keys_and_by_mouse_resized_while_it_is_played(
    size: tuple[int, int], port: int, screens: list[FullScreen], tmp_path: Path
) -> None:
    columns, lines = size
    with serving(port, tmp_path):
        address = f"127.0.0.1:{port}"
        ada = FullScreen(
            tmp_path / "ada",
            "play",
            address,
            "--name",
            "Ada",
            "--game",
            "morpion",
            "--first",
            columns=columns,
            lines=lines,
        )
        screens.append(ada)
        ada.sees("Waiting for the other player")
        bob = FullScreen(tmp_path / "bob", "play", address, "--name", "Bob", columns=columns, lines=lines)
        screens.append(bob)
        bob.sees("Ada is to move")
        for ply, move in enumerate(MORPION):
            if ply % 2 == 0:
                ada.sees("Your turn")
                ada.types(*move, "enter")
            else:
                bob.sees("Your turn")
                if ply == 1:  # also as a terminal reports it in the input: the mouse has to be right after that
                    bob.resize(70, 30)
                    bob.report_size(70, 30)
                    bob.sees("Your turn", "Esc  Leave")
                bob.click(*spot(bob, "morpion", parse("morpion").move_cell(parse("morpion").start(), move)))
            (bob if ply % 2 == 0 else ada).sees(f"plays {move}" if ply < 4 else "You lose")
        ada.sees("You win")
        ada.types("q")
        bob.types("q")
        for screen in (ada, bob):
            assert screen.ends() == 0
            assert screen.sent.rindex(GIVEN_BACK) > screen.sent.rindex(SCREEN_OF_ITS_OWN)
            assert screen.sent.rindex(MOUSE_OFF) > screen.sent.rindex(MOUSE_ON)


def begun(address: str, screens: list[FullScreen], folder: Path) -> tuple[FullScreen, FullScreen]:
    """A match of Ada and Bob, in which Ada has played b2."""
    ada = FullScreen(folder / "ada", "play", address, "--name", "Ada", "--game", "morpion", "--first")
    screens.append(ada)
    ada.sees("Waiting for the other player")
    bob = FullScreen(folder / "bob", "play", address, "--name", "Bob")
    screens.append(bob)
    ada.sees("Your turn")
    bob.sees("Ada is to move")
    ada.types("b", "2", "enter")
    bob.sees("Ada plays b2", "Your turn")
    return ada, bob


def test_a_server_that_is_killed_and_comes_back_finds_both_where_they_were(
    port: int, screens: list[FullScreen], tmp_path: Path
) -> None:
    address = f"127.0.0.1:{port}"
    with serving(port, tmp_path):
        ada, bob = begun(address, screens, tmp_path)
    for screen in (ada, bob):
        screen.sees("The connection is lost. Trying to come back: ", "F9  Host it here")
    with serving(port, tmp_path):
        bob.sees("Your turn", "Tic-tac-toe")
        bob.types("a", "1", "enter")
        ada.sees("Bob plays a1", "Your turn")
        ada.types("q", "y")
        assert ada.ends() == 0
        assert "Your seat is kept for a while" in ada.sent
        bob.sees("Ada, away")


def test_a_guest_hosts_the_game_that_lost_its_server_and_the_other_comes(
    port: int, screens: list[FullScreen], tmp_path: Path
) -> None:
    address = f"127.0.0.1:{port}"
    with serving(port, tmp_path):
        ada, bob = begun(address, screens, tmp_path)
    bob.sees("F9  Host it here")
    bob.types("F9")
    bob.sees("Host the game here?")
    bob.types("y")
    there = re.search(r"play (127\.0\.0\.1\S*)", bob.sees("You host this server", "Waiting for the other player"))
    assert there is not None
    ada.types("q", "q")
    ada.ends()
    guest = FullScreen(tmp_path / "ada", "play", there[1], "--name", "Ada")
    screens.append(guest)
    guest.sees("Bob is to move", "1 b2")
    bob.sees("Your turn", "1 b2")
    bob.types("a", "1", "enter")
    guest.sees("Bob plays a1", "Your turn")


@pytest.mark.parametrize(("number", "code"), [(signal.SIGTERM, 143), (signal.SIGHUP, 129)])
def test_a_signal_gives_the_terminal_back(
    number: signal.Signals, code: int, screens: list[FullScreen], tmp_path: Path
) -> None:
    screens.append(menu := FullScreen(tmp_path, XDG_CONFIG_HOME=str(tmp_path)))
    menu.sees("What are you called?")
    menu.signal(number)
    assert menu.ends() == code
    assert menu.sent.rindex(GIVEN_BACK) > menu.sent.rindex(SCREEN_OF_ITS_OWN)
    assert menu.sent.rindex(MOUSE_OFF) > menu.sent.rindex(MOUSE_ON)


def test_two_at_one_screen_from_the_menu_without_colours(screens: list[FullScreen], tmp_path: Path) -> None:
    screens.append(menu := FullScreen(tmp_path, NO_COLOR="1"))
    menu.sees("What are you called?")
    menu.types("enter")
    menu.sees("Two at this screen")
    menu.types("down", "enter")
    menu.sees("Plays second")
    menu.types("down", "down", "right", "right", "enter")
    menu.sees("is to move")
    menu.types("b", "2", "enter")
    menu.sees("Player 2 is to move")
    assert not re.search(r"\x1b\[[0-9;]*(3[0-8]|4[0-8]|9[0-7]|10[0-7])[0-9;]*m", menu.sent)
    menu.types("\x03")
    menu.sees("Leave? This game is not kept.")
    menu.types("\x03")
    menu.sees("Two at this screen")
    menu.types("q")
    assert menu.ends() == 0


def test_a_terminal_that_shows_no_screen_gets_lines_and_help(tmp_path: Path) -> None:
    dumb = FullScreen(tmp_path, TERM="dumb")
    assert dumb.ends() == 0
    assert SCREEN_OF_ITS_OWN not in dumb.sent
    assert "Usage: " in dumb.sent
