"""The interfaces of the document on games with adversaries: functions of (game, state), where a state is a `Board`."""

from typing import Any, ClassVar

from bots.adapters.pupils.interfaces.base import Asking, Defined, Function, Plays, Situation, WrongAnswer, whole_numbers
from bots.adapters.pupils.supplied import adversarial


class Strategy(Asking):
    """`strategy(game, state)`: an (x, y) from 0, as the game's actions are.

    The game is the file's own `TicTacToe` or `ConnectFour` if it has them, else the one of `supplied.adversarial`.
    """

    name: ClassVar[str] = "strategy"
    parameters: str = "game, state"
    known: ClassVar[tuple[str, ...]] = ("strategy",)
    _expected = "square"

    def __init__(self, function: str, call: Function, defined: Defined) -> None:
        self.function = function
        self._call = call
        self._makers = {
            "morpion": defined.get("TicTacToe", adversarial.TicTacToe),
            "puissance4": defined.get("ConnectFour", adversarial.ConnectFour),
        }

    @classmethod
    def find(cls, defined: Defined) -> "Strategy | None":
        """The interface of a file that has one."""
        found = defined.find(cls.name, cls.known)
        return None if found is None else cls(found, defined.names[found], defined)

    @property
    def plays(self) -> Plays:
        """The document's games; a morpion may have any size."""
        return {"morpion": {}, "puissance4": {"width": 7, "height": 6, "k": 4}}

    def ask(self, situation: Situation) -> object:
        """The answer to one position."""
        game = self._make_game(situation)
        return self._call(game, self.watch(_make_state(game, situation)))

    def read(self, situation: Situation, answer: object) -> str:
        """The move of (x, y)."""
        x, y = whole_numbers(answer, 2, self._expected)
        return situation.name(x, y)

    def spell(self, situation: Situation, move: str) -> str:
        """(x, y)."""
        return str(situation.cell(move))

    def change_side(self) -> bool:
        """Never: both players are the program's."""
        return False

    def _make_game(self, situation: Situation) -> Any:
        game, make = situation.game, self._makers[situation.game.id]
        k = getattr(game, "k", 0)
        if game.id == "puissance4" or (game.width, game.height, k) == (3, 3, 3):
            return make()
        return make(width=game.width, height=game.height, k=k)


class Search(Strategy):
    """`minimax_search(game, state)` and its like: (value, move), or what the file's `player(search)` returns for it."""

    name: ClassVar[str] = "search"
    parameters: str = "game, state"
    known: ClassVar[tuple[str, ...]] = (
        "h_alphabeta_search",
        "alphabeta_search",
        "alpha_beta_search",
        "minimax_search",
    )
    _expected = "value"

    def __init__(self, function: str, call: Function, defined: Defined) -> None:
        super().__init__(function, call, defined)
        player = defined.get("player")
        if callable(player):
            self.function = f"player({function})"
            self._call = player(call)
            self._expected = "square"

    def read(self, situation: Situation, answer: object) -> str:
        """The move of (value, (x, y))."""
        if self._expected == "square":
            return super().read(situation, answer)
        if not isinstance(answer, (tuple, list)) or len(answer) != 2:
            raise WrongAnswer(self._expected)
        return super().read(situation, answer[1])

    def spell(self, situation: Situation, move: str) -> str:
        """(x, y), with a value before it if the function returns one."""
        spelled = super().spell(situation, move)
        return spelled if self._expected == "square" else f"(0, {spelled})"


def _make_state(game: Any, situation: Situation) -> Any:
    """The state of the position: the game's result of the moves so far, or a new board if they are not known."""
    rules = situation.game
    position, state = rules.start(), game.initial
    for move in situation.moves:
        state = game.result(state, rules.move_cell(position, move))
        position = position.play(move)
    if position.notation == situation.position.notation:
        return state
    discs = {(x, y): "XO"[disc - 1] for y, row in enumerate(situation.rows) for x, disc in enumerate(row) if disc}
    return game.initial.new(discs, to_move="XO"[situation.seat - 1], utility=0)
