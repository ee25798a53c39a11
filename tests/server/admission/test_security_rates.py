"""Token buckets and the gate, at times that the tests choose."""

from __future__ import annotations

from ipaddress import ip_network
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from websockets.datastructures import Headers

from server.admission.gate import Gate, GateOptions, HandshakeRefusal, is_origin
from server.ratelimit import LETTER, AddressMeter, Bucket, Debt, Meter, Rates, address_key


class TestBucket:
    def test_a_burst_then_the_rate(self) -> None:
        bucket = Bucket(rate=4, burst=2)
        assert [bucket.take(100.0) for _ in range(3)] == [True, True, False]
        assert bucket.wait(100.0) == pytest.approx(0.25)
        assert not bucket.take(100.2)
        assert bucket.take(100.25)
        assert not bucket.take(100.25)

    def test_what_is_refused_costs_nothing(self) -> None:
        bucket = Bucket(rate=1, burst=1)
        bucket.take(0.0)
        for _ in range(100):
            assert not bucket.take(0.5)
        assert bucket.take(1.0)

    def test_it_never_holds_more_than_its_burst(self) -> None:
        bucket = Bucket(rate=1, burst=3)
        assert [bucket.take(1e6) for _ in range(4)] == [True, True, True, False]

    def test_a_full_one_lets_everything_through_once(self) -> None:
        bucket = Bucket(rate=1, burst=3)
        assert bucket.take(0.0, 10)
        assert not bucket.take(0.0, 0.01)
        assert bucket.take(3.0, 3)

    def test_it_begins_full_and_says_for_how_long_it_is(self) -> None:
        bucket = Bucket(rate=2, burst=3)
        assert bucket.is_full(0.0)
        assert [bucket.full_s(now) for now in (0.0, 5.0)] == [0.0, 5.0]
        bucket.take(5.0, 2)
        assert [bucket.full_s(now) for now in (5.0, 6.0, 8.5)] == [0.0, 0.0, 2.5]

    def test_who_waits_as_long_as_told_passes(self) -> None:
        bucket = Bucket(rate=3, burst=5)
        assert bucket.take(7.0, 5)
        assert bucket.take(7.0 + bucket.wait(7.0, 2) + 1e-9, 2)

    @given(st.lists(st.floats(0, 2, allow_nan=False), min_size=1, max_size=200), st.integers(1, 50), st.integers(1, 20))
    def test_no_span_of_time_lets_more_through_than_promised(self, pauses: list[float], rate: int, burst: int) -> None:
        bucket, now, passed = Bucket(rate, burst), 0.0, list[float]()
        for pause in pauses:
            now += pause
            if bucket.take(now):
                passed.append(now)
        for first, begin in enumerate(passed):
            for last in range(first, len(passed)):
                assert last - first + 1 <= burst + rate * (passed[last] - begin) + 1e-6

    @given(
        st.lists(st.tuples(st.floats(0, 3), st.sampled_from(("take", "spend")), st.floats(0.01, 30)), max_size=60),
        st.floats(0.5, 50),
        st.floats(1, 20),
    )
    def test_it_is_a_bucket(self, steps: list[tuple[float, str, float]], rate: float, burst: float) -> None:
        """Against one that is filled: what is in it grows with the time and goes down to three buckets of debt."""
        bucket, now, level = Bucket(rate, burst), 0.0, burst
        for pause, what, units in steps:
            now += pause
            level = min(burst, level + pause * rate)
            at = now + bucket.wait(now, units)
            assert (at - now) * rate == pytest.approx(max(0.0, min(units, burst) - level), abs=1e-5)
            assert abs(level) < 1e-5 or bucket.has_any(now) == (level > 0)
            assert abs(level - burst) < 1e-5 or not bucket.is_full(now)
            if what == "spend":
                assert abs(level) < 1e-5 or bucket.spend(now, units) == (level > 0)
                if abs(level) < 1e-5:
                    return
                level = max(level - units, -3 * burst)
            else:
                cost = min(units, burst)
                if abs(level - cost) < 1e-5:
                    return
                assert bucket.take(now, units) == (level > cost)
                level -= cost if level > cost else 0


