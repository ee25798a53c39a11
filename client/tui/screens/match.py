"""The screen of a match: the board, the players with their clocks, the moves, the chat, and the keys."""

from __future__ import annotations

import asyncio
import math
from typing import ClassVar, NamedTuple

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.widgets import Static

from client.connection import Incoming, Lost
from client.errors import ClientError
from client.people import keeping
from client.people.controller import MatchController, OnlineController
from client.people.typed import Say
from client.tui import words
from client.tui.alarm import Alarm, warn_under
from client.tui.drawing.layout import layout_of
from client.tui.looking import Looking
from client.tui.place import Place
from client.tui.screens.acting import allows, keys_of
from client.tui.screens.asking import question_of, which_move
from client.tui.screens.doing import DoingScreen
from client.tui.screens.inviting import Invitation, Invitations
from client.tui.widgets.board import Board
from client.tui.widgets.buttons import Buttons
from client.tui.widgets.moves import Moves
from client.tui.widgets.seats import Seats
from client.tui.widgets.talk import Talk
from games.base import Game, IllegalMove
from locales import _
from protocol.messages import (
    Declined,
    Finished,
    Moved,
    Murmur,
    Offered,
    Presence,
    Rematched,
    Said,
    Snapshot,
    Started,
    TookBack,
    Welcome,
)
from terminal import phrases
from terminal.refusals import move_refused
from terminal.text import clean
from view.match import MatchView

TICK_S = 0.1
AUTOPLAY_S = 0.8

_NARROWEST, _WIDEST = 18, 44
"""Least and most columns beside the board."""

_WIDE = 110
"""From this width on, all keys fit into one line."""

_LOW = 20
"""Below this height, chat and moves share one place."""

_NARROW = 30
"""Below this width beside the board, the answers to a question stand one below the other."""

SLOW_S = 0.7
"""Seconds without an answer after which the screen says that a move is on its way."""


class Sending(NamedTuple):
    """A move that the server has not answered yet, and when it was sent."""

    move: str
    since: float

    def is_slow(self, now: float) -> bool:
        """Whether the answer takes so long that the player should be told."""
        return now - self.since > SLOW_S


