"""The French catalogue is complete and in step with the sources, and the command line speaks both languages."""

import ast
import errno
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import get_args

import click
import pytest
from babel.messages.catalog import Message

import arbitre
import locales
from games import GAMES
from locales import _, catalogue, endings, language, language_of, ngettext, pgettext, set_language, update
from locales.system import concerning, reason
from machine import modules
from protocol.bounds import ResultReason
from protocol.values import RULED

PLACEHOLDER = re.compile(r"%\(\w+\)[a-z]|%[sd]|\{[^{}]*\}")


@pytest.fixture
def french() -> Iterator[None]:
    set_language("fr")
    yield
    set_language("en")


def entries() -> list[Message]:
    return catalogue.messages(update.current())


def keys(found: list[Message]) -> set[tuple[str, tuple[str, ...]]]:
    return {(entry.context or "", catalogue.ids(entry)) for entry in found}


def test_the_catalogue_holds_the_messages_of_the_sources_and_no_others() -> None:
    wanted = keys(catalogue.messages(catalogue.extract(update.sources())))
    found = keys(entries())
    assert found == wanted, f"run `python3 run.py messages`; missing {wanted - found}, stale {found - wanted}"


def test_no_message_hides_in_an_f_string() -> None:
    """Where babel does not find it: nobody would translate it, and no other test would miss it."""
    hidden = [
        f"{path.relative_to(update.ROOT)}:{inside.lineno}"
        for place in update.sources()[:-1]
        for path in ([place] if place.is_file() else sorted(place.rglob("*.py")))
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.JoinedStr)
        for inside in ast.walk(node)
        if isinstance(inside, ast.Call)
        and isinstance(inside.func, ast.Name)
        and inside.func.id in ("_", "N_", "ngettext", "pgettext")
        and any(isinstance(argument, ast.Constant) for argument in inside.args)
    ]
    assert hidden == []


def test_every_message_is_translated_for_certain() -> None:
    assert [entry.id for entry in entries() if entry.fuzzy or not catalogue.is_translated(entry)] == []
    assert not update.current().obsolete


def test_the_files_are_as_the_tool_writes_them() -> None:
    found = update.current()
    assert update.PO.read_text(encoding="utf-8") == catalogue.render(found), "run `python3 run.py messages`"
    assert update.MO.read_bytes() == catalogue.compile_mo(found), "run `python3 run.py messages`"


def test_translations_have_the_placeholders_of_their_messages() -> None:
    for entry in entries():
        wanted = [sorted(set(PLACEHOLDER.findall(text))) for text in catalogue.ids(entry)]
        for string in filter(None, catalogue.strings(entry)):
            assert sorted(set(PLACEHOLDER.findall(string))) in wanted, entry.id


def test_french_punctuation_has_its_unbreakable_spaces() -> None:
    """A line must not begin with the colon of the line before: Lexique des règles typographiques, "Ponctuation"."""
    wrong = re.compile(r"(?<!:) [:;?!»](?![-=/\w])|« ")
    assert [text for entry in entries() for text in catalogue.strings(entry) if wrong.search(text)] == []


def test_french_apostrophes_are_typographic() -> None:
    wrong = re.compile(r"[^\W\d_]'[\w{«`]")
    assert [text for entry in entries() for text in catalogue.strings(entry) if wrong.search(text)] == []


def test_french_has_one_word_for_one_thing() -> None:
    """The word that is not used, for: ligue."""
    assert [text for entry in entries() for text in catalogue.strings(entry) if "championnat" in text.lower()] == []


def test_a_catalogue_survives_writing_and_reading() -> None:
    found = update.current()
    again = catalogue.read(catalogue.render(found))
    assert {catalogue.ids(one): catalogue.strings(one) for one in again} == {
        catalogue.ids(one): catalogue.strings(one) for one in found
    }


def test_merging_keeps_translations_drops_stale_messages_and_lists_new_ones(tmp_path: Path) -> None:
    source = tmp_path / "module.py"
    source.write_text('_("old"); _("new {n}"); ngettext("a {n}", "b {n}", n); pgettext("disc", "black")\n')
    before = catalogue.read(catalogue.HEADER + 'msgid "old"\nmsgstr "ancien"\n\nmsgid "gone"\nmsgstr "parti"\n')
    added = catalogue.read('msgctxt "disc"\nmsgid "black"\nmsgstr "l\'or noir"\n')
    merged = catalogue.merge(before, catalogue.extract([source]), added)
    assert {catalogue.ids(one): catalogue.strings(one) for one in catalogue.messages(merged)} == {
        ("old",): ("ancien",),
        ("new {n}",): ("",),
        ("a {n}", "b {n}"): ("", ""),
        ("black",): ("l’or noir",),
    }


