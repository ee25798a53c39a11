"""Names that can't be mistaken for another's, and talk that can't move a cursor."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.bounds import MAX_NAME
from protocol.errors import ErrorCode, ProtocolError
from server.names.text import chat_text, display_name, name_key


@pytest.mark.parametrize(
    ("typed", "shown"),
    [
        ("Ana", "Ana"),
        ("  Ana\u00a0 \u3000Lopez ", "Ana Lopez"),
        ("\uff21na", "Ana"),
        ("Zoe\u0308", "Zo\u00eb"),
        ("\ufb01n", "fin"),
        ("\u05d0\u05d1", "\u05d0\u05d1"),
        ("\u674e 4", "\u674e 4"),
        ("\u0410\u0434\u0430 2", "\u0410\u0434\u0430 2"),
        ("Amy \u674e", "Amy \u674e"),
        ("\u30e6\u30ad 3 \u3055\u3093 \u6f22", "\u30e6\u30ad 3 \u3055\u3093 \u6f22"),
        ("D\u2019Alembert \u2603", "D\u2019Alembert \u2603"),
    ],
)
def test_a_name_is_tidied(typed: str, shown: str) -> None:
    assert display_name(typed) == shown


@pytest.mark.parametrize(
    "typed",
    [
        "",
        " ",
        "-",
        "\u00a0",
        "a\x00b",
        "\x1b[31mred",
        "a\u202eb",
        "a\u2066b",
        "a\u200bb",
        "a\u200db",
        "a\ufeffb",
        "a\nb",
        "a\tb",
        "a\u2028b",
        "a\ud800",
        "a\ue000",
        "a\u0378",
        "x" * (MAX_NAME + 1),
        "\ufdfa" * 2,
        "a" + "\u0301" * 9,
        "Ana\u3164",
        "Ana\uffa0",
        "Ana\u115f",
        "Ana\u1160",
        "Ana\u034f",
        "Ana\ufe0f",
        "Ana\u2800",
        "Ana\u17b5",
        "Ana\U000e0101",
        "\u3164",
        "\u0410da",
        "Ad\u03b1",
        "Ada \u0662",
        "\u0410\u03b4",
        "\u30e6\ud55c",
    ],
)
def test_a_name_that_hides_something_is_refused(typed: str) -> None:
    with pytest.raises(ProtocolError) as refusal:
        display_name(typed)
    assert refusal.value.code is ErrorCode.BAD_NAME


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Ana", "ANA"),
        ("\u00df\u0301", "S\u015a"),
        ("Ana", "\uff21\uff4e\uff41"),
        ("stra\u00dfe", "STRASSE"),
        ("\u03c3", "\u03c2"),
        ("K", "\u212a"),
    ],
)
def test_names_that_look_alike_are_one(one: str, other: str) -> None:
    assert name_key(display_name(one)) == name_key(display_name(other))


@given(st.text(max_size=40))
def test_a_name_shown_is_taken_as_it_is_shown(typed: str) -> None:
    try:
        name = display_name(typed)
    except ProtocolError:
        return
    assert display_name(name) == name
    assert 1 <= len(name) <= MAX_NAME
    assert name_key(name) == name_key(typed) or typed != name
    assert name_key(name_key(name)) == name_key(name)
    assert not any(unicodedata.category(character).startswith("C") for character in name)


@given(st.text(max_size=300))
def test_talk_reaches_no_cursor(typed: str) -> None:
    try:
        text = chat_text(typed)
    except ProtocolError as refusal:
        assert refusal.code is ErrorCode.BAD_MESSAGE  # noqa: PT017 - the other branch is a property as well
        return
    assert 1 <= len(text) <= len(typed)
    assert not any(unicodedata.category(character) in ("Cc", "Cf", "Cs", "Zl", "Zp") for character in text)


def test_talk_keeps_its_words() -> None:
    assert chat_text("hi\x1b[2J\u202e there\nyou") == "hi[2J there you"
