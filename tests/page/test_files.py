"""The page's files: a fixed table, small, compressed, guarded; and what the games say of themselves."""

from __future__ import annotations

import gzip
import json
import re
import shutil
from graphlib import TopologicalSorter
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from games import GAMES
from games.base import Labels, MoveName, Words
from page import files
from page.catalogue import row_of
from page.files import DOCUMENT, FILES, LATER, VIEWS, File, site, slim, slim_style
from server.web.pages import POLICY, Pages, is_embedder
from tests.server.plain_requests import get
from tests.server.running import running

APP = Path(__file__).parents[2] / "page" / "app"

SMALL = 190_000
"""Bytes of all files of the first load together as they are served, uncompressed."""

SMALL_LATER = {"class": 52_000, "desk": 48_000, "review": 40_000, "studio": 60_000}
"""The same of each folder of views that come later; the studio's runtime is another matter (test_studio.py)."""


def test_the_table_is_what_lies_in_the_folder() -> None:
    assert sorted([*FILES, "index.html", *LATER]) == sorted(path.name for path in APP.iterdir())
    for folder, names in LATER.items():
        assert sorted(names) == sorted(path.name for path in (APP / folder).iterdir())


def test_all_of_it_is_of_one_reading_and_made_ready_when_it_is_asked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[str] = []

    def make(name: str, body: bytes) -> File:
        made.append(name)
        return File("", body, b"", "")

    shutil.copytree(APP, tmp_path / "app")
    monkeypatch.setattr(files, "resources", lambda _: tmp_path)
    monkeypatch.setattr(files, "_file", make)
    found = site.__wrapped__()
    shutil.rmtree(tmp_path / "app")
    paths = [f"/app/{name}" for name in FILES] + [f"/app/{folder}/{name}" for folder in LATER for name in LATER[folder]]
    assert made == [DOCUMENT]
    for path in [*paths, *paths]:
        file = found.find(path)
        assert file is not None
        assert file.body == (APP.parent / path[1:]).read_bytes()
    assert len(made) == 1 + len(paths)


def test_all_of_it_is_small() -> None:
    served = [file for name in (*FILES, "games.json") if (file := site().find(f"/app/{name}")) is not None]
    assert len(served) == len(FILES) + 1
    assert sum(len(file.body) for file in (*served, site().document)) < SMALL


@pytest.mark.parametrize("folder", LATER)
def test_what_comes_later_is_small_and_loaded_by_nobody_who_does_not_open_it(folder: str) -> None:
    served = [file for name in LATER[folder] if (file := site().find(f"/app/{folder}/{name}")) is not None]
    assert len(served) == len(LATER[folder])
    assert sum(len(file.body) for file in served) < SMALL_LATER[folder]
    for path in APP.glob("*.js"):
        assert not re.search(rf'from "\./{folder}/', path.read_text(encoding="utf-8")), path.name
    assert f"/{folder}/" not in (APP / "index.html").read_text(encoding="utf-8")


def imported(path: Path) -> set[Path]:
    """The modules that a script imports, at once or when they are needed; what only its comments name is a type."""
    names = re.findall(r'\b(?:from|import\(?)\s*"(\.[^"]+)"', slim(path.read_bytes()).decode())
    return {(path.parent / name).resolve() for name in names}


def test_no_scripts_import_each_other_in_a_circle() -> None:
    app = APP.resolve()
    found = {path: imported(path) for path in app.rglob("*.js")}
    assert app / "class" / "hall.js" in found[app / "routes.js"]
    assert set().union(*found.values()) <= found.keys()
    TopologicalSorter(found).prepare()  # raises CycleError, which names the circle


def bare(line: str) -> str:
    """A line without what is not served: spaces, and comments that say a type."""
    return re.sub(r"\s|/\*\*.*?\*/", "", line)


