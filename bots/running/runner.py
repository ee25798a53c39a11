"""Plays a bot on a server: one process, one connection, as many matches at once as it is invited to.

The runner decides nothing about the game. It makes one bot for each match, asks it when the server says that it is its
turn, and drops an answer that comes too late. A bot that fails or plays an illegal move resigns that match only.
"""

import asyncio
import shlex
from collections import deque
from collections.abc import Callable, Coroutine
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from msgspec import json as msgjson

import games
from bots.base import BotFaultError, BotSpec, BotSpecError, Fault, NotReadyError, SupervisorLostError
from bots.failures import capsule, seal
from bots.failures.capsule import Capsule
from bots.running.absences import AbsenceClaims
from bots.running.latency import Latency
from bots.running.match_player import MatchPlayer, MatchPlayerContext
from bots.running.starts import WAIT_S, Starts, cores, usual_places
from bots.running.worker import Worker
from client.address import is_for_others
from client.connection import Client, Incoming, Lost
from client.errors import ConnectionLost, Unreadable, pause_s
from games.base import Game, GameError, Seat
from locales import _
from locales.system import reason
from machine.modules import program
from protocol.errors import ErrorCode
from protocol.messages import (
    Answer,
    Decline,
    Error,
    Finished,
    Invitation,
    Join,
    Leave,
    Moved,
    Offered,
    Paused,
    Resign,
    Seated,
    Snapshot,
    Started,
    TookBack,
    Welcome,
    Write,
    YourTurn,
)
from view.match import MatchView

if TYPE_CHECKING:
    from bots.running.league_entry import LeagueEntry

REMATCHES_KEPT = 16
"""Finished matches that a bot which accepts a rematch goes on following."""

LAST_WORDS_S = 2.5
"""How long, before leaving, we wait to hear what went wrong in a match that was lost on time."""

_SHOWN = frozenset({Snapshot, Seated, Started})
"""Messages of which a match's view says all that matters here."""

MAX_AT_ONCE = 1000
"""Matches that a bot plays at once; it declines more."""


class _Enough(Exception):  # noqa: N818 - a signal that never leaves this module
    """Ends the run: enough games are over, or nothing is left to play of a league that we are no longer in."""


@dataclass(frozen=True, slots=True)
class RunSettings:
    """What a run of a bot is told.

    seed: together with the seed of a match (see `MatchPlayer`), the source of all randomness of its bot.
    only: a game specification; without options it stands for any. None plays them all.
    count: how many games to finish before leaving; None stays until the server goes.
    rematch: whether to accept a rematch.
    capsules: the folder for a failure capsule of each fault; None writes none.
    conversations: the folder for a file of what is said with a program of others in each match; None writes none.
    leave_if_lost: whether the run ends, with SupervisorLostError, where the bot's supervisor fails and not the bot.
    league: the code of a league to enter; personal: the personal code, if the league has a roster.
    key: the key to which the name in the league belongs. entry: that name, if it may differ from the session's.
    insists: if that name belongs to somebody else, whether to give up, instead of entering under the session's name.
    at_once: how many matches it plays at once; None is what the machine has room for, if each runs a program of others,
    else MAX_AT_ONCE.
    obliging: whether it grants people takebacks, and accepts a draw late in a game that it does not expect to win.
    claims_after_s: how long it waits at least for an opponent who is away.
    prepare: called on a thread before the first seat in a game is taken; it loads what not every run needs.
    reports: whether the league's host is told how the bot fails; a class shows it to the bot's author.
    """

    bot: BotSpec
    seed: str
    only: str | None = None
    count: int | None = None
    rematch: bool = False
    capsules: Path | None = None
    conversations: Path | None = None
    leave_if_lost: bool = False
    league: str | None = None
    personal: str | None = None
    key: str | None = None
    entry: str | None = None
    insists: bool = True
    at_once: int | None = None
    obliging: bool = False
    claims_after_s: float = 0.0
    prepare: Callable[[Game], None] | None = None
    reports: bool = False

    def plays(self, game: Game) -> bool:
        """Whether an invitation to `game` is accepted."""
        if self.only is not None and self.only not in (game.spec, game.id):
            return False
        try:
            self.bot.check(game)
        except BotSpecError:
            return False
        return True


