"""Games that were played here: each is kept once, as a record that verifies, and the file does not grow for ever."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from client.people import keeping
from client.people.hot_seat import HERE, HotSeatController
from games import GAMES, parse
from protocol.records import GameRecord, from_line
from server.records.verification import verify


@pytest.fixture(autouse=True)
def own_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of data for this test alone."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    return tmp_path / "arbitre" / "games.jsonl"


def written(file: Path) -> bytes:
    return file.read_bytes()


async def record(spec: str = "morpion", at_ms: int = 1_767_222_000_000) -> GameRecord:
    table = HotSeatController(parse(spec), ("Ada", "Zoé"))
    while table.view.result is None:
        await table.play(table.view.position.legal_moves()[-1])
    return keeping.record_of(table.view, at_ms)


@pytest.mark.parametrize("name", list(GAMES))
async def test_a_game_of_every_kind_is_a_record_that_verifies(name: str, own_file: Path) -> None:
    keeping.keep(await record(name))
    kept, is_whole = from_line(written(own_file).rstrip(b"\n"))
    assert is_whole
    assert verify(kept) == []
    (recorded,) = keeping.kept()
    assert (recorded.game.id, recorded.names, recorded.opened_ms) == (name, ("Ada", "Zoé"), 1_767_222_000_000)
    assert recorded.match == kept.match != HERE


async def test_a_game_is_kept_once_and_the_newest_comes_first(own_file: Path) -> None:
    first, second = await record(at_ms=1), await record(at_ms=2)
    for one in (first, second, first):
        keeping.keep(one)
    assert [one.match for one in keeping.kept()] == [second.match, first.match]


def test_others_on_this_computer_do_not_read_it(own_file: Path) -> None:
    asyncio.run(_keep_one())
    assert own_file.stat().st_mode & 0o077 == 0


async def _keep_one() -> None:
    keeping.keep(await record())


async def test_the_older_half_is_forgotten_when_there_are_too_many(monkeypatch: pytest.MonkeyPatch) -> None:
    records = [await record(at_ms=number) for number in range(1, 6)]
    for one in records[:4]:
        keeping.keep(one)
    monkeypatch.setattr(keeping, "MAX_BYTES", keeping.file().stat().st_size)
    keeping.keep(records[4])
    assert [one.opened_ms for one in keeping.kept()] == [5, 4, 3]


async def test_where_nothing_can_be_written_nothing_is_kept_and_nothing_is_said(own_file: Path) -> None:
    own_file.parent.write_text("a file where the folder should be")
    keeping.keep(await record())
    assert keeping.kept() == []


async def test_what_is_no_record_is_passed_over(own_file: Path) -> None:
    keeping.keep(await record())
    with own_file.open("ab") as out:
        out.write(b'{"game":"chess","moves":["e4"]}\n\xff\xfe\n')
    assert len(keeping.kept()) == 1


async def test_only_own_games_that_are_over_are_kept() -> None:
    table = HotSeatController(parse("morpion"), ("Ada", "Zoé"))
    assert keeping.own_game(table.view, together=True) is None
    while table.view.result is None:
        await table.play(table.view.position.legal_moves()[0])
    assert keeping.own_game(table.view) is None  # somebody who watches
    assert keeping.own_game(table.view, together=True) is not None
