"""What onlookers see: the list of what is played, many boards, a league; each key of these screens."""

from __future__ import annotations

import pytest
from textual.widgets import OptionList

from client.tui.drawing.grid import GAP, grid_of
from client.tui.screens.league import LeagueScreen
from client.tui.screens.live import LiveScreen
from client.tui.screens.match import MatchScreen
from client.tui.screens.review import ReviewScreen
from client.tui.screens.wall import WallScreen
from client.tui.widgets.tiles import Tiles
from protocol.messages import (
    Closing,
    Finished,
    FollowLeague,
    FollowLobby,
    LeagueChanged,
    LeagueGame,
    Leave,
    LobbyChanged,
    Result,
    Scoreboard,
    Watch,
)
from protocol.values import LeagueMatch, ScoreRow
from tests.client.tui.hall import LEAGUE, Hall, Visit, board, visit
from tests.client.tui.stage import until

ONE, TWO, THREE = (board(match, moves="f5d6") for match in ("oneaaaaa", "twoaaaaa", "threeaaa"))
ROWS = (ScoreRow("Karim", 1, 2.5, 3, rating=60, error=40), ScoreRow("Zoé", 2, 0.5, 3, rating=-60, error=40))


def scoreboard(*playing: LeagueMatch, state: str = "running", played: int = 3) -> Scoreboard:
    return Scoreboard("Prof", "Class", "morpion", state, played, 6, ROWS, playing)  # type: ignore[arg-type]


async def on(seen: Visit, kind: type) -> None:
    await until(seen.pilot, lambda: isinstance(seen.app.screen, kind), lambda: repr(seen.app.screen))


def tiles(seen: Visit) -> Tiles:
    return seen.app.screen.query_one(Tiles)


async def test_the_list_is_kept_up_to_date_and_keeps_its_cursor() -> None:
    async with visit(Hall(ONE, TWO)) as seen:
        await seen.sees("2 games are being played.", "Othello, 5m+3s, 2 moves")
        await seen.press("down")
        await seen.begins(THREE)
        await seen.sees("3 games are being played.")
        await seen.press("enter")
        await seen.asked(Watch, match="oneaaaaa")
        await on(seen, MatchScreen)


async def test_a_list_of_nothing_says_so_and_fills_by_itself() -> None:
    async with visit(Hall(), size=(40, 16)) as seen:
        await seen.sees("Nobody is playing here")
        await seen.press("enter")
        await seen.begins(ONE)
        await seen.sees("1 game is being played.")


async def test_a_list_that_changed_too_much_is_asked_for_again() -> None:
    async with visit(Hall(ONE)) as seen:
        await seen.sees("1 game")
        seen.hall.boards["twoaaaaa"] = TWO
        await seen.says(LobbyChanged(again=True))
        await seen.sees("2 games")


async def test_after_a_lost_connection_the_list_is_asked_for_again() -> None:
    async with visit(Hall(ONE)) as seen:
        await seen.sees("1 game")
        seen.hall.boards["twoaaaaa"] = TWO
        assert seen.hall.wire is not None
        seen.hall.wire.drop()
        await seen.sees("2 games")


async def test_each_key_of_the_list() -> None:
    async with visit(Hall(ONE, TWO)) as seen:
        await seen.sees("2 games")
        await seen.press("j", "k", "f1")
        await seen.sees("Up and down choose, Enter watches")
        await seen.press("w")
        await on(seen, WallScreen)
        await seen.sees("2 boards")
        await seen.press("escape")
        await on(seen, LiveScreen)
        await seen.sees("2 games")
        await seen.pilot.click(OptionList, offset=(3, 0))
        await on(seen, MatchScreen)
        await seen.press("escape")
        await on(seen, LiveScreen)
        await seen.asked(Leave, match="twoaaaaa")
        await seen.press("q")
        await seen.asked(FollowLobby, follow=False)


async def test_who_is_shown_a_match_late_is_told_so() -> None:
    async with visit(Hall(board("oneaaaaa", delay_ms=30_000))) as seen:
        await seen.sees("1 game")
        await seen.press("enter")
        await seen.sees("seen 30 s late")
        await seen.press("escape")
        await seen.sees("1 game")
        await seen.press("w")
        await seen.sees("1 board | seen 30 s late")


