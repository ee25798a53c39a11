"""The list of a class: what Pronote, Moodle and spreadsheets write, and what pupils are called."""

from __future__ import annotations

import csv
import io
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from league.pupils.decoding import decoded
from league.pupils.lists import ClassListError, Pupil, Row, handed_in_by, in_group, told_apart
from league.pupils.lists import read_list as read
from league.pupils.names import called, is_usable, numbered
from protocol.bounds import MAX_NAME
from server.names.lookalikes import looks
from server.names.text import display_name

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


def read_list(text: str) -> list[Pupil]:
    return read(text)[0]


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


def test_a_name_that_climbs_or_has_no_end_is_cut_and_the_class_goes_on() -> None:
    one, two = read_list(f"Nom;Prénom\nDUPONT;Le{chr(0x301) * 90}a\n{'x' * 100_000};Bob\n")
    assert one.first == "Le" + "\u0301" * 3 + "a"
    assert (two.first, len(two.last)) == ("Bob", 100)


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


def test_who_has_no_name_that_a_server_takes_gets_a_number_and_others_go_on() -> None:
    pupils = [Pupil("Zoé", "Petit"), Pupil("Аda", "Lоvelace"), Pupil("Pupil 2", "")]  # letters of Ada's are Cyrillic
    assert called(pupils) == ["Zoé", "Pupil 2", "Pupil 2 2"]
    assert [is_usable(pupil) for pupil in pupils] == [True, False, True]


def test_a_last_name_stands_in_for_a_first_name_that_no_server_takes() -> None:
    pupils = [Pupil("Аda", "Lovelace"), Pupil("Ada", "Петрова"), Pupil("Ada", "Петрова")]
    assert called(pupils) == ["Lovelace", "Ada", "Ada 2"]


def test_a_bot_of_arbitre_gets_a_number_beside_a_pupil_of_its_name() -> None:
    assert numbered(["Minimax", "Zoé", "Minimax"]) == ["Minimax", "Zoé", "Minimax 2"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('Nom;Prénom\nMARTIN;Léa\n;;\n"";"  "\n\u200b;\u00a0\nTotal;2\n', [Row(6, ["Total", "2"])]),
        ("Élève\nMARTIN Léa\nTotal : 28 élèves\n28\n", [Row(3, ["Total : 28 élèves"]), Row(4, ["28"])]),
        ("MARTIN Léa\n-----\n\nEffectif : 1\n", [Row(2, ["-----"]), Row(4, ["Effectif : 1"])]),
        ("Nom,Prénom,Classe\n,,2\n,Total,\nMARTIN,Léa,2\n", [Row(3, ["", "Total", ""])]),
    ],
)
def test_what_counts_the_pupils_is_none_of_them(text: str, expected: list[Row]) -> None:
    pupils, sums = read(text)
    assert [(pupil.first, pupil.last) for pupil in pupils] == [("Léa", "MARTIN")]
    assert sums == expected


def test_a_pupil_may_be_called_like_a_sum() -> None:
    assert read("Nom;Prénom\nTOTAL;Marie\nMARTIN;Effie\n")[1] == []


def test_numbers_are_names_where_nobody_has_letters() -> None:
    assert [pupil.whole for pupil in read_list("Name\n21904567\n21904568\n")] == ["21904567", "21904568"]


def test_the_line_of_a_pupil_is_that_of_the_file() -> None:
    pupils = read_list('sep=;\n\nNom;Prénom\n"MARTIN\nDUPONT";Léa\n\nPETIT;Zoé\n')
    assert [(pupil.last, pupil.line) for pupil in pupils] == [("MARTIN DUPONT", 4), ("PETIT", 7)]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252", "mac_roman"])
@pytest.mark.parametrize(
    "text",
    [
        PRONOTE,
        "Élève\nHélène DUPÔNT\nFrançois D’Angelo\n",
        "Nom;Prénom\nNúñez;Zoë\nMüller;Jörg\nLEFÈVRE;Ève\nGARÇON;Jean–Paul\n",
        "NOM;PRÉNOM\nHÉLOÏSE;AGNÈS\nL’ÉCUYER;Ömer\n",
    ],
)
def test_accents_are_read_whoever_has_saved_the_list(text: str, encoding: str) -> None:
    assert decoded(text.encode(encoding)) == text


@given(st.binary(max_size=60))
def test_any_bytes_are_a_text(data: bytes) -> None:
    assert isinstance(decoded(data), str)


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


WORDS = st.text("AÉbcd'", min_size=1, max_size=9).filter(lambda text: any(map(str.isalpha, text)))


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
    with pytest.raises(ClassListError, match=r"Line 2: .* quotation mark"):
        read_list('Nom;Prénom\nMARTIN;"Léa\nPETIT;Zoé\n')
