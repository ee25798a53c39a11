"""The supervisor of one foreign program: a small process between it and us, so that nothing of it outlives a match.

`processes.supervised` runs this module with `python -I -S`: standard library only, one thread, POSIX. The program is
its child and has its standard streams; the supervisor has one more, the control stream, a socket to us.

- It is a subreaper (Linux): whatever the program starts, however often it forks away, stays below the supervisor.
- It counts the descendants, their memory and their processor time (`processes.counting`), and ends them all when there
  is too much. Where the system lets it, a control group bounds their memory and number (`processes.control_group`).
- No process of the same user may look into it or stop it in a debugger (Linux: it is not dumpable).
- When the program ends, when we ask, or when we are gone (the control stream ends), it kills all that is left.

Arguments: the settings as `SupervisorSettings.word` writes them, then the command.
Control stream: it tells us {"pid": n} or {"failed": errno}, and at the end {"exit": code}, {"signal": number} or
{"over": "memory" | "processes" | "threads" | "cpu"}, or {"told": number} if somebody has sent the supervisor a signal
that ends it, a line each; any byte from us means: ask the program to leave, then kill it.

It starts with every program of others, so it imports little: `json` and `typing` would take a quarter of its start.
"""

from __future__ import annotations

import ctypes
import os
import resource
import select
import signal
import sys
import time
from collections.abc import Sequence
from contextlib import suppress

from processes.control_group import ControlGroup, create_group
from processes.counting import descendants, takes_more, usage

TICK_S = 0.1
"""How often the descendants are counted."""

KILL_S = 5.0
"""How long killing is repeated; a process that is stuck in the kernel can't be helped by more."""

FILES = 256
"""How many open files each process may have."""

FILE_BYTES = 64 << 20
"""How large a file of the program may grow."""

THREADS = 8
"""How many threads a process may have on average."""

FILTER = 200
"""The file descriptor on which a sandbox finds the filter of its system calls; below what a process may open."""

_PR_SET_PDEATHSIG = 1
_PR_SET_DUMPABLE = 4
_PR_SET_CHILD_SUBREAPER = 36
_IS_LINUX = sys.platform == "linux"


class SupervisorSettings:
    """What the supervisor is told; sizes in bytes, times in seconds.

    control: the file descriptor of the control stream.
    wrappers: how many processes at the top of the tree are the sandbox's own: they are not counted nor asked to leave.
    calls: the filter of its system calls, in hexadecimal digits; empty for none.
    """

    def __init__(
        self,
        control: int,
        memory: int,
        processes: int,
        cpu_s: float,
        polite_s: float,
        wrappers: int = 0,
        calls: str = "",
    ) -> None:
        self.control = control
        self.memory = memory
        self.processes = processes
        self.cpu_s = cpu_s
        self.polite_s = polite_s
        self.wrappers = wrappers
        self.calls = calls

    def word(self) -> str:
        """The same as one argument."""
        numbers = (self.control, self.memory, self.processes, self.cpu_s, self.polite_s, self.wrappers)
        return ",".join((*map(str, numbers), self.calls))

    @classmethod
    def read(cls, word: str) -> SupervisorSettings:
        """What `word` has written."""
        control, memory, processes, cpu_s, polite_s, wrappers, calls = word.split(",")
        sizes = int(control), int(memory), int(processes)
        return cls(*sizes, float(cpu_s), float(polite_s), int(wrappers), calls)


ControlLine = dict[str, int | str]
"""One line of the control stream: a name and a value."""


def main(arguments: Sequence[str]) -> None:
    """Starts the program, watches it to its end, and leaves nothing of it."""
    settings = SupervisorSettings.read(arguments[0])
    os.set_inheritable(settings.control, False)
    if _IS_LINUX:
        library = ctypes.CDLL(None)
        library.prctl(_PR_SET_CHILD_SUBREAPER, 1)
        library.prctl(_PR_SET_DUMPABLE, 0)
    group = create_group(settings.memory) if _IS_LINUX else None
    try:
        _keep(arguments[1:], settings, group)
    finally:
        if group is not None:
            group.remove()


def _keep(command: Sequence[str], settings: SupervisorSettings, group: ControlGroup | None) -> None:
    """Runs the program, tells what became of it, and leaves nothing of it.

    The report comes first, since killing everything may take a while, until a sandbox full of files is gone.
    """
    failed, failing = os.pipe()
    program = os.fork()
    if program == 0:
        _become(command, settings, group, failing)
    os.close(failing)
    reason = os.read(failed, 1000)
    if reason:
        _tell(settings.control, {"failed": int(reason)})
        return
    _let_go_of_streams()
    _tell(settings.control, {"pid": program})
    report: ControlLine = _watch(program, settings, group)
    if group is not None and report != {"exit": 0} and group.was_exceeded():
        report = {"over": "memory"}
    _tell(settings.control, report)
    _kill_all(program)


def _become(command: Sequence[str], settings: SupervisorSettings, group: ControlGroup | None, failing: int) -> None:
    """Executes the program in the forked child, or reports why that fails."""
    try:
        os.setsid()
        if _IS_LINUX:
            library = ctypes.CDLL(None)
            library.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
            library.prctl(_PR_SET_DUMPABLE, 1)  # else it could not write to its own files in /proc
        if group is not None:
            group.enter()
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)
        if settings.calls:
            _hand_over(bytes.fromhex(settings.calls))
        limit(settings)
        os.execvp(command[0], list(command))  # noqa: S606 - no shell is what we want
    except OSError as error:
        os.write(failing, str(error.errno or 0).encode())
    finally:
        os._exit(127)


