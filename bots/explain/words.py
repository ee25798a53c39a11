"""The words that both drawings of a tree share: values, levels, and the sentences around the tree."""

from collections.abc import Callable, Iterator, Sequence

from bots.explain.tree import PASS, Bound, Explanation, Kind, Node, Scale
from bots.explain.worth import number, worth_lines
from bots.search.alphabeta import WIN
from games.base import Seat
from locales import _, ngettext
from terminal.board import Style
from terminal.text import clean

_SIGNS = {Bound.EXACT: "", Bound.LEAST: "≥ ", Bound.MOST: "≤ "}
_ASCII = str.maketrans({"≥": ">", "≤": "<", "∞": "inf", "−": "-", "×": "x", "→": "->", "…": "..."})


def value_text(explanation: Explanation, node: Node) -> str:
    """The value of a node, short: "3", "≤ −5", "win in 3", "−∞"; "" where there is none."""
    if explanation.scale is Scale.WALK:
        return _end_text(explanation, node) if node.kind is Kind.END else ""
    if explanation.scale is Scale.CALLS:
        return node.said
    if node.value is None:
        return ""
    return _SIGNS[node.bound] + _number_text(explanation.scale, node.value)


def _number_text(scale: Scale, value: int) -> str:
    if scale is Scale.MINIMAX and abs(value) > WIN // 2:
        plies = WIN - abs(value)
        if not plies:
            return "+∞" if value > 0 else "−∞"
        return (_("win in {plies}") if value > 0 else _("loss in {plies}")).format(plies=plies)
    if scale is Scale.RESULT and value > 0:
        return f"+{value}"
    return number(value)


def _end_text(explanation: Explanation, node: Node) -> str:
    outcome = node.position.outcome()
    if outcome is None or outcome.winner is None:
        return _("drawn")
    return _("won") if outcome.winner is explanation.root.to_move else _("lost")


def plain(text: str, style: Style) -> str:
    """`text` in characters that the reader's terminal can show."""
    return text.translate(_ASCII) if style.ascii else text


def move_text(explanation: Explanation, node: Node) -> str:
    """The move that leads to a node, in a walk with the number of the visit: "c4", "3. a1", "pass"."""
    if node.name:
        return node.name
    move = _("pass") if node.move == PASS else node.move
    return f"{node.number}. {move}" if explanation.scale is Scale.WALK and node.move else move


def level_text(explanation: Explanation, seat: Seat) -> str:
    """What `seat` does at its nodes: "MAX" or "MIN"; "" if the two seats don't share a scale."""
    if explanation.maximiser is None:
        return ""
    return "MAX" if seat is explanation.maximiser else "MIN"


def title(explanation: Explanation) -> str:
    """What was decided: "minimax:depth=2 plays c4"; or that the game is over."""
    outcome = explanation.root.position.outcome()
    if outcome is not None:
        if outcome.winner is None:
            return _("The game is over: nobody has won.")
        if outcome.winner is Seat.FIRST:
            return _("The game is over: the first player has won.")
        return _("The game is over: the second player has won.")
    if not explanation.move:
        return _("{bot} plays no move").format(bot=clean(explanation.bot))
    return _("{bot} plays {move}").format(bot=clean(explanation.bot), move=explanation.move)


def sentences(explanation: Explanation, sign: Callable[[Seat], str]) -> list[str]:
    """How to read the tree, and how large it is; `sign` gives the sign for the discs of a seat."""
    if explanation.scale is Scale.CALLS:
        return [*_of_calls(explanation), *explanation.notes]
    if not explanation.move:
        return [*_ended(explanation, sign), *explanation.notes]
    count = explanation.positions
    text = ngettext("{count} position was looked at.", "{count} positions were looked at.", count).format(count=count)
    if explanation.scale is Scale.MINIMAX and explanation.unseen:
        moves = explanation.unseen
        text += " " + ngettext(
            "{count} move was cut off: it could change nothing any more.",
            "{count} moves were cut off: they could change nothing any more.",
            moves,
        ).format(count=moves)
    scores = _("Scores: {scores}.").format(scores=_listed(explanation.scores))
    return [text, _scale_sentence(explanation, sign), *([scores] if explanation.scores else ()), *explanation.notes]


def _of_calls(explanation: Explanation) -> Iterator[str]:
    count = explanation.positions
    text = ngettext(
        "{count} call: what it was given, and after → what it returned.",
        "{count} calls: what each was given, and after → what it returned.",
        count,
    )
    yield text.format(count=count)
    if count:
        yield _("= max, = min: that is the largest, the smallest of what the calls below it returned.")


def _ended(explanation: Explanation, sign: Callable[[Seat], str]) -> Iterator[str]:
    """What the end is worth to the bot."""
    root, disc = explanation.root, sign(explanation.maximiser or explanation.root.to_move)
    if root.value is not None:
        yield _("That is worth {value} to {disc}.").format(value=value_text(explanation, root), disc=disc)
    if explanation.scores:
        yield _("Scores: {scores}.").format(scores=_listed(explanation.scores))


def _listed(scores: Sequence[int]) -> str:
    return ", ".join(number(score) for score in scores)


def worth_text(explanation: Explanation, sign: Callable[[Seat], str]) -> list[str]:
    """What the position is worth without looking ahead, part by part; nothing where the bot does not say."""
    worth = explanation.worth
    return [] if worth is None else list(worth_lines(worth, sign(worth.seat)))


def _scale_sentence(explanation: Explanation, sign: Callable[[Seat], str]) -> str:
    match explanation.scale:
        case Scale.SCORES:
            return _("Scores of a move for the one who makes it: 100 wins, 0 loses, 50 decides nothing.")
        case Scale.WALK:
            return _("The numbers say in which order; it stops at the first position that is won for {disc}.").format(
                disc=sign(explanation.root.to_move)
            )
        case Scale.CALLS:
            return ""
        case Scale.MINIMAX | Scale.RESULT:
            assert explanation.maximiser is not None
            return _("{largest} takes the largest value (MAX), {smallest} the smallest (MIN).").format(
                largest=sign(explanation.maximiser), smallest=sign(explanation.maximiser.other)
            )


def unseen_text(node: Node, longest: int) -> str:
    """The moves that were cut off below a node, at most `longest` of them by name: "e3 f4 ..."."""
    names = " ".join(node.unseen[:longest])
    return f"{names} …" if len(node.unseen) > longest else names


def hidden_text(count: int) -> str:
    """How many nodes of the tree the drawing leaves out."""
    return ngettext("… {count} position more", "… {count} positions more", count).format(count=count)
