"""The screen that replays a game, with its review: values of positions, grades of moves, better lines."""

from __future__ import annotations

from typing import ClassVar

from rich.text import Text
from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget
from textual.widgets import Static

from client.errors import ClientError, Refused
from client.people.recorded import Recorded
from client.people.replaying import how_it_ended
from client.people.reviewing import GameReview
from client.tui import words
from client.tui.app import ArbitreApp
from client.tui.drawing.graph import Scale, graph_lines
from client.tui.drawing.layout import layout_of
from client.tui.lasting import LastingScreen
from client.tui.place import Place
from client.tui.reviewer import Reviewer
from client.tui.widgets.board import Board, segments_of
from client.tui.widgets.buttons import Buttons, Key
from client.tui.widgets.moves import Moves
from client.tui.widgets.seats import piece
from games.base import Position, Seat
from games.frame import Cell
from locales import _, decimal
from processes.child import ChildError
from protocol.errors import ErrorCode
from protocol.messages import Reviewed
from terminal import phrases
from terminal.board import counts_of
from view.match import MatchView

PLAY_S = 0.8
"""Seconds for a move of the replay, at first."""

_SLOWEST, _FASTEST = -2, 2
"""How often the replay may be made half as fast, and twice as fast."""

_NARROWEST, _WIDEST = 18, 46
_LOW, _HIGH = 20, 32
_WIDE = 100


class Graph(Widget):
    """The graph of a review: who stood better after each move. A click chooses a position."""

    DEFAULT_CSS = "Graph { height: 7; width: 1fr; display: none; }"
    ALLOW_SELECT = False

    class Pressed(Message):
        """The reader wants to see the position after `ply` moves."""

        def __init__(self, ply: int) -> None:
            super().__init__()
            self.ply = ply

    def __init__(self, review: GameReview, *, ascii_only: bool) -> None:
        super().__init__()
        self._review, self._at, self._ascii = review, 0, ascii_only

    def show(self, at: int) -> None:
        """Shows the graph, with a mark at the position after `at` moves."""
        self._at = at
        self.refresh()

    def render_line(self, y: int) -> Strip:
        """One line of the graph."""
        lines = graph_lines(self._review.steps, self._scale, self._at, self.size.height, ascii_only=self._ascii)
        line = lines[y] if y < len(lines) else ()
        return Strip(segments_of(line, self.rich_style)).adjust_cell_length(self.size.width, self.rich_style)

    def on_click(self, event: events.Click) -> None:
        """A position is clicked."""
        event.stop()
        self.post_message(self.Pressed(self._scale.ply_at(event.x)))

    @property
    def _scale(self) -> Scale:
        return Scale(len(self._review.moves), max(1, self.size.width))


