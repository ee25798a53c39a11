"""How a class stands: the fold of its journal, from the roster of its file. Pure.

A pupil enters through a door: the name on the roster to which their personal code belongs. A door never changes, but
the pupil's name may: `called` maps doors to names.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Literal

from msgspec.structs import replace

from school import events
from school.events import AnyEvent, Begun
from school.messages import Allowed, Work
from server.names.lookalikes import looks

Key = tuple[str, int]
"""A version: the pupil's name, and its number."""


@dataclass(slots=True)
class PupilState:
    """A pupil. works: what was handed in, the newest last; paths: where it lies; beaten: levels of the ladder."""

    name: str
    team: str | None = None
    removed: bool = False
    works: list[Work] = field(default_factory=list)
    paths: dict[int, str] = field(default_factory=dict)
    beaten: set[str] = field(default_factory=set)
    tried: dict[str, events.Tried] = field(default_factory=dict)

    @property
    def newest(self) -> Work | None:
        """What was handed in last."""
        return self.works[-1] if self.works else None

    def work(self, version: int) -> Work | None:
        """A version, None if there is none of that number."""
        return self.works[version - 1] if 0 < version <= len(self.works) else None


@dataclass(slots=True)
class LeagueState:
    """A league of the class, as the desk began it."""

    begun: Begun
    finished: bool = False
    hidden: bool = False
    frozen: bool = False
    frozen_lines: int = 0


@dataclass(slots=True)
class QuestionState:
    """A position that was set, and what was answered, by name."""

    asked: events.Asked
    replies: dict[str, str] = field(default_factory=dict)
    revealed: events.Revealed | None = None


