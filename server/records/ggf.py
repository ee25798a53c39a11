"""Othello games in GGF, the Generic Game Format of the GGS server, read and written. Pure.

    (;GM[Othello]PB[Ada]PW[Bea]RE[+2.000]TI[05:00/00:03/00:00]TY[8]BO[8 ---...--- *]B[d3//1.250]W[c3//0.800]...;)

A move is a cell, an evaluation and the seconds that it took, both of which may be missing; passes are written. RE is
black's discs minus white's, the empty squares to the winner, then :r (resigned), :t (time) or :s (agreed). Source:
https://www.skatgame.net/mburo/ggsa/ggf and .../clock. The zone of a date is not looked at: it is read as UTC.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime, timedelta
from typing import Final, Literal, cast

from games import Game, GameError, IllegalMove, Othello
from games import ggf as notation
from games import parse as parse_game
from protocol.bounds import Clocks
from protocol.messages import Clock, Finished, GaveTime, Moved, Result, SeatClock, Started, TookBack
from protocol.records import GameRecord
from protocol.values import clocks_of
from server.records.compose import Claim, FoundGame, ImportRefusal, RefusedError

MAX_GAME: Final = 1 << 16
"""Characters of one game; more is no game."""

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_BRACKET: Final = re.compile(r"\(;|;\)")
_PROPERTY: Final = re.compile(r"\s*([A-Za-z]{1,8})\s*\[([^\]]*)\]")
_RESULT: Final = re.compile(r"([+-]?\d{1,3}(?:\.\d{0,6})?)(?::([rts]))?", re.ASCII)
_DATE: Final = re.compile(r"(\d{4})\.(\d{1,2})\.(\d{1,2})[_ ](\d{1,2}):(\d{2}):(\d{2})", re.ASCII)
_TIME: Final = re.compile(r"(?:(?:(\d{1,3}):)?(\d{1,4}):)?(\d{1,6}(?:\.\d{1,3})?)", re.ASCII)
_PASSES: Final = ("pa", "pas", "pass", "ps", "--")

Properties = list[tuple[str, str]]

# ------------------------------------------------------------------------------------------------------------- writing


def write(record: GameRecord) -> str | None:
    """`record` as GGF; None for what GGF can't say.

    That is another game, no result, or one without a winner that is no draw (such as aborted), a win with equal discs,
    or moves against the rules.
    """
    try:
        return _write(record, parse_game(record.game))
    except GameError:
        return None


def _write(record: GameRecord, game: Game) -> str | None:
    result = record.result
    if not isinstance(game, Othello) or result is None or (claim := _claim(result, game.cells)) is None:
        return None
    first, second = record.players
    properties = [
        ("DT", _date(record.opened_ms) if record.opened_ms else ""),
        ("PB", first.name if first else ""),
        ("PW", second.name if second else ""),
        ("RE", f"{claim.difference:+.3f}{':' if claim.flag else ''}{claim.flag}"),
        *_time_controls(record.clock),
    ]
    said = [(name, value) for name, value in properties if value or name in ("PB", "PW")]
    return notation.write(game, record.moves, said, _seconds(record))


def _claim(result: Result, cells: int) -> Claim | None:
    """What RE says of a result; None if it can't say it."""
    everything = cells if result.winner == 1 else -cells
    scores = result.tournament_score or result.score
    match result.reason:
        case "discs":
            claim = Claim(scores[0] - scores[1])
        case "agreement":
            claim = Claim(0, "s")
        case "adjudicated":
            known = result.tournament_score is not None or result.winner is None
            claim = Claim(scores[0] - scores[1] if known else everything, "s")
        case "timeout" | "abandoned":
            claim = Claim(everything, "t")
        case _:
            claim = Claim(everything, "r")
    winner = None if claim.difference == 0 else 1 if claim.difference > 0 else 2
    nobody = result.winner is None and result.reason not in ("discs", "agreement", "adjudicated")
    return None if nobody or winner != result.winner else claim


