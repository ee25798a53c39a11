"""A start reads what is open and what ended lately, wherever it stands, and nothing of the past."""

from __future__ import annotations

import random
import sqlite3
from collections.abc import Generator, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from msgspec.structs import replace

from protocol.messages import Clock, Finished, MatchEvent, Moved, Player, Result, Said, Seated
from server.referee.effects import EventHappened, MatchClosed, MatchOpened, Record, SeatTaken
from server.referee.stored import StoredMatch
from server.store import database as database_module
from server.store import reading, writing
from server.store.database import open_to_write
from server.store.reading import Reader, read_all
from server.store.store import Progress, Store, row_of
from server.store.writing import Writer

RESULT = Result(1, "resign", (3, 2))


def nobody(_: Progress) -> None:
    """Hears of no progress."""


def event(match: str, seq: int, *, moved: bool = True) -> EventHappened:
    if moved:
        return EventHappened(Moved(match, seq, seq, 1, "d3", 2, (9, 9)))
    return EventHappened(Said(match, seq, 1, "hello"))


def ending(match: str, seq: int) -> list[Record]:
    """The last event of a match, and its result."""
    return [EventHappened(Finished(match, seq, RESULT)), MatchClosed(match, RESULT, seq, "c" * 64)]


class Past:
    """Matches that open, go on, end and are talked of, in groups of any size. `count`: the events of each."""

    def __init__(self, path: Path, seed: int) -> None:
        self.path = path
        self.rng = random.Random(seed)
        self.count: dict[str, int] = {}
        self.running: set[str] = set()

    def records(self) -> Iterator[Record]:
        """What happens in one turn of the loop; events come before the record that opens their match."""
        kind = self.rng.random()
        if kind < 0.2 or not self.running:
            match = f"m{len(self.count)}"
            self.running.add(match)
            self.count[match] = 0
            if self.rng.random() < 0.7:
                yield EventHappened(Seated(match, self._next(match), 1, Player("Zoé", "human")))
            yield MatchOpened(match, "othello", Clock(60_000), True, None)
            yield SeatTaken(match, 1, "s1")
        elif kind < 0.35:
            match = self.rng.choice(sorted(self.running))
            self.running.discard(match)
            yield from ending(match, self._next(match))
        elif kind < 0.4:
            match = self.rng.choice(sorted(self.count))
            yield event(match, self._next(match), moved=False)
        else:
            match = self.rng.choice(sorted(self.running)[-5:])
            yield event(match, self._next(match), moved=self.count[match] > 0)

    def write(self, writer: Writer) -> None:
        """One transaction."""
        rows = [row_of(record, 0) for _ in range(self.rng.randrange(1, 9)) for record in self.records()]
        writer.commit([(1, rows)])

    def _next(self, match: str) -> int:
        self.count[match] += 1
        return self.count[match]


@pytest.fixture
def near_checkpoint(monkeypatch: pytest.MonkeyPatch) -> None:
    """The checkpoint stays a few rows behind, so that a hundred rows are a long past."""
    monkeypatch.setattr(writing, "LAG_EVENTS", 20)
    monkeypatch.setattr(writing, "LAG_PER_MATCH", 1)
    monkeypatch.setattr(writing, "STEP_EVENTS", 7)


