"""What all parts of a class's process share: the class's state, its journal, and how letters are sent.

Errors: LetterError    what a letter asks for can't be done; its writer is told why
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Collection, Coroutine, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from msgspec import json as msgjson
from msgspec.structs import replace

from locales import _
from locales.system import reason
from machine.files import takes
from protocol.bounds import MAX_LETTER
from protocol.messages import Tell
from school.config import Classroom
from school.events import AnyEvent
from school.folder import Entrance
from school.journal import Journal
from school.messages import ClassLetter, Refused
from school.rooms import Room
from school.shares import CHARACTERS, KEPT
from school.state import ClassState

_encode = msgjson.Encoder().encode

AGAIN_S: Final = 5.0
"""How long to wait before another attempt to write what the disk refused."""

PROBED: Final = 1 << 16
"""Bytes that a disk has to take before a league goes on."""


class LetterError(Exception):
    """What whoever wrote a letter is told: `code` as in `Refused`, and a sentence."""

    def __init__(self, code: Any, text: str) -> None:
        super().__init__(text)
        self.code = code


@dataclass(frozen=True, slots=True)
class Writer:
    """Who wrote: the session, its pupil and the door they came through, and whether it is an organiser."""

    session: str
    name: str | None
    door: str | None = None
    directs: bool = False

    @property
    def pupil(self) -> str:
        """The name of the pupil; raises LetterError for somebody who is none."""
        if self.name is None:
            raise no_pupil()
        return self.name


class Core:
    """A class that is open. `runs`: whether programs that were handed in may run on this machine.

    codes: personal codes by door. desks: the sessions of the desk. spent: the units of `school.shares` that everything
    has cost so far, whoever caused it; a pupil is charged with its growth while their letter is answered.
    """

    def __init__(
        self,
        folder: Path,
        classroom: Classroom,
        journal: Journal,
        codes: Mapping[str, str],
        *,
        runs: bool,
        sandbox: bool,
        say: Callable[[str], None],
    ) -> None:
        self.folder = folder
        self.classroom = classroom
        self.journal = journal
        self.codes = dict(codes)
        self.runs = runs
        self.sandbox = sandbox
        self.say = say
        self.state = ClassState.of(classroom.teams, journal.events)
        self.changed = asyncio.Event()
        self.desks: Collection[str] = ()
        self.entrance = Entrance("", "", "")
        self.url = ""
        self.spent = 0
        self.people: Room
        self.bots: Room
        self._tasks: set[asyncio.Task[Any]] = set()

    @staticmethod
    def now() -> int:
        """Milliseconds since 1970."""
        return int(time.time() * 1000)

    def note(self, *events: AnyEvent) -> None:
        """Writes events to the journal, then applies them; raises LetterError if they can't be written."""
        self.spent += KEPT
        try:
            self.journal.append(*events)
        except OSError as error:
            raise disk_refusal(error) from error
        for event in events:
            self.state.take(event)
        self.changed.set()

    async def note_in_time(self, *events: AnyEvent) -> None:
        """As `note`, but retries as long as the disk refuses it."""
        while True:
            try:
                self.note(*events)
            except LetterError:
                await asyncio.sleep(AGAIN_S)
            else:
                return

    async def writable(self) -> None:
        """Waits a while, and until the disk takes something."""
        await asyncio.sleep(AGAIN_S)
        while not takes(self.folder, PROBED):  # noqa: ASYNC110 - a disk tells nobody that there is room
            await asyncio.sleep(AGAIN_S)

    def warn(self, text: str) -> None:
        """Tells the teacher what is wrong with the disk: in the terminal, and at each desk that is open."""
        self.say(text)
        for session in self.desks:
            self.refuse(session, "", LetterError("disk", text))

    def tell(self, sessions: str | Sequence[str] | None, letter: ClassLetter) -> bool:
        """Sends a letter to sessions, or to all pupils who are here; returns False, unsent, if it is too long."""
        text = _encode(letter).decode()
        if len(text) > MAX_LETTER:
            return False
        self.spent += 1 + len(text) // CHARACTERS
        to = None if sessions is None else (sessions,) if isinstance(sessions, str) else tuple(sessions)
        self.people.client.send(Tell, code=self.people.code, text=text, to=to)
        return True

    def refuse(self, session: str, what: str, refusal: LetterError) -> None:
        """Tells a session that what it wrote is refused."""
        self.tell(session, Refused(what, refusal.code, str(refusal)))

    def spawn(self, work: Coroutine[object, object, Any]) -> asyncio.Task[Any]:
        """Runs work in the background, until it ends or the class closes."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._done)
        return task

    def _done(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            self.say(wrong_inside(error))

    async def close(self) -> None:
        """Ends all work that goes on."""
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)


def wrong_inside(error: BaseException) -> str:
    """What the teacher's terminal says of a mistake of ours."""
    return _("Something went wrong inside the class: {error!r}. The rest goes on.").format(error=error)


def disk_refusal(error: OSError) -> LetterError:
    """The refusal of a letter that could not be written to disk."""
    text = _("It can't be kept on the teacher's computer ({reason}). Nothing is lost; try again later.")
    return LetterError("disk", text.format(reason=reason(error)))


def no_pupil() -> LetterError:
    """The refusal of a pupil's letter from somebody who is none."""
    return LetterError("no_pupil", _("Only pupils do that: come in with a personal code."))


def no_version(name: str, version: int) -> LetterError:
    """The refusal of a version that does not exist."""
    return LetterError("no_pupil", _("{name} has no version {version}.").format(name=name, version=version))


def size_of(letter: ClassLetter) -> int:
    """Its length as it is sent."""
    return len(_encode(letter).decode())


def without_now(letter: Any) -> Any:
    """A letter without its date, to compare whether two say the same."""
    return replace(letter, now=0)
