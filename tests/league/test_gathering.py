"""Leagues of other people's bots: who comes, who comes late, who goes; and the whole thing with real processes."""

import asyncio
import re
import signal
import subprocess
import time
from collections.abc import Callable, Collection, Generator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest
from msgspec import UNSET

from client.connection import Client
from league.commands.arrivals import Arrivals
from league.config import LeagueBot
from league.executors.base import CutOffError, ReplacedError, VoidError
from league.executors.organiser import Organiser
from league.gathering import MOST_RENEWALS, Gathering, OpenRunner
from league.history.inbox import Answer, Question
from league.history.log import Log, load
from league.history.season import Season, begin
from league.history.verification import verify
from league.played import Job, Played
from protocol.messages import Entrant, Player
from tests.league.fakes import league, play
from tests.league.processes import ARBITRE, played, started


class Guests:
    """Stands in for a Gathering: bots come and go as the test says; games are decided by a coin.

    patient: those who are waited for without an end.
    """

    def __init__(self) -> None:
        self.code = "BATOMI"
        self.changed = asyncio.Event()
        self.here: dict[str, bool] = {}
        self.jobs: list[str] = []
        self.playing: set[str] = set()
        self.hold = asyncio.Event()
        self.hold.set()
        self.voids: list[str] = []
        self.cuts: list[str] = []
        self.replayed: list[tuple[str, ...]] = []
        self.patient: set[str] = set()
        self.barred: set[str] = set()
        self.aliases: dict[str, str] = {}

    def rule(self, aliases: Mapping[str, str], barred: Collection[str], freed: Sequence[Sequence[str]] = ()) -> None:
        del freed
        self.here = {aliases.get(name, name): here for name, here in self.here.items()}
        self.aliases, self.barred = dict(aliases), set(barred)

    def come(self, *names: str) -> None:
        self.here.update(dict.fromkeys(names, True))
        self.changed.set()

    def go(self, name: str) -> None:
        self.here[name] = False
        self.changed.set()

    def present(self) -> list[str]:
        return [name for name, here in self.here.items() if here and name not in self.barred]

    def is_here(self, name: str) -> bool:
        return self.here.get(name, False)

    def gone_for(self, name: str) -> float:
        return 0.0 if self.is_here(name) or name in self.patient else 1000.0

    def cut_off(self, cut: CutOffError) -> None:
        assert cut.seconds == 120.0

    async def play(self, job: Job) -> tuple[Played, ...]:
        names = {self.aliases.get(entry.name, entry.name) for entry in job.players}
        assert not names & self.playing, "a bot plays two games at once"
        assert all(map(self.is_here, names))
        self.playing |= names
        await self.hold.wait()
        for _ in range(3):
            await asyncio.sleep(0)
        self.playing -= names
        self.replayed.append(job.replayed)
        if self.cuts and self.cuts[-1] in names and self.cuts[-1] not in job.replayed:
            raise CutOffError("cut off", name=self.cuts.pop(), pairing=job.pairing, number=1, seconds=120.0)
        if self.voids and self.voids[-1] in names:
            raise VoidError(self.voids.pop())
        self.jobs.append(job.pairing)
        return tuple(play(job, number) for number in (1, 2))


@contextmanager
def opened(
    folder: Path, guests: Guests, tell: Callable[[Season], None] | None = None, **changes: object
) -> Generator[OpenRunner]:
    folder.mkdir(exist_ok=True)
    with Log(folder) as log:
        if not log.entries:
            log.append(begin(league(0, **changes), [], folder))
        yield OpenRunner(log, guests, tell, absent_s=100.0)  # type: ignore[arg-type]  # a fake


def met(season: Season) -> set[frozenset[str]]:
    return {frozenset((game.first, game.second)) for game in season.games}


async def turns(count: int = 30) -> None:
    for _ in range(count):
        await asyncio.sleep(0)


async def test_it_begins_when_it_is_told_to_and_all_meet(tmp_path: Path) -> None:
    guests = Guests()
    with opened(tmp_path / "x", guests) as runner:
        task = asyncio.create_task(runner.run())
        guests.come("Ada", "Bob", "Cleo")
        await turns()
        assert list(runner.season.bots) == ["Ada", "Bob", "Cleo"]
        assert not guests.jobs
        runner.begin.set()
        await asyncio.wait_for(task, 10)
        assert len(met(runner.season)) == 3
    assert verify(load(tmp_path / "x")) == ([], 6)
    assert Season.of(load(tmp_path / "x")).code == "BATOMI"