class MatchScreen(DoingScreen):
    """Shows a match, then its rematches, until the reader leaves. The answer is what to tell them then, or "".

    invitation: what to show while a player is missing.
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
    MatchScreen.narrow #answers { height: 2; }
    MatchScreen.choosing #question { height: 1; }
    MatchScreen.choosing #answers { height: 3; }
    MatchScreen.choosing.narrow #answers { height: 4; }
    MatchScreen.over #status { text-style: bold; }
    MatchScreen #refused { height: auto; max-height: 4; color: $text-warning; text-style: bold; }
    MatchScreen.low Talk { display: none; }
    MatchScreen.low.talking Talk { display: block; }
    MatchScreen.low.talking Moves, MatchScreen.low.talking #status { display: none; }
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

    def __init__(
        self, controller: MatchController, game: Game, place: Place | None = None, invitation: Invitation | None = None
    ) -> None:
        super().__init__(controller, place)
        self._game = game
        self._invitation = invitation or Invitation()
        self._told = ""
        self._looking = Looking()
        self._alarm = Alarm()
        self._talked, self._read = 0, 0
        self._sending: Sending | None = None

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
        """Starts listening, and paints for the first time."""
        self.stands = True
        self._share_room(*self.app.size)  # before the first picture, so that nothing jumps
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
        """Stops listening."""
        self.stands = False
        if self._place is not None:
            self._place.leave(self.hear)

    @property
    def board(self) -> Board:
        """The board."""
        return self.query_one(Board)

    # -- what happens

    def hear(self, message: Incoming | ClientError) -> None:
        """Handles a message of the server, an event of two at one screen, or the end of the session."""
        if isinstance(message, ClientError):
            self.controller.away = True
            self.paint()
            return
        is_ours = getattr(message, "match", None) == self.controller.match
        line = self.controller.hear(message)
        match message:
            case Lost():
                pass
            case Welcome() if isinstance(self.controller, OnlineController):
                self.controller.ask_again()
            case Said() | Murmur() if is_ours:
                self._hear_talk(message)
            case Offered() if is_ours:
                self._point_out(self._offered(message, line))
            case Moved() | TookBack() | Started() | Finished() if is_ours:
                self._keep()
                self._refused, self._asked = "", None
                self._told = words.first_words(self.view) if isinstance(message, Started) else line or self._told
                self._ring(message)
            case Rematched() if is_ours:
                self._begin_anew()
            case Snapshot() if is_ours:
                self._keep()
                if self.view is not None and self.stands:
                    self.board.change_game(self.view.game)
            case Declined() if is_ours and self.view is not None and message.seat != self.view.seat:
                self._refused = line
            case Presence(present=False):
                pass  # the question says it
            case _:
                self._told = line or self._told
        self.paint()

    def _keep(self) -> None:
        """Stores the game among the reader's own, if they have just played it to its end."""
        if self.view is not None and self.app.preferences.keep:
            record = keeping.own_game(self.view, together=self.together)
            if record is not None:
                self.app.do(asyncio.to_thread(keeping.keep, record))

    def _hear_talk(self, message: Said | Murmur) -> None:
        self._talked += 1
        if isinstance(message, Said) and self.view is not None:
            if message.seat == self.view.seat:
                self._read += 1  # nobody has to be told what they said
            else:
                self._point_out(f"{phrases.name_of(self.view, message.seat)}: {clean(message.text)}")

    def _offered(self, message: Offered, line: str) -> str:
        """An offer, for who looks at another screen: it can't be answered there."""
        view = self.view
        if view is None or view.seat in (None, message.seat):
            return line
        said = phrases.offered(message.what, phrases.name_of(view, message.seat), asked=False)
        return _("{said} Answer in the match.").format(said=said)

    def _point_out(self, line: str) -> None:
        """Shows a notice if another screen is open above this one."""
        if line and self.app.screen is not self:
            self.app.notify(line, markup=False)

    def tell(self, line: str) -> None:
        """Shows a sentence about the server that the reader hosts."""
        self._told = line
        self.paint()

    def _begin_anew(self) -> None:
        """Resets everything that belongs to one match; called at the start and for each rematch."""
        self._told, self._refused, self._asked = words.first_words(self.view), "", None
        self._looking.reset()
        self._talked = self._read = 0
        self._alarm = Alarm()

    def _ring(self, message: Incoming) -> None:
        """Rings the bell when the opponent has moved and when the match starts or ends, if the reader wants that."""
        mine = self.view.seat if self.view is not None else None
        if self.app.preferences.bell and (not isinstance(message, Moved) or message.seat != mine):
            self.app.bell()

    # -- what is shown

    def on_resize(self) -> None:
        """Lays the screen out anew."""
        if self.stands:
            self._share_room(*self.size)
            self.paint()

    def _share_room(self, width: int, height: int) -> None:
        """Divides the screen: the board gets what it needs first, the rest stands beside it."""
        layout = layout_of(self._game, width - _NARROWEST, height - 1 - _lines_of_keys(width))
        side = min(_WIDEST, max(_NARROWEST, width - layout.width - 2))
        self.query_one("#side").styles.width = side
        self.set_class(height < _LOW, "low")
        self.set_class(side < _NARROW, "narrow")
        self.query_one("#keys").styles.height = _lines_of_keys(width)

    def paint(self) -> None:
        """Shows the match as it stands."""
        view = self.view
        if not self.stands or view is None:
            return
        talk = self.query_one(Talk)
        if talk.display:
            self._read = self._talked
        self._paint_head(view)
        self._paint_waiting(is_waiting=view.status == "waiting")
        self.set_class(view.status == "finished", "over")
        self._paint_board(view)
        self.query_one(Seats).show(view, self.controller.now())
        pointer = self.board.pointer
        holds = pointer.chosen is not None and not pointer.choices
        status = words.status(view, self._told, together=self.together, typed=pointer.typed, holds=holds)
        if self._sending is not None and self._sending.is_slow(self.controller.now()):
            status = _("{move} is on its way to the server ...").format(move=clean(self._sending.move))
        self.query_one("#status", Static).update(status)
        self.query_one("#refused", Static).update(self._refused)
        self._paint_question(view)
        self.query_one(Moves).show(view.moves, view.ply if self._looking.at is None else self._looking.at)
        talk.show(view.chat, self._talked)
        self.query_one("#keys", Buttons).show(keys_of(self._reader(view)))

    def _paint_head(self, view: MatchView) -> None:
        head = self.query_one("#head", Static)
        banner = words.banner(self.controller, self._place.ended if self._place is not None else None)
        head.set_class(bool(banner), "away")
        head.update(banner or words.title(view, self._looking.at, self._talked - self._read))

    def _paint_waiting(self, *, is_waiting: bool) -> None:
        """Shows the invitation or the board; keys move what is shown."""
        if is_waiting != self.has_class("waiting"):
            self.set_class(is_waiting, "waiting")
            (self.query_one("#words") if is_waiting else self.board).focus()

    def _paint_board(self, view: MatchView) -> None:
        board = self.board
        board.steers = view.status != "finished" and self._reader(view).plays
        position, last = self._looking.shown(view)
        is_now = self._looking.at is None
        won = frozenset(view.result.cells) if view.result is not None and is_now else frozenset()
        playable = is_now and (view.my_turn or (self.together and view.status == "playing"))
        board.show(position, last=last, won=won, playable=playable)

    def _paint_question(self, view: MatchView) -> None:
        question = self._asked[0] if self._asked is not None else question_of(view, self.controller.now())
        if self.board.playable and self._asked is None:
            question = which_move(self.board.pointer, question)
        self.set_class(question.chooses, "choosing")
        self.query_one("#question", Static).update(question.text)
        self.query_one("#answers", Buttons).show(question.keys)

    def _tick(self) -> None:
        view = self.view
        if view is None or not self.stands:
            return
        now = self.controller.now()
        self.query_one(Seats).show(view, now)
        if self._sending is not None:
            self.paint()
        if self.controller.away:
            self._paint_head(view)
        if view.claimable_at is not None and self._asked is None:
            self._paint_question(view)
        clocks = view.clocks(now)
        if view.my_turn and view.seat is not None and clocks is not None:
            left = clocks[view.seat - 1]
            if self._alarm.rings(left, warn_under(view.clock and view.clock.of(view.seat))):
                self._refused = _("{seconds} s left!").format(seconds=math.ceil(left / 1000))
                if self.app.preferences.bell:
                    self.app.bell()
                self.paint()

    # -- what the reader does

    def on_board_pointed(self, _event: Board.Pointed) -> None:
        """The cursor has moved: removes the last refusal."""
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
        elif self._sending is not None:
            self._say(_("{move} is on its way: wait for the server's answer.").format(move=clean(self._sending.move)))
        else:
            self.app.do(self._play(view.game, event.move))

    async def _play(self, game: Game, move: str) -> None:
        self._sending = Sending(move, self.controller.now())
        try:
            await self.controller.play(move)
        except IllegalMove as illegal:
            self._say(move_refused(game, move, illegal.reason))
        except ClientError as error:
            self._say(words.refusal(error, move, game))
        finally:
            self._sending = None
        self.paint()

    def action_choose(self, key: str) -> None:
        """Plays one of the moves that are chosen by name."""
        self.board.choose(key)

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
        from client.tui.screens.help import HelpScreen

        watches = self.view is not None and not self._reader(self.view).plays
        self.app.push_screen(HelpScreen(self._game, watches=watches))

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

    # -- looking back

    def action_look(self, by: int) -> None:
        """Shows the position `by` moves later (earlier if it is negative)."""
        if self.view is not None:
            self._looking.step(self.view, by)
            self.paint()

    def action_autoplay(self) -> None:
        """Starts or stops the replay; it starts at the first move if the last position is shown."""
        if self.view is not None:
            self._looking.toggle(self.view)
            self.paint()

    def _play_on(self) -> None:
        if self.view is not None and self._looking.tick(self.view):
            self.paint()

    # -- leaving

    def action_back(self) -> None:
        """Cancels what is open: a question, a typed cell, an earlier position; else asks to leave."""
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


def _lines_of_keys(width: int) -> int:
    """Lines for the keys: enough for all that can be offered at once, so that the layout never changes."""
    return 1 if width >= _WIDE else 2
