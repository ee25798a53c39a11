"""Which positions people are playing now, so that nobody who plays, or sits beside, gets a review of them. Pure.

A position is refused to its players, and to whoever comes from an address from which somebody plays: another tab, or a
friend in the same room. Elsewhere anybody may ask, as they may ask a program of their own: otherwise a refusal would
tell strangers where a private match stands, and two who rest in a common position would keep it from everybody. Beside
a match that not everybody may see, so few refusals tell where it stands; then all of its kind of game is refused.

A player could ask about the game so far, about a position a few moves later, or about its mirror image. So a request is
refused if it passes a position that contains the board of a running match and at most AHEAD moves more. It is also
refused if it ends at most BEHIND moves before that board, since the best line would lead to it. Boards are compared as
sets of taken cells, under every symmetry of the game. Where pieces move, and so empty cells again, boards are alike
that differ in no more cells than those few moves may have changed: each as many as the widest move of the line that is
asked for, and of the matches that are played. This refuses a little more than it has to.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from operator import itemgetter
from string import ascii_letters, digits
from typing import Final

from games import Game, Position, parse
from games.frame import signs_of
from protocol.errors import ErrorCode, ProtocolError
from server.referee.measurements import Measurements
from server.referee.sessions import Session
from server.referee.table import Table

AHEAD: Final = 3
"""A position resembles that of a running match if it has at most so many moves more."""

BEHIND: Final = 2
"""A game is refused, too, if it ends at most so many moves before that position."""

LEAST_PLY: Final = 4
"""All games share their first moves, so before this ply only the players of a match are refused."""

RESTING_SECONDS: Final = 1_200.0
"""Where a match stands so long, only its players are refused: two who rest there keep nobody else from asking."""

MOST_GIVEN_AWAY: Final = 2
"""Of a private match, or one that is shown late, refusals tell at most so many positions."""

MOST_ORIGINS: Final = 4
"""Addresses that are kept of a match: players may change theirs, but not without end."""

Permutation = tuple[int, ...]
"""For each cell, rows from the top, the number of the cell that it becomes."""

Board = tuple[str, int, int]
"""What is played, and on how large a board: other options change what a position is worth, or change nothing."""

STEP: Final = 2
"""Cells that are changed by a move from one cell to another; a capture in passing changes more."""

_IS_TAKEN: Final = {ord("-"): "0", **dict.fromkeys(map(ord, ascii_letters + digits), "1")}


class Line:
    """Positions that follow one another, about which somebody asks: the start, and one after each move.

    The taken cells of each, under each symmetry, are found out when they are needed.
    """

    def __init__(self, game: Game, path: Sequence[Position]) -> None:
        self.board: Board = game.id, game.width, game.height
        self.last = len(path) - 1
        self._game = game
        self._path = path
        self._moves_pieces = moves_pieces(game.spec)
        self._widest = 0
        if self._moves_pieces:
            boards = [occupied(position) for position in path]
            self._widest = max((0, *(_differ(one, after) for one, after in pairwise(boards))))
        self._images: dict[int, tuple[int, ...]] = {}

    def meets(self, ply: int, widest: int, like: Callable[[int, int], Iterable[int]]) -> set[int]:
        """Which of the boards that stand after `ply` moves it leads past.

        widest: the most cells that a move of their matches has changed.
        like: finds the boards that may differ from one in at most so many cells.
        """
        last = self.last
        if ply > last + BEHIND:
            return set()
        near = (last,) if ply > last else range(ply, min(ply + AHEAD, last) + 1)
        if self._moves_pieces:
            most_a_move = max(widest, self._widest)
            images = [(image, most_a_move * abs(at - ply)) for at in near for image in self._of(at)]
            return {taken for image, most in images for taken in like(image, most) if _differ(image, taken) <= most}
        if ply > last:
            return {taken for image in self._of(last) for taken in like(image, AHEAD) if image & taken == image}
        # each move adds a piece, and pieces stay: the last of these positions contains the others
        return {taken for image in self._of(near[-1]) for taken in like(image, AHEAD) if image & taken == taken}

    def _of(self, ply: int) -> tuple[int, ...]:
        known = self._images.get(ply)
        if known is None:
            known = self._images[ply] = images_of(self._game, self._path[ply])
        return known


class _KnownMatch:
    """A match, and where it stands: `taken` are the cells that are taken, as bits, and `since` is when it came there.

    origins: the addresses that its players have come from, the last few.
    given_away: after how many moves somebody who may not see the match was told where it stands.
    """

    __slots__ = ("board", "given_away", "origins", "ply", "position", "since", "table", "taken")

    def __init__(self, table: Table, now: float) -> None:
        match = table.match
        self.table = table
        self.board: Board = match.game.id, match.game.width, match.game.height
        self.origins: tuple[str | None, ...] = ()
        self.given_away: set[int] = set()
        self.stand(now)

    def stand(self, now: float) -> None:
        """Takes over where the match stands now."""
        match = self.table.match
        self.position = match.position
        self.ply = match.ply
        self.taken = occupied(match.position)
        self.since = now

    def is_hidden(self) -> bool:
        """Whether not everybody may see where the match stands."""
        table = self.table
        return not table.public or (table.late is not None and table.late.holds)

    def is_fresh(self, now: float) -> bool:
        """Whether the match came there lately."""
        return now - self.since < RESTING_SECONDS

    def like(self, _taken: int, _most: int) -> tuple[int]:
        """Like `_LookalikeIndex.like`, for a single board."""
        return (self.taken,)


class _LookalikeIndex:
    """The matches of one kind of game at one ply, indexed to find those whose boards differ from one in a few cells.

    The cells are divided into more parts than there are cells that may differ, so two similar boards are equal in at
    least one part. Where moves change so many cells that this fails, all boards are looked at.
    """

    def __init__(self, parts: Sequence[int]) -> None:
        self._parts = parts
        self._matches: dict[int, set[_KnownMatch]] = {}
        self._by_part: dict[tuple[int, int], set[int]] = {}

    def __bool__(self) -> bool:
        return bool(self._matches)

    def add(self, known: _KnownMatch) -> None:
        """One more match stands here."""
        taken = known.taken
        self._matches.setdefault(taken, set()).add(known)
        for part in self._parts:
            self._by_part.setdefault((part, taken & part), set()).add(taken)

    def remove(self, known: _KnownMatch) -> None:
        """A match stands here no more."""
        taken = known.taken
        self._matches[taken].discard(known)
        if self._matches[taken]:
            return
        del self._matches[taken]
        for key in [(part, taken & part) for part in self._parts]:
            self._by_part[key].discard(taken)
            if not self._by_part[key]:
                del self._by_part[key]

    def like(self, taken: int, most: int) -> Iterable[int]:
        """All boards that may differ in at most so many cells, and some that differ in more."""
        if most >= len(self._parts):
            return self._matches
        return set[int]().union(*(self._by_part.get((part, taken & part), ()) for part in self._parts))

    def at(self, taken: int) -> Iterable[_KnownMatch]:
        """The matches that stand at a board."""
        return self._matches[taken]


class _Neighbours:
    """The matches of one kind of game that somebody plays from one address."""

    __slots__ = ("followed", "plies", "widest")

    def __init__(self) -> None:
        self.plies: dict[int, _LookalikeIndex] = {}
        self.widest = STEP
        self.followed: set[_KnownMatch] = set()

    def add(self, known: _KnownMatch) -> None:
        """A match stands at its board from now on."""
        if known.ply not in self.plies:
            self.plies[known.ply] = _LookalikeIndex(parts_of(known.table.match.game.spec))
        self.plies[known.ply].add(known)

    def remove(self, known: _KnownMatch) -> None:
        """It stands there no more."""
        self.plies[known.ply].remove(known)
        if not self.plies[known.ply]:
            del self.plies[known.ply]

    def met_by(self, line: Line, least: int, now: float) -> list[tuple[int, _KnownMatch]]:
        """The matches that a line leads past and that go on, with the ply at which they stand."""
        met: list[tuple[int, _KnownMatch]] = []
        for ply in range(max(LEAST_PLY, least), line.last + 1 + BEHIND):
            index = self.plies.get(ply)
            for taken in () if index is None else line.meets(ply, self.widest, index.like):
                assert index is not None
                met += [(ply, each) for each in index.at(taken) if each.is_fresh(now)]
        return met


class Concealed:
    """The current boards of all matches in which a person has a seat, by address, by kind of game and by ply.

    They are updated with every move, so the cost of a check hardly depends on how many people play.
    """

    def __init__(self, measured: Measurements) -> None:
        self._measured = measured
        self._matches: dict[str, _KnownMatch] = {}
        self._near: dict[tuple[str | None, Board], _Neighbours] = {}

    def enter(self, table: Table, now: float) -> None:
        """Somebody has sat down, or came back, perhaps from another address, or a match goes on after a restart."""
        known = self._matches.get(table.match.id)
        if known is None and not table.has_person():
            return
        if known is None:
            known = self._matches[table.match.id] = _KnownMatch(table, now)
        here = (player.connection for player in table.sessions.values())
        came = [self._measured.address_of(connection) for connection in here if connection is not None]
        origins = tuple(dict.fromkeys((*came, *known.origins)))[:MOST_ORIGINS]
        self._remove(known)
        self._clean(known)
        known.origins = origins
        self._add(known)

    def moved(self, table: Table, now: float) -> None:
        """The position may have changed."""
        known = self._matches.get(table.match.id)
        if known is None or known.position is table.match.position:
            return
        ply, taken = known.ply, known.taken
        self._remove(known)
        known.stand(now)
        self._add(known)
        if known.ply == ply + 1:
            changed = _differ(taken, known.taken)
            for near in self._around(known):
                near.widest = max(changed, near.widest)

    def leave(self, table: Table) -> None:
        """A match is over."""
        known = self._matches.pop(table.match.id, None)
        if known is not None:
            self._remove(known)
            self._clean(known)

    def _around(self, known: _KnownMatch) -> list[_Neighbours]:
        return [self._near[origin, known.board] for origin in known.origins]

    def _add(self, known: _KnownMatch) -> None:
        for origin in known.origins:
            near = self._near.setdefault((origin, known.board), _Neighbours())
            near.add(known)
            if len(known.given_away) >= MOST_GIVEN_AWAY:
                near.followed.add(known)

    def _remove(self, known: _KnownMatch) -> None:
        for near in self._around(known):
            near.remove(known)

    def _clean(self, known: _KnownMatch) -> None:
        """Nothing is kept of addresses from which nobody plays, and nothing of this match that has left."""
        for origin in known.origins:
            near = self._near[origin, known.board]
            near.followed.discard(known)
            if not near.plies:
                del self._near[origin, known.board]

    def check(self, session: Session, line: Line, now: float) -> None:
        """Raises ProtocolError(being_played) if `session` may not know what is thought of `line`, start included."""
        if self.conceals(session, line, now):
            raise _being_played()

    def check_end(self, session: Session, line: Line, now: float) -> None:
        """The same of the end of `line` alone: from there on somebody else plays."""
        if self.conceals(session, line, now, max(1, line.last - AHEAD)):
            raise _being_played()

    def conceals(self, session: Session, line: Line, now: float, least: int = 0) -> bool:
        """Whether a line leads past the position of a match that `session` or a neighbour plays, `least` moves long.

        A session's own match counts from its first move on, that of a neighbour from LEAST_PLY on.
        """
        own = (self._matches.get(match) for match in session.playing)
        if any(one is not None and self._is_met(one, line, max(1, least)) for one in own):
            return True
        here = None if session.connection is None else self._measured.address_of(session.connection)
        near = self._near.get((here, line.board))
        if near is None:
            return False
        met = near.met_by(line, least, now)
        if all(known.is_hidden() for _, known in met):
            for ply, known in met:
                self._give_away(ply, known)
            return bool(met) or any(each.is_fresh(now) for each in near.followed)
        return True

    def _is_met(self, one: _KnownMatch, line: Line, least: int) -> bool:
        if one.ply < least or one.board != line.board:
            return False
        widest = max((near.widest for near in self._around(one)), default=STEP)
        return bool(line.meets(one.ply, widest, one.like))

    def _give_away(self, ply: int, known: _KnownMatch) -> None:
        """Counts a refusal, which tells where a hidden match stands; after a few its whole kind of game is refused."""
        known.given_away.add(ply)
        if len(known.given_away) >= MOST_GIVEN_AWAY:
            for near in self._around(known):
                near.followed.add(known)


def _being_played() -> ProtocolError:
    return ProtocolError(
        ErrorCode.BEING_PLAYED, "you or a neighbour may be playing this: ask again when the game is over"
    )


def _differ(one: int, other: int) -> int:
    return (one ^ other).bit_count()


def occupied(position: Position) -> int:
    """The cells that are taken, as bits: rows from the top, columns from the left."""
    return _as_bits(signs_of(position))


def images_of(game: Game, position: Position) -> tuple[int, ...]:
    """The taken cells under each symmetry of the game."""
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
