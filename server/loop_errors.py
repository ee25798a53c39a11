"""What asyncio has to say about the loop itself: a line in the log instead of a traceback on somebody's terminal.

Out of file descriptors, asyncio stops accepting for a second and tries again: matches go on, and so does accepting once
there are descriptors again. That is said once in a while, not once a second.
"""

from __future__ import annotations

import asyncio
import errno
import math
from typing import Any

from server.logs import Event, note, note_error

_EXHAUSTED = frozenset((errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM))

QUIET_SECONDS = 60.0
"""Between two lines about the same trouble."""


class LoopErrors:
    """An exception handler for `loop.set_exception_handler`."""

    def __init__(self) -> None:
        self._quiet_until = -math.inf

    def __call__(self, loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        """Logs what the loop reports."""
        error = context.get("exception")
        if isinstance(error, OSError) and error.errno in _EXHAUSTED:
            if loop.time() >= self._quiet_until:
                self._quiet_until = loop.time() + QUIET_SECONDS
                note(Event.NO_MORE_CONNECTIONS, error=errno.errorcode[error.errno])
        elif isinstance(error, Exception):
            note_error(error)
        else:
            loop.default_exception_handler(context)
