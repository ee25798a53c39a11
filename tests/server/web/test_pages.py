"""What a server says over plain HTTP: its health, its figures, and nothing else."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Iterator

import pytest
from msgspec.json import decode
from prometheus_client.parser import text_string_to_metric_families

from games import GAMES
from protocol import PROTOCOL, VERSION
from protocol.messages import Create, Hello, MakeMove, Moved, Ok, Resign
from protocol.values import LobbyPage
from server.referee.lobby import rules_of
from server.referee.settings import Access, Settings
from server.store.store import Progress
from server.web import visitors
from server.web.figures import ALWAYS_COUNTED, Histogram, MatchCounts
from tests.server.running import Running, client, running, seated
from tests.server.stores import EmptyStore

ODD = (
    "/../../../../etc/passwd", "//etc/passwd", "/%2e%2e/%2e%2e/etc/passwd", "/..\\..\\secret", "*", ".", "",
    "http://127.0.0.1/healthz", "/healthz/", "/healthz/../metrics", "/HEALTHZ", "/health", "/" + "a/" * 2000,
    "/server/app.py",
)  # fmt: skip


async def get(port: int, path: str, head: str = "", method: str = "GET") -> tuple[int, str, str]:
    """Status, head and body."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n{head}\r\n".encode())
    async with asyncio.timeout(20):
        answer = (await reader.read()).decode()
    writer.close()
    top, _, body = answer.partition("\r\n\r\n")
    return int(top.split()[1]), top, body


async def figures(port: int) -> dict[str, float]:
    """The samples of /metrics: `name{label}` to value."""
    status, _, body = await get(port, "/metrics")
    assert status == 200
    return {
        sample.name + "".join(f"{{{value}}}" for value in sample.labels.values()): sample.value
        for family in text_string_to_metric_families(body)
        for sample in family.samples
    }


async def play_one_move(server: Running) -> None:
    async with client(server.url, "a") as one, client(server.url, "b") as two:
        match = await seated(one, two)
        await one.ask(MakeMove(one.number(), match, 0, "a1"))
        await two.hear(Moved)


class TestLobby:
    """What is told to programs that look for a server, before they have a session."""

    async def test_public_matches(self) -> None:
        async with running() as server, client(server.url, "Ada") as one:
            ok = await one.ask(Create(one.number(), "morpion"))
            status, head, body = await get(server.port, "/lobby")
            assert status == 200
            assert "Content-Type: application/json" in head
            assert "Access-Control-Allow-Origin" not in head
            told = decode(body, type=LobbyPage)
            assert (told.version, told.protocol, told.password) == (VERSION, PROTOCOL, False)
            assert [match.match for match in told.matches] == [ok.match]

    async def test_with_a_password_nothing_is_told(self) -> None:
        settings = Settings(access=Access("correct horse"))
        async with running(settings=settings) as server:
            table = server.app.referee.new_table(rules_of(Create(1, "morpion")), public=True, now=0.0)
            server.app.referee.add(table, 0.0)
            told = decode((await get(server.port, "/lobby"))[2], type=LobbyPage)
            assert (told.password, told.matches) == (True, ())


class TestHealth:
    async def test_a_server_that_works(self) -> None:
        async with running() as server, client(server.url, "a") as one, client(server.url, "b") as two:
            await seated(one, two)
            status, head, body = await get(server.port, "/healthz?from=here")
            assert status == 200
            assert "Content-Type: application/json" in head
            assert "Server:" not in head
            assert json.loads(body) == {
                "status": "ok",
                "version": VERSION,
                "connections": 2,
                "matches": {"waiting": 0, "playing": 1, "paused": 0, "finished": 0},
                "store": "none",
            }

    async def test_the_end_of_a_game_that_is_shown_late_is_not_told_here_either(self) -> None:
        settings = Settings(delay_ms=600_000)
        async with running(settings=settings) as server, client(server.url) as one, client(server.url, "b") as two:
            await one.say(Hello(one.number(), 1, "test", "human", "a"))
            await one.hear(Ok)
            match = await seated(one, two)
            await one.ask(Resign(one.number(), match))
            told = json.loads((await get(server.port, "/healthz"))[2])
            assert told["matches"] == {"waiting": 0, "playing": 1, "paused": 0, "finished": 0}

    async def test_while_nothing_can_be_recorded(self) -> None:
        async with running() as server:
            server.app.store = EmptyStore()
            server.app._progress(Progress(0, "disk full", 0.0))
            assert (await get(server.port, "/healthz"))[0] == 503
            server.app._progress(Progress(0, None, 0.002))
            assert (await get(server.port, "/healthz"))[0] == 200
            samples = await figures(server.port)
            assert samples["arbitre_commit_seconds_count"] == 1
            assert samples["arbitre_commit_seconds_bucket{0.0025}"] == 1
            assert samples["arbitre_commit_seconds_bucket{0.001}"] == 0


