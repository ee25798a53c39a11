"""Machines of one network find each other by mDNS and play: real processes, in network namespaces of their own.

Where these are not to be had the tests are skipped, and say why.
"""

from __future__ import annotations

import json
import os
import shlex
import socket
import subprocess
import sys
import time
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from machine.networks import VARIABLE
from tests.faults.network import SERVER, Network, NoNetworkError
from tests.faults.serving import ROOT, Serving, serving
from tests.ports import free_port
from tests.programs import LineScreen

pexpect: Any = pytest.importorskip("pexpect", reason="pexpect needs a POSIX terminal")

pytestmark = [
    pytest.mark.skipif(not sys.platform.startswith("linux"), reason="network namespaces are Linux's"),
    pytest.mark.timeout(180),
]

PATIENCE_S = 30
ARBITRE = (sys.executable, str(ROOT / "arbitre.py"), "--lang", "en")
ANY = "0.0.0.0"


@pytest.fixture
def network() -> Iterator[Network]:
    """A machine in the middle, and one beside it."""
    try:
        with Network(1) as built:
            yield built
    except NoNetworkError as error:
        pytest.skip(str(error))


@pytest.fixture(autouse=True)
def _speaking(monkeypatch: pytest.MonkeyPatch) -> None:
    """Here the network is one of ours."""
    monkeypatch.delenv(VARIABLE, raising=False)


def ip(*words: str) -> None:
    subprocess.run(["ip", *words], check=True, capture_output=True)


def environment(home: Path) -> dict[str, str]:
    return {**os.environ, "ARBITRE_STATE_DIR": str(home), "HOME": str(home), "TERM": "xterm", "NO_COLOR": "1"}


@contextmanager
def announced(network: Network, *options: str, host: str = ANY) -> Generator[Serving]:
    """A server on the machine in the middle that says where it is."""
    with serving("--mdns", "--db", ":memory:", *options, host=host, prefix=network.within(None)) as server:
        yield server


def servers(network: Network, home: Path, *, until: bool = True) -> list[dict[str, Any]]:
    """What somebody on the other machine finds; until something is (or is not) found, for some time.

    An address of IPv6 may be used only after a second or two, when nobody has said that it is theirs.
    """
    found: list[dict[str, Any]] = []
    ends = time.monotonic() + PATIENCE_S
    while True:
        done = subprocess.run(
            [*network.within(0), *ARBITRE, "find", "--json"],
            capture_output=True, encoding="utf-8", env=environment(home), timeout=PATIENCE_S, check=False,
        )  # fmt: skip
        assert not done.stderr, done.stderr
        found = [json.loads(line) for line in done.stdout.splitlines()]
        assert done.returncode == (0 if found else 1)
        if bool(found) == until or time.monotonic() > ends:
            return found
        time.sleep(0.2)


class Screen(LineScreen):
    """A command on a terminal of one of the machines."""

    def __init__(self, within: tuple[str, ...], home: Path, *words: str) -> None:
        command = [*within, *ARBITRE, *words]
        self.child = pexpect.spawn(
            command[0], command[1:], env=environment(home), encoding="utf-8", timeout=PATIENCE_S, dimensions=(40, 100)
        )

    def finds(self, *texts: str) -> None:
        """Looks again, as its reader would, until the list has these lines in this order."""
        wanted = r"(?s)" + ".*?".join(texts)
        for _attempt in range(8):
            if self.child.expect([wanted, "Enter looks again"]) == 0:
                return
            self.types("")
        raise AssertionError(self.child.before)


@contextmanager
def screen(within: tuple[str, ...], home: Path, *words: str) -> Generator[Screen]:
    opened = Screen(within, home, *words)
    try:
        yield opened
    finally:
        opened.close()


@pytest.mark.slow
def test_a_server_is_found_and_taken_back_when_it_ends(network: Network, tmp_path: Path) -> None:
    with announced(network) as server:
        (found,) = servers(network, tmp_path)
        assert found["url"] == f"ws://{SERVER}:{server.port}"
        assert (found["reachable"], found["password"], found["matches"]) == (True, False, [])
        assert found["rtt_ms"] < 1000
    assert servers(network, tmp_path, until=False) == []


