"""Names that are ours, and names that other sites give our address."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.admission.host_names import is_ours, name_of, own_names

NAMES = own_names("Prof-PC.lycee.example", "0.0.0.0", "games.example", "École.example.")


@pytest.mark.parametrize(
    "host",
    [
        "127.0.0.1:8765", "192.168.1.20:8765", "192.0.2.1", "[::1]:8765", "[2001:db8::1]", "localhost:1", "LOCALHOST",
        "localhost.", "a.localhost:80", "prof-pc.lycee.example:8765", "PROF-PC", "prof-pc.local:8765", "games.example",
        "games.example.:443", "xn--cole-9oa.example",
    ],
)  # fmt: skip
def test_ours(host: str) -> None:
    assert is_ours([host], NAMES)


@pytest.mark.parametrize(
    "host",
    [
        "evil.example", "evil.example:8765", "127.0.0.1.evil.example", "localhost.evil.example", "notlocalhost", "",
        "prof-pc.evil.example", "games.example.evil.example", "a@127.0.0.1", "127.0.0.1/x", "127.0.0.1?x", "[::1",
        "127.0.0.1:99999", "0x7f.1", "127.1",
    ],
)  # fmt: skip
def test_not_ours(host: str) -> None:
    assert not is_ours([host], NAMES)


def test_one_foreign_name_is_enough() -> None:
    assert is_ours([], NAMES)
    assert is_ours(["games.example", "127.0.0.1"], NAMES)
    assert not is_ours(["games.example", "evil.example"], NAMES)


def test_a_machine_without_a_name_has_none() -> None:
    assert own_names("", "") == frozenset()
    assert not is_ours([".local"], own_names(""))


@given(st.text(max_size=80))
def test_nothing_breaks_it(host: str) -> None:
    assert not is_ours([f"x{host}.evil.example"], NAMES)
    assert (name := name_of(host)) is None or name == name.lower()
