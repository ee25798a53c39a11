"""Notebooks as bots: cells in order, what is no Python left out, cell and line in what is told."""

import json
from pathlib import Path
from typing import Any

import pytest

from bots.adapters.pupils import notebooks
from bots.adapters.pupils.notebooks import NotebookError, read
from bots.base import BotSpecError, parse_bot
from locales import set_language
from processes.belongings import belongings
from tests.bots.adapters.files import LAUNCH, answer, fault
from tests.bots.adapters.processes import play_match

PYTHON = {"language_info": {"name": "python"}}


def notebook(*cells: str | dict[str, Any], **more: Any) -> bytes:
    """A notebook; texts are code cells."""
    made = [{"cell_type": "code", "source": cell} if isinstance(cell, str) else cell for cell in cells]
    return json.dumps({"cells": made, "metadata": PYTHON, "nbformat": 4, "nbformat_minor": 5, **more}).encode()


def write(folder: Path, *cells: str | dict[str, Any], name: str = "pupil.ipynb") -> str:
    (folder / name).write_bytes(notebook(*cells))
    return str(folder / name)


PLAYS = "def jeuIA(grille, couleur):\n    return [2, 3, []]"


@pytest.mark.slow
def test_a_pupils_notebook_plays(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    spec = write(
        tmp_path,
        {"cell_type": "markdown", "source": "# TP\ndef jeuIA: voir ci-dessous"},
        "%matplotlib inline\n!pip install rien\nfrom IPython.display import clear_output, HTML\nimport pas_installe",
        "def colonne(j):\n    return j",
        "colonne(3",
        "display(colonne(3))\nclear_output()\ncoup = input('x ? ')",
        "while True:\n    pass",
        "def jeuIA(grille, couleur):\n    return [2, colonne(3), []]\nassert jeuIA([], 1) == 0",
        "def jeuStupide(grille, couleur): return None",
    )
    assert answer(spec, "othello") == "d3"
    parse_bot(spec).prepare()
    said = capsys.readouterr().err
    assert "pupil.ipynb, cell 1, line 1: “%matplotlib inline” is a command of notebooks and no Python" in said
    assert "it is left out, as all of them are (2)" in said
    assert "There is no module called 'pas_installe'" in said
    assert "pupil.ipynb, cell 1, line 4:\n    import pas_installe\nAll else that the file defines is used.\n" in said
    assert "pupil.ipynb, cell 3, line 1:\n    colonne(3\n" in said
    assert (
        "jeuIA of pupil.ipynb is asked. It also defines jeuStupide: to ask that, write pupil.ipynb#jeuStupide" in said
    )


def test_cell_and_line_of_a_failure(tmp_path: Path) -> None:
    spec = write(
        tmp_path, "x = 1\n", "%time 3\n\ndef aide(c):\n    return c[9]", "def jeuIA(g, c):\n    return aide(g)"
    )
    assert str(fault(spec, "othello")).startswith(
        "The index goes past the end of the list (IndexError: list index out of range)\n"
        "pupil.ipynb, cell 2, line 4, in aide:\n    return c[9]\nIt was asked to play"
    )


def test_cell_and_line_of_a_failure_in_french(tmp_path: Path) -> None:
    set_language("fr")
    spec = write(tmp_path, "def jeuIA(g, c):\n    return g[9]")
    assert str(fault(spec, "othello")).startswith(
        "L’indice dépasse la fin de la liste (IndexError: list index out of range)\n"
        "pupil.ipynb, cellule 1, ligne 2, dans jeuIA\u00a0:\n    return g[9]\nOn lui demandait de jouer"
    )


@pytest.mark.parametrize(
    ("cell", "kept", "left"),
    [
        ("%time f()\nx = 1\n!ls \\\n  -l\ny = 2", "pass\nx = 1\npass\n\ny = 2\n", 2),
        ("if x:\n    %timeit f()\nf?\n?g", "if x:\n    pass\npass\npass\n", 3),
        ("d = !ls\ne = %pwd", "pass\npass\n", 2),
        ("%%time\nx = 1", "pass\nx = 1\n", 1),
        ("\n%%bash\nls\necho", "\n\n\n\n", 1),
        ("a = (b\n     % c)\nd = e \\\n  % f", "a = (b\n     % c)\nd = e \\\n  % f\n", 0),
        ("'''\n%time\n? non\n'''\nx = 'l\\'an ('\n%who", "'''\n%time\n? non\n'''\nx = 'l\\'an ('\npass\n", 1),
        ("x = '#' # ( [\n!ls", "x = '#' # ( [\npass\n", 1),
        ('s = """a \\""" b\n!ls\n"""\n!ls', 's = """a \\""" b\n!ls\n"""\npass\n', 1),
    ],
)
def test_what_is_no_python_is_left_out_and_nothing_else(cell: str, kept: str, left: int) -> None:
    found = read(notebook(cell))
    assert found.text == kept
    assert (0 if found.left is None else found.left.count) == left


def test_every_version_and_way_to_write_a_cell() -> None:
    old = {"worksheets": [{"cells": [{"cell_type": "code", "input": ["x = 1\n", "y = 2"], "language": "python"}]}]}
    assert read(json.dumps({**old, "metadata": {"name": ""}, "nbformat": 3}).encode()).text == "x = 1\ny = 2\n"
    assert read(b"\xef\xbb\xbf" + notebook("x = 1\r\ny = 2\r\n", "z = 3")).starts == (1, 3)
    raw = {"cell_type": "raw", "source": "%%"}
    assert read(notebook(raw, {"cell_type": "code", "source": ["z = 3"]})).text == "z = 3\n"


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (b"", "is no notebook: it is empty or damaged"),
        (b'{"cells": [', "is no notebook: it is empty or damaged"),
        (b"\xff\xfe\x00", "is no notebook: it is empty or damaged"),
        (b"[" * 200_000, "is no notebook: it is empty or damaged"),
        (b"9" * 10_000, "is no notebook"),
        (b"[]", "is no notebook that Jupyter can read"),
        (b'{"cells": 3}', "is no notebook that Jupyter can read"),
        (b'{"cells": [3]}', "is no notebook that Jupyter can read"),
        (b'{"worksheets": [[]]}', "is no notebook that Jupyter can read"),
        (b'{"cells": [{"cell_type": "code", "source": {"a": 1}}]}', "is no notebook that Jupyter can read"),
        (notebook(), "has no code: all of its code cells are empty"),
        (notebook(" ", {"cell_type": "markdown", "source": PLAYS}), "has no code: all of its code cells are empty"),
        (notebook(PLAYS, metadata={"kernelspec": {"language": "OCaml"}}), "is written in ocaml, not in Python."),
        (notebook("x = 1"), "pupil.ipynb defines none of the functions that can be asked for a move"),
        (notebook("def jeuIA(:\n  pass", "x = 1"), "pupil.ipynb, cell 1, line 1:\n    def jeuIA(:"),
    ],
)
def test_a_broken_notebook_gets_a_sentence(data: bytes, sentence: str, tmp_path: Path) -> None:
    (tmp_path / "pupil.ipynb").write_bytes(data)
    with pytest.raises(BotSpecError) as caught:
        parse_bot(str(tmp_path / "pupil.ipynb")).with_launch_options(LAUNCH).prepare()
    assert sentence in str(caught.value)
    assert "Traceback" not in str(caught.value)


