"""The marks of a class: a row for each pupil, from the journal and the leagues that were graded. Pure.

Points, ratings and faults are those of the leagues that the teacher began as graded; each has its columns. A program is
late if it came after the last deadline that was set.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from math import isfinite

from league.history.season import Season
from league.report.cells import as_csv, defused, figure
from league.report.table_text import FAULT_NAMES
from league.results import FAULTS
from league.statistics.standings import Row
from locales import _
from school import events
from school.config import Pupil, teams_of
from school.events import AnyEvent
from school.messages import Work
from school.state import ClassState


@dataclass(frozen=True, slots=True)
class Score:
    """What somebody made in a league."""

    points: float
    games: int
    rating: float
    error: float
    faults: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Mark:
    """The marks of one pupil. newest: what was handed in last. comment: the teacher's last. leagues: by number."""

    name: str
    whole: str
    team: str = ""
    versions: int = 0
    newest: Work | None = None
    is_late: bool = False
    badges: int = 0
    comment: str = ""
    leagues: Mapping[int, Score] = field(default_factory=dict)

    @property
    def faults(self) -> Counter[str]:
        """The defeats that were failures, by reason, in all leagues."""
        return sum((Counter(score.faults) for score in self.leagues.values()), Counter[str]())


def graded(roster: Sequence[Pupil], journal: Iterable[AnyEvent]) -> list[int]:
    """The numbers of the leagues that count."""
    state = ClassState.of(teams_of(roster), journal)
    return [league.begun.number for league in state.leagues if league.begun.graded]


def marks(roster: Sequence[Pupil], journal: Sequence[AnyEvent], seasons: Mapping[int, Season]) -> list[Mark]:
    """The marks of all who are in the class, in the order of its file. seasons: the leagues that count, by number."""
    state = ClassState.of(teams_of(roster), journal)
    wholes = {pupil.name: pupil.whole for pupil in roster if pupil.whole}
    heirs, deadline = _heirs(journal), _deadline(journal)
    scores = {number: _scores(season, heirs.get(number, {})) for number, season in seasons.items()}
    found: list[Mark] = []
    for name, pupil in state.pupils.items():
        if pupil.removed:
            continue
        known = [wholes[door] for door in reversed(state.doors_of(name)) if door in wholes]
        newest = pupil.newest
        found.append(
            Mark(
                name,
                known[0] if known else name,
                pupil.team or "",
                len(pupil.works),
                newest,
                is_late=newest is not None and deadline is not None and newest.at > deadline,
                badges=len(pupil.beaten),
                comment=next((work.comment for work in reversed(pupil.works) if work.comment), ""),
                leagues={number: made[name] for number, made in scores.items() if name in made},
            )
        )
    return found


def marks_csv(made: Sequence[Mark], numbers: Sequence[int]) -> str:
    """The marks for a spreadsheet of the reader's language; numbers: of the leagues that count."""
    return as_csv([_heads(numbers), *(_row(mark, numbers) for mark in made)])


# -------------------------------------------------------------------------------------------------------- what counts


def _heirs(journal: Iterable[AnyEvent]) -> dict[int, dict[str, str]]:
    """By league: names that somebody had in it -> what they are called now."""
    found: dict[int, dict[str, str]] = {}
    for event in journal:
        if isinstance(event, events.Begun):
            found[event.number] = {}
        elif isinstance(event, events.Renamed | events.Merged):
            to = event.to if isinstance(event, events.Renamed) else event.into
            for league, names in found.items():
                found[league] = {old: to if new == event.name else new for old, new in names.items()} | {event.name: to}
    return found


def _deadline(journal: Iterable[AnyEvent]) -> int | None:
    """The last deadline that was set, None without one."""
    set_ = [event.until for event in journal if isinstance(event, events.Opened) and event.until is not None]
    return set_[-1] if set_ else None


def _scores(season: Season, heirs: Mapping[str, str]) -> dict[str, Score]:
    """The score of each pupil, by name; for two who were merged since, that of the one who played more."""
    found: dict[str, Score] = {}
    for row in season.standings().rows:
        name, score = heirs.get(row.name, row.name), _score(row)
        if name not in found or found[name].games < score.games:
            found[name] = score
    return found


def _score(row: Row) -> Score:
    return Score(row.halves / 2, row.total.games, row.rating, row.error, dict(row.faults))


# ---------------------------------------------------------------------------------------------------------- the table


def _heads(numbers: Sequence[int]) -> list[str]:
    heads = [
        _("name"), _("whole name"), _("team"), _("versions"), _("last version"), _("late"), _("tests passed"),
        _("tests"), _("badges"),
    ]  # fmt: skip
    for number in numbers:
        heads += [
            _("points, league {number}").format(number=number),
            _("rating, league {number}").format(number=number),
            _("± rating, league {number}").format(number=number),
        ]
    return [*heads, *(_(FAULT_NAMES[reason]) for reason in FAULTS), _("comment")]


def _row(mark: Mark, numbers: Sequence[int]) -> list[str]:
    newest, faults = mark.newest, mark.faults
    cells = [defused(mark.name), defused(mark.whole), defused(mark.team), str(mark.versions)]
    if newest is None:
        cells += ["", "", "", ""]
    else:
        late = _("yes") if mark.is_late else _("no")
        cells += [_moment(newest.at), late, str(newest.passed), str(newest.of)]
    cells.append(str(mark.badges))
    for number in numbers:
        cells += _of_league(mark.leagues.get(number))
    return [*cells, *(str(faults[reason]) for reason in FAULTS), defused(mark.comment)]


def _of_league(score: Score | None) -> list[str]:
    if score is None:
        return ["", "", ""]
    is_rated = score.games > 0 and isfinite(score.rating) and isfinite(score.error)
    rated = [figure(score.rating, 0), figure(score.error, 0)] if is_rated else ["", ""]
    return [figure(score.points, 0 if score.points.is_integer() else 1), *rated]


def _moment(at: int) -> str:
    """A date and a time of this machine's clock, as every spreadsheet reads them."""
    return datetime.fromtimestamp(at / 1000).astimezone().strftime("%Y-%m-%d %H:%M")