class TestMeters:
    def test_an_address_has_each_of_its_rates(self) -> None:
        rates = Rates(
            work=10, address=3, prompt=5, prompt_burst=7, codes=2, codes_burst=4,
            attempts=2, attempts_burst=6, attempts_delay=9,
        )  # fmt: skip
        meter = AddressMeter(rates)
        for bucket, rate, burst in ((meter.work, 30, 30), (meter.prompt, 5, 7), (meter.codes, 2, 4)):
            assert bucket.take(0.0, burst)
            assert bucket.wait(0.0, 1) == pytest.approx(1 / rate)
            assert not meter.is_idle(0.0)
        assert meter.attempts.add(0.0, 6) == pytest.approx(0, abs=1e-6)
        assert meter.attempts.add(0.0, 4) == pytest.approx(2)
        assert meter.attempts.add(0.0, 40) == pytest.approx(9)
        assert AddressMeter(rates).is_idle(0.0)


class TestDebt:
    def test_what_is_owed_is_forgiven_from_the_moment_when_it_was_owed(self) -> None:
        debt = Debt(rate=1, burst=2, longest=10)
        assert debt.add(100.0, 2) == pytest.approx(0, abs=1e-6)
        assert debt.add(100.0, 3) == pytest.approx(3)
        assert not debt.is_clear(104.9)
        assert debt.is_clear(105.1)
        assert debt.add(105.0) == 0
        assert debt.add(105.0, 50) == pytest.approx(10)
        assert not debt.is_clear(116.9)
        assert debt.is_clear(117.1)

    def test_one_unit_is_owed_where_nothing_is_said(self) -> None:
        one, other = (Debt(rate=4, burst=1, longest=10) for _ in range(2))
        for _ in range(5):
            assert one.add(0.0) == other.add(0.0, 1)
        assert one.add(0.0) == pytest.approx(5 / 4)


class TestMeter:
    RATES = Rates(work=10, address=2, chat=1, chat_burst=2, letters=2, letters_burst=3)

    def test_nobody_is_trusted_who_was_not_said_to_be(self) -> None:
        assert not AddressMeter(self.RATES).trusted
        assert AddressMeter(self.RATES, trusted=True).trusted

    def test_work_that_is_done_already_is_charged_to_the_connection_and_to_its_address(self) -> None:
        address = AddressMeter(self.RATES)
        address.connections = 30
        one, other = (Meter(self.RATES, address) for _ in range(2))
        one.owes(7.0, 12)
        assert not one.passes(7.0)
        assert one.unused_s(8.1) == 0
        assert sum(other.passes(7.0) for _ in range(30)) == 20 - 12
        assert one.passes(7.5)

    @pytest.mark.parametrize(("length", "letters"), [(0, 1), (LETTER - 1, 1), (LETTER, 2), (2 * LETTER, 3)])
    def test_a_long_letter_counts_as_several(self, length: int, letters: int) -> None:
        meter = Meter(self.RATES, AddressMeter(self.RATES))
        assert meter.passes_letter(0.0, length)
        assert meter.letter_wait_ms(0.0, 3 * LETTER - 1) == pytest.approx(1000 * letters / 2, abs=1)
        assert sum(meter.passes_letter(0.0, 0) for _ in range(9)) == 3 - letters
        assert not meter.passes_letter(0.4, 0)
        assert meter.passes_letter(0.5, 0)

    def test_who_is_refused_is_told_a_whole_millisecond_in_which_it_passes(self) -> None:
        meter = Meter(self.RATES, AddressMeter(self.RATES))
        assert all(meter.passes_chat(0.0) for _ in range(2))
        assert not meter.passes_chat(0.0)
        wait = meter.chat_wait_ms(0.0)
        assert wait == 1000
        assert meter.passes_chat(wait / 1000)

    def test_connections_of_one_address_share_its_rate(self) -> None:
        address = AddressMeter(self.RATES)
        address.connections = 30
        passed = [Meter(self.RATES, address).passes(0.0) for _ in range(30)]
        assert sum(passed) == 20

    def test_no_neighbour_uses_up_what_is_left_for_each(self) -> None:
        rates = Rates()
        address = AddressMeter(rates)
        address.connections = 40
        flooding = [Meter(rates, address) for _ in range(39)]
        calm, share = Meter(rates, address), 80_000 / 40
        passed = 0
        for tick in range(3000):
            now = tick / 1000
            passed += sum(one.passes(now, 20.0) for one in flooding for _ in range(4))
            assert calm.passes(now), "one move a millisecond is less than its share"
        assert not address.work.take(3.0, 100.0), "the neighbours have taken the rest"
        assert passed * 20 <= 4 * 80_000 + 4 * 39 * share

    def test_what_is_left_for_each_lets_nothing_large_through(self) -> None:
        rates = Rates()
        address = AddressMeter(rates)
        address.connections = 500
        address.work.spend(0.0, 80_000)
        assert Meter(rates, address).passes(0.0, 160.0)
        assert not Meter(rates, address).passes(0.0, 161.0)
        one = Meter(rates, address)
        assert sum(one.passes(0.0, 1.0) for _ in range(1000)) == 160

    def test_one_connection_has_its_own(self) -> None:
        meter = Meter(self.RATES, AddressMeter(self.RATES))
        assert sum(meter.passes(0.0) for _ in range(30)) == 10
        assert meter.wait_ms(0.0) == pytest.approx(100, abs=1)

    def test_talk_is_slower(self) -> None:
        meter = Meter(self.RATES, AddressMeter(self.RATES))
        assert [meter.passes_chat(0.0) for _ in range(3)] == [True, True, False]
        assert meter.passes(0.0)

    def test_who_goes_on_and_on_is_not_listened_to(self) -> None:
        meter = Meter(self.RATES, AddressMeter(self.RATES))
        refused = 0
        while meter.refuse(0.0):
            refused += 1
        assert refused == 10

    def test_the_default_lets_a_program_with_many_games_work(self) -> None:
        meter = Meter(Rates(), AddressMeter(Rates()))
        for step in range(30):
            assert all(meter.passes(step * 0.1) for _ in range(1500))


