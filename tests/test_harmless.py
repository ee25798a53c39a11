"""What others wrote does no harm in our own sentences, wherever these come from."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import arbitre
from bots.adapters.pupils.facts import Location, Trouble
from bots.adapters.wording import explain, sentence
from locales.harmless import LONGEST_LINE, MOST_LINES, plain, sentences

NASTY = "\x1b]0;title\x07\x1b[31mred\x9b2J\u202eback\u200b\u2066\x00" + "e" + "\u0301" * 40


def test_what_can_be_seen_stays_as_it_is() -> None:
    for text in ("d4 e5", "Éloïse «\u00a0ça\u202fva\u00a0»", "Lê Thị Hồng", "re\u0301s", "กำลัง", "李 4", "☃"):
        assert plain(text) == text


def test_nothing_of_it_moves_a_cursor_turns_a_line_around_or_climbs() -> None:
    assert plain(NASTY) == "]0;title[31mred2Jbacke" + "\u0301" * 3
    assert plain("a\u2028b\u2029c\rd\ne") == "abcde"


def test_sentences_keep_their_lines_and_have_an_end() -> None:
    assert sentences("Error: \x1b[1mno\tkey\n  in x\r\n") == "Error: [1mno key\n  in x"
    (long,) = sentences("a" * 500_000 + " is no clock.").split("\n")
    assert len(long) <= LONGEST_LINE + 5
    assert long.endswith(" is no clock.")
    assert len(sentences("x\n" * 5000).split("\n")) == MOST_LINES + 1


def test_what_a_pupil_s_process_tells_of_its_trouble_is_plain() -> None:
    """Its names of files and functions may be any text: `code.replace(co_name=...)`."""
    place = Location(NASTY, 7, NASTY, NASTY)
    told = Trouble("raised", place, error=NASTY, detail=NASTY, function=NASTY, returned=NASTY)
    for text in (explain(told, NASTY), sentence(told, NASTY)):
        assert plain(text.replace("\n", " ")) == text.replace("\n", " ")


@pytest.mark.parametrize("said", ["\x1b]0;title\x07", "\u202e", "e" + "\u0301" * 40, "x" * 500_000])
def test_a_name_in_a_file_does_nothing_to_the_terminal(
    said: str, tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "class.toml"
    file.write_text(f'[class]\ntitle = "x"\n{json.dumps(said)} = 1\n', encoding="utf-8")
    monkeypatch.setattr("click.utils.should_strip_ansi", lambda *_asked: False)  # as in a terminal
    assert arbitre.main(["--lang", "en", "class", "cards", str(file)]) == 1
    error = capfd.readouterr().err
    assert "there is no key" in error
    assert plain(error.replace("\n", " ")) == error.replace("\n", " ")
    assert len(error) < 10_000
