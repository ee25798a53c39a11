"""run.py on a Python that is too old for Arbitre: a sentence, not a SyntaxError."""

from __future__ import annotations

import ast
import re
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]

NEW_WORDS = (
    ast.AnnAssign, ast.AsyncFunctionDef, ast.Await, ast.JoinedStr, ast.Match, ast.NamedExpr, ast.Nonlocal, ast.Starred,
    ast.YieldFrom,
)  # fmt: skip
"""What Python 2.7 has no syntax for, of what these modules might use."""


def newer_than_python_2(source: str) -> list[str]:
    """What of a source Python 2.7 can't parse."""
    found = [type(node).__name__ for node in ast.walk(ast.parse(source)) if isinstance(node, NEW_WORDS)]
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef):
            arguments = [*node.args.posonlyargs, *node.args.args, node.args.vararg, node.args.kwarg]
            notes = [node.returns, *(argument.annotation for argument in arguments if argument is not None)]
            found += [node.name] * bool(node.args.kwonlyargs or node.args.posonlyargs or any(notes))
        if isinstance(node, ast.Raise) and node.cause is not None:
            found.append("raise from")
    coded = re.match(r"(#!.*\n)?# -\*- coding: utf-8 -\*-\n", source)
    return found if coded or source.isascii() else [*found, "no coding"]


def test_it_parses_on_any_python_that_a_school_may_have() -> None:
    assert newer_than_python_2((ROOT / "run.py").read_text(encoding="utf-8")) == []
    assert newer_than_python_2((ROOT / "bootstrap.py").read_text(encoding="utf-8")) != []
    assert newer_than_python_2("def f(a):  # é\n    return 1\n") == ["no coding"]


@pytest.mark.skipif(shutil.which("python2.7") is None, reason="there is no Python 2.7 here")
def test_a_python_2_is_told_in_both_languages() -> None:
    done = subprocess.run(["python2.7", str(ROOT / "run.py"), "demo"], capture_output=True, check=False)
    if done.returncode == 127:
        pytest.skip("python2.7 is only the name of one that may be installed")
    assert done.returncode == 1
    english, french = done.stderr.decode().splitlines()
    assert english.startswith("run.py: Arbitre needs Python 3.11 or newer and this is Python 2.7.")
    assert french.startswith("run.py\u00a0: Arbitre demande Python 3.11 ou plus")
