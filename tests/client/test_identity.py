"""Tokens that survive a restart, one client a name and machine, files that nobody else reads."""

import stat
import sys
from pathlib import Path

import pytest

from client.identity import STATE_DIR, Identity, namesake

URL = "ws://127.0.0.1:8765"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv(STATE_DIR, str(tmp_path))
    return tmp_path


def taken(url: str = URL, name: str = "Ada") -> Identity:
    identity = Identity(url, name)
    assert identity.take()
    return identity


def test_a_token_is_found_again_by_the_same_name_on_the_same_server() -> None:
    with taken() as identity:
        identity.keep("s1.secret")
    with taken(name="ADA") as identity:
        assert identity.token == "s1.secret"
    with taken(name="Bob") as bob, taken("ws://other:1") as elsewhere:
        assert (bob.token, elsewhere.token) == (None, None)


def test_two_clients_at_once_never_share_a_session() -> None:
    with taken():
        assert not Identity(URL, "Ada").take()
    taken().release()


def test_a_token_can_be_forgotten() -> None:
    with taken() as identity:
        identity.keep("s1.secret")
        identity.keep(None)
    with taken() as identity:
        assert identity.token is None


@pytest.mark.skipif(sys.platform == "win32", reason="Windows keeps rights in another way")
def test_only_its_user_can_read_it(folder: Path) -> None:
    with taken() as identity:
        identity.keep("s1.secret")
    for path in folder.rglob("*"):
        assert stat.S_IMODE(path.stat().st_mode) & 0o077 == 0 or path == folder, path


def test_a_spoiled_file_is_as_good_as_none(folder: Path) -> None:
    with taken() as identity:
        identity.keep("s1.secret")
    (kept,) = folder.rglob("*.json")
    for spoiled in ("", "[1]", '{"token": 7}', "{"):
        kept.write_text(spoiled, encoding="utf-8")
        with taken() as identity:
            assert identity.token is None


def test_without_a_folder_it_works_and_keeps_nothing(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    blocked = folder / "file"
    blocked.touch()
    monkeypatch.setenv(STATE_DIR, str(blocked))
    with taken() as identity:
        identity.keep("s1.secret")
    assert taken().token is None


def test_a_token_may_be_kept_elsewhere_whatever_the_name_is(folder: Path) -> None:
    file = folder / "league" / "host.json"
    with Identity(URL, "Ada", file) as identity:
        assert identity.take()
        identity.keep("s1.secret")
        assert not Identity("ws://other:1", "Bob", file).take()
    with Identity("ws://other:1", "Bob", file) as identity:
        assert identity.take()
        assert identity.token == "s1.secret"
    assert taken().token is None


def test_namesakes() -> None:
    assert (namesake("Ada", 1), namesake("Ada", 3)) == ("Ada", "Ada 3")
    assert namesake("x" * 40, 12) == "x" * 21 + " 12"
