"""A bot on a real server: invitations, many matches at once, failures that cost one match only, absent opponents."""

import asyncio
import random
import threading
import time
from collections.abc import AsyncGenerator, AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from dataclasses import dataclass, replace
from itertools import count
from pathlib import Path
from typing import ClassVar, Literal, TypeVar

import pytest
from msgspec import UNSET

from bots.base import BaseBot, Bot, BotSpec, BotSpecError, Budget, Family, NotReadyError, Options, parse_bot
from bots.running import runner as running_bots
from bots.running.process import connect
from bots.running.runner import BotRunner, RunSettings
from client.connection import Client
from client.errors import Refused
from games.base import Game, Position, Seat
from protocol.messages import (
    Clock,
    Create,
    Dismiss,
    Entrant,
    Finished,
    HostLeague,
    ListMatches,
    MakeMove,
    Moved,
    Offer,
    Rematched,
    RosterEntry,
    Snapshot,
    Started,
    Thought,
    YourTurn,
)
from protocol.values import personal_hash

NUMBERS = count()
PATIENCE_S = 5

M = TypeVar("M")


class Scripted(BaseBot):
    """A bot that does what a test says."""

    instant: ClassVar[bool] = True

    def __init__(self, play: Callable[[Position], object]) -> None:
        super().__init__()
        self._play = play

    def choose(self, position: Position, budget: Budget) -> str:
        del budget
        return self._play(position)  # type: ignore[return-value]  # a bot may answer anything


class Slow(Scripted):
    instant: ClassVar[bool] = False


class Waiting(Slow):
    """A bot like an engine: it has to start, which lasts until `started` is set."""

    waits: ClassVar[bool] = True
    starting: ClassVar[threading.Semaphore]
    started: ClassVar[threading.Event]

    def get_ready(self) -> None:
        self.starting.release()
        self.started.wait(PATIENCE_S)


def scripted(play: Callable[[Position], object], *, kind: type[Scripted] = Scripted) -> BotSpec:
    def make(game: Game, seat: Seat, rng: random.Random, options: Options) -> Bot:
        del game, seat, rng, options
        return kind(play)

    return BotSpec(Family("scripted", lambda: "", make))


def foreign(bot: BotSpec) -> BotSpec:
    """The same bot as one that runs a program of others."""
    return replace(bot, family=replace(bot.family, name="stdio"))


def first_move(position: Position) -> str:
    return position.legal_moves()[0]


@dataclass
class Run:
    """A bot that runs beside the test: `done` is over when it leaves by itself."""

    runner: BotRunner
    name: str
    complaints: list[str]
    done: asyncio.Task[None]


Running = Callable[..., AbstractAsyncContextManager[Run]]


@pytest.fixture
def running(server: str) -> Running:
    """Runs bots beside the test."""

    @asynccontextmanager
    async def run(
        bot: BotSpec,
        *,
        code: str | None = None,
        only: str | None = None,
        games: int | None = None,
        rematch: bool = False,
        league: str | None = None,
        personal: str | None = None,
        at_once: int | None = None,
    ) -> AsyncGenerator[Run]:
        complaints: list[str] = []
        client = await connect(server, f"bot{next(NUMBERS)}")
        settings = RunSettings(
            bot, "1", only, games, rematch=rematch, league=league, personal=personal, at_once=at_once
        )
        runner = BotRunner(client, settings, complaints.append)
        task = asyncio.create_task(runner.run(code))
        try:
            yield Run(runner, client.name, complaints, task)
        finally:
            await client.close()
            async with asyncio.timeout(PATIENCE_S):
                await asyncio.gather(task, return_exceptions=True)

    return run


@pytest.fixture
async def guest(server: str) -> AsyncIterator[Client]:
    async with asyncio.timeout(PATIENCE_S):
        async with Client(server, name=f"guest{next(NUMBERS)}", kind="human") as client:
            yield client


