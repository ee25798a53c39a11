"""A match as somebody sits at it: what the server's messages mean for it, and what commands ask of the server."""

from __future__ import annotations

import asyncio
import math
from contextlib import suppress
from typing import Protocol

from client import explanations
from client.connection import Client, Incoming, Lost
from client.errors import ClientError, Refused
from client.people.seating import named
from client.people.typed import Say, Word
from locales import _
from protocol.bounds import MAX_CHAT, OfferKind
from protocol.errors import ErrorCode
from protocol.messages import (
    Abort,
    Answer,
    Chat,
    Claim,
    Closing,
    Error,
    GiveTime,
    MakeMove,
    Offer,
    Rematched,
    Resign,
    Sync,
    Watch,
    Welcome,
)
from terminal.narrator import story
from terminal.text import clean
from view.match import MatchView

FAREWELL_S = 2.0
HASTY_FAREWELL_S = 0.2
"""How long calling off a match that nobody joined may take: when its person leaves, and when a signal ends us."""

_OFFERS: dict[Word, OfferKind] = {Word.DRAW: "draw", Word.UNDO: "takeback", Word.REMATCH: "rematch"}

Request = Word | Say
"""A command that asks the controller for something; those about what is shown never get here."""


class MatchController(Protocol):
    """A match, wherever it is played.

    match: its id; a rematch has another. away: whether the connection is lost; until: when the client then gives up,
    by `now`. closing: what the server said when it ended, None while it is there. gone: whether the server does not
    know the match any more.
    """

    match: str
    away: bool
    until: float
    closing: Closing | None
    gone: bool

    @property
    def view(self) -> MatchView | None:
        """The match as it stands, None before the first word of the server."""
        ...

    def now(self) -> float:
        """The time by which the view's clocks run."""
        ...

    def hear(self, message: Incoming) -> str:
        """Notes what `message` means, after it is folded into the view; the sentence that tells of it, or ""."""
        ...

    async def play(self, move: str) -> None:
        """Plays a move as it was typed; raises IllegalMove, Refused, ConnectionLost."""
        ...

    async def do(self, request: Request) -> None:
        """Asks for what was typed; raises Refused, ConnectionLost."""
        ...


class OnlineController:
    """A match on a server. watched: for a spectator, the code, link or id that opened it; None for a player.

    returns: whether a seat that is left can be taken again; not if the server ends with this program.
    """

    def __init__(self, client: Client, match: str, *, watched: str | None = None, returns: bool = True) -> None:
        self.match = match
        self.away = False
        self.until = math.inf
        self.closing: Closing | None = None
        self.gone = False
        self._client = client
        self._watched, self.returns = watched, returns

    @property
    def view(self) -> MatchView | None:
        """The match as it stands, None before the first word of the server."""
        return self._client.session.matches.get(self.match)

    @property
    def is_watched(self) -> bool:
        """Whether the reader has no seat."""
        return self._watched is not None

    @property
    def is_over(self) -> bool:
        """Whether the match has ended."""
        return self.view is not None and self.view.status == "finished"

    def now(self) -> float:
        """The time by which the view's clocks run."""
        return self._client.now()

    def is_about(self, message: Incoming) -> bool:
        """Whether `message` is about this match."""
        return getattr(message, "match", None) == self.match

    def hear(self, message: Incoming) -> str:
        """Notes what `message` means, after it is folded into the view; the sentence that tells of it, or ""."""
        match message:
            case Lost():
                self.away, self.until = True, message.until
                return "" if self.closing is not None else _("The connection is lost. Trying to come back ...")
            case Welcome():
                self.away, self.closing = False, None
                return _("The connection is back.")
            case Closing():
                return self._close(message)
            case Error():
                self.gone = message.code == ErrorCode.NO_SUCH_MATCH.value
                # A kick is reported once, when the session ends.
                return "" if message.code == ErrorCode.KICKED.value else explanations.refused(Refused(message))
            case _:
                view = self.view
                if view is None or not self.is_about(message):
                    return ""
                line = story(view, message, self.now())
                if isinstance(message, Rematched) and not self.is_watched:
                    self.match = message.next
                return line

    def ask_again(self) -> bool:
        """After a reconnect, asks for what the server does not send by itself; False if nothing is missing.

        Of a running clock, the server tells only the player to move. Spectators ask for the match again, since a
        restarted server remembers only the players.
        """
        view = self.view
        if self._watched is not None:
            self._client.send(Watch, **named(self._watched))
        elif view is not None and view.clocks_ms is not None and view.status == "playing" and not view.my_turn:
            self._client.send(Sync, match=self.match)
        else:
            return False
        return True

    async def play(self, move: str) -> None:
        """Plays a move as it was typed; raises IllegalMove, Refused, ConnectionLost."""
        view = self.view
        assert view is not None
        assert view.seat is not None, "spectators don't play"
        await self._client.request(MakeMove, match=self.match, ply=view.ply, move=view.game.parse_move(move))

    async def do(self, request: Request) -> None:
        """Asks for what was typed; raises Refused, ConnectionLost."""
        client, match = self._client, self.match
        match request:
            case Word.YES | Word.NO:
                await self._answer(accept=request is Word.YES)
            case Word.RESIGN if self.view is not None and self.view.status == "waiting":
                await client.request(Abort, match=match)
            case Word.RESIGN:
                await client.request(Resign, match=match)
            case Word.CLAIM:
                await client.request(Claim, match=match)
            case Word.GIVE:
                await client.request(GiveTime, match=match)
            case Word.DRAW | Word.UNDO | Word.REMATCH:
                await client.request(Offer, match=match, what=_OFFERS[request])
            case Say(text):
                await client.request(Chat, match=match, text=clean(text)[:MAX_CHAT] or "-")
            case _:
                raise AssertionError(request)

    async def farewell(self, within_s: float = FAREWELL_S) -> str:
        """Calls off a match that nobody joined; what to say of a seat that is kept, or ""."""
        view = self.view
        if view is None or view.seat is None:
            return ""
        if view.status == "waiting" and not self.away:
            with suppress(ClientError, TimeoutError):
                async with asyncio.timeout(within_s):
                    await self._client.request(Abort, match=self.match)
        elif view.status == "playing" and self.returns:
            return _("Your seat is kept for a while: come back the same way, and you are in this game again.")
        return ""

    def _close(self, closing: Closing) -> str:
        """The server says once that it ends, and whether for good."""
        if self.closing is not None:
            return ""
        self.closing = closing
        if closing.retry_after_ms:
            return _("The host has stopped the server. Waiting for it to come back (quit leaves) ...")
        return _("The server is closing.")

    async def _answer(self, *, accept: bool) -> None:
        """Answers the opponent's offer, else withdraws one's own."""
        view = self.view
        standing = sorted(view.offers.items(), key=lambda offer: offer[1] is view.seat) if view else []
        if not standing:
            raise Refused(Error(ErrorCode.NOTHING_OFFERED.value, "no offer stands"))
        await self._client.request(Answer, match=self.match, what=standing[0][0], accept=accept)
