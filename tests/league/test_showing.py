"""What a server is told of a league: told to a real referee, without a network between them."""

from __future__ import annotations

import asyncio
import stat
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from client.connection import Incoming
from client.errors import ConnectionLost, Refused
from league.history.log import Log
from league.history.season import Season, begin
from league.runner import LeagueRunner
from league.showing import NAME, Showing, kept_key
from protocol.codec import decode_client, encode
from protocol.messages import Error, FollowLeague, LeagueGame, LeagueMatch, Ok, Scoreboard, ShowLeague, Welcome
from tests.league.fakes import CoinExecutor, league
from tests.server.desk import Desk, User

KEY = "k" * 24


class Way:
    """Stands in for the connection of who plays a league: what is asked goes to a referee, as bytes."""

    def __init__(self, user: User) -> None:
        self.user = user
        self.asked: list[ShowLeague] = []
        self.lost = False

    async def ask(self, make: type[ShowLeague], **fields: Any) -> Ok:
        if self.lost:
            raise ConnectionLost("away")
        (message,) = decode_client(encode(make(self.user.desk.request_id(), **fields)))
        assert isinstance(message, ShowLeague), message
        self.asked.append(message)
        answer = self.user.ask(message)
        if isinstance(answer, Error):
            raise Refused(answer)
        return answer


class Shown:
    """A league that is shown on a desk, and somebody who looks at it."""

    def __init__(self) -> None:
        self.desk = Desk()
        self.way = Way(self.desk.user("Host"))
        self.eve = self.desk.user("Eve")
        self.said: list[str] = []
        self.showing = Showing(KEY, self.said.append, every_s=0)
        self.playing: Sequence[LeagueMatch] = ()

    async def told(self) -> None:
        """Waits until the server was told all."""
        async with asyncio.timeout(20):
            await self.showing._told.wait()

    def board(self) -> Scoreboard:
        answer = self.eve.ok(FollowLeague(self.desk.request_id(), self.showing.id))
        assert isinstance(answer.scoreboard, Scoreboard)
        return answer.scoreboard

    def games(self) -> list[LeagueGame]:
        found: list[LeagueGame] = []
        before: int | None = None
        while True:
            answer = self.eve.ok(FollowLeague(self.desk.request_id(), self.showing.id, before=before))
            found += answer.games or ()
            if not isinstance(answer.more, int):
                return found[::-1]
            before = answer.more


def seasons(folder: Path, size: int = 4, rounds: int = 1, **more: Any) -> list[Season]:
    """A league of coins that was played to its end, as its log grew."""
    with Log(folder) as log:
        log.append(begin(league(size, rounds=rounds, **more), [], folder))
        runner = LeagueRunner(log, CoinExecutor())
        asyncio.run(runner.run())
        entries = log.entries
    counts = [number for number, entry in enumerate(entries, 1) if entry.kind in ("played", "finished")]
    return [Season.of(entries[:1]), *(Season.of(entries[:count]) for count in counts)]


def run(shown: Shown, steps: Iterable[Season], after: Callable[[Season], None] = lambda _season: None) -> None:
    """Shows a league step by step; `after` is called when the server was told of one."""

    async def scene() -> None:
        shown.showing = Showing(KEY, shown.said.append, every_s=0)
        task = asyncio.create_task(shown.showing.run(shown.way, lambda: shown.playing))
        for season in steps:
            shown.showing.look(season)
            await shown.told()
            after(season)
        task.cancel()

    asyncio.run(scene())


def check(shown: Shown, season: Season) -> None:
    """What is shown is what the season says."""
    told, table = shown.board(), season.as_json()
    rows: list[dict[str, Any]] = table["rows"]  # type: ignore[assignment]  # as `league standings --json` prints it
    cross: list[list[dict[str, Any] | None]] = table["crosstable"]  # type: ignore[assignment]  # as above
    assert [(row.name, row.rank, row.points, row.played) for row in told.rows] == [
        (row["name"], row["rank"], row["points"], row["games"]) for row in rows
    ]
    assert [(row.rating, row.error) for row in told.rows] == [(row["rating"], row["error"]) for row in rows]
    assert [row.buchholz for row in told.rows] == [row["tie_breaks"].get("buchholz") for row in rows]
    are_told = any(one.points == other.points and one.rank < other.rank for one, other in pairwise(told.rows))
    first = "buchholz" if "buchholz" in rows[0]["tie_breaks"] else "direct"
    assert told.ties == (first if are_told else None)
    for row, made in zip(told.rows, cross, strict=True):
        points = [None if cell is None or not _met(cell) else cell["points"] for cell in made]
        assert list(row.against) == points
    assert (told.played, told.planned) == (len(season.games), season.planned)
    assert [(game.number, game.first, game.second, game.winner, game.moves) for game in shown.games()] == [
        (number, game.first, game.second, game.winner, " ".join(game.moves))
        for number, game in enumerate(season.games, 1)
    ]


def _met(cell: dict[str, Any]) -> bool:
    return any(cell[what] for what in ("wins", "draws", "losses"))


