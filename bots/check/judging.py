"""Decides what is a failure, from the matches that were played and the frames that passed. Pure."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Literal, assert_never

from bots.check.interference import HARMLESS, Message, RelayEntry
from games.base import Game, Position, Seat
from locales import _, decimal, ngettext
from protocol.messages import Result
from terminal.phrases import title_of

Status = Literal["ok", "failed", "skipped"]

MatchTrouble = Literal["declined", "absent", "exited", "away", "stuck"]
"""How a match can fail to end: the bot refused it, did not join, its process ended, it lost its connection and did not
come back, or nothing happened any more."""


LATE_START_MS = 500
LATE_START_TIMES = 5
"""A first move that takes so long, and so many times what later ones take, looks like the start of a program."""


@dataclass(frozen=True, slots=True)
class CheckedMatch:
    """One match of the bot on `seat`. `result` is None if it did not end, `trouble` then says why.

    thinking_ms, left_ms: what the server charged for each move of the bot, and what its clock had after it.
    """

    match: str
    game: Game
    seat: Seat
    moves: tuple[str, ...] = ()
    result: Result | None = None
    trouble: MatchTrouble | None = None
    thinking_ms: tuple[int, ...] = ()
    left_ms: tuple[int, ...] = ()

    @property
    def position(self) -> Position:
        """The last position."""
        return self.positions()[-1]

    def positions(self) -> list[Position]:
        """Every position, from the first."""
        found = [self.game.start()]
        for move in self.moves:
            found.append(found[-1].play(move))
        return found

    def passes(self, seat: Seat) -> int:
        """How often `seat` had to pass."""
        return sum(position.passed is seat for position in self.positions())

    @property
    def bot_moved_last(self) -> bool:
        """Whether the bot made the last move of a game that ended by the rules."""
        positions = self.positions()
        return len(positions) > 1 and positions[-1].outcome() is not None and positions[-2].to_move is self.seat

    @property
    def timed_out(self) -> bool:
        """Whether the match ended because a clock ran out."""
        return self.result is not None and self.result.reason == "timeout"

    @property
    def broke(self) -> bool:
        """Whether the bot lost the match by a fault, of which its author should hear."""
        reason = None if self.result is None or self.result.winner == self.seat else self.result.reason
        return reason in ("timeout", "crash", "illegal")

    @property
    def bot_moves(self) -> int:
        """How many moves the bot made."""
        return sum(position.to_move is self.seat for position in self.positions()[:-1])


@dataclass(frozen=True, slots=True)
class Evidence:
    """What shows a failure: the match (None without one), the last frames, the bot's stderr."""

    played: CheckedMatch | None = None
    exchange: tuple[str, ...] = ()
    stderr: str = ""


@dataclass(frozen=True, slots=True)
class Finding:
    """What a check found: a sentence without its full stop, and for a failure what shows it."""

    status: Status
    text: str
    evidence: Evidence = field(default=Evidence())


@dataclass(frozen=True, slots=True)
class MatchFault:
    """What is wrong in a match, or (`played` is None) with the bot."""

    text: str
    played: CheckedMatch | None = None


def first_fault(matches: Sequence[CheckedMatch], log: Sequence[RelayEntry]) -> MatchFault | None:
    """The first thing that went wrong in `matches`, or that the server refused meanwhile; None if all is well."""
    for played in matches:
        if (text := _fault(played)) is not None:
            return MatchFault(text, played)
    for refusal in refusals(log):
        where = _match_of(refusal, log)
        text = _("the server refused a message: {code} ({said})").format(
            code=refusal.get("code"), said=refusal.get("message")
        )
        return MatchFault(text, next((played for played in matches if played.match == where), None))
    return None


def _match_of(refusal: Message, log: Iterable[RelayEntry]) -> object:
    """The match of the bot's message that was refused."""
    sent = (message for entry in log if entry.what == "bot" for message in entry.frame.messages)
    asked = refusal.get("id")
    return next((message.get("match") for message in sent if asked is not None and message.get("id") == asked), None)


def refusals(log: Iterable[RelayEntry]) -> list[Message]:
    """The errors that the bot got, without the harmless ones."""
    return [
        message
        for entry in log
        if entry.what == "server"
        for message in entry.frame.messages
        if message.get("type") == "error" and message.get("code") not in HARMLESS
    ]


