"""The organiser's connection, with the test as its server: every game that it opens comes to an end that is known."""

import asyncio
from dataclasses import dataclass, field, replace
from typing import Any, Self, TypeVar

import msgspec
import pytest

from client.connection import Client
from league.config import LeagueBot
from league.executors import organiser
from league.executors.base import CutOffError, ExecutorError, VoidError
from league.executors.organiser import Elsewhere, Organiser
from league.played import Job, Played
from protocol.bounds import ResultReason
from protocol.messages import Abort, ClientMessage, Create, Error, Network, Ok, Player, Report, Result, Sync, Terminate
from tests.client.fakes import FakeServer, FakeWire
from tests.league.fakes import league

pytestmark = pytest.mark.looptime

M = TypeVar("M", bound=ClientMessage)

JOB = Job("r1", (LeagueBot("Ada", "random"), LeagueBot("Bob", "random")), ("b2",), "7")
ADA, BOB = Player("Ada", "bot"), Player("Bob", "bot")


@dataclass(eq=False)
class Bot:
    """A contestant that the test may end."""

    name: str
    ended: "asyncio.Future[Any]" = field(default_factory=lambda: asyncio.get_running_loop().create_future())
    last_words: str = "Ouch."


class Scene:
    """An organiser, the server's end of its connection, and two bots."""

    def __init__(self, elsewhere: Elsewhere | None = None) -> None:
        self.server = FakeServer()
        self.client = Client("ws://fake", name="organiser", kind="human", patience_s=5, dial=self.server.dial)
        described = league(2, game="morpion")
        self.organiser = Organiser(self.client, described, elsewhere=elsewhere, date=lambda: 1_790_000_000.25)
        self.bots = [Bot("Ada"), Bot("Bob")]

    async def __aenter__(self) -> Self:
        await self.client.__aenter__()
        self.running = asyncio.create_task(self.organiser.run())
        self.wire = await self.server.wire()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.client.close()
        await self.running

    def start(self, job: Job = JOB) -> "asyncio.Task[Played]":
        return self.play(job, 1)

    def play(self, job: Job, number: int) -> "asyncio.Task[Played]":
        return asyncio.create_task(self.organiser.play(job, number, self.bots))

    @staticmethod
    def ok(create: Create) -> Ok:
        """The answer to an organiser that opens a match."""
        return Ok(create.id, "m")

    async def opened(self) -> None:
        """The organiser opens a match: it is called m."""
        create = await self.heard(Create)
        assert not create.follow
        self.wire.say(Ok(create.id, "m"))

    async def heard(self, kind: type[M], wire: FakeWire | None = None) -> M:
        (message,) = await (wire or self.wire).hear()
        assert isinstance(message, kind)
        return message


def report(
    reason: ResultReason,
    winner: int | None = None,
    moves: tuple[str, ...] = (),
    players: tuple[Player | None, Player | None] = (ADA, BOB),
    declined: int | None = None,
) -> Report:
    assert winner in (None, 1, 2)
    assert declined in (None, 1, 2)
    times = tuple(range(len(moves)))
    over = Result(winner, reason, (0, 0))  # type: ignore[arg-type]
    return Report("m", players, over, moves, (1500, 250), declined, move_ms=times)  # type: ignore[arg-type]


def away(player: Player) -> Player:
    return Player(player.name, player.kind, present=False)


async def test_a_game_is_what_its_report_says() -> None:
    async with Scene() as scene:
        game = scene.start()
        await scene.opened()
        moves = ("b2", "a1", "c1", "b1", "a3")
        scene.wire.say(report("line", 1, moves))
        played = await game
    assert (played.moves, played.winner, played.reason, played.opening) == (moves, 1, "line", 1)
    assert played.seconds == (1.5, 0.25)
    assert (played.move_ms, played.date_ms) == ((0, 1, 2, 3, 4), 1_790_000_000_250)


async def test_a_report_in_the_same_breath_as_the_match_is_not_lost() -> None:
    async with Scene() as scene:
        game = scene.start()
        create = await scene.heard(Create)
        scene.wire.say(Ok(create.id, "m"), report("resign", 2))
        assert (await game).reason == "resign"


