"""Records: what is played verifies, what is altered does not, and the chain is what docs/records.md says."""

from __future__ import annotations

import hashlib
import json
import random
import re
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace as with_fields

import arbitre
from games import Seat, parse
from protocol.messages import (
    Clock,
    Finished,
    GaveTime,
    MatchEvent,
    Moved,
    Offered,
    Passed,
    Result,
    Said,
    TookBack,
)
from protocol.records import GameRecord, RecordError, begin, chain, extend, from_line, to_line
from server.match.clock import OUT_OF_TIME_MS
from server.match.terms import MAX_GIFTS
from server.records.archive import Archive, check, record_of
from server.records.verification import Flaw, Problem, verify
from server.store.reading import Reader
from tests.effort import calls
from tests.server.played import begin as begin_sheet
from tests.server.played import clean_game, play

DOCUMENT = Path(__file__).parents[3] / "docs" / "records.md"
SEEDS = st.integers(0, 2**32)
WIN = ("a1", "a2", "b1", "b2", "c1")
CLOCK = Clock(60_000, 1000)


def flaws(record: GameRecord) -> set[Flaw]:
    return {problem.flaw for problem in verify(record)}


def chained(record: GameRecord) -> GameRecord:
    """The record as somebody would leave it who alters it and computes the chain again."""
    over = record.result is not None
    return replace(record, chain=chain(record.match, record.game, record.clock, record.events) if over else None)


def changed(record: GameRecord, at: int, **fields: object) -> GameRecord:
    """The record with other fields in its event number `at` (from 0, or from the end), chained again."""
    events = list(record.events)
    events[at] = with_fields(events[at], **fields)
    return chained(replace(record, events=tuple(events)))


def renumbered(record: GameRecord, events: Sequence[MatchEvent]) -> GameRecord:
    """The record with other events, numbered and chained anew."""
    numbered = tuple(with_fields(event, seq=seq) for seq, event in enumerate(events, 1))
    return chained(replace(record, events=numbered, wall_ms=(0,) * len(numbered)))


class TestGood:
    @settings(max_examples=150, deadline=None)
    @given(SEEDS)
    def test_what_was_played_verifies_and_survives_its_line(self, seed: int) -> None:
        record = play(seed)
        assert verify(record) == []
        line = to_line(record)
        assert b"\n" not in line
        assert from_line(line) == (record, True)
        assert record.moves == tuple(json.loads(line)["moves"])

    @settings(max_examples=30, deadline=None)
    @given(SEEDS)
    def test_a_match_that_goes_on_has_no_chain(self, seed: int) -> None:
        record = play(seed, over=False)
        assert (verify(record), from_line(to_line(record))) == ([], (record, True))
        assert flaws(replace(record, chain="0" * 64)) == {Flaw.CHAIN}

    def test_the_matches_that_are_played_here_are_of_every_kind(self) -> None:
        """Else the properties above say little."""
        records = [play(seed) for seed in range(600)]
        assert {record.result.reason for record in records if record.result} >= {
            "line",
            "discs",
            "full",
            "resign",
            "timeout",
            "agreement",
        }
        kinds = {type(event) for record in records for event in record.events}
        assert {Passed, TookBack, Said, Offered, GaveTime} <= kinds
        assert any(isinstance(record.events[-1], Said | Offered) for record in records), "nothing after an end"

    def test_a_match_that_never_began_may_be_aborted(self) -> None:
        whole = play(1, "morpion")
        aborted = renumbered(whole, [whole.events[0], Finished("m1x2y3z4", 2, Result(None, "aborted", (0, 0)))])
        assert verify(aborted) == []
        assert flaws(changed(aborted, -1, result=Result(1, "resign", (0, 0)))) == {Flaw.RESULT}

    def test_players_and_result_come_from_the_events(self) -> None:
        record = clean_game("morpion", WIN)
        first, second = record.players
        assert first is not None
        assert second is not None
        assert (first.name, second.name, record.moves) == ("Zoé 1", "Zoé 2", WIN)
        assert record.result == Result(1, "line", (1, 0), cells=((0, 0), (1, 0), (2, 0)))


