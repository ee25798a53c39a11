"""Reviews and trees: who asks for them, which service works on them, who is told what is found out. Pure.

What was asked for is checked against the games that people play when it is asked for, and again before anything of it
is told: a game may come to a position meanwhile.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import Literal

from msgspec import json as msgjson

from games import Game
from protocol.errors import ErrorCode, ProtocolError
from protocol.messages import (
    Explain,
    Explained,
    Job,
    JobOver,
    Judged,
    Judgement,
    NoAnswer,
    Ok,
    Review,
    Reviewed,
    Serve,
    ServerMessage,
)
from server.match.boards import path_of
from server.match.terms import Status
from server.referee.concealed import Line
from server.referee.effects import ReviewKept
from server.referee.hub import Hub
from server.referee.lobby import parse_rules
from server.referee.reviews import FinishedReviews, KeptReview, Queue, Task, ticket_of
from server.referee.sessions import Session


class Reviewing:
    """Answers who wants a review or a tree on `hub`, and the services that make them."""

    def __init__(self, hub: Hub) -> None:
        self._hub = hub
        self._queue = Queue()
        self._finished = FinishedReviews(self._queue.caps.kept)

    def restore(self, kept: Iterable[KeptReview]) -> None:
        """Takes back the reviews that were kept, in the order in which they were."""
        for review in kept:
            self._finished.restore(review)

    # ------------------------------------------------------------------------------------------------------ who asks

    def review(self, session: Session, request: Review, now: float) -> None:
        """Somebody asks for a review of a game, or cancels it."""
        self._hub.switches.check_values(session)
        game, moves = self._game_of(session, request)
        ticket = ticket_of("review", game, moves)
        if not request.follow:
            self._let_go(self._queue.leave(session, ticket))
            self._hub.out.send(session, Ok(request.id, ticket=ticket))
            self._hand_out()
            return
        path = path_of(game, moves)
        self._hub.concealed.check(session, Line(game, path), now)
        kept = self._finished.find(ticket, self._queue.judge)
        if kept is not None:
            steps = msgjson.decode(kept.steps, type=tuple[Judged, ...])
            self._hub.out.send(session, Ok(request.id, ticket=ticket))
            self._hub.out.send(session, Reviewed(ticket, "done", steps=steps))
            return
        make = partial(Task, ticket, "review", game, moves, path)
        task = self._ask(session, ticket, make, now)
        self._hub.out.send(session, Ok(request.id, ticket=ticket))
        self._hub.out.send(session, self._state(task))
        self._hand_out()

    def explain(self, session: Session, request: Explain, now: float) -> None:
        """Somebody wants to see a node of a tree."""
        self._hub.switches.check_values(session)
        game = parse_rules(request.game)
        path = path_of(game, (*request.moves, *request.path))
        self._hub.concealed.check(session, Line(game, path), now)
        ticket = ticket_of("explain", game, request.moves, request.depth, request.path)
        make = partial(Task, ticket, "explain", game, request.moves, path, request.depth, request.path)
        self._ask(session, ticket, make, now)
        self._hub.out.send(session, Ok(request.id, ticket=ticket))
        self._hand_out()

    def _game_of(self, session: Session, request: Review) -> tuple[Game, tuple[str, ...]]:
        """The rules and the moves that a review is about; raises ProtocolError."""
        if request.match is None:
            if request.game is None:
                raise ProtocolError(ErrorCode.BAD_MESSAGE, "a review needs a match, or a game and its moves")
            return parse_rules(request.game), request.moves
        match = self._hub.lobby.find_for(session, request.match).seen_by(session)
        if match.status is not Status.FINISHED:
            raise ProtocolError(ErrorCode.NOT_OVER, "a match is reviewed when it is over")
        return match.game, tuple(match.moves)

    def _ask(self, session: Session, ticket: str, make: Callable[[], Task], now: float) -> Task:
        """The task of a ticket, for which `session` waits from now on; raises ProtocolError."""
        for absent in self._queue.absent():
            self.left(absent, now)
        origin = None if session.connection is None else self._hub.measured.address_of(session.connection)
        return self._queue.ask(ticket, make, session, origin)

    def left(self, session: Session, now: float) -> None:
        """The connection of a session is over: it waits for nothing, and works on nothing."""
        self._let_go(self._queue.leave(session))
        for task in self._queue.gone(session, now):
            self._fail(task, "given_up")
        self._hand_out()

    def tick(self, now: float) -> None:
        """Gives up waiting for services that have not come back in time."""
        for task in self._queue.expire(now):
            self._fail(task, "no_service")

    def deadline(self) -> float:
        """When `tick` has something to do."""
        return self._queue.deadline()

    # ----------------------------------------------------------------------------------------------------- who works

    def serve(self, session: Session, request: Serve, now: float) -> None:
        """A service is ready for work."""
        if session.service != "reviews":
            raise ProtocolError(ErrorCode.NOT_ALLOWED, "that is for the services of this server")
        for task in self._queue.gone(session, now):
            self._fail(task, "given_up")
        self._queue.ready(session, request.judge)
        self._hub.out.ok(session, request.id)
        self._hand_out()

    def judgement(self, session: Session, request: Judgement, now: float) -> None:
        """Takes what a service has found out; a result that nobody waits for any more is no error."""
        if not self._queue.is_ready(session):
            raise ProtocolError(ErrorCode.NOT_ALLOWED, "that is for the services of this server")
        self._hub.out.ok(session, request.id, prompt=False)
        task = self._queue.get(request.job)
        if task is None or task.service is not session:
            return
        if task.what == "review":
            self._judged(task, request, now)
        else:
            self._tell(task, Explained(task.ticket, request.branches, request.why), now)
        if request.done:
            self._queue.drop(task)
        if request.done or not task.waiting:
            self._hand_out()

    def _judged(self, task: Task, request: Judgement, now: float) -> None:
        """Tells what is new of a review, and keeps it once it is whole."""
        fresh = {step.ply: step for step in request.steps if step.ply < len(task.path)}
        task.steps |= fresh
        is_whole = len(task.steps) == len(task.path)
        if request.done and not is_whole:
            self._tell(task, Reviewed(task.ticket, "failed", why=request.why or "failed"), now)
            return
        status: Literal["done", "running"] = "done" if request.done else "running"
        self._tell(task, Reviewed(task.ticket, status, steps=tuple(fresh.values())), now)
        if request.done and self._queue.judge is not None:
            steps = msgjson.encode([task.steps[ply] for ply in sorted(task.steps)]).decode()
            kept = self._finished.put(task.ticket, self._queue.judge, steps)
            self._hub.out.record(ReviewKept(kept.number % self._finished.size, *kept))

    # --------------------------------------------------------------------------------------------------- who is told

    def _tell(self, task: Task, message: ServerMessage, now: float) -> None:
        """Tells all who wait, except those who may not know it now: they are dropped."""
        line = Line(task.game, task.path)
        for session in tuple(task.waiting):
            if self._hub.concealed.conceals(session, line, now):
                self._hub.out.send(session, _failed(task, "being_played"))
                del task.waiting[session]
            else:
                self._hub.out.send(session, message)
        if not task.waiting:
            self._let_go([self._queue.drop(task)])

    def _fail(self, task: Task, why: NoAnswer) -> None:
        for session in task.waiting:
            self._hub.out.send(session, _failed(task, why))

    def _let_go(self, dropped: Iterable[Task]) -> None:
        """Nobody waits for these tasks any more: tells the services that work on them to stop."""
        for task in dropped:
            if task.service is not None:
                self._hub.out.send(task.service, JobOver(task.ticket))

    def _hand_out(self) -> None:
        """Gives tasks to idle services, and tells the sessions that wait where their reviews stand."""
        given = self._queue.assign()
        for task in given:
            assert task.service is not None
            job = Job(task.ticket, task.what, task.game.spec, task.moves, task.depth, task.node)
            self._hub.out.send(task.service, job)
        if any(task.what == "review" for task in given):
            for task in self._queue:
                if task.what == "review" and (task in given or task.service is None):
                    for session in task.waiting:
                        self._hub.out.send(session, self._state(task), prompt=False)

    def _state(self, task: Task) -> Reviewed:
        """What is known of a review now."""
        steps = tuple(task.steps.values())
        return Reviewed(task.ticket, "queued" if task.service is None else "running", self._queue.place(task), steps)


def _failed(task: Task, why: NoAnswer) -> Reviewed | Explained:
    return Reviewed(task.ticket, "failed", why=why) if task.what == "review" else Explained(task.ticket, why=why)