async def test_who_does_not_sit_down_loses() -> None:
    async with Scene() as scene:
        game = scene.start()
        await scene.opened()
        began = asyncio.get_running_loop().time()
        abort = await scene.heard(Abort)
        assert asyncio.get_running_loop().time() - began == pytest.approx(organiser.JOIN_S)
        scene.wire.say(Ok(abort.id), report("aborted", players=(ADA, None)))
        played = await game
    assert (played.reason, played.faulty, played.moves) == ("abandoned", "Bob", ("b2",))


@pytest.mark.parametrize(
    ("players", "declined", "faulty"),
    [
        ((None, None), 2, "Bob"),
        ((ADA, None), 1, "Ada"),
        ((None, BOB), None, "Ada"),
        ((away(ADA), BOB), None, "Ada"),
        ((None, None), None, None),
        ((away(ADA), None), None, None),
        ((ADA, BOB), None, None),
    ],
)
async def test_of_a_match_that_did_not_begin_who_declined_is_to_blame_or_the_only_one_not_there(
    players: tuple[Player | None, Player | None], declined: int | None, faulty: str | None
) -> None:
    async with Scene() as scene:
        game = scene.start()
        await scene.opened()
        scene.wire.say(report("aborted", players=players, declined=declined))
        if faulty is None:
            with pytest.raises(VoidError, match="Ada and Bob"):
                await game
        else:
            played = await game
            assert (played.reason, played.faulty) == ("abandoned", faulty)


@pytest.mark.parametrize(("reason", "winner"), [("abandoned", None), ("timeout", 1)])
async def test_what_ends_while_both_are_away_is_the_fault_of_neither(reason: ResultReason, winner: int | None) -> None:
    async with Scene() as scene:
        game = scene.start()
        await scene.opened()
        scene.wire.say(report(reason, winner, ("b2", "a1"), (away(ADA), away(BOB))))
        with pytest.raises(VoidError):
            await game


@pytest.mark.parametrize(("reason", "winner"), [("abandoned", 2), ("timeout", 2)])
async def test_who_alone_is_away_has_lost(reason: ResultReason, winner: int) -> None:
    async with Scene() as scene:
        game = scene.start()
        await scene.opened()
        scene.wire.say(report(reason, winner, ("b2", "a1"), (away(ADA), BOB)))
        assert ((await game).faulty, (await game).reason) == ("Ada", reason)


@pytest.mark.parametrize(("absent", "faulty"), [(["Bob"], "Bob"), (["Ada", "Bob"], None)])
async def test_who_is_not_connected_is_waited_for_and_loses_unless_nobody_is(
    absent: list[str], faulty: str | None
) -> None:
    async with Scene() as scene:
        game = scene.start()
        began = asyncio.get_running_loop().time()
        while not game.done():
            if not scene.wire.heard_nothing():
                create = await scene.heard(Create)
                scene.wire.say(Error("no_such_player", "who?", create.id, data={"absent": absent}))
            await asyncio.sleep(organiser.BACK_S / 50)
        assert asyncio.get_running_loop().time() - began == pytest.approx(organiser.BACK_S, rel=0.1)
        if faulty is None:
            with pytest.raises(VoidError):
                await game
        else:
            assert (await game).faulty == faulty


async def test_a_long_game_goes_on() -> None:
    async with Scene() as scene:
        game = scene.start()
        await scene.opened()
        abort = await scene.heard(Abort)
        scene.wire.say(Error("not_allowed", "it has begun", abort.id))
        await asyncio.sleep(10 * organiser.JOIN_S)
        scene.wire.say(report("full"))
        assert (await game).reason == "full"


async def test_a_bot_that_is_gone_has_crashed_and_its_words_are_kept() -> None:
    async with Scene() as scene:
        game = scene.start()
        await scene.opened()
        await asyncio.sleep(1)
        scene.bots[1].ended.set_result(None)
        terminate = await scene.heard(Terminate)
        scene.wire.say(Ok(terminate.id), report("aborted", moves=("b2", "a1")))
        played = await game
    assert (played.reason, played.faulty, played.detail) == ("crash", "Bob", "Ouch.")
    assert played.moves == ("b2", "a1")


