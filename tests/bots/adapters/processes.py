"""Matches of `arbitre match`, in processes as people start them."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import games
from games.base import position_after

ROOT = Path(__file__).resolve().parents[3]
PATIENCE_S = 60


def match(*arguments: str) -> list[dict[str, Any]]:
    """The records of `arbitre match`, as `play_match` gives them."""
    return play_match(*arguments)[0]


def play_match(*arguments: str) -> tuple[list[dict[str, Any]], str]:
    """The records of `arbitre match`, whose games were replayed by the rules, and what it said on stderr."""
    result = subprocess.run(
        [sys.executable, "-m", "arbitre", "--lang", "en", "match", *arguments, "--json"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=PATIENCE_S,
        check=False,
        stdin=subprocess.DEVNULL,
    )
    records = [json.loads(line) for line in result.stdout.splitlines()]
    assert result.returncode == any(record["reason"] == "crash" for record in records), result.stderr
    for record in records:
        position = position_after(games.parse(record["rules"]), record["moves"])
        assert (position.outcome() is not None) is (record["reason"] in ("discs", "line", "full"))
    return records, result.stderr