def test_a_huge_notebook_is_not_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(notebooks, "LARGEST", 100)
    with pytest.raises(NotebookError, match="huge"):
        read(notebook("x = 1" * 100))


def test_a_notebook_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(BotSpecError, match=r"There is no file .*absent\.ipynb\.$"):
        parse_bot(str(tmp_path / "absent.ipynb")).prepare()


def test_a_function_of_a_notebook_and_its_name(tmp_path: Path) -> None:
    spec = parse_bot(write(tmp_path, PLAYS, "def autre(config, joueur): return 6, 5") + "#autre=coup_joueur")
    assert answer(spec.spec, "othello") == "f5"
    assert spec.name(32) == "pupil"


def test_a_folder_may_have_a_notebook(tmp_path: Path) -> None:
    folder = tmp_path / "zoe"
    folder.mkdir()
    write(folder, "from aide import COUP", "def jeuIA(g, c):\n    return COUP", name="tp.ipynb")
    (folder / "aide.py").write_text("COUP = [2, 3, []]")
    (folder / "bot.toml").write_text('file = "tp.ipynb"')
    assert answer(f"{folder}/", "othello") == "d3"


def test_in_the_sandbox_it_sees_what_it_imports_and_no_other_pupil(tmp_path: Path) -> None:
    spec = write(tmp_path, "import aide\nfrom Plateau import *", PLAYS)
    for other in ("aide.py", "Plateau.py", "lea.py", "max.ipynb"):
        (tmp_path / other).write_text("")
    seen = {path.name for path in belongings(["/usr/bin/python3", spec], tmp_path).shown}
    assert seen == {"pupil.ipynb", "aide.py", "Plateau.py"}


@pytest.mark.slow
def test_a_match_of_notebooks(tmp_path: Path) -> None:
    """Real processes: a notebook that plays, and one that fails."""
    choose = "def choose(position):\n    return position.legal_moves()[0]"
    records, said = play_match(
        *("--game", "morpion", "--games", "2", "--seed", "1"),
        write(tmp_path, choose, name="bon.ipynb"),
        write(tmp_path, "print('\\n' * 3)", "def choose(position):\n    print('x\\n' * 99)\n    return 1 / 0"),
    )
    assert {record["reason"] for record in records} == {"crash"}
    assert "pupil said:" in said
    assert "A number is divided by zero (ZeroDivisionError: division by zero)" in said
    assert "pupil.ipynb, cell 2, line 3, in choose:" in said
    assert said.index("A number is divided") < said.index("cell 2") < said.index("It was asked") < said.index("| x")