async def test_a_game_that_was_over_before_the_bot_was_gone_counts() -> None:
    async with Scene() as scene:
        game = scene.start()
        await scene.opened()
        await asyncio.sleep(1)
        scene.bots[0].ended.set_result(None)
        terminate = await scene.heard(Terminate)
        scene.wire.say(Error("game_over", "the match is over", terminate.id), report("line", 2))
        assert (await game).reason == "line"


async def test_after_a_lost_connection_it_asks_for_what_it_may_have_missed() -> None:
    async with Scene() as scene:
        game = scene.start()
        await scene.opened()
        await asyncio.sleep(1)
        scene.wire.drop()
        wire = await scene.server.wire()
        sync = await scene.heard(Sync, wire)
        wire.say(Ok(sync.id), report("discs", 1))
        assert (await game).reason == "discs"


async def test_a_match_that_the_server_has_forgotten_is_nobody_s_fault() -> None:
    async with Scene() as scene:
        game = scene.start()
        await scene.opened()
        await asyncio.sleep(1)
        scene.wire.drop()
        wire = await scene.server.wire()
        sync = await scene.heard(Sync, wire)
        wire.say(Error("no_such_match", "there is no such match", sync.id))
        with pytest.raises(ExecutorError):
            await game


async def test_when_the_server_is_gone_every_game_ends() -> None:
    async with Scene() as scene:
        game = scene.start()
        await scene.opened()
        await asyncio.sleep(1)
        scene.server.down = True
        scene.wire.drop()
        with pytest.raises(ExecutorError):
            await game


@pytest.mark.parametrize("begun", [False, True])
async def test_who_is_released_loses_nothing_that_has_not_begun(*, begun: bool) -> None:
    """A game that has begun goes on: the server refuses to abort it, and its result counts."""
    async with Scene() as scene:
        game = scene.start()
        await scene.opened()
        await asyncio.sleep(0)
        scene.organiser.release(scene.bots[0])
        abort = await scene.heard(Abort)
        if begun:
            scene.wire.say(Error("too_late", "it has begun", abort.id))
            scene.wire.say(report("line", 2, ("b2", "a1")))
            assert (await game).winner == 2
        else:
            scene.wire.say(Ok(abort.id), report("aborted", declined=1))
            with pytest.raises(VoidError):
                await game


async def test_who_was_released_meanwhile_is_not_waited_for() -> None:
    """He was invited, perhaps, or is gone already: the game is void at once, and not lost."""
    async with Scene() as scene:
        game = scene.start()
        scene.organiser.release(scene.bots[1])
        await scene.opened()
        abort = await scene.heard(Abort)
        scene.wire.say(Ok(abort.id), report("aborted", players=(ADA, None)))
        with pytest.raises(VoidError):
            await game
        game = scene.start()
        create = await scene.heard(Create)
        scene.wire.say(Error("no_such_player", "who?", create.id, data={"absent": ["Bob"]}))
        with pytest.raises(VoidError):
            await game


async def test_who_has_too_many_invitations_is_asked_again() -> None:
    """Whoever asks too much of them must not end a league."""
    async with Scene() as scene:
        game = scene.start()
        create = await scene.heard(Create)
        scene.wire.say(Error("busy", "enough", create.id, retry_after_ms=5000))
        await scene.opened()
        scene.wire.say(report("line", 1, ("b2",)))
        assert (await game).winner == 1


async def test_one_session_that_has_entered_as_both_does_not_play_itself() -> None:
    async with Scene() as scene:
        scene.bots[1].name = scene.bots[0].name
        game = scene.start()
        create = await scene.heard(Create)
        scene.wire.say(Error("bad_message", "invite two different players", create.id))
        with pytest.raises(VoidError):
            await game


NETWORK = Network("pause", 120_000)