async def test_the_code_is_logged_before_the_league_runs_and_once(tmp_path: Path) -> None:
    """Whoever was told it finds the league under it, also if this process is killed at once."""
    guests = Guests()
    with opened(tmp_path / "x", guests) as runner:
        runner.note_code()
        assert Season.of(load(tmp_path / "x")).code == "BATOMI"
        task = asyncio.create_task(runner.run())
        await turns()
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
    assert [entry.kind for entry in load(tmp_path / "x")].count("opened") == 1


async def test_who_comes_late_meets_everybody(tmp_path: Path) -> None:
    guests = Guests()
    with opened(tmp_path / "x", guests) as runner:
        guests.come("Ada", "Bob", "Cleo")
        runner.begin.set()
        task = asyncio.create_task(runner.run())
        await turns(8)
        assert not task.done()
        guests.come("Dan")
        await asyncio.wait_for(task, 10)
        assert len(met(runner.season)) == 6
    assert verify(load(tmp_path / "x"))[0] == []


async def test_a_game_that_was_nobody_s_is_played_again(tmp_path: Path) -> None:
    guests = Guests()
    guests.voids = ["Ada", "Ada", "Cleo"]
    with opened(tmp_path / "x", guests) as runner:
        guests.come("Ada", "Bob", "Cleo")
        runner.begin.set()
        await asyncio.wait_for(runner.run(), 10)
        assert guests.voids == []
        assert sorted(guests.jobs) == sorted(pairing.id for pairing in runner.season.schedule.pairings)
    assert verify(load(tmp_path / "x")) == ([], 6)


async def test_a_game_that_is_played_again_since_somebody_was_cut_off_is_in_the_log(tmp_path: Path) -> None:
    guests = Guests()
    guests.cuts = ["Ada"]
    with opened(tmp_path / "x", guests) as runner:
        guests.come("Ada", "Bob")
        runner.begin.set()
        await asyncio.wait_for(runner.run(), 10)
    assert guests.replayed == [(), ("Ada",)]
    entries = load(tmp_path / "x")
    (again,) = [entry.data for entry in entries if entry.kind == "replayed"]
    assert (again["name"], again["number"], again["seconds"]) == ("Ada", 1, 120.0)
    assert verify(entries) == ([], 2)


async def test_that_somebody_was_cut_off_once_is_known_to_a_league_that_was_stopped(tmp_path: Path) -> None:
    guests = Guests()
    guests.cuts = ["Ada"]
    with opened(tmp_path / "x", guests) as runner:
        guests.come("Ada", "Bob")
        runner.begin.set()
        task = asyncio.create_task(runner.run())
        while not guests.replayed:  # noqa: ASYNC110 - a turn of the loop, not a while of time
            await asyncio.sleep(0)
        guests.hold.clear()
        await turns(10)
        task.cancel()
        await asyncio.wait([task])
    season = Season.of(load(tmp_path / "x"))
    assert [job.replayed for job in season.due((), 9)] == [("Ada",)]


async def test_who_was_cut_off_is_waited_for_from_then_on() -> None:
    now = [0.0]
    gathering = Gathering("ws://nowhere", league(0), code="BATOMI", clock=lambda: now[0])
    told: list[str] = []
    gathering._tell = told.append
    entered(gathering, "Ada")
    entered(gathering, "Bob")
    entered(gathering, "Ada", present=False)
    now[0] = 120.0
    assert gathering.gone_for("Ada") == 120.0
    gathering.cut_off(CutOffError("Ada was cut off", name="Ada", pairing="1", number=1, seconds=118.0))
    assert gathering.gone_for("Ada") == 0.0
    assert told == ["Ada was cut off"]


async def test_who_is_gone_is_withdrawn_once_nothing_else_is_left(tmp_path: Path) -> None:
    guests = Guests()
    with opened(tmp_path / "x", guests) as runner:
        guests.come("Ada", "Bob", "Cleo", "Dan")
        task = asyncio.create_task(runner.run())
        await turns(3)
        guests.go("Dan")
        runner.begin.set()
        await asyncio.wait_for(task, 10)
        assert runner.season.out == {"Dan": "withdrawn"}
        assert len(met(runner.season)) == 3
    assert verify(load(tmp_path / "x"))[0] == []


