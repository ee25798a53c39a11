"""What happens in a lesson: questions, badges, games against oneself and the teacher, one's games and their prints."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from protocol.messages import Create, Finished, Join, Judged, MakeMove, Resign
from school import host, judging, messages
from school.messages import (
    Announce,
    Arrive,
    Ask,
    Begin,
    Climb,
    Desk,
    Draft,
    Drafted,
    Face,
    Forget,
    Games,
    GetDraft,
    GetGames,
    GetPrints,
    GetVersion,
    Hall,
    Prints,
    Reply,
    Return,
    Reveal,
    Simul,
    Source,
    Submissions,
    Turn,
)
from tests.school.pages import FIRST, PATIENCE_S, Page, opened, over, refused

pytestmark = [pytest.mark.slow, pytest.mark.asyncio]

FAILS = """\
def choose(position):
    moves = position.legal_moves()
    return moves[0] if len(moves) > 7 else moves[9]
"""
PRINTS = "def choose(position):\n    print('ply', len(position.legal_moves()))\n    return position.legal_moves()[-1]\n"


async def test_what_was_said_to_all_leaves_the_wall(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(host, "NEWS_MS", 8_000)
    async with opened(tmp_path, ("Léa",)) as room:
        desk = await room.teacher()
        await desk.write(Announce("Five minutes!"))
        await desk.desk(lambda told: told.said == "Five minutes!")
        await desk.desk(lambda told: told.said is None)


@asynccontextmanager
async def playing(*pages: Page) -> AsyncGenerator[None]:
    """Pupils who play what they are invited to."""
    tasks = [asyncio.create_task(page.play_along()) for page in pages]
    try:
        yield
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def test_all_answer_the_teachers_question(tmp_path: Path) -> None:
    async with opened(tmp_path, ("Léa", "Tom"), review=True) as room:
        desk, lea, tom = await room.teacher(), await room.page("Léa"), await room.page("Tom")
        assert await refused(desk, Ask("morpion", ("a1", "a1"))) == "bad_position"
        assert await refused(desk, Reveal()) == "nothing_runs"
        moves = ("a1", "b1", "a2", "b2")
        await desk.write(Ask("morpion", moves))
        hall = await lea.hall(lambda hall: hall.question is not None)
        assert hall.question is not None
        assert (hall.question.moves, hall.question.counts) == (moves, None)
        number = hall.question.number
        assert await refused(lea, Reply(number, "b2")) == "bad_position"
        assert await refused(lea, Reply(number + 1, "a3")) == "not_now"
        await lea.write(Reply(number, "c1"))
        await lea.write(Reply(number, "a3"))
        await tom.write(Reply(number, "c2"))
        await desk.place("Tom", lambda place: place.answered == "c2")
        hall = await lea.hall(lambda hall: hall.mine == "a3")
        assert hall.question is not None
        assert hall.question.counts is None
        await desk.write(Reveal())
        shown = await tom.hall(lambda hall: hall.question is not None and hall.question.verdict)
        assert shown.question is not None
        assert shown.question.counts == {"a3": 1, "c2": 1}
        assert "a3" in shown.question.best
        assert shown.question.verdict.startswith("With best play the first player")
        assert await refused(tom, Reply(number, "a3")) == "not_now"
        await desk.write(Reveal(over=True))
        await tom.hall(lambda hall: hall.question is None)


async def test_the_judge_waits_while_people_play_through_the_position(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also longer than it waits for anything else; and it speaks once their game is over."""
    monkeypatch.setattr(judging, "AGAIN_S", 0.05)
    monkeypatch.setattr(judging, "TRIES", 1)
    tries, often = 0, asyncio.Event()
    review = judging.Judging._review

    async def counted(self: judging.Judging, game: str, moves: Sequence[str]) -> dict[int, Judged]:
        nonlocal tries
        tries += 1
        if tries > 3:
            often.set()
        return await review(self, game, moves)

    monkeypatch.setattr(judging.Judging, "_review", counted)
    async with opened(tmp_path, ("Léa", "Tom"), review=True) as room:
        desk, lea, tom = await room.teacher(), await room.page("Léa"), await room.page("Tom")
        match = (await lea.client.request(Create, game="morpion", seat="first")).match
        assert isinstance(match, str)
        await tom.client.request(Join, match=match)
        moves = ("a1", "b1", "a2", "b2")  # openings are open to all
        for number, move in enumerate(moves):
            await (lea, tom)[number % 2].client.request(MakeMove, match=match, ply=number, move=move)
        await desk.write(Ask("morpion", moves))
        hall = await lea.hall(lambda hall: hall.question is not None)
        assert hall.question is not None
        await lea.write(Reply(hall.question.number, "a3"))
        await desk.place("Léa", lambda place: place.answered == "a3")
        await desk.write(Reveal())
        shown = await lea.hall(lambda hall: hall.question is not None and hall.question.counts)
        assert shown.question is not None
        assert (shown.question.counts, shown.question.verdict, shown.question.best) == ({"a3": 1}, "", ())
        async with asyncio.timeout(PATIENCE_S):
            await often.wait()
        await tom.client.request(Resign, match=match)
        shown = await lea.hall(lambda hall: hall.question is not None and hall.question.verdict)
        assert shown.question is not None
        assert shown.question.verdict.startswith("With best play")


