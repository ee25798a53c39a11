"""How strong each level of `human` is: plays it against the one below, and prints the score with its interval.

    python3 run.py bench levels
    python3 run.py bench levels --game othello --games 400
    python3 run.py bench levels --levels 10 --milliseconds 100

Games are played in this process, without a server. Two games in a row begin with the same random moves, the seats
swapped. A game won counts 1, a draw one half; the interval holds the true score 95 times in 100, pairs of games taken
as they come. `--milliseconds` is what a move may take at most; it matters only to those levels that use up their time.
The lower levels play the same games again under the same seed.
"""

from __future__ import annotations

import argparse
import math
import random
import statistics
import time
from collections.abc import Sequence
from dataclasses import dataclass

from benchmarks import _measure
from bots.base import Bot, BotSpec, Budget
from bots.human import FAMILY, STRONGEST
from games import RulesError
from games import parse as parse_game
from games.base import Game, Position, Seat

PLIES = {"othello": 8, "puissance4": 4, "morpion": 2}
"""Game id -> the random plies that a game begins with."""

RULES = ("othello", "puissance4", "morpion", "morpion:width=5,height=5,k=4")
"""What is played if nobody says so."""

AIM = (0.60, 0.75)
"""What a level should score against the one below."""
NORMAL_95 = 1.96


@dataclass(frozen=True, slots=True)
class Step:
    """One level against the one below: its points of each pair of games, 0 to 2, and how many games were drawn."""

    game: str
    level: int
    below: int
    pairs: tuple[float, ...]
    draws: int
    seconds: float

    @property
    def score(self) -> float:
        """The share of the points."""
        return statistics.fmean(self.pairs) / 2

    @property
    def margin(self) -> float:
        """Half of the interval around it."""
        if len(self.pairs) < 2:
            return 0.5
        return NORMAL_95 * statistics.stdev(self.pairs) / 2 / math.sqrt(len(self.pairs))


def opening(game: Game, plies: int, rng: random.Random) -> Position:
    """A position after so many random plies in which the game goes on."""
    while True:
        position = game.start()
        for _ in range(plies):
            if position.outcome() is None:
                position = position.play(rng.choice(position.legal_moves()))
        if position.outcome() is None:
            return position


def play(position: Position, players: dict[Seat, Bot], budget: Budget) -> Seat | None:
    """Plays a game to its end: the winner."""
    while (outcome := position.outcome()) is None:
        position = position.play(players[position.to_move].choose(position, budget))
    return outcome.winner


def player(game: Game, seat: Seat, level: int, seed: str) -> Bot:
    """Somebody of this level."""
    return BotSpec(FAMILY, {"level": level}).make(game, seat, random.Random(f"{seed}:{level}"))


def compare(game: Game, level: int, below: int, pairs: int, seed: int, budget: Budget) -> Step:
    """Plays the games between two levels."""
    began, points, draws = time.process_time(), list[float](), 0
    for number in range(pairs):
        name = f"{seed}:{level}:{number}"
        start = opening(game, PLIES[game.id], random.Random(name))
        won = 0.0
        for seat in Seat:
            players = {
                seat: player(game, seat, level, f"{name}:{seat}"),
                seat.other: player(game, seat.other, below, f"{name}:{seat}"),
            }
            winner = play(start, players, budget)
            won += 0.5 if winner is None else float(winner is seat)
            draws += winner is None
            for bot in players.values():
                bot.close()
        points.append(won)
    return Step(game.spec, level, below, tuple(points), draws, time.process_time() - began)


def row_of(step: Step) -> dict[str, object]:
    """What is printed of a step."""
    return {
        "game": step.game,
        "level": step.level,
        "against": step.below,
        "games": 2 * len(step.pairs),
        "drawn": step.draws,
        "score": f"{step.score:.1%}",
        "95 %": f"+- {step.margin:.1%}",
        "aim": f"{AIM[0]:.0%}..{AIM[1]:.0%}",
        "CPU s a game": f"{step.seconds / 2 / len(step.pairs):.2f}",
    }


def main(arguments: Sequence[str]) -> None:
    """Measures and prints."""
    parser = argparse.ArgumentParser(prog="python3 run.py bench levels", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--game", nargs="+", default=list(RULES), help="games, with rules or without")
    parser.add_argument("--games", type=int, default=100, help="how many for each step, an even number (default 100)")
    parser.add_argument("--levels", type=int, nargs="+", choices=range(2, STRONGEST + 1), help="only these, each")
    parser.add_argument("--below", type=int, default=1, help="how many levels below the opponent is (default 1)")
    parser.add_argument("--milliseconds", type=int, default=1000, help="the most that a move takes (default 1000)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", action="store_true", help="print every pair of games")
    parser.add_argument("--markdown", action="store_true", help="print the table for docs/performance.md")
    options = parser.parse_args(arguments)
    if options.games < 2 or options.games % 2 or options.milliseconds < 1 or options.below < 1:
        parser.error("--games is 2, 4, 6 ...; --milliseconds and --below are at least 1")
    try:
        chosen = [parse_game(spec) for spec in options.game]
    except RulesError as error:
        parser.error(str(error))
    budget = Budget(remaining_ms=options.milliseconds, move_ms=options.milliseconds)
    steps = []
    for game in chosen:
        for level in options.levels or range(2, STRONGEST + 1):
            if level > options.below:
                steps.append(compare(game, level, level - options.below, options.games // 2, options.seed, budget))
                _measure.progress(f"{game.spec}: level {level} scores {steps[-1].score:.1%} +- {steps[-1].margin:.1%}")
    if not steps:
        parser.error("there is no level so far below")
    if options.json:
        _measure.print_json({"machine": _measure.machine(), "steps": steps})
        return
    _measure.show([row_of(step) for step in steps], markdown=options.markdown)


if __name__ == "__main__":
    _measure.run_main(main)