def _hand_over(calls: bytes) -> None:
    """Lays the filter of system calls where the sandbox looks for it; a pipe holds it whole."""
    reading, writing = os.pipe()
    os.write(writing, calls)
    os.close(writing)
    os.dup2(reading, FILTER)


def limit(settings: SupervisorSettings) -> None:
    """Sets the limits that the system itself keeps, for this process and all that it will start.

    Memory is what may be written to (RLIMIT_DATA): engines of other languages reserve far more addresses than they use,
    so RLIMIT_AS would stop good ones. RLIMIT_NPROC counts all that a user runs and binds no root: `_watch` counts too.
    """
    _lower(resource.RLIMIT_DATA, settings.memory)
    _lower(resource.RLIMIT_CPU, int(settings.cpu_s) + 1)
    _lower(resource.RLIMIT_FSIZE, FILE_BYTES)
    _lower(resource.RLIMIT_NOFILE, FILES)
    _lower(resource.RLIMIT_CORE, 0)
    if _IS_LINUX:
        _lower(resource.RLIMIT_MSGQUEUE, 0)
        with open("/proc/loadavg", encoding="ascii") as stream:
            running = int(stream.read().split()[3].partition("/")[2])
        _lower(resource.RLIMIT_NPROC, running + THREADS * settings.processes)
        with suppress(OSError), open("/proc/self/oom_score_adj", "w", encoding="ascii") as stream:
            stream.write("1000")


def _lower(kind: int, value: int) -> None:
    hard = resource.getrlimit(kind)[1]
    value = value if hard == resource.RLIM_INFINITY else min(value, hard)
    resource.setrlimit(kind, (value, value))


def _let_go_of_streams() -> None:
    """Only the program holds its streams from now on: they end when it ends."""
    nothing = os.open(os.devnull, os.O_RDWR)
    for number in (0, 1, 2):
        os.dup2(nothing, number)


def _watch(program: int, settings: SupervisorSettings, group: ControlGroup | None) -> ControlLine:
    """Returns how the program ended, or why it has to."""
    woken, waking = os.pipe()
    os.set_blocking(waking, False)
    os.set_blocking(woken, False)
    signal.set_wakeup_fd(waking, warn_on_full_buffer=False)
    for number in (signal.SIGCHLD, signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, lambda _number, _frame: None)
    listened, leave_at, asked = [settings.control, woken], None, False
    while True:
        ready, _, _ = select.select(listened, [], [], TICK_S)
        if (report := _reap(program)) is not None:
            return report
        if woken in ready and signal.SIGTERM in os.read(woken, 1000):
            return {"told": signal.SIGTERM}
        if settings.control in ready:
            if not os.read(settings.control, 1):
                return {"signal": signal.SIGKILL}
            listened, leave_at = [woken], time.monotonic() + settings.polite_s
        if leave_at is not None and time.monotonic() >= leave_at:
            if asked:
                return {"signal": signal.SIGKILL}
            _ask(program, settings.wrappers)
            leave_at, asked = time.monotonic() + settings.polite_s, True
        if (excess := _excess(settings)) is not None:
            return {"over": excess}
        if group is not None and group.was_exceeded():  # the system was faster, and has ended a part of it
            return {"over": "memory"}


def _ask(program: int, wrappers: int) -> None:
    """Asks all processes except the sandbox's own to leave: if those ended, all others would be killed with them."""
    if _IS_LINUX:
        _send(descendants(os.getpid())[wrappers:], signal.SIGTERM)
    else:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(program, signal.SIGTERM)


def _reap(program: int | None) -> ControlLine | None:
    """Reaps ended processes; returns the report if the program itself has ended."""
    report: ControlLine | None = None
    with suppress(ChildProcessError):
        while (ended := os.waitpid(-1, os.WNOHANG))[0] != 0:
            if ended[0] == program:
                code = os.waitstatus_to_exitcode(ended[1])
                report = {"exit": code} if code >= 0 else {"signal": -code}
    return report


def _excess(settings: SupervisorSettings) -> str | None:
    """The resource whose limit the program and its descendants exceed, if any; Linux only."""
    if not _IS_LINUX:
        return None
    tree = descendants(os.getpid())
    if len(tree) - settings.wrappers > settings.processes:
        return "processes"
    usages = [usage(pid) for pid in tree]
    if sum(used.threads for used in usages) - settings.wrappers > THREADS * settings.processes:
        return "threads"
    inside = tree[settings.wrappers - 1] if 0 < settings.wrappers <= len(tree) else None
    if takes_more(settings.memory, tree, usages, inside):
        return "memory"
    reaped = resource.getrusage(resource.RUSAGE_CHILDREN)
    if reaped.ru_utime + reaped.ru_stime + sum(used.cpu_s for used in usages) > settings.cpu_s:
        return "cpu"
    return None


def _kill_all(program: int) -> None:
    """Kills the program's group at one stroke, then whatever else is below us, until nothing is."""
    end = time.monotonic() + KILL_S
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(program, signal.SIGKILL)
    while time.monotonic() < end:
        _reap(None)
        left = descendants(os.getpid())
        if not left:
            return
        _send(left, signal.SIGKILL)
        time.sleep(0.001)


def _send(processes: Sequence[int], number: signal.Signals) -> None:
    for pid in processes:
        with suppress(ProcessLookupError, PermissionError):
            os.kill(pid, number)


def _tell(control: int, report: ControlLine) -> None:
    for name, value in report.items():
        told = str(value) if isinstance(value, int) else f'"{value}"'
        with suppress(OSError):  # we are gone
            os.write(control, f'{{"{name}": {told}}}\n'.encode())