async def test_a_wall_shows_boards_as_they_go_on() -> None:
    async with visit(Hall(ONE, TWO)) as seen:
        await seen.press("w")
        await seen.sees("2 boards", "4:58", "4:01")
        before = seen.text()
        await seen.moves("oneaaaaa", "c3")
        await until(seen.pilot, lambda: seen.text() != before)
        seen.clock.now += 3
        await seen.sees("4:55")


async def test_a_board_that_is_over_stays_a_while_then_makes_room() -> None:
    async with visit(Hall(ONE, TWO)) as seen:
        await seen.press("w")
        await seen.sees("2 boards")
        await seen.says(Finished("oneaaaaa", 4, Result(1, "resign", (0, 0))))
        await seen.sees("wins: ")
        await seen.begins(gone=("oneaaaaa",))
        await seen.sees("2 boards")
        seen.clock.now += 10
        await seen.sees("1 board")
        await seen.asked(Leave, match="oneaaaaa")


async def test_boards_that_do_not_fit_take_pages_of_which_one_is_followed() -> None:
    boards = [board(f"board{number:03}", moves="f5") for number in range(10)]
    async with visit(Hall(*boards)) as seen:
        await seen.press("w")
        await seen.sees("10 boards | page 1 of 2")
        assert len(seen.all_asked(Watch)) == 8
        await seen.press("pagedown")
        await seen.sees("page 2 of 2")
        await seen.asked(Watch, match="board000")
        assert len(seen.all_asked(Leave)) == 8
        await seen.press("space")
        await seen.sees("page 1 of 2")
        await seen.press("pageup")
        await seen.sees("page 2 of 2")


async def test_each_key_of_a_wall() -> None:
    async with visit(Hall(ONE, TWO, THREE)) as seen:
        await seen.press("w")
        await until(seen.pilot, lambda: len(tiles(seen).seen) == 3)
        chosen = [tiles(seen).chosen]
        for key in ("right", "l", "h", "left", "left", "down", "up"):
            await seen.press(key)
            chosen.append(tiles(seen).chosen)
        assert chosen == [
            "threeaaa",
            "twoaaaaa",
            "oneaaaaa",
            "twoaaaaa",
            "threeaaa",
            "threeaaa",
            "threeaaa",
            "threeaaa",
        ]
        await seen.press("f1")
        await seen.sees("Arrows choose, Enter watches")
        await seen.press("right", "enter")
        await on(seen, MatchScreen)
        assert seen.app.screen.view.match == "twoaaaaa"  # type: ignore[attr-defined]  # as said
        await seen.press("escape")
        await on(seen, WallScreen)
        await until(seen.pilot, lambda: len(tiles(seen).seen) == 3)
        await seen.pilot.click(Tiles, offset=(2, 2))
        await on(seen, MatchScreen)


async def test_a_wall_is_asked_for_again_after_a_lost_connection() -> None:
    async with visit(Hall(ONE)) as seen:
        await seen.press("w")
        await seen.sees("1 board")
        asked = len(seen.all_asked(Watch))
        assert seen.hall.wire is not None
        seen.hall.wire.say(Closing(retry_after_ms=1000))
        seen.hall.wire.drop()
        await seen.sees("Trying to come back")
        await until(seen.pilot, lambda: len(seen.all_asked(Watch)) > asked)
        await seen.sees_no("Trying to come back")


async def test_a_match_that_can_not_be_watched_takes_no_place() -> None:
    hall = Hall(ONE, TWO)
    async with visit(hall) as seen:
        await seen.sees("2 games")
        del hall.boards["oneaaaaa"]
        await seen.press("down", "enter")
        await seen.sees("There is no such match")


@pytest.mark.parametrize(("theme", "ascii_only"), [("light", False), ("contrast", True)])
async def test_walls_of_all_kinds_and_sizes(theme: str, *, ascii_only: bool) -> None:
    games = ("othello", "puissance4", "morpion", "breakthrough", "othello:size=10")
    boards = [board(f"board{number:03}", game) for number, game in enumerate(games)]
    async with visit(Hall(*boards), size=(40, 16), theme=theme, ascii_only=ascii_only) as seen:
        await seen.press("w")
        await seen.sees("5 boards | page 1 of")
        await seen.pilot.resize_terminal(200, 60)
        await seen.sees("Connect Four", "Breakthrough")
        await seen.sees_no("page 1")


