"""What counts as a failure of the bot, and how it is shown."""

import random
from dataclasses import replace

import pytest

import games
from bots.check.interference import Frame, RelayEntry
from bots.check.judging import (
    CheckedMatch,
    Evidence,
    Finding,
    MatchTrouble,
    exchange,
    first_fault,
    longest_absence_s,
    summary,
)
from bots.check.report import Checklist, ReportLook, as_json, check_lines, evidence_lines, summary_line
from bots.check.steering import Steer, toward_a_long_game, toward_own_passes, toward_passes_of_the_bot, wander
from games.base import Position, Seat
from protocol.bounds import ResultReason, SeatNumber
from protocol.messages import Result
from terminal.text import cells_wide


def played(
    reason: ResultReason | None, winner: SeatNumber | None = 2, trouble: MatchTrouble | None = None
) -> CheckedMatch:
    """A match of the bot on seat 1 after one move."""
    result = Result(winner, reason, (0, 0)) if reason is not None else None
    return CheckedMatch("m1", games.parse("puissance4"), Seat.FIRST, ("4",), result, trouble, (12,), (9000,))


def entry(what: str, text: str, at: float = 0.0) -> RelayEntry:
    assert what in ("bot", "server", "cut")
    return RelayEntry(at, what, Frame.of(text))  # type: ignore[arg-type]  # checked on the line before


@pytest.mark.parametrize(
    ("match", "text"),
    [
        (played("illegal"), "it played an illegal move at move 2"),
        (played("crash"), "it failed at move 2"),
        (played("timeout"), "its time ran out at move 2"),
        (played("abandoned"), "it left the match at move 2"),
        (played("aborted", None), "it called the match off"),
        (played(None, trouble="exited"), "its process ended in a match of Connect Four"),
        (played(None, trouble="away"), "its connection was lost and it did not come back"),
        (played(None, trouble="stuck"), "a match of Connect Four did not end"),
        (played(None, trouble="absent"), "it did not join a match of Connect Four that it was invited to"),
        (played(None, trouble="declined"), "it declined an invitation to Connect Four after it had accepted one"),
    ],
)
def test_faults(match: CheckedMatch, text: str) -> None:
    fault = first_fault([played("line"), match], [])
    assert fault is not None
    assert fault.text == text
    assert fault.played is match


@pytest.mark.parametrize(
    ("thinking_ms", "is_said"),
    [((3000, 12, 40), True), ((3000, 12, 700), False), ((400, 1, 1), False), ((3000,), False), ((), False)],
)
def test_a_program_that_is_still_starting_when_it_is_asked(thinking_ms: tuple[int, ...], *, is_said: bool) -> None:
    match = replace(played("line"), thinking_ms=thinking_ms)
    assert ("does its start count on its clock?" in summary([played("line"), match])) is is_said


def test_what_is_no_fault() -> None:
    endings: list[ResultReason] = ["rules", "line", "discs", "full", "resign", "agreement", "adjudicated"]
    assert all(first_fault([played(reason)], []) is None for reason in endings)
    faults: list[ResultReason] = ["timeout", "illegal", "crash", "abandoned"]
    assert all(first_fault([played(reason, 1)], []) is None for reason in faults)  # those of its opponent


def test_a_refusal_is_a_fault_of_the_match_that_it_is_about() -> None:
    other = CheckedMatch("m2", games.parse("morpion"), Seat.SECOND)
    log = [
        entry("bot", '{"type":"move","id":7,"match":"m2","ply":0,"move":"z9"}'),
        entry("server", '[{"type":"ok","id":6},{"type":"error","id":7,"code":"illegal_move","message":"why"}]'),
    ]
    fault = first_fault([played("line"), other], log)
    assert fault is not None
    assert fault.text == "the server refused a message: illegal_move (why)"
    assert fault.played is other
    overtaken = [entry("server", '{"type":"error","id":7,"code":"stale_ply","message":""}')]
    assert first_fault([played("line")], overtaken) is None


def test_the_exchange_is_of_one_match_and_without_secrets() -> None:
    log = [
        entry("bot", '{"type":"hello","token":"s1.secret"}'),
        entry("server", '{"type":"moved","match":"m2"}'),
        entry("server", '[{"type":"moved","match":"m2"},{"type":"your_turn","match":"m1"}]'),
        entry("server", '{"type":"ok","id":70}'),
        entry("cut", ""),
        entry("bot", "garbage"),
    ]
    assert exchange(log, "m1") == (
        '> {"type":"hello","token":"..."}',
        '< {"type":"your_turn","match":"m1"}',
        "-- the connection is cut",
        "> garbage",
    )
    assert len(exchange(log * 10)) == 8


def test_absence_is_from_the_cut_to_the_welcome() -> None:
    welcome = '{"type":"welcome"}'
    log = [entry("server", welcome), entry("cut", "", 1.0), entry("server", welcome, 1.25), entry("cut", "", 9.0)]
    assert longest_absence_s(log) == 0.25


