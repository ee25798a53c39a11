"""Runs a class: reads what pupils and the desk write, has the parts do it, and tells all of them what changes.

Changes are sent at most twice a second, and only to those whom they concern: the last letter to each is kept for this.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any, Final

from msgspec import MsgspecError
from msgspec import json as msgjson
from msgspec.structs import replace

from client.connection import Incoming
from locales import _
from protocol.messages import Entrant, Letter, Welcome
from school.core import Core, LetterError, Writer, no_pupil, size_of, without_now, wrong_inside
from school.events import Opened
from school.hall import Live, row_of, shortened, shown_handout, shown_question, works_of
from school.judging import Judging
from school.messages import (
    MAX_LETTER_TOLD,
    Arrive,
    Bot,
    Desk,
    DeskLetter,
    Hall,
    Look,
    News,
    PupilLetter,
    PupilRow,
    Pupils,
)
from school.parts.desk import DeskWork
from school.parts.halting import Halting
from school.parts.handing_in import HandingIn
from school.parts.ladder import Ladder
from school.parts.leagues import Leagues
from school.parts.meetings import Meetings
from school.parts.questions import Questions
from school.parts.records import Records
from school.parts.room_left import RoomLeft
from school.programs.checking import Checking
from school.programs.fielding import Fielding, best_version
from school.programs.pupil_files import PupilFiles
from school.shares import Shares
from school.state import PupilState

TOLD_EVERY_S: Final = 0.5
LOOK_S: Final = 2.0
"""How often to check that the server is still there."""

PAST_TOLD: Final = 30
"""How many leagues the desk is told of: the latest, the current one included."""

COUNTS_EVERY_MS: Final = 4_000
"""How often pupils are told how many games of a league are over."""

MOST_DESKS: Final = 16
"""How many sessions of desks and walls are told of changes: the newest."""

NEWS_MS: Final = 600_000
"""For how long those who come in are told what the teacher has said last."""

_decoder = msgjson.Decoder(PupilLetter | DeskLetter)


class OpenClass:
    """A class that is open; `run` goes on until it is cancelled."""

    def __init__(self, core: Core) -> None:
        self._core = core
        files = PupilFiles(core.folder)
        self.checking = Checking(core, files)
        self.fielding = Fielding(core, files)
        self.leagues = Leagues(core, self.fielding)
        self.judging = Judging(core)
        self.questions = Questions(core, self.judging)
        self.records = Records(core, self.leagues, self.fielding, self.judging)
        self.ladder = Ladder(core, files, lambda: bool(self.checking.running or core.state.unchecked()))
        self.halting = Halting(core)
        self.leagues.on_games = self.halting.look
        self._desk = DeskWork(core, files, self.leagues)
        self._room_left = RoomLeft(core)
        parts = (
            HandingIn(core, files, self.checking), self._desk, self.leagues, self.questions, self.records, self.ladder,
            Meetings(core, files, self.fielding), self.halting,
        )  # fmt: skip
        self._handlers: dict[type, Callable[[Writer, Any], None]] = {Arrive: self._arrive, Look: self._look}
        for part in parts:
            self._handlers.update(part.handlers)
        self._shares = Shares()
        self._readers: dict[str, str] = {}  # the session that reads at each door
        self._told: dict[str, Hall] = {}  # what each door was told last
        self._desks: dict[str, Desk | None] = {}  # what each desk, by its session, was told last; the newest at the end
        core.desks = self._desks.keys()
        self._rows: dict[str, PupilRow] = {}  # what all desks were told last of each pupil

    async def run(self) -> None:
        """Takes in what the server says, and tells what changes; raises ExecutorError once the server is gone."""
        core = self._core
        core.people.listen(self._hear)
        core.bots.listen(self._hear_bots)
        self._desk.switch()
        self.checking.look()
        core.spawn(self.checking.run())
        core.spawn(self._end_in_time())
        core.spawn(self.fielding.run())
        core.spawn(self.records.run())
        core.spawn(self.ladder.run())
        core.spawn(self._room_left.run())
        self.halting.start()
        await self.leagues.start()
        self.questions.start()
        while True:
            with suppress(TimeoutError):
                async with asyncio.timeout(LOOK_S):
                    await core.changed.wait()
            for room in (core.people, core.bots):
                room.organiser.check()
            core.changed.clear()
            try:
                self.records.look()
                self._tell_all()
            except Exception as error:  # noqa: BLE001 - as in `_hear`
                core.say(wrong_inside(error))
            await asyncio.sleep(TOLD_EVERY_S)

    def decide(self) -> None:
        """Tells the rooms who is who, before the class opens."""
        self._desk.decide()

    # ------------------------------------------------------------------------------------------------------ who writes

    def _hear(self, message: Incoming) -> None:
        try:
            self._take_in(message)
        except Exception as error:  # noqa: BLE001 - nobody would listen to the class any more
            self._core.say(wrong_inside(error))

    def _take_in(self, message: Incoming) -> None:
        match message:
            case Letter(code=code) if code == self._core.people.code:
                self._read(message)
            case Entrant():
                self._core.changed.set()
            case Welcome():
                self._told.clear()
                self._desks.update(dict.fromkeys(self._desks))
                self._desk.switch()
                self.leagues.welcomed(message)
                self._core.changed.set()
            case _:
                self.judging.hear(message)

    def _hear_bots(self, message: Incoming) -> None:
        if isinstance(message, Entrant | Welcome):
            self._core.changed.set()
        elif isinstance(message, Letter) and isinstance(message.entry, str):
            now, share = asyncio.get_running_loop().time(), self._shares.of(message.entry)
            if not share.is_used_up(now):
                self.records.hear(message.entry, message.text)
            share.spend(now, 1)

    def _read(self, message: Letter) -> None:
        """Answers a letter, unless its writer has used up their share (`school.shares`)."""
        core, door = self._core, message.entry if isinstance(message.entry, str) else None
        if door is None or message.directs:
            self._answer(message, door)
            return
        now, share = asyncio.get_running_loop().time(), self._shares.of(door)
        if share.is_used_up(now):
            share.spend(now, 1)
            if share.is_answered(now):
                text = _("You ask for too much at once: wait some seconds.")
                core.refuse(message.session, "", LetterError("not_now", text))
            return
        before = core.spent
        self._answer(message, door)
        share.spend(now, 1 + core.spent - before)

    def _answer(self, message: Letter, door: str | None) -> None:
        core = self._core
        pupil = None if door is None else core.state.pupil(core.state.called(door))
        writer = Writer(message.session, None if pupil is None else pupil.name, door, message.directs)
        try:
            letter = _decoder.decode(message.text)
        except (MsgspecError, UnicodeDecodeError, RecursionError):
            text = _("This can't be understood: load the page again.")
            core.refuse(message.session, "", LetterError("bad_letter", text))
            return
        what = type(letter).__struct_config__.tag
        try:
            self._do(writer, letter)
        except LetterError as refusal:
            core.refuse(message.session, str(what), refusal)
        except Exception as error:  # noqa: BLE001 - one letter must not end a class
            core.say(wrong_inside(error))
            text = _("This went wrong inside the class. Your teacher sees why.")
            core.refuse(message.session, str(what), LetterError("not_now", text))

    def _do(self, writer: Writer, letter: Any) -> None:
        if isinstance(letter, DeskLetter):
            if not writer.directs:
                raise LetterError("bad_letter", _("Only the desk does that: open it with the teacher's secret."))
        elif writer.name is None:
            raise no_pupil()
        self._handlers[type(letter)](writer, letter)

    def _arrive(self, writer: Writer, _letter: Arrive) -> None:
        assert writer.door is not None
        self._readers[writer.door] = writer.session
        self._told.pop(writer.door, None)
        self._core.changed.set()
        self._tell_hall(writer.door, writer.session, self._live())

    def _look(self, writer: Writer, _letter: Look) -> None:
        self._desks.pop(writer.session, None)  # it becomes the newest again
        self._desks[writer.session] = None
        while len(self._desks) > MOST_DESKS:
            del self._desks[next(iter(self._desks))]
        live = self._live()
        self._core.tell(writer.session, self._desk_letter())
        rows = [row_of(self._core.state, pupil, live) for pupil in self._core.state.pupils.values()]
        for letter in _letters(rows, again=True):
            self._core.tell(writer.session, letter)
        if self._room_left.is_short:
            self._core.refuse(writer.session, "", self._room_left.refusal())
        self._core.changed.set()

    # -------------------------------------------------------------------------------------------------- what they hear

    def _tell_all(self) -> None:
        live, state = self._live(), self._core.state
        for door, session in list(self._readers.items()):
            self._tell_hall(door, session, live)
        desk = self._desk_letter()
        for session, told in self._desks.items():
            if told is None or without_now(told) != without_now(desk):
                self._core.tell(session, desk)
                self._desks[session] = desk
        rows = {name: row_of(state, pupil, live) for name, pupil in state.pupils.items()}
        gone = self._rows.keys() - rows.keys()
        news = [row for name, row in rows.items() if gone or self._rows.get(name) != row]
        self._rows = rows
        if news and self._desks:
            for letter in _letters(news, again=bool(gone)):
                self._core.tell(list(self._desks), letter)

    def _tell_hall(self, door: str, session: str, live: Live) -> None:
        pupil = self._core.state.pupil(self._core.state.called(door))
        if pupil is None:
            self._readers.pop(door, None)
            return
        hall = self._hall(door, pupil, live)
        told = self._told.get(door)
        if told is not None and (told == replace(hall, now=told.now) or self._may_wait(told, hall)):
            return
        self._told[door] = hall
        while size_of(hall) > MAX_LETTER_TOLD and hall.works:
            hall = shortened(hall)
        self._core.tell(session, hall)

    def _may_wait(self, told: Hall, hall: Hall) -> bool:
        """Whether nothing but the counts of a league has changed: thirty pupils need not hear of each game at once."""
        if told.league is None or hall.league is None or hall.now - told.now >= COUNTS_EVERY_MS:
            return False
        counts = {"played": told.league.played, "planned": told.league.planned, "teams": told.league.teams}
        if told != replace(hall, now=told.now, league=replace(hall.league, **counts)):
            return False
        asyncio.get_running_loop().call_later(COUNTS_EVERY_MS / 1000, self._core.changed.set)
        return True

    def _live(self) -> Live:
        core = self._core
        here = {name for name in core.state.pupils if core.people.is_here(name)}
        bots: dict[str, Bot] = {name: self._plays_for(pupil) for name, pupil in core.state.pupils.items()}
        return self.leagues.add_to(Live(here, bots, frozenset(self.checking.running)))

    def _plays_for(self, pupil: PupilState) -> Bot:
        """Where the pupil's program runs, or why there is none."""
        bots, newest = self._core.bots, pupil.newest
        if bots.is_here(pupil.name):
            return "file" if self.fielding.is_ours(pupil.name) else "own"
        if newest is not None and newest.check == "fails" and best_version(pupil) is None:
            return "unfit"
        return "away" if pupil.name in bots.guests and not self.fielding.is_ours(pupil.name) else "none"

    def _hall(self, door: str, pupil: PupilState, live: Live) -> Hall:
        core, state = self._core, self._core.state
        question = state.question
        return Hall(
            core.classroom.title,
            pupil.name,
            core.classroom.game,
            core.bots.code,
            team=pupil.team,
            open=state.takes_work(core.now()),
            until=state.until,
            runs=core.runs,
            works=works_of(pupil, live, hints=state.allowed.hints),
            plays=best_version(pupil) if core.runs else None,
            ladder=self.ladder.rungs(pupil),
            league=self.leagues.told(state.leagues[-1]) if state.leagues else None,
            question=shown_question(question),
            mine=None if question is None else question.replies.get(pupil.name),
            allowed=state.allowed,
            halted=state.halted,
            news=self._news(),
            door=door,
            given=shown_handout(state),
            now=core.now(),
            host=core.people.client.name,
        )

    def _news(self) -> News | None:
        """What the teacher has said last, for those who were away at that moment; after a while it is no news."""
        said = self._core.state.said
        is_fresh = said is not None and self._core.now() - said.at < NEWS_MS
        return News(said.text, said.at) if said is not None and is_fresh else None

    def _desk_letter(self) -> Desk:
        core, state = self._core, self._core.state
        return Desk(
            core.classroom.title,
            core.people.code,
            core.bots.code,
            core.classroom.game,
            open=state.takes_work(core.now()),
            until=state.until,
            runs=core.runs,
            league=self.leagues.told(state.leagues[-1]) if state.leagues else None,
            past=tuple(map(self.leagues.told, state.leagues[-PAST_TOLD:-1])),
            question=shown_question(state.question),
            allowed=state.allowed,
            halted=state.halted,
            said=None if (news := self._news()) is None else news.text,
            given=shown_handout(state),
            now=core.now(),
            host=core.people.client.name,
            address=f"{core.entrance.address}/class/{core.entrance.code}",
        )

    async def _end_in_time(self) -> None:
        """Closes handing in at its deadline, and withdraws the teacher's message to all after NEWS_MS."""
        core = self._core
        was = self._news()
        while True:
            await asyncio.sleep(TOLD_EVERY_S)
            was, before = self._news(), was
            if before is not None and was is None:
                core.changed.set()
            until = core.state.until
            if core.state.is_open and until is not None and core.now() >= until:
                try:
                    core.note(Opened(at=core.now(), open=False, until=until))
                except LetterError:
                    core.changed.set()


def _letters(rows: list[PupilRow], *, again: bool) -> Iterator[Pupils]:
    """As many letters as needed for all rows; with `again`, the first one tells its reader to forget the old ones."""
    rest = rows
    while rest or again:
        count = max(1, len(rest))
        while count > 1 and size_of(Pupils(tuple(rest[:count]))) > MAX_LETTER_TOLD:
            count //= 2
        yield Pupils(tuple(rest[:count]), again)
        rest, again = rest[count:], False
