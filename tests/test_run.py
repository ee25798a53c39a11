"""run.py: what it does at a first start, at the next ones, and when something is in the way."""

import errno
import os
import re
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

import bootstrap
import damage
import saying

ROOT = Path(__file__).parents[1]


class Installer:
    """Stands in for pip, uv and venv: notes what it is asked for, makes what they would have made."""

    def __init__(self) -> None:
        """Fail with nothing until a test sets `error`."""
        self.calls: list[str] = []
        self.error: BaseException | None = None

    def make_venv(self) -> None:
        Path(bootstrap.BIN).mkdir(parents=True, exist_ok=True)
        Path(bootstrap.PYTHON).touch()
        Path(bootstrap.CONFIG).touch()
        self.calls.append("venv")

    def run_installer(self, arguments: list[str], what: str) -> None:
        assert "--require-hashes" in arguments
        assert not Path(bootstrap.STATE).exists(), "an interruption would go unnoticed"
        self.calls.append(what)
        if self.error is not None:
            raise self.error


@pytest.fixture
def installer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Installer:
    """Move run.py to an empty folder, with nothing but the requirement files."""
    shutil.copytree(ROOT / "requirements", tmp_path / "requirements")
    paths = "ROOT", "VENV", "LOCK", "STATE", "LOG", "CONFIG", "REQUIREMENTS", "BENCHMARKS", "BIN", "PYTHON", "BYTECODE"
    for name in paths:
        monkeypatch.setattr(bootstrap, name, str(tmp_path) + getattr(bootstrap, name).removeprefix(str(ROOT)))
    monkeypatch.setenv(damage.REPAIRED, "")  # so that what a repair leaves there is taken away again
    monkeypatch.delenv(damage.REPAIRED)
    fake = Installer()
    monkeypatch.setattr(bootstrap, "make_venv", fake.make_venv)
    monkeypatch.setattr(bootstrap, "run_installer", fake.run_installer)
    return fake


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """Return the list of command lines that run.py would have become."""
    commands: list[list[str]] = []

    def note(arguments: list[str]) -> int:
        commands.append(arguments)
        return 0

    monkeypatch.setattr(bootstrap, "replace", note)
    return commands


def script(folder: Path, prelude: str = "", *arguments: str, **environ: str) -> subprocess.CompletedProcess[str]:
    """Run a copy of run.py as a user would, after `prelude` has changed the Python that it runs on."""
    for name in ("run.py", "bootstrap.py", "damage.py", "saying.py"):
        shutil.copy(ROOT / name, folder)
    if not (folder / "requirements").exists():
        shutil.copytree(ROOT / "requirements", folder / "requirements")
    program = f"import runpy, sys\n{prelude}\nsys.argv = ['run.py', *sys.argv[1:]]\n"
    program += f"runpy.run_path({str(folder / 'run.py')!r}, run_name='__main__')"
    command = [sys.executable, "-c", program, *arguments]
    return subprocess.run(
        command, cwd=folder, env={**os.environ, **environ}, capture_output=True, encoding="utf-8", check=False
    )


# --- starting ---


def test_a_first_start_installs_the_base_and_the_second_nothing(installer: Installer, started: list[list[str]]) -> None:
    assert bootstrap.main(["demo", "--seed", "1"]) == 0
    assert installer.calls == ["venv", "requirements/base.txt"]
    assert bootstrap.main(["demo", "--seed", "1"]) == 0
    assert len(installer.calls) == 2
    assert started == [[bootstrap.PYTHON, "-P", "-m", "arbitre", "demo", "--seed", "1"]] * 2


@pytest.mark.usefixtures("installer", "started")
def test_a_link_in_place_of_the_venv_is_replaced_and_what_it_leads_to_stays(tmp_path: Path) -> None:
    (tmp_path / "others").mkdir()
    (tmp_path / "others" / Path(bootstrap.STATE).name).touch()
    Path(bootstrap.VENV).symlink_to(tmp_path / "others")
    assert bootstrap.main(["demo"]) == 0
    assert not Path(bootstrap.VENV).is_symlink()
    assert len(list((tmp_path / "others").iterdir())) == 1


def test_a_second_start_loads_nothing_that_could_start_a_process_or_reach_a_network(installer: Installer) -> None:
    bootstrap.prepare("base", "demo")
    prelude = f"import sys, os; os.execv = lambda path, words: print(words, *(set(sys.modules) & {HEAVY!r}))"
    done = script(Path(bootstrap.ROOT), prelude, "demo")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == f"{[bootstrap.PYTHON, '-P', '-m', 'arbitre', 'demo']}\n"


