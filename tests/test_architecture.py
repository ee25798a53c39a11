"""The layers and the pure core of docs/architecture.md, held by import-linter (contracts: pyproject.toml)."""

import ast
import re
import shutil
import subprocess
import sys
import tomllib
from functools import cache
from pathlib import Path

import pytest

from locales import update
from machine import namespace
from tests.contracts import settings

ROOT = Path(__file__).parents[1]
LINT = "import sys; from importlinter.cli import lint_imports_command; lint_imports_command(['--no-cache'])"


@pytest.fixture
def sources(tmp_path: Path) -> Path:
    """Return a copy of the packages, which a test may spoil. A module that is not written yet stands there empty."""
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    linter = settings()
    for name in linter["root_packages"]:
        folder = tmp_path / name
        if (ROOT / name).exists():
            shutil.copytree(ROOT / name, folder, ignore=shutil.ignore_patterns("__pycache__", "*.mo"))
        folder.mkdir(exist_ok=True)
        (folder / "__init__.py").touch()
    for contract in linter["contracts"]:
        for module in contract.get("source_modules", []):
            path = tmp_path / module.replace(".", "/")
            if not path.is_dir():
                path.with_suffix(".py").touch()
    return tmp_path


def lint(folder: Path) -> tuple[int, str]:
    done = subprocess.run([sys.executable, "-c", LINT], cwd=folder, capture_output=True, encoding="utf-8", check=False)
    return done.returncode, done.stdout + done.stderr


def test_the_contracts_hold(sources: Path) -> None:
    code, output = lint(sources)
    assert code == 0, output


FORBIDDEN = [
    ("server/match/match.py", "time", "The core decides"),
    ("client/session.py", "asyncio", "The core decides"),
    ("games/base.py", "msgspec", "games needs only"),
    ("protocol/codec.py", "socket", "games and protocol decide"),
    ("server/referee/house.py", "socket", "The core decides"),
    ("server/match/match.py", "client", "The server knows nothing"),
    ("server/referee/hub.py", "server.connections", "In server, the referee"),
    ("client/session.py", "client.people", "In client, the library"),
    ("client/tui/drawing/layout.py", "client.tui.widgets", "On the full screen, screens"),
    ("school/programs/alike.py", "school.parts", "In school, a class"),
    ("league/pairing/swiss.py", "league.runner", "In league, commands"),
    ("games/base.py", "protocol", "Imports point inwards"),
    ("bots/base.py", "league", "Imports point inwards"),
    ("locales/__init__.py", "games", "Imports point inwards"),
    ("bots/base.py", "arbitre", "Nothing imports the command line"),
]


def test_a_forbidden_import_breaks_its_contract(sources: Path) -> None:
    """All of them at once, for each run reads every module: each is named below the contract that it breaks."""
    for module, imported, _ in FORBIDDEN:
        path = sources / module
        before = path.read_text(encoding="utf-8") if path.exists() else ""
        path.write_text(f"{before}\nimport {imported}\n", encoding="utf-8")
    code, output = lint(sources)
    assert code == 1, output
    broken = re.split(r"\n(?=.*\n-+\n)", output.partition("Broken contracts")[2])
    for module, imported, contract in FORBIDDEN:
        name = module.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
        found = [text for text in broken if text.strip().startswith(contract)]
        assert re.search(rf"{name} -> {imported} \(l\.\d+\)", "".join(found)), f"{name} -> {imported}\n{output}"


def test_who_says_to_be_pure_is_held_to_it() -> None:
    contracts = {contract["id"]: contract for contract in settings()["contracts"]}
    held = [*contracts["pure"]["source_modules"], *contracts["rules-and-wire"]["source_modules"]]
    for package in settings()["root_packages"]:
        for path in (ROOT / package).rglob("*.py"):
            words = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
            name = ".".join(path.relative_to(ROOT).with_suffix("").parts)
            if re.search(r"\bPure[.:]", words):
                assert any(f"{name}.".startswith(f"{module}.") for module in held), name


CIRCLES = {
    "client.tui": ("client/tui/app.py", "def menu():\n    from client.tui.screens.home import stay_home\n"),
    "client": ("client/session.py", "import typing\nif typing.TYPE_CHECKING:\n    import client.connection\n"),
}
"""Folder -> a module of it, and what closes a circle there: inside a function, and for types alone."""


def test_a_circle_breaks_its_contract(sources: Path) -> None:
    for module, closing in CIRCLES.values():
        with (sources / module).open("a", encoding="utf-8") as file:
            file.write(f"\n{closing}")
    code, output = lint(sources)
    assert code == 1, output
    assert set(re.findall(r"No cycles are allowed in ([\w.]+)\.\n", output)) == set(CIRCLES), output


