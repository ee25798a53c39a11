"""Crowds before the handshake, guessing floods and foreign names, against a real server on sockets."""

from __future__ import annotations

import socket
import ssl
import subprocess
import sys
import time
from collections.abc import Callable, Generator
from contextlib import ExitStack, contextmanager, suppress

import pytest
from prometheus_client.parser import text_string_to_metric_families

from tests.faults.rawsocket import PATIENCE_S, RawSocket, request, said
from tests.faults.serving import ROOT, Serving, serving

pytestmark = [pytest.mark.slow, pytest.mark.skipif(not sys.platform.startswith("linux"), reason="it looks into /proc")]

PASSWORD = "sesame, ouvre-toi"
CROWD = 400
CLASS = 30
TLS_MB = 24
"""What a crowd of 400 may cost in memory; with 310 KB each, as it was, it took 121 MB."""


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """A data folder of its own, for the certificate."""
    return {"XDG_DATA_HOME": str(tmp_path_factory.mktemp("data"))}


def client_tls() -> ssl.SSLContext:
    context = ssl.create_default_context()
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    return context


def client_hello() -> bytes:
    """The first bytes of a TLS handshake."""
    outgoing = ssl.MemoryBIO()
    half = client_tls().wrap_bio(ssl.MemoryBIO(), outgoing)
    with suppress(ssl.SSLWantReadError):
        half.do_handshake()
    return outgoing.read()


@contextmanager
def crowd(port: int, data: bytes, count: int = CROWD) -> Generator[list[socket.socket]]:
    """Connections that say `data`, and then nothing more."""
    with ExitStack() as stack:
        links = []
        for _ in range(count):
            link = stack.enter_context(socket.socket())
            link.settimeout(PATIENCE_S)
            link.connect(("127.0.0.1", port))
            with suppress(OSError):  # cut off already
                link.sendall(data)
            links.append(link)
        yield links


def enters(port: int, name: str, *, tls: bool = False, **hello: object) -> str:
    """A client that connects like any other, again when it is turned away; returns its token."""
    deadline = time.monotonic() + 3 * PATIENCE_S
    while True:
        assert time.monotonic() < deadline, "nobody gets in"
        with suppress(OSError, AssertionError), RawSocket(port) as link:
            if tls:
                link.link = client_tls().wrap_socket(link.link)
            token: str = link.hello(name, **hello)["token"]
            return token


def figures(port: int) -> dict[tuple[str, str], float]:
    """The samples of /metrics, by name and label."""
    with RawSocket(port) as link:
        link.send(f"GET /metrics HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n".encode())
        link.head()
        text = link.rest().decode()
    samples = (sample for family in text_string_to_metric_families(text) for sample in family.samples)
    return {(sample.name, next(iter(sample.labels.values()), "")): sample.value for sample in samples}


def until(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE_S
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.02)


def grown(server: Serving, before: int) -> float:
    return (server.memory("VmHWM") - before) / (1 << 20)


class TestHalfOpen:
    @pytest.mark.parametrize(
        "begin",
        [
            "nothing",
            "half a hello",
            "hello",
        ],
    )
    def test_a_tls_crowd_beyond_its_share_is_cut_off_before_it_costs_anything(
        self, begin: str, data: dict[str, str]
    ) -> None:
        said_first = {"nothing": b"", "half a hello": client_hello()[:50], "hello": client_hello()}[begin]
        with serving("--tls", "self-signed", "--max-per-address", "5", environment=data, open=60) as server:
            enters(server.port, "first", tls=True)
            before, sockets = server.memory("VmHWM"), server.sockets()
            with crowd(server.port, said_first):
                until(lambda: server.sockets() <= sockets + 5 + 16 + 1)
                assert grown(server, before) < TLS_MB / 2
                enters(server.port, "good", tls=True)

    @pytest.mark.parametrize("begin", ["nothing", "half a hello", "hello"])
    def test_a_tls_crowd_within_its_share_is_cheap_and_keeps_nobody_out(self, begin: str, data: dict[str, str]) -> None:
        said_first = {"nothing": b"", "half a hello": client_hello()[:50], "hello": client_hello()}[begin]
        with serving("--tls", "self-signed", environment=data, open=60) as server:
            enters(server.port, "first", tls=True)
            before = server.memory("VmHWM")
            for number in range(3):
                with crowd(server.port, said_first):
                    if not number:
                        enters(server.port, "good", tls=True)
            enters(server.port, "last", tls=True)
            assert grown(server, before) < TLS_MB

    @pytest.mark.parametrize("begin", [b"", b"GET", request(1)[:-2], request(1)])
    def test_without_tls_neither(self, begin: bytes) -> None:
        with serving("--max-per-address", str(CROWD), open=60, hello=60) as server:
            with crowd(server.port, begin, CROWD + 50):
                enters(server.port, "good")
            until(lambda: server.sockets() < 20)

    def test_who_comes_to_no_end_is_cut_off_in_time_from_the_accepting(self, data: dict[str, str]) -> None:
        with serving("--tls", "self-signed", environment=data, open=0.5) as server:
            for begin in (b"", client_hello()[:7], client_hello()):
                with crowd(server.port, begin, 3) as links:
                    for link in links:
                        with suppress(ConnectionError):
                            while link.recv(1 << 16):
                                pass

    def test_figures_tell_how_far_they_are(self, data: dict[str, str]) -> None:
        with serving("--admin-port", "0", "--log-level", "info", open=60, hello=60) as server:
            until(lambda: "/healthz" in server.said)
            admin = int(server.said.partition("127.0.0.1:")[2].partition("/")[0])
            with crowd(server.port, b"", 3), crowd(server.port, b"GET", 4), crowd(server.port, request(1), 5):
                stage = "arbitre_early_connections"
                until(lambda: figures(admin)[stage, "hello"] == 5)
                now = figures(admin)
                assert [now[stage, name] for name in ("silent", "queued", "tls", "websocket", "held")] == [
                    3,
                    0,
                    0,
                    4,
                    0,
                ]
            until(lambda: sum(value for (name, _), value in figures(admin).items() if name == stage) == 0)

    def test_refusals_are_counted_by_reason(self) -> None:
        with serving("--admin-port", "0", "--max-per-address", "2", "--log-level", "info", open=60) as server:
            until(lambda: "/healthz" in server.said)
            admin = int(server.said.partition("127.0.0.1:")[2].partition("/")[0])
            with crowd(server.port, b"", 40):
                until(lambda: figures(admin).get(("arbitre_refused_connections_total", "overrun"), 0) == 22)
            with RawSocket(server.port) as link:
                link.send(request(1, extra="Origin: https://evil.example\r\n"))
                assert " 403 " in link.head()
            assert figures(admin)["arbitre_refused_connections_total", "origin"] == 1

    def test_a_server_with_a_crowd_ends_soon(self, data: dict[str, str]) -> None:
        with (
            serving("--tls", "self-signed", environment=data, open=600, close=60) as server,
            crowd(server.port, b"", 50),
            crowd(server.port, client_hello(), 100),
        ):
            time.sleep(0.2)
            server.stop()


