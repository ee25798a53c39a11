"""What the bots have in common that search on masks: the game's kernel, the names of its moves, and how they report."""

from bots.base import BaseBot, Thought
from bots.search.alphabeta import Line
from bots.search.kernels import make_kernel, move_names
from games.base import Game


class MaskBot(BaseBot):
    """A bot for a game that has a kernel; for the others there is `bots.classroom.on_positions`."""

    def __init__(self, game: Game) -> None:
        super().__init__()
        kernel = make_kernel(game)
        assert kernel is not None, "a game without one is searched on positions"
        self._kernel = kernel
        self._names = move_names(game)

    def _report(self, line: Line) -> None:
        """Tells what a search has found to a certain depth."""
        pv = tuple(self._names[bit] for bit in line.bits)
        self.think_aloud(Thought(line.depth, line.value, pv, line.nodes))
