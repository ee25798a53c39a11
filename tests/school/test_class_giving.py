"""What the teacher gives to all pupils, and what is seen at the desk of a single one: their draft, their code."""

from __future__ import annotations

from pathlib import Path

import pytest

from school.messages import (
    Arrive,
    Cards,
    Draft,
    Drafted,
    GetCards,
    GetDraft,
    GetSource,
    GetVersion,
    Give,
    Hall,
    Handout,
    Rename,
    Source,
)
from tests.school.pages import FIRST, opened, refused

pytestmark = pytest.mark.asyncio


async def test_all_are_given_the_teachers_file_also_after_a_restart(tmp_path: Path) -> None:
    async with opened(tmp_path, ("Léa", "Tom")) as room:
        lea, desk = await room.page("Léa"), await room.teacher()
        assert await refused(lea, GetVersion(0)) == "not_now"
        assert await refused(lea, Give("a.py", 0, 1, FIRST)) == "bad_letter"
        assert await refused(desk, Give("a.exe", 0, 1, FIRST)) == "bad_name"
        assert await refused(desk, Give("a.py", 0, 1, " ")) == "bad_name"
        await desk.write(Give("début du TP.py", 0, 2, FIRST[:9]))
        await desk.write(Give("début du TP.py", 1, 2, FIRST[9:]))
        hall = await lea.hall(lambda hall: hall.given)
        assert isinstance(hall.given, Handout)
        assert hall.given.file == "début_du_TP.py"
        assert (await desk.desk(lambda told: told.given)).given == hall.given
        told = await lea.ask(GetVersion(0), Source)
        assert (told.version, told.file, told.text) == (0, "début_du_TP.py", FIRST)
        await room.close()
        await room.open()
        tom = await room.page("Tom")
        assert (await tom.ask(Arrive(), Hall)).given == hall.given
        assert (await tom.ask(GetVersion(0), Source)).text == FIRST


async def test_a_file_with_the_name_of_the_one_before_is_another_one(tmp_path: Path) -> None:
    async with opened(tmp_path, ("Léa",)) as room:
        lea, desk = await room.page("Léa"), await room.teacher()
        await desk.write(Give("a.py", 0, 1, FIRST))
        before = (await lea.hall(lambda hall: hall.given)).given
        await desk.write(Give("a.py", 0, 1, "# better"))
        await lea.hall(lambda hall: hall.given and hall.given != before)
        assert (await lea.ask(GetVersion(0), Source)).text == "# better"


async def test_the_teacher_reads_what_is_being_written(tmp_path: Path) -> None:
    async with opened(tmp_path, ("Léa", "Tom")) as room:
        lea, desk = await room.page("Léa"), await room.teacher()
        assert await refused(desk, GetSource("Léa", 0)) == "no_pupil"
        assert await refused(desk, GetSource("Nobody", 0)) == "no_pupil"
        await lea.ask(Draft("b.py", 3, 0, 1, "# half"), Drafted)
        told = await desk.ask(GetSource("Léa", 0), Source)
        assert (told.name, told.version, told.file, told.text) == ("Léa", 0, "b.py", "# half")
        assert await refused(desk, GetSource("Tom", 0)) == "no_pupil"


async def test_a_draft_stays_that_of_who_is_called_otherwise(tmp_path: Path) -> None:
    async with opened(tmp_path, ("Léa",)) as room:
        lea, desk = await room.page("Léa"), await room.teacher()
        await lea.ask(Draft("b.py", 3, 0, 1, "# half"), Drafted)
        await desk.write(Rename("Léa", "Léa B."))
        await lea.hall(lambda hall: hall.name == "Léa B.")
        assert (await lea.ask(GetDraft(), Drafted)).text == "# half"
        assert (await desk.ask(GetSource("Léa B.", 0), Source)).text == "# half"


async def test_the_desk_shows_the_code_of_one_who_has_lost_their_card(tmp_path: Path) -> None:
    async with opened(tmp_path, ("Léa", "Tom")) as room:
        desk = await room.teacher()
        assert (await desk.ask(GetCards("Tom"), Cards)).codes == {"Tom": room.codes["Tom"]}
        assert await refused(desk, GetCards("Nobody")) == "no_pupil"