@pytest.mark.slow
def test_two_people_find_each_other_and_play(network: Network, tmp_path: Path) -> None:
    port = str(free_port())
    here, there = network.within(None), network.within(0)
    host = ("play", "--plain", "--host-here", "--port", port, "--name", "Ada", "--game", "morpion", "--first")
    with screen(here, tmp_path / "ada", *host) as ada:
        ada.sees("Waiting for the other player")
        with screen(there, tmp_path / "bob", "play", "--plain", "--name", "Bob") as bob:
            bob.sees("Looking on your network")
            bob.finds(rf"{SERVER}:{port}, \d+ ms", r"1  Tic-tac-toe: Ada has been waiting for \d+ s")
            bob.types("7")
            bob.sees("7 is none of the numbers")
            bob.types("1")
            bob.sees("Ada plays . and begins. You play")
            for ply, move in enumerate(("b2", "a1", "c1", "a3", "a2", "c2", "b1", "b3", "c3")):
                mover, other = (ada, bob) if ply % 2 == 0 else (bob, ada)
                mover.sees("Your move")
                mover.types(move)
                other.sees("(Ada|Bob) plays ")
            bob.sees("Draw: the board is full")


@pytest.mark.slow
def test_a_program_is_told_what_there_is_and_takes_nothing(network: Network, tmp_path: Path) -> None:
    with announced(network) as server:
        assert servers(network, tmp_path)
        done = subprocess.run(
            [*network.within(0), *ARBITRE, "play"], stdin=subprocess.DEVNULL, capture_output=True, encoding="utf-8",
            env=environment(tmp_path), timeout=PATIENCE_S, check=False,
        )  # fmt: skip
        assert done.returncode == 1
        command = next(line for line in done.stderr.splitlines() if line.strip().startswith("python3 run.py play"))
        assert shlex.split(command)[-1] == f"{SERVER}:{server.port}"
        assert not done.stdout


@pytest.mark.slow
def test_found_but_not_reachable(network: Network, tmp_path: Path) -> None:
    with announced(network):
        assert servers(network, tmp_path)
        ip("-n", network.players[0], "route", "add", "blackhole", f"{SERVER}/32")
        (found,) = servers(network, tmp_path)
        assert (found["reachable"], found["rtt_ms"], found["matches"]) == (False, None, None)
        with screen(network.within(0), tmp_path, "play") as bob:
            bob.sees("found, but not reachable", "hotspot", "Type the address")
            bob.types("q")
            bob.child.expect(pexpect.EOF)


@pytest.mark.slow
def test_with_a_password_and_tls_it_says_so_and_nothing_of_its_games(network: Network, tmp_path: Path) -> None:
    told = {"ARBITRE_PASSWORD": "correct horse battery", "XDG_DATA_HOME": str(tmp_path)}
    options = ("--mdns", "--db", ":memory:", "--tls", "self-signed")
    with serving(*options, host=ANY, prefix=network.within(None), environment=told):
        (found,) = servers(network, tmp_path)
    assert found["url"].startswith(f"wss://{SERVER}:")
    assert "#sha256=" in found["url"]
    assert (found["reachable"], found["password"], found["matches"]) == (True, True, [])


@pytest.mark.slow
def test_the_announcer_holds_no_secret(network: Network) -> None:
    secrets = {"ARBITRE_PASSWORD": "correct horse battery", "ARBITRE_ORGANISER_TOKEN": "staple"}
    prefix = network.within(None)
    with serving("--mdns", "--db", ":memory:", host=ANY, prefix=prefix, environment=secrets) as server:
        assert wait_for_announcer(server)
        held = Path(f"/proc/{wait_for_announcer(server)}/environ").read_bytes()
        for word in (b"correct horse", b"staple", b"ARBITRE_SERVICE_TOKEN"):
            assert word not in held


def wait_for_announcer(server: Serving) -> int:
    """The process that announces a server."""
    until = time.monotonic() + PATIENCE_S
    while time.monotonic() < until:
        for entry in Path("/proc").glob("[0-9]*/cmdline"):
            try:
                words = entry.read_bytes()
            except OSError:
                continue
            if b"services.announcing" in words and f":{server.port}".encode() in words:
                return int(entry.parent.name)
        time.sleep(0.1)
    return 0


