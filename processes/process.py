"""Child processes that always end: each leads a process group, is asked to leave, then killed; stderr is bounded.

A child may start processes of its own, ignore signals, or write without end; whoever started it must get rid of all of
it. On POSIX a child leads a session: a signal reaches the whole group, and Ctrl-C in the terminal reaches only us. On
Windows it leads a console group (for Ctrl-Break), and `taskkill /T` ends the tree.
"""

import asyncio
import contextlib
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Self, TypeVar

STDERR_TAIL_BYTES = 64 * 1024
"""How much of a child's stderr is kept: the end of it."""

FIRST_LINE_BYTES = 64 * 1024
"""How much of a child's first line is read."""

_CHUNK = 64 * 1024
"""How much is read at once."""

TALK_S = 0.5
"""If a child is still starting this long after it wrote to stderr, the person who waits is shown what it wrote."""

_LAST_WORDS_S = 0.2
"""How long a pipe is still read after its process has ended."""

_PR_SET_PDEATHSIG = 1

T = TypeVar("T")

_IS_WINDOWS = sys.platform == "win32"


class Process:
    """One child process, as an async context manager: started on entry, gone with all its children on exit.

    command: the program and its arguments; never a shell.
    polite_s: how long it may take to leave after it was asked to.
    hear: is told each line that the child writes to stderr before it is ready, unless the child then ends; such lines
    are not kept.
    """

    def __init__(
        self,
        command: Sequence[str],
        *,
        environment: Mapping[str, str] | None = None,
        folder: Path | None = None,
        polite_s: float = 2.0,
        hear: Callable[[str], None] | None = None,
    ) -> None:
        self._hear = hear
        self._command = command
        self._environment = environment
        self._folder = folder
        self._polite_s = polite_s
        self._process: subprocess.Popen[bytes] | None = None
        self._stderr = bytearray()

    async def __aenter__(self) -> Self:
        await self.start()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.stop()

    @property
    def pid(self) -> int:
        """The process id; the child must have been started."""
        assert self._process is not None
        return self._process.pid

    @property
    def stderr(self) -> str:
        """The last `STDERR_TAIL_BYTES` of what the child wrote to its stderr so far."""
        return bytes(self._stderr).decode("utf-8", "replace").strip()

    async def start(self) -> None:
        """Starts the process; raises OSError if there is no such program."""
        assert self._process is None, "a child starts once"
        loop = asyncio.get_running_loop()
        self._first_line: asyncio.Future[str] = loop.create_future()
        self._exit: asyncio.Future[int] = loop.create_future()
        self._process = _spawn(self._command, self._environment, self._folder)
        assert self._process.stdout is not None
        assert self._process.stderr is not None
        drained = _thread(_drain, self._process.stderr, self._stderr, self._talked(loop))
        _thread(self._read_stdout, loop, self._process.stdout)
        _thread(self._wait, loop, self._process, drained)

    async def opening(self, timeout_s: float) -> str | None:
        """The first line that the child prints on stdout, None if it ends without one; raises TimeoutError."""
        async with asyncio.timeout(timeout_s):
            either: set[asyncio.Future[Any]] = {self._first_line, self._exit}
            await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)
            await asyncio.wait({self._first_line}, timeout=_LAST_WORDS_S)
            if self._first_line.done() and self._first_line.result():
                return self._first_line.result()
            await self.wait()
        return None

    @property
    def exit_code(self) -> int | None:
        """The exit code, None while the process lives; minus the signal's number if a signal ended it (POSIX)."""
        return self._exit.result() if self._exit.done() else None

    async def wait(self) -> int:
        """Waits for the process to end by itself."""
        return await asyncio.shield(self._exit)

    async def stop(self) -> None:
        """Asks the process to leave, then kills it and all that it started, whatever happens meanwhile."""
        if self._process is None:
            return
        try:
            if not self._exit.done():
                _ask_to_leave(self._process)
                await asyncio.wait({self._exit}, timeout=self._polite_s)
        finally:
            _kill_group(self._process)
        await asyncio.wait({self._exit}, timeout=self._polite_s)

    def kill(self) -> None:
        """Ends the process and all that it started at once, as a crash would; `stop` tidies up after it."""
        if self._process is not None:
            _kill_group(self._process)

    def _read_stdout(self, loop: asyncio.AbstractEventLoop, stream: IO[bytes]) -> None:
        line = stream.readline(FIRST_LINE_BYTES).decode("utf-8", "replace").strip()
        _tell(loop, self._first_line, line)
        _drain(stream, None)

    def _talked(self, loop: asyncio.AbstractEventLoop) -> Callable[[], None]:
        """What to do, on any thread, when the child has written to its stderr."""

        def talked() -> None:
            if self._hear is not None and not self._first_line.done():
                _call(loop, lambda: loop.call_later(TALK_S, self._pass_on))

        return talked

    def _pass_on(self) -> None:
        if self._hear is None or self._first_line.done() or self._exit.done():
            return
        said = bytes(self._stderr)
        del self._stderr[: len(said)]
        for line in said.decode("utf-8", "replace").splitlines():
            self._hear(line)

    def _wait(
        self, loop: asyncio.AbstractEventLoop, process: subprocess.Popen[bytes], drained: threading.Thread
    ) -> None:
        code = process.wait()
        drained.join(_LAST_WORDS_S)  # not longer: a grandchild may hold the pipe
        _tell(loop, self._exit, code)


