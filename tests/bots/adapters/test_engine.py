"""A foreign program: its lines, the ways in which it fails, and that nothing of it is left."""

import os
import signal
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from bots.adapters.engine import EXCHANGE_LINES, LINE_BYTES, STDERR_BYTES, STDERR_RATE, Engine, move_deadline_s
from bots.adapters.pupils.patience import Deadline
from bots.base import BotFaultError, Budget
from processes.counting import descendants
from processes.launch_options import LaunchOptions

linux_only = pytest.mark.skipif(sys.platform != "linux", reason="only Linux shows and adopts processes")

LAUNCH = LaunchOptions(polite_s=0.05)
SOON_S = 10.0
ECHO = "import sys\nfor line in sys.stdin: print(line.strip()[::-1], flush=True)"
SLEEP = "import time; time.sleep(60)"
DEAF = "import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN);"


def engine(code: str, launch: LaunchOptions = LAUNCH, **options: Any) -> Engine:
    started = Engine([sys.executable, "-c", code], name="engine", launch=launch, **options)
    started.start()
    return started


def fault_of(doing: Callable[[], object]) -> BotFaultError:
    with pytest.raises(BotFaultError) as caught:
        doing()
    return caught.value


def gone(pid: int) -> bool:
    """Whether a process disappears within the time that closing may take."""
    end = time.monotonic() + SOON_S
    while time.monotonic() < end:
        if not Path(f"/proc/{pid}").exists():
            return True
        time.sleep(0.005)
    return False


def test_lines_go_out_and_in() -> None:
    echo = engine(ECHO)
    for word in ("abc", "", "é●", "x" * 10_000):
        echo.send(word)
        assert echo.receive(Deadline(SOON_S)) == word[::-1]
    echo.close()


def test_the_end_of_a_line_may_be_dos() -> None:
    dos = engine(r"print('a1\r\nb2\r', flush=True); " + SLEEP)
    assert [dos.receive(Deadline(SOON_S)), dos.receive(Deadline(SOON_S))] == ["a1", "b2"]
    dos.close()


def test_last_lines_are_read_before_the_end_is_told() -> None:
    brief = engine("print('bye')")
    assert brief.receive(Deadline(SOON_S)) == "bye"
    assert str(fault_of(lambda: brief.receive(Deadline(SOON_S)))) == "engine ended, with code 0"
    brief.close()


@pytest.mark.parametrize(
    ("code", "reason", "message"),
    [
        ("raise SystemExit(3)", "crash", "engine ended, with code 3"),
        ("import os; os.abort()", "crash", "engine ended by SIGABRT"),
        ("import sys; sys.stdout.buffer.write(b'\\xff\\n')", "crash", "engine wrote a line that is not UTF-8"),
        ("print('x' * 70_000)", "crash", "engine wrote a line of more than 64 KiB"),
        ("import sys\nwhile True: sys.stdout.write('x')", "crash", "engine wrote a line of more than 64 KiB"),
        ("import os,time; os.close(1); time.sleep(60)", "crash", "engine closed its input or output"),
    ],
)
def test_how_it_fails(code: str, reason: str, message: str) -> None:
    failing = engine(code)
    fault = fault_of(lambda: failing.receive(Deadline(SOON_S)))
    assert (fault.reason, str(fault)) == (reason, message.replace("engine ended by", "engine was ended by"))
    failing.close()


def test_no_answer_is_a_timeout() -> None:
    silent = engine(SLEEP)
    fault = fault_of(lambda: silent.receive(Deadline(0.05)))
    assert (fault.reason, str(fault)) == ("timeout", "engine did not answer within 0.05 s")
    silent.close()


@linux_only
def test_what_it_has_computed_is_known_while_it_runs() -> None:
    busy = engine("import time\nwhile time.process_time() < 0.3: pass\nprint('done', flush=True); " + SLEEP)
    assert busy.receive(Deadline(SOON_S)) == "done"
    used_s = busy.cpu_s
    assert used_s is not None
    assert 0.2 <= used_s < 2
    busy.close()
    assert busy.cpu_s is None


STARTS = "import time\nwhile time.process_time() < 0.3: pass\n"


@linux_only
def test_a_program_that_is_silent_is_at_rest_when_it_has_started() -> None:
    starting = engine(STARTS + "input()")
    starting.settle(Deadline(SOON_S))
    used_s = starting.cpu_s
    assert used_s is not None
    assert used_s >= 0.28, "it was still starting"
    starting.close()


