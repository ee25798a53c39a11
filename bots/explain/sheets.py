"""What is done with the values of a drawing: shown, raised step by step, or left out as an exercise.

The steps are an animation in CSS within the file, without a script: each value appears after those that it comes from.
Readers who ask for reduced motion, and printers, get all values at once.
"""

from collections.abc import Iterator, Sequence
from enum import Enum

from bots.explain.tree import ExplainError, Explanation, Node, Scale
from locales import _


class Sheet(Enum):
    """What a drawing is for: to be looked at, to be watched, or to be filled in; and the exercise with its values."""

    WHOLE = "whole"
    STEPS = "steps"
    EXERCISE = "exercise"
    SOLUTION = "solution"


_STEP_S, _LONGEST_S = 0.9, 90.0
"""The seconds from one value to the next, and the most for all of them."""

STYLE = (
    "<style>"
    "@keyframes appear{from{opacity:0}to{opacity:1}}"
    "@keyframes rise{0%{opacity:1}85%{opacity:1}100%{opacity:0;transform:translate(var(--x),var(--y))}}"
    ".value{animation:appear .3s both}"
    ".rising{opacity:0;animation:rise .8s ease-in}"
    "@media(prefers-reduced-motion:reduce){.value,.rising{animation:none}}"
    "@media print{.value,.rising{animation:none}}"
    "</style>"
)


def steps_of(root: Node, shown: set[Node]) -> dict[Node, float]:
    """When the value of each shown node appears, in seconds: those below it come before it."""
    order = list(_upwards(root, shown))
    step = min(_STEP_S, _LONGEST_S / len(order))
    return {node: round(number * step, 2) for number, node in enumerate(order, 1)}


def _upwards(node: Node, shown: set[Node]) -> Iterator[Node]:
    for child in node.children:
        if child in shown:
            yield from _upwards(child, shown)
    yield node


def source_of(node: Node, shown: set[Node]) -> Node | None:
    """The shown child from which the value of a node comes; None if there is none, or the value is not the same."""
    if node.value is None:
        return None
    same = [child for child in node.children if child in shown and child.value == node.value]
    return next((child for child in same if child.chosen), same[0] if same else None)


def blanks_of(explanation: Explanation, shown: set[Node]) -> set[Node]:
    """The nodes whose values are to be found: their children are all shown. Raises ExplainError if there are none."""
    if explanation.scale in (Scale.WALK, Scale.CALLS):
        raise ExplainError(_("An exercise needs values to find: take minimax, lookahead or minimax_search."))
    found = {node for node in shown if node.children and all(child in shown for child in node.children)}
    if not found:
        raise ExplainError(_("The tree is too large for an exercise: take a smaller depth, or more with --nodes."))
    return found


def task(explanation: Explanation) -> Sequence[str]:
    """What the exercise asks for."""
    rule = (
        _("A score is for the one who makes the move: 100 less the best score of the answers to it.")
        if explanation.scale is Scale.SCORES
        else _("At MAX it is the largest of those below it, at MIN the smallest.")
    )
    first = _("Write the value of each position into its frame, from below to the top.")
    return first, rule, _("Which move is played?")
