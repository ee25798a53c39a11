"""Which positions people are playing now, so that nobody gets a review, or a tree, of them. Pure.

A player could ask about the game so far, about a position a few moves later, or about its mirror image. So a request is
refused if it passes a position that contains the board of a running match and at most AHEAD moves more. It is also
refused if it ends at most BEHIND moves before that board, since the best line would lead to it. Boards are compared as
sets of taken cells, under every symmetry of the game. Where pieces move, and so empty cells again, boards are alike
that differ in no more cells than those few moves may have changed: each as many as the widest move of the line that is
asked for, and of the matches that are played. This refuses a little more than it has to.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from operator import itemgetter
from string import ascii_letters, digits
from typing import Final, NamedTuple

from games import Game, Position, parse
from games.frame import signs_of
from protocol.errors import ErrorCode, ProtocolError
from server.referee.sessions import Session
from server.referee.table import Table

AHEAD: Final = 3
"""A position resembles that of a running match if it has at most so many moves more."""

BEHIND: Final = 2
"""A game is refused, too, if it ends at most so many moves before that position."""

LEAST_PLY: Final = 4
"""All games share their first moves, so before this ply only the players of a match are refused."""

Permutation = tuple[int, ...]
"""For each cell, rows from the top, the number of the cell that it becomes."""

Board = tuple[str, int, int]
"""What is played, and on how large a board: other options change what a position is worth, or change nothing."""

STEP: Final = 2
"""Cells that a move changes which leads from one to another; one that captures in passing changes more."""

_IS_TAKEN: Final = {ord("-"): "0", **dict.fromkeys(map(ord, ascii_letters + digits), "1")}


class _Standing(NamedTuple):
    """Where a match stands: `taken` are the cells that are taken, as bits."""

    board: Board
    position: Position
    ply: int
    taken: int

    def like(self, _taken: int, _most: int) -> tuple[int]:
        """Like `_LookalikeIndex.like`, for a single board."""
        return (self.taken,)


class _LookalikeIndex:
    """The boards of one kind of game at one ply, indexed to find those that differ from a board in a few cells.

    The cells are divided into more parts than there are cells that may differ, so two similar boards are equal in at
    least one part. Where moves change so many cells that this fails, all boards are looked at.
    """

    def __init__(self, parts: Sequence[int]) -> None:
        self._parts = parts
        self._counts: Counter[int] = Counter()
        self._by_part: dict[tuple[int, int], set[int]] = {}

    def __bool__(self) -> bool:
        return bool(self._counts)

    def add(self, taken: int) -> None:
        """One more match has this board."""
        self._counts[taken] += 1
        for part in self._parts:
            self._by_part.setdefault((part, taken & part), set()).add(taken)

    def remove(self, taken: int) -> None:
        """One match fewer has this board."""
        self._counts[taken] -= 1
        if self._counts[taken]:
            return
        del self._counts[taken]
        for key in [(part, taken & part) for part in self._parts]:
            self._by_part[key].discard(taken)
            if not self._by_part[key]:
                del self._by_part[key]

    def like(self, taken: int, most: int) -> Iterable[int]:
        """All boards that may differ in at most so many cells, and some that differ in more."""
        if most >= len(self._parts):
            return self._counts
        return set[int]().union(*(self._by_part.get((part, taken & part), ()) for part in self._parts))


class Concealed:
    """The current boards of all matches in which a person has a seat, by kind of game and by ply.

    They are updated with every move, so the cost of a check hardly depends on how many people play.
    """

    def __init__(self) -> None:
        self._matches: dict[str, _Standing] = {}
        self._boards: dict[Board, dict[int, _LookalikeIndex]] = {}
        self._widest: dict[Board, int] = {}

    def enter(self, table: Table) -> None:
        """Somebody has sat down, or a match goes on after a restart."""
        if table.has_person():
            self._keep(table)

    def moved(self, table: Table) -> None:
        """The position may have changed."""
        before = self._matches.get(table.match.id)
        if before is not None and before.position is not table.match.position:
            self._keep(table)

    def _keep(self, table: Table) -> None:
        match = table.match
        before = self._matches.get(match.id)
        now = _Standing(_board(match.game), match.position, match.ply, occupied(match.position))
        self._matches[match.id] = now
        by_ply = self._boards.setdefault(now.board, {})
        if now.ply not in by_ply:
            by_ply[now.ply] = _LookalikeIndex(parts_of(match.game.spec))
        by_ply[now.ply].add(now.taken)
        if before is not None:
            self._remove(before)
            if now.ply == before.ply + 1:
                changed = (before.taken ^ now.taken).bit_count()
                self._widest[now.board] = max(changed, self._widest.get(now.board, STEP))

    def leave(self, table: Table) -> None:
        """A match is over."""
        known = self._matches.pop(table.match.id, None)
        if known is not None:
            self._remove(known)

    def _remove(self, known: _Standing) -> None:
        by_ply = self._boards[known.board]
        by_ply[known.ply].remove(known.taken)
        if not by_ply[known.ply]:
            del by_ply[known.ply]
        if not by_ply:
            del self._boards[known.board]
            self._widest.pop(known.board, None)

    def check(self, session: Session, game: Game, path: Sequence[Position]) -> None:
        """Raises ProtocolError(being_played) if `session` may not know what is thought of `path`, start included."""
        if self.is_played(game, path) or self.is_own(session, game, path):
            raise _being_played()

    def check_end(self, session: Session, game: Game, path: Sequence[Position]) -> None:
        """The same of the end of `path` alone: from there on somebody else plays."""
        least = max(1, len(path) - 1 - AHEAD)
        if self.is_played(game, path, least) or self.is_own(session, game, path, least):
            raise _being_played()

    def is_played(self, game: Game, path: Sequence[Position], least: int = 0) -> bool:
        """Whether `path` leads past the position of a match that people play, `least` moves long or more."""
        board = _board(game)
        by_ply, asked = self._boards.get(board, {}), _Asked(game, path, self._widest.get(board, STEP))
        plies = range(max(LEAST_PLY, least), len(path) + BEHIND)
        return any(asked.meets(ply, by_ply[ply].like) for ply in plies if ply in by_ply)

    def is_own(self, session: Session, game: Game, path: Sequence[Position], least: int = 1) -> bool:
        """The same of a match in which `session` sits, from its first move on."""
        board = _board(game)
        asked = _Asked(game, path, self._widest.get(board, STEP))
        own = (self._matches.get(match) for match in session.playing)
        return any(one.ply >= least and one.board == board and asked.meets(one.ply, one.like) for one in own if one)


class _Asked:
    """A path that somebody asks for: the taken cells of its positions, under each symmetry, found out when needed.

    widest: the most cells that a move of the matches of this kind has changed.
    """

    def __init__(self, game: Game, path: Sequence[Position], widest: int) -> None:
        self._game = game
        self._path = path
        self._widest = widest
        self._moves_pieces = moves_pieces(game.spec)
        if self._moves_pieces:
            boards = [occupied(position) for position in path]
            self._widest = max(widest, *((one ^ next_one).bit_count() for one, next_one in pairwise(boards)), 0)
        self._images: dict[int, tuple[int, ...]] = {}

    def meets(self, ply: int, played: Callable[[int, int], Iterable[int]]) -> bool:
        """Whether the path leads past a board that stands after `ply` moves.

        played: finds the boards that may differ from one in at most so many cells.
        """
        last = len(self._path) - 1
        if ply > last + BEHIND:
            return False
        near = (last,) if ply > last else range(ply, min(ply + AHEAD, last) + 1)
        if self._moves_pieces:
            images = [(image, self._widest * abs(at - ply)) for at in near for image in self._of(at)]
            return any((image ^ taken).bit_count() <= most for image, most in images for taken in played(image, most))
        if ply > last:
            return any(image & taken == image for image in self._of(last) for taken in played(image, AHEAD))
        # each move adds a piece, and pieces stay: the last of these positions contains the others
        return any(image & taken == taken for image in self._of(near[-1]) for taken in played(image, AHEAD))

    def _of(self, ply: int) -> tuple[int, ...]:
        known = self._images.get(ply)
        if known is None:
            known = self._images[ply] = images_of(self._game, self._path[ply])
        return known


def _being_played() -> ProtocolError:
    return ProtocolError(ErrorCode.BEING_PLAYED, "this position is being played: ask again when the game is over")


def _board(game: Game) -> Board:
    return game.id, game.width, game.height


def occupied(position: Position) -> int:
    """The cells that are taken, as bits: rows from the top, columns from the left."""
    return _as_bits(signs_of(position))


def images_of(game: Game, position: Position) -> tuple[int, ...]:
    """The same under each symmetry of the game."""
    cells = signs_of(position)
    return tuple({_as_bits("".join(turned(cells))) for turned in _turns_of(game.spec)})


def _as_bits(cells: str) -> int:
    return int(cells[::-1].translate(_IS_TAKEN), 2)


def _cells(game: Game) -> Iterator[tuple[int, int]]:
    return ((x, y) for y in range(game.height) for x in range(game.width))


def hands_of(game: Game) -> set[tuple[tuple[int, int], ...]]:
    """The cells of each first move."""
    start = game.start()
    return {game.move_cells(start, move) for move in start.legal_moves()}


@lru_cache(maxsize=64)
def moves_pieces(spec: str) -> bool:
    """Whether moves lead from one cell to another."""
    return any(len(hand) > 1 for hand in hands_of(parse(spec)))


@lru_cache(maxsize=64)
def _turns_of(spec: str) -> tuple[Callable[[str], tuple[str, ...]], ...]:
    """For each symmetry, a function that reorders the cells of a board, either way: its inverse is among them."""
    return tuple(itemgetter(*cells) for cells in symmetries(spec))


@lru_cache(maxsize=64)
def parts_of(spec: str) -> tuple[int, ...]:
    """Disjoint sets of cells, one more than cells differ in boards that are alike, as bits."""
    game = parse(spec)
    count = (STEP * AHEAD if moves_pieces(spec) else AHEAD) + 1
    parts = [0] * count
    for x, y in _cells(game):
        parts[(x + 2 * y) % count] |= 1 << (y * game.width + x)
    return tuple(parts)


@lru_cache(maxsize=64)
def symmetries(spec: str) -> tuple[Permutation, ...]:
    """The turns and mirror images of the board that keep the start of a game: who stands where, and what may move."""
    game = parse(spec)
    width, height = game.width, game.height
    holds = dict(zip(_cells(game), signs_of(game.start()), strict=True))
    hands = hands_of(game)
    kept: list[Permutation] = []
    for turn in _turns(width, height):
        same = all(holds[turn(x, y)] == sign for (x, y), sign in holds.items())
        if same and {tuple(turn(x, y) for x, y in hand) for hand in hands} == hands:
            images = (turn(x, y) for x, y in _cells(game))
            kept.append(tuple(y * width + x for x, y in images))
    return tuple(kept)


Turn = Callable[[int, int], tuple[int, int]]


def _turns(width: int, height: int) -> Iterator[Turn]:
    """The eight of a square board, the four of another."""
    right, low = width - 1, height - 1
    yield lambda x, y: (x, y)
    yield lambda x, y: (right - x, y)
    yield lambda x, y: (x, low - y)
    yield lambda x, y: (right - x, low - y)
    if width == height:
        yield lambda x, y: (y, x)
        yield lambda x, y: (right - y, x)
        yield lambda x, y: (y, low - x)
        yield lambda x, y: (right - y, low - x)
