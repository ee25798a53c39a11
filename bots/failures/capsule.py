"""Failure capsules: all that is needed to see a failed decision again, in a JSON file that `arbitre bot replay` reads.

Errors: CapsuleError (a BotError)    a file that is no capsule, or tells of a position that there is not
"""

import re
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Final, Literal

import msgspec

import games
from bots.base import BotError, BotFaultError, Budget, Fault
from bots.diary import AskedMatch, BotQuestion
from games.base import Game, GameError, Position, Seat
from locales import _, decimal
from locales.system import reason
from machine import folders
from machine.files import read_bounded
from processes.launch_options import LaunchOptions
from terminal.text import clean

FORMAT: Final = 1
"""Version of the file; one that this module does not know is refused."""

KEPT: Final = 200
"""How many capsules stay in a folder: the newest."""

MOST_BYTES: Final = 256 << 20
"""How much of a file is read: it holds thousands of questions, and of each some lines that the program wrote."""

STDERR_LINES = 8
STDERR_CHARACTERS = 120
"""How much of a program's stderr the description of a failure shows: how many lines, and how much of each."""

ELSEWHERE_MS = 50
"""If a flag falls so much before a bot has used what its clock had, that time was lost on the way."""

_NAME = re.compile(r"\d{8}T\d{6}\.\d{6}Z-[\w-]+-\d+\.json")
"""What our files are called; others are never removed."""


class CapsuleError(BotError):
    """A capsule that can't be read."""


class Capsule(msgspec.Struct, frozen=True, kw_only=True):
    """One decision that failed.

    arbitre: the version of Arbitre. date: ISO 8601, UTC.
    bot, launch: the bot as it is written, and how it was run. folder: the working directory, to which names of files
    are relative.
    game, match, seat, moves, position: where it was asked; `moves` lead from the start to `position` (its notation).
    clocks: what both had left in milliseconds, None without a clock; budget: what it was told of them.
    seed, match_seed: the source of all its randomness, as `MatchPlayer` joins them.
    reason, message: how it failed. exchange, stderr: as in BotFaultError.
    before: what its process was asked before, game by game, this match last. forgotten: how many earlier games are not
    kept.
    seal: shows which account has written it (`bots/failures/seal.py`).
    """

    format: int = FORMAT
    arbitre: str
    date: str
    bot: str
    launch: LaunchOptions = msgspec.field(name="care")  # what files of earlier versions call it
    folder: str
    game: str
    match: str
    seat: Annotated[int, msgspec.Meta(ge=1, le=2)]
    moves: tuple[str, ...]
    position: str
    clocks: tuple[int, int] | None
    budget: Budget
    seed: str
    match_seed: str
    reason: Fault
    message: str
    exchange: tuple[str, ...] = ()
    stderr: str = ""
    before: tuple[AskedMatch, ...] = ()
    forgotten: int = 0
    seal: str = ""

    @property
    def ply(self) -> int:
        """How many moves were played before."""
        return len(self.moves)

    def rules(self) -> Game:
        """The game that is played; raises CapsuleError."""
        try:
            return games.parse(self.game)
        except GameError as error:
            raise CapsuleError(
                _("The capsule is of a game that there is not: {game}.").format(game=self.game)
            ) from error

    def positions(self) -> list[Position]:
        """The positions from the start to the failure, in which it is the bot's turn; raises CapsuleError."""
        passed = [self.rules().start()]
        for move in self.moves:
            passed.append(_play(passed[-1], move))
        if passed[-1].notation != self.position or passed[-1].to_move != Seat(self.seat):
            raise CapsuleError(_("The moves of the capsule don't lead to its position."))
        return passed


def reached(rules: Game, moves: Sequence[str]) -> Position:
    """The position after these moves; raises CapsuleError."""
    position = rules.start()
    for move in moves:
        position = _play(position, move)
    return position


def _play(position: Position, move: str) -> Position:
    try:
        return position.play(move)
    except GameError as error:
        raise CapsuleError(_("The moves of the capsule can't be played.")) from error


def story(failed: Capsule) -> tuple[AskedMatch, ...]:
    """What the bot's process was asked before the failure, game by game, the failed match last; raises CapsuleError.

    A capsule without `before` was written by an older Arbitre: then these are the bot's earlier turns in that match.
    """
    played = failed.before
    if not played or played[-1].match != failed.match:
        asked = tuple(
            BotQuestion(" ".join(failed.moves[:ply]), failed.budget)
            for ply, position in enumerate(failed.positions()[:-1])
            if not failed.before and position.to_move == Seat(failed.seat)
        )
        seat: Literal[1, 2] = 1 if failed.seat == 1 else 2
        now = AskedMatch(game=failed.game, match=failed.match, seat=seat, match_seed=failed.match_seed, asked=asked)
        played = (*played, now)
    return played


