"""The studio's runtime over HTTP: addresses that change with the content, sent little by little, and bounded."""

from __future__ import annotations

import asyncio
import gzip
import json
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from page.studio import installation
from page.studio.installation import FILES, PACKED
from page.studio.runtime_files import START, STATE, RuntimeFiles
from page.studio.sources import sources
from protocol.messages import MakeMove, Moved
from server.admission import admission
from server.connections.connection_bounds import Bounds
from server.connections.long_answers import AT_ONCE, LONG, PORTION, LongAnswer, LongAnswers
from server.web.pages import POLICY, WORKER
from tests.cores import plain_core
from tests.server.plain_requests import get
from tests.server.running import Running, client, running, seated

WASM = bytes(range(256)) * 8192
"""What stands for 2 MB of WebAssembly, compressed or not."""


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A user's data folder without a studio."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    return tmp_path


def install(body: bytes = WASM) -> str:
    """Installs files that stand for the studio; returns where they are served."""
    installation.place().mkdir(parents=True, exist_ok=True)
    draft = installation.place() / ".draft-test"
    draft.mkdir()
    for name in FILES:
        (draft / name).write_bytes(body if name in PACKED or name.endswith(".wasm") else gzip.compress(b"1", mtime=0))
    return f"{START}{installation.adopt(draft, {'pyodide': '1'}).name}/"


@asynccontextmanager
async def serving() -> AsyncGenerator[Running]:
    """A server with a page."""
    async with running(Bounds(send=60.0, close=1.0)) as server:
        yield server


async def test_without_it_a_page_is_told_what_to_type(data: Path) -> None:
    async with serving() as server:
        status, headers, body = await get(server.port, STATE)
        told = json.loads(body)
        assert (status, headers["cache-control"]) == (200, "no-store")
        assert told["base"] is None
        assert told["command"].endswith("studio install")
        assert (await get(server.port, f"{START}{'0' * 32}/pyodide.mjs"))[0] == 404
        assert (await get(server.port, told["sources"]))[2] == sources().body


async def test_it_is_there_as_soon_as_it_is_installed_and_gone_when_it_is_removed(data: Path) -> None:
    async with serving() as server:
        assert json.loads((await get(server.port, STATE))[2])["base"] is None
        base = install()
        assert json.loads((await get(server.port, STATE))[2])["base"] == base
        assert (await get(server.port, f"{base}python_stdlib.zip"))[2] == WASM
        installation.remove()
        assert json.loads((await get(server.port, STATE))[2])["base"] is None
        assert (await get(server.port, f"{base}python_stdlib.zip"))[0] == 404


async def test_a_file_never_changes_behind_its_address(data: Path) -> None:
    base = install()
    async with serving() as server:  # a browser asks for what it knows from before the server started again
        status, headers, body = await get(server.port, f"{base}pyodide.mjs", "Accept-Encoding: gzip, br")
        assert (status, gzip.decompress(body)) == (200, b"1")
        assert headers["cache-control"] == "public, max-age=31536000, immutable"
        assert headers["content-encoding"] == "gzip"
        assert headers["content-type"] == "text/javascript; charset=utf-8"
        assert headers["x-content-type-options"] == "nosniff"
        assert (await get(server.port, f"{base}pyodide.mjs"))[0] == 406
        status, headers, body = await get(server.port, f"{base}pyodide.asm.wasm", "Accept-Encoding: gzip")
        assert (status, headers["content-type"], body) == (200, "application/wasm", WASM)
        assert int(headers["content-length"]) == len(WASM)


@pytest.mark.parametrize("name", ["", "manifest.json", "../installed.json", "%2e%2e/installed.json", "pyodide.mjs/"])
async def test_nothing_else_is_served(data: Path, name: str) -> None:
    base = install()
    async with serving() as server:
        assert (await get(server.port, base + name, "Accept-Encoding: gzip"))[0] == 404


async def test_what_is_damaged_or_of_another_version_is_not_used(data: Path) -> None:
    base = install()
    folder = installation.place() / base.split("/")[2]
    (folder / "pyodide.mjs").write_bytes(b"")
    assert installation.read() is not None
    assert installation.usable() is None
    install(WASM + b"2")
    assert installation.usable() is not None
    (installation.place() / "installed.json").write_text('{"folder": "../../etc"}')
    assert installation.read() is None
    for text in ("", "[]", "null", "{", '{"folder": 3}', '{"folder": "nowhere"}'):
        (installation.place() / "installed.json").write_text(text)
        assert installation.read() is None
        assert json.loads(RuntimeFiles().state())["base"] is None


async def test_only_the_worker_may_run_webassembly(data: Path) -> None:
    async with serving() as server:
        for path in ("/studio", "/app/studio/studio.js", "/app/main.js", "/"):
            _, headers, _ = await get(server.port, path, "Accept: text/html")
            assert headers["content-security-policy"] == POLICY
        _, headers, _ = await get(server.port, "/app/studio/worker.js")
        assert headers["content-security-policy"] == WORKER
    assert "unsafe-eval" not in POLICY
    assert "'unsafe-eval'" not in WORKER


