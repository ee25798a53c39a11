"""Matches of foreign bots without a server: asked, told of the opponent's turn, and let go, as `Seatwork` does it."""

import random
from typing import Any

import games
from bots.base import UNLIMITED, Bot, BotSpec, Budget, Course, parse_bot
from bots.failures.diary import Played
from games import Seat
from processes.care import Care
from protocol.messages import Result

CARE = Care(start_s=15.0, move_s=15.0, polite_s=0.1)


def spec_of(text: str, **care: Any) -> BotSpec:
    """The bot, run with so much care."""
    fields = {name: getattr(CARE, name) for name in ("start_s", "move_s", "polite_s")}
    return parse_bot(text).with_care(Care(**{**fields, **care}))


def make(spec: BotSpec, seed: int = 1) -> Bot:
    """The bot as the first player of a morpion."""
    return spec.make(games.parse("morpion"), Seat.FIRST, random.Random(f"7:{seed}"))


def play(spec: BotSpec, number: int = 1, budget: Budget = UNLIMITED, opponent: int = -1) -> list[str]:
    """Plays a whole match of morpion, in which the opponent takes a legal move of that index; all its moves."""
    bot, position, moves = make(spec, number), games.parse("morpion").start(), list[str]()
    try:
        while position.outcome() is None:
            bot.course = Course(f"m{number}", tuple(moves))
            if position.to_move == Seat.FIRST:
                moves.append(bot.choose(position, budget))
                now = Played(game="morpion", match=f"m{number}", seat=1, match_seed=str(number))
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
            bot.course = Course(f"m{number}", tuple(moves), result)
            bot.diary.result(result, moves)
        bot.close()
    return moves
