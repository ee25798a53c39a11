"""Games from elsewhere: WTHOR, GGF, transcripts, jsonl; and the way out again."""

from __future__ import annotations

import io
import json
import queue
import struct
import tracemalloc
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from msgspec.structs import replace as with_fields

from games import Othello
from protocol.messages import Finished, Result, Seated
from protocol.records import GameRecord, chain, to_line
from server.commands.records_cli import GIVE_UP, MAX_COMPLAINTS
from server.records import wthor
from server.records.archive import Archive
from server.records.compose import Claim, FoundGame, ImportRefusal, RefusedError, compose
from server.records.importing import MAX_TRANSCRIPT, lines
from server.records.verification import verify
from server.referee.effects import EventHappened, MatchOpened
from server.store.reading import Reader
from server.store.store import Progress, Store, row_of
from server.store.store_errors import StoreError
from tests.games.published import othello_games
from tests.server.played import clean_game, play
from tests.server.records.imported import (
    CLOCK,
    FULL,
    LATER_MS,
    OTHELLO,
    PASSES,
    WIPED_OUT,
    ggf_games,
    items,
    moves_of,
    refused,
    run,
    taken,
)


@pytest.fixture
def database(tmp_path: Path) -> Path:
    return tmp_path / "arbitre.sqlite"


# --------------------------------------------------------------------------------------------------------------- WTHOR


def squares(transcript: str) -> bytes:
    return bytes(10 * int(move[1]) + "abcdefgh".index(move[0]) + 1 for move in moves_of(transcript))


def wtb(*games: tuple[bytes, int], count: int | None = None, size: int = 8, kind: int = 0, year: int = 1983) -> bytes:
    """A WTHOR file with these games: their squares and black's score. The players are 1 and 2."""
    header = struct.pack("<4BIHHBBBx", 20, 7, 5, 22, len(games) if count is None else count, 0, year, size, kind, 24)
    return header + b"".join(struct.pack("<HHHBB60s", 0, 1, 2, score, score, moves) for moves, score in games)


def wthor_file(folder: Path, content: bytes) -> Path:
    path = folder / "WTH_1983.WTB"
    path.write_bytes(content)
    return path


