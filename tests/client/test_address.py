"""Invitations in addresses; what else an address may be is in test_typing."""

from __future__ import annotations

import pytest

import arbitre
from client import address
from client.errors import AddressError

LINK = "Zm9vYmFyYmF6cXV4Zm9vYg"


@pytest.mark.parametrize(
    "url", ["ws://192.168.1.7:8765", "ws://ada-laptop:9000", f"wss://a.example:443#sha256={'0' * 64}"]
)
def test_an_invitation_is_a_part_of_what_is_typed(url: str) -> None:
    typed = address.with_invitation(url, LINK)
    place, link = address.split_invitation(typed)
    assert (address.parse(place), link) == (url, LINK)
    assert address.split_invitation(address.short(url)) == (address.short(url), None)


def test_two_invitations_are_none() -> None:
    typed = f"ada-laptop#join={LINK}&join={LINK}"
    assert address.split_invitation(typed) == (typed, None)


@pytest.mark.parametrize("cut", ["", LINK[:-1], f"{LINK}x", "étéétéétéétéétéétéétéé"])
@pytest.mark.parametrize("command", ["play", "watch"])
def test_an_invitation_that_is_cut_off_is_called_so(command: str, cut: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert arbitre.main(["--lang", "en", command, f"192.0.2.1#join={cut}"]) == 2
    assert "copy it again, to its end" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("typed", "url", "which"),
    [
        ("arbitre://ada-laptop", "ws://ada-laptop:8765", None),
        ("arbitre://ada-laptop/BATOMI", "ws://ada-laptop:8765", "BATOMI"),
        (f"arbitre://[fd00::1]:9000/{LINK}/", "ws://[fd00::1]:9000", LINK),
        (f"arbitre://a/BATOMI#sha256={'0' * 64}", f"wss://a:8765#sha256={'0' * 64}", "BATOMI"),
        (f"http://192.0.2.1:8765/j/{LINK}", "ws://192.0.2.1:8765", LINK),
        ("HTTP://192.0.2.1:8765/J/BATOMI", "ws://192.0.2.1:8765", "BATOMI"),
        ("http://192.0.2.1:8765/m/88bc4zxj#12", "ws://192.0.2.1:8765", "88bc4zxj"),
        (f"https://a/m/88bc4zxj#sha256={'0' * 64}", f"wss://a:443#sha256={'0' * 64}", "88bc4zxj"),
    ],
)
def test_an_address_may_name_a_match(typed: str, url: str, which: str | None) -> None:
    place, found = address.split_invitation(typed)
    assert (address.parse(place), found) == (url, which)


@pytest.mark.parametrize("url", ["ws://192.0.2.1:8765", "ws://a:9000", f"wss://[fd00::1]:443#sha256={'0' * 64}"])
def test_one_word_for_a_server_and_a_match(url: str) -> None:
    place, which = address.split_invitation(address.own_link(url, "BATOMI"))
    assert (address.parse(place), which) == (url, "BATOMI")


@pytest.mark.parametrize("typed", ["arbitre://", "arbitre://a/b/c", "arbitre:///BATOMI", "arbitre://a/é"])
def test_what_is_no_such_word_is_refused_or_left_as_a_path(typed: str) -> None:
    place, which = address.split_invitation(typed)
    assert which in (None, "BATOMI")
    if "/b/c" not in typed and "é" not in typed:
        with pytest.raises(AddressError):
            address.parse(place)
