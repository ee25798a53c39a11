"""The levels of `human`: the same again under a seed, better from level to level, and errors that a person makes."""

import itertools
import random
import statistics
from collections.abc import Callable

import pytest

import games
from benchmarks._openings import opening
from benchmarks.levels import compare, place
from bots.base import UNLIMITED, Budget, Thought, parse_bot
from bots.search.kernels import masks_of, move_names
from bots.search.sight import FOREGONE, TreeSight
from bots.strong.human import Human, make_human
from bots.strong.human_levels import LEVELS, SMALL_MORPION, STRONGEST, USUAL_LEVELS, Level, days, levels_of
from games.base import Position, Seat, position_after

SEEDS = range(20)
BOARDS = [
    "othello",
    "othello:size=6",
    "puissance4",
    "puissance4:width=1,height=5,k=3",
    "morpion:width=10,height=10,k=5",
]


def human(spec: str, number: int, seed: int = 1) -> Human:
    """A person of a level of the table."""
    game = games.parse(spec)
    return make_human(game, random.Random(seed), levels_of(game)[number - 1], takes_wins=number > 1)


def after(spec: str, *moves: str) -> Position:
    return position_after(games.parse(spec), moves)


def test_there_are_ten_levels_for_every_game() -> None:
    assert {len(levels_of(games.parse(name))) for name in games.GAMES} == {STRONGEST}
    assert {len(levels) for levels in (*LEVELS.values(), SMALL_MORPION, USUAL_LEVELS)} == {STRONGEST}


def test_small_boards_of_morpion_have_levels_of_their_own() -> None:
    assert levels_of(games.parse("morpion")) is SMALL_MORPION
    assert levels_of(games.parse("morpion:width=4,height=4,k=3")) is LEVELS["morpion"]
    assert levels_of(games.parse("puissance4:width=3,height=3,k=3")) is LEVELS["puissance4"]


def test_a_beginner_and_the_strongest_are_alike_every_day() -> None:
    for game_id in LEVELS:
        assert list(days(game_id, 1)) == [1]
        assert list(days(game_id, STRONGEST)) == [STRONGEST]
        assert all(number in days(game_id, number) for number in range(1, STRONGEST + 1))


def depths_looked(spec: str, game_spec: str) -> set[int]:
    """How far a bot looks in the first move of some games."""
    game, depths = games.parse(game_spec), set[int]()
    for seed in range(12):
        bot = parse_bot(spec).make(game, Seat.FIRST, random.Random(seed))
        bot.on_thought = lambda thought: depths.add(thought.depth)
        bot.choose(game.start(), UNLIMITED)
    return depths


def test_it_has_good_and_bad_days_in_othello() -> None:
    near = {level.depth for level in LEVELS["othello"][4:7]}
    assert len(near) == 3
    assert depths_looked("human:level=6", "othello") == near
    assert depths_looked("human:level=6", "puissance4") == {LEVELS["puissance4"][5].depth}


@pytest.mark.parametrize("spec", BOARDS)
@pytest.mark.parametrize("number", [1, 6])
def test_the_same_seed_makes_the_same_moves(spec: str, number: int) -> None:
    def moves(seed: int) -> list[str]:
        player, position, played = human(spec, number, seed), games.parse(spec).start(), list[str]()
        while position.outcome() is None and len(played) < 6:
            played.append(player.choose(position, UNLIMITED))
            position = position.play(played[-1])
        return played

    assert moves(1) == moves(1)


@pytest.mark.parametrize("spec", ["othello", "puissance4"])
def test_another_seed_makes_other_moves(spec: str) -> None:
    start = after(spec, *(["f5"] if spec == "othello" else ["4"]))
    assert len({human(spec, 2, seed).choose(start, UNLIMITED) for seed in SEEDS}) > 1


WINS = [
    ("puissance4", ("1", "7", "1", "7", "1", "6"), "1"),
    ("puissance4", ("1", "2", "2", "3", "3", "4", "3", "4", "4", "7"), "4"),
    ("morpion", ("a1", "a2", "b2", "b3"), "c3"),
    ("morpion:width=7,height=7,k=5", ("b2", "b1", "c3", "c1", "d4", "d1", "e5", "g1"), "f6"),
]


@pytest.mark.parametrize(("spec", "moves", "win"), WINS)
@pytest.mark.parametrize("number", [2, 4, 5])
def test_from_level_two_it_takes_a_win(spec: str, moves: tuple[str, ...], win: str, number: int) -> None:
    game, position = games.parse(spec), after(spec, *moves)
    for seed in SEEDS[:5]:
        move = human(spec, number, seed).choose(position, UNLIMITED)
        outcome = game.position(position.notation).play(move).outcome()
        assert outcome is not None, f"{move} does not win, {win} does"
        assert outcome.winner is position.to_move