class TestChain:
    def test_the_example_of_the_document(self) -> None:
        """Recomputed with hashlib alone, as a reader of docs/records.md would, and then with ours."""
        text = DOCUMENT.read_text(encoding="utf-8")
        rows = re.findall(r"^h(\d+) = ([0-9a-f]{64})$", text, re.MULTILINE)
        payloads = [
            line for line in text.splitlines() if re.match(r'\{"(?:record|type)":', line) and "seal" not in line
        ]
        assert len(rows) == len(payloads) > 5
        link = b""
        for (number, shown), payload in zip(rows, payloads, strict=True):
            link = hashlib.sha256(link + payload.encode()).digest()
            assert link.hex() == shown, f"h{number}"
        events = [line for line in text.splitlines() if line.startswith('{"record"') and '"seal"' in line]
        record, whole = from_line(events[0].encode())
        assert (whole, record.chain, verify(record)) == (True, link.hex(), [])

    def test_it_can_be_kept_event_by_event(self) -> None:
        record = play(3, "othello", CLOCK)
        link = begin(record.match, record.game, record.clock)
        for event in record.events:
            link = extend(link, event)
            if isinstance(event, Finished):
                break
        assert link.hex() == record.chain

    def test_it_ends_with_the_match(self) -> None:
        record = clean_game("morpion", WIN)
        talk = Said(record.match, len(record.events) + 1, 1, "Merci")
        assert chain(record.match, record.game, record.clock, [*record.events, talk]) == record.chain

    def test_it_costs_little(self) -> None:
        """The referee needs it at the end of each match: a few calls an event."""
        record = play(5, "othello", CLOCK)
        assert len(record.events) > 30
        done = calls(lambda: chain(record.match, record.game, record.clock, record.events))
        assert done < 10 * len(record.events)


class TestAltered:
    @settings(max_examples=300, deadline=None)
    @given(SEEDS, st.data())
    def test_any_change_of_a_line_shows(self, seed: int, data: st.DataObject) -> None:
        line = json.loads(to_line(play(seed)))
        rng = random.Random(data.draw(SEEDS))
        before = json.dumps(line)
        alter(line, rng)
        after = json.dumps(line)
        if after == before:
            return
        try:
            record, whole = from_line(after.encode())
        except RecordError:
            return
        assert not whole or verify(record), after

    @settings(max_examples=300, deadline=None)
    @given(SEEDS, st.data())
    def test_any_change_of_what_is_chained_shows_without_a_seal(self, seed: int, data: st.DataObject) -> None:
        """As in a database, where there is no seal."""
        record = play(seed)
        line = json.loads(to_line(record))
        rng = random.Random(data.draw(SEEDS))
        end = next(at for at, event in enumerate(record.events, 1) if isinstance(event, Finished))
        chained_part = {key: line[key] for key in ("match", "game", "clock", "chain")}
        chained_part["events"] = [event for _, event in line["events"][:end]]
        before = json.dumps(chained_part)
        alter(chained_part, rng)
        if json.dumps(chained_part) == before:
            return
        line |= chained_part
        line["events"] = [[0, event] for event in chained_part["events"]] + line["events"][end:]
        try:
            altered, _ = from_line(json.dumps(line).encode())
        except RecordError:
            return
        assert verify(altered), json.dumps(line)

    @pytest.mark.parametrize("text", [b"", b"{}", b"[]", b"nothing", b"\xff", b"[" * 5000, b'{"record":"arbitre/2"}'])
    def test_what_is_no_record_is_refused(self, text: bytes) -> None:
        with pytest.raises(RecordError):
            from_line(text)


def alter(value: dict[str, Any], rng: random.Random) -> None:
    """Changes one thing somewhere: a value, or the order or number of the events."""
    if rng.random() < 0.3:
        alter_order(value["events"], rng)
        return
    places = list(leaves(value))
    holder, key = rng.choice(places)
    holder[key] = other(holder[key], rng)