async def test_a_version_climbs_and_its_author_plays_against_it(tmp_path: Path) -> None:
    async with opened(tmp_path, ("Léa",), game="puissance4") as room:
        lea = await room.page("Léa")
        assert await refused(lea, Climb()) == "not_now"
        assert await refused(lea, Face()) == "not_now"
        await lea.hand_in(FIRST)
        await lea.hall(lambda hall: hall.works and hall.works[0].check == "works")
        ladder = (await lea.hall()).ladder
        assert [rung.badge for rung in ladder][:2] == ["random", "first"]
        assert ladder[0].state == "next"
        await lea.write(Climb())
        assert await refused(lea, Climb()) == "running"
        hall = await lea.hall(lambda hall: hall.ladder[0].state != "running" and hall.ladder[0].played)
        rung = hall.ladder[0]
        assert (rung.state == "won") == (rung.won > 2)
        async with playing(lea):
            await lea.write(Face())
            async with asyncio.timeout(60):
                while not any(isinstance(message, Finished) for message in lea.others):
                    lea.news.clear()
                    await lea.news.wait()


async def test_its_author_alone_is_told_how_it_failed_against_them(tmp_path: Path) -> None:
    async with opened(tmp_path, ("Léa",)) as room:
        desk, lea = await room.teacher(), await room.page("Léa")
        await lea.hand_in(FAILS)
        assert (await lea.hall(lambda hall: hall.works and hall.works[0].check == "fails")).works[0].faced is None
        async with playing(lea):
            await lea.write(Face())
            fault = (await lea.hall(lambda hall: hall.works[0].faced is not None)).works[0].faced
        assert fault is not None
        assert (fault.line, fault.code.strip()) == (3, "return moves[0] if len(moves) > 7 else moves[9]")
        assert fault.position
        work = (await desk.place("Léa", lambda place: place.work is not None)).work
        assert work is not None
        assert work.faced is None


async def test_the_teacher_plays_against_all(tmp_path: Path) -> None:
    async with opened(tmp_path, ("Léa", "Tom", "Zoé")) as room:
        desk = await room.teacher()
        pages = [await room.page(name) for name in ("Léa", "Tom")]
        await desk.place("Tom", lambda place: place.here)
        async with playing(desk, *pages):
            await desk.write(Simul(desk.client.name))
            async with asyncio.timeout(60):
                while sum(isinstance(message, Finished) for message in desk.others) < 2:
                    desk.news.clear()
                    await desk.news.wait()
        assert await refused(desk, Simul(desk.client.name, names=("Zoé",))) == "nothing_runs"


async def test_games_have_their_first_mistake_and_what_was_printed(tmp_path: Path) -> None:
    async with opened(tmp_path, ("Léa", "Tom"), review=True) as room:
        desk, lea, tom = await room.teacher(), await room.page("Léa"), await room.page("Tom")
        for page, text in ((lea, FIRST), (tom, PRINTS)):
            await page.hand_in(text)
            await page.hall(lambda hall: hall.works and hall.works[0].check == "works")
        await desk.write(Begin("bots", format="round_robin"))
        await desk.desk(over)
        told = await tom.ask(GetGames(), Games)
        assert [game.opponent for game in told.games] == ["Léa", "Léa"]
        assert {game.seat for game in told.games} == {1, 2}
        assert {game.version for game in told.games} == {1}
        game = told.games[0]
        prints = await tom.ask(GetPrints(game.game), Prints)
        assert prints.lines
        assert all(text == f"ply {9 - ply}" for ply, text in prints.lines)
        assert {ply % 2 for ply, _text in prints.lines} == {game.seat - 1}
        async with asyncio.timeout(60):
            while not all(game.judged for game in (await tom.ask(GetGames(), Games)).games):
                await tom.ask(Arrive(), Hall)
        assert await refused(lea, GetPrints(7)) == "nothing_runs"