def share(spec: str, number: int, position: Position, good: Callable[[str], bool]) -> float:
    """How often a level plays a good move."""
    return sum(good(human(spec, number, seed).choose(position, UNLIMITED)) for seed in range(60)) / 60


def test_a_beginner_overlooks_threats_that_a_better_player_stops() -> None:
    position = after("puissance4", "1", "2", "1", "2", "1")
    assert share("puissance4", 1, position, lambda move: move == "1") < 0.6
    assert share("puissance4", 6, position, lambda move: move == "1") > 0.8


def test_a_diagonal_is_overlooked_more_easily_than_a_row() -> None:
    game = games.parse("puissance4")
    assert isinstance(game, games.Puissance4)
    sight, rng, times = TreeSight(game), random.Random(1), 300
    row = after("puissance4", "1", "1", "2", "2", "3", "3")
    slant = after("puissance4", "1", "2", "2", "3", "3", "4", "3", "4", "6", "4")

    def seen(position: Position) -> float:
        count = 0
        for _ in range(times):
            sight.open_eyes(masks_of(position), rng, 0.3)
            count += sight.wins() != 0
        return count / times

    assert seen(row) == pytest.approx(0.7, abs=0.1)
    assert seen(slant) == pytest.approx(0.4, abs=0.1)


@pytest.mark.slow
def test_a_beginner_of_othello_likes_to_flip_many_discs() -> None:
    """The stronger, the fewer: moves of one's own count for more than discs."""
    game = games.parse("othello")
    assert isinstance(game, games.Othello)
    bit_of = {name: bit for bit, name in move_names(game).items()}

    def greed(number: int) -> float:
        """Discs flipped beyond what the average move would flip."""
        beyond = []
        for seed in range(100):
            position = opening(game, 20, random.Random(seed))
            flips = [game.board.flips(*masks_of(position), bit_of[move]).bit_count() for move in position.legal_moves()]
            chosen = bit_of[human("othello", number, seed).choose(position, UNLIMITED)]
            beyond.append(game.board.flips(*masks_of(position), chosen).bit_count() - statistics.fmean(flips))
        return statistics.fmean(beyond)

    assert greed(1) > 0.2
    assert greed(4) < 0.1


def test_a_look_ahead_shows_what_is_foregone() -> None:
    """X holds b and c on the bottom with both sides open: the second player has lost wherever he plays but beside."""
    game = games.parse("puissance4:width=5,height=4,k=3")
    assert isinstance(game, games.Puissance4)
    sight, position = TreeSight(game), game.start().play("2").play("1").play("3")
    sight.open_eyes((position.own, position.opponent), random.Random(1), 0.0)
    names = {name: bit for bit, name in _bottom(game).items()}
    assert sight.look(names["5"], 1, 1.0, lambda: False) > -FOREGONE / 2, "what follows is not looked at"
    assert sight.look(names["5"], 2, 1.0, lambda: False) == -FOREGONE + 2


def _bottom(game: games.Puissance4) -> dict[int, str]:
    return {bit: str(x + 1) for bit, (x, y) in game.board.grid.places.items() if y == game.height - 1}


def test_it_keeps_within_its_time() -> None:
    """A look that has become late ends: here the clock jumps a second whenever it is read."""
    game = games.parse("morpion:width=10,height=10,k=5")
    assert isinstance(game, games.Morpion)
    seconds = iter(range(1_000_000))
    level = Level(depth=8, width=100)
    sight = TreeSight(game)
    player = Human(game, random.Random(1), level=level, sight=sight, strongest=None, clock=lambda: float(next(seconds)))
    thoughts: list[Thought] = []
    player.on_thought = thoughts.append
    position = game.start().play("e5")
    assert player.choose(position, Budget(remaining_ms=2000, move_ms=2000)) in position.legal_moves()
    assert len(thoughts) == 1


FAR = [
    pytest.param("othello", 5, 1, 3, marks=pytest.mark.slow),
    ("puissance4", 5, 2, 10),
    ("morpion:width=5,height=5,k=4", 6, 1, 10),
]


@pytest.mark.parametrize(("spec", "level", "below", "pairs"), FAR)
@pytest.mark.slow
def test_a_level_beats_one_far_below(spec: str, level: int, below: int, pairs: int) -> None:
    assert compare(games.parse(spec), level, below, pairs, seed=3, budget=UNLIMITED).score > 0.75


@pytest.mark.slow
def test_on_3x3_each_level_fares_better_against_the_same_bots() -> None:
    """Good players draw each other there: only a pool tells them apart. The same games every time."""
    game, pool = games.parse("morpion"), [parse_bot(bot) for bot in ("random", "minimax:depth=2", "perfect")]
    scores = [place(game, level, pool, 40, seed=1, budget=UNLIMITED).score for level in (1, 4, 7, 10)]
    assert scores == sorted(scores)
    assert scores[-1] > scores[0] + 0.35
    assert all(above > below + 0.04 for below, above in itertools.pairwise(scores)), scores