class TestWthor:
    @pytest.mark.parametrize(("year", "adjudicated"), [(1977, []), (1983, [20])])
    def test_games_of_tournaments(self, year: int, adjudicated: list[int], tmp_path: Path) -> None:
        games = [game for game in othello_games() if game.year == year]
        played = wtb(*((squares(game.moves), game.score) for game in games), year=year)
        found = items(wthor_file(tmp_path, played))
        records = taken(found)
        assert (len(records), refused(found)) == (len(games), [])
        assert [record.moves for record in records] == [moves_of(game.moves) for game in games]
        assert not any(item.corrected for item in found)
        assert len({record.match for record in records}) == len(games)
        assert not any(map(verify, records))
        reasons = [record.result.reason for record in records if record.result]
        ends = zip(games, reasons, strict=True)
        assert [game.number for game, reason in ends if reason != "discs"] == adjudicated

    def test_a_game(self, tmp_path: Path) -> None:
        found = items(wthor_file(tmp_path, wtb((squares(WIPED_OUT), 64))))
        (record,) = taken(found)
        assert verify(record) == []
        assert (record.game, record.moves, record.clock) == ("othello", moves_of(WIPED_OUT), None)
        assert record.result == Result(1, "discs", (49, 0), (64, 0))
        assert [player and player.name for player in record.players] == ["WTHOR 1", "WTHOR 2"]
        assert record.opened_ms == 410_227_200_000, "the first of January 1983"
        assert found[0].corrected is False

    def test_a_score_that_is_not_that_of_the_moves(self, tmp_path: Path) -> None:
        (item,) = items(wthor_file(tmp_path, wtb((squares(WIPED_OUT), 40))))
        assert item.corrected
        assert isinstance(item.found, GameRecord)
        assert item.found.result == Result(1, "discs", (49, 0), (64, 0))

    def test_a_game_that_was_not_played_to_its_end(self, tmp_path: Path) -> None:
        found = items(wthor_file(tmp_path, wtb((squares(FULL)[:20], 41), (squares(FULL)[:20], 20), (b"", 32))))
        first, second = taken(found)
        assert first.result == Result(1, "adjudicated", (first.result or Result(None, "full", (0, 0))).score, (41, 23))
        assert second.result is not None
        assert (second.result.winner, second.result.tournament_score) == (2, (20, 44))
        assert refused(found) == [(3, ImportRefusal.UNFINISHED)]
        assert verify(first) == verify(second) == []

    def test_names_stand_beside_it(self, tmp_path: Path) -> None:
        names = bytes(16) + b"".join(name.encode("latin-1").ljust(20, b"\0") for name in ("x", "Durand É.", ""))
        (tmp_path / "wthor.jou").write_bytes(names)
        (record,) = taken(items(wthor_file(tmp_path, wtb((squares(WIPED_OUT), 64)))))
        assert [player and player.name for player in record.players] == ["Durand É.", "WTHOR 2"]

    @pytest.mark.parametrize("cut", [17, 83, 84, 100, 151])
    def test_a_file_that_was_cut(self, tmp_path: Path, cut: int) -> None:
        whole = wtb((squares(WIPED_OUT), 64), (squares(FULL), 34))
        found = items(wthor_file(tmp_path, whole[:cut]))
        there = (cut - 16) // 68
        assert len(taken(found)) == there
        assert refused(found) == [(there + 1, ImportRefusal.TRUNCATED)]

    def test_a_file_with_more_than_it_says(self, tmp_path: Path) -> None:
        found = items(wthor_file(tmp_path, wtb((squares(WIPED_OUT), 64)) + b"more"))
        assert (len(taken(found)), refused(found)) == (1, [(2, ImportRefusal.UNREADABLE)])

    @pytest.mark.parametrize(
        ("content", "refusal"),
        [
            (b"", ImportRefusal.UNREADABLE),
            (b"short", ImportRefusal.UNREADABLE),
            (b"this is no WTHOR file at all, it is text", ImportRefusal.UNREADABLE),
            (wtb(size=10), ImportRefusal.VARIANT),
            (wtb(kind=1), ImportRefusal.VARIANT),
        ],
    )
    def test_what_is_no_file_of_games(self, tmp_path: Path, content: bytes, refusal: ImportRefusal) -> None:
        with pytest.raises(RefusedError) as raised:
            items(wthor_file(tmp_path, content))
        assert raised.value.refusal is refusal

    @pytest.mark.parametrize(
        ("game", "score", "refusal"),
        [
            (b"\x0c" * 60, 32, ImportRefusal.MOVE),
            (b"\x63", 32, ImportRefusal.MOVE),
            (squares(FULL)[:5] + b"\0" + squares(FULL)[6:], 34, ImportRefusal.MOVE),
            (squares(WIPED_OUT) + b"\x0b", 64, ImportRefusal.MOVE),
            (squares(FULL), 65, ImportRefusal.UNREADABLE),
        ],
        ids=["illegal", "no square", "a hole", "after the end", "score"],
    )
    def test_one_bad_game_is_left_out(self, tmp_path: Path, game: bytes, score: int, refusal: ImportRefusal) -> None:
        found = items(wthor_file(tmp_path, wtb((game, score), (squares(FULL), 34))))
        assert (len(taken(found)), refused(found)) == (1, [(1, refusal)])


# --------------------------------------------------------------------------------------------- transcripts, jsonl, ids


class TestTranscripts:
    def test_lines(self, tmp_path: Path) -> None:
        path = tmp_path / "games.txt"
        path.write_text(
            "\ufeff1212121\n\n# a comment\n 4 4 4 4 4 4 3 2 1\n1212121\nnonsense\n12\n18\n", encoding="utf-8"
        )
        found = items(path, game="puissance4")
        assert [item.number for item in found] == [1, 4, 5, 6, 7, 8]
        assert [record.moves for record in taken(found)] == [tuple("1212121")] * 2
        assert refused(found) == [
            (4, ImportRefusal.UNFINISHED),
            (6, ImportRefusal.UNREADABLE),
            (7, ImportRefusal.UNFINISHED),
            (8, ImportRefusal.UNREADABLE),
        ]
        assert taken(found)[0] == taken(found)[1]
        assert not any(map(verify, taken(found)))

    def test_lines_that_are_too_long(self) -> None:
        text = b"a" * 11 + b"\n" + b"b" * 10 + b"\n" + b"c" * 100_000 + b"\nd\n" + b"e" * 11
        assert list(lines(io.BytesIO(text), 10)) == [(1, None), (2, b"b" * 10), (3, None), (4, b"d"), (5, None)]

    @pytest.mark.slow
    def test_a_huge_file_takes_little_memory(self, tmp_path: Path) -> None:
        path = tmp_path / "huge"
        with path.open("wb") as stream:
            stream.write(b"(;GM[Othello]PB[")
            stream.truncate(100 << 20)
        tracemalloc.start()
        try:
            assert refused(items(path, "transcripts")) == [(1, ImportRefusal.LONG)]
            assert refused(items(path, "ggf")) == [(1, ImportRefusal.LONG)]
            assert tracemalloc.get_traced_memory()[1] < 4 << 20
        finally:
            tracemalloc.stop()
        assert MAX_TRANSCRIPT < 4 << 20


