"""Draws a tree as text: one node on each line, the chosen line of play marked, at most 80 columns."""

from textwrap import wrap

from bots.explain.tree import Explanation, Kind, Node, Scale, select
from bots.explain.words import (
    hidden_text,
    level_text,
    move_text,
    plain,
    sentences,
    title,
    unseen_text,
    value_text,
    worth_text,
)
from locales import _
from terminal.board import Style, draw_position
from terminal.text import cells_wide

WIDTH = 80
_DEEPEST = 16
"""How many levels are indented; deeper ones, as in a walk to the end of a game, begin with their number instead."""

_UNSEEN_NAMED = 6


def draw_text(explanation: Explanation, style: Style, most: int) -> list[str]:
    """The whole explanation: the board, the decision, and a tree of at most `most` nodes."""
    root, look = explanation.root, explanation.game.profile.look
    shown = select(root, most)
    lines = root_lines(explanation, style)
    lines += ["", style.strong(plain(title(explanation), style))]
    for sentence in sentences(explanation, lambda seat: style.disc(seat, look)):
        lines += wrap(sentence, WIDTH)
    lines += (plain(line, style) for line in worth_text(explanation, lambda seat: style.disc(seat, look)))
    if not root.children:
        return lines
    lines.append("")
    tree = _Tree(explanation, style, shown)
    tree.add(root, "", "")
    lines += tree.lines
    if tree.is_deep:
        text = _("From level {level} on a position begins with its level: it follows the nearest of the level before.")
        lines += ["", *wrap(text.format(level=_DEEPEST + 1), WIDTH)]
    if len(shown) <= explanation.positions:
        lines += ["", _("{shown} of them are shown; --nodes N shows more.").format(shown=len(shown) - 1)]
    return lines


def root_lines(explanation: Explanation, style: Style) -> list[str]:
    """The position that is explained, so that `bots.explain.reading` reads it back: its board, then the rest."""
    game, position = explanation.game, explanation.root.position
    _cells, _mover, *remembered = position.notation.split(" ")
    lines = [f"  {line}" for line in draw_position(game, position, style)]
    said = " ".join((style.disc(position.to_move, game.profile.look), *remembered))
    told = _("To move: {said}").format(said=said)
    return [*lines, *wrap(told, WIDTH, initial_indent="  ", subsequent_indent="  ", break_on_hyphens=False)]


class _Tree:
    """The lines of a tree."""

    def __init__(self, explanation: Explanation, style: Style, shown: set[Node]) -> None:
        self.lines: list[str] = []
        self.is_deep = False
        self._explanation = explanation
        self._style = style
        self._shown = shown
        self._branch, self._last, self._bar = ("+- ", "+- ", "|  ") if style.ascii else ("├─ ", "└─ ", "│  ")

    def add(self, node: Node, branch: str, indent: str) -> None:
        """Adds a node and all nodes below it; `branch` precedes the node's own line, `indent` the lines below it."""
        waiting: list[tuple[Node | str, str, str, int]] = [(node, branch, indent, 0)]
        while waiting:
            item, branch, indent, level = waiting.pop()
            if isinstance(item, str):
                self.lines.append(self._style.faint(plain(branch + item, self._style)))
                continue
            self.lines.append(self._line(item, branch))
            rows: list[Node | str] = [child for child in item.children if child in self._shown]
            hidden = sum(sum(1 for _node in child.walk()) for child in item.children if child not in self._shown)
            if hidden:
                rows.append(hidden_text(hidden))
            if item.unseen:
                rows.append(_("not looked at: {moves}").format(moves=unseen_text(item, _UNSEEN_NAMED)))
            deep = level >= _DEEPEST
            self.is_deep |= deep and bool(rows)
            below: list[tuple[Node | str, str, str, int]] = []
            for number, row in enumerate(rows):
                last = number == len(rows) - 1
                following = indent if deep else indent + ("   " if last else self._bar)
                before = f"{self._last}[{level + 1}] " if deep else self._last if last else self._branch
                below.append((row, indent + before, following, level + 1))
            waiting.extend(reversed(below))

    def _line(self, node: Node, branch: str) -> str:
        explanation, style = self._explanation, self._style
        parts = [plain(move_text(explanation, node), style)] if node.move or node.name else []
        if node.kind is Kind.REPLIES and explanation.scale is not Scale.CALLS:
            parts.append(style.disc(node.to_move, self._explanation.game.profile.look))
            parts.append(level_text(explanation, node.to_move))
        parts.append(plain(value_text(explanation, node), style))
        text = " ".join(part for part in parts if part)
        if node.chosen and node.move:
            text += " <" if style.ascii else " ◀"
        branch = plain(branch, style)
        text = text[: WIDTH - cells_wide(branch)]
        return branch + (style.strong(text) if node.chosen else text)