@pytest.mark.usefixtures("near_checkpoint")
@pytest.mark.parametrize("seed", [pytest.param(seed, marks=pytest.mark.slow if seed > 3 else ()) for seed in range(15)])
def test_every_match_is_found_by_its_places(tmp_path: Path, seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    past = Past(tmp_path / "arbitre.sqlite", seed)
    for _ in range(6):
        with closing(open_to_write(str(past.path), "process")) as database:
            writer = Writer(database)
            assert set(writer.open_matches) == past.running
            for _ in range(40):
                past.write(writer)
            assert set(writer.open_matches) == past.running
            everything = {match.id: match for match in read_all(database)}
            whole = [everything[match] for match in past.count]
            assert [len(match.events) for match in whole] == list(past.count.values())
            with monkeypatch.context() as patch:
                patch.setattr(reading, "_PLACE_ALL", "SELECT 1")  # no looking at all rows
                assert {match.id for match in reading.read_open(database, writer.open_matches)} == past.running
                for match in everything.values():
                    assert reading.read_one(database, match.id) == [match]
                for match in reading.read_last(database, 20):
                    assert match == everything[match.id]
        with Reader(str(past.path)) as reader:
            assert reader.damage() == []


@pytest.mark.usefixtures("near_checkpoint")
def test_the_last_matches_are_those_that_ended_last_here(tmp_path: Path) -> None:
    with closing(open_to_write(str(tmp_path / "arbitre.sqlite"), "process")) as database:
        writer = Writer(database)
        for number in range(50):
            match = f"m{number:02}"
            taken: list[Record] = [SeatTaken(match, 1, "s1")] if number % 10 else []
            records = [MatchOpened(match, "othello", None, True, None), *taken, *ending(match, 1)]
            writer.commit([(1, [row_of(record, number) for record in records])])
        assert [match.id for match in reading.read_last(database, 3)] == ["m47", "m48", "m49"]
        assert "m40" not in [match.id for match in reading.read_last(database, 50)], "nobody played in it"


def test_the_last_matches_come_in_the_order_in_which_they_were_opened(tmp_path: Path) -> None:
    """Which they are is decided by their ends; neither their names nor their ends put them in order."""
    opened, over = ("d", "c", "b", "a"), ("c", "d", "a", "b")
    with closing(open_to_write(str(tmp_path / "arbitre.sqlite"), "process")) as database:
        writer = Writer(database)
        for now, match in enumerate(opened):
            begun: list[Record] = [MatchOpened(match, "othello", None, True, None), SeatTaken(match, 1, "s1")]
            writer.commit([(1, [row_of(record, now) for record in begun])])
        for now, match in enumerate(over):
            writer.commit([(1, [row_of(record, 10 + now) for record in ending(match, 1)])])
        assert [match.id for match in reading.read_last(database, 4)] == ["d", "c", "b", "a"]
        assert [match.id for match in reading.read_last(database, 3)] == ["d", "b", "a"]
        assert [match.id for match in reading.read_last(database, 1)] == ["b"]


def test_a_place_that_is_wrong_is_made_good_by_looking_at_all_rows(tmp_path: Path) -> None:
    path = tmp_path / "arbitre.sqlite"
    with closing(open_to_write(str(path), "process")) as database:
        records = [MatchOpened("m1", "othello", None, True, None), event("m1", 1), event("m1", 2), *ending("m1", 3)]
        Writer(database).commit([(1, [row_of(record, 0) for record in records])])
        for wrong in ("first_event = 2", "first_event = 900, last_event = 1000"):
            database.execute(f"UPDATE results SET {wrong}")
            assert [one.seq for one in reading.read_one(database, "m1")[0].events] == [1, 2, 3]


def test_verify_tells_that_a_start_would_not_find_a_match(tmp_path: Path) -> None:
    path = str(tmp_path / "arbitre.sqlite")
    with closing(open_to_write(path, "process")) as database:
        Writer(database).commit([(1, [row_of(MatchOpened("m1", "othello", None, True, None), 0)])])
        database.execute("DELETE FROM open_matches")
    with Reader(path) as reader:
        assert reader.damage() == ["open_matches: m1"]


# ------------------------------------------------------------------------------------------------------- what it costs

TEMPLATE: tuple[MatchEvent, ...] = (
    Seated("m", 1, 1, Player("Zoé", "human")), Seated("m", 2, 2, Player("Bob", "human")),
    *(Moved("m", seq, seq, 1, "d3", 2, (9, 9)) for seq in range(3, 10)), Finished("m", 10, RESULT),
)  # fmt: skip


def played(path: Path, matches: int) -> None:
    """A file with so many finished matches; of the three first ones one is open, and one came to its end only now."""
    with closing(open_to_write(str(path), "process")) as database:
        writer = Writer(database)
        for number in range(matches):
            match = f"m{number:06}"
            records: list[Record] = [MatchOpened(match, "othello", None, True, None), SeatTaken(match, 1, "s1")]
            events = [EventHappened(replace(one, match=match)) for one in TEMPLATE]
            records += events[:5] if number < 2 else [*events, MatchClosed(match, RESULT, 7, "c" * 64)]
            writer.commit([(1, [row_of(record, number) for record in records])])
        late: list[Record] = [EventHappened(replace(one, match="m000001")) for one in TEMPLATE[5:]]
        late.append(MatchClosed("m000001", RESULT, 7, "c" * 64))
        writer.commit([(1, [row_of(record, matches) for record in late])])


class Cost:
    """What SQLite did: steps of its virtual machine, and statements."""

    def __init__(self) -> None:
        self.steps = 0
        self.statements: list[str] = []

    def step(self) -> int:
        self.steps += 1
        return 0


@contextmanager
def counted() -> Generator[Cost, None, None]:
    """Counts what every connection does that is opened meanwhile."""
    cost = Cost()
    connect = sqlite3.connect

    def counting(*arguments: object, **options: object) -> sqlite3.Connection:
        database = connect(*arguments, **options)  # type: ignore[call-overload]  # passed on as they came
        database.set_progress_handler(cost.step, 1)
        database.set_trace_callback(cost.statements.append)
        return database  # type: ignore[no-any-return]  # as above

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sqlite3, "connect", counting)
        yield cost


def started(path: Path) -> tuple[Cost, list[StoredMatch]]:
    """What a server reads when it starts, and what that cost."""
    with counted() as cost:
        store = Store(str(path), "process", nobody)
        found = [*store.last_matches(20), *store.open_matches()]
        assert store.sessions() == []
        assert store.leagues() == []
        store.close()
    return cost, found


@pytest.mark.usefixtures("near_checkpoint")
def test_a_start_costs_the_same_after_ten_times_the_past(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "LATELY_EVENTS", 400)
    monkeypatch.setattr(database_module, "CHECKED_WHOLE", 0)
    costs: list[int] = []
    for matches in (150, 1500):
        path = tmp_path / f"{matches}.sqlite"
        played(path, matches)
        cost, found = started(path)
        assert [match.id for match in (found[0], found[-1])] == ["m000001", "m000000"]
        assert [len(match.events) for match in found] == [10] * 20 + [5]
        assert not any("quick_check" in statement or "integrity_check" in statement for statement in cost.statements)
        costs.append(cost.steps)
    assert costs[1] < costs[0] * 1.1, "steps of SQLite's machine"


def test_a_small_file_is_checked_whole(tmp_path: Path) -> None:
    path = tmp_path / "arbitre.sqlite"
    played(path, 30)
    cost, _ = started(path)
    assert any("quick_check" in statement for statement in cost.statements)
