"""Finds wins that are forced by threats in line games without gravity (morpion, m,n,k), and the defence against them.

In a win by fours (a Gomoku term, for k = 5), every move threatens to complete a line, so that each reply is forced,
until a move threatens two lines at once. A win by threats also has moves that only threaten to begin a win by fours; we
try all replies to such a move. So wins of both kinds are proven. L. V. Allis, H. J. van den Herik and M. P. H.
Huntjens, "Go-Moku and Threat-Space Search" (1993), show that such wins can be searched for separately, and that they
decide the game of five in a line.

Masks are those of `kernels`. `fast_threats` is the compiled search; the plain search is its reference, and replaces it
without numba.
"""

import random
from collections.abc import Iterable
from typing import Any, Protocol

from bots.search import compiled
from bots.search.evaluation import line_worth
from bots.search.kernels import LineKernel, bits_in
from games.morpion import Morpion

NAME = "threats"
"""The name of the compiled search in `compiled.COMPILED`."""

_TABLE_BITS = 16
ENDLESS = 1 << 62
"""More positions than any search enters: no limit."""


class Threats(Protocol):
    """Finds forced wins. Any thread may call `stop`; after it, the answer is always that there is no win."""

    @property
    def nodes(self) -> int: ...  # noqa: D102
    @property
    def stopped(self) -> bool:
        """Whether it was stopped, or has entered as many positions as it may."""
        ...

    def stop(self) -> None:
        """Ends a running search; later ones end at once."""
        ...

    def resume(self) -> None:
        """Takes `stop` back."""
        ...

    def allow(self, nodes: int = ENDLESS) -> None:
        """Lets it enter `nodes` positions from now on."""
        ...

    def winning(self, own: int, other: int, depth: int) -> int:
        """The first move of a forced win of `own`, who moves; 0 if none is found.

        depth: how many moves in a line of play may be no fours.
        """
        ...

    def safe(self, own: int, other: int, depth: int, moves: Iterable[int]) -> list[int]:
        """Those of `moves` after which the opponent has no such win."""
        ...


class PlainThreats:
    """The search in plain Python; see Threats."""

    def __init__(self, game: Morpion) -> None:
        self._kernel = LineKernel(game)
        self._limit = ENDLESS
        self._stopped = False
        self.nodes = 0

    @property
    def stopped(self) -> bool:
        """See Threats."""
        return self._stopped or self.nodes >= self._limit

    def stop(self) -> None:
        """See Threats."""
        self._stopped = True

    def resume(self) -> None:
        """See Threats."""
        self._stopped = False

    def allow(self, nodes: int = ENDLESS) -> None:
        """See Threats."""
        self._limit = self.nodes + nodes

    def winning(self, own: int, other: int, depth: int) -> int:
        """See Threats."""
        found = self._by_fours(own, other)
        legal = self._kernel.legal(own, other)
        dangers = self._kernel.winning(other, legal)
        if found or depth == 0 or dangers & dangers - 1:
            return found
        for bit in bits_in(dangers or legal, self._kernel.groups):
            if self._by_fours(own | bit, other) and all(
                self.winning(own | bit, other | reply, depth - 1) for reply in bits_in(legal ^ bit, self._kernel.groups)
            ):
                return 0 if self.stopped else bit
        return 0

    def safe(self, own: int, other: int, depth: int, moves: Iterable[int]) -> list[int]:
        """See Threats."""
        return [bit for bit in moves if not self.winning(other, own | bit, depth)]

    def _by_fours(self, own: int, other: int) -> int:
        self.nodes += 1
        if self.stopped:
            return 0
        kernel = self._kernel
        legal = kernel.legal(own, other)
        if wins := kernel.winning(own, legal):
            return wins & -wins
        dangers = kernel.winning(other, legal)
        if dangers & dangers - 1:
            return 0
        for bit in bits_in(dangers or legal, kernel.groups):
            replies = kernel.winning(own | bit, legal ^ bit)
            if replies & replies - 1 or (replies and self._by_fours(own | bit, other | replies)):
                return bit
        return 0


