"""What run.py does: set up what a command needs, then become the command. Standard library only.

run.py says which commands there are. The first start makes `.venv` beside this file: pip brings uv, uv brings the rest,
all of it pinned by hash in `requirements/`. `.venv/arbitre.json` remembers what is there, so that later starts read a
few small files, no more. What is damaged in `.venv` is installed again (see damage.py).

This file loads fast: it imports what it needs when it needs it.
"""

import os
import sys

import damage
from saying import USAGES, explain, say, talk

ROOT = os.path.dirname(os.path.abspath(__file__))

VENV = os.path.join(ROOT, ".venv")
LOCK = os.path.join(ROOT, ".venv.lock")
STATE = os.path.join(VENV, "arbitre.json")
CONFIG = os.path.join(VENV, "pyvenv.cfg")
LOG = os.path.join(VENV, "setup.log")
REQUIREMENTS = os.path.join(ROOT, "requirements")
BENCHMARKS = os.path.join(ROOT, "benchmarks")
WINDOWS = os.name == "nt"
BIN = os.path.join(VENV, "Scripts" if WINDOWS else "bin")
PYTHON = os.path.join(BIN, "python.exe" if WINDOWS else "python")
BYTECODE = os.path.join(VENV, "bytecode")
CORE = "ARBITRE_CORE"  # machine/core.py reads it

# A group is what is installed together. Each holds base, so that one call of uv sees every pin at once.
# Benchmarks borrow from the tests what starts servers, networks and browsers.
GROUPS = {"venv": (), "base": ("base",), "tls": ("base", "tls"), "dev": ("base", "dev"),
          "bench": ("base", "dev", "bench"), "compile": ("base", "compile")}  # fmt: skip
GROUP_OF_COMMAND = {"test": "dev", "lint": "dev", "messages": "dev", "lock": "dev", "bench": "bench",
                    "compile": "compile"}  # fmt: skip

# What pip and uv print when something outside Arbitre is amiss, in the order in which to look.
SIGNS = (
    ("disk", ("No space left on device", "os error 28)", "os error 112)", "Disk quota exceeded", "Errno 28")),
    ("denied", ("Permission denied", "Read-only file system", "Access is denied", "os error 13)", "os error 30)")),
    ("hash", ("Hash mismatch", "DO NOT MATCH THE HASHES", "hash mismatch")),
    ("certificate", ("CERTIFICATE_VERIFY_FAILED", "invalid peer certificate", "UnknownIssuer")),
    (
        "network",
        (
            "NewConnectionError", "NameResolutionError", "ConnectTimeout", "ReadTimeout", "ProxyError", "SSLError",
            "Connection refused", "Connection reset", "dns error", "error sending request", "Failed to fetch",
            "Network is unreachable", "Network connectivity is disabled", "operation timed out", "tcp connect error",
        ),
    ),
)  # fmt: skip


class SetupError(Exception):
    """Setting up cannot go on; the message is the one sentence that the user reads."""


def main(argv: "list[str]") -> int:
    """Run one command; return its exit code (on POSIX, Arbitre's own commands replace this process)."""
    command = first_word(argv)
    if command in USAGES and argv[1:2] in (["-h"], ["--help"]):
        explain(command, names=", ".join(benchmarks()))
        return 0
    try:
        set_up(argv, command)
        return start(argv, command)
    except SetupError as error:
        sys.stderr.write("run.py: %s\n" % error)
        return 1
    except KeyboardInterrupt:
        return 130


def set_up(argv: "list[str]", command: str) -> None:
    """Make everything ready for one command; raise SetupError when that cannot be done."""
    if os.environ.get(damage.FOUND):  # by arbitre.py
        repair(os.environ.pop(damage.FOUND))
    group = "tls" if wants_cryptography(argv) else GROUP_OF_COMMAND.get(command, "base")
    if group == "bench" and not set(argv) & set(benchmarks()):
        group = "base"  # their list needs nothing
    try:
        prepare(group, command)
    except OutOfReachError as error:
        if group != "tls":
            raise
        sys.stderr.write("run.py: %s\n" % error)  # the command decides whether it can do without
        prepare("base", command)


