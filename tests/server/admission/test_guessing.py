"""Wrong passwords and tokens on one address, in virtual time: what is wrong waits, what is right never does."""

from __future__ import annotations

import asyncio
import random
import re
from functools import partial
from itertools import count
from pathlib import Path

import pytest

from protocol.codec import decode_server, encode_batch
from protocol.messages import Error, Hello, Ok, ServerMessage, Welcome
from server.admission.admission import Admission
from server.admission.guessing import HELD_OF_ADDRESS
from server.app import App
from server.ratelimit import Debt, Meter, Rates
from server.referee.referee import Referee
from server.referee.settings import Access, Settings
from tests.server.lines import Line

pytestmark = pytest.mark.looptime

PASSWORD = "sesame, ouvre-toi"
RATES = Rates(attempts=5, attempts_burst=30, attempts_delay=8)
"""Three wrong passwords are free."""

_numbers = count(1)


def test_the_page_names_what_a_server_takes() -> None:
    page = (Path(__file__).parents[3] / "docs" / "server.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| ([a-z ,]+) \| (\d+), then (one|\d+) a second[^|]*\| ([^|]*) \|$", page, re.MULTILINE)
    said = {what: (float(burst), 1.0 if rate == "one" else float(rate)) for what, burst, rate, _ in rows}
    rates = Rates()
    assert said == {
        "wrong codes and keys of one address, and of all": (rates.codes_burst, rates.codes),
        "letters to the host of a league, of one connection": (rates.letters_burst, rates.letters),
        "lines of chat of one connection": (rates.chat_burst, rates.chat),
        "wrong tokens from one address": (rates.attempts_burst, rates.attempts),
    }
    assert f"up to {rates.attempts_delay:g} s" in next(then for what, _, _, then in rows if "tokens" in what)


class Door:
    """An App without sockets, behind which connections of one address stand."""

    def __init__(self, password: str | None = PASSWORD) -> None:
        tokens = (f"secret{number}" for number in count(1))
        settings = Settings(access=Access(password, "the organisers' own"))
        make_referee = partial(Referee, settings, random.Random(1), lambda: next(tokens), lambda: 0)
        self.app = App(make_referee)
        self.app.admission = Admission(rates=RATES)

    def open(self, host: str = "192.0.2.7") -> Caller:
        return Caller(self, host)

    def serve(self, line: Line) -> None:
        line.enter(self.app, self.app.admission)


class Caller:
    """A connection, what it heard and when."""

    def __init__(self, door: Door, host: str) -> None:
        self.heard: list[tuple[float, ServerMessage]] = []
        self.closed: int | None = None
        self.line = Line(self._hear, self._close)
        self.line.peer.host = host
        handshake = door.app.admission.arrive(host, lambda: None, self.line.cut, 10)
        assert handshake is not None
        self.line.peer.handshake = handshake
        self.line.peer.meter = Meter(RATES, handshake.meter)
        door.serve(self.line)

    def _hear(self, frame: bytes) -> None:
        now = asyncio.get_running_loop().time()
        self.heard += [(now, message) for message in decode_server(frame)]

    def _close(self, code: int) -> None:
        self.closed = code

    def say(self, *messages: Hello) -> None:
        self.line.say(encode_batch(messages))

    def hello(
        self,
        password: str | None = PASSWORD,
        token: str | None = None,
        organiser: str | None = None,
        service: str | None = None,
    ) -> Hello:
        number = next(_numbers)
        return Hello(
            number, 1, "test", "bot", f"n{number}", token, password=password, organiser=organiser, service=service
        )

    async def answer(self) -> tuple[float, Error | Ok]:
        """When the first answer came, and what it was."""
        for _ in range(2000):
            found = [(at, message) for at, message in self.heard if isinstance(message, Error | Ok)]
            if found:
                return found[0]
            await asyncio.sleep(0.01)
        raise AssertionError("no answer")


async def delay(caller: Caller, hello: Hello) -> tuple[float, Error | Ok]:
    begun = asyncio.get_running_loop().time()
    caller.say(hello)
    at, answer = await caller.answer()
    return at - begun, answer


class TestDebt:
    def test_the_first_are_free_and_then_each_waits_longer(self) -> None:
        debt = Debt(rate=5, burst=30, longest=8)
        assert [debt.add(0.0, 10) for _ in range(9)] == pytest.approx([0, 0, 0, 2, 4, 6, 8, 8, 8], abs=1e-6)

    def test_a_flood_of_hours_is_forgiven_in_seconds(self) -> None:
        debt = Debt(rate=5, burst=30, longest=8)
        for _ in range(10_000):
            debt.add(0.0, 10)
        assert debt.add(8.0, 10) == pytest.approx(2, abs=1e-6)
        assert not debt.is_clear(15.9)
        assert debt.is_clear(30.0)


