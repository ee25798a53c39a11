"""A referee at a desk without a network: the time stands still until told, and every message is laid before its reader.

What must hold for every step is checked here, so every test that uses a desk checks it: a request gets exactly one `ok`
or `error` with its `id`, and nothing is sent to a connection that is gone.
"""

from __future__ import annotations

import math
import random
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import count
from typing import Any, TypeVar

from protocol.bounds import Kind
from protocol.errors import ProtocolError
from protocol.messages import (
    ClientMessage,
    Clock,
    Create,
    Error,
    Hello,
    Join,
    MakeMove,
    Ok,
    ServerBase,
    ServerMessage,
    Snapshot,
    Watch,
    Welcome,
    YourTurn,
)
from server.match.terms import Timeouts
from server.referee.effects import Close, Effect, EventHappened, Probe, Record, Send
from server.referee.measurements import Unmeasured
from server.referee.referee import Referee
from server.referee.settings import Settings

SECRET = "secret"
"""What every token of a desk contains, and nothing else: who finds it in a message found a leak."""

WIN = ("a1", "a2", "b1", "b2", "c1")
"""A game of morpion that the first player wins."""

M = TypeVar("M", bound=ServerBase)


class Measured(Unmeasured):
    """Measurements that a test sets, by the numbers of connections."""

    def __init__(self) -> None:
        self.lags: Mapping[int, int] = {}
        self.origins: Mapping[int, str | None] = {}
        self.unheard: dict[int, float] = {}
        self.signs: dict[int, float] = {}
        self.behind: dict[int, int] = {}

    def lag_ms(self, connection: int) -> int:
        return self.lags.get(connection, 0)

    def address_of(self, connection: int) -> str | None:
        return self.origins.get(connection)

    def unheard_since(self, connection: int) -> float:
        return self.unheard.get(connection, math.inf)

    def sign_of_life(self, connection: int, now: float) -> float:
        return self.signs.get(connection, now)

    def unread(self, connection: int) -> int:
        return self.behind.get(connection, 0)


class Desk:
    """A referee, the time, and all that it said."""

    def __init__(self, settings: Settings | None = None, *, seed: int = 0, now: float = 0.0) -> None:
        tokens = count(1)
        self.measured = Measured()
        self.referee = Referee(
            settings or Settings(timeouts=Timeouts(absence=10, abandonment=40, waiting=100, left_waiting=20)),
            random.Random(seed),
            lambda: f"{SECRET}{next(tokens)}",
            lambda: 0,
            self.measured,
        )
        self.now = now
        self.handing = True
        """Whether the network takes a `your_turn` at once; else its player's time doesn't begin to run."""
        self.open: set[int] = set()
        self.closed: dict[int, int] = {}
        self.records: list[Record] = []
        self.received: dict[int, list[ServerMessage]] = defaultdict(list)
        self.step: list[tuple[int, ServerMessage]] = []
        self._connections = count(1)
        self._requests = count(1)

    def settings(self, **changes: Any) -> None:
        """Changes the referee's settings while it runs."""
        self.referee.settings = replace(self.referee.settings, **changes)

    def connect(self) -> int:
        """A new connection."""
        connection = next(self._connections)
        self.open.add(connection)
        return connection

    def request_id(self) -> int:
        """The number of the next request."""
        return next(self._requests)

    def ask(self, connection: int, message: ClientMessage) -> Ok | Error:
        """Sends a message and returns its one answer."""
        self.perform(self.referee.receive(connection, message, self.now))
        answers = [
            (reader, said) for reader, said in self.step if isinstance(said, Ok | Error) and said.id == message.id
        ]
        assert len(answers) == 1, f"{message} was answered {answers}"
        assert answers[0][0] == connection, "the answer went to somebody else"
        return answers[0][1]

    def spoil(self, connection: int, error: ProtocolError) -> None:
        """Sends what can't be read."""
        self.perform(self.referee.receive(connection, error, self.now))

    def drop(self, connection: int) -> None:
        """The connection ends."""
        self.open.discard(connection)
        self.perform(self.referee.disconnect(connection, self.now))

    def tick(self) -> None:
        """Time alone."""
        self.perform(self.referee.tick(self.now))

    def wait(self, seconds: float) -> None:
        """Lets time pass, and the timer go off each time that it was set to, as the shell would."""
        until = self.now + seconds
        for _ in range(100_000):
            deadline = self.referee.next_deadline()
            if deadline > until:
                break
            self.now = max(self.now, deadline)
            self.tick()
        else:
            raise AssertionError("the timer is set again and again for a time that has come")
        self.now = until

    def probed(self, connection: int) -> None:
        """A connection was asked for a sign of life."""

    def perform(self, effects: Iterable[Effect]) -> None:
        """Lays every message before its readers."""
        self.step = []
        said = False
        asked: list[tuple[int, YourTurn]] = []
        for effect in effects:
            assert not (said and isinstance(effect, EventHappened)), "an event is said before it is recorded"
            said = said or isinstance(effect, Send)
            match effect:
                case Send(connections, message):
                    assert len(set(connections)) == len(connections), f"twice to the same reader: {effect}"
                    assert self.open.issuperset(connections), f"sent to a connection that is gone: {effect}"
                    for connection in connections:
                        self.received[connection].append(message)
                        self.step.append((connection, message))
                    if isinstance(message, YourTurn):
                        asked.append((connections[0], message))
                case Close(connection, code, _):
                    self.closed[connection] = code
                case Probe(connection):
                    self.probed(connection)
                case _:
                    self.records.append(effect)
        for reader, turn in asked if self.handing else ():
            before = self.referee.next_deadline()
            earlier = self.referee.handed(reader, turn.match, turn.ply, self.now)
            assert earlier or self.referee.next_deadline() >= before, "the shell would wake too late"

    def said_to(self, connection: int) -> list[ServerMessage]:
        """What this step said to a connection."""
        return [message for reader, message in self.step if reader == connection]

    # -------------------------------------------------------------------------------------------------- shorter words

    def user(self, name: str, kind: Kind = "human") -> User:
        """Somebody who said hello."""
        user = User(self, name, kind)
        user.hello()
        return user

    def pair(
        self, game: str = "morpion", clock: Clock | None = None, *, public: bool = True, kind: Kind = "human"
    ) -> tuple[User, User, str]:
        """Two players in a match that has begun, the first to move first."""
        first, second = self.user(f"first {self.request_id()}", kind), self.user(f"second {self.request_id()}", kind)
        return first, second, self.seat(first, second, game, clock, public=public)

    def seat(
        self, first: User, second: User, game: str = "morpion", clock: Clock | None = None, *, public: bool = True
    ) -> str:
        """Starts a match of two users; returns its id."""
        opened = first.ok(Create(self.request_id(), game, clock, public, "first"))
        assert isinstance(opened.match, str)
        if isinstance(opened.code, str):
            second.ok(Join(self.request_id(), code=opened.code))
        else:
            second.ok(Join(self.request_id(), opened.match))
        return opened.match


