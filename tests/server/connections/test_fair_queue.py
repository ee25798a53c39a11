"""Who is heard next: addresses take turns, and at each its peers, however much one of them sends."""

from __future__ import annotations

import asyncio
import itertools
import math
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from websockets.protocol import State

from protocol.codec import encode
from protocol.messages import (
    Answer,
    Chat,
    Create,
    Hello,
    Join,
    ListMatches,
    MakeMove,
    Offer,
    Resign,
)
from protocol.weights import REMATCH_WEIGHT, REPLAYED_WEIGHT, WEIGHTS
from server.admission.admission import Admission
from server.admission.gate import GateOptions
from server.connections.connection_bounds import Bounds
from server.connections.fair_queue import BUDGET_SECONDS, FIRST_UNITS, SLICE_UNITS, FairQueue
from server.connections.peer import Peer
from server.ratelimit import AddressMeter, Meter, Rates
from server.referee.effects import Effect
from server.store.store import Progress
from tests.cores import plain_core
from tests.faults.rawsocket import frame
from tests.faults.simulation.virtual import run, virtual_loop
from tests.server.connections.callers import Caller, Narrow, flood, hall, turns_of_the_loop
from tests.server.lines import Heard
from tests.server.stores import HeldStore

SLICE = 0.0005
"""What a slice takes, in the virtual time."""


class Mouth:
    """Somebody with so many slices to say."""

    def __init__(self, name: str, address: AddressMeter, slices: int) -> None:
        self.name, self.slices = name, slices
        self.peer = Heard().peer
        self.peer.meter = Meter(Rates(), address)


class Line:
    """A queue of mouths; `heard` says who was heard, and when."""

    def __init__(self) -> None:
        self.heard: list[tuple[str, float]] = []
        self.turns = FairQueue(self._act)
        self._mouths: dict[Peer, Mouth] = {}

    def wait(self, *mouths: Mouth) -> None:
        for mouth in mouths:
            self._mouths[mouth.peer] = mouth
            self.turns.wait(mouth.peer)

    def _act(self, peer: Peer, _units: float) -> bool:
        mouth = self._mouths[peer]
        virtual_loop().stall(SLICE)
        self.heard.append((mouth.name, virtual_loop().time()))
        mouth.slices -= 1
        return mouth.slices > 0

    def names(self) -> list[str]:
        return [name for name, _ in self.heard]

    async def until_all_is_heard(self) -> None:
        await turns_of_the_loop(lambda: not self.turns._addresses)


