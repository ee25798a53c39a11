"""The names of the tests of a file."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path


@cache
def names_in(path: Path) -> frozenset[str]:
    """`test_x` and `TestX` and `TestX::test_x` of a file."""
    names: set[str] = set()
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.ClassDef):
            functions = (f for f in node.body if isinstance(f, ast.FunctionDef | ast.AsyncFunctionDef))
            names |= {node.name, *(f"{node.name}::{function.name}" for function in functions)}
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            names.add(node.name)
        elif isinstance(node, ast.Assign):
            names |= {target.id for target in node.targets if isinstance(target, ast.Name)}
    return frozenset(names)
