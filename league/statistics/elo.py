"""Elo figures of one contest between two players, from games or from colour-swapped pairs of games. Pure.

A pair is two games of the same players from the same opening, seats swapped. Its two games are not independent (an
opening that favours who starts is won and lost by both), so a pair counts as one observation with five classes. Their
variance is the right one for error bars; that of single games is too large or too small.

Sources: the logistic scale is A. Elo's (1978). Normalised Elo, with its scale 800 / ln 10 a standard deviation of one
game: M. Van den Bergh, "Comments on Normalized Elo" (2021).
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import Final

NORMAL: Final = NormalDist()

Z95: Final = NORMAL.inv_cdf(0.975)
"""Standard deviations on each side of a 95 % interval: 1.96."""

ELO_PER_NAT: Final = 400 / math.log(10)
"""Elo for a factor e in the odds of winning."""

NELO_PER_SIGMA: Final = 800 / math.log(10)
"""Normalised Elo for one standard deviation of a game's result."""


@dataclass(frozen=True, slots=True)
class Games:
    """What a player made in single games."""

    wins: int
    draws: int
    losses: int

    @property
    def counts(self) -> tuple[int, ...]:
        """How many games made 0, 1/2 and 1 point."""
        return (self.losses, self.draws, self.wins)


@dataclass(frozen=True, slots=True)
class Pairs:
    """What a player made in pairs of games: LL both lost, LD, one of each or two draws, WD, WW both won."""

    ll: int
    ld: int
    wl_dd: int
    wd: int
    ww: int

    @property
    def counts(self) -> tuple[int, ...]:
        """How many pairs made 0, 1/2, 1, 3/2 and 2 points."""
        return (self.ll, self.ld, self.wl_dd, self.wd, self.ww)


Results = Games | Pairs


def scores(classes: int) -> list[float]:
    """The score a game of each class, worst first: 0 to 1 in equal steps (three classes for games, five for pairs)."""
    return [index / (classes - 1) for index in range(classes)]


def moments(values: Sequence[float], weights: Sequence[float]) -> tuple[float, float]:
    """Mean and variance of `values` that are drawn with probabilities proportional to `weights`."""
    total = math.fsum(weights)
    mean = math.fsum(value * weight for value, weight in zip(values, weights, strict=True)) / total
    spread = (weight * (value - mean) ** 2 for value, weight in zip(values, weights, strict=True))
    return mean, math.fsum(spread) / total


def expected_score(elo: float) -> float:
    """The score that is expected at a difference of `elo`, between 0 and 1."""
    return math.exp(log_expected_score(elo))


def log_expected_score(elo: float) -> float:
    """Its natural logarithm, which is finite for any difference."""
    nats = elo / ELO_PER_NAT
    return min(nats, 0.0) - math.log1p(math.exp(-abs(nats)))


def elo_of(score: float) -> float:
    """The difference at which `score`, more than 0 and less than 1, is expected."""
    return ELO_PER_NAT * math.log(score / (1 - score))


@dataclass(frozen=True, slots=True)
class Estimate:
    """A player's strength against the other: logistic and normalised Elo, each with half its 95 % interval.

    score: points a game, 0 to 1. los: the likelihood of superiority, that the true score is above 1/2.
    """

    score: float
    elo: float
    error: float
    nelo: float
    nelo_error: float
    los: float


def estimate(results: Results) -> Estimate:
    """The figures of a contest; always finite.

    The usual formulas fail where all results are alike, or the interval reaches a score of 0 or 1. Half an observation
    of the best class and half of the worst are then added first; where the interval still reaches that far, the error
    comes from the slope at the score. Without any game: no difference, with the error of those two halves.
    """
    counts: list[float] = list(results.counts)
    if not _speaks(counts):
        counts[0] += 0.5
        counts[-1] += 0.5
    score, variance = moments(scores(len(counts)), counts)
    margin = Z95 * math.sqrt(variance / math.fsum(counts))
    low, high = score - margin, score + margin
    inside = low > 0 and high < 1
    error = (elo_of(high) - elo_of(low)) / 2 if inside else ELO_PER_NAT * margin / (score * (1 - score))
    # A pair's average has half the variance of one game, were its games independent.
    sigma = math.sqrt(variance * (1 if isinstance(results, Games) else 2))
    return Estimate(
        score=score,
        elo=elo_of(score),
        error=error,
        nelo=(score - 0.5) / sigma * NELO_PER_SIGMA,
        nelo_error=margin / sigma * NELO_PER_SIGMA,
        los=NORMAL.cdf((score - 0.5) / margin * Z95),
    )


def _speaks(counts: Sequence[float]) -> bool:
    """Whether the usual formulas are finite: the results differ, and their 95 % interval ends before 0 and 1."""
    if sum(count > 0 for count in counts) < 2:
        return False
    score, variance = moments(scores(len(counts)), counts)
    margin = Z95 * math.sqrt(variance / math.fsum(counts))
    return score - margin > 0 and score + margin < 1
