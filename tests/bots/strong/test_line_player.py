"""The strong players of Puissance 4 and morpion: exact where `perfect` is, tactical beyond, and in time."""

import random
import threading

import pytest

import games
from bots.base import UNLIMITED, Bot, Budget, Thought, parse_bot
from bots.search import compiled
from bots.search.alphabeta import WIN
from bots.search.kernels import masks_of
from bots.search.solver import make_solver
from bots.search.tactics import Line, Tactics
from bots.search.threats import PlainThreats, make_threats
from bots.strong.human import FAMILY as HUMAN
from bots.strong.line_player import MorpionPlayer, Puissance4Player, compiled_parts, make_line_player
from bots.strong.perfect import Perfect
from bots.strong.strong import FAMILY, StrongOnMasks
from bots.timing import MoveTime
from games import Morpion, Position, Puissance4, Seat
from games.base import position_after

needs_numba = pytest.mark.skipif(not compiled.is_available(), reason="numba is not installed")
GOMOKU = "morpion:width=10,height=10,k=5"
PATIENCE_S = 60
SHORT = Budget(300, move_ms=300)


def after(spec: str, *moves: str) -> Position:
    return position_after(games.parse(spec), moves)


def strong(spec: str, options: str = "") -> Bot:
    return parse_bot(f"strong{options}").make(games.parse(spec), Seat.FIRST, random.Random(1))


def plain(spec: str) -> MorpionPlayer:
    """The player as it is without numba."""
    game = games.parse(spec)
    assert isinstance(game, Morpion)
    return MorpionPlayer(game, Tactics(game, PlainThreats(game)))


@pytest.mark.parametrize(
    ("spec", "kind"),
    [
        ("puissance4", Puissance4Player),
        ("puissance4:width=9,height=7", Puissance4Player),
        ("morpion", Perfect),
        ("morpion:width=5,height=5,k=4", MorpionPlayer),
        (GOMOKU, MorpionPlayer),
        ("othello:size=6", StrongOnMasks),
    ],
)
def test_who_plays_what(spec: str, kind: type[Bot]) -> None:
    assert type(strong(spec)) is kind


@pytest.mark.parametrize("spec", ["puissance4", "morpion", GOMOKU])
def test_a_depth_is_kept_to_without_a_solver(spec: str) -> None:
    assert type(strong(spec, ":depth=2")) is StrongOnMasks


@needs_numba
def test_what_is_compiled_is_what_the_game_needs() -> None:
    def needs(family: str, spec: str | None, level: int = 10) -> set[str]:
        game = None if spec is None else games.parse(spec)
        bot = parse_bot(family if family != "human" else f"human:level={level}")
        return set(bot.family.compiles(bot.options, game))

    assert needs("strong", "othello") == needs("human", "othello") == {"othello"}
    assert needs("strong", "puissance4") == needs("perfect", "puissance4") == {"puissance4"}
    assert needs("strong", GOMOKU) == needs("human", GOMOKU) == {"threats"}
    assert needs("strong", "morpion:width=5,height=5,k=4") == {"morpion", "threats"}
    assert needs("perfect", "morpion:width=5,height=5,k=4") == {"morpion"}
    assert not needs("strong", "morpion")
    assert not needs("strong:depth=3", GOMOKU)
    assert not needs("human", "othello", level=1)
    assert not needs("human", "puissance4", level=3)
    assert needs("strong", None) == needs("human", None) == set(compiled.COMPILED)
    assert not needs("random", "othello")
    assert set(FAMILY.compiles(parse_bot("strong").options, games.parse("othello:size=6"))) == set()
    assert HUMAN.compiles(parse_bot("human:level=5").options, games.parse("othello")) == ("othello",)


@needs_numba
@pytest.mark.parametrize("spec", ["puissance4", "puissance4:width=5,height=5", "morpion:width=4,height=4,k=4"])
@pytest.mark.slow
def test_every_move_keeps_the_value_of_the_position(spec: str) -> None:
    """As `perfect` does: from random positions that a solver values."""
    game, rng = games.parse(spec), random.Random(3)
    solver = make_solver(game, 16)
    assert solver is not None
    assert isinstance(game, Puissance4 | Morpion)
    bot, checked = make_line_player(game, longest_s=PATIENCE_S), 0  # a busy machine gives it little of five seconds
    while checked < 8:
        position = game.start()
        for _ in range(rng.randrange(6 if spec == "morpion" else 4, 14)):
            if position.outcome() is None:
                position = position.play(rng.choice(position.legal_moves()))
        if position.outcome() is not None or (spec == "puissance4" and position.notation.count("-") > 30):
            continue
        value = solver.score(position)
        found = -solver.score(position.play(bot.choose(position, UNLIMITED)))
        assert (found > 0) - (found < 0) == (value > 0) - (value < 0)
        checked += 1


