"""Reviews and trees at a desk: who asks, who works, who is told, and what becomes of all that when somebody goes."""

from __future__ import annotations

from typing import Any

import pytest

from protocol.messages import (
    Branch,
    Error,
    Explain,
    Explained,
    Hello,
    Job,
    JobOver,
    Judged,
    Judgement,
    MakeMove,
    Ok,
    Review,
    Reviewed,
    Serve,
)
from server.referee.effects import ReviewKept
from server.referee.reviews import PATIENCE_S, Caps, FinishedReviews, KeptReview
from server.referee.settings import Access, Settings
from tests.server.desk import WIN, Desk, User, take_turns

MOVES = ("b2", "a1", "c1")


def step(ply: int) -> Judged:
    return Judged(ply, 500, exact=True, value=0, best=("a1",) if ply < len(MOVES) else ())


STEPS = tuple(step(ply) for ply in range(len(MOVES) + 1))


class Hall:
    """A desk with people who ask, and services that work."""

    def __init__(self, **caps: int) -> None:
        self.desk = Desk(Settings(access=Access(service="sesame")))
        self.queue = self.desk.referee.reviewing._queue
        self.queue.caps = Caps(**caps)
        self.ada = self.desk.user("Ada")

    def service(self, name: str = "Review", judge: str = "1") -> User:
        user = User(self.desk, name, "bot")
        hello = Hello(self.desk.request_id(), 1, "test", "bot", name, service="sesame", serves="reviews")
        assert isinstance(self.desk.ask(user.connection, hello), Ok)
        user.ok(Serve(self.desk.request_id(), judge))
        return user

    def review(self, user: User, *moves: str, game: str = "morpion", **more: Any) -> str:
        answer = user.ok(Review(self.desk.request_id(), game, moves or MOVES, **more))
        assert isinstance(answer.ticket, str)
        return answer.ticket

    def judge(self, service: User, ticket: str, steps: tuple[Judged, ...] = STEPS, *, done: bool = True) -> None:
        service.ok(Judgement(self.desk.request_id(), ticket, steps, done=done))


def last(user: User) -> Reviewed:
    """What a user was told last of a review."""
    return next(told for told in reversed(user.desk.received[user.connection]) if isinstance(told, Reviewed))


def jobs(service: User) -> list[str]:
    return [told.job for told in service.desk.received[service.connection] if isinstance(told, Job)]


def test_a_review_grows_and_is_told_to_all_who_asked() -> None:
    hall = Hall()
    service, bob = hall.service(), hall.desk.user("Bob")
    ticket = hall.review(hall.ada)
    assert last(hall.ada).status == "running"
    assert jobs(service) == [ticket]
    hall.judge(service, ticket, STEPS[2:], done=False)
    assert last(hall.ada).steps == STEPS[2:]
    assert hall.review(bob) == ticket
    assert last(bob).steps == STEPS[2:], "who comes later is told what is known"
    hall.judge(service, ticket, STEPS[:2])
    assert (last(hall.ada).status, last(bob).status) == ("done", "done")
    assert jobs(service) == [ticket], "it was worked out once"


def test_what_was_reviewed_is_answered_at_once_also_after_a_restart() -> None:
    hall = Hall()
    service = hall.service()
    ticket = hall.review(hall.ada)
    hall.judge(service, ticket)
    (kept,) = [record for record in hall.desk.records if isinstance(record, ReviewKept)]
    assert kept.ticket == ticket
    again = Hall()
    again.desk.referee.reviewing.restore([KeptReview(kept.number, kept.ticket, kept.judge, kept.steps)])
    again.review(again.ada)
    assert (last(again.ada).status, last(again.ada).steps) == ("done", STEPS), "without any service"
    other = again.service(judge="2")
    again.review(again.ada)
    assert jobs(other) == [ticket], "another judge judges anew"


