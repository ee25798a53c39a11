"""Our own interfaces, which play any game: `choose` takes a `games.Position`, `choose_from` takes lists.

Both return a move as it is on the wire: "d3", "4", "b2b3".
"""

from collections.abc import Mapping
from typing import ClassVar

from bots.adapters.pupils.interfaces.base import (
    Asking,
    Defined,
    Function,
    Plays,
    Situation,
    WrongAnswer,
    signature_of,
)
from games import GAMES

_ANY_RULES: Mapping[str, int] = {}


class _AnyGame(Asking):
    """The base of both, which answer with the move itself; refusal: the key of WrongAnswer for any other answer."""

    refusal: ClassVar[str]

    @property
    def plays(self) -> Plays:
        """All games."""
        return dict.fromkeys(GAMES, _ANY_RULES)

    def read(self, situation: Situation, answer: object) -> str:
        """The move as it was returned."""
        del situation
        if not isinstance(answer, str):
            raise WrongAnswer(self.refusal)
        return answer

    def spell(self, situation: Situation, move: str) -> str:
        """The move itself."""
        del situation
        return repr(move)

    def change_side(self) -> bool:
        """Never: the file plays both sides."""
        return False


class Choose(_AnyGame):
    """`choose(position)` returns "d3", "4"; a second parameter gets the clock, a `bots.base.Budget`."""

    name: ClassVar[str] = "choose"
    parameters: str = "position"
    refusal: ClassVar[str] = "move"
    known: ClassVar[tuple[str, ...]] = ("choose",)

    def __init__(self, function: str, call: Function) -> None:
        self.function = function
        self._call = call
        self._make_budget = _import_budget() if takes(call, 2) else None

    @classmethod
    def find(cls, defined: Defined) -> "Choose | None":
        """The interface of a file that has it."""
        found = defined.find(cls.name, cls.known)
        return None if found is None else cls(found, defined.names[found])

    def ask(self, situation: Situation) -> object:
        """The answer to one position."""
        position = situation.position
        return (
            self._call(position)
            if self._make_budget is None
            else self._call(position, self._make_budget(**situation.clock))
        )


class ChooseFrom(_AnyGame):
    """`choose_from(rows, player, moves)`: one of `moves`, the legal ones; rows of 0, 1 and 2; player is 1 or 2.

    A file that finds the legal moves by itself may leave the third parameter out.
    """

    name: ClassVar[str] = "choose_from"
    parameters: str = "rows, player, moves"
    refusal: ClassVar[str] = "listed"
    known: ClassVar[tuple[str, ...]] = ("choose_from", "choisir_parmi")

    def __init__(self, function: str, call: Function) -> None:
        self.function = function
        self._call = call
        self._takes_moves = takes(call, 3)

    @classmethod
    def find(cls, defined: Defined) -> "ChooseFrom | None":
        """The interface of a file that has it."""
        found = defined.find(cls.name, cls.known)
        return None if found is None else cls(found, defined.names[found])

    def ask(self, situation: Situation) -> object:
        """The answer to one position; the lists are the file's own, to change as it likes."""
        moves = (list(situation.position.legal_moves()),) if self._takes_moves else ()
        return self._call(self.watch(situation.pieces), situation.seat, *moves)


def _import_budget() -> Function:
    """The class of a budget. It is imported late, since the import is slow and most files don't need it."""
    from bots.budget import Budget

    return Budget


def takes(call: Function, count: int) -> bool:
    """Whether `call` takes `count` arguments."""
    try:
        signature_of(call).bind(*range(count))
    except (TypeError, ValueError):
        return False
    return True
