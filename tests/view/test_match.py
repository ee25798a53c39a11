"""A view of one match: what events do to it, and which it refuses."""

import pytest

import games
from games import Seat
from protocol.messages import (
    GaveTime,
    MatchEvent,
    Moved,
    Network,
    Offered,
    Player,
    Presence,
    Snapshot,
    Started,
    TookBack,
    YourTurn,
)
from view.match import Applied, MatchView, ReplayError


def view_of(*messages: MatchEvent, game: str = "othello", now: float = 0.0) -> MatchView:
    players = (Player("Ada", "human"), Player("Bob", "human"))
    view = MatchView.of(Snapshot("m", 1, game, "waiting", players, 1, (), 0, 1, ()), now)
    for message in messages:
        assert view.apply(message, now) is Applied.NEW
    return view


def test_duplicates_change_nothing_and_gaps_are_noticed() -> None:
    view = view_of(Started("m", 2, 1))
    assert view.apply(Moved("m", 2, 0, 1, "d3", 2), 0.0) is Applied.DUPLICATE
    assert view.apply(Moved("m", 4, 1, 2, "c3", 1), 0.0) is Applied.GAP
    assert (view.moves, view.seq) == ((), 2)


def test_the_same_column_twice_is_two_moves() -> None:
    view = view_of(Started("m", 2, 1), Moved("m", 3, 0, 1, "4", 2), Moved("m", 4, 1, 2, "4", 1), game="puissance4")
    assert (view.moves, view.last_cells) == (("4", "4"), ((3, 4),))


def test_only_the_clock_of_the_one_to_move_runs_and_never_below_zero() -> None:
    view = view_of(Started("m", 2, 1, (5000, 5000)), now=10.0)
    assert view.clocks(11.5) == (3500, 5000)
    view.apply(Moved("m", 3, 0, 1, "d3", 2, (3400, 5000)), 11.6)
    assert view.clocks(12.6) == (3400, 4000)
    assert view.clocks(100.0) == (3400, 0)
    view.apply(YourTurn("m", 1, ("c3",), (3400, 900)), 101.0)
    assert view.clocks(101.0) == (3400, 900)


def test_given_time_counts_at_once() -> None:
    view = view_of(Started("m", 2, 1, (5000, 5000)), now=10.0)
    view.apply(GaveTime("m", 3, 2, 15_000, (19_000, 5000)), 11.0)
    assert view.clocks(12.0) == (18_000, 5000)


def test_a_takeback_gives_the_earlier_board_back() -> None:
    start = games.parse("othello").start()
    view = view_of(Started("m", 2, 1), Moved("m", 3, 0, 1, "d3", 2), TookBack("m", 4, 0, 1, 1))
    assert (view.position, view.moves, view.last_cells, view.my_turn) == (start, (), (), True)


def test_a_draw_offer_stands_until_the_opponent_moves() -> None:
    view = view_of(Started("m", 2, 1), Offered("m", 3, "draw", 1), Moved("m", 4, 0, 1, "d3", 2))
    assert view.offers == {"draw": Seat.FIRST}
    view.apply(Moved("m", 5, 1, 2, "c3", 1), 0.0)
    assert view.offers == {}


def test_an_absent_opponent_may_be_claimed_after_the_time_that_was_said() -> None:
    view = view_of(Started("m", 2, 1), Presence("m", 3, 2, False, 60_000), now=5.0)
    assert view.claimable_at == 65.0
    view.apply(Presence("m", 4, 2, True), 6.0)
    assert view.claimable_at is None


@pytest.mark.parametrize("bad", [Moved("m", 3, 0, 1, "a1", 2), Moved("m", 3, 5, 1, "d3", 2)])
def test_a_move_that_our_rules_refuse_is_an_error_and_changes_nothing(bad: Moved) -> None:
    view = view_of(Started("m", 2, 1))
    with pytest.raises(ReplayError):
        view.apply(bad, 0.0)
    assert (view.seq, view.moves) == (2, ())


def test_a_clock_stands_while_its_player_is_cut_off_where_the_match_says_so() -> None:
    view = view_of(Started("m", 2, 1, (10_000, 10_000)))
    view.network = Network("pause")
    view.players = (Player("Ada", "bot"), Player("Bob", "bot"))
    view.apply(Presence("m", 3, 1, False, clocks=(9_000, 10_000), used_ms=1000, waits_ms=120_000), 5.0)
    assert (view.clocks(60.0), view.claimable_at) == ((9_000, 10_000), None)
    view.apply(Presence("m", 4, 1, True, waits_ms=60_000), 60.0)
    assert view.clocks(61.0) == (8_000, 10_000)
