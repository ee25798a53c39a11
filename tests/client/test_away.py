"""A server that stops, or is away: what its person is told, and that leaving never waits for it. Virtual time."""

import asyncio
import random
from collections.abc import AsyncIterator, Callable
from types import TracebackType
from typing import Self

import pytest
from msgspec import UNSET
from msgspec.structs import replace

import games
from bots.base import parse_bot
from bots.running.runner import MAX_AT_ONCE, BotRunner, RunSettings
from client.connection import LONGEST_PAUSE_S, Client
from client.errors import Kicked, NoServer, Refused, ServerGone, Silent
from client.explanations import refused
from client.people.plain import PlainMatch
from client.wire import Unreachable
from protocol.messages import (
    Claim,
    ClientMessage,
    Closing,
    Create,
    Decline,
    Error,
    Invitation,
    Join,
    MakeMove,
    Ok,
    Paused,
    Player,
    Presence,
    Result,
    Snapshot,
    Sync,
    Watch,
    YourTurn,
)
from terminal.board import Style
from terminal.narrator import turn_line
from tests.client.fakes import FakeServer, FakeWire
from tests.games.sowing import Sowing
from view.match import MatchView

pytestmark = [pytest.mark.looptime]

STOPPED = "The host has stopped the server. Waiting for it to come back (quit leaves) ..."
ADA, EVE = Player("Ada", "human"), Player("Eve", "human")
LEGAL = ("a1", "b2")


def playing(match: str = "m", seq: int = 1, moves: tuple[str, ...] = ()) -> Snapshot:
    return Snapshot(match, seq, "morpion", "playing", (ADA, EVE), 1, moves, len(moves), 1, LEGAL)


class Typist:
    """A terminal whose person types when the test says so."""

    interactive = True

    def __init__(self) -> None:
        self.shown: list[str] = []
        self.typed: asyncio.Queue[str | None] = asyncio.Queue()

    def show(self, *lines: str) -> None:
        self.shown += lines

    async def line(self) -> str | None:
        return await self.typed.get()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        pass


class Table:
    """A person in the middle of a match."""

    def __init__(self, server: FakeServer, client: Client, *, watched: str | None = None) -> None:
        self.server, self.client = server, client
        self.terminal = Typist()
        style = Style(ascii=True, colour=False)
        match = PlainMatch(client, self.terminal, style, "m", stay=False, watched=watched)
        self.match = asyncio.create_task(match.run())

    async def sit(self) -> FakeWire:
        wire = await self.server.wire()
        wire.say(playing(), YourTurn("m", 0, LEGAL))
        await asyncio.sleep(0.1)
        return wire


@pytest.fixture
def server() -> FakeServer:
    return FakeServer()


@pytest.fixture
async def table(server: FakeServer) -> AsyncIterator[Table]:
    client = Client("ws://t:1", name="Ada", kind="human", patience_s=900, rng=random.Random(1), dial=server.dial)
    async with client:
        yield Table(server, client)


async def test_a_polite_stop_is_told_and_waited_for(table: Table) -> None:
    wire = await table.sit()
    table.server.down = True
    wire.say(Closing(retry_after_ms=2000), Closing(retry_after_ms=2000))
    wire.drop(1001)
    await asyncio.sleep(600)
    assert table.terminal.shown[-1] == STOPPED
    assert table.terminal.shown.count(STOPPED) == 1
    assert not any("is lost" in line for line in table.terminal.shown)
    table.server.down = False
    again = await table.server.wire()
    again.say(YourTurn("m", 0, LEGAL))
    await asyncio.sleep(0.1)
    assert "The connection is back." in table.terminal.shown
    table.terminal.typed.put_nowait("b2")
    (move,) = await again.hear()
    assert isinstance(move, MakeMove)
    again.drop()
    await asyncio.sleep(0.01)
    assert table.terminal.shown[-1] == "The connection is lost. Trying to come back ...", "it is said of a crash again"
    table.match.cancel()


async def test_a_clock_that_ran_while_nobody_listened_is_asked_for(table: Table) -> None:
    """Events tell what was missed. Who is not to move would else count the server's absence as the other's time."""
    before = replace(playing(), seat=2, clocks=(300_000, 300_000))
    wire = await table.server.wire()
    wire.say(before)
    await asyncio.sleep(0.1)
    table.server.down = True
    wire.drop()
    await asyncio.sleep(120)
    table.server.down = False
    again = await table.server.wire()
    (sync,) = await again.hear()
    assert isinstance(sync, Sync)
    assert (sync.match, sync.seq) == ("m", 0)
    again.say(Ok(sync.id), replace(before, clocks=(299_000, 300_000)))
    await asyncio.sleep(0.1)
    view = table.client.session.matches.get("m")
    assert view is not None
    clocks = view.clocks(table.client.now())
    assert clocks is not None
    assert clocks[0] == pytest.approx(299_000, abs=200)
    assert sum("Ada" in line and "4:5" in line for line in table.terminal.shown) == 1
    assert not any("Ada" in line and "2:5" in line for line in table.terminal.shown), "what is not so is not drawn"
    table.match.cancel()