def start(argv: "list[str]", command: str) -> int:
    """Become the command; if .venv's Python can't be started, repair .venv and begin again."""
    task = TASKS.get(command)
    try:
        if task is not None:
            return task(argv[1:])
        # -P: a folder of the user's that is called `games` or `server` must not hide ours.
        return replace([PYTHON, "-P", "-m", "arbitre", *argv])
    except OSError as error:
        if os.environ.get(damage.REPAIRED):
            raise damage_error(PYTHON, error)
        forget_state()
        repair("%s: %s" % (os.path.relpath(PYTHON, VENV), error.strerror))
        return main(argv)


def wants_cryptography(argv: "list[str]") -> bool:
    """Tell whether one package more is needed: to make a certificate, to sign a league, or to check one."""
    pairs = list(zip(argv, argv[1:]))  # noqa: B905, RUF007
    options = [word.split("=")[0] for word in argv]
    return (
        "--tls=self-signed" in argv
        or ("--tls", "self-signed") in pairs
        or ("league", "sign") in pairs
        or ("league" in argv and "--sign" in options)
        or (("league", "verify") in pairs and "--key" in options)
    )


def first_word(argv: "list[str]") -> str:
    """Return the command's name: a task of this file only when it stands first."""
    return argv[0] if argv else "--help"


# --- setting up -------------------------------------------------------------------------------------------------------


def prepare(group: str, command: str) -> None:
    """Install what `group` needs, unless it is there; raise SetupError when that cannot be done."""
    wanted = fingerprint(group)
    if is_ready(group, wanted):
        gone = damage.first_gone(read_state().get("entries", ""))
        if gone is None:
            return
        repair(gone)
    try:
        with Lock():
            if not is_ready(group, wanted):
                install(group, wanted, command)
    except OSError as error:
        raise explain_os_error(error)


def fingerprint(group: str) -> str:
    """Return a hash of all that decides what a group is: the pins, the Python, and where this folder is.

    "venv" is .venv itself, with the installer in it: when that changes, nothing in it is kept.
    """
    import hashlib

    digest = hashlib.sha256(repr((sys.version_info[:2], os.name, ROOT)).encode())
    for name in ("uv",) + GROUPS[group]:
        path = os.path.join(REQUIREMENTS, name + ".txt")
        try:
            with open(path, "rb") as stream:
                digest.update(stream.read())
        except FileNotFoundError:
            raise SetupError(say("{path} is missing: this copy of Arbitre is not complete; fetch it again.", path=path))
    return digest.hexdigest()


def read_state() -> "dict[str, str]":
    """Return what is installed, group name -> fingerprint; an unreadable file counts as nothing."""
    import json

    try:
        with open(STATE, encoding="utf-8") as stream:
            state = json.load(stream)
    except (OSError, ValueError):
        return {}
    return state if isinstance(state, dict) else {}


def write_state(state: "dict[str, str]") -> None:
    """Replace the state file in one step: a reader sees the old one or the new one."""
    import json

    with open(STATE + ".new", "w", encoding="utf-8") as stream:
        json.dump(state, stream)
    os.replace(STATE + ".new", STATE)


def is_ready(group: str, wanted: str) -> bool:
    """Tell whether `group` is installed as it has to be. A link to a Python that is gone does not count."""
    return read_state().get(group) == wanted and is_venv()


def is_venv() -> bool:
    """Tell whether .venv is one: its Python, and the file that tells it where it is."""
    return os.path.exists(PYTHON) and os.path.exists(CONFIG)


