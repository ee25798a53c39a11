"""Names that nobody could tell apart: which ones are one, which stay two."""

from __future__ import annotations

import string
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.names import lookalikes
from server.names.lookalikes import TABLES, is_one_script, looks
from tests.effort import calls


def _alike(one: str, other: str) -> bool:
    return not set(looks(one)).isdisjoint(looks(other))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("aca", "\u0430\u0441\u0430"),  # Cyrillic
        ("Aca", "\u0410\u0421\u0410"),
        ("scope", "\u0455\u0441\u043e\u0440\u0435"),
        ("Bob", "\u0392\u039f\u0392"),  # Greek
        ("\u03b2\u03bf\u03b2", "\u0392\u039f\u0392"),
        ("Ada0", "AdaO"),
        ("Ada0", "adao"),
        ("bot 1", "bot l"),
        ("Ivan", "lvan"),
        ("IVAN", "ivan"),
        ("Emma", "Ernrna"),
        ("D'Alembert", "D\u2019Alembert"),
        ("oo", "\u0585\u0585"),  # Armenian
        ("Zo\u00eb", "ZO\u00cb"),
        ("d\u0131na", "dina"),
    ],
)
def test_what_no_eye_tells_apart(one: str, other: str) -> None:
    assert _alike(one, other)
    assert _alike(other, one)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Ada", "Ada 2"),
        ("Ada 2", "Ada 3"),
        ("Elia", "Ella"),
        ("Ian", "Lan"),
        ("Ada", "Ad\u00e1"),
        ("\u0410\u0434\u0430", "Ada"),  # Cyrillic de looks like no Latin letter
        ("\u674e", "\u738b"),
    ],
)
def test_what_any_eye_tells_apart(one: str, other: str) -> None:
    assert not _alike(one, other)


@given(st.text(string.printable, max_size=24))
def test_ascii_has_a_way_of_its_own_to_the_same_looks(name: str) -> None:
    marked = looks(f"{name}\u2603")  # takes the other way
    assert {f"{look}\u2603" for look in looks(name)} == set(marked)


@given(st.text(max_size=24))
def test_case_tells_nobody_apart(typed: str) -> None:
    name = unicodedata.normalize("NFKC", typed)
    for other in (name.upper(), name.lower(), name.casefold()):
        if lookalikes.fold(other) == lookalikes.fold(name):
            assert _alike(name, unicodedata.normalize("NFKC", other))


def test_a_letter_that_is_newer_than_the_tables_stands_alone() -> None:
    unknown = "\U0003fffd"
    assert is_one_script(unknown * 2 + " 2")
    assert not is_one_script(unknown + "a")


def test_the_tables_say_where_they_come_from() -> None:
    text = TABLES.read_text(encoding="utf-8")
    assert text.startswith("# Unicode 17.0.0: ")
    assert "UNICODE LICENSE V3" in text
    assert TABLES.stat().st_size < 65_536


def test_the_tables_are_read_for_names_that_need_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lookalikes, "_tables", lambda: pytest.fail("ASCII needs no tables"))
    assert looks("Ada Lovelace 12")
    assert is_one_script("Ada Lovelace 12")


def test_a_name_costs_little() -> None:
    looks("\u0410\u0434\u0430")  # the tables are read once
    for name in (
        "Ada Lovelace 12",
        "\u00c9lo\u00efse",
        "\u0410\u0434\u0430 \u041b\u0430\u0432\u043b\u0435\u0439\u0441",
    ):
        # The longest of them takes 166, some 10 us.
        assert calls(lambda name=name: (looks(name), is_one_script(name))) < 300  # type: ignore[misc]
