"""One match as a bot plays it: asks the bot when it is its turn, sends what it answers, drops what comes too late."""

import asyncio
import random
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Literal

from msgspec import Struct

from bots.base import (
    RESIGN,
    UNLIMITED,
    Bot,
    BotFaultError,
    BotSpec,
    BotSpecError,
    Budget,
    Fault,
    MatchHistory,
    NotReadyError,
    Thought,
)
from bots.diary import AskedMatch
from bots.failures import capsule
from bots.failures.capsule import Capsule
from bots.running.latency import Latency, leave_for
from bots.running.starts import Starts
from bots.running.worker import Job, Worker
from client.connection import Client
from games.base import Game, Position, Seat
from protocol import VERSION
from protocol.messages import MakeMove, Moved, Thinking, YourTurn
from view.match import MatchView

THOUGHTS_EVERY_S = 0.25
"""Spectators are told what a bot thinks at most this often, and before each move."""

AGAIN = 2
"""A program that did not come up in time is started once more, and then gets this many times as long."""

LATE_S = 3.0
"""How long after the flag a program may still say where it was; then its match is over for it, too."""

_LONGEST_PV = 100


@dataclass(frozen=True, slots=True)
class MatchPlayerContext:
    """What all matches of a process share.

    seed: together with the match's own seed, the source of all randomness of its bot.
    fail: told that the bot has failed in a match.
    give_up: gives a match up, and says why; asked again where the server may not have heard it.
    starts: where programs wait for their turn to start.
    lost: told in a sentence that a process of ours has failed, not the bot; None to treat both alike.
    report: told, before the match is given up, of a failure and the error behind it.
    conversations: the folder for files of what is said with programs of others; None writes none.
    latency: the network delay; all matches of a process go over one connection.
    """

    client: Client
    worker: Worker
    bot: BotSpec
    seed: str
    fail: Callable[[Capsule], None]
    give_up: Callable[[str, Fault | Literal["resign"]], None]
    starts: Starts
    lost: Callable[[str], None] | None = None
    report: Callable[[Capsule, BotFaultError], None] = lambda _failed, _error: None
    latency: Latency = field(default_factory=Latency)
    conversations: Path | None = None


class Turn(Struct, eq=False):
    """One decision: asked at `began` (monotonic seconds), answered by `move`; the thoughts told to spectators.

    result: what the bot has decided, or raised; it waits here while the match is paused.
    why: why the match is given up instead of a move; None if it is not.
    renewed: the same question asked again, with the clocks as they are by then, while the bot thinks.
    sent: when the answer was sent; None before that, and once the server has played the move. again: whether the
    question or the answer was repeated; then the delay is not measured.
    """

    asked: YourTurn
    began: float
    result: str | Exception | None = None
    move: str | None = None
    why: Fault | Literal["resign"] | None = None
    renewed: "Turn | None" = None
    thought: Thought | None = None
    told: Thought | None = None
    told_at: float = 0.0
    budget: Budget = UNLIMITED
    sent: float | None = None
    again: bool = False


