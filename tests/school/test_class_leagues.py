"""Leagues of a class: stopped, frozen, gone on with; who is renamed, goes, comes back; newer versions; people."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from msgspec.json import encode

from bots.base import parse_bot
from bots.running.runner import BotRunner, RunSettings
from client.connection import Client
from league.history.log import load
from league.history.season import Season
from protocol.messages import Clock, FollowLeague, ListMatches, Scoreboard, Write
from school.messages import (
    Begin,
    Desk,
    Failed,
    Fault,
    Finish,
    Freeze,
    Games,
    GetGames,
    GetPrints,
    Halt,
    Look,
    Prints,
    Rename,
)
from school.parts import handing_in
from tests.school.pages import FIRST, LAST, Page, opened, over, programs

pytestmark = [pytest.mark.slow, pytest.mark.asyncio]

CRASH = "def choose(position):\n    print('looking at line', 3)\n    return position.legal_moves()[99]\n"

FAILS = """\
def choose(position):
    moves = position.legal_moves()
    return moves[0] if len(moves) > 7 else moves[9]
"""


def season(folder: Path, number: int = 1) -> Season:
    return Season.of(load(folder / "leagues" / f"{number:02}"))


async def played(page: Page, count: int) -> None:
    """Waits until so many games are over."""
    await page.desk(lambda desk: desk.league is not None and desk.league.played >= count)


async def test_a_class_that_is_closed_amid_a_league_goes_on_with_it(tmp_path: Path) -> None:
    async with opened(tmp_path, ("Léa", "Tom", "Zoé")) as room:
        desk = await room.teacher()
        await programs(room, FIRST, LAST, FIRST)
        await desk.write(Begin("bots", format="round_robin", rounds=6))
        await played(desk, 4)
        entrance = room.opened.entrance
        await room.close()
        done = len(season(tmp_path).games)
        await room.open()
        assert (room.opened.entrance.code, room.opened.entrance.bots) == (entrance.code, entrance.bots)
        desk = await room.teacher()
        await played(desk, done + 4)
        await desk.write(Halt(halted=True))
        await desk.desk(lambda desk: desk.halted)
        matches = await desk.client.request(ListMatches)
        assert isinstance(matches.matches, tuple)
        await room.close()
        done = len(season(tmp_path).games)
        await room.open()
        desk = await room.teacher()
        assert (await desk.desk()).halted
        await desk.write(Halt(halted=False))
        await played(desk, done + 2)
        await desk.write(Finish())
        last = await desk.desk(over)
        assert last.league is not None
        assert last.league.state == "finished"
        assert season(tmp_path).finished
        assert not [game for game in season(tmp_path).games if game.faulty]


async def test_who_thinks_when_the_class_is_paused_moves_when_it_goes_on(tmp_path: Path) -> None:
    text = "import time\n" + FIRST.replace("return", "time.sleep(len(position.legal_moves()) > 6)\n    return")
    async with opened(tmp_path, ("Léa", "Tom")) as room:
        desk = await room.teacher()
        await programs(room, text, text)
        await desk.write(Begin("bots", clock=Clock(initial_ms=6000), format="round_robin", opening=("b2",)))
        async with asyncio.timeout(30):
            while not await desk.playing():  # noqa: ASYNC110 - the server is asked anew
                await asyncio.sleep(0.05)
        await desk.write(Halt(halted=True))
        await desk.desk(lambda desk: desk.halted)
        await asyncio.sleep(2)  # what is thought in a process of its own is decided meanwhile
        await desk.write(Halt(halted=False))
        await desk.desk(over)
        games = season(tmp_path).games
        assert [game.reason for game in games] == ["full"] * 2


async def test_what_is_frozen_stands_still_until_it_is_announced(tmp_path: Path) -> None:
    async with opened(tmp_path, ("Léa", "Tom")) as room:
        desk = await room.teacher()
        pages = await programs(room, FIRST, LAST)
        await desk.write(Begin("bots", format="round_robin", rounds=8))
        await played(desk, 2)
        frozen = await desk.ask(Freeze(frozen=True), Desk, lambda desk: desk.league is not None and desk.league.frozen)
        assert frozen.league is not None
        assert frozen.league.id is not None
        stood = frozen.league.played
        await desk.place("Léa", lambda place: (place.points or 0) + (desk.places["Tom"].points or 0) >= stood + 4)
        again = (await desk.ask(Look(), Desk)).league
        assert again is not None
        assert again.played == stood
        board = (await desk.client.request(FollowLeague, league=frozen.league.id)).scoreboard
        assert isinstance(board, Scoreboard)
        assert board.played == stood
        await desk.write(Freeze(frozen=False))
        await played(desk, stood + 4)
        hall = await pages[0].hall(lambda hall: hall.league is not None and hall.league.played > stood)
        assert hall.league is not None
        assert not hall.league.frozen


async def test_a_newer_version_takes_over_and_a_rename_counts_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(handing_in, "EVERY_MS", 0)
    async with opened(tmp_path, ("Léa", "Tom")) as room:
        desk = await room.teacher()
        pages = await programs(room, FIRST, CRASH)
        place = await desk.place("Tom", lambda place: place.work is not None and place.work.check == "fails")
        fault = None if place.work is None else place.work.fault
        assert fault is not None
        assert "list index out of range" in fault.what or "IndexError" in fault.what
        assert (fault.line, fault.printed.splitlines()[0]) == (3, "looking at line 3")
        await desk.write(Begin("bots", format="round_robin", rounds=50))
        await desk.place("Tom", lambda place: place.faults >= 2)
        await pages[1].hand_in(LAST)
        hall = await pages[1].hall(lambda hall: len(hall.works) == 2 and hall.works[1].check == "works")
        assert hall.works[0].check == "fails"
        await desk.write(Rename("Tom", "Thomas"))
        await desk.place("Thomas", lambda place: place.versions == 2)
        assert "Tom" not in desk.places
        before = len(season(tmp_path).games)
        await played(desk, before + 6)
        games = season(tmp_path).games
        assert "Thomas" in {games[-1].first, games[-1].second}
        assert not [game for game in games[before + 2 :] if game.faulty]
        assert (await pages[1].hall(lambda hall: hall.name == "Thomas")).works[1].version == 2


async def test_pupils_play_each_other(tmp_path: Path) -> None:
    async with opened(tmp_path, ("Léa", "Tom", "Zoé")) as room:
        desk = await room.teacher()
        pages = [await room.page(name) for name in room.classroom.names]
        tasks = [asyncio.create_task(page.play_along()) for page in pages]
        try:
            await desk.write(Begin("people", format="swiss", rounds=3, opening=("a1", "b2")))
            last = await desk.desk(over)
        finally:
            for task in tasks:
                task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await asyncio.gather(*tasks)
        assert last.league is not None
        assert last.league.what == "people"
        assert {game.moves[:2] for game in season(tmp_path).games} == {("a1", "b2")}
        assert {bye.player for bye in season(tmp_path).schedule.byes} == {"Léa", "Tom", "Zoé"}


async def test_the_program_on_a_pupils_own_machine_plays_and_keeps_its_place(tmp_path: Path) -> None:
    async with opened(tmp_path, ("Léa", "Tom")) as room:
        desk = await room.teacher()
        await programs(room, FIRST, CRASH)
        settings = RunSettings(
            parse_bot("random"), "1", league=room.opened.entrance.bots, personal=room.codes["Tom"], key="k" * 32
        )  # fmt: skip
        async with Client(room.url, name="mine", kind="bot") as client:
            task = asyncio.create_task(BotRunner(client, settings, lambda _text: None).run())
            await desk.place("Tom", lambda place: place.bot == "own")
            await desk.write(Begin("bots", format="round_robin", rounds=2))
            await desk.desk(over)
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
        games = season(tmp_path).games
        assert len(games) == 4
        assert not [game for game in games if game.faulty]
        await desk.place("Tom", lambda place: place.bot in ("away", "unfit"))
        await desk.place("Léa", lambda place: place.bot == "none")  # it has no machine to be away


@pytest.mark.parametrize("reports", [True, False])
async def test_who_lets_a_program_play_elsewhere_reads_how_it_failed(tmp_path: Path, *, reports: bool) -> None:
    for folder in ("home", "class"):
        (tmp_path / folder).mkdir()
    file = tmp_path / "home" / "mine.py"
    file.write_text(FAILS, encoding="utf-8")
    async with opened(tmp_path / "class", ("Léa", "Tom")) as room:
        desk, tom = await room.teacher(), await room.page("Tom")
        await (lea := await room.page("Léa")).hand_in(FIRST)
        await lea.hall(lambda hall: hall.works and hall.works[0].check == "works")
        settings = RunSettings(
            parse_bot(str(file)), "1", league=room.opened.entrance.bots, personal=room.codes["Tom"], key="k" * 32,
            reports=reports,
        )  # fmt: skip
        async with Client(room.url, name="mine", kind="bot") as client:
            task = asyncio.create_task(BotRunner(client, settings, lambda _text: None).run())
            await desk.place("Tom", lambda place: place.bot == "own")
            for text in ("[]", '{"type":"failed","seat":3}', encode(Failed(1, "a1", Fault("of no game"))).decode()):
                await client.ask(Write, code=room.opened.entrance.bots, text=text)
            await desk.write(Begin("bots", format="round_robin"))
            await desk.desk(over)
            games = (await tom.ask(GetGames(), Games)).games
            told = [(await tom.ask(GetPrints(game.game), Prints)).fault for game in games]
            assert [(await lea.ask(GetPrints(game.game), Prints)).fault for game in games] == [None, None]
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
    assert [(game.reason, game.made, game.version) for game in games] == [("crash", 0, None)] * 2
    if not reports:
        assert told == [None, None]
        return
    for fault in told:
        assert fault is not None
        assert fault.what.startswith("The index goes past the end of the tuple")
        assert (fault.line, fault.code.strip()) == (3, "return moves[0] if len(moves) > 7 else moves[9]")
        assert str(tmp_path) not in repr(fault)


async def test_a_swiss_is_a_swiss_and_the_usual_format_goes_by_number(tmp_path: Path) -> None:
    async with opened(tmp_path, ("Léa", "Tom", "Zoé")) as room:
        desk = await room.teacher()
        _pages = [await room.page(name) for name in room.classroom.names]
        await desk.write(Begin("people"))
        await desk.write(Finish())
        await desk.desk(over)
        await desk.write(Begin("people", format="swiss"))
        await desk.desk(lambda desk: desk.league is not None and desk.league.number == 2)
        await desk.write(Finish())
        await desk.desk(over)
    usual, asked = season(tmp_path).league, season(tmp_path, 2).league
    assert (usual.format, asked.format, asked.rounds) == ("round-robin", "swiss", 5)
    assert (usual.name, asked.name) == ("2nde 4 · league 1", "2nde 4 · league 2")
