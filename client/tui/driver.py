"""Textual's terminal driver with two corrections, and the code that restores the terminal.

Textual asks the terminal to report its size in the input. From the first report on, it reads mouse positions as pixels,
although the terminal still sends characters: after a resize, no click hits. So this driver does not ask (SIGWINCH tells
the size as well), switches such reports off if an earlier program has left them on, and always reads characters.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from contextlib import suppress

from textual.driver import Driver

_OFF = (1000, 1003, 1015, 1006, 1016, 1004, 2004, 2048, 1049)

GIVE_BACK = "\x1b[<u\x1b[?7h\x1b[?25h" + "".join(f"\x1b[?{mode}l" for mode in _OFF)
"""Switches off mouse reports, bracketed paste, extended keys and the alternate screen; shows the cursor."""


def driver_class() -> type[Driver] | None:
    """The driver class for this system; None to let Textual choose."""
    if sys.platform == "win32":
        return None
    from textual._xterm_parser import XTermParser
    from textual.drivers import linux_driver

    class CellParser(XTermParser):
        """Reads mouse positions as characters, also after the terminal has reported its size in pixels."""

        @property
        def mouse_pixels(self) -> bool:
            """Always False: pixel positions are never requested."""
            return False

        @mouse_pixels.setter
        def mouse_pixels(self, _value: bool) -> None:
            pass

    class TerminalDriver(linux_driver.LinuxDriver):
        """The driver for POSIX terminals; mouse positions stay right after a resize."""

        def _query_in_band_window_resize(self) -> None:
            self.write("\x1b[?2048l")

        def run_input_thread(self) -> None:
            """Reads input with CellParser."""
            linux_driver.__dict__["XTermParser"] = CellParser  # the name that its loop looks up
            super().run_input_thread()

    return TerminalDriver


def keep_for_the_end() -> Callable[[], None]:
    """Returns a function that restores the terminal to its present state. It may be called from any thread."""
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
