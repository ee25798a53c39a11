"""Arranges the games of a league on a server and waits for their ends: the organiser's connection, without any bots."""

import asyncio
import time
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

from client.connection import Client, Incoming
from client.errors import ClientError, ConnectionLost, Refused, ServerGone, Unreadable
from client.explanations import explain
from games.base import position_after
from league.config import League
from league.executors.base import CutOffError, ExecutorError, ReplacedError, VoidError
from league.played import Job, Played
from locales import _
from protocol.errors import ErrorCode
from protocol.messages import Abort, Create, LeagueMatch, Network, Report, Sync, Terminate, Welcome

JOIN_S = 60.0
"""How long the bots may take to accept an invitation: programs of others queue to start."""

BUSY_TRIES = 5
"""How often to invite a bot that has no room for another game; the bot itself waits for room before it declines."""

BACK_S = 5.0
"""How long a bot that is not connected may take to come back before it has failed."""

_RETRY_S = 0.05
_BUSY_S = 0.5


class Contestant(Protocol):
    """A bot on the server. ended: is done when the bot is gone for good; last_words: what it said then."""

    name: str
    ended: "asyncio.Future[Any]"

    @property
    def last_words(self) -> str:
        """Some lines for the bot's author, perhaps none."""
        ...


@dataclass(slots=True, eq=False)
class OpenGame:
    """A game that is open: one match of a pairing, which the server calls `match`.

    over: is done when its report is there. names: the players' names in the league, by seat. lost: the seat whose bot
    is gone for good. left: the seat of a bot that was away when another session replaced it.
    """

    match: str
    contestants: Sequence[Contestant]
    over: "asyncio.Future[Report]"
    names: tuple[str, str]
    lost: int | None = None
    left: int | None = None


@dataclass(frozen=True, slots=True)
class Elsewhere:
    """What the organiser needs to know if the bots are on other machines.

    network: the games' rules for outages; None if the server can't apply them. is_here: whether a bot is connected.
    """

    network: Network | None
    is_here: Callable[[Contestant], bool]


