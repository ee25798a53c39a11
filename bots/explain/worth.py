"""What a position is worth to a bot that looks no further, and of which parts that is made."""

from collections.abc import Iterator
from dataclasses import dataclass

from bots.base import BotSpec
from bots.search.documents import TP23
from bots.search.evaluation import EVALUATIONS, make_terms
from bots.search.kernels import make_kernel, seat_masks
from bots.search.positions import measure_of
from games.base import Game, Position, Seat, Term
from locales import _, say

_MINUS = str.maketrans("-", "\N{MINUS SIGN}")


@dataclass(frozen=True, slots=True)
class Worth:
    """What a position is worth to `seat`: the sum of `terms`. measure: the name of the evaluation."""

    measure: str
    seat: Seat
    terms: tuple[Term, ...]

    @property
    def total(self) -> int:
        """The evaluation."""
        return sum(term.worth for term in self.terms)


def worth_of(game: Game, position: Position, bot: BotSpec) -> Worth | None:
    """What `minimax` with these options sees in `position` itself; None if its evaluation has no parts to show.

    For the seat to move; with the style tp23, which scores black less white, for the first seat.
    """
    name, style = bot.options.word("eval"), bot.options.word("style")
    seat = Seat.FIRST if style == TP23 else position.to_move
    if make_kernel(game) is None:
        measure = measure_of(game, name)
        return None if measure.terms is None else Worth(measure.name, seat, measure.terms(position, seat))
    chosen = name or ("discs" if style == TP23 else EVALUATIONS[game.id][0])
    terms_of, (own, other) = make_terms(chosen, game), seat_masks(position, seat)
    terms = terms_of(own, other)
    if style == TP23 and not any(term.theirs for term in terms):  # its score is the difference of both players'
        pairs = zip(terms, terms_of(other, own), strict=True)
        terms = tuple(Term(ours.label, ours.own, theirs.own, ours.each) for ours, theirs in pairs)
    return Worth(chosen, seat, terms)


def worth_lines(worth: Worth, sign: str) -> Iterator[str]:
    """The sum in a sentence, then a line for each part of it; `sign` stands for the seat."""
    text = _("Without looking ahead (eval={measure}) this position is worth {value} to {disc}:")
    yield text.format(measure=worth.measure, value=number(worth.total), disc=sign)
    labels = [say(term.label) for term in worth.terms]
    width = max(map(len, labels))
    for label, term in zip(labels, worth.terms, strict=True):
        count = f"{term.own} \N{MINUS SIGN} {term.theirs}" if term.theirs else str(term.own)
        if term.each != 1:
            count = f"({count})" if term.theirs else count
            count += f" × {number(term.each)}"
        equals = f" = {number(term.worth)}" if count != number(term.worth) else ""
        yield f"  {label:<{width}}  {count}{equals}"


def number(value: int) -> str:
    """A number with a minus sign that stands out."""
    return str(value).translate(_MINUS)