async def test_its_author_alone_is_told_how_a_program_failed(tmp_path: Path) -> None:
    async with opened(tmp_path, ("Léa", "Tom")) as room:
        desk, lea, tom = await room.teacher(), await room.page("Léa"), await room.page("Tom")
        for page, text in ((lea, FAILS), (tom, FIRST)):
            await page.hand_in(text)
            await page.hall(lambda hall: hall.works and hall.works[0].check in ("works", "fails"))
        await desk.write(Begin("bots", format="round_robin"))
        await desk.desk(over)
        for game in (await lea.ask(GetGames(), Games)).games:
            assert (game.reason, game.made, game.version) == ("crash", 0, 1)
            fault = (await lea.ask(GetPrints(game.game), Prints)).fault
            assert fault is not None
            assert fault.what.startswith("The index goes past the end of the tuple")
            assert (fault.line, fault.code.strip()) == (3, "return moves[0] if len(moves) > 7 else moves[9]")
            assert (await tom.ask(GetPrints(game.game), Prints)).fault is None
        await lea.write(Climb())
        hall = await lea.hall(lambda hall: hall.ladder[0].state != "running" and hall.ladder[0].played)
        assert hall.ladder[0].fault is not None
        assert (hall.ladder[0].fault.line, hall.ladder[0].version, hall.plays) == (3, 1, 1)
        await desk.write(Turn(hints=False))
        await desk.desk(lambda told: not told.allowed.hints)
        hall = await lea.hall(lambda hall: not hall.allowed.hints)
        assert hall.ladder[0].fault is not None
        assert hall.ladder[0].fault.hint == ""


async def test_drafts_versions_and_closed_doors(tmp_path: Path) -> None:
    async with opened(tmp_path, ("Léa", "Tom")) as room:
        desk, lea, tom = await room.teacher(), await room.page("Léa"), await room.page("Tom")
        assert (await lea.ask(GetDraft(), Drafted)).parts == 0
        await lea.ask(Draft("a.py", 5, 0, 1, "newer"), Drafted)
        kept = await lea.ask(Draft("a.py", 4, 0, 1, "older"), Drafted)
        assert (kept.text, kept.at) == ("newer", 5)
        assert (await tom.ask(GetDraft(), Drafted)).parts == 0
        await lea.ask(Forget(), Drafted)
        assert (await lea.ask(GetDraft(), Drafted)).parts == 0
        long = "# é\n" * 8000 + FIRST
        await lea.hand_in(long)
        await lea.hall(lambda hall: len(hall.works) == 1)
        assert await refused(lea, messages.Submit("b.py", 0, 1, FIRST)) == "not_now"
        since = len(lea.heard)
        await lea.write(GetVersion(1))
        await lea.until(Source, lambda source: source.part == source.parts - 1, since)
        assert "".join(part.text for part in lea.heard[since:] if isinstance(part, Source)) == long
        assert await refused(tom, GetVersion(1)) == "no_pupil"
        await desk.write(Return("Léa", 1, "Bravo"))
        assert (await lea.hall(lambda hall: hall.works[0].comment)).works[0].comment == "Bravo"
        await desk.write(Submissions(open=False))
        await tom.hall(lambda hall: not hall.open)
        assert await refused(tom, messages.Submit("b.py", 0, 1, FIRST)) == "closed"
        await desk.ask(Submissions(open=True, until=1), Desk, lambda desk: not desk.open)


async def test_what_is_no_program_is_refused_in_words(tmp_path: Path) -> None:
    async with opened(tmp_path, ("Léa",)) as room:
        lea = await room.page("Léa")
        for file, text, code in (
            ("virus.exe", FIRST, "bad_name"),
            ("empty.py", "  ", "bad_name"),
            ("null.py", "a\x01b", "bad_name"),
        ):
            assert await refused(lea, messages.Submit(file, 0, 1, text)) == code
        assert await refused(lea, messages.Submit("b.py", 1, 2, FIRST)) == "bad_letter"
        await lea.write(messages.Submit("b.py", 0, 2, "x" * 16_000))
        assert await refused(lea, messages.Submit("other.py", 1, 2, "x")) == "bad_letter"
        await lea.hand_in("[" * 20_000, "../../deep.ipynb")
        hall = await lea.hall(lambda hall: hall.works and hall.works[0].check == "fails")
        assert isinstance(hall, Hall)
        assert hall.works[0].file == "deep.ipynb"
        assert hall.works[0].fault is not None
        assert "deep.ipynb is no notebook" in hall.works[0].fault.what
