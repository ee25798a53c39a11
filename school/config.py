"""The TOML file of a class: who is in it and what it plays; errors name the line. Pure.

    [class]
    title = "Seconde 4"
    game = "GAME"
    clock = "10s+0.1s"

    [pupils]
    "Léa M." = {whole = "Léa Martin", team = "Groupe 1"}

Errors: ConfigError (of `league.config`)    a file that can't be used; the message is a sentence for the user
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

import games
from games.base import Game
from league.config import TEXT, ConfigError, Key, Source, checked_table, usual_for
from league.toml_text import quoted
from locales import _, phrase
from protocol.bounds import MAX_NAME
from protocol.errors import ProtocolError
from protocol.messages import Clock
from protocol.timing import ClockError, parse_clock
from school.messages import MAX_CLASS
from server.names.lookalikes import looks
from server.names.text import display_name

MOST_LETTERS: Final = 100
"""The most characters of a whole name, and of a title."""

MOST_BYTES: Final = 1 << 20
"""How long the file may be."""


@dataclass(frozen=True, slots=True)
class Pupil:
    """A pupil: their `name` everywhere, their `whole` name in what the teacher gets, and their team."""

    name: str
    whole: str = ""
    team: str | None = None


@dataclass(frozen=True, slots=True)
class Classroom:
    """A class. `game` and `clock` are as written; `rules` and `time` read them."""

    title: str
    game: str
    clock: str
    pupils: tuple[Pupil, ...] = ()

    @property
    def rules(self) -> Game:
        """The game that is played."""
        return games.parse(self.game)

    @property
    def time(self) -> Clock | None:
        """The clock of each game, None without one."""
        return parse_clock(self.clock)

    @property
    def teams(self) -> dict[str, str | None]:
        """The names of the pupils, with their teams."""
        return teams_of(self.pupils)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the pupils in the order of the file."""
        return tuple(pupil.name for pupil in self.pupils)


def teams_of(pupils: Iterable[Pupil]) -> dict[str, str | None]:
    """The names of pupils, with their teams: what a journal begins from."""
    return {pupil.name: pupil.team for pupil in pupils}


def _short_text() -> Key:
    return Key(
        lambda: _("a text in quotes, of at most {count} characters that can be seen").format(count=MOST_LETTERS),
        lambda value: TEXT.fits(value) and len(value) <= MOST_LETTERS,
    )


_CLASS_KEYS: Final[Mapping[str, Key]] = {"title": _short_text(), "game": TEXT, "clock": TEXT}
_PUPIL_KEYS: Final[Mapping[str, Key]] = {"whole": _short_text(), "team": TEXT}


def read_class(text: str, path: str) -> Classroom:
    """The class that `text` describes; `path` is what to call the file. Raises ConfigError."""
    source = Source(text, path)
    data = source.parsed()
    for key in data:
        if key not in ("class", "pupils"):
            text = _("there is no section {key}; there are [class] and [pupils].").format(key=key)
            raise source.error(source.line(key, f"[{key}"), text)
    head = checked_table(source, data.get("class"), "[class]", 1, _CLASS_KEYS, ("title", "game"))
    clock = head.get("clock", usual_for(head["game"]).get("clock", ""))
    classroom = Classroom(head["title"].strip(), head["game"].strip(), clock, _pupils(source, data.get("pupils", {})))
    _check_play(source, classroom)
    return classroom


def write_class(classroom: Classroom) -> str:
    """The file that describes `classroom`; `read_class` reads it."""
    head = {"title": classroom.title, "game": classroom.game, "clock": classroom.clock}
    said = "".join(f"{key} = {quoted(value)}\n" for key, value in head.items() if value)
    rows = "".join(f"{quoted(pupil.name)} = {{{_inline(pupil)}}}\n" for pupil in classroom.pupils)
    return f"[class]\n{said}\n[pupils]\n{rows}"


def _inline(pupil: Pupil) -> str:
    said = {"whole": pupil.whole if pupil.whole != pupil.name else "", "team": pupil.team or ""}
    return ", ".join(f"{key} = {quoted(value)}" for key, value in said.items() if value)


def _check_play(source: Source, classroom: Classroom) -> None:
    try:
        _rules = classroom.rules
    except games.RulesError as error:
        raise source.error(source.line("game", "[class]"), phrase(error.phrase)) from error
    try:
        _time = classroom.time
    except ClockError as error:
        text = _("{text!r} is no clock: write 5m+3s, 10s+0.1s, 2s/move or none.").format(text=classroom.clock)
        raise source.error(source.line("clock", "[class]"), text) from error


def _pupils(source: Source, rows: object) -> tuple[Pupil, ...]:
    """Those of the section [pupils]; raises ConfigError."""
    if not isinstance(rows, dict):
        raise source.error(source.line("pupils", ""), _("write [pupils], with one pair of brackets, above the names."))
    pupils = tuple(_pupil(source, name, row) for name, row in rows.items())
    if len(pupils) > MAX_CLASS:
        text = _("{count} names are too many for one class, which has room for {most}.")
        raise source.error(source.line("", "[pupils]"), text.format(count=len(pupils), most=MAX_CLASS))
    for alike in alike_names(pupil.name for pupil in pupils):
        text = _("two names are {name}, or look like it: give each of the two letters of the last name.")
        raise source.error(source.line(alike, "[pupils]"), text.format(name=alike))
    return pupils


def alike_names(names: Iterable[str]) -> list[str]:
    """The names that look like one before them."""
    seen: set[str] = set()
    found: list[str] = []
    for name in names:
        if not seen.isdisjoint(looks(name)):
            found.append(name)
        seen.update(looks(name))
    return found


def _pupil(source: Source, name: str, row: Any) -> Pupil:
    line = source.line(name, "[pupils]")
    if not isinstance(row, dict):
        raise source.error(line, _('write "{name}" = {{}}, or {{whole = "...", team = "..."}}.').format(name=name))
    for key, value in row.items():
        if key not in _PUPIL_KEYS:
            text = _("there is no key {key} of a pupil; there are {known}.")
            raise source.error(line, text.format(key=key, known=", ".join(_PUPIL_KEYS)))
        if not _PUPIL_KEYS[key].fits(value):
            raise source.error(line, _("{key} must be {wanted}.").format(key=key, wanted=_PUPIL_KEYS[key].wanted()))
    try:
        team = checked_name(row["team"]) if "team" in row else None
        return Pupil(checked_name(name), row.get("whole", "").strip(), team)
    except ConfigError as error:
        raise source.error(line, str(error)) from error


def checked_name(typed: str) -> str:
    """A name of a pupil or a team as everybody sees it; raises ConfigError."""
    try:
        return display_name(typed)
    except ProtocolError as error:
        text = _("{name!r} can't be a name: it has 1 to {most} characters, letters of one alphabet, none unseen.")
        raise ConfigError(text.format(name=typed[: 2 * MAX_NAME], most=MAX_NAME)) from error
