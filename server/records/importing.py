"""Games out of files: WTHOR, GGF, transcripts, our own jsonl. A file is read piece by piece, and may be of any size."""

from __future__ import annotations

from codecs import getincrementaldecoder
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, Final, Literal, NamedTuple

from games import Game, GameError, RulesError
from locales import phrase
from protocol.messages import Said, Seated
from protocol.records import GameRecord, RecordError, from_line
from server.names.text import is_showable
from server.records import ggf, wthor
from server.records.compose import NAMELESS, FoundGame, ImportRefusal, RefusedError, compose
from server.records.readable import problem_sentence
from server.records.verification import Flaw, Problem, verify

Format = Literal["jsonl", "ggf", "wthor", "transcripts"]
FORMATS: Final[tuple[Format, ...]] = ("jsonl", "ggf", "wthor", "transcripts")

MAX_LINE: Final = 8 << 20
"""Bytes of a line of jsonl."""

MAX_TRANSCRIPT: Final = 1 << 12
"""Bytes of a line that is one game."""

_PIECE: Final = 1 << 16
_SUFFIXES: Final[dict[str, Format]] = {".wtb": "wthor", ".ggf": "ggf", ".jsonl": "jsonl"}


class Item(NamedTuple):
    """One game of a file: its number (of the line, or of the game), its record or why there is none.

    composed: its id comes from what it is. corrected: the file told another result than the rules.
    """

    number: int
    found: GameRecord | RefusedError
    composed: bool = True
    corrected: bool = False


def format_of(path: Path) -> Format:
    """What a file holds by its name; without a known ending, transcripts."""
    return _SUFFIXES.get(path.suffix.lower(), "transcripts")


def read_games(path: Path, kind: Format, game: Game) -> Iterator[Item]:
    """The games of a file; `game`: the rules of transcripts. Raises OSError, and RefusedError for the whole file."""
    with path.open("rb") as stream:
        match kind:
            case "jsonl":
                yield from _records(stream)
            case "wthor":
                yield from _composed(wthor.read(stream, _player_names(path)))
            case "ggf":
                yield from _composed(ggf.read(_pieces(stream)))
            case "transcripts":
                yield from _composed(_transcripts(stream, game))


def lines(stream: BinaryIO, limit: int) -> Iterator[tuple[int, bytes | None]]:
    """The lines that are not empty, with their numbers from 1; None for one of more than `limit` bytes."""
    number = 0
    while line := stream.readline(limit + 1):
        number += 1
        if len(line) > limit and not line.endswith(b"\n"):
            while (rest := stream.readline(_PIECE)) and not rest.endswith(b"\n"):
                pass
            yield number, None
        elif line := line.strip():
            yield number, line


def _records(stream: BinaryIO) -> Iterator[Item]:
    for number, line in lines(stream, MAX_LINE):
        try:
            yield Item(number, _record(line), composed=False)
        except RefusedError as refusal:
            yield Item(number, refusal)


def _record(line: bytes | None) -> GameRecord:
    if line is None:
        raise RefusedError(ImportRefusal.LONG)
    try:
        record, whole = from_line(line)
    except RecordError as error:
        raise RefusedError(ImportRefusal.UNREADABLE, str(error)) from error
    problems = verify(record) if whole else [Problem(Flaw.SEAL)]
    if problems:
        raise RefusedError(ImportRefusal.FLAWED, problem_sentence(problems[0]))
    if record.result is None:
        raise RefusedError(ImportRefusal.UNFINISHED)
    if not all(map(is_showable, _texts(record))):
        raise RefusedError(ImportRefusal.UNSAFE)
    return record


def _texts(record: GameRecord) -> Iterator[str]:
    for event in record.events:
        if isinstance(event, Seated):
            yield event.player.name
        elif isinstance(event, Said):
            yield event.text


def _composed(found: Iterator[tuple[int, FoundGame | RefusedError]]) -> Iterator[Item]:
    for number, game in found:
        if isinstance(game, RefusedError):
            yield Item(number, game)
            continue
        try:
            record, corrected = compose(game)
        except RefusedError as refusal:
            yield Item(number, refusal)
        else:
            yield Item(number, record, corrected=corrected)


def _transcripts(stream: BinaryIO, game: Game) -> Iterator[tuple[int, FoundGame | RefusedError]]:
    for number, line in lines(stream, MAX_TRANSCRIPT):
        if line is None:
            yield number, RefusedError(ImportRefusal.LONG)
        elif not line.startswith(b"#"):
            try:
                moves = game.parse_transcript(line.decode("utf-8-sig", "replace"))
            except RulesError as error:
                yield number, RefusedError(ImportRefusal.UNREADABLE, phrase(error.phrase))
            except GameError as error:
                yield number, RefusedError(ImportRefusal.UNREADABLE, str(error))
            else:
                yield number, FoundGame(game, (NAMELESS, NAMELESS), 0, moves)


def _pieces(stream: BinaryIO) -> Iterator[str]:
    decoder = getincrementaldecoder("utf-8")("replace")
    while piece := stream.read(_PIECE):
        yield decoder.decode(piece)


def _player_names(path: Path) -> list[str]:
    """The names beside a WTHOR file, as the federation ships them (WTHOR.JOU); nothing if they are not there."""
    for beside in sorted(path.parent.iterdir()):
        if beside.name.lower() == "wthor.jou":
            with beside.open("rb") as stream:
                return wthor.read_names(stream)
    return []
