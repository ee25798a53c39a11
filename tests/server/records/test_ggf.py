"""Games in the Generic Game Format, as they were written, cut and spoilt."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace as with_fields

from games import Seat
from games.base import position_after
from protocol.messages import Clock, Finished, Moved, Passed, Result, SeatClock, Seated
from protocol.records import GameRecord
from server.records import ggf
from server.records.compose import FoundGame, ImportRefusal, RefusedError, compose
from server.records.verification import verify
from tests.games.published import ggs_games
from tests.server.played import begin, clean_game, play
from tests.server.records.imported import (
    CLOCK,
    FULL,
    OTHELLO,
    PASSES,
    START,
    WIPED_OUT,
    ggf_games,
    items,
    moves_of,
    refused,
    taken,
)


def ggf_text(moves: str, *, result: str = "RE[+0.000]", more: str = "", board: str = f"BO[{START}]") -> str:
    return f"(;GM[Othello]PB[Ada]PW[Bea]{result}TY[8]{more}{board}{moves};)"


def ggf_moves(transcript: str) -> str:
    position = OTHELLO.start()
    text = ""
    for move in moves_of(transcript):
        if position.passed is not None:
            text += f"{'BW'[position.passed - 1]}[PA]"
        text += f"{'BW'[position.to_move - 1]}[{move}]"
        position = position.play(move)
    return text


def ggf_refusal(text: str) -> ImportRefusal:
    (game,) = ggf_games(text)
    assert isinstance(game, RefusedError), game
    return game.refusal


def ggf_record(text: str) -> GameRecord:
    (game,) = ggf_games(text)
    assert isinstance(game, FoundGame), game
    record, _ = compose(game)
    assert verify(record) == []
    return record


class TestGgf:
    def test_games_of_ggs(self, tmp_path: Path) -> None:
        path = tmp_path / "games.ggf"
        path.write_text("".join(f"1 {game.ggf}\n" for game in ggs_games()), encoding="ascii")
        found = items(path)
        records = taken(found)
        assert (len(records), refused(found)) == (len(ggs_games()), [])
        assert not any(map(verify, records))
        assert sum(isinstance(event, Passed) for record in records for event in record.events) == 3
        assert [record.clock for record in records].count(Clock(300_000)) == 3
        first = records[0]
        assert [player and player.name for player in first.players] == ["Saio1200", "Saio3000"]
        assert first.opened_ms == 1_071_494_643_000
        text = "\n".join(filter(None, map(ggf.write, records)))
        assert [compose(game)[0] for game in ggf_games(text) if isinstance(game, FoundGame)] == records

    @settings(max_examples=150, deadline=None)
    @given(
        st.integers(0, 2**32),
        st.sampled_from(("othello", "othello:size=4", "othello:size=6,tie=last_mover")),
        st.sampled_from((None, CLOCK, Clock(500_500), Clock(move_ms=2000))),
    )
    def test_what_was_played_comes_back(self, seed: int, game: str, clock: Clock | None) -> None:
        record = play(seed, game, clock)
        text = ggf.write(record)
        if text is None:
            assert record.result is not None
            first, second = record.result.score
            assert record.result.reason == "discs", "only a tie that is won can't be said"
            assert (first == second, record.result.winner is None) == (True, False)
            return
        assert "\n" not in text
        if record.moves:
            again = ggf_record(text)
            assert again.moves == record.moves
            assert again.result is not None
            assert record.result is not None
            assert (again.result.winner, again.result.score) == (record.result.winner, record.result.score)
            if record.result.reason not in ("timeout", "abandoned"):
                assert again.result == record.result
            if clock is not None:
                assert again.clock == (None if clock.move_ms else clock)

    def test_the_time_of_a_move_that_was_taken_back_is_not_that_of_the_next(self) -> None:
        sheet = begin(Random(0), OTHELLO, Clock(300_000))
        match = sheet.match
        for move, seconds in (("d3", 1), ("c3", 2)):
            sheet.now += seconds
            sheet.happened(match.move(match.to_move, match.ply, move, sheet.now))
        sheet.happened(match.offer(Seat.SECOND, "takeback", sheet.now))
        sheet.now += 4
        sheet.happened(match.answer(Seat.FIRST, "takeback", accept=True, now=sheet.now))
        for move, seconds in (("e3", 8), ("f5", 16)):
            sheet.now += seconds
            sheet.happened(match.move(match.to_move, match.ply, move, sheet.now))
        sheet.happened(match.resign(Seat.FIRST, sheet.now))
        assert verify(sheet.record()) == []
        text = ggf.write(sheet.record())
        assert text is not None
        assert text.endswith("B[d3//1.000]W[e3//8.000]B[f5//16.000];)")

    def test_time_that_was_given_was_not_used(self) -> None:
        sheet = begin(Random(0), OTHELLO, Clock(300_000))
        match = sheet.match
        for move, seconds in (("d3", 1), ("c3", 2)):
            sheet.now += seconds
            sheet.happened(match.give_time(match.to_move.other, sheet.now))
            sheet.happened(match.move(match.to_move, match.ply, move, sheet.now))
        sheet.happened(match.resign(Seat.FIRST, sheet.now))
        text = ggf.write(sheet.record())
        assert text is not None
        assert text.endswith("B[d3//1.000]W[c3//2.000];)")

    def test_a_tie_that_is_won_can_not_be_said(self) -> None:
        records = (play(seed, "othello:size=4,tie=last_mover") for seed in range(500))
        ended = ((record, record.result) for record in records if record.result and record.result.reason == "discs")
        record = next(record for record, result in ended if result.winner and result.score[0] == result.score[1])
        assert ggf.write(record) is None

    def test_clocks_of_seats_come_back(self) -> None:
        clock = Clock(300_000, 2000, second=SeatClock(240_000, 1000))
        text = ggf.write(clean_game("othello", moves_of(WIPED_OUT), clock))
        assert text is not None
        assert "TB[05:00/00:02/00:00]TW[04:00/00:01/00:00]" in text
        assert "B[f5//1.000]W[f6//1.000]" in text
        assert "TI[" not in text
        assert ggf_record(text).clock == clock

    def test_times_come_back(self) -> None:
        record = clean_game("othello", moves_of(WIPED_OUT), CLOCK)
        text = ggf.write(record)
        assert text is not None
        assert "TI[05:00/00:02/00:00]" in text
        assert "B[f5//1.000]W[f6//1.000]" in text
        again = ggf_record(text)
        clocks = [event.clocks for event in record.events if isinstance(event, Moved | Finished)]
        assert [event.clocks for event in again.events if isinstance(event, Moved | Finished)] == clocks

    @pytest.mark.parametrize(
        ("result", "transcript", "wanted"),
        [
            ("RE[+64.000:r]", FULL[:20], Result(1, "resign", (10, 4))),
            ("RE[-10:r]", FULL[:20], Result(2, "resign", (10, 4))),
            ("RE[-64.00:t]", FULL[:20], Result(2, "timeout", (10, 4))),
            ("RE[+64.00:t]", FULL[:20], Result(1, "adjudicated", (10, 4), (64, 0))),
            ("RE[+0.000:s]", FULL[:20], Result(None, "agreement", (10, 4))),
            ("RE[+6.000:s]", FULL[:20], Result(1, "adjudicated", (10, 4), (35, 29))),
            ("RE[-6.000]", FULL[:20], Result(2, "adjudicated", (10, 4), (29, 35))),
            ("RE[+7.5]", FULL[:20], Result(1, "adjudicated", (10, 4))),
            ("RE[+6.000]", FULL, Result(1, "discs", (34, 30), (34, 30))),
            ("", FULL, Result(1, "discs", (34, 30), (34, 30))),
        ],
    )
    def test_results(self, result: str, transcript: str, wanted: Result) -> None:
        record = ggf_record(ggf_text(ggf_moves(transcript), result=result))
        assert record.result == replace_score(wanted, record)

    def test_a_result_that_is_not_that_of_the_moves_is_mentioned(self) -> None:
        games = ggf_games(
            ggf_text(ggf_moves(FULL), result="RE[-2.000]") + ggf_text(ggf_moves(FULL), result="RE[+4.000]")
        )
        assert [compose(game)[1] for game in games if isinstance(game, FoundGame)] == [True, False]

    def test_the_board_is_written_as_other_programs_write_it(self) -> None:
        text = ggf.write(clean_game("othello", moves_of(FULL)))
        assert text is not None
        assert f"BO[{START}]" in text

    def test_passes_are_written_and_read(self) -> None:
        text = ggf.write(clean_game("othello", moves_of(PASSES)))
        assert text is not None
        assert "[PA]" in text
        for written in ("pass", "PASS", "pa", "--"):
            assert ggf_record(text.replace("[PA]", f"[{written}//0.01]")).moves == moves_of(PASSES)

    @pytest.mark.parametrize(
        ("text", "refusal"),
        [
            ("(;GM[Amazons]PB[a]PW[b];)", ImportRefusal.OTHER_GAME),
            ("(;PB[a]PW[b];)", ImportRefusal.OTHER_GAME),
            (ggf_text("", more="", board="BO[8 " + "-" * 64 + " *]"), ImportRefusal.VARIANT),
            (ggf_text("", board=f"BO[{START[:-1]}O]"), ImportRefusal.VARIANT),
            (ggf_text("", board=f"BO[{START[1:]}]"), ImportRefusal.VARIANT),
            (ggf_text("").replace("TY[8]", "TY[8a]"), ImportRefusal.VARIANT),
            (ggf_text("").replace("TY[8]", "TY[10]"), ImportRefusal.VARIANT),
            (ggf_text("B[f5]W[f6]B[e6]W[a1]"), ImportRefusal.MOVE),
            (ggf_text("B[f5]W[nowhere]"), ImportRefusal.MOVE),
            (ggf_text("B[]"), ImportRefusal.MOVE),
            (ggf_text("W[f5]"), ImportRefusal.TURN),
            (ggf_text("B[f5]B[f6]"), ImportRefusal.TURN),
            (ggf_text("B[f5]W[pass]"), ImportRefusal.PASS),
            (ggf_text("B[f5]W[f6"), ImportRefusal.UNREADABLE),
            (ggf_text("B[f5] and so on "), ImportRefusal.UNREADABLE),
            ("(;GM[Othello]B[f5]", ImportRefusal.TRUNCATED),
            ("(;GM[Othello]PB[" + "x" * 100_000 + "];)", ImportRefusal.LONG),
        ],
    )
    def test_what_is_refused(self, text: str, refusal: ImportRefusal) -> None:
        assert ggf_refusal(text) is refusal
        around = ggf_text(ggf_moves(FULL))
        if refusal is not ImportRefusal.TRUNCATED:
            assert [type(game) for game in ggf_games(around + text + around)] == [FoundGame, RefusedError, FoundGame]

    def test_a_game_that_was_cut_does_not_spoil_the_next(self) -> None:
        whole = ggf_text(ggf_moves(FULL))
        first, second = ggf_games(f"1 {whole[:200]}\n1 {whole}\n")
        assert isinstance(first, RefusedError)
        assert (first.refusal, type(second)) == (ImportRefusal.TRUNCATED, FoundGame)

    @pytest.mark.slow
    def test_many_games_that_were_cut_are_read_once_each(self) -> None:
        """In one piece: what looks at the rest of it for each game does not end."""
        found = list(ggf.read(["(;" * (1 << 20)]))
        assert len(found) == 1 << 20
        assert {type(game) for _, game in found} == {RefusedError}

    @given(st.integers(1, 40))
    def test_pieces_may_end_anywhere(self, size: int) -> None:
        text = (f"1 {ggf_text(ggf_moves(FULL))}\n" * 2).replace("]", "]\n", 3)
        pieces = [text[start : start + size] for start in range(0, len(text), size)]
        assert list(ggf.read(pieces)) == list(ggf.read([text]))
        assert len(list(ggf.read(pieces))) == 2

    @pytest.mark.parametrize(
        ("written", "clock"),
        [
            ("TI[05:00//02:00]", Clock(300_000)),
            ("TI[1:00:00/00:12]", Clock(3_600_000, 12_000)),
            ("TI[95]", Clock(95_000)),
            ("TB[05:00/00:02]TW[04:00]", Clock(300_000, 2000, second=SeatClock(240_000))),
            ("TB[05:00]TW[05:00]", Clock(300_000)),
            ("TI[05:00]TW[04:00]", Clock(300_000, second=SeatClock(240_000))),
            ("TB[05:00]", None),
            ("TI[00:02//]", None),
            ("TI[05:00,N:20/]", None),
            ("TI[]", None),
            ("TI[99999:00]", None),
            ("", None),
        ],
    )
    def test_clocks(self, written: str, clock: Clock | None) -> None:
        """A clock is taken if every move has a time and the times fit it: here three seconds each."""
        moves = ggf_moves(FULL).replace("]", "//3]")
        record = ggf_record(ggf_text(moves, result="RE[+4]", more=written))
        assert record.clock == clock
        assert ggf_record(ggf_text(ggf_moves(FULL), result="RE[+4]", more=written)).clock is None

    @pytest.mark.parametrize(
        ("written", "seconds"),
        [
            ("DT[945277754]", 945_277_754),
            ("DT[2003.12.15_12:33:18.MST]", 1_071_491_598),
            ("DT[2003.13.1_1:00:00]", 0),
            ("DT[x]", 0),
        ],
    )
    def test_dates(self, written: str, seconds: int) -> None:
        assert ggf_record(ggf_text(ggf_moves(FULL), more=written)).opened_ms == seconds * 1000

    def test_names_can_not_break_out(self) -> None:
        record = clean_game("othello", moves_of(WIPED_OUT))
        seated = record.events[0]
        assert isinstance(seated, Seated)
        named = with_fields(seated, player=with_fields(seated.player, name="a];)(;GM[x]"))
        text = ggf.write(replace(record, events=(named, *record.events[1:])))
        assert text is not None
        assert len(ggf_games(text)) == 1
        assert ggf_record(text).moves == record.moves

    @pytest.mark.parametrize("record", [clean_game("morpion", ("a1",)), clean_game("othello", ("d3",))])
    def test_what_it_can_not_say(self, record: GameRecord) -> None:
        assert ggf.write(record) is None
        assert ggf.write(replace(record, game="chess")) is None


def replace_score(wanted: Result, record: GameRecord) -> Result:
    """`wanted` with the discs that are on the board, unless the rules ended the game."""
    position = position_after(OTHELLO, record.moves)
    return wanted if wanted.reason == "discs" else with_fields(wanted, score=position.score())