LETTERS = "letters to the host of a league, of one connection"


def test_the_rates_are_those_of_the_manual() -> None:
    rows = (Path(__file__).parents[3] / "docs" / "server.md").read_text(encoding="utf-8").splitlines()
    bounds = {cells[1].strip(): " | ".join(cells[2:]) for row in rows if len(cells := row.split("|")) == 5}
    rates, words = Rates(), {1.0: "one", 4.0: "four"}
    for what, bound in {
        "work for one connection": f"`--rate` {rates.work:,.0f} moves a second",
        "work for one address": f"{words[rates.address]} times `--rate`",
        "wrong codes and keys of one address, and of all": f"{rates.codes_burst:g}, then {words[rates.codes]} a second",
        LETTERS: f"{rates.letters_burst:g}, then {rates.letters:g} a second",
        "lines of chat of one connection": f"{rates.chat_burst:g}, then {words[rates.chat]} a second",
        "wrong tokens from one address": f"{rates.attempts_burst:g}, then {rates.attempts:g} a second",
    }.items():
        assert f" {bound} " in bounds[what].replace(";", " "), what
    assert f"{LETTER:,} characters count as one" in bounds[LETTERS]
    assert f"up to {rates.attempts_delay:g} s;" in bounds["wrong tokens from one address"]


def gate(options: GateOptions | None = None) -> Gate:
    return Gate(options or GateOptions(), Rates())


def checked(one: Gate, host: str = "192.0.2.7", **headers: str) -> HandshakeRefusal | None:
    return one.check(one.enter(host, 0.0), Headers({"Host": "games.example:8765", **headers}))


class TestOrigin:
    @pytest.mark.parametrize(
        "origin", ["http://games.example:8765", "https://games.example:8765", "http://GAMES.example:8765"]
    )
    def test_the_server_s_own_page_may_connect(self, origin: str) -> None:
        assert checked(gate(), Origin=origin) is None

    def test_programs_send_none(self) -> None:
        assert checked(gate()) is None

    @pytest.mark.parametrize(
        "origin",
        [
            "http://evil.example", "http://games.example", "http://games.example:8766", "https://games.example",
            "http://games.example.evil.example:8765", "http://evil.example:8765#games.example:8765", "null", "",
            "file://", "http://", "games.example:8765", "ftp://games.example:8765", "http://a@games.example:8765",
            "http://games.example:99999", "http://[::1", "http://games.example:0",
        ],
    )  # fmt: skip
    def test_other_pages_may_not(self, origin: str) -> None:
        refusal = checked(gate(), Origin=origin)
        assert refusal is not None
        assert refusal.status == 403

    def test_default_ports_are_understood(self) -> None:
        one = gate()
        for host, origin in (("a.example", "https://a.example"), ("a.example:443", "https://a.example"),
                             ("[2001:db8::1]:80", "http://[2001:db8::1]")):  # fmt: skip
            headers = Headers({"Host": host, "Origin": origin})
            assert one.check(one.enter("192.0.2.7", 0.0), headers) is None

    def test_two_origins_or_hosts_are_one_too_many(self) -> None:
        one = gate()
        own = "http://games.example:8765"
        for headers in (
            Headers([("Host", "games.example:8765"), ("Origin", own), ("Origin", own)]),
            Headers([("Host", "games.example:8765"), ("Host", "games.example:8765"), ("Origin", own)]),
            Headers([("Origin", own)]),
        ):
            refusal = one.check(one.enter("192.0.2.7", 0.0), headers)
            assert refusal is not None
            assert refusal.status == 403

    def test_the_operator_may_name_others(self) -> None:
        one = gate(GateOptions(origins=frozenset({"https://school.example"})))
        assert checked(one, Origin="https://school.example") is None
        assert checked(one, Origin="http://school.example") is not None
        assert checked(one, Origin="https://school.example:8443") is not None

    def test_what_is_an_origin(self) -> None:
        assert is_origin("https://school.example")
        assert is_origin("http://10.0.0.1:8765")
        for text in ("school.example", "https://school.example/", "https://a/b", "ws://a", "", "https://a#b"):
            assert not is_origin(text)

    @given(st.text(max_size=60))
    def test_nothing_breaks_it(self, origin: str) -> None:
        refusal = gate()._allows([origin], ["games.example:8765"])
        assert refusal is False


