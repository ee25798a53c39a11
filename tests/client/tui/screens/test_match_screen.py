"""The screen of a match, key by key: what its reader sees, and what the server hears."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from client.people import keeping
from client.people.controller import OnlineController
from client.people.settings import read
from client.tui.screens.match import MatchScreen
from client.tui.widgets.board import Board
from client.tui.widgets.moves import Moves
from games import GAMES
from games.base import Labels
from protocol.messages import (
    Answer,
    Chat,
    Claim,
    Clock,
    Closing,
    Declined,
    Error,
    Finished,
    GiveTime,
    MakeMove,
    Moved,
    Offer,
    Offered,
    Ok,
    Passed,
    Presence,
    Rematched,
    Resign,
    Result,
    Said,
    SeatClock,
    Started,
    Sync,
    TookBack,
    YourTurn,
)
from tests.client.tui.stage import BOB, CLOCK, match, snapshot, until

ENDED = Result(1, "line", (1, 0), cells=((0, 0), (0, 1), (0, 2)))


async def test_a_game_is_played_by_cursor_and_refusals_are_said() -> None:
    async with match(snapshot("morpion")) as stage:
        await stage.sees("Your turn.", "Ada (you)", "Bob")
        await stage.press("left", "up", "enter")
        move = await stage.hears(MakeMove, ok=False)
        assert (move.move, move.ply) == ("a1", 0)
        await stage.says(Moved("m", 2, 0, 1, "a1", 2), Ok(move.id))
        await stage.sees("You play a1.", "Bob is to move.")
        await stage.press("enter")
        await stage.sees("It is not your turn.")
        assert stage.wire.heard_nothing()
        await stage.says(Moved("m", 3, 1, 2, "b2", 1))
        await stage.sees("Bob plays b2.", "Your turn.")
        await stage.press("enter")
        move = await stage.hears(MakeMove, ok=False)
        await stage.says(Error("illegal_move", "no", move.id, data={"why": "occupied"}))
        await stage.sees("a1 is taken already.")
        assert stage.board.pointer.cursor == (0, 0)


@pytest.mark.parametrize(("keys", "cell"), [("hk", (0, 0)), ("lj", (2, 2))])
async def test_hjkl_are_arrows_and_letters_of_cells_at_once(keys: str, cell: tuple[int, int]) -> None:
    async with match(snapshot("morpion")) as stage:
        await stage.press(*keys)
        assert stage.board.pointer.cursor == cell
    async with match(snapshot("othello")) as stage:
        await stage.press("h", "5")
        assert stage.board.pointer.cursor == (7, 4)
        await stage.sees("h5: Enter plays it.")
        await stage.press("f", "5", "enter")
        assert (await stage.hears(MakeMove)).move == "f5"


async def test_a_cell_in_column_h_ends_a_move_that_is_typed() -> None:
    async with match(snapshot("breakthrough:size=8")) as stage:
        await stage.press(*"g2h")
        assert stage.board.pointer.typed == "g2h"
        await stage.press("3", "enter")
        assert (await stage.hears(MakeMove, ok=False)).move == "g2h3"
    async with match(snapshot("breakthrough:size=8")) as stage:
        await stage.press("c", *"h2g3", "enter")
        assert (await stage.hears(MakeMove, ok=False)).move == "h2g3"


@pytest.mark.parametrize(("key", "sign"), [("minus", "-"), ("x", "x")])
async def test_a_move_may_be_typed_with_a_sign_between_its_cells(key: str, sign: str) -> None:
    async with match(snapshot("breakthrough:size=8")) as stage:
        await stage.press("g", "2", key)
        assert stage.board.pointer.typed == f"g2{sign}"
        await stage.press("h", "3", "enter")
        assert (await stage.hears(MakeMove, ok=False)).move == "g2h3"


async def test_a_column_is_played_by_its_number_and_by_a_click_anywhere_in_it() -> None:
    async with match(snapshot("puissance4")) as stage:
        await stage.press("7")
        assert (await stage.hears(MakeMove)).move == "7"
        await stage.says(Moved("m", 2, 0, 1, "7", 2), Moved("m", 3, 1, 2, "7", 1))
        await stage.sees("Bob plays 7.")
        await click(stage.board, stage, (2, 0))
        assert (await stage.hears(MakeMove)).move == "3"


async def click(board: Board, stage: object, cell: tuple[int, int]) -> None:
    layout = board._board_layout
    assert layout is not None
    left, top = board._at()
    x, y = layout.corner(cell)
    await stage.pilot.click(board, offset=(left + x, top + y))  # type: ignore[attr-defined]


async def test_a_piece_is_moved_in_two_steps() -> None:
    game = next(name for name, game in GAMES.items() if game.profile.look.labels is Labels.FROM_BELOW)
    async with match(snapshot(game)) as stage:
        start, end = stage.view.game.move_cells(stage.view.position, stage.view.position.legal_moves()[0])
        await click(stage.board, stage, start)
        await stage.sees("Where to? Enter sets it down.")
        await stage.press("escape")
        assert stage.board.pointer.chosen is None
        await click(stage.board, stage, start)
        await click(stage.board, stage, end)
        assert (await stage.hears(MakeMove)).move == stage.view.position.legal_moves()[0]


async def test_resigning_asks_once_and_no_is_no() -> None:
    async with match(snapshot()) as stage:
        await stage.press("f4")
        await stage.sees("Do you give the game up?")
        await stage.press("x")
        assert "give the game up" not in stage.text()
        await stage.press("f4", "y")
        await stage.hears(Resign)
        await stage.says(Finished("m", 2, Result(2, "resign", (0, 0))))
        await stage.sees("You lose: you resigned.", "Rematch")


async def test_leaving_asks_once_and_never_resigns() -> None:
    async with match(snapshot()) as stage:
        await stage.press("escape")
        await stage.sees("Leave? You don't resign")
        await stage.press("escape")
        assert isinstance(stage.app.screen, MatchScreen)
        assert "Leave?" not in stage.text()
        await stage.press("q", "q")
        await until(stage.pilot, lambda: not isinstance(stage.app.screen, MatchScreen))
        assert stage.wire.heard_nothing()


async def test_what_happens_while_the_widgets_go_is_not_painted() -> None:
    """Textual takes the widgets of a screen away one by one; meanwhile its timers and messages still come."""
    async with match(snapshot("othello")) as stage:
        screen = stage.screen
        await stage.sees("Your turn.")
        await stage.press("q", "q")
        await until(stage.pilot, lambda: not isinstance(stage.app.screen, MatchScreen))
        screen.hear(snapshot("morpion"))
        screen.on_resize()
        screen.tell("The server stops.")


async def test_a_host_is_told_that_the_server_stops() -> None:
    async with match(snapshot()) as stage:
        stage.screen.hosts = True
        await stage.press("q")
        await stage.sees("Leave? The server stops with you")


async def test_who_plays_a_bot_of_their_own_is_promised_no_seat() -> None:
    async with match(snapshot()) as stage:
        assert isinstance(stage.screen.controller, OnlineController)
        stage.screen.controller.returns = False
        await stage.press("q")
        await stage.sees("Leave? This game is not kept.")


async def test_offers_stand_in_a_place_of_their_own_and_are_answered() -> None:
    async with match(snapshot("othello", ("f5", "d6"))) as stage:
        await stage.sees("Your turn.")
        await stage.pilot.pause(0.3)
        before = stage.screen.query_one(Moves).region
        await stage.says(Offered("m", 2, "draw", 2))
        await stage.sees("Bob offers a draw.", "y  Accept", "x  Decline")
        assert stage.screen.query_one(Moves).region == before
        await stage.press("x")
        assert (await stage.hears(Answer)).accept is False
        await stage.says(Declined("m", 3, "draw", 1), Offered("m", 4, "takeback", 2))
        await stage.sees("Bob asks to take a move back.")
        await stage.press("y")
        assert (await stage.hears(Answer)).accept is True
        await stage.says(TookBack("m", 5, 1, 2, 2))
        await stage.sees("The game goes back to move 2.")


async def test_own_offers_can_be_withdrawn_and_a_refusal_is_told() -> None:
    async with match(snapshot("othello", ("f5", "d6"))) as stage:
        await stage.press("f3")
        assert (await stage.hears(Offer)).what == "draw"
        await stage.says(Offered("m", 2, "draw", 1))
        await stage.sees("You offer a draw.", "x  Withdraw")
        await stage.says(Declined("m", 3, "draw", 2))
        await stage.sees("Bob says no.")
        await stage.press("f2")
        assert (await stage.hears(Offer)).what == "takeback"
        await stage.says(Offered("m", 4, "takeback", 1))
        await stage.press("x")
        assert (await stage.hears(Answer)).accept is False


async def test_what_can_be_done_stands_at_the_foot_and_is_clicked_there() -> None:
    async with match(snapshot("othello", ("f5", "d6"), clock=CLOCK, clocks=(300_000, 299_000))) as stage:
        for key in ("F1  Help", "F2  Take back", "F3  Draw", "F4  Resign", "F5  Turn", "F7  Talk", "F8  +15 s"):
            assert key in stage.text()
        await stage.clicks("+15 s")
        await stage.hears(GiveTime)


async def test_no_time_is_given_in_a_match_that_somebody_else_has_arranged() -> None:
    told = snapshot("othello", ("f5", "d6"), clock=CLOCK, clocks=(300_000, 299_000))
    async with match(replace(told, arranged=True)) as stage:
        assert "F4  Resign" in stage.text()
        assert "+15 s" not in stage.text()


async def test_clocks_tick_and_a_warning_comes_once() -> None:
    told = snapshot("othello", clock=CLOCK, clocks=(60_400, 299_000))
    async with match(told, YourTurn("m", 0, ())) as stage:
        await stage.sees("1:00", "4:59", "5m+3s")
        assert "s left!" not in stage.text()
        stage.clock.now += 23
        await stage.sees("38 s left!")
        await stage.press("left")
        assert "s left!" not in stage.text()
        stage.clock.now += 5
        await stage.sees("0:32")
        assert "s left!" not in stage.text()


async def test_with_time_odds_each_has_their_own_clock_and_warning() -> None:
    """Half a minute is little for who had eight, and not for who never had more."""
    odds = Clock(480_000, 1000, second=SeatClock(40_000))
    told = snapshot("othello", ("f5",), seat=2, clock=odds, clocks=(480_000, 40_000))
    async with match(told, YourTurn("m", 1, ())) as stage:
        await stage.sees("8m+1s, 40s", "8:00", "0:40")
        stage.clock.now += 10
        await stage.sees("0:30")
        assert "s left!" not in stage.text()
        stage.clock.now += 21
        await stage.sees("9 s left!")


async def test_the_last_seconds_have_tenths() -> None:
    async with match(snapshot("othello", clock=CLOCK, clocks=(9_900, 299_000)), YourTurn("m", 0, ())) as stage:
        stage.clock.now += 2.25
        await stage.sees("7.6", "4:59")


async def test_a_pass_is_told() -> None:
    moves = ["c4", "d4", "d3", "b4", "a4"]
    async with match(snapshot("othello:size=4", tuple(moves[:2]))) as stage:
        await stage.says(Passed("m", 2, 2, 2))
        await stage.sees("Bob can't move and passes.")


async def test_earlier_positions_are_looked_at_while_the_game_goes_on() -> None:
    async with match(snapshot("morpion", ("a1", "b2", "c3", "a3"))) as stage:
        await stage.press("p")
        await stage.sees("move 3 of 4")
        await stage.press("home", "n")
        await stage.sees("move 1 of 4")
        assert stage.board.pointer.position.score() == stage.view.game.start().play("a1").score()
        await stage.press("enter")
        assert "of 4" not in stage.text()
        assert stage.wire.heard_nothing()
        await stage.press("p", "escape")
        assert "of 4" not in stage.text()


async def test_after_the_end_arrows_go_through_the_game_and_space_plays_it() -> None:
    async with match(snapshot("morpion", ("a1", "b2", "a2", "c3", "a3"), status="finished", result=ENDED)) as stage:
        await stage.sees("You win: 3 in a line.")
        await stage.press("left", "left")
        await stage.sees("move 3 of 5")
        await stage.press("right", "end")
        assert "of 5" not in stage.text()
        stage.screen._autoplay.stop()
        await stage.press("space")
        await stage.sees("move 0 of 5")
        stage.screen._play_on()
        await stage.sees("move 1 of 5")
        await stage.press("p")
        stage.screen._play_on()
        await stage.sees("move 0 of 5")
        moves = stage.screen.query_one(Moves)
        await stage.pilot.click(moves, offset=(9, 0))
        await stage.sees("move 2 of 5")


async def test_talk_is_heard_and_said_and_unread_words_are_counted_where_they_don_t_show() -> None:
    async with match(snapshot()) as stage:
        await stage.says(Said("m", 2, 2, "hello"))
        await stage.sees("Bob hello")
        await stage.press("f7", *"hi n", "enter")
        assert (await stage.hears(Chat)).text == "hi n"
        await stage.press("escape")
        assert stage.board.has_focus
    async with match(snapshot(), size=(40, 16)) as stage:
        await stage.says(Said("m", 2, 2, "hello"), Said("m", 3, 2, "again"))
        await stage.sees("2 new messages")
        await stage.press("f7")
        await stage.sees("Bob hello", "Bob again")
        assert "new message" not in stage.text()


async def test_nobody_is_told_that_they_have_said_something_new() -> None:
    async with match(snapshot(), size=(40, 16)) as stage:
        await stage.says(Said("m", 2, 1, "hello"))
        await stage.says(Moved("m", 3, 0, 1, "b2", 2))
        await stage.sees("You play b2.")
        assert "new message" not in stage.text()


async def test_an_offer_is_told_once_and_over_another_screen_too() -> None:
    async with match(snapshot("othello", ("f5", "d6"))) as stage:
        await stage.says(Offered("m", 2, "draw", 2))
        await stage.sees("Bob offers a draw.")
        assert "Type yes or no" not in stage.text()
        await stage.says(Declined("m", 3, "draw", 2))
        await stage.press("f1")
        await stage.sees("Any key closes this.")
        await stage.says(Offered("m", 4, "takeback", 2))
        await until(
            stage.pilot, lambda: any("take a move back" in str(one.message) for one in stage.app._notifications)
        )


async def test_who_watches_is_told_the_keys_that_do_something() -> None:
    async with match(snapshot("othello", ("f5", "d6"), seat=None)) as stage:
        await stage.press("f1")
        await stage.sees("Any key closes this.", "see the board from the other side", "leave")
        for wrong in ("take your move back", "give the game up", "after a question"):
            assert wrong not in stage.text()


async def test_a_move_that_takes_long_is_said_to_be_on_its_way_and_waits_for_no_second_one() -> None:
    async with match(snapshot("morpion")) as stage:
        await stage.press("enter")
        move = await stage.hears(MakeMove, ok=False)
        assert "on its way" not in stage.text()
        stage.clock.now += 2
        await stage.sees("b2 is on its way to the server")
        await stage.press("left", "enter")
        await stage.sees("b2 is on its way: wait")
        assert stage.wire.heard_nothing()
        await stage.says(Moved("m", 2, 0, 1, "b2", 2), Ok(move.id))
        await stage.sees("Bob is to move.")


async def test_keys_keep_their_places_when_more_can_be_done() -> None:
    async with match(snapshot("othello", ("f5",), seat=2)) as stage:
        before = stage.text().split("\n")[-2:]
        await stage.press("f3")
        assert stage.wire.heard_nothing()
        await stage.says(Moved("m", 2, 1, 2, "d6", 1))
        await stage.sees("You play d6.")
        assert stage.text().split("\n")[-2:] == before


async def test_the_way_out_is_named_where_there_is_room_for_few_keys() -> None:
    async with match(snapshot("othello", ("f5", "d6"), clock=CLOCK, clocks=(300_000, 299_000)), size=(40, 16)) as stage:
        await stage.sees("Esc  Leave")
        await stage.press("escape")
        await stage.sees("y  Leave", "x  Cancel")


async def test_a_server_that_is_gone_after_the_end_makes_no_rematch_and_no_countdown() -> None:
    async with match(snapshot("morpion", ("a1", "b2", "a2", "c3", "a3"), status="finished", result=ENDED)) as stage:
        await stage.sees("Rematch")
        stage.server.down = True
        stage.wire.drop()
        await stage.sees("The server is gone. The game is over")
        assert "Rematch" not in stage.text()
        await stage.sees("Save", "Review")


async def test_a_game_that_was_played_to_its_end_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    async with match(snapshot("morpion", ("a1", "b2", "a2", "c3"))) as stage:
        await stage.says(Moved("m", 2, 4, 1, "a3", 2), Finished("m", 3, ENDED))
        await until(stage.pilot, lambda: [one.match for one in keeping.kept()] == ["m"])
    async with match(snapshot("morpion", ("a1", "b2", "a2", "c3"), match="n", seat=None)) as stage:
        await stage.says(Moved("n", 2, 4, 1, "a3", 2), Finished("n", 3, ENDED))
        await stage.sees("Ada wins")
    assert [one.match for one in keeping.kept()] == ["m"]  # what others played is not


async def test_who_is_away_loses_after_a_while_if_the_reader_wants_it() -> None:
    async with match(snapshot("othello", ("f5", "d6"))) as stage:
        await stage.says(Presence("m", 2, 2, present=False, claimable_ms=30_000))
        await stage.sees("Bob, away", "Bob is away. In 30 s you may")
        stage.clock.now += 10
        await stage.sees("Bob is away. In 20 s you may")
        await stage.says(Presence("m", 3, 2, present=False, claimable_ms=0))
        await stage.sees("Bob is still away.", "y  Claim the win")
        await stage.press("y")
        await stage.hears(Claim)


async def test_a_rematch_is_asked_for_and_played_on_the_same_screen() -> None:
    async with match(snapshot("morpion", ("a1",), status="finished", result=ENDED)) as stage:
        await stage.press("f2")
        assert (await stage.hears(Offer)).what == "rematch"
        again = replace(snapshot("morpion", match="n"), seat=2, players=(BOB, BOB))
        await stage.says(again, Rematched("m", 2, "n"))
        await stage.sees("Bob is to move.")
        await stage.says(Moved("n", 2, 0, 1, "b2", 2))
        await stage.sees("Bob plays b2.", "Your turn.")


async def test_a_lost_connection_is_told_with_a_countdown_and_the_game_goes_on_after_it() -> None:
    async with match(snapshot("morpion")) as stage:
        stage.server.down = True
        stage.wire.drop()
        await stage.sees("The connection is lost. Trying to come back: 15:00")
        stage.server.down = False
        stage.wire = await stage.server.wire()
        await stage.says(Moved("m", 2, 0, 1, "a1", 2), Moved("m", 3, 1, 2, "b2", 1))
        await stage.sees("Bob plays b2.", "Your turn.")
        assert "lost" not in stage.text()


async def test_a_host_who_stops_is_waited_for_and_clocks_are_asked_for_after_it() -> None:
    told = snapshot("othello", ("f5",), clock=CLOCK, clocks=(300_000, 300_000))
    async with match(told) as stage:
        stage.server.down = True
        await stage.says(Closing(retry_after_ms=50))
        stage.wire.drop(1001)
        await stage.sees("The host has stopped the server. Waiting for it:")
        stage.server.down = False
        stage.wire = await stage.server.wire()
        await stage.hears(Sync)


async def test_a_match_that_waits_shows_how_others_join() -> None:
    told = snapshot(players=(BOB, None), status="waiting")
    async with match(told, lines=("Say this:", "  play 192.0.2.1")) as stage:
        await stage.sees("Say this:", "  play 192.0.2.1")
        assert not stage.board.display
        await stage.says(Started("m", 2, 1))
        await stage.sees("Your turn.")
        assert stage.board.display


async def test_how_others_join_is_read_to_its_end_on_a_small_screen() -> None:
    told = snapshot("puissance4", players=(BOB, None), status="waiting")
    async with match(told, size=(44, 12), lines=tuple(f"line {number}" for number in range(20))) as stage:
        await stage.sees("line 0")
        assert "line 19" not in stage.text()
        await stage.press("end")
        await stage.sees("line 19")
        await stage.says(Started("m", 2, 1))
        await stage.press("4")  # and the keys are the board's again
        await stage.hears(MakeMove)


async def test_the_board_turns_and_hints_hide_and_what_is_chosen_stays() -> None:
    async with match(snapshot("othello")) as stage:
        await stage.press("f5")
        assert stage.board.turned
        await stage.press("t", "m")
        assert not stage.board.hints
        await stage.sees("The terminal rings.")
        assert (read().hints, read().bell) == (False, True)


async def test_keys_are_explained_and_any_key_closes_that() -> None:
    async with match(snapshot("puissance4")) as stage:
        await stage.press("question_mark")
        text = "\n".join("".join(s.text for s in strip) for strip in stage.app.screen._compositor.render_strips())
        assert "play in this column" in text
        await stage.press("a")
        assert isinstance(stage.app.screen, MatchScreen)


@pytest.mark.parametrize(
    "size", [(40, 16), *(pytest.param(size, marks=pytest.mark.slow) for size in ((80, 24), (200, 60)))]
)
@pytest.mark.parametrize("game", list(GAMES))
async def test_every_game_fits_every_window_and_a_resize_keeps_the_mouse_right(
    game: str, size: tuple[int, int]
) -> None:
    async with match(snapshot(game), size=size) as stage:
        await stage.sees("Your turn.", "Ada (you)")
        layout = stage.board._board_layout
        assert layout is not None
        assert layout.fits
        await stage.pilot.resize_terminal(100, 30)
        await stage.pilot.pause()
        view = stage.view
        moves = {move: view.game.move_cells(view.position, move) for move in view.position.legal_moves()}
        alone = [move for move, cells in moves.items() if list(moves.values()).count(cells) == 1]
        if not alone:  # as where a heap is clicked, and then how much of it
            return
        for cell in moves[alone[-1]]:
            await click(stage.board, stage, cell)
        assert (await stage.hears(MakeMove)).move == alone[-1]


async def test_ascii_keeps_to_ascii() -> None:
    async with match(snapshot("othello", ("f5",)), ascii_only=True) as stage:
        await stage.sees("Bob is to move.")
        assert stage.text().isascii()


@pytest.mark.parametrize(
    ("seat", "told"), [(1, "Bob offers a draw. Answer in the match."), (None, "Bob offers a draw.")]
)
async def test_an_offer_behind_another_screen_is_for_who_can_answer(seat: int | None, told: str) -> None:
    async with match(snapshot("morpion", ("a1", "b2"), seat=seat)) as stage:
        await stage.press("f1")
        await stage.says(Offered("m", 2, "draw", 2))
        notices = stage.app._notifications
        await until(stage.pilot, lambda: bool(list(notices)))
        assert [notice.message for notice in notices] == [told]
