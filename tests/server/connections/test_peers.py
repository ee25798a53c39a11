"""What the referee reads of connections, and the effects that ask them for something."""

from __future__ import annotations

import asyncio
import logging
import math

import pytest

from protocol.messages import MakeMove, Resign, Sync
from protocol.weights import DRAWN_WEIGHT
from server.connections.peers import Peers
from server.ratelimit import AddressMeter, Meter
from server.referee.effects import MatchClosed, Probe
from server.referee.measurements import UNMEASURED, Measurements
from tests.cores import plain_core
from tests.server.desk import Desk
from tests.server.hall import Guest, Hall, pair
from tests.server.lines import LIMITLESS, Line


def line() -> Line:
    return Line(lambda _text: None, lambda _code: None)


def peers(one: Line) -> Peers:
    found = Peers()
    one.peer.number = 1
    found.enter(one.peer)
    return found


@pytest.mark.parametrize("measured", [Peers(), UNMEASURED])
def test_nothing_is_known_of_a_connection_that_is_gone(measured: Measurements) -> None:
    assert measured.lag_ms(1) == 0
    assert measured.address_of(1) is None
    assert measured.unheard_since(1) == math.inf
    assert measured.sign_of_life(1, 7.5) == 7.5


async def test_who_is_trusted_counts_for_no_address() -> None:
    one = line()
    one.peer.host = "2001:db8::7"
    assert peers(one).address_of(1) is None
    one.peer.meter = Meter(LIMITLESS, AddressMeter(LIMITLESS))
    assert peers(one).address_of(1) == "2001:0db8:0000:0000"


async def test_only_who_waits_was_not_heard() -> None:
    one = line()
    one.peer.heard_at = 3.0
    assert peers(one).unheard_since(1) == math.inf
    one.peer.queued = True
    assert peers(one).unheard_since(1) == 3.0


@pytest.mark.looptime
async def test_the_newer_sign_of_life_counts() -> None:
    one = line()
    one.cut_off_at = asyncio.get_running_loop().time() - 4.0
    one.peer.alive_at = 95.0
    assert peers(one).sign_of_life(1, 100.0) == 96.0
    one.peer.alive_at = 98.0
    assert peers(one).sign_of_life(1, 100.0) == 98.0
    one.peer.queued = True
    assert peers(one).sign_of_life(1, 100.0) == 100.0, "nobody reads what it says"


async def test_a_probe_is_sent_to_the_connection_that_it_names() -> None:
    hall = Hall()
    ada, bob = Guest("Ada"), Guest("Bob")
    await ada.come(hall)
    await bob.come(hall)
    hall.app._perform_now([Probe(bob.line.peer.number), Probe(99)])
    assert (ada.line.probes, bob.line.probes) == (0, 1)
    hall.end()


class Bill(Meter):
    """A meter that keeps what it charges for work that is done."""

    def __init__(self) -> None:
        super().__init__(LIMITLESS, AddressMeter(LIMITLESS))
        self.owed = 0.0

    def owes(self, now: float, units: float) -> None:
        self.owed += units


@plain_core
@pytest.mark.parametrize("boards", [False, True])
async def test_a_board_that_is_drawn_for_a_request_is_charged(*, boards: bool) -> None:
    hall = Hall()
    ada, bob, match = await pair(hall)
    for guest in (ada, bob):
        guest.line.peer.meter = Bill()
    session = hall.app.referee.sessions.named("Bob")
    assert session is not None
    session.boards = boards
    await bob.ok(Sync(bob.number(), match, 0))
    await ada.ok(MakeMove(ada.number(), match, 0, "b2"))
    bills = [guest.line.peer.meter.owed for guest in (ada, bob) if isinstance(guest.line.peer.meter, Bill)]
    assert bills == [DRAWN_WEIGHT * boards] * 2
    hall.end()


async def test_the_end_of_a_match_is_told_where_nothing_is_kept(caplog: pytest.LogCaptureFixture) -> None:
    hall = Hall()
    ada, _, match = await pair(hall)
    with caplog.at_level(logging.INFO, "arbitre.server"):
        await ada.ok(Resign(ada.number(), match))
    assert any(match in record.getMessage() and "resign" in record.getMessage() for record in caplog.records)
    hall.end()


@pytest.mark.parametrize("recording", [True, False])
def test_only_what_is_kept_has_a_chain(*, recording: bool) -> None:
    desk = Desk()
    first, _, match = desk.pair("morpion", None)
    desk.referee.recording = recording
    first.ok(Resign(desk.request_id(), match))
    (closed,) = [record for record in desk.records if isinstance(record, MatchClosed)]
    assert bool(closed.chain) is recording
    assert closed.result.reason == "resign"
