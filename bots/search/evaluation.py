"""What a position is worth to a player who looks no further: the class material's evaluations.

Each is a function of the player's discs and the opponent's, larger being better for the player.
"""

from collections.abc import Callable

from bots.search.accelerators import ACCELERATORS
from bots.search.kernels import corner_classes
from games.base import Game, Term, Words
from games.coordinates import Grid
from games.morpion import Morpion
from games.othello import Othello
from games.puissance4 import Puissance4

Evaluation = Callable[[int, int], int]
"""(own discs, the opponent's discs) -> worth to their owner."""

Terms = Callable[[int, int], tuple[Term, ...]]
"""(own discs, the opponent's discs) -> the parts of an evaluation, which add up to it."""

CORNER, AROUND, EDGE = 1000, -500, 300
"""The class table of Othello: a cell counts once, as the first of these that it is."""


def discs(own: int, other: int) -> int:
    """The disc difference."""
    return own.bit_count() - other.bit_count()


def make_positional(game: Othello) -> Evaluation:
    """The class table over the player's own discs: corners, cells around a corner, edges; on boards of any size."""
    corners, around, edges = corner_classes(game.board.grid)

    def positional(own: int, other: int) -> int:
        del other
        return (
            CORNER * (own & corners).bit_count()
            + AROUND * (own & around).bit_count()
            + EDGE * (own & edges).bit_count()
        )

    return positional


def make_lines_evaluation(game: Morpion | Puissance4) -> Evaluation:
    """The lines of k that are open to the player (no disc of the opponent) less those that are open to the opponent."""
    full = game.board.full
    per_direction = [[direction * step for step in _doublings(game.k)] for direction in game.board.lines.directions]

    def open_lines(blocked: int) -> int:
        free, count = full & ~blocked, 0
        for shifts in per_direction:
            starts = free
            for shift in shifts:
                starts &= starts >> shift
            count += starts.bit_count()
        return count

    return lambda own, other: open_lines(other) - open_lines(own)


def _terms_of_discs(own: int, other: int) -> tuple[Term, ...]:
    return (Term(Words("discs", "pions"), own.bit_count(), other.bit_count()),)


def _make_terms_of_cells(game: Othello) -> Terms:
    """Those of `make_positional`, which counts the player's own discs alone."""
    corners, around, edges = corner_classes(game.board.grid)
    classes = (
        (Words("corners", "coins"), corners, CORNER),
        (Words("beside a corner", "autour d’un coin"), around, AROUND),
        (Words("edges", "bords"), edges, EDGE),
    )

    def terms(own: int, other: int) -> tuple[Term, ...]:
        del other
        return tuple(Term(label, (own & cells).bit_count(), 0, each) for label, cells, each in classes)

    return terms


_ROWS, _COLUMNS, _DIAGONALS = (
    Words("open rows", "lignes ouvertes"),
    Words("open columns", "colonnes ouvertes"),
    Words("open diagonals", "diagonales ouvertes"),  # codespell: French
)


def _make_terms_of_lines(game: Morpion | Puissance4) -> Terms:
    """Those of `make_lines_evaluation`: rows, columns and diagonals apart, as people count them."""
    full = game.board.full
    directions = [(_way(game.board.grid, each), each) for each in game.board.lines.directions]

    def open_lines(blocked: int) -> dict[Words, int]:
        counts = dict.fromkeys((_ROWS, _COLUMNS, _DIAGONALS), 0)
        for label, direction in directions:
            starts = full & ~blocked
            for shift in _doublings(game.k):
                starts &= starts >> direction * shift
            counts[label] += starts.bit_count()
        return counts

    def terms(own: int, other: int) -> tuple[Term, ...]:
        theirs = open_lines(own)
        return tuple(Term(label, count, theirs[label]) for label, count in open_lines(other).items())

    return terms


def _way(grid: Grid, direction: int) -> Words:
    """What people call the lines in a direction of masks; a board too small for such a line has none of any name."""
    for bit, (x, y) in grid.places.items():
        if bit << direction in grid.places:
            along, down = grid.places[bit << direction]
            return _ROWS if down == y else _COLUMNS if along == x else _DIAGONALS
    return _DIAGONALS


def line_worth(count: int, k: int) -> int:
    """What an open line with `count` of its owner's discs is worth: 1 for one disc, 5 times as much per further one."""
    return 5 ** (count - 1) if 0 < count <= k else 0


def make_shapes_evaluation(game: Morpion) -> Evaluation:
    """What the player's open lines are worth (`line_worth`) less the opponent's."""
    full, k = game.board.full, game.k

    def worth(own: int, other: int) -> int:
        free, total = full & ~other, 0
        for direction in game.board.lines.directions:
            starts, counts = free, [0] * k.bit_length()
            for step in range(k):
                starts &= free >> step * direction
                carry = own >> step * direction
                for place, plane in enumerate(counts):
                    counts[place], carry = plane ^ carry, plane & carry
            for count in range(1, k + 1):
                lines = starts
                for place, plane in enumerate(counts):
                    lines &= plane if count >> place & 1 else ~plane
                total += line_worth(count, k) * lines.bit_count()
        return total

    return lambda own, other: worth(own, other) - worth(other, own)


def _doublings(k: int) -> list[int]:
    """Shifts that, each ANDed in turn, leave the cells from which `k` in a row are set: 1, 2, 1 for 5."""
    shifts, have = [], 1
    while have < k:
        step = min(have, k - have)
        shifts.append(step)
        have += step
    return shifts


EVALUATIONS: dict[str, tuple[str, ...]] = {name: each.evaluations for name, each in ACCELERATORS.items()}
"""Game id -> the evaluations that make sense for it; the first is its default."""


def make_evaluation(name: str, game: Game) -> Evaluation:
    """The evaluation `name`, one of `EVALUATIONS[game.id]`, for `game`."""
    assert name in EVALUATIONS[game.id], "the family's check has refused it"
    match game:
        case Othello() if name == "discs":
            return discs
        case Othello():
            return make_positional(game)
        case Puissance4() | Morpion():
            return make_lines_evaluation(game)
        case _:
            raise AssertionError(game.spec)


def make_terms(name: str, game: Game) -> Terms:
    """The parts of the evaluation `name`, one of `EVALUATIONS[game.id]`, for `game`."""
    assert name in EVALUATIONS[game.id], "the family's check has refused it"
    match game:
        case Othello() if name == "discs":
            return _terms_of_discs
        case Othello():
            return _make_terms_of_cells(game)
        case Puissance4() | Morpion():
            return _make_terms_of_lines(game)
        case _:
            raise AssertionError(game.spec)
