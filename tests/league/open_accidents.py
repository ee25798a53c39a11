"""Open leagues whose cables are pulled, and whose host, server and bots are killed, at random moments.

The bots are on machines of their own (network namespaces). A cable, the host and his server are nobody's fault. A bot
that is killed comes back by itself, like a pupil who starts it again; the game that it was playing may be lost, by it.
"""

from __future__ import annotations

import os
import random
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path

from league.history.log import load
from league.history.season import Season
from league.history.verification import verify
from tests.faults.network import SERVER, Network
from tests.league.accidents import ROOT, BrokenLeagueError, Course

PORT = 8765
NAMES = ("Ann", "Ben", "Col")
PATIENCE_S = 400.0
SHORTEST_S, LONGEST_S = 1.0, 20.0
"""For how long a cable is out."""

LEAGUE = """\
[league]
name = "Room"
game = "puissance4"
clock = "20s+0.1s"
openings = "random:plies=4"
rounds = {rounds}
seed = {seed}
faults = 1000
"""

BOT = '''\
"""A pupil's file that takes its time."""
import random
import time


def choose(position):
    time.sleep(0.1)
    return random.choice(position.legal_moves())
'''


class Mishap(Enum):
    """What happens."""

    CABLE = "a bot's cable is pulled"
    HOST = "the host's process is killed"
    SERVER = "the host's server is killed"
    BOT = "a bot is killed"


@dataclass(slots=True)
class Room:
    """The processes of one open league; bots: those of NAMES, in their order. killed: whose process was killed."""

    folder: Path
    network: Network
    host: subprocess.Popen[str] | None = None
    bots: list[subprocess.Popen[str] | None] = field(default_factory=lambda: [None] * len(NAMES))
    killed: set[str] = field(default_factory=set)
    happened: Counter[Mishap] = field(default_factory=Counter)

    def open(self) -> None:
        """Opens the league, or opens it again."""
        what = "room" if (self.folder / "room" / "league.jsonl").exists() else "room.toml"
        words = ("league", "open", what, "--host", SERVER, "--port", str(PORT), "--bots", str(len(NAMES)))
        self.host = self._start(None, "host", *words)

    def enter(self, number: int) -> None:
        """Starts a bot, as its pupil does."""
        words = (
            "bot",
            str(self.folder / "bot.py"),
            f"{SERVER}:{PORT}",
            "--league",
            self.code(),
            "--name",
            NAMES[number],
        )
        self.bots[number] = self._start(number, NAMES[number], *words)

    def code(self) -> str:
        """The league's code, from its log."""
        until = time.monotonic() + 60
        while time.monotonic() < until:
            if (self.folder / "room" / "league.jsonl").exists() and (
                code := Season.of(load(self.folder / "room")).code
            ):
                return code
            time.sleep(0.1)
        raise BrokenLeagueError("the league does not open")

    def close(self) -> None:
        """Ends all that is still there."""
        for process in (self.host, *self.bots):
            if process is not None and process.poll() is None:
                process.kill()
                process.wait()

    def _start(self, player: int | None, whose: str, *words: str) -> subprocess.Popen[str]:
        home = self.folder / f"home-{whose}"
        home.mkdir(exist_ok=True)
        environment = {
            "PATH": os.environ["PATH"], "HOME": str(home), "PYTHONPATH": str(ROOT),
            "ARBITRE_STATE_DIR": str(home / "state"),
        }  # fmt: skip
        log = (self.folder / f"{whose}.log").open("a", encoding="utf-8")
        command = [*self.network.within(player), sys.executable, "-P", "-m", "arbitre", "--lang", "en", *words]
        with log:
            return subprocess.Popen(
                command, cwd=self.folder, env=environment, stdin=subprocess.DEVNULL, stdout=log, stderr=log, text=True
            )


def play(folder: Path, seed: int, mishaps: Sequence[Mishap], count: int, rounds: int = 4) -> tuple[Course, Room]:
    """Plays an open league to its end with so many mishaps; raises BrokenLeagueError, NoNetworkError."""
    folder.mkdir(parents=True)
    (folder / "room.toml").write_text(LEAGUE.format(seed=seed, rounds=rounds), encoding="utf-8")
    (folder / "bot.py").write_text(BOT, encoding="utf-8")
    rng = random.Random(seed)
    with Network(len(NAMES)) as network, ExitStack() as stack:
        room = Room(folder, network)
        stack.callback(room.close)
        room.open()
        for number in range(len(NAMES)):
            room.enter(number)
        deadline = time.monotonic() + PATIENCE_S
        while room.host is not None and room.host.poll() is None:
            if time.monotonic() > deadline:
                raise BrokenLeagueError(f"{folder.name}: the league does not end")
            time.sleep(rng.uniform(0.5, 3))
            if sum(room.happened.values()) < count:
                _happen(room, rng.choice(mishaps), rng)
            _revive(room)
        assert room.host is not None
        if room.host.returncode:
            said = (folder / "host.log").read_text(encoding="utf-8", errors="replace")[-2000:]
            raise BrokenLeagueError(f"{folder.name}: the league ended with {room.host.returncode}: {said}")
        return _look(folder), room


def _happen(room: Room, mishap: Mishap, rng: random.Random) -> None:
    number = rng.randrange(len(NAMES))
    room.happened[mishap] += 1
    match mishap:
        case Mishap.CABLE:
            room.network.plug(number, plugged=False)
            time.sleep(rng.uniform(SHORTEST_S, LONGEST_S))
            room.network.plug(number, plugged=True)
        case Mishap.HOST:
            assert room.host is not None
            room.host.kill()
            room.host.wait()
            time.sleep(rng.uniform(0, 3))
            room.open()
        case Mishap.SERVER:
            assert room.host is not None
            subprocess.run(["pkill", "-KILL", "-P", str(room.host.pid)], check=False)
        case Mishap.BOT:
            bot = room.bots[number]
            if bot is not None and bot.poll() is None:
                bot.kill()
                bot.wait()
                room.killed.add(NAMES[number])


def _revive(room: Room) -> None:
    """Who has ended is started again, the host too if it is not over."""
    for number, bot in enumerate(room.bots):
        if bot is None or bot.poll() is not None:
            room.enter(number)


def _look(folder: Path) -> Course:
    entries = load(folder / "room")
    course = Course(complaints=verify(entries)[0])
    season = Season.of(entries)
    course.finished = season.finished
    for game in season.games:
        course.games[game.pairing, game.number] = game
    if course.complaints or not season.finished or len(course.games) != len(season.games):
        raise BrokenLeagueError(f"{folder.name}: {course.complaints or 'not finished, or a game twice'}")
    return course


def check(course: Course, room: Room) -> None:
    """Raises BrokenLeagueError if somebody was charged who was not killed, or somebody is out."""
    for key, game in course.games.items():
        if game.faulty is not None and game.faulty not in room.killed:
            raise BrokenLeagueError(f"{key}: {game.faulty} was charged: {game.reason}, {game.detail}")
