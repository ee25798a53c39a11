"""Guessing codes: so many are free, then one a second, of one address and over all; the answers tell nothing."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from protocol.bounds import Kind
from protocol.codec import encode_batch
from protocol.messages import ClientMessage, Create, Enter, Error, HostLeague, Join, Ok, RosterEntry, Watch
from protocol.values import personal_hash
from server.admission import admission
from server.admission.admission import LATE_A_SECOND, LATE_S, SUSPECT_S, Admission
from server.ratelimit import AddressMeter, Meter, Rates
from tests.cores import plain_core
from tests.faults.simulation.virtual import run
from tests.server.hall import Guest, Hall

FREE = 20
RATES = Rates(work=1e6, chat=1e6, chat_burst=1e6, prompt=1e6, prompt_burst=1e6)


class Street:
    """A server, and guests from addresses of their own."""

    def __init__(self) -> None:
        self.hall = Hall()
        self.hall.app.admission = Admission(rates=RATES)
        self._meters: dict[str, AddressMeter] = {}

    async def guest(self, name: str, address: str, kind: Kind = "human", *, trusted: bool = False) -> Guest:
        guest = Guest(name, kind)
        await guest.come(self.hall)
        meter = self._meters.setdefault(address, AddressMeter(RATES, trusted=trusted))
        guest.line.peer.meter = Meter(RATES, meter)
        guest.line.peer.host = address
        return guest

    async def tries(self, guest: Guest, *messages: ClientMessage) -> list[str]:
        """What comes of these, sent as one frame: "ok" or the code of the error."""
        self.hall.hear(guest.line, encode_batch(messages))
        ids = {message.id for message in messages}

        def answers() -> list[Ok | Error]:
            return [said for said in guest.messages if isinstance(said, Ok | Error) and said.id in ids]

        await guest.until(lambda: len(answers()) == len(ids))
        return [said.code if isinstance(said, Error) else "ok" for said in answers()]


def wrong(guest: Guest, count: int) -> list[ClientMessage]:
    kinds = (Join, Watch, Enter)
    codes = (
        "".join(("BCDFGHJKLMNPQRSTVWXZ"[number // 20 % 20], "BCDFGHJKLMNPQRSTVWXZ"[number % 20])) * 3
        for number in range(count)
    )
    return [kinds[number % 3](guest.number(), code=code) for number, code in enumerate(codes)]


def played(scene: Callable[[Street], Awaitable[None]]) -> None:
    async def main() -> None:
        await scene(Street())

    run(main())


async def private(guest: Guest) -> Ok:
    return await guest.ok(Create(guest.number(), "morpion", public=False))


def test_twenty_are_free_in_one_frame_as_in_many() -> None:
    async def scene(street: Street) -> None:
        eve = await street.guest("Eve", "10.0.0.1")
        said = await street.tries(eve, *wrong(eve, 300))
        assert set(said[:FREE]) == {"no_such_match", "no_such_league"}
        assert set(said[FREE:]) == {"rate_limited"}
        assert await street.tries(eve, *wrong(eve, 1)) == ["rate_limited"]
        await asyncio.sleep(1.01)
        assert await street.tries(eve, *wrong(eve, 2)) == ["no_such_match", "rate_limited"]

    played(scene)


def test_a_machine_that_is_trusted_guesses_no_faster() -> None:
    """Through a proxy, or a tunnel, a whole class comes from the server's own machine."""

    async def scene(street: Street) -> None:
        code, eve = await of_a_roster(street), await street.guest("Eve", "127.0.0.1", trusted=True)
        said = await street.tries(eve, *wrong(eve, 2 * FREE))
        assert said[FREE:] == ["rate_limited"] * FREE
        guesses = [Enter(eve.number(), code, personal=f"BIDULE{number:02}") for number in range(20)]
        assert sorted(await street.tries(eve, *guesses)) == ["bad_code"] + ["rate_limited"] * 19
        ann = await street.guest("Ann", "127.0.0.1", trusted=True)
        assert await street.tries(ann, Enter(ann.number(), code, personal="BIDULEBI")) == ["ok"]

    played(scene)


