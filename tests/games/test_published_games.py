"""Games and positions that others published: each replays legally, with the published result."""

import pytest

from games import Morpion, Othello, Puissance4, Seat
from tests.games import published
from tests.games.boards import played
from tests.games.published import OTHELLO_GAMES

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


@pytest.mark.parametrize("game", published.othello_games(), ids=lambda game: f"wthor-{game.year}-{game.number}")
def test_wthor_game(game: published.TournamentGame) -> None:
    outcome = played(OTHELLO, game.moves).outcome()
    if (game.year, game.number) == (1983, 20):
        assert outcome is None, "a player gave up"
    else:
        assert outcome is not None
        assert outcome.tournament_score == (game.score, 64 - game.score)


@pytest.mark.parametrize("game", published.ggs_games(), ids=lambda game: game.date)
def test_ggs_game(game: published.GgsGame) -> None:
    outcome = played(OTHELLO, " ".join(move.partition("/")[0] for move in game.moves)).outcome()
    assert outcome is not None
    black, white = outcome.score
    assert black - white == float(game.result)


def test_ggs_passes() -> None:
    """Each way to write a pass is among the games."""
    words = [move.partition("/")[0] for game in published.ggs_games() for move in game.moves]
    assert sorted(word for word in words if word.lower().startswith("p")) == ["PA", "pass", "pass"]


def test_tic_tac_toe_endgames() -> None:
    """The UCI set has the 958 boards where a game may end, 626 of them 'positive': X has a line."""
    ends = {}
    seen, todo = {MORPION.start()}, [MORPION.start()]
    while todo:
        position = todo.pop()
        if outcome := position.outcome():
            ends[position.notation.partition(" ")[0]] = outcome.winner is Seat.FIRST
        for move in position.legal_moves():
            child = position.play(move)
            if child not in seen:
                seen.add(child)
                todo.append(child)
    assert (len(ends), sum(ends.values())) == (958, 626)
    sample = published.morpion_ends()
    assert sample.items() <= ends.items()


@pytest.mark.parametrize(("name", "lines"), published.puissance4_scores().items())
def test_connect_four_benchmark_positions(name: str, lines: list[published.Puissance4Score]) -> None:
    """Pascal Pons' sets: positions that can be reached, whose score says whether the next disc wins."""
    assert name[0] == "L"
    for transcript, score in lines:
        position = played(PUISSANCE4, transcript)
        assert position.outcome() is None, transcript
        wins_at_once = any(
            outcome.winner is not None for move in position.legal_moves() if (outcome := position.play(move).outcome())
        )
        # A win with the next disc scores 22 minus the number that this disc has among the mover's.
        assert wins_at_once is (score == 22 - (len(transcript) // 2 + 1)), transcript


@pytest.mark.parametrize("end", published.othello_ends(), ids=lambda end: f"ffo-{end.problem}")
def test_othello_endgames_list_every_legal_move(end: published.OthelloEnd) -> None:
    """The moves that have a score are all legal moves."""
    assert set(OTHELLO.position(end.notation).legal_moves()) == end.scores.keys()
