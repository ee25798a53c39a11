"""Where the files of pupils lie: under their names, on whichever system."""

from __future__ import annotations

from pathlib import Path, PureWindowsPath

import pytest

from school.programs.pupil_files import PupilFiles


def kept(folder: Path, name: str) -> str:
    """The name of the folder in which a pupil's versions lie."""
    files = PupilFiles(folder)
    path = files.put(name, 1, "bot.py", f"# {name}\n")
    assert files.read(path) == f"# {name}\n"
    return Path(path).parts[1]


@pytest.mark.parametrize("name", ["Léa", "Falcon", "Nuls", "Conrad", "Aux-Anges"])
def test_a_plain_name_is_that_of_the_folder(tmp_path: Path, name: str) -> None:
    assert kept(tmp_path, name) == name


@pytest.mark.parametrize("name", ["Con", "NUL", "aux", "Prn", "com1", "LPT9", "Con.", "nul.py", "con .a"])
def test_a_name_that_windows_keeps_for_itself_is_that_of_no_folder(tmp_path: Path, name: str) -> None:
    assert not PureWindowsPath(kept(tmp_path, name)).is_reserved()


def test_names_that_look_alike_have_folders_of_their_own(tmp_path: Path) -> None:
    names = ["Con", "_Con", "Con.", "Léa M", "Léa_M", "Léa/M", "..", "../x"]
    found = [kept(tmp_path, name) for name in names]
    assert len(set(found)) == len(names)
    assert all(Path(folder).name == folder for folder in found)
