"""The queue of reviews and trees: who waits for which, which service works on it, what is known of it. Pure.

What several ask for is worked out once. A task that a service did not live to finish goes to the next one, from its
beginning; one that nobody waits for any more is dropped. Finished reviews are kept, the oldest dropped first.
"""

from __future__ import annotations

import hashlib
import math
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from games import Game, Position
from protocol.bounds import Work
from protocol.errors import ErrorCode, ProtocolError
from protocol.messages import Judged
from server.referee.sessions import Session

PATIENCE_S: Final = 30.0
"""How long tasks wait for a service to come back after the last one has gone."""


@dataclass(frozen=True, slots=True)
class Caps:
    """How much may be asked for at once: in all, by one session, from one address; and how often it is tried.

    kept: finished reviews that are remembered.
    """

    tasks: int = 64
    session: int = 6
    origin: int = 24
    tries: int = 3
    kept: int = 500


@dataclass(eq=False, slots=True)
class Task:
    """One thing that was asked for.

    path: the positions that `moves` lead through, the start among them; those of `node` follow for a tree. node: the
    moves from the root of a tree to its node. steps: what is known of a review, by the number of moves before.
    waiting: who wants to know, each with the address that it came from. service: who works on it. tries: how many did.
    """

    ticket: str
    what: Work
    game: Game
    moves: tuple[str, ...]
    path: Sequence[Position]
    depth: int = 0
    node: tuple[str, ...] = ()
    steps: dict[int, Judged] = field(default_factory=dict[int, Judged])
    waiting: dict[Session, str | None] = field(default_factory=dict[Session, "str | None"])
    service: Session | None = None
    tries: int = 0


def ticket_of(what: Work, game: Game, moves: Sequence[str], depth: int = 0, node: Sequence[str] = ()) -> str:
    """The id of an answer: a hash of the question, so equal for equal questions only."""
    said = "\n".join((what, game.spec, " ".join(moves), str(depth), " ".join(node)))
    return hashlib.sha256(said.encode(errors="surrogatepass")).hexdigest()[:32]


class KeptReview(NamedTuple):
    """A finished review: as it stands in the database. steps: its positions, as JSON."""

    number: int
    ticket: str
    judge: str
    steps: str


class FinishedReviews:
    """Finished reviews by their tickets, at most `size` of them; the oldest makes room."""

    def __init__(self, size: int) -> None:
        self.size = size
        self._kept: OrderedDict[str, KeptReview] = OrderedDict()
        self._number = 0

    def __len__(self) -> int:
        return len(self._kept)

    def find(self, ticket: str, judge: str | None) -> KeptReview | None:
        """The kept review of `ticket`; if `judge` is not None, only one by that judge."""
        kept = self._kept.get(ticket)
        return kept if kept is not None and judge in (None, kept.judge) else None

    def put(self, ticket: str, judge: str, steps: str) -> KeptReview:
        """Keeps a review, in place of an older one of the same game; `number` counts them."""
        self._number += 1
        kept = KeptReview(self._number, ticket, judge, steps)
        self.restore(kept)
        return kept

    def restore(self, kept: KeptReview) -> None:
        """Takes back what was kept, the oldest first."""
        self._number = max(self._number, kept.number)
        self._kept.pop(kept.ticket, None)
        self._kept[kept.ticket] = kept
        while len(self._kept) > self.size:
            self._kept.popitem(last=False)


