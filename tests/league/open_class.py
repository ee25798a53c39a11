"""A class that opens a league in processes of its own, and the bots that enter it."""

import re
import signal
import subprocess
import threading
import time
from collections.abc import Callable
from contextlib import ExitStack, suppress
from pathlib import Path

from league.history.log import load
from league.history.season import Season
from tests.league.processes import ARBITRE, ROOT, started

ROSTER = '\n[roster]\nnames = ["Léa", "Tom", "Zoé"]\n'

ENDLESS = 1000
"""How often each two meet: more than are played while a test looks on."""


def describe(folder: Path, roster: str = ROSTER, rounds: int = ENDLESS) -> Path:
    """Writes the file of an open league."""
    path = folder / "class.toml"
    path.write_text(
        '[league]\nname = "Classe"\ngame = "morpion"\nclock = "none"\nopenings = "two-ply"\n'
        f"rounds = {rounds}\n{roster}",
        encoding="utf-8",
    )
    return path


def arbitre(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """A command that ends by itself."""
    environment = {"PYTHONPATH": str(ROOT), "PATH": "", "ARBITRE_STATE_DIR": str(folder / "state")}
    return subprocess.run(
        [*ARBITRE, "--lang", "en", *words], cwd=folder, env=environment, capture_output=True, text=True, timeout=60,
        check=False,
    )  # fmt: skip


_HOW = re.compile(r"my_bot\.py (\S+) --league (\w+)")


class Class:
    """A folder in which a league is opened, and bots that enter it; all of it ends with `stack`."""

    def __init__(self, folder: Path, stack: ExitStack) -> None:
        self.folder = folder
        self._stack = stack
        self.port = "0"
        self.code = ""
        self.teacher: subprocess.Popen[str] | None = None
        self.told: list[str] = []

    def open(self, what: str = "class.toml", *more: str) -> None:
        """Opens the league, or opens it again, on the port where it was."""
        words = ["league", "open", what, *(more or ("--host", "127.0.0.1", "--port", self.port)), "--bots", "3"]
        self.teacher = self._stack.enter_context(started([*ARBITRE, "--lang", "en", *words], self.folder))
        told = self.told = []
        stream = self.teacher.stderr
        assert stream is not None

        def listen() -> None:
            with suppress(ValueError):  # the process is over, and its end of the pipe closed
                told.extend(iter(stream.readline, ""))

        threading.Thread(target=listen, daemon=True).start()
        soon(lambda: any(map(_HOW.search, told)))
        (found,) = filter(None, map(_HOW.search, told))
        self.port = found[1].rpartition(":")[2]
        self.code = found[2]

    def hear(self, sentence: str) -> None:
        """Waits until the teacher is told this."""
        soon(lambda: f"{sentence}\n" in self.told)

    def end(self, number: signal.Signals) -> None:
        assert self.teacher is not None
        self.teacher.send_signal(number)
        self.teacher.wait(20)

    def bot(self, code: str, name: str) -> subprocess.Popen[str]:
        words = ["bot", "random", f"ws://127.0.0.1:{self.port}", "--league", code, "--name", name]
        return self._stack.enter_context(started([*ARBITRE, "--lang", "en", *words], self.folder))

    def codes(self) -> dict[str, str]:
        rows = arbitre(self.folder, "league", "codes", "class").stdout.splitlines()
        return dict(row.split("\t") for row in rows)

    def season(self) -> Season:
        return Season.of(load(self.folder / "class"))


def soon(holds: Callable[[], bool]) -> None:
    """Waits until something holds."""
    until = time.monotonic() + 30
    while not holds():
        assert time.monotonic() < until, "it never came to be"
        time.sleep(0.05)
