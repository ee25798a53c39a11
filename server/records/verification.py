"""Is a record what the rules and the referee could have made of its moves? Pure.

The record is played again: every event in its place, every move legal and by the seat whose turn it was, every pass
forced, no clock below zero or out of nothing, the result that the rules give, and the chain over all of it.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum
from typing import Final, NamedTuple, assert_never

from games import Game, IllegalMove, Position, RulesError, Seat
from games import parse as parse_game
from protocol.bounds import Clocks, SeatNumber
from protocol.messages import (
    Clock,
    Declined,
    Finished,
    GaveTime,
    MatchEvent,
    Moved,
    Offered,
    Passed,
    Paused,
    Presence,
    Rematched,
    Result,
    Resumed,
    Said,
    Seated,
    Started,
    TookBack,
)
from protocol.records import GameRecord, chain
from protocol.values import RULED, result_of
from server.match.clock import is_out_of_time, start_of
from server.match.terms import GIVEN_MS, MAX_GIFTS, Status, seat_number
from server.match.transitions import EVENTS

_ONE_WINS: Final = ("resign", "timeout", "illegal", "crash")
_NOBODY_WINS: Final = ("agreement", "aborted")


class Flaw(Enum):
    """What is wrong with a record; the values are stable, programs may go by them."""

    GAME = "unknown_game"
    OTHER_MATCH = "event_of_another_match"
    SEQ = "wrong_seq"
    PLACE = "event_out_of_place"
    SEAT = "wrong_seat"
    PLY = "wrong_ply"
    MOVE = "illegal_move"
    PASS = "wrong_pass"  # noqa: S105 - the move in which nothing is played
    TURN = "wrong_turn"
    CLOCK = "wrong_clock"
    RESULT = "wrong_result"
    END = "not_finished"
    CHAIN = "wrong_chain"
    SEAL = "wrong_seal"
    UNREADABLE = "unreadable"
    SUMMARY = "wrong_summary"


class Problem(NamedTuple):
    """One flaw: at which event (its `seq`; 0 for the whole record), what stands there, what should."""

    flaw: Flaw
    seq: int = 0
    found: str = ""
    wanted: str = ""


def verify(record: GameRecord) -> list[Problem]:
    """All that is wrong with `record`, in the order of its events; an empty list is a good record."""
    try:
        game = parse_game(record.game)
    except RulesError:
        return [Problem(Flaw.GAME, found=record.game), *_check_chain(record)]
    return [*_check_order(record), *_Replay(game, record.clock).run(record.events), *_check_chain(record)]


def _check_order(record: GameRecord) -> Iterator[Problem]:
    for wanted, event in enumerate(record.events, 1):
        if event.seq != wanted:
            yield Problem(Flaw.SEQ, wanted, str(event.seq), str(wanted))
        if event.match != record.match:
            yield Problem(Flaw.OTHER_MATCH, wanted, event.match, record.match)


def _check_chain(record: GameRecord) -> Iterator[Problem]:
    wanted = None
    if record.result is not None:
        wanted = chain(record.match, record.game, record.clock, record.events)
    if record.chain != wanted:
        yield Problem(Flaw.CHAIN, 0, record.chain or "-", wanted or "-")


class _Replay:
    """The state of a match as its events say, and what they should have said."""

    def __init__(self, game: Game, rule: Clock | None) -> None:
        self._game = game
        self._rule = rule
        self._positions: list[Position] = [game.start()]
        self._seated: set[SeatNumber] = set()
        self._clocks: Clocks | None = None
        self._gifts = [0, 0]
        self._has_begun = False
        self._status = Status.WAITING
        self._started = False
        self._pass_due: SeatNumber | None = None
        self._seq = 0
        self._problems: list[Problem] = []

    @property
    def _position(self) -> Position:
        return self._positions[-1]

    @property
    def _ply(self) -> int:
        return len(self._positions) - 1

    def run(self, events: tuple[MatchEvent, ...]) -> list[Problem]:
        """Plays the events again. After an illegal move no more moves are looked at: nothing follows from them."""
        for seq, event in enumerate(events, 1):
            self._seq = seq
            if self._pass_due is not None and not isinstance(event, Passed):
                self._problem(Flaw.PASS, found="-", wanted=str(self._pass_due))
                self._pass_due = None
            try:
                self._take(event)
            except IllegalMove as error:
                self._problem(Flaw.MOVE, found=error.move, wanted=" ".join(self._position.legal_moves()))
                return self._problems
        if self._pass_due is not None:
            self._problem(Flaw.PASS, found="-", wanted=str(self._pass_due))
        if self._status is not Status.FINISHED and self._position.outcome() is not None:
            self._problem(Flaw.END)
        return self._problems

    def _problem(self, flaw: Flaw, found: object = "", wanted: object = "") -> None:
        self._problems.append(Problem(flaw, self._seq, str(found), str(wanted)))

    def _check(self, flaw: Flaw, found: object, wanted: object) -> None:
        if found != wanted:
            self._problem(flaw, found, wanted)

    def _take(self, event: MatchEvent) -> None:  # noqa: C901 - a table
        if not self._follow(event):
            self._problem(Flaw.PLACE, event.__struct_config__.tag)
            return
        match event:
            case Seated():
                self._check(Flaw.SEAT, event.seat in self._seated, wanted=False)
                self._seated.add(event.seat)
            case Started():
                self._start(event)
            case Moved():
                self._move(event)
            case Passed():
                self._check(Flaw.PASS, event.seat, self._pass_due)
                self._check(Flaw.PLY, event.ply, self._ply)
                self._pass_due = None
            case TookBack():
                self._take_back(event)
            case Finished():
                self._finish(event)
            case Paused():
                self._run_clock(self._position.to_move, event.clocks, pressed=False)
            case Resumed():
                self._check(Flaw.TURN, event.to_move, int(self._position.to_move))
                self._check(Flaw.CLOCK, event.clocks, self._clocks)
            case Presence():
                self._cut_off(event)
            case GaveTime():
                self._give_time(event)
            case Offered() | Declined() | Said() | Rematched():
                pass
            case _:
                assert_never(event)

    def _cut_off(self, event: Presence) -> None:
        """Checks the clock of a player who is cut off: it is charged before it stands."""
        if event.clocks is not None:
            self._check(Flaw.SEAT, event.seat, int(self._position.to_move))
            self._run_clock(self._position.to_move, event.clocks, pressed=False)

    def _follow(self, event: MatchEvent) -> bool:
        """Goes to the status that `event` leads to; whether it may happen in the one before it."""
        if isinstance(event, Offered | Declined) and (event.what == "rematch") != (self._status is Status.FINISHED):
            return False
        status = EVENTS[self._status].get(type(event))
        self._status = status or self._status
        return status is not None

    def _start(self, event: Started) -> None:
        self._started = True
        self._check(Flaw.SEAT, len(self._seated), 2)
        self._check(Flaw.TURN, event.to_move, int(self._position.to_move))
        self._check(Flaw.CLOCK, event.clocks, None if self._rule is None else start_of(self._rule))
        self._clocks = event.clocks

    def _move(self, event: Moved) -> None:
        mover = self._position.to_move
        self._check(Flaw.SEAT, event.seat, int(mover))
        self._check(Flaw.PLY, event.ply, self._ply)
        position = self._position.play(event.move)
        self._positions.append(position)
        self._check(Flaw.TURN, event.to_move, int(position.to_move))
        self._pass_due = None if position.passed is None else seat_number(position.passed)
        if event.opening:
            self._check(Flaw.PLACE, self._has_begun, wanted=False)
            self._check(Flaw.CLOCK, event.clocks, self._clocks)
        else:
            self._has_begun = True
            self._run_clock(mover, event.clocks, pressed=True)

    def _take_back(self, event: TookBack) -> None:
        runs = self._position.to_move
        if event.ply >= self._ply:
            self._problem(Flaw.PLY, event.ply, f"< {self._ply}")
        else:
            del self._positions[event.ply + 1 :]
        self._check(Flaw.SEAT, event.seat, int(self._position.to_move))
        self._check(Flaw.TURN, event.to_move, int(self._position.to_move))
        self._run_clock(runs, event.clocks, pressed=False)

    def _give_time(self, event: GaveTime) -> None:
        """A gift is told with what is left now; what was used is charged only later, of all that there was before."""
        before, rule = self._clocks, self._rule
        if before is None or rule is None or rule.move_ms:
            self._problem(Flaw.PLACE, event.__struct_config__.tag)
            return
        self._gifts[event.seat - 1] += 1
        if event.added_ms != GIVEN_MS or self._gifts[event.seat - 1] > MAX_GIFTS:
            self._problem(Flaw.CLOCK, event.added_ms, GIVEN_MS)
        first, second = (0, event.added_ms) if event.seat == 1 else (event.added_ms, 0)
        low, high = (first, second), (before[0] + first, before[1] + second)
        runs = self._position.to_move - 1
        if not low[runs] <= event.clocks[runs] <= high[runs]:
            self._problem(Flaw.CLOCK, event.clocks, f"{low[runs]}..{high[runs]}")
        self._check(Flaw.CLOCK, event.clocks[1 - runs], high[1 - runs])
        self._clocks = high

    def _finish(self, event: Finished) -> None:
        if self._started:
            self._run_clock(self._position.to_move, event.clocks, pressed=False)
        outcome = self._position.outcome()
        found, wanted = event.result, None if outcome is None else result_of(outcome)
        if wanted is None:
            if not self._may_end(event):
                self._problem(Flaw.RESULT, _brief(found), "-")
            self._check(Flaw.RESULT, found.score, self._position.score())
        elif found != wanted:
            self._problem(Flaw.RESULT, _brief(found), _brief(wanted))

    def _may_end(self, event: Finished) -> bool:
        """Whether a match that the rules did not end can have this result."""
        result, clocks = event.result, event.clocks
        reason, winner = result.reason, result.winner
        if reason in RULED or result.ending or result.cells or (result.tournament_score and reason != "adjudicated"):
            return False
        if result.away is not None and reason != "aborted":
            return False
        if not self._started and reason != "aborted":
            return False
        if reason == "timeout" and (
            winner == self._position.to_move
            or (
                clocks is not None
                and not is_out_of_time(clocks[self._position.to_move - 1], event.lag_ms + event.stall_ms)
            )
        ):
            return False
        return (winner is not None or reason not in _ONE_WINS) and (winner is None or reason not in _NOBODY_WINS)

    def _run_clock(self, runs: Seat, clocks: Clocks | None, *, pressed: bool) -> None:
        """Checks what is left after `runs` used some time, none or all of it, and `pressed` the clock or not."""
        before, self._clocks = self._clocks, clocks
        if before is None or clocks is None or self._rule is None:
            self._check(Flaw.CLOCK, clocks is not None, self._rule is not None)
            return
        low, high = 0, before[runs - 1]
        rule = self._rule.of(runs)
        if pressed and rule.move_ms:
            low = high = rule.move_ms
        elif pressed:
            low, high = rule.increment_ms, high + rule.increment_ms
        if not low <= clocks[runs - 1] <= high:
            self._problem(Flaw.CLOCK, clocks, f"{low}..{high}")
        self._check(Flaw.CLOCK, clocks[runs.other - 1], before[runs.other - 1])


def _brief(result: Result) -> str:
    """A result on one line: winner (0 for none), reason, score."""
    text = f"{result.winner or 0} {result.reason} {result.score[0]}-{result.score[1]}"
    return text if result.tournament_score is None else f"{text} ({'-'.join(map(str, result.tournament_score))})"
