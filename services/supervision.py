"""Services as child processes of a server: started when it listens, started again when they end, ended with it."""

from __future__ import annotations

import asyncio
import os
import secrets
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Final, Protocol

from machine import modules
from machine.variables import SECRETS, SERVICE
from processes.child import Child, ChildError, Restarts
from server.commands.serving_cli import Beside
from server.logs import Event, note

RESTARTS: Final = 5
WITHIN_S: Final = 60.0
"""A service is restarted at most RESTARTS times within WITHIN_S seconds; then it is given up."""

PAUSE_S: Final = 0.5
"""Between the end of a service and its next start."""

POLITE_S: Final = 1.0
"""How long a service may take to leave when the server stops."""


@dataclass(frozen=True, slots=True)
class Service:
    """One process: its `name` in the log, and the module that it runs, whose first argument is the server's address.

    trusted: whether it is given the secret of the services; an untrusted one is given no secret of the server at all.
    """

    name: str
    module: str
    arguments: tuple[str, ...] = ()
    trusted: bool = True


class Running(Protocol):
    """What is asked of a child process here; `processes.child.Child` is one."""

    async def start(self) -> None:
        """Starts it; raises ChildError."""
        ...

    async def wait(self) -> int:
        """Waits for its end; returns its exit code."""
        ...

    async def stop(self) -> None:
        """Ends it, and whatever it has started."""
        ...


def beside(services: Sequence[Service]) -> Beside | None:
    """What a server starts to have these services, with a secret drawn for them; None if there are none."""
    if not services:
        return None
    secret = secrets.token_urlsafe(32)

    @asynccontextmanager
    async def opened(address: str) -> AsyncGenerator[None]:
        tasks = [asyncio.create_task(keep(one.name, _starter(one, address, secret))) for one in services]
        try:
            yield
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    return Beside(secret, opened)


async def keep(
    name: str, make: Callable[[], Running], pause: Callable[[float], Awaitable[object]] = asyncio.sleep
) -> None:
    """Runs a service until it is cancelled, or until it has ended too often; `make` makes its next process."""
    restarts = Restarts(RESTARTS, WITHIN_S)
    while True:
        code = await _run(make())
        if not restarts.again(asyncio.get_running_loop().time()):
            note(Event.SERVICE_GIVEN_UP, service=name, code=code)
            return
        note(Event.SERVICE_ENDED, service=name, code=code)
        await pause(PAUSE_S)


async def _run(child: Running) -> int | None:
    """Runs a process to its end; returns its exit code, None if it could not be started."""
    try:
        await child.start()
        return await child.wait()
    except ChildError:
        return None
    finally:
        await child.stop()


def _starter(service: Service, address: str, secret: str) -> Callable[[], Running]:
    environment = {name: value for name, value in os.environ.items() if service.trusted or name not in SECRETS}
    if service.trusted:
        environment[SERVICE] = secret
    command = modules.module_command(service.module, address, *service.arguments)
    return lambda: Child(command, name=service.name, environment=environment, polite_s=POLITE_S)
