"""Tries a program that was handed in: it is loaded, and plays whole games on both sides. For a process of its own.

What a pupil reads of a failure comes in parts, so that a page can show each where it belongs.
"""

from __future__ import annotations

import ast
import random
import re
import time
from pathlib import Path
from typing import Final

from msgspec import Struct, convert

from bots.adapters.pupils import notebooks
from bots.adapters.pupils.trouble import decode
from bots.adapters.studio import libraries
from bots.base import (
    FILE_FAMILY,
    Bot,
    BotError,
    BotFaultError,
    BotLoadError,
    BotSpec,
    Budget,
    MatchHistory,
    SupervisorLostError,
    parse_bot,
)
from bots.failures.parts import SHARES, parts_of
from games.base import Game, Position, Seat
from locales import _
from processes.launch_options import LaunchOptions
from protocol.messages import Clock
from school.messages import Fault

OPPONENTS: Final = ("random", "first")
"""The program plays against each of them, on both sides."""

TESTS: Final = 1 + 2 * len(OPPONENTS)

CLOCK: Final = Clock(10_000, 100)
"""Of each game: enough for a program that thinks a third of a second a move."""

ENOUGH_FAULTS: Final = 2
"""After this many games with a fault no more are played: they would say the same."""

_VERSION: Final = re.compile(r"\bv\d+_(?=\w)")


class Examined(Struct, frozen=True, omit_defaults=True):
    """The result of the tests; note: what its author should know.

    lost: there is no result, because a process of ours failed.
    """

    passed: int
    of: int
    fault: Fault | None = None
    lost: bool = False
    note: str = ""


def examine(path: Path, game: Game, clock: Clock | None, launch: LaunchOptions, seed: str) -> Examined:
    """Tries the file at `path`."""
    spec = parse_bot(f"{FILE_FAMILY}:{path.name}").with_launch_options(launch)
    try:
        spec.check(game)
    except SupervisorLostError:
        return Examined(0, TESTS, lost=True)
    except BotLoadError as error:
        return Examined(0, TESTS, fault_of(error, path.name))
    except BotError as error:
        return Examined(0, TESTS, Fault(_own_name(str(error))[: SHARES["what"]]))
    passed, faults = 1, list[Fault]()
    for opponent in OPPONENTS:
        for seat in Seat:
            if len(faults) >= ENOUGH_FAULTS:
                break
            try:
                _play(spec, parse_bot(opponent), game, seat, clock or CLOCK, f"{seed}:{opponent}:{seat.value}")
            except _Failed as failed:
                if failed.fault is None:
                    return Examined(passed, TESTS, lost=True)
                faults.append(failed.fault)
            else:
                passed += 1
    return Examined(passed, TESTS, faults[0] if faults else None, note=_note(path))


def _note(path: Path) -> str:
    """That a file that was loaded can't be tried in the studio, if it imports what browsers have not."""
    try:
        data = path.read_bytes()
        text = notebooks.read(data).text if path.suffix.lower() == notebooks.SUFFIX else decode(data)
        found = libraries(ast.parse(text))
    except (OSError, SyntaxError, ValueError, notebooks.NotebookError):
        return ""
    if not found:
        return ""
    said = _("It imports {modules}, which is installed here, and not in the studio: there the file can't be tried.")
    return said.format(modules=", ".join(found))


class Climbed(Struct, frozen=True, omit_defaults=True):
    """What a program makes in a game against a level: 1, 0.5 or 0, None if it was not played; fault: how it failed."""

    made: float | None
    fault: Fault | None = None


class _Failed(Exception):  # noqa: N818 - it never leaves this module
    """The program failed in a game; if `fault` is None, a process of ours failed instead."""

    def __init__(self, fault: Fault | None) -> None:
        super().__init__()
        self.fault = fault


def against(
    path: Path, game: Game, clock: Clock | None, launch: LaunchOptions, opponent: str, seat: Seat, seed: str
) -> Climbed:
    """Lets the file at `path` play a game against `opponent`."""
    spec = parse_bot(f"{FILE_FAMILY}:{path.name}").with_launch_options(launch)
    try:
        return Climbed(_play(spec, parse_bot(opponent), game, seat, clock or CLOCK, seed))
    except SupervisorLostError:
        return Climbed(None)
    except BotLoadError as error:
        return Climbed(0.0, fault_of(error, path.name))
    except BotError as error:
        return Climbed(0.0, Fault(_own_name(str(error))[: SHARES["what"]]))
    except _Failed as failed:
        return Climbed(None if failed.fault is None else 0.0, failed.fault)


def _play(spec: BotSpec, opponent: BotSpec, game: Game, seat: Seat, clock: Clock, seed: str) -> float:
    """Plays a whole game; returns the program's points. Raises _Failed."""
    bot = spec.make(game, seat, random.Random(seed))
    rival = opponent.make(game, seat.other, random.Random(seed))
    name = str(spec.spec).partition(":")[2] or spec.spec
    position, moves, left_ms = game.start(), tuple[str, ...](), clock.initial_ms
    try:
        bot.get_ready()
        while position.outcome() is None:
            if position.to_move is seat:
                move, left_ms = _ask(bot, position, moves, clock, left_ms, name)
            else:
                rival.history = MatchHistory("check", moves)
                move = rival.choose(position, Budget(1_000, move_ms=1_000))
            position, moves = position.play(move), (*moves, move)
    except BotFaultError as error:
        raise _Failed(None if error.is_ours else fault_of(error, name, game, position)) from error
    except BotError as error:
        raise _Failed(Fault(_own_name(str(error))[: SHARES["what"]])) from error
    finally:
        bot.close()
        rival.close()
    winner = position.outcome().winner  # type: ignore[union-attr]  # it is over
    return 0.5 if winner is None else float(winner is seat)


def _ask(
    bot: Bot, position: Position, moves: tuple[str, ...], clock: Clock, left_ms: int, name: str
) -> tuple[str, int]:
    """A move, and what is left on the clock; raises BotFaultError and _Failed."""
    bot.history = MatchHistory("check", moves)
    budget_ms = clock.move_ms or left_ms
    began = time.monotonic()
    move = bot.choose(position, Budget(budget_ms, clock.increment_ms, clock.move_ms or None))
    left_ms -= round((time.monotonic() - began) * 1000)
    if not clock.move_ms and left_ms <= 0:
        raise _Failed(Fault(_("{file}: its time ran out.").format(file=_own_name(name))))
    if move not in position.legal_moves():
        raise _Failed(Fault(_("{file} played {move}, which is no legal move.").format(file=_own_name(name), move=move)))
    return move, left_ms + clock.increment_ms


def fault_of(
    error: BotFaultError | BotLoadError, file: str, game: Game | None = None, position: Position | None = None
) -> Fault:
    """What is told of an error, in parts; `file` as it is kept."""
    return convert(parts_of(error, file, game, position, named=_own_name), Fault)


def _own_name(text: str) -> str:
    """The text without the version prefix of file names, so that the file has the name its author gave it."""
    return _VERSION.sub("", text)