class TestWrong:
    async def test_it_waits_longer_and_longer_and_gets_its_true_answer(self) -> None:
        door, waits = Door(), []
        for _ in range(7):
            caller = door.open()
            began = asyncio.get_running_loop().time()
            caller.say(caller.hello("wrong"))
            await asyncio.sleep(0)
            waits.append((caller, began))
        seconds = []
        for caller, began in waits:
            at, answer = await caller.answer()
            assert isinstance(answer, Error)
            assert (answer.code, answer.fatal) == ("password_required", True)
            seconds.append(at - began)
            await asyncio.sleep(0.01)
            assert caller.closed == 1008
        assert seconds == pytest.approx([0, 0, 0, 2, 4, 6, 8], abs=0.1)

    async def test_a_frame_is_one_guess_at_a_password(self) -> None:
        door = Door()
        caller = door.open()
        caller.say(*(caller.hello(f"guess {number}") for number in range(100)), caller.hello())
        await asyncio.sleep(1)
        assert [type(message) for _, message in caller.heard] == [Error]
        assert door.app.admission.wrong()["password"] == 1

    async def test_a_held_connection_is_not_heard(self) -> None:
        door = Door(password=None)
        caller = door.open()
        caller.say(*(caller.hello(None, f"s{number}.guess") for number in range(40)))
        await asyncio.sleep(0)
        assert caller.line.peer.held
        caller.say(caller.hello(None))
        await asyncio.sleep(20)
        codes = [message.code for _, message in caller.heard if isinstance(message, Error)]
        assert codes == ["bad_token"] * 31
        assert not any(isinstance(message, Welcome) for _, message in caller.heard)
        assert caller.closed == 1008
        assert door.app.admission.wrong()["token"] == 31

    async def test_few_are_held_and_the_others_end_at_once(self) -> None:
        door = Door()
        callers = [door.open() for _ in range(60)]
        for caller in callers:
            caller.say(caller.hello("wrong"))
        await asyncio.sleep(0)
        assert door.app.admission.waiting()["held"] == HELD_OF_ADDRESS
        await asyncio.sleep(0.1)
        assert sum(caller.closed == 1008 for caller in callers) == 60 - HELD_OF_ADDRESS
        await asyncio.sleep(20)
        assert all(caller.closed == 1008 for caller in callers)
        assert all(isinstance(caller.heard[0][1], Error) for caller in callers)

    async def test_to_show_none_is_no_guess(self) -> None:
        door = Door()
        for _ in range(20):
            caller = door.open()
            seconds, answer = await delay(caller, caller.hello(None))
            assert isinstance(answer, Error)
            assert seconds < 0.1
        assert sum(door.app.admission.wrong().values()) == 0

    async def test_it_may_go_before_its_answer(self) -> None:
        door = Door()
        for _ in range(10):
            caller = door.open()
            caller.say(caller.hello("wrong"))
            await asyncio.sleep(0)
            caller.line.cut()
        await asyncio.sleep(20)
        assert door.app.admission.waiting()["held"] == 0
        assert not door.app._peers


class TestRight:
    @pytest.mark.parametrize("wrong", ["password", "token", "organiser", "service"])
    async def test_it_is_let_in_at_once_whatever_its_address_did(self, wrong: str) -> None:
        door = Door()
        first = door.open()
        first.say(first.hello())
        await first.answer()
        token = next(message.token for _, message in first.heard if isinstance(message, Welcome))
        for number in range(500):
            guesser = door.open()
            guesses = {
                "password": guesser.hello(f"guess {number}"), "token": guesser.hello(token=f"s1.{number}"),
                "organiser": guesser.hello(organiser=f"guess {number}"),
                "service": guesser.hello(service=f"guess {number}"),
            }  # fmt: skip
            guesser.say(guesses[wrong])
        for hello in ({"token": token}, {}, {"organiser": "the organisers' own"}):
            caller = door.open()
            seconds, answer = await delay(caller, caller.hello(**hello))
            assert isinstance(answer, Ok), answer
            assert seconds < 0.1

    async def test_the_rest_of_a_frame_counts_after_a_right_one(self) -> None:
        door = Door(password=None)
        caller = door.open()
        caller.say(caller.hello(None, "s1.forgotten"), caller.hello(None))
        await asyncio.sleep(0)
        await caller.answer()
        assert any(isinstance(message, Welcome) for _, message in caller.heard)


class TestLog:
    async def test_one_line_in_a_while_with_a_count_and_never_the_secret(
        self, caplog: pytest.LogCaptureFixture
    ) -> None:
        door = Door()
        for number in range(200):
            caller = door.open()
            caller.say(caller.hello("OpenBarley"), caller.hello(token="s1.OpenBarley"))
            if number == 100:
                other = door.open("198.51.100.9")
                other.say(other.hello("OpenBarley"))
            await asyncio.sleep(0.05)
        await asyncio.sleep(20)
        lines = [record.__dict__["fields"] for record in caplog.records if hasattr(record, "event")]
        mine = [line for line in lines if line["address"] == "192.0.2.7"]
        assert 3 <= len(mine) <= 4
        assert sum(line["count"] for line in mine) == 200
        assert [line["count"] for line in lines if line["address"] == "198.51.100.9"] == [1]
        assert all(record.levelname == "WARNING" for record in caplog.records)
        assert "OpenBarley" not in caplog.text

    async def test_a_crowd_of_addresses_is_one_line(self, caplog: pytest.LogCaptureFixture) -> None:
        door = Door()
        for number in range(1000):
            caller = door.open(f"10.0.{number >> 8}.{number & 255}")
            caller.say(caller.hello("wrong"))
        await asyncio.sleep(20)
        assert len(caplog.records) < 110
        assert sum(record.__dict__["fields"]["count"] for record in caplog.records) == 1000
