"""Leagues for the bots of others: they enter with a code, from whatever machine, and are paired once they are free.

A bot plays one game at a time. A bot that comes late joins the schedule. One that has gone is waited for; if nothing is
left to play without it, it is withdrawn until it comes back. A bot that was kicked stays out.

A bot enters under a name: the one on the roster that its personal code stands for, or, without a roster, its session's
name. The organiser may have decided since that another name counts for it. The server knows whom a name belongs to;
that is kept here, too, for a server that has forgotten it.

Errors: ExecutorError    the server is gone
"""

import asyncio
import math
import time
from collections import Counter
from collections.abc import Callable, Collection, Coroutine, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from msgspec import UnsetType

from client import explanations
from client.arrival import arrive
from client.connection import Incoming
from client.errors import ClientError, Refused, Unreadable
from league.config import League, LeagueBot, presentable
from league.executors.base import CutOffError, ExecutorError, ReplacedError, RunError, VoidError
from league.executors.local import end
from league.executors.organiser import Contestant, Elsewhere, Organiser
from league.executors.resource import Resource
from league.history.keys import KeyBook
from league.history.log import Log, LogEntry
from league.history.season import RULINGS, Season
from league.played import Job, Played
from league.roster import Codes, entries
from league.runner import LOOK_S, Ledger
from league.showing import Showing
from locales import _
from protocol.errors import ErrorCode
from protocol.messages import (
    BoundName,
    Dismiss,
    Entrant,
    EntryRefused,
    HostLeague,
    Network,
    Ok,
    Player,
    Roster,
    Welcome,
)

ABSENT_S = 120.0
"""How long a bot that is gone is waited for when nothing else is left to play."""

MOST_RENEWALS = 10
"""How often a bot may enter the league anew, from elsewhere, before a game of it begins; then it loses that game."""

SAID_EVERY_S = 10.0
"""The host is told that a bot has entered once more at most this often."""

HANDED_OVER = 64
"""The most bindings of names in one message."""

Running = dict["asyncio.Task[tuple[Played, ...]]", Job]
"""The pairings that are being played."""


@dataclass(eq=False)
class Guest:
    """A bot of somebody else: connected or not since `since` (monotonic seconds).

    door: the name under which it entered. name: its session's name on the server. rtt_ms: the round trip, once
    measured.
    """

    door: str
    name: str
    present: bool
    since: float
    rtt_ms: int | None = None
    ended: "asyncio.Future[Any]" = field(default_factory=lambda: asyncio.get_running_loop().create_future())

    @property
    def last_words(self) -> str:
        """What it says stays on its own machine."""
        return ""