@pytest.mark.parametrize("gone", [True, False])
async def test_a_spectator_asks_for_the_match_anew(server: FakeServer, *, gone: bool) -> None:
    """A server that was started again knows who plays, not who watched."""
    async with Client("ws://t:1", name="Eve", kind="human", patience_s=900, dial=server.dial) as client:
        table = Table(server, client, watched="BATOMI")
        wire = await server.wire()
        wire.say(replace(playing(), seat=None, clocks=(300_000, 300_000)))
        await asyncio.sleep(0.1)
        wire.drop()
        again = await server.wire()
        (watch,) = await again.hear()
        assert isinstance(watch, Watch)
        assert watch.code == "BATOMI"
        if gone:
            again.say(Error("no_such_match", "it is over", id=watch.id))
            await asyncio.wait_for(table.match, 100)
        else:
            again.say(Ok(watch.id, "m"), replace(playing(moves=("b2",), seq=2), seat=None, clocks=(300_000, 200_000)))
            await asyncio.sleep(0.1)
            assert any("3:20" in line for line in table.terminal.shown)
            table.match.cancel()


async def test_who_is_sent_away_reads_it_once(table: Table) -> None:
    wire = await table.sit()
    wire.say(Error("kicked", "go", fatal=True))
    wire.drop(4002)
    with pytest.raises(Kicked):
        await asyncio.wait_for(table.match, 100)
    assert not any("sent you away" in line for line in table.terminal.shown), "the command says it at its end"


@pytest.mark.parametrize("opponent", [EVE, None])
async def test_a_rematch_is_proposed_to_two(table: Table, *, opponent: Player | None) -> None:
    wire = await table.sit()
    over = Result(None, "aborted", (0, 0))
    wire.say(replace(playing(seq=9), status="finished", players=(ADA, opponent), result=over))
    await asyncio.sleep(0.1)
    assert any("quit to leave" in line for line in table.terminal.shown)
    assert any("rematch" in line for line in table.terminal.shown) == (opponent is not None)
    table.match.cancel()


@pytest.mark.parametrize("stopping", [True, False])
async def test_a_pause_is_an_organiser_s_only_if_one_made_it(table: Table, *, stopping: bool) -> None:
    wire = await table.sit()
    wire.say(Paused("m", 2, stopping=stopping))
    await asyncio.sleep(0.1)
    assert any("clocks stand still" in line for line in table.terminal.shown)
    assert stopping != any("organiser" in line for line in table.terminal.shown)
    table.match.cancel()


@pytest.mark.parametrize("waiting", ["quit", None, "b2"])
async def test_quit_leaves_while_the_server_is_away(table: Table, waiting: str | None) -> None:
    wire = await table.sit()
    table.server.down = True
    wire.drop()
    await asyncio.sleep(1)
    began = asyncio.get_running_loop().time()
    if waiting == "b2":
        table.terminal.typed.put_nowait("b2")
        await asyncio.sleep(30)
        began += 30
        table.terminal.typed.put_nowait("quit")
    else:
        table.terminal.typed.put_nowait(waiting)
    await asyncio.wait_for(table.match, 100)
    assert asyncio.get_running_loop().time() - began < 1


async def test_what_is_typed_while_a_move_waits_is_done_after_it(table: Table) -> None:
    wire = await table.sit()
    for line in ("b2", "claim"):
        table.terminal.typed.put_nowait(line)
    (move,) = await wire.hear()
    await asyncio.sleep(1)
    assert wire.heard_nothing()
    wire.say(Ok(move.id))
    (claim,) = await wire.hear()
    assert isinstance(claim, Claim)
    table.match.cancel()


async def test_a_server_that_closes_for_good_is_not_waited_for(table: Table) -> None:
    wire = await table.sit()
    wire.say(Closing())
    wire.drop(1001)
    with pytest.raises(ServerGone):
        await asyncio.wait_for(table.match, 100)
    assert table.terminal.shown[-2] == "The server is closing."


async def test_a_pause_of_years_is_one_of_a_minute(table: Table) -> None:
    wire = await table.sit()
    wire.say(Closing(retry_after_ms=2**40))
    wire.drop(1001)
    await table.server.wire()
    assert table.server.dials[1] - table.server.dials[0] < LONGEST_PAUSE_S + 10
    table.match.cancel()


async def test_a_return_is_patient_with_a_page_in_between(table: Table) -> None:
    """As the page of a Wi-Fi that asks for its password again."""
    wire = await table.sit()
    table.server.failures = [Unreachable("HTTP 302", permanent=True, status=302) for _ in range(30)]
    wire.drop()
    await asyncio.sleep(300)
    assert table.terminal.shown[-1] != "The connection is lost. Trying to come back ..."
    assert len(table.server.dials) == 32
    table.match.cancel()


async def test_who_asks_does_not_wait_for_ever(server: FakeServer) -> None:
    async with Client("ws://t:1", name="Ada", kind="human", dial=server.dial) as client:
        with pytest.raises(Silent):
            await asyncio.wait_for(client.ask(Create, game="othello"), 100)


