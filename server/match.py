"""One match, and every transition of it. Pure: each method takes the time as `now` and returns what happened.

    WAITING --both seats filled--> PLAYING --rules, flag, resignation, agreement, claim, abort--> FINISHED
                                   PLAYING <--an organiser--> PAUSED --an organiser--> FINISHED

A match is the fold of its events: a method checks its guards, decides on events and applies them; `restore` applies
recorded ones. What is refused raises ProtocolError and changes nothing. The caller lets `tick(now)` settle what is due
(a fallen flag, an absence) before each request; the same `now` then orders a move and the flag in one way only.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import assert_never

from games import Game, IllegalMove, Position, Seat
from protocol.bounds import Clocks, DeclineReason, OfferKind, Opening, ResultReason
from protocol.errors import ErrorCode, ProtocolError
from protocol.messages import (
    Clock,
    Declined,
    Finished,
    MatchEvent,
    Moved,
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
    Started,
    TookBack,
)
from server.absences import Absences
from server.clock import OUT_OF_TIME_MS, MatchClock, Used
from server.history import History
from server.records import begin
from server.standing import Standing
from server.terms import MAX_DEALINGS, SEATS, Rules, Status, Surroundings, number, result_of, whole_ms

Events = Sequence[MatchEvent]

_UNTIMED = Used(0, 0)
_NO_DEALINGS = (0, 0)

_WAITING, _PLAYING, _PAUSED, _FINISHED = Status
"""An enum's members are looked up slowly, and these with every move."""