def _seconds(record: GameRecord) -> list[float | None]:
    """What each move took by its clock; None without one. A new time for each move does not tell what was used."""
    rule = record.clock
    before: Clocks | None = None
    times: list[float | None] = []
    for event in record.events:
        if isinstance(event, TookBack):
            del times[event.ply :]
        elif isinstance(event, Moved):
            if rule is None or rule.move_ms or before is None or event.clocks is None:
                times.append(None)
            else:
                at = event.seat - 1
                times.append((before[at] + rule.of(event.seat).increment_ms - event.clocks[at]) / 1000)
        elif isinstance(event, GaveTime) and before is not None:
            first, second = (0, event.added_ms) if event.seat == 1 else (event.added_ms, 0)
            before = (before[0] + first, before[1] + second)
            continue
        elif not isinstance(event, Started | Finished):
            continue
        before = event.clocks
    return times


def _time_controls(clock: Clock | None) -> Properties:
    """TI, or TB and TW if the seats have different clocks; nothing for a time for each move, which GGF can't say."""
    if clock is None or clock.move_ms:
        return []
    if clock.second is None:
        return [("TI", _time_control(clock))]
    return [("TB", _time_control(clock)), ("TW", _time_control(clock.second))]


def _time_control(clock: SeatClock) -> str:
    """Without the extension that GGS grants."""
    return f"{_clock_time(clock.initial_ms)}/{_clock_time(clock.increment_ms)}/00:00"


def _clock_time(ms: int) -> str:
    minutes, rest = divmod(ms, 60_000)
    hours, minutes = divmod(minutes, 60)
    seconds = f"{rest // 1000:02d}" + (f".{rest % 1000:03d}" if rest % 1000 else "")
    return f"{hours:02d}:{minutes:02d}:{seconds}" if hours else f"{minutes:02d}:{seconds}"


def _date(ms: int) -> str:
    return (_EPOCH + timedelta(milliseconds=ms)).strftime("%Y.%m.%d_%H:%M:%S.UTC")


# ------------------------------------------------------------------------------------------------------------- reading


def read(chunks: Iterable[str]) -> Iterator[tuple[int, FoundGame | RefusedError]]:
    """The games of a text that comes in pieces, numbered from 1; or a refusal for one that can't be taken."""
    for number, text in _bodies(chunks):
        if isinstance(text, RefusedError):
            yield number, text
            continue
        try:
            yield number, _game(text)
        except RefusedError as refusal:
            yield number, refusal


def _bodies(chunks: Iterable[str]) -> Iterator[tuple[int, str | RefusedError]]:
    """What stands between each "(;" and ";)". Holds one game and one piece at a time, and looks at no letter twice."""
    buffer, inside, number = "", False, 0
    for chunk in chunks:
        fresh = max(0, len(buffer) - 1)  # a bracket may be cut in two
        buffer += chunk
        start = 0
        for bracket in _BRACKET.finditer(buffer, fresh):
            if bracket[0] == "(;":
                if inside:
                    yield number, RefusedError(ImportRefusal.TRUNCATED)
                inside, number, start = True, number + 1, bracket.end()
            elif inside:
                yield number, buffer[start : bracket.start()]
                inside, start = False, bracket.end()
        if inside and len(buffer) - start > MAX_GAME:
            yield number, RefusedError(ImportRefusal.LONG)
            inside = False
        buffer = buffer[start:] if inside else buffer[max(start, len(buffer) - 1) :]
    if inside:
        yield number, RefusedError(ImportRefusal.TRUNCATED)


def _game(text: str) -> FoundGame:
    if len(text) > MAX_GAME:
        raise RefusedError(ImportRefusal.LONG)
    properties = _properties(text)
    said = {name.upper(): value.strip() for name, value in properties if name.upper() not in notation.COLOURS}
    if said.get("GM", "").lower() != "othello":
        raise RefusedError(ImportRefusal.OTHER_GAME, said.get("GM", ""))
    game = _rules(said)
    played = [(name.upper(), value) for name, value in properties if name.upper() in notation.COLOURS]
    moves, times = _play(game, played)
    return FoundGame(
        game,
        (said.get("PB", ""), said.get("PW", "")),
        _read_date(said.get("DT", "")),
        tuple(moves),
        _read_claim(said.get("RE", "")),
        _read_clocks(said),
        tuple(time for time in times if time is not None),
    )


