"""The games that a person has played here to their end: kept on this computer, a record each (`protocol.records`).

The file can be read, exported and deleted like any other; without it, nothing is lost but the list of past games.
"""

from __future__ import annotations

import base64
import hashlib
import os
import tempfile
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final

from msgspec.json import encode

from client.people.hot_seat import HERE
from client.people.recorded import Recorded, RecordedError, read_recorded
from games.base import Position
from machine import folders
from protocol.messages import Finished, MatchEvent, Moved, Passed, Player, Seated, Started
from protocol.records import GameRecord, chain, to_line
from protocol.values import seat_number
from view.match import MatchView

MAX_BYTES: Final = 4 << 20
"""The most bytes of the file; when it would become larger, the older half of the games is forgotten."""

NOBODY: Final = Player("?", "human")


def file() -> Path:
    """Where games are kept."""
    return folders.data() / "games.jsonl"


def record_of(view: MatchView, at_ms: int) -> GameRecord:
    """The record of a match that is over, as its reader saw it: without clocks and talk. at_ms: its date."""
    first, second = (player or NOBODY for player in view.players)
    match = view.match if view.match != HERE else _id(view, first.name, second.name, at_ms)
    events = tuple(_events(view, match, (first, second)))
    spec = view.game.spec
    return GameRecord(
        match, spec, clock=None, public=True, opened_ms=at_ms, events=events, wall_ms=(at_ms,) * len(events),
        chain=chain(match, spec, None, events),
    )  # fmt: skip


def own_game(view: MatchView, *, together: bool = False) -> GameRecord | None:
    """The record of a finished match that its reader has played, else None. together: both players sit here."""
    if view.result is None or not view.moves or not (together or view.seat is not None):
        return None
    return record_of(view, time.time_ns() // 1_000_000)


def keep(record: GameRecord) -> None:
    """Adds a game, unless it is there already; keeps nothing where nothing can be written."""
    path, line = file(), to_line(record)
    with suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        known = path.read_bytes() if path.exists() else b""
        if b'"match":%s,' % encode(record.match) in known:
            return
        if len(known) + len(line) > MAX_BYTES:
            _replace(path, b"".join(_newer_half(known)))
        handle = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        with os.fdopen(handle, "ab") as out:
            out.write(line + b"\n")


def kept() -> list[Recorded]:
    """The games, the newest first."""
    try:
        return read_recorded(file())[::-1]
    except RecordedError:
        return []


def _newer_half(known: bytes) -> list[bytes]:
    lines = known.splitlines(keepends=True)
    return lines[(len(lines) + 1) // 2 :]


def _replace(path: Path, content: bytes) -> None:
    """Writes a file anew, in one step."""
    handle, draft = tempfile.mkstemp(dir=path.parent, prefix=".games")
    with os.fdopen(handle, "wb") as out:
        out.write(content)
    Path(draft).replace(path)


def _events(view: MatchView, match: str, players: tuple[Player, Player]) -> Iterator[MatchEvent]:
    """The events of a match, from the first player who sat down to the end."""
    position: Position = view.game.start()
    yield Seated(match, 1, 1, players[0])
    yield Seated(match, 2, 2, players[1])
    yield Started(match, 3, seat_number(position.to_move))
    seq = 3
    for ply, move in enumerate(view.moves):
        after, seq = position.play(move), seq + 1
        yield Moved(match, seq, ply, seat_number(position.to_move), move, seat_number(after.to_move))
        if after.passed is not None:
            seq += 1
            yield Passed(match, seq, ply + 1, seat_number(after.passed))
        position = after
    if view.result is not None:
        yield Finished(match, seq + 1, view.result)


def _id(view: MatchView, first: str, second: str, at_ms: int) -> str:
    """An id for a game that no server has named: what it is, and when."""
    content = encode((view.game.spec, first, second, at_ms, view.moves))
    return base64.b32encode(hashlib.sha256(content).digest())[:16].decode().lower()
