"""A control group for a program, in folders that look like the system's; and the system's own, where it may be made."""

from __future__ import annotations

import mmap
import os
import sys
from pathlib import Path

import pytest

from bots.adapters.engine import Engine
from bots.adapters.pupils.patience import Deadline
from bots.base import BotFaultError
from processes.control_group import PREFIX, SLACK_BYTES, ControlGroup, create_group
from processes.launch_options import LaunchOptions

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only Linux has control groups")

LIMIT = 64 << 20


class System:
    """What the system tells of its groups, in files."""

    def __init__(self, folder: Path, mounts: str, ours: str) -> None:
        self.mounts, self.ours = folder / "mountinfo", folder / "cgroup"
        self.mounts.write_text(mounts)
        self.ours.write_text(ours)

    def find(self) -> ControlGroup | None:
        return create_group(LIMIT, str(self.mounts), str(self.ours))


def version_2(folder: Path, ours: str, *, hand_on: tuple[str, ...]) -> System:
    """Groups of version 2; those that `hand_on` bound the memory of the groups below."""
    parts = ours.strip("/").split("/")
    for path in ("/".join(parts[:count]) for count in range(len(parts) + 1)):
        (folder / "fs" / path).mkdir(parents=True, exist_ok=True)
        (folder / "fs" / path / "cgroup.subtree_control").write_text("cpu memory\n" if path in hand_on else "cpu\n")
    mounts = f"24 1 0:22 / /proc rw - proc proc rw\n30 23 0:26 / {folder}/fs rw,nosuid - cgroup2 cgroup2 rw\n"
    return System(folder, mounts, f"0::{ours}\n")


def test_beside_our_own_group_in_version_2(tmp_path: Path) -> None:
    system = version_2(tmp_path, "/user/app/shell.scope", hand_on=("user/app", ""))
    group = system.find()
    assert group is not None
    assert Path(group.folder) == tmp_path / "fs" / "user" / "app" / f"{PREFIX}{os.getpid()}"
    read = {path.name: path.read_text() for path in Path(group.folder).iterdir()}
    assert read == {"memory.max": str(LIMIT + SLACK_BYTES), "memory.swap.max": "0", "memory.oom.group": "1"}
    assert not group.was_exceeded()
    (Path(group.folder) / "memory.events").write_text("low 0\nmax 7\noom 1\noom_kill 1\n")
    assert group.was_exceeded()


def test_at_the_top_if_no_nearer_group_hands_memory_on(tmp_path: Path) -> None:
    group = version_2(tmp_path, "/system/service", hand_on=("",)).find()
    assert group is not None
    assert Path(group.folder).parent == tmp_path / "fs"


def test_in_version_1_below_our_own(tmp_path: Path) -> None:
    (tmp_path / "memory" / "ours").mkdir(parents=True)
    mounts = (
        f"31 23 0:27 / {tmp_path}/cpu rw - cgroup cgroup rw,cpu\n"
        f"32 23 0:28 / {tmp_path}/memory rw - cgroup cgroup rw,memory\n"
        f"33 23 0:29 / {tmp_path}/unified rw - cgroup2 cgroup2 rw\n"
    )
    group = System(tmp_path, mounts, "4:memory:/ours\n1:cpu:/\n0::/\n").find()
    assert group is not None
    assert Path(group.folder).parent == tmp_path / "memory" / "ours"
    assert (Path(group.folder) / "memory.limit_in_bytes").read_text() == str(LIMIT + SLACK_BYTES)
    (Path(group.folder) / "memory.oom_control").write_text("oom_kill_disable 0\nunder_oom 0\noom_kill 2\n")
    assert group.was_exceeded()


@pytest.mark.parametrize("hand_on", [(), ("user",)])
def test_none_where_we_may_not(hand_on: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    system = version_2(tmp_path, "/user/shell", hand_on=hand_on)

    def refuse(path: str) -> None:
        raise PermissionError(path)

    monkeypatch.setattr(os, "mkdir", refuse)
    assert system.find() is None
    assert System(tmp_path, "", "").find() is None
    assert create_group(LIMIT, "/nowhere", "/nowhere") is None


def test_what_a_killed_supervisor_left_is_removed(tmp_path: Path) -> None:
    system = version_2(tmp_path, "/user/shell", hand_on=("user",))
    gone = tmp_path / "fs" / "user" / f"{PREFIX}4194999"
    alive = tmp_path / "fs" / "user" / f"{PREFIX}1"
    gone.mkdir()
    alive.mkdir()
    assert system.find() is not None
    assert (gone.exists(), alive.exists()) == (False, True)


HIDES = f"""
import mmap, os, sys, time
for _ in range(16):
    held = mmap.mmap(-1, {16 << 20})
    if os.fork() == 0:
        for place in range(0, len(held), {mmap.PAGESIZE}): held[place] = 1
        os._exit(0)
    os.wait()
    sys.stderr.write("more\\n")
    globals()[f"held_{{_}}"] = held
print("all of it", flush=True)
time.sleep(60)
"""
"""Shared memory in which only children have written that are gone: no process shows it."""


def test_it_bounds_what_no_process_shows(tmp_path: Path) -> None:
    group = create_group(LIMIT)
    if group is None:
        pytest.skip("no control group may be made here")
    group.remove()
    file = tmp_path / "hides.py"
    file.write_text(HIDES)
    engine = Engine([sys.executable, str(file)], name="engine", launch=LaunchOptions(memory_bytes=LIMIT, polite_s=0.05))
    engine.start()
    with pytest.raises(BotFaultError, match="engine was stopped: it used more than 64 MiB of memory"):
        engine.receive(Deadline(20))
    engine.close()
    assert engine._supervised is not None
    engine._supervised.wait()
    supervisor = engine._supervised._process.pid  # type: ignore[attr-defined]  # it is the supervisor of POSIX
    assert not (Path(group.folder).parent / f"{PREFIX}{supervisor}").exists()