def test_scripts_are_served_without_comments_and_spaces_and_otherwise_whole() -> None:
    assert slim(b"/** a\n * b */\n  let x = 1; // c\n  // d\nlet y = '/* e */';\n") == (
        b"\n\nlet x = 1; // c\n\nlet y = '/* e */';\n"
    )
    assert slim(b'  const a = /** @type {any} */ (b(c, "d, = e")) ? x - -y : z;\n  f(`g, h`, /i, j/);\n') == (
        b'const a=(b(c,"d, = e"))?x - -y:z;\nf(`g, h`, /i, j/);\n'
    )
    for path in APP.rglob("*.js"):
        script = path.read_text(encoding="utf-8")
        assert all(line.count("`") % 2 == 0 for line in script.splitlines()), path.name  # no text of several lines
        kept = slim(path.read_bytes()).decode().splitlines()
        for number, line in enumerate(script.splitlines()):
            assert bare(kept[number]) in {bare(line), ""}, f"{path.name}:{number + 1}"
            assert re.findall(r"\w+|[^\w\s]", uncommented(kept[number])) in (
                re.findall(r"\w+|[^\w\s]", uncommented(line)),
                [],
            )
            assert re.findall('"[^"]*"', kept[number]) in (re.findall('"[^"]*"', uncommented(line)), []), (
                "texts are whole"
            )
            assert kept[number] or line.strip()[:1] in {"", "/", "*"}, f"{path.name}:{number + 1}"


def uncommented(line: str) -> str:
    return re.sub(r"/\*\*.*?\*/", "", line)


def test_style_sheets_are_served_without_comments_and_with_every_rule() -> None:
    assert slim_style(b"/* a, b */\n.c > .d :is(.e, .f) { g: h i; }\n") == b".c > .d :is(.e,.f){g:h i;}\n"
    for path in APP.rglob("*.css"):
        style = path.read_text(encoding="utf-8")
        rules = re.sub(r"/\*.*?\*/", "", style)
        assert re.sub(r"\s", "", slim_style(style.encode()).decode()) == re.sub(r"\s", "", rules), path.name


def test_no_module_is_long_and_the_document_holds_no_script() -> None:
    for path in APP.rglob("*.js"):
        assert len(path.read_text(encoding="utf-8").splitlines()) <= 400, path.name
    document = (APP / "index.html").read_text(encoding="utf-8")
    assert re.findall(r"<script[^>]*>(.*?)</script>", document, re.DOTALL) == [""]
    assert not re.search(r"\son\w+=|style=|javascript:", document)


def test_nothing_comes_from_elsewhere() -> None:
    for path in filter(Path.is_file, APP.rglob("*")):
        found = set(re.findall(r"https?://[^\s\"'`)]+", path.read_text(encoding="utf-8")))
        assert found <= {"http://www.w3.org/2000/svg"}, path.name


@pytest.mark.parametrize(
    "path",
    [
        "/app/main.js",
        "/app/desk/desk.js",
        "/app/games.json",
        "/class/ABCDEF",
        "/desk/ABCDEF?wall",
        "/m/abc",
        "/j/x",
        "/replay/othello?moves=d3",
    ],
)
async def test_a_file_is_compressed_tagged_and_guarded(path: str) -> None:
    async with running() as server:
        status, headers, body = await get(server.port, path, "Accept-Encoding: gzip")
        assert (status, headers["content-encoding"]) == (200, "gzip")
        assert headers["content-security-policy"] == POLICY
        assert headers["x-content-type-options"] == "nosniff"
        plain = await get(server.port, path)
        assert "content-encoding" not in plain[1]
        assert gzip.decompress(body) == plain[2]
        known = await get(server.port, path, f"If-None-Match: {headers['etag']}")
        assert (known[0], known[2]) == (304, b"")
        assert (await get(server.port, path, 'If-None-Match: "other"'))[0] == 200


@pytest.mark.parametrize(
    "path",
    [
        "/app/",
        "/app/../files.py",
        "/app/class/",
        "/app/class/../main.js",
        "/app/%2e%2e/files.py",
        "/app/main.js/",
        "/page/files.py",
        "/X/abc",
        "/app/MAIN.JS",
    ],
)
async def test_no_other_path_is_a_file(path: str) -> None:
    async with running() as server:
        assert (await get(server.port, path))[0] == 404


