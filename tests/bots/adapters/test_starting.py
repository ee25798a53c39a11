"""What keeps a bot in Python from starting, and whom it is charged to: rows 121, 147 and 150."""

import sys
from importlib.util import cache_from_source
from pathlib import Path

import pytest

from bots.adapters import python_file
from bots.adapters.engine import Engine
from bots.adapters.pupils import host, interfaces, stage
from bots.adapters.pupils.facts import Ready
from bots.adapters.python_file import LOADED_AT_MOST, inspect
from bots.adapters.settings import FileSettings, read_settings
from bots.base import UNLIMITED, BotFaultError, BotLoadError, NotReadyError, SupervisorLostError
from games import parse
from processes.launch_options import LaunchOptions
from tests.bots.adapters.files import write
from tests.bots.adapters.matches import make, spec_of

CHOOSE = "def choose(position):\n    return position.legal_moves()[0]\n"


def folder_with(place: Path, settings: str) -> str:
    """A folder as a bot, with this bot.toml."""
    place.mkdir()
    write(place, CHOOSE, "bot.py")
    write(place, settings, "bot.toml")
    return f"{place}/"


@pytest.mark.slow
def test_an_interpreter_that_says_nothing_is_tried_again_before_a_seat_is_taken(tmp_path: Path) -> None:
    quiet, python = tmp_path / "quiet", tmp_path / "python"
    python.write_text(f'#!/bin/sh\n[ -e "{quiet}" ] && exec sleep 60\nexec "{sys.executable}" "$@"\n')
    python.chmod(0o755)
    spec = spec_of(folder_with(tmp_path / "lea", f'python = "{python}"\nstart = 3\n'), start_s=10.0)
    bot = make(spec)
    quiet.touch()
    try:
        with pytest.raises(NotReadyError, match="does not start as Python does"):
            bot.get_ready()
        bot.get_ready()  # that is known: nothing is started twice
        with pytest.raises(BotFaultError) as fault:
            bot.choose(parse("morpion").start(), UNLIMITED)
        assert fault.value.reason == "timeout"
    finally:
        bot.close()


@pytest.mark.parametrize("forbidden", [False, True])
def test_what_every_file_needs_is_compiled_for_all_unless_nothing_is_to_be_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, forbidden: bool
) -> None:
    monkeypatch.setattr(sys, "pycache_prefix", str(tmp_path))
    monkeypatch.setattr(sys, "dont_write_bytecode", forbidden)
    python_file.compile_once.__wrapped__()
    compiled = [Path(cache_from_source(str(module.__file__))).exists() for module in (host, interfaces, stage)]
    assert compiled == [not forbidden] * 3


def test_who_is_given_more_time_has_more_of_what_the_folder_says(tmp_path: Path) -> None:
    bot = folder_with(tmp_path / "lea", "start = 20\n")
    for given, start_s in ((10.0, 20.0), (20.0, 40.0), (2.0, 20.0)):
        launch = LaunchOptions(start_s=given)
        assert read_settings(bot, launch).may_start_s(launch) == start_s
        assert read_settings(f"{bot}bot.py", launch).may_start_s(launch) == given


def test_a_folder_whose_supervisors_die_is_loaded_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opened, left = python_file.open_file, [LOADED_AT_MOST - 1]

    def dying(engine: Engine, settings: FileSettings, launch: LaunchOptions) -> Ready:
        left[0] -= 1
        if left[0] >= 0:
            raise BotFaultError("crash", "its supervisor is gone", is_ours=True)
        return opened(engine, settings, launch)

    monkeypatch.setattr(python_file, "open_file", dying)
    assert inspect(folder_with(tmp_path / "lea", ""), LaunchOptions()).function == "choose"
    left[0] = LOADED_AT_MOST
    with pytest.raises(SupervisorLostError, match="its supervisor is gone"):
        inspect(folder_with(tmp_path / "max", ""), LaunchOptions())


def test_a_folder_that_fails_as_it_is_loaded_is_the_bots_own_fault(tmp_path: Path) -> None:
    bot = folder_with(tmp_path / "lea", "")
    write(tmp_path / "lea", "raise SystemExit(3)\n", "bot.py")
    with pytest.raises(BotLoadError):
        inspect(bot, LaunchOptions())


def test_who_is_tried_again_with_more_time_is_not_looked_at_again(tmp_path: Path) -> None:
    """It would be loaded where the bot's other matches are heard."""
    bot = folder_with(tmp_path / "lea", "")
    seen = inspect(bot, LaunchOptions())
    write(tmp_path / "lea", "raise SystemExit(3)\n", "bot.py")
    assert inspect(bot, LaunchOptions(start_s=2 * LaunchOptions().start_s)) is seen
