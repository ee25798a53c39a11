"""Which game has which accelerator. All that searches know of single games is in this table.

A game that is not in the table is searched and solved on positions, by its own measures (`bots.search.positions`), and
the levels of `human` are those for any game.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Accelerators:
    """What makes one game faster or stronger.

    kernel: the class in `bots.search.kernels` that has its rules on masks. evaluations: those of
    `bots.search.evaluation` that fit it, the usual one first. solver: the module whose `make_solver(game, megabytes)`
    makes its solver. compiled: the module that numba compiles. seconds: about how long that takes.
    player: the module whose `make_player(game, depth, longest_s, nodes)` makes its strong player, if there is one for
    that board, and whose `compiled_parts(game, depth, nodes)` says what it has compiled.
    scale: the lead, in its player's score, of a side that wins about three games of four.
    solvable: whether its solver gets to the end from early on, so that `perfect` plays it.
    """

    kernel: str
    evaluations: tuple[str, ...]
    solver: str
    compiled: str
    seconds: int
    player: str
    scale: float
    solvable: bool = False


ACCELERATORS: Final[Mapping[str, Accelerators]] = {
    "othello": Accelerators(
        kernel="DiscKernel",
        evaluations=("positional", "discs"),
        solver="bots.search.othello_solver",
        compiled="bots.search.fast_othello",
        seconds=8,
        player="bots.strong.othello_player",
        scale=6.0,
    ),
    "puissance4": Accelerators(
        kernel="LineKernel",
        evaluations=("lines",),
        solver="bots.search.puissance4",
        compiled="bots.search.fast_puissance4",
        seconds=3,
        player="bots.strong.line_player",
        scale=12.0,
        solvable=True,
    ),
    "morpion": Accelerators(
        kernel="LineKernel",
        evaluations=("lines",),
        solver="bots.search.morpion",
        compiled="bots.search.fast_morpion",
        seconds=2,
        player="bots.strong.line_player",
        scale=100.0,
        solvable=True,
    ),
}
"""Game id -> what it offers."""
