"""Ratings by the games alone, without a prior: for those who can be compared by their games. Pure.

The likelihood has a maximum at finite ratings if, and only if, however the players are parted in two, somebody of each
part has made something against somebody of the other: L. R. Ford, "Solution of a ranking problem from binary
comparisons" (American Mathematical Monthly 64, 1957). So players are rated together
if games that were not lost lead from each to the other; with anchors, if they lead from an anchor to them and back.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from league.results import Result
from league.statistics.ratings import SPREAD, Ratings, rate

_NO_PRIOR: Final = 1e5
"""A standard deviation that is as good as none, where the likelihood has a maximum."""


def rate_alone(
    results: Iterable[Result],
    *,
    players: Iterable[str] = (),
    anchors: Mapping[str, float] | None = None,
    order_spread: float = SPREAD,
) -> Ratings:
    """As `ratings.rate`, without a prior of the ratings.

    The largest group that can be compared has finite ratings. Of the others, those who lost nothing against it, by
    whatever chain of games, are at infinity, those who made nothing at minus infinity, and those who did both, or have
    no games with it, are unknown (nan). Their errors are infinite, and `los` leaves them out.
    """
    results = list(results)
    anchors = dict(anchors or {})
    names = list(dict.fromkeys([*players, *(name for one in results for name in (one.first, one.second))]))
    anchored = [name for name in names if name in anchors]
    beaten = _beaten(results, names, anchored)
    group = _group(names, beaten, anchored, results)
    among = [one for one in results if one.first in group and one.second in group]
    fit = rate(
        among,
        players=[name for name in names if name in group],
        anchors=anchors,
        spread=_NO_PRIOR,
        order_spread=order_spread,
    )
    below, above = _reached(group, beaten), _reached(group, _turned(beaten))
    for name in names:
        if name not in group:
            is_above, is_below = name in above, name in below
            rating = math.nan if is_above is is_below else math.inf if is_above else -math.inf
            fit.ratings[name], fit.errors[name], fit.los[name] = rating, math.inf, {}
    return fit


Graph = Mapping[str, set[str]]
"""Player -> against whom they made something."""


def _beaten(results: Iterable[Result], names: Sequence[str], anchored: Sequence[str]) -> dict[str, set[str]]:
    beaten: dict[str, set[str]] = {name: set() for name in names}
    for one in results:
        if one.halves:
            beaten[one.first].add(one.second)
        if one.halves < 2:
            beaten[one.second].add(one.first)
    for name in anchored:
        beaten[name].update(anchored)
    return beaten


def _turned(graph: Graph) -> dict[str, set[str]]:
    turned: dict[str, set[str]] = {name: set() for name in graph}
    for name, others in graph.items():
        for other in others:
            turned[other].add(name)
    return turned


def _reached(start: Iterable[str], graph: Graph) -> set[str]:
    """Who can be reached from `start`, itself included."""
    reached, ahead = set(start), list(start)
    while ahead:
        found = graph[ahead.pop()] - reached
        reached |= found
        ahead += found
    return reached


def _group(names: Sequence[str], beaten: Graph, anchored: Sequence[str], results: Sequence[Result]) -> set[str]:
    """Those who are rated together: around the anchors, or the group with the most games among themselves."""
    turned = _turned(beaten)
    if anchored:
        return _reached(anchored[:1], beaten) & _reached(anchored[:1], turned)
    best: set[str] = set()
    most, left = -1, list(names)
    while left:
        group = _reached(left[:1], beaten) & _reached(left[:1], turned)
        games = sum(one.first in group and one.second in group for one in results)
        if games > most:
            best, most = group, games
        left = [name for name in left if name not in group]
    return best if len(best) > 1 else set()
