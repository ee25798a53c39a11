"""The screen of a match: its board, and around it all that its players and spectators see and do."""

from __future__ import annotations

import math
from collections.abc import Awaitable, Callable
from functools import partial
from typing import TYPE_CHECKING, ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.screen import Screen
from textual.widgets import Static

from client.commands import Say, Word
from client.connection import Incoming, Lost
from client.errors import ClientError
from client.table import Request, ServerTable, Table
from client.tui import saving, words
from client.tui.acting import Reader, allows, keys_of
from client.tui.alarm import Alarm, warn_under
from client.tui.asking import Question, question_of, yes_or_no
from client.tui.board import Board
from client.tui.buttons import Buttons
from client.tui.forms import FormScreen, Option, Row
from client.tui.inviting import Invitation, Invitations
from client.tui.looking import Looking
from client.tui.moves import Moves
from client.tui.place import Place
from client.tui.plan import plan_of
from client.tui.seats import Seats
from client.tui.talk import Talk
from games.base import Game, IllegalMove
from locales import _
from protocol.messages import (
    Declined,
    Finished,
    Moved,
    Murmur,
    Presence,
    Rematched,
    Said,
    Snapshot,
    Started,
    TookBack,
    Welcome,
)
from terminal import phrases
from view.match import MatchView

if TYPE_CHECKING:
    from client.tui.app import ArbitreApp

TICK_S = 0.1
AUTOPLAY_S = 0.8

_NARROWEST, _WIDEST = 18, 44
"""Columns beside the board."""

_WIDE = 110
"""Columns that hold all keys in one line."""

_LOW = 20
"""With fewer lines, talk and moves share a place."""


