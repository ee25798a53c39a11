"""What `serve` prints when it listens."""

import sys

import pytest

from locales import set_language
from server.commands.serving_cli import _announce


@pytest.mark.parametrize(("is_terminal", "said"), [(True, "à l’écoute sur"), (False, "listening on")])
def test_a_terminal_reads_its_language_and_a_program_always_the_same(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, *, is_terminal: bool, said: str
) -> None:
    set_language("fr")
    monkeypatch.setattr(sys.stdout, "isatty", lambda: is_terminal)
    assert _announce("127.0.0.1", 8765) is None
    assert capsys.readouterr().out == f"{said} ws://127.0.0.1:8765\n"