def test_the_checklist_is_legible() -> None:
    finding = Finding(
        "failed", "it failed", Evidence(played("crash"), ("> {}",), "Traceback\n\nZeroDivisionError\x1b[2J")
    )
    good = Finding("ok", summary([played("line"), played("line")]))
    assert check_lines("morpion", good, ReportLook()) == [
        "✓ ok      morpion           2 games, 2 moves, slowest 0.012 s"
    ]
    assert check_lines("morpion", good, ReportLook(colour=True))[0].startswith("\x1b[32m✓ ok ")
    long = check_lines("passes", Finding("failed", "word " * 40), ReportLook(ascii=True))
    assert long[0].startswith("x FAILED  forced passes     word")
    assert all(cells_wide(line) <= 80 for line in long)
    shown = "\n".join(evidence_lines("morpion", finding.evidence, ReportLook(ascii=True)))
    for part in (
        "[X]",
        "moves so far: 4",
        "legal moves: 1 2 3 4 5 6 7",
        "> {}",
        "ZeroDivisionError",
        "To move: its opponent",
    ):
        assert part in shown
    assert "\x1b" not in shown
    assert "usual board" not in shown
    findings = {"morpion": finding, "start": good, "stop": Finding("skipped", "")}
    assert summary_line(findings, "1.0") == "1 check failed, 1 is good. 1 skipped. (1.0 s)"
    assert summary_line({"start": good, "stop": good}, "1.0") == "2 checks: all good. (1.0 s)"
    failure = as_json(findings)[0]
    assert failure["position"] == played("crash").position.notation
    assert (failure["reason"], failure["seat"], failure["moves"]) == ("crash", 1, ["4"])


@pytest.mark.parametrize(
    ("spec", "only"),
    [
        ("puissance4:width=5,height=4,k=3", "puissance4:width=7"),
        ("othello:size=6", "othello:size=8"),
        ("othello", None),
    ],
)
def test_a_board_that_is_not_the_usual_one_is_named(spec: str, only: str | None) -> None:
    """Programs by stdio can't decline an invitation: whoever wrote one for 7 x 6 read only that it had failed."""
    failed = CheckedMatch("m1", games.parse(spec), Seat.FIRST)
    shown = "\n".join(evidence_lines("legal", Evidence(failed, (), ""), ReportLook(ascii=True)))
    assert ("This is not the usual board." in shown) is (only is not None)
    if only is not None:
        assert shown.rstrip().endswith(f"--game {only}")
        assert games.parse(only).spec == games.parse(only).id


def test_who_passed_and_who_moved_last() -> None:
    game = games.parse("othello:size=4")
    rng = random.Random(5)
    for _game in range(20):
        position, passed, moves, mover = game.start(), {Seat.FIRST: 0, Seat.SECOND: 0}, [], Seat.FIRST
        while position.outcome() is None:
            mover = position.to_move
            moves.append(toward_own_passes(position, rng))
            position = position.play(moves[-1])
            if position.passed is not None:
                passed[position.passed] += 1
        match = CheckedMatch("m", game, Seat.SECOND, tuple(moves))
        assert {seat: match.passes(seat) for seat in Seat} == passed
        assert match.bot_moved_last == (mover is Seat.SECOND)
        assert match.position == position


def play(spec: str, seed: int, steer: Steer) -> list[Position]:
    """A game of the bot on the second seat, which moves by chance, against an opponent who steers."""
    rng = random.Random(seed)
    position = games.parse(spec).start()
    positions = [position]
    while position.outcome() is None:
        choose = steer if position.to_move is Seat.FIRST else wander
        position = position.play(choose(position, rng))
        positions.append(position)
    return positions


@pytest.mark.parametrize(
    ("steer", "passer"), [(toward_passes_of_the_bot, Seat.SECOND), (toward_own_passes, Seat.FIRST)]
)
def test_steering_brings_passes_about(steer: Steer, passer: Seat) -> None:
    def count(steer: Steer) -> int:
        found = (play("othello:size=4", seed, steer) for seed in range(40))
        return sum(any(position.passed is passer for position in positions) for positions in found)

    assert count(steer) > 20
    assert count(wander) < 15


def test_steering_fills_the_board() -> None:
    def count(steer: Steer) -> int:
        return sum(len(play("morpion", seed, steer)) == 10 for seed in range(20))

    assert count(toward_a_long_game) >= 12
    assert count(wander) < 8


def test_a_terminal_shows_which_check_is_running(capsys: pytest.CaptureFixture[str]) -> None:
    failure = Finding("failed", "it failed at move 9", Evidence(stderr="ZeroDivisionError"))
    later = replace(failure, text="it failed at move 11")
    for live in (True, False):
        checklist = Checklist(["start", "morpion", "stop"], ReportLook(live=live))
        checklist.begin()
        checklist.add("start", failure)
        checklist.add("morpion", later)
        checklist.end(1.0)
    # click leaves out the terminal's codes where there is none, as here
    shown, plain = capsys.readouterr().out.split("(1.0 s)\n")[:2]
    assert shown.startswith("  ...     start-up          1/3\r✗ FAILED  start-up")
    assert shown.count("ZeroDivisionError") == 1
    assert shown.endswith("  ...     leaving           3/3\r2 checks failed, 0 are good. ")
    assert "\r" not in plain
    assert "..." not in plain
    assert "    as before; to see it: --only morpion\n" in plain
