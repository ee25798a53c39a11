"""The sequential probability ratio test: play until it is clear which of two strengths is the true one. Pure.

H0 says that a player is `elo0` stronger than the other, H1 that it is `elo1` stronger. The log-likelihood ratio (LLR)
of the results so far is compared with two bounds; the bounds are Wald's (1945), for the error rates alpha and beta. The
likelihood of a hypothesis is that of the likeliest distribution of results that agrees with it, so draws, and pairs
with their correlation, need no model of their own: M. Van den Bergh, "Comments on Normalized Elo" (2021), proposition
1.1 for a given mean, section 4.1 for a given mean in standard deviations.

Models: logistic    Elo by the average score
        normalized  Elo in standard deviations: the same number of games whatever the draw rate
        bayesian    BayesElo, a logistic scale with its own parameter for draws, estimated from the results; games only
        bayesian-scaled  the same with elo0 and elo1 on the logistic scale near 0 and fixed draw rate (cutechess 1.x)

Errors: SprtError    hypotheses or results that are no test; the message is a sentence for the user
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Final

from league.elo import NELO_PER_SIGMA, Games, Pairs, Results, estimate, expected_score, moments, scores
from locales import _

_NEVER_SEEN: Final = 1e-3
"""What counts for a class of results without results: a probability of 0 would be a proof."""


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
        if not (0 < self.alpha < 1 and 0 < self.beta < 1 and self.alpha + self.beta < 1):
            raise SprtError(_("alpha and beta must be more than 0, and their sum less than 1."))

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
    """A test after some results; elo, error (half a 95 % interval) and los as in league.elo.Estimate."""

    llr: float
    lower: float
    upper: float
    decision: Decision
    elo: float
    error: float
    los: float

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
    return Verdict(ratio, test.lower, test.upper, decision, made.elo, made.error, made.los)


def llr(test: Sprt, results: Results) -> float:
    """The log-likelihood ratio of H1 over H0: positive speaks for elo1, negative for elo0. Raises SprtError."""
    if min(results.counts) < 0:
        raise SprtError(_("Results are counts: 0 or more."))
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


# --- BayesElo ---------------------------------------------------------------------------------------------------------


def _bayes_llr(results: Games, elo0: float, elo1: float) -> float:
    """The hypotheses are expected scores at the draw rate of the results; without wins or losses it is unknown."""
    if not (results.wins and results.losses):
        return 0.0
    total = results.wins + results.losses + max(results.draws, _NEVER_SEEN)
    drawelo = _drawelo(results.wins / total, results.losses / total)
    means = []
    for elo in (elo0, elo1):
        win, loss = _bayes_chances(elo, drawelo)
        means.append((1 + win - loss) / 2)
    return _mean_llr(results, means[0], means[1])


def _scaled_bayes_llr(results: Games, elo0: float, elo1: float) -> float:
    """Cutechess's test: half a game added to each class, the hypotheses scaled to logistic Elo around 0."""
    wins, draws, losses = results.wins + 0.5, results.draws + 0.5, results.losses + 0.5
    total = wins + draws + losses
    drawelo = _drawelo(wins / total, losses / total)
    odds = 10 ** (-drawelo / 400)
    scale = 4 * odds / (1 + odds) ** 2
    win0, loss0 = _bayes_chances(elo0 / scale, drawelo)
    win1, loss1 = _bayes_chances(elo1 / scale, drawelo)
    draw = math.log((1 - win1 - loss1) / (1 - win0 - loss0))
    return wins * math.log(win1 / win0) + draws * draw + losses * math.log(loss1 / loss0)


def _drawelo(win: float, loss: float) -> float:
    """BayesElo's parameter for draws: the advantage that a player needs to win half of the games."""
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
    shares = [1 / len(seen)] * len(seen)
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
    return low if abs(low) < abs(high) else high
