"""Draws a tree as SVG for a classroom: large, self-contained, and mostly white, to save ink.

The root is at the top, and the first levels stand below each other; deeper nodes stand in indented lists. On levels
with few nodes each node is a card with its board, else a label. Lengths are in SVG units; text is 20 to 34 high.
"""

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from html import escape
from math import hypot
from textwrap import wrap

from bots.explain.sheets import STYLE, Sheet, blanks_of, source_of, steps_of, task
from bots.explain.tree import Explanation, Kind, Node, Scale, select
from bots.explain.words import (
    level_text,
    move_text,
    sentences,
    title,
    unseen_text,
    value_text,
    worth_text,
)
from games.base import Game, Look, Piece, Position, Seat
from games.frame import Cell, arrow_of, frame_of, signs_of
from locales import _
from terminal.phrases import game_title

INK, FAINT, CHOSEN, CUT, LAST = "#1a1a1a", "#767676", "#0b57c9", "#b3261e", "#e08a00"
"""Dark grey, light grey, blue, red, orange. Colour is never the only sign: lines also differ in width and dashes."""

FONT = "'DejaVu Sans', Verdana, 'Segoe UI', Arial, sans-serif"

_CARDS, _CARDS_ACROSS, _CARD_LEVELS, _LABELS_ACROSS = 22, 13, 5, 16
"""Limits: cards in all; cards of one level, with the labels for cut-offs; levels of cards; labels side by side."""

_BOARD, _ROOT_BOARD, _LABEL_SPACE, _COUNT_SPACE = 112, 168, 18, 22
_GAP, _LEVEL_GAP = 22, 64
_ROW = 40
_INDENT = 20
_LETTER, _HEADING_LETTER = 12.5, 22.5
_MARGIN, _TITLE = 40, 120
_NARROWEST = 1000.0
_LEVELS = 110
"""The width of the left column, which shows MAX and MIN."""

_UNSEEN_NAMED = 3
_BLANK = 76.0
"""The width of the frame for the value of the root."""


@dataclass(slots=True, eq=False)
class _Box:
    """A node's place in the drawing: `x` of its middle, `y` of its top; only a label (`text`) if `node` is None.

    board: the side of its board, 0 without one. labels: the space for the labels of rows and columns. span: the width
    of the strip for the box and all boxes below it. last: the cells of the last move. arrow: the cells from which and
    to which a piece moved. in_list: whether the boxes below it are an indented list. starts_level: whether the box
    itself belongs to no list.
    """

    node: Node | None
    text: str
    colour: str
    board: float
    width: float
    height: float
    x: float = 0.0
    y: float = 0.0
    below: list["_Box"] = field(default_factory=list["_Box"])
    in_list: bool = False
    starts_level: bool = False
    span: float = 0.0
    labels: float = 0.0
    last: Sequence[Cell] = ()
    arrow: tuple[Cell, Cell] | None = None


@dataclass(frozen=True, slots=True)
class _Look:
    """How the values of a drawing are shown: when each appears (no steps: at once), which are left blank."""

    sheet: Sheet
    shown: set[Node]
    steps: Mapping[Node, float]
    blanks: Collection[Node]

    def delay(self, node: Node) -> str:
        """The attributes of what appears with a node's value, "" if everything is there at once."""
        return f' class="value" style="animation-delay:{self.steps[node]}s"' if node in self.steps else ""


