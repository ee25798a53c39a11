"""The marks of the class in a folder, as a table: reads its journal, and the logs of the leagues that count.

Errors: ExportError    something of it can't be read; the message is a sentence for the user
"""

from __future__ import annotations

from pathlib import Path

from league.history import log
from league.history.entrants import SeasonError
from league.history.log import LogError
from league.history.season import Season
from locales import _
from locales.system import reason
from school import journal
from school.config import Classroom
from school.journal import JournalError
from school.marks import graded, marks, marks_csv


class ExportError(Exception):
    """Marks that can't be made."""


def league_folder(folder: Path, number: int) -> Path:
    """Where a league of the class is kept."""
    return folder / "leagues" / f"{number:02}"


def export(folder: Path, classroom: Classroom) -> str:
    """The table of marks, also while the class is open. Raises ExportError."""
    try:
        happened = journal.load(folder)
        numbers = graded(classroom.pupils, happened)
        seasons = {number: _season(league_folder(folder, number)) for number in numbers}
    except (JournalError, LogError, SeasonError) as error:
        raise ExportError(str(error)) from error
    except OSError as error:
        text = _("{folder} can't be used: {reason}.").format(folder=folder, reason=reason(error))
        raise ExportError(text) from error
    played = {number: season for number, season in seasons.items() if season is not None}
    return marks_csv(marks(classroom.pupils, happened, played), numbers)


def _season(folder: Path) -> Season | None:
    """A league, None if it has not begun to be played."""
    return Season.of(log.load(folder)) if log.is_log(folder / log.NAME) else None