def test_a_meter_knows_since_when_nothing_was_asked() -> None:
    meter = Meter(Rates(work=10), AddressMeter(Rates()))
    assert meter.passes(100.0, 5)
    assert meter.unused_s(100.2) == 0
    assert meter.unused_s(107.5) == pytest.approx(7)
    assert meter.passes(108.0)
    assert meter.unused_s(109.0) == pytest.approx(0.9)


class TestCounting:
    def test_a_full_server_says_when_to_come_back(self) -> None:
        one = gate(GateOptions(connections=2))
        assert [checked(one, f"192.0.2.{number}") is None for number in range(3)] == [True, True, False]
        refusal = checked(one, "192.0.2.9")
        assert refusal is not None
        assert (refusal.status, refusal.retry_seconds) == (503, 5)
        assert one.overrun(one.enter("192.0.2.9", 0.0))

    def test_who_leaves_makes_room(self) -> None:
        one = gate(GateOptions(connections=1))
        meter = one.enter("192.0.2.1", 0.0)
        assert checked(one, "192.0.2.2") is not None
        one.leave(meter)
        one.leave(one.enter("192.0.2.2", 0.0))
        assert one.connections == 1

    def test_one_address_does_not_take_it_all(self) -> None:
        one = gate(GateOptions(from_address=2))
        assert [checked(one) is None for _ in range(3)] == [True, True, False]
        assert checked(one, "192.0.2.8") is None

    def test_far_too_many_of_one_address_are_not_even_told(self) -> None:
        one = gate(GateOptions(from_address=2))
        assert [one.overrun(one.enter("192.0.2.7", 0.0)) for _ in range(19)] == [False] * 18 + [True]

    @pytest.mark.parametrize("host", ["127.0.0.1", "::1", "::ffff:127.0.0.1", "192.0.2.7"])
    def test_nobody_is_free_but_whom_the_operator_trusts(self, host: str) -> None:
        strict = gate(GateOptions(from_address=1))
        assert [checked(strict, host) is None for _ in range(2)] == [True, False]
        networks = tuple(map(ip_network, ("127.0.0.0/8", "::1", "192.0.2.0/24")))
        free = gate(GateOptions(from_address=1, trusted=networks))
        assert all(checked(free, host) is None for _ in range(100))
        assert free.is_trusted(host)
        assert free.enter(host, 0.0).trusted
        assert not free.is_trusted("198.51.100.1")
        assert not free.is_trusted("")

    def test_what_is_one_address(self) -> None:
        assert address_key("2001:db8:1:2:3:4:5:6") == address_key("2001:db8:1:2::9") != address_key("2001:db8:1:3::9")
        assert address_key("::ffff:192.0.2.1") == address_key("192.0.2.1")
        assert address_key("fe80::1%eth0") != address_key("fe80::2%eth0")
        assert address_key("") == ""

    def test_addresses_are_forgotten(self) -> None:
        one = gate()
        for number in range(50_000):
            one.leave(one.enter(f"10.{number >> 16}.{number >> 8 & 255}.{number & 255}", 0.0))
        assert len(one._meters) < 3000

    def test_but_not_what_they_guessed(self) -> None:
        one = gate()
        meter = one.enter("192.0.2.1", 0.0)
        meter.attempts.add(0.0, 300)
        one.leave(meter)
        for number in range(5000):
            one.leave(one.enter(f"10.0.{number >> 8}.{number & 255}", 0.0))
        assert one.enter("192.0.2.1", 0.0) is meter
