"""The people of benchmarks/weights.py: pairs at Othello boards, spectators, an organiser, newcomers; a socket each."""

from __future__ import annotations

import random
import select
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain, count
from typing import Literal

from benchmarks._load import Connection, frame
from benchmarks._measure import BenchError
from games import Seat
from games import parse as parse_game
from protocol import PROTOCOL
from protocol.bounds import Kind
from protocol.codec import decode_server, encode
from protocol.messages import ClientMessage, Clock, Create, Error, Hello, Join, Ok, Serve, Terminate, Watch, Welcome

CLOCK = Clock(initial_ms=3_600_000, increment_ms=1_000)
MIDDLE = 30
"""Plies that were played when a match is in the middle: what a snapshot tells, and the usual move."""

_ids = count(10_000_000)
"""Numbers of requests; each stands in one answer only."""


def number() -> int:
    """The number of the next request."""
    return next(_ids)


class Actor:
    """One connection that has said hello, unless it is `silent`."""

    def __init__(
        self, port: int, name: str, *, organiser: str | None = None, service: str | None = None,
        silent: bool = False, kind: Kind = "bot", boards: bool = False,
    ) -> None:  # fmt: skip
        self.name = name
        self.token = ""
        self.connection = Connection(port)
        if not silent:
            serves: Literal["bots", "reviews"] = "bots" if service is None else "reviews"
            hello = Hello(
                number(), PROTOCOL, "bench", kind, name, batch=True, organiser=organiser, service=service,
                serves=serves, boards=boards,
            )  # fmt: skip
            self.ask(hello)

    def ask(self, message: ClientMessage) -> Ok:
        """Says something, and waits for the answer; raises BenchError on a refusal."""
        self.connection.send(encode(message))
        while True:
            for payload in self.connection.receive():
                for answer in decode_server(payload):
                    if isinstance(answer, Welcome):
                        self.token = answer.token
                    elif isinstance(answer, Ok | Error) and answer.id == message.id:
                        if isinstance(answer, Error):
                            raise BenchError(f"the server refused {message}: {answer.message}")
                        return answer


@dataclass(frozen=True, slots=True)
class Act:
    """Bytes that a client sends, and what it waits for: `count` times `word` in what it reads."""

    actor: Actor
    data: bytes
    word: bytes
    count: int = 1


def saying(actor: Actor, message: ClientMessage) -> Act:
    """A message in a frame and a packet of its own, until it is answered."""
    return Act(actor, frame(encode(message)), b'"id":%d' % message.id)


@dataclass(frozen=True, slots=True)
class Board:
    """A match in its middle: whose turn it is, and what they may play."""

    id: str
    mover: Actor
    other: Actor
    moves: tuple[str, ...]


class World:
    """Everybody beside the crowd."""

    def __init__(self, port: int, organiser: str, service: str, size: int, spectators: int) -> None:
        """Connects `size` pairs and so many spectators for each."""
        self.port = port
        self._service = service
        self.size = size
        self._rng = random.Random(1)
        self.organiser = Actor(port, "organiser", organiser=organiser)
        self.pairs = [(Actor(port, f"mover {n}"), Actor(port, f"other {n}")) for n in range(size)]
        self.spectators = [[Actor(port, f"spectator {n} {m}") for m in range(spectators)] for n in range(size)]
        self._passing: list[Actor] = []
        self._open: list[str] = []
        self._newcomers = count(1)

    def newcomer(self, *, silent: bool = False, kind: Kind = "bot", boards: bool = False) -> Actor:
        """Somebody who is here until the round is over."""
        actor = Actor(self.port, f"newcomer {next(self._newcomers)}", silent=silent, kind=kind, boards=boards)
        self._passing.append(actor)
        return actor

    def judge(self) -> Actor:
        """A service that judges reviews, until the round is over."""
        actor = Actor(self.port, f"newcomer {next(self._newcomers)}", service=self._service)
        self._passing.append(actor)
        actor.ask(Serve(number(), "bench"))
        return actor

    def line(self) -> tuple[str, ...]:
        """The moves of a game up to its middle; others each time."""
        return self._draw(MIDDLE)[0]

    def fresh_name(self) -> str:
        """A name that nobody has had."""
        return f"newcomer {next(self._newcomers)}"

    def create(self, actor: Actor, *, public: bool = True, seat: Literal["first", "second"] = "first") -> str:
        """A match that waits."""
        match = str(actor.ask(Create(number(), "othello", CLOCK, public, seat)).match)
        self._open.append(match)
        return match

    def board(self, pair: tuple[Actor, Actor], spectators: Sequence[Actor] = (), plies: int = MIDDLE) -> Board:
        """A match of `pair` in its middle, in which the first of the two is to move."""
        opening, to_move, legal = self._draw(plies)
        mover, other = pair
        seat: Literal["first", "second"] = "first" if to_move is Seat.FIRST else "second"
        match = str(mover.ask(Create(number(), "othello", CLOCK, seat=seat, opening=opening)).match)
        self._open.append(match)
        other.ask(Join(number(), match))
        for spectator in spectators:
            spectator.ask(Watch(number(), match))
        return Board(match, mover, other, legal)

    def boards(self, spectators: int = 0) -> list[Board]:
        """A match for each pair."""
        return [self.board(self.pairs[n], self.spectators[n][:spectators]) for n in range(self.size)]

    def read(self) -> None:
        """Reads what has arrived at anybody's."""
        everybody = [self.organiser, *chain(*self.pairs, *self.spectators), *self._passing]
        known = {actor.connection.socket.fileno(): actor for actor in everybody}
        poll = select.poll()
        for descriptor in known:
            if descriptor >= 0:
                poll.register(descriptor, select.POLLIN)
        while ready := poll.poll(0):
            for descriptor, _ in ready:
                try:
                    known[descriptor].connection.receive()
                except BenchError:  # a guest who was sent away
                    poll.unregister(descriptor)

    def clear(self) -> None:
        """Ends the matches that were opened, and lets the newcomers go."""
        for match in self._open:
            self.organiser.connection.send(encode(Terminate(number(), match)))
        self.read()
        for actor in self._passing:
            actor.connection.socket.close()
        self._open.clear()
        self._passing.clear()

    def _draw(self, plies: int) -> tuple[tuple[str, ...], Seat, tuple[str, ...]]:
        """Random legal moves after which a game goes on, who is next, and the moves that they have."""
        while True:
            position, moves = parse_game("othello").start(), list[str]()
            while (legal := position.legal_moves()) and len(moves) < plies:
                moves.append(self._rng.choice(legal))
                position = position.play(moves[-1])
            if legal:
                return tuple(moves), position.to_move, tuple(legal)
