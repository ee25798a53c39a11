"""Admission control: lets connections in or answers why not, and holds what they send to the rates.

A connection counts from its acceptance. It is cut off if it does not finish its handshakes in time, and closed if it
then says no `hello` in time. A message above the rates is replaced by a ProtocolError, so that it gets exactly one
answer, like every other message.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Sequence
from http import HTTPStatus
from itertools import islice
from typing import Final

from websockets.http11 import Request, Response

from protocol.errors import ErrorCode, ProtocolError
from protocol.messages import Chat, ClientMessage, Enter, Error, Hello, Join, Watch, Write
from protocol.weights import weigh
from server.admission.gate import Gate, GateOptions, HandshakeRefusal
from server.admission.guessing import Guessing
from server.connections.handshakes import EARLY, TICK_S, Handshake, Handshakes, Stage
from server.connections.link import Link
from server.connections.peer import Peer
from server.ratelimit import BYTES_A_UNIT, AddressMeter, Bucket, Meter, Rates, network_key
from server.referee.effects import Effect, Send

FLOOD = 1008
"""The close code of a connection that goes on sending far more than it may."""

NO_HELLO = 1008
"""The close code of a connection that has not said `hello` in time."""

CodeRequest = Join | Watch | Enter
"""Messages that may hold a code."""

_WRONG_CODES = frozenset(
    code.value for code in (ErrorCode.NO_SUCH_MATCH, ErrorCode.NO_SUCH_LEAGUE, ErrorCode.BAD_CODE, ErrorCode.NOT_YOURS)
)
"""The errors that answer a wrong code or key."""

_TALK: Final = frozenset((Chat, Write))
"""What has a rate of its own, since others have to read it."""

Messages = Sequence[ClientMessage | ProtocolError]


MOST_READERS: Final = 256
"""Connections to which long files are sent at once: a class of thirty opens some hundred and twenty."""

STUCK_S: Final = 10.0
"""A connection that has read nothing of a long file for this long may be cut off for another reader."""

SUSPECT_S: Final = 600.0
"""After a wrong code from a network, whoever is there shares the rate of all addresses for this long."""

MOST_SUSPECTS: Final = 10_000
"""Networks from which a wrong code came that are remembered; of more, the last ones."""

LATE_S: Final = 5.0
"""How much later a personal code is judged, once too many wrong codes came from its address."""

LATE_A_SECOND: Final = 2
MOST_LATE: Final = 600
"""Delayed codes of one address: how many are judged a second, and how many may wait. So a guesser
with many connections is no faster."""

LONGEST_READ_S: Final = 600.0
"""What a long file may take, if it is read all the time: 4 MB at 7 KB a second."""

UNATTACHED_S: Final = 10.0
"""Only a connection that has asked for nothing for this long may be closed for a newcomer: a pause between games is
shorter."""

MOST_ASKED: Final = 32
"""At most this many connections are checked for one to close, so that a newcomer who finds no room costs little."""

TRY_AGAIN: Final = 1013
"""The close code of one that made room."""


class Admission:
    """Who may connect to a server, and how much they may send. refused: who was turned away, by reason."""

    def __init__(self, options: GateOptions | None = None, rates: Rates | None = None) -> None:
        self._loop = asyncio.get_running_loop()
        self._rates = rates or Rates()
        self._gate = Gate(options or GateOptions(), self._rates)
        self._codes = Bucket(self._rates.codes, self._rates.codes_burst)
        self._suspects: dict[str, float] = {}
        self._handshakes = Handshakes()
        self._guessing = Guessing(self._handshakes)
        self._ticking: asyncio.TimerHandle | None = None
        self._deadlines: dict[Handshake, asyncio.TimerHandle] = {}
        self._readers: dict[Handshake, Link] = {}
        self._inside: dict[AddressMeter, dict[Peer, None]] = {}
        self.refused: Counter[str] = Counter()

    # --------------------------------------------------------------------------------------------- before the hello

    def expect(self, *, tls: bool) -> None:
        """Says whether connections begin with TLS; call it before the server listens."""
        self._handshakes.first = Stage.TLS if tls else Stage.WEBSOCKET

    def arrive(
        self, host: str, start: Callable[[], None], drop: Callable[[], None], patience: float
    ) -> Handshake | None:
        """A connection was accepted; None if it is one too many, and has to be cut off.

        start: called when its handshakes may begin, some time after `spoke`. drop: cuts it off; called if the
        handshakes are not done after `patience` seconds, or if it has to make room. At its end the caller calls
        `leave`, or `forget` if it has no Peer yet.
        """
        now = self._loop.time()
        meter = self._gate.enter(host, now)
        handshake = Handshake(host, meter, start, drop, now)
        crowded = self._gate.is_crowded(meter)
        if crowded or self._gate.is_full():
            oldest = self._handshakes.oldest(meter if crowded else None, now)
            if oldest is not None:
                self._drop(oldest, "made_room")
            elif self._gate.overrun(meter):
                self._gate.leave(meter)
                self.refused["overrun"] += 1
                return None
        self._handshakes.enter(handshake)
        self._deadlines[handshake] = self._loop.call_later(patience, self._drop, handshake, "timeout")
        return handshake

    def spoke(self, handshake: Handshake) -> None:
        """The first bytes are here."""
        self._handshakes.spoke(handshake)
        if self._handshakes.is_waited and self._ticking is None:
            self._ticking = self._loop.call_later(TICK_S, self._tick)

    def enter(self, peer: Peer, handshake: Handshake) -> None:
        """A connection may speak WebSocket now: TLS, if there is any, is done."""
        peer.handshake = handshake
        peer.host = handshake.host
        peer.meter = Meter(self._rates, handshake.meter)
        self._handshakes.proceed(handshake, Stage.WEBSOCKET)

    def opened(self, peer: Peer) -> None:
        """The WebSocket handshake is done; what came in the same packet may have been heard already."""
        if peer.handshake is not None:
            self._cancel_deadline(peer.handshake)
            if peer.handshake.stage not in (Stage.HELD, Stage.LEAVING, Stage.IN):
                self._handshakes.proceed(peer.handshake, Stage.HELLO)
                peer.silence = self._loop.call_later(peer.bounds.hello, _check_hello, peer, peer.handshake)

    def greeted(self, peer: Peer) -> None:
        """Its session is open."""
        if peer.handshake is not None and peer.handshake.stage is not Stage.IN:
            self._handshakes.proceed(peer.handshake, Stage.IN)
            if not peer.handshake.meter.trusted:
                self._inside.setdefault(peer.handshake.meter, {})[peer] = None

    def leave(self, peer: Peer) -> None:
        """A connection is gone."""
        if peer.handshake is not None:
            self._lose(peer, peer.handshake.meter)
            self.forget(peer.handshake)

    def may_read(self, link: Link) -> bool:
        """Whether a connection may be sent a long file now: then it needs no slot, and has the time that it takes."""
        handshake = link.handshake if isinstance(link, Peer) else None
        if handshake is None or handshake.stage is not Stage.WEBSOCKET:
            return False
        if self._handshakes.counts[Stage.READING] >= MOST_READERS and not self._make_room():
            self.refused["readers"] += 1
            return False
        self._cancel_deadline(handshake)
        self._deadlines[handshake] = self._loop.call_later(LONGEST_READ_S, self._drop, handshake, "timeout")
        self._handshakes.proceed(handshake, Stage.READING)
        self._readers[handshake] = link
        return True

    def _make_room(self) -> bool:
        """Cuts off one reader that is stuck; returns whether it found one."""
        for handshake, link in self._readers.items():
            if link.long_answer is not None and link.long_answer.stuck_s() >= STUCK_S:
                self._drop(handshake, "made_room")
                return True
        return False

    def forget(self, handshake: Handshake, reason: str = "") -> None:
        """A connection is gone, whatever it was doing; `reason` if it was turned away."""
        if handshake.stage is Stage.GONE:
            return
        self._cancel_deadline(handshake)
        self._readers.pop(handshake, None)
        self._handshakes.proceed(handshake, Stage.GONE)
        self._gate.leave(handshake.meter)
        if reason:
            self.refused[reason] += 1

    def waiting(self) -> dict[str, int]:
        """How many connections have not said `hello` yet, by the stage that they have reached."""
        return {stage.value: self._handshakes.counts[stage] for stage in EARLY}

    @property
    def connections(self) -> int:
        """How many there are, whatever they are doing."""
        return self._gate.connections

    def wrong(self) -> dict[str, int]:
        """How many wrong secrets were shown, by which."""
        return dict(self._guessing.wrong)

    def close(self) -> None:
        """The server closes: who has not even shaken hands is cut off; the others are told."""
        for handshake in self._handshakes:
            if handshake in self._deadlines:
                self._drop(handshake, "")
        if self._ticking is not None:
            self._ticking.cancel()

    def _drop(self, handshake: Handshake, reason: str) -> None:
        self.forget(handshake, reason)
        handshake.drop()

    def _cancel_deadline(self, handshake: Handshake) -> None:
        if (deadline := self._deadlines.pop(handshake, None)) is not None:
            deadline.cancel()

    def _tick(self) -> None:
        self._ticking = None
        for handshake in self._handshakes.tick():
            self._drop(handshake, "too_slow")
        if self._handshakes.is_waited:
            self._ticking = self._loop.call_later(TICK_S, self._tick)

    # ------------------------------------------------------------------------------------------------- the handshake

    def misdirected(self, link: Link, request: Request) -> Response | None:
        """The answer to a request that is meant for another server, or pretends to be."""
        return self._answer(link, self._gate.misdirected(request.headers))

    def process_request(self, link: Link, request: Request, is_unattached: Callable[[Peer], bool]) -> Response | None:
        """The answer to a refused handshake.

        If the server, or the share of its address, is full, an unattached connection may be closed so that it gets in.
        """
        assert isinstance(link, Peer)
        assert link.meter is not None
        refusal = self._gate.check(link.meter.address, request.headers)
        if refusal is not None and refusal.status is HTTPStatus.SERVICE_UNAVAILABLE:
            crowd = self._inside.get(link.meter.address, {})
            if not self._gate.is_crowded(link.meter.address):  # so the server is full
                crowd = max(self._inside.values(), key=len, default=crowd)
            if self._send_away_from(crowd, is_unattached):
                return None
        return self._answer(link, refusal)

    def _send_away_from(self, crowd: dict[Peer, None], is_unattached: Callable[[Peer], bool]) -> bool:
        """Closes one unattached connection; returns whether it found one. Those checked in vain go to the end."""
        now = self._loop.time()
        for peer in tuple(islice(crowd, MOST_ASKED)):
            assert peer.handshake is not None
            assert peer.meter is not None
            if peer.meter.unused_s(now) >= UNATTACHED_S and is_unattached(peer):
                self._lose(peer, peer.handshake.meter)
                self.refused["made_room"] += 1
                peer.close(TRY_AGAIN, "others need the room")
                peer.transport.close()
                return True
            del crowd[peer]
            crowd[peer] = None
        return False

    def _lose(self, peer: Peer, meter: AddressMeter) -> None:
        inside = self._inside.get(meter)
        if inside is not None:
            inside.pop(peer, None)
            if not inside:
                del self._inside[meter]

    def _answer(self, link: Link, refusal: HandshakeRefusal | None) -> Response | None:
        if refusal is None:
            return None
        self.refused[refusal.reason] += 1
        response = link.respond(refusal.status, refusal.text)
        if refusal.retry_seconds is not None:
            response.headers["Retry-After"] = str(refusal.retry_seconds)
        return response

    # -------------------------------------------------------------------------------------------------- the messages

    def sift(self, peer: Peer, messages: Messages, size: int, now: float) -> Messages:
        """The messages of a frame of `size` bytes, with a refusal in place of each that is too much."""
        meter = peer.meter
        assert meter is not None
        if meter.address.trusted:
            return messages
        extra = size // BYTES_A_UNIT
        if len(messages) == 1:  # as most are: what stands here stands before each move
            within = meter.passes(now, weigh(messages[0]) + extra)
            talks = type(messages[0]) in _TALK
        else:
            within = meter.passes(now, sum(map(weigh, messages)) + extra)
            talks = not _TALK.isdisjoint(map(type, messages))
        if within and not talks:
            return messages
        return self._sift_each(peer, meter, messages, now, None if within else extra / len(messages))

    def try_code(self, peer: Peer, message: CodeRequest) -> CodeRequest | ProtocolError:
        """`message`, or the refusal to look at its code, since too many wrong ones came before it.

        Somebody who guesses from many addresses has 20 codes in all, then one a second. A network from which no wrong
        code came for ten minutes does not wait for them, so each further network gives one guess more.
        """
        if message.code is None:
            return message
        wait = self._code_wait(peer)
        return message if wait <= 0 else _too_much(message, int(wait * 1000) + 1, "too many wrong codes")

    def puts_off(self, peer: Peer, message: CodeRequest, judge: Callable[[Peer, Enter], None]) -> bool:
        """Whether a personal code is judged later, by `judge`, since too many wrong ones came before it.

        A whole class may share one address, where one guesser must not keep everybody else out. So a personal code is
        judged after LATE_S seconds, or later if others wait; a connection may have one code waiting.
        """
        if not isinstance(message, Enter) or message.personal is None or peer.tries_late:
            return False
        meter = peer.address
        if self._code_wait(peer) <= 0 or meter.late >= MOST_LATE:
            return False
        peer.tries_late = True
        meter.late += 1
        self._loop.call_later(max(LATE_S, meter.late / LATE_A_SECOND), self._judge_late, peer, message, judge)
        return True

    @staticmethod
    def _judge_late(peer: Peer, message: Enter, judge: Callable[[Peer, Enter], None]) -> None:
        peer.tries_late = False
        peer.address.late -= 1
        judge(peer, message)

    def _code_wait(self, peer: Peer) -> float:
        """For how many seconds no code of a peer is looked at.

        A trusted address waits as others do: through a proxy, or a tunnel, everybody comes from this machine.
        """
        now, meter = self._loop.time(), peer.address
        suspected_at = self._suspects.get(network_key(peer.host))
        is_suspect = suspected_at is not None and now - suspected_at < SUSPECT_S
        return max(meter.codes.wait(now), self._codes.wait(now) if is_suspect else 0.0)

    def _suspect(self, peer: Peer, now: float) -> None:
        """A wrong code came from the network of a peer."""
        network = network_key(peer.host)
        self._suspects.pop(network, None)
        self._suspects[network] = now
        if len(self._suspects) > MOST_SUSPECTS:
            del self._suspects[next(iter(self._suspects))]

    def tried(self, peer: Peer, effects: Sequence[Effect]) -> None:
        """Notes what became of a code: wrong ones are counted by address, and over all."""
        for effect in effects:
            if isinstance(effect, Send) and isinstance(effect.message, Error) and effect.message.code in _WRONG_CODES:
                now = self._loop.time()
                peer.address.codes.take(now)
                self._codes.take(now)
                self._suspect(peer, now)

    def judge(
        self, peer: Peer, hello: Hello, effects: Sequence[Effect], perform: Callable[[Sequence[Effect]], object]
    ) -> Sequence[Effect]:
        """Those of the effects of a `hello` that happen now; see server.admission.guessing."""
        return self._guessing.judge(peer, hello, effects, perform)

    def _sift_each(self, peer: Peer, meter: Meter, messages: Messages, now: float, extra: float | None) -> Messages:
        """As `sift`; each message costs `extra` beside its weight, and nothing (None) if the frame has passed."""
        sifted: list[ClientMessage | ProtocolError] = []
        for message in messages:
            refusal = self._refusal(meter, message, now, None if extra is None else weigh(message) + extra)
            if refusal is not None and not meter.refuse(now):
                peer.fail(FLOOD, "far too many messages")
                break
            sifted.append(refusal or message)
        return sifted

    def _refusal(
        self, meter: Meter, message: ClientMessage | ProtocolError, now: float, units: float | None
    ) -> ProtocolError | None:
        if units is not None and not meter.passes(now, units):
            return _too_much(message, meter.wait_ms(now), "too much was asked for")
        if isinstance(message, Chat) and not meter.passes_chat(now):
            return _too_much(message, meter.chat_wait_ms(now), "too much talk")
        if isinstance(message, Write) and not meter.passes_letter(now, len(message.text)):
            wait = meter.letter_wait_ms(now, len(message.text))
            return _too_much(message, wait, "too many letters")
        return None


def _check_hello(peer: Peer, handshake: Handshake) -> None:
    """Closes a connection that has not said `hello` in time; one whose answer waits has."""
    if handshake.stage is Stage.HELLO and peer.is_open:
        peer.fail(NO_HELLO, "say hello")


def _too_much(message: ClientMessage | ProtocolError, wait_ms: int, text: str) -> ProtocolError:
    request = message.request if isinstance(message, ProtocolError) else message.id
    return ProtocolError(ErrorCode.RATE_LIMITED, text, request=request, retry_after_ms=wait_ms)
