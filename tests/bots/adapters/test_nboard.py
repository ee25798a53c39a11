"""NBoard conversations, line by line: the protocol's own example, what engines may write, and how they fail."""

import itertools

import pytest

from bots.adapters.nboard import DEPTHS, NBoard
from bots.adapters.pupils.patience import Deadline
from bots.base import BotFaultError, Budget, MatchHistory, Thought
from games import Othello
from server.records import ggf as server_ggf
from server.records.compose import FoundGame
from tests.bots.adapters.script import Script, ask, context

OTHELLO = Othello()
EXAMPLE = "f5 f6 d3 c5 e6 f7 e7 f4"
"""The game of the example session in the protocol's page."""

HEAD = "(;GM[Othello]PC[Arbitre]PB[black]PW[white]RE[?]TY[8]BO[8"
START = f"{HEAD} -------- -------- -------- ---O*--- ---*O--- -------- -------- -------- *]"
EXAMPLE_GGF = f"{START}B[f5]W[f6]B[d3]W[c5]B[e6]W[f7]B[e7]W[f4];)"
HELLO = "> nboard 2\n> ping 1\n< pong 1\n"


def greeted(script: str) -> tuple[NBoard, Script]:
    """A talk whose engine has been greeted; its clock goes on by a second each time it is looked at."""
    table, lines = context(OTHELLO, HELLO + script)
    seconds = itertools.count()
    talk = NBoard(table, clock=lambda: float(next(seconds)))
    talk.greet(Deadline(60))
    return talk, lines


def answering(*lines: str) -> NBoard:
    """A talk whose engine answers so to its first question, at the start."""
    said = "\n".join(f"< {line}" for line in lines)
    return greeted(f"> ping 2\n< pong 2\n> set game {START};)\n> set depth 12\n> go\n{said}")[0]


def test_the_session_of_the_protocol() -> None:
    talk, lines = greeted(
        f"""
        > ping 2
        < set myname Edax6
        < pong 2
        > set game {EXAMPLE_GGF}
        > set depth 12
        > go
        < status Edax is thinking
        < nodestats 35805 0.00
        < === d6 -1.00 0.0
        < status Edax is waiting
        > ping 3
        < pong 3
        > move D6
        > move E3
        > go
        < === c4/-0.50/0.12
        """
    )
    assert ask(talk, OTHELLO, EXAMPLE) == "d6"
    assert ask(talk, OTHELLO, f"{EXAMPLE} d6 e3") == "c4"
    assert lines.is_over
    assert talk.farewell(MatchHistory()) == "quit"


def test_the_game_that_it_is_sent_reads_back() -> None:
    (_, game), *_ = server_ggf.read([EXAMPLE_GGF])
    assert isinstance(game, FoundGame)
    assert " ".join(game.moves) == EXAMPLE


def test_after_a_takeback_the_whole_game_is_sent() -> None:
    talk, lines = greeted(
        f"""
        > ping 2
        < pong 2
        > set game {START}B[f5];)
        > set depth 12
        > go
        < === d6
        > ping 3
        < pong 3
        > set game {START};)
        > go
        < === d3
        """
    )
    assert ask(talk, OTHELLO, "f5") == "d6"
    assert ask(talk, OTHELLO) == "d3"
    assert lines.is_over


def test_what_it_says_late_is_over_with_the_barrier() -> None:
    talk, _ = greeted(
        f"""
        > ping 2
        < === a1 0.0 0.0
        < pong 1
        < search c4 1.0 0 5
        <
        < pong 2
        > set game {START};)
        > set depth 12
        > go
        < === D3
        """
    )
    assert ask(talk, OTHELLO) == "d3"