class TestPieces:
    """TLS begins after its first bytes were read: however they are cut, nothing of them is lost."""

    @pytest.mark.parametrize("size", [1, 2, 3, 5, 6, 100, 4096, 5000])
    def test_a_handshake_in_pieces(self, size: int, data: dict[str, str]) -> None:
        with serving("--tls", "self-signed", environment=data) as server, socket.socket() as link:
            link.settimeout(PATIENCE_S)
            link.connect(("127.0.0.1", server.port))
            link.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            incoming, outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
            tls = client_tls().wrap_bio(incoming, outgoing)
            early = request(server.port) + said(type="hello", id=1, protocol=1, client="raw", kind="bot", name="raw")
            answer, waiting = b"", True
            while b'"welcome"' not in answer:
                try:
                    if waiting:
                        tls.do_handshake()
                        waiting = False
                        tls.write(early)
                    else:
                        answer += tls.read()
                except ssl.SSLWantReadError:
                    pieces(link, outgoing.read(), size)
                    chunk = link.recv(1 << 16)
                    assert chunk
                    incoming.write(chunk)
                else:
                    pieces(link, outgoing.read(), size)


def pieces(link: socket.socket, data: bytes, size: int) -> None:
    for start in range(0, len(data), size):
        link.sendall(data[start : start + size])


GUESSER = """
import asyncio, itertools, sys
sys.path.insert(0, sys.argv[2])
from tests.faults.rawsocket import request, said
port, numbers = int(sys.argv[1]), itertools.count()
async def guess():
    number = next(numbers)
    secret = {"token": f"s1.{number}", "password": "sesame, ouvre-toi"} if number % 2 else {"password": f"no {number}"}
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        writer.write(request(port) + said(type="hello", id=1, protocol=1, client="x", kind="bot", name="x", **secret))
        await asyncio.wait_for(reader.readuntil(b"fatal"), 20)
    finally:
        writer.close()
async def again_and_again():
    while True:
        try:
            await guess()
        except (OSError, EOFError, TimeoutError):
            await asyncio.sleep(0.01)
async def main():
    print("guessing", flush=True)
    await asyncio.gather(*(again_and_again() for _ in range(100)))
asyncio.run(main())
"""


@contextmanager
def guesser(port: int) -> Generator[None]:
    """A process that shows wrong passwords and wrong tokens, over a hundred connections at once."""
    process = subprocess.Popen([sys.executable, "-c", GUESSER, str(port), str(ROOT)], stdout=subprocess.PIPE)
    assert process.stdout is not None
    try:
        assert process.stdout.readline()
        yield
    finally:
        process.kill()
        process.communicate()


