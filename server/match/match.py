"""What is decided in one match: a request, or passing time, and what follows from it as events. Pure.

Three modules make a match. `server.match.transitions` says what may be asked in which state. A method here checks what
depends on more than that, and decides on events. `server.match.fold` is the state: applying events changes it, and
nothing else does. Each method takes the time as `now` and returns what happened. A match folded from its record is the
same as the one that was played.

What is refused raises ProtocolError and changes nothing. The caller lets `tick(now)` settle what is due (a fallen flag,
an absence) before each request; the same `now` then orders a move and the flag in one way only.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Final, assert_never

from games import IllegalMove, Seat
from protocol.bounds import Clocks, DeclineReason, OfferKind, ResultReason
from protocol.errors import ErrorCode, ProtocolError
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
from protocol.values import result_of
from server.match.clock import is_out_of_time
from server.match.fold import MatchState
from server.match.terms import GIVEN_MS, MAX_GIFTS, MAX_OFFERS, SEATS, Status, seat_number, whole_ms
from server.match.transitions import REQUESTS, Request, refusal

Events = Sequence[MatchEvent]

_PLAYING: Final = Status.PLAYING
"""An enum's members are looked up slowly, and this one with every move."""

_UNTIMED: Final = (None, 0, 0)

_OFFERS: Final[Mapping[OfferKind, Request]] = {
    "draw": "offer a draw",
    "takeback": "offer a takeback",
    "rematch": "offer a rematch",
}