class TestIds:
    def test_what_a_game_is_makes_its_id(self) -> None:
        game = FoundGame(OTHELLO, ("Ada", "Bea"), 5000, moves_of(FULL))
        one = compose(game)[0].match
        assert compose(replace(game, claim=Claim(4), clock=CLOCK))[0].match == one, "not what a file tells beside it"
        assert compose(replace(game, date_ms=5999))[0].match == one, "GGF writes dates in seconds"
        others = [
            replace(game, names=("Bea", "Ada")),
            replace(game, date_ms=6000),
            replace(game, moves=moves_of(PASSES)),
            replace(game, game=Othello(tie="last_mover")),
        ]
        assert len({one, *(compose(other)[0].match for other in others)}) == 5

    def test_names_are_made_safe(self) -> None:
        record, _ = compose(FoundGame(OTHELLO, ("\x1b[2JAda\u202e", "x" * 100), 0, moves_of(FULL)))
        assert [player and player.name for player in record.players] == ["[2JAda", "x" * 32]
        nobody, _ = compose(FoundGame(OTHELLO, ("", "\x00"), 0, moves_of(FULL)))
        assert [player and player.name for player in nobody.players] == ["?", "?"]


# -------------------------------------------------------------------------------------------------------- the commands


def file_of(path: Path, *records: GameRecord) -> Path:
    path.write_bytes(b"".join(to_line(record) + b"\n" for record in records))
    return path


def other_match(record: GameRecord, match: str) -> GameRecord:
    """The same, as another match."""
    events = tuple(with_fields(event, match=match) for event in record.events)
    digest = None if record.chain is None else chain(match, record.game, record.clock, events)
    return replace(record, match=match, events=events, chain=digest)


def short_game(match: str) -> GameRecord:
    return other_match(clean_game("puissance4", tuple("1212121")), match)


