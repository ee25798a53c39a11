"""Matches of foreign bots without a server: asked, told of the opponent's turn, and closed, as by `MatchPlayer`."""

import random
from typing import Any

import games
from bots.base import UNLIMITED, Bot, BotSpec, Budget, MatchHistory, parse_bot
from bots.diary import AskedMatch
from games import Seat
from processes.launch_options import LaunchOptions
from protocol.messages import Result

LAUNCH = LaunchOptions(start_s=15.0, move_s=15.0, polite_s=0.1)


def spec_of(text: str, **launch: Any) -> BotSpec:
    """The bot, run with these launch options."""
    fields = {name: getattr(LAUNCH, name) for name in ("start_s", "move_s", "polite_s")}
    return parse_bot(text).with_launch_options(LaunchOptions(**{**fields, **launch}))


def make(spec: BotSpec, seed: int = 1) -> Bot:
    """The bot as the first player of a morpion."""
    return spec.make(games.parse("morpion"), Seat.FIRST, random.Random(f"7:{seed}"))


def play(spec: BotSpec, number: int = 1, budget: Budget = UNLIMITED, opponent: int = -1) -> list[str]:
    """Plays a whole match of morpion, in which the opponent takes a legal move of that index; all its moves."""
    bot, position, moves = make(spec, number), games.parse("morpion").start(), list[str]()
    try:
        while position.outcome() is None:
            bot.history = MatchHistory(f"m{number}", tuple(moves))
            if position.to_move == Seat.FIRST:
                moves.append(bot.choose(position, budget))
                now = AskedMatch(game="morpion", match=f"m{number}", seat=1, match_seed=str(number))
                bot.diary.begin(now)
                bot.diary.note(moves[:-1], budget)
            else:
                if bot.ponders:
                    bot.ponder(position)
                moves.append(position.legal_moves()[opponent])
            position = position.play(moves[-1])
    finally:
        outcome = position.outcome()
        if outcome is not None:
            result = Result(outcome.winner and int(outcome.winner), outcome.termination, outcome.score)  # type: ignore[arg-type]
            bot.history = MatchHistory(f"m{number}", tuple(moves), result)
            bot.diary.result(result, moves)
        bot.close()
    return moves
