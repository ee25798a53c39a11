"""Who comes to an open league: says which bots have come, are away, are back or were refused; and listens for Enter."""

from __future__ import annotations

import asyncio
import os
import sys
import threading
from collections.abc import Callable, Coroutine
from contextlib import suppress

from client.errors import ClientError
from league.gathering import Gathering, OpenRunner
from league.history.season import WITHDRAWN, Season
from league.report.attendance import Attendance, attendance_table
from locales import _
from protocol.messages import EntryRefused

LOOK_S = 1.0
"""How often to check who has gone or come back."""

Say = Callable[[str], None]
"""Prints a line."""


def may_listen() -> bool:
    """Whether we may read the terminal: the system stops a background process that does."""
    if not sys.stdin or not sys.stdin.isatty():
        return False
    return not hasattr(os, "tcgetpgrp") or os.tcgetpgrp(sys.stdin.fileno()) == os.getpgrp()


class AttendanceWatch:
    """Says who is away, back, or was refused; and on request who is here."""

    def __init__(self, gathering: Gathering, say: Say, attendance: Attendance) -> None:
        self._gathering = gathering
        self._say = say
        self._attendance = attendance

    def refused(self, refusal: EntryRefused) -> None:
        """Somebody wanted a name that is not theirs."""
        origin = refusal.origin if isinstance(refusal.origin, str) else None
        self._attendance.refused(self._gathering.called(refusal.name), refusal.count, origin)

    async def run(self) -> None:
        """Looks once a second, until it is cancelled."""
        while True:
            await asyncio.sleep(LOOK_S)
            gathering = self._gathering
            for line in self._attendance.look(gathering.guests, gathering.barred, gathering.now()):
                self._say(line)

    async def show(self) -> None:
        """Prints who is here, with current round trips."""
        gathering = self._gathering
        with suppress(ClientError):
            await gathering.refresh()
        for line in attendance_table(gathering.guests, gathering.barred, gathering.now()):
            self._say(line)


class Arrivals:
    """Says who has come, and lets the league begin: with Enter, or when enough bots are there.

    season: the season of the log, before anybody comes. show: prints who is here, when Enter is pressed later on.
    """

    runner: OpenRunner

    def __init__(
        self,
        gathering: Gathering,
        say: Say,
        bots: int | None,
        season: Season,
        show: Callable[[], Coroutine[object, object, None]] | None = None,
    ) -> None:
        self._gathering = gathering
        self._say = say
        self._show = show
        self._showing: asyncio.Task[None] | None = None
        self._freed = len(season.freed)
        self._bots = bots
        self._known = set(season.bots)
        self._away: set[str] = set()
        self._aliases = dict(season.aliases)
        self._barred = set(season.barred)

    def look(self, season: Season) -> None:
        """Announces bots that are new, withdrawn or back, and the organiser's rulings."""
        for old, new in season.aliases.items():
            if self._aliases.get(old) != new:
                self._say(_("{old} is {name} now.").format(old=old, name=new))
        for name in sorted(season.barred.keys() - self._barred):
            self._say(_("{name} is kicked, and does not come in any more.").format(name=name))
        for doors in season.freed[self._freed :]:
            self._say(_("{name} is free: whoever enters under it next has it.").format(name=doors[0]))
        self._freed = len(season.freed)
        known = {season.called(name) for name in self._known}
        names = list(season.bots)
        for name in names:
            if name not in known:
                self._say(_("{name} is in ({count}).").format(name=name, count=names.index(name) + 1))
        away = {name for name, reason in season.out.items() if reason == WITHDRAWN}
        before = {season.called(name) for name in self._away}
        for name in sorted(away - before):
            self._say(_("{name} was away for too long: withdrawn until it comes back.").format(name=name))
        for name in sorted(before - away):
            if name in season.bots and name not in season.out:
                self._say(_("{name} is back, and takes part again.").format(name=name))
        self._known, self._away = {*known, *names}, away
        self._aliases, self._barred = dict(season.aliases), set(season.barred)
        if self._bots is not None and len(names) >= self._bots:
            self.runner.begin.set()

    def listen(self) -> None:
        """Waits for Enter on a thread of its own, which ends with the process."""
        self.look(self.runner.season)
        begins = self._bots is None and not self.runner.begin.is_set()
        if not begins and not may_listen():
            return
        loop = asyncio.get_running_loop()

        def wait() -> None:
            with suppress(RuntimeError):  # the loop is closed by now
                while sys.stdin.readline():
                    loop.call_soon_threadsafe(self._pressed, begins)

        threading.Thread(target=wait, daemon=True).start()

    def _pressed(self, begins: bool) -> None:
        """Enter was pressed: the league begins, or whoever runs it wants to know who is here."""
        if begins and not self.runner.begin.is_set():
            self.runner.begin.set()
        elif self._show is not None and (self._showing is None or self._showing.done()):
            self._showing = asyncio.create_task(self._show())