class Match:
    """The state of one match; read its attributes freely, change it only through its methods."""

    __slots__ = (
        "_absences",
        "_asked",
        "_dealings",
        "_held",
        "_opened",
        "_stalled",
        "_stalls",
        "_suspended",
        "_waited",
        "clock",
        "game",
        "history",
        "id",
        "movers",
        "moves",
        "network",
        "offers",
        "opening",
        "players",
        "position",
        "result",
        "rule",
        "standing",
        "status",
        "timeouts",
        "used_ms",
    )

    def __init__(
        self,
        match: str,
        game: Game,
        rule: Clock | None,
        around: Surroundings,
        now: float,
        opening: Opening = (),
        network: Network | None = None,
    ) -> None:
        """A match that waits for its players; `opening` is what `game` allows, and does not end it."""
        self.id = match
        self.opening = opening
        self.game = game
        self.rule = rule
        self.network = network
        self.standing = Standing(network)
        self.timeouts = around.timeouts
        self.clock = None if rule is None else MatchClock(rule)
        self.status = Status.WAITING
        self.players: dict[Seat, Player] = {}
        self.position: Position = game.start()
        self.moves: list[str] = []
        self.movers: list[Seat] = []
        self.offers: dict[OfferKind, Seat] = {}
        self.result: Result | None = None
        self.history = History(around.journal, begin(match, game.spec, rule))
        self.used_ms = [0, 0]
        self._stalls = around.stalls
        self._stalled = 0.0
        self._waited = 0.0
        self._asked = False
        self._held = False
        self._suspended = False
        self._dealings = _NO_DEALINGS
        self._absences = Absences(around.timeouts, network)
        self._opened = now

    # ----------------------------------------------------------------------------------------------------- questions

    @property
    def rules(self) -> Rules:
        """What it is played by."""
        return Rules(self.game, self.rule, self.opening, self.network)

    @property
    def ply(self) -> int:
        """How many moves were played."""
        return len(self.moves)

    @property
    def to_move(self) -> Seat:
        """Whose turn it is."""
        return self.position.to_move

    def clocks(self, now: float) -> Clocks | None:
        """What each seat has left at `now`, in milliseconds; None without a clock."""
        return None if self.clock is None else self.clock.left(now)

    def deadline(self) -> float:
        """When `tick` has something to do, if nothing else happens before; infinite if never."""
        if self.status is _FINISHED or self.status is _PAUSED:
            return math.inf
        if self.status is _WAITING:
            return self._absences.forsaken_at(self._opened)
        flag = math.inf if self.clock is None else self.clock.flag_time()
        if self.standing.pauses:
            return min(flag, self.standing.deadline())
        return min(flag, self._absences.deadline()) if self._absences else flag

    def would_stand(self, seat: Seat, since: float) -> bool:
        """Whether `seat`, cut off since then, is to move with time left, in a match whose clock stands meanwhile."""
        if not self.standing.pauses or self.status is not _PLAYING or self.position.to_move is not seat:
            return False
        return self.clock is None or since < self.clock.flag_time()

    # ------------------------------------------------------------------------------------------------- whose time it is

    def hold(self) -> None:
        """The player to move is about to be asked: their time runs from `begin` on. Asking again changes nothing."""
        if not self._asked and self.clock is not None:
            self.clock.hold()
        self._asked = True

    def begin(self, ply: int, now: float, lag_ms: int = 0) -> bool:
        """The player to move was asked for `ply`; their messages take `lag_ms` both ways. False if that was known."""
        clock = self.clock
        if clock is None or not clock.held or ply != len(self.moves):
            return False
        self._waited += clock.begin(now)
        if lag_ms:
            clock.allow(lag_ms)
        return True

    def allow(self, seat: Seat, lag_ms: int) -> None:
        """The messages of `seat` take `lag_ms` both ways, if that was not known when it was asked."""
        if self.clock is not None and self.position.to_move is seat:
            self.clock.allow(lag_ms)

    # ------------------------------------------------------------------------------------------------------ requests

    def sit(self, seat: Seat, player: Player, now: float) -> Events:
        """A player takes a free seat; the game starts when both are filled."""
        if self.status is not Status.WAITING or seat in self.players:
            raise ProtocolError(ErrorCode.SEAT_TAKEN, "this seat is taken")
        events: list[MatchEvent] = [self._happened(Seated(self.id, self._next, number(seat), player), now)]
        if len(self.players) == len(SEATS):
            to_move, clocks = number(self.to_move), None if self.clock is None else self.clock.recorded()
            events.append(self._happened(Started(self.id, self._next, to_move, clocks), now))
            for move in self.opening:
                events += self._open(move, clocks, now)
        return events

    def move(self, seat: Seat, ply: int, move: str, now: float) -> Events:
        """`seat` plays `move` as ply number `ply`; the events are empty when that was already done."""
        if ply != len(self.moves) or self.status is not _PLAYING or self.position.to_move is not seat:
            if self._is_played(seat, ply, move):
                return ()
            self._check_turn(seat, ply)
        try:
            position = self.position.play(move)
        except IllegalMove as refused:
            raise ProtocolError(
                ErrorCode.ILLEGAL_MOVE,
                str(refused),
                data={"why": refused.reason.value, "legal": list(self.position.legal_moves())},
            ) from refused
        clocks, used = None, _UNTIMED
        if self.clock is not None:
            used = self.clock.press(now)
            clocks = self.clock.recorded()
            self.used_ms[seat - 1] += used.charged
        event = Moved(
            self.id, self.history.seq + 1, ply, number(seat), move, number(position.to_move), clocks,
            used.charged, used.lag, self._stalled_ms(),
        )  # fmt: skip
        self.history.append(event)
        self._advance(seat, move, position, now)
        events: list[MatchEvent] = [event]
        if position.passed is not None:
            events.append(self._happened(Passed(self.id, self._next, self.ply, number(position.passed)), now))
        outcome = position.outcome()
        if outcome is not None:
            events.append(self._finish(result_of(outcome), now))
        return events

    def resign(self, seat: Seat, now: float, reason: ResultReason = "resign") -> Events:
        """`seat` gives the game up; `reason` is the result's.

        Out of time is only who is to move, and has next to nothing left where there is a clock: any other has crashed.
        """
        self._check_playing()
        clocks = self.clocks(now)
        if reason == "timeout" and (
            seat is not self.to_move or (clocks is not None and clocks[seat - 1] > OUT_OF_TIME_MS)
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
        return (self._happened(Offered(self.id, self._next, what, number(seat)), now),)

    def answer(self, seat: Seat, what: OfferKind, *, accept: bool, now: float) -> Events:
        """`seat` accepts or declines the opponent's offer, or withdraws its own. A rematch is the caller's to make."""
        standing = self.offers.get(what)
        if standing is None or (accept and standing is seat):
            raise ProtocolError(ErrorCode.NOTHING_OFFERED, f"no {what} is offered to you")
        self._check_not_paused()
        if not accept:
            return (self._happened(Declined(self.id, self._next, what, number(seat)), now),)
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
        """The rematch exists: it is match `following`."""
        return (self._happened(Rematched(self.id, self._next, following), now),)

    def abort(self, now: float, declined: DeclineReason | None = None) -> Events:
        """Ends the match without a result, before its second move; `declined` is why an invited player would not."""
        if self.status in (Status.PLAYING, Status.PAUSED) and self.ply - len(self.opening) > 1:
            raise ProtocolError(ErrorCode.TOO_LATE, "two moves were played: resign, or offer a draw")
        if self.status is Status.FINISHED:
            raise ProtocolError(ErrorCode.GAME_OVER, "the match is over")
        return (self._finish(Result(None, "aborted", self.position.score(), declined=declined), now),)

    def pause(self, now: float) -> Events:
        """Stops a running match and its clock; nothing happens if it is paused already."""
        if self.status is Status.PAUSED:
            return ()
        self._check_playing()
        return (self._pause(now, stopping=False),)

    def resume(self, now: float) -> Events:
        """Lets a paused match go on; nothing happens if it is not paused."""
        if self.status is not Status.PAUSED:
            self._check_playing()
            return ()
        clocks = None if self.clock is None else self.clock.recorded()
        return (self._happened(Resumed(self.id, self._next, number(self.to_move), clocks), now),)

    def adjudicate(self, winner: Seat | None, now: float) -> Events:
        """Ends a match that has begun as somebody above it decides."""
        if self.status is not Status.PAUSED:
            self._check_playing()
        return (self._end("adjudicated", winner, now),)

    def suspend(self, now: float) -> Events:
        """The server stops: a running clock is charged up to here. `reopen` lets the match go on."""
        if self.status is not Status.PLAYING:
            return ()
        return (self._pause(now, stopping=True),)

    def terminate(self, now: float) -> Events:
        """Ends a match without a result, at any time."""
        if self.status is Status.FINISHED:
            raise ProtocolError(ErrorCode.GAME_OVER, "the match is over")
        return (self._end("aborted", None, now),)

    def claim(self, seat: Seat, now: float) -> Events:
        """`seat` claims the win since its opponent has been away for too long."""
        self._check_playing()
        since = self._absences.since.get(seat.other)
        if since is None:
            raise ProtocolError(ErrorCode.NOT_ALLOWED, "your opponent is here")
        left_s = max(1, self.standing.left_ms(seat.other, now)) / 1000  # then it ends by itself
        wait = left_s if self.standing.pauses else since + self._absences.patience_s - now
        if wait > 0:
            raise ProtocolError(ErrorCode.TOO_EARLY, "your opponent may still come back", retry_after_ms=whole_ms(wait))
        return (self._end("abandoned", seat, now),)

    def say(self, seat: Seat, text: str, now: float) -> Events:
        """A player says something to all who see the match."""
        return (self._happened(Said(self.id, self._next, number(seat), text), now),)

    def presence(self, seat: Seat, *, present: bool, now: float, since: float | None = None) -> Events:
        """`seat` lost its connection or came back; nothing happens if that was known, or if the match is over.

        since: when there was the last sign of life of who is away, if before `now`.
        """
        if self.status is Status.FINISHED or self.players[seat].present == present:
            return ()
        if self.standing.pauses and self.status is not Status.WAITING:
            return (self._happened(self._cut_off_or_back(seat, present, now, now if since is None else since), now),)
        wait = None if present or self.status is not Status.PLAYING else whole_ms(self._absences.patience_s)
        return (self._happened(Presence(self.id, self._next, number(seat), present, wait), now),)

    def _cut_off_or_back(self, seat: Seat, present: bool, now: float, since: float) -> Presence:
        """What is to be known of a player where clocks stand: that of who is to move is charged up to `since`."""
        left_ms, place = self.standing.left_ms(seat, now), number(seat)
        if present or self.clock is None or self.status is not _PLAYING or self.position.to_move is not seat:
            return Presence(self.id, self._next, place, present, waits_ms=left_ms)
        used = self.clock.stand(since)
        left_ms -= max(0, math.floor((now - max(since, self.clock.since)) * 1000))
        return Presence(
            self.id, self._next, place, present, None, self.clock.recorded(), used.charged, used.lag,
            self._stalled_ms(), max(0, left_ms),
        )  # fmt: skip

    def tick(self, now: float) -> Events:
        """What time alone brings about by `now`: a fallen flag, an absence that may be claimed, an abandoned match."""
        if now < self.deadline():
            return ()
        if self.status is Status.WAITING:
            return (self._end("aborted", None, now),)
        if self.standing.seat is not None and not self._absences.is_everybody():
            away = Result(None, "aborted", self.position.score(), away=number(self.to_move))
            return (self._finish(away, now),)
        absence = self._absences.deadline()
        if self.clock is not None and self.clock.flag_time() <= min(now, absence):
            return (self._end("timeout", self.to_move.other, now),)
        if self._absences.is_everybody():
            return (self._end("abandoned", None, now),)
        gone = self._absences.claimable(now)
        return [self._happened(Presence(self.id, self._next, number(seat), False, 0), now) for seat in gone]

    def restore(self, events: Iterable[MatchEvent], now: float) -> None:
        """Folds recorded events into a new match; a clock that was running goes on from `now`."""
        for event in events:
            self._happened(event, now)

    def reopen(self, now: float) -> Events:
        """After a restart everybody is away: the clock waits for the player to move, for as long as he may be absent.

        An absence that could be claimed before the restart begins anew: nobody could come back meanwhile.
        """
        if self.clock is not None and self.status is not Status.FINISHED:
            self.clock.restore(self.clock.recorded())
            self._held = True
        wait = whole_ms(self._absences.patience_s) if self.status is Status.PLAYING or self._suspended else None
        events: list[MatchEvent] = []
        for seat, player in tuple(self.players.items()):
            if self.standing.pauses and self.status is not Status.WAITING:
                events += self.presence(seat, present=False, now=now)
            elif player.present or seat in self._absences.told:
                events.append(self._happened(Presence(self.id, self._next, number(seat), False, wait), now))
        if self._suspended:
            clocks = None if self.clock is None else self.clock.recorded()
            events.append(self._happened(Resumed(self.id, self._next, number(self.to_move), clocks), now))
        return events

    # -------------------------------------------------------------------------------------------------------- guards

    def _check_playing(self) -> None:
        if self.status is Status.WAITING:
            raise ProtocolError(ErrorCode.NOT_STARTED, "the match waits for its second player")
        if self.status is Status.FINISHED:
            raise ProtocolError(ErrorCode.GAME_OVER, "the match is over")
        self._check_not_paused()

    def _check_not_paused(self) -> None:
        if self.status is Status.PAUSED:
            text = "an organiser has paused the match"
            if self._suspended:
                text = "the server stops: the match goes on later"
            raise ProtocolError(ErrorCode.PAUSED, text)

    def _check_dealings(self, seat: Seat) -> None:
        if self._dealings[seat - 1] >= MAX_DEALINGS:
            raise ProtocolError(ErrorCode.RATE_LIMITED, "enough was offered: wait for the next move")

    def _check_turn(self, seat: Seat, ply: int) -> None:
        if ply != self.ply and self.status is not Status.WAITING:
            raise ProtocolError(ErrorCode.STALE_PLY, f"ply {ply} is not the next one: it is {self.ply}")
        self._check_playing()
        if self.to_move is not seat:
            raise ProtocolError(ErrorCode.NOT_YOUR_TURN, "it is your opponent's turn")

    def _check_offer(self, seat: Seat, what: OfferKind) -> None:
        if what != "rematch":
            self._check_playing()
        elif self.status is not Status.FINISHED:
            raise ProtocolError(ErrorCode.NOT_OVER, "a rematch is offered when the match is over")
        if what == "takeback" and seat not in self.movers[len(self.opening) :]:
            raise ProtocolError(ErrorCode.NOT_ALLOWED, "you have no move to take back")

    def _is_played(self, seat: Seat, ply: int, move: str) -> bool:
        return ply < len(self.moves) and self.moves[ply] == move and self.movers[ply] is seat

    # ----------------------------------------------------------------------------------------------------- decisions

    @property
    def _next(self) -> int:
        return self.history.seq + 1

    def _open(self, move: str, clocks: Clocks | None, now: float) -> Events:
        """A move of the opening: nobody's decision, and it takes no time."""
        seat, position = number(self.to_move), self.position.play(move)
        played = Moved(self.id, self._next, self.ply, seat, move, number(position.to_move), clocks, opening=True)
        events: list[MatchEvent] = [self._happened(played, now)]
        if position.passed is not None:
            events.append(self._happened(Passed(self.id, self._next, self.ply, number(position.passed)), now))
        return events

    def _take_back(self, asker: Seat, now: float) -> MatchEvent:
        """Undoes the last move of `asker` and what came after it. Time that was used for a game stays used."""
        ply = max(ply for ply, mover in enumerate(self.movers) if mover is asker)
        if self.clock is not None:
            self.clock.take_back(now)
        clocks = None if self.clock is None else self.clock.recorded()
        return self._happened(TookBack(self.id, self._next, ply, number(asker), number(asker), clocks), now)

    def _end(self, reason: ResultReason, winner: Seat | None, now: float) -> MatchEvent:
        result = Result(None if winner is None else number(winner), reason, self.position.score())
        return self._finish(result, now)

    def _finish(self, result: Result, now: float) -> MatchEvent:
        clocks, used = self._stop_clock(now)
        finished = Finished(self.id, self._next, result, clocks, used.charged, used.lag, self._stalled_ms())
        return self._happened(finished, now)

    def _pause(self, now: float, *, stopping: bool) -> MatchEvent:
        (clocks, used), stalled = self._stop_clock(now), self._stalled_ms()
        return self._happened(Paused(self.id, self._next, clocks, used.charged, used.lag, stalled, stopping), now)

    def _stop_clock(self, now: float) -> tuple[Clocks | None, Used]:
        """What each seat has left, and what the running side has used since its clock was started."""
        if self.clock is None:
            return None, _UNTIMED
        used = self.clock.stop(now)
        return self.clock.recorded(), used

    def _stalled_ms(self) -> int:
        """For how long nobody's time ran since the clock was started: the server was at a stand, or had yet to ask."""
        stalled = self._stalls.total - self._stalled + self._waited
        return round(stalled * 1000) if stalled else 0

    # ------------------------------------------------------------------------------------------------------ the fold

    def _happened(self, event: MatchEvent, now: float) -> MatchEvent:  # noqa: C901 - a table
        """Appends and applies one event."""
        self.history.append(event)
        match event:
            case Moved():
                self._restore_clock(event.clocks)
                self.used_ms[event.seat - 1] += event.used_ms
                self._advance(Seat(event.seat), event.move, self.position.play(event.move), now)
            case Seated():
                self.players[Seat(event.seat)] = event.player
            case Started():
                self.status = Status.PLAYING
                self._run_clock(now)
            case Finished():
                self.standing.end(now)
                self._restore_clock(event.clocks)
                self.status, self.result = Status.FINISHED, event.result
                self._dealings = _NO_DEALINGS
                self.offers.clear()
            case Passed() | Said():
                pass
            case Paused():
                self.status = Status.PAUSED
                self._suspended = event.stopping
                self._stalled, self._waited = self._stalls.total, 0.0
                self.standing.end(now)
                self._restore_clock(event.clocks)
            case Resumed():
                self.status = Status.PLAYING
                self._suspended = False
                self._go_on(now)
            case TookBack():
                self._restore_clock(event.clocks)
                self._rewind(event.ply, now)
            case Offered():
                first, second = self._dealings
                self._dealings = (first + (event.seat == 1), second + (event.seat == 2))
                self.offers[event.what] = Seat(event.seat)
            case Declined():
                self.offers.pop(event.what, None)
            case Presence():
                self._note_presence(Seat(event.seat), event, now)
            case Rematched():
                self.offers.pop("rematch", None)
            case _:
                assert_never(event)
        return event

    def _advance(self, seat: Seat, move: str, position: Position, now: float) -> None:
        self.moves.append(move)
        self.movers.append(seat)
        self.position = position
        self._dealings = _NO_DEALINGS
        if self.offers:
            self.offers.pop("takeback", None)
            if self.offers.get("draw") is seat.other:
                del self.offers["draw"]
        self._run_clock(now)

    def _rewind(self, ply: int, now: float) -> None:
        del self.moves[ply:], self.movers[ply:]
        position = self.game.start()
        for move in self.moves:
            position = position.play(move)
        self.position = position
        self.offers.clear()
        self._run_clock(now)

    def _note_presence(self, seat: Seat, event: Presence, now: float) -> None:
        player = self.players[seat]
        self.players[seat] = Player(player.name, player.kind, event.present)
        self._absences.note(seat, event, now)
        if event.waits_ms is not None:
            self._note_standing(seat, event, now)
        elif self._held and self.status is Status.PLAYING and (event.present or seat in self._absences.told):
            self._run_clock(now)

    def _note_standing(self, seat: Seat, event: Presence, now: float) -> None:
        """The clock of who is to move stands from now on, or runs again."""
        assert event.waits_ms is not None
        self.standing.restore(seat, event.waits_ms)
        self.used_ms[seat - 1] += event.used_ms
        if self.status is _PLAYING and seat is self.position.to_move:
            self._restore_clock(event.clocks)
            self._run_clock(now)

    def _go_on(self, now: float) -> None:
        """Time runs again, and so do the absences, from their beginning."""
        self._absences.begin_anew(now)
        self._run_clock(now)

    def _restore_clock(self, clocks: Clocks | None) -> None:
        if self.clock is not None and clocks is not None:
            self.clock.restore(clocks)

    def _run_clock(self, now: float) -> None:
        to_move = self.position.to_move
        self._stalled, self._waited = self._stalls.total, 0.0
        if self.standing.pauses and not self.players[to_move].present:
            self.standing.begin(to_move, now)
            self._asked = False
            return
        if self.standing.seat is not None:
            self.standing.end(now)
        if self._held and not self.players[to_move].present and to_move not in self._absences.told:
            return
        self._held = False
        self._asked = not self.players[to_move].present  # whoever is away is not waited for, nor when they come back
        if self.clock is not None:
            self.clock.start(to_move, now)
