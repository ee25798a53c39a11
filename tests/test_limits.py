"""The limits of house style that no linter holds: how long a function and a module may be, tests and tools included."""

from __future__ import annotations

import ast
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
FUNCTION_LINES = 50
"""From `def` to the end: a docstring counts, decorators don't."""

MODULE_LINES = 600


def sources(root: Path) -> list[Path]:
    """Every Python file that is, or is about to be, in the repository; without git every one outside hidden folders."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", "*.py"]
    try:
        done = subprocess.run(command, cwd=root, capture_output=True, check=True, encoding="utf-8")
    except (OSError, subprocess.CalledProcessError):
        found = [path for path in root.rglob("*.py") if not any(p[0] == "." for p in path.relative_to(root).parts)]
    else:
        found = [root / name for name in done.stdout.split("\0") if name]
    return sorted(path for path in found if path.is_file())


def too_long(path: Path) -> Iterator[str]:
    """What is longer than it may be in one file."""
    text = path.read_text(encoding="utf-8")
    if (count := len(text.splitlines())) > MODULE_LINES:
        yield f"{path}: {count} lines"
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            assert node.end_lineno is not None
            if (count := node.end_lineno - node.lineno + 1) > FUNCTION_LINES:
                yield f"{path}:{node.lineno}: {node.name} has {count} lines"


def test_nothing_is_longer_than_it_may_be() -> None:
    files = sources(ROOT)
    assert ROOT / "run.py" in files
    assert Path(__file__) in files
    assert [line for path in files for line in too_long(path)] == []


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("@f\n" * 60 + "def f():\n" + "    x\n" * 49, []),
        ("def f():\n" + "    x\n" * 50, ["f has 51 lines"]),
        ("class A:\n    async def f():\n" + "        x\n" * 50, ["f has 51 lines"]),
        ("def f():\n    def g():\n" + "        x\n" * 49, ["f has 51 lines"]),
        ("x\n" * 600, []),
        ("x\n" * 601, ["601 lines"]),
    ],
)
def test_what_is_too_long_is_named(tmp_path: Path, text: str, found: list[str]) -> None:
    path = tmp_path / "module.py"
    path.write_text(text, encoding="utf-8")
    assert [line.rpartition(": ")[2] for line in too_long(path)] == found


def test_without_git_every_file_counts(tmp_path: Path) -> None:
    for name in ("a.py", "b/c.py", ".venv/d.py"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).touch()
    assert sources(tmp_path) == [tmp_path / "a.py", tmp_path / "b" / "c.py"]