def test_organisers_and_hosts_wait_for_nobody_who_guesses() -> None:
    async def scene(street: Street) -> None:
        desk, host, eve = [await street.guest(name, "127.0.0.1") for name in ("Desk", "Host", "Eve")]
        session = street.hall.app.referee.sessions.at(desk.line.peer.number)
        assert session is not None
        session.directs = True
        opened, code = await private(host), (await host.ok(HostLeague(host.number()))).code
        assert isinstance(code, str)
        assert isinstance(opened.code, str)
        await street.tries(eve, *wrong(eve, 2 * FREE))
        assert await street.tries(desk, Watch(desk.number(), code=opened.code)) == ["ok"]
        assert await street.tries(host, HostLeague(host.number(), code, ())) == ["ok"]
        assert await street.tries(host, Watch(host.number(), code=opened.code)) == ["rate_limited"]

    played(scene)


@pytest.mark.parametrize("address", ["10.0.0.1", "10.0.0.2"])
def test_a_right_code_is_not_looked_at_meanwhile_from_there_and_is_from_elsewhere(address: str) -> None:
    async def scene(street: Street) -> None:
        ada = await street.guest("Ada", "10.0.0.9")
        opened = await private(ada)
        assert isinstance(opened.code, str)
        eve = await street.guest("Eve", "10.0.0.1")
        await street.tries(eve, *wrong(eve, FREE))
        bob = await street.guest("Bob", address)
        expected = "rate_limited" if address == "10.0.0.1" else "ok"
        assert await street.tries(bob, Join(bob.number(), code=opened.code)) == [expected]

    played(scene)


def test_wrong_keys_count_as_wrong_codes_do() -> None:
    async def scene(street: Street) -> None:
        host, ann = await street.guest("Host", "10.0.0.9"), await street.guest("Ann", "10.0.0.8", "bot")
        code = (await host.ok(HostLeague(host.number()))).code
        assert isinstance(code, str)
        assert await street.tries(ann, Enter(ann.number(), code, key="a" * 22)) == ["ok"]
        eve = await street.guest("Eve", "10.0.0.1", "bot")
        keys = [f"{number:022}" for number in range(2 * FREE)]
        said = await street.tries(eve, *(Enter(eve.number(), code, key=key, name="Ann") for key in keys))
        assert said == ["not_yours"] * FREE + ["rate_limited"] * FREE

    played(scene)


async def of_a_roster(street: Street) -> str:
    """The code of a league that Ann enters with ``BIDULEBI``."""
    host = await street.guest("Host", "10.0.0.9")
    code = (await host.ok(HostLeague(host.number(), roster=()))).code
    assert isinstance(code, str)
    ann = RosterEntry("Ann", personal_hash(code, "BIDULEBI"))
    await host.ok(HostLeague(host.number(), code, (ann,)))
    return code


def test_a_right_personal_code_gets_in_beside_one_who_guesses() -> None:
    """A class is behind one address: whoever guesses there keeps nobody out."""

    async def scene(street: Street) -> None:
        code = await of_a_roster(street)
        ann, eve = await street.guest("Ann", "10.0.0.1"), await street.guest("Eve", "10.0.0.1")
        await street.tries(eve, *wrong(eve, 50))
        entering = asyncio.create_task(street.tries(ann, Enter(ann.number(), code, personal="BIDULEBI")))
        while not entering.done():
            await street.tries(eve, *wrong(eve, 10))
            await asyncio.sleep(0.1)
        assert entering.result() == ["ok"]

    played(scene)


def test_who_guesses_personal_codes_has_few_tries_and_waits_for_each() -> None:
    async def scene(street: Street) -> None:
        code, eve = await of_a_roster(street), await street.guest("Eve", "10.0.0.1")
        await street.tries(eve, *wrong(eve, 50))
        before = asyncio.get_running_loop().time()
        guesses = [Enter(eve.number(), code, personal=f"BIDULE{number:02}") for number in range(20)]
        said = await street.tries(eve, *guesses)
        assert sorted(said) == ["bad_code"] + ["rate_limited"] * 19
        assert asyncio.get_running_loop().time() - before > LATE_S / 2

    played(scene)


