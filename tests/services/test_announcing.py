"""Which servers are announced, and what is said of them. Nothing is sent here; tests/faults/test_lan.py does."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from ipaddress import ip_interface
from typing import Any

import pytest

import arbitre
from client.people.discovery import TYPE
from machine.networks import Own, listening, read_own, speaking
from machine.variables import SECRETS, SERVICE
from server.commands.serving_cli import Serving
from services import announcing, supervision
from services.supervision import Service, beside

LAN, SIX, NEAR = ip_interface("10.231.80.7/24"), ip_interface("fd00:231::7/64"), ip_interface("fe80::7%3/64")
OWN: Sequence[Own] = (LAN, SIX, NEAR)


@pytest.mark.parametrize(
    ("words", "announced"),
    [
        ((), True),
        (("--no-mdns",), False),
        (("--host", "192.0.2.9"), True),
        (("--host", "::"), True),
        (("--host", "127.0.0.1"), False),
        (("--host", "127.0.0.1", "--mdns"), False),
        (("--host", "::1"), False),
        (("--host", "localhost"), False),
        (("--port", "0"), False),
        (("--port", "0", "--mdns"), True),
    ],
)
def test_which_servers_are_announced(monkeypatch: pytest.MonkeyPatch, words: Sequence[str], *, announced: bool) -> None:
    chosen: list[Service] = []
    monkeypatch.setattr(supervision, "beside", chosen.extend)
    monkeypatch.setattr(Serving, "run", lambda *_: None)
    assert arbitre.main(["serve", "--port", "8765", *words]) == 0
    assert [one.trusted for one in chosen if one.name == "announce"] == ([False] if announced else [])


async def test_who_is_not_trusted_sees_no_secret(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in SECRETS:
        monkeypatch.setenv(name, "a secret")
    seen: dict[str, frozenset[str]] = {}

    async def keep(name: str, make: Callable[[], Any]) -> None:
        seen[name] = frozenset(make()._environment) & SECRETS

    monkeypatch.setattr(supervision, "keep", keep)
    services = (Service("house", "services.house.process"), Service("announce", "services.announcing", trusted=False))
    found = beside(services)
    assert found is not None
    async with found.open("ws://127.0.0.1:8765"):
        await asyncio.sleep(0)
    assert seen["announce"] == frozenset()
    assert SERVICE in seen["house"]


def test_what_is_said() -> None:
    assert announcing.txt(tls=False, pin=None, password=False) == {"v": "1"}
    assert announcing.txt(tls=True, pin="0" * 64, password=True) == {
        "v": "1", "tls": "1", "sha256": "0" * 64, "password": "1",
    }  # fmt: skip


@pytest.mark.parametrize("name", ["ada-laptop.local", "é" * 60, "", "."])
def test_a_machine_of_any_name_can_be_announced(name: str) -> None:
    info = announcing.service(name, (LAN, NEAR), 8765, {"v": "1"})
    label = info.name.removesuffix(f".{TYPE}")
    assert 0 < len(label.encode()) <= announcing.LONGEST_NAME
    assert info.parsed_addresses() == ["10.231.80.7", "fe80::7"]


@pytest.mark.parametrize(
    ("host", "found"),
    [("0.0.0.0", (LAN,)), ("::", (SIX, NEAR)), ("", OWN), ("10.231.80.7", (LAN,)), ("127.0.0.1", ()), ("no such", ())],
)
def test_a_server_is_announced_where_it_listens(host: str, found: tuple[Own, ...]) -> None:
    assert listening(OWN, host) == tuple(found)


def test_one_socket_for_each_network() -> None:
    again = ip_interface("10.231.80.8/24")
    assert speaking((LAN, again, SIX, NEAR)) == ["10.231.80.7", "fd00:231::7", "fe80::7"]


@pytest.mark.parametrize(
    ("text", "prefix"), [("127.0.0.1", 8), ("::1", 128), ("10.8.0.2", 0), ("fd00::1", 0), ("x", 24), ("224.0.0.1", 24)]
)
def test_what_is_no_network_around_us(text: str, prefix: int) -> None:
    assert read_own(text, prefix, 3) is None


def test_a_link_local_address_has_its_interface() -> None:
    assert read_own("fe80::7", 64, 3) == NEAR
