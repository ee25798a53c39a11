"""The list of a class: what Pronote, Moodle and spreadsheets write, and what pupils are called."""

from __future__ import annotations

import csv
import io
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from league.class_list import ClassListError, Pupil, called, handed_in_by, in_group, read_list, told_apart
from protocol.bounds import MAX_NAME
from server.lookalikes import looks
from server.text import display_name

PRONOTE = """Liste des élèves
NOM;PRÉNOM;Né(e) le;Classe;Groupes
MARTIN;Léa;01/02/2009;2NDE4;[GR1], [LV2]
MARÉCHAL;Léa;;2NDE4;[GR2]
DE LA TOUR;Jean-Baptiste;;2NDE4;[GR1]
"""
MOODLE = """"First name","Last name",Groups
Ada,Lovelace,"A, B"
Alan,Turing,B
"""


def test_an_export_of_pronote_is_read() -> None:
    pupils = read_list(PRONOTE)
    assert pupils == [
        Pupil("Léa", "MARTIN", ("2NDE4", "GR1", "LV2")),
        Pupil("Léa", "MARÉCHAL", ("2NDE4", "GR2")),
        Pupil("Jean-Baptiste", "DE LA TOUR", ("2NDE4", "GR1")),
    ]
    assert called(pupils) == ["Léa Mart.", "Léa Maré.", "Jean-Baptiste"]


def test_an_export_of_moodle_is_read() -> None:
    assert read_list("\ufeff" + MOODLE) == [Pupil("Ada", "Lovelace", ("A", "B")), Pupil("Alan", "Turing", ("B",))]


@pytest.mark.parametrize(
    "text",
    ["sep=;\nÉlève;Classe\nDUPONT Léa;2\n", "Nom\tClasse\nDUPONT Léa\t2\n", "nom et prénom,classe\nDUPONT Léa,2\n"],
)
def test_a_column_with_whole_names_is_told_apart(text: str) -> None:
    assert read_list(text) == [Pupil("Léa", "DUPONT", ("2",))]


def test_a_name_a_line_needs_no_heading() -> None:
    assert read_list("DUPONT Léa\n\nNguyen Van An\n") == [Pupil("Léa", "DUPONT"), Pupil("", "Nguyen Van An")]


@pytest.mark.parametrize("text", ["", "a;b\nc;d\n", "Nom;Prénom\n", "Nom;Prénom\n;\n"])
def test_a_list_without_names_is_refused(text: str) -> None:
    with pytest.raises(ClassListError, match="no names"):
        read_list(text)


def test_a_group_is_a_part_of_the_list() -> None:
    pupils = read_list(PRONOTE)
    assert [pupil.last for pupil in in_group(pupils, "gr1")] == ["MARTIN", "DE LA TOUR"]
    with pytest.raises(ClassListError, match="2NDE4, GR1, GR2, LV2"):
        in_group(pupils, "GR3")


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("lea_martin", Pupil("", "Lea Martin")),
        ("MARTIN Léa_12345_assignsubmission_file_", Pupil("Léa", "MARTIN")),
        ("Ada Lovelace_7_assignsubmission_file", Pupil("", "Ada Lovelace")),
        ("MARTIN Léa_12345_assignsubmission_file_my-bot_file_2", Pupil("Léa", "MARTIN")),
        ("Ada Lovelace_7_assignsubmission_onlinetext_file_x", Pupil("", "Ada Lovelace")),
    ],
)
def test_what_is_handed_in_has_the_name_of_a_pupil(name: str, expected: Pupil) -> None:
    assert handed_in_by(name) == expected


def test_two_of_one_name_get_numbers() -> None:
    assert called([Pupil("Ada", "Lovelace")] * 3) == ["Ada Lovelace", "Ada Lovelace 2", "Ada Lovelace 3"]


def test_a_name_that_no_server_takes_is_named() -> None:
    with pytest.raises(ClassListError, match="Аda"):
        called([Pupil("Аda", "Lovelace")])  # the first letter is Cyrillic


NAMES = st.text("aàbcéllI1mrn -'", min_size=1, max_size=40).filter(lambda text: any(map(str.isalpha, text)))


@given(st.lists(st.builds(Pupil, NAMES | st.just(""), NAMES), min_size=1, max_size=12))
def test_no_two_names_look_alike_and_a_server_takes_each(pupils: list[Pupil]) -> None:
    names = called(pupils)
    assert len(names) == len(pupils)
    taken: set[str] = set()
    for name in names:
        assert len(name) <= MAX_NAME
        assert display_name(name) == name
        assert taken.isdisjoint(looks(name))
        taken.update(looks(name))


WORDS = st.text("AÉbcd'", min_size=1, max_size=9)


@given(st.lists(st.tuples(WORDS, WORDS), min_size=1, max_size=9), st.sampled_from(";,\t"))
def test_what_a_spreadsheet_writes_is_read_back(rows: list[tuple[str, str]], delimiter: str) -> None:
    stream = io.StringIO()
    csv.writer(stream, delimiter=delimiter).writerows([("Nom", "Prénom"), *rows])
    assert [(pupil.last, pupil.first) for pupil in read_list(stream.getvalue())] == rows


@given(st.text(max_size=60))
def test_any_text_is_a_list_or_refused(text: str) -> None:
    with suppress(ClassListError):
        assert called(read_list(text))


def test_a_name_in_capitals_alone_is_one_name() -> None:
    assert told_apart("ADA LOVELACE") == Pupil("", "ADA LOVELACE")


def test_a_quotation_mark_that_stays_open_swallows_nobody() -> None:
    with pytest.raises(ClassListError, match="quotation mark"):
        read_list('Nom;Prénom\nMARTIN;"Léa\nPETIT;Zoé\n')
