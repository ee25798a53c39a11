"""Games as files: what is written is read back by `import`, and no file is written over."""

from pathlib import Path

import pytest

from client.people.hot_seat import HotSeatController
from client.people.recorded import read_recorded
from client.tui.screens import saving
from games import GAMES, parse
from locales import set_language
from protocol.records import GameRecord
from server.records import importing
from server.records.verification import verify
from tests.client.tui.stage import match, snapshot
from view.match import MatchView

OTHELLO = ["c4", "d4", "d3", "b4", "a4", "d2", "b1", "a1", "d1", "a3", "a2", "c1"]


def names_in(folder: Path) -> list[str]:
    return [file.name for file in folder.iterdir()]


async def played(spec: str, moves: list[str]) -> MatchView:
    table = HotSeatController(parse(spec), ("Ada", "Zoé B."))
    for move in moves:
        await table.play(move)
    return table.view


async def test_whatever_is_saved_can_be_looked_through_again(tmp_path: Path) -> None:
    view = await played("othello:size=4", OTHELLO)
    for language in ("en", "fr"):
        set_language(language)
        for how in saving.formats_of(view):
            file = tmp_path / f"{language}.{how.ending}"
            saving.save(view, how, str(file))
            (recorded,) = read_recorded(file)
            assert (recorded.game, recorded.moves) == (view.game, view.moves)
            if how.ending != "moves":
                assert recorded.names == ("Ada", "Zoé B.")


async def test_a_record_is_taken_by_import_and_verifies(tmp_path: Path) -> None:
    view = await played("othello:size=4", OTHELLO)
    (how,) = (one for one in saving.formats_of(view) if one.ending == "jsonl")
    file = tmp_path / "game.jsonl"
    saving.save(view, how, str(file))
    ((_number, taken, *_more),) = importing.read_games(file, importing.format_of(file), view.game)
    assert isinstance(taken, GameRecord), taken
    assert verify(taken) == []
    assert (taken.moves, taken.result, taken.players) == (view.moves, view.result, view.players)


async def test_a_second_game_gets_a_name_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    view = await played("morpion", ["b2"])
    for expected in ("morpion-Ada-Zo_B_.txt", "morpion-Ada-Zo_B_-2.txt", "morpion-Ada-Zo_B_-3.txt"):
        name = saving.file_name(view, "txt")
        assert name == expected
        saving.save(view, saving.formats_of(view)[0], name)


async def test_ggf_and_transcripts_are_read_back(tmp_path: Path) -> None:
    view = await played("othello:size=4", OTHELLO)
    for how in saving.formats_of(view)[2:]:
        file = tmp_path / saving.file_name(view, how.ending)
        assert str(file) in saving.save(view, how, str(file))
        ((_number, record, *_more),) = importing.read_games(file, importing.format_of(file), view.game)
        assert isinstance(record, GameRecord)
        assert record.moves == view.moves
        assert record.result == view.result


async def test_the_text_says_who_won(tmp_path: Path) -> None:
    view = await played("othello:size=4", OTHELLO)
    text = saving.text_of(view)
    assert text.startswith("Game: othello:size=4\nFirst: Ada\nSecond: Zoé B.\n12 moves: c4d4d3b4")
    assert "Zoé B. wins: more discs." in text


@pytest.mark.parametrize("name", list(GAMES))
async def test_every_game_has_a_text_and_a_name_that_is_safe(name: str) -> None:
    view = await played(name, [])
    assert len(saving.formats_of(view)) == (4 if name == "othello" else 3)
    assert saving.file_name(view, "txt") == f"{name}-Ada-Zo_B_.txt"


async def test_a_file_that_is_there_stays_and_a_folder_that_is_not_is_said(tmp_path: Path) -> None:
    view = await played("morpion", ["b2"])
    (tmp_path / "a.txt").write_text("mine")
    how = saving.formats_of(view)[0]
    assert "is there already" in saving.save(view, how, str(tmp_path / "a.txt"))
    assert (tmp_path / "a.txt").read_text() == "mine"
    assert "can't be written" in saving.save(view, how, str(tmp_path / "none" / "a.txt"))


async def test_a_game_is_saved_from_its_screen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    async with match(snapshot("othello:size=4", tuple(OTHELLO), status="finished")) as stage:
        await stage.press("f3")
        await stage.pilot.pause(0.1)
        await stage.press("right", "right", "right", "enter")
        await stage.sees("The game is in")
    assert names_in(tmp_path) == ["othello-Ada-Bob.ggf"]
