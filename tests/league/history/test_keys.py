"""What the host of a league keeps and reads of who has entered: whom names belong to, absences, refused doubles."""

import json
import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from msgspec import UNSET

from client.connection import Client
from league.executors.organiser import Organiser
from league.gathering import HANDED_OVER, Gathering
from league.history.entrants import SeasonError
from league.history.keys import NAME, NO_KEY, KeyBook, KeysError
from league.history.log import LogEntry
from league.history.season import Season, begin
from league.report.attendance import AWAY_TOLD_S, QUIET_S, REFUSALS, Attendance, attendance_table
from locales import set_language
from protocol.messages import BoundName, Dismiss, Entrant, EntryRefused, HostLeague, Ok, Player
from protocol.values import key_hash
from tests.league.fakes import league


def bound(name: str, key: str = "k" * 22) -> BoundName:
    return BoundName(name, "BATOMI", key_hash("BATOMI", key))


def never(line: str) -> None:
    raise AssertionError(line)


# ------------------------------------------------------------------------------------------------- what is kept


def test_what_is_kept_is_there_after_a_crash(tmp_path: Path) -> None:
    book = KeyBook(tmp_path, never)
    book.keep(bound("Ann"), bound("Zoé"))
    book.drop(["Zoé"])
    book.carry(3)
    again = KeyBook(tmp_path, never)
    assert (again.bound, again.carried, again.opened) == ({"Ann": bound("Ann")}, 3, {"Zoé"})
    assert stat.S_IMODE((tmp_path / NAME).stat().st_mode) == 0o600 or os.name != "posix"
    again.keep(bound("Zoé"))
    assert KeyBook(tmp_path, never).opened == set()


@pytest.mark.parametrize("text", ["", "[]", "{", '{"bound": [7]}', '{"bound": [], "carried": "x", "opened": []}'])
def test_a_file_that_can_t_be_read_is_named(tmp_path: Path, text: str) -> None:
    (tmp_path / NAME).write_text(text, encoding="utf-8")
    with pytest.raises(KeysError, match=NAME):
        KeyBook(tmp_path, never)


def test_a_file_that_can_t_be_written_is_told_once(tmp_path: Path) -> None:
    said: list[str] = []
    book = KeyBook(tmp_path / "nowhere", said.append)
    book.keep(bound("Ann"))
    book.keep(bound("Bob"))
    assert len(said) == 1
    assert set(book.bound) == {"Ann", "Bob"}


def test_a_new_name_belongs_to_whom_the_old_one_does() -> None:
    book = KeyBook(None, never)
    book.keep(bound("Ann"), bound("Bob", "b" * 22))
    heirs = {one.name: one.hash for one in book.heirs({"Ann": "Anna", "Ann2": "Anna", "xXx": "Max", "Eve": "Bob"})}
    assert heirs == {"Anna": bound("Ann").hash, "Max": NO_KEY}
    book.drop(["Max"])
    assert "Max" not in {one.name for one in book.heirs({"xXx": "Max"})}


# ------------------------------------------------------------------------------------------ what a server is told


class Server:
    """Stands in for a client: hears what the host asks for."""

    def __init__(self) -> None:
        self.asked: list[HostLeague | Dismiss] = []

    async def ask(self, make: type[HostLeague] | type[Dismiss], **fields: object) -> Ok:
        message = make(1, **fields)  # type: ignore[arg-type]  # as a client makes it
        self.asked.append(message)
        return Ok(1, code="BATOMI")


def gathering(book: KeyBook) -> tuple[Gathering, Server]:
    found, server = Gathering("ws://nowhere", league(0), code="BATOMI", book=book), Server()
    found._client = server  # type: ignore[assignment]  # a fake
    found._organiser = Organiser(Client("ws://nowhere", name="x", kind="human"), league(0))
    return found, server


async def test_a_server_hears_whom_all_names_belong_to(tmp_path: Path) -> None:
    book = KeyBook(tmp_path, never)
    names = [bound(f"Ann {number}") for number in range(2 * HANDED_OVER + 1)]
    book.keep(*names)
    host, server = gathering(book)
    await host._host()
    handed = [one for asked in server.asked if isinstance(asked, HostLeague) for one in asked.bound]
    assert handed == names
    assert all(len(asked.bound) <= HANDED_OVER for asked in server.asked if isinstance(asked, HostLeague))


async def test_what_was_given_free_is_so_once_and_is_not_handed_over(tmp_path: Path) -> None:
    book = KeyBook(tmp_path, never)
    book.keep(bound("Ann"), bound("Anna"), bound("Bob"))
    host, server = gathering(book)
    host.rule({"Ann": "Anna"}, (), [("Anna", "Ann")])
    await host._host()
    assert [asked for asked in server.asked if isinstance(asked, Dismiss)] == [
        Dismiss(1, "BATOMI", "Anna", free=True),
        Dismiss(1, "BATOMI", "Ann", free=True),
    ]
    assert [one.name for asked in server.asked if isinstance(asked, HostLeague) for one in asked.bound] == ["Bob"]
    host, server = gathering(KeyBook(tmp_path, never))
    host.rule({"Ann": "Anna"}, (), [("Anna", "Ann")])
    await host._host()
    assert not [asked for asked in server.asked if isinstance(asked, Dismiss)]
    assert json.loads((tmp_path / NAME).read_text(encoding="utf-8"))["carried"] == 1