@pytest.mark.parametrize("format_", ["round-robin", "swiss"])
async def test_who_was_withdrawn_and_comes_back_plays_on(tmp_path: Path, format_: str) -> None:
    """Dan is withdrawn while Cleo is waited for. Back, he meets all whom he can; the host reads of both."""
    guests = Guests()
    said: list[str] = []
    rounds = {"round-robin": 1, "swiss": 3}[format_]
    arrivals = Arrivals(guests, said.append, None, Season(league(0)))  # type: ignore[arg-type]  # a fake
    with opened(tmp_path / "x", guests, arrivals.look, format=format_, rounds=rounds) as runner:
        guests.come("Ada", "Bob", "Cleo", "Dan")
        task = asyncio.create_task(runner.run())
        await turns(3)
        guests.go("Dan")
        guests.go("Cleo")
        guests.patient.add("Cleo")
        runner.begin.set()
        await turns(60)
        assert runner.season.out == {"Dan": "withdrawn"}
        assert sum(row.bye_halves for row in runner.season.standings().rows) > 0
        guests.come("Dan")
        await turns(60)
        assert not runner.season.out
        guests.come("Cleo")
        await asyncio.wait_for(task, 10)
        season = runner.season
    assert len([game for game in season.games if "Dan" in (game.first, game.second)]) == 6
    assert all(row.bye_halves == 0 for row in season.standings().rows)
    entries = load(tmp_path / "x")
    assert verify(entries) == ([], 12)
    assert Season.of(entries).as_json() == season.as_json()
    assert said[-2:] == [
        "Dan was away for too long: withdrawn until it comes back.", "Dan is back, and takes part again.",
    ]  # fmt: skip


@pytest.mark.parametrize("format_", ["swiss", "knockout"])
async def test_rounds_wait_for_their_last_pairing(tmp_path: Path, format_: str) -> None:
    guests = Guests()
    with opened(tmp_path / "x", guests, format=format_) as runner:
        guests.come("Ada", "Bob", "Cleo", "Dan", "Eve")
        task = asyncio.create_task(runner.run())
        await turns(3)
        runner.begin.set()
        await asyncio.wait_for(task, 10)
        assert runner.season.finished
    assert verify(load(tmp_path / "x"))[0] == []


async def test_nobody_is_missed_while_everybody_is_away() -> None:
    """All lose the network for an hour; who is back first does not have the others withdrawn at once."""
    now = [1000.0]
    gathering = Gathering("ws://nowhere", league(0), code="BATOMI", clock=lambda: now[0])

    def hear(name: str, *, present: bool) -> None:
        gathering._hear(Entrant("BATOMI", Player(name, "bot", present)))

    hear("Ada", present=True)
    hear("Bob", present=True)
    hear("Bob", present=False)
    now[0] += 50
    assert [gathering.gone_for(name) for name in ("Ada", "Bob", "Eve")] == [0, 50, 50]
    hear("Ada", present=False)
    now[0] += 3600
    assert [gathering.gone_for(name) for name in ("Ada", "Bob", "Eve")] == [0, 0, 0]
    hear("Ada", present=True)
    now[0] += 10
    assert [gathering.gone_for(name) for name in ("Ada", "Bob", "Eve")] == [0, 10, 10]
    hear("Eve", present=True)
    now[0] += 10
    assert [gathering.gone_for(name) for name in ("Ada", "Bob", "Eve")] == [0, 20, 0]


async def ruled(folder: Path, kind: str, **data: object) -> Answer:
    """What the runner of the league answers to a decision."""
    with Question(folder, kind, data) as look:
        for _ in range(500):
            if (answer := look()) is not None:
                return answer
            await asyncio.sleep(0.01)
    raise AssertionError("no answer came")