PAGE = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("path", sorted(set(re.findall(r"`([\w/-]+(?:\.py|\.toml|\.[jt]s|\.css|/))`", PAGE))))
def test_what_the_page_names_is_there(path: str) -> None:
    assert (ROOT / path).exists() or path == "texts.js"  # of which each folder of the page has one


@cache
def names_of(file: Path) -> set[str]:
    """What a module defines, and `Class.member`; of a script every word. What it imports is defined elsewhere."""
    text = file.read_text(encoding="utf-8")
    if file.suffix != ".py":
        return set(re.findall(r"\w+", text))
    found: set[str] = set()
    waiting: list[tuple[ast.AST, str]] = [(ast.parse(text), "")]
    while waiting:
        node, owner = waiting.pop()
        match node:
            case ast.ClassDef(name=name) | ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                pass
            case ast.Name(id=name, ctx=ast.Store()) | ast.Attribute(attr=name, ctx=ast.Store()) | ast.arg(arg=name):
                pass
            case ast.Constant(value=str(name)):
                pass
            case _:
                name = ""
        found |= {name, f"{owner}.{name}"}
        owner = node.name if isinstance(node, ast.ClassDef) else owner
        waiting += [(child, owner) for child in ast.iter_child_nodes(node)]
    return found


PLACES = re.findall(r"((?:`[\w.]+`(?:, | and ))*`[\w.]+`) (?:in|of) `([\w/]+\.(?:py|js))`", re.sub(r"\s+", " ", PAGE))
"""Names on the page, and the file that they are said to be in."""


def test_a_name_is_in_the_file_that_the_page_says() -> None:
    wrong = [
        f"{name}: not in {path}"
        for told, path in PLACES
        for name in re.findall(r"`([\w.]*\w)`", told)
        if name not in names_of(ROOT / path)
    ]
    assert len(PLACES) > 100
    assert wrong == []


def test_the_members_on_the_page_are_members() -> None:
    """`Class.member`, wherever the class is."""
    packages = settings()["root_packages"]
    known = set[str]().union(*(names_of(file) for name in packages for file in (ROOT / name).rglob("*.py")))
    told = set(re.findall(r"`([A-Z]\w*[a-z]\w*\.\w+)`", PAGE))
    assert len(told) > 80
    assert sorted(told - known) == []


