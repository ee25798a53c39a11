"""A client's session with a server, kept alive across lost connections: what people's programs and bots are built upon.

    async with Client("ws://127.0.0.1:8765", name="Ada", kind="bot") as client:
        match = (await client.request(Create, game="GAME")).match
        async for message in client.messages():
            if isinstance(message, YourTurn):
                client.send(MakeMove, match=message.match, ply=message.ply, move=message.legal[0])

Everything sent in one turn of the event loop leaves as one frame. After a lost connection the client comes back by
itself with its token: the server sends what was missed, and requests without an answer are sent again where that is
harmless.
"""

from __future__ import annotations

import asyncio
import math
import os
import random
from collections import deque
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from types import TracebackType
from typing import Concatenate, ParamSpec, Self

from msgspec.structs import replace

from client.errors import (
    ClientError,
    HelloRefused,
    Kicked,
    NoServer,
    NotArbitre,
    Replaced,
    ServerClosed,
    ServerGone,
    Silent,
    Unreadable,
    Untrusted,
)
from client.handshake import Again, open_session
from client.outbox import Outbox
from client.progress import STEADY_S, Progress
from client.session import Session
from client.wire import KICKED, REPLACED, Dial, Wire, WireClosed, dial
from machine.variables import PASSWORD
from protocol import PROTOCOL, VERSION, codec
from protocol.bounds import Kind, Serves
from protocol.errors import ErrorCode, ProtocolError
from protocol.messages import ClientMessage, Closing, Error, Hello, MatchEvent, Ok, ServerMessage, Sync, Welcome
from view.match import Applied

P = ParamSpec("P")

_NEW, _GAP = Applied.NEW, Applied.GAP
_OURS = frozenset({Ok, Error, Closing, Welcome})
"""The messages that a client itself looks at; most are others, and each has to be told apart."""

SEND_TIMEOUT_S = 10.0
FIRST_DELAY_S = 0.1
MAX_DELAY_S = 5.0
LINGER_S = 0.01
"""How long a message that nobody waits for may be held back to share a frame."""

ANSWER_S = 30.0
"""How long `ask` waits for its answer."""

LONGEST_PAUSE_S = 60.0
"""How long a server that closes may ask to be left alone."""

MAX_UNHEARD = 50_000
MAX_UNHEARD_BYTES = 8 << 20
"""Messages, and bytes of frames, that may wait until somebody hears them."""

MAX_UNSENT = 50_000
"""Messages that may wait until the server reads them."""

MAX_SYNCS = 1024
MAX_SYNCS_OF_A_MATCH = 8
"""How often one connection asks for missing events: only a faulty server makes that necessary."""

LEAVE_S = 0.3
"""How long `close` may take to send what still waits."""


@dataclass(frozen=True, slots=True)
class Lost:
    """The connection is lost and the client tries to come back; a `welcome` among the messages says that it did.

    until: when it gives up, by the client's clock.
    """

    reason: str
    until: float = math.inf


Incoming = ServerMessage | Lost


