"""An onlooker on a real terminal: the list of a real server, its wall by keys and by mouse after a resize, a file."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

if sys.platform == "win32":
    pytest.skip("pseudo-terminals are POSIX", allow_module_level=True)

from tests.e2e.screens import GIVEN_BACK, FullScreen
from tests.faults.serving import serving

pytestmark = [pytest.mark.slow]


def test_a_wall_is_watched_by_keys_and_by_mouse_after_a_resize(tmp_path: Path, screens: list[FullScreen]) -> None:
    with serving("--no-house-bots") as server:
        url = f"127.0.0.1:{server.port}"
        player = FullScreen(
            tmp_path / "player", "play", url, "--against", "random", "--game", "othello", "--first", "--name", "Ada"
        )
        screens.append(player)
        player.sees("Your turn")
        onlooker = FullScreen(tmp_path / "onlooker", "watch", url, "--name", "Zoé")
        screens.append(onlooker)
        onlooker.sees("1 game is being played.", "Ada - random")
        onlooker.types("w")
        onlooker.sees("1 board", "Othello", ">")
        onlooker.resize(100, 30)
        onlooker.report_size(100, 30)
        onlooker.sees("1 board", "Ada")
        onlooker.click(5, 4)
        onlooker.sees("Othello", "Ada is to move.", "F7")
        player.types("f", "5", "enter")
        onlooker.sees("f5")
        onlooker.types("escape")
        onlooker.sees("1 board")
        onlooker.types("escape")
        onlooker.sees("1 game is being played.")
        onlooker.types("q")
        assert onlooker.ends() == 0, onlooker.sent[-600:]
        assert GIVEN_BACK in onlooker.sent


def test_a_game_out_of_a_file_is_reviewed_on_this_computer(tmp_path: Path, screens: list[FullScreen]) -> None:
    games = tmp_path / "games.txt"
    games.write_text("b2a1c3a3a2c2b1\n")
    screen = FullScreen(tmp_path, "--lang", "en")
    screens.append(screen)
    screen.sees("What are you called?")
    screen.types("enter")
    screen.sees("Replays and review")
    screen.types(*["down"] * 5, "enter")
    screen.sees("Look through games")
    screen.types(str(games), "enter")
    screen.sees("Tic-tac-toe | move 0 of 7")
    screen.types("r")
    screen.sees("The review is complete.")
    screen.types("escape")
    screen.sees("Look through games")
    screen.types("escape")
    screen.sees("Arbitre: board games")
    screen.types("q")
    assert screen.ends() == 0
