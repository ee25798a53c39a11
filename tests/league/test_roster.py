"""Personal codes: drawn once, kept for their owner alone, and what a file may say of them."""

import json
import os
import stat
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from league.config import ConfigError, League, read_league
from league.roster import NAME, RosterError, draw, entries, is_code, keep
from protocol.values import personal_hash

LEAGUE = '[league]\nname = "x"\ngame = "morpion"\n'


def test_codes_are_said_easily_and_each_is_one_s_own() -> None:
    names = [f"Pupil {number}" for number in range(256)]
    codes = draw(names, {})
    assert list(codes) == names
    assert len(set(codes.values())) == 256
    for code in codes.values():
        assert is_code(code)
        assert len(code) == 8
        assert all(letter in "AIOU" for letter in code[1::2])
        assert not set(code[::2]) & set("AEIOUY")


def test_a_code_that_is_taken_or_not_said_is_drawn_again() -> None:
    letters = iter("BADAFALA" + "BADAPIPI" + "BADAFALU")

    def choose(_of: str) -> str:
        return next(letters)

    assert draw(["Ada", "Bob"], {"Ada": "badafala"}, choose) == {"Ada": "BADAFALA", "Bob": "BADAFALU"}


def test_codes_stay_and_given_ones_win(tmp_path: Path) -> None:
    folder = tmp_path / "x"
    first = keep(folder, ["Ada", "Bob"], {"Bob": "fatima"})
    assert first["Bob"] == "FATIMA"
    again = keep(folder, ["Ada", "Bob", "Cleo"], {})
    assert {name: again[name] for name in first} == first
    assert list(keep(folder, ["Cleo"], {})) == ["Cleo"]


@pytest.mark.skipif(sys.platform == "win32", reason="Windows keeps rights in another way")
def test_only_their_owner_can_read_them(tmp_path: Path) -> None:
    old = os.umask(0)
    try:
        keep(tmp_path, ["Ada"], {})
    finally:
        os.umask(old)
    assert stat.S_IMODE((tmp_path / NAME).stat().st_mode) == 0o600
    assert [path.name for path in tmp_path.iterdir()] == [NAME]


def spoil(text: str) -> Callable[[Path], object]:
    return lambda path: path.write_text(text, encoding="utf-8")


@pytest.mark.parametrize(
    "break_",
    [spoil("{"), spoil("[]"), spoil('{"Ada": 7}'), spoil('{"Ada": "x"}'), Path.mkdir],
    ids=["cut off", "a list", "a number", "too short", "a folder"],
)
def test_a_spoiled_file_is_said_in_a_sentence(tmp_path: Path, break_: Callable[[Path], object]) -> None:
    break_(tmp_path / NAME)
    with pytest.raises(RosterError, match=r"The personal codes in .*codes\.json can't be used"):
        keep(tmp_path, ["Ada"], {})


def test_a_server_gets_hashes_of_the_league_s_own() -> None:
    one, two = entries("BATOMI", {"Ada": "bidule"}), entries("batimu", {"Ada": "BIDULE"})
    assert one[0].name == "Ada"
    assert one[0].hash == personal_hash("batomi", "BiDuLe") != two[0].hash


@pytest.mark.parametrize(
    ("section", "names", "codes"),
    [
        ('names = ["Ada", " Bob "]', ("Ada", "Bob"), {}),
        ('names = ["Ada", "Bob"]\ncodes = true', ("Ada", "Bob"), {}),
        ('names = ["Ada", "Bob"]\ncodes = {"Bob" = "fatima"}', ("Ada", "Bob"), {"Bob": "FATIMA"}),
        ('[roster.codes]\n"Léa" = "bidule"\n"Tom" = "Fatima"', ("Léa", "Tom"), {"Léa": "BIDULE", "Tom": "FATIMA"}),
    ],
)
def test_what_a_file_says(section: str, names: tuple[str, ...], codes: dict[str, str]) -> None:
    league = read_league(f"{LEAGUE}[roster]\n{section}\n", "x.toml")
    assert (league.roster, league.codes) == (names, codes)
    logged = json.dumps(league.as_dict())
    assert not [code for code in codes.values() if code in logged.upper()], "a log holds no code"
    assert League.from_dict(json.loads(logged)) == league


@pytest.mark.parametrize(
    ("section", "line", "said"),
    [
        ("", 4, "a roster has names"),
        ("names = []", 5, "a list of names"),
        ('names = "Ada"', 5, "a list of names"),
        ("names = [7]", 5, "a list of names"),
        ('names = ["Ada", "ada"]', 5, "two bots are called ada"),
        ('names = ["!?"]', 5, "a letter or a digit"),
        (f'names = ["{"a" * 25}"]', 5, "24 characters"),
        ('names = ["Ada"]\ncodes = false', 6, "codes must be true, or a code for each name, of 6 to 16 letters"),
        ('names = ["Ada"]\ncodes = {Ada = "short"}', 6, "6 to 16 letters"),
        ('names = ["Ada"]\ncodes = {Ada = "bidulé"}', 6, "6 to 16 letters"),
        ('names = ["Ada"]\ncodes = {Bob = "bidule"}', 6, "Bob has a code, but is not on the roster"),
        ('names = ["Ada", "Bob"]\ncodes = {Ada = "bidule", Bob = "BIDULE"}', 6, "the same personal code"),
        ('pupils = ["Ada"]', 5, "no key pupils"),
        ('names = ["Ada"]\n[[bot]]\nname = "Bob"', 4, "leave out [[bot]], or the roster"),
    ],
)
def test_what_is_wrong_is_refused_with_its_line(section: str, line: int, said: str) -> None:
    with pytest.raises(ConfigError) as refused:
        read_league(f"{LEAGUE}[roster]\n{section}\n", "x.toml")
    assert f"line {line}: " in str(refused.value)
    assert said in str(refused.value)
