"""The sequential probability ratio test: play until it is clear which of two strengths is the true one. Pure.

H0 says that a player is `elo0` stronger than the other, H1 that it is `elo1` stronger. The log-likelihood ratio (LLR)
of the results so far is compared with two bounds; the bounds are Wald's (1945), for the error rates alpha and beta. The
likelihood of a hypothesis is that of the likeliest distribution of results that agrees with it, so draws, and pairs
with their correlation, need no model of their own: M. Van den Bergh, "Comments on Normalized Elo" (2021), proposition
1.1 for a given mean, section 4.1 for a given mean in standard deviations.

Models: logistic    Elo by the average score
        normalized  Elo in standard deviations: the same number of games whatever the draw rate
        bayesian    BayesElo, as cutechess and fishtest had it at first: elo0 and elo1 are on R. Coulom's scale, whose
                    parameter for draws ("drawelo") is estimated from the results; single games only
        bayesian-scaled  the same with elo0 and elo1 on the logistic scale near 0, and half a game more of each result
                    (cutechess 1.x)

Errors: SprtError    hypotheses or results that are no test; the message is a sentence for the user
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Final

from league.statistics.elo import (
    NELO_PER_SIGMA,
    Games,
    Pairs,
    Results,
    estimate,
    expected_score,
    log_expected_score,
    moments,
    scores,
)
from locales import _

MOST: Final = 10**9
"""Results of a kind at most: more than anybody has played, and far from what numbers can hold."""

LEAST_RISK: Final = 1e-9
LEAST_APART: Final = 0.01
"""The least error rate, and the least distance of the hypotheses: nobody plays the games that less would take."""

_NEVER_SEEN: Final = 1e-3
"""The count of a class of results that never occurred: a probability of 0 would be a proof."""


class SprtError(Exception):
    """Hypotheses or results that are no test."""


class Model(Enum):
    """The scale of elo0 and elo1."""

    LOGISTIC = "logistic"
    NORMALIZED = "normalized"
    BAYESIAN = "bayesian"
    BAYESIAN_SCALED = "bayesian-scaled"

    @property
    def limit(self) -> float:
        """How far from 0 a hypothesis may be: the iteration for normalised Elo starts nowhere beyond 200."""
        return 200.0 if self is Model.NORMALIZED else 1000.0


class Decision(Enum):
    """What the test says: elo0, elo1, or that it needs more games."""

    H0 = "H0"
    H1 = "H1"
    CONTINUE = "continue"


@dataclass(frozen=True, slots=True)
class Sprt:
    """A test: its hypotheses, on the scale of its model, and its error rates. Raises SprtError.

    alpha: how often H1 is accepted though H0 is true; beta: how often H0 is though H1 is true.
    """

    elo0: float
    elo1: float
    model: Model = Model.LOGISTIC
    alpha: float = 0.05
    beta: float = 0.05

    def __post_init__(self) -> None:
        limit = self.model.limit
        if not -limit <= self.elo0 < self.elo1 <= limit:
            raise SprtError(
                _("elo0 must be less than elo1, and both between -{limit:g} and {limit:g}.").format(limit=limit)
            )
        if self.elo1 - self.elo0 < LEAST_APART:
            raise SprtError(_("elo0 and elo1 must be {least:g} apart or more.").format(least=LEAST_APART))
        if not (self.alpha >= LEAST_RISK and self.beta >= LEAST_RISK and self.alpha + self.beta <= 0.999):
            raise SprtError(
                _("alpha and beta must be {least:g} or more, and their sum 0.999 at most.").format(least=LEAST_RISK)
            )

    @property
    def lower(self) -> float:
        """The LLR at which H0 is accepted."""
        return math.log(self.beta / (1 - self.alpha))

    @property
    def upper(self) -> float:
        """The LLR at which H1 is accepted."""
        return math.log((1 - self.beta) / self.alpha)


@dataclass(frozen=True, slots=True)
class Verdict:
    """A test after some results; elo, error (half a 95 % interval) and los as in league.statistics.elo.Estimate.

    expected_games: how many games it still takes on average if the estimate is the truth; None while that says nothing.
    """

    llr: float
    lower: float
    upper: float
    decision: Decision
    elo: float
    error: float
    los: float
    expected_games: float | None = None

    def as_json(self) -> dict[str, object]:
        """What `league sprt --json` prints."""
        return {
            "llr": self.llr,
            "lower": self.lower,
            "upper": self.upper,
            "decision": self.decision.value,
            "elo": self.elo,
            "error": self.error,
            "los": self.los,
            "expected_games": None if self.expected_games is None else round(self.expected_games),
        }


def judge(test: Sprt, results: Results) -> Verdict:
    """What `results` say about the hypotheses of `test`. Raises SprtError for negative counts, bayesian with pairs."""
    ratio = llr(test, results)
    decision = Decision.CONTINUE
    if ratio >= test.upper:
        decision = Decision.H1
    elif ratio <= test.lower:
        decision = Decision.H0
    made = estimate(results)
    left = 0.0 if decision is not Decision.CONTINUE else _games_left(test, results, ratio)
    return Verdict(ratio, test.lower, test.upper, decision, made.elo, made.error, made.los, left)


def llr(test: Sprt, results: Results) -> float:
    """The log-likelihood ratio of H1 over H0: positive speaks for elo1, negative for elo0. Raises SprtError."""
    if not 0 <= min(results.counts) <= max(results.counts) <= MOST:
        raise SprtError(_("Results are counts, from 0 to {most}.").format(most=MOST))
    if not any(results.counts):
        return 0.0
    match test.model:
        case Model.LOGISTIC:
            return _mean_llr(results, expected_score(test.elo0), expected_score(test.elo1))
        case Model.NORMALIZED:
            return _sigma_llr(results, test.elo0, test.elo1)
        case Model.BAYESIAN | Model.BAYESIAN_SCALED:
            if isinstance(results, Pairs):
                raise SprtError(_("The bayesian models know no pairs: give wins, draws and losses."))
            if test.model is Model.BAYESIAN:
                return _bayes_llr(results, test.elo0, test.elo1)
            return _scaled_bayes_llr(results, test.elo0, test.elo1)


# --- how long it still takes ------------------------------------------------------------------------------------------

_SPEAKING: Final = 16
"""Observations that it takes for the drift to say anything."""


def _games_left(test: Sprt, results: Results, ratio: float) -> float | None:
    """Games until the decision, on average, if the ratio goes on to grow as it did; None with few or equal results."""
    total = sum(results.counts)
    if total < _SPEAKING:
        return None
    _mean, variance = moments(scores(len(results.counts)), results.counts)
    if variance <= 0:
        return None
    games = 1 if isinstance(results, Games) else 2
    if test.model is Model.NORMALIZED:
        sigma = math.sqrt(games) * (test.elo1 - test.elo0) / NELO_PER_SIGMA
    else:
        sigma = _apart(test, results) / math.sqrt(variance)
    return games * expected_steps(test.lower, ratio, test.upper, ratio / total, sigma**2)


def _apart(test: Sprt, results: Results) -> float:
    """How far apart the scores are that the two hypotheses expect."""
    if test.model is Model.LOGISTIC or isinstance(results, Pairs):
        return expected_score(test.elo1) - expected_score(test.elo0)
    wins, draws, losses = results.wins + 0.5, results.draws + 0.5, results.losses + 0.5
    drawelo = _drawelo(wins, draws, losses)
    scale = _scale(drawelo) if test.model is Model.BAYESIAN_SCALED else 1.0
    chances = [_bayes_chances(elo / scale, drawelo) for elo in (test.elo0, test.elo1)]
    leads = [win - loss for win, loss in chances]
    return (leads[1] - leads[0]) / 2


def expected_steps(low: float, at: float, high: float, drift: float, variance: float) -> float:
    """The mean number of steps of a random walk from `at` until it leaves (low, high), as Brownian motion.

    drift, variance: of one step. At 0 between Wald's bounds, with the drift of H0 or H1, it is the "average sample
    number" of A. Wald, "Sequential Tests of Statistical Hypotheses" (1945), section 3; for any start, D. R. Cox and
    H. D. Miller, "The Theory of Stochastic Processes" (1965), section 5.7.
    """
    if not low < at < high:
        return 0.0
    if drift < 0:  # seen from the other side
        low, at, high, drift = -high, -at, -low, -drift
    strength = 2 * drift / variance
    if strength * (high - low) < 1e-6:
        return (high - at) * (at - low) / variance
    upper = math.expm1(-strength * (at - low)) / math.expm1(-strength * (high - low))
    return ((high - low) * upper - (at - low)) / drift


# --- BayesElo ---------------------------------------------------------------------------------------------------------


def _bayes_llr(results: Games, elo0: float, elo1: float) -> float:
    """The classic formula: the likelihoods of wins, draws and losses with the draw parameter that the results show.

    Without wins or losses that parameter is infinite, and nothing is said.
    """
    wins, draws, losses = results.wins, results.draws, results.losses
    if not (wins and losses):
        return 0.0
    return _class_llr(wins, draws, losses, elo0, elo1, _drawelo(wins, draws, losses))


def _scaled_bayes_llr(results: Games, elo0: float, elo1: float) -> float:
    """Cutechess's test: half a game added to each class, the hypotheses scaled to logistic Elo around 0."""
    wins, draws, losses = results.wins + 0.5, results.draws + 0.5, results.losses + 0.5
    drawelo = _drawelo(wins, draws, losses)
    scale = _scale(drawelo)
    return _class_llr(wins, draws, losses, elo0 / scale, elo1 / scale, drawelo)


