"""Those who would stop a server for everybody: each storm is many connections of one attacker, for some seconds.

`python -m tests.faults.storms NAME PORT SOURCE SECONDS` lets one blow from the address SOURCE (all of 127/8 is this
machine). It writes "blowing" once it has made itself ready, and ends by itself. What it sends is built before, and it
gives way to all other processes: a true attacker does not sit on the server's machine.
"""

from __future__ import annotations

import json
import os
import random
import selectors
import subprocess
import sys
import time
from collections import deque
from collections.abc import Callable, Generator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from itertools import count
from typing import Any

from tests.faults.offences import ATTACKS, attack
from tests.faults.rawsocket import PING, TEXT, RawSocket, frame, request
from tests.faults.serving import ROOT

Request = Mapping[str, object]

HELLO: Request = {"type": "hello", "protocol": 1, "client": "storm", "kind": "bot"}
CROWD, CROWD_EACH = 100, 90
"""Addresses of the crowd, and the matches that each of them lets wait: nearly all that quotas and the server allow."""

SESSIONS = 480
"""Of one attacker: those of the match that goes on beside it come from the same address."""

_LETTERS = "abdefgiklmnoprstuvz"
_numbers = count(1)


def batch(messages: Sequence[Request]) -> bytes:
    """Messages in one frame."""
    numbered = [{"id": number + 10, **message} for number, message in enumerate(messages)]
    return frame(json.dumps(numbered, separators=(",", ":")).encode())


def ask_all(link: RawSocket, messages: Sequence[Request]) -> list[dict[str, Any]]:
    """Sends messages in one frame; returns their answers, in order."""
    link.send(batch(messages))
    answers: dict[int, dict[str, Any]] = {}
    while len(answers) < len(messages):
        received = link.frame()
        if received is None:
            raise ConnectionError("the server has closed")
        if received[0] == TEXT:
            message = json.loads(received[1])
            if message["type"] in ("ok", "error") and message["id"] >= 10:
                answers[message["id"]] = message
    return [answers[number] for number in sorted(answers)]


class Attacker:
    """Where an attack comes from, and how long it goes on."""

    def __init__(self, port: int, source: str, seconds: float) -> None:
        self.port = port
        self.source = source
        self._seconds = seconds
        self.until = 0.0

    def begin(self) -> None:
        """Says that the storm begins now."""
        self.until = time.monotonic() + self._seconds
        sys.stdout.write("blowing\n")
        sys.stdout.flush()

    def blows(self) -> bool:
        """Whether there is time left."""
        return time.monotonic() < self.until

    def link(self, source: str | None = None) -> RawSocket:
        """A connection with a session."""
        link = RawSocket(self.port, source=source or self.source)
        link.hello(f"storm {os.getpid()} {next(_numbers)}")
        return link

    def links(self, number: int) -> list[RawSocket]:
        """As many connections."""
        return [self.link() for _ in range(number)]

    def flood(self, number: int, data: Sequence[bytes]) -> None:
        """From so many connections sends `data` round and round; see `pour`."""
        self.pour([(self.link, data)] * number)

    def pour(self, streams: Sequence[tuple[Callable[[], RawSocket], Sequence[bytes]]]) -> None:
        """Over each connection sends its data round and round, and reads what comes; who is cut off comes again.

        One without data only reads.
        """
        links = [connect() for connect, _ in streams]
        self.begin()
        selector = selectors.DefaultSelector()
        for link, (connect, data) in zip(links, streams, strict=True):
            _watch(selector, _Stream(link, connect, data))
        while self.blows():
            for key, events in selector.select(0.1):
                stream: _Stream = key.data
                if not stream.go_on(events):
                    selector.unregister(stream.link.link)
                    stream.link.link.close()
                    with suppress(AssertionError, OSError):
                        _watch(selector, _Stream(stream.connect(), stream.connect, stream.data))
        selector.close()

    def again_and_again(self, attempt: Callable[[], None]) -> None:
        """Repeats what the server may end at any time."""
        while self.blows():
            with suppress(AssertionError, OSError):
                attempt()


