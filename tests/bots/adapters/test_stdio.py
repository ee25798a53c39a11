"""The line protocols for any language: what is asked, what counts as an answer, and what is said of the rest."""

import json

import msgspec
import pytest

import games
from bots.adapters.pupils.patience import Deadline
from bots.adapters.stdio import Stdio, question_line
from bots.adapters.stdio_json import Answer, StdioJson
from bots.base import RESIGN, UNLIMITED, BotFaultError, Budget, MatchHistory, Thought
from protocol.messages import Result, Thinking
from tests.bots.adapters.script import after, ask, context

OTHELLO, PUISSANCE4, MORPION = map(games.parse, ("othello", "puissance4", "morpion"))
START = "othello 8 8 0 1 -1 ......../......../......../...OX.../...XO.../......../......../........ 4 d3 c4 f5 e6"
CLOCK = Budget(remaining_ms=29_750, increment_ms=100, opponent_ms=30_000)


class TestStdio:
    def test_the_line_says_everything(self) -> None:
        assert question_line(OTHELLO, OTHELLO.start(), UNLIMITED) == START
        assert question_line(PUISSANCE4, after(PUISSANCE4, "4", "4", "5"), CLOCK) == (
            "puissance4 7 6 4 2 29750 ......./......./......./......./...O.../...XX.. 7 1 2 3 4 5 6 7"
        )
        rules = games.parse("morpion:width=4,height=3,k=3")
        assert question_line(rules, after(rules, "b2"), UNLIMITED) == (
            "morpion 4 3 3 2 -1 ..../.X../.... 11 a1 b1 c1 d1 a2 c2 d2 a3 b3 c3 d3"
        )

    @pytest.mark.parametrize("answer", ["d3", "D3", "  d3  ", "d3\\r", "4,3", "(4, 3)"])
    def test_a_move_is_taken_as_people_write_it(self, answer: str) -> None:
        talk, script = context(OTHELLO, f"> {START}\n< {answer}")
        assert ask(Stdio(talk), OTHELLO) == "d3"
        assert script.is_over

    def test_empty_lines_are_not_answers(self) -> None:
        talk, _ = context(OTHELLO, f"> {START}\n< \n< \\r\n< e6")
        assert ask(Stdio(talk), OTHELLO) == "e6"

    def test_it_is_waited_for_and_may_say_that_it_is_ready(self) -> None:
        told, script = context(OTHELLO, f"< ready\n> {START}\n< Ready\n< e6")
        talk = Stdio(told)
        waited = [script.was_waited_for]
        talk.greet(Deadline(60))
        assert [*waited, script.was_waited_for] == [False, True]
        assert ask(talk, OTHELLO) == "e6"

    def test_it_may_resign(self) -> None:
        talk, _ = context(OTHELLO, f"> {START}\n< Resign")
        assert ask(Stdio(talk), OTHELLO) == RESIGN

    @pytest.mark.parametrize(
        ("answer", "why"),
        [
            ("a1", "engine answered 'a1': a1 would turn over no disc: every move must turn over at least one"),
            ("d4", "engine answered 'd4': d4 is taken already"),
            ("z9", "engine answered 'z9': z9 is not on the board"),
            ("move: d3", "engine answered 'move: d3': “move: d3” is not a move here"),
        ],
    )
    def test_a_wrong_answer_is_told_with_the_reason(self, answer: str, why: str) -> None:
        talk, _ = context(OTHELLO, f"> {START}\n< {answer}")
        with pytest.raises(BotFaultError) as caught:
            ask(Stdio(talk), OTHELLO)
        assert (caught.value.reason, str(caught.value)) == ("illegal", why)
        assert caught.value.exchange == (f"> {START}", f"< {answer}")


ASKED = {
    "type": "your_turn",
    "match": "m1",
    "game": "morpion",
    "options": {"width": 3, "height": 3, "k": 3},
    "width": 3,
    "height": 3,
    "seat": 1,
    "ply": 2,
    "moves": ["b2", "a1"],
    "board": ["O..", ".X.", "..."],
    "legal": ["b1", "c1", "a2", "c2", "a3", "b3", "c3"],
    "clock": {"left_ms": 29_750, "increment_ms": 100, "move_ms": None, "opponent_ms": 30_000},
}


def json_line(fields: object) -> str:
    return json.dumps(fields, separators=(",", ":"))


