"""Makes the weights of the Othello evaluation from nothing but games that the search plays against itself.

    python -m tools.fit_othello FOLDER [--games 60000] [--generations 2]

A generation plays games (a random opening, then shallow searches with an odd move now and then) with the weights that
there are, and takes positions of all stages out of them. Then, from the end of the game towards its beginning, each
stage is labelled and fitted: up to EXACT empty cells by the exact score, before that by a search of DEPTH plies, whose
leaves lie in stages that were fitted already. The fit is a ridge regression (conjugate gradients on the normal
equations); a stage also learns, with less weight, from its neighbours, and weights that a symmetry makes equal are one.

Everything finished lies in FOLDER, in chunks: stop it and start it again, it goes on where it was. The result is
FOLDER/othello_weights.bin. One core, about 15 minutes of it.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from bots.search.compiled import load
from bots.search.machine import Array, exported
from bots.search.othello_patterns import (
    COUNTS,
    STAGES,
    WEIGHTS,
    layout,
    number,
    pack_weights,
    stage_of,
    touching,
    twins,
)
from games.othello_board import make_board

if TYPE_CHECKING:
    from bots.search.fast_othello import FastOthello

EXACT = 13
DEPTH = 4
RIDGE = 5.0
NEIGHBOUR = 0.7
STEPS = 40
CHUNK = 500
RANDOM_PLIES = range(4, 19)
ODD_MOVE = 0.04
PER_GAME = 4
LABELS = 140_000
GRAIN = 4
"""Positions that a game gives to each stage; LABELS of all of them are used. Weights are multiples of GRAIN hundredths
of a disc: finer ones make the file larger and nothing better.
"""

BOARD = make_board(8)
Masks = tuple[int, int]


def first_weights() -> list[list[int]]:
    """Weights by hand, for the games of the first generation: mobility, corners, the cells beside empty corners."""
    lay = layout()
    stage = [0] * lay.size
    start, length = lay.patterns["corner"]
    for place in range(length):
        cells = [place // 3**cell % 3 - 1 for cell in range(9)]
        corner, c1, c2, x = cells[0], cells[1], cells[3], cells[4]
        stage[start + place] = 900 * corner if corner else -150 * (c1 + c2) - 350 * x
    for name, worth in (("moves", 60), ("replies", -60), ("chances", 15), ("threats", -15)):
        start, length = lay.counts[name]
        for count in range(length):
            stage[start + count] = worth * count
    return [stage] * STAGES


# ------------------------------------------------------------------------------------------------------------- games


def play_game(engine: FastOthello, rng: random.Random) -> list[Masks]:
    """The positions of one game up to the last with a move, as (own, other) of the seat to move."""
    own, other = 1 << 28 | 1 << 35, 1 << 27 | 1 << 36
    opening, seen = rng.choice(RANDOM_PLIES), list[Masks]()
    while True:
        legal = BOARD.legal(own, other)
        if not legal:
            own, other = other, own
            legal = BOARD.legal(own, other)
            if not legal:
                return seen
        seen.append((own, other))
        bits = [1 << cell for cell in range(64) if legal >> cell & 1]
        at_random = len(seen) <= opening or rng.random() < ODD_MOVE
        bit = rng.choice(bits) if at_random else choose(engine, own, other, bits)
        flipped = BOARD.flips(own, other, bit)
        own, other = other ^ flipped, own | bit | flipped


def choose(engine: FastOthello, own: int, other: int, bits: Sequence[int]) -> int:
    """The best move after two plies."""
    best, chosen = -10_000, bits[0]
    for bit in bits:
        flipped = BOARD.flips(own, other, bit)
        value = -engine.search(other ^ flipped, own | bit | flipped, 1, -10_000, -best)
        if value > best:
            best, chosen = value, bit
    return chosen


def play_chunk(engine: FastOthello, rng: random.Random, games: int) -> Array:
    """Positions of `games` games, PER_GAME of each stage, as rows (own, other)."""
    rows: list[Masks] = []
    for _ in range(games):
        stages: dict[int, list[Masks]] = {}
        for own, other in play_game(engine, rng):
            stages.setdefault(stage_of(64 - (own | other).bit_count()), []).append((own, other))
        for positions in stages.values():
            rows += rng.sample(positions, min(PER_GAME, len(positions)))
    return np.array(rows, dtype=np.uint64)


# ------------------------------------------------------------------------------------------------------------ labels


def label(engine: FastOthello, own: int, other: int) -> float:
    """What a position is worth in discs, to the seat to move."""
    empties = 64 - (own | other).bit_count()
    if empties > EXACT:
        return engine.search(own, other, DEPTH, -10_000, 10_000) / 100
    low, high, guess = -64, 64, 0
    while low < high:
        value = engine.at_least(own, other, guess)
        low, high = (value, high) if value > guess else (low, value)
        guess = value if value < high else value - 1
    return low


def columns(engine: FastOthello, positions: Array) -> Array:
    """For each position the places of its weights in a stage, those of symmetric twins being one."""
    lay = layout()
    centres = np.array([feature.centre for feature in lay.features])
    starts = np.array([lay.counts[name][0] for name in COUNTS])
    found: Array = np.empty((len(positions), len(centres) + len(starts)), dtype=np.int32)
    for row, (own, other) in enumerate((int(own), int(other)) for own, other in positions):
        empty = ~(own | other) & (1 << 64) - 1
        found[row, : len(centres)] = centres + engine.features(own, other)
        moves, replies = BOARD.legal(own, other).bit_count(), BOARD.legal(other, own).bit_count()
        counts = (moves, replies, touching(other, empty), touching(own, empty), empty.bit_count() & 1)
        found[row, len(centres) :] = starts + np.array(counts)
    assert number(0, 0, lay.features[0].cells) == 0
    return np.asarray(twins(), dtype=np.int32)[found]


# --------------------------------------------------------------------------------------------------------------- fit


@exported("void(int32[:,:],float64[:],float64[:])")
def predict(columns: Array, weights: Array, to: Array) -> None:
    """The sum of the weights of each row."""
    for row in range(columns.shape[0]):
        total = 0.0
        for place in range(columns.shape[1]):
            total += weights[columns[row, place]]
        to[row] = total


@exported("void(int32[:,:],float64[:],float64[:])")
def collect(columns: Array, values: Array, to: Array) -> None:
    """For each weight the sum of the values of the rows that use it."""
    to[:] = 0.0
    for row in range(columns.shape[0]):
        for place in range(columns.shape[1]):
            to[columns[row, place]] += values[row]


def fit(columns: Array, labels: Array, importance: Array, start: Array) -> Array:
    """The weights with the least squares of errors, each row counting `importance`, plus RIDGE times their own squares.

    Conjugate gradients, preconditioned by how often each weight is used.
    """
    weights, image = start.copy(), np.empty_like(labels)
    gradient, step_image, used = np.empty_like(weights), np.empty_like(weights), np.empty_like(weights)
    collect(columns, importance, used)
    used += RIDGE
    predict(columns, weights, image)
    collect(columns, importance * (labels - image), gradient)
    gradient -= RIDGE * weights
    direction = gradient / used
    size = float(gradient @ direction)
    for _ in range(STEPS):
        predict(columns, direction, image)
        collect(columns, importance * image, step_image)
        step_image += RIDGE * direction
        along = float(direction @ step_image)
        if along <= 0.0:
            break
        weights += size / along * direction
        gradient -= size / along * step_image
        scaled = gradient / used
        size, before = float(gradient @ scaled), size
        direction = scaled + size / before * direction
    return weights


# ------------------------------------------------------------------------------------------------------------- chunks


def make_games(folder: Path, engine: FastOthello, games: int) -> Array:
    """The positions of a generation, chunk by chunk, each kept in a file of its own."""
    chunks = []
    for chunk in range(-(-games // CHUNK)):
        path = folder / f"games{chunk}.npy"
        if not path.exists():
            save(path, play_chunk(engine, random.Random(f"{folder.name}:{chunk}"), CHUNK))
            tell(f"{path}: {(chunk + 1) * CHUNK} of {games} games")
        chunks.append(np.load(path))
    return np.unique(np.concatenate(chunks), axis=0)


def label_stage(folder: Path, engine: FastOthello, stage: int, positions: Array) -> tuple[Array, Array]:
    """The columns and the labels of the positions of a stage."""
    path = folder / f"stage{stage}.npz"
    if not path.exists():
        engine.forget()
        labels = np.array([label(engine, int(own), int(other)) for own, other in positions], dtype=np.float64)
        with path.with_suffix(".part").open("wb") as file:
            np.savez(file, columns=columns(engine, positions), labels=labels)
        path.with_suffix(".part").rename(path)
    with np.load(path) as kept:
        return kept["columns"], kept["labels"]


def make_generation(folder: Path, engine: FastOthello, games: int) -> None:
    """Plays, labels and fits; the weights of `engine` are then those of this generation."""
    folder.mkdir(parents=True, exist_ok=True)
    positions = make_games(folder, engine, games)
    stages = np.array([stage_of(64 - (int(own) | int(other)).bit_count()) for own, other in positions])
    known: list[tuple[Array, Array]] = []
    weights: Array = np.zeros(layout().size)
    for stage in range(STAGES):
        began = time.process_time()
        chosen = np.random.default_rng(stage).permutation(np.flatnonzero(stages == stage))[:LABELS]
        known.append(label_stage(folder, engine, stage, positions[chosen]))
        near = [(other, known[other]) for other in range(max(0, stage - 1), stage + 1)]
        importance = np.concatenate([np.full(len(k[1]), 1.0 if other == stage else NEIGHBOUR) for other, k in near])
        joined = np.concatenate([k[0] for _, k in near])
        weights = fit(joined, np.concatenate([k[1] for _, k in near]), importance, weights)
        engine.weights[stage] = np.clip(np.rint(100 / GRAIN * weights) * GRAIN, -32000, 32000)[np.asarray(twins())]
        found, wanted = np.empty(len(known[stage][1])), known[stage][1]
        predict(known[stage][0], weights, found)
        error = float(np.sqrt(np.mean((found - wanted) ** 2)))
        what = f"{len(wanted)} positions, error {error:.2f} of {wanted.std():.2f} discs"
        tell(f"{folder} stage {stage}: {what}, {time.process_time() - began:.0f} s")
    save(folder / "weights.npy", engine.weights)


def save(path: Path, rows: Array) -> None:
    """Writes a file that is there as a whole or not at all."""
    with path.with_suffix(".part").open("wb") as file:
        np.save(file, rows)
    path.with_suffix(".part").rename(path)


def tell(text: str) -> None:
    """Talks on standard error."""
    sys.stderr.write(f"{text}\n")
    sys.stderr.flush()


def main(arguments: Sequence[str] | None = None) -> None:
    """The command."""
    parser = argparse.ArgumentParser(description="Makes the weights of the Othello evaluation; see this file's head.")
    parser.add_argument("folder", type=Path, help="where everything finished is kept")
    parser.add_argument(
        "--games", type=int, default=60_000, help="games of the last generation; the one before has a quarter of that"
    )
    parser.add_argument("--generations", type=int, default=2)
    asked = parser.parse_args(arguments)
    fast = load("othello")
    assert fast is not None, "numba is installed, since it has compiled this module"
    engine = fast.FastOthello(weights=first_weights())
    for generation in range(asked.generations):
        folder = asked.folder / f"generation{generation}"
        if (folder / "weights.npy").exists():
            engine.weights[:] = np.load(folder / "weights.npy")
            continue
        make_generation(folder, engine, asked.games >> 2 * (asked.generations - 1 - generation))
        engine.forget()
    (asked.folder / WEIGHTS.name).write_bytes(pack_weights([list(map(int, stage)) for stage in engine.weights]))


if __name__ == "__main__":
    main()
