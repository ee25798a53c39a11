"""What a server of matches must do, told a second time and simply; only the rules of the games are shared.

Time is a whole number of ticks of 2^-20 s, so nothing here rounds: the model knows exactly which of a move and a flag
comes first. What is left on a clock is worked out from a ledger: base plus increments, minus every time that was used.
Every request returns "ok" or the code of its refusal; `settle` is what time alone does.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction

from games import Game, IllegalMove, Position
from protocol.messages import Clock, SeatClock

TICKS = 1 << 20
"""Ticks in a second."""

ABSENCE, ABANDONMENT, WAITING, LEFT_WAITING = 10 * TICKS, 40 * TICKS, 100 * TICKS, 20 * TICKS

DEALINGS, THOUGHTS, MATCHES_A_PAGE = 6, 100, 100
INVITED_AT_ONCE, INVITED_EVERY = 8, 5 * TICKS


@dataclass(eq=False)
class Person:
    """A session; `connection` is None while he is away."""

    name: str
    connection: int | None = None
    left_at: int = 0
    kind: str = "human"
    asked: list[int] = field(default_factory=list)
    """When each invitation of late is forgotten: one every five seconds."""

    def may_be_asked(self, now: int, open_ones: int, most: int) -> bool:
        """Whether another invitation may reach this person."""
        if self.kind == "bot":
            return open_ones < most
        return open_ones < INVITED_AT_ONCE and sum(when > now for when in self.asked) < INVITED_AT_ONCE

    def ask(self, now: int) -> None:
        """An invitation reaches this person."""
        if self.kind == "human":
            self.asked = [when for when in self.asked if when > now]
            self.asked.append(max([now, *self.asked]) + INVITED_EVERY)


@dataclass(eq=False)
class Ledger:
    """The time of one seat: what was given and what was used, in milliseconds."""

    base: int
    increments: int = 0
    used: int = 0

    @property
    def left(self) -> int:
        return self.base + self.increments - self.used


@dataclass(eq=False)
class Sheet:
    """One match as everybody around it should see it."""

    id: str
    rules: Game
    clock: Clock | None
    opened: int
    public: bool = True
    code: str | None = None
    link: str | None = None
    organiser: Person | None = None
    reports: bool = False
    seats: dict[int, Person] = field(default_factory=dict)
    names: dict[int, str] = field(default_factory=dict)
    present: dict[int, bool] = field(default_factory=dict)
    invited: dict[int, Person] = field(default_factory=dict)
    viewers: set[Person] = field(default_factory=set)
    admitted: set[Person] = field(default_factory=set)
    status: str = "waiting"
    moves: list[tuple[int, str]] = field(default_factory=list)
    position: Position = None  # type: ignore[assignment]  # set below
    offers: dict[str, int] = field(default_factory=dict)
    result: tuple[int | None, str] | None = None
    ledgers: dict[int, Ledger] = field(default_factory=dict)
    turn_began: int = 0
    turns: int = 0
    away: dict[int, int] = field(default_factory=dict)
    dealt: int = 0
    thought: dict[int, list[int]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.position = self.rules.start()
        if self.clock is not None:
            self.ledgers = {seat: Ledger(own.initial_ms or own.move_ms) for seat, own in self._clocks(self.clock)}

    @staticmethod
    def _clocks(clock: Clock) -> list[tuple[int, SeatClock]]:
        """What each seat is given."""
        return [(1, clock), (2, clock if clock.second is None else clock.second)]

    # -------------------------------------------------------------------------------------------------------- questions

    @property
    def ply(self) -> int:
        return len(self.moves)

    @property
    def to_move(self) -> int:
        return int(self.position.to_move)

    def seat_of(self, person: Person) -> int | None:
        return next((seat for seat, held in self.seats.items() if held is person), None)

    def sees(self, person: Person) -> bool:
        return person in self.viewers or self.seat_of(person) is not None

    def is_known_to(self, person: Person) -> bool:
        """Whether he may hear that the match exists: of a private one only who has to do with it."""
        around = self.sees(person) or person in self.invited.values() or person in self.admitted
        return self.public or around or person is self.organiser

    def reports_to(self, person: Person) -> bool:
        return self.reports and person is self.organiser

    def lefts(self, now: int) -> tuple[int, int] | None:
        if not self.ledgers:
            return None
        first, second = (ledger.left - self._running(seat, now) for seat, ledger in self.ledgers.items())
        return max(0, first), max(0, second)

    def flag(self) -> Fraction | None:
        """The tick at which the flag falls, exactly."""
        if self.status != "playing" or not self.ledgers:
            return None
        return self.turn_began + Fraction(self.ledgers[self.to_move].left * TICKS, 1000)

    def deadlines(self) -> dict[str, Fraction]:
        """What time alone will do, and when."""
        found: dict[str, Fraction] = {}
        if self.status == "waiting":
            ends = self.opened + WAITING
            if self.away:
                ends = min(self.away.values()) + LEFT_WAITING
            maker = self.organiser
            if maker is not None and maker.connection is None:
                ends = min(ends, maker.left_at + LEFT_WAITING)
            found["aborted"] = Fraction(ends)
        elif self.status == "playing":
            flag = self.flag()
            if flag is not None:
                found["timeout"] = flag
            if len(self.away) == 2:
                found["abandoned"] = Fraction(max(self.away.values()) + ABANDONMENT)
        return found

    def _running(self, seat: int, now: int) -> int:
        running = self.status == "playing" and seat == self.to_move
        return (now - self.turn_began) * 1000 // TICKS if running else 0

    # ----------------------------------------------------------------------------------------------------- what happens

    def settle(self, now: int) -> bool:
        """What fell due first happens, and it is the end; a flag goes before an absence of the same time."""
        due = [(when, reason != "timeout", reason) for reason, when in self.deadlines().items() if when <= now]
        if not due:
            return False
        reason = min(due)[2]
        self.end(reason, 3 - self.to_move if reason == "timeout" else None, now)
        return True

    def end(self, reason: str, winner: int | None, now: int) -> None:
        self._charge(now)
        self.dealt = 0
        self.status = "finished"
        self.result = (winner, reason)
        self.offers = {}

    def sit(self, seat: int, person: Person, now: int) -> None:
        self.seats[seat] = person
        self.names[seat], self.present[seat] = person.name, True
        self.invited.pop(seat, None)
        self.viewers.discard(person)
        if len(self.seats) == 2:
            self.status = "playing"
            self._new_turn(now)

    def _charge(self, now: int) -> None:
        if self.status == "playing" and self.ledgers:
            ledger = self.ledgers[self.to_move]
            ledger.used += min(ledger.left, self._running(self.to_move, now))

    def _new_turn(self, now: int) -> None:
        self.turns += 1
        self.turn_began = now
        if self.clock is not None and self.clock.move_ms:
            self.ledgers = {seat: Ledger(own.move_ms) for seat, own in self._clocks(self.clock)}

    def _not_playing(self) -> str | None:
        return {"waiting": "not_started", "finished": "game_over"}.get(self.status)

    # --------------------------------------------------------------------------------------------------------- requests

    def move(self, seat: int, ply: int, move: str, now: int) -> str:
        if ply < self.ply and self.moves[ply] == (seat, move):
            return "ok"
        if self.status != "waiting" and ply != self.ply:
            return "stale_ply"
        refused = self._not_playing()
        if refused:
            return refused
        if seat != self.to_move:
            return "not_your_turn"
        try:
            position = self.position.play(move)
        except IllegalMove:
            return "illegal_move"
        self._charge(now)
        if self.ledgers and self.clock is not None:
            self.ledgers[seat].increments += dict(self._clocks(self.clock))[seat].increment_ms
        self.moves.append((seat, move))
        self.position = position
        self.dealt = 0
        self.offers.pop("takeback", None)
        if self.offers.get("draw") == 3 - seat:
            del self.offers["draw"]
        self._new_turn(now)
        outcome = position.outcome()
        if outcome is not None:
            self.end(outcome.termination, outcome.winner and int(outcome.winner), now)
        return "ok"

    def resign(self, seat: int, now: int) -> str:
        refused = self._not_playing()
        if not refused:
            self.end("resign", 3 - seat, now)
        return refused or "ok"

    def is_arranged(self) -> bool:
        return self.organiser is not None and self.seat_of(self.organiser) is None

    def abort(self, now: int) -> str:
        if self.status == "finished":
            return "game_over"
        if self.ply >= 2:
            return "too_late"
        self.end("aborted", None, now)
        return "ok"

    def claim(self, seat: int, now: int) -> str:
        refused = self._not_playing()
        if refused:
            return refused
        if 3 - seat not in self.away:
            return "not_allowed"
        if now < self.away[3 - seat] + ABSENCE:
            return "too_early"
        self.end("abandoned", seat, now)
        return "ok"

    def offer(self, seat: int, what: str, now: int) -> str:
        not_over = None if self.status == "finished" else "not_over"
        refused = not_over if what == "rematch" else self._not_playing()
        if refused:
            return refused
        if what == "takeback" and all(mover != seat for mover, _ in self.moves):
            return "not_allowed"
        if self.offers.get(what) == 3 - seat:
            return self.answer(seat, what, accept=True, now=now)
        if self.offers.get(what) is None:
            if self.dealt == DEALINGS:
                return "rate_limited"
            self.dealt += 1
        self.offers[what] = seat
        return "ok"

    def think(self, seat: int) -> str:
        ply, count = self.thought.get(seat, [self.ply, 0])
        self.thought[seat] = [self.ply, count + 1 if ply == self.ply else 1]
        return "ok" if self.thought[seat][1] <= THOUGHTS else "rate_limited"

    def answer(self, seat: int, what: str, *, accept: bool, now: int) -> str:
        by = self.offers.get(what)
        if by is None or (accept and by == seat):
            return "nothing_offered"
        if not accept:
            del self.offers[what]
        elif what == "draw":
            self.end("agreement", None, now)
        elif what == "takeback":
            self._take_back(by, now)
        else:
            del self.offers[what]
        return "ok"

    def _take_back(self, asker: int, now: int) -> None:
        self._charge(now)
        while self.moves.pop()[0] != asker:
            pass
        self.position = self.rules.start()
        for _, move in self.moves:
            self.position = self.position.play(move)
        self.offers = {}
        self._new_turn(now)

    def presence(self, person: Person, *, present: bool, now: int) -> None:
        seat = self.seat_of(person)
        if seat is None or self.status == "finished":
            return
        self.present[seat] = present
        if present:
            self.away.pop(seat, None)
        else:
            self.away.setdefault(seat, now)


def clock_of_rematch(clock: Clock | None) -> Clock | None:
    """The clock of a rematch: each player keeps their own, on the other seat."""
    if clock is None or clock.second is None:
        return clock
    first, second = clock, clock.second
    return Clock(
        second.initial_ms,
        second.increment_ms,
        second.move_ms,
        SeatClock(first.initial_ms, first.increment_ms, first.move_ms),
    )