@pytest.mark.parametrize("format_", ["round-robin", "swiss"])
def test_what_is_shown_is_the_table_from_the_first_game_to_the_last(tmp_path: Path, format_: str) -> None:
    shown, steps = Shown(), seasons(tmp_path, 5, 2, format=format_)
    states: list[str] = []

    def after(season: Season) -> None:
        check(shown, season)
        states.append(shown.board().state)

    run(shown, steps, after)
    assert (states[0], states[1], states[-1]) == ("open", "running", "finished")
    assert not shown.said


def test_each_game_is_told_once_unless_some_were_annulled(tmp_path: Path) -> None:
    shown, steps = Shown(), seasons(tmp_path)

    def kicked() -> Iterator[Season]:
        yield from steps
        assert sum(len(asked.games) for asked in shown.way.asked) == len(steps[-1].games)
        assert sum(asked.again for asked in shown.way.asked) == 1
        steps[-1].take(steps[-1].kicking("Dan", annul=True))
        yield steps[-1]

    run(shown, kicked(), lambda season: check(shown, season))
    assert sum(asked.again for asked in shown.way.asked) == 2
    assert all("Dan" not in (game.first, game.second) for game in shown.games())


def test_a_server_that_has_forgotten_the_league_is_told_all_of_it(tmp_path: Path) -> None:
    shown, steps = Shown(), seasons(tmp_path)

    async def scene() -> None:
        shown.showing = Showing(KEY, shown.said.append, every_s=0)
        task = asyncio.create_task(shown.showing.run(shown.way, lambda: shown.playing))
        shown.showing.look(steps[2])
        await shown.told()
        shown.way.lost = True
        shown.showing.look(steps[3])
        await shown.told()
        again = Shown()
        shown.desk, shown.eve = again.desk, again.eve
        shown.way.user, shown.way.lost = again.way.user, False
        shown.showing.hear(welcome())
        await shown.told()
        task.cancel()

    asyncio.run(scene())
    check(shown, steps[3])


def test_its_page_stays_until_somebody_stops_it_and_that_is_no_interruption(tmp_path: Path) -> None:
    shown, steps = Shown(), seasons(tmp_path)

    async def league() -> str:
        task = asyncio.create_task(shown.showing.run(shown.way, lambda: shown.playing))
        await shown.showing.settle()
        async with asyncio.timeout(20):  # which a cancellation that is still noted would end
            task.cancel()
            await asyncio.wait({task})
        return "the table"

    async def scene() -> None:
        shown.showing = Showing(KEY, shown.said.append, every_s=0, stays=True)
        shown.showing.look(steps[-2])
        await asyncio.wait_for(shown.showing.settle(), 20)  # one that is not over keeps nobody
        shown.showing.look(steps[-1])
        command = asyncio.create_task(league())
        while not shown.said:  # noqa: ASYNC110 - it says nothing to wait for
            await asyncio.sleep(0)
        assert not command.done()
        command.cancel()
        assert await command == "the table"
        assert not command.cancelling()

    asyncio.run(scene())
    assert "Ctrl-C" in shown.said[0]


def welcome() -> Incoming:
    desk = Desk()
    desk.user("Ada")
    return next(message for said in desk.received.values() for message in said if isinstance(message, Welcome))


def test_the_games_that_run_are_told_with_the_names_of_the_league(tmp_path: Path) -> None:
    shown, steps = Shown(), seasons(tmp_path)
    shown.playing = [LeagueMatch(f"m{number}", "Ada", "Bob") for number in range(70)]
    run(shown, steps[:2])
    assert shown.board().playing == tuple(shown.playing[:64])


@pytest.mark.slow
def test_a_large_and_long_league_fits_into_what_a_server_takes(tmp_path: Path) -> None:
    """More games than are kept, in parts; a title that is too long; no crosstable among very many."""
    shown = Shown()
    season = seasons(tmp_path, size=5, rounds=40)[-1]
    season.league = replace(season.league, name="x" * 100)
    assert len(season.games) > 500
    run(shown, [season])
    assert shown.board().title == "x" * 64
    assert [game.number for game in shown.games()] == list(range(len(season.games) - 499, len(season.games) + 1))
    assert max(len(encode(asked)) for asked in shown.way.asked) < 1 << 16


def test_a_refusal_is_said_once_and_ends_it(tmp_path: Path) -> None:
    shown, steps = Shown(), seasons(tmp_path)
    steps[1].league = replace(steps[1].league, name="a\u202eb")
    task_ended = False

    async def scene() -> None:
        nonlocal task_ended
        shown.showing.look(steps[1])
        async with asyncio.timeout(20):
            await shown.showing.run(shown.way, lambda: shown.playing)
        task_ended = True

    asyncio.run(scene())
    assert task_ended
    assert len(shown.said) == 1


@pytest.mark.skipif("os.name == 'nt'", reason="modes")
def test_the_secret_is_kept_in_the_folder_for_its_owner_alone(tmp_path: Path) -> None:
    key = kept_key(tmp_path)
    assert kept_key(tmp_path) == key
    assert stat.S_IMODE((tmp_path / NAME).stat().st_mode) == 0o600
    assert Showing(key, print).id == Showing(kept_key(tmp_path), print).id
    (tmp_path / "other").mkdir()
    assert kept_key(tmp_path / "other") != key