def asked_json(answers: str) -> tuple[StdioJson, list[Thought]]:
    talk, _ = context(MORPION, f"> {json_line(ASKED)}\n{answers}")
    return StdioJson(talk), []


class TestStdioJson:
    def test_the_object_says_everything(self) -> None:
        talk, _ = asked_json('< {"move": "c3"}')
        assert ask(talk, MORPION, "b2 a1", budget=CLOCK) == "c3"

    def test_it_is_waited_for_and_may_say_that_it_is_ready(self) -> None:
        told, script = context(MORPION, f'< {{"type": "ready"}}\n> {json_line(ASKED)}\n< {{"move": "c3"}}')
        talk = StdioJson(told)
        waited = [script.was_waited_for]
        talk.greet(Deadline(60))
        assert [*waited, script.was_waited_for] == [False, True]
        assert ask(talk, MORPION, "b2 a1", budget=CLOCK) == "c3"

    def test_without_a_clock_it_is_null(self) -> None:
        talk, _ = context(MORPION, f'> {json_line({**ASKED, "clock": None})}\n< {{"move": "C3", "comment": [1]}}\\r')
        assert ask(StdioJson(talk), MORPION, "b2 a1") == "c3"

    def test_what_it_thinks_is_passed_on_in_bounds(self) -> None:
        answers = """
        <
        < {"depth": 2, "score": 0.5, "pv": ["c3", "b1"], "nodes": 40}
        < {"note": "no thought"}
        < {"move": "c3", "depth": 99999, "score": -1e300, "nodes": -1, "pv": ["c3", "", "longer"]}
        """
        talk, thoughts = asked_json(answers.strip())
        assert ask(talk, MORPION, "b2 a1", budget=CLOCK, thoughts=thoughts) == "c3"
        assert thoughts == [Thought(2, 0.5, ("c3", "b1"), 40), Thought(10_000, -1e9, ("c3",), 0)]

    @pytest.mark.parametrize("depth", [-5, 0, 10**30])
    @pytest.mark.parametrize("score", [-1e300, 0.0, float("nan"), float("inf")])
    def test_no_thought_is_refused_by_the_protocol(self, depth: int, score: float) -> None:
        thought = Answer("c3", depth, score, ("", "c3", "x" * 9), depth).thought
        assert thought is not None
        told = Thinking(
            1, match="m", ply=1, depth=thought.depth, score=thought.score, pv=thought.pv, nodes=thought.nodes
        )
        assert msgspec.json.decode(msgspec.json.encode(told), type=Thinking) == told

    def test_it_may_resign(self) -> None:
        talk, _ = asked_json('< {"move": "resign"}')
        assert ask(talk, MORPION, "b2 a1", budget=CLOCK) == RESIGN

    @pytest.mark.parametrize("line", ["c3", "[1]", '{"move": 3}', '{"move": "c3", "depth": "deep"}', "{", "[" * 5000])
    def test_what_is_not_such_an_object_breaks_the_protocol(self, line: str) -> None:
        talk, _ = asked_json(f"< {line}")
        with pytest.raises(BotFaultError) as caught:
            ask(talk, MORPION, "b2 a1", budget=CLOCK)
        assert caught.value.reason == "crash"
        assert str(caught.value).startswith(f'engine answered {line[:200]!r}, which is not like {{"move": "d3"}}: ')

    def test_an_illegal_move_is_told_with_the_reason(self) -> None:
        talk, _ = asked_json('< {"move": "b2"}')
        with pytest.raises(BotFaultError, match="engine answered 'b2': b2 is taken already") as caught:
            ask(talk, MORPION, "b2 a1", budget=CLOCK)
        assert caught.value.reason == "illegal"

    def test_the_end_is_told_to_one_that_has_played(self) -> None:
        over = MatchHistory("m1", ("b2", "a1", "c3"), Result(1, "timeout", (0, 0)))
        talk, _ = asked_json('< {"move": "c3"}')
        assert talk.farewell(over) is None
        ask(talk, MORPION, "b2 a1", budget=CLOCK)
        assert talk.farewell(MatchHistory("m1")) is None
        assert json.loads(talk.farewell(over) or "") == {
            "type": "finished",
            "match": "m1",
            "seat": 1,
            "winner": 1,
            "reason": "timeout",
            "score": [0, 0],
            "moves": ["b2", "a1", "c3"],
        }
