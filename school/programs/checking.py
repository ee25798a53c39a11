"""Has the programs that were handed in checked: each in its own process, two at once, one of each pupil.

If a check has no result because a process of ours failed, it is repeated, at most `TRIES` times.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from contextlib import suppress
from typing import Final

import msgspec

from locales import _
from processes.child import ChildError
from school.core import AGAIN_S, Core
from school.events import Checked
from school.messages import Fault
from school.programs.examining import TESTS, Examined
from school.programs.pupil_files import PupilFiles
from school.programs.trials import trial
from school.state import Key

AT_ONCE: Final = 2
LONGEST_CHECK_S: Final = 120.0
"""How long one check may take in all; then the program hangs."""

TRIES: Final = 3


class Checking:
    """Checks what waits in the class's state; `run` does it until it is cancelled."""

    def __init__(self, core: Core, files: PupilFiles) -> None:
        self.running: set[Key] = set()
        self._core = core
        self._files = files
        self._news = asyncio.Event()
        self._lost: Counter[Key] = Counter()

    def look(self) -> None:
        """Something may be there to be checked."""
        self._news.set()

    async def run(self) -> None:
        """Checks versions as they come, those of different pupils in parallel."""
        while True:
            await self._news.wait()
            self._news.clear()
            if not self._core.runs:
                continue
            for key in self._core.state.unchecked():
                names = {name for name, _version in self.running}
                if len(self.running) < AT_ONCE and key[0] not in names:
                    self.running.add(key)
                    self._core.changed.set()
                    self._core.spawn(self._check(key))

    async def _check(self, key: Key) -> None:
        try:
            found = await self._examine(key)
            if found.lost and self._lost[key] < TRIES:
                self._lost[key] += 1
                await asyncio.sleep(AGAIN_S)
                return
            await self._keep(key, found)
        finally:
            self.running.discard(key)
            self._core.changed.set()
            self.look()

    async def _keep(self, key: Key, found: Examined) -> None:
        """Writes down what was found."""
        name, version = key
        fault = found.fault
        if fault is None and found.passed < found.of:
            fault = Fault(_("It could not be tried: hand it in again, or ask your teacher."))
        at = self._core.now()
        await self._core.note_in_time(
            Checked(at=at, name=name, version=version, passed=found.passed, of=found.of, fault=fault, note=found.note)
        )

    async def _examine(self, key: Key) -> Examined:
        pupil = self._core.state.pupils.get(key[0])
        if pupil is None:
            return Examined(0, TESTS, lost=True)
        path = self._files.path(pupil.paths[key[1]])
        child = trial(self._core, "check", path, f"{key[0]}:{key[1]}")
        late = Fault(_("It did not come to an end: is there an endless loop?"))
        try:
            async with child:
                return msgspec.json.decode(await child.first_line(LONGEST_CHECK_S), type=Examined)
        except ChildError as error:
            if child.exit_code is None:
                return Examined(0, TESTS, late)
            with suppress(ValueError):
                self._core.say(f"{path.name}: {error} {error.stderr[-500:]}")
            return Examined(0, TESTS, lost=True)
        except msgspec.MsgspecError:
            return Examined(0, TESTS, lost=True)