def draw_svg(explanation: Explanation, most: int, sheet: Sheet = Sheet.WHOLE) -> str:
    """The drawing of at most `most` nodes, as one SVG document. Raises ExplainError for an exercise without blanks."""
    shown = select(explanation.root, most)
    steps = steps_of(explanation.root, shown) if sheet is Sheet.STEPS else {}
    blanks = blanks_of(explanation, shown) if sheet in (Sheet.EXERCISE, Sheet.SOLUTION) else ()
    look = _Look(sheet, shown, steps, blanks if sheet is Sheet.EXERCISE else ())
    root = _Layout(explanation, shown, blanks).box(explanation.root, None)
    heading = _heading(explanation, sheet)
    left = _MARGIN + _LEVELS
    width = max(_NARROWEST, left + root.span + _MARGIN, 2 * _MARGIN + len(heading) * _HEADING_LETTER)
    _place(root, left + (width - left - _MARGIN - root.span) / 2, _TITLE)
    boxes = list(_walk(root))
    words = _words(explanation, look, int((width - 2 * _MARGIN) / _LETTER))
    low = max(box.y + box.height for box in boxes)
    below = (
        _text(_MARGIN, low + 64 + 30 * row, line, 22, anchor="start", fill="#444444") for row, line in enumerate(words)
    )
    parts = [
        *_page(width, low + 40 + 30 * len(words) + _MARGIN, heading),
        *([STYLE] if steps else ()),
        *_levels(explanation, boxes, width),
        *_tree(explanation, boxes, look),
        *below,
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def _page(width: float, height: float, heading: str) -> Iterator[str]:
    """The white page and its heading."""
    size = f'viewBox="0 0 {width:.0f} {height:.0f}" width="{width:.0f}" height="{height:.0f}"'
    yield f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img" font-family="{FONT}" fill="{INK}">'
    yield f"<title>{escape(heading)}</title>"
    yield f'<rect width="{width:.0f}" height="{height:.0f}" fill="#ffffff"/>'
    yield _text(_MARGIN, 66, heading, 34, weight="bold", anchor="start")


def size_of(drawing: str) -> tuple[int, int]:
    """Width and height of a drawing."""
    found = re.search(r'width="([0-9]+)" height="([0-9]+)"', drawing)
    assert found is not None
    return int(found[1]), int(found[2])


def _heading(explanation: Explanation, sheet: Sheet) -> str:
    game = game_title(explanation.game)
    if sheet is Sheet.EXERCISE:
        return _("Exercise. {game}: what does {bot} play?").format(game=game, bot=explanation.bot)
    heading = f"{game}: {title(explanation)}"
    return _("Solution. {heading}").format(heading=heading) if sheet is Sheet.SOLUTION else heading


def _words(explanation: Explanation, look: _Look, columns: int) -> list[str]:
    """The lines below the tree, of `columns` characters."""
    usual = explanation.game.profile.look
    signs = usual.ascii_glyphs[1:] if usual.signs else "●○"

    def sign(seat: Seat) -> str:
        return signs[seat - 1]

    is_exercise = look.sheet is Sheet.EXERCISE
    texts = task(explanation) if is_exercise else [*sentences(explanation, sign), *worth_text(explanation, sign)]
    words = [line for text in texts for line in wrap(text, columns)]
    if len(look.shown) <= explanation.positions:
        words.append(_("{shown} of them are drawn, +3 stands for three more.").format(shown=len(look.shown) - 1))
    if not is_exercise and explanation.root.children:
        words.append(_("Blue: what it plays and expects.") + (_(" Red: cut off.") if explanation.unseen else ""))
    return words


def _tree(explanation: Explanation, boxes: Sequence[_Box], look: _Look) -> Iterator[str]:
    """Lines, cards and labels; the chosen line lies on top, and in steps it comes last."""
    is_exercise = look.sheet is Sheet.EXERCISE
    for box in boxes:
        yield from _edges(box, chosen=False, plainly=is_exercise)
    late = look.delay(explanation.root)
    chosen = [] if is_exercise else [line for box in boxes for line in _edges(box, chosen=True)]
    if late and chosen:
        for box in boxes:
            yield from _edges(box, chosen=True, plainly=True)
    yield from (f"<g{late}>", *chosen, "</g>") if late and chosen else chosen
    for box in boxes:
        yield from _draw(explanation, box, look)
    for box in boxes:
        yield from _rising(explanation, box, look)


def _rising(explanation: Explanation, box: _Box, look: _Look) -> Iterator[str]:
    """The value on its way up to a box, just before it appears there."""
    source = None if box.node is None or not look.steps else source_of(box.node, look.shown)
    below = next((child for child in box.below if child.node is not None and child.node is source), None)
    if below is None or below.node is None or box.node is None:
        return
    (x, y), (to_x, to_y) = _value_place(below), _value_place(box)
    begins = max(0.0, look.steps[box.node] - 0.8)
    style = f"--x:{to_x - x:.0f}px;--y:{to_y - y:.0f}px;animation-delay:{begins:.2f}s"
    text = escape(value_text(explanation, below.node))
    yield (
        f'<text class="rising" style="{style}" x="{x:.1f}" y="{y:.1f}" font-size="22" font-weight="bold" '
        f'text-anchor="end" fill="{CHOSEN}">{text}</text>'
    )


def _value_place(box: _Box) -> tuple[float, float]:
    """Where the value of a box ends."""
    return box.x + box.width / 2 - 10, box.y + (29 if box.board else 25)


class _Layout:
    """Decides how each node is drawn, and how wide its part of the tree is.

    The nodes of a level stand side by side while there is room for their cards; those of the first level may also be
    labels. Deeper nodes stand in indented lists.
    """

    def __init__(self, explanation: Explanation, shown: set[Node], blanks: Collection[Node]) -> None:
        self._explanation = explanation
        self._shown = shown
        self._blanks = blanks
        self._blank = max((len(value_text(explanation, node)) for node in blanks), default=0)
        self._cards = 1
        first = self._below([explanation.root])
        total, level = 1, first
        above = [explanation.root]
        while level and self._cards < _CARD_LEVELS and total + len(level) <= _CARDS:
            labels = sum(bool(node.unseen) for node in above)
            if len(level) + labels > _CARDS_ACROSS:
                break
            self._cards += 1
            total += len(level)
            above, level = level, self._below(level)
        self._across = max(self._cards, 2 if len(first) <= _LABELS_ACROSS else 1)

    def _below(self, level: Sequence[Node]) -> list[Node]:
        return [child for node in level for child in node.children if child in self._shown]

    def box(self, node: Node, above: Node | None, level: int = 0) -> _Box:
        """The box of a node with all boxes below it; they have no places yet."""
        box = self._own_box(node, level)
        if above is not None and node.move in above.position.legal_moves():
            box.last = self._explanation.game.move_cells(above.position, node.move)
            box.arrow = arrow_of(self._explanation.game, above.position, node.move)
        box.below = [self.box(child, node, level + 1) for child in self._below([node])]
        hidden = sum(sum(1 for _node in child.walk()) for child in node.children if child not in self._shown)
        if hidden:
            box.below.append(_label(f"+{hidden}", FAINT))
        if node.unseen:
            box.below.append(_label("✂ " + unseen_text(node, _UNSEEN_NAMED), CUT))
        box.in_list = level + 1 >= self._across
        below = max((_INDENT + child.span for child in box.below), default=0.0) if box.in_list else _across(box)
        box.span = max(box.width, below)
        return box

    def _own_box(self, node: Node, level: int) -> _Box:
        text = " ".join(filter(None, (move_text(self._explanation, node), value_text(self._explanation, node))))
        letters = len(text)
        if node in self._blanks:  # all are equally wide: the width tells nothing of the value
            letters = len(move_text(self._explanation, node)) + 1 + max(4, self._blank)
        wide = letters * _LETTER + 24
        if level >= self._cards or not node.has_board:
            return _Box(node, text, INK, 0, max(wide, 60), _ROW - 6)
        board, labels = (_BOARD, 0) if level else (_ROOT_BOARD, _LABEL_SPACE)
        counts = _COUNT_SPACE if self._explanation.game.profile.look.counts else 0
        width, height = max(wide, board + 2 * labels + 16), board + 2 * labels + counts + 48
        return _Box(node, text, INK, board, width, height, labels=labels)


def _label(text: str, colour: str) -> _Box:
    width = len(text) * _LETTER * 0.85 + 16
    return _Box(None, text, colour, 0, width, _ROW - 6, span=width)


def _across(box: _Box) -> float:
    """The width of the boxes below, side by side."""
    return sum(child.span for child in box.below) + _GAP * max(0, len(box.below) - 1)


def _place(box: _Box, left: float, top: float) -> None:
    """Places a box and all boxes below it in a strip that is `box.span` wide and begins at `left`."""
    box.y, box.starts_level = top, True
    below = top + box.height
    if box.in_list:
        box.x = left + box.width / 2
        _place_list(box, below + _ROW * 0.35)
        return
    box.x = left + box.span / 2
    at = box.x - _across(box) / 2
    for child in box.below:
        _place(child, at, below + _LEVEL_GAP)
        at += child.span + _GAP


def _place_list(box: _Box, top: float) -> float:
    """Places the boxes below `box` as an indented list that begins at `top`; returns where the list ends."""
    for child in box.below:
        child.x = box.x - box.width / 2 + _INDENT + child.width / 2
        child.y = top
        top = _place_list(child, top + _ROW)
    return top


def _walk(box: _Box) -> Iterator[_Box]:
    yield box
    for child in box.below:
        yield from _walk(child)


def _levels(explanation: Explanation, boxes: list[_Box], width: float) -> Iterator[str]:
    """MAX and MIN on the left, with a disc of the player who moves on that level."""
    if explanation.scale is Scale.CALLS:
        return
    tops: dict[float, Node] = {}
    for box in boxes:
        if box.node is not None and box.node.kind is Kind.REPLIES and box.starts_level:
            tops.setdefault(box.y, box.node)
    for top, node in tops.items():
        text = level_text(explanation, node.to_move)
        path = f"M{_MARGIN} {top - 12:.0f}H{width - _MARGIN:.0f}"
        yield f'<path d="{path}" stroke="#dddddd" stroke-dasharray="2 6"/>'
        yield _stone(explanation.game)(_MARGIN + 14, top + 20, 11, node.to_move)
        if text:
            yield _text(_MARGIN + 34, top + 28, text, 24, weight="bold", anchor="start")


def _edges(box: _Box, *, chosen: bool, plainly: bool = False) -> Iterator[str]:
    """The lines from a box to the boxes below it: to the chosen ones if `chosen`, else to the others.

    plainly: nothing shows what is chosen or cut off.
    """
    low = box.y + box.height
    for child in box.below:
        is_chosen = child.node is not None and child.node.chosen
        if (chosen != is_chosen and not (plainly and not chosen)) or (plainly and child.colour == CUT):
            continue
        marked = chosen and not plainly
        colour = CHOSEN if marked else child.colour if child.node is None else FAINT
        width = 5 if marked else 2
        dash = "" if child.node is not None else ' stroke-dasharray="6 5"'
        if box.in_list:
            spine, middle = box.x - box.width / 2 + 8, child.y + child.height / 2
            path = f"M{spine:.1f} {low:.1f}V{middle:.1f}H{child.x - child.width / 2:.1f}"
        else:
            path = f"M{box.x:.1f} {low:.1f}L{child.x:.1f} {child.y:.1f}"
        yield f'<path d="{path}" fill="none" stroke="{colour}" stroke-width="{width}"{dash}/>'


def _draw(explanation: Explanation, box: _Box, look: _Look) -> Iterator[str]:
    """A card or a label."""
    left = box.x - box.width / 2
    if box.node is None:
        if box.colour != CUT or look.sheet is not Sheet.EXERCISE:
            yield _text(left + 6, box.y + 25, box.text, 20, anchor="start", fill=box.colour)
        return
    node = box.node
    late = look.delay(explanation.root)
    is_marked = node.chosen and look.sheet is not Sheet.EXERCISE
    yield _frame(box, "#ffffff", FAINT if late or not is_marked else CHOSEN, 1.5 if late or not is_marked else 4)
    if late and is_marked:
        yield f"<g{late}>{_frame(box, 'none', CHOSEN, 4).replace(' rx=', ' ry=')}</g>"
    yield from _name_and_value(explanation, node, box, look)
    if box.board:
        yield from _board(explanation.game, box, node.position)


def _frame(box: _Box, fill: str, colour: str, stroke: float) -> str:
    place = f'x="{box.x - box.width / 2:.1f}" y="{box.y:.1f}" width="{box.width:.1f}" height="{box.height:.1f}"'
    return f'<rect {place} rx="8" fill="{fill}" stroke="{colour}" stroke-width="{stroke}"/>'


def _name_and_value(explanation: Explanation, node: Node, box: _Box, look: _Look) -> Iterator[str]:
    move, value = move_text(explanation, node), value_text(explanation, node)
    (right, baseline), left = _value_place(box), box.x - box.width / 2
    if node in look.blanks:
        wide = box.width - 24 - len(move) * _LETTER if move else _BLANK
        place = f'x="{right - wide + 4:.1f}" y="{baseline - 21:.1f}" width="{wide:.1f}" height="26"'
        yield f'<rect class="blank" {place} fill="none" stroke="{INK}" stroke-dasharray="3 3"/>'
        yield _text(left + 10, baseline, move, 22, anchor="start")
    elif not move or not value:
        late = "" if move else look.delay(node)
        yield _text(box.x, baseline, move or value, 22, weight="bold", also=late)
    else:
        yield _text(left + 10, baseline, move, 22, anchor="start")
        yield _text(right, baseline, value, 22, weight="bold", anchor="end", also=look.delay(node))


def _board(game: Game, box: _Box, position: Position) -> Iterator[str]:
    """A grid with the discs or signs of both seats. The cells of the last move have frames, or an arrow joins them."""
    cell = box.board / max(game.width, game.height)
    left = box.x - cell * game.width / 2
    top = box.y + 38 + box.labels + (box.board - cell * game.height) / 2
    yield from _counts(game, box, position)
    path = "".join(f"M{left + x * cell:.1f} {top:.1f}v{cell * game.height:.1f}" for x in range(game.width + 1))
    path += "".join(f"M{left:.1f} {top + y * cell:.1f}h{cell * game.width:.1f}" for y in range(game.height + 1))
    yield f'<path d="{path}" stroke="#b8b8b8" stroke-width="1" fill="none"/>'
    if box.labels:
        yield from _labels(game, left, top, cell)
    stone = _stone(game)
    for index, sign in enumerate(signs_of(position)):
        y, x = divmod(index, game.width)
        middle = left + (x + 0.5) * cell, top + (y + 0.5) * cell
        seat, special = position.cell(x, y), game.profile.look.piece(sign)
        if seat is not None and not (special and game.profile.look.signs):
            yield stone(*middle, cell * 0.36, seat)
        if special is not None:
            yield _letter(*middle, cell * 0.5, special, game.profile.look)
    if box.arrow is not None:
        start, end = ((left + (x + 0.5) * cell, top + (y + 0.5) * cell) for x, y in box.arrow)
        yield _arrow(start, end, cell)
        return
    for column, row in box.last:
        yield (
            f'<rect x="{left + column * cell:.1f}" y="{top + row * cell:.1f}" width="{cell:.1f}" '
            f'height="{cell:.1f}" fill="none" stroke="{LAST}" stroke-width="2.5"/>'
        )


def _counts(game: Game, box: _Box, position: Position) -> Iterator[str]:
    """What both seats have, below a board, in a game that counts."""
    if game.profile.look.counts is None:
        return
    stone, middle = _stone(game), box.y + box.height - 15
    for seat, count in zip(Seat, position.score(), strict=True):
        x = box.x + (-box.board / 4 if seat is Seat.FIRST else box.board / 4)
        yield stone(x - 12, middle, 7, seat)
        yield _text(x, middle + 6, str(count), 17, anchor="start", weight="bold")


def _labels(game: Game, left: float, top: float, cell: float) -> Iterator[str]:
    """The labels of rows and columns around a board."""
    frame = frame_of(game)
    for labels, y in ((frame.top, top - 5), (frame.bottom, top + game.height * cell + 15)):
        for x, label in enumerate(labels):
            yield _text(left + (x + 0.5) * cell, y, label, 14, fill=FAINT)
    for row, label in enumerate(frame.left):
        yield _text(left - 5, top + (row + 0.5) * cell + 5, label, 14, anchor="end", fill=FAINT)


def _arrow(start: tuple[float, float], end: tuple[float, float], cell: float) -> str:
    """An arrow along the way of a piece."""
    (x, y), (to_x, to_y) = start, end
    length = hypot(to_x - x, to_y - y)
    along_x, along_y = (to_x - x) / length * cell / 4, (to_y - y) / length * cell / 4
    point = "".join(
        f"M{to_x:.1f} {to_y:.1f}l{-along_x - side * along_y:.1f} {-along_y + side * along_x:.1f}" for side in (-1, 1)
    )
    path = f"M{x:.1f} {y:.1f}L{to_x:.1f} {to_y:.1f}{point}"
    return f'<path class="way" d="{path}" stroke="{LAST}" stroke-width="3" fill="none"/>'


def _stone(game: Game) -> Callable[[float, float, float, Seat], str]:
    look = game.profile.look
    return partial(_sign, look.ascii_glyphs) if look.signs else _disc


def _disc(x: float, y: float, radius: float, seat: Seat) -> str:
    fill = INK if seat is Seat.FIRST else "#ffffff"
    return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius:.1f}" fill="{fill}" stroke="{INK}" stroke-width="1.5"/>'