class TestOrder:
    def test_addresses_alternate_whatever_stands_behind_them(self) -> None:
        """Row 96."""

        async def scene() -> None:
            line, crowd, calm = Line(), AddressMeter(Rates()), AddressMeter(Rates())
            line.wait(*(Mouth(f"g{n}", crowd, 50) for n in range(100)))
            await asyncio.sleep(0)
            line.wait(Mouth("calm", calm, 3))
            before = len(line.heard)
            await line.until_all_is_heard()
            places = [place for place, name in enumerate(line.names()[before:]) if name == "calm"]
            assert places == [1, 3, 5]

        run(scene())

    def test_peers_of_one_address_alternate(self) -> None:
        async def scene() -> None:
            line, address = Line(), AddressMeter(Rates())
            line.wait(*(Mouth(name, address, 4) for name in "abc"))
            await line.until_all_is_heard()
            assert "".join(line.names()) == "abc" * 4

        run(scene())

    def test_who_comes_with_little_does_not_wait_behind_neighbours_with_much(self) -> None:
        """Row 96: the crowd is behind the same address, and has had its first slices."""

        async def scene() -> None:
            line, address = Line(), AddressMeter(Rates())
            line.wait(*(Mouth(f"g{n}", address, 50) for n in range(100)))
            await turns_of_the_loop(lambda: len(line.heard) > 110)
            line.wait(Mouth("calm", address, 1))
            before = len(line.heard)
            await line.until_all_is_heard()
            assert line.names()[before] == "calm"

        run(scene())

    def test_those_who_come_do_no_more_work_together_than_those_who_stayed(self) -> None:
        async def scene() -> None:
            line, address = Line(), AddressMeter(Rates())
            line.wait(Mouth("stays", address, 20))
            await turns_of_the_loop(lambda: bool(line.heard))
            for n in range(300):
                line.wait(Mouth(f"new{n}", address, 1))
            await line.until_all_is_heard()
            places = [place for place, name in enumerate(line.names()) if name == "stays"]
            assert max(b - a for a, b in itertools.pairwise(places)) <= SLICE_UNITS / FIRST_UNITS + 1

        run(scene())

    def test_the_loop_goes_round_after_each_budget(self) -> None:
        """Who has little to say is heard at once, without waiting here: at most a budget later."""

        async def scene() -> None:
            line, address = Line(), AddressMeter(Rates())
            line.wait(*(Mouth(str(n), address, 40) for n in range(10)))
            rounds: list[float] = []
            while line.turns._addresses:
                began = virtual_loop().time()
                await asyncio.sleep(0)
                rounds.append(virtual_loop().time() - began)
            assert max(rounds) <= BUDGET_SECONDS + SLICE
            assert len(rounds) >= 400 * SLICE / BUDGET_SECONDS - 1

        run(scene())

    def test_what_goes_wrong_with_one_holds_up_nobody(self) -> None:
        async def scene() -> None:
            heard: list[Peer] = []

            def act(peer: Peer, _units: float) -> bool:
                if peer is bad:
                    raise ValueError
                heard.append(peer)
                return False

            turns, address = FairQueue(act), AddressMeter(Rates())
            bad, good = (Mouth(name, address, 1).peer for name in ("bad", "good"))
            turns.wait(bad)
            turns.wait(good)
            for _ in range(4):
                await asyncio.sleep(0)
            assert heard == [good]
            assert len(virtual_loop().failures) == 1
            virtual_loop().failures.clear()

        run(scene())

    @settings(deadline=None)
    @given(st.lists(st.tuples(st.integers(0, 3), st.integers(1, 9)), min_size=1, max_size=12))
    def test_nobody_gets_less_than_his_part(self, crowd: list[tuple[int, int]]) -> None:
        """While an address waits, no other is heard twice; all is heard in the end, and nothing is kept of it."""

        async def scene() -> None:
            line, addresses = Line(), [AddressMeter(Rates()) for _ in range(4)]
            mouths = [Mouth(f"{place}.{n}", addresses[place], slices) for n, (place, slices) in enumerate(crowd)]
            left = Counter(place for place, slices in crowd for _ in range(slices))
            line.wait(*mouths)
            await line.until_all_is_heard()
            order = [int(name.partition(".")[0]) for name in line.names()]
            assert Counter(order) == left
            for at, place in enumerate(order):
                left[place] -= 1
                waiting = {other for other in left if left[other]}
                following = order[at + 1 : at + 1 + len(waiting)]
                assert set(following) == waiting
            assert not line.turns._lines
            assert not line.turns._scheduled

        run(scene())


class TestReading:
    """What is read costs its address some of what it may be heard at once."""

    RATE, BURST = 1e-3, 1e6  # so slowly does it come back that the time of a scene gives nothing

    async def cost(self, *packets: bytes, trusted: bool = False) -> float:
        """What some packets cost, in units."""
        served = hall()
        served.app.admission = Admission(GateOptions(), Rates(prompt=self.RATE, prompt_burst=self.BURST))
        caller = Caller(served, "10.0.0.1", "ada")
        await caller.hello()
        caller.peer.address.trusted = trusted
        before = self.lacking(caller)
        for packet in packets:
            caller.peer.data_received(packet)
            await caller.until_caught_up()
        assert caller.answers()[1:] == [100] * len(packets)
        return self.lacking(caller) - before

    def lacking(self, caller: Caller) -> float:
        return caller.peer.address.prompt.wait(virtual_loop().time(), self.BURST) * self.RATE

    def test_a_long_frame_costs_its_length(self) -> None:
        async def scene() -> None:
            question = encode(ListMatches(100, limit=1))
            for size, more in ((500, 1000), (500, 3000), (5000, 12_500), (5000, 50_000)):  # at once, and in portions
                short = await self.cost(frame(question + b" " * size))
                longer = await self.cost(frame(question + b" " * (size + more)))
                assert longer - short == pytest.approx(more / 25_000, abs=0.01)

        run(scene())

    def test_each_frame_of_a_packet_costs_as_much(self) -> None:
        async def scene() -> None:
            question, empty = frame(encode(ListMatches(100, limit=1))), frame(b"", 0x0A)
            few, many = await self.cost(question + 10 * empty), await self.cost(question + 210 * empty)
            assert many - few == pytest.approx(200 * (0.04 + len(empty) / 25_000), rel=0.01)

        run(scene())

    def test_a_packet_that_is_no_usual_message_costs_more(self) -> None:
        async def scene() -> None:
            question = frame(encode(ListMatches(100, limit=1)))
            usual, twice = await self.cost(question), await self.cost(question, question)
            assert twice == pytest.approx(2 * usual, abs=0.001)
            unusual = await self.cost(question + frame(b"", 0x0A))
            assert unusual - usual == pytest.approx(0.3 + 2 * 0.04, abs=0.01)

        run(scene())

    def test_who_is_trusted_pays_nothing_for_it(self) -> None:
        async def scene() -> None:
            question = encode(ListMatches(100, limit=1))
            short = await self.cost(frame(question + b" " * 500), trusted=True)
            longer = await self.cost(frame(question + b" " * 3500), trusted=True)
            assert longer == pytest.approx(short, abs=0.001)

        run(scene())


