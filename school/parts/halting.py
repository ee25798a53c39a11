"""Stops all games on the class's server, and lets them go on: those of leagues, and those that people play."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any, Final

from client.errors import ClientError
from protocol.messages import ListMatches, Pause, Resume
from school import events
from school.core import Core, Writer
from school.messages import Halt

EVERY_S: Final = 1.0
"""How often to look for games that began by themselves while all is stopped."""


class Halting:
    """Answers the letter `Halt`. `handlers`: by the type of letter."""

    def __init__(self, core: Core) -> None:
        self._core = core
        self.handlers: Mapping[type, Callable[[Writer, Any], None]] = {Halt: self._halt}

    def start(self) -> None:
        """Applies what the journal says, and begins to look for games."""
        self._tell_rooms()
        self._core.spawn(self._keep())

    def look(self) -> None:
        """A game may have begun."""
        if self._core.state.halted:
            self._core.spawn(self._each("playing", Pause))

    def _halt(self, _writer: Writer, letter: Halt) -> None:
        core = self._core
        core.note(events.Halted(at=core.now(), halted=letter.halted))
        self._tell_rooms()
        if letter.halted:
            self.look()
        else:
            core.spawn(self._each("paused", Resume))

    def _tell_rooms(self) -> None:
        for room in (self._core.people, self._core.bots):
            room.halted = self._core.state.halted
            room.changed.set()

    async def _keep(self) -> None:
        while True:
            self.look()
            await asyncio.sleep(EVERY_S)

    async def _each(self, status: str, request: type[Pause | Resume]) -> None:
        """Sends `request` for all matches with `status`, unless the teacher has reversed the order meanwhile."""
        client, after = self._core.people.client, None
        with suppress(ClientError):
            while True:
                page = await client.ask(ListMatches, after=after)
                for match in page.matches if isinstance(page.matches, tuple) else ():
                    if match.status == status and (request is Pause) == self._core.state.halted:
                        client.send(request, match=match.match)
                if not isinstance(page.more, int):
                    return
                after = page.more
