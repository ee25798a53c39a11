"""A game whose moves are edges, in which who closes a field plays again, and in which the second may swap."""

from __future__ import annotations

from functools import cache

import pytest

import games
from bots.base import Budget, parse_bot
from bots.classroom.on_positions import PositionSearchToTheEnd
from bots.explain.text import draw_text
from bots.explain.traces import explain
from bots.search.alphabeta import WIN
from bots.search.positions import PositionSearch, measure_of
from client.people.hot_seat import HotSeatController
from games.base import Seat
from locales import set_language
from protocol.messages import Answer, MakeMove, Moved, Offer, Passed, TookBack, YourTurn
from terminal.board import Style, draw_position
from tests.conformance import test_games as conformance
from tests.games.fencing import Fencing, FencingPosition, lead
from tests.server.desk import Desk

GAME = Fencing()
AGAIN = ("b1", "a2", "c2", "b3")
"""The second seat closes a field by the last of these moves."""


@pytest.fixture(autouse=True)
def known(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let it stand in the table of games."""
    table = {**games.GAMES, "fencing": Fencing}
    for module in (games, conformance):
        monkeypatch.setattr(module, "GAMES", table)


def after(*moves: str, game: Fencing = GAME) -> FencingPosition:
    position = game.start()
    for move in moves:
        position = position.play(move)
    return position


@pytest.mark.parametrize("spec", ["fencing", "fencing:fields=2", "fencing:fields=4"])
@pytest.mark.parametrize("seed", range(3))
def test_it_keeps_what_every_game_keeps(spec: str, seed: int) -> None:
    game = games.parse(spec)
    conformance.test_specification(game)
    conformance.test_start(game)
    conformance.test_line_of_play(game, seed)
    conformance.test_cells_are_the_notation(game, seed)
    conformance.test_pieces_are_told_apart(game)
    conformance.test_transcript(game, seed)
    conformance.test_an_explained_position_is_read_back(game, seed)
    conformance.test_nonsense_is_refused(game)
    conformance.test_refusals_have_words(game, seed)
    conformance.test_moves_are_told_apart(game, seed)
    conformance.test_perft(game)


def test_who_closes_a_field_moves_again_and_nobody_has_passed() -> None:
    position = after(*AGAIN)
    assert (position.to_move, position.passed, position.score()) == (Seat.SECOND, None, (0, 1))
    assert draw_position(GAME, position, Style(), marked={(1, 2)}) == [
        "  1 2 3 4 5 6 7",
        "1 + # + · + · +",
        "2 # □ # ~ · ~ ·",
        "3 +[#]+ · + · +",
        "  a b c d e f g",
        "■ 0 fields   □ 1 field",
    ]


def test_a_game_that_does_not_say_so_may_not_let_a_seat_move_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Fencing, "profile", games.parse("morpion").profile)
    with pytest.raises(AssertionError):
        conformance.test_line_of_play(GAME, 0)


def plain(position: FencingPosition, depth: int, us: Seat) -> int:
    """What minimax says of a position to `us`, without any art."""
    if depth == 0:
        return lead(position, us)
    values = [plain(position.play(move), depth - 1, us) for move in position.legal_moves()]
    return max(values) if position.to_move is us else min(values)


@pytest.mark.parametrize("moves", [(), AGAIN[:-1], AGAIN, ("b1", "a2", "d1", "c2", "b3", "e2")])
@pytest.mark.parametrize("depth", [1, 2, 3])
def test_a_search_values_moves_as_plain_minimax_does(moves: tuple[str, ...], depth: int) -> None:
    position = after(*moves)
    search = PositionSearch(position.to_move, measure_of(GAME).worth)
    found = search.run(position, position.legal_moves(), range(depth, depth + 1))
    assert found.value == plain(position, depth, position.to_move)


@cache
def value(position: FencingPosition) -> int:
    """How many fields the seat to move gets more, by every line of play."""
    if position.outcome() is not None:
        return lead(position, position.to_move)
    children = [position.play(move) for move in position.legal_moves()]
    return max(value(child) if child.to_move is position.to_move else -value(child) for child in children)


@pytest.mark.parametrize("moves", [(), ("b1",), ("b1", "a2", "c2"), ("b1", "a2", "d1", "c2", "b3")])
def test_searches_to_the_end_find_what_every_line_of_play_gives(moves: tuple[str, ...]) -> None:
    position = after(*moves, game=Fencing(2))
    best = value(position)
    found = PositionSearch(position.to_move, measure_of(GAME).worth).run(position, position.legal_moves(), range(9, 10))
    assert (found.value > WIN // 2, found.value < -WIN // 2) == (best > 0, best < 0)
    for move in (found.moves[0], PositionSearchToTheEnd(position.game).choose(position, Budget(None))):
        child = position.play(move)
        reached = value(child) if child.to_move is position.to_move else -value(child)
        assert (reached > 0) - (reached < 0) == (best > 0) - (best < 0)


def test_an_explanation_lets_the_same_seat_choose_again() -> None:
    set_language("en")
    text = "\n".join(draw_text(explain(GAME, after(*AGAIN[:-1]), parse_bot("minimax:depth=2")), Style(), 9))
    assert "├─ b3 □ MAX" in text
    assert "├─ d1 ■ MIN" in text


def test_the_algorithm_that_looks_to_the_end_counts_moves_where_they_are_fewer_than_cells() -> None:
    bot = parse_bot("minimax_search")
    bot.check(Fencing(4))  # 27 cells, 14 moves
    with pytest.raises(Exception, match="16"):
        bot.check(games.parse("morpion:width=5,height=5,k=4"))


def test_over_a_server_it_is_the_same_seats_turn_and_its_last_move_is_taken_back() -> None:
    desk = Desk()
    one, two = desk.user("Ada"), desk.user("Bob")
    match = desk.seat(one, two, "fencing")
    for ply, move in enumerate(AGAIN):
        (two if ply % 2 else one).ok(MakeMove(desk.request_id(), match, ply, move))
    (moved,) = one.said(Moved)
    assert (moved.seat, moved.to_move) == (2, 2)
    assert not one.said(Passed)
    assert [turn.ply for turn in two.said(YourTurn)] == [4]
    two.ok(MakeMove(desk.request_id(), match, 4, "d1"))
    two.ok(Offer(desk.request_id(), match, "takeback"))
    one.ok(Answer(desk.request_id(), match, "takeback", accept=True))
    (back,) = one.said(TookBack)
    assert (back.ply, back.to_move) == (4, 2)


async def test_two_at_one_screen_are_not_told_of_a_pass() -> None:
    shared = HotSeatController(GAME, ("Ada", "Bob"))
    told: list[object] = []
    shared.tell = told.append
    for move in AGAIN:
        await shared.play(move)
    assert not [event for event in told if isinstance(event, Passed)]
    assert shared.view.to_move is Seat.SECOND


def test_a_swap_changes_the_board_and_has_no_cell() -> None:
    position = after("b1", "a2", "d1", "c2", "b3", "e2")
    assert (position.score(), position.legal_moves()[-1]) == ((1, 0), "swap")
    assert GAME.move_cells(position, "swap") == ()
    swapped = position.play("swap")
    assert (swapped.score(), swapped.to_move, swapped.cell(1, 1)) == ((0, 1), Seat.FIRST, Seat.SECOND)
    assert GAME.position(swapped.notation) == swapped
