"""A program of others as a child process. It reads and writes lines; their length, number and time are bounded.

One thread uses an `Engine`, that of its bot; only `close` may be called from any thread. A fault is a BotFaultError
with the last lines of the conversation and the end of the program's stderr. Whoever catches one closes the engine:
after a fault, the next answer may belong to an earlier question.
"""

import contextlib
import os
import re
import select
import shutil
import sys
import threading
import time
from collections import deque
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import IO, assert_never

from bots.adapters.conversation import Conversation
from bots.adapters.pupils.patience import Deadline
from bots.base import BotFaultError, Budget, Fault
from locales import _
from processes import sandbox
from processes.belongings import belongings
from processes.launch_options import LaunchOptions
from processes.supervised import REPORT_S, Ending, StartError, Supervised, signal_name, supervise
from processes.supervisor import THREADS

LINE_BYTES = 64 << 10
"""The length of the longest line that is read."""

LINES_KEPT = 64
"""How many lines are kept until they are received; a program that writes more has to wait."""

STDERR_BYTES = 16 << 10
"""How much of a program's stderr is kept; the end counts."""

STDERR_RATE = 16 << 20
"""How many bytes of it are read in a second: a program that writes without end waits instead of using up cores."""

EXCHANGE_LINES = 20
EXCHANGE_CHARACTERS = 500
"""How much of the conversation a fault carries: how many lines, and how much of each."""

SEND_S = 5.0
"""How long `send` waits for a program that does not read and whose pipe is full."""

MARGIN_S = 1.0
"""How long we wait for a move after the clock has run out: when the flag falls, the server decides."""

REST_LOOK_S = 0.01
REST_LOOKS = 5
"""A program is at rest if it does nothing from one look to the next, so many times in a row."""

_LAST_WORDS_S = 0.2
"""How long we wait for the end of the stderr of a program that has ended."""

_CHUNK = 1 << 16
_SECRETS = "ARBITRE_"
_SHARED = frozenset({"ARBITRE_LANG"})