async def test_nobody_there_is_all_that_no_server_says(server: FakeServer) -> None:
    server.down = True
    with pytest.raises(NoServer):
        await Client("ws://t:1", name="Ada", kind="human", dial=server.dial).__aenter__()


@pytest.mark.parametrize(
    ("wait_ms", "says"), [(986, "try again in 1 s."), (8001, "in 9 s."), (2**40, "slow down."), (None, "slow down.")]
)
def test_who_is_too_fast_reads_how_long_to_wait(wait_ms: int | None, says: str) -> None:
    error = Error("rate_limited", "slow", retry_after_ms=UNSET if wait_ms is None else wait_ms)
    assert refused(Refused(error)).endswith(says)


def test_a_board_that_is_full_asks_for_no_move() -> None:
    """The last move may come before the end is told."""
    moves = ("a1", "b1", "c1", "b2", "a2", "c2", "b3", "a3", "c3")
    views = [MatchView.of(replace(playing(moves=moves), seat=seat), 0.0) for seat in (1, 2)]
    assert sum(view.my_turn for view in views) == 1
    assert [turn_line(view) for view in views if view.my_turn] == [""]


# -- bots


class Bot:
    """`first` on the fake server."""

    def __init__(self, server: FakeServer, client: Client) -> None:
        self.server = server
        self.runner = BotRunner(client, RunSettings(parse_bot("first"), "1"), lambda _text: None)
        self.running = asyncio.create_task(self.runner.run())


@pytest.fixture
async def bot(server: FakeServer) -> AsyncIterator[Bot]:
    async with Client("ws://t:1", name="b", kind="bot", rng=random.Random(1), dial=server.dial) as client:
        made = Bot(server, client)
        yield made
        made.running.cancel()
        await asyncio.wait([made.running])


async def heard_in(wire: FakeWire, seconds: float, answer: Callable[[ClientMessage], None]) -> int:
    """How many messages come in that time, each answered."""
    count = 0
    end = asyncio.get_running_loop().time() + seconds
    while asyncio.get_running_loop().time() < end:
        if wire.heard_nothing():
            await asyncio.sleep(0.001)
            continue
        for message in await wire.hear():
            count += 1
            answer(message)
    return count


async def test_a_bot_works_on_no_turn_of_a_match_never_seen(bot: Bot) -> None:
    wire = await bot.server.wire()
    wire.say(*(YourTurn(f"n{number}", 0, LEGAL) for number in range(100)))
    await asyncio.sleep(1)
    assert wire.heard_nothing()
    assert bot.runner._players == {}


async def test_a_bot_declines_more_than_it_can_play_at_once(bot: Bot) -> None:
    wire = await bot.server.wire()
    wire.say(*(Invitation(f"i{number}", "morpion", "Eve", 1) for number in range(MAX_AT_ONCE + 3)))
    sent: list[ClientMessage] = []
    while len(sent) < MAX_AT_ONCE + 3:
        sent += await wire.hear()
    assert [type(message) for message in sent] == [Join] * MAX_AT_ONCE + [Decline] * 3


@pytest.mark.slow
async def test_a_bot_that_is_refused_is_patient_whatever_the_server_says(bot: Bot) -> None:
    wire = await bot.server.wire()
    wire.say(playing(), YourTurn("m", 0, LEGAL))

    def refuse(message: ClientMessage) -> None:
        wire.say(Error("rate_limited", "no", message.id, retry_after_ms=1))

    assert await heard_in(wire, 10, refuse) < 250
    wire.say(Presence("m", 2, 2, present=False, claimable_ms=0))

    def too_early(message: ClientMessage) -> None:
        wire.say(Error("too_early", "no", message.id, retry_after_ms=1))

    assert await heard_in(wire, 10, too_early) < 150


async def test_a_bot_asks_eight_times_for_what_never_comes(bot: Bot) -> None:
    wire = await bot.server.wire()
    wire.say(playing(seq=1))
    for number in range(1, 9):
        wire.say(Presence("m", 100 * number, 2, present=False))
        (sync,) = await wire.hear()
        assert isinstance(sync, Sync)
        wire.say(playing(seq=1 + 100 * number))
    wire.say(Presence("m", 5000, 2, present=False))
    await asyncio.sleep(0.1)
    assert wire.closed


async def test_a_legal_move_is_played_also_where_it_is_a_command(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    """A pit is called h in a row of eight, as help is."""
    monkeypatch.setattr(games, "GAMES", {**games.GAMES, Sowing.id: Sowing})
    wire = await table.server.wire()
    rules, legal = "sowing:pits=8,seeds=3", tuple("abcdefgh")
    wire.say(Snapshot("m", 1, rules, "playing", (ADA, EVE), 1, (), 0, 1, legal), YourTurn("m", 0, legal))
    await asyncio.sleep(0.1)
    table.terminal.typed.put_nowait("H")
    await asyncio.sleep(0.1)
    assert [heard.move for heard in await wire.hear() if isinstance(heard, MakeMove)] == ["h"]