class _Stream:
    """What one connection of a flood still has to send."""

    def __init__(self, link: RawSocket, connect: Callable[[], RawSocket], data: Sequence[bytes]) -> None:
        self.link = link
        self.connect = connect
        self.data = data
        self._next = 0
        self._left = memoryview(b"")

    def go_on(self, events: int) -> bool:
        """Reads and writes what can be; whether the connection lives."""
        try:
            if events & selectors.EVENT_READ and not self.link.link.recv(1 << 18):
                return False
            if events & selectors.EVENT_WRITE:
                if not self._left:
                    self._left = memoryview(self.data[self._next % len(self.data)])
                    self._next += 1
                self._left = self._left[self.link.link.send(self._left) :]
        except BlockingIOError:
            pass
        except OSError:
            return False
        return True


def _watch(selector: selectors.BaseSelector, stream: _Stream) -> None:
    stream.link.link.setblocking(False)
    selector.register(stream.link.link, selectors.EVENT_READ | (selectors.EVENT_WRITE if stream.data else 0), stream)


# -------------------------------------------------------------------------------------------------------------- storms


def lists(size: int) -> Callable[[Attacker], None]:
    """Eight who ask for the first page, `size` times in a frame, forty frames at a time."""
    return lambda attacker: attacker.flood(8, [batch([{"type": "list", "limit": 100}] * size) * 40])


def private(attacker: Attacker) -> None:
    """Four who open private matches, and leagues."""
    create: Request = {"type": "create", "game": "morpion", "public": False}
    attacker.flood(4, [batch([create] * 400 + [{"type": "host"}] * 100)])


def churn(attacker: Attacker) -> None:
    """Four who open matches and call them off: each is remembered for a while."""
    links = attacker.links(4)
    attacker.begin()

    def attempt() -> None:
        for link in links:
            opened = ask_all(link, [{"type": "create", "game": "othello"}] * 20)
            ask_all(link, [{"type": "abort", "match": answer.get("match", "x")} for answer in opened])

    attacker.again_and_again(attempt)


def guesses(attacker: Attacker) -> None:
    """Eight who try codes."""
    rng = random.Random(1)

    def code() -> str:
        return "".join(rng.choices(_LETTERS, k=6))

    kinds = ("join", "watch", "enter")
    attacker.flood(8, [batch([{"type": kinds[n % 3], "code": code()} for n in range(500)]) for _ in range(8)])


def secrets(attacker: Attacker) -> None:
    """Wrong tokens and wrong words, over one connection after another."""
    wrong = [
        batch([{**HELLO, "name": "", "token": f"s{n}.{n:022}"} for n in range(1, 250)]),
        batch([{**HELLO, "name": f"guesser {n}", "organiser": f"word {n}"} for n in range(1, 250)]),
    ]
    attacker.begin()

    def attempt() -> None:
        with RawSocket(attacker.port, source=attacker.source) as link:
            link.shake_hands()
            link.send(wrong[next(_numbers) % 2])
            link.frame()

    attacker.again_and_again(attempt)


def mixed(attacker: Attacker) -> None:
    """Four who send frames of 512 requests of all kinds."""
    opener = attacker.link()
    a, b, c = (answer["match"] for answer in ask_all(opener, [{"type": "create", "game": "othello"}] * 3))
    kinds: list[Request] = [
        {"type": "list"}, {"type": "lobby"}, {"type": "create", "game": "othello:size=6"}, {"type": "host"},
        {"type": "watch", "match": a}, {"type": "chat", "match": a, "text": "x" * 80}, {"type": "sync", "match": a},
        {"type": "join", "match": b}, {"type": "move", "match": b, "ply": 0, "move": "d3"},
        {"type": "offer", "match": b, "what": "draw"}, {"type": "resign", "match": b},
        {"type": "enter", "code": "ABCDEF"}, {"type": "leave", "match": a}, {"type": "abort", "match": c},
    ]  # fmt: skip
    attacker.flood(4, [batch((kinds * 40)[:512])])


