"""What somebody sees who named no server, and what their answers mean."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from dataclasses import replace
from pathlib import Path

import pytest

from client.commands.find_cli import as_object
from client.errors import AddressError, ClientError, NoServer
from client.identity import STATE_DIR, Identity
from client.people import choosing
from client.people.choosing import Choice, Chooser, menu, spell_age, take
from client.people.discovery import Found
from client.people.glance import Glance
from locales import set_language
from protocol.values import Clock, LobbyPage, MatchSummary, Player

NOW_MS = 1_767_225_600_000


def waits(match: str, name: str, game: str = "morpion", age_s: int = 20) -> MatchSummary:
    return MatchSummary(
        match, game, "waiting", (Player(name, "human"), None), Clock(300_000), opened_ms=NOW_MS - age_s * 1000
    )


def server(name: str, *matches: MatchSummary, password: bool = False) -> Found:
    lobby = LobbyPage(1, "0.1.0", NOW_MS, password, matches)
    return Found(name, f"ws://10.231.80.{len(name)}:8765", Glance(2, lobby), password)


ADA = server("ada", waits("m1", "Ada"), waits("m2", "Ma\x1b[2Jx", "othello:size=6", 7200))
BOB = server("bobby", password=True)
FAR = Found("far away", "ws://10.231.80.99:8765")


@pytest.fixture(autouse=True)
def english() -> None:
    set_language("en")


def test_each_game_that_waits_and_each_quiet_server_has_a_number() -> None:
    made = menu([BOB, FAR, ADA])
    assert made.choices == (Choice(ADA.url, "m1"), Choice(ADA.url, "m2"), Choice(BOB.url))
    assert made.lines[:3] == (
        "ada (10.231.80.3, 2 ms)",
        "   1  Tic-tac-toe, 5m: Ada has been waiting for 20 s",
        "   2  Othello (size=6), 5m: Ma[2Jx has been waiting for 2 h",
    )
    assert made.lines[3:5] == (
        "bobby (10.231.80.5, 2 ms), with a password",
        "   3  nobody waits: open a game there",
    )
    assert made.lines[5] == "far away (10.231.80.99): found, but not reachable"
    assert "hotspot" in made.lines[6]


def test_a_game_that_one_has_left_comes_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def played(match: str, *names: str, here: bool = False) -> MatchSummary:
        seats = [Player(name, "human", present=here) for name in names]
        return MatchSummary(match, "morpion", "playing", (seats[0], seats[1]))

    monkeypatch.setenv(STATE_DIR, str(tmp_path))
    found = server("ada", waits("m1", "Ada"), played("m2", "Zoé", "Bob"), played("m3", "Bob", "Cleo", here=True))
    assert menu([found]).choices == (Choice(found.url, "m1"),)
    for name in ("Zoé", "Cleo"):
        with Identity(found.url, name) as identity:
            assert identity.take()
            identity.keep("s1.abc")
    made = menu([found])
    assert made.choices == (Choice(found.url, "m2"), Choice(found.url, "m1"))
    assert made.lines[1] == "   1  your game goes on: Tic-tac-toe, Zoé - Bob"
    assert menu([found], bound=True).choices == (Choice(found.url),)
    assert menu([replace(found, url="ws://10.231.80.9:8765")]).choices == (Choice("ws://10.231.80.9:8765", "m1"),)


def test_who_wants_a_game_sees_no_other() -> None:
    assert menu([ADA], "othello").choices == (Choice(ADA.url, "m2"),)
    assert menu([ADA], "puissance4").choices == (Choice(ADA.url),)


def test_who_has_a_code_chooses_a_server_only() -> None:
    assert menu([ADA, BOB], bound=True).choices == (Choice(ADA.url), Choice(BOB.url))


@pytest.mark.parametrize(
    ("typed", "choice"),
    [
        (" 1 ", Choice(ADA.url, "m1")),
        ("192.0.2.7", Choice("ws://192.0.2.7:8765")),
        ("arbitre://192.0.2.7:9000/BATOMI", Choice("ws://192.0.2.7:9000", "BATOMI")),
        ("http://192.0.2.7:8765/m/88bc4zxj", Choice("ws://192.0.2.7:8765", "88bc4zxj")),
    ],
)
def test_a_number_or_an_address(typed: str, choice: Choice) -> None:
    assert take(typed, menu([ADA]).choices) == choice


CODED = [("192.168.1.7:8765 MALUDO", "ws://192.168.1.7:8765", "MALUDO"), ("MALUDO", "ws://one:1", "MALUDO")]


@pytest.mark.parametrize(("typed", "url", "join"), CODED)
def test_a_code_is_taken_with_its_address_or_for_the_only_server(typed: str, url: str, join: str) -> None:
    assert take(typed, [Choice("ws://one:1"), Choice("ws://one:1", "x")]) == Choice(url, join)


def test_a_host_may_have_as_many_letters_as_a_code() -> None:
    assert take("laptop", [Choice("ws://one:1")]).url.startswith("ws://laptop")


def test_a_code_alone_among_several_servers_asks_which() -> None:
    with pytest.raises(AddressError, match="Type its address before the code"):
        take("MALUDO", [Choice("ws://one:1"), Choice("ws://two:2")])


@pytest.mark.parametrize("typed", ["0", "3", "999", "a b", "ftp://x"])
def test_what_is_neither_is_said(typed: str) -> None:
    with pytest.raises(AddressError):
        take(typed, menu([ADA]).choices)


@pytest.mark.parametrize(("age_ms", "said"), [(0, "0 s"), (59_999, "59 s"), (60_000, "1 min"), (7_200_000, "2 h")])
def test_ages(age_ms: int, said: str) -> None:
    assert spell_age(age_ms) == said


class Around:
    """What is found around, and what a person answers, in the place of a network and a terminal."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, *found: Found) -> None:
        self.found = found
        self.searches = 0
        self.answers: list[str | None] = []
        monkeypatch.setattr(choosing, "discover", self.discover)
        monkeypatch.setattr(choosing, "ask", self.ask)
        monkeypatch.setattr("sys.stdin.isatty", lambda: bool(self.answers), raising=False)

    async def discover(self) -> AsyncGenerator[Found]:
        self.searches += 1
        for one in self.found:
            yield one

    async def ask(self, _question: str) -> str | None:
        return self.answers.pop(0)


