"""The state of one match, and the fold: an event and the state before it give the state after it. Pure.

`apply` lets one event happen, whether it is new (see `server.match.match`) or was recorded; `server.match.transitions`
says to which status it leads. Some facts are in no event, so callers report them: when the player to move was asked and
how long their messages take (`hold`, `begin`, `allow`), and that the server was away (`interrupt`).
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Iterable
from typing import Final, assert_never

from msgspec.structs import replace

from games import Position, Seat
from protocol.bounds import Clocks, OfferKind
from protocol.messages import (
    Declined,
    Finished,
    GaveTime,
    MatchEvent,
    Moved,
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
    Started,
    TookBack,
)
from protocol.records import begin
from server.match.absences import Absences
from server.match.clock import MatchClock
from server.match.history import History
from server.match.outage import Outage
from server.match.terms import SEATS, MatchContext, MatchRules, Status
from server.match.transitions import EVENTS

_NotMoved = (
    Seated
    | Started
    | Passed
    | Paused
    | Resumed
    | TookBack
    | Offered
    | Declined
    | GaveTime
    | Presence
    | Said
    | Finished
    | Rematched
)

_NO_DEALINGS: Final = (0, 0)

_WAITING: Final = Status.WAITING
_PLAYING: Final = Status.PLAYING
_PAUSED: Final = Status.PAUSED
_FINISHED: Final = Status.FINISHED
"""An enum's members are looked up slowly, and these with every move."""