def returns(attacker: Attacker) -> None:
    """Four who come back again and again, each to a hundred matches."""
    tokens = []
    for _ in range(4):
        with attacker.link() as other, RawSocket(attacker.port, source=attacker.source) as one:
            token = one.hello(f"returning {os.getpid()} {next(_numbers)}")["token"]
            for _ in range(5):
                opened = ask_all(one, [{"type": "create", "game": "othello"}] * 20)
                ask_all(other, [{"type": "join", "match": answer["match"]} for answer in opened])
            tokens.append(token)
    attacker.begin()

    def attempt() -> None:
        for number, token in enumerate(tokens):
            with RawSocket(attacker.port, source=attacker.source) as link:
                tokens[number] = link.hello("", token=token)["token"]

    attacker.again_and_again(attempt)


def lobby(attacker: Attacker) -> None:
    """A hundred who follow the lobby, while two open matches and call them off."""
    followers = attacker.links(100)
    for follower in followers:
        follower.send(batch([{"type": "lobby"}]))
        follower.link.setblocking(False)
    links = attacker.links(2)
    attacker.begin()

    def attempt() -> None:
        for link in links:
            opened = ask_all(link, [{"type": "create", "game": "othello"}] * 40)
            ask_all(link, [{"type": "abort", "match": answer.get("match", "x")} for answer in opened])
        for follower in followers:
            with suppress(BlockingIOError):
                follower.link.recv(1 << 18)

    attacker.again_and_again(attempt)


def spectators(attacker: Attacker) -> None:
    """A match of one attacker with three hundred spectators, in which much happens."""
    one, two = attacker.links(2)
    (opened,) = ask_all(one, [{"type": "create", "game": "othello", "seat": "first"}])
    match = opened["match"]
    ask_all(two, [{"type": "join", "match": match}])
    around = attacker.links(300)
    for link in around:
        ask_all(link, [{"type": "watch", "match": match}])
        link.link.setblocking(False)
    thoughts: list[Request] = [
        {"type": "thinking", "match": match, "ply": 0, "depth": n, "pv": ["d3"] * 50} for n in range(90)
    ]
    dealings: list[Request] = [
        {"type": "offer", "match": match, "what": "draw"},
        {"type": "answer", "match": match, "what": "draw", "accept": False},
    ]
    attacker.begin()

    def attempt() -> None:
        for link in (one, two):
            ask_all(link, [*thoughts, *dealings * 50, {"type": "chat", "match": match, "text": "x" * 200}])
        for link in around:
            with suppress(BlockingIOError):
                link.link.recv(1 << 18)

    attacker.again_and_again(attempt)


def letters(attacker: Attacker) -> None:
    """A league of forty: eight write long letters to its host, who tells them all as long ones."""
    host, *others = attacker.links(33)
    (league,) = ask_all(host, [{"type": "host"}])
    enter: Request = {"type": "enter", "code": league["code"]}

    def entrant() -> RawSocket:
        link = attacker.link()
        ask_all(link, [enter])
        return link

    for other in others:
        ask_all(other, [enter])
    write: Request = {"type": "write", "code": league["code"], "text": "x" * 6000}
    tell: Request = {"type": "tell", "code": league["code"], "text": "x" * 6000}
    silent = [(lambda link=other: link, ()) for other in others]
    attacker.pour([*[(entrant, [batch([write] * 10)])] * 8, (lambda: host, [batch([tell] * 10)]), *silent])


def newcomers(attacker: Attacker) -> None:
    """As many sessions as an address may have, and new ones without end, for which the oldest make room."""
    links = deque(attacker.links(SESSIONS))
    attacker.begin()

    def attempt() -> None:
        links.append(attacker.link())
        if len(links) > 2 * SESSIONS:
            links.popleft().link.close()

    attacker.again_and_again(attempt)


