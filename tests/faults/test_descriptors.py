"""No file descriptor is left: who plays plays on, and when descriptors are free again the others get in."""

from __future__ import annotations

import sys
import time

import pytest

from tests.faults.rawsocket import RawSocket
from tests.faults.serving import serving

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="looks into /proc")

LIMIT = 48
LIMITED = ("sh", "-c", f'ulimit -n {LIMIT} && exec "$0" "$@"')
IDLE_S = 1.5


@pytest.mark.slow
def test_matches_go_on_and_the_server_recovers() -> None:
    with serving(prefix=LIMITED, ping_interval=1000, hello=1000) as server:
        with RawSocket(server.port) as one, RawSocket(server.port) as two:
            one.hello("one")
            two.hello("two")
            match = one.ask(type="create", game="morpion", seat="first")["match"]
            two.ask(type="join", match=match)
            crowd = [RawSocket(server.port) for _ in range(2 * LIMIT)]
            try:
                deadline = time.monotonic() + 20
                while server.sockets() < LIMIT - 15:
                    assert time.monotonic() < deadline, "the descriptors are not used up"
                    time.sleep(0.02)
                used = server.processor_seconds()
                time.sleep(IDLE_S)
                assert server.processor_seconds() - used < IDLE_S / 3, "the server turns in circles"
                for ply, (mover, move) in enumerate(((one, "a1"), (two, "b1"), (one, "a2"), (two, "b2"), (one, "a3"))):
                    assert mover.ask(type="move", match=match, ply=ply, move=move)["type"] == "ok"
                assert two.hear("finished")["result"]["winner"] == 1
            finally:
                for link in crowd:
                    link.link.close()
            with RawSocket(server.port) as late:
                late.hello("late")
                assert late.ask(type="list")["type"] == "ok"
        said = server.stop()
    assert said.count("ulimit -n") == 1
    assert "EMFILE" in said