class Engine:
    """One run of a program of others.

    command: the program and its arguments; never run by a shell.
    name: what messages call it.
    folder: its working directory; by default ours.
    environment: by default ours, without Arbitre's own variables (which may hold passwords).
    readable: files and folders that it needs besides its own, if it runs in a sandbox.
    own: a folder that belongs to the program as a whole, whatever its files are called.
    """

    def __init__(
        self,
        command: Sequence[str],
        *,
        name: str,
        launch: LaunchOptions,
        folder: Path | None = None,
        environment: Mapping[str, str] | None = None,
        readable: Sequence[Path] = (),
        own: Path | None = None,
    ) -> None:
        self._command = tuple(command)
        self._name = name
        self._launch = launch
        self._folder = folder
        self._environment = environment
        self._readable = tuple(readable)
        self._own = own
        self._apart = tuple(map(Path, launch.apart))
        self._hidden: Sequence[Path] = ()
        self._supervised: Supervised | None = None
        self._news = threading.Condition()
        self._lines: deque[bytes] = deque()
        self._ending: Ending | None = None
        self._overlong = False
        self._closed = False
        self._sending = threading.Lock()
        self._exchange: deque[str] = deque(maxlen=EXCHANGE_LINES)
        self._stderr = bytearray()
        self._reading_stderr = threading.Lock()
        self._stderr_over = threading.Event()
        self._conversation: Conversation | None = None

    def start(self) -> None:
        """Starts the program; raises BotFaultError if it can't be started. Does not wait until the program is ready."""
        assert self._supervised is None, "an engine starts once"
        if not _is_there(self._command[0], self._folder):
            raise self._not_started(_("there is no such program"))
        command, wrappers, given, calls = self._command, 0, self._environment or variables(), b""
        if self._launch.sandbox and sandbox.obstacle() is None:
            command = tuple(
                sandbox.wrap(command, folder=self._folder, readable=self._readable, apart=self._apart, own=self._own)
            )
            wrappers, given = sandbox.WRAPPERS, self._environment or sandbox.environment(os.environ)
            calls = sandbox.refused_calls()
            self._hidden = belongings(self._command, self._folder or Path.cwd(), self._apart, self._own).hidden
        try:
            supervised = supervise(command, self._launch, self._folder, {**_OF_PYTHON, **given}, wrappers, calls)
        except StartError as error:
            raise self._not_started(str(error), is_ours=error.is_ours) from error
        if sys.platform != "win32":
            os.set_blocking(supervised.stdin.fileno(), False)
        self._supervised = supervised
        for target in (self._read_lines, self._read_stderr):
            threading.Thread(target=target, args=(supervised,), name="engine", daemon=True).start()
        if self._closed:  # another thread closed it meanwhile
            supervised.leave()

    # -- the conversation

    def write_into(self, conversation: Conversation | None) -> None:
        """Writes what is said from now on into this file; ends the one before. The last one ends with the program."""
        before, self._conversation = self._conversation, conversation
        if before is not None:
            before.close()

    def send(self, line: str) -> None:
        """Writes a line; raises BotFaultError if the program has ended or does not read."""
        assert self._supervised is not None, "start it first"
        self._exchange.append(_clip(f"> {line}"))
        if self._conversation is not None:
            self._conversation.sent(line)
        with self._sending:
            if self._closed or self._supervised.stdin.closed:  # we closed it, or the program has ended
                raise self._gone()
            try:
                _write(self._supervised.stdin, line, SEND_S)
            except TimeoutError:
                text = _("{name} does not read what it is sent").format(name=self._name)
                raise self.fault("timeout", text) from None
            except OSError:
                raise self._gone() from None

    def receive(self, deadline: Deadline) -> str:
        """The next line, without its line end; raises BotFaultError if none comes before `deadline`."""
        within_s = deadline.left_s
        with self._news:
            while not self._has_news() and (slice_s := deadline.slice_s) > 0:
                self._news.wait_for(self._has_news, slice_s)
            if self._closed:
                raise self._gone()
            line = self._lines.popleft() if self._lines else None
            self._news.notify_all()  # there is room for another
        if line is None:
            if self._overlong:
                self._exchange.append("< ...")
                text = _("{name} wrote a line of more than {count} KiB").format(name=self._name, count=LINE_BYTES >> 10)
                raise self.fault("crash", text)
            if self._ending is not None:
                raise self._gone()
            text = _("{name} did not answer within {seconds} s").format(name=self._name, seconds=f"{within_s:.3g}")
            raise self.fault("timeout", text)
        try:
            text = line.decode().removesuffix("\r")
        except UnicodeDecodeError:
            self._exchange.append(_clip(f"< {line.decode(errors='replace')}"))
            raise self.fault("crash", _("{name} wrote a line that is not UTF-8").format(name=self._name)) from None
        self._exchange.append(_clip(f"< {text}"))
        return text

    def settle(self, deadline: Deadline) -> None:
        """Waits until the program is at rest, has written a line, or has ended; not at all where nobody knows.

        At rest: none of its processes computes, or waits for a processor or a disk. Linux only.
        """
        assert self._supervised is not None, "start it first"
        before, quiet = self._supervised.activity(), 0
        while before is not None and quiet < REST_LOOKS and deadline.left_s > 0:
            with self._news:
                if self._news.wait_for(self._has_news, REST_LOOK_S):
                    return
            now = self._supervised.activity()
            rests = now is not None and now.ticks == before.ticks and not (now.busy or before.busy)
            quiet = quiet + 1 if rests else 0
            before = now

    def fault(self, reason: Fault, message: str, *, is_ours: bool = False) -> BotFaultError:
        """An error with `message`, the last lines of both sides, and the program's stderr.

        The message also says so if the program may have failed because the sandbox hides a file.
        """
        self.hear_out()
        stderr = self.stderr
        if missed := _missed(self._hidden, f"{message}\n{stderr}") if reason == "crash" else "":
            text = _(
                "{file} lies beside it, but in the sandbox a bot that shares its folder sees only its own file, what "
                "it imports and what is called like it, and nothing of other bots. It sees all of a folder of its "
                "own: put it there as main.py, with its files."
            )
            message = f"{message}\n  {text.format(file=missed)}"
        return BotFaultError(reason, message, exchange=tuple(self._exchange), stderr=stderr, is_ours=is_ours)

    @property
    def stderr(self) -> str:
        """The last `STDERR_BYTES` of what the program wrote to its stderr so far."""
        return bytes(self._stderr).decode("utf-8", "replace").strip()

    @property
    def cpu_s(self) -> float | None:
        """The processor time that the program has used; None where that is not known, and once it has ended."""
        return self._supervised.cpu_s() if self._supervised is not None and self.is_alive else None

    @property
    def is_alive(self) -> bool:
        """Whether the program runs, as far as we know."""
        return self._supervised is not None and not self._closed and self._ending is None

    def pass_over(self) -> None:
        """Drops the lines that were not received yet."""
        with self._news:
            self._lines.clear()
            self._news.notify_all()

    def close(self, farewell: str | None = None) -> None:
        """Ends the program: by a last line, then by a signal, then by force. Returns at once; any thread may call it.

        A `receive` that is waiting ends with a fault.
        """
        with self._news:
            if self._closed:
                return
            self._closed = True
            self._news.notify_all()
        if self._supervised is None:
            self.write_into(None)
            return
        if farewell is not None and self._conversation is not None:
            self._conversation.sent(farewell)
        if self._sending.acquire(blocking=False):  # else a `send` still waits: the program does not read
            try:
                if farewell is not None and not self._supervised.stdin.closed:
                    _write(self._supervised.stdin, farewell, 0.0)
            except (OSError, TimeoutError):
                pass  # it is gone already
            finally:
                self._supervised.stdin.close()
                self._sending.release()
        self._supervised.leave()

    # -- below

    def _has_news(self) -> bool:
        return bool(self._lines) or self._closed or self._overlong or self._ending is not None

    def _not_started(self, reason: str, *, is_ours: bool = False) -> BotFaultError:
        text = _("{name} can't be started: {reason}").format(name=self._name, reason=reason)
        return self.fault("crash", text, is_ours=is_ours)

    def _gone(self) -> BotFaultError:
        """The fault of a program that has ended. Its last output may need a moment to arrive."""
        with self._news:
            self._news.wait_for(lambda: self._closed or self._ending is not None, _LAST_WORDS_S + REPORT_S)
        if self._closed:
            return self.fault("crash", _("{name}: the match is over").format(name=self._name))
        self._stderr_over.wait(_LAST_WORDS_S)
        ending = self._ending or Ending("closed")
        text = _describe(ending, self._launch).format(name=self._name)
        return self.fault("crash", text, is_ours=ending.how == "lost")

    def _read_lines(self, supervised: Supervised) -> None:
        """Runs on a thread: keeps lines for `receive` until the program ends, then releases its resources."""
        number, rest = supervised.stdout.fileno(), b""
        with contextlib.suppress(OSError):
            while (chunk := os.read(number, _CHUNK)) and not (self._closed or self._overlong):
                *lines, rest = (rest + chunk).split(b"\n")
                for line in lines:
                    self._put(line)
                if len(rest) > LINE_BYTES:
                    self._put(rest)
            while os.read(number, _CHUNK):
                pass
        ending = supervised.ending()
        with self._news:
            self._ending = ending
            self._news.notify_all()
        supervised.wait()
        supervised.stdout.close()
        with self._sending:
            supervised.stdin.close()
        self._stderr_over.wait(_LAST_WORDS_S)
        self.write_into(None)

    def _put(self, line: bytes) -> None:
        """Keeps a line for `receive`; waits while there are too many, and after an overlong line until `close`."""
        if self._conversation is not None:
            self._conversation.received(line)
        with self._news:
            self._news.wait_for(lambda: self._closed or len(self._lines) < LINES_KEPT)
            if self._closed or self._overlong:
                return
            if len(line) <= LINE_BYTES:
                self._lines.append(line)
            else:
                self._overlong = True
            self._news.notify_all()
            self._news.wait_for(lambda: self._closed or not self._overlong)

    def _read_stderr(self, supervised: Supervised) -> None:
        """Runs on a thread: keeps the end of what the program writes to its stderr."""
        stream = supervised.stderr
        with contextlib.suppress(OSError):
            while (taken := self._take_stderr(stream)) is not None:
                time.sleep(taken / STDERR_RATE)
        with self._reading_stderr:
            stream.close()
        self._stderr_over.set()

    def _take_stderr(self, stream: IO[bytes]) -> int | None:
        """Waits for more of the stderr and keeps it; returns how many bytes there were, None at its end."""
        if sys.platform == "win32":
            return self._keep_stderr(os.read(stream.fileno(), _CHUNK))
        _readable(stream, None)
        with self._reading_stderr:  # `hear_out` may have read it meanwhile
            return self._keep_stderr(os.read(stream.fileno(), _CHUNK)) if _readable(stream, 0) else 0

    def hear_out(self) -> None:
        """Reads what the program has written to its stderr by now, which the thread may not have read yet.

        One chunk is enough: a pipe holds no more.
        """
        if sys.platform == "win32" or self._supervised is None:
            return
        stream = self._supervised.stderr
        with self._reading_stderr:
            if not stream.closed and _readable(stream, 0):
                with contextlib.suppress(OSError):
                    self._keep_stderr(os.read(stream.fileno(), _CHUNK))

    def _keep_stderr(self, chunk: bytes) -> int | None:
        if self._conversation is not None:
            self._conversation.printed(chunk)
        self._stderr += chunk
        del self._stderr[:-STDERR_BYTES]
        return len(chunk) or None


