"""Cuts a file into parts: those that define what a bot needs, and between them demos, which need not run to their end.

A demo is a game, a test or a loop outside of all functions. A statement defines if something could miss it: `def`,
`class`, `import`, what makes or changes a variable that a function reads, and what these statements themselves read.
"""

import __future__

import ast
import symtable
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from types import CodeType

_DEFINE = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Import, ast.ImportFrom)
NOT_PYTHON = (SyntaxError, ValueError, RecursionError, MemoryError)
"""What `compile` raises for a text that is not Python."""


@dataclass(frozen=True, slots=True)
class Part:
    """Statements that follow each other."""

    code: CodeType
    is_demo: bool


@dataclass(frozen=True, slots=True)
class Cut:
    """The parts of a file in order, and the statements of all; `broken`: the errors of cells that are not Python."""

    parts: Sequence[Part]
    tree: ast.Module
    broken: Sequence[Exception]


@dataclass(frozen=True, slots=True)
class _Cell:
    """The statements of a cell or file, and the global names that its functions and classes read."""

    body: "list[ast.stmt]"
    read: Collection[str]


def cut(text: str, name: str, starts: Sequence[int] = (), wanted: Collection[str] = ()) -> Cut:
    """Cuts the text of a file, or of a notebook whose cells have the first lines `starts`.

    wanted: the names that may be asked for later. Raises one of NOT_PYTHON for a file; a notebook loses only that cell.
    """
    cells: list[_Cell] = []
    broken: list[Exception] = []
    for piece in _pieces(text, starts):
        try:
            cells.append(_read(piece, name))
        except NOT_PYTHON as error:
            if not starts:
                raise
            broken.append(error)
    body = [node for cell in cells for node in cell.body]
    defining = _defining(body, {*wanted, *(name for cell in cells for name in cell.read)})
    flags = _flags(body)
    parts: list[Part] = []
    for cell in cells:
        for defines, nodes in groupby(cell.body, lambda node: id(node) in defining):
            code = compile(ast.Module(list(nodes), []), name, "exec", flags=flags, dont_inherit=True)
            parts.append(Part(code, not defines))
    return Cut(parts, ast.Module(body, []), broken)


def _pieces(text: str, starts: Sequence[int]) -> Iterator[str]:
    """The text of each cell, below so many empty lines that its own lines keep their numbers."""
    if not starts:
        yield text
    lines = text.split("\n")
    for start, end in zip(starts, (*starts[1:], len(lines) + 1)):  # noqa: B905 - Python 3.8 has no strict
        yield "\n" * (start - 1) + "\n".join(lines[start - 1 : end - 1]) + "\n"


def _read(text: str, name: str) -> _Cell:
    tree = ast.parse(text, name)
    compile(text, name, "exec", dont_inherit=True)
    return _Cell(tree.body, set(_globals(symtable.symtable(text, name, "exec"))))


def _globals(table: symtable.SymbolTable) -> Iterator[str]:
    for child in table.get_children():
        yield from (symbol.get_name() for symbol in child.get_symbols() if symbol.is_global())
        yield from _globals(child)


def _defining(body: Sequence[ast.stmt], read: Collection[str]) -> Collection[int]:
    """The ids of the statements that define something; `read` are the names that functions and classes read."""
    needed, found = set(read), set[int]()
    is_complete = False
    while not is_complete:
        is_complete = True
        for node in body:
            if id(node) not in found and _defines(node, needed):
                found.add(id(node))
                needed.update(_read_by(node))
                is_complete = False
    found.update(id(node) for node in body if _is_cheap(node))
    return found


def _is_cheap(node: ast.stmt) -> bool:
    """Whether a statement runs in no time: an assignment that calls nothing."""
    is_assignment = isinstance(node, (ast.Assign, ast.AnnAssign))
    return is_assignment and not any(isinstance(inner, ast.Call) for inner in ast.walk(node))


def _read_by(node: ast.stmt) -> Iterator[str]:
    """The variables that a statement reads when it runs; what functions and classes read inside is known already."""
    read: list[ast.AST] = [node]
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
        read = [*node.decorator_list, *node.args.defaults, *filter(None, node.args.kw_defaults)]
    elif isinstance(node, ast.ClassDef):
        read = [*node.decorator_list, *node.bases]
    for part in read:
        for inner in ast.walk(part):
            if isinstance(inner, ast.Name) and isinstance(inner.ctx, ast.Load):
                yield inner.id


def _defines(node: ast.stmt, needed: Collection[str]) -> bool:
    for inner in ast.walk(node):
        if isinstance(inner, _DEFINE):
            return True
        stores = isinstance(getattr(inner, "ctx", None), (ast.Store, ast.Del))
        calls = isinstance(inner, ast.Call) and isinstance(inner.func, ast.Attribute)
        if (stores or calls) and _root(inner) in needed:
            return True
    return False


def _root(node: ast.AST) -> str:
    """The variable that an expression begins with: `grille` of `grille[0].append(1)`; "" without one."""
    while not isinstance(node, ast.Name):
        if isinstance(node, ast.Call):
            node = node.func
        elif isinstance(node, (ast.Attribute, ast.Subscript, ast.Starred)):
            node = node.value
        else:
            return ""
    return node.id


def _flags(body: Sequence[ast.stmt]) -> int:
    """The compiler flags of all `from __future__ import` statements; every part is compiled with them."""
    names = [
        alias.name
        for node in body
        if isinstance(node, ast.ImportFrom) and node.module == "__future__"
        for alias in node.names
    ]
    flags = 0
    for name in names:
        flags |= getattr(__future__, name).compiler_flag
    return flags
