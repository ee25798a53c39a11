"""Plain minimax and alpha-beta side by side: the same tree twice, and what the cut-offs save on each level."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from html import escape

from bots.base import BotSpec, parse_bot
from bots.explain.svg import draw_svg, size_of
from bots.explain.text import WIDTH, root_lines
from bots.explain.traces import explain
from bots.explain.tree import ExplainError, Explanation, Node, select
from bots.explain.words import level_text, move_text, plain, title, value_text
from bots.search.documents import ALPHABETA, PLAIN
from games.base import Game, Position
from locales import _, decimal
from terminal.board import Style
from terminal.text import cells_wide

_COLUMN = 36
"""Where the second column begins."""

_GAP = 40


@dataclass(frozen=True, slots=True)
class Comparison:
    """What both saw. levels: how many positions plain minimax and alpha-beta looked at, level by level."""

    plain: Explanation
    cut: Explanation

    @property
    def levels(self) -> tuple[tuple[int, int], ...]:
        """The counts of the first level below the root, of the second, and so on."""
        whole, cut = _counts(self.plain.root), _counts(self.cut.root)
        return tuple((whole[level], cut[level]) for level in range(1, max(whole) + 1))

    @property
    def saved(self) -> int:
        """How many positions alpha-beta did not look at."""
        return self.plain.positions - self.cut.positions


def compare(game: Game, position: Position, bot: BotSpec) -> Comparison:
    """Both trees of a `minimax`, whose style may be neither's. Raises ExplainError, BotSpecError."""
    if bot.family.name != "minimax" or bot.options.word("style") not in (ALPHABETA, PLAIN):
        raise ExplainError(
            _("--compare is for minimax with style={plain} or style={cut}.").format(plain=PLAIN, cut=ALPHABETA)
        )
    if position.outcome() is not None:
        raise ExplainError(_("The game is over after these moves: take a move away."))
    given = [f"{name}={value}" for name, value in bot.given.items() if name != "style"]
    both = [parse_bot(f"minimax:{','.join((*given, f'style={style}'))}") for style in (PLAIN, ALPHABETA)]
    return Comparison(*(explain(game, position, each) for each in both))


def _counts(root: Node) -> Counter[int]:
    counts: Counter[int] = Counter()
    level, depth = [root], 0
    while level:
        counts[depth] = len(level)
        level, depth = [child for node in level for child in node.children], depth + 1
    return counts


def table(comparison: Comparison) -> Iterator[str]:
    """The counts of both in lines, and what is saved."""
    rows = [(str(level), *counts) for level, counts in enumerate(comparison.levels, 1)]
    rows.append((_("all"), comparison.plain.positions, comparison.cut.positions))
    heads = (_("level"), *_names(), _("saved"))
    first, second, third, fourth = (max(least, len(head)) for least, head in zip((8, 9, 10, 10), heads, strict=True))
    yield f"{heads[0]:>{first}} {heads[1]:>{second}} {heads[2]:>{third}} {heads[3]:>{fourth}}"
    for name, whole, cut in rows:
        share = decimal(100 * (whole - cut) / whole, 0) if whole else "0"
        yield f"{name:>{first}} {whole:>{second}} {cut:>{third}} {share:>{fourth - 2}} %"


def _names() -> tuple[str, str]:
    """What stands above the columns of both."""
    return _("plain"), _("alphabeta")


def draw_both(comparison: Comparison, style: Style, most: int) -> list[str]:
    """The board, the table, and plain minimax's tree with what alpha-beta knows of each position beside it."""
    whole = comparison.plain
    shown = select(whole.root, most)
    lines = root_lines(whole, style)
    lines += ["", style.strong(plain(title(comparison.cut), style)), *table(comparison), ""]
    whole_name, cut_name = _names()
    lines.append(f"{whole_name:<{_COLUMN}} {cut_name}")
    lines += (plain(line, style) for line in _rows(comparison, whole.root, comparison.cut.root, shown, 0, style))
    if len(shown) <= whole.positions:
        lines += ["", _("{shown} of them are shown; --nodes N shows more.").format(shown=len(shown) - 1)]
    return lines


def _rows(
    comparison: Comparison, node: Node, other: Node | None, shown: set[Node], depth: int, style: Style
) -> Iterator[str]:
    """A node of the plain tree beside `other`, the same node of alpha-beta (None: cut off), then the nodes below it."""
    whole, cut = comparison.plain, comparison.cut
    name = " ".join(filter(None, (move_text(whole, node), level_text(whole, node.to_move) if node.children else "")))
    left = f"{'  ' * depth}{name} {value_text(whole, node)}".rstrip()
    right = (value_text(cut, other) + (" ◀" if other.chosen else "")) if other is not None else _("cut off")
    if style.ascii:
        right = right.replace("◀", "<")
    line = left + " " * max(1, _COLUMN + 1 - cells_wide(left)) + right
    yield (style.strong(line) if other is not None and other.chosen else line)[: WIDTH + 20]
    below = {child.move: child for child in other.children} if other is not None else {}
    for child in node.children:
        if child in shown:
            yield from _rows(comparison, child, below.get(child.move), shown, depth + 1, style)


def draw_both_svg(comparison: Comparison, most: int) -> str:
    """Both drawings beside each other, in one SVG document."""
    drawings = [draw_svg(each, most) for each in (comparison.plain, comparison.cut)]
    sizes = [size_of(drawing) for drawing in drawings]
    lines = list(table(comparison))
    top = 40 + 30 * len(lines) + 30
    width, height = sum(width for width, _height in sizes) + _GAP, max(height for _width, height in sizes) + top
    size = f'viewBox="0 0 {width} {height}" width="{width}" height="{height}"'
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img">',
        f'<rect width="{width}" height="{height}" fill="#ffffff"/>',
        '<g font-family="monospace" font-size="24" fill="#1a1a1a">',
        *(
            f'<text x="40" y="{60 + 30 * row}" xml:space="preserve">{escape(line)}</text>'
            for row, line in enumerate(lines)
        ),
        "</g>",
    ]
    left = 0
    for drawing, (wide, _height) in zip(drawings, sizes, strict=True):
        parts.append(drawing.rstrip("\n").replace("<svg ", f'<svg x="{left}" y="{top}" ', 1))
        left += wide + _GAP
    return "\n".join((*parts, "</svg>")) + "\n"