@pytest.mark.parametrize(
    ("count", "board_size", "window", "expected"),
    [
        (1, (8, 8), (80, 22), (2, 1, 2)),
        (8, (8, 8), (80, 22), (4, 2, 1)),
        (30, (8, 8), (200, 58), (10, 5, 1)),
        (4, (3, 3), (80, 22), (4, 2, 2)),
        (3, (10, 10), (10, 5), (1, 1, 1)),
    ],
)
def test_boards_are_as_large_as_they_can_be(
    count: int, board_size: tuple[int, int], window: tuple[int, int], expected: tuple[int, int, int]
) -> None:
    grid = grid_of(count, board_size, *window)
    assert (grid.columns, grid.rows, grid.size) == expected


def test_a_point_belongs_to_one_tile() -> None:
    grid = grid_of(8, (8, 8), 80, 22)
    for number in range(grid.places):
        left, top = grid.corner(number)
        assert grid.tile_at(left, top) == grid.tile_at(left + grid.width - 1, top + grid.height - 1) == number
        assert grid.tile_at(left + grid.width + GAP - 1, top) is None
    assert grid.tile_at(0, 22) is None


async def test_a_league_is_told_live_and_its_games_lead_on() -> None:
    over = LeagueGame(3, "Karim", "Zoé", 1, "line", "b2a1c3")
    hall = Hall(ONE, scoreboard=scoreboard(), played=(over,))
    async with visit(hall) as seen:
        await seen.sees("Class")
        await seen.press("enter")
        await seen.sees("3 of 6 games played.", "Karim", "2.5", "+60 ±40", "3. Karim - Zoé  1-0")
        await seen.stands(scoreboard(LeagueMatch("oneaaaaa", "Zoé", "Karim"), played=4))
        await seen.sees("4 of 6 games played.", "> Zoé - Karim")
        await seen.press("enter")
        await on(seen, ReviewScreen)
        await seen.press("escape")
        await on(seen, LeagueScreen)
        await seen.sees("> Zoé - Karim")
        await seen.press("home", "enter")
        await on(seen, MatchScreen)
        await seen.asked(Watch, match="oneaaaaa")
        await seen.press("escape", "escape")
        await on(seen, LiveScreen)
        await seen.asked(FollowLeague, follow=False)


async def test_each_key_of_a_league() -> None:
    games = tuple(LeagueGame(number, "Karim", "Zoé", None, "full") for number in (2, 1))
    async with visit(Hall(scoreboard=scoreboard(), played=games), size=(40, 16)) as seen:
        await seen.sees("Class")
        await seen.press("enter")
        await seen.sees("2. Karim - Zoé  ½-½")
        await seen.press("j", "k", "f1")
        await seen.sees("Enter watches a game")
        await seen.press("enter")
        await seen.sees("The moves of this game are not known")
        await seen.pilot.click(offset=(2, 15))
        await seen.press("q")
        await on(seen, LiveScreen)


async def test_a_league_that_is_gone_comes_back_by_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("client.tui.screens.league.TRY_AGAIN_S", 0.02)
    async with visit(Hall(scoreboard=scoreboard())) as seen:
        await seen.sees("Class")
        await seen.press("enter")
        await seen.sees("3 of 6")
        seen.hall.scoreboard = None
        await seen.says(LeagueChanged(LEAGUE))
        await seen.sees("No league is shown here")
        seen.hall.scoreboard = scoreboard(state="finished")
        await seen.sees("Over, after 3 games.")


@pytest.mark.parametrize("keys", [("escape",), ("w", "escape", "escape"), ("enter", "escape", "escape")])
async def test_leaving_before_the_server_has_answered_harms_nothing(keys: tuple[str, ...]) -> None:
    async with visit(Hall(ONE, scoreboard=scoreboard())) as seen:
        await seen.sees("Class")
        for key in keys:
            await seen.pilot.press(key)
            await seen.says(LobbyChanged(again=True))
        await seen.pilot.pause(0.1)
    assert seen.app.failure is None