def test_puissance4_comes_out_of_the_book() -> None:
    thoughts: list[Thought] = []
    bot = strong("puissance4")
    bot.on_thought = thoughts.append
    assert bot.choose(after("puissance4"), UNLIMITED) == "4"
    assert thoughts[0].nodes == 0


def test_what_the_solver_cannot_tell_is_left_to_the_search() -> None:
    """On a board out of reach the move is the one that was to be preferred."""
    game = games.parse("puissance4:width=10,height=10")
    assert isinstance(game, Puissance4)
    for move in ("2", "9"):
        assert Perfect(game).solve(game.start(), 0.0, (move,)).move == move


TACTICS = [
    # an open three of the opponent: stop it at one end, or further out
    (GOMOKU, ("a1", "e5", "j1", "f5", "a10", "g5"), {"d5", "h5", "c5", "i5"}),
    # a four of one's own comes before everything
    (GOMOKU, ("e5", "e6", "f5", "f6", "g5", "g6", "h5", "h6"), {"d5", "i5"}),
    # an open two that becomes an open three, with the move, on a board of four in a line
    ("morpion:width=7,height=7,k=4", ("c4", "a1", "d4", "g7"), {"b4", "e4"}),
]


@pytest.mark.parametrize(("spec", "moves", "good"), TACTICS)
@pytest.mark.parametrize("make", [strong, plain])
def test_forced_wins_are_taken_and_stopped(
    make: type[MorpionPlayer], spec: str, moves: tuple[str, ...], good: set[str]
) -> None:
    assert make(spec).choose(after(spec, *moves), SHORT) in good  # type: ignore[arg-type]  # both take the rules


@needs_numba
def test_two_threes_that_cross_are_played() -> None:
    """No four among them: a win by threats only."""
    moves = ("d5", "a1", "e5", "j10", "f3", "a10", "f4", "j1")
    assert strong(GOMOKU).choose(after(GOMOKU, *moves), SHORT) == "f5"


@needs_numba
def test_a_win_is_told_as_other_searches_tell_it() -> None:
    """Proven by threats, or seen by the search: WIN less the plies."""
    game = games.parse("morpion:width=4,height=4,k=3")
    assert isinstance(game, Morpion)
    tactics, lines = Tactics(game), list[Line]()
    own, other = masks_of(after(game.spec, "b2", "a4"))
    moves = [game.board.grid.bit_of[move] for move in ("d4", "c2", "b3")]
    line = tactics.deepen(own, other, moves, MoveTime(10.0, 10.0), lines.append)
    assert line == lines[-1]
    assert WIN - 10 < line.value < WIN
    told: list[Thought] = []
    bot = strong(GOMOKU)
    bot.on_thought = told.append
    bot.choose(after(GOMOKU, "d5", "a1", "e5", "j10", "f5", "a10"), SHORT)
    assert told[-1].score == WIN


@needs_numba
def test_the_opponents_crossing_threes_are_prevented() -> None:
    position = after(GOMOKU, "a1", "d5", "j10", "e5", "a10", "f3", "j1", "f4")
    move = strong(GOMOKU).choose(position, SHORT)
    game = games.parse(GOMOKU)
    assert isinstance(game, Morpion)
    assert not make_threats(game).winning(*masks_of(position.play(move)), 1)


@pytest.mark.parametrize("spec", [GOMOKU, "puissance4:width=8,height=8"])
def test_closing_ends_the_search_that_runs_and_every_later_one(spec: str) -> None:
    bot, began = strong(spec), threading.Event()
    bot.on_thought = lambda thought: began.set()
    position = after(spec, *(("e5", "f6") if spec == GOMOKU else ()))
    long = Budget(600_000, move_ms=600_000)
    searching = threading.Thread(target=bot.choose, args=(position, long), daemon=True)
    searching.start()
    assert began.wait(PATIENCE_S)
    bot.close()
    searching.join(PATIENCE_S)
    assert not searching.is_alive()
    assert bot.choose(position, long) in position.legal_moves()


def test_compiled_parts_of_large_boards() -> None:
    game = games.parse(GOMOKU)
    assert isinstance(game, Morpion)
    assert compiled_parts(game) == ("threats",)
