"""Starts a program of others under its supervisor, holds its streams, ends it and reports how it ended.

On POSIX `processes.supervisor` stands between. On Windows there is no supervisor and no limit: we give the program time
to leave, then kill its tree ourselves.
"""

import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Literal, Protocol

from locales import _
from locales.system import reason
from machine import modules
from processes.counting import Activity, activity, descendants, usage
from processes.launch_options import LaunchOptions

REPORT_S = 0.5
"""How long after the end of its output a program may take to end."""

_START = "import sys; sys.path.append({root!r}); from {supervisor} import main; main(sys.argv[1:])"
_LEAVE = b"\n"
_SIGNALLED = 128
"""What the sandbox adds to the number of the signal that ended the program, as shells do."""


class StartError(Exception):
    """The program does not start; the message is the system's reason. is_ours: the supervisor itself failed."""

    def __init__(self, message: str, *, is_ours: bool = False) -> None:
        super().__init__(message)
        self.is_ours = is_ours


@dataclass(frozen=True, slots=True)
class Ending:
    """How a program ended; `value` is the exit code or the signal's number.

    over_*: it was stopped, because it used too much. closed: it only closed its output. lost: nobody knows, since what
    stood between us and it (the supervisor, the sandbox) was ended.
    """

    how: Literal["exit", "signal", "over_memory", "over_processes", "over_threads", "over_cpu", "closed", "lost"]
    value: int = 0


class Supervised(Protocol):
    """A program that runs, with its streams (blocking, unbuffered)."""

    stdin: IO[bytes]
    stdout: IO[bytes]
    stderr: IO[bytes]

    def ending(self) -> Ending:
        """How it ended; to be asked by one thread, once, when its output has ended. Takes at most `REPORT_S`."""
        ...

    def cpu_s(self) -> float | None:
        """The processor time that it has used, with all that it started; None where the system does not tell."""
        ...

    def activity(self) -> Activity | None:
        """What it does now, with all that it started; None where the system does not tell, and once it has ended."""
        ...

    def leave(self) -> None:
        """Ends it: SIGTERM after `LaunchOptions.polite_s`, SIGKILL after as long again. Returns at once."""
        ...

    def wait(self) -> None:
        """Waits until nothing of it is left. Only after its output has ended or `leave`."""
        ...


def _start() -> str:
    return _START.format(root=str(modules.HOME), supervisor=modules.full_name("processes.supervisor"))


def supervise(
    command: Sequence[str],
    launch: LaunchOptions,
    folder: Path | None = None,
    environment: Mapping[str, str] | None = None,
    wrappers: int = 0,
    calls: bytes = b"",
) -> Supervised:
    """Starts `command`; raises StartError.

    wrappers: the number of the sandbox's own processes. calls: the filter of system calls that it is to be handed.
    """
    try:
        if sys.platform == "win32":
            return _Tree(command, launch, folder, environment)
        return _Keeper(command, launch, folder, environment, wrappers, calls)
    except OSError as error:
        raise StartError(reason(error), is_ours=sys.platform != "win32") from error


def _why(number: object) -> str:
    """A sentence for the errno that the supervisor reported."""
    if isinstance(number, int) and number:
        return reason(OSError(number, os.strerror(number)))
    return _("the system gave no reason")