class MatchState:
    """The state of one match; read its attributes freely, change it only through `apply`.

    to_move: whose turn it is in `position`, or would be. before: the position before the last move, if there is one.
    moves: those that were played and not taken back; for each, movers: its seat, and used_by_move: what that seat had
    used in all after it. used_ms: what each seat has used so far. offers: those that stand, and who made them.
    outage: who is cut off while the clock stands. history: the events.
    """

    __slots__ = (
        "_absences",
        "_after",
        "_asked",
        "_gifts",
        "_held",
        "_offers_made",
        "_opened",
        "_stalled",
        "_stalls",
        "_suspended",
        "_waited",
        "before",
        "clock",
        "game",
        "history",
        "id",
        "movers",
        "moves",
        "network",
        "offers",
        "opening",
        "outage",
        "players",
        "position",
        "result",
        "rules",
        "status",
        "time_control",
        "timeouts",
        "to_move",
        "used_by_move",
        "used_ms",
    )

    def __init__(
        self,
        match: str,
        rules: MatchRules,
        context: MatchContext,
        now: float,
    ) -> None:
        """A match that waits for its players; the opening is what the game allows, and does not end it."""
        game, time_control, opening, network = rules
        self.id = match
        self.rules = rules
        self.game = game
        self.time_control = time_control
        self.opening = opening
        self.network = network
        self.outage = Outage(network)
        self.timeouts = context.timeouts
        self.clock = None if time_control is None else MatchClock(time_control)
        self.status = Status.WAITING
        self._after = EVENTS[Status.WAITING]
        self.players: dict[Seat, Player] = {}
        self.position: Position = game.start()
        self.before: Position | None = None
        self.to_move = self.position.to_move
        self.moves: list[str] = []
        self.movers: list[Seat] = []
        self.offers: dict[OfferKind, Seat] = {}
        self.result: Result | None = None
        self.history = History(context.journal, begin(match, game.spec, time_control))
        self.used_ms = [0, 0]
        self.used_by_move = array("q")  # what the mover had used in all, after each move; 8 bytes, since there are many
        self._stalls = context.stalls
        self._stalled = 0.0  # how long the server had stalled in all when this turn began
        self._waited = 0.0  # how long this turn's clock was on hold
        self._asked = False  # whether this turn's player was asked: asking again does not hold the clock
        self._held = False  # whether the server was away, and no time runs before the player to move is back
        self._suspended = False  # whether it is paused since the server stopped
        self._offers_made = _NO_DEALINGS  # by each seat since the last move
        self._gifts = [0, 0]  # of time, by each seat
        self._absences = Absences(context.timeouts, network)
        self._opened = now

    # ----------------------------------------------------------------------------------------------------- questions

    @property
    def ply(self) -> int:
        """How many moves were played."""
        return len(self.moves)

    def move_times(self) -> tuple[int, ...]:
        """What each move's player was charged for it, in milliseconds; nothing without a clock.

        What was used before a pause, or on moves that were taken back, belongs to the next move of that player.
        """
        if self.clock is None:
            return ()
        before, times = [0, 0], list[int]()
        for seat, used in zip(self.movers, self.used_by_move, strict=True):
            times.append(used - before[seat - 1])
            before[seat - 1] = used
        return tuple(times)

    def clocks(self, now: float) -> Clocks | None:
        """What each seat has left at `now`, in milliseconds; None without a clock."""
        return None if self.clock is None else self.clock.left(now)

    def deadline(self) -> float:
        """When `tick` has something to do, if nothing else happens before; infinite if never."""
        if self.status is _FINISHED or self.status is _PAUSED:
            return math.inf
        if self.status is _WAITING:
            return self._absences.waits_until(self._opened)
        flag = math.inf if self.clock is None else self.clock.flag_time()
        if self.outage.pauses:
            return min(flag, self.outage.deadline())
        return min(flag, self._absences.deadline()) if self._absences else flag

    def would_stand(self, seat: Seat, since: float) -> bool:
        """Whether a cut at `since` would stop the clock: `seat` is to move and has time left, and outages pause."""
        if not self.outage.pauses or self.status is not _PLAYING or self.to_move is not seat:
            return False
        return self.clock is None or since < self.clock.flag_time()

    # ----------------------------------------------------------------------------------------- what is not recorded

    def hold(self) -> None:
        """The player to move is about to be asked: their time runs from `begin` on. Asking again changes nothing."""
        if not self._asked and self.clock is not None:
            self.clock.hold()
        self._asked = True

    def begin(self, ply: int, now: float, lag_ms: int = 0) -> bool:
        """The player to move was asked for `ply`, and their clock runs; False if it was not on hold for that ply.

        lag_ms: the part of their round trip that may be given back, 0 if none or not known.
        """
        clock = self.clock
        if clock is None or not clock.held or ply != len(self.moves):
            return False
        self._waited += clock.begin(now)
        if lag_ms:
            clock.allow(lag_ms)
        return True

    def allow(self, seat: Seat, lag_ms: int) -> None:
        """The messages of `seat` take `lag_ms` both ways, if that was not known when it was asked."""
        if self.clock is not None and self.to_move is seat:
            self.clock.allow(lag_ms)

    def interrupt(self) -> None:
        """The server was away, and everybody with it: no time runs before the player to move is back."""
        if self.clock is not None and self.status is not _FINISHED:
            self.clock.show(self.clock.recorded())
            self._held = True

    # ------------------------------------------------------------------------------------------------------ the fold

    def restore(self, events: Iterable[MatchEvent], now: float) -> None:
        """Folds recorded events into a new match; a clock that was running goes on from `now`."""
        for event in events:
            self.apply(event, now)

    def apply(self, event: MatchEvent, now: float, position: Position | None = None) -> None:
        """Lets an event happen: nothing else changes the match. Raises ValueError if it can't happen in this state.

        position: the one after a move, if it is known, since the move was just checked.
        """
        after = self._after.get(type(event))
        if after is None:
            raise ValueError(f"{type(event).__name__} can't happen in a match that is {self.status.value}")
        self.history.append(event)
        if after is not self.status:
            self.status = after
            self._after = EVENTS[after]
        if isinstance(event, Moved):  # most are
            self._advance(event, self.position.play(event.move) if position is None else position, now)
        else:
            self._change(event, now)

    def _change(self, event: _NotMoved, now: float) -> None:  # noqa: C901 - a table
        match event:  # what every match has comes first: a case that does not fit costs 0.1 us
            case Seated():
                self.players[Seat(event.seat)] = event.player
            case Started():
                self._run_clock(now)
            case Finished():
                self.outage.end(now)
                self.used_ms[self.to_move - 1] += event.used_ms
                self._show_clock(event.clocks)
                self.result = event.result
                self._offers_made = _NO_DEALINGS
                self.offers.clear()
            case Passed() | Said():
                pass
            case Presence():
                self._note_presence(Seat(event.seat), event, now)
            case Offered():
                first, second = self._offers_made
                self._offers_made = (first + (event.seat == 1), second + (event.seat == 2))
                self.offers[event.what] = Seat(event.seat)
            case Declined():
                self.offers.pop(event.what, None)
            case GaveTime():
                self._gifts[event.seat - 1] += 1
                if self.clock is not None:
                    self.clock.give(Seat(event.seat).other, event.added_ms)
            case TookBack():
                self._show_clock(event.clocks)
                self._rewind(event.ply, now)
            case Paused():
                self._suspended = event.stopping
                self.used_ms[self.to_move - 1] += event.used_ms
                self._stalled, self._waited = self._stalls.total, 0.0
                self.outage.end(now)
                self._show_clock(event.clocks)
            case Resumed():
                self._suspended = False
                self._go_on(now)
            case Rematched():
                self.offers.pop("rematch", None)
            case _:
                assert_never(event)

    def _advance(self, event: Moved, position: Position, now: float) -> None:
        seat = SEATS[event.seat - 1]
        clock, clocks = self.clock, event.clocks
        if clock is not None and clocks is not None:
            clock.press(seat, clocks, event.lag_ms)
            self.used_ms[seat - 1] += event.used_ms
        self.moves.append(event.move)
        self.movers.append(seat)
        self.used_by_move.append(self.used_ms[seat - 1])
        self.before, self.position = self.position, position
        self.to_move = position.to_move
        self._offers_made = _NO_DEALINGS
        if self.offers:
            self.offers.pop("takeback", None)
            if self.offers.get("draw") is seat.other:
                del self.offers["draw"]
        self._run_clock(now)

    def _rewind(self, ply: int, now: float) -> None:
        del self.moves[ply:], self.movers[ply:], self.used_by_move[ply:]
        position, self.before = self.game.start(), None
        for move in self.moves:
            self.before, position = position, position.play(move)
        self.position = position
        self.to_move = position.to_move
        self.offers.clear()
        self._run_clock(now)

    def _note_presence(self, seat: Seat, event: Presence, now: float) -> None:
        player = self.players[seat]
        self.players[seat] = replace(player, present=event.present)
        self._absences.note(seat, event, now)
        if event.waits_ms is not None:
            self._note_standing(seat, event, now)
        elif self._held and self.status is _PLAYING and (event.present or seat in self._absences.told):
            self._run_clock(now)

    def _note_standing(self, seat: Seat, event: Presence, now: float) -> None:
        """Stops the clock of a player to move who is cut off, or lets it run again."""
        assert event.waits_ms is not None
        self.outage.restore(seat, event.waits_ms)
        self.used_ms[seat - 1] += event.used_ms
        if self.status is _PLAYING and seat is self.to_move:
            self._show_clock(event.clocks)
            if self.clock is not None:
                self.clock.spend(seat, event.lag_ms)
            self._run_clock(now)

    def _go_on(self, now: float) -> None:
        """Time runs again, and so do the absences, from their beginning."""
        self._absences.begin_anew(now)
        self._run_clock(now)

    def _show_clock(self, clocks: Clocks | None) -> None:
        if self.clock is not None and clocks is not None:
            self.clock.show(clocks)

    def _run_clock(self, now: float) -> None:
        to_move = self.to_move
        self._stalled, self._waited = self._stalls.total, 0.0
        if self.outage.pauses and not self.players[to_move].present:
            self.outage.begin(to_move, now)
            self._asked = False
            return
        if self.outage.seat is not None:
            self.outage.end(now)
        if self._held and not self.players[to_move].present and to_move not in self._absences.told:
            return
        self._held = False
        self._asked = not self.players[to_move].present  # if absent, no hold in this turn, even once they are back
        if self.clock is not None:
            self.clock.start(to_move, now)
