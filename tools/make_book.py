"""Makes the opening book of Puissance 4: python3 -m tools.make_book JOURNAL [--plies 8] [--megabytes 2048].

Every position that the perfect player can meet at its own turn is solved, first as the first player, then as the
second: its own moves are those of the book, its opponent's are all that there are. Mirror images are one position. What
is solved is appended to JOURNAL at once, so it can be killed and started again; at the end, and with --write-now, the
book is written from the journal. Layers go by plies, the two players in turn, so that half a book is of use.

It took 1 to 2 CPU seconds a position; the estimate is printed as it goes.
"""

import argparse
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from bots.search.book import PATH, PLIES, key_of, pack, write
from bots.search.puissance4 import Puissance4Solver, make_solver
from games.puissance4 import Puissance4, Puissance4Position

Book = dict[int, tuple[str, int]]
"""Key -> (move, score) in the image that gave the key."""

_MIRRORED_MOVE = {str(x): str(8 - x) for x in range(1, 8)}


def read_journal(path: Path) -> Book:
    """What is solved already; a last line that was cut off does not count."""
    if not path.exists():
        return {}
    lines = (line.split() for line in path.read_text(encoding="ascii").splitlines(keepends=False))
    return {int(words[0]): (words[1], int(words[2])) for words in lines if len(words) == 4}


def replies(positions: Iterable[Puissance4Position]) -> Iterator[Puissance4Position]:
    """Each position that one move leads to and that is not over, once with its mirror image."""
    seen = set[int]()
    for position in positions:
        for move in position.legal_moves():
            after = position.play(move)
            if after.outcome() is None and key_of(after)[0] not in seen:
                seen.add(key_of(after)[0])
                yield after


def answer(position: Puissance4Position, book: Book) -> Puissance4Position:
    """The position after the move of the book."""
    key, mirrored = key_of(position)
    move = book[key][0]
    return position.play(_MIRRORED_MOVE[move] if mirrored else move)


def solve_layer(layer: Sequence[Puissance4Position], book: Book, solver: Puissance4Solver, journal: Path) -> None:
    """Solves what the book does not have yet; says how long the rest will take."""
    began = time.process_time()
    todo = [position for position in layer if key_of(position)[0] not in book]
    for solved, position in enumerate(todo, 1):
        found = solver.best(position)
        key, mirrored = key_of(position)
        move = _MIRRORED_MOVE[found.move] if mirrored else found.move
        book[key] = move, found.score
        with journal.open("a", encoding="ascii") as stream:
            stream.write(f"{key} {move} {found.score} .\n")
        if solved % 10 == 0 or solved == len(todo):
            each = (time.process_time() - began) / solved
            left = f"{solved} of {len(todo)}, {each:.2f} s each, {each * (len(todo) - solved) / 60:.1f} min left"
            sys.stderr.write(f"  {left} in this layer\n")


def make(book: Book, solver: Puissance4Solver, journal: Path, plies: int) -> None:
    """Solves layer by layer: plies 0, 1, 2 ... belong to the first and the second player in turn."""
    start = Puissance4().start()
    layers = [[start], list(replies([start]))]
    for ply in range(plies + 1):
        layer = layers[ply]
        sys.stderr.write(f"ply {ply}: {len(layer)} positions\n")
        solve_layer(layer, book, solver, journal)
        layers.append(list(replies(answer(position, book) for position in layer)))


def main(arguments: Sequence[str]) -> None:
    """Reads the journal, goes on, writes the book."""
    parser = argparse.ArgumentParser(prog="python3 -m tools.make_book", description=__doc__)
    parser.add_argument("journal", type=Path)
    parser.add_argument("--plies", type=int, default=PLIES)
    parser.add_argument("--megabytes", type=int, default=2048, help="size of the table")
    parser.add_argument("--write-now", action="store_true", help="write the book from the journal and stop")
    options = parser.parse_args(arguments)
    book = read_journal(options.journal)
    if not options.write_now:
        make(book, make_solver(Puissance4(), options.megabytes), options.journal, options.plies)
    write([pack(key, mirrored=False, move=move, score=score) for key, (move, score) in book.items()])
    sys.stderr.write(f"{PATH}: {len(book)} positions\n")


if __name__ == "__main__":
    main(sys.argv[1:])
