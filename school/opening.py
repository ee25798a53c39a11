"""Opens a class: its server, its two codes, and the process that hosts it, until it is stopped.

Errors: ChildError, ExecutorError    the server does not come up, or is gone for good
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable, Mapping
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Final, NamedTuple

from league.config import League, presentable
from league.executors.restarting_server import RestartingServer
from locales import _
from machine.files import replace_private
from school.config import Classroom
from school.core import Core
from school.folder import Entrance, keep_entrance
from school.host import OpenClass
from school.journal import Journal
from school.rooms import Room
from services.house.entries import USUAL

SECRET: Final = "secret"  # noqa: S105 - the name of a file
"""The file with the teacher's secret in a class's folder."""

HOUSE_GAMES: Final = 40
EARLIER_ENDS_S: Final = 15.0


class ServerOptions(NamedTuple):
    """Where the class's server listens. announced: on the network. house, review: with house bots, with reviews."""

    host: str
    port: int
    announced: bool = False
    house: bool = True
    review: bool = True


class Opened(NamedTuple):
    """What the teacher is told once the class is open."""

    entrance: Entrance
    secret: str


def kept_secret(folder: Path) -> str:
    """The teacher's secret, made when the class is opened first; raises OSError."""
    path = folder / SECRET
    if path.exists() and (kept := path.read_text(encoding="utf-8").strip()):
        return kept
    made = secrets.token_hex(8)
    replace_private(path, made)
    return made


def server_of(folder: Path, place: ServerOptions, secret: str, tell: Callable[[str], None]) -> RestartingServer:
    """The class's own server, which keeps what it knows in the class's folder."""
    database = folder / "server.sqlite"
    kept: tuple[str, ...] = ("--db", str(database), "--durability", "process", "--for-good")
    announced = ("--mdns",) if place.announced else ()
    house = ("--house-bots", USUAL, "--house-games", str(HOUSE_GAMES)) if place.house else ("--no-house-bots",)
    kept += ("--review",) if place.review else ()
    patience = EARLIER_ENDS_S if database.exists() else 0.0
    return RestartingServer(
        place.host, place.port, secret=secret, options=(*kept, *announced), house=house, tell=tell, patience=patience
    )  # fmt: skip


def idle_league(classroom: Classroom) -> League:
    """The league of a room while none is played; it has no bots."""
    name = presentable(classroom.title, _("Class"))
    return League(name, classroom.game, (), clock=classroom.clock, roster=classroom.names)


async def open_class(  # noqa: PLR0913 - all that the command was told
    folder: Path,
    classroom: Classroom,
    journal: Journal,
    codes: Mapping[str, str],
    earlier: Entrance | None,
    place: ServerOptions,
    *,
    sandbox: bool,
    runs: bool,
    reached: Callable[[str], str],
    say: Callable[[str], None],
    ready: Callable[[Opened], None],
) -> None:
    """Hosts the class until it is cancelled. reached: what other machines call the server's address."""
    secret = kept_secret(folder)
    core = Core(folder, classroom, journal, codes, runs=runs, sandbox=sandbox, say=say)
    async with AsyncExitStack() as stack:
        server = await stack.enter_async_context(server_of(folder, place, secret, say))
        core.url = server.url
        idle = idle_league(classroom)
        for name, code, kept in (
            ("people", earlier.code if earlier else None, "host.json"),
            ("bots", earlier.bots if earlier else None, "host-bots.json"),
        ):
            room = Room(core.url, idle, code=code, codes=core.codes, secret=secret, kept=folder / kept, tell=say)
            setattr(core, name, room)
        host = OpenClass(core)
        host.decide()
        await stack.enter_async_context(core.people)
        await stack.enter_async_context(core.bots)
        stack.push_async_callback(core.close)
        core.entrance = Entrance(core.people.code, core.bots.code, page_of(reached(core.url)))
        keep_entrance(folder, core.entrance)
        ready(Opened(core.entrance, secret))
        try:
            await host.run()
        except asyncio.CancelledError:
            host.leagues.close()
            server.kill()  # pages and bots leave a server that ends in order; they wait for one that vanishes
            raise


def page_of(url: str) -> str:
    """The address of a server's pages."""
    return f"http{url.removeprefix('ws')}".rstrip("/")
