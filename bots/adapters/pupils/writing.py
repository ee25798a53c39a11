"""Guesses what is written otherwise than Python, or a match, wants it: capitals, names, a keyboard that nobody has.

As in `hints`, a hint is a key of `bots.adapters.hint_words` and what to fill in there, and no verdict.
"""

import ast
import builtins
import keyword
import re
from collections.abc import Iterable, Iterator, Sequence
from types import TracebackType
from typing import Any, Final

Hint = tuple[str, ...]

_CONSTANTS: Final = {"true": "True", "false": "False", "none": "None", "null": "None"}
"""Constants as other languages, or haste, write them: in Python each has a capital."""

_LIBRARY: Final = ("random", "math", "copy", "time", "itertools")
"""Modules that bots use most, and whose import is forgotten."""

_LIKELY: Final = ("jou", "play", "coup", "move", "bot", "ia", "choi", "choo", "strateg", "best", "meilleur")
"""What the name of a function has in it that is meant to choose a move."""

_FOREIGN: Final = (
    (re.compile(r"\belse\s+if\b"), "else if", "elif"),
    (re.compile(r"&&"), "&&", "and"),
    (re.compile(r"\|\|"), "||", "or"),
    (re.compile(r"\w\s*\+\+"), "i++", "i += 1"),
    (re.compile(r"\w\s*--\s*$"), "i--", "i -= 1"),
    (re.compile(r"^\s*function\b"), "function", "def"),
)
"""What other languages write, how it is told, and what Python writes instead."""

_ALIKE: Final = 0.8
"""From this ratio of `difflib` on, one name is likely to be meant by another."""

_FIRST_WORD: Final = re.compile(r"\s*([A-Z]\w*)")
_UNKNOWN: Final = re.compile(r"name '(\w+)' is not defined")


def of_error(error: BaseException, code: str) -> Sequence[Hint]:
    """What in an exception is likely to be misspelled; code: the line at which it was raised."""
    if isinstance(error, SyntaxError):
        return _of_capital(code) or _of_foreign(code)
    if isinstance(error, NameError):
        found = _UNKNOWN.search(str(error))
        return () if found is None else _of_name(found.group(1), _known(error.__traceback__))
    if isinstance(error, AttributeError):
        name = getattr(error, "name", None)
        if name is None:
            return ()
        known = dir(getattr(error, "obj", None))
        return _spelled(name, known) or _meant(name, known)
    return ()


def _of_capital(code: str) -> Sequence[Hint]:
    found = _FIRST_WORD.match(code)
    word = "" if found is None else found.group(1)
    is_meant = keyword.iskeyword(word.lower()) and not keyword.iskeyword(word)
    return (("lower_word", word, word.lower()),) if is_meant else ()


def _of_foreign(code: str) -> Sequence[Hint]:
    return tuple(("foreign", told, instead) for pattern, told, instead in _FOREIGN if pattern.search(code))[:1]


def _of_name(name: str, known: Iterable[str]) -> Sequence[Hint]:
    if name.lower() in _CONSTANTS:
        return (("spelled", name, _CONSTANTS[name.lower()]),)
    names = list(known)
    found = _spelled(name, names)
    if not found and name.lower() in _LIBRARY:
        return (("unimported", name.lower()),)
    return found or _meant(name, names)


def _spelled(name: str, known: Iterable[str]) -> Sequence[Hint]:
    """A known name that is the same except for capitals and underscores, if there is one alone."""
    alike = {other for other in known if _fold(other) == _fold(name)} - {name}
    return (("spelled", name, alike.pop()),) if len(alike) == 1 else ()


def _meant(name: str, known: Iterable[str]) -> Sequence[Hint]:
    """The known name that is most like a name, if one is like it: a letter is missing, too many or another."""
    from difflib import get_close_matches  # it is not needed before somebody errs

    alike = get_close_matches(name, [other for other in known if other != name], 1, _ALIKE)
    return (("meant", name, alike[0]),) if alike and len(name) > 2 else ()


def _known(trace: "TracebackType | None") -> Iterator[str]:
    """The names that are known where an exception was raised."""
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    if trace is not None:
        code = trace.tb_frame.f_code
        yield from (*code.co_varnames, *code.co_freevars, *trace.tb_frame.f_globals)
    yield from dir(builtins)


def _fold(name: str) -> str:
    return name.casefold().replace("_", "")


def of_functions(tree: ast.Module, asked: Sequence[str] = ()) -> Sequence[Hint]:
    """Which function of a file is likely to be its bot, where none has a name that is `asked`."""
    defined = [node for node in tree.body if isinstance(node, ast.FunctionDef)]
    misspelled = [("misnamed", *hint[1:]) for node in defined for hint in _meant(node.name, asked)]
    if misspelled:
        return misspelled[-1:]
    found = [node for node in defined if _answers(node)]
    likely = [node for node in found if any(part in _fold(node.name) for part in _LIKELY)]
    if not found:
        return _in_class(tree, asked) or (("no_function",),)
    function = (likely or found)[-1]
    names = [argument.arg for argument in function.args.args]
    written = f"{function.name}({', '.join(names)})"
    return (("unnamed_rows", written, ", ".join(names[:2])) if len(names) in (2, 3) else ("unnamed", written),)


def _in_class(tree: ast.Module, asked: Sequence[str]) -> Sequence[Hint]:
    """A function with an asked name that stands in a class, where it is not found."""
    for owner in [node for node in tree.body if isinstance(node, ast.ClassDef)]:
        for node in owner.body:
            if isinstance(node, ast.FunctionDef) and node.name in asked:
                return (("in_class", node.name, owner.name),)
    return ()


def _answers(function: ast.FunctionDef) -> bool:
    return any(isinstance(node, ast.Return) and node.value is not None for node in ast.walk(function))


def is_defined(tree: ast.Module, names: "dict[str, Any]") -> bool:
    """Whether all functions of a file are there: then nothing that stopped it hides its bot."""
    return all(node.name in names for node in tree.body if isinstance(node, ast.FunctionDef))


def of_keyboard(tree: ast.Module, line: int) -> Sequence[Hint]:
    """What to do about a question to the keyboard outside of all functions, where a variable waits for the answer."""
    for node in tree.body:
        if isinstance(node, ast.Assign) and node.lineno <= line <= (node.end_lineno or line):
            names = [target.id for target in node.targets if isinstance(target, ast.Name)]
            return (("asked_above", *names[:1]),) if names else ()
    return ()
