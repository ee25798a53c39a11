"""The server of benchmarks/weights.py: Arbitre's own, with a crowd in it, that says what it has used and charged.

After each line on standard input it writes one of JSON: its CPU seconds so far, and the units that its meters took.
Its rates, shares and waiting times bind nobody.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import secrets
import sys
import time
from functools import partial

from protocol import PROTOCOL
from protocol.messages import Create, Hello
from server.admission.admission import Admission
from server.admission.gate import GateOptions
from server.app import App
from server.connections.connection_bounds import Bounds
from server.connections.handshakes import Handshake
from server.connections.peer import Peer
from server.match.terms import Timeouts
from server.ratelimit import AddressMeter, Bucket, Meter, Rates
from server.referee.referee import Referee
from server.referee.settings import Access, Settings, Shares

ORGANISER = "the organisers' word"
SERVICE = "the services' word"
MUCH = 1e9
COUNT = 10**6
RATES = Rates(
    work=MUCH,
    address=1.0,
    prompt=MUCH,
    prompt_burst=MUCH,
    chat=MUCH,
    chat_burst=MUCH,
    attempts=MUCH,
    attempts_burst=MUCH,
)


class Charges:
    """Units that were taken: `work` from the meters of connections, `prompt` from those of addresses."""

    def __init__(self) -> None:
        self.work = 0.0
        self.prompt = 0.0


class CountedMeter(Meter):
    """Keeps count of the work of a connection."""

    __slots__ = ("_charges",)

    def __init__(self, address: AddressMeter, charges: Charges) -> None:
        super().__init__(RATES, address)
        self._charges = charges

    def passes(self, now: float, units: float = 1.0) -> bool:
        """Takes, and counts."""
        self._charges.work += units
        return super().passes(now, units)

    def owes(self, now: float, units: float) -> None:
        """Takes, and counts."""
        self._charges.work += units
        super().owes(now, units)


class CountedBucket(Bucket):
    """Keeps count of what an address has heard at once."""

    __slots__ = ("_charges",)

    def __init__(self, charges: Charges) -> None:
        super().__init__(RATES.prompt, RATES.prompt_burst)
        self._charges = charges

    def spend(self, now: float, units: float) -> bool:
        """Takes, and counts."""
        self._charges.prompt += units
        return super().spend(now, units)


class CountingAdmission(Admission):
    """Gives each connection a meter that counts."""

    def __init__(self, charges: Charges) -> None:
        super().__init__(GateOptions(COUNT, COUNT), RATES)
        self._charges = charges

    def enter(self, peer: Peer, handshake: Handshake) -> None:
        """Lets a peer in, and counts what is taken of its address."""
        super().enter(peer, handshake)
        address = peer.address
        if not isinstance(address.prompt, CountedBucket):
            address.prompt = CountedBucket(self._charges)
        peer.meter = CountedMeter(address, self._charges)


def fill(referee: Referee, users: int, matches: int) -> None:
    """Lets `users` be here and open `matches`, which wait; their connections lead nowhere."""
    for number in range(1, users + 1):
        referee.receive(-number, Hello(1, PROTOCOL, "crowd", "bot", f"crowd {number}"), 0.0)
    for number in range(matches):
        referee.receive(-1 - number % users, Create(2, "othello"), 0.0)


async def serve(users: int, matches: int) -> None:
    """Serves until standard input ends."""
    charges = Charges()
    settings = Settings(
        timeouts=Timeouts(absence=0.001, waiting=MUCH, left_waiting=MUCH),
        max_matches=COUNT, max_own=COUNT, max_sessions=COUNT,
        shares=Shares(COUNT, COUNT, COUNT, COUNT), access=Access(organiser=ORGANISER, service=SERVICE),
    )  # fmt: skip
    make_referee = partial(
        Referee, settings, random.Random(1), lambda: secrets.token_urlsafe(16), lambda: time.time_ns() // 10**6
    )
    app = App(make_referee, Bounds(ping_interval=MUCH, ping_timeout=MUCH, hello=MUCH))
    fill(app.referee, users, matches)
    app.admission = CountingAdmission(charges)
    server = await app.start("127.0.0.1", 0)
    over = asyncio.Event()

    def tell() -> None:
        if not sys.stdin.readline():
            over.set()
            return
        print(json.dumps({"cpu": time.process_time(), "work": charges.work, "prompt": charges.prompt}), flush=True)

    asyncio.get_running_loop().add_reader(sys.stdin.fileno(), tell)
    print(f"listening on ws://127.0.0.1:{server.sockets[0].getsockname()[1]}", flush=True)
    await over.wait()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--users", type=int, required=True)
    parser.add_argument("--matches", type=int, required=True)
    options = parser.parse_args()
    asyncio.run(serve(options.users, options.matches))
