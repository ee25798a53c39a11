"""The first moves that the games of a pairing have in common, so that not all games are the same. Pure.

`none`              every game starts at the start
`random:plies=4`    that many moves at random; a check may refuse positions that one side has already won
`two-ply`           every position after two moves, in an order that the seed decides
anything else       a file with a transcript a line, in its order; # begins a comment

Openings differ from each other, until none is left; then they begin again. Positions that a symmetry of the game maps
to each other count as one. The same seed gives the same openings.

Errors: OpeningsError    no such openings; the message is a sentence for the user
"""

import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import cycle, repeat

from games.base import Game, GameError, IllegalMove, Position, RulesError, position_after
from locales import _, phrase

Moves = tuple[str, ...]
Balanced = Callable[[Position], bool]
"""Whether a position gives both sides their chances."""

MAX_PLIES = 30
_TRIES = 500
"""How many random openings in a row may be refused, or be known already, before we give up."""

Cell = tuple[int, int]
Turn = Callable[[int, int, int, int], Cell]
"""Where a symmetry puts cell (x, y) of a board with the given last column and row."""

_TURNS: tuple[Turn, ...] = (
    lambda x, y, _right, _low: (x, y),
    lambda x, y, right, _low: (right - x, y),
    lambda x, y, _right, low: (x, low - y),
    lambda x, y, right, low: (right - x, low - y),
    lambda x, y, _right, _low: (y, x),
    lambda x, y, _right, low: (low - y, x),
    lambda x, y, right, _low: (y, right - x),
    lambda x, y, right, low: (low - y, right - x),
)
"""The last four are for square boards."""


class OpeningsError(Exception):
    """No such openings."""


class Openings:
    """An endless list of openings, made as far as it is asked for."""

    def __init__(self, stream: Iterator[Moves]) -> None:
        self._stream = stream
        self._made: list[Moves] = []

    def pick(self, number: int) -> Moves:
        """The opening of pairing `number`, from 0. Raises OpeningsError if random ones can't be found."""
        while len(self._made) <= number:
            self._made.append(next(self._stream))
        return self._made[number]

    @property
    def made(self) -> Sequence[Moves]:
        """Those that were asked for so far, in their order."""
        return self._made