async def test_what_is_decided_while_it_is_played_holds_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Dan is kicked, Eve gets another name while she plays, Cleo turns out to be Ada."""
    monkeypatch.setattr("league.gathering.LOOK_S", 0.02)
    folder, guests = tmp_path / "x", Guests()
    with opened(folder, guests, games_per_pair=20) as runner:
        guests.come("Ada", "Bob", "Cleo", "Dan", "Eve")
        runner.begin.set()
        guests.hold.clear()
        task = asyncio.create_task(runner.run())
        await turns()
        assert guests.playing
        for kind, data in (
            ("kicked", {"name": "dan", "annul": False}),
            ("renamed", {"old": "Eve", "new": "Eva"}),
            ("merged", {"name": "Cleo", "into": "Ada"}),
        ):
            assert (await ruled(folder, kind, **data)).data is not None
        refused = await ruled(folder, "kicked", name="Zoé", annul=False)
        assert refused.data is None
        assert refused.refusal == "Nobody in this league is called Zoé. There are: Ada, Bob, Dan, Eva"
        assert (await ruled(folder, "shot", name="Bob")).refusal
        assert (await ruled(folder, "kicked", name=7)).refusal
        guests.hold.set()
        await asyncio.wait_for(task, 20)
        season = runner.season
    assert (guests.barred, guests.aliases) == ({"Dan"}, {"Eve": "Eva", "Cleo": "Ada"})
    assert set(season.bots) == {"Ada", "Bob", "Dan", "Eva"}
    assert season.out == {"Dan": "kicked"}
    for pair in (("Ada", "Bob"), ("Ada", "Eva"), ("Bob", "Eva")):
        assert len([game for game in season.games if {game.first, game.second} == set(pair)]) >= 20
    entries = load(folder)
    assert verify(entries) == ([], len(season.games))
    assert Season.of(entries).as_json() == season.as_json()


async def test_a_bot_that_plays_under_its_old_name_plays_no_second_game(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever is renamed is busy as long as the game lasts, though one who is free waits."""
    monkeypatch.setattr("league.gathering.LOOK_S", 0.02)
    folder, guests = tmp_path / "x", Guests()
    with opened(folder, guests, games_per_pair=4) as runner:
        guests.come("Ada", "Bob", "Cleo", "Dan", "Eve")
        runner.begin.set()
        guests.hold.clear()
        task = asyncio.create_task(runner.run())
        await turns()
        busy = set(guests.playing)
        assert len(busy) == 4
        assert (await ruled(folder, "renamed", old=min(busy), new="Anna")).data
        await turns()
        assert guests.playing == busy
        guests.hold.set()
        await asyncio.wait_for(task, 20)
        assert "Anna" in runner.season.bots
        assert len(runner.season.games) == 40
    assert verify(load(folder))[0] == []


async def test_a_question_to_a_process_that_is_gone_is_not_answered_by_the_next(tmp_path: Path) -> None:
    folder, guests = tmp_path / "x", Guests()
    folder.mkdir()
    with (
        Question(folder, "kicked", {"name": "Ada", "annul": False}),
        opened(folder, guests, roster=("Ada", "Bob")) as runner,
    ):
        guests.come("Ada", "Bob")
        runner.begin.set()
        await asyncio.wait_for(runner.run(), 10)
        assert not runner.season.barred
    assert not list((folder / "asked").iterdir())


def entered(gathering: Gathering, name: str, entry: str | None = None, *, present: bool = True) -> None:
    gathering._hear(Entrant("BATOMI", Player(name, "bot", present), entry or UNSET))


async def test_who_comes_in_is_known_by_the_name_that_counts() -> None:
    """By the roster, not by the session; by the new name; and of two that are one, the last who is there."""
    now = [0.0]
    gathering = Gathering("ws://nowhere", league(0), code="BATOMI", codes={}, clock=lambda: now[0])
    client = Client("ws://nowhere", name="x", kind="human")
    gathering._organiser = Organiser(client, league(0))
    for name, entry in (("bot", "Ada"), ("bot 2", "Bob"), ("bot 3", "Cleo")):
        now[0] += 1
        entered(gathering, name, entry)
    assert gathering.present() == ["Ada", "Bob", "Cleo"]
    assert gathering.guests["Bob"].name == "bot 2"
    entered(gathering, "bot 4", "Bob")
    assert gathering.guests["Bob"].name == "bot 4"
    gathering.rule({"Ada": "Anna", "Cleo": "Bob"}, ())
    assert gathering.present() == ["Anna", "Bob"]
    assert gathering.guests["Bob"].name in ("bot 3", "bot 4")
    now[0] += 1
    entered(gathering, "bot 3", "Cleo", present=False)
    assert (gathering.is_here("Bob"), gathering.guests["Bob"].name) == (True, "bot 4")
    entered(gathering, "bot 4", "Bob", present=False)
    assert not gathering.is_here("Bob")
    gathering.code = ""  # nothing is said to a server that is not there
    gathering.rule({"Ada": "Anna"}, ("Anna",))
    assert gathering.present() == []


async def test_a_game_that_is_void_costs_no_other_of_its_pairing() -> None:
    """Who has lost the first game, and comes in again from elsewhere, has lost it."""
    gathering = Gathering("ws://nowhere", league(0), code="BATOMI")
    entered(gathering, "Ada")
    entered(gathering, "Bob")
    job = Job("1.1.1", (LeagueBot("Ada"), LeagueBot("Bob")), (), "7")
    asked: list[int] = []

    class Once:
        """An organiser whose second game is void, once."""

        async def play(self, job: Job, number: int, contestants: Sequence[object]) -> Played:
            asked.append(number)
            if asked == [1, 2]:
                raise VoidError("void")
            return play(job, number)

    gathering._organiser = Once()  # type: ignore[assignment]  # a fake
    with pytest.raises(VoidError):
        await gathering.play(job)
    assert [game.number for game in await gathering.play(job)] == [1, 2]
    assert asked == [1, 2, 2]