@pytest.mark.parametrize(
    ("row", "file", "name"),
    [
        ("when a flag falls", "server/referee/hub.py", "settle"),
        ("**A time control**", "server/match/clock.py", "MatchClock"),
        ("**A reason to refuse a move**", "terminal/refusals.py", "_MOVE_REFUSED"),
        ("whether a password is right", "server/referee/access.py", "admit"),
        ("does not read", "server/connections/delivery.py", "Delivery"),
        ("who comes back is told", "server/referee/presence.py", "_catch_up"),
        ("referee knows of a connection", "server/referee/measurements.py", "Measurements"),
        ("in the other formats", "league/pairing/pairings.py", "ladder"),
        ("can see, how much it may use", "processes/sandbox.py", "wrap"),
        ("how ratings and their errors", "league/statistics/ratings.py", "rate"),
        ("does not say `hello`", "server/admission/admission.py", "_check_hello"),
        ("after a crash or a `kill -9`", "league/history/fixtures.py", "due"),
        ("which modules are compiled", "tools/compiling.py", "CORE"),
        ("which files a program sees", "processes/belongings.py", "belongings"),
        ("**An ending of a match**", "protocol/bounds.py", "ResultReason"),
        ("**A file format** for games", "server/commands/record_files.py", "_formatted"),
        ("the same move comes twice", "server/match/match.py", "_is_played"),
        ("who has a bye", "league/pairing/pairings.py", "ladder"),
        ("what a bye", "league/pairing/swiss.py", "_bye_cost"),
        ("a program writes or prints", "bots/adapters/engine.py", "STDERR_BYTES"),
        ("how a list of pupils", "league/pupils/lists.py", "_COLUMNS"),
        ("sets a clock that people see", "client/people/controller.py", "ask_again"),
        ("why a bot's process ends", "league/executors/bot_pool.py", "give_back"),
        ("why a bot leaves a league", "bots/running/runner.py", "_leave_if_out"),
        ("games of `match`, and its table", "league/report/duel_text.py", "duel_table"),
        ("which openings are played", "league/commands/openings_option.py", "read_openings"),
        ("others is told of its time", "bots/adapters/gtp.py", "_tell_time"),
        ("against each other (the crosstable)", "league/statistics/standings.py", "_take"),
        ("refuses to open", "server/referee/lobby.py", "rules_of"),
        ("how large a board is", "page/app/style.css", r"\.board"),
        ("how a client hears what it missed", "client/session.py", "seen"),
        ("**A column or an index**", "server/store/reading.py", "_COLUMNS"),
        ("**A column or an index**", "server/store/schema.py", "_steps"),
        ("of an earlier version is brought", "server/store/schema.py", "bring_up_to_date"),
        ("who joins a match", "server/referee/requests/arranging.py", "watch"),
        ("It is not your turn", "client/explanations.py", "_REFUSED"),
        ("shows a server twice", "client/people/discovery.py", "asked"),
        ("chance is drawn", "league/pairing/openings.py", "openings"),
        ("version of the protocol", "protocol/__init__.py", "PROTOCOL"),
        ("which files a class refuses", "school/messages.py", "MAX_SOURCE"),
        ("old matches are deleted", "server/store/tidying.py", "Tidier"),
        ("settings, tokens and caches", "machine/folders.py", "config"),
        ("figures at `/metrics`", "server/web/figures.py", "Histogram"),
        ("TLS and its certificate", "server/admission/tls.py", "load"),
        ("is started again", "services/supervision.py", "keep"),
        ("which language is spoken", "locales/__init__.py", "language_of"),
        ("opening books and weights", "tools/make_book.py", "main"),
        ("where the figures of a column", "league/statistics/standings.py", "Row"),
        ("a move that comes too late", "server/match/match.py", "tick"),
        ("wide letters", "terminal/columns.py", "columns"),
        ("how a match is opened and joined", "server/referee/requests/arranging.py", "decline"),
        ("who may abort", "server/referee/table.py", "check_abort"),
        ("a notebook", "bots/adapters/pupils/notebooks.py", "SUFFIX"),
        ("pondering", "bots/running/match_player.py", "_ponder"),
        ("in a frame of another site", "page/files.py", "EMBEDDED"),
        ("a line of chat may be", "protocol/bounds.py", "MAX_CHAT"),
        ("what a person has chosen", "client/people/settings.py", "read"),
        ("whole, and signed", "league/history/signature.py", "check"),
        ("certificate's fingerprint", "client/wire.py", "dial"),
        ("Ctrl-C", "processes/stopping.py", "run"),
        ("is pinged", "server/connections/connection_bounds.py", "Bounds"),
        ("which Python is the oldest", "run.py", "OLDEST"),
        ("a player who can't move passes", "games/othello.py", "passed"),
        ("pupils' codes", "school/folder.py", "keep_codes"),
        ("the ladder of badges", "school/programs/levels.py", "SPECS"),
        ("how much it may use", "processes/calls.py", "refusing"),
        ("**A format of leagues**", "league/pairing/schedule.py", "extend"),
        ("**An option of a game**", "bots/search/accelerators.py", "ACCELERATORS"),
        ("whose turn it is, on the page", "page/app/play.js", r" *statusText"),
        ("**A language**", "server/web/visitors.py", "page"),
        ("what a bot's mistake costs it", "bots/failures/capsule.py", "failure"),
        ("how a server stops", "server/app.py", "stop"),
        ("QR codes", "terminal/qr.py", "code"),
        ("the code of a private one", "server/referee/lobby.py", "new_code"),
        ("**A field of a message**", "server/records/compose.py", "compose"),
        ("before the other may end the match", "league/executors/local_server.py", "ABSENCE"),
        ("what a move is called", "school/judging.py", "first_mistakes"),
        ("memory, CPU, processes", "school/programs/fielding.py", "spec_of"),
    ],
)
def test_a_stranger_is_led_to_the_right_place(row: str, file: str, name: str) -> None:
    """Tasks of people who had read nothing but the page."""
    (told,) = re.findall(rf"^[|-][^\n]*{re.escape(row)}.*?(?=^[|-]|\Z)", PAGE, re.MULTILINE | re.DOTALL)
    assert f"`{file}`" in told
    assert re.search(
        rf"^ *(class|def|async def) {name}\b|^{name}\b", (ROOT / file).read_text(encoding="utf-8"), re.MULTILINE
    )


def test_every_layer_is_on_the_page() -> None:
    """With the number that its place among the layers gives it."""
    layers = [re.split(r" *\| *", layer) for layer in settings()["contracts"][0]["layers"]]
    told = {name: int(layer) for layer, name in re.findall(r"^\| (\d) \| `(\w+)` \|", PAGE, re.MULTILINE)}
    assert told == {name: len(layers) + 1 - place for place, layer in enumerate(layers) for name in layer}


def test_every_table_of_packages_has_all() -> None:
    """Whose texts are translated, whose names are free for others, and what is installed."""
    tools = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]
    installed = tools["hatch"]["build"]["targets"]["wheel"]["hooks"]["custom"]["folders"]
    for table in (update.PACKAGES, namespace.PACKAGES, installed):
        assert sorted(table) == sorted(settings()["root_packages"])