def _spawn(
    command: Sequence[str], environment: Mapping[str, str] | None, folder: Path | None
) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment,
        cwd=folder,
        start_new_session=not _IS_WINDOWS,
        preexec_fn=_die_with_parent(),  # noqa: PLW1509 - it only makes one system call
        creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),
    )


def _die_with_parent() -> Callable[[], None] | None:
    """On Linux, what a child runs first so that the kernel kills it if we are killed and can't stop it ourselves."""
    if sys.platform != "linux":
        return None
    import ctypes

    prctl = ctypes.CDLL(None).prctl

    def ask_the_kernel() -> None:
        prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)

    return ask_the_kernel


def _ask_to_leave(process: subprocess.Popen[bytes]) -> None:
    polite = getattr(signal, "CTRL_BREAK_EVENT", signal.SIGTERM)
    with contextlib.suppress(OSError):
        process.send_signal(polite)


def _kill_group(process: subprocess.Popen[bytes]) -> None:
    """Kills the process and its descendants; called even if it has left, for those that it left behind."""
    if sys.platform == "win32":
        with contextlib.suppress(OSError, subprocess.SubprocessError):
            subprocess.run(
                ["taskkill", "/T", "/F", "/PID", str(process.pid)], capture_output=True, timeout=5, check=False
            )
    else:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)


def _ignore() -> None:
    pass


def _drain(stream: IO[bytes], kept: bytearray | None, more: Callable[[], None] = _ignore) -> None:
    """Reads `stream` to its end, so that the child never blocks on it; the last bytes stay in `kept`, and `more` hears
    that there are some.
    """
    with stream, contextlib.suppress(OSError, ValueError):
        while chunk := os.read(stream.fileno(), _CHUNK):
            if kept is not None:
                kept += chunk
                del kept[:-STDERR_TAIL_BYTES]
            more()


def _thread(target: Callable[..., None], *arguments: object) -> threading.Thread:
    thread = threading.Thread(target=target, args=arguments, daemon=True)
    thread.start()
    return thread


def _tell(loop: asyncio.AbstractEventLoop, future: asyncio.Future[T], value: T) -> None:
    """Settles `future` from another thread; nobody is left to tell if the loop is closed."""

    def settle() -> None:
        if not future.done():
            future.set_result(value)

    _call(loop, settle)


def _call(loop: asyncio.AbstractEventLoop, what: Callable[[], object]) -> None:
    """Calls `what` on the loop, from another thread, if the loop is not closed."""
    with contextlib.suppress(RuntimeError):
        loop.call_soon_threadsafe(what)
