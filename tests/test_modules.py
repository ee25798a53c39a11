"""machine.modules and machine.namespace: our modules are found whatever the folder, beside others of their names."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from machine import modules, namespace

VARIABLES = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}


@pytest.fixture
def rivals(tmp_path: Path) -> Path:
    """A folder whose modules have all the names of ours."""
    for name in (*namespace.PACKAGES, "run", "damage", "saying"):
        (tmp_path / f"{name}.py").write_text(f"NAME = 'their {name}'\n", encoding="utf-8")
    return tmp_path


def run(folder: Path, *command: str) -> str:
    done = subprocess.run(
        command, cwd=folder, env=VARIABLES, capture_output=True, encoding="utf-8", timeout=60, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_names_in_a_checkout() -> None:
    assert modules.IS_CHECKOUT
    assert modules.full_name("games.base") == "games.base"
    assert modules.load("games.base") is sys.modules["games.base"]


def test_a_process_of_ours_beside_rivals(rivals: Path) -> None:
    (rivals / "arbitre.py").write_text("raise SystemExit('a rival')\n", encoding="utf-8")
    assert run(rivals, *modules.command("--version")).startswith("arbitre ")
    assert "OTHELLO" in run(rivals, *modules.command("perft", "--help")).upper()


def test_no_variable_leads_programs_to_us(tmp_path: Path) -> None:
    """Their `import games` would find ours before what their interpreter has."""
    found = run(tmp_path, *modules.module_command("timeit", "-n", "1", "-r", "1", "import os; print(dict(os.environ))"))
    assert "PYTHONPATH" not in found


def test_a_program_of_others_imports_both(rivals: Path) -> None:
    for name in ("locales", "machine"):  # arbitre.py asks for them by these names before it opens the namespace
        (rivals / f"{name}.py").unlink()
    (rivals / "program.py").write_text(
        "import bots, client, games, server\n"
        "from arbitre import games as rules\n"
        "from arbitre.bots.base import parse_bot\n"
        "from arbitre.bots.search import solver\n"
        "import arbitre.games.base, sys\n"
        "assert arbitre.games is rules and arbitre.games.base.Seat is rules.Seat\n"
        "assert games.NAME == 'their games' and server.NAME == 'their server'\n"
        "parse_bot('minimax').prepare()\n"
        "assert solver.make_solver(rules.parse('morpion')).__class__.__module__.startswith('arbitre.')\n"
        "assert not {'arbitre.run', 'arbitre.tests'} & set(sys.modules)\n"
        "try:\n    import arbitre.run\nexcept ImportError:\n    print('both')\n",
        encoding="utf-8",
    )
    assert run(rivals, sys.executable, "program.py") == "both\n"