def install(group: str, wanted: str, command: str) -> None:
    """Make .venv where there is none that can be trusted, then let uv install the group's pins.

    The state file is gone while anything changes: an interrupted set-up is begun again from nothing, for a package that
    is half installed looks whole to uv.
    """
    state = read_state()
    venv = fingerprint("venv")
    usable = state.get("venv") == venv and is_venv()
    if usable:
        talk("Fetching what `{command}` needs ...", command=command)
    else:
        talk("Setting up Arbitre in {venv}: once, about a minute ...", venv=VENV)
        if os.path.islink(VENV):
            os.remove(VENV)  # what it leads to is another copy's, or another program's
        forget_state()
        state = {"venv": venv}
        make_venv()
    forget_state()
    try:
        run_installer(uv_install(GROUPS[group]), "requirements/%s.txt" % group)
    except OutOfReachError:
        write_state(state)  # uv fetches everything before it touches anything: what was there still is
        raise
    state[group] = wanted
    state["base"] = fingerprint("base")
    state["entries"] = damage.list_entries(VENV)
    write_state(state)
    talk("Ready.")


# --- repairing --------------------------------------------------------------------------------------------------------


def repair(detail: str) -> None:
    """Install everything again, because of `detail`; raise SetupError when that cannot be done."""
    talk("{venv} is damaged ({detail}): installing it again ...", venv=VENV, detail=detail)
    os.environ[damage.REPAIRED] = "1"
    try:
        with Lock():
            state = read_state()
            groups = [name for name in GROUPS if name != "venv" and state.get(name) == fingerprint(name)] or ["base"]
            try:
                reinstall(groups, state)
            except OutOfReachError as error:
                raise damage_error(detail, error)
            except SetupError:  # uv is damaged itself, or more: from nothing
                forget_state()
                for group in groups:
                    install(group, fingerprint(group), "--help")
    except OSError as error:
        raise explain_os_error(error)


def reinstall(groups: "list[str]", state: "dict[str, str]") -> None:
    """Let uv replace every file of these groups; raise SetupError when it cannot."""
    if state.get("venv") != fingerprint("venv") or not is_venv():
        raise SetupError(VENV)
    forget_state()
    names = tuple(sorted({name for group in groups for name in GROUPS[group]}))
    try:
        run_installer(uv_install(names, "--reinstall"), "requirements/base.txt")
    except OutOfReachError:
        write_state(state)
        raise
    point_home()
    write_state(dict(state, entries=damage.list_entries(VENV)))
    talk("Ready.")


def damage_error(detail: str, reason: Exception) -> SetupError:
    """Return the SetupError that names what is damaged, why it stays so, and what helps."""
    text = "{venv} is damaged ({detail}) and was not repaired. {reason} If that does not help, delete this folder."
    return SetupError(say(text, venv=VENV, detail=detail, reason=reason))


def uv_install(names: "tuple[str, ...]", *options: str) -> "list[str]":
    """Return the command that installs these requirement files."""
    uv = [PYTHON, "-m", "uv", "pip", "install", "--quiet", "--python", PYTHON, "--require-hashes", "--system-certs"]
    for name in names:
        uv += ["-r", os.path.join(REQUIREMENTS, name + ".txt")]
    return uv + list(options)


def forget_state() -> None:
    """Remove the state file, so that an interruption from here on is noticed."""
    if os.path.exists(STATE):
        os.remove(STATE)


def make_venv() -> None:
    """Make an empty .venv that holds pip and uv, and finds Arbitre's packages from any folder."""
    try:
        import venv

        __import__("ensurepip")  # venv needs it later, and would fail with a traceback
    except ImportError as error:
        cure = "Install it (Debian, Ubuntu: sudo apt install python3-venv), then start again."
        if WINDOWS or sys.platform == "darwin":
            cure = "Install Python from python.org, then start again."
        text = "This Python has no {module} module, which run.py needs to make {venv}. {cure}"
        raise SetupError(say(text, module=error.name, venv=VENV, cure=say(cure)))
    import subprocess

    try:
        venv.EnvBuilder(clear=True, symlinks=not WINDOWS, with_pip=True).create(VENV)
    except subprocess.CalledProcessError as error:
        raise explain_failure(str(error.output or error), ".venv")
    point_home()
    pip = [PYTHON, "-m", "pip", "install", "--quiet", "--require-hashes", "--retries", "1", "--timeout", "15"]
    run_installer([*pip, "-r", os.path.join(REQUIREMENTS, "uv.txt")], "requirements/uv.txt")


