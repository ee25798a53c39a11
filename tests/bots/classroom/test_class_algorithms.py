"""The bots from class against plain transcriptions of the documents' pseudo-code, on many positions."""

import random

import pytest

import games
from bots.base import UNLIMITED, BotSpecError, Budget, parse_bot
from bots.classroom.dfs import Walker
from bots.classroom.minimax import Minimax
from bots.classroom.minimax_search import MinimaxSearch
from bots.search.alphabeta import WIN
from bots.search.kernels import make_kernel, masks_of
from bots.search.walks import walk
from games import Game, Position, Seat
from tests.bots.classroom import pseudocode
from tests.bots.classroom.pseudocode import Grid
from tests.bots.classroom.samples import positions


def grid_of(game: Game, position: Position) -> Grid:
    return [[int(position.cell(x, y) or 0) for x in range(game.width)] for y in range(game.height)]


def name_of(cell: tuple[int, int]) -> str:
    return f"{chr(97 + cell[1])}{cell[0] + 1}"


def minimax(game: Game, style: str, depth: int, evaluation: str | None = None) -> Minimax:
    return Minimax(game, random.Random(0), depth=depth, evaluation=evaluation, tiebreak="first", style=style)


OTHELLOS = [("othello", 12, 3), ("othello:size=6", 40, 3), ("othello:size=4", 60, 5)]


@pytest.mark.parametrize(("spec", "count", "deepest"), OTHELLOS)
def test_min_max_of_the_othello_document(spec: str, count: int, deepest: int) -> None:
    game = games.parse(spec)
    bots = {depth: minimax(game, "min_max", depth) for depth in range(1, deepest + 1)}
    for position in positions(game, count, 1):
        for depth, bot in bots.items():
            value, cell = pseudocode.coup_joueur(grid_of(game, position), position.to_move, depth)
            assert bot.think(position, UNLIMITED).value == value
            assert bot.choose(position, UNLIMITED) == name_of(cell)


@pytest.mark.parametrize(("spec", "count", "deepest"), OTHELLOS)
@pytest.mark.parametrize("evaluation", [None, "positional"])
def test_minimax_of_worksheet_23(spec: str, count: int, deepest: int, evaluation: str | None) -> None:
    def difference(grid: Grid) -> int:
        return pseudocode.evaluation(grid, 1) - pseudocode.evaluation(grid, 2)

    score = pseudocode.score_of_black if evaluation is None else difference
    game = games.parse(spec)
    bots = {depth: minimax(game, "tp23", depth, evaluation) for depth in range(1, deepest + 1)}
    for position in positions(game, count, 2):
        for depth, bot in bots.items():
            value, cell = pseudocode.minimax(grid_of(game, position), position.to_move, depth, score)
            assert cell is not None
            assert bot.think(position, UNLIMITED).value == (value if position.to_move is Seat.FIRST else -value)
            assert bot.choose(position, UNLIMITED) == name_of(cell)


@pytest.mark.parametrize("style", ["min_max", "tp23"])
def test_a_forced_pass_costs_the_documents_a_move(style: str) -> None:
    """The oracles were compared on positions in which somebody passes within the depth, or this proves nothing."""
    game = games.parse("othello:size=4")
    passes = [
        position
        for position in positions(game, 60, 1 if style == "min_max" else 2)
        if any(position.play(move).passed is not None for move in position.legal_moves())
    ]
    assert len(passes) > 3


@pytest.mark.parametrize(
    ("spec", "depth", "count", "least"),
    [
        ("morpion", 2, 60, 0),
        ("morpion", 4, 40, 0),
        ("morpion", 6, 40, 3),
        ("morpion:width=4,height=3,k=3", 4, 40, 3),
        ("morpion:width=4,height=4,k=3", 2, 30, 0),
    ],
)
def test_min_max_play_of_the_morpion_document(spec: str, depth: int, count: int, least: int) -> None:
    game = games.parse(spec)
    assert isinstance(game, games.Morpion)
    document, bot = pseudocode.Morpion(game.width, game.height, game.k), minimax(game, "min_max_play", depth)
    for position in positions(game, count, 3, least):
        cell = document.min_max_play(grid_of(game, position), position.to_move, depth)
        assert bot.choose(position, UNLIMITED) == (position.legal_moves()[0] if cell is None else name_of(cell))


