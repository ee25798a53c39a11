"""`arbitre replay` in lines: what is listed, found and shown, and what is said where there is nothing."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from client.commands.replay_cli import replay_command
from client.people import keeping
from client.people.hot_seat import HotSeatController
from games import parse

TWO = "# two games\n443352565534\nb2a1c3a3c1\n"


@pytest.fixture(autouse=True)
def own_folders_of_a_test(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Folders for this test alone."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.chdir(tmp_path)


def replay(*words: str) -> Result:
    return CliRunner().invoke(replay_command, words)


async def keep(match: str = "") -> str:
    """Keeps a game of morpion that Ada wins in five moves; its id."""
    table = HotSeatController(parse("morpion"), ("Ada", "Zoé"))
    for move in ("a1", "b2", "a2", "c3", "a3"):
        await table.play(move)
    table.view.match = match or table.view.match
    record = keeping.record_of(table.view, 1_767_222_000_000)
    keeping.keep(record)
    return record.match


async def test_without_a_name_the_games_that_are_kept_are_listed() -> None:
    match = await keep()
    shown = replay("--plain")
    assert shown.exit_code == 0
    assert match in shown.output
    assert "Tic-tac-toe, 5 moves" in shown.output
    assert "Ada - Zoé" in shown.output


async def test_a_game_is_found_by_its_name_and_shown_in_lines() -> None:
    await keep("k3v9x2ab")
    shown = replay("K3V9X2AB", "--plain", "--ascii")
    assert "X Ada" in shown.output
    assert "5 moves: a1b2a2c3a3" in shown.output.replace(" ", "").replace("5moves:", "5 moves: ")
    assert "Ada wins: 3 in a line." in shown.output
    assert "After move 5:" in shown.output


async def test_an_earlier_position_does_not_tell_the_end() -> None:
    await keep("k3v9x2ab")
    shown = replay("k3v9x2ab", "--plain", "--ascii", "--at", "2")
    assert "After move 2:" in shown.output
    assert "wins" not in shown.output


def test_of_a_file_with_several_games_one_is_chosen(tmp_path: Path) -> None:
    (tmp_path / "two.txt").write_text(TWO)
    assert "  2.  Tic-tac-toe, 5 moves" in replay("two.txt").output
    assert "5 moves:" in replay("two.txt", "--game", "2").output
    refused = replay("two.txt", "--game", "3")
    assert refused.exit_code == 2
    assert "two.txt has no game 3." in refused.output


@pytest.mark.parametrize(
    ("what", "said"),
    [
        ("nothing", "There is no file nothing, and no game of yours is called so"),
        ("nothing.jsonl", "nothing.jsonl can't be read"),
        ("./nothing", "nothing can't be read"),
    ],
)
def test_what_is_not_there_is_said(what: str, said: str) -> None:
    refused = replay(what)
    assert refused.exit_code == 1
    assert said in refused.output


def test_where_nothing_is_kept_that_is_said() -> None:
    assert "No game is kept here yet." in replay().output
