"""Our own interface: `choose(position)` or `choose(position, budget)` over a `games.Position`."""

import inspect
from typing import ClassVar

from bots.adapters.pupils.interfaces.base import Defined, Function, Plays, Situation, WrongAnswer


class Choose:
    """`choose(position)`: "d3", "4"; with a second parameter it is given the clock, a `bots.base.Budget`."""

    name: ClassVar[str] = "choose"
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

    @property
    def plays(self) -> Plays:
        """Every game that there is."""
        return {"othello": {}, "puissance4": {}, "morpion": {}}

    def ask(self, situation: Situation) -> object:
        """The answer to one position."""
        position = situation.position
        return (
            self._call(position)
            if self._make_budget is None
            else self._call(position, self._make_budget(**situation.clock))
        )

    def read(self, situation: Situation, answer: object) -> str:
        """The move as it was returned."""
        del situation
        if not isinstance(answer, str):
            raise WrongAnswer("move")
        return answer

    def spell(self, situation: Situation, move: str) -> str:
        """The move itself."""
        del situation
        return repr(move)

    def change_side(self) -> bool:
        """Never: it is shown both sides alike."""
        return False


def _import_budget() -> Function:
    """The class of a budget; only a file that wants one waits for what else is imported with it."""
    from bots.budget import Budget

    return Budget


def takes(call: Function, count: int) -> bool:
    """Whether it may be called with so many arguments."""
    try:
        inspect.signature(call).bind(*range(count))
    except (TypeError, ValueError):
        return False
    return True