def test_who_has_many_connections_guesses_no_faster_and_keeps_nobody_out() -> None:
    async def scene(street: Street) -> None:
        code, loop = await of_a_roster(street), asyncio.get_running_loop()
        eves = [await street.guest(f"Eve {number}", "10.0.0.1") for number in range(20)]
        await street.tries(eves[0], *wrong(eves[0], 50))
        before = loop.time()
        guesses = [street.tries(eve, Enter(eve.number(), code, personal="BIDULEBA")) for eve in eves]
        ann = await street.guest("Ann", "10.0.0.1")
        *said, right = await asyncio.gather(*guesses, street.tries(ann, Enter(ann.number(), code, personal="BIDULEBI")))
        assert (said, right) == ([["bad_code"]] * 20, ["ok"])
        assert loop.time() - before > 20 / LATE_A_SECOND - 0.1 > LATE_S

    played(scene)


def test_who_left_is_judged_no_more() -> None:
    async def scene(street: Street) -> None:
        code = await of_a_roster(street)
        ann, eve = await street.guest("Ann", "10.0.0.1"), await street.guest("Eve", "10.0.0.1")
        await street.tries(eve, *wrong(eve, 50))
        street.hall.hear(ann.line, encode_batch([Enter(ann.number(), code, personal="BIDULEBI")]))
        before = len(ann.messages)
        ann.go()
        await asyncio.sleep(2 * LATE_S)
        assert len(ann.messages) == before

    played(scene)


def test_a_link_always_gets_in() -> None:
    async def scene(street: Street) -> None:
        ada, eve = await street.guest("Ada", "10.0.0.9"), await street.guest("Eve", "10.0.0.1")
        opened = await private(ada)
        assert isinstance(opened.link, str)
        await street.tries(eve, *wrong(eve, 50))
        assert await street.tries(eve, Join(eve.number(), link=opened.link)) == ["ok"]

    played(scene)


def test_many_addresses_guess_no_faster_than_one() -> None:
    """Each has a first guess, which a class that types its codes needs; from then on they wait for one another."""

    async def scene(street: Street) -> None:
        looked_at = 0
        for number in range(60):
            eve = await street.guest(f"Eve {number}", f"10.0.1.{number}")
            said = await street.tries(eve, *wrong(eve, 10))
            looked_at += sum(code != "rate_limited" for code in said)
        assert looked_at <= FREE + 60

    played(scene)


def test_wrong_full_and_closed_sound_alike() -> None:
    async def scene(street: Street) -> None:
        ada, bob, eve = [await street.guest(name, "10.0.0.1") for name in ("Ada", "Bob", "Eve")]
        opened = await private(ada)
        assert isinstance(opened.code, str)
        assert isinstance(opened.match, str)
        await bob.ok(Join(bob.number(), code=opened.code))
        asked = [
            Join(eve.number(), code="ZZZZZZ"),
            Join(eve.number(), code=opened.code),
            Join(eve.number(), opened.match),
            Join(eve.number(), "nosuch"),
        ]
        await street.tries(eve, *asked)
        errors = [said for said in eve.messages if isinstance(said, Error)]
        assert len({(error.code, error.message, error.retry_after_ms) for error in errors}) == 1

    played(scene)


@pytest.mark.parametrize(("place", "free"), [("10.0.2.{}", 30), ("2001:db8:1:{}::1", 1)])
def test_nor_do_they_if_they_take_their_time(place: str, free: int) -> None:
    """A guess a second from each of thousands is thousands a second; and an IPv6 subscriber has 65,536 networks."""

    async def scene(street: Street) -> None:
        eves = [await street.guest(f"Eve {number}", place.format(number)) for number in range(30)]
        looked_at = 0
        for _second in range(20):
            for eve in eves:
                said = await street.tries(eve, *wrong(eve, 1))
                looked_at += sum(code != "rate_limited" for code in said)
            await asyncio.sleep(1.01)
        assert looked_at <= FREE + free + 22
        await asyncio.sleep(SUSPECT_S)
        assert await street.tries(eves[0], *wrong(eves[0], 1)) == ["no_such_match"]

    played(scene)


@plain_core
def test_only_so_many_suspects_are_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(admission, "MOST_SUSPECTS", 3)

    async def scene(street: Street) -> None:
        for number in range(9):
            eve = await street.guest(f"Eve {number}", f"10.0.3.{number}")
            await street.tries(eve, *wrong(eve, 1))
        known = street.hall.app.admission._suspects
        assert list(known) == ["10.0.3.6", "10.0.3.7", "10.0.3.8"]

    played(scene)