def handshakes(attacker: Attacker) -> None:
    """One connection after another that breaks off before, in or after its handshake."""
    attacker.begin()

    def attempt() -> None:
        with RawSocket(attacker.port, source=attacker.source) as link:
            whole = request(attacker.port)
            link.send(whole[: (0, len(whole) // 2, len(whole))[next(_numbers) % 3]])

    attacker.again_and_again(attempt)


def pages(attacker: Attacker) -> None:
    """Fifty at a time who ask for pages over plain HTTP, most of them for the dearest."""
    attacker.begin()
    asked = [f"GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode() for path in ("/metrics", "/healthz", "/lobby")]

    def attempt() -> None:
        links = [RawSocket(attacker.port, source=attacker.source) for _ in range(50)]
        for number, link in enumerate(links):
            link.send(asked[max(0, number % 5 - 2)])
        for link in links:
            link.rest()
            link.link.close()

    attacker.again_and_again(attempt)


def half_open(attacker: Attacker) -> None:
    """Three hundred at a time who begin a handshake and do not go on."""
    attacker.begin()

    def attempt() -> None:
        links = [RawSocket(attacker.port, source=attacker.source) for _ in range(300)]
        for link in links:
            link.send(request(attacker.port)[:60])
        time.sleep(0.5)
        for link in links:
            link.link.close()

    attacker.again_and_again(attempt)


def pings(attacker: Attacker) -> None:
    """Fifty who do nothing but ping."""
    attacker.flood(50, [frame(b"", PING) * 10_000])


def parts(attacker: Attacker) -> None:
    """Fifty whose messages come in a thousand parts."""
    message = frame(b" ", TEXT, final=False) + frame(b" ", 0, final=False) * 1000 + frame(b"7", 0)
    attacker.flood(50, [message * 10])


def drips(attacker: Attacker) -> None:
    """Fifty who send their bytes one by one."""
    links = attacker.links(50)
    data = batch([{"type": "list", "limit": 1}] * 20)
    attacker.begin()

    def attempt() -> None:
        for byte in data:
            for link in links:
                link.send(bytes((byte,)))

    attacker.again_and_again(attempt)


def raw_sockets(attacker: Attacker) -> None:
    """Every offence and flood of `tests.faults.offences` at once."""
    attacker.begin()
    with ThreadPoolExecutor(len(ATTACKS)) as pool:
        list(pool.map(lambda data: attack(attacker.port, data, attacker.until, attacker.source), ATTACKS.values()))


STORMS: dict[str, Callable[[Attacker], None]] = {
    "raw sockets": raw_sockets,
    "100 lists in a frame": lists(100),
    "512 lists in a frame": lists(512),
    "private matches": private,
    "matches called off": churn,
    "guessed codes": guesses,
    "wrong secrets": secrets,
    "512 of all kinds": mixed,
    "returns to 100 matches": returns,
    "100 follow the lobby": lobby,
    "300 spectators": spectators,
    "letters": letters,
    "newcomers": newcomers,
    "broken handshakes": handshakes,
    "pages": pages,
    "half-open": half_open,
    "pings": pings,
    "parts": parts,
    "drips": drips,
}


@contextmanager
def storm(name: str, port: int, source: str, seconds: float) -> Generator[subprocess.Popen[str]]:
    """Lets a storm begin in a process of its own, and ends it with the block."""
    child = subprocess.Popen(
        [sys.executable, "-m", "tests.faults.storms", name, str(port), source, str(seconds)],
        cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert child.stdout is not None
    try:
        assert child.stdout.readline() == "blowing\n", child.communicate()[1]
        yield child
    finally:
        child.kill()
        child.communicate()


@contextmanager
def crowd(port: int) -> Generator[int]:
    """As many open matches as the quotas of a hundred addresses allow; how many."""
    links: list[RawSocket] = []
    opened = 0
    try:
        for number in range(CROWD):
            link = RawSocket(port, source=f"127.0.1.{number + 1}")
            links.append(link)
            link.hello(f"crowd {number}")
            answers = ask_all(link, [{"type": "create", "game": "othello"}] * CROWD_EACH)
            opened += sum(answer["type"] == "ok" for answer in answers)
        yield opened
    finally:
        for link in links:
            link.link.close()


def main() -> None:
    """Lets one storm blow."""
    name, port, source, seconds = sys.argv[1:]
    os.nice(10)
    STORMS[name](Attacker(int(port), source, float(seconds)))


if __name__ == "__main__":
    main()
