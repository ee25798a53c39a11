"""What is kept of what a program said of its games."""

from __future__ import annotations

from pathlib import Path

from msgspec import json as msgjson

from school.messages import Fault
from school.programs.printing import MOST_EQUAL, Account, file_of, keep, kept


def test_equal_games_are_kept_in_their_order(tmp_path: Path) -> None:
    """Two that fail at the first move are equal; the first must not be told with the fault of the second."""
    path = file_of(tmp_path, "Léa", 1, ())
    told = [Account((), Fault(f"fault {number}", number + 1)) for number in range(MOST_EQUAL + 2)]
    for account in told:
        keep(path, account)
    assert kept(path) == tuple(told[2:])
    assert kept(file_of(tmp_path, "Léa", 2, ())) == ()


def test_a_fault_without_a_replay_has_the_end_of_what_was_printed() -> None:
    lines = tuple((ply, f"ply {ply}") for ply in range(1, 12, 2))
    assert Account(lines).told is None
    assert Account(lines, Fault("fault", 3)).told == Fault("fault", 3, printed="ply 7\nply 9\nply 11")


def test_what_earlier_versions_kept_is_read(tmp_path: Path) -> None:
    path = tmp_path / "old.json"
    path.write_bytes(msgjson.encode([[0, "begins"], [4, "é"]]))
    assert kept(path) == (Account(((0, "begins"), (4, "é"))),)
    path.write_text("nonsense", encoding="utf-8")
    assert kept(path) == ()