@linux_only
def test_what_a_program_has_started_starts_with_it() -> None:
    starting = engine(f"import subprocess, sys; subprocess.run([sys.executable, '-c', {STARTS + 'input()'!r}])")
    starting.settle(Deadline(SOON_S))
    used_s = starting.cpu_s
    assert used_s is not None
    assert used_s >= 0.28, "it was still starting"
    starting.close()


@linux_only
@pytest.mark.parametrize(("code", "said"), [("print('ready', flush=True)\nwhile True: pass", ["ready"]), ("", [])])
def test_nobody_waits_for_a_program_that_has_said_something_or_ended(code: str, said: list[str]) -> None:
    program = engine(code)
    patience = Deadline(SOON_S)
    program.settle(patience)
    assert patience.left_s > SOON_S / 2
    assert [program.receive(Deadline(SOON_S)) for _line in said] == said
    program.close()


def test_a_program_that_never_rests_is_not_waited_for_for_ever() -> None:
    restless = engine("while True: pass")
    restless.settle(Deadline(0.05))
    assert restless.is_alive
    restless.close()


def test_a_program_that_does_not_exist() -> None:
    fault = fault_of(Engine(["no-such-program-anywhere"], name="ghost", launch=LAUNCH).start)
    assert (fault.reason, str(fault)) == ("crash", "ghost can't be started: there is no such program")


@pytest.mark.parametrize("folder", [None, "bin"])
@pytest.mark.skipif(os.name == "nt", reason="a script is a program by its first line")
def test_a_program_of_the_folder_is_found_by_its_path(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, folder: str | None
) -> None:
    place = tmp_path / (folder or "")
    place.mkdir(exist_ok=True)
    (place / "here").write_text("#!/bin/sh\necho b2\n")
    (place / "here").chmod(0o755)
    monkeypatch.chdir(tmp_path)
    started = Engine(["./here"], name="here", launch=LAUNCH, folder=None if folder is None else place)
    started.start()
    assert started.receive(Deadline(SOON_S)) == "b2"
    started.close()


def test_a_folder_that_does_not_exist(tmp_path: Path) -> None:
    lost = Engine([sys.executable, "-V"], name="lost", launch=LAUNCH, folder=tmp_path / "nowhere")
    assert str(fault_of(lost.start)) == "lost can't be started: No such file or directory"


def test_a_program_that_does_not_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bots.adapters.engine.SEND_S", 0.05)
    deaf = engine(SLEEP)
    fault = fault_of(lambda: deaf.send("x" * 2_000_000))
    assert (fault.reason, str(fault)) == ("timeout", "engine does not read what it is sent")
    deaf.close()


def test_sending_to_one_that_has_ended() -> None:
    ended = engine("raise SystemExit(4)")
    fault_of(lambda: ended.receive(Deadline(SOON_S)))
    assert str(fault_of(lambda: ended.send("x"))) == "engine ended, with code 4"
    ended.close()


def test_sending_to_one_that_has_ended_and_was_let_go_of() -> None:
    """It ends while nobody asks it anything, as in the opponent's turn; its threads have finished with it by then."""
    before = threading.enumerate()
    quiet = engine("import sys; sys.exit(3)")
    for thread in threading.enumerate():
        if thread not in before:
            thread.join(SOON_S)
    fault = fault_of(lambda: quiet.send("hello"))
    assert "engine ended, with code 3" in str(fault)
    assert not fault.is_ours
    quiet.close("farewell")


@linux_only
def test_a_supervisor_that_is_killed_or_told_to_end_is_ours_to_answer_for() -> None:
    for number in (signal.SIGKILL, signal.SIGTERM):
        echo = engine(ECHO)
        (supervisor,) = (pid for pid in descendants(os.getpid()) if _is_supervisor(pid))
        os.kill(supervisor, number)
        fault = fault_of(lambda started=echo: started.receive(Deadline(SOON_S)))  # type: ignore[misc]
        assert (fault.reason, fault.is_ours) == ("crash", True)
        echo.close()
        assert gone(supervisor)


