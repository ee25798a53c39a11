"""README.md and docs: each command line that they show is one, and the options of what they describe are all there."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable
from contextlib import ExitStack, suppress
from pathlib import Path

import click
import pytest

import arbitre
from bots.commands.bot_cli import COMMANDS as BOT_COMMANDS
from bots.commands.bot_cli import load_command

ROOT = Path(__file__).parents[1]
PAGES = (
    "CHANGELOG.md",
    "README.md",
    "README.fr.md",
    *sorted(f"docs/{page.name}" for page in (ROOT / "docs").glob("*.md")),
    "examples/classroom/README.md",
)
TASKS = {"test", "lint", "bench", "compile", "messages", "docs", "lock"}
"""What run.py does itself."""

STANDS_FOR = {
    "WINNER": "draw",
    "GAME": "othello",
    "DEPTH": "2",
    "DAYS": "30",
    "N": "2",
    "FILE": "file.json",
    "CAPSULE": "file.json",
}
"""A word in capitals that stands for one of a few -> one of them."""

ELSEWHERE = {
    "--write-docs": "protocol",
    "--quick": "tests",
    "--compiled": "tests",
    "--bounds": "serve, hidden: for tests",
    "--add-port": "firewall-cmd",
    "--add-service": "firewall-cmd",
    "--nworkers": "dask",
    "--nthreads": "dask",
    "--level": "gtp-rhino",
    "--book": "an engine",
    "--ro-bind": "bubblewrap",
    "--scope": "systemd-run",
    "--user": "systemd-run",
    "--unshare-all": "bubblewrap",
}
"""Options in our pages that are another program's, and which program that is."""

_OURS = re.compile(r"(?:\w+=\S+ +)*(?:python3 run\.py|arbitre) +(.*)")
_EXPLAINED = re.compile(r"\s{2,}| # | [>|] ")


def typed(line: str) -> str | None:
    """The words behind `python3 run.py`, without the explanation beside them; None if it is no line of ours."""
    found = _OURS.fullmatch(line)
    return None if found is None else _EXPLAINED.split(found[1].strip())[0]


def lines_in(text: str) -> list[str]:
    """The command lines in the indented blocks of a page."""
    return list(filter(None, map(typed, re.findall(r"^ {4}(\S.*)$", text, re.MULTILINE))))


def mentions_in(text: str) -> list[str]:
    """The commands in the sentences of a page: whole lines, or a name and some of what goes with it."""
    spans = re.findall(r"`(?!class [A-Z])([^`\n]+)`", text)  # which is Python, and no command
    known = tuple(f"{name} " for name in arbitre.COMMANDS)
    found = [typed(f"arbitre {span}" if span.startswith(known) else span) for span in spans]
    return [line for line in found if line and "..." not in line]


def on_all_pages(find: Callable[[str], list[str]]) -> list[tuple[str, str]]:
    """What `find` finds, with the page that it is on."""
    return [(page, line) for page in PAGES for line in find((ROOT / page).read_text(encoding="utf-8"))]


LINES, MENTIONS = on_all_pages(lines_in), on_all_pages(mentions_in)


def parse(words: list[str]) -> None:
    """Parses a command line without running it; raises click.UsageError."""
    words, _language = arbitre.take_language(words)
    group: click.Group = arbitre.build()
    with ExitStack() as stack:
        context = stack.enter_context(click.Context(group))
        while True:
            _name, command, rest = group.resolve_command(context, words)
            assert command is not None
            context = stack.enter_context(command.make_context(command.name, rest, parent=context))
            words = [*context._protected_args, *context.args]
            if not isinstance(command, click.Group) or not words:
                return
            group = command


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where a file of any name in a command line exists."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "200")
    monkeypatch.setenv("SHELL", "/bin/bash")
    return tmp_path


