"""Whether there is a terminal for a full screen, and the menu that `arbitre` alone opens there. Imports little."""

from __future__ import annotations

import os
import sys

from processes import stopping


def takes_a_screen() -> bool:
    """Whether somebody sits at a terminal that shows a full screen; Textual draws it on the standard error."""
    streams = (sys.stdin, sys.stdout, sys.stderr)
    return all(stream.isatty() for stream in streams) and os.environ.get("TERM", "dumb") not in ("", "dumb")


def show_menu() -> int:
    """Shows the menu until the person leaves; the exit code."""
    from client.tui import program

    stopping.run(program.show_menu(), stopping.ALL_BUT_CTRL_C, within_s=stopping.AT_MOST_S)
    return 0