class _Keeper:
    def __init__(
        self,
        command: Sequence[str],
        launch: LaunchOptions,
        folder: Path | None,
        environment: Mapping[str, str] | None,
        wrappers: int,
        calls: bytes,
    ) -> None:
        from processes.supervisor import SupervisorSettings  # it is for POSIX

        self._wrapped = wrappers > 0
        self._is_over = False
        self._control, theirs = socket.socketpair()
        settings = SupervisorSettings(
            theirs.fileno(), launch.memory_bytes, launch.processes, launch.cpu_s, launch.polite_s, wrappers, calls.hex()
        )
        try:
            self._process = subprocess.Popen(
                [sys.executable, "-I", "-S", "-c", _start(), settings.word(), *command],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
                cwd=folder,
                env=environment,
                pass_fds=[theirs.fileno()],
                start_new_session=True,
            )
        except OSError:
            self._control.close()
            raise
        finally:
            theirs.close()
        self.stdin, self.stdout, self.stderr = _streams(self._process)
        self._reports = self._control.makefile("rb")
        started = self._report(launch.start_s)
        if isinstance(program := started.get("pid"), int):
            self._program = program
        else:
            for stream in (self.stdin, self.stdout, self.stderr):
                stream.close()
            self._close()
            raise StartError(_why(started.get("failed")), is_ours="failed" not in started)

    def ending(self) -> Ending:
        match self._report(REPORT_S):
            case {"exit": int(code)} if self._wrapped and code > _SIGNALLED:
                return Ending("signal", code - _SIGNALLED)
            case {"exit": int(code)}:
                return Ending("exit", code)
            case {"signal": int(number)} if not self._wrapped:  # else it is the sandbox that was ended from outside
                return Ending("signal", number)
            case {"over": "memory"}:
                return Ending("over_memory")
            case {"over": "processes"}:
                return Ending("over_processes")
            case {"over": "threads"}:
                return Ending("over_threads")
            case {"over": "cpu"}:
                return Ending("over_cpu")
            case {"late": True}:
                return Ending("closed")
            case _:  # the supervisor was killed: what it would have ended is left to us
                _kill_session(self._program)
                return Ending("lost")

    def cpu_s(self) -> float | None:
        tree = descendants(self._process.pid)
        return sum(usage(pid).cpu_s for pid in tree) if tree else None

    def activity(self) -> Activity | None:
        tree = descendants(self._process.pid)
        return activity(tree) if tree else None

    def leave(self) -> None:
        with contextlib.suppress(OSError):  # it has left
            self._process.send_signal(signal.SIGCONT)  # should the program have stopped it
            self._control.send(_LEAVE)
        if self._process.poll() is not None:
            _kill_session(self._program)

    def wait(self) -> None:
        self._process.wait()
        self._close()

    def _report(self, within_s: float) -> dict[str, object]:
        try:
            self._control.settimeout(within_s)
            report: dict[str, object] = json.loads(self._reports.readline())
        except TimeoutError:
            return {"late": True}
        except (OSError, ValueError):
            return {"late": True} if self._is_over else {}
        return report

    def _close(self) -> None:
        self._is_over = True  # the program is gone, and its number may be another's by now
        self._reports.close()
        self._control.close()
        self._process.wait()


def _kill_session(session: int) -> None:
    """Kills the processes of a session, whose supervisor is gone; those that have left it are not found."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(session, signal.SIGKILL)
    for folder in Path("/proc").glob("[0-9]*"):  # there is none on other systems than Linux
        with contextlib.suppress(OSError, ValueError):
            said = (folder / "stat").read_bytes().rpartition(b")")[2].split()
            if int(said[3]) == session:
                os.kill(int(folder.name), signal.SIGKILL)


class _Tree:
    """Windows: the program alone, its tree ended by `taskkill`."""

    def __init__(
        self, command: Sequence[str], launch: LaunchOptions, folder: Path | None, environment: Mapping[str, str] | None
    ) -> None:
        self._launch = launch
        self._process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
            cwd=folder,
            env=environment,
            creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),
        )
        self.stdin, self.stdout, self.stderr = _streams(self._process)

    def ending(self) -> Ending:
        try:
            return Ending("exit", self._process.wait(REPORT_S))
        except subprocess.TimeoutExpired:
            return Ending("closed")

    def cpu_s(self) -> float | None:
        return None

    def activity(self) -> Activity | None:
        return None

    def leave(self) -> None:
        threading.Thread(target=self._leave, daemon=True).start()

    def _leave(self) -> None:
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(self._launch.polite_s)
        tree = ["taskkill", "/T", "/F", "/PID", str(self._process.pid)]
        with contextlib.suppress(OSError, subprocess.SubprocessError):
            subprocess.run(tree, capture_output=True, timeout=5, check=False)

    def wait(self) -> None:
        self._process.wait()


def _streams(process: subprocess.Popen[bytes]) -> tuple[IO[bytes], IO[bytes], IO[bytes]]:
    assert process.stdin is not None
    assert process.stdout is not None
    assert process.stderr is not None
    return process.stdin, process.stdout, process.stderr


def signal_name(number: int) -> str:
    """The name of a signal: "SIGSEGV" for 11."""
    try:
        return signal.Signals(number).name
    except ValueError:
        return str(number)