class TestMatchCounts:
    def test_few_are_counted_each_time(self) -> None:
        counts = MatchCounts()
        assert counts.counts(["playing"] * ALWAYS_COUNTED, 7.0)["playing"] == ALWAYS_COUNTED
        assert counts.counts(["finished"], 7.0) == {"waiting": 0, "playing": 0, "paused": 0, "finished": 1}

    def test_many_are_not_counted_for_whoever_asks(self) -> None:
        counts = MatchCounts()

        def statuses(number: int) -> Iterator[str]:
            looked.append(number)
            yield from ["waiting"] * number

        looked: list[int] = []
        told = [
            counts.counts(statuses(number), at)["waiting"] for number, at in ((9000, 5.0), (9001, 5.8), (9002, 6.0))
        ]
        assert told == [9000, 9000, 9002]
        assert looked == [9000, 9002]


class TestFigures:
    async def test_they_are_counted(self) -> None:
        async with running() as server:
            await play_one_move(server)
            async with client(server.url, "c"):
                samples = await figures(server.port)
            assert samples["arbitre_moves_total"] == 1
            assert samples["arbitre_connections"] >= 1
            assert samples["arbitre_matches{playing}"] == 1
            assert samples["arbitre_aborted_peers_total"] == 0
            assert samples["arbitre_queue_messages"] == 0
            assert samples["arbitre_store_up"] == 1
            assert "arbitre_loop_lag_seconds_count" in samples

    async def test_without_the_package_they_say_so(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setitem(sys.modules, "prometheus_client", None)
        monkeypatch.delitem(sys.modules, "server.web.metrics", raising=False)
        async with running() as server:
            status, _, body = await get(server.port, "/metrics")
            assert status == 501
            assert "prometheus-client" in body

    async def test_elsewhere(self) -> None:
        async with running() as server:
            admin = await server.app.start_admin("127.0.0.1", 0)
            port: int = next(iter(admin.sockets)).getsockname()[1]
            assert (await get(port, "/healthz"))[0] == 200
            assert (await figures(port))["arbitre_moves_total"] == 0
            assert (await get(port, "/"))[0] == 404
            for path in ("/healthz", "/metrics"):
                assert (await get(server.port, path))[0] == 404
            await play_one_move(server)

    def test_a_value_on_the_bound_is_within(self) -> None:
        histogram = Histogram((1.0, 2.0))
        for value in (0.5, 1.0, 1.5, 9.0):
            histogram.observe(value)
        assert histogram.counts == [2, 1, 1]
        assert histogram.total == 12.0


class TestPaths:
    @pytest.mark.parametrize("path", ODD)
    @pytest.mark.parametrize("upgrade", [False, True])
    async def test_an_odd_path_is_404(self, path: str, upgrade: bool) -> None:
        head = "Upgrade: websocket\r\nConnection: Upgrade\r\n" if upgrade else ""
        async with running() as server:
            status, _, body = await get(server.port, path, head)
            assert status == 404
            assert "root:" not in body

    async def test_where_only_a_websocket_makes_sense(self) -> None:
        async with running() as server:
            status, _, body = await get(server.port, "/")
            assert status == 426
            for words in ("Ce serveur arbitre", "This server referees", f"run.py play 127.0.0.1:{server.port}\n"):
                assert words in body

    async def test_other_methods(self) -> None:
        async with running() as server:
            assert (await get(server.port, "/healthz", method="POST"))[0] == 405
            assert (await get(server.port, "/metrics", method="DELETE"))[0] == 405


@pytest.mark.parametrize("host", ["<script>", "a b", "", "x" * 300, "[::1", "a:b", "a/../b", "é"])
def test_a_host_that_is_no_address_is_not_shown_again(host: str) -> None:
    assert visitors.page(host, encrypted=False) == visitors.page("ADDRESS", encrypted=False)


@pytest.mark.parametrize("host", ["localhost", "192.168.1.7:8765", "games.school.example", "[fe80::1]:8765"])
def test_the_address_is_what_people_type(host: str) -> None:
    assert f"run.py play {host}\n" in visitors.page(host, encrypted=False)
    assert f"run.py play wss://{host}\n" in visitors.page(host, encrypted=True)


def test_every_game_is_named_in_both_languages() -> None:
    shown = visitors.page("localhost", encrypted=False)
    for game in GAMES.values():
        title = game.profile.title
        assert title is not None
        assert title.english in shown
        assert title.french in shown
