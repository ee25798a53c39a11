"""What others published: games, positions with their values, results. tests/data/README.md names the sources."""

import csv
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

DATA = Path(__file__).parents[1] / "data" / "published"

OTHELLO_GAMES = {
    # WTHOR 1977, games 1 to 3: full boards.
    "wthor-1977-1": (
        "f5d6c3f3f4d3c4g6f6e6c5c6d7d8e7g5e3d2g4h3f7b5h5g3b4b6c8b8c7e8f8g8h4h6e2d1c1a3a6a5e1f2g7c2a4h8a2b7f1b3b1b2h7a7a8a1g1g2h2h1",
        (34, 30),
        (34, 30),
    ),
    "wthor-1977-2": (
        "f5f6e6f4f3d6c6d3g6e7g5d7c7h5c3h6e3b6c5d8c8b8a6b5g4d2e1c1f2h4a5e2f8b3f7g1h3h2g3a4c4b4c2b1a3a7a8e8b7b2a1a2d1g8h8g2g7h7f1h1",
        (52, 12),
        (52, 12),
    ),
    # WTHOR 1977, game 9: one square stays empty and goes to the winner.
    "wthor-1977-9": (
        "f5f6e6f4c3d6f3c5f7g5h6f8e7g6b6e8c6h4g4e3d7c4d2a6c7h3d3d8h5c8h2g3f2f1e1b5e2d1c1b1c2g1a5a4b3b4b7a3b2a1a2b8a8a7g8g7g2h1h7",
        (16, 47),
        (16, 48),
    ),
    # WTHOR 1983, game 36: a draw.
    "wthor-1983-36": (
        "f5f6e6f4e3d6c4f3g5g4c5h6d3c6h5h4h3g6e2f2h7b5a6d1e7f8d8f7f1a4d7e8g8c7b4b3g1e1c1b6d2c2b1g7a2c3a7a3h8a5b8a8c8b7g2h1h2g3b2a1",
        (32, 32),
        (32, 32),
    ),
    # WTHOR 1983, game 39: black is wiped out.
    "wthor-1983-39": (
        "f5d6c5f4e3g5e6b5d7c4d3c6b4c3a6c7g6d8h5b3e7e8g4a3a4b6b7d2a7a5b8c8e2f6d1a8f7h6c2f8h7b2a2b1g8a1f1e1c1f2h8g7h3h4f3h2h1g3",
        (0, 62),
        (0, 64),
    ),
    # WTHOR 1983, game 90: white is wiped out with fifteen squares empty.
    "wthor-1983-90": (
        "f5f6e6f4e3d3f3c5g5f7g6h6d6h5e7d8e8f8g4f2g3h4h3h2g8d7c8g7h8h7h1c7c6g2b8f1g1a8e1d1e2b6b5a5d2",
        (49, 0),
        (64, 0),
    ),
}
"""Transcript, discs on the board, score with the empty squares to the winner (Federation Francaise d'Othello)."""


def _rows(name: str) -> Iterator[dict[str, str]]:
    with (DATA / name).open(encoding="ascii", newline="") as stream:
        yield from csv.DictReader(stream)


class Puissance4Score(NamedTuple):
    """Columns that are played from the empty board, and the score for the seat to move."""

    moves: str
    score: int


def puissance4_scores() -> Mapping[str, list[Puissance4Score]]:
    """Return a sample of each of Pascal Pons' sets, by its name: L is the stage of the game, R how far its end is."""
    sets: dict[str, list[Puissance4Score]] = {}
    for row in _rows("puissance4_scores.csv"):
        sets.setdefault(row["set"], []).append(Puissance4Score(row["moves"], int(row["score"])))
    return sets


class OthelloEnd(NamedTuple):
    """A problem of the FFO suite: what its moves are worth in discs to the seat to move, `X` or `O`, best first."""

    problem: int
    cells: str
    to_move: str
    scores: Mapping[str, int]

    @property
    def notation(self) -> str:
        """The position as the rules write it."""
        return f"{self.cells} {self.to_move}"

    @property
    def masks(self) -> tuple[int, int]:
        """The discs of the seat to move, and the other's."""
        discs = {disc: sum(1 << cell for cell, seen in enumerate(self.cells) if seen == disc) for disc in "XO"}
        return discs[self.to_move], discs["O" if self.to_move == "X" else "X"]

    @property
    def empties(self) -> int:
        """The number of empty cells."""
        return self.cells.count("-")

    @property
    def value(self) -> int:
        """What the best move is worth."""
        return max(self.scores.values())


def othello_ends() -> list[OthelloEnd]:
    """Return a sample of the FFO endgame suite, in its order."""
    found = []
    for row in _rows("othello_ends.csv"):
        pairs = (item.split(":") for item in row["scores"].split())
        scores = {move: int(score) for move, score in pairs}
        found.append(OthelloEnd(int(row["problem"]), row["cells"], row["to_move"], scores))
    return found


class TournamentGame(NamedTuple):
    """A game of WTHOR: its place in the year's file, black's score with the empty squares to the winner, the moves."""

    year: int
    number: int
    score: int
    moves: str


def othello_games() -> list[TournamentGame]:
    """Return a sample of WTHOR, 1977 and 1983. Game 20 of 1983 is not played to its end."""
    return [
        TournamentGame(int(row["year"]), int(row["number"]), int(row["score"]), row["moves"])
        for row in _rows("othello_games.csv")
    ]


class GgsGame(NamedTuple):
    """A game from GGS in the words of its record; a move has its evaluation and its seconds behind it."""

    date: str
    black: str
    white: str
    clock: str
    result: str
    moves: tuple[str, ...]

    @property
    def ggf(self) -> str:
        """The record in the Generic Game Format."""
        start = "8 -------- -------- -------- ---O*--- ---*O--- -------- -------- -------- *"
        facts = {"DT": self.date, "PB": self.black, "PW": self.white, "TI": self.clock, "RE": self.result, "BO": start}
        head = "".join(f"{key}[{value}]" for key, value in facts.items())
        moves = "".join(f"{'BW'[ply % 2]}[{move}]" for ply, move in enumerate(self.moves))
        return f"(;GM[Othello]PC[GGS/os]TY[8]{head}{moves};)"


def ggs_games() -> list[GgsGame]:
    """Return a sample of the games in the tests of ntest: each spelling of a pass, a win and draws."""
    return [
        GgsGame(row["date"], row["black"], row["white"], row["clock"], row["result"], tuple(row["moves"].split()))
        for row in _rows("othello_ggs.csv")
    ]


def morpion_ends() -> Mapping[str, bool]:
    """Return a sample of the boards where a game of morpion may end -> whether X has a line."""
    return {row["cells"]: row["label"] == "positive" for row in _rows("morpion_ends.csv")}


class MnkResult(NamedTuple):
    """Whether the first player wins a game of this board and this many in a line; nobody does where they do not."""

    width: int
    height: int
    in_line: int
    first_wins: bool


def mnk_results() -> list[MnkResult]:
    """Return the m,n,k games whose results are known, those that a solver here confirms in seconds."""
    return [
        MnkResult(int(row["width"]), int(row["height"]), int(row["in_line"]), row["result"] == "first")
        for row in _rows("mnk_results.csv")
    ]