class ReviewScreen(LastingScreen[None]):
    """Shows `recorded` position by position; asks `reviewer` for its review when the reader wants it.

    at: moves on the board at first, by default all. review: whether to begin with the review.
    """

    DEFAULT_CSS = """
    ReviewScreen #head { height: 1; width: 1fr; background: $panel; }
    ReviewScreen #table { height: 1fr; }
    ReviewScreen #side { width: 30; height: 1fr; padding: 0 1 0 0; }
    ReviewScreen #players, ReviewScreen #status, ReviewScreen #verdict, ReviewScreen #counts { height: auto; }
    ReviewScreen #status { color: $text-warning; }
    ReviewScreen #verdict { min-height: 4; padding: 1 0 0 0; }
    ReviewScreen #points { height: 5; display: none; }
    ReviewScreen.reviewed #points, ReviewScreen.reviewed Graph { display: block; }
    ReviewScreen Moves { margin: 1 0 0 0; }
    ReviewScreen.low #points, ReviewScreen.low #counts, ReviewScreen.low Graph { display: none; }
    ReviewScreen.low Moves, ReviewScreen.low #verdict { margin: 0; padding: 0; }
    ReviewScreen.high Graph { height: 11; }
    """
    AUTO_FOCUS = ""
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("n,right,l,j,down", "step(1)", show=False),
        Binding("p,left,h,k,up", "step(-1)", show=False),
        Binding("home", "step(-9999)", show=False),
        Binding("end", "step(9999)", show=False),
        Binding("space", "autoplay", show=False),
        Binding("plus,equals_sign", "pace(1)", show=False),
        Binding("minus", "pace(-1)", show=False),
        Binding("r", "review", show=False),
        Binding("s", "better", show=False),
        Binding("t", "turning(1)", show=False),
        Binding("T", "turning(-1)", show=False),
        *(Binding(str(number), f"point({number})", show=False) for number in range(1, 6)),
        Binding("f5", "flip", show=False),
        Binding("f1,question_mark", "explain", show=False),
        Binding("escape,q", "back", show=False),
    ]
    app: ArbitreApp

    def __init__(self, recorded: Recorded, reviewer: Reviewer, *, at: int | None = None, review: bool = False) -> None:
        super().__init__()
        self._recorded, self._reviewer = recorded, reviewer
        self._review = GameReview(recorded.game, recorded.moves)
        self._positions = _positions(recorded)
        self._result = "\n".join(how_it_ended(recorded))
        self._at = len(recorded.moves) if at is None else at
        self._plays = False
        self._pace = 0
        self._line: tuple[str, ...] = ()
        self._ahead = 0
        self._help = ""
        self._begins = review

    def compose(self) -> ComposeResult:
        """The board with what is said of its position, the graph below, the keys."""
        yield Static("", id="head", markup=False)
        with Horizontal(id="table"):
            yield Board(self._recorded.game, id="board")
            with Vertical(id="side"):
                yield Static("", id="players")
                yield Static("", id="status", markup=False)
                yield Static("", id="verdict", markup=False)
                yield Static("", id="counts", markup=False)
                yield Buttons(id="points")
                yield Moves(id="moves")
        yield Graph(self._review, ascii_only=self.app.ascii_only)
        yield Buttons(id="keys", classes="keys")

    def on_mount(self) -> None:
        """Shows the first position."""
        self.stands = True
        board = self.board
        board.theme, board.ascii_only = self.app.board_theme, self.app.ascii_only
        board.can_focus, board.steers = False, False
        self._clock = self.set_interval(PLAY_S, self._play_on)
        self.paint()
        if self._begins:
            self.action_review()

    @property
    def board(self) -> Board:
        """The board."""
        return self.query_one(Board)

    # -- what is shown

    def on_resize(self) -> None:
        """Shares the room out: the board first."""
        width, height = self.size
        self.set_class(height < _LOW, "low")
        self.set_class(height >= _HIGH, "high")
        keys = 1 if width >= _WIDE else 2
        self.query_one("#keys").styles.height = keys
        graph = 0 if height < _LOW or not self._review.stage else 11 if height >= _HIGH else 7
        layout = layout_of(self._recorded.game, width - _NARROWEST, height - 1 - keys - graph)
        self.query_one("#side").styles.width = min(_WIDEST, max(_NARROWEST, width - layout.width - 2))
        self.paint()

    def paint(self) -> None:
        """Shows the chosen position, and what the review says of it."""
        if not self.stands:
            return
        review, at = self._review, self._at
        self.set_class(bool(review.steps), "reviewed")
        self._paint_board()
        count = len(review.moves)
        where = _("move {ply} of {count}").format(ply=at, count=count)
        self.query_one("#head", Static).update(f" {phrases.game_title(review.game)} | {where}")
        self.query_one("#players", Static).update(self._players())
        self.query_one("#status", Static).update(self._help or review.status())
        self.query_one("#verdict", Static).update(self._verdict())
        self.query_one("#counts", Static).update(self._counts() if review.stage == "done" else "")
        self.query_one("#points", Buttons).show(
            [Key(str(n), review.graded(ply), f"point({n})") for n, ply in enumerate(review.turning_points(), 1)]
        )
        self.query_one(Moves).show([move + review.sign(ply) for ply, move in enumerate(review.moves)], at)
        self.query_one(Graph).show(at)
        self.query_one("#keys", Buttons).show(self._keys())

    def _paint_board(self) -> None:
        result = self._recorded.result
        if self._line:
            position, last = self._ahead_of(self._ahead)
            self.board.show(position, last=last)
            return
        is_last = self._at == len(self._review.moves)
        outcome = self._positions[-1].outcome()
        won = result.cells if result is not None and result.cells else outcome.cells if outcome is not None else ()
        self.board.show(
            self._positions[self._at], last=self._last_cells(), won=frozenset(won) if is_last else frozenset()
        )

    def _position(self) -> Position:
        """The position that the board shows."""
        return self._ahead_of(self._ahead)[0] if self._line else self._positions[self._at]

    def _last_cells(self) -> frozenset[Cell]:
        if not self._at:
            return frozenset()
        game, ply = self._recorded.game, self._at - 1
        return frozenset(game.move_cells(self._positions[ply], self._review.moves[ply]))

    def _ahead_of(self, count: int) -> tuple[Position, frozenset[Cell]]:
        """The position after `count` moves of the better line, and the cells of the last of these moves."""
        position, last = self._positions[self._at - 1], frozenset[Cell]()
        for move in self._line[:count]:
            last = frozenset(self._recorded.game.move_cells(position, move))
            position = position.play(move)
        return position, last

    def _players(self) -> Text:
        game, theme = self._recorded.game, self.app.board_theme
        counts = counts_of(game, self._position()) or ("", "")
        lines = [
            Text()
            .append_text(piece(game.profile.look, seat, theme, ascii_only=self.app.ascii_only))
            .append(f" {name or '-'}")
            .append(f"   {count}" if count else "", style="dim")
            for seat, name, count in zip(Seat, self._recorded.names, counts, strict=True)
        ]
        return Text("\n").join([*lines, Text(self._result)])

    def _verdict(self) -> str:
        review, at = self._review, self._at
        if self._line:
            moves = " ".join(f"[{move}]" if n == self._ahead else move for n, move in enumerate(self._line, 1))
            return _("Better: {moves}").format(moves=moves)
        lines = [review.graded(at - 1) if at else "", review.worth(at)]
        if at and (better := review.better(at - 1)):
            lines.append(_("Better: {moves}").format(moves=", ".join(better[:3])))
        return "\n".join(line for line in lines if line)

    def _counts(self) -> str:
        names = [name or side for name, side in zip(self._recorded.names, (_("First"), _("Second")), strict=True)]
        said = _("{name}: {text}")
        return "\n".join(
            said.format(name=name, text=self._review.counts(seat)) for seat, name in zip(Seat, names, strict=True)
        )

    def _keys(self) -> list[Key]:
        review = self._review
        keys = [
            Key("p", _("Previous"), "step(-1)"),
            Key("n", _("Next"), "step(1)"),
            Key("Space", _("Play"), "autoplay"),
        ]
        if not review.is_open and review.stage != "done" and review.moves:
            keys.append(Key("r", _("Review"), "review"))
        if self._line:
            keys.append(Key("s", _("The game"), "better"))
        elif self._at and review.line(self._at - 1):
            keys.append(Key("s", _("Show me"), "better"))
        if review.turning_points():
            keys.append(Key("t", _("Turning points"), "turning(1)"))
        return [*keys, Key("F5", _("Turn"), "flip"), Key("F1", _("Keys"), "explain"), Key("Esc", _("Leave"), "back")]

    # -- the review

    def action_review(self) -> None:
        """Asks for the review."""
        if not self._review.is_open and self._review.stage != "done" and self._review.moves:
            self._review.begin()
            self._help = ""
            self.on_resize()
            self.app.do(self._ask())

    async def _ask(self) -> None:
        try:
            await self._reviewer.ask(self._recorded.game, self._review.moves, self._hear)
        except ClientError as error:
            self._hear(error)
        except ChildError as error:
            self._review.refuse(str(error))
            self.paint()

    def _hear(self, told: Reviewed | ClientError) -> None:
        if isinstance(told, ClientError):
            code = told.code if isinstance(told, Refused) else ""
            self._fail(words.refusal(told), code)
            return
        self._review.take(told)
        if told.status == "failed":
            self._fail(self._review.status(), told.why or "")
        self.paint()

    def _fail(self, sentence: str, code: str) -> None:
        """Says why there is no review and how to ask again: on this computer, if the server makes none."""
        if code == ErrorCode.NO_SERVICE.value and not self._reviewer.is_here:
            self._reviewer.stay_here()
            sentence += " " + _("r reviews it on this computer.")
        else:
            sentence += " " + _("r asks again.")
        self._review.refuse(sentence)
        self.paint()

    # -- what the reader does

    def look(self, ply: int) -> None:
        """Looks at the position after `ply` moves."""
        self._line, self._ahead, self._help = (), 0, ""
        self._at = min(max(ply, 0), len(self._review.moves))
        self.paint()

    def action_step(self, by: int) -> None:
        """Shows the position `by` moves later (earlier if it is negative), in the better line while that is shown."""
        self._plays = False
        self._step(by)

    def _step(self, by: int) -> None:
        if self._line:
            self._ahead = min(max(self._ahead + by, 0), len(self._line))
            self.paint()
        else:
            self.look(self._at + by)

    def action_autoplay(self) -> None:
        """Starts or stops the replay; it starts at the first move if the last position is shown."""
        self._plays = not self._plays
        if self._plays and not self._line and self._at == len(self._review.moves):
            self.look(0)

    def action_pace(self, by: int) -> None:
        """Plays the game twice as fast, or half as fast."""
        self._pace = min(max(self._pace + by, _SLOWEST), _FASTEST)
        self._clock.stop()
        self._clock = self.set_interval(PLAY_S / 2**self._pace, self._play_on)
        self._help = _("{seconds} s for each move.").format(seconds=decimal(PLAY_S / 2**self._pace, 1))
        self.paint()

    def _play_on(self) -> None:
        if self._plays:
            self._step(1)
            self._plays = self._ahead < len(self._line) if self._line else self._at < len(self._review.moves)

    def action_better(self) -> None:
        """Shows what would have been better, or the game again."""
        line = () if self._line or not self._at else self._review.line(self._at - 1)
        self._line, self._ahead = line, min(1, len(line))
        self.paint()

    def action_turning(self, by: int) -> None:
        """Goes to the next turning point, or the one before; after the last comes the first."""
        points = [ply + 1 for ply in self._review.turning_points()]
        if not points:
            return
        later = [ply for ply in points if (ply > self._at if by > 0 else ply < self._at)]
        self.look((later or points)[0 if by > 0 else -1])

    def action_point(self, number: int) -> None:
        """Goes to a turning point by its number."""
        points = self._review.turning_points()
        if number <= len(points):
            self.look(points[number - 1] + 1)

    def action_flip(self) -> None:
        """Shows the board from the other side."""
        self.board.turn()

    def action_explain(self) -> None:
        """Says what keys do."""
        self._help = _(
            "n and p, or arrows, go on and back; Home, End; space plays, + and - faster and slower. r reviews, t and 1 "
            "to 5 go to turning points, s shows what was better. In the graph the first player is above: solid is "
            "proven, shaded an opinion; ? a mistake, ?? a blunder."
        )
        self.paint()

    def action_back(self) -> None:
        """Closes the better line or the explanation, if one is shown; else leaves."""
        if self._line:
            self.action_better()
        elif self._help:
            self._help = ""
            self.paint()
        else:
            self.dismiss(None)

    def on_moves_chosen(self, event: Moves.Chosen) -> None:
        """A move was clicked."""
        self.look(event.ply)

    def on_graph_pressed(self, event: Graph.Pressed) -> None:
        """The graph was clicked."""
        self.look(event.ply)


def _positions(recorded: Recorded) -> list[Position]:
    positions = [recorded.game.start()]
    for move in recorded.moves:
        positions.append(positions[-1].play(move))
    return positions


async def look_through(
    app: ArbitreApp, recorded: Recorded, place: Place | None = None, *, review: bool = False, at: int | None = None
) -> None:
    """Shows a game that is over. place: where it was played, if that is a server. review: begins with its review."""
    async with Reviewer(place) as reviewer:
        await app.show(ReviewScreen(recorded, reviewer, at=at, review=review))


def recorded_of(view: MatchView) -> Recorded:
    """The game of a match that is over, or as far as it was played."""
    return Recorded(view.game, view.moves, (phrases.name_of(view, 1), phrases.name_of(view, 2)), view.result)
