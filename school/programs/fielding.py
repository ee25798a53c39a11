"""The programs that were handed in, as bots of the class: each has a session of its own, all are in this process.

What a program does runs in its sandbox; here is only what speaks for it. A pupil whose own program is connected, from
their machine or their browser, plays with that. A newer version takes over between two games: whoever enters last with
a personal code counts, and the one before plays its game to the end.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from bots.base import FILE_FAMILY, BotError, BotSpec, parse_bot
from bots.running.runner import BotRunner, RunSettings
from client.arrival import arrive
from client.errors import ClientError
from games.base import Game
from locales import _
from processes.launch_options import LaunchOptions
from protocol.bounds import MAX_NAME
from school.core import Core, LetterError
from school.programs.pupil_files import PupilFiles
from school.programs.trials import MEMORY_BYTES
from school.state import PupilState

LOOK_S: Final = 1.0
AGAIN_S: Final = 10.0
"""How long a program that could not be run is left alone."""

OWN_S: Final = 60.0
"""How long we wait for a program on a pupil's own machine that has lost its connection."""

PATIENCE_S: Final = 60.0

MOVE_S: Final = 30.0
AT_ONCE: Final = 2
"""Games of one program: its last of one league may go on when the first of the next begins."""

Prepare = Callable[[PupilState, int, BotSpec], BotSpec]
"""Changes the bot of a version before it is run, so that what it prints is kept."""


@dataclass(slots=True, eq=False)
class Fielded:
    """A version that is run. session: what its session is called, once it is there."""

    name: str
    version: int
    task: asyncio.Task[None] | None = None
    session: str = ""
    ready: asyncio.Event = field(default_factory=asyncio.Event)


def best_version(pupil: PupilState) -> int | None:
    """The newest version that works; if none does, the newest that can be loaded; None if there is none."""
    fit = [work for work in pupil.works if work.check == "works"] or [work for work in pupil.works if work.passed]
    return fit[-1].version if fit else None


def version_to_run(core: Core, name: str) -> int:
    """The version of a pupil that is run here when they ask for it; raises LetterError."""
    if not core.runs:
        raise LetterError("no_sandbox", _("Programs are not run on the teacher's computer."))
    version = best_version(core.state.pupils[name])
    if version is None:
        raise LetterError("not_now", _("Hand in a program that works first."))
    return version


def versioned(name: str, ending: str) -> str:
    """A pupil's name, cut if need be, and `ending`; there is room for the number of a namesake."""
    return f"{name[: MAX_NAME - len(ending) - 3].rstrip()}{ending}"


class Fielding:
    """Runs programs; while `on` is set those of all pupils, for a league."""

    def __init__(self, core: Core, files: PupilFiles) -> None:
        self.on = False
        self.game: Game = core.classroom.rules
        self.fielded: dict[str, Fielded] = {}
        self.prepare: Prepare = lambda _pupil, _version, spec: spec
        self._core = core
        self._files = files
        self._not_before: dict[str, float] = {}
        self._sessions: set[str] = set()

    def spec_of(self, path: Path) -> BotSpec:
        """The bot that a file is, as it is run here."""
        launch = LaunchOptions(sandbox=self._core.sandbox, memory_bytes=MEMORY_BYTES, move_s=MOVE_S, quiet=True)
        return parse_bot(f"{FILE_FAMILY}:{path}").with_launch_options(launch)

    def is_ours(self, name: str) -> bool:
        """Whether the bot that plays for a pupil, or played last, is the program that they handed in."""
        guest = self._core.bots.guests.get(name)
        return guest is not None and guest.name in self._sessions

    def expected(self) -> list[str]:
        """The pupils who have a program that is to play and is not there yet: it is being started, or will be."""
        state, now = self._core.state, asyncio.get_running_loop().time()
        return [
            name
            for name, pupil in state.pupils.items()
            if not pupil.removed
            and best_version(pupil) is not None
            and not self._core.bots.is_here(name)
            and not self._waits_for_own(name)
            and (self._is_running(name) or self._not_before.get(name, 0.0) <= now)
        ]

    def _is_running(self, name: str) -> bool:
        fielded = self.fielded.get(name)
        return fielded is not None and fielded.task is not None and not fielded.task.done()

    def _waits_for_own(self, name: str) -> bool:
        """Whether the program on a pupil's own machine left a moment ago: its place is kept until it comes back."""
        guest = self._core.bots.guests.get(name)
        if guest is None or guest.present or self.is_ours(name):
            return False
        return self._core.bots.now() - guest.since < OWN_S

    async def run(self) -> None:
        """Checks once a second which programs should run, until it is cancelled."""
        while True:
            if self.on and self._core.runs:
                for pupil in list(self._core.state.pupils.values()):
                    self._look_at(pupil)
            await asyncio.sleep(LOOK_S)

    def stop(self) -> None:
        """The league is over: nothing runs any more."""
        self.on = False
        for fielded in self.fielded.values():
            if fielded.task is not None:
                fielded.task.cancel()
        self.fielded.clear()

    def drop(self, name: str) -> None:
        """Stops the program of a pupil who was renamed or removed; `run` starts it again if it should play."""
        fielded = self.fielded.pop(name, None)
        if fielded is not None and fielded.task is not None:
            fielded.task.cancel()

    def _look_at(self, pupil: PupilState) -> None:
        name, version = pupil.name, best_version(pupil)
        if pupil.removed or version is None:
            return
        now, fielded = asyncio.get_running_loop().time(), self.fielded.get(name)
        is_running = self._is_running(name)
        if (self._core.bots.is_here(name) and not self.is_ours(name)) or self._waits_for_own(name):
            return
        if fielded is not None and is_running and (fielded.version == version or not fielded.ready.is_set()):
            return
        if self._not_before.get(name, 0.0) > now:
            return
        if not is_running:
            self._not_before[name] = now + AGAIN_S
        new = self.fielded[name] = Fielded(name, version)
        new.task = self._core.spawn(self._play(pupil, new))

    async def _play(self, pupil: PupilState, fielded: Fielded) -> None:
        """Enters the bots' room with a version, and plays until another takes over."""
        core = self._core
        door = core.state.doors_of(pupil.name)[-1]
        spec = self.prepare(pupil, fielded.version, self.spec_of(self._files.path(pupil.paths[fielded.version])))
        settings = RunSettings(
            spec, f"{core.bots.code}:{pupil.name}", league=core.bots.code, personal=core.codes[door],
            insists=False, at_once=AT_ONCE,
        )  # fmt: skip
        kept = self._files.session_file(door, fielded.version)
        with suppress(BotError, ClientError):
            await asyncio.to_thread(spec.check, self.game)
            name = versioned(pupil.name, f" v{fielded.version}")
            async with arrive(core.url, name, "bot", return_s=PATIENCE_S, kept=kept) as arrival:
                fielded.session = arrival.client.name
                self._sessions.add(fielded.session)
                if not core.bots.is_here(pupil.name):
                    await core.bots.free(door)
                fielded.ready.set()
                await BotRunner(arrival.client, settings, lambda _text: None).run()