def alter_order(events: list[Any], rng: random.Random) -> None:
    at = rng.randrange(len(events))
    match rng.randrange(4):
        case 0:
            del events[at]
        case 1:
            events.insert(rng.randrange(len(events) + 1), events[at])
        case 2:
            to = rng.randrange(len(events))
            events[at], events[to] = events[to], events[at]
        case _:
            del events[at:]


def leaves(value: Any) -> Iterator[tuple[Any, Any]]:
    """Each (container, key) whose value is no container."""
    items = value.items() if isinstance(value, dict) else enumerate(value)
    for key, item in items:
        if isinstance(item, dict | list) and item:
            yield from leaves(item)
        else:
            yield value, key


def other(value: Any, rng: random.Random) -> Any:
    """Another value of the same kind, near enough to be read."""
    match value:
        case bool():
            return not value
        case int():
            return rng.choice((value + 1, value - 1, 3 - value, 0))
        case str() if value:
            at = rng.randrange(len(value))
            return value[:at] + rng.choice("abcdef12345678") + value[at + 1 :]
        case _:
            return rng.choice((None, 1, "1", []))


class TestRules:
    """Each flaw alone, in records that somebody chained again."""

    def test_an_unknown_game(self) -> None:
        assert flaws(chained(replace(clean_game("morpion", WIN), game="chess"))) == {Flaw.GAME}

    def test_an_event_of_another_match(self) -> None:
        assert flaws(changed(clean_game("morpion", WIN), 4, match="other")) == {Flaw.OTHER_MATCH}

    def test_a_number_that_is_skipped(self) -> None:
        record = clean_game("morpion", WIN)
        assert verify(changed(record, 3, seq=9)) == [Problem(Flaw.SEQ, 4, "9", "4")]

    def test_a_move_that_was_dropped(self) -> None:
        record = clean_game("morpion", WIN)
        assert flaws(renumbered(record, [*record.events[:4], *record.events[5:]])) >= {Flaw.SEAT, Flaw.PLY}

    def test_a_move_before_the_start_and_after_the_end(self) -> None:
        record = clean_game("morpion", WIN)
        first, second, started, *rest = record.events
        assert Flaw.PLACE in flaws(renumbered(record, [first, second, rest[0], started, *rest[1:]]))
        assert Flaw.PLACE in flaws(renumbered(record, [*record.events, rest[0]]))
        assert Flaw.PLACE in flaws(renumbered(record, [*record.events, record.events[-1]]))
        assert Flaw.SEAT in flaws(renumbered(record, [first, first, started, *rest]))
        assert Flaw.SEAT in flaws(renumbered(record, [first, started, *rest]))
        assert flaws(renumbered(record, [first, second, first, started, *rest])) == {Flaw.SEAT}

    def test_a_move_against_the_rules(self) -> None:
        problems = verify(changed(clean_game("morpion", WIN), 4, move="a1"))
        assert problems == [Problem(Flaw.MOVE, 5, "a1", "b1 c1 a2 b2 c2 a3 b3 c3")]

    @pytest.mark.parametrize(
        ("fields", "flaw"),
        [
            ({"seat": 2}, Flaw.SEAT),
            ({"ply": 1}, Flaw.PLY),
            ({"to_move": 1}, Flaw.TURN),
            ({"clocks": (1, 1)}, Flaw.CLOCK),
        ],
    )
    def test_a_move_told_wrongly(self, fields: dict[str, object], flaw: Flaw) -> None:
        assert flaws(changed(clean_game("morpion", WIN), 3, **fields)) == {flaw}

    def test_who_begins(self) -> None:
        assert flaws(changed(clean_game("morpion", WIN), 2, to_move=2)) == {Flaw.TURN}

    def test_passes(self) -> None:
        record = next(r for r in map(_othello, range(50)) if any(isinstance(e, Passed) for e in r.events))
        at = next(at for at, event in enumerate(record.events) if isinstance(event, Passed))
        passed = record.events[at]
        assert isinstance(passed, Passed)
        without = [event for event in record.events if event is not passed]
        assert flaws(renumbered(record, without)) == {Flaw.PASS}
        assert flaws(changed(record, at, seat=3 - passed.seat)) == {Flaw.PASS}
        assert flaws(changed(record, at, ply=passed.ply + 1)) == {Flaw.PLY}
        assert flaws(renumbered(record, [*record.events[:5], passed, *record.events[5:]])) == {Flaw.PASS, Flaw.PLY}
        assert flaws(renumbered(record, record.events[:at])) >= {Flaw.PASS}

    @pytest.mark.parametrize(
        ("at", "clocks"),
        [
            (2, (60_000, 59_999)),
            (3, (61_001, 60_000)),
            (3, (999, 60_000)),
            (3, (60_000, 60_001)),
            (3, None),
            (4, (60_001, 60_000)),
            (-1, (62_001, 62_000)),
        ],
    )
    def test_clocks(self, at: int, clocks: tuple[int, int] | None) -> None:
        record = clean_game("morpion", WIN, CLOCK)
        assert verify(record) == []
        seqs = [problem.seq for problem in verify(changed(record, at, clocks=clocks)) if problem.flaw is Flaw.CLOCK]
        assert seqs[0] == record.events[at].seq

    def test_a_time_for_each_move_is_whole_again_after_it(self) -> None:
        record = clean_game("morpion", WIN, Clock(move_ms=5000))
        assert verify(record) == []
        for left in (4999, 5001):
            assert Problem(Flaw.CLOCK, 4, f"({left}, 5000)", "5000..5000") in verify(
                changed(record, 3, clocks=(left, 5000))
            )

    def test_a_gift_of_time(self) -> None:
        sheet = begin_sheet(random.Random(0), parse("morpion"), CLOCK)
        match = sheet.match
        sheet.happened(match.move(Seat.FIRST, 0, "a1", sheet.now))
        sheet.now += 2
        sheet.happened(match.give_time(Seat.FIRST, sheet.now))
        sheet.happened(match.give_time(Seat.SECOND, sheet.now))
        sheet.now += 3
        sheet.happened(match.move(Seat.SECOND, 1, "b1", sheet.now))
        record = sheet.record()
        assert verify(record) == []
        at, gift = next((at, event) for at, event in enumerate(record.events) if isinstance(event, GaveTime))
        first, second = gift.clocks
        for clocks in ((first + 1, second), (first - 1, second), (first, second + 2001)):
            assert flaws(changed(record, at, clocks=clocks)) == {Flaw.CLOCK}
        assert Flaw.CLOCK in flaws(changed(record, at, added_ms=60_000, clocks=(first, second + 45_000)))
        assert Flaw.CLOCK in flaws(changed(record, at, seat=2))
        assert Flaw.PLACE in flaws(replace(record, clock=Clock(move_ms=5000)))

    def test_no_more_time_is_given_than_may_be(self) -> None:
        sheet = begin_sheet(random.Random(0), parse("morpion"), CLOCK)
        for _ in range(MAX_GIFTS):
            sheet.happened(sheet.match.give_time(Seat.FIRST, sheet.now))
        record = sheet.record()
        assert verify(record) == []
        last = record.events[-1]
        assert isinstance(last, GaveTime)
        more = GaveTime(last.match, last.seq + 1, 1, last.added_ms, (last.clocks[0], last.clocks[1] + last.added_ms))
        assert flaws(replace(record, events=(*record.events, more), wall_ms=(*record.wall_ms, 0))) == {Flaw.CLOCK}

    def test_a_takeback(self) -> None:
        seeds = (play(seed) for seed in range(400))
        record, at = next(
            (record, at) for record in seeds for at, event in enumerate(record.events) if isinstance(event, TookBack)
        )
        took = record.events[at]
        assert isinstance(took, TookBack)
        assert flaws(changed(record, at, ply=99)) >= {Flaw.PLY}
        assert flaws(changed(record, at, to_move=3 - took.to_move)) == {Flaw.TURN}
        assert flaws(changed(record, at, seat=3 - took.seat)) == {Flaw.SEAT}

    @pytest.mark.parametrize(
        "result",
        [
            Result(2, "line", (0, 1)),
            Result(1, "resign", (1, 0)),
            Result(1, "line", (1, 0)),
            Result(1, "line", (2, 0), cells=((0, 0), (1, 0), (2, 0))),
            Result(None, "full", (0, 0)),
        ],
    )
    def test_a_result_that_is_not_that_of_the_rules(self, result: Result) -> None:
        assert flaws(changed(clean_game("morpion", WIN), -1, result=result)) == {Flaw.RESULT}

    @pytest.mark.parametrize(
        ("result", "good"),
        [
            (Result(1, "resign", (0, 0)), True),
            (Result(None, "resign", (0, 0)), False),
            (Result(1, "resign", (1, 0)), False),
            (Result(1, "line", (0, 0)), False),
            (Result(None, "full", (0, 0)), False),
            (Result(1, "timeout", (0, 0)), True),
            (Result(2, "timeout", (0, 0)), False),
            (Result(None, "agreement", (0, 0)), True),
            (Result(1, "agreement", (0, 0)), False),
            (Result(1, "aborted", (0, 0)), False),
            (Result(None, "abandoned", (0, 0)), True),
            (Result(2, "adjudicated", (0, 0)), True),
            (Result(2, "adjudicated", (0, 0), (1, 2)), True),
            (Result(2, "resign", (0, 0), (1, 2)), False),
            (Result(2, "resign", (0, 0), cells=((0, 0),)), False),
        ],
    )
    def test_a_result_that_the_rules_leave_open(self, result: Result, *, good: bool) -> None:
        record = clean_game("morpion", WIN[:3])
        ended = renumbered(record, [*record.events, Finished(record.match, 7, result)])
        assert flaws(ended) == (set() if good else {Flaw.RESULT})

    def test_time_that_was_not_used_up(self) -> None:
        record = clean_game("morpion", WIN[:3], CLOCK)
        for left, wanted in ((0, set[Flaw]()), (OUT_OF_TIME_MS, set()), (OUT_OF_TIME_MS + 1, {Flaw.RESULT})):
            end = Finished(record.match, 7, Result(1, "timeout", (0, 0)), (62_000 - 1000, left))
            last = record.events[-1]
            assert isinstance(last, Moved)
            assert last.clocks is not None
            end = with_fields(end, clocks=(last.clocks[0], left))
            assert flaws(renumbered(record, [*record.events, end])) == wanted

    def test_a_game_that_is_over_but_not_ended(self) -> None:
        record = clean_game("morpion", WIN)
        assert flaws(renumbered(record, record.events[:-1])) == {Flaw.END}

    def test_a_finished_match_without_a_chain(self) -> None:
        assert flaws(replace(clean_game("morpion", WIN), chain=None)) == {Flaw.CHAIN}


