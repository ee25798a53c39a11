"""One match on a line-based terminal: says what happens, draws the board, does what is typed."""

from __future__ import annotations

import asyncio
from collections import deque
from contextlib import suppress

from client import explanations
from client.commands import Say, TypedMove, Word, parse
from client.connection import Client, Incoming, Lost
from client.errors import ClientError, ConnectionLost, Refused, ServerGone
from client.seating import named
from games.base import IllegalMove
from locales import _
from protocol.bounds import OfferKind
from protocol.errors import ErrorCode
from protocol.messages import (
    Abort,
    Answer,
    Chat,
    Claim,
    Closing,
    Error,
    Finished,
    MakeMove,
    Moved,
    Offer,
    Rematched,
    Resign,
    Snapshot,
    Started,
    Sync,
    TookBack,
    Watch,
    Welcome,
    YourTurn,
)
from terminal import phrases
from terminal.board import Style, clean, draw_match
from terminal.lines import Terminal
from terminal.narrator import help_lines, seat_line, story, turn_line
from view.match import MatchView

FAREWELL_S = 2.0
HASTY_FAREWELL_S = 0.2
"""How long calling off a match that nobody joined may take: when its person leaves, and when a signal ends us."""

MAX_CHAT = 300

_OFFERS: dict[Word, OfferKind] = {Word.DRAW: "draw", Word.UNDO: "takeback", Word.REMATCH: "rematch"}


