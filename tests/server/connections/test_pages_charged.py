"""Whoever asks for a page has no session, and opens a connection for each: the address is charged."""

from collections.abc import Sequence

import pytest

from protocol.weights import FIGURES_WEIGHT
from server.connections.fair_queue import BUDGET_SECONDS
from tests.faults.rawsocket import request
from tests.faults.simulation.virtual import run, virtual_loop
from tests.server.connections.callers import Caller, hall, turns_of_the_loop


def waiting(callers: Sequence[Caller]) -> list[Caller]:
    """Those who have no answer yet."""
    return [caller for caller in callers if not caller.wire.written]


@pytest.mark.parametrize("path", ["/healthz", "/metrics", "/lobby", "/nowhere"])
def test_a_page_is_charged_to_the_address_that_asks_for_it(path: str) -> None:
    async def scene() -> None:
        served = hall(prompt_burst=FIGURES_WEIGHT)
        callers = [Caller(served, "10.0.0.1", str(n), asks=request(1, path)) for n in range(8)]
        assert not any(caller.peer.queued for caller in callers if caller.wire.written)
        assert len(waiting(callers)) >= (7 if path == "/metrics" else 2)
        assert Caller(served, "10.0.0.2", "else", asks=request(1, path)).wire.written
        for caller in waiting(callers):
            await turns_of_the_loop(lambda: bool(caller.wire.written))  # noqa: B023 - it is done when it returns

    run(scene())


def test_not_all_that_many_ask_for_in_one_turn_is_answered_in_it() -> None:
    async def scene() -> None:
        served = hall()
        early = Caller(served, "10.0.0.1", "early", asks=request(1, "/lobby"))
        virtual_loop().stall(BUDGET_SECONDS)
        late = [Caller(served, f"10.0.1.{n}", "late", asks=request(1, "/lobby")) for n in range(3)]
        assert early.wire.written
        assert waiting(late) == late
        await turns_of_the_loop(lambda: not waiting(late))
        assert Caller(served, "10.0.0.1", "next", asks=request(1, "/lobby")).wire.written

    run(scene())