def test_the_queue_says_how_far_it_is() -> None:
    hall = Hall()
    service = hall.service()
    first = hall.review(hall.ada)
    second = hall.review(hall.ada, "a1")
    third = hall.review(hall.ada, "a2")
    assert [(told.ticket, told.place) for told in hall.ada.said(Reviewed)] == [(third, 2)]
    hall.judge(service, first)
    assert jobs(service) == [first, second]
    assert last(hall.ada).place == 1
    assert last(hall.ada).ticket == third


def test_too_much_is_refused() -> None:
    hall = Hall(session=2, tasks=3, origin=100)
    hall.service()
    bob = hall.desk.user("Bob")
    for move in ("a1", "a2"):
        hall.review(hall.ada, move)
    answer = hall.ada.ask(Review(hall.desk.request_id(), "morpion", ("a3",)))
    assert isinstance(answer, Error)
    assert answer.code == "busy"
    assert isinstance(answer.retry_after_ms, int)
    hall.review(hall.ada, "a1")
    hall.review(bob, "b1")
    assert bob.refused(Review(hall.desk.request_id(), "morpion", ("b2",))) == "busy"
    hall.review(bob, "a1")


def test_a_crowd_behind_one_address_has_one_share() -> None:
    hall = Hall(origin=2)
    hall.desk.measured.origins = dict.fromkeys(range(20), "198.51.100.7")
    hall.service()
    hall.review(hall.desk.user("Bob"), "a1")
    hall.review(hall.desk.user("Cy"), "a2")
    assert hall.ada.refused(Review(hall.desk.request_id(), "morpion", ("a3",))) == "busy"


def test_what_nobody_waits_for_is_left() -> None:
    hall = Hall()
    service = hall.service()
    ticket, other = hall.review(hall.ada), hall.review(hall.ada, "a1")
    hall.review(hall.ada, follow=False)
    assert [told.job for told in service.said(JobOver)] == [ticket]
    assert jobs(service) == [ticket, other]
    hall.ada.drop()
    assert [told.job for told in service.said(JobOver)] == [other]
    assert len(hall.queue) == 0
    hall.judge(service, ticket)
    assert not [record for record in hall.desk.records if isinstance(record, ReviewKept)]


def test_a_service_that_dies_is_replaced_but_not_for_ever() -> None:
    hall = Hall(tries=2)
    service = hall.service()
    ticket = hall.review(hall.ada)
    hall.judge(service, ticket, STEPS[3:], done=False)
    service.drop()
    assert last(hall.ada).status == "running", "nothing is said while it waits"
    second = hall.service("Review 2")
    assert jobs(second) == [ticket]
    second.drop()
    assert (last(hall.ada).status, last(hall.ada).why) == ("failed", "given_up")


def test_without_any_service_nothing_waits_for_ever() -> None:
    hall = Hall()
    assert hall.ada.refused(Review(hall.desk.request_id(), "morpion", MOVES)) == "no_service"
    service = hall.service()
    hall.review(hall.ada)
    service.drop()
    hall.desk.wait(PATIENCE_S - 1)
    assert last(hall.ada).status == "running"
    hall.desk.wait(2)
    assert (last(hall.ada).status, last(hall.ada).why) == ("failed", "no_service")
    assert hall.ada.refused(Review(hall.desk.request_id(), "morpion", MOVES)) == "no_service"


def test_a_tree_is_unfolded_while_a_review_is_made() -> None:
    hall = Hall()
    service = hall.service()
    hall.review(hall.ada)
    answer = hall.ada.ok(Explain(hall.desk.request_id(), "morpion", ("b2",), 2, ("a1",)))
    (job,) = service.said(Job)
    assert (job.what, job.moves, job.depth, job.path) == ("explain", ("b2",), 2, ("a1",))
    branches = (Branch(1, "replies", 3, children=1), Branch(2, "estimate", 3, "c1"))
    service.ok(Judgement(hall.desk.request_id(), job.job, branches=branches, done=True))
    assert [(told.ticket, told.branches) for told in hall.ada.said(Explained)] == [(answer.ticket, branches)]