def _readable(stream: IO[bytes], within_ms: int | None) -> bool:
    """Whether data, or the end, can be read within `within_ms`; None waits as long as it takes."""
    poll = select.poll()
    poll.register(stream, select.POLLIN)
    return bool(poll.poll(within_ms))


def move_deadline_s(budget: Budget, launch: LaunchOptions) -> float:
    """How many seconds a move may take: the time on the clock and a margin, or `launch.move_s` without a clock."""
    left_ms = budget.until_flag_ms
    return launch.move_s if left_ms is None else left_ms / 1000 + MARGIN_S


def _write(stream: IO[bytes], line: str, within_s: float) -> None:
    """Writes a line; raises TimeoutError if the pipe stays full for `within_s`, OSError if nobody reads it any more."""
    if stream.closed:  # the program has ended, and the thread that reads its output has closed its streams
        raise BrokenPipeError
    number, data = stream.fileno(), line.encode() + b"\n"
    end = time.monotonic() + within_s
    while True:
        with contextlib.suppress(BlockingIOError):
            data = data[os.write(number, data) :]
        if not data:
            return
        poll = select.poll()
        poll.register(number, select.POLLOUT)
        if not poll.poll(max(0.0, end - time.monotonic()) * 1000):
            raise TimeoutError


def _describe(ending: Ending, launch: LaunchOptions) -> str:
    """How a program ended: a sentence with a placeholder {name}."""
    match ending.how:
        case "exit":
            return _("{name} ended, with code {code}").replace("{code}", str(ending.value))
        case "signal":
            return _("{name} was ended by {signal}").replace("{signal}", signal_name(ending.value))
        case "over_memory":
            size = f"{launch.memory_bytes / (1 << 20):.0f}"
            return _("{name} was stopped: it used more than {size} MiB of memory").replace("{size}", size)
        case "over_processes":
            text = _("{name} was stopped: it ran more than {count} processes")
            return text.replace("{count}", str(launch.processes))
        case "over_threads":
            text = _("{name} was stopped: it ran more than {count} threads")
            return text.replace("{count}", str(THREADS * launch.processes))
        case "over_cpu":
            text = _("{name} was stopped: it used more than {seconds} s of processor time")
            return text.replace("{seconds}", f"{launch.cpu_s:g}")
        case "closed":
            return _("{name} closed its input or output")
        case "lost":
            return _("{name} is gone, and nobody saw how")
    assert_never(ending.how)