def point_home() -> None:
    """Let .venv's Python find Arbitre's packages."""
    with open(os.path.join(damage.site_packages(VENV), "arbitre.pth"), "w", encoding="utf-8") as stream:
        stream.write(ROOT + "\n")


def run_installer(arguments: "list[str]", what: str) -> None:
    """Run pip or uv in silence; when it fails, keep what it said in the log and raise the one sentence."""
    import subprocess

    environment = dict(os.environ, PIP_USER="0", PIP_DISABLE_PIP_VERSION_CHECK="1", PIP_NO_INPUT="1")
    if os.environ.get("PIP_INDEX_URL"):  # a school's or a company's mirror: pip knows it, uv has to be told
        environment.setdefault("UV_DEFAULT_INDEX", os.environ["PIP_INDEX_URL"])
    done = subprocess.run(
        arguments,
        cwd=ROOT,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        check=False,
        encoding="utf-8",
        errors="replace",
    )
    if done.returncode != 0:
        raise explain_failure(done.stdout, what)


# --- saying what went wrong -------------------------------------------------------------------------------------------


class OutOfReachError(SetupError):
    """The package index cannot be reached; nothing was changed."""


def explain_failure(output: str, what: str) -> SetupError:
    """Return the SetupError that says in one sentence why an installer failed with this output."""
    kind = next((kind for kind, signs in SIGNS if any(sign in output for sign in signs)), "other")
    if kind == "network":
        text = (
            "No network: run.py could not reach the package index to fetch {what}. "
            "Connect this computer, then start again."
        )
        return OutOfReachError(say(text, what=what))
    if kind == "certificate":
        text = (
            "The package index shows a certificate that this computer does not trust (a filter on this network?), "
            "so {what} was not fetched; try another network, or ask who runs this one."
        )
        return OutOfReachError(say(text, what=what))
    if kind == "disk":
        return SetupError(say("The disk is full: free about 500 MB around {folder}, then start again.", folder=ROOT))
    if kind == "denied":
        return SetupError(denied())
    if kind == "hash":
        text = (
            "A download of {what} is not what {folder} promises (wrong hash), so nothing was installed from it; try "
            "from another network, or tell the authors."
        )
        return SetupError(say(text, what=what, folder=REQUIREMENTS))
    with open(LOG, "w", encoding="utf-8") as stream:
        stream.write(output)
    return SetupError(
        say("{what} could not be installed on this computer; the details are in {log}.", what=what, log=LOG)
    )


def explain_os_error(error: OSError) -> SetupError:
    """Return the SetupError for an operation on files that failed."""
    import errno

    if error.errno in (errno.ENOSPC, errno.EDQUOT if hasattr(errno, "EDQUOT") else errno.ENOSPC):
        return SetupError(say("The disk is full: free about 500 MB around {folder}, then start again.", folder=ROOT))
    if error.errno in (errno.EACCES, errno.EPERM, errno.EROFS):
        return SetupError(denied())
    return SetupError(say("{what} could not be installed on this computer: {detail}", what=".venv", detail=error))


def denied() -> str:
    """Return the sentence for a folder that is not ours to write in."""
    return say(
        "This account may not write in {folder}: copy Arbitre to a folder of your own, then start again.", folder=ROOT
    )


