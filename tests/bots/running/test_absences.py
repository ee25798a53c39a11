"""When a bot claims a match whose opponent is away, in a time that passes by itself."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import Any, cast

import pytest

from bots.running.absences import AbsenceClaims
from client.connection import Client
from client.errors import Refused
from games import Seat
from protocol.messages import Claim, Error, Player
from tests.faults.simulation.virtual import run, virtual_loop
from view.match import MatchView


class Session:
    welcome = None


@dataclass
class Server:
    """Notes when it is asked for a claim, and refuses as often as it is told to."""

    refusals: int = 0
    asked_at: list[float] = field(default_factory=list)
    session: Session = field(default_factory=Session)

    def now(self) -> float:
        return virtual_loop().time()

    async def request(self, make: type[Claim], match: str) -> None:
        assert (make, match) == (Claim, "m")
        self.asked_at.append(self.now())
        if len(self.asked_at) <= self.refusals:
            raise Refused(Error("too_early", "not yet", retry_after_ms=2000))


@dataclass
class View:
    """A match of which a claim may be made in five seconds, if the opponent is away."""

    present: bool = False
    match: str = "m"
    seat: Seat = Seat.FIRST
    waits_for_absent: bool = False
    claimable_at: float = 5.0

    def player(self, seat: Seat) -> Player:
        assert seat is Seat.SECOND
        return Player("Bob", "human", present=self.present)


async def claimed(server: Server, wait_s: float = 0.0, *, back: bool = False) -> list[float]:
    """When it was asked, within a minute; `back`: the opponent is there again after a second."""
    tasks: list[asyncio.Task[Any]] = []
    claims = AbsenceClaims(cast(Client, server), lambda work: tasks.append(asyncio.create_task(work)), wait_s)
    claims.watch(cast(MatchView, View()))
    await asyncio.sleep(1)
    claims.watch(cast(MatchView, View(present=back)))
    await asyncio.sleep(59)
    claims.close()
    return server.asked_at


@pytest.mark.parametrize(("wait_s", "at"), [(0.0, 5.05), (3.0, 5.05), (30.0, 30.05)])
def test_it_claims_when_the_server_would_grant_it_and_its_own_patience_ends(wait_s: float, at: float) -> None:
    assert run(claimed(Server(), wait_s)) == [pytest.approx(at)]


def test_it_claims_again_when_it_is_told_to_wait() -> None:
    assert run(claimed(Server(refusals=2))) == [pytest.approx(at) for at in (5.05, 7.05, 9.05)]


def test_it_claims_nothing_from_who_is_back() -> None:
    assert run(claimed(Server(), back=True)) == []