def test_a_fault_tells_the_exchange_and_the_stderr() -> None:
    code = "import sys\nfor line in sys.stdin: print(line.strip()[::-1], flush=True)\nraise SystemExit('no more')"
    echo = engine(code)
    for number in range(20):
        echo.send(f"line {number}")
        echo.receive(Deadline(SOON_S))
    echo.send("y" * 2000)
    echo.receive(Deadline(SOON_S))
    fault = echo.fault("illegal", "bad")
    assert len(fault.exchange) == EXCHANGE_LINES
    assert fault.exchange[-4:-2] == ("> line 19", "< 91 enil")
    assert all(len(line) < 510 for line in fault.exchange)
    echo.close()


def test_a_fault_tells_what_was_written_before_the_last_line_however_late_its_reader_is(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    late = threading.Event()
    take = Engine._take_stderr
    monkeypatch.setattr(Engine, "_take_stderr", lambda own, stream: late.wait() and take(own, stream))
    said = engine("import sys; sys.stderr.write('seen\\n'); print('no', flush=True); " + SLEEP)
    assert said.receive(Deadline(SOON_S)) == "no"
    assert said.fault("illegal", "bad").stderr == "seen"
    late.set()
    said.close()


def test_stderr_is_bounded_and_never_blocks_the_program() -> None:
    loud = engine("import sys; sys.stderr.write('x' * 3_000_000 + 'the end'); print('written', flush=True); " + SLEEP)
    assert loud.receive(Deadline(SOON_S)) == "written"
    loud.close()
    loud = engine("import sys; sys.stderr.write('x' * 3_000_000 + 'the end'); sys.exit(1)")
    fault = fault_of(lambda: loud.receive(Deadline(SOON_S)))
    assert fault.stderr.endswith("the end")
    assert len(fault.stderr) <= STDERR_BYTES
    loud.close()


def test_who_writes_to_stderr_without_end_waits_and_leaves_the_processor_to_others(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    read = list[int]()
    keep = Engine._keep_stderr

    def counted(own: Engine, chunk: bytes) -> int | None:
        read.append(len(chunk))
        return keep(own, chunk)

    monkeypatch.setattr(Engine, "_keep_stderr", counted)
    began = time.monotonic()
    loud = engine("import os\nwhile True: os.write(2, b'x' * 65536)")
    fault_of(lambda: loud.receive(Deadline(0.5)))
    assert 0 < sum(read) <= STDERR_RATE * (time.monotonic() - began) + 2 * (64 << 10)
    loud.close()


def test_lines_that_nobody_reads_wait() -> None:
    talker = engine("import sys\nfor n in range(100_000): print(n)")
    assert [talker.receive(Deadline(SOON_S)) for _ in range(10_000)] == [str(n) for n in range(10_000)]
    with talker._news:  # its reader still adds to them
        assert sum(map(len, talker._lines)) < 2 * LINE_BYTES
    talker.close()


def test_close_returns_at_once_and_wakes_who_waits() -> None:
    silent = engine(SLEEP)
    faults: list[BotFaultError] = []
    waiting = threading.Thread(target=lambda: faults.append(fault_of(lambda: silent.receive(Deadline(60)))))
    waiting.start()
    silent.close()
    waiting.join(SOON_S)
    assert [str(fault) for fault in faults] == ["engine: the match is over"]
    silent.close()
    fault_of(lambda: silent.send("x"))


def test_the_farewell_is_read_and_leaving_takes_its_time(tmp_path: Path) -> None:
    code = "import sys; line = sys.stdin.readline(); open('heard', 'w').write(line)"
    polite = engine(code, LaunchOptions(polite_s=SOON_S), folder=tmp_path)
    polite.close("quit")
    end, heard = time.monotonic() + SOON_S, tmp_path / "heard"
    while not (heard.exists() and heard.read_text()) and time.monotonic() < end:  # it is there before it is filled
        time.sleep(0.005)
    assert heard.read_text() == "quit\n"


def test_before_force_comes_a_signal(tmp_path: Path) -> None:
    code = (
        "import signal, sys, time; signal.signal(signal.SIGTERM, lambda *_: (open('asked', 'w'), sys.exit()));"
        "print('up', flush=True); time.sleep(60)"
    )
    asked = engine(code, folder=tmp_path)
    assert asked.receive(Deadline(SOON_S)) == "up"
    asked.close("quit")
    end = time.monotonic() + SOON_S
    while not (tmp_path / "asked").exists() and time.monotonic() < end:
        time.sleep(0.005)
    assert (tmp_path / "asked").exists()


@linux_only
def test_one_that_ignores_signals_is_killed() -> None:
    stubborn = engine(f"{DEAF} import os; print(os.getpid(), flush=True); {SLEEP}")
    pid = int(stubborn.receive(Deadline(SOON_S)))
    stubborn.close("quit")
    assert gone(pid)


@linux_only
@pytest.mark.parametrize("how", ["close", "exit", "kill us"])
def test_a_grandchild_that_left_the_group_is_killed(how: str) -> None:
    inner = f"{DEAF} import os; os.setsid(); print(os.getpid(), flush=True); {SLEEP}"
    middle = f"import os, subprocess, sys; subprocess.Popen([sys.executable, '-c', {inner!r}]); "
    outer = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {middle!r}]); sys.stdin.readline()"
    forking = engine(outer)
    pid = int(forking.receive(Deadline(SOON_S)))
    assert Path(f"/proc/{pid}").exists()
    if how == "close":
        forking.close()
    elif how == "exit":
        forking.send("")
    else:
        assert forking._supervised is not None
        forking._supervised._control.shutdown(2)  # type: ignore[attr-defined]  # what the system does when we are killed
    assert gone(pid)
    forking.close()