class TestGuessing:
    def test_thirty_good_clients_beside_one_who_guesses(self) -> None:
        environment = {"ARBITRE_PASSWORD": PASSWORD, "ARBITRE_ORGANISER_TOKEN": "the organisers' own"}
        with serving("--admin-port", "0", "--log-level", "info", environment=environment) as server:
            until(lambda: "/healthz" in server.said)
            admin = int(server.said.partition("127.0.0.1:")[2].partition("/")[0])
            tokens = [once(server.port, f"pupil {number}", password=PASSWORD) for number in range(CLASS)]
            with guesser(server.port):
                until(lambda: figures(admin)["arbitre_wrong_secrets_total", "password"] > 60)
                until(lambda: figures(admin)["arbitre_wrong_secrets_total", "token"] > 60)
                for number, token in enumerate(tokens):
                    assert once(server.port, f"pupil {number}", password=PASSWORD, token=token)
                    assert once(server.port, f"new {number}", password=PASSWORD)
                once(server.port, "teacher", password=PASSWORD, organiser="the organisers' own")
                assert figures(admin)["arbitre_early_connections", "held"] <= 16
            said = server.stop()
            lines = [line for line in said.splitlines() if "wrong" in line]
            assert 2 <= len(lines) < 60
            assert all("127.0.0.1" in line for line in lines)
            assert "s1." not in said
            assert "no 1" not in said


def once(port: int, name: str, **secrets: str) -> str:
    """A client that is let in at its first attempt; its token."""
    with RawSocket(port) as link:
        token: str = link.hello(name, **secrets)["token"]
        return token


class TestHost:
    PATHS = ("/", "/healthz", "/metrics", "/nothing")

    @staticmethod
    def status(port: int, path: str, *lines: str) -> str:
        with RawSocket(port) as link:
            link.send("\r\n".join((f"GET {path} HTTP/1.1", *lines, "", "")).encode())
            return link.head() + link.rest().decode()

    def test_a_foreign_name_gets_421_on_every_path(self) -> None:
        with serving(
            "--host-name", "games.example", "--origin", "https://school.example", "--admin-port", "0"
        ) as server:
            until(lambda: "/healthz" in server.said)
            admin = int(server.said.partition("127.0.0.1:")[2].partition("/")[0])
            upgrade = request(1).decode().split("\r\n")[2:-2]
            for path in self.PATHS:
                for name in ("evil.example", f"evil.example:{server.port}", "127.0.0.1.evil.example"):
                    answer = self.status(server.port, path, f"Host: {name}")
                    assert answer.startswith("HTTP/1.1 421 "), answer
                    assert f"--host-name {name.partition(':')[0]}\n" in answer
                    origin = f"Origin: http://{name}"
                    assert self.status(server.port, path, f"Host: {name}", origin, *upgrade).startswith("HTTP/1.1 421 ")
                    assert self.status(admin, path, f"Host: {name}").startswith("HTTP/1.1 421 ")
                own = (f"127.0.0.1:{server.port}", "192.0.2.7:1", "localhost", "games.example:80", "school.example")
                for name in (*own, socket.gethostname()):
                    assert not self.status(server.port, path, f"Host: {name}").startswith("HTTP/1.1 421 ")

    def test_it_may_be_the_name_that_it_listens_on(self) -> None:
        with serving(host="localhost") as server, RawSocket(server.port) as link:
            assert link.hello()["token"]

    @pytest.mark.parametrize("host", ["::1", "localhost", "127.0.0.1"])
    def test_it_listens_wherever_it_is_told(self, host: str) -> None:
        family = socket.AF_INET6 if host == "::1" else socket.AF_INET
        with serving(host=host) as server, socket.socket(family) as link:
            link.settimeout(PATIENCE_S)
            link.connect((host, server.port))
            link.sendall(request(server.port))
            assert link.recv(1 << 12).startswith(b"HTTP/1.1 101 ")


class TestCommandLine:
    @pytest.mark.parametrize(
        ("options", "says"),
        [
            (("--trust", "nobody"), "192.0.2.0/24: 'nobody' is none."),
            (("--trust", "192.0.2.0/99"), "--trust takes an address"),
            (("--host-name", "http://games.example"), "is no name of a server"),
            (("--host-name", "games.example:80"), "is no name of a server"),
        ],
    )
    def test_what_makes_no_sense_is_one_sentence(self, options: tuple[str, ...], says: str) -> None:
        done = subprocess.run(
            [sys.executable, "-m", "arbitre", "--lang=en", "serve", "--port", "0", *options],
            cwd=ROOT, capture_output=True, text=True, timeout=60, check=False,
        )  # fmt: skip
        assert done.returncode == 2
        assert says in done.stderr

    @pytest.mark.parametrize(("password", "warns"), [("seven77", True), ("eight888", False)])
    def test_a_short_password_is_warned_of_and_never_shown(self, password: str, warns: bool) -> None:
        with serving(environment={"ARBITRE_PASSWORD": password}) as server:
            enters(server.port, "one", password=password)
            said = server.stop()
        assert ("this password is short" in said) == warns
        assert password not in said

    def test_the_trusted_have_as_many_connections_as_they_like(self) -> None:
        with (
            serving("--max-per-address", "3", "--trust", "127.0.0.0/8", hello=60, open=60) as server,
            crowd(server.port, request(1), 200) as links,
        ):
            assert all(link.recv(1 << 12).startswith(b"HTTP/1.1 101 ") for link in links)
