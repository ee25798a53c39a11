"""Lends the studio's runtime to browsers: large files whose addresses change with their content, so each asks once."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from page.studio.runtime_files import RuntimeFiles
from server.connections.long_answers import LONG, LongAnswer, LongAnswers

if TYPE_CHECKING:
    from page.studio.runtime_files import Piece
    from server.connections.link import Link

FOR_EVER: Final = "public, max-age=31536000, immutable"
"""The caching header of a file that never changes at its address."""

RETRY_S: Final = 2
"""When to ask again, if too many read at once."""


class Lending:
    """What is lent, and how it gets to whoever asked.

    may_read: whether a connection may be sent a long file now; it is no handshake any more then.
    """

    def __init__(self, loop: asyncio.AbstractEventLoop, may_read: Callable[[Link], bool]) -> None:
        self._long_answers = LongAnswers(loop)
        self._may_read = may_read
        self._files = RuntimeFiles()

    def state(self) -> bytes:
        """What the server tells a page of the runtime, as JSON."""
        return self._files.state()

    def find(self, path: str) -> Piece | None:
        """The file at an address."""
        return self._files.find(path)

    def pour(self, link: Link, body: bytes) -> bool:
        """Sends a body after the head of its response; returns False if too many long bodies are being sent now."""
        if not self._may_read(link):
            return False
        link.long_answer = LongAnswer(body, self._long_answers)
        return True


def is_long(body: bytes) -> bool:
    """Whether a body is sent little by little."""
    return len(body) >= LONG