class ClassState:
    """All that a journal says. `roster`: the names of the class's file, with their teams."""

    def __init__(self, roster: Mapping[str, str | None]) -> None:
        self.pupils = {name: PupilState(name, team) for name, team in roster.items()}
        self.doors = {name: name for name in roster}
        self.leagues: list[LeagueState] = []
        self.question: QuestionState | None = None
        self.questions = 0
        self.is_open = True
        self.until: int | None = None
        self.halted = False
        self.allowed = Allowed()
        self.said: events.Announced | None = None
        self.given: events.Given | None = None
        self.mistakes: dict[tuple[int, int], tuple[int | None, int | None]] = {}

    @classmethod
    def of(cls, roster: Mapping[str, str | None], journal: Iterable[AnyEvent]) -> ClassState:
        """The class after all of a journal."""
        state = cls(roster)
        for event in journal:
            state.take(event)
        return state

    # ------------------------------------------------------------------------------------------------- what is asked

    def called(self, door: str) -> str:
        """The name of the pupil who comes in through a door."""
        return self.doors.get(door, door)

    def doors_of(self, name: str) -> list[str]:
        """The doors that lead to a pupil; the last is the one whose code is on their card."""
        return [door for door, called in self.doors.items() if called == name]

    def pupil(self, name: str) -> PupilState | None:
        """The pupil with this name, None if there is none, or if they were removed."""
        pupil = self.pupils.get(name)
        return None if pupil is None or pupil.removed else pupil

    def is_taken(self, name: str, but: str | None = None) -> bool:
        """Whether the name is, or was, that of somebody else, or looks like one."""
        names = {*self.doors, *self.pupils} - ({but, *self.doors_of(but)} if but is not None else set())
        return not {look for one in names for look in looks(one)}.isdisjoint(looks(name))

    def takes_work(self, now: int) -> bool:
        """Whether programs may be handed in."""
        return self.is_open and (self.until is None or now < self.until)

    @property
    def league(self) -> LeagueState | None:
        """The league that runs."""
        return self.leagues[-1] if self.leagues and not self.leagues[-1].finished else None

    def unchecked(self) -> list[Key]:
        """The versions that are still to be checked: first the newest of each pupil, in order of arrival."""
        waiting = [
            (work is not pupil.newest, work.at, name, work.version)
            for name, pupil in self.pupils.items()
            for work in pupil.works
            if work.check == "waiting"
        ]
        return [(name, version) for _is_old, _at, name, version in sorted(waiting)]

    # ------------------------------------------------------------------------------------------------------- the fold

    def take(self, event: AnyEvent) -> None:  # noqa: C901, PLR0912 - a line for each kind
        """Applies an event; an event about something that does not exist changes nothing."""
        match event:
            case events.HandedIn() | events.Checked() | events.Returned() | events.Tried() | events.Faced():
                self._take_work(event)
            case events.Opened(open=is_open, until=until):
                self.is_open, self.until = is_open, until
            case events.Begun(hidden=hidden):
                self.leagues.append(LeagueState(event, hidden=hidden))
            case events.Finished():
                if self.league is not None:
                    self.league.finished = True
            case events.Halted(halted=halted):
                self.halted = halted
            case events.Frozen(frozen=frozen, lines=lines):
                for league in self.leagues[-1:]:
                    league.frozen, league.frozen_lines = frozen, lines
            case events.Hidden(hidden=hidden):
                for league in self.leagues[-1:]:
                    league.hidden = hidden
            case events.Admitted() | events.Renamed() | events.Merged() | events.Removed():
                self._take_person(event)
            case events.Announced():
                self.said = event
            case events.Given():
                self.given = event
            case events.Turned(chat=chat, takebacks=takebacks, values=values, hints=hints):
                self.allowed = Allowed(chat, takebacks, values, hints)
            case events.Asked() | events.Replied() | events.Revealed():
                self._take_question(event)
            case events.Noted(league=league_number, game=game, mistakes=mistakes):
                self.mistakes[league_number, game] = mistakes

    def _take_work(
        self, event: events.HandedIn | events.Checked | events.Returned | events.Tried | events.Faced
    ) -> None:
        pupil = self.pupils.get(event.name)
        if pupil is None:
            return
        if isinstance(event, events.HandedIn):
            pupil.works.append(Work(len(pupil.works) + 1, event.file, event.at))
            pupil.paths[len(pupil.works)] = event.path
        elif isinstance(event, events.Tried):
            pupil.tried[event.badge] = event
            if event.passed:
                pupil.beaten.add(event.badge)
        elif (work := pupil.work(event.version)) is not None:
            pupil.works[event.version - 1] = _judged(work, event)

    def _take_person(self, event: events.Admitted | events.Renamed | events.Merged | events.Removed) -> None:
        match event:
            case events.Admitted(name=name, team=team):
                known = self.pupils.get(name)
                if known is None:
                    self.pupils[name] = PupilState(name, team)
                    self.doors[name] = name
                else:
                    known.removed, known.team = False, team or known.team
            case events.Renamed(name=name, to=to) if name in self.pupils:
                self._rename(name, to)
            case events.Merged(name=name, into=into) if name != into and name in self.pupils and into in self.pupils:
                self._merge(name, into)
            case events.Removed(name=name) if name in self.pupils:
                self.pupils[name].removed = True
            case _:
                pass

    def _rename(self, name: str, to: str) -> None:
        pupil = self.pupils[name]
        pupil.name = to
        self.pupils = {to if one == name else one: state for one, state in self.pupils.items()}
        self._lead(name, to)

    def _merge(self, name: str, into: str) -> None:
        gone, kept = self.pupils.pop(name), self.pupils[into]
        both = [(work, pupil.paths[work.version]) for pupil in (gone, kept) for work in pupil.works]
        both.sort(key=lambda each: each[0].at)
        kept.works = [replace(work, version=number) for number, (work, _path) in enumerate(both, 1)]
        kept.paths = {number: path for number, (_work, path) in enumerate(both, 1)}
        kept.beaten |= gone.beaten
        self._lead(name, into)

    def _lead(self, name: str, to: str) -> None:
        """Makes the doors of `name` lead to `to`; those that led there before stay last: their codes are on cards."""
        moved = {door: to for door, called in self.doors.items() if called == name}
        self.doors = {**moved, **{door: called for door, called in self.doors.items() if called != name}}
        if self.question is not None and name in self.question.replies:
            reply = self.question.replies.pop(name)
            self.question.replies.setdefault(to, reply)

    def _take_question(self, event: events.Asked | events.Replied | events.Revealed) -> None:
        question = self.question
        if isinstance(event, events.Asked):
            self.question, self.questions = QuestionState(event), event.number
        elif question is None or question.asked.number != event.number:
            return
        elif isinstance(event, events.Replied):
            question.replies[event.name] = event.move
        elif event.over:
            self.question = None
        else:
            question.revealed = event


def _judged(work: Work, event: events.Checked | events.Returned | events.Faced) -> Work:
    """A version after its check, after it was given back, or after a game against its author."""
    if isinstance(event, events.Returned):
        return replace(work, comment=event.comment)
    if isinstance(event, events.Faced):
        return replace(work, faced=event.fault)
    check: Literal["works", "fails"] = "fails" if event.fault else "works"
    return replace(work, check=check, passed=event.passed, of=event.of, fault=event.fault, note=event.note)