def _missed(hidden: Sequence[Path], said: str) -> str:
    """The name of the file that the sandbox hides and whose absence `said` reports; "" if there is none."""
    for path in hidden:
        written = rf"(?<![\w.-]){re.escape(path.name)}(?![\w-])"
        module = rf"['\"«“‘]\s?{re.escape(path.stem)}\s?['\"»”’]"
        if re.search(written, said) or (path.suffix in {".py", ""} and re.search(module, said)):
            return path.name
    return ""


def _is_there(program: str, folder: Path | None) -> bool:
    """Whether the system finds the program. We ask before the start: a sandbox reports a missing one on stderr only."""
    path = os.path.join(folder or ".", program) if "/" in program else program  # noqa: PTH118 - Path drops a "./"
    return shutil.which(path) is not None


_OF_PYTHON = {"PYTHONUNBUFFERED": "1", "PYTHONHASHSEED": "0"}
"""For programs in Python. Without the first, what they print without a flush stays in a buffer. Without the second,
sets of texts have another order in each process, so that the same seed does not give the same moves."""


def variables() -> dict[str, str]:
    """Our environment without Arbitre's own variables, with those that a program in Python should have."""
    ours = {name: value for name, value in os.environ.items() if not name.startswith(_SECRETS) or name in _SHARED}
    return {**_OF_PYTHON, **ours}


def _clip(text: str) -> str:
    return text if len(text) <= EXCHANGE_CHARACTERS else text[:EXCHANGE_CHARACTERS] + " ..."