def test_messages_follow_the_language_that_is_set_last() -> None:
    assert _("Watch a match that others play") == "Watch a match that others play"
    set_language("fr")
    assert language() == "fr"
    assert _("Watch a match that others play") == "Regarder une partie que d’autres jouent"
    assert pgettext("nowhere", "word") == "word"
    forms = ("Got unexpected extra argument ({args})", "Got unexpected extra arguments ({args})")
    assert [ngettext(*forms, count) for count in (0, 1, 2)] == [
        "Argument en trop ({args})",
        "Argument en trop ({args})",
        "Arguments en trop ({args})",
    ]
    assert _("") == ""
    with pytest.raises(ValueError, match="xx"):
        set_language("xx")
    assert language() == "fr"


@pytest.mark.parametrize(
    ("environ", "expected"),
    [
        ({"ARBITRE_LANG": "fr", "LANG": "en_GB.UTF-8"}, "fr"),
        ({"LANGUAGE": "fr:en", "LC_ALL": "en_US.UTF-8"}, "fr"),
        ({"LC_ALL": "fr_CA.UTF-8", "LANG": "en_US"}, "fr"),
        ({"LC_MESSAGES": "fr_FR", "LANG": "de_DE"}, "fr"),
        ({"LANG": "fr_BE.UTF-8"}, "fr"),
        ({"LANG": "de_DE.UTF-8"}, "en"),
        ({"LC_ALL": "C", "LANG": "fr_FR"}, "en"),
    ],
)
def test_the_environment_decides_on_the_language(environ: dict[str, str], expected: str) -> None:
    assert language_of(environ) == expected


