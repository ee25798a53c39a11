"""The log: what is written is read, what a crash left is cut off, what was changed is noticed; one writer at a time."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from league.history.lease import Lease, LeaseTakenError
from league.history.log import START, Log, LogEntry, LogError, is_log, lines, load, read_entries

ENTRIES = [LogEntry("begun", {"league": "é"}), LogEntry("played", {"games": [1, 2]}), LogEntry("finished", {})]


def text() -> str:
    return "".join(lines(ENTRIES))


def test_what_is_written_is_read(tmp_path: Path) -> None:
    with Log(tmp_path) as log:
        log.append(ENTRIES[0])
        log.append(*ENTRIES[1:])
        assert log.entries == ENTRIES
    assert load(tmp_path) == ENTRIES
    with Log(tmp_path) as log:
        assert log.entries == ENTRIES
        log.append(LogEntry("more", {}))
    assert load(tmp_path)[-1].kind == "more"


@given(st.integers(0, len(text().encode())))
def test_a_write_that_was_cut_short_is_as_if_it_had_not_been(cut: int) -> None:
    whole = text().encode()[:cut].decode("utf-8", "replace")
    entries, link, _length = read_entries(whole, Path("league.jsonl"))
    assert entries == ENTRIES[: whole.count("\n")]
    assert (link == START) is (not entries)


@pytest.mark.parametrize("cut", [1, 20, 60])
def test_who_opens_it_goes_on_after_the_last_whole_line(tmp_path: Path, cut: int) -> None:
    (tmp_path / "league.jsonl").write_bytes(text().encode()[:-cut])
    with Log(tmp_path) as log:
        assert log.entries == ENTRIES[:2]
        log.append(ENTRIES[2])
    assert (tmp_path / "league.jsonl").read_text(encoding="utf-8") == text()


def test_one_that_an_editor_has_saved_with_other_ends_of_lines_stays_whole(tmp_path: Path) -> None:
    whole = text().replace("\n", "\r\n").encode()
    (tmp_path / "league.jsonl").write_bytes(whole)
    with Log(tmp_path) as log:
        assert log.entries == ENTRIES
        log.append(LogEntry("more", {}))
    assert (tmp_path / "league.jsonl").read_bytes().startswith(whole)
    assert load(tmp_path)[-1].kind == "more"


@pytest.mark.parametrize("number", [0, 1, 2])
@pytest.mark.parametrize("change", ["edit", "drop", "swap", "nonsense"])
def test_a_change_shows(number: int, change: str) -> None:
    found = text().splitlines()
    if change == "edit":
        found[number] = found[number].replace('"kind":"', '"kind":"x')
    elif change == "drop":
        del found[number]
        if number == 2:
            return  # the end of a log can't be missed by the log alone
    elif change == "swap":
        found[number], found[number - 1] = found[number - 1], found[number]
    else:
        found[number] = "{}"
    with pytest.raises(LogError, match="line"):
        read_entries("\n".join(found) + "\n", Path("league.jsonl"))


def test_each_line_is_json(tmp_path: Path) -> None:
    with Log(tmp_path) as log:
        log.append(*ENTRIES)
    for line in (tmp_path / "league.jsonl").read_text(encoding="utf-8").splitlines():
        assert {"kind", "link"} <= json.loads(line).keys()


def test_no_league_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(LogError, match="no league"):
        load(tmp_path)


def test_one_process_holds_the_lease(tmp_path: Path) -> None:
    program = (
        "import sys; from pathlib import Path; from league.history.lease import Lease\n"
        "with Lease(Path(sys.argv[1])):\n    print('held', flush=True); sys.stdin.read()"
    )
    command = [sys.executable, "-c", program, str(tmp_path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as holder:
        assert holder.stdout is not None
        assert holder.stdin is not None
        assert holder.stdout.readline() == "held\n"
        with pytest.raises(LeaseTakenError, match=str(holder.pid)), Lease(tmp_path):
            pass
        holder.kill()
    with Lease(tmp_path):
        pass


@pytest.mark.parametrize("name", ["Seconde\u2028Quatre", "a\u2029b", "a\x85b", "a\x0bb", "a\r\nb", "Élève"])
def test_a_name_may_hold_any_character(tmp_path: Path, name: str) -> None:
    entries = [LogEntry("begun", {"league": name}), LogEntry("joined", {"bot": name}), LogEntry("finished", {})]
    with Log(tmp_path) as log:
        log.append(*entries[:2])
        log.append(entries[2])
    assert load(tmp_path) == entries


@pytest.mark.parametrize(
    "line", ["[1]", "7", "null", '{"kind":"a"}', '{"kind":"a","link":"\\ud800","x":"\\ud800"}', "x", "[" * 100_000]
)
def test_a_line_of_another_kind_is_one_sentence(tmp_path: Path, line: str) -> None:
    (tmp_path / "league.jsonl").write_text(line + "\n", encoding="utf-8")
    with pytest.raises(LogError, match="line 1"):
        load(tmp_path)


@pytest.mark.parametrize("text", ["", '{"kind":"beg'])
def test_a_crash_at_the_very_start_leaves_no_league(tmp_path: Path, text: str) -> None:
    path = tmp_path / "league.jsonl"
    assert not is_log(path)
    path.write_text(text, encoding="utf-8")
    assert not is_log(path)
    with Log(tmp_path) as log:
        log.append(*ENTRIES)
    assert is_log(path)
    assert load(tmp_path) == ENTRIES
