"""Who does harm to a class, or means to: programs that look around or never end, full disks, letters of strangers."""

from __future__ import annotations

import asyncio
import errno
import os
import threading
from pathlib import Path

import pytest

from client.connection import Client
from client.errors import Refused as NotAllowed
from processes.sandbox import obstacle
from protocol.messages import Enter, Invitation, Told, Write
from school.journal import Journal
from school.messages import (
    MAX_PART,
    Admit,
    Announce,
    Arrive,
    Begin,
    Draft,
    Drafted,
    Face,
    Forget,
    GetDraft,
    Hall,
    News,
    Refused,
    Remove,
    Source,
    Submit,
)
from school.parts import meetings
from school.parts.handing_in import HandingIn
from school.programs.pupil_files import Draft as KeptDraft
from school.programs.pupil_files import PupilFiles
from tests.school.pages import FIRST, opened

pytestmark = [pytest.mark.slow, pytest.mark.asyncio]

SPY = """
import os
def choose(position):
    seen = []
    for place in (".", "..", "../..", "../../.."):
        try:
            seen += [place + "/" + name for name in os.listdir(place)]
        except OSError:
            pass
    for name in ("../../codes.json", "../../secret", "../../door.json", "../Tom/v1_bot.py", "v1_bot.py"):
        try:
            open(name).close()
            seen.append("READ " + name)
        except OSError:
            pass
    raise ValueError(" ".join(seen))
"""

HANGS = "def choose(position):\n    while True:\n        pass\n"


@pytest.mark.skipif(obstacle() is not None, reason="no sandbox here")
async def test_a_program_sees_nothing_of_the_class(tmp_path: Path) -> None:
    async with opened(tmp_path, ("Léa", "Tom")) as room:
        lea, tom = await room.page("Léa"), await room.page("Tom")
        await tom.hand_in(FIRST)
        await tom.hall(lambda hall: hall.works and hall.works[0].check == "works")
        await lea.hand_in(SPY, "spy.py")
        hall = await lea.hall(lambda hall: hall.works and hall.works[0].check == "fails")
        fault = hall.works[0].fault
        assert fault is not None
        said = f"{fault.what} {fault.printed}"
        assert "spy.py" in said
        for secret in ("codes.json", "secret", "door.json", "journal", "Tom", "READ"):
            assert secret not in said


async def test_one_that_never_ends_holds_nobody_up(tmp_path: Path) -> None:
    async with opened(tmp_path, ("Léa", "Tom"), clock="2s") as room:
        lea, tom = await room.page("Léa"), await room.page("Tom")
        await lea.hand_in(HANGS)
        await tom.hand_in(FIRST)
        await tom.hall(lambda hall: hall.works and hall.works[0].check == "works")
        hall = await lea.hall(lambda hall: hall.works and hall.works[0].check == "fails")
        fault = hall.works[0].fault
        assert fault is not None
        assert "endless loop" in fault.what
        assert fault.line in (2, 3)
        assert fault.position.splitlines()[1].startswith(" ")
        assert fault.position.count("\n") >= 3


