"""What the relay does to frames, without a network."""

import json
from collections.abc import Mapping, Sequence

from bots.check.interference import Cut, CutThrice, Deliver, Faithful, Frame, Newer, Stale, Step, Twice


def frame(*messages: Mapping[str, object]) -> Frame:
    return Frame.of(json.dumps(messages[0] if len(messages) == 1 else messages))


def turn(ply: int) -> dict[str, object]:
    return {"type": "your_turn", "match": "m", "ply": ply, "legal": ["1"]}


def move(ply: int, request: int) -> dict[str, object]:
    return {"type": "move", "id": request, "match": "m", "ply": ply, "move": "1"}


def delivered(steps: Sequence[Step]) -> list[object]:
    return [json.loads(step.text) for step in steps if isinstance(step, Deliver)]


def test_frames_that_are_no_messages_pass_unread() -> None:
    for text in ("", "{", "3", "null", "[" * 100_000, '["a", {"type": "move"}]'):
        read = Frame.of(text)
        assert read.text == text
        assert all(isinstance(message, dict) for message in read.messages)
        for one in (Faithful(), CutThrice(), Twice(), Stale(), Newer()):
            assert Deliver(text) in one.pass_on("bot", read)
    assert Frame.of('["a", {"type": "move"}]').messages == ({"type": "move"},)


def test_three_cuts_at_three_moments_of_three_turns() -> None:
    cutting = CutThrice()
    assert list(cutting.pass_on("bot", frame({"type": "join"}))) == [Deliver('{"type": "join"}')]
    assert list(cutting.pass_on("server", frame(turn(0)))) == [Deliver(frame(turn(0)).text), Cut()]
    assert list(cutting.pass_on("bot", frame(move(0, 1)))) == [Deliver(frame(move(0, 1)).text)]
    assert list(cutting.pass_on("bot", frame(move(2, 2)))) == [Cut()]
    assert list(cutting.pass_on("bot", frame(move(2, 3)))) == [Deliver(frame(move(2, 3)).text)]
    assert list(cutting.pass_on("server", frame({"type": "ok", "id": 3}))) == [Deliver('{"type": "ok", "id": 3}')]
    assert list(cutting.pass_on("bot", frame(move(4, 9)))) == [Deliver(frame(move(4, 9)).text)]
    assert list(cutting.pass_on("server", frame({"type": "ok", "id": 8}))) == [Deliver('{"type": "ok", "id": 8}')]
    assert list(cutting.pass_on("server", frame({"type": "ok", "id": 9}, turn(6)))) == [Cut()]
    assert cutting.cuts == 3
    assert list(cutting.pass_on("server", frame(turn(8)))) == [Deliver(frame(turn(8)).text)]


def test_twice_repeats_what_a_server_may_repeat() -> None:
    assert delivered(Twice().pass_on("server", frame(turn(0)))) == [turn(0), turn(0)]
    assert delivered(Twice().pass_on("server", frame({"type": "welcome"}))) == [{"type": "welcome"}]
    assert delivered(Twice().pass_on("bot", frame(move(0, 1)))) == [move(0, 1)]


def test_the_turn_before_comes_again_after_the_new_one() -> None:
    stale = Stale()
    moved = {"type": "moved", "ply": 1}
    assert delivered(stale.pass_on("server", frame(turn(0)))) == [turn(0)]
    assert delivered(stale.pass_on("server", frame({"type": "ok", "id": 1}))) == [{"type": "ok", "id": 1}]
    assert delivered(stale.pass_on("server", frame(moved, turn(2)))) == [[moved, turn(2)], turn(0)]
    assert delivered(stale.pass_on("server", frame(turn(4)))) == [turn(4), moved, turn(2)]


def test_a_newer_server_says_more_to_the_bot_only() -> None:
    (message,) = delivered(Newer().pass_on("server", frame(turn(0))))
    assert isinstance(message, dict)
    assert {key: message[key] for key in turn(0)} == turn(0)
    assert len(message) == len(turn(0)) + 1
    (batch,) = delivered(Newer().pass_on("server", frame(turn(0), turn(2))))
    assert isinstance(batch, list)
    assert [one["ply"] for one in batch] == [0, 2]
    assert delivered(Newer().pass_on("bot", frame(move(0, 1)))) == [move(0, 1)]
