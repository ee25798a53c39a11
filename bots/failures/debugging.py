"""Runs a failed decision of a Python bot in pdb, in the foreground of the user's terminal.

The process is not watched by a supervisor, for its user is there; the sandbox is the same.
"""

import os
import random
import signal
import subprocess
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path

from msgspec.structs import replace

import games
from bots.adapters.engine import variables
from bots.adapters.pupils.facts import Over, Ponder, Request, Response, Stop, read_response, write
from bots.adapters.python_file import NEEDED, command_of, make_question
from bots.adapters.settings import read_settings
from bots.base import FILE_FAMILY, BotSpec, BotSpecError
from bots.diary import AskedMatch, BotQuestion
from bots.failures.capsule import Capsule, reached
from locales import _
from processes import sandbox


def check(spec: BotSpec) -> None:
    """Raises BotSpecError if `spec` is not a Python file or folder, which pdb can debug."""
    if spec.family.name != FILE_FAMILY:
        raise BotSpecError(
            _("--debug is for a bot in Python, a file or a folder; {bot} is none.").format(bot=spec.spec)
        )


def debug(failed: Capsule, spec: BotSpec, before: Sequence[AskedMatch]) -> Response | None:
    """Repeats `before` and the failed decision; pdb opens at the failure. Returns the outcome, if known.

    The last match of `before` is the one that failed.
    """
    settings = read_settings(str(spec.options.values["file"]), spec.launch)
    asked = (*before[-1].asked, BotQuestion(" ".join(failed.moves), failed.budget))
    whole = (*before[:-1], replace(before[-1], asked=asked))
    folder = settings.folder or settings.file.parent
    with ExitStack() as stack:
        requests = stack.enter_context(tempfile.TemporaryFile("w+", encoding="utf-8"))
        answer = stack.enter_context(tempfile.TemporaryFile("w+"))
        requests.writelines(f"{write(request)}\n" for request in _requests(whole, failed.seed, spec))
        requests.seek(0)
        numbers: tuple[int, ...] = (requests.fileno(), answer.fileno())
        words = [*map(str, numbers), "1" if failed.reason == "illegal" else "0"]
        command, environment = [*command_of(settings, spec.launch, "debugger"), *words], variables()
        if spec.launch.sandbox and sandbox.obstacle() is None:
            calls = stack.enter_context(tempfile.TemporaryFile())
            calls.write(sandbox.refused_calls())
            calls.seek(0)
            apart = tuple(map(Path, spec.launch.apart))
            command = sandbox.wrap(
                command, folder=folder, readable=NEEDED, apart=apart, own=settings.folder, calls_at=calls.fileno()
            )
            environment = {**environment, **sandbox.environment(os.environ)}
            numbers = (*numbers, calls.fileno())
        _run(command, folder, environment, numbers)
        answer.seek(0)
        line = answer.read()
    return read_response(line) if line else None


def _requests(played: Sequence[AskedMatch], seed: str, spec: BotSpec) -> Iterator[Request]:
    """The games as the process of a file is told them."""
    for number, game in enumerate(played):
        rules = games.parse(game.game)
        chance = str(random.Random(f"{seed}:{game.match_seed}").getrandbits(64))
        is_pondering = False
        for asked in game.asked:
            moves = tuple(asked.moves.split())
            position = reached(rules, moves)
            if is_pondering:
                yield Stop()
            if is_pondering := asked.to_ponder:
                yield Ponder(rules.spec, position.notation, moves, f"{chance}:{len(moves)}")
            else:
                yield make_question(rules, position, moves, asked.budget, spec.launch, chance)
        if number < len(played) - 1:
            end = reached(rules, tuple(game.moves.split()))
            yield Over(rules.spec, end.notation, game.seat, game.result.winner if game.result is not None else None)


def _run(command: Sequence[str], folder: Path, environment: Mapping[str, str], files: Sequence[int]) -> None:
    """Runs the command in the foreground; meanwhile only pdb handles Ctrl-C."""
    before = signal.signal(signal.SIGINT, lambda _number, _frame: None)
    try:
        subprocess.run(command, cwd=folder, env=environment, pass_fds=files, check=False)
    finally:
        signal.signal(signal.SIGINT, before)