async def test_a_full_disk_is_said_and_nothing_is_lost(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with opened(tmp_path, ("Léa", "Tom")) as room:
        desk, lea = await room.teacher(), await room.page("Léa")

        def full(journal: Journal, *events: object) -> None:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

        with monkeypatch.context() as patch:
            patch.setattr(Journal, "append", full)
            assert (await lea.ask(Submit("b.py", 0, 1, FIRST), Refused)).code == "disk"
            assert (await desk.ask(Announce("Bonjour"), Refused)).code == "disk"
            assert (await desk.ask(Begin("bots"), Refused)).code == "disk"
        assert not list((tmp_path / "submitted").rglob("*.py"))
        await lea.hand_in(FIRST)
        await lea.hall(lambda hall: hall.works and hall.works[0].check == "works")
        assert (await lea.ask(Arrive(), Hall)).league is None


async def test_letters_that_make_no_sense_and_those_of_strangers(tmp_path: Path) -> None:
    async with opened(tmp_path, ("Léa", "Tom")) as room:
        lea = await room.page("Léa")
        for text in ("{}", '{"type":"desk"}', '{"type":"arrive","x":1}', "[" * 30_000, '""', '{"type":"climb"}' * 2):
            since = len(lea.heard)
            await lea.client.request(Write, code=lea.code, text=text)
            assert (await lea.until(Refused, since=since)).code == "bad_letter"
        async with Client(room.url, name="Eve", kind="human") as eve:
            with pytest.raises(NotAllowed, match="no_such_league"):
                await eve.request(Write, code=lea.code, text='{"type":"arrive"}')
            for personal in (None, "BIDULEBI", room.codes["Léa"][:-1]):
                with pytest.raises(NotAllowed, match="bad_code"):
                    await eve.request(Enter, code=lea.code, personal=personal)
            with pytest.raises(NotAllowed):
                await eve.request(Enter, code=room.opened.entrance.bots, personal="BIDULEBI")
        assert (await lea.ask(Arrive(), Hall)).name == "Léa"


async def test_a_letter_that_breaks_something_costs_that_letter_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(part: HandingIn, writer: object, letter: object) -> None:
        raise KeyError("broken")

    monkeypatch.setattr(HandingIn, "_forget", broken)
    async with opened(tmp_path, ("Léa", "Tom")) as room:
        lea = await room.page("Léa")
        assert (await lea.ask(Forget(), Refused)).what == "forget"
        assert any("KeyError" in line for line in room.said)
        assert (await lea.ask(Arrive(), Hall)).name == "Léa"


async def test_who_is_removed_is_out_until_they_are_let_in_again(tmp_path: Path) -> None:
    async with opened(tmp_path, ("Léa", "Tom")) as room:
        desk, lea = await room.teacher(), await room.page("Léa")
        await desk.write(Remove("Léa"))
        await desk.place("Léa", lambda place: place.removed and not place.here)
        with pytest.raises(NotAllowed):
            await lea.client.request(Write, code=lea.code, text='{"type":"arrive"}')
        with pytest.raises(NotAllowed, match="bad_code"):
            await lea.client.request(Enter, code=lea.code, personal=room.codes["Léa"])
        await desk.write(Admit("Léa"))
        await desk.write(Admit("Zoé", "Groupe 2"))
        await desk.place("Zoé", lambda place: place.team == "Groupe 2")
        assert (await desk.ask(Admit("ZOÉ"), Refused)).code == "bad_name"
        assert "'\u0391da' can't be a name" in (await desk.ask(Admit("\u0391da"), Refused)).text
        assert (await (await room.page("Léa")).hall()).name == "Léa"
        zoe = await room.page("Zoé", keep(tmp_path)["Zoé"])
        assert (await zoe.hall()).team == "Groupe 2"
        await desk.write(Announce("On commence"))
        said = await zoe.until(News)
        assert said.text == "On commence"
        tom = await room.page("Tom")  # who comes later hears of it, too
        assert (await tom.hall(lambda hall: hall.news is not None)).news == said


async def test_a_flood_of_one_pupil_holds_nobody_up(tmp_path: Path) -> None:
    async with opened(tmp_path, ("Léa", "Tom")) as room:
        lea, tom = await room.page("Léa"), await room.page("Tom")

        async def flood() -> None:
            for _time in range(400):
                lea.client.send(Write, code=lea.code, text='{"type":"get_games"}')
                await asyncio.sleep(0)  # so that it is sent before the next one is written

        task = asyncio.create_task(flood())
        await tom.hand_in(FIRST)
        await tom.hall(lambda hall: hall.works and hall.works[0].check == "works")
        await task
        assert not [message for message in tom.others if isinstance(message, Told)]
        assert (await tom.ask(Arrive(), Hall)).works[0].check == "works"


async def test_what_a_pupil_is_told_has_a_bound_that_no_connection_takes_away(tmp_path: Path) -> None:
    async with opened(tmp_path, ("Léa", "Tom")) as room:
        lea, tom = await room.page("Léa"), await room.page("Tom")
        await lea.hand_in(FIRST + "#" * 200_000)
        await lea.hall(lambda hall: hall.works)
        since = len(lea.heard)
        for _time in range(60):
            lea.client.send(Write, code=lea.code, text='{"type":"get_version","version":1}')
        assert (await lea.until(Refused, since=since)).code == "not_now"
        assert (await tom.ask(Arrive(), Hall)).name == "Tom"
        parts = -(-len(FIRST + "#" * 200_000) // MAX_PART)
        assert sum(isinstance(letter, Source) for letter in lea.heard) < 10 * parts


async def test_nobody_waits_for_the_disk_with_the_draft_of_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    slow, keep_draft = threading.Event(), PupilFiles.keep_draft
    begun = {"Léa": threading.Event(), "Tom": threading.Event()}

    def keep_slowly(files: PupilFiles, name: str, draft: KeptDraft) -> None:
        begun[name].set()
        slow.wait(60)
        keep_draft(files, name, draft)

    monkeypatch.setattr(PupilFiles, "keep_draft", keep_slowly)
    async with opened(tmp_path, ("Léa", "Tom")) as room:
        lea, tom = await room.page("Léa"), await room.page("Tom")
        try:
            for at in (1, 2, 3):
                await lea.write(Draft("a.py", at, 0, 1, f"# {at}"))
            assert (await lea.ask(GetDraft(), Drafted)).text == "# 3"
            assert (await tom.ask(Arrive(), Hall)).name == "Tom"
            assert not [letter for letter in lea.heard if isinstance(letter, Drafted) and letter.parts == 0]
            await tom.write(Draft("b.py", 1, 0, 1, "# gone"))
            assert await asyncio.to_thread(begun["Tom"].wait, 60), "else it may be erased before anybody writes it"
            await tom.ask(Forget(), Drafted)
        finally:
            slow.set()
        await lea.until(Drafted, lambda told: told.parts == 0 and told.at == 3)
        assert PupilFiles(tmp_path).draft("Léa") == KeptDraft("a.py", 3, "# 3")
        await tom.until(Drafted, lambda told: told.at == 1)
        async with asyncio.timeout(60):
            while PupilFiles(tmp_path).draft("Tom") is not None:  # noqa: ASYNC110 - nobody tells when a file is gone
                await asyncio.sleep(0.01)


async def test_who_does_not_sit_down_against_their_program_keeps_no_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(meetings, "MOST_FACING", 1)
    monkeypatch.setattr(meetings, "JOIN_S", 0.5)
    async with opened(tmp_path, ("Léa", "Tom")) as room:
        lea, tom = await room.page("Léa"), await room.page("Tom")
        for page in (lea, tom):
            await page.hand_in(FIRST)
            await page.hall(lambda hall: hall.works and hall.works[0].check == "works")
        await lea.write(Face())
        async with asyncio.timeout(90):
            while not any(isinstance(message, Invitation) for message in tom.others):
                await tom.write(Face())
                await asyncio.sleep(0.3)  # asked too often, a class answers nothing
        assert [line for line in room.said if "Léa" in line]


def keep(folder: Path) -> dict[str, str]:
    """The personal codes that are kept."""
    import json

    found: dict[str, str] = json.loads((folder / "codes.json").read_text(encoding="utf-8"))
    return found
