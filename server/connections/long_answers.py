"""Long answers to plain HTTP, sent little by little: thirty browsers that fetch megabytes don't delay a move.

What is sent lies in memory once, for all. A connection gets a portion when its turn comes and it has read what it got
before; each turn of the event loop writes a few portions, and does all else that it has to do before the next.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from typing import Final

PORTION: Final = 1 << 15
"""Bytes that are written at once."""

AT_ONCE: Final = 4
"""Portions in one turn of the loop."""

LONG: Final = 1 << 16
"""From how many bytes on an answer is sent little by little."""


class LongAnswers:
    """Gives each long answer its turns to be written."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._waiting: deque[LongAnswer] = deque()
        self._is_due = False

    def now(self) -> float:
        """The time of its loop."""
        return self._loop.time()

    def add(self, long_answer: LongAnswer) -> None:
        """Queues an answer, whose next portion may be written."""
        self._waiting.append(long_answer)
        if not self._is_due:
            self._is_due = True
            self._loop.call_soon(self._turn)

    def _turn(self) -> None:
        for _ in range(min(AT_ONCE, len(self._waiting))):
            long_answer = self._waiting.popleft()
            if long_answer.go_on():
                self._waiting.append(long_answer)
        self._is_due = bool(self._waiting)
        if self._is_due:
            self._loop.call_soon(self._turn)


class LongAnswer:
    """One long answer. is_paused: whether the other end has yet to read what was written."""

    __slots__ = ("_end", "_long_answers", "_paused_at", "_rest", "_transport", "is_paused")

    def __init__(self, body: bytes, answers: LongAnswers) -> None:
        self.is_paused = False
        self._paused_at = 0.0
        self._rest = memoryview(body)
        self._long_answers = answers
        self._transport: asyncio.Transport | None = None
        self._end: Callable[[], None] = _nothing

    def begin(self, transport: asyncio.Transport, end: Callable[[], None]) -> None:
        """Starts the body, after the head of the answer; end: called after the last portion."""
        self._transport, self._end = transport, end
        self._long_answers.add(self)

    def pause(self) -> None:
        """The other end reads more slowly than we write."""
        self.is_paused = True
        self._paused_at = self._long_answers.now()

    def stuck_s(self) -> float:
        """For how many seconds the other end has not read."""
        return self._long_answers.now() - self._paused_at if self.is_paused else 0.0

    def resume(self) -> None:
        """The other end has read: goes on writing."""
        if self.is_paused:
            self.is_paused = False
            if self._transport is not None:
                self._long_answers.add(self)

    def cancel(self) -> None:
        """The connection is over."""
        self._transport, self._end, self._rest = None, _nothing, memoryview(b"")

    def go_on(self) -> bool:
        """Writes a portion; returns whether the next one may follow."""
        transport = self._transport
        if transport is None or transport.is_closing() or self.is_paused:
            return False
        portion, self._rest = self._rest[:PORTION], self._rest[PORTION:]
        transport.write(portion)
        if not self._rest:
            end = self._end
            self.cancel()
            end()
            return False
        return not self.is_paused


def _nothing() -> None:
    pass