class FastThreats(compiled.Memory):
    """`fast_threats` with its memory; see Threats. It also has a search that evaluates open lines.

    win: the value of a won game in that search, before the plies that it takes are subtracted.
    """

    def __init__(self, game: Morpion, fast: Any) -> None:
        from bots.search.machine import address_of, allocate

        self._fast = fast
        self.win = int(fast.WIN)
        self._bits = list(game.board.grid.places)
        self._cell = {bit: cell for cell, bit in enumerate(self._bits)}
        self._table = allocate(1 << _TABLE_BITS)
        words = allocate(fast.MEMORY)
        super().__init__(words)
        self._memory = address_of(words)
        lines = _lines(game)
        words[fast.LIMIT : fast.SLOTS + 1] = (
            *(ENDLESS, game.k, len(self._bits), len(lines), 1, address_of(self._table), (1 << _TABLE_BITS) - 1),
        )
        chance, keys = random.Random(0), 2 * len(self._bits)
        words[fast.KEYS : fast.KEYS + keys] = [chance.getrandbits(64) for _ in range(keys)]
        words[fast.WORTH : fast.WORTH + game.k + 1] = [line_worth(count, game.k) for count in range(game.k + 1)]
        for number, line in enumerate(lines):
            for place, bit in enumerate(line):
                cell = self._cell[bit]
                words[fast.LINE_CELLS + fast.LONGEST * number + place] = cell
                meeting = int(words[fast.MEETING + cell])
                words[fast.CELL_LINES + fast.MOST_MEETING * cell + meeting] = number
                words[fast.MEETING + cell] = meeting + 1

    @property
    def stopped(self) -> bool:
        """See Threats."""
        return bool(self._fast.is_over(self._memory))

    def stop(self) -> None:
        """See Threats."""
        self.set_stopped(stopped=True)

    def resume(self) -> None:
        """See Threats."""
        self.set_stopped(stopped=False)

    def allow(self, nodes: int = ENDLESS) -> None:
        """See Threats."""
        self.words[self._fast.LIMIT] = self.nodes + nodes

    def winning(self, own: int, other: int, depth: int) -> int:
        """See Threats."""
        self._set_up(own, other)
        return self._bit_of(self._fast.by_threats(self._memory, depth))

    def safe(self, own: int, other: int, depth: int, moves: Iterable[int]) -> list[int]:
        """See Threats."""
        self._set_up(other, own)
        return [bit for bit in moves if not self._loses(self._cell[bit], depth)]

    def worth(self, own: int, other: int) -> int:
        """The evaluation of the lines for `own`."""
        self._set_up(own, other)
        return int(self.words[self._fast.SCORE : self._fast.SCORE + 1].view("int64")[0])

    def values(self, own: int, other: int, depth: int, moves: Iterable[int]) -> dict[int, int]:
        """The value of each of `moves` for `own` after `depth` plies: exact for the best, bounds for those after it.

        If the search is stopped, only moves that it has finished have a value.
        """
        self._set_up(own, other)
        values: dict[int, int] = {}
        best = -self._fast.WIN
        for bit in moves:
            cell = self._cell[bit]
            self._fast.put(self._memory, cell, 0)
            value = -int(self._fast.search(self._memory, 1, 1, depth - 1, -self._fast.WIN, -best))
            self._fast.take(self._memory, cell, 0)
            if self.stopped:
                break
            values[bit] = value
            best = max(best, value)
        return values

    def _loses(self, cell: int, depth: int) -> bool:
        self._fast.put(self._memory, cell, 1)
        found = self._fast.by_threats(self._memory, depth)
        self._fast.take(self._memory, cell, 1)
        return bool(found >= 0)

    def _set_up(self, own: int, other: int) -> None:
        fast, words = self._fast, self.words
        words[fast.KEY], words[fast.SCORE] = 1, 0
        words[fast.BOARD : fast.BOARD + len(self._bits)] = 0
        words[fast.COUNTS : fast.LINE_CELLS] = 0
        for side, mask in enumerate((own, other)):
            for bit in bits_in(mask, (mask,)):
                fast.put(self._memory, self._cell[bit], side)

    def _bit_of(self, cell: int) -> int:
        return self._bits[cell] if cell >= 0 else 0


def _lines(game: Morpion) -> list[list[int]]:
    """The bits of each line of k cells."""
    lines = []
    for direction in game.board.lines.directions:
        for bit in game.board.grid.places:
            line = [bit << step * direction for step in range(game.k)]
            if all(each & game.board.full for each in line):
                lines.append(line)
    return lines


def make_threats(game: Morpion) -> PlainThreats | FastThreats:
    """The compiled search; the plain one without numba."""
    fast = compiled.load(NAME)
    return PlainThreats(game) if fast is None else FastThreats(game, fast)
