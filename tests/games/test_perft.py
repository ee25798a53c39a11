"""Counts of games and of positions against published ones."""

from collections import Counter
from collections.abc import Callable, Iterator
from random import Random

import pytest

from games import Game, Morpion, Othello, Position, Puissance4, Seat, parse
from games.perft import perft, perft_by_moves, playout, playout_by_moves
from tests.games.boards import Rows, notation, rows_of
from tests.games.oracles import OthelloOracle

# depth, leaves when a forced pass costs a ply (OEIS A124004 and the Othello perft pages)
OTHELLO_LEAVES = (1, 4, 12, 56, 244, 1396, 8200, 55092, 390216, 3005288)

# John Tromp's counts: positions at each ply on 7x6, and those of them where the game is over
PUISSANCE4_POSITIONS = (1, 7, 49, 238, 1120, 4263, 16422, 54859, 184275)
PUISSANCE4_OVER = (0, 0, 0, 0, 0, 0, 0, 728, 1892)


@pytest.mark.parametrize("depth", range(len(OTHELLO_LEAVES)))
def test_othello(depth: int) -> None:
    """Depth 9 is the first that tells a pass that costs a ply from a free one (3005320)."""
    assert perft(Othello().start(), depth) == OTHELLO_LEAVES[depth]


def test_negative_depth() -> None:
    with pytest.raises(ValueError, match="-1"):
        perft(Othello().start(), -1)


def oracle_perft(oracle: OthelloOracle, to_move: int, depth: int) -> int:
    """Perft on the slow oracle, where a pass is a turn of its own."""
    oracle.to_move = to_move
    if depth == 0 or oracle.result() is not None:
        return 1
    moves = oracle.legal()
    if not moves:
        return oracle_perft(oracle, 3 - to_move, depth - 1)
    total = 0
    for move in moves:
        board = [row.copy() for row in oracle.board]
        oracle.to_move = to_move
        oracle.play(move)
        total += oracle_perft(oracle, 3 - to_move, depth - 1)
        oracle.board = board
    return total


@pytest.mark.parametrize("depth", [1, 5, 6, 7, 8, pytest.param(9, marks=pytest.mark.slow)])
def test_passes_and_early_ends_on_a_small_board(depth: int) -> None:
    assert perft(Othello(size=4).start(), depth) == oracle_perft(OthelloOracle(4, "draw"), 1, depth)


@pytest.mark.slow
def test_whole_game_on_a_small_board() -> None:
    """4x4 Othello to its end, passes and early ends in plenty, by masks and by moves."""
    start = Othello(size=4).start()
    for depth in (11, 20):
        assert perft(start, depth) == perft_by_moves(start, depth)
    assert perft(start, 20) == perft(start, 21)


def test_the_end_of_games_on_a_small_board() -> None:
    """4x4 Othello from its sixth move to its end, by masks and by moves."""
    random = Random(1)
    for _ in range(20):
        position = Othello(size=4).start()
        for _ in range(5):
            position = position.play(random.choice(position.legal_moves()))
        assert perft(position, 14) == perft_by_moves(position, 14) == perft(position, 15)


@pytest.mark.parametrize(
    ("spec", "depth"),
    [
        ("puissance4", 5),
        ("puissance4:width=4,height=4", 8),
        ("puissance4:width=10,height=1,k=3", 7),
        ("morpion", 9),
        ("morpion:width=4,height=3", 5),
        ("morpion:width=10,height=10,k=5", 2),
        ("othello:size=6", 6),
        ("othello:size=10", 5),
    ],
)
def test_masks_and_moves_agree(spec: str, depth: int) -> None:
    start = parse(spec).start()
    for plies in range(depth + 1):
        assert perft(start, plies) == perft_by_moves(start, plies)


def test_perft_of_a_finished_game_is_one() -> None:
    over = Morpion().position("XXXOO---- O")
    assert [perft(over, depth) for depth in (0, 1, 5)] == [1, 1, 1]


def positions_per_ply(game: Game, plies: int) -> Iterator[set[Position]]:
    layer = {game.start()}
    yield layer
    for _ in range(plies):
        layer = {position.play(move) for position in layer for move in position.legal_moves()}
        yield layer


@pytest.mark.parametrize("plies", [7, pytest.param(8, marks=pytest.mark.slow)])
def test_puissance4_positions_per_ply(plies: int) -> None:
    for ply, layer in enumerate(positions_per_ply(Puissance4(), plies)):
        assert len(layer) == PUISSANCE4_POSITIONS[ply]
        assert sum(position.outcome() is not None for position in layer) == PUISSANCE4_OVER[ply]


@pytest.mark.parametrize(
    ("width", "height", "positions"),
    # John Tromp: positions on smaller boards
    [
        (4, 1, 35), (8, 1, 2118), (5, 2, 4688), (4, 3, 12031), (3, 4, 6000), (2, 8, 13343), (1, 10, 11),
        pytest.param(4, 4, 161029, marks=pytest.mark.slow),
    ],
)  # fmt: skip
def test_puissance4_positions_on_small_boards(width: int, height: int, positions: int) -> None:
    game = Puissance4(width=width, height=height)
    assert sum(len(layer) for layer in positions_per_ply(game, width * height)) == positions