class Lock:
    """One set-up at a time in this folder. The system lets go of it when the process ends, however it ends."""

    def __enter__(self) -> None:
        self.stream = open(LOCK, "a+b")
        if not self.take(wait=False):
            talk("Another run.py is setting up; waiting for it ...")
            while not self.take(wait=True):
                pass

    def __exit__(self, *_: object) -> None:
        self.stream.close()

    def take(self, *, wait: bool) -> bool:
        """Take the lock; return False when another process has it (on Windows a wait gives up after 10 s)."""
        try:
            if sys.platform == "win32":
                import msvcrt

                self.stream.seek(0)
                msvcrt.locking(self.stream.fileno(), msvcrt.LK_LOCK if wait else msvcrt.LK_NBLCK, 1)
            else:
                import fcntl

                fcntl.flock(self.stream, fcntl.LOCK_EX if wait else fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            if WINDOWS or isinstance(error, BlockingIOError):
                return False
            raise
        return True


# --- running ----------------------------------------------------------------------------------------------------------


def replace(arguments: "list[str]") -> int:
    """Become this command; where a process cannot (Windows), run it and return its exit code."""
    sys.stdout.flush()
    sys.stderr.flush()
    if WINDOWS:
        return call(arguments)
    return os.execv(arguments[0], arguments)


def call(arguments: "list[str]") -> int:
    """Run this command in Arbitre's folder or, for Arbitre itself, the user's; return its exit code."""
    import subprocess

    process = subprocess.Popen(arguments)
    while True:
        try:
            return process.wait()
        except KeyboardInterrupt:  # the child got it as well, and decides
            continue


def test(arguments: "list[str]") -> int:
    """Run pytest. Without a marker expression, slow and thorough tests stay out. All cores work unless a path is named.

    Two tests share a core: half of the time a test waits, for a process or for a clock. Those of --quick compute.
    With --compiled it runs with the compiled core, which is made first; else with the plain one.
    """
    os.chdir(ROOT)
    os.environ[CORE] = "plain"
    if "--compiled" in arguments:
        arguments = [word for word in arguments if word != "--compiled"]
        prepare("compile", "compile")
        code = compile_core([])
        if code != 0:
            return code
        os.environ[CORE] = "compiled"
    keep_bytecode()
    marker = [] if any(word.startswith("-m") for word in arguments) else ["-m", "not slow and not thorough"]
    some = any(word.startswith("-n") or os.path.exists(word.split("::")[0]) for word in arguments)
    at_once = (1 if "--quick" in arguments else 2) * (os.cpu_count() or 1)
    cores = [] if some else ["-n", str(at_once), "--dist", "worksteal"]
    return replace([PYTHON, "-m", "pytest", *cores, *marker, *arguments])


def keep_bytecode() -> None:
    """Let the tests keep bytecode in .venv if the environment forbids keeping it beside the sources.

    The tests start hundreds of processes of Arbitre. Each would compile all of it.
    """
    if os.environ.pop("PYTHONDONTWRITEBYTECODE", ""):
        os.environ["PYTHONPYCACHEPREFIX"] = BYTECODE
        forget_bytecode_of_temporary_files()


def forget_bytecode_of_temporary_files() -> None:
    """Remove what earlier tests' files left; what is of Arbitre stays, where a clone of it lies in such a folder."""
    import shutil
    import tempfile

    temporary = BYTECODE + os.path.abspath(tempfile.gettempdir())
    ours = BYTECODE + ROOT
    for name in os.listdir(temporary) if os.path.isdir(temporary) else []:
        folder = os.path.join(temporary, name)
        if not (ours + os.sep).startswith(folder + os.sep):
            shutil.rmtree(folder, ignore_errors=True)


def lint(_: "list[str]") -> int:
    """Run every linter, then say which ones failed."""
    os.chdir(ROOT)
    module = [PYTHON, "-m"]
    contracts = "import sys; from importlinter.cli import lint_imports_command; lint_imports_command(sys.argv[1:])"
    linters = (
        ("ruff check", [*module, "ruff", "check", "."]),
        ("ruff format", [*module, "ruff", "format", "--check", "."]),
        ("mypy", [*module, "mypy"]),
        ("pyright", [*module, "pyright"]),
        ("import-linter", [PYTHON, "-c", contracts]),
        ("codespell", [*module, "codespell_lib"]),
        ("eslint", [*module, "tools.scripts", "eslint"]),
        ("tsc", [*module, "tools.scripts", "tsc"]),
    )
    failed = []
    for name, arguments in linters:
        sys.stderr.write("== %s\n" % name)
        sys.stderr.flush()
        if call(arguments) != 0:
            failed.append(name)
    if failed:
        talk("Failed: {names}.", names=", ".join(failed))
        return 1
    talk("All of them passed: {names}.", names=", ".join(name for name, _ in linters))
    return 0


def bench(arguments: "list[str]") -> int:
    """Run benchmarks/NAME.py with the arguments that follow; without a name, list the benchmarks."""
    names = benchmarks()
    if not arguments:
        sys.stdout.write("".join(name + "\n" for name in names))
        return 0
    if arguments[0] not in names:
        talk("There is no benchmark {name}; there are: {names}.", name=arguments[0], names=", ".join(names))
        return 2
    return replace([PYTHON, os.path.join(BENCHMARKS, arguments[0].replace("-", "_") + ".py"), *arguments[1:]])


def benchmarks() -> "list[str]":
    """Return the names of the benchmarks, as they are typed."""
    files = os.listdir(BENCHMARKS) if os.path.isdir(BENCHMARKS) else []
    return sorted(name[:-3].replace("_", "-") for name in files if name.endswith(".py") and not name.startswith("_"))


def messages(arguments: "list[str]") -> int:
    """Bring the French catalogue up to date with the sources."""
    return replace([PYTHON, "-m", "locales.update", *arguments])


def docs(arguments: "list[str]") -> int:
    """Write anew what documents and the page's types say of the code."""
    os.chdir(ROOT)
    codes = [call([PYTHON, "-m", package, "--write-docs", *arguments]) for package in ("protocol", "school")]
    return max(codes)


def compile_core(arguments: "list[str]") -> int:
    """Compile the core, unless it is compiled as it is; return the exit code, and say why it failed."""
    os.chdir(ROOT)
    missing = None if arguments else missing_for_compiling()
    if missing is not None:
        cure = "Install it (Debian, Ubuntu: sudo apt install gcc python3-dev), then start again."
        if WINDOWS or sys.platform == "darwin":
            cure = "Install a C compiler, then start again."
        text = "{what} is missing, which the core is compiled with: the plain core runs. {cure}"
        raise SetupError(say(text, what=missing, cure=say(cure)))
    code = call([PYTHON, "-m", "tools.compiling", *arguments])
    if code != 0:
        talk("The core was not compiled, so the plain one runs; above is what the compilers said.")
    return code


def missing_for_compiling() -> "str | None":
    """Return what is missing of a C compiler; None where it is there, or where nobody can tell (Windows)."""
    import shutil
    import sysconfig

    compiler = (os.environ.get("CC") or sysconfig.get_config_var("CC") or "").split()
    if compiler and shutil.which(compiler[0]) is None:
        return compiler[0]
    header = os.path.join(sysconfig.get_path("include"), "Python.h")
    return None if os.path.exists(header) else header


def lock(arguments: "list[str]") -> int:
    """Compile each requirements/*.in to the .txt beside it, and package.json to its lock file.

    No file keeps a trace of where packages came from.
    """
    os.chdir(REQUIREMENTS)
    uv = [PYTHON, "-m", "uv", "pip", "compile", "--quiet", "--universal", "--python-version", "3.11"]
    uv += ["--generate-hashes", "--no-emit-index-url", "--no-emit-find-links", "--system-certs"]
    uv += ["--custom-compile-command", "python3 run.py lock"]
    for name in ("uv", "base", "dev", "bench", "tls", "compile"):
        code = call(uv + arguments + [name + ".in", "-o", name + ".txt"])
        if code != 0:
            return code
    os.chdir(ROOT)
    return call([PYTHON, "-m", "tools.scripts", "lock"])


TASKS = {"test": test, "lint": lint, "bench": bench, "compile": compile_core, "messages": messages, "docs": docs,
         "lock": lock}  # fmt: skip
