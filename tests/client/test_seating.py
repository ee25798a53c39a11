"""What the other player is told to type."""

import socket

import pytest

from client import seating
from client.seating import elsewhere, how_to_join, named


@pytest.fixture
def on_a_network(monkeypatch: pytest.MonkeyPatch) -> str:
    """The address of this machine on its network: one of loopback's, which nobody listens at by accident."""
    monkeypatch.setattr(seating, "lan_address", lambda: "127.0.0.2")
    return "127.0.0.2"


@pytest.mark.parametrize(("listens_at", "reachable"), [("0.0.0.0", True), ("127.0.0.1", False)])
def test_others_are_told_an_address_that_they_reach(listens_at: str, on_a_network: str, *, reachable: bool) -> None:
    with socket.create_server((listens_at, 0)) as server:
        port = server.getsockname()[1]
        url = f"ws://127.0.0.1:{port}"
        assert elsewhere(url) == (f"ws://{on_a_network}:{port}" if reachable else url)
        assert reachable == any("another machine" in line for line in how_to_join(url, "BATOMI"))


def test_the_address_of_another_machine_stays(on_a_network: str) -> None:
    assert elsewhere("ws://192.0.2.1:8765") == "ws://192.0.2.1:8765"
    assert on_a_network not in "".join(how_to_join("ws://192.0.2.1:8765", ""))


@pytest.mark.parametrize(
    ("typed", "field"),
    [
        ("batomi", "code"),
        ("BATOMI", "code"),
        ("Zm9vYmFyYmF6cXV4Zm9vYg", "link"),
        ("88bc4zxj", "match"),
        ("été", "match"),
    ],
)
def test_what_is_typed_is_a_code_a_link_or_a_match(typed: str, field: str) -> None:
    assert list(named(typed)) == [field]


def test_letters_that_no_code_has_make_none() -> None:
    assert list(named("étéété")) == ["match"]