def cut_off() -> Report:
    """Bob was away for longer than the clock may stand."""
    over = Result(None, "aborted", (0, 0), away=2)
    return Report("m", (ADA, away(BOB)), over, ("b2", "a1"), (1500, 250), away_ms=(0, 120_000))


async def test_who_was_cut_off_for_too_long_plays_that_game_again() -> None:
    async with Scene(Elsewhere(NETWORK, lambda _bot: True)) as scene:
        game = scene.start()
        create = await scene.heard(Create)
        assert create.network == NETWORK
        scene.wire.say(Ok(create.id, "m"), cut_off())
        with pytest.raises(CutOffError, match="Bob was cut off for 120 s") as cut:
            await game
    assert (cut.value.name, cut.value.pairing, cut.value.number, cut.value.seconds) == ("Bob", "r1", 1, 120.0)


@pytest.mark.parametrize(("before", "faulty"), [(("Bob",), "Bob"), (("Ada",), None), (("Ada", "Bob"), "Bob")])
async def test_nobody_plays_again_twice_for_that(before: tuple[str, ...], faulty: str | None) -> None:
    async with Scene(Elsewhere(NETWORK, lambda _bot: True)) as scene:
        game = scene.start(replace(JOB, replayed=before))
        await scene.opened()
        scene.wire.say(cut_off())
        if faulty is None:
            with pytest.raises(CutOffError):
                await game
        else:
            played = await game
            assert (played.reason, played.faulty, played.moves) == ("abandoned", faulty, ("b2", "a1"))
            assert "again" in played.detail


async def test_no_game_is_lost_by_an_absence_that_began_before_it() -> None:
    """A cable that was pulled between two games: the second is played once its bot is back."""
    async with Scene(Elsewhere(NETWORK, lambda bot: bot.name != "Bob")) as scene:
        game = scene.start()
        await scene.opened()
        abort = await scene.heard(Abort)
        scene.wire.say(Ok(abort.id), report("aborted", players=(ADA, None)))
        with pytest.raises(VoidError):
            await game


async def test_the_log_tells_for_how_long_a_clock_stood() -> None:
    async with Scene(Elsewhere(NETWORK, lambda _bot: True)) as scene:
        game = scene.start()
        await scene.opened()
        scene.wire.say(replace_away(report("line", 1, ("b2", "a1", "c1", "b1", "a3"))))
        played = await game
    assert played.away == (0.0, 30.0)
    assert Played.from_dict(played.as_dict()) == played


def replace_away(told: Report) -> Report:
    return Report(told.match, told.players, told.result, told.moves, told.used_ms, away_ms=(0, 30_000))


def is_busy() -> Report:
    """Bob has no room for another game."""
    told = report("aborted", players=(ADA, None), declined=2)
    return msgspec.structs.replace(told, result=msgspec.structs.replace(told.result, declined="busy"))


async def test_who_is_busy_is_asked_again() -> None:
    async with Scene() as scene:
        playing = scene.start()
        await scene.opened()
        scene.wire.say(is_busy())
        await scene.opened()
        scene.wire.say(report("line", 2, ("b2", "a1")))
        assert (await playing).winner == 2


async def test_who_is_always_busy_loses() -> None:
    """Else a league would never end in which somebody says so whenever he is invited."""
    async with Scene() as scene:
        playing = scene.start()
        for _ in range(organiser.BUSY_TRIES):
            await scene.opened()
            scene.wire.say(is_busy())
        game = await playing
        assert (game.winner, game.reason, game.faulty) == (1, "abandoned", "Bob")


async def test_a_game_that_has_begun_does_not_wait_for_who_came_back_as_another() -> None:
    """It is played again, once: whoever starts his bot again is cut off, and not better off."""
    async with Scene() as scene:
        playing = scene.start()
        await scene.opened()
        await asyncio.sleep(1)
        scene.organiser.release(scene.bots[1], is_gone=True)
        terminate = await scene.heard(Terminate)
        scene.wire.say(Ok(terminate.id), report("aborted", moves=("b2", "a1")))
        with pytest.raises(CutOffError) as raised:
            await playing
        assert raised.value.name == "Bob"
