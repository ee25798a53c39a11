"""Matches as they are played: with talk, takebacks, absences and every kind of end; and their records."""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random

from games import Game, Seat
from games import parse as parse_game
from protocol.errors import ProtocolError
from protocol.messages import Clock, Finished, MatchEvent, Player, SeatClock
from protocol.records import GameRecord, chain
from server.match.match import Events, Match
from server.match.terms import MatchContext, MatchRules, Status

GAMES = (
    "othello",
    "othello:size=4",
    "othello:size=6,tie=last_mover",
    "puissance4",
    "morpion",
    "morpion:width=4,k=3",
    "breakthrough:size=4",
)
CLOCKS = (
    None, Clock(60_000, 1000), Clock(90_000), Clock(move_ms=2000),
    Clock(60_000, 1000, second=SeatClock(20_000, 300)), Clock(move_ms=2000, second=SeatClock(move_ms=900)),
)  # fmt: skip
WALL_MS = 1_700_000_000_000


@dataclass
class Sheet:
    """A match that is played by chance, and all that happened."""

    rng: Random
    match: Match
    now: float = 100.0
    events: list[MatchEvent] = field(default_factory=list)
    wall_ms: list[int] = field(default_factory=list)

    def happened(self, events: Events) -> None:
        """Writes events down."""
        for event in events:
            self.events.append(event)
            self.wall_ms.append(WALL_MS + int(self.now * 1000))

    def move(self) -> None:
        """Any legal move, after some time."""
        match = self.match
        self.wait(self.rng.random() * 3)
        if match.status is Status.PLAYING:
            move = self.rng.choice(match.position.legal_moves())
            self.happened(match.move(match.to_move, match.ply, move, self.now))

    def wait(self, seconds: float) -> None:
        """Time passes, and the timer goes off."""
        until = self.now + seconds
        while (due := self.match.deadline()) <= until:
            self.now = due
            self.happened(self.match.tick(self.now))
        self.now = until

    def something_else(self) -> None:
        """What is not a move; what is refused leaves no trace."""
        match, rng = self.match, self.rng
        seat = rng.choice((Seat.FIRST, Seat.SECOND))
        try:
            match rng.randrange(7):
                case 0:
                    self.happened(match.say(seat, "Bien joué !", self.now))
                case 1:
                    self.happened(match.presence(seat, present=rng.random() < 0.7, now=self.now))
                case 2:
                    self.happened(match.offer(seat, "takeback", self.now))
                case 3:
                    self.happened(match.offer(seat, "takeback", self.now))
                    self.happened(match.answer(seat.other, "takeback", accept=rng.random() < 0.8, now=self.now))
                case 4:
                    self.happened(match.offer(seat, rng.choice(("draw", "rematch")), self.now))
                case 5:
                    self.happened(match.give_time(seat, self.now))
                case _:
                    self.happened(match.answer(seat, "draw", accept=rng.random() < 0.3, now=self.now))
        except ProtocolError:
            pass

    def end(self) -> None:
        """Plays to the end of the game, or ends it otherwise."""
        match, rng = self.match, self.rng
        until = rng.randrange(2, 80)
        while match.status is Status.PLAYING and match.ply < until:
            self.move()
            if rng.random() < 0.2 and match.status is Status.PLAYING:
                self.something_else()
        if match.status is Status.PLAYING:
            seat = rng.choice((Seat.FIRST, Seat.SECOND))
            match rng.randrange(3):
                case 0:
                    self.happened(match.resign(seat, self.now))
                case 1 if match.clock is not None:
                    self.wait(1000)
                case _:
                    self.happened(match.presence(seat, present=False, now=self.now))
                    self.wait(70)
                    if match.status is Status.PLAYING:
                        self.happened(match.resign(seat, self.now))

    def record(self) -> GameRecord:
        """The match so far."""
        match = self.match
        over = match.status is Status.FINISHED
        return GameRecord(
            match.id,
            match.game.spec,
            match.time_control,
            self.rng.random() < 0.5,
            WALL_MS,
            tuple(self.events),
            tuple(self.wall_ms),
            chain(match.id, match.game.spec, match.time_control, self.events) if over else None,
        )


def some_opening(rng: Random, game: Game) -> tuple[str, ...]:
    """Up to three moves that end nothing; often none."""
    moves: list[str] = []
    position = game.start()
    for _ in range(rng.choice((0, 0, 1, 2, 3))):
        move = rng.choice(position.legal_moves())
        position = position.play(move)
        if position.outcome() is not None:
            break
        moves.append(move)
    return tuple(moves)


def begin(rng: Random, game: Game, clock: Clock | None, opening: tuple[str, ...] = ()) -> Sheet:
    """A match of two players that has just begun."""
    sheet = Sheet(rng, Match("m1x2y3z4", MatchRules(game, clock, opening), MatchContext(), 100.0))
    seats = [Seat.FIRST, Seat.SECOND]
    rng.shuffle(seats)
    for seat in seats:
        sheet.happened(sheet.match.sit(seat, Player(f"Zoé {seat:d}", rng.choice(("human", "bot"))), sheet.now))
    return sheet


def play(seed: int, game: str | None = None, clock: Clock | None = None, *, over: bool = True) -> GameRecord:
    """The record of a match; the seed decides on everything that is not said."""
    rng = Random(seed)
    rules = parse_game(game or rng.choice(GAMES))
    sheet = begin(rng, rules, clock if game else rng.choice(CLOCKS), some_opening(Random(seed), rules))
    if over:
        sheet.end()
        assert isinstance(next(e for e in reversed(sheet.events) if isinstance(e, Finished)), Finished)
        for _ in range(rng.randrange(3)):
            sheet.something_else()
    else:
        for _ in range(3):
            sheet.move()
    return sheet.record()


def clean_game(game: str, moves: tuple[str, ...], clock: Clock | None = None) -> GameRecord:
    """The record of a match in which these moves are played, each after a second, and nothing else happens."""
    sheet = begin(Random(0), parse_game(game), clock)
    for move in moves:
        sheet.now += 1
        sheet.happened(sheet.match.move(sheet.match.to_move, sheet.match.ply, move, sheet.now))
    return sheet.record()
