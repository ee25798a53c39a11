"""The key with which a user enters leagues: kept, private, whole; and what is said where none can be kept."""

import os
import re
import stat
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from client.identity import STATE_DIR
from client.key import KeyFileError, kept_key
from protocol.messages import Enter

ROOT = Path(__file__).resolve().parents[2]
KEY = re.compile(r"[A-Za-z0-9_-]{32}")


def never(line: str) -> None:
    raise AssertionError(line)


@pytest.fixture
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "state"
    monkeypatch.setenv(STATE_DIR, str(folder))
    return folder


def test_an_account_has_one_key_that_only_it_can_read(state: Path) -> None:
    key = kept_key(None, never)
    assert KEY.fullmatch(key)
    assert Enter(1, "BATOMI", key=key).key == key
    assert kept_key(None, never) == key
    (file,) = state.iterdir()
    assert file.name == "league-key"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600 or os.name != "posix"


def test_a_file_that_is_named_is_made_and_is_another_key(state: Path, tmp_path: Path) -> None:
    mine = tmp_path / "keys" / "mine"
    key = kept_key(mine, never)
    assert key != kept_key(None, never)
    assert kept_key(mine, never) == key
    copy = tmp_path / "copy"
    copy.write_text(f"\n  {key}\r\n", encoding="ascii")
    assert kept_key(copy, never) == key
    assert state.exists()


def test_all_who_start_at_once_have_the_same_key(state: Path) -> None:
    with ThreadPoolExecutor(16) as pool:
        keys = set(pool.map(lambda _: kept_key(None, never), range(64)))
    assert len(keys) == 1
    assert [file.name for file in state.iterdir()] == ["league-key"]


@pytest.mark.parametrize("written", ["", "short", "x" * 65, "ä" * 30, "x" * 2_000_000, "two words of some length"])
def test_what_is_no_key_is_not_written_over(state: Path, written: str) -> None:
    state.mkdir()
    (state / "league-key").write_text(written, encoding="utf-8")
    with pytest.raises(KeyFileError, match="There is no key in"):
        kept_key(None, never)
    assert (state / "league-key").read_text(encoding="utf-8") == written


@pytest.mark.skipif(os.name != "posix", reason="pipes")
def test_what_is_no_file_is_not_waited_for(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    for path in (pipe, tmp_path, Path("/dev/zero")):
        with pytest.raises(KeyFileError, match="no file that a key can be read from"):
            kept_key(path, never)


def test_without_a_place_it_holds_for_this_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    blocked = tmp_path / "file"
    blocked.touch()
    monkeypatch.setenv(STATE_DIR, str(blocked / "below"))
    said: list[str] = []
    keys = {kept_key(None, said.append), kept_key(None, said.append)}
    assert len(keys) == len(said) == 2
    assert all(KEY.fullmatch(key) for key in keys)
    assert "--key FILE" in said[0]
    with pytest.raises(KeyFileError, match="can't be used"):
        kept_key(blocked / "below" / "key", never)


def test_an_account_without_a_home(monkeypatch: pytest.MonkeyPatch) -> None:
    def nowhere() -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.setattr("client.key.state_folder", nowhere)
    said: list[str] = []
    assert KEY.fullmatch(kept_key(None, said.append))
    assert "Could not determine home directory." in said[0]


def test_a_file_system_without_links(state: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def no_links(*_: object) -> None:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr("client.key.os.link", no_links)
    key = kept_key(None, never)
    assert kept_key(None, never) == key
    assert [file.name for file in state.iterdir()] == ["league-key"]


@pytest.mark.parametrize(
    ("words", "said"),
    [(["--key", "k"], "--key goes with --league"), (["--league", "BATOMI", "--key", "bad"], "There is no key in bad")],
)
def test_the_command_says_what_is_wrong(tmp_path: Path, words: list[str], said: str) -> None:
    (tmp_path / "bad").write_text("no key", encoding="ascii")
    command = [sys.executable, "-P", "-m", "arbitre", "--lang", "en", "bot", "random", "ws://127.0.0.1:9", *words]
    environment = {**os.environ, "PYTHONPATH": str(ROOT), STATE_DIR: str(tmp_path / "state")}
    done = subprocess.run(
        command, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode in (1, 2)
    assert said in done.stderr
    assert "Traceback" not in done.stderr