class Census:
    """How many of some openings differ: those that a symmetry of the game maps to each other count as one."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._symmetries = Symmetries(game)
        self._classes: dict[Moves, str] = {}
        self._seen: set[str] = set()
        self.total = 0

    @property
    def different(self) -> int:
        """How many there are, without repeats."""
        return len(self._seen)

    def take(self, openings: Sequence[Moves]) -> None:
        """Counts some more."""
        for moves in openings:
            if moves not in self._classes:
                self._classes[moves] = self._symmetries.canonical(position_after(self._game, moves))
            self._seen.add(self._classes[moves])
        self.total += len(openings)


def openings(
    text: str, game: Game, seed: str, *, read: Callable[[str], Iterable[str]], balanced: Balanced | None = None
) -> Openings:
    """The openings that `text` describes; `read` gives the lines of a file. Raises OpeningsError."""
    kind, _colon, options = text.strip().partition(":")
    rng = random.Random(f"{seed}:openings")
    if kind == "none":
        return Openings(repeat(()))
    if kind == "two-ply":
        starts = two_ply(game)
        rng.shuffle(starts)
        return Openings(cycle(starts or [()]))
    if kind == "random":
        return Openings(_random(game, _plies(options), rng, balanced))
    return Openings(cycle(listed(game, read(text.strip()))))


def usual_plies(game: Game, least: int) -> int:
    """The fewest random moves that lead to `least` different positions, or to the most; a third of a game at most.

    Fewest, since each random move may be a mistake, and an opening with mistakes favours a side.
    """
    symmetries = Symmetries(game)
    level, most, best = [game.start()], 0, 1
    for plies in range(1, max(1, min(game.usual // 3, MAX_PLIES)) + 1):
        found: dict[str, Position] = {}
        for reached in (position.play(move) for position in level for move in position.legal_moves()):
            if reached.outcome() is None:
                found.setdefault(symmetries.canonical(reached), reached)
                if len(found) == least:
                    return plies
        if len(found) > most:
            most, best = len(found), plies
        level = list(found.values())
    return best


def two_ply(game: Game) -> list[Moves]:
    """Every opening of two moves that leaves a game to play, one for each class of symmetric positions."""
    found: dict[str, Moves] = {}
    symmetries = Symmetries(game)
    start = game.start()
    for first in start.legal_moves():
        for second in start.play(first).legal_moves():
            position = start.play(first).play(second)
            if position.outcome() is None:
                found.setdefault(symmetries.canonical(position), (first, second))
    return list(found.values())


def listed(game: Game, lines: Iterable[str]) -> list[Moves]:
    """The openings of a file. Raises OpeningsError with the line that is wrong."""
    found: list[Moves] = []
    for number, line in enumerate(lines, 1):
        text = line.partition("#")[0].strip()
        if not text:
            continue
        try:
            moves = game.parse_transcript(text)
        except GameError as error:
            raise OpeningsError(_line(number, error)) from error
        if position_after(game, moves).outcome() is not None:
            raise OpeningsError(_("Line {line}: this game is over, so it is no opening.").format(line=number))
        found.append(moves)
    if not found:
        raise OpeningsError(_("There is no opening in the file: write a transcript on each line."))
    return found


def _line(number: int, error: GameError) -> str:
    if isinstance(error, RulesError):
        return _("Line {line}: {reason}.").format(line=number, reason=phrase(error.phrase))
    assert isinstance(error, IllegalMove)
    return _("Line {line}: {move} can't be played there.").format(line=number, move=error.move)


def _plies(options: str) -> int:
    name, _equals, value = options.partition("=")
    if name.strip() != "plies" or not value.strip().isdecimal() or not 1 <= int(value) <= MAX_PLIES:
        raise OpeningsError(
            _("Openings are none, two-ply, random:plies=N with N from 1 to {most}, or a file.").format(most=MAX_PLIES)
        )
    return int(value)


def _random(game: Game, plies: int, rng: random.Random, balanced: Balanced | None) -> Iterator[Moves]:
    symmetries = Symmetries(game)
    known: set[str] = set()
    refused: set[str] = set()
    while True:
        for _try in range(_TRIES):
            moves = _walk(game, plies, rng)
            position = position_after(game, moves)
            key = symmetries.canonical(position)
            if position.outcome() is not None or key in known or key in refused:
                continue
            if balanced is None or balanced(position):
                break
            refused.add(key)
        else:
            if not known:
                raise OpeningsError(
                    _("No balanced opening of {plies} moves was found; choose another number.").format(plies=plies)
                )
            known.clear()
            continue
        known.add(key)
        yield moves


def _walk(game: Game, plies: int, rng: random.Random) -> Moves:
    position, moves = game.start(), []
    for _ply in range(plies):
        legal = position.legal_moves()
        if not legal:
            break
        moves.append(rng.choice(legal))
        position = position.play(moves[-1])
    return tuple(moves)


class Symmetries:
    """The turns and reflections of the board that the rules don't notice, found by asking the rules."""

    def __init__(self, game: Game) -> None:
        self._game = game
        square = game.width == game.height
        turns = [turn for turn in (_TURNS if square else _TURNS[:4]) if self._holds(turn)]
        self._maps = [self._map(turn) for turn in turns]

    def canonical(self, position: Position) -> str:
        """One text for all positions that are symmetric to each other."""
        cells, _space, mover = position.notation.partition(" ")
        return f"{min(''.join(map(cells.__getitem__, source)) for source in self._maps)} {mover}"

    def _map(self, turn: Turn) -> list[int]:
        """For each cell of the turned board, which cell comes there."""
        width, height = self._game.width, self._game.height

        def place(index: int) -> int:
            x, y = turn(index % width, index // width, width - 1, height - 1)
            return y * width + x

        return sorted(range(width * height), key=place)

    def _turned(self, position: Position, turn: Turn) -> str:
        cells, _space, mover = position.notation.partition(" ")
        return f"{''.join(map(cells.__getitem__, self._map(turn)))} {mover}"

    def _holds(self, turn: Turn) -> bool:
        """Whether the turned start is a position, with the turned moves for its moves."""
        start = self._game.start()
        try:
            turned = self._game.position(self._turned(start, turn))
        except GameError:
            return False
        right, low = self._game.width - 1, self._game.height - 1
        cells = self._game.move_cells
        moved = {tuple(turn(*cell, right, low) for cell in cells(start, move)) for move in start.legal_moves()}
        return moved == {cells(turned, move) for move in turned.legal_moves()}
