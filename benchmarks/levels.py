"""How strong each level of `human` is: plays it against the one below, and prints the score with its interval.

    python3 run.py bench levels
    python3 run.py bench levels --game othello --games 400
    python3 run.py bench levels --levels 10 --milliseconds 100
    python3 run.py bench levels --game othello --against random minimax:depth=1

With `--against`, all levels play the same bots instead. On 3x3 they do so in any case, besides: two good players draw
there, so that only a pool tells them apart.

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
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from benchmarks import _measure
from benchmarks._openings import opening
from bots.base import Bot, BotSpec, BotSpecError, Budget, parse_bot
from bots.strong.human import FAMILY, STRONGEST
from games import RulesError
from games import parse as parse_game
from games.base import Game, Position, Seat

PLIES = {"othello": 8, "puissance4": 4, "morpion": 2}
"""Game id -> the random plies that a game begins with."""

RULES = ("othello", "puissance4", "morpion", "morpion:width=5,height=5,k=4")
"""What is played if nobody says so."""

POOLS = {"morpion": ("random", "first", "minimax:depth=2", "perfect")}
"""Rules -> the bots that every level plays there, beside the level below."""

ALL = range(1, STRONGEST + 1)

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
        return NORMAL_95 * _error(self.pairs)


@dataclass(frozen=True, slots=True)
class Standing:
    """One level against a pool: the points of each pair of games, 0 to 2, by the bot played."""

    game: str
    level: int
    pairs: Mapping[str, tuple[float, ...]]
    seconds: float

    @property
    def score(self) -> float:
        """The share of the points, all bots of the pool counting the same."""
        return statistics.fmean(statistics.fmean(pairs) for pairs in self.pairs.values()) / 2

    @property
    def margin(self) -> float:
        """Half of the interval around it."""
        return NORMAL_95 * math.hypot(*(_error(pairs) for pairs in self.pairs.values())) / len(self.pairs)


def _error(pairs: Sequence[float]) -> float:
    """The standard error of the share of the points; of one pair nothing is known."""
    return statistics.stdev(pairs) / 2 / math.sqrt(len(pairs)) if len(pairs) > 1 else 0.5 / NORMAL_95


def play(position: Position, players: dict[Seat, Bot], budget: Budget) -> Seat | None:
    """Plays a game to its end: the winner."""
    while (outcome := position.outcome()) is None:
        position = position.play(players[position.to_move].choose(position, budget))
    return outcome.winner


def meet(game: Game, ours: BotSpec, theirs: BotSpec, name: str, budget: Budget) -> tuple[float, int]:
    """Plays a pair of games from the opening called `name`: the points of `ours`, and how many games were drawn."""
    start, points, draws = opening(game, PLIES[game.id], random.Random(name)), 0.0, 0
    for seat in Seat:
        players = {
            owner: spec.make(game, owner, random.Random(f"{name}:{seat}:{spec.spec}"))
            for owner, spec in ((seat, ours), (seat.other, theirs))
        }
        winner = play(start, players, budget)
        points += 0.5 if winner is None else float(winner is seat)
        draws += winner is None
        for bot in players.values():
            bot.close()
    return points, draws


def compare(game: Game, level: int, below: int, pairs: int, seed: int, budget: Budget) -> Step:
    """Plays the games between two levels."""
    began = time.process_time()
    played = [meet(game, _human(level), _human(below), f"{seed}:{level}:{number}", budget) for number in range(pairs)]
    points, draws = zip(*played, strict=True)
    return Step(game.spec, level, below, points, sum(draws), time.process_time() - began)


def place(game: Game, level: int, pool: Sequence[BotSpec], pairs: int, seed: int, budget: Budget) -> Standing:
    """Plays the games of one level against each bot of a pool; all levels have the same openings."""
    began = time.process_time()
    won = {
        bot.spec: tuple(meet(game, _human(level), bot, f"{seed}:{number}", budget)[0] for number in range(pairs))
        for bot in pool
    }
    return Standing(game.spec, level, won, time.process_time() - began)


def _human(level: int) -> BotSpec:
    return BotSpec(FAMILY, {"level": level})


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


def row_of_standing(standing: Standing) -> dict[str, object]:
    """What is printed of a level and its pool."""
    return {
        "game": standing.game,
        "level": standing.level,
        "games": 2 * sum(map(len, standing.pairs.values())),
        **{bot: f"{statistics.fmean(pairs) / 2:.1%}" for bot, pairs in standing.pairs.items()},
        "mean": f"{standing.score:.1%}",
        "95 %": f"+- {standing.margin:.1%}",
    }


@dataclass(frozen=True, slots=True)
class Work:
    """What is asked for: these levels of each game, each against the one `below` or, where there is one, a pool."""

    pools: Mapping[Game, Sequence[BotSpec]]
    levels: Sequence[int]
    below: int | None
    pairs: int
    seed: int
    budget: Budget

    def steps(self) -> list[Step]:
        """Plays each level against the one below, if that is asked for."""
        steps = list[Step]()
        for game in self.pools:
            for level in self.levels:
                if self.below is not None and level > self.below:
                    steps.append(compare(game, level, level - self.below, self.pairs, self.seed, self.budget))
                    _tell(steps[-1])
        return steps

    def standings(self) -> list[Standing]:
        """Plays each level against the pool of its game, if it has one."""
        standings = list[Standing]()
        for game, pool in self.pools.items():
            for level in self.levels if pool else ():
                standings.append(place(game, level, pool, self.pairs, self.seed, self.budget))
                _tell(standings[-1])
        return standings


def _tell(done: Step | Standing) -> None:
    _measure.progress(f"{done.game}: level {done.level} scores {done.score:.1%} +- {done.margin:.1%}")


def read(arguments: Sequence[str]) -> tuple[argparse.Namespace, Work]:
    """The options, and the work that they ask for; ends the process in one sentence if there is none."""
    parser = argparse.ArgumentParser(prog="python3 run.py bench levels", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--game", nargs="+", default=list(RULES), help="games, with rules or without")
    parser.add_argument("--games", type=int, default=100, help="how many for each step, an even number (default 100)")
    parser.add_argument("--levels", type=int, nargs="+", choices=ALL, default=ALL, help="only these, each")
    parser.add_argument("--below", type=int, default=1, help="how many levels below the opponent is (default 1)")
    parser.add_argument(
        "--against", nargs="+", default=(), metavar="BOT", help="play these bots instead of the level below"
    )
    parser.add_argument("--milliseconds", type=int, default=1000, help="the most that a move takes (default 1000)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", action="store_true", help="print every pair of games")
    parser.add_argument("--markdown", action="store_true", help="print the tables for docs/performance.md")
    options = parser.parse_args(arguments)
    if options.games < 2 or options.games % 2 or options.milliseconds < 1 or options.below < 1:
        parser.error("--games is 2, 4, 6 ...; --milliseconds and --below are at least 1")
    if not options.against and max(options.levels) <= options.below:
        parser.error("there is no level so far below")
    try:
        pools = {game: _pool(game, options.against) for game in map(parse_game, options.game)}
    except (RulesError, BotSpecError) as error:
        parser.error(str(error))
    budget = Budget(remaining_ms=options.milliseconds, move_ms=options.milliseconds)
    below = None if options.against else options.below
    return options, Work(pools, options.levels, below, options.games // 2, options.seed, budget)


def _pool(game: Game, asked: Sequence[str]) -> list[BotSpec]:
    """Whom every level plays; raises BotSpecError."""
    pool = [parse_bot(bot) for bot in asked or POOLS.get(game.spec, ())]
    for bot in pool:
        bot.check(game)
    return pool


def main(arguments: Sequence[str]) -> None:
    """Measures and prints."""
    options, work = read(arguments)
    steps, standings = work.steps(), work.standings()
    if options.json:
        _measure.print_json({"machine": _measure.machine(), "steps": steps, "standings": standings})
        return
    tables: list[list[dict[str, object]]] = [[row_of(step) for step in steps]]
    tables += [[row_of_standing(each) for each in standings if each.game == game.spec] for game in work.pools]
    for number, rows in enumerate(filter(None, tables)):
        print("\n" * bool(number), end="")
        _measure.show(rows, markdown=options.markdown)


if __name__ == "__main__":
    _measure.run_main(main)