@linux_only
def test_too_many_processes() -> None:
    code = "import os, time\nfor _ in range(30):\n if os.fork() == 0: time.sleep(60)\ntime.sleep(60)"
    forking = engine(code, LaunchOptions(polite_s=0.05, processes=8))
    assert (
        str(fault_of(lambda: forking.receive(Deadline(SOON_S)))) == "engine was stopped: it ran more than 8 processes"
    )
    forking.close()


@linux_only
def test_too_much_memory_in_one_process() -> None:
    hog = engine("held = bytearray(10**9)", LaunchOptions(polite_s=0.05, memory_bytes=100 << 20))
    fault = fault_of(lambda: hog.receive(Deadline(SOON_S)))
    assert str(fault) == "engine ended, with code 1"
    assert "MemoryError" in fault.stderr
    hog.close()


@linux_only
def test_too_much_memory_in_several() -> None:
    code = "import os, time\nfor _ in range(4): os.fork() == 0 or None\nheld = b'x' * (30 << 20); time.sleep(60)"
    hogs = engine(code, LaunchOptions(polite_s=0.05, memory_bytes=100 << 20))
    assert (
        str(fault_of(lambda: hogs.receive(Deadline(SOON_S))))
        == "engine was stopped: it used more than 100 MiB of memory"
    )
    hogs.close()


@linux_only
def test_too_much_processor_time() -> None:
    busy = engine("while True: pass", LaunchOptions(polite_s=0.05, cpu_s=0.2))
    text = "engine was stopped: it used more than 0.2 s of processor time"
    assert str(fault_of(lambda: busy.receive(Deadline(SOON_S)))) == text
    busy.close()


def test_passwords_are_not_handed_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ARBITRE_PASSWORD", "secret")
    monkeypatch.setenv("OTHER", "kept")
    curious = engine("import os; print(os.environ.get('ARBITRE_PASSWORD'), os.environ['OTHER'], flush=True)")
    assert curious.receive(Deadline(SOON_S)) == "None kept"
    curious.close()


@linux_only
def test_nothing_is_left_of_all_this() -> None:
    end = time.monotonic() + SOON_S
    while (left := [pid for pid in descendants(os.getpid()) if _is_supervisor(pid)]) and time.monotonic() < end:
        time.sleep(0.005)
    assert left == []


def _is_supervisor(pid: int) -> bool:
    try:
        return b"processes.supervisor" in Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return False


@pytest.mark.parametrize(
    ("budget", "seconds"),
    [(Budget(), 60.0), (Budget(remaining_ms=2500), 3.5), (Budget(remaining_ms=0, move_ms=9), 1.0)],
)
def test_how_long_a_move_is_waited_for(budget: Budget, seconds: float) -> None:
    assert move_deadline_s(budget, LaunchOptions()) == seconds


def test_a_signal_has_a_name() -> None:
    killed = engine(f"import os; os.kill(os.getpid(), {int(signal.SIGSEGV)})")
    assert str(fault_of(lambda: killed.receive(Deadline(SOON_S)))) == "engine was ended by SIGSEGV"
    killed.close()