def test_passes_are_told() -> None:
    position, moves = OTHELLO.start(), []
    while position.passed is None:
        moves.append(position.legal_moves()[0])
        position = position.play(moves[-1])
    answer = position.legal_moves()[0]
    game = "".join(f"{'BW'[ply % 2]}[{move}]" for ply, move in enumerate(moves[:-2]))
    letter = "BW"[position.passed - 1]
    whole = f"{game}{'BW'[len(moves) % 2]}[{moves[-2]}]{'WB'[len(moves) % 2]}[{moves[-1]}]{letter}[PA]"
    talk, lines = greeted(
        f"""
        > ping 2
        < pong 2
        > set game {START}{game};)
        > set depth 12
        > go
        < === {moves[-2]}
        > ping 3
        < pong 3
        > move {moves[-2].upper()}
        > move {moves[-1].upper()}
        > move PA
        > go
        < === {answer}
        """
    )
    assert ask(talk, OTHELLO, " ".join(moves[:-2])) == moves[-2]
    assert ask(talk, OTHELLO, " ".join(moves)) == answer
    assert lines.is_over
    again, _ = greeted(f"> ping 2\n< pong 2\n> set game {START}{whole};)\n> set depth 12\n> go\n< === {answer}")
    assert ask(again, OTHELLO, " ".join(moves)) == answer


def test_its_thoughts_are_passed_on() -> None:
    talk = answering(
        "search F5-d6-C3 0.25 0 7 anything at all",
        "nodestats 35805000000.0 0.01",
        "book f5D6c3 -2.50 14 9",
        "search d3 nothing 0 9",
        "search d3PAc4 100000 0 100%W",
        "search",
        "hint of something unknown",
        "=== d3",
    )
    thoughts: list[Thought] = []
    assert ask(talk, OTHELLO, thoughts=thoughts) == "d3"
    assert thoughts == [
        Thought(7, 0.25, ("f5", "d6", "c3"), 0),
        Thought(9, -2.5, ("f5", "d6", "c3"), 35_805_000_000),
        Thought(100, 100000.0, ("d3", "c4"), 35_805_000_000),
    ]


@pytest.mark.parametrize(
    ("answer", "reason", "message"),
    [
        ("=== PA", "illegal", "engine answered 'PA': it passes, but it has a move"),
        ("=== d4", "illegal", "engine answered 'd4': d4 is taken already"),
        ("=== ", "crash", "engine answered '===', which is not like '=== d6 -1.00 0.0'"),
    ],
)
def test_answers_that_lose_the_match(answer: str, reason: str, message: str) -> None:
    with pytest.raises(BotFaultError) as caught:
        ask(answering(answer), OTHELLO)
    assert (caught.value.reason, str(caught.value)) == (reason, message)


@pytest.mark.parametrize("lines", [(), ("status Edax is thinking", "pong 2")])
def test_no_move_is_a_timeout(lines: tuple[str, ...]) -> None:
    with pytest.raises(BotFaultError) as caught:
        ask(answering(*lines), OTHELLO)
    assert caught.value.reason == "timeout"


class TestDepth:
    def test_more_time_is_never_less_depth(self) -> None:
        limits, depths = zip(*DEPTHS, strict=True)
        assert list(limits) == sorted(limits)
        assert list(depths) == sorted(depths)

    @pytest.mark.parametrize(
        ("budget", "depth"),
        [
            (Budget(remaining_ms=120_000), 14),
            (Budget(remaining_ms=60_000), 10),
            (Budget(remaining_ms=60_000, increment_ms=10_000), 18),
            (Budget(remaining_ms=3_000), 4),
            (Budget(remaining_ms=0), 2),
            (Budget(remaining_ms=4_000, move_ms=4_000), 10),
            (Budget(remaining_ms=3_600_000), 20),
        ],
    )
    def test_it_follows_from_the_clock(self, budget: Budget, depth: int) -> None:
        talk, _ = greeted(f"> ping 2\n< pong 2\n> set game {START};)\n> set depth {depth}\n> go\n< === d3")
        assert ask(talk, OTHELLO, budget=budget) == "d3"

    def test_a_move_over_its_share_lowers_it_for_good(self) -> None:
        """The share is half a second, and here each move takes one; a depth that has not changed is not said again."""
        budget, start = Budget(remaining_ms=1_000, move_ms=1_000), f"> set game {START};)\n"
        script = ""
        for number, depth in enumerate([8, 6, 4, 2, 1], 2):
            game = start if number == 2 else ""
            script += f"> ping {number}\n< pong {number}\n{game}> set depth {depth}\n> go\n< === d3\n"
        talk, _ = greeted(script + "> ping 7\n< pong 7\n> go\n< === d3")
        for _ in range(6):
            assert ask(talk, OTHELLO, budget=budget) == "d3"