HEAVY = {"subprocess", "socket", "ssl", "venv", "ensurepip", "urllib.request", "asyncio", "tempfile"}


def test_tests_and_benchmarks_fetch_more_without_making_the_venv_again(
    installer: Installer, started: list[list[str]]
) -> None:
    Path(bootstrap.BENCHMARKS).mkdir()
    Path(bootstrap.BENCHMARKS, "relay.py").touch()
    bootstrap.main(["demo"])
    bootstrap.main(["test", "-q"])
    bootstrap.main(["bench"])
    assert len(installer.calls) == 3, "a list needs nothing"
    bootstrap.main(["bench", "relay", "--rounds", "1"])
    bootstrap.main(["demo"])
    groups = ["requirements/base.txt", "requirements/dev.txt", "requirements/bench.txt"]
    assert installer.calls == ["venv", *groups]
    assert started[1][:3] == [bootstrap.PYTHON, "-m", "pytest"]
    assert started[1][-3:] == ["-m", "not slow and not thorough", "-q"]


def test_a_benchmark_fetches_what_the_tests_need_that_it_borrows_from() -> None:
    command = bootstrap.uv_install(bootstrap.GROUPS["bench"])
    assert {"base.txt", "dev.txt", "bench.txt"} <= {Path(word).name for word in command}


def test_a_changed_pin_is_fetched_and_a_changed_installer_starts_afresh(installer: Installer) -> None:
    bootstrap.prepare("base", "demo")
    with Path(bootstrap.REQUIREMENTS, "base.txt").open("a") as stream:
        stream.write("# changed\n")
    bootstrap.prepare("base", "demo")
    assert installer.calls == ["venv", *["requirements/base.txt"] * 2]
    with Path(bootstrap.REQUIREMENTS, "uv.txt").open("a") as stream:
        stream.write("# changed\n")
    bootstrap.prepare("base", "demo")
    assert installer.calls[3:] == ["venv", "requirements/base.txt"]


def test_a_python_that_is_gone_is_replaced(installer: Installer) -> None:
    bootstrap.prepare("base", "demo")
    Path(bootstrap.PYTHON).unlink()
    bootstrap.prepare("base", "demo")
    assert installer.calls.count("venv") == 2


def test_a_set_up_that_was_interrupted_begins_again(
    installer: Installer, started: list[list[str]], capsys: pytest.CaptureFixture[str]
) -> None:
    installer.error = KeyboardInterrupt()
    assert bootstrap.main(["demo"]) == 130
    installer.error = None
    assert bootstrap.main(["demo"]) == 0
    assert installer.calls == ["venv", "requirements/base.txt"] * 2
    assert len(started) == 1


def test_without_a_network_what_is_installed_stays(installer: Installer, started: list[list[str]]) -> None:
    bootstrap.main(["demo"])
    installer.error = bootstrap.explain_failure("dns error", "requirements/dev.txt")
    assert bootstrap.main(["test"]) == 1
    assert bootstrap.main(["demo"]) == 0
    assert installer.calls == ["venv", "requirements/base.txt", "requirements/dev.txt"]
    assert len(started) == 2


def test_of_two_starts_at_once_one_installs_and_the_other_waits(
    installer: Installer, monkeypatch: pytest.MonkeyPatch
) -> None:
    waiting = threading.Event()
    said: list[str] = []

    def talk(text: str, **_: object) -> None:
        said.append(text)
        if text.startswith("Another run.py"):
            waiting.set()

    def install_slowly(arguments: list[str], what: str) -> None:
        installer.run_installer(arguments, what)
        second.start()
        assert waiting.wait(30)

    second = threading.Thread(target=bootstrap.prepare, args=("base", "demo"))
    monkeypatch.setattr(bootstrap, "talk", talk)
    monkeypatch.setattr(bootstrap, "run_installer", install_slowly)
    bootstrap.prepare("base", "demo")
    second.join(30)
    assert not second.is_alive()
    assert installer.calls == ["venv", "requirements/base.txt"]