def test_min_max_play_of_the_document_does_not_see_its_own_next_win() -> None:
    """c2 wins at once. After b1 (a fork) every reply loses, which the textbook's minimax knows at depth 3."""
    game = games.parse("morpion")
    assert minimax(game, "min_max_play", 2).think(game.position("--OXX-O-- X"), UNLIMITED).value == WIN - 1
    lost = game.position("X-X---OXO O")
    assert minimax(game, "min_max_play", 2).choose(lost, UNLIMITED) == "b1"
    hopeless = game.position("XX-X----O O")
    assert minimax(game, "min_max_play", 2).think(hopeless, UNLIMITED).value == -WIN
    assert minimax(game, "min_max_play", 2).choose(hopeless, UNLIMITED) == hopeless.legal_moves()[0]


@pytest.mark.parametrize("spec", ["othello:size=6", "puissance4", "morpion", "morpion:width=4,height=4,k=3"])
def test_alpha_beta_plays_what_plain_minimax_plays_and_looks_at_less(spec: str) -> None:
    game = games.parse(spec)
    looked_at = [0, 0]
    for depth in (1, 2, 3):
        plain, cutting = minimax(game, "plain", depth), minimax(game, "alphabeta", depth)
        for position in positions(game, 8, depth):
            everything, less = plain.think(position, UNLIMITED), cutting.think(position, UNLIMITED)
            assert (less.value, less.bits[0]) == (everything.value, everything.bits[0])
            looked_at[0] += everything.nodes
            looked_at[1] += less.nodes
    assert looked_at[0] > 1.5 * looked_at[1]


@pytest.mark.parametrize("style", ["plain", "tp23", "min_max"])
def test_a_clock_stops_every_style(style: str) -> None:
    game = games.parse("othello")
    now = iter(range(10**9))
    bot = Minimax(
        game,
        random.Random(0),
        depth=20,
        evaluation=None,
        tiebreak="first",
        style=style,
        clock=lambda: next(now) / 100,
    )
    position = game.start()
    assert bot.choose(position, Budget(remaining_ms=2000)) in position.legal_moves()


@pytest.mark.parametrize(
    ("bot", "game", "sentence"),
    [
        ("minimax:style=tp23", "morpion", "style=tp23 is about othello; for morpion leave it out."),
        ("minimax:style=min_max", "puissance4", "style=min_max is about othello; for puissance4 leave it out."),
        ("minimax:style=min_max_play,depth=3", "morpion", "counts its depth by pairs of moves: take 2, 4, 6 ..."),
        ("minimax_search", "othello", "at most 16 cells, not 8 x 8; on larger ones play minimax:depth=4."),
        ("minimax_search", "morpion:width=5,height=4,k=4", "at most 16 cells, not 5 x 4"),
    ],
)
def test_what_does_not_fit_is_refused_in_a_sentence(bot: str, game: str, sentence: str) -> None:
    with pytest.raises(BotSpecError) as refused:
        parse_bot(bot).check(games.parse(game))
    assert sentence in str(refused.value)


# -- dfs, bfs, minimax_search

MORPIONS = [("morpion", 150, 2), ("morpion:width=4,height=3,k=3", 60, 5), ("morpion:width=3,height=4,k=4", 40, 6)]


@pytest.mark.parametrize(("spec", "count", "least"), MORPIONS)
@pytest.mark.parametrize("bot", ["dfs", "dfs:style=document", "bfs"])
def test_searches_for_a_win(spec: str, count: int, least: int, bot: str) -> None:
    game = games.parse(spec)
    assert isinstance(game, games.Morpion)
    document = pseudocode.Morpion(game.width, game.height, game.k)
    player = parse_bot(bot).make(game, Seat.FIRST, random.Random(0))
    none = 0
    for position in positions(game, count, 4, least):
        grid, seat = grid_of(game, position), position.to_move
        cell = document.bfs_play(grid, seat) if bot == "bfs" else document.dfs_play(grid, seat, slip=bot != "dfs")
        none += cell is None
        assert player.choose(position, UNLIMITED) == (position.legal_moves()[0] if cell is None else name_of(cell))
    assert none > 0  # "en absence de position gagnante la fonction retourne None"


