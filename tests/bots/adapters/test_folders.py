"""A folder as a bot: a package with relative imports and data files, and what its bot.toml says."""

import sys
from pathlib import Path

import pytest

from bots.adapters.settings import read_settings
from bots.base import BotFaultError, BotSpecError, parse_bot
from processes.launch_options import LaunchOptions
from processes.sandbox import obstacle
from tests.bots.adapters.matches import play, spec_of

BOT = """
from importlib.resources import files
from pathlib import Path
import helper
import my_bot.search.tree as tree
from . import helper as same
from .search.tree import best

def choose(position):
    assert Path("data/weights.txt").read_text() == "7\\n"
    assert (Path(__file__).parent / "data" / "weights.txt").is_file()
    assert files(__package__).joinpath("data", "weights.txt").read_text() == "7\\n"
    assert tree.best is best and __name__ == "my_bot.bot" and same.NAME == helper.NAME == "helper"
    return best(position)
"""
TREE = """
from .. import helper

def best(position):
    return position.legal_moves()[helper.FIRST]
"""


def write(folder: Path, **files: str) -> str:
    """A bot in `folder`/my_bot; names of files have two underscores for a slash, and one before their ending."""
    place = folder / "my_bot"
    for name, text in files.items():
        path = place / ".".join(name.replace("__", "/").rsplit("_", 1))
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return f"{place}/"


@pytest.fixture
def bot(tmp_path: Path) -> str:
    helper = "FIRST, NAME = 0, __name__.rpartition('.')[2]\n"
    return write(tmp_path, bot_py=BOT, helper_py=helper, search__tree_py=TREE, data__weights_txt="7\n")


@pytest.mark.parametrize("sandbox", [False, True])
def test_a_package_with_data(bot: str, sandbox: bool) -> None:
    if sandbox and obstacle() is not None:
        pytest.skip("no sandbox here")
    assert play(spec_of(bot, sandbox=sandbox))[::2] == ["a1", "b1", "c1"]


def test_it_is_called_as_its_folder_and_asked_by_a_function_of_it(tmp_path: Path) -> None:
    bot = write(tmp_path, bot_py="from .more import play", more_py="def play(position): return 'a1'")
    spec = parse_bot(f"{bot}#play=choose")
    assert (spec.name(24), spec.spec) == ("my_bot", f"{bot}#play=choose")
    assert read_settings(f"{bot}#play=choose", LaunchOptions()).choice == "play=choose"


def test_its_init_runs_first(tmp_path: Path) -> None:
    place = Path(write(tmp_path, bot_py="from . import MOVES\ndef choose(position): return MOVES.pop(0)\n"))
    (place / "__init__.py").write_text("MOVES = ['a1', 'b1', 'c1']\n")
    assert play(spec_of(f"{place}/"))[::2] == ["a1", "b1", "c1"]


def test_its_init_may_be_the_bot(tmp_path: Path) -> None:
    place = Path(write(tmp_path, bot_toml='file = "__init__.py"', moves_py="FIRST = 0\n"))
    (place / "__init__.py").write_text("from .moves import FIRST\ndef choose(p): return p.legal_moves()[FIRST]\n")
    assert play(spec_of(f"{place}/"))[0] == "a1"


def test_a_line_of_a_neighbour_is_shown_with_its_folder(tmp_path: Path) -> None:
    bot = write(
        tmp_path, bot_py="from .search.tree import choose", search__tree_py="def choose(position):\n    return 1 / 0\n"
    )
    with pytest.raises(BotFaultError, match=r"ZeroDivisionError.*\nsearch/tree\.py, line 2, in choose:"):
        play(spec_of(bot))


@pytest.mark.parametrize(
    ("toml", "said"),
    [
        (
            'snake = "x"',
            "my_bot/bot.toml, line 1: there is no key snake; there are python, many_games, ponder",
        ),
        ("\nponder = 1", "my_bot/bot.toml, line 2: ponder must be true or false."),
        ("start = 26", "my_bot/bot.toml, line 1: start must be a number of seconds from 1 to 25."),
        ("many_games =", "my_bot/bot.toml, line 1: this is not TOML"),
        ("start = " + "9" * 5000, "my_bot/bot.toml, line 1: this is not TOML"),
        ("start = " + "[" * 5000, "my_bot/bot.toml, line 1: this is not TOML"),
        ("#" * 10_000, "my_bot/bot.toml can't be read: File too large."),
        ('file = "other.py"', "my_bot/bot.toml names other.py, which is not in the folder."),
        ('file = "../x.py"', "my_bot/bot.toml, line 1: file must be a file of the folder in quotes"),
        ("[bot]\nx = 1", "my_bot/bot.toml, line 1: there is no key bot"),
        ('python = ".venv/bin/python"', "/my_bot/.venv/bin/python. To make one: python3 -m venv "),
        ('python = "no-such-python"', "There is no interpreter no-such-python: install it"),
        (
            "ponder = true",
            "my_bot/ is to think in the opponent's time, but bot.py defines no function ponder(",
        ),
    ],
)
def test_what_bot_toml_may_not_say(tmp_path: Path, toml: str, said: str) -> None:
    bot = write(tmp_path, bot_py="def choose(position): return 'a1'", bot_toml=toml)
    with pytest.raises(BotSpecError) as caught:
        parse_bot(bot).prepare()
    assert said in str(caught.value)


def test_folders_that_are_no_bots(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path, main_py="", test_main_py="")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(BotSpecError, match=r"^my_bot is a folder\. As a bot it is written my_bot/$"):
        parse_bot("my_bot")
    with pytest.raises(BotSpecError, match=r'has no bot\.py.* name that in my_bot/bot\.toml: file = "main\.py"$'):
        parse_bot("my_bot/").prepare()
    with pytest.raises(BotSpecError, match=r"^There is no folder absent/\.$"):
        parse_bot("absent/").prepare()


def test_an_organiser_decides_over_an_author(tmp_path: Path) -> None:
    bot = write(tmp_path, bot_py="def ponder(position): pass", bot_toml="many_games = true\nponder = true\n")
    own = read_settings(bot, LaunchOptions())
    assert (own.many_games, own.ponder, own.python) == (True, True, "")
    bound = read_settings(bot, LaunchOptions(many_games=False, ponder=False, python=sys.executable))
    assert (bound.many_games, bound.ponder, bound.python) == (False, False, sys.executable)