class TestImport:
    def test_twice_is_once(self, tmp_path: Path, database: Path, capsys: pytest.CaptureFixture[str]) -> None:
        games = wthor_file(tmp_path, wtb((squares(WIPED_OUT), 64), (squares(FULL), 34), (squares(FULL), 34)))
        record = play(7)
        own = file_of(tmp_path / "own.jsonl", record, record)
        assert run("import", games, own, "--db", database) == 0
        assert run("import", own, games, own, "--db", database) == 0
        assert capsys.readouterr().out.splitlines() == [
            "3 imported, 2 already there, 0 refused",
            "0 imported, 7 already there, 0 refused",
        ]
        with Reader(str(database)) as reader:
            assert len(list(reader.matches())) == 3
        assert run("verify", "--db", database) == 0

    def test_the_same_game_in_two_formats_is_one(
        self, tmp_path: Path, database: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        games = wthor_file(tmp_path, wtb((squares(WIPED_OUT), 64)))
        assert run("import", games, "--db", database) == 0
        assert run("export", "--all", "--db", database, "--format", "ggf", "--output", tmp_path / "out.ggf") == 0
        assert run("import", tmp_path / "out.ggf", "--db", database) == 0
        assert capsys.readouterr().out.splitlines()[-1] == "0 imported, 1 already there, 0 refused"

    def test_everything_comes_back_from_jsonl(self, tmp_path: Path, database: Path) -> None:
        records = [other_match(play(seed), f"m{seed}") for seed in range(40)]
        assert run("import", file_of(tmp_path / "a.jsonl", *records), "--db", database) == 0
        assert run("export", "--all", "--db", database, "--output", tmp_path / "b.jsonl") == 0
        assert sorted((tmp_path / "a.jsonl").read_bytes().splitlines()) == sorted(
            (tmp_path / "b.jsonl").read_bytes().splitlines()
        )

    @pytest.mark.parametrize(
        ("name", "unit"), [("a.ggf", b"(;"), ("a.ggf", b"(;GM["), ("a.txt", b"x\n"), ("a.jsonl", b"[[{\n")]
    )
    def test_a_megabyte_of_garbage_is_left_after_twenty_complaints(
        self, tmp_path: Path, database: Path, capsys: pytest.CaptureFixture[str], name: str, unit: bytes
    ) -> None:
        path = tmp_path / name
        path.write_bytes(unit * ((1 << 20) // len(unit)))
        assert run("import", path, "--db", database) == 1
        output = capsys.readouterr()
        assert output.out == f"0 imported, 0 already there, {GIVE_UP} refused\n"
        *complaints, left, more = output.err.splitlines()
        assert len(complaints) == MAX_COMPLAINTS == 20
        assert all(line.startswith(f"{path}:{number}: refused, ") for number, line in enumerate(complaints, 1))
        assert left.startswith(f"{path}: {GIVE_UP} times there was no game")
        assert more == f"and {GIVE_UP - 20} more"

    def test_games_after_some_garbage_are_taken(
        self, tmp_path: Path, database: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        """Whatever is well formed but not for us, other games say, is never too much."""
        good = to_line(clean_game("morpion", ("a1", "a2", "b1", "b2", "c1"))) + b"\n"
        path = tmp_path / "many.jsonl"
        path.write_bytes((b"x\n" * (GIVE_UP - 1) + good) * 2)
        assert run("import", path, "--db", database) == 1
        assert capsys.readouterr().out == f"1 imported, 1 already there, {2 * GIVE_UP - 2} refused\n"
        chess = tmp_path / "chess.ggf"
        chess.write_text("(;GM[Chess];)" * (GIVE_UP + 1), encoding="utf-8")
        assert run("import", chess, "--db", database) == 1
        assert capsys.readouterr().out.endswith(f" {GIVE_UP + 1} refused\n")

    def test_a_complaint_quotes_little(
        self, tmp_path: Path, database: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        path = tmp_path / "a.ggf"
        path.write_text(f"(;GM[{'x' * 60_000}];)", encoding="utf-8")
        assert run("import", path, "--db", database) == 1
        assert max(map(len, capsys.readouterr().err.splitlines())) < len(str(path)) + 300

    def test_verify_says_twenty_problems_and_counts_the_rest(
        self, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        path = tmp_path / "a.jsonl"
        path.write_bytes(b"x\n" * 50)
        assert run("verify", path) == 1
        output = capsys.readouterr()
        assert len(output.out.splitlines()) == 20
        assert output.err.splitlines() == ["and 30 more", "50 records checked, 50 with problems"]
        assert run("verify", "--json", path) == 1
        assert len(capsys.readouterr().out.splitlines()) == 50, "programs get all"

    def test_verify_sends_ggf_to_import(self, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        """`match --output games.ggf` and `export` write such files, which have nothing that `verify` could check."""
        path = tmp_path / "a.ggf"
        path.write_text("\n(;GM[Othello]PC[Arbitre];)\n", encoding="utf-8")
        assert run("verify", path) == 1
        said = capsys.readouterr()
        assert said.out == ""
        assert said.err.startswith(f"Error: {path} is GGF, ")
        assert "'import' reads it" in said.err

    def test_records_that_are_refused(self, tmp_path: Path, database: Path, capsys: pytest.CaptureFixture[str]) -> None:
        good = clean_game("morpion", ("a1", "a2", "b1", "b2", "c1"))
        talk = next(record for record in map(play, range(99)) if record.match and record.moves != good.moves)
        unsafe = with_name(good, "\x1b[31mred")
        path = file_of(
            tmp_path / "games.jsonl",
            good,
            replace(good, chain="0" * 64),
            play(1, over=False),
            other_match(unsafe, "unsafe"),
            talk,
        )
        with path.open("ab") as stream:
            stream.write(b'{"record":"arbitre/9"}\n' + to_line(good)[:-9] + b"\n")
        assert run("import", path, "--db", database) == 1
        output = capsys.readouterr()
        assert output.out == "1 imported, 0 already there, 6 refused\n"
        reasons = [line.removeprefix(f"{path}:") for line in output.err.splitlines()]
        assert [reason.partition(":")[0] for reason in reasons] == ["2", "3", "4", "5", "6", "7"]
        for reason, words in zip(
            reasons,
            (
                "does not verify: the chain",
                "not over",
                "control characters",
                "another match has its id",
                "arbitre/9",
                "truncated",
            ),
            strict=True,
        ):
            assert words in reason
        with Reader(str(database)) as reader:
            assert [stored.id for stored in reader.matches()] == [good.match]

    def test_a_running_server_keeps_its_database(
        self, tmp_path: Path, database: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        games = wthor_file(tmp_path, wtb((squares(FULL), 34)))
        store = Store(str(database), "process", lambda _: None)
        try:
            assert run("import", games, "--db", database) == 1
            assert run("--lang", "fr", "import", games, "--db", database) == 1
        finally:
            store.close()
        english, french = capsys.readouterr().err.splitlines()
        assert english == (
            f"Error: {database} belongs to a server that is running: stop it first, or choose another --db."
        )
        assert french == (
            f"Erreur\u00a0: {database} est utilisé par un serveur en marche\u00a0: "
            "arrêtez-le d’abord, ou choisissez un autre --db."
        )

    def test_a_bad_file_does_not_stop_the_others(
        self, tmp_path: Path, database: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        empty, random_bytes = tmp_path / "empty.ggf", tmp_path / "noise.wtb"
        empty.touch()
        random_bytes.write_bytes(bytes(range(256)))
        games = wthor_file(tmp_path, wtb((squares(FULL), 34), (squares(FULL)[:9], 99)))
        assert run("import", empty, tmp_path / "none.ggf", random_bytes, games, "--db", database) == 1
        output = capsys.readouterr()
        assert output.out == "1 imported, 0 already there, 4 refused\n"
        first, second, third, fourth = output.err.splitlines()
        assert first == f"{empty}: there is no game in it"
        assert second == f"{tmp_path / 'none.ggf'}: No such file or directory"
        assert third == f"{random_bytes}: refused, it is not in this format (WTHOR)"
        assert fourth.startswith(f"{games}:2: refused, it is not in this format")

    def test_a_correction_is_mentioned(
        self, tmp_path: Path, database: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        games = wthor_file(tmp_path, wtb((squares(FULL), 33)))
        assert run("import", games, "--db", database) == 0
        assert capsys.readouterr().err == f"{games}:1: its result is not that of its moves; the moves count\n"

    def test_unknown_rules(self, tmp_path: Path, database: Path, capsys: pytest.CaptureFixture[str]) -> None:
        assert run("import", tmp_path / "x", "--game", "chess", "--db", database) == 2
        assert "these rules are not known" in capsys.readouterr().err
        assert not database.exists()

    def test_many_games_go_in_few_transactions(self, tmp_path: Path, database: Path) -> None:
        statements: list[str] = []
        with Archive(str(database)) as archive:
            archive._store._database.set_trace_callback(statements.append)
            for number in range(300):
                archive.add(short_game(f"m{number}"), same_id_is_same=False)
            archive.flush()
            archive._store._database.set_trace_callback(None)
        assert 1 <= statements.count("COMMIT") <= 2

    def test_a_full_disk_is_said(self, database: Path) -> None:
        def fill() -> None:
            with Archive(str(database)) as archive:
                size = archive._store._database.execute("PRAGMA page_count").fetchone()[0]
                archive._store._database.execute(f"PRAGMA max_page_count = {size}")
                for number in range(300):
                    archive.add(short_game(f"m{number}"), same_id_is_same=False)

        with pytest.raises(StoreError, match="full"):
            fill()

    def test_every_refusal_has_its_words(self) -> None:
        from server.records.readable import refusal_sentence

        for refusal in ImportRefusal:
            assert "\x1b" not in refusal_sentence(RefusedError(refusal, "\x1b[2J"))
            assert "()" not in refusal_sentence(RefusedError(refusal))


def with_name(record: GameRecord, name: str) -> GameRecord:
    seated = record.events[0]
    assert isinstance(seated, Seated)
    event = with_fields(seated, player=with_fields(seated.player, name=name))
    return replace(record, events=(event, *record.events[1:]))


class TestExport:
    def test_a_file_that_can_t_be_written_is_named_as_it_was_typed(
        self, tmp_path: Path, database: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        assert run("import", file_of(tmp_path / "own.jsonl", play(7)), "--db", database) == 0
        target = tmp_path / "nowhere" / "out.jsonl"
        assert run("export", "--all", "--db", database, "--output", target) == 1
        assert capsys.readouterr().err == f"Error: {target}: No such file or directory\n"

    @pytest.fixture
    def filled(self, database: Path) -> Iterator[Path]:
        """A database that a server owns: a game of morpion, one of Othello, and one that goes on."""
        with Archive(str(database)) as archive:
            archive.add(
                other_match(clean_game("othello", moves_of(WIPED_OUT), CLOCK), "othello1"), same_id_is_same=False
            )
            archive.add(
                other_match(clean_game("morpion", ("a1", "a2", "b1", "b2", "c1")), "morpion1"), same_id_is_same=False
            )
        told: queue.SimpleQueue[Progress] = queue.SimpleQueue()
        store = Store(str(database), "process", told.put)
        running = other_match(play(1, "morpion", over=False), "running1")
        opened = MatchOpened(running.match, running.game, None, True, None)
        store.submit([row_of(opened, LATER_MS), *(row_of(EventHappened(event), LATER_MS) for event in running.events)])
        assert told.get(timeout=30).trouble is None
        yield database
        store.close()

    def test_jsonl_of_one_and_of_all_while_a_server_runs(
        self, filled: Path, capfdbinary: pytest.CaptureFixture[bytes]
    ) -> None:
        assert run("export", "morpion1", "--db", filled) == 0
        (line,) = capfdbinary.readouterr().out.splitlines()
        assert json.loads(line)["match"] == "morpion1"
        assert run("export", "--all", "--db", filled) == 0
        assert [json.loads(line)["match"] for line in capfdbinary.readouterr().out.splitlines()] == [
            "morpion1",
            "othello1",
            "running1",
        ]

    def test_ggf_is_for_othello(self, filled: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        out = tmp_path / "out.ggf"
        assert run("export", "--all", "--db", filled, "--format", "ggf", "--output", out) == 0
        assert len(ggf_games(out.read_text(encoding="utf-8"))) == 1
        assert capsys.readouterr().err.splitlines() == [
            "2 not written: GGF is for games of Othello that have a result",
            "1 match written",
        ]
        assert run("export", "morpion1", "--db", filled, "--format", "ggf", "--output", out) == 1
        assert sorted(path.name for path in tmp_path.iterdir() if "out" in path.name) == ["out.ggf"]

    def test_text_in_both_languages(self, filled: Path, capfd: pytest.CaptureFixture[str]) -> None:
        assert run("export", "--all", "--db", filled, "--format", "text") == 0
        morpion, othello, running = capfd.readouterr().out.split("\n\n")
        assert morpion.splitlines()[0] == "Match: morpion1"
        assert "5 moves: a1 a2 b1 b2 c1" in morpion
        assert morpion.endswith("Zoé 1 wins: 3 in a line.")
        assert "Clock: 5m+2s" in othello
        assert "Date: 2023-11-14 22:13:20 UTC" in othello
        assert f"45 moves: {WIPED_OUT}" in othello
        assert othello.endswith("Zoé 1 wins: more discs. Score: 64 to 0.")
        assert running.endswith("The game goes on.\n")
        assert run("--lang", "fr", "export", "morpion1", "--db", filled, "--format", "text") == 0
        assert "Zoé 1 gagne\u00a0: 3 alignés." in capfd.readouterr().out

    @pytest.mark.parametrize(("arguments", "code"), [([], 2), (["m", "--all"], 2), (["nobody"], 1)])
    def test_which_match(self, filled: Path, arguments: list[str], code: int) -> None:
        assert run("export", *arguments, "--db", filled) == code

    def test_no_database(self, database: Path, capsys: pytest.CaptureFixture[str]) -> None:
        assert run("export", "--all", "--db", database) == 1
        assert f"There is no database {database}" in capsys.readouterr().err
        database.write_text("no database at all, and long enough to be looked at", encoding="utf-8")
        assert run("export", "--all", "--db", database) == 1
        assert "is damaged" in capsys.readouterr().err

    def test_a_file_that_can_not_be_written(
        self, filled: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        assert run("export", "--all", "--db", filled, "--output", tmp_path / "no" / "folder") == 1
        assert "No such file or directory" in capsys.readouterr().err

    def test_every_ending_has_its_sentence(self) -> None:
        from typing import get_args

        from protocol.bounds import ResultReason
        from server.records.readable import text_of

        record = clean_game("othello", ("d3",))
        for reason in get_args(ResultReason):
            for winner in (1, 2, None):
                end = Finished(record.match, 5, Result(winner, reason, (4, 1)))
                text = text_of(replace(record, events=(*record.events, end), wall_ms=(*record.wall_ms, 0)))
                assert text.splitlines()[-1].count(".") >= 1
        assert text_of(record).endswith("The game goes on.\n")


def test_wthor_reads_from_any_stream() -> None:
    assert len(list(wthor.read(io.BytesIO(wtb((squares(FULL), 34)))))) == 1
