"""The interface of the Puissance 4 document: a class `Player` whose `nextMove(board)` gives a column from 0."""

from typing import Any, ClassVar

from bots.adapters.pupils.interfaces.base import (
    Asking,
    Defined,
    Function,
    Plays,
    Situation,
    fold,
    signature_of,
    whole,
)
from bots.adapters.pupils.supplied.board import Board

METHOD = "nextMove"
TIEBREAK = "LEFT"
PLY = 2
"""The `ply` of `Player(ox, tbt, ply)` if the class has no default: a plain solution then takes 0.05 s for a move."""

_TIEBREAKS = ("tbt", "tiebreak", "tiebreaktype")
_PLIES = ("ply", "plies", "depth", "profondeur")


class Player(Asking):
    """`class Player` with `nextMove(board)`: "X" is the first player's disc, "O" the second's.

    The board is the file's own class `Board` if it has one, else `supplied.board.Board`.
    """

    name: ClassVar[str] = "Player"
    parameters: str = "self, board"
    known: ClassVar[tuple[str, ...]] = ("Player",)

    def __init__(self, function: str, make: Function, board: Function) -> None:
        self.function = f"{function}.{METHOD}"
        self._make = make
        self._board = board
        self._players: dict[str, Any] = {}

    @classmethod
    def find(cls, defined: Defined) -> "Player | None":
        """The interface of a file that has one: its class Player, or another that has the method."""
        others = tuple(name for name, value in defined.names.items() if isinstance(value, type))
        for name in (*cls.known, *others):
            found = defined.find(cls.name, (name,))
            if found is not None and _method(defined.names[found]) is not None:
                return cls(found, defined.names[found], defined.get("Board", Board))
        return None

    @property
    def plays(self) -> Plays:
        """Puissance 4 on boards of any size; the classes of the document know only four in a line."""
        return {"puissance4": {"k": 4}}

    def ask(self, situation: Situation) -> object:
        """The answer to one position; the same object plays the whole match."""
        ox = "XO"[situation.seat - 1]
        if ox not in self._players:
            self._players[ox] = self._make(*_arguments(self._make, ox))
        method = _method(self._players[ox])
        assert method is not None
        return getattr(self._players[ox], method)(self.watch(self._fill(situation)))

    def read(self, situation: Situation, answer: object) -> str:
        """The move of a column."""
        return situation.name(whole(answer, "index"), 0)

    def spell(self, situation: Situation, move: str) -> str:
        """The column."""
        return str(situation.cell(move)[0])

    def change_side(self) -> bool:
        """Never: the object is made for the side that it plays."""
        return False

    def _fill(self, situation: Situation) -> Any:
        board = self._board(situation.game.width, situation.game.height)
        for row in reversed(situation.rows):
            for column, disc in enumerate(row):
                if disc:
                    board.addMove(column, "XO"[disc - 1])
        return board


def _method(player: object) -> str | None:
    return next((name for name in dir(player) if fold(name) == fold(METHOD)), None)


def _arguments(make: Function, ox: str) -> list[object]:
    """The arguments for the class: `ox` first; then for each parameter its default, or the value in the document."""
    try:
        parameters = [
            parameter
            for parameter in signature_of(make).parameters.values()
            if parameter.kind in (parameter.POSITIONAL_ONLY, parameter.POSITIONAL_OR_KEYWORD)
        ]
    except (TypeError, ValueError):
        return [ox]
    arguments: list[object] = []
    for number, parameter in enumerate(parameters):
        name = fold(parameter.name)
        if name in map(fold, _TIEBREAKS):
            usual: object = TIEBREAK
        elif name in _PLIES:
            usual = PLY
        else:
            usual = (ox, TIEBREAK, PLY)[min(number, 2)]
        has_default = number > 0 and parameter.default is not parameter.empty
        arguments.append(parameter.default if has_default else usual)
    return arguments