class BotRunner:
    """Drives `settings.bot` over `client`, which is connected; `complain` is told of failures, a text of some lines.

    tell: hears of each game that is over and was not aborted. finished: how many those are.
    """

    def __init__(
        self,
        client: Client,
        settings: RunSettings,
        complain: Callable[[str], None],
        tell: Callable[[MatchView], None] | None = None,
    ) -> None:
        self.finished = 0
        self._tell = tell
        self._client = client
        self._settings = settings
        self._complain = complain
        self._worker = Worker()
        self._starts = Starts(settings.at_once or usual_places(), cores())
        self._is_full = False
        lost = self._leave if settings.leave_if_lost else None
        self._context = MatchPlayerContext(
            client, self._worker, settings.bot, settings.seed, self._fail, self._give_up, self._starts,
            lost=lost, report=self._report, latency=Latency(is_here=not is_for_others(client.url)),
            conversations=settings.conversations,
        )  # fmt: skip
        self._running: asyncio.Task[object] | None = None  # of `run`
        self._lost = ""  # why our supervisor failed, once it has
        self._players: dict[str, MatchPlayer] = {}  # by match
        self._claims = AbsenceClaims(client, self._spawn, settings.claims_after_s)
        self._entry = self._league_entry()
        self._over: deque[str] = deque()  # matches that are over and still followed, for a rematch
        self._numbers = 0
        self._tasks: set[asyncio.Task[None]] = set()
        self._late: set[asyncio.Task[Literal[True]]] = set()  # each waits for the last words of a program
        self._refused_joins: set[object] = set()  # the ids of those that are sent again, by `_retry`
        self._retry: asyncio.TimerHandle | None = None
        self._prepared: set[str] = set()  # games
        self._preparing = asyncio.Lock()

    def _league_entry(self) -> "LeagueEntry | None":
        settings = self._settings
        if settings.league is None:
            return None
        from bots.running.league_entry import LeagueEntry

        return LeagueEntry(
            self._client, settings.league, self._complain,
            personal=settings.personal, key=settings.key, name=settings.entry, insists=settings.insists,
        )  # fmt: skip

    async def run(self, code: str | None = None, *, again: bool = False) -> None:
        """Plays until `settings.count` games are over or the client is closed; joins the match `code` first.

        again: whether it was in the league already, under a session that the server has forgotten. Raises Refused if
        that match or the league can't be joined, ServerGone when the server is gone for good, SupervisorLostError, and
        the client's other errors.
        """
        self._running = asyncio.current_task()
        assert self._running is not None
        try:
            if code is not None:
                match = (await self._client.ask(Join, code=code)).match
                if not isinstance(match, str):
                    raise Unreadable("ok: field `match` is missing")
                self._player_of(match)
            if self._entry is not None and again:
                self._spawn(self._enter_again(self._entry))
            elif self._entry is not None:
                with suppress(ConnectionLost):  # the request may have arrived; it is repeated after the reconnect
                    await self._entry.enter(again=False)
            with suppress(_Enough):
                await self._client.listen(self._handle)
            if self._late:
                await asyncio.wait(self._late, timeout=LAST_WORDS_S)
        except asyncio.CancelledError:
            if self._lost:
                self._running.uncancel()
                raise SupervisorLostError(self._lost) from None
            raise
        finally:
            for player in self._players.values():
                player.close()
            self._worker.close()
            self._claims.close()
            if self._retry is not None:
                self._retry.cancel()
            for task in (*self._tasks, *self._late):
                task.cancel()

    def _handle(self, message: Incoming) -> None:
        # What each game has comes first, and without a `match`: a `case` that does not fit costs 0.1 us.
        if type(message) is Moved:
            if (player := self._players.get(message.match)) is not None and player.moved(message):
                self._answer(message.match, player)
            return
        if type(message) is YourTurn:
            self._asked(message)
            return
        if type(message) is Invitation:
            self._invited(message)
        elif type(message) is Finished:
            self._finished(message)
        elif type(message) not in _SHOWN:
            self._hear_of(message)
        match_id = getattr(message, "match", None)
        view = self._client.session.matches.get(match_id) if isinstance(match_id, str) else None
        if view is not None and view.seat is not None and view.status == "playing":
            self._claims.watch(view)
            self._player_of(view.match).answer(view)

    def _hear_of(self, message: Incoming) -> None:
        """Handles what not every game has."""
        match message:
            case TookBack():
                self._player_of(message.match).forget_turn()
            case Offered():
                self._offered(message)
            case Paused():
                self._claims.stop(message.match)
            case Lost() if self._entry is not None and not self._entry.is_out:
                self._entry.lost_server()
            case Welcome() if self._entry is not None and not self._entry.is_out:
                self._spawn(self._enter_again(self._entry))
            case Error():
                self._refused(message)
            case _:
                pass

    def _asked(self, turn: YourTurn) -> None:
        view = self._client.session.matches.get(turn.match)
        if view is not None or turn.match in self._players:  # else nobody has invited us to it
            player = self._player_of(turn.match)
            player.ask(turn)
            if view is not None:
                player.answer(view)

    def _answer(self, match: str, player: MatchPlayer) -> None:
        if (view := self._client.session.matches.get(match)) is not None:
            player.answer(view)

    # -- matches come and go

    def _invited(self, invitation: Invitation) -> None:
        match = invitation.match
        if (known := self._players.get(match)) is not None:  # we have come back, and perhaps our `join` has not arrived
            if known.joined_by:
                self._sit_down(match, known)
            return
        count = self._settings.count
        game = self._playable(invitation.game)
        enough = count is not None and len(self._players) >= count - self.finished
        if game is None or self._is_out() or enough:
            self._client.send(Decline, match=match)
            return
        if self._entry is not None and not self._entry.has_entered:
            asyncio.get_running_loop().call_soon(self._invited_early, invitation)
            return
        if len(self._players) >= self._most():
            self._client.send(Decline, match=match, why="busy")
            return
        if self._settings.prepare is not None and game.spec not in self._prepared:
            self._spawn(self._prepare_and_go_on(invitation, game, self._settings.prepare))
            return
        player = self._players[match] = MatchPlayer(self._context, invitation.seed or self._next_number())
        try:
            is_ready = player.make(game, Seat(invitation.seat))
        except BotSpecError as error:
            self._decline(match, error)
            return
        if is_ready:
            self._sit_down(match, player)
        else:
            self._spawn(self._join(invitation, game, player))

    def _invited_early(self, invitation: Invitation) -> None:
        """Answers an invitation that came before our entry was heard of, perhaps in the same frame as its `ok`."""
        if self._entry is not None and self._entry.has_entered:
            self._invited(invitation)
        else:  # it is none of the league's
            self._client.send(Decline, match=invitation.match, why="busy")

    async def _prepare_and_go_on(self, invitation: Invitation, game: Game, prepare: Callable[[Game], None]) -> None:
        """Answers an invitation once the bot is prepared for its game; others that come meanwhile wait as well."""
        async with self._preparing:
            if game.spec not in self._prepared:
                await asyncio.to_thread(prepare, game)
                self._prepared.add(game.spec)
        self._invited(invitation)

    def _most(self) -> int:
        """How many matches we play, or wait for a place to play: programs of others have a queue for places."""
        if self._settings.at_once is None or self._settings.bot.is_foreign:
            return MAX_AT_ONCE
        return self._settings.at_once

    def _sit_down(self, match: str, player: MatchPlayer) -> None:
        player.joined_by = self._client.send(Join, match=match)

    def _decline(self, match: str, error: BotSpecError) -> None:
        self._complain(str(error))
        self._client.send(Decline, match=match)
        self._drop(match)

    def _drop(self, match: str) -> None:
        if (player := self._players.pop(match, None)) is not None:
            player.close()
            if self._is_out() and not self._players:
                self._spawn(self._client.close())

    def _playable(self, spec: str) -> Game | None:
        try:
            game = games.parse(spec)
        except GameError:
            return None
        return game if self._settings.plays(game) else None

    async def _enter_again(self, entry: "LeagueEntry") -> None:
        await entry.enter_again()
        if entry.is_out and not self._players:
            await self._client.close()

    async def _join(self, invitation: Invitation, game: Game, player: MatchPlayer) -> None:
        """Takes a seat once the bot's program has started; declines if no place for it is free within WAIT_S."""
        match = invitation.match
        try:
            async with asyncio.timeout(WAIT_S):
                await self._starts.take_place()
        except TimeoutError:
            self._decline_busy(match)
            return
        if self._players.get(match) is not player:  # it was aborted meanwhile
            self._starts.leave_place()
            return
        player.has_place, self._is_full = True, False
        try:
            await self._start(game, Seat(invitation.seat), player)
        except BotSpecError as error:
            self._decline(match, error)
            return
        if self._players.get(match) is player:
            self._sit_down(match, player)

    async def _start(self, game: Game, seat: Seat, player: MatchPlayer) -> None:
        """Starts the bot's program, and once more if it is not ready in time: a busy machine is not its fault.

        If the second start fails, too, that shows when the bot is asked for a move. Raises BotSpecError.
        """
        try:
            await player.get_ready()
        except NotReadyError:
            player.make(game, seat, again=True)
            with suppress(NotReadyError):
                await player.get_ready()

    def _decline_busy(self, match: str) -> None:
        """Says no to an invitation for which there was no room, and tells the bot's author once."""
        if match not in self._players:
            return
        if not self._is_full:
            self._is_full = True
            text = _(
                "More invitations than this machine has room for: it runs {count} programs at once, and none of them "
                "was done within {seconds:g} s. What is too much is declined as busy; --at-once sets another number."
            )
            self._complain(text.format(count=self._starts.places, seconds=WAIT_S))
        self._client.send(Decline, match=match, why="busy")
        self._drop(match)

    def _offered(self, offer: Offered) -> None:
        view = self._client.session.matches.get(offer.match)
        if view is not None and view.seat is not None and offer.seat != view.seat:
            accept = self._settings.rematch if offer.what == "rematch" else self._obliges(view, offer)
            self._client.send(Answer, match=offer.match, what=offer.what, accept=accept)

    def _obliges(self, view: MatchView, offer: Offered) -> bool:
        """Whether it gives a person what they ask for in a game."""
        opponent = view.player(Seat(offer.seat))
        if not self._settings.obliging or opponent is None or opponent.kind != "human":
            return False
        if offer.what == "takeback":
            return True
        player = self._players.get(view.match)
        return player is not None and player.accepts_draw(view)

    def _finished(self, finished: Finished) -> None:
        if (player := self._players.pop(finished.match, None)) is None:
            return
        view = self._client.session.matches.get(finished.match)
        player.close(view)
        if player.settled is not None and not player.settled.is_set():
            late = asyncio.create_task(player.settled.wait())
            self._late.add(late)
            late.add_done_callback(self._late.discard)
        self._claims.stop(finished.match)
        if finished.result.reason != "aborted":
            self.finished += 1
            if self._tell is not None and view is not None:
                self._tell(view)
        self._over.append(finished.match)
        while len(self._over) > (REMATCHES_KEPT if self._settings.rematch else 0):
            match = self._over.popleft()
            self._client.send_along(Leave, match=match)
            self._client.session.forget(match)
        if self._settings.count is not None and self.finished >= self._settings.count:
            raise _Enough
        self._leave_if_out()

    def _is_out(self) -> bool:
        """Whether we were in a league and are no longer."""
        return self._entry is not None and self._entry.is_out

    def _leave_if_out(self) -> None:
        """Ends the run once nothing is left to play of a league that we are no longer in."""
        if self._is_out() and not self._players:
            raise _Enough

    def _refused(self, error: Error) -> None:
        if error.code == ErrorCode.OUT_OF_LEAGUE.value and self._entry is not None:
            self._entry.put_out(error.data.get("why") if isinstance(error.data, dict) else None)
            self._leave_if_out()
        elif error.code == ErrorCode.RATE_LIMITED.value and error.retry_after_ms:
            self._send_again_later(error, error.retry_after_ms)
        else:
            self._drop_if_joining(error)

    def _drop_if_joining(self, error: Error) -> None:
        """Drops the match whose `join` was refused: it was aborted, or somebody else has taken the seat."""
        for match in [match for match, player in self._players.items() if player.joined_by == error.id]:
            if self._players[match].has_place:
                text = _("An invitation was gone when the program for it was ready (match {match}).")
                self._complain(text.format(match=match))
            self._drop(match)

    def _send_again_later(self, error: Error, wait_ms: int) -> None:
        """Notes what the rate limit refused; all of it is sent again when the first wait is over."""
        if any(player.joined_by == error.id for player in self._players.values()):
            self._refused_joins.add(error.id)
        if self._retry is None:
            self._retry = asyncio.get_running_loop().call_later(pause_s(wait_ms), self._send_again)

    def _send_again(self) -> None:
        refused, self._refused_joins, self._retry = self._refused_joins, set(), None
        for match, player in self._players.items():
            if player.joined_by in refused:
                self._sit_down(match, player)
            view = self._client.session.matches.get(match)
            if view is not None:
                player.send_again(view)

    def _fail(self, failed: Capsule) -> None:
        lines = [*capsule.describe(failed), _("it loses this match")]
        if self._settings.capsules is not None:
            try:
                path = capsule.write(seal.sealed(failed), self._settings.capsules)
                lines.append(
                    _("to see it again: {command}").format(command=f"{program()} bot replay {shlex.quote(str(path))}")
                )
            except OSError as error:
                lines.append(_("{file} can't be written: {reason}.").format(file=error.filename, reason=reason(error)))
        self._complain("\n  ".join(lines))

    def _report(self, failed: Capsule, error: BotFaultError) -> None:
        """Writes to the league's host how the bot has failed; whether the letter arrives does not matter."""
        league, welcome = self._settings.league, self._client.session.welcome
        if not self._settings.reports or league is None or welcome is None or "letters" not in welcome.features:
            return
        from bots.failures.parts import parts_of  # most bots never fail

        file = Path(failed.bot.partition("#")[0]).name
        letter = {
            "type": "failed", "seat": failed.seat, "moves": " ".join(failed.moves),
            "fault": parts_of(error, file, failed.rules()),
        }  # fmt: skip
        self._client.send(Write, code=league, text=msgjson.encode(letter).decode())

    def _leave(self, why: str) -> None:
        """Ends the run without a word to the server: whoever started us decides what becomes of our matches."""
        assert self._running is not None
        self._lost = why
        self._running.cancel()

    def _give_up(self, match: str, reason: Fault | Literal["resign"]) -> None:
        self._client.send(Resign, match=match, reason=reason)

    # -- bookkeeping

    def _player_of(self, match: str) -> MatchPlayer:
        """The player of `match`; one that nobody invited us to (a rematch, a seat from before) starts here."""
        if (player := self._players.get(match)) is None:
            player = self._players[match] = MatchPlayer(self._context, self._next_number())
        return player

    def _next_number(self) -> int:
        self._numbers += 1
        return self._numbers

    def _spawn(self, work: Coroutine[object, object, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
