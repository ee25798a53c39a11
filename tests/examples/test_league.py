"""examples/league.toml: README.md shows it to newcomers, so it plays where nothing else was installed."""

import tomllib
from pathlib import Path

from bots.base import BOTS, FILE_FAMILY, split_bot

FILE = Path(__file__).resolve().parents[2] / "examples" / "league.toml"


def test_it_has_ten_bots_none_of_which_is_a_program_to_be_installed() -> None:
    bots = tomllib.loads(FILE.read_text(encoding="utf-8"))["bot"]
    assert len(bots) == 10
    assert {split_bot(bot["run"])[0] for bot in bots} <= {*BOTS, FILE_FAMILY}
