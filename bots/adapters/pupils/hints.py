"""Guesses what mistake is behind a trouble. A hint is a key of `bots.adapters.hint_words` and what to fill in there.

A hint is no verdict: it names a mistake that would explain the trouble. If a guess raises an exception, only its hints
are lost (`guessed`).
"""

import ast
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from types import FrameType
from typing import TYPE_CHECKING, Any, Final, TypeVar

from bots.adapters.pupils.interfaces.base import Interface, Situation, WrongAnswer, show
from games.base import GameError, with_side

if TYPE_CHECKING:
    from typing import SupportsIndex, TypeGuard  # Python 3.8 has no TypeGuard

Hint = tuple[str, ...]

_T = TypeVar("_T")

_DEPTHS: Final = ("depth", "deph", "profondeur", "prof", "ply", "plies", "niveau", "p", "d", "n")
"""What pupils call the number of moves that a search looks ahead."""

_FRAMES: Final = 2000
_SIMPLE: Final = (int, float, str, bool, list, dict, set, tuple)
_LONGEST: Final = 100_000


def guessed(guess: Callable[[], Sequence[_T]]) -> Sequence[_T]:
    """What a guess finds; nothing if it fails, as it may over objects of the author's, or on an odd interpreter."""
    try:
        return guess()
    except Exception:  # noqa: BLE001 - a game is worth more than any hint
        return ()


def of_answer(interface: Interface, situation: Situation, answer: object, move: "str | None") -> Sequence[Hint]:
    """Why an answer is no legal move; move: the one that it means, None if it means none."""
    if move is None:
        return _of_nothing(answer)
    found: list[Hint] = []
    legal = situation.position.legal_moves()
    for key, other in _variants(answer):
        try:
            meant = interface.read(situation, other)
        except (WrongAnswer, GameError, TypeError, ValueError):
            continue
        if meant in legal and key not in {hint[0] for hint in found}:
            found.append((key, show(other)))
    if _is_number(answer) and len(found) == 2:
        found = []  # beside a full column both may be played: one guess speaks against the other
    if _is_others(situation, move):
        found.append(("other_colour", str(situation.seat)))
    return found[:2]


def _of_nothing(answer: object) -> Sequence[Hint]:
    """Why an answer means no move at all."""
    parts = answer if isinstance(answer, (tuple, list)) else (answer,)
    for part in (answer, *parts):
        if part is None:
            return (("no_return",),)
        if callable(part):
            return (("uncalled", getattr(part, "__name__", show(part))),)
    return ()


def _variants(answer: Any) -> "Iterator[tuple[str, object]]":
    """Answers that the author may have meant, each with the key of the hint that it stands for."""
    parts: list[Any] = list(answer) if isinstance(answer, (tuple, list)) else []
    if len(parts) == 2 and isinstance(parts[1], (tuple, list)):
        yield from ((key, (parts[0], other)) for key, other in _variants(parts[1]))  # a value and a move
        return
    if len(parts) >= 2 and all(map(_is_number, parts[:2])):
        first, second = int(parts[0]), int(parts[1])
        yield "swapped", (second, first)
        yield "from_one", (first - 1, second - 1)
        yield "from_zero", (first + 1, second + 1)
    elif _is_number(answer):
        yield "from_one", int(answer) - 1
        yield "from_zero", int(answer) + 1


def _is_number(value: object) -> "TypeGuard[SupportsIndex]":
    return hasattr(value, "__index__") and not isinstance(value, bool)


def _is_others(situation: Situation, move: str) -> bool:
    """Whether the move would be legal if it were the other player's turn."""
    position = situation.position
    try:
        return move in with_side(situation.game, position, position.to_move.other).legal_moves()
    except GameError:
        return False


def of_frames(frame: "FrameType | None", is_own: Callable[[str], bool]) -> Sequence[Hint]:
    """Why a search takes too long, by the depth argument of a recursive function. is_own: whether a file is theirs."""
    calls: dict[Any, list[FrameType]] = {}
    for _number in range(_FRAMES):
        if frame is None:
            break
        if is_own(frame.f_code.co_filename):
            calls.setdefault(frame.f_code, []).append(frame)
        frame = frame.f_back
    for code, frames in sorted(calls.items(), key=lambda item: -len(item[1])):
        name = next((name for name in code.co_varnames[: code.co_argcount] if name.casefold() in _DEPTHS), None)
        if len(frames) < 2 or name is None:
            continue
        inner, outer = (frames[place].f_locals.get(name) for place in (0, -1))
        if not (isinstance(inner, int) and isinstance(outer, int)):
            continue
        if inner == outer:
            return (("same_depth", code.co_name, name),)
        return (("too_deep", code.co_name, name, str(max(inner, outer))),)
    return ()


class Globals:
    """The variables of a file, to see which of them a game has changed."""

    def __init__(self, names: Mapping[str, object]) -> None:
        self._names = names
        self._before = self._look()

    def changed(self) -> Sequence[str]:
        """The variables that have other values than at the beginning, or are new."""
        now = self._look()
        return [name for name in now if now[name] != self._before.get(name)]

    def _look(self) -> Mapping[str, str]:
        found: dict[str, str] = {}
        for name, value in list(self._names.items()):
            if name.startswith("__") or not isinstance(value, _SIMPLE):
                continue
            try:
                if isinstance(value, (int, float, bool)) or len(value) <= _LONGEST:
                    found[name] = repr(value)
            except Exception:  # noqa: BLE001, S112 - a pupil's __len__ and __repr__ may raise anything
                continue
        return found


def uncalled(tree: ast.Module, methods: Collection[str]) -> "Iterator[tuple[int, Hint]]":
    """Lines where a function is named but not called: as a condition, or alone on its line.

    methods: names of functions that the file does not define itself.
    """
    defined = {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef) and not node.decorator_list}
    bound = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    bound |= {node.arg for node in ast.walk(tree) if isinstance(node, ast.arg)}
    bound |= {
        node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store)
    }
    known = (defined | set(methods)) - bound
    for node in ast.walk(tree):
        for value in _conditions(node):
            name = value.attr if isinstance(value, ast.Attribute) else value.id if isinstance(value, ast.Name) else ""
            if name in (known if isinstance(value, ast.Attribute) else defined - bound):
                yield value.lineno, ("uncalled" if isinstance(node, ast.Expr) else "uncalled_condition", name)


def _conditions(node: ast.AST) -> "Sequence[ast.expr]":
    """The expressions of a node that are only tested for truth, or whose value is not used."""
    if isinstance(node, (ast.If, ast.While, ast.IfExp, ast.Assert)):
        return [node.test]
    if isinstance(node, ast.BoolOp):
        return node.values
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        return [node.operand]
    return [node.value] if isinstance(node, ast.Expr) else []
