"""Mutants of a Python source: the same program with one small mistake in it, of the kinds that people make.

The mistakes are those of DeMillo, Lipton and Sayward ("Hints on test data selection", 1978): another comparison,
another operator, a constant one off, a condition negated, a statement left out, two arguments swapped, a range one too
long. Only the text of the node changes, so that a mutant differs from its source in one place. What no test can notice
is left alone: annotations, docstrings and other texts, asserts, decorators, logs, how a class is laid out in memory.
"""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Iterator
from dataclasses import dataclass

COMPARISONS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is,
}  # fmt: skip
ARITHMETIC: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.FloorDiv, ast.FloorDiv: ast.Mult, ast.Div: ast.Mult,
    ast.Mod: ast.Mult, ast.Pow: ast.Mult, ast.LShift: ast.RShift, ast.RShift: ast.LShift, ast.BitAnd: ast.BitOr,
    ast.BitXor: ast.BitAnd, ast.BitOr: ast.BitAnd,
}  # fmt: skip
VALUES: dict[type[ast.operator], Callable[[float, float], float]] = {
    ast.Mult: operator.mul, ast.Pow: operator.pow, ast.LShift: lambda left, right: left * 2**right,
}  # fmt: skip
SYMMETRIC = frozenset({"(isinstance)", "(min)", "(max)", "(dot)", "(hmac.compare_digest)"})
"""Functions whose first two arguments may change places, or where that is an error that every test notices."""
LOGS = frozenset({"log", "_log", "logger", "logging"})
"""What lines for a log are handed to: nobody but a reader misses them."""
LAYOUT = frozenset({"slots", "gc", "frozen", "kw_only", "maxsize", "strict"})
"""Keyword arguments that change no behaviour that a caller could see."""

TUNED = 100
"""A name for a number so large stands for a bound or a rate that was tuned: one more or less is no mistake."""

NOISE_DIGITS = 6
"""Who rounds to so many digits or more hides the noise of floats: a digit more hides it too."""


@dataclass(frozen=True, slots=True)
class Mutant:
    """One mistake: the bytes from `start` to `end` of a source are `text` instead."""

    line: int
    start: int
    end: int
    kind: str
    text: str

    def of(self, source: str) -> str:
        """Return the source with the mistake in it."""
        data = source.encode()
        return (data[: self.start] + self.text.encode() + data[self.end :]).decode()


def mutants(source: str) -> list[Mutant]:
    """Return every mutant of a source, in the order of the places where they differ from it."""
    starts = [0]
    for line in source.encode().splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    found: list[Mutant] = []
    for node in _nodes(ast.parse(source)):
        for place, kind, text in _mistakes(node):
            assert place.end_lineno is not None
            assert place.end_col_offset is not None
            start = starts[place.lineno - 1] + place.col_offset
            found.append(Mutant(place.lineno, start, starts[place.end_lineno - 1] + place.end_col_offset, kind, text))
    return sorted(found, key=lambda mutant: (mutant.start, mutant.end, mutant.kind, mutant.text))


def _nodes(node: ast.AST) -> Iterator[ast.expr | ast.stmt]:
    """Walk through what a test can notice."""
    match node:
        case ast.Assert() | ast.JoinedStr() | ast.Import() | ast.ImportFrom():
            return
        case ast.If(test=ast.Name(id="TYPE_CHECKING")):
            return
        case ast.FunctionDef() | ast.AsyncFunctionDef():
            inner: list[ast.AST] = [*node.args.defaults, *filter(None, node.args.kw_defaults), *node.body]
        case ast.ClassDef():
            inner = list(node.body)
        case ast.Assign(value=value) | ast.AnnAssign(value=ast.expr() as value) if _number(value) >= TUNED:
            inner = []
        case ast.Expr(value=ast.Call(func=ast.Attribute(value=ast.Name(id=name)))) if name in LOGS:
            return
        case ast.Call(func=ast.Name(id="round"), args=[number, digits]) if _number(digits) >= NOISE_DIGITS:
            inner = [number]
        case ast.AnnAssign():
            inner = [node.value] if node.value else []
        case ast.Call():
            words = [word.value for word in node.keywords if word.arg not in LAYOUT]
            inner = [node.func, *node.args, *words]
        case _:
            inner = list(ast.iter_child_nodes(node))
    if isinstance(node, ast.expr | ast.stmt):
        yield node
    for child in inner:
        yield from _nodes(child)