async def ask_slowly(port: int, path: str) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """Somebody who asks for a file, and has not read it yet."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=1 << 14)
    writer.write(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nAccept-Encoding: gzip\r\n\r\n".encode())
    await reader.readuntil(b"\r\n\r\n")
    return reader, writer


async def until_nobody_reads(server: Running) -> None:
    """Waits until the server has seen who has gone."""
    async with asyncio.timeout(20):
        while server.app.admission.waiting()["reading"]:  # noqa: ASYNC110 - nobody tells a test when it sees that
            await asyncio.sleep(0.01)


@pytest.mark.slow
async def test_who_reads_slowly_costs_little_and_gets_all_of_it(data: Path) -> None:
    body = WASM * 16  # more than the system takes by itself
    base = install(body)
    async with serving() as server:
        there = await asyncio.gather(*(ask_slowly(server.port, f"{base}pyodide.asm.wasm") for _ in range(5)))
        async with client(server.url, "a") as one, client(server.url, "b") as two:  # games go on meanwhile
            match = await seated(one, two)
            await one.ask(MakeMove(one.number(), match, 0, "a1"))
            await two.hear(Moved)
        waiting = server.app.admission.waiting()
        assert waiting["reading"] == 5
        assert waiting["websocket"] == 0
        for reader, writer in there:
            async with asyncio.timeout(60):
                assert await reader.read() == body
            writer.close()


@plain_core
async def test_no_more_than_so_many_read_at_once(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(admission, "MOST_READERS", 2)
    base = install(WASM * 16)
    path = f"{base}pyodide.asm.wasm"
    async with serving() as server:
        there = [await ask_slowly(server.port, path) for _ in range(2)]
        status, headers, _ = await get(server.port, path, "Accept-Encoding: gzip")
        assert (status, headers["retry-after"]) == (503, "2")
        assert server.app.admission.refused["readers"] == 1
        assert (await get(server.port, STATE))[0] == 200
        for _, writer in there:
            writer.close()
        await until_nobody_reads(server)
        assert (await get(server.port, path, "Accept-Encoding: gzip"))[0] == 200


@plain_core
async def test_who_reads_nothing_makes_room_for_who_reads(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(admission, "MOST_READERS", 2)
    monkeypatch.setattr(admission, "STUCK_S", 0.05)
    path = f"{install(WASM * 16)}pyodide.asm.wasm"
    async with serving() as server:
        there = [await ask_slowly(server.port, path) for _ in range(2)]
        status = 503
        async with asyncio.timeout(20):
            while status != 200:
                status, _, _ = await get(server.port, path, "Accept-Encoding: gzip")
        assert server.app.admission.refused["made_room"] == 1
        for _, writer in there:
            writer.close()


async def test_a_server_that_stops_waits_for_nobody_who_reads(data: Path) -> None:
    base = install(WASM * 16)
    async with serving() as server:
        _, writer = await ask_slowly(server.port, f"{base}pyodide.asm.wasm")
    assert server.app.admission.connections == 0
    writer.close()


class _Pipe(asyncio.Transport):
    """Where portions arrive."""

    def __init__(self) -> None:
        super().__init__()
        self.got: list[bytes] = []
        self.is_over = False

    def write(self, data: bytes | bytearray | memoryview) -> None:
        self.got.append(bytes(data))

    def is_closing(self) -> bool:
        return self.is_over


async def test_a_turn_of_the_loop_writes_a_few_portions_to_each_in_turn() -> None:
    answers, body = LongAnswers(asyncio.get_running_loop()), bytes(PORTION * 8)
    pipes = [_Pipe() for _ in range(AT_ONCE * 2)]
    ended: list[int] = []
    long_answers = [LongAnswer(body, answers) for _ in pipes]
    for number, (long_answer, pipe) in enumerate(zip(long_answers, pipes, strict=True)):
        long_answer.begin(pipe, lambda number=number: ended.append(number))  # type: ignore[misc]  # a lambda with its own
    await asyncio.sleep(0)
    assert [len(pipe.got) for pipe in pipes] == [1] * AT_ONCE + [0] * AT_ONCE
    long_answers[0].pause()
    pipes[1].is_over = True
    for _ in range(100):
        await asyncio.sleep(0)
    assert len(pipes[0].got) == len(pipes[1].got) == 1
    assert ended == list(range(2, len(pipes)))
    long_answers[0].resume()
    for _ in range(100):
        await asyncio.sleep(0)
    assert b"".join(pipes[0].got) == body
    assert ended[-1] == 0


def test_what_is_short_is_sent_at_once() -> None:
    assert LONG > PORTION