class Client:
    """A session with the server at `url`.

    url: "ws://host:port" or "wss://..." (`client.address.parse` makes it from what people type).
    token: of an earlier session, to come back to its seats; it changes at each return, which `on_token` is told.
    password: of the server, by default the one in the variable ARBITRE_PASSWORD. organiser: the secret of those who may
    direct the matches of others. service: the secret of the services that the server has started; serves: what this
    service does.
    patience_s: how long to go on after a lost connection before ServerGone; first_patience_s: the same for the first.
    clock: monotonic seconds; the event loop's by default. rng: spreads the reconnects. dial: opens connections.
    """

    def __init__(  # noqa: PLR0913 - one keyword for each thing that a test or a program may want to decide
        self,
        url: str,
        *,
        name: str,
        kind: Kind,
        token: str | None = None,
        password: str | None = None,
        organiser: str | None = None,
        service: str | None = None,
        serves: Serves = "bots",
        client: str = f"arbitre/{VERSION}",
        patience_s: float = 60.0,
        first_patience_s: float = 5.0,
        clock: Callable[[], float] | None = None,
        rng: random.Random | None = None,
        dial: Dial = dial,
    ) -> None:
        self.url = url
        self.session = Session(token)
        self.on_token: Callable[[str], None] = lambda _token: None
        self._hello = Hello(
            0, PROTOCOL, client, kind, name, batch=True, password=password or os.environ.get(PASSWORD) or None,
            organiser=organiser, service=service, serves=serves,
        )  # fmt: skip
        self._patience_s, self._first_patience_s = patience_s, first_patience_s
        self._clock = clock or (lambda: asyncio.get_running_loop().time())
        self._rng = rng or random.Random()
        self._dial = dial
        self._next_id = 1
        self._outbox = Outbox()
        self._hurried = False
        self._lingering: asyncio.TimerHandle | None = None
        self._slow: asyncio.Task[None] | None = None
        self._incoming: deque[tuple[float, Incoming]] = deque()
        self._arrived = asyncio.Event()
        self._hear: Callable[[Incoming], None] | None = None
        self._telling = False
        self._ended = False
        self._syncing: dict[str, tuple[int, int]] = {}
        self._unheard_bytes = 0
        self._progress = Progress()
        self._mark = (0, 0)
        self._closing: Closing | None = None
        self._broken: WireClosed | None = None
        self._attempt = 0
        self._failure: ClientError | None = None
        self._wire: Wire | None = None
        self._task: asyncio.Task[None] | None = None

    @property
    def name(self) -> str:
        """The display name: as the server keeps it, or as wished for before the first `welcome`."""
        return self.session.welcome.name if self.session.welcome else self._hello.name

    def now(self) -> float:
        """The time by which the views' clocks run."""
        return self._clock()

    async def __aenter__(self) -> Self:
        """Connects and opens the session; raises HelloRefused, Replaced, or the kind of ServerGone that fits."""
        try:
            await self._connect(self._first_patience_s, 0.0)
        except ServerGone as gone:
            if type(gone) is not ServerGone:
                raise
            raise NoServer(self.url, str(gone)) from gone
        self._task = asyncio.create_task(self._run())
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Sends what still waits, then closes."""
        await self.close()

    async def close(self) -> None:
        """Sends what still waits and ends the connection; `messages()` ends, open requests raise ServerGone."""
        wire, self._wire = self._wire, None
        try:
            await self._say_what_waits(wire)
            task, self._task = self._task, None
            if task is not None:
                task.cancel()
                await asyncio.wait([task])
            if wire is not None:
                await wire.close()
        finally:  # also if the caller is cancelled meanwhile
            if self._task is not None:
                self._task.cancel()
            if wire is not None:
                wire.abort()
            self._end(None)
        if task is not None and not task.cancelled():
            task.result()

    async def _say_what_waits(self, wire: Wire | None) -> None:
        if wire is not None:
            with suppress(WireClosed, TimeoutError):
                async with asyncio.timeout(LEAVE_S):
                    while self._outbox:
                        await wire.send(self._outbox.take_frame(self._welcome().limits))

    async def messages(self) -> AsyncIterator[Incoming]:
        """What the server says, in order, each folded into `session` just before it is handed over; for one reader.

        Answers to requests, duplicates and events after a gap (they are asked for) are not handed over. Ends after
        `close`; raises ServerGone, Replaced, HelloRefused (the session could not come back) or ViewError.
        """
        while True:
            while self._incoming:
                at, message = self._incoming.popleft()
                if self._fold(message, at):
                    yield message
            self._unheard_bytes = 0
            if self._ended:
                break
            self._arrived.clear()
            await self._arrived.wait()
        if self._failure is not None:
            raise self._failure

    async def listen(self, hear: Callable[[Incoming], None]) -> None:
        """As `messages`, for programs that answer at once: `hear` is called in the turn of the loop that read a frame.

        What it sends in answer to one frame leaves as one frame, in the same turn. Returns, or raises, at the end; also
        what `hear` raises.
        """
        self._heard = heard = asyncio.get_running_loop().create_future()
        self._hear = hear
        try:
            self._tell()
            if not self._ended:
                await heard
        finally:
            self._hear = None
        if self._failure is not None:
            raise self._failure

    def _tell(self) -> None:
        """Hands over what has arrived."""
        if self._hear is None:
            self._arrived.set()
            return
        self._telling = True
        try:
            while self._incoming:
                at, message = self._incoming.popleft()
                if self._fold(message, at):
                    self._hear(message)
            self._unheard_bytes = 0
        except Exception as error:  # noqa: BLE001 - raised by `listen`, not in the connection
            self._fail_listener(error)
        finally:
            self._telling = False
        if self._hurried:
            self._flush()

    def _tell_at_once(self, messages: Iterable[ServerMessage], now: float) -> None:
        """As `_tell`, for the messages of a frame that has just come, where nothing else waits: none of them does."""
        assert self._hear is not None
        hear, apply, rest = self._hear, self.session.apply, iter(messages)
        self._telling = True
        try:
            for message in rest:
                if type(message) in _OURS and self._is_settled(message):
                    continue
                applied = apply(message, now)
                if applied is _NEW:
                    hear(message)
                elif applied is _GAP:
                    self._ask_for_missing(message)
        except Exception as error:  # noqa: BLE001 - as above
            self._fail_listener(error)
            for message in rest:
                self._sort(message, now)
        finally:
            self._telling = False
        if self._hurried:
            self._flush()

    def _fail_listener(self, error: Exception) -> None:
        self._hear = None
        if not self._heard.done():
            self._heard.set_exception(error)

    def _fold(self, message: Incoming, at: float) -> bool:
        """Folds what arrived at `at` into the session; whether it is to be handed over. Raises ViewError."""
        if isinstance(message, Lost) or type(message) is Welcome:
            return True
        applied = self.session.apply(message, at)
        if applied is _GAP:
            self._ask_for_missing(message)
        return applied is _NEW

    async def request(
        self, make: Callable[Concatenate[int, P], ClientMessage], *args: P.args, **kwargs: P.kwargs
    ) -> Ok:
        """Sends `make(id, ...)` and waits for its answer; raises Refused, ConnectionLost, ServerGone or Replaced.

        While the connection is away the request waits. One that was sent when it broke is sent again if that is
        harmless (a move, join, watch, list, sync), else it raises ConnectionLost.
        """
        if self._failure is not None or self._task is None:
            raise self._failure or ServerGone("the client is closed")
        message = make(self._take_id(), *args, **kwargs)
        answer: asyncio.Future[Ok] = asyncio.get_running_loop().create_future()
        self._outbox.add(message, answer)
        self._flush_soon()
        try:
            return await answer
        finally:
            self._outbox.forget(message.id)

    async def ask(self, make: Callable[Concatenate[int, P], ClientMessage], *args: P.args, **kwargs: P.kwargs) -> Ok:
        """As `request`, for answers without which the caller can't go on: raises Silent after ANSWER_S."""
        try:
            async with asyncio.timeout(ANSWER_S):
                return await self.request(make, *args, **kwargs)
        except TimeoutError as error:
            raise Silent("the server does not answer") from error

    def send_along(self, make: Callable[Concatenate[int, P], ClientMessage], *args: P.args, **kwargs: P.kwargs) -> int:
        """As `send`, for a message that nobody waits for: it leaves with the next one, at the latest after LINGER_S."""
        message = make(self._take_id(), *args, **kwargs)
        if self._wire is not None:
            self._outbox.add(message)
            if self._lingering is None:
                self._lingering = asyncio.get_running_loop().call_later(LINGER_S, self._flush)
        return message.id

    def send(self, make: Callable[Concatenate[int, P], ClientMessage], *args: P.args, **kwargs: P.kwargs) -> int:
        """Sends `make(id, ...)` without waiting and gives its id; a refusal arrives among the messages as `error`.

        Such a message is lost with the connection: fine for a bot, which `your_turn` asks again. For people: `request`.
        """
        message = make(self._take_id(), *args, **kwargs)
        if self._wire is not None:
            self._outbox.add(message)
            if not self._hurried:
                self._flush_soon()
        return message.id

    # -- one connection after another

    async def _run(self) -> None:
        failure: ClientError | None = None
        try:
            while True:
                began = self._clock()
                closed = await self._talk()
                lasted_s = self._clock() - began
                if lasted_s > STEADY_S:
                    self._attempt = 0
                self._disconnect(closed.reason if closed.unreadable else "")
                pause_s = self._pause_after(closed, lasted_s)
                now = self._clock()
                self._incoming.append((now, Lost(str(closed), now + pause_s + self._patience_s)))
                self._tell()
                await self._connect(self._patience_s, pause_s)
        except ClientError as error:
            failure = error
        finally:
            if self._wire is not None:  # opened while `close` was still sending over the one before
                self._wire.abort()
            self._disconnect()
            self._end(failure)

    async def _talk(self) -> WireClosed:
        """Sends and receives until the connection is over; says how it ended."""
        wire = self._wire
        assert wire is not None
        try:
            self._tell()
            self._flush()
            closed = await wire.listen(self._receive)
            return self._broken or closed
        finally:
            self._broken = None
            if self._slow is not None:
                self._slow.cancel()
                await asyncio.gather(self._slow, return_exceptions=True)
                self._slow = None

    def _pause_after(self, closed: WireClosed, lasted_s: float) -> float:
        """The seconds to wait before reconnecting; raises Kicked, Replaced or ServerGone if we must not reconnect."""
        closing, self._closing = self._closing, None
        if closed.code == REPLACED:
            raise Replaced(closed.reason or "a newer connection took this session over")
        if closed.code == KICKED:
            raise Kicked("an organiser has sent you away")
        if closing is not None and not closing.retry_after_ms:
            raise ServerClosed("the server closed")
        useful = self._mark != (self._outbox.answered, self.session.mark())
        how = closed.reason if closed.unreadable else str(closed)
        if (end := self._progress.ended(how, lasted_s, useful=useful, unreadable=closed.unreadable)) is not None:
            raise end
        announced = closing.retry_after_ms / 1000 if closing is not None and closing.retry_after_ms else 0.0
        return min(announced, LONGEST_PAUSE_S) + self._backoff()

    def _backoff(self) -> float:
        longest = min(MAX_DELAY_S, FIRST_DELAY_S * 2 ** min(self._attempt, 10))
        self._attempt += 1
        return self._rng.uniform(0, longest)

    async def _connect(self, patience_s: float, pause_s: float) -> None:
        give_up = self._clock() + pause_s + patience_s
        while True:
            await asyncio.sleep(pause_s)
            try:
                return await self._open()
            except Unreadable as error:
                if self._task is None or self._progress.misunderstood(str(error)):
                    raise
                pause_s = self._backoff()
            except NotArbitre as error:
                # When we reconnect, something else may answer for a while: a captive portal, a proxy that starts.
                pause_s = self._backoff()
                if self._task is None or isinstance(error, Untrusted) or self._clock() + pause_s > give_up:
                    raise
            except Again as again:
                pause_s = again.pause_s + self._backoff()
                if self._clock() + pause_s > give_up:
                    raise again.end from again

    async def _open(self) -> None:
        hello = replace(self._hello, id=self._take_id(), token=self.session.token, seen=self.session.seen())
        try:
            wire, welcome, rest = await open_session(self._dial, self.url, hello)
        except HelloRefused as refused:
            if refused.code == ErrorCode.BAD_TOKEN.value:
                self.session.token = None
            raise
        self.session.apply(welcome, self._clock())
        self.on_token(welcome.token)
        self._wire = wire
        self._mark = (self._outbox.answered, self.session.mark())
        self._unheard_bytes = 0
        self._syncing.clear()
        self._outbox.reconnected()
        now = self._clock()
        if self._task is not None:
            self._incoming.append((now, welcome))
        for message in rest:
            self._sort(message, now)

    def _disconnect(self, offence: str = "") -> None:
        self._wire = None
        self._outbox.disconnected(offence)

    def _end(self, failure: ClientError | None) -> None:
        self._failure = self._failure or failure
        self._outbox.fail(self._failure or ServerGone("the client is closed"))
        self._ended = True
        self._arrived.set()
        if self._hear is not None and not self._heard.done():
            self._heard.set_result(None)

    def _welcome(self) -> Welcome:
        assert self.session.welcome is not None
        return self.session.welcome

    # -- out

    def _take_id(self) -> int:
        self._next_id += 1
        return self._next_id - 1

    def _flush_soon(self) -> None:
        """Has what waits sent at the end of this turn of the loop, or after the listener has heard this frame."""
        if not self._hurried:
            self._hurried = True
            if not self._telling:
                asyncio.get_running_loop().call_soon(self._flush)

    def _flush(self) -> None:
        """Sends what waits. A task sends a frame that can't be written at once; the rest follows after it."""
        self._hurried = False
        if self._lingering is not None:
            self._lingering.cancel()
            self._lingering = None
        if len(self._outbox) > MAX_UNSENT:
            self._break("it does not read what it is told")
        while self._outbox and self._wire is not None and self._slow is None:
            frame = self._outbox.take_frame(self._welcome().limits)
            if not self._wire.write(frame):
                self._slow = asyncio.create_task(self._send(self._wire, frame))

    async def _send(self, wire: Wire, frame: bytes) -> None:
        try:
            async with asyncio.timeout(SEND_TIMEOUT_S):
                await wire.send(frame)
        except TimeoutError:
            wire.abort()
        except WireClosed:
            pass  # the receiving side notices it, too
        else:
            self._slow = None
            self._flush()

    # -- in

    def _receive(self, frame: str | bytes) -> None:
        if self._broken is not None:
            return
        try:
            messages = codec.decode_server(frame)
        except ProtocolError as error:
            self._break(error.message)
            return
        now = self._clock()
        if self._hear is not None and not self._incoming:
            self._tell_at_once(messages, now)
            return
        for message in messages:
            self._sort(message, now)
        if self._incoming:
            self._unheard_bytes += len(frame)
            self._tell()
            if self._unheard_bytes > MAX_UNHEARD_BYTES or len(self._incoming) > MAX_UNHEARD:
                self._incoming.clear()
                self._break("more messages than can be heard")

    def _break(self, offence: str) -> None:
        """Ends a connection whose server misbehaves; `offence` says how."""
        if self._broken is None:
            self._broken = WireClosed(1002, offence, unreadable=True)
        if self._wire is not None:
            self._wire.abort()

    def _sort(self, message: ServerMessage, now: float) -> None:
        """Gives answers to those who asked; the rest is handed over."""
        if type(message) not in _OURS or not self._is_settled(message):
            self._incoming.append((now, message))

    def _is_settled(self, message: ServerMessage) -> bool:
        """Does what is to be done here about a message of `_OURS`; whether nobody else has to hear of it."""
        if type(message) is Ok:
            self._outbox.settle(message)
            return True
        if type(message) is Error:
            return self._outbox.settle(message)
        if type(message) is Closing:
            self._closing = message
            return False
        self._break("welcome: a second one in one connection")
        return True

    def _ask_for_missing(self, event: ServerMessage) -> None:
        assert isinstance(event, MatchEvent)
        match = event.match
        seq = self.session.seq(match)
        asked, times = self._syncing.get(match, (-1, 0))
        if asked == seq:
            return
        if times >= MAX_SYNCS_OF_A_MATCH or len(self._syncing) >= MAX_SYNCS:
            self._break(f"sync: the events after {seq} of match {match} never come")
            return
        self._syncing[match] = (seq, times + 1)
        self.send(Sync, match=match, seq=seq)
