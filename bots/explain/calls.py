"""Makes the tree of a drawing from the calls of a pupil's function: which move leads from board to board."""

from collections.abc import Mapping, Sequence
from math import isfinite

from bots.adapters.pupils.calls import Call, End
from bots.explain.tree import Explanation, Kind, Node, Scale
from bots.explain.worth import number
from games.base import Game, Position, RulesError
from locales import _, ngettext
from terminal.text import clean

_ROOM = 28
"""Characters of a call's arguments that are shown."""


def tree_of(
    game: Game, position: Position, bot: str, calls: Sequence[Call], end: End, notes: Sequence[str]
) -> Explanation:
    """The explanation of a decision that made these calls."""
    nodes: list[Node] = []
    for call in calls:
        above = nodes[call.above] if nodes else None
        node = _node(game, position if above is None else above.position, call, len(nodes))
        nodes.append(node)
        if above is not None:
            above.children.append(node)
    if not nodes:
        nodes.append(Node("", position, position.to_move, Kind.REPLIES, 0))
    _say_values(nodes, calls)
    root = nodes[0]
    root.name = clean(calls[0].function) if calls else ""
    _mark(root, end.move, dict(zip(nodes, calls, strict=False)))
    counted = _counted(end, len(calls) - 1)
    return Explanation(game, bot, root, end.move, Scale.CALLS, None, (*counted, *notes))


def _node(game: Game, above: Position, call: Call, place: int) -> Node:
    move, position = _reached(game, above, call.cells) if place else ("", above)
    given = ", ".join(text or name for name, text in call.given)
    room = given if len(given) <= _ROOM else given[: _ROOM - 1] + "…"
    here = above if position is None else position
    node = Node(move, here, here.to_move, Kind.REPLIES, place)
    node.name = " ".join(filter(None, (move, f"{clean(call.function)}({clean(room)})")))
    node.has_board = position is not None
    return node


def _reached(game: Game, above: Position, cells: str) -> tuple[str, Position | None]:
    """The move that leads to a board, "" if none does, and the position; None if there is no such board."""
    if not cells:
        return "", None
    if above.notation.split(" ")[0] == cells:
        return "", above
    for position in _either_side(game, above):
        for move in position.legal_moves():
            after = position.play(move)
            if after.notation.split(" ")[0] == cells:
                return move, after
    try:
        return "", game.position(f"{cells} {'XO'[above.to_move.other - 1]}")
    except RulesError:
        return "", None


def _either_side(game: Game, position: Position) -> tuple[Position, ...]:
    """The position, and the same with the other seat to move: a program may err about whose turn it is."""
    if position.outcome() is not None:
        return ()
    cells, _mover, rest = (*position.notation.split(" ", 2), "")[:3]
    try:
        other = game.position(" ".join(filter(None, (cells, "XO"[position.to_move.other - 1], rest))))
    except RulesError:
        return (position,)
    return position, other


def _say_values(nodes: Sequence[Node], calls: Sequence[Call]) -> None:
    """What each call returned, and whether that is the largest or smallest of what came back to it."""
    number_of = {node: call.number for node, call in zip(nodes, calls, strict=False)}
    for node, call in zip(nodes, calls, strict=False):
        if not node.children:
            node.kind = Kind.ESTIMATE
        if call.raised:
            node.said = _("→ exception")
        elif call.returned is None:
            node.said = _("→ not yet")
        else:
            node.said = f"→ {number_text(clean(call.returned))}"
            if node.number and (role := _role(call.number, [number_of[child] for child in node.children])):
                node.said += f" = {role}"


def number_text(text: str) -> str:
    """A returned value; a number with a minus sign that stands out."""
    try:
        return number(int(text))
    except ValueError:
        return text


def _role(value: float | None, below: Sequence[float | None]) -> str:
    """Whether a value is max or min of those below it, or the negative of one; "" if that can't be told apart."""
    known = [each for each in below if each is not None]
    if value is None or len(known) < len(below) or len(set(known)) < 2:
        return ""
    roles = ((max(known), "max"), (min(known), "min"), (-min(known), "−min"), (-max(known), "−max"))
    return next((role for each, role in roles if each == value), "")


def _mark(root: Node, move: str, call_of: Mapping[Node, Call]) -> None:
    """Marks the line of calls that the decision follows: from the move on, to where its value comes from."""
    root.chosen = True
    above = root
    while len(above.children) == 1 and not above.children[0].move:
        above = above.children[0]
        above.chosen = True
    node = next((child for child in above.children if move and child.move == move), None)
    while node is not None:
        node.chosen = True
        value = call_of[node].number
        same = (value, -value) if value is not None and isfinite(value) else (value,)
        node = next((child for child in node.children if value is not None and call_of[child].number in same), None)


def _counted(end: End, recorded: int) -> list[str]:
    if end.calls <= recorded:
        return []
    text = ngettext("{recorded} of {count} call is recorded.", "{recorded} of {count} calls are recorded.", end.calls)
    return [text.format(recorded=max(recorded, 0), count=end.calls)]
