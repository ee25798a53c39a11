"""Lets an interpreter older than Arbitre's run what a pupil's process needs: the packages `games`, `locales`, `bots`.

Arbitre is written for Python 3.11; a bot may bring an interpreter of its own (`python = ".venv/bin/python"`), from 3.8
on, because a library that it uses needs that one. Our sources are rewritten while they are imported, so that they need
not be written for the oldest Python. The rewriting covers what these packages use:

- annotations are not evaluated; `A | B` between types becomes a Union
- `dataclass(slots=True)` and `zip(strict=True)` lose these arguments, `n.bit_count()` counts the ones of `bin(n)`
- before 3.9, `dict[str, int]` is `dict`, and the classes of collections.abc come from typing, which can be indexed

tests/bots/adapters/test_interpreters.py plays with each interpreter that is installed. This module parses on 3.8.
"""

from __future__ import annotations
import __future__

import ast
import enum
import sys
import typing
from typing import Any, Union, cast

from machine.namespace import Finder, Loader

OLDEST = (3, 8)

_EITHER = "_arbitre_either"
_BUILT_IN = ("defaultdict", "dict", "frozenset", "list", "set", "tuple", "type")


def prepare(finder: Finder) -> None:
    """Makes our packages importable on any version from 3.8 on; call it before another of them is imported."""
    version: tuple[int, ...] = sys.version_info[:2]
    if version < (3, 11):
        setattr(typing, "Self", Any)  # noqa: B010 - only annotations use it, and nobody evaluates them
        setattr(enum, "StrEnum", _StrEnum)  # noqa: B010 - as newer ones have it
    if version < (3, 10):
        finder.loader = _Rewriter


class _StrEnum(str, enum.Enum):  # noqa: UP042 - this is it
    """As `enum.StrEnum` of Python 3.11."""

    __str__ = str.__str__


class _Rewriter(Loader):
    """Loads one of our sources, rewritten for an older Python; writes no compiled copy."""

    def get_code(self, fullname: str) -> Any:
        del fullname
        tree = _Rewritten().visit(ast.parse(self.get_data(self.path), self.path))
        tree.body = [_rewrite_alias(node) for node in tree.body]
        ast.fix_missing_locations(tree)
        flags = __future__.annotations.compiler_flag
        return compile(tree, self.path, "exec", flags=flags, dont_inherit=True)

    def exec_module(self, module: Any) -> None:
        setattr(module, _EITHER, _either)
        super().exec_module(module)


class _Rewritten(ast.NodeTransformer):
    """Rewrites one of our modules."""

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        name = node.func.id if isinstance(node.func, ast.Name) else ""
        if name in ("dataclass", "zip"):
            node.keywords = [word for word in node.keywords if word.arg not in ("slots", "strict", "kw_only")]
        if isinstance(node.func, ast.Attribute) and node.func.attr == "bit_count":
            written = ast.Call(ast.Name("bin", ast.Load()), [node.func.value], [])
            return ast.Call(ast.Attribute(written, "count", ast.Load()), [ast.Constant("1")], [])
        return node

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        self.generic_visit(node)
        if sys.version_info < (3, 9) and isinstance(node.value, ast.Name) and node.value.id in _BUILT_IN:
            return node.value
        return node

    def visit_ImportFrom(self, node: ast.ImportFrom) -> ast.AST:
        if sys.version_info < (3, 9) and node.module == "collections.abc":
            node.module = "typing"
        return node


class _United(ast.NodeTransformer):
    """Rewrites `A | B` in an assignment at the top of a module, which may define a type alias."""

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        self.generic_visit(node)
        if isinstance(node.op, ast.BitOr):
            return ast.Call(ast.Name(_EITHER, ast.Load()), [node.left, node.right], [])
        return node


def _rewrite_alias(node: ast.stmt) -> ast.stmt:
    return cast("ast.stmt", _United().visit(node)) if isinstance(node, ast.Assign) else node


def _either(left: Any, right: Any) -> Any:
    try:
        return left | right
    except TypeError:
        return Union[left, right]  # noqa: UP007 - older versions have no | for types