def prepare(folder: Path, words: list[str]) -> list[str]:
    """The words with examples in the place of what stands for one, and their files in `folder`."""
    filled = [STANDS_FOR.get(word, word) for word in words]
    for word in filled:
        name = word.partition("#")[0]
        if re.fullmatch(r"[\w./-]+\.\w+", name):
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text("x", encoding="utf-8")
        elif name.endswith("/") and not name.startswith("/"):
            (folder / name).mkdir(parents=True, exist_ok=True)
    return filled


def check(page: str, words: list[str]) -> None:
    """Raises click.UsageError, or AssertionError, if a command line is none."""
    if words[0] not in TASKS:
        with suppress(click.exceptions.Exit):  # --help
            parse(words)
    elif words[0] == "bench" and len(words) > 1:
        assert (ROOT / "benchmarks" / f"{words[1].replace('-', '_')}.py").exists(), page


@pytest.mark.parametrize(("page", "line"), LINES, ids=map(": ".join, LINES))
def test_each_command_line_is_one(page: str, line: str, folder: Path) -> None:
    check(page, prepare(folder, shlex.split(line)))


@pytest.mark.parametrize(("page", "line"), MENTIONS, ids=map(": ".join, MENTIONS))
def test_each_command_that_is_mentioned_is_one(page: str, line: str, folder: Path) -> None:
    with suppress(click.MissingParameter, click.BadOptionUsage):  # a name and an option alone are no line
        check(page, prepare(folder, shlex.split(line)))


def test_lines_are_found() -> None:
    assert len(LINES) > 70
    assert len(MENTIONS) > 50
    assert {"README.md", "docs/server.md", "docs/leagues.md"} <= {page for page, _line in LINES}


@pytest.mark.parametrize(
    "line",
    ["serve --keeps 30", "league open x.toml --code A", "admin kick Ada", "play a b", "leagues", "serve --keep x"],
)
def test_what_is_none_is_found_out(line: str, folder: Path) -> None:
    with pytest.raises(click.UsageError):
        parse(prepare(folder, shlex.split(line)))


def options_of(command: click.Command) -> set[str]:
    """The long options of a command and of those below it, without hidden ones."""
    own = {
        name
        for one in command.params
        if isinstance(one, click.Option) and not one.hidden
        for name in (*one.opts, *one.secondary_opts)
        if name.startswith("--")
    }
    below = command.commands.values() if isinstance(command, click.Group) else ()
    return own.union(*(options_of(one) for one in below))


def command_named(name: str) -> click.Command:
    group = arbitre.build()
    command = group.get_command(click.Context(group), name)
    assert command is not None
    return command


@pytest.mark.parametrize(("name", "page"), [("serve", "docs/server.md"), ("league", "docs/leagues.md")])
def test_each_option_is_described(name: str, page: str) -> None:
    text = (ROOT / page).read_text(encoding="utf-8")
    assert options_of(command_named(name)) - {"--help"} <= set(re.findall(r"--[a-z][\w-]*", text))


def test_no_option_is_made_up() -> None:
    real = {"--lang", "--version", "--show-completion", "--help"}.union(
        *(options_of(command_named(name)) for name in arbitre.COMMANDS)
    )
    real = real.union(*(options_of(load_command(name)) for name in BOT_COMMANDS))
    sources = [path.read_text(encoding="utf-8") for path in (ROOT / "benchmarks").glob("*.py")]
    real |= {option for text in sources for option in re.findall(r'"(--[\w-]+)"', text)}
    for page in PAGES:
        said = re.findall(r"(?<![\w-])--[a-z][\w-]*", (ROOT / page).read_text(encoding="utf-8"))
        assert not set(said) - real - set(ELSEWHERE), page


def test_ci_names_tests_that_there_are() -> None:
    """A module that is called otherwise must not be found missing by the last step of a long run."""
    text = (ROOT / ".ci/run").read_text(encoding="utf-8").replace("\\\n", " ")
    named = [word for word in text.split() if word.startswith("tests/")]
    assert len(named) > 1
    assert [name for name in named if not (ROOT / name).exists()] == []
