"""Looking through games that are over: each key, the graph, the review of a server or of this computer, files."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path

import pytest

import games
from client.connection import Client
from client.people import keeping
from client.people.hot_seat import HotSeatController
from client.people.recorded import Recorded, played
from client.tui.app import ArbitreApp
from client.tui.drawing.graph import Scale, graph_lines
from client.tui.place import Place
from client.tui.reviewer import Reviewer
from client.tui.screens.onlooking import open_file
from client.tui.screens.review import Graph, ReviewScreen, look_through
from client.tui.widgets.board import Board
from client.tui.widgets.moves import Moves
from games import parse
from processes.child import ChildError
from protocol.errors import ErrorCode
from protocol.messages import Review, Reviewed
from protocol.values import Judged
from tests.client.tui.hall import TICKET, Hall, Visit, in_place, visit
from tests.client.tui.stage import match, seen, shown, snapshot, until

GAME = "443352565534"
GRADES = ("best", "good", "mistake", "best", "inaccuracy", "blunder", "best", "good", "mistake", "best", "best", "best")
CHANCES = (500, 560, 620, 580, 450, 300, 350, 900, 950, 980, 1000, 1000, 1000)
JUDGED = (
    *(
        Judged(ply, CHANCES[ply], ply > 8, best=("7", "1"), line=("7", "7", "1"), grade=grade)  # type: ignore[arg-type]
        for ply, grade in enumerate(GRADES)
    ),
    Judged(12, 1000, True),
)


def game() -> Recorded:
    found = played(games.parse("puissance4"), GAME, ("Ada", "Karim"))
    assert found is not None
    return found


def looking(*, review: bool = False) -> Callable[[ArbitreApp, Client], Awaitable[object]]:
    async def show(app: ArbitreApp, client: Client) -> None:
        await in_place(client, lambda place: look_through(app, game(), place, review=review, at=0))

    return show


@asynccontextmanager
async def reviewed(hall: Hall | None = None, *, size: tuple[int, int] = (80, 24)) -> AsyncGenerator[Visit]:
    async with visit(hall or Hall(judged=JUDGED), looking(review=True), size=size) as found:
        yield found


def at(found: Visit) -> str:
    return next(line for line in found.text().splitlines() if " | move " in line)


async def test_each_key_of_a_replay() -> None:
    async with visit(Hall(), looking()) as found:
        await found.sees("Ada", "Karim", "move 0 of 12")
        places = []
        for key in ("n", "right", "l", "p", "left", "end", "n", "home", "p", "j", "k"):
            await found.press(key)
            places.append(at(found).split("move ")[1].split()[0])
        assert places == ["1", "2", "3", "2", "1", "12", "12", "0", "0", "1", "0"]
        await found.press("f1")
        await found.sees("space plays")
        await found.press("escape")
        await found.sees_no("space plays")
        board = found.app.screen.query_one(Board)
        await found.press("f5")
        assert board.turned
        await found.press("q")
        await until(found.pilot, lambda: not isinstance(found.app.screen, ReviewScreen))


async def test_space_shows_one_move_after_the_other(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("client.tui.screens.review.PLAY_S", 0.01)
    async with visit(Hall(), looking()) as found:
        await found.sees("move 0 of 12")
        await found.press("space")
        await found.sees("move 12 of 12", "Karim wins: 4 in a line.")
        await found.press("space")
        await found.sees("move 12 of 12")


async def test_the_replay_is_made_faster_and_slower() -> None:
    async with visit(Hall(), looking()) as found:
        for key, seconds in (("plus", "0.4"), ("plus", "0.2"), ("plus", "0.2"), ("minus", "0.4"), ("minus", "0.8")):
            await found.press(key)
            await found.sees(f"{seconds} s for each move.")
            screen = found.app.screen
            assert isinstance(screen, ReviewScreen)
            assert screen._clock._interval == float(seconds)


async def test_a_move_is_looked_at_by_a_click() -> None:
    async with visit(Hall(), looking()) as found:
        await found.sees("move 0 of 12")
        await found.pilot.click(Moves, offset=(6, 1))
        await found.sees("move 3 of 12")


async def test_a_review_is_asked_for_and_grows() -> None:
    hall = Hall()
    async with visit(hall, looking()) as found:
        await found.sees("r  Review")
        await found.press("r")
        asked = await found.asked(Review, follow=True)
        assert (asked.game, asked.moves) == ("puissance4", tuple(GAME))
        await found.sees("The review begins")
        await found.says(Reviewed(TICKET, "queued", 3))
        await found.sees("In the queue: 3 before this one.")
        await found.says(Reviewed(TICKET, "running", 0, JUDGED[9:]), Reviewed("another", "failed", why="failed"))
        await found.sees("4 of 13 positions judged")
        await found.press("end")
        await found.sees("12. 4: best", "The first player wins (proven).")
        await found.says(Reviewed(TICKET, "done", 0, JUDGED[:9]))
        await found.sees("The review is complete.", "Ada: 1 ?!  2 ?  0 ??", "Karim: 0 ?!  0 ?  1 ??")
        await found.sees_no("r  Review")
        await found.press("escape")
        await found.asked(Review, follow=False)


async def test_turning_points_are_jumped_to() -> None:
    async with reviewed() as found:
        await found.sees("The review is complete.", "3. 3: mistake", "6. 2: blunder")
        places = []
        for key in ("t", "t", "t", "t", "T", "2", "1", "5"):
            await found.press(key)
            places.append(at(found).split("move ")[1].split()[0])
        assert places == ["3", "6", "9", "3", "9", "6", "3", "3"]


async def test_the_better_line_is_shown_move_by_move() -> None:
    async with reviewed() as found:
        await found.sees("The review is complete.")
        await found.press("t", "t")
        await found.sees("Better: 7, 1", "s  Show me", "35 % (opinion)")
        await found.press("s")
        await found.sees("Better: [7] 7 1", "s  The game")
        await found.press("n")
        await found.sees("Better: 7 [7] 1")
        await found.press("end")
        await found.sees("Better: 7 7 [1]")
        await found.press("escape")
        await found.sees("Better: 7, 1", "move 6 of 12")


async def test_keys_and_turning_points_are_clicked() -> None:
    async with reviewed(size=(120, 40)) as found:
        await found.sees("The review is complete.")
        await found.pilot.click("#points", offset=(2, 0))
        await found.sees("move 3 of 12")
        await found.pilot.click("#keys", offset=(2, 0))
        await found.sees("move 2 of 12")
        width = found.app.screen.query_one(Graph).size.width
        await found.pilot.click(Graph, offset=(width - 1, 1))
        await found.sees("move 12 of 12")


@pytest.mark.parametrize(
    ("code", "said"),
    [
        (ErrorCode.BEING_PLAYED, "may be playing this"),
        (ErrorCode.RATE_LIMITED, "Not so fast"),
    ],
)
async def test_what_is_refused_is_said_and_can_be_asked_again(code: ErrorCode, said: str) -> None:
    hall = Hall(judged=JUDGED, refusal=code)
    async with reviewed(hall, size=(120, 30)) as found:
        await found.sees(said, "r asks again.")
        hall.refusal = None
        await found.press("r")
        await found.sees("The review is complete.")


async def test_a_review_that_ends_early_says_why() -> None:
    async with reviewed(Hall(), size=(120, 30)) as found:
        await found.says(Reviewed(TICKET, "failed", why="being_played"))
        await found.sees("may be playing this", "r asks again.")


async def test_a_review_is_asked_for_again_after_a_lost_connection() -> None:
    hall = Hall()
    async with reviewed(hall) as found:
        await found.asked(Review, follow=True)
        assert hall.wire is not None
        hall.judged = JUDGED
        hall.wire.drop()
        await found.sees("The review is complete.")


@pytest.mark.parametrize("hall", [Hall(refusal=ErrorCode.NO_SERVICE), Hall()])
async def test_a_server_without_reviews_leads_to_this_computer(monkeypatch: pytest.MonkeyPatch, hall: Hall) -> None:
    async with reviewed(hall, size=(120, 30)) as found:
        if hall.refusal is None:
            await found.says(Reviewed(TICKET, "failed", why="no_service"))
        await found.sees("The server has nobody for that", "r reviews it on this computer.")
        begun: list[Reviewer] = []

        async def begin(reviewer: Reviewer) -> Place:
            begun.append(reviewer)
            raise ChildError("there is no room")

        monkeypatch.setattr(Reviewer, "_start", begin)
        await found.press("r")
        await found.sees("there is no room")
        assert begun


@pytest.mark.parametrize("size", [(40, 16), (80, 24), (200, 60)])
async def test_a_review_fits_windows_of_all_sizes(size: tuple[int, int]) -> None:
    async with reviewed(size=size) as found:
        await found.press("t")
        await found.sees("3. 3: mistake", "move 3 of 12")


async def test_a_match_that_is_over_leads_to_its_review() -> None:
    over = snapshot("puissance4", tuple(GAME), status="finished")
    async with match(over) as stage:
        await stage.press("f9")
        review = await stage.hears(Review, ok=False)
        assert review.moves == tuple(GAME)
        await stage.sees("The review begins", "Bob")
        await stage.press("escape")
        await until(stage.pilot, lambda: not isinstance(stage.app.screen, ReviewScreen))


RECORD = "# two games\n443352565534\nb2a1c3a3c1\n"


async def test_games_that_were_played_here_are_listed_and_opened(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    for names in (("Ada", "Zoé"), ("Bob", "Eve")):
        table = HotSeatController(parse("morpion"), names)
        for move in ("a1", "b2", "a2", "c3", "a3"):
            await table.play(move)
        keeping.keep(keeping.record_of(table.view, 1_767_222_000_000))
    async with shown(open_file) as (app, pilot):
        text = partial(seen, app)
        await until(pilot, lambda: "Bob - Eve" in text() and "Ada - Zoé" in text(), text)
        await pilot.press("down", "enter")
        await until(pilot, lambda: "Tic-tac-toe | move 0 of 5" in text() and "Ada wins" in text(), text)
        await pilot.press("escape")
        await until(pilot, lambda: "Look through games" in text(), text)
        await pilot.press("enter")  # the cursor is where it was
        await until(pilot, lambda: "Ada wins" in text(), text)
        await pilot.press("escape", "escape")


async def test_games_are_taken_out_of_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    (tmp_path / "games.txt").write_text(RECORD)
    (tmp_path / "notes.md").write_text("nothing")
    monkeypatch.chdir(tmp_path)
    async with shown(open_file) as (app, pilot):
        text = partial(seen, app)
        await until(pilot, lambda: "games.txt" in text(), text)
        assert "notes.md" not in text()
        await pilot.press("f1")
        await until(pilot, lambda: "Tab goes between" in text(), text)
        await pilot.press(*"notes.md", "enter")
        await until(pilot, lambda: "no game in it" in text(), text)
        await pilot.press(*["backspace"] * 8, "down", "enter")
        await until(pilot, lambda: "games.txt: 2 games" in text(), text)
        await pilot.press("down", "enter")
        await until(pilot, lambda: "Tic-tac-toe | move 0 of 5" in text(), text)
        await pilot.press("escape")
        await until(pilot, lambda: "2 games" in text(), text)
        await pilot.press("escape")
        await until(pilot, lambda: "Look through games" in text(), text)
        await pilot.press("escape")


def graph(steps: tuple[Judged, ...], at: int = 0, *, ascii_only: bool = False) -> list[str]:
    plies = len(steps) - 1
    lines = graph_lines({step.ply: step for step in steps}, Scale(plies, plies + 1), at, 7, ascii_only=ascii_only)
    return ["".join(span.text for span in line) for line in lines]


def test_the_graph_tells_who_stood_better_and_what_is_proven() -> None:
    assert graph(JUDGED, 3) == [
        "       ▒▒████",
        "       ▒▒████",
        "─────▒▒▒▒████",
        "     ▒▒      ",
        "             ",
        "   ?  ?? ?   ",
        "   ▲         ",
    ]


def test_the_graph_has_letters_only_where_terminals_know_no_others() -> None:
    assert set("".join(graph(JUDGED, ascii_only=True))) <= set(" :#-?^")


@pytest.mark.parametrize(("plies", "width"), [(0, 80), (12, 80), (300, 40), (5, 1)])
def test_each_position_has_its_column(plies: int, width: int) -> None:
    scale = Scale(plies, width)
    assert all(0 <= scale.column_of(ply) < width for ply in range(plies + 1))
    assert all(0 <= scale.ply_at(column) <= plies for column in range(width))
    if width > plies:
        assert all(scale.ply_at(scale.column_of(ply)) == ply for ply in range(plies + 1)) or width == 1
