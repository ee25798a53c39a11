"""The ladder of badges: a pupil's newest version plays against one level after the other, from the bottom.

Games wait until nothing is to be checked, but not for ever: one pupil's slow versions keep no other from climbing. They
are played one at a time, those of different pupils in turn: nobody waits for somebody else's whole try.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

import msgspec
from msgspec.structs import replace

from locales import _
from processes.child import ChildError
from school import events
from school.core import Core, LetterError, Writer
from school.hall import shown_fault
from school.messages import Climb, Fault, Rung
from school.programs.examining import Climbed
from school.programs.fielding import version_to_run
from school.programs.levels import GAMES, LABELS, least, rungs_of
from school.programs.pupil_files import PupilFiles
from school.programs.trials import trial
from school.state import PupilState

LONGEST_CLIMB_S: Final = 300.0
"""How long one game may take in all."""

LOOK_S: Final = 1.0
"""How often to check whether the machine is free: the work that comes first does not report its end."""

MOST_LOOKS: Final = 30
"""How often a game waits for the work that comes first; then it is played beside it."""


@dataclass(slots=True)
class Try:
    """A try that goes on: a version against a level.

    began: in milliseconds, so that the next try has other games. fault: how the program failed first.
    """

    name: str
    version: int
    badge: str
    began: int
    made: float = 0.0
    played: int = 0
    fault: Fault | None = None


class Ladder:
    """Lets versions climb. `handlers`: by the type of letter; is_busy: whether there is work that comes first."""

    def __init__(self, core: Core, files: PupilFiles, is_busy: Callable[[], bool]) -> None:
        self._core = core
        self._files = files
        self._is_busy = is_busy
        self._tries: deque[Try] = deque()
        self.handlers: Mapping[type, Callable[[Writer, Any], None]] = {Climb: self._climb}

    def _climb(self, writer: Writer, _letter: Climb) -> None:
        core, name = self._core, writer.pupil
        pupil = core.state.pupils[name]
        version = version_to_run(core, name)
        badge = next_rung(pupil, core.classroom.game)
        if badge is None:
            raise LetterError("not_now", _("There is no level above: you have beaten them all."))
        if any(one.name == name for one in self._tries):
            raise LetterError("running", _("Your program is climbing already."))
        self._tries.append(Try(name, version, badge, core.now()))
        core.changed.set()

    async def run(self) -> None:
        """Plays game after game, until it is cancelled."""
        looks = 0
        while True:
            can_play = bool(self._tries) and not self._core.state.halted
            if not can_play or (looks < MOST_LOOKS and self._is_busy()):
                looks = looks + 1 if can_play else 0
                await asyncio.sleep(LOOK_S)
                continue
            looks = 0
            one = self._tries[0]
            climbed = await self._play(one)
            self._tries.rotate(-1)
            if climbed.made is None or self._core.state.pupil(one.name) is None:
                self._tries.remove(one)
            else:
                one.made, one.played = one.made + climbed.made, one.played + 1
                one.fault = one.fault or climbed.fault
                if one.played == GAMES or not self._may_pass(one):
                    await self._over(one)
            self._core.changed.set()

    def _may_pass(self, one: Try) -> bool:
        return one.made + GAMES - one.played >= least(one.badge)

    async def _over(self, one: Try) -> None:
        core = self._core
        await core.note_in_time(events.Tried(
            at=core.now(), name=one.name, version=one.version, badge=one.badge, won=one.made, played=one.played,
            passed=one.made >= least(one.badge), fault=one.fault,
        ))  # fmt: skip
        self._tries.remove(one)

    async def _play(self, one: Try) -> Climbed:
        """What the version makes in the next game."""
        core, pupil = self._core, self._core.state.pupils.get(one.name)
        if pupil is None:
            return Climbed(None)
        path, seed = self._files.path(pupil.paths[one.version]), f"{one.version}:{one.began}:{one.played}"
        try:
            async with trial(core, "climb", path, seed, one.badge, str(1 + one.played % 2)) as child:
                return msgspec.json.decode(await child.first_line(LONGEST_CLIMB_S), type=Climbed)
        except (ChildError, msgspec.MsgspecError) as error:
            core.say(f"{path.name}: {error}")
            return Climbed(None)

    def rungs(self, pupil: PupilState) -> tuple[Rung, ...]:
        """The ladder as a pupil sees it."""
        following = next_rung(pupil, self._core.classroom.game)
        climbing = next((one for one in self._tries if one.name == pupil.name), None)
        return tuple(
            self._rung(badge, pupil, following, climbing) for badge in rungs_of(self._core.classroom.game)
        )  # fmt: skip

    def _rung(self, badge: str, pupil: PupilState, following: str | None, climbing: Try | None) -> Rung:
        label, last = _(LABELS[badge]), pupil.tried.get(badge)
        hints = self._core.state.allowed.hints
        if climbing is not None and climbing.badge == badge:
            fault = shown_fault(climbing.fault, hints=hints)
            return Rung(badge, label, "running", climbing.made, climbing.played, GAMES, fault, climbing.version)
        state = "won" if badge in pupil.beaten else "next" if badge == following else "closed"
        rung = Rung(badge, label, state)  # type: ignore[arg-type]  # one of the words
        if last is None:
            return rung
        fault = shown_fault(last.fault, hints=hints) if state == "next" else None
        return replace(rung, won=last.won, played=last.played, of=GAMES, fault=fault, version=last.version)


def next_rung(pupil: PupilState, game: str) -> str | None:
    """The lowest level that is not beaten."""
    return next((badge for badge in rungs_of(game) if badge not in pupil.beaten), None)