GONE = NoServer("ws://127.0.0.1:8765", "refused")


async def choose(chooser: Chooser) -> Choice | None:
    return await chooser.choose(None, bound=False, otherwise=GONE)


async def test_a_person_is_asked_until_it_is_clear_and_then_not_again(monkeypatch: pytest.MonkeyPatch) -> None:
    around, chooser = Around(monkeypatch, ADA), Chooser()
    around.answers = ["9", "", "2"]
    assert await choose(chooser) == Choice(ADA.url, "m2")
    assert around.searches == 2
    assert await choose(chooser) == Choice(ADA.url, "m2")
    assert around.searches == 2


@pytest.mark.parametrize("last", ["q", "quit", None])
async def test_a_person_may_leave(monkeypatch: pytest.MonkeyPatch, last: str | None) -> None:
    around = Around(monkeypatch)
    around.answers = ["", last]
    assert await choose(Chooser()) is None


async def test_a_program_is_told_and_takes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    Around(monkeypatch, ADA)
    with pytest.raises(ClientError, match=r"play 10\.231\.80\.3 --join m1"):
        await choose(Chooser())
    Around(monkeypatch)
    with pytest.raises(NoServer):
        await choose(Chooser())


async def test_who_does_not_look_hears_what_was_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    around = Around(monkeypatch, ADA)
    with pytest.raises(NoServer):
        await choose(Chooser(looks=False))
    assert not around.searches


def test_programs_are_told_all_that_is_known() -> None:
    told = as_object(ADA)
    assert (told["name"], told["reachable"], told["rtt_ms"], told["server_time_ms"]) == ("ada", True, 2, NOW_MS)
    assert [match["match"] for match in told["matches"]] == ["m1", "m2"]
    assert as_object(FAR) == {
        "name": "far away", "url": FAR.url, "reachable": False, "rtt_ms": None, "password": False, "version": None,
        "server_time_ms": None, "matches": None,
    }  # fmt: skip
