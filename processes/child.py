"""Child processes of Arbitre: wait until they are ready, explain why they fail, end them with their descendants.

Programs of others get a supervisor and a sandbox as well: `processes.supervised`, `processes.sandbox`.

Errors: ChildError    a child that does not start, ends too early, or is not ready in time
"""

from __future__ import annotations

import sys
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Final

from locales import _
from locales.system import reason
from machine import modules
from processes import stopping
from processes.process import Process

LEAVE_S = 5.0
SPARE_S = 1.0
READY_S = 90.0
"""How long a command may take to be ready: most take a third of a second, but some bots compile their search first."""

USAGE = 2
"""The exit code of a command whose arguments are wrong."""

TRUST_THIS_MACHINE: Final = ("--trust", "127.0.0.1", "--trust", "::1")
"""Arguments for a server that a command starts for itself: everybody who connects is its own."""

LISTENING: Final = "listening on "
"""What a server prints before its address, once it can be reached."""


class ChildError(Exception):
    """A child process did not start, ended too early, or was not ready in time; `stderr` is what it said last.

    usage: whether it ended because of what its user typed.
    """

    def __init__(self, message: str, stderr: str = "", *, usage: bool = False) -> None:
        super().__init__(message)
        self.stderr = stderr
        self.usage = usage


class Child(Process):
    """One child process, as an async context manager; `name` is what messages call it, the rest is as in `Process`."""

    def __init__(
        self,
        command: Sequence[str],
        *,
        name: str,
        environment: Mapping[str, str] | None = None,
        folder: Path | None = None,
        polite_s: float = 2.0,
        hear: Callable[[str], None] | None = None,
    ) -> None:
        super().__init__(command, environment=environment, folder=folder, polite_s=polite_s, hear=hear)
        self.name = name

    async def start(self) -> None:
        """Starts the process; raises ChildError if there is no such program."""
        try:
            await super().start()
        except OSError as error:
            raise ChildError(
                _("{name} can't be started: {reason}.").format(name=self.name, reason=reason(error))
            ) from error

    async def first_line(self, timeout_s: float) -> str:
        """The first line that the child prints on stdout: its sign that it is ready. Raises ChildError."""
        try:
            line = await self.opening(timeout_s)
        except TimeoutError:
            raise ChildError(
                _("{name} was not ready after {seconds:g} s.").format(name=self.name, seconds=timeout_s), self.stderr
            ) from None
        if line is None:
            raise self._ended()
        return line

    async def address(self, timeout_s: float) -> str:
        """The address of a server child, from its first line; raises ChildError."""
        line = await self.first_line(timeout_s)
        if not line.startswith(LISTENING):
            raise ChildError(line)
        return line.removeprefix(LISTENING)

    def _ended(self) -> ChildError:
        text = _("{name} ended at once, with code {code}.")
        return ChildError(text.format(name=self.name, code=self.exit_code), self.stderr)


class Command(Child):
    """Runs `arbitre ARGUMENTS` and passes its stderr on to the user who waits for it."""

    def __init__(self, arguments: Sequence[str]) -> None:
        super().__init__(
            modules.command(*arguments), name=f"arbitre {arguments[0]}", polite_s=LEAVE_S, hear=_pass_on
        )  # fmt: skip

    async def stop(self) -> None:
        """Ends the process; after a signal to Arbitre it gets time to leave politely first."""
        stopping.postpone(self._polite_s + SPARE_S)
        await super().stop()

    def _ended(self) -> ChildError:
        """The error that tells what the command said last: why it failed, in a sentence."""
        said = [line.strip() for line in self.stderr.splitlines() if line.strip()]
        words = said[-1] if said else _("no reason given")
        why = words.removeprefix(_("Error: {message}").format(message=""))
        if why != words:
            return ChildError(why, usage=self.exit_code == USAGE)
        return ChildError(_("{command} ended: {words}").format(command=self.name, words=words))


class Restarts:
    """Limits restarts of a child: at most `most` in `within_s` seconds."""

    def __init__(self, most: int, within_s: float) -> None:
        self._within_s = within_s
        self._starts: deque[float] = deque(maxlen=most)

    def again(self, now: float) -> bool:
        """Counts a restart at `now`; returns whether it is allowed."""
        if len(self._starts) == self._starts.maxlen and now - self._starts[0] < self._within_s:
            return False
        self._starts.append(now)
        return True


def _pass_on(line: str) -> None:
    sys.stderr.write(f"{line}\n")
    sys.stderr.flush()
