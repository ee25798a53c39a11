"""Invitations in addresses; what else an address may be is in test_typing."""

from __future__ import annotations

import pytest

import arbitre
from client import address

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
