"""The page's files: a fixed table, small, compressed, guarded; and what the games say of themselves."""

from __future__ import annotations

import asyncio
import gzip
import json
import re
from pathlib import Path

import pytest

from games import GAMES
from games.base import Labels
from page.files import FILES, VIEWS, site
from server.pages import POLICY
from tests.server.test_app import running

APP = Path(__file__).parents[2] / "page" / "app"

SMALL = 200_000
"""Bytes of all files together, uncompressed."""


async def get(port: int, path: str, *headers: str) -> tuple[int, dict[str, str], bytes]:
    """Status, headers in small letters, and body."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    head = "".join(f"{header}\r\n" for header in headers)
    writer.write(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n{head}\r\n".encode())
    async with asyncio.timeout(20):
        answer = await reader.read()
    writer.close()
    first, _, body = answer.partition(b"\r\n\r\n")
    status, *lines = first.decode().split("\r\n")
    return int(status.split(" ")[1]), dict(line.lower().split(": ", 1) for line in lines), body


def test_the_table_is_what_lies_in_the_folder() -> None:
    assert sorted([*FILES, "index.html"]) == sorted(path.name for path in APP.iterdir())


def test_all_of_it_is_small() -> None:
    assert sum(path.stat().st_size for path in APP.iterdir()) < SMALL


def test_no_module_is_long_and_the_document_holds_no_script() -> None:
    for path in APP.glob("*.js"):
        assert len(path.read_text(encoding="utf-8").splitlines()) <= 400, path.name
    document = (APP / "index.html").read_text(encoding="utf-8")
    assert re.findall(r"<script[^>]*>(.*?)</script>", document, re.DOTALL) == [""]
    assert not re.search(r"\son\w+=|style=|javascript:", document)


def test_nothing_comes_from_elsewhere() -> None:
    for path in APP.iterdir():
        found = set(re.findall(r"https?://[^\s\"'`)]+", path.read_text(encoding="utf-8")))
        assert found <= {"http://www.w3.org/2000/svg"}, path.name


@pytest.mark.parametrize("path", ["/app/main.js", "/app/games.json", "/m/abc", "/j/x", "/replay/othello?moves=d3"])
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
    ["/app/", "/app/../files.py", "/app/%2e%2e/files.py", "/app/main.js/", "/page/files.py", "/M/abc", "/app/MAIN.JS"],
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
        assert len(about["colours"]) == 4


def test_views_are_the_document() -> None:
    for start in VIEWS:
        assert site().find(f"{start}x") is site().document
    assert site().find("/nowhere/x") is None