async def until(client: Client, kind: type[M]) -> M:
    """The next message of a kind; the moves that are asked for meanwhile are the first legal ones."""
    async for message in client.messages():
        if isinstance(message, kind):
            return message
        if isinstance(message, YourTurn):
            client.send(MakeMove, match=message.match, ply=message.ply, move=message.legal[0])
    raise AssertionError(f"no {kind.__name__} came")


async def anything(client: Client, kind: type[M]) -> M:
    """The next message of a kind; no move is made meanwhile."""
    async for message in client.messages():
        if isinstance(message, kind):
            return message
    raise AssertionError(f"no {kind.__name__} came")


async def challenge(
    client: Client, name: str, game: str = "morpion", seat: Literal["first", "second"] = "first"
) -> str:
    answer = await client.request(Create, game=game, seat=seat, invite=(name,))
    assert isinstance(answer.match, str)
    return answer.match


async def test_it_accepts_and_plays_to_the_end(guest: Client, running: Running) -> None:
    async with running(scripted(first_move), games=1) as bot:
        await challenge(guest, bot.name)
        finished = await until(guest, Finished)
        assert finished.result.reason == "line"
        await bot.done
    assert bot.complaints == []
    assert bot.runner.finished == 1


async def test_it_takes_its_seat_when_it_is_ready(guest: Client, running: Running) -> None:
    """The clock does not run while an engine starts, and the bot goes on living meanwhile."""
    Waiting.starting, Waiting.started = threading.Semaphore(0), threading.Event()
    async with running(scripted(first_move, kind=Waiting)) as bot:
        matches = [await challenge(guest, bot.name) for _ in range(2)]
        for _match in matches:
            assert await asyncio.to_thread(Waiting.starting.acquire, timeout=PATIENCE_S)
        listed = (await guest.request(ListMatches)).matches
        assert listed is not UNSET
        assert [match.status for match in listed if match.match in matches] == ["waiting"] * 2
        Waiting.started.set()
        for _finished in range(2):
            assert (await until(guest, Finished)).result.reason == "line"


class Placed(Slow):
    """A bot like an engine, which tells how many of its kind start and run at the same time."""

    waits: ClassVar[bool] = True
    counted: ClassVar[threading.Lock]
    starting: ClassVar[int]
    running: ClassVar[int]
    most: ClassVar[tuple[int, int]]
    failing: ClassVar[int]

    @classmethod
    def forget(cls, failing: int = 0) -> None:
        """Counts anew; the first `failing` of them don't come up in time."""
        cls.counted, cls.starting, cls.running, cls.most, cls.failing = threading.Lock(), 0, 0, (0, 0), failing

    def get_ready(self) -> None:
        with self.counted:
            Placed.starting, Placed.running = self.starting + 1, self.running + 1
            Placed.most = (max(self.most[0], self.starting), max(self.most[1], self.running))
            Placed.failing, fails = self.failing - 1, self.failing > 0
        time.sleep(0.01)
        with self.counted:
            Placed.starting = self.starting - 1
        if fails:
            raise NotReadyError("not in time")

    def close(self) -> None:
        with self.counted:
            Placed.running = self.running - 1