class Gathering(Resource):
    """The bots that have entered a league on the server at `url`, as an async context manager.

    code: the code of an earlier opening of this league. Without one, or if the server does not know it as ours, a new
    one is drawn. codes: the personal codes of the roster, None if everybody may enter. secret: the organisers' secret,
    if we have it: then games of bots that are gone can be ended at once. kept: the file for the token that the code
    belongs to. book: whom names belong to. tell: is called with sentences for whoever runs the league. on_refused: is
    called when somebody wanted a name that is not theirs. showing: shows the league on the server's page. changed: is
    set whenever somebody comes or goes. Entering raises ExecutorError.
    """

    def __init__(  # noqa: PLR0913 - one keyword for each thing that a test or a command decides
        self,
        url: str,
        league: League,
        *,
        code: str | None = None,
        codes: Codes | None = None,
        secret: str | None = None,
        kept: Path | None = None,
        book: KeyBook | None = None,
        tell: Callable[[str], None] | None = None,
        showing: Showing | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        super().__init__()
        self.code = code or ""
        self.guests: dict[str, Guest] = {}
        self.changed = asyncio.Event()
        self._url = url
        self._league = league
        self._codes = codes
        self._secret = secret
        self._kept = kept
        self._showing = showing
        self._tell = tell or (lambda _text: None)
        self.on_refused: Callable[[EntryRefused], None] = lambda _refusal: None
        self._book = book or KeyBook(None, self._tell)
        self._freed: Sequence[Sequence[str]] = ()
        self._freeing = asyncio.Lock()
        self._is_open = False
        self._doors: dict[str, Guest] = {}
        self._aliases: Mapping[str, str] = {}
        self._barred: Collection[str] = ()
        self._begun: dict[str, list[Played]] = {}  # the games of a pairing that are over, until all are
        self._tasks: set[asyncio.Task[None]] = set()
        self._renewals: Counter[tuple[str, int, str]] = Counter()  # by pairing, number of the game, and player
        self._replaced_at: dict[str, float] = {}  # when we last said that they have entered once more
        self._clock = clock
        self._peopled = clock()  # since when somebody is here

    async def _start(self) -> None:
        name = presentable(self._league.name, "league")
        arrival = arrive(self._url, name, "human", organiser=self._secret, kept=self._kept)
        self._client = (await self._stack.enter_async_context(arrival)).client
        elsewhere = Elsewhere(self._network(), self._is_connected)
        self._organiser = Organiser(self._client, self._league, self._hear, elsewhere)
        self._stack.push_async_callback(end, asyncio.create_task(self._organiser.run()))
        await self._host()
        if self._showing is not None and self._server_has("scoreboard"):
            self._organiser.on_change = self._showing.changed
            work = self._showing.run(self._client, lambda: self._organiser.playing)
            self._stack.push_async_callback(end, asyncio.create_task(work))

    def _server_has(self, feature: str) -> bool:
        welcome = self._client.session.welcome
        return welcome is not None and feature in welcome.features

    def _meaning(self, error: BaseException) -> Exception | None:
        return ExecutorError(explanations.explain(error)) if isinstance(error, ClientError) else None

    async def _host(self) -> None:
        """Opens the league, or takes it over again, and says who may enter. Raises ClientError."""
        earlier = self.code
        for doors in self._freed[self._book.carried :]:
            self._book.drop(doors)
        try:
            if not earlier:
                await self._open()
            elif self._codes is None:
                await self._ask_to_host(earlier)
            else:
                await self._send_roster()
        except Refused as refused:
            if refused.code != ErrorCode.NO_SUCH_LEAGUE.value or not earlier:
                raise
            await self._open()
            text = _("The server does not know the code {old} as ours (any more): the league's code is {code} now.")
            self._tell(text.format(old=earlier, code=self.code))
        await self._free()
        self._book.save()
        self._is_open = True

    async def _open(self) -> None:
        """Opens the league under a new code; with a roster, nobody can enter before the roster is sent."""
        answer = await self._ask_to_host(None, None if self._codes is None else ())
        if not isinstance(answer.code, str):
            raise Unreadable("ok: field `code` is missing")
        self.code = answer.code
        if self._codes is not None:
            await self._send_roster()

    async def _ask_to_host(self, code: str | None, roster: Roster | None = None) -> Ok:
        """Opens the league, or takes it over; hands over whom names belong to, in as many messages as needed.

        The first message, which draws the code, has bindings already: so nobody can take those names first.
        """
        bound = list(self._book.bound.values())
        answer = await self._client.ask(HostLeague, code=code, roster=roster, bound=tuple(bound[:HANDED_OVER]))
        await self._hand_over(code if isinstance(answer.code, UnsetType) else answer.code, bound[HANDED_OVER:])
        return answer

    async def _send_roster(self) -> None:
        assert self._codes is not None
        allowed = {door: code for door, code in self._codes.items() if self.called(door) not in self._barred}
        await self._ask_to_host(self.code, entries(self.code, allowed))

    async def _free(self) -> None:
        """Frees the names that were freed here but not on the server yet; raises ClientError."""
        async with self._freeing:
            while (number := self._book.carried) < len(self._freed):
                self._book.drop(self._freed[number])
                for door in self._freed[number]:
                    await self._client.ask(Dismiss, code=self.code, name=door, free=True)
                self._book.carry(number + 1)

    async def refresh(self) -> None:
        """Asks the server again who is here, with current round trips; raises ClientError."""
        await self._client.ask(HostLeague, code=self.code)

    async def close(self) -> None:
        """The league is over: those who have entered are told, and its code is given back."""
        with suppress(ClientError):
            await self._client.ask(Dismiss, code=self.code)

    def _hear(self, message: Incoming) -> None:
        match message:
            case Welcome():  # a new connection, perhaps to a server that has forgotten us
                if self._showing is not None:
                    self._showing.hear(message)
                self._spawn(self._host_again())
            case Entrant(code, player, entry, replaced, bound, rtt_ms) if code == self.code:
                door = entry if isinstance(entry, str) else player.name
                if isinstance(bound, BoundName):
                    self._book.keep(bound)
                self._came_or_went(player, door)
                self._doors[door].rtt_ms = rtt_ms if isinstance(rtt_ms, int) else None
                if isinstance(replaced, str):
                    self._say_replaced(self.called(door))
            case EntryRefused(code) if code == self.code:
                self.on_refused(message)
            case _:
                pass

    def _say_replaced(self, name: str) -> None:
        now = self._clock()
        if now - self._replaced_at.get(name, -math.inf) < SAID_EVERY_S:
            return
        self._replaced_at[name] = now
        text = _("{name} has entered once more, from elsewhere: the newest counts.")
        self._tell(text.format(name=name))

    def _came_or_went(self, player: Player, door: str) -> None:
        if player.present and self._codes is None and self.called(door) in self._barred:
            self._spawn(self._dismiss(door))
        guest = self._doors.get(door)
        if guest is not None and (guest.present, guest.name) == (player.present, player.name):
            return
        if not self.present():
            self._peopled = self._clock()
        if guest is not None and guest.name == player.name:
            guest.present, guest.since = player.present, self._clock()
        else:
            before = [one for one in self._doors.values() if self.called(one.door) == self.called(door)]
            self._doors[door] = Guest(door, player.name, player.present, self._clock())
            for other in before:
                if other is guest or not other.present:
                    self._organiser.release(other, is_gone=not other.present and self._secret is not None)
        self._choose(self.called(door))
        self.changed.set()

    def _choose(self, name: str) -> None:
        """Sets who plays as `name`: of several guests, the one who is connected and came last."""
        those = [guest for guest in self._doors.values() if self.called(guest.door) == name]
        self.guests[name] = max(those, key=lambda guest: (guest.present, guest.since))

    def rule(self, aliases: Mapping[str, str], barred: Collection[str], freed: Sequence[Sequence[str]] = ()) -> None:
        """Applies rulings: `aliases` rename entrants, `barred` are sent away and stay out, `freed` are free.

        A name that an entrant was given belongs to the owner of the old name: nobody else can enter under it.
        """
        self._freed = freed
        if self._codes is None and (heirs := self._book.heirs(aliases)):
            self._book.keep(*heirs)
            if self._is_open:
                self._spawn(self._hand_over(self.code, heirs))
        if self._is_open and self._book.carried < len(freed):
            self._spawn(self._free())
        newly = set(barred) - set(self._barred)
        self._aliases, self._barred = dict(aliases), tuple(barred)
        self.guests = {}
        for name in dict.fromkeys(map(self.called, self._doors)):
            self._choose(name)
        if newly and self.code and self._codes is not None:
            self._spawn(self._send_roster())
        elif newly and self.code:
            for door, guest in self._doors.items():
                if guest.present and self.called(door) in newly:
                    self._spawn(self._dismiss(door))
        self.changed.set()

    async def _hand_over(self, code: str | None, bound: Sequence[BoundName]) -> None:
        for start in range(0, len(bound), HANDED_OVER):
            await self._client.ask(HostLeague, code=code, bound=tuple(bound[start : start + HANDED_OVER]))

    async def _dismiss(self, door: str) -> None:
        await self._client.ask(Dismiss, code=self.code, name=door)

    async def _host_again(self) -> None:
        try:
            await self._host()
        except ClientError as error:
            self._organiser.fail(error)

    def _spawn(self, work: Coroutine[object, object, None]) -> None:
        async def quietly() -> None:
            with suppress(ClientError):  # the connection is gone: with the next one all of it is said again
                await work

        task = asyncio.create_task(quietly())
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    @property
    def barred(self) -> Collection[str]:
        """The names that may not enter."""
        return self._barred

    def called(self, door: str) -> str:
        """The name that counts for somebody who enters, or wants to, as `door`."""
        return self._aliases.get(door, door)

    def now(self) -> float:
        """The current time, by the clock of `Guest.since`."""
        return self._clock()

    def present(self) -> list[str]:
        """Who is connected, in the order in which they came, without those who were kicked."""
        return [name for name, guest in self.guests.items() if guest.present and name not in self._barred]

    def is_here(self, name: str) -> bool:
        """Whether a bot is connected."""
        guest = self.guests.get(name)
        return guest is not None and guest.present

    def gone_for(self, name: str) -> float:
        """For how many seconds a bot has been missing while others were here, since the league was opened (again).

        While nobody is here at all, the network is down, or the class is over: nobody is missed then.
        """
        guest = self.guests.get(name)
        if not self.present() or (guest is not None and guest.present):
            return 0.0
        return self._clock() - (self._peopled if guest is None else max(guest.since, self._peopled))

    def cut_off(self, cut: CutOffError) -> None:
        """Notes that the game of a bot that was cut off is replayed: its absence counts from now on, if it is away."""
        self._tell(str(cut))
        guest = self.guests.get(self.called(cut.name))
        if guest is not None and not guest.present:
            guest.since = self._clock()

    def _is_connected(self, contestant: Contestant) -> bool:
        return any(guest is contestant and guest.present for guest in self._doors.values())

    def _network(self) -> Network | None:
        """The games' rules for outages; None, after telling the organiser, if the server does not support them."""
        if self._server_has("network"):
            return self._league.network
        self._tell(_("The server is of an older version: the clock of a bot runs on while it is cut off."))
        return None

    async def play(self, job: Job) -> tuple[Played, ...]:
        """The games of a pairing of two bots that are free; raises ExecutorError.

        If a game ends without a result, the games of the pairing before it still count.
        """
        games = self._begun.setdefault(job.pairing, [])
        while len(games) < job.games:
            number = len(games) + 1
            contestants = [self.guests[self.called(entry.name)] for entry in job.seats(number)]
            if contestants[0] is contestants[1]:
                raise VoidError(_("{name} does not play against itself.").format(name=contestants[0].door))
            try:
                games.append(await self._organiser.play(job, number, contestants))
            except ReplacedError as error:
                games.append(self._replaced(job, number, error))
        return tuple(self._begun.pop(job.pairing))

    def _replaced(self, job: Job, number: int, error: ReplacedError) -> Played:
        """The game as lost by a bot that entered anew too often before it; raises `error` if that may be chance."""
        made = {seat: (job.pairing, number, job.seats(number)[seat - 1].name) for seat in error.seats}
        self._renewals.update(made.values())
        worst = max(made, key=lambda seat: self._renewals[made[seat]])
        if self._renewals[made[worst]] <= MOST_RENEWALS:
            raise error
        return self._organiser.failed(job, number, worst, "abandoned", _("it entered the league anew, too often"))


class OpenRunner(Ledger):
    """Runs a league whose bots are in `gathering`; `begin` is waited for before the first round."""

    def __init__(
        self,
        log: Log,
        gathering: Gathering,
        tell: Callable[[Season], None] | None = None,
        absent_s: float = ABSENT_S,
        drawing: Callable[[int, int], None] | None = None,
    ) -> None:
        super().__init__(log, tell, drawing)
        self.begin = asyncio.Event()
        self._gathering = gathering
        self._absent_s = absent_s
        if self.season.schedule.pairings:
            self.begin.set()

    def note_code(self) -> None:
        """Logs the code of a league that is not over: to be called before anybody is told it.

        If this process is killed, the next one opens the league under the code that others have written down.
        """
        if not self.season.finished and self.season.code != self._gathering.code:
            self._note([LogEntry("opened", {"code": self._gathering.code})])

    async def run(self) -> None:
        """Plays until the league is finished; raises RunError."""
        self._gathering.rule(self.season.aliases, self.season.barred, self.season.freed)
        self.note_code()
        if not self.season.finished:
            self._note_consequences()
        running: Running = {}
        try:
            while not self.season.finished:
                self._gathering.changed.clear()
                self._heed()
                self._take_in()
                if self.begin.is_set():
                    await self._draw()
                    self._start_games(running)
                    if not running and self._plan():
                        continue
                await self._wait(running)
        except ExecutorError as error:
            raise RunError(_("The league stops: {reason}").format(reason=error)) from error
        finally:
            for task in running:
                task.cancel()
            await asyncio.gather(*running, return_exceptions=True)

    def _note(self, entries: list[LogEntry]) -> None:
        """Logs entries, and applies rulings to the gathering at once."""
        super()._note(entries)
        if any(entry.kind in RULINGS for entry in entries):
            self._gathering.rule(self.season.aliases, self.season.barred, self.season.freed)

    def _take_in(self) -> None:
        """Adds bots that have come, or come back, to the league; in formats without rounds also to the schedule."""
        season = self.season
        present = self._gathering.present()
        new = [season.joining(LeagueBot(name)) for name in present if name not in season.bots]
        new += [season.returning(name) for name in present if season.may_return(name)]
        self._note(new)
        if new and self.begin.is_set() and season.schedule.pairings:
            following = season.following()
            if following.kind == "planned":
                self._note([following])

    def _start_games(self, running: Running) -> None:
        """Starts every pairing of two bots that are here and play nothing."""
        busy = {self.season.called(entry.name) for job in running.values() for entry in job.players}
        for job in self.season.due([job.pairing for job in running.values()], len(self.season.bots) ** 2):
            names = {entry.name for entry in job.players}
            if not names & busy and all(map(self._gathering.is_here, names)) and self._may_begin(names, running):
                busy |= names
                running[asyncio.create_task(self._gathering.play(job))] = job

    def _may_begin(self, names: Collection[str], running: Running) -> bool:
        """Whether a game of these two may begin beside those that run."""
        return True

    def _plan(self) -> bool:
        """If nothing can be played now: plans the next round, ends the league, or withdraws bots that are long gone.

        Returns False if there is nothing to do but wait.
        """
        waiting = self.season.due((), 1)
        if not waiting:
            if len(self.season.bots) - len(self.season.out) < 2 and not self.season.games:
                return False
            self._note([self.season.following()])
            return True
        gone = [
            name
            for name in self.season.bots
            if name not in self.season.out and self._gathering.gone_for(name) >= self._absent_s
        ]
        self._note([self.season.leaving(name) for name in gone])
        return bool(gone)

    async def _wait(self, running: Running) -> None:
        """Until a pairing is over, somebody comes or goes, the league begins, or a while has passed."""
        others: list[asyncio.Future[Any]] = [asyncio.ensure_future(self._gathering.changed.wait())]
        if not self.begin.is_set():
            others.append(asyncio.ensure_future(self.begin.wait()))
        any_of: set[asyncio.Future[Any]] = {*running, *others}
        try:
            await asyncio.wait(any_of, timeout=LOOK_S, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in others:
                task.cancel()
        for pairing in [task for task in running if task.done()]:
            del running[pairing]
            failure = pairing.exception()
            if isinstance(failure, CutOffError) and self.season.awaits(failure.pairing):
                self._note([self.season.replaying(failure.pairing, failure.number, failure.name, failure.seconds)])
                self._gathering.cut_off(failure)
            if isinstance(failure, VoidError):
                continue  # it is due again, once both are here; so is one that was cut off
            self._note_played([pairing.result()])
            self._note_consequences()