class TestPeers:
    def test_the_order_of_what_one_says_is_kept(self) -> None:
        async def scene() -> None:
            caller = Caller(hall(), "10.0.0.1", "ada")
            await caller.hello()
            caller.send(*flood(100, 200))
            assert caller.peer.queued
            caller.send(*flood(300, 5))
            assert not caller.reads(), "what arrives while one waits is read once, and then nothing more"
            await caller.until_caught_up()
            assert caller.reads()
            assert caller.answers()[1:] == list(range(100, 305))
            caller.send(*flood(305, 5))
            await caller.until_caught_up()
            assert caller.answers()[206:] == list(range(305, 310))

        run(scene())

    @settings(deadline=None, max_examples=60)
    @given(st.lists(st.integers(1, 3000), max_size=20), st.integers(1, 150))
    def test_it_is_kept_however_the_stream_is_cut(self, cuts: Sequence[int], count: int) -> None:
        async def scene() -> None:
            caller = Caller(hall(), "10.0.0.1", "ada")
            await caller.hello()
            stream = b"".join(frame(encode(message)) for message in flood(100, count))
            for size in [*cuts, len(stream)]:
                packet, stream = stream[:size], stream[size:]
                if packet:
                    await caller.until_caught_up()
                    assert caller.wire.reading
                    caller.peer.data_received(packet)
            await caller.until_caught_up()
            assert caller.answers()[1:] == list(range(100, 100 + count))

        run(scene())

    def test_a_calm_neighbour_is_heard_at_once_and_the_flood_too_in_time(self) -> None:
        async def scene() -> None:
            served = hall()
            greedy = [Caller(served, "10.0.0.1", f"greedy{n}") for n in range(20)]
            calm = Caller(served, "10.0.0.2", "calm")
            for caller in (*greedy, calm):
                await caller.hello()
            for caller in greedy:
                caller.send(*flood(100, 200))
            await asyncio.sleep(0)
            calm.send(*flood(7, 1))
            assert not calm.peer.queued, "heard in the turn of the loop that read it"
            await calm.until_caught_up()
            assert 7 in calm.answers()
            neighbour = greedy[0]
            await neighbour.until_caught_up()
            neighbour.send(*flood(300, 1))
            assert neighbour.peer.queued, "his address has others who wait"
            await neighbour.until_caught_up()
            assert neighbour.answers()[-1] == 300
            for caller in greedy[1:]:
                await caller.until_caught_up()
                assert caller.answers()[1:] == list(range(100, 300))

        run(scene())

    @plain_core
    def test_many_who_say_a_little_at_the_same_moment_share_one_budget(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Row 96: a slow machine; their bucket counts work, and would let all of them through at once."""

        async def scene() -> None:
            served = hall(prompt_burst=10_000.0)
            crowd = [Caller(served, "10.0.0.1", f"many{n}") for n in range(30)]
            calm = Caller(served, "10.0.0.2", "calm")
            for caller in (*crowd, calm):
                await caller.hello()
            answer = served.app._answer

            def slowly(*about: Any) -> Sequence[Effect]:
                virtual_loop().stall(0.001)
                return answer(*about)

            monkeypatch.setattr(served.app, "_answer", slowly)
            began = virtual_loop().time()
            for caller in crowd:
                caller.send(*flood(100, 8))
            assert virtual_loop().time() - began < BUDGET_SECONDS + 0.008
            calm.send(*flood(7, 1))
            await turns_of_the_loop(lambda: 7 in calm.answers())
            assert virtual_loop().time() - began < 4 * BUDGET_SECONDS + 0.008
            for caller in crowd:
                await caller.until_caught_up()
                assert caller.answers()[1:] == list(range(100, 108))

        run(scene())

    @pytest.mark.parametrize("batch", [True, False])
    def test_an_end_of_file_while_it_waits_does_not_swallow_what_was_said(self, batch: bool) -> None:
        async def scene() -> None:
            served = hall()
            caller = Caller(served, "10.0.0.1", "ada")
            await caller.hello()
            messages = [*flood(100, 150), Create(999, "morpion")]
            if batch:
                caller.send(*messages)
            else:
                caller.peer.data_received(b"".join(frame(encode(message)) for message in messages))
            assert caller.peer.eof_received() is True, "kept open"
            for _ in range(2000):
                await asyncio.sleep(0)
            assert len(served.app.referee.lobby) == 1
            assert caller.wire.closed
            caller.peer.connection_lost(None)
            await asyncio.sleep(0.1)
            assert not served.app._peers

        run(scene())

    def test_a_connection_that_is_lost_while_it_waits_frees_all(self) -> None:
        async def scene() -> None:
            served = hall()
            caller, other = Caller(served, "10.0.0.1", "ada"), Caller(served, "10.0.0.1", "bob")
            await caller.hello()
            await other.hello()
            caller.send(*flood(100, 200))
            caller.peer.data_received(b"x" * 5000)  # read before reading stopped
            other.send(*flood(100, 50))
            caller.wire.closed = True
            caller.peer.connection_lost(None)
            await other.until_caught_up()
            assert len(other.answers()) == 51
            turns = served.app._fair_queue
            assert not turns._addresses
            assert not turns._lines
            assert not caller.peer.pending
            assert not caller.peer._rest
            assert not caller.peer.queued
            assert list(served.app._peers) == [other.peer]

        run(scene())

    def test_reading_goes_on_only_when_both_ways_are_free(self) -> None:
        """A peer that waits for its turn and does not read, either: the later of both ends lets it go on."""

        async def scene() -> None:
            for written_first in (True, False):
                served = hall()
                caller = Caller(served, "10.0.0.1", "ada")
                await caller.hello()
                caller.send(*flood(100, 50))
                caller.peer.pause_writing()
                if written_first:
                    caller.peer.resume_writing()
                    assert not caller.reads(), "it still waits for its turn"
                    await caller.until_caught_up()
                else:
                    await caller.until_caught_up()
                    assert not caller.reads(), "it still does not read"
                    caller.peer.resume_writing()
                assert caller.reads()
                assert caller.peer.protocol.state is State.OPEN

        run(scene())

    def test_who_floods_himself_holds_his_flag_no_longer_than_he_is_heard(self) -> None:
        async def scene() -> None:
            served = hall()
            caller = Caller(served, "10.0.0.1", "ada")
            await caller.hello()
            number = caller.peer.number
            assert served.app._peers.unheard_since(number) == float("inf")
            caller.send(*flood(100, 100))
            first = served.app._peers.unheard_since(number)
            assert first == served.app.now()
            virtual_loop().stall(0.01)
            assert served.app._peers.unheard_since(number) == first
            await caller.until_caught_up()
            assert served.app._peers.unheard_since(number) == float("inf")
            caller.send(*flood(200, 100))
            assert served.app._peers.unheard_since(number) > first, "a new flood counts from its own time"

        run(scene())

    def test_a_time_that_stood_still_makes_nobody_earlier(self) -> None:
        """What was read while the store could not write counts as read when the time went on."""

        async def scene() -> None:
            served = hall()
            caller = Caller(served, "10.0.0.1", "ada")
            await caller.hello()
            before = served.app.now()
            served.app._time.freeze(virtual_loop().time())
            virtual_loop().stall(5)
            caller.send(*flood(100, 100))
            virtual_loop().stall(30)
            assert before <= served.app._peers.unheard_since(caller.peer.number) <= served.app.now()

        run(scene())

    def test_who_reads_nothing_is_heard_no_further_until_they_read(self) -> None:
        """What one asks for, and does not read, has to be kept for them: for hundreds at one address it is much."""

        async def scene() -> None:
            served = hall()
            served.app.bounds = Bounds(ping_interval=1e6, high_water=500, unheard=2_000)
            narrow = Narrow("10.0.0.1")
            caller, calm = Caller(served, "10.0.0.1", "ada", narrow), Caller(served, "10.0.0.2", "calm")
            await caller.hello()
            await calm.hello()
            narrow.peer = caller.peer
            caller.send(*flood(100, 400))
            while len(caller.answers()) < 401:
                await turns_of_the_loop(lambda: caller.peer.stuck)
                for _ in range(50):
                    await asyncio.sleep(0)
                assert narrow.unread + caller.peer.waiting < 4_000
                assert served.app._peers.unheard_since(caller.peer.number) == math.inf, "no flag waits for that"
                calm.send(*flood(7, 1))
                await calm.until_caught_up()
                narrow.read()
                await turns_of_the_loop(lambda: caller.peer.stuck or not caller.peer.queued)
            assert caller.answers()[1:] == list(range(100, 500))
            assert not caller.peer.queued
            narrow.read()
            assert caller.reads()

        run(scene())

    def test_what_waits_for_the_disk_has_a_bound_too(self) -> None:
        async def scene() -> None:
            made: list[HeldStore] = []

            def open_store(tell: Callable[[Progress], None]) -> HeldStore:
                made.append(HeldStore(tell))
                return made[0]

            served = hall(open_store=open_store)
            served.app.bounds = Bounds(unheard=2_000, ping_interval=1.0, ping_timeout=1.0)
            (disk,) = made
            caller = Caller(served, "10.0.0.1", "ada")
            caller.send(Hello(1, 1, "test", "bot", caller.name), *flood(100, 400))
            while len(caller.answers()) < 401:
                await turns_of_the_loop(lambda: caller.peer.stuck)
                await asyncio.sleep(5)
                assert caller.peer.waiting < 4_000
                assert not caller.wire.closed, "it may have answered a ping: nobody read that"
                disk.commit()
                await turns_of_the_loop(lambda: caller.peer.stuck or not caller.peer.queued)
                await asyncio.sleep(0.1)
            assert caller.answers()[1:] == list(range(100, 500))

        run(scene())

    @plain_core
    def test_a_bug_costs_one_connection(self, monkeypatch: pytest.MonkeyPatch) -> None:
        async def scene() -> None:
            served = hall()
            caller, other = Caller(served, "10.0.0.1", "ada"), Caller(served, "10.0.0.1", "bob")
            await caller.hello()
            await other.hello()
            caller.send(*flood(100, 50))
            other.send(*flood(100, 50))

            caught_up = Peer.caught_up

            def broken(peer: Peer) -> None:
                if peer is caller.peer:
                    raise RuntimeError
                caught_up(peer)

            monkeypatch.setattr(Peer, "caught_up", broken)
            await other.until_caught_up()
            assert len(other.answers()) == 51
            assert caller.wire.closed

        run(scene())


def test_a_move_that_many_read_is_owed_for() -> None:
    """Who makes five hundred spectators read pays for that, not his neighbours."""

    async def scene() -> None:
        served = hall(prompt_burst=60.0)
        ada, bob = Caller(served, "10.0.0.1", "ada"), Caller(served, "10.0.0.1", "bob")
        crowd = [Caller(served, "10.0.1.1", f"c{n}") for n in range(100)]
        await ada.hello()
        await bob.hello()
        ada.send(Create(2, "morpion", seat="first"))
        await ada.until_caught_up()
        (match,) = [table.match.id for table in served.app.referee.lobby.tables()]
        bob.send(Join(2, match))
        await bob.until_caught_up()
        table = served.app.referee.lobby.find(match)
        for caller in crowd:
            await caller.hello()
            session = served.app.referee.sessions.named(caller.name)
            assert session is not None
            table.watch(session)
        await asyncio.sleep(60)
        ada.send(Chat(3, match, "hello"))
        assert ada.peer.address.prompt.wait(virtual_loop().time(), 60.0) > 0.1, "ten times what a line of chat costs"

    run(scene())


@plain_core
def test_what_an_accepted_offer_costs_is_owed_by_who_accepts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also by who accepts a rematch by offering one."""
    owed: list[float] = []
    monkeypatch.setattr(Meter, "owes", lambda _meter, _now, units: owed.append(units))

    async def scene() -> None:
        served = hall(prompt_burst=1e6)
        ada, bob = Caller(served, "10.0.0.1", "ada"), Caller(served, "10.0.0.1", "bob")
        await ada.hello()
        await bob.hello()
        ada.send(Create(2, "morpion", seat="first"))
        await ada.until_caught_up()
        (match,) = [table.match.id for table in served.app.referee.lobby.tables()]
        bob.send(Join(2, match))
        for caller, message in (
            (ada, MakeMove(3, match, 0, "b2")), (bob, MakeMove(3, match, 1, "a1")),
            (bob, Offer(4, match, "takeback")), (ada, Answer(4, match, "takeback", accept=True)),
            (ada, Resign(5, match)), (bob, Offer(5, match, "rematch")), (ada, Offer(6, match, "rematch")),
        ):  # fmt: skip
            caller.send(message)
            await caller.until_caught_up()
        assert owed == [REPLAYED_WEIGHT, REMATCH_WEIGHT - WEIGHTS[Offer]]

    run(scene())