async def test_a_crowd_of_invitations_is_served_place_by_place(
    guest: Client, running: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No more programs start at a time than there are cores, none runs without a place, and nobody loses by it."""
    monkeypatch.setattr(running_bots, "cores", lambda: 2)
    Placed.forget()
    async with running(foreign(scripted(first_move, kind=Placed)), at_once=5) as bot:
        for _ in range(40):
            await challenge(guest, bot.name)
        for _ in range(40):
            assert (await until(guest, Finished)).result.reason == "line"
    starting, together = Placed.most
    assert 1 <= starting <= 2
    assert 1 <= together <= 5
    assert bot.complaints == []


@pytest.mark.parametrize(
    "matches", [pytest.param(25, marks=pytest.mark.slow), pytest.param(100, marks=pytest.mark.thorough)]
)
async def test_many_matches_at_once_of_a_real_file_are_all_played(
    server: str, running: Running, tmp_path: Path, matches: int
) -> None:
    """Real processes, on whatever this machine is doing besides: none is lost because it could not start in time."""
    file = tmp_path / "my_file.py"
    file.write_text("def choose(position):\n    return position.legal_moves()[-1]\n", encoding="utf-8")
    reasons: list[str] = []
    async with (
        asyncio.timeout(300),
        Client(server, name="crowd", kind="human") as client,
        running(parse_bot(str(file)), at_once=matches) as bot,
    ):
        for _ in range(matches):
            await challenge(client, bot.name)
        while len(reasons) < matches:
            result = (await until(client, Finished)).result
            if result.declined == "busy":
                await challenge(client, bot.name)
            else:
                reasons.append(result.reason)
    assert set(reasons) <= {"line", "full"}
    assert [text for text in bot.complaints if not text.startswith("More invitations")] == []


async def test_an_invitation_without_a_place_is_declined_as_busy(
    guest: Client, running: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(running_bots, "WAIT_S", 0.3)
    Placed.forget()
    async with running(foreign(scripted(first_move, kind=Placed)), at_once=1) as bot:
        await challenge(guest, bot.name)
        await anything(guest, Started)
        for _ in range(2):
            await challenge(guest, bot.name)
        for _ in range(2):
            result = (await anything(guest, Finished)).result
            assert (result.reason, result.declined) == ("aborted", "busy")
    assert [text.partition(":")[0] for text in bot.complaints] == ["More invitations than this machine has room for"]


@pytest.mark.parametrize(("failing", "starts"), [(0, 1), (1, 2), (2, 3)])
async def test_a_program_that_does_not_come_up_in_time_is_started_once_more(
    guest: Client, running: Running, failing: int, starts: int
) -> None:
    """On a busy machine nothing is lost by the first start; after the second the seat is taken, and the bot asked."""
    Placed.forget(failing)
    async with running(foreign(scripted(first_move, kind=Placed))) as bot:
        await challenge(guest, bot.name)
        assert (await until(guest, Finished)).result.reason == "line"
    assert Placed.failing == failing - starts


class Picky(Slow):
    """A bot that finds out, once it runs, that it plays on even boards only."""

    waits: ClassVar[bool] = True
    game: Game

    def get_ready(self) -> None:
        if self.game.width % 2:
            raise BotSpecError("not on odd boards")


async def test_what_it_turns_out_not_to_play_is_declined_with_the_reason(guest: Client, running: Running) -> None:
    def make(game: Game, seat: Seat, rng: random.Random, options: Options) -> Bot:
        del seat, rng, options
        bot = Picky(first_move)
        bot.game = game
        return bot

    async with running(BotSpec(Family("picky", lambda: "", make))) as bot:
        await challenge(guest, bot.name, "puissance4")
        assert (await until(guest, Finished)).result.reason == "aborted"
        assert bot.complaints == ["not on odd boards"]
        await challenge(guest, bot.name, "puissance4:width=6")
        assert (await until(guest, Finished)).result.reason == "line"
    assert len(bot.complaints) == 1


async def test_many_matches_at_once_and_then_it_leaves(guest: Client, running: Running) -> None:
    async with running(scripted(first_move), games=30) as bot:
        for number in range(30):
            await challenge(guest, bot.name, ("othello:size=4", "puissance4", "morpion")[number % 3])
        for _finished in range(30):
            await until(guest, Finished)
        await bot.done
        assert bot.runner.finished == 30


async def test_games_that_it_does_not_play_are_declined(guest: Client, running: Running) -> None:
    async with running(parse_bot("minimax:eval=discs"), only="othello") as bot:
        for game in ("morpion", "puissance4"):
            await challenge(guest, bot.name, game)
            finished = await until(guest, Finished)
            assert finished.result.reason == "aborted"
        await challenge(guest, bot.name, "othello:size=4")
        await until(guest, Started)


async def test_it_joins_by_code(guest: Client, running: Running) -> None:
    answer = await guest.request(Create, game="morpion", public=False)
    async with running(scripted(first_move), code=str(answer.code)):
        await until(guest, Finished)


async def test_a_code_that_nobody_gave(server: str) -> None:
    async with Client(server, name=f"lost{next(NUMBERS)}", kind="bot") as client:
        runner = BotRunner(client, RunSettings(scripted(first_move), "1"), lambda text: None)
        with pytest.raises(Refused):
            await runner.run("ZZZZ")


@pytest.mark.parametrize("kind", [Scripted, Slow])
@pytest.mark.parametrize(
    ("fault", "words"),
    [("e9", ["e9"]), (None, ["None"]), (7, ["7"]), (ValueError("no idea"), ["ValueError", "no idea"])],
)
async def test_a_fault_loses_that_match_and_no_other(
    guest: Client, running: Running, kind: type[Scripted], fault: object, words: list[str]
) -> None:
    faults = iter([fault])

    def play(position: Position) -> object:
        answer = next(faults, None) or first_move(position)
        if isinstance(answer, Exception):
            raise answer
        return answer

    if fault is None:
        answers: list[object] = [None]

        def play(position: Position) -> object:
            return answers.pop() if answers else first_move(position)

    async with running(scripted(play, kind=kind)) as bot:
        await challenge(guest, bot.name)
        finished = await until(guest, Finished)
        assert finished.result.reason == ("crash" if isinstance(fault, Exception) else "illegal")
        assert finished.result.winner == 1
        await challenge(guest, bot.name)
        again = await until(guest, Finished)
        assert again.result.reason == "line"
    assert len(bot.complaints) == 1
    for word in (*words, "X-------- O", "b1 c1", finished.match):
        assert word in bot.complaints[0]


async def test_offers_are_declined(guest: Client, running: Running) -> None:
    async with running(scripted(first_move)) as bot:
        match = await challenge(guest, bot.name)
        await until(guest, YourTurn)
        await guest.request(Offer, match=match, what="draw")
        async for message in guest.messages():
            if message.__class__.__name__ == "Declined":
                break


@pytest.mark.parametrize("accepts", [True, False])
async def test_a_rematch_only_if_it_was_told_so(guest: Client, running: Running, *, accepts: bool) -> None:
    async with running(scripted(first_move), rematch=accepts) as bot:
        match = await challenge(guest, bot.name)
        await until(guest, Finished)
        if accepts:
            await guest.request(Offer, match=match, what="rematch")
            await until(guest, Rematched)
            await until(guest, Finished)
        else:
            with suppress(Refused):  # refused if the bot has left the table by now
                await guest.request(Offer, match=match, what="rematch")
            await challenge(guest, bot.name)
            await until(guest, Finished)
            assert guest.session.matches[match].next is None


async def test_it_claims_when_the_opponent_stays_away(server: str, running: Running) -> None:
    async with asyncio.timeout(PATIENCE_S):
        async with running(scripted(first_move), games=1) as bot:
            leaver = await Client(server, name=f"leaver{next(NUMBERS)}", kind="human").__aenter__()
            await challenge(leaver, bot.name, "othello")
            for _turn in range(3):
                turn = await until(leaver, YourTurn)
                leaver.send(MakeMove, match=turn.match, ply=turn.ply, move=turn.legal[0])
            await leaver.close()
            await bot.done


async def test_spectators_hear_what_it_thinks(guest: Client, running: Running) -> None:
    async with (
        running(parse_bot("minimax:depth=2")) as first,
        running(scripted(first_move)) as second,
    ):
        await guest.request(
            Create,
            game="morpion",
            seat="first",
            play=False,
            invite=(first.name, second.name),
            clock=Clock(initial_ms=60_000),
        )
        thought = await until(guest, Thought)
        assert thought.seat == 1
        assert thought.depth == 2
        moved = await until(guest, Moved)
        assert thought.pv[0] == moved.move


async def test_the_seed_decides_the_moves_however_games_interleave(guest: Client, running: Running) -> None:
    async def games(at_once: int) -> list[tuple[str, ...]]:
        async with running(parse_bot("random")) as one, running(parse_bot("random")) as two:
            matches: list[str] = []
            moves: dict[str, tuple[str, ...]] = {}
            while len(moves) < 6:
                while len(matches) < 6 and len(matches) - len(moves) < at_once:
                    names = (one.name, two.name)
                    answer = await guest.request(Create, game="morpion", seat="first", play=False, invite=names)
                    matches.append(str(answer.match))
                finished = await until(guest, Finished)
                moves[finished.match] = guest.session.matches[finished.match].moves
            return [moves[match] for match in matches]

    assert await games(1) == await games(6)


async def test_a_match_with_a_seed_is_the_same_whenever_it_is_played(guest: Client, running: Running) -> None:
    async def games(seeds: tuple[str, ...]) -> dict[str, tuple[str, ...]]:
        async with running(parse_bot("random")) as one, running(parse_bot("random")) as two:
            played = {}
            for seed in seeds:
                names = (one.name, two.name)
                answer = await guest.request(
                    Create, game="othello:size=6", seat="first", play=False, invite=names, opening=("b3",), seed=seed
                )
                await until(guest, Finished)
                played[seed] = guest.session.matches[str(answer.match)].moves
            return played

    there, back = await games(("1:a", "1:b", "2")), await games(("2", "1:b", "1:a"))
    assert there == back
    assert len(set(there.values())) == 3
    assert {moves[0] for moves in there.values()} == {"b3"}


async def test_names_that_are_taken_get_a_number(server: str) -> None:
    name = f"a long name {next(NUMBERS):>010}xx"
    clients = [await connect(server, name) for _ in range(3)]
    assert [client.name for client in clients][:2] == [name, f"{name[:22]} 2"]
    assert clients[2].name.endswith(" 3")
    for client in clients:
        await client.close()


async def test_a_snapshot_is_enough_to_go_on(guest: Client, running: Running) -> None:
    """The bot knows the position from the snapshot that answers its join, not from having seen every event."""
    async with running(scripted(first_move)) as bot:
        await challenge(guest, bot.name, seat="second")
        await until(guest, Snapshot)
        await until(guest, Finished)


async def test_sent_away_it_ends_its_games_and_leaves(guest: Client, running: Running) -> None:
    """Also when the connection was lost in between: it does not enter again."""
    code = (await guest.request(HostLeague)).code
    assert isinstance(code, str)
    async with running(scripted(first_move), league=code) as bot:
        entrant = await until(guest, Entrant)
        match = await challenge(guest, bot.name, seat="second")
        await guest.request(Dismiss, code=code, name=entrant.player.name)
        finished = await until(guest, Finished)
        assert (finished.match, finished.result.reason) == (match, "line")
        await bot.done
        assert bot.complaints == ["Whoever runs the league has sent this bot away."]


async def test_whoever_has_the_personal_code_last_plays(guest: Client, running: Running) -> None:
    opened = (await guest.request(HostLeague, roster=())).code
    assert isinstance(opened, str)
    await guest.request(HostLeague, code=opened, roster=(RosterEntry("Ada", personal_hash(opened, "bidule")),))
    async with running(scripted(first_move), league=opened, personal="bidule") as one:
        assert (await until(guest, Entrant)).entry == "Ada"
        async with running(scripted(first_move), league=opened, personal="BIDULE") as two:
            await one.done
            entrant = await until(guest, Entrant)
            assert (entrant.player.name, entrant.replaced) == (two.name, one.name)
            assert "tell whoever runs the league" in one.complaints[0]
            await guest.request(Dismiss, code=opened)
            await two.done
            assert two.complaints == ["The league is over."]
    async with running(scripted(first_move), league=opened) as three:
        with pytest.raises(Refused, match="no_such_league"):
            await three.done
