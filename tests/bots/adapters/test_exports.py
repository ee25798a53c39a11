"""Notebooks that were exported as text, and sessions of IPython: the code between outputs and explanations plays."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bots.adapters.pupils.exports import is_export, read
from bots.base import BotSpecError, parse_bot
from league.pupils.handed_in import find
from processes.belongings import belongings
from tests.bots.adapters.files import answer, fault

EXPORT = """# Un jeu à deux

On écrit d'abord l'aide, qui n'est pas longue.

In [12]:
%matplotlib inline
import random

def aide(ligne):
    \"\"\"La ligne

    d'après le sujet.\"\"\"

    return ligne

Out[12]:
<function aide at 0x7f>

### Question 1 : la fonction `jeuIA`

In [13]:
def jeuIA(grille, couleur):
    liste = [2, 3]

    return [aide(liste[0]), liste[1], []]

L'appel suivant affiche le plateau :

In [14]:
for ligne in range(2):
    print(jeuIA([], ligne))

  1 2 3
[2, 3, []]
(0, 0)
In [ ]:
suite = jeuIA(

In [None]:
jeuFini = 1

Fin
"""

SESSION = """Python 3.11.7
IPython 8.18.1 -- An enhanced Interactive Python. Type '?' for help.

In [1]: import random

In [2]: def jeuIA(grille, couleur):
   ...:     if couleur:
   ...:         return [2, 3, []]
   ...:

In [3]: jeuIA([], 1)
Out[3]: [2, 3, []]

In [4]: print(1 +
   ...: 2)
3
"""


def lines(text: str) -> list[str]:
    return [line for line in read(text).text.split("\n") if line.strip()]


@pytest.mark.parametrize("name", ["tp.txt", "tp.py"])
@pytest.mark.parametrize(
    "text", [EXPORT, SESSION, EXPORT.replace("\n", "\r\n")], ids=["notebook", "session", "windows"]
)
def test_an_export_plays_as_it_is(tmp_path: Path, name: str, text: str) -> None:
    (tmp_path / name).write_bytes(text.encode())
    assert answer(str(tmp_path / name), "othello") == "d3"


def test_what_is_left_out_and_what_is_broken_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "tp.txt"
    path.write_text(EXPORT, encoding="utf-8")
    parse_bot(str(path)).prepare()
    said = capsys.readouterr().err
    assert "tp.txt, line 6: “%matplotlib inline” is a command of notebooks" in said
    assert "tp.txt, line 37:\n    suite = jeuIA(\nAll else that the file defines is used.\n" in said
    assert "Fin" not in said


def test_a_failure_has_the_line_of_the_file(tmp_path: Path) -> None:
    path = tmp_path / "tp.txt"
    path.write_text(EXPORT.replace("return ligne", "return [][ligne]"), encoding="utf-8")
    assert "\ntp.txt, line 14, in aide:\n    return [][ligne]\n" in str(fault(str(path), "othello"))


def test_code_keeps_its_lines_and_text_is_none() -> None:
    book = read(EXPORT)
    written, kept = EXPORT.split("\n"), book.text.split("\n")
    assert [line for line, before in zip(kept, written, strict=False) if line not in ("", before)] == ["pass"]
    assert [written[start - 2][:4] for start in book.starts] == ["In ["] * 5
    assert "  1 2 3" not in kept
    assert "jeuFini = 1" in kept


def test_a_session_loses_its_prompts() -> None:
    assert lines(SESSION) == [
        "import random",
        "def jeuIA(grille, couleur):",
        "    if couleur:",
        "        return [2, 3, []]",
        "jeuIA([], 1)",
        "print(1 +",
        "2)",
    ]


def test_a_mistake_inside_a_function_spoils_the_function_and_nothing_else() -> None:
    text = "In [1]:\ndef f():\n    a = 1\n\n    b = (\n\nIn [2]:\ndef g(): pass\n"
    assert lines(text) == ["def f():", "    a = 1", "    b = (", "def g(): pass"]
    assert read(text).starts == (2, 8)


def test_what_is_no_export_stays_a_file(tmp_path: Path) -> None:
    assert not is_export("def choose(position):\n    return 1\n")
    assert not is_export('"""\nIn [1]:\n"""\ndef choose(position):\n    return 1\n')
    path = tmp_path / "doc.py"
    path.write_text(
        '"""\nIn [1]:\n"""\ndef choose(position):\n    return position.legal_moves()[0]\n', encoding="utf-8"
    )
    assert answer(str(path), "morpion") == "a1"
    path = tmp_path / "readme.txt"
    path.write_text("Voici mon rendu.\n", encoding="utf-8")
    with pytest.raises(BotSpecError, match="This is not Python"):
        parse_bot(str(path)).prepare()


def test_a_class_may_hand_exports_in(tmp_path: Path) -> None:
    (tmp_path / "zoe.txt").write_text(EXPORT, encoding="utf-8")
    (tmp_path / "readme.txt").write_text("Voici.\n", encoding="utf-8")
    found, unclear = find(tmp_path)
    assert [hand_in.file.name for hand_in in found] == ["zoe.txt"]
    assert [path.name for path in unclear] == ["readme.txt"]


def test_the_sandbox_shows_no_export_of_others_but_texts_that_are_data(tmp_path: Path) -> None:
    for name in ("tom.py", "ida.txt", "zoe.txt"):
        (tmp_path / name).write_text(SESSION if name.endswith("txt") else "x = 1\n", encoding="utf-8")
    for name in ("tom.py", "zoe.txt"):
        assert belongings(["", str(tmp_path / name)], tmp_path).shown == (tmp_path / name,)
    alone = tmp_path / "alone"
    alone.mkdir()
    (alone / "tom.py").write_text("x = 1\n", encoding="utf-8")
    (alone / "weights.txt").write_text("0.5 0.25\n", encoding="utf-8")
    assert belongings(["", str(alone / "tom.py")], alone).shown == (alone,)


@given(
    st.lists(st.sampled_from([*EXPORT.split("\n"), *SESSION.split("\n"), "def f(", "'''", "  [", "\\"]), max_size=12)
)
def test_any_lines_are_read_and_keep_their_places(written: list[str]) -> None:
    text = "\n".join(written)
    book = read(text)
    assert book.text.count("\n") == text.count("\n") + 1
    assert list(book.starts) == sorted(set(book.starts))
