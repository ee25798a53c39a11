"""Two at one screen: the rules decide, takebacks need nobody's leave, and each event is told once."""

import random

import pytest

from client.connection import Incoming
from client.people.hot_seat import HotSeatController
from client.people.typed import Word
from games import GAMES, IllegalMove, parse
from games.base import Seat
from protocol.messages import Finished, Moved, Passed, Snapshot, TookBack


def table(spec: str = "morpion") -> tuple[HotSeatController, list[Incoming]]:
    made, told = HotSeatController(parse(spec), ("Ada", "Bob")), list[Incoming]()
    made.tell = told.append
    return made, told


@pytest.mark.parametrize("spec", [*GAMES, "othello:size=4"])
async def test_a_game_ends_as_the_rules_say_and_every_event_is_told(spec: str) -> None:
    for seed in range(5):
        shared, told = table(spec)
        position, rng = parse(spec).start(), random.Random(seed)
        while position.outcome() is None:
            move = rng.choice(position.legal_moves())
            position = position.play(move)
            await shared.play(move)
        outcome, result = position.outcome(), shared.view.result
        assert outcome is not None
        assert result is not None
        assert (result.winner, result.score, result.cells) == (outcome.winner, outcome.score, outcome.cells)
        assert shared.view.status == "finished"
        assert [event.seq for event in told if not isinstance(event, Snapshot)] == list(range(1, len(told) + 1))  # type: ignore[union-attr]
        assert isinstance(told[-1], Finished)
        with pytest.raises(IllegalMove):
            await shared.play("a1")


async def test_a_pass_is_told() -> None:
    shared, told = table("othello:size=4")
    rng = random.Random(1)
    for _game in range(20):
        while shared.view.status == "playing":
            await shared.play(rng.choice(shared.view.position.legal_moves()))
        await shared.do(Word.REMATCH)
    passes = [number for number, event in enumerate(told) if isinstance(event, Passed)]
    assert passes
    for number in passes:
        before = told[number - 1]
        assert isinstance(before, Moved)
        assert before.seat == before.to_move


async def test_moves_are_taken_back_one_by_one() -> None:
    shared, told = table()
    await shared.play("B2")
    await shared.play("a1")
    await shared.do(Word.UNDO)
    assert (shared.view.moves, shared.view.to_move) == (("b2",), Seat.SECOND)
    await shared.do(Word.UNDO)
    await shared.do(Word.UNDO)
    assert shared.view.moves == ()
    assert sum(isinstance(event, TookBack) for event in told) == 2


def reasons(told: list[Incoming]) -> list[str]:
    """How the matches ended."""
    return [event.result.reason for event in told if isinstance(event, Finished)]


async def test_who_is_to_move_resigns_and_a_rematch_changes_seats() -> None:
    shared, told = table()
    await shared.play("b2")
    await shared.do(Word.RESIGN)
    assert shared.view.result is not None
    assert (shared.view.result.winner, shared.view.result.reason) == (1, "resign")
    await shared.do(Word.DRAW)
    assert reasons(told) == ["resign"]
    await shared.do(Word.REMATCH)
    assert isinstance(told[-1], Snapshot)
    assert [player.name for player in shared.view.players if player] == ["Bob", "Ada"]
    await shared.do(Word.DRAW)
    assert reasons(told) == ["resign", "agreement"]


async def test_a_move_that_the_rules_refuse_changes_nothing() -> None:
    shared, told = table()
    for wrong in ("z9", "nonsense", "b9"):
        with pytest.raises(IllegalMove):
            await shared.play(wrong)
    assert told == []
