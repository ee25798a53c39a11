"""Which functions of a pupil's files are recursive: those whose code names themselves, or each other in a cycle.

A name stands for every function and method of the files that has it. So some cycles that are found are not real, but
every cycle of calls by name is found.
"""

from collections.abc import Iterator, Mapping
from types import CodeType

from bots.adapters.pupils.trouble import Sources

Key = tuple[str, int, str]
"""File, first line and name of a function."""


def key_of(code: CodeType) -> Key:
    """The key of the function that runs this code."""
    return code.co_filename, code.co_firstlineno, code.co_name


def watched_in(sources: Sources, function: str) -> Mapping[Key, bool]:
    """The functions to record when `function` is asked, and whether they are recursive; see `tracing`."""
    codes = [code for path, text in sources.texts() for code in _codes(path, text)]
    edges = _edges(codes)
    starts = [number for number, code in enumerate(codes) if code.co_name == function]
    used = set().union(*(_reached(edges, start) | {start} for start in starts)) or set(range(len(codes)))
    reach = {number: _reached(edges, number) & used for number in used}
    circles = [number for number in used if number in reach[number]]
    outer = [
        number
        for number in circles
        if not any(number in reach[other] and other not in reach[number] for other in circles)
    ]
    if outer:
        return {key_of(codes[number]): True for number in outer}
    return {key_of(codes[number]): False for number in used}


def _codes(path: str, text: str) -> Iterator[CodeType]:
    """The code of all functions and classes of a file, inner ones too."""
    try:
        waiting = [compile(text, path, "exec", dont_inherit=True)]
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return
    while waiting:
        for inner in _inner(waiting.pop()):
            waiting.append(inner)
            if not inner.co_name.startswith("<"):
                yield inner


def _inner(code: CodeType) -> Iterator[CodeType]:
    return (constant for constant in code.co_consts if isinstance(constant, CodeType))


def _edges(codes: list[CodeType]) -> list[set[int]]:
    """For each code, the numbers of those that it names."""
    named: dict[str, set[int]] = {}
    place: dict[Key, int] = {}
    for number, code in enumerate(codes):
        named.setdefault(code.co_name, set()).add(number)
        place[key_of(code)] = number
    return [_targets(code, named, place) for code in codes]


def _targets(code: CodeType, named: Mapping[str, set[int]], place: Mapping[Key, int]) -> set[int]:
    found: set[int] = set()
    for name in (*code.co_names, *code.co_freevars):
        found |= named.get(name, set())
    for inner in _inner(code):
        number = place.get(key_of(inner))
        found |= {number} if number is not None else _targets(inner, named, place)
    return found


def _reached(edges: list[set[int]], start: int) -> set[int]:
    """The numbers that can be reached from `start`; `start` is among them only if a cycle leads back to it."""
    found: set[int] = set()
    waiting = list(edges[start])
    while waiting:
        number = waiting.pop()
        if number not in found:
            found.add(number)
            waiting.extend(edges[number])
    return found
