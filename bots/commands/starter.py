"""The files that `arbitre bot new` writes: a bot in ten lines, commented in the user's language, and its test. Pure.

Errors: StarterError (a BotError)    a name that no Python file can have; the message says what to write
"""

import keyword
import random
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from string import Template

from bots.base import BotError
from games.base import Game
from locales import _

TAKEN = frozenset({"arbitre"})
"""What a bot may not be called: it would hide ours. The modules of the standard library are refused as well."""

_PLAYOUTS = 100
_SHORT = 12
_LONGEST = 24
"""A win in one move is looked for in _PLAYOUTS random games: one after at most _SHORT moves is taken at once, one after
more than _LONGEST moves never."""

_BOT = Template('''"""$about

$lists
"""

import random


def choose(position, budget):
    """$returns

    position.legal_moves()    $legal_moves
    position.play(move)       $play
    position.outcome()        $outcome
    position.to_move          $to_move
    position.cell(x, y)       $cell
    position.score()          $score
    budget.remaining_ms       $remaining
    """
    moves = position.legal_moves()
    for move in moves:
        outcome = position.play(move).outcome()
        if outcome is not None and outcome.winner == position.to_move:
            return move  # $wins
    return random.choice(moves)  # $better
''')

_TEST = Template('''"""$about"""

import unittest

import $module
from arbitre import games
from arbitre.bots.base import UNLIMITED

GAMES = $specs
WINS = [  # $wins_are
$wins]


class BotTest(unittest.TestCase):
    def test_every_move_is_legal(self):
        for spec in GAMES:
            position = games.parse(spec).start()
            while position.outcome() is None:
                move = $module.choose(position, UNLIMITED)
                self.assertIn(move, position.legal_moves())
                position = position.play(move)

    def test_it_takes_a_win(self):
        for spec, moves, win in WINS:
            game = games.parse(spec)
            position = game.start()
            for move in game.parse_transcript(moves):
                position = position.play(move)
            self.assertEqual($module.choose(position, UNLIMITED), win)


if __name__ == "__main__":
    unittest.main()
''')


class StarterError(BotError):
    """A name that no bot's file can have."""


@dataclass(frozen=True, slots=True)
class Starter:
    """Two files, by name: the bot and its test."""

    bot: str
    bot_text: str
    test: str
    test_text: str


def starter(name: str, rules: Sequence[Game]) -> Starter:
    """The files of a bot called `name` ("my_bot" or "my_bot.py") for these games; raises StarterError."""
    module = name.removesuffix(".py")
    if not (module.isidentifier() and module.isascii()) or keyword.iskeyword(module):
        raise StarterError(_("{name!r} is no name for a Python file: use letters, digits and _.").format(name=name))
    if module in TAKEN or module in sys.stdlib_module_names:
        raise StarterError(_("{name} is the name of another Python module: choose another one.").format(name=module))
    return Starter(f"{module}.py", _bot_text(module), f"test_{module}.py", _test_text(module, rules))


def _bot_text(module: str) -> str:
    return _BOT.substitute(
        about=_("{module}: a bot for Arbitre. Ready to play; make it better.").format(module=module),
        lists=_("Arbitre calls choose() whenever it is this bot's turn, in any game."),
        returns=_("Return the move to play: one of position.legal_moves()."),
        legal_moves=_('all moves that may be played, as texts: "d3", or "4" for a column'),
        play=_("the position after a move; this one stays as it is"),
        outcome=_("None while the game goes on; then outcome.winner (None: a draw)"),
        to_move=_("whose turn it is: yours; position.to_move.other is the opponent"),
        cell=_("who holds column x, row y, from 0 and the top; None: nobody"),
        score=_("what both have made so far"),
        remaining=_("your time left, in milliseconds; None without a clock"),
        wins=_("a win"),
        better=_("what would be better?"),
    )


def _test_text(module: str, rules: Sequence[Game]) -> str:
    found = [(game.spec, *win) for game in rules if (win := winning_move(game)) is not None]
    return _TEST.substitute(
        about=_("Tests of {module}.").format(module=module),
        module=module,
        specs="[" + ", ".join(f'"{game.spec}"' for game in rules) + "]",
        wins_are=_("game, moves so far, the move that wins"),
        wins="".join(f'    ("{spec}", "{moves}", "{win}"),\n' for spec, moves, win in found),
    )


def winning_move(game: Game) -> tuple[str, str] | None:
    """A position, as a transcript, in which one move of several wins, and that move; None if chance brings up none."""
    rng = random.Random("starter")
    shortest: tuple[list[str], str] | None = None
    for _game in range(_PLAYOUTS):
        if shortest is not None and len(shortest[0]) <= _SHORT:
            break
        found = _playout(game, rng)
        if found is not None and (shortest is None or len(found[0]) < len(shortest[0])):
            shortest = found
    return None if shortest is None else (game.format_transcript(shortest[0]), shortest[1])


def _playout(game: Game, rng: random.Random) -> tuple[list[str], str] | None:
    position, moves = game.start(), list[str]()
    while position.outcome() is None and len(moves) <= _LONGEST:
        legal = position.legal_moves()
        ends = ((move, position.play(move).outcome()) for move in legal)
        wins = [move for move, end in ends if end is not None and end.winner is position.to_move]
        if len(wins) == 1 and len(legal) > 1:
            return moves, wins[0]
        moves.append(rng.choice(legal))
        position = position.play(moves[-1])
    return None
