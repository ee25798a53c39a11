"""The interfaces over lists of rows of 0, 1 and 2: coup_joueur, jeuIA, min_max_play and its like."""

from collections.abc import Callable
from typing import Any, ClassVar

from bots.adapters.pupils.interfaces.base import (
    MORPION,
    OTHELLO,
    PUISSANCE4,
    Asking,
    Defined,
    Function,
    Plays,
    Situation,
    whole,
    whole_numbers,
)

MIN_MAX_DEPTH = 4
"""The depth that `min_max_play(grid, player, depth)` is given: a plain solution takes 0.2 s on an empty 3x3 grid."""


class CoupJoueur(Asking):
    """`coup_joueur(config, joueur)`: (x, y) from 1 in Othello, a column from 1 in Puissance 4; joueur is 1 or 2.

    A file in which a person plays one of the colours plays both here. Once it asks the keyboard for the moves of a
    colour, it gets the board with the colours exchanged, from then on.
    """

    name: ClassVar[str] = "coup_joueur"
    parameters: str = "config, joueur"
    known: ClassVar[tuple[str, ...]] = (
        "coup_ordinateur",
        "coup_ordi",
        "coup_ia",
        "coup_machine",
        "coup_min_max",
        "coup_joueur",
    )

    def __init__(self, function: str, call: Function, first_board: Callable[[], Any] | None) -> None:
        self.function = function
        self._call = call
        self._plays = _guess_game(first_board)
        self._exchanged = False
        self._changes = 0

    @classmethod
    def find(cls, defined: Defined) -> "CoupJoueur | None":
        """The interface of a file that has one."""
        found = defined.find(cls.name, cls.known)
        if found is None:
            return None
        return cls(found, defined.names[found], defined.get("creer_config_init"))

    @property
    def plays(self) -> Plays:
        """The game whose board `creer_config_init` makes; both games of the document if there is no such function."""
        return self._plays

    def ask(self, situation: Situation) -> object:
        """The answer to one position."""
        rows, player = situation.rows, situation.seat
        if self._exchanged:
            rows, player = [[(0, 2, 1)[cell] for cell in row] for row in rows], 3 - player
        return self._call(self.watch(rows), player)

    def read(self, situation: Situation, answer: object) -> str:
        """The move of (x, y); or of a column, given alone or with a row after it."""
        if not situation.in_columns:
            x, y = whole_numbers(answer, 2, "pair")
            return situation.name(x - 1, y - 1)
        alone = isinstance(answer, str) or not hasattr(answer, "__getitem__")
        column = whole(answer, "column") if alone else whole_numbers(answer, 1, "column")[0]
        return situation.name(column - 1, 0)

    def spell(self, situation: Situation, move: str) -> str:
        """(x, y), or the column."""
        x, y = situation.cell(move)
        return str(x + 1) if situation.in_columns else str((x + 1, y + 1))

    def change_side(self) -> bool:
        """True once: a file that then asks the keyboard again has a person for both colours."""
        self._exchanged = not self._exchanged
        self._changes += 1
        return self._changes == 1


class JeuIA(Asking):
    """`jeuIA(grille, couleur)` or `jeuStupide`: [i, j, flips], row and column from 0; couleur is 1 or 2."""

    name: ClassVar[str] = "jeuIA"
    parameters: str = "grille, couleur"
    known: ClassVar[tuple[str, ...]] = ("jeuIA", "jeuStupide")

    def __init__(self, function: str, call: Function) -> None:
        self.function = function
        self._call = call

    @classmethod
    def find(cls, defined: Defined) -> "JeuIA | None":
        """The interface of a file that has one."""
        found = defined.find(cls.name, cls.known)
        return None if found is None else cls(found, defined.names[found])

    @property
    def plays(self) -> Plays:
        """The document's game."""
        return OTHELLO

    def ask(self, situation: Situation) -> object:
        """The answer to one position."""
        return self._call(self.watch(situation.rows), situation.seat)

    def read(self, situation: Situation, answer: object) -> str:
        """The move of [i, j, flips]; ignores the flips."""
        i, j = whole_numbers(answer, 2, "triple")
        return situation.name(j, i)

    def spell(self, situation: Situation, move: str) -> str:
        """[i, j, flips]."""
        x, y = situation.cell(move)
        before, after = situation.rows, Situation(situation.game, situation.position.play(move)).rows
        cells = [(i, j) for i, row in enumerate(before) for j, disc in enumerate(row) if disc and disc != after[i][j]]
        return str([y, x, [list(cell) for cell in cells]])

    def change_side(self) -> bool:
        """Never: both colours are the program's."""
        return False


class GridPlay(Asking):
    """`min_max_play(grid, player, depth)`, `dfs_play(grid, player)` or `bfs_play`: (line, col) from 0.

    In the document, the answer None means that no line of play wins; we then play the first free cell.
    """

    name: ClassVar[str] = "min_max_play"
    known: ClassVar[tuple[str, ...]] = ("min_max_play", "dfs_play", "bfs_play")

    def __init__(self, function: str, call: Function) -> None:
        self.function = function
        self._call = call
        self._depth = (MIN_MAX_DEPTH,) if "minmax" in function.replace("_", "").lower() else ()
        self.parameters = "grid, player, depth" if self._depth else "grid, player"

    @classmethod
    def find(cls, defined: Defined) -> "GridPlay | None":
        """The interface of a file that has one."""
        found = defined.find(cls.name, cls.known)
        return None if found is None else cls(found, defined.names[found])

    @property
    def plays(self) -> Plays:
        """The document's game."""
        return MORPION

    def ask(self, situation: Situation) -> object:
        """The answer to one position."""
        return self._call(self.watch(situation.rows), situation.seat, *self._depth)

    def read(self, situation: Situation, answer: object) -> str:
        """The move of (line, col), or the first free cell for None."""
        if answer is None:
            return situation.position.legal_moves()[0]
        line, column = whole_numbers(answer, 2, "cell")
        return situation.name(column, line)

    def spell(self, situation: Situation, move: str) -> str:
        """(line, col)."""
        x, y = situation.cell(move)
        return str((y, x))

    def change_side(self) -> bool:
        """Never: both players are the program's."""
        return False


def _guess_game(first_board: Callable[[], Any] | None) -> Plays:
    """The games of a file, by its first board: discs in the middle, or an empty board of 7x6 or 3x3."""
    try:
        board = first_board() if first_board is not None else None
        assert isinstance(board, list)
        width, height = len(board[0]), len(board)
        discs = sum(bool(cell) for row in board for cell in row)
    except Exception:  # noqa: BLE001 - a fault of the file shows again when it is asked for a move
        return {**OTHELLO, **PUISSANCE4}
    if discs:
        return {"othello": {"size": height}}
    if width == height == 3:
        return MORPION
    return {"puissance4": {"width": width, "height": height, "k": 4}}
