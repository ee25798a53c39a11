"""A match of two people at one screen: no server, no clock; its events are made here and folded like any other's."""

from __future__ import annotations

import math
import time
from collections.abc import Callable

from client.connection import Incoming
from client.people.controller import Request
from client.people.typed import Word
from games.base import Game, IllegalMove, Reason, Seat, position_after
from protocol.messages import Closing, Finished, MatchEvent, Moved, Passed, Player, Result, Snapshot, TookBack
from protocol.values import result_of, seat_number
from terminal.narrator import story
from view.match import MatchView

HERE = "here"
"""The id of a match that is on no server."""


class HotSeatController:
    """As `MatchController`, for `game` between two people with these names; first begins.

    tell: hears each event, once it is folded. A rematch is the same object with another view, seats swapped.
    """

    def __init__(self, game: Game, names: tuple[str, str]) -> None:
        self.match = HERE
        self.away, self.gone = False, False
        self.until = math.inf
        self.closing: Closing | None = None
        self.tell: Callable[[Incoming], None] = lambda _message: None
        self._game = game
        self._names = names
        self._view = self._begin()

    @property
    def view(self) -> MatchView:
        """The match as it stands, seen from no seat."""
        return self._view

    def now(self) -> float:
        """Monotonic seconds; no clock of the match runs by them."""
        return time.monotonic()

    def hear(self, message: Incoming) -> str:
        """The sentence that tells of a message."""
        return story(self._view, message, self.now())

    async def play(self, move: str) -> None:
        """Plays a move as it was typed, for whoever is to move; raises IllegalMove."""
        view = self._view
        seat, ply = view.to_move, view.ply
        if view.status == "finished":
            raise IllegalMove(move, Reason.GAME_OVER)
        written = view.game.parse_move(move)
        after = view.position.play(written)
        self._happen(Moved(self.match, view.seq + 1, ply, seat_number(seat), written, seat_number(after.to_move)))
        if after.passed is not None:
            self._happen(Passed(self.match, view.seq + 1, ply + 1, seat_number(after.passed)))
        if (outcome := after.outcome()) is not None:
            self._finish(result_of(outcome))

    async def do(self, request: Request) -> None:
        """Does what was typed, for both: they sit side by side."""
        view = self._view
        if request is Word.REMATCH and view.status == "finished":
            first, second = self._names
            self._names = (second, first)
            self._view = self._begin()
            self.tell(self._snapshot())
        elif view.status == "finished":
            return
        elif request is Word.UNDO and view.moves:
            ply = view.ply - 1
            mover = seat_number(self._mover(ply))
            self._happen(TookBack(self.match, view.seq + 1, ply, mover, mover))
        elif request is Word.DRAW:
            self._finish(Result(None, "agreement", view.position.score()))
        elif request is Word.RESIGN:
            self._finish(Result(seat_number(view.to_move.other), "resign", view.position.score()))

    def _mover(self, ply: int) -> Seat:
        position = position_after(self._game, self._view.moves[:ply])
        return position.to_move

    def _begin(self) -> MatchView:
        return MatchView.of(self._snapshot(), self.now())

    def _snapshot(self) -> Snapshot:
        first, second = (Player(name, "human") for name in self._names)
        start = self._game.start()
        return Snapshot(
            match=self.match,
            seq=0,
            game=self._game.spec,
            status="playing",
            players=(first, second),
            seat=None,
            moves=(),
            ply=0,
            to_move=seat_number(start.to_move),
            legal=start.legal_moves(),
        )

    def _finish(self, result: Result) -> None:
        self._happen(Finished(self.match, self._view.seq + 1, result))

    def _happen(self, event: MatchEvent) -> None:
        self._view.follow(event, self.now())
        self.tell(event)