def test_strangers_can_not_serve() -> None:
    hall = Hall()
    hall.service()
    ticket = hall.review(hall.ada)
    assert hall.ada.refused(Serve(hall.desk.request_id(), "1")) == "not_allowed"
    assert hall.ada.refused(Judgement(hall.desk.request_id(), ticket, STEPS, done=True)) == "not_allowed"


def test_what_can_not_be_reviewed() -> None:
    hall = Hall()
    hall.service()
    ada, number = hall.ada, hall.desk.request_id
    assert ada.refused(Review(number())) == "bad_message"
    assert ada.refused(Review(number(), "chess", ("e4",))) == "bad_rules"
    assert ada.refused(Review(number(), "morpion", ("b2", "b2"))) == "illegal_move"
    assert ada.refused(Explain(number(), "morpion", ("b2",), 2, ("z9",))) == "illegal_move"
    assert ada.refused(Review(number(), match="nowhere1")) == "no_such_match"
    assert len(hall.queue) == 0


def test_a_match_is_reviewed_when_it_is_over() -> None:
    hall = Hall()
    hall.service()
    first, second, match = hall.desk.pair("morpion")
    take_turns(first, second, match, WIN[:-1])
    assert first.refused(Review(hall.desk.request_id(), match=match)) == "not_over"
    first.ok(MakeMove(hall.desk.request_id(), match, len(WIN) - 1, WIN[-1]))
    answer = first.ok(Review(hall.desk.request_id(), match=match))
    assert answer.ticket == hall.review(hall.ada, *WIN)


@pytest.mark.parametrize("ask", [Review, Explain])
def test_a_position_that_is_being_played_is_nobodys_to_ask_for(ask: type[Review | Explain]) -> None:
    hall = Hall()
    service = hall.service()
    ticket = hall.review(hall.ada, *WIN)
    hall.judge(service, ticket, tuple(step(ply) for ply in range(len(WIN) + 1)))
    first, second, match = hall.desk.pair("morpion")
    take_turns(first, second, match, WIN[:-1])
    for user in (first, second, hall.ada):
        assert user.refused(ask(hall.desk.request_id(), "morpion", WIN[:-1])) == "being_played"
        assert user.refused(ask(hall.desk.request_id(), "morpion", ("b1", "b2", "a1", "a2"))) == "being_played"
    assert hall.ada.refused(Review(hall.desk.request_id(), "morpion", WIN)) == "being_played", "also what is kept"
    first.ok(MakeMove(hall.desk.request_id(), match, len(WIN) - 1, WIN[-1]))
    hall.review(hall.ada, *WIN)
    assert last(hall.ada).status == "done"


def test_what_comes_to_be_played_meanwhile_is_not_told() -> None:
    hall = Hall()
    service = hall.service()
    ticket = hall.review(hall.ada, *WIN)
    first, second, match = hall.desk.pair("morpion")
    take_turns(first, second, match, WIN[:-1])
    hall.judge(service, ticket, (step(1),), done=False)
    assert (last(hall.ada).status, last(hall.ada).why, last(hall.ada).steps) == ("failed", "being_played", ())
    assert [told.job for told in service.said(JobOver)] == [ticket]


def test_the_shelf_holds_so_many_the_oldest_go() -> None:
    finished = FinishedReviews(2)
    for name in ("a", "b", "a", "c"):
        finished.put(name, "1", name)
    assert len(finished) == 2
    assert finished.find("b", "1") is None
    assert finished.find("a", "1") is not None
    assert finished.find("a", "2") is None
    found = finished.find("c", None)
    assert found is not None
    assert found.number == 4


def test_who_is_sent_away_waits_for_nothing() -> None:
    hall = Hall(session=1, tasks=1)
    hall.service()
    hall.review(hall.ada)
    session = hall.desk.referee.sessions.at(hall.ada.connection)
    assert session is not None
    hall.desk.referee.sessions.expel(session)
    hall.review(hall.desk.user("Bob"), "a1")
    assert len(hall.queue) == 1
