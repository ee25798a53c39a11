"""Ratings of any number of players from all their games at once: Bradley-Terry with draws and an order effect. Pure.

The model. A difference of 400 is odds of 10 to 1 between winning and losing. With d the first player's rating, plus the
first-player advantage, minus the second's, in units of 400 / ln 10, the odds of win : draw : loss are
exp(d / 2) : nu : exp(-d / 2). R. R. Davidson, "On extending the Bradley-Terry model to accommodate ties" (JASA 65,
1970); with the order effect R. R. Davidson and R. J. Beaver (Biometrics 33, 1977), whose model it is up to the scale of
nu. Where nobody draws it is the model of Bradley and Terry (1952) with Agresti's home advantage.

The prior. Before any game, ratings are normally distributed around their average with a standard deviation of `spread`,
1000: the distance from a bot that plays at random to one that solves. So is the advantage around 0, and ln nu with one
of 3. All figures are then finite: a player who won everything gets the rating at which that does not surprise, with
wide errors, and players who have no opponents in common differ by what the prior leaves open. It moves players who met
often by a point or so. Anchors stay where they are put, and move the average; without any, it is the centre, 1000.

The errors. Half a 95 % interval, for the difference from the average (with anchors: from them). The two games of a
colour-swapped pair are not independent, so the variance is White's sandwich (Econometrica 48, 1980) over pairs, its
filling shrunk towards the model: for each two players, the variance of pairs relative to that of independent games,
with the ratio over all players as _PSEUDO_PAIRS more pairs, and that one with 1 likewise. In a duel of many pairs it is
the pentanomial variance; where one side won all, it does not claim to know more than the model. In simulated leagues
95 % of the intervals hold the truth, and 90 % where nearly all encounters are swept, for there the likelihood is skew.
"""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final, NamedTuple

from league.results import Result, pairs
from league.statistics.elo import ELO_PER_NAT, NORMAL, Z95
from league.statistics.linear import Matrix, cholesky, inverse, sandwich, solve

CENTRE: Final = 1000.0
"""The average of all ratings when no rating is fixed."""

SPREAD: Final = 1000.0
"""The prior's standard deviation of a rating, in Elo."""

NONE: Final = 1e-3
"""A prior's standard deviation, in Elo, that is as good as 0."""

_DRAW_SPREAD: Final = 3.0
"""The prior's standard deviation of ln nu."""

_PSEUDO_PAIRS: Final = 4
_PAIR_VARIANCE: Final = 0.5
"""The variance of two fair games without draws, each worth +-1/2."""

_LONGEST_STEP: Final = 4.0
"""The furthest that one step of Newton's method may move a parameter: a factor of e^4 in odds."""


@dataclass(frozen=True, slots=True)
class Ratings:
    """The fit. `ratings` and `errors` by player, in Elo; `los[a][b]` is the likelihood that a is stronger than b.

    advantage: what playing first is worth, in Elo, half its 95 % interval in `advantage_error`.
    draws: nu of the model; between equal players the share of draws is nu / (2 + nu).
    pair_ratio: variance of a pair of games over that of two independent ones; below 1 when openings decide.
    """

    ratings: dict[str, float]
    errors: dict[str, float]
    los: dict[str, dict[str, float]]
    advantage: float
    advantage_error: float
    draws: float
    pair_ratio: float


class _Count(NamedTuple):
    """The games of the same players on the same seats: their number, half of (the first's wins minus losses), draws."""

    games: int
    surplus: float
    draws: int


class _Chances(NamedTuple):
    """Of one game: mean and variance of the surplus (+-1/2), probability of a draw, covariance of the two."""

    mean: float
    variance: float
    draw: float
    covariance: float


