"""Pupils' files for the tests: written to a folder, and asked for a move as a match would ask."""

import random
import textwrap
from pathlib import Path

import games
from bots.base import UNLIMITED, BotFaultError, Budget, MatchHistory, parse_bot
from games import Seat
from games.base import position_after
from processes.launch_options import LaunchOptions

LAUNCH = LaunchOptions(start_s=8.0, move_s=8.0)


def write(folder: Path, text: str, name: str = "pupil.py", **others: str) -> str:
    """The file as a bot is written; `others` are its neighbours, by name."""
    for neighbour, source in others.items():
        (folder / f"{neighbour}.py").write_text(textwrap.dedent(source), encoding="utf-8")
    (folder / name).write_text(textwrap.dedent(text), encoding="utf-8")
    return str(folder / name)


def answer(spec: str, game: str, *moves: str, budget: Budget = UNLIMITED, launch: LaunchOptions = LAUNCH) -> str:
    """What the bot `spec` plays after `moves`; raises BotFaultError. Whether it plays the game is not asked."""
    rules = games.parse(game)
    position = position_after(rules, moves)
    bot_spec = parse_bot(spec).with_launch_options(launch)
    bot = bot_spec.family.make(rules, Seat(position.to_move), random.Random(1), bot_spec.options)
    bot.history = MatchHistory("match", moves)
    try:
        return bot.choose(position, budget)
    finally:
        bot.close()


def fault(
    spec: str, game: str, *moves: str, launch: LaunchOptions = LAUNCH, budget: Budget = UNLIMITED
) -> BotFaultError:
    """How the bot `spec` fails after `moves`."""
    try:
        move = answer(spec, game, *moves, launch=launch, budget=budget)
    except BotFaultError as error:
        return error
    raise AssertionError(f"it played {move}")