SYMMETRIES: list[Callable[[Rows], Rows]] = [
    lambda rows: rows,
    lambda rows: rows[::-1],
    lambda rows: [row[::-1] for row in rows],
    lambda rows: [row[::-1] for row in rows[::-1]],
    lambda rows: [list(column) for column in zip(*rows, strict=True)],
    lambda rows: [list(column) for column in zip(*rows[::-1], strict=True)],
    lambda rows: [list(column) for column in zip(*rows, strict=True)][::-1],
    lambda rows: [list(column) for column in zip(*rows[::-1], strict=True)][::-1],
]


class TestMorpion:
    """Everything about 3x3: the figures of the literature."""

    game = Morpion()

    def canonical(self, position: Position) -> str:
        rows = rows_of(self.game, position)
        return min(notation(turn(rows), position.to_move) for turn in SYMMETRIES)

    def test_positions_per_ply(self) -> None:
        layers = list(positions_per_ply(self.game, 9))
        assert [len(layer) for layer in layers] == [1, 9, 72, 252, 756, 1260, 1520, 1140, 390, 78]
        unlike = [len({self.canonical(position) for position in layer}) for layer in layers]
        assert unlike == [1, 3, 12, 38, 108, 174, 204, 153, 57, 15]

    def test_terminal_positions(self) -> None:
        over = {position for layer in positions_per_ply(self.game, 9) for position in layer if position.outcome()}
        winners = Counter(outcome.winner for position in over if (outcome := position.outcome()))
        assert winners == {Seat.FIRST: 626, Seat.SECOND: 316, None: 16}
        unlike = {self.canonical(position): position for position in over}.values()
        winners = Counter(outcome.winner for position in unlike if (outcome := position.outcome()))
        assert winners == {Seat.FIRST: 91, Seat.SECOND: 44, None: 3}

    def test_games_by_length_and_winner(self) -> None:
        lengths: Counter[int] = Counter()
        winners: Counter[Seat | None] = Counter()
        paths: Counter[Position] = Counter({self.game.start(): 1})
        for ply in range(10):
            longer: Counter[Position] = Counter()
            for position, games in paths.items():
                if outcome := position.outcome():
                    lengths[ply] += games
                    winners[outcome.winner] += games
                for move in position.legal_moves():
                    longer[position.play(move)] += games
            paths = longer
        assert lengths == {5: 1440, 6: 5328, 7: 47952, 8: 72576, 9: 127872}
        assert winners == {Seat.FIRST: 131184, Seat.SECOND: 77904, None: 46080}
        assert perft(self.game.start(), 9) == 255168

    def test_games_up_to_symmetry(self) -> None:
        """Moves that lead to positions that a turn or a mirror makes one are one move."""
        known: dict[str, int] = {}

        def games(position: Position) -> int:
            key = self.canonical(position)
            if key not in known:
                children = {self.canonical(child): child for child in map(position.play, position.legal_moves())}
                known[key] = sum(games(child) for child in children.values()) or 1
            return known[key]

        assert games(self.game.start()) == 26830


class TestPlayout:
    """Fast and slow playouts draw from one distribution; both know a finished game."""

    @pytest.mark.parametrize(
        "spec", ["othello:size=4", "othello:size=4,tie=last_mover", "puissance4:width=4,height=4", "morpion"]
    )
    def test_same_distribution(self, spec: str) -> None:
        """With 3000 games each, a share differs by more than 0.065 in one run of a million; the seed is fixed."""
        start = parse(spec).start()
        games = 3000
        random = Random(1)
        fast = Counter(playout(start, random) for _ in range(games))
        slow = Counter(playout_by_moves(start, random) for _ in range(games))
        for winner in (Seat.FIRST, Seat.SECOND, None):
            assert abs(fast[winner] - slow[winner]) / games < 0.065

    def test_from_every_seat(self) -> None:
        """Positions where one move is left and it decides: the winner is named from the right side."""
        for notation_, winner in [
            ("XX-OOXXOO X", Seat.FIRST),
            ("OO-XXOOXX O", Seat.SECOND),
            ("XOXXOOO-X X", None),
        ]:
            position = Morpion().position(notation_)
            assert {playout(position, Random(seed)) for seed in range(5)} == {winner}

    @pytest.mark.parametrize(
        ("notation_", "winner"),
        [("XXXOO---- O", Seat.FIRST), ("OOOXX-X-- X", Seat.SECOND), ("XOXXOOOXX O", None)],
    )
    def test_of_a_finished_game(self, notation_: str, winner: Seat | None) -> None:
        assert playout(Morpion().position(notation_), Random(1)) is winner

    def test_of_a_finished_othello_game(self) -> None:
        for mover in "XO":
            assert playout(Othello(size=4).position(f"{'X' * 9}{'O' * 7} {mover}"), Random(1)) is Seat.FIRST
            assert playout(Othello(size=4).position(f"{'X' * 7}{'O' * 9} {mover}"), Random(1)) is Seat.SECOND
            assert playout(Othello(size=4).position(f"{'X' * 8}{'O' * 8} {mover}"), Random(1)) is None
            tie = Othello(size=4, tie="last_mover").position(f"{'X' * 8}{'O' * 8} {mover}")
            assert playout(tie, Random(1)) is tie.to_move.other