class _Fit:
    """The parameters, in nats: the free players in their order, the advantage, and ln nu if anybody drew."""

    def __init__(self, results: list[Result], players: list[str], anchors: Mapping[str, float]) -> None:
        self.players = players
        self.centre = math.fsum(anchors.values()) / len(anchors) if anchors else CENTRE
        free = [player for player in players if player not in anchors]
        self.index = {player: index for index, player in enumerate(free)}
        self.fixed = {player: (rating - self.centre) / ELO_PER_NAT for player, rating in anchors.items()}
        self.advantage = len(free)
        self.draws = len(free) + 1
        self.counts = _count(results)
        drawn = any(count.draws for count in self.counts.values())
        self.values = [0.0] * (len(free) + 1 + drawn)
        self.precisions: list[float]

    def strength(self, player: str) -> float:
        """A player's rating above the centre, in nats."""
        index = self.index.get(player)
        return self.fixed[player] if index is None else self.values[index]

    def difference(self, first: str, second: str) -> float:
        """The first player's rating with the advantage, minus the second's."""
        return self.strength(first) + self.values[self.advantage] - self.strength(second)

    def nu(self) -> float:
        """The model's parameter for draws."""
        return math.exp(self.values[self.draws]) if len(self.values) > self.draws else 0.0

    def chances(self, first: str, second: str) -> _Chances:
        """What the model expects of a game."""
        return _chances(self.difference(first, second), self.nu())

    def information(self, scale: Mapping[frozenset[str], float] | None = None, order: float = 1.0) -> Matrix:
        """The prior's precisions plus what the games tell, the latter scaled by two players and by the order effect."""
        size = len(self.values)
        matrix = [[0.0] * size for _row in range(size)]
        for index, precision in enumerate(self.precisions):
            matrix[index][index] = precision
        if self.fixed:
            for entries in matrix[: self.advantage]:
                for index in range(self.advantage):
                    entries[index] -= self.precisions[index] / len(self.players)
        for (first, second), count in self.counts.items():
            chances = self.chances(first, second)
            root = math.sqrt(scale[frozenset((first, second))]) if scale else 1.0
            features = [(self.advantage, math.sqrt(order))]
            features += [
                (self.index[player], sign) for player, sign in ((first, root), (second, -root)) if player in self.index
            ]
            for row, one in features:
                for column, two in features:
                    matrix[row][column] += one * two * count.games * chances.variance
            if size > self.draws:
                for row, one in features:
                    covariance = one * count.games * chances.covariance
                    matrix[row][self.draws] += covariance
                    matrix[self.draws][row] += covariance
                matrix[self.draws][self.draws] += count.games * chances.draw * (1 - chances.draw)
        return matrix

    def _mean(self) -> float:
        """What the prior puts the strengths around, above the centre: with anchors the mean of all, else the centre."""
        return math.fsum(map(self.strength, self.players)) / len(self.players) if self.fixed else 0.0

    def _slope(self) -> list[float]:
        mean, values = self._mean(), self.values
        from_prior = [*(value - mean for value in values[: self.advantage]), *values[self.advantage :]]
        slope = [-precision * value for precision, value in zip(self.precisions, from_prior, strict=True)]
        for (first, second), count in self.counts.items():
            chances = self.chances(first, second)
            rest = count.surplus - count.games * chances.mean
            slope[self.advantage] += rest
            for player, sign in ((first, 1), (second, -1)):
                if player in self.index:
                    slope[self.index[player]] += sign * rest
            if len(self.values) > self.draws:
                slope[self.draws] += count.draws - count.games * chances.draw
        return slope

    def _likelihood(self) -> float:
        """The logarithm of the posterior density, up to a constant."""
        total = -math.fsum(one * value**2 for one, value in zip(self.precisions, self.values, strict=True)) / 2
        if self.fixed and self.index:
            # In place of the squares of the free strengths: of all, seen from their mean.
            free, mean = self.values[: self.advantage], self._mean()
            spread = math.fsum((self.strength(player) - mean) ** 2 for player in self.players)
            total -= self.precisions[0] * (spread - math.fsum(value**2 for value in free)) / 2
        nu = self.nu()
        for (first, second), count in self.counts.items():
            difference = self.difference(first, second)
            half = abs(difference) / 2
            weight = half + math.log(1 + math.exp(-2 * half) + nu * math.exp(-half))
            total += count.surplus * difference - count.games * weight
            if count.draws:
                total += count.draws * self.values[self.draws]
        return total

    def maximise(self, spread: float, order_spread: float) -> None:
        """Newton's method; the posterior is strictly concave, and a step that goes too far is halved."""
        self.precisions = [(ELO_PER_NAT / spread) ** 2] * self.advantage + [(ELO_PER_NAT / order_spread) ** 2]
        self.precisions += [_DRAW_SPREAD**-2] * (len(self.values) - self.draws)
        best = self._likelihood()
        for _step in range(200):
            start = self.values
            step = solve(cholesky(self.information()), self._slope())
            longest = max(map(abs, step))
            factor = _LONGEST_STEP / max(longest, _LONGEST_STEP)
            while True:
                self.values = [value + factor * move for value, move in zip(start, step, strict=True)]
                reached = self._likelihood()
                if reached >= best - 1e-9 * abs(best) or factor < 1e-6:
                    break
                factor /= 2
            best = reached
            if longest < 1e-10:
                return


def rate(
    results: Iterable[Result],
    *,
    players: Iterable[str] = (),
    anchors: Mapping[str, float] | None = None,
    spread: float = SPREAD,
    order_spread: float = SPREAD,
) -> Ratings:
    """Fits all `results`. `players` names those who may have no game yet; `anchors` are ratings that stay as they are.

    spread, order_spread: the prior's standard deviations of a rating and of the first-player advantage, in Elo, from
    NONE to 1e5 (as good as the likelihood alone, where that has a maximum).
    """
    results = list(results)
    names = list(dict.fromkeys([*players, *(name for result in results for name in (result.first, result.second))]))
    fit = _Fit(results, names, {name: rating for name, rating in (anchors or {}).items() if name in names})
    fit.maximise(spread, order_spread)
    covariance, ratio = _covariance(fit, results)
    centre = fit.centre
    if not fit.fixed and names:
        centre -= math.fsum(fit.values[: len(names)]) / len(names) * ELO_PER_NAT
    ratings = {name: centre + fit.strength(name) * ELO_PER_NAT for name in names}
    return Ratings(
        ratings=ratings,
        errors=_errors(fit, covariance),
        los=_superiority(fit, covariance),
        advantage=fit.values[fit.advantage] * ELO_PER_NAT,
        advantage_error=Z95 * ELO_PER_NAT * math.sqrt(covariance[fit.advantage][fit.advantage]),
        draws=fit.nu(),
        pair_ratio=ratio,
    )


