"""docs/adapters.md: every line that it shows is what the code sends, or what it takes."""

import json
import re
from pathlib import Path

import games
from bots.adapters.conversation import Conversation
from bots.adapters.nboard import DEPTHS, UNTIMED_DEPTH, NBoard
from bots.adapters.pupils.patience import Deadline
from bots.adapters.stdio import Stdio, question_line
from bots.adapters.stdio_json import StdioJson
from bots.base import ADAPTERS, UNLIMITED, Budget, MatchHistory, Thought, parse_bot
from games import Game, Position
from games.base import position_after
from protocol.messages import Result
from protocol.values import reason_of
from tests.bots.adapters.script import ask, context

PAGE = (Path(__file__).parents[3] / "docs" / "adapters.md").read_text(encoding="utf-8")
BLOCKS: list[str] = re.findall(r"^```\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
CONVERSATION, STDIO, MORE_STDIO, ASKED, ANSWERS, FINISHED, OPPONENTS_TURN, NBOARD = BLOCKS
MATCH = "k3v9x2ab"


def position_of(line: str) -> tuple[Game, Position]:
    """The position that a line of the page shows, read back by its words."""
    name, width, height, in_line, player, _left, board, *_legal = line.split()
    sized = {name: f"{name}:size={width}" for name in ("othello", "breakthrough")}
    rules = sized.get(name, f"{name}:width={width},height={height},k={in_line}")
    game = games.parse(rules)
    cells = board.replace("/", "").replace(".", "-")
    return game, game.position(f"{cells} {'XO'[int(player) - 1]}")


def test_the_file_of_a_conversation_is_written_so(tmp_path: Path) -> None:
    times = iter([0.0, *(float(line[:10]) for line in CONVERSATION.splitlines())])
    file = Conversation(tmp_path / "one.log", "new", lambda: next(times))
    for line in CONVERSATION.splitlines()[1:]:
        sign, text = line[11], line[13:]
        match sign:
            case ">":
                file.sent(text)
            case "<":
                file.received(text.encode())
            case "!":
                file.printed(text.encode() + b"\n")
            case _:
                file.note(**json.loads(text))
    file.close()
    first, *lines = (tmp_path / "one.log").read_text(encoding="utf-8").splitlines()
    shown, *others = CONVERSATION.splitlines()
    assert lines == others
    assert re.sub(r'"date": "[^"]*"', "", first) == re.sub(r'"date": "[^"]*"', "", shown)


def test_the_lines_of_stdio_are_what_is_sent_and_any_legal_move_answers() -> None:
    lines = (STDIO + MORE_STDIO).splitlines()
    assert {line.split()[0] for line in lines} >= {"othello", "puissance4", "morpion", "breakthrough"}
    for line in lines:
        game, position = position_of(line)
        left_ms = int(line.split()[5])
        budget = UNLIMITED if left_ms < 0 else Budget(remaining_ms=left_ms)
        assert question_line(game, position, budget) == line
        legal = line.split()[8:]
        assert tuple(legal) == position.legal_moves()
        width, board = game.width, line.split()[6]
        for x in range(width):
            for y in range(game.height):
                assert board[y * (width + 1) + x] == {None: ".", 1: "X", 2: "O"}[position.cell(x, y)]


def test_the_words_of_stdio_stand_in_the_table_in_their_order() -> None:
    words = [word for row in re.findall(r"^\| `(.*?)` \|", PAGE, re.MULTILINE) for word in row.split()]
    start = STDIO.split()
    assert [word for word in words if word in start] == [word for word in start if word in words]
    talk, _ = context(games.parse("othello"), f"> {STDIO.replace('29750', '-1')}< 4,3")
    assert ask(Stdio(talk), games.parse("othello")) == "d3"


def test_the_objects_of_stdio_json() -> None:
    game = games.parse("morpion")
    budget = Budget(remaining_ms=29_750, increment_ms=100, opponent_ms=30_000)
    for answer in ANSWERS.splitlines():
        table, script = context(game, f"> {ASKED.replace(MATCH, 'm1')}< {answer}")
        thoughts: list[Thought] = []
        talk = StdioJson(table)
        assert ask(talk, game, "b2 a1", budget=budget, thoughts=thoughts) == "c3"
        assert script.is_over
        assert thoughts == ([Thought(6, 1.5, ("c3", "b3"), 1200)] if "depth" in answer else [])
        moves = ("b2", "a1", "c3", "b1", "c1", "c2", "a3")
        position = position_after(game, moves)
        outcome = position.outcome()
        assert outcome is not None
        assert outcome.winner is not None
        result = Result(outcome.winner.value, reason_of(outcome.termination)[0], outcome.score)
        assert talk.farewell(MatchHistory(MATCH, moves, result)) == FINISHED.strip()


def test_the_line_about_the_opponents_turn() -> None:
    game = games.parse("morpion")
    table, script = context(game, f"> {OPPONENTS_TURN}")
    position = position_after(game, ("b2", "a1", "c3"))
    StdioJson(table).opponents_turn(position, MatchHistory(MATCH, ("b2", "a1", "c3")))
    assert script.is_over


def test_the_session_of_nboard() -> None:
    game = games.parse("othello")
    table, script = context(game, NBOARD)
    talk = NBoard(table)
    talk.greet(Deadline(60))
    thoughts: list[Thought] = []
    assert ask(talk, game, "f5", thoughts=thoughts) == "d6"
    assert thoughts == [Thought(9, 0.5, ("d6", "c3"), 0)]
    assert ask(talk, game, "f5 d6 c3") == "d3"
    assert script.is_over


def test_the_depths_of_nboard() -> None:
    limits, depths = (
        re.findall(r"\d+\.?\d*", row) for row in re.findall(r"^\| (?:seconds|depth).*$", PAGE, re.MULTILINE)
    )
    assert [float(limit) for limit in limits] == [limit for limit, _ in DEPTHS[:-1]]
    assert [int(depth) for depth in depths] == [*(depth for _, depth in DEPTHS), UNTIMED_DEPTH]


def test_every_protocol_has_a_section_and_a_command_that_reads() -> None:
    for name in ADAPTERS.keys() - {"python"}:
        assert f"\n## {name}: " in PAGE
        assert re.search(rf'run.py bot "{name}:', PAGE)
    for command in re.findall(r'run.py bot "(.*?)" URL', PAGE):
        assert parse_bot(command).spec == command