async def test_who_enters_anew_before_every_game_loses_it_in_the_end() -> None:
    """Else a pairing is never played, never lost, and the league never over."""
    gathering = Gathering("ws://nowhere", league(0), code="BATOMI")
    organiser = gathering._organiser = Organiser(Client("ws://nowhere", name="x", kind="human"), league(0))
    entered(gathering, "Ada")
    entered(gathering, "Bob")
    job = Job("1.1.1", (LeagueBot("Ada"), LeagueBot("Bob")), (), "7")

    async def replaced(_job: Job, number: int, _contestants: Sequence[object]) -> Played:
        if number == 2:
            return play(job, number)
        raise ReplacedError("void", seats=[2])

    organiser.play = replaced  # type: ignore[method-assign,assignment]  # a fake
    for _ in range(MOST_RENEWALS):
        with pytest.raises(VoidError):
            await gathering.play(job)
    first, second = await gathering.play(job)
    assert (first.winner, first.reason) == (1, "abandoned")
    assert second == play(job, 2)


async def test_a_league_that_was_stopped_goes_on_at_once(tmp_path: Path) -> None:
    guests = Guests()
    with opened(tmp_path / "x", guests) as runner:
        guests.come("Ada", "Bob", "Cleo")
        runner.begin.set()
        task = asyncio.create_task(runner.run())
        await turns(8)
        assert 0 < len(runner.season.games) < 6
        finished = {game.pairing for game in runner.season.games}
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
    again = Guests()
    with opened(tmp_path / "x", again) as runner:
        again.come("Ada", "Bob", "Cleo")
        await asyncio.wait_for(runner.run(), 10)
        assert not finished & set(again.jobs)
        assert len(met(runner.season)) == 3


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGINT])
@pytest.mark.slow
def test_a_classroom(tmp_path: Path, number: signal.Signals) -> None:
    """A real server, real bots that enter with the code; the teacher's process is ended in the middle, and goes on."""
    (tmp_path / "class.toml").write_text(
        '[league]\nname = "Classe"\ngame = "morpion"\nclock = "none"\nopenings = "two-ply"\ngames_per_pair = 10\n',
        encoding="utf-8",
    )
    with ExitStack() as stack:
        teacher, url, code = hosted(stack, tmp_path, "class.toml", 0)
        bots = [
            stack.enter_context(
                started([*ARBITRE, "--lang", "en", "bot", run, url, "--league", code, "--name", name], tmp_path)
            )
            for run, name in (("random", "Léa"), ("first", "Tom"), ("lookahead:ply=1", "Zoé"))
        ]
        while not played(tmp_path / "class"):
            time.sleep(0.05)
        teacher.send_signal(number)
        teacher.wait()
        again, _url, same = hosted(stack, tmp_path, "class", int(url.rpartition(":")[2]))
        assert same == code
        assert again.wait(60) == 0, again.stderr.read() if again.stderr else ""
        for bot in bots:
            assert bot.wait(20) == 0
            assert bot.stderr is not None
            *told, last = bot.stderr.read().splitlines()
            assert last == "The server has closed: the league is over."
            assert "is away" not in told[-1], "it does not wait for a server that has said farewell"
            games = [line for line in told if line.startswith("Game ")]
            assert len(games) >= 20, "a game that was not finished is played again"
            total = re.fullmatch(r"Game (\d+), against \w+\. .+ So far: \+(\d+) =(\d+) -(\d+)\.", games[-1])
            assert total is not None
            assert int(total[1]) == len(games) == sum(int(count) for count in total.groups()[1:])
    season = Season.of(load(tmp_path / "class"))
    assert season.finished
    assert len(season.games) == 30
    assert {row.name for row in season.standings().rows} == {"Léa", "Tom", "Zoé"}
    assert verify(load(tmp_path / "class"))[0] == []


def hosted(stack: ExitStack, folder: Path, what: str, port: int) -> tuple[subprocess.Popen[str], str, str]:
    """`league open`: its process, and the address and the code that it tells the pupils."""
    words = ["league", "open", what, "--bots", "3", "--host", "127.0.0.1", "--port", str(port)]
    process = stack.enter_context(started([*ARBITRE, "--lang", "en", *words], folder))
    assert process.stderr is not None
    for line in process.stderr:
        found = re.search(r"my_bot\.py (\S+) --league (\w+)", line)
        if found is not None:
            address = re.sub(r"^.*:", "", found[1])
            return process, f"ws://127.0.0.1:{address}", found[2]
    raise AssertionError("it did not say how to enter")
