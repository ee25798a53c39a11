"""Sentences fit the terminal; commands, boards and what goes to programs stay as they are."""

import io
import subprocess
import sys

import pytest

import arbitre
from locales import folding
from locales.folding import fold, fold_for

SENTENCE = "Cette partie n’existe pas\u00a0: vérifiez son code."


@pytest.mark.parametrize("width", [12, 20, 30, 40, 80])
def test_words_stay_whole_and_nothing_is_lost(width: int) -> None:
    folded = fold(SENTENCE, width)
    assert folded.replace("\n", " ") == SENTENCE
    assert all(len(line) <= width for line in folded.split("\n"))
    assert "pas\u00a0:" in folded, "a no-break space holds"


@pytest.mark.parametrize("line", ["  python3 run.py play 127.0.0.1", "> Ada 4:59 ...", "\x1b[1mred\x1b[0m text here"])
def test_commands_and_boards_stay_as_they_are(line: str) -> None:
    assert fold(f"{SENTENCE}\n{line}", 12).endswith(f"\n{line}")


def test_a_word_that_is_wider_stays_whole() -> None:
    assert fold("at wss://127.0.0.1:8765/arbitre again", 10) == "at\nwss://127.0.0.1:8765/arbitre\nagain"


def test_files_and_pipes_get_whole_lines() -> None:
    assert fold_for(io.StringIO(), SENTENCE * 9) == SENTENCE * 9


def test_what_went_wrong_is_folded_on_a_terminal(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(folding, "columns", lambda _stream: 30)
    assert arbitre.main(["--lang", "en", "play", "127.0.0.1:8765", "--host-here"]) == 2
    *_usage, first, second, third = capsys.readouterr().err.splitlines()
    assert first.startswith("Error: ")
    assert max(map(len, (first, second, third))) <= 30


def test_it_is_imported_without_the_rest() -> None:
    """The package stands below all others of Arbitre."""
    words = "import sys, locales.folding; assert not {'client', 'server', 'click'} & set(sys.modules)"
    subprocess.run([sys.executable, "-c", words], check=True, cwd=folding.__file__.rpartition("/locales/")[0])


def test_a_text_is_printed_as_wide_as_its_stream(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(folding, "columns", lambda stream: 10 if stream is sys.stderr else None)
    folding.echo("one two three", err=True)
    folding.echo("one two three")
    said = capsys.readouterr()
    assert (said.out, said.err) == ("one two three\n", "one two\nthree\n")