async def test_what_the_server_says_is_kept_and_shown() -> None:
    book, refused = KeyBook(None, never), list[EntryRefused]()
    host, _server = gathering(book)
    host.on_refused = refused.append
    host._hear(Entrant("BATOMI", Player("Ann 2", "bot"), "Ann", UNSET, bound("Ann"), 41))
    host._hear(EntryRefused("BATOMI", "Ann", 3))
    host._hear(EntryRefused("QUOXIL", "Ann", 3))
    assert (host.guests["Ann"].name, host.guests["Ann"].rtt_ms) == ("Ann 2", 41)
    assert book.bound == {"Ann": bound("Ann")}
    assert refused == [EntryRefused("BATOMI", "Ann", 3)]
    host._hear(Entrant("BATOMI", Player("Ann 2", "bot", present=False), "Ann"))
    assert host.guests["Ann"].rtt_ms is None


# ---------------------------------------------------------------------------------------------- what is decided


def test_a_name_is_given_free_with_those_before_it() -> None:
    season = Season.of([begin(league(3), [], Path())])
    names = list(season.bots)
    season.take(season.renaming(names[0], "Anna"))
    season.take(season.ruling("freed", {"name": "anna"}))
    assert season.freed == [("Anna", names[0])]
    table_before = season.as_json()
    season.take(season.freeing(names[1]))
    assert season.as_json() == table_before
    with pytest.raises(SeasonError, match="Nobody in this league is called Eve"):
        season.ruling("freed", {"name": "Eve"})
    with pytest.raises(SeasonError, match="Nobody in this league is called Eve"):
        season.take(LogEntry("freed", {"name": "Eve", "doors": ["Eve"]}))


# ------------------------------------------------------------------------------------------------ what is told


@dataclass
class Comer:
    present: bool = True
    since: float = 0.0
    rtt_ms: int | None = 41


def heard(attendance: Attendance, comers: dict[str, Comer], seconds: range) -> list[str]:
    return [line for now in seconds for line in attendance.look(comers, (), float(now))]


def test_an_absence_and_a_return_are_told_with_their_times() -> None:
    attendance, ann = Attendance("free"), Comer(present=False, since=100.0)
    assert heard(attendance, {"Ann": ann}, range(100, 130)) == ["Ann: away for 10 s."]
    ann.present, ann.since, ann.rtt_ms = True, 134.0, None
    assert heard(attendance, {"Ann": ann}, range(134, 136)) == []
    ann.rtt_ms = 41
    assert heard(attendance, {"Ann": ann}, range(136, 300)) == ["Ann is back after 34 s, round trip 41 ms."]


def test_a_return_without_a_round_trip_is_told_all_the_same() -> None:
    attendance, ann = Attendance("free"), Comer(present=False)
    heard(attendance, {"Ann": ann}, range(30))
    ann.present, ann.since, ann.rtt_ms = True, 30.0, None
    assert heard(attendance, {"Ann": ann}, range(30, 100)) == ["Ann is back after 30 s."]


def test_who_blinks_is_not_told_of_and_who_flaps_seldom() -> None:
    attendance, ann = Attendance("free"), Comer()
    said = 0
    for start in range(0, 600, 24):
        for present, length in ((False, 12), (True, 12)):
            since = start + (12 if present else 0)
            ann.present, ann.since = present, float(since)
            said += len(heard(attendance, {"Ann": ann}, range(since, since + length)))
    assert said <= 2 * (600 / QUIET_S + 1)
    blinking = Attendance("free")
    for start in range(0, 600, 10):
        ann.present, ann.since = start % 20 == 0, float(start)
        assert heard(blinking, {"Ann": ann}, range(start, start + int(AWAY_TOLD_S))) == []


def test_a_network_that_is_down_is_one_line() -> None:
    comers = {f"pupil number {number}": Comer(present=False) for number in range(30)}
    (line,) = heard(Attendance("free"), comers, range(60))
    assert line == "pupil number 0, pupil number 1, pupil number 2 and 27 others: away for 10 s."
    assert len(line) <= 80


def test_doubles_are_told_with_how_often_and_without_a_flood() -> None:
    attendance = Attendance("arbitre league free class")
    said: list[str] = []
    for now in range(600):
        attendance.refused("Ann", 1, None)
        said += attendance.look({}, (), float(now))
    assert said[:3] == [
        "Ann: refused to somebody without the key.",
        "  To give them the name: arbitre league free class Ann",
        "Ann: refused to somebody without the key, 60 times.",
    ]
    assert len(said) == 11
    many = Attendance("free")
    for number in range(1000):
        many.refused(f"Ann {number}", 1, "192.0.2.7")
    first = many.look({}, (), 0.0)
    assert len(first) == 2 * REFUSALS
    assert first[0] == "Ann 0: refused without the key, from 192.0.2.7."
    assert 10 <= len(heard(many, {}, range(1, 61))) <= 12


def test_the_table_of_those_present() -> None:
    comers = {"Ann": Comer(), "Zoé": Comer(present=False, since=66.0), "Eve": Comer(), "Bob": Comer(rtt_ms=None)}
    assert attendance_table(comers, ["Eve"], 100.0) == [
        "Name   Round trip",
        "Ann         41 ms            here",
        "Zoé                 away for 34 s",
        "Bob                          here",
    ]
    assert attendance_table({}, (), 0.0) == ["Nobody is here yet."]


@pytest.fixture
def french() -> Iterator[None]:
    set_language("fr")
    yield
    set_language("en")


@pytest.mark.usefixtures("french")
def test_the_lines_fit_in_french_too() -> None:
    attendance, name = Attendance("free"), "Maximilien de la Tour"
    comers = {name: Comer(present=False)}
    attendance.refused(name, 12, "192.168.100.200")
    lines = heard(attendance, comers, range(30))
    comers[name] = Comer(since=3600.0)
    lines += [*heard(attendance, comers, range(3600, 3610)), *attendance_table(comers, (), 3610.0)]
    assert len(lines) == 6
    assert all(len(line) <= 80 for line in lines), lines
    assert not any("away" in line or "back" in line or "refused" in line or "trip" in line for line in lines), lines
