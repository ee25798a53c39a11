"""The compiled search for Othello on 8x8 and its memory."""

from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from bots.search import fast_othello_evaluation, fast_othello_memory
from bots.search.fast_othello_board import legal_cells, perft, stable_discs
from bots.search.fast_othello_endgame import at_least
from bots.search.fast_othello_midgame import search_from
from bots.search.machine import Array, address_of
from bots.search.othello_edges import stable_edges
from bots.search.othello_patterns import STAGES, layout, stored_places, stored_weights

__all__ = ["BUCKET_BYTES", "FastOthello", "legal_cells", "perft", "stable", "to_signed"]

BUCKET_BYTES = 64
_WORDS = BUCKET_BYTES // 8


def stable(own: int, other: int) -> int:
    """Discs of `own` that can never be flipped, as far as `fast_othello_board.stable_discs` sees them."""
    edges: Array = np.frombuffer(stable_edges(), dtype=np.int64)
    return int(stable_discs(address_of(edges), to_signed(own), to_signed(other))) & (1 << 64) - 1


def to_signed(mask: int) -> int:
    """The mask of a board as the compiled search takes it: h8 is the sign."""
    return mask - (mask >> 63 << 64)


class FastOthello:
    """One search at a time, with two tables of `2 ** table_bits` buckets of 64 bytes each.

    Masks are those of `games.othello_board`, the seat to move first. All calls but `stop` are for one thread.
    """

    def __init__(self, table_bits: int = 16, weights: Sequence[Sequence[int]] | None = None) -> None:
        self._edges: Array = np.frombuffer(stable_edges(), dtype=np.int64)
        self._endgame = _table(table_bits)
        self._midgame = _table(table_bits)
        self.weights: Array = _shipped_weights() if weights is None else np.array(weights, dtype=np.int16)
        assert self.weights.shape == (STAGES, layout().size)
        self._memory: Array = np.zeros(fast_othello_memory.WORDS, dtype=np.int64)
        self._memory[fast_othello_memory.ENDGAME] = address_of(self._endgame)
        self._memory[fast_othello_memory.MIDGAME] = address_of(self._midgame)
        self._memory[fast_othello_memory.MASK] = (1 << table_bits) - 1
        self._memory[fast_othello_memory.STABLE_EDGES] = address_of(self._edges)
        self._memory[fast_othello_memory.WEIGHTS] = address_of(self.weights)
        self._memory[fast_othello_memory.LIMIT] = fast_othello_memory.UNLIMITED
        self._address = address_of(self._memory)

    @property
    def nodes(self) -> int:
        """The positions searched so far."""
        return int(self._memory[fast_othello_memory.NODES])

    @property
    def selectivity(self) -> int:
        """How far outside the window a shallow value must lie to replace a deep search; 0 if it never may.

        In hundredths of the standard error between both values.
        """
        return int(self._memory[fast_othello_memory.SELECTIVITY])

    @selectivity.setter
    def selectivity(self, hundredths: int) -> None:
        self._memory[fast_othello_memory.SELECTIVITY] = hundredths

    @property
    def stopped(self) -> bool:
        """Whether `stop` was called, or the limit is reached: what a search returns then means nothing."""
        return bool(self.nodes >= self._memory[fast_othello_memory.LIMIT])

    def stop(self) -> None:
        """Ends the search that runs, on whatever thread, within some microseconds."""
        self._memory[fast_othello_memory.STOP] = 1
        self._memory[fast_othello_memory.LIMIT] = fast_othello_memory.AT_ONCE

    def resume(self) -> None:
        """Allows searches again, of as many nodes as they like."""
        self._memory[fast_othello_memory.STOP] = 0
        self.limit(None)

    def limit(self, nodes: int | None) -> None:
        """Stops searches after so many nodes from now on; None for no limit."""
        limit = fast_othello_memory.UNLIMITED if nodes is None else self.nodes + nodes
        self._memory[fast_othello_memory.LIMIT] = limit
        if self._memory[fast_othello_memory.STOP]:  # perhaps just now, by another thread
            self._memory[fast_othello_memory.LIMIT] = fast_othello_memory.AT_ONCE

    def forget(self) -> None:
        """Empties the tables and counts nodes from 0."""
        self._endgame[:] = 0
        self._midgame[:] = 0
        self._memory[fast_othello_memory.NODES] = 0

    def at_least(self, own: int, other: int, alpha: int) -> int:
        """A bound on the final score (discs), on the side of `alpha` where it lies."""
        empties = 64 - own.bit_count() - other.bit_count()
        return int(at_least(self._address, to_signed(own), to_signed(other), alpha, empties))

    def search(self, own: int, other: int, depth: int, alpha: int, beta: int) -> int:
        """The value (hundredths of a disc) after `depth` plies within (alpha, beta), else a bound on that side."""
        return int(search_from(self._address, to_signed(own), to_signed(other), depth, alpha, beta))

    def best_reply(self, own: int, other: int) -> int:
        """The cell that the tables hold as the best move of a position, 64 for none."""
        for table in (fast_othello_memory.MIDGAME, fast_othello_memory.ENDGAME):
            data = fast_othello_memory.find(self._address, table, to_signed(own), to_signed(other))
            if data:
                return int(fast_othello_memory.move_of(data))
        return fast_othello_memory.NO_CELL

    def features(self, own: int, other: int) -> Array:
        """The numbers that the patterns of a position make; see `othello_patterns`."""
        found: Array = np.zeros(fast_othello_memory.FEATURE_WORDS, dtype=np.int64)
        fast_othello_evaluation.count_features(address_of(found), to_signed(own), to_signed(other))
        return found.view(np.int16)[: len(layout().features)]


@lru_cache(maxsize=1)
def _shipped_weights() -> Array:
    """The weights of `othello_patterns`, a row for each stage; every engine reads the same."""
    packed: Array = np.frombuffer(stored_weights(), dtype=np.int16).reshape(STAGES, -1)
    return np.ascontiguousarray(packed[:, np.frombuffer(stored_places(), dtype=np.intc)])


def _table(bits: int) -> Array:
    """A table of `2 ** bits` buckets that begins at the beginning of a cache line; untouched memory costs nothing."""
    words: Array = np.zeros(_WORDS * (1 << bits) + _WORDS, dtype=np.int64)
    skipped = -address_of(words) % BUCKET_BYTES // 8
    return words[skipped : skipped + _WORDS * (1 << bits)]


_shipped_weights()  # now, and not when the first match begins: it takes a fifth of a second