def _properties(text: str) -> Properties:
    found: Properties = []
    end = 0
    text = text.rstrip()
    while end < len(text):
        one = _PROPERTY.match(text, end)
        if one is None:
            raise RefusedError(ImportRefusal.UNREADABLE, text[end : end + 20])
        found.append((one[1], one[2]))
        end = one.end()
    return found


def _rules(said: dict[str, str]) -> Othello:
    """The board that TY and BO agree on, if the game starts as Othello does."""
    board = said.get("BO", "").split()
    size = board[0] if board else said.get("TY", "8")
    if size not in ("4", "6", "8", "10") or said.get("TY", size) != size:
        raise RefusedError(ImportRefusal.VARIANT, f"TY[{said.get('TY', '')[:20]}]")
    game = Othello(int(size))
    if board and "".join(board) != notation.board(game).replace(" ", ""):
        raise RefusedError(ImportRefusal.VARIANT, "BO")
    return game


def _play(game: Othello, played: Properties) -> tuple[list[str], list[int | None]]:
    """The moves without the passes, and what each took in milliseconds if it says so."""
    position = game.start()
    moves: list[str] = []
    times: list[int | None] = []
    for colour, value in played:
        written, *rest = value.split("/")
        seat = notation.COLOURS[colour]
        if written.strip().lower() in _PASSES:
            if seat is not position.passed and position.legal_mask():
                raise RefusedError(ImportRefusal.PASS, f"{len(moves) + 1}. {colour}")
            continue
        try:
            move = game.parse_move(written)
            following = position.play(move)
        except IllegalMove as error:
            raise RefusedError(ImportRefusal.MOVE, f"{len(moves) + 1}. {written.strip()[:10]}") from error
        if seat is not position.to_move:
            raise RefusedError(ImportRefusal.TURN, f"{len(moves) + 1}. {colour}[{move}]")
        moves.append(move)
        times.append(_milliseconds(rest[1]) if len(rest) > 1 else None)
        position = following
    return moves, times


def _read_claim(text: str) -> Claim | None:
    found = _RESULT.fullmatch(text.replace(" ", ""))
    if found is None:
        return None
    return Claim(float(found[1]), cast(Literal["", "r", "t", "s"], found[2] or ""))


def _read_clocks(said: Mapping[str, str]) -> Clock | None:
    """That of TI, or those of TB and TW; None for what our clocks can't be."""
    black, white = (_read_clock(said.get(name, said.get("TI", ""))) for name in ("TB", "TW"))
    return None if black is None or white is None else clocks_of(black, white)


def _read_clock(text: str) -> Clock | None:
    """Initial time and increment; None for periods of moves, which our clocks don't have. Extensions are left out."""
    initial, increment, *_ = (*text.split("/"), "", "")
    initial_ms, increment_ms = _milliseconds(initial), _milliseconds(increment or "0")
    return None if initial_ms is None or increment_ms is None else Clock(initial_ms, increment_ms)


def _milliseconds(text: str) -> int | None:
    """[[HH:]MM:]SS with decimals."""
    found = _TIME.fullmatch(text.strip())
    if found is None:
        return None
    minutes = int(found[1] or 0) * 60 + int(found[2] or 0)
    return round((minutes * 60 + float(found[3])) * 1000)


def _read_date(text: str) -> int:
    """Milliseconds since 1970, 0 if there is no date."""
    if text.isascii() and text.isdigit() and len(text) <= 10:
        return int(text) * 1000
    if found := _DATE.match(text):
        year, month, day, hour, minute, second = map(int, found.groups())
        try:
            date = datetime(year, month, day, hour, minute, second, tzinfo=UTC)
        except ValueError:
            return 0
        return (date - _EPOCH) // timedelta(milliseconds=1)
    return 0