class MatchScreen(Screen[str]):
    """A match and its rematches until the reader leaves; the result is what to tell them then, or "".

    place: the session that it is on, None for two at one screen. invitation: what to show while a player is missing.
    takes_over: whether the reader wants to play on without the server, which is away. hosts: whether the server ends
    when the reader leaves.
    """

    DEFAULT_CSS = """
    MatchScreen { layout: vertical; }
    MatchScreen #head { height: 1; width: 1fr; background: $panel; }
    MatchScreen #head.away { background: $error; color: $text; }
    MatchScreen #table { height: 1fr; }
    MatchScreen.waiting Invitations { display: block; }
    MatchScreen.waiting Board, MatchScreen.waiting #side { display: none; }
    MatchScreen #side { width: 30; height: 1fr; padding: 0 1 0 0; }
    MatchScreen #status { height: 3; }
    MatchScreen #question { height: 3; }
    MatchScreen #answers { height: 1; }
    MatchScreen #refused { height: auto; max-height: 4; color: $text-warning; text-style: bold; }
    MatchScreen.low #question { height: 2; }
    MatchScreen.low Talk { display: none; }
    MatchScreen.low.talking Talk { display: block; }
    MatchScreen.low.talking Moves { display: none; }
    MatchScreen.together Talk { display: none; }
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("f1,question_mark", "help", show=False),
        Binding("f2", "again", show=False),
        Binding("f3", "agree", show=False),
        Binding("f4", "resign", show=False),
        Binding("f5", "flip", show=False),
        Binding("f6,t", "hints", show=False),
        Binding("f7,tab", "talk", show=False),
        Binding("f8", "give", show=False),
        Binding("f9", "further", show=False),
        Binding("y,o", "yes", show=False),
        Binding("x", "no", show=False),
        Binding("n,right", "look(1)", show=False),
        Binding("p,left", "look(-1)", show=False),
        Binding("home", "look(-999)", show=False),
        Binding("end", "look(999)", show=False),
        Binding("space", "autoplay", show=False),
        Binding("m", "bell", show=False),
        Binding("escape", "back", show=False),
        Binding("ctrl+c,ctrl+q,q", "leave", show=False, priority=False),
    ]

    app: ArbitreApp

    def __init__(
        self, table: Table, game: Game, place: Place | None = None, invitation: Invitation | None = None
    ) -> None:
        super().__init__()
        self.table = table
        self._game = game
        self._place = place
        self._invitation = invitation or Invitation()
        self._told = ""
        self._refused = ""
        self._looking = Looking()
        self._asked: tuple[Question, Callable[[], Awaitable[None]]] | None = None
        self._alarm = Alarm()
        self._talked, self._read = 0, 0
        self.takes_over = False
        self.hosts = False

    @property
    def view(self) -> MatchView | None:
        """The match as it stands, None before the first word of the server."""
        return self.table.view

    @property
    def together(self) -> bool:
        """Whether both players sit at this screen."""
        return self._place is None

    def compose(self) -> ComposeResult:
        """A line for the match, the board with what stands beside it, the keys."""
        yield Static("", id="head", markup=False)
        with Horizontal(id="table"):
            yield Board(self._game, id="board")
            yield Invitations(self._invitation, codes=not self.app.ascii_only, colours=self.app.colours)
            with Vertical(id="side"):
                yield Seats(id="seats")
                yield Static("", id="status", markup=False)
                yield Static("", id="question", markup=False)
                yield Buttons(id="answers")
                yield Static("", id="refused", markup=False)
                yield Moves(id="moves")
                yield Talk(id="talk")
        yield Buttons(id="keys", classes="keys")

    def on_mount(self) -> None:
        """Begins to hear of the match."""
        self.set_class(self.together, "together")
        board, seats = self.board, self.query_one(Seats)
        board.theme = seats.theme = self.app.board_theme
        board.ascii_only = seats.ascii_only = self.app.ascii_only
        board.hints = self.app.preferences.hints
        board.focus()
        self._begin_anew()
        if self._place is not None:
            self._place.listen(self.hear)
        self.set_interval(TICK_S, self._tick)
        self._autoplay = self.set_interval(AUTOPLAY_S, self._play_on)
        self.paint()

    def on_unmount(self) -> None:
        """Hears no more."""
        if self._place is not None:
            self._place.leave(self.hear)

    @property
    def board(self) -> Board:
        """The board."""
        return self.query_one(Board)

    # -- what happens

    def hear(self, message: Incoming | ClientError) -> None:
        """Takes what the server, or the table here, says."""
        if isinstance(message, ClientError):
            self.table.away = True
            self.paint()
            return
        is_ours = getattr(message, "match", None) == self.table.match
        line = self.table.hear(message)
        match message:
            case Lost():
                pass
            case Welcome() if isinstance(self.table, ServerTable):
                self.table.ask_again()
            case Said() | Murmur() if is_ours:
                self._talked += 1
            case Moved() | TookBack() | Started() | Finished() if is_ours:
                self._refused, self._asked = "", None
                self._told = words.first_words(self.view) if isinstance(message, Started) else line or self._told
                self._ring(message)
            case Rematched() if is_ours:
                self._begin_anew()
            case Snapshot() if is_ours:
                if self.view is not None:
                    self.board.change_game(self.view.game)
            case Declined() if is_ours and self.view is not None and message.seat != self.view.seat:
                self._refused = line
            case Presence(present=False):
                pass  # the question says it
            case _:
                self._told = line or self._told
        self.paint()

    def tell(self, line: str) -> None:
        """Shows a sentence of the server that we have started."""
        self._told = line
        self.paint()

    def _begin_anew(self) -> None:
        """A rematch has begun: nothing of the old match counts any more."""
        self._told, self._refused, self._asked = words.first_words(self.view), "", None
        self._looking.reset()
        self._talked = self._read = 0
        self._alarm = Alarm()

    def _ring(self, message: Incoming) -> None:
        """The terminal rings when the other has moved, and at the end."""
        mine = self.view.seat if self.view is not None else None
        if self.app.preferences.bell and (not isinstance(message, Moved) or message.seat != mine):
            self.app.bell()

    # -- what is shown

    def on_resize(self) -> None:
        """Shares the room out: the board first."""
        width, height = self.size
        plan = plan_of(self._game, width - _NARROWEST, height - 1 - _lines_of_keys(width))
        side = min(_WIDEST, max(_NARROWEST, width - plan.width - 2))
        self.query_one("#side").styles.width = side
        self.set_class(height < _LOW, "low")
        self.query_one("#keys").styles.height = _lines_of_keys(width)
        self.paint()

    def paint(self) -> None:
        """Shows the match as it stands."""
        view = self.view
        if not self.is_mounted or view is None:
            return
        self._paint_head(view)
        self.set_class(view.status == "waiting", "waiting")
        self._paint_board(view)
        self.query_one(Seats).show(view, self.table.now())
        pointer = self.board.pointer
        holds = pointer.chosen is not None
        status = words.status(view, self._told, together=self.together, typed=pointer.typed, holds=holds)
        self.query_one("#status", Static).update(status)
        self.query_one("#refused", Static).update(self._refused)
        self._paint_question(view)
        self.query_one(Moves).show(view.moves, view.ply if self._looking.at is None else self._looking.at)
        talk = self.query_one(Talk)
        talk.show(view.chat, self._talked)
        if talk.display:
            self._read = self._talked
        self.query_one("#keys", Buttons).show(keys_of(self._reader(view)))

    def _paint_head(self, view: MatchView) -> None:
        head = self.query_one("#head", Static)
        banner = words.banner(self.table, self._place.ended if self._place is not None else None)
        head.set_class(bool(banner), "away")
        head.update(banner or words.title(view, self._looking.at, self._talked - self._read))

    def _paint_board(self, view: MatchView) -> None:
        board = self.board
        board.steers = view.status != "finished" and self._reader(view).plays
        position, last = self._looking.shown(view)
        is_now = self._looking.at is None
        won = frozenset(view.result.cells) if view.result is not None and is_now else frozenset()
        playable = is_now and (view.my_turn or (self.together and view.status == "playing"))
        board.show(position, last=last, won=won, playable=playable)

    def _paint_question(self, view: MatchView) -> None:
        question = self._asked[0] if self._asked is not None else question_of(view, self.table.now())
        self.query_one("#question", Static).update(question.text)
        self.query_one("#answers", Buttons).show(question.keys)

    def _tick(self) -> None:
        view = self.view
        if view is None:
            return
        now = self.table.now()
        self.query_one(Seats).show(view, now)
        if self.table.away:
            self._paint_head(view)
        if view.claimable_at is not None and self._asked is None:
            self._paint_question(view)
        clocks = view.clocks(now)
        if view.my_turn and view.seat is not None and clocks is not None:
            left = clocks[view.seat - 1]
            if self._alarm.rings(left, warn_under(view.clock)):
                self._refused = _("{seconds} s left!").format(seconds=math.ceil(left / 1000))
                if self.app.preferences.bell:
                    self.app.bell()
                self.paint()

    # -- what the reader does

    def on_board_pointed(self, _event: Board.Pointed) -> None:
        """The cursor has moved: what was refused is past."""
        self._refused = ""
        self.paint()

    def on_board_move_chosen(self, event: Board.MoveChosen) -> None:
        """Plays, or says why not."""
        view = self.view
        if view is None or not self._reader(view).plays:
            self._say(_("You are watching: only the players move."))
        elif self._looking.at is not None:
            self.action_look(999)
        elif view.status != "playing":
            return
        elif not (view.my_turn or self.together):
            self._say(_("It is not your turn."))
        else:
            self.app.do(self._play(event.move))

    async def _play(self, move: str) -> None:
        try:
            await self.table.play(move)
        except IllegalMove as illegal:
            self._say(phrases.move_refused(move, illegal.reason))
        except ClientError as error:
            self._say(words.refusal(error, move))

    async def _ask(self, request: Request) -> None:
        try:
            await self.table.do(request)
        except ClientError as error:
            self._say(words.refusal(error))

    def _say(self, refusal: str) -> None:
        self._refused = refusal
        self.paint()

    def _reader(self, view: MatchView) -> Reader:
        return Reader(view, self.together, self.table.away)

    def _want(self, action: str, request: Request) -> None:
        """Asks the table for something that can be done now."""
        if self.view is not None and allows(self._reader(self.view), action):
            self.app.do(self._ask(request))

    def on_buttons_pressed(self, event: Buttons.Pressed) -> None:
        """A key was clicked."""
        getattr(self, f"action_{event.action}")()

    def on_moves_chosen(self, event: Moves.Chosen) -> None:
        """Looks at an earlier position."""
        if self.view is not None:
            self._looking.look(self.view, event.ply)
            self.paint()

    def on_talk_said(self, event: Talk.Said) -> None:
        """Says something to the others."""
        self.app.do(self._ask(Say(event.text)))

    def on_talk_closed(self, _event: Talk.Closed) -> None:
        """Back to the board."""
        self.remove_class("talking")
        self.board.focus()

    def action_help(self) -> None:
        """Explains the keys."""
        from client.tui.help import HelpScreen

        self.app.push_screen(HelpScreen(self._game))

    def action_again(self) -> None:
        """Takes back while the game runs, asks for a rematch after it."""
        view = self.view
        if view is not None:
            self.action_rematch() if view.status == "finished" else self.action_takeback()

    def action_takeback(self) -> None:
        """Asks to take a move back."""
        self._want("takeback", Word.UNDO)

    def action_rematch(self) -> None:
        """Asks to play again."""
        self._want("rematch", Word.REMATCH)

    def action_agree(self) -> None:
        """Offers a draw while the game runs, saves it after."""
        view = self.view
        if view is not None:
            self.action_save() if view.status == "finished" else self.action_draw()

    def action_draw(self) -> None:
        """Offers a draw; two at one screen are asked once."""
        view = self.view
        if view is None or not allows(self._reader(view), "draw"):
            return
        if self.together:
            self._confirm(_("Do you both agree to a draw?"), _("Draw"), lambda: self._ask(Word.DRAW))
        else:
            self._want("draw", Word.DRAW)

    def action_save(self) -> None:
        """Writes the game into a file."""
        if self.view is not None and allows(self._reader(self.view), "save"):
            self.app.do(self._save(self.view))

    async def _save(self, view: MatchView) -> None:
        formats = saving.formats_of(view)
        rows = [
            Row("how", _("As"), tuple(Option(one.label, one) for one in formats)),
            Row("file", _("File"), text=saving.file_name(view, formats[0].ending)),
        ]
        form = FormScreen(_("Save the game"), rows, begin=_("Save"), changed=partial(saving.rename, view))
        if (values := await self.app.show(form)) is not None:
            self._say(saving.save(view, values["how"], values["file"]))

    def action_resign(self) -> None:
        """Gives the game up, after a question."""
        if self.view is not None and allows(self._reader(self.view), "resign"):
            self._confirm(_("Do you give the game up?"), _("Resign"), lambda: self._ask(Word.RESIGN))

    def action_give(self) -> None:
        """Gives the opponent 15 seconds."""
        self._want("give", Word.GIVE)

    def action_further(self) -> None:
        """Hosts the game here while its server is away, reviews it after the end."""
        view = self.view
        if view is not None:
            self.action_review() if view.status == "finished" else self.action_take_over()

    def action_review(self) -> None:
        """Looks through the game that is over, with its review."""
        from client.tui.onlooking import look_through
        from client.tui.review import recorded_of

        if self.view is not None and allows(self._reader(self.view), "review"):
            self.app.do(look_through(self.app, recorded_of(self.view), self._place, review=True))

    def action_take_over(self) -> None:
        """Hosts the game here if its server is away, after a question."""
        if self.view is not None and allows(self._reader(self.view), "take_over"):
            text = _("Host the game here? It goes on from this position; the clocks begin anew.")
            self._confirm(text, _("Host it here"), self._take_over)

    async def _take_over(self) -> None:
        self.takes_over = True
        self.dismiss("")

    def action_claim(self) -> None:
        """Claims the win from who stays away."""
        self.app.do(self._ask(Word.CLAIM))

    def action_flip(self) -> None:
        """Shows the board from the other side."""
        self.board.turn()
        self.query_one(Seats).turned = self.board.turned
        self.paint()

    def action_hints(self) -> None:
        """Shows or hides where one may play."""
        self.app.prefer(hints=not self.app.preferences.hints)
        self.board.hints = self.app.preferences.hints
        self.board.redraw()

    def action_bell(self) -> None:
        """Lets the terminal ring, or not."""
        self.app.prefer(bell=not self.app.preferences.bell)
        self._say(_("The terminal rings.") if self.app.preferences.bell else _("The terminal is silent."))

    def action_talk(self) -> None:
        """Goes to the field for talk."""
        if self.view is not None and allows(self._reader(self.view), "talk"):
            self.add_class("talking")
            self._read = self._talked
            self.query_one(Talk).open()
            self.paint()

    def action_yes(self) -> None:
        """Answers yes to what is asked."""
        view = self.view
        if self._asked is not None:
            _question, run = self._asked
            self._asked = None
            self.app.do(self._run(run))
        elif view is not None:
            keys = question_of(view, self.table.now()).keys
            if any(key.action == "claim" for key in keys):
                self.action_claim()
            elif keys:
                self.app.do(self._ask(Word.YES))

    def action_no(self) -> None:
        """Answers no to what is asked, or withdraws one's own offer."""
        if self._asked is not None:
            self._asked = None
            self.paint()
        elif self.view is not None and self.view.offers and self._reader(self.view).plays:
            self.app.do(self._ask(Word.NO))

    async def _run(self, run: Callable[[], Awaitable[None]]) -> None:
        await run()
        if self.is_mounted:
            self.paint()

    def _confirm(self, text: str, yes: str, run: Callable[[], Awaitable[None]]) -> None:
        self._asked = (yes_or_no(text, yes, _("Cancel")), run)
        self.paint()

    # -- looking back

    def action_look(self, by: int) -> None:
        """Goes so many moves on, or back."""
        if self.view is not None:
            self._looking.step(self.view, by)
            self.paint()

    def action_autoplay(self) -> None:
        """Shows one move after another, from the first if the last is on the board."""
        if self.view is not None:
            self._looking.toggle(self.view)
            self.paint()

    def _play_on(self) -> None:
        if self.view is not None and self._looking.tick(self.view):
            self.paint()

    # -- leaving

    def action_back(self) -> None:
        """Lets go of what was begun; else leaves, after a question."""
        if self._asked is not None:
            self.action_no()
        elif self.board.pointer.chosen is not None or self.board.pointer.typed:
            self.board.pointer.look_at(self.board.pointer.position)
            self.board.redraw()
            self.paint()
        elif self._looking.at is not None:
            self.action_look(999)
        else:
            self.action_leave()

    def action_leave(self) -> None:
        """Leaves: at once if nothing is lost by it, or if asked for twice."""
        view = self.view
        if view is None or not self._reader(view).runs or self._asks_to_leave:
            self.app.do(self._leave())
        elif self.together:
            self._confirm(_("Leave? This game is not kept."), _("Leave"), self._leave)
        else:
            hosting = _("Leave? The server stops with you: your guest waits until you host again.")
            guest = _("Leave? You don't resign: your seat is kept for a while.")
            self._confirm(hosting if self.hosts else guest, _("Leave"), self._leave)

    @property
    def _asks_to_leave(self) -> bool:
        return self._asked is not None and self._asked[1] == self._leave

    async def _leave(self) -> None:
        said = await self.table.farewell() if isinstance(self.table, ServerTable) else ""
        if self.is_current:
            self.dismiss(said)


def _lines_of_keys(width: int) -> int:
    """As many as hold all keys that there may be at once, so that nothing moves when they change."""
    return 1 if width >= _WIDE else 2
