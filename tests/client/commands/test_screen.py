"""Where a full screen opens: only where somebody sees all that is written."""

import io
import sys

import pytest

from client.commands.screen import takes_a_screen


class Tty(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize("piped", ["", "stdin", "stdout", "stderr"])
@pytest.mark.parametrize("term", ["xterm", "dumb", ""])
def test_a_screen_needs_a_terminal_on_every_stream(piped: str, term: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("stdin", "stdout", "stderr"):
        monkeypatch.setattr(sys, name, io.StringIO() if name == piped else Tty())
    monkeypatch.setenv("TERM", term)
    assert takes_a_screen() == (piped == "" and term == "xterm")