def failure(bot: str, result: str | Exception) -> tuple[Fault, str]:
    """The kind of failure and a sentence about it; `result` is an illegal move or the exception that was raised."""
    if isinstance(result, BotFaultError):
        return result.reason, _writable(str(result))
    if isinstance(result, Exception):
        text = _("{bot} failed: {kind}: {detail}")
        return "crash", _writable(text.format(bot=bot, kind=type(result).__name__, detail=result))
    return "illegal", _("{bot} played {move!r}, which is not a legal move").format(bot=bot, move=result)


def _writable(text: str) -> str:
    """`text` without lone surrogates: JSON may hold them, UTF-8 files can't."""
    return text.encode("utf-8", "replace").decode()


def lost_on_time(bot: str) -> str:
    """A sentence about a bot whose clock has run out while it was asked."""
    return _("{bot} did not answer before its time was over").format(bot=bot)


def of_time(left_ms: int, told_ms: int, here_ms: int) -> list[str]:
    """What became of the time of a bot that has lost on time.

    left_ms: what its clock had when the server asked. told_ms: what the bot was told that it may use. here_ms: how long
    after the question arrived its process heard that the time was over.
    """
    left, told, here = (decimal(time_ms / 1000, 2) for time_ms in (left_ms, told_ms, here_ms))
    text = _("its clock had {left} s when the server asked; it was told {told} s; {here} s later its time was over")
    said = [text.format(left=left, told=told, here=here)]
    if here_ms < left_ms - ELSEWHERE_MS:
        text = _("{lost} s of it passed before the question arrived: the network was slow, or this machine busy")
        said.append(text.format(lost=decimal((left_ms - here_ms) / 1000, 2)))
    return said


def where(capsule: Capsule) -> list[str]:
    """The match and position of the failure, and the legal moves there."""
    place = _("match {match}, {game}, move {number}: {position}").format(
        match=clean(capsule.match), game=capsule.game, number=capsule.ply + 1, position=capsule.position
    )
    legal = _("legal moves: {moves}").format(moves=" ".join(capsule.positions()[-1].legal_moves()))
    return [place, legal]


def describe(capsule: Capsule) -> list[str]:
    """Lines for the bot's author: what happened, where, and the end of the bot's stderr, which may be long."""
    return [*capsule.message.splitlines(), *where(capsule), *_last_words(capsule.stderr)]


def _last_words(stderr: str) -> Iterator[str]:
    """The last lines that the bot's program wrote to its stderr."""
    lines = [line.rstrip() for line in stderr.splitlines() if line.strip()]
    if lines:
        yield _("it wrote:") if len(lines) <= STDERR_LINES else _("it wrote last:")
    for line in lines[-STDERR_LINES:]:
        yield f"| {clean(line)[:STDERR_CHARACTERS]}"


def default_folder() -> Path:
    """The default folder of capsules, below the user's state folder."""
    return folders.state() / "capsules"


def now() -> str:
    """The date that a capsule written now has."""
    return datetime.now(UTC).isoformat(timespec="microseconds")


def write(capsule: Capsule, folder: Path) -> Path:
    """Writes the capsule into `folder`, where only the newest stay, and returns its path; raises OSError."""
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    stamp = datetime.fromisoformat(capsule.date).strftime("%Y%m%dT%H%M%S.%fZ")
    path = folder / f"{stamp}-{re.sub(r'[^A-Za-z0-9]', '', capsule.match)}-{capsule.ply}.json"
    with path.open("xb") as stream:
        stream.write(msgspec.json.format(msgspec.json.encode(capsule), indent=2) + b"\n")
    for old in surplus([entry.name for entry in folder.iterdir()]):
        (folder / old).unlink(missing_ok=True)
    return path


def surplus(names: Sequence[str]) -> list[str]:
    """Which of the files in a folder are too many: the oldest capsules beyond `KEPT`."""
    return sorted(filter(_NAME.fullmatch, names))[:-KEPT]


def read(path: Path) -> Capsule:
    """The capsule in the file; raises CapsuleError."""
    try:
        data = read_bounded(path, MOST_BYTES)
        known = msgspec.json.decode(data, type=_Known)
        if known.format != FORMAT:
            text = _("{file} is a capsule of format {format}; this Arbitre reads format {known}.")
            raise CapsuleError(text.format(file=path.name, format=known.format, known=FORMAT))
        return msgspec.json.decode(data, type=Capsule)
    except OSError as error:
        text = _("{file} can't be read: {reason}.")
        raise CapsuleError(text.format(file=path.name, reason=reason(error))) from error
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise CapsuleError(_("{file} is no failure capsule.").format(file=path.name)) from error


class _Known(msgspec.Struct):
    """The fields that capsules of every format have."""

    format: int