def _mistakes(node: ast.expr | ast.stmt) -> Iterator[tuple[ast.expr | ast.stmt, str, str]]:
    """Return the place, the kind and the new text of each mistake that can be made in this node itself."""
    match node:
        case ast.Compare():
            for place, operator in enumerate(node.ops):
                others = [*node.ops[:place], COMPARISONS[type(operator)](), *node.ops[place + 1 :]]
                yield node, "comparison", _text(ast.Compare(node.left, others, node.comparators))
        case ast.BinOp() if not _of_texts(node):
            yield node, "arithmetic", _text(ast.BinOp(node.left, ARITHMETIC[type(node.op)](), node.right))
        case ast.BoolOp():
            other = ast.Or() if isinstance(node.op, ast.And) else ast.And()
            yield node, "boolean", _text(ast.BoolOp(other, node.values))
        case ast.Constant(value=bool()):
            yield node, "constant", str(not node.value)
        case ast.Constant(value=int() | float() as number):
            yield node, "constant", repr(number + 1)
            yield node, "constant", f"({number - 1!r})"
        case ast.If(test=test) | ast.While(test=test) | ast.IfExp(test=test):
            yield test, "condition", _text(ast.UnaryOp(ast.Not(), test))
        case ast.Call():
            yield from ((node, kind, text) for kind, text in _wrong_arguments(node))
        case ast.stmt():
            yield from _left_out(node)
        case _:
            for test in (test for part in getattr(node, "generators", ()) for test in part.ifs):
                yield test, "condition", _text(ast.UnaryOp(ast.Not(), test))


def _left_out(node: ast.stmt) -> Iterator[tuple[ast.stmt, str, str]]:
    """Return a statement that is left out, if that leaves a program, and another operator in its assignment."""
    match node:
        case ast.AugAssign():
            other = ast.AugAssign(node.target, ARITHMETIC[type(node.op)](), node.value)
            yield node, "arithmetic", ast.unparse(other)
            yield node, "statement", "pass"
        case ast.Expr(value=ast.Call(func=ast.Name(id="assert_never"))):
            pass
        case (
            ast.Raise() | ast.Break() | ast.Continue() | ast.Expr(value=ast.Call())
            | ast.Assign(targets=[ast.Attribute() | ast.Subscript()])
        ):  # fmt: skip
            yield node, "statement", "pass"
        case _:
            pass


def _wrong_arguments(node: ast.Call) -> Iterator[tuple[str, str]]:
    """Return the kind and the text of each mistake in what is handed to a function."""
    first, second = (*node.args, None, None)[:2]
    if first is None or any(isinstance(argument, ast.Starred) for argument in node.args):
        return
    if second is not None and ast.dump(first) != ast.dump(second) and _text(node.func) not in SYMMETRIC:
        yield "arguments", _text(ast.Call(node.func, [second, first, *node.args[2:]], node.keywords))
    if _text(node.func) == "(range)":
        stop = 0 if second is None else 1
        for operator in (ast.Add(), ast.Sub()):
            arguments = list(node.args)
            arguments[stop] = ast.BinOp(node.args[stop], operator, ast.Constant(1))
            yield "range", _text(ast.Call(node.func, arguments, node.keywords))


def _of_texts(node: ast.BinOp) -> bool:
    """Tell whether an operator joins texts or types: each other one is an error that every test notices."""
    sides = (node.left, node.right)
    if any(isinstance(side, ast.JoinedStr) or isinstance(getattr(side, "value", None), str) for side in sides):
        return True
    return isinstance(node.op, ast.BitOr) and all(_is_type(side) for side in sides)


def _is_type(node: ast.expr) -> bool:
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name[:1].isupper() and not name.isupper()
        case ast.BinOp(left=left, right=right, op=ast.BitOr()):
            return _is_type(left) and _is_type(right)
        case _:
            return isinstance(node, ast.Constant) and node.value is None


def _number(node: ast.expr) -> float:
    """Return what a number is that stands there as one, or is made of some; 0 for anything else."""
    match node:
        case ast.Constant(value=bool()):
            return 0
        case ast.Constant(value=int() | float() as number):
            return number
        case ast.BinOp(left=left, op=sign, right=right) if type(sign) in VALUES and _number(left) and _number(right):
            return VALUES[type(sign)](_number(left), _number(right))
        case _:
            return 0


def _text(node: ast.expr) -> str:
    """Return an expression as it may stand in the place of any other."""
    return f"({ast.unparse(ast.fix_missing_locations(node))})"
