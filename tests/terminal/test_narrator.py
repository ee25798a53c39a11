"""Sentences about a match: who is told what of time that was given."""

from __future__ import annotations

import pytest

from protocol.bounds import SeatNumber
from protocol.messages import Clock, Declined, GaveTime, Offered, Player, Snapshot
from terminal.board import Style
from terminal.narrator import help_lines, seat_line, story
from view.match import MatchView


def view(seat: SeatNumber | None, *, delay_ms: int = 0) -> MatchView:
    snapshot = Snapshot(
        match="m", seq=3, game="morpion", status="playing", players=(Player("Ada", "human"), Player("Bob", "human")),
        seat=seat, moves=(), ply=0, to_move=1, legal=("a1",), clock=Clock(60_000), clocks=(60_000, 60_000),
        delay_ms=delay_ms,
    )  # fmt: skip
    return MatchView.of(snapshot, 0.0)


@pytest.mark.parametrize(
    ("seat", "sentence"),
    [
        (1, "Your opponent has 15 s more."),
        (2, "Ada gives you 15 s more."),
        (None, "Ada gives the opponent 15 s more."),
    ],
)
def test_time_that_was_given_is_told(seat: SeatNumber | None, sentence: str) -> None:
    assert story(view(seat), GaveTime("m", 4, 1, 15_000, (60_000, 75_000)), 0.0) == sentence


def test_help_tells_players_that_time_can_be_given() -> None:
    assert any("15 s" in line for line in help_lines(view(1)))
    assert not any("15 s" in line for line in help_lines(view(None)))


def test_a_spectator_is_told_how_late_the_match_is_seen() -> None:
    style = Style(ascii=True)
    assert seat_line(view(None, delay_ms=2_500), style)[-1] == "You see it 2.5 s after it happens."
    assert not any("after it happens" in line for line in seat_line(view(None), style))


@pytest.mark.parametrize(
    ("offered", "declined", "sentence"),
    [
        (1, 1, "You withdraw your offer."),
        (1, 2, "Bob says no."),
        (2, 1, "You said no."),
        (2, 2, "Bob withdraws the offer."),
    ],
)
def test_who_takes_an_offer_back_refuses_nothing(offered: SeatNumber, declined: SeatNumber, sentence: str) -> None:
    seen = view(1)
    seen.apply(Offered("m", 4, "draw", offered), 0.0)
    message = Declined("m", 5, "draw", declined)
    seen.apply(message, 0.0)
    assert story(seen, message, 0.0) == sentence
