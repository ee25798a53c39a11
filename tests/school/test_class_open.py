"""A class that is open: people come, hand in, hear what becomes of it, and find all of it again."""

from __future__ import annotations

from pathlib import Path

import pytest

from client.connection import Client
from league.history.log import load
from league.history.season import Season
from school.folder import read_entrance
from school.messages import (
    Arrive,
    Begin,
    Cards,
    Desk,
    Export,
    GetCards,
    GetExport,
    GetSimilar,
    Hall,
    Look,
    Rename,
    Similar,
    Submissions,
    Turn,
)
from school.opening import kept_secret
from school.rooms import Room
from tests.school.pages import FIRST, LAST, Page, opened, over, programs, refused

pytestmark = pytest.mark.asyncio


@pytest.mark.slow
async def test_a_pupil_comes_hands_in_and_it_is_checked(tmp_path: Path) -> None:
    async with opened(tmp_path, ("Léa", "Tom")) as room:
        desk = await room.teacher()
        lea = await room.page("Léa")
        hall = await lea.hall()
        assert (hall.name, hall.title, hall.game, hall.open, hall.works) == ("Léa", "2nde 4", "morpion", True, ())
        assert hall.bots == room.opened.entrance.bots
        await desk.place("Léa", lambda place: place.here)
        assert not desk.places["Tom"].here
        await lea.hand_in(FIRST)
        hall = await lea.hall(lambda hall: hall.works and hall.works[0].check == "works")
        (work,) = hall.works
        assert (work.version, work.file, work.passed, work.fault) == (1, "bot.py", work.of, None)
        place = await desk.place("Léa", lambda place: place.work is not None and place.work.check == "works")
        assert place.versions == 1
        assert (tmp_path / "submitted" / "Léa" / "v1_bot.py").read_text() == FIRST


async def test_what_is_written_while_the_class_opens_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Pages come back by themselves; the server tells them that their letter has arrived."""
    pages: list[Page] = []
    enter_room = Room.__aenter__

    async def enter(room: Room) -> Room:
        entrance = read_entrance(tmp_path)
        assert entrance is not None
        if room.code == entrance.bots:
            client = Client(room._url, name="teacher", kind="human", organiser=kept_secret(tmp_path))
            pages.append(Page(await client.__aenter__(), entrance.code))
            await pages[0].write(Look())
        return await enter_room(room)

    async with opened(tmp_path, ("Léa",)) as room:
        await room.close()
        monkeypatch.setattr(Room, "__aenter__", enter)
        await room.open()
        (page,) = pages
        try:
            assert (await page.until(Desk)).code == room.opened.entrance.code
        finally:
            await page.close()


async def test_who_is_not_the_teacher_writes_nothing_that_the_desk_writes(tmp_path: Path) -> None:
    async with opened(tmp_path, ("Léa", "Tom")) as room:
        lea, desk = await room.page("Léa"), await room.teacher()
        assert await refused(lea, Look()) == "bad_letter"
        assert await refused(lea, Submissions(open=False)) == "bad_letter"
        assert await refused(desk, Arrive()) == "no_pupil"
        assert (await lea.ask(Arrive(), Hall)).open


@pytest.mark.slow
async def test_a_league_of_what_was_handed_in(tmp_path: Path) -> None:
    async with opened(tmp_path, ("Léa", "Tom", "Zoé")) as room:
        desk = await room.teacher()
        pages = await programs(room, FIRST, LAST, FIRST)
        await desk.write(Begin("bots", format="round_robin", graded=True))
        assert await refused(desk, Begin("people")) == "running"
        await desk.desk(over)
        assert {place.bot for place in desk.places.values()} <= {"file", "away", "none"}
        await desk.place("Zoé", lambda place: place.points is not None)
        hall = await pages[0].hall(lambda hall: hall.league is not None and hall.league.state == "finished")
        assert hall.league is not None
        assert hall.league.played == 6
        season = Season.of(load(tmp_path / "leagues" / "01"))
        assert season.finished
        assert {name for game in season.games for name in (game.first, game.second)} == {"Léa", "Tom", "Zoé"}
        assert not [game for game in season.games if game.faulty]


@pytest.mark.slow
async def test_the_desk_gets_its_papers(tmp_path: Path) -> None:
    async with opened(tmp_path, ("Léa", "Tom")) as room:
        desk, lea = await room.teacher(), await room.page("Léa")
        await lea.hand_in(FIRST)
        await lea.hall(lambda hall: hall.works and hall.works[0].check == "works")
        await desk.write(Rename("Tom", "Thomas"))
        await desk.place("Thomas", lambda place: place.versions == 0)
        cards = await desk.ask(GetCards(), Cards)
        assert cards.codes == {"Léa": room.codes["Léa"], "Thomas": room.codes["Tom"]}
        assert cards.address == f"{room.opened.entrance.address}/class/{room.opened.entrance.code}#"
        told = await desk.ask(GetExport(), Export)
        assert "Léa" in told.text
        assert "Thomas" in told.text
        assert (await desk.ask(GetSimilar(), Similar)).pairs == ()
        await desk.write(Turn(chat=False, hints=False))
        hall = await lea.hall(lambda hall: not hall.allowed.hints)
        assert not hall.allowed.chat
        assert hall.allowed.values
