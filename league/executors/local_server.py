"""A server and bots as processes on this machine, and a connection that arranges their matches and watches them.

Errors: LocalServerError    a process does not come up, or the server goes; the message is a sentence for the user
"""

import asyncio
import os
import sys
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

from client.connection import Client
from client.errors import ClientError
from games.base import Game
from league.executors.resource import Resource
from locales import _
from machine import modules
from machine.variables import ORGANISER
from processes.child import TRUST_THIS_MACHINE, Child, ChildError

START_S = 90.0
"""How long a process may take to come up: usual is a third of a second, but some bots compile their search first."""

ABSENCE = "20s"
"""How long the server waits for a player who is away before the opponent may claim the win."""

ABANDONMENT = "30s"
"""How long the server waits for two players who are both away: longer than for one, who may win meanwhile."""

LOOPBACK = "127.0.0.1"


READY = "ready "


class LocalServerError(Exception):
    """The processes that a contest needs are not there; `stderr` is what the one at fault said last."""

    def __init__(self, message: str, stderr: str = "") -> None:
        super().__init__(message)
        self.stderr = stderr


def say(line: str) -> None:
    """Prints on standard error, above a live table where there is one: click's `echo` would write into it."""
    sys.stderr.write(f"{line}\n")


def say_once() -> Callable[[str], None]:
    """Prints what it is told on standard error, the same line only once: several bots may wait for one thing."""
    said: set[str] = set()

    def say_new(line: str) -> None:
        if line not in said:
            said.add(line)
            say(line)

    return say_new


def arbitre(
    *arguments: str,
    name: str,
    environment: Mapping[str, str] | None = None,
    folder: Path | None = None,
    hear: Callable[[str], None] | None = None,
) -> Child:
    """A process that runs an Arbitre command in `folder`, not yet started; `environment` is added to ours.

    hear: see `processes.process.Process`.
    """
    return module("arbitre", *arguments, name=name, environment=environment, folder=folder, hear=hear)


def module(
    *words: str,
    name: str,
    environment: Mapping[str, str] | None = None,
    folder: Path | None = None,
    hear: Callable[[str], None] | None = None,
) -> Child:
    """As `arbitre`, for a module and its arguments."""
    variables = {**os.environ, **(environment or {})}
    return Child(modules.module_command(*words), name=name, environment=variables, folder=folder, hear=hear)


@asynccontextmanager
async def serving(
    host: str = LOOPBACK,
    port: int = 0,
    *,
    secret: str | None = None,
    options: Sequence[str] = (),
    house: Sequence[str] = ("--no-house-bots",),
) -> AsyncGenerator[tuple[Child, str]]:
    """A server's process, and its address as this machine reaches it; port 0 takes a free one. Raises ChildError.

    secret: of its organisers. options: more words for its command line, among them --mdns if it is to be announced;
    house: those about its own bots. A server for this machine alone trusts it.
    """
    words = (
        "serve", "--host", host, "--port", str(port), "--absence", ABSENCE, "--abandonment", ABANDONMENT,
        "--no-mdns", *house,
    )  # fmt: skip
    environment = {} if secret is None else {ORGANISER: secret}
    own = TRUST_THIS_MACHINE if host == LOOPBACK else ()
    async with arbitre(*words, *own, *options, name=_("The server"), environment=environment) as server:
        address = await server.address(START_S)
        yield server, address.replace("0.0.0.0", "127.0.0.1")  # noqa: S104


class LocalServer(Resource):
    """As an async context manager: a server on a free port, our own `bots` connected to it, and `client`.

    Entering raises LocalServerError. game: what will be played: the bots get ready for no other.
    names: what each bot is called on the server, in the order of `bots`.
    """

    def __init__(self, bots: Sequence[str], seed: str, game: Game) -> None:
        super().__init__()
        self.names: tuple[str, ...] = ()
        self._bots = tuple(bots)
        self._seed = seed
        self._game = game

    def _meaning(self, error: BaseException) -> Exception | None:
        if isinstance(error, ChildError | ClientError):
            return LocalServerError(str(error), getattr(error, "stderr", ""))
        return None

    async def _start(self) -> None:
        self.server, url = await self._stack.enter_async_context(serving())
        children, hear = [], say_once()
        for number, bot in enumerate(self._bots, 1):
            command = ("bot", bot, url, "--seed", f"{self._seed}:{number}", "--game", self._game.spec)
            children.append(await self._stack.enter_async_context(arbitre(*command, name=bot, hear=hear)))
        lines = await asyncio.gather(*(child.first_line(START_S) for child in children))
        self.names = tuple(line.removeprefix(READY) for line in lines)
        self.client = await self._stack.enter_async_context(Client(url, name="organiser", kind="human", patience_s=5))