def test_the_slip_of_the_document_takes_the_opponents_line_for_ours() -> None:
    """O can't win any more; after c3 X wins with c1. In the document's style O believes that this line is its own."""
    game = games.parse("morpion")
    position = game.position("XX-OOXXO- O")
    found = {
        style: Walker(game, breadth_first=False, positions=1000, style=style).find(position)[1]
        for style in ("corrected", "document")
    }
    assert found == {"corrected": (), "document": ("c3", "c1")}


def test_depth_first_walks_past_a_win_in_one_move_and_breadth_first_does_not() -> None:
    game = games.parse("puissance4")
    position = game.position("-" * 28 + "OO-----" + "OXXX--- X")
    assert parse_bot("bfs").make(game, Seat.FIRST, random.Random(0)).choose(position, UNLIMITED) == "5"
    assert parse_bot("dfs").make(game, Seat.FIRST, random.Random(0)).choose(position, UNLIMITED) == "1"


@pytest.mark.parametrize("breadth_first", [True, False])
@pytest.mark.parametrize("spec", ["morpion", "puissance4:width=4,height=4,k=3", "othello:size=4"])
def test_leaving_out_what_was_seen_changes_neither_the_line_nor_the_move(spec: str, *, breadth_first: bool) -> None:
    game = games.parse(spec)
    kernel = make_kernel(game)
    assert kernel is not None
    for position in positions(game, 25, 6, game.width):
        firsts: list[tuple[int, ...] | None] = []
        for merge in (True, False):
            visits = walk(kernel, masks_of(position), breadth_first=breadth_first, merge=merge, limit=10**6)
            goal = next((visit for visit in visits if visit.result == 1), None)
            firsts.append(None if goal is None else tuple(step.bit for step in goal.path))
        assert firsts[0] == firsts[1]


def test_a_search_that_finds_nothing_in_time_gives_up() -> None:
    game = games.parse("othello")
    position, now = game.start(), iter(range(10**9))
    walker = Walker(game, breadth_first=True, positions=5000)
    assert walker.find(position) == (5000, ())
    hurried = Walker(game, breadth_first=True, positions=10**6, clock=lambda: next(now) / 10)
    assert hurried.choose(position, Budget(remaining_ms=10_000)) == "d3"
    assert next(now) < 20


@pytest.mark.parametrize(("spec", "count", "least"), MORPIONS)
def test_minimax_search_is_the_documents(spec: str, count: int, least: int) -> None:
    game = games.parse(spec)
    assert isinstance(game, games.Morpion)
    document, bot = pseudocode.Morpion(game.width, game.height, game.k), MinimaxSearch(game)
    for position in positions(game, count, 5, least):
        value, cell = document.minimax_search(grid_of(game, position), position.to_move)
        assert cell is not None
        assert bot.search(position) == (value, name_of(cell))


def value_to_the_end(position: Position) -> int:
    """What `position` is worth to the seat to move: 1, 0 or -1."""
    outcome = position.outcome()
    if outcome is not None:
        return 0 if outcome.winner is None else 1 if outcome.winner is position.to_move else -1
    values = []
    for move in position.legal_moves():
        after = position.play(move)
        value = value_to_the_end(after)
        values.append(value if after.to_move is position.to_move else -value)
    return max(values)


@pytest.mark.parametrize("spec", ["othello:size=4", "othello:size=4,tie=last_mover", "puissance4:width=4,height=4,k=3"])
def test_minimax_search_plays_the_first_of_the_best_moves_of_other_games(spec: str) -> None:
    game = games.parse(spec)
    bot = MinimaxSearch(game)
    for position in positions(game, 40, 7, 5):
        values: dict[str, int] = {}
        for move in position.legal_moves():
            after = position.play(move)
            value = value_to_the_end(after)
            values[move] = value if after.to_move is position.to_move else -value
        best = max(values, key=values.__getitem__)
        assert bot.search(position) == (values[best], best)


@pytest.mark.parametrize(
    ("spec", "value"), [("morpion", 0), ("puissance4:width=4,height=4", 0), ("othello:size=4", -1)]
)
def test_whole_games_are_worth_what_is_known(spec: str, value: int) -> None:
    """Tic-tac-toe and 4x4 Connect Four are draws (J. Tromp's table); 4x4 Othello is the second player's."""
    game = games.parse(spec)
    assert MinimaxSearch(game).search(game.start())[0] == value
