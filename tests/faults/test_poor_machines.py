"""Every command on machines that give little: it works, or says in one sentence what is amiss; never a traceback."""

import errno
import signal
import subprocess
import sys
import tempfile
from contextlib import suppress
from pathlib import Path

import pytest

import arbitre
from bots.search import compiled
from machine import folders, memory
from tests.faults.poor_machines import COMMANDS, MACHINES, Command, Machine, command_line, expected

pytestmark = [pytest.mark.skipif(sys.platform != "linux", reason="namespaces and limits of Linux")]

PATIENCE_S = 120.0
SERVED_S = 20.0

TOO_LITTLE = "This machine has too little memory left for that"


def marks(machine: int, command: int, *, slow: bool) -> list[pytest.MarkDecorator]:
    """Each command is tried on two machines, each of which comes as often; on all of them with `-m thorough`."""
    often = (machine - command) % len(MACHINES) < 2
    return ([pytest.mark.slow] if often else [pytest.mark.thorough]) if slow else []


CASES = [
    pytest.param(
        MACHINES[where], COMMANDS[what], id=f"{where}: {what}", marks=marks(place, number, slow=COMMANDS[what].slow)
    )
    for place, where in enumerate(MACHINES)
    for number, what in enumerate(COMMANDS)
]


@pytest.mark.parametrize(("machine", "command"), CASES)
def test_it_works_or_says_in_a_sentence_why_not(machine: Machine, command: Command, tmp_path: Path) -> None:
    if (lacking := machine.missing()) is not None:
        pytest.skip(f"there is no {lacking} here")
    bot = tmp_path / "my_bot.py"
    bot.write_text("def choose(position):\n    return position.legal_moves()[0]\n", encoding="utf-8")
    code, said = run(command_line(machine, command.words, str(bot)), tmp_path, served=command.served)
    assert "Traceback" not in said
    assert "nternal error" not in said
    wanted = expected(machine, command)
    if wanted is None and not machine.roomy and TOO_LITTLE in said:  # by a thread or so it did not fit: it says so
        wanted = TOO_LITTLE
    assert code == (0 if wanted is None else 1), said
    assert wanted is None or wanted in said


def run(command: list[str], folder: Path, *, served: bool) -> tuple[int, str]:
    """The exit code, and all that was said. A server is asked to leave once it listens."""
    with subprocess.Popen(
        command, cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as process:
        assert process.stdout is not None
        try:
            first = process.stdout.readline() if served else ""
            if served:
                _ask_to_leave(process.pid)
            rest, _nothing = process.communicate(timeout=SERVED_S if served else PATIENCE_S)
        except BaseException:
            process.kill()
            raise
    return process.returncode, first + rest


def _ask_to_leave(pid: int) -> None:
    """Interrupts the innermost process: bubblewrap itself hands no signal on."""
    below = Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii").split()
    if below:
        _ask_to_leave(int(below[0]))
    else:
        with suppress(ProcessLookupError):
            signal.pidfd_send_signal(_open(pid), signal.SIGINT)


def _open(pid: int) -> int:
    import os

    return os.pidfd_open(pid)


def test_without_a_home_there_is_a_folder_of_ones_own(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def no_home(*_given: object, **_named: object) -> Path:
        raise RuntimeError("could not determine the home directory")

    for kind in ("state", "data", "config", "cache"):
        monkeypatch.setattr(f"platformdirs.user_{kind}_path", no_home)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    folders.without_home.cache_clear()
    try:
        assert {folders.state().parent, folders.data().parent, folders.cache().parent} == {folders.config().parent}
        own = folders.config().parent
        assert own.is_relative_to(tmp_path)
        assert own.stat().st_mode & 0o077 == 0
        own.chmod(0o777)  # so may somebody else's be
        folders.without_home.cache_clear()
        assert folders.config().parent != own
    finally:
        folders.without_home.cache_clear()


def test_where_no_folder_can_be_written_nothing_is_kept(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def refuse(*_given: object, **_named: object) -> str:
        raise OSError(errno.EROFS, "Read-only file system")

    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(tempfile, "TemporaryFile", refuse)
    monkeypatch.setattr(tempfile, "mkdtemp", refuse)
    compiled.cache_folder.cache_clear()
    try:
        assert compiled.cache_folder() is None
        assert not compiled.is_ready("othello")
    finally:
        compiled.cache_folder.cache_clear()


@pytest.mark.parametrize(("available", "addresses", "fits"), [
    (None, None, True), (1 << 30, None, True), (100 << 20, None, False), (1 << 30, 128 << 20, False),
])  # fmt: skip
def test_a_search_is_compiled_only_where_memory_suffices(
    monkeypatch: pytest.MonkeyPatch, available: int | None, addresses: int | None, *, fits: bool
) -> None:
    """LLVM ends the whole process when it gets no memory, so it is asked before."""
    monkeypatch.setattr(memory, "available_bytes", lambda: available)
    monkeypatch.setattr(memory, "addresses_left", lambda: addresses)
    assert compiled.fits_memory(is_ready=False) is fits


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (MemoryError(), "too little memory"),
        (RuntimeError("can't start new thread"), "too little memory"),
        (OSError(errno.EROFS, "Read-only file system", "/x/y"), "/x/y"),
        (OSError(errno.ENOMEM, "Cannot allocate memory"), "Cannot allocate memory"),
    ],
)
def test_what_the_machine_refuses_is_no_internal_error(error: Exception, words: str) -> None:
    said = arbitre.blame_machine(error)
    assert said is not None
    assert words in said
    assert arbitre.blame_machine(ValueError("ours")) is None
