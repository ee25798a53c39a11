"""One match as its reader sees it: the server's events folded into a view. Pure.

Events are numbered, so a view knows when it missed some (`Applied.GAP`: ask with `sync`) and when it has one already.
The results and whose turn it is are the server's word; the board is replayed here, move by move, for drawing.

Errors: ReplayError    events that can't be replayed with our rules
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from enum import Enum
from typing import assert_never

from msgspec.structs import replace

import games
from games.base import Game, GameError, Position, Seat
from protocol.bounds import OfferKind, Status
from protocol.messages import (
    Clock,
    Declined,
    Finished,
    GaveTime,
    MatchEvent,
    Moved,
    Murmur,
    Network,
    Offered,
    Passed,
    Paused,
    Player,
    Presence,
    Rematched,
    Result,
    Resumed,
    Said,
    Seated,
    Snapshot,
    Started,
    TookBack,
    YourTurn,
)

CHAT_KEPT = 100
"""Chat lines that a view keeps."""


class ReplayError(Exception):
    """The server plays by rules that this program does not know."""


class Applied(Enum):
    """What became of a message: it was new, was known already, or shows that earlier ones are missing."""

    NEW = "new"
    DUPLICATE = "duplicate"
    GAP = "gap"


_NEW, _DUPLICATE, _GAP = Applied  # globals are found faster than members, and each message needs one
_FIRST = Seat.FIRST


@dataclass(frozen=True, slots=True)
class ChatLine:
    """What somebody said; `seat` is None for a spectator."""

    name: str
    text: str
    seat: Seat | None


@dataclass(slots=True)
class MatchView:
    """One match as its reader sees it; made from a snapshot, then kept up by `apply`.

    `seat` is the reader's own, None for a spectator. `before` is the position that the last move was played in.
    `clocks_ms` are what each seat had left at `clocks_at` (seconds, monotonic); `clocks(now)` runs them on.
    `withdrawn` tells that the offer that ended last was withdrawn by its maker.
    `claimable_at` says from when on an absent opponent's game may be claimed. `next` is the rematch. `network` is what
    the match does about the network, None if it says nothing of it. `delay_ms` is how much later than it happens the
    reader sees the match. `arranged` tells that somebody who does not play has opened it.
    """

    match: str
    game: Game
    position: Position
    seq: int = 0
    seat: Seat | None = None
    status: Status = "waiting"
    players: tuple[Player | None, Player | None] = (None, None)
    moves: tuple[str, ...] = ()
    before: Position | None = None
    clock: Clock | None = None
    clocks_ms: tuple[int, int] | None = None
    clocks_at: float = 0.0
    offers: dict[OfferKind, Seat] = field(default_factory=dict)
    withdrawn: bool = False
    claimable_at: float | None = None
    network: Network | None = None
    result: Result | None = None
    next: str | None = None
    code: str | None = None
    viewers: int = 0
    delay_ms: int = 0
    arranged: bool = False
    chat: deque[ChatLine] = field(default_factory=lambda: deque(maxlen=CHAT_KEPT))

    @classmethod
    def of(cls, snapshot: Snapshot, now: float) -> MatchView:
        """The view that `snapshot` describes; raises ReplayError."""
        try:
            game = games.parse(snapshot.game)
        except GameError as error:
            raise ReplayError(f"unknown game {snapshot.game!r}: {error}") from error
        view = cls(snapshot.match, game, game.start())
        view._check_length(snapshot)
        view._restore(snapshot, now)
        return view

    @property
    def ply(self) -> int:
        """How many moves were played."""
        return len(self.moves)

    @property
    def to_move(self) -> Seat:
        """Whose turn it is."""
        return self.position.to_move

    @property
    def my_turn(self) -> bool:
        """Whether the game runs and waits for the reader's move."""
        return self.status == "playing" and self.seat is not None and self.seat is self.position.to_move

    @property
    def last_cells(self) -> tuple[tuple[int, int], ...]:
        """The 0-based cells that the last move was about: the one that it filled, or from where and to where."""
        return () if self.before is None else self.game.move_cells(self.before, self.moves[-1])

    @property
    def waits_for_absent(self) -> bool:
        """Whether clocks stand while their players are cut off, and nothing is claimed meanwhile."""
        return self.network is not None and self.network.outage == "pause"

    def player(self, seat: Seat) -> Player | None:
        """Who sits on `seat`."""
        return self.players[seat - 1]

    def clocks(self, now: float) -> tuple[int, int] | None:
        """The milliseconds that each seat has left at `now`, None without a clock."""
        if self.clocks_ms is None or self.status != "playing":
            return self.clocks_ms
        mover = self.player(self.to_move)
        if self.waits_for_absent and mover is not None and not mover.present:
            return self.clocks_ms
        used = max(0, round((now - self.clocks_at) * 1000))
        first, second = self.clocks_ms
        return (max(0, first - used), second) if self.to_move is _FIRST else (first, max(0, second - used))

    def apply(self, message: Snapshot | YourTurn | Murmur | MatchEvent, now: float) -> Applied:
        """Folds `message`, which arrived at `now`; an event out of order changes nothing. Raises ReplayError."""
        match message:
            case YourTurn():
                self._set_clocks(message.clocks, now)
            case Snapshot():
                self._check_game(message)
                self._restore(message, now)
            case Murmur():
                self.chat.append(ChatLine(message.name, message.text, None))
            case _:
                return self.follow(message, now)
        return _NEW

    def follow(self, event: MatchEvent, now: float) -> Applied:
        """As `apply`, for an event."""
        if event.seq != self.seq + 1:
            return _DUPLICATE if event.seq <= self.seq else _GAP
        self._fold(event, now)
        self.seq = event.seq
        return _NEW

    def _fold(self, event: MatchEvent, now: float) -> None:  # noqa: C901, PLR0912 - a table
        match event:
            case Moved():  # the most frequent first: for a Struct that is not of the class, a case costs 0.1 us
                self._play(event)
                if event.clocks is not None:
                    self.clocks_ms, self.clocks_at = event.clocks, now
            case Finished():
                self.status, self.result, self.claimable_at = "finished", event.result, None
                self.offers.clear()
                self._set_clocks(event.clocks, now)
            case Seated():
                self._set_player(event.seat, event.player)
            case Started():
                self.status = "playing"
                self._set_clocks(event.clocks, now)
            case TookBack():
                self._replay(self.moves[: event.ply])
                self.offers.clear()
                self._set_clocks(event.clocks, now)
            case Offered():
                self.offers[event.what] = Seat(event.seat)
            case Declined():
                self.withdrawn = self.offers.pop(event.what, None) == event.seat
            case GaveTime():
                self._set_clocks(event.clocks, now)
            case Presence():
                self._set_presence(event, now)
            case Said():
                player = self.player(Seat(event.seat))
                self.chat.append(ChatLine(player.name if player else "", event.text, Seat(event.seat)))
            case Rematched():
                self.next = event.next
                self.offers.clear()
            case Paused():
                self.status, self.claimable_at = "paused", None
                self._set_clocks(event.clocks, now)
            case Resumed():
                self.status = "playing"
                self._set_clocks(event.clocks, now)
            case Passed():
                pass  # the position passes by itself
            case _:
                assert_never(event)

    def _restore(self, snapshot: Snapshot, now: float) -> None:
        self._replay(snapshot.moves)
        self.seq, self.status, self.players = snapshot.seq, snapshot.status, snapshot.players
        self.seat = Seat(snapshot.seat) if snapshot.seat else None
        self.clock, self.result, self.viewers = snapshot.clock, snapshot.result, snapshot.viewers
        self.code, self.network, self.delay_ms = snapshot.code or self.code, snapshot.network, snapshot.delay_ms
        self.arranged = snapshot.arranged
        self.offers = {what: Seat(seat) for what, seat in snapshot.offers.items()}
        if self.status != "playing" or all(player and player.present for player in self.players):
            self.claimable_at = None
        self._set_clocks(snapshot.clocks, now)

    def _check_game(self, snapshot: Snapshot) -> None:
        """Raises ReplayError if a snapshot is of another game, or too long."""
        try:
            same = games.parse(snapshot.game) == self.game
        except GameError:
            same = False
        if not same:
            raise ReplayError(f"match {self.match}: it was {self.game.spec} and is {snapshot.game}")
        self._check_length(snapshot)

    def _check_length(self, snapshot: Snapshot) -> None:
        """Raises ReplayError if a snapshot has more moves than a game can have."""
        if len(snapshot.moves) > self.game.longest:
            raise ReplayError(f"match {self.match}: {len(snapshot.moves)} moves on {self.game.spec}")

    def _play(self, event: Moved) -> None:
        before, moves, move = self.position, self.moves, event.move
        if event.ply != len(moves):
            raise ReplayError(f"match {self.match}: ply {event.ply} after {self.ply} moves")
        try:
            self.position = before.play(move)
        except GameError as error:
            raise ReplayError(f"match {self.match}: {error}") from error
        self.before, self.moves = before, (*moves, move)
        if self.offers:
            self.offers.pop("takeback", None)
            if self.offers.get("draw", event.seat) != event.seat:
                del self.offers["draw"]

    def _replay(self, moves: tuple[str, ...]) -> None:
        if moves == self.moves:
            return
        before, position = None, self.game.start()
        for move in moves:
            try:
                before, position = position, position.play(move)
            except GameError as error:
                raise ReplayError(f"match {self.match}: {error}") from error
        self.before, self.position, self.moves = before, position, moves

    def _set_clocks(self, clocks: tuple[int, int] | None, now: float) -> None:
        if clocks is not None:
            self.clocks_ms, self.clocks_at = clocks, now

    def _set_player(self, seat: int, player: Player | None) -> None:
        first, second = self.players
        self.players = (player, second) if seat == _FIRST else (first, player)

    def _set_presence(self, event: Presence, now: float) -> None:
        player = self.player(Seat(event.seat))
        if player is not None:
            self._set_player(event.seat, replace(player, present=event.present))
        self._set_clocks(event.clocks, now)
        if self.waits_for_absent and event.present and event.seat == self.to_move:
            self.clocks_at = now
        if event.seat != self.seat:
            self.claimable_at = None if event.claimable_ms is None else now + event.claimable_ms / 1000