@pytest.mark.usefixtures("french")
@pytest.mark.parametrize(
    ("rules", "sentence"),
    [
        ("chess", f"les jeux sont {', '.join(GAMES)}, pas 'chess'"),
        ("othello:size=7", "size doit valoir 4, 6, 8 ou 10, pas '7'"),
        ("morpion:k=11", "k doit valoir 2 à 10, pas '11'"),
        ("morpion:k=4", "k doit valoir 2 à 3 sur ce plateau, pas 4"),
        ("othello:foo=3", "othello a les options size, tie (à écrire nom=valeur), pas 'foo=3'"),
    ],
)
def test_rules_that_are_refused_are_explained_in_french(
    rules: str, sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert arbitre.main(["perft", rules, "1", "--lang", "fr"]) == 2
    assert capsys.readouterr().err.endswith(f"Erreur\u00a0: {sentence}\n")


def test_without_variables_the_system_decides(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("locale.getlocale", lambda: ("French_France", "1252"))
    assert language_of({}) == "fr"
    monkeypatch.setattr("locale.getlocale", lambda: (None, None))
    assert language_of({}) == "en"


def test_help_lists_every_command_and_imports_none() -> None:
    program = (
        "import sys, arbitre; code = arbitre.main(['--help']); "
        "packages = {name.split('.')[0] for name in sys.modules}; "
        "sys.exit(code or ', '.join(packages & {'games', 'protocol', 'server', 'client', 'bots', 'league'}) or 0)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, encoding="utf-8", check=False)
    assert (done.returncode, done.stderr) == (0, "")
    for name, entry in arbitre.COMMANDS.items():
        assert re.search(rf"^  {name} +{re.escape(entry.summary[:30])}", done.stdout, re.MULTILINE), name


@pytest.mark.parametrize("where", [["--lang", "fr", "--help"], ["--help", "--lang=fr"]])
def test_help_in_french_has_no_english_left(where: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert arbitre.main(where) == 0
    output = capsys.readouterr().out
    assert output.startswith("Usage\u00a0: python3 run.py [OPTIONS] COMMANDE")
    assert "Afficher cette aide et quitter." in output
    assert "Commandes\u00a0:" in output
    assert not re.search(r"\b(the|Show|Watch|COMMAND)\b", output)


def test_usage_errors_are_one_french_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    assert arbitre.main(["--lang", "fr", "serv"]) == 2
    assert "Erreur\u00a0: Pas de commande 'serv'. Vouliez-vous dire 'serve'\u00a0?" in capsys.readouterr().err
    assert arbitre.main(["--lang", "fr", "--nope"]) == 2
    assert "Pas d’option '--nope'." in capsys.readouterr().err
    assert arbitre.main(["--lang", "de"]) == 2
    assert "--lang accepte\u00a0: en, fr." in capsys.readouterr().err


def test_the_values_of_options_are_named_in_french(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    options: list[click.Parameter] = [
        click.Option(["--port"], type=click.IntRange(0, 65535)),
        click.Option(["--db"], type=click.Path()),
        click.Option(["--name"], metavar="QUI"),
        click.Option(["--plain"], is_flag=True),
    ]
    league = click.Group("league", commands=[click.Command("run", params=options)])
    monkeypatch.setattr(modules, "load", lambda _: SimpleNamespace(demo_command=league))
    assert arbitre.main(["--lang", "fr", "demo", "run", "--help"]) == 0
    output = capsys.readouterr().out
    for row in ("--port ENTIER", "--db CHEMIN", "--name QUI", "--plain"):
        assert re.search(rf"^  {row}\s", output, re.MULTILINE), output
    assert arbitre.main(["--lang", "fr", "demo", "--help"]) == 0
    assert "demo [OPTIONS] COMMANDE [ARGUMENTS]..." in capsys.readouterr().out


def test_the_language_is_taken_from_anywhere_but_behind_two_dashes() -> None:
    assert arbitre.take_language(["play", "--lang", "fr", "x"]) == (["play", "x"], "fr")
    assert arbitre.take_language(["bot", "--", "--lang", "fr"]) == (["bot", "--", "--lang", "fr"], None)


@pytest.mark.parametrize(
    ("error", "code", "sentence"),
    [
        (click.ClickException("The port is taken."), 1, "Error: The port is taken.\n"),
        (click.UsageError("Which game?"), 2, "Error: Which game?\n"),
        (ExceptionGroup("tasks", [click.ClickException("Lost the server.")]), 1, "Error: Lost the server.\n"),
        (KeyboardInterrupt(), 130, ""),
        (ZeroDivisionError("1/0"), 1, "Internal error (ZeroDivisionError: 1/0). Please report it"),
    ],
)
def test_errors_become_a_sentence_and_a_code(
    error: BaseException, code: int, sentence: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail() -> None:
        raise error

    monkeypatch.setattr(arbitre.LazyGroup, "get_command", lambda *_: click.Command("demo", callback=fail))
    assert arbitre.main(["demo"]) == code
    output = capsys.readouterr().err
    assert sentence in output
    assert "Traceback" not in output


def test_a_command_may_return_its_exit_code(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(arbitre.LazyGroup, "get_command", lambda *_: click.Command("demo", callback=lambda: 7))
    assert arbitre.main(["demo"]) == 7


def test_a_reader_that_leaves_early_is_no_error() -> None:
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run(
        [sys.executable, "-c", "import sys, arbitre; sys.exit(arbitre.main(['--help']))"],
        stdout=writer,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        check=False,
    )
    os.close(writer)
    assert (done.returncode, done.stderr) == (1, "")


def test_both_languages_are_known_to_the_library() -> None:
    assert locales.LANGUAGES == ("en", "fr")
    assert {path.parent.parent.name for path in locales.FOLDER.glob("*/LC_MESSAGES/arbitre.mo")} == {"fr"}


@pytest.mark.parametrize("reason", get_args(ResultReason))
def test_every_reason_for_an_end_has_words_of_its_own(reason: str) -> None:
    on_the_board_or_by_decree = {*RULED, "agreement", "adjudicated", "aborted"}
    assert (endings.lost_by(reason, "Ada") == "decided by the referee") == (reason in on_the_board_or_by_decree)
    with_a_winner = {*RULED, "resign", "timeout", "illegal", "crash", "adjudicated"}
    assert (endings.nobody_won(reason) == "Draw.") == (reason in with_a_winner)


@pytest.mark.parametrize("columns", [40, 80, 200])
def test_help_is_no_wider_than_the_terminal(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], columns: int
) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    assert arbitre.main(["play", "--lang", "fr", "--help"]) == 0
    assert max(map(len, capsys.readouterr().out.splitlines())) <= min(100, columns)


def test_what_click_joins_has_the_signs_of_the_language(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", "100")
    assert arbitre.main(["serve", "--lang", "fr", "--help"]) == 0
    output = capsys.readouterr().out
    assert "8765\u00a0; 0<=x<=65535]" in output
    assert not re.search(r"\w; ", output)


class TestReasonsOfTheSystem:
    def test_a_known_one_is_said_in_french(self, french: None, tmp_path: Path) -> None:
        with pytest.raises(FileNotFoundError) as missing:
            (tmp_path / "none").read_text()
        assert reason(missing.value) == "aucun fichier ou dossier de ce nom"

    def test_a_file_and_its_reason_are_joined_as_the_language_does(self, french: None) -> None:
        assert concerning("a.csv", "vide") == "a.csv\u00a0: vide"

    def test_where_it_happened_is_left_out(self) -> None:
        in_use = OSError(errno.EADDRINUSE, "error while attempting to bind on address: address already in use")
        assert reason(in_use) == "Address already in use"

    def test_another_library_s_number_means_something_else(self) -> None:
        assert reason(OSError(errno.EPERM, "[SSL] PEM lib")) == "[SSL] PEM lib"
        assert reason(OSError("just words")) == "just words"

    def test_english_is_the_system_s_own(self) -> None:
        for number in (errno.ENOENT, errno.EACCES, errno.ENOSPC, errno.EADDRINUSE):
            assert reason(OSError(number, os.strerror(number))) == os.strerror(number)
