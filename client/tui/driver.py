"""Textual's drivers of terminals, mended where a person would notice.

Textual asks terminals to report their size in the input and from the first such report on takes positions of the mouse
for points instead of characters, also where the terminal goes on to send characters: after a resize no click hits. The
size is known by SIGWINCH without that. Reports that an earlier program has left switched on are switched off.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from contextlib import suppress

from textual.driver import Driver

_OFF = (1000, 1003, 1015, 1006, 1016, 1004, 2004, 2048, 1049)

GIVE_BACK = "\x1b[<u\x1b[?7h\x1b[?25h" + "".join(f"\x1b[?{mode}l" for mode in _OFF)
"""What ends the mouse, pasting, keys by other names and the screen of its own, and shows the cursor."""


def driver_class() -> type[Driver] | None:
    """The driver for this system, None for Textual's own choice."""
    if sys.platform == "win32":
        return None
    from textual._xterm_parser import XTermParser
    from textual.drivers import linux_driver

    class CellParser(XTermParser):
        """Takes positions of the mouse for characters, whatever was said of the size."""

        @property
        def mouse_pixels(self) -> bool:
            """Never: nobody has asked the terminal for points."""
            return False

        @mouse_pixels.setter
        def mouse_pixels(self, _value: bool) -> None:
            pass

    class TerminalDriver(linux_driver.LinuxDriver):
        """A POSIX terminal whose mouse is right after a resize."""

        def _query_in_band_window_resize(self) -> None:
            self.write("\x1b[?2048l")

        def run_input_thread(self) -> None:
            """Reads with a parser of ours."""
            linux_driver.__dict__["XTermParser"] = CellParser  # the name that its loop looks up
            super().run_input_thread()

    return TerminalDriver


def keep_for_the_end() -> Callable[[], None]:
    """A function that gives the terminal back as it is now, from any thread, whatever became of the program."""
    if sys.platform == "win32":
        return lambda: None
    import termios

    handle = sys.__stdin__.fileno() if sys.__stdin__ is not None else 0
    try:
        mode = termios.tcgetattr(handle)
    except termios.error:
        return lambda: None

    def give_back() -> None:
        with suppress(OSError, termios.error):
            os.write(handle, GIVE_BACK.encode())
            termios.tcsetattr(handle, termios.TCSANOW, mode)

    return give_back
