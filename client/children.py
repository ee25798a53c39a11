"""The server and the bots that a person's client starts as processes of its own, and never leaves behind.

Each child leads its own session, so that Ctrl-C in the terminal reaches only the client, which then asks the child to
leave (SIGTERM) and kills its whole group if it does not.
Errors: ChildFailed (a ClientError)    a child that ended before it was ready; the message ends with what it said
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Self

from client.errors import ClientError
from locales import _

LEAVE_S = 5.0
READY_S = 30.0
USAGE = 2
"""The exit code of a command whose arguments are wrong."""

_PROGRAM = Path(__file__).parents[1] / "arbitre.py"
_LISTENING = "listening on "
_PR_SET_PDEATHSIG = 1


class ChildFailed(ClientError):  # noqa: N818 - what happened
    """A child ended before it was ready; `usage` if that was for what its user typed."""

    def __init__(self, message: str, *, usage: bool = False) -> None:
        super().__init__(message)
        self.usage = usage


class Child:
    """`arbitre ARGUMENTS` as a process, as an async context manager."""

    def __init__(self, arguments: Sequence[str]) -> None:
        self._arguments = arguments
        self._said: deque[str] = deque(maxlen=5)
        self._tasks: list[asyncio.Task[None]] = []

    async def __aenter__(self) -> Self:
        self._process = await asyncio.create_subprocess_exec(
            sys.executable,
            str(_PROGRAM),
            *self._arguments,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            start_new_session=True,
            preexec_fn=die_with_parent(),
        )
        assert self._process.stderr is not None
        self._tasks.append(asyncio.create_task(self._drain(self._process.stderr)))
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.stop()

    @property
    def ended(self) -> bool:
        """Whether the process is gone."""
        return self._process.returncode is not None

    def failure(self) -> ChildFailed:
        """The error that tells what the child said last: of an Arbitre command, why it failed, in a sentence."""
        words = self._said[-1] if self._said else _("no reason given")
        reason = words.removeprefix(_("Error: {message}").format(message=""))
        if reason != words:
            return ChildFailed(reason, usage=self._process.returncode == USAGE)
        return ChildFailed(_("{command} ended: {words}").format(command=f"arbitre {self._arguments[0]}", words=words))

    async def first_line(self) -> str:
        """The first line that the child prints; the rest is read and dropped. Raises ChildFailed."""
        assert self._process.stdout is not None
        with suppress(TimeoutError):
            async with asyncio.timeout(READY_S):
                line = (await self._process.stdout.readline()).decode(errors="replace").strip()
            if line:
                self._tasks.append(asyncio.create_task(self._drain(self._process.stdout)))
                return line
            await self._process.wait()
            await asyncio.wait(self._tasks, timeout=1)
        raise self.failure()

    async def stop(self) -> None:
        """Asks the child to leave, then kills it and all that it started."""
        if not self.ended:
            with suppress(ProcessLookupError):
                self._process.terminate()
            with suppress(TimeoutError):
                async with asyncio.timeout(LEAVE_S):
                    await self._process.wait()
        self._kill_group()
        await self._process.wait()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def _kill_group(self) -> None:
        with suppress(ProcessLookupError, PermissionError):
            if sys.platform != "win32":
                os.killpg(self._process.pid, signal.SIGKILL)
            elif not self.ended:
                self._process.kill()

    async def _drain(self, stream: asyncio.StreamReader) -> None:
        while chunk := await stream.read(4096):
            self._said.extend(line.strip() for line in chunk.decode(errors="replace").splitlines() if line.strip())


def die_with_parent() -> Callable[[], None] | None:
    """On Linux, what a child runs first so that the kernel kills it if we are killed and can't stop it ourselves."""
    if sys.platform != "linux":
        return None
    import ctypes

    prctl = ctypes.CDLL(None).prctl

    def ask_the_kernel() -> None:
        prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)

    return ask_the_kernel


async def server_address(server: Child) -> str:
    """Where the server that `arbitre serve` started listens; raises ChildFailed."""
    line = await server.first_line()
    if not line.startswith(_LISTENING):
        raise ChildFailed(line)
    return line.removeprefix(_LISTENING)
