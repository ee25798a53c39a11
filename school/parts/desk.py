"""What the teacher does with people and programs: who is in the class, what all are told, switches, comments."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any

import click

from league.config import ConfigError
from locales import _
from protocol.messages import Switch
from school import events
from school.config import checked_name
from school.core import Core, LetterError, Writer, no_version
from school.exporting import ExportError, export
from school.folder import keep_codes
from school.messages import (
    MAX_CLASS,
    Admit,
    Announce,
    Cards,
    Export,
    GetCards,
    GetExport,
    GetSimilar,
    Merge,
    News,
    Remove,
    Rename,
    Return,
    Submissions,
    Turn,
)
from school.parts.handing_in import in_parts
from school.parts.leagues import Leagues
from school.programs.alike import similar
from school.programs.pupil_files import PupilFiles
from school.state import PupilState


class DeskWork:
    """Answers these letters. `handlers`: by the type of letter. leagues: is told what concerns a running league."""

    def __init__(self, core: Core, files: PupilFiles, leagues: Leagues) -> None:
        self._core = core
        self._files = files
        self._leagues = leagues
        self.handlers: Mapping[type, Callable[[Writer, Any], None]] = {
            Submissions: self._submissions,
            Admit: self._admit,
            Rename: self._rename,
            Merge: self._merge,
            Remove: self._remove,
            Announce: self._announce,
            Turn: self._turn,
            Return: self._return,
            GetSimilar: self._similar,
            GetExport: self._export,
            GetCards: self._cards,
        }

    # ------------------------------------------------------------------------------------------------------- people

    def decide(self) -> None:
        """Tells both rooms who is who, and who is out; after each change, and before the class is open."""
        core = self._core
        removed = [name for name, pupil in core.state.pupils.items() if pupil.removed]
        for room in (core.people, core.bots):
            room.decide(core.state.doors, removed, core.codes)

    def _pupil(self, name: str) -> PupilState:
        pupil = self._core.state.pupils.get(name)
        if pupil is None:
            raise LetterError("no_pupil", _("Nobody in this class is called {name}.").format(name=name))
        return pupil

    def _new_name(self, typed: str, but: str | None = None) -> str:
        try:
            name = checked_name(" ".join(typed.split()))
        except ConfigError as error:
            raise LetterError("bad_name", str(error)) from error
        if self._core.state.is_taken(name, but):
            text = _("Somebody in this class is, or was, called {name}, or looks like it: choose another name.")
            raise LetterError("bad_name", text.format(name=name))
        return name

    def _admit(self, _writer: Writer, letter: Admit) -> None:
        core = self._core
        known = core.state.pupils.get(letter.name)
        if known is not None and not known.removed:
            raise LetterError("bad_name", _("{name} is in the class already.").format(name=letter.name))
        if known is None and len(core.state.doors) >= MAX_CLASS:
            raise LetterError("not_now", _("A class has room for {count} pupils.").format(count=MAX_CLASS))
        name = letter.name if known is not None else self._new_name(letter.name)
        if known is None:
            self._keep_codes(name)
        core.note(events.Admitted(at=core.now(), name=name, team=letter.team))
        self.decide()

    def _keep_codes(self, name: str) -> None:
        """Draws the code of somebody new; raises LetterError."""
        core = self._core
        try:
            core.codes = keep_codes(core.folder, [*core.state.doors, name])
        except click.ClickException as error:
            raise LetterError("disk", error.message) from error

    def _rename(self, _writer: Writer, letter: Rename) -> None:
        core, pupil = self._core, self._pupil(letter.name)
        to = self._new_name(letter.to, pupil.name)
        if to == pupil.name:
            return
        core.note(events.Renamed(at=core.now(), name=pupil.name, to=to))
        self.decide()
        self._leagues.renamed(letter.name, to)

    def _merge(self, _writer: Writer, letter: Merge) -> None:
        core = self._core
        self._pupil(letter.name)
        self._pupil(letter.into)
        if letter.name == letter.into:
            raise LetterError("bad_name", _("{name} is one already.").format(name=letter.name))
        core.note(events.Merged(at=core.now(), name=letter.name, into=letter.into))
        self.decide()
        self._leagues.merged(letter.name, letter.into)

    def _remove(self, _writer: Writer, letter: Remove) -> None:
        core, pupil = self._core, self._pupil(letter.name)
        if pupil.removed:
            return
        core.note(events.Removed(at=core.now(), name=pupil.name))
        self.decide()
        self._leagues.removed(pupil.name)

    # ---------------------------------------------------------------------------------------------------- to all

    def _submissions(self, _writer: Writer, letter: Submissions) -> None:
        core = self._core
        core.note(events.Opened(at=core.now(), open=letter.open, until=letter.until))

    def _announce(self, _writer: Writer, letter: Announce) -> None:
        core, at = self._core, self._core.now()
        core.note(events.Announced(at=at, text=letter.text))
        core.tell(None, News(letter.text, at))

    def _turn(self, _writer: Writer, letter: Turn) -> None:
        core, allowed = self._core, self._core.state.allowed
        said = {name: value for name in ("chat", "takebacks", "values", "hints")
                if (value := getattr(letter, name)) is not None}  # fmt: skip
        before = {name: getattr(allowed, name) for name in ("chat", "takebacks", "values", "hints")}
        core.note(events.Turned(at=core.now(), **{**before, **said}))
        self.switch()

    def switch(self) -> None:
        """Tells the server what is allowed; also after each reconnection, since the server may have been restarted."""
        allowed = self._core.state.allowed
        self._core.people.client.send(
            Switch, chat=allowed.chat, takebacks=allowed.takebacks, values=allowed.values
        )  # fmt: skip

    def _return(self, _writer: Writer, letter: Return) -> None:
        pupil = self._pupil(letter.name)
        if pupil.work(letter.version) is None:
            raise no_version(letter.name, letter.version)
        at = self._core.now()
        self._core.note(events.Returned(at=at, name=pupil.name, version=letter.version, comment=letter.comment))

    # ------------------------------------------------------------------------------------------------------- papers

    def _similar(self, writer: Writer, _letter: GetSimilar) -> None:
        found: dict[str, tuple[str, str]] = {}
        for name, pupil in self._core.state.pupils.items():
            if pupil.newest is not None and not pupil.removed:
                with suppress(OSError):
                    found[name] = (pupil.newest.file, self._files.read(pupil.paths[pupil.newest.version]))
        self._core.spawn(self._tell_similar(writer, found))

    async def _tell_similar(self, writer: Writer, programs: Mapping[str, tuple[str, str]]) -> None:
        self._core.tell(writer.session, await asyncio.to_thread(similar, programs))

    def _export(self, writer: Writer, _letter: GetExport) -> None:
        self._core.spawn(self._tell_export(writer))

    async def _tell_export(self, writer: Writer) -> None:
        core = self._core
        try:
            text = await asyncio.to_thread(export, core.folder, core.classroom)
        except ExportError as error:
            core.refuse(writer.session, "get_export", LetterError("disk", str(error)))
            return
        parts = in_parts(text)
        for number, part in enumerate(parts):
            core.tell(writer.session, Export(number, len(parts), part))

    def _cards(self, writer: Writer, letter: GetCards) -> None:
        core = self._core
        pupils = core.state.pupils if letter.name is None else {letter.name: self._pupil(letter.name)}
        codes = {name: core.codes[doors[-1]] for name, pupil in pupils.items()
                 if not pupil.removed and (doors := core.state.doors_of(name))}  # fmt: skip
        core.tell(writer.session, Cards(f"{core.entrance.address}/class/{core.entrance.code}#", codes))
