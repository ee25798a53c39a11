"""A program on a terminal that a test reads and types on: a pseudo-terminal, and pyte for what it shows."""

from __future__ import annotations

import os
import re
import signal
import sys
import time
from pathlib import Path
from typing import Any

import pexpect
import pyte

from tests.programs import leave

ROOT = Path(__file__).parents[2]
PATIENCE_S = 60.0

KEYS = {"enter": "\r", "escape": "\x1b", "up": "\x1b[A", "down": "\x1b[B", "right": "\x1b[C", "left": "\x1b[D"}
FUNCTIONS = {"F1": "\x1bOP", "F2": "\x1bOQ", "F3": "\x1bOR", "F4": "\x1bOS", "F5": "\x1b[15~", "F9": "\x1b[20~"}

SCREEN_OF_ITS_OWN = "\x1b[?1049h"
GIVEN_BACK = "\x1b[?1049l"
MOUSE_ON, MOUSE_OFF = "\x1b[?1000h", "\x1b[?1000l"


class FullScreen:
    """`arbitre ARGUMENTS` on a terminal of `columns` x `lines`; `sent` is all that it wrote."""

    def __init__(self, home: Path, *arguments: str, columns: int = 80, lines: int = 24, **more: str) -> None:
        environment = {
            "ARBITRE_LANG": "en",
            "HOME": str(home),
            "PATH": "/usr/bin:/bin",
            "TERM": "xterm-256color",
            "LANG": "C.UTF-8",
            "TEXTUAL_ANIMATIONS": "none",
            **more,
        }
        self.screen = pyte.Screen(columns, lines)
        self._stream = pyte.Stream(self.screen)
        self.sent = ""
        self.child: Any = pexpect.spawn(
            sys.executable,
            [str(ROOT / "arbitre.py"), *arguments],
            env=environment,
            encoding="utf-8",
            dimensions=(lines, columns),
        )
        self.child.delaybeforesend = None  # it waits 50 ms before each key

    def look(self) -> str:
        """What stands on the screen now."""
        try:
            while True:
                self.feed(self.child.read_nonblocking(65536, timeout=0.02))
        except (pexpect.TIMEOUT, pexpect.EOF):
            pass
        return "\n".join(self.screen.display)

    def feed(self, text: str) -> None:
        """Takes what the program wrote."""
        self.sent += text
        # pyte takes "CSI > ... u" (keys by other names) for text.
        self._stream.feed(re.sub(r"\x1b\[[<>=?]\d*u", "", text))

    def sees(self, *texts: str) -> str:
        """Waits until each text stands there."""
        deadline = time.monotonic() + PATIENCE_S
        shown = ""
        for text in texts:
            while text not in (shown := self.look()):
                assert time.monotonic() < deadline, f"{text!r} is not on\n{shown}"
                assert self.child.isalive() or text in self.look(), f"it ended without {text!r}:\n{self.sent[-2000:]}"
        return shown

    def types(self, *keys: str) -> None:
        """Types keys by their names, or text as it is."""
        for key in keys:
            self.child.send(KEYS.get(key) or FUNCTIONS.get(key) or key)

    def click(self, column: int, line: int) -> None:
        """Presses and releases the left button, as xterm reports it (SGR, 1-based)."""
        self.child.send(f"\x1b[<0;{column + 1};{line + 1}M")
        self.child.send(f"\x1b[<0;{column + 1};{line + 1}m")

    def resize(self, columns: int, lines: int) -> None:
        """Changes the size of the window."""
        self.screen.resize(lines, columns)
        self.screen.reset()
        self.child.setwinsize(lines, columns)

    def report_size(self, columns: int, lines: int) -> None:
        """As a terminal does in which somebody has left reports of the size in the input switched on."""
        self.child.send(f"\x1b[48;{lines};{columns};{lines * 16};{columns * 8}t")

    def ends(self) -> int:
        """Waits for the end; its exit code, 128 and the number for a signal."""
        deadline = time.monotonic() + PATIENCE_S
        while self.child.isalive():
            self.look()
            assert time.monotonic() < deadline, self.sent[-2000:]
        self.look()
        self.child.close()
        status, number = self.child.exitstatus, self.child.signalstatus
        return int(status) if status is not None else 128 + int(number)

    def signal(self, number: signal.Signals) -> None:
        """Sends a signal to the program."""
        os.kill(self.child.pid, number)

    def close(self) -> None:
        """Ends it whatever it does."""
        leave(self.child)