class User:
    """Somebody with a session, and the connection that he speaks over."""

    def __init__(self, desk: Desk, name: str, kind: Kind = "human") -> None:
        self.desk = desk
        self.name = name
        self.kind: Kind = kind
        self.token: str | None = None
        self.connection = desk.connect()

    def hello(self, *, seen: dict[str, int] | None = None) -> Ok:
        """Says hello over the present connection, with the token if there is one."""
        desk = self.desk
        answer = desk.ask(
            self.connection, Hello(desk.request_id(), 1, "test", self.kind, self.name, self.token, seen=seen or {})
        )
        assert isinstance(answer, Ok), answer
        self.token = self.said(Welcome)[0].token
        return answer

    def ask(self, message: ClientMessage) -> Ok | Error:
        """Asks, and returns the one answer."""
        return self.desk.ask(self.connection, message)

    def ok(self, message: ClientMessage) -> Ok:
        """Asks for what is granted."""
        answer = self.ask(message)
        assert isinstance(answer, Ok), answer
        return answer

    def refused(self, message: ClientMessage) -> str:
        """Asks for what is refused; returns the code."""
        answer = self.ask(message)
        assert isinstance(answer, Error), f"{message} was granted"
        return answer.code

    def drop(self) -> None:
        """Loses the connection."""
        self.desk.drop(self.connection)

    def back(self, seen: dict[str, int] | None = None) -> None:
        """Comes back over a new connection; the old one, if it was not dropped, is still there."""
        self.connection = self.desk.connect()
        self.hello(seen=seen)

    def play(self, match: str, *moves: str, start: int) -> None:
        """Makes one's own moves, two plies apart."""
        for step, move in enumerate(moves):
            self.ok(MakeMove(self.desk.request_id(), match, start + 2 * step, move))

    def watch(self, match: str) -> None:
        """Follows a public match."""
        self.ok(Watch(self.desk.request_id(), match))

    def said(self, kind: type[M]) -> list[M]:
        """What the last step said to this user, of one type."""
        return [message for message in self.desk.said_to(self.connection) if isinstance(message, kind)]

    def snapshot(self) -> Snapshot:
        """The one snapshot of the last step."""
        (found,) = self.said(Snapshot)
        return found


def take_turns(first: User, second: User, match: str, moves: Sequence[str]) -> None:
    """Plays moves from the start, `first` and `second` in turn."""
    for ply, move in enumerate(moves):
        (second if ply % 2 else first).ok(MakeMove(first.desk.request_id(), match, ply, move))


def invited(desk: Desk, *guests: User, by: User, play: bool = False) -> str:
    names = tuple(guest.name for guest in guests)
    opened = by.ok(Create(desk.request_id(), "morpion", seat="first", play=play, invite=names))
    assert isinstance(opened.match, str)
    return opened.match