class MatchPlayer:
    """Plays one seat of one match. `seed` comes from the invitation, else it is the match's number in this process.

    The bot is made when it is invited, or else when it is first asked. There is at most one open decision; an answer
    counts only if it is to that one, for that ply.

    settled: once the match is lost on time; it is set when the bot has said where it was.
    joined_by: the request by which it took the seat, 0 before and where nobody had to ask.
    has_place: whether it has one of the places for programs, to be given back when it is closed.
    """

    def __init__(self, context: MatchPlayerContext, seed: int | str) -> None:
        self._context = context
        self._seed = seed
        self._bot: Bot | None = None
        self._worker = context.worker
        self._asked: YourTurn | None = None
        self._asked_at = 0.0
        self._turn: Turn | None = None
        self._pondered: tuple[str, ...] | None = None
        self._late: Turn | None = None
        self._late_at = 0.0
        self._closing: asyncio.TimerHandle | None = None
        self._score: float | None = None
        self.joined_by = 0
        self.has_place = False
        self._is_ready = False
        self._starting: asyncio.Task[None] | None = None
        self.settled: asyncio.Event | None = None

    def make(self, game: Game, seat: Seat, *, again: bool = False) -> bool:
        """Makes the bot for this seat; True if it may take the seat at once, False if it has to `get_ready` first.

        again: it did not come up in time, and gets twice as long now.
        Raises BotSpecError if it does not play this game; what else goes wrong shows when it is asked.
        """
        try:
            if again and self._bot is not None:
                self._bot.close()
            self._bot = self._make(game, seat, AGAIN if again else 1)
        except BotSpecError:
            raise
        except Exception:  # noqa: BLE001 - it is made again when it is asked, and fails then
            return True
        return not self._bot.waits

    async def get_ready(self) -> None:
        """Runs the bot's slow preparation when a start slot is free: before it takes its seat, if it was invited.

        What goes wrong shows when it is asked. Raises BotSpecError if it does not play this game after all, and
        NotReadyError if it did not come up in time: it may be made anew, and tried again.
        """
        async with self._context.starts.turn():
            await self._start()

    async def _start(self) -> None:
        bot = self._bot
        assert bot is not None
        if self._worker is self._context.worker:
            self._worker = Worker()
        ready: asyncio.Future[str | Exception] = asyncio.get_running_loop().create_future()

        def compute() -> str:
            bot.get_ready()
            return ""

        def done(result: str | Exception) -> None:
            if not ready.done():
                ready.set_result(result)

        self._worker.submit(Job(compute, done, lambda: True))
        result = await ready
        if isinstance(result, BotSpecError | NotReadyError):
            raise result
        self._is_ready = True

    def ask(self, asked: YourTurn) -> None:
        """Notes that the server waits for a move; `answer` follows once the position is known."""
        self._asked, self._asked_at = asked, time.monotonic()
        self._context.latency.told(asked.rtt_ms)

    def moved(self, event: Moved) -> bool:
        """A move was played; whether `answer` has something to do: `your_turn` came first, or the bot ponders.

        If it is the one that we sent, the time that the server charged shows the delay.
        """
        turn = self._turn
        if turn is not None and turn.sent is not None and event.ply == turn.asked.ply and event.move == turn.move:
            if event.clocks is not None and not turn.again:
                here_ms = (turn.sent - turn.began) * 1000
                self._context.latency.measured(event.used_ms + event.lag_ms - here_ms)
            turn.sent = None
        return self._asked is not None or (self._bot is not None and self._bot.ponders)

    @property
    def ponders(self) -> bool:
        """Whether the bot wants to be told of every move, because it thinks in the opponent's time."""
        return self._bot is not None and self._bot.ponders

    def accepts_draw(self, view: MatchView) -> bool:
        """Whether the bot would accept a draw: in the second half of a game, its last score was no advantage for it."""
        return view.ply * 2 >= view.game.usual and self._score is not None and self._score <= 0

    def forget_turn(self) -> None:
        """Drops the open turn after a takeback: the server asks for the same ply again."""
        self._turn = None

    def answer(self, view: MatchView) -> None:
        """Thinks about the ply that the server asks for, or says its answer again if that was lost or refused."""
        asked, my_turn = self._asked, view.my_turn
        if not my_turn and view.seat is not None:
            self._ponder(view, view.position, view.moves)
        if asked is None or not my_turn or asked.ply != view.ply:
            return
        self._asked = None
        turn, new = self._turn, Turn(asked, self._asked_at)
        if turn is None or turn.asked.ply != asked.ply:
            self._turn = new
            self._decide(view, new)
        elif turn.result is None:
            turn.again, turn.renewed = True, new
        elif turn.why is None and _is_timeout(turn.result):
            self._decide_anew(view, new)
        else:
            self.send_again(view)

    def close(self, view: MatchView | None = None) -> None:
        """Ends the match: it is over (`view` has the result), or the process is about to end."""
        is_undecided = self._turn is not None and self._turn.result is None
        if view is not None and is_undecided and _lost_on_time(view):
            self._late, self._late_at = self._turn, time.monotonic()
            self.settled = asyncio.Event()
        self._turn = None
        if self._bot is not None:
            if view is not None:
                self._bot.history = _history(view)
                if (result := view.result) is not None:
                    self._bot.diary.result(result, view.moves)
            if self._late is not None and self._bot.explains:
                self._closing = asyncio.get_running_loop().call_later(LATE_S, self._bot.close)
            else:
                self._bot.close()
        if self._worker is not self._context.worker:
            self._worker.close()
        if self._starting is not None:
            self._starting.cancel()
        if self.has_place:
            self.has_place = False
            self._context.starts.leave_place()

    def send_again(self, view: MatchView) -> None:
        """Says once more what was decided, if it was: the same move twice is played once, and a match ends once."""
        turn = self._turn
        if turn is None or turn.result is None or not view.my_turn:
            return
        turn.again = True
        if turn.move is not None:
            self._send_move(view, turn)
        elif turn.why is not None:
            self._context.give_up(view.match, turn.why)
        else:
            self._take(view, turn, turn.result)

    def _decide(self, view: MatchView, turn: Turn) -> None:
        try:
            assert view.seat is not None
            bot = self._bot = self._bot or self._make(view.game, view.seat)
        except Exception as error:  # noqa: BLE001 - whatever a bot raises loses that match, the process goes on
            self._decided(view, turn, error)
            return
        position, history = view.position, _history(view)
        if bot.instant:
            bot.history, turn.budget = history, self._budget(view, turn)
            try:
                result: str | Exception = bot.choose(position, turn.budget)
            except Exception as error:  # noqa: BLE001 - as above
                result = error
            turn.result = result
            self._take(view, turn, result)
            return
        loop = asyncio.get_running_loop()

        def listen(thought: Thought) -> None:
            with suppress(RuntimeError):  # the loop is closed
                loop.call_soon_threadsafe(self._think, view, turn, thought)

        def compute() -> str:
            bot.on_thought, bot.history, turn.budget = listen, history, self._budget(view, turn)
            return bot.choose(position, turn.budget)

        def done(result: str | Exception) -> None:
            self._decided(view, turn, result)

        job = Job(compute, done, lambda: self._is_open(view, turn))
        if bot.waits and not self._is_ready:  # nobody has invited us: a rematch, or a seat from before
            self._starting = asyncio.create_task(self._start_and(job))
        else:
            self._worker.submit(job)

    def _budget(self, view: MatchView, turn: Turn) -> Budget:
        """What the bot may use of the time that `your_turn` announced, now that it is about to think."""
        asked = turn.asked
        if view.clock is None or asked.clocks is None or view.seat is None:
            return UNLIMITED
        waited_ms = round((time.monotonic() - turn.began) * 1000)
        left_ms = asked.clocks[view.seat - 1] if asked.deadline_ms is None else asked.deadline_ms
        budget = Budget(
            remaining_ms=max(0, left_ms - waited_ms),
            increment_ms=view.clock.of(view.seat).increment_ms,
            move_ms=view.clock.of(view.seat).move_ms or None,
            opponent_ms=asked.clocks[view.seat.other - 1],
            rtt_ms=asked.rtt_ms,
            allowance_ms=asked.allowance_ms,
        )
        return leave_for(self._context.latency, budget, _moves_left(view))

    async def _start_and(self, job: Job) -> None:
        """Starts the program when a start slot is free, then asks it; `job` raises what went wrong at the start."""
        if not self.has_place:
            self.has_place = True
            self._context.starts.hold_place()
        with suppress(BotSpecError, NotReadyError):
            await self.get_ready()
        self._worker.submit(job)

    def _make(self, game: Game, seat: Seat, patience: int = 1) -> Bot:
        bot, folder = self._context.bot, self._context.conversations
        if patience != 1:
            bot = bot.with_launch_options(replace(bot.launch, start_s=bot.launch.start_s * patience))
        if folder is not None:
            from bots.adapters.conversation import file_name  # most bots write none

            path = folder / file_name(self._context.client.name, self._label)
            bot = bot.with_launch_options(replace(bot.launch, conversation=str(path)))
        return bot.make(game, seat, random.Random(f"{self._context.seed}:{self._seed}"))

    @property
    def _label(self) -> str:
        """What names this match in the name of a file: the seed of a league ends in the pairing and the game."""
        return ".".join(str(self._seed).split(":")[-2:])

    def _decided(self, view: MatchView, turn: Turn, result: str | Exception) -> None:
        if turn is self._late:
            self._late = None
            self._close_late()
            self._fail(self._capsule(view, turn, "timeout", self._why_late(turn, result), result), result)
            if self.settled is not None:
                self.settled.set()
        if not self._is_open(view, turn):
            return
        turn.result = result
        if not view.my_turn:
            return  # it is paused: the server asks again when it goes on
        if turn.renewed is not None and _is_timeout(result):
            self._decide_anew(view, turn.renewed)
        else:
            self._take(view, turn, result)

    def _decide_anew(self, view: MatchView, turn: Turn) -> None:
        """Asks a bot again that was stopped for being out of time, while its clock stood: it may have some left."""
        if self._bot is not None:
            self._bot.close()
        self._bot, self._is_ready, self._turn = None, False, turn
        self._decide(view, turn)

    def _is_open(self, view: MatchView, turn: Turn) -> bool:
        """Whether an answer counts, now or after a pause: the game has not gone on without it."""
        return self._turn is turn and view.ply == turn.asked.ply and view.result is None

    def _close_late(self) -> None:
        """Ends the program of a match that was lost on time, now that it has said where it was."""
        if self._closing is not None and self._bot is not None:
            self._closing.cancel()
            self._closing = None
            self._bot.close()

    def _why_late(self, turn: Turn, result: str | Exception) -> str:
        """What a bot's author is told after the flag: what became of its time, and where the bot was, if it says so."""
        why = capsule.lost_on_time(self._context.bot.spec)
        if isinstance(result, BotFaultError) and result.reason == "timeout" and not result.is_ours:
            why = str(result)
        left_ms, told_ms = turn.asked.deadline_ms, turn.budget.remaining_ms
        if left_ms is None or told_ms is None:
            return why
        first, *rest = why.splitlines()
        times = capsule.of_time(left_ms, told_ms, round((self._late_at - turn.began) * 1000))
        return "\n".join((first, *(f"  {line}" for line in times), *rest))

    def _take(self, view: MatchView, turn: Turn, result: str | Exception) -> None:
        """Sends what the bot has decided in time; if that is no move, the match is given up."""
        if isinstance(result, str) and (result in turn.asked.legal or result in view.position.legal_moves()):
            turn.move = result
            if turn.thought is not None:
                self._tell(view, turn)
            self._send_move(view, turn)
            self._note(view, view.moves, turn.budget)
            if self.ponders and result in view.position.legal_moves():
                self._ponder(view, view.position.play(result), (*view.moves, result))
            return
        if isinstance(result, BotFaultError) and result.is_ours and self._context.lost is not None:
            self._context.lost(str(result))
            return
        if result == RESIGN:
            turn.why = "resign"
        else:
            turn.why, message = capsule.failure(self._context.bot.spec, result)
            self._fail(self._capsule(view, turn, turn.why, message, result), result)
        self._context.give_up(view.match, turn.why)

    def _fail(self, failed: Capsule, result: str | Exception) -> None:
        self._context.fail(failed)
        if isinstance(result, BotFaultError) and not result.is_ours:
            self._context.report(failed, result)

    def _ponder(self, view: MatchView, position: Position, moves: tuple[str, ...]) -> None:
        """Tells a bot that thinks in the opponent's time that they are to move; once for each position."""
        bot = self._bot
        if bot is None or not bot.ponders or self._pondered == moves:
            return
        if position.to_move == view.seat or position.outcome() is not None or self._worker is self._context.worker:
            return
        self._pondered = moves

        def compute() -> str:
            bot.history = MatchHistory(view.match, moves)
            bot.ponder(position)
            return ""

        def done(result: str | Exception) -> None:
            del result
            self._note(view, moves, to_ponder=True)

        self._worker.submit(Job(compute, done, lambda: self._pondered == moves and self._asked is None))

    def _note(
        self, view: MatchView, moves: tuple[str, ...], budget: Budget = UNLIMITED, *, to_ponder: bool = False
    ) -> None:
        """Records the question, so that a later failure can be replayed."""
        if self._bot is None or view.seat is None or view.result is not None:
            return
        diary = self._bot.diary
        if not diary.is_of(view.match):
            diary.begin(
                AskedMatch(game=view.game.spec, match=view.match, seat=view.seat.value, match_seed=str(self._seed))
            )
        diary.note(moves, budget, to_ponder=to_ponder)

    def _send_move(self, view: MatchView, turn: Turn) -> None:
        assert turn.move is not None
        turn.sent = time.monotonic()
        self._context.client.send(MakeMove, match=view.match, ply=turn.asked.ply, move=turn.move)

    def _capsule(self, view: MatchView, turn: Turn, reason: Fault, message: str, result: str | Exception) -> Capsule:
        assert view.seat is not None
        fault = result if isinstance(result, BotFaultError) else None
        return Capsule(
            arbitre=VERSION,
            date=capsule.now(),
            bot=self._context.bot.spec,
            launch=self._context.bot.launch,
            folder=str(Path.cwd()),
            game=view.game.spec,
            match=view.match,
            seat=int(view.seat),
            moves=view.moves,
            position=view.position.notation,
            clocks=turn.asked.clocks,
            budget=turn.budget,
            seed=self._context.seed,
            match_seed=str(self._seed),
            reason=reason,
            message=message,
            exchange=fault.exchange if fault is not None else (),
            stderr=fault.stderr if fault is not None else "",
            before=() if self._bot is None else self._bot.diary.games(),
            forgotten=0 if self._bot is None else self._bot.diary.forgotten,
        )

    def _think(self, view: MatchView, turn: Turn, thought: Thought) -> None:
        if self._turn is not turn or turn.move is not None:
            return
        turn.thought, self._score = thought, thought.score
        if time.monotonic() - max(turn.began, turn.told_at) >= THOUGHTS_EVERY_S:
            self._tell(view, turn)

    def _tell(self, view: MatchView, turn: Turn) -> None:
        thought = turn.thought
        if thought is None or thought is turn.told:
            return
        now = time.monotonic()
        turn.told, turn.told_at = thought, now
        self._context.client.send_along(
            Thinking,
            match=view.match,
            ply=turn.asked.ply,
            depth=thought.depth,
            score=thought.score,
            pv=thought.pv[:_LONGEST_PV],
            nodes=thought.nodes,
            ms=round((now - turn.began) * 1000),
            exact=thought.exact,
        )


def _lost_on_time(view: MatchView) -> bool:
    return view.result is not None and view.result.reason == "timeout" and view.result.winner != view.seat


def _is_timeout(result: str | Exception) -> bool:
    return isinstance(result, BotFaultError) and result.reason == "timeout"


def _history(view: MatchView) -> MatchHistory:
    return MatchHistory(view.match, view.moves, view.result)


def _moves_left(view: MatchView) -> int:
    """About how many moves the player to move has still to make; a long game still has a quarter of a usual one."""
    usual = view.game.usual
    return (min(max(usual - view.ply, usual // 4), view.game.longest - view.ply) + 1) // 2
