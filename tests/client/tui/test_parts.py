"""Small parts of the match screen on their own: looking back, what is asked, who hears of what."""

from __future__ import annotations

from typing import cast

import pytest

from client.connection import Client, Incoming
from client.errors import ClientError, ServerClosed
from client.tui.looking import Looking
from client.tui.place import Place
from client.tui.screens.acting import Reader, allows
from client.tui.screens.asking import question_of
from games.base import Seat
from protocol.messages import Closing
from tests.client.tui.stage import match, snapshot, until
from view.match import MatchView

MOVES = ("a1", "b2", "c3")


def view(**fields: object) -> MatchView:
    return MatchView.of(snapshot("morpion", MOVES, **fields), 0.0)


def at(looking: Looking) -> int | None:
    return looking.at


def test_the_position_after_the_last_move_is_the_present_one() -> None:
    looking, seen = Looking(), view()
    looking.step(seen, -1)
    assert at(looking) == 2
    looking.step(seen, 1)
    assert at(looking) is None
    looking.look(seen, -5)
    assert at(looking) == 0


def test_playing_on_stops_at_the_end_and_at_a_step() -> None:
    looking, seen = Looking(), view()
    looking.toggle(seen)
    shown = [looking.at]
    while looking.tick(seen):
        shown.append(looking.at)
    assert shown == [0, 1, 2, None]
    assert not looking.plays
    looking.toggle(seen)
    looking.step(seen, 1)
    assert not looking.tick(seen)


def test_the_other_s_offer_is_asked_before_one_s_own() -> None:
    seen = view()
    seen.offers = {"draw": Seat.FIRST, "takeback": Seat.SECOND}
    assert question_of(seen, 0.0).text == "Bob asks to take a move back."
    seen.seat = None
    assert question_of(seen, 0.0).keys == ()


@pytest.mark.parametrize(
    ("away", "fields", "may"),
    [
        (True, {}, True),
        (False, {}, False),
        (True, {"seat": None}, False),
        (True, {"status": "finished"}, False),
        (True, {"status": "paused"}, True),
    ],
)
def test_a_game_is_taken_over_only_from_a_server_that_is_gone(away: bool, fields: dict[str, object], may: bool) -> None:
    assert allows(Reader(view(**fields), away=away), "take_over") == may


def test_who_has_left_hears_no_more_and_who_comes_late_hears_the_end() -> None:
    place, heard = Place(cast(Client, None)), list[Incoming | ClientError]()
    place.listen(heard.append)
    place._tell(Closing())
    place.leave(heard.append)
    place._tell(Closing())
    assert len(heard) == 1
    place.ended = ServerClosed("over")
    place.listen(heard.append)
    assert heard[1:] == [place.ended]


async def test_a_server_that_closes_for_good_is_told_and_is_the_reason_why_the_match_was_left() -> None:
    async with match(snapshot()) as stage:
        await stage.says(Closing())
        stage.wire.drop(1001)
        await stage.sees("The server is closing.")
        await stage.press("q", "q")
        await until(stage.pilot, lambda: bool(stage.left))
        assert isinstance(stage.left[0], ServerClosed)
