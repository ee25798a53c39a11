"""Child processes of bots and leagues: ready when they say so, explained when they are not, gone with all they started.

Programs that are not Arbitre's own have more around them: `bots.keeping`, `bots.sandbox`.

Errors: ChildError (a BotError)    a child that does not start, ends too early, or is not ready in time
"""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from bots.base import BotError
from client.process import Process
from locales import _
from locales.system import reason


class ChildError(BotError):
    """A child process that failed its starter; `stderr` is what it said last."""

    def __init__(self, message: str, stderr: str = "") -> None:
        super().__init__(message)
        self.stderr = stderr


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
            text = _("{name} ended at once, with code {code}.")
            raise ChildError(text.format(name=self.name, code=self.exit_code), self.stderr)
        return line
