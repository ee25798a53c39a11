"""What pupils hand in and have written: programs in parts, versions, drafts. No pupil waits for another."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from locales import _
from school.core import Core, LetterError, Writer, disk_refusal, no_version
from school.events import Given, HandedIn
from school.messages import (
    MAX_PART,
    MAX_SOURCE,
    Draft,
    Drafted,
    Forget,
    GetDraft,
    GetSource,
    GetVersion,
    Give,
    Source,
    Submit,
)
from school.programs.checking import Checking
from school.programs.pupil_files import BadFileError, PupilFiles, check_draft, check_name, check_text
from school.programs.pupil_files import Draft as KeptDraft
from school.shares import KEPT

EVERY_MS: Final = 5_000
"""The least time between two versions of a pupil."""

MOST_VERSIONS: Final = 200


@dataclass(slots=True)
class Upload:
    """A text on its way, in parts."""

    file: str
    parts: int
    at: int = 0
    texts: list[str] = field(default_factory=list)

    def add(self, part: int, text: str) -> str | None:
        """Takes a part; returns the whole text with the last one. Raises LetterError for one that does not follow."""
        if part != len(self.texts):
            raise LetterError("bad_letter", _("A part of the file is missing: send it again."))
        self.texts.append(text)
        if sum(map(len, self.texts)) > MAX_SOURCE:
            raise LetterError("too_large", too_large(self.file))
        return "".join(self.texts) if len(self.texts) == self.parts else None


def too_large(file: str) -> str:
    """What is said of a file that is too large."""
    text = _("{file} is too large: a program has at most {count} characters. Clear a notebook's outputs first.")
    return text.format(file=file, count=MAX_SOURCE)


def in_parts(text: str) -> list[str]:
    """A text as it is sent; at least one part."""
    return [text[at : at + MAX_PART] for at in range(0, len(text), MAX_PART)] or [""]


class HandingIn:
    """Answers letters about programs. `handlers`: by the kind of letter."""

    def __init__(self, core: Core, files: PupilFiles, checking: Checking) -> None:
        self._core = core
        self._files = files
        self._checking = checking
        self._uploads: dict[tuple[str, type], Upload] = {}
        self._drafts: dict[str, KeptDraft] = {}
        self._writing: set[str] = set()
        self.handlers: Mapping[type, Callable[[Writer, Any], None]] = {
            Submit: self._submit,
            Give: self._give,
            Draft: self._draft,
            GetDraft: self._get_draft,
            Forget: self._forget,
            GetVersion: self._get_version,
            GetSource: self._get_source,
        }

    def _part(self, owner: str, letter: Submit | Draft | Give, at: int = 0) -> str | None:
        """The whole text, once its last part is here; one upload of a kind and owner is on its way at a time."""
        key = (owner, type(letter))
        if letter.part == 0:
            self._uploads[key] = Upload(letter.file, letter.parts, at)
        upload = self._uploads.get(key)
        if upload is None or (upload.file, upload.parts, upload.at) != (letter.file, letter.parts, at):
            self._uploads.pop(key, None)
            raise LetterError("bad_letter", _("A part of the file is missing: send it again."))
        try:
            whole = upload.add(letter.part, letter.text)
        except LetterError:
            del self._uploads[key]
            raise
        if whole is not None:
            del self._uploads[key]
        return whole

    def _submit(self, writer: Writer, letter: Submit) -> None:
        core, name = self._core, writer.pupil
        pupil = core.state.pupils[name]
        if not core.state.takes_work(core.now()):
            raise LetterError("closed", _("Handing in is closed."))
        newest = pupil.newest
        if newest is not None and core.now() - newest.at < EVERY_MS:
            raise LetterError("not_now", _("You have just handed one in: wait some seconds."))
        if len(pupil.works) >= MOST_VERSIONS:
            raise LetterError(
                "not_now", _("{count} versions are enough: ask your teacher.").format(count=MOST_VERSIONS)
            )
        text = self._part(name, letter)
        if text is not None:
            self._keep(name, len(pupil.works) + 1, _checked_name(letter.file, text), text)

    def _give(self, writer: Writer, letter: Give) -> None:
        core = self._core
        text = self._part(writer.session, letter)
        if text is None:
            return
        file, at = _checked_name(letter.file, text), core.now()
        try:
            path = self._files.give(at, file, text)
        except OSError as error:
            raise disk_refusal(error) from error
        core.note(Given(at=at, file=file, path=path))

    def _keep(self, name: str, version: int, file: str, text: str) -> None:
        try:
            path = self._files.put(name, version, file, text)
        except OSError as error:
            raise disk_refusal(error) from error
        try:
            self._core.note(HandedIn(at=self._core.now(), name=name, version=version, file=file, path=path))
        except LetterError:
            self._files.path(path).unlink(missing_ok=True)
            raise
        self._checking.look()

    def _draft(self, writer: Writer, letter: Draft) -> None:
        text = self._part(writer.pupil, letter, letter.at)
        if text is None:
            return
        name = self._drawer(writer.pupil)
        kept = self._kept_draft(name)
        if kept is not None and kept.at > letter.at:
            self._get_draft(writer, GetDraft())
            return
        try:
            check_draft(letter.file, text)
        except BadFileError as error:
            raise LetterError("bad_letter", str(error)) from error
        self._drafts[name] = KeptDraft(letter.file, letter.at, text)
        self._core.spent += KEPT
        if name not in self._writing:
            self._writing.add(name)
            self._core.spawn(self._keep_drafts(writer, name))

    def _drawer(self, name: str) -> str:
        """The name under which a pupil's draft lies: their door, which stays when they are called otherwise."""
        return self._core.state.doors_of(name)[-1]

    async def _keep_drafts(self, writer: Writer, name: str) -> None:
        """Keeps the draft of a pupil, then any that came meanwhile; only this pupil waits for the disk."""
        try:
            while (draft := self._drafts.get(name)) is not None:
                try:
                    await asyncio.to_thread(self._files.keep_draft, name, draft)
                except OSError as error:
                    self._core.refuse(writer.session, "draft", disk_refusal(error))
                else:
                    self._core.tell(writer.session, Drafted(draft.file, draft.at))
                if name not in self._drafts:
                    await asyncio.to_thread(self._files.forget, name)  # it was erased meanwhile
                elif self._drafts[name] is draft:
                    del self._drafts[name]
        finally:
            self._drafts.pop(name, None)
            self._writing.discard(name)

    def _kept_draft(self, name: str) -> KeptDraft | None:
        return self._drafts.get(name) or self._files.draft(name)

    def _get_draft(self, writer: Writer, _letter: GetDraft) -> None:
        kept = self._kept_draft(self._drawer(writer.pupil))
        if kept is None:
            self._core.tell(writer.session, Drafted())
            return
        parts = in_parts(kept.text)
        for number, text in enumerate(parts):
            self._core.tell(writer.session, Drafted(kept.file, kept.at, number, len(parts), text))

    def _forget(self, writer: Writer, _letter: Forget) -> None:
        name = self._drawer(writer.pupil)
        self._drafts.pop(name, None)
        try:
            self._files.forget(name)
        except OSError as error:
            raise disk_refusal(error) from error
        self._core.tell(writer.session, Drafted())

    def _get_version(self, writer: Writer, letter: GetVersion) -> None:
        given = self._core.state.given
        if letter.version:
            self._tell_version(writer, writer.pupil, letter.version)
        elif given is None:
            raise LetterError("not_now", _("Your teacher has given no file."))
        else:
            self._tell_source(writer, writer.pupil, 0, given.file, self._read(given.path))

    def _get_source(self, writer: Writer, letter: GetSource) -> None:
        if letter.version:
            self._tell_version(writer, letter.name, letter.version)
            return
        draft = self._kept_draft(self._drawer(letter.name)) if letter.name in self._core.state.pupils else None
        if draft is None:
            raise LetterError("no_pupil", _("{name} has written nothing in the studio yet.").format(name=letter.name))
        self._tell_source(writer, letter.name, 0, draft.file, draft.text)

    def _tell_version(self, writer: Writer, name: str, version: int) -> None:
        pupil = self._core.state.pupils.get(name)
        work = None if pupil is None else pupil.work(version)
        if pupil is None or work is None:
            raise no_version(name, version)
        self._tell_source(writer, name, version, work.file, self._read(pupil.paths[version]))

    def _read(self, path: str) -> str:
        try:
            return self._files.read(path)
        except OSError as error:
            raise disk_refusal(error) from error

    def _tell_source(self, writer: Writer, name: str, version: int, file: str, text: str) -> None:
        parts = in_parts(text)
        for number, part in enumerate(parts):
            self._core.tell(writer.session, Source(name, version, file, number, len(parts), part))


def _checked_name(file: str, text: str) -> str:
    """The name under which a program is kept; raises LetterError for what is none."""
    try:
        name = check_name(file)
        check_text(name, text)
    except BadFileError as error:
        raise LetterError("bad_name", str(error)) from error
    return name