class Organiser:
    """Plays single games of `league` over `client`, which directs matches; `listen` is called with every message.

    elsewhere: given if bots are on other machines: then no game is lost by an absence that began before it.
    unwilling: bots that declined a game, but not for lack of room. on_change: is called when a game begins or ends.
    league: what is played; a host of several, one after the other, changes it between them. date: seconds since 1970.
    Only the report at the end of a game is received. `run` reads the connection and must be running meanwhile.
    """

    def __init__(
        self,
        client: Client,
        league: League,
        listen: Callable[[Incoming], None] | None = None,
        elsewhere: Elsewhere | None = None,
        date: Callable[[], float] = time.time,
    ) -> None:
        self._date = date
        self.unwilling: set[Contestant] = set()
        self.on_change: Callable[[], None] = lambda: None
        self._client = client
        self.league = league
        self._elsewhere = elsewhere
        self._listen = listen
        self._games: dict[str, OpenGame] = {}
        self._early: dict[str, Report] = {}
        self._watched: set[Contestant] = set()
        self._released: set[Contestant] = set()
        self._failure: ClientError | None = None
        self._since = 0.0
        self._tasks: set[asyncio.Task[None]] = set()

    async def run(self) -> None:
        """Reads until the connection is gone for good."""
        try:
            await self._client.listen(self._hear)
        except ClientError as error:
            self.fail(error)
        except Exception as error:  # those who play must hear that nobody listens any more
            self.fail(ServerGone(repr(error)))
            raise

    def _hear(self, message: Incoming) -> None:
        match message:
            case Report():
                self._reported(message)
            case Welcome():  # a report may have been lost with the connection before this one
                self._since = asyncio.get_running_loop().time()
                for game in self._games.values():
                    self._spawn(self._ask(game, Sync))
            case _:
                pass
        if self._listen is not None:
            self._listen(message)

    def _reported(self, report: Report) -> None:
        game = self._games.get(report.match)
        if game is None:
            self._early[report.match] = report
        elif not game.over.done():
            game.over.set_result(report)

    def fail(self, error: ClientError) -> None:
        """The server is gone: every game that is being played ends with ExecutorError."""
        self._failure = self._failure or error
        for game in self._games.values():
            _end(game, self._gone())

    @property
    def playing(self) -> Sequence[LeagueMatch]:
        """The matches that are open."""
        return [LeagueMatch(match, *game.names) for match, game in self._games.items()]

    def check(self) -> None:
        """Raises ExecutorError if the server is gone."""
        if self._failure is not None:
            raise self._gone()

    async def play(self, job: Job, number: int, contestants: Sequence[Contestant]) -> Played:
        """Game `number` of a pairing, between two contestants in the order of their seats.

        Raises ExecutorError; VoidError if it has no result because both were away, somebody else ended it, or a
        contestant was released before it began; CutOffError if one of them was away for too long. The second time that
        contestant loses the game instead.
        """
        for _try in range(1, BUSY_TRIES):
            played = await self._dated(job, number, contestants)
            if played is not None:
                return played
        played = await self._dated(job, number, contestants, may_be_busy=False)
        assert played is not None
        return played

    async def _dated(
        self, job: Job, number: int, contestants: Sequence[Contestant], *, may_be_busy: bool = True
    ) -> Played | None:
        date_ms = round(self._date() * 1000)
        played = await self._play(job, number, contestants, may_be_busy=may_be_busy)
        return None if played is None else replace(played, date_ms=date_ms)

    async def _play(
        self, job: Job, number: int, contestants: Sequence[Contestant], *, may_be_busy: bool = True
    ) -> Played | None:
        """As `play`; None if a bot has no room for the game at the moment and `may_be_busy` is set."""
        match = await self._create(job, number, contestants)
        if isinstance(match, Played):
            return match
        loop = asyncio.get_running_loop()
        game = self._games[match] = OpenGame(match, contestants, loop.create_future(), _names(job, number))
        self.on_change()
        late = loop.call_later(JOIN_S, lambda: self._spawn(self._ask(game, Abort)))
        try:
            if match in self._early:
                game.over.set_result(self._early.pop(match))
            for contestant in contestants:
                self._watch(contestant)
            if not self._released.isdisjoint(contestants):
                self._spawn(self._ask(game, Abort))
            report = await game.over
        finally:
            late.cancel()
            del self._games[match]
            self.on_change()
        if report.result.reason != "aborted":
            return self._played(job, number, report, contestants)
        if report.result.away is not None:
            return self._cut_off(job, number, report, report.result.away)
        if game.left is not None and None not in report.players:
            return self._cut_off(job, number, report, game.left)
        if report.result.declined is not None and may_be_busy:
            return None
        self._check_released(contestants)
        if game.lost is not None:
            return self.failed(job, number, game.lost, "crash", contestants[game.lost - 1].last_words, report.moves)
        if report.declined is not None and report.result.declined is None:
            self.unwilling.add(contestants[report.declined - 1])
        seat = report.declined or self._only_absent(contestants, _present(report))
        return self.failed(job, number, seat, "abandoned", _("it did not take its seat"))

    def _cut_off(self, job: Job, number: int, report: Report, seat: int) -> Played:
        """The game of a player who stayed away: lost if one was replayed for them already, else raises CutOffError."""
        names, away_ms = [entry.name for entry in job.seats(number)], report.away_ms
        name, seconds = names[seat - 1], away_ms[seat - 1] / 1000
        if name in job.replayed:
            text = _("it was cut off for too long again ({seconds:.0f} s)").format(seconds=seconds)
            return self.failed(job, number, seat, "abandoned", text, report.moves)
        text = _(
            "{name} was cut off for {seconds:.0f} s: the game of {first} and {second} is played again, this one time."
        ).format(name=name, seconds=seconds, first=names[0], second=names[1])
        raise CutOffError(text, name=name, pairing=job.pairing, number=number, seconds=seconds)

    def release(self, contestant: Contestant, *, is_gone: bool = False) -> None:
        """A contestant gets no more games, since another one replaces them; they finish a game that has begun.

        is_gone: they can't finish it, so it is ended at once; only an organiser of the server can do that.
        """
        self._released.add(contestant)
        for game in self._games.values():
            if contestant in game.contestants:
                if is_gone:
                    game.left = 1 + game.contestants.index(contestant)
                self._spawn(self._ask(game, Terminate if is_gone else Abort))

    def _watch(self, contestant: Contestant) -> None:
        """Sees to it that the games of a contestant who is gone for good end."""
        if contestant.ended.done():
            self._lost(contestant)
        elif contestant not in self._watched:
            self._watched.add(contestant)
            contestant.ended.add_done_callback(lambda _ended: self._lost(contestant))

    def _lost(self, contestant: Contestant) -> None:
        self._watched.discard(contestant)
        for game in self._games.values():
            if contestant in game.contestants and game.lost is None and not game.over.done():
                game.lost = 1 + game.contestants.index(contestant)
                self._spawn(self._ask(game, Terminate))

    async def _ask(self, game: OpenGame, what: type[Sync | Abort | Terminate]) -> None:
        """Makes the server send a game's report: `Sync` asks only, `Abort` ends an early game, `Terminate` any."""
        try:
            await self._client.request(what, match=game.match)
        except Refused as refused:
            if refused.code != ErrorCode.GAME_OVER.value and what is not Abort:
                reason = _("The server refused a match: {reason}.").format(reason=refused.message)
                _end(game, ExecutorError(reason))
        except ClientError:
            pass  # then the connection is gone for good, or there is a new one

    def _spawn(self, work: Coroutine[object, object, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _create(self, job: Job, number: int, contestants: Sequence[Contestant]) -> str | Played:
        """The match's id; or the game as lost by the bot that is not there."""
        names = (contestants[0].name, contestants[1].name)
        loop = asyncio.get_running_loop()
        asked = loop.time()
        while True:
            until = max(asked, self._since) + BACK_S  # bots may reconnect later than we do
            try:
                answer = await self._client.request(
                    Create, game=self.league.game, clock=self.league.time_of(*job.seats(number)), seat="first",
                    play=False, invite=names, opening=job.opening, seed=f"{job.seed}:{number}", follow=False,
                    network=self._elsewhere.network if self._elsewhere is not None else None,
                )  # fmt: skip
            except Refused as refused:
                lost = self._refused(job, number, contestants, refused, is_late=loop.time() > until)
                if lost is not None:
                    return lost
                await asyncio.sleep(_BUSY_S if refused.code == ErrorCode.BUSY.value else _RETRY_S)
            except ClientError as error:
                if self._failure is not None or not isinstance(error, ConnectionLost):
                    raise self._gone(error) from error
                await asyncio.sleep(_RETRY_S)
            else:
                if not isinstance(answer.match, str):
                    raise self._gone(Unreadable("ok: field `match` is missing"))
                return answer.match

    def _refused(
        self, job: Job, number: int, contestants: Sequence[Contestant], refused: Refused, *, is_late: bool
    ) -> Played | None:
        """What becomes of a game whose match the server refused to open; None to ask again.

        Raises ExecutorError and VoidError.
        """
        if refused.code == ErrorCode.SHUTTING_DOWN.value:  # the server comes back, or is soon gone
            return None
        if contestants[0].name == contestants[1].name:  # one session has entered as both
            raise _void(contestants) from refused
        if refused.code == ErrorCode.BUSY.value:  # somebody asks too much of them, for which nobody here can answer
            if is_late:
                raise _void(contestants) from refused
            return None
        if refused.code != ErrorCode.NO_SUCH_PLAYER.value:
            reason = _("The server refused a match: {reason}.").format(reason=refused.message)
            raise ExecutorError(reason) from refused
        for seat, contestant in enumerate(contestants, 1):
            if contestant.ended.done():
                return self.failed(job, number, seat, "crash", contestant.last_words)
        self._check_released(contestants)
        if not is_late:
            return None
        absent = refused.data.get("absent")
        here = [isinstance(absent, list) and contestant.name not in absent for contestant in contestants]
        return self.failed(job, number, self._only_absent(contestants, here), "abandoned", _("it is not connected"))

    def _check_released(self, contestants: Sequence[Contestant]) -> None:
        """Raises ReplacedError if others have taken the place of some of these."""
        seats = [seat for seat, contestant in enumerate(contestants, 1) if contestant in self._released]
        if seats:
            raise ReplacedError(str(_void(contestants)), seats=seats)

    def _played(self, job: Job, number: int, report: Report, contestants: Sequence[Contestant]) -> Played:
        first, second = job.seats(number)
        result, used = report.result, report.used_ms
        if result.reason in ("abandoned", "timeout") and not any(_present(report)):
            raise _void(contestants)
        return Played(
            job.pairing, number, first.name, second.name, report.moves, result.winner, result.reason, result.score,
            len(job.opening), (used[0] / 1000, used[1] / 1000),
            away=(report.away_ms[0] / 1000, report.away_ms[1] / 1000), move_ms=report.move_ms,
        )  # fmt: skip

    def failed(self, job: Job, number: int, seat: int, reason: str, detail: str, moves: tuple[str, ...] = ()) -> Played:
        """The game as lost by `seat` after `moves`; the opening is on the board even if nobody came."""
        first, second = job.seats(number)
        played = moves or job.opening
        position = position_after(self.league.rules, played)
        return Played(
            job.pairing, number, first.name, second.name, played, 3 - seat, reason, position.score(),
            len(job.opening), detail=detail,
        )  # fmt: skip

    def _only_absent(self, contestants: Sequence[Contestant], here: Sequence[bool]) -> int:
        """The seat that is to blame, since it is not here while the other is; raises VoidError if nobody is."""
        if here[0] == here[1]:
            raise _void(contestants)
        seat = 1 + here.index(False)
        if self._elsewhere is not None and not self._elsewhere.is_here(contestants[seat - 1]):
            raise _void(contestants)  # the network is nobody's fault: it is played once both are here
        return seat

    def _gone(self, error: ClientError | None = None) -> ExecutorError:
        return ExecutorError(explain(error or self._failure or ServerGone("")))


def _present(report: Report) -> list[bool]:
    """Whether the player of each seat had taken it, and was connected at the end."""
    return [player is not None and player.present for player in report.players]


def _names(job: Job, number: int) -> tuple[str, str]:
    first, second = job.seats(number)
    return first.name, second.name


def _void(contestants: Sequence[Contestant]) -> VoidError:
    one, two = (contestant.name for contestant in contestants)
    return VoidError(
        _("The game of {first} and {second} is over without a fault of either.").format(first=one, second=two)
    )


def _end(game: OpenGame, error: ExecutorError) -> None:
    """Fails a game that will have no report."""
    if not game.over.done():
        game.over.set_exception(error)
