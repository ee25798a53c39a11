"""What a pupil, and the desk, are told of how the class stands. Pure.

A letter is bounded: it has the newest versions of a pupil, and faults only of the last few.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from msgspec.structs import replace

from school.messages import Bot, Fault, Hall, Handout, PupilRow, Question, Work
from school.state import ClassState, Key, PupilState, QuestionState

WORKS_TOLD: Final = 40
"""The most versions of a pupil in a letter."""

FAULTS_TOLD: Final = 4
"""How many of the newest versions are told with their faults."""

_LONGEST: Final = 600
"""Characters of each part of a fault in a letter to the desk, which has the faults of others, too."""


class Standing(NamedTuple):
    """What a pupil has made in the last league; those who are not rated have no rating, and no error of it."""

    points: float
    rating: float | None
    error: float | None


@dataclass(frozen=True, slots=True)
class Live:
    """What is known of the pupils beside the journal, by their names.

    here: who is in the class now. bots: where their programs run. running: the versions that are being checked.
    standings, faults: what they made in the last league, and in how many of its games their programs failed.
    """

    here: Collection[str] = ()
    bots: Mapping[str, Bot] = field(default_factory=dict)
    running: Collection[Key] = ()
    standings: Mapping[str, Standing] = field(default_factory=dict)
    faults: Mapping[str, int] = field(default_factory=dict)


def shown_question(question: QuestionState | None) -> Question | None:
    """The question as all see it, with the answers only once they are revealed."""
    if question is None:
        return None
    asked, revealed = question.asked, question.revealed
    if revealed is None:
        return Question(asked.number, asked.game, asked.moves, len(question.replies))
    counts: dict[str, int] = {}
    for move in question.replies.values():
        counts[move] = counts.get(move, 0) + 1
    return Question(
        asked.number, asked.game, asked.moves, len(question.replies), counts, revealed.best, revealed.verdict
    )


def shown_handout(state: ClassState) -> Handout | None:
    """The file that all are given, if there is one."""
    return None if state.given is None else Handout(state.given.file, state.given.at)


def shown_work(work: Work, name: str, live: Live, *, hints: bool, whole: bool = True) -> Work:
    """A version as it is told: without hints where these are switched off."""
    if work.check == "waiting" and (name, work.version) in live.running:
        work = replace(work, check="running")
    if not whole:
        return replace(work, fault=None, faced=None)
    return replace(work, fault=shown_fault(work.fault, hints=hints), faced=shown_fault(work.faced, hints=hints))


def shown_fault(fault: Fault | None, *, hints: bool) -> Fault | None:
    """A fault as its author is told of it: without hints where these are switched off."""
    return fault if fault is None or hints else replace(fault, hint="")


def works_of(pupil: PupilState, live: Live, *, hints: bool) -> tuple[Work, ...]:
    """The versions of a pupil, the newest last."""
    told: Sequence[Work] = pupil.works[-WORKS_TOLD:]
    first_whole = len(told) - FAULTS_TOLD
    return tuple(
        shown_work(work, pupil.name, live, hints=hints, whole=number >= first_whole)
        for number, work in enumerate(told)
    )  # fmt: skip


def row_of(state: ClassState, pupil: PupilState, live: Live) -> PupilRow:
    """A pupil as the desk sees them."""
    name, newest = pupil.name, pupil.newest
    points, rating, error = live.standings.get(name, (None, None, None))
    if newest is not None:
        newest = replace(shown_work(newest, name, live, hints=True), faced=None)  # its author alone is told
        if newest.fault is not None:
            fault = newest.fault
            parts = {part: getattr(fault, part)[:_LONGEST] for part in ("what", "code", "position", "hint", "printed")}
            newest = replace(newest, fault=replace(fault, **parts))
    return PupilRow(
        name,
        pupil.team,
        here=name in live.here,
        removed=pupil.removed,
        bot=live.bots.get(name, "none"),
        work=newest,
        versions=len(pupil.works),
        badges=len(pupil.beaten),
        points=points,
        rating=rating,
        error=error,
        faults=live.faults.get(name, 0),
        answered=None if state.question is None else state.question.replies.get(name),
    )


def shortened(hall: Hall) -> Hall:
    """A shorter letter: without the older half of the versions; of a single one without its texts, then none.

    However long the rest is, so there comes an end: a letter without versions.
    """
    if len(hall.works) > 1:
        return replace(hall, works=hall.works[len(hall.works) // 2 :])
    bare = tuple(replace(work, fault=None, faced=None, comment=None, note="") for work in hall.works)
    return replace(hall, works=() if bare == hall.works else bare)