class Queue:
    """All tasks, and the services that work on them; a service works on one task of each kind at a time."""

    def __init__(self, caps: Caps | None = None) -> None:
        self.caps = caps or Caps()
        self.judge: str | None = None
        self._tasks: dict[str, Task] = {}
        self._services: dict[Session, None] = {}
        self._alone_since = math.inf

    def __len__(self) -> int:
        return len(self._tasks)

    def __iter__(self) -> Iterator[Task]:
        return iter(self._tasks.values())

    # ------------------------------------------------------------------------------------------------------ who asks

    def get(self, ticket: str) -> Task | None:
        """The task of that ticket."""
        return self._tasks.get(ticket)

    def ask(self, ticket: str, make: Callable[[], Task], session: Session, origin: str | None) -> Task:
        """The task of `ticket`, for which `session` now waits too; raises ProtocolError (busy, no_service)."""
        if self.judge is None:
            raise ProtocolError(ErrorCode.NO_SERVICE, "nobody here reviews games, or explains positions")
        task = self._tasks.get(ticket)
        if task is not None and session in task.waiting:
            return task
        others = [each.waiting for each in self._tasks.values()]
        mine = sum(session in waiting for waiting in others)
        near = 0 if origin is None else sum(origin in waiting.values() for waiting in others)
        is_full = task is None and len(self._tasks) >= self.caps.tasks
        if is_full or mine >= self.caps.session or near >= self.caps.origin:
            wait = 2_000 + 1_000 * len(self._tasks)
            raise ProtocolError(ErrorCode.BUSY, "too much is being reviewed: try again later", retry_after_ms=wait)
        if task is None:
            task = self._tasks[ticket] = make()
        task.waiting[session] = origin
        return task

    def place(self, task: Task) -> int:
        """How many tasks of its kind come before it; 0 for one that is worked on."""
        if task.service is not None:
            return 0
        before = 0
        for each in self._tasks.values():
            if each is task:
                break
            before += each.what == task.what
        return before

    def leave(self, session: Session, ticket: str | None = None) -> list[Task]:
        """`session` waits no more, for one ticket or for any; what only it waited for is dropped, and returned."""
        asked = list(self._tasks.values()) if ticket is None else [self._tasks[ticket]] if ticket in self._tasks else []
        left = [task for task in asked if session in task.waiting]
        for task in left:
            del task.waiting[session]
        return [self.drop(task) for task in left if not task.waiting]

    def absent(self) -> list[Session]:
        """Sessions that were disconnected unnoticed (by an organiser, say): call `leave`, or `gone` for a service."""
        asked = {session: None for task in self._tasks.values() for session in task.waiting}
        return [session for session in (*asked, *self._services) if session.connection is None]

    def drop(self, task: Task) -> Task:
        """A task is done, or of no more use."""
        self._tasks.pop(task.ticket, None)
        return task

    # ----------------------------------------------------------------------------------------------------- who works

    def ready(self, service: Session, judge: str) -> None:
        """A service has come, or come back; what it worked on before it begins anew."""
        self._services[service] = None
        self._alone_since = math.inf
        if judge != self.judge:
            for task in self._tasks.values():
                task.steps.clear()
        self.judge = judge

    def is_ready(self, service: Session) -> bool:
        """Whether a session is a service that takes work."""
        return service in self._services

    def assign(self) -> list[Task]:
        """Gives waiting tasks to idle services; returns those tasks, each with its `service`."""
        given: list[Task] = []
        for task in self._tasks.values():
            if task.service is not None:
                continue
            busy = {each.service for each in self._tasks.values() if each.what == task.what}
            idle = next((service for service in self._services if service not in busy), None)
            if idle is not None:
                task.service = idle
                task.tries += 1
                given.append(task)
        return given

    def gone(self, service: Session, now: float) -> list[Task]:
        """A service is gone: its tasks wait again; those that were tried too often are dropped and returned."""
        if service not in self._services:
            return []
        del self._services[service]
        if not self._services:
            self._alone_since = now
        failed: list[Task] = []
        for task in [each for each in self._tasks.values() if each.service is service]:
            task.service = None
            task.steps.clear()
            if task.tries >= self.caps.tries:
                failed.append(self.drop(task))
        return failed

    def deadline(self) -> float:
        """When `expire` has something to do."""
        return self._alone_since + PATIENCE_S

    def expire(self, now: float) -> list[Task]:
        """Drops and returns all tasks if no service came back in time; from now on no task is taken."""
        if now < self.deadline():
            return []
        self._alone_since, self.judge = math.inf, None
        return [self.drop(task) for task in list(self._tasks.values())]