def _othello(seed: int) -> GameRecord:
    return play(seed, "othello:size=4")


class TestCommand:
    @pytest.fixture
    def database(self, tmp_path: Path) -> Path:
        path = tmp_path / "arbitre.sqlite"
        with Archive(str(path)) as archive:
            for game, moves in (("morpion", WIN), ("puissance4", tuple("1212121"))):
                record = clean_game(game, moves, CLOCK)
                record = replace(record, match=game, events=tuple(with_fields(e, match=game) for e in record.events))
                assert archive.add(chained(record), same_id_is_same=False)
        return path

    def test_a_database_that_is_whole(self, database: Path, capsys: pytest.CaptureFixture[str]) -> None:
        with Reader(str(database)) as reader:
            assert [check(stored) for stored in reader.matches()] == [[], []]
            assert {record_of(stored).moves for stored in reader.matches()} == {WIN, tuple("1212121")}
        assert arbitre.main(["verify", "--db", str(database)]) == 0
        assert capsys.readouterr() == ("", "2 records checked, 0 with problems\n")
        assert arbitre.main(["verify", str(database)]) == 0, "a file that is a database is taken for one"

    @pytest.mark.parametrize(
        ("statement", "flaw"),
        [
            ("UPDATE events SET payload = replace(payload, 'b1', 'b3') WHERE match = 'morpion'", "wrong_chain"),
            ("UPDATE events SET payload = replace(payload, 'Zoé', 'Léa') WHERE match = 'morpion'", "wrong_chain"),
            ("UPDATE events SET payload = 'x' WHERE match = 'morpion' AND seq = 5", "unreadable"),
            ("DELETE FROM events WHERE match = 'morpion' AND seq = 2", "wrong_chain"),
            ("UPDATE events SET seq = 20 WHERE match = 'morpion' AND seq = 2", "wrong_seq"),
            ("UPDATE matches SET game = 'morpion:k=2' WHERE id = 'morpion'", "wrong_chain"),
            ("UPDATE matches SET clock = NULL WHERE id = 'morpion'", "wrong_clock"),
            ("UPDATE results SET winner = 2 WHERE match = 'morpion'", "wrong_summary"),
            ("UPDATE results SET plies = 4 WHERE match = 'morpion'", "wrong_summary"),
            ("UPDATE results SET chain = 'cafe' WHERE match = 'morpion'", "wrong_chain"),
            ("DELETE FROM results WHERE match = 'morpion'", "wrong_chain"),
        ],
    )
    def test_a_database_that_was_altered(
        self, database: Path, capsys: pytest.CaptureFixture[str], statement: str, flaw: str
    ) -> None:
        with closing(sqlite3.connect(database)) as connection, connection:
            connection.execute(statement)
        assert arbitre.main(["verify", "--db", str(database), "--json"]) == 1
        lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
        assert {line["record"] for line in lines} == {"morpion"}
        assert flaw in {line["flaw"] for line in lines}

    def test_problems_are_sentences_in_both_languages(self, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        record = clean_game("morpion", WIN)
        good, bad = to_line(record), to_line(changed(record, 4, move="a1"))
        path = tmp_path / "games.jsonl"
        path.write_bytes(
            good
            + b"\n\n"
            + bad
            + b"\n"
            + good[:-2]
            + b"\n"
            + good.replace(b'"opened_ms":17', b'"opened_ms":18')
            + b"\n"
        )
        assert arbitre.main(["verify", str(path)]) == 1
        output = capsys.readouterr()
        first, second, third = output.out.splitlines()
        assert first == (f"{path}:3 (m1x2y3z4): event 5: the rules don't allow a1; they allow: b1 c1 a2 b2 c2 a3 b3 c3")
        assert second.startswith(f"{path}:4: it can't be read")
        assert third == f"{path}:5 (m1x2y3z4): the seal does not fit: the line was changed"
        assert output.err == "4 records checked, 3 with problems\n"
        assert arbitre.main(["--lang", "fr", "verify", str(path)]) == 1
        output = capsys.readouterr()
        assert "événement 5\u00a0: les règles n’autorisent pas a1\u00a0; elles autorisent\u00a0: b1 c1" in output.out
        assert output.err == "4 parties vérifiées, 3 avec des problèmes\n"

    def test_a_date_beyond_the_calendar_is_no_date(self, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        """Else a record that was imported ends every later export."""
        path = tmp_path / "games.jsonl"
        path.write_bytes(to_line(replace(clean_game("morpion", WIN), opened_ms=2**53)) + b"\n")
        assert arbitre.main(["verify", str(path)]) == 1
        assert "it can't be read" in capsys.readouterr().out

    def test_a_file_that_is_not_there(self, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        assert arbitre.main(["verify", str(tmp_path / "none")]) == 1
        assert arbitre.main(["verify", "--db", str(tmp_path / "none")]) == 1
        errors = capsys.readouterr().err.splitlines()
        assert errors[0].startswith(f"Error: {tmp_path / 'none'}: No such file")
        assert errors[1].startswith(f"Error: There is no database {tmp_path / 'none'}")

    def test_every_flaw_has_its_words(self) -> None:
        from server.records.readable import problem_sentence

        for flaw in Flaw:
            words = problem_sentence(Problem(flaw, 3, "\x1b[2J", "w"))
            assert words.startswith("event 3: ")
            assert "\x1b" not in words
