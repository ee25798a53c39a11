"""What `serve` prints when it listens."""

import sys
from dataclasses import replace

import pytest

from locales import set_language
from server.commands.security_cli import Security
from server.commands.serving_cli import _announce


@pytest.mark.parametrize(("is_terminal", "said"), [(True, "à l’écoute sur"), (False, "listening on")])
def test_a_terminal_reads_its_language_and_a_program_always_the_same(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, *, is_terminal: bool, said: str
) -> None:
    set_language("fr")
    monkeypatch.setattr(sys.stdout, "isatty", lambda: is_terminal)
    assert _announce("127.0.0.1", 8765) is None
    assert capsys.readouterr().out == f"{said} ws://127.0.0.1:8765\n"


def test_a_drawn_secret_is_shown_when_the_server_listens_not_before(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A port that is taken, and the secret of a server that does not run above it, confuse."""
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    security = Security(rate=1, max_connections=1, max_per_address=1)
    access = security.access()
    assert access.organiser
    assert capsys.readouterr().err == ""
    security.show_drawn(access)
    assert capsys.readouterr().err == f"organisers direct matches with:\n  ARBITRE_ORGANISER_TOKEN={access.organiser}\n"
    given = replace(security, organiser="staple")
    given.show_drawn(given.access())
    assert capsys.readouterr().err == ""
