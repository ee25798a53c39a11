"""What the tests of files from elsewhere have in common: games, and what a file holds."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import arbitre
from games import Othello
from games import parse as parse_game
from protocol.messages import Clock
from protocol.records import GameRecord
from server.records import ggf
from server.records.compose import FoundGame, ImportRefusal, RefusedError
from server.records.importing import Format, Item, format_of, read_games
from tests.games.published import OTHELLO_GAMES

OTHELLO = Othello()
WIPED_OUT = OTHELLO_GAMES["wthor-1983-90"][0]
"""Black wins 49 to 0 after fifteen squares were left empty: a short whole game with no pass."""

FULL = OTHELLO_GAMES["wthor-1977-1"][0]
PASSES = OTHELLO_GAMES["wthor-1983-39"][0]
"""WTHOR 1983, game 39: black is wiped out, and has to pass before."""

CLOCK = Clock(300_000, 2000)
LATER_MS = 1_800_000_000_000
START = "8 -------- -------- -------- ---O*--- ---*O--- -------- -------- -------- *"


def moves_of(transcript: str) -> tuple[str, ...]:
    return OTHELLO.parse_transcript(transcript)


def items(path: Path, kind: Format | None = None, game: str = "othello") -> list[Item]:
    return list(read_games(path, kind or format_of(path), parse_game(game)))


def taken(found: Sequence[Item]) -> list[GameRecord]:
    return [item.found for item in found if isinstance(item.found, GameRecord)]


def refused(found: Sequence[Item]) -> list[tuple[int, ImportRefusal]]:
    return [(item.number, item.found.refusal) for item in found if isinstance(item.found, RefusedError)]


def run(*arguments: object) -> int:
    return arbitre.main([str(argument) for argument in arguments])


def ggf_games(text: str) -> list[FoundGame | RefusedError]:
    return [game for _, game in ggf.read([text])]
