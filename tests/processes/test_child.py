"""The supervisor: ready or explained, stderr kept within bounds, and nothing left running, whatever the child does."""

import asyncio
import os
import signal
import sys
from pathlib import Path

import pytest

from processes import process
from processes.child import Child, ChildError
from processes.process import STDERR_TAIL_BYTES

posix_only = pytest.mark.skipif(sys.platform == "win32", reason="signals are POSIX")


def python(code: str, *, name: str = "child", polite_s: float = 5.0) -> Child:
    return Child([sys.executable, "-c", code], name=name, polite_s=polite_s)


def alive(pid: int) -> bool:
    """Whether a process runs; one that has ended but was not collected counts as gone."""
    status = Path(f"/proc/{pid}/stat")
    if status.parent.parent.exists() and Path("/proc/self").exists():
        try:
            return status.read_text().rpartition(")")[2].split()[0] != "Z"
        except OSError:
            return False
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


async def gone(pid: int) -> bool:
    """Whether a killed process disappears: the system needs a moment for one that is not our child."""
    for _ in range(400):
        if not alive(pid):
            return True
        await asyncio.sleep(0.005)
    return False


async def test_the_first_line_says_that_it_is_ready() -> None:
    async with python("import time; print('ready', flush=True); time.sleep(60)") as child:
        assert await child.first_line(10) == "ready"
        pid = child.pid
        assert child.exit_code is None
    assert not alive(pid)


async def test_a_child_that_ends_by_itself() -> None:
    async with python("import sys; print('hello'); sys.exit(3)") as child:
        assert await child.first_line(10) == "hello"
        assert await child.wait() == 3
        assert child.exit_code == 3


async def test_a_child_that_ends_before_it_is_ready_is_explained_with_its_last_words() -> None:
    async with python("import sys; sys.exit('no such engine')", name="engine") as child:
        with pytest.raises(ChildError, match="engine") as caught:
            await child.first_line(10)
    assert caught.value.stderr == "no such engine"


async def test_what_a_child_says_while_it_gets_ready_is_passed_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process, "TALK_S", 0.0)
    heard: asyncio.Queue[str] = asyncio.Queue()
    code = "import sys, time; print('compiling', file=sys.stderr, flush=True); time.sleep(60)"
    async with Child([sys.executable, "-c", code], name="slow", hear=heard.put_nowait) as child:
        assert await asyncio.wait_for(heard.get(), 10) == "compiling"
        assert child.stderr == ""


async def test_but_not_why_it_ends() -> None:
    heard: list[str] = []
    async with Child([sys.executable, "-c", "import sys; sys.exit('no')"], name="broken", hear=heard.append) as child:
        await child.wait()
        child._pass_on()
        assert child.stderr == "no"
    assert not heard


async def test_a_child_that_is_never_ready() -> None:
    async with python("import time; time.sleep(60)", name="sleeper") as child:
        with pytest.raises(ChildError, match="sleeper"):
            await child.first_line(0.05)


async def test_a_program_that_does_not_exist() -> None:
    child = Child(["no-such-program-anywhere"], name="ghost")
    with pytest.raises(ChildError, match="ghost"):
        await child.start()
    await child.stop()


async def test_stderr_is_kept_within_bounds_and_never_blocks_the_child() -> None:
    code = "import sys; sys.stderr.write('x' * 3_000_000 + 'the end'); print('written')"
    async with python(code) as child:
        assert await child.first_line(10) == "written"
        assert await child.wait() == 0
        assert child.stderr.endswith("the end")
        assert len(child.stderr) <= STDERR_TAIL_BYTES


async def test_a_line_without_end_is_cut() -> None:
    async with python("print('y' * 2_000_000, flush=True)") as child:
        assert set(await child.first_line(10)) == {"y"}
        assert await child.wait() == 0


@posix_only
async def test_a_polite_child_leaves_when_asked() -> None:
    code = "import signal,sys,time; signal.signal(15, lambda *_: sys.exit(7)); print('up', flush=True); time.sleep(60)"
    child = python(code)
    await child.start()
    await child.first_line(10)
    await child.stop()
    assert child.exit_code == 7


@posix_only
async def test_a_child_that_ignores_sigterm_is_killed_with_its_grandchild() -> None:
    stubborn = "import signal,time; signal.signal(15, signal.SIG_IGN); {}; time.sleep(60)"
    inner = stubborn.format("print('up', flush=True)")
    outer = stubborn.format(
        f"import subprocess,sys; p = subprocess.Popen([sys.executable, '-c', {inner!r}], stdout=subprocess.PIPE);"
        "p.stdout.readline(); print(p.pid, flush=True)"
    )
    child = python(outer, polite_s=0.05)
    await child.start()
    grandchild = int(await child.first_line(10))
    assert alive(grandchild)
    await child.stop()
    assert child.exit_code == -signal.SIGKILL
    assert not alive(child.pid)
    assert await gone(grandchild)


@posix_only
async def test_a_grandchild_that_outlives_its_parent_is_killed_too() -> None:
    code = (
        "import subprocess,sys; p = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(60)']);"
        "print(p.pid, flush=True)"
    )
    async with python(code) as child:
        grandchild = int(await child.first_line(10))
        assert await child.wait() == 0
        assert alive(grandchild)
    assert await gone(grandchild)


async def test_a_starter_that_is_cancelled_leaves_nothing_behind() -> None:
    started: asyncio.Future[int] = asyncio.get_running_loop().create_future()

    async def work() -> None:
        async with python("import time; print('up', flush=True); time.sleep(60)") as child:
            await child.first_line(10)
            started.set_result(child.pid)
            await asyncio.Event().wait()

    task = asyncio.create_task(work())
    pid = await started
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert not alive(pid)
