"""What run.py says before anything is installed: each sentence has its French, and the language is the user's."""

from __future__ import annotations

import ast
import re
import sys
from pathlib import Path

import pytest

import saying

ROOT = Path(__file__).parents[1]


def test_every_sentence_has_its_french_with_the_same_placeholders() -> None:
    for english, french in saying.FRENCH.items():
        assert sorted(re.findall(r"\{\w+\}", english)) == sorted(re.findall(r"\{\w+\}", french))
    calls = (node for node in ast.walk(ast.parse((ROOT / "bootstrap.py").read_text(encoding="utf-8"))))
    said = {
        node.args[0].value
        for node in calls
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id in {"say", "talk"}
        and isinstance(node.args[0], ast.Constant)
    }
    assert said | set(saying.USAGES.values()) <= set(saying.FRENCH)


@pytest.mark.parametrize(
    ("arguments", "environ", "french"),
    [
        (["--lang", "fr", "demo"], {"LANG": "en_US.UTF-8"}, True),
        (["demo", "--lang=en"], {"LANG": "fr_FR.UTF-8"}, False),
        (["demo"], {"LANG": "fr_FR.UTF-8"}, True),
        (["demo"], {"LC_ALL": "C", "LANG": "fr_FR.UTF-8"}, False),
        (["demo"], {"ARBITRE_LANG": "fr", "LANGUAGE": "en"}, True),
    ],
)
def test_the_language_is_the_users(
    monkeypatch: pytest.MonkeyPatch, arguments: list[str], environ: dict[str, str], *, french: bool
) -> None:
    for name in ("ARBITRE_LANG", "LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environ.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(sys, "argv", ["run.py", *arguments])
    assert saying.speaks_french() is french