@pytest.mark.parametrize("words", [["--tls", "self-signed"], ["--tls=self-signed"]])
def test_a_certificate_of_its_own_brings_the_package_that_makes_it(
    installer: Installer, started: list[list[str]], words: list[str]
) -> None:
    assert bootstrap.main(["serve", "--port", "0", *words]) == 0
    assert bootstrap.main(["serve", *words]) == 0
    assert bootstrap.main(["serve", "--tls-cert", "self-signed"]) == 0
    assert installer.calls == ["venv", "requirements/tls.txt"]
    assert len(started) == 3


@pytest.mark.parametrize(
    ("line", "group"),
    [
        ("league run l.toml --sign key", "tls"),
        ("--lang fr league resume l --sign=key", "tls"),
        ("league sign l key", "tls"),
        ("league verify l --key ed25519:x", "tls"),
        ("league verify l", "base"),
        ("bot my_bot.py --league ABCDEF --key key", "base"),
    ],
)
def test_a_league_that_is_signed_brings_the_package_that_signs(
    installer: Installer, started: list[list[str]], line: str, group: str
) -> None:
    assert bootstrap.main(line.split()) == 0
    assert installer.calls == ["venv", f"requirements/{group}.txt"]
    assert len(started) == 1


def test_without_a_network_a_certificate_that_is_there_will_do(
    installer: Installer, started: list[list[str]], capsys: pytest.CaptureFixture[str]
) -> None:
    bootstrap.main(["demo"])
    installer.error = bootstrap.explain_failure("dns error", "requirements/tls.txt")
    assert bootstrap.main(["serve", "--tls", "self-signed"]) == 0
    assert len(started) == 2
    assert "No network" in capsys.readouterr().err


# --- when .venv is damaged ---


@pytest.fixture
def packages(installer: Installer) -> Path:
    """A set-up with two packages, of which one says what it consists of."""
    site = Path(damage.site_packages(bootstrap.VENV))
    make_venv = installer.make_venv

    def make() -> None:
        make_venv()
        for folder in ("click", "click-1.dist-info", "msgspec", "__pycache__"):
            (site / folder).mkdir(parents=True, exist_ok=True)
        (site / "click" / "core.py").write_bytes(b"x = 1\n")
        (site / "click-1.dist-info" / "RECORD").write_text(
            "click/core.py,sha256=abc,6\nclick/seen.pyc,,\n../../bin/x,sha256=abc,9\n"
        )

    bootstrap.__dict__["make_venv"] = make  # `installer` puts the real one back
    bootstrap.prepare("base", "demo")
    return site


def test_a_folder_that_is_gone_is_noticed_and_installed_again(
    installer: Installer, packages: Path, started: list[list[str]], capsys: pytest.CaptureFixture[str]
) -> None:
    (packages / "click" / "core.py").unlink()
    (packages / "click").rmdir()
    assert bootstrap.main(["demo"]) == 0
    assert installer.calls == ["venv", *["requirements/base.txt"] * 2]
    assert f"{bootstrap.VENV} is damaged (click): installing it again ..." in capsys.readouterr().err
    assert len(started) == 1
    assert bootstrap.main(["demo"]) == 0
    assert len(installer.calls) == 3


def test_what_users_install_themselves_is_not_missed(installer: Installer, packages: Path) -> None:
    (packages / "theirs").mkdir()
    bootstrap.prepare("base", "demo")
    (packages / "theirs").rmdir()
    for name in ("__pycache__", "click-1.dist-info"):
        shutil.rmtree(packages / name)
    bootstrap.prepare("base", "demo")
    assert len(installer.calls) == 2


def test_a_broken_file_is_found(packages: Path) -> None:
    assert damage.first_broken(bootstrap.VENV) is None
    (packages / "click" / "core.py").write_bytes(b"")
    assert damage.first_broken(bootstrap.VENV) == "click/core.py"
    (packages / "click" / "core.py").unlink()
    assert damage.first_broken(bootstrap.VENV) == "click/core.py"