def _count(results: Iterable[Result]) -> dict[tuple[str, str], _Count]:
    counts: dict[tuple[str, str], _Count] = {}
    for result in results:
        games, surplus, draws = counts.get((result.first, result.second), _Count(games=0, surplus=0.0, draws=0))
        count = _Count(games + 1, surplus + (result.halves - 1) / 2, draws + (result.winner is None))
        counts[result.first, result.second] = count
    return counts


def _chances(difference: float, nu: float) -> _Chances:
    win, loss = math.exp(min(difference, 0.0)), math.exp(min(-difference, 0.0))  # both times e to half the distance
    draw = nu * math.exp(-abs(difference) / 2)
    total = win + loss + draw
    mean = (win - loss) / total / 2
    return _Chances(mean, (win + loss) / total / 4 - mean**2, draw / total, -mean * draw / total)


# --- errors -----------------------------------------------------------------------------------------------------------


class _Spread:
    """How far pairs of games fell from the model: squares of what was left, over what was to be expected."""

    def __init__(self) -> None:
        self.seen = self.expected = 0.0

    def add(self, rest: float, variance: float, leverage: float) -> None:
        """Takes in a pair; `leverage` is the share of its variance that the fit itself has taken away."""
        self.seen += rest**2
        self.expected += variance * (1 - min(leverage, 1))

    def ratio(self, towards: float) -> float:
        """The ratio, with a few pairs more that have the ratio `towards`."""
        weight = _PSEUDO_PAIRS * _PAIR_VARIANCE
        return (self.seen + weight * towards) / (self.expected + weight)


def _covariance(fit: _Fit, results: Iterable[Result]) -> tuple[Matrix, float]:
    """The covariance of the parameters, and the variance ratio of pairs over all players."""
    bread = inverse(cholesky(fit.information()))
    everyone, order = _Spread(), _Spread()
    each: dict[frozenset[str], _Spread] = {}
    for pair in pairs(results):
        one, two = pair[0].first, pair[0].second
        chances = {result.first: fit.chances(result.first, result.second) for result in pair}
        left = {result.first: (result.halves - 1) / 2 - chances[result.first].mean for result in pair}
        rest, sums = left[one] - left.get(two, 0.0), math.fsum(left.values())
        variance = math.fsum(each_game.variance for each_game in chances.values())
        leverage = variance * _variance(fit, bread, one, two)
        for spread in (everyone, each.setdefault(frozenset((one, two)), _Spread())):
            spread.add(rest, variance, leverage)
        order.add(sums, variance, variance * bread[fit.advantage][fit.advantage])
    ratio = everyone.ratio(1.0)
    scale = {both: spread.ratio(ratio) for both, spread in each.items()}
    return sandwich(bread, fit.information(scale, order.ratio(1.0))), ratio


def _variance(fit: _Fit, covariance: Matrix, one: str, two: str) -> float:
    """The variance of the difference of two players."""
    first, second = fit.index.get(one), fit.index.get(two)
    variance = 0.0 if first is None else covariance[first][first]
    if second is not None:
        variance += covariance[second][second]
        variance -= 0.0 if first is None else 2 * covariance[first][second]
    return max(variance, 0.0)


def _errors(fit: _Fit, covariance: Matrix) -> dict[str, float]:
    """Half a 95 % interval of each rating; without anchors the average has no error, and all are seen from it."""
    size = len(fit.index)
    errors = dict.fromkeys(fit.players, 0.0)
    sums = [math.fsum(row[:size]) for row in covariance[:size]]
    everything = math.fsum(sums)
    for player, index in fit.index.items():
        variance = covariance[index][index]
        if not fit.fixed:
            variance += everything / size**2 - 2 * sums[index] / size
        errors[player] = Z95 * ELO_PER_NAT * math.sqrt(max(variance, 0.0))
    return errors


def _superiority(fit: _Fit, covariance: Matrix) -> dict[str, dict[str, float]]:
    """For each two players the likelihood that the one is stronger than the other."""
    los: dict[str, dict[str, float]] = {player: {} for player in fit.players}
    for one in fit.players:
        for two in fit.players:
            if one != two:
                above = fit.strength(one) - fit.strength(two)
                sigma = math.sqrt(_variance(fit, covariance, one, two))
                los[one][two] = NORMAL.cdf(above / sigma) if sigma else (1 + math.copysign(above != 0, above)) / 2
    return los
