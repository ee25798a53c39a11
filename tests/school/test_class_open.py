"""A class that is open: people come, hand in, hear what becomes of it, and find all of it again."""

from __future__ import annotations

from pathlib import Path

import pytest

from school.messages import Arrive, Hall, Look, Refused, Submissions
from tests.school.pages import FIRST, Page, opened

pytestmark = pytest.mark.asyncio


async def refused(page: Page, letter: object) -> str:
    """The code with which a letter is refused."""
    return (await page.ask(letter, Refused)).code


async def test_a_pupil_comes_hands_in_and_it_is_checked(tmp_path: Path) -> None:
    async with opened(tmp_path, ("Léa", "Tom")) as room:
        desk = await room.teacher()
        lea = await room.page("Léa")
        hall = await lea.hall()
        assert (hall.name, hall.title, hall.game, hall.open, hall.works) == ("Léa", "2nde 4", "morpion", True, ())
        assert hall.bots == room.opened.door.bots
        await desk.place("Léa", lambda place: place.here)
        assert not desk.places["Tom"].here
        await lea.hand_in(FIRST)
        hall = await lea.hall(lambda hall: hall.works and hall.works[0].check == "works")
        (work,) = hall.works
        assert (work.version, work.file, work.passed, work.fault) == (1, "bot.py", work.of, None)
        place = await desk.place("Léa", lambda place: place.work is not None and place.work.check == "works")
        assert place.versions == 1
        assert (tmp_path / "submitted" / "Léa" / "v1_bot.py").read_text() == FIRST


async def test_who_is_not_the_teacher_writes_nothing_that_the_desk_writes(tmp_path: Path) -> None:
    async with opened(tmp_path, ("Léa", "Tom")) as room:
        lea, desk = await room.page("Léa"), await room.teacher()
        assert await refused(lea, Look()) == "bad_letter"
        assert await refused(lea, Submissions(open=False)) == "bad_letter"
        assert await refused(desk, Arrive()) == "no_pupil"
        assert (await lea.ask(Arrive(), Hall)).open