def _letter(x: float, y: float, size: float, special: Piece, look: Look) -> str:
    """What is written on a piece that is none of the usual ones."""
    fill = "#ffffff" if special.seat is Seat.FIRST and not look.signs else INK
    letter = size if len(special.drawn) == 1 else size * 2 / (len(special.drawn) + 0.5)
    return _text(x, y + 0.35 * letter, special.drawn, int(letter), weight="bold", fill=fill)


def _sign(glyphs: str, x: float, y: float, radius: float, seat: Seat) -> str:
    """A sign of `Look.ascii_glyphs`; cross and circle are drawn, others written."""
    pen = f'fill="none" stroke="{INK}" stroke-width="{radius / 4:.1f}"'
    glyph = glyphs[seat]
    if glyph == "O":
        return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius:.1f}" {pen}/>'
    if glyph != "X":
        return _text(x, y + 0.7 * radius, glyph, int(2 * radius), weight="bold")
    across = f"M{x - radius:.1f} {y - radius:.1f}l{2 * radius:.1f} {2 * radius:.1f}m0 {-2 * radius:.1f}"
    return f'<path d="{across}l{-2 * radius:.1f} {2 * radius:.1f}" {pen}/>'


def _text(
    x: float,
    y: float,
    text: str,
    size: int,
    *,
    weight: str = "normal",
    anchor: str = "middle",
    fill: str = INK,
    also: str = "",
) -> str:
    return (
        f'<text{also} x="{x:.1f}" y="{y:.1f}" font-size="{size}" font-weight="{weight}" text-anchor="{anchor}" '
        f'fill="{fill}">{escape(text)}</text>'
    )