class PlainMatch:
    """Plays or watches match `match` and its rematches until its person leaves.

    stay: go on after the last line of input until the match is over. watched: the code, link or id that opened the
    match to who only watches, and does not wait for a rematch; None for a player.
    returns: whether a seat that is left can be taken again; not if the server ends with this program.
    """

    def __init__(
        self,
        client: Client,
        terminal: Terminal,
        style: Style,
        match: str,
        *,
        stay: bool,
        watched: str | None = None,
        returns: bool = True,
    ) -> None:
        self._client, self._terminal, self._style = client, terminal, style
        self._match = match
        self._stay, self._watched, self._returns = stay, watched, returns
        self._changed = asyncio.Event()
        self._drawing: asyncio.Handle | None = None
        self._greeted = ""
        self._closing: Closing | None = None
        self._away = False
        self._lost = False
        self._farewell_s = FAREWELL_S
        self._typed: deque[str | None] = deque()
        self._typing: asyncio.Task[str | None] | None = None

    @property
    def view(self) -> MatchView | None:
        """The match as it stands, None before the first word of the server."""
        return self._client.session.matches.get(self._match)

    async def run(self) -> None:
        """Until the person leaves, or a watched match is over, or the server gone; raises ClientError."""
        tasks: list[asyncio.Task[object]] = [asyncio.create_task(self._hear()), asyncio.create_task(self._obey())]
        try:
            done, _rest = await asyncio.wait([*tasks], return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                task.result()
        except ServerGone:
            if not self._is_over():
                raise
        except asyncio.CancelledError:
            self._farewell_s = HASTY_FAREWELL_S
            raise
        finally:
            if self._typing is not None:
                tasks.append(self._typing)
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            self._flush()
            await self._say_farewell()

    # -- what the server says

    async def _hear(self) -> None:
        async for message in self._client.messages():
            self._tell(message)
            self._changed.set()
            if self._watched is not None and (self._is_over() or self._lost):
                return

    def _tell(self, message: Incoming) -> None:
        match message:
            case Lost():
                self._away = True
                if self._closing is None:
                    self._terminal.show(_("The connection is lost. Trying to come back ..."))
            case Welcome():
                self._away, self._closing = False, None
                self._terminal.show(_("The connection is back."))
                self._look_again()
            case Closing():
                self._closes(message)
            case Error():
                self._lost = message.code == ErrorCode.NO_SUCH_MATCH.value
                if message.code != ErrorCode.KICKED.value:  # it ends the session, and is told as its end
                    self._terminal.show(explanations.refused(Refused(message)))
            case Snapshot() if message.match == self._match:
                self._greet()
            case _:
                view = self.view
                if view is not None and getattr(message, "match", None) == self._match:
                    self._tell_event(view, message)

    def _look_again(self) -> None:
        """Draws what was missed; where a clock runs, it is asked for: only who is to move is told it unasked.

        Spectators ask for the match anew: a server that was started again knows the players only.
        """
        view = self.view
        if self._watched is not None:
            self._client.send(Watch, **named(self._watched))
        elif view is not None and view.clocks_ms is not None and view.status == "playing" and not view.my_turn:
            self._client.send(Sync, match=self._match)
        else:
            self._redraw()

    def _closes(self, closing: Closing) -> None:
        """The server says once that it ends, and whether for good."""
        if self._closing is None:
            self._closing = closing
            self._terminal.show(
                _("The host has stopped the server. Waiting for it to come back (quit leaves) ...")
                if closing.retry_after_ms
                else _("The server is closing.")
            )

    def _tell_event(self, view: MatchView, message: Incoming) -> None:
        line = story(view, message, self._client.now())
        if line:
            self._terminal.show(line)
        match message:
            case Started():
                self._greeted = self._match
                self._terminal.show(*seat_line(view, self._style))
                self._redraw()
            case Moved() | TookBack() | YourTurn():
                self._redraw()
            case Finished():
                self._end(view)
            case Rematched() if self._watched is None:
                self._match = message.next
                self._greet()
            case _:
                pass

    def _greet(self) -> None:
        """Shows a match as it is found: at first, after a gap, or a rematch."""
        view = self.view
        if view is None:
            return
        if view.status != "waiting" and self._greeted != self._match:
            self._greeted = self._match
            self._terminal.show(*seat_line(view, self._style))
        if view.status == "finished":
            self._end(view)
        else:
            self._redraw()

    def _end(self, view: MatchView) -> None:
        self._redraw()
        self._flush()
        if view.result is not None:
            self._terminal.show(*phrases.ended(view, view.result))
        if view.seat is not None and self._terminal.interactive:
            self._terminal.show(
                _("Type rematch to play again, quit to leave.") if all(view.players) else _("Type quit to leave.")
            )

    def _redraw(self) -> None:
        """Draws once when all that arrived together is told."""
        if self._drawing is None:
            self._drawing = asyncio.get_running_loop().call_soon(self._draw)

    def _flush(self) -> None:
        if self._drawing is not None:
            self._drawing.cancel()
            self._draw()

    def _draw(self) -> None:
        self._drawing = None
        view = self.view
        if view is None or view.status == "waiting":
            return
        self._terminal.show("", *draw_match(view, self._client.now(), self._style), "")
        if view.status == "playing" and (line := turn_line(view)):
            self._terminal.show(line)

    # -- what the person types

    async def _obey(self) -> None:
        while (line := await self._line()) is not None:
            try:
                if await self._do_or_leave(line):
                    return
            except Refused as refusal:
                self._terminal.show(explanations.refused(refusal))
            except ConnectionLost:
                self._terminal.show(_("The connection broke before the answer came: see whether it was done."))
        if self._stay:
            while not self._is_over():
                await self._change()

    async def _line(self) -> str | None:
        """The next line, first of those that were typed while an earlier one was being done."""
        if self._typed:
            return self._typed.popleft()
        line, self._typing = await self._type(), None
        return line

    def _type(self) -> asyncio.Task[str | None]:
        if self._typing is None:
            self._typing = asyncio.create_task(self._terminal.line())
        return self._typing

    async def _do_or_leave(self, line: str) -> bool:
        """Does what was typed; True to leave, also while a server that is away is yet to answer."""
        if not self._terminal.interactive:
            return await self._do(line)
        doing = asyncio.create_task(self._do(line))
        try:
            while not doing.done() and None not in self._typed:
                typing = self._type()
                await asyncio.wait([doing, typing], return_when=asyncio.FIRST_COMPLETED)
                if typing.done():
                    self._typing = None
                    if self._away and self._leaves(typing.result()):
                        return True
                    self._typed.append(typing.result())
            return await doing
        finally:
            doing.cancel()

    def _leaves(self, line: str | None) -> bool:
        return line is None or parse(line) is Word.QUIT

    async def _do(self, line: str) -> bool:
        """Does what was typed; True to leave."""
        command = parse(line)
        match command:
            case None:
                pass
            case Word.QUIT:
                return True
            case Word.HELP:
                self._terminal.show(*help_lines(self.view))
            case Word.BOARD:
                self._redraw()
            case Word.YES | Word.NO:
                await self._answer(accept=command is Word.YES)
            case Word.RESIGN:
                await self._resign()
            case Word.CLAIM:
                await self._client.request(Claim, match=self._match)
            case Word.DRAW | Word.UNDO | Word.REMATCH:
                await self._client.request(Offer, match=self._match, what=_OFFERS[command])
            case Say(""):
                self._terminal.show(_("Type chat and then what you want to say."))
            case Say(text):
                await self._client.request(Chat, match=self._match, text=clean(text)[:MAX_CHAT] or "-")
            case TypedMove(text):
                await self._move(text)
        return False

    async def _move(self, text: str) -> None:
        if not self._terminal.interactive:
            while not self._is_over() and not (self.view and self.view.my_turn):
                await self._change()
        view = self.view
        if view is None or view.seat is None:
            self._terminal.show(_("You are watching: only the players move. Type ? for help."))
            return
        ply, move = view.ply, text
        try:
            move = view.game.parse_move(text)
            await self._client.request(MakeMove, match=self._match, ply=ply, move=move)
        except IllegalMove as illegal:
            self._terminal.show(phrases.move_refused(text, illegal.reason), _("Type ? for help."))
            return
        except Refused as refusal:
            self._terminal.show(explanations.refused(refusal, move))
            if view.my_turn and (line := turn_line(view)):
                self._terminal.show(line)
            return
        if not self._terminal.interactive:
            while view.ply == ply and not self._is_over():
                await self._change()

    async def _answer(self, *, accept: bool) -> None:
        view = self.view
        standing = sorted(view.offers.items(), key=lambda offer: offer[1] is view.seat) if view else []
        if standing:
            await self._client.request(Answer, match=self._match, what=standing[0][0], accept=accept)
        else:
            self._terminal.show(_("There is no offer to answer."))

    async def _resign(self) -> None:
        if self.view is not None and self.view.status == "waiting":
            await self._client.request(Abort, match=self._match)
        else:
            await self._client.request(Resign, match=self._match)

    # -- both

    def _is_over(self) -> bool:
        return self.view is not None and self.view.status == "finished"

    async def _change(self) -> None:
        self._changed.clear()
        await self._changed.wait()

    async def _say_farewell(self) -> None:
        """Calls off a match that nobody joined; a seat in a running one is kept, and that is said."""
        view = self.view
        if view is None or view.seat is None:
            return
        if view.status == "waiting" and not self._away:
            with suppress(ClientError, TimeoutError):
                async with asyncio.timeout(self._farewell_s):
                    await self._client.request(Abort, match=self._match)
        elif view.status == "playing" and self._returns:
            self._terminal.show(_("Your seat is kept for a while: the same command brings you back to this game."))