def test_what_a_failing_command_found_is_repaired_and_the_command_runs(
    installer: Installer, packages: Path, started: list[list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(damage.FOUND, "click/core.py")
    assert bootstrap.main(["demo"]) == 0
    assert installer.calls == ["venv", *["requirements/base.txt"] * 2]
    assert os.environ[damage.REPAIRED] == "1"
    assert damage.FOUND not in os.environ
    assert len(started) == 1


def test_damage_without_a_network_is_named(
    installer: Installer, packages: Path, started: list[list[str]], capsys: pytest.CaptureFixture[str]
) -> None:
    shutil.rmtree(packages / "click")
    installer.error = bootstrap.explain_failure("dns error", "requirements/base.txt")
    assert bootstrap.main(["demo"]) == 1
    last = capsys.readouterr().err.splitlines()[-1]
    assert last.startswith(f"run.py: {bootstrap.VENV} is damaged (click) and was not repaired. No network: ")
    assert last.endswith("If that does not help, delete this folder.")
    assert not started
    installer.error = None
    assert bootstrap.main(["demo"]) == 0


def test_an_installer_that_is_damaged_too_is_made_anew(installer: Installer, packages: Path) -> None:
    shutil.rmtree(packages / "click")
    fail = [bootstrap.SetupError("no module named uv")]

    def run_installer(arguments: list[str], what: str) -> None:
        installer.calls.append(what)
        if fail:
            raise fail.pop()

    bootstrap.__dict__["run_installer"] = run_installer
    bootstrap.prepare("base", "demo")
    assert installer.calls == [
        "venv",
        "requirements/base.txt",
        "requirements/base.txt",
        "venv",
        "requirements/base.txt",
    ]
    assert (packages / "click").is_dir()


def test_a_python_that_is_none_is_replaced_once(
    installer: Installer, packages: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def replace(arguments: list[str]) -> int:
        raise OSError(errno.ENOEXEC, "Exec format error")

    monkeypatch.setattr(bootstrap, "replace", replace)
    assert bootstrap.main(["demo"]) == 1
    assert installer.calls.count("venv") == 2
    assert "was not repaired" in capsys.readouterr().err.splitlines()[-1]


# --- when something is in the way ---


def test_an_old_python_is_told_in_both_languages(tmp_path: Path) -> None:
    done = script(tmp_path, "sys.version_info = (3, 9, 2)", "demo")
    english, french = done.stderr.splitlines()
    assert done.returncode == 1
    assert english.startswith("run.py: Arbitre needs Python 3.11 or newer and this is Python 3.9.2:")
    assert french.startswith("run.py\u00a0: Arbitre demande Python 3.11 ou plus, et ceci est Python 3.9.2\u00a0:")


@pytest.mark.parametrize("module", ["venv", "ensurepip"])
def test_a_python_without_venv_is_one_sentence(tmp_path: Path, module: str) -> None:
    done = script(tmp_path, f"sys.modules[{module!r}] = None", "demo")
    last = done.stderr.splitlines()[-1]
    assert done.returncode == 1
    assert last.startswith(f"run.py: This Python has no {module} module, which run.py needs to make ")
    assert last.endswith("then start again.")
    assert "Traceback" not in done.stderr


def test_a_missing_requirements_file_is_one_sentence(installer: Installer, capsys: pytest.CaptureFixture[str]) -> None:
    Path(bootstrap.REQUIREMENTS, "base.txt").unlink()
    assert bootstrap.main(["demo"]) == 1
    assert capsys.readouterr().err.endswith("this copy of Arbitre is not complete; fetch it again.\n")


@pytest.mark.parametrize(
    ("number", "sentence"),
    [
        (errno.ENOSPC, "The disk is full: free about 500 MB"),
        (errno.EROFS, "This account may not write in "),
        (errno.EACCES, "This account may not write in "),
        (errno.EIO, ".venv could not be installed on this computer: "),
    ],
)
def test_files_that_cannot_be_written_are_one_sentence(
    installer: Installer,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    number: int,
    sentence: str,
) -> None:
    def fail() -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(bootstrap, "make_venv", fail)
    assert bootstrap.main(["demo"]) == 1
    last = capsys.readouterr().err.splitlines()[-1]
    assert last.startswith(f"run.py: {sentence}")


# What pip 23.2 and uv 0.13 print, shortened.
OUTPUTS = [
    ("WARNING: Retrying (Retry(total=0)) after connection broken by 'NewConnectionError(...)'", "No network"),
    ("error: Failed to fetch: `...`\n  cause: dns error: failed to lookup address", "No network"),
    ("  cause: client error (Connect)\n  cause: invalid peer certificate: UnknownIssuer", "The package index shows"),
    ("error: failed to write to file: No space left on device (os error 28)", "The disk is full"),
    ("error: failed to create directory: Permission denied (os error 13)", "This account may not write in"),
    ("ERROR: THESE PACKAGES DO NOT MATCH THE HASHES FROM THE REQUIREMENTS FILE.", "A download of"),
    ("Hash mismatch for `click==8.5.1`", "A download of"),
    ("no wheels with a matching platform tag", "requirements/base.txt could not be installed"),
]


@pytest.mark.parametrize(("output", "sentence"), OUTPUTS)
def test_what_installers_say_becomes_one_sentence(installer: Installer, output: str, sentence: str) -> None:
    installer.make_venv()
    error = bootstrap.explain_failure(output, "requirements/base.txt")
    assert str(error).startswith(sentence)
    assert "\n" not in str(error)
    kept = Path(bootstrap.LOG).read_text(encoding="utf-8") if Path(bootstrap.LOG).exists() else None
    assert kept == (output if "details" in str(error) else None)


@pytest.mark.parametrize(("output", "sentence"), OUTPUTS)
def test_the_sentences_are_french_for_who_reads_french(
    installer: Installer, monkeypatch: pytest.MonkeyPatch, output: str, sentence: str
) -> None:
    installer.make_venv()
    monkeypatch.setenv("ARBITRE_LANG", "fr")
    french = str(bootstrap.explain_failure(output, "requirements/base.txt"))
    assert not french.startswith(sentence)
    assert re.search("[éèêà]|recommencez|ordinateur", french)


# --- tasks ---


def test_lint_runs_every_linter_and_names_the_one_that_fails(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    commands: list[str] = []

    def call(answer: Callable[[str], int]) -> Callable[[list[str]], int]:
        def note(arguments: list[str]) -> int:
            commands.append(" ".join(arguments[1:]))
            return answer(commands[-1])

        return note

    monkeypatch.chdir(ROOT)
    monkeypatch.setattr(bootstrap, "call", call(lambda command: 1 if "mypy" in command else 0))
    assert bootstrap.lint([]) == 1
    assert len(commands) == 8
    assert capsys.readouterr().err.endswith("run.py: Failed: mypy.\n")
    monkeypatch.setattr(bootstrap, "call", call(lambda _: 0))
    assert bootstrap.lint([]) == 0
    names = "ruff check, ruff format, mypy, pyright, import-linter, codespell, eslint, tsc"
    assert f"All of them passed: {names}." in capsys.readouterr().err


def test_a_marker_expression_replaces_the_default_one(
    monkeypatch: pytest.MonkeyPatch, started: list[list[str]]
) -> None:
    monkeypatch.chdir(ROOT)
    bootstrap.test(["-m", "slow"])
    assert started[0][-2:] == ["-m", "slow"]
    assert "not slow" not in started[0]


def test_all_tests_run_on_all_cores_and_a_few_on_one(monkeypatch: pytest.MonkeyPatch, started: list[list[str]]) -> None:
    monkeypatch.chdir(ROOT)
    monkeypatch.setattr(os, "cpu_count", lambda: 3)
    two_on_each_core, one = ["-n", "6", "--dist", "worksteal"], ["-n", "3", "--dist", "worksteal"]
    bootstrap.test([])
    bootstrap.test(["--quick"])
    bootstrap.test(["tests/test_run.py::test_lint"])
    bootstrap.test(["-n0"])
    assert started == [
        [bootstrap.PYTHON, "-m", "pytest", *two_on_each_core, "-m", "not slow and not thorough"],
        [bootstrap.PYTHON, "-m", "pytest", *one, "-m", "not slow and not thorough", "--quick"],
        [bootstrap.PYTHON, "-m", "pytest", "-m", "not slow and not thorough", "tests/test_run.py::test_lint"],
        [bootstrap.PYTHON, "-m", "pytest", "-m", "not slow and not thorough", "-n0"],
    ]


def test_bench_lists_runs_and_refuses(
    installer: Installer, started: list[list[str]], capsys: pytest.CaptureFixture[str]
) -> None:
    folder = Path(bootstrap.ROOT, "benchmarks")
    folder.mkdir()
    for name in ("relay.py", "rules.py", "_common.py", "notes.md"):
        (folder / name).touch()
    assert bootstrap.bench([]) == 0
    assert capsys.readouterr().out == "relay\nrules\n"
    assert bootstrap.bench(["nothing"]) == 2
    assert "There is no benchmark nothing; there are: relay, rules." in capsys.readouterr().err
    assert bootstrap.bench(["rules", "--quick"]) == 0
    assert started == [[bootstrap.PYTHON, str(folder / "rules.py"), "--quick"]]


@pytest.mark.parametrize(
    ("module", "words"),
    [("bootstrap", ("-P", "run.py")), ("shutil", ("-P", "-m", "arbitre")), ("click", ("-P", "-m", "arbitre"))],
)
def test_ctrl_c_while_anything_is_imported_ends_it_without_a_word(
    tmp_path: Path, module: str, words: tuple[str, ...]
) -> None:
    (tmp_path / f"{module}.py").write_text("raise KeyboardInterrupt")
    path = os.pathsep.join((str(tmp_path), str(ROOT)))
    done = subprocess.run(
        [sys.executable, *words],
        cwd=ROOT, env={**os.environ, "PYTHONPATH": path}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "")


@pytest.mark.parametrize("word", ["-h", "--help"])
@pytest.mark.parametrize("command", sorted(saying.USAGES))
def test_a_task_that_is_asked_for_help_says_how_it_is_called_and_does_nothing(
    installer: Installer, started: list[list[str]], capsys: pytest.CaptureFixture[str], command: str, word: str
) -> None:
    assert bootstrap.main([command, word]) == 0
    assert capsys.readouterr().out.startswith(f"Usage: python3 run.py {command}")
    assert (installer.calls, started) == ([], [])


def test_a_benchmark_that_is_asked_for_help_gets_the_question(installer: Installer, started: list[list[str]]) -> None:
    folder = Path(bootstrap.ROOT, "benchmarks")
    folder.mkdir()
    (folder / "relay.py").touch()
    assert bootstrap.main(["bench", "relay", "--help"]) == 0
    assert started == [[bootstrap.PYTHON, str(folder / "relay.py"), "--help"]]


def test_a_command_hands_on_its_exit_code() -> None:
    assert bootstrap.call([sys.executable, "-c", "raise SystemExit(7)"]) == 7


# --- with a real pip, a real uv ---

UNREACHABLE = {"PIP_INDEX_URL": "http://127.0.0.1:9/simple", "PIP_FIND_LINKS": "", "PIP_CONFIG_FILE": os.devnull}


@pytest.mark.slow
def test_pip_without_a_network_is_one_sentence(tmp_path: Path) -> None:
    done = script(tmp_path, "", "demo", **UNREACHABLE, PIP_NO_CACHE_DIR="1")
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1] == (
        "run.py: No network: run.py could not reach the package index to fetch requirements/uv.txt. "
        "Connect this computer, then start again."
    )


@pytest.mark.slow
def test_uv_without_a_network_is_one_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in {**UNREACHABLE, "UV_NO_CACHE": "1", "UV_HTTP_RETRIES": "0"}.items():
        monkeypatch.setenv(name, value)
    uv = [sys.executable, "-m", "uv", "pip", "install", "--target", str(tmp_path), "--require-hashes"]
    with pytest.raises(bootstrap.OutOfReachError, match="No network"):
        bootstrap.run_installer([*uv, "-r", str(ROOT / "requirements" / "base.txt")], "requirements/base.txt")


@pytest.mark.slow
def test_a_fresh_copy_sets_itself_up_and_helps_in_french(tmp_path: Path) -> None:
    """Needs the network, or an index that pip and uv are configured for."""
    shutil.copy(ROOT / "arbitre.py", tmp_path)
    for package in ("locales", "machine", "processes"):
        shutil.copytree(ROOT / package, tmp_path / package)
    first = script(tmp_path, "", "--lang", "fr", "--help")
    assert first.returncode == 0, first.stderr
    assert first.stdout.startswith("Usage\u00a0: python3 run.py")
    assert [line[:12] for line in first.stderr.splitlines()] == ["run.py: Inst", "run.py: Prêt"]
    second = script(tmp_path, "", "--help")
    assert (second.returncode, second.stderr) == (0, "")
    assert second.stdout.startswith("Usage: python3 run.py")
    click = Path(damage.site_packages(str(tmp_path / ".venv"))) / "click"
    for broken in (click / "__init__.py", click / "core.py"):
        broken.unlink()  # it may be a link to the file in uv's cache, which others use
        broken.write_text("")
        third = script(tmp_path, "", "--help")
        assert third.returncode == 0, third.stderr
        assert third.stdout == second.stdout
        assert f"damaged (click/{broken.name})" in third.stderr
        assert "Traceback" not in third.stderr
