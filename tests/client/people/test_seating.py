"""What the other player is told to type."""

import socket
from types import SimpleNamespace
from typing import cast

import pytest

from client.connection import Client
from client.people import seating
from client.people.seating import Wish, elsewhere, find_seat, how_to_join, named
from protocol.messages import ClientMessage, Create, Join, Ok


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


async def test_an_opening_makes_a_match_of_its_own_whatever_seat_was_left() -> None:
    asked: list[object] = []

    class Server:
        """A server that knows a seat of ours, and grants all."""

        url = "ws://192.0.2.1:8765"
        session = SimpleNamespace(welcome=SimpleNamespace(resumed=True, matches=("old",), features=()))

        async def ask(self, make: type[ClientMessage], **fields: object) -> Ok:
            asked.append((make, fields.get("opening")))
            return Ok(1, match="new")

    client = cast("Client", Server())
    assert (await find_seat(client, Wish(game="morpion", opening=("b2",)), None)).match == "new"
    assert asked == [(Create, ("b2",))]
    assert (await find_seat(client, Wish(game="morpion"), None)).match == "new"
    assert asked[1:] == [(Join, None)]
