"""What the bots have in common that search on masks: the game's kernel, and the names of its moves."""

from bots.base import BaseBot, BotSpecError
from bots.search.kernels import make_kernel, move_names
from games.base import Game
from locales import _


class MaskBot(BaseBot):
    """A bot for a game that has a kernel; a family's check refuses the others (`check_kernel`)."""

    def __init__(self, game: Game) -> None:
        super().__init__()
        kernel = make_kernel(game)
        assert kernel is not None, "the family's check has refused it"
        self._kernel = kernel
        self._names = move_names(game)


def check_kernel(game: Game, name: str) -> None:
    """Raises BotSpecError if there is no kernel for `game`."""
    if make_kernel(game) is None:
        raise BotSpecError(_("{bot} does not play {game}.").format(bot=name, game=game.id))
