"""What a sandbox shows of the folder of a bot: rows 131 and 132."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

import pytest

from bots.launch_options import files_of
from processes.belongings import MOST_BYTES, belongings, shows_too_much

LEAGUE = '[league]\nname = "L"\ngame = "othello"\n'


def lay(folder: Path, **files: str) -> Path:
    """Files in `folder`: lea_py="..." is lea.py, a__b_py is a/b.py."""
    for name, text in files.items():
        path = folder / name.replace("__", "/").replace("_", ".")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return folder


def shown(folder: Path, *words: str, apart: Sequence[str] = ()) -> set[str]:
    """What of `folder` the command shows, relative to it; "." is all."""
    found = belongings(("python3", *words), folder, [folder / name for name in apart]).shown
    return {path.relative_to(folder).as_posix() for path in found}


def test_a_folder_with_one_program_is_its_own(tmp_path: Path) -> None:
    lay(tmp_path, lea_py="import search", search_py="import table", table_py="", conftest_py="", book_txt="")
    assert shown(tmp_path, "lea.py") == {"."}


@pytest.mark.parametrize("name", ["main.py", "bot.py", "__main__.py"])
def test_a_main_program_has_its_folder(name: str, tmp_path: Path) -> None:
    lay(tmp_path, tools_py="", weights_json="")
    (tmp_path / name).write_text("")
    assert shown(tmp_path, name) == {"."}


def test_so_has_one_that_is_called_as_its_folder(tmp_path: Path) -> None:
    folder = lay(tmp_path / "lea", lea_py="", old_py="")
    assert shown(folder, "lea.py") == {"."}


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        ("", set()),
        ("import utils", {"utils.py"}),
        ("import os, utils as u", {"utils.py"}),
        ("from utils import f", {"utils.py"}),
        ("from .utils import f", {"utils.py"}),
        ("from . import utils", {"utils.py"}),
        ("from . import (\n    utils,\n    board,\n)", {"utils.py", "board"}),
        ("def f():\n    import board.squares", {"board"}),
        ("try: import board\nexcept ImportError: pass", {"board"}),
        ("# import utils", set()),
        ("import réseau", {"réseau.py"}),
        ("import nothing, os.path", set()),
        ("import deeper", {"deeper.py", "utils.py"}),
        ("import itself", {"itself.py"}),
        ("__import__('utils')", set()),
    ],
)
def test_among_others_a_file_has_what_it_imports(text: str, seen: set[str], tmp_path: Path) -> None:
    lay(
        tmp_path,
        bob_py="",
        utils_py="",
        board____init___py="",
        deeper_py="import utils",
        itself_py="import itself, lea",
    )
    (tmp_path / "board").mkdir(exist_ok=True)
    (tmp_path / "board" / "squares.py").write_text("")
    (tmp_path / "réseau.py").write_text("")
    (tmp_path / "lea.py").write_text(text)
    assert shown(tmp_path, "lea.py") == {"lea.py", *seen}


def test_in_another_encoding_too(tmp_path: Path) -> None:
    lay(tmp_path, bob_py="", utils_py="")
    (tmp_path / "lea.py").write_bytes("# déjà\nimport utils".encode("latin-1"))
    assert shown(tmp_path, "lea.py") == {"lea.py", "utils.py"}


def test_among_others_it_has_what_is_called_like_it(tmp_path: Path) -> None:
    lay(
        tmp_path,
        lea_py="",
        bob_py="",
        lea_json="",
        lea__deep__book_txt="",
        leandre_py="",
        bob_json="",
        leandre__x_txt="",
    )
    assert shown(tmp_path, "lea.py") == {"lea.py", "lea.json", "lea"}


def test_a_rival_is_not_imported(tmp_path: Path) -> None:
    lay(tmp_path, lea_py="import bob, utils", bob_py="", utils_py="")
    assert shown(tmp_path, "lea.py", apart=["bob.py"]) == {"lea.py", "utils.py"}
    lay(tmp_path, lea_py="import ann", ann__main_py="", bob_py="")
    assert shown(tmp_path, "lea.py", apart=["ann/main.py", "bob.py"]) == {"lea.py"}


@pytest.mark.parametrize(
    ("file", "text"),
    [
        ("league.toml", LEAGUE),
        ("othello/league.jsonl", ""),
        ("codes.json", ""),
        ("host.json", ""),
        ("host-0123456789ab.json", ""),
        ("private.key", ""),
        ("server.pem", ""),
        (".env", ""),
        ("bob/main.py", ""),
    ],
)
def test_where_a_league_or_a_key_lies_a_folder_is_shared(file: str, text: str, tmp_path: Path) -> None:
    lay(tmp_path, main_py="", book_txt="")
    path = tmp_path / file
    path.parent.mkdir(exist_ok=True)
    path.write_text(text)
    apart = [file] if file.startswith("bob") else []
    assert shown(tmp_path, "main.py", apart=apart) == {"main.py"}
    assert shown(tmp_path, "engine", "main.py", apart=apart) == {"main.py"}


def test_a_file_of_settings_is_no_league(tmp_path: Path) -> None:
    lay(tmp_path, main_py="", settings_toml="[search]\ndepth = 4\n")
    assert shown(tmp_path, "main.py") == {"."}


def test_programs_in_other_languages(tmp_path: Path) -> None:
    lay(tmp_path, lea_js="", search_js="", bob_js="")
    assert shown(tmp_path, "lea.js") == {"."}
    assert shown(tmp_path, "lea.js", apart=["bob.js"]) == {"lea.js"}
    assert shown(tmp_path, "lea.js", apart=["lea.js"]) == {"."}, "two bots of one program"


@pytest.mark.parametrize("name", ["utils.py", "lea.json", "lea"])
def test_a_link_out_of_the_folder_shows_nothing(name: str, tmp_path: Path) -> None:
    folder = lay(tmp_path / "pupils", lea_py="import utils", bob_py="")
    secret = lay(tmp_path / "secret", id_txt="secret")
    (folder / name).symlink_to(secret if name == "lea" else secret / "id.txt")
    assert shown(folder, "lea.py") == {"lea.py"}


def test_a_link_to_a_rival_shows_nothing(tmp_path: Path) -> None:
    lay(tmp_path, lea_py="import utils", bob_py="")
    (tmp_path / "utils.py").symlink_to("bob.py")
    assert shown(tmp_path, "lea.py", apart=["bob.py"]) == {"lea.py"}


def test_long_and_strange_files_are_read_in_part(tmp_path: Path) -> None:
    lay(tmp_path, bob_py="", utils_py="", late_py="")
    (tmp_path / "lea.py").write_bytes(b"import utils\n" + b"(" * MOST_BYTES + b"\nimport late\n\0\xff")
    assert shown(tmp_path, "lea.py") == {"lea.py", "utils.py"}


def test_what_lies_beside_it_and_is_hidden(tmp_path: Path) -> None:
    lay(tmp_path, lea_py="import utils", utils_py="", bob_py="", book_txt="")
    found = belongings(("python3", "lea.py"), tmp_path)
    assert [path.name for path in found.hidden] == ["bob.py", "book.txt"]
    assert belongings(("python3", "nothing.py", "-c", "x" * 9999, ""), tmp_path) == ((), ())


@pytest.mark.parametrize(
    ("bot", "files"),
    [
        ("lea.py", ["lea.py"]),
        ("lea.py#jeuIA", ["lea.py"]),
        ("stdio:python3 lea.py --book book.txt", ["lea.py", "book.txt"]),
        ("stdio:./lea.py", ["lea.py"]),
        ("gtp:gtp-rhino", []),
        ("minimax:depth=4", []),
        ("stdio:'", []),
    ],
)
def test_the_files_that_a_bot_names(bot: str, files: list[str], tmp_path: Path) -> None:
    lay(tmp_path, lea_py="", book_txt="")
    assert files_of(bot, tmp_path) == [tmp_path / name for name in files]


def test_a_folder_above_a_rival_shows_too_much(tmp_path: Path) -> None:
    rival = tmp_path / "bob" / "main.py"
    assert shows_too_much(tmp_path, [rival])
    assert not shows_too_much(tmp_path / "lea", [rival])


def test_a_folder_that_is_a_bot_has_all_of_it_but_rivals_and_keys(tmp_path: Path) -> None:
    lea = lay(tmp_path / "lea", bot_py="", old_py="", data__book_txt="", data__max_py="", nets__a_txt="")
    command, apart = ("python3", "old.py"), [lea, tmp_path / "max"]
    assert belongings(command, lea, apart, own=lea) == ((lea,), ()), "rivals beside it take nothing of it"
    within = belongings(command, lea, [*apart, lea / "data" / "max.py"], own=lea).shown
    assert {path.relative_to(lea).as_posix() for path in within} == {"bot.py", "old.py", "data/book.txt", "nets"}
    lay(lea, server_key="")
    private = belongings(command, lea, apart, own=lea).shown
    assert {path.relative_to(lea).as_posix() for path in private} == {"bot.py", "old.py", "data", "nets"}


@pytest.mark.parametrize("written", ["lea/", "./lea/", "lea/#joue", "lea/#joue=coup_joueur"])
def test_the_folder_that_a_bot_is(written: str, tmp_path: Path) -> None:
    lay(tmp_path, lea__bot_py="", lea__weights_txt="")
    assert files_of(written, tmp_path) == [tmp_path / "lea"]
    assert files_of("max/", tmp_path) == []


def test_no_pipe_beside_a_file_keeps_anybody_waiting(tmp_path: Path) -> None:
    lay(tmp_path, lea_py="import utils", bob_py="")
    for name in ("notes.txt", "settings.toml", "utils.py"):
        os.mkfifo(tmp_path / name)
    assert "lea.py" in shown(tmp_path, "lea.py")