async def test_a_browser_gets_the_page_and_a_program_is_told_to_upgrade() -> None:
    async with running() as server:
        status, headers, body = await get(server.port, "/", "Accept: text/html,*/*;q=0.8")
        assert (status, headers["content-type"]) == (200, "text/html; charset=utf-8")
        assert body == (APP / "index.html").read_bytes()
        assert (await get(server.port, "/", "Accept: */*"))[0] == 426


def test_every_game_says_how_it_is_drawn() -> None:
    file = site().find("/app/games.json")
    assert file is not None
    told = json.loads(file.body)
    assert list(told) == list(GAMES)
    for name, about in told.items():
        assert {ending.code for ending in GAMES[name].profile.endings} == set(about["endings"])
        assert [option["name"] for option in about["options"]] == [option.name for option in GAMES[name].options]
        assert about["labels"] in {labels.value for labels in Labels}
        assert len(about["colours"]) == 6


def of_moves(*plies: tuple[str, ...]) -> Any:
    """A game in which these moves are legal, whatever is played."""
    position = SimpleNamespace(legal_moves=tuple, play=None)
    for legal in reversed(plies):
        position = SimpleNamespace(legal_moves=lambda legal=legal: legal, play=lambda _, after=position: after)
    profile = SimpleNamespace(move_names=(MoveName("swap", Words("Swap", "Échanger")),) if ("swap?",) in plies else ())
    return SimpleNamespace(start=lambda: position, profile=profile)


@pytest.mark.parametrize(
    ("plies", "row"),
    [
        ([("a1", "j10"), ("b2",)], "[a-z][0-9]+"),
        ([("a1b1",)], "[a-z][0-9]+[a-z][0-9]+"),
        ([("1", "7")], "[1-9]"),
        ([("c1", "c1d1")], ""),
        ([("a1",), ("a2",), ("a1b1",)], ""),
        ([("a1", "pass")], "[a-z][0-9]+"),
        ([("a", "f")], "[a-z]"),
        ([("a", "pass")], ""),
        ([("a",), ("swap?",)], ""),
        ([("10", "north")], ""),
        ([()], ""),
    ],
)
def test_a_game_shows_by_its_moves_whether_a_row_of_them_comes_apart(plies: list[tuple[str, ...]], row: str) -> None:
    assert row_of(of_moves(*plies)) == row


def test_views_are_the_document() -> None:
    for start in VIEWS:
        assert site().find(f"{start}x") is site().document
    assert site().find("/nowhere/x") is None


async def test_only_frames_are_for_the_sites_that_were_named() -> None:
    async with running() as server:
        server.app.pages = Pages({}, server.app.state, sockets=True, site=site(), embedders=("https://a.example",))
        for path in ("/", "/m/x", "/app/main.js", "/replay/othello", "/embedded/x", "/embed"):
            _, headers, _ = await get(server.port, path, "Accept: text/html")
            assert headers.get("content-security-policy", POLICY) == POLICY
        _, headers, _ = await get(server.port, "/embed/m/x")
        assert headers["content-security-policy"] == POLICY.removesuffix("'none'") + "https://a.example"


@pytest.mark.parametrize("text", ["https://a.example", "http://127.0.0.1:8000", "https://xn--bcher-kva.example:8443"])
def test_an_origin_may_stand_in_a_policy(text: str) -> None:
    assert is_embedder(text)


@pytest.mark.parametrize(
    "text",
    [
        "*", "https://*", "https://*.example", "https:", "a.example", "https://a.example/", "https://a.example/x",
        "https://a; script-src *", "https://a,b", "https://a b", "https://a\n", "https://A.example", "https://a:0",
        "https://é.example", "data:", "https://u@a.example", "'self'", "https://a.example:443:1", "",
    ],
)  # fmt: skip
def test_nothing_else_may_stand_in_a_policy(text: str) -> None:
    assert not is_embedder(text)
