"""The shell's doorkeeper: lets connections in or answers why not, and holds what they send to the rates.

It stands before the referee, who hears of what is too much only that it was refused: such a message becomes a
ProtocolError in its place, and so gets its one answer like every other.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from websockets.asyncio.server import ServerConnection
from websockets.http11 import Request, Response

from protocol.errors import ErrorCode, ProtocolError
from protocol.messages import Chat, ClientMessage, Error, Hello
from server.effects import Effect, Send
from server.gate import Doors, Gate
from server.peer import Peer
from server.ratelimit import BYTES_A_UNIT, Meter, Rates
from server.weights import weigh

FLOOD = 1008
"""The close code of a connection that goes on sending far more than it may."""

_SECRETS = {ErrorCode.BAD_TOKEN.value: 1.0, ErrorCode.PASSWORD_REQUIRED.value: 10.0}
"""What guessing costs: a token has 128 bits, a password is a word that somebody thought of."""

_WATCHED = frozenset((Chat, Hello))
"""Messages that have a rate of their own."""

Messages = Sequence[ClientMessage | ProtocolError]


class Admission:
    """Who may connect to a server, and how much he may send."""

    def __init__(self, doors: Doors | None = None, rates: Rates | None = None) -> None:
        self._loop = asyncio.get_running_loop()
        self._rates = rates or Rates()
        self._gate = Gate(doors or Doors(), self._rates)

    def enter(self, peer: Peer, host: str) -> None:
        """A connection was opened, its handshake is yet to come."""
        address = self._gate.enter(host, self._loop.time())
        peer.meter = Meter(self._rates, address)
        peer.host = host
        if self._gate.overrun():
            peer.transport.abort()

    def leave(self, peer: Peer) -> None:
        """A connection is gone."""
        if peer.meter is not None:
            self._gate.leave(peer.meter.address)

    def process_request(self, connection: ServerConnection, request: Request) -> Response | None:
        """The answer to a handshake that is refused."""
        assert isinstance(connection, Peer)
        assert connection.meter is not None
        refusal = self._gate.check(connection.host, connection.meter.address, request.headers)
        if refusal is None:
            return None
        response = connection.respond(refusal.status, refusal.text)
        if refusal.retry_seconds is not None:
            response.headers["Retry-After"] = str(refusal.retry_seconds)
        return response

    def sift(self, peer: Peer, messages: Messages, size: int) -> Messages:
        """The messages of a frame of `size` bytes, with a refusal in place of each that is too much."""
        meter = peer.meter
        assert meter is not None
        if meter.address.trusted:
            return messages
        now = self._loop.time()
        extra = size // BYTES_A_UNIT
        work = weigh(messages[0]) if len(messages) == 1 else sum(map(weigh, messages))
        within = meter.passes(now, work + extra)
        if within and _WATCHED.isdisjoint(map(type, messages)):
            return messages
        return self._sift_each(peer, meter, messages, now, None if within else extra / len(messages))

    def heard(self, peer: Peer, effects: Sequence[Effect]) -> None:
        """Notes what became of a `hello`: wrong tokens and passwords are counted by address."""
        for effect in effects:
            if isinstance(effect, Send) and isinstance(effect.message, Error) and peer.meter is not None:
                peer.meter.address.attempts.take(self._loop.time(), _SECRETS.get(effect.message.code, 0.0))

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
            return _too_much(message, meter.wait_ms(now, chat=False), "too much was asked for")
        if isinstance(message, Chat) and not meter.passes_chat(now):
            return _too_much(message, meter.wait_ms(now, chat=True), "too much talk")
        if isinstance(message, Hello):
            words = message.password is not None or message.organiser is not None
            wait = meter.address.attempts.wait(now, _SECRETS[ErrorCode.PASSWORD_REQUIRED.value] if words else 1.0)
            if (message.token is not None or words) and wait > 0:
                return _too_much(message, int(wait * 1000) + 1, "too many wrong tokens or passwords")
        return None


def _too_much(message: ClientMessage | ProtocolError, wait_ms: int, text: str) -> ProtocolError:
    request = message.request if isinstance(message, ProtocolError) else message.id
    return ProtocolError(ErrorCode.RATE_LIMITED, text, request=request, retry_after_ms=wait_ms)
