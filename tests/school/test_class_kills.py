"""The command as a teacher runs it: killed amid a league, and opened again."""

from __future__ import annotations

import asyncio
import signal
import sys
from contextlib import ExitStack, suppress
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from league.history.log import load
from league.history.season import Season
from protocol.messages import Invitation, Join, LeagueMatch
from school.folder import read_entrance
from school.messages import Begin, Finish
from school.parts.leagues import Leagues
from tests.school.pages import FIRST, Page, over
from tests.school.teachers import Teacher, beyond, class_in, games

pytestmark = [pytest.mark.asyncio, pytest.mark.slow, pytest.mark.skipif(sys.platform == "win32", reason="signals")]


async def test_a_teacher_whose_machine_dies_goes_on(tmp_path: Path) -> None:
    folder = tmp_path / "class"
    codes = class_in(folder, ("Léa", "Tom", "Zoé"))
    with ExitStack() as stack:
        teacher = Teacher(tmp_path, stack)
        teacher.open()
        first = (teacher.code, teacher.secret)
        pages = [await teacher.pupil(name, code) for name, code in codes.items()]
        for page in pages:
            await page.hand_in(FIRST)
        for page in pages:
            await page.hall(lambda hall: hall.works and hall.works[0].check == "works")
        desk = await teacher.desk(1)
        await desk.write(Begin("bots", format="round_robin", rounds=40))
        await desk.desk(beyond(4))
        for number, kill in enumerate((signal.SIGKILL, signal.SIGINT), 2):
            teacher.process.send_signal(kill)
            await asyncio.to_thread(teacher.process.wait, 30)
            done = games(folder)
            teacher.open()
            assert (teacher.code, teacher.secret) == first
            desk = await teacher.desk(number)
            await desk.desk(beyond(done + 4))
        await desk.write(Finish())
        await desk.desk(over)
        assert not [game for game in Season.of(load(folder / "leagues" / "01")).games if game.faulty]
        for private in ("codes.json", "secret", "door.json", "journal.jsonl", "host.json"):
            assert (folder / private).stat().st_mode & 0o077 == 0
        entrance = read_entrance(folder)
        assert entrance is not None
        assert entrance.code == teacher.code
        for page in (*pages, desk):
            await page.close()


async def test_games_that_were_played_when_the_class_closed_are_ended_and_played_again(tmp_path: Path) -> None:
    folder = tmp_path / "class"
    codes = class_in(folder, ("Léa", "Tom"))
    with ExitStack() as stack:
        teacher = Teacher(tmp_path, stack)
        teacher.open()
        pages = [await teacher.pupil(name, code) for name, code in codes.items()]
        desk = await teacher.desk(1)
        await desk.write(Begin("people", format="round_robin"))
        first = await sat_down(pages, {""})
        await kept(folder, first)
        before = {"", first}
        for number, kill in enumerate((signal.SIGINT, signal.SIGKILL), 2):
            teacher.process.send_signal(kill)
            await asyncio.to_thread(teacher.process.wait, 30)
            teacher.open()
            desk = await teacher.desk(number)
            for page, code in zip(pages, codes.values(), strict=True):
                await teacher.enter(page, code)
            after = await sat_down(pages, before)
            await kept(folder, after)
            assert await played(desk, after) == {after}
            before.add(after)
        for page in (*pages, desk):
            await page.close()


async def sat_down(pages: list[Page], before: set[str]) -> str:
    """The match that both were invited to after those before, once they have joined it."""
    found = ""
    for page in pages:
        async with asyncio.timeout(60):
            while not (new := [invited(one) for one in page.others if invited(one) not in before]):
                page.news.clear()
                await page.news.wait()
        found = new[-1]
        await page.client.request(Join, match=found)
    return found


async def kept(folder: Path, match: str) -> None:
    """Waits until the class has heard of its match and written it down, which may come after the invitation."""
    async with asyncio.timeout(60):
        while match not in written_down(folder):  # noqa: ASYNC110 - no file says that it changed
            await asyncio.sleep(0.01)


def written_down(folder: Path) -> list[str]:
    """The games that are being played, as the class keeps them; no file, no games: it may be that none has begun."""
    with suppress(FileNotFoundError):
        return (folder / "playing.txt").read_text().split()
    return []


async def test_while_the_class_closes_no_game_is_forgotten_and_a_new_one_is_written_down(tmp_path: Path) -> None:
    here = SimpleNamespace(playing=[LeagueMatch("first", "Ada", "Tom")])
    nobody = SimpleNamespace(playing=[])
    core: Any = SimpleNamespace(
        folder=tmp_path, state=SimpleNamespace(league=None), people=SimpleNamespace(organiser=here),
        bots=SimpleNamespace(organiser=nobody),
    )  # fmt: skip
    leagues = Leagues(core, cast("Any", None))
    leagues.keep_games()
    here.playing = [LeagueMatch("second", "Ada", "Zoé")]
    leagues.keep_games()
    await kept(tmp_path, "second")
    leagues.close()
    here.playing = [LeagueMatch("third", "Ada", "Tom")]
    leagues.keep_games()
    here.playing = []
    leagues.keep_games()
    assert (tmp_path / "playing.txt").read_text().split() == ["second", "third"]


def invited(message: object) -> str:
    """The match of an invitation."""
    return message.match if isinstance(message, Invitation) else ""


async def played(page: Page, match: str) -> set[str]:
    """The matches that are played, once one of them is."""
    async with asyncio.timeout(60):
        while True:
            found = await page.playing()
            if match in found:
                return found
            await asyncio.sleep(0.05)  # nobody says which matches have begun: it is asked again