def _class_llr(wins: float, draws: float, losses: float, elo0: float, elo1: float, drawelo: float) -> float:
    """The ratio of the likelihoods of three classes.

    The probability of a draw is that of a win times that of a loss times what only `drawelo` decides, so that its ratio
    is the product of theirs: also where draws are as good as impossible.
    """
    win = log_expected_score(elo1 - drawelo) - log_expected_score(elo0 - drawelo)
    loss = log_expected_score(-elo1 - drawelo) - log_expected_score(-elo0 - drawelo)
    return (wins + draws) * win + (losses + draws) * loss


def _scale(drawelo: float) -> float:
    """What a point of BayesElo is worth in logistic Elo, near 0."""
    odds = 10 ** (-drawelo / 400)
    return 4 * odds / (1 + odds) ** 2


def _drawelo(wins: float, draws: float, losses: float) -> float:
    """BayesElo's parameter for draws: the advantage that a player needs to win half of the games."""
    total = wins + draws + losses
    win, loss = wins / total, losses / total
    return 200 * math.log10((1 - loss) / loss * (1 - win) / win)


def _bayes_chances(elo: float, drawelo: float) -> tuple[float, float]:
    """The probabilities of a win and of a loss."""
    return expected_score(elo - drawelo), expected_score(-elo - drawelo)


