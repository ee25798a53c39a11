"""What is believed of announcements: strangers make them. No network is touched but loopback."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from ipaddress import ip_interface

import pytest
from hypothesis import given
from hypothesis import strategies as st

from client.people import discovery
from client.people.discovery import AT_ONCE, LONGEST_NAME, MOST, MOST_ADDRESSES, TYPE, Announced, Found, asked, read
from client.people.glance import Glance, look
from machine.networks import Own
from tests.server.running import running

OWN: Sequence[Own] = (ip_interface("10.231.80.7/24"), ip_interface("fe80::7%3/64"))
SAID: Mapping[bytes, bytes | None] = {b"v": b"1"}
PIN = "0" * 64


def believed(
    name: str = "ada", addresses: Sequence[str] = ("10.231.80.9",), port: int | None = 8765, **said: str
) -> Announced | None:
    return read(f"{name}.{TYPE}", addresses, port, {**SAID, **{k.encode(): v.encode() for k, v in said.items()}}, OWN)


def test_what_is_announced_is_where_it_is_played() -> None:
    assert believed() == Announced("ada", 8765, ("10.231.80.9",))
    encrypted = believed(addresses=("fe80::9",), tls="1", sha256=PIN, password="1")
    assert encrypted is not None
    assert encrypted.password
    assert encrypted.url(encrypted.addresses[0]) == f"wss://[fe80::9%3]:8765#sha256={PIN}"


@pytest.mark.parametrize(
    "address",
    ["127.0.0.1", "::1", "0.0.0.0", "::", "224.0.0.251", "ff02::fb", "255.255.255.255", "10.231.80.0", "10.231.80.255",
     "10.231.81.9", "192.0.2.1", "8.8.8.8", "2001:db8::1", "::ffff:127.0.0.1", "::ffff:10.231.80.9", "fe80::9%4", "ada",
     ""],
)  # fmt: skip
def test_nobody_is_led_off_the_networks_around_us(address: str) -> None:
    assert believed(addresses=(address,)) is None


@pytest.mark.parametrize("port", [None, 0, 22, 25, 631, 6000, 9100, 65536, -1])
def test_nobody_is_led_to_a_printer_or_a_mail_server(port: int | None) -> None:
    assert believed(port=port) is None
    assert believed(port=80) is not None


def test_another_format_is_not_ours() -> None:
    assert read(f"ada.{TYPE}", ["10.231.80.9"], 8765, {}, OWN) is None
    assert believed(v="2") is None


@pytest.mark.parametrize("pin", ["x", PIN[1:], f"{PIN}\n", "é" * 64])
def test_a_fingerprint_that_is_none_is_left_out(pin: str) -> None:
    found = believed(tls="1", sha256=pin)
    assert found is not None
    assert found.pin is None


@given(
    st.text(),
    st.lists(st.text() | st.ip_addresses().map(str)),
    st.integers(),
    st.dictionaries(st.binary(), st.binary()),
)
def test_whatever_is_announced_is_shown_as_a_short_plain_name(
    name: str, addresses: list[str], port: int, said: dict[bytes, bytes]
) -> None:
    found = read(f"{name}.{TYPE}", [*addresses, "10.231.80.9"], port, {**said, b"v": b"1"}, OWN)
    if found is not None:
        assert found.name.isprintable()
        assert 0 < len(found.name) <= LONGEST_NAME
        assert len(found.addresses) <= MOST_ADDRESSES
        assert all(one.startswith(("10.231.80.", "fe80:")) for one in found.addresses)


async def some(announcements: Iterable[Announced]) -> AsyncGenerator[Announced]:
    for one in announcements:
        yield one


async def test_a_crowd_of_announcements_makes_one_question_of_an_address_and_few_at_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    dialled: list[str] = []
    open_now = most = 0

    async def fake(url: str) -> Glance | None:
        nonlocal open_now, most
        dialled.append(url)
        open_now += 1
        most = max(most, open_now)
        await asyncio.sleep(0)
        open_now -= 1
        return None

    monkeypatch.setattr(discovery, "look", fake)
    crowd = [Announced(f"n{n}", 8765, (f"10.231.80.{n % 100 + 10}",)) for n in range(1000)]
    found = [one async for one in asked(some(crowd))]
    assert len(dialled) == len(set(dialled)) == len(found) == MOST
    assert most == AT_ONCE
    assert all(one.glance is None for one in found)


async def test_who_announces_many_servers_keeps_nobody_else_s_out(monkeypatch: pytest.MonkeyPatch) -> None:
    async def fake(_url: str) -> Glance | None:
        await asyncio.sleep(0)
        return None

    monkeypatch.setattr(discovery, "look", fake)
    flood = [Announced(f"n{port}", port, ("10.231.80.66",)) for port in range(8000, 8200)]
    found = [one async for one in asked(some([*flood, Announced("ada", 8765, ("10.231.80.9",))]))]
    assert [one.name for one in found] == ["n8000", "n8001", "n8002", "n8003", "ada"]


@asynccontextmanager
async def answering(answer: bytes, *, drip: bool = False) -> AsyncGenerator[str]:
    """A server that says this to everybody, or goes on saying it for ever; yields its address."""

    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            await reader.readuntil(b"\r\n\r\n")
            writer.write(answer)
            while drip:
                writer.write(answer)
                await writer.drain()
        except (OSError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()

    server = await asyncio.start_server(talk, "127.0.0.1", 0)
    async with server:
        yield f"ws://127.0.0.1:{server.sockets[0].getsockname()[1]}"


@pytest.mark.parametrize(
    "answer",
    [b"", b"x", b"HTTP/1.1 200 OK\r\n\r\n", b"HTTP/1.1 200 OK\r\n\r\n{", b"HTTP/1.1 200 OK\r\n\r\n" + b"[" * 50_000,
     b'HTTP/1.1 404 No\r\n\r\n{"protocol":1,"version":"1","server_time_ms":1}',
     b'HTTP/1.1 200 OK\r\n\r\n{"protocol":1,"version":"1","server_time_ms":-1}', b"\xff" * 1000],
)  # fmt: skip
async def test_whatever_answers_is_there_and_says_nothing(answer: bytes) -> None:
    async with answering(answer) as url:
        glance = await look(url)
        assert glance is not None
        assert glance.lobby is None


async def test_an_answer_without_end_is_not_read_to_its_end() -> None:
    async with answering(b"HTTP/1.1 200 OK\r\n\r\n" + b" " * 60_000, drip=True) as url:
        glance = await look(url)
    assert glance is None or glance.lobby is None


async def test_a_server_tells_what_is_open() -> None:
    async with running() as server:
        glance = await look(f"ws://127.0.0.1:{server.port}")
    assert glance is not None
    assert glance.lobby is not None
    assert (glance.lobby.protocol, glance.lobby.password, glance.lobby.matches) == (1, False, ())
    assert await look(f"ws://127.0.0.1:{server.port}") is None


def test_a_server_that_does_not_answer_says_no_time() -> None:
    assert Found("ada", "ws://10.231.80.9:8765").now_ms == 0
