"""Games and positions that others published: each replays legally, with the published result."""

import re
import struct
from collections.abc import Iterator

import pytest

from games import Morpion, Othello, Puissance4, Seat
from tests.games.boards import played
from tests.games.published import DATA, OTHELLO_GAMES, lines_of, needs_data

OTHELLO = Othello()
PUISSANCE4 = Puissance4()
MORPION = Morpion()


@pytest.mark.parametrize("name", OTHELLO_GAMES)
def test_othello_game(name: str) -> None:
    transcript, score, tournament_score = OTHELLO_GAMES[name]
    outcome = played(OTHELLO, transcript).outcome()
    assert outcome is not None
    assert outcome.score == score
    assert outcome.tournament_score == tournament_score
    black, white = score
    assert outcome.winner == (None if black == white else Seat.FIRST if black > white else Seat.SECOND)


def wthor(year: int) -> Iterator[tuple[str, int]]:
    """Transcript and black's published score of each game of a WTHOR file (format: data/README.txt)."""
    content = (DATA / "othello-wthor" / f"WTH_{year}.wtb").read_bytes()
    (count,) = struct.unpack_from("<I", content, 4)
    for number in range(count):
        record = content[16 + 68 * number : 84 + 68 * number]
        yield "".join(f"{'abcdefgh'[move % 10 - 1]}{move // 10}" for move in record[8:] if move), record[6]


@needs_data
@pytest.mark.parametrize(("year", "games", "unfinished"), [(1977, 12, []), (1983, 199, [20])])
def test_wthor_year(year: int, games: int, unfinished: list[int]) -> None:
    seen = 0
    stopped = []
    for number, (transcript, score) in enumerate(wthor(year), 1):
        seen += 1
        outcome = played(OTHELLO, transcript).outcome()
        if outcome is None:
            stopped.append(number)
            continue
        assert outcome.tournament_score == (score, 64 - score), f"game {number}"
    assert seen == games
    assert stopped == unfinished


@needs_data
def test_ggf_games() -> None:
    records = list(lines_of("othello-ggf/ntest-TestGames.ggf"))
    assert len(records) == 12
    passes = 0
    for record in records:
        moves = re.findall(r"\b[BW]\[([^]/]+)", record)
        (result,) = re.findall(r"\bRE\[([^]]+)\]", record)
        passes += sum(move.lower() in ("pa", "pass") for move in moves)
        outcome = played(OTHELLO, " ".join(moves)).outcome()
        assert outcome is not None
        black, white = outcome.score
        assert black - white == float(result)
    assert passes == 5


@needs_data
def test_tic_tac_toe_endgames() -> None:
    """The 958 boards of the UCI set are exactly those where a game may end, 'positive' where X has a line."""
    published = {}
    for line in list(lines_of("tictactoe/tic-tac-toe.data"))[-958:]:
        *cells, label = line.split(",")
        published["".join("-XO"["bxo".index(cell)] for cell in cells)] = label
    ends = {}
    seen, todo = {MORPION.start()}, [MORPION.start()]
    while todo:
        position = todo.pop()
        if outcome := position.outcome():
            label = "positive" if outcome.winner is Seat.FIRST else "negative"
            ends[position.notation.partition(" ")[0]] = label
        for move in position.legal_moves():
            child = position.play(move)
            if child not in seen:
                seen.add(child)
                todo.append(child)
    assert len(published) == 958
    assert ends == published


@needs_data
@pytest.mark.parametrize("name", sorted(path.name for path in DATA.glob("connect4/Test_*.txt")) or ["no data"])
def test_connect_four_benchmark_positions(name: str) -> None:
    """Pascal Pons's sets: positions that can be reached, and where nobody can win with the next disc."""
    for line in lines_of(f"connect4/{name}"):
        transcript, score = line.split()
        position = played(PUISSANCE4, transcript)
        assert position.outcome() is None, line
        wins_at_once = any(
            outcome.winner is not None for move in position.legal_moves() if (outcome := position.play(move).outcome())
        )
        # A win with the next disc scores 22 minus the number that this disc has among the mover's.
        assert wins_at_once is (int(score) == 22 - (len(transcript) // 2 + 1)), line


@needs_data
def test_othello_endgames_list_every_legal_move() -> None:
    """FFO suite: the moves that stand behind each position are all its legal moves."""
    positions = 0
    for name in ("fforum-1-19", "fforum-20-39", "fforum-40-59"):
        for line in lines_of(f"othello-endgames/{name}.obf"):
            board, *scores = line.split(";")
            cells, mover = board.split()
            moves = {score.split(":")[0].strip().lower() for score in scores if ":" in score}
            assert set(OTHELLO.position(f"{cells} {mover}").legal_moves()) == moves
            positions += 1
    assert positions == 59
