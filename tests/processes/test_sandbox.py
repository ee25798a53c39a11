"""The sandbox: what a program in it can't reach, each with a program that can without it."""

import http.server
import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from bots.adapters.engine import Engine
from bots.adapters.pupils.patience import Deadline
from bots.base import BotFaultError
from processes import sandbox
from processes.launch_options import LaunchOptions
from tests.processes.bubblewrap import need_bubblewrap

LAUNCH = LaunchOptions(polite_s=0.05, sandbox=True)
SOON_S = 20.0


@pytest.fixture(autouse=True)
def _needs_bubblewrap() -> None:
    need_bubblewrap()


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home folder with a secret, outside the bot's own folder."""
    folder = tmp_path / "home"
    (folder / ".ssh").mkdir(parents=True)
    (folder / ".ssh" / "id").write_text("secret")
    monkeypatch.setenv("HOME", str(folder))
    return folder


def run(
    folder: Path, code: str, *, launch: LaunchOptions = LAUNCH, name: str = "bot.py", inside: Path | None = None
) -> str:
    """What a program in `folder` prints first, or how it fails."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_text(code)
    engine = Engine([sys.executable, str(folder / name)], name="engine", launch=launch, folder=inside)
    try:
        engine.start()
        return engine.receive(Deadline(SOON_S))
    except BotFaultError as fault:
        return (fault.stderr or str(fault)).splitlines()[-1]
    finally:
        engine.close()


def both(folder: Path, code: str) -> tuple[str, str]:
    """With limits alone, and in the sandbox."""
    return run(folder, code, launch=LaunchOptions(polite_s=0.05)), run(folder, code)


def test_files_of_others(home: Path, tmp_path: Path) -> None:
    without, within = both(tmp_path / "bot", f"print(open('{home}/.ssh/id').read())")
    assert without == "secret"
    assert "No such file or directory" in within


def test_its_own_folder_is_there_to_read_only(tmp_path: Path) -> None:
    bot = tmp_path / "bot"
    bot.mkdir()
    (bot / "book.txt").write_text("c4 c3")
    code = "import os; os.chdir(os.path.dirname(__file__)); print(open('book.txt').read())"
    assert both(bot, code) == ("c4 c3", "c4 c3")
    assert "Read-only file system" in run(bot, "import os; open(os.path.dirname(__file__) + '/new', 'w')")


@pytest.mark.parametrize("runs_there", [False, True])
@pytest.mark.parametrize("name", ["bot.py", "sub/bot.py"])
def test_of_the_home_folder_only_the_program_itself(home: Path, name: str, *, runs_there: bool) -> None:
    (home / "sub").mkdir()
    code = f"import os; print(os.path.exists('{home}/.ssh/id'), os.path.exists(__file__))"
    assert run(home, code, name=name, inside=home if runs_there else None) == "False True"


def test_the_network(tmp_path: Path, web: str) -> None:
    code = f"import urllib.request as r; print(r.urlopen('{web}', timeout=5).status)"
    without, within = both(tmp_path / "bot", code)
    assert without == "200"
    assert "unreachable" in within or "refused" in within


@pytest.fixture
def web() -> Iterator[str]:
    """A page on this machine."""

    class Page(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.end_headers()

        def log_message(self, format: str, *arguments: object) -> None:  # noqa: A002 - its base's name
            pass

    with http.server.HTTPServer(("127.0.0.1", 0), Page) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()
        thread.join()


def test_processes_of_others(tmp_path: Path) -> None:
    code = f"import os; print(os.path.exists('/proc/{os.getpid()}'))"
    without, within = both(tmp_path / "bot", code)
    assert (without, within) == ("True", "False")


def test_variables_of_others(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("API_TOKEN", "secret")
    code = "import os; print(os.environ.get('API_TOKEN'), os.environ['HOME'])"
    without, within = both(tmp_path / "bot", code)
    assert without.startswith("secret ")
    assert within == "None /tmp"


def test_its_tmp_is_its_own_and_small(tmp_path: Path) -> None:
    name = f"{tmp_path.name}-{os.getpid()}"
    assert run(tmp_path / "bot", f"open('/tmp/{name}', 'w'); print('written')") == "written"
    assert not Path(f"/tmp/{name}").exists()
    filling = "for n in range(9): open(f'/tmp/{n}', 'wb').write(bytes(8 << 20))"
    assert "No space left on device" in run(tmp_path / "bot", filling)
    assert "Read-only file system" in run(tmp_path / "bot", "open('/x', 'w')")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("language", "file", "code"),
    [
        ("node", "bot.js", "console.log('up')"),
        ("perl", "bot.pl", "print 'up', chr(10)"),
        ("java", "Bot.java", 'class Bot { public static void main(String[] a) { System.out.println("up"); } }'),
    ],
)
def test_other_languages_work_inside(language: str, file: str, code: str, tmp_path: Path) -> None:
    if shutil.which(language) is None:
        pytest.skip(f"{language} is not installed")
    (tmp_path / file).write_text(code)
    engine = Engine([language, str(tmp_path / file)], name=language, launch=LAUNCH)
    engine.start()
    assert engine.receive(Deadline(60)) == "up"
    engine.close()


def test_limits_hold_inside(tmp_path: Path) -> None:
    small = LaunchOptions(polite_s=0.05, sandbox=True, memory_bytes=100 << 20, processes=8)
    assert run(tmp_path / "bot", "held = bytearray(10**9)", launch=small) == "MemoryError"
    forks = "import os, time\nfor _ in range(30):\n if os.fork() == 0: time.sleep(60)\ntime.sleep(60)"
    assert run(tmp_path / "bot", forks, launch=small) == "engine was stopped: it ran more than 8 processes"
    few = "import os, time\nfor _ in range(6):\n if os.fork() == 0: time.sleep(0.3); os._exit(0)\nprint('all')"
    assert run(tmp_path / "bot", few, launch=small) == "all"


def test_how_it_ended_is_known(tmp_path: Path) -> None:
    assert run(tmp_path / "bot", "import os; os.abort()") == "engine was ended by SIGABRT"
    assert run(tmp_path / "bot", "raise SystemExit(3)") == "engine ended, with code 3"


def test_what_is_readable_besides(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "weights").write_text("1 2 3\n")
    engine = Engine(["cat", str(tmp_path / "data" / "weights")], name="engine", launch=LAUNCH, folder=tmp_path / "data")
    engine.start()
    assert engine.receive(Deadline(SOON_S)) == "1 2 3"
    engine.close()
    code = f"print(open('{tmp_path}/data/weights').read())"
    engine = Engine([sys.executable, "-c", code], name="engine", launch=LAUNCH, readable=[tmp_path / "data"])
    engine.start()
    assert engine.receive(Deadline(SOON_S)) == "1 2 3"
    engine.close()


def test_without_bubblewrap_it_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    sandbox.obstacle.cache_clear()
    monkeypatch.setenv("PATH", "/nowhere")
    assert sandbox.obstacle() == "the program bubblewrap (bwrap) is not installed"
    sandbox.obstacle.cache_clear()


def test_where_the_system_forbids_it_it_says_so(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    forbidden = tmp_path / "bwrap"
    forbidden.write_text("#!/bin/sh\necho 'bwrap: No permissions to create new namespace' >&2\nexit 1\n")
    forbidden.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    sandbox.obstacle.cache_clear()
    try:
        told = sandbox.obstacle()
    finally:
        sandbox.obstacle.cache_clear()
    assert told == "bubblewrap does not work here (bwrap: No permissions to create new namespace)"


def test_it_leaves_nothing(tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_text("import time; print('up', flush=True); time.sleep(60)")
    engine = Engine([sys.executable, str(tmp_path / "bot.py")], name="engine", launch=LAUNCH)
    engine.start()
    assert engine.receive(Deadline(SOON_S)) == "up"
    engine.close()
    assert engine._supervised is not None
    engine._supervised.wait()
    listed = subprocess.run(["ps", "-eo", "args"], capture_output=True, text=True, check=True).stdout
    assert str(tmp_path / "bot.py") not in listed