class Match(MatchState):
    """The decisions of one match; read its attributes freely, change it only through its methods."""

    __slots__ = ()

    def sit(self, seat: Seat, player: Player, now: float) -> Events:
        """A player takes a free seat; the game starts when both are filled."""
        self._may("sit")
        if seat in self.players:
            raise refusal(ErrorCode.SEAT_TAKEN)
        events: list[MatchEvent] = [self._happened(Seated(self.id, self._next, seat_number(seat), player), now)]
        if len(self.players) == len(SEATS):
            to_move, clocks = seat_number(self.to_move), None if self.clock is None else self.clock.recorded()
            events.append(self._happened(Started(self.id, self._next, to_move, clocks), now))
            for move in self.opening:
                events += self._open(move, clocks, now)
        return events

    def move(self, seat: Seat, ply: int, move: str, now: float) -> Events:
        """`seat` plays `move` as ply number `ply`; the events are empty when that was already done."""
        # Most moves are right: one line asks what the table and `_check_turn` say.
        if ply != len(self.moves) or self.status is not _PLAYING or self.to_move is not seat:
            if self._is_played(seat, ply, move):
                return ()
            self._check_turn(seat, ply)
        try:
            position = self.position.play(move)
        except IllegalMove as refused:
            raise ProtocolError(
                ErrorCode.ILLEGAL_MOVE,
                str(refused),
                data={"why": refused.reason, "legal": list(self.position.legal_moves())},
            ) from refused
        clocks, charged, lag = _UNTIMED if self.clock is None else self.clock.if_pressed(now)
        moved = Moved(
            self.id, self.history.seq + 1, ply, seat_number(seat), move, seat_number(position.to_move), clocks,
            charged, lag, self._stalled_ms(),
        )  # fmt: skip
        self.apply(moved, now, position)
        events: list[MatchEvent] = [moved]
        # After a pass the same seat moves again; to compare seats first is faster.
        if self.to_move is seat and position.passed is not None:
            events.append(self._pass(position.passed, now))
        outcome = position.outcome()
        if outcome is not None:
            events.append(self._finish(result_of(outcome), now))
        return events

    def resign(self, seat: Seat, now: float, reason: ResultReason = "resign") -> Events:
        """`seat` gives the game up; `reason` is the result's.

        `timeout` is believed only of the player to move, and on a clock only with next to nothing left; else it is a
        crash.
        """
        self._may("resign")
        clocks, _charged, lag = self._if_stopped(now)
        if reason == "timeout" and (
            seat is not self.to_move
            or (clocks is not None and not is_out_of_time(clocks[seat - 1], lag + self._stalled_ms()))
        ):
            reason = "crash"
        return (self._end(reason, seat.other, now),)

    def offer(self, seat: Seat, what: OfferKind, now: float) -> Events:
        """`seat` offers `what`; offering what the opponent already offers accepts it."""
        self._check_offer(seat, what)
        standing = self.offers.get(what)
        if standing is seat:
            return ()
        if standing is seat.other:
            return self.answer(seat, what, accept=True, now=now)
        self._check_dealings(seat)
        return (self._happened(Offered(self.id, self._next, what, seat_number(seat)), now),)

    def answer(self, seat: Seat, what: OfferKind, *, accept: bool, now: float) -> Events:
        """`seat` accepts or declines the opponent's offer, or withdraws its own. The caller makes the rematch."""
        standing = self.offers.get(what)
        if standing is None or (accept and standing is seat):
            raise ProtocolError(ErrorCode.NOTHING_OFFERED, f"no {what} is offered to you")
        self._may("answer")
        if not accept:
            return (self._happened(Declined(self.id, self._next, what, seat_number(seat)), now),)
        match what:
            case "draw":
                return (self._end("agreement", None, now),)
            case "takeback":
                return (self._take_back(standing, now),)
            case "rematch":
                return ()
            case _:
                assert_never(what)

    def rematched(self, following: str, now: float) -> Events:
        """Records that the rematch is match `following`."""
        return (self._happened(Rematched(self.id, self._next, following), now),)

    def abort(self, now: float, declined: DeclineReason | None = None, refused_by: Seat | None = None) -> Events:
        """Ends the match without a result, before its second move.

        refused_by: the seat whose invited player would not play; declined: why, if they say so.
        """
        self._may("abort")
        if self.ply - len(self.opening) > 1:
            raise ProtocolError(ErrorCode.TOO_LATE, "two moves were played: resign, or offer a draw")
        seat = None if refused_by is None else seat_number(refused_by)
        result = Result(None, "aborted", self.position.score(), declined=declined, refused_by=seat)
        return (self._finish(result, now),)

    def pause(self, now: float) -> Events:
        """Stops a running match and its clock; nothing happens if it is paused already."""
        return (self._pause(now, stopping=False),) if self._may("pause") else ()

    def resume(self, now: float) -> Events:
        """Lets a paused match go on; nothing happens if it is not paused."""
        return (self._go(now),) if self._may("resume") else ()

    def adjudicate(self, winner: Seat | None, now: float) -> Events:
        """An organiser ends a match that has begun: `winner` wins, or None for a draw."""
        self._may("adjudicate")
        return (self._end("adjudicated", winner, now),)

    def suspend(self, now: float) -> Events:
        """The server stops: a running clock is charged up to here. `reopen` lets the match go on."""
        return (self._pause(now, stopping=True),) if self._may("suspend") else ()

    def terminate(self, now: float) -> Events:
        """Ends a match without a result, at any time."""
        self._may("terminate")
        return (self._end("aborted", None, now),)

    def claim(self, seat: Seat, now: float) -> Events:
        """`seat` claims the win since its opponent has been away for too long."""
        self._may("claim")
        since = self._absences.since.get(seat.other)
        if since is None:
            raise ProtocolError(ErrorCode.NOT_ALLOWED, "your opponent is here")
        left_s = max(1, self.outage.left_ms(seat.other, now)) / 1000  # then it ends by itself
        wait = left_s if self.outage.pauses else since + self._absences.patience_s - now
        if wait > 0:
            raise ProtocolError(ErrorCode.TOO_EARLY, "your opponent may still come back", retry_after_ms=whole_ms(wait))
        return (self._end("abandoned", seat, now),)

    def give_time(self, seat: Seat, now: float) -> Events:
        """`seat` gives its opponent time; a clock that runs anew for each move has none to add to."""
        self._may("give time")
        if self.clock is None or self.time_control is None or self.time_control.move_ms:
            raise ProtocolError(ErrorCode.NOT_ALLOWED, "no time can be given here: there is no clock for the game")
        if self._gifts[seat - 1] >= MAX_GIFTS:
            raise ProtocolError(ErrorCode.NOT_ALLOWED, f"you have given time {MAX_GIFTS} times: that is all")
        clocks = self.clock.if_given(seat.other, GIVEN_MS, now)
        return (self._happened(GaveTime(self.id, self._next, seat_number(seat), GIVEN_MS, clocks), now),)

    def say(self, seat: Seat, text: str, now: float) -> Events:
        """A player says something to all who see the match."""
        self._may("say")
        return (self._happened(Said(self.id, self._next, seat_number(seat), text), now),)

    def presence(self, seat: Seat, *, present: bool, now: float, since: float | None = None) -> Events:
        """`seat` lost its connection or came back; nothing happens if that was known, or if the match is over.

        since: the time of the absent player's last sign of life, if before `now`.
        """
        if not self._may("presence") or self.players[seat].present == present:
            return ()
        if self.outage.pauses and self.status is not Status.WAITING:
            event = self._cut_off_or_back(seat, now, now if since is None else since, present=present)
            return (self._happened(event, now),)
        wait = None if present or self.status is not Status.PLAYING else whole_ms(self._absences.patience_s)
        return (self._happened(Presence(self.id, self._next, seat_number(seat), present, wait), now),)

    def _cut_off_or_back(self, seat: Seat, now: float, since: float, *, present: bool) -> Presence:
        """The event for a player who is cut off or back, where outages pause; a player to move pays up to `since`."""
        left_ms, place = self.outage.left_ms(seat, now), seat_number(seat)
        if present or self.clock is None or self.status is not _PLAYING or self.to_move is not seat:
            return Presence(self.id, self._next, place, present, waits_ms=left_ms)
        stood = max(since, self.clock.since)
        clocks, charged, lag = self.clock.if_stopped(stood)
        left_ms -= max(0, math.floor((now - stood) * 1000))
        return Presence(
            self.id, self._next, place, present, clocks=clocks, used_ms=charged, lag_ms=lag,
            stall_ms=self._stalled_ms(), waits_ms=max(0, left_ms),
        )  # fmt: skip

    def tick(self, now: float) -> Events:
        """What time alone brings about by `now`: a fallen flag, an absence that may be claimed, an abandoned match."""
        if now < self.deadline():
            return ()
        if self.status is Status.WAITING:
            return (self._end("aborted", None, now),)
        if self.outage.seat is not None and not self._absences.is_everybody():
            away = Result(None, "aborted", self.position.score(), away=seat_number(self.to_move))
            return (self._finish(away, now),)
        absence = self._absences.deadline()
        if self.clock is not None and self.clock.flag_time() <= min(now, absence):
            return (self._end("timeout", self.to_move.other, now),)
        if self._absences.is_everybody():
            return (self._end("abandoned", None, now),)
        gone = self._absences.claimable(now)
        return [self._happened(self._away(seat, claimable_ms=0), now) for seat in gone]

    def _away(self, seat: Seat, *, claimable_ms: int | None) -> Presence:
        return Presence(self.id, self._next, seat_number(seat), present=False, claimable_ms=claimable_ms)

    def reopen(self, now: float) -> Events:
        """After a restart everybody is away: the clock waits for the player to move, for as long as they may be absent.

        An absence that could be claimed before the restart begins anew: nobody could come back meanwhile.
        """
        self.interrupt()
        wait = whole_ms(self._absences.patience_s) if self.status is Status.PLAYING or self._suspended else None
        events: list[MatchEvent] = []
        for seat, player in tuple(self.players.items()):
            if self.outage.pauses and self.status is not Status.WAITING:
                events += self.presence(seat, present=False, now=now)
            elif player.present or seat in self._absences.told:
                events.append(self._happened(self._away(seat, claimable_ms=wait), now))
        if self._suspended:
            events.append(self._go(now))
        return events

    # -------------------------------------------------------------------------------------------------------- guards

    def _may(self, request: Request) -> bool:
        """Whether there is anything to do for `request` in this state; raises ProtocolError where it is refused."""
        verdict = REQUESTS[self.status][request]
        if isinstance(verdict, bool):
            return verdict
        raise refusal(verdict, stopping=self._suspended)

    def _check_turn(self, seat: Seat, ply: int) -> None:
        if ply != self.ply and self.status is not Status.WAITING:
            raise ProtocolError(ErrorCode.STALE_PLY, f"ply {ply} is not the next one: it is {self.ply}")
        self._may("move")
        if self.to_move is not seat:
            raise ProtocolError(ErrorCode.NOT_YOUR_TURN, "it is your opponent's turn")

    def _check_offer(self, seat: Seat, what: OfferKind) -> None:
        self._may(_OFFERS[what])
        if what == "takeback" and seat not in self.movers[len(self.opening) :]:
            raise ProtocolError(ErrorCode.NOT_ALLOWED, "you have no move to take back")

    def _check_dealings(self, seat: Seat) -> None:
        if self._offers_made[seat - 1] >= MAX_OFFERS:
            raise ProtocolError(ErrorCode.RATE_LIMITED, "enough was offered: wait for the next move")

    def _is_played(self, seat: Seat, ply: int, move: str) -> bool:
        return ply < len(self.moves) and self.moves[ply] == move and self.movers[ply] is seat

    # ----------------------------------------------------------------------------------------------------- decisions

    def _happened(self, event: MatchEvent, now: float) -> MatchEvent:
        self.apply(event, now)
        return event

    @property
    def _next(self) -> int:
        return self.history.seq + 1

    def _open(self, move: str, clocks: Clocks | None, now: float) -> Events:
        """A move of the opening: nobody's decision, and it takes no time."""
        seat, position = seat_number(self.to_move), self.position.play(move)
        played = Moved(self.id, self._next, self.ply, seat, move, seat_number(position.to_move), clocks, opening=True)
        events: list[MatchEvent] = [self._happened(played, now)]
        if position.passed is not None:
            events.append(self._pass(position.passed, now))
        return events

    def _pass(self, seat: Seat, now: float) -> MatchEvent:
        """`seat` has no move: the position has passed for it, and the players are told."""
        return self._happened(Passed(self.id, self._next, self.ply, seat_number(seat)), now)

    def _take_back(self, asker: Seat, now: float) -> MatchEvent:
        """Undoes the last move of `asker` and what came after it. Time that was used for a game stays used."""
        ply = max(ply for ply, mover in enumerate(self.movers) if mover is asker)
        clocks = None if self.clock is None else self.clock.if_taken_back(now)
        return self._happened(TookBack(self.id, self._next, ply, seat_number(asker), seat_number(asker), clocks), now)

    def _end(self, reason: ResultReason, winner: Seat | None, now: float) -> MatchEvent:
        result = Result(None if winner is None else seat_number(winner), reason, self.position.score())
        return self._finish(result, now)

    def _finish(self, result: Result, now: float) -> MatchEvent:
        clocks, charged, lag = self._if_stopped(now)
        return self._happened(Finished(self.id, self._next, result, clocks, charged, lag, self._stalled_ms()), now)

    def _pause(self, now: float, *, stopping: bool) -> MatchEvent:
        clocks, charged, lag = self._if_stopped(now)
        return self._happened(Paused(self.id, self._next, clocks, charged, lag, self._stalled_ms(), stopping), now)

    def _go(self, now: float) -> MatchEvent:
        clocks = None if self.clock is None else self.clock.recorded()
        return self._happened(Resumed(self.id, self._next, seat_number(self.to_move), clocks), now)

    def _if_stopped(self, now: float) -> tuple[Clocks | None, int, int]:
        """What each seat has left, what the running side has used since its clock was started, and what was lag."""
        return _UNTIMED if self.clock is None else self.clock.if_stopped(now)

    def _stalled_ms(self) -> int:
        """How much time since the clock's start was not charged: the server had stalled, or had not asked yet."""
        stalled = self._stalls.total - self._stalled + self._waited
        return int(stalled * 1000 + 0.5) if stalled else 0  # `round` is Python's, and takes ten times as long
