"""The score of two bots in words: points, Elo with its error, pairs of games. Pure, except for the language."""

from collections.abc import Mapping, Sequence
from typing import Protocol

from league.statistics.elo import Games, Pairs, estimate
from league.statistics.score import Score
from locales import _, decimal, ngettext

EVERY = 10
"""The score so far is told after so many games, where lines can't be rewritten."""

_LEADERS = 5


class Estimated(Protocol):
    """What an estimate of a lead and the verdict of a test have in common."""

    @property
    def elo(self) -> float:
        """The lead of the first one."""
        ...

    @property
    def error(self) -> float:
        """Half of its 95 % interval."""
        ...

    @property
    def los(self) -> float:
        """The likelihood of superiority."""
        ...


def estimated(made: Estimated) -> str:
    """How strong the first one is by its results, and how sure that is, which a verdict alone does not say."""
    return _("Estimate: Elo {elo} ± {error} (95 %), likelihood of superiority {los} %.").format(
        elo=signed(made.elo, 1), error=decimal(made.error, 1), los=decimal(100 * made.los, 1)
    )


def contest(names: Sequence[str], score: Score, verdict: Estimated | None = None) -> list[str]:
    """How many games were lost by failures and how many drawn, how the pairs ended, how sure the first one's lead is.

    Without any pair, only the failures. verdict: of a test, whose estimate is that of the games which have decided it.
    """
    said = failures(names, score)
    if any(score.pairs.counts):
        lead = estimate(score.pairs) if verdict is None else verdict
        said += [f"{drawn(score.games)} {pentanomial(score.pairs)}", estimated(lead)]
    return said


def failures(names: Sequence[str], score: Score) -> list[str]:
    """How many games were lost by failures, and by whom: a test takes them for results like others."""
    if not any(score.failed):
        return []
    text = ngettext(
        "{failed} of {count} game was lost by a failure ({who}), and counts as others do.",
        "{failed} of {count} games were lost by a failure ({who}), and count as others do.",
        sum(score.failed),
    )
    who = ", ".join(f"{name} {failed}" for name, failed in zip(names, score.failed, strict=True) if failed)
    return [text.format(failed=sum(score.failed), count=sum(score.games.counts), who=who)]


def drawn(games: Games) -> str:
    """How many of the games were drawn."""
    total = sum(games.counts)
    text = ngettext("{draws} of {count} game drawn ({share} %).", "{draws} of {count} games drawn ({share} %).", total)
    return text.format(draws=games.draws, count=total, share=decimal(100 * games.draws / total, 1))


def pentanomial(pairs: Pairs) -> str:
    """How many pairs of games made how many points."""
    made = ", ".join(map(str, pairs.counts))
    return _("Pairs with 0, ½, 1, 1½, 2 points: {made}.").format(made=made)


def points(halves: int) -> str:
    """Half points as a number of points: 3 or 3.5, in the reader's way of writing."""
    return decimal(halves / 2, 1) if halves % 2 else str(halves // 2)


def running(names: Sequence[str], score: Score) -> str:
    """The score so far in a line: points, the first one's wins, draws and losses, and its lead with the error."""
    games = score.games
    made = _("{first} {mine} - {second} {other} (+{wins} ={draws} -{losses})").format(
        first=names[0], mine=points(2 * games.wins + games.draws), second=names[1],
        other=points(2 * games.losses + games.draws), wins=games.wins, draws=games.draws, losses=games.losses,
    )  # fmt: skip
    if any(score.failed):
        mine, other = score.failed
        made += ", " + _("lost by failures {mine} - {other}").format(mine=mine, other=other)
    if not any(score.pairs.counts):
        return made
    lead = estimate(score.pairs)
    return f"{made}, Elo {signed(lead.elo, 1)} ± {decimal(lead.error, 1)}"


def leaders(made: Mapping[str, float]) -> str:
    """Who is ahead in a league of many, with their points, in a line."""
    ahead = sorted(made.items(), key=lambda item: -item[1])[:_LEADERS]
    return " · ".join(f"{name} {points(round(2 * score))}" for name, score in ahead)


def signed(value: float, places: int) -> str:
    """A difference with its sign, in the reader's way of writing; 0 has none."""
    return ("+" if round(value, places) > 0 else "") + decimal(value, places)