# --- the likeliest distributions --------------------------------------------------------------------------------------


def _frequencies(results: Results) -> tuple[float, list[float]]:
    """How many observations there are, and the share of each class, none of them 0."""
    counts = [count or _NEVER_SEEN for count in results.counts]
    total = math.fsum(counts)
    return total, [count / total for count in counts]


def _mean_llr(results: Results, mean0: float, mean1: float) -> float:
    """The ratio for two expected scores a game."""
    total, seen = _frequencies(results)
    values = scores(len(seen))
    under0, under1 = (_tilted(seen, [value - mean for value in values]) for mean in (mean0, mean1))
    return total * _log_ratio(seen, under0, under1)


def _sigma_llr(results: Results, nelo0: float, nelo1: float) -> float:
    """The ratio for two scores above 1/2 that are given in standard deviations of a game."""
    total, seen = _frequencies(results)
    games = 1 if isinstance(results, Games) else 2
    under0, under1 = (_standardised(seen, math.sqrt(games) * nelo / NELO_PER_SIGMA) for nelo in (nelo0, nelo1))
    return total * _log_ratio(seen, under0, under1)


def _log_ratio(seen: Sequence[float], under0: Sequence[float], under1: Sequence[float]) -> float:
    return math.fsum(share * math.log(one / zero) for share, zero, one in zip(seen, under0, under1, strict=True))


def _tilted(seen: Sequence[float], values: Sequence[float]) -> list[float]:
    """The likeliest distribution of which `values` have the mean 0: seen / (1 + theta * value), theta by bisection."""

    def slope(theta: float) -> float:
        return math.fsum(share * value / (1 + theta * value) for share, value in zip(seen, values, strict=True))

    theta = _root(slope, -1 / max(values), -1 / min(values))
    return [share / (1 + theta * value) for share, value in zip(seen, values, strict=True)]


def _standardised(seen: Sequence[float], sigmas: float) -> list[float]:
    """The likeliest distribution whose mean is `sigmas` standard deviations above 1/2.

    The condition is linearised at the last distribution, from the uniform one, and the linear problem solved again.
    """
    values = scores(len(seen))
    shares = [1.0] * len(seen)
    for _step in range(100):
        mean, variance = moments(values, shares)
        sigma = math.sqrt(variance)
        excess = [value - 0.5 - sigmas * sigma / 2 * (1 + ((value - mean) / sigma) ** 2) for value in values]
        last, shares = shares, _tilted(seen, excess)
        if max(abs(one - two) for one, two in zip(shares, last, strict=True)) < 1e-12:
            break
    return shares


def _root(function: Callable[[float], float], low: float, high: float) -> float:
    """Where a function that falls from +infinity at `low` to -infinity at `high` is 0: bisection to the last bit."""
    while low < (middle := (low + high) / 2) < high:
        if function(middle) > 0:
            low = middle
        else:
            high = middle
    return min(low, high, key=abs)
