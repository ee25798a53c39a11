"""One match on a line-based terminal: says what happens, draws the board, does what is typed."""

from __future__ import annotations

import asyncio
from collections import deque

from client import explanations
from client.connection import Client, Incoming
from client.errors import ConnectionLost, Refused, ServerGone
from client.people import keeping, settings
from client.people.controller import FAREWELL_S, HASTY_FAREWELL_S, OnlineController
from client.people.typed import Say, TypedMove, Word, parse
from games.base import IllegalMove
from locales import _
from protocol.messages import Finished, Moved, Rematched, Snapshot, Started, TookBack, Welcome, YourTurn
from terminal import phrases
from terminal.board import Style, draw_match
from terminal.lines import Terminal
from terminal.narrator import help_lines, seat_line, turn_line
from terminal.refusals import move_refused
from view.match import MatchView


class PlainMatch:
    """Plays or watches match `match` and its rematches until its person leaves.

    stay: go on after the last line of input until the match is over. watched: for a spectator, who does not wait for a
    rematch, the code, link or id that opened the match; None for a player.
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
        self._controller = OnlineController(client, match, watched=watched, returns=returns)
        self._stay = stay
        self._changed = asyncio.Event()
        self._drawing: asyncio.Handle | None = None
        self._greeted = ""
        self._farewell_s = FAREWELL_S
        self._typed: deque[str | None] = deque()
        self._typing: asyncio.Task[str | None] | None = None

    @property
    def view(self) -> MatchView | None:
        """The match as it stands, None before the first word of the server."""
        return self._controller.view

    async def run(self) -> None:
        """Runs until the person leaves, a watched match is over, or the server is gone; raises ClientError."""
        tasks: list[asyncio.Task[object]] = [asyncio.create_task(self._hear()), asyncio.create_task(self._obey())]
        try:
            done, _rest = await asyncio.wait([*tasks], return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                task.result()
        except ServerGone:
            if not self._controller.is_over:
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
            if line := await self._controller.farewell(self._farewell_s):
                self._terminal.show(line)

    # -- what the server says

    async def _hear(self) -> None:
        async for message in self._client.messages():
            self._tell(message)
            self._changed.set()
            if self._controller.is_watched and (self._controller.is_over or self._controller.gone):
                return

    def _tell(self, message: Incoming) -> None:
        is_ours, view = self._controller.is_about(message), self.view
        if line := self._controller.hear(message):
            self._terminal.show(line)
        if isinstance(message, Welcome) and not self._controller.ask_again():
            self._redraw()
        elif isinstance(message, Snapshot) and is_ours:
            self._greet()
        elif view is not None and is_ours:
            self._show_event(view, message)

    def _show_event(self, view: MatchView, message: Incoming) -> None:
        match message:
            case Started():
                self._greeted = self._controller.match
                self._terminal.show(*seat_line(view, self._style))
                self._redraw()
            case Moved() | TookBack() | YourTurn():
                self._redraw()
            case Finished():
                self._end(view)
            case Rematched() if not self._controller.is_watched:
                self._greet()
            case _:
                pass

    def _greet(self) -> None:
        """Shows a match as it is found: at first, after a gap, or a rematch."""
        view = self.view
        if view is None:
            return
        if view.status != "waiting" and self._greeted != self._controller.match:
            self._greeted = self._controller.match
            self._terminal.show(*seat_line(view, self._style))
        if view.status == "finished":
            self._end(view)
        else:
            self._redraw()

    def _end(self, view: MatchView) -> None:
        self._redraw()
        self._flush()
        if self._terminal.interactive and settings.read().keep and (record := keeping.own_game(view)) is not None:
            keeping.keep(record)
        if view.result is not None:
            self._terminal.show(*phrases.ended(view, view.result))
        if view.seat is not None and self._terminal.interactive:
            self._terminal.show(
                _("Type rematch to play again, quit to leave.") if all(view.players) else _("Type quit to leave.")
            )

    def _redraw(self) -> None:
        """Draws once, after all messages that arrived together are handled."""
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
            while not self._controller.is_over:
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
        """Does what was typed; True to leave, even while a server that is away has not answered yet."""
        if not self._terminal.interactive:
            return await self._do(line)
        doing = asyncio.create_task(self._do(line))
        try:
            while not doing.done() and None not in self._typed:
                typing = self._type()
                await asyncio.wait([doing, typing], return_when=asyncio.FIRST_COMPLETED)
                if typing.done():
                    self._typing = None
                    if self._controller.away and self._leaves(typing.result()):
                        return True
                    self._typed.append(typing.result())
            return await doing
        finally:
            doing.cancel()

    def _leaves(self, line: str | None) -> bool:
        return line is None or parse(line) is Word.QUIT

    async def _do(self, line: str) -> bool:
        """Does what was typed; True to leave."""
        command = TypedMove(line.strip()) if self._is_move(line) else parse(line)
        match command:
            case None:
                pass
            case Word.QUIT:
                return True
            case Word.HELP:
                self._terminal.show(*help_lines(self.view))
            case Word.BOARD:
                self._redraw()
            case Say(""):
                self._terminal.show(_("Type chat and then what you want to say."))
            case TypedMove(text):
                await self._move(text)
            case _:
                await self._controller.do(command)
        return False

    def _is_move(self, line: str) -> bool:
        """Whether a line is a legal move of the reader's, which may look like a command: "h", "q"."""
        view = self.view
        return view is not None and view.my_turn and line.strip().lower() in view.position.legal_moves()

    async def _move(self, text: str) -> None:
        if not self._terminal.interactive:
            while not self._controller.is_over and not (self.view and self.view.my_turn):
                await self._change()
        view = self.view
        if view is None or view.seat is None:
            self._terminal.show(_("You are watching: only the players move. Type ? for help."))
            return
        ply = view.ply
        try:
            await self._controller.play(text)
        except IllegalMove as illegal:
            self._terminal.show(move_refused(view.game, text, illegal.reason), _("Type ? for help."))
            return
        except Refused as refusal:
            self._terminal.show(explanations.refused(refusal, text, view.game))
            if view.my_turn and (line := turn_line(view)):
                self._terminal.show(line)
            return
        if not self._terminal.interactive:
            while view.ply == ply and not self._controller.is_over:
                await self._change()

    # -- both

    async def _change(self) -> None:
        self._changed.clear()
        await self._changed.wait()
