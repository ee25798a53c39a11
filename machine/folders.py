"""Where Arbitre keeps what outlives a command, and what does not: the one place that decides on folders.

A user has a home, or variables of the XDG specification that say where things go. An account without either (`env -i`
and a number that is in no list of users, as in many containers) gets a folder of its own below the temporary one. Where
there is no folder for temporary files either, the paths that we return can't be written, and the writer reports that.
"""

import os
import stat
import tempfile
from functools import lru_cache
from pathlib import Path

import platformdirs

STATE_DIR = "ARBITRE_STATE_DIR"
"""The environment variable that says where tokens are kept instead of the user's state folder."""

_NAME = "arbitre"

NOWHERE = Path(os.devnull) / _NAME
"""The place of the folders of an account that has neither a home nor a temporary folder: nothing can be there."""


def state() -> Path:
    """What an account would rather not lose: tokens of sessions, capsules. It may not exist yet."""
    chosen = os.environ.get(STATE_DIR)
    return Path(chosen) if chosen else _of_user("state")


def data() -> Path:
    """What was played, certificates. It may not exist yet."""
    return _of_user("data")


def config() -> Path:
    """What the user has set. It may not exist yet."""
    return _of_user("config")


def cache() -> Path:
    """What can be made again. It may not exist yet."""
    return _of_user("cache")


def temporary() -> Path | None:
    """The system's folder for temporary files; None if there is none that can be written."""
    try:
        return Path(tempfile.gettempdir())
    except OSError:
        return None


def home() -> Path | None:
    """The user's home; None for an account that has none."""
    try:
        return Path.home()
    except RuntimeError:
        return None


def _of_user(kind: str) -> Path:
    folders = {
        "state": platformdirs.user_state_path,
        "data": platformdirs.user_data_path,
        "config": platformdirs.user_config_path,
        "cache": platformdirs.user_cache_path,
    }
    try:
        return folders[kind](_NAME, appauthor=False)
    except (RuntimeError, KeyError):  # neither HOME nor an entry in the list of users
        return without_home() / kind


@lru_cache(maxsize=1)
def without_home() -> Path:
    """The folder of an account without a home, the same in each process: its own, and closed to others."""
    around = temporary()
    number = os.getuid() if hasattr(os, "getuid") else 0
    if around is None:
        return NOWHERE
    folder = around / f"{_NAME}-{number}"
    try:
        folder.mkdir(mode=0o700, exist_ok=True)
        found = folder.lstat()
    except OSError:
        return folder
    if stat.S_ISDIR(found.st_mode) and found.st_uid == number and not stat.S_IMODE(found.st_mode) & 0o077:
        return folder
    return Path(tempfile.mkdtemp(prefix=f"{_NAME}-"))  # somebody else was there first