@pytest.mark.slow
def test_only_ipv6(network: Network, tmp_path: Path) -> None:
    ip("-n", network.server, "-4", "addr", "flush", "dev", "room")
    ip("-n", network.players[0], "-4", "addr", "flush", "dev", "cable")
    ip("-n", network.server, "addr", "add", "fd00:231::1/64", "dev", "room", "nodad")
    ip("-n", network.players[0], "addr", "add", "fd00:231::2/64", "dev", "cable", "nodad")
    with announced(network, host="::") as server:
        (found,) = servers(network, tmp_path)
        assert found["url"] == f"ws://[fd00:231::1]:{server.port}"
        assert found["reachable"]


@pytest.mark.slow
def test_only_link_local_addresses(network: Network, tmp_path: Path) -> None:
    ip("-n", network.server, "-4", "addr", "flush", "dev", "room")
    ip("-n", network.players[0], "-4", "addr", "flush", "dev", "cable")
    with announced(network, host="::"):
        (found,) = servers(network, tmp_path)
        assert found["url"].startswith("ws://[fe80:")
        assert found["reachable"]
        with screen(
            network.within(0), tmp_path, "play", "--plain", found["url"], "--name", "Bob", "--game", "morpion"
        ) as bob:
            bob.sees("Waiting for the other player")


@pytest.mark.slow
def test_an_interface_that_comes_later(network: Network, tmp_path: Path) -> None:
    ip("-n", network.server, "link", "set", "room", "down")
    ip("-n", network.server, "addr", "flush", "dev", "room")
    with announced(network) as server:
        assert wait_for_announcer(server)
        assert servers(network, tmp_path, until=False) == []
        ip("-n", network.server, "link", "set", "room", "up")
        ip("-n", network.server, "addr", "add", f"{SERVER}/24", "dev", "room")
        (found,) = servers(network, tmp_path)
        assert found["url"] == f"ws://{SERVER}:{server.port}"


@pytest.mark.slow
def test_no_network_at_all(network: Network, tmp_path: Path) -> None:
    ip("-n", network.players[0], "link", "del", "cable")
    assert servers(network, tmp_path, until=False) == []
    done = subprocess.run(
        [*network.within(0), *ARBITRE, "play"], stdin=subprocess.DEVNULL, capture_output=True, encoding="utf-8",
        env=environment(tmp_path), timeout=PATIENCE_S, check=False,
    )  # fmt: skip
    assert done.returncode == 1
    assert "No server answers at ws://127.0.0.1:8765" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.slow
def test_two_servers_on_one_machine_are_both_found(network: Network, tmp_path: Path) -> None:
    with announced(network) as one, announced(network) as two:
        found: dict[str, str] = {}
        ends = time.monotonic() + 2 * PATIENCE_S  # a busy machine hears the second one late
        while len(found) != 2 and time.monotonic() < ends:
            found = {server["url"]: server["name"] for server in servers(network, tmp_path)}
        assert found.keys() == {f"ws://{SERVER}:{server.port}" for server in (one, two)}
        assert set(found.values()) == {socket.gethostname().partition(".")[0]}


@pytest.mark.slow
def test_a_flood_slows_no_move_of_the_server(network: Network, tmp_path: Path) -> None:
    """Thousands of announcements: what is looked at is bounded, and the server does not hear them at all."""
    with announced(network) as server:
        assert servers(network, tmp_path)
        before = server.processor_seconds()
        flood = subprocess.Popen([*network.within(0), sys.executable, str(Path(__file__).with_name("announcers.py"))])
        try:
            found = servers(network, tmp_path)
        finally:
            flood.kill()
            flood.wait()
        assert len(found) <= 32
        assert all(one["name"].isprintable() for one in found)
        assert server.processor_seconds() - before < 1.0
        assert {one["url"] for one in servers(network, tmp_path)} >= {f"ws://{SERVER}:{server.port}"}