def _fault(played: CheckedMatch) -> str | None:
    ply = len(played.moves) + 1
    if played.result is None:
        return None if played.trouble is None else _trouble(played.trouble, played.game.spec)
    if played.result.winner == played.seat:
        return None
    match played.result.reason:
        case "illegal":
            return _("it played an illegal move at move {ply}").format(ply=ply)
        case "crash":
            return _("it failed at move {ply}").format(ply=ply)
        case "timeout":
            return _("its time ran out at move {ply}").format(ply=ply)
        case "abandoned":
            return _("it left the match at move {ply}").format(ply=ply)
        case "aborted":
            return _("it called the match off")
        case "rules" | "line" | "discs" | "full" | "resign" | "agreement" | "adjudicated":
            return None
        case _:
            assert_never(played.result.reason)


def _trouble(trouble: MatchTrouble, game: str) -> str:
    match trouble:
        case "declined":
            return _("it declined an invitation to {game} after it had accepted one").format(game=title_of(game))
        case "absent":
            return _("it did not join a match of {game} that it was invited to").format(game=title_of(game))
        case "exited":
            return _("its process ended in a match of {game}").format(game=title_of(game))
        case "away":
            return _("its connection was lost and it did not come back")
        case "stuck":
            return _("a match of {game} did not end").format(game=title_of(game))
        case _:
            assert_never(trouble)


def summary(matches: Sequence[CheckedMatch]) -> str:
    """How much was played, and the slowest move: "2 games, 60 moves, slowest 0.004 s".

    A program that nobody greets may still be starting when it is asked for its first move; then that is said.
    """
    moves = sum(played.bot_moves for played in matches)
    played = ngettext("{count} game", "{count} games", len(matches)).format(count=len(matches))
    moved = ngettext("{count} move", "{count} moves", moves).format(count=moves)
    slowest = max((ms for one in matches for ms in one.thinking_ms), default=0)
    text = _("{games}, {moves}, slowest {seconds} s")
    if _starts_late(matches):
        text = _("{games}, {moves}, slowest {seconds} s: first moves only; does its start count on its clock?")
    return text.format(games=played, moves=moved, seconds=decimal(slowest / 1000, 3))


def _starts_late(matches: Sequence[CheckedMatch]) -> bool:
    """Whether the first move of a game takes far longer than all that are not the first."""
    first = max((one.thinking_ms[0] for one in matches if one.thinking_ms), default=0)
    later = max((ms for one in matches for ms in one.thinking_ms[1:]), default=None)
    return later is not None and first >= LATE_START_MS and first > LATE_START_TIMES * later


def exchange(log: Iterable[RelayEntry], match: str | None = None, last: int = 8) -> tuple[str, ...]:
    """The last messages as lines: "> " before the bot's, "< " before the server's.

    Those of other matches are left out, and answers that say nothing: of many matches at once, they would be all. The
    token, which is secret, is left out.
    """
    lines = [line for entry in log for line in _lines(entry, match)]
    return tuple(lines[-last:])


def _lines(entry: RelayEntry, match: str | None) -> list[str]:
    if entry.what == "cut":
        return [_("-- the connection is cut")]
    sign = ">" if entry.what == "bot" else "<"
    if not entry.frame.messages:
        return [f"{sign} {entry.frame.text}"]
    return [
        f"{sign} {json.dumps(_without_secret(message), ensure_ascii=False, separators=(',', ':'))}"
        for message in entry.frame.messages
        if (match is None or message.get("match", match) == match) and not _says_nothing(message)
    ]


def _says_nothing(message: Message) -> bool:
    """Whether it is an `ok` and no more."""
    return message.get("type") == "ok" and message.keys() <= {"type", "id"}


def _without_secret(message: Message) -> Message:
    return {**message, "token": "..."} if message.get("token") else message


def longest_absence_s(log: Iterable[RelayEntry]) -> float:
    """The longest time, in seconds, from a cut to the next welcome."""
    longest, cut_at = 0.0, None
    for entry in log:
        if entry.what == "cut":
            cut_at = entry.at
        elif cut_at is not None and any(message.get("type") == "welcome" for message in entry.frame.messages):
            longest, cut_at = max(longest, entry.at - cut_at), None
    return longest
